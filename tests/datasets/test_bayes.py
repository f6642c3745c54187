"""The stated Bayes errors: against 200,000 draws of the exact rules, and against the study."""

import numpy as np
import pytest
from scipy.special import logsumexp

from lastviz.datasets import DATASETS, load_dataset
from lastviz.datasets.breiman import MIXED, WAVES, Clusters, waveform_bayes_predict
from lastviz.datasets.gaussian import gauss_2d_bayes_error, xor_bayes_error

N_DRAWS = 200_000
OTHER_PARAMS = [
    ("gauss_2d", {"spread": 1.3}),
    ("xor", {"noise": 0.35}),
    ("two_spreads", {"wide": 0.5, "tight": 0.2}),
    ("blobs", {"n_classes": 5, "noise": 0.6}),
    ("checkerboard", {"n_cells": 3, "label_noise": 0.1}),
    ("diagonal", {"angle": 30.0, "label_noise": 0.3}),
    ("monotone", {"n_classes": 6, "scheme": "frequency", "label_noise": 0.2}),
]
WITH_RULE = [(key, {}) for key, entry in DATASETS.items() if entry.bayes_predict] + OTHER_PARAMS


@pytest.mark.parametrize(("key", "params"), WITH_RULE)
def test_the_rule_makes_the_stated_error(key, params):
    data = load_dataset(key, n_samples=N_DRAWS, random_state=7, **params)
    predicted = DATASETS[key].bayes_predict(data.X.to_numpy(), **params)
    error = data.bayes_error
    four_deviations = 4 * np.sqrt(error * (1 - error) / N_DRAWS)
    assert np.mean(predicted != data.codes) == pytest.approx(error, abs=four_deviations)


@pytest.mark.parametrize(("key", "percent", "tolerance"), [
    ("gauss_2d", 26.37, 0.01), ("waveform", 13.39, 0.25), ("waveform_noise", 13.39, 0.25),
    ("twonorm", 2.29, 0.05), ("ringnorm", 1.24, 0.05), ("threenorm", 10.5, 0.25),
])  # fmt: skip
def test_the_stated_error_is_that_of_the_literature(key, percent, tolerance):
    assert 100 * load_dataset(key).bayes_error == pytest.approx(percent, abs=tolerance)


def test_the_waveform_rule_agrees_with_brute_force():
    data = load_dataset("waveform", n_samples=20_000, random_state=3)
    X = data.X.to_numpy()
    own = np.mean(waveform_bayes_predict(X) != data.codes)
    # The mixture density by brute force: 400 shares instead of the closed form.
    shares = (np.arange(400)[:, None] + 0.5) / 400
    log_densities = []
    for first, second in MIXED:
        means = shares * WAVES[first] + (1 - shares) * WAVES[second]
        squared = (X**2).sum(axis=1)[:, None] - 2 * X @ means.T + (means**2).sum(axis=1)
        log_densities.append(logsumexp(-squared / 2, axis=1))
    brute = np.argmax(log_densities, axis=0)
    assert own == pytest.approx(np.mean(brute != data.codes), abs=2e-4)


def test_integral_over_the_plane_agrees_with_closed_forms():
    gauss = Clusters(np.zeros((2, 2)), np.array([1.0, 2.0]), np.array([0, 1]))
    assert gauss.bayes_error() == pytest.approx(gauss_2d_bayes_error(2.0), abs=5e-5)
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    xor = Clusters(corners, np.full(4, 0.3), np.array([0, 0, 1, 1]))
    assert xor.bayes_error() == pytest.approx(xor_bayes_error(0.3), abs=5e-5)


def test_the_waveform_rule_stays_finite_far_from_the_waves():
    far = np.vstack([np.full(21, 50.0), np.full(21, -50.0), np.zeros(21)])
    assert set(waveform_bayes_predict(far)) <= {0, 1, 2}
