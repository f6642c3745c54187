"""A quiz as a SCORM 1.2 package: its questions as slides that judge answers by themselves."""

from __future__ import annotations

import json
from html import escape

import numpy as np
import streamlit as st

from lastviz.export.html_report import Picture, Words
from lastviz.export.scorm import as_package
from lastviz.export.slide_show import Block, Live, Slide, SliderStop, TooLarge
from lastviz.host.jobs import Working
from lastviz.ui.shared.headline import legend
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.live_page import MOST_BYTES, too_large
from lastviz.ui.shared.slide_file import lesson_notes, page_of
from lastviz.ui.state.quiz_codes import Question
from lastviz.ui.text import CannotShow, plain, t

from .answering import range_of, step_of
from .asking import pose
from .figures import figure_of
from .scene import NOWHERE, PosedQuestion, SplitQuestion, place_of
from .words import alt_of, choices_of, heading, revealed, table_of


def package_box(questions: tuple[Question, ...]) -> None:
    """Draw what the package is, and the button that saves it, once the box is opened."""
    box = st.popover(
        t("For a learning platform"), key="quiz_scorm", on_change="rerun", disabled=not questions
    )
    if not box.open:
        return
    with box, st.spinner(t("Working out the page …")):
        try:
            content = quiz_package(questions)
        except Working as working:
            job_box(working.job, "quiz_scorm")
            return
        except CannotShow as reason:
            st.info(plain(str(reason)))
            return
        except TooLarge as fault:
            st.error(too_large(fault))
            return
    box.caption(
        t("A SCORM 1.2 package for Moodle and other platforms: it needs no server of ours, judges "
          "the answers and reports the score and whether all questions were answered. Whoever "
          "reads its source finds the answers.")
    )  # fmt: skip
    box.download_button(
        t("Save the SCORM package"),
        content,
        file_name="quiz-scorm.zip",
        mime="application/zip",
        key="quiz_scorm_save",
        type="primary",
        on_click="ignore",
    )


def quiz_package(questions: tuple[Question, ...]) -> bytes:
    """Return a quiz as a zip file for learning platforms.

    Raises
    ------
    CannotShow
        If a question cannot be asked.
    Working
        While what one asks about is worked out.
    TooLarge
        If its page would have more than 3 MB.
    """
    title = t("Quiz")
    slides = [_slide(question) for question in questions]
    return as_package(page_of(slides, title, most=MOST_BYTES, is_lesson=True), title)


def _slide(question: Question) -> Slide:
    light, dark = (pose(question, theme) for theme in ("light", "dark"))
    before, after = ((_blocks(light, best), _blocks(dark, best)) for best in (False, True))
    return Slide(
        question=heading(light),
        about=t(light.dataset.name),
        blocks=before[0],
        dark=before[1],
        form=_form(light) + lesson_notes(),
        live=Live(stops=[SliderStop("", *before), SliderStop("", *after)]),
    )


def _blocks(posed: PosedQuestion, best: bool) -> list[Block]:
    """Return what a question shows, without or with the answer."""
    figure, table = figure_of(posed, None, best=best), table_of(posed)
    blocks = [Words(legend(posed.class_names, posed.theme)), Picture(figure, alt_of(posed), "")]
    return [*blocks, Words(table)] if table else blocks


def _form(posed: PosedQuestion) -> str:
    """Return the ways to answer as html, and what is said of each answer."""
    about: dict[str, object] = {"words": [t("Right."), t("Not right.")]}
    if isinstance(posed, SplitQuestion):
        about |= {"kind": "split", "right": _right_interval(posed), "ranges": _ranges(posed)}
        about["reveals"] = {"": revealed(posed, None), NOWHERE: revealed(posed, NOWHERE)}
        inside = _threshold_form(posed)
    else:
        choices = choices_of(posed)
        about |= {"kind": "choice", "right": posed.answer}
        about["reveals"] = {code: revealed(posed, code) for code in choices}
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


def _right_interval(posed: SplitQuestion) -> list[float] | None:
    """Return feature and range [low, high) of the thresholds that part the rows as the tree does.

    None where the root stays a leaf.
    """
    place = place_of(posed.answer, len(posed.names))
    if place is None:
        return None
    values = np.unique(posed.division.values[posed.rows, place[0]])
    above = int(np.searchsorted(values, place[1], side="right"))
    return [place[0], float(values[above - 1]), float(values[above])]


def _ranges(posed: SplitQuestion) -> list[list[float]]:
    features = range(len(posed.names))
    return [[*range_of(posed, f), step_of(posed, f)] for f in features]
