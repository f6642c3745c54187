"""In which space does it split? The rows and the split in latent components and in features."""

from lastviz.ui import frame
from lastviz.ui.compute import python_code
from lastviz.ui.latent import controls as latent_controls
from lastviz.ui.latent import details, figures, page
from lastviz.ui.latent.words import latent_legend
from lastviz.ui.shared import controls
from lastviz.ui.shared.figures import current_theme
from lastviz.ui.shared.headline import show
from lastviz.ui.state import session
from lastviz.ui.text import t

QUESTION = t("In which space does it split?")


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    latent_controls.look_at_all()
    controls.model_choosers(1)
    latent_controls.latent_node_chooser()
    latent_controls.component_chooser()
    controls.seed()
    controls.foot(lambda: python_code.python_of(session.current().first_models(1)))


with frame.page(
    QUESTION, sidebar=choices, prepare=figures.prepared, classes=True, models=1
) as prepared:
    if prepared:
        show(latent_legend(prepared.scene, current_theme()))
        page.pictures(prepared)
        details.latent_details(prepared.scene)
    else:
        page.offer()
