"""Statements about changes to a grown tree: every row goes down the tree as it is at that step."""

from urllib.parse import parse_qsl

import numpy as np

from lastviz.plots import number
from lastviz.tree import Action, Reason
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.figures import plane_of
from lastviz.ui.shared.model_view import ensemble_view
from lastviz.ui.shared.report import model_section
from tests import naive
from tests.sentences.of_growth import WORDS, Grown, steps
from tests.sentences.of_the_rest import beyond_twelve, hidden_classes
from tests.sentences.of_work import at, hints
from tests.sentences.rows import Kind, count, selected

LEAF = "leaf"
TAILS, DEVIATES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4), (4, 3.09, 2.58, 2.33, 1.65, 1.28,
                                                                   0.84, 0.25)  # fmt: skip


class Changing(Grown):
    """A tree after its growth, change by change: its splits, and what has gone."""

    def __init__(self, link):
        super().__init__(link)
        tree = self.tree
        axis = np.eye(tree.n_features)
        inner = [node for node in range(tree.n_nodes) if tree.n_children[node]]
        self.splits = {n: (axis[tree.feature[n]], float(tree.threshold[n])) for n in inner}
        self.gone = {}  # a node -> "leaf", or the child that took its place

    def child(self, node, x):
        weights, threshold = self.splits[node]
        return int(self.tree.first_child[node]) + int(weights @ x > threshold)

    def way(self, x, node=0):
        """Yield the nodes that a row goes through, from one on."""
        while True:
            gone = self.gone.get(node)
            if gone is None or gone == LEAF:
                yield node
            if gone == LEAF or (gone is None and not self.tree.n_children[node]):
                return
            node = self.child(node, x) if gone is None else gone

    def rows_now(self, node):
        return [row for row in self.train if node in self.way(self.values[row])]

    def labels(self):
        """The most frequent class of each leaf as it is now; of equals the one that it had."""
        ends = {}
        for row in self.train:
            ends.setdefault([*self.way(self.values[row])][-1], []).append(self.y[row])
        found = {}
        for node, ys in ends.items():
            counts, own = np.bincount(ys, minlength=len(self.names)), self.tree.prediction[node]
            found[node] = int(own if counts[own] == counts.max() else counts.argmax())
        return found

    def predicted(self, row, node, labels):
        end = [*self.way(self.values[row], node)][-1]
        return labels.get(end, int(self.tree.prediction[end]))

    def expected(self, node, rows, limits):
        """Expected errors of a subtree if it held these rows; inner nodes split them on."""
        gone = self.gone.get(node)
        if gone is not None and gone != LEAF:
            return self.expected(gone, rows, limits)
        if gone == LEAF or not self.tree.n_children[node]:
            n = len(rows)
            wrong = n - max(np.bincount(self.y[rows]), default=0) if n else 0
            return wrong + naive.add_errors(n, wrong, *limits) if n else 0.0
        parts = {int(child): [] for child in self.tree.children(node)}
        for row in rows:
            parts[self.child(node, self.values[row])].append(row)
        return sum(self.expected(child, part, limits) for child, part in parts.items())

    def changes(self):
        """Yield each change before it is made."""
        for event in range(self.log.n_growth_events, len(self.log.node)):
            node, action = int(self.log.node[event]), Action(int(self.log.action[event]))
            yield event, node, action, Reason(int(self.log.reason[event]))
            if action == Action.REFIT:
                self.splits[node] = self.new_split(event)
            elif action == Action.RAISE:
                self.gone[node] = int(self.log.branch[event])
            else:
                self.gone[node] = LEAF

    def new_split(self, event):
        split = self.log.splits[int(self.log.branch[event])]
        weights = getattr(split, "weights", None)
        if weights is None:
            weights = np.eye(self.tree.n_features)[split.feature]
        return np.asarray(weights), float(split.threshold)


def sum_of(look, weights, threshold):
    """A hyperplane in words: the three heaviest features, the first with the weight one."""
    order = sorted(np.flatnonzero(weights), key=lambda f: -abs(weights[f]))
    text = ""
    for place, feature in enumerate(order[:3]):
        sign = "− " if weights[feature] < 0 else "+ " if place else ""
        size = abs(weights[feature])
        shown = "" if size == 1 else f"{number(float(f'{size:.3g}'))} "
        text += f" {sign}{shown}{look.tree.feature_names[feature]}"
    more = " + …" if len(order) > 3 else ""
    return f"{text.strip()}{more} ≤ {number(float(f'{threshold:.4g}'))}"


def refits(link):
    look, found = Changing(link), []
    for event, node, action, _ in look.changes():
        if action != Action.REFIT:
            continue
        labels, rows = look.labels(), look.rows_now(node)
        kids = [int(look.tree.first_child[node]) + k for k in (0, 1)]
        right = [[look.predicted(r, kid, labels) == look.y[r] for kid in kids] for r in rows]
        (old, a), (new, b) = look.splits[node], look.new_split(event)
        before = sum(not r[int(old @ look.values[i] > a)] for i, r in zip(rows, right, strict=True))
        after = sum(not r[int(new @ look.values[i] > b)] for i, r in zip(rows, right, strict=True))
        found.append({
            "node": node, "rows": count(len(rows), "row", "rows"),
            "split": sum_of(look, new, b),
            "score": number(float(before - after)),
            "care": number(sum(one != other for one, other in right)),
        })  # fmt: skip
    return found


def raises(reason, link):
    look, found = Changing(link), []
    confidence = float(dict(parse_qsl(link)).get("m.confidence", 0.25))
    limits = confidence, float(np.interp(confidence, TAILS, DEVIATES))
    for event, node, action, why in look.changes():
        if action != Action.RAISE or why != reason:
            continue
        rows, branch = look.rows_now(node), int(look.log.branch[event])
        values = {"branch": branch, "node": node, "rows": count(len(rows), "row", "rows")}
        if reason == Reason.BRANCH_ESTIMATE:
            saved = look.expected(node, rows, limits) - look.expected(branch, rows, limits)
            values["score"] = number(float(saved))
        else:
            assert all(look.child(node, look.values[row]) == branch for row in rows)
        found.append(values)
    return found


# What a report says of a forest, and columns of text


def forest_texts(link):
    if link is None:
        return []
    selection = selected(link)
    view = ensemble_view(Work(selection).first, plane_of(Work(selection), alone=True))
    blocks = model_section(Work(selection).first, view, []).blocks
    return [block.text for block in blocks if type(block).__name__ == "Text"]


def trees_counted(link):
    if link is None:
        return []
    selection = selected(link)
    n = len(
        ensemble_view(
            Work(selection).first, plane_of(Work(selection), alone=True)
        ).estimator.estimators_
    )
    return [{"n": "one tree" if n == 1 else f"{number(n)} trees"}]


def two_columns(first, second):
    lines = [f"{a};{b};{'uv'[i % 2]}" for i, (a, b) in enumerate(zip(first, second, strict=True))]
    return "\n".join(["a;b;class", *lines]) + "\n"


def thousands(text):
    """All numbers of the first column have three digits after a single mark."""
    cells = [line.split(";")[0] for line in text.splitlines()[1:]]
    marks = {next((m for m in ".," if m in c), "") for c in cells}
    one = len(marks) == 1 and "" not in marks
    doubtful = one and all(len(part) == 3 for c in cells for part in c.split(*marks)[1:])
    return [{"name": text.split(";")[0], "example": cells[0]}] if doubtful else []


def other_mark(text):
    """Columns of which all numbers have a mark that most numbers of the file do not have."""
    names, *rows = [line.split(";") for line in text.splitlines()]
    columns = dict(zip(names[:-1], zip(*(row[:-1] for row in rows), strict=True), strict=True))
    marks = [next(m for m in ".," if m in cell) for cells in columns.values() for cell in cells]
    rarer = min(".,", key=marks.count)
    return [{"name": name, "example": cells[0]} for name, cells in columns.items()
            if all(rarer in cell for cell in cells)]  # fmt: skip


def three_columns(*columns):
    rows = zip(*columns, ["u", "v"] * (len(columns[0]) // 2), strict=True)
    return "\n".join(["a;b;c;class", *(";".join(row) for row in rows)]) + "\n"


COMMAS, POINTS = ["1,5", "2,25", "0,75", "9,5"], ["1.5", "2.25", "0.75", "9.5"]


def crowd(n):
    """So many classes of two rows each, on a line."""
    points = tuple((f"c{k:02}", ((3.0 * k + k * k / 9, 0.0), (3.0 * k + k * k / 9 + 0.5, 1.0)))
                   for k in range(n))  # fmt: skip
    return points, (("order", "euclidean"),)


CARE = ("data=moons&noise=0.4&n_samples=100&m=tao", "data=iris&m=tao",
        "data=xor&n_samples=100&m=tao")  # fmt: skip
RAISED = ("data=gauss_2d&held=0.8&m=c45", "data=breast_cancer&m=c45&m.confidence=0.05",
          "data=threenorm&n_samples=300&m=c45&m.confidence=0.05")  # fmt: skip
ONE_SIDE = ("data=wine&m=tao&seed=2", "data=breast_cancer&m=tao&seed=2",
            "data=twonorm&n_samples=300&m=tao&seed=3")  # fmt: skip
FOREST = "data=monotone&n_samples=60&m="
ROWS = [
    Kind(f"{WORDS}_refitted", "exactly one branch", steps, refits, CARE, "data=iris&m=cart"),
    Kind(f"{WORDS}_raised", "estimated errors saved", steps,
         lambda link: raises(Reason.BRANCH_ESTIMATE, link), RAISED, "data=iris&m=cart"),
    Kind(f"{WORDS}_raised", "the predictions stay", steps,
         lambda link: raises(Reason.ONE_SIDE, link), ONE_SIDE, "data=iris&m=cart"),
    Kind(f"{WORDS}player_words", "Classes not shown here", hidden_classes, beyond_twelve,
         (crowd(13), crowd(14), crowd(16)), "data=iris&m=svm_tree"),
    at("ui/shared/report.py::model_section", "decide together", forest_texts, trees_counted,
       (f"{FOREST}mcdf", f"{FOREST}adaboost_m1", f"{FOREST}mcdf&seed=2"), None),
    at("tables/columns.py::_number_or_code", "between thousands", hints, thousands,
       (two_columns(["1.234", "2.345"] * 4, ["1,5", "2,25"] * 4),
        two_columns(["10.500", "9.999"] * 4, ["0,5", "7,25"] * 4),
        two_columns(["3.000", "4.125"] * 4, ["0,1", "0,25"] * 4)),
       two_columns(["1.5", "2.25"] * 4, ["1", "2"] * 4)),
    at("tables/hints.py::hints_of_names", "with another decimal mark", hints, other_mark,
       (three_columns(COMMAS, POINTS, POINTS), three_columns(COMMAS, POINTS, COMMAS),
        three_columns(POINTS, POINTS, COMMAS)), three_columns(POINTS, POINTS, POINTS)),
]  # fmt: skip
