"""The papers' figures drawn anew; each a function of the scene alone."""

from __future__ import annotations

from html import escape
from itertools import groupby
from urllib.parse import quote

import numpy as np

from lastviz.plots import (
    THEMES,
    Drawing,
    Intervals,
    Points,
    ThemeName,
    boundary_plot,
    intervals_plot,
    scatter_plot,
    value_counts_plot,
)
from lastviz.studies.published import QUANTITIES, best_values
from lastviz.ui.compute import cache, latent
from lastviz.ui.shared.figures import plane_of, regions_in, words
from lastviz.ui.shared.model_view import class_names_of, model_view, points_of
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, t

from .scene import TABLES_BY_NAME, FigureScene, PaperScene, paper_scene
from .words import left_out

MOST_POINTS = 1500  # of a set that is drawn; evenly spaced rows
HEIGHT = 320
AGAINST = ("accuracy", "mae", "depth")

Titled = list[tuple[str, Drawing]]


def model_figures(scene: FigureScene) -> Titled:
    """Return the regions of each scene's model, titled by its leaves and depth."""
    return [_regions(scene, title, selection) for title, selection in scene.scenes]


def _regions(scene: FigureScene, title: str, selection: Selection) -> tuple[str, Drawing]:
    plane = plane_of(selection)
    view = model_view(selection, 0, plane)
    figure = boundary_plot(
        regions_in(selection, 0, plane),
        view.tree,
        points_of(view, selection, plane),
        theme=scene.theme,
        class_names=class_names_of(cache.data(selection).dataset),
        height=HEIGHT,
        equal=plane.equal,
        view=plane.view,
        words=words(),
    )
    depth, leaves = int(view.tree.depth.max()), len(view.leaves)
    about = t("{leaves} leaves, depth {depth}", leaves=number(leaves), depth=number(depth))
    return t("{name}: {about}", name=title, about=about), figure


def class_figures(scene: FigureScene) -> Titled:
    """Return the classes of each scene's data in their two features; the same data once."""
    shown = {(each.data, each.params): (title, each) for title, each in scene.scenes}
    if len(shown) == 1:
        return [_classes(scene, scene.figure.title, scene.scenes[0][1])]
    return [_classes(scene, *each) for each in shown.values()]


def _classes(scene: FigureScene, title: str, selection: Selection) -> tuple[str, Drawing]:
    dataset = cache.data(selection).dataset
    X = dataset.numeric_X
    names = (str(X.columns[0]), str(X.columns[1]))
    points = Points.plain(X.iloc[:, 0].to_numpy(), X.iloc[:, 1].to_numpy(), dataset.codes)
    figure = scatter_plot(
        points, theme=scene.theme, names=names, class_names=class_names_of(dataset),
        height=HEIGHT, equal=True, words=words(),
    )  # fmt: skip
    return t(title), figure


def space_figures(scene: FigureScene) -> Titled:
    """Return the best two features and the best two latent attributes, by how far they part."""
    _, selection = scene.scenes[0]
    view = latent.view(selection, 0, 0)
    divided, dataset = cache.division(selection), cache.data(selection).dataset
    features = latent.best_features(selection, 0, 0)
    components = latent.best_components(selection, 0, 0)
    rows = np.linspace(0, len(divided.y) - 1, min(len(divided.y), MOST_POINTS)).astype(np.intp)
    pictures = []
    for title, values, names, found in (
        (t("In the features"), divided.values, view.feature_names, features),
        (t("In the latent space"), view.coordinates, None, components),
    ):
        pair = list(found.components)
        x, y = values[rows][:, pair].T
        axes = [names[i] if names else f"u{i + 1}" for i in pair]
        figure = scatter_plot(
            Points.plain(x, y, divided.y[rows], rows + 1), theme=scene.theme, names=tuple(axes),
            class_names=class_names_of(dataset), height=HEIGHT, words=words(),
        )  # fmt: skip
        share = t("{title}: separation {share} of 1", title=title,
                  share=number(round(found.separation, 3)))  # fmt: skip
        pictures.append((share, figure))
    return pictures


def best_figures(scene: FigureScene) -> Titled:
    """Return on how many data sets each value of w2 and of k was the best."""
    pictures = []
    for metric in ("best_w2", "best_k"):
        found = {a: best_values(scene.ours, a, metric) for a in scene.figure.compared}
        known = {a: list(best.values()) for a, best in found.items() if best}
        values = sorted({value for best in known.values() for value in best})
        counts = np.array([[best.count(v) for v in values] for best in known.values()])
        title = t(QUANTITIES[metric].title)
        figure = value_counts_plot(
            counts, values, list(known), theme=scene.theme, axes=(title, t("data sets"))
        )
        pictures.append((title, figure))
    return pictures


def against_figures(scene: FigureScene) -> Titled:
    """Return two algorithms on the data sets at hand: mean and a standard deviation of folds."""
    return [(t(QUANTITIES[metric].title), _against(scene, metric)) for metric in AGAINST]


def _against(scene: FigureScene, metric: str) -> Drawing:
    names, ours = scene.figure.compared, scene.ours
    datasets = [d for d in scene.figure.datasets if (d, names[0], metric, "") in ours]
    cells = [[ours.get((d, a, metric, "")) for d in datasets] for a in names]
    factor = 100.0 if metric == "accuracy" else 1.0
    mean = factor * np.array([[c.mean if c else np.nan for c in row] for row in cells])
    spread = factor * np.array([[c.spread if c else np.nan for c in row] for row in cells])
    sign = 1.0 if QUANTITIES[metric].larger_is_better else -1.0
    best = np.where(np.isfinite(mean).any(axis=0), np.argmax(sign * mean, axis=0), -1)
    found = Intervals(
        mean, mean - spread, mean + spread, best, np.zeros(mean.shape, dtype=bool),
        np.isfinite(mean),
    )  # fmt: skip
    unit = {"accuracy": "%", "mae": t("classes"), "depth": ""}[metric]
    title = t(QUANTITIES[metric].title)
    axis = t("{title}, {unit}", title=title, unit=unit) if unit else title
    return intervals_plot(names, datasets, found, theme=scene.theme, axis=axis, narrow=True)


# ---- All tables at a glance: a strip of dots each, by how far ours lies from the print


WIDTH, STRIP_HEIGHT, DOT = 240, 34, 4  # pixels of a strip, and across a dot
REACH = 3.6  # standard deviations to either end: what lies beyond stands there
STEPS = int(2 * REACH * 8)  # columns of dots


def strips_of(selection: Selection, theme: ThemeName) -> str:
    """Return the tables that can be compared, as links under the names of their papers."""
    parts = [
        f'<p class="lv-note">{escape(t("All tables: cells within one standard deviation"))}</p>'
    ]
    tables = (paper_scene(selection.change(paper_table=name)) for name in TABLES_BY_NAME)
    shown = (scene for scene in tables if scene.compared)
    for paper, scenes in groupby(shown, lambda scene: scene.paper):
        parts.append(f"<h3>{escape(t(paper.title))}</h3>")
        parts += [_entry(selection, scene, theme) for scene in scenes]
    return f'<div class="lv-strips">{"".join(parts)}</div>'


def _entry(selection: Selection, scene: PaperScene, theme: ThemeName) -> str:
    """Return a table: title, dots, and how many of its cells are near and left out."""
    near = sum(abs(place.apart) <= 1.0 for place in scene.compared)
    counts = t("{n} of {rows}", n=number(near), rows=number(len(scene.compared)))
    out = t("{n} left out", n=number(sum(left_out(scene).values())))
    link = session.link(selection.change(paper_table=scene.name))
    here = ' aria-current="page"' if scene.name == selection.papers.paper_table else ""
    return (
        f'<a href="?{escape(link)}" target="_self"{here}>'
        f"<span>{escape(t(scene.table.title))}</span>"
        f'<img alt="" src="{strip_image(scene, theme)}">'
        f"<span><b>{escape(counts)}</b><small>{escape(out)}</small></span></a>"
    )


def strip_image(scene: PaperScene, theme: ThemeName) -> str:
    """Return the dots of a table as an image in a link; what is near is grey, the rest ink."""
    colours, unit = THEMES[theme], WIDTH / (2 * REACH)
    columns: dict[int, list[str]] = {}
    for place in sorted(scene.compared, key=lambda place: abs(place.apart)):
        x = min(max(place.apart, -REACH), REACH)
        hue = colours.grey7 if abs(place.apart) <= 1.0 else colours.ink
        columns.setdefault(round((x + REACH) / (2 * REACH) * STEPS), []).append(hue)
    up = min(DOT + 0.5, (STRIP_HEIGHT - DOT) / max(map(len, columns.values())))
    dots = "".join(
        f'<circle cx="{column * WIDTH / STEPS:.1f}" cy="{STRIP_HEIGHT - DOT / 2 - i * up:.1f}" '
        f'r="{DOT / 2}" fill="{hue}"/>'
        for column, hues in columns.items()
        for i, hue in enumerate(hues)
    )
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 0 {WIDTH + 6} {STRIP_HEIGHT}">'
        f'<rect x="{WIDTH / 2 - unit:.1f}" width="{2 * unit:.1f}" height="{STRIP_HEIGHT}" '
        f'fill="{colours.grey1}"/><path d="M{WIDTH / 2} 0V{STRIP_HEIGHT}" stroke="{colours.ink}"/>'
        f"{dots}</svg>"
    )
    return f"data:image/svg+xml,{quote(drawing)}"
