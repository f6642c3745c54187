"""Numbers of the page *textbook* as html: headline, tables of sums, what the book prints."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from lastviz.inspection import CutSums, NodeSums, NominalTable
from lastviz.plots import number
from lastviz.studies.published import PRINTED, differs
from lastviz.ui.compute.book import book_table
from lastviz.ui.shared.headline import strip
from lastviz.ui.text import t

from .formulas import digits, fixed
from .scene import LoanScene

Row = tuple[Sequence[str], bool]
"""The cells of a row as html, and whether it is the chosen one."""


def table(head: Sequence[str], rows: Sequence[Row], caption: str = "", name: str = "") -> str:
    """Return a table of numbers; the first cell of each row is its head.

    Parameters
    ----------
    head : sequence of str
    rows : sequence of (cells, whether it is marked)
    caption : str
        Stands below.
    name : str
        Of the table, for those who look for it.
    """
    heads = "".join(f"<th>{cell}</th>" for cell in head)
    lines = []
    for cells, chosen in rows:
        mark = ' class="lv-chosen"' if chosen else ""
        first, *rest = cells
        inside = "".join(f"<td>{cell}</td>" for cell in rest)
        lines.append(f"<tr{mark}><th>{first}</th>{inside}</tr>")
    below = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="lv-scroll"><table class="lv-ranks lv-sums" data-name="{escape(name)}">{below}'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def headline(scene: LoanScene) -> str:
    """Return rows, entropy and the winners of the root by each criterion."""
    best = {
        "gain": t("has the largest gain"),
        "gain_ratio": t("has the largest gain ratio"),
        "gain_ratio_entropy": t("has the largest g / H(D)"),
        "gini": t("has the smallest Gini"),
    }
    return strip(
        [
            (number(scene.table.n_rows), "", t("rows")),
            (digits(scene.root.entropy), t("bits"), t("entropy H(D)")),
            *((winners(scene.table, scene.root, by), "", words) for by, words in best.items()),
        ]
    )


def winners(names: NominalTable, node: NodeSums, by: str) -> str:
    """Return the features that tie for the best, "–" where none parts the rows."""
    best = node.favourites(by)
    if by != "gini":
        best = [sums for sums in best if sums.gain > 0]
    return t(", ").join(names.features[sums.feature] for sums in best) or "–"


def gains_table(scene: LoanScene, node: NodeSums, about: tuple[str, ...] | None = ()) -> str:
    """Return conditional entropies and gains.

    `about` names the rows in the words of the printed numbers, None where the book prints none.
    """
    ranks = _ranks(node, "gain")
    head = [t("feature A"), "H(D | A)", "g(D, A)", t("rank"), *_book_head(scene, about)]
    rows = []
    for i, sums in enumerate(node.features):
        feature = scene.table.features[sums.feature]
        cells = [escape(feature), fixed(sums.conditional), fixed(sums.gain), ranks[i]]
        cells += printed(scene, about, ("gain", book_table().features[sums.feature]), sums.gain)
        rows.append((cells, ranks[i] == "1" and sums.gain > 0))
    return table(head, rows, name="gain")


def ratios_table(scene: LoanScene, node: NodeSums) -> str:
    """Return split information and both gain ratios with their ranks."""
    split, entropy = _ranks(node, "gain_ratio"), _ranks(node, "gain_ratio_entropy")
    head = [t("feature A"), "g(D, A)", "H<sub>A</sub>(D)", "g / H<sub>A</sub>(D)", t("rank")]
    head += ["g / H(D)", t("rank")]
    rows = []
    for i, sums in enumerate(node.features):
        cells = [escape(scene.table.features[sums.feature]), fixed(sums.gain)]
        cells += [fixed(sums.information), fixed(sums.gain_ratio), split[i]]
        cells += [fixed(sums.gain_ratio_entropy), entropy[i]]
        rows.append((cells, split[i] == "1" and sums.gain > 0))
    return table(head, rows, name="ratio")


def gini_table(scene: LoanScene, node: NodeSums, about: tuple[str, ...] | None = ()) -> str:
    """Return Gini(D, A = a) of every test, the smallest marked; `about` as for the gains."""
    values = [float(v) for sums in node.features for v in sums.gini]
    best = min((v for v in values if np.isfinite(v)), default=np.inf)
    head = [t("test A = a"), t("rows yes | no"), "Gini(D, A = a)", *_book_head(scene, about)]
    rows = []
    for sums in node.features:
        names, at = scene.table.categories[sums.feature], sums.feature
        feature, total = scene.table.features[sums.feature], int(sums.sizes.sum())
        for category, value in enumerate(sums.gini.tolist()):
            size = int(sums.sizes[category])
            cells = [escape(f"{feature} = {names[category]}"), f"{size} | {total - size}"]
            cells.append(fixed(value))
            own = book_table().features[at], book_table().categories[at][category]
            cells += printed(scene, about, ("gini", *own), value)
            rows.append((cells, abs(value - best) <= 1e-12))
    return table(head, rows, name="gini")


def cuts_table(cuts: CutSums) -> str:
    """Return means and losses of all cuts, the best marked."""
    columns = (each.tolist() for each in (cuts.s, cuts.c1, cuts.c2, cuts.loss))
    rows = [
        ([digits(s), fixed(c1, 4), fixed(c2, 4), fixed(loss)], i == cuts.best)
        for i, (s, c1, c2, loss) in enumerate(zip(*columns, strict=True))
    ]
    head = ["s", "c<sub>1</sub>", "c<sub>2</sub>", t("loss m(s)")]
    return table(head, rows, name="cuts")


def printed(
    scene: LoanScene, about: tuple[str, ...] | None, what: tuple[str, ...], exact: float
) -> list[str]:
    """Return the cell with what the book prints, marked if that is not the exact number."""
    if not _book_head(scene, about):
        return []
    text = PRINTED.get((*about, *what))
    if text is None:
        return [""]
    if differs(text, exact):
        return [f'<b class="lv-differs">{text} ≠</b>']
    return [text]


def book_note(scene: LoanScene, node: NodeSums, about: tuple[str, ...] | None = ()) -> str:
    """Return a sentence about each printed gain that is not the exact one; "" if there is none."""
    if not _book_head(scene, about):
        return ""
    notes = []
    for sums in node.features:
        own = book_table().features[sums.feature]
        text = PRINTED.get((*about, "gain", own))
        if text is None or not differs(text, sums.gain):
            continue
        entropy = PRINTED[(*about, "entropy")]
        conditional = PRINTED.get((*about, "conditional", own), "")
        sentence = (
            "≠ The book prints {text} for {feature}, the difference of the rounded {entropy} and "
            "{conditional}; the exact gain is {exact}."
        )
        feature = scene.table.features[sums.feature]
        values = {"text": text, "feature": feature, "exact": digits(sums.gain)}
        notes.append(t(sentence, entropy=entropy, conditional=conditional, **values))
    return t(" ").join(notes)


def _book_head(scene: LoanScene, about: tuple[str, ...] | None) -> list[str]:
    return [t("book")] if scene.is_book and about is not None else []


def _ranks(node: NodeSums, by: str) -> list[str]:
    """Return the rank of each feature of the node; equal values share one."""
    values = np.array([node.value(sums, by) for sums in node.features])
    values = -values if by == "gini" else values
    return [
        str(1 + int(np.count_nonzero(values > v + 1e-12))) if np.isfinite(v) else "–"
        for v in values
    ]
