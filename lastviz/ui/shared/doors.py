"""*Share* and *Save*, at the top right of every page: how a scene leaves it."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import streamlit as st

from lastviz.host.security import Reach, reach
from lastviz.ui.components.copy_link import copy_link
from lastviz.ui.compute import uploads
from lastviz.ui.compute.python_code import python_of
from lastviz.ui.compute.work import Work
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from .page_file import save_box
from .scene_box import embed_box, save_scene


def doors(work: Work, page: str, module: ModuleType, n_models: int) -> None:
    """Draw both menus; their content is made once they are open.

    The first `n_models` models are grown here, which a script can grow again.
    """
    with st.container(key="share_and_save", horizontal=True, gap="small"):
        share = st.popover(t("Share"), key="share", icon=":material/share:", on_change="rerun")
        save = st.popover(t("Save"), key="save", icon=":material/download:", on_change="rerun")
    if share.open:
        with share:
            _copy_link(work.selection)
            embed_box(work.selection, page)
    if save.open:
        with save:
            if hasattr(module, "slide_blocks"):
                save_box(work, page, module)
            save_scene(work, page)
            if n_models:
                lines = st.expander(t("Python"), key="python", on_change="rerun")
                if lines.open:
                    lines.code(python_of(work.first_models(n_models)), language="python")


# A share of the user's file goes with the link.
def _copy_link(selection: Selection) -> None:
    """Draw the copy button."""
    own, copied = selection.upload, ""
    if reach() is not Reach.OTHERS:
        copied = t("Copied. Others cannot open it yet")
    if own is not None and own.share is None:
        shared = uploads.shares(own)
        if shared:  # that which ends last
            selection = replace(selection, upload=shared[-1].upload)
            copied = t("Copied. The link opens the table, too")
        else:
            copied = t("Copied. Whoever opens the link will be asked for {name}", name=own.name)
    copy_link(session.link(selection), copied=copied)
