"""A tree with its tests, and the rules that it comes to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from sklearn.base import BaseEstimator, clone

from lastviz.estimators.scikit_learn import TREES, from_sklearn
from lastviz.inspection import (
    FAMILIES,
    CrossValidated,
    Explanation,
    PrunedTrees,
    cross_validate_in_steps,
    explain,
    least_and_one_error,
    pruned_trees,
    rules,
)
from lastviz.plots import (
    Drawing,
    ErrorCurve,
    PruningWords,
    ThemeName,
    flow_tree_plot,
    icicle_plot,
    node_link_plot,
    pruning_curve_plot,
    rule_tree_plot,
    split_words,
)
from lastviz.plots.pruning_curve_plot import HEIGHT
from lastviz.plots.visuals.words import escape_names
from lastviz.pruning import HeldOutRows
from lastviz.splitters import result_of

from .display import Display, for_notebook
from .model import Names, ShownModel, read_model

STYLES = ("rules", "icicle", "flow", "node-link")
MOST_RULES = 60  # of a tree that is drawn whole; of a larger one the nodes with most rows
WIDTH = 980  # pixels, that of a notebook
FLOW_HEIGHT = 320


@dataclass(eq=False, repr=False)
class TreeDisplay(Display):
    """A tree as a flow of its rows, with its tests and the rules that it comes to.

    Make it by :meth:`from_estimator`.

    Attributes
    ----------
    model : ShownModel
    max_depth : int or None
        Where it is cut for the picture.
    node : int or None
        The node that is framed.
    path : Explanation or None
        Of the row whose way is drawn.
    style : {"rules", "icicle", "flow", "node-link"}
    figure_ : plotly.graph_objects.Figure
    """

    model: ShownModel
    max_depth: int | None
    node: int | None
    path: Explanation | None
    style: str

    @classmethod
    def from_estimator(
        cls,
        estimator: BaseEstimator,
        X: object = None,
        y: object = None,
        *,
        max_depth: int | None = None,
        feature_names: Names | None = None,
        class_names: Names | None = None,
        tree: int | None = None,
        node: int | None = None,
        row: int | None = None,
        style: str = "rules",
        theme: ThemeName | None = None,
        height: int | None = None,
    ) -> Self:
        """Draw a fitted tree.

        Parameters
        ----------
        estimator : estimator
            A fitted tree or forest of this package or of scikit-learn, for classes.
        X : array-like or DataFrame, shape (n_samples, n_features), optional
            Needed for `row` alone.
        y : optional
            Not used; it is here because all displays take it.
        max_depth : int, optional
            Where the tree is cut for the picture; default: it is not.
        feature_names, class_names : sequence of str, or mapping, optional
            Default: what the model knows.
        tree : int, optional
            Which tree of a forest.
        node : int, optional
            A node to frame; what is not below it fades.
        row : int, optional
            A row of `X` whose way through the tree is drawn.
        style : {"rules", "icicle", "flow", "node-link"}, default "rules"
            The tree with a row of numbers for each rule; boxes as high as their rows are many;
            the tree alone; or nodes with features, and links with answers.
        theme : {"light", "dark"}, optional
            Default: see :meth:`plot`.
        height : int, optional
            Of the style "flow" in pixels; the others are as high as their rules need.

        Returns
        -------
        TreeDisplay

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If the model is not fitted.
        ValueError
            If anything does not fit the model; the message says what.

        Notes
        -----
        Of more than 60 rules, the nodes with most rows are opened and what is hidden is counted.
        O(n_nodes).
        """
        model = read_model(
            estimator, X, feature_names=feature_names, class_names=class_names, tree=tree
        )
        model.check_tree_of_classes("TreeDisplay")
        if style not in STYLES:
            raise ValueError(f"style must be one of {', '.join(STYLES)}, got {style!r}")
        if node is not None:
            model.check_node(node)
        path = None
        if row is not None:
            if not 0 <= row < len(model.values):
                raise ValueError(f"row must be a row of X, of which there are {len(model.values)}")
            path = explain(model.estimator, model.values[row])
        return cls(model, max_depth, node, path, style).plot(theme=theme, height=height)

    def _figure(self, theme: ThemeName, height: int | None) -> go.Figure:
        width = None if self.style == "flow" else WIDTH
        return for_notebook(self.drawing(theme, height), theme, self.model.class_names, width)

    def drawing(self, theme: ThemeName = "light", height: int | None = None) -> Drawing:
        """Figure as the app draws it, without legend and ground."""
        tree, path = self.model.tree, self.path
        common = {
            "theme": theme,
            "selected": self.node,
            "depth": self.max_depth,
            "class_names": self.model.class_names,
            "hover": {},
            "width_hint": WIDTH,
        }
        if self.style != "node-link":
            common["texts"] = self._texts()
        if self.style == "flow":
            nodes = None if path is None else path.node.tolist()
            return flow_tree_plot(tree, path=nodes, height=height or FLOW_HEIGHT, **common)
        visited = path and dict(zip(path.node.tolist(), path.weight.tolist(), strict=True))
        common |= {"visited": visited, "most": MOST_RULES}
        if self.style == "node-link":
            return node_link_plot(tree, **common)
        if self.style == "icicle":
            return icicle_plot(tree, **common)
        numbers = {rule.node: rule.number for rule in rules(tree)}
        return rule_tree_plot(tree, numbers=numbers, **common)

    def _texts(self) -> dict[int, str]:
        tree = self.model.tree
        inner = [n for n in range(tree.n_nodes) if not tree.is_leaf(n)]
        texts = {n: split_words(tree, n) for n in inner}
        if self.style == "icicle":
            names = escape_names(self.model.class_names)
            leaves = set(range(tree.n_nodes)) - set(inner)
            texts |= {n: names[tree.prediction[n]] for n in leaves}
        return texts


# ---- What a tree gets wrong as it is cut back, from all its leaves to one


RISKS = ("misclassification", "gini")


def error_curve(
    trees: PrunedTrees,
    training: np.ndarray,
    held_out: np.ndarray,
    crossed: CrossValidated | None,
) -> ErrorCurve:
    """Errors of the trees of one family against their leaves, NaN if not known.

    Parameters
    ----------
    trees : PrunedTrees
    training, held_out : ndarray of float64, shape (n_trees,)
        Shares of errors.
    crossed : CrossValidated or None
    """
    unknown = np.full(len(trees), np.nan)
    return ErrorCurve(
        n_leaves=trees.n_leaves,
        training=training,
        held_out=held_out,
        cross_validated=unknown if crossed is None else crossed.error,
        standard_error=unknown if crossed is None else crossed.standard_error,
        nested=trees.nested,
    )


@dataclass(eq=False, repr=False)
class PruningDisplay(Display):
    """Errors of a tree over its leaves as a pruner's parameter grows.

    Make it by :meth:`from_estimator`.

    Attributes
    ----------
    model : ShownModel
    trees : PrunedTrees
        All trees that the parameter leaves, largest first, and its value for each.
    curve : ErrorCurve
        Shares of errors of each.
    chosen : int or None
        The smallest tree within one standard error of the least error; None without `cv`.
    marked : int
        The tree at the value that was asked for.
    figure_ : plotly.graph_objects.Figure
    """

    model: ShownModel
    trees: PrunedTrees
    curve: ErrorCurve
    chosen: int | None
    marked: int

    @classmethod
    def from_estimator(
        cls,
        estimator: BaseEstimator,
        X: object,
        y: object,
        *,
        X_test: object = None,
        y_test: object = None,
        pruning: str = "cost_complexity",
        value: float | None = None,
        risk: str = "misclassification",
        cv: int | None = None,
        random_state: int = 0,
        tree: int | None = None,
        theme: ThemeName | None = None,
        height: int | None = None,
    ) -> Self:
        """Draw the errors of a fitted tree as it is pruned.

        Parameters
        ----------
        estimator : estimator
            A fitted tree or forest of this package or of scikit-learn, for classes. Its tree is
            taken as it was grown, whatever pruning of its own it has.
        X : array-like or DataFrame, shape (n_samples, n_features)
            The rows that it was fitted on.
        y : array-like, shape (n_samples,)
            Their labels.
        X_test, y_test : optional
            Rows held out.
        pruning : {"cost_complexity", "entropy_cost", "replacement", "minimum_error"}, \
default "cost_complexity"
            Whose parameter it is.
        value : float, optional
            Of the parameter (ccp_alpha, alpha in bits, confidence or m), marked in the figure;
            default: that of the whole tree.
        risk : {"misclassification", "gini"}, default "misclassification"
            What a leaf costs besides its price, by cost-complexity; scikit-learn's
            ``ccp_alpha`` goes by "gini".
        cv : int, optional
            Number of folds; default: no cross-validation.
        random_state : int, default 0
            Seed of the folds, which are stratified.
        tree : int, optional
            Which tree of a forest; cross-validation is for single trees.
        theme : {"light", "dark"}, optional
            Default: see :meth:`plot`.
        height : int, optional
            In pixels; default: 220, and more for each way to prune that has a name of its own.

        Returns
        -------
        PruningDisplay

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If the model is not fitted.
        ValueError
            If its tree cannot be cut back, or anything does not fit it; the message says what.

        Notes
        -----
        O(n_trees n_nodes), and as many growths as folds.
        """
        if y is None:
            raise ValueError("y must be given: errors are counted on rows of known classes")
        model = read_model(estimator, X, y, tree=tree)
        model.check_tree_of_classes("PruningDisplay")
        _check(model, pruning, risk, cv, tree)
        grown = model.estimator.grown_tree_
        trees = pruned_trees(grown, pruning, risk=risk)
        rows = model.training_rows(tree)
        training = HeldOutRows(model.values[rows], model.label[rows])
        held_out = np.full(len(trees), np.nan)
        if X_test is not None:
            test = read_model(estimator, X_test, y_test, tree=tree)
            held_out = trees.errors(HeldOutRows(test.values, test.label))
        crossed = None if cv is None else _crossed(model, trees, cv, random_state)
        curve = error_curve(trees, trees.errors(training), held_out, crossed)
        chosen = None if crossed is None else least_and_one_error(crossed, trees.n_leaves)[1]
        marked = 0 if value is None else trees.at(value)
        return cls(model, trees, curve, chosen, marked).plot(theme=theme, height=height)

    def _figure(self, theme: ThemeName, height: int | None) -> go.Figure:
        return for_notebook(self.drawing(theme, height), theme)

    def drawing(self, theme: ThemeName = "light", height: int | None = None) -> Drawing:
        """Figure as the app draws it, without ground."""
        name = {"ccp_alpha": "α", "alpha": "α"}.get(FAMILIES[self.trees.key])
        words = PruningWords(mine=f"selected {name or FAMILIES[self.trees.key]}")
        return pruning_curve_plot(
            self.curve,
            (),
            theme=theme,
            mine=self.marked,
            chosen=self.chosen,
            words=words,
            height=HEIGHT if height is None else height,
        )


def _check(model: ShownModel, pruning: str, risk: str, cv: int | None, tree: int | None) -> None:
    if pruning not in FAMILIES:
        raise ValueError(f"pruning must be one of {', '.join(FAMILIES)}, got {pruning!r}")
    if risk not in RISKS:
        raise ValueError(f"risk must be one of {', '.join(RISKS)}, got {risk!r}")
    grown = model.estimator.grown_tree_
    if len(grown.kernel):
        raise ValueError(
            "this tree peels one class off at each node: with a subtree its classes would go, so "
            "it is not cut back"
        )
    if grown.n_leaves == 1:
        raise ValueError("this tree is a single leaf: there is nothing to cut back")
    if cv is None:
        return
    if not 2 <= cv <= len(model.values):
        raise ValueError(f"cv must be from 2 to the number of rows, {len(model.values)}, got {cv}")
    if tree is not None or not (model.is_ours or isinstance(model.given, TREES)):
        raise ValueError("cv is for single trees that can be grown again; leave it out")


def _crossed(model: ShownModel, trees: PrunedTrees, cv: int, seed: int) -> CrossValidated:
    X = model.X if isinstance(model.X, pd.DataFrame) else pd.DataFrame(np.asarray(model.X))
    if not hasattr(model.estimator, "feature_names_in_"):
        X.columns = range(X.shape[1])
    estimator = model.estimator if model.is_ours else _OfScikitLearn(model.given)
    steps = cross_validate_in_steps(
        estimator, X, model.label, [trees], n_folds=cv, random_state=seed
    )
    return result_of(steps)[0]


class _OfScikitLearn:
    """Tree of scikit-learn, to be grown again on part of its samples, unpruned."""

    def __init__(self, model: BaseEstimator):
        self.model = model

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """Parameters of the constructor."""
        return {"model": self.model}

    def grow(self, X: pd.DataFrame | np.ndarray, y: np.ndarray) -> Iterator[object]:
        """Grow it at once."""
        grown = clone(self.model).set_params(ccp_alpha=0.0).fit(np.asarray(X), y)
        self.inner = from_sklearn(grown)
        self.classes_, self.grown_tree_ = self.inner.classes_, self.inner.grown_tree_
        yield self

    def encode(self, X: pd.DataFrame | np.ndarray) -> np.ndarray:
        """Rows as the tree reads them."""
        return self.inner.encode(np.asarray(X))
