"""Pictures that follow the slider of the depth shown while it is held."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from lastviz.plots import ThemeName
from lastviz.ui.components.frames import Frame, frames
from lastviz.ui.compute.jobs import Working
from lastviz.ui.compute.turns import TURNS
from lastviz.ui.state.codec import encode
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow

from .view_controls import deepest_shown, depth_key

__all__ = ["follow_depth"]


def follow_depth(
    selection: Selection, theme: ThemeName, frame_of: Callable[[Selection], Frame]
) -> None:
    """Let the pictures of a page follow the slider of the depth shown.

    Parameters
    ----------
    selection : Selection
        What the page shows; its models are trained.
    theme : {"light", "dark"}
    frame_of : callable
        Works out what the page shows of a selection.
    """
    deepest = deepest_shown(selection)
    if not deepest:
        return
    whole = sorted(encode(selection.change(depth=None)).items())
    about = blake2b(repr((whole, theme)).encode(), digest_size=8).hexdigest()
    depth = selection.view.depth

    def frames_by_depth() -> dict[object, Frame]:
        depths = [*range(deepest), None]  # the deepest cuts nothing, and links leave it out
        try:
            with TURNS.turn():
                found = {i: frame_of(selection.change(depth=at)) for i, at in enumerate(depths)}
        except (CannotShow, Working):
            found = {}  # the page says why; letting go of the slider will, too
        return found

    frames(
        depth_key(deepest),
        at=deepest if depth is None else min(depth, deepest),
        about=about,
        frames_of=frames_by_depth,
    )
