"""Statements of the page *pruning*: what is cut back, what stands beside it, what judges it."""

from urllib.parse import parse_qs

import numpy as np

from lastviz.plots import number
from lastviz.ui.compute.work import Work
from lastviz.ui.pruning.page import _node_chooser
from lastviz.ui.pruning.scene import pruning_scene
from lastviz.ui.pruning.words import chosen_by, curve_alt, tree_alt
from lastviz.ui.text import CannotShow
from tests.sentences.rows import Kind, Look, Said, count, drawn, selected

TITLES = {"cart": "CART", "c45": "C4.5", "gsodt": "GSODT"}
WORDS = "ui/pruning/words.py::"


def said(link):
    try:
        scene = pruning_scene(Work(selected(link)), "light")
    except CannotShow:
        return []
    return [curve_alt(scene), tree_alt(scene), *chosen_by(scene)]


def choices(link):
    return drawn("ui.pruning.page", _node_chooser, pruning_scene(Work(selected(link)), "light"))


def asked(link, name, usual):
    return parse_qs(link).get(name, [usual])[0]


def beside(link):
    """The ways that the link wants, but for the way of the slider and what no rows can judge."""
    usual = "error_based,pessimistic,reduced_error,entropy_cost"
    way, held = asked(link, "prune", "cost_complexity"), asked(link, "held", "0.3")
    wanted = set(asked(link, "beside", usual).split(",")) - {way}
    return wanted - {"reduced_error"} if held == "0" else wanted


def grown(link):
    """The tree before anything is cut, and its inner nodes on the way down."""
    look = Look(link)
    if len(look.tree.kernel):
        return None, []
    tree, below, inner = look.estimator.grown_tree_, [0], []
    while below:
        node = below.pop()
        if tree.n_children[node]:
            inner.append(node)
            first = int(tree.first_child[node])
            below += range(first, first + int(tree.n_children[node]))
    return tree, inner


def pictured(link):
    tree, inner = grown(link)
    if not inner:
        return []
    assert (tree.n_children[inner] == 2).all()
    leaves = count(len(inner) + 1, "leaf", "leaves")
    title = TITLES[asked(link, "m", "")]
    return [{"title": title, "most": leaves, "n": len(beside(link))}]


def as_flow(link):
    return [{**each, "n": each["most"]} for each in pictured(link)]


def of_many(link):
    """Sixty nodes, none of them smaller than one that is left out; and the one that is weighed."""
    tree, inner = grown(link)
    if len(inner) <= 61:
        return []
    rows = [float(np.sum(tree.value[node])) for node in inner]
    weighed = int(asked(link, "weighed", "0"))
    is_small = sum(each > rows[inner.index(weighed)] for each in rows) >= 60
    return [{"shown": 61 if is_small else 60, "all": number(len(inner))}]


def judged(holds):
    def twin(link):
        return [{}] if grown(link)[1] and holds(link, len(Look(link).held)) else []

    return twin


SMALL = "data=moons&n_samples=100&m=cart"
NEW = (SMALL, "data=iris&m=c45", f"{SMALL}&beside=reduced_error,pessimistic&seed=2")
NONE = tuple(f"{each}&held=0" for each in (SMALL, NEW[1], f"{SMALL}&n_samples=80"))
WITHOUT = f"{SMALL}&beside=pessimistic"
EDITED = (f"{SMALL}&e=0L", f"{SMALL}&e=1L&held=0", "data=iris&m=cart&e=1L")
REFUSED = "data=iris&m=svm_tree"
LARGE = "data=waveform&m=cart&n_samples=1500"
ROWS = [
    Said(f"{WORDS}curve_alt", "over its leaves as it is", said, pictured,
         (WITHOUT, NONE[1], f"{SMALL}&prune=entropy_cost"), REFUSED),
    Said(f"{WORDS}tree_alt", "as a flow of rows", said, as_flow, NEW, REFUSED),
    *(Said(f"{WORDS}chosen_by", text, said, judged(holds), true, never)
      for text, holds, true, never in (
          ("chooses the tree of the one-SE rule", lambda _, held: held, NEW, NONE[0]),
          ("One half of them", lambda link, held: "reduced_error" in beside(link), NEW,
           [WITHOUT, NONE[0]]),
          ("No rows are held out", lambda _, held: not held, NONE, NEW[0]),
          ("Edits by hand are not", lambda link, _: asked(link, "e", ""), EDITED, NEW[0]),
      )),
    Kind("ui/pruning/page.py::_node_chooser", "largest of {all} nodes", choices, of_many,
         (LARGE, f"{LARGE}&seed=2", f"{LARGE}&weighed=0&held=0"), SMALL),
]  # fmt: skip
