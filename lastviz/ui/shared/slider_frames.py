"""Pictures that follow a slider while it is held."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b

from lastviz.plots import ThemeName
from lastviz.ui.components.frames import Frame, frames
from lastviz.ui.compute.jobs import Working
from lastviz.ui.compute.turns import TURNS
from lastviz.ui.state.codec import encode
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow

from .view_controls import deepest_shown, depth_key

__all__ = ["follow", "follow_depth"]


def follow(
    slider: str,
    at: float,
    rest: Selection,
    theme: ThemeName,
    frames_of: Callable[[], Mapping[float, Frame]],
) -> None:
    """Let the pictures of a page follow a slider.

    Parameters
    ----------
    slider : str
        The key of its widget.
    at : float
        Its value in this run.
    rest : Selection
        What the page shows but for the slider's value: while it stays, the frames do.
    theme : {"light", "dark"}
    frames_of : callable
        Works out what the page shows at each value.
    """

    def worked_out() -> Mapping[float, Frame]:
        try:
            with TURNS.turn():
                return frames_of()
        except (CannotShow, Working):
            return {}  # letting go of the slider will say why

    known = repr((slider, sorted(encode(rest).items()), theme))
    frames(
        slider,
        at=at,
        about=blake2b(known.encode(), digest_size=8).hexdigest(),
        frames_of=worked_out,
    )


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
    depth = selection.view.depth
    depths = [*range(deepest), None]  # the deepest cuts nothing, and links leave it out
    follow(
        depth_key(deepest),
        deepest if depth is None else min(depth, deepest),
        selection.change(depth=None),
        theme,
        lambda: {i: frame_of(selection.change(depth=at)) for i, at in enumerate(depths)},
    )
