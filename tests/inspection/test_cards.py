"""Formula cards: what they print comes to the score."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from lastviz.criteria import CRITERIA, cards, register_criterion, unregister_criterion
from lastviz.criteria.expression import Fraction, Number, Product, Sum, minus, tex_number
from lastviz.inspection import candidate_table, card_candidate, split_geometry
from tests.conftest import waveform
from tests.latex_numbers import worked_out

OPTIONS = [
    {},
    {"penalty": "exact", "bnm_root": True, "ecoc": "one_vs_one"},
    {"penalty": "none", "bnm_root": True, "ecoc": "exhaustive"},
    {"penalty": "none", "segments": "minimum"},
]


def printed(value):
    """What a reader takes from the page for a number."""
    return float(tex_number(value).replace(r" \cdot 10^{", "e").rstrip("}"))


def half_unit(value):
    """By how much a printed number may differ from the exact one."""
    if printed(value) == value:
        return 0.0
    return 0.5 * 10.0 ** (np.floor(np.log10(abs(value))) - 3)


def slack(expression):
    """By how much rounding the printed numbers may move the value, to first order and doubled."""
    numbers = list(expression.numbers())
    at_print = expression.value(printed)
    total = 0.0
    for number in {n for n in numbers if half_unit(n) > 0.0}:
        count = numbers.count(number)
        for sign in (1.0, -1.0):

            def moved(n, number=number, sign=sign):
                return printed(n) + (sign * half_unit(n) if n == number else 0.0)

            total = max(total, 0.0) + count * abs(expression.value(moved) - at_print)
    return total


def nodes():
    X, y = load_iris(return_X_y=True)
    yield "iris", X, y, 3
    X, y = waveform(60, seed=3)
    yield "waveform", X[:, :4], y, 3
    two = y < 2
    yield "two classes", np.round(X[two, :3], 1), y[two], 2
    yield "a class that is not there", X[two, :3], y[two], 4


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("node", list(nodes()), ids=lambda node: node[0])
def test_what_each_card_prints_comes_to_the_score(node, options):
    _, X, y, n_classes = node
    rows = np.arange(len(y))
    table = candidate_table(X, y, rows, n_classes, **options)
    measured = {k: v for k, v in options.items() if k != "segments"}
    of_card = {k: v for k, v in options.items() if k in ("penalty", "bnm_root")}
    compared = dict.fromkeys(CRITERIA, 0)
    for i in np.linspace(0, table.n_candidates - 1, 25).astype(int):
        where = int(table.feature[i]), float(table.threshold[i])
        geometry = split_geometry(X, y, rows, *where, **measured)
        here = card_candidate(table, i, geometry=geometry, **of_card)
        for name, criterion in CRITERIA.items():
            score = float(table.columns[name][i])
            if not np.isfinite(score):
                continue
            card = criterion.card(here)
            assert card.numbers.value() == pytest.approx(score, rel=1e-9, abs=1e-9), name
            value, after = worked_out(card.latex(score))
            assert value == pytest.approx(card.numbers.value(printed), rel=1e-9, abs=1e-12), name
            assert after == tex_number(score)
            assert abs(value - score) <= slack(card.numbers) + 1e-9, (name, card.latex(score))
            compared[name] += 1
    assert min(compared.values()) >= 5, compared


def test_cards_of_different_criteria_are_different():
    X, y = load_iris(return_X_y=True)
    table = candidate_table(X, y, np.arange(150), 3)
    i = int(np.argmin(np.abs(table.columns["ratio"] - 0.5)))
    geometry = split_geometry(X, y, np.arange(150), int(table.feature[i]), table.threshold[i])
    here = card_candidate(table, i, geometry=geometry)
    texts = {name: row.card(here).numbers.latex() for name, row in CRITERIA.items()}
    assert len(set(texts.values())) == len(texts)


@pytest.mark.parametrize(("penalty", "root"), [("none", True), ("exact", False)])
def test_the_general_formula_of_bnm_says_what_is_measured(penalty, root):
    here = cards.Candidate(np.array([2, 1]), np.array([1, 3]), penalty=penalty, bnm_root=root)
    object.__setattr__(here, "geometry", type("Nothing", (), {"margins": (), "nearest": ()})())
    (formula,) = cards.bnm(here).formula
    assert ("^2" in formula) is not root
    assert ("P + Q" in formula) is (penalty != "none")


def test_a_feature_of_unknown_direction_shows_the_larger_side():
    X, y = waveform(60, seed=3)
    table = candidate_table(
        X[:, :3], y, np.arange(60), 3, criteria=("rmi", "rmi_mean"), directions=np.zeros(3)
    )
    for i in range(0, table.n_candidates, 9):
        here = card_candidate(table, i, direction=0)
        for name, column in table.columns.items():
            assert CRITERIA[name].card(here).numbers.value() == pytest.approx(column[i])


def test_a_registered_criterion_shows_the_counts_it_was_asked_about():
    register_criterion("apart", lambda a, b: np.abs(a - b).sum(axis=1), title="apart")
    try:
        card = CRITERIA["apart"].card(cards.Candidate(np.array([2, 1]), np.array([1, 3])))
        assert card.latex(3.0) == (r"\mathrm{score}\left(2,\, 1 \mid 1,\, 3\right) = \mathbf{3}")
        assert card.numbers.value(printed) == 3.0
    finally:
        unregister_criterion("apart")


def test_long_sums_stand_on_several_lines():
    text = Sum(*(Number(n) for n in (1, 2, 3)), minus(Number(4)), per_line=2).latex()
    assert text == r"\begin{aligned} & 1 + 2 \\ & + 3 - 4 \end{aligned}"


def test_a_long_sum_in_brackets_can_go_on_in_the_next_line():
    two = Sum(Number(1), Number(2))
    assert Product(Number(3), Sum(two, minus(two))).latex() == r"3 \cdot (1 + 2 - (1 + 2))"
    tall = Product(Number(3), Sum(Number(1), Fraction(Number(1), Number(2))))
    assert tall.latex() == r"3 \cdot \left(1 + \frac{1}{2}\right)"
