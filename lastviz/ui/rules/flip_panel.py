"""What would change the class of the sample: the wish, the change, the nearest real row."""

from __future__ import annotations

from html import escape

import numpy as np
import streamlit as st

from lastviz.inspection.monotonicity import codes_of
from lastviz.plots import number
from lastviz.plots.visuals.words import numbers_apart
from lastviz.ui.shared.headline import class_sign, show
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.state import session
from lastviz.ui.text import listed, plain, plural, t

from .details import path_table
from .flip import Change, changed_sample
from .flip_controls import hold_choosers, wish_choosers
from .scene import RuleScene

MOST_COMPARED = 8  # features in the table beside the nearest row
MOST_OPTIONS = 4  # categories that are named


def flip_panel(scene: RuleScene) -> None:
    """Draw what would change the class of the sample, if there is one."""
    view = scene.change
    if view is None:
        return
    with st.container(key="flip"):
        st.markdown(f"**{t('What would change it?')}**")
        wish_choosers(scene)
        hold_choosers(scene)
        if view.job is not None:
            job_box(view.job, "flip")
        elif view.problem is not None:
            st.info(view.problem)
        else:
            _answer(scene, view.change)


def _answer(scene: RuleScene, change: Change) -> None:
    """Draw the change in sentences, the nearest row, and the path after the change."""
    if not change.flip.found:
        st.info(_nothing(scene, change))
        return
    left, right = st.columns(2, gap="medium")
    with left:
        show(_changes(scene, change))
        if change.flip.changed:
            st.button(
                t("Show the changed sample"),
                key="show_changed",
                help=t("It replaces this sample; the browser's back button undoes this."),
                on_click=lambda: session.select(**changed_sample(change, scene.division)),
            )
            if change.row is not None:
                show(_comparison(scene, change, change.row[0]))
    with right:
        if change.flip.changed:
            title = t("The path after the change")
            show(path_table(scene, change.path, title, before=scene.sample.path))


def _changes(scene: RuleScene, change: Change) -> str:
    """Return the change as a list, how long it is and how certain, as html."""
    flip = change.flip
    name = _class_name(scene, change.wanted)
    if not flip.changed:
        return f"<p>{t('The sample is {name} already: nothing needs to change.', name=name)}</p>"
    now = _class_name(scene, change.predicted)
    heading = t("From {now} to {name}:", now=now, name=name)
    items = "".join(f"<li>{_one_change(scene, change, f)}</li>" for f in flip.changed)
    sentences = [_length(scene, change), _certainty(scene, change)]
    if change.indicators:
        sentences.append(
            t(
                "Columns of 0 and 1 that encode categories are not changed: there is no such "
                "thing as part of a category."
            )
        )
    notes = "".join(f"<p>{sentence}</p>" for sentence in sentences)
    return f'<div class="lv-flip"><b>{heading}</b><ul>{items}</ul>{notes}</div>'


def _class_name(scene: RuleScene, label: int) -> str:
    return f"{class_sign(label, scene.theme)} {escape(scene.class_names[label])}"


def _one_change(scene: RuleScene, change: Change, feature: int) -> str:
    """Return how one feature changes, in its unit, as html."""
    flip, name = change.flip, scene.division.X.columns[feature]
    known = scene.division.categories[feature]
    about = {"name": escape(str(name))}
    if known is not None:
        after = escape(str(known[int(flip.point[feature])]))
        before = escape(str(known[int(change.x[feature])]))
        others = [escape(str(known[code])) for code in flip.options.get(feature, ())
                  if code != int(flip.point[feature])]  # fmt: skip
        text = t("{name}: {before} → <b>{after}</b>", before=before, after=after, **about)
        if others:
            return t(
                "{name}: {before} → <b>{after}</b> ({others} would do as well)",
                before=before, after=after, others=listed(others, MOST_OPTIONS), **about,
            )  # fmt: skip
        return text
    before, after = _numbers(change, feature)
    unit = scene.units.get(name, "")
    text = t("{name}: {before} → <b>{after}</b>", before=before, after=after, **about)
    return f"{text} {escape(unit)}" if unit else text


def _numbers(change: Change, feature: int) -> tuple[str, str]:
    """Return a number and what becomes of it: a value, or the threshold that it must cross."""
    flip, x = change.flip, float(change.x[feature])
    edge = float(flip.edge[feature])
    if flip.method in ("hyperplanes", "rows") or edge == round(edge):
        return numbers_apart(x, float(flip.point[feature]))
    if edge < x:
        before, after = numbers_apart(x, edge)
        return before, t("at most {n}", n=after)
    before, after = numbers_apart(x, float(np.nextafter(edge, -np.inf)))
    return before, t("more than {n}", n=after)


def _length(scene: RuleScene, change: Change) -> str:
    """Return how long the change is, beside the way to the nearest row of the class.

    That row may be nearer than any change that leads to the class, if it is predicted wrongly.
    """
    flip = change.flip
    n = len(flip.changed)
    if flip.method == "rows" or change.row is None or not change.row[1]:
        return plural(n, "{n} feature changes.", "{n} features change.")
    row, distance = change.row
    about = {"d": number(flip.distance), "row": number(row + 1), "far": number(distance)}
    sentence = plural(
        n,
        "{n} feature changes: distance {d}. The nearest real row of the class, row {row}, is "
        "{far} away.",
        "{n} features change: distance {d}. The nearest real row of the class, row {row}, is "
        "{far} away.",
        **about,
    )
    (predicted,) = codes_of(scene.model, scene.division.values[[row]])
    if predicted == change.wanted:
        return sentence
    name = escape(scene.class_names[predicted])
    return t(" ").join((sentence, t("But the prediction for that row is {name}.", name=name)))


def _certainty(scene: RuleScene, change: Change) -> str:
    """Return whether anything nearer can exist."""
    flip, names = change.flip, scene.division.X.columns
    x, y = (names[f] for f in change.plane)
    if flip.method == "rows":
        return t(
            "The regions of kernel machines have no corners to measure: this is the nearest row of "
            "the data that the tree gives the class."
        )
    if flip.method == "grid" and flip.proved:
        return t("No smaller change exists: every cell between the trees' thresholds was checked.")
    if flip.method == "grid":
        return t(
            "The trees are too many to be solved together: only {x} and {y} were changed, and "
            "every cell between their thresholds was asked.",
            x=escape(str(x)),
            y=escape(str(y)),
        )
    if flip.method == "program":
        n = number(len(scene.trees))
        if flip.proved:
            return t("No smaller change exists: the votes of {n} trees were solved together.", n=n)
        return t(
            "The solver was stopped: a smaller change may exist, but none smaller than {bound}.",
            bound=number(flip.bound),
        )
    if flip.proved:
        return t("No smaller change exists: every leaf of the class was checked.")
    return t(
        "More than two features must change. This is the smallest sum of changes; other features "
        "might be fewer."
    )


def _nothing(scene: RuleScene, change: Change) -> str:
    """Return why no change leads to the class, and what to do."""
    name, tree = plain(scene.class_names[change.wanted]), scene.tree
    rules = scene.selection.rules
    leaves = tree.n_children == 0
    if len(scene.trees) == 1 and not (tree.prediction[leaves] == change.wanted).any():
        return t("No leaf of the tree predicts {name}: no change leads there.", name=name)
    if change.flip.method == "grid" and not change.flip.proved:
        x, y = (plain(str(scene.division.X.columns[f])) for f in change.plane)
        sentence = (
            "No change of {x} and {y} alone leads to {name}, and the trees are too many to be "
            "solved together. Choose other axes on the page of boundaries."
        )
        return t(sentence, x=x, y=y, name=name)
    if not change.flip.proved:
        sentence = (
            "No row of the data to which the tree gives the class {name} keeps to what may change: "
            "let more features change."
        )
        return t(sentence, name=name)
    if change.indicators:
        sentence = (
            "No allowed change leads to {name}. Columns of 0 and 1 that encode categories are not "
            "changed: choose an algorithm that reads categories, such as C4.5 or CART."
        )
        return t(sentence, name=name)
    if rules.flip_rows:
        sentence = (
            "No allowed change leads to a leaf with {n} rows of {name}: ask for fewer rows, or let "
            "more features change."
        )
        return t(sentence, n=number(rules.flip_rows), name=name)
    return t("No allowed change leads to {name}: let more features change.", name=name)


def _comparison(scene: RuleScene, change: Change, row: int) -> str:
    """Return the sample, its change and the nearest row of the class side by side, as html."""
    values = scene.division.values[row]
    differs = [f for f in np.flatnonzero(values != change.x).tolist() if change.known[f]]
    others = [f for f in differs if f not in change.flip.changed]
    shown = [*change.flip.changed, *others][: max(MOST_COMPARED, len(change.flip.changed))]
    head = (t("feature"), t("this sample"), t("smallest change"), t("row {n}", n=number(row + 1)))
    cells = []
    for feature in shown:
        moved = feature in change.flip.changed
        after = _value(scene, feature, change.flip.point[feature])
        cells.append(
            f"<tr><th>{escape(str(scene.division.X.columns[feature]))}</th>"
            f"<td>{_value(scene, feature, change.x[feature])}</td>"
            f"<td>{f'<b>{after}</b>' if moved else after}</td>"
            f"<td>{_value(scene, feature, values[feature])}</td></tr>"
        )
    left = len(differs) + len(change.flip.changed) - len(set(differs) & set(change.flip.changed))
    left -= len(shown)
    note = ""
    if left > 0:
        one, many = (
            "Row {row} differs in {n} more feature.",
            "Row {row} differs in {n} more features.",
        )
        note = f"<p>{plural(left, one, many, row=number(row + 1))}</p>"
    titles = "".join(f"<th>{each}</th>" for each in head)
    title = t("The change beside the nearest real row of {name}",
              name=escape(scene.class_names[change.wanted]))  # fmt: skip
    return (
        f'<div class="lv-path" role="group" aria-label="{title}"><b>{title}</b>'
        f"<table><thead><tr>{titles}</tr></thead><tbody>{''.join(cells)}</tbody></table>{note}</div>"
    )


def _value(scene: RuleScene, feature: int, value: float) -> str:
    """Return a value of a feature for people, as html."""
    known = scene.division.categories[feature]
    if not np.isfinite(value):
        return t("unknown")
    return number(float(value)) if known is None else escape(str(known[int(value)]))
