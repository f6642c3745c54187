"""The sidebar of the page *monotone*: the model, and the node where a part is about one."""

from __future__ import annotations

from lastviz.estimators import ESTIMATORS, ForestClassifier, REMTClassifier

from . import controls, split_controls, state, view_controls

__all__ = ["model_chooser"]


def model_chooser() -> None:
    """Draw the choice of the model; of a tree and a node where the page is about one."""
    controls.model_choosers(1, whole=True)
    cls = ESTIMATORS[state.current().models[0].key].cls
    if state.current().part != "node" or not issubclass(cls, REMTClassifier | ForestClassifier):
        return
    view_controls.tree_choosers(state.current())
    split_controls.node_chooser(whole=True)
