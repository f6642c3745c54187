"""Answers to a question: a drawn or moved line, a class, a node; by hand or by keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from math import floor, log10

import numpy as np
import streamlit as st

from lastviz.export.blocks import Block, Live, Picture, Section, SliderStop, Words
from lastviz.ui.components.chart_host import chart
from lastviz.ui.shared.headline import legend, show
from lastviz.ui.shared.page_file import (
    MOST_OF_ONE,
    content_or_reason,
    lesson_notes,
    lesson_of,
    save_lesson,
)
from lastviz.ui.shared.widgets import put
from lastviz.ui.state.quiz_codes import Question
from lastviz.ui.text import plain, t

from .asking import pose
from .scene import (
    NOWHERE,
    ClassQuestion,
    NodeQuestion,
    NumberQuestion,
    PosedQuestion,
    SplitQuestion,
    axes_for,
    figure_of,
    place_of,
    split_answer,
)
from .words import alt_of, choice_of, choices_of, heading, reveal_answer, table_of

DRAFT = "quiz_draft"  # the session's key, by question: the answer that is being thought of
MOST_BUTTONS = 12  # classes; more are chosen from a list
STEPS = 200  # of a threshold, over the range of its feature

Submit = Callable[[str], None]


def draft_of(key: str) -> str | None:
    """Answer that the user is about to submit, None without one."""
    return st.session_state.get(DRAFT, {}).get(key)


def forget_drafts() -> None:
    """Forget the answers that the user was about to submit; for callbacks."""
    st.session_state.pop(DRAFT, None)


def _think_of(key: str, answer: str) -> None:
    st.session_state[DRAFT] = st.session_state.get(DRAFT, {}) | {key: answer}


def question_head(posed: PosedQuestion) -> None:
    """Draw the question and the legend of its classes."""
    with st.container(key="quiz_head"):
        st.subheader(plain(heading(posed)), anchor=False)
    show(legend(posed.class_names, posed.theme))


def picture(
    posed: PosedQuestion,
    key: str,
    picked: str | None,
    *,
    open_to_answers: bool,
    revealed: bool = False,
    others: Sequence[str] = (),
    table: bool = True,
) -> None:
    """Draw the picture of a question; clicks and lines set the user's draft.

    `key` names the question, `picked` is the reader's answer, given or thought of, `others` are
    those of a class. Once it is `revealed` the algorithm's answer is drawn, too; a `table` below
    has the numbers that a question is answered by.
    """
    clicked = line = feature = None
    if isinstance(posed, SplitQuestion):
        feature = _feature(posed, key, picked)
    shown = None if revealed else feature
    figure = figure_of(posed, picked, others, feature=shown, best=revealed)
    if open_to_answers and isinstance(posed, SplitQuestion):
        axes = axes_for(len(posed.names), feature)
        figure.settings["meta"]["features"] = {"x": axes[0], "y": axes[1]}
        clicked = partial(_place_clicked, posed, key, axes)
        line = partial(_line_drawn, posed, key, axes)
    elif open_to_answers and isinstance(posed, NodeQuestion):
        clicked = partial(_node_clicked, posed, key)
    chart(
        figure,
        key="quiz_picture",
        height=figure.height,
        alt=alt_of(posed),
        on_click=clicked,
        on_line=line,
        filename="question",
    )
    if table and not isinstance(posed, SplitQuestion):
        show(table_of(posed))
    elif open_to_answers:
        st.caption(t("Draw a line, click a place, or move the threshold."))


def _feature(posed: SplitQuestion, key: str, picked: str | None) -> int:
    place = place_of(picked or draft_of(key) or "", len(posed.names))
    return place[0] if place is not None else 0


def _node_clicked(posed: NodeQuestion, key: str, click: dict) -> None:
    if click.get("node") in posed.inner:
        _think_of(key, str(click["node"]))


def _place_clicked(posed: SplitQuestion, key: str, axes: tuple[int, int], click: dict) -> None:
    feature = _feature(posed, key, None)
    at = click.get("x") if feature == axes[0] else click.get("y")
    if at is not None:
        _think_of(key, split_answer(feature, _on_step(posed, feature, float(at))))


def _line_drawn(posed: SplitQuestion, key: str, axes: tuple[int, int], line: dict) -> None:
    """Take a drawn line for the threshold that it comes nearest to."""
    (x0, y0), (x1, y1) = line["from"], line["to"]
    wide, high = (range_of(posed, axis) for axis in axes)
    across = abs(x1 - x0) / (wide[1] - wide[0]), abs(y1 - y0) / (high[1] - high[0])
    upright = axes[0] == axes[1] or across[0] <= across[1]
    feature, at = (axes[0], (x0 + x1) / 2) if upright else (axes[1], (y0 + y1) / 2)
    _think_of(key, split_answer(feature, _on_step(posed, feature, at)))


def range_of(posed: SplitQuestion, feature: int) -> tuple[float, float]:
    """Least and the largest value of a feature at the root, never the same."""
    values = posed.division.values[posed.rows, feature]
    low, high = float(values.min()), float(values.max())
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def step_of(posed: SplitQuestion, feature: int) -> float:
    """Step in which a threshold of a feature is moved by hand."""
    low, high = range_of(posed, feature)
    return 10.0 ** floor(log10((high - low) / STEPS) + 1e-9)


def _on_step(posed: SplitQuestion, feature: int, value: float) -> float:
    """Threshold within the range of a feature, with as many digits as a hand can mean."""
    (low, high), step = range_of(posed, feature), step_of(posed, feature)
    digits = max(0, -floor(log10(step) + 1e-9))
    return min(max(round(round(value / step) * step, digits), low), high)


def take_answer(
    posed: PosedQuestion, key: str, submit: Submit, *, given: str | None = None
) -> None:
    """Draw the controls for an answer; `submit` takes it, for callbacks.

    `given` is the answer that was given already and can still be changed.
    """
    with st.container(key="quiz_answers"):
        if isinstance(posed, SplitQuestion):
            _take_split(posed, key, submit)
        elif isinstance(posed, ClassQuestion):
            _take_class(posed, submit, given)
        elif isinstance(posed, NumberQuestion):
            _take_number(posed, key, submit)
        else:
            _take_node(posed, key, submit)


def _take_split(posed: SplitQuestion, key: str, submit: Submit) -> None:
    feature = _feature(posed, key, None)
    draft = place_of(draft_of(key) or "", len(posed.names))
    if len(posed.names) > 1:
        put("quiz_feature", feature)
        st.selectbox(
            t("Feature"),
            range(len(posed.names)),
            key="quiz_feature",
            format_func=posed.names.__getitem__,
            on_change=lambda: _other_feature(posed, key),
        )
    (low, high), step = range_of(posed, feature), step_of(posed, feature)
    at = draft[1] if draft is not None else _on_step(posed, feature, (low + high) / 2)
    name = f"quiz_threshold_{feature}"
    put(name, at)
    st.slider(
        t("Threshold of {name}", name=posed.names[feature]),
        min_value=low,
        max_value=high,
        step=step,
        key=name,
        format=f"%.{max(0, -floor(log10(step) + 1e-9))}f",
        on_change=lambda: _think_of(key, split_answer(feature, st.session_state[name])),
    )
    st.button(
        t("Answer"),
        key="quiz_answer",
        type="primary",
        width="stretch",
        on_click=partial(submit, split_answer(feature, at)),
    )
    st.button(
        t("Nowhere: it stays one leaf"),
        key="quiz_nowhere",
        width="stretch",
        on_click=partial(submit, NOWHERE),
    )


def _other_feature(posed: SplitQuestion, key: str) -> None:
    feature = st.session_state["quiz_feature"]
    low, high = range_of(posed, feature)
    _think_of(key, split_answer(feature, _on_step(posed, feature, (low + high) / 2)))


def _take_class(posed: ClassQuestion, submit: Submit, given: str | None) -> None:
    choices = choices_of(posed)
    if len(choices) > MOST_BUTTONS:
        st.selectbox(
            t("Class"), list(choices), key="quiz_class", index=None, format_func=choices.get
        )
        chosen = st.session_state.get("quiz_class")
        st.button(
            t("Answer"),
            key="quiz_answer",
            type="primary",
            disabled=chosen is None,
            on_click=partial(submit, chosen),
        )
        return
    for code, name in choices.items():
        st.button(
            name,
            key=f"quiz_class_{code}",
            width="stretch",
            type="primary" if code == given else "secondary",
            on_click=partial(submit, code),
        )


def _take_number(posed: NumberQuestion, key: str, submit: Submit) -> None:
    held_out, n = len(posed.division.held_out_rows), posed.n
    label = t("Wrong of {n} held-out rows" if held_out else "Wrong of {n} training rows", n=n)
    at = st.slider(label, 0, n, n // 2, key=f"quiz_n_{key}_{n}")
    look = {"key": "quiz_answer", "type": "primary", "width": "stretch"}
    st.button(t("Answer"), on_click=partial(submit, str(at)), **look)


def _take_node(posed: NodeQuestion, key: str, submit: Submit) -> None:
    choices, draft = choices_of(posed), draft_of(key)
    chosen = draft if draft in choices else None
    put("quiz_node", chosen)
    st.segmented_control(
        t("The wrong node"),
        list(choices),
        key="quiz_node",
        format_func=choices.get,
        on_change=lambda: _think_of(key, st.session_state["quiz_node"] or ""),
    )
    st.button(
        t("Answer"),
        key="quiz_answer",
        type="primary",
        width="stretch",
        disabled=chosen is None,
        on_click=partial(submit, chosen),
    )


# ---- A quiz as a SCORM 1.2 package: its questions as slides that judge answers by themselves


def package_box(questions: tuple[Question, ...]) -> None:
    """Draw the description of the package and its save button, once the box is open."""
    box = st.popover(
        t("For a learning platform"), key="quiz_scorm", on_change="rerun", disabled=not questions
    )
    if not box.open:
        return
    with box:
        content = content_or_reason(partial(quiz_package, questions), "quiz_scorm")
    if content is None:
        return
    box.caption(
        t("A SCORM 1.2 package for Moodle and other platforms. It judges the answers and reports "
          "the score; whoever reads its source finds the answers.")
    )  # fmt: skip
    with box:
        save_lesson(content, "quiz", "quiz_scorm_save", type="primary")


def quiz_package(questions: tuple[Question, ...]) -> bytes:
    """Quiz as a zip file for learning platforms.

    Raises CannotShow if a question cannot be asked; Working while what one asks about is worked
    out; TooLarge if its page would have more than 3 MB.
    """
    return lesson_of([_slide(question) for question in questions], t("Quiz"), MOST_OF_ONE)


def _slide(question: Question) -> Section:
    light, dark = (pose(question, theme) for theme in ("light", "dark"))
    before, after = ((_blocks(light, best), _blocks(dark, best)) for best in (False, True))
    return Section(
        heading(light),
        about=t(light.dataset.name),
        blocks=before[0],
        dark=before[1],
        form=_form(light) + lesson_notes(),
        live=Live(stops=[SliderStop("", *before), SliderStop("", *after)]),
    )


def _blocks(posed: PosedQuestion, best: bool) -> list[Block]:
    """Blocks of a question, without or with the answer."""
    figure, table = figure_of(posed, None, best=best), table_of(posed)
    blocks = [Words(legend(posed.class_names, posed.theme)), Picture(figure, alt_of(posed), "")]
    return [*blocks, Words(table)] if table else blocks


def _form(posed: PosedQuestion) -> str:
    """Form for the answer as HTML, and the response to each answer."""
    about: dict[str, object] = {"words": [t("Right."), t("Not right.")]}
    if isinstance(posed, SplitQuestion):
        about |= {"kind": "split", "right": _right_interval(posed), "ranges": _ranges(posed)}
        about["reveals"] = {"": reveal_answer(posed, None), NOWHERE: reveal_answer(posed, NOWHERE)}
        inside = _threshold_form(posed)
    else:
        choices = choices_of(posed)
        about |= {"kind": "choice", "right": choice_of(posed, posed.answer)}
        about["reveals"] = {code: reveal_answer(posed, code) for code in choices}
        inside = "".join(_button(code, name) for code, name in choices.items())
    label, data = escape(heading(posed)), escape(json.dumps(about), quote=True)
    return (
        f'<div data-ask="{data}"><fieldset aria-label="{label}">{inside}</fieldset>'
        '<div class="verdict words" role="status"></div></div>'
    )


def _button(answer: str, name: str) -> str:
    return f'<button type="button" data-answer="{escape(answer)}">{escape(name)}</button>'


def _threshold_form(posed: SplitQuestion) -> str:
    feature = ""
    if len(posed.names) > 1:
        options = "".join(
            f'<option value="{i}">{escape(name)}</option>' for i, name in enumerate(posed.names)
        )
        feature = f"<label>{t('Feature')} <select>{options}</select></label>"
    threshold = f'<label>{t("Threshold")} <input type="range"> <output></output></label>'
    answers = (("threshold", t("Answer")), (NOWHERE, t("Nowhere: it stays one leaf")))
    return feature + threshold + "".join(_button(*answer) for answer in answers)


# None where the root stays a leaf.
def _right_interval(posed: SplitQuestion) -> list[float] | None:
    """Feature and range [low, high) of thresholds that split rows as the tree does."""
    place = place_of(posed.answer, len(posed.names))
    if place is None:
        return None
    values = np.unique(posed.division.values[posed.rows, place[0]])
    above = int(np.searchsorted(values, place[1], side="right"))
    return [place[0], float(values[above - 1]), float(values[above])]


def _ranges(posed: SplitQuestion) -> list[list[float]]:
    features = range(len(posed.names))
    return [[*range_of(posed, f), step_of(posed, f)] for f in features]
