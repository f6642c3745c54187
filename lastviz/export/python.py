"""A session as the few lines of Python that rebuild its models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Recipe", "as_python"]


@dataclass(frozen=True)
class Recipe:
    """What it takes to rebuild the models.

    Attributes
    ----------
    data : str or None
        Key of the data set; None for a file.
    file : str or None
        Name of the file.
    data_params : dict
        Keywords of the generator, or of the reader of the file.
    steps : tuple of (str, tuple, dict)
        Methods of the data set with their arguments, in order.
    held_out : float
        Share of the rows held out.
    seed : int
        Seed of the division.
    models : tuple of (str, str, dict)
        A variable's name, a class of ``lastviz`` and its keywords.
    unlabelled : tuple of str
        The variables of those that learn from the held-out rows, too, without their classes.
    features : {"numeric_X", "encoded_X", "mixed_X", "categorical_X"}
        How the data set gives its features to the models.
    learns_numbers : bool
        Whether numbers are learnt instead of classes.
    own_features : mapping of str to str
        By variable, the same for models that read them in another way.
    fitted_steps : tuple of (str, tuple)
        Methods that come after the division, since they measure the rows that are learnt from:
        they take those rows as the keyword ``rows``.
    """

    data: str | None
    file: str | None
    data_params: dict[str, object]
    steps: tuple[tuple[str, tuple, dict[str, object]], ...]
    held_out: float
    seed: int
    models: tuple[tuple[str, str, dict[str, object]], ...]
    unlabelled: tuple[str, ...] = ()
    features: str = "numeric_X"
    learns_numbers: bool = False
    own_features: Mapping[str, str] = field(default_factory=dict)
    fitted_steps: tuple[tuple[str, tuple], ...] = ()


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
        f"from lastviz.datasets import {reader}",
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
        fit = f".fit({X}.iloc[train], y[train]{beside})"
        lines.append(f"{name} = {_call(cls, (), params)}{fit}")
    part, rows = ("held out", "held_out") if recipe.held_out else ("in training", "train")
    for name, _, _ in recipe.models:
        score = f"{name}.score({_table(recipe, name)}.iloc[{rows}], y[{rows}])"
        lines.append(f'print("{name}: {measure} {part}", {score})')
    return "\n".join(lines) + "\n"


def _table(recipe: Recipe, name: str) -> str:
    own = recipe.own_features.get(name, recipe.features)
    return "X" if own == recipe.features else f"dataset.{own}"


def _call(name: str, args: tuple, keywords: dict[str, object]) -> str:
    inside = [repr(arg) for arg in args]
    inside += [f"{key}={value!r}" for key, value in keywords.items()]
    return f"{name}({', '.join(inside)})"
