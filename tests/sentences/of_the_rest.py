"""Statements here and there: what is handed in, what a server takes, two models side by side."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from importlib.metadata import version
from types import ModuleType, SimpleNamespace
from unittest.mock import MagicMock, patch

import numpy as np
import pandas as pd

from lastviz.datasets import Dataset
from lastviz.estimators import ESTIMATORS, IMPORTED, OC1Classifier
from lastviz.export.page_file import MOST_BYTES, TooLarge
from lastviz.host import faults
from lastviz.host.store import Upload
from lastviz.plots import number
from lastviz.ui.compute import data as compute_data
from lastviz.ui.compute import scene_file, studies, uploads
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.growth import words as growth_words
from lastviz.ui.growth.details import story
from lastviz.ui.growth.figures import growth_scene
from lastviz.ui.shared import (
    brushing,
    edits,
    guard,
    job_box,
    model_view,
    new_table,
    openml_box,
    overlaid,
    page_file,
    report,
    view_controls,
)
from lastviz.ui.shared.difference import window_words
from lastviz.ui.shared.figures import band_words, plane_of
from lastviz.ui.shared.glossary import settings_words
from lastviz.ui.shared.login_box import Standing
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Model
from lastviz.ui.story import page as story_page
from tests.sentences import of_shared, of_svm_growth
from tests.sentences.of_work import at, refusals
from tests.sentences.rows import Look, count, percent, selected

SHARED, COMPUTE = "ui/shared/", "ui/compute/"


def uploaded(table, name="table.csv", **about):
    file = uploads.keep(name, table.to_csv(index=False).encode(), len(table))
    return DEFAULT.change(data=UPLOAD, upload=file).having(**about)


def written(module, function, *args, **named):
    """What a function of a module writes with `st`: titles, html and errors, too."""
    page = MagicMock(session_state={})
    with patch.object(module, "st", page):
        function(*args, **named)
    return [call.args[0] for call in page.mock_calls if call.args and isinstance(call.args[0], str)]


# Data as they are handed in


def with_classes(scene):
    """Data of which some classes have no row, as a reader or a generator may hand them over."""
    classes, rows = scene
    about = pd.DataFrame({"a": np.arange(len(rows))}), pd.Series(list(rows), name="class")
    whole = Dataset(*about, class_order=tuple(classes))
    with patch.object(compute_data, "_load_or_fall_back", lambda *_: (whole, [])):
        return list(compute_data.load(DEFAULT, None)[1])


def without_rows(scene):
    classes, rows = scene
    missing = [c for c in classes if c not in rows]
    return [{"missing": ", ".join(missing)}] if missing else []


def many_numbers(n):
    rows = "".join(f"{i % 3},{1.5 + i % n}\n" for i in range(200))
    upload = Upload("0" * 8, "t.csv", 200)
    selection = DEFAULT.change(data=UPLOAD, upload=upload)
    return list(compute_data.load(selection, f"a,height\n{rows}".encode())[1])


def a_number(n):
    return [{"target": "height", "n": number(n)}] if n > 64 else []


def same_numbers(y):
    model = Work(selected("data=friedman")).first
    with patch.object(ModelWork, "dataset", SimpleNamespace(y=SimpleNamespace(name="y"))):
        model._check_numbers(np.array(y))


def all_the_same(y):
    return [{"target": "y", "value": f"{y[0]:g}"}] if len(set(y)) == 1 else []


def large_scene(scene):
    n_bytes, most = scene
    with patch.object(scene_file, "MOST_BYTES", most * 2**20):
        scene_file.read(b"x" * n_bytes)


def scene_too_large(scene):
    n_bytes, most = scene
    return [{"most": number(most)}] if n_bytes > most * 2**20 else []


def rows_in_scene(scene):
    n, most = scene
    content = b"a,class\n" + b"1,u\n2,v\n" * (n // 2)
    upload = Upload(uploads.digest_of(content), "t.csv", n)
    saved = scene_file.write(DEFAULT.change(data=UPLOAD, upload=upload), "data", content)
    with patch.object(scene_file, "MOST_ROWS", most):
        scene_file.read(saved)


def too_many_rows(scene):
    n, most = scene
    return [{"n": number(n), "most": number(most)}] if n > most else []


# What a server takes, and faults


def begun(n):
    """A study for a visitor who has so many."""
    told, line = [], MagicMock(names=lambda _: range(n))
    quiet = {
        "try_study_store": lambda keep: keep(line),
        "refuse": told.append,
        "COMPUTING": MagicMock(),
    }
    with patch.multiple(studies, **quiet):
        studies.begin(None, (), {}, "token")
    return told


def no_room(n):
    return [{"n": 50}] if n >= 50 else []


def computing(program):
    computing = studies.Computing((program,))
    computing.ensure()
    return [computing.fault]


def no_program(program):
    error = f"[Errno 2] No such file or directory: '{program}'"
    return [{"error": error}] if program.startswith("no_") else []


def faulty(scene):
    place, error = scene

    def draw():
        if error is not None:
            raise error

    guard.begin()
    with patch.object(faults, "name_of", lambda error: "c0ffee00"):
        return written(guard, guard.part, place, draw)


def unexpected(scene):
    return [{"name": "c0ffee00"}] if scene[1] is not None else []


def limits(scene):
    if scene is None:
        return []
    with patch.multiple(job_box, MOST_AT_ONCE=scene[0], LONGEST=scene[1]):
        return [job_box.limits()]


def at_a_time(scene):
    if scene is None:
        return []
    most, seconds = scene
    return [{"most": "one job" if most == 1 else f"{most} jobs", "minutes": number(seconds // 60)}]


def heavy(scene):
    def page(*_, **__):
        if scene is not None:
            size, heaviest = scene
            raise TooLarge(size, MOST_BYTES, heaviest)
        return ""

    with patch.multiple(story_page, page_of=page, save_lesson=MagicMock()):
        return written(story_page, story_page._file, [], "title", "name")


def too_heavy(scene):
    if scene is None:
        return []
    size, _ = scene
    most = number(MOST_BYTES // 1_000_000)
    return [{"size": number(round(size / 1e6, 1)), "most": most}]


SERVER = [
    at(f"{COMPUTE}data.py::load", "No row has the class", with_classes, without_rows,
       (("abc", "abab"), ("abcd", "aabb"), ("xyz", "zzyy")), ("ab", "abab")),
    at(f"{COMPUTE}data.py::load", "so it is predicted as a number", many_numbers, a_number,
       (65, 100, 180), 5),
    at(f"{COMPUTE}models.py::TrainedModel._check_numbers", "have the same {target}",
       refusals(same_numbers), all_the_same, ((1.0,), (2.5, 2.5), (3.0, 3.0, 3.0)), (1.0, 2.0)),
    at(f"{COMPUTE}scene_file.py::_opened", "This scene is larger", refusals(large_scene),
       scene_too_large, ((1_100_000, 1), (2_200_000, 2), (3_000_000, 1)), (1000, 1)),
    at(f"{COMPUTE}scene_file.py::_data", "its data have {n} rows", refusals(rows_in_scene),
       too_many_rows, ((10, 9), (8, 2), (6, 0)), (10, 10)),
    at(f"{COMPUTE}studies.py::begin", "You have {n} studies", begun, no_room, (50, 51, 60), 49),
    at(f"{COMPUTE}studies.py::Computing.ensure", "Studies cannot be computed", computing,
       no_program, ("no_a", "no_b", "no_program"), "true"),
    at("ui/shared/guard.py::_tell", "Something went wrong here", faulty, unexpected,
       (("body", KeyError("x")), ("page", ValueError("y")), ("sidebar", TypeError("z"))),
       ("body", None)),
    at(f"{SHARED}job_box.py::limits", "Long work runs", limits, at_a_time,
       ((1, 600), (2, 60), (4, 1200)), None),
    at(f"{SHARED}page_file.py::too_large", "The file would have", heavy, too_heavy,
       ((3_500_000, 0), (21_000_000, 3), (50_100_000, 9)), None),
]  # fmt: skip


# Words of growth


def own_growth(is_own):
    selection = selected("data=iris&m=cart")
    scene = growth_scene(Work(selection), plane_of(Work(selection), alone=True), "plane", "light")
    brought = selection.having(models=(Model(f"{IMPORTED.key}.{is_own}" if is_own else "cart"),))
    return growth_words.how_it_works(replace(scene, work=Work(brought)))


def noted(scene):
    link, picture, played = scene
    selection = selected(link)
    found = growth_scene(Work(selection), plane_of(Work(selection), alone=True), picture, "light")
    return [growth_words.notes(found, played)]


def some_drawn(scene):
    n = len(Work(selected(scene[0])).first.division.train_rows)
    shown = min(n, 1500)
    return [{"drawn": number(shown), "rows": number(n)}] if shown < n else []


def played(scene):
    link, _, m = scene
    n = len(Work(selected(link)).first.estimator.growth_log_)
    return [{"n": number(n), "m": number(m)}] if m < n else []


def without_plane(scene):
    link, picture, _ = scene
    n = Work(selected(link)).first.division.X.shape[1]
    return [{"n": n}] if picture == "values" else []


def sliced(scene):
    """The share of rows that the tree predicts alike once the features off the axes are fixed."""
    link, picture, _ = scene
    look = Look(link)
    m = look.values.shape[1]
    if m < 3 or picture == "values":
        return []
    plane = plane_of(Work(look.selection), alone=True)
    at_rest = np.median(look.values, axis=0) if plane.row is None else look.values[plane.row]
    fixed = np.tile(at_rest, (len(look.values), 1))
    fixed[:, plane.features] = look.values[:, plane.features]
    alike = sum(
        look.class_at(a) == look.class_at(b) for a, b in zip(fixed, look.values, strict=True)
    )
    return [{"n": m - 2, "where": where_fixed(plane), "share": percent(alike / len(fixed))}]


def hidden_classes(scene):
    parts = story(Work(of_svm_growth.scene_of(scene)), "light").machines.parts
    text = growth_words.player_words()["hidden"]
    return [text.format(n=part["hidden"]) for part in parts if part and part["hidden"]]


def beyond_twelve(scene):
    n = Work(of_svm_growth.scene_of(scene)).data.dataset.n_classes
    return [{"n": n - 12}] * (n - 1) if n > 12 else []


GROWTH = [
    at("ui/growth/words.py::how_it_works", "The file does not record", own_growth,
       lambda is_own: [{}] if is_own > 0 else [], (1, 2, 3), 0),
    at("ui/growth/words.py::notes", "training rows are drawn", noted, some_drawn,
       (("data=moons&n_samples=3000&m=cart", "plane", 10**6),
        ("data=xor&n_samples=2500&m=cart&m.max_depth=2", "plane", 10**6),
        ("data=gauss_2d&m=cart&m.max_depth=2", "plane", 10**6)), ("data=iris&m=cart", "plane", 10)),
    at("ui/growth/words.py::notes", "The growth took {n} steps", noted, played,
       (("data=iris&m=cart", "plane", 3), ("data=moons&m=cart", "plane", 10),
        ("data=wine&m=cart", "plane", 1)), ("data=iris&m=cart", "plane", 10**6)),
    at("ui/growth/words.py::notes", "have no common plane", noted, without_plane,
       tuple((f"data={name}&m=svm_tree", "values", 0) for name in ("iris", "wine", "xor")),
       ("data=iris&m=svm_tree", "plane", 0)),
    at("ui/growth/words.py::_slice", "A slice: the other {n}", noted, sliced,
       (("data=iris&m=cart", "plane", 0), ("data=wine&m=cart", "plane", 0),
        ("data=waveform&n_samples=100&m=cart", "plane", 0)), ("data=moons&m=cart", "plane", 0)),
]  # fmt: skip


# Rows that are brushed, edits, and nodes to choose


def typed_rows(scene):
    text, n = scene
    state = {brushing.TYPED: text}
    quiet = {"st": SimpleNamespace(session_state=state), "take_brush": MagicMock()}
    with patch.multiple(brushing, **quiet):
        brushing._take_typed(n)
    return [state.get("brush_problem", "")]


def beyond_rows(scene):
    text, n = scene
    ends = [int(part) for piece in text.split(",") for part in piece.split("-") if part.strip()] \
        if not any(c.isalpha() for c in text) and text.strip() else []  # fmt: skip
    return [{"n": number(n)}] if ends and max(ends) > n else []


def no_rows(scene):
    bad = any(c.isalpha() for c in scene[0])
    return [{"text": scene[0][:40], "n": number(brushing.MOST_BRUSHED)}] if bad else []


def full(scene):
    """An edit more than there may be, of a model's tree or of one of numbers."""
    n, depth = scene
    told = []
    own = tuple(SimpleNamespace(path=(k,) * depth, slot="x") for k in range(n))
    edit = SimpleNamespace(path=(-1,), slot="x")
    quiet = {"tell": told.append, "trim": lambda e: e, "in_order": MagicMock(side_effect=Stop)}
    try:
        with patch.multiple(edits, **quiet):
            edits.with_edit(own, edit, None, None)
    except Stop:
        pass
    return told


class Stop(Exception):
    """There was room for the edit."""


def no_more(scene):
    return [{"n": 24}] if scene[0] >= 24 else []


def remark(scene):
    path, is_same = scene
    return [edits._remark(SimpleNamespace(path=path, is_same=is_same, after=None))]


def choosing(scene):
    link, most = scene
    selection = selected(link)
    quiet = {
        "current": lambda: Work(selection),
        "MOST_NODES": most,
        "put": MagicMock(),
    }
    with patch.multiple(view_controls, **quiet):
        return written(view_controls, view_controls.node_chooser)


def more_nodes(scene):
    link, most = scene
    n = len(Look(link).tree.n_children)
    return [{"shown": most, "all": number(n)}] if n > most else []


EDITS = [
    at(f"{SHARED}brushing.py::_take_typed", "larger numbers were left out", typed_rows, beyond_rows,
       (("3, 170", 150), ("10-20", 15), ("1,2,9", 8)), ("3, 17", 150)),
    at(f"{SHARED}brushing.py::_take_typed", "names no rows", typed_rows, no_rows,
       (("abc", 150), ("3, x", 150), ("rows 3 to 5", 9)), ("3, 17", 150)),
    at(f"{SHARED}edits.py::with_edit", "There are {n} edits already", full, no_more,
       ((24, 1), (24, 2), (24, 3)), (23, 1)),
    at(f"{SHARED}edits.py::_remark", "Nothing changes", remark,
       lambda scene: [{}] if scene[1] else [],
       (((), True), ((0,), True), ((1,), True)), ((), False)),
    at(f"{SHARED}view_controls.py::node_chooser", "the tree in the picture has all", choosing,
       more_nodes, (("data=iris&m=cart", 5), ("data=moons&m=cart", 20), ("data=wine&m=cart", 3)),
       ("data=iris&m=cart", 100)),
]  # fmt: skip


# Logins, machines, files and directions


def refused(scene):
    return of_shared.refused_login(scene)


def not_scaled(scaled, link):
    words = link if isinstance(link, str) else ""
    by_number = "m.sigma=" in words and "scale" not in words
    raw = "m.scaling=none" in words or (by_number and "m.scaling=standard" not in words)
    return [{}] if raw is not scaled else []


def settings(link):
    model = Work(
        of_svm_growth.scene_of(link) if not isinstance(link, str) else selected(link)
    ).first.fitted
    return [settings_words(model.estimator)]


def single_rows(scene):
    alone = not isinstance(scene, str) and all(len(places) == 1 for _, places in scene[0])
    return [{}] if alone else []


def singles(n):
    auto = (("C", "auto"), ("sigma", "auto"))
    return tuple((name, ((float(k), k * k / 2.0),)) for k, name in enumerate("abcde"[:n])), auto


def gaps(text):
    known = of_shared.learnt()
    rows = of_shared.read_rows(text.encode(), known, name="new.csv")
    model = OC1Classifier(n_restarts=1).fit(known.X[["a"]], known.y)
    new_table._check(rows, model, new_table.NUMBERS, "new.csv")


def lacking(text):
    for row, line in enumerate(text.splitlines()[1:], 2):
        if not line.split(",")[0]:
            return [{"file": "new.csv", "column": "a", "row": row, "title": "OC1"}]
    return []


FILES = [
    at(f"{SHARED}login_box.py::_refusal", "who is not on this server's list", refused,
       partial(of_shared.stands_so, Standing.REFUSED),
       tuple((Standing.REFUSED, name) for name in ("a@b.c", "x", "y")), (Standing.UNVERIFIED, "a")),
    at(f"{SHARED}glossary.py::_scaling", "are not scaled", settings,
       partial(not_scaled, False),
       ("data=iris&m=svm_tree&m.scaling=none", "data=iris&m=svm_tree&m.sigma=1.5&m.C=1",
        "data=wine&m=svm_tree&m.scaling=none"), "data=iris&m=svm_tree"),
    at(f"{SHARED}glossary.py::_scaling", "are standardised", settings,
       partial(not_scaled, True),
       ("data=iris&m=svm_tree", "data=wine&m=svm_tree",
        "data=iris&m=svm_tree&m.sigma=1.5&m.scaling=standard"),
       "data=iris&m=svm_tree&m.scaling=none"),
    at(f"{SHARED}glossary.py::_choice", "Every class has a single training row", settings,
       single_rows, (singles(3), singles(4), singles(5)), "data=iris&m=svm_tree"),
    at(f"{SHARED}new_table.py::_check", "has not learnt what to do then", refusals(gaps), lacking,
       ("a,word\n,on\n", "a,word\n1,on\n,off\n", "a,word\n1,on\n2,up\n,on\n"), "a,word\n1,on\n"),
]  # fmt: skip


# Two models over each other, planes with bands, reports and slides


def window(scene):
    link, exact = scene
    return [window_words(SimpleNamespace(exact=exact), plane_of(Work(selected(link))))]


def where_fixed(plane):
    return "at their medians" if plane.row is None else f"as in row {plane.row + 1}"


def measured(case, scene):
    link, exact = scene
    plane = plane_of(Work(selected(link)))
    if case == "grid":
        return [] if exact else [{}]
    return [{"where": where_fixed(plane)}] if len(plane.names) > 2 else []


def bands(scene):
    return [band_words(plane_of(Work(banded(scene))))]


def banded(scene):
    """A table of a number and of words, some of them missing."""
    n, gap, key = scene
    rng = np.random.default_rng(n)
    words = rng.choice(["on", "off", "up"], n).astype(object)
    if gap:
        words[:gap] = None
    a = rng.normal(size=n).round(2)
    table = pd.DataFrame({"a": a, "word": words, "class": np.where(a > 0, "yes", "no")})
    if key == "numbers":
        table["word"] = rng.normal(size=n).round(2)
    return uploaded(table, f"bands{n}{gap}.csv", models=(Model("cart"),))


def random_places(scene):
    return [{}] if scene[2] != "numbers" else []


def strips(scene):
    _, gap, key = scene
    rows = count(gap, "row lacks word", "rows lack word")
    colour = "which has the colour that the model gives them"
    return [{"rows": rows, "colour": colour}] if gap and key != "numbers" else []


def grids(scene):
    link, is_banded = scene
    overlaid._refuse_bands(Work(selected(link)).first, SimpleNamespace(is_banded=is_banded))


def no_grid(scene):
    link, is_banded = scene
    key = link.split("m=")[1]
    return [{"title": ESTIMATORS[key].title}] if is_banded else []


def ensembles(scene):
    link, is_banded = scene
    plane = SimpleNamespace(is_banded=is_banded)
    with patch.object(model_view, "predictions_of", MagicMock(side_effect=ValueError)):
        model_view.ensemble_view(Work(selected(link)).first, plane)


def matched(scene):
    link, most = scene
    with patch.object(overlaid, "MOST_PAIRS", most), patch.object(overlaid, "_matched"):
        overlaid.difference(Work(selected(link)), 0, 1)


def too_many_pairs(scene):
    link, most = scene
    a, b = (len(Look(link, place).tree.n_children) for place in (0, 1))
    return [{"a": a, "b": b}] if a * b > most else []


def made(link):
    if link is None:
        return []
    return [report.scene_report(Work(selected(link)), "?", [], address=None, caveats=[])]


def made_today(link):
    day = f"{datetime.now().astimezone():%Y-%m-%d}"
    return [] if link is None else [{"version": version("lastviz"), "day": day}]


def no_slide(scene):
    kind, n = scene
    module = ModuleType("page")
    module.MODELS, module.ABOUT_CLASSES, module.REPLAYS = n, True, True
    selection = DEFAULT.having(models=(Model("cart"),))
    away, own, numeric = kind == "away", kind == "own", kind == "numeric"
    quiet = {"is_away": lambda _: away, "is_own": lambda _: own,
             "is_imported": lambda _: kind == "imported"}  # fmt: skip
    dataset = SimpleNamespace(is_regression=numeric)
    work = SimpleNamespace(selection=selection, dataset=dataset)
    with patch.multiple(page_file, **quiet):
        return [page_file._lacks(work, "boundaries", module, own_files=False)]


def is_kind(wanted, scene):
    return [{}] if scene[0] == wanted else []


def fetching(n):
    if not n:
        return []
    with patch.object(openml_box, "_draw_answer"):
        return written(openml_box, openml_box.ask_for_set, n)


def of_openml(n):
    return [{"n": n}] if n else []


def large_help(scene):
    if scene is None:
        return []
    drawn_page = MagicMock()
    with patch.multiple(model_view, st=drawn_page, put=MagicMock(), MOST_ROWS=scene[0],
                        MOST_VALUES=scene[1]):  # fmt: skip
        model_view.large_set_chooser(selected("data=monotone_large"))
    return [drawn_page.selectbox.call_args.kwargs["help"]]


def most_drawn(scene):
    return [] if scene is None else [{"rows": number(scene[0]), "all": number(scene[1])}]


TWO = "data=iris&m=cart&m2=c45"
WINDOWS = (("data=moons&m=cart&m2=c45", True), (TWO, False), ("data=wine&m=cart", True),
           ("data=xor&m=cart", False), ("data=breast_cancer&m=cart", False))  # fmt: skip
FOREST = "data=monotone&n_samples=60&m="
PICTURES = [
    *(at(f"{SHARED}difference.py::window_words", text, window, partial(measured, case), true,
         never)
      for text, case, true, never in (
          ("counted on a fine grid", "grid", (WINDOWS[1], WINDOWS[3], WINDOWS[4]), WINDOWS[0]),
          ("The other features are fixed", "fixed", (WINDOWS[1], WINDOWS[2], WINDOWS[4]),
           WINDOWS[0]))),
    at(f"{SHARED}figures.py::band_words", "is random and has no meaning", bands, random_places,
       ((40, 0, ""), (60, 3, ""), (50, 1, "")), (40, 0, "numbers")),
    at(f"{SHARED}figures.py::band_words", "in the strip “missing”", bands, strips,
       ((40, 1, ""), (60, 3, ""), (50, 5, "")), (40, 0, "")),
    at(f"{SHARED}overlaid.py::_refuse_bands", "is evaluated on a grid", refusals(grids), no_grid,
       tuple((f"{FOREST}{key}", True) for key in ("mcdf", "adaboost_m1", "monotone_boosting")),
       (f"{FOREST}mcdf", False)),
    at(f"{SHARED}model_view.py::ensemble_view", "beside an algorithm of categories",
       refusals(ensembles), no_grid,
       tuple((f"{FOREST}{key}", True) for key in ("mcdf", "adaboost_m1", "monotone_boosting")),
       (f"{FOREST}mcdf", False)),
    at(f"{SHARED}overlaid.py::difference", "too many to match", refusals(matched), too_many_pairs,
       ((TWO, 10), ("data=moons&m=cart&m2=c45", 1), ("data=wine&m=cart&m2=c45", 20)),
       (TWO, 10**6)),
    at(f"{SHARED}report.py::made_words", "Made with lastviz", made, made_today,
       ("data=iris&m=cart", "data=moons&m=cart", "data=wine&m=c45"), None),
    *(at(f"{SHARED}page_file.py::_lacks", text, no_slide, partial(is_kind, kind),
         tuple((kind, n) for n in (1, 2, 3)), ("", 1))
      for text, kind in (("Its data are not available", "away"), ("a file of yours", "own"),
                         ("This page is about classes", "numeric"),
                         ("there is nothing to replay", "imported"))),
    *(at(f"{SHARED}openml_box.py::ask_for_set", text, fetching, of_openml, (31, 61, 1464), 0)
      for text in ("Fetch data set {n}", "has not fetched")),
    at(f"{SHARED}model_view.py::large_set_chooser", "The six large sets", large_help, most_drawn,
       ((200_000, 10_000_000), (1000, 5000), (50, 60)), None),
]  # fmt: skip
ROWS = [*SERVER, *GROWTH, *EDITS, *FILES, *PICTURES]
