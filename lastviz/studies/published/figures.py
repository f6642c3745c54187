"""The papers' figures: what each shows, the scenes that draw it here, and the numbers it prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, nan

from .cells import CellKey, Ours

Figures = Mapping[CellKey, Ours]


@dataclass(frozen=True)
class BestWithin:
    """On which share of the data sets the best value of a parameter lies within bounds."""

    sentence: str  # what the paper says, in our words, and where
    place: str  # what the paper says, in our words, and where
    printed: float  # the share in percent; NaN where the paper gives none
    algorithm: str  # as they are printed; "best_w2" or "best_k"
    metric: str  # as they are printed; "best_w2" or "best_k"
    low: float  # both bounds belong to it
    high: float  # both bounds belong to it
    unit: str = "%"

    def found(self, figures: Figures) -> tuple[float, int]:
        """Return our share in percent and over how many data sets; NaN and 0 without any."""
        values = list(best_values(figures, self.algorithm, self.metric).values())
        inside = sum(self.low <= value <= self.high for value in values)
        return (100.0 * inside / len(values) if values else nan), len(values)


@dataclass(frozen=True)
class MeanGap:
    """By how much an algorithm's figures exceed another's, in the mean over data sets."""

    sentence: str
    place: str
    printed: float  # in `unit`
    better: str  # algorithms as they are printed; the difference is `better` less `worse`
    worse: str  # algorithms as they are printed; the difference is `better` less `worse`
    metric: str
    datasets: tuple[str, ...]  # those that are not at hand are left out of our mean
    factor: float = 1.0  # from the metric's unit to that of the print
    unit: str = ""

    def found(self, figures: Figures) -> tuple[float, int]:
        """Return our mean difference and over how many data sets; NaN and 0 without any."""
        gaps = []
        for name in self.datasets:
            one = figures.get((name, self.better, self.metric, ""))
            other = figures.get((name, self.worse, self.metric, ""))
            if one is not None and other is not None:
                gaps.append(self.factor * (one.mean - other.mean))
        return (sum(gaps) / len(gaps) if gaps else nan), len(gaps)


Statement = BestWithin | MeanGap


@dataclass(frozen=True)
class PrintedFigure:
    """A figure of a paper."""

    paper: str  # key of `PAPERS`
    number: int
    title: str
    shows: str  # what the print shows, in our words
    # {"models", "classes", "spaces", "best", "against"}: what is drawn: the regions of each scene's
    # model, the classes of its data, its classes in two spaces, counts of best values, or two
    # algorithms side by side.
    kind: str
    # Titles and links of the app, where it is drawn from scenes.
    scenes: tuple[tuple[str, str], ...] = ()
    datasets: tuple[str, ...] = ()  # as printed; the rows of kind "against"
    compared: tuple[str, ...] = ()  # algorithms as printed, of the kinds "best" and "against"
    says: tuple[Statement, ...] = ()  # the numbers that it or its text gives
    # {"", "pairs", "machines"}: what is counted beside it, on the first of its scenes: how far
    # apart two classes are, or what the machines of an SVM tree learn from.
    counted: str = ""

    @property
    def cells(self) -> tuple[CellKey, ...]:
        """The cells that it is drawn from, besides the best values of tables."""
        metrics = ("accuracy", "mae", "depth")
        return tuple((d, a, m, "") for d in self.datasets for a in self.compared for m in metrics)

    @property
    def best_of(self) -> tuple[str, ...]:
        """The algorithms whose best values on the data sets of tables it is drawn from."""
        return self.compared if self.kind == "best" else ()


def best_values(figures: Figures, algorithm: str, metric: str) -> dict[str, float]:
    """Return the best value of a parameter by data set, "best_w2" or "best_k"."""
    return {
        dataset: each.mean
        for (dataset, name, quantity, _), each in figures.items()
        if (name, quantity) == (algorithm, metric) and isfinite(each.mean)
    }


XOR = "data=xor&n_samples=200&noise=0.1&held=0&m=hybrid&m.criterion="
SPIRALS = "data=three_spirals&n_samples=720&held=0.333"
BNM, CSN, BOTH = "BNM+Gini", "CSN+Gini", "BNM+CSN+Gini"
MCDF, REMT = "MCDF", "REMT"
MADE = ("Set1", "Set2", "Set3", "Set4")
REAL = ("wine", "score", "breast_w", "car", "german", "adult", "australian", "cpu")
TEXT = "section 3.2"


#: What a difference is printed in: the factor from ours, and the unit.
PRINTED_IN = {
    "accuracy": (100.0, "percentage points"),
    "mae": (1.0, "classes"),
    "depth": (1.0, "levels"),
}


def _against(sentence: str, printed: float, metric: str, datasets: tuple[str, ...]) -> MeanGap:
    return MeanGap(sentence, TEXT, printed, MCDF, REMT, metric, datasets, *PRINTED_IN[metric])


FIGURES: dict[tuple[str, int], PrintedFigure] = {
    ("sodt", 3): PrintedFigure(
        "sodt", 3, "Waveform in two spaces",
        "The best plane of two features beside the best plane of two latent attributes: in the "
        "second the classes are separated.",
        "spaces", (("GSODT", "data=waveform&n_samples=5000&unlabelled=true&m=gsodt"),),
    ),
    ("bnm_csn", 1): PrintedFigure(
        "bnm_csn", 1, "Trees on four clusters (XOR)",
        "Four trees on 200 rows: Gini cuts clusters to pieces, BNM+CSN keeps them whole with two "
        "questions. The paper prints neither the clusters' spread nor w2 and k: here the spread "
        "is 0.1, and w2 and k are the largest of its ranges, 0.1 and 30.",
        "models",
        (
            ("Gini", f"{XOR}gini"),
            (BNM, f"{XOR}bnm&m.w2=0.1"),
            (CSN, f"{XOR}csn&m.k=30"),
            (BOTH, f"{XOR}bnm%2Bcsn&m.w2=0.1&m.k=30"),
        ),
    ),
    ("bnm_csn", 2): PrintedFigure(
        "bnm_csn", 2, "Best parameters",
        "How many data sets do best with which weight w2 and with how many candidates k.",
        "best",
        compared=(BNM, CSN, BOTH),
        says=(
            BestWithin("The best w2 of BNM+Gini lies from 0.01 to 0.03.", "section 3.4", 62.0,
                       BNM, "best_w2", 0.01, 0.03),
            BestWithin("The best w2 of BNM+CSN+Gini lies from 0.005 to 0.03.", "section 3.4", 81.0,
                       BOTH, "best_w2", 0.005, 0.03),
            BestWithin("More data sets do best with k = 2 than with any other (CSN+Gini).",
                       "section 3.4", nan, CSN, "best_k", 2, 2),
            BestWithin("More data sets do best with k = 2 than with any other (BNM+CSN+Gini).",
                       "section 3.4", nan, BOTH, "best_k", 2, 2),
        ),
    ),
    ("mcdf", 1): PrintedFigure(
        "mcdf", 1, "The artificial data sets",
        "Set1 to Set4: 1,000 rows each, with 2, 4, 6 and 8 ordered classes that rise with both "
        "features.",
        "classes",
        tuple(
            (name, f"data=monotone&n_samples=1000&n_classes={2 * place}&m=mcdf")
            for place, name in enumerate(MADE, 1)
        ),
    ),
    ("mcdf", 2): PrintedFigure(
        "mcdf", 2, "REMT and MCDF on the artificial sets",
        "Bars of accuracy, of the mean absolute error and of the depth; only the differences "
        "in the text can be read.",
        "against", datasets=MADE, compared=(REMT, MCDF),
        says=(
            _against("On Set1 MCDF is more accurate.", 0.9, "accuracy", ("Set1",)),
            _against("On Set2 MCDF is more accurate.", 0.6, "accuracy", ("Set2",)),
            _against("On Set3 MCDF is less accurate.", -0.4, "accuracy", ("Set3",)),
            _against("On Set4 MCDF is more accurate.", 1.8, "accuracy", ("Set4",)),
            _against("In the mean MCDF is more accurate.", 0.72, "accuracy", MADE),
            _against("In the mean its error in classes is smaller.", -0.0073, "mae", MADE),
            _against("In the mean its trees are shallower.", -1.6, "depth", MADE),
        ),
    ),
    ("mcdf", 3): PrintedFigure(
        "mcdf", 3, "REMT and MCDF on the real sets",
        "Bars of accuracy, of the mean absolute error and of the depth; only the differences in "
        "the text can be read. Our means are over the sets that are at hand.",
        "against", datasets=REAL, compared=(REMT, MCDF),
        says=(
            _against("In the mean MCDF is more accurate.", 4.14, "accuracy", REAL),
            _against("In the mean its error in classes is smaller.", -0.0421, "mae", REAL),
            _against("In the mean its trees are shallower.", -3.21, "depth", REAL),
        ),
    ),
    ("svm_tree", 1): PrintedFigure(
        "svm_tree", 1, "Equal distances, unequal spreads",
        "Classes whose centres are equally far apart are not equally easy to separate: what "
        "counts is the distance against the spreads.",
        "classes",
        (
            ("Separability in the kernel space", "data=two_spreads&held=0&m=svm_tree"),
            ("Distance of the centres", "data=two_spreads&held=0&m=svm_tree&m.order=euclidean"),
        ),
        counted="pairs",
    ),
    ("svm_tree", 2): PrintedFigure(
        "svm_tree", 2, "Three spirals over three periods",
        "240 points on each of three arms wound around each other, the task of table 1.",
        "classes",
        (("Three spirals", f"{SPIRALS}&m=svm_tree&m.sigma=15&m.C=1000"),),
        counted="machines",
    ),
}  # fmt: skip
