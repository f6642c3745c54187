"""Order and monotonicity in words: headlines, legends, notes, verdicts, with their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz._sentences import Statement
from lastviz.inspection import MonotonicityAudit
from lastviz.plots import INCLUSION_LEVELS, THEMES, ThemeName
from lastviz.ui.compute.monotone import doubted_directions
from lastviz.ui.shared.headline import class_items, class_sign, legend_of, sign, strip
from lastviz.ui.text import number, percent, plain, plural, t

from .scene import AuditScene, OrderScene

MOST_INCONSISTENT = 0.9  # share of rows; of many rows, noise alone reaches it, too


def order_headline(scene: OrderScene) -> str:
    """Headline numbers of the data."""
    found = scene.found
    share = found.n_pairs / found.n_comparable if found.n_comparable else 0.0
    below = int(np.count_nonzero(scene.below))
    cells = [
        (number(len(scene.y)), "", t("rows")),
        (number(found.n_comparable), "", t("comparable pairs")),
        (number(found.n_pairs), "", t("contradict, {share} %", share=percent(share, 2))),
        (number(scene.n_inconsistent), "", t("rows with D < 1")),
        (number(below), "", t("rows with D < e = {e}", e=number(scene.threshold))),
    ]
    return strip(cells)


def order_legend(scene: OrderScene, theme: ThemeName, n_drawn: int) -> str:
    """One legend line: the classes from low to high, the pairs."""
    items = _classes(scene.class_names, theme)
    line = sign('<path d="M0 12 16 4"/>', line=THEMES[theme].grey5, width=1.5)
    items.append(f"{line} {t('a pair that contradicts')}")
    if n_drawn < len(scene.y):
        rows = {"n": number(n_drawn), "all": number(len(scene.y))}
        items.append(t("{n} of {all} rows drawn", **rows))
    return legend_of(items)


def audit_legend(
    class_names: Sequence[str], theme: ThemeName, *, held_out: bool, ringed: bool = False
) -> str:
    """Legend line of an audit: the classes from low to high, the rows, ring and frame."""
    items = _classes(class_names, theme)
    if held_out:
        two = range(min(2, len(class_names)))
        filled = "".join(class_sign(k, theme) for k in two)
        hollow = "".join(class_sign(k, theme, is_open=True) for k in two)
        items += [f"{filled} {t('training')}", f"{hollow} {t('held out')}"]
    if ringed:
        ink = THEMES[theme].ink
        ring = sign('<circle cx="8" cy="8" r="6.5"/>', line=ink, width=1.75)
        frame = sign('<path d="M2 2h12v12h-12z"/>', line=ink, width=1.75)
        wrong = t("wrong, held out") if held_out else t("wrong")
        items += [f"{ring} {wrong}", f"{frame} {t('a pair that contradicts')}"]
    return legend_of(items)


def _classes(names: Sequence[str], theme: ThemeName) -> list[str]:
    """Signs of the classes; the order begins with the lowest."""
    items = class_items(names, theme)
    items[0] += f" <small>{t('(lowest)')}</small>"
    return items


def shades(theme: ThemeName) -> str:
    """Legend line of the shades of the inclusion degree."""
    colours = THEMES[theme]
    items = []
    for least, token in INCLUSION_LEVELS:
        dot = sign('<circle cx="8" cy="8" r="5.5"/>', fill=getattr(colours, token),
                   line=colours.grey5, width=1)  # fmt: skip
        items.append(f"{dot} D = 1" if least == 1.0 else f"{dot} ≥ {least:g}")
    ring = sign('<circle cx="8" cy="8" r="6.5"/>', line=colours.ink, width=1.75)
    items.append(f"{ring} {t('D below e')}")
    return legend_of(items)


def order_notes(scene: OrderScene) -> list[str]:
    """Notes on the data that the user should know before trusting them."""
    notes = []
    n_missing = scene.dataset.n_samples - len(scene.y)
    if n_missing:
        notes.append(
            plural(
                n_missing,
                "{n} row lacks a value and cannot be compared; it is left out.",
                "{n} rows lack a value and cannot be compared; they are left out.",
            )
        )
    can_be = int(np.count_nonzero(scene.y > scene.y.min()))  # the lowest class never contradicts
    many = scene.n_inconsistent > MOST_INCONSISTENT * can_be
    if many and doubted_directions(scene.work):
        rows = {"n": number(scene.n_inconsistent), "all": number(can_be)}
        notes.append(
            t(
                "{n} of the {all} rows above the lowest class are contradicted by a row above "
                "them: the directions or the order of the classes are probably the wrong way "
                "round. The table of directions below has a suggestion.",
                **rows,
            )
        )
    if not any(scene.dataset.directions.values()):
        notes.append(t("The data set specifies no directions, so the class is assumed to rise "
                       "with every feature."))  # fmt: skip
    return notes


def inclusion_latex(scene: OrderScene) -> tuple[str, str]:
    """Inclusion degree in general, and of the row that the card is about."""
    general = (
        r"D(x) = \frac{\bigl|\{z : z \ge x,\ y_z \ge y_x\}\bigr|}"
        r"{\bigl|\{z : z \ge x\}\bigr|}"
    )
    i = scene.subject
    above, in_class = scene.n_above(i)
    row, degree = int(scene.rows[i]) + 1, float(scene.found.inclusion[i])
    value = number(degree).replace(",", "{,}")
    own = rf"D(x_{{{row}}}) = \frac{{{in_class}}}{{{above}}} = \mathbf{{{value}}}"
    return general, own


def audit_finding(name: str, audit: MonotonicityAudit) -> Statement:
    """Statement on the audit of a model."""
    about = {"name": name, "n": audit.n_violating, "all": audit.n_compared}
    if audit.refuted:
        return Statement(
            "**{name} is not monotone**: {n} of {all} comparisons contradict the order.", **about
        )
    if audit.proven:
        return Statement(
            "**{name} is proven monotone**: none of {all} comparisons contradicts the order.",
            **about,
        )
    return Statement("**No contradiction was found in {name}** by {all} comparisons.", **about)


def order_finding(scene: OrderScene) -> Statement:
    """Statement on the pairs of rows that contradict each other."""
    return Statement(
        "**{n} of {all} comparable pairs contradict each other**: {rows} of {of} rows have a row "
        "above them that is lower in class.",
        n=scene.found.n_pairs,
        all=scene.found.n_comparable,
        rows=scene.n_inconsistent,
        of=len(scene.y),
    )


def verdict(audit: MonotonicityAudit) -> str:
    """Answer in two words."""
    if audit.refuted:
        return t("Not monotone")
    return t("Proven monotone") if audit.proven else t("No contradiction found")


def what_was_compared(scene: AuditScene) -> str:
    """Basis of the answer."""
    n = number(scene.audit.n_compared)
    if scene.audit.method == "boxes":
        n_leaves = plural(scene.estimator.tree_.n_leaves, "{n} leaf", "{n} leaves")
        return t(
            "A tree is constant in each of its boxes, {leaves} in all. Every pair of leaves with "
            "different classes was compared; in {n} of the pairs a point of one leaf can lie at "
            "or beyond a point of the other.",
            leaves=n_leaves, n=n,
        )  # fmt: skip
    if scene.audit.method == "scores":
        return t(
            "A sum of trees is monotone if each of its trees is. Every pair of leaves of a tree "
            "was compared at each border between classes to which they add different scores; in "
            "{n} of the cases, in {trees}, a point of one leaf can lie at or beyond a point of "
            "the other.",
            n=n, trees=plural(len(scene.estimator.estimators_), "{n} tree", "{n} trees"),
        )  # fmt: skip
    if scene.audit.method == "grid":
        return t(
            "The prediction is constant in each cell of the grid of all thresholds, and it is "
            "monotone if and only if it falls between no two neighbouring cells. All {n} pairs of "
            "neighbours were compared.",
            n=n,
        )
    return t(
        "The regions of this model are too many, or no boxes, to compare them all, so {n} "
        "random comparable pairs of points were checked. That can refute monotonicity, "
        "but not prove it.",
        n=n,
    )


def prediction_words(scene: AuditScene) -> str:
    """Counter-example in a sentence, as Markdown."""
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
