"""Numbers of the page *textbook* as HTML: headline, tables of sums, the book's figures."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from lastviz._sentences import Statement
from lastviz.inspection import CutSums, FeatureSums, NodeSums, NominalTable
from lastviz.ui.text import paragraph, t

from .scene import LoanScene, PointsScene, book_table

entropy_general = r"H(D) = -\sum_{k=1}^{K} \frac{|C_k|}{|D|} \log_2 \frac{|C_k|}{|D|}"


def digits(value: float, places: int = 6) -> str:
    """Number with up to so many decimals, without idle noughts; "–" where it is none."""
    text = fixed_decimals(value, places)
    return text.rstrip("0").rstrip(".") if "." in text else text


def fixed_decimals(value: float, places: int = 6) -> str:
    """Number with so many decimals, for the column of a table; "–" where it is none."""
    return f"{value:.{places}f}" if np.isfinite(value) else "–"


def bold(value: float) -> str:
    """Result of a formula."""
    return rf"\mathbf{{{digits(value)}}}" if np.isfinite(value) else r"\text{–}"


def name(text: str) -> str:
    """Name as upright LaTeX text."""
    return rf"\text{{{_safe(text)}}}"


def entropy_formula(counts: np.ndarray, value: float, of: str = "H(D)") -> str:
    """Formula ``H(D) = -9/15 log 9/15 - 6/15 log 6/15 = 0.970951``."""
    return rf"{of} = {_entropy(counts)} = {bold(value)}"


def gain_formula(table: NominalTable, node: NodeSums, sums: FeatureSums, data: str = "D") -> str:
    """Formulas of a feature's conditional entropy and gain, one line per category."""
    feature = name(table.features[sums.feature])
    n = int(sums.sizes.sum())
    lines = []
    for i in np.flatnonzero(sums.sizes):
        entropy = _entropy(sums.counts[i])
        inside = r"\cdot 0" if entropy == "0" else rf"\left({entropy}\right)"
        part = rf"\tfrac{{{sums.sizes[i]}}}{{{n}}}{inside}"
        about = rf"&& \text{{{feature_value(table, sums.feature, i)}}}"
        lines.append(("= " if not lines else r"\;+ ") + part + about)
    rows = r" \\ & ".join(lines)
    g = rf"g({data}, {feature})"
    gain = rf"{digits(node.entropy)} - {digits(sums.conditional)} = {bold(sums.gain)}"
    return (
        r"\begin{aligned}"
        rf"H({data} \mid {feature}) & {rows} \\ & = {bold(sums.conditional)} \\"
        rf"{g} & = \mathrlap{{{gain}}}"  # so that the words above stand close to their sums
        r"\end{aligned}"
    )


def ratio_formula(table: NominalTable, node: NodeSums, sums: FeatureSums) -> str:
    """Split information of a feature and both gain ratios."""
    feature = name(table.features[sums.feature])
    split = rf"H_{{{feature}}}(D)"
    ratio, printed = (
        rf"\frac{{{digits(sums.gain)}}}{{{digits(below)}}} = {bold(value)}"
        for below, value in (
            (sums.information, sums.gain_ratio),
            (node.entropy, sums.gain_ratio_entropy),
        )
    )
    g = rf"g(D, {feature})"
    return (
        rf"{split} = {_entropy(sums.sizes)} = {bold(sums.information)} \\[2pt]"
        rf"\frac{{{g}}}{{{split}}} = {ratio} \\[4pt]"
        rf"\frac{{{g}}}{{H(D)}} = {printed} \quad \text{{(5.10)}}"
    )


def gini_formula(table: NominalTable, sums: FeatureSums, category: int) -> str:
    """Formula of Gini(D, A = a) for one test."""
    inside = sums.counts[category]
    outside = sums.counts.sum(axis=0) - inside
    n = int(sums.sizes.sum())
    about = rf"\text{{{feature_value(table, sums.feature, category)}}}"
    parts = " + ".join(
        rf"\tfrac{{{side.sum()}}}{{{n}}}\left({_gini(side)}\right)"
        for side in (inside, outside)
        if side.sum()
    )
    return rf"\mathrm{{Gini}}(D, {about}) = {parts} = {bold(float(sums.gini[category]))}"


# Its sides hold the values `left` and `right`.
def cut_formula(cuts: CutSums, i: int, left: Sequence[float], right: Sequence[float]) -> str:
    """Formulas of the means and loss of the cut `i`."""
    s = digits(float(cuts.s[i]))
    return (
        r"\begin{aligned}"
        rf"R_1 = \{{x \le {s}\}}:\quad c_1 & = {_mean(left)} = {bold(float(cuts.c1[i]))} \\"
        rf"R_2 = \{{x > {s}\}}:\quad c_2 & = {_mean(right)} = {bold(float(cuts.c2[i]))} \\"
        rf"m({s}) & = \sum_{{R_1}} (y_i - c_1)^2 + \sum_{{R_2}} (y_i - c_2)^2 \\"
        rf"& = {digits(float(cuts.loss1[i]))} + {digits(float(cuts.loss2[i]))}"
        rf" = {bold(float(cuts.loss[i]))}"
        r"\end{aligned}"
    )


def feature_value(table: NominalTable, feature: int, category: int) -> str:
    """Text such as ``age = youth`` for a place inside LaTeX text."""
    return _safe(f"{table.features[feature]} = {table.categories[feature][category]}")


def _safe(text: str) -> str:
    return "".join(rf"\{sign}" if sign in "_%$#&{}" else sign for sign in text)


def _entropy(counts: np.ndarray) -> str:
    """The sum of p log p; a class without rows adds nothing and is left out."""
    n = int(counts.sum())
    if counts.max() == n:
        return "0"
    shares = [rf"\tfrac{{{c}}}{{{n}}}" for c in counts if c]
    return " ".join(rf"-{share}\log_2{share}" for share in shares)


def _gini(counts: np.ndarray) -> str:
    n = int(counts.sum())
    squares = "".join(rf"-\left(\tfrac{{{c}}}{{{n}}}\right)^2" for c in counts if c)
    return f"1 {squares}"


def _mean(values: Sequence[float]) -> str:
    few = [digits(v, 2) for v in values]
    shown = few if len(few) <= 4 else [*few[:2], r"\dots", few[-1]]
    return rf"\tfrac{{1}}{{{len(few)}}}({' + '.join(shown)})"


# ---------------------------------------------------------------- words


Row = tuple[Sequence[str], bool]
"""The cells of a row as html, and whether it is the chosen one."""


def table(head: Sequence[str], rows: Sequence[Row], caption: str = "", name: str = "") -> str:
    """Table of numbers; the first cell of each row is its head."""
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


MEASURES = {  # of a part of the chapter that has its own
    "ratio": ("gain_ratio", Statement("gain ratio")), "gini": ("gini", Statement("Gini")),
}  # fmt: skip


def root_finding(scene: LoanScene) -> Statement:
    """Statement on the best test of the root by the measure that the part is about."""
    by, score = MEASURES.get(scene.view.lesson, ("gain", Statement("gain")))
    return Statement(
        "**By {score}, the best test at the root is {features}**; the entropy of the {n} rows is "
        "{entropy} bits.",
        score=score,
        features=winners(scene.table, scene.root, by),
        n=scene.table.n_rows,
        entropy=digits(scene.root.entropy),
    )


def cut_finding(scene: PointsScene) -> Statement:
    """Statement on the first cut of a regression tree."""
    cuts = scene.cuts
    if cuts.best < 0:
        return Statement(
            "All points have the same x, so there is no place to cut: the tree is one mean."
        )
    return Statement(
        "**The best first cut is x ≤ {s}**: the loss falls from {before} to {after}.",
        s=digits(float(cuts.s[cuts.best])),
        before=digits(float(((scene.y - scene.y.mean()) ** 2).sum())),
        after=digits(float(cuts.loss[cuts.best])),
    )


def winners(names: NominalTable, node: NodeSums, by: str) -> str:
    """Features that tie for the best, "–" where none parts the rows."""
    best = node.favourites(by)
    if by != "gini":
        best = [sums for sums in best if sums.gain > 0]
    return t(", ").join(names.features[sums.feature] for sums in best) or "–"


def gains_table(scene: LoanScene, node: NodeSums, about: tuple[str, ...] | None = ()) -> str:
    """Table of conditional entropies and gains.

    `about` names the rows in the words of the printed numbers, None where the book prints none.
    """
    ranks = _ranks(node, "gain")
    head = [t("feature A"), "H(D | A)", "g(D, A)", t("rank"), *_book_head(scene, about)]
    rows = []
    for i, sums in enumerate(node.features):
        feature = scene.table.features[sums.feature]
        cells = [
            escape(feature),
            fixed_decimals(sums.conditional),
            fixed_decimals(sums.gain),
            ranks[i],
        ]
        cells += printed_cell(
            scene, about, ("gain", book_table().features[sums.feature]), sums.gain
        )
        rows.append((cells, ranks[i] == "1" and sums.gain > 0))
    return table(head, rows, name="gain")


def ratios_table(scene: LoanScene, node: NodeSums) -> str:
    """Table of split information and both gain ratios with their ranks."""
    split, entropy = _ranks(node, "gain_ratio"), _ranks(node, "gain_ratio_entropy")
    head = [t("feature A"), "g(D, A)", "H<sub>A</sub>(D)", "g / H<sub>A</sub>(D)", t("rank")]
    head += ["g / H(D)", t("rank")]
    rows = []
    for i, sums in enumerate(node.features):
        cells = [escape(scene.table.features[sums.feature]), fixed_decimals(sums.gain)]
        cells += [fixed_decimals(sums.information), fixed_decimals(sums.gain_ratio), split[i]]
        cells += [fixed_decimals(sums.gain_ratio_entropy), entropy[i]]
        rows.append((cells, split[i] == "1" and sums.gain > 0))
    return table(head, rows, name="ratio")


def gini_table(scene: LoanScene, node: NodeSums, about: tuple[str, ...] | None = ()) -> str:
    """Table of Gini(D, A = a) for every test, the smallest marked.

    `about` is as for the gains.
    """
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
            cells.append(fixed_decimals(value))
            own = book_table().features[at], book_table().categories[at][category]
            cells += printed_cell(scene, about, ("gini", *own), value)
            rows.append((cells, abs(value - best) <= 1e-12))
    return table(head, rows, name="gini")


def cuts_table(cuts: CutSums) -> str:
    """Table of the means and losses of all cuts, the best marked."""
    columns = (each.tolist() for each in (cuts.s, cuts.c1, cuts.c2, cuts.loss))
    rows = [
        (
            [digits(s), fixed_decimals(c1, 4), fixed_decimals(c2, 4), fixed_decimals(loss)],
            i == cuts.best,
        )
        for i, (s, c1, c2, loss) in enumerate(zip(*columns, strict=True))
    ]
    head = ["s", "c<sub>1</sub>", "c<sub>2</sub>", t("loss m(s)")]
    return table(head, rows, name="cuts")


PRINTED: dict[tuple[str, ...], str] = {
    ("entropy",): "0.971",
    ("gain", "age"): "0.083",
    ("gain", "job"): "0.324",
    ("gain", "house"): "0.420",
    ("gain", "credit"): "0.363",
    ("conditional", "age"): "0.888",
    ("conditional", "credit"): "0.608",
    ("no house", "entropy"): "0.918",
    ("no house", "gain", "age"): "0.251",
    ("no house", "gain", "job"): "0.918",
    ("no house", "gain", "credit"): "0.474",
    ("no house", "conditional", "age"): "0.667",
    ("gini", "age", "youth"): "0.44",
    ("gini", "age", "middle"): "0.48",
    ("gini", "age", "old"): "0.44",
    ("gini", "job", "yes"): "0.32",
    ("gini", "house", "yes"): "0.27",
    ("gini", "credit", "very good"): "0.36",
    ("gini", "credit", "good"): "0.47",
    ("gini", "credit", "fair"): "0.32",
}
"""Sums of the book's examples 5.2 to 5.4 as they are printed."""


def differs(printed: str, exact: float) -> bool:
    """Whether a printed number is not `exact` rounded to as many decimals."""
    decimals = len(printed.partition(".")[2])
    return abs(float(printed) - exact) > 0.5 * 10.0**-decimals + 1e-12


def printed_cell(
    scene: LoanScene, about: tuple[str, ...] | None, what: tuple[str, ...], exact: float
) -> list[str]:
    """Cell with the number that the book prints, marked if it is not the exact one."""
    if not _book_head(scene, about):
        return []
    text = PRINTED.get((*about, *what))
    if text is None:
        return [""]
    if differs(text, exact):
        return [f'<b class="lv-differs">{text} ≠</b>']
    return [text]


def book_note(scene: LoanScene, node: NodeSums, about: tuple[str, ...] | None = ()) -> str:
    """Sentence about each printed gain that is not the exact one; "" if there is none."""
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
    return paragraph(notes)


def _book_head(scene: LoanScene, about: tuple[str, ...] | None) -> list[str]:
    return [t("book")] if scene.is_book and about is not None else []


def _ranks(node: NodeSums, by: str) -> list[str]:
    """Rank of each feature of the node; equal values share one."""
    values = np.array([node.value(sums, by) for sums in node.features])
    values = -values if by == "gini" else values
    return [
        str(1 + int(np.count_nonzero(values > v + 1e-12))) if np.isfinite(v) else "–"
        for v in values
    ]
