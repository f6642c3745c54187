"""What is said of the settings of an SVM tree: what they are, and where they come from."""

from __future__ import annotations

from lastviz.estimators import TreeClassifier
from lastviz.plots import number
from lastviz.ui.text import percent, t


def settings_words(model: TreeClassifier) -> str:
    """Return the width of the kernel, the price of slack and the scaling of a fitted tree."""
    return f"{_choice(model)} {_scaling(model)}"


def _choice(model: TreeClassifier) -> str:
    found, linear = model.cross_validation_, model.kernel == "linear"
    values = {"sigma": number(model.sigma_), "price": number(model.C_)}
    if found is None and (model.C == "auto" or (model.sigma == "auto" and not linear)):
        return t("Every class has a single training row, so none could be held out to choose by: "
                 "sigma is {sigma} and C is {price}.", **values)  # fmt: skip
    if found is None and linear:
        return t("C is {price}, as set.", **values)
    if found is None and model.sigma == "scale":
        return t("Sigma {sigma} follows from the variance of the features; C is {price}, as it was "
                 "given.", **values)  # fmt: skip
    if found is None:
        return t("Sigma is {sigma} and C is {price}, as they were given.", **values)
    values |= {
        "folds": found.n_folds,
        "n": number(found.n_rows),
        "m": number(int(model.grown_tree_.n_node_samples[0])),
        "share": percent(found.accuracy),
    }
    if model.sigma == "auto" and model.C == "auto" and not linear:
        return t("Sigma {sigma} and C {price} were chosen by {folds}-fold cross-validation on {n} "
                 "of the {m} training rows ({share} % right when held out).", **values)  # fmt: skip
    if model.C == "auto":
        return t("C {price} was chosen by {folds}-fold cross-validation on {n} of the {m} training "
                 "rows ({share} % right when held out).", **values)  # fmt: skip
    return t("Sigma {sigma} was chosen by {folds}-fold cross-validation on {n} of the {m} training "
             "rows ({share} % right when held out).", **values)  # fmt: skip


def _scaling(model: TreeClassifier) -> str:
    if model.standardises:
        return t("The features are standardised by the training rows: mean 0, standard "
                 "deviation 1.")  # fmt: skip
    return t("The features are not scaled.")
