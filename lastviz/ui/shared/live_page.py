"""A page of the app as one file that works without a server: its slide, and what moves on it."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from types import ModuleType

import numpy as np
import streamlit as st

from lastviz.export.live_tree import live_tree
from lastviz.export.slide_show import Live, SliderStop, TooLarge
from lastviz.host.jobs import Working
from lastviz.tree import Tree, decimals_of, digits
from lastviz.ui.compute import cache
from lastviz.ui.compute.division import Division
from lastviz.ui.state.codec import without_private
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, plain, t

from .job_box import job_box
from .model_title import model_title
from .model_view import class_names_of
from .moving import Moving
from .slide_file import MEGABYTE, base_address, page_of
from .slide_ready import OF_THEIR_OWN, blocks_of, is_own, ready_scene
from .widgets import save_button

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
