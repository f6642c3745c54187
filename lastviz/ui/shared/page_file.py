"""A page of the app as one file: as a report, with its slider, or several as slides of a story."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from types import ModuleType

import numpy as np
import streamlit as st

from lastviz.datasets import PAINTED
from lastviz.estimators import is_imported
from lastviz.export.blocks import Block, GrowthPlayer, Live, PageFile, Section, SliderStop
from lastviz.export.page_file import MOST_BYTES, TooLarge, as_package, as_page
from lastviz.export.tree_json import live_tree
from lastviz.host.security import page_address
from lastviz.tree import Tree, decimals_of, digits
from lastviz.ui.components.growth_player import player_code, player_style
from lastviz.ui.compute import availability
from lastviz.ui.compute.scenes import scene_of_all
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work, work_of
from lastviz.ui.state import session
from lastviz.ui.state.codec import without_private
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, as_plain, language, number, t, translate

from .edits import saved_edits
from .figures import theme_of
from .headline import Say
from .job_box import result_or_reason
from .model_view import class_names_of, decided_title, scene_names
from .styles import content_style
from .view_controls import Moving
from .widgets import save_button

MEGABYTE = 1_000_000
MOST_OF_ONE = 3 * MEGABYTE  # what a learning platform takes without a question
MOST_OF_REPORT = 6 * MEGABYTE
FORMS = {"slide_blocks": "Offline page", "report": "Report"}  # what a page has for each
OF_THEIR_OWN = {"textbook", "papers", "compare"}  # what they show is not the data of the scene


def base_address() -> str | None:
    """Address of the app's first page; None where it is not known."""
    here = page_address()
    return f"{here.rpartition('/')[0]}/" if here else None


def page_of(sections: Sequence[Section], title: str, most: int = MOST_BYTES, **more: object) -> str:
    """Page as a file, in the language of the session; `more` is of :class:`PageFile`.

    Raises
    ------
    TooLarge
        If it would have more than `most` bytes.
    """
    grows = any(_grows(section.blocks) for section in sections)
    page = PageFile(title, sections, language=language(), words=_words(), **more)
    style = content_style() + page.style + (player_style() if grows else "")
    return as_page(replace(page, style=style, player=player_code() if grows else ""), most)


def lesson_of(sections: Sequence[Section], title: str, most: int = MOST_BYTES) -> bytes:
    """Package for a learning platform, which hears of answers and how far a reader is."""
    return as_package(page_of(sections, title, most, turns=True, is_lesson=True), title)


def _grows(blocks: Sequence[Block]) -> bool:
    return any(
        block.kind == "growth" or (block.kind == "columns" and any(map(_grows, block.columns)))
        for block in blocks
    )


def _words() -> dict[str, str]:
    return {
        "contents": t("Contents"),
        "slide": t("slide"),
        "place": t("{n} of {all}", n="{n}", all="{all}"),
        "back": t("Back"),
        "next": t("Next"),
        "notes": t("Notes"),
        "blank": t("Blank the screen"),
        "full": t("Full screen"),
        "keys": t("Keys"),
        "timer": t("Time since the start; press to restart"),
        "link": t("Open this in the app"),
        "close": t("Close"),
        "turn": t("to the next slide, and back"),
        "ends": t("to the first slide, and to the last"),
        "growth": t("where a tree grows: its steps; Page Down and Page Up turn the slides"),
        "row": t("Type a row for {model}", model="{model}"),
        "predicted": t("Predicted: {outcome}.", outcome="{outcome}"),
        "rows": t("Training rows there: {n}.", n="{n}"),
        "parts": t("A value is missing: the row goes to {n} leaves in parts.", n="{n}"),
        "lacks": t("The tree asks for {name}: type a value.", name="{name}"),
        "wrong": t("{name} takes a number, or nothing if it is unknown.", name="{name}"),
    }


def lesson_notes() -> str:
    """Html that a lesson shows once it is over, and where no learning platform is."""
    score = t("{n} of {all} right", n="{n}", all="{all}")
    alone = t("No learning platform was found: the score stays on this page.")
    return f'<p data-score="{score}" hidden></p><p data-alone hidden>{alone}</p>'


# ---------------------------------------------------------------- what a page shows of a scene


@dataclass(frozen=True, eq=False)
class SlideReady:
    """A slide as it goes into the page."""

    slide: Section
    lacks: str = ""  # why it has no picture; "" where it has one, or its page never has
    finding: str = ""  # sentence that its page opens with, its title unless it has one of its own

    def blocks_in(self, theme: str) -> Sequence[Block]:
        """Blocks in a theme, "light" or "dark"."""
        return self.slide.blocks if theme == "light" else self.slide.dark or ()


def ready_scene(
    work: Work,
    page: str,
    module: ModuleType | None,
    problems: Sequence[str],
    about: Mapping[str, str],
    *,
    own_files: bool,
    is_titled: bool = True,
) -> SlideReady:
    """Slide of a scene, as its page shows it, in both themes.

    Parameters
    ----------
    selection : Selection
    page : str
    module : module or None
        What draws the page; None where it shows nothing on a slide.
    problems : sequence of str
        What of the scene could not be read.
    about : mapping
        More of the :class:`lastviz.export.blocks.Section`: its caption, notes and link; its title
        if somebody has worded one, to which no sentence of the page is preferred.
    own_files : bool
        Whether what the reader's own files hold may be drawn.
    is_titled : bool
        Whether the sentence that the page opens with becomes the title.

    Raises
    ------
    Working
        While something that it shows is worked out.
    """
    asked = t(page.capitalize()) if module is None else t(question_of(module, work.selection))
    is_own_title = "title" in about
    about = {"title": asked, "question": asked if is_own_title else "", **about}
    if module is None:
        return SlideReady(Section(**about))
    lacks = problems[0] if problems else _lacks(work, page, module, own_files=own_files)
    if lacks:
        return SlideReady(Section(**about), lacks)
    try:
        light, dark = (blocks_of(work, page, module, name) for name in ("light", "dark"))
    except CannotShow as reason:
        return SlideReady(Section(**about), translate(reason))
    about["about"] = "" if page in OF_THEIR_OWN else about_words(work.selection, module)
    finding = finding_in(light)
    if is_titled and finding and not is_own_title:
        about |= {"title": finding, "question": asked}
        light, dark = map(below_finding, (light, dark))
    return SlideReady(Section(**about, blocks=light, dark=dark), finding=finding)


def question_of(page: ModuleType, selection: Selection) -> str:
    """Question of a page, or of a view of it that has its own."""
    for field, view, question in getattr(page, "QUESTIONS", ()):
        if selection.value(field) == view:
            return question
    return page.QUESTION


def finding_in(blocks: Sequence[Block]) -> str:
    """Sentence that a page opens with, "" where it has none."""
    for block in blocks:
        if isinstance(block, Say):
            return as_plain(block.statements[0])
        if isinstance(block, GrowthPlayer):  # it says another one at another step
            return block.say
    return ""


def below_finding(blocks: Sequence[Block]) -> list[Block]:
    """Blocks without the sentence that is their title."""
    opening = next((block for block in blocks if isinstance(block, Say)), None)
    rest = [Say(*opening.statements[1:])] if opening and opening.statements[1:] else []
    return [each for block in blocks for each in (rest if block is opening else [block])]


def _lacks(work: Work, page: str, module: ModuleType, *, own_files: bool) -> str:
    """Reason why a page cannot show a scene on a slide, or ""."""
    if page in OF_THEIR_OWN:
        return ""
    if is_away(work.selection):
        return t("Its data are not available here.")
    if is_own(work.selection) and not own_files:
        return t("It is about a file of yours, which stays here.")
    if getattr(module, "ABOUT_CLASSES", False) and work.dataset.is_regression:
        return t("This page is about classes; the target is a number.")
    models = work.selection.models[: getattr(module, "MODELS", 0)]
    if getattr(module, "REPLAYS", False) and any(is_imported(model.key) for model in models):
        return t("Your own model was not grown here, so there is nothing to replay.")
    return ""


def is_away(selection: Selection) -> bool:
    """Whether data of a scene are not in this session, or not painted."""
    if availability.missing_file(selection) or availability.missing_set(selection) is not None:
        return True
    return selection.data == PAINTED and not selection.painted


def is_own(selection: Selection) -> bool:
    """Whether a scene is about a file or a model that somebody brought."""
    return selection.upload is not None or any(is_imported(m.key) for m in selection.models)


def blocks_of(work: Work, page: str, module: ModuleType, name: str) -> Sequence[Block]:
    """Blocks of a slide in the theme of a name."""
    theme = name if page in OF_THEIR_OWN else theme_of(work.dataset, name)
    made = partial(module.slide_blocks, work, theme)
    if hasattr(module, "page_scene"):  # a study goes on, a part of a page has more than its scene
        made = partial(scene_of_all, f"slide|{page}", work, theme, made)
    blocks, n_models = made(), getattr(module, "MODELS", 0)
    edits = saved_edits(work.first_models(n_models)) if n_models else []
    at = next((i + 1 for i, block in enumerate(blocks) if isinstance(block, Say)), 0)
    return [*blocks[:at], *edits, *blocks[at:]]


def about_words(selection: Selection, module: ModuleType | None) -> str:
    """Data and models that a page shows of a scene, in words."""
    n_named = getattr(module, "NAMED", getattr(module, "MODELS", 0))
    return t(", ").join(scene_names(work_of(selection.first_models(n_named))))


# ---------------------------------------------------------------- the box


# As a report, or as an offline page with its slider.
def save_box(work: Work, page: str, module: ModuleType) -> None:
    """Draw the part that saves the page as a file, once it is open."""
    box = st.expander(t("This page as a file"), key="page_file", on_change="rerun")
    if box.open:
        with box:
            _in_the_box(work, page, module)


def reports(work: Work, module: ModuleType) -> bool:
    """Whether a page has a report of its scene."""
    return hasattr(module, "report") and getattr(module, "has_report", lambda _: True)(work)


def _in_the_box(work: Work, page: str, module: ModuleType) -> None:
    forms = {form: t(title) for form, title in FORMS.items() if hasattr(module, form)}
    if not reports(work, module):
        forms.pop("report", None)
    form = next(iter(forms))
    if len(forms) > 1:
        form = st.segmented_control(
            t("Format"),
            forms,
            key="page_form",
            default=form,
            required=True,
            format_func=forms.get,
            label_visibility="collapsed",
        )

    def make() -> str:
        if form != "report":
            return live_page(work, page, module, base_address())
        here = page_address()
        return module.report(f"{here}?{session.link()}" if here else None)

    content = content_or_reason(make, "page_file")
    if content is None:
        return
    st.caption(t("One file that needs no network and opens in any browser."))
    if is_own(work.selection) and page not in OF_THEIR_OWN:
        st.caption(t("Anyone who has the page can then read the rows that it draws."))
    if form == "report":
        # Named by what it saves: the button of the other format stands until this one is made.
        label = t("Save the report ({size} MB)", size=size_of(content))
        save_page(content, f"lastviz-{page}-report.html", "page_save", label)
    else:
        save_page(content, f"lastviz-{page}.html", "page_save")


def size_of(content: str) -> str:
    """Size of a file in megabytes, in words."""
    return number(ceil(10 * len(content.encode()) / MEGABYTE) / 10)


def save_page(content: str, file_name: str, key: str, label: str = "") -> None:
    """Draw the button that saves a page as a file; by default its label says so."""
    label = label or t("Save the page ({size} MB)", size=size_of(content))
    save_button(label, content.encode(), file_name, mime="text/html", key=key, type="primary")


def save_lesson(content: bytes | Callable[[], bytes], name: str, key: str, **more: object) -> None:
    """Draw the button that saves a lesson; `more` is Streamlit's."""
    save_button(
        t("Save the SCORM package"),
        content,
        f"{name}-scorm.zip",
        mime="application/zip",
        key=key,
        **more,
    )


def content_or_reason(make: Callable[[], str | bytes], key: str) -> str | bytes | None:
    """Content of a file, None if its progress or the reason for none is drawn."""
    try:
        with st.spinner(t("Working out the page …")):
            return result_or_reason(make, key)
    except TooLarge as fault:
        st.error(too_large(fault))
    return None


def too_large(fault: TooLarge) -> str:
    """Sentence on a file that is too large, with the remedy."""
    return t(
        "The file would have {size} MB, more than {most}. Show fewer rows, or a smaller tree.",
        size=number(round(fault.size / MEGABYTE, 1)),
        most=number(fault.most // MEGABYTE),
    )


def live_page(work: Work, page: str, module: ModuleType, base: str | None) -> str:
    """Page of a scene that moves by itself.

    Raises
    ------
    CannotShow
        If the page has no picture of the scene.
    Working
        While something that it shows is worked out.
    TooLarge
        If it would have more than 3 MB.
    """
    work = work_of(without_private(work.selection))
    link = {} if base is None else {"link": f"{base}{page}"}
    moves = hasattr(module, "moving") and module.moving(work) is not None
    ready = ready_scene(work, page, module, (), link, own_files=True, is_titled=not moves)
    if ready.lacks:
        raise CannotShow(ready.lacks)
    slide = replace(ready.slide, live=_live(work, page, module))
    return page_of([slide], f"lastviz · {t(page.capitalize())}", MOST_OF_ONE, turns=True)


def _live(work: Work, page: str, module: ModuleType) -> Live | None:
    """Slider and tree of a page without a server; None where nothing moves."""
    moving = module.moving(work) if hasattr(module, "moving") else None
    tree = _tree(work, page, module, moving)
    if moving is None and tree is None:
        return None
    if moving is None:
        return Live(tree=tree)
    stops = [
        SliderStop(
            word,
            *(blocks_of(there, page, module, name) for name in ("light", "dark")),
            cut.tolist(),
        )
        for word, there, cut in moving.stops
    ]
    return Live(moving.label, moving.at, stops, tree)


def _tree(
    work: Work, page: str, module: ModuleType, moving: Moving | None
) -> dict[str, object] | None:
    """Tree of the first model for typed rows; None where a page has none."""
    if not getattr(module, "MODELS", 0) or page in {"data", *OF_THEIR_OWN}:
        return None
    if hasattr(module, "shown_work"):
        work = module.shown_work(work)
    estimator = work.first.fitted_any.estimator
    tree = None if moving is None else moving.tree
    tree = getattr(estimator, "tree_", None) if tree is None else tree
    # A forest votes, machines sum over support vectors, an envelope is more than the tree.
    if tree is None or len(tree.kernel) or getattr(estimator, "monotone", False):
        return None
    names = () if tree.is_regression else class_names_of(work.dataset)
    return live_tree(tree, decided_title(work.first), names, _usual(tree, work.first.division))


def _usual(tree: Tree, division: Division) -> list[object]:
    """Median of each number in training, and the most frequent category."""
    values, usual = division.values[division.train_rows], []
    for feature, known in enumerate(tree.feature_categories):
        column = values[:, feature]
        column = column[~np.isnan(column)]
        if known is None:
            median = float(np.median(column)) if len(column) else np.nan
            usual.append(float(digits(median, decimals_of(column))) if len(column) else np.nan)
        else:
            codes = column.astype(np.intp)
            usual.append(known[int(np.bincount(codes[codes >= 0], minlength=1).argmax())])
    return usual
