"""A tree as a Python function that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass

import numpy as np

from lastviz.inspection import condition_of, stopping_nodes
from lastviz.splitters.edits import Edit, ForcedSplit
from lastviz.tree import Kind, Missing, Tree
from lastviz.tree.routing import votes_of_nodes

from .code_words import (
    PYTHON,
    about_answers,
    condition_code,
    held_tree,
    labels_of,
    outcomes,
    plain,
    sending,
    used_features,
)

DEEPEST = 40  # nested tests in one function; Python takes at most 100 levels of indentation

PREDICT = '''NUMBERS = {numbers!r}
WORDS = {words!r}


def predict(row):
    """Return the {what} of a row, a mapping of names of features to values.

    Missing are None, NaN and pandas.NA.
{about}
    """
    known = {{name: float(present(row[name])) for name in NUMBERS}}
    if any(abs(value) == float("inf") for value in known.values()):
        return None
    for name in WORDS:
        value = present(row[name])
        known[name] = value.item() if hasattr(value, "item") else value
    return node_0(known)


def present(value):
    """Return a value, NaN where it is missing."""
    missing = value is None or type(value).__name__ == "NAType"
    return float("nan") if missing else value'''

SPREAD = '''def spread(node, row):
    """Return what a row gets that goes down several branches, in parts, from a node on."""
    shares, waiting = [0.0] * {width}, [(node, 1.0)]
    while waiting:
        node, part = waiting.pop()
        if node in ENDS:
            shares = [a + part * b for a, b in zip(shares, ENDS[node])]
            continue
        name, test, branches = TESTS[node]
        if isinstance(test, dict):
            taken = test.get(row[name])
        else:
            taken = None if row[name] != row[name] else int(not row[name] <= test)
        for place, (child, weight) in enumerate(branches):
            if taken is None and weight > 0:
                waiting.append((child, part * weight))
            elif taken == place:
                waiting.append((child, part))
    {answer}'''


def as_function(tree: Tree, labels: Sequence[object] | None = None) -> str:
    """Source of ``predict(row)``: tests in plain Python, one row at a time.

    Parameters
    ----------
    tree : Tree
        ``estimator.tree_``.
    labels : sequence, optional
        What the classes are called; the tree's own classes if not given.

    Raises
    ------
    ValueError
        If the tree holds kernel machines, or a monotone envelope decides.

    Notes
    -----
    ``row`` maps a feature's name to its value, a nominal one by its name; it needs those that
    ``NUMBERS`` and ``WORDS`` list, and no others. What becomes of missing, infinite and new values
    the function itself says; where the tree has no answer it returns None. Deep trees are spread
    over several functions.
    """
    tree = held_tree(tree, "a Python function")
    return _Writer(tree, labels).source()


class _Writer:
    """Writes one tree; subtrees that start too deep wait for a function of their own."""

    def __init__(self, tree: Tree, labels: Sequence[object] | None) -> None:
        self.tree, self.labels = sending(tree), labels_of(tree, labels)
        self.about = "\n".join(f"    {line}" for line in about_answers(tree, "None"))
        self.outcome = outcomes(tree, labels)
        self.spreads = tree.missing == Missing.FRACTIONS
        self.stopping = set(stopping_nodes(tree))
        self.waiting = [0]

    def source(self) -> str:
        tree, asked = self.tree, used_features(self.tree)
        names = {f: tree.feature_names[f] for f in asked}
        head = PREDICT.format(
            numbers=[name for f, name in names.items() if tree.feature_categories[f] is None],
            words=[name for f, name in names.items() if tree.feature_categories[f] is not None],
            about=self.about,
            what="number" if tree.is_regression else "class",
        )
        parts = ['"""A decision tree, written by lastviz."""', head]
        while self.waiting:
            top = self.waiting.pop(0)
            parts.append("\n".join([f"def node_{top}(row):", *self._body(top)]))
        if self.spreads:
            parts += [self._spread(), "\n".join(self._tables())]
        return "\n\n\n".join(parts) + "\n"

    def _body(self, top: int) -> list[str]:
        lines, first = [], int(self.tree.depth[top])
        stack: list[tuple[int, int, str]] = [(top, 1, "")]
        while stack:
            node, level, line = stack.pop()
            if line:
                lines.append("    " * (level - 1) + line)
            if node < 0:
                continue
            indent, level = "    " * level, 1 + int(self.tree.depth[node]) - first
            if self.tree.is_leaf(node):
                lines.append(f"{indent}return {self.outcome[node]!r}")
            elif level > DEEPEST:
                self.waiting.append(node)
                lines.append(f"{indent}return node_{node}(row)")
            else:
                stack.extend(reversed(self._branches(node, level)))
        return lines

    def _branches(self, node: int, level: int) -> list[tuple[int, int, str]]:
        """Branches of a node as (node, level, line), followed by the remaining line."""
        tree, found = self.tree, []
        for branch, child in enumerate(tree.children(node)):
            code = condition_code(tree, condition_of(tree, node, branch), PYTHON)
            found.append((child, level + 1, f"{'el' if branch else ''}if {code}:"))
        rest = self._rest(node)
        return [*found, (-1, level + 1, rest)] if rest else found

    def _rest(self, node: int) -> str:
        """Statement for rows that take no branch, empty where they get None."""
        if self.spreads:
            return f"return spread({node}, row)"
        if node not in self.stopping:
            return "return None" if self.stopping else ""
        if self.tree.missing == Missing.BRANCH:
            return f"return {self.outcome[node]!r}"
        item = PYTHON.name(self.tree.feature_names[self.tree.feature[node]])
        return f"return {self.outcome[node]!r} if {item} == {item} else None"

    def _spread(self) -> str:
        answer = "return shares[0]"
        if not self.tree.is_regression:
            answer = (
                "best = next(k for k, share in enumerate(shares) if share >= max(shares) - 1e-12)"
                "\n    return CLASSES[best]"
            )
        return SPREAD.format(width=max(len(self.labels), 1), answer=answer)

    def _tables(self) -> list[str]:
        """Tests and ends that `spread` looks up."""
        tree, lines = self.tree, [f"CLASSES = {self.labels!r}", "TESTS = {"]
        for node in range(tree.n_nodes):
            if tree.is_leaf(node):
                continue
            name = tree.feature_names[tree.feature[node]]
            parts = [(child, float(tree.branch_weight[child])) for child in tree.children(node)]
            lines.append(f"    {node}: ({name!r}, {self._test(node)!r}, {parts!r}),")
        lines += ["}", "ENDS = {"]
        ends = tree.prediction[:, None] if tree.is_regression else votes_of_nodes(tree)
        for node in range(tree.n_nodes):
            if tree.is_leaf(node):
                lines.append(f"    {node}: {ends[node].tolist()!r},")
        return [*lines, "}"]

    def _test(self, node: int) -> float | dict[object, int]:
        tree = self.tree
        if tree.kind[node] == Kind.THRESHOLD:
            return float(tree.threshold[node])
        categories = tree.feature_categories[tree.feature[node]]
        branch = tree.categories.branch[tree.split_row[node]].tolist()
        return {plain(c): b for c, b in zip(categories, branch, strict=False) if b >= 0}


# ---- A session as the few lines of Python that rebuild its models


@dataclass(frozen=True)
class ScriptRecipe:
    """Everything needed to rebuild the models."""

    data: str | None  # key of the data set; None for a file
    file: str | None  # name of the file
    data_params: dict[str, object]  # keywords of the generator, or of the reader of the file
    # Methods of the data set with their arguments, in order.
    steps: tuple[tuple[str, tuple, dict[str, object]], ...]
    held_out: float  # share of the rows held out
    seed: int  # seed of the division
    # A variable's name, a class of `lastviz` and its keywords.
    models: tuple[tuple[str, str, dict[str, object]], ...]
    # The variables of those that learn from the held-out rows, too, without their classes.
    unlabelled: tuple[str, ...] = ()
    # {"numeric_X", "encoded_X", "mixed_X", "categorical_X"}: how the data set gives its features to
    # the models.
    features: str = "numeric_X"
    learns_numbers: bool = False  # whether numbers are learnt instead of classes
    # By variable, the same for models that read them in another way.
    own_features: Mapping[str, str] = field(default_factory=dict)
    # Methods that come after the division, since they measure the rows that are learnt from: they
    # take those rows as the keyword `rows`.
    fitted_steps: tuple[tuple[str, tuple], ...] = ()
    # By variable, what is changed by hand in the trees of models.
    edits: Mapping[str, Sequence[Edit]] = field(default_factory=dict)
    # The variables of those whose rows count by the weights of the data set.
    weighted: tuple[str, ...] = ()
    # How rows are held out by whole units and by which column, before any step; () for rows drawn.
    units: tuple[str, str | None] | tuple[()] = ()
    # By variable, the method and its arguments by which leaves are given a class.
    lines: Mapping[str, tuple[str, tuple]] = field(default_factory=dict)


def as_python(recipe: ScriptRecipe) -> str:
    """Script that loads the data, divides them and fits every model.

    Run as it is, it leaves ``dataset``, ``train``, ``held_out`` and one fitted estimator per
    model, and prints their accuracies (of numbers their R2).
    """
    classes = sorted({cls for _, cls, _ in recipe.models})
    reader = "read_table" if recipe.file else "load_dataset"
    source = recipe.file or recipe.data
    target = "y.to_numpy()" if recipe.learns_numbers else "codes"
    measure = "R2" if recipe.learns_numbers else "accuracy"
    seed = {"random_state": recipe.seed}
    units = [f"units = dataset.{_call('held_units', recipe.units, seed)}"] if recipe.units else []
    by = ", units=units" if units else ""
    lines = [
        f"from lastviz import {', '.join(classes)}",
        f"from lastviz.datasets import {', '.join(_of_data(recipe, reader))}",
        *_imports(recipe),
        "",
        f"dataset = {_call(reader, (source,), recipe.data_params)}",
        *units,
        *(f"dataset = dataset.{_call(*step)}" for step in recipe.steps),
        f"train, held_out = dataset.split({recipe.held_out!r}, random_state={recipe.seed}{by})",
        *(
            f"dataset = dataset.{method}({', '.join(map(repr, args))}, rows=train)"
            for method, args in recipe.fitted_steps
        ),
        f"X, y = dataset.{recipe.features}, dataset.{target}",
        "",
    ]
    for name, cls, params in recipe.models:
        X = _table(recipe, name)
        beside = f", unlabelled={X}.iloc[held_out]" if name in recipe.unlabelled else ""
        if name in recipe.weighted:
            beside += ", sample_weight=dataset.weights[train]"
        if recipe.edits.get(name):
            lines += _edits(name, recipe.edits[name])
            beside += f", edits={name}_edits"
        fit = f".fit({X}.iloc[train], y[train]{beside})"
        if name in recipe.lines:
            method, how = recipe.lines[name]
            fit += _call(f".{method}", how, {})
        lines.append(f"{name} = {_call(cls, (), params)}{fit}")
    part, rows = ("held out", "held_out") if recipe.held_out else ("in training", "train")
    for name, _, _ in recipe.models:
        score = f"{name}.score({_table(recipe, name)}.iloc[{rows}], y[{rows}])"
        lines.append(f'print("{name}: {measure} {part}", {score})')
    return "\n".join(lines) + "\n"


def _of_data(recipe: ScriptRecipe, reader: str) -> list[str]:
    """Names imported to load the data.

    Records among the keywords have a class.
    """
    return sorted([*set(_records(tuple(recipe.data_params.values()))), reader])


def _records(value: object) -> Iterator[str]:
    """Yield the classes of the records in a value."""
    if isinstance(value, tuple):
        for each in value:
            yield from _records(each)
    elif is_dataclass(value):
        yield type(value).__name__
        for each in fields(value):
            yield from _records(getattr(value, each.name))


def _imports(recipe: ScriptRecipe) -> list[str]:
    """Import lines that the edits need."""
    edits = [edit for made in recipe.edits.values() for edit in made]
    splits = [edit.split for edit in edits if isinstance(edit, ForcedSplit)]
    arrays = any(isinstance(value, np.ndarray) for s in splits for value in vars(s).values())
    names = sorted({type(thing).__name__ for thing in (*edits, *splits)})
    lines = [f"from lastviz.splitters.edits import {', '.join(names)}"] if names else []
    return [*lines, "from numpy import array"] if arrays else lines


def _edits(name: str, edits: Sequence[Edit]) -> list[str]:
    """Lines that make the edits of a model, one an edit."""
    return [f"{name}_edits = (", *(f"    {_written(edit)}," for edit in edits), ")"]


def _written(edit: Edit) -> str:
    values = vars(edit)
    if isinstance(edit, ForcedSplit):
        split = ", ".join(map(_value, vars(edit.split).values()))
        return f"ForcedSplit({edit.path!r}, {type(edit.split).__name__}({split}))"
    return _call(type(edit).__name__, tuple(values.values()), {})


def _value(value: object) -> str:
    """Field of a split; nothing of an array may be left out or rounded."""
    return f"array({value.tolist()!r})" if isinstance(value, np.ndarray) else repr(value)


def _table(recipe: ScriptRecipe, name: str) -> str:
    own = recipe.own_features.get(name, recipe.features)
    return "X" if own == recipe.features else f"dataset.{own}"


def _call(name: str, args: tuple, keywords: dict[str, object]) -> str:
    inside = [repr(arg) for arg in args]
    inside += [f"{key}={value!r}" for key, value in keywords.items()]
    return f"{name}({', '.join(inside)})"
