"""Numbers of a scene for the texts of the course, by the functions that its pages use.

A text names what it needs, ``{leaves}`` or, of the second model, ``{leaves_2}``; nothing else is
worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from lastviz.datasets import DATASETS
from lastviz.estimators import ForestClassifier
from lastviz.inspection import RootPrices, number_scores, scores
from lastviz.plots import number, rule_words
from lastviz.splitters import Stage
from lastviz.tree import Tree
from lastviz.ui.text import percent, t

from . import ahead, monotone, nodes
from .work import ModelWork, Work

ROOT = 0
SECOND = "_2"


def facts_of(work: Work, names: Iterable[str]) -> dict[str, str]:
    """Facts of a scene by name, formatted for display.

    Raises
    ------
    KeyError
        If there is no such fact.
    CannotShow, Working
        As the functions that work them out.
    """
    found = {}
    for name in names:
        place = 1 if name.endswith(SECOND) else 0
        found[name] = FACTS[name.removesuffix(SECOND)](work.models[place])
    return found


def _tree(model: ModelWork) -> Tree:
    return model.tree


def _noise(model: ModelWork) -> str:
    selection = model.selection
    values = {param.name: param.default for param in DATASETS[selection.data].PARAMS}
    return number((values | dict(selection.params))["noise"])


def _accuracy(model: ModelWork, *, held_out: bool) -> str:
    divided = model.division
    rows = divided.held_out_rows if held_out else divided.train_rows
    fitted = model.fitted_any.estimator
    predict = getattr(fitted, "predict_codes", None) or fitted.tree_.predict
    codes = predict(divided.values[rows])
    part = scores(divided.y[rows], codes, model.dataset.n_classes)
    return percent(part.accuracy)


def _rmse(model: ModelWork, *, held_out: bool) -> str:
    divided, fitted = model.work.first.division, model.work.first.estimator
    rows = divided.held_out_rows if held_out else divided.train_rows
    return number(number_scores(divided.y[rows], fitted.predict(divided.X.iloc[rows])).rmse)


# ---------------------------------------------------------------- the root


def _root_test(model: ModelWork) -> str:
    tree = _tree(model)
    return rule_words(tree, tree.children(ROOT)[0], html=False)


def _side(model: ModelWork, side: int) -> str:
    tree = _tree(model)
    return number(int(tree.n_node_samples[tree.children(ROOT)[side]]))


def _best(work: Work, column: str) -> int:
    """Best candidate of the root by a column; of equal ones the first."""
    return int(np.argmax(work.first.node(ROOT).candidates.scores(column)))


def _value(work: Work, column: str, at: str) -> str:
    """Value of a column for the candidate that is best by another column."""
    table = work.first.node(ROOT).candidates
    return number(float(f"{table.columns[column][_best(work, at)]:.3g}"))


def _test(work: Work, column: str) -> str:
    table, best = work.first.node(ROOT).candidates, _best(work, column)
    name = work.first.division.X.columns[int(table.feature[best])]
    threshold = number(float(f"{table.threshold[best]:.3g}"))
    return t("{feature} ≤ {threshold}", feature=name, threshold=threshold)


def _gini_impurity(model: ModelWork) -> str:
    shares = _tree(model).value[ROOT]
    return number(float(f"{1.0 - ((shares / shares.sum()) ** 2).sum():.3g}"))


def _errors(model: ModelWork) -> str:
    divided, tree = model.division, _tree(model)
    rows = divided.train_rows
    return number(int((tree.predict(divided.values[rows]) != divided.y[rows]).sum()))


def _prices(work: Work) -> RootPrices:
    """Fewest errors of a tree of depth three below every question at the root."""
    table, divided = work.first.node(ROOT).candidates, work.first.division
    key, rows = work.first.node(ROOT).table_key, work.first.node(ROOT).rows
    return ahead.prices_of(key, divided.values, divided.y, rows, len(table.counts))


def _fewest_below_root(model: ModelWork) -> str:
    work = model.work
    table, root = work.first.node(ROOT).candidates, work.first.node(ROOT).stored_split
    return number(int(_prices(work).errors[table.find(root.feature, root.threshold)]))


def _rank(work: Work, column: str, at: str) -> str:
    """Rank by a column of the candidate that is best by another."""
    table = work.first.node(ROOT).candidates
    return number(int(nodes.rank_candidates(table, column)[_best(work, at)]))


def _settings(model: ModelWork) -> str:
    """Parameters of a model that are not its defaults, with these."""
    given, declared = dict(model.chosen.params), model.entry.cls.PARAMS
    return t(", ").join(
        t(
            "{label} {value} (default: {default})",
            label=t(param.label),
            value=number(given[param.name]),
            default=t(param.none_word) if param.default is None else number(param.default),
        )
        for param in declared
        if param.name in given
    )


def _first_stage(work: Work) -> Stage:
    return work.first.node(ROOT).search.rule.stages[0]


def _rank_of_second(model: ModelWork) -> str:
    """Rank of the second model's first split in the first stage of the first model."""
    work = model.work
    table, root = work.first.node(ROOT).candidates, work.models[1].node(ROOT).stored_split
    place = table.find(root.feature, root.threshold)
    return number(int(nodes.rank_candidates(table, _first_stage(work).column)[place]))


# ---------------------------------------------------------------- other algorithms


def _starts(model: ModelWork, *, best: bool) -> str:
    """Starts of the search for a hyperplane at the root, or those that end best."""
    search = model.node(ROOT).hyperplanes
    reached = search.score == search.score[search.winner] if best else slice(None)
    return number(len(np.unique(search.restart[reached])))


def _peeled(model: ModelWork) -> str:
    """Class that leaves first."""
    tree = _tree(model)
    names = model.dataset.class_order
    first = np.flatnonzero(tree.kernel.first[tree.split_row[ROOT]])
    return t(", ").join(str(names[c]) for c in first)


def _trees(model: ModelWork) -> str:
    fitted = model.fitted_any.estimator
    return number(len(fitted.estimators_) if isinstance(fitted, ForestClassifier) else 1)


Fact = Callable[[ModelWork], str]

FACTS: dict[str, Fact] = {
    "rows": lambda model: number(model.dataset.n_samples),
    "noise": _noise,
    "features": lambda model: number(model.dataset.n_features),
    "classes": lambda model: number(model.dataset.n_classes),
    "learnt": lambda model: number(len(model.work.first.division.train_rows)),
    "held": lambda model: number(len(model.work.first.division.held_out_rows)),
    "leaves": lambda model: number(_tree(model).n_leaves),
    "depth": lambda model: number(_tree(model).max_depth),
    "inner": lambda model: number(int((_tree(model).n_children > 0).sum())),
    "accuracy": partial(_accuracy, held_out=True),
    "training": partial(_accuracy, held_out=False),
    "errors": _errors,
    "fewest": lambda model: number(_prices(model.work).fewest),
    "fewest_below_root": _fewest_below_root,
    "rmse": partial(_rmse, held_out=True),
    "rmse_training": partial(_rmse, held_out=False),
    "test": _root_test,
    "yes": partial(_side, side=0),
    "no": partial(_side, side=1),
    "impurity": _gini_impurity,
    "candidates": lambda model: number(model.work.first.node(ROOT).candidates.n_candidates),
    "best_gini": lambda model: _value(model.work, "gini", "gini"),
    "gini_test": lambda model: _test(model.work, "gini"),
    "gini_at_bnm5": lambda model: _value(model.work, "gini", "bnm5"),
    "best_bnm5": lambda model: _value(model.work, "bnm5", "bnm5"),
    "bnm5_at_gini": lambda model: _value(model.work, "bnm5", "gini"),
    "bnm5_test": lambda model: _test(model.work, "bnm5"),
    "bnm_test": lambda model: _test(model.work, "bnm"),
    "penalty_at_bnm5": lambda model: _value(model.work, "penalty", "bnm5"),
    "penalty_at_bnm": lambda model: _value(model.work, "penalty", "bnm"),
    "best_csn": lambda model: _value(model.work, "csn", "csn"),
    "csn_at_gini": lambda model: _value(model.work, "csn", "gini"),
    "csn_test": lambda model: _test(model.work, "csn"),
    "settings": _settings,
    "shortlist": lambda model: number(_first_stage(model.work).k),
    "rank_of_second": _rank_of_second,
    "gini_rank_of_bnm": lambda model: _rank(model.work, "gini", "bnm"),
    "gini_rank_of_csn": lambda model: _rank(model.work, "gini", "csn"),
    "starts": partial(_starts, best=False),
    "best_starts": partial(_starts, best=True),
    "peeled": _peeled,
    "contradicting": lambda model: number(int(monotone.contradictions(model.work).n_pairs)),
    "violations": lambda model: number(int(monotone.audit(model).n_violating)),
    "trees": _trees,
    "grown_leaves": lambda model: number(model.grown.n_leaves),
    "leaves_unedited": lambda model: number(model.without_edits.tree.n_leaves),
}
"""What texts may name: what it is of, a scene and the place of one of its models, to words."""
