"""Which class is peeled off, and which groups part."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastviz.splitters.svm.kernel_svm import peel, two_groups
from tests import naive_svm


def symmetric(values, k):
    matrix = np.full((k, k), np.inf)
    upper = np.triu_indices(k, 1)
    matrix[upper] = values[: len(upper[0])]
    matrix.T[upper] = matrix[upper]
    return matrix


ENTRIES = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.25, 1.0, np.inf]), min_size=21, max_size=21)


def order_of(matrix):
    live = np.arange(len(matrix))
    order = []
    while len(live) > 1:
        order.append(peel(matrix, live).chosen)
        live = live[live != order[-1]]
    return [*order, int(live[0])]


@given(ENTRIES, st.integers(2, 7))
def test_classes_are_peeled_in_the_order_of_the_slow_twin(values, k):
    matrix = symmetric(values, k)
    assert order_of(matrix) == naive_svm.peel_order(matrix)


@given(ENTRIES, st.integers(2, 7), st.sampled_from(["single", "average"]))
def test_groups_are_those_of_the_slow_twin(values, k, linkage):
    matrix = symmetric(np.where(np.isinf(values), 3.0, values), k)
    link = {"single": min, "average": lambda v: round(sum(v) / len(v), 9)}[linkage]
    found = two_groups(matrix, np.arange(k), linkage)
    assert list(found.groups) == naive_svm.groups(matrix, range(k), link)
    assert len(found.merges) == k - 2


def test_of_three_classes_the_one_outside_the_closest_pair_goes_first():
    matrix = symmetric([0.3, 0.1, 0.2], 3)
    found = peel(matrix, np.arange(3))
    assert found.chosen == 1
    assert not found.tie_rule_used
    np.testing.assert_array_equal(found.nearest, [2, 2, 0])
    assert two_groups(matrix, np.arange(3), "single").groups == ((1,), (0, 2))


def test_two_classes_nearest_to_each_other_tie_and_their_next_entries_decide():
    matrix = symmetric([0.5, 0.9, 0.8, 0.7, 0.95, 0.5], 4)
    found = peel(matrix, np.arange(4))
    np.testing.assert_array_equal(found.separability, [0.5, 0.5, 0.5, 0.5])
    assert found.tie_rule_used
    assert found.chosen == 3  # .8 beats .7, then .95 beats .9
    np.testing.assert_array_equal(np.sort(found.rank), np.arange(4))


def test_the_last_two_classes_always_tie_and_the_lower_goes_first():
    found = peel(symmetric([0.5, 0.9, 0.8], 3), np.array([1, 2]))
    assert found.tie_rule_used
    assert found.chosen == 1


def test_a_class_that_is_gone_never_comes_back():
    matrix = symmetric(np.arange(1.0, 22.0), 7)
    assert sorted(order_of(matrix)) == list(range(7))


@pytest.mark.parametrize("linkage", ["single", "average"])
def test_sixty_classes_are_grouped_at_once(linkage):
    centres = np.random.default_rng(0).normal(size=(60, 2))
    matrix = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    np.fill_diagonal(matrix, np.inf)
    found = two_groups(matrix, np.arange(60), linkage)
    assert sorted(found.groups[0] + found.groups[1]) == list(range(60))
