"""Scenes of a story as slides of a page: what their pages show, or why they have words alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from urllib.parse import parse_qsl, urlencode

from lastviz.datasets import PAINTED
from lastviz.estimators import is_imported
from lastviz.export import slide_show
from lastviz.ui.boundaries import page as boundaries
from lastviz.ui.compare import page as compare
from lastviz.ui.compute import availability, cache, uploads
from lastviz.ui.compute.scenes import scene_of_all
from lastviz.ui.data import page as data
from lastviz.ui.growth import page as growth
from lastviz.ui.latent import page as latent
from lastviz.ui.monotone import page as monotone
from lastviz.ui.papers import page as papers
from lastviz.ui.pruning import page as pruning
from lastviz.ui.rules import page as rules
from lastviz.ui.shared.figures import theme_of
from lastviz.ui.shared.model_title import scene_names
from lastviz.ui.splits import page as splits
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode, encode, without_private
from lastviz.ui.state.selection import Selection
from lastviz.ui.state.story_codes import Slide
from lastviz.ui.text import CannotShow, t, told
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

OF_THEIR_OWN = {"textbook", "papers", "compare"}  # what they show is not the data of the scene


@dataclass(frozen=True, eq=False)
class SlideReady:
    """A slide as it goes into the page.

    Attributes
    ----------
    slide : lastviz.export.slide_show.Slide
    lacks : str
        Why it has no picture; "" where it has one, or its page never has.
    """

    slide: slide_show.Slide
    lacks: str = ""


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
    if _is_away(found):
        return t("{page}: its data are not available here", page=page)
    return t("{page}: {names}", page=page, names=_about(found, PICTURED.get(slide.page)))


def is_about_own_files(slide: Slide) -> bool:
    """Tell whether a slide would show rows or a model of a file of the reader's."""
    found, _ = scene_in(slide)
    return slide.page not in OF_THEIR_OWN and _is_own(found) and not _is_away(found)


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
    return ready_scene(selection, slide.page, problems, about, own_files=own_files)


def ready_scene(
    selection: Selection,
    page: str,
    problems: Sequence[str],
    about: Mapping[str, str],
    *,
    own_files: bool,
) -> SlideReady:
    """Return what a page shows of a scene as a slide, in both themes.

    Parameters
    ----------
    selection : Selection
    page : str
    problems : sequence of str
        What of the scene could not be read.
    about : mapping
        More of the :class:`lastviz.export.slide_show.Slide`: its caption, notes and link.
    own_files : bool
        Whether what the reader's own files hold may be drawn.

    Raises
    ------
    Working
        While something that it shows is worked out.
    """
    module = PICTURED.get(page)
    title = t(page.capitalize()) if module is None else t(module.QUESTION)
    about = {"question": title, **about}
    if module is None:
        return SlideReady(slide_show.Slide(**about))
    lacks = problems[0] if problems else _lacks(selection, page, module, own_files=own_files)
    if lacks:
        return SlideReady(slide_show.Slide(**about), lacks)
    try:
        light, dark = (_blocks(selection, page, module, name) for name in ("light", "dark"))
    except CannotShow as reason:
        return SlideReady(slide_show.Slide(**about), told(reason))
    about["about"] = "" if page in OF_THEIR_OWN else _about(selection, module)
    return SlideReady(slide_show.Slide(**about, blocks=light, dark=dark))


def _lacks(selection: Selection, page: str, module: ModuleType, *, own_files: bool) -> str:
    """Return why a page cannot show a scene on a slide, "" if it can."""
    if page in OF_THEIR_OWN:
        return ""
    if _is_away(selection):
        return t("Its data are not available here.")
    if _is_own(selection) and not own_files:
        return t("It is about a file of yours, which stays here.")
    if selection.view.hidden and getattr(module, "MODELS", 0):
        return t("The answer is hidden.")
    if getattr(module, "ABOUT_CLASSES", False) and cache.data(selection).dataset.is_regression:
        return t("This page is about classes, but the target of its data set is a number.")
    models = selection.models[: getattr(module, "MODELS", 0)]
    if getattr(module, "REPLAYS", False) and any(is_imported(model.key) for model in models):
        return t("Your own model was not grown here, so there is nothing to replay.")
    return ""


def _is_away(selection: Selection) -> bool:
    """Tell whether data of a scene are not in this session, or not painted."""
    if availability.missing_file(selection) or availability.missing_set(selection) is not None:
        return True
    return selection.data == PAINTED and not selection.painted


def _is_own(selection: Selection) -> bool:
    return selection.upload is not None or any(is_imported(m.key) for m in selection.models)


def _blocks(selection: Selection, page: str, module: ModuleType, name: str) -> object:
    theme = name if page in OF_THEIR_OWN else theme_of(cache.data(selection).dataset, name)
    made = partial(module.pictured, selection, theme)
    # A study goes on, and a part of a page is asked for by more than its scene.
    return scene_of_all(f"slide|{page}", selection, theme, made) if _stays(module) else made()


def _stays(module: ModuleType) -> bool:
    return hasattr(module, "prepared")


def _about(selection: Selection, module: ModuleType | None) -> str:
    """Return the data and the models that a page shows of them."""
    n_named = getattr(module, "NAMED", getattr(module, "MODELS", 0))
    return t(", ").join(scene_names(selection.first_models(n_named)))
