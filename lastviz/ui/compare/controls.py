"""The sidebar of the page *compare*: algorithms, data sets, how they are compared."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lastviz._params import Param
from lastviz.datasets import PAINTED, all_datasets
from lastviz.datasets.entry import GROUPS
from lastviz.studies.candidates import candidates, takes_unlabelled, title_of
from lastviz.studies.study import Study
from lastviz.ui.compute import uploads
from lastviz.ui.shared.widgets import controls, put
from lastviz.ui.state import session
from lastviz.ui.state.selection import FIELDS, Selection, changed
from lastviz.ui.text import plain, t, translated

from .draft import Draft, algorithm_params, scene_entries
from .entries import Entry, distinct, named, read_values
from .study_data import OWN, data_entry, present_entry, set_title

PROTOCOLS = {
    "fixed": "parameters as given",
    "nested": "best in folds of the training rows",
    "best_on_test": "best on the test folds (flatters)",
}
NO_PARAMETER = "none"


def study_choices(draft: Draft, study: Study | None) -> None:
    """Draw what a study is put together of."""
    _datasets(draft, study)
    _algorithms(draft)
    _how(draft)
    st.markdown(f"**{t('Seed')}**")
    _number("seed", "seed", t("Seed"), draft, label_visibility="collapsed")


def _change(draft: Draft, **changes: object) -> None:
    session.select(**replace(draft, **changes).fields(changes))


def _datasets(draft: Draft, study: Study | None) -> None:
    st.markdown(f"**{t('Data sets')}**")
    selection = session.current()
    entries = {entry.text: entry for entry in draft.datasets}
    known = {entry.key for entry in draft.datasets}
    entries |= {e.text: e for e in _offered(selection) if e.key not in known}
    titles = _titles(entries, selection, study)
    put("study_sets", [entry.text for entry in draft.datasets])
    st.multiselect(
        t("Data sets"),
        list(entries),
        key="study_sets",
        format_func=titles.__getitem__,
        label_visibility="collapsed",
        placeholder=t("Choose data sets"),
        on_change=lambda: _change(
            draft, datasets=tuple(entries[text] for text in st.session_state["study_sets"])
        ),
    )
    present = present_entry(selection)
    if present not in draft.datasets:
        st.button(
            t("Add the data of the scene"),
            key="study_add_data",
            on_click=lambda: _change(draft, datasets=(*draft.datasets, present)),
        )


def _titles(entries: dict[str, Entry], selection: Selection, study: Study | None) -> dict[str, str]:
    """Return what data sets are called, each otherwise: browsers name them by that."""
    found: dict[str, str] = {}
    for text, entry in entries.items():
        title = set_title(entry, selection, study)
        alike = [other for other in entries.values() if other.key == entry.key]
        known = all_datasets().get(entry.key)
        if title in found.values() and known is not None:
            title = named(title, entry, alike, known.PARAMS)
        found[text] = distinct(title, found.values())
    return found


def _offered(selection: Selection) -> list[Entry]:
    """Return every data set that can be chosen: the scene's, the registry's, the visitor's."""
    rows = sorted(all_datasets().items(), key=lambda row: GROUPS.index(row[1].group))
    own = [Entry(OWN + upload.digest) for upload in uploads.names()]
    listed = [data_entry(key, selection.seed) for key, _ in rows if key != PAINTED]
    return [present_entry(selection), *own, *listed]


def _algorithms(draft: Draft) -> None:
    st.markdown(f"**{t('Algorithms')}**")
    names = dict(zip((e.text for e in draft.algorithms), draft.names(), strict=True))
    others = {e.text: e for e in map(Entry, candidates()) if e.text not in names}
    entries = {entry.text: entry for entry in draft.algorithms} | others
    put("study_algorithms", list(names))
    st.multiselect(
        t("Algorithms"),
        list(entries),
        key="study_algorithms",
        format_func=lambda text: names.get(text) or t(title_of(entries[text].key)),
        label_visibility="collapsed",
        placeholder=t("Choose algorithms"),
        on_change=lambda: _change(
            draft, algorithms=tuple(entries[text] for text in st.session_state["study_algorithms"])
        ),
    )
    scene = [e for e in scene_entries(session.current()) if e not in draft.algorithms]
    if scene:
        st.button(
            t("Add the models of the scene"),
            key="study_add_models",
            on_click=lambda: _change(draft, algorithms=(*draft.algorithms, *scene)),
        )
    _parameters(draft, list(names.values()))


def _parameters(draft: Draft, names: list[str]) -> None:
    """Draw the parameters of one of the algorithms, behind a button."""
    declared = [algorithm_params(entry.key) for entry in draft.algorithms]
    places = [place for place, own in enumerate(declared) if own]
    if not places:
        return
    box = st.expander(t("Parameters"), key="study_params", on_change="rerun")
    if box.open:
        with box:
            at = st.session_state.get("study_params_of", places[0])
            at = at if at in places else places[0]
            put("study_params_of", at, names[at])
            place = st.selectbox(
                t("Of"), places, key="study_params_of", format_func=lambda at: names[at]
            )
            _parameters_of(draft, place, draft.algorithms[place], declared[place])


def _parameters_of(draft: Draft, place: int, entry: Entry, declared: tuple[Param, ...]) -> None:
    prefix = f"study{place}.{entry.key}"
    given = [param for param in declared if param.name not in dict(entry.grid)]
    controls(
        sorted(given, key=lambda param: not param.main),
        entry.params,
        prefix=prefix,
        apply=lambda param, value: _put_entry(
            draft, place, replace(entry, params=changed(entry.params, param, value))
        ),
        among=declared,
    )
    _values(draft, place, entry, declared, prefix)
    key = f"{prefix}.unlabelled"
    if takes_unlabelled(entry.key):
        put(key, entry.unlabelled)
        st.toggle(
            t("Sees test rows without classes"),
            key=key,
            on_change=lambda: _put_entry(
                draft, place, replace(entry, unlabelled=st.session_state[key])
            ),
        )


def _put_entry(draft: Draft, place: int, entry: Entry) -> None:
    entries = list(draft.algorithms)
    entries[place] = entry
    _change(draft, algorithms=tuple(dict.fromkeys(entries)))


def _values(
    draft: Draft, place: int, entry: Entry, declared: tuple[Param, ...], prefix: str
) -> None:
    """Draw the choice of a parameter with several values, and the values."""
    titles = {NO_PARAMETER: t("none")}
    titles |= {param.name: t(param.label or param.name) for param in declared}
    chosen = entry.grid[0][0] if entry.grid else NO_PARAMETER
    by, texts = f"{prefix}.by", f"{prefix}.values"
    name = st.session_state.get(by, chosen) if not entry.grid else chosen
    put(by, name if name in titles else NO_PARAMETER)
    st.selectbox(
        t("Several values of"),
        list(titles),
        key=by,
        format_func=titles.__getitem__,
        help=t("Parameters as given: an algorithm for each value. Else the best value is chosen."),
        on_change=lambda: _put_entry(draft, place, replace(entry, grid=())),
    )
    name = st.session_state[by]
    param = next((param for param in declared if param.name == name), None)
    if param is None:
        return
    values = dict(entry.grid).get(param.name, ())
    put(texts, ", ".join(_typed(value) for value in values))
    st.text_input(
        t("Values, with commas between them"),
        key=texts,
        on_change=lambda: _take_values(draft, place, entry, param, texts),
    )
    if fault := st.session_state.pop(f"{texts}.fault", ""):
        st.caption(plain(fault))


def _typed(value: object) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _take_values(draft: Draft, place: int, entry: Entry, param: Param, key: str) -> None:
    try:
        values = read_values(param, st.session_state[key])
    except ValueError as error:
        st.session_state[f"{key}.fault"] = translated(error)
        return
    params = tuple((name, value) for name, value in entry.params if name != param.name)
    grid = ((param.name, values),) if len(values) > 1 else ()
    if len(values) == 1:
        params = changed(params, param, values[0])
    _put_entry(draft, place, Entry(entry.key, params, grid, entry.unlabelled))


def _how(draft: Draft) -> None:
    st.markdown(f"**{t('Study')}**")
    left, right = st.columns(2)
    _number("folds", "study_folds", t("Folds"), draft, left)
    _number("repeats", "repeats", t("Repeats"), draft, right)
    put("protocol", draft.protocol)
    st.selectbox(
        t("Parameters"),
        list(PROTOCOLS),
        key="protocol",
        format_func=lambda key: t(PROTOCOLS[key]),
        on_change=lambda: _change(draft, protocol=st.session_state["protocol"]),
    )
    if draft.protocol == "nested":
        _number("inner_folds", "inner_folds", t("Inner folds"), draft)


def _number(
    part: str,
    key: str,
    label: str,
    draft: Draft,
    place: st.delta_generator.DeltaGenerator = st,
    **look: object,
) -> None:
    declared = FIELDS[key].param
    put(key, getattr(draft, part))
    place.number_input(
        label,
        min_value=int(declared.low),
        max_value=int(declared.high),
        step=1,
        key=key,
        on_change=lambda: _change(draft, **{part: st.session_state[key]}),
        **look,
    )
