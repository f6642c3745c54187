"""A tree with its tests, and the rules that it comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import plotly.graph_objects as go
from sklearn.base import BaseEstimator

from lastviz.inspection import Explanation, explain, rules
from lastviz.plots import (
    Drawing,
    ThemeName,
    flow_tree_plot,
    icicle_plot,
    node_link_plot,
    rule_tree_plot,
    split_words,
)
from lastviz.plots.visuals.words import escaped

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
        """Return the figure as the app draws it, without legend and ground."""
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
            names = escaped(self.model.class_names)
            leaves = set(range(tree.n_nodes)) - set(inner)
            texts |= {n: names[tree.prediction[n]] for n in leaves}
        return texts
