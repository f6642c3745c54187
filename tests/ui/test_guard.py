"""Whatever a run draws or asks fails, one after the other: one sentence, and the rest is there."""

import ast
import inspect
import itertools
import re
from importlib import import_module
from types import ModuleType, SimpleNamespace

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from lastviz._deadline import TooLong
from lastviz.host import faults
from lastviz.host.jobs import Working
from lastviz.host.turns import LONGEST
from lastviz.ui import frame, text
from lastviz.ui.shared import example, guard
from lastviz.ui.text import CannotShow
from tests.patience import SECONDS

from .conftest import entered, sampled

OWN = ("choices", "page_scene", "views", "body", "subject_names", "instead", "slide_blocks")
TOLD = re.compile(r"Something went wrong here\. It is in the log as ([0-9a-f]{8})\.")
ENTERED = {"run", "show", "_request", "part", "tried", "begin"}  # what calls the others


def called_by_the_frame():
    """Each function that the frame's functions name, with the module in which they find it."""
    found = set()
    for node in ast.walk(ast.parse(inspect.getsource(frame))):
        if isinstance(node, ast.Name):
            found.add((frame, node.id))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = getattr(frame, node.value.id, None)
            if isinstance(module, ModuleType) and module.__name__.startswith("lastviz."):
                found.add((module, node.attr))
    functions = {
        (module, name)
        for module, name in found
        if inspect.isroutine(value := getattr(module, name, None)) or hasattr(value, "__wrapped__")
        if getattr(value, "__module__", "").startswith("lastviz.") and name not in ENTERED
    }
    return sorted(functions, key=lambda pair: (pair[0].__name__, pair[1]))


PARTS = called_by_the_frame()
PAGES = {name: import_module(f"lastviz.ui.{name}.page") for name in frame.PAGES}
OWN_PARTS = [
    (page, name) for page, module in PAGES.items() for name in OWN if hasattr(module, name)
]


@pytest.fixture(scope="module", autouse=True)
def warm():
    """A process that has begun its threads, which draw nothing: each test may be its first."""
    frame.warm_up()


class Failing:
    """What stands in place of a function, fails whenever it is called, and counts that."""

    def __init__(self, error):
        self.error, self.n_calls = error, 0

    def __call__(self, *args, **named):
        self.n_calls += 1
        raise self.error


def opened(page, **query):
    return entered(page, query)


def told(app, caplog):
    """How many faults the reader is told of, of each the log having the traceback."""
    assert not app.exception
    names = [found[1] for error in app.error if (found := TOLD.match(error.value))]
    assert len(names) == len(app.error)
    logged = {r.args[0]: r.exc_info for r in caplog.records if r.name == "lastviz" and r.exc_info}
    assert all(logged[name][2] is not None for name in names)
    return len(names)


def check(app, failing, caplog):
    assert told(app, caplog) == min(failing.n_calls, 1)


def test_the_parts_are_those_that_the_frame_draws():
    names = {name for _, name in PARTS}
    assert names > {"_head", "_body", "_sidebar", "_foot", "navigation", "sync", "standing"}
    assert len(PARTS) > 80
    assert {page for page, _ in OWN_PARTS} == set(frame.PAGES)


WHOLE = [(*part, page) for part in PARTS for page in frame.PAGES]
ONCE = [(*part, [*frame.PAGES][i % len(frame.PAGES)]) for i, part in enumerate(PARTS)]


@pytest.mark.parametrize(("module", "name", "page"), sampled(WHOLE, ONCE))
def test_a_part_that_fails_is_told_once(module, name, page, monkeypatch, caplog):
    failing = Failing(RuntimeError("a fault"))
    monkeypatch.setattr(module, name, failing)
    check(opened(page), failing, caplog)


@pytest.mark.parametrize("error", [RuntimeError("a fault"), CannotShow("Not this one.")])
@pytest.mark.parametrize(("page", "name"), OWN_PARTS)
def test_a_page_that_fails_leaves_the_other_parts(page, name, error, monkeypatch, caplog):
    failing = Failing(error)
    monkeypatch.setattr(PAGES[page], name, failing)
    app = opened(page)
    if isinstance(error, CannotShow):
        assert told(app, caplog) == 0
        assert [info.value for info in app.info] == ["Not this one."] * min(failing.n_calls, 1)
    else:
        check(app, failing, caplog)
    assert len(app.title) == 1
    choices = getattr(PAGES[page], "choices", None)
    if choices not in (None, failing) and name not in choices.__code__.co_names:
        assert len(app.sidebar) > 0


def test_what_fails_in_the_words_of_the_reader_is_told_without_them(monkeypatch, caplog):
    monkeypatch.setattr(text, "translations", Failing(RuntimeError("no words")))
    app = opened("rules")
    assert not app.exception
    (error,) = app.error
    name = re.fullmatch(r"Something went wrong here\. 这里发生了意外错误。\((\w{8})\)", error.value)
    assert name[1] in {record.args[0] for record in caplog.records if record.name == "lastviz"}


HELPERS = [
    (guard, "t"), (guard, "example_instead"), (example, "example_link"), (example, "draw"),
    (guard, "job_box"), (guard, "_show_job"),
    (guard.session, "link"), (guard.session, "is_example"), (guard.resumption, "give_up"),
    (faults.METERS, "note_error"), (faults, "name_of"), (faults, "walk_tb"),
]  # fmt: skip


class Lost(Working):
    """Long work whose progress cannot be told."""

    def __init__(self):
        self.job = SimpleNamespace(key="lost")


def each_helper_once():
    """Each helper and each kind of error, on one of the pages that have an example."""
    errors = (RuntimeError("a fault"), CannotShow("Not this one."), Lost())
    pages = [
        page for page, module in PAGES.items() if {"slide_blocks", "choices"} <= {*dir(module)}
    ]
    cases = itertools.product(HELPERS, errors)
    return [(*helper, error, pages[i % len(pages)]) for i, (helper, error) in enumerate(cases)]


@pytest.mark.parametrize(("owner", "name", "error", "page"), each_helper_once())
def test_the_helpers_of_the_guard_may_fail_as_well(page, owner, name, error, monkeypatch, caplog):
    monkeypatch.setattr(PAGES[page], "body", Failing(error))
    monkeypatch.setattr(owner, name, Failing(RuntimeError("a fault of the guard")))
    app = opened(page, data="moons")
    assert not app.exception
    told = [found[0] for e in app.error for found in re.finditer(r"[0-9a-f]{8}", e.value)][:1]
    logged = {record.args[0] for record in caplog.records if record.name == "lastviz"}
    assert set(told) <= logged
    assert len(app.error) == len(told) == int(bool(logged))
    assert bool(logged) or isinstance(error, CannotShow)
    assert len(app.sidebar) > 0 or not app.title  # whose question could not be asked


def test_what_ends_the_interpreter_ends_a_part(monkeypatch, caplog):
    failing = Failing(SystemExit())
    monkeypatch.setattr(PAGES["rules"], "body", failing)
    app = opened("rules")
    check(app, failing, caplog)
    assert len(app.sidebar) > 0


def test_where_nothing_can_be_drawn_the_log_has_it(monkeypatch, caplog):
    monkeypatch.setattr(PAGES["rules"], "body", Failing(RuntimeError("a fault")))
    monkeypatch.setattr(st, "error", Failing(RuntimeError("no box")))
    app = opened("rules")
    assert not app.exception
    assert [str(record.exc_info[1]) for record in caplog.records if record.exc_info] == ["a fault"]


def test_a_callback_that_fails_leaves_the_page_and_is_told_once(monkeypatch, caplog):
    app = opened("boundaries")
    titles, choices = [title.value for title in app.title], len(app.sidebar)
    monkeypatch.setattr(frame.session, "_become", Failing(RuntimeError("a fault")))
    app.number_input(key="seed").set_value(8).run()
    assert told(app, caplog) == 1
    assert ([title.value for title in app.title], len(app.sidebar)) == (titles, choices)
    monkeypatch.undo()
    app.run()
    assert told(app, caplog) == 0
    app.number_input(key="seed").set_value(9).run()
    assert told(app, caplog) == 0
    assert app.session_state["selection"].seed == 9


def app_with_fragments():
    """A script of fragments, one of which fails when it is run by itself, and one in a dialog."""
    import streamlit as st

    from lastviz.ui.shared import guard

    @st.fragment
    def fragment(name):
        if st.button(name) or "at once" in name:
            raise RuntimeError(name)

    guard.begin()
    guard.part("one", fragment, "one")
    if st.session_state.get("at once"):
        guard.part("two", fragment, "two at once")
        guard.part("three", fragment, "three at once")
    if st.session_state.get("dialog"):
        guard.part("dialog", st.dialog("A dialog")(fragment.__wrapped__), "in a dialog at once")
    st.text("the end")


@pytest.mark.parametrize("where", ["", "at once", "dialog"])
def test_a_fragment_that_fails_is_told_in_its_place(where, caplog):
    app = AppTest.from_function(app_with_fragments, default_timeout=SECONDS)
    if where:
        app.session_state[where] = True
    app.run()
    if not where:
        assert told(app, caplog) == 0
        app.button[0].click().run()
    assert told(app, caplog) == 1
    assert [end.value for end in app.text] == ["the end"]


def test_a_run_that_is_ended_says_so_and_draws_no_further(monkeypatch):
    said = []
    monkeypatch.setattr(guard.st, "error", said.append)

    def drawn():
        raise TooLong

    with pytest.raises(StopException):
        guard.part("body", drawn)
    (sentence,) = said
    assert f"longer than {LONGEST:g} seconds" in sentence
