"""What stands below the rule tree: the tests that the sample met, the rows of the picked rule."""

from __future__ import annotations

from html import escape

import numpy as np
import streamlit as st

from lastviz.inspection import STOPS, Condition, NominalCondition, conditions
from lastviz.plots import Points, cut_plane_plot, number
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.shared.figures import current_theme, words
from lastviz.ui.shared.headline import class_sign, show
from lastviz.ui.shared.plane import plane_of
from lastviz.ui.shared.plane_view import band_words
from lastviz.ui.state import session
from lastviz.ui.text import percent, t

from .scene import RuleScene
from .words import shares_words, step_of, training_words

__all__ = ["rule_rows", "sample_card"]

HEIGHT = 320
MOST_POINTS = 3000


def sample_card(scene: RuleScene) -> None:
    """Draw what each node asked of the sample, its value, its answer, and where it ends."""
    way, tree = scene.sample.way, scene.tree
    parts = len(way.ends) > 1
    rows = []
    for node, weight, value, branch in zip(
        way.node.tolist(), way.weight.tolist(), way.value.tolist(), way.branch.tolist(), strict=True
    ):
        weighed = f"<td>{percent(weight)} %</td>" if parts else ""
        if branch == STOPS:
            cells = f'<th>{_end(scene, node)}</th><td colspan="2">{_held(scene, node)}</td>'
        else:
            step = step_of(tree, node, value, branch)
            cells = f"<th>{step.question}</th><td><b>{step.value}</b></td><td>{step.answer}</td>"
        rows.append(f"<tr>{weighed}{cells}</tr>")
    titles = [t("test"), t("value"), t("answer")]
    head = "".join(f"<th>{title}</th>" for title in ([t("share")] if parts else []) + titles)
    shares = shares_words(way.shares, scene.class_names)
    note = f"<p>{t('Class supports of the sample: {shares}.', shares=shares)}</p>"
    show(
        f'<div class="lv-way" role="group" aria-label="{t("path of the sample")}">'
        f"<b>{t('The path of the sample')}</b><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>{note}</div>"
    )


def _end(scene: RuleScene, node: int) -> str:
    label = scene.tree.prediction[node]
    sign = class_sign(label, current_theme())
    name = f"{sign} {escape(scene.class_names[label])}"
    if node in scene.told.numbers:
        return t("rule {n}: {name}", n=scene.told.numbers[node], name=name)
    return t("stops here: {name}", name=name)


def _held(scene: RuleScene, node: int) -> str:
    """Return how many training rows the end of the path holds, and how sure it is of them."""
    return t(
        "confidence {share} % on {rows}",
        rows=training_words(scene.told.held.support[node]),
        share=percent(scene.told.held.confidence[node]),
    )


def rule_rows(scene: RuleScene) -> None:
    """Draw the rows of the picked node, or of the sample's rule, among all others."""
    node = scene.node if scene.node is not None else scene.sample.way.main_end
    division = cache.division(session.current())
    inside = np.isin(scene.told.stops, scene.tree.subtree(node))
    if not inside.any():
        st.caption(t("No row of the data comes here."))
        return
    first, second = _axes(scene, node)
    plane = plane_of(session.current().change(axes=_named(first, second)), alone=True)
    x, y = plane.across.places, plane.upward.places
    drawn = _drawn(inside, scene)
    held_out = np.zeros(len(x), dtype=bool)
    held_out[division.held_out_rows] = True
    wrong = (scene.told.predicted != division.y) & inside
    parts = (x, y, division.y, held_out, wrong, np.arange(1, len(x) + 1))
    names = (plane.names[first], "" if first == second else plane.names[second])
    sample = scene.sample.row if scene.sample is not None else None
    figure = cut_plane_plot(
        Points(*(part[drawn] for part in parts), said=plane.said(drawn)),
        inside[drawn],
        np.empty((0, 2)),
        theme=current_theme(),
        names=names,
        class_names=scene.class_names,
        lit=None if sample is None else int(np.flatnonzero(drawn == sample)[0]),
        height=HEIGHT,
        view=plane.view,
        words=words(),
        bands=plane.bands,
    )
    st.markdown(f"**{_title(scene, node, int(inside.sum()))}**")
    chart(
        figure,
        key="rule_rows",
        height=HEIGHT,
        alt=t("The rows of the rule in colour, all others grey, in {x} and {y}.",
              x=names[0], y=names[1] or names[0]),
        on_click=_clicked,
        filename="rule-rows",
    )  # fmt: skip
    said = band_words(plane)
    if said:
        st.caption(said)
    if len(drawn) < len(x):
        st.caption(t("{shown} of {rows} rows", shown=number(len(drawn)), rows=number(len(x))))


def _title(scene: RuleScene, node: int, n_rows: int) -> str:
    name = t("node {n}", n=node)
    if node in scene.told.numbers:
        name = t("rule {n}", n=scene.told.numbers[node])
    return t("All data: {n} rows meet {name}", n=number(n_rows), name=name)


def _axes(scene: RuleScene, node: int) -> tuple[int, int]:
    """Return two features of the rule, the last tested ones; else those of the plane."""
    found = [
        c.feature
        for c in conditions(scene.tree, node)
        if isinstance(c, Condition | NominalCondition)
    ]
    plane = plane_of(session.current(), alone=True)
    found = [f for f in found if plane.fitting[f]]
    both = list(dict.fromkeys([*found[:2], *plane.features]))[:2]
    return (both[0], both[-1])


def _named(first: int, second: int) -> tuple[str, str]:
    names = cache.division(session.current()).X.columns
    return names[first], names[second]


def _drawn(inside: np.ndarray, scene: RuleScene) -> np.ndarray:
    """Return the rows that are drawn: those inside first, the sample always."""
    n = len(inside)
    if n <= MOST_POINTS:
        return np.arange(n)
    mixed = np.random.default_rng(0).permutation(n)
    mine = mixed[inside[mixed]][:MOST_POINTS]
    others = mixed[~inside[mixed]][: MOST_POINTS - len(mine)]
    row = scene.sample.row if scene.sample is not None else None
    return np.union1d(np.r_[mine, others], [] if row is None else [row]).astype(np.intp)


def _clicked(click: dict) -> None:
    """Choose the clicked row as the sample."""
    if click.get("row") is not None:
        session.select(highlighted=int(click["row"]) - 1, typed="")
