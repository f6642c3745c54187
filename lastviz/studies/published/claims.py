"""Claims of the papers, each as a sentence with the cells that decide it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite, nan

from lastviz._sentences import Statement

from .cells import QUANTITIES, CellKey, published_cells
from .sets import PRINTED_SETS

LEVEL = 1e-9  # figures closer than this are equal

Row = tuple[str, str, str]
"""Data set, metric and setting: what is decided once for all algorithms."""


@dataclass(frozen=True)
class Claim:
    """One claim of a paper.

    In each row that decides it (a data set, a metric, a setting) the best of `better` must beat
    the best of `worse`, or all of them must stay below `bound`.
    """

    key: str
    paper: str
    place: str  # where it stands in the paper
    sentence: str  # in our words
    # Whose cells decide it; None where no printed table does, but figures of ours can.
    table: int | None
    metrics: tuple[str, ...]  # keys of `QUANTITIES`
    better: tuple[str, ...]  # algorithms as they are printed
    worse: tuple[str, ...] = ()  # algorithms as they are printed
    or_equal: bool = False  # whether being equal is enough
    beats_all: bool = False  # whether the worst of `better` is what must beat the others
    # The data sets that it speaks of; () for all of the table. All are named if there is none.
    datasets: tuple[str, ...] = ()
    # In how many rows it holds, as the paper says; None where the paper does not count.
    stated: int | None = None
    bound: float = nan  # what no figure may reach; NaN for none
    spread: bool = False  # whether it speaks of the standard deviations

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows that decide it: of its table, or one for each data set and metric."""
        if self.table is None:
            return tuple((name, metric, "") for name in self.datasets for metric in self.metrics)
        found = (
            (cell.dataset, cell.metric, cell.setting)
            for cell in published_cells(self.paper, self.table)
            if cell.metric in self.metrics and cell.dataset in (self.datasets or (cell.dataset,))
        )
        return tuple(dict.fromkeys(found))

    @property
    def cells(self) -> tuple[CellKey, ...]:
        """The cells that decide it."""
        names = (*self.better, *self.worse)
        return tuple((d, name, metric, s) for d, metric, s in self.rows for name in names)


@dataclass(frozen=True)
class Tally:
    """In which rows a claim holds."""

    # holds, fails, level, lacking: tuple of (str, str, str), rows where it holds, where it does
    # not, where the difference is within noise, and where a figure is missing
    holds: tuple[Row, ...]
    fails: tuple[Row, ...]
    level: tuple[Row, ...]
    lacking: tuple[Row, ...]
    # The share of the rows in which it holds, as the paper says; 1 where it does not count.
    stated: float

    @property
    def n_tested(self) -> int:
        """Rows with all figures."""
        return len(self.holds) + len(self.fails) + len(self.level)

    @property
    def verdict(self) -> Statement:
        """Verdict, an English text with ``{name}`` in place of each value, and the values.

        It does not reproduce where it fails somewhere and holds less than half as often as the
        paper says; a difference within noise speaks neither for it nor against it.
        """
        n, total = len(self.holds), self.n_tested
        if not total:
            return Statement("not tested")
        if n == total:
            return Statement("holds")
        if len(self.level) == total:
            return Statement("within noise")
        holds = not self.fails or 2 * n >= self.stated * total
        text = "holds on {n} of {total}" if holds else "does not reproduce: {n} of {total}"
        return Statement(text, n=n, total=total)


def printed_values(paper: str, table: int, *, spread: bool = False) -> dict[CellKey, float]:
    """Printed figures of a table by their cells, or their standard deviations."""
    cells = published_cells(paper, table)
    return {cell.key: cell.spread if spread else cell.mean for cell in cells}


def tally(
    claim: Claim,
    values: Mapping[CellKey, float],
    *,
    noise: Callable[[CellKey, CellKey], float] | None = None,
) -> Tally:
    """Rows of a claim that hold or fail by given figures, the printed ones or ours.

    Parameters
    ----------
    claim : Claim
    values : mapping of cell to float
        In the units of the print; a missing one or NaN leaves its row open.
    noise : callable, optional
        How large a difference of two cells may be by chance; smaller ones decide nothing. None
        where every difference counts.

    Notes
    -----
    O(cells).
    """
    parts: dict[str, list[Row]] = {"holds": [], "fails": [], "level": [], "lacking": []}
    for row in claim.rows:
        parts[_decided(claim, row, values, noise)].append(row)
    stated = 1.0 if claim.stated is None else claim.stated / len(claim.rows)
    return Tally(**{name: tuple(rows) for name, rows in parts.items()}, stated=stated)


def _decided(
    claim: Claim,
    row: Row,
    values: Mapping[CellKey, float],
    noise: Callable[[CellKey, CellKey], float] | None,
) -> str:
    dataset, metric, setting = row
    sign = 1.0 if QUANTITIES[metric].larger_is_better and not claim.spread else -1.0

    def worth(names: tuple[str, ...]) -> list[tuple[float, CellKey]]:
        keys = [(dataset, name, metric, setting) for name in names]
        return [(sign * values.get(key, nan), key) for key in keys]

    ours, others = worth(claim.better), worth(claim.worse)
    if not all(isfinite(value) for value, _ in (*ours, *others)):
        return "lacking"
    if isfinite(claim.bound):
        return "holds" if all(-value < claim.bound for value, _ in ours) else "fails"
    (own, own_key), (best, best_key) = (min if claim.beats_all else max)(ours), max(others)
    if noise is not None and abs(own - best) <= noise(own_key, best_key):
        return "level"
    wins = own > best + LEVEL or (claim.or_equal and own > best - LEVEL)
    return "holds" if wins else "fails"


ALL_OF_SODT = tuple(each.name for each in PRINTED_SETS["sodt"])
SMALL_OF_MCDF = tuple(
    each.name for each in PRINTED_SETS["mcdf"] if not each.name.startswith("LargeSet")
)
SODT = ("GSODT", "LSODT-L1", "LSODT-L2", "LSODT-L3")
LSODT = SODT[1:]
OTHERS = ("C4.5", "OC1", "CART-LC")
PEERS = ("C4.5", "Gini", "Segment+C4.5", "SPES", "SPCE")
BNM, CSN, BOTH = "BNM+Gini", "CSN+Gini", "BNM+CSN+Gini"
BY_CLASS = ("accuracy_class_1", "accuracy_class_2", "accuracy_class_3")
IMPROVED, TRADITIONAL = ("SVM tree (improved)",), ("SVM tree (traditional)",)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "sodt_errs_least", "sodt", "section 3.2",
        "The best SODT errs less than C4.5, OC1 and CART-LC on most data sets.",
        2, ("error",), SODT, OTHERS,
    ),
    Claim(
        "gsodt_below_c45", "sodt", "abstract",
        "Trees in a latent space (GSODT) err less than C4.5.",
        2, ("error",), ("GSODT",), ("C4.5",),
    ),
    Claim(
        "c45_no_worse_than_oblique", "sodt", "section 3.2",
        "C4.5 errs no more than OC1 and CART-LC on 7 of 12 data sets.",
        2, ("error",), ("C4.5",), ("OC1", "CART-LC"), or_equal=True, stated=7,
    ),
    Claim(
        "local_no_worse", "sodt", "section 3.2",
        "On 7 data sets at least one LSODT errs no more than GSODT.",
        2, ("error",), LSODT, ("GSODT",), or_equal=True, stated=7,
    ),
    Claim(
        "local_better_where_parts_differ", "sodt", "section 3.2",
        "Local latent spaces lower the error clearly on Spectf and Vowel.",
        2, ("error",), LSODT, ("GSODT",), datasets=("spectf", "vowel"),
    ),
    Claim(
        "sodt_smaller_than_c45", "sodt", "section 3.3",
        "SODT builds smaller trees than C4.5.",
        3, ("nodes",), ("GSODT",), ("C4.5",),
    ),
    Claim(
        "oc1_largest", "sodt", "section 3.3",
        "On Twonorm and Ringnorm OC1 builds larger trees than C4.5.",
        3, ("nodes",), ("C4.5",), ("OC1",), datasets=("twonorm", "ringnorm"), stated=2,
    ),
    Claim(
        "sodt_below_370_nodes", "sodt", "section 3.3",
        "No tree of SODT has 370 nodes.",
        3, ("nodes",), SODT, bound=370.0,
    ),
    Claim(
        "sodt_steadiest_sizes", "sodt", "section 3.3",
        "On 9 data sets the sizes of an SODT vary least over the folds.",
        3, ("nodes",), SODT, OTHERS, stated=9, spread=True,
    ),
    Claim(
        "sodt_fast", "sodt", "section 3.4",
        "Every SODT variant builds its trees faster than OC1 and CART-LC.",
        None, ("seconds",), SODT, ("OC1", "CART-LC"), beats_all=True, datasets=ALL_OF_SODT,
    ),
    Claim(
        "both_best", "bnm_csn", "section 3.2.2",
        "BNM+CSN with Gini is the most accurate of all eight on 12 data sets.",
        2, ("accuracy",), (BOTH,), (*PEERS, BNM, CSN), or_equal=True, stated=12,
    ),
    Claim(
        "bnm_best", "bnm_csn", "section 3.2.2",
        "BNM with Gini is the most accurate of all eight on 4 data sets.",
        2, ("accuracy",), (BNM,), (*PEERS, CSN, BOTH), or_equal=True, stated=4,
    ),
    Claim(
        "bnm_above_gini", "bnm_csn", "section 3.2.2",
        "BNM makes Gini more accurate on 18 data sets.",
        2, ("accuracy",), (BNM,), ("Gini",), stated=18,
    ),
    Claim(
        "csn_above_gini", "bnm_csn", "section 3.2.2",
        "CSN makes Gini more accurate on 11 data sets.",
        2, ("accuracy",), (CSN,), ("Gini",), stated=11,
    ),
    Claim(
        "both_harm_once", "bnm_csn", "section 3.2.2",
        "BNM+CSN makes Gini less accurate on one data set alone.",
        2, ("accuracy",), (BOTH,), ("Gini",), or_equal=True, stated=20,
    ),
    Claim(
        "bnm_shallower", "bnm_csn", "section 3.2.2",
        "BNM makes Gini's trees shallower on 18 data sets.",
        3, ("depth",), (BNM,), ("Gini",), stated=18,
    ),
    Claim(
        "csn_shallower", "bnm_csn", "section 3.2.2",
        "CSN makes Gini's trees shallower on 13 data sets.",
        3, ("depth",), (CSN,), ("Gini",), stated=13,
    ),
    Claim(
        "both_shallower", "bnm_csn", "section 3.2.2",
        "BNM+CSN makes Gini's trees shallower on 18 data sets.",
        3, ("depth",), (BOTH,), ("Gini",), stated=18,
    ),
    Claim(
        "bnm_fewer_leaves", "bnm_csn", "section 3.2.2",
        "BNM lowers the number of leaves, too.",
        3, ("leaves",), (BNM,), ("Gini",),
    ),
    Claim(
        "each_part_helps", "bnm_csn", "section 3.3",
        "In the mean BNM, CSN and both are more accurate than Gini alone.",
        4, ("accuracy",), (BNM, CSN, BOTH), ("Gini",), beats_all=True, stated=1,
    ),
    Claim(
        "both_best_in_the_mean", "bnm_csn", "section 3.3",
        "In the mean BNM+CSN is the most accurate.",
        4, ("accuracy",), (BOTH,), ("Gini", BNM, CSN), stated=1,
    ),
    Claim(
        "xor_fewer_leaves", "bnm_csn", "section 3.1, figure 1",
        "On four clusters in the manner of XOR, BNM+CSN grows fewer leaves than Gini.",
        None, ("leaves",), (BOTH,), ("Gini",), datasets=("XOR",),
    ),
    Claim(
        "mcdf_above_adaboost", "mcdf", "section 3.3",
        "MCDF is more accurate than AdaBoost.M1 on all data sets but Australian.",
        2, ("accuracy",), ("MCDF",), ("AdaBoost.M1",), stated=11,
    ),
    Claim(
        "mcdf_errs_less_far", "mcdf", "section 3.3",
        "MCDF's error in classes is below AdaBoost.M1's on all data sets but Australian.",
        2, ("mae",), ("MCDF",), ("AdaBoost.M1",), stated=11,
    ),
    Claim(
        "mcdf_above_remt", "mcdf", "section 3.2, figure 2",
        "MCDF is more accurate than REMT on Set1, Set2 and Set4.",
        None, ("accuracy",), ("MCDF",), ("REMT",), datasets=("Set1", "Set2", "Set4"),
    ),
    Claim(
        "mcdf_shallower_than_remt", "mcdf", "section 3.2",
        "MCDF's trees are shallower than REMT's.",
        None, ("depth",), ("MCDF",), ("REMT",), datasets=SMALL_OF_MCDF,
    ),
    Claim(
        "mcdf_fastest", "mcdf", "section 3.4",
        "MCDF takes less time than REMT and AdaBoost.M1 on every data set.",
        3, ("seconds",), ("MCDF",), ("REMT", "AdaBoost.M1"), stated=12,
    ),
    Claim(
        "improved_on_spirals", "svm_tree", "section 4, table 1",
        "The improved order never lowers the accuracy of a class of three spirals.",
        1, BY_CLASS, IMPROVED, TRADITIONAL, or_equal=True, stated=9,
    ),
    Claim(
        "improved_on_wine", "svm_tree", "section 4, table 2",
        "The improved order never lowers the accuracy of a class of wine.",
        2, BY_CLASS, IMPROVED, TRADITIONAL, or_equal=True, stated=9,
    ),
)  # fmt: skip
