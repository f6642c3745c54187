"""What stands below the rule tree: the picked node, the path of the sample, the rows of a rule."""

from __future__ import annotations

from functools import partial
from html import escape

import numpy as np
import pandas as pd

from lastviz.export.html_report import Heading, Text, Words
from lastviz.export.slide_show import Columns
from lastviz.inspection import STOPS, Condition, Explanation, NominalCondition, conditions
from lastviz.plots import Drawing, Points, cut_plane_plot, number
from lastviz.ui.shared.blocks import Block, Chart, Numbers
from lastviz.ui.shared.figures import Plane, band_words, plane_of, words
from lastviz.ui.shared.node_card import node_card
from lastviz.ui.state import session
from lastviz.ui.text import percent, t

from .scene import RuleScene
from .words import shares_words, small_table, step_of, training_words

MOST_POINTS = 3000
ROWS_HEIGHT = 320


def details(scene: RuleScene) -> list[Block]:
    """Return the card of the picked node, the sample's tests and the rows of the rule."""
    left: list[Block] = []
    if scene.node is not None:
        card = node_card(scene.view, scene.class_names, scene.theme, folded=True)
        left += [Heading(_node_title(scene)), Words(card)]
    if scene.sample is not None:
        left.append(Words(_sample_path(scene)))
    return [Columns([left, _rule_rows(scene)], (3, 2))] if left else []


def _node_title(scene: RuleScene) -> str:
    if scene.node in scene.found.numbers:
        return t("Rule {n}", n=scene.found.numbers[scene.node])
    return t("Node {n}", n=scene.node)


def _sample_path(scene: RuleScene) -> str:
    """Return what each node asked of the sample, its value, its answer, and where it ends."""
    shares = shares_words(scene.sample.path.shares, scene.class_names)
    note = f"<p>{t('Class supports of the sample: {shares}.', shares=shares)}</p>"
    return path_table(scene, scene.sample.path, t("The path of the sample"), note)


def path_table(
    scene: RuleScene,
    path: Explanation,
    title: str,
    note: str = "",
    before: Explanation | None = None,
) -> str:
    """Return a path through the tree as a table, as html.

    Where the path leaves the one `before`, the answer is bold and says so.
    """
    tree, parts = scene.tree, len(path.ends) > 1
    was = {}
    if before is not None:
        was = dict(zip(before.node.tolist(), before.branch.tolist(), strict=True))
    rows = []
    columns = (each.tolist() for each in (path.node, path.weight, path.value, path.branch))
    for node, weight, value, branch in zip(*columns, strict=True):
        weighed = f"<td>{percent(weight)} %</td>" if parts else ""
        if branch == STOPS:
            cells = f'<th>{_end(scene, node)}</th><td colspan="2">{_held(scene, node)}</td>'
        else:
            step = step_of(tree, node, value, branch)
            answer = step.answer
            if was.get(node, branch) != branch:
                answer = f"<b>{t('{answer}, other than before', answer=answer)}</b>"
            cells = f"<th>{step.question}</th><td><b>{step.value}</b></td><td>{answer}</td>"
        rows.append(weighed + cells)
    titles = [*([t("share")] if parts else []), t("test"), t("value"), t("answer")]
    label = escape(title.lower())
    return small_table(label, titles, rows, before=f"<b>{title}</b>", after=note)


def _end(scene: RuleScene, node: int) -> str:
    name = scene.signed(scene.tree.prediction[node])
    if node in scene.found.numbers:
        return t("rule {n}: {name}", n=scene.found.numbers[node], name=name)
    return t("stops here: {name}", name=name)


def _held(scene: RuleScene, node: int) -> str:
    """Return how many training rows the end of the path holds, and how sure it is of them."""
    return t(
        "confidence {share} % on {rows}",
        rows=training_words(scene.found.supports.support[node]),
        share=percent(scene.found.supports.confidence[node]),
    )


def _rule_rows(scene: RuleScene) -> list[Block]:
    """Return the rows of the picked node, or of the sample's rule, among all others."""
    node = scene.node if scene.node is not None else scene.sample.path.main_end
    inside = np.isin(scene.found.stops, scene.tree.subtree(node))
    if not inside.any():
        return [Text(t("No row of the data reaches this node."))]
    plane = plane_of(scene.selection.change(axes=_axes(scene, node)), alone=True)
    drawn = _drawn(inside, scene)
    x, y = (plane.names[feature] for feature in plane.features)
    notes = [band_words(plane)]
    if len(drawn) < len(inside):
        shown, rows = number(len(drawn)), number(len(inside))
        notes.append(t("{shown} of {rows} rows", shown=shown, rows=rows))
    chart = Chart(
        _rows_figure(scene, plane, drawn, inside),
        t("The rows of the rule in colour, all others grey, in {x} and {y}.", x=x, y=y),
        key="rule_rows",
        on_click=session.click_row,
        filename="rule-rows",
    )
    table = Numbers("rule_rows", t("As a table"), partial(_rows_table, scene, inside))
    title = _title(scene, node, int(inside.sum()))
    return [Heading(title), chart, *map(Text, filter(None, notes)), table]


def _rows_figure(scene: RuleScene, plane: Plane, drawn: np.ndarray, inside: np.ndarray) -> Drawing:
    """Return the rows `drawn`, those `inside` the node in colour, all others grey."""
    x, y = plane.across.places, plane.upward.places
    division, found = scene.division, scene.found
    held_out = np.zeros(len(x), dtype=bool)
    held_out[division.held_out_rows] = True
    wrong = (found.predicted != division.y) & inside
    parts = (x, y, division.y, held_out, wrong, np.arange(1, len(x) + 1))
    row = scene.sample.row if scene.sample is not None else None
    return cut_plane_plot(
        Points(*(part[drawn] for part in parts), texts=plane.texts(drawn)),
        inside[drawn],
        np.empty((0, 2)),
        theme=scene.theme,
        names=plane.titles,
        class_names=scene.class_names,
        highlighted=None if row is None else int(np.flatnonzero(drawn == row)[0]),
        height=ROWS_HEIGHT,
        view=plane.view,
        words=words(),
        bands=plane.bands,
    )


def _rows_table(scene: RuleScene, inside: np.ndarray) -> pd.DataFrame:
    """Return the rows of the node with their classes."""
    rows, names = np.flatnonzero(inside), np.array(scene.class_names, dtype=object)
    division, found = scene.division, scene.found
    is_held_out = np.isin(rows, division.held_out_rows)
    values = division.X.iloc[rows].reset_index(drop=True)
    about = {
        t("row"): rows + 1,
        t("true class"): names[division.y[rows]],
        t("predicted class"): names[found.predicted[rows]],
        t("part"): np.where(is_held_out, t("held out"), t("training")),
    }
    about = {f"({name})" if name in values else name: column for name, column in about.items()}
    return pd.concat([pd.DataFrame(about), values], axis=1)


def _title(scene: RuleScene, node: int, n_rows: int) -> str:
    about = {"rows": number(n_rows), "n": scene.found.numbers.get(node, node)}
    if node in scene.found.numbers:
        return t("All data: {rows} rows meet rule {n}", **about)
    return t("All data: {rows} rows come to node {n}", **about)


def _axes(scene: RuleScene, node: int) -> tuple[str, str]:
    """Return two features of the rule, the first tested ones; else those of the plane."""
    found = [
        c.feature
        for c in conditions(scene.tree, node)
        if isinstance(c, Condition | NominalCondition)
    ]
    plane = plane_of(scene.selection, alone=True)
    found = [f for f in found if plane.fitting[f]]
    both = list(dict.fromkeys([*found[:2], *plane.features]))[:2]
    names = scene.division.X.columns
    return names[both[0]], names[both[-1]]


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
