"""What the paper claims and what it comes to here, with the figures that decide a claim."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from math import isfinite

from lastviz.plots import number as short
from lastviz.studies.published import QUANTITIES, Claim, Tally, printed_values
from lastviz.studies.published.cells import CellKey
from lastviz.studies.published.claims import Row
from lastviz.ui.text import listed, t

from .scene import PaperScene
from .words import UNITS, table_html

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
