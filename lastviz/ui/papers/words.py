"""The words and tables of the page *papers*: the grid, the claims, the notes, a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from html import escape
from math import isfinite

import pandas as pd

from lastviz._sentences import Statement
from lastviz.plots import THEMES, ThemeName
from lastviz.plots import number as short
from lastviz.studies.published import (
    ALL_SETS,
    QUANTITIES,
    Claim,
    PrintedCell,
    Tally,
    printed_values,
    published_cells,
    sets_at_hand,
)
from lastviz.studies.published.cells import CellKey
from lastviz.studies.published.claims import Row as ClaimRow
from lastviz.studies.reproduction import NOT_YET, gaps
from lastviz.ui.shared.headline import legend_of, sign
from lastviz.ui.text import as_html, t

from .scene import PaperScene, Place, reason_words

UNITS = {"percent": "%", "share": "", "classes": "", "count": "", "seconds": "s"}
LACKING = "–"
STEPS = (0.5, 1.0, 2.0)  # standard deviations, at which a cell becomes darker
OUTCOMES = {
    "holds": "holds",
    "fails": "does not hold",
    "level": "within noise",
    "lacking": "not tested",
}


def table_title(scene: PaperScene) -> str:
    """Number and title of the table."""
    return t("Table {n}, {title}", n=scene.table.number, title=t(scene.table.title))


def column_title(scene: PaperScene, column: tuple[str, str]) -> str:
    """Algorithm of a column, with the metric where columns differ by it."""
    algorithm, metric = column
    if len({m for _, m in scene.columns}) == 1:
        return t(algorithm)
    return t(", ").join([t(algorithm), t(QUANTITIES[metric].title)])


def apart_words(value: float) -> str:
    """Difference with its sign."""
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{abs(value):.1f}"


# ---- The table: our figure in each cell, below it the print's and how far they lie apart


def grid_legend() -> str:
    """HTML legend of the grid: the lines of a cell, the shades of the distance."""
    low, middle, high = (short(step) for step in STEPS)
    words = (
        t("under {high}", high=low),
        t("{low} to {high}", low=low, high=middle),
        t("{low} to {high}", low=middle, high=high),
        t("over {low} standard deviations", low=high),
    )
    tones = (
        f"<i class='lv-apart lv-apart-{k}'></i> {escape(text)}" for k, text in enumerate(words)
    )
    cell = f"<b>{t('ours')}</b>", t("below it: the paper, and how far apart")
    doubt = f"? {t('uncertain or wrong in the print')}"
    return legend_of([*cell, *tones, doubt])


def grid(scene: PaperScene, links: Mapping[PrintedCell, str]) -> str:
    """Table of data sets x algorithms, our figures linked if `links` has an address."""
    by_cell = {(place.row, place.column): place for place in scene.places}
    heads = "".join(f"<th scope='col'>{escape(column_title(scene, c))}</th>" for c in scene.columns)
    rows = (
        f"<tr><th scope='row'>{escape(scene.title_of(*row))}</th>"
        + "".join(_cell(scene, by_cell.get((row, column)), links) for column in scene.columns)
        + "</tr>"
        for row in scene.rows
    )
    return (
        f"<div class='lv-paper-grid' tabindex='0' role='region' "
        f"aria-label='{escape(table_title(scene))}'><table>"
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(scene: PaperScene, place: Place | None, links: Mapping[PrintedCell, str]) -> str:
    if place is None:
        return f"<td class='lv-lacking'>{LACKING}</td>"
    cell, found = place.cell, place.ours
    printed = f"{cell.mean:.{cell.digits}f}{'?' if place.misprints else ''}"
    if found is None:
        return f"<td class='lv-lacking'>{LACKING}<small>{printed}</small></td>"
    ours = f"<b>{found.mean:.{cell.digits}f}</b>"
    if link := links.get(cell, ""):
        about = f"{scene.title_of(*place.row)}, {t(cell.algorithm)}: {t('Open the study')}"
        ours = f'<a href="{escape(link)}" target="_self" title="{escape(about)}">{ours}</a>'
    if not isfinite(place.apart):
        return f"<td>{ours}<small>{printed}</small></td>"
    tone = sum(abs(place.apart) > step for step in STEPS)
    apart = f"{printed}<i>{apart_words(place.apart)}</i>"
    return f"<td class='lv-apart lv-apart-{tone}'>{ours}<small>{apart}</small></td>"


def notes(scene: PaperScene) -> list[Statement]:
    """Sentences on cells that are empty, doubtful, or not quite those of the print."""
    paper, table = scene.table.paper, scene.table.number
    found = [
        Statement(
            "{cells}, {sets:list}: {reason}",
            cells=Statement("One cell is empty", "{n} cells are empty", n=len(cells)),
            sets=tuple(dict.fromkeys(scene.title_of(cell.dataset) for cell in cells)),
            reason=reason_words(cells[0]) or Statement(NOT_YET),
        )
        for cells in gaps(paper, table).values()
    ]
    found += [
        Statement("{sentence} {next}", sentence=Statement(each.what), next=Statement(each.reason))
        for each in dict.fromkeys(each for place in scene.places for each in place.misprints)
    ]
    filled = dict.fromkeys(place.cell.dataset for place in scene.places if place.ours)
    found += [
        Statement("{title}: {note}", title=Statement(each.title), note=Statement(each.note))
        for each in filter(None, map(scene.set_of, filled))
        if each.note
    ]
    if at_hand := sets_at_hand(paper, table):
        total = {each.dataset for each in published_cells(paper)} - {ALL_SETS}
        sentence = "Ours are means over the {n} of {total} data sets that are at hand."
        found.append(Statement(sentence, n=len(at_hand), total=len(total)))
    return found


def notes_fold(scene: PaperScene) -> str:
    """Notes behind a fold; nothing where there are none."""
    items = "".join(f"<li>{as_html(sentence)}</li>" for sentence in notes(scene))
    title = escape(t("Notes on cells"))
    return items and (
        f"<details class='lv-paper-notes'><summary>{title}</summary><ul>{items}</ul></details>"
    )


def table_rows(scene: PaperScene) -> pd.DataFrame:
    """Table as a file has it, a row a cell."""
    rows = []
    for place in scene.places:
        cell, ours = place.cell, place.ours
        row: dict[str, object] = {
            "data set": cell.dataset, "algorithm": cell.algorithm, "measure": cell.metric,
            "setting": cell.setting, "paper": cell.mean, "paper sd": cell.spread,
        }  # fmt: skip
        if ours is not None:
            row |= {
                "ours": ours.mean, "ours sd": ours.spread, "apart, sd": place.apart,
                "protocol": ours.protocol, "folds": ours.n_folds, "divisions": ours.n_divisions,
                "date": ours.date, "version": ours.version,
            }  # fmt: skip
        about = [reason_words(cell), *(each.what for each in place.misprints)]
        rows.append(row | {"note": " ".join(filter(None, about))})
    return pd.DataFrame(rows)


# ---- The claims: verdicts, and behind each the figures that decide it


def claims_list(scene: PaperScene) -> str:
    """Claims of the paper, each with our verdict and, folded, the deciding figures."""
    items = (_claim(scene, claim, found) for claim, found in scene.claims)
    return f"<div class='lv-claims'>{''.join(items)}</div>"


def _claim(scene: PaperScene, claim: Claim, found: Tally) -> str:
    about = t(claim.place)
    if claim.stated is not None and len(claim.rows) > 1:
        counted = t("{n} of {total} in the paper", n=claim.stated, total=len(claim.rows))
        about = t("; ").join([about, counted])
    return (
        f"<details><summary><span>{escape(t(claim.sentence))} <small>{escape(about)}</small></span>"
        f"<b>{as_html(found.verdict)}</b></summary>{deciding_table(scene, claim, found)}"
        "</details>"
    )


def deciding_table(scene: PaperScene, claim: Claim, found: Tally) -> str:
    """Figures that decide a claim, a row for each data set, metric and setting."""
    own = scene.figures_for(claim)
    ours = {key: each.spread if claim.spread else each.mean for key, each in own.items()}
    printed: dict[CellKey, float] = {}
    if claim.table is not None:
        printed = printed_values(claim.paper, claim.table, spread=claim.spread)
    outcome = {row: part for part in OUTCOMES for row in getattr(found, part)}
    quantity = QUANTITIES[claim.metrics[0]]
    about, unit = t(quantity.title), UNITS[quantity.unit]
    if unit:
        about = t("{title}, {unit}", title=about, unit=unit)
    if claim.spread:
        about = t("standard deviation of {what}", what=about)
    if isfinite(claim.bound):
        about = t("{what}, to be below {bound}", what=about, bound=short(claim.bound))
    heads, lines = (t("Data set"), t("here"), about, t("beside")), []
    for row in claim.rows:
        sides = (
            t(", ").join(_figure((row[0], name, *row[1:]), ours, printed) for name in names)
            for names in (claim.better, claim.worse)
        )
        lines.append((_row_title(scene, claim, row), t(OUTCOMES[outcome[row]]), *sides))
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    rows = ("".join(f"<td>{escape(cell)}</td>" for cell in line) for line in lines)
    body = "".join(f"<tr>{inside}</tr>" for inside in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _row_title(scene: PaperScene, claim: Claim, row: ClaimRow) -> str:
    dataset, metric, setting = row
    metrics = [t(QUANTITIES[metric].title)] if len(claim.metrics) > 1 else []
    return t(", ").join([scene.title_of(dataset, setting), *metrics])


def _figure(key: CellKey, ours: dict[CellKey, float], printed: dict[CellKey, float]) -> str:
    """Name of an algorithm with our figure, and that of the print behind it."""
    own = short(ours[key]) if key in ours else LACKING
    if not isfinite(printed.get(key, float("nan"))):
        return f"{t(key[1])} {own}"
    paper = short(printed[key])
    return t("{name} {ours} (paper {paper})", name=t(key[1]), ours=own, paper=paper)


# ---- Which cells of a table are judged, which are left out and why: counts, a sentence, a legend


REASONS = {
    "file": "data file needed",
    "private": "data not public",
    "never": "not computed here",
    "later": "not computed yet",
    "doubt": "uncertain or misprinted",
    "times": "times of another machine",
    "means": "means over several data sets",
    "spread": "no standard deviation",
}


def why_left_out(scene: PaperScene, place: Place) -> str:
    """Reason why a cell is not judged, a key of :data:`REASONS`; "" where it is."""
    cell = place.cell
    if place.ours is None:
        if not reason_words(cell):
            return "later"
        known = scene.set_of(cell.dataset)
        if known is None or known.key:
            return "never"
        return "file" if known.is_public else "private"
    if not place.is_target:
        return "doubt"
    if QUANTITIES[cell.metric].unit == "seconds":
        return "times"
    if cell.dataset == ALL_SETS:
        return "means"
    return "" if isfinite(place.apart) else "spread"


def left_out(scene: PaperScene) -> dict[str, int]:
    """Count of cells left out for each reason, the most frequent first."""
    found = Counter(why_left_out(scene, place) for place in scene.places)
    return {reason: n for reason, n in found.most_common() if reason}


def left_out_list(counted: Mapping[str, int]) -> Statement:
    """Reasons with the numbers of their cells."""
    reasons = tuple(
        Statement("{reason} ({n})", reason=Statement(REASONS[reason]), n=n)
        for reason, n in counted.items()
    )
    return Statement("{reasons:list}", reasons=reasons)


# How near ours is, to which side it leans, and what is left out.
def findings(scene: PaperScene) -> list[Statement]:
    """Result of the table."""
    apart = [place.apart for place in scene.compared]
    n, counted = len(apart), left_out(scene)
    if n:
        close, near = (sum(abs(each) <= bound for each in apart) for bound in (1.0, 2.0))
        result = Statement(
            "{close} of {n} cells lie within one standard deviation of the print, {near} within "
            "two.",
            close=close,
            n=n,
            near=near,
        )
        higher = sum(each > 0 for each in apart)
        found = [result, Statement("Ours is higher in {higher} of {n}.", higher=higher, n=n)]
    else:
        found = [Statement("No cell of this table can be compared with its print.")]
    if counted:
        left = Statement(
            "Left out are {left} of {total} cells: {reasons}.",
            left=sum(counted.values()),
            total=len(scene.places),
            reasons=left_out_list(counted),
        )
        found.append(left)
    return found


def apart_legend(theme: ThemeName) -> str:
    """Legend of the marks of the picture."""
    colours = THEMES[theme]
    dot, arrow = '<circle cx="8" cy="8" r="4.5"/>', '<path d="M12 3 V13 L4 8 Z"/>'
    items = (
        (sign(dot, fill=colours.grey7), t("a cell of the printed table")),
        (sign(dot, fill=colours.ink), t("more than one standard deviation apart")),
        (sign(dot, line=colours.grey7, width=1.5), t("uncertain or misprinted, not counted")),
        (sign(arrow, line=colours.grey7, width=1.5), t("beyond the axis")),
    )
    return legend_of(f"{mark} {escape(words)}" for mark, words in items)
