"""Use of columns, values and classes: small tables that the user edits in place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import streamlit as st

from lastviz.datasets import Dataset
from lastviz.datasets.column_roles import NAMES, ROLES
from lastviz.datasets.labels import MOST_LETTERS
from lastviz.ui.compute.data import Loaded, chosen_columns, columns_in_use
from lastviz.ui.compute.work import Work, current
from lastviz.ui.state import session
from lastviz.ui.state.link_texts import KINDS
from lastviz.ui.state.selection import FIELDS, UPLOAD, Selection, is_table
from lastviz.ui.text import list_names, plain, t, translate

from .naming import label, label_values
from .widgets import bound, control, put

FAULT = "roles_fault"
ALL = -1
MOST_NAMED = 3  # columns on a chip
Edits = Mapping[int, Mapping[str, object]]


def target(full: Dataset) -> None:
    """Draw the choice of the class column of a table of the reader's own."""
    selection = session.current()
    if selection.data != UPLOAD:
        return
    columns = [*full.feature_names, full.y.name]
    bound(st.selectbox, "target", t("Column of the class"), columns, value=full.y.name)


def role_titles() -> dict[str, str]:
    """Titles of the roles."""
    titles = t("Cannot change"), t("Sensitive"), t("Names the rows"), t("Time")
    return dict(zip(ROLES, titles, strict=True))


def role_chips(work: Work) -> None:
    """Draw the columns in each role as chips, the guessed ones to be confirmed."""
    abouts = (
        t("“What would change it?” leaves them as they are."),
        t("A tree that splits on one says so."),
        t("Left out of learning; a row is found and named by it."),
        t("The last rows can be held out by it."),
    )
    with st.container(key="roles", horizontal=True, wrap=True, gap="small"):
        for (role, title), about in zip(role_titles().items(), abouts, strict=True):
            _role_chip(work, role, title, about)


def _role_chip(work: Work, role: str, title: str, about: str) -> None:
    """Draw a chip that opens: the choice of the columns in a role."""
    full, key = work.data.full, f"columns.{role}"
    called = [full.labels.get(name, name) for name in full.feature_names]
    places = [*map(full.feature_names.index, work.columns_with(role))]
    is_guess = bool(places) and role not in dict(work.selection.roles)
    named = list_names([called[place] for place in places], MOST_NAMED) or t("none")
    label = f"{title}: **{plain(named)}**{' ?' if is_guess else ''}"

    def change() -> None:
        chosen = st.session_state[key]
        session.select(**role_changes(work.data, session.current(), role, chosen))

    with st.popover(label, key=f"{'guess' if is_guess else 'role'}.{role}"):
        put(key, places)
        look = {"format_func": called.__getitem__, "placeholder": t("none"), "help": about}
        st.multiselect(title, range(len(called)), key=key, on_change=change, **look)
        if is_guess:
            st.caption(t("Guessed from names and contents."))
            st.button(t("Confirm"), key=f"confirm.{role}", on_click=change)


def role_changes(
    loaded: Loaded, selection: Selection, role: str, places: Sequence[int]
) -> dict[str, tuple]:
    """Fields of the selection with these columns in a role.

    Columns that name rows are left out of learning.
    """
    full, roles = loaded.full, dict(selection.roles) | {role: tuple(sorted(places))}
    changes: dict[str, tuple] = {"roles": tuple(sorted(roles.items()))}
    before = {*map(full.feature_names.index, loaded.columns_with(role, selection))}
    used = set(columns_in_use(full, selection)) | before
    if role == NAMES and used - {*places}:
        used -= {*places}
        changes["columns"] = chosen_columns(full, selection, tuple(sorted(used)))
    return changes


def column_editor(
    full: Dataset, about: pd.DataFrame | None = None, config: Mapping[str, object] | None = None
) -> None:
    """Draw the table of the features: use, kind and name, and the columns of `about`."""
    selection = session.current()
    names = full.feature_names
    used = set(columns_in_use(full, selection))
    kinds = dict(selection.kinds)
    rows = pd.DataFrame(
        {
            "used": [i in used for i in range(len(names))],
            "feature": names,
            "label": [full.labels.get(name, "") for name in names],
            "unit": [full.units.get(name, "") for name in names],
            "kind": [kinds.get(i, full.kinds[name]) for i, name in enumerate(names)],
            "missing": full.X.isna().sum().to_numpy(),
            "values": full.X.nunique().to_numpy(),
        }
    )
    if is_table(selection.data):
        named = {title: current().columns_with(role) for role, title in role_titles().items()}
        rows["role"] = [t(", ").join(title for title in named if name in named[title])
                        for name in names]  # fmt: skip
    if about is not None:
        rows = pd.concat([rows.drop(columns=["missing", "values"]), about], axis=1)
    # The key holds what is chosen, so that the back button brings back an earlier table.
    chosen = (selection.columns, selection.kinds, selection.labels, selection.roles)
    key = f"columns {selection.data} {' '.join(map(str, chosen))}"
    st.data_editor(
        rows,
        key=key,
        hide_index=True,
        disabled=[c for c in rows if c not in ("used", "label", "unit", "kind")],
        height=min(38 + 35 * len(rows), 340 if about is None else 440),
        column_config={
            "label": st.column_config.TextColumn(t("Shown as"), max_chars=MOST_LETTERS),
            "unit": st.column_config.TextColumn(t("Unit"), max_chars=MOST_LETTERS, width="small"),
            "used": st.column_config.CheckboxColumn(t("Used"), width="small"),
            "feature": st.column_config.TextColumn(t("Feature")),
            "kind": st.column_config.SelectboxColumn(
                t("Kind"), options=KINDS, required=True, format_func=t
            ),
            "role": st.column_config.TextColumn(t("Role")),
            "missing": st.column_config.NumberColumn(t("Missing"), width="small"),
            "values": st.column_config.NumberColumn(t("Different values"), width="small"),
            **(config or {}),
        },
        on_change=lambda: _edit_columns(full, st.session_state[key]["edited_rows"]),
        alt=t("Features: which are used, and as what kind"),
    )
    refused, sentence = st.session_state.get(FAULT, (None, ""))
    if refused == selection:
        st.error(sentence, icon=":material/error:")


def class_editor(full: Dataset) -> None:
    """Draw the table of the classes in their order, which the reader can change."""
    selection = session.current()
    order = selection.classes or tuple(range(full.n_classes))
    order_table(
        full.class_order,
        full.class_counts,
        order,
        word=t("Class"),
        key=f"classes {selection.data} {selection.classes} {selection.labels}",
        column=str(full.y.name),
        labels=full.value_labels.get(str(full.y.name), {}),
        alt=t("Classes in their order, with their rows"),
        apply=lambda order: session.select(classes=order),
    )


def one_against_rest(full: Dataset) -> None:
    """Draw the choice of one class that is set against all others."""
    if full.n_classes == 2:
        return
    bound(
        st.selectbox,
        "one",
        t("One class against the rest"),
        [ALL, *range(full.n_classes)],
        none=ALL,
        format_func=lambda i: t("all classes") if i == ALL else str(full.class_order[i]),
    )


def scaling() -> None:
    """Draw the choice of how numeric features are scaled."""
    param = FIELDS["scaling"].param
    control(
        param,
        session.current().scaling,
        key="scaling",
        apply=lambda how: session.select(scaling=how),
    )
    if session.current().scaling != "none":
        st.caption(t("Measured on the training rows; held-out rows are treated alike."))


def bins() -> None:
    """Draw the choice of how many intervals numeric features are cut into."""
    param = FIELDS["bins"].param
    control(param, session.current().bins, key="bins", apply=lambda n: session.select(bins=n))
    if session.current().bins is not None:
        st.caption(t("The ends are quantiles of the training rows."))


def _edit_columns(full: Dataset, edits: Edits) -> None:
    """Apply the edits, refusing a table without features or with a wrong kind."""
    selection = session.current()
    for part, column in (("names", "label"), ("units", "unit")):
        texts = {
            full.feature_names[int(row)]: edit[column] or ""
            for row, edit in edits.items()
            if column in edit
        }
        if texts:
            label(part, texts)
            return
    try:
        session.select(**columns_after(full, selection, edits))
    except ValueError as error:
        st.session_state[FAULT] = (selection, translate(error))


def columns_after(full: Dataset, selection: Selection, edits: Edits) -> dict[str, tuple]:
    """Fields `columns` and `kinds` of the selection after `edits` of the table.

    Raises
    ------
    ValueError
        If no feature would be left, or a column cannot be of its new kind.
    """
    names = full.feature_names
    used = set(columns_in_use(full, selection))
    kinds = dict(selection.kinds)
    for row, edit in edits.items():
        if "used" in edit:
            (used.add if edit["used"] else used.discard)(int(row))
        if "kind" in edit:
            kinds[int(row)] = edit["kind"]
    if not used:
        raise ValueError(t("At least one feature must be used."))
    kinds = {i: kind for i, kind in kinds.items() if kind != full.kinds[names[i]]}
    full.with_kinds({names[i]: kind for i, kind in kinds.items()})
    columns = chosen_columns(full, selection, tuple(sorted(used)))
    return {"columns": columns, "kinds": tuple(sorted(kinds.items()))}


def order_table(
    values: Sequence[object],
    counts: Sequence[int],
    order: tuple[int, ...],
    *,
    word: str,
    key: str,
    alt: str,
    column: str,
    labels: Mapping[str, str],
    apply: Callable[[tuple[int, ...]], None],
) -> None:
    """Draw `values` in `order`, each with its number of rows and its label.

    Parameters
    ----------
    values, counts : sequence
        By position in their own order.
    order : tuple of int
        The positions in the order that is in force.
    word : str
        What a value is called.
    key : str
        Must name the order, so that the back button brings back an earlier table.
    alt, column : str
        `column` is the one that the values are of.
    labels : mapping of str to str
        What values are called.
    apply : callable
        Is handed the order that the reader wants, see :func:`order_after`.
    """
    ordered = [str(values[position]) for position in order]

    def edit(edits: Edits) -> None:
        texts = {ordered[int(row)]: e["label"] or "" for row, e in edits.items() if "label" in e}
        if texts:
            label_values(column, texts)
        else:
            apply(order_after(order, edits))

    rows = pd.DataFrame(
        {
            "place": range(1, len(order) + 1),
            "value": ordered,
            "label": [labels.get(value, "") for value in ordered],
            "rows": [int(counts[position]) for position in order],
        }
    )
    st.data_editor(
        rows,
        key=key,
        hide_index=True,
        disabled=["value", "rows"],
        height=min(38 + 35 * len(rows), 340),
        column_config={
            "place": st.column_config.NumberColumn(
                t("Place"), min_value=1, max_value=len(order), step=1, required=True, width="small"
            ),
            "value": st.column_config.TextColumn(word),
            "label": st.column_config.TextColumn(t("Shown as"), max_chars=MOST_LETTERS),
            "rows": st.column_config.NumberColumn(t("Rows"), width="small"),
        },
        on_change=lambda: edit(st.session_state[key]["edited_rows"]),
        alt=alt,
    )


def order_after(order: tuple[int, ...], edits: Edits) -> tuple[int, ...]:
    """Order with the values moved to the entered places, () if it is unchanged."""
    changed = list(order)
    for row, edit in edits.items():
        place = edit.get("place")
        if place is not None:
            changed.remove(order[int(row)])
            changed.insert(int(place) - 1, order[int(row)])
    return () if changed == sorted(changed) else tuple(changed)


def levels_editor(full: Dataset) -> None:
    """Draw the ordered values of one feature, nothing if all features are numeric."""
    selection = session.current()
    read = _as_read(full, selection)
    used = [i for i in columns_in_use(full, selection) if i < read.n_features]
    features = [i for i in used if read.kinds[read.feature_names[i]] != "numeric"]
    if not features:
        return
    name = read.feature_names
    feature = st.selectbox(
        t("Order of the values of"), features, format_func=lambda i: name[i], key="levels_of"
    )
    values = read.orders[name[feature]]
    order = dict(selection.levels).get(feature, tuple(range(len(values))))
    if len(order) != len(values):  # the notice above the page says what is wrong with the link
        order = tuple(range(len(values)))
    counts = read.X[name[feature]].value_counts()
    order_table(
        values,
        [counts.get(value, 0) for value in values],
        order,
        word=t("Value"),
        key=f"levels {selection.data} {feature} {order} {selection.labels}",
        column=name[feature],
        labels=read.value_labels.get(name[feature], {}),
        alt=t("Values of {feature} in their order, with their rows", feature=name[feature]),
        apply=lambda order: session.select(levels=with_order(selection, feature, order)),
    )
    if read.kinds[name[feature]] == "ordinal":
        st.caption(t("From low to high: an ordinal feature is cut along this order."))


def with_order(
    selection: Selection, feature: int, order: tuple[int, ...]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Orders of the selection with that of one feature exchanged; () is its own."""
    orders = dict(selection.levels)
    orders.pop(feature, None)
    if order:
        orders[feature] = order
    return tuple(sorted(orders.items()))


def _as_read(full: Dataset, selection: Selection) -> Dataset:
    names = full.feature_names
    try:
        return full.with_kinds({names[i]: kind for i, kind in selection.kinds})
    except (ValueError, IndexError):  # as above
        return full
