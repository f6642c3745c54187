"""lastviz: see how decision trees think.

``lastviz.show(model, X, y)`` draws a tree, forest, pipeline or search in a notebook,
``lastviz.widget(model, X, y)`` one that is changed by hand; displays such as ``TreeDisplay`` draw
more. ``lastviz open FILE`` serves the app with a table. The guide: docs/guide.md.

The estimators follow scikit-learn's conventions; `datasets` makes and reads data, `inspection` asks
a fitted tree questions, `plots` draws the answers, `export` writes models as code and files.
"""

import typing
from importlib import import_module

from ._plugins import load_plugins

if typing.TYPE_CHECKING:  # what type checkers know of the names that are imported when asked for
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
    """Import a public name on first access.

    A server that starts needs none of them yet.
    """
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
    modules = [name for name, value in globals().items() if isinstance(value, type(typing))]
    return sorted({*__all__, *(name for name in modules if name[0] != "_" and name != "typing")})


load_plugins()  # last: they may import all of this
