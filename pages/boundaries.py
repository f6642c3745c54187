"""Where does each algorithm draw the line? One to four models on the same data."""

from lastviz.ui import frame
from lastviz.ui.boundaries import details, page, regression
from lastviz.ui.compute import python_code
from lastviz.ui.shared import controls, view_controls
from lastviz.ui.shared.figures import current_theme
from lastviz.ui.shared.headline import legend, show
from lastviz.ui.shared.plane import plane_of
from lastviz.ui.state import session
from lastviz.ui.state.selection import MAX_MODELS
from lastviz.ui.text import t

QUESTION = t("Where does each algorithm draw the line?")


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    if regression.applies(session.current()):
        regression.choosers()
    else:
        model_choices()
    controls.seed()
    controls.foot(lambda: python_code.python_of(session.current()))


def model_choices() -> None:
    """Draw the choice of the models of classes and of their picture."""
    controls.model_choosers(MAX_MODELS, whole=True)
    view_controls.plane_chooser(plane_of(session.current()))
    view_controls.tree_choosers(session.current())
    view_controls.depth_slider(session.current())


def prepare() -> page.Scene | regression.NumberPicture:
    """Work out what the page shows: regions of classes, or numbers over one or two features."""
    numbers = regression.applies(session.current())
    return regression.prepared() if numbers else page.scene()


with frame.page(QUESTION, sidebar=choices, prepare=prepare, models=MAX_MODELS) as scene:
    if isinstance(scene, regression.NumberPicture):
        regression.body(scene)
    elif scene:
        held_out = session.current().held > 0
        splits = scene.has_splits
        show(legend(scene.class_names, current_theme(), held_out=held_out, splits=splits))
        with page.pictures(scene):
            if scene.views:
                details.explanations(scene.views, scene.dataset, scene.class_names)
