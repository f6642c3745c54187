import inspect
import pickle
import re

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

from lastviz._params import Param, check_params, defaults, param, with_params
from lastviz.datasets import DATASETS, NUMBER_SETS
from lastviz.estimators import ESTIMATORS, REGRESSORS

DEPTH = Param("max_depth", int, None, low=1, none=True)
SHARE = Param("confidence", float, 0.25, low=0.0, low_open=True, high=0.5)
KIND = Param("criterion", str, "gini", choices=("gini", "entropy"))
WIDTH = Param("sigma", float, "scale", low=0.0, low_open=True, choices=("scale",))
FLAG = Param("raising", bool, True)


@pytest.mark.parametrize(("param", "value", "plain"), [
    (DEPTH, None, None), (DEPTH, np.int64(3), 3), (SHARE, 0.5, 0.5),
    (SHARE, np.float32(0.25), 0.25),
    (WIDTH, "scale", "scale"), (WIDTH, 2, 2.0),
    (KIND, "entropy", "entropy"), (FLAG, np.bool_(False), False),
])  # fmt: skip
def test_legal_values_become_plain(param, value, plain):
    assert param.check(value) == plain
    assert type(param.check(value)) is type(plain)


@pytest.mark.parametrize(("param", "value", "message"), [
    (DEPTH, 0, "max_depth must be an integer >= 1 or None, got 0"),
    (DEPTH, True, "max_depth must be an integer >= 1 or None, got True"),
    (DEPTH, 2.5, "max_depth must be an integer >= 1 or None, got 2.5"),
    (SHARE, 0.0, "confidence must be a finite number > 0 and <= 0.5, got 0.0"),
    (SHARE, float("nan"), "confidence must be a finite number > 0 and <= 0.5, got nan"),
    (SHARE, None, "confidence must be a finite number > 0 and <= 0.5, got None"),
    (WIDTH, 0.0, "sigma must be a finite number > 0 or 'scale', got 0.0"),
    (WIDTH, "auto", "sigma must be a finite number > 0 or 'scale', got 'auto'"),
    (KIND, "x", "criterion must be one of 'gini', 'entropy', got 'x'"),
    (FLAG, 1, "raising must be True or False, got 1"),
    (DEPTH, 2**63, "max_depth must be an integer >= 1 or None, got an integer of 64 bits; "
     "numbers up to 2**53 are taken"),
    (DEPTH, -(10**400), "max_depth must be an integer >= 1 or None, got an integer of 1329 bits; "
     "numbers up to 2**53 are taken"),
    (SHARE, 10**400, "confidence must be a finite number > 0 and <= 0.5, got an integer of 1329 "
     "bits; numbers up to 2**53 are taken"),
])  # fmt: skip
def test_illegal_values_are_named_with_the_legal_range(param, value, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        param.check(value)
    assert str(error.value) == message


def test_all_parameters_at_once():
    declared = (DEPTH, SHARE)
    assert defaults(declared) == {"max_depth": None, "confidence": 0.25}
    assert check_params(declared, {"max_depth": 4}) == {"max_depth": 4, "confidence": 0.25}
    with pytest.raises(ValueError, match="unknown parameter 'depth'; the parameters are: max_"):
        check_params(declared, {"depth": 4})


@with_params
class Wood(BaseEstimator):
    """A wood.

    Notes
    -----
    It grows.
    """

    max_depth: int | None = DEPTH
    share: float = param(float, 0.25, low=0.0, high=1.0, label="Share", help="Of what is cut.",
                         doc="The rest stays.", needs=("kind", ("oak", "elm")))  # fmt: skip
    kind = param(str, "oak", choices=("oak", "elm", "fir"), help="Which tree.")
    seed: object = param(int, 0, drawn=True)
    order: object = param(object, None, type_doc="sequence or None", doc="From low to high.")


@with_params
class Grove(Wood):
    """A grove."""

    paths: bool = param(bool, False)
    kind: str = param(str, "elm", choices=("elm",))


def test_a_class_is_made_from_its_declarations():
    signature = "(max_depth: int | None = None, share: float = 0.25, kind: object = 'oak', "
    assert str(inspect.signature(Wood)).startswith(signature)
    assert list(Wood().get_params()) == sorted(inspect.signature(Wood).parameters)
    wood = Wood(3, kind="fir")
    assert (wood.max_depth, wood.share, wood.kind, wood.order) == (3, 0.25, "fir", None)
    assert repr(pickle.loads(pickle.dumps(clone(wood)))) == "Wood(kind='fir', max_depth=3)"
    with pytest.raises(TypeError, match=r"Wood.__init__\(\) got an unexpected keyword"):
        Wood(d=1)
    assert [p.name for p in Wood.PARAMS] == ["max_depth", "share", "kind", "seed"]
    assert {name: p.default for name, p in Wood.OTHER_PARAMS.items()} == {"order": None}
    assert not hasattr(Wood, "share")
    assert (
        inspect.getdoc(Wood)
        == """A wood.

Parameters
----------
max_depth : int or None, default None
share : float, default 0.25
    Share: Of what is cut. The rest stays. It counts with kind "oak" or "elm".
kind : {"oak", "elm", "fir"}, default "oak"
    Which tree.
seed : int, RandomState or None, default 0
order : sequence or None, default None
    From low to high.

Notes
-----
It grows."""
    )


def test_what_a_class_inherits_comes_after_its_own():
    names = ["paths", "kind", "max_depth", "share", "seed", "order"]
    assert list(inspect.signature(Grove).parameters) == documented_parameters(Grove) == names
    assert (Grove().kind, Wood().kind) == ("elm", "oak")


def test_a_function_is_made_from_its_declarations():
    @with_params
    def plant(n: int = param(int, 5, label="Number"), kind=KIND):
        """Plant."""
        return [kind] * n

    assert plant(2) == ["gini"] * 2
    assert len(plant()) == 5
    assert str(inspect.signature(plant)).endswith("int = 5, kind='gini')")
    assert (documented_parameters(plant), defaults(plant.PARAMS)) == (
        ["n", "kind"], {"n": 5, "kind": "gini"}
    )  # fmt: skip


@pytest.mark.parametrize(
    "made",
    [
        *(entry.cls for entry in (ESTIMATORS | REGRESSORS).values()),
        *(entry.load for entry in (DATASETS | NUMBER_SETS).values() if entry.PARAMS),
    ],
)
def test_documentation_is_complete(made):
    assert documented_parameters(made) == list(inspect.signature(made).parameters)
    assert all(each.label and each.help.endswith(".") for each in made.PARAMS)
    others = getattr(made, "OTHER_PARAMS", {}).values()
    assert all(each.type_doc and each.doc.endswith(".") for each in others)


def documented_parameters(made):
    """The names in the section "Parameters" of a numpydoc docstring, in order."""
    text = inspect.getdoc(made)
    found = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[^\n]*\n-+\n|\Z)", text, re.M | re.S)
    return re.findall(r"^(\w+) : ", found[1], re.M)
