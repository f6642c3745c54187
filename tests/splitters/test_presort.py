import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lastviz.splitters import Unsorted
from lastviz.splitters.cells import presort as presort_module
from lastviz.splitters.cells.presort import pack, presort


def check_sorted(X):
    presorted = presort(X)
    expected = np.sort(X + 0.0, axis=0).T
    taken = np.take_along_axis(presorted.columns, presorted.order.astype(int), axis=1)
    np.testing.assert_array_equal(taken, expected)
    np.testing.assert_array_equal(presorted.fresh[:, 1:], expected[:, 1:] > expected[:, :-1])
    np.testing.assert_array_equal(
        np.sort(presorted.order, axis=1), np.arange(len(X))[None] + 0 * presorted.order
    )


@pytest.mark.kernel
def test_every_column_is_sorted_and_marked_long_runs_with_equal_high_bits_too(make_data):
    check_sorted(make_data(0, n=200)[0])
    check_sorted((1e12 + np.random.default_rng(1).permutation(500) * 1e-4)[:, None])


@pytest.mark.kernel
@settings(max_examples=60, deadline=None)
@given(
    arrays(
        np.float64,
        st.tuples(st.integers(1, 90), st.just(2)),
        elements=st.floats(allow_nan=False, allow_infinity=False, width=64),
    )
)
def test_any_finite_numbers_are_sorted(X):
    check_sorted(X)


@pytest.mark.kernel
def test_taking_rows_equals_sorting_them(make_data):
    X, _ = make_data(3, n=120)
    rows = np.random.default_rng(3).permutation(120)[:70]
    taken, anew = presort(X).take(rows), presort(X[rows])
    np.testing.assert_array_equal(taken.fresh, anew.fresh)
    values = [np.take_along_axis(p.columns, p.order.astype(int), axis=1) for p in (taken, anew)]
    np.testing.assert_array_equal(*values)


@pytest.mark.kernel
def test_neighbours_within_the_resolution_count_as_equal():
    X = np.array([[0.0, 0.0], [0.5, 0.5], [0.9, 0.9], [2.0, 2.0], [1.4, 1.4]])
    presorted = presort(X, np.array([0.45, 0.0]))
    np.testing.assert_array_equal(presorted.fresh[0], [True, True, False, True, True])
    assert presorted.fresh[1].all()
    # A mark of a row that is left out passes to the next one.
    taken = presorted.take(np.array([0, 2, 4]))
    np.testing.assert_array_equal(taken.fresh[0], [True, True, True])


@pytest.mark.kernel
def test_rows_of_unsorted_data_are_sorted_as_if_all_were_sorted_before(make_data):
    X, _ = make_data(4, n=90)
    X[:, 0] = np.round(2 * X[:, 0]) / 2  # equal values, some of them -0.0
    for rows in (np.arange(90), np.flatnonzero(X[:, 2] > 0), np.arange(3, 30), np.arange(0)):
        once, here = presort(X).take(rows), Unsorted(X).take(rows)
        for part in ("X", "columns", "order", "fresh"):
            np.testing.assert_array_equal(getattr(here, part), getattr(once, part))
    assert (Unsorted(X).n_samples, Unsorted(X).n_features) == X.shape
    np.testing.assert_array_equal(Unsorted(X).columns, X.T)


def test_all_rows_in_their_order_are_the_data_themselves(make_data):
    presorted = presort(make_data(0, n=30)[0])
    assert presorted.take(np.arange(30)) is presorted
    assert presorted.take(np.arange(30)[::-1]) is not presorted


@pytest.mark.kernel
@pytest.mark.parametrize("cells", [1, 100, 250])
def test_threads_sort_as_one_does(make_data, monkeypatch, cells):
    X, _ = make_data(5, n=80, m=7)
    alone = presort(X)
    monkeypatch.setattr(presort_module, "SHARE", cells)
    shared = presort(X, n_jobs=3)
    for part in ("columns", "order", "fresh"):
        np.testing.assert_array_equal(getattr(shared, part), getattr(alone, part))


def test_rows_to_take_must_be_distinct():
    with pytest.raises(ValueError, match="distinct"):
        presort(np.arange(6.0)[:, None]).take(np.array([1, 1]))


@pytest.mark.kernel
@pytest.mark.parametrize(("n", "n_classes", "word"), [(50, 3, np.uint32), (2, 2**31, np.uint64)])
def test_cells_hold_row_class_and_mark(n, n_classes, word):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, size=(n, 3)).astype(float)
    y = rng.integers(0, n_classes, n)
    presorted = presort(X)
    cells, (row_bits, row_mask, class_mask, top_bit) = pack(presorted, y, n_classes)
    assert cells.dtype == word
    np.testing.assert_array_equal(cells & row_mask, presorted.order)
    np.testing.assert_array_equal((cells >> row_bits) & class_mask, y[presorted.order])
    np.testing.assert_array_equal(cells >= top_bit, presorted.fresh)
