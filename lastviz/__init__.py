"""lastviz: see how decision trees think.

The estimators follow scikit-learn's conventions; `lastviz.datasets` makes and reads data,
`lastviz.inspection` asks a fitted tree questions, `lastviz.plots` draws the answers.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ._plugins import load_plugins

if TYPE_CHECKING:  # what type checkers know of the names that are imported when asked for
    from .criteria import register_criterion, unregister_criterion
    from .displays import *  # noqa: F403
    from .estimators import *  # noqa: F403
    from .estimators.scikit_learn import from_sklearn
    from .estimators.to_scikit_learn import to_sklearn
    from .notebook import widget

__version__ = "0.1.0"

__all__ = [
    "AdaBoostM1Classifier",
    "BoundaryDisplay",
    "C45Classifier",
    "CARTClassifier",
    "CARTLCClassifier",
    "CARTRegressor",
    "GSODTClassifier",
    "GrowthDisplay",
    "HybridTreeClassifier",
    "HyperplaneDisplay",
    "ID3Classifier",
    "LSODTClassifier",
    "MCDFClassifier",
    "MonotoneBoostingClassifier",
    "OC1Classifier",
    "OptimalTreeClassifier",
    "PruningDisplay",
    "REMTClassifier",
    "SVMTreeClassifier",
    "SplitDisplay",
    "TAOClassifier",
    "TreeDisplay",
    "__version__",
    "from_sklearn",
    "register_criterion",
    "show",
    "to_sklearn",
    "unregister_criterion",
    "what_if",
    "widget",
]


def __getattr__(name: str) -> object:
    """Import what is asked for first: a server that starts needs none of it yet."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "criteria" if name.endswith("_criterion") else "estimators"
    home = "displays" if name == "show" or name.endswith("Display") else home
    home = "estimators.scikit_learn" if name == "from_sklearn" else home
    home = "estimators.to_scikit_learn" if name == "to_sklearn" else home
    home = "notebook" if name == "widget" else home
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


load_plugins()  # last: they may import all of this
