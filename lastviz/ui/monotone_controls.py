"""The sidebar of the page *monotone*: the model, and the node where a part is about one."""

from __future__ import annotations

from . import controls, split_controls, state

__all__ = ["model_chooser"]


def model_chooser() -> None:
    """Draw the choice of the model; of a node where the page is about one."""
    controls.model_choosers(1)
    if state.current().part == "node":
        split_controls.node_chooser()
