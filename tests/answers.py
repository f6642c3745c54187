"""What every model answers about every kind of row, by every way out: docs/answers.md.

``python -m tests.answers`` writes that page. What is right is said by a slow walk through trees,
one row at a time, that follows the rule of :class:`lastviz.tree.Missing` word for word; a way out
gives the same answers or refuses the rows in a sentence.
"""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnxruntime
import pandas as pd
import playwright
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import lastviz as lv
from lastviz.export import as_function, as_onnx, as_sql, model_as_json, model_from_json
from lastviz.export.tree_json import live_tree
from lastviz.inspection import explain, nearest, stability
from lastviz.inspection.resampling import resampled_rows
from lastviz.tree import Kind, Missing, Tree
from lastviz.ui.shared.new_table import add_predictions

PAGE = Path(__file__).parents[1] / "docs" / "answers.md"
LIVE = Path(__file__).parents[1] / "lastviz" / "export" / "live.js"
NODE = Path(playwright.__file__).parent / "driver" / "node"
N = 8  # rows of each kind
NOTHING = "no answer"
EQUAL = "equal"
ELSEWHERE = "–"
BIG = 2**53

# ---------------------------------------------------------------------------- models


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted model and its training data; classes are 0, 1, ..., as the app has them."""

    model: object
    X: pd.DataFrame
    y: np.ndarray

    @property
    def trees(self) -> list[Tree]:
        return [one.tree_ for one in getattr(self.model, "estimators_", [self.model])]

    @property
    def tree(self) -> Tree:
        """The one tree of the model; a way out that holds one refuses a forest."""
        if hasattr(self.model, "estimators_"):
            raise ValueError("a forest decides by many trees")
        return self.model.tree_


def numbers(n: int = 160) -> tuple[pd.DataFrame, np.ndarray]:
    """Three columns that decide, and one that no test can ask for."""
    rng = np.random.default_rng(4)
    X = pd.DataFrame(rng.normal(size=(n, 3)).round(2), columns=["x1", "Age", "order"])
    X["steady"] = 1.0
    y = (X.x1 > 0).astype(int) ^ (X.Age > 0.3) | ((X.order > 1) & (X.x1 < 0))
    return X, y.to_numpy(dtype=np.intp)


def words(n: int = 160) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers beside names."""
    X, y = numbers(n)
    rng = np.random.default_rng(5)
    X.insert(1, "Sky", rng.choice(["grey", "it's blue", "red"], n).astype(object))
    return X, np.where(X.Sky == "red", 1 - y, y)


def ordered(n: int = 160) -> tuple[pd.DataFrame, np.ndarray]:
    """Classes that rise with the numbers, but for noise."""
    rng = np.random.default_rng(6)
    X = pd.DataFrame(rng.random((n, 3)).round(2), columns=["x1", "Age", "order"])
    X["steady"] = 1.0
    return X, np.digitize(X.sum(axis=1) + 0.3 * rng.normal(size=n), [2.2, 2.8])


def gaps(given: tuple[pd.DataFrame, np.ndarray]) -> tuple[pd.DataFrame, np.ndarray]:
    """The same with holes."""
    X, y = given
    holes = np.random.default_rng(7).random(X.shape) < 0.15
    holes[:, X.columns.get_loc("steady")] = False
    return X.mask(holes), y


def nanoseconds() -> tuple[pd.DataFrame, np.ndarray]:
    """Whole numbers of which double precision keeps every 256th."""
    rng = np.random.default_rng(8)
    X = pd.DataFrame({"at": 1_700_000_000_000_000_000 + rng.integers(0, 40_000, 160)})
    return X, (X["at"] % 20_000 > 9000).to_numpy(dtype=np.intp)


def plain_iris() -> tuple[pd.DataFrame, np.ndarray]:
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X.set_axis(["x1", "Age", "order", "width"], axis=1), y.to_numpy()


MODELS: dict[str, Callable[[], tuple[object, tuple[pd.DataFrame, np.ndarray]]]] = {
    "CART": lambda: (lv.CARTClassifier(), numbers()),
    "CART, names": lambda: (lv.CARTClassifier(), words()),
    "CART, names and gaps": lambda: (lv.CARTClassifier(), gaps(words())),
    "CART, nanoseconds": lambda: (lv.CARTClassifier(), nanoseconds()),
    "CART for numbers": lambda: (lv.CARTRegressor(max_depth=4), gaps(words())),
    "C4.5": lambda: (lv.C45Classifier(pruning="none"), numbers()),
    "C4.5, names and gaps": lambda: (lv.C45Classifier(pruning="none"), gaps(words())),
    "ID3": lambda: (lv.ID3Classifier(), (words()[0][["Sky"]], words()[1])),
    "Hybrid": lambda: (lv.HybridTreeClassifier(), numbers()),
    "Optimal tree": lambda: (lv.OptimalTreeClassifier(), numbers()),
    "TAO": lambda: (lv.TAOClassifier(), numbers()),
    "OC1": lambda: (lv.OC1Classifier(n_restarts=1, random_state=0), numbers()),
    "GSODT": lambda: (lv.GSODTClassifier(), numbers()),
    "SVM tree": lambda: (lv.SVMTreeClassifier(sigma="scale", C=1.0), plain_iris()),
    "REMT": lambda: (lv.REMTClassifier(), ordered()),
    "REMT, envelope": lambda: (lv.REMTClassifier(monotone=True), ordered()),
    "MCDF": lambda: (lv.MCDFClassifier(random_state=0), ordered()),
    "MCDF, envelopes": lambda: (lv.MCDFClassifier(random_state=0, monotone=True), ordered()),
    "AdaBoost.M1": lambda: (lv.AdaBoostM1Classifier(n_estimators=4), ordered()),
    "Monotone boosting": lambda: (lv.MonotoneBoostingClassifier(max_iter=6), ordered()),
    "scikit-learn's tree": lambda: (DecisionTreeClassifier(random_state=0), gaps(numbers())),
    "scikit-learn's forest": lambda: (
        RandomForestClassifier(5, random_state=0), gaps(numbers()),
    ),
}  # fmt: skip


@cache
def fitted(name: str) -> Fitted:
    model, (X, y) = MODELS[name]()
    with warnings.catch_warnings():  # that nanoseconds are rounded
        warnings.simplefilter("ignore", UserWarning)
        model.fit(X, y)
    return Fitted(
        lv.from_sklearn(model) if type(model).__module__.startswith("sklearn") else model, X, y
    )


# ---------------------------------------------------------------------------- what is right


def value_of(tree: Tree, feature: int, given: object) -> object:
    """A value as the rule reads it: a number in double precision, a category, None if missing."""
    if given is None or given is pd.NA or given != given:
        return None
    if tree.feature_categories[feature] is None:
        return float(given)
    return given.item() if hasattr(given, "item") else given


def asked_at(tree: Tree, node: int) -> list[int]:
    if tree.kind[node] == Kind.KERNEL:
        return list(range(tree.n_features))
    if tree.kind[node] == Kind.OBLIQUE:
        return np.flatnonzero(tree.oblique.weights[tree.split_row[node]]).tolist()
    return [int(tree.feature[node])]


def walk(tree: Tree, row: list[object], node: int = 0, weight: float = 1.0) -> list[tuple] | None:
    """The parts of a row and the nodes where they end; None: no answer."""
    children = list(tree.children(node))
    if not children:
        return [(node, weight)]
    values = [row[f] for f in asked_at(tree, node)]
    branch, unknown = None, any(value is None for value in values)
    if unknown:
        if tree.missing == Missing.REFUSE:
            return None
        if tree.missing == Missing.BRANCH:
            branch = int(tree.missing_branch[node])
        if tree.missing == Missing.MAJORITY:
            held = [int(tree.n_node_samples[child]) for child in children]
            branch = max(range(len(held)), key=lambda k: (held[k], k))
    elif tree.kind[node] == Kind.KERNEL:
        f = tree.kernel.decide(np.array([row], dtype=float))[0, tree.split_row[node]]
        branch = 0 if f > 0 else 1
    elif tree.kind[node] == Kind.OBLIQUE:
        total, line = 0.0, int(tree.split_row[node])
        for f in asked_at(tree, node):
            total += row[f] * float(tree.oblique.weights[line, f])
        branch = 0 if total <= tree.oblique.threshold[line] else 1
    elif tree.kind[node] == Kind.THRESHOLD:
        branch = 0 if values[0] <= tree.threshold[node] else 1
    else:
        known = list(tree.feature_categories[tree.feature[node]])
        code = known.index(values[0]) if values[0] in known else -1
        branch = int(tree.categories.branch[tree.split_row[node], code]) if code >= 0 else -1
    if branch is not None and branch >= 0:
        return walk(tree, row, children[branch], weight)
    if tree.missing != Missing.FRACTIONS:
        return [(node, weight)]
    parts = []
    for child in children:
        if tree.branch_weight[child] > 0:
            parts += walk(tree, row, child, weight * float(tree.branch_weight[child]))
    return parts


def path_of(tree: Tree, row: list[object]) -> set[int]:
    """The features that tests on the paths of a row ask for."""
    ends = walk(tree, row) or [(0, 1.0)]
    above = {node for end, _ in ends for node in tree.path(end)[:-1]}
    return {f for node in above for f in asked_at(tree, node)}


def right_answer(here: Fitted, given: list[object]) -> object:
    """What the rule says of one row: a class, a number, or None."""
    trees = here.trees
    row = [value_of(trees[0], f, value) for f, value in enumerate(given)]
    if any(isinstance(v, float) and abs(v) == np.inf for v in row):
        return None
    ends = [walk(tree, row) for tree in trees]
    if any(end is None for end in ends):
        return None
    shares = [shares_at(tree, parts) for tree, parts in zip(trees, ends, strict=True)]
    if getattr(here.model, "decision_", "") == "shares":
        mean = [sum(each) / len(each) for each in zip(*shares, strict=True)]
        return trees[0].classes[mean.index(max(mean))].item()
    if len(trees) > 1 or getattr(here.model, "monotone", False):
        # How trees decide together tests of them show; here it is asked of a plain row. What it
        # lacks no test on its path asks for.
        plain = [0.0 if value is None else value for value in row]
        frame = pd.DataFrame([plain], columns=here.X.columns).astype(float)
        return here.model.predict(frame)[0].item()
    (tree,), (parts,) = trees, ends
    if tree.is_regression:
        return sum(weight * float(tree.prediction[node]) for node, weight in parts)
    if len(parts) == 1:
        return tree.classes[tree.prediction[parts[0][0]]].item()
    most = max(shares[0])
    best = next(k for k, share in enumerate(shares[0]) if share >= most - 1e-12)
    return tree.classes[best].item()


def shares_at(tree: Tree, parts: list[tuple]) -> list[float]:
    """The class shares where a row ends; a node without rows has all of what it predicts."""
    shares = [0.0] * len(tree.classes)
    for node, weight in parts:
        held = tree.value[node].tolist()
        alone = [float(k == tree.prediction[node]) for k in range(len(held))]
        mine = [v / sum(held) for v in held] if sum(held) else alone
        shares = [a + weight * b for a, b in zip(shares, mine, strict=False)]
    return shares


# ---------------------------------------------------------------------------- kinds of rows

State = Callable[[Fitted], pd.DataFrame | None]


def whole(here: Fitted) -> pd.DataFrame:
    """Some training rows without gaps."""
    return here.X.dropna().iloc[: 3 * N : 3].reset_index(drop=True)


def rows_of(frame: pd.DataFrame) -> list[list[object]]:
    return [[frame[c].iloc[i] for c in frame] for i in range(len(frame))]


def changed(
    here: Fitted, choose: Callable[[list[object], int], tuple[int, object] | None]
) -> pd.DataFrame | None:
    """Those of the whole rows in which one value can be another, with that value."""
    frame, kept = whole(here).astype(object), []
    for i, row in enumerate(rows_of(whole(here))):
        found = choose(row, i)
        if found is not None:
            frame.iloc[i, found[0]] = found[1]
            kept.append(i)
    if not kept:
        return None
    numbers_held = {c: here.X[c].dtype for c in here.X if here.X[c].dtype.kind == "f"}
    return frame.iloc[kept].reset_index(drop=True).astype(numbers_held)


def on_path(here: Fitted, row: list[object]) -> list[int]:
    known = [value_of(here.trees[0], f, value) for f, value in enumerate(row)]
    return sorted(set().union(*(path_of(tree, known) for tree in here.trees)))


def numeric(here: Fitted, features: list[int]) -> list[int]:
    return [f for f in features if here.trees[0].feature_categories[f] is None]


def gap_on_path(here: Fitted) -> pd.DataFrame | None:
    def choose(row, i):
        path = on_path(here, row)
        return path[i % len(path)], np.nan

    return changed(here, choose)


def gap_off_path(here: Fitted) -> pd.DataFrame | None:
    def choose(row, i):
        left = sorted({*range(len(row))} - {*on_path(here, row)})
        asked = {
            f for t in here.trees for n in np.flatnonzero(t.n_children) for f in asked_at(t, n)
        }
        left = [f for f in left if f in asked] or left
        return (left[i % len(left)], np.nan) if left else None

    return changed(here, choose)


def unseen(here: Fitted) -> pd.DataFrame | None:
    known = here.trees[0].feature_categories
    nominal = [f for f, each in enumerate(known) if each is not None]
    return changed(here, lambda row, i: (nominal[0], "green")) if nominal else None


def on_threshold(here: Fitted) -> pd.DataFrame | None:
    def choose(row, i):
        cuts = []
        for tree in here.trees:
            node = 0
            while tree.kind[node] == Kind.THRESHOLD:
                f, cut = int(tree.feature[node]), float(tree.threshold[node])
                cuts.append((f, cut))
                node = int(tree.first_child[node]) + int(not row[f] <= cut)
        return cuts[i % len(cuts)] if cuts else None

    return changed(here, choose)


def infinite(here: Fitted) -> pd.DataFrame | None:
    def choose(row, i):
        path = numeric(here, on_path(here, row))
        return (path[i % len(path)], np.inf if i % 2 else -np.inf) if path else None

    return changed(here, choose)


def beyond(here: Fitted) -> pd.DataFrame | None:
    """Whole numbers about a threshold that lies beyond 2^53, or about 2^53 itself."""
    tree = here.trees[0]
    columns = numeric(here, list(range(tree.n_features)))
    if not columns:
        return None
    cuts = tree.threshold[np.isfinite(tree.threshold)]
    middle = [int(cut) for cut in cuts if cut > BIG] or [BIG]
    near = [m + d for m in middle for d in (-129, -128, -127, -1, 0, 1, 2, 127, 128, 129)]
    frame = whole(here).iloc[np.arange(len(near)) % N].reset_index(drop=True)
    for k, f in enumerate(columns):
        frame.isetitem(f, np.array(near[k:] + near[:k], dtype=np.int64))
    return frame


def as_type(change: Callable[[pd.Series], pd.Series]) -> State:
    """Whole rows whose numbers are of another type."""

    def rows(here: Fitted) -> pd.DataFrame | None:
        frame = whole(here)
        columns = numeric(here, list(range(frame.shape[1])))
        return frame.assign(**{frame.columns[f]: change(frame.iloc[:, f]) for f in columns})

    return rows


STATES: dict[str, State] = {
    "whole": whole,
    "a gap on the path": gap_on_path,
    "a gap elsewhere": gap_off_path,
    "a new category": unseen,
    "on a threshold": on_threshold,
    "infinite": infinite,
    "whole numbers beyond 2^53": beyond,
    "single precision": as_type(lambda column: column.astype(np.float32)),
    "integers": as_type(lambda column: column.round().astype(np.int64)),
    "truth values": as_type(lambda column: column > column.median()),
    "numbers as texts": as_type(lambda column: column.astype(str)),
    "nullable columns": as_type(lambda column: column.convert_dtypes()),
    "categorical columns": as_type(lambda column: column.astype("category")),
}

# ---------------------------------------------------------------------------- ways out


class Refused(Exception):
    """All rows are refused, in a sentence."""


@cache
def written(form: Callable[[object], str | bytes], model: object) -> str | bytes:
    """A model in a form, written once."""
    return form(model)


def by_predict(here: Fitted, rows: pd.DataFrame) -> list[object]:
    return here.model.predict(rows).tolist()


def by_scored_rows(here: Fitted, rows: pd.DataFrame) -> list[object]:
    model = here.model
    numbers_learnt = here.trees[0].is_regression
    classes = () if numbers_learnt else tuple(range(len(model.classes_)))
    about = SimpleNamespace(is_regression=numbers_learnt, class_order=classes)
    said = add_predictions(pd.DataFrame(index=rows.index), model, rows, about)["prediction"]
    return said.tolist() if numbers_learnt else [int(each) for each in said]


def by_explain(here: Fitted, rows: pd.DataFrame) -> list[object]:
    found = []
    for i in range(len(rows)):
        row = rows.iloc[[i]]
        if hasattr(here.model, "estimators_"):
            found.append(
                explain(here.model, row.to_numpy(dtype=float, na_value=np.nan)[0]).decision
            )
        else:
            found.append(explain(here.model, row).prediction)
    return found


def by_counterfactual(here: Fitted, rows: pd.DataFrame) -> list[object]:
    """The class at distance 0 from a row is its own."""
    if hasattr(here.model, "estimators_"):
        return []
    found = []
    given = rows.copy()
    for f, known in enumerate(here.trees[0].feature_categories):
        if known is not None:
            codes = {value: code for code, value in enumerate(known)}
            given.isetitem(f, [codes.get(v, np.nan if v != v else -1.0) for v in rows.iloc[:, f]])
    matrix = given.to_numpy(dtype=float, na_value=np.nan)
    for x in matrix:
        if here.trees[0].is_regression:
            nearest(here.model, x, 0)
        flips = [nearest(here.model, x, k, rows=matrix) for k in range(len(here.model.classes_))]
        found += [k for k, flip in enumerate(flips) if flip.distance == 0.0][:1] or [None]
    return found


def by_stability(here: Fitted, rows: pd.DataFrame) -> list[object]:
    """The first refit votes at rows as it predicts them; the answer is then the model's."""
    place = here.model.encode(rows)
    X = here.X.copy()
    for f, known in enumerate(here.tree.feature_categories):
        if known is not None:
            X.isetitem(f, pd.Categorical(X.iloc[:, f], categories=known))
    kept = next(stability(here.model, X, here.y, 1, at=place, random_state=3))
    votes = here.model.classes_[kept.place_votes.argmax(axis=1)]
    agrees = votes == refit_of(here).predict(rows)
    answers = zip(by_predict(here, rows), agrees, strict=True)
    return [answer if same else ("other than the refit", answer) for answer, same in answers]


@cache
def refit_of(here: Fitted) -> object:
    """The model again, on the rows that the first refit draws."""
    drawn = resampled_rows(len(here.X), 0, 3)
    return type(here.model)(**here.model.get_params()).fit(here.X.iloc[drawn], here.y[drawn])


def by_python(here: Fitted, rows: pd.DataFrame) -> list[object]:
    names: dict[str, object] = {}
    exec(written(as_function, here.tree), names)
    return [names["predict"](dict(zip(rows, row, strict=True))) for row in rows_of(rows)]


def by_sqlite(here: Fitted, rows: pd.DataFrame) -> list[object]:
    base = sqlite3.connect(":memory:")
    rows.to_sql("samples", base, index=False)
    return [row[0] for row in base.execute(f"SELECT {written(as_sql, here.tree)} FROM samples")]


def by_duckdb(here: Fitted, rows: pd.DataFrame) -> list[object]:
    import duckdb

    base = duckdb.connect()
    base.register("samples", rows)
    try:
        found = base.execute(f"SELECT {written(as_sql, here.tree)} FROM samples").fetchall()
    except duckdb.BinderException as error:
        if not re.search(r"Cannot mix values of type (BOOLEAN|VARCHAR) and DOUBLE", str(error)):
            raise
        raise Refused("DuckDB compares no texts and truth values with numbers") from None
    return [row[0] for row in found]


def by_onnx(here: Fitted, rows: pd.DataFrame) -> list[object]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    session = onnxruntime.InferenceSession(written(as_onnx, here.model), options)
    codes = rows.copy()
    for f, known in enumerate(here.trees[0].feature_categories):
        if known is not None:
            place = {value: float(code) for code, value in enumerate(known)}
            codes.isetitem(f, [np.nan if v != v else place.get(v, -1.0) for v in rows.iloc[:, f]])
    X = np.ascontiguousarray(codes.to_numpy(dtype=np.float64, na_value=np.nan))
    return session.run(None, {"X": X})[0].tolist()


def by_json(here: Fitted, rows: pd.DataFrame) -> list[object]:
    return model_from_json(written(model_as_json, here.model)).predict(rows).tolist()


def by_scikit_learn(here: Fitted, rows: pd.DataFrame) -> list[object]:
    given, kinds = here.X, {dtype.kind for dtype in rows.dtypes}
    if kinds == {"f"} and np.isfinite(rows.to_numpy()).all():
        given = pd.concat([given, rows])
    return lv.to_sklearn(here.model, given).predict(rows).tolist()


def by_offline_page(here: Fitted, rows: pd.DataFrame) -> list[object]:
    tree = here.tree
    if getattr(here.model, "monotone", False):
        raise Refused("the page has no field for rows")
    written = live_tree(tree, "", [] if tree.is_regression else tree.classes.tolist(),
                        [""] * tree.n_features)  # fmt: skip
    typed = [[_typed(v) for v in row] for row in rows_of(rows)]
    run = (
        LIVE.read_text("utf-8")
        + f"""
    const tree = {json.dumps(written)};
    const said = {json.dumps(typed)}.map((texts) => {{
      const number = (text) => text === "" ? NaN : Number(text);
      const row = texts.map((text, f) => tree.categories[f] ? text : number(text));
      const wrong = row.findIndex((v, f) => !tree.categories[f] && texts[f] && !Number.isFinite(v));
      if (wrong >= 0 && tree.asked.includes(wrong)) return null;
      const found = followed(tree, row, new Set());
      return found.lacks !== undefined ? null : outcomeOf(tree, found.ends);
    }});
    console.log(JSON.stringify(said));
    """
    )
    done = subprocess.run([NODE, "-"], input=run, capture_output=True, text=True, check=True)
    read = float if tree.is_regression else int
    return [None if text is None else read(text) for text in json.loads(done.stdout)]


def _typed(value: object) -> str:
    """What a reader types for a value."""
    if value is None or value is pd.NA or value != value:
        return ""
    if isinstance(value, str):
        return value
    return repr(int(value) if isinstance(value, bool | np.bool_ | np.integer) else float(value))


WAYS: dict[str, Callable[[Fitted, pd.DataFrame], list[object]]] = {
    "`predict`": by_predict,
    "scored rows": by_scored_rows,
    "one row, `explain`": by_explain,
    "counterfactual": by_counterfactual,
    "`stability`": by_stability,
    "Python": by_python,
    "SQL": by_sqlite,
    "ONNX": by_onnx,
    "JSON": by_json,
    "`to_sklearn`": by_scikit_learn,
    "offline page": by_offline_page,
}

# ---------------------------------------------------------------------------- the table


def same(said: object, right: object) -> bool:
    if isinstance(right, float) and isinstance(said, int | float):
        return abs(said - right) <= 1e-9 * max(abs(right), 1.0)
    return type(said) is not tuple and said == right


def sentence_of(error: Exception) -> str:
    """The first sentence of a refusal; of onnxruntime the name of the node that refuses."""
    text = " ".join(str(error).split())
    node = re.search(r"Name:'(.*?)' Status", text)
    return node[1] if node else re.split(r"(?<=[a-z0-9])[.;] ", text)[0].removesuffix(".")


def cell(here: Fitted, rows: pd.DataFrame, right: list[object], way: Callable) -> str:
    """What a way out makes of some rows: "equal", "no answer", a refusal, or what is wrong."""
    try:
        # scikit-learn adds infinities; refits round nanoseconds.
        with np.errstate(invalid="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            said = way(here, rows)
    except (ValueError, TypeError, AttributeError, Refused, *ENGINE_ERRORS) as error:
        return sentence_of(error)
    if not said:
        return ELSEWHERE
    wrong = [i for i in range(len(right)) if not same(said[i], right[i])]
    if wrong:
        i = wrong[0]
        return f"WRONG: {len(wrong)} of {len(right)}, row {i}: {said[i]!r} for {right[i]!r}"
    return NOTHING if right[0] is None else EQUAL


ENGINE_ERRORS = (onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument,)


def found_of(name: str, ways: dict[str, Callable] = WAYS) -> dict[str, list[str]]:
    """The cells of a model: of each kind of row, what each way out makes of it."""
    here, found = fitted(name), {}
    for state, make in STATES.items():
        rows = make(here)
        if rows is None:
            continue
        right = [right_answer(here, row) for row in rows_of(rows)]
        found[state] = [cell(here, rows, right, way) for way in ways.values()]
    return found


HEAD = """# Equal answers

For one fitted model there is one rule for every kind of row, and every way out follows it or
refuses the rows in a sentence.

- Numbers are read in double precision, whatever type they come in. Whole numbers beyond 2^53 are
  rounded, in training and afterwards alike; `fit` warns where that makes two of them one.
- A value of exactly the threshold goes to the first branch, as all smaller ones.
- An infinite number has no answer.
- A missing value matters only where a test on the row's own path asks for it. CART then sends the
  row down the branch that training chose, or where no training row lacked a value, down the one of
  most training rows; C4.5 divides it among the branches; all others have no answer.
- A category that training did not see is a missing value to C4.5. To CART and ID3 it ends the path:
  the node predicts.

The rule is kept in the tree (`tree_.missing`) and in its JSON; files of Python and SQL say it in
their first lines. `predict` and ONNX look at a table as a whole: one infinite value in any column,
or to models that take none a missing one, and they refuse it all. Python gives None and SQL NULL
to the row alone.

In the tables, **equal** is the answer of the rule, by a slow walk through the tree, **no answer**
is None, NULL or a sentence on the page, and a number is a refusal, listed at the end. Where there
is no row of a kind, such as a new category without categories, there is no line. Counterfactuals
of forests (–) are searched for seconds and have tests of their own. `python -m tests.answers`
makes this page; `tests/export/test_answers.py` finds that it is true.
"""


def page(cells: dict[str, dict[str, list[str]]]) -> str:
    """The page of the docs."""
    refusals: dict[str, int] = {}
    parts = [HEAD]
    for name, states in cells.items():
        lines = [
            f"## {name}",
            "",
            "| rows | " + " | ".join(WAYS) + " |",
            "|---" * (len(WAYS) + 1) + "|",
        ]
        for state, found in states.items():
            shown = [
                each
                if each in (EQUAL, NOTHING, ELSEWHERE)
                else f"[{refusals.setdefault(each, len(refusals) + 1)}]"
                for each in found
            ]
            lines.append(f"| {state} | " + " | ".join(shown) + " |")
        parts.append("\n".join(lines) + "\n")
    said = [f"{number}. {sentence}" for sentence, number in refusals.items()]
    parts.append("\n".join(["## Refusals", "", *said]) + "\n")
    return "\n".join(parts)


def read_page(text: str) -> dict[str, dict[str, list[str]]]:
    """The cells that a page lists."""
    said = dict(re.findall(r"^(\d+)\. (.*)$", text.split("## Refusals")[1], re.MULTILINE))
    cells: dict[str, dict[str, list[str]]] = {}
    for part in text.split("## Refusals")[0].split("\n## ")[1:]:
        name, *lines = part.splitlines()
        cells[name] = {}
        for line in lines[3:]:
            state, *found = (each.strip() for each in line.strip().strip("|").split("|"))
            if found:
                cells[name][state] = [
                    said[each[1:-1]] if each.startswith("[") else each for each in found
                ]
    return cells


if __name__ == "__main__":
    PAGE.write_text(
        page({name: found_of(name) for name in sys.argv[1:] or MODELS}), encoding="utf-8"
    )
