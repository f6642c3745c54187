"""Every estimator run as Python and as machine code: the same to the bit."""

import hashlib
import json
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

from lastviz import preparation
from lastviz.datasets import load_dataset
from lastviz.estimators import ESTIMATORS, REGRESSORS
from lastviz.export import model_as_json
from tests.patience import LONG

ALL = ESTIMATORS | REGRESSORS
# More than 256 rows on a side, where the sums of bytes would wrap; as many columns as they have.
DATA = {
    "xor": {"n_samples": 400},
    "three_spirals": {"n_samples": 720},
    "checkerboard": {"n_samples": 800},
    "moons": {"n_samples": 2000},
    "gauss_2d": {"n_samples": 500},
    "circles": {"n_samples": 600},
    "waveform": {"n_samples": 400},
    "twonorm": {"n_samples": 400},
    "two_spreads": {"n_samples": 450},
    "monotone": {"n_samples": 500},
    "breast_cancer": {},
    "blobs": {"n_samples": 700},
}
# What searches for long searches for less, along the same kernels.
SHORTER = {
    "oc1": {"n_restarts": 1, "max_depth": 3},
    "cart_lc": {"max_depth": 2},
    "optimal": {"max_depth": 2},
    "monotone_boosting": {"max_iter": 5},
    "adaboost_m1": {"n_estimators": 3},
}
MOST_ROWS = {"optimal": 400}


def bits(data_key: str) -> dict[str, str]:
    """What names the JSON and the predictions of each estimator on a data set."""
    found = {}
    for key, entry in ALL.items():
        data = load_dataset(data_key, **DATA[data_key])
        X = data.X.to_numpy(np.float64)
        y = X @ np.arange(1.0, X.shape[1] + 1) if key in REGRESSORS else data.codes
        if key == "id3":
            X = X.round(1)  # it takes each number for a category
        rows = slice(None, MOST_ROWS.get(key))
        model = entry.cls(**SHORTER.get(key, {}))
        model.fit(X[rows], y[rows])
        said = model_as_json(model) + model.predict(X).tobytes().hex()
        found[key] = hashlib.sha256(said.encode()).hexdigest()
    return found


@pytest.mark.ci
@pytest.mark.parametrize("data_key", DATA)
def test_python_and_machine_code_are_the_same_to_the_bit(data_key, tmp_path):
    child = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.estimators.test_interpreted", data_key],
        env=os.environ | {"LASTVIZ_CACHE": str(tmp_path)},
        stdout=subprocess.PIPE,
        check=True,
        timeout=LONG,
    )
    assert json.loads(child.stdout) == bits(data_key)


if __name__ == "__main__":
    preparation.want = lambda wish: True  # and no child comes
    warnings.simplefilter("error")
    json.dump(bits(sys.argv[1]), sys.stdout)
