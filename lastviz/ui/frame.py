"""The frame around every page: settings, navigation, the style rule, the question, errors."""

from __future__ import annotations

import gc
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cache as once
from functools import partial
from html import escape
from threading import Thread
from typing import Protocol

import streamlit as st

from lastviz import preparation
from lastviz._places import app_folder
from lastviz._plugins import VARIABLE, load_plugins
from lastviz.criteria import limit_criteria
from lastviz.estimators import entry_of, is_imported
from lastviz.export.blocks import GrowthPlayer
from lastviz.host import preparing, visitor
from lastviz.host.jobs import has_page_open
from lastviz.host.shortcuts import shorten
from lastviz.host.turns import TURNS
from lastviz.host.visitor import look_after
from lastviz.studies.example import EXAMPLE
from lastviz.ui.components.brush import brush_watch, reach
from lastviz.ui.components.chart_host import preload
from lastviz.ui.components.served import library_is_served
from lastviz.ui.components.stage import page_watch, story_watch, visitor_watch
from lastviz.ui.compute.availability import reading, weighing
from lastviz.ui.compute.scenes import scene_of_all
from lastviz.ui.compute.work import current, one_run
from lastviz.ui.quiz.guess import guess_first
from lastviz.ui.shared.blocks import draw
from lastviz.ui.shared.brushing import brush_panel, take_brush
from lastviz.ui.shared.course_strip import course_strip
from lastviz.ui.shared.doors import doors
from lastviz.ui.shared.edits import edit_panels
from lastviz.ui.shared.example import example_note
from lastviz.ui.shared.figures import current_theme, page_theme
from lastviz.ui.shared.headline import show as show_html
from lastviz.ui.shared.job_box import end_left_behind, proof_note
from lastviz.ui.shared.language_switch import language_switch, words_for_streamlit
from lastviz.ui.shared.login_box import ask_to_log_in, way_out
from lastviz.ui.shared.missing_data import (
    ask_for_file,
    ask_for_painting,
    ask_to_paint,
    wait_for_visitor,
)
from lastviz.ui.shared.model_view import scene_names
from lastviz.ui.shared.openml_box import ask_for_set
from lastviz.ui.shared.page_file import below_finding, blocks_of, finding_in, question_of
from lastviz.ui.shared.stage import stage_bar, stage_doors
from lastviz.ui.shared.styles import embed_style, logo, page_style, stage_style

from .compute import availability, kept, studies, uploads
from .shared import controls, guard
from .state import resumption, session, story
from .state.quiz_codes import write_story
from .text import CannotShow, language, plain, t

FRAMED = "framed"
HOME = "home"
PAGES = {
    HOME: ("Home",),
    "data": ("Data", "data=breast_cancer"),
    "boundaries": ("Boundaries", "data=xor&m=cart&m.max_leaf_nodes=8&m2=oc1"),
    "growth": ("Growth", "data=blobs&m=cart&m.min_samples_leaf=5"),
    "splits": ("Splits", "data=xor&m=cart&m.max_depth=3"),
    "pruning": ("Pruning", "data=moons&n_samples=500&noise=0.3&m=cart"),
    "rules": ("Rules", "data=breast_cancer&m=c45&m.min_samples_leaf=5"),
    "compare": ("Compare", "study=example"),
    "latent": ("Latent space", "data=waveform&n_samples=900&m=lsodt&m.levels=2&m2=c45"),
    "quiz": ("Quiz", "data=blobs&m=cart"),
    "textbook": ("Textbook",),
    "monotone": (
        "Monotone", "data=monotone&n_samples=150&label_noise=0.1&m=cart&part=short&seed=15",
    ),
    "papers": ("Papers",),
    "story": ("Story",),
    "privacy": ("Privacy",),
}  # fmt: skip
"""Name of the file and of the address -> title in the header, in its order, and the scene that the
page shows while nothing was chosen, as a query (the app's first data and models without one)."""
WITHOUT_DATA = {"home", "data", "textbook", "papers", "quiz", "story", "privacy"}  # they need none
FOR_VISITORS = {"compare", "quiz"}  # pages that keep something for who began it
ABOUT_VISITORS = {"privacy"}  # pages that ask who it is, and keep nothing
MOST_SECONDS = 10.0  # of one call of a criterion that a module of the operator brings
MOST_REQUESTS = 3  # runs in which a browser is asked for a token that it does not keep
TOKEN_REQUESTS = "visitor_asked"  # the session's: in how many runs it was
TAKEN_OVER = "taken_over"  # the session's: the page on which the account took data over


def configure() -> None:
    """Set the options common to all pages, in the first Streamlit call of a run."""
    # An emoji, since an icon by name would be fetched from a font server.
    # An entry of our own makes the menu appear, and with it the choice of the theme.
    st.set_page_config(
        page_title="lastviz",
        page_icon="🌳",
        layout="wide",
        initial_sidebar_state=272,
        menu_items={"About": t("lastviz: see how decision trees think.")},
    )
    preload()  # before anything is worked out: the library takes longest to arrive
    if not session.is_embedded():
        st.logo(logo(page_theme()))


def navigation() -> st.Page:
    """Current page; draws the names of all in the header."""
    # Streamlit marks the one that is shown: each run has pages of its own.
    entries = [copy(_page(name, language())) for name in PAGES]
    position = "hidden" if session.is_embedded() else "top"
    chosen = st.navigation(entries, position=position, expanded=True)
    name = chosen.url_path or HOME
    session.enter_page(name, *PAGES[name][1:])
    return chosen


def _closed(standing: visitor.Standing) -> None:
    """Draw the way in, and nothing of the page that was asked for; its address stays."""
    entries = [copy(_page(name, language())) for name in PAGES]
    st.navigation(entries, position="hidden")
    _show_style()
    ask_to_log_in(standing)
    _watch()
    language_switch()


@once
def _page(name: str, code: str) -> st.Page:
    """Entry of the menu for a page, in a language: its file is looked for once."""
    title = t(PAGES[name][0])
    file = app_folder() / "pages" / f"{name}.py"
    return st.Page(file, title=title, url_path=name, default=name == HOME)


def run() -> None:
    """Run the current page, if the reader may see it."""
    guard.begin()
    st.session_state[FRAMED] = True
    guard.part("start", configure)
    guard.part("start", warm_up)
    guard.part("start", session.sync, uploads.shared_file, uploads.text_of)
    standing = visitor.standing()
    if standing.may_enter:
        navigation().run()
    else:
        _closed(standing)


def admit() -> None:
    """Draw the frame around a page that was opened by its own address.

    In a process whose navigation has not run yet, Streamlit runs the file of such a page
    alone. Address and query are kept.
    """
    if FRAMED not in st.session_state:
        navigation()
        st.rerun()
    standing = visitor.standing()
    if not standing.may_enter:
        _closed(standing)
        st.stop()


class PageModule(Protocol):
    """Module that draws a page; ``lastviz/ui/<page>/page.py`` is one.

    Attributes
    ----------
    QUESTION : str
        The question that the page answers, in English.
    QUESTIONS : tuple of (str, str, str), optional
        Fields with a value by which a view is chosen, and the question of that view.
    ABOUT_CLASSES : bool, optional
        Whether the page is about classes: where numbers are to be learnt it says so and ends.
    MODELS : int, optional
        How many models the page shows at most, 0 if not given; what is said about models is said
        of those.
    NAMED : int, optional
        How many of them its pictures show, `MODELS` if not given: those are named where one leaves.
    subject_names : callable, optional
        Returns what a phone's bar and pictures that leave the page name, if not data and models.
    choices : callable, optional
        Draws the sidebar. It stands there even if the body fails, so that the reader can choose
        otherwise.
    page_scene : callable, optional
        Works out the scene of a Work in a theme, before anything is sent. It raises CannotShow
        where there is none.
    is_own : callable, optional
        Tells whether the scene shows what only this visitor has and the selection does not say,
        such as a file in a field: it is never another's then.
    views : callable, optional
        Draws the choice of a view of the scene, beside the question.
    body : callable
        Draws the scene; takes nothing where the page has no `page_scene`.
    instead : callable, optional
        Draws what to do where there is no scene.
    slide_blocks : callable, optional
        Returns what a slide shows of a selection in a theme, as blocks of
        :mod:`lastviz.export.blocks`; it looks at nothing else.
    shown_work : callable, optional
        Returns the Work whose first model a saved page asks about typed rows, where it is another.
    report : callable, optional
        Writes the page's report, given the address of its scene.
    has_report : callable, optional
        Tells whether the scene of a Work has a report, where not all have.
    """

    QUESTION: str


@dataclass(frozen=True)
class StandIn:
    """Replacement drawn instead of a page; see :class:`PageModule`."""

    QUESTION: str
    body: Callable[[], None]
    choices: Callable[[], None] | None = None
    NAMED: int = 0  # how many models the page would show
    is_bare: bool = False  # whether nothing stands around it, not even the question
    finding: str = ""  # the sentence that answers the question, its title


@one_run()
def show(page: PageModule) -> None:
    """Draw a page: its question, notes on the link and its scene; catch errors.

    Where something is needed that takes long, its progress stands in place of the rest.
    What comes first is drawn first by the browser, and what comes at once is drawn at once:
    a moved slider should be answered by the picture.
    """
    admit()
    wanted = session.page_to_open()
    if wanted in PAGES and wanted != session.page():
        st.switch_page(_page(wanted, language()))
    found, say_why = guard.try_part(partial(_request, page))
    page, scene = found or (page, None)
    pictured = getattr(page, "slide_blocks", None)
    guard.part("head", _head, page, scene)
    guard.part("head", guard.show_pending_error)
    guard.part("page", say_why, pictured=pictured)
    guard.part("body", _body, page, scene, pictured=pictured)
    guard.part("sidebar", _sidebar, page)
    guard.part("foot", _foot, page)
    if resumption.give_up():  # the foot, which ends a run that shows nothing, has failed
        st.rerun()


def _request(page: PageModule) -> tuple[PageModule | StandIn, tuple]:
    """Page, or its replacement, and the scene to draw."""
    uploads.store_held()
    if kept.take_over():
        st.session_state[TAKEN_OVER] = session.page()
    instead = _in_place_of(page)
    if instead is not None:
        return instead, ()
    if session.current().story.staged and hasattr(page, "slide_blocks"):
        return _slide(page), ()
    if session.current().view.brushed:
        reach()
    _check_grown_here(page)
    return page, (_prepared(page),) if hasattr(page, "page_scene") else ()


def _slide(page: PageModule) -> StandIn:
    """Page on a stage, with the content of its slide."""
    blocks = blocks_of(current(), session.page(), page, page_theme())
    drawn = partial(draw, below_finding(blocks), f"slide-{session.page()}")
    still = [block for block in blocks if not isinstance(block, GrowthPlayer)]  # it speaks itself
    return StandIn(question_of(page, session.current()), drawn, finding=finding_in(still))


def _body(page: PageModule | StandIn, scene: tuple | None) -> None:
    """Draw a scene with its notes, or the next step where there is no scene."""
    if getattr(page, "is_bare", False):
        page.body()
        return
    n_models = getattr(page, "MODELS", 0)
    notes = st.container()  # always: what stands below keeps its place as sentences go
    with notes:
        example_note(session.current())
        _notices(n_models)
        if n_models:
            _edits(n_models)
    if scene is not None:
        page.body(*scene)
        _brushed(n_models)
    elif hasattr(page, "instead"):
        page.instead()
    with notes:
        _model_notes(n_models)


def _sidebar(page: PageModule | StandIn) -> None:
    if _has_choices(page):
        with st.sidebar:
            page.choices()


def _prepared(page: PageModule) -> object:
    """Scene of a page, shared with other sessions where possible."""
    work = current()
    theme = current_theme(work.dataset)
    make = partial(page.page_scene, work, page_theme() if _has_own_data() else theme)
    if hasattr(page, "is_own") and page.is_own():
        return make()
    return scene_of_all(page.QUESTION, work, theme, make)


def _in_place_of(page: PageModule) -> StandIn | None:
    """Replacement of a page that cannot be drawn yet or as it is, None otherwise."""
    question = question_of(page, session.current())
    bare = partial(StandIn, question, is_bare=True)
    if _needs_visitor():
        return bare(partial(wait_for_visitor, question))
    ask = _request_data()
    if ask is not None:
        return bare(ask)
    n_models = getattr(page, "MODELS", 0)
    instead = partial(StandIn, question, NAMED=getattr(page, "NAMED", n_models))
    if getattr(page, "ABOUT_CLASSES", False) and _is_regression():
        return instead(_only_classes, _other_data)
    if session.current().view.ask is not None and n_models:
        return StandIn("", partial(guess_first, session.current(), t(question)))
    return None


def _request_data() -> Callable[[], None] | None:
    """Function that draws the way to a page's missing data, None if none is missing."""
    if session.page() in ABOUT_VISITORS:  # what is kept of somebody is told, whatever is missing
        return None
    missing_file = None if _shows_study() else availability.missing_file(session.current())
    if missing_file and (shared := uploads.shared_here(missing_file)):
        session.open_scene(session.current().having(upload=shared), session.problems())
        st.rerun()
    if missing_file:
        return partial(ask_for_file, missing_file)
    if session.lacks_painting() and session.page() not in WITHOUT_DATA - {"data"}:
        return ask_for_painting
    lacks = availability.painting_lacks(session.current())
    if lacks and session.page() not in WITHOUT_DATA and not _shows_study():
        return partial(ask_to_paint, lacks, is_empty=not session.current().painted)
    if number := availability.missing_set(session.current()):
        return partial(ask_for_set, number)
    return None


def _is_regression() -> bool:
    return current().dataset.is_regression


def _edits(n_models: int) -> None:
    """Draw the manual edits of the trees on the page."""
    work = current()
    edit_panels(work, n_models)


def _check_grown_here(page: PageModule) -> None:
    """Refuse a model that was brought on a page that runs its growth again."""
    shown = session.current().models[: getattr(page, "MODELS", 0)]
    if getattr(page, "REPLAYS", False) and any(is_imported(model.key) for model in shown):
        raise CannotShow(
            t("Your own model was not grown here. Its file holds its decisions, but not the "
              "search, the rows and the order behind them, so this page has nothing to replay. "
              "See it on Boundaries, Rules and Growth, or choose an algorithm.")
        )  # fmt: skip


def _show_style() -> None:
    more = stage_style() if session.current().story.staged else ""
    more += embed_style() if session.is_embedded() else ""
    show_html(f"<style>{page_style(page_theme())}{more}</style>")


def _head(page: PageModule | StandIn, scene: tuple | None) -> None:
    """Draw the style, the question, the view chooser and the lesson of the page."""
    _show_style()
    if getattr(page, "is_bare", False):
        return
    guard.part("head", lambda: show_html(_about(page)))
    finding = page.finding if isinstance(page, StandIn) else ""
    question = question_of(page, session.current())
    if finding:
        show_html(f'<p class="lv-question">{escape(t(question))}</p>')
    if question:  # else the body says its own
        st.title(plain(finding) or t(question), anchor=False)
    if scene is not None and hasattr(page, "views"):
        page.views()
    if session.page() != HOME and not session.is_embedded():  # home shows the whole course
        course_strip(session.current(), session.page())


def _about(page: PageModule) -> str:
    """Names of the page's data and models, for phone bars and exported pictures."""
    own = _has_own_data()
    n_named = getattr(page, "NAMED", getattr(page, "MODELS", 0))
    if hasattr(page, "subject_names"):
        names = page.subject_names()
    else:
        names = () if own else scene_names(current().first_models(n_named))
    words = "".join(f"<span>{escape(name)}</span>" for name in names)
    change = f' data-change="{escape(t("Change"))}"' if _has_choices(page) else ""
    return f'<p class="lv-scene"{change}>{words}</p>'


def _has_own_data() -> bool:
    return session.page() in WITHOUT_DATA - {"data"}


# In a frame on another page, the author of that page decides.
def _has_choices(page: PageModule) -> bool:
    """Whether the page has its sidebar."""
    return getattr(page, "choices", None) is not None and (
        session.current().view.steered or not session.is_embedded()
    )


def _brushed(n_models: int) -> None:
    """Draw the brushed rows below the pictures of a classification."""
    work = current()
    if n_models and not _is_regression():
        brush_panel(work, n_models)


# A bare page has nothing to present on a stage.
def _foot(page: PageModule | StandIn) -> None:
    """Draw the end of every page."""
    selection, is_embedded = session.current(), session.is_embedded()
    if selection.story.staged:
        stage_bar(selection, session.page())
    elif not getattr(page, "is_bare", False) and not is_embedded:
        stage_doors(selection, session.page())
    if not is_embedded:
        if not _is_in_room():
            n_models = 0 if session.page() in WITHOUT_DATA else getattr(page, "MODELS", 0)
            doors(current(), session.page(), page, n_models)
        way_out()
    end_left_behind()
    brush_watch(session.current().view.brushed, take_brush)
    _watch()
    if not is_embedded:
        language_switch()
        story_watch(write_story(selection.story.slides), story.recall)
    needed, new = _needs_visitor(), uploads.waits_for_visitor()
    needed |= session.page() in ABOUT_VISITORS and not visitor.is_known()
    if session.page() in FOR_VISITORS and visitor.token() is None:
        requests = st.session_state.get(TOKEN_REQUESTS, 0)
        st.session_state[TOKEN_REQUESTS] = requests + 1
        needed, new = True, new or requests < MOST_REQUESTS
    visitor_watch(needed, new=new, drop=session.to_drop())
    session.end_run()


def _watch() -> None:
    """Draw the element that watches over the page."""
    page_watch(session.page(), page_theme(), language(), **words_for_streamlit())


def _shows_study() -> bool:
    """Whether the page is about a study, which has data of its own."""
    return session.page() == "compare" and bool(session.current().compare.study)


def _is_in_room() -> bool:
    """Whether the page is a quiz room, which looks different to teacher and pupils."""
    return session.page() == "quiz" and bool(session.current().quiz.room)


def _needs_visitor() -> bool:
    is_own = _shows_study() and session.current().compare.study != EXAMPLE
    if (is_own or _is_in_room()) and not visitor.is_known():
        return True
    return uploads.needs_visitor(session.current()) or session.awaits_private()


def _only_classes() -> None:
    """Say of a page about classes that the data have none."""
    st.info(
        t(
            "This page is about classes, but the target of this data set is a number. Choose "
            "other data on the left, or see the regression tree on the page Boundaries."
        )
    )


def _other_data(n_models: int = 0) -> None:
    """Draw the sidebar of a page without a scene, including choosers of its models."""
    controls.data_chooser()
    if n_models and not _is_regression():
        controls.model_choosers(n_models, allow_ensembles=True)
    controls.more_settings(n_models)


# What is not compiled yet is compiled by a child process.
@once
def warm_up() -> None:
    """Begin, once per process, to load every kernel, from a launcher or the first run."""
    library_is_served()
    shorten()
    preparation.begin()
    Thread(target=_load, name="load", daemon=True).start()
    TURNS.keep_tidy()
    look_after(has_page_open)
    limit_criteria(MOST_SECONDS)


# What is loaded now stays: the collector need not look at it again.
def _load() -> None:
    """Load the kernels once compiled, then exempt all objects from garbage collection."""
    preparing.load_when_compiled()
    with TURNS.turn():
        gc.collect()
        gc.freeze()
    studies.go_on()


def _model_notes(n_models: int) -> None:
    """Draw notes on the models of the page, after the body, which comes first."""
    for model in current().models[:n_models]:
        proof_note(model)


def _problems_of_plugins() -> list[str]:
    """Sentence for each module of the reader's own that could not be imported."""
    sentence = "The module “{name}” of {variable} could not be loaded; why is in the log."
    return [t(sentence, name=name, variable=VARIABLE) for name in load_plugins()]


def _notices(n_models: int) -> None:
    work = current().first_models(n_models)
    loaded = work.data
    sentences = [*_problems_of_plugins(), *session.problems(), *loaded.notes]
    if st.session_state.get(TAKEN_OVER) == session.page():
        sentences.append(t("What this browser kept here before now belongs to your account."))
    for key in dict.fromkeys(model.key for model in work.selection.models):
        sentences += filter(None, [reading(entry_of(key), loaded.dataset)])
        if is_imported(key):
            sentences.append(
                t("Your own model was trained elsewhere, on rows that its file does not list. "
                  "Some of the rows held out here may be among them. Supports and class shares "
                  "are those in the file or, if it has none, of the training rows here.")
            )  # fmt: skip
    if n_models and loaded.dataset.weights is not None:
        sentences += weighing(work.selection, loaded.dataset)
    if sentences:
        lines = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
        show_html(f'<div class="lv-notice" role="status">{lines}</div>')
