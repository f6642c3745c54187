"""The tree as nodes and links, as textbooks print it: features at nodes, answers on links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from lastviz.plots.visuals.flow_layout import FlowLayout
from lastviz.plots.visuals.flow_traces import (
    Outline,
    bar_traces,
    frames,
    full_nodes,
    leaf_traces,
    node_hits,
    node_places,
    node_trace,
    outlines,
    text_traces,
)
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.plane import select
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import (
    FigureWords,
    class_names_of,
    feature_html,
    fit_text,
    number,
    split_words,
    text_width,
    threshold_words,
)
from lastviz.tree import Kind, Tree

from .flow_tree_plot import TEXT_UP_TO, hover_texts
from .rule_tree_plot import MOST_DRAWN, branch_words, rule_layout
from .visuals import marks
from .visuals.drawing import Drawing

_PITCH, _LEAST_PITCH, _HEIGHT = 52.0, 26.0, 560.0  # pixels: two leaves, at most, at least; all
_DEEP_PITCH, _DEEP_BAR = 30.0, 12.0  # of a deep tree: a test fits between any two leaves
_DENSE_PITCH, _DENSE_BAR = 10.0, 7.0  # of so many leaves that nothing is written
_BAR = 18.0  # pixels of a node: a bar of its classes
_LEAF_WORDS = 190.0  # pixels beside a leaf for its class and its rows
_LEFT = 14.0
_ABOVE = 18.0  # pixels from the middle of a node to that of its feature
_TWO_LINES, _LINE = 36.0, 17.0  # pixels: pitch from which a feature may have two; a line
_ROOM = 96.0  # pixels between columns from which links have room for answers
_ALONG = 0.68  # of a link, where its answer stands: farther on links lie farther apart
_PATH, _LINK = 3.0, 1.5  # pixels


def node_link_plot(
    tree: Tree,
    *,
    theme: ThemeName,
    selected: int | None = None,
    visited: Mapping[int, float] | None = None,
    depth: int | None = None,
    least: float = 0.0,
    most: int = MOST_DRAWN,
    keep: Sequence[int] = (),
    width_hint: int = 1080,
    answers: tuple[str, str] = ("yes", "no"),
    class_names: Sequence[str] | None = None,
    hover: Mapping[int, str] | None = None,
    words: FigureWords | None = None,
    outlined: Mapping[int, Outline] | None = None,
) -> Drawing:
    """Draw `tree` with its root at the left: links for branches, class bars for nodes.

    A node that compares a feature with a threshold has the feature above it and the two sides of
    the threshold on its links, one that reads a nominal feature has the categories there; any
    other has its test above it and `answers` on its links. Leaves say their class and their rows.
    In a tree so deep that its links are too short for answers, tests stand beside their nodes, and
    the upper link is that of the first branch; of more than 60 leaves nothing is written. O(drawn
    nodes), for a deep tree their square.

    Parameters
    ----------
    tree, theme, selected, visited, depth, least, most, keep, width_hint
        As for :func:`rule_tree_plot`.
    answers : (str, str)
        To a test that a row meets, and to one that it does not.
    class_names, hover, words, outlined
        As for :func:`rule_tree_plot`.
    """
    colours, words = THEMES[theme], words or FigureWords()
    names = class_names_of(tree, class_names)
    selection = select(tree, selected, depth)
    how = {"least": least, "most": most, "keep": keep, "width": float(width_hint)}
    layout = _placed(tree, rule_layout(tree, selection, visited, **how), width_hint)
    at = {int(node): i for i, node in enumerate(layout.node)}
    route = np.array(sorted(at[node] for node in visited or {} if node in at), dtype=np.intp)
    full, framed = full_nodes(tree, layout, selection, route), at.get(selection.node)
    hovers = hover_texts(tree, layout, hover, class_names, words)
    on_path = np.isin(np.arange(len(layout.node)), route)

    traces = _links(layout, on_path, full, colours)
    traces += bar_traces(tree, layout, full, names, colours)
    traces += leaf_traces(tree, layout, full, colours)
    if layout.n_leaves <= TEXT_UP_TO:
        traces += _leaf_words(tree, layout, names, full, colours)
        if _columns(tree, layout.node, width_hint) >= _ROOM:
            traces += _questions_and_answers(tree, layout, answers, full, colours)
        else:
            tests = {n: split_words(tree, n) for n in layout.node[~layout.leaf].tolist()}
            traces += text_traces(layout, tests, full, route, colours, framed=framed)
    if any(hovers):
        traces.append(node_trace(layout, hovers))
    panel = Panel(
        traces=traces,
        xaxis={"range": [0, width_hint], "visible": False},
        yaxis={"range": [0, layout.total], "visible": False},
        shapes=[
            *outlines(layout, outlined or {}, colours),
            *frames(layout, framed, colours),
        ],
        hits=node_hits(layout, hovers),
        flow=node_places(layout) | {"ribbons": False},
    )
    margin = Margin(left=0, right=0, top=2, bottom=2)
    return compose([panel], [layout.total], theme=theme, margin=margin)


def _placed(tree: Tree, layout: FlowLayout, width: float) -> FlowLayout:
    """Drawn nodes in even columns and rows, parents in the middle of their children."""
    bar, pitch = _BAR, min(max(_HEIGHT / layout.n_leaves, _LEAST_PITCH), _PITCH)
    if _columns(tree, layout.node, width) < _ROOM:
        bar, pitch = _DEEP_BAR, _DEEP_PITCH
    if layout.n_leaves > TEXT_UP_TO:
        bar, pitch = _DENSE_BAR, _DENSE_PITCH
    total = pitch * layout.n_leaves + _ABOVE
    leaves = np.flatnonzero(layout.leaf)
    leaves = leaves[np.argsort(-layout.y[leaves], kind="stable")]
    y = np.full(len(layout.node), np.nan)
    y[leaves] = total - _ABOVE - pitch * (np.arange(len(leaves)) + 0.5)
    low, high = y.copy(), y.copy()
    for i in range(len(y) - 1, 0, -1):  # children come after their parents
        above = layout.parent[i]
        if np.isnan(y[i]):
            y[i] = (low[i] + high[i]) / 2
        low[above], high[above] = np.fmin(low[above], y[i]), np.fmax(high[above], y[i])
    if np.isnan(y[0]):
        y[0] = (low[0] + high[0]) / 2
    x = _LEFT + tree.depth[layout.node] * _columns(tree, layout.node, width)
    bars = np.full(len(y), bar)
    return replace(layout, x=x, y=y, height=bars, bar=bars, width=float(width), total=total)


def _columns(tree: Tree, nodes: np.ndarray, width: float) -> float:
    """Pixels between two columns."""
    return (width - _LEFT - _LEAF_WORDS) / max(int(tree.depth[nodes].max()), 1)


def _links(layout: FlowLayout, on_path: np.ndarray, full: np.ndarray, theme: Theme) -> list[dict]:
    """Link to each node from its parent.

    A sample's path is in ink; links to faded nodes are paler.
    """
    child = np.arange(1, len(layout.node))
    above = layout.parent[child]
    gap = Size.bar / 2
    ends = np.column_stack(
        [layout.x[above] + gap, layout.y[above], layout.x[child] - gap, layout.y[child]]
    )
    traces = []
    for name, which, colour, width in (
        ("faded link", ~full[child] & ~on_path[child], theme.grey1, _LINK),
        ("link", full[child] & ~on_path[child], theme.grey3, _LINK),
        ("path", on_path[child], theme.ink, _PATH),
    ):
        if which.any():
            role = "path" if name == "path" else "link"
            traces.append(marks.segments(ends[which], colour, width, role=role, name=name))
    return traces


def _leaf_words(
    tree: Tree, layout: FlowLayout, names: Sequence[str], full: np.ndarray, theme: Theme
) -> list[dict]:
    """Class and number of rows of each leaf.

    A mixed leaf also has the number of rows of that class.
    """
    leaves = np.flatnonzero(layout.leaf)
    nodes = layout.node[leaves]
    texts = []
    for node, k in zip(nodes.tolist(), tree.prediction[nodes].tolist(), strict=True):
        of_class, rows = float(tree.value[node, k]), float(tree.weighted_n_node_samples[node])
        part = "" if of_class == rows else f"{number(of_class)}/"
        texts.append(f"{names[k]} · {part}{number(rows)}")
    xy = np.column_stack([layout.x[leaves] + 30, layout.y[leaves]])
    return _texts("leaf words", layout, leaves, xy, texts, _LEAF_WORDS - 30, "right", full, theme)


def _questions_and_answers(
    tree: Tree,
    layout: FlowLayout,
    answers: tuple[str, str],
    full: np.ndarray,
    theme: Theme,
) -> list[dict]:
    """The features above the nodes, the answers on the links."""
    inner, child = np.flatnonzero(~layout.leaf), np.arange(1, len(layout.node))
    above = layout.parent[child]
    questions = [_question(tree, node) for node in layout.node[inner].tolist()]
    answer_texts = [_answer(tree, node, answers) for node in layout.node[child].tolist()]
    over = np.column_stack([layout.x[inner] - Size.bar / 2, layout.y[inner] + _ABOVE])
    on = np.column_stack(
        [
            layout.x[above] + _ALONG * (layout.x[child] - layout.x[above]),
            layout.y[above] + _ALONG * (layout.y[child] - layout.y[above]),
        ]
    )
    wide = _columns(tree, layout.node, layout.width)
    room = 2 * (1 - _ALONG) * wide - Size.bar  # up to the child
    taken = np.zeros(len(layout.node))
    np.maximum.at(
        taken, above, [min(text_width(text, Size.tick), room) / 2 for text in answer_texts]
    )
    before = _ALONG * wide - taken[inner]
    if layout.total - _ABOVE >= _TWO_LINES * layout.n_leaves:
        questions = [_in_lines(text, room) for text, room in zip(questions, before, strict=True)]
    over[:, 1] += [_LINE / 2 * text.count("<br>") for text in questions]
    named = _texts("test", layout, inner, over, questions, before, "right", full, theme)
    return named + _texts("answer", layout, child, on, answer_texts, room, "center", full, theme)


def _texts(
    name: str,
    layout: FlowLayout,
    which: np.ndarray,
    xy: np.ndarray,
    texts: Sequence[str],
    room: float | np.ndarray,
    side: str,
    full: np.ndarray,
    theme: Theme,
) -> list[dict]:
    """Texts at positions, shortened to `room` pixels.

    Faded texts and the others are separate traces.
    """
    traces, room = [], np.broadcast_to(room, len(which)).tolist()
    for state, colour in (("full", theme.ink), ("faded", theme.grey5)):
        some = np.flatnonzero(full[which] == (state == "full"))
        if not len(some):
            continue
        traces.append(
            marks.words(
                *xy[some].T,
                [_shortened(texts[k], room[k]) for k in some.tolist()],
                Size.tick,
                colour,
                f"middle {side}",
                role="test",
                name=name,
                bed=_bed(theme.paper),
                meta={"state": state},
                customdata=layout.node[which[some]],
            )
        )
    return traces


def _in_lines(text: str, room: float) -> str:
    """Text as two lines, parted where both are short, if it needs more than `room`."""
    words = text.split(" ")
    if text_width(text, Size.tick) <= room or len(words) < 2:
        return text
    halves = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    return "<br>".join(min(halves, key=lambda two: max(text_width(one, Size.tick) for one in two)))


def _shortened(text: str, room: float) -> str:
    """Text with each of its lines shortened to `room` pixels."""
    return "<br>".join(fit_text(line, room, Size.tick) for line in text.split("<br>"))


def _bed(paper: str) -> str:
    """Shadow of paper that keeps letters apart from the link below them."""
    return ", ".join(f"{dx}px {dy}px 1px {paper}" for dx in (-2, 0, 2) for dy in (-2, 0, 2))


def _question(tree: Tree, node: int) -> str:
    if tree.asks_missing(node) or tree.kind[node] not in (Kind.THRESHOLD, Kind.CATEGORIES):
        return split_words(tree, node)
    return feature_html(tree.feature_names[tree.feature[node]])


def _answer(tree: Tree, node: int, answers: tuple[str, str]) -> str:
    """Answer to the parent's test that leads to a node."""
    parent = int(tree.parent[node])
    branch = int(node - tree.first_child[parent])
    if tree.asks_missing(parent):
        return answers[branch]
    if tree.kind[parent] == Kind.CATEGORIES:
        return branch_words(tree, node) or answers[branch]
    if tree.kind[parent] != Kind.THRESHOLD:
        return answers[branch]
    return f"{'≤' if branch == 0 else '&gt;'} {threshold_words(tree, parent)}"
