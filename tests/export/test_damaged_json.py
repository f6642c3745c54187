"""Damaged trees in JSON: each is refused in one sentence, or is a whole tree all the same."""

import copy
import json
import random
from functools import partial

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from lastviz import CARTClassifier, CARTRegressor, SVMTreeClassifier, from_sklearn
from lastviz.export import as_json, model_as_json, model_from_json, tree_from_json
from tests.conftest import waveform
from tests.export.conftest import MODELS
from tests.tree.test_nominal_tree import by_branch, grown

MUTATIONS = 600  # of each document
STRANGE = (
    None, True, False, 0, -1, 1, 2, 7, 10**6, 10**400, -(10**400), 0.5, -0.0, 1e308, -1e308,
    float("nan"), float("inf"), "", "x1", "\N{SNOWMAN}", "1", [], [[]], [None], {}, {"a": 1},
    [0, 0], ["x", "x"], "NaN", "Infinity", 2**63, -(2**63) - 1,
)  # fmt: skip


def places(part, path=()):
    """The path of every value of a document."""
    yield path
    items = part.items() if isinstance(part, dict) else enumerate(part)
    for name, inside in items if isinstance(part, dict | list) else ():
        if isinstance(inside, dict | list):
            yield from places(inside, (*path, name))
        else:
            yield (*path, name)


def damaged(whole, places_of_whole, rng):
    """The document with one to three values changed, dropped, doubled, exchanged or cut off."""
    document = json.loads(whole)
    for n in range(rng.randint(1, 3)):
        path = rng.choice([*places(document)][1:] if n else places_of_whole)
        owner = document
        for name in path[:-1]:
            owner = owner[name]
        what = rng.choice(("change", "change", "drop", "double", "exchange", "nudge"))
        value = owner[path[-1]]
        if what == "change":
            owner[path[-1]] = copy.deepcopy(rng.choice(STRANGE))
        elif what == "drop":
            del owner[path[-1]]
        elif what == "double" and isinstance(owner, list):
            owner.insert(path[-1], copy.deepcopy(value))
        elif what == "nudge" and isinstance(value, int | float):
            owner[path[-1]] = value + rng.choice((-1, 1, 0.5))
        else:
            other = rng.choice(list(owner) if isinstance(owner, dict) else range(len(owner)))
            owner[path[-1]], owner[other] = owner[other], value
        if not isinstance(document, dict) or not document:
            break
    text = json.dumps(document)
    return text if rng.random() < 0.9 else text[: rng.randrange(len(text))]


def learnt(name):
    model, X, y = MODELS[name]()
    return model.fit(X, y).tree_


def machines():
    X, y = waveform(60, 1)
    return SVMTreeClassifier(sigma=10.0, C=1.0).fit(X, y).tree_


def forest():
    X, y = waveform(80, 3)
    return from_sklearn(RandomForestClassifier(3, max_depth=3, random_state=0).fit(X, y))


def numbers():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    return CARTRegressor(max_depth=3).fit(X, X[:, 0] ** 2).tree_


TREES = {name: partial(learnt, name) for name in MODELS}
TREES |= {"fractions": grown, "branches": lambda: by_branch(grown())}
TREES |= {"machines": machines, "numbers": numbers, "forest": forest}


ALWAYS = ("thresholds", "fractions", "forest")


@pytest.fixture(
    params=[name if name in ALWAYS else pytest.param(name, marks=pytest.mark.ci) for name in TREES]
)
def document(request):
    found = TREES[request.param]()
    if request.param == "forest":
        return model_as_json(found)
    return as_json(found, rows=request.param != "branches")  # that one was not grown on its rows


def test_what_is_damaged_is_refused_in_a_sentence_or_is_a_whole_model(document):
    rng, refused = random.Random(16), 0
    everywhere = [*places(json.loads(document))][1:]  # the first is the document itself
    for _ in range(MUTATIONS):
        text = damaged(document, everywhere, rng)
        try:
            found = model_from_json(text)
        except ValueError as error:
            refused += 1
            said = str(error)
            assert said.startswith("this is no JSON of a lastviz model 1: ")
            assert "\n" not in said
            assert len(said) < 400
        else:
            for tree in found.trees_:
                tree.validate()
            with np.errstate(all="ignore"):  # a machine's width may be changed beyond all use
                [tree.predict(np.zeros((2, tree.n_features))) for tree in found.trees_]
    assert MUTATIONS / 4 < refused < MUTATIONS


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("nodes", "parent", 1), "root", r"nodes.parent\[1\] must be a whole number from -1 to 2"),
        (("nodes", "threshold", 0), 10**400, r"nodes.threshold\[0\] must be a number"),
        (("nodes", "threshold"), [], r"nodes.threshold must be a list of 3, got \[\]"),
        (("nodes", "first_child", 0), 2, "tree is broken at node 1: not among children"),
        (("nodes",), 7, r"trees\[0\].nodes must be an object, got 7"),
        (("nodes", "kind", 0), "oblique", "split_row must be -1 at leaves and thresholds"),
        (("nodes", "key", 0), "xyz", r"nodes.key\[0\] must be 16 digits of 0-9 and a-f"),
        (("missing",), "sometimes", "missing must be one of refuse, fractions, branch"),
        (("nodes", "weighted_n_node_samples", 0), 1.0, "tree is broken at node 0"),
        (("nodes", "prediction", 0), 2, "must be a whole number from 0 to 1"),
        (("branches",), [[0, 1]], "must be a list of at most 0, one for each category"),
    ],
)
def test_the_sentence_names_the_place(path, value, sentence):
    document = json.loads(as_json(_stump()))
    owner = document["trees"][0]
    for name in path[:-1]:
        owner = owner[name]
    owner[path[-1]] = value
    with pytest.raises(ValueError, match=sentence):
        tree_from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("classes", {}, "classes must be a list"),
        ("classes", [1, 1], "classes must be a list without repetitions"),
        ("features", ["x1", "x2"], "categories must be a list of 2"),
        ("decision", "dice", "decision must be one of tree, votes"),
        ("decision", "mean", "a decision by 'mean' does not fit trees that learnt classes"),
        ("weights", [1.0, 2.0], "weights must be a list of 1"),
        ("trees", [], "trees must be a list of at least one tree"),
    ],
)
def test_the_head_of_a_document_is_checked(name, value, sentence):
    document = {**json.loads(as_json(_stump())), name: value}
    with pytest.raises(ValueError, match=sentence):
        model_from_json(json.dumps(document))


def test_a_machine_cannot_read_beyond_its_vectors():
    document = json.loads(as_json(machines()))
    table = document["trees"][0]["machines"]
    for name, wrong in (("index", 10**6), ("start", -1), ("sigma", 0.0), ("degree", 10**9)):
        damaged = copy.deepcopy(document)
        inside = damaged["trees"][0]["machines"]
        if isinstance(table[name], list):
            inside[name][0] = wrong
        else:
            inside[name] = wrong
        with pytest.raises(ValueError, match=rf"machines.{name}"):
            model_from_json(json.dumps(damaged))


def _stump():
    return CARTClassifier(max_depth=1).fit(np.arange(8.0)[:, None], np.arange(8) // 4).tree_


@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"format": ' + "1" * 5000 + "}", b"\xff\xfe", b"\xff"]
)
def test_what_cannot_be_read_at_all_is_refused(text):
    with pytest.raises(ValueError, match="this is no JSON of a lastviz model 1"):
        model_from_json(text)
