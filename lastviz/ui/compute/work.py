"""The selection with its data and models, resolved once a run and handed down.

A page asks the same of its selection in dozens of places. It asks a :class:`Work`, which keeps
the answers as long as the run lasts; the next run resolves anew, and so sees a file that was
replaced or a data set that has come.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

import numpy as np

from lastviz.estimators import entry_of, is_imported
from lastviz.host.memory import resolved
from lastviz.ui.state import session
from lastviz.ui.state.selection import AT_NUMBERS, Model, Selection

from .models import TrainedModel
from .nodes import NodeWork
from .selected import SelectedData, gains_of, sort_columns


class ModelWork(TrainedModel):
    """A model, and the nodes of its tree."""

    def node(self, node: int) -> NodeWork:
        """A node of the tree that predicts."""
        return self._nodes.setdefault(node, NodeWork(self, node))

    @resolved
    def _nodes(self) -> dict[int, NodeWork]:
        return {}


class Work(SelectedData):
    """A selection, its data and its models.

    Parameters
    ----------
    selection : Selection
    """

    @resolved
    def models(self) -> tuple[ModelWork, ...]:
        """The models that learn from the data; nothing of them is resolved yet.

        Of numbers there is one: a tree that was brought, else the regressor.
        """
        if self.dataset.is_regression and self.selection.models:
            is_own = is_imported(self.selection.models[0].key)
            return (ModelWork(self, 0 if is_own else AT_NUMBERS),)
        return tuple(ModelWork(self, place) for place in range(len(self.selection.models)))

    @resolved
    def first(self) -> ModelWork:
        """The first model."""
        return self.models[0]

    def first_models(self, n: int) -> Work:
        """The selection with its first models alone."""
        if n >= len(self.selection.models):
            return self
        return self._first_models.setdefault(n, Work(self.selection.first_models(n)))

    @resolved
    def _first_models(self) -> dict[int, Work]:
        return {}

    def gains(self, form: str | None = None) -> np.ndarray:
        """Gain of each feature by itself, shape (n_features,); see inspection.

        In the form of the first model, unless another is named.
        """
        divided = self.division_in(form or self.first.form)
        key, columns = (*self.data_key, divided.form), divided.values
        if divided.is_plain:
            columns = sort_columns(key, columns)
        return gains_of(key, columns, divided, self.dataset.n_classes)

    @resolved
    def single_trees(self) -> Work:
        """The scene with the picked tree in place of each forest that votes, or envelope."""
        models = tuple(
            replace(model, alone=True, tree=model.tree or 0) if _decides_as_more(model) else model
            for model in self.selection.models
        )
        if models == self.selection.models:
            return self
        return Work(replace(self.selection, models=models))


# ---- the work of a run


_RUN: ContextVar[list[Work]] = ContextVar("run")  # its newest work


@contextmanager
def one_run() -> Iterator[None]:
    """Resolve the selection only once within the block."""
    token = _RUN.set([])
    try:
        yield
    finally:
        _RUN.reset(token)


def current() -> Work:
    """Work of the current selection.

    One object a run, and a new one outside of runs.
    """
    return work_of(session.current())


def work_of(selection: Selection) -> Work:
    """Work of a selection, in a run the same for the same one."""
    known = _RUN.get(None)
    if known is None:
        return Work(selection)
    for work in known:
        if work.selection is selection:
            return work
    known.append(Work(selection))
    return known[-1]


def _decides_as_more(model: Model) -> bool:
    """Whether a model grown here decides by the votes or envelope of its trees."""
    cls = entry_of(model.key).cls
    votes = cls.TAGS.forest and not cls.adds_scores
    return not is_imported(model.key) and (votes or bool(dict(model.params).get("monotone")))
