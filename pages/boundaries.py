"""Where does each algorithm draw the line? One to four models on the same data."""

from lastviz.ui import (
    boundary_panels,
    controls,
    details,
    frame,
    recipe,
    regression_panels,
    state,
    view_controls,
)
from lastviz.ui.headline import legend, show
from lastviz.ui.plane import plane_of
from lastviz.ui.selection import MAX_MODELS
from lastviz.ui.text import t

QUESTION = t("Where does each algorithm draw the line?")


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    if regression_panels.applies(state.current()):
        regression_panels.choosers()
    else:
        model_choices()
    controls.seed()
    controls.foot(lambda: recipe.python_of(state.current()))


def model_choices() -> None:
    """Draw the choice of the models of classes and of their picture."""
    controls.model_choosers(MAX_MODELS, whole=True)
    view_controls.plane_chooser(plane_of(state.current()))
    view_controls.tree_choosers(state.current())
    view_controls.depth_slider(state.current())


def prepare() -> boundary_panels.Scene | regression_panels.NumberPicture:
    """Work out what the page shows: regions of classes, or numbers over one or two features."""
    numbers = regression_panels.applies(state.current())
    return regression_panels.prepared() if numbers else boundary_panels.scene()


with frame.page(QUESTION, sidebar=choices, prepare=prepare) as scene:
    if isinstance(scene, regression_panels.NumberPicture):
        regression_panels.body(scene)
    elif scene:
        held_out = state.current().held > 0
        splits = scene.has_splits
        show(legend(scene.class_names, frame.theme(), held_out=held_out, splits=splits))
        with boundary_panels.pictures(scene):
            if scene.views:
                details.explanations(scene.views, scene.dataset, scene.class_names)
