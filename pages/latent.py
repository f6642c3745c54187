"""In which space does it split? The rows and the split in latent components and in features."""

from lastviz.ui import (
    controls,
    frame,
    latent_controls,
    latent_details,
    latent_figures,
    latent_offer,
    latent_panels,
    recipe,
    state,
)
from lastviz.ui.headline import show
from lastviz.ui.latent_words import latent_legend
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
    controls.foot(lambda: recipe.python_of(state.current()))


with frame.page(
    QUESTION, sidebar=choices, prepare=latent_figures.prepared, classes=True
) as prepared:
    if prepared:
        show(latent_legend(prepared.scene, frame.theme()))
        latent_panels.pictures(prepared)
        latent_details.latent_details(prepared.scene)
    else:
        latent_offer.offer()
