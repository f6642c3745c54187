"""Pages while the kernels are compiled: what needs one waits for its own, the rest stands."""

from __future__ import annotations

import runpy
import threading
import time

import pytest

from lastviz.host import jobs, preparing
from lastviz.host.jobs import Jobs, State, Working
from lastviz.host.memory import MEMORY, Memory
from lastviz.host.turns import TURNS
from lastviz.ui.compute import cache
from lastviz.ui.home.course_path import LESSONS
from lastviz.ui.state.presets import SCENES
from lastviz.warm_up import COMMON, PARTS
from tests.patience import SECONDS, until
from tests.ui.conftest import checked, html, opened


class Machine:
    """A machine on which a child compiles what it is told to have compiled."""

    def __init__(self):
        self.done: set[str] = set()
        self.wanted: list[str] = []
        self.lives = True
        self.compiled: list[str] = []

    def finish(self, *parts):
        self.done |= set(parts or PARTS)

    def compile_here(self, parts):
        self.compiled += parts


@pytest.fixture
def machine(monkeypatch):
    machine = Machine()
    monkeypatch.setattr(preparing, "_ready", set())
    monkeypatch.setattr(preparing, "_loaded", set())
    monkeypatch.setattr(preparing, "warm_up", machine.compile_here)
    for name, value in {
        "is_prepared": machine.done.__contains__,
        "note_prepared": machine.done.add,
        "want": machine.wanted.append,
        "is_under_way": lambda: machine.lives,
        "begin": lambda: None,
    }.items():
        monkeypatch.setattr(preparing.preparation, name, value)
    monkeypatch.setattr(jobs, "PATIENCE", 0.1)
    monkeypatch.setattr(jobs, "NAP", 0.01)
    for key in list(MEMORY._entries):  # what is remembered needs no kernel
        MEMORY.forget(key)
    registry, before = Jobs(Memory(10**9)), set(threading.enumerate())
    monkeypatch.setattr(jobs, "JOBS", registry)
    yield machine
    for job in list(registry._jobs.values()):  # none may look at the machine of the next test
        registry.forget(job)
    started = (each for each in set(threading.enumerate()) - before if each.name[:4] == "job ")
    for thread in started:
        thread.join(SECONDS)


def work():
    yield 0.5
    return "done"


def test_a_job_waits_for_its_own_parts_and_then_works(machine):
    job = Jobs().start("key", "CART", preparing.once_ready([COMMON, "cart"], work))
    until(lambda: job.state is State.PREPARING)
    assert machine.wanted == [COMMON]
    machine.finish(COMMON)
    until(lambda: machine.wanted == [COMMON, "cart"])
    assert job.state is State.PREPARING
    assert machine.compiled == []
    machine.finish("cart")
    until(lambda: job.state is State.DONE)
    assert job.outcome() == "done"
    assert machine.compiled == [COMMON, "cart"]  # what is there by now is loaded


def test_who_waits_for_a_part_takes_no_turn_and_no_place_among_the_long_jobs(machine):
    registry = Jobs(most_at_once=1)
    waits = registry.start("a", "hybrid", preparing.once_ready(["hybrid"], work))
    with TURNS.turn(), pytest.raises(Working, match="preparing"):
        waits.outcome()
    time.sleep(3 * jobs.PATIENCE)
    assert not waits.is_long
    assert registry.start("b", "CART", preparing.once_ready([], work)).outcome() == "done"
    registry.forget(waits)
    assert waits.state is State.CANCELLED


def test_without_a_child_the_job_compiles_what_it_needs(machine):
    machine.lives = False
    job = Jobs().start("key", "CART", preparing.once_ready([COMMON, "cart"], work))
    until(lambda: job.state is State.DONE)
    assert machine.compiled == [COMMON, "cart"]
    assert machine.done == {COMMON, "cart"}


def test_what_is_loaded_once_is_loaded_before_the_work(machine):
    machine.finish()
    seen = []

    def work():
        seen.append(list(machine.compiled))
        yield 0.5

    for key in ("first", "second"):
        job = Jobs().start(key, "CART", preparing.once_ready([COMMON, "cart"], work))
        until(lambda job=job: job.state is State.DONE)
    assert seen == [[COMMON, "cart"]] * 2


def test_a_child_that_dies_leaves_its_work_to_the_job(machine):
    job = Jobs().start("key", "CART", preparing.once_ready(["cart"], work))
    until(lambda: job.state is State.PREPARING)
    machine.lives = False
    until(lambda: job.state is State.DONE)
    assert machine.compiled == ["cart"]


def test_kernels_are_loaded_as_they_become_ready(machine):
    machine.finish()
    machine.done.remove("hybrid")
    machine.lives = False
    preparing.load_as_ready()
    assert machine.compiled == [part for part in PARTS if part != "hybrid"]


def test_a_page_whose_algorithm_is_not_ready_shows_how_far_it_is_and_then_its_picture(machine):
    app = opened("boundaries", data="moons", n_samples=120, seed=77, m="cart")
    assert "CART** is being prepared" in app.get("progress")[0].proto.text
    assert f"0 of {len(PARTS)} parts" in app.get("progress")[0].proto.text
    assert app.sidebar.number_input(key="seed").value == 77
    machine.finish(COMMON, "cart")
    until(lambda: all(job.state.is_over for job in jobs.JOBS._jobs.values()))
    checked(app.run())
    assert not app.get("progress")
    assert 'class="lv-head"' in html(app)


def test_one_of_two_models_is_shown_while_the_other_is_prepared(machine):
    machine.finish(COMMON, "cart")
    app = opened("boundaries", data="moons", n_samples=120, seed=78, m="cart", m2="hybrid")
    until(lambda: jobs.JOBS.find(cache.model_key(app.session_state["selection"], 0)).state.is_over)
    checked(app.run())
    (box,) = app.get("progress")
    assert "Hybrid (BNM / CSN)** is being prepared" in box.proto.text
    assert html(app).count('class="lv-head"') == 1


def test_pages_that_measure_by_themselves_wait_for_what_that_needs(machine):
    app = opened("boundaries", data="wine", seed=79, m="cart")
    assert "What this page needs" in app.get("progress")[0].proto.text
    app = opened("textbook", lesson="tree")
    assert "is being prepared" in app.get("progress")[0].proto.text
    machine.finish(COMMON, "cart")
    app = opened("splits", data="moons", n_samples=120, seed=79, m="cart")
    until(lambda: jobs.JOBS.find(cache.model_key(app.session_state["selection"], 0)).state.is_over)
    app = checked(app.run())
    assert "What this page needs" in app.get("progress")[0].proto.text
    assert "table" in machine.wanted


def test_the_home_page_stands_and_says_how_far_the_algorithms_are(machine):
    app = opened("home")
    assert f"0 of {len(PARTS)} parts are ready" in html(app)
    doors = ("teach", "debug")
    assert html(app).count('class="lv-pictures"') == len(LESSONS) + len(doors)
    machine.finish()
    checked(app.run())
    assert "are ready" not in html(app)


def test_what_the_first_page_shows_is_prepared_before_what_it_does_not():
    shown = {model.key for scene in SCENES for model in scene.selection().models} - {"hybrid"}
    order = [part for part in PARTS if "." not in part and part != COMMON]
    last = max(map(order.index, shown))
    assert {"mcdf", "lsodt", "cart_lc"}.isdisjoint(order[: last + 1])


def test_intermediate_code_stays_packed_until_a_caller_is_compiled(tmp_path):
    file = tmp_path / "halves.py"
    file.write_text(
        "from numba import njit\n\n@njit(cache=True)\ndef half(x):\n    return x / 2\n\n"
        "@njit\ndef quarter(x):\n    return half(half(x))\n"
    )
    first, again = (runpy.run_path(str(file)) for _ in range(2))
    assert first["half"](3.0) == again["half"](3.0) == 1.5  # compiled, then loaded
    assert sum(again["half"].stats.cache_hits.values()) == 1
    (loaded,) = again["half"].overloads.values()
    assert loaded.library._shared_module is None
    assert again["quarter"](3.0) == 0.75
    assert loaded.library._shared_module is not None
