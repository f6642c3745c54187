"""The page *splits* of every algorithm: the split on the screen is the split in the tree."""

import re
from itertools import product

import numpy as np
import pytest

from lastviz.estimators import ESTIMATORS
from lastviz.inspection import last_reason
from lastviz.plots import machine_words, number, split_words
from lastviz.tree import Kind
from lastviz.ui.compute.availability import obstacle
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state.codec import encode
from lastviz.ui.state.selection import Model, Selection

from .conftest import checked, html, opened, sampled
from .opened_pages import plain, said

DATA = {
    "moons": {"params": (("n_samples", 120),)},
    "iris": {},
    "digits": {"held": 0.9},
    "waveform": {"params": (("n_samples", 150),)},
    "loan": {"held": 0.0},
    "wine": {},
    "monotone": {"params": (("n_samples", 150),)},
}
# Searches that would take long at their defaults.
FAST = {"oc1": (("n_restarts", 3),)}
# Each algorithm on two kinds of data, each kind of data under two algorithms or more.
SAMPLE = [
    ("id3", "loan"),
    ("c45", "loan"),
    ("c45", "digits"),
    ("cart", "moons"),
    ("cart", "loan"),
    ("gsodt", "iris"),
    ("gsodt", "digits"),
    ("lsodt", "wine"),
    ("lsodt", "waveform"),
    ("hybrid", "wine"),
    ("hybrid", "iris"),
    ("oc1", "moons"),
    ("oc1", "wine"),
    ("cart_lc", "loan"),
    ("cart_lc", "waveform"),
    ("optimal", "wine"),
    ("tao", "wine"),
    ("svm_tree", "moons"),
    ("svm_tree", "digits"),
    ("remt", "monotone"),
    ("mcdf", "monotone"),
    ("adaboost_m1", "monotone"),
    ("monotone_boosting", "monotone"),
]


def selected(key, data, **model):
    params = model.pop("params", FAST.get(key, ()))
    return Selection(data=data, models=(Model(key, params, **model),), **DATA[data])


def headline(app):
    return plain(re.search(r'lv-split"><b>(.*?)</b>', html(app))[1])


def cases(estimator):
    """Return the root, the deepest inner node and the largest leaf, as far as there are any."""
    tree = estimator.tree_
    inner = np.flatnonzero(tree.n_children)
    leaves = np.flatnonzero(tree.n_children == 0)
    found = [*inner[:1], *inner[np.argsort(tree.depth[inner], kind="stable")][-1:]]
    return list(dict.fromkeys([*found, leaves[np.argmax(tree.n_node_samples[leaves])]]))


def check_node(app, selection, node):
    """Compare what the page says of a node with the arrays of its tree."""
    estimator = Work(selection).first.estimator
    grown, origin = estimator.grown_tree_, Work(selection).first.node(node).origin
    words = plain(f"{html(app)} {said(app)}")
    if estimator.tree_.is_leaf(node):
        assert "This leaf has no split." in words
        assert last_reason(estimator, node).sentence in words
        if np.count_nonzero(grown.value[origin]) < 2:
            assert "rank 1" not in words
        return
    assert "no candidate is admitted" not in words
    assert "no candidate is admitted" not in words
    assert "This leaf" not in words
    check_split(app, selection, grown, origin)
    check_children(app, grown, origin)


def check_split(app, selection, grown, node):
    if grown.kind[node] == Kind.KERNEL:
        names = class_names_of(Work(selection).dataset)
        assert headline(app) == plain(machine_words(grown, node, class_names=names))
        return
    equation = plain(split_words(grown, node, terms=4, rest="{n} more"))
    if not (grown.bases and grown.kind[node] == Kind.OBLIQUE):
        assert headline(app) == equation
        return
    assert plain(re.search(r'lv-equation">(.*?)</span>', html(app))[1]) == equation
    basis, row = grown.bases[grown.basis_id[node]], grown.split_row[node]
    same = (grown.oblique.weights[row] == basis.directions.T).all(axis=1)
    component = int(np.flatnonzero(same)[0])
    threshold = grown.oblique.threshold[row] - basis.origin[component]
    assert headline(app) == f"{basis.names[component]} ≤ {number(float(threshold))}"


def check_children(app, grown, node):
    """The counts stand in the headline, or above the bars of each branch."""
    expected = [number(int(grown.n_node_samples[child])) for child in grown.children(node)]
    if grown.kind[node] == Kind.CATEGORIES or "rows yes | no" not in html(app):
        chosen = re.search(r'lv-children lv-chosen">(.*?)</ul></div></div></div>', html(app), re.S)
        counts = re.findall(r"</b> ([\d,]+) rows?<ul>", chosen[0])
    else:
        strip = re.search(r"<b>([^<]*)</b><span>rows yes \| no</span>", html(app))[1]
        counts = strip.split(" | ")
    assert counts == expected


@pytest.mark.parametrize(("key", "data"), sampled(product(ESTIMATORS, DATA), SAMPLE))
def test_the_split_on_screen_is_the_stored_one(key, data):
    selection = selected(key, data)
    dataset = Work(selection).dataset
    reason = obstacle(ESTIMATORS[key], dataset, selection.models[0].params, of_trees=True)
    app = opened("splits", **encode(selection))
    if reason is not None:
        assert [info.value for info in app.info] == [reason]
        return
    selection = Work(selection).single_trees.selection
    check_node(app, selection, 0)
    for node in cases(Work(selection).first.estimator)[1:]:
        checked(app.selectbox(key="node").set_value(int(node)).run())
        check_node(app, selection, int(node))


def test_the_sample_covers_every_algorithm_and_data_set():
    assert {key for key, _ in SAMPLE} == set(ESTIMATORS)
    assert {data for _, data in SAMPLE} == set(DATA)


@pytest.mark.ci
@pytest.mark.parametrize(("key", "data", "params"), [
    ("c45", "iris", (("threshold", "value"),)),
    ("c45", "wine", (("criterion", "chi2"),)),
    ("gsodt", "iris", (("latent", "pca"),)),
    ("gsodt", "iris", (("latent", "ica"),)),
    ("gsodt", "wine", (("latent", "none"),)),
    ("lsodt", "iris", (("levels", 3),)),
    ("hybrid", "iris", (("penalty", "exact"),)),
    ("oc1", "iris", (("n_restarts", 2), ("pruning_fraction", 0.0))),
    ("svm_tree", "iris", (("order", "groups"),)),
    ("svm_tree", "iris", (("order", "natural"),)),
])  # fmt: skip
def test_so_it_is_with_other_parameters(key, data, params):
    selection = selected(key, data, params=params)
    app = opened("splits", **encode(selection))
    for node in cases(Work(selection).first.estimator):
        if node:
            checked(app.selectbox(key="node").set_value(int(node)).run())
        check_node(app, selection, int(node))
