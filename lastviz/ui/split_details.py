"""What stands below the split of the page *splits*, one thing at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.inspection import agreement, best_of_each_feature
from lastviz.plots import agreement_plot, number

from . import frame, state
from .components.chart_host import chart
from .split_formulas import formula_cards
from .split_growth import growth_compared, panels
from .split_known import known_criteria
from .split_scene import SplitScene
from .split_words import column_title
from .text import t
from .widgets import put, segments

__all__ = ["split_details"]

MOST_ROWS = 500
BEST = "best"


def split_details(scene: SplitScene) -> None:
    """Draw the choice of what to read, and what was chosen."""
    titles = {
        "ranking": t("Ranking"),
        "formulas": t("Formulas"),
        "agreement": t("Agreement"),
        "growth": t("Two trees"),
        "panels": t("Split by split"),
        "known": t("Known criteria"),
    }
    parts: dict[str, Callable[[], None]] = {
        "ranking": partial(ranking, scene),
        "formulas": partial(formula_cards, scene),
        "agreement": partial(criteria_agreement, scene),
        "growth": partial(growth_compared, scene),
        "panels": partial(panels, scene),
        "known": known_criteria,
    }
    parts[segments("lab", t("About the split"), titles)]()


def ranking(scene: SplitScene) -> None:
    """Draw the candidates with their scores and ranks; choosing a row picks it."""
    names = scene.tree.feature_names
    opened = state.current().opened
    opened = opened if opened is not None and opened < len(names) else None
    put("opened", BEST if opened is None else opened)
    st.selectbox(
        t("Candidates"),
        [BEST, *range(len(names))],
        key="opened",
        format_func=lambda f: t("the best of each feature") if f == BEST else names[f],
        on_change=_open,
        width=320,
    )
    shown, of_all = _listed(scene, opened)
    table = _table(scene, shown)
    st.dataframe(
        table,
        key=f"ranking.{opened}",
        hide_index=True,
        height=min(35 * len(table) + 40, 400),
        on_select=partial(_pick_row, f"ranking.{opened}", shown),
        selection_mode="single-row",
        column_config={"mark": st.column_config.TextColumn("", width="small")},
    )
    notes = [t("Click a head to sort, a row to pick it. Rank 1 is best, for every criterion.")]
    if of_all > len(shown):
        notes.append(
            t(
                "The best {n} of {all} by the rule's score.",
                n=number(len(shown)),
                all=number(of_all),
            )
        )
    st.caption(" ".join(notes))
    st.download_button(
        t("All {n} candidates as CSV", n=number(scene.n_candidates)),
        partial(_csv, scene),
        file_name="candidates.csv",
        mime="text/csv",
        on_click="ignore",
    )


def _open() -> None:
    value = st.session_state["opened"]
    state.select(opened=None if value == BEST else int(value))


def _pick_row(key: str, shown: np.ndarray) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    state.select(pick=int(shown[rows[0]]) if rows else None)


def _listed(scene: SplitScene, opened: int | None) -> tuple[np.ndarray, int]:
    """Return the candidates of the table, best first, and of how many they are the best."""
    first = "stage" if "stage" in scene.columns else (scene.read or ("gini",))[0]
    rank = scene.rank(first)
    if opened is None:
        found = best_of_each_feature(scene.table, list(scene.favourites)).candidate
        best = set(found[found >= 0].tolist())
        marked = {i for i in (scene.chosen, scene.picked, scene.favourite) if i is not None}
        which = np.array(sorted(best | marked), dtype=np.intp)
    else:
        which = scene.candidates().of(opened)
    order = which[np.lexsort((which, np.where(rank[which] > 0, rank[which], np.iinfo(int).max)))]
    return order[:MOST_ROWS], len(order)


def _table(scene: SplitScene, which: np.ndarray) -> pd.DataFrame:
    """Return candidates as rows: test, children, score and rank by each criterion."""
    table = scene.table
    left = table.left_counts[which].sum(axis=1)
    names = np.array(scene.tree.feature_names, dtype=object)
    columns: dict[str, object] = {
        "mark": [_mark(scene, int(i)) for i in which],
        t("feature"): names[table.feature[which]],
        t("threshold"): table.threshold[which],
        t("yes"): left,
        t("no"): len(scene.rows) - left,
    }
    for name, values in scene.columns.items():
        title = column_title(name)
        rank = scene.rank(name)[which]
        columns[title] = np.where(np.isfinite(values[which]), values[which], np.nan)
        columns[t("{criterion}, rank", criterion=title)] = pd.array(
            np.where(rank > 0, rank, 0), dtype="Int64"
        )
        columns[t("{criterion}, rank", criterion=title)][rank == 0] = pd.NA
    return pd.DataFrame(columns)


def _mark(scene: SplitScene, candidate: int) -> str:
    if candidate == scene.chosen:
        return t("chosen")
    if candidate == scene.picked:
        return t("picked")
    if candidate == scene.favourite:
        return t("this rule")
    kept = scene.survivors[0] if len(scene.survivors) > 1 else ()
    return t("survivor") if candidate in kept else ""


def _csv(scene: SplitScene) -> bytes:
    everything = np.arange(scene.n_candidates)
    return _table(scene, everything).to_csv(index=False).encode()


def criteria_agreement(scene: SplitScene) -> None:
    """Draw how far the criteria rank the candidates alike, and where two of them part."""
    found = agreement(scene.table)
    left, right = st.columns([3, 2], gap="large")
    titles = [column_title(name) for name in found.columns]
    with left:
        figure = agreement_plot(titles, found.tau, theme=frame.theme(), name="Kendall's tau")
        chart(
            figure,
            key="agreement",
            height=figure.layout.height,
            alt=t("Kendall's rank correlation between criteria"),
            filename="agreement",
        )
    with right:
        st.markdown(f"**{t('Do the criteria agree?')}**")
        st.caption(
            t(
                "Kendall's tau between two rankings of the candidates: 1 the same order, 0 no "
                "relation, −1 the opposite order. Small is good counts as large is good. "
                "Computed on {n} of {all} candidates.",
                n=number(found.n_candidates),
                all=number(found.n_all),
            )
        )
        for line in _partings(scene, found):
            st.markdown(f"- {line}")
    with st.expander(t("As a table")):
        st.dataframe(pd.DataFrame(found.tau, index=titles, columns=titles).round(3))


def _partings(scene: SplitScene, found: object) -> list[str]:
    """Say which pairs agree most and least, and what each of the latter would take."""
    n = len(found.columns)
    pairs = [
        (found.tau[i, j], i, j) for i in range(n) for j in range(i) if not np.isnan(found.tau[i, j])
    ]
    if not pairs:
        return [t("There are too few candidates here to compare rankings.")]
    lines = []
    for (tau, i, j), word in ((max(pairs), t("most alike")), (min(pairs), t("least alike"))):
        a, b = (column_title(found.columns[k]) for k in (i, j))
        lines.append(f"{word}: **{a}** · **{b}**, {number(float(tau))}")
    best = scene.favourites
    taken: dict[int, list[str]] = {}
    for name, candidate in best.items():
        taken.setdefault(candidate, []).append(column_title(name))
    for candidate, names in taken.items():
        feature = scene.tree.feature_names[scene.table.feature[candidate]]
        threshold = number(float(scene.table.threshold[candidate]))
        lines.append(t("{names}: {test}", names=", ".join(names), test=f"{feature} ≤ {threshold}"))
    return lines
