"""What a skops file of a model holds, by name: what its reader may trust."""

from __future__ import annotations

from lastviz.estimators import (
    ESTIMATORS,
    REGRESSORS,
    BoostedTreeClassifier,
    Draw,
    ImportedBoosting,
    ImportedForestClassifier,
    ImportedForestRegressor,
    ImportedTreeClassifier,
    ImportedTreeRegressor,
    Resample,
    Round,
    SubsetPlan,
)
from lastviz.estimators.machine_settings import SettingsCrossValidation, Tried
from lastviz.pruning import CostComplexityPath
from lastviz.splitters import CategorySplit, KernelSplit, ObliqueSplit, Split
from lastviz.splitters.edits import ClassSplit, Cut, ForcedSplit, Kept, MadeLeaf, Without
from lastviz.tree import (
    CategorySplits,
    FeatureScaling,
    GrowthLog,
    KernelFunction,
    KernelSplits,
    LatentBasis,
    ObliqueSplits,
    Tree,
)

IMPORTED = (
    ImportedBoosting,
    ImportedForestClassifier,
    ImportedForestRegressor,
    ImportedTreeClassifier,
    ImportedTreeRegressor,
)
RECORDS = (
    CategorySplit, CategorySplits, ClassSplit, CostComplexityPath, Cut, Draw, FeatureScaling,
    ForcedSplit, GrowthLog, Kept, KernelFunction, KernelSplit, KernelSplits, LatentBasis,
    MadeLeaf, ObliqueSplit, ObliqueSplits, Resample, Round, SettingsCrossValidation, Split,
    SubsetPlan, Tree, Tried, Without,
)  # fmt: skip


def trusted_types() -> list[str]:
    """Return the types of this package that a fitted model is made of, for ``skops.io.load``.

    None of them runs anything when it is read: they are estimators and records of arrays.

    Returns
    -------
    list of str
        Full names, sorted; skops itself knows those of numpy and scikit-learn.

    Examples
    --------
    >>> "lastviz.tree.tree.Tree" in trusted_types()
    True
    """
    algorithms = [BoostedTreeClassifier]
    algorithms += [entry.cls for entry in (*ESTIMATORS.values(), *REGRESSORS.values())]
    return sorted(
        f"{each.__module__}.{each.__qualname__}" for each in (*algorithms, *IMPORTED, *RECORDS)
    )
