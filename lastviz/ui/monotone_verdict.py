"""What an audit found, in sentences with its own numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lastviz.inspection import MonotonicityAudit

from .text import number, plain, plural, t

if TYPE_CHECKING:
    from .monotone_audit import AuditScene

__all__ = ["prediction_words", "verdict", "what_was_compared"]


def verdict(audit: MonotonicityAudit) -> str:
    """Return the answer in two words."""
    if audit.refuted:
        return t("Not monotone")
    return t("Proven monotone") if audit.proven else t("No contradiction found")


def what_was_compared(scene: AuditScene) -> str:
    """Return what the answer rests on, as Markdown."""
    audit = scene.audit
    n, bad = number(audit.n_compared), number(audit.n_violating)
    if audit.method == "boxes":
        n_leaves = plural(scene.estimator.tree_.n_leaves, "{n} leaf", "{n} leaves")
        start = t(
            "A tree is constant in each of its boxes, {leaves} in all. Every pair of leaves with "
            "different classes was compared, {n} pairs: could a point of the lower class lie at or "
            "beyond a point of the higher one?",
            leaves=n_leaves, n=n,
        )  # fmt: skip
    elif audit.method == "grid":
        start = t(
            "The prediction is constant in each cell of the grid of all thresholds, and it is "
            "monotone if and only if it falls between no two neighbouring cells. All {n} pairs of "
            "neighbours were compared.",
            n=n,
        )
    else:
        start = t(
            "The regions of this model are too many, or no boxes, to compare them all, so {n} "
            "random comparable pairs of points were asked about. That can refute, never prove.",
            n=n,
        )
    if audit.refuted:
        share = 100.0 * audit.n_violating / max(audit.n_compared, 1)
        end = plural(
            audit.n_violating,
            "**{bad} of them contradicts** the directions ({share} %).",
            "**{bad} of them contradict** the directions ({share} %).",
            bad=bad, share=number(float(f"{share:.3g}")),
        )  # fmt: skip
    elif audit.proven:
        end = t("**None does: this is a proof.**")
    else:
        end = t("**None contradicts.**")
    return f"{start} {end}"


def prediction_words(scene: AuditScene) -> str:
    """Return the counter-example in a sentence, as Markdown."""
    example = scene.example
    low, high = (scene.class_names[k] for k in (example.label_below, example.label_above))
    changed = np.flatnonzero(example.below != example.above)
    where = t("at or beyond a in every feature")
    if len(changed) == 1 and len(scene.names) > 1:
        where = t("beyond a in {name} and equal in all else", name=plain(scene.names[changed[0]]))
    return t(
        "Point a is predicted **{low}**. Point b lies {where}, yet is predicted **{high}**, "
        "which is lower.",
        low=plain(low), high=plain(high), where=where,
    )  # fmt: skip
