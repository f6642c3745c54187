"""C4.5 at its level: one draw of what ``python -m benchmarks.c45_level`` runs five times."""

import pytest

from benchmarks.c45_level import PUBLISHED, cross_validated

ONE_DRAW = 0.7  # points by which the error of a single draw may leave the bounds of the mean


@pytest.mark.parametrize("key", ["gauss_2d", "waveform", "twonorm", "ringnorm"])
def test_error_and_size_are_those_of_c45(key):
    _, _, error_bounds, node_bounds = PUBLISHED[key]
    error, nodes = cross_validated(key, seed=0)
    assert error_bounds[0] - ONE_DRAW <= error <= error_bounds[1] + ONE_DRAW
    assert node_bounds[0] <= nodes <= node_bounds[1]
