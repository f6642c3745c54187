"""A page of the app as one file that works without a server: its slide, and what moves on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from types import ModuleType

import numpy as np
import streamlit as st

from lastviz.datasets import PAINTED
from lastviz.estimators import is_imported
from lastviz.export import slide_show
from lastviz.export.html_report import live_tree
from lastviz.export.slide_show import Live, SliderStop, TooLarge
from lastviz.host.jobs import Working
from lastviz.tree import Tree, decimals_of, digits
from lastviz.ui.compute import availability, cache
from lastviz.ui.compute.scenes import scene_of_all
from lastviz.ui.compute.training import Division
from lastviz.ui.state.codec import without_private
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, plain, t, translated

from .figures import theme_of
from .job_box import job_box
from .model_view import class_names_of, model_title, scene_names
from .slide_file import MEGABYTE, base_address, page_of
from .view_controls import Moving
from .widgets import save_button

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


# ---------------------------------------------------------------- live page


MOST_BYTES = 3_000_000  # what a learning platform takes without a question


def live_box(selection: Selection, page: str, module: ModuleType) -> None:
    """Draw what the file will do, how large it is, and the button that saves it."""
    own_files = is_own(selection) and page not in OF_THEIR_OWN
    with st.spinner(t("Working out the page …")):
        try:
            content = live_page(selection, page, module, base_address())
        except Working as working:
            job_box(working.job, "live")
            return
        except CannotShow as reason:
            st.info(plain(str(reason)))
            return
        except TooLarge as fault:
            st.error(too_large(fault))
            return
    st.caption(
        t("This page in one file that needs no server and no network: it opens from disk, in a "
          "learning platform or in a slide's frame. Its slider moves, and typed rows go through "
          "the tree.")
    )  # fmt: skip
    if own_files:
        st.caption(t("The rows that it draws can be read by anyone who has the file."))
    size = number(ceil(10 * len(content) / MEGABYTE) / 10)
    label = t("Save the page ({size} MB)", size=size)
    name = f"lastviz-{page}.html"
    save_button(label, content, name, mime="text/html", key="live_save", type="primary")


def too_large(fault: TooLarge) -> str:
    """Return why there is no file, and what to do."""
    return t(
        "The file would have {size} MB, more than {most}. Show fewer rows, or a smaller tree.",
        size=number(round(fault.size / MEGABYTE, 1)),
        most=number(MOST_BYTES // MEGABYTE),
    )


def live_page(selection: Selection, page: str, module: ModuleType, base: str | None) -> bytes:
    """Return a page of a scene as html that moves by itself.

    Raises
    ------
    CannotShow
        If the page has no picture of the scene.
    Working
        While something that it shows is worked out.
    TooLarge
        If it would have more than 3 MB.
    """
    selection = without_private(selection)
    link = {} if base is None else {"link": f"{base}{page}"}
    ready = ready_scene(selection, page, module, (), link, own_files=True)
    if ready.lacks:
        raise CannotShow(ready.lacks)
    slide = replace(ready.slide, live=_live(selection, page, module))
    return page_of([slide], f"lastviz · {t(page.capitalize())}", most=MOST_BYTES).encode()


def _live(selection: Selection, page: str, module: ModuleType) -> Live | None:
    """Return what moves on a page and which tree takes rows; None where nothing does."""
    moving = module.moving(selection) if hasattr(module, "moving") else None
    tree = _tree(selection, page, module, moving)
    if moving is None and tree is None:
        return None
    if moving is None:
        return Live(tree=tree)
    stops = [
        SliderStop(
            word,
            *(blocks_of(there, page, module, name) for name in ("light", "dark")),
            cut.tolist(),
        )
        for word, there, cut in moving.stops
    ]
    return Live(moving.label, moving.at, stops, tree)


def _tree(
    selection: Selection, page: str, module: ModuleType, moving: Moving | None
) -> dict[str, object] | None:
    """Return the tree of the first model for typed rows; None where a page has none."""
    if not getattr(module, "MODELS", 0) or page in {"data", *OF_THEIR_OWN}:
        return None
    estimator = cache.fitted(selection, 0, allow_ensembles=True).estimator
    tree = None if moving is None else moving.tree
    tree = getattr(estimator, "tree_", None) if tree is None else tree
    # A forest votes, machines sum over support vectors, an envelope is more than the tree.
    if tree is None or len(tree.kernel) or getattr(estimator, "monotone", False):
        return None
    names = () if tree.is_regression else class_names_of(cache.data(selection).dataset)
    return live_tree(
        tree, model_title(selection, 0), names, _usual(tree, cache.division(selection, 0))
    )


def _usual(tree: Tree, division: Division) -> list[object]:
    """Return the median of each number in training, and the most frequent category."""
    values, usual = division.values[division.train_rows], []
    for feature, known in enumerate(tree.feature_categories):
        column = values[:, feature]
        column = column[~np.isnan(column)]
        if known is None:
            median = float(np.median(column)) if len(column) else np.nan
            usual.append(float(digits(median, decimals_of(column))) if len(column) else np.nan)
        else:
            codes = column.astype(np.intp)
            usual.append(known[int(np.bincount(codes[codes >= 0], minlength=1).argmax())])
    return usual
