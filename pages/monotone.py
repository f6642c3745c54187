"""Is it monotone? Ordered classes: contradictions in the data, trees and forests, the audit."""

from lastviz.ui import frame
from lastviz.ui.compute import python_code
from lastviz.ui.monotone import page
from lastviz.ui.shared import controls
from lastviz.ui.state import session
from lastviz.ui.text import t


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    page.model_chooser()
    controls.seed()
    controls.foot(lambda: python_code.python_of(session.current().first_models(1)))


with frame.page(t("Is it monotone?"), sidebar=choices, classes=True, models=1):
    page.body()
