"""A tree by hand: changes of it, its place among all candidates, and trees to compare it with.

It is a tree in which the reader changed every node, see :mod:`lastviz.splitters.edits`: where he
has not said anything it ends, and where he lets it, the algorithm goes on. So it grows, replays and
leaves the page as every changed tree does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from lastviz.estimators import REFEREE, REFERENCES
from lastviz.host.jobs import Working
from lastviz.inspection import Scores, scores
from lastviz.plots import ThemeName
from lastviz.splitters import CategorySplit, Search, Split, children_of
from lastviz.splitters.edits import MOST_EDITS, Edit, ForcedSplit, MadeLeaf, Path, node_at
from lastviz.splitters.optimal.exact_search import MOST_DEPTH
from lastviz.ui.compute.edited import full, has_place
from lastviz.ui.compute.nodes import NodeWork, rank_candidates
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.state.edit_codes import Edits, in_order, trim
from lastviz.ui.state.selection import Model
from lastviz.ui.text import CannotShow, number, t

OPEN: Edits = (MadeLeaf(()),)  # one leaf, to which nothing is said yet
GO_ON = tuple(entry.key for entry in REFERENCES)  # they score the reader's splits, too
NO_PART = {"max_leaf_nodes", "monotone"}  # parameters with which no node grows by itself
BEST = REFEREE.key
MOST_VALUES = 60_000  # rows times features that are sent to the browser
MOST_LEAVES = (MOST_EDITS + 1) // 2
SEARCH_TIME = 20.0  # seconds for the best possible tree


# ---------------------------------------------------------------- changes


def edit_at(edits: Edits, path: Path) -> Edit | None:
    """Decision of the reader about a node, None where it is the algorithm's."""
    return next((e for e in edits if e.path == path and e.slot == "grow"), None)


def _outside(edits: Edits, path: Path) -> Edits:
    """Edits that are neither at a node nor below it."""
    return tuple(edit for edit in edits if edit.path[: len(path)] != path)


def with_leaf(edits: Edits, path: Path, says: int | None = None) -> Edits:
    """Tree that ends at a node, where it may predict a named class."""
    return in_order((*_outside(edits, path), MadeLeaf(path, says)))


def with_split(edits: Edits, path: Path, split: Split | CategorySplit) -> Edits:
    """Tree that splits a node, and keeps everything below it.

    A leaf that is split has two open ones.

    Raises
    ------
    CannotShow
        If the tree would have more than MOST_LEAVES leaves.
    """
    forced = trim(ForcedSplit(path, split))
    if isinstance(edit_at(edits, path), ForcedSplit):
        return in_order((*(e for e in edits if (e.path, e.slot) != (path, "grow")), forced))
    ends = MadeLeaf((*path, 0)), MadeLeaf((*path, 1))
    made = in_order((*_outside(edits, path), forced, *ends))
    if sum(isinstance(edit, ForcedSplit) for edit in made) >= MOST_LEAVES:
        raise CannotShow(
            t("A tree by hand has at most {n} leaves: remove a split, or let the algorithm go on.",
              n=number(MOST_LEAVES))
        )  # fmt: skip
    return made


def going_on(edits: Edits, path: Path) -> Edits:
    """Tree in which the algorithm goes on from the open leaves at and below a node."""
    return tuple(
        edit
        for edit in edits
        if edit.path[: len(path)] != path or not isinstance(edit, MadeLeaf) or edit.says is not None
    )


def nodes_by_hand(edits: Edits, model: ModelWork) -> dict[Path, tuple[Edit | None, np.ndarray]]:
    """Nodes of a tree by hand, each with its edit and its training rows.

    A split that a changed one above leaves without rows on a side becomes an open leaf, and so
    does one whose feature the data lack; None stands where the algorithm goes on. Rows without a
    value go as they do in the tree.
    """
    division, n_classes = model.division, model.dataset.n_classes
    splitter = model.without_edits.estimator.splitter(*division.learnt)
    known = {edit.path: edit for edit in edits if edit.slot == "grow"}
    found: dict[Path, tuple[Edit | None, np.ndarray]] = {}
    waiting = [((), splitter.root())]
    while waiting:
        path, context = waiting.pop()
        edit, parts = known.get(path), []
        is_there = edit is None or has_place(edit, division, n_classes)
        if is_there and isinstance(getattr(edit, "split", None), Split | CategorySplit):
            split = splitter.completed(context, full((edit,), division)[0].split)
            parts = children_of(splitter, context, split)
        if len(parts) != 2 or not all(len(part.rows) for part in parts):
            parts = []
        if not is_there or (isinstance(edit, ForcedSplit) and not parts):
            edit = MadeLeaf(path)
        found[path] = edit, division.train_rows[context.rows]
        waiting += [((*path, branch), part) for branch, part in enumerate(parts)]
    return found


def possible_edits(edits: Edits, model: ModelWork) -> Edits:
    """Edits that the training rows can be told, from the root down."""
    return in_order(edit for edit, _ in nodes_by_hand(edits, model).values() if edit is not None)


def first_split(division: Division, rows: np.ndarray, feature: int) -> Split | CategorySplit:
    """Split of a feature to begin with: at the median, or its first category.

    Not the best one, which is his to find.

    Raises
    ------
    CannotShow
        If all rows have the same value.
    """
    values = division.values[rows, feature]
    values = values[~np.isnan(values)]
    there = np.unique(values)
    if len(there) < 2:
        name = str(division.X.columns[feature])
        raise CannotShow(t("{name} cannot split this leaf: all its {n} values are the same.",
                           name=name, n=number(len(values))))  # fmt: skip
    if division.categories[feature] is not None:
        branch = np.ones(len(division.categories[feature]), dtype=np.intp)
        branch[int(there[0])] = 0
        return CategorySplit(feature, branch)
    cuts = midpoints(there)
    return Split(feature, float(cuts[np.abs(cuts - np.median(values)).argmin()]))


def midpoints(values: np.ndarray) -> np.ndarray:
    """Thresholds between rising values, not below the smaller of each two."""
    middle = values[:-1] + (values[1:] - values[:-1]) / 2
    return np.where(middle < values[1:], middle, values[:-1])


# ---------------------------------------------------------------- the tree and its splits


def hand_work(work: Work) -> Work:
    """Selection whose only model is the tree by hand.

    Raises
    ------
    CannotShow
        If a tree of these data cannot be built by hand; the message says why.
    """
    first, dataset = work.selection.models[0], work.dataset
    # C4.5 sends a row without a value down both branches, where nobody can see it fall.
    offered = GO_ON[:1] if dataset.has_missing else GO_ON
    if first.key not in offered or NO_PART & dict(first.params).keys():
        first = Model(first.key if first.key in offered else offered[0])
    if (n := dataset.n_samples) * (m := dataset.n_features) > MOST_VALUES:
        sentence = (
            "A tree by hand shows every value, here {n} rows of {m} features; at most {most} "
            "values are shown. Take fewer rows or features."
        )
        raise CannotShow(t(sentence, n=number(n), m=number(m), most=number(MOST_VALUES)))
    bare = work.having(models=(replace(first, node=None, tree=None, edits=()),))
    edits = possible_edits(work.selection.growth.hand, bare.first)
    return bare.change_model(0, edits=edits)


@dataclass(frozen=True)
class SplitStanding:
    """A split of the reader's among all candidates of its node."""

    score: float  # by the algorithm's criterion
    best: float  # of the best candidate
    rank: int  # 1 the best
    n_tied: int  # candidates with this score, that of the reader too
    scores: np.ndarray  # those of all admissible candidates, falling


def deciding(search: Search) -> str:
    """The column by which a search ranks its candidates."""
    return str(search.rule.stages[-1].column)


def candidate_of(search: Search, node: NodeWork, split: Split | CategorySplit) -> int:
    """Candidate that parts the rows of a node as a split does, -1 if there is none."""
    values = node.division.values[node.rows, split.feature]
    if isinstance(split, Split):
        return search.parting_as(split.feature, split.threshold, values)
    there = np.unique(values[~np.isnan(values)]).astype(np.intp)
    ours = split.branch[there]
    for i in np.flatnonzero(search.feature == split.feature).tolist():
        theirs = search.categories[i][there] if search.categories else None
        same = theirs is not None and theirs.max() < 2
        if same and (np.array_equal(ours, theirs) or np.array_equal(ours, 1 - theirs)):
            return i
    return -1


def standing(node: NodeWork) -> SplitStanding | None:
    """Standing of the split of a node, None at a leaf; by the search that grows trees.

    A split that is no candidate, such as a group of categories where every category has a branch,
    has the rank that its score would have.
    """
    split, search = node.stored_split, node.search
    if search is None or not isinstance(split, Split | CategorySplit):
        return None
    column = deciding(search)
    ranks, values = rank_candidates(search, column), search.scores(column)
    there = np.sort(values[ranks > 0])[::-1]
    i = candidate_of(search, node, split)
    if i >= 0 and ranks[i] > 0:
        tied = int((ranks == ranks[i]).sum())
        return SplitStanding(float(values[i]), float(there[0]), int(ranks[i]), tied, there)
    score = float(node.grown.score[node.origin])
    best = float(there[0]) if len(there) else score
    return SplitStanding(score, best, 1 + int((there > score).sum()), 1, there)


def cuts_of(node: NodeWork, feature: int) -> Iterator[tuple[float, float, int, int]]:
    """Yield threshold, score, rank and branch of missing values of a number's cuts.

    Score NaN and rank 0 where the algorithm does not admit it, branch -1 where it names none.
    """
    values = node.division.values[node.rows, feature]
    there = np.unique(values[~np.isnan(values)])
    thresholds, search = midpoints(there), node.search
    found = np.full(len(thresholds), np.nan)
    rank, missing = np.zeros(len(thresholds), dtype=np.intp), np.full(len(thresholds), -1)
    if search is not None:
        column = deciding(search)
        here = np.flatnonzero((search.feature == feature) & np.isfinite(search.threshold))
        place = np.searchsorted(there, search.threshold[here], side="right") - 1
        inside = (place >= 0) & (place < len(thresholds))
        here, place = here[inside], place[inside]
        thresholds[place] = search.threshold[here]
        rank_of = rank_candidates(search, column)
        rank[place] = rank_of[here]
        found[place] = np.where(rank[place] > 0, search.scores(column)[here], np.nan)
        missing[place] = getattr(search, "missing_branch", np.full(len(rank_of), -1))[here]
    columns = thresholds, found, rank, missing
    return zip(*(each.tolist() for each in columns), strict=True)


# ---------------------------------------------------------------- what stands beside it


@dataclass(frozen=True, eq=False)
class HandScene:
    """A tree by hand and the node that is looked at."""

    work: Work  # the reader's selection
    theme: ThemeName
    model: ModelWork  # the tree by hand
    node: NodeWork
    training: Scores
    held_out: Scores  # of no rows if none are held out

    @property
    def edits(self) -> Edits:
        """Edits of the tree, those that found their place."""
        return self.model.chosen.edits

    @property
    def depth(self) -> int:
        """Depth at which the tree is compared with others."""
        return max(self.model.tree.max_depth, 1)


def hand_scene(work: Work, theme: ThemeName) -> HandScene:
    """Scene of a selection's tree by hand.

    Raises
    ------
    CannotShow, Working
        As :func:`hand_work` and :attr:`.ModelWork.fitted`.
    """
    model = hand_work(work).first
    path = work.selection.growth.hand_at
    while (index := node_at(model.tree, path)) is None:
        path = path[:-1]
    return HandScene(work, theme, model, model.node(index), *scores_of(model))


def scores_of(model: ModelWork) -> tuple[Scores, Scores]:
    """Scores of a tree on its training rows and on those held out."""
    divided, predicted = model.division, model.tree.predict(model.division.values)
    training, held_out = (
        scores(divided.y[rows], predicted[rows], model.dataset.n_classes)
        for rows in (divided.train_rows, divided.held_out_rows)
    )
    return training, held_out


@dataclass(frozen=True, eq=False)
class ReferenceTree:
    """A tree of an algorithm that the one by hand is compared with."""

    key: str  # of the algorithm
    training: Scores | None = None  # None: it is not there, or not yet
    held_out: Scores | None = None
    is_proved: bool = True  # whether no tree of its depth makes fewer errors, if it is the referee
    working: Working | None = None  # what it is waited for
    reason: str = ""  # why there is none


def reference_model(work: Work, key: str, depth: int) -> ModelWork:
    """Model of an algorithm with trees of at most a depth, else as it is by default."""
    params = [("max_depth", depth)]
    if key == BEST:
        params = [("max_depth", min(depth, MOST_DEPTH)), ("time_limit", SEARCH_TIME)]
    return work.having(models=(Model(key, tuple(params)),)).first


def references(work: Work, depth: int) -> list[ReferenceTree]:
    """CART, C4.5 and the tree of fewest training errors, of a depth or less.

    Deeper than four nobody knows the last one in time.
    """
    found = []
    for key in (*GO_ON, BEST):
        if key == BEST and depth > MOST_DEPTH:
            reason = t("The best possible tree is searched for down to depth {n}.",
                       n=number(MOST_DEPTH))  # fmt: skip
            found.append(ReferenceTree(key, reason=reason))
            continue
        model = reference_model(work, key, depth)
        try:
            is_proved = key != BEST or model.estimator.is_optimal_
            found.append(ReferenceTree(key, *scores_of(model), is_proved))
        except CannotShow as reason:
            found.append(ReferenceTree(key, reason=str(reason)))
        except Working as working:
            found.append(ReferenceTree(key, working=working))
    return found
