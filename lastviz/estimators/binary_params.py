"""The parameters that CART's classifier and regressor share."""

from __future__ import annotations

from dataclasses import replace

from lastviz._params import Param

from .base import MAX_DEPTH, seed
from .base import MIN_SAMPLES_LEAF as MIN_LEAF
from .base import MIN_SAMPLES_SPLIT as WHOLE

MAX_LEAF_NODES = Param(
    "max_leaf_nodes", int, None, low=2, none=True, slider=(2, 200, 1), unit="leaves",
    main=True, label="Most leaves", help="Grow best first up to so many leaves.",
)  # fmt: skip
MIN_SAMPLES_SPLIT = replace(WHOLE, share=True)
MIN_SAMPLES_LEAF = replace(MIN_LEAF, main=True, share=True)
MIN_WEIGHT_FRACTION_LEAF = Param(
    "min_weight_fraction_leaf", float, 0.0, low=0.0, high=0.5, slider=(0.0, 0.5, 0.01),
    label="Smallest share of a leaf",
    help="Least weight on each side of a split, as a share of the weight of all rows.",
)  # fmt: skip
MIN_IMPURITY_DECREASE = Param(
    "min_impurity_decrease", float, 0.0, low=0.0, slider=(0.0, 0.1, 0.001),
    label="Least decrease of the impurity",
    help="How much a split must lower the impurity, times the node's share of all rows.",
)  # fmt: skip
MAX_FEATURES = Param(
    "max_features", int, None, low=1, none=True, none_word="all", choices=("sqrt", "log2"),
    slider=(1, 20, 1), unit="features", label="Features looked at",
    help="How many features, drawn anew at each node, are looked at.", share=True,
)  # fmt: skip
CCP_CV = Param(
    "ccp_cv", int, None, low=2, high=50, none=True, none_word="off", slider=(2, 20, 1),
    unit="folds", label="Price found by cross-validation",
    help="Choose the price per leaf by so many folds, instead of setting it.",
)  # fmt: skip
CCP_RULE = Param(
    "ccp_rule", str, "min", choices=("min", "1se"), label="Which tree of the folds",
    help="The tree of least expected loss, or the smallest within one standard error of it.",
)  # fmt: skip
RANDOM_STATE = seed(
    "The same seed gives the same folds, and looks at the same features.",
    "Seed of folds and features",
)
GROWTH_PARAMS = (
    MAX_LEAF_NODES,
    MAX_DEPTH,
    MIN_SAMPLES_SPLIT,
    MIN_SAMPLES_LEAF,
    MIN_WEIGHT_FRACTION_LEAF,
    MIN_IMPURITY_DECREASE,
    MAX_FEATURES,
)


def ccp_alpha(unit: str) -> Param:
    """Return the price per leaf as a parameter, in the unit of the cost."""
    return Param(
        "ccp_alpha", float, 0.0, low=0.0, slider=(0.0, 0.1, 0.001), unit=unit,
        label="Price per leaf", help="Cut the tree back to where it costs least; 0: not at all.",
    )  # fmt: skip
