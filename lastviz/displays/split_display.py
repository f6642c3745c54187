"""Display that explains a node's split: its samples, every threshold, and all scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import plotly.graph_objects as go
from sklearn.base import BaseEstimator

from lastviz.criteria import CRITERIA
from lastviz.inspection import (
    TABLE_PARAMS,
    CandidateTable,
    candidate_table,
    rank_columns,
    split_search,
    tied_candidates,
)
from lastviz.latent import LatentBasis, positions_along
from lastviz.plots import Drawing, ThemeName
from lastviz.splitters import (
    Blend,
    ChoiceRule,
    LatentSearch,
    ObliqueSplit,
    Search,
    presort,
    same_split,
    stored_split,
)
from lastviz.tree import Tree

from .display import Display, for_notebook
from .model import Names, ShownModel, read_model
from .node_candidates import NodeCandidates, as_cut, basis_of, candidate_of, lab_drawing

MOST_DRAWN = 5000  # rows
OF_SCIKIT_LEARN = {"gini": "gini", "entropy": "gain", "log_loss": "gain"}


@dataclass(eq=False, repr=False)
class SplitDisplay(NodeCandidates, Display):
    """The rows of a node in the corner of the score curves of two of its features.

    Make it by :meth:`from_estimator`.

    Attributes
    ----------
    model : ShownModel
    node : int
        In the tree that predicts.
    training_rows : ndarray of intp
        The rows of `X` that the tree learnt from.
    inside : ndarray of bool
        Whether the node held each of them when it was split.
    basis : LatentBasis or None
        The space that was searched; None if it is that of the features.
    table : CandidateTable
        Every threshold with its score by every criterion.
    search : Search or None
        What the algorithm did, replayed; None for scikit-learn's.
    rule, survivors
        The stages by which it chose, and what each kept.
    chosen : int or None
        The row of `table` that the node was split at.
    picked : int or None
        The one that `pick` names.
    tied : ndarray of intp
    columns : dict of str to ndarray
    axes : (int, int)
    criteria : tuple of str
        Whose curves were asked for.
    figure_ : plotly.graph_objects.Figure
    """

    model: ShownModel
    node: int
    training_rows: np.ndarray
    inside: np.ndarray
    basis: LatentBasis | None
    table: CandidateTable
    search: Search | None
    rule: ChoiceRule | None
    survivors: tuple[np.ndarray, ...]
    chosen: int | None
    picked: int | None
    tied: np.ndarray
    columns: dict[str, np.ndarray]
    axes: tuple[int, int]
    criteria: tuple[str, ...]

    @classmethod
    def from_estimator(
        cls,
        estimator: BaseEstimator,
        X: object,
        y: object,
        *,
        node: int = 0,
        features: Sequence[int | str] | None = None,
        criteria: Sequence[str] = (),
        pick: tuple[int | str, float] | None = None,
        feature_names: Names | None = None,
        class_names: Names | None = None,
        tree: int | None = None,
        theme: ThemeName | None = None,
        height: int | None = None,
    ) -> Self:
        """Draw all thresholds of an inner node of a fitted tree.

        Parameters
        ----------
        estimator : estimator
            A fitted tree or forest of this package or of scikit-learn, for classes, whose nodes
            were searched by thresholds of features or of latent components.
        X : array-like or DataFrame, shape (n_samples, n_features)
            The very rows that it was fitted on: numbers, none missing.
        y : array-like, shape (n_samples,)
            Their labels.
        node : int, default 0
            An inner node.
        features : sequence of one or two int or str, optional
            On the axes; of a latent space the numbers of components. Default: the feature of the
            split, and its best rival.
        criteria : sequence of str, optional
            Keys of :data:`lastviz.criteria.CRITERIA` whose curves are drawn, at most four;
            default: those that the selection rule reads, and the usual ones.
        pick : (feature, threshold), optional
            A candidate to draw beside the chosen one.
        feature_names, class_names : sequence of str, or mapping, optional
            Default: what the model knows.
        tree : int, optional
            Which tree of a forest.
        theme : {"light", "dark"}, optional
            Default: see :meth:`plot`.
        height : int, optional
            Not used: the figure is as high as its curves need.

        Returns
        -------
        SplitDisplay

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If the model is not fitted.
        ValueError
            If the node is a leaf, its search was none of thresholds, the rows are not those of
            the fit, or anything else does not fit; the message says what.

        Notes
        -----
        The search is run again on the node's own rows; a model of scikit-learn keeps none, so
        its chosen split is marked among all candidates. Of more than 5,000 rows as many evenly
        spaced ones are drawn; all count. O(n_rows n_features^2).
        """
        if y is None:
            raise ValueError("y must be given: scores are about rows of known classes")
        model = read_model(
            estimator, X, y, feature_names=feature_names, class_names=class_names, tree=tree
        )
        model.check_tree_of_classes("SplitDisplay")
        _check_searched_by_thresholds(model)
        model.check_inner(node)
        _check_chosen_among_thresholds(model, node)
        unknown = [name for name in criteria if name not in CRITERIA]
        if unknown or len(criteria) > 4:
            raise ValueError(
                f"criteria must be at most four of {', '.join(CRITERIA)}, got {list(criteria)!r}"
            )
        shown = _shown(cls, model, node, tree, tuple(criteria))
        shown._choose(features, pick)
        return shown.plot(theme=theme, height=height)

    @property
    def favourite(self) -> int | None:
        """Choice of the rule: the chosen candidate, since the node is split."""
        return self.chosen

    @property
    def axis_names(self) -> tuple[str, ...]:
        """Names of the axes: the features, or u1, u2, ..."""
        return self.model.feature_names if self.basis is None else self.basis.names

    @property
    def read(self) -> tuple[str, ...]:
        """Criteria that the rule reads; for scikit-learn the one the tree was grown by."""
        if self.rule is not None:
            return super().read
        known = OF_SCIKIT_LEARN.get(getattr(self.model.given, "criterion", ""))
        return () if known is None else (known,)

    def rank(self, name: str) -> np.ndarray:
        """Every candidate's rank by a column, 1 the best; 0 where it is inadmissible."""
        column = self.rule.stages[0].column if name == "stage" else name
        admitted = self.table.scores(column) > -np.inf
        return np.where(admitted, rank_columns(self.table, column), 0)

    def drawing(self, theme: ThemeName = "light") -> Drawing:
        """Figure as the app draws it, without legend and ground."""
        n = len(self.training_rows)
        drawn = np.arange(n) if n <= MOST_DRAWN else np.arange(MOST_DRAWN) * n // MOST_DRAWN
        rows = self.training_rows[drawn]
        places = self.model.values[rows]
        if self.basis is not None:
            places = positions_along(places, self.basis.directions) - self.basis.origin
        return lab_drawing(
            self,
            places,
            self.model.label[rows],
            rows + 1,
            self.inside[drawn],
            self.strips_of(self.criteria),
            axes=self.axes,
            class_names=self.model.class_names,
            theme=theme,
        )

    def _figure(self, theme: ThemeName, height: int | None) -> go.Figure:
        return for_notebook(self.drawing(theme), theme, self.model.class_names)

    def _choose(
        self, features: Sequence[int | str] | None, pick: tuple[int | str, float] | None
    ) -> None:
        if pick is not None:
            feature = self._axis(pick[0])
            self.picked = self.table.find(feature, float(pick[1]))
            if self.picked < 0:
                raise ValueError(
                    f"pick must part the rows of the node; {self.axis_names[feature]} <= "
                    f"{pick[1]} leaves one side empty"
                )
        if features is None:
            self.axes = self.telling_axes()
            return
        features = (features,) if isinstance(features, int | str | np.integer) else features
        found = [self._axis(each) for each in features]
        if len(found) not in (1, 2):
            raise ValueError(f"features must be one or two, got {len(found)}")
        self.axes = (found[0], found[-1])

    def _axis(self, name: int | str) -> int:
        if self.basis is None:
            return self.model.feature(name)
        if name in self.basis.names:
            return self.basis.names.index(name)
        if isinstance(name, int | np.integer) and 0 <= name < len(self.basis.names):
            return int(name)
        raise ValueError(f"{name!r} is no component; there are {', '.join(self.basis.names)}")


def _check_searched_by_thresholds(model: ShownModel) -> None:
    named = [n for n, c in zip(model.feature_names, model.categories, strict=True) if c is not None]
    if named:
        raise ValueError(f"SplitDisplay draws thresholds of numbers; {named[0]!r} has categories")
    if np.isnan(model.values).any():
        raise ValueError("SplitDisplay draws complete rows; X has missing values")
    if len(model.tree.kernel):
        raise ValueError("this tree parts classes by machines, so its nodes have no thresholds")
    if model.is_ours and model.estimator.TAGS.hyperplanes:
        raise ValueError("this tree turns a hyperplane at each node; HyperplaneDisplay shows it")


def _check_chosen_among_thresholds(model: ShownModel, node: int) -> None:
    """Refuse a node whose split no search among its thresholds has chosen."""
    tree, grown = model.tree, model.estimator.grown_tree_
    stored = stored_split(tree, node)
    if isinstance(stored, ObliqueSplit) and not len(tree.bases):
        raise ValueError(
            f"node {node} is split by a hyperplane, which is none of its thresholds; "
            "BoundaryDisplay draws it"
        )
    if not len(model.estimator.growth_log_.splits):
        return
    at = int(tree.grown_node[node])
    held = [np.sort(one.node_samples(of)[0]) for one, of in ((tree, node), (grown, at))]
    if not (same_split(stored, stored_split(grown, at)) and np.array_equal(*held)):
        raise ValueError(
            f"node {node} was not searched as it is now: its split or its rows came of an "
            "improvement of the grown tree; GrowthDisplay plays it"
        )


def _shown(
    cls: type[SplitDisplay],
    model: ShownModel,
    node: int,
    tree: int | None,
    criteria: tuple[str, ...],
) -> SplitDisplay:
    rows = model.training_rows(tree)
    grown = model.estimator.grown_tree_
    at = int(model.tree.grown_node[node])
    search, inside = None, np.zeros(len(rows), dtype=bool)
    if model.is_ours:
        search = _searched(model, at, tree)
        inside[grown.node_samples(at)[0]] = True
    else:
        rows = np.unique(rows)
        inside = _passes(grown, at, model.values[rows])
    basis = basis_of(search)
    found = _table(model, rows, inside, search if isinstance(search, LatentSearch) else None)
    stored = stored_split(grown, at)
    own = candidate_of(stored, found, search, basis)
    own = own if own >= 0 else None
    table = as_cut(found, search, basis, own, stored)
    if search is None and own is not None:  # scikit-learn cuts between two values
        threshold = table.threshold.copy()
        threshold[own] = stored.threshold
        table = replace(table, threshold=threshold)
    rule = None if search is None else search.rule
    columns = dict(table.columns)
    if rule is not None and isinstance(rule.stages[0].column, Blend):
        columns["stage"] = table.scores(rule.stages[0].column)
    return cls(
        model=model,
        node=node,
        training_rows=rows,
        inside=inside,
        basis=basis,
        table=table,
        search=search,
        rule=rule,
        survivors=() if search is None else search.survivors,
        chosen=own,
        picked=None,
        tied=np.zeros(0, dtype=np.intp) if search is None else tied_candidates(search),
        columns=columns,
        axes=(0, 0),
        criteria=criteria,
    )


def _searched(model: ShownModel, node: int, tree: int | None) -> Search | None:
    """Search of a node, run again on the rows of the fit."""
    labels = np.asarray(model.given.classes_)[model.label]
    found = split_search(model.given, model.X, labels, node, tree=tree or 0)
    return found if isinstance(found, Search) else None


def _passes(tree: Tree, node: int, X: np.ndarray) -> np.ndarray:
    """Whether each sample passes a node, shape (n_samples,); O(n_samples depth)."""
    here = tree.apply(X)
    passed = np.zeros(len(X), dtype=bool)
    while (here >= 0).any():
        passed |= here == node
        here = np.where(here >= 0, tree.parent[here], -1)
    return passed


def _table(
    model: ShownModel, rows: np.ndarray, inside: np.ndarray, search: LatentSearch | None
) -> CandidateTable:
    names = {param.name for param in TABLE_PARAMS} - {"min_samples_leaf"}
    known = model.estimator.get_params() if model.is_ours else {}
    options = {name: value for name, value in known.items() if name in names}
    ordered = model.is_ours and model.estimator.TAGS.ordered_classes and search is None
    criteria = [name for name, row in CRITERIA.items() if ordered or not row.ordered_classes]
    y, n_classes = model.label[rows], len(model.class_names)
    if search is not None:
        columns, here = search.frame.presorted, search.rows
        y = y[search.frame.rows]
    else:
        columns, here = presort(model.values[rows]), np.flatnonzero(inside)
        if ordered:
            options["directions"] = model.estimator.directions_
    return candidate_table(columns, y, here, n_classes, criteria=criteria, **options)
