"""What is remembered, for how long, and how many bytes values take."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
import scipy.sparse

from lastviz import CARTClassifier, MCDFClassifier, SVMTreeClassifier
from lastviz.datasets import load_dataset
from lastviz.host import memory, visitor
from lastviz.host.memory import MEMORY, Memory, measure, megabytes, size_of
from lastviz.plots import Drawing
from lastviz.ui.compute import selected
from lastviz.ui.compute.training import FeatureTable
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import DEFAULT
from tests.calls import calls_counted

MB = 2**20


@pytest.fixture
def calls():
    return []


def taking(registry, calls, n_bytes):
    """A function of a key whose value takes about so many bytes."""

    @registry.remembered
    def function(key, value=0):
        calls.append(key)
        return np.full(int(n_bytes) // 8, value)

    return function


def test_a_key_is_computed_once_whatever_comes_after_it(calls):
    function = taking(Memory(MB), calls, 8)
    assert function("a", 1) is function("a", 5)
    assert calls == ["a"]


def test_a_key_may_follow_from_what_is_asked(calls):
    @Memory(MB).remembered_by(lambda name, *, size=1: f"{name}|{size}")
    def texts(name, *, size=1):
        calls.append((name, size))
        return [name] * size

    assert texts("a") is texts("a", size=1)
    assert texts("a", size=2) == ["a", "a"]
    assert calls == [("a", 1), ("a", 2)]


def test_nothing_is_a_result_too(calls):
    @Memory(MB).remembered
    def nothing(key):
        calls.append(key)

    assert nothing("a") is nothing("a") is None
    assert calls == ["a"]


def test_the_key_not_used_for_longest_is_forgotten(calls):
    function = taking(Memory(MB), calls, 0.4 * MB)
    for key in ("a", "b", "a", "c", "a", "b"):
        function(key)
    assert calls == ["a", "b", "c", "b"]


def test_all_functions_share_what_there_is(calls):
    registry = Memory(MB)
    small, large = taking(registry, calls, 1024), taking(registry, calls, 0.9 * MB)
    small("old")
    for i in range(20):
        small(f"{i}")
    large("large")
    assert registry.n_bytes < MB
    small("19")
    small("old")
    assert len(calls) == 22  # all small ones are there still
    large("another")
    assert registry.n_bytes < MB
    large("large")
    assert calls[-2:] == ["another", "large"]


def test_the_same_key_of_two_functions_is_two_things(calls):
    registry = Memory(MB)

    @registry.remembered
    def one(key):
        return 1

    @registry.remembered
    def two(key):
        return 2

    assert (one("a"), two("a")) == (1, 2)


def test_what_is_too_large_for_all_is_kept_until_the_next(calls):
    registry = Memory(MB)
    function = taking(registry, calls, 2 * MB)
    function("a")
    function("a")
    assert calls == ["a"]
    function("b")
    assert len(registry) == 1


def test_an_array_that_two_results_hold_counts_once():
    registry, whole = Memory(MB), np.zeros(50_000)
    registry.keep("a", whole)
    alone = registry.n_bytes
    registry.keep("b", (whole[::2], whole))
    assert registry.n_bytes < alone + 4000
    registry.forget("a")
    assert registry.n_bytes >= whole.nbytes
    registry.forget("b")
    assert registry.n_bytes == 0


def test_what_a_value_computes_later_is_counted_later():
    class Lazy:
        pass

    registry, value = Memory(MB), Lazy()
    registry.keep("a", value)
    registry.keep("b", np.zeros(MB // 16))
    value.computed = np.zeros(MB // 8 - 4000)
    assert registry.find("a").value is value  # a run uses it once
    assert registry.find("b") is None
    assert registry.n_bytes > 0.9 * MB


def test_only_a_part_may_count():
    registry = Memory(MB)
    registry.keep("a", np.zeros(MB), counted="little")
    registry.keep("b", "b")
    assert registry.find("a").value.nbytes == 8 * MB
    registry.keep("a", "another")
    assert registry.find("a").value == "another"


def test_sessions_wait_for_each_other(calls):
    @Memory(MB).remembered
    def slow(key):
        calls.append(key)
        time.sleep(0.05)
        return object()

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(slow, ["a"] * 4))
    assert calls == ["a"]
    assert len(set(map(id, results))) == 1


def test_an_error_is_raised_every_time_and_not_remembered(calls):
    registry = Memory(MB)

    @registry.remembered
    def fail(key):
        calls.append(key)
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            fail("a")
    assert calls == ["a", "a"]
    assert len(registry) == 0


def test_a_class_of_fifty_with_a_seed_each_stays_in_memory(monkeypatch):
    loads, load = [], selected.load

    def noted(selection, content):
        loads.append(selection.seed)
        return load(selection, content)

    monkeypatch.setattr(selected, "load", noted)
    seeds = list(range(1000, 1050))
    visitors = [DEFAULT.change(seed=seed) for seed in seeds]
    first = [(Work(each).data, Work(each).first.division) for each in visitors]
    again = [(Work(each).data, Work(each).first.division) for each in visitors]
    assert loads == seeds
    for (data, division), (same_data, same_division) in zip(first, again, strict=True):
        assert data is same_data
        assert division is same_division


@pytest.mark.parametrize(("text", "wanted"), [("256", 256), (" 64 ", 64)])
def test_the_environment_says_how_much_may_be_kept(monkeypatch, text, wanted):
    monkeypatch.setenv(memory.VARIABLE, text)
    assert megabytes() == wanted


def test_else_it_is_a_quarter_of_a_gigabyte(monkeypatch):
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    assert megabytes() == 256


def test_what_was_not_used_for_ten_minutes_is_gone_and_its_room_is_free():
    now = [0.0]
    kept = Memory(10**9, clock=lambda: now[0])
    kept.keep("old", np.zeros(1000))
    kept.keep("used", np.zeros(1000))
    now[0] = 400.0
    kept.find("used")
    kept.keep("new", np.zeros(1000))
    now[0] = 600.0
    kept.forget_unused()
    assert len(kept) == 3
    now[0] = 601.0
    before = kept.n_bytes
    kept.forget_unused()
    assert (len(kept), kept.find("old")) == (2, None)
    assert kept.n_bytes < before - 8000
    now[0] = 1300.0
    kept.forget_unused()
    assert (len(kept), kept.n_bytes) == (0, 0)


def test_who_looks_after_visitors_lets_go_of_what_was_not_used(monkeypatch):
    now = [0.0]
    kept = Memory(10**9, clock=lambda: now[0])
    monkeypatch.setattr(visitor, "MEMORY", kept)
    kept.keep("old", 1)
    now[0] = 601.0
    visitor.Presence().look(lambda name: True)
    assert len(kept) == 0


@pytest.mark.parametrize("text", ["63", "-1", "1.5", "much", "²"])
def test_a_wrong_environment_is_told(monkeypatch, text):
    monkeypatch.setenv(memory.VARIABLE, text)
    with pytest.raises(ValueError, match="LASTVIZ_CACHE_MB must be a whole number of at least 64"):
        megabytes()


def test_what_is_about_a_word_is_forgotten_and_its_room_is_free():
    memory = Memory(10**9)
    memory.keep(("f", "data=a|deadbeef|x"), np.zeros(1000))
    memory.keep((object(), ("page", "deadbeef", None, 3)), np.zeros(1000))
    memory.keep("deadbeef", 1)
    memory.keep(("f", "data=b"), 2)
    before = memory.n_bytes
    memory.forget_all_about("deadbeef")
    assert len(memory) == 1
    assert memory.find(("f", "data=b")).value == 2
    assert memory.n_bytes < before - 16_000


N = 10_000
NUMBERS = np.arange(N, dtype=np.float64)
LITTLE = 8_000  # bytes that the objects around the content may take


@dataclass(frozen=True)
class WithSlots:
    __slots__ = ("first", "second")
    first: np.ndarray
    second: np.ndarray


KINDS = {
    "array": (NUMBERS, 8 * N),
    "bytes": (b"a" * N, N),
    "text": ("a" * N, N),
    "tuple": ((NUMBERS, NUMBERS + 1), 16 * N),
    "dict": ({"a": NUMBERS, "b": {"c": NUMBERS + 1}}, 16 * N),
    "slots": (WithSlots(NUMBERS, NUMBERS + 1), 16 * N),
    "frame": (pd.DataFrame({"a": NUMBERS, "b": NUMBERS + 1}), 16 * N),
    "mixed frame": (pd.DataFrame({"a": NUMBERS, "b": np.arange(N, dtype=np.int32)}), 12 * N),
    "categories": (pd.DataFrame({"a": pd.Categorical(["u", "v"] * N)}), 2 * N),
    "series": (pd.Series(NUMBERS), 8 * N),
    "sparse": (scipy.sparse.csr_array(np.eye(500)), 500 * (8 + 4 + 4)),
    "drawing": (Drawing([{"x": NUMBERS, "y": NUMBERS + 1}], {"height": 300}), 16 * N),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_takes_what_it_holds(kind):
    value, wanted = KINDS[kind]
    assert wanted <= size_of(value) <= wanted + LITTLE


def test_a_plotly_figure_takes_its_arrays():
    figure = go.Figure(go.Scatter(x=NUMBERS, y=NUMBERS + 1))
    assert 16 * N <= size_of(figure) <= 4 * 16 * N  # plotly keeps copies


def test_text_columns_take_their_characters():
    texts = pd.DataFrame({"a": [f"a text of some length {i:05d}" for i in range(N)]})
    wanted = texts.memory_usage(deep=True, index=False).sum()
    assert 0.8 * wanted <= size_of(texts) <= 1.2 * wanted
    objects = texts.astype(object)
    wanted = objects.memory_usage(deep=True, index=False).sum()
    assert 0.8 * wanted <= size_of(objects) <= 1.2 * wanted


def test_a_long_list_is_judged_by_some_of_its_entries():
    texts = ["a" * (i % 100) for i in range(N)]
    wanted = 8 * N + sum(49 + len(text) for text in texts)
    assert 0.8 * wanted <= size_of(texts) <= 1.2 * wanted
    arrays = [np.full(1000, float(i)) for i in range(1000)]
    assert 0.9 * 8e6 <= size_of(arrays) <= 1.1 * 8e6
    assert 0.9 * 8e6 <= size_of(dict(enumerate(arrays))) <= 1.1 * 8e6


def test_what_is_shared_counts_once():
    assert size_of((NUMBERS, NUMBERS)) <= 8 * N + LITTLE
    assert size_of([NUMBERS[:10], NUMBERS[::2], NUMBERS.reshape(2, -1)]) <= 8 * N + LITTLE


def test_a_view_takes_what_it_keeps_alive():
    assert size_of(NUMBERS[:10]) >= 8 * N
    assert measure(NUMBERS[:10]).arrays == measure(NUMBERS).arrays == {id(NUMBERS): 8 * N}


def test_a_circle_has_an_end():
    circle = [NUMBERS]
    circle.append(circle)
    assert 8 * N <= size_of(circle) <= 8 * N + LITTLE


def test_the_program_counts_for_nothing():
    assert size_of(np) == size_of(CARTClassifier) == size_of(size_of) == size_of(None) == 0


@pytest.mark.parametrize("cls", [CARTClassifier, MCDFClassifier, SVMTreeClassifier])
def test_a_trained_model_takes_at_least_the_arrays_of_its_trees(cls):
    data = load_dataset("monotone", n_samples=400, random_state=1)
    model = cls().fit(data.numeric_X, data.codes)
    trees = [each.tree_ for each in getattr(model, "estimators_", [model])]
    arrays = {
        id(a): a.nbytes for tree in trees for a in vars(tree).values() if hasattr(a, "nbytes")
    }
    assert 0.8 * sum(arrays.values()) <= size_of(model) <= 2**20 * max(1, len(trees) // 10)


@pytest.mark.parametrize("kind", ["dataset", "division", "fitted"])
def test_it_looks_at_a_thousand_things_at_most(kind):
    value = getattr(Work(DEFAULT).first, kind)
    assert size_of(value) > 0
    with calls_counted(calls := Counter()):
        size_of(value)
    assert calls.total() < 1000


def test_a_data_set_is_kept_once_and_its_sorted_and_divided_forms_share_arrays():
    """Rows as read, by rows, by columns; and of the sorted rows to learn from their columns."""
    chosen = {"data": "waveform", "params": (("n_samples", 3000),), "directions": "r" + 20 * "n"}
    selection = replace(DEFAULT, **chosen)
    loaded, divided = Work(selection).data, Work(selection).first.division
    whole, part = Work(selection).first.sorted_all, Work(selection).first.sorted_training
    assert loaded.steps
    assert part.n_samples < whole.n_samples
    columns = [frame.iloc[:, 0] for frame in (loaded.full.X, loaded.dataset.X, divided.X)]
    assert all(np.shares_memory(columns[0], column) for column in columns[1:])
    assert whole.X is divided.values
    assert np.shares_memory(part.X, part.columns)
    n_bytes = loaded.full.X.size * 8
    assert measure((loaded, divided, whole, part)).total < 5.3 * n_bytes
    tables = [e for e in MEMORY._entries.values() if type(e.value) is FeatureTable]
    (kept,) = (e for e in tables if e.value.values is divided.values)
    assert kept.size.total > 2 * n_bytes  # the columns, and the matrix of the rows
