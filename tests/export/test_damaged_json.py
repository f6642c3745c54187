"""Damaged trees in JSON: each is refused in one sentence, or is a whole tree all the same."""

from __future__ import annotations

import copy
import json
import random
from functools import partial

import numpy as np
import pytest

from lastviz import CARTClassifier
from lastviz.export import as_json, tree_from_json
from tests.export.conftest import MODELS
from tests.tree.test_nominal_tree import by_branch, grown

MUTATIONS = 600
STRANGE = (
    None, True, False, 0, -1, 1, 2, 7, 10**6, 10**400, -(10**400), 0.5, -0.0, 1e308, -1e308,
    float("nan"), float("inf"), "", "x1", "\N{SNOWMAN}", "1", [], [[]], [None], {}, {"a": 1},
    [0, 0], ["x", "x"],
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


def damaged(document, rng):
    """The document with one to three values changed, dropped, doubled, exchanged or cut off."""
    document = copy.deepcopy(document)
    for _ in range(rng.randint(1, 3)):
        path = rng.choice([p for p in places(document) if p])
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


TREES = {name: partial(learnt, name) for name in ("thresholds", "hyperplanes", "ordered")}
TREES |= {"fractions": grown, "branches": lambda: by_branch(grown())}


@pytest.fixture(params=TREES)
def tree(request):
    return TREES[request.param]()


def test_what_is_damaged_is_refused_in_a_sentence_or_is_a_whole_tree(tree):
    document, rng = json.loads(as_json(tree)), random.Random(16)
    refused = 0
    for _ in range(MUTATIONS):
        text = damaged(document, rng)
        try:
            found = tree_from_json(text)
        except ValueError as error:
            refused += 1
            said = str(error)
            assert said.startswith("this is no JSON of a lastviz tree 1: ")
            assert "\n" not in said
            assert len(said) < 400
        else:
            found.validate()
            found.predict(np.zeros((2, found.n_features)))
    assert MUTATIONS / 4 < refused < MUTATIONS


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("nodes", 1, "parent"), "root", r"nodes\[1\].parent must be a whole number from 0 to 0"),
        (("nodes", 0, "test", "threshold"), 10**400, r"nodes\[0\].test.threshold must be a number"),
        (("nodes", 0, "test"), [], r"nodes\[0\].test must be an object, got \[\]"),
        (("nodes", 0, "children"), [2, 1], r"nodes\[0\].children must be a list of numbers that"),
        (("nodes", 2), 7, r"nodes\[2\] must be an object, got 7"),
        (("classes",), {}, "classes must be a list"),
        (("missing",), "sometimes", "missing must be one of refuse, fractions, branch"),
        (("nodes", 0, "rows"), 1.0, "tree is broken at node 0"),
    ],
)
def test_the_sentence_names_the_place(path, value, sentence):
    document = json.loads(as_json(_stump()))
    owner = document
    for name in path[:-1]:
        owner = owner[name]
    owner[path[-1]] = value
    with pytest.raises(ValueError, match=sentence):
        tree_from_json(json.dumps(document))


def _stump():
    return CARTClassifier(max_depth=1).fit(np.arange(8.0)[:, None], np.arange(8) // 4).tree_


def test_nesting_beyond_all_bounds_is_refused():
    with pytest.raises(ValueError, match="this is no JSON of a lastviz tree 1"):
        tree_from_json("[" * 200_000)
