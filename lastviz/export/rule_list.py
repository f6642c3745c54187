"""The rules of a tree as text and as a table (CSV), with every digit."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from lastviz.inspection import Rule, rules
from lastviz.tree import Tree

from .code_words import PLAIN, condition_code, labels_of, machines_refused

__all__ = ["rules_as_csv", "rules_as_text"]


def rules_as_text(tree: Tree, labels: Sequence[object] | None = None) -> str:
    """Return the rules of `tree` for reading, the largest support first.

    Parameters
    ----------
    tree : Tree
        ``estimator.tree_``.
    labels : sequence, optional
        What the classes are called; the tree's own classes if not given.

    Raises
    ------
    ValueError
        If the tree holds kernel machines.
    """
    machines_refused(tree, "a list of rules")
    names = labels_of(tree, labels)
    found = rules(tree)
    lines = [
        f"{len(found)} rules of a decision tree on {tree.n_features} features, "
        f"{tree.weighted_n_node_samples[0]:g} rows.",
        "Exactly one of them holds for each row.",
    ]
    for rule in found:
        lines += ["", f"{rule.number}. if {_premise(tree, rule)} then {names[rule.prediction]}"]
        lines.append(f"   {_numbers(rule)}; {_shares(rule, names)}")
    return "\n".join(lines) + "\n"


def rules_as_csv(tree: Tree, labels: Sequence[object] | None = None) -> str:
    """Return the rules of `tree` as a table: what :func:`rules_as_text` says, one row a rule.

    Columns: rule, node, if, then, support, share, confidence, coverage, and the class support
    of every class. Shares lie between 0 and 1.
    """
    machines_refused(tree, "a list of rules")
    names = labels_of(tree, labels)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head = ["rule", "node", "if", "then", "support", "share", "confidence", "coverage"]
    writer.writerow([*head, *(f"share of {name}" for name in names)])
    for rule in rules(tree):
        held = [rule.support, rule.share, rule.confidence, rule.coverage]
        premise, then = _premise(tree, rule), names[rule.prediction]
        shares = map(repr, rule.class_supports.tolist())
        writer.writerow([rule.number, rule.node, premise, then, *map(repr, held), *shares])
    return out.getvalue()


def _premise(tree: Tree, rule: Rule) -> str:
    return " and ".join(condition_code(tree, c, PLAIN) for c in rule.conditions) or "True"


def _numbers(rule: Rule) -> str:
    return (
        f"support {rule.support:g} ({100 * rule.share:.1f} %), "
        f"confidence {100 * rule.confidence:.1f} %, coverage {100 * rule.coverage:.1f} %"
    )


def _shares(rule: Rule, names: Sequence[object]) -> str:
    shares = rule.class_supports.tolist()
    held = zip(names, shares, strict=True)
    return ", ".join(f"{name} {100 * share:.1f} %" for name, share in held if share > 0)
