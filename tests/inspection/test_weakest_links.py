import numpy as np
import pytest

from lastviz import CARTClassifier
from lastviz.inspection import weakest_link_steps
from lastviz.pruning import cost_complexity_path
from tests.conftest import waveform
from tests.pruning.test_entropy_cost import loan_tree
from tests.random_trees import random_tree


def test_the_loan_tree_goes_as_a_whole_at_024():
    (step,) = weakest_link_steps(loan_tree())
    root, job = step.links
    assert (root.as_leaf, root.inside, root.n_leaves) == pytest.approx((0.48, 0.0, 3))
    assert (job.as_leaf, job.inside, job.n_leaves) == pytest.approx((4 / 15, 0.0, 2))
    assert (root.price, job.price) == pytest.approx((0.24, 4 / 15))
    assert step.goes == (0,)
    assert (step.n_leaves, step.n_leaves_after) == (3, 1)


def test_by_its_errors_both_tests_of_the_loan_tree_tie():
    (step,) = weakest_link_steps(loan_tree(), "misclassification")
    assert [link.price for link in step.links] == pytest.approx([0.2, 0.2])
    assert step.goes == (0,)  # the other one lies below


@pytest.mark.parametrize("risk", ["gini", "misclassification"])
def test_the_steps_are_those_of_the_path(risk):
    trees = [random_tree(seed, most_inner=10) for seed in range(40)]
    X, y = waveform(150, 1)
    trees.append(CARTClassifier().fit(X, y).tree_)
    for tree in trees:
        path = cost_complexity_path(tree, risk)
        steps = weakest_link_steps(tree, risk)
        changes = [step for step in steps if step.price > 1e-9]
        np.testing.assert_allclose([s.price for s in changes], path.alpha[1:], atol=1e-9)
        assert [s.n_leaves_after for s in changes] == path.n_leaves[1:].tolist()
