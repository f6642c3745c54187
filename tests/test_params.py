import numpy as np
import pytest

from lastviz._params import Param, check_params, defaults

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
