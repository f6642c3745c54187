"""From a declared parameter to a widget.

The selection is the truth: every run puts its values into the widgets, and a widget that the
reader moves hands its value to `apply` before the next run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import pandas as pd

from lastviz._csv_writer import as_csv
from lastviz._params import Param
from lastviz._recent import recently
from lastviz.criteria import CRITERIA
from lastviz.estimators import ESTIMATORS, entry_of
from lastviz.latent import LATENT_SPACES
from lastviz.splitters import stored_split
from lastviz.ui.compute import nodes
from lastviz.ui.compute.resampling import FOLDS, Tuned, pairs_of, settings_of, tune
from lastviz.ui.compute.work import ModelWork
from lastviz.ui.sheet import sheet, st
from lastviz.ui.state import session
from lastviz.ui.state.selection import Pairs
from lastviz.ui.text import language, number, paragraph, plain, plural, t, translate

NO_LIMIT = "no limit"
NOTHING = object()  # of a key that has no value
Shown = TypeVar("Shown")
TITLES = {
    "none": "none",
    "1se": "within one standard error",
    "2s2": "‖x − y‖² / 2σ²",
    "bnm+csn": "BNM, then CSN",
    "error_based": "error-based",
    "error_based_normal": "error-based, normal quantile",
    "gain_ratio_raw": "gain ratio of all candidates",
    "mdl": "description length",
    "min": "of least error",
    "min-max": "to the range 0 to 1",
    "poly": "polynomial",
    "rbf": "RBF",
    "replacement": "error-based, replacement only",
    "s2": "‖x − y‖² / σ²",
    "segment": "fewest segments",
    "separability_input": "separability in the input space",
    "spce": "SPCE",
    "spes": "SPES",
    "standard": "to mean 0, deviation 1",
}
"""Choices whose name in the code is no word, and what they are called."""


def put(key: str, value: object, words: str | None = None) -> None:
    """Set the value of the widget `key` before it is drawn.

    In a menu the value is displayed as `words`.

    A value that the browser shows already is left alone: writing it again would overtake a
    reader who moves on meanwhile.
    """
    if not session.shows(key, words) or st.session_state.get(key, NOTHING) != value:
        st.session_state[key] = value


def bound(
    draw: Callable[..., Shown],
    field: str,
    *args: object,
    value: object = NOTHING,
    key: str | None = None,
    none: object = None,
    stored: Callable = lambda shown: shown,
    **look: object,
) -> Shown:
    """Draw a widget that shows and sets a field of the selection; return its value.

    The value is that of the Streamlit function.

    Parameters
    ----------
    draw : callable
        Of Streamlit, such as ``st.toggle``.
    field : str
    *args, **look : object
        As `draw` takes them.
    value : object, optional
        Shown instead of the selection's own.
    key : str, optional
        Of the widget, if it is not the name of the field.
    none : object, optional
        Option that stands for None.
    stored : callable, optional
        Turns the widget's value into that of the field.
    """
    key = key or field
    value = session.current().value(field) if value is NOTHING else value
    value = none if value is None else value
    if sheet() is not None:
        return draw(*args, value=value)
    put(key, value)

    def change() -> None:
        shown = st.session_state[key]
        session.select(**{field: None if shown == none else stored(shown)})

    return draw(*args, key=key, on_change=change, **look)


def controls(
    declared: Sequence[Param],
    pairs: Pairs,
    *,
    prefix: str,
    apply: Callable[[Param, object], None],
    among: Sequence[Param] = (),
) -> None:
    """Draw a widget for each of the parameters `declared`.

    Parameters
    ----------
    declared : sequence of Param
    pairs : tuple of (str, object)
        The values that differ from defaults.
    prefix : str
        Start of the widgets' keys.
    apply : callable
        Is handed the parameter that the reader moved and its new value.
    among : sequence of Param
        All parameters, if `declared` are only some of them: one may need another.
    """
    values = {param.name: param.default for param in (*among, *declared)} | dict(pairs)
    for param in declared:
        control(
            param,
            values[param.name],
            key=f"{prefix}.{param.name}",
            apply=lambda value, param=param: apply(param, value),
            disabled=param.needs is not None and values.get(param.needs[0]) not in param.needs[1],
        )


def save_button(
    label: str, content: object, file_name: str, *, mime: str = "text/csv", **more: object
) -> None:
    """Draw the button that saves a file, without a run of the page.

    `more` is passed to Streamlit.
    """
    st.download_button(
        label,
        content,
        file_name=file_name,
        mime=mime,
        on_click="ignore",
        icon=":material/download:",
        **more,
    )


# The table is worked out when it is asked for.
def save_table(
    label: str, table: Callable[[], pd.DataFrame], file_name: str, *, key: str | None = None
) -> None:
    """Draw the button that saves a table as CSV."""
    save_button(label, lambda: as_csv(table()).encode(), f"{file_name}.csv", key=key)


# What cannot be read leaves all as it was.
def open_button(
    take: Callable[[bytes], None], *, key: str, types: Sequence[str] = ("json",), most: int = 1
) -> None:
    """Draw the field for a saved file of `most` MB, and why one was not taken."""
    fault = f"{key}_fault"

    def opened() -> None:
        st.session_state[fault] = None
        file = st.session_state[key]
        if file is not None and hasattr(file, "getvalue"):
            try:
                take(file.getvalue())
            except ValueError as error:
                st.session_state[fault] = translate(error)

    label, look = t("Open a saved file"), {"type": list(types), "max_upload_size": most}
    file = st.file_uploader(label, key=key, on_change=opened, **look)
    if file is not None and st.session_state.get(fault):
        st.error(plain(st.session_state[fault]), icon=":material/error:")


def rows_to_choose(table: pd.DataFrame, *, key: str, apply: Callable[[int], None]) -> None:
    """Draw a table; choosing a row, by mouse or keyboard, hands its place to `apply`."""

    def chosen() -> None:
        rows = st.session_state[key]["selection"]["rows"]
        if rows:
            apply(rows[0])

    st.dataframe(
        table,
        key=key,
        hide_index=True,
        height=min(35 * len(table) + 40, 360),
        on_select=chosen,
        selection_mode="single-row",
    )


def segments(
    field: str,
    label: str,
    titles: Mapping[str, str],
    *,
    chosen: str | None = None,
    seen: bool = False,
    help: str | None = None,
) -> str:
    """Draw a row of buttons for a field of the selection, and return the pressed one.

    Parameters
    ----------
    field : str
        Of :class:`~lastviz.ui.state.selection.Selection`.
    label : str
        Read aloud, and `seen` if it says so.
    titles : mapping of str to str
        Value -> what stands on its button.
    chosen : str, optional
        Pressed instead of the selection's own value.
    seen : bool, default False
    help : str, optional
    """
    value = session.current().value(field) if chosen is None else chosen
    bound(
        st.segmented_control,
        field,
        label,
        list(titles),
        value=value,
        format_func=titles.get,
        label_visibility="visible" if seen else "collapsed",
        required=True,
        help=help,
    )
    return value


def control(
    param: Param,
    value: object,
    *,
    key: str,
    apply: Callable[[object], None],
    disabled: bool = False,
) -> None:
    """Draw the widget of one parameter, showing `value`."""
    common = {
        "label": _label(param),
        "key": key,
        "help": t(param.help) if param.help else None,
        "disabled": disabled,
        "on_change": lambda: apply(_value(param, st.session_state[key])),
    }
    if param.kind is bool:
        put(key, value)
        st.toggle(**common)
    elif param.kind is str:
        put(key, value)
        st.selectbox(options=tuple(param.choices), format_func=choice_title, **common)
    elif param.slider is None:
        _number(param, value, key, common)
    elif param.none or param.choices:
        _slider_with_words(param, value, key, common)
    else:
        _slider(param, value, key, common)


def _number(param: Param, value: object, key: str, common: dict) -> None:
    """An empty box means None, or the one word that may stand for a number."""
    put(key, None if value in param.choices else value)
    low = None if param.low is None else param.kind(param.low)
    high = None if param.high is None else param.kind(param.high)
    words = [*map(choice_title, param.choices), *([t(param.none_word)] if param.none else [])]
    if len(words) > 1:
        raise ValueError(f"{param.name} needs a slider: an empty box cannot mean {words}")
    placeholder = words[0] if words else None
    st.number_input(min_value=low, max_value=high, value=None, placeholder=placeholder, **common)


def _slider(param: Param, value: object, key: str, common: dict) -> None:
    """A slider reaches a value from a link even where it lies beyond the usual range."""
    low, high, step = map(param.kind, param.slider)
    put(key, value)
    st.slider(
        min_value=min(low, value),
        max_value=max(high, value),
        step=step,
        format=_format(param, step),
        **common,
    )


def stops(param: Param) -> list[float]:
    """Numbers that the slider of a parameter can be put to."""
    low, high, step = param.slider
    n_steps = round((high - low) / step)
    return [param.kind(round(low + i * step, 10)) for i in range(n_steps + 1)]


# Widgets take None for a lack of choice, so it has a name of its own; words come last.
def stops_and_words(param: Param, value: object) -> list[object]:
    """Stops of a slider that also has words; `value` is one of them."""
    options = sorted({*stops(param)} | ({value} - {None, *param.choices}))
    return [*options, *param.choices, *([NO_LIMIT] if param.none else [])]


def _slider_with_words(param: Param, value: object, key: str, common: dict) -> None:
    options = stops_and_words(param, value)
    put(key, NO_LIMIT if value is None else value)
    words = _words_of(param, tuple(options), language())  # Streamlit asks for each again
    st.select_slider(options=options, format_func=words.__getitem__, **common)


@recently(256, typed=True)
def _words_of(param: Param, options: tuple, code: str) -> dict[object, str]:
    """The words of a slider's stops in the reader's language, which `code` names."""
    return {stop: _stop(param, stop) for stop in options}


def _value(param: Param, shown: object) -> object:
    if shown is None and param.choices and not param.none:
        return param.choices[0]
    return None if shown == NO_LIMIT else shown


def _label(param: Param) -> str:
    name = param.label or param.name
    names_unit = param.unit == "%" or param.unit in name.lower()
    return t(name) if names_unit else t("{name} ({n})", name=t(name), n=t(param.unit))


def _format(param: Param, step: float) -> str:
    """Printf format of a slider: as many decimals as its step has."""
    decimals = len(f"{step:g}".partition(".")[2]) if param.kind is float else 0
    return f"%.{decimals}f" + (" %%" if param.unit == "%" else "")


def _stop(param: Param, stop: object) -> str:
    if stop == NO_LIMIT:
        return t(param.none_word)
    return choice_title(stop) if isinstance(stop, str) else number(stop)


def choice_title(choice: str) -> str:
    """Displayed title of a parameter's choice, never its name in the code."""
    if choice in TITLES:
        return t(TITLES[choice])
    if choice in ESTIMATORS:
        return t(entry_of(choice).title)
    if choice in CRITERIA:
        return t(CRITERIA[choice].title)
    if choice in LATENT_SPACES:
        return t(LATENT_SPACES[choice].title)
    return t(choice.replace("_", " "))


def value_words(param: Param, value: object) -> str:
    """Displayed form of a parameter's value."""
    if value is None:
        return t(param.none_word)
    if isinstance(value, bool):
        return t("on") if value else t("off")
    if isinstance(value, str):
        return choice_title(value)
    return number(value) if isinstance(value, int | float) else str(value)


# ---- Parameters that cross-validation chose: said beside them, and offered where others are set


ROOT = 0


def tuned_note(model: ModelWork) -> None:
    """Draw a fold that cross-validates a model's setting and others."""
    chosen = model.chosen
    grid = settings_of(model.work, chosen.key)
    if any(name not in grid for name, _ in chosen.params) or not grid:
        return
    title = t("Other settings, cross-validated")
    box = st.expander(title, key=f"fold.tuned{model.place}", on_change="rerun")
    if box.open:
        with box:
            _compared(model, tune(model.work, chosen.key, chosen.params))


def _compared(model: ModelWork, found: Tuned) -> None:
    chosen = model.chosen
    words = [tuned_words(found, chosen.key)]
    if found.best != found.own and model.trained_already() is not None:
        words.append(why_missed(model, found))
    st.caption(plain(paragraph(filter(None, words))))
    if found.best != found.own:
        st.button(
            t("Use this setting"),
            key=f"take_tuned_{model.place}",
            on_click=lambda: session.select_model(
                model.place, params=pairs_of(found, chosen.key, found.best)
            ),
        )


def tuned_words(found: Tuned, key: str) -> str:
    """Setting chosen by cross-validation, beside that of the model."""
    values = {
        "folds": number(FOLDS),
        "n": number(len(found.settings)),
        "rows": number(found.n_rows),
        "settings": _settings(found, key, found.best),
        "right": number(found.right[found.best]),
        "leaves": _leaves(found, found.best),
    }
    if found.best == found.own:
        return t(
            "{settings}: {leaves}. None of {n} settings within one standard error of the best in "
            "{folds}-fold cross-validation on the {rows} training rows grows fewer.",
            **values,
        )
    return t(
        "{settings}: {leaves}, at present {own_leaves}. In {folds}-fold cross-validation, {right} "
        "of the {rows} training rows are classified correctly, at present {own}.",
        own=number(found.right[found.own]),
        own_leaves=number(found.trees[found.own].n_leaves),
        **values,
    )


# The first stage of its rule keeps the best by one score; the split was not one of them.
def why_missed(model: ModelWork, found: Tuned) -> str:
    """Reason why a model missed the better setting's first split, "" if it did not."""
    tree = found.trees[found.best]
    rule, split = model.node(ROOT).search.rule, stored_split(tree, ROOT)
    name = model.division.X.columns[split.feature]
    table, first = model.node(ROOT).candidates, rule.stages[0]
    rank = int(
        nodes.rank_candidates(table, first.column)[table.find(split.feature, split.threshold)]
    )
    if rank <= first.k:
        return ""
    return t(
        "Its first split, {test}, is not on the present shortlist: by Gini gain plus weighted BNM "
        "it ranks {rank} of {all}, and the shortlist holds {k}.",
        test=t("{feature} ≤ {threshold}", feature=name, threshold=number(split.threshold)),
        rank=number(rank),
        all=number(table.n_candidates),
        k=number(first.k),
    )


def _leaves(found: Tuned, setting: int) -> str:
    return plural(found.trees[setting].n_leaves, "{n} leaf", "{n} leaves")


def _settings(found: Tuned, key: str, place: int) -> str:
    """Setting as the sidebar calls it: "Weight of BNM 0.1, Second look 30"."""
    labels = {param.name: t(param.label) for param in entry_of(key).cls.PARAMS}
    pairs = zip(found.names, found.settings[place], strict=True)
    return t(", ").join(f"{labels[name]} {number(value)}" for name, value in pairs)
