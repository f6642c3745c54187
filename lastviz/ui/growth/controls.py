"""The sidebar of the page *growth*: what the picture shows."""

from __future__ import annotations

from lastviz.ui.compute import cache
from lastviz.ui.shared.plane import plane_of
from lastviz.ui.shared.view_controls import plane_chooser
from lastviz.ui.shared.widgets import segments
from lastviz.ui.state import session
from lastviz.ui.text import t

__all__ = ["picture_chooser"]


def picture_chooser() -> None:
    """Draw what the picture shows: of kernel machines values of f or a plane, and which plane."""
    selection = session.current()
    plane = plane_of(selection, alone=True)
    model = cache.trained(selection, 0)
    curved = model is not None and len(model.grown_tree_.kernel) > 0
    if not curved or not plane.is_slice:
        plane_chooser(plane)
        return
    titles = {"values": t("Values of f"), "plane": t("A plane slice")}
    chosen = "plane" if selection.growth.picture == "plane" else "values"
    if segments("picture", t("Growth shown as"), titles, chosen=chosen, seen=True) == "plane":
        plane_chooser(plane)
