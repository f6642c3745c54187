"""The tree that grows on the page *home*: its rows, its regions, and what each question changes."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl

import numpy as np

from lastviz.host.memory import remembered_by
from lastviz.inspection import growth_regions
from lastviz.plots import THEMES, ThemeName, feature_html, number
from lastviz.tree import Action, Tree
from lastviz.ui.growth.figures import colours_of, placed, tree_parts
from lastviz.ui.growth.packing import Pieces, packed
from lastviz.ui.growth.scene import GrowthScene, growth_scene
from lastviz.ui.shared.plane import plane_of
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

LINK = dict(parse_qsl("data=moons&n_samples=300&noise=0.2&held=0&m=cart&m.max_leaf_nodes=7"))
"""The scene: what one may know of a tree is how it errs on the very dots that are drawn."""

PLANE, TREE = (560, 352), (410, 340)  # pixels
DIGITS = 2  # of a threshold in a sentence


def shown() -> Selection:
    """Return the scene of the link."""
    return decode(LINK, session.data_params, session.model_params)[0]


@remembered_by(str)
def growing(theme: ThemeName) -> str:
    """Return all that the component draws, as JSON.

    Raises
    ------
    Working
        As :func:`lastviz.ui.compute.cache.fitted`.
    """
    selection = shown()
    plane = plane_of(selection, alone=True)
    scene = growth_scene(selection, plane, "plane", theme)
    tree, log, colours = scene.tree, scene.model.growth_log_, THEMES[theme]
    features, at = tuple(plane.features), plane.at_in(scene.division.form)
    found = growth_regions(scene.model, scene.X, scene.y, scene.bounds, features, at, len(log))
    pieces = Pieces(scene.bounds)
    areas, lines = pieces.regions(found.grown)
    classes = range(tree.value.shape[1])
    tree_drawn = tree_parts(scene) | placed(tree, *TREE)
    tree_drawn["text"] = [_test(tree, n) if tree.n_children[n] else "" for n in tree_drawn["node"]]
    parts = {
        "log": {
            "node": packed(log.node.astype(np.int32)),
            "action": packed(log.action.astype(np.uint8)),
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
    """Return what is said and ringed before the first question, and after each of them."""
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
    """Return the words beside the picture, and what they are headed by."""
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
    """Return the rows that a tree predicts wrongly while only `nodes` have split."""
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
