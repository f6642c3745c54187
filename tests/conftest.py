"""Data that many tests share."""

import gc
import os
import tempfile
from collections import Counter
from zlib import crc32

# Several workers share the processors: threads of one would wait for each other, spinning.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hypothesis
import numpy as np
import pytest

from lastviz._tiers import Tiers

# How long an example takes says how busy the machine is.
hypothesis.settings.register_profile("quick", deadline=None)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=1000)
hypothesis.settings.load_profile("quick")

# Uploads of tests go into a folder of their own, and into none of this machine's.
_uploads = tempfile.TemporaryDirectory(prefix="lastviz-uploads-")
os.environ["LASTVIZ_STORE_FOLDER"] = _uploads.name
# So do their studies.
os.environ["LASTVIZ_STORE"] = f"sqlite:///{_uploads.name}/studies.sqlite"

# Tests are of compiled kernels; those of kernels that run as Python say so.
Tiers.always = True


MANY = 8


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of a test with many variants, leave every fourth to ``make test`` and two to ``.ci/run``.

    Which ones says their name: a sample by place would have the same value of some parameter.
    Kernels meet their slow twins in all variants always: a slip of a kernel shows in few of them.
    So do the pages of a sample that is one already.
    """
    test_of = {
        item: (item.path, getattr(item, "originalname", item.name))
        for item in items
        if not any(map(item.get_closest_marker, ("slow", "kernel", "every")))
    }
    variants = Counter(test_of.values())
    for item, test in test_of.items():
        place = crc32(item.name.encode()) % 4 if variants[test] > MANY else 0
        if place:
            item.add_marker(pytest.mark.ci if place == 1 else pytest.mark.slow)


def pytest_collection_finish():
    """Let no collection of garbage go through all modules and tests, which stay to the end."""
    gc.freeze()


def _columns(rng, kind, n, m):
    if kind == "random":
        return rng.normal(size=(n, m))
    if kind == "tied":
        return rng.integers(0, 4, size=(n, m)).astype(float)
    if kind == "constant":
        X = rng.normal(size=(n, m))
        X[:, ::2] = 3.25
        return X
    if kind == "offset":
        return 1e9 + rng.normal(size=(n, m))
    if kind == "tiny":
        return 1e-300 * rng.normal(size=(n, m))
    if kind == "signed zeros":
        return rng.choice([-0.0, 0.0, 1.0, -1.0], size=(n, m))
    raise ValueError(kind)


COLUMN_KINDS = ("random", "tied", "constant", "offset", "tiny", "signed zeros")


@pytest.fixture(params=COLUMN_KINDS)
def column_kind(request):
    return request.param


@pytest.fixture
def make_data(column_kind):
    """(seed, n, m, K) -> X, y of the given kind of columns."""

    def make(seed, n=60, m=4, n_classes=3):
        rng = np.random.default_rng(seed)
        X = _columns(rng, column_kind, n, m)
        y = rng.integers(0, n_classes, n)
        signal = rng.random(n) < 0.6
        y[signal] = (X[signal, 0] > np.median(X[:, 0])).astype(int)
        return X, y

    return make


def waveform(n, seed):
    """Breiman's waveform data, three classes in 21 dimensions."""
    rng = np.random.default_rng(seed)
    waves = np.array([np.maximum(6 - np.abs(np.arange(1, 22) - c), 0) for c in (11, 15, 7)])
    y = rng.integers(0, 3, n)
    pair = np.array([(0, 1), (0, 2), (1, 2)])[y]
    u = rng.random((n, 1))
    return u * waves[pair[:, 0]] + (1 - u) * waves[pair[:, 1]] + rng.normal(size=(n, 21)), y


def walked(steps):
    """What a generator returns, and what it yielded on the way."""
    shares = []
    while True:
        try:
            shares.append(next(steps))
        except StopIteration as end:
            return end.value, shares
