"""A session as the few lines of Python that rebuild its models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass

import numpy as np

from lastviz.splitters.edits import Edit, ForcedSplit


@dataclass(frozen=True)
class Recipe:
    """What it takes to rebuild the models."""

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


def as_python(recipe: Recipe) -> str:
    """Return a script that loads the data, divides them and fits every model.

    Run as it is, it leaves ``dataset``, ``train``, ``held_out`` and one fitted estimator per
    model, and prints their accuracies (of numbers their R2).
    """
    classes = sorted({cls for _, cls, _ in recipe.models})
    reader = "read_table" if recipe.file else "load_dataset"
    source = recipe.file or recipe.data
    target = "y.to_numpy()" if recipe.learns_numbers else "codes"
    measure = "R2" if recipe.learns_numbers else "accuracy"
    lines = [
        f"from lastviz import {', '.join(classes)}",
        f"from lastviz.datasets import {', '.join(_of_data(recipe, reader))}",
        *_imports(recipe),
        "",
        f"dataset = {_call(reader, (source,), recipe.data_params)}",
        *(f"dataset = dataset.{_call(*step)}" for step in recipe.steps),
        f"train, held_out = dataset.split({recipe.held_out!r}, random_state={recipe.seed})",
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
        lines.append(f"{name} = {_call(cls, (), params)}{fit}")
    part, rows = ("held out", "held_out") if recipe.held_out else ("in training", "train")
    for name, _, _ in recipe.models:
        score = f"{name}.score({_table(recipe, name)}.iloc[{rows}], y[{rows}])"
        lines.append(f'print("{name}: {measure} {part}", {score})')
    return "\n".join(lines) + "\n"


def _of_data(recipe: Recipe, reader: str) -> list[str]:
    """Return what is imported to load the data: records among the keywords have a class."""
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


def _imports(recipe: Recipe) -> list[str]:
    """Return what the edits need."""
    edits = [edit for made in recipe.edits.values() for edit in made]
    splits = [edit.split for edit in edits if isinstance(edit, ForcedSplit)]
    arrays = any(isinstance(value, np.ndarray) for s in splits for value in vars(s).values())
    names = sorted({type(thing).__name__ for thing in (*edits, *splits)})
    lines = [f"from lastviz.splitters.edits import {', '.join(names)}"] if names else []
    return [*lines, "from numpy import array"] if arrays else lines


def _edits(name: str, edits: Sequence[Edit]) -> list[str]:
    """Return the lines that make the edits of a model, one an edit."""
    return [f"{name}_edits = (", *(f"    {_written(edit)}," for edit in edits), ")"]


def _written(edit: Edit) -> str:
    values = vars(edit)
    if isinstance(edit, ForcedSplit):
        split = ", ".join(map(_value, vars(edit.split).values()))
        return f"ForcedSplit({edit.path!r}, {type(edit.split).__name__}({split}))"
    return _call(type(edit).__name__, tuple(values.values()), {})


def _value(value: object) -> str:
    """Return a field of a split; nothing of an array may be left out or rounded."""
    return f"array({value.tolist()!r})" if isinstance(value, np.ndarray) else repr(value)


def _table(recipe: Recipe, name: str) -> str:
    own = recipe.own_features.get(name, recipe.features)
    return "X" if own == recipe.features else f"dataset.{own}"


def _call(name: str, args: tuple, keywords: dict[str, object]) -> str:
    inside = [repr(arg) for arg in args]
    inside += [f"{key}={value!r}" for key, value in keywords.items()]
    return f"{name}({', '.join(inside)})"
