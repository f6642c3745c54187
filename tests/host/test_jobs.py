"""Long work in threads: found again, bounded, cancelled within a second, told in sentences."""

import sys
import threading
from functools import partial
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest

from lastviz import OC1Classifier, OptimalTreeClassifier, TAOClassifier
from lastviz._params import check_params
from lastviz.datasets import load_dataset
from lastviz.estimators import CARTClassifier
from lastviz.host import jobs
from lastviz.host.jobs import Enough, Failed, Jobs, State, Working
from lastviz.host.memory import Memory
from lastviz.splitters import presort
from lastviz.ui.compute.training import explained_refusals, training
from lastviz.ui.compute.work import Work
from lastviz.ui.shared import job_box
from lastviz.ui.text import CannotShow
from tests.patience import SECONDS, until
from tests.ui.conftest import entered

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 0.05)
    monkeypatch.setattr(jobs, "NAP", 0.005)
    monkeypatch.setattr(jobs, "SETTLE_EVERY", -1.0)  # at every look: the clock may stand still


class Steps:
    """Work that goes on until it is told to end, in small steps."""

    def __init__(self):
        self.end, self.left = Event(), Event()
        self.taken = 0

    def __call__(self):
        try:
            while not self.end.wait(0.005):
                self.taken += 1
                yield 0.5
            return "done"
        finally:
            self.left.set()


@pytest.fixture
def started():
    """``started(jobs, key) -> (job, steps)``; everything is ended afterwards."""
    all_steps = []

    def start(registry, key):
        all_steps.append(Steps())
        return registry.start(key, key, all_steps[-1]), all_steps[-1]

    yield start
    for steps in all_steps:
        steps.end.set()


def long(registry, started, key, viewer=""):
    """A job that a viewer looks at and that is quick no more, and its steps."""
    job, steps = started(registry, key)
    job.look(viewer)
    until(lambda: job in registry._line)
    return job, steps


def raising(error):
    def work():
        yield 0.1
        raise error

    return work


def test_quick_work_is_waited_for(monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 10.0)

    def work():
        yield 0.5
        return 42

    assert Jobs().start("key", "work", work).outcome() == 42


def test_slow_work_goes_on_and_is_found_again(started):
    registry = Jobs()
    job, steps = started(registry, "key")
    with pytest.raises(Working, match="key is not ready: working") as caught:
        job.outcome("somebody")
    assert caught.value.job is job
    assert registry.find("key") is registry.start("key", "again", Steps()) is job
    assert registry.find("other") is None
    until(lambda: job.share == 0.5)
    steps.end.set()
    until(lambda: job.state is State.DONE)
    assert job.outcome("somebody else") == "done"


def test_a_cancelled_job_stops_at_once_and_stays_cancelled(started):
    registry = Jobs()
    job, steps = started(registry, "key")
    until(lambda: steps.taken > 0)
    job.cancel()
    assert job.look("") is State.CANCELLED
    with pytest.raises(Working, match="cancelled"):
        job.outcome()
    until(steps.left.is_set)
    assert registry.find("key") is job
    registry.forget(job)
    assert registry.find("key") is None


def test_who_cancels_does_not_take_it_from_others(started):
    job, _ = started(Jobs(), "key")
    assert job.look("one") is job.look("two") is State.WORKING
    job.cancel("one")
    assert job.look("one") is State.CANCELLED
    assert job.look("two") is State.WORKING
    job.accept("one")
    assert job.look("one") is State.WORKING
    job.cancel("one")
    job.cancel("two")
    assert job.state is State.CANCELLED


def test_who_wants_something_else_ends_a_job_that_nobody_else_waits_for(started):
    registry = Jobs()
    job, steps = long(registry, started, "a", "one")
    job.look("other")
    job.leave("one")
    assert not job.state.is_over
    job.leave("other")
    assert steps.left.wait(SECONDS)
    assert registry.find("a") is None


def test_who_has_left_does_not_keep_a_cancelled_job_going(started, monkeypatch):
    monkeypatch.setattr(jobs, "LOOKED_AT", 0.1)
    job, _ = started(Jobs(), "a")
    job.look("before the reload")
    job.look("after the reload")
    job.cancel("after the reload")
    assert not job.state.is_over
    until(lambda: job.state is State.CANCELLED)


def test_a_bounded_number_works_at_once(started):
    registry = Jobs(most_at_once=1)
    first, ends = long(registry, started, "a")
    second, _ = long(registry, started, "b")
    until(lambda: (first.state, second.state) == (State.WORKING, State.WAITING))
    assert (registry.place(first), registry.place(second)) == (0, 1)
    ends.end.set()
    until(lambda: first.state is State.DONE)
    until(lambda: second.state is State.WORKING)


def test_a_job_that_waits_shows_its_place_in_line(started, monkeypatch):
    registry = Jobs(most_at_once=1)
    monkeypatch.setattr(jobs, "JOBS", registry)
    _, second, third = (long(registry, started, key, key)[0] for key in ("one", "two", "three"))
    until(lambda: second.state is third.state is State.WAITING)
    assert job_box._words(second) == "**two** waits for its turn: 1st in line"
    assert job_box._words(third) == "**three** waits for its turn: 2nd in line"


def test_a_waiting_job_can_be_cancelled(started):
    registry = Jobs(most_at_once=1)
    both = [started(registry, key)[0] for key in "ab"]
    until(lambda: State.WAITING in [job.state for job in both])
    waits = next(job for job in both if job.state is State.WAITING)
    waits.cancel()
    assert waits.state is State.CANCELLED


def test_a_job_that_nobody_looks_at_gives_way(started, clock):
    registry = Jobs(most_at_once=1, clock=clock)
    first, _ = long(registry, started, "a", "one")
    second, _ = long(registry, started, "b", "another")
    until(lambda: second.state is State.WAITING)
    clock.now += jobs.LOOKED_AT + 1
    second.look("another")
    until(lambda: (first.state, second.state) == (State.WAITING, State.WORKING))
    first.look("one")
    clock.now += 1
    assert registry.place(first) == 1


def test_one_visitors_jobs_do_not_starve_anothers(started, clock):
    registry = Jobs(most_at_once=1, clock=clock)
    jobs_of = {k: long(registry, started, k, k[0]) for k in ("a1", "a2", "a3", "b1")}
    (a1, ends), (b1, _) = jobs_of["a1"], jobs_of["b1"]
    assert a1.state is State.WORKING
    assert registry.place(b1) == 1
    ends.end.set()
    until(lambda: b1.state is State.WORKING)
    assert [registry.place(jobs_of[key][0]) for key in ("a2", "a3")] == [1, 2]


def test_a_job_that_is_left_alone_ends_whether_it_works_or_waits(started, clock):
    registry = Jobs(most_at_once=1, clock=clock)
    first, _ = long(registry, started, "a", "one")
    second, _ = long(registry, started, "b", "two")
    third, steps = long(registry, started, "c", "three")
    until(lambda: second.state is third.state is State.WAITING)
    clock.now += jobs.LEFT_ALONE
    third.look("three")
    assert not first.state.is_over
    clock.now += 1
    until(lambda: first.state is second.state is State.CANCELLED)
    until(lambda: third.state is State.WORKING)
    until(lambda: registry.find("a") is registry.find("b") is None)
    assert registry.find("c") is third
    steps.end.set()
    until(lambda: third.state is State.DONE)


def test_a_job_whose_page_is_open_but_hidden_may_be_looked_at_more_rarely(started, clock):
    here = {"hidden"}
    registry = Jobs(clock=clock, is_here=here.__contains__)
    job, _ = started(registry, "a")
    job.look("hidden")
    clock.now += jobs.LEFT_ALONE + 1
    assert not job.is_left_alone
    here.clear()
    assert job.is_left_alone
    until(lambda: job.state is State.CANCELLED)
    here.add("hidden")
    job, _ = started(registry, "b")
    job.look("hidden")
    clock.now += jobs.OUT_OF_SIGHT + 1
    until(lambda: job.state is State.CANCELLED)


def test_a_session_that_a_reload_has_left_behind_does_not_keep_a_job_from_being_cancelled(
    started, clock
):
    here = {"before", "after"}
    registry = Jobs(clock=clock, is_here=here.__contains__)
    job, _ = started(registry, "a")
    job.look("before")
    job.look("after")
    job.cancel("after")
    assert not job.state.is_over  # another page still waits for it
    here.remove("before")
    job.accept("after")
    job.cancel("after")
    assert job.state is State.CANCELLED


def test_a_visitor_leaves_a_bounded_number_of_jobs_behind(started, clock, monkeypatch):
    monkeypatch.setattr(jobs, "MOST_LEFT", 2)
    registry = Jobs(most_at_once=1, clock=clock)
    other, _ = long(registry, started, "other", "another")
    left = [long(registry, started, key, "one")[0] for key in "abcd"]
    assert not any(job.state.is_over for job in left)
    clock.now += jobs.LOOKED_AT + 1
    long(registry, started, "e", "one")
    until(lambda: left[0].state is left[1].state is State.CANCELLED)
    assert [registry.find(key) is None for key in "abcd"] == [True, True, False, False]
    assert not other.state.is_over


def test_errors_are_told_in_a_sentence(caplog):
    registry = Jobs()
    wanted = {
        "reader": (Failed("C must be > 0"), "C must be > 0"),
        "numpy": (ValueError("operands could not be broadcast"), "It is in the log as"),
        "memory": (MemoryError(), "not enough memory"),
        "bug": (KeyError("x"), "It is in the log as"),
    }
    for key, (error, sentence) in wanted.items():
        job = registry.start(key, "the model", raising(error))
        until(lambda job=job: job.state is State.FAILED)
        with pytest.raises(Failed, match=sentence):
            job.outcome()
    assert "KeyError" in caplog.text
    assert "operands could not be broadcast" in caplog.text


def test_what_our_own_code_refuses_is_a_sentence_and_what_others_raise_a_fault():
    def refused():
        yield from ()
        check_params(CARTClassifier.PARAMS, {"max_depth": 0})

    def fault():
        yield from ()
        np.zeros(2) + np.zeros(3)

    with pytest.raises(CannotShow, match="max_depth must be an integer >= 1"):
        list(explained_refusals(refused()))
    with pytest.raises(ValueError, match="broadcast") as caught:
        list(explained_refusals(fault()))
    assert not isinstance(caught.value, CannotShow)


def test_work_without_end_is_given_up(started, monkeypatch):
    monkeypatch.setattr(jobs, "LONGEST", 0.1)
    job, _ = started(Jobs(), "key")
    until(lambda: job.state is State.FAILED)
    with pytest.raises(ValueError, match="was stopped after"):
        job.outcome()


@pytest.mark.parametrize("does", [lambda: until(lambda: False), sys.exit], ids=["loop", "exit"])
def test_a_step_that_never_comes_back_leaves_no_job_behind(monkeypatch, does):
    monkeypatch.setattr(jobs, "LONGEST", 0.1)
    monkeypatch.setattr(jobs, "GRACE", 0.1)

    def work():
        yield 0.0
        does()

    registry = Jobs()
    job = registry.start("key", "work", work)
    until(lambda: job.state is State.FAILED)
    assert not any(registry.counts().values())
    with pytest.raises(ValueError, match=r"was stopped after|failed unexpectedly"):
        job.outcome()


def test_the_time_left_follows_from_the_share(monkeypatch):
    assert Jobs().start("key", "work", Steps()).seconds_left is None
    job = Jobs().start("key", "work", raising(ValueError()))
    until(lambda: job.state.is_over)
    monkeypatch.setattr(job, "_seconds", 6.0)
    job.share = 0.25
    assert job.seconds_left == pytest.approx(18.0)


def test_jobs_that_are_over_are_kept_as_long_as_there_is_room_for_their_results(monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 10.0)
    registry = Jobs(Memory(2**20))

    def work():
        yield 1.0
        return np.zeros(400_000 // 8)

    first = registry.start("a", "a", work).outcome()
    for key in "bacad":
        registry.start(key, key, work).outcome()
    assert registry.start("a", "a", work).outcome() is first
    assert [key for key in "abcd" if registry.find(key)] == ["a", "d"]
    assert registry.start("b", "b", work).outcome() is not first


def test_training_says_how_far_it_is(monkeypatch):
    monkeypatch.setattr("lastviz.ui.compute.training.PAUSE", 0.0)
    dataset = load_dataset("gauss_2d", n_samples=400, random_state=1)
    X, y = dataset.numeric_X, dataset.codes
    steps = training(OC1Classifier(n_restarts=3), X, y, presorted=presort(X.to_numpy()))
    shares = []
    while True:
        try:
            shares.append(next(steps))
        except StopIteration as finished:
            model = finished.value
            break
    assert len(shares) > 20
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert shares[-1] == 1.0
    assert model.milliseconds > 0
    wanted = OC1Classifier(n_restarts=3).fit(X, y).tree_
    assert (model.estimator.tree_.apply(X.to_numpy()) == wanted.apply(X.to_numpy())).all()


@pytest.fixture
def slow_scene(monkeypatch):
    """The page with CART beside an OC1 that takes minutes, with patience for CART."""
    query = {"data": "waveform", "n_samples": "20000", "m": "oc1", "m.n_restarts": "50"}
    app = entered("", {**query, "m2": "cart", "m2.max_depth": "3"})
    monkeypatch.setattr(jobs, "PATIENCE", 60.0)
    selection = app.session_state["selection"]
    _ = Work(selection).models[1].fitted
    monkeypatch.setattr(jobs, "PATIENCE", 0.2)
    app.switch_page("pages/boundaries.py").run()
    model = Work(selection).first
    yield app, model.begun()
    jobs.JOBS.forget(model.begun())


def test_the_page_stands_while_a_model_is_trained(slow_scene):
    app, job = slow_scene
    assert not app.exception
    assert [error.value for error in app.error] == []
    assert job.state is State.WORKING
    heads = [e.body for e in app.get("html") if 'class="lv-head"' in str(e.body)]
    assert len(heads) == 1
    assert "CART" in heads[0]
    assert "OC1" in app.get("progress")[0].proto.text
    app.button(key="cancel-0").click().run()
    assert job.state is State.CANCELLED
    assert any("was cancelled" in m.value for m in app.markdown)
    app.run()
    assert not app.get("progress")
    app.button(key="train-0").click().run()
    assert app.get("progress")


@pytest.mark.parametrize("page", ["splits", "growth"])
def test_other_pages_show_the_progress_in_place_of_their_body(slow_scene, page):
    app, _ = slow_scene
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    assert [error.value for error in app.error] == []
    assert app.get("progress")
    assert app.sidebar.number_input(key="seed").value == 1


def test_a_real_search_lets_go_when_it_is_cancelled():
    dataset = load_dataset("waveform", n_samples=3000, random_state=1)
    X, y = dataset.numeric_X, dataset.codes
    estimator = OC1Classifier(n_restarts=50)
    work = partial(training, estimator, X, y, presorted=presort(X.to_numpy()))
    job = Jobs().start("key", "OC1", work)
    until(lambda: job.share > 0)
    thread = [t for t in threading.enumerate() if t.name == f"job {job.number}"][-1]
    job.cancel()
    thread.join(SECONDS)
    assert not thread.is_alive()
    assert not hasattr(estimator, "tree_")


def test_sweeps_let_go_when_they_are_cancelled_and_leave_a_tree():
    dataset = load_dataset("waveform", n_samples=5000, random_state=1)
    X, y = dataset.numeric_X, dataset.codes
    estimator = TAOClassifier(max_depth=8)
    work = partial(training, estimator, X, y, presorted=presort(X.to_numpy()))
    job = Jobs().start("key", "TAO", work)
    until(lambda: hasattr(estimator, "tree_") and job.share > 0)
    thread = [t for t in threading.enumerate() if t.name == f"job {job.number}"][-1]
    assert job.share < 1.0
    job.cancel()
    thread.join(SECONDS)
    assert not thread.is_alive()
    assert estimator.n_iter_ < estimator.max_iter
    wrong = (estimator.predict(X) != y).sum()
    assert wrong <= (estimator.grown_tree_.predict(X.to_numpy()) != y).sum()


def test_work_that_has_found_something_gives_it_when_it_is_ended_early():
    def work(result):
        try:
            while True:
                yield 0.5
        except Enough:
            if result is None:
                raise
            return result

    registry = Jobs()
    found = registry.start("found", "Found", lambda: work("so far"))
    nothing = registry.start("nothing", "Nothing", lambda: work(None))
    for job in (found, nothing):
        job.look("one")
        job.settle("one")
        until(lambda job=job: job.state.is_over)
    assert found.outcome("one") == "so far"
    assert nothing.state is State.CANCELLED


def test_a_search_that_is_ended_early_is_a_trained_model(monkeypatch):
    monkeypatch.setattr("lastviz.splitters.optimal.optimal.PULSE", -1.0)
    monkeypatch.setattr("lastviz.ui.compute.training.PAUSE", -1.0)
    data = load_dataset("three_spirals")
    steps = training(OptimalTreeClassifier(), data.numeric_X, data.codes)
    next(steps)
    with pytest.raises(StopIteration) as ended:
        steps.throw(Enough())
    model = ended.value.value.estimator
    assert model.lower_bound_ < model.n_errors_


def test_a_page_is_open_while_its_session_is_connected(monkeypatch):
    assert not jobs.has_page_open("one")  # there is no server
    connected = SimpleNamespace(is_active_session={"one"}.__contains__)
    monkeypatch.setattr(jobs.runtime, "exists", lambda: True)
    monkeypatch.setattr(jobs.runtime, "get_instance", lambda: connected)
    assert jobs.has_page_open("one")
    assert not jobs.has_page_open("two")
