"""Statements about how an SVM tree splits off its classes: separability by loops over all rows."""

from functools import partial
from itertools import combinations
from unittest.mock import patch

import numpy as np
import pandas as pd

from lastviz.plots import number
from lastviz.ui.compute import uploads
from lastviz.ui.compute.work import Work
from lastviz.ui.growth import details
from lastviz.ui.growth.details import story
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Model
from lastviz.ui.text import join_names
from tests import naive_svm
from tests.sentences.rows import Kind, drawn, percent, selected

GROWTH = "ui/growth/"
SIGMA = 1.5
RAW = (("C", 1.0), ("scaling", "none"), ("sigma", SIGMA))


def scene_of(scene):
    """A link, or a table of points: (their places by class, what the model is set to)."""
    if isinstance(scene, str):
        return selected(scene)
    points, params = scene
    rows = [[*place, name] for name, places in points for place in places]
    columns = [f"x{i}" for i in range(len(rows[0]) - 1)]
    table = pd.DataFrame(rows, columns=[*columns, "class"])
    file = uploads.keep("points.csv", table.to_csv(index=False).encode(), len(table))
    model = Model("svm_tree", tuple(sorted({**dict(RAW), **dict(params)}.items())))
    return DEFAULT.change(data=UPLOAD, upload=file).having(models=(model,), held=0.0)


def steps(scene):
    return [step.say for step in story(Work(scene_of(scene)), "light").steps]


def settings(scene):
    return dict(scene_of(scene).models[0].params)


class Peeling:
    """The classes of a scene, how separable they are, and the order in which they leave."""

    def __init__(self, scene):
        selection = scene_of(scene)
        divided = Work(selection).first.division
        self.names = class_names_of(Work(selection).dataset)
        params = settings(scene)
        self.order, sigma = params.get("order", "separability"), params["sigma"]
        train = divided.train_rows
        X, y = divided.values[train], divided.y[train]
        self.rows = [
            [x for x, k in zip(X, y, strict=True) if k == c] for c in range(len(self.names))
        ]
        kernel = {"linear": 0, "rbf": 1}[params.get("kernel", "rbf")]
        K = partial(naive_svm.kernel, kernel, sigma=sigma, degree=3)
        n = len(self.rows)
        self.matrix = [[np.inf] * n for _ in range(n)]
        for i, j in combinations(range(n), 2):
            value = self.between(self.rows[i], self.rows[j], K)
            self.matrix[i][j] = self.matrix[j][i] = value

    def between(self, A, B, K):
        if self.order == "separability_input":
            return naive_svm.input_separability(A, B)
        if self.order == "euclidean":
            return float(np.linalg.norm(sum(A) / len(A) - sum(B) / len(B)))
        return naive_svm.separability(A, B, K)

    def steps(self):
        """Yield (classes left, the one that leaves, its nearest, whether others are as far)."""
        live = list(range(len(self.rows)))
        order = live if self.order == "natural" else naive_svm.peel_order(self.matrix)
        for first in order[:-1]:
            least = {i: min(self.matrix[i][j] for j in live if j != i) for i in live}
            near = min((j for j in live if j != first), key=lambda j: self.matrix[first][j])
            tied = [i for i in live if abs(least[i] - least[first]) <= 1e-9]
            yield live, first, near, tied
            live = [i for i in live if i != first]


def capital(text):
    return text[:1].upper() + text[1:]


def reasons(case, scene):
    peeling, found = Peeling(scene), []
    names = peeling.names
    if peeling.order == "groups":
        return between_groups(peeling) if case == "groups" else []
    for live, first, near, tied in peeling.steps():
        v = number(peeling.matrix[first][near])
        if peeling.order == "natural":
            kind, values = "natural", {"b": names[near], "v": v}
        elif len(live) == 2:
            kind, values = "two", {"v": v}
        elif len(tied) > 1:
            kind, values = "tied", {"tied": capital(join_names([names[c] for c in tied])), "v": v}
        else:
            c, d = min(combinations(live, 2), key=lambda pair: peeling.matrix[pair[0]][pair[1]])
            values = {"b": names[near], "v": v, "c": names[c], "d": names[d]}
            kind, values = "nearest", values | {"w": number(peeling.matrix[c][d])}
        found += [values] if kind == case else []
    return found


def between_groups(peeling):
    """At each node two groups by single linkage; the closest pair of classes between them."""
    found, waiting = [], [tuple(range(len(peeling.rows)))]
    while waiting:
        live = waiting.pop(0)
        if len(live) < 2:
            continue
        first, second = naive_svm.groups(peeling.matrix, live, min)
        pair = min(
            ((i, j) for i in first for j in second), key=lambda p: peeling.matrix[p[0]][p[1]]
        )
        a, b = (peeling.names[c] for c in pair)
        found.append({"a": a, "b": b, "v": number(peeling.matrix[pair[0]][pair[1]])})
        waiting += [first, second]
    return found


def same_centre(scene):
    peeling, found = Peeling(scene), []
    for live, *_ in peeling.steps():
        zero = [p for p in combinations(live, 2) if peeling.matrix[p[0]][p[1]] == 0]
        if zero:
            c, d = (peeling.names[k] for k in zero[0])
            found.append({"c": capital(c), "d": d})
    return found


def single_rows(scene):
    peeling, found = Peeling(scene), []
    for live, *_ in peeling.steps():
        alone = [c for c in live if len(peeling.rows[c]) == 1]
        found += [{"name": capital(peeling.names[c])} for c in alone[:3]]
    return found


def unfinished(scene):
    most = settings(scene).get("max_iter", 10**6)
    return [{"n": number(most)}] * (len(Peeling(scene).rows) - 1) if most < 3 else []


def compared(link):
    if link == SMALL:
        return []
    with patch.object(details, "show"):
        return drawn("ui.growth.details", details._orders_compared, Work(selected(link)), "light")


def one_row(link):
    if link == SMALL:
        return []
    divided = Work(selected(link)).first.division
    rows = divided.held_out_rows if len(divided.held_out_rows) else divided.train_rows
    return [{"point": percent(1 / len(rows))}]


def at(made, text, told, twin, true, never):
    return Kind(GROWTH + made, text, told, twin, tuple(true), never)


def iris(more="", data="iris"):
    return f"data={data}&m=svm_tree&m.sigma={SIGMA}&m.scaling=none&m.C=1{more}"


def corners(e):
    """Three classes that no rule can tell apart but by their numbers."""
    return tuple((name, tuple(tuple((1 + s) if i == k else 0.0 for i in range(3)) for s in (-e, e)))
                 for k, name in enumerate("abc"))  # fmt: skip


LINE = tuple((name, ((x - 0.1, 0.0), (x + 0.1, 0.1))) for name, x in zip("abcd", (0, 1, 5, 6.5),
                                                                        strict=True))  # fmt: skip
ONE_ROW = (("a", ((0.0, 0.0), (0.2, 0.1))), ("b", ((2.0, 0.0),)), ("c", ((5.0, 1.0), (5.5, 1.2))))
CENTRED = (("a", ((-1.0, 0.0), (1.0, 0.0))), ("b", ((-2.0, 0.0), (2.0, 0.0))),
           ("c", ((5.0, 1.0), (6.0, 1.5))))  # fmt: skip


def waves(seed, sigma="1.5&m.scaling=none"):
    return f"data=waveform&n_samples=150&m=svm_tree&seed={seed}&m.C=1&m.sigma={sigma}"


SMALL = "data=iris&m=cart"
FEW = (iris(), iris("&m.order=separability_input"), iris("&m.order=euclidean"))
TIED = tuple((corners(e), ()) for e in (0.1, 0.2, 0.3))
ROWS = [
    at("machines.py::_reason", "Its nearest rival", steps, partial(reasons, "nearest"), FEW,
       iris("&m.order=natural")),
    at("machines.py::_reason", "Two classes are left", steps, partial(reasons, "two"), FEW,
       iris("&m.order=natural")),
    at("machines.py::_reason", "in their given order", steps, partial(reasons, "natural"),
       (iris("&m.order=natural"), (LINE, (("order", "natural"),)),
        (ONE_ROW, (("order", "natural"),))), FEW[0]),
    at("machines.py::_reason", "Between the groups", steps, partial(reasons, "groups"),
       (iris("&m.order=groups"), (LINE, (("order", "groups"),)),
        (corners(0.1)[:2], (("order", "groups"),))), FEW[0]),
    at("machines.py::_reason", "tie at {v}", steps, partial(reasons, "tied"), TIED, FEW[0]),
    at("machines.py::_warnings", "have the same centre", steps, same_centre,
       tuple((CENTRED, (("kernel", "linear"), ("order", order))) for order in
             ("euclidean", "separability_input", "separability")), FEW[0]),
    at("machines.py::_warnings", "has a single row", steps, single_rows,
       ((ONE_ROW, ()), (ONE_ROW, (("order", "natural"),)), (ONE_ROW, (("order", "euclidean"),))),
       FEW[0]),
    at("machines.py::_warnings", "before it was optimal", steps, unfinished,
       (iris("&m.max_iter=1"), iris("&m.max_iter=1&seed=2"), iris("&m.max_iter=1&held=0.5")),
       FEW[0]),
    at("details.py::_orders_compared", "One row is {point}", compared, one_row,
       ("data=iris&m=svm_tree", waves(1), iris("&held=0", "blobs")), SMALL),
]  # fmt: skip
