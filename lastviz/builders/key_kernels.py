"""The keys of nodes, as ``lastviz/_random.py`` defines them."""

import numpy as np

from lastviz._numba import inline_kernel
from lastviz._random import MIX_1, MIX_2, ROOT_KEY


@inline_kernel
def _sum(a, b):
    """+ b modulo 2**64; done so that no word overflows, which uncompiled warns."""
    low = np.uint64(0x7FFFFFFFFFFFFFFF)
    return ((a & low) + (b & low)) ^ ((a ^ b) & ~low)


@inline_kernel
def _product(a, b):
    """B modulo 2**64, from halves of both."""
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    a_low, b_low = a & low, b & low
    cross = (((a >> half) * b_low) & low) + ((a_low * (b >> half)) & low)
    return _sum(a_low * b_low, (cross & low) << half)


@inline_kernel
def mixed_key(key, branch):
    """Key of a child, as `child_keys` does; both are uint64."""
    z = _sum(key, _product(ROOT_KEY, branch + np.uint64(1)))
    z = _product(z ^ (z >> np.uint64(30)), MIX_1)
    z = _product(z ^ (z >> np.uint64(27)), MIX_2)
    return z ^ (z >> np.uint64(31))
