"""Features with mean 0 and standard deviation 1: the numbers, and what could go wrong."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from lastviz.tree import FeatureScaling


@pytest.mark.parametrize("times", [1e-150, 1e-9, 1.0, 1e9, 1e150])
def test_it_is_the_standard_scaling_whatever_the_unit(times):
    X = load_wine().data
    scaled = FeatureScaling.standard(X * times).apply(X * times)
    np.testing.assert_allclose(scaled, StandardScaler().fit_transform(X), atol=1e-9)


def test_the_order_of_the_rows_changes_no_bit():
    X = np.random.default_rng(0).normal(size=(101, 4)) ** 3
    there, back = FeatureScaling.standard(X), FeatureScaling.standard(X[::-1])
    assert there.same(back)
    assert not there.same(FeatureScaling.standard(X[1:]))


@pytest.mark.parametrize("value", [0.0, 0.1, -7.0, 1e300])
def test_a_feature_with_one_value_goes_to_zero(value):
    X = np.column_stack([np.full(7, value), np.arange(7.0)])
    scaling = FeatureScaling.standard(X)
    np.testing.assert_array_equal(scaling.apply(X)[:, 0], 0.0)
    assert scaling.scale[0] == 1.0


@pytest.mark.parametrize("X", [
    [[5e-324], [0.0]], [[-1.7e308], [1.7e308]], [[1e308], [np.nextafter(1e308, 2e308)]],
])  # fmt: skip
def test_the_numbers_stay_finite_at_the_edges_of_floating_point(X):
    scaling = FeatureScaling.standard(np.array(X))
    assert np.isfinite(scaling.offset).all()
    assert np.isfinite(scaling.scale).all()
    assert (scaling.scale > 0.0).all()


def test_without_scaling_a_row_keeps_its_bits():
    X = np.random.default_rng(0).normal(size=(50, 3)) * 10.0 ** np.arange(-3, 4, 3)
    none = FeatureScaling.none(3)
    assert not np.array_equal(FeatureScaling.standard(X).apply(X), X)
    np.testing.assert_array_equal(none.apply(X), X)


def test_a_direction_is_the_difference_of_two_scaled_places():
    X = load_wine().data
    scaling = FeatureScaling.standard(X)
    np.testing.assert_allclose(
        scaling.direction(X[3] - X[5]), scaling.apply(X[3]) - scaling.apply(X[5]), atol=1e-12
    )
