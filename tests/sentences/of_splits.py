"""Statements of the page *splits* about a node: what was searched there, and what was taken."""

import re
from functools import cache
from unittest.mock import patch
from urllib.parse import parse_qsl

import numpy as np

from lastviz.plots import number
from lastviz.tree import Kind as Kinds
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.blocks import report_blocks
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.splits import nominal, page, searches
from lastviz.ui.splits.node import node_rows
from lastviz.ui.splits.searches import ClassScene
from lastviz.ui.text import CannotShow
from tests import naive, naive_svm
from tests.sentences.rows import Kind, Look, count, drawn, selected, texts_in

PLACE = "ui/splits/"
TITLES = {
    "cart": "CART", "c45": "C4.5", "id3": "ID3", "oc1": "OC1", "svm_tree": "SVM tree",
    "hybrid": "Hybrid (BNM / CSN)",
}  # fmt: skip


@cache
def said(link):
    """All that the page and its report say of a node."""
    try:
        scene = page.page_scene(Work(selected(link)), "light")
    except CannotShow as reason:
        return [str(reason)]
    pictures = report_blocks(scene.pictures())
    words = [each for picture in pictures for each in (picture.alt, picture.caption)]
    words += texts_in(scene.explanations()) + drawn("ui.splits.node", node_rows, scene.at)
    if isinstance(scene, searches.HyperplaneScene) and scene.search is not None:
        words += drawn("ui.splits.searches", scene._table)
    elif isinstance(scene, nominal.TestScene) and scene.n_candidates:
        words += drawn("ui.splits.nominal", nominal._table, scene)
    return words


def reported(link):
    try:
        scene = page.page_scene(Work(selected(link)), "light")
    except CannotShow as reason:
        return [str(reason)]
    assert isinstance(scene, ClassScene)  # the quickest to draw
    with patch.object(page.session, "current", return_value=selected(link)):
        return re.findall(r'aria-label="([^"]*)"', page.report(None))


@cache
def node_of(link):
    """The model of a link, its node, what its tree was grown as, and the rows of the node."""
    look, about = Look(link), dict(parse_qsl(link))
    node = int(about.get("node", 0))
    assert look.tree.n_nodes == look.estimator.grown_tree_.n_nodes or node == 0
    rows = [i for i in look.train if node == 0 or look.leaf_is_below(node, i)]
    return look, TITLES[about["m"]], node, rows


@cache
def thresholds(link):
    """Feature, threshold and class counts of both sides, of every threshold between two values."""
    look, _, _, rows = node_of(link)
    return naive.candidates(look.values[rows], look.y[rows], max(look.y) + 1)


def is_refused(link):
    return link == REFUSED


def kind_of(link):
    """What is searched for at the node."""
    look = Look(link)
    tree = look.estimator.grown_tree_
    if any(each is not None for each in look.divided.categories):
        return "tests"
    if len(tree.kernel):
        return "classes"
    return "hyperplanes" if dict(parse_qsl(link))["m"] == "oc1" else "thresholds"


def n_rows(link):
    _, _, node, rows = node_of(link)
    return {"node": node, "rows": count(len(rows), "row", "rows")}


def framed(link):
    return [] if is_refused(link) else [{"title": node_of(link)[1], "node": node_of(link)[2]}]


def uses_many(link):
    """The features of a node's split that weighs them, or is a machine."""
    look, _, node, _ = node_of(link)
    grown = look.estimator.grown_tree_
    if grown.kind[node] == Kinds.KERNEL:
        return [{"n": look.values.shape[1]}]
    if grown.kind[node] != Kinds.OBLIQUE:
        return []
    return [{"n": sum(w != 0 for w in grown.oblique.weights[grown.split_row[node]])}]


# Thresholds


def pictured(link):
    if is_refused(link) or kind_of(link) != "thresholds":
        return []
    return [{"title": node_of(link)[1], "n": number(len(thresholds(link))), **n_rows(link)}]


def has_strips(link):
    return [{}] if pictured(link) else []


def ranked(link):
    look, _, _, rows = node_of(link)
    is_ranked = pictured(link) and len(set(look.y[rows].tolist())) > 1
    return [{"n": number(len(thresholds(link)))}] if is_ranked else []


def equal_thresholds(link):
    """The candidates that gain as much as the best by Gini; twelve of them are named."""
    if is_refused(link) or kind_of(link) != "thresholds" or not ranked(link):
        return []
    look, title, node, _ = node_of(link)
    if title != "CART" or not look.tree.n_children[node]:
        return []
    found = [(naive.gain(a, b, naive.gini), f, t) for f, t, a, b in thresholds(link)]
    best = max(found)[0]
    tied = [(f, t) for gain, f, t in found if gain >= best - 1e-12]
    if len(tied) < 2:
        return []
    assert (look.tree.feature[node], look.tree.threshold[node]) == tied[0]
    names = list(look.divided.X.columns)
    tests = [f"{names[f]} ≤ {number(float(t))}" for f, t in tied]
    more = f" and {len(tied) - 12} more" if len(tied) > 12 else ""
    return [{"n": len(tied), "tests": ", ".join(tests[:12]) + more}]


# Hyperplanes


def visited(link):
    """The search of a node's hyperplane as arrays, and its best move, of equals the first."""
    if is_refused(link) or kind_of(link) != "hyperplanes":
        return None, None
    look, _, node, _ = node_of(link)
    if not look.estimator.grown_tree_.n_children[node] and not selected(link).models[0].edits:
        return None, None
    search = Work(selected(link)).first.node(node).hyperplanes
    scores = search.score.tolist()
    return search, scores.index(max(scores))


def of_moves(link):
    search, best = visited(link)
    if search is None:
        return []
    _, title, node, _ = node_of(link)
    picked = dict(parse_qsl(link)).get("move", best + 1)
    return [{"node": node, "at": picked, "all": len(search.score), "title": title}]


def many_starts(link):
    search, _ = visited(link)
    n = 0 if search is None else len(set(search.restart.tolist()))
    return [{"n": 500, "all": number(n)}] if n > 500 else []


# Classes


def apart(order, a, b):
    """How far two classes are apart, as the paper measures it, with inner products as kernel."""
    if order == "euclidean":
        return float(np.linalg.norm(a.mean(axis=0) - b.mean(axis=0)))
    if order == "separability_input":
        return naive_svm.input_separability(a, b)
    return naive_svm.separability(a, b, np.dot)


def parts_classes(way):
    """The twin of why classes part at the root, by one of five ways."""

    def twin(link):
        if is_refused(link) or kind_of(link) != "classes":
            return []
        look, about = Look(link), dict(parse_qsl(link))
        order = about.get("m.order", "separability")
        names = class_names_of(Work(look.selection).dataset)
        rows = [[i for i in look.train if look.y[i] == k] for k in range(len(names))]
        parts = [look.values[each] for each in rows]
        live = range(len(names))
        matrix = [[np.inf if a is b else apart(order, a, b) for b in parts] for a in parts]
        least = [min(row) for row in matrix]
        tied = [k for k in live if least[k] >= max(least) - 1e-12]
        first = naive_svm.peel_order(matrix)[0]
        values = {"n": len(tied), "tied": ", ".join(names[k] for k in tied)}
        if "e" in about:
            found, values, pair = "forced", {"classes": names[first]}, (first, 0)
        elif order == "groups":
            found, (one, two) = "groups", naive_svm.groups(matrix, live, min)
            pair = min(
                ((a, b) for a in one for b in two), key=lambda pair: matrix[pair[0]][pair[1]]
            )
        elif order == "natural":
            found, pair = "natural", (0, matrix[0].index(least[0]))
        else:
            found = "tied" if len(tied) > 1 else "farthest"
            pair = first, matrix[first].index(least[first])
        a, b = pair
        values |= {"a": names[a], "b": names[b], "value": number(matrix[a][b])}
        return [values] if found == way else []

    return twin


SVM = "m=svm_tree&m.kernel=linear&m.C=1.0&m.scaling=none"
INPUT = "m.order=separability_input"
REFUSED = "data=monotone&m=monotone_boosting&m.max_iter=3"
IRIS, MOONS, WINE = "data=iris&m=cart", "data=moons&n_samples=100&m=c45", "data=wine&m=hybrid"
NODES = (IRIS, "data=wine&m=cart&node=1", MOONS)
PURE = (f"{IRIS}&node=1", "data=wine&m=cart&node=5", f"{IRIS}&seed=2&node=1")
EQUAL = (IRIS, f"{IRIS}&seed=3", f"{IRIS}&seed=1")
OC1 = ("data=moons&n_samples=60&m=oc1", "data=wine&m=oc1&move=3", "data=diagonal&m=oc1")
EDITED_LINES = (f"{OC1[0]}&e=T1_0.5", "data=iris&m=oc1&e=L", "data=iris&m=oc1&e=T3_2.5")
STARTS = tuple(f"{OC1[0]}&m.max_depth=1&m.n_restarts={n}" for n in (510, 520, 601))
FARTHEST = (f"data=iris&{SVM}", f"data=wine&{SVM}&m.order=euclidean", f"data=blobs&{SVM}&{INPUT}")
TIED = tuple(f"data={key}&n_samples=100&{SVM}&{INPUT}" for key in ("moons", "circles", "xor"))
NATURAL = tuple(f"data={key}&{SVM}&m.order=natural" for key in ("iris", "blobs", "wine"))
GROUPS = tuple(f"data={key}&{SVM}&m.order=groups" for key in ("iris", "blobs", "wine"))
EDITED_CLASSES = tuple(f"data={key}&{SVM}&{INPUT}&e=S2" for key in ("iris", "wine", "iris&seed=2"))
HYPERPLANES = f"{PLACE}searches.py::HyperplaneScene."
LOAN = ("data=loan&m=id3", "data=loan&m=c45", "data=loan&m=cart")
KINDS = [IRIS, OC1[0], FARTHEST[0], LOAN[0]]
ROWS = [
    *(Kind(f"{PLACE}searches.py::{unit}", text, said, parts_classes(way), true,
           [FARTHEST[0] if true is TIED else TIED[0], REFUSED])
      for unit, way, text, true in (
          ("ClassScene._rule_words", "forced", "Set by hand", EDITED_CLASSES),
          ("ClassScene._rule_words", "farthest", "is farthest", FARTHEST),
          ("ClassScene._rule_words", "tied", "Shared by {n}", TIED),
          ("BY_ORDER", "groups", "until two groups remain", GROUPS),
          ("BY_ORDER", "natural", "in their given order", NATURAL))),
    Kind(f"{HYPERPLANES}pictures", "The rows of node", said, of_moves, OC1, KINDS[2:]),
    Kind(f"{HYPERPLANES}_table", "The best {n} of {all}.", said, many_starts,
         STARTS, OC1[0]),
    Kind(f"{PLACE}node.py::_of_many", "The split uses {n} features", said,
         uses_many, (*OC1[:2], FARTHEST[0]), [IRIS, EDITED_LINES[0]]),
    Kind(f"{PLACE}threshold.py::_how_to_read", "Outward is better", said, has_strips, NODES,
         KINDS[1:]),
    Kind(f"{PLACE}threshold.py::_alt", "its rows in a plane", said, pictured, NODES, KINDS[1:]),
    Kind(f"{PLACE}words.py::favourites", "Rank among {n}", said, ranked, NODES,
         [PURE[0], KINDS[1]]),
    Kind(f"{PLACE}words.py::FIRST_OF_EQUALS", "Rank 1 is shared", said, equal_thresholds, EQUAL,
         [NODES[1], PURE[0]]),
    Kind(f"{PLACE}node.py::NodeScene._tree_alt", "is framed", reported, framed,
         FARTHEST, REFUSED),
]  # fmt: skip
