"""Numbers as readers get them: no two that differ read alike, on every scale of a column."""

import re

import numpy as np
import pytest

from lastviz.estimators import C45Classifier, CARTClassifier
from lastviz.plots import number, rule_words, split_words
from lastviz.plots.visuals.words import hover_format, numbers_of
from lastviz.tree import Kind, decimals_of, threshold_decimals
from tests.columns import COLUMNS

NUMBER = r"−?\d[\d.]*(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
INTERVAL = re.compile(rf"(?:({NUMBER}) < )?x1(?: ≤ ({NUMBER})| > ({NUMBER}))?")


def read(text):
    """A number as a reader takes it."""
    head, _, power = text.partition("·10")
    return float(f"{head.translate(RAISED)}e{power.translate(RAISED) or 0}")


def grown(values, estimator):
    """A tree of one column, along which classes take turns, the more often the farther up."""
    different, place = np.unique(values, return_inverse=True)
    y = np.floor(3 * np.log2(len(different) - place)).astype(int) % 2
    return estimator.fit(values[:, None], y).tree_


@pytest.mark.parametrize(
    "estimator", [CARTClassifier(), C45Classifier(pruning="none")], ids=["CART", "C4.5"]
)
@pytest.mark.parametrize("name", COLUMNS)
def test_printed_rules_hold_for_the_rows_that_meet_them(name, estimator):
    """Whoever reads a rule and no tree finds the rows of its leaf, each of them and no other."""
    values = COLUMNS[name]
    tree = grown(values, estimator)
    leaf = tree.apply(values[:, None])
    assert tree.n_leaves > 3
    for node in np.flatnonzero(tree.n_children == 0).tolist():
        words = rule_words(tree, node, html=False)
        low, high, above = INTERVAL.fullmatch(words).groups()
        low, high = low or above, high
        meets = np.ones(len(values), dtype=bool)
        if low:
            meets &= values > read(low)
        if high:
            meets &= values <= read(high)
        np.testing.assert_array_equal(meets, leaf == node, words)


@pytest.mark.parametrize("name", COLUMNS)
def test_no_two_thresholds_or_values_read_alike(name):
    values = COLUMNS[name]
    tree = grown(values, CARTClassifier())
    inner = np.flatnonzero(tree.kind == Kind.THRESHOLD)
    words = {split_words(tree, node) for node in inner.tolist()}
    assert len(words) == len(np.unique(tree.threshold[inner]))
    different = np.unique(values)
    texts = numbers_of(values, different)
    assert len(set(texts)) >= 0.95 * len(different)
    if name != "measured":  # so finely that neighbours are neighbours by chance
        assert len(set(texts)) == len(different)


@pytest.mark.parametrize("name", COLUMNS)
def test_the_pointer_reads_what_the_table_holds(name):
    """D3's format keeps as many decimals as the words do, and marks no thousands."""
    form, values = hover_format(COLUMNS[name]), COLUMNS[name]
    decimals, kind = re.fullmatch(r"\.(\d+)~([fg])", form).groups()
    if kind == "f":
        shown = {f"{value:.{decimals}f}" for value in values.tolist()}
        assert len(shown) >= 0.95 * len(np.unique(values))


@pytest.mark.parametrize("size", [1, 34, 999, 20095, 99_999, 123_456, 999_999])
def test_whole_numbers_below_a_million_are_exact(size):
    for column in (np.array([size, size + 1]), np.array([size + 0.5, size + 0.25])):
        assert numbers_of(column, [size]) == [str(size)]
    assert number(float(size), 0) == str(size)


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e-3, 1.0, 1e3, 1e9, 1e12, 1e15, 1e300])
@pytest.mark.parametrize("apart", [1e-15, 1e-9, 1e-4, 0.5])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_two_thresholds_read_apart_however_close(scale, apart, sign):
    pair = sign * scale * np.array([1.2345678901234567, 1.2345678901234567 * (1 + apart)])
    decimals = threshold_decimals(pair)
    first, second = (number(value, decimals) for value in pair.tolist())
    assert pair[0] != pair[1]
    assert first != second
    assert (read(first) < read(second)) == (pair[0] < pair[1])


def test_a_column_says_how_it_was_written():
    assert decimals_of(np.array([1013.1, 1013.25, 1013.3])) == 2
    assert decimals_of(np.array([20095, 20096])) == 0
    assert decimals_of(np.array([])) == decimals_of(np.array([np.nan])) == 0
    assert decimals_of(np.array([3e12, 5e12])) == -12
