"""lastviz: see how decision trees think.

The estimators follow scikit-learn's conventions; `lastviz.datasets` makes and reads data,
`lastviz.inspection` asks a fitted tree questions, `lastviz.plots` draws the answers.
"""

from lastviz.criteria import register_criterion, unregister_criterion
from lastviz.estimators import (
    AdaBoostM1Classifier,
    C45Classifier,
    CARTClassifier,
    CARTLCClassifier,
    CARTRegressor,
    GSODTClassifier,
    HybridTreeClassifier,
    ID3Classifier,
    LSODTClassifier,
    MCDFClassifier,
    OC1Classifier,
    REMTClassifier,
    SVMTreeClassifier,
)

__version__ = "0.1.0"

__all__ = [
    "AdaBoostM1Classifier",
    "C45Classifier",
    "CARTClassifier",
    "CARTLCClassifier",
    "CARTRegressor",
    "GSODTClassifier",
    "HybridTreeClassifier",
    "ID3Classifier",
    "LSODTClassifier",
    "MCDFClassifier",
    "OC1Classifier",
    "REMTClassifier",
    "SVMTreeClassifier",
    "__version__",
    "register_criterion",
    "unregister_criterion",
]
