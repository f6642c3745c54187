import numpy as np
import pytest

from lastviz.plots.visuals.words import weighted_sum

NAMES = ["a", "b", "c", "d"]


@pytest.mark.parametrize(("weights", "words"), [
    ([0.12, -0.8, 0.5, 0.1], "−0.8 b + 0.5 c + 0.12 a + …"),
    ([0.0, 1.0, 0.0, 0.0], "b"),
    ([0.0, -1.0, 0.0, 1.0], "−b + d"),
    ([2.0, 0.0, 0.0, -0.123456], "2 a − 0.123 d"),
    ([1e-6, 0.0, 3.0e7, 0.0], "30,000,000 c + 1·10⁻⁶ a"),
])  # fmt: skip
def test_largest_weights_come_first(weights, words):
    assert weighted_sum(np.array(weights), NAMES) == words


def test_exact_on_demand():
    weights = np.array([0.1 + 0.2, 0.0, -1 / 3, 1.0])
    assert weighted_sum(weights, NAMES, exact=True) == f"{0.1 + 0.2!r} a − {1 / 3!r} c + d"


def test_terms_left_out_are_counted_where_asked():
    weights = np.array([4.0, -2.0, 1.0, 0.5])
    words = weighted_sum(weights, NAMES, terms=2, rest="{n} more")
    assert words == "4 a − 2 b + 2 more"
    assert weighted_sum(weights, NAMES, terms=4, rest="{n} more").endswith("0.5 d")
