"""The sidebar: data, algorithms, their main parameters, and a box with the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from lastviz._params import Param
from lastviz.datasets import PAINTED, Dataset, DatasetEntry, all_datasets
from lastviz.datasets.openml import FROM_FOLDER, FROM_OPENML, GROUPS, MEASURED
from lastviz.estimators import ESTIMATORS, entry_of
from lastviz.host.store import Upload
from lastviz.ui.compute import availability, uploads
from lastviz.ui.compute.availability import crowded_column, obstacle
from lastviz.ui.compute.resampling import usual_model
from lastviz.ui.compute.work import current, work_of
from lastviz.ui.state import session
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.selection import (
    AT_NUMBERS,
    FIELDS,
    MAX_MODELS,
    UPLOAD,
    Model,
    Pairs,
    Selection,
    with_param,
)
from lastviz.ui.text import number, plain, plural, t

from .held_out import held_by_chooser
from .job_box import limits
from .model_view import GENERATOR, large_set_chooser
from .widgets import bound, control, controls, put, tuned_note

PLACES = ("Left", "Right", "Third", "Fourth")
INTERVALS = 4
NO_MODEL = "none"  # a choice like any other: a widget shows None as a lack of choice
BESIDE = 2  # main parameters below the name of what has them; the others are in the box
LAST_PAINTED = "last_painted"  # the session's
PERCENT = Param("held", int, 30, low=0, high=90, label="Held out", unit="%", slider=(0, 70, 5))


def data_chooser() -> None:
    """Draw the choice of the data, the generator's parameters and the held-out share."""
    work = current()
    files = {f"{UPLOAD}:{upload.digest}": upload for upload in uploads.names()}
    chosen = work.selection.data
    if work.selection.upload is not None:
        chosen = f"{UPLOAD}:{work.selection.upload.digest}"
        files[chosen] = work.selection.upload
    put("data", chosen)
    entries = sorted(all_datasets().items(), key=lambda row: GROUPS.index(row[1].group))
    titles = {PAINTED: t("Painted by hand")} | {key: _title(entry) for key, entry in entries}
    titles |= {key: _file_title(upload) for key, upload in files.items()}
    st.selectbox(
        t("Data set"),
        list(titles),
        key="data",
        format_func=titles.__getitem__,
        on_change=lambda: _choose_data(st.session_state["data"], files),
    )
    loaded = work.data
    if not availability.painting_lacks(work.selection):
        n = loaded.full.n_features - loaded.dataset.n_features
        left_out = f" ({t('{n} left out', n=number(n))})" if n > 0 else ""
        st.caption(size_words(loaded.dataset) + left_out)
    if work.selection.data == GENERATOR:
        large_set_chooser(work.selection)
    _data_parameters(work.selection)
    percent = round(100 * work.selection.held)
    control(PERCENT, percent, key="held", apply=lambda value: session.select(held=value / 100))
    held_by_chooser(work)


def model_choosers(n_models: int, *, allow_ensembles: bool = False, of_trees: bool = False) -> None:
    """Draw the choice of up to `n_models` algorithms.

    One alone has its main parameters beside.

    `allow_ensembles`, `of_trees`: forests can be chosen, too, see :func:`.availability.obstacle`.
    """
    work = current()
    dataset = work.dataset
    obstacles = {
        key: obstacle(entry, dataset, allow_ensembles=allow_ensembles, of_trees=of_trees)
        for key, entry in ESTIMATORS.items()
    }
    fitting = [key for key, reason in obstacles.items() if reason is None]
    too_fine = [
        key for key, entry in ESTIMATORS.items() if crowded_column(entry, dataset) is not None
    ]
    unfit = [why for key, why in obstacles.items() if why and key not in too_fine]
    for place in range(min(n_models, len(work.selection.models) + 1, MAX_MODELS)):
        model = work.models[place].chosen if place < len(work.selection.models) else None
        label = t(PLACES[place] if n_models > 1 else "Algorithm")
        about = "" if place else _unfit_words(unfit)  # once
        _model_chooser(place, model, [*fitting, *too_fine], label, about)
        if model is not None and model.key in too_fine:
            _offer_intervals(place)
        if model is not None and session.model_params(model.key):
            if min(n_models, len(work.selection.models)) == 1:
                _model_parameters(place, model)
            tuned_note(work.models[place])


def more_settings(n_models: int = 0) -> st.delta_generator.DeltaGenerator | None:
    """Draw the box of settings that are changed rarely.

    Returns the place for a page's own, None while it is closed. `n_models`: as of
    :func:`model_choosers`.
    """
    box = st.expander(t("More settings"), key="more", on_change="rerun")
    if not box.open:
        return None
    work = current()
    models = work.selection.models[:n_models]
    with box:
        own = st.container()
        _data_parameters(work.selection, rest=True)
        for place, model in enumerate(models):
            declared = session.model_params(model.key)
            if declared:
                st.markdown(f"**{_name(model.key)}**", help=limits())
                _model_parameters(place, model, beside=BESIDE if len(models) == 1 else 0, rest=True)
        most = int(FIELDS["seed"].param.high)
        bound(st.number_input, "seed", t("Seed"), min_value=0, max_value=most, step=1)
    return own


def _offer_intervals(place: int) -> None:
    """Draw the ways out for an algorithm that would make a branch of every number."""
    with st.container(key=f"intervals{place}", horizontal=True, gap="small"):
        # What takes what its kin takes, and cuts numbers at thresholds.
        tags = {key: entry.cls.TAGS for key, entry in ESTIMATORS.items()}
        other = next(key for key, own in tags.items() if own.nominal and own.max_values is None)
        st.button(
            t("Use {title}", title=t(entry_of(other).title)),
            key=f"take_other_{place}",
            on_click=lambda: session.select_model(place, key=other),
        )
        st.button(
            t("Cut into {n} intervals", n=INTERVALS),
            key=f"cut_{place}",
            help=t("All numeric features, each cut into intervals with about equally many rows."),
            on_click=lambda: session.select(bins=INTERVALS),
        )


def _unfit_words(reasons: Sequence[str]) -> str:
    """Reasons why algorithms cannot be chosen, as Markdown."""
    n = len(reasons)
    head = plural(n, "{n} algorithm does not fit here.", "{n} algorithms do not fit here.")
    return "\n- ".join([head, *map(plain, reasons)]) if reasons else ""


def size_words(dataset: Dataset) -> str:
    """Size of the data in words, as in "400 rows, 2 features, 2 classes"."""
    parts = (
        plural(dataset.n_samples, "{n} row", "{n} rows"),
        plural(dataset.n_features, "{n} feature", "{n} features"),
        t("numbers to learn")
        if dataset.is_regression
        else plural(dataset.n_classes, "{n} class", "{n} classes"),
    )
    return t(", ").join(parts)


def _file_title(upload: Upload) -> str:
    own = upload.share is None
    return t("{name} · your file" if own else "{name} · shared", name=upload.name)


def _title(entry: DatasetEntry) -> str:
    if entry.group in (MEASURED, FROM_FOLDER, FROM_OPENML):
        return f"{t(entry.title)} · {t(entry.group).lower()}"
    if entry.n_features is not None and entry.n_features > 2:
        return f"{t(entry.title)} · {plural(entry.n_features, '{n} feature', '{n} features')}"
    return t(entry.title)


# A painting stays for those who come back to it.
def _choose_data(key: str, files: dict[str, Upload]) -> None:
    """Show other data."""
    painted = session.current().painted or st.session_state.get(LAST_PAINTED, "")
    st.session_state[LAST_PAINTED] = painted
    if key in files:
        show_data(data=UPLOAD, upload=files[key])
    else:
        show_data(data=key, upload=None, painted=painted if key == PAINTED else "")


def show_data(**changes: object) -> None:
    """Show other data; models as usual for those before are as usual for these."""
    before, shown = current(), session.current().change(**changes)
    work = work_of(shown)
    places = (AT_NUMBERS,) if work.dataset.is_regression else range(len(shown.models))
    for place in places:
        key, params = (model := shown.model(place)).key, model.params
        if not params or params == usual_model(before, key).params:
            shown = shown.change_model(place, params=usual_model(work, key).params)
    session.show(shown)  # at once: one step back undoes it


def _set_data_param(key: str, param: Param, value: object) -> None:
    """Set a parameter of the generator `key`, unless other data were chosen meanwhile."""
    selection = session.current()
    if selection.data == key:
        session.select(params=with_param(selection.params, param, value))


def _set_model_param(place: int, key: str, param: Param, value: object) -> None:
    """Set a parameter of the algorithm `key`, unless another was chosen meanwhile."""
    models = session.current().models
    if place < len(models) and models[place].key == key:
        session.select_model(place, params=with_param(models[place].params, param, value))


def parameters(
    declared: Sequence[Param],
    pairs: Pairs,
    prefix: str,
    apply: Callable[[Param, object], None],
    *,
    beside: int = BESIDE,
    rest: bool = False,
) -> None:
    """Draw the first `beside` main parameters, or with `rest` all others but the seed."""
    main = [param for param in declared if param.main and param.name != SEED_NAME][:beside]
    others = [param for param in declared if param not in main and param.name != SEED_NAME]
    others.sort(key=lambda param: not param.main)
    controls(others if rest else main, pairs, prefix=prefix, apply=apply, among=declared)


def _data_parameters(selection: Selection, **which: bool) -> None:
    """Draw parameters of a generator; `which`: see :func:`parameters`."""
    declared, apply = session.data_params(selection.data), partial(_set_data_param, selection.data)
    parameters(declared or (), selection.params, f"data.{selection.data}", apply, **which)


def _model_chooser(
    place: int, model: Model | None, fitting: list[str], label: str, unfit: str
) -> None:
    chosen = NO_MODEL if model is None else model.key
    titles = {key: _name(key) for key in (*ESTIMATORS, chosen) if key in (*fitting, chosen)}
    titles |= uploads.model_titles() | {NO_MODEL: t("No other model")}
    options = [key for key in titles if key != NO_MODEL]
    key = f"model{place}"
    put(key, chosen)
    st.selectbox(
        label,
        options if place == 0 else [*options, NO_MODEL],
        key=key,
        format_func=titles.__getitem__,
        help="\n\n".join(filter(None, [_stands_for(chosen), unfit])) or None,
        on_change=lambda: _choose_model(place, st.session_state[key]),
    )


def _name(key: str) -> str:
    return t("No other model") if key == NO_MODEL else t(entry_of(key).title)


def _stands_for(key: str) -> str | None:
    words = "" if key == NO_MODEL else entry_of(key).stands_for
    return t(words) if words else None


def _choose_model(place: int, key: str) -> None:
    models = session.current().models
    if key == NO_MODEL:
        session.select(models=models[:place] + models[place + 1 :])
        return
    model = usual_model(current(), key)
    if place < len(models):
        session.select_model(place, key=key, params=model.params)
    else:
        session.select(models=(*models, model))


def model_prefix(place: int, model: Model) -> str:
    """Prefix of the widget keys of a model's parameters."""
    return f"model{place}.{model.key}"


def _model_parameters(place: int, model: Model, **which: int) -> None:
    """Draw parameters of an algorithm; `which`: see :func:`parameters`."""
    apply = partial(_set_model_param, place, model.key)
    declared, prefix = session.model_params(model.key), model_prefix(place, model)
    parameters(declared or (), model.params, prefix, apply, **which)
