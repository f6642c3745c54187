"""How many bytes values take: every kind that pages keep, and quickly."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
import scipy.sparse

from lastviz import CARTClassifier, MCDFClassifier, SVMTreeClassifier
from lastviz.datasets import load_dataset
from lastviz.host.memory import MEMORY, measure, size_of
from lastviz.plots import Drawing
from lastviz.ui.compute.training import FeatureTable
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import DEFAULT
from tests.calls import calls_counted

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
