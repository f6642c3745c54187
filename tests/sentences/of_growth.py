"""Statements about how a tree grew and was cut back: told again from the log and the rows."""

from functools import cached_property, partial
from html import escape
from math import log2, sqrt

import numpy as np
import pandas as pd

from lastviz.plots import number
from lastviz.tree import Action, Reason
from lastviz.ui.compute import uploads
from lastviz.ui.compute.work import Work
from lastviz.ui.growth.details import story
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Model
from lastviz.ui.text import CannotShow
from tests import naive
from tests.naive_cost_complexity import gini_risk, smallest_optimum
from tests.sentences.rows import Kind, Look, count, selected

WORDS = "ui/growth/words.py::"
Z = np.interp(0.25, (0.2, 0.4), (0.84, 0.25))  # C4.5's table of the normal limit at 0.25


def scene_of(link):
    if isinstance(link, str):
        return selected(link)
    seed, n_values, key = link
    rng = np.random.default_rng(seed)
    words, colours = rng.integers(0, n_values, 120), rng.integers(0, 3, 120)
    words[:n_values] = np.arange(n_values)
    grows = rng.random(120) < (words + 2 * colours) / (n_values + 5)
    table = pd.DataFrame({"word": [f"w{k}" for k in words], "colour": np.array(["red", "green",
                          "blue"])[colours], "class": np.where(grows, "yes", "no")})  # fmt: skip
    content = table.to_csv(index=False).encode()
    file = uploads.keep(f"words{seed}_{n_values}.csv", content, len(table))
    return DEFAULT.change(data=UPLOAD, upload=file).having(models=(Model(key),))


def steps(link):
    try:
        return [step.say for step in story(Work(scene_of(link)), "light").steps]
    except CannotShow as reason:
        return [str(reason)]


class Grown(Look):
    """A model of a scene as it was grown, and where its training rows went."""

    def __init__(self, link):
        super().__init__(scene_of(link))
        self.tree, self.log = self.estimator.grown_tree_, self.estimator.growth_log_
        self.names = class_names_of(Work(self.selection).dataset)

    @cached_property
    def rows_of(self):
        """The training rows of each node."""
        found = {node: [] for node in range(self.tree.n_nodes)}
        for row in self.train:
            node = self.leaf(self.values[row])
            while node >= 0:
                found[node].append(row)
                node = int(self.tree.parent[node])
        return found

    def events(self, action, reason=None):
        for event, (node, what, why) in enumerate(
            zip(self.log.node, self.log.action, self.log.reason, strict=True)
        ):
            if what == action and (reason is None or why == reason):
                yield event, int(node)

    def counts(self, node):
        return np.bincount(self.y[self.rows_of[node]], minlength=len(self.names))

    def errors(self, node):
        counts = self.counts(node)
        return counts.sum() - counts.max()

    def about(self, node):
        rows = count(len(self.rows_of[node]), "row", "rows")
        return {"node": node, "rows": rows, "name": escape(self.names[self.most(node)])}

    def most(self, node):
        """The most frequent class of a node; of equals the one that the tree has."""
        counts, own = self.counts(node), int(self.tree.prediction[node])
        return own if counts[own] == counts.max() else int(counts.argmax())

    def gain(self, node):
        """By Gini, of the impurity of a node and those of its children."""

        def impurity(n):
            shares = self.counts(n) / max(self.counts(n).sum(), 1)
            return 1.0 - sum(share * share for share in shares)

        n = len(self.rows_of[node])
        below = sum(len(self.rows_of[c]) / n * impurity(c) for c in self.tree.children(node))
        return impurity(node) - below

    def test(self, node, branch=None):
        """What a node asks, as it is written."""
        name = self.tree.feature_names[self.tree.feature[node]]
        if branch is None and self.tree.kind[node] == 1:
            return f"{name} ≤ {number(self.tree.threshold[node])}"
        known = self.tree.feature_categories[self.tree.feature[node]]
        return f"{name} = {known[branch]}" if branch is not None else name


def split_in_two(link):
    look = Grown(link)
    found = []
    for _, node in look.events(Action.SPLIT):
        below = list(look.tree.children(node))
        if len(below) == 2:
            yes, no = (number(len(look.rows_of[child])) for child in below)
            found.append(look.about(node) | {"test": _test(look, node), "yes": yes, "no": no})
    return found


def _test(look, node):
    """The test of a threshold, or of the category of one value against all others."""
    name = look.tree.feature_names[look.tree.feature[node]]
    return f"{name} ≤ {number(float(f'{look.tree.threshold[node]:.4g}'))}"


def split_in_many(link):
    look = Grown(link)
    found = []
    for _, node in look.events(Action.SPLIT):
        below = list(look.tree.children(node))
        if len(below) < 3:
            continue
        *parts, last = [f"{look.test(node, b)}: {len(look.rows_of[child])}" for b, child in
                        enumerate(below)]  # fmt: skip
        if len(parts) > 5:
            parts, last = [*parts, last][:6], f"{len(parts) - 5} more"
        values = {"test": look.test(node), "branches": f"{', '.join(parts)} and {last}"}
        found.append(look.about(node) | values)
    return found


def leaves(link):
    if "m=mcdf" in link:
        return []
    look = Grown(link)
    return [look.about(node) for _, node in look.events(Action.LEAF)]


# What a cut saves: the price of a node as a leaf against the least below its split


def saved_by(as_leaf, inner=lambda look, node: 0.0):
    def least(look, node):
        if not look.tree.n_children[node]:
            return as_leaf(look, node)
        return min(as_leaf(look, node), below(look, node))

    def below(look, node):
        return inner(look, node) + sum(least(look, child) for child in look.tree.children(node))

    return lambda look, node: below(look, node) - as_leaf(look, node)


def expected_errors(look, node):
    n, e = len(look.rows_of[node]), look.errors(node)
    return e + naive.add_errors(n, e, 0.25, Z) if n else 0.0


def bits_of_entropy(look, node):
    counts = look.counts(node)
    n = counts.sum()
    return -sum(c * log2(c / n) for c in counts if c) + 4


def bits_as_leaf(look, node):
    bits, seen = 1.0, 0
    for n in look.counts(node):
        for k in range(n):
            bits -= log2((k + 0.5) / (seen + len(look.names) / 2))
            seen += 1
    return bits


def bits_of_split(look, node):
    return 1 + log2(look.tree.n_features) + log2(max(len(look.rows_of[node]) - 1, 1))


def below_the_limit(look, node):
    """Errors of the leaves, each with one half, and one standard error of them, less a leaf's."""
    ends = [n for n in range(look.tree.n_nodes)
            if not look.tree.n_children[n] and node in look.tree.path(n)]  # fmt: skip
    corrected = sum(look.errors(n) for n in ends) + len(ends) / 2
    n = len(look.rows_of[node])
    return corrected + sqrt(max(corrected * (n - corrected), 0) / n) - look.errors(node) - 0.5


def price_of(look, node):
    """From which price of a leaf on a node is one, in the smallest tree of least cost."""
    risk = gini_risk(look.tree)
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        gone = not any(
            leaf != node and node in look.tree.path(leaf)
            for leaf in smallest_optimum(look.tree, risk, middle)[1]
        )
        low, high = (low, middle) if gone else (middle, high)
    return high


def bits(link):
    """By the entropy of the rows and a price of 4 a leaf; by the length of classes and splits."""
    if "mdl" in link:
        return cuts(Reason.DESCRIPTION_LENGTH, saved_by(bits_as_leaf, bits_of_split), link)
    return cuts(Reason.ENTROPY_COST, saved_by(bits_of_entropy), link)


def by_hand_alone(link):
    look = Grown(link)
    return [look.about(node) for _, node in look.events(Action.PRUNE, Reason.CUT_BY_HAND)]


def cuts(reason, saved, link):
    look = Grown(link)
    found = []
    for action in (Action.PRUNE, Action.COLLAPSE):
        for _, node in look.events(action, reason):
            score = saved(look, node)
            score = 0.0 if abs(score) < 1e-9 else score
            found.append(look.about(node) | {"score": number(float(score))})
    return found


# What the words below and beside the picture say


def lines(link):
    return story(Work(scene_of(link)), "light").about


def where(condition):
    """A statement without a number: said where the scene is so."""
    return lambda link: [{}] if condition(dict(_pairs(link))) else []


def _pairs(link):
    return [part.split("=", 1) for part in link.split("&")]


def improved(link):
    return [{}] if any(Grown(link).events(Action.REFIT)) else []


def changed(link):
    """Every step that is neither a split nor a leaf, and the leaves before them."""
    look = Grown(link)
    n = sum(action not in (Action.SPLIT, Action.LEAF) for action in look.log.action)
    leaves = sum(not look.tree.n_children[node] for node in range(look.tree.n_nodes))
    return [{"n": number(n), "grown": number(leaves)}] if n else []


def of(part, text, told, twin, true, never):
    return Kind(WORDS + part, text, told, twin, true, never)


NOISY = "data=moons&noise=0.4&n_samples=100&m="
SMALL = ("data=iris&m=cart", "data=xor&n_samples=60&m=cart", "data=wine&m=cart&m.max_depth=3")
LOAN = ((1, 4, "id3"), (2, 5, "id3"), (3, 6, "id3"))
MANY = ((1, 9, "id3"), (2, 8, "id3"), (3, 12, "id3"))
REFITS = (f"{NOISY}tao", "data=iris&m=tao", "data=xor&n_samples=100&m=tao")
SAVED = [
    ("training errors saved", Reason.NO_FEWER_ERRORS,
     saved_by(Grown.errors),
     ("data=iris&m=c45&m.pruning=collapse", "data=moons&noise=0.4&m=c45&m.pruning=collapse",
      "data=iris&m=c45&m.pruning=collapse&seed=2")),
    ("estimated errors saved", Reason.LEAF_ESTIMATE, saved_by(expected_errors),
     tuple(f"{NOISY}cart&m.pruning=replacement&seed={seed}" for seed in (1, 2, 3))),
    ("this cut is made for every alpha", Reason.WEAKEST_LINK, price_of,
     tuple(f"{NOISY}cart&m.ccp_alpha={alpha}" for alpha in (0.01, 0.02, 0.05))),
    ("it errs on {score} rows less", Reason.WITHIN_ONE_ERROR, below_the_limit,
     tuple(f"{NOISY}cart&m.pruning=pessimistic&seed={seed}" for seed in (1, 2, 3))),
]  # fmt: skip
ROWS = [
    of("last_step", "changed in {n} step.|changed in {n} steps.", steps, changed,
       (*REFITS, "data=moons&m=c45", "data=gauss_2d&m=c45&m.mdl_correction=false",
        "data=iris&m=c45"), "data=iris&m=cart"),
    of("_split", "go to yes and", steps, split_in_two, SMALL,
       "data=iris&m=cart&m.min_samples_split=1000"),
    of("_split", "({branches}).", steps, split_in_many, (*LOAN, *MANY), SMALL[0]),
    of("_leaf", "becomes a leaf of", steps, leaves, SMALL, "data=monotone&n_samples=60&m=mcdf"),
    of("BITS", "bits saved", steps, bits,
       (f"{NOISY}cart&m.pruning=entropy_cost&m.entropy_alpha=4",
        f"{NOISY}cart&m.pruning=entropy_cost&m.entropy_alpha=4&seed=2",
        f"{NOISY}cart&m.pruning=mdl"), "data=iris&m=cart"),
    of("SAVED", "predicts {name}.", steps, by_hand_alone,
       tuple(f"data={data}&m={m}&e=P" for data, m in (("iris", "cart"), ("wine", "c45"),
                                                      ("moons", "cart"))), SMALL[0]),
    *(of("SAVED", text, steps, partial(cuts, reason, saved), true, "data=iris&m=cart")
      for text, reason, saved, true in SAVED),
    *(Kind("ui/growth/words.py::how_it_works", text, lines, twin, true, never)
      for text, twin, true, never in (
          ("Grown depth first", where(lambda q: "m.max_leaf_nodes" not in q), SMALL,
           "data=iris&m=cart&m.max_leaf_nodes=5"),
          ("Grown best first", where(lambda q: "m.max_leaf_nodes" in q),
           tuple(f"{link}&m.max_leaf_nodes={n}" for n, link in enumerate(SMALL, 4)), SMALL[0]),
          ("the splits are improved", improved, REFITS, SMALL[0]),
          ("stand in the order of its values", where(lambda q: q["m"] != "svm_tree"), SMALL,
           "data=iris&m=svm_tree"))),
    *(Kind("ui/growth/words.py::how_it_works", text, lines,
           where(lambda q: q["m"] == "svm_tree"),
           ("data=iris&m=svm_tree", "data=wine&m=svm_tree", "data=xor&n_samples=60&m=svm_tree"),
           SMALL[0])
      for text in ("At each node one class is split off", "The paper takes a separability",
                   "Each SVM learns from all rows")),
]  # fmt: skip
