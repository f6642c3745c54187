"""`random_state` as scikit-learn has it: a number, None, or a generator."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from lastviz.estimators import ESTIMATORS
from lastviz.inspection import split_search
from lastviz.splitters import same_split, stored_split
from tests.conftest import waveform

DRAWING = [
    e.cls for e in ESTIMATORS.values() if any(p.name == "random_state" for p in e.cls.PARAMS)
]
X, Y = waveform(80, seed=1)


@pytest.mark.parametrize("cls", DRAWING)
def test_none_draws_a_seed_that_gives_the_same_model(cls):
    np.random.seed(5)  # noqa: NPY002 (what scikit-learn draws from)
    drawn = cls(random_state=None).fit(X, Y)
    assert drawn.random_state is None
    again = cls(random_state=drawn.seed_).fit(X, Y)
    assert_array_equal(drawn.predict(X), again.predict(X))
    generator = np.random.RandomState(5)
    assert cls(random_state=generator).fit(X, Y).seed_ == drawn.seed_
    assert cls(random_state=generator).fit(X, Y).seed_ != drawn.seed_
    assert cls(random_state=3).fit(X, Y).seed_ == 3
    if hasattr(drawn, "splitter"):
        found = split_search(drawn, X, Y, 0).split
        assert same_split(drawn.as_stored(found, X), stored_split(drawn.grown_tree_, 0))


@pytest.mark.parametrize("cls", DRAWING)
@pytest.mark.parametrize("wrong", [-1, 0.5, "a", np.random.default_rng(0)])
def test_what_is_no_seed_is_refused(cls, wrong):
    with pytest.raises(ValueError, match="random_state must be an integer >= 0, None or a Random"):
        cls(random_state=wrong).fit(X, Y)
