"""Numbers of a scene for the texts of the course, by the functions that its pages use.

A text names what it needs, ``{leaves}`` or, of the second model, ``{leaves_2}``; nothing else is
worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from lastviz.datasets import DATASETS
from lastviz.estimators import ForestClassifier, entry_of
from lastviz.inspection import RootPrices, number_scores, scores
from lastviz.plots import number, rule_words
from lastviz.splitters import Stage
from lastviz.tree import Tree
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import percent, t

from . import ahead, cache, monotone, nodes
from .numbers import division_of_numbers, trained_numbers

ROOT = 0
SECOND = "_2"


def facts_of(selection: Selection, names: Iterable[str]) -> dict[str, str]:
    """Return facts of a scene by name, as people read them.

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
        found[name] = FACTS[name.removesuffix(SECOND)](selection, place)
    return found


def _tree(selection: Selection, place: int) -> Tree:
    if cache.data(selection).dataset.is_regression:
        return trained_numbers(selection).estimator.tree_
    return cache.fitted(selection, place).estimator.tree_


def _noise(selection: Selection, _: int) -> str:
    values = {param.name: param.default for param in DATASETS[selection.data].PARAMS}
    return number((values | dict(selection.params))["noise"])


def _accuracy(selection: Selection, place: int, *, held_out: bool) -> str:
    divided = cache.division(selection, place)
    rows = divided.held_out_rows if held_out else divided.train_rows
    model = cache.fitted(selection, place, allow_ensembles=True).estimator
    predict = getattr(model, "predict_codes", None) or model.tree_.predict
    codes = predict(divided.values[rows])
    part = scores(divided.y[rows], codes, cache.data(selection).dataset.n_classes)
    return percent(part.accuracy)


def _rmse(selection: Selection, place: int, *, held_out: bool) -> str:
    divided, model = division_of_numbers(selection), trained_numbers(selection).estimator
    rows = divided.held_out_rows if held_out else divided.train_rows
    return number(number_scores(divided.y[rows], model.predict(divided.X.iloc[rows])).rmse)


# ---------------------------------------------------------------- the root


def _root_test(selection: Selection, place: int) -> str:
    tree = _tree(selection, place)
    return rule_words(tree, tree.children(ROOT)[0], html=False)


def _side(selection: Selection, place: int, side: int) -> str:
    tree = _tree(selection, place)
    return number(int(tree.n_node_samples[tree.children(ROOT)[side]]))


def _best(selection: Selection, column: str) -> int:
    """Return the best candidate of the root by a column; of equal ones the first."""
    return int(np.argmax(nodes.candidates(selection, 0, ROOT).scores(column)))


def _value(selection: Selection, column: str, at: str) -> str:
    """Return what a column says of the candidate that is best by another."""
    table = nodes.candidates(selection, 0, ROOT)
    return number(float(f"{table.columns[column][_best(selection, at)]:.3g}"))


def _test(selection: Selection, column: str) -> str:
    table, best = nodes.candidates(selection, 0, ROOT), _best(selection, column)
    name = cache.division(selection).X.columns[int(table.feature[best])]
    threshold = number(float(f"{table.threshold[best]:.3g}"))
    return t("{feature} ≤ {threshold}", feature=name, threshold=threshold)


def _gini_impurity(selection: Selection, place: int) -> str:
    shares = _tree(selection, place).value[ROOT]
    return number(float(f"{1.0 - ((shares / shares.sum()) ** 2).sum():.3g}"))


def _errors(selection: Selection, place: int) -> str:
    divided, tree = cache.division(selection, place), _tree(selection, place)
    rows = divided.train_rows
    return number(int((tree.predict(divided.values[rows]) != divided.y[rows]).sum()))


def _prices(selection: Selection) -> RootPrices:
    """Return the fewest errors of a tree of depth three below every question at the root."""
    table, divided = nodes.candidates(selection, 0, ROOT), cache.division(selection)
    key, rows = nodes.table_key(selection, 0, ROOT), nodes.rows_of(selection, 0, ROOT)
    return ahead.prices_of(key, divided.values, divided.y, rows, len(table.counts))


def _fewest_below_root(selection: Selection, _: int) -> str:
    table, root = nodes.candidates(selection, 0, ROOT), nodes.stored_split(selection, 0, ROOT)
    return number(int(_prices(selection).errors[table.find(root.feature, root.threshold)]))


def _rank(selection: Selection, column: str, at: str) -> str:
    """Return the rank by a column of the candidate that is best by another."""
    table = nodes.candidates(selection, 0, ROOT)
    return number(int(nodes.ranked(table, column)[_best(selection, at)]))


def _settings(selection: Selection, place: int) -> str:
    """Return the parameters of a model that are not its defaults, with these."""
    model = selection.models[place]
    given, declared = dict(model.params), entry_of(model.key).cls.PARAMS
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


def _first_stage(selection: Selection) -> Stage:
    return nodes.search(selection, 0, ROOT).rule.stages[0]


def _rank_of_second(selection: Selection, _: int) -> str:
    """Return the rank of the second model's first split in the first stage of the first model."""
    table, root = nodes.candidates(selection, 0, ROOT), nodes.stored_split(selection, 1, ROOT)
    place = table.find(root.feature, root.threshold)
    return number(int(nodes.ranked(table, _first_stage(selection).column)[place]))


# ---------------------------------------------------------------- other algorithms


def _starts(selection: Selection, place: int, *, best: bool) -> str:
    """Return the starts of the search for a hyperplane at the root, or those that end best."""
    search = nodes.hyperplanes(selection, place, ROOT)
    reached = search.score == search.score[search.winner] if best else slice(None)
    return number(len(np.unique(search.restart[reached])))


def _peeled(selection: Selection, place: int) -> str:
    """Return the class that leaves first."""
    tree = _tree(selection, place)
    names = cache.data(selection).dataset.class_order
    first = np.flatnonzero(tree.kernel.first[tree.split_row[ROOT]])
    return t(", ").join(str(names[c]) for c in first)


def _trees(selection: Selection, place: int) -> str:
    model = cache.fitted(selection, place, allow_ensembles=True).estimator
    return number(len(model.estimators_) if isinstance(model, ForestClassifier) else 1)


def _edited_from(selection: Selection, place: int) -> str:
    """Return the leaves of the tree without its edits."""
    bare = selection.change_model(place, edits=())
    return number(cache.fitted(bare, place).estimator.tree_.n_leaves)


Fact = Callable[[Selection, int], str]

FACTS: dict[str, Fact] = {
    "rows": lambda selection, _: number(cache.data(selection).dataset.n_samples),
    "noise": _noise,
    "features": lambda selection, _: number(cache.data(selection).dataset.n_features),
    "classes": lambda selection, _: number(cache.data(selection).dataset.n_classes),
    "learnt": lambda selection, _: number(len(cache.division(selection).train_rows)),
    "held": lambda selection, _: number(len(cache.division(selection).held_out_rows)),
    "leaves": lambda selection, place: number(_tree(selection, place).n_leaves),
    "depth": lambda selection, place: number(_tree(selection, place).max_depth),
    "inner": lambda selection, place: number(int((_tree(selection, place).n_children > 0).sum())),
    "accuracy": partial(_accuracy, held_out=True),
    "training": partial(_accuracy, held_out=False),
    "errors": _errors,
    "fewest": lambda selection, _: number(_prices(selection).fewest),
    "fewest_below_root": _fewest_below_root,
    "rmse": partial(_rmse, held_out=True),
    "rmse_training": partial(_rmse, held_out=False),
    "test": _root_test,
    "yes": partial(_side, side=0),
    "no": partial(_side, side=1),
    "impurity": _gini_impurity,
    "candidates": lambda selection, _: number(nodes.candidates(selection, 0, ROOT).n_candidates),
    "best_gini": lambda selection, _: _value(selection, "gini", "gini"),
    "gini_test": lambda selection, _: _test(selection, "gini"),
    "gini_at_bnm5": lambda selection, _: _value(selection, "gini", "bnm5"),
    "best_bnm5": lambda selection, _: _value(selection, "bnm5", "bnm5"),
    "bnm5_at_gini": lambda selection, _: _value(selection, "bnm5", "gini"),
    "bnm5_test": lambda selection, _: _test(selection, "bnm5"),
    "bnm_test": lambda selection, _: _test(selection, "bnm"),
    "penalty_at_bnm5": lambda selection, _: _value(selection, "penalty", "bnm5"),
    "penalty_at_bnm": lambda selection, _: _value(selection, "penalty", "bnm"),
    "best_csn": lambda selection, _: _value(selection, "csn", "csn"),
    "csn_at_gini": lambda selection, _: _value(selection, "csn", "gini"),
    "csn_test": lambda selection, _: _test(selection, "csn"),
    "settings": _settings,
    "shortlist": lambda selection, _: number(_first_stage(selection).k),
    "rank_of_second": _rank_of_second,
    "gini_rank_of_bnm": lambda selection, _: _rank(selection, "gini", "bnm"),
    "gini_rank_of_csn": lambda selection, _: _rank(selection, "gini", "csn"),
    "starts": partial(_starts, best=False),
    "best_starts": partial(_starts, best=True),
    "peeled": _peeled,
    "contradicting": lambda selection, _: number(int(monotone.contradictions(selection).n_pairs)),
    "violations": lambda *about: number(int(monotone.audit(*about).n_violating)),
    "trees": _trees,
    "grown_leaves": lambda *about: number(cache.fitted(*about).estimator.grown_tree_.n_leaves),
    "leaves_unedited": _edited_from,
}
"""What texts may name: what it is of, a scene and the place of one of its models, to words."""
