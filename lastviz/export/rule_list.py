"""The rules of a tree as text and as a table (CSV), with every digit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz._csv_writer import as_csv
from lastviz._sentences import HUNDRED
from lastviz.inspection import Rule, conditions, rules, stopping_nodes
from lastviz.tree import Missing, Tree, digits

from .code_words import PLAIN, condition_code, held_tree, labels_of, outcomes

MEASURES = ("support", "share", "confidence", "coverage")


def rules_as_text(
    tree: Tree, labels: Sequence[object] | None = None, *, held_out: np.ndarray | None = None
) -> str:
    """Rules of `tree` for reading, the largest support first.

    Parameters
    ----------
    tree : Tree
        ``estimator.tree_``.
    labels : sequence, optional
        What the classes are called; the tree's own classes if not given.
    held_out : ndarray of shape (n_nodes, n_classes), optional
        Rows that were kept from training, of each class at each node: see
        :func:`lastviz.inspection.class_counts`.

    Raises
    ------
    ValueError
        If the tree holds kernel machines, or a monotone envelope decides.
    """
    tree = held_tree(tree, "a list of rules")
    names, predicted = labels_of(tree, labels), outcomes(tree, labels)
    found = rules(tree)
    lines = [
        f"{len(found)} rules of a decision tree on {tree.n_features} features, "
        f"{_amount(tree.weighted_n_node_samples[0])} training rows.",
        _who_meets_one(tree),
        _counted_on(held_out, is_regression=tree.is_regression),
    ]
    for rule in found:
        lines += ["", f"{rule.number}. if {_premise(tree, rule)} then {predicted[rule.node]}"]
        lines.append(f"   {_numbers(rule, tree)}{_shares(rule, names)}")
        if held_out is not None:
            right, rows = _judged(rule, held_out)
            right, rows = _amount(right), _amount(rows)
            lines.append(f"   classifies {right} of {rows} held-out rows correctly")
    for node in stopping_nodes(tree):
        premise = _joined(tree, conditions(tree, node))
        lines += ["", f"otherwise, if {premise} then {predicted[node]}"]
    return "\n".join(lines) + "\n"


def _counted_on(held_out: np.ndarray | None, *, is_regression: bool) -> str:
    training = "Support, confidence, coverage and class shares are those of the training rows."
    if is_regression:
        return "Support is that of the training rows, a number the mean of them."
    if held_out is None:
        return training
    return f"{training} {_amount(held_out[0].sum())} rows were held out to judge the rules."


def _judged(rule: Rule, held_out: np.ndarray) -> tuple[float, float]:
    """Approximate number of held-out rows that a rule gets right, and that meet it."""
    counts = held_out[rule.node]
    return float(counts[rule.prediction]), float(counts.sum())


def _who_meets_one(tree: Tree) -> str:
    if tree.missing == Missing.FRACTIONS:
        return (
            "Exactly one of them holds for each row whose tested values are known; a row with a "
            "missing or new value is shared out over several, in parts that are not written here."
        )
    if len(tree.categories):
        return (
            "At most one of them holds for each row. A row of a new category meets none: for it "
            "the first that holds of the sentences at the end counts."
        )
    return "Exactly one of them holds for each row."


def rules_as_csv(
    tree: Tree, labels: Sequence[object] | None = None, *, held_out: np.ndarray | None = None
) -> str:
    """Rules of `tree` as a table, one row a rule.

    It has the content of :func:`rules_as_text`.

    Columns: rule, node, if, then, support, share, confidence and coverage of the training rows,
    the class support of every class among them and, with `held_out`, the held-out rows and the
    share of them that the rule is right about; of a tree for numbers, support and share alone.
    Shares lie between 0 and 1. Rows without a number of a rule stand for the rows that meet
    none, such as those of a new category: the first that holds counts.
    """
    tree = held_tree(tree, "a list of rules")
    names, predicted = labels_of(tree, labels), outcomes(tree, labels)
    import pandas as pd

    head = ["rule", "node", "if", "then"]
    measures = ("support", "share") if tree.is_regression else MEASURES
    head += [f"training {what}" for what in measures]
    head += [f"training share of {name}" for name in names]
    head += [] if held_out is None else ["held-out rows", "held-out accuracy"]
    lines = []
    for rule in rules(tree):
        held = [getattr(rule, what) for what in measures]
        shares = rule.class_supports.tolist()
        cells = [_premise(tree, rule), predicted[rule.node], *held, *shares]
        if held_out is not None:
            right, rows = _judged(rule, held_out)
            cells += [rows, right / rows if rows else None]
        lines.append([rule.number, rule.node, *cells])
    for node in stopping_nodes(tree):
        line = [None, node, _joined(tree, conditions(tree, node)), predicted[node]]
        lines.append(line + [None] * (len(head) - len(line)))
    return as_csv(pd.DataFrame(lines, columns=head, dtype=object))


def _premise(tree: Tree, rule: Rule) -> str:
    return _joined(tree, rule.conditions)


def _joined(tree: Tree, found: tuple) -> str:
    return " and ".join(condition_code(tree, c, PLAIN) for c in found) or "True"


def _amount(rows: float) -> str:
    """Sum of rows or of their weights, these to two decimals."""
    return digits(float(rows), 2)


def _numbers(rule: Rule, tree: Tree) -> str:
    held = f"support {_amount(rule.support)} ({HUNDRED * rule.share:.1f} %)"
    if tree.is_regression:
        return held
    confidence, coverage = HUNDRED * rule.confidence, HUNDRED * rule.coverage
    return f"{held}, confidence {confidence:.1f} %, coverage {coverage:.1f} %; "


def _shares(rule: Rule, names: Sequence[object]) -> str:
    shares = rule.class_supports.tolist()
    held = zip(names, shares, strict=True)
    return ", ".join(f"{name} {HUNDRED * share:.1f} %" for name, share in held if share > 0)
