"""Scenes of a story as slides of a page: what their pages show, or why they have words alone."""

from __future__ import annotations

from types import ModuleType
from urllib.parse import parse_qsl, urlencode

from lastviz.ui.boundaries import page as boundaries
from lastviz.ui.compare import page as compare
from lastviz.ui.compute import uploads
from lastviz.ui.data import page as data
from lastviz.ui.growth import page as growth
from lastviz.ui.latent import page as latent
from lastviz.ui.monotone import page as monotone
from lastviz.ui.papers import page as papers
from lastviz.ui.pruning import page as pruning
from lastviz.ui.rules import page as rules
from lastviz.ui.shared.slide_ready import (
    OF_THEIR_OWN,
    SlideReady,
    about_words,
    is_away,
    is_own,
    ready_scene,
)
from lastviz.ui.splits import page as splits
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode, encode, without_private
from lastviz.ui.state.selection import Selection
from lastviz.ui.state.story_codes import Slide
from lastviz.ui.text import t
from lastviz.ui.textbook import page as textbook

PICTURED: dict[str, ModuleType] = {
    "data": data,
    "boundaries": boundaries,
    "growth": growth,
    "splits": splits,
    "latent": latent,
    "rules": rules,
    "pruning": pruning,
    "monotone": monotone,
    "textbook": textbook,
    "compare": compare,
    "papers": papers,
}
"""Pages that show something on a slide, by name; the others have their words alone."""


def scene_in(slide: Slide) -> tuple[Selection, tuple[str, ...]]:
    """Return the scene of a slide without what is private, and what of it could not be read."""
    query = dict(parse_qsl(slide.scene, keep_blank_values=True))
    found, problems = decode(query, session.data_params, session.model_params, uploads.shared)
    return without_private(found), problems


def name_of(slide: Slide) -> str:
    """Return what a scene is: its page, and its data and models where the page is about them."""
    found, _ = scene_in(slide)
    page = t(slide.page.capitalize())
    if slide.page in OF_THEIR_OWN:
        return page
    if is_away(found):
        return t("{page}: its data are not available here", page=page)
    return t("{page}: {names}", page=page, names=about_words(found, PICTURED.get(slide.page)))


def is_about_own_files(slide: Slide) -> bool:
    """Tell whether a slide would show rows or a model of a file of the reader's."""
    found, _ = scene_in(slide)
    return slide.page not in OF_THEIR_OWN and is_own(found) and not is_away(found)


def ready_slide(slide: Slide, base: str | None, *, own_files: bool) -> SlideReady:
    """Return a slide with all that its page shows, in both themes.

    Parameters
    ----------
    slide : Slide
    base : str or None
        Address of the app's first page, where slides link to.
    own_files : bool
        Whether what the reader's own files hold may be drawn.

    Raises
    ------
    Working
        While something that it shows is worked out.
    """
    selection, problems = scene_in(slide)
    about = {"caption": slide.caption, "notes": slide.notes}
    if base is not None:
        about["link"] = f"{base}{slide.page}?{urlencode(encode(selection))}"
    module = PICTURED.get(slide.page)
    return ready_scene(selection, slide.page, module, problems, about, own_files=own_files)
