"""A code that no kernel knows is an error, never some other criterion."""

import numpy as np
import pytest

from lastviz.criteria import scan_units
from lastviz.criteria.column_kernels import Options
from lastviz.criteria.compactness_kernels import child_csn
from lastviz.criteria.rank_kernels import BOTH, EITHER, RANK
from lastviz.criteria.scan_kernels import scan_feature
from lastviz.splitters import BinarySplitter, MixedChoice, MixedSplitter, MixedTable, presort
from lastviz.splitters.binary.data import binary_data
from lastviz.splitters.cells.presort import pack
from lastviz.splitters.hybrid.workspace import score_candidates
from lastviz.splitters.oblique.line_kernels import Classes, search_line
from lastviz.splitters.oblique.oblique_search import scratch_for
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.splitters.threshold.threshold import rule_of

X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
Y = np.array([0, 1, 0, 1, 1])
COUNTS = np.array([2, 3])
UNKNOWN = (-1, 3, 19, 26, 31, 99)


def scan(code):
    here = presort(X)
    cells, packing = pack(here, Y, 2)
    scan_feature(
        cells[0], 0, 5, packing, COUNTS, np.zeros(2, dtype=np.int64), np.ones(6),
        np.zeros(6, dtype=np.int64), code, 1, np.empty(4),
    )  # fmt: skip


def line(code):
    classes = Classes(Y, COUNTS, np.zeros(6, dtype=np.int64), code, 1)
    search_line(X[:, 0].copy(), np.full(5, -1.0), classes, scratch_for(5, 2), 0.0, np.inf)


def sums(code):
    splitter = BinarySplitter(binary_data(X, Y, criterion=code, n_classes=2))
    splitter.search(splitter.root())


def multiway(code):
    splitter = MixedSplitter(MixedTable(X, [0]), Y, 2, MixedChoice("gain"))
    splitter._options = splitter._options._replace(measure=code)
    splitter.best(splitter.root())


def choice(code):
    return Choice(
        criterion=code, scale=1.0, min_samples_leaf=1, release_8=False, mdl_correction=False,
        average_gain=False, needs_gain=False, raw_scores_decide=True,
    )  # fmt: skip


@pytest.mark.parametrize("code", UNKNOWN)
@pytest.mark.parametrize("kernel", [scan, line, sums, multiway])
def test_kernels_refuse_unknown_criteria(kernel, code):
    with pytest.raises(ValueError, match="has this code"):
        kernel(code)


@pytest.mark.parametrize("code", [RANK + 3, RANK + BOTH + 4 * EITHER + 1, RANK - 1])
def test_scans_refuse_unknown_dominance_and_direction(code):
    with pytest.raises(ValueError, match="has this code"):
        scan(code)


@pytest.mark.parametrize("code", UNKNOWN)
def test_units_and_rules_are_only_of_known_criteria(code):
    with pytest.raises(ValueError, match=f"of code {code}"):
        scan_units(code, 5, 1)
    with pytest.raises(ValueError, match=f"of code {code}"):
        rule_of(choice(code))


def test_unknown_penalties_and_divisions_are_refused():
    options = Options(1.0, 1, 7, 0, fewest=False, root=False)
    with pytest.raises(ValueError, match="penalty"):
        score_candidates(presort(X), Y, 2, ("bnm",), options)
    with pytest.raises(ValueError, match="division"):
        child_csn(np.ones(3, dtype=np.int64), 1.0, 7, np.zeros((3, 4)), np.zeros(4), 4)


def test_an_unknown_name_is_no_column():
    with pytest.raises(KeyError, match="beauty"):
        score_candidates(
            presort(X), Y, 2, ("beauty",), Options(1.0, 1, 1, 0, fewest=False, root=False)
        )
