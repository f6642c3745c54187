"""Numbers on the page *boundaries*: steps over one feature, a heat map over two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from html import escape

import numpy as np
import pandas as pd

from lastviz._sentences import Statement
from lastviz.estimators import is_imported
from lastviz.export.blocks import Text, Words
from lastviz.inspection import response_steps, tree_regions
from lastviz.plots import (
    THEMES,
    Drawing,
    ThemeName,
    number,
    regression_plane_plot,
    regression_plot,
    rule_words,
    surroundings,
)
from lastviz.splitters.edits import along
from lastviz.ui.compute.work import Work, current
from lastviz.ui.shared.blocks import Block, Chart, Controls, NumbersTable
from lastviz.ui.shared.edits import make, tell
from lastviz.ui.shared.exports import exports
from lastviz.ui.shared.headline import (
    Say,
    count_cell,
    legend_of,
    model_heading,
    sign,
    time_words,
)
from lastviz.ui.shared.model_view import model_notes
from lastviz.ui.shared.page_file import finding_in
from lastviz.ui.shared.report import Pictured, number_section, scene_report, table_of
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, paragraph, plural, t

from .regression_view import NumberView, applies, number_view

__all__ = ["NumberScene", "applies", "number_blocks", "number_report", "number_scene"]

HEIGHT = 480
HOVERS = 1500  # boxes with a text of their own


@dataclass(frozen=True, eq=False)
class NumberScene:
    """Scene of the page for regression."""

    work: Work
    theme: ThemeName
    view: NumberView
    figure: Drawing


def number_scene(work: Work, theme: ThemeName) -> NumberScene:
    """Scene of a selection, for regression.

    Raises
    ------
    CannotShow, Working
        As :func:`.regression_view.number_view`.
    """
    view = number_view(work)
    figure = (_steps if view.is_steps else _plane)(view, theme)
    whose = work.selection.upload.digest if work.selection.upload else work.selection.data
    figure.about(f"{whose}|{view.features}|{work.selection.scaling}")
    return NumberScene(work, theme, view, figure)


def number_blocks(scene: NumberScene) -> list[Block]:
    """Headline, the picture and its rows."""
    view, name = scene.view, f"{scene.work.selection.data}-{scene.work.first.entry.key}"
    model = view.tree, name, scene.work.data, view.division, view.estimator
    return [
        *_finding(view),
        Words(_legend(view, scene.theme)),
        Words(model_heading(view.title, _cells(view))),
        _chart(scene),
        *map(
            Text,
            [time_words(view), *model_notes(scene.work.first), *_notes(view, scene.work.selection)],
        ),
        NumbersTable("numbers", t("The rows drawn, as a table"), partial(_rows_table, view)),
        Controls(partial(exports, *model)),
    ]


def _finding(view: NumberView) -> list[Say]:
    """Sentence of the page: the error of the tree, and of one number for all."""
    y, train, held = view.division.y, view.division.train_rows, view.division.held_out_rows
    rows, part = (held, view.held_out) if len(held) else (train, view.training)
    mean = float(y[train].mean())
    found = Statement(
        "**The root mean square error of {model} is {value:rounded} on {n} {rows}**; always "
        "predicting the mean, {mean:rounded}: {base:rounded}.",
        model=view.title,
        value=part.rmse,
        n=len(rows),
        rows=Statement("held-out rows" if len(held) else "training rows"),
        mean=mean,
        base=float(np.sqrt(np.mean((y[rows] - mean) ** 2))),
    )
    return [Say(found)]


def _chart(scene: NumberScene) -> Chart:
    is_own, view = is_imported(scene.work.first.chosen.key), scene.view
    return Chart(
        scene.figure,
        t(
            "{title}: {target} over {features}; the tree has {leaves} leaves.",
            title=view.title,
            target=view.target,
            features=t(", ").join(dict.fromkeys(view.names[f] for f in view.features)),
            leaves=number(view.tree.n_leaves),
        ),
        key="numbers",
        on_click=_picked,
        on_line=None if is_own else partial(_split_along, scene),
        filename="numbers",
        note=paragraph(_notes(view, scene.work.selection)),
    )


def _picked(click: dict) -> None:
    """Pick the node of the box that was clicked; once more, and none is."""
    node = click.get("node")
    if node is not None:
        model = current().first
        session.select_model(model.place, node=None if model.chosen.node == node else int(node))


def _split_along(scene: NumberScene, line: dict) -> None:
    """Split the picked node, else the root, along a line that was drawn."""
    work, view = scene.work, scene.view
    try:
        edit = along(line, view.features, work.first.node(view.node).path)
    except CannotShow as reason:
        tell(str(reason))
        return
    make(work.first, edit)


def _rows_table(view: NumberView) -> pd.DataFrame:
    """Table of the drawn rows, with the tree's predictions."""
    values, rows = view.division.values, view.rows
    columns = {t("row"): rows + 1}
    columns |= {view.names[f]: values[rows, f] for f in dict.fromkeys(view.features)}
    columns[view.target] = view.division.y[rows]
    columns[t("predicted")] = view.tree.prediction[view.tree.apply(values[rows])]
    columns[t("part")] = np.where(view.is_held_out, t("held out"), t("training"))
    return pd.DataFrame(columns)


def _steps(view: NumberView, theme: ThemeName) -> Drawing:
    feature, rows = view.features[0], view.rows
    low, high = view.view[:2]
    return regression_plot(
        response_steps(view.tree, feature, low, high, view.at),
        view.division.values[rows, feature],
        view.division.y[rows],
        theme=theme,
        names=(view.names[feature], view.target),
        units=(view.units[feature], ""),
        held_out=view.is_held_out,
        height=HEIGHT,
    )


def _plane(view: NumberView, theme: ThemeName) -> Drawing:
    across, up = view.features
    rows, values = view.rows, view.division.values
    regions = tree_regions(view.tree, surroundings(view.view), view.features, view.at)
    nodes = regions.node[regions.visible()][:HOVERS].tolist()
    return regression_plane_plot(
        regions,
        view.tree.prediction,
        np.column_stack([values[rows, across], values[rows, up], view.division.y[rows]]),
        theme=theme,
        target=view.target,
        held_out=view.is_held_out,
        view=view.view,
        units=(view.units[across], view.units[up]),
        hover={node: _hover(view, node) for node in nodes},
        height=HEIGHT,
    )


def _hover(view: NumberView, node: int) -> str:
    """Hover text of a box: its prediction, its rows, its rule."""
    rows = plural(int(view.tree.n_node_samples[node]), "{n} row", "{n} rows")
    lines = [f"<b>{escape(view.target)} = {number(float(view.tree.prediction[node]))}</b>", rows]
    rule = rule_words(view.tree, node, joint=f"<br>{t('and')} ")
    return "<br>".join([*lines, rule] if rule else lines)


def _legend(view: NumberView, name: ThemeName) -> str:
    theme = THEMES[name]
    dot = '<circle cx="8" cy="8" r="5.5"/>'
    if view.is_steps:
        step = sign('<path d="M0 8h16"/>', line=theme.ink, width=3.5)
        filled = sign(dot, fill=theme.grey5)
        other = sign(dot, line=theme.grey5, width=2)
        items = [f"{step} {t('prediction')}"]
    else:
        diamond = '<path d="M8 1.5 14.5 8 8 14.5 1.5 8z"/>'
        filled = sign(dot, fill=theme.grey5, line=theme.paper, width=1.5)
        other = sign(diamond, fill=theme.grey5, line=theme.paper, width=1.5)
        items = [t("the darker an area, the larger its prediction; rows in their own shade")]
        if theme.name == "dark":
            items = [t("the lighter an area, the larger its prediction; rows in their own shade")]
    items.append(f"{filled} {t('training')}")
    if view.held_out.n_samples:
        items.append(f"{other} {t('held out')}")
    return legend_of(items)


def _cells(view: NumberView) -> list[tuple[str, str, str]]:
    cells = []
    for part, name in ((view.held_out, t("held out")), (view.training, t("training"))):
        if part.n_samples:
            rmse, r2 = t("RMSE, {part}", part=name), t("R², {part}", part=name)
            value = "–" if np.isnan(part.r2) else f"{part.r2:.3f}".replace("-", "−")
            cells += [(number(part.rmse), "", rmse), (value, "", r2)]
    tree = view.tree
    return [
        *cells,
        count_cell(tree.n_nodes, "node", "nodes"),
        count_cell(tree.n_leaves, "leaf", "leaves"),
        (number(tree.max_depth), "", t("depth")),
    ]


def _notes(view: NumberView, selection: Selection) -> list[str]:
    """Sentences about everything that the picture leaves out or holds fixed."""
    sentences = []
    if view.is_slice:
        at = selection.view.at
        where = t("at their medians") if at is None else t("as in row {n}", n=at + 1)
        sentences.append(t("An exact slice: the other features are fixed {where}.", where=where))
    shown, rows = len(view.rows), len(view.division.y)
    if shown < rows:
        sentence = "{shown} of {rows} rows are drawn; all numbers count all rows."
        sentences.append(t(sentence, shown=number(shown), rows=number(rows)))
    return sentences


def number_report(work: Work, theme: ThemeName, question: str, address: str | None) -> str:
    """Report of the page for regression."""
    scene = number_scene(work, theme)
    view = scene.view
    low, high = view.held_out.rmse_interval()
    interval = t("{low} to {high}", low=number(low), high=number(high))
    cells = _cells(view)
    if not np.isnan(low):
        cells.append((interval, "", t("RMSE on new rows, 95 % interval")))
    pictured = [Pictured(_chart(scene), _legend(view, theme), _notes(view, work.selection))]
    section = number_section(view.title, cells, view.tree, view.target, pictured)
    return scene_report(
        work,
        question,
        [section],
        address=address,
        caveats=(),
        tables=[table_of(_rows_table(view), t("The rows drawn, as a table"))],
        finding=finding_in(_finding(view)),
    )
