"""The textbook's worked examples on the page *papers*: each printed sum with ours beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np
import pandas as pd

from lastviz.inspection import NodeSums, node_sums
from lastviz.studies.published import CHAPTER, EXAMPLES, Example, Paper, PrintedSum, differs
from lastviz.ui.compute.book import book_table
from lastviz.ui.shared.headline import strip
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, t

from .words import table_html

DIGITS = 6  # of ours: more than are printed


@dataclass(frozen=True, eq=False)
class ChapterScene:
    """A worked example."""

    example: Example
    sums: NodeSums  # of the rows that it is about

    @property
    def paper(self) -> Paper:
        """The chapter."""
        return CHAPTER

    @property
    def name(self) -> str:
        """What a link calls it."""
        return self.example.name

    @cached_property
    def rows(self) -> tuple[tuple[PrintedSum, float], ...]:
        """Each printed sum and ours."""
        return tuple((printed, _ours(self.sums, printed)) for printed in self.example.sums)


def chapter_scene(selection: Selection) -> ChapterScene | None:
    """Return the example that is looked at, None where it is a table or a figure of a paper."""
    example = EXAMPLES.get(selection.papers.paper_table)
    if example is None:
        return None
    table = book_table()
    if example.without is None:
        return ChapterScene(example, node_sums(table))
    name, value = example.without
    feature = table.features.index(name)
    rows = np.flatnonzero(table.codes[:, feature] == table.categories[feature].index(value))
    others = [f for f in range(len(table.features)) if f != feature]
    return ChapterScene(example, node_sums(table, rows, others))


def _ours(sums: NodeSums, printed: PrintedSum) -> float:
    if not printed.feature:
        return getattr(sums, printed.quantity)
    table = book_table()
    feature = table.features.index(printed.feature)
    found = next(each for each in sums.features if each.feature == feature)
    value = getattr(found, printed.quantity)
    return value[table.categories[feature].index(printed.category)] if printed.category else value


def example_title(example: Example) -> str:
    """Return what an example is called."""
    return t("Example {n}, {title}", n=example.number, title=t(example.title))


def chapter_numbers(scene: ChapterScene) -> str:
    """Return how many sums agree with the print."""
    same = sum(not differs(printed.printed, ours) for printed, ours in scene.rows)
    total = t("of {n}", n=len(scene.rows))
    return strip([(number(same), total, t("sums agree to the last printed digit"))])


def chapter_table(scene: ChapterScene) -> str:
    """Return the printed sums with ours beside them."""
    rows = (
        f"<tr><td>{escape(printed.sign)}</td><td>{printed.printed}</td>"
        f"<td><b>{ours:.{DIGITS}f}</b></td><td>{escape(_verdict(printed, ours))}</td></tr>"
        for printed, ours in scene.rows
    )
    return table_html((t("quantity"), t("print"), t("ours"), ""), rows, " lv-deciding")


def _verdict(printed: PrintedSum, ours: float) -> str:
    if not differs(printed.printed, ours):
        return t("holds")
    apart = f"{abs(ours - float(printed.printed)):.{DIGITS}f}"
    verdict = t("apart by {n}", n=apart)
    if not printed.reason:
        return verdict
    return t("{verdict}: {reason}", verdict=verdict, reason=t(printed.reason))


def chapter_rows(scene: ChapterScene) -> pd.DataFrame:
    """Return the example as a file has it, a row a sum."""
    return pd.DataFrame(
        {
            "sum": [printed.sign for printed, _ in scene.rows],
            "print": [printed.printed for printed, _ in scene.rows],
            "ours": [ours for _, ours in scene.rows],
            "agrees": [not differs(printed.printed, ours) for printed, ours in scene.rows],
        }
    )
