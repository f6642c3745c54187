import numpy as np
import pytest

from lastviz import C45Classifier
from lastviz.pruning.error_based import estimated_errors
from lastviz.tree import Action
from tests import naive
from tests.conftest import waveform


@pytest.mark.parametrize(
    ("n", "e", "rate"), [(6, 0, 0.206), (9, 0, 0.143), (1, 0, 0.750), (16, 1, 0.157)]
)
def test_quinlans_published_limits(n, e, rate):
    assert estimated_errors(n, e) / n == pytest.approx(rate, abs=5e-4)


def test_the_normal_limit_hardly_punishes_pure_leaves():
    assert estimated_errors(6, 0, normal=True) == pytest.approx(0.42, abs=0.005)
    assert estimated_errors(6, 0) == pytest.approx(1.24, abs=0.005)


@pytest.mark.kernel
def test_the_limit_equals_its_slow_twin():
    rng = np.random.default_rng(0)
    for _ in range(300):
        n = rng.integers(1, 60)
        e = rng.random() * n if rng.random() < 0.5 else float(rng.integers(0, n + 1))
        cf = rng.uniform(0.01, 0.5)
        z = np.interp(cf, *naive.QUINLAN)
        expected = e + naive.add_errors(n, e, cf, z)
        assert estimated_errors(n, e, cf) == pytest.approx(expected, rel=1e-12)


def test_the_log_says_what_was_cut_and_what_it_saved():
    X, y = waveform(1500, seed=2)
    fitted = C45Classifier(mdl_correction=False, confidence=0.1).fit(X, y)
    log = fitted.growth_log_
    cuts = log.action[log.n_growth_events :]
    assert {Action.COLLAPSE, Action.PRUNE, Action.RAISE} == {Action(a) for a in cuts}
    assert (log.score[log.n_growth_events :] >= -0.1 - 1e-9).all()
    raised = log.action == Action.RAISE
    assert (log.branch[raised] > log.node[raised]).all()
    assert (log.branch[~raised] == -1).all()
