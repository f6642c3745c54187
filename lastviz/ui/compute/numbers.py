"""The tree where numbers are learnt: trained once per process, and changed by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from lastviz.estimators import IMPORTED, LEARNS_NUMBERS, TreeEstimator, is_imported
from lastviz.inspection import RowChanges, number_scores, row_changes
from lastviz.splitters.edits import Edit
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.edit_codes import Edits, write_edits
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, t

from . import cache
from .edited import full, has_place, void_in
from .own_model import model_content, own_training
from .training import COLUMNS, Division, Fitted, called, regrowth, training, unlabelled


@dataclass(frozen=True, eq=False)
class NumberEffects:
    """What edits change on one part of the rows."""

    n_samples: int
    before: float  # root of the mean squared error
    after: float  # root of the mean squared error
    changes: RowChanges


def is_own_tree(selection: Selection) -> bool:
    """Tell whether the numbers are predicted by a tree that the reader brought."""
    return is_imported(selection.models[0].key)


def title_of_numbers(selection: Selection) -> str:
    """Return what the algorithm is called, or that the tree is the reader's own."""
    return t((IMPORTED if is_own_tree(selection) else LEARNS_NUMBERS).title)


def division_of_numbers(selection: Selection) -> Division:
    """Return rows and columns as the tree reads them."""
    return cache.division_in(selection, COLUMNS)


def trained_numbers(selection: Selection) -> Fitted:
    """Return the tree with all that is changed in it by hand.

    Raises
    ------
    CannotShow
        If there is nothing to learn, an edit cannot be made, or a tree that the reader brought
        does not fit the data.
    Working
        If training takes long.
    """
    bare, edits = grown_by_itself(selection), selection.boundaries.number_edits
    if not edits:
        return bare
    if is_own_tree(selection):
        raise CannotShow(t("A model that was not grown here cannot be edited by hand."))
    given = *division_of_numbers(selection).learnt, edits_of_numbers(selection)
    work = partial(regrowth, bare.estimator, *given, None)
    key = f"{cache.division_key(selection)}|{_about(selection)}|{write_edits(edits)}"
    return cache.outcome(key, t(LEARNS_NUMBERS.title), work)


def grown_by_itself(selection: Selection) -> Fitted:
    """Return the tree as its algorithm grows it; raises as :func:`trained_numbers`."""
    if is_own_tree(selection):
        return _brought(selection)
    divided = division_of_numbers(selection)
    rows = divided.train_rows
    y = divided.y[rows]
    if np.ptp(y) == 0:
        sentence = (
            "All training rows have the same {target} ({value}), so there is nothing to learn: "
            "hold out fewer rows, or choose other data."
        )
        target = str(cache.data(selection).dataset.y.name)
        raise CannotShow(t(sentence, target=target, value=f"{y[0]:g}"))
    weights = cache.data(selection).dataset.weights
    beside = {} if weights is None else {"sample_weight": weights[rows]}
    unfitted = LEARNS_NUMBERS.cls(**_params(selection))
    work = partial(training, unfitted, divided.X.iloc[rows], y, **beside)
    about = _about(selection)
    key = f"{cache.division_key(unlabelled(selection))}|{about}"
    model = cache.outcome(key, t(LEARNS_NUMBERS.title), work)
    return called(f"{cache.division_key(selection)}|{about}", model, divided)


def _brought(selection: Selection) -> Fitted:
    """Return the tree that the reader brought, on these data."""
    dataset, X = cache.data(selection).dataset, division_of_numbers(selection).X
    content = model_content(selection.models[0].key)
    work = partial(own_training, content, selection, dataset, X)
    return cache.outcome(cache.model_key(selection, 0), t(IMPORTED.title), work)


def _params(selection: Selection) -> dict[str, object]:
    return dict(selection.numbers) | {SEED_NAME: selection.seed}


def _about(selection: Selection) -> str:
    return f"numbers|{sorted(_params(selection).items())}"


def edits_of_numbers(selection: Selection) -> Edits:
    """Return the edits as ``fit`` takes them, without those that name what the data lack."""
    divided, edits = division_of_numbers(selection), selection.boundaries.number_edits
    return full([edit for edit in edits if has_place(edit, divided, 0)], divided)


def void_number_edits(selection: Selection, estimator: TreeEstimator) -> dict[Edit, bool]:
    """Return the edits without effect, see :func:`.edited.void_in`."""
    edits = selection.boundaries.number_edits
    return void_in(edits, estimator, division_of_numbers(selection), 0)


def effects_on_numbers(
    selection: Selection, before: TreeEstimator, after: TreeEstimator
) -> dict[str, NumberEffects]:
    """Return what edits change on the rows held out, if there are any, and on those of training."""
    divided, found = division_of_numbers(selection), {}
    for name, rows in (("held_out", divided.held_out_rows), ("training", divided.train_rows)):
        if len(rows):
            X, y = divided.X.iloc[rows], divided.y[rows]
            errors = [number_scores(y, model.predict(X)).rmse for model in (before, after)]
            found[name] = NumberEffects(len(rows), *errors, row_changes(before, after, X, y))
    return found
