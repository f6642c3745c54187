"""Scene of a search through thresholds, and the split as a reader forces it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from lastviz.datasets import Dataset
from lastviz.displays import NodeCandidates, as_cut, basis_of, candidate_of
from lastviz.inspection import CandidateTable, SplitGeometry, split_geometry, tied_candidates
from lastviz.latent import LatentBasis, positions_along
from lastviz.plots import THEMES, Drawing, Strip
from lastviz.plots.visuals.words import number
from lastviz.splitters import AnySplit, Blend, ChoiceRule, ObliqueSplit, Search, Split, stored_split
from lastviz.splitters.edits import ForcedSplit, along
from lastviz.tree import Tree
from lastviz.ui.compute import nodes
from lastviz.ui.shared.edits import make
from lastviz.ui.shared.figures import column_title
from lastviz.ui.sheet import st
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from .node import NodeView

FLAT = 1e-9  # share of the largest weight below which an axis does not count
FAVOURITES = ("gini", "gain_ratio", "bnm", "csn")


@dataclass(frozen=True, eq=False)
class SplitScene(NodeCandidates):
    """Node, all its candidates, and the results of the rules on them.

    The candidates lie on axes: the features or, where the algorithm searches a latent space,
    its components.
    """

    at: NodeView  # the node in question
    basis: LatentBasis | None  # the space that was searched; None if it is that of the features
    values: np.ndarray  # (n_samples, n_axes), all rows of the data on the axes
    table: CandidateTable  # by axis; thresholds are those that the algorithm would cut at
    search: Search | None  # the algorithm's own; None if it does not look for thresholds
    rule: ChoiceRule | None  # Rule or None, the reader's own rule, else that of the algorithm
    survivors: tuple[np.ndarray, ...]  # what `rule` keeps, stage by stage
    # chosen, favourite, picked: what the algorithm takes at the node; what `rule` takes, None at a
    # leaf where nothing can be gained; what the reader picked, else what was forced
    chosen: int | None
    favourite: int | None
    picked: int | None
    # intp, the candidates that are as good as the winner of the algorithm's own rule.
    tied: np.ndarray
    columns: dict[str, np.ndarray]  # the table's columns, and "stage" for a weighted first stage
    _ranks: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def dataset(self) -> Dataset:
        """The data."""
        return self.at.dataset

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes."""
        return self.at.class_names

    @cached_property
    def tree(self) -> Tree:
        """The tree that predicts."""
        return self.at.tree

    @property
    def rows(self) -> np.ndarray:
        """The training rows that the split was chosen on."""
        return self.at.rows

    @property
    def y(self) -> np.ndarray:
        """Class indices of all rows of the data."""
        return self.at.division.y

    @property
    def is_own_rule(self) -> bool:
        """Whether the rule is one of the user's own."""
        return self.search is None or self.rule is not self.search.rule

    @property
    def is_forced_shown(self) -> bool:
        """Whether the marked candidate is the forced split, not a picked one."""
        return self.picked is not None and self.at.work.selection.splits.pick is None

    @property
    def chosen_word(self) -> str:
        """Name of `chosen`."""
        return t("chosen") if self.at.forced is None else t("without the edit")

    @property
    def picked_word(self) -> str:
        """Name of the candidate that is marked besides."""
        if self.is_forced_shown:
            return t("forced by hand")
        return t("picked") if self.picked is not None else t("this rule")

    # None where nothing is to be compared: elsewhere, or beside a split that the reader marked.
    @cached_property
    def second(self) -> int | None:
        """The candidate that the second model takes at the root, from the same rows."""
        work = self.at.work
        if len(work.selection.models) < 2 or self.at.index or self.picked is not None or self.basis:
            return None
        tree = getattr(work.models[1].trained(), "tree_", None)
        split = None if tree is None else stored_split(tree, 0)
        if not isinstance(split, Split) or tree.n_node_samples[0] != len(self.rows):
            return None
        n_yes, table = int(tree.n_node_samples[tree.children(0)[0]]), self.table
        same = (table.feature == split.feature) & (table.left_counts.sum(axis=1) == n_yes)
        found = int(np.flatnonzero(same)[0]) if same.any() else None
        return None if found == self.chosen else found

    @property
    def is_pure(self) -> bool:
        """Whether no criterion can rank candidates, as all rows have one class."""
        return np.count_nonzero(self.table.counts) < 2

    @property
    def n_candidates(self) -> int:
        """Number of thresholds over all axes."""
        return len(self.table.feature)

    @cached_property
    def axis_names(self) -> tuple[str, ...]:
        """Names of the axes: the features, or u1, u2, ..."""
        return self.tree.feature_names if self.basis is None else self.basis.names

    def threshold_words(self, candidate: int) -> str:
        """Threshold of a candidate with digits that tell it from its neighbours."""
        return number(float(self.table.threshold[candidate]), self.decimals_at(candidate))

    def decimals_at(self, candidate: int) -> int:
        """Decimals of a candidate's threshold: as many as the tree's have at least."""
        of_tree = 0 if self.basis is not None else self.tree.decimals[self.table.feature[candidate]]
        return max(of_tree, self.table.decimals_at(candidate))

    # Those that the rule reads come with the usual ones.
    @cached_property
    def favourites(self) -> dict[str, int]:
        """Best candidate of each criterion of the short table that does not abstain."""
        best = {}
        for name in dict.fromkeys((*FAVOURITES, *self.read)):
            first = np.flatnonzero(self.rank(name) == 1)
            if len(first):
                best[name] = int(first[0])
        return best

    # Candidates that a rule takes for equal share one.
    def rank(self, name: str) -> np.ndarray:
        """Every candidate's rank by a column, 1 the best; 0 where it is inadmissible."""
        if name not in self._ranks:
            if name == "stage":
                self._ranks[name] = nodes.rank_candidates(self.table, self.rule.stages[0].column)
            else:
                self._ranks[name] = nodes.ranks(self.at.table_key, self.table, name)
        return self._ranks[name]

    def geometry(self, candidate: int) -> SplitGeometry:
        """Distances that BNM and CSN measure at a candidate, in the units of the axes."""
        feature = int(self.table.feature[candidate])
        threshold = float(self.table.threshold[candidate])
        options = {name: value for name, value in self.at.measures.items() if name != "segments"}
        return split_geometry(self.values, self.y, self.rows, feature, threshold, **options)

    @property
    def cuts_at_values(self) -> bool | None:
        """Whether thresholds are values of rows rather than midpoints, None if not known."""
        if self.search is None:
            return None
        lower = self.at.candidates.threshold
        return np.array_equal(self.search.threshold, lower)

    def hyperplane(self, candidate: int) -> tuple[np.ndarray, float]:
        """Weights and threshold of a candidate of a latent space, in the features."""
        axis = int(self.table.feature[candidate])
        return self.basis.directions[:, axis], float(self.search.threshold[candidate])

    def title_of(self, name: str) -> str:
        """Title of a column beside its curve."""
        return column_title(name)

    @property
    def own(self) -> tuple[str, ...]:
        """Criteria that the rule reads; none if the reader compares all."""
        return () if self.at.work.selection.splits.criteria == "all" else self.read

    def best_of_axes(self, most: int) -> list[int]:
        """Best candidate of each of the `most` best axes, by the rule's first score."""
        rank = self.rank("stage" if "stage" in self.columns else self.read[0])
        rank = np.where(rank > 0, rank, np.iinfo(np.intp).max)
        places = (np.flatnonzero(self.table.feature == a) for a in self.axes_by_rank()[:most])
        return [int(place[rank[place].argmin()]) for place in places if len(place)]

    def strips(self) -> list[Strip]:
        """Criteria whose curves are drawn."""
        view = self.at.work.selection.splits
        return self.strips_of(view.curves or (self.telling if view.criteria == "all" else ()))


def split_scene(at: NodeView) -> SplitScene:
    """Compute the scene of a node whose search went through thresholds."""
    search = at.search
    basis = basis_of(search)
    found = at.candidates
    if search is not None and search.n_candidates < found.n_candidates:
        search = search.among(found)
    own = _candidate_of_tree(at, found, search, basis)
    forced = _forced_candidate(at, found, basis)
    cut = own if at.forced is None else forced  # the one that the tree has a threshold of
    table = as_cut(found, search, basis, cut, at.stored_split)
    rule, survivors = _rule(at.work.selection, table, search)
    columns = dict(table.columns)
    if rule is not None and isinstance(rule.stages[0].column, Blend):
        columns["stage"] = table.scores(rule.stages[0].column)
    pick = at.work.selection.splits.pick
    values = at.division.values
    if basis is not None:
        values = positions_along(values, basis.directions) - basis.origin
    is_own_rule = search is None or rule is not search.rule
    return SplitScene(
        at=at,
        basis=basis,
        values=values,
        table=table,
        search=search,
        rule=rule,
        survivors=survivors,
        chosen=own if at.reason is None else None,
        favourite=_favourite(at, survivors, own, is_own_rule=is_own_rule),
        picked=pick if pick is not None and pick < len(table.feature) else forced,
        tied=tied_candidates(search) if search is not None else np.zeros(0, dtype=np.intp),
        columns=columns,
    )


def axes_of_plane(scene: SplitScene) -> tuple[int, int]:
    """Axes of the plane: the reader's, or those of the split and its best rival."""
    names, selection = scene.axis_names, scene.at.work.selection
    if scene.basis is not None:
        chosen = selection.latent.components
        shown = chosen is not None and max(chosen) < len(names)
    else:
        chosen = selection.view.axes
        shown = chosen is not None and set(chosen) <= set(names)
        chosen = tuple(map(names.index, chosen)) if shown else None
    return chosen if shown else scene.telling_axes()


# Of a leaf that was pruned, its split before.
def _favourite(
    at: NodeView, survivors: tuple[np.ndarray, ...], own: int | None, *, is_own_rule: bool
) -> int | None:
    """Candidate that the rule takes; None where there is nothing to take."""
    if not is_own_rule and not at.may_be_split:
        return None
    if not is_own_rule and at.was_pruned:
        return own
    return int(survivors[-1][0]) if survivors and len(survivors[-1]) else None


def _candidate_of_tree(
    at: NodeView, table: CandidateTable, search: Search | None, basis: LatentBasis | None
) -> int | None:
    """Candidate that is the split stored in the tree, None at a leaf."""
    stored = at.stored_split
    if stored is None:
        return None
    if at.forced is not None:  # ink is for what the algorithm would choose
        return search.winner if search is not None and search.winner >= 0 else None
    found = candidate_of(stored, table, search, basis)
    if found < 0:
        raise RuntimeError("the stored split is not among the candidates of its node")
    return found


def _forced_candidate(at: NodeView, table: CandidateTable, basis: LatentBasis | None) -> int | None:
    """Candidate that parts the rows as the split forced by hand does, if any."""
    if at.forced is None:
        return None
    along = along_axes(at, basis)
    axes = np.flatnonzero(np.abs(along) > FLAT * np.abs(along).max(initial=0.0))
    if len(axes) != 1 or along[axes[0]] < 0:
        return None
    n_left = at.branches[0].sum()
    same = (table.feature == axes[0]) & (table.left_counts.sum(axis=1) == n_left)
    return int(np.flatnonzero(same)[0]) if same.any() else None


def along_axes(at: NodeView, basis: LatentBasis | None) -> np.ndarray:
    """Weights of the axes in the split that the tree stores; none if it has none."""
    n, split = len(at.tree.feature_names), at.stored_split
    if isinstance(split, Split):
        weights = np.eye(n)[split.feature]
    elif isinstance(split, ObliqueSplit):
        weights = np.pad(split.weights, (0, n - len(split.weights)))
    else:
        return np.zeros(0)
    if basis is None:
        return weights
    found = np.linalg.lstsq(basis.directions, weights, rcond=None)[0]
    outside = np.abs(basis.directions @ found - weights).max()
    return found if outside <= FLAT * np.abs(weights).max() else np.zeros(0)


def _rule(
    selection: Selection, table: CandidateTable, search: Search | None
) -> tuple[ChoiceRule | None, tuple[np.ndarray, ...]]:
    own = selection.splits.rule
    if own is not None and set(own.parts) <= set(table.columns):
        return own.rule, own.rule.apply(table.feature, table.columns)
    if search is None:
        return None, ()
    return search.rule, search.survivors


# ---- The split of a node as a reader forces it: a candidate, a place, a line drawn over the rows


def split_here(
    at: NodeView, split_of: Callable[[], AnySplit], *, label: str = "", key: str = "split_here"
) -> None:
    """Draw the button that splits the node as the reader picked it."""
    if not at.is_editable:
        return
    st.button(
        label or t("Split here"),
        key=key,
        icon=":material/call_split:",
        help=t("The node is split like this instead, and its subtree is grown again."),
        on_click=lambda: force(at, split_of()),
    )


def force(at: NodeView, split: AnySplit) -> None:
    """Split the node so from now on: an edit of its model; for callbacks."""
    make(at.model, ForcedSplit(at.path, split))


def threshold_here(scene: SplitScene, candidate: int) -> AnySplit:
    """Candidate as the split that an edit forces."""
    feature = int(scene.table.feature[candidate])
    if scene.basis is None:
        return Split(feature, float(scene.table.threshold[candidate]), 0.0)
    weights, threshold = scene.hyperplane(candidate)
    return ObliqueSplit(weights, threshold, 0.0)


def line_drawn(scene: SplitScene, axes: tuple[int, int], line: dict) -> None:
    """Split the node along a line of the plane of two axes."""
    path = scene.at.path
    split = in_features(scene, along(line, axes, path).split)
    make(scene.at.model, ForcedSplit(path, split))


def in_features(scene: SplitScene, split: Split | ObliqueSplit) -> Split | ObliqueSplit:
    """Split of the axes as one of the features: of components it is a hyperplane."""
    if scene.basis is None:
        return split
    weights = np.zeros(len(scene.axis_names))
    if isinstance(split, Split):
        weights[split.feature] = 1.0
    else:
        weights[: len(split.weights)] = split.weights
    threshold = split.threshold + float(weights @ scene.basis.origin)
    return ObliqueSplit(scene.basis.directions @ weights, threshold, 0.0)


def draw_forced(
    figure: Drawing,
    at: NodeView,
    axes: tuple[int, int],
    basis: LatentBasis | None = None,
    *,
    is_named: bool = True,
) -> None:
    """Draw the node's forced split into the plane of two axes, if it is a line there."""
    if at.forced is None:
        return
    along, two = along_axes(at, basis), list(dict.fromkeys(axes))
    outside = np.abs(np.delete(along, two)) if len(along) else np.ones(1)
    a, b = (*along[two].tolist(), 0.0)[:2] if len(along) else (0.0, 0.0)
    is_line = outside.max(initial=0.0) <= FLAT * np.abs(along).max(initial=0.0) and (a or b)
    if not is_line:
        return
    threshold = at.stored_split.threshold  # of a x + b y
    if basis is not None:
        threshold -= float(along @ basis.origin)
    xaxis, yaxis = (figure.settings[name]["range"] for name in ("xaxis", "yaxis"))
    line = {"color": THEMES[at.theme].accent, "width": 3, "dash": "dash"}
    shape = {"type": "line", "name": "forced", "line": line, "xref": "x", "yref": "y"}
    if b == 0.0:
        places = {"x0": threshold / a, "x1": threshold / a, "y0": yaxis[0], "y1": yaxis[1]}
    else:
        places = {"x0": xaxis[0], "x1": xaxis[1]}
        places |= {f"y{end}": (threshold - a * xaxis[end]) / b for end in (0, 1)}
    figure.settings["shapes"] = [*figure.settings["shapes"], shape | places]
    if not is_named:
        return
    place = {"xref": "x domain", "yref": "y domain", "x": 0, "y": 1, "xanchor": "left"}
    font = {"color": line["color"], "size": 14}
    text = {
        "text": t("forced by hand"),
        "font": font,
        "showarrow": False,
        "yanchor": "bottom",
        "yshift": 4,
    }
    figure.settings["annotations"] = [*figure.settings["annotations"], place | text]
