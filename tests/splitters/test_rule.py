"""The stages of a rule, and the kernel that keeps the best k."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastviz.splitters import Blend, ChoiceRule, RuleTerm, Stage
from lastviz.splitters.hybrid.survivors_kernels import Survivors, keep_best
from tests import naive_hybrid


def apply(stages, **columns):
    columns = {name: np.asarray(values, dtype=float) for name, values in columns.items()}
    return ChoiceRule(tuple(stages)).apply(np.arange(len(next(iter(columns.values())))), columns)


def test_the_best_k_come_best_first_ties_in_order_and_none_that_is_not_admissible():
    (kept,) = apply([Stage("top_k", "a", 4)], a=[1.0, 3.0, 2.0, 3.0 + 1e-13, -np.inf, 2.0])
    assert kept.tolist() == [1, 3, 2, 5]
    (kept,) = apply([Stage("top_k", "a", 9)], a=[1.0, -np.inf, 2.0])
    assert kept.tolist() == [2, 0]
    (none,) = apply([Stage("top_k", "a", 2)], a=[-np.inf, -np.inf])
    assert none.tolist() == []


def test_a_tie_of_the_last_stage_goes_to_the_better_first_rank():
    stages = [Stage("top_k", "a", 3), Stage("argmin", "b")]
    top, winner = apply(stages, a=[1, 5, 4, 3], b=[0, 1e-17, 0, 2])
    assert top.tolist() == [1, 2, 3]
    assert winner.tolist() == [1]
    _, largest = apply([stages[0], Stage("argmax", "b")], a=[1, 5, 4, 3], b=[9, 2, 2, 1])
    assert largest.tolist() == [1]


def test_infinity_is_the_worst_of_a_smallest_and_minus_infinity_is_none():
    (winner,) = apply([Stage("argmin", "a")], a=[np.inf, -np.inf, 3.0])
    assert winner.tolist() == [2]
    (all_bad,) = apply([Stage("argmin", "a")], a=[np.inf, np.inf])
    assert all_bad.tolist() == [0]
    (none,) = apply([Stage("argmin", "a")], a=[-np.inf])
    assert none.tolist() == []


def test_minima_keeps_all_that_tie():
    kept, winner = apply(
        [Stage("minima", "a"), Stage("argmax", "b")], a=[2, 1, 1, 1], b=[9, 1, 3, 2]
    )
    assert kept.tolist() == [1, 2, 3]
    assert winner.tolist() == [2]


def test_a_blend_weighs_and_scales_what_the_stage_judges():
    blend = Blend((RuleTerm(0.5, "a"), RuleTerm(2.0, "b", "reversed")))
    stages = [Stage("top_k", "a", 3), Stage("argmax", blend)]
    columns = {"a": np.array([4.0, 3.0, 2.0, 0.0]), "b": np.array([10.0, 5.0, 0.0, -90.0])}
    rule = ChoiceRule(tuple(stages))
    survivors = rule.apply(np.arange(4), columns)
    np.testing.assert_allclose(stages[1].scores(columns, survivors[0]), [2.0, 2.5, 3.0])
    assert survivors[1].tolist() == [2]
    assert rule.score(columns, survivors) == 3.0


def test_a_blend_with_weight_0_forgets_even_infinity():
    blend = Blend((RuleTerm(1.0, "a"), RuleTerm(0.0, "b"), RuleTerm(1.0, "c", "range")))
    columns = {"a": np.array([1.0, -np.inf]), "b": np.array([np.inf, 0]), "c": np.array([3.0, 3.0])}
    assert blend.scores(columns, np.arange(2)).tolist() == [1.0, -np.inf]


@pytest.mark.kernel
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_kernel_keeps_what_the_stage_and_the_slow_twin_keep(data):
    near = st.sampled_from([0.0, 1.0, 1.0 + 4e-13, 1.0 + 8e-13, 1.0 + 1.2e-12, 2.0, -np.inf])
    m, n = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 9))
    values = data.draw(st.lists(near, min_size=m * n, max_size=m * n))
    k = data.draw(st.integers(1, m * n + 2))
    curves = np.array(values).reshape(m, n)
    room = [np.empty(k), *(np.empty(k, dtype=np.int64) for _ in range(3)), *np.empty((2, k))]
    survivors = Survivors(*room)
    count = keep_best(curves, curves.max(axis=1), n, k, survivors)
    ours = survivors.feature[:count] * n + survivors.position[:count]
    (kept,) = apply([Stage("top_k", "a", k)], a=curves.ravel())
    assert ours.tolist() == kept.tolist()
    rows = [{"i": i, "a": a} for i, a in enumerate(values) if a > -np.inf]
    twin = naive_hybrid.ordered_in_groups(rows, lambda r: r["a"])[:k]
    assert ours.tolist() == [r["i"] for r in twin]
