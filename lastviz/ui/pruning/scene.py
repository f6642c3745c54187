"""The page *pruning*: its scene, prepared before anything is sent."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lastviz.displays import error_curve
from lastviz.estimators import TreeClassifier
from lastviz.host.jobs import Job, Working
from lastviz.inspection import FAMILIES, CrossValidated, PrunedTrees, least_and_one_error, scores
from lastviz.plots import ErrorCurve, ThemeName
from lastviz.pruning import PRUNERS, PruneTable
from lastviz.tree import Action, Tree
from lastviz.ui.compute import pruning
from lastviz.ui.compute.pruning import Judged
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.model_view import ModelView, class_names_of, model_title
from lastviz.ui.text import CannotShow

MOST_STOPS = 30  # of more trees, those of evenly many leaves


# Those `included` are among them: the slider says the same of a tree as the page.
def stops_of(trees: PrunedTrees, *included: int | None) -> list[int]:
    """Trees that the slider stops at: all, or those of evenly many leaves (log)."""
    if len(trees) <= MOST_STOPS:
        return list(range(len(trees)))
    size = np.log(trees.n_leaves.astype(np.float64))
    wanted = np.linspace(size.max(), size.min(), MOST_STOPS)
    nearest = np.abs(size[None, :] - wanted[:, None]).argmin(axis=1)
    also = [i for i in included if i is not None]
    return np.unique([0, *nearest, *also, len(trees) - 1]).tolist()


# For None it is the tree of the rule, or the whole tree without one.
def tree_at(trees: PrunedTrees, value: float | None, chosen: int | None) -> int:
    """Index of the tree that a value of the parameter leaves."""
    if value is not None:
        return trees.at(value)
    return 0 if chosen is None else chosen


def stop_value(trees: PrunedTrees, i: int) -> float:
    """Short number that leaves tree `i`, for links and labels."""
    exact = float(trees.value[i])
    if not trees.nested or exact == 0.0:
        return exact
    beyond = float(trees.value[i + 1]) if i + 1 < len(trees) else math.inf
    for digits in range(2, 17):
        step = 10.0 ** (math.floor(math.log10(exact)) - digits + 1)
        short = float(f"{math.ceil(exact / step) * step:.{digits}g}")
        if exact <= short < beyond and trees.at(short) == i:
            return short
    return exact


# ---------------------------------------------------------------- scene


RAISED = "error_based"
BESIDE = (RAISED, "pessimistic", "reduced_error", "mdl", *FAMILIES)
"""Pruners that are shown beside the one whose trees the slider goes through."""


@dataclass(frozen=True, eq=False)
class OtherTree:
    """The tree that another pruner leaves."""

    key: str  # of the pruner
    value: float | None  # of its parameter; None without one
    n_leaves: int
    error: float  # share of held-out rows that it gets wrong; of those that did not choose it
    trees: Judged | None = None  # all trees of its parameter


@dataclass(frozen=True, eq=False)
class Decision:
    """Quantities that a pruner weighs at the viewed node, and its decision.

    The quantities are in the unit of the pruner.
    """

    key: str
    value: float | None  # of its parameter
    as_leaf: float | None  # None where it compares more than these
    inner: float | None  # None where it compares more than these
    inside: float | None  # None where it compares more than these
    # {"goes", "stays", "above", "raised"}: "above": an ancestor goes, and the node with it.
    fate: str


@dataclass(frozen=True, eq=False)
class PruningScene:
    """All that the page shows."""

    work: Work  # with its first model alone
    theme: ThemeName  # {"light", "dark"}
    title: str  # what the model is called
    # Its tree is cut back as it was grown, whatever pruning of its own it has.
    estimator: TreeClassifier
    division: Division
    class_names: tuple[str, ...]
    families: dict[str, Judged]  # of the pruners in use
    crossed: dict[str, CrossValidated] | None  # None while the cross-validation is under way
    job: Job | None  # the cross-validation, if it is under way or was cancelled

    @property
    def tree(self) -> Tree:
        """The tree as it was grown."""
        return self.estimator.grown_tree_

    @property
    def pruner(self) -> str:
        """The pruner that the slider is about."""
        return self.work.selection.pruning.pruner

    @property
    def family(self) -> Judged:
        """Its trees."""
        return self.families[self.pruner]

    @property
    def trees(self) -> PrunedTrees:
        """Its trees, largest first."""
        return self.family.trees

    @property
    def stops(self) -> list[int]:
        """The trees that the slider stops at."""
        return stops_of(self.trees, self.at, self.chosen)

    @property
    def value(self) -> float:
        """The value of the parameter that the reader has chosen, as the slider says it."""
        return stop_value(self.trees, self.at)

    @property
    def cut(self) -> np.ndarray:
        """The nodes that are leaves in the reader's tree instead of their subtrees."""
        return self.trees.cuts[self.at]

    @cached_property
    def best(self) -> tuple[int, int] | None:
        """Trees of the least cross-validated error and of the one-standard-error rule.

        The second is the smallest tree within one standard error of the first. None before
        cross-validation.
        """
        return _best(self.crossed, self.trees)

    @property
    def chosen(self) -> int | None:
        """The tree of the rule of one standard error; None while it is not known."""
        return None if self.best is None else self.best[1]

    @property
    def at(self) -> int:
        """The tree that the reader has chosen, by default that of the rule."""
        return tree_at(self.trees, self.work.selection.pruning.cut_at, self.chosen)

    @property
    def curve(self) -> ErrorCurve:
        """Errors against leaves."""
        found = None if self.crossed is None else self.crossed[self.pruner]
        return error_curve(self.trees, self.family.training, self.family.held_out, found)

    @cached_property
    def others(self) -> tuple[OtherTree, ...]:
        """Trees left by the other selected pruners."""
        wanted = [k for k in BESIDE if k != self.pruner and k in self.work.selection.pruning.beside]
        found = [_other(self, key) for key in wanted]
        return tuple(other for other in found if other is not None)

    @property
    def node(self) -> int:
        """The node of the grown tree that is looked at: an inner one."""
        wanted = self.work.selection.pruning.weighed
        inner = np.flatnonzero(self.tree.n_children > 0)
        if wanted is not None and wanted in inner:
            return wanted
        at = self.chosen if self.chosen is not None else len(self.trees) // 2
        cut = self.trees.cuts[at]
        candidates = cut if len(cut) else inner
        rows = self.tree.weighted_n_node_samples[candidates]
        return int(candidates[np.argmax(rows)])

    def wrong(self, tree: Tree) -> np.ndarray:
        """Whether a tree misclassifies each row, shape (n_samples,)."""
        return tree.predict(self.division.values) != self.division.y

    def view(self, cut: bool) -> ModelView:
        """Grown tree, or the reader's, as pictures take it."""
        tree = self.trees.pruned(self.at) if cut else self.tree
        estimator = copy(self.estimator)
        estimator.tree_ = tree
        predicted = tree.predict(self.division.values)
        n_classes = len(self.class_names)
        parts = [
            scores(self.division.y[rows], predicted[rows], n_classes)
            for rows in (self.division.train_rows, self.division.held_out_rows)
        ]
        return ModelView(
            title=self.title,
            estimator=estimator,
            milliseconds=None,
            depth=None,
            node=0,
            representative=np.arange(tree.n_nodes),
            predicted=predicted,
            training=parts[0],
            held_out=parts[1],
            fidelity=None,
        )

    def decisions(self) -> list[Decision]:
        """Decision of each pruner at the node, that of the user's pruner first."""
        pruners = [(self.pruner, self.value), *((other.key, other.value) for other in self.others)]
        return [self._decision(key, value) for key, value in pruners]

    def table_of(self, key: str, value: float | None) -> PruneTable:
        """Quantities that a pruner weighs at each node of the grown tree."""
        params: dict[str, object] = {}
        if value is not None:
            params[FAMILIES[key]] = value
        if key == "cost_complexity":
            params["risk"] = self.work.selection.pruning.leaf_cost
        rows = {}
        if PRUNERS[key].needs == "held_out":
            rows["held_out"] = pruning.held_out_halves(self.work)[0]
        return PRUNERS[key].table(self.tree, **rows, **params)

    def _decision(self, key: str, value: float | None) -> Decision:
        if key == RAISED:
            return Decision(key, value, None, None, None, self._fate_by_events())
        table, node = self.table_of(key, value), self.node
        fate = "goes" if table.cut[node] else "stays"
        if table.cut[self.tree.path(node)[:-1]].any():
            fate = "above"
        unit = _unit(key, self.tree)
        numbers = (table.as_leaf[node], table.inner[node], table.inside[node])
        return Decision(key, value, *(float(unit * n) for n in numbers), fate)

    # That pruning leaves no numbers behind.
    def _fate_by_events(self) -> str:
        """Fate of the node in C4.5's pruning, from its events."""
        log = pruning.raised_tree(self.work).log
        fates = {int(n): Action(int(a)) for n, a in zip(log.node, log.action, strict=True)}
        above = [fates[n] for n in self.tree.path(self.node)[:-1] if n in fates]
        if any(action != Action.RAISE for action in above):
            return "above"
        own = fates.get(self.node)
        if own is None:
            return "stays"
        return "raised" if own == Action.RAISE else "goes"


def rule_of(work: Work, trees: PrunedTrees) -> int | None:
    """Tree of the rule of one standard error; None while or where it is not known."""
    try:
        return _best(pruning.cross_validated(work), trees)[1]
    except (CannotShow, Working):
        return None


def pruning_scene(work: Work, theme: ThemeName) -> PruningScene:
    """Scene of the first model on the page.

    Raises CannotShow if the algorithm cannot learn from the data, or its tree cannot be cut back;
    Working if it is not trained yet.
    """
    work = work.first_models(1)
    estimator = pruning.to_prune(work)
    families = pruning.families(work)
    crossed, job = None, None
    try:
        crossed = pruning.cross_validated(work)
    except Working as working:
        job = working.job
    return PruningScene(
        work=work,
        theme=theme,
        title=model_title(work.first),
        estimator=estimator,
        division=work.first.division,
        class_names=class_names_of(work.dataset),
        families=families,
        crossed=crossed,
        job=job,
    )


def _best(crossed: dict[str, CrossValidated] | None, trees: PrunedTrees) -> tuple[int, int] | None:
    return None if crossed is None else least_and_one_error(crossed[trees.key], trees.n_leaves)


def _unit(key: str, tree: Tree) -> float:
    """Factor that converts the shares weighed by a price into rows."""
    return float(tree.weighted_n_node_samples[0]) if key == "cost_complexity" else 1.0


def _other(scene: PruningScene, key: str) -> OtherTree | None:
    """Tree left by another pruner, None if the pruner cannot be applied."""
    if key in FAMILIES:
        return _of_family(scene, key)
    y, values = scene.division.y, scene.division.values
    rows = scene.division.held_out_rows
    if key == RAISED:
        raised = pruning.raised_tree(scene.work)
        if raised is None:
            return None
        pruned = raised.tree
    elif PRUNERS[key].needs == "held_out":
        halves = pruning.held_out_halves(scene.work)
        if halves is None:
            return None
        pruned, _ = PRUNERS[key].prune(scene.tree, held_out=halves[0])
        wrong = np.mean(pruned.predict(halves[1].X) != halves[1].y)
        return OtherTree(key, None, pruned.n_leaves, float(wrong))
    else:
        pruned, _ = PRUNERS[key].prune(scene.tree)
    wrong = np.mean(pruned.predict(values[rows]) != y[rows]) if len(rows) else np.nan
    return OtherTree(key, None, pruned.n_leaves, float(wrong))


def _of_family(scene: PruningScene, key: str) -> OtherTree | None:
    """Tree at the value that its source proposes; else that of one standard error."""
    judged = scene.families[key]
    trees = judged.trees
    if not trees.nested:
        value = next(p.default for p in PRUNERS[key].params if p.name == FAMILIES[key])
        i = trees.at(value)
    elif scene.crossed is None:
        return None
    else:
        i = _best(scene.crossed, trees)[1]
        value = stop_value(trees, i)
    return OtherTree(key, value, int(trees.n_leaves[i]), float(judged.held_out[i]), judged)
