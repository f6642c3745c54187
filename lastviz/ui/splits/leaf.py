"""Why a leaf has no split, in words."""

from __future__ import annotations

from lastviz.estimators import TreeClassifier
from lastviz.inspection import last_reason
from lastviz.tree import Reason
from lastviz.ui.text import t

__all__ = ["leaf_label", "leaf_sentence", "reason_of", "was_pruned"]

# What made a leaf of a node that had been split.
PRUNED = (
    Reason.NO_FEWER_ERRORS,
    Reason.LEAF_ESTIMATE,
    Reason.WEAKEST_LINK,
    Reason.ENTROPY_COST,
)
# What ended the growth although a candidate may be admitted.
STOPPED = (Reason.MAX_DEPTH, Reason.MIN_SAMPLES, Reason.MAX_LEAF_NODES, Reason.CHILD_TOO_SMALL)


def reason_of(estimator: TreeClassifier, node: int) -> Reason | None:
    """Return why a node of ``tree_`` is a leaf, None at an inner node."""
    return last_reason(estimator, node) if estimator.tree_.is_leaf(node) else None


def was_pruned(reason: Reason) -> bool:
    """Tell whether a leaf had been split before it was pruned."""
    return reason in PRUNED


def leaf_sentence(reason: Reason) -> str:
    """Return that a leaf has no split, and why."""
    return t("This leaf has no split. {reason}", reason=t(reason.sentence))


def leaf_label(reason: Reason, *, own_rule: bool) -> str | None:
    """Return what the winner of the rule is to a leaf; None where it is nothing to it.

    Parameters
    ----------
    own_rule : bool
        Whether the rule is one of the reader's own, not the one that the tree was grown by.
    """
    if own_rule:
        return t("what the rule takes")
    if was_pruned(reason):
        return t("was the split here before pruning")
    return t("would be the split of this leaf") if reason in STOPPED else None
