"""A tree in a notebook that is clicked and changed by hand: Jupyter, VS Code, marimo.

The package anywidget of the extra `notebook` is wanted when a widget is made, not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sklearn.base import BaseEstimator

from lastviz._extras import import_extra

if TYPE_CHECKING:
    from .tree_widget import TreeWidget


def widget(estimator: BaseEstimator, X: object, y: object, **options: object) -> TreeWidget:
    """Show a tree with its regions in a notebook, to be clicked and changed by hand.

    Parameters
    ----------
    estimator : estimator
        A fitted tree of this package or of scikit-learn, or a forest with `tree` in `options`.
    X, y : array-like
        The rows to draw; for changes by hand the very ones that it was fitted on.
    **options
        As for :meth:`BoundaryDisplay.from_estimator`: ``features``, ``class_names``, ``tree``,
        ``height`` and others; without ``theme`` it is as light or dark as the page.

    Returns
    -------
    TreeWidget
        ``node`` is the selected node of ``tree_`` (of ``from_sklearn(estimator).tree_`` for a
        tree of scikit-learn), which can be set; ``rows`` are the rows of `X` that come to it;
        ``estimator`` is the model as changed by hand.

    Raises
    ------
    NotInstalled
        Without anywidget: ``pip install 'lastviz[notebook]'``.
    sklearn.exceptions.NotFittedError, ValueError
        As :meth:`BoundaryDisplay.from_estimator`; for a forest without `tree`, and an envelope.
    """
    import_extra("anywidget", "lastviz.widget")
    from .tree_widget import TreeWidget

    return TreeWidget(estimator, X, y, **options)
