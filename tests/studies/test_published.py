"""The printed tables are read whole, their claims are decided, their errors are what they are."""

import math
from pathlib import Path

import numpy as np
import pytest

import lastviz.studies.published as package
from lastviz.datasets import DATASETS, load_dataset
from lastviz.studies import METRICS
from lastviz.studies.published import (
    CLAIMS,
    MISPRINTS,
    PAPERS,
    PRINTED_SETS,
    QUANTITIES,
    TABLES,
    misprints_of,
    printed_set,
    printed_values,
    published_cells,
    tally,
)
from lastviz.studies.tasks import TIMES

CELLS = [cell for paper in PAPERS for cell in published_cells(paper)]
CLAIM = {claim.key: claim for claim in CLAIMS}


def printed(claim):
    return tally(claim, printed_values(claim.paper, claim.table, spread=claim.spread))


def test_every_table_is_there_whole():
    assert len(CELLS) == 672 == sum(table.n_cells for table in TABLES.values())
    for (paper, number), table in TABLES.items():
        cells = published_cells(paper, number)
        assert len(cells) == table.n_cells
        assert len({cell.key for cell in cells}) == table.n_cells  # none twice
        # A full grid: every algorithm in every row.
        rows = {(cell.dataset, cell.metric, cell.setting) for cell in cells}
        assert len(rows) * len({cell.algorithm for cell in cells}) == table.n_cells


def test_every_cell_is_a_figure_of_a_known_kind():
    for cell in CELLS:
        assert math.isfinite(cell.mean)
        assert QUANTITIES[cell.metric].metric in {"", TIMES[0], *METRICS}
        if QUANTITIES[cell.metric].unit == "share":
            assert 0 < cell.mean <= 1
        if QUANTITIES[cell.metric].unit == "percent":
            assert 0 < cell.mean < 100
        assert round(cell.mean, cell.digits) == cell.mean
        if cell.dataset != "all":
            assert printed_set(cell.paper, cell.dataset)
    spreads = [cell for cell in CELLS if math.isfinite(cell.spread)]
    assert len(spreads) == 84 + 84 + 48


@pytest.mark.parametrize(("paper", "table", "key", "mean", "spread"), [
    ("sodt", 2, ("ringnorm", "LSODT-L1", "error", ""), 8.4, 0.6),
    ("sodt", 3, ("threenorm", "C4.5", "nodes", ""), 921.6, 26.0),
    ("bnm_csn", 2, ("banana", "BNM+CSN+Gini", "accuracy", ""), 0.8872, math.nan),
    ("bnm_csn", 3, ("adult", "CSN+Gini", "leaves", ""), 1442.8, math.nan),
    ("mcdf", 5, ("LargeSet6", "MCDF", "seconds", ""), 184350.219, math.nan),
    ("svm_tree", 2, ("wine", "SVM tree (improved)", "accuracy_class_3", "sigma 90"), 93.75,
     math.nan),
])  # fmt: skip
def test_figures_stand_as_they_are_printed(paper, table, key, mean, spread):
    (cell,) = (cell for cell in published_cells(paper, table) if cell.key == key)
    assert cell.mean == mean
    assert cell.spread == pytest.approx(spread, nan_ok=True)


def test_a_printed_unit_follows_from_ours():
    error = QUANTITIES["error"]
    assert error.offset + error.factor * 0.75 == 25.0
    for quantity in QUANTITIES.values():
        if quantity.metric in METRICS:
            turned = quantity.larger_is_better != METRICS[quantity.metric].larger_is_better
            assert turned == (quantity.factor < 0)


def test_unknown_tables_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="no table sodt 9"):
        published_cells("sodt", 9)
    with pytest.raises(ValueError, match="no table cart None"):
        published_cells("cart")
    with pytest.raises(ValueError, match="sodt has no data set 'wine'"):
        printed_set("sodt", "wine")


def test_generated_sets_are_those_of_the_papers():
    for sets in PRINTED_SETS.values():
        assert len({each.name for each in sets}) == len(sets)
        for each in sets:
            assert not (each.key and each.file)
            assert each.is_public or each.note
            if each.key:
                assert each.key in DATASETS
                params = dict(each.params)
                if params.get("n_samples", 0) > 10_000:
                    params["n_samples"] = 2000
                data = load_dataset(each.key, **params)
                assert data.n_samples == params.get("n_samples", data.n_samples)
                if each.one_class is not None:
                    one = data.one_against_rest(data.class_order[each.one_class])
                    assert one.n_classes == 2


def test_claims_have_their_cells():
    assert len(CLAIM) == len(CLAIMS)
    assert {claim.paper for claim in CLAIMS} == set(PAPERS)
    for claim in CLAIMS:
        assert claim.rows
        if claim.table is not None:
            assert set(claim.cells) <= set(printed_values(claim.paper, claim.table))
        for dataset, metric, _ in claim.rows:
            assert metric in claim.metrics
            assert dataset == "all" or printed_set(claim.paper, dataset)
        assert set(claim.metrics) <= set(QUANTITIES)
        assert claim.worse or math.isfinite(claim.bound)


@pytest.mark.parametrize(("key", "n"), [
    ("c45_no_worse_than_oblique", 7), ("local_no_worse", 7), ("oc1_largest", 2),
    ("bnm_above_gini", 18), ("csn_above_gini", 11), ("both_harm_once", 20), ("bnm_shallower", 18),
    ("mcdf_fastest", 12), ("improved_on_spirals", 9), ("improved_on_wine", 9),
])  # fmt: skip
def test_what_the_papers_count_their_tables_show(key, n):
    assert CLAIM[key].stated == n
    assert len(printed(CLAIM[key]).holds) == n


@pytest.mark.parametrize(("key", "stated", "n"), [
    ("both_best", 12, 10), ("bnm_best", 4, 6), ("csn_shallower", 13, 14),
    ("both_shallower", 18, 17), ("mcdf_above_adaboost", 11, 10), ("sodt_steadiest_sizes", 9, 8),
])  # fmt: skip
def test_where_the_papers_count_otherwise_than_their_tables(key, stated, n):
    assert CLAIM[key].stated == stated
    assert len(printed(CLAIM[key]).holds) == n


def test_a_bound_is_broken_where_the_table_breaks_it():
    found = printed(CLAIM["sodt_below_370_nodes"])
    assert [dataset for dataset, *_ in found.fails] == ["waveformnoise"]


def test_verdicts_in_words():
    claim = CLAIM["gsodt_below_c45"]
    values = printed_values("sodt", 2)
    assert tally(claim, values).verdict == "holds on 11 of 12"
    assert tally(claim, {}).verdict == "not tested"
    assert len(tally(claim, {}).lacking) == 12
    level = tally(claim, values, noise=lambda one, other: 100.0)
    assert level.verdict == "within noise"
    turned = {key: -value for key, value in values.items()}
    assert tally(claim, turned).verdict == "does not reproduce: 1 of 12"
    few = {key: value for key, value in values.items() if key[0] == "twonorm"}
    assert tally(claim, few).verdict == "holds"
    few[("twonorm", "C4.5", "error", "")] = math.nan
    assert tally(claim, few).n_tested == 0
    # What is stated of some rows needs no more than that.
    assert tally(CLAIM["bnm_best"], printed_values("bnm_csn", 2)).verdict.startswith("holds")


def test_a_claim_without_a_table_is_decided_by_our_figures_alone():
    claim = CLAIM["mcdf_above_remt"]
    assert len(claim.rows) == 3
    assert tally(claim, {}).verdict == "not tested"
    ours = {
        (name, algorithm, "accuracy", ""): value
        for name, *values in (("Set1", 0.97, 0.96), ("Set4", 0.88, 0.89))
        for algorithm, value in zip(("MCDF", "REMT"), values, strict=True)
    }
    found = tally(claim, ours)
    assert (found.holds, found.fails) == (
        (("Set1", "accuracy", ""),), (("Set4", "accuracy", ""),)
    )  # fmt: skip
    assert found.verdict == "holds on 1 of 2"


def test_all_of_the_better_ones_must_be_faster_where_that_is_claimed():
    claim = CLAIM["sodt_fast"]
    times = dict.fromkeys(claim.better, 1.0) | {"LSODT-L3": 9.0, "OC1": 5.0, "CART-LC": 10.0}
    ours = {("vowel", name, "seconds", ""): value for name, value in times.items()}
    assert len(tally(claim, ours).fails) == 1
    assert len(tally(claim, ours | {("vowel", "LSODT-L3", "seconds", ""): 4.0}).holds) == 1


def test_noise_is_that_of_the_two_cells_that_decide():
    claim, asked = CLAIM["sodt_errs_least"], []
    tally(
        claim, printed_values("sodt", 2), noise=lambda one, other: asked.append((one, other)) or 0
    )
    assert (("spectf", "LSODT-L2", "error", ""), ("spectf", "C4.5", "error", "")) in asked


def test_misprints_are_what_they_say():
    def cell(paper, table, dataset, algorithm):
        return next(
            each for each in published_cells(paper, table)
            if (each.dataset, each.algorithm) == (dataset, algorithm)
        )  # fmt: skip

    for each in MISPRINTS:
        assert any(each.holds_of(one) for one in CELLS), each.what
    wave, spectf = (cell("sodt", 2, name, "C4.5") for name in ("waveform", "spectf"))
    assert (wave.mean, wave.spread) == (spectf.mean, spectf.spread)
    assert not misprints_of(wave)[0].is_target
    for table in (2, 3):
        one, other = (cell("sodt", table, "spectf", name) for name in ("C4.5", "LSODT-L1"))
        assert (one.mean, one.spread) == (other.mean, other.spread)
    one, other = (cell("bnm_csn", 2, "australian", name) for name in ("CSN+Gini", "BNM+CSN+Gini"))
    assert one.mean == other.mean
    assert misprints_of(cell("sodt", 2, "pima", "GSODT")) == ()


def test_the_means_of_table_4_are_those_of_table_3_but_not_of_table_2():
    means = printed_values("bnm_csn", 4)
    for algorithm in ("Gini", "BNM+Gini", "CSN+Gini", "BNM+CSN+Gini"):
        for table, metric in ((2, "accuracy"), (3, "depth"), (3, "leaves")):
            parts = [
                cell.mean for cell in published_cells("bnm_csn", table)
                if (cell.algorithm, cell.metric) == (algorithm, metric)
            ]  # fmt: skip
            apart = abs(np.mean(parts) - means["all", algorithm, metric, ""])
            assert (apart > 0.005) if metric == "accuracy" else (apart < 0.06)


def test_the_files_are_part_of_the_package():
    here = Path(package.__file__).parent
    assert {path.stem for path in here.glob("*.csv")} == {*PAPERS, "ours"}
    told = (here.parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert 'packages = ["lastviz"]' in told  # with all files in it
