"""Change of the sample that changes its class: the wish, the change, the nearest real row.

The reader wishes for a class, a distance and what must stay as it is.
"""

from __future__ import annotations

from functools import partial
from html import escape

import numpy as np
import streamlit as st

from lastviz._sentences import Statement
from lastviz.datasets.column_roles import FIXED
from lastviz.estimators import ForestClassifier
from lastviz.export.blocks import Heading, Words
from lastviz.host.jobs import Job
from lastviz.inspection.monotonicity import codes_of
from lastviz.plots import number
from lastviz.plots.visuals.words import numbers_apart, numbers_of
from lastviz.tree import decimals_of
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.widgets import bound, put, segments
from lastviz.ui.state import session
from lastviz.ui.state.link_texts import Hold
from lastviz.ui.state.selection import FIELDS
from lastviz.ui.text import as_html, as_markdown, list_names, paragraph, plain, plural, t

from .sample import SampleChange, changed_sample, data_ranges, held_features, row_name
from .scene import RuleScene
from .tree import path_table
from .words import small_table

MOST_COMPARED = 8  # features in the table beside the nearest row
MOST_OPTIONS = 4  # categories that are named
ANY = -1
HOW = ("stays", "rises", "falls", "within")


def flip_panel(scene: RuleScene) -> None:
    """Draw the change that would give the sample another class, if there is a sample."""
    if scene.change is None:
        return
    with st.container(key="flip"):
        st.markdown(f"**{t('What would change it?')}**")
        _wish_choosers(scene)
        _hold_choosers(scene)
        match scene.change:
            case SampleChange():
                _answer(scene, scene.change)
            case Job():
                job_box(scene.change, "flip")
            case problem:
                st.info(str(problem))


def _wish_choosers(scene: RuleScene) -> None:
    """Draw the choice of the class, of the distance and of the leaves that count."""
    rules = scene.work.selection.rules
    left, middle, right = st.columns([3, 4, 3], gap="medium")
    forest = isinstance(scene.model, ForestClassifier)
    any_other = t("the runner-up of the vote") if forest else t("the nearest other class")

    with left:
        known = rules.flip_to is not None and rules.flip_to < len(scene.class_names)
        bound(
            st.selectbox,
            "flip_to",
            t("Class that it should get"),
            [ANY, *range(len(scene.class_names))],
            value=rules.flip_to if known else None,
            none=ANY,
            format_func=lambda k: any_other if k == ANY else scene.class_names[k],
        )
    with middle:
        titles = {"l1": t("Sum"), "l2": t("Straight line"), "l0": t("Fewest features")}
        segments(
            "flip_metric",
            t("Smallest by"),
            titles,
            seen=True,
            help=t(
                "Changes count as shares of a feature's range in the data, another category as 1: "
                "their sum, the root of the sum of their squares, or how many features change."
            ),
        )
    if forest or len(scene.tree.kernel):
        return
    with right:
        bound(
            st.number_input,
            "flip_rows",
            t("Leaves from (rows of the class)"),
            stored=lambda shown: int(shown or 0),
            min_value=0,
            max_value=int(FIELDS["flip_rows"].param.high),
            step=1,
        )


def _hold_choosers(scene: RuleScene) -> None:
    """Draw which features must stay, may only rise or fall, or have bounds."""
    held = held_features(scene.work.selection, scene.division)
    title = t("What may change")
    box = st.expander(title, key="fold.flip", expanded=bool(held), on_change="rerun")
    if not box.open:
        return
    columns = list(scene.division.X.columns)
    fixed = scene.work.first.features_with(FIXED)
    names = [columns[f] for f in sorted(scene.work.first.features_tested - fixed.keys())]
    names += [name for name in held if name not in names]
    kinds = dict(zip(columns, scene.division.categories, strict=True))
    numeric = [name for name in names if kinds[name] is None]
    labels = {
        "stays": t("Must not change"),
        "rises": t("May only rise"),
        "falls": t("May only fall"),
        "within": t("Only within bounds"),
    }
    with box:
        for how, column in zip(HOW, st.columns(len(HOW)), strict=True):
            key = f"flip.{how}"
            put(key, [name for name, hold in held.items() if hold.how == how])
            column.multiselect(
                labels[how],
                names if how == "stays" else numeric,
                key=key,
                placeholder=t("none"),
                on_change=partial(_hold, how, data_ranges(scene.work, scene.division)),
            )
        for hold in held.values():
            if hold.how == "within":
                _bounds(hold)
        notes = [t("Numbers stay within the range of the data."), *map(as_markdown, _fixed(scene))]
        st.caption(paragraph(notes))


# A feature has one constraint at a time.
def _hold(how: str, ranges: dict[str, tuple[float, float]]) -> None:
    """Set the features that the user constrains in one way."""
    chosen = st.session_state[f"flip.{how}"]
    before = {hold.feature: hold for hold in session.current().rules.flip_holds}
    holds = [h for h in before.values() if h.how != how and h.feature not in chosen]
    for name in chosen:
        known = before.get(name)
        ends = ranges[name] if how == "within" else (None, None)
        holds.append(known if known is not None and known.how == how else Hold(name, how, *ends))
    session.select(flip_holds=tuple(sorted(holds)))


def _bounds(hold: Hold) -> None:
    """Draw the two ends that a feature must stay within."""
    for end, column, label in zip(
        ("low", "high"), st.columns(2), (t("{name}, at least"), t("{name}, at most")), strict=True
    ):
        key = f"flip.{end}.{hold.feature}"
        put(key, float(getattr(hold, end)))
        column.number_input(
            label.format(name=plain(hold.feature)),
            key=key,
            on_change=partial(_set_bound, hold.feature, end),
        )


def _set_bound(feature: str, end: str) -> None:
    """Take over one end; it takes the other one along where they would cross."""
    value = st.session_state[f"flip.{end}.{feature}"]
    holds = []
    for hold in session.current().rules.flip_holds:
        if hold.feature == feature and value is not None:
            low, high = (value, max(hold.high, value))
            if end == "high":
                low, high = min(hold.low, value), value
            hold = hold._replace(low=float(low), high=float(high))
        holds.append(hold)
    session.select(flip_holds=tuple(holds))


def _answer(scene: RuleScene, change: SampleChange) -> None:
    """Draw the change in sentences, the nearest row, and the path after the change."""
    if not change.flip.found:
        st.info(as_markdown([_nothing(scene, change), *_fixed(scene)]))
        return
    left, right = st.columns(2, gap="medium")
    with left:
        show(_changes(scene, change))
        if change.flip.changed:
            st.button(
                t("Show the changed sample"),
                key="show_changed",
                on_click=lambda: session.select(**changed_sample(change, scene.division)),
            )
            if change.row is not None:
                show(_comparison(scene, change, change.row[0]))
    with right:
        if change.flip.changed:
            title = t("The path after the change")
            show(path_table(scene, change.path, title, before=scene.sample.path))


def saved_change(scene: RuleScene) -> list[Words]:
    """Change as a report and a slide have it."""
    if not isinstance(scene.change, SampleChange):
        return []
    flip = scene.change.flip
    nothing = as_html([_nothing(scene, scene.change), *_fixed(scene)]) if not flip.found else ""
    answer = f"<p>{nothing}</p>" if nothing else _changes(scene, scene.change)
    return [Heading(t("What would change it?")), Words(answer)]


def _changes(scene: RuleScene, change: SampleChange) -> str:
    """Change as a list, how long it is and how certain, as html."""
    flip = change.flip
    name = scene.signed(change.wanted)
    if not flip.changed:
        return f"<p>{t('The sample is {name} already: nothing needs to change.', name=name)}</p>"
    now = scene.signed(change.predicted)
    heading = t("From {now} to {name}:", now=now, name=name)
    items = "".join(f"<li>{_one_change(scene, change, f)}</li>" for f in flip.changed)
    sentences = [_length(scene, change), as_html([_certainty(scene, change), *_fixed(scene)])]
    if change.indicators:
        sentences.append(
            t(
                "Columns of 0 and 1 that encode categories are not changed: there is no such "
                "thing as part of a category."
            )
        )
    notes = "".join(f"<p>{sentence}</p>" for sentence in sentences if sentence)
    return f'<div class="lv-flip"><b>{heading}</b><ul>{items}</ul>{notes}</div>'


def _fixed(scene: RuleScene) -> list[Statement]:
    """Sentence on the tested columns that nobody can change, if there are any."""
    names = scene.work.first.tested_with(FIXED)
    if not names:
        return []
    return [Statement("What cannot be changed stays as it is: {names:list}.", names=names)]


def _one_change(scene: RuleScene, change: SampleChange, feature: int) -> str:
    """Change of one feature in its unit, as HTML."""
    flip, name = change.flip, scene.division.X.columns[feature]
    known, unit, others = scene.division.categories[feature], scene.units.get(name, ""), []
    if known is None:
        decimals = decimals_of(scene.division.values[:, feature])
        before, after = _numbers(change, feature, decimals)
    else:
        point = int(flip.point[feature])
        codes = [code for code in flip.options.get(feature, ()) if code != point]
        before, after, *others = (
            escape(str(known[int(code)])) for code in (change.x[feature], point, *codes)
        )
    text = t(
        "{name}: {before} → <b>{after}</b> (or {others})"
        if others
        else "{name}: {before} → <b>{after}</b>",
        name=escape(str(name)),
        before=before,
        after=after,
        others=list_names(others, MOST_OPTIONS),
    )
    return f"{text} {escape(unit)}" if unit else text


def _numbers(change: SampleChange, feature: int, decimals: int) -> tuple[str, str]:
    """Number before and after the change: a value, or the threshold to cross."""
    flip, x = change.flip, float(change.x[feature])
    edge = float(flip.edge[feature])
    if flip.method in ("hyperplanes", "rows") or edge == round(edge):
        return numbers_apart(x, float(flip.point[feature]), decimals)
    if edge < x:
        before, after = numbers_apart(x, edge, decimals)
        return before, t("at most {n}", n=after)
    before, after = numbers_apart(x, float(np.nextafter(edge, -np.inf)), decimals)
    return before, t("more than {n}", n=after)


# That row may be nearer than any change that leads to the class, if it is predicted wrongly.
def _length(scene: RuleScene, change: SampleChange) -> str:
    """Length of the change, beside the distance to the nearest row of the class."""
    flip = change.flip
    if flip.method == "rows" or change.row is None or not change.row[1]:
        return ""
    row, distance = change.row
    sentence = t(
        "Distance {d}. The nearest real row of the class, row {row}, is {far} away.",
        d=number(flip.distance),
        row=row_name(scene.work, row),
        far=number(distance),
    )
    (predicted,) = codes_of(scene.model, scene.division.values[[row]])
    if predicted == change.wanted:
        return sentence
    name = escape(scene.class_names[predicted])
    return paragraph((sentence, t("But the prediction for that row is {name}.", name=name)))


def _certainty(scene: RuleScene, change: SampleChange) -> Statement:
    """Whether anything nearer can exist."""
    flip = change.flip
    if flip.method == "rows":
        return Statement(
            "The regions of kernel machines have no corners to measure: this is the nearest row of "
            "the data that the tree gives the class."
        )
    if flip.proved:
        return Statement("No smaller change exists: the search was complete.")
    if flip.method == "grid":
        return Statement(
            "The trees are too many to be solved together: only {x} and {y} were changed, and "
            "every cell between their thresholds was asked.",
            **_plane(scene, change),
        )
    if flip.method == "program":
        return Statement(
            "The solver was stopped: a smaller change may exist, but none smaller than {bound}.",
            bound=number(flip.bound),
        )
    return Statement(
        "More than two features must change. This is the smallest sum of changes; other features "
        "might be fewer."
    )


def _plane(scene: RuleScene, change: SampleChange) -> dict[str, str]:
    x, y = (str(scene.division.X.columns[feature]) for feature in change.plane)
    return {"x": x, "y": y}


def _nothing(scene: RuleScene, change: SampleChange) -> Statement:
    """Reason why no change leads to the class, and the next step."""
    name, tree = scene.class_names[change.wanted], scene.tree
    if len(scene.trees) == 1 and change.wanted not in tree.prediction[tree.n_children == 0]:
        return Statement("No leaf of the tree predicts {name}: no change leads there.", name=name)
    if change.flip.method == "grid" and not change.flip.proved:
        return Statement(
            "No change of {x} and {y} alone leads to {name}, and the trees are too many to be "
            "solved together. Choose other axes on the page of boundaries.",
            **_plane(scene, change),
            name=name,
        )
    if not change.flip.proved:
        return Statement(
            "No row of the data to which the tree gives the class {name} keeps to what may change: "
            "let more features change.",
            name=name,
        )
    if change.indicators:
        return Statement(
            "No allowed change leads to {name}. Columns of 0 and 1 that encode categories are not "
            "changed: choose an algorithm that reads categories, such as C4.5 or CART.",
            name=name,
        )
    return Statement(
        "No allowed change leads to {name}: let more features change, or accept leaves with fewer "
        "rows.",
        name=name,
    )


def _comparison(scene: RuleScene, change: SampleChange, row: int) -> str:
    """Sample, its change and the nearest row of the class side by side, as html."""
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
            f"<th>{escape(str(scene.division.X.columns[feature]))}</th>"
            f"<td>{_value(scene, feature, change.x[feature])}</td>"
            f"<td>{f'<b>{after}</b>' if moved else after}</td>"
            f"<td>{_value(scene, feature, values[feature])}</td>"
        )
    left = len(differs) + len(change.flip.changed) - len(set(differs) & set(change.flip.changed))
    left -= len(shown)
    note = ""
    if left > 0:
        words = plural(
            left,
            "Row {row} differs in {n} more feature.",
            "Row {row} differs in {n} more features.",
            row=number(row + 1),
        )
        note = f"<p>{words}</p>"
    title = t("The change beside the nearest real row of {name}",
              name=escape(scene.class_names[change.wanted]))  # fmt: skip
    return small_table(title, head, cells, before=f"<b>{title}</b>", after=note)


def _value(scene: RuleScene, feature: int, value: float) -> str:
    """Value of a feature for people, as html."""
    known = scene.division.categories[feature]
    if not np.isfinite(value):
        return t("unknown")
    if known is not None:
        return escape(str(known[int(value)]))
    return numbers_of(scene.division.values[:, feature], [value])[0]
