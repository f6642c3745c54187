"""The sidebar of the page *compare*: algorithms, data sets, how they are compared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import streamlit as st

from lastviz._params import Param
from lastviz.datasets import PAINTED, all_datasets
from lastviz.datasets.openml import GROUPS
from lastviz.estimators import REGRESSORS, is_imported
from lastviz.studies.candidates import PEERS, candidates, takes_unlabelled, title_of
from lastviz.studies.study import TABLE, AlgorithmChoice, DataChoice, Study, study_of
from lastviz.ui.compute import uploads
from lastviz.ui.compute.studies import MOST_FOLDS
from lastviz.ui.compute.work import Work, current
from lastviz.ui.shared.widgets import controls, put
from lastviz.ui.state import session
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.selection import FIELDS, with_param
from lastviz.ui.text import CannotShow, number, plain, t, translate

from .study_data import (
    OWN,
    Entry,
    Handed,
    data_entry,
    distinct,
    entry_name,
    entry_of_text,
    key_of_text,
    plain_params,
    present_entry,
    read_values,
    resolve_data,
    set_title,
)

NOTHING = "none"  # stands in a link for nothing, where nothing stands for what the scene has
CHOSEN = ("compared", "compared_on", "protocol", "repeats", "study_folds", "inner_folds")
NOTHING_CHOSEN = {name: FIELDS[name].default for name in CHOSEN}
"""Fields that say what is put together, as they are where a study is open, which says it all."""


@dataclass(frozen=True)
class Draft:
    """Draft of a study."""

    algorithms: tuple[Entry, ...]
    datasets: tuple[Entry, ...]
    protocol: str
    repeats: int
    folds: int
    inner_folds: int
    seed: int
    problems: tuple[str, ...] = ()  # a sentence for each part that could not be read
    is_open: bool = False  # whether it is that of a study that is open

    def fields(self, parts: Iterable[str]) -> dict[str, object]:
        """Fields of a selection that say these parts, all of them of an open study."""
        values = {
            "algorithms": ("compared", tuple(e.text for e in self.algorithms) or (NOTHING,)),
            "datasets": ("compared_on", tuple(e.text for e in self.datasets) or (NOTHING,)),
            "protocol": ("protocol", self.protocol),
            "repeats": ("repeats", self.repeats),
            "folds": ("study_folds", self.folds),
            "inner_folds": ("inner_folds", self.inner_folds),
            "seed": ("seed", self.seed),
        }
        wanted = values if self.is_open else parts
        return dict(values[part] for part in wanted) | {"study": ""}

    def names(self) -> list[str]:
        """Names of its algorithms."""
        return [
            entry_name(t(title_of(e.key)), e, self.algorithms, algorithm_params(e.key))
            for e in self.algorithms
        ]


def algorithm_params(key: str) -> tuple[Param, ...]:
    """Parameters of an algorithm that a reader may set."""
    own = PEERS.get(key) or (REGRESSORS[key].cls if key in REGRESSORS else None)
    declared = own.PARAMS if own else session.model_params(key) or ()
    return tuple(param for param in declared if param.name != SEED_NAME)


def draft_of(work: Work, study: Study | None) -> Draft:
    """Draft that the sidebar shows: the open study, or the one being put together."""
    if study is not None:
        return Draft(
            tuple(Entry(a.key, a.params, a.grid, a.unlabelled) for a in study.algorithms),
            tuple(Entry(d.key, d.params) for d in study.datasets),
            *(study.protocol, study.repeats, study.folds, study.inner_folds, study.seed),
            is_open=True,
        )
    problems: list[str] = []
    view = work.selection.compare
    algorithms = [_algorithm(text, problems) for text in view.compared if text != NOTHING]
    datasets = [_dataset(text, problems) for text in view.compared_on if text != NOTHING]
    return Draft(
        _known(algorithms) if view.compared else scene_entries(work),
        _known(datasets) if view.compared_on else (present_entry(work),),
        *(view.protocol, view.repeats, view.study_folds, view.inner_folds, work.selection.seed),
        tuple(problems),
    )


def _known(entries: list[Entry | None]) -> tuple[Entry, ...]:
    return tuple(dict.fromkeys(entry for entry in entries if entry is not None))


def scene_entries(work: Work) -> tuple[Entry, ...]:
    """Models of the scene as algorithms of a study, each once."""
    if work.dataset.is_regression:
        return (Entry(next(iter(REGRESSORS)), plain_params(work.selection.regressor.params)),)
    own = (model for model in work.selection.models if not is_imported(model.key))
    return tuple(dict.fromkeys(Entry(model.key, plain_params(model.params)) for model in own))


def _algorithm(text: str, problems: list[str]) -> Entry | None:
    key = key_of_text(text)
    if key not in candidates():
        problems.append(t("“{key}” is not known here.", key=key[:40]))
        return None
    return _tried(text, algorithm_params(key), problems)


def _dataset(text: str, problems: list[str]) -> Entry | None:
    key = key_of_text(text)
    if key.startswith((TABLE, OWN)):
        return Entry(key)
    entry = all_datasets().get(key)
    if entry is None:
        problems.append(t("“{key}” is not known here.", key=key[:40]))
        return None
    return _tried(text, entry.PARAMS, problems)


def _tried(text: str, declared: tuple[Param, ...], problems: list[str]) -> Entry | None:
    try:
        return entry_of_text(text, declared)
    except ValueError as error:
        problems.append(translate(error))
        return None


def study_of_draft(draft: Draft, work: Work) -> tuple[Study, Handed]:
    """Study, and its tables by key, each with the scene that shows it.

    Raises
    ------
    CannotShow
        In one sentence: nothing chosen, too much, a data set that is not here.
    """
    if not draft.algorithms or not draft.datasets:
        raise CannotShow(t("Choose at least one algorithm and one data set at the left."))
    tables, choices = {}, []
    for entry in draft.datasets:
        choice, own = resolve_data(entry, work)
        tables |= own
        choices.append(choice)
    if draft.protocol == "fixed":
        points = (point for entry in draft.algorithms for point in entry.points())
        draft = replace(draft, algorithms=tuple(dict.fromkeys(points)))
    names: list[str] = []
    for name in draft.names():
        names.append(distinct(name, names))
    algorithms = tuple(
        AlgorithmChoice(e.key, e.params, e.grid, name, e.unlabelled and takes_unlabelled(e.key))
        for e, name in zip(draft.algorithms, names, strict=True)
    )
    _check_size(draft, algorithms)
    study = Study(
        _name(algorithms, choices),
        algorithms,
        _with_distinct_names(choices, draft.datasets),
        *(draft.repeats, draft.folds, draft.protocol, draft.inner_folds, draft.seed),
    )
    try:
        return study_of(study.to_toml(), tuple(tables)), tables
    except ValueError as error:
        raise CannotShow(translate(error)) from None


def _check_size(draft: Draft, algorithms: tuple[AlgorithmChoice, ...]) -> None:
    nested = draft.protocol == "nested"
    n_points = sum(1 if nested else len(a.points()) for a in algorithms)
    n = n_points * len(draft.datasets) * draft.repeats * draft.folds
    if n > MOST_FOLDS:
        raise CannotShow(
            t(
                "This study has {n} folds; this server takes at most {most}. Choose fewer, or use "
                "{command}.",
                n=number(n),
                most=number(MOST_FOLDS),
                command="python -m lastviz.studies run study.toml",
            )
        )


def _name(algorithms: tuple[AlgorithmChoice, ...], sets: list[DataChoice]) -> str:
    def first(names: list[str]) -> str:
        return t(", ").join(names[:3]) + (" …" if len(names) > 3 else "")

    names = list(dict.fromkeys(choice.name for choice in sets))
    return t(
        "{algorithms} on {sets}", algorithms=first([a.name for a in algorithms]), sets=first(names)
    )


# They differ by their distinguishing parameters, else by a number.
def _with_distinct_names(
    choices: list[DataChoice], entries: tuple[Entry, ...]
) -> tuple[DataChoice, ...]:
    """Data sets with distinct names."""
    found: list[DataChoice] = []
    for choice, entry in zip(choices, entries, strict=True):
        known = all_datasets().get(choice.key)
        name = entry_name(choice.name, entry, entries, known.PARAMS) if known else choice.name
        name = distinct(name, {other.name for other in found})
        found.append(replace(choice, name=name))
    return tuple(found)


# ---------------------------------------------------------------- controls


PROTOCOLS = {
    "fixed": "parameters as given",
    "nested": "best in folds of the training rows",
    "best_on_test": "best on the test folds (flatters)",
}
NO_PARAMETER = "none"


def study_choices(draft: Draft, study: Study | None) -> None:
    """Draw the choices that make up a study."""
    _datasets(draft, study)
    _algorithms(draft)
    _how(draft)
    st.markdown(f"**{t('Seed')}**")
    _number("seed", "seed", t("Seed"), draft, label_visibility="collapsed")


def _change(draft: Draft, **changes: object) -> None:
    session.select(**replace(draft, **changes).fields(changes))


def _datasets(draft: Draft, study: Study | None) -> None:
    st.markdown(f"**{t('Data sets')}**")
    work = current()
    entries = {entry.text: entry for entry in draft.datasets}
    known = {entry.key for entry in draft.datasets}
    entries |= {e.text: e for e in _offered(work) if e.key not in known}
    titles = _titles(entries, work, study)

    # A browser that shows an earlier title of a data set answers with it: nothing was chosen then.
    def chosen() -> None:
        texts = st.session_state["study_sets"]
        if entries.keys() >= set(texts):
            _change(draft, datasets=tuple(entries[text] for text in texts))

    put("study_sets", [entry.text for entry in draft.datasets])
    st.multiselect(
        t("Data sets"),
        list(entries),
        key="study_sets",
        format_func=titles.__getitem__,
        label_visibility="collapsed",
        on_change=chosen,
    )
    present = present_entry(work)
    if present not in draft.datasets:
        st.button(
            t("Add the data of the scene"),
            key="study_add_data",
            on_click=lambda: _change(draft, datasets=(*draft.datasets, present)),
        )


# Browsers name them by their titles.
def _titles(entries: dict[str, Entry], work: Work, study: Study | None) -> dict[str, str]:
    """Distinct titles of data sets."""
    found: dict[str, str] = {}
    for text, entry in entries.items():
        title = set_title(entry, work, study)
        alike = [other for other in entries.values() if other.key == entry.key]
        known = all_datasets().get(entry.key)
        if title in found.values() and known is not None:
            title = entry_name(title, entry, alike, known.PARAMS)
        found[text] = distinct(title, found.values())
    return found


def _offered(work: Work) -> list[Entry]:
    """Every data set that can be chosen: the scene's, the registry's, the visitor's."""
    rows = sorted(all_datasets().items(), key=lambda row: GROUPS.index(row[1].group))
    own = [Entry(OWN + upload.digest) for upload in uploads.names()]
    listed = [data_entry(key, work.selection.seed) for key, _ in rows if key != PAINTED]
    return [present_entry(work), *own, *listed]


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
        on_change=lambda: _change(
            draft, algorithms=tuple(entries[text] for text in st.session_state["study_algorithms"])
        ),
    )
    scene = [e for e in scene_entries(current()) if e not in draft.algorithms]
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
            draft, place, replace(entry, params=with_param(entry.params, param, value))
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
        st.session_state[f"{key}.fault"] = translate(error)
        return
    params = tuple((name, value) for name, value in entry.params if name != param.name)
    grid = ((param.name, values),) if len(values) > 1 else ()
    if len(values) == 1:
        params = with_param(params, param, values[0])
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
