"""Is it monotone? Ordered classes: contradictions in the data, trees and forests, the audit."""

from lastviz.ui import controls, frame, monotone_controls, monotone_panels, recipe, state
from lastviz.ui.text import t


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    monotone_controls.model_chooser()
    controls.seed()
    controls.foot(lambda: recipe.python_of(state.current()))


with frame.page(t("Is it monotone?"), sidebar=choices, classes=True):
    monotone_panels.body()
