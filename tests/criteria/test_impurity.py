import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastviz import criteria
from tests import naive

COUNTS = st.lists(st.integers(0, 50), min_size=2, max_size=5)


@given(COUNTS)
def test_impurities_equal_their_slow_twins(counts):
    assert criteria.gini(counts) == pytest.approx(naive.gini(counts), abs=1e-12)
    assert criteria.class_entropy(counts) == pytest.approx(naive.entropy(counts), abs=1e-12)


@given(st.data(), COUNTS)
def test_no_split_raises_the_impurity(data, counts):
    left = [data.draw(st.integers(0, c)) for c in counts]
    right = [c - a for c, a in zip(counts, left, strict=True)]
    if sum(left) and sum(right):
        for ours, twin in ((criteria.gini, naive.gini), (criteria.class_entropy, naive.entropy)):
            decrease = criteria.impurity_decrease(left, right, ours)
            assert decrease >= -1e-12
            assert decrease == pytest.approx(naive.gain(left, right, twin), abs=1e-12)


def test_known_values():
    assert criteria.gini([5, 5]) == 0.5
    assert criteria.class_entropy([9, 5]) == pytest.approx(0.940286, abs=1e-6)
    assert criteria.split_information(4, 4) == 1.0
    assert criteria.mdl_correction(8, 16) == 3 / 16
    assert criteria.gain_ratio(0.5, 0.0) == -np.inf


def test_every_criterion_says_what_it_is_by_a_code_of_its_own():
    for criterion in criteria.CRITERIA.values():
        assert criterion.title
        assert criterion.formula
        assert criterion.impurity([3, 0]) == 0.0
    codes = [criterion.code for criterion in criteria.CRITERIA.values()]
    assert None not in codes
    assert len({*codes}) == len(codes)
