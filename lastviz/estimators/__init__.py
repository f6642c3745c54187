"""The algorithms as scikit-learn estimators, one family per file.

May import everything from ``tree`` to ``pruning``, and scikit-learn. A new algorithm is one
file and its row in :data:`ESTIMATORS`; choosers, widgets and the common tests follow.
"""

from dataclasses import dataclass

from .adaboost_m1 import AdaBoostM1Classifier, Resample
from .base import Alternative, Tags
from .boosted_tree import BoostedTreeClassifier, MonotoneBoostingClassifier, Round
from .c45 import C45Classifier
from .cart import CARTClassifier, CARTRegressor
from .columns import called_otherwise, renamed_tree
from .forest import ForestClassifier, ForestProgress, ForestVotes, TreeGrown
from .hybrid import HybridTreeClassifier
from .hyperplane_search import CARTLCClassifier, OC1Classifier
from .id3 import ID3Classifier
from .imported import (
    DECISIONS,
    AnyImported,
    ImportedBoosting,
    ImportedForestClassifier,
    ImportedForestRegressor,
    ImportedTreeClassifier,
    ImportedTreeRegressor,
    make_imported,
)
from .mcdf import MCDFClassifier
from .optimal_tree import OptimalTreeClassifier
from .remt import REMTClassifier
from .sodt import GSODTClassifier, LSODTClassifier
from .subsets import Draw, SubsetPlan
from .svm_tree import SVMTreeClassifier
from .tao import TAOClassifier
from .tree_estimator import TreeClassifier, TreeEstimator
from .what_if import what_if, what_if_in_steps

__all__ = [
    "DECISIONS",
    "ESTIMATORS",
    "IMPORTED",
    "REFEREE",
    "REFERENCES",
    "REGRESSOR",
    "REGRESSORS",
    "AdaBoostM1Classifier",
    "Alternative",
    "AnyImported",
    "BoostedTreeClassifier",
    "C45Classifier",
    "CARTClassifier",
    "CARTLCClassifier",
    "CARTRegressor",
    "Draw",
    "EstimatorEntry",
    "ForestClassifier",
    "ForestProgress",
    "ForestVotes",
    "GSODTClassifier",
    "HybridTreeClassifier",
    "ID3Classifier",
    "ImportedBoosting",
    "ImportedForestClassifier",
    "ImportedForestRegressor",
    "ImportedTreeClassifier",
    "ImportedTreeRegressor",
    "LSODTClassifier",
    "MCDFClassifier",
    "MonotoneBoostingClassifier",
    "OC1Classifier",
    "OptimalTreeClassifier",
    "REMTClassifier",
    "Resample",
    "Round",
    "SVMTreeClassifier",
    "SubsetPlan",
    "TAOClassifier",
    "Tags",
    "TreeClassifier",
    "TreeEstimator",
    "TreeGrown",
    "called_otherwise",
    "entry_of",
    "is_imported",
    "make_imported",
    "renamed_tree",
    "takes_levels",
    "what_if",
    "what_if_in_steps",
]


@dataclass(frozen=True)
class EstimatorEntry:
    """An algorithm that users can choose."""

    key: str  # its name in links and code
    title: str  # what people call it
    cls: type[TreeClassifier] | type[ForestClassifier] | type[CARTRegressor]  # the estimator
    stands_for: str = ""  # what a title that no newcomer knows means


ESTIMATORS: dict[str, EstimatorEntry] = {
    "id3": EstimatorEntry("id3", "ID3", ID3Classifier),
    "c45": EstimatorEntry("c45", "C4.5", C45Classifier),
    "cart": EstimatorEntry("cart", "CART", CARTClassifier),
    "gsodt": EstimatorEntry(
        "gsodt",
        "GSODT",
        GSODTClassifier,
        "C4.5 in one latent space by singular value decomposition, the same for all nodes",
    ),
    "lsodt": EstimatorEntry(
        "lsodt",
        "LSODT",
        LSODTClassifier,
        "C4.5 in latent spaces by singular value decomposition, another one for each node",
    ),
    "hybrid": EstimatorEntry(
        "hybrid",
        "Hybrid (BNM / CSN)",
        HybridTreeClassifier,
        "Gini gain with BNM, the between-node margin within the same class, and CSN, "
        "within-class compactness and between-class separation in the same node",
    ),
    "oc1": EstimatorEntry(
        "oc1",
        "OC1",
        OC1Classifier,
        "a search for slanted splits that turns a line weight by weight, from random starts",
    ),
    "cart_lc": EstimatorEntry(
        "cart_lc",
        "CART-LC",
        CARTLCClassifier,
        "CART with linear combinations of features: a slanted split, set weight by weight",
    ),
    "svm_tree": EstimatorEntry(
        "svm_tree",
        "SVM tree",
        SVMTreeClassifier,
        "a support vector machine at each node takes the most separable class off",
    ),
    "optimal": EstimatorEntry("optimal", "Optimal tree", OptimalTreeClassifier),
    "tao": EstimatorEntry(
        "tao",
        "TAO",
        TAOClassifier,
        "tree alternating optimization: one split after the other is chosen anew",
    ),
    "remt": EstimatorEntry(
        "remt",
        "REMT",
        REMTClassifier,
        "a tree by rank mutual information, for classes that rise with the features",
    ),
    "mcdf": EstimatorEntry(
        "mcdf",
        "MCDF",
        MCDFClassifier,
        "a forest of REMT trees, for classes that rise with the features",
    ),
    "adaboost_m1": EstimatorEntry(
        "adaboost_m1",
        "AdaBoost.M1",
        AdaBoostM1Classifier,
        "adaptive boosting: each tree counts rows more that those before got wrong",
    ),
    "monotone_boosting": EstimatorEntry(
        "monotone_boosting", "Monotone boosting", MonotoneBoostingClassifier
    ),
}

# Those that learn numbers; pages that show classes read ESTIMATORS alone.
REGRESSORS: dict[str, EstimatorEntry] = {
    "cart_regressor": EstimatorEntry("cart_regressor", "CART for numbers", CARTRegressor),
}

IMPORTED = EstimatorEntry("own", "Your own model", ImportedTreeClassifier)
"""A finished model that somebody brought; its key goes on with a point and which one it is."""

REGRESSOR = REGRESSORS["cart_regressor"]
"""The one that the app takes where numbers are to be learnt."""

REFEREE = ESTIMATORS["optimal"]
"""The one that makes the fewest training errors of a depth: what others are held against."""

REFERENCES = (ESTIMATORS["cart"], ESTIMATORS["c45"])
"""What goes on from the leaves of a tree by hand, and what that is compared with."""


def is_imported(key: str) -> bool:
    """Whether a key names a finished model that somebody brought."""
    return key.startswith(f"{IMPORTED.key}.")


def takes_levels(cls: type) -> bool:
    """Whether an estimator reads numbers, some of which may stand for levels.

    They are named in `categorical_features`.
    """
    return "categorical_features" in cls.OTHER_PARAMS and not cls.TAGS.nominal


def entry_of(key: str) -> EstimatorEntry:
    """Entry of an algorithm or of a model that was brought, by its key."""
    return IMPORTED if is_imported(key) else (ESTIMATORS | REGRESSORS)[key]
