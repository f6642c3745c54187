"""Pictures that follow a slider while it is held."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b

from lastviz.estimators import TreeClassifier
from lastviz.host.jobs import Working
from lastviz.host.turns import TURNS
from lastviz.plots import ThemeName
from lastviz.ui.components.frames import Frame, frames
from lastviz.ui.state import session
from lastviz.ui.state.codec import encode
from lastviz.ui.state.selection import Selection, changed
from lastviz.ui.text import CannotShow, language

from .controls import model_prefix
from .view_controls import deepest_shown, depth_key
from .widgets import NO_LIMIT, stops_and_words


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

    known = repr((slider, sorted(encode(rest).items()), theme, language()))
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


def follow_max_depth(
    selection: Selection,
    place: int,
    estimator: TreeClassifier,
    theme: ThemeName,
    frame_of: Callable[[Selection], Frame],
) -> None:
    """Let the pictures of a page follow the slider of the largest depth of the model at `place`.

    Only where that depth cuts the tree and does nothing else, and as deep as this one has grown.

    Parameters
    ----------
    selection, theme, frame_of
        As of :func:`follow_depth`; of the frames the depth shown is that of the model at `place`.
    place : int
    estimator : TreeClassifier
        The trained model there.
    """
    model = selection.models[place]
    params = {param.name: param for param in session.model_params(model.key) or ()}
    if "max_depth" not in params or not estimator.max_depth_cuts:
        return
    param, limit, grown = params["max_depth"], estimator.max_depth, estimator.tree_.max_depth
    options = stops_and_words(param, limit)
    shown = selection.view.depth

    def known(option: object) -> bool:
        return limit is None or grown < limit or (option != NO_LIMIT and option <= limit)

    def frames_by_stop() -> dict[float, Frame]:
        found: dict[float, Frame] = {}
        by_depth: dict[int, Frame] = {}
        for option in filter(known, options):
            depth = min(grown if option == NO_LIMIT else option, grown if shown is None else shown)
            if depth not in by_depth:
                by_depth[depth] = frame_of(selection.change(depth=depth))
            found[options.index(option)] = by_depth[depth]
        return found

    rest = changed(model.params, param, param.default)
    follow(
        f"{model_prefix(place, model)}.max_depth",
        options.index(NO_LIMIT if limit is None else limit),
        selection.change_model(place, params=rest),
        theme,
        frames_by_stop,
    )
