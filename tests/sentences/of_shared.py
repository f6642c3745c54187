"""Statements that several pages make: about settings, files, edits, planes and what is compared."""

from functools import cache, partial
from types import ModuleType, SimpleNamespace
from unittest.mock import MagicMock, patch
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from lastviz.datasets import Dataset
from lastviz.datasets.new_rows import read_rows
from lastviz.estimators import ESTIMATORS, CARTClassifier
from lastviz.host.store import Upload
from lastviz.plots import number
from lastviz.tree import Kind as Kinds
from lastviz.ui.compute.work import Work
from lastviz.ui.shared import (
    column_editors,
    exports,
    login_box,
    missing_data,
    new_table,
    order_editor,
    page_file,
    scene_box,
)
from lastviz.ui.shared.edits import about_chance, void_words
from lastviz.ui.shared.glossary import settings_words
from lastviz.ui.shared.login_box import Standing
from lastviz.ui.state.selection import DEFAULT
from lastviz.ui.text import CannotShow
from tests.sentences.pages import on_page
from tests.sentences.rows import Kind, Look, percent, selected

SHARED = "ui/shared/"


def at(part, text, told, twin, true, never):
    return Kind(SHARED + part, text, told, twin, tuple(true), never)


def query(link):
    return dict(parse_qsl(link))


# The settings of an SVM tree


def settings(link):
    return [settings_words(Work(selected(link)).first.estimator)]


@cache
def machine(link):
    """What a link asks of sigma, C and the kernel, and what the model says that it took."""
    model = Work(selected(link)).first.estimator
    asked = {name: query(link).get(f"m.{name}", default) for name, default in
             (("sigma", "auto"), ("C", "auto"), ("kernel", "rbf"))}  # fmt: skip
    values = {"sigma": number(model.sigma_), "price": number(model.C_)}
    found = model.cross_validation_
    if found is not None:
        rows = {
            "n": number(found.n_rows),
            "m": number(len(Work(selected(link)).first.division.train_rows)),
        }
        values |= rows | {"folds": found.n_folds, "share": percent(found.accuracy)}
    return asked, values


def is_linear(link):
    return machine(link)[0]["kernel"] == "linear"


def chosen(link):
    """Said where the link leaves sigma or C open (auto)."""
    asked, values = machine(link)
    left = [name for name in ("sigma", "C") if asked[name] == "auto"]
    left = [name for name in left if name == "C" or not is_linear(link)]
    return [values | {"names": " and ".join(left)}] if left else []


SVM = "data=iris&m=svm_tree"
OPEN = (SVM, f"{SVM}&m.C=1", f"{SVM}&m.kernel=linear")
MACHINES = [
    at("glossary.py::_choice", "Sigma is {sigma} and", settings,
       lambda link: [] if is_linear(link) else [machine(link)[1]],
       (SVM, f"{SVM}&m.C=10", "data=wine&m=svm_tree&m.sigma=scale&m.C=1"),
       f"{SVM}&m.kernel=linear&m.C=1"),
    at("glossary.py::_choice", "Chosen by {folds}-fold", settings, chosen, OPEN,
       f"{SVM}&m.sigma=1&m.C=1"),
]  # fmt: skip


# Edits, chance, files and logins


def void(words):
    return [void_words(words)] if words else []


def without_effect(words):
    return [{"edit": words}] if words else []


def upload(name="a.csv", rows=3, share=None, digest="0" * 8):
    return Upload(digest, name, rows, share)


def reason(scene):
    return [missing_data._reason(upload(*scene))]


def is_shared(shared, scene):
    return [{}] if (scene[2] is not None) is shared else []


def another(scene):
    wanted, name, rows = scene
    found = None if rows is None else SimpleNamespace(n_samples=rows)
    return [missing_data._difference(upload(*wanted), name, found)]


def differs(case, scene):
    (wanted, rows, *_), name, found = scene
    by_rows = found is not None and found != rows
    kind = "rows" if by_rows else "name" if name != wanted else "contents"
    values = {"rows": {"n": number(found or 0), "m": number(rows), "name": name},
              "name": {"name": name, "wanted": wanted}, "contents": {"name": name}}  # fmt: skip
    return [values[case]] if kind == case else []


def by_code(digest):
    state = {missing_data.CODE: " code "}
    found = upload("b.csv", digest=digest)
    quiet = {
        "st": SimpleNamespace(session_state=state),
        "session": MagicMock(current=lambda: DEFAULT),
    }
    with (
        patch.multiple(missing_data, **quiet),
        patch.object(missing_data.uploads, "shared_file", lambda code: found),
    ):
        missing_data._by_code(upload())
    return [state.get(missing_data.CODE_FAULT, "")]


def opens_another(digest):
    return [{"name": "b.csv"}] if digest != "0" * 8 else []


def refused_login(scene):
    standing, name = scene
    if standing is None:
        return []
    with patch.object(login_box.visitor, "name", lambda: name):
        return [login_box._refusal(standing)]


def stands_so(standing, scene):
    return [{"name": scene[1]}] if scene[0] is standing else []


def rows_of_scene(scene):
    content, stated = scene
    try:
        scene_box._check_rows(content.encode(), upload(rows=stated), DEFAULT.reading)
    except ValueError as error:
        return [str(error)]
    return []


def rows_apart(scene):
    content, stated = scene
    n = len(content.splitlines()) - 1
    return [{"n": number(stated), "m": number(n)}] if n != stated else []


TABLE = "a,class\n" + "".join(f"{i},{'uv'[i % 2]}\n" for i in range(12))
FILES = [
    at("edits.py::about_chance", "p is the exact chance",
       lambda asked: [about_chance()] if asked else [], lambda asked: [{}] if asked else [],
       (1, 2, 3), 0),
    at("edits.py::void_words", "has no effect", void, without_effect,
       ("x1 ≤ 0.5", "made a leaf", "pruned"), None),
    at("missing_data.py::_reason", "which links do not contain", reason, partial(is_shared, False),
       (("a.csv", 3, None), ("b.csv", 4, None), ("c.csv", 5, None)), ("a.csv", 3, "code")),
    at("missing_data.py::_reason", "no longer shared", reason, partial(is_shared, True),
       (("a.csv", 3, "code"), ("b.csv", 4, "x"), ("c.csv", 5, "y")), ("a.csv", 3, None)),
    *(at("missing_data.py::_difference", text, another, partial(differs, case), true, never)
      for text, case, true, never in (
          ("has {n} rows, the one", "rows", ((("a.csv", 3), "a.csv", 4), (("a.csv", 3), "b.csv", 2),
                                             (("a.csv", 1500), "a.csv", 0)),
           (("a.csv", 3), "b.csv", 3)),
          ("the contents of", "name", ((("a.csv", 3), "b.csv", 3), (("a.csv", 3), "c", None),
                                       (("x.csv", 9), "y.csv", 9)), (("a.csv", 3), "a.csv", 3)),
          ("has been changed since", "contents", ((("a.csv", 3), "a.csv", 3),
                                                  (("a.csv", 3), "a.csv", None),
                                                  (("b.csv", 5), "b.csv", 5)),
           (("a.csv", 3), "b.csv", 3)))),
    at("missing_data.py::_by_code", "opens another file", by_code, opens_another,
       ("1" * 8, "2" * 8, "3" * 8), "0" * 8),
    at("login_box.py::_refusal", "no verified e-mail", refused_login,
       partial(stands_so, Standing.UNVERIFIED),
       tuple((Standing.UNVERIFIED, name) for name in ("a", "b", "c")), (None, "a")),
    at("scene_box.py::_check_rows", "it states {n} rows", rows_of_scene, rows_apart,
       ((TABLE, 3), (TABLE, 13), (TABLE, 1200)), (TABLE, 12)),
]  # fmt: skip


# Rows of a file of the reader's


@cache
def learnt():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": rng.normal(size=60).round(2), "word": ["on", "off", "up"] * 20})
    return Dataset(X, pd.Series(np.where(X["a"] > 0, "yes", "no"), name="class"))


def new_rows(text, with_class):
    known = learnt()
    rows = read_rows(text.encode(), known, name="new.csv")
    if with_class:
        work = SimpleNamespace(data=SimpleNamespace(plain=known))
        new_table.classes_in(work, rows, "new.csv")
    else:
        model = CARTClassifier().fit(known.X[["a"]], known.y)
        new_table._check(rows, model, new_table.NUMBERS, "new.csv")


def told_of_rows(scene):
    try:
        new_rows(*scene)
    except CannotShow as refusal:
        return [str(refusal)]
    return []


def cells(scene):
    lines = [line.split(",") for line in scene[0].splitlines()]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def no_classes(scene):
    lacks = scene[1] and "class" not in cells(scene)[0]
    return [{"file": "new.csv", "column": "class"}] if lacks else []


def strange_class(scene):
    for row, cell in enumerate(cells(scene), 2):
        if scene[1] and cell.get("class", "no") not in ("yes", "no"):
            return [{"file": "new.csv", "column": "class", "value": cell["class"], "row": row,
                     "names": "no, yes"}]  # fmt: skip
    return []


def unseen(scene):
    for row, cell in enumerate(cells(scene), 2):
        if not scene[1] and cell["word"] not in ("on", "off", "up", ""):
            return [{"file": "new.csv", "column": "word", "value": cell["word"], "row": row,
                     "title": "CART"}]  # fmt: skip
    return []


GOOD = "a,word,class\n1,on,yes\n2,off,no\n"
NEW = [
    at("new_table.py::classes_in", "has no column “{column}” with", told_of_rows, no_classes,
       (("a,word\n1,on\n", True), ("a,word\n1,on\n2,off\n", True), ("word,a\non,1\n", True)),
       (GOOD, True)),
    at("new_table.py::classes_in", "which is no class here", told_of_rows, strange_class,
       (("a,class,word\n1,yes,on\n2,no,on\n3,x,on\n", True),
        ("a,word,class\n1,on,yes\n2,on,NO\n", True), ("a,word,class\n1,on,maybe\n", True)),
       (GOOD, True)),
    at("new_table.py::_check", "has never seen", told_of_rows, unseen,
       (("a,word,class\n1,down,yes\n", False), ("a,word,class\n1,on,yes\n2,in,no\n", False),
        ("a,word\n1,ON\n", False)), (GOOD, False)),
]  # fmt: skip


# Directions of features, and columns that are used


def told_of_doubts(link):
    return order_editor.doubts(Work(selected(link)))


@cache
def contradicted(link):
    """Features whose direction in force Kendall's tau in the training rows surely turns round."""
    selection = selected(link)
    divided, dataset = Work(selection).first.division, Work(selection).dataset
    found = []
    for column in dataset.numeric_X.columns:
        sign = dataset.directions[column]
        x = dataset.numeric_X[column].to_numpy()[divided.train_rows]
        tau, p = kendalltau(x, dataset.codes[divided.train_rows])
        if sign and p <= 0.05 and tau * sign < 0:
            found.append((column, sign, tau))
    return found


def doubted(link):
    found = sorted(contradicted(link), key=lambda each: -abs(each[2]))[:3]
    return [{"name": name, "tau": number(round(tau, 2))} for name, _, tau in found]


def turned(scene):
    letters, edits = scene
    rows = {str(place): {"direction": letter} for place, letter in edits}
    try:
        order_editor.directions_after(letters, list(range(len(letters))), rows)
    except ValueError as error:
        return [str(error)]
    return []


def none_left(scene):
    letters, edits = list(scene[0]), dict(scene[1])
    after = [edits.get(place, letter) for place, letter in enumerate(letters)]
    return [{}] if all(letter == "n" for letter in after) else []


def unused(places):
    rows = {str(place): {"used": False} for place in places}
    selection = selected("data=iris")
    try:
        column_editors.columns_after(Work(selection).data.full, selection, rows)
    except ValueError as error:
        return [str(error)]
    return []


def nothing_used(places):
    return [{}] if set(places) == set(range(4)) else []


ORDERED = "data=wine&ordered=true&m=remt&directions="
FALL = "data=monotone&n_samples=120&m=remt&directions="
COLUMNS = [
    at("order_editor.py::doubts", "contradict the direction of", told_of_doubts, doubted,
       (f"{FALL}ff", f"{FALL}fr", f"{ORDERED}{'r' * 13}"), f"{FALL}rr"),
    at("order_editor.py::directions_after", "must have a direction", turned, none_left,
       (("rn", ((0, "n"),)), ("rf", ((0, "n"), (1, "n"))), ("nnr", ((2, "n"),))),
       ("rf", ((0, "n"),))),
    at("column_editors.py::columns_after", "At least one feature", unused, nothing_used,
       ((0, 1, 2, 3), (3, 2, 1, 0), (1, 0, 3, 2)), (0, 1, 2)),
]  # fmt: skip


# What a report says, and why a slide lacks a picture


def caveats(link):
    return exports.general_caveats(Work(selected(link)))


def held_out(link):
    return len(Work(selected(link)).first.division.held_out_rows)


def none_held(link):
    return [] if held_out(link) else [{}]


def some_held(link):
    return [{}] if held_out(link) else []


def classes_held(link):
    regression = "boston" in link or "sine" in link or "steps" in link
    return [] if regression or not held_out(link) else [{}]


def one_division(link):
    n = held_out(link)
    about = {"n": number(n), "seed": query(link).get("seed", "1")} if n else {}
    return [about | {"points": number(float(f"{100 / n:.2g}"))}] if n else []


HELD = ("data=iris&m=cart", "data=wine&m=cart&seed=4", "data=moons&held=0.5&m=cart")
NONE = ("data=iris&m=cart&held=0", "data=wine&held=0&m=cart", "data=moons&held=0&m=cart")
REPORTS = [
    at("exports.py::general_caveats", "No rows were held out", caveats, none_held, NONE,
       HELD[0]),
    at("exports.py::general_caveats", "took no part in training", caveats, some_held, HELD,
       NONE[0]),
    at("exports.py::general_caveats", "One division, with", caveats, one_division, HELD,
       NONE[0]),
    at("exports.py::general_caveats", "interval (Wilson's)", caveats, classes_held, HELD,
       NONE[0]),
]  # fmt: skip


def slide(scene):
    link, about = scene
    module = ModuleType("page")
    for name, value in about:
        setattr(module, name, value)
    found = page_file._lacks(Work(selected(link)), "boundaries", module, own_files=False)
    return [found] if found else []


def about_classes(scene):
    link, about = scene
    return [{}] if "apples" in link and dict(about).get("ABOUT_CLASSES") else []


ONE = (("MODELS", 1),)
SLIDES = [
]  # fmt: skip


# What stands on pages


def unfit(link):
    """Algorithms that cannot take the data, by what their tags and the data are."""
    dataset = Work(selected(link)).data.dataset
    words = any(kind == "nominal" for kind in dataset.kinds.values())
    gaps = dataset.X.isna().any().any()
    n = 0
    for entry in ESTIMATORS.values():
        tags = entry.cls.TAGS
        n += bool(
            (words and not (tags.nominal or tags.indicators))
            or (gaps and not tags.missing)
            or (tags.ordered_classes and not dataset.ordered)
        )  # fmt: skip
    return [{"n": n}] if n else []


def no_step(link):
    key, _, step = query(link).get("course", "").rpartition(".")
    return [{"n": int(step), "key": key}] if step and int(step) > 9 else []


def largest(most):
    def twin(link):
        n = Look(link).tree.n_nodes
        return [{"shown": most, "all": number(n)}] if n > most else []

    return twin


def cut_here(link):
    """The picked node is a leaf at the depth that is shown, and is none in the tree."""
    look, depth = Look(link), query(link).get("depth")
    node = look.selection.models[0].node_in(look.tree) or 0
    if depth is None or int(look.tree.depth[node]) != int(depth) or not look.tree.n_children[node]:
        return []
    name = look.tree.feature_names[look.tree.feature[node]]
    threshold = number(float(f"{look.tree.threshold[node]:.4g}"))
    return [{"test": f"{name} ≤ {threshold}"}]


def weighed(link):
    look = Look(link)
    node = look.selection.models[0].node_in(look.tree) or 0
    if look.tree.kind[node] != Kinds.OBLIQUE:
        return []
    n = sum(w != 0 for w in look.tree.oblique.weights[look.tree.split_row[node]])
    return [{}] if n > 2 else []


PAGES = [
    at("controls.py::_unfit_words", "{n} algorithm does|{n} algorithms do", on_page("boundaries"),
       unfit, ("data=iris&m=cart", "data=loan&held=0&m=cart", "data=moons&m=cart"),
       "data=monotone&n_samples=60&m=remt"),
    at("node_card.py::node_card", "The tree is cut here", on_page("boundaries"), cut_here,
       ("data=moons&m=cart&depth=1&node=1", "data=moons&m=cart&depth=0",
        "data=iris&m=cart&depth=1&node=2"), "data=moons&m=cart&node=1"),
    at("node_card.py::_weights", "highlighted: the features on the axes", on_page("boundaries"),
       weighed, ("data=iris&m=lsodt", "data=wine&m=oc1", "data=iris&m=gsodt"), "data=iris&m=cart"),
]  # fmt: skip
ROWS = [*MACHINES, *FILES, *NEW, *COLUMNS, *REPORTS, *SLIDES, *PAGES]
