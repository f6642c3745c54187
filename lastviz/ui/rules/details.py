"""What stands below the rule tree: the path of the sample, the rows of a rule, the files."""

from __future__ import annotations

from functools import partial
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.export.html_report import Picture, Text, Words
from lastviz.inspection import STOPS, Condition, Explanation, NominalCondition, conditions
from lastviz.plots import flow_tree_plot, number
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.shared.exports import exports
from lastviz.ui.shared.figures import as_table, words
from lastviz.ui.shared.headline import class_sign, show
from lastviz.ui.shared.plane import plane_of
from lastviz.ui.shared.plane_view import band_words
from lastviz.ui.shared.report import Pictured, model_section, scene_report, summary_of
from lastviz.ui.state import session
from lastviz.ui.text import percent, plural, t

from .figures import ROWS_HEIGHT, rows_figure
from .headline import closed_note, part_note, rule_headline, who_decides
from .scene import RuleScene
from .words import part_words, rule_legend, shares_words, step_of, training_words

MOST_POINTS = 3000
PAGE, SMALL = 640, 260  # pixels: a picture that stands on one page, one that shows the whole


def sample_card(scene: RuleScene) -> None:
    """Draw what each node asked of the sample, its value, its answer, and where it ends."""
    shares = shares_words(scene.sample.path.shares, scene.class_names)
    note = f"<p>{t('Class supports of the sample: {shares}.', shares=shares)}</p>"
    show(path_table(scene, scene.sample.path, t("The path of the sample"), note))


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
    was = {} if before is None else _branches(before)
    rows = []
    for node, weight, value, branch in zip(
        path.node.tolist(),
        path.weight.tolist(),
        path.value.tolist(),
        path.branch.tolist(),
        strict=True,
    ):
        weighed = f"<td>{percent(weight)} %</td>" if parts else ""
        if branch == STOPS:
            cells = f'<th>{_end(scene, node)}</th><td colspan="2">{_held(scene, node)}</td>'
        else:
            step = step_of(tree, node, value, branch)
            answer = step.answer
            if was.get(node, branch) != branch:
                answer = f"<b>{t('{answer}, other than before', answer=answer)}</b>"
            cells = f"<th>{step.question}</th><td><b>{step.value}</b></td><td>{answer}</td>"
        rows.append(f"<tr>{weighed}{cells}</tr>")
    titles = [t("test"), t("value"), t("answer")]
    head = "".join(f"<th>{each}</th>" for each in ([t("share")] if parts else []) + titles)
    return (
        f'<div class="lv-path" role="group" aria-label="{escape(title.lower())}">'
        f"<b>{title}</b><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>{note}</div>"
    )


def _branches(path: Explanation) -> dict[int, int]:
    return dict(zip(path.node.tolist(), path.branch.tolist(), strict=True))


def _end(scene: RuleScene, node: int) -> str:
    label = scene.tree.prediction[node]
    sign = class_sign(label, scene.theme)
    name = f"{sign} {escape(scene.class_names[label])}"
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


def rule_rows(scene: RuleScene) -> None:
    """Draw the rows of the picked node, or of the sample's rule, among all others."""
    node = scene.node if scene.node is not None else scene.sample.path.main_end
    inside = np.isin(scene.found.stops, scene.tree.subtree(node))
    if not inside.any():
        st.caption(t("No row of the data reaches this node."))
        return
    plane = plane_of(scene.selection.change(axes=_axes(scene, node)), alone=True)
    drawn = _drawn(inside, scene)
    figure = rows_figure(
        plane,
        scene.division,
        scene.theme,
        drawn=drawn,
        inside=inside,
        wrong=(scene.found.predicted != scene.division.y) & inside,
        highlighted=scene.sample.row if scene.sample is not None else None,
        class_names=scene.class_names,
    )
    st.markdown(f"**{_title(scene, node, int(inside.sum()))}**")
    x, y = (plane.names[feature] for feature in plane.features)
    chart(
        figure,
        key="rule_rows",
        height=ROWS_HEIGHT,
        alt=t("The rows of the rule in colour, all others grey, in {x} and {y}.", x=x, y=y),
        on_click=_clicked,
        filename="rule-rows",
    )
    bands = band_words(plane)
    if bands:
        st.caption(bands)
    if len(drawn) < len(inside):
        shown, rows = number(len(drawn)), number(len(inside))
        st.caption(t("{shown} of {rows} rows", shown=shown, rows=rows))
    as_table("rule_rows", partial(_rows_table, scene, inside))


def _rows_table(scene: RuleScene, inside: np.ndarray) -> pd.DataFrame:
    """Return the rows of the node with their classes."""
    rows, names = np.flatnonzero(inside), np.array(scene.class_names, dtype=object)
    division, found = scene.division, scene.found
    kept = np.isin(rows, division.held_out_rows)
    values = division.X.iloc[rows].reset_index(drop=True)
    about = {
        t("row"): rows + 1,
        t("true class"): names[division.y[rows]],
        t("predicted class"): names[found.predicted[rows]],
        t("part"): np.where(kept, t("held out"), t("training")),
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


def _clicked(click: dict) -> None:
    """Choose the clicked row as the sample."""
    if click.get("row") is not None:
        session.pick_row(int(click["row"]) - 1)


def tree_exports(scene: RuleScene) -> None:
    """Draw the downloads of the shown tree; of a forest, all its trees judge the rows held out."""
    loaded, selection = cache.data(scene.selection), scene.selection
    name = f"{selection.data}-{selection.models[0].key}"
    counts = scene.found.held_out_counts
    exports(scene.tree, name, loaded, scene.division, scene.model, counts)


def tree_alt(scene: RuleScene) -> str:
    """Return what the picture of the tree shows, for those who do not see it."""
    sentence = (
        t(
            "The tree of {title} as nodes and links from left to right, {n}, with {rows}: features "
            "at the nodes, answers on the links, classes at the leaves."
        )
        if scene.selection.rules.drawing == "node-link"
        else t(
            "The tree of {title} as a flow of rows from left to right, {n}; beside each the "
            "support, the class supports, the confidence and the coverage on {rows}."
        )
    )
    return sentence.format(
        title=scene.title,
        rows=part_words(scene.poured.part, len(scene.poured.y)),
        n=plural(len(scene.found.rules), "{n} rule", "{n} rules"),
    )


def tree_notes(scene: RuleScene) -> list[str]:
    """Return which rows the tree holds and what of it is not drawn."""
    return [note for note in (part_note(scene), closed_note(scene)) if note]


def legend_of(scene: RuleScene) -> str:
    """Return the legend of the drawn tree."""
    part, sample = scene.poured.part, scene.sample is not None
    shown, names = scene.poured.tree, scene.class_names
    return rule_legend(shown, names, scene.theme, sample=sample, part=part)


def rule_slide(scene: RuleScene) -> list[Words | Picture | Text]:
    """Return what a slide shows of a scene: the numbers, the tree with its rules."""
    about = [*tree_notes(scene), *filter(None, (who_decides(scene), scene.problem))]
    picture = Picture(scene.figure, tree_alt(scene), "", fixed=True)
    return [Words(legend_of(scene)), Words(rule_headline(scene)), picture, *map(Text, about)]


def rule_report(scene: RuleScene, question: str, address: str | None) -> str:
    """Return the report of a scene that was worked out in the light theme."""
    marks = legend_of(scene)
    caption = t("The tree as a flow of rows, with its rules.")
    picture = Picture(scene.figure, tree_alt(scene), caption)
    pictured = Pictured(picture, marks, tree_notes(scene))
    first, more = pictured, []
    if scene.figure.height > PAGE:
        whole = flow_tree_plot(
            scene.tree,
            theme=scene.theme,
            height=SMALL,
            width_hint=900,
            class_names=scene.class_names,
            words=words(),
        )
        alt = t("The tree of {title} as a flow of rows from left to right.", title=scene.title)
        first, more = Pictured(Picture(whole, alt, ""), marks), [pictured]
    notes = [note for note in (who_decides(scene), scene.problem) if note]
    section = model_section(scene.selection, 0, scene.view, more, notes)
    summary = summary_of(scene.selection, 0, scene.view, first)
    about = {"address": address, "caveats": (), "summary": summary}
    return scene_report(scene.selection, question, [section], **about)
