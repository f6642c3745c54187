"""The sums that a textbook's chapter on decision trees prints, example by example."""

from __future__ import annotations

from dataclasses import dataclass

from .cells import Paper

CHAPTER = Paper(
    "textbook",
    "Decision trees: a textbook's chapter",
    "Li, H. (2012). Statistical Learning Methods, 1st edition, chapter 5. "
    "Tsinghua University Press",
    "Sums over the fifteen loan applications of table 5.1, worked out by hand: nothing is random, "
    "so ours must agree to the last printed digit.",
)


SIGNS = {"entropy": "H(D)", "gain": "g(D, {feature})", "gini": "Gini(D, {feature} = {category})"}


@dataclass(frozen=True)
class PrintedSum:
    """A sum as it is printed."""

    # {"entropy", "gain", "gini", "conditional"}: entropies and gains in bits; names of
    # `lastviz.inspection.NodeSums` and its features.
    quantity: str
    feature: str  # of table 5.1; "" where the sum is about none
    category: str  # the value that is parted from the others, for Gini; else ""
    printed: str  # the digits of the print
    reason: str = ""  # why ours differs, where it does

    @property
    def sign(self) -> str:
        """What the book writes for it."""
        return SIGNS[self.quantity].format(feature=self.feature, category=self.category)


@dataclass(frozen=True)
class Example:
    """A worked example."""

    number: str
    title: str
    # Feature and value: only rows with it are summed over, and the feature is not asked again.
    without: tuple[str, str] | None
    lesson: str  # the part of the page *textbook* that writes its sums out
    sums: tuple[PrintedSum, ...]
    # Conditional entropies, from which gains are subtracted.
    intermediate: tuple[PrintedSum, ...] = ()

    @property
    def name(self) -> str:
        """What a link calls it."""
        return f"{CHAPTER.key}_example{self.number.partition('.')[2]}"


ROUNDED = "The book subtracts rounded numbers, 0.918 and 0.667."

EXAMPLES: dict[str, Example] = {
    example.name: example
    for example in (
        Example(
            "5.2",
            "gains at the root",
            None,
            "gain",
            (
                PrintedSum("entropy", "", "", "0.971"),
                PrintedSum("gain", "age", "", "0.083"),
                PrintedSum("gain", "job", "", "0.324"),
                PrintedSum("gain", "house", "", "0.420"),
                PrintedSum("gain", "credit", "", "0.363"),
            ),
            (
                PrintedSum("conditional", "age", "", "0.888"),
                PrintedSum("conditional", "credit", "", "0.608"),
            ),
        ),
        Example(
            "5.3",
            "gains below the root",
            ("house", "no"),
            "tree",
            (
                PrintedSum("entropy", "", "", "0.918"),
                PrintedSum("gain", "age", "", "0.251", ROUNDED),
                PrintedSum("gain", "job", "", "0.918"),
                PrintedSum("gain", "credit", "", "0.474"),
            ),
            (PrintedSum("conditional", "age", "", "0.667"),),
        ),
        Example(
            "5.4",
            "Gini indices at the root",
            None,
            "gini",
            (
                PrintedSum("gini", "age", "youth", "0.44"),
                PrintedSum("gini", "age", "middle", "0.48"),
                PrintedSum("gini", "age", "old", "0.44"),
                PrintedSum("gini", "job", "yes", "0.32"),
                PrintedSum("gini", "house", "yes", "0.27"),
                PrintedSum("gini", "credit", "very good", "0.36"),
                PrintedSum("gini", "credit", "good", "0.47"),
                PrintedSum("gini", "credit", "fair", "0.32"),
            ),
        ),
    )
}

PRINTED: dict[tuple[str, ...], str] = {
    (
        *([f"{example.without[1]} {example.without[0]}"] if example.without else []),
        *filter(None, (each.quantity, each.feature, each.category)),
    ): each.printed
    for example in EXAMPLES.values()
    for each in (*example.sums, *example.intermediate)
}
"""Numbers as they are printed: ``PRINTED["no house", "gain", "age"]``."""


def differs(printed: str, exact: float) -> bool:
    """Tell whether a printed number is not `exact` rounded to as many decimals."""
    decimals = len(printed.partition(".")[2])
    return abs(float(printed) - exact) > 0.5 * 10.0**-decimals + 1e-12
