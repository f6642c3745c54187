"""What it changes to let the rows held out take part without their classes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st
from scipy.stats import binomtest

from . import cache, latent_cache, state
from .headline import show, strip
from .selection import Selection
from .text import number, percent, plural, t

__all__ = ["labelled_or_all"]


@dataclass(frozen=True, eq=False)
class Way:
    """One way to train: its error, its size, its predictions and its first direction."""

    error: float
    nodes: int
    leaves: int
    predicted: np.ndarray
    direction: np.ndarray


def labelled_or_all() -> None:
    """Compare the model that saw the labelled rows alone with the one that saw all rows."""
    selection = state.current()
    held = cache.division(selection).held_out_rows
    if not len(held):
        st.info(t("No row is held out: all rows have their classes. Hold some out to compare."))
        return
    labelled = _way(replace(selection, unlabelled=False))
    everything = _way(replace(selection, unlabelled=True))
    differ = int(np.count_nonzero(labelled.predicted[held] != everything.predicted[held]))
    cells = [
        (percent(labelled.error), "%", t("held-out error, labelled rows alone")),
        (percent(everything.error), "%", t("held-out error, all rows look on")),
        (f"{number(labelled.nodes)} | {number(everything.nodes)}", "", t("nodes")),
        (number(differ), "", t("of {n} rows held out get another class", n=number(len(held)))),
    ]
    turned = _angle(labelled.direction, everything.direction)
    if turned is not None:
        cells.append((f"{turned:.2g}", "°", t("between the two splits of the root")))
    show(strip(cells))
    lines = [*_lines(held), _chance(labelled, everything, held)]
    show(f'<ul class="lv-notes">{"".join(f"<li>{line}</li>" for line in lines)}</ul>')
    box = st.expander(t("As a table"), key="labels_table", on_change="rerun")
    if box.open:
        box.dataframe(_table(labelled, everything), hide_index=True)


def _way(selection: Selection) -> Way:
    tree = cache.fitted(selection, 0).estimator.tree_
    scored = latent_cache.held_out_scores(selection, 0)
    predicted = tree.predict(cache.division(selection).values)
    direction = latent_cache.view(selection, 0, 0).weights
    return Way(1 - scored.accuracy, tree.n_nodes, tree.n_leaves, predicted, direction)


def _angle(a: np.ndarray, b: np.ndarray) -> float | None:
    """Return the angle between two hyperplanes in degrees, None if one of them is missing."""
    if np.isnan(a).any() or np.isnan(b).any():
        return None
    cosine = abs(a @ b) / (np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.degrees(np.arccos(min(1.0, cosine))))


def _lines(held: np.ndarray) -> list[str]:
    learnt = len(cache.division(state.current()).train_rows)
    return [
        t(
            "The space needs no classes. With the switch in the sidebar it is found from all "
            "{all} rows instead of the {labelled} labelled ones; the splits still see labelled "
            "rows alone.",
            all=number(learnt + len(held)),
            labelled=number(learnt),
        ),
        t(
            "The model then depends on the {rows} held out, so it is for just these rows "
            "(transduction). Their classes are never used.",
            rows=plural(len(held), "{n} row", "{n} rows"),
        ),
    ]


def _chance(labelled: Way, everything: Way, held: np.ndarray) -> str:
    """Return whether the difference could be chance: the sign test on rows that change sides."""
    y = cache.division(state.current()).y[held]
    before, after = labelled.predicted[held] == y, everything.predicted[held] == y
    gained = int(np.count_nonzero(after & ~before))
    lost = int(np.count_nonzero(before & ~after))
    if gained + lost == 0:
        return t("On these rows held out it makes no difference.")
    p = float(binomtest(gained, gained + lost).pvalue)
    words = {"gained": number(gained), "lost": number(lost), "p": number(float(f"{p:.2g}"))}
    return t(
        "With all rows, {gained} of the rows held out become right and {lost} become wrong "
        "(sign test, p = {p}). This is one division; another seed gives another answer.",
        **words,
    )


def _table(labelled: Way, everything: Way) -> pd.DataFrame:
    ways = (labelled, everything)
    return pd.DataFrame(
        {
            t("space found from"): [t("labelled rows"), t("all rows")],
            t("held-out error, %"): [round(100 * way.error, 2) for way in ways],
            t("nodes"): [way.nodes for way in ways],
            t("leaves"): [way.leaves for way in ways],
        }
    )
