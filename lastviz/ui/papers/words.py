"""The words and tables of the page *papers*: the grid, the cell that is looked at, the claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from math import isfinite

import pandas as pd

from lastviz.plots import THEMES, ThemeName
from lastviz.plots import number as short
from lastviz.studies.published import (
    ALL_SETS,
    QUANTITIES,
    Ours,
    printed_values,
    published_cells,
    sets_at_hand,
)
from lastviz.studies.reproduction import NOT_YET, gaps
from lastviz.ui.shared.headline import legend_of, sign, strip
from lastviz.ui.text import joined, number, plural, t

from .scene import STEPS, FigureScene, PaperScene, Place, Run, reason_words

UNITS = {"percent": "%", "share": "", "classes": "", "count": "", "seconds": "s"}
LACKING = "–"


def table_title(number: int, title: str, *, is_figure: bool = False) -> str:
    """Return what a table or a figure is called: its number and what is in it."""
    text = "Figure {n}, {title}" if is_figure else "Table {n}, {title}"
    return t(text, n=number, title=t(title))


def column_title(scene: PaperScene, column: tuple[str, str, str]) -> str:
    """Return what a column is called; metric and setting where columns differ by them."""
    algorithm, metric, setting = column
    parts = [t(algorithm)]
    if len({c[2] for c in scene.columns}) > 1:
        parts.append(setting.replace("sigma", "σ"))
    if len({c[1] for c in scene.columns}) > 1:
        parts.append(t(QUANTITIES[metric].title))
    return t(", ").join(parts)


def papers_legend() -> str:
    """Return what the tones of cells mean."""
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
    both = f"{short(15.1)} {t('paper')}", f"<b>{short(16.3)}</b> {t('ours')}"
    doubt = f"? {t('uncertain or wrong in the print')}"
    return legend_of([*both, t("apart by"), *tones, doubt])


def numbers(scene: PaperScene) -> str:
    """Return how many cells are filled, and how far ours lie from the print."""
    ours, compared = [p for p in scene.places if p.ours], scene.compared
    cells = [(number(len(ours)), t("of {n}", n=len(scene.places)), t("cells computed"))]
    if compared:
        near = sum(abs(place.apart) <= 2.0 for place in compared)
        close = sum(abs(place.apart) <= 1.0 for place in compared)
        total = t("of {n} comparable", n=len(compared))
        cells += [
            (number(close), total, t("within one standard deviation")),
            (number(near), total, t("within two")),
        ]
        far = max(compared, key=lambda place: abs(place.apart))
        where = t(", ").join([scene.title_of(far.cell.dataset), far.cell.algorithm])
        cells.append((apart_words(far.apart), "sd", t("farthest: {where}", where=where)))
    doubted = [p for p in scene.places if isfinite(p.apart) and not p.is_target]
    if doubted:
        far = sum(abs(place.apart) > STEPS[-1] for place in doubted)
        words = t("uncertain in the print, {n} of them over two standard deviations", n=far)
        cells.append((number(len(doubted)), "", words))
    return strip(cells)


def apart_words(value: float) -> str:
    """Return a difference with its sign."""
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{abs(value):.1f}"


def grid(scene: PaperScene) -> str:
    """Return the table: data sets x algorithms, the print's figure and ours in each cell."""
    heads = "".join(f"<th scope='col'>{escape(column_title(scene, c))}</th>" for c in scene.columns)
    rows = []
    for dataset in scene.rows:
        inside = "".join(
            _cell(scene, scene.by_cell.get((dataset, *column))) for column in scene.columns
        )
        title = escape(scene.title_of(dataset))
        rows.append(f"<tr><th scope='row'>{title}</th>{inside}</tr>")
    label = escape(table_title(scene.table.number, scene.table.title))
    return (
        f"<div class='lv-paper-grid' tabindex='0' role='region' aria-label='{label}'><table>"
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(scene: PaperScene, place: Place | None) -> str:
    if place is None:
        return f"<td class='lv-lacking'>{LACKING}</td>"
    doubt = "?" if place.misprints else ""
    printed = f"{place.cell.mean:.{place.cell.digits}f}{doubt}"
    kinds = ["lv-here"] if scene.is_marked(place) else []
    if place.ours is None:
        why = t("not run") if place.reason is None else _lack(scene, place)
        if place.cell.key in scene.own:
            why = _run_words(place, scene.own[place.cell.key])
        return f"<td class='{' '.join([*kinds, 'lv-lacking'])}'>{printed} <small>{why}</small></td>"
    step = sum(abs(place.apart) > step for step in STEPS)
    kinds.append(f"lv-apart lv-apart-{step}" if isfinite(place.apart) else "")
    ours = f"{place.ours.mean:.{place.cell.digits}f}"
    run = scene.own.get(place.cell.key)
    beside = ""
    if run is not None:
        beside = f" <small>{t('run {what}', what=_run_words(place, run))}</small>"
    return f"<td class='{' '.join(kinds)}'>{printed} <b>{ours}</b>{beside}</td>"


def cell_words(scene: PaperScene) -> list[str]:
    """Return what is known of the cell that is looked at, line by line."""
    place = scene.chosen
    cell, ours = place.cell, place.ours
    quantity = QUANTITIES[cell.metric]
    unit = UNITS[quantity.unit]
    unit = f" {unit}" if unit else ""
    around = f" ± {short(cell.spread)}" if isfinite(cell.spread) else ""
    lines = [
        t("{what}: paper {mean}", what=t(quantity.title), mean=f"{cell.mean:.{cell.digits}f}")
        + f"{around}{unit}"
    ]
    if ours is None:
        lines.append(place.reason or t(NOT_YET))
    elif cell.dataset == ALL_SETS:
        lines += _mean_words(scene, place)
    else:
        lines += _ours_words(place, unit)
    if cell.key in scene.own:
        lines.append(t("Run here: {what}", what=_run_words(place, scene.own[cell.key])))
    known = scene.set_of(cell.dataset)
    if known is not None and known.note and ours is not None:
        lines.append(t(known.note))
    lines += [f"{t(each.what)} {t(each.reason)}" for each in place.misprints]
    return lines


def _ours_words(place: Place, unit: str) -> list[str]:
    """Return our figure, how far it lies from the print, and what is behind it."""
    cell, ours = place.cell, place.ours
    mean, spread = short(ours.mean), short(ours.spread)
    lines = [t("ours {mean} ± {spread}", mean=mean, spread=spread) + unit]
    if QUANTITIES[cell.metric].unit == "seconds":
        lines.append(t("Time on another machine; ours is processor time for one fit."))
    if isfinite(place.apart):
        of = t("the paper's") if isfinite(cell.spread) and cell.spread > 0 else t("ours")
        n = apart_words(place.apart)
        lines.append(t("{n} standard deviations of folds ({whose})", n=n, whose=of))
    lines.append(
        t("{folds} folds of {divisions} divisions or draws, computed on {date} by version "
          "{version}", folds=number(ours.n_folds), divisions=number(ours.n_divisions),
          date=ours.date, version=ours.version)
    )  # fmt: skip
    return lines


def _lack(scene: PaperScene, place: Place) -> str:
    """Return in two words why a cell cannot be run."""
    known = scene.set_of(place.cell.dataset)
    if known is None or known.key:
        return t("not measured")
    return t("needs a table") if known.is_public else t("no data")


def _run_words(place: Place, run: Run) -> str:
    """Return what a study of the visitor says of a cell."""
    _, found = run
    if isinstance(found, Ours):
        mean, spread = f"{found.mean:.{place.cell.digits}f}", short(found.spread)
        return f"{mean} ± {spread}"
    done, n = found
    return t("{done} of {n} folds", done=number(done), n=number(n))


def _mean_words(scene: PaperScene, place: Place) -> list[str]:
    """Return our mean over the data sets at hand, and what the paper's tables have for these."""
    cell, table = place.cell, scene.table
    names, others = sets_at_hand(table.paper, table.number), {}
    every = {each.dataset for each in published_cells(table.paper)} - {ALL_SETS}
    for number_of in {each.table for each in published_cells(table.paper)} - {table.number}:
        others |= printed_values(table.paper, number_of)
    same = [others[name, cell.algorithm, cell.metric, cell.setting] for name in names]
    return [
        t("ours {mean}, over the {n} of {total} data sets that are at hand; on these the paper's "
          "tables have {same} in the mean", mean=short(place.ours.mean), n=len(names),
          total=len(every), same=short(sum(same) / len(same))),
    ]  # fmt: skip


def empty_cells(scene: PaperScene) -> list[str]:
    """Return a sentence for all cells that are empty for the same reason."""
    return [
        t(
            "{cells}, {sets}: {reason}",
            cells=plural(gap.n_cells, "One cell is empty", "{n} cells are empty"),
            sets=joined([scene.title_of(name) for name in gap.datasets]),
            reason=reason_words(gap.cell) or t(NOT_YET),
        )
        for gap in gaps(scene.table.paper, scene.table.number)
    ]


def best_legend(scene: FigureScene) -> str:
    """Return whose bars are drawn in which shade: the last algorithm in ink, the others grey."""
    colours = THEMES[scene.theme]
    *others, last = scene.figure.compared
    items = (
        (colours.grey5, t("{first} or {last}", first=t(", ").join(others[:-1]), last=others[-1])),
        (colours.ink, last),
    )
    square = '<rect x="2" y="2" width="12" height="12"/>'
    return legend_of(f"{sign(square, fill=hue)} {escape(name)}" for hue, name in items)


def table_html(heads: Sequence[str], rows: Iterable[str], kind: str = "") -> str:
    """Return a table of the page; `heads` are texts, `rows` html, and `kind` is one more class."""
    top = "".join(f"<th>{escape(head)}</th>" for head in heads)
    return (
        f"<div class='lv-claims{kind}'><table><thead><tr>{top}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def statements_table(scene: FigureScene) -> str:
    """Return the numbers that a figure and its text give, ours beside them."""
    rows = []
    for claim in scene.figure.says:
        value, n = claim.found(scene.ours)
        over = plural(n, "over one data set", "over {n} data sets") if n else t("not computed")
        printed, ours = printed_number(claim.printed, claim.unit), printed_number(value, claim.unit)
        rows.append(
            f"<tr><td>{escape(t(claim.sentence))} <small>{escape(t(claim.place))}</small></td>"
            f"<td>{escape(printed)}</td><td><b>{escape(ours)}</b> {escape(over)}</td></tr>"
        )
    return table_html((t("the paper says"), t("paper"), t("ours")), rows)


def printed_number(value: float, unit: str) -> str:
    """Return a number as a statement gives it: a share in %, or a difference with its sign."""
    if not isfinite(value):
        return LACKING
    if unit == "%":
        return f"{value:.0f} %"
    sign = "+" if value > 0 else "−" if value < 0 else ""
    digits = 4 if unit == "classes" else 2
    return f"{sign}{abs(value):.{digits}f} {t(unit)}"


def table_rows(scene: PaperScene) -> pd.DataFrame:
    """Return the table as a file has it, a row a cell."""
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
        notes = [place.reason, *(each.what for each in place.misprints)]
        rows.append(row | {"note": " ".join(filter(None, notes))})
    return pd.DataFrame(rows)


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
    """Return why a cell is not judged, a key of the reasons; "" where it is."""
    cell = place.cell
    if place.ours is None:
        if place.reason is None:
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
    """Return how many cells are left out for each reason, the most frequent first."""
    found = Counter(why_left_out(scene, place) for place in scene.places)
    return {reason: n for reason, n in found.most_common() if reason}


def left_out_words(reason: str, n: int) -> str:
    """Return a reason with the number of its cells."""
    return t("{reason} ({n})", reason=t(REASONS[reason]), n=number(n))


def sentences_of(scene: PaperScene) -> list[str]:
    """Return what the table comes to: how near, what is left out, and which way ours leans."""
    apart = [place.apart for place in scene.compared]
    n, counted = len(apart), left_out(scene)
    found = []
    if n:
        close, near = (sum(abs(each) <= bound for each in apart) for bound in (1.0, 2.0))
        found.append(
            t("{close} of {n} cells lie within one standard deviation of the print, {near} within "
              "two.", close=number(close), n=number(n), near=number(near))
        )  # fmt: skip
    else:
        found.append(t("No cell of this table can be compared with its print."))
    if counted:
        reasons = t(", ").join(left_out_words(*each) for each in counted.items())
        found.append(
            t("Left out are {left} of {total} cells: {reasons}.",
              left=number(sum(counted.values())), total=number(len(scene.places)), reasons=reasons)
        )  # fmt: skip
    if n:
        more, less = sum(each > 0 for each in apart), sum(each < 0 for each in apart)
        found.append(
            t("Ours is higher in {more} of the {n}, lower in {less}.",
              more=number(more), n=number(n), less=number(less))
        )  # fmt: skip
    return found


def verdict(scene: PaperScene) -> str:
    """Return the sentences above the picture: the finding bold, then its limits."""
    first, *others = map(escape, sentences_of(scene))
    return f"<p class='lv-judged'><b>{first}</b> {t(' ').join(others)}</p>"


def apart_legend(theme: ThemeName) -> str:
    """Return what the marks of the picture mean."""
    colours = THEMES[theme]
    dot, arrow = '<circle cx="8" cy="8" r="4.5"/>', '<path d="M12 3 V13 L4 8 Z"/>'
    items = (
        (sign(dot, fill=colours.grey7), t("a cell")),
        (sign(dot, fill=colours.ink), t("more than one standard deviation apart")),
        (sign(dot, line=colours.grey7, width=1.5), t("uncertain or misprinted, not counted")),
        (sign(arrow, line=colours.grey7, width=1.5), t("beyond the axis")),
    )
    return legend_of(f"{mark} {escape(words)}" for mark, words in items)
