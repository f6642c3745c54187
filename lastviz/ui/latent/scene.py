"""The page *latent*: its scene, prepared before anything is sent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.datasets import Dataset
from lastviz.estimators import TreeClassifier
from lastviz.inspection import LatentView, PlaneCut, Projection, Scores, latent_splits, plane_cut
from lastviz.plots import feature_html, number, plain_split, split_words
from lastviz.tree import Tree, threshold_decimals
from lastviz.ui.compute import latent
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, t

MOST_DRAWN = 2000  # points in a picture; more would only slow the browser down


@dataclass(frozen=True, eq=False)
class LatentScene:
    """One node in the space where it splits, and in the features."""

    work: Work  # what the scene is of: its first model alone
    division: Division  # all rows, those learnt from and those held out
    dataset: Dataset
    class_names: tuple[str, ...]
    title: str  # the algorithm
    estimator: TreeClassifier
    view: LatentView  # all rows in the node's space
    rows: np.ndarray  # intp, the rows in sight, as rows of the data
    inside: np.ndarray  # ndarray of bool, shape (len(rows),), which of them the node holds
    # On the horizontal and the vertical axis; the same twice if there is only one.
    components: tuple[int, int]
    # On the axes of the original plane; the same twice if there is only one.
    features: tuple[int, int]
    # (n_features,), mean of the node's rows in sight: where the planes lie in what is not on their
    # axes.
    at: np.ndarray
    cut: PlaneCut | None  # the split in the original plane, for the node's rows; None at a leaf
    highlighted: int | None  # position of the marked row in `rows`
    # intp, positions in `rows` of those that the pictures draw: all, or a sample with the marked
    # one.
    drawn: np.ndarray
    own: Scores  # of the model, on the rows held out; on those learnt from if there are none
    # Title, scores and nodes of the algorithm that stays in the features; None where it cannot
    # learn from these data.
    beside: tuple[str, Scores, int] | None

    @property
    def tree(self) -> Tree:
        """The tree that predicts."""
        return self.estimator.tree_

    @property
    def node(self) -> int:
        """The node in question."""
        return self.view.node

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the components."""
        return component_names(self.view)

    @property
    def subject(self) -> int:
        """The component of the split, else the one across."""
        return self.view.component if self.view.component >= 0 else self.components[0]

    @property
    def at_latent(self) -> np.ndarray:
        """The same place as `at`, in latent coordinates."""
        return self.view.basis.coordinates(self.at[None, :])[0]

    @property
    def fidelity(self) -> float:
        """Share of the node's rows whose colour in the latent plane is the prediction."""
        return latent.fidelity(self.work.first.node(self.node), self.components, self.at_latent)

    @property
    def best_components(self) -> Projection:
        """Separation of the node's classes by each pair of components."""
        return latent.best_components(self.work.first.node(self.node))

    @property
    def best_features(self) -> Projection:
        """Separation of the node's classes by each pair of features."""
        return latent.best_features(self.work.first.node(self.node))


def component_names(view: LatentView) -> tuple[str, ...]:
    """Names of the components: u1, u2, ... or, in the original space, the features."""
    return view.feature_names if view.basis.space == "none" else view.basis.names


# A split made by hand may lie along no component; then in the features.
def own_test(tree: Tree, node: int, *, html: bool = False) -> str:
    """Test of an inner node for its first child, in its own space: u1 ≤ 0.3."""
    components, thresholds = latent_splits(tree)
    if components[node] < 0:
        return split_words(tree, node) if html else plain_split(tree, node)
    basis = tree.bases[tree.basis_id[node]]
    names = tree.feature_names if basis.space == "none" else basis.names
    name = names[components[node]]
    along = threshold_decimals(thresholds[components == components[node]])
    return f"{feature_html(name) if html else name} ≤ {number(float(thresholds[node]), along)}"


def latent_scene(work: Work) -> LatentScene:
    """Compute the scene of the first model of the selection.

    Raises
    ------
    CannotShow
        If the algorithm cannot learn from the data, or all rows are the same; the message says
        why.
    """
    estimator = work.first.estimator
    node = work.first.chosen.node_in(estimator.tree_) or 0
    view = latent.view(work.first.node(node))
    if view.basis.n_components == 0:
        raise CannotShow(t("All rows are the same, so no direction separates them."))
    rows = latent.rows_in_sight(work)
    inside = view.inside[rows]
    components = _components(work, view)
    features = _features(work.selection, view, components)
    divided = work.first.division
    X = divided.values[rows[inside]]
    at = X.mean(axis=0)
    cut = None
    if view.component >= 0:
        cut = plane_cut(view.weights, view.offset, X, features, at)
    marked = -1 if work.selection.view.highlighted is None else work.selection.view.highlighted
    highlighted = np.flatnonzero(rows == marked)
    dataset = work.dataset
    return LatentScene(
        work=work,
        division=divided,
        dataset=dataset,
        class_names=class_names_of(dataset),
        title=work.first.title,
        estimator=estimator,
        view=view,
        rows=rows,
        inside=inside,
        components=components,
        features=features,
        at=at,
        cut=cut,
        highlighted=int(highlighted[0]) if len(highlighted) else None,
        drawn=np.union1d(_sample(inside), highlighted),
        own=latent.held_out_scores(work.first),
        beside=_beside(work),
    )


# It is evaluated on the same rows. None if it cannot learn from the data.
def _beside(work: Work) -> tuple[str, Scores, int] | None:
    """Title, held-out scores and size of the same algorithm without a latent space."""
    beside = latent.without_space(work)
    try:
        tree = beside.tree
    except CannotShow:
        return None
    return beside.title, latent.held_out_scores(beside), tree.n_nodes


def _sample(inside: np.ndarray) -> np.ndarray:
    """Positions of rows to draw, evenly sampled, with priority for the node's rows."""
    own, others = np.flatnonzero(inside), np.flatnonzero(~inside)
    room = max(MOST_DRAWN - len(own), MOST_DRAWN // 4)
    parts = [
        part[np.linspace(0, len(part) - 1, min(len(part), most)).astype(np.intp)]
        for part, most in ((own, MOST_DRAWN), (others, room))
    ]
    return np.sort(np.concatenate(parts))


def _components(work: Work, view: LatentView) -> tuple[int, int]:
    """Reader's components; else the split's, with the one that helps it most."""
    k = view.basis.n_components
    chosen = work.selection.latent.components
    if chosen is not None and max(chosen) < k:
        return chosen
    if k == 1:
        return 0, 0
    return split_pair(view, latent.best_components(work.first.node(view.node)))


# At a leaf, or where there is a single component, the best pair.
def split_pair(view: LatentView, best: Projection) -> tuple[int, int]:
    """Component of the split and the one that parts the classes best beside it."""
    if view.component < 0 or view.basis.n_components < 2:
        return best.components
    beside = best.separations[view.component].copy()
    beside[view.component] = -np.inf
    return view.component, int(beside.argmax())


def _features(
    selection: Selection, view: LatentView, components: tuple[int, int]
) -> tuple[int, int]:
    """Reader's features; else the two heaviest of the split's component."""
    names = view.feature_names
    if selection.view.axes is not None and set(selection.view.axes) <= set(names):
        return names.index(selection.view.axes[0]), names.index(selection.view.axes[1])
    if len(names) <= 2:
        return 0, len(names) - 1
    if view.basis.space == "none":
        return components
    subject = view.component if view.component >= 0 else components[0]
    first, second = view.heaviest(subject, 2).tolist()
    return first, second
