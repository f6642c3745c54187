"""Statements about work that cannot be done, or was not: jobs, studies, stores, tables of text."""

import io
import re
import sqlite3
import warnings
import zipfile
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from unicodedata import normalize
from unittest.mock import MagicMock, patch

import numpy as np
import pandas as pd
import sqlalchemy as sa

from lastviz._params import Param
from lastviz.datasets import Dataset, read_file
from lastviz.host import faults, jobs
from lastviz.plots import number
from lastviz.studies.database import Database
from lastviz.studies.store import StoreError
from lastviz.ui.compare import controls, figures, page, study_data
from lastviz.ui.compute import ahead, availability, own_model, pruning
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import DEFAULT
from lastviz.ui.text import CannotShow
from tests.sentences.of_fit import dataset as made_dataset
from tests.sentences.of_fit import rows_for, scene_bytes, small_model, told_of_scene
from tests.sentences.rows import Kind, count, selected

COMPUTE = "ui/compute/"
COMPARE = "ui/compare/"


def refusals(work):
    """What tells why a work refuses a scene; nothing where it does not."""

    def told(scene):
        try:
            work(scene)
        except (CannotShow, ValueError, StoreError) as reason:
            return [str(reason)]
        return []

    return told


def at(made, text, told, twin, true, never):
    return Kind(made, text, told, twin, tuple(true), never)


# Columns of text in a file


def hints(text):
    return [str(hint) for hint in read_file(text.encode(), name="t.csv").found.hints]


def column(text):
    lines = [line.split(";" if ";" in text else ",") for line in text.splitlines()]
    return lines[0][0], [line[0] for line in lines[1:]]


def csv(name, cells, separator=","):
    rows = [f"{cell}{separator}{'uv'[i % 2]}" for i, cell in enumerate(cells)]
    return "\n".join([f"{name}{separator}class", *rows]) + "\n"


def codes(text):
    name, cells = column(text)
    zeros = [c for c in cells if len(c) > 1 and c[0] == "0" and c.isdigit()]
    return [{"name": name}] if zeros else []


def too_long(text):
    name, cells = column(text)
    long = [c for c in cells if c.isdigit() and int(c) > 2**53]
    return [{"name": name}] if long else []


def day_first(text):
    name, cells = column(text)
    if not all(re.fullmatch(r"\d\d?/\d\d?/\d{4}", c) for c in cells):
        return []
    parts = [c.split("/")[:2] for c in cells]
    doubtful = all(int(p) <= 12 for pair in parts for p in pair)
    doubtful &= any(int(a) != int(b) for a, b in parts)
    return [{"name": name, "example": cells[0]}] if doubtful else []


def alike(text):
    name, cells = column(text)
    seen = {}
    for cell in dict.fromkeys(cells):
        other = seen.setdefault(cell.lower(), cell)
        if other != cell:
            return [{"name": name, "other": other, "word": cell}]
    return []


def wells(text):
    name, cells = column(text)
    is_code = all(re.fullmatch(r"\d+[eE]\d+", c) for c in cells)
    return [{"name": name, "example": cells[0]}] if is_code else []


def zones(cells):
    return [re.search(r"(Z|[+-]\d\d:\d\d)?$", c[10:])[0] for c in cells]


def one_zone(text):
    name, cells = column(text)
    (zone, *others) = dict.fromkeys(zones(cells))
    if others or not zone or zone == "Z":
        return []
    return [{"name": name, "example": cells[0], "zone": zone}]


def two_zones(text):
    name, cells = column(text)
    return [{"name": name}] if len(set(zones(cells))) > 1 else []


LATIN = str.maketrans({"\u0410": "A", "\u200b": ""})


def signs(word):
    return " ".join(f"U+{ord(sign):04X}" for sign in word) or "\u2013"


def twins(text):
    name, cells = column(text)
    first, second = list(dict.fromkeys(cells))[:2]
    plain = [normalize("NFC", word).translate(LATIN) for word in (first, second)]
    if plain[0] != plain[1]:
        return []
    n = next(i for i in range(9) if first[: i + 1] != second[: i + 1])
    end = next(i for i in range(9) if first[-1 - i :] != second[-1 - i :])
    one, two = (word[n : len(word) - end] for word in (first, second))
    return [{"name": name, "other": first, "one": signs(one), "two": signs(two)}]


def twin_columns(text):
    """Two columns beside the class; the signs are those of :func:`twins`."""
    first, second, _ = text.partition("\n")[0].split(",")
    found = twins(csv("", [first, second]))
    return [{key: value for key, value in each.items() if key != "name"} for each in found]


def two_columns(first, second):
    return csv(f"{first},{second}", [f"{k},{k % 5}" for k in range(12)])


TEXTS = [
    at("tables/hints.py::hint_of_columns", "names that look the same", hints, twin_columns,
       (two_columns("M\u00e1laga", "Ma\u0301laga"), two_columns("Or\u200bange", "Orange"),
        two_columns("\u0410B", "AB")), two_columns("M\u00e1laga", "Malaga")),
    at("tables/hints.py::code_hint", "begin with a zero", hints, codes,
       (csv("zip", ["01", "02", "10"] * 4), csv("id", ["007", "123"] * 5),
        csv("code", ["00", "11", "22"] * 3)), csv("zip", ["1", "2", "10"] * 4)),
    at("tables/hints.py::inexact_hint", "more digits than a number keeps", hints, too_long,
       (csv("id", [f"{10**19 + 3 * k}" for k in range(1, 9)]),
        csv("key", [f"{10**20 + 7 * k}" for k in range(1, 9)]),
        csv("n", [f"{9 * 10**19 + k}" for k in range(1, 9)])),
       csv("id", [f"{10**9 + k}" for k in range(8)])),
    at("tables/hints.py::code_hint", "may be a code", hints, wells,
       (csv("well", ["1E1", "10E0", "2E3"] * 4), csv("plate", ["3E4", "5E2"] * 5),
        csv("at", ["7e1", "8e2", "9e3"] * 4)), csv("well", ["1E+1", "1.0E1", "2E-3"] * 4)),
    at("tables/hints.py::date_hints", "read in the time zone", hints, one_zone,
       (csv("at", ["2024-01-02T03:04:05+01:00", "2024-02-02T03:04:05+01:00"] * 4),
        csv("t", [f"2024-01-02 0{h}:00-05:30" for h in range(8)]),
        csv("on", [f"2023-0{m}-02T03:00+09:00" for m in range(1, 9)])),
       csv("at", ["2024-01-02T03:04:05Z", "2024-02-02T03:04:05Z"] * 4)),
    at("tables/hints.py::date_hints", "of different time zones", hints, two_zones,
       (csv("at", ["2024-01-02T03:04:05+01:00", "2024-07-02T03:04:05+02:00"] * 4),
        csv("t", ["2024-01-02T03:04Z", "2024-07-02T03:04-01:00"] * 4),
        csv("on", ["2024-01-02T03:04+05:30", "2024-07-02T03:04"] * 4)),
       csv("on", ["2024-01-02T03:04+05:00", "2024-07-02T03:04+05:00"] * 4)),
    at("tables/hints.py::alike_hints", "values that look the same", hints, twins,
       (csv("city", ["M\u00e1laga", "Ma\u0301laga", "Lugo"] * 4),
        csv("ville", ["Or\u200bange", "Orange", "Nice"] * 4),
        csv("k", ["\u0410B", "AB", "C"] * 4)), csv("city", ["M\u00e1laga", "Malaga", "Lugo"] * 4)),
    at("tables/hints.py::date_hints", "which are read day first", hints, day_first,
       (csv("day", [f"{d}/{d + 1}/2020" for d in range(1, 9)]),
        csv("on", [f"0{d}/03/2021" for d in range(1, 9)]),
        csv("born", [f"{d}/1/1990" for d in range(2, 12)])),
       csv("day", [f"{d}/3/2020" for d in range(11, 19)])),
    at("tables/hints.py::alike_hints", "which are different values here", hints, alike,
       (csv("word", ["on", "On", "off"] * 4), csv("a", ["RED", "red", "blue"] * 4),
        csv("c", ["x y", "X Y", "z"] * 4)), csv("word", ["on", "off", "up"] * 4)),
]  # fmt: skip


# Stores of studies


def opened_store(address):
    Database(address, patience=0.0).close()


def no_folder(address):
    """The folder cannot be made: a file has its name."""
    place = address.removeprefix("sqlite:///")
    return [{"store": address, "error": _error(place)}] if "passwd/" in place else []


def _error(place):
    folder = place.rsplit("/", 1)[0]
    return f"[Errno 20] Not a directory: '{folder}'"


def failing(scene):
    """What a work in a store meets, told as the store tells it."""
    text, kind = scene
    store = Database("sqlite://", patience=0.0)

    def work(connection):
        if kind is not None:
            raise kind("SELECT 1", {}, sqlite3.OperationalError(text))

    store.patiently(work)


def fails(case, scene):
    text, kind = scene
    if kind is None:
        return []
    away = kind in (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.InternalError)
    full = "disk is full" in text or "No space left" in text
    own = "full" if away and full else "away" if away else "fault"
    values = {"store": "sqlite://"} | ({} if own == "full" else {"reason": text})
    return [values] if own == case else []


GONE, WRONG = sa.exc.OperationalError, sa.exc.IntegrityError
STORES = [
    at("studies/database.py::Database.__init__", "cannot be opened", refusals(opened_store),
       no_folder, tuple(f"sqlite:////etc/passwd/{name}/s.sqlite" for name in "abc"), "sqlite://"),
    *(at("studies/database.py::Database.patiently", text, refusals(failing), partial(fails, case),
         true, ("", None))
      for text, case, true in (
          ("The disk of the store", "full", (("database or disk is full", GONE),
                                             ("No space left on device", GONE),
                                             ("x: disk is full", sa.exc.InternalError))),
          ("cannot be reached", "away", (("server closed", GONE), ("unable to open it", GONE),
                                         ("gone", sa.exc.InterfaceError))),
          ("fails: {reason}", "fault", (("not unique", WRONG), ("bad value", sa.exc.DataError),
                                        ("no such table", sa.exc.ProgrammingError))))),
]  # fmt: skip


# Jobs


def job_words(scene):
    """What a job says that ended with a fault, its number in the log and the time it had known."""
    title, fault = scene

    def work():
        yield 0.0
        if fault == "memory":
            raise MemoryError
        if fault == "error":
            raise KeyError(title)
        if fault:
            yield 0.5
        return 1

    known = {"LONGEST": float(fault)} if fault[:1].isdigit() else {}
    with patch.dict(vars(jobs), known), patch.object(faults, "name_of", lambda error: "c0ffee00"):
        job = jobs.Jobs().start("key", title, work)
        try:
            job.outcome("viewer")
        except jobs.Failed as reason:
            return [str(reason)]
    return []


def ended(fault, scene):
    title, met = scene
    if (met[:1].isdigit() and fault == "long") or met == fault:
        values = {"error": {"name": "c0ffee00"}, "memory": {}}
        minutes = {"minutes": f"{float(met) / 60:g}"} if fault == "long" else {}
        return [{"title": title} | values.get(fault, minutes)]
    return []


# What cannot be worked out


def prices(scene):
    n, m = scene
    with patch.object(ahead, "outcome", MagicMock()):
        ahead.prices_of(("key",), np.zeros((n, m)), np.zeros(n, int), np.arange(n), 2)


def too_large(scene):
    n, m = scene
    most = ahead.MOST_WORK[3]
    return [{"n": number(n), "m": number(m), "most": number(most)}] if n * m * m > most else []


def pruned(link):
    pruning.to_prune(Work(selected(link)))


def single_leaf(link):
    q = dict(part.split("=", 1) for part in link.split("&"))
    title = {"cart": "CART", "c45": "C4.5"}.get(q["m"])
    return [{"title": title}] if q.get("m.min_samples_split") == "1000" else []


def machines(link):
    return [{"title": "SVM tree"}] if "m=svm_tree" in link else []


def crossed(link):
    pruning.cross_validated(Work(selected(link)))


def fewer_rows_than_folds(link):
    q = dict(part.split("=", 1) for part in link.split("&"))
    k, n = int(q.get("folds", 10)), len(Work(selected(link)).first.division.train_rows)
    return [{"k": k}] if k > n else []


def large_model(scene):
    names, most = scene
    given, about = small_model(names), rows_for(names)
    with patch.object(own_model, "MOST_NODES", most):
        own_model.put_on([given.tree_], SimpleNamespace(algorithm_="x"), DEFAULT, about, about.X)


def nodes_counted(scene):
    names, most = scene
    n = 1 + sum(int(n) for n in small_model(names).tree_.n_children)
    return [{"n": number(n), "most": number(most)}] if n > most else []


def twice(content):
    """Entries of an archive that have one name, as its list has them."""
    with zipfile.ZipFile(io.BytesIO(content())) as archive:
        names = [entry.filename for entry in archive.infolist()]
    again = [name for i, name in enumerate(names) if name in names[:i]]
    return [{"name": again[0]}] if again else []


def doubled(*names):
    """A scene with entries that stand in its archive twice."""
    into = io.BytesIO(scene_bytes(*[(name, "x") for name in dict.fromkeys(names)]))
    with zipfile.ZipFile(into, "a") as archive:
        for name in names:
            with warnings.catch_warnings(action="ignore"):
                archive.writestr(name, "y")
    return into.getvalue()


def broken(name):
    """A scene of which the contents of its JSON are damaged."""
    content = bytearray(scene_bytes())
    at_ = content.index(b"scene.json") + len("scene.json") + name
    content[at_] ^= 0xFF
    return bytes(content)


def is_broken(content):
    try:
        with zipfile.ZipFile(io.BytesIO(content())) as archive:
            return [] if archive.testzip() is None else [{"name": "scene.json"}]
    except (zipfile.BadZipFile, OSError):
        return [{"name": "scene.json"}]


def indicators(scene):
    n, words, most = scene
    entry = availability.ESTIMATORS["oc1"]
    with patch.object(availability, "MOST_VALUES", most):
        found = availability.obstacle(entry, made_dataset(n=n, words=words), ())
    return [found] if found else []


def many_cells(scene):
    n, words, most = scene
    about = {"title": "OC1", "n": words, "rows": number(n), "most": number(most)}
    return [about] if n * words > most else []


WORK = [
    *(at(f"host/jobs.py::{made}", text, job_words, partial(ended, fault),
         tuple((title, met) for title, met in zip(("CART", "OC1", "A search"), meets, strict=True)),
         ("CART", ""))
      for made, text, fault, meets in (
          ("Job._run", "there is not enough memory", "memory", ["memory"] * 3),
          ("Job._run", "failed unexpectedly", "error", ["error"] * 3),
          ("Job._go_through", "was stopped after", "long", ("0", "0.000006", "0.00000006")))),
    at(f"{COMPUTE}ahead.py::prices_of", "Too large for trees", refusals(prices), too_large,
       ((10**6, 30), (5000, 2000), (100_000, 300)), (100, 2)),
    at(f"{COMPUTE}pruning.py::to_prune", "has grown a single leaf", refusals(pruned), single_leaf,
       tuple(f"data={d}&m={m}&m.min_samples_split=1000" for d, m in
             (("iris", "cart"), ("wine", "cart"), ("moons", "cart"))), "data=iris&m=cart"),
    at(f"{COMPUTE}pruning.py::to_prune", "splits off one class at each node", refusals(pruned),
       machines, tuple(f"data={d}&m=svm_tree" for d in ("iris", "wine", "xor")),
       "data=iris&m=cart"),
    at(f"{COMPUTE}pruning.py::cross_validated", "folds need at least", refusals(crossed),
       fewer_rows_than_folds,
       tuple(f"data=loan&held={held}&m=cart&folds={k}"
             for held, k in ((0, 16), (0.2, 20), (0, 50))),
       "data=loan&held=0&m=cart&folds=3"),
    at(f"{COMPUTE}own_model.py::put_on", "the app shows models of at most", refusals(large_model),
       nodes_counted, ((("a",), 1), (("a", "b"), 2), (("b",), 0)), (("a",), 100)),
    at(f"{COMPUTE}scene_file.py::_entries", "it has two entries", told_of_scene, twice,
       tuple(partial(doubled, *names) for names in (("a", "a"), ("a", "b", "b"), ("data", "data"))),
       partial(scene_bytes)),
    at(f"{COMPUTE}scene_file.py::_unpacked", "cannot be unpacked", told_of_scene, is_broken,
       tuple(partial(broken, place) for place in (40, 60, 90)), partial(scene_bytes)),
    at(f"{COMPUTE}availability.py::_too_many_indicators", "columns of {rows} rows", indicators,
       many_cells, ((200, 50, 9_999), (300, 20, 5_000), (100, 3, 299)), (200, 50, 10_000)),
]  # fmt: skip


# A study of the reader's


def study_entry(scene):
    text, declared = scene
    study_data.entry_of_text(text, [Param(name, int, 1, low=1) for name in declared])


def unknown_parameter(scene):
    text, declared = scene
    key, *parts = text.split("~")
    strange = [p.partition("=")[0] for p in parts if p.partition("=")[0] not in declared]
    return [{"key": key, "name": strange[0]}] if strange else []


def typed(text):
    study_data.read_values(Param("depth", int, 1, low=1, high=30, label="Depth"), text)


def too_many(text):
    return [{"n": 20}] if len(text.split(",")) > 20 else []


def illegal(text):
    words = text.split(",")
    wrong = [w for w in words if not w.isdigit() or not 1 <= int(w) <= 30]
    legal = "a whole number >= 1 and <= 30"
    few = len(words) <= 20
    return [{"name": "Depth", "legal": legal, "text": wrong[0]}] if wrong and few else []


def drafted(link):
    return list(controls.draft_of(Work(selected(link)), None).problems)


def sized(scene):
    n_algorithms, n_sets, repeats, folds = scene
    fake = SimpleNamespace(protocol="fixed", datasets=range(n_sets), repeats=repeats, folds=folds)
    controls._check_size(fake, [SimpleNamespace(points=lambda: [0])] * n_algorithms)


def folds_counted(scene):
    n = 0
    for _ in range(scene[0]):
        n += scene[1] * scene[2] * scene[3]
    command = "python -m lastviz.studies run study.toml"
    return [{"n": number(n), "most": number(20_000), "command": command}] if n > 20_000 else []


def large_table(n):
    X = pd.DataFrame({"a": np.arange(n)})
    about = Dataset(X, pd.Series(np.resize(["u", "v"], n), name="class"), name="Mine")
    return [study_data._too_many_rows(about)] if n > study_data.MOST_ROWS else []


def rows_of_table(n):
    about = {"name": "Mine", "n": number(n), "most": number(100_000)}
    return [about | {"command": "python -m lastviz.studies run study.toml"}] if n > 100_000 else []


def rare(scene):
    counts, folds = scene
    y = np.repeat([chr(97 + k) for k in range(len(counts))], counts)
    about = Dataset(pd.DataFrame({"a": np.arange(len(y))}), pd.Series(y, name="class"), name="Mine")
    drawn = MagicMock()
    with patch.object(page, "st", drawn):
        page._say_rare_class(about, folds)
    return [call.args[0] for call in drawn.caption.call_args_list]


def rarest(scene):
    counts, folds = scene
    least = min(counts)
    if least >= folds or sum(counts) < 2 * folds:
        return []
    label = chr(97 + counts.index(least))
    return [{"name": "Mine", "label": label, "rows": count(least, "row", "rows"), "folds": folds}]


def too_many_to_draw(n):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n, 2)), columns=["a", "b"])
    about = Dataset(X, pd.Series(np.resize(["u", "v"], n), name="class"))
    choice = SimpleNamespace(key="cart", params=())
    stop = patch.object(figures, "features_of", MagicMock(side_effect=StopIteration))
    with stop, suppress(StopIteration):
        figures.regions_of(choice, {}, about, 1)


STUDIES = [
    at(f"{COMPARE}study_data.py::entry_of_text", "has no parameter", refusals(study_entry),
       unknown_parameter, (("cart~depth=3", ()), ("oc1~a=1~b=2", ("a",)), ("c45~x=1|2", ("y",))),
       ("cart~a=3", ("a",))),
    at(f"{COMPARE}study_data.py::read_values", "At most {n} values", refusals(typed), too_many,
       tuple(",".join(map(str, range(1, n))) for n in (22, 25, 30)), "1,2,3"),
    at(f"{COMPARE}study_data.py::_value", "must be {legal}", refusals(typed), illegal,
       ("0", "1,2,x", "3,31"), "1,30"),
    at(f"{COMPARE}controls.py::_check_size", "This study has {n} folds", refusals(sized),
       folds_counted, ((10, 10, 10, 21), (3, 8, 100, 10), (1, 30, 70, 10)), (10, 10, 10, 20)),
    at(f"{COMPARE}controls.py::_algorithm", "is not known here", drafted,
       lambda link: [{"key": k} for k in re.findall("no_[a-z]+", link.split("compared_on")[0])],
       ("compared=no_tree", "compared=no_a", "compared=no_x"), "compared=cart"),
    at(f"{COMPARE}study_data.py::_too_many_rows", "studies here take tables", large_table,
       rows_of_table, (100_001, 120_000, 250_000), 100_000),
    at(f"{COMPARE}page.py::_say_rare_class", "so some folds lack it", rare, rarest,
       (((30, 4), 10), ((20, 9, 30), 10), ((1, 40), 5)), ((30, 10), 10)),
    at(f"{COMPARE}figures.py::regions_of", "Regions are drawn for up to",
       refusals(too_many_to_draw), lambda n: [{"n": 20_000}] if n > 20_000 else [],
       (20_001, 25_000, 30_000), 20_000),
]  # fmt: skip
ROWS = [*TEXTS, *STORES, *WORK, *STUDIES]
