"""The user's names for columns, values and classes, taken over from editors and sidecars."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from lastviz.datasets import Dataset
from lastviz.datasets.labels import Labels, apply_labels, checked_labels, read_sidecar, with_labels
from lastviz.ui.compute.data import DIRECTIONS
from lastviz.ui.compute.work import current, work_of
from lastviz.ui.state import session
from lastviz.ui.state.edit_codes import pack_labels, unpack_labels
from lastviz.ui.state.link_texts import KINDS, read_typed, write_typed
from lastviz.ui.state.selection import UPLOAD, Selection
from lastviz.ui.text import join_names, plain, t, translate

FAULT = "labels_fault"
MOST_NAMED = 5
MOST_BYTES = 4_000_000  # of a sidecar
SAYS = ("features", "classes")  # one of these objects is in each


def labels_fault() -> None:
    """Draw the error in the labels or sidecar that were uploaded last."""
    fault = st.session_state.get(FAULT)
    if fault:
        st.error(plain(fault), icon=":material/error:")


def label(part: str, texts: Mapping[str, str]) -> None:
    """Apply names, units or colours; for callbacks.

    An empty text removes the label.

    `part` is an attribute of :class:`Labels`.
    """
    labels = unpack_labels(session.current().labels)
    _take(replace(labels, **{part: {**getattr(labels, part), **texts}}))


def label_values(column: str, texts: Mapping[str, str]) -> None:
    """Apply labels of a column's values, or of classes; for callbacks."""
    labels = unpack_labels(session.current().labels)
    of = {**labels.values.get(column, {}), **texts}
    _take(replace(labels, values={**labels.values, column: of}))


# An error in them is shown, and changes nothing.
def _take(labels: Labels) -> None:
    """Select with other labels."""
    work = current()
    st.session_state[FAULT] = None
    try:
        changed = relabel(work.selection, work.data.plain, _without_gaps(labels))
    except ValueError as error:
        st.session_state[FAULT] = translate(error)
    else:
        session.select(**changed)


def _without_gaps(labels: Labels) -> Labels:
    """Checked labels without those that are removed."""
    colours = {name: colour for name, colour in labels.colours.items() if colour}
    return checked_labels(replace(labels, colours=colours), t("Labels"))


def relabel(selection: Selection, plain: Dataset, labels: Labels) -> dict[str, object]:
    """Changes in a selection with other labels, including its references by name.

    Parameters
    ----------
    selection : Selection
    plain : Dataset
        After its steps, without labels in place of names.
    labels : Labels

    Raises
    ------
    ValueError
        If the labels are too many for a link.
    """
    changes: dict[str, object] = {"labels": pack_labels(labels)}
    before, after = apply_labels(plain), apply_labels(with_labels(_bare(plain, selection), labels))
    names = dict(zip(before.feature_names, after.feature_names, strict=True))
    values = {
        column: dict(zip(map(str, order), map(str, after.orders[names[column]]), strict=True))
        for column, order in before.orders.items()
    }
    columns = dict(names)
    for column, called in values.items():
        columns |= {f"{column} = {v}": f"{names[column]} = {now}" for v, now in called.items()}
    axes = selection.view.axes
    if axes is not None:
        changes["axes"] = tuple(columns.get(name, name) for name in axes)
    for field in ("flip_holds", "near_holds"):
        holds = selection.value(field)
        moved = [hold._replace(feature=columns.get(hold.feature, hold.feature)) for hold in holds]
        changes |= {field: tuple(sorted(moved))} if holds else {}
    typed = selection.rules.typed
    n_typed = typed.count(",") + 1
    if typed and n_typed <= before.n_features:  # else of columns of 0 and 1
        pairs = zip(before.feature_names, read_typed(typed, n_typed), strict=False)
        changes["typed"] = write_typed([values.get(c, {}).get(text, text) for c, text in pairs])
    return changes


def _bare(plain: Dataset, selection: Selection) -> Dataset:
    """Data with the labels of their folder alone, without those of the reader."""
    full = work_of(selection.change(labels="")).data.full
    units = {c: full.units.get(c, "") for c in plain.units}
    return replace(
        plain,
        units=units,
        labels=full.labels,
        value_labels=full.value_labels,
        class_colours=full.class_colours,
    )


def is_sidecar(name: str, data: bytes) -> bool:
    """Whether a file is meant as a sidecar, and is no table."""
    if not name.casefold().endswith(".json") or len(data) > MOST_BYTES:
        return False
    try:
        described = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return isinstance(described, dict) and any(isinstance(described.get(k), dict) for k in SAYS)


def take_sidecar(data: bytes, name: str) -> None:
    """Apply a JSON file's description of the present table; for callbacks.

    Labels take the place of those from before; kinds, orders, directions and the class column
    are taken over where they fit, and what does not is said.
    """
    st.session_state[FAULT] = None
    try:
        described, labels = read_sidecar(data, name)
        text = pack_labels(labels)
    except ValueError as error:
        st.session_state[FAULT] = translate(error)
        return
    target = described.get("target")
    work = current()
    full = work.data.full
    is_there = isinstance(target, str) and target in (*full.feature_names, full.y.name)
    if is_there and work.selection.data == UPLOAD and target != full.y.name:
        session.select(target=target)
    strange = _strange(described, current().data.full)
    session.select(labels=text, **_roles(described, current().data.full, strange))
    if strange:
        sentence = "{file}: nothing here fits {names}; the rest was taken over."
        named = [f"“{part}”" for part in strange[:MOST_NAMED]]
        st.session_state[FAULT] = t(sentence, file=name, names=join_names(named))


def _strange(described: dict, full: Dataset) -> list[str]:
    known = {*full.feature_names, str(full.y.name)}
    return [column for column in described.get("features", {}) if column not in known]


# Parts that do not fit are added to `strange`.
def _roles(described: dict, full: Dataset, strange: list[str]) -> dict[str, object]:
    """Fields of the selection from a sidecar."""
    kinds, levels, letters = {}, {}, []
    for i, column in enumerate(full.feature_names):
        about = described.get("features", {}).get(column, {})
        kind, order = about.get("kind", full.kinds[column]), about.get("order")
        try:
            read = full.with_kinds({column: kind}) if kind in KINDS else full
        except ValueError:
            strange.append(column)
            continue
        if read is not full and kind != full.kinds[column]:
            kinds[i] = kind
        if isinstance(order, list) and read.kinds[column] != "numeric":
            places = _places(order, read.orders[column])
            (levels.update({i: places}) if places else strange.append(f"{column}: order"))
        sign = about.get("direction", 0)
        letters.append(next((c for c, value in DIRECTIONS.items() if value == sign), "n"))
    changes: dict[str, object] = {
        "kinds": tuple(sorted(kinds.items())),
        "levels": tuple(sorted(levels.items())),
    }
    if len(letters) == full.n_features and set(letters) & set("rf"):
        changes["directions"] = "".join(letters)
    order = described.get("class_order")
    if isinstance(order, list) and order and not full.is_regression:
        places = _places(order, full.class_order)
        if places:
            changes |= {"classes": places, "ordered": places == tuple(range(len(places)))}
        else:
            strange.append("class_order")
    return changes


def _places(order: list, values: tuple) -> tuple[int, ...]:
    """Positions of values in an order, () if it does not name each of them once."""
    place = {str(value): i for i, value in enumerate(values)}
    named = [str(value) for value in order]
    return tuple(place[v] for v in named) if sorted(named) == sorted(place) else ()
