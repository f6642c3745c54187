"""What the paper claims and what it comes to here, with the figures that decide a claim."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from math import isfinite
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.host import visitor
from lastviz.host.jobs import Working
from lastviz.host.memory import remembered
from lastviz.inspection import NodeSums, node_sums
from lastviz.plots import number as short
from lastviz.studies.kept_data import ORDERED
from lastviz.studies.published import (
    CHAPTER,
    EXAMPLES,
    QUANTITIES,
    Claim,
    Example,
    Paper,
    PrintedCell,
    PrintedSum,
    Tally,
    differs,
    printed_set,
    printed_values,
)
from lastviz.studies.published.cells import CellKey
from lastviz.studies.published.claims import Row
from lastviz.studies.reproduction import (
    PlannedStudy,
    can_run_here,
    figure_in,
    is_study,
    run_name,
    studies_in_steps,
)
from lastviz.studies.study import Study
from lastviz.studies.svm_divisions import svm_figures_in_steps
from lastviz.ui.compute import cache
from lastviz.ui.compute.book import book_table
from lastviz.ui.compute.studies import MOST_FOLDS, ask, begin, refuse
from lastviz.ui.shared.headline import strip
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.state.codec import encode
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, listed, number, t

from .scene import PaperScene, Run
from .words import UNITS, table_html, table_title

MOST_NAMED = 4  # data sets that a claim's verdict names
OUTCOMES = {
    "holds": "holds",
    "fails": "does not hold",
    "level": "within noise",
    "lacking": "not tested",
}


def claims_table(scene: PaperScene, link_to: Callable[[Claim], str] = lambda _: "") -> str:
    """Return the claims as a table: what the paper says, our verdict, where it does not hold.

    A verdict leads to the figures that decide it, under the address that `link_to` returns; ""
    where nothing can be followed, as on paper.
    """
    rows = (_claim(scene, claim, found, link_to(claim)) for claim, found in scene.claims)
    return table_html((t("the paper says"), t("here"), ""), rows)


def _claim(scene: PaperScene, claim: Claim, found: Tally, link: str) -> str:
    text, values = found.verdict
    notes = []
    for rows, words in (
        (found.fails, "not on {names}"),
        (found.level, "within noise on {names}"),
        (found.lacking, "not tested on {names}"),
    ):
        names = list(dict.fromkeys(scene.title_of(dataset) for dataset, _, _ in rows))
        if names and found.n_tested and len(claim.rows) > 1:
            notes.append(t(words, names=listed(names, MOST_NAMED)))
    stated = claim.stated is not None and len(claim.rows) > 1
    if stated:
        notes.append(t("{n} of {total} in the paper", n=claim.stated, total=len(claim.rows)))
    verdict = f"<b>{escape(t(text, **values))}</b>"
    if link:
        title = escape(t("The figures that decide it: {n} cells", n=len(claim.cells)))
        verdict = f"<a href='?{escape(link)}' title='{title}'>{verdict}</a>"
    chosen = " class='lv-chosen'" if claim is scene.claim else ""
    return (
        f"<tr{chosen}><td>{escape(t(claim.sentence))} <small>{escape(t(claim.place))}</small></td>"
        f"<td>{verdict}</td><td>{escape(t('; ').join(notes))}</td></tr>"
    )


def deciding_table(scene: PaperScene) -> str:
    """Return the figures that decide the claim that is looked at, a row a data set."""
    claim = scene.claim
    found = next(found for each, found in scene.claims if each is claim)
    ours = scene.figures_for(claim)
    print_of = {}
    if claim.table is not None:
        print_of = printed_values(claim.paper, claim.table, spread=claim.spread)
    figures = {key: each.spread if claim.spread else each.mean for key, each in ours.items()}
    outcome = {row: part for part in OUTCOMES for row in getattr(found, part)}
    lines = []
    for row in claim.rows:
        cells = [_row_title(scene, claim, row), t(OUTCOMES[outcome[row]])]
        for names in (claim.better, claim.worse):
            keys = [(row[0], name, row[1], row[2]) for name in names]
            cells.append(t(", ").join(_figure(key, figures, print_of) for key in keys))
        inside = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        lines.append(f"<tr>{inside}</tr>")
    quantity = QUANTITIES[claim.metrics[0]]
    about, unit = t(quantity.title), UNITS[quantity.unit]
    if unit:
        about = t("{title}, {unit}", title=about, unit=unit)
    if claim.spread:
        about = t("standard deviation of {what}", what=about)
    if isfinite(claim.bound):
        about = t("{what}, to be below {bound}", what=about, bound=short(claim.bound))
    return table_html((t("data set"), t("here"), about, t("beside")), lines, " lv-deciding")


def _row_title(scene: PaperScene, claim: Claim, row: Row) -> str:
    dataset, metric, setting = row
    parts = [scene.title_of(dataset)]
    if len(claim.metrics) > 1:
        parts.append(t(QUANTITIES[metric].title))
    if setting:
        parts.append(setting.replace("sigma", "σ"))
    return t(", ").join(parts)


def _figure(key: CellKey, ours: dict[CellKey, float], printed: dict[CellKey, float]) -> str:
    """Return an algorithm's name with our figure, and that of the print behind it."""
    name = t(key[1])
    own = short(ours[key]) if key in ours else "–"
    if key in printed and isfinite(printed[key]):
        values = {"name": name, "ours": own, "paper": short(printed[key])}
        return t("{name} {ours} (paper {paper})", **values)
    return f"{name} {own}"


# ---- The textbook's worked examples on the page *papers*: each printed sum with ours beside it


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


# ---- Cells of a table computed for a visitor, and what that gave
#
# Most are studies at the paper's protocol, which open on the page *compare*; the SVM tree's
# divisions are worked out while the reader looks.


MOST_LOOKED_AT = 5  # of a visitor's latest studies of a table
TO_RUN = "paper_to_run"  # the session's: cells that a button asked for, and the protocol
DIVIDED = "paper_divided"  # the session's: what divisions of the SVM tree gave, by cell


def run_buttons(scene: PaperScene) -> None:
    """Draw the buttons that compute the cell, its row or the table."""
    row = [place for place in scene.places if place.cell.dataset == scene.chosen.cell.dataset]
    for key, words, places in (
        ("paper_run", t("Run this cell"), [scene.chosen]),
        ("paper_run_row", t("Run this row"), row),
        ("paper_run_table", t("Run this table"), scene.places),
    ):
        can = tuple(place.cell for place in places if can_run_here(place.cell))
        studies = all(map(is_study, can))
        st.button(
            words,
            key=key,
            icon=":material/play_arrow:",
            disabled=not can or (studies and not visitor.token()),
            help=t("Begins studies at the chosen protocol; one opens on Compare.")
            if studies
            else t("Divides the rows as the paper does and puts the figures into the table."),
            on_click=partial(st.session_state.update, {TO_RUN: (can, scene.protocol)}),
        )


def run_progress(scene: PaperScene, open_study: Callable[[str], None]) -> None:
    """Draw how far it is what a button asked for; once it is there, show it or open the study."""
    cells, protocol = st.session_state.get(TO_RUN, ((), ""))
    if not cells or run_name(cells[0]) != run_name(scene.chosen.cell):
        return
    title = table_title(scene.table.number, scene.table.title)
    work = partial(studies_in_steps, cells, protocol)
    if not is_study(cells[0]):
        work = partial(svm_figures_in_steps, cells)
    names = "~".join("~".join(cell.key) for cell in cells)
    try:
        found = cache.outcome(f"papers|{scene.name}|{protocol}|{names}", title, work)
    except Working as working:
        job_box(working.job, "papers")
        return
    except CannotShow as reason:
        refuse(str(reason))
    else:
        if not is_study(cells[0]):
            known = st.session_state.get(DIVIDED, {})
            st.session_state[DIVIDED] = known | {each.key: ("", each) for each in found}
        elif study_id := _begun(cells[0], found):
            open_study(study_id)
    del st.session_state[TO_RUN]
    st.rerun()


def _begun(like: PrintedCell, studies: Sequence[PlannedStudy]) -> str | None:
    """Begin the studies and return the name of the first; None where that is refused."""
    n_folds = max(sum(len(cell.tasks) for cell in each.cells) for each in studies)
    if n_folds > MOST_FOLDS:
        sentence = "These cells have {n} folds; this server takes at most {most} at once."
        refuse(t(sentence, n=number(n_folds), most=number(MOST_FOLDS)))
        return None
    begun = []
    for each in studies:
        tables = {key: (data, _link(like, name)) for key, (data, name) in each.tables.items()}
        begun.append(begin(each.study, each.cells, tables, visitor.token()))
    return begun[0]


def scene_of_set(cell: PrintedCell) -> Selection:
    """Return the scene of the data set of a cell."""
    known = printed_set(cell.paper, cell.dataset)
    scene = Selection(data=known.key or f"folder.{known.file}",
                      params=tuple(sorted(known.params.items())))  # fmt: skip
    if known.one_class is not None:
        scene = scene.having(one=known.one_class)
    return scene.having(ordered=True) if cell.paper in ORDERED else scene


def _link(like: PrintedCell, name: str) -> str:
    return urlencode(encode(scene_of_set(replace(like, dataset=name)), named=False))


def has_own() -> bool:
    """Tell whether the visitor may have computed cells: what they gave is for no other's eyes."""
    return visitor.token() is not None or DIVIDED in st.session_state


def own_figures(cells: Sequence[PrintedCell]) -> dict[CellKey, Run]:
    """Return what the visitor has computed of a table's cells, the latest of each."""
    token = visitor.token()
    if cells and not is_study(cells[0]):
        divided = st.session_state.get(DIVIDED, {})
        return {cell.key: divided[cell.key] for cell in cells if cell.key in divided}
    if not token or not cells:
        return {}
    begins, found = run_name(cells[0]), {}
    try:
        names = ask(lambda line: line.names(token))
        ids = [study_id for study_id, name, _ in names if name.startswith(begins)]
        for study_id in ids[:MOST_LOOKED_AT]:
            standing = ask(lambda line, study_id=study_id: line.standing(study_id, token))
            study, folds = _results(f"{study_id}|{standing}", study_id, token)
            for cell in cells:
                figure = None if cell.key in found else figure_in(folds, study, cell)
                if figure is not None:
                    found[cell.key] = study_id, figure
    except CannotShow:  # the table is shown without them
        return {}
    return found


@remembered
def _results(key: str, study_id: str, token: str) -> tuple[Study, pd.DataFrame]:
    return ask(
        lambda line: (line.study(study_id, token, line.tables(study_id)), line.folds(study_id))
    )
