"""Statistics of studies: published examples, other libraries' numbers, one sentence for bad input.

Against scikit-posthocs, statsmodels and baycomp by the numbers in fixtures/rank_tests.
"""

import json
import re
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lastviz.studies.statistics import (
    CannotTell,
    StudyScores,
    compare_pairs,
    conclusion,
    corrected_t,
    correlated_posterior,
    describe_posterior,
    friedman,
    holm,
    median_shift,
    nemenyi,
    signed_rank_posterior,
    standings,
    study_scores,
)
from lastviz.studies.statistics.pairs import effect_size
from tests.fixtures.rank_tests.make import drawn_runs, drawn_scores

EXPECTED = json.loads(
    (Path(__file__).parent.parent / "fixtures" / "rank_tests" / "expected.json").read_text()
)
# Demsar (2006), Table 6: AUC of C4.5 plain, with m tuned, with cf tuned, with both.
DEMSAR = np.array([
    [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.000, 0.940, 0.619, 0.972,
     0.957],
    [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.000, 0.962, 0.666, 0.981,
     0.978],
    [0.771, 0.590, 0.968, 0.654, 0.886, 0.916, 0.609, 0.563, 0.866, 1.000, 0.965, 0.614, 0.9751,
     0.946],
    [0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685, 0.625, 0.875, 1.000, 0.962, 0.669, 0.975,
     0.970],
])  # fmt: skip


def tidy(values, repeats=1):
    """Return a table of `values` (n_algorithms, n_datasets, n_runs)."""
    values = np.asarray(values, dtype=float)
    values = values[:, :, None] if values.ndim == 2 else values
    n_folds = values.shape[2] // repeats
    rows = [
        ("ABCDEFGH"[a], f"set {d}", run // n_folds, run % n_folds, values[a, d, run])
        for a, d, run in product(*map(range, values.shape))
    ]
    return pd.DataFrame(rows, columns=["algorithm", "dataset", "repeat", "fold", "value"])


def of(values, **options) -> StudyScores:
    return study_scores(tidy(values, options.pop("repeats", 1)), **options)


def folds(shifts, n_datasets=6, n_runs=10, noise=0.02, seed=0):
    """Return shares of algorithms that differ by `shifts`."""
    rng = np.random.default_rng(seed)
    level = 0.6 + 0.3 * rng.random((1, n_datasets, 1))
    own = noise * rng.standard_normal((len(shifts), n_datasets, n_runs))
    return level + np.reshape(shifts, (-1, 1, 1)) + own


# Published examples


def test_demsar_friedman_and_nemenyi():
    found = friedman(of(DEMSAR), correct_ties=False)
    assert found.mean_ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    assert found.chi2 == pytest.approx(9.28, abs=5e-3)
    assert found.f == pytest.approx(3.69, abs=5e-3)
    assert found.df == (3, 39)
    printed = nemenyi(found, continuity=False)
    assert printed.critical_difference == pytest.approx(1.25, abs=5e-3)
    parted = nemenyi(found, alpha=0.1, continuity=False)
    assert parted.critical_difference == pytest.approx(1.12, abs=5e-3)
    assert parted.p[3, 0] < 0.1 < parted.p[3, 2]
    assert parted.groups == ((3, 1, 2), (2, 0))


def test_demsar_wilcoxon():
    pair = compare_pairs(of(DEMSAR[:2])).pairs[0]
    assert pair.statistic == 12  # below the critical value of 21
    assert pair.p < 0.05
    assert (pair.wins, pair.ties, pair.losses) == (2, 2, 10)
    assert pair.shift < 0


def test_friedman_with_ties_is_that_of_scipy():
    for scores in (DEMSAR, *(drawn_scores(seed) for seed in range(3))):
        found = friedman(of(scores))
        expected = stats.friedmanchisquare(*scores)
        assert found.chi2 == pytest.approx(expected.statistic)
        assert found.p_chi2 == pytest.approx(expected.pvalue)


def test_benavoli_naive_bayes_against_aode_on_squash_unstored():
    """Their posterior (section 3: mean, deviation, 99 degrees) and their p of the t-test."""
    away = stats.norm.ppf((np.arange(100) + 0.5) / 100)
    scale = 0.05423222985646852 / np.sqrt(1 / 100 + 1 / 9)
    away = -0.056 + away / away.std(ddof=1) * scale
    found = correlated_posterior(away, 10)
    assert (found.mean, found.scale, found.df) == pytest.approx((-0.056, 0.0542322, 99), rel=1e-5)
    assert corrected_t(away, 10).p == pytest.approx(0.304, abs=5e-4)
    assert found.interval(0.95) == pytest.approx((-0.1636, 0.0516), abs=5e-5)
    assert found.behind + found.equal + found.ahead == pytest.approx(1.0)
    assert found.behind > found.ahead > found.equal


# Other libraries


@pytest.mark.parametrize("seed", range(3))
def test_nemenyi_and_holm_are_those_of_the_libraries(seed):
    found = nemenyi(friedman(of(drawn_scores(seed))), continuity=False)
    assert found.p == pytest.approx(np.array(EXPECTED["nemenyi"][str(seed)]), abs=1e-6)
    p = np.random.default_rng(seed).random(6) / 10
    assert holm(p) == pytest.approx(EXPECTED["holm"][str(seed)])
    with_gaps = holm(np.insert(p, 2, np.nan))
    assert np.isnan(with_gaps[2])
    assert np.delete(with_gaps, 2) == pytest.approx(EXPECTED["holm"][str(seed)])


@pytest.mark.parametrize("rope", [0.0, 0.01])
@pytest.mark.parametrize("seed", range(3))
def test_posteriors_are_those_of_baycomp(seed, rope):
    """Its differences are second less first, so that its left is where the first is better."""
    expected = EXPECTED["correlated"][f"{seed} {rope}"]
    found = correlated_posterior(-drawn_runs(seed), 10, rope=rope)
    shares = [found.ahead, found.equal, found.behind]
    assert shares == pytest.approx(expected if rope else [expected[0], 0, expected[1]])
    expected = EXPECTED["signed_rank"][f"{seed} {rope}"]
    scores = drawn_scores(seed)
    drawn = signed_rank_posterior(scores[0] - scores[1], rope=rope)
    shares = [drawn.ahead, drawn.equal, drawn.behind]
    expected = expected if rope else [expected[0], 0, expected[1]]
    assert shares == pytest.approx(expected, abs=0.01)  # both are draws


def test_shares_of_the_signed_rank_posterior_have_the_mean_of_the_dirichlet():
    z = np.array([0.03, -0.021, 0.004, 0.05, 0.011])
    found = signed_rank_posterior(z, rope=0.01)
    strength = np.array([0.5, *np.ones(5)])
    weight = np.outer(strength, strength) + np.diag(strength)
    weight /= strength.sum() * (strength.sum() + 1)
    sums = np.add.outer(np.r_[0, z], np.r_[0, z])
    assert found.samples.mean(axis=0) == pytest.approx(
        [weight[sums < -0.02].sum(), weight[abs(sums) <= 0.02].sum(), weight[sums > 0.02].sum()],
        abs=0.003,
    )
    assert found.samples.sum(axis=1) == pytest.approx(np.ones(50_000))
    again = signed_rank_posterior(z, rope=0.01)
    assert (again.samples == found.samples).all()


# What follows from the definitions


def test_the_interval_of_the_shift_inverts_wilcoxons_test():
    rng = np.random.default_rng(1)
    for n in (6, 9, 20):
        d = rng.standard_normal(n) + 0.5
        middle, low, high = median_shift(d)
        assert low < middle < high
        for end, outside in ((low, -1e-9), (high, 1e-9)):
            assert stats.wilcoxon(d - end - outside, method="exact").pvalue <= 0.05
            assert stats.wilcoxon(d - end + outside, method="exact").pvalue > 0.05
    assert median_shift(rng.standard_normal(5))[1:] == (-np.inf, np.inf)
    d = rng.standard_normal(300)
    _, low, high = median_shift(d)
    for end, outside in ((low, -0.01), (high, 0.01)):
        assert stats.wilcoxon(d - end - outside).pvalue < 0.05
        assert stats.wilcoxon(d - end + outside).pvalue > 0.05


@pytest.mark.ci
def test_the_interval_of_the_effect_inverts_the_noncentral_t():
    rng = np.random.default_rng(2)
    d = 0.4 + rng.standard_normal(14)
    effect, low, high = effect_size(d)
    t = effect * np.sqrt(14)
    assert stats.nct.sf(t, 13, low * np.sqrt(14)) == pytest.approx(0.025, abs=2e-4)
    assert stats.nct.cdf(t, 13, high * np.sqrt(14)) == pytest.approx(0.025, abs=2e-4)
    held = 0
    for _ in range(400):
        _, low, high = effect_size(0.8 + rng.standard_normal(12))
        held += low <= 0.8 <= high
    assert 0.92 < held / 400 < 0.98


def test_the_corrected_test_keeps_its_level_on_folds_that_share_rows():
    """Runs that correlate by 1 / n_folds: the plain t-test would see too much."""
    rng = np.random.default_rng(4)
    corrected = plain = 0
    for _ in range(400):
        runs = np.sqrt(0.1) * rng.standard_normal() + np.sqrt(0.9) * rng.standard_normal(100)
        corrected += corrected_t(runs, 10).p < 0.05
        plain += stats.ttest_1samp(runs, 0).pvalue < 0.05
    assert corrected / 400 < 0.08 < 0.3 < plain / 400


def test_smaller_is_better_turns_all_over():
    values = folds([0.0, 0.02, 0.05])
    up, down = of(values), of(1 - values, larger_is_better=False)
    assert friedman(up).mean_ranks == pytest.approx(friedman(down).mean_ranks)
    assert up.mean_differences("C", "A") == pytest.approx(down.mean_differences("C", "A"))
    assert (standings(up).best == standings(down).best).all()
    assert [str(each) for each in conclusion(up)] == [str(each) for each in conclusion(down)]


def test_standings_say_who_is_behind_the_best():
    scores = of(folds([0.0, 0.001, -0.1]))
    found = standings(scores)
    assert set(found.best.tolist()) <= {0, 1}
    assert found.behind[2].all()
    assert not found.behind[:2].any()
    assert found.n_tested == 12
    assert found.finished.all()
    own = corrected_t(scores.values[0, 0], 10)
    assert (found.low[0, 0], found.high[0, 0]) == pytest.approx((own.low, own.high))
    best = found.best[0]
    tests = [corrected_t(scores.values[best, 0] - scores.values[a, 0], 10).p for a in range(3)]
    tests[best] = np.nan
    pairs = 6 * 3  # of three algorithms on each of six data sets
    assert found.p[:, 0] == pytest.approx(np.minimum(1, pairs * np.array(tests)), nan_ok=True)
    behind = corrected_t(scores.values[best, 0] - scores.values[2, 0], 10)
    wide = corrected_t(
        scores.values[best, 0] - scores.values[2, 0], 10, confidence=1 - 0.05 / pairs
    )
    assert (found.gap[2, 0], found.half[2, 0]) == pytest.approx(
        (behind.mean, wide.high - wide.mean)
    )


# What is missing


def test_runs_that_one_lacks_count_for_none():
    values = folds([0.0, 0.02, 0.04], n_runs=6)
    values[0, 1, 4:] = np.nan  # not finished
    values[2, 3] = np.nan  # failed
    table = tidy(values, repeats=2).dropna().sample(frac=1, random_state=0)
    scores = study_scores(table, algorithms=["A", "B", "C"])
    assert scores.n_runs.tolist() == [6] * 6
    assert scores.n_folds.tolist() == [3] * 6
    where = scores.datasets.index("set 1")
    assert scores.means[:, where] == pytest.approx(values[:, 1, :4].mean(axis=1))
    failed = scores.datasets.index("set 3")
    assert scores.means[:2, failed] == pytest.approx(values[:2, 3].mean(axis=1))
    assert np.isnan(scores.means[2, failed])
    found = friedman(scores)
    assert found.left_out == ("set 3",)
    assert len(found.datasets) == 5
    pairs = {(p.first, p.second): p for p in compare_pairs(scores).pairs}
    assert pairs["A", "B"].n_datasets == 6
    assert pairs["A", "C"].n_datasets == 5
    assert any("Not ranked" in str(each) and "set 3" in str(each) for each in conclusion(scores))
    assert standings(scores).finished[0, where] == False  # noqa: E712
    assert len(scores.differences("B", "C", "set 1")) == 6


def test_the_order_of_rows_does_not_matter():
    table = tidy(folds([0.0, 0.02, 0.04]))
    names = {"algorithms": list("ABC"), "datasets": [f"set {d}" for d in range(6)]}
    mixed = study_scores(table.sample(frac=1, random_state=3), **names)
    assert (mixed.values == study_scores(table).values).all()


def test_names_may_be_numbers_or_categories():
    table = tidy(folds([0.0, 0.02]))
    expected = study_scores(table)
    numbered = table.assign(dataset=table["dataset"].str[4:].astype(int))
    numbered["algorithm"] = numbered["algorithm"].astype("category")
    found = study_scores(numbered)
    assert found.datasets == ("0", "1", "2", "3", "4", "5")
    assert found.algorithms == ("A", "B")
    assert (found.values == expected.values).all()


# Conclusions


def test_a_conclusion_says_what_is_so_first_and_what_would_settle_it_last():
    said = conclusion(of(DEMSAR))
    assert [each.role for each in said] == sorted(
        (each.role for each in said), key=["so", "not", "settles"].index
    )
    text = " ".join(map(str, said))
    assert "D has the best mean rank, 1.96." in text
    assert "No algorithm is significantly worse at the 5 % level (Nemenyi)" in text
    assert "the last, A, is 1.18 ± 1.29 ranks behind over 14 data sets" in text


def test_a_clear_best_is_told_from_the_others():
    text = " ".join(map(str, conclusion(of(folds([0.0, 0.01, 0.3], n_datasets=12)))))
    assert "C has the best mean rank, 1." in text
    assert "Significantly worse at the 5 % level (Nemenyi): " in text


def test_two_algorithms_and_few_data_sets():
    text = " ".join(map(str, conclusion(of(folds([0.0, 0.05], n_datasets=4)))))
    assert "B is better than A on 4 of 4 data sets" in text
    assert "with 4, Wilcoxon's p cannot fall below 0.125" in text
    assert "with probability" in text
    clear = " ".join(map(str, conclusion(of(folds([0.0, 0.05], n_datasets=12)))))
    assert "B is better than A on 12 of 12" in clear
    assert "The difference is significant at the 5 % level (Wilcoxon, p = 0.000488)" in clear


def test_one_data_set_speaks_of_itself_alone():
    said = conclusion(of(folds([0.0, 0.05, 0.1], n_datasets=1)))
    text = " ".join(map(str, said))
    assert "On set 0 C has the best mean" in text
    assert "One data set gives no ranking" in text
    for apart, found in ((0.1, "is significant"), (0.0, "is not significant")):
        said = " ".join(map(str, conclusion(of(folds([0.0, apart], n_datasets=1)))))
        assert re.search(rf"{found} .*\(corrected t-test, Bonferroni over all pairs, p = ", said)
    with pytest.raises(CannotTell, match="One data set gives no ranking"):
        compare_pairs(of(folds([0.0, 0.05], n_datasets=1)))
    with pytest.raises(CannotTell, match="at least two data sets"):
        friedman(of(folds([0.0, 0.05, 0.1], n_datasets=1)))


def test_one_fold_has_no_spread():
    one = of(folds([0.0, 0.05], n_datasets=1, n_runs=1))
    assert "A test needs 5 runs, there are 1" in " ".join(map(str, conclusion(one)))
    with pytest.raises(CannotTell, match="at least two folds"):
        corrected_t(np.array([0.1]), 1)
    found = standings(of(folds([0.0, 0.05, 0.1], n_runs=1)))
    assert np.isnan(found.p).all()
    assert np.isfinite(found.mean).all()


def test_all_ties_are_no_difference():
    values = np.broadcast_to(np.linspace(0.6, 0.9, 5)[None, :, None], (3, 5, 10)).copy()
    scores = of(values)
    found = friedman(scores)
    assert (found.chi2, found.f, found.p) == (0.0, 0.0, 1.0)
    assert nemenyi(found).groups == ((0, 1, 2),)
    pair = compare_pairs(scores).pairs[0]
    assert (pair.ties, pair.p) == (5, 1.0)
    assert np.isnan(pair.effect)
    assert standings(scores).p[1:].tolist() == [[1.0] * 5] * 2
    assert "No algorithm is significantly worse" in " ".join(map(str, conclusion(scores)))
    posterior = correlated_posterior(np.zeros(10), 10)
    assert (posterior.behind, posterior.equal, posterior.ahead) == (0.0, 1.0, 0.0)


def test_all_data_sets_in_one_order_have_a_probability():
    found = friedman(of(np.add.outer([0.1, 0.2, 0.3], np.linspace(0, 0.5, 4))))
    assert found.f == np.inf
    assert found.p == pytest.approx(6.0**-3)


def test_constant_differences_are_as_likely_as_coins_that_fall_alike():
    test = corrected_t(np.full(10, 0.02), 10)
    assert (test.t, test.p, test.low, test.high) == (np.inf, 2**-9, 0.02, 0.02)
    posterior = correlated_posterior(np.full(10, 0.02), 10)
    assert (posterior.equal, posterior.ahead) == (0.0, 1.0)
    x, density = posterior.curve()
    assert (x[density.argmax()], density.max()) == (0.02, 1.0)
    said = str(describe_posterior(posterior, "A", "B"))
    assert said.startswith("A against B: better by more than 0.01 with probability 1")


def test_the_curve_of_a_posterior_holds_its_probability():
    posterior = correlated_posterior(drawn_runs(2), 10)
    x, density = posterior.curve()
    assert np.trapezoid(density, x) == pytest.approx(0.999, abs=1e-3)
    ahead = x > posterior.rope
    assert np.trapezoid(density[ahead], x[ahead]) == pytest.approx(posterior.ahead, abs=0.02)


@pytest.mark.parametrize(("change", "message"), [
    (lambda t: t.drop(columns="fold"), "no column 'fold'"),
    (lambda t: pd.concat([t, t.iloc[:1]]), "A on set 0 stands twice in the table"),
    (lambda t: t.assign(value=np.inf), "accuracy of A on set 0 is infinite"),
])  # fmt: skip
def test_a_wrong_table_is_refused_in_a_sentence(change, message):
    with pytest.raises(ValueError, match=message):
        study_scores(change(tidy(folds([0.0, 0.1]))))


def test_wrong_questions_are_refused_in_a_sentence():
    scores = of(folds([0.0, 0.1]))
    with pytest.raises(ValueError, match="no algorithm 'Z'"):
        compare_pairs(scores, against="Z")
    with pytest.raises(ValueError, match="no data set 'Z'"):
        scores.differences("A", "B", "Z")
    with pytest.raises(ValueError, match="no algorithm 'Z'"):
        study_scores(tidy(folds([0.0, 0.1])), algorithms=["A", "Z"])
    with pytest.raises(CannotTell, match="at least three algorithms, there are 2"):
        friedman(scores)
    with pytest.raises(CannotTell, match="A comparison needs two algorithms"):
        conclusion(of(folds([0.0])))
    with pytest.raises(CannotTell, match="nothing to compare yet"):
        conclusion(study_scores(tidy(folds([0.0, 0.1])).assign(value=np.nan)))
    with pytest.raises(CannotTell, match="needs two algorithms, got 0"):
        conclusion(study_scores(tidy(folds([0.0, 0.1])).iloc[:0]))
    with pytest.raises(ValueError, match="rope must be"):
        signed_rank_posterior(np.zeros(4), rope=-1)
    with pytest.raises(CannotTell, match="at least two of them, there are 1"):
        signed_rank_posterior(np.array([0.1, np.nan]))


def test_too_many_gaps_to_rank_are_named():
    values = folds([0.0, 0.1, 0.2], n_datasets=3)
    values[1, 1:] = np.nan
    text = " ".join(map(str, conclusion(of(values))))
    assert "1 of 3 data sets have all" in text
    assert "B lacks 2 data sets" in text
