"""Formula cards: each criterion in general, and with the numbers of one candidate."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lastviz.criteria import CRITERIA
from lastviz.plots import number
from lastviz.ui.shared.figures import column_title
from lastviz.ui.shared.rank_formula import FROM_COUNTS, rank_caption, rank_latex, sides
from lastviz.ui.text import t

from .scene import SplitScene

__all__ = ["filled_in", "formula_card", "formula_cards"]

SHOWN = ("gini", "gain", "gain_ratio", "hellinger", "segments", "ratio", "bnm", "csn")
ORDERED = ("rmi",)  # of ordered classes, too


def formula_cards(scene: SplitScene) -> None:
    """Draw the cards of all criteria for the candidate that the page is about."""
    candidate = scene.lit
    if candidate is None:
        st.caption(t("There is no candidate here whose numbers could be filled in."))
        return
    left, right = st.columns(2, gap="large")
    ordered = [name for name in ORDERED if name in scene.table.columns]
    for i, name in enumerate((*SHOWN, *ordered)):
        with (left, right)[i % 2]:
            formula_card(scene, name, candidate)


def formula_card(scene: SplitScene, name: str, candidate: int) -> None:
    """Draw one criterion: its formula, and the same with the numbers of `candidate`."""
    criterion = CRITERIA[name]
    best = t("small is good") if criterion.smaller_is_better else t("large is good")
    st.markdown(f"**{t(criterion.title)}** · {best}")
    st.latex(criterion.formula)
    if name in FROM_COUNTS:
        st.latex(FROM_COUNTS[name])
    st.latex(filled_in(scene, name, candidate))
    if criterion.reads == "order":
        st.caption(t("A segment is a run of rows of one class along the split feature."))
    if name in FROM_COUNTS:
        st.caption(rank_caption())


def filled_in(scene: SplitScene, name: str, candidate: int) -> str:
    """Return the formula of a criterion with the numbers of a candidate, as LaTeX."""
    left = scene.table.left_counts[candidate]
    counts = scene.table.counts
    value = float(scene.table.columns[name][candidate])
    if not np.isfinite(value):
        return rf"\text{{{column_title(name)}}} = {_tex(value)}"
    if name in ("gini", "gain"):
        return _decrease(name, left, counts, value)
    if name == "gain_ratio":
        gain = float(scene.table.columns["gain"][candidate])
        return rf"\frac{{{_tex(gain)}}}{{{_tex(gain / value) if value else '–'}}} = {_bold(value)}"
    if name in FROM_COUNTS:
        direction = _direction(scene, int(scene.table.feature[candidate]))
        return rank_latex(name, *sides(left, counts, direction, name), value)
    if name == "hellinger":
        return _hellinger(left, counts, value)
    if name in ("segments", "ratio"):
        return _segments(scene, name, candidate, value)
    return _structure(scene, name, candidate, value)


def _direction(scene: SplitScene, feature: int) -> int:
    """Return the direction of a feature; data without any are taken to rise with all."""
    known = scene.dataset.directions
    return known.get(scene.tree.feature_names[feature], 0) if any(known.values()) else 1


def _decrease(name: str, left: np.ndarray, counts: np.ndarray, value: float) -> str:
    impurity = CRITERIA[name].impurity
    right, n = counts - left, int(counts.sum())
    parts = " - ".join(
        rf"\frac{{{int(side.sum())}}}{{{n}}} \cdot {_tex(float(impurity(side)))}"
        for side in (left, right)
    )
    return rf"{_tex(float(impurity(counts)))} - {parts} = {_bold(value)}"


def _hellinger(left: np.ndarray, counts: np.ndarray, value: float) -> str:
    """The class of the largest distance, against the rest."""
    n, n_left = counts.sum(), left.sum()
    rest, rest_left = np.maximum(n - counts, 1), n_left - left
    own = np.maximum(counts, 1)
    yes = (np.sqrt(left / own) - np.sqrt(rest_left / rest)) ** 2
    no = (np.sqrt((counts - left) / own) - np.sqrt((n - counts - rest_left) / rest)) ** 2
    k = int(np.argmax(yes + no))
    rest_n, rest_yes = n - counts[k], rest_left[k]
    first = _root_difference(left[k], counts[k], rest_yes, rest_n)
    second = _root_difference(counts[k] - left[k], counts[k], rest_n - rest_yes, rest_n)
    return rf"\sqrt{{({first})^2 + ({second})^2}} = {_bold(value)}"


def _root_difference(own: int, of_own: int, rest: int, of_rest: int) -> str:
    return rf"\sqrt{{\tfrac{{{own}}}{{{of_own}}}}} - \sqrt{{\tfrac{{{rest}}}{{{of_rest}}}}}"


def _segments(scene: SplitScene, name: str, candidate: int, value: float) -> str:
    """The two counts follow from the expected segments and the segments in all."""
    left = int(scene.table.left_counts[candidate].sum())
    n = len(scene.rows)
    expected = float(scene.table.columns["segments"][candidate])
    total = float(scene.table.columns["segment_sum"][candidate])
    right = n - left
    # left / n a + right / n b = expected and a + b = total, but for equal halves.
    ratio = float(scene.table.columns["ratio"][candidate])
    if left != right:
        a = round((n * expected - right * total) / (left - right))
    else:
        a = round(total * ratio / (1.0 + ratio))
    b = round(total) - a
    if name == "ratio":
        return rf"\frac{{{min(a, b)}}}{{{max(a, b)}}} = {_bold(value)}"
    return rf"\frac{{{left}}}{{{n}}} \cdot {a} + \frac{{{right}}}{{{n}}} \cdot {b} = {_bold(value)}"


def _structure(scene: SplitScene, name: str, candidate: int, value: float) -> str:
    geometry = scene.geometry(candidate)
    if name == "bnm":
        squares = [_tex(margin.square) for margin in geometry.margins] or ["0"]
        penalties = " + ".join(_tex(part) for part in geometry.penalty_parts)
        terms = " + ".join(squares)
        return rf"\tfrac{{1}}{{{len(squares)}}}({terms}) - ({penalties}) = {_bold(value)}"
    parts = []
    for child, rows in enumerate(geometry.rows):
        within = sum(spread.within for spread in geometry.spreads if spread.child == child)
        between = sum(pair.square for pair in geometry.dichotomies if pair.child == child)
        share = rf"\frac{{{len(rows)}}}{{{len(scene.rows)}}}"
        fraction = rf"\frac{{{_tex(within)}}}{{{_tex(between)}}}" if between else "0"
        parts.append(rf"{share} \cdot {fraction}")
    return " + ".join(parts) + rf" = {_bold(value)}"


def _tex(value: float) -> str:
    """Return a number as LaTeX."""
    if np.isnan(value):
        return r"\text{–}"
    if np.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    text = number(float(value)).replace("−", "-").replace(",", "{,}")
    return text if "·" not in text else f"{value:.3g}"


def _bold(value: float) -> str:
    return rf"\mathbf{{{_tex(value)}}}"
