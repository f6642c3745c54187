"""The textbook's formulas with the numbers of a table filled in, as LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import CutSums, FeatureSums, NodeSums, NominalTable

entropy_general = r"H(D) = -\sum_{k=1}^{K} \frac{|C_k|}{|D|} \log_2 \frac{|C_k|}{|D|}"


def digits(value: float, places: int = 6) -> str:
    """Return a number with up to so many decimals, without idle noughts; "–" where it is none."""
    text = fixed(value, places)
    return text.rstrip("0").rstrip(".") if "." in text else text


def fixed(value: float, places: int = 6) -> str:
    """Return a number with so many decimals, for the column of a table; "–" where it is none."""
    return f"{value:.{places}f}" if np.isfinite(value) else "–"


def bold(value: float) -> str:
    """Return the result of a formula."""
    return rf"\mathbf{{{digits(value)}}}" if np.isfinite(value) else r"\text{–}"


def name(text: str) -> str:
    """Return a name as upright LaTeX text."""
    return rf"\text{{{_safe(text)}}}"


def entropy_formula(counts: np.ndarray, value: float, of: str = "H(D)") -> str:
    """Return ``H(D) = -9/15 log 9/15 - 6/15 log 6/15 = 0.970951``."""
    return rf"{of} = {_entropy(counts)} = {bold(value)}"


def gain_formula(table: NominalTable, node: NodeSums, sums: FeatureSums, data: str = "D") -> str:
    """Return conditional entropy and gain of a feature, a line for each of its categories."""
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
    """Return the split information of a feature and both gain ratios."""
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
    """Return Gini(D, A = a) of one test."""
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


def cut_formula(cuts: CutSums, i: int, left: Sequence[float], right: Sequence[float]) -> str:
    """Return means and loss of the cut `i`, whose sides hold the values `left` and `right`."""
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
    """Return ``age = youth`` for a place inside of LaTeX text."""
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
