"""Statements that end in a reason: why a node is a leaf, why a painting is no data."""

from types import SimpleNamespace
from unittest.mock import patch
from urllib.parse import parse_qsl

import numpy as np

from lastviz.datasets.painted import Painting, painted_dataset
from lastviz.ui.compute.work import Work
from lastviz.ui.quiz import words as quiz_words
from lastviz.ui.quiz.asking import pose
from lastviz.ui.splits.node import node_view
from lastviz.ui.state.quiz_codes import SPLIT, Question
from tests.sentences.of_work import at, refusals
from tests.sentences.rows import Kind, Look, selected

PURE = "All rows here have the same class."
DEEP = "The largest depth is reached."
FEW = "There are too few rows here to split."


def why_leaf(link):
    """Of the picked node, by its rows and what the link limits; none where it is split."""
    look, query = Look(link), dict(parse_qsl(link))
    node = look.selection.models[0].node_in(look.tree) or 0
    if look.tree.n_children[node]:
        return None
    here = [row for row in look.train if look.leaf_is_below(node, row)]
    if len(set(look.y[here].tolist())) == 1:
        return PURE
    depth = len(look.tree.path(node)) - 1
    return DEEP if depth == int(query.get("m.max_depth", 99)) else FEW


def of_node(link):
    return [node_view(Work(selected(link)), "light").why_no_split]


def no_split(link):
    why = why_leaf(link)
    return [] if why is None else [{"reason": why}]


def revealed(link):
    why = why_leaf(link)
    answer = quiz_words.NOWHERE if why else "0_1"
    view = node_view(Work(selected(link)), "light")
    posed = SimpleNamespace(answer=answer, reason=view.why_no_split.split("split. ")[-1][:-4],
                            title="CART", names=("a",))  # fmt: skip
    with patch.object(quiz_words, "answer_words", lambda *_: ""):
        return [quiz_words._split_revealed(posed, None)]


def nowhere(link):
    why = why_leaf(link)
    return [] if why is None else [{"why": why}]


def painting(values):
    places = np.arange(len(values))
    painted_dataset(
        str(Painting(places, places, np.array(values), (0.0, 1.0, 0.0, 1.0), heights=False))
    )


def one_class(values):
    return [{"obstacle": "Paint rows of a second class."}] if len(set(values)) < 2 else []


def asked(query):
    pose(Question(SPLIT, query), "light")


def unreadable(query):
    strange = [key for key, _ in parse_qsl(query) if key.startswith("zz")]
    why = "The link's “{}” is not known here and was ignored."
    return [{"why": why.format(strange[0])}] if strange else []


LEAVES = ("data=iris&m=cart&node=1", "data=iris&m=cart&m.max_depth=1&node=2",
          "data=iris&m=cart&m.min_samples_split=1000")  # fmt: skip
ROOTS = ("data=iris&m=cart&m.min_samples_split=1000", "data=wine&m=cart&m.min_samples_split=1000",
         "data=moons&m=cart&m.min_samples_split=500")  # fmt: skip
ROWS = [
    Kind("ui/splits/node.py::NodeView.why_no_split", "This leaf has no split", of_node, no_split,
         LEAVES, "data=iris&m=cart"),
    Kind("ui/quiz/words.py::_split_revealed", "the root stays a leaf", revealed, nowhere, ROOTS,
         "data=iris&m=cart"),
    at("datasets/painted.py::painted_dataset", "no model can be trained on this painting",
       refusals(painting), one_class, ((0,), (1, 1), (2, 2, 2)), (0, 1)),
    at("ui/quiz/asking.py::pose", "cannot be opened", refusals(asked), unreadable,
       ("data=iris&m=cart&zz=1", "zz_a=2&data=moons&m=cart", "data=wine&m=cart&zz=x"),
       "data=iris&m=cart"),
]  # fmt: skip
