"""What a page shows of a scene as a slide, or why it has words alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType

from lastviz.datasets import PAINTED
from lastviz.estimators import is_imported
from lastviz.export import slide_show
from lastviz.ui.compute import availability, cache
from lastviz.ui.compute.scenes import scene_of_all
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, t, translated

from .figures import theme_of
from .model_title import scene_names

OF_THEIR_OWN = {"textbook", "papers", "compare"}  # what they show is not the data of the scene


@dataclass(frozen=True, eq=False)
class SlideReady:
    """A slide as it goes into the page."""

    slide: slide_show.Slide  # lastviz.export.slide_show.Slide
    lacks: str = ""  # why it has no picture; "" where it has one, or its page never has


def ready_scene(
    selection: Selection,
    page: str,
    module: ModuleType | None,
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
    module : module or None
        What draws the page; None where it shows nothing on a slide.
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
    title = t(page.capitalize()) if module is None else t(module.QUESTION)
    about = {"question": title, **about}
    if module is None:
        return SlideReady(slide_show.Slide(**about))
    lacks = problems[0] if problems else _lacks(selection, page, module, own_files=own_files)
    if lacks:
        return SlideReady(slide_show.Slide(**about), lacks)
    try:
        light, dark = (blocks_of(selection, page, module, name) for name in ("light", "dark"))
    except CannotShow as reason:
        return SlideReady(slide_show.Slide(**about), translated(reason))
    about["about"] = "" if page in OF_THEIR_OWN else about_words(selection, module)
    return SlideReady(slide_show.Slide(**about, blocks=light, dark=dark))


def _lacks(selection: Selection, page: str, module: ModuleType, *, own_files: bool) -> str:
    """Return why a page cannot show a scene on a slide, "" if it can."""
    if page in OF_THEIR_OWN:
        return ""
    if is_away(selection):
        return t("Its data are not available here.")
    if is_own(selection) and not own_files:
        return t("It is about a file of yours, which stays here.")
    if selection.view.hidden and getattr(module, "MODELS", 0):
        return t("The answer is hidden.")
    if getattr(module, "ABOUT_CLASSES", False) and cache.data(selection).dataset.is_regression:
        return t("This page is about classes, but the target of its data set is a number.")
    models = selection.models[: getattr(module, "MODELS", 0)]
    if getattr(module, "REPLAYS", False) and any(is_imported(model.key) for model in models):
        return t("Your own model was not grown here, so there is nothing to replay.")
    return ""


def is_away(selection: Selection) -> bool:
    """Tell whether data of a scene are not in this session, or not painted."""
    if availability.missing_file(selection) or availability.missing_set(selection) is not None:
        return True
    return selection.data == PAINTED and not selection.painted


def is_own(selection: Selection) -> bool:
    """Tell whether a scene is about a file or a model that somebody brought."""
    return selection.upload is not None or any(is_imported(m.key) for m in selection.models)


def blocks_of(
    selection: Selection, page: str, module: ModuleType, name: str
) -> Sequence[slide_show.Block]:
    """Return what a page shows of a scene on a slide, in the theme of a name."""
    theme = name if page in OF_THEIR_OWN else theme_of(cache.data(selection).dataset, name)
    made = partial(module.pictured, selection, theme)
    if not hasattr(module, "prepared"):  # a study goes on, a part of a page has more than its scene
        return made()
    return scene_of_all(f"slide|{page}", selection, theme, made)


def about_words(selection: Selection, module: ModuleType | None) -> str:
    """Return the data and the models that a page shows of them."""
    n_named = getattr(module, "NAMED", getattr(module, "MODELS", 0))
    return t(", ").join(scene_names(selection.first_models(n_named)))
