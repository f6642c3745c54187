"""Surroundings of the rule tree: its numbers and notes, the picked node, the sample's path."""

from __future__ import annotations

from functools import partial
from html import escape

import numpy as np
import pandas as pd

from lastviz.datasets.column_roles import SENSITIVE
from lastviz.export.blocks import Columns, Heading, Text, Words
from lastviz.inspection import STOPS, Condition, Explanation, NominalCondition, conditions
from lastviz.plots import THEMES, Drawing, Points, cut_plane_plot, number
from lastviz.ui.shared.blocks import Block, Chart, NumbersTable
from lastviz.ui.shared.figures import Plane, band_words, plane_of, words
from lastviz.ui.shared.headline import (
    cell_html,
    class_items,
    count_cell,
    judged_cell,
    legend_of,
    priced_cells,
    sign,
)
from lastviz.ui.shared.held_out import held_words
from lastviz.ui.shared.model_view import envelope_words
from lastviz.ui.shared.node_card import node_card
from lastviz.ui.state import session
from lastviz.ui.text import join_names, paragraph, percent, plural, t

from .scene import RuleScene
from .words import part_words, shares_words, small_table, step_of, training_words


def rule_legend(scene: RuleScene) -> str:
    """Legend of the drawn tree."""
    tree, items = scene.poured.tree, class_items(scene.class_names, scene.theme)
    if scene.sample is not None:
        line = sign('<path d="M0 8h16"/>', line=THEMES[scene.theme].ink, width=3)
        items.append(f"{line} {t('path of the sample')}")
    if (tree.n_children == 2).any():
        items.append(t("upper branch: yes, lower branch: no"))
    rows = part_words(scene.poured.part, float(tree.weighted_n_node_samples[0]))
    items.append(t("numbers beside the rules: of {rows}", rows=rows))
    return legend_of(items)


def tree_alt(scene: RuleScene) -> str:
    """Alternative text of the picture of the tree."""
    return t(
        "The tree of {title} from left to right, {n}, with {rows}: tests at the nodes, classes at "
        "the leaves.",
        title=scene.title,
        rows=part_words(scene.poured.part, len(scene.poured.y)),
        n=plural(len(scene.found.rules), "{n} rule", "{n} rules"),
    )


def tree_notes(scene: RuleScene) -> list[str]:
    """Notes on the rows in the tree and on its omitted parts."""
    return [note for note in (part_note(scene), closed_note(scene)) if note]


def about_tree(scene: RuleScene) -> str:
    """Notes on the decider of a row, on sensitive columns and on the rows held out."""
    rows, names = held_words(scene.work), scene.work.first.tested_with(SENSITIVE)
    sensitive = plural(
        len(names),
        "The tree splits on {names}, a sensitive column.",
        "The tree splits on {names}, sensitive columns.",
        names=join_names(names),
    )
    held = t("Held out: {rows}.", rows=rows) if rows else ""
    return paragraph(filter(None, [who_decides(scene), sensitive if names else "", held]))


def who_decides(scene: RuleScene) -> str:
    """Note on the decider of a row besides the shown tree, "" if there is none."""
    if len(scene.trees) > 1:
        return t(
            "Errors and rules of tree {n} of {all}, supports on the rows that it was grown on. The "
            "forest itself decides by the votes of all trees.",
            n=number(scene.place + 1),
            all=number(len(scene.trees)),
        )
    grown, given = scene.tree.n_node_samples[0], len(scene.division.train_rows)
    if grown < given:
        return t(
            "The tree was grown on {n} of the {all} training rows, and pruned by the others: "
            "supports are those of the rows that it was grown on.",
            n=number(int(grown)),
            all=number(given),
        )
    return envelope_words(scene.estimator)


def part_note(scene: RuleScene) -> str:
    """Note on the rows of the picture, "" if they are those that grew the tree."""
    if scene.poured.part == "training":
        return ""
    return t(
        "Drawn with the {rows}: widths and numbers are theirs, tests and classes the tree's.",
        rows=part_words(scene.poured.part, len(scene.poured.y)),
    )


def closed_note(scene: RuleScene) -> str:
    """Note on omitted nodes and texts and on how to see them, "" if there are none."""
    layout, sentences = scene.layout, []
    if layout.n_leaves < len(scene.found.rules):
        sentences.append(
            t(
                "{whole} of {all} rules are drawn individually, closed nodes (+) hold the others.",
                whole=number(sum(map(scene.tree.is_leaf, layout.node[layout.leaf].tolist()))),
                all=number(len(scene.found.rules)),
            )
        )
    if layout.hidden_leaves:
        closed = t(
            "Nodes with fewer than {rows} rows are closed: click one to open it, or move the "
            "slider.",
            rows=number(float(layout.least_rows)),
        )
        sentences.append(closed)
    return paragraph(sentences)


def rule_headline(scene: RuleScene) -> str:
    """Numbers of the tree."""
    found = scene.found
    part, label = found.held_out, t("held-out error")
    if not part:
        part, label = found.training, t("training error")
    about = {"is_new": part is found.held_out, "errors": True}
    n_nodes, unit, nodes = count_cell(scene.tree.n_nodes, "node", "nodes")
    rules = plural(len(found.rules), "{n} rule", "{n} rules")
    cells = [
        cell_html(*judged_cell(part, label, found.training, **about)),
        *(cell_html(*cell) for cell in priced_cells(scene.view)),
        cell_html(n_nodes, unit, t(", ").join((nodes, rules))),
        cell_html(number(scene.tree.max_depth), "", t("depth")),
    ]
    return f'<div class="lv-strip">{"".join(cells)}</div>'


def by_words(scene: RuleScene) -> str:
    """Rule that decided, or the number of rules that did."""
    first, *others = scene.sample.path.ends.tolist()
    if others:
        return t("by {n} rules in parts", n=number(1 + len(others)))
    if first not in scene.found.numbers:
        return t("stopped at node {n}", n=first)
    return t("by rule {n}", n=number(scene.found.numbers[first]))


# ---- Below the tree: the picked node, the path of the sample, the rows of a rule


MOST_POINTS = 3000
ROWS_HEIGHT = 320


def details(scene: RuleScene) -> list[Block]:
    """Card of the picked node, the sample's tests and the rows of the rule."""
    left: list[Block] = []
    if scene.node is not None:
        card = node_card(scene.view, scene.class_names, scene.theme, folded=True)
        title = t("Node {n}", n=scene.node)
        if scene.node in scene.found.numbers:
            title = t("Rule {n}", n=scene.found.numbers[scene.node])
        left += [Heading(title), Words(card)]
    if scene.sample is not None:
        shares = shares_words(scene.sample.path.shares, scene.class_names)
        note = f"<p>{t('Class supports of the sample: {shares}.', shares=shares)}</p>"
        path = path_table(scene, scene.sample.path, t("The path of the sample"), note)
        left.append(Words(path))
    return [Columns([left, _rule_rows(scene)], (3, 2))] if left else []


# Where the path leaves the one `before`, the answer is bold and says so.
def path_table(
    scene: RuleScene,
    path: Explanation,
    title: str,
    note: str = "",
    before: Explanation | None = None,
) -> str:
    """Path through the tree as a table, as html."""
    tree, parts = scene.tree, len(path.ends) > 1
    was = {}
    if before is not None:
        was = dict(zip(before.node.tolist(), before.branch.tolist(), strict=True))
    rows = []
    columns = (each.tolist() for each in (path.node, path.weight, path.value, path.branch))
    for node, weight, value, branch in zip(*columns, strict=True):
        weighed = f"<td>{percent(weight)} %</td>" if parts else ""
        if branch == STOPS:
            cells = _end(scene, node)
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
    """End of a path: its class, its number of training rows and their confidence."""
    name = scene.signed(scene.tree.prediction[node])
    end = t("stops here: {name}", name=name)
    if node in scene.found.numbers:
        end = t("rule {n}: {name}", n=scene.found.numbers[node], name=name)
    held = t(
        "confidence {share} % on {rows}",
        rows=training_words(scene.found.supports.support[node]),
        share=percent(scene.found.supports.confidence[node]),
    )
    return f'<th>{end}</th><td colspan="2">{held}</td>'


def _rule_rows(scene: RuleScene) -> list[Block]:
    """Rows of the picked node, or of the sample's rule, among all others."""
    node = scene.node if scene.node is not None else scene.sample.path.main_end
    inside = np.isin(scene.found.stops, scene.tree.subtree(node))
    if not inside.any():
        return [Text(t("No row of the data reaches this node."))]
    plane = plane_of(scene.work.change(axes=_axes(scene, node)), alone=True)
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
    table = NumbersTable("rule_rows", t("As a table"), partial(_rows_table, scene, inside))
    title = t("All data: {rows} rows come here", rows=number(int(inside.sum())))
    return [Heading(title), chart, *map(Text, filter(None, notes)), table]


def _rows_figure(scene: RuleScene, plane: Plane, drawn: np.ndarray, inside: np.ndarray) -> Drawing:
    """Rows `drawn`, those `inside` the node in colour, all others grey."""
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
    """Rows of the node with their classes."""
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


def _axes(scene: RuleScene, node: int) -> tuple[str, str]:
    """Two features of the rule, the first tested ones; else those of the plane."""
    found = [
        c.feature
        for c in conditions(scene.tree, node)
        if isinstance(c, Condition | NominalCondition)
    ]
    plane = plane_of(scene.work, alone=True)
    found = [f for f in found if plane.fitting[f]]
    both = list(dict.fromkeys([*found[:2], *plane.features]))[:2]
    names = scene.division.X.columns
    return names[both[0]], names[both[-1]]


def _drawn(inside: np.ndarray, scene: RuleScene) -> np.ndarray:
    """Rows that are drawn: those inside first, the sample always."""
    n = len(inside)
    if n <= MOST_POINTS:
        return np.arange(n)
    mixed = np.random.default_rng(0).permutation(n)
    mine = mixed[inside[mixed]][:MOST_POINTS]
    others = mixed[~inside[mixed]][: MOST_POINTS - len(mine)]
    row = scene.sample.row if scene.sample is not None else None
    return np.union1d(np.r_[mine, others], [] if row is None else [row]).astype(np.intp)
