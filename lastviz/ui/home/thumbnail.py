"""Models as small drawings (SVG), for cards: no axes, no library, no waiting."""

from __future__ import annotations

import base64
import json
from urllib.parse import parse_qsl, urlencode

import numpy as np

from lastviz.host.jobs import Working
from lastviz.host.memory import remembered_by
from lastviz.inspection import Regions, growth_regions, node_sums, partition, response_steps
from lastviz.plots import THEMES, Theme, ThemeName, feature_html, number, pad_bounds, symbol
from lastviz.tree import Action, Tree
from lastviz.ui.boundaries.regression_view import applies, number_view
from lastviz.ui.compute import latent
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.work import ModelWork, Work, work_of
from lastviz.ui.growth.figures import (
    GrowthScene,
    Pieces,
    colours_of,
    growth_scene,
    node_positions,
    pack_array,
    tree_parts,
)
from lastviz.ui.latent.scene import split_pair
from lastviz.ui.shared.figures import plane_of, regions_in
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode, encode
from lastviz.ui.state.course import CourseScene
from lastviz.ui.state.selection import DEFAULT, Selection
from lastviz.ui.text import t
from lastviz.ui.textbook.scene import book_rows, book_table, read_rows, tree_of

LARGEST_NUMBER = 300  # points
MOST_EDGED = 150  # points that have an edge: of more it would be all that is seen
MOST_OUTLINED = 24  # regions that have one
BAR = 34  # pixels
# Outlines around (0, 0), drawn from where the pen stands.
SHAPES = {
    "circle": "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
    "square": "m-2.6-2.6h5.2v5.2h-5.2z",
    "diamond": "m-3.6 0l3.6-3.6 3.6 3.6-3.6 3.6z",
}


# What has to be trained or prepared first is left out, to the whole picture.
def thumbnails(scene: CourseScene, *, width: int, height: int, theme: ThemeName) -> list[str]:
    """Pictures of a card, side by side, as data URIs; size in pixels."""
    n = 2 if scene.page in ("latent", "textbook") else len(scene.selection().models)
    try:
        return _pictures(scene, width, height, theme)
    except Working:
        return [as_uri([], (width // n, height))] * n


def _pictures(scene: CourseScene, width: int, height: int, theme: ThemeName) -> list[str]:
    work = work_of(scene.selection())
    if scene.page == "latent":
        return _two_spaces(work, (width // 2, height), THEMES[theme])
    if scene.page == "textbook":
        half = (width // 2, height)
        return [as_uri(draw(half, THEMES[theme]), half) for draw in (_gains, _cells)]
    if applies(work):
        return [number_thumbnail(work, (width, height), THEMES[theme])]
    n = len(work.selection.models)
    return [
        thumbnail(work.models[i], width=width // n, height=height, theme=theme) for i in range(n)
    ]


# While the model is being trained it shows the rows alone.
def thumbnail(model: ModelWork, *, width: int, height: int, theme: ThemeName) -> str:
    """Picture of the model at `place` as a data URI; size in pixels."""
    try:
        return _drawn(model.work, (width, height), THEMES[theme], model.place)
    except Working:
        return _svg(model.work, None, (width, height), THEMES[theme])


def _key(work: Work, size: tuple[int, int], theme: Theme, place: int = 0) -> Key:
    return urlencode(encode(work.selection)), size, theme.name, place


@remembered_by(_key)
def _drawn(work: Work, size: tuple[int, int], theme: Theme, place: int) -> str:
    plane = plane_of(work)
    regions = regions_in(work.models[place], plane, wide=False)
    return _svg(work, regions, size, theme)


def _svg(work: Work, regions: Regions | None, size: tuple[int, int], theme: Theme) -> str:
    plane = plane_of(work)
    labels = work.first.division.y
    origin, scale = _frame(plane.view, size)
    places = (np.column_stack([plane.x, plane.y]) - origin) * scale
    rows = _some(len(labels))
    parts = _points(places[rows], labels[rows], theme)
    if regions is not None:
        parts = _regions(regions, (regions.vertices - origin) * scale, theme) + parts
    return as_uri(parts, size)


@remembered_by(_key)
def _two_spaces(work: Work, size: tuple[int, int], theme: Theme) -> list[str]:
    """The best two features beside the root's two components with its split."""
    view = latent.view(work.first.node(0))
    divided = work.first.division
    features = latent.best_features(work.first.node(0)).components
    components = split_pair(view, latent.best_components(work.first.node(0)))
    rows = _some(len(divided.y))
    pictures = []
    for values, pair, at in (
        (divided.values, features, None),
        (view.coordinates, components, view.threshold),
    ):
        places = values[:, list(pair)]
        origin, scale = _frame(pad_bounds(*places.T), size)
        parts = _points(((places - origin) * scale)[rows], divided.y[rows], theme)
        if at is not None and view.component == pair[0]:
            x = (at - origin[0]) * scale[0]
            path = f'<path d="M{x:.1f} 0V{size[1]}" stroke="{theme.ink}" stroke-width="3.5"/>'
            parts.insert(0, path)
        pictures.append(as_uri(parts, size))
    return pictures


def _some(n_rows: int) -> np.ndarray:
    return np.linspace(0, n_rows - 1, min(n_rows, LARGEST_NUMBER)).astype(np.intp)


def _frame(
    view: tuple[float, float, float, float], size: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Offset to subtract and factor to multiply by, from data units to pixels."""
    x0, x1, y0, y1 = view
    return np.array([x0, y1]), np.array([size[0] / (x1 - x0), -size[1] / (y1 - y0)])


def _regions(regions: Regions, corners: np.ndarray, theme: Theme) -> list[str]:
    leaves = regions.visible()
    outlines = np.array([_outline(regions, corners, i) for i in leaves], dtype=object)
    labels = regions.prediction[leaves]
    tints = [
        f'<path d="{"".join(outlines[labels == label])}" fill="{theme.region(int(label))}"/>'
        for label in np.unique(labels)
    ]
    if len(leaves) > MOST_OUTLINED:
        return tints
    return [*tints, f'<path d="{"".join(outlines)}" fill="none" stroke="{theme.grey3}"/>']


def _outline(regions: Regions, corners: np.ndarray, i: int) -> str:
    polygon = corners[regions.offset[i] : regions.offset[i + 1]]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in polygon) + "z"


def _points(places: np.ndarray, labels: np.ndarray, theme: Theme) -> list[str]:
    paths = []
    for label in np.unique(labels):
        shape = SHAPES.get(symbol(int(label)), SHAPES["circle"])
        marks = "".join(f"M{x:.1f} {y:.1f}{shape}" for x, y in places[labels == label])
        hue, edge = theme.hue(int(label)), theme.point_edge(int(label))
        line = f' stroke="{edge}" stroke-width=".7"' if len(places) <= MOST_EDGED else ""
        paths.append(f'<path d="{marks}" fill="{hue}"{line}/>')
    return paths


def as_uri(parts: list[str], size: tuple[int, int]) -> str:
    """Data URI of a picture made of SVG elements."""
    width, height = size
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">{"".join(parts)}</svg>'
    )
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _gains(size: tuple[int, int], theme: Theme) -> list[str]:
    """A bar a feature, the largest in ink."""
    gains = np.array([sums.gain for sums in node_sums(book_table()).features])
    step = size[1] / len(gains)
    longest = 0.9 * size[0] / gains.max()
    return [
        f'<rect x="8" y="{(i + 0.5) * step - BAR / 2:.1f}" width="{gain * longest:.1f}" '
        f'height="{BAR}" fill="{theme.ink if gain == gains.max() else theme.grey3}"/>'
        for i, gain in enumerate(gains.tolist())
    ]


def _cells(size: tuple[int, int], theme: Theme) -> list[str]:
    """The partition of the tree that the page opens with, and the rows in their cells."""
    table, how = read_rows(book_rows()), DEFAULT.textbook.grown
    tree = tree_of(f"{how}|{book_rows()}", table, how)
    cells = partition(tree, table)
    n_y, n_x = cells.node.shape
    wide, high = size[0] / n_x, size[1] / n_y
    parts = [
        f'<rect x="{x * wide:.1f}" y="{y * high:.1f}" width="{wide:.1f}" height="{high:.1f}" '
        f'fill="{theme.region(int(tree.prediction[node]))}" stroke="{theme.paper}"/>'
        for (y, x), node in np.ndenumerate(cells.node)
    ]
    for (x, y), label in zip(cells.cell.tolist(), table.labels.tolist(), strict=True):
        parts.append(
            f'<circle cx="{(x + 0.5) * wide:.1f}" cy="{(y + 0.5) * high:.1f}" r="5" '
            f'fill="{theme.hue(label)}"/>'
        )
    return parts


def number_thumbnail(work: Work, size: tuple[int, int], theme: Theme) -> str:
    """Points and the steps as a data URI; no marks while the tree grows."""
    try:
        view = number_view(work)
    except Working:
        return as_uri([], size)
    feature, y = view.features[0], view.division.y
    x = view.division.values[:, feature]
    around = pad_bounds(x, y)
    origin, scale = _frame(around, size)
    steps = response_steps(view.tree, feature, *around[:2], view.at)
    ends = np.column_stack([np.c_[steps.start, steps.end].ravel(), np.repeat(steps.value, 2)])
    line = "L".join(f"{a:.1f} {b:.1f}" for a, b in (ends - origin) * scale)
    dots = [
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{theme.grey3}"/>'
        for a, b in (np.c_[x, y] - origin) * scale
    ]
    path = f'<path d="M{line}" fill="none" stroke="{theme.ink}" stroke-width="3"/>'
    return as_uri([*dots, path], size)


# ---- The tree that grows on the page *home*: its rows, its regions, and what each question changes


LINK = dict(parse_qsl("data=moons&n_samples=300&noise=0.2&held=0&m=cart&m.max_leaf_nodes=7"))
"""The scene: what one may know of a tree is how it errs on the very dots that are drawn."""

PLANE, TREE = (560, 352), (410, 340)  # pixels
DIGITS = 2  # of a threshold in a sentence


def link_scene() -> Selection:
    """Scene of the link."""
    return decode(LINK, session.data_params, session.model_params)[0]


@remembered_by(str)
def growing(theme: ThemeName) -> str:
    """All that the component draws, as JSON.

    Raises
    ------
    Working
        As :attr:`.ModelWork.fitted`.
    """
    work = work_of(link_scene())
    plane = plane_of(work, alone=True)
    scene = growth_scene(work, plane, "plane", theme)
    tree, log, colours = scene.tree, scene.model.growth_log_, THEMES[theme]
    features, at = tuple(plane.features), plane.at_in(scene.division.form)
    found = growth_regions(scene.model, scene.X, scene.y, scene.bounds, features, at, len(log))
    pieces = Pieces(scene.bounds)
    areas, lines = pieces.regions(found.grown)
    classes = range(tree.value.shape[1])
    tree_drawn = tree_parts(scene) | node_positions(tree, *TREE)
    tree_drawn["text"] = [_test(tree, n) if tree.n_children[n] else "" for n in tree_drawn["node"]]
    parts = {
        "log": {
            "node": pack_array(log.node.astype(np.int32)),
            "action": pack_array(log.action.astype(np.uint8)),
        },
        "tree": tree_drawn,
        "area": areas,
        "line": lines,
        "geometry": pieces.packed(),
        "raised": [],  # a tree that is not cut back raises no branch, and keeps its tests
        "tests": [],
        "names": scene.names,
        "n_classes": len(classes),
        "colours": colours_of(scene)
        | {"region": [colours.region(c) for c in classes]}
        | {"edge": [colours.point_edge(c) for c in classes]},
        "size": PLANE,
        "view": plane.view,
        "dots": np.column_stack([plane.x, plane.y])[scene.rows].round(4).tolist(),
        "labels": scene.y.tolist(),
        "frames": _frames(scene),
        "words": _words(),
    }
    return json.dumps(parts, separators=(",", ":"))


def _frames(scene: GrowthScene) -> list[dict[str, object]]:
    """Captions and wrong rows to ring, before the first and after each question."""
    tree, log = scene.tree, scene.model.growth_log_
    splits = np.flatnonzero(log.action == Action.SPLIT)
    nodes = log.node[splits].tolist()
    frames = []
    for n in range(len(nodes) + 1):
        wrong = wrong_rows(tree, scene.X, scene.y, nodes[:n])
        frames.append(
            {
                "events": int(splits[n - 1]) + 1 if n else 0,
                "node": nodes[n - 1] if n else None,
                "wrong": wrong.tolist(),
            }
            | _caption(tree, nodes[:n], number(len(wrong)), number(len(scene.y)))
        )
    return frames


def _caption(tree: Tree, nodes: list[int], wrong: str, dots: str) -> dict[str, str]:
    """Caption beside the picture, and its title."""
    if not nodes:
        sentence = "Every dot gets the same answer: <b>{wrong} of {dots}</b> dots are wrong."
        text = t(sentence, wrong=wrong, dots=dots)
        return {"title": t("Before the first question"), "say": text}
    node = nodes[-1]
    text = t(
        "Is <i>{feature}</i> at most {threshold}? <b>{wrong} of {dots}</b> dots are still wrong.",
        feature=feature_html(tree.feature_names[tree.feature[node]]),
        threshold=_rounded(tree, node),
        wrong=wrong,
        dots=dots,
    )
    return {"title": t("Question {n}", n=number(len(nodes))), "say": text}


def wrong_rows(tree: Tree, X: np.ndarray, y: np.ndarray, nodes: list[int]) -> np.ndarray:
    """Rows that a tree predicts wrongly while only `nodes` have split."""
    at = tree.apply(X)
    is_there = np.isin(tree.parent, nodes)  # the nodes that have come to be, besides the root
    while (beyond := (at > 0) & ~is_there[at]).any():
        at = np.where(beyond, tree.parent[at], at)
    return np.flatnonzero(tree.prediction[at] != y)


def _test(tree: Tree, node: int) -> str:
    name = feature_html(tree.feature_names[tree.feature[node]])
    return t("{feature} ≤ {threshold}", feature=name, threshold=_rounded(tree, node))


def _rounded(tree: Tree, node: int) -> str:
    return number(round(float(tree.threshold[node]), DIGITS))


def _words() -> dict[str, str]:
    return {
        "lead": t("Each question draws one line: watch a tree separate two moon-shaped groups."),
        "plane": t("The dots, and the regions in which they get the same answer"),
        "tree": t("The tree so far"),
        "again": t("Again"),
        "play": t("Play it"),
        "open": t("Make it yours"),
        "questions": t("Questions"),
        "leaf": t("leaf"),
        "rows": t("rows"),
        "later": "",
    }
