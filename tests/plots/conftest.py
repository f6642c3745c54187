"""Trees with their regions and rows, and every figure of the package."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from lastviz import AdaBoostM1Classifier, C45Classifier, CARTClassifier, CARTRegressor, plots
from lastviz.datasets import load_dataset
from lastviz.inspection import (
    Band,
    Costs,
    NominalTable,
    Regions,
    agreement,
    banded_regions,
    candidate_table,
    certainty,
    class_borders,
    cost_curve,
    cut_sums,
    forest_regions,
    impurity_curves,
    partition,
    regions,
    regions_overlay,
    reliability,
    response_steps,
    rules,
    split_geometry,
    steps,
    tree_regions,
)
from lastviz.plots.visuals.flow_traces import _AIR, LINE
from lastviz.plots.visuals.words import text_width
from lastviz.tree import Tree
from tests.naive_textbook import id3


@dataclass(frozen=True, eq=False)
class Scene:
    """A fitted tree, its regions in the plane of two features, and its rows."""

    X: np.ndarray
    y: np.ndarray
    tree: Tree
    regions: Regions
    points: plots.Points
    class_names: tuple[str, ...]


CURVE = plots.ErrorCurve(
    n_leaves=np.array([40, 12, 5, 2, 1]), training=np.array([0.0, 0.08, 0.15, 0.3, 0.5]),
    held_out=np.array([0.3, 0.26, 0.22, 0.33, 0.5]), standard_error=np.full(5, 0.02),
    cross_validated=np.array([0.28, 0.25, 0.24, 0.34, 0.5]),
)  # fmt: skip
WAY = plots.OtherPruner("Pessimistic", 9, 0.27, np.array([[9, 0.27], [30, 0.3]]))


@cache
def make_scene(
    n_samples: int = 200,
    n_classes: int = 3,
    max_leaf_nodes: int | None = 8,
    n_features: int = 2,
    features: tuple[int, int] = (0, 1),
) -> Scene:
    rng = np.random.default_rng(0)
    centres = rng.uniform(-3, 3, (n_classes, n_features))
    y = np.arange(n_samples) % n_classes
    X = centres[y] + rng.normal(0, 1.0, (n_samples, n_features))
    held_out = rng.random(n_samples) < 0.3
    model = CARTClassifier(max_leaf_nodes=max_leaf_nodes).fit(X[~held_out], y[~held_out])
    x, v = X[:, features[0]].astype(np.float32), X[:, features[1]].astype(np.float32)
    view = plots.pad_bounds(x, v)
    around = regions(model, plots.surroundings(view), features, np.median(X, axis=0))
    points = plots.Points(x, v, y, held_out, model.predict(X) != y, np.arange(n_samples))
    names = tuple(f"class {k}" for k in range(n_classes))
    return Scene(X, y, model.tree_, around, points, names)


def stump_of_one_leaf() -> Scene:
    return make_scene(n_samples=20, n_classes=1, max_leaf_nodes=None)


def inner_node(tree: Tree, depth: int) -> int:
    """Some inner node at a depth."""
    return int(np.flatnonzero((tree.depth == depth) & (tree.n_children > 0))[0])


def by_role(figure, role: str) -> list:
    return [trace for trace in figure.data if trace.meta["role"] == role]


def text_boxes(figure, role: str) -> list[tuple[tuple[float, ...], int, str]]:
    """Box (left, low, right, high), node and text of each text, in a figure of its own size."""
    found = []
    for trace in by_role(figure, role):
        n, sides = len(trace.x), trace.textposition
        sides = [sides] * n if isinstance(sides, str) else sides
        for x, y, side, node, text in zip(
            trace.x, trace.y, sides, trace.customdata, trace.text, strict=True
        ):
            up, across = side.split()
            left = x - text_width(text) * (across == "left")
            middle = y + {"top": 1, "middle": 0, "bottom": -1}[up] * (LINE / 2 - _AIR)
            found.append(((left, middle - 8, left + text_width(text), middle + 8), int(node), text))
    return found


def drawn_boxes(trace) -> list[np.ndarray]:
    """The parts of a trace between its NaN breaks, each of shape (k, 2)."""
    xy = np.column_stack([trace.x, trace.y]).astype(float)
    gaps = np.flatnonzero(np.isnan(xy[:, 0]))
    parts = np.split(xy, gaps)
    return [part[~np.isnan(part[:, 0])] for part in parts if np.isfinite(part).any()]


def _boundary(theme, **options):
    scene = make_scene()
    hover = {node: plots.node_html(scene.tree, node) for node in range(scene.tree.n_nodes)}
    return plots.boundary_plot(
        scene.regions, scene.tree, scene.points, theme=theme, hover=hover, **options
    )


def _both(theme):
    scene = make_scene()
    selected = inner_node(scene.tree, 1)
    return plots.boundary_and_tree_plot(
        scene.regions, scene.tree, scene.points, theme=theme, selected=selected, equal=True
    )


def _tree(theme, n_classes=3, max_leaf_nodes=8, **options):
    tree = make_scene(600, n_classes, max_leaf_nodes).tree
    texts = {node: plots.split_words(tree, node) for node in range(tree.n_nodes)}
    leaf = int(np.flatnonzero(tree.n_children == 0)[-1])
    return plots.flow_tree_plot(tree, theme=theme, path=tree.path(leaf), texts=texts, **options)


def _matrix(theme):
    scene = make_scene(n_features=4)
    names = ("a", "b", "c", "d")
    return plots.scatter_matrix_plot(
        scene.X, scene.y, names, theme=theme, class_names=scene.class_names
    )


def _scatter(theme):
    scene = make_scene()
    names, classes = ("petal length", "x2"), scene.class_names
    return plots.scatter_plot(scene.points, theme=theme, names=names, class_names=classes)


def _histogram(theme):
    scene = make_scene()
    return plots.histogram_plot(
        scene.X[:, 0], scene.y, theme=theme, name="x1", class_names=scene.class_names
    )


def _node_histograms(theme):
    scene = make_scene()
    rows = np.arange(len(scene.y)) + 7
    codes = (np.arange(len(scene.y)) % 3).astype(float)
    codes[:4] = np.nan
    features = [
        plots.NodeFeature("x1", scene.X[:, 0], "gain 0.2", threshold=0.3, chosen=True),
        plots.NodeFeature("x2", scene.X[:, 1], "gain 0.1", best=0.1),
        plots.NodeFeature("a <b> name", codes, categories=("low", "<mid>", "a very long category")),
        plots.NodeFeature("constant", np.ones(len(rows))),
    ]
    names = scene.class_names
    return plots.node_histograms_plot(features, scene.y, rows, theme=theme, class_names=names)


def _candidates(n_features=3):
    """The candidates of the root, one of them chosen, one picked, some survivors."""
    scene = make_scene(n_features=n_features)
    rows = np.arange(len(scene.y))
    table = candidate_table(scene.X, scene.y, rows, 3)
    names = tuple(f"x<sub>{f}</sub>" for f in range(n_features))
    survivors = np.array([3, 40, 41])
    marked = plots.CandidateCurves(table.feature, table.threshold, names, 40, 7, survivors)
    strips = [
        plots.Strip(name, table.columns[name], name == "csn") for name in ("gini", "bnm", "csn")
    ]
    return scene, table, marked, strips


def _split_lab(theme, measured="bnm", features=(0, 1)):
    scene, table, marked, strips = _candidates()
    at = table.feature[40], float(table.threshold[40])
    geometry = split_geometry(scene.X, scene.y, np.arange(len(scene.y)), *at)
    inside = np.arange(len(scene.y)) % 5 > 0
    return plots.split_lab_plot(
        scene.points, inside, marked, strips, theme=theme, features=features,
        feature_names=("a", "b", "c"), class_names=scene.class_names,
        distances=plots.distance_traces(geometry, measured, (0, 1), scene.X[:, :2], theme=theme),
    )  # fmt: skip


def _successive(theme):
    scene = make_scene()
    rows = [("one", scene.regions), ("two", scene.regions)]
    return plots.successive_splits_plot(
        rows, scene.points, 4, theme=theme, class_names=scene.class_names, view=(-4, 4, -4, 4)
    )


def _feature_strips(theme):
    _, _, marked, strips = _candidates()
    return plots.feature_strips_plot(marked, strips, [2, 0, 1], theme=theme)


def _agreement(theme):
    _, table, _, _ = _candidates()
    found = agreement(table)
    return plots.agreement_plot(found.columns, found.tau, theme=theme)


def _row_shares(theme):
    share = np.sort(np.random.default_rng(0).beta(0.5, 0.5, 60))
    texts = [f"row {i + 1}" for i in range(60)]
    return plots.row_shares_plot(share, np.arange(60) % 2, texts, theme=theme)


def _tree_counts(theme):
    return plots.tree_counts_plot(
        [2, 0, 40, 10**20, 9, 8], [1, 0, 9, 10**20, 9, 0], 7, 10, theme=theme
    )


def _landscape(theme, holes=False, smaller=False):
    scores = np.add.outer(np.sin(np.arange(180) / 30), np.linspace(0, 1, 40))
    if holes:
        scores[:, :3] = np.nan
    marks = [
        plots.LandscapeMark("chosen", 90.0, 4, "<b>chosen</b> 0.01"),
        plots.LandscapeMark("best", 42.0, 36, "<b>best of all lines</b> 0.15"),
        plots.LandscapeMark("picked", 130.0, 20, "picked"),
    ]
    return plots.landscape_plot(
        scores, np.arange(180) + 0.5, np.arange(1, 41), marks, theme=theme,
        features=("x1", "petal length"), n_points=41, smaller_is_better=smaller,
    )  # fmt: skip


def _plane_lines(theme):
    scene = make_scene()
    ends = np.array([[-4.0, -4.0], [4.0, 4.0]])
    return plots.plane_lines_plot(
        scene.points, np.arange(len(scene.y)) % 4 > 0,
        {"chosen": ends, "best": ends * [1, -1], "picked": ends / [1, 2]},
        theme=theme, names=("x1", "x2"), class_names=scene.class_names,
    )  # fmt: skip


def _cut_plane(theme, arrows=False, **options):
    """Rows of a node in a plane: some outside, some wrong, one lit; tints behind them."""
    scene = make_scene()
    inside = np.arange(len(scene.y)) % 4 > 0
    ends = np.array([[-4.0, -4.0], [4.0, 4.0]])
    directions = [
        plots.Arrow((0.0, 0.0), (2.0, 1.0), "u<sub>1</sub>", True),
        plots.Arrow((0.0, 0.0), (-1.0, 2.0), "u<sub>2</sub>", False),
    ]
    return plots.cut_plane_plot(
        scene.points, inside, ends, theme=theme, names=("x7", "x15"), highlighted=3,
        class_names=scene.class_names, arrows=directions if arrows else (), **options,
    )  # fmt: skip


def _singular_values(theme):
    values = 100.0 / np.arange(1, 22)
    names = tuple(f"u<sub>{i}</sub>" for i in range(1, 22))
    shares = values**2 / np.sum(values**2)
    return plots.singular_values_plot(values, shares, names, theme=theme, chosen=1, shown=(1, 2))


def _loadings(theme, m=21):
    loadings = np.sin(np.arange(m))
    return plots.loadings_plot(
        loadings, tuple(f"f{i}" for i in range(m)), theme=theme, heaviest=(1, m - 1)
    )


def _hyperplane_search(theme):
    scene = make_scene()
    rng = np.random.default_rng(2)
    lines = plots.across(rng.normal(size=(5, 2)), rng.normal(size=5), (-4, 4, -4, 4))
    moves = plots.Moves(np.array([0, 0, 0, 1, 1]), np.arange(5.0), 2, 4)
    return plots.hyperplane_search_plot(
        scene.points, moves, lines, theme=theme, names=("x1", "x2"), class_names=scene.class_names
    )


def _growth(theme, curved=False):
    scene = make_scene()
    return plots.growth_plot(
        scene.points, theme=theme, features=("x1", "a long name"), curved=curved,
        class_names=scene.class_names, view=(-4, 4, -4, 4),
    )  # fmt: skip


def _contradictions(theme, n=200, **options):
    scene = make_scene(n_samples=n)
    xy = np.column_stack([scene.points.x, scene.points.y]).astype(float)
    pairs = np.column_stack([xy[:-1], xy[1:]])
    return plots.contradictions_plot(
        scene.points, pairs, theme=theme, names=("x1", "x2"), picked=pairs[3],
        class_names=scene.class_names, **options,
    )  # fmt: skip


def _inclusion(theme, n=200):
    scene, degree = make_scene(n_samples=n), np.linspace(0, 1, n)
    names, classes = ("x1", "pH"), scene.class_names
    return plots.inclusion_plot(scene.points, degree, theme=theme, names=names, class_names=classes)


def _counter_example(theme, ends=True):
    scene = make_scene()
    rectangles = np.array([[-4.0, 0.0, -4.0, 4.0], [0.0, 4.0, -4.0, 4.0]])
    shown = {"ends": np.array([[-1.0, 0.0], [1.0, 2.0]]), "end_labels": (2, 1)} if ends else {}
    return plots.counter_example_plot(
        rectangles, np.array([2, 1]), scene.points, theme=theme, names=("x1", "x2"),
        class_names=scene.class_names, boxes=rectangles if ends else None, **shown,
    )  # fmt: skip


@cache
def make_forest(n_classes: int = 4, n_trees: int = 3):
    """A forest, its regions, those of its trees, and its rows."""
    data = load_dataset("monotone", n_samples=200, n_classes=n_classes)
    X, y = data.X.to_numpy(), data.codes
    forest = AdaBoostM1Classifier(n_estimators=n_trees).fit(X, y)
    window = (-0.1, 1.1, -0.1, 1.1)
    each = [forest_regions(tree, window) for tree in forest.estimators_]
    points = plots.Points(
        X[:, 0], X[:, 1], y, np.arange(200) % 3 == 0, forest.predict(X) != y, np.arange(200)
    )
    return forest, forest_regions(forest, window), each, points


def _forest(theme, **options):
    _, found, _, points = make_forest()
    names = tuple(f"class {k}" for k in range(4))
    return plots.forest_plot(
        found, points, theme=theme, class_names=names, feature_names=("x1", "x2"), **options
    )


def _difference(theme, **options):
    """A tree laid over the same tree cut at its children."""
    scene = make_scene()
    cut = scene.tree.prediction[scene.tree.at_depth(1)[scene.regions.node]]
    found = regions_overlay(scene.regions, replace(scene.regions, prediction=cut))
    borders = class_borders(scene.regions), class_borders(scene.regions, depth=1)
    return plots.difference_plot(
        found, borders, scene.points, theme=theme, class_names=scene.class_names,
        feature_names=("x1", "x2"), texts=dict.fromkeys(found.pairs(), "said"), **options,
    )  # fmt: skip


def _vote_share(theme, **options):
    scene = make_scene()
    votes = np.random.default_rng(0).integers(0, 9, size=(30, 30, 3))
    return plots.vote_share_plot(
        votes, (-4.0, 4.0, -4.0, 4.0), class_borders(scene.regions), scene.points, theme=theme,
        class_names=scene.class_names, feature_names=("x1", "petal width"), **options,
    )  # fmt: skip


def _draw(theme, dropped=True):
    *_, points = make_forest()
    drawn = np.arange(200) % 4 == 0
    weight = np.where(np.arange(200) % 5 == 1, 3.0, 0.8)
    rows = plots.DrawnRows(
        points.x, points.y, points.label, np.where(drawn | (not dropped), weight, weight - 0.8),
        drawn, drawn & (np.arange(200) % 8 == 0), points.row,
    )  # fmt: skip
    return plots.draw_plot(
        rows, theme=theme, class_names=("a", "b", "c", "d"), feature_names=("x1", "long name"),
        view=(0, 1, 0, 1), equal=True,
    )  # fmt: skip


def _rules(theme, n_classes=3, max_leaf_nodes=8, sample=None, plot=plots.rule_tree_plot, **options):
    tree = make_scene(600, n_classes, max_leaf_nodes).tree
    if plot is not plots.node_link_plot:
        options["texts"] = {node: plots.split_words(tree, node) for node in range(tree.n_nodes)}
    if plot is plots.rule_tree_plot:
        options["numbers"] = {rule.node: rule.number for rule in rules(tree)}
    if sample is not None:
        leaf = int(np.flatnonzero(tree.n_children == 0)[sample])
        options["visited"] = dict.fromkeys(tree.path(leaf), 1.0)
    return plot(tree, theme=theme, **options)


def _regression(theme, step=None, **options):
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 10, 80)
    y = np.sin(x) + 0.3 * rng.normal(size=80)
    tree = CARTRegressor(max_leaf_nodes=7).fit(x[:, None], y).tree_
    steps = response_steps(tree, 0, 0.0, 10.0, np.zeros(1))
    names = ("age", "height")
    options |= {} if step is None else {"selected": int(steps.node[step])}
    return plots.regression_plot(steps, x, y, theme=theme, names=names, **options)


def _regression_plane(theme, leaves=12):
    data = load_dataset("friedman", n_samples=90)
    X, y = data.X.to_numpy()[:, :2], data.y.to_numpy()
    y = y if leaves > 1 else np.ones(90)
    tree = CARTRegressor(max_leaf_nodes=leaves if leaves > 1 else None).fit(X, y).tree_
    found = tree_regions(tree, (-0.5, 1.5, -0.5, 1.5))
    return plots.regression_plane_plot(
        found, tree.prediction, np.column_stack([X, y]), theme=theme, target="price (EUR)",
        held_out=np.arange(90) % 3 == 0, view=(0, 1, 0, 1), hover={1: "a"},
    )  # fmt: skip


@cache
def make_nominal():
    """A table of three nominal features and its tree."""
    rng = np.random.default_rng(3)
    categories = (("low", "middle", "high"), ("yes", "no"), ("a", "b", "c & d"))
    codes = np.column_stack([rng.integers(0, len(c), 40) for c in categories])
    labels = (codes[:, 0] + codes[:, 1] > 1).astype(np.intp)
    names, classes = ("size", "owner", "kind"), ("good", "bad")
    table = NominalTable(names, categories, classes, codes, labels)
    return table, id3(codes.tolist(), labels.tolist(), categories, names, classes)


def _impurities(theme, p=0.6):
    shown = (plots.Curve("entropy", "half the entropy", 0.5), plots.Curve("gini", "Gini"),
             plots.Curve("error", "error"))  # fmt: skip
    own = impurity_curves(np.array([p]))
    return plots.impurity_curves_plot(impurity_curves(), own, shown, theme=theme)


def _partition(theme):
    table, tree = make_nominal()
    return plots.partition_plot(partition(tree, table), tree, table, theme=theme)


def _conditional(theme):
    counts = np.array([[6, 0], [1, 3], [0, 5]])
    names = (("house = yes",), ("house = no", "job = yes"), ("house = no", "job = no"))
    return plots.conditional_plot(counts, names, theme=theme, class_names=("yes", "no"))


def _category_tree(theme, **options):
    table, tree = make_nominal()
    return plots.category_tree_plot(tree, theme=theme, class_names=table.classes, **options)


def sine_steps(n=30):
    x = np.linspace(0, 3, n)
    y = np.sin(2 * x)
    return x, y, steps(CARTRegressor(max_leaf_nodes=6).fit(x[:, None], y).tree_)


def _cut_losses(theme, n=30):
    x, y, _ = sine_steps(n)
    return plots.cut_losses_plot(cut_sums(x, y), theme=theme)


def _banded(theme, plot=plots.boundary_plot, **options):
    colour = np.arange(60) % 3
    size = np.where(np.arange(60) % 7 == 0, np.nan, np.linspace(-1.0, 1.0, 60))
    X = pd.DataFrame({"size": size, "colour": pd.Categorical.from_codes(colour, list("abc"))})
    y = ((np.nan_to_num(size) > 0) ^ (colour == 1)).astype(np.intp)
    model = C45Classifier().fit(X, y)
    strip = Band(-1.6, -1.3, (0,), (np.nan,))
    up = [Band(code - 0.5, code + 0.5, (1,), (float(code),)) for code in range(3)]
    found = banded_regions(model, (-1.2, 1.2, -0.5, 2.5), (0, None), np.zeros(2), ([strip], up))
    found = replace(found, feature_names=("size", "colour"))
    words = ["missing" if np.isnan(v) else f"{v:.3g}" for v in size]
    points = replace(
        plots.Points.plain(np.where(np.isnan(size), -1.45, size), colour.astype(float), y),
        texts=(words, [f"<{'abc'[c]}>" for c in colour]),
    )
    bands = (
        plots.AxisBands(("missing",), ((-1.6, -1.3),), (-1.2, 1.2)),
        plots.AxisBands(("a", "b & c", "c"), ((-0.5, 0.5), (0.5, 1.5), (1.5, 2.5))),
    )
    view = (-1.6, 1.2, -0.5, 2.5)
    return plot(found, model.tree_, points, theme=theme, view=view, bands=bands, **options)


def _best_tests(theme, scores=(0.4, 0.2, -np.inf)):
    names = ("house = yes", "age &lt; 3", "a very long name of a feature ∈ {one, two, three}")
    n = len(scores)
    return plots.best_tests_plot(
        names[:n], np.array(scores), theme=theme, chosen=0, picked=n - 1, kept=[0]
    )


def _costs(theme):
    rng = np.random.default_rng(0)
    shares, in_class = np.round(rng.random(60), 1), rng.random(60) < 0.4
    curves = {
        "held out": cost_curve(shares[:20], in_class[:20], Costs(3, 1)),
        "training": cost_curve(shares[20:], in_class[20:], Costs(3, 1)),
    }
    return plots.cost_curve_plot(
        curves, theme=theme, chosen=0.5, cheapest=0.25, names=("from the costs", "chosen"),
        axes=("threshold", "cost of a row"),
    )  # fmt: skip


def _reliability(theme):
    scene = make_scene()
    found = reliability(scene.tree, scene.X, scene.y, 1)
    hover = [f"leaf {node}" for node in found.node.tolist()]
    return plots.reliability_plot(found, theme=theme, axes=("predicted", "found"), hover=hover)


ALGORITHMS = ("CART", "C4.5", "BNM + CSN", "an algorithm & a very long name")


def _intervals(theme, sets=3, **options):
    rng = np.random.default_rng(0)
    mean = 60 + 30 * rng.random((4, sets))
    low, high = mean - 2, mean + 2
    mean[1, 0], low[:2, 0] = np.nan, np.nan
    found = plots.Intervals(
        mean, low, high, np.nan_to_num(mean).argmax(axis=0), mean < 65, mean < 85
    )
    names = ("Breast cancer", "a data set with a very long name", "c & d")[:sets]
    return plots.intervals_plot(ALGORITHMS, names, found, theme=theme, **options)


def _critical_difference(theme, ranks=(1.2, 3.1, 2.2, 3.5), groups=((0, 2), (2, 1, 3)), **options):
    names = [*ALGORITHMS, *map(str, range(20))][: len(ranks)]
    return plots.critical_difference_plot(names, np.array(ranks), groups, theme=theme, **options)


def _size_accuracy(theme, size=(8.5, 21.0, 9.0, np.nan), **options):
    value = np.array([79.0, 78.0, 80.0, 90.0])
    return plots.size_accuracy_plot(ALGORITHMS, np.array(size), value, theme=theme, **options)


def _study_curves(theme, plot=plots.learning_curve_plot, **options):
    n = np.array([50.0, 200.0, 1000.0])
    curves = [
        plots.StudyCurve(name, n, 0.1 * (i + 1) * np.log(n), 0.1 * i * np.log(n), 0.2 * n)
        for i, name in enumerate(ALGORITHMS)
    ]
    curves[1].value[-1] = np.nan
    return plot(curves, theme=theme, **options)


def _posterior(theme, rope=1.0, centre=2.0):
    x = centre + np.linspace(-6, 6, 101)
    density = np.exp(-((x - centre) ** 2) / 4) / np.sqrt(4 * np.pi)
    return plots.posterior_plot(x, density, rope, (0.05, 0.2, 0.75), theme=theme)


def _posterior_triangle(theme):
    samples = np.random.default_rng(0).dirichlet([2.0, 4.0, 6.0], 500)
    return plots.posterior_triangle_plot(samples, (0.05, 0.25, 0.7), theme=theme)


def _paired_results(theme, n=4, **options):
    wins = np.triu(np.arange(n * n).reshape(n, n) % 9, 1)
    wins = wins + np.tril(9 - wins.T, -1)
    ties = 1 - np.eye(n, dtype=int)
    names = [*ALGORITHMS, *map(str, range(20))][:n]
    apart = np.abs(wins - wins.T) > 7
    return plots.paired_results_plot(names, wins, ties, apart, theme=theme, **options)


TESTED = [
    plots.TestedPixel(0, 1, "1, 3", "1: a ≤ 2; 3: a > 1"), plots.TestedPixel(2, 3, "2", "b"),
]  # fmt: skip
FIGURES = {
    "intervals": _intervals,
    "intervals, with notes": lambda theme: _intervals(
        theme, notes=("569 rows", "1 & 2", "repeat 3 of 5"), absent=[["failed: <why>"] * 3] * 4
    ),
    "intervals, narrow": lambda theme: _intervals(theme, narrow=True, notes=("a", "b", "c")),
    "critical difference": lambda theme: _critical_difference(theme, difference=1.4),
    "critical difference, wide": lambda theme: _critical_difference(theme, difference=6.0),
    "critical difference, many": lambda theme: _critical_difference(
        theme, tuple(np.linspace(1.5, 14, 14)), ()
    ),
    "size and accuracy": _size_accuracy,
    "size and accuracy, no sizes": lambda theme: _size_accuracy(theme, (np.nan,) * 4),
    "learning curves": lambda theme: _study_curves(theme, chosen="C4.5"),
    "learning curves, none chosen": _study_curves,
    "times": lambda theme: _study_curves(theme, plots.time_plot, chosen="CART"),
    "posterior": _posterior,
    "posterior, no region": lambda theme: _posterior(theme, rope=0.0),
    "posterior, far away": lambda theme: _posterior(theme, rope=1.0, centre=30.0),
    "posterior, a triangle": _posterior_triangle,
    "paired results": _paired_results,
    "paired results, many": lambda theme: _paired_results(theme, n=9, hover=[["p = 0.3"] * 9] * 9),
    "vote share": _vote_share,
    "vote share, equal units": lambda theme: _vote_share(theme, equal=True, units=("", "cm")),
    "difference": _difference,
    "difference, equal units": lambda theme: _difference(theme, equal=True, height=300),
    "tree, outlined": lambda theme: _tree(theme, outlined={0: "pale", 1: "ink", 2: "dashed"}),
    "forest overview": lambda theme: plots.forest_overview_plot(
        np.array([[0.7, 0.1], [0.3, 0.4]]), ("x1", "a very long name of a feature"), theme=theme
    ),
    "rule tree": _rules,
    "rule tree, a sample": lambda theme: _rules(theme, sample=2),
    "rule tree, a sample in parts": lambda theme: _rules(
        theme, visited={0: 1.0, 1: 0.4, 2: 0.6}, selected=1
    ),
    "rule tree, many rules": lambda theme: _rules(theme, 12, None, selected=3),
    "rule tree, collapsed": lambda theme: _rules(theme, 5, None, least=60.0, depth=6),
    "node-link": lambda theme: _rules(theme, sample=1, plot=plots.node_link_plot),
    "node-link, many": lambda theme: _rules(theme, 12, None, plot=plots.node_link_plot, selected=2),
    "icicle": lambda theme: _rules(theme, sample=1, plot=plots.icicle_plot),
    "icicle, many rules": lambda theme: _rules(theme, 12, None, plot=plots.icicle_plot, selected=2),
    "contradictions": _contradictions,
    "contradictions, many": lambda theme: _contradictions(theme, n=1800, equal=True),
    "inclusion": _inclusion,
    "inclusion, many": lambda theme: _inclusion(theme, n=1800),
    "counter-example": _counter_example,
    "no counter-example": lambda theme: _counter_example(theme, ends=False),
    "forest": _forest,
    "forest, a sample": lambda theme: _forest(theme, sample=(0.5, 0.5), equal=True),
    "rows drawn": _draw,
    "rows drawn, none dropped": lambda theme: _draw(theme, dropped=False),
    "cut plane": _cut_plane,
    "cut plane, dashed with arrows": lambda theme: _cut_plane(theme, arrows=True, dashed=True),
    "cut plane, with regions": lambda theme: _cut_plane(
        theme, regions=make_scene().regions, equal=True
    ),
    "cut plane, small": lambda theme: _cut_plane(theme, small=True, height=200),
    "singular values": _singular_values,
    "loadings": _loadings,
    "loadings, few features": lambda theme: _loadings(theme, m=3),
    "search for a hyperplane": _hyperplane_search,
    "growth": _growth,
    "growth, machines": lambda theme: _growth(theme, curved=True),
    "growth, values": lambda theme: plots.growth_values_plot(
        ("a", "a class with a very long name"), theme=theme
    ),
    "split lab": _split_lab,
    "split lab, CSN": lambda theme: _split_lab(theme, measured="csn"),
    "split lab, one feature": lambda theme: _split_lab(theme, features=(0, 0)),
    "successive splits": _successive,
    "feature strips": _feature_strips,
    "agreement": _agreement,
    "row_shares": _row_shares,
    "tree_counts": _tree_counts,
    "landscape": _landscape,
    "landscape with holes": lambda theme: _landscape(theme, holes=True, smaller=True),
    "plane lines": _plane_lines,
    "boundary": _boundary,
    "boundary, a node selected": lambda theme: _boundary(theme, selected=1, sample=(0.0, 0.0)),
    "boundary, cut": lambda theme: _boundary(theme, selected=5, depth=1),
    "boundary and tree": _both,
    "flow tree": _tree,
    "flow tree, many classes": lambda theme: _tree(theme, n_classes=12, max_leaf_nodes=30),
    "flow tree, collapsed": lambda theme: _tree(theme, max_leaf_nodes=None, selected=3),
    "scatter": _scatter,
    "scatter matrix": _matrix,
    "histogram": _histogram,
    "node histograms": _node_histograms,
    "class counts": lambda theme: plots.class_counts_plot(
        np.array([5, 0, 9]), ("a", "b", "c"), theme=theme
    ),
    "confusion": lambda theme: plots.confusion_plot(
        np.array([[5, 0], [2, 9]]), ("a", "b"), theme=theme
    ),
    "regression": _regression,
    "regression, a node selected": lambda theme: _regression(theme, step=3, units=("a", "cm")),
    "regression, rows held out": lambda theme: _regression(theme, held_out=np.arange(80) % 3 == 0),
    "regression plane": _regression_plane,
    "regression plane, one leaf": lambda theme: _regression_plane(theme, leaves=1),
    "impurity curves": _impurities,
    "impurity curves, left": lambda theme: _impurities(theme, p=0.0),
    "partition": _partition,
    "conditional distribution": _conditional,
    "category tree": _category_tree,
    "category tree, a node selected": lambda theme: _category_tree(
        theme, selected=2, more={0: "9.8 bits"}
    ),
    "losses of cuts": _cut_losses,
    "losses of few cuts": lambda theme: _cut_losses(theme, n=8),
    "regression steps": lambda theme: plots.regression_steps_plot(*sine_steps(), theme=theme),
    "bands": _banded,
    "bands, with the tree": lambda theme: _banded(theme, plots.boundary_and_tree_plot, selected=1),
    "pruning curve": lambda theme: plots.pruning_curve_plot(
        CURVE, [WAY], theme=theme, mine=1, chosen=2
    ),
    "pruning curve, nothing else known": lambda theme: plots.pruning_curve_plot(
        CURVE, [], theme=theme, mine=0, chosen=None
    ),
    "pruned tree": lambda theme: plots.pruned_tree_plot(
        make_scene().tree, np.array([1]), theme=theme, selected=1
    ),
    "costs": _costs,
    "reliability": _reliability,
    "boundary, certainty": lambda theme: _boundary(
        theme, selected=1, certainty=certainty(make_scene().tree)
    ),
    "pixels": lambda theme: plots.pixels_plot(
        np.arange(12.0).reshape(3, 4), TESTED, theme=theme, most=11.0
    ),
    "best tests": _best_tests,
    "best tests, one": lambda theme: _best_tests(theme, (0.3,)),
}


@pytest.fixture(params=["light", "dark"])
def theme(request):
    return request.param
