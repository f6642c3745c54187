"""What ONNX can hold of trees and forests, known before anything is written."""

from __future__ import annotations

from collections.abc import Sequence

from lastviz._extras import is_installed, lack_of
from lastviz._sentences import Sentence
from lastviz.tree import Missing, Tree, tree_of

from .code_words import labels_of, refusal_of, sums_refusal

MOST_CATEGORIES = 200  # each is a comparison of all rows
NEEDS_ONNX = lack_of("onnx", "ONNX")


def has_onnx() -> bool:
    """Tell whether the package that writes ONNX is installed."""
    return is_installed("onnx")


def onnx_refusal(model: object, labels: Sequence[object] | None = None) -> Sentence | None:
    """Return why :func:`.as_onnx` cannot write `model`, None where it can. O(n_trees + n_classes).

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
        return Sentence("ONNX cannot hold a forest of trees with fractional cases")
    most = max(tree.categories.branch.shape[1] if len(tree.categories) else 0 for tree in trees)
    if most > MOST_CATEGORIES:
        return Sentence(
            "ONNX holds at most {most} categories of a feature, this model asks for one of {n}",
            most=MOST_CATEGORIES,
            n=most,
        )
    if not trees[0].is_regression and label_type(labels_of(trees[0], labels)) is None:
        return Sentence("ONNX holds classes of one type alone: all texts or all numbers")
    return None


def is_forest(model: object) -> bool:
    """Tell whether a model decides by several trees."""
    return not isinstance(model, Tree) and getattr(model, "estimators_", None) is not None


def trees_of(model: object) -> list[Tree]:
    """Return the trees of a tree, of an estimator that has one, or of a forest."""
    return [tree_of(one) for one in (model.estimators_ if is_forest(model) else [model])]


def label_type(names: Sequence[object]) -> type | None:
    """Return the type of all labels; None if they have several, or one that ONNX lacks."""
    kinds = {type(name) for name in names}
    only = kinds.pop() if len(kinds) == 1 else None
    return only if only in (str, int, float, bool) else None
