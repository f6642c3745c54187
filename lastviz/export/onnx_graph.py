"""Trees and forests as ONNX, in double precision, so that every row is predicted as here."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np

from lastviz import __version__
from lastviz._extras import import_extra, is_installed, lack_of
from lastviz._sentences import Refusal, Statement
from lastviz.tree import Kind, Missing, Tree, tree_of
from lastviz.tree.routing import shares_of_nodes, votes_of_nodes

from .code_words import about_answers, labels_of, refusal_of, sending, sums_refusal

MOST_CATEGORIES = 200  # each is a comparison of all rows
NEEDS_ONNX = lack_of("onnx", "ONNX")


def has_onnx() -> bool:
    """Whether the package that writes ONNX is installed."""
    return is_installed("onnx")


def onnx_refusal(model: object, labels: Sequence[object] | None = None) -> Statement | None:
    """Reason why :func:`.as_onnx` cannot write `model`, or None.

    O(n_trees + n_classes).

    Parameters
    ----------
    model : Tree or estimator
        A tree, or a fitted tree or forest of this package.
    labels : sequence, optional
        What the classes are called; the model's own if not given.

    Raises
    ------
    ValueError
        If there are not as many labels as classes.
    """
    if not has_onnx():
        return NEEDS_ONNX
    trees = trees_of(model)
    reasons = (sums_refusal(model, "ONNX"), *(refusal_of(tree, "ONNX") for tree in trees))
    if reason := next((each for each in reasons if each is not None), None):
        return reason
    if is_forest(model) and any(tree.missing == Missing.FRACTIONS for tree in trees):
        return Statement("ONNX cannot hold a forest of trees with fractional cases")
    most = max(tree.categories.branch.shape[1] if len(tree.categories) else 0 for tree in trees)
    if most > MOST_CATEGORIES:
        return Statement(
            "ONNX holds at most {most} categories of a feature, this model asks for one of {n}",
            most=MOST_CATEGORIES,
            n=most,
        )
    if not trees[0].is_regression and label_type(labels_of(trees[0], labels)) is None:
        return Statement("ONNX holds classes of one type alone: all texts or all numbers")
    return None


def is_forest(model: object) -> bool:
    """Whether a model decides by several trees."""
    return not isinstance(model, Tree) and getattr(model, "estimators_", None) is not None


def trees_of(model: object) -> list[Tree]:
    """Trees of a tree, of an estimator that has one, or of a forest."""
    return [tree_of(one) for one in (model.estimators_ if is_forest(model) else [model])]


def label_type(names: Sequence[object]) -> type | None:
    """Type of all labels; None if they have several, or one that ONNX lacks."""
    kinds = {type(name) for name in names}
    only = kinds.pop() if len(kinds) == 1 else None
    return only if only in (str, int, float, bool) else None


# ---- Trees of thresholds and hyperplanes as the table of ONNX's operator ``TreeEnsemble``


class TreeEnsemble:
    """The table of ``TreeEnsemble``: inner nodes and leaves, tree after tree."""

    def __init__(self, n_trees: int) -> None:
        self.n_trees = n_trees
        self.roots: list[int] = []
        self.feature: list[int] = []
        self.cut: list[float] = []
        self.missing_first: list[int] = []
        self.ends: tuple[list[int], list[int]] = ([], [])
        self.is_leaf: tuple[list[int], list[int]] = ([], [])
        self.leaf_node: list[float] = []
        self.leaf_tree: list[int] = []

    def add(self, place: int, tree: Tree, offset: int) -> None:
        """Add a tree; its hyperplanes are columns of the input from `offset` on."""
        self.roots.append(len(self.feature))
        if tree.n_nodes == 1:
            self._inner(0, 0.0, 0, self._end(place, 0), self._end(place, 0))
            return
        waiting: list[tuple[int, Callable[[int], None] | None]] = [(0, None)]
        while waiting:
            node, tell = waiting.pop()
            if tell is not None:
                tell(len(self.feature))
            row = int(tree.split_row[node])
            oblique = tree.kind[node] == Kind.OBLIQUE
            feature = offset + row if oblique else int(tree.feature[node])
            cut = float(tree.oblique.threshold[row] if oblique else tree.threshold[node])
            branch = int(tree.missing_branch[node])
            if branch < 0 and tree.missing == Missing.BRANCH:  # a row without a value stops
                at = len(self.feature)
                self._inner(feature, np.inf, 0, (0, at + 1), self._end(place, node))
            at = self._inner(feature, cut, int(branch == 0), (0, -1), (0, -1))
            for side, child in enumerate(tree.children(node)):
                if tree.is_leaf(child):
                    self.is_leaf[side][at], self.ends[side][at] = self._end(place, child)
                else:
                    waiting.append((child, self._teller(side, at)))

    def _teller(self, side: int, at: int) -> Callable[[int], None]:
        def tell(where: int) -> None:
            self.ends[side][at] = where

        return tell

    def _end(self, place: int, node: int) -> tuple[int, int]:
        self.leaf_node.append(float(node))
        self.leaf_tree.append(place)
        return 1, len(self.leaf_node) - 1

    def _inner(
        self, feature: int, cut: float, missing_first: int, first: tuple[int, int],
        second: tuple[int, int],
    ) -> int:  # fmt: skip
        self.feature.append(feature)
        self.cut.append(cut)
        self.missing_first.append(missing_first)
        for side, (is_leaf, end) in enumerate((first, second)):
            self.is_leaf[side].append(is_leaf)
            self.ends[side].append(end)
        return len(self.feature) - 1

    def attributes(self, tensor: Callable[[np.ndarray], object]) -> dict[str, object]:
        """Attributes of the operator."""
        n = len(self.feature)
        return {
            "aggregate_function": 1,
            "post_transform": 0,
            "n_targets": self.n_trees,
            "tree_roots": self.roots,
            "nodes_featureids": self.feature,
            "nodes_splits": tensor(np.array(self.cut, dtype=np.float64)),
            "nodes_modes": tensor(np.zeros(n, dtype=np.uint8)),
            "nodes_missing_value_tracks_true": self.missing_first,
            "nodes_truenodeids": self.ends[0],
            "nodes_falsenodeids": self.ends[1],
            "nodes_trueleafs": self.is_leaf[0],
            "nodes_falseleafs": self.is_leaf[1],
            "leaf_weights": tensor(np.array(self.leaf_node, dtype=np.float64)),
            "leaf_targetids": self.leaf_tree,
        }


# ---------------------------------------------------------------- onnx graph


OPSET, TREES_OPSET, IR_VERSION = 21, 5, 10
EQUAL = 1e-12


def as_onnx(model: object, labels: Sequence[object] | None = None) -> bytes:
    """ONNX model with the predictions of `model`, row for row.

    Its input is ``X``, double, (n, n_features), a nominal value as the place of its category, NaN
    where it is missing; its outputs are ``label`` (of numbers ``number``), (n,), and where leaves
    hold shares of classes ``class_shares``, double, (n, n_classes).

    Parameters
    ----------
    model : Tree or estimator
        A tree, or a fitted tree or forest of this package.
    labels : sequence, optional
        What the classes are called; the model's own if not given.

    Raises
    ------
    NotInstalled
        An ImportError: the package onnx is not installed.
    ValueError
        If the model holds kernel machines or decides by a monotone envelope, if its classes are
        of mixed types, or a feature that is asked for has more than 200 categories.

    Notes
    -----
    Thresholds and hyperplanes become one ``TreeEnsemble`` (ai.onnx.ml, opset 5) of doubles, whose
    leaves carry the numbers of nodes; the sums along hyperplanes are made feature by feature, in
    the order in which the tree adds, so that rows on a border stay on their side. Categories and
    fractional cases, which ``TreeEnsemble`` does not know, become comparisons of all nodes,
    O(n n_nodes).
    """
    import_extra("onnx", "ONNX")
    reason = onnx_refusal(model, labels)
    if reason is not None:
        raise Refusal(reason)
    trees = trees_of(model)
    graph = _Graph(trees)
    if is_forest(model):
        graph.forest(model, labels)
    else:
        graph.tree(graph.trees[0], labels)
    return graph.written()


class _Graph:
    """Collects the nodes and constants of one graph; values are known by their names."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        from onnx import TensorProto, helper, numpy_helper

        self.types, self.helper, self.constant_of = TensorProto, helper, numpy_helper.from_array
        self.trees = [sending(tree) for tree in trees]
        self.given = trees[0]
        self.nodes, self.constants, self.outputs = [], [], []
        self.count, self.X = 0, "X"
        self.X = self._checked()

    def _checked(self) -> str:
        """Rows; running the graph fails with a name that says why if one is refused."""
        bad = self("IsInf", "X")
        no = "an infinite value"
        if any(tree.missing == Missing.REFUSE for tree in self.trees):
            bad, no = self("Or", bad, self("IsNaN", "X")), "a missing or infinite value"
        n_bad = self("ReduceSum", self("Cast", bad, to=self.types.INT64), keepdims=0)
        tables = self("Unsqueeze", "X", self.constant([0], np.int64))
        # There is one table: any other index is an error.
        return self("Gather", tables, n_bad, axis=0, name=f"X must not hold {no}")

    def constant(self, values: object, dtype: type | None = None) -> str:
        self.count += 1
        name = f"c{self.count}"
        self.constants.append(self.constant_of(np.asarray(values, dtype=dtype), name))
        return name

    def __call__(self, op: str, *inputs: str, **attributes: object) -> str:
        self.count += 1
        value = f"v{self.count}"
        node = self.helper.make_node(op, list(inputs), [value], **attributes)
        self.nodes.append(node)
        return value

    def output(self, value: str, name: str, elem_type: int, width: int | None = None) -> None:
        self.nodes.append(self.helper.make_node("Identity", [value], [name]))
        shape = ["n"] if width is None else ["n", width]
        self.outputs.append(self.helper.make_tensor_value_info(name, elem_type, shape))

    def written(self) -> bytes:
        from onnx import checker

        first, h = self.trees[0], self.helper
        rows = h.make_tensor_value_info("X", self.types.DOUBLE, ["n", first.n_features])
        graph = h.make_graph(self.nodes, "lastviz", [rows], self.outputs, self.constants)
        sets = [h.make_opsetid("", OPSET), h.make_opsetid("ai.onnx.ml", TREES_OPSET)]
        model = h.make_model(
            graph, opset_imports=sets, ir_version=IR_VERSION, producer_name="lastviz",
            producer_version=__version__,
        )  # fmt: skip
        categories = [c and [str(label) for label in c] for c in first.feature_categories]
        about = {
            "features": list(first.feature_names),
            "categories": categories,
            "answers": about_answers(self.given, "an error"),
        }
        h.set_model_props(model, {name: json.dumps(value) for name, value in about.items()})
        checker.check_model(model)
        return model.SerializeToString()

    def tree(self, tree: Tree, labels: Sequence[object] | None) -> None:
        """Write one tree: the node of each row, or its shares of nodes, then predictions."""
        if tree.missing == Missing.FRACTIONS:
            self._fractions(tree, labels)
            return
        at = self._stops([tree])[0]
        predicted = self("Gather", self.constant(tree.prediction), at)
        if tree.is_regression:
            self._number(predicted)
            return
        self._label(predicted, tree, labels)
        self._shares(self("Gather", self.constant(shares_of_nodes(tree)), at), tree)

    def forest(self, model: object, labels: Sequence[object] | None) -> None:
        """Write how several trees decide."""
        trees = self.trees
        at = self._stops(trees)
        if trees[0].is_regression:
            total = self._sum(at, [tree.prediction for tree in trees])
            self._number(self("Div", total, self.constant(float(len(trees)))))
            return
        if hasattr(model, "start_"):
            first, *others = (one.scores_ for one in model.estimators_)
            total = self._sum(at, [model.start_ + first, *others])
            if getattr(model, "decision_", "") == "sums":
                self._label(self("ArgMax", total, axis=1, keepdims=0), trees[0], labels)
                return
            above = self("Greater", total, self.constant(0.0))
            above = self("Cast", above, to=self.types.INT64)
            axis = self.constant([1], np.int64)
            self._label(self("ReduceSum", above, axis, keepdims=0), trees[0], labels)
            return
        vote = {"plurality": "votes_then_supports", "median": "median"}
        decision = getattr(model, "decision_", None)
        decision = decision or vote.get(getattr(model, "vote_", ""), "votes")
        if decision == "shares":
            total = self._sum(at, [shares_of_nodes(tree) for tree in trees])
            mean = self("Div", total, self.constant(float(len(trees))))
            self._label(self("ArgMax", mean, axis=1, keepdims=0), trees[0], labels)
            self._shares(mean, trees[0])
            return
        codes = [
            self("Gather", self.constant(tree.prediction, np.int64), each)
            for tree, each in zip(trees, at, strict=True)
        ]
        if decision == "median":
            self._label(self._median(codes), trees[0], labels)
            return
        k = len(trees[0].classes)
        weights = np.asarray(model.tree_weights_, dtype=np.float64)
        votes = [np.eye(k)[tree.prediction] * w for tree, w in zip(trees, weights, strict=True)]
        tied = self._most(self._sum(at, votes))
        if decision == "votes_then_supports":
            supports = self._sum(at, [shares_of_nodes(tree) for tree in trees])
            tied = self._most(self("Where", tied, supports, self.constant(-1.0)))
        self._label(self._first(tied), trees[0], labels)

    def _median(self, codes: Sequence[str]) -> str:
        axis = self.constant([1], np.int64)
        side = self("Concat", *(self("Unsqueeze", one, axis) for one in codes), axis=1)
        size = self.constant([len(codes)], np.int64)
        self.count += 1
        names = [f"v{self.count}", f"v{self.count}_places"]
        rising = self.helper.make_node("TopK", [side, size], names, axis=1, largest=0, sorted=1)
        self.nodes.append(rising)
        return self("Gather", names[0], self.constant((len(codes) - 1) // 2, np.int64), axis=1)

    def _sum(self, at: Sequence[str], tables: Sequence[np.ndarray]) -> str:
        """Sum of the values of the trees' nodes, added tree after tree."""
        total = None
        for each, table in zip(at, tables, strict=True):
            here = self("Gather", self.constant(table, np.float64), each)
            total = here if total is None else self("Add", total, here)
        return total

    def _most(self, values: str) -> str:
        """Mask of each row's largest values (n, k), up to rounding."""
        most = self("ReduceMax", values, self.constant([1], np.int64), keepdims=1)
        room = self("Max", most, self.constant(1.0))
        room = self("Mul", room, self.constant(EQUAL))
        return self("GreaterOrEqual", values, self("Sub", most, room))

    def _first(self, tied: str) -> str:
        return self("ArgMax", self("Cast", tied, to=self.types.INT32), axis=1, keepdims=0)

    def _label(self, code: str, tree: Tree, labels: Sequence[object] | None) -> None:
        names = labels_of(tree, labels)
        kind = label_type(names)
        if kind is str:
            self.count += 1
            table = f"c{self.count}"
            encoded = [name.encode() for name in names]
            self.constants.append(
                self.helper.make_tensor(table, self.types.STRING, [len(names)], encoded)
            )
            self.output(self("Gather", table, code), "label", self.types.STRING)
            return
        types = {int: self.types.INT64, float: self.types.DOUBLE, bool: self.types.BOOL}
        table = self.constant(names)
        self.output(self("Gather", table, code), "label", types[kind])

    def _number(self, value: str) -> None:
        self.output(value, "number", self.types.DOUBLE)

    def _shares(self, shares: str, tree: Tree) -> None:
        self.output(shares, "class_shares", self.types.DOUBLE, len(tree.classes))

    def _stops(self, trees: Sequence[Tree]) -> list[str]:
        """Node where each row stops in each tree, int64 (n,)."""
        if any(len(tree.categories) for tree in trees):
            return [self._stop_among_categories(tree) for tree in trees]
        table, rows = TreeEnsemble(len(trees)), [self.X]
        offset = trees[0].n_features
        for place, tree in enumerate(trees):
            table.add(place, tree, offset)
            if len(tree.oblique):
                rows.append(self._along(tree))
                offset += len(tree.oblique)
        given = rows[0] if len(rows) == 1 else self("Concat", *rows, axis=1)
        ends = self(
            "TreeEnsemble", given, domain="ai.onnx.ml", **table.attributes(self.constant_of)
        )
        ends = self("Cast", ends, to=self.types.INT64)
        places = [self.constant(place, np.int64) for place in range(len(trees))]
        return [self("Gather", ends, place, axis=1) for place in places]

    def _along(self, tree: Tree) -> str:
        """Rows' positions along the hyperplanes, (n, n_hyperplanes)."""
        total = None
        for f, weights in enumerate(tree.oblique.weights.T):
            value = self("Gather", self.X, self.constant([f], np.int64), axis=1)
            part = self("Mul", value, self.constant(weights[None, :]))
            total = part if total is None else self("Add", total, part)
        return total

    def _branches(self, tree: Tree) -> tuple[str, str, str]:
        """Masks of rows per non-root node: takes it, knows its value, lacks a value."""
        above = tree.parent[1:]
        values = self("Gather", self.X, self.constant(tree.feature[above], np.int64), axis=1)
        lacks = self("IsNaN", values)
        branch = np.arange(1, tree.n_nodes) - tree.first_child[above]
        numeric = tree.kind[above] == Kind.THRESHOLD
        cut = np.where(numeric, tree.threshold[above], 0.0)
        first = self("LessOrEqual", values, self.constant(cut[None, :]))
        takes = self("Equal", first, self.constant((branch == 0)[None, :]))
        takes = self("And", takes, self.constant(numeric[None, :]))
        knows = self("And", self.constant(numeric[None, :]), self("Not", lacks))
        known = np.full((len(above), tree.categories.branch.shape[1]), -1)
        known[~numeric] = tree.categories.branch[tree.split_row[above[~numeric]]]
        for code, taken in enumerate(known.T):
            here = self("Equal", values, self.constant(float(code)))
            there = self("And", here, self.constant((taken == branch)[None, :]))
            takes = self("Or", takes, there)
            knows = self("Or", knows, self("And", here, self.constant((taken >= 0)[None, :])))
        return takes, knows, lacks

    def _held(self, tree: Tree, part: str) -> list[tuple[np.ndarray, str]]:
        """Weight that each row has at the nodes of each depth, root first."""
        zeros = self("Gather", self.X, self.constant([0], np.int64), axis=1)
        one = self("Where", self("IsNaN", zeros), self.constant(1.0), self.constant(1.0))
        found = [(np.zeros(1, dtype=np.int64), one)]
        for level in range(1, tree.max_depth + 1):
            here = np.flatnonzero(tree.depth == level)
            place = np.searchsorted(found[-1][0], tree.parent[here])
            above = self("Gather", found[-1][1], self.constant(place, np.int64), axis=1)
            own = self("Gather", part, self.constant(here - 1, np.int64), axis=1)
            found.append((here, self("Mul", above, own)))
        return found

    def _all(self, held: Sequence[tuple[np.ndarray, str]]) -> str:
        """Weights at all nodes in the order of their numbers, (n, n_nodes)."""
        order = np.argsort(np.concatenate([nodes for nodes, _ in held]))
        side = self("Concat", *(name for _, name in held), axis=1)
        return self("Gather", side, self.constant(order, np.int64), axis=1)

    def _stop_among_categories(self, tree: Tree) -> str:
        """Node where each row stops: the number of the deepest that it reaches."""
        if tree.n_nodes == 1:
            zero = self("Gather", self.X, self.constant(0, np.int64), axis=1)
            nothing = self.constant(0, np.int64)
            return self("Where", self("IsNaN", zero), nothing, nothing)
        takes, knows, lacks = self._branches(tree)
        above = tree.parent[1:]
        branch = np.arange(1, tree.n_nodes) - tree.first_child[above]
        sent = (tree.missing_branch[above] == branch)[None, :]
        gone = self("And", lacks, self.constant(sent))
        goes = self("Or", self("And", takes, knows), gone)
        part = self("Cast", goes, to=self.types.DOUBLE)
        held = self._all(self._held(tree, part))
        step = np.arange(tree.n_nodes, dtype=np.float64)
        step[1:] -= above
        number = self("MatMul", held, self.constant(step))
        return self("Cast", number, to=self.types.INT64)

    def _fractions(self, tree: Tree, labels: Sequence[object] | None) -> None:
        """Write a tree that sends a row with a missing value down branches in parts."""
        if tree.n_nodes == 1:
            at = self._stop_among_categories(tree)
            if tree.is_regression:
                self._number(self("Gather", self.constant(tree.prediction), at))
                return
            code = self("Gather", self.constant(tree.prediction, np.int64), at)
            self._label(code, tree, labels)
            self._shares(self("Gather", self.constant(shares_of_nodes(tree)), at), tree)
            return
        takes, knows, _ = self._branches(tree)
        weight = self.constant(tree.branch_weight[None, 1:])
        part = self("Where", knows, self("Cast", takes, to=self.types.DOUBLE), weight)
        held = self._all(self._held(tree, part))
        above = self("Gather", held, self.constant(tree.parent[1:], np.int64), axis=1)
        unknown = self("Cast", self("Not", knows), to=self.types.DOUBLE)
        most = self("ReduceMax", self("Mul", above, unknown), self.constant([1], np.int64))
        most = self("Squeeze", most, self.constant([1], np.int64))
        parted = self("Greater", most, self.constant(0.0))
        leaf = np.flatnonzero(tree.n_children == 0)
        ends = self("Gather", held, self.constant(leaf, np.int64), axis=1)
        if tree.is_regression:
            self._number(self("MatMul", ends, self.constant(tree.prediction[leaf])))
            return
        mean = self("MatMul", ends, self.constant(shares_of_nodes(tree)[leaf]))
        votes = mean
        if tree.costs is not None:
            votes = self("MatMul", ends, self.constant(votes_of_nodes(tree)[leaf]))
        top = self("ReduceMax", votes, self.constant([1], np.int64), keepdims=1)
        among = self("GreaterOrEqual", votes, self("Sub", top, self.constant(EQUAL)))
        number = self("MatMul", ends, self.constant(leaf.astype(np.float64)))
        number = self("Cast", number, to=self.types.INT64)
        node = self("Where", parted, self.constant(0, np.int64), number)
        own = self("Gather", self.constant(tree.prediction, np.int64), node)
        self._label(self("Where", parted, self._first(among), own), tree, labels)
        self._shares(mean, tree)
