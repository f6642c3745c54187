"""The algorithms as scikit-learn estimators, one family per file.

May import everything from ``tree`` to ``pruning``, and scikit-learn. A new algorithm is one
file and its row in :data:`ESTIMATORS`; choosers, widgets and the common tests follow.
"""

from dataclasses import dataclass

from .base import Tags, ThresholdTreeClassifier, TreeClassifier
from .c45 import C45Classifier
from .cart import CARTClassifier
from .cart_lc import CARTLCClassifier
from .hybrid import HybridTreeClassifier
from .oc1 import OC1Classifier
from .sodt import GSODTClassifier, LSODTClassifier
from .svm_tree import SVMTreeClassifier

__all__ = [
    "ESTIMATORS",
    "C45Classifier",
    "CARTClassifier",
    "CARTLCClassifier",
    "EstimatorEntry",
    "GSODTClassifier",
    "HybridTreeClassifier",
    "LSODTClassifier",
    "OC1Classifier",
    "SVMTreeClassifier",
    "Tags",
    "ThresholdTreeClassifier",
    "TreeClassifier",
]


@dataclass(frozen=True)
class EstimatorEntry:
    """An algorithm that users can choose.

    Attributes
    ----------
    key : str
        Its name in links and code.
    title : str
        What people call it.
    cls : type
        The estimator.
    """

    key: str
    title: str
    cls: type[TreeClassifier]


ESTIMATORS: dict[str, EstimatorEntry] = {
    "c45": EstimatorEntry("c45", "C4.5", C45Classifier),
    "cart": EstimatorEntry("cart", "CART", CARTClassifier),
    "gsodt": EstimatorEntry("gsodt", "GSODT", GSODTClassifier),
    "lsodt": EstimatorEntry("lsodt", "LSODT", LSODTClassifier),
    "hybrid": EstimatorEntry("hybrid", "Hybrid (BNM / CSN)", HybridTreeClassifier),
    "oc1": EstimatorEntry("oc1", "OC1", OC1Classifier),
    "cart_lc": EstimatorEntry("cart_lc", "CART-LC", CARTLCClassifier),
    "svm_tree": EstimatorEntry("svm_tree", "SVM tree", SVMTreeClassifier),
}
