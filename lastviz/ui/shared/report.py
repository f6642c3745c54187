"""A scene as one HTML page: the common content of all reports beside their page's pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

import numpy as np
import pandas as pd
from markupsafe import Markup

import lastviz
from lastviz._citation import in_words
from lastviz.export import FORMATS
from lastviz.export.blocks import Block, File, Heading, Picture, Section, Table, Text, Words
from lastviz.inspection import Scores, class_counts, conditions, rules, share_interval
from lastviz.plots import condition_words, rule_words
from lastviz.tree import Tree, decimals_of
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.text import number, percent, plural, t, translate

from .controls import size_words
from .edits import about_chance, saved_edits
from .exports import data_section, first_of, general_caveats, settings_section, write_tree
from .headline import Cell, cells_of, kept_for_pruning, strip
from .model_view import EnsembleView, ModelView, class_names_of
from .page_file import MOST_OF_REPORT, page_of

MOST_RULES, MOST_ROWS, MOST_CLASSES = 40, 500, 12
FIRST = 3  # numbers and rules of a summary


@dataclass(frozen=True, eq=False)
class Pictured:
    """Picture of a model, with its notes."""

    picture: Picture
    legend: str  # Html of the page's legend, "" where the picture needs none
    notes: Sequence[str] = ()  # what the picture leaves out
    more: Sequence[Block] = ()  # below it

    @property
    def blocks(self) -> list[Block]:
        """Legend, picture, notes and more."""
        head = [Words(self.legend)] if self.legend else []
        return [*head, self.picture, *map(Text, self.notes), *self.more]


def made_words() -> Markup:
    """Version and date of a report, and the citation of lastviz."""
    day = f"{datetime.now().astimezone():%Y-%m-%d}"
    made = t("Made with lastviz {version} on {day}.", version=lastviz.__version__, day=day)
    cite = Markup('{made} {words} <cite lang="en">{citation}</cite>')
    return cite.format(made=made, words=t("To cite lastviz:"), citation=in_words())


def scene_report(
    work: Work,
    question: str,
    sections: Sequence[Section],
    *,
    address: str | None,
    caveats: Sequence[str] = (),
    summary: Sequence[Block] = (),
    tables: Sequence[Table] = (),
    finding: str = "",
) -> str:
    """Report of a scene.

    Parameters
    ----------
    selection : Selection
    question : str
        Of the page.
    sections : sequence of Section
        One a model.
    address : str or None
        Of the scene in the app.
    caveats : sequence of str, optional
        What must be kept in mind about these pictures.
    summary : sequence of Block
        What stands on the first page, see :func:`summary_of`; the caveats follow it there.
    tables : sequence of Table
        What the pictures show, in numbers.
    finding : str
        The sentence that the page opens with: the title, if there is one.
    """
    loaded = work.data
    dataset = loaded.dataset
    about = [*loaded.notes, *caveats, *general_caveats(work)]
    lead = [t("{data}: {size}.", data=t(dataset.name), size=size_words(dataset)), made_words()]
    mind = [Text(sentence) for sentence in dict.fromkeys(about)]
    drawn = [each for each in sections if any(isinstance(b, Picture) for b in each.blocks)]
    made = saved_edits(work)
    if made:
        drawn = [Section(t("Edited by hand"), [*made, Text(about_chance())]), *drawn]
    rest = [
        data_section(dataset),
        *(each for each in sections if each not in drawn),
        *([Section(t("The pictures in numbers"), list(tables))] if tables else []),
        settings_section(work),
    ]
    # What stands before the fold is what people who decide print.
    rest[0] = replace(rest[0], fold=t("Data, model and settings in full"))
    if summary:
        first = Section(t("Summary"), [*summary, Heading(t("Keep in mind")), *mind])
        everything = [first, *drawn, *rest]
    else:
        everything = [*drawn, Section(t("Keep in mind"), mind), *rest]
    title = finding or t("{question} – {data}", question=question, data=t(dataset.name))
    lead = [question, *lead] if finding else lead
    return page_of(everything, title, MOST_OF_REPORT, lead=lead, link=address)


def summary_of(model: ModelWork, view: ModelView | EnsembleView, pictured: Pictured) -> list[Block]:
    """Model's first numbers, its picture and the rules that decide most rows."""
    blocks = [Words(strip(cells_of(view)[:FIRST])), *pictured.blocks]
    if isinstance(view, ModelView):
        names = class_names_of(model.dataset)
        table = _rule_table(view.tree, model.division, names, FIRST)
        blocks.append(table)
    return blocks


def model_section(
    model: ModelWork,
    view: ModelView | EnsembleView,
    pictured: Sequence[Pictured],
    notes: Sequence[str] = (),
) -> Section:
    """Section of a report on a classifier: numbers, pictures, rules."""
    division = model.division
    names = class_names_of(model.dataset)
    set_aside = kept_for_pruning(view.estimator, view.training.n_samples)
    cells = _rows_of([*cells_of(view), *set_aside])
    blocks: list[Block] = [Table(t("Numbers of the model"), [t("what"), t("value")], cells)]
    for picture in pictured:
        blocks += picture.blocks
    blocks += map(Text, notes)
    blocks += _confusions(view, names)
    if isinstance(view, ModelView):
        blocks += [Heading(t("Rules")), _rule_table(view.tree, division, names, MOST_RULES)]
        if len(view.leaves) > MOST_RULES:
            blocks.append(_all_rules(model, view))
    else:
        n = plural(len(view.trees), "one tree", "{n} trees")
        blocks.append(Text(t("{n} decide together; the page Rules shows each.", n=n)))
    return Section(view.title, blocks)


def number_section(
    title: str,
    cells: Sequence[Cell],
    tree: Tree,
    target: str,
    pictured: Sequence[Pictured],
) -> Section:
    """Section of a report on a regression tree."""
    rows = _rows_of(cells)
    leaves = np.flatnonzero(tree.n_children == 0)
    leaves = leaves[np.argsort(-tree.n_node_samples[leaves], kind="stable")]
    table = [
        [
            rule_words(tree, node, joint=_joint(), html=False) or t("all rows"),
            number(float(tree.prediction[node])),
            number(int(tree.n_node_samples[node])),
        ]
        for node in leaves[:MOST_RULES].tolist()
    ]
    blocks: list[Block] = [Table(t("Numbers of the model"), [t("what"), t("value")], rows)]
    for picture in pictured:
        blocks += picture.blocks
    columns = [t("if"), t("mean of {target}", target=target), t("training rows")]
    caption = first_of(t("The leaves, the largest first"), len(table), len(leaves))
    return Section(title, [*blocks, Heading(t("Rules")), Table(caption, columns, table)])


def _rows_of(cells: Sequence[Cell]) -> list[list[str]]:
    """Headline numbers as rows of a table."""
    return [
        [label, t("; ").join([f"{value} {unit}".strip(), *more])]
        for value, unit, label, *more in cells
    ]


def table_of(rows: pd.DataFrame, title: str) -> Table:
    """Table that a page shows as a folded one of a report, its first rows."""
    first = rows.head(MOST_ROWS)
    columns = [_cells(column) for _, column in first.items()]
    cells = [list(row) for row in zip(*columns, strict=True)]
    return Table(first_of(title, len(first), len(rows)), list(map(str, rows)), cells, folded=True)


def _cells(column: pd.Series) -> list[str]:
    """Values of a column in words, numbers with the digits that it needs."""
    numbers = [v for v in column if isinstance(v, int | float | np.number) and not pd.isna(v)]
    return [_cell(value, decimals_of(np.array(numbers))) for value in column]


def _cell(value: object, decimals: int) -> str:
    if isinstance(value, bool | np.bool_):
        return t("yes") if value else t("no")
    if isinstance(value, int | float | np.number):
        return "–" if pd.isna(value) else number(value, decimals)
    return "–" if value is None else str(value)


def _joint() -> str:
    return f" {t('and')} "


def _interval(n_right: int, n_samples: int) -> str:
    """Interval of a held-out share among new rows, in words."""
    low, high = share_interval(n_right, n_samples)
    return t("{low} to {high} %", low=percent(low), high=percent(high))


# ---------------------------------------------------------------- the model


def _confusions(view: ModelView | EnsembleView, names: Sequence[str]) -> list[Block]:
    """Confusion tables of the classes, on held-out rows if there are any."""
    if len(names) > MOST_CLASSES:
        return []
    return [
        _confusion(part, title, names, bounded=bounded)
        for part, title, bounded in (
            (view.held_out, t("Held-out rows by true and predicted class"), True),
            (view.training, t("Training rows by true and predicted class"), False),
        )
        if part
    ]


def _confusion(part: Scores, title: str, names: Sequence[str], *, bounded: bool) -> Table:
    """Confusion table of a part; `bounded`: with the shares expected among new rows."""
    columns = [t("true class"), *(t("predicted {name}", name=name) for name in names), t("right")]
    right, n_rows = part.accuracy_by_class, part.confusion.sum(axis=1)
    rows = [
        [name, *(number(int(n)) for n in counts), "–" if np.isnan(share) else f"{percent(share)} %"]
        for name, counts, share in zip(names, part.confusion, right, strict=True)
    ]
    if bounded:
        columns.append(t("95 % interval"))
        for k, row in enumerate(rows):
            own = _interval(int(part.confusion[k, k]), int(n_rows[k])) if n_rows[k] else "–"
            row.append(own)
    return Table(title, columns, rows)


def _all_rules(model: ModelWork, view: ModelView) -> File | Text:
    """File of all rules, or why there is none."""
    form, loaded = FORMATS["csv"], model.work.data
    reason = form.refusal(view.tree)
    if reason is not None:
        return Text(translate(reason))
    content = write_tree(form, view.tree, loaded, model.division.form, {})
    name = f"{model.selection.data}-{model.chosen.key}.{form.suffix}"
    all_rules = plural(len(view.leaves), "{n} rule", "{n} rules")
    return File(name, form.mime, content, t("{name}: all {n} as a table", name=name, n=all_rules))


def _rule_table(tree: Tree, division: Division, names: Sequence[str], most: int) -> Table:
    """First rules of the whole tree, and how true they are of held-out rows."""
    found, held = rules(tree), division.held_out_rows
    counts = class_counts(tree, division.values[held], division.y[held]) if len(held) else None
    missing = t("or missing")
    columns = [t("rule"), t("if"), t("then"), t("training rows"), t("confidence, training")]
    if counts is not None:
        columns += [t("held-out rows"), t("accuracy, held out"), t("95 % interval")]
    rows = []
    for rule in islice(found, most):
        met = conditions(tree, rule.node)
        words = condition_words(tree, met, joint=_joint(), html=False, missing=missing)
        row = [number(rule.number), words or t("all rows"), names[rule.prediction]]
        row += [number(float(rule.support)), f"{percent(rule.confidence)} %"]
        if counts is not None:
            row += _judged(counts[rule.node], rule.prediction)
        rows.append(row)
    title = t("The rules of the whole tree, the largest support first")
    return Table(first_of(title, len(rows), len(found)), columns, rows)


# Rows that are shared out over several rules are no independent ones: they have no interval.
def _judged(counts: np.ndarray, prediction: int) -> list[str]:
    """Cells for the held-out rows that meet a rule, and the share it has right."""
    reached, right = float(counts.sum()), float(counts[prediction])
    if not reached:
        return [number(reached), "–", "–"]
    are_integers = bool((counts == np.rint(counts)).all())
    return [
        number(reached),
        f"{percent(right / reached)} %",
        _interval(int(right), int(reached)) if are_integers else "–",
    ]
