"""Definitions as the page shows them: whoever computes by their words gets the numbers shown.

The words choose the steps: a phrase that is not there leaves a step that no number comes from.
"""

import re
from dataclasses import replace
from itertools import chain, combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine

from lastviz.criteria import CRITERIA
from lastviz.inspection import candidate_table, card_candidate, split_geometry
from lastviz.splitters.svm.machine import input_separability, kernel_separability
from lastviz.tree.kernel_splits import LINEAR, KernelFunction
from lastviz.ui.compute.work import Work
from lastviz.ui.growth.words import SPREAD
from lastviz.ui.shared.glossary import (
    EXAMPLE_CLASSES,
    EXAMPLE_THRESHOLD,
    TERMS,
    example_scores,
    letters,
    symbols_of,
)
from lastviz.ui.splits.nominal import definitions
from lastviz.ui.splits.page import page_scene
from lastviz.ui.state.selection import DEFAULT, Model
from tests.conftest import waveform


def scaled(words, X):
    assert "Each feature is scaled to 0..1 by its range over the rows of the node." in words
    span = np.ptp(X, axis=0)
    return (X - X.min(axis=0)) / np.where(span > 0, span, 1)


def cut_of(words, values, left):
    """What t is said to be."""
    line = next(line for line in words.split("\n") if line.startswith("$t$"))
    known = {
        "$t$: the largest value of the feature on the left": values[left].max(),
        "$t$: the threshold halfway": (values[left].max() + values[~left].min()) / 2,
    }
    return next(t for said, t in known.items() if line.startswith(said))


def groups_of(words, classes):
    """What A|B is said to run over."""
    if len(classes) == 2:
        assert "Of two classes $A|B$ is that pair" in words
        return [([classes[0]], [classes[1]])]
    if "$A|B$: each class against all others of the side together" in words:
        return [([c], [o for o in classes if o != c]) for c in classes]
    if "$A|B$: each pair of classes of the side" in words:
        return [([a], [b]) for a, b in combinations(classes, 2)]
    assert "$A|B$: each division of the classes of the side into two groups" in words
    some = chain.from_iterable(combinations(classes, n) for n in range(1, len(classes)))
    return [(list(g), [c for c in classes if c not in g]) for g in some if classes[0] in g]


def margin(words, Z, y, left):
    assert "means of the rows of class $c$ on the left and on the right" in words
    assert "$C$: number of classes with rows on both sides" in words
    both = [c for c in set(y.tolist()) if (left & (y == c)).any() and (~left & (y == c)).any()]
    gaps = [Z[left & (y == c)].mean(axis=0) - Z[~left & (y == c)].mean(axis=0) for c in both]
    return sum(gap @ gap for gap in gaps) / len(gaps) if gaps else 0.0


def penalty(words, Z, y, left, feature):
    assert "$C_l$: number of classes there; $Q$ is the same on the right" in words
    assert "A side with one class counts 0" in words
    z, total = Z[:, feature], 0.0
    t = cut_of(words, z, left)
    for side in (left, ~left):
        classes = sorted(set(y[side].tolist()))
        if len(classes) > 1:
            near = [
                min(abs(z[side & (y == p)] - t)) + min(abs(z[side & (y != p)] - t)) for p in classes
            ]
            total += sum(near) / len(classes)
    return total


def csn(words, Z, y, left):
    assert "$m_A$ the mean of all rows of $A$" in words
    assert "a side with one class counts 0" in words
    total = 0.0
    for side in (left, ~left):
        classes = sorted(set(y[side].tolist()))
        if len(classes) < 2:
            continue
        within = sum(
            np.square(Z[side & (y == k)] - Z[side & (y == k)].mean(axis=0)).sum() for k in classes
        )
        between = 0.0
        for one, other in groups_of(words, classes):
            a, b = (Z[side & np.isin(y, group)].mean(axis=0) for group in (one, other))
            between += np.square(a - b).sum()
        total += side.mean() * within / between
    return total


def by_words(name, X, y, feature, threshold, said=letters, **how):
    """The criterion of a split, computed as the page's words say."""
    formula, left = CRITERIA[name].formula, X[:, feature] <= threshold
    words = "\n".join(said(formula, **how))
    if name == "bnm":
        assert "$P + Q$: the penalty of BNM." in words
        words += "\n" + "\n".join(said(CRITERIA["penalty"].formula, **how))
    Z = scaled(words, X)
    if name == "csn":
        return csn(words, Z, y, left)
    value = margin(words, Z, y, left) if name != "penalty" else 0.0
    if name == "bnm5":
        return value
    lost = penalty(words, Z, y, left, feature)
    return lost if name == "penalty" else value - lost


def some_candidates():
    """600 candidates of three tables, with three and four classes."""
    rng = np.random.default_rng(0)
    four = load_wine().data[:, :4], np.arange(178) % 4
    three = load_iris(return_X_y=True)
    for n, (X, y) in ((100, three), (300, waveform(150, seed=3)), (200, four)):
        X = X[:, :4]
        table = candidate_table(
            X, y, np.arange(len(y)), y.max() + 1, criteria=("bnm5", "penalty", "bnm", "csn")
        )
        for i in rng.choice(table.n_candidates, n, replace=False).tolist():
            yield X, y, table, i


def test_the_words_of_a_definition_come_to_the_number_shown():
    seen = 0
    for X, y, table, i in some_candidates():
        seen += 1
        feature, threshold = int(table.feature[i]), float(table.threshold[i])
        for name, column in table.columns.items():
            assert by_words(name, X, y, feature, threshold) == pytest.approx(column[i], abs=1e-9)
        if seen % 20 == 0:
            geometry = split_geometry(X, y, np.arange(len(y)), feature, threshold)
            here = card_candidate(table, i, geometry=geometry)
            for name, column in table.columns.items():
                worked = CRITERIA[name].card(here).numbers.value()
                assert worked == pytest.approx(column[i], abs=1e-9)
    assert seen == 600


@pytest.mark.parametrize("name", ["bnm5", "penalty", "bnm", "csn"])
def test_the_glossary_defines_the_number_of_its_example(name):
    terms = {term.formula: symbols_of(term) for term in TERMS if term.criterion}
    y = np.array([ord(sign) for sign in EXAMPLE_CLASSES])
    X = np.arange(1.0, len(y) + 1)[:, None]
    shown = example_scores()[name][1]
    found = by_words(name, X, y, 0, EXAMPLE_THRESHOLD, said=terms.__getitem__)
    assert found == pytest.approx(shown, abs=1e-9)


@pytest.mark.parametrize("ecoc", ["one_vs_rest", "one_vs_one", "exhaustive"])
def test_csn_is_said_with_the_groups_that_were_measured(ecoc):
    X, y = load_wine().data[:, :4], np.arange(178) % 4
    rows, threshold = np.arange(178), float(np.median(X[:, 1]))
    measured = split_geometry(X, y, rows, 1, threshold, ecoc=ecoc).csn
    assert by_words("csn", X, y, 1, threshold, ecoc=ecoc) == pytest.approx(measured)


def test_the_spread_of_a_class_is_what_its_words_say():
    X, y = load_iris(return_X_y=True)
    assert "divided by the number of its rows less one; of a single row it is 0" in SPREAD

    def ratio(power):
        centres = [X[y == c].mean(axis=0) for c in range(3)]
        away = [np.linalg.norm(X[y == c] - centres[c], axis=1) ** power for c in range(3)]
        spread = [each.sum() / (len(each) - 1) for each in away]
        return np.linalg.norm(centres[0] - centres[1]) / (spread[0] + spread[1])

    assert "in input space: of their squares" in SPREAD
    assert input_separability(X, y, 3)[0, 1] == pytest.approx(ratio(2))
    assert "the sum of the distances of its rows from its centre" in SPREAD
    plain = KernelFunction(LINEAR, 1.0, 1)
    assert kernel_separability(X, y, 3, plain)[0, 1] == pytest.approx(ratio(1))


def entropy(weights):
    shares = weights[weights > 0] / weights.sum()
    return -(shares * np.log2(shares)).sum()


def gains_by_words(words, scene, candidate):
    """Gain and gain ratio of a test, computed as the page's words say from its branches."""
    branches, n = scene.counts(candidate), scene.search.counts.sum()
    known = branches.sum()
    assert "the entropy of the rows whose value is known, less the mean entropy" in words
    inside = sum(branch.sum() / known * entropy(branch) for branch in branches)
    assert "times the share of these rows, in bits" in words
    gain = (entropy(branches.sum(axis=0)) - inside) * known / n
    if scene.branches(candidate) is None:
        assert "From the gain of a threshold $\\log_2(k) / n$ is subtracted" in words
        found = re.search(r"\(here (\S+)\) and \$n\$ rows \(here ([\d.,]+)\)", words)
        k, rows = (float(each.replace(",", "")) for each in found.groups())
        assert rows == pytest.approx(n, rel=1e-3)
        gain -= np.log2(k) / n
    if "Gain ratio" not in words:
        return gain, None
    assert "rows whose value is missing count as a branch of their own" in words
    return gain, gain / entropy(np.array([*branches.sum(axis=1), n - known]))


@pytest.fixture
def gapped(tmp_path, monkeypatch):
    """A table of three classes with names, numbers and gaps in both."""
    rng, n = np.random.default_rng(4), 240
    x = rng.normal(size=(n, 2)).round(1)
    table = pd.DataFrame({"colour": rng.choice(["red", "green", "blue"], n), "a": x[:, 0]})
    table["b"] = x[:, 1]
    table = table.mask(rng.random(table.shape) < 0.15)
    place = np.digitize(x[:, 0] + 0.6 * x[:, 1] ** 2 + 0.3 * rng.normal(size=n), [0.0, 0.9])
    table.assign(**{"class": np.take(["low", "middle", "high"], place)}).to_csv(
        tmp_path / "gaps.csv", index=False
    )
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    return "folder.gaps"


@pytest.mark.parametrize("class_weight", ["", "balanced"])
@pytest.mark.parametrize("key", ["c45", "id3"])
def test_gains_with_gaps_names_and_weights_are_worked_out_from_the_branches(
    gapped, key, class_weight
):
    data = gapped if key == "c45" else "loan"
    selection = DEFAULT.having(data=data, models=(Model(key),), class_weight=class_weight)
    tree, seen = Work(selection).first.tree, 0
    for node in np.flatnonzero(tree.n_children)[:6].tolist():
        model = replace(selection.models[0], node=node)
        scene = page_scene(Work(replace(selection, models=(model,))), "light")
        for i in range(scene.n_candidates):
            here = replace(scene, picked=i)
            gain, ratio = gains_by_words(" ".join(definitions(here)), here, i)
            if not np.isfinite(scene.search.columns["gain"][i]):
                continue
            seen += 1
            assert gain == pytest.approx(scene.search.columns["gain"][i], abs=1e-4)
            if ratio is not None and np.isfinite(scene.search.columns["gain_ratio"][i]):
                assert ratio == pytest.approx(scene.search.columns["gain_ratio"][i], abs=1e-3)
    assert seen > (150 if key == "c45" else 3)
