"""The sidebar: data, algorithms, their parameters and the seed, always in this order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from lastviz._params import Param
from lastviz.datasets import PAINTED, Dataset, DatasetEntry, all_datasets
from lastviz.datasets.openml import FROM_FOLDER, FROM_OPENML, GROUPS, MEASURED
from lastviz.estimators import ESTIMATORS, entry_of
from lastviz.host.security import Reach, reach
from lastviz.host.store import Upload
from lastviz.ui.components.copy_link import copy_link
from lastviz.ui.compute import availability, uploads
from lastviz.ui.compute.availability import crowded_column, obstacle
from lastviz.ui.compute.resampling import usual_model
from lastviz.ui.compute.work import current
from lastviz.ui.state import session
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.selection import (
    FIELDS,
    MAX_MODELS,
    UPLOAD,
    Model,
    Pairs,
    Selection,
    with_param,
)
from lastviz.ui.text import number, plain, plural, t

from .job_box import limits
from .model_view import GENERATOR, large_set_chooser
from .scene_box import embed_box, save_scene
from .widgets import control, controls, put, tuned_note

PLACES = ("Left", "Right", "Third", "Fourth")
INTERVALS = 4
NO_MODEL = "none"  # a choice like any other: a widget shows None as a lack of choice
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
    st.markdown(f"**{t('Data')}**")
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
    declared = session.data_params(work.selection.data) or ()
    apply = partial(_set_data_param, work.selection.data)
    parameters(declared, work.selection.params, f"data.{work.selection.data}", apply)
    percent = round(100 * work.selection.held)
    control(PERCENT, percent, key="held", apply=lambda value: session.select(held=value / 100))


def model_choosers(n_models: int, *, allow_ensembles: bool = False, of_trees: bool = False) -> None:
    """Draw the choice of up to `n_models` algorithms, each with its parameters.

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
    title = t("Model") if n_models == 1 else t("Models")
    st.markdown(f"**{title}**", help=limits())
    for place in range(min(n_models, len(work.selection.models) + 1, MAX_MODELS)):
        model = work.models[place].chosen if place < len(work.selection.models) else None
        label = t(PLACES[place] if n_models > 1 else "Algorithm")
        _model_chooser(place, model, [*fitting, *too_fine], label)
        if model is not None and model.key in too_fine:
            _offer_intervals(place)
        if model is not None and session.model_params(model.key):
            _model_parameters(place, model, folded=min(n_models, len(work.selection.models)) > 1)
            tuned_note(work.models[place])
    _say_what_does_not_fit(
        [why for key, why in obstacles.items() if why is not None and key not in too_fine]
    )


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


# A single reason is shown in full, several behind one line.
def _say_what_does_not_fit(reasons: list[str]) -> None:
    """Explain why algorithms cannot be chosen."""
    if len(reasons) == 1:
        st.caption(plain(reasons[0]))
    elif reasons:
        sentence = t("{n} algorithms cannot be used with this data set.", n=len(reasons))
        st.caption(sentence, help="\n".join(f"- {plain(reason)}" for reason in reasons))


def seed() -> None:
    """Draw the seed of the generator, the division and the algorithms."""
    st.markdown(f"**{t('Seed')}**")
    put("seed", session.current().seed)
    st.number_input(
        t("Seed"),
        min_value=0,
        max_value=int(FIELDS["seed"].param.high),
        step=1,
        key="seed",
        label_visibility="collapsed",
        on_change=lambda: session.select(seed=st.session_state["seed"]),
    )


def foot(python: Callable[[], str] | None = None) -> None:
    """Draw the buttons below the choices.

    They are *Copy link*, *Embed*, *Save scene*, *Python* and *Report*.

    A frame on another page has none of them.
    """
    if session.is_embedded():
        return
    with st.container(key="foot", horizontal=True, wrap=True, gap="small"):
        _copy_link(session.current())
        embed_box(session.current(), session.page())
        save_scene(current(), session.page())
        if python:
            lines = st.popover(t("Python"), key="python", on_change="rerun")
            if lines.open:
                lines.code(python(), language="python")


# A share of the user's file goes with the link.
def _copy_link(selection: Selection) -> None:
    """Draw the copy button."""
    own, copied = selection.upload, ""
    if reach() is not Reach.OTHERS:
        copied = t("Copied. Others cannot open it yet")
    if own is not None and own.share is None:
        shared = uploads.shares(own)
        if shared:  # that which ends last
            selection = replace(selection, upload=shared[-1].upload)
            copied = t("Copied. The link opens the table, too")
        else:
            copied = t("Copied. Whoever opens the link will be asked for {name}", name=own.name)
    copy_link(session.link(selection), copied=copied)


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
        session.select(data=UPLOAD, upload=files[key])
    else:
        session.select(data=key, upload=None, painted=painted if key == PAINTED else "")
        _begin_with_what_suits()


def _begin_with_what_suits() -> None:
    """Set parameters that suit the new data in models at their defaults."""
    work = current()
    for place, model in enumerate(work.selection.models):
        usual = usual_model(work, model.key)
        if not model.params and usual.params:
            session.select_model(place, params=usual.params)


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


def parameters(declared: Sequence[Param], pairs: Pairs, prefix: str, apply: partial) -> None:
    """Draw the main parameters first and fold the others; the scene has one seed."""
    among, declared = declared, [param for param in declared if param.name != SEED_NAME]
    first = [param for param in declared if param.main]
    others = [param for param in declared if not param.main]
    controls(first, pairs, prefix=prefix, apply=apply, among=among)
    if others:
        _folded(t("More parameters"), others, pairs, prefix, apply, among)


# Until it is opened, the browser need not know them.
def _folded(
    label: str,
    declared: Sequence[Param],
    pairs: Pairs,
    prefix: str,
    apply: partial,
    among: Sequence[Param] = (),
) -> None:
    """Draw parameters behind a button."""
    box = st.expander(label, key=f"fold.{prefix}", on_change="rerun")
    if box.open:
        with box:
            controls(declared, pairs, prefix=prefix, apply=apply, among=among)


def _model_chooser(place: int, model: Model | None, fitting: list[str], label: str) -> None:
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
        help=_stands_for(chosen),
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


def _model_parameters(place: int, model: Model, *, folded: bool) -> None:
    declared = session.model_params(model.key) or ()
    prefix = model_prefix(place, model)
    apply = partial(_set_model_param, place, model.key)
    if not folded:
        parameters(declared, model.params, prefix, apply)
        return
    ordered = sorted(declared, key=lambda param: not param.main)
    shown = [param for param in ordered if param.name != SEED_NAME]
    label = t("Parameters of {name}", name=_name(model.key))
    _folded(label, shown, model.params, prefix, apply)
