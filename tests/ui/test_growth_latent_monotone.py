"""Every algorithm on the pages *growth*, *latent* and *monotone*: numbers on screen are the tree's.

A covering sample always runs; all algorithms on all data run with the slow tests.
"""

import re
from functools import partial
from itertools import product
from urllib.parse import urlencode

import numpy as np
import pytest

from lastviz.estimators import ESTIMATORS
from lastviz.inspection import monotonicity_audit, violations
from lastviz.plots import number
from lastviz.tree import Action, Kind
from lastviz.ui.compute import latent, monotone
from lastviz.ui.compute.availability import obstacle
from lastviz.ui.compute.work import Work
from tests.credit import write_credit
from tests.sentences.rows import selected

from .conftest import html, sampled, with_tables
from .opened_pages import plain, seen, stories

DATA = {
    "moons": {"data": "moons", "n_samples": 120},
    "iris": {"data": "iris"},
    "waveform": {"data": "waveform", "n_samples": 150},
    "loan": {"data": "loan", "held": 0},
    "monotone": {"data": "monotone", "n_samples": 150},
    "credit": {"data": "folder.credit_150"},
}
PARTS = ("data", "audit")
QUICK = {"oc1": {"m.n_restarts": 2}}


FITTING = {"id3": "loan", "remt": "monotone", "mcdf": "monotone", "adaboost_m1": "monotone"}


def cases(shift, *parts):
    """All algorithms on all data in all parts; a sample that meets all of them is not slow."""
    data = list(DATA)
    sample = [(key, data[(i + shift) % len(data)]) for i, key in enumerate(ESTIMATORS)]
    sample += [pair for pair in FITTING.items() if pair not in sample]
    if parts:
        sample = [(*pair, parts[i % len(parts)]) for i, pair in enumerate(sample)]
    return sampled(product(ESTIMATORS, data, *[parts][: len(parts)]), sample)


folder = with_tables(partial(write_credit, name="credit_150", n=150))


def asked(key, data, **more):
    """A link, and what it selects."""
    query = DATA[data] | {"m": key} | QUICK.get(key, {}) | more
    return query, selected(urlencode(query))


def shown(app):
    texts = [html(app)]  # without formulas, which have braces of their own
    for kind in ("markdown", "caption", "info", "warning", "error"):
        texts += [str(element.value) for element in app.get(kind)]
    text = plain(" | ".join(texts)).replace("\\", "")
    for word in ("went wrong", "Traceback", "np.", "points lost", "by chance", "wrong side"):
        assert word not in text
    text = re.sub(r"\$.*?\$", "", text)
    assert not re.search(r"\bnan\b|\bNone\b(?! does| contradicts| of)|\{\w+\}", text)
    return text


def reason_not(selection, **about):
    model = selection.models[0]
    dataset = Work(selection).dataset
    return obstacle(ESTIMATORS[model.key], dataset, model.params, **about)


def rows_of(tree, node):
    """The rows that a node holds by its samples, parts of rows added up; as people read them."""
    _, weights = tree.node_samples(node)
    return number(round(float(weights.sum()), 6))


def first_branch_answers_yes(tree, node, X):
    rows, _ = tree.node_samples(node)
    inside, _ = tree.node_samples(tree.children(node)[0])
    if tree.kind[node] == Kind.THRESHOLD:
        value, threshold = X[rows, tree.feature[node]], tree.threshold[node]
    elif tree.kind[node] == Kind.OBLIQUE:
        row = tree.split_row[node]
        value, threshold = X[rows] @ tree.oblique.weights[row], tree.oblique.threshold[row]
    else:
        return
    if not np.isnan(value).any():
        np.testing.assert_array_equal(np.unique(rows[value <= threshold]), np.unique(inside))


@pytest.mark.parametrize(("key", "data"), cases(0))
def test_the_steps_of_a_growth_say_the_numbers_of_the_tree(key, data):
    query, selection = asked(key, data)
    app = seen("growth", **query)
    text = shown(app)
    reason = reason_not(selection, of_trees=True)
    if reason is not None:
        assert reason in text
        assert "What this page shows, by an example" in text
        return
    (story,) = stories(app).values()
    work = Work(selection).single_trees
    model, steps = work.first.estimator, story["steps"]
    tree, log = model.grown_tree_, model.growth_log_
    divided = work.first.division
    X = divided.values[divided.train_rows]
    if "machines" in story:
        for (_, node, _, _, _, _, rows, _), machine in zip(steps, story["machines"], strict=True):
            live = np.flatnonzero(tree.value[node]) if machine is None else machine["classes"]
            assert rows.replace(",", "").isdecimal()
            assert len(live) >= 1
        return
    assert len(steps) == len(log) + 2
    for event, (_, node, say, cells, _, _, rows, score) in enumerate(steps[1:-1]):
        said = plain(say)
        assert node == log.node[event]
        if log.action[event] == Action.SPLIT:
            assert score == number(float(log.score[event]))
            assert f" {score}" in said or " candidates" not in said
            counts = [rows_of(tree, child) for child in tree.children(node)]
            assert f" its {rows_of(tree, node)} row" in said
            if len(counts) == 2:
                assert f"{counts[0]} go to yes and {counts[1]} to no." in said
            for count in counts[:6]:
                assert count in said
            first_branch_answers_yes(tree, node, X)
        elif log.action[event] == Action.LEAF:
            assert f"becomes a leaf of {rows_of(tree, node)} row" in said
            assert rows == rows_of(tree, node)
        if not divided.has_missing:
            assert rows == number(int(log.n_samples[event]))
        assert cells[0][0] == rows
    last = plain(steps[-1][2])
    changed = len(log) > log.n_growth_events
    assert (f"Grown to {tree.n_leaves} lea" in last) == changed
    y, held = divided.y, divided.held_out_rows
    right = model.tree_.predict(X) == y[divided.train_rows]
    if len(held):
        right = model.tree_.predict(divided.values[held]) == y[held]
        share = f"{100 * right.mean():.1f} % ({right.sum()} of {len(held)}; 95 % interval "
        assert f"It classifies {share}" in last
    else:
        assert (
            f"It classifies {right.sum()} of {len(right)} of the training rows correctly; always"
            in last
        )


@pytest.mark.parametrize(("key", "data", "detail"), cases(1, "notice", "best", "numbers"))
def test_the_latent_view_says_the_numbers_of_the_tree(key, data, detail):
    query, selection = asked(key, data, space=detail)
    text = shown(seen("latent", **query))
    if not latent.has_space(key):
        assert (
            f"{ESTIMATORS[key].title} searches for splits in the original features"
            in text.replace("*", "")
        )
        return
    reason = reason_not(selection, allow_ensembles=False)
    if reason is not None:
        assert reason in text
        return
    tree = Work(selection).first.tree
    assert f"{ESTIMATORS[key].title}, {tree.n_nodes} node" in text
    for word, child in zip(("yes", "no"), tree.children(0), strict=True):
        assert f"{word}: {rows_of(tree, child)} row" in text


@pytest.mark.parametrize(("key", "data", "part"), cases(4, *PARTS))
def test_the_monotone_page_says_the_numbers_of_data_and_model(key, data, part):
    query, selection = asked(key, data, part=part)
    text = shown(seen("monotone", **query))
    dataset = Work(selection).dataset
    if not dataset.ordered:
        assert "These classes have no order" in text
        return
    reason = reason_not(selection, allow_ensembles=True)
    if part == "data":
        found = violations(dataset.numeric_X.to_numpy(), dataset.codes)
        assert f"{number(found.n_comparable)}comparable pairs" in text
    elif reason is not None:
        assert reason in text
    elif part == "audit":
        model = Work(selection).first.fitted_any.estimator
        X = Work(selection).first.division.X.to_numpy()
        directions = monotone.directions(Work(selection))
        audit = monotonicity_audit(model, X, directions=directions)
        assert f"{number(audit.n_violating)}contradict" in text
