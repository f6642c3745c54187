"""What does the tree say? Its rules with their supports, one sample, files to take along."""

from lastviz.ui import controls, frame, recipe, rule_controls, state
from lastviz.ui import rule_panels as panels
from lastviz.ui.text import t

QUESTION = t("What does the tree say?")


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(1, whole=True)
    rule_controls.rule_choices()
    controls.seed()
    controls.foot(lambda: recipe.python_of(state.current()))


with frame.page(QUESTION, sidebar=choices, prepare=panels.prepared, classes=True) as scene:
    if scene:
        panels.top(scene)
        panels.body(scene)
