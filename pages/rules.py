"""What does the tree say? Its rules with their supports, one sample, files to take along."""

from lastviz.ui import frame
from lastviz.ui.compute import python_code
from lastviz.ui.rules import controls as rule_controls
from lastviz.ui.rules import page as panels
from lastviz.ui.shared import controls
from lastviz.ui.state import session
from lastviz.ui.text import t

QUESTION = t("What does the tree say?")


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(1, whole=True)
    rule_controls.rule_choices()
    controls.seed()
    controls.foot(lambda: python_code.python_of(session.current().first_models(1)))


with frame.page(
    QUESTION, sidebar=choices, prepare=panels.prepared, classes=True, models=1
) as scene:
    if scene:
        panels.top(scene)
        panels.body(scene)
