"""Statements about what fits: an algorithm and the data, a scene file, a model of the reader's."""

import hashlib
import io
import json
import zipfile
from functools import cache, partial
from types import SimpleNamespace

import numpy as np
import pandas as pd

from lastviz.datasets import Dataset
from lastviz.estimators import ESTIMATORS, CARTClassifier, CARTRegressor, SVMTreeClassifier
from lastviz.plots import number
from lastviz.ui.compute import availability, own_model, scene_file
from lastviz.ui.compute import data as compute_data
from lastviz.ui.compute.data import _fewer_rows
from lastviz.ui.state.selection import DEFAULT, Model
from lastviz.ui.text import CannotShow
from tests.sentences.rows import Kind

COMPUTE = "ui/compute/"
TITLES = {key: entry.title for key, entry in ESTIMATORS.items()}
READ_BY_WORDS = {"id3", "c45", "cart"}  # algorithms that read nominal columns as they are
READ_AS_INDICATORS = {"gsodt", "lsodt", "oc1", "cart_lc", "optimal", "tao"}
FORESTS = {"mcdf", "adaboost_m1", "monotone_boosting"}
LEARN_WITH_GAPS = ["C4.5", "CART"]


# An algorithm and the data


@cache
def table(n=60, words=0, different=9, gaps=0, columns=1):
    """Rows with a number of so many values and gaps, and columns of so many words each."""
    rng = np.random.default_rng(n + words)
    values = np.concatenate([np.arange(different), rng.integers(0, different, n)])[:n].astype(float)
    values[:gaps] = np.nan
    X = pd.DataFrame({"a": values})
    for place in range(columns if words else 0):
        drawn = np.concatenate([np.arange(words), rng.integers(0, words, n)])[:n]
        X[f"w{place}"] = [f"word {k}" for k in drawn]
    return X, pd.Series(np.where(np.arange(n) % 2, "u", "v"), name="class")


@cache
def dataset(**about):
    ordered = about.pop("ordered", False)
    X, y = table(**about)
    return Dataset(X, y, class_order=("u", "v"), ordered=ordered)


def obstacle(scene):
    key, params, about = scene
    entry = ESTIMATORS[key]
    found = availability.obstacle(entry, dataset(**dict(about)), params, allow_ensembles=not params)
    alone = availability.obstacle(entry, dataset(**dict(about)), params)
    return [*filter(None, {found, alone})]


def twin_of(condition):
    def twin(scene):
        key, params, about = scene
        found = condition(key, dict(params), *table(**{k: v for k, v in about if k != "ordered"}))
        return [] if found is None else [{"title": TITLES[key]} | found]

    return twin


def is_forest(key, params, X, y):
    return {} if key in FORESTS else None


def is_monotone(key, params, X, y):
    return {"option": "Truly monotone"} if params.get("monotone") else None


def words_of(X):
    return [c for c in X if c.startswith("w")]


def is_nominal(key, params, X, y):
    takes = key in READ_BY_WORDS | READ_AS_INDICATORS
    return None if takes or not words_of(X) else {"column": words_of(X)[0]}


def lacks(key, params, X, y):
    n = sum(value != value for value in X["a"])
    others = ", ".join(LEARN_WITH_GAPS)
    known = TITLES[key] in LEARN_WITH_GAPS
    return None if known or not n else {"column": "a", "n": number(n), "others": others}


def many_columns(key, params, X, y):
    n = sum(len(set(X[c])) for c in words_of(X))
    return {"most": 100, "n": n} if key in READ_AS_INDICATORS and n > 100 else None


def many_words(key, params, X, y):
    if key not in READ_BY_WORDS:
        return None
    for column in words_of(X):
        n = len(set(X[column]))
        if n > 1000:
            return {"column": column, "n": number(n), "most": number(1000)}
    return None


def many_branches(key, params, X, y):
    n = len(set(X["a"]))
    return {"column": "a", "n": number(n), "most": "20"} if key == "id3" and n > 20 else None


def as_indicators(scene):
    key, _, about = scene
    return [*filter(None, [availability.reading(ESTIMATORS[key], dataset(**dict(about)))])]


def indicators(key, params, X, y):
    if key not in READ_AS_INDICATORS or not words_of(X):
        return None
    shown = _and([f"“{c}”" for c in words_of(X)])
    n = sum(len(set(X[c])) for c in words_of(X))
    first = f"w0 = {min(X['w0'])}"
    return {"columns": shown, "n": n, "first": first}


def weighing(keys):
    selection = DEFAULT.having(models=tuple(map(Model, keys)))
    return availability.weighing(selection, dataset())


def weights(takes, keys):
    """Those whose fit has a parameter sample_weight, by its text."""
    names = [TITLES[k] for k in keys if _reads_weights(k) is takes]
    return [{"names": _and(names)}] if names else []


def _reads_weights(key):
    code = ESTIMATORS[key].cls.fit.__code__
    return "sample_weight" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _and(names):
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def fits(part, text, condition, true, never, told=obstacle):
    scenes = [(key, tuple(params), tuple(about.items())) for key, params, about in (*true, never)]
    made = f"{COMPUTE}availability.py::{part}"
    return Kind(made, text, told, twin_of(condition), tuple(scenes[:3]), scenes[3])


ON = (("monotone", True),)
SUITABILITY = [
    fits("obstacle", "grows a forest", is_forest,
         [(key, (), {"ordered": True}) for key in ("mcdf", "adaboost_m1", "monotone_boosting")],
         ("remt", (), {"ordered": True})),
    fits("obstacle", "no longer predicts by its leaves", is_monotone,
         [("remt", ON, {"ordered": True}), ("remt", ON, {"ordered": True, "n": 30}),
          ("remt", ON, {"ordered": True, "different": 5})], ("remt", (), {"ordered": True})),
    fits("obstacle", "is nominal", is_nominal,
         [("hybrid", (), {"words": 3}), ("svm_tree", (), {"words": 4}),
          ("hybrid", (), {"words": 5, "columns": 2})], ("cart", (), {"words": 3})),
    fits("obstacle", "classes in an order", lambda key, *_: {} if key == "remt" else None,
         [("remt", (), {}), ("remt", (), {"n": 30}), ("remt", (), {"different": 5})],
         ("cart", (), {})),
    fits("_lacks", "cannot use missing values", lacks,
         [("id3", (), {"gaps": 4}), ("oc1", (), {"gaps": 1}), ("hybrid", (), {"gaps": 30})],
         ("c45", (), {"gaps": 4})),
    fits("_too_many_indicators", "at most {most} in all", many_columns,
         [("oc1", (), {"n": 300, "words": 101}), ("tao", (), {"n": 300, "words": 60, "columns": 2}),
          ("gsodt", (), {"n": 500, "words": 250})], ("oc1", (), {"n": 300, "words": 100})),
    fits("_too_many_values", "is not used as it is", many_words,
         [("cart", (), {"n": 1500, "words": 1001}), ("c45", (), {"n": 1500, "words": 1200}),
          ("id3", (), {"n": 1400, "words": 1100})], ("cart", (), {"n": 1500, "words": 1000})),
    fits("_too_many_values", "makes a branch of every value", many_branches,
         [("id3", (), {"different": 21}), ("id3", (), {"different": 40}),
          ("id3", (), {"n": 90, "different": 60})], ("id3", (), {"different": 20})),
    fits("reading", "one for each value", indicators,
         [("oc1", (), {"words": 3}), ("lsodt", (), {"words": 5, "columns": 2}),
          ("optimal", (), {"words": 8, "columns": 3})], ("cart", (), {"words": 3}),
         told=as_indicators),
    Kind(f"{COMPUTE}availability.py::weighing", "Rows count by their weights", weighing,
         partial(weights, True), (("cart",), ("c45", "cart", "id3"), ("cart", "svm_tree", "c45")),
         ("svm_tree",)),
    Kind(f"{COMPUTE}availability.py::weighing", "No weights for", weighing, partial(weights, False),
         (("svm_tree",), ("cart", "svm_tree", "remt"), ("hybrid", "cart")), ("cart",)),
]  # fmt: skip


# What a link asks of the data, and what they have


def told_of(function):
    def told(scene):
        try:
            return [*filter(None, [function(scene)])]
        except ValueError as error:
            return [str(error)]

    return told


@cache
def measured(n_features):
    rng = np.random.default_rng(n_features)
    X = pd.DataFrame(
        rng.normal(size=(12, n_features)), columns=[f"x{i}" for i in range(n_features)]
    )
    X["word"] = ["red", "green", "blue"] * 4
    return Dataset(X, pd.Series(["u", "v"] * 6, name="class"))


def step(part):
    def told(scene):
        n, about = scene
        selection = DEFAULT.having(**dict(about))
        getattr(compute_data, part)(measured(n), selection)

    return told_of(told)


def directions_apart(scene):
    n, about = scene
    given = len(dict(about).get("directions", ()))
    return [{"n": given, "m": n + 1}] if given not in (0, n + 1) else []


def places_beyond(scene):
    n, about = scene
    places = dict(about).get("columns") or ()
    beyond = [p for p in places if p >= n + 1]
    return [{"key": "columns", "largest": max(places) + 1, "n": n + 1}] if beyond else []


def levels_apart(scene):
    ((_, order),) = dict(scene[1])["levels"]
    return [] if len(order) == 3 else [{"n": len(order), "feature": "word", "m": 3}]


def levels(n, order):
    return (n, (("kinds", ((n, "ordinal"),)), ("levels", ((n, order),))))


def requested_rows(scene):
    return [_fewer_rows(*scene)] if scene[0] > scene[1] else []


def fewer_rows(limited, scene):
    wanted, made, n = scene
    if wanted <= made or (made < 200_000) is not limited:
        return []
    found = {"asked": number(wanted), "most": number(made)}
    return [found | ({"n": number(n)} if limited else {})]


STEPS = [
    Kind(f"{COMPUTE}data.py::_directions", "directions, but these data have",
         step("_directions"), directions_apart,
         tuple((n, (("directions", "i" * m),)) for n, m in ((2, 2), (3, 1), (4, 7))),
         [(2, (("directions", "iii"),)), (2, ())]),
    Kind(f"{COMPUTE}data.py::_named", "counts up to", step("_columns"), places_beyond,
         tuple((n, (("columns", places),)) for n, places in ((2, (0, 3)), (3, (9,)), (4, (1, 5)))),
         (3, (("columns", (0, 3)),))),
    Kind(f"{COMPUTE}data.py::_kinds", "The link orders", step("_kinds"), levels_apart,
         (levels(2, (1, 0)), levels(3, (0, 1, 2, 3)), levels(1, (0,))), levels(2, (2, 0, 1))),
    *(Kind(f"{COMPUTE}data.py::_fewer_rows", text, requested_rows,
           partial(fewer_rows, limited), true, never)
      for text, limited, true, never in (
          ("at most {most}.", False, ((300_000, 200_000, 2), (10**6, 200_000, 5),
                                      (10**7, 200_000, 9)), (200_000, 200_000, 2)),
          ("choose fewer features", True, ((20_000, 10_000, 1000), (200_000, 50_000, 200),
                                           (150_000, 100_000, 100)), (300_000, 200_000, 2)))),
]  # fmt: skip


# A scene file that is not as it was saved


def scene_bytes(*entries, **changed):
    """A saved scene, its JSON changed, in an archive with these entries besides."""
    with zipfile.ZipFile(io.BytesIO(scene_file.write(DEFAULT, "boundaries", None))) as saved:
        scene = json.loads(saved.read("scene.json")) | changed
    scene.pop("sha256")
    text = json.dumps(scene, sort_keys=True, separators=(",", ":"))
    scene["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w") as archive:
        for name, content in ({"scene.json": json.dumps(scene)} | dict(entries)).items():
            if content is not None:
                archive.writestr(name, content)
    return into.getvalue()


def told_of_scene(content):
    try:
        return list(scene_file.read(content()).problems)
    except ValueError as error:
        return [str(error)]


def of_scene(part, text, values, bad, good=None):
    """A kind of a scene that is refused: three with what is said of each, and a good one."""
    scenes = [partial(scene_bytes, *entries, **dict(changed)) for entries, changed in bad]
    known = dict(zip(map(repr, scenes), values, strict=True))
    never = partial(scene_bytes, *(good or ()))
    return Kind(f"{COMPUTE}scene_file.py::{part}", text, told_of_scene,
                lambda scene: [known[repr(scene)]] if repr(scene) in known else [],
                tuple(scenes), never)  # fmt: skip


def outside(name):
    return [(((name, "x"),), ()), {"name": name}]


def pairs(*each):
    return {"values": [values for _, values in each], "bad": [bad for bad, _ in each]}


JSON = "scene.json"
SCENES = [
    of_scene("_entries", "leads out of the archive",
             **pairs(outside("../a"), outside("/etc/x"), outside("b/../../c")),
             good=(("a/b", "x"),)),
    of_scene("_entries", "is missing in its archive", [{"name": JSON}] * 3,
             [(((JSON, None), (name, "x")), ()) for name in ("a", "data", "scene")]),
    of_scene("_unpacked", "would take more than", [{"name": JSON, "most": "1"}] * 3,
             [(((JSON, "x" * n),), ()) for n in (1_000_001, 2_000_000, 1_500_000)]),
    of_scene("_scene", "is not JSON", [{"name": JSON}] * 3,
             [(((JSON, text),), ()) for text in ("{", '{"a": 1.5}', '{"a": 1, "a": 2}')]),
    of_scene("_check_version", "by a newer lastviz",
             [{"found": number(n), "known": "1"} for n in (2, 7, 1000)],
             [((), (("version", n),)) for n in (2, 7, 1000)]),
    of_scene("_settings", "is not a text or too long",
             [{"name": "m"}, {"name": "seed"}, {"name": "a" * 39 + "…"}],
             [((), (("settings", s),)) for s in ({"m": 1}, {"seed": None}, {"a" * 300: []})]),
]  # fmt: skip


# A model of the reader's own on data that lack what it asks for


@cache
def small_model(names, classes=("u", "v"), words=(), kind="tree"):
    rng = np.random.default_rng(len(names))
    X = pd.DataFrame(rng.normal(size=(40, len(names))), columns=list(names))
    for name in words:
        X[name] = pd.Categorical(np.where(X[name] > 0, "on", "off"))
    score = sum((X[n] == "on") - 0.5 if n in words else X[n] for n in names)
    y = np.asarray(classes)[pd.qcut(score, len(classes), labels=False, duplicates="drop")]
    if kind == "numbers":
        return CARTRegressor().fit(X, score)
    return (SVMTreeClassifier() if kind == "machines" else CARTClassifier()).fit(X, y)


@cache
def rows_for(names, words=(), classes=("u", "v"), numbers=False):
    rng = np.random.default_rng(7)
    X = pd.DataFrame(rng.normal(size=(40, len(names))), columns=list(names))
    for name in words:
        X[name] = ["on", "off"] * 20
    y = rng.normal(size=40) if numbers else np.resize(classes, 40)
    return Dataset(X, pd.Series(y, name="y"), task="regression" if numbers else "classification")


def told_of_model(scene):
    model, data, n_trees = scene
    given = small_model(*model)
    about = rows_for(*data)
    try:
        found = SimpleNamespace(algorithm_="x")
        own_model.put_on([given.tree_] * n_trees, found, DEFAULT, about, about.X)
    except CannotShow as reason:
        return [str(reason)]
    except (ValueError, AttributeError, IndexError):
        return []
    return []


def splits_on(model):
    """The columns that nodes of a small model split on, in the order of its own."""
    tree = small_model(*model).tree_
    used = {int(f) for f in tree.feature if f >= 0}
    return [name for f, name in enumerate(model[0]) if f in used or len(tree.kernel)]


def lacking_column(scene):
    model, data, _ = scene
    lack = [name for name in splits_on(model) if name not in data[0]]
    if not lack:
        return []
    more = f" and {len(lack) - 1} more" if len(lack) > 1 else ""
    return [{"names": f"“{lack[0]}”{more}", "columns": _and(data[0])}]


def column_too_many(scene):
    model, data, _ = scene
    more = [name for name in data[0] if name not in model[0]]
    return [{"name": more[0]}] if more and model[3:] == ("machines",) else []


def strange_class(scene):
    model, data, _ = scene
    own, there = sorted(model[1]), sorted(data[2])
    strange = [name for name in own if name not in there]
    return [{"name": strange[0], "names": _and(there)}] if strange else []


def kind_apart(of_numbers, scene):
    model, data, _ = scene
    own, there = set(model[2]), set(data[1])
    wrong = [n for n in model[0] if (n in there and n not in own) is of_numbers
             and (n in own) is not of_numbers and (n in there) is of_numbers]  # fmt: skip
    return [{"name": wrong[0]}] if wrong else []


UV = ("u", "v")
MODELS = [
    Kind(f"{COMPUTE}own_model.py::_check_target", "a forest of {n} trees that predict numbers",
         told_of_model, lambda scene: [{"n": number(scene[2])}] if scene[2] > 1 else [],
         tuple(((("a",), UV, (), "numbers"), (("a",), (), UV, True), n) for n in (2, 3, 9)),
         ((("a",), UV, (), "numbers"), (("a",), (), UV, True), 1)),
    Kind(f"{COMPUTE}own_model.py::_feature_places", "have no such column", told_of_model,
         lacking_column,
         tuple(((names, UV), (("b", "c"), (), UV), 1)
               for names in (("a",), ("a", "b"), ("z", "c"))),
         ((("b",), UV), (("b", "c"), (), UV), 1)),
    Kind(f"{COMPUTE}own_model.py::_feature_places", "read all features at once", told_of_model,
         column_too_many,
         tuple(((names, UV, (), "machines"), (("a", "b", "c", "d"), (), UV), 1)
               for names in (("a",), ("b", "c"), ("a", "c", "d"))),
         ((("a", "b"), UV, (), "machines"), (("a", "b"), (), UV), 1)),
    Kind(f"{COMPUTE}own_model.py::_class_places", "which is no class of these data", told_of_model,
         strange_class,
         tuple(((("a",), own), (("a",), (), there), 1)
               for own, there in ((("p", "q"), UV), (("u", "w"), UV), (("a", "u", "v"), UV))),
         ((("a",), UV), (("a",), (), ("u", "v", "w")), 1)),
    *(Kind(f"{COMPUTE}own_model.py::_check_kinds", text, told_of_model,
           partial(kind_apart, of_numbers),
           tuple(((names, UV, own), (("a", "b"), there, UV), 1) for names, own, there in true),
           ((("a", "b"), UV, ()), (("a", "b"), (), UV), 1))
      for text, of_numbers, true in (
          ("as a number, and here it is", True, ((("a",), (), ("a",)), (("a", "b"), (), ("b",)),
                                                 (("b",), (), ("a", "b")))),
          ("as categories, and here it is", False, ((("a",), ("a",), ()), (("a", "b"), ("b",), ()),
                                                    (("b",), ("b",), ("a",)))))),
]  # fmt: skip
ROWS = [*SUITABILITY, *STEPS, *SCENES, *MODELS]
