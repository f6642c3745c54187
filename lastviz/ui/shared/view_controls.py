"""The part of the sidebar about the picture: which plane, and how deep the trees are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b

import numpy as np
import streamlit as st

from lastviz._params import Param
from lastviz.estimators import TreeClassifier, entry_of
from lastviz.host.jobs import Working
from lastviz.host.turns import TURNS
from lastviz.inspection import is_ensemble
from lastviz.plots import ThemeName, plain_split
from lastviz.tree import Tree
from lastviz.ui.components.frames import Frame, frames
from lastviz.ui.compute.work import ModelWork, Work, current
from lastviz.ui.state import session
from lastviz.ui.state.codec import encode
from lastviz.ui.state.selection import AT_NUMBERS, Selection, with_param
from lastviz.ui.text import CannotShow, language, number, t

from .controls import model_prefix
from .figures import Plane
from .model_view import rows_words, trees_of
from .widgets import NO_LIMIT, control, put, stops_and_words

MOST_NODES = 60


ENSEMBLE = 0  # beside the trees, which people count from one


def plane_chooser(plane: Plane) -> None:
    """Draw the choice of the axes and of the other features' values, if there are any."""
    if not plane.is_slice:
        return
    names = tuple(name for name, fits in zip(plane.names, plane.fitting, strict=True) if fits)
    shown = [plane.names[feature] for feature in plane.features]
    st.markdown(f"**{t('Picture')}**")
    across, up = st.columns(2)
    for place, (column, label) in enumerate(((across, t("Across")), (up, t("Up")))):
        key = f"axis{place}"
        put(key, shown[place])
        change = partial(_set_axis, place, shown, plane.row)
        column.selectbox(label, names, key=key, on_change=change)
    is_proposed = plane.proposed and plane.row is not None
    slice_chooser(len(current().first.division.y), plane.row, shown if is_proposed else ())
    if is_proposed:
        st.caption(
            t("Suggested, since they separate the classes well; clear the row for usual values.")
        )  # fmt: skip


# The row through which the plane goes stays, if only proposed.
def _set_axis(place: int, shown: list[str], row: int | None) -> None:
    """Put a feature on an axis; if it stands on the other one, the two change places."""
    axes = list(shown)
    axes[place] = st.session_state[f"axis{place}"]
    if axes[0] == axes[1]:
        axes[1 - place] = shown[place]
    session.select(axes=tuple(axes), at=row)


def slice_chooser(n_rows: int, at: int | None, axes: Sequence[str] = ()) -> None:
    """Draw the choice of the row whose values the features beside the axes have.

    `at` is the one that they have now; `axes` stand across and up and stay, where they are only
    proposed.
    """
    put("slice", None if at is None else at + 1)
    st.number_input(
        t("Other features as in row"),
        min_value=1,
        max_value=n_rows,
        step=1,
        value=None,
        placeholder=t("at their usual values"),
        key="slice",
        help=t("The picture is an exact slice: features beside the axes are fixed at their medians "
               "(nominal ones at the most frequent category) or at the values of a row."),
        on_change=_set_slice,
        args=(axes,),
    )  # fmt: skip


def _set_slice(axes: Sequence[str]) -> None:
    row = st.session_state["slice"]
    changes = {"axes": tuple(axes)} if axes else {}
    if row is not None:  # it is the one at hand on other pages, too
        changes |= {"highlighted": int(row) - 1, "typed": ""}
    session.select(at=None if row is None else int(row) - 1, **changes)


def tree_choosers(work: Work, *, of_trees: bool = False) -> None:
    """Draw, for each ensemble, the choice between the whole and one of its trees.

    Ensembles are forests and envelopes.

    `of_trees`: of a forest that votes the choice among its trees alone, of others none.
    """
    trees = work.single_trees.models
    for place, model in enumerate(work.selection.models):
        if of_trees and not trees[place].chosen.alone:
            continue
        estimator = work.models[place].trained_any()
        if estimator is None or not is_ensemble(estimator):
            continue
        n_trees = len(trees_of(estimator))
        if of_trees and n_trees < 2:
            continue
        key = f"tree{place}.{model.key}"
        shown = ENSEMBLE if model.tree is None else min(model.tree, n_trees - 1) + 1
        put(key, max(shown, 1) if of_trees else shown)
        all_trees = t("the vote of all trees") if n_trees > 1 else t("what it predicts")
        titles = [all_trees, *(t("tree {n}", n=number(n)) for n in range(1, n_trees + 1))]
        st.selectbox(
            t("{title} shows", title=t(entry_of(model.key).title)),
            range(1 if of_trees else 0, n_trees + 1),
            key=key,
            format_func=titles.__getitem__,
            on_change=partial(_set_tree, place, key),
        )


def _set_tree(place: int, key: str) -> None:
    n = st.session_state[key]
    session.select_model(place, tree=None if n == ENSEMBLE else n - 1)


def depth_slider(work: Work) -> None:
    """Draw the slider that lets the trees grow level by level."""
    deepest = deepest_shown(work)
    if deepest == 0:
        return
    param = Param(
        "depth", int, None, slider=(0, deepest, 1), label="Show levels up to",
        help="Grow the trees level by level; the numbers belong to the trees as shown.",
    )  # fmt: skip
    depth = work.selection.view.depth
    shown = deepest if depth is None else min(depth, deepest)
    control(
        param,
        shown,
        key=depth_key(deepest),
        apply=lambda depth: session.select(depth=None if depth == deepest else depth),
    )


def depth_key(deepest: int) -> str:
    """Key of the slider of the depth shown; another depth is another slider."""
    return f"depth.{deepest}"


def deepest_shown(work: Work) -> int:
    """Depth of the deepest tree that is shown and has been grown."""
    deepest = 0
    for model in () if work.dataset.is_regression else work.models:
        estimator = model.trained_any()
        if estimator is None or (is_ensemble(estimator) and model.chosen.tree is None):
            continue
        deepest = max(deepest, model.picked.tree_.max_depth)
    return deepest


def node_chooser(
    words: Callable[[Tree, int], str] | None = None,
    *,
    n: int = 0,
    of_trees: bool = False,
) -> None:
    """Draw the choice of the node of the model no. `n`, of very many the largest.

    `words` says what a node is called; by default its test and its rows. `of_trees`: of a forest
    the tree that is picked has the nodes, see :attr:`.Work.single_trees`.
    """
    words = words or node_words
    model = (current().single_trees if of_trees else current()).models[n]
    if model.trained() is None:
        return  # the page says why
    tree, place = model.picked.tree_, model.place
    node = model.chosen.node_in(tree) or 0
    order = sorted(range(tree.n_nodes), key=lambda n: (-tree.n_node_samples[n], n))
    options = sorted({*order[:MOST_NODES], node})
    titles = {node: words(tree, node) for node in options}
    key = "number_node" if place == AT_NUMBERS else f"node{place}" if place else "node"
    put(key, node, titles[node])
    st.selectbox(
        t("Node"),
        options,
        key=key,
        format_func=titles.__getitem__,
        on_change=_choose_node,
        args=(place, key),
    )
    if tree.n_nodes > len(options):
        sentence = "The {shown} largest of {all} nodes; the tree in the picture has all."
        st.caption(t(sentence, shown=len(options), all=number(tree.n_nodes)))


# A browser that lags behind may still name a node of another tree.
def _choose_node(place: int, key: str) -> None:
    """Go to the chosen node."""
    node = st.session_state[key]
    if isinstance(node, int):
        session.select_model(place, node=node)


def node_words(tree: Tree, node: int) -> str:
    """Name of a node in a list: its number, its test and its rows."""
    rows = rows_words(tree, node)
    if node == 0:
        return t("root, {rows}", rows=rows)
    what = t("leaf") if tree.is_leaf(node) else plain_split(tree, node)
    return t("{node}: {test}, {rows}", node=node, test=what, rows=rows)


# ---- Pictures that follow a slider while it is held


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


def follow_depth(work: Work, theme: ThemeName, frame_of: Callable[[Work], Frame]) -> None:
    """Let the pictures of a page follow the slider of the depth shown.

    Parameters
    ----------
    work : Work
        What the page shows; its models are trained.
    theme : {"light", "dark"}
    frame_of : callable
        Works out what the page shows.
    """
    deepest = deepest_shown(work)
    if not deepest:
        return
    depth = work.selection.view.depth
    depths = [*range(deepest), None]  # the deepest cuts nothing, and links leave it out
    follow(
        depth_key(deepest),
        deepest if depth is None else min(depth, deepest),
        work.selection.change(depth=None),
        theme,
        lambda: {i: frame_of(work.change(depth=at)) for i, at in enumerate(depths)},
    )


def follow_max_depth(
    model: ModelWork,
    estimator: TreeClassifier,
    theme: ThemeName,
    frame_of: Callable[[Work], Frame],
) -> None:
    """Let the pictures of a page follow the slider of the largest depth of a model.

    Only where that depth cuts the tree and does nothing else, and as deep as this one has grown.

    Parameters
    ----------
    model : ModelWork
    theme, frame_of
        As of :func:`follow_depth`; of the frames the depth shown is that of the model.
    estimator : TreeClassifier
        The trained model.
    """
    chosen, place = model.chosen, model.place
    params = {param.name: param for param in session.model_params(chosen.key) or ()}
    if "max_depth" not in params or not estimator.max_depth_cuts:
        return
    param, limit, grown = params["max_depth"], estimator.max_depth, estimator.tree_.max_depth
    options = stops_and_words(param, limit)
    shown = model.selection.view.depth

    def known(option: object) -> bool:
        return limit is None or grown < limit or (option != NO_LIMIT and option <= limit)

    def frames_by_stop() -> dict[float, Frame]:
        found: dict[float, Frame] = {}
        by_depth: dict[int, Frame] = {}
        for option in filter(known, options):
            depth = min(grown if option == NO_LIMIT else option, grown if shown is None else shown)
            if depth not in by_depth:
                by_depth[depth] = frame_of(model.work.change(depth=depth))
            found[options.index(option)] = by_depth[depth]
        return found

    rest = with_param(chosen.params, param, param.default)
    follow(
        f"{model_prefix(place, chosen)}.max_depth",
        options.index(NO_LIMIT if limit is None else limit),
        model.selection.change_model(place, params=rest),
        theme,
        frames_by_stop,
    )


# ---- What the slider of an offline page goes through: the scenes at its stops


MOST_STOPS = 25


@dataclass(frozen=True, eq=False)
class Moving:
    """Scenes of one page, and the tree that typed rows go through."""

    label: str  # what moves
    # The value in words, the scene there, and which nodes of the tree are leaves there (intp).
    stops: Sequence[tuple[str, Work, np.ndarray]]
    at: int  # the stop that the page shows
    tree: Tree | None = None  # None: that of the first model


def by_depth(work: Work) -> Moving | None:
    """Scenes of the depths at which trees can be shown; None without any depth."""
    deepest = min(deepest_shown(work), MOST_STOPS - 1)
    if not deepest:
        return None
    tree, shown = work.first.picked.tree_, work.selection.view.depth
    cuts = [*range(deepest), None]  # the last one cuts nothing
    nothing = np.empty(0, dtype=np.intp)
    stops = [
        (
            t("all") if depth is None else number(depth),
            work.change(depth=depth),
            nothing if depth is None else np.flatnonzero(tree.depth == depth),
        )
        for depth in cuts
    ]
    return Moving(t("Show levels up to"), stops, deepest if shown is None else min(shown, deepest))
