"""The sums that a textbook's chapter on decision trees prints, example by example."""

from __future__ import annotations

from dataclasses import dataclass

from .cells import Paper, PrintedCell

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


# ---- Figures of the print that are known to be wrong or uncertain, each with its reason


@dataclass(frozen=True)
class Misprint:
    """Why a figure, or several, must not be taken as printed."""

    paper: str
    table: int
    what: str  # what is wrong, in a sentence
    reason: str  # how that is known
    datasets: tuple[str, ...] = ()  # which cells; () for all
    algorithms: tuple[str, ...] = ()  # which cells; () for all
    metrics: tuple[str, ...] = ()  # which cells; () for all
    is_target: bool = False  # whether the figure can still be compared with

    def holds_of(self, cell: PrintedCell) -> bool:
        """Tell whether it speaks of a cell."""
        return (self.paper, self.table) == (cell.paper, cell.table) and all(
            not some or name in some
            for some, name in (
                (self.datasets, cell.dataset), (self.algorithms, cell.algorithm),
                (self.metrics, cell.metric),
            )
        )  # fmt: skip


SYNTHETIC = ("gauss_2D", "waveform", "waveformnoise", "twonorm", "ringnorm", "threenorm")

MISPRINTS: tuple[Misprint, ...] = (
    Misprint(
        "sodt", 2, "C4.5's error on Waveform repeats its cell of Spectf.",
        "Both are 25.1 ± 7.2; with 500 test rows a fold's error cannot vary by 7.2 points.",
        ("waveform",), ("C4.5",),
    ),
    Misprint(
        "sodt", 2, "C4.5's cell of Spectf is that of LSODT-L1.",
        "Both are 25.1 ± 7.2 here and 27.0 ± 4.2 in Table 3; C4.5 grows about 37 nodes there.",
        ("spectf",), ("C4.5",),
    ),
    Misprint(
        "sodt", 3, "C4.5's cell of Spectf is that of LSODT-L1.",
        "Both are 27.0 ± 4.2 here and 25.1 ± 7.2 in Table 2; C4.5 grows about 37 nodes there.",
        ("spectf",), ("C4.5",),
    ),
    Misprint(
        "sodt", 2, "The order of OC1's cells in the lower half is uncertain.",
        "The scan mixes the columns up, and the text fixes none of them.",
        SYNTHETIC, ("OC1",), is_target=True,
    ),
    Misprint(
        "sodt", 3, "The order of OC1's cells in the lower half is uncertain.",
        "The scan mixes the columns up; the text fixes Twonorm and Ringnorm alone.",
        ("gauss_2D", "waveform", "waveformnoise", "threenorm"), ("OC1",), is_target=True,
    ),
    Misprint(
        "sodt", 3, "The order of GSODT's cells in the lower half was restored.",
        "The scan mixes the columns up; the other rows and the text leave one plausible order.",
        SYNTHETIC, ("GSODT",), is_target=True,
    ),
    Misprint(
        "sodt", 2, "The figures of OC1 and CART-LC are those of a program, not of the methods.",
        "OC1's program searches a direction as if no value were negative, and these data lie "
        "around zero; a correct search errs about as little as GSODT.",
        SYNTHETIC, ("OC1", "CART-LC"),
    ),
    Misprint(
        "sodt", 4, "Only the times of Satellite can be read in this table.",
        "In the scan, rows and columns are mixed up; the largest time of a row is that of the "
        "largest data set. It is printed in milliseconds.",
        is_target=True,
    ),
    Misprint(
        "bnm_csn", 2, "CSN and BNM+CSN have the same accuracy on Australian.",
        "Both are 0.7899 although their trees have 55.0 and 18.8 leaves: probably copied.",
        ("australian",), ("CSN+Gini", "BNM+CSN+Gini"),
    ),
    Misprint(
        "bnm_csn", 4, "The mean accuracies are not those of Table 2.",
        "The means of Table 2 are 0.8276, 0.8405, 0.8297 and 0.8457; depths and leaves do agree "
        "with Table 3.",
        (), (), ("accuracy",),
    ),
    Misprint(
        "bnm_csn", 2, "The number of rows of Diabetic is printed as 1,762.",
        "The public file has 1,151.",
        ("Diabetic",), is_target=True,
    ),
    Misprint(
        "mcdf", 2, "Both figures on German credit lie below the larger class's share.",
        "Always predicting the majority class would be right for 70.0 %.",
        ("german",), (), ("accuracy",), is_target=True,
    ),
    Misprint(
        "mcdf", 5,
        "Trees and times of LargeSet4 to 6 are larger than the paper's rule for M gives.",
        "LargeSet4 differs from LargeSet1 in its number of rows alone, on which M does not depend: "
        "five times as many trees take five times as long, not 50 times.",
        ("LargeSet4", "LargeSet5", "LargeSet6"), is_target=True,
    ),
    Misprint(
        "svm_tree", 2, "The columns are headed line 1 to 3.",
        "Wine has classes, not lines: the heading is that of Table 1.",
        is_target=True,
    ),
)  # fmt: skip


def misprints_of(cell: PrintedCell) -> tuple[Misprint, ...]:
    """Return what is known to be wrong or uncertain about a printed figure."""
    return tuple(each for each in MISPRINTS if each.holds_of(cell))
