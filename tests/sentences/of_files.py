"""Statements of the page *data* about files of the reader, new rows, colours, the table."""

import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from lastviz import from_sklearn
from lastviz.datasets import load_dataset
from lastviz.datasets.labels import Labels, checked_labels
from lastviz.datasets.painted import painting_of
from lastviz.estimators import IMPORTED
from lastviz.export import model_as_json
from lastviz.host import visitor
from lastviz.host.store import Store, StoreLimits
from lastviz.plots import THEMES, number
from lastviz.ui.compute import uploads
from lastviz.ui.compute.work import Work
from lastviz.ui.data.figures import colour_notes
from lastviz.ui.data.score_rows import score_file
from lastviz.ui.data.sharing import _in_use, _storage_caption, file_box
from lastviz.ui.state.edit_codes import pack_labels
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Model, Selection
from tests.sentences.rows import Kind, count, drawn
from tests.ui.conftest import opened

DATA = "ui/data/"
TOKEN = "0f" * 32
NOW = 1.9e9  # seconds since 1970, by the store's clock

# Where a file is kept: a scene is what the server and the browser do, and the store's limits

STATES = {
    "nameless": "This browser does not keep anything for this page.",
    "storeless": "This server cannot keep files.",
    "full": "This server has no room for another file at the moment.",
}


@contextmanager
def handed_in(state, files, megabytes, rows):
    """Hand a file in as a session of its own; a model's has no rows."""
    limits = StoreLimits(
        files=files, bytes_of_visitor=megabytes * 10**6, minutes=files + megabytes / 2
    )
    if state == "full":
        limits = StoreLimits(bytes_in_all=3)
    with TemporaryDirectory() as folder, patch.object(uploads.st, "session_state", {}):
        store = None if state == "storeless" else Store(Path(folder) / "store", limits, lambda: NOW)
        with patch.object(uploads, "the_store", lambda: store):
            visitor.know("none" if state == "nameless" else TOKEN)
            upload = uploads.keep("a.csv", b"a table", rows)
            if state == "shared":
                upload = uploads.share(upload, files).upload
            with (
                patch("lastviz.ui.data.sharing.LIMITS", limits),
                patch("lastviz.ui.data.sharing.LIMITS", limits),
                patch("lastviz.ui.data.sharing._shares"),
            ):
                yield upload
        if store is not None:
            store.close()


def kept_words(scene):
    with handed_in(*scene, rows=1) as upload:
        return drawn("ui.data.sharing", file_box, DEFAULT.change(data=UPLOAD, upload=upload))


def kept_model_words(scene):
    with handed_in(*scene, rows=0) as upload:
        model = Model(f"{IMPORTED.key}.{upload.digest}")
        return drawn("ui.data.sharing", _storage_caption, Selection(models=(model,)))


def every_kept_word(scene):
    """Of a table and of a model."""
    return [*kept_words(scene), *(kept_model_words(scene) if scene[0] == "stored" else [])]


def for_how_long(scene):
    """How long the store has a visitor's files, minute by minute; of a table and of a model."""
    state, files, megabytes = scene
    if state != "stored":
        return []
    limits, now = StoreLimits(files, megabytes * 10**6, minutes=files + megabytes / 2), [0.0]
    with TemporaryDirectory() as folder:
        store = Store(Path(folder) / "store", limits, lambda: now[0])
        for i in range(files + 5):
            store.keep(TOKEN, uploads.Upload(uploads.digest_of(bytes([i])), "a", 1), bytes([i]))
        n = len(store.names(TOKEN))
        while store.names(TOKEN):
            now[0] += 30
            store.keep("ab" * 32, uploads.Upload(uploads.digest_of(b"x"), "a", 1), b"x")
        store.close()
    minutes = now[0] / 60
    return [{"minutes": number(minutes), "files": n, "megabytes": megabytes}] * 2


def reason_why_not(scene):
    return [{"reason": STATES[scene[0]]}] if scene[0] in STATES else []


def until(scene):
    """Shared for so many days from now on."""
    end = time.gmtime(NOW + 86400 * scene[1])
    return [{"time": time.strftime("%Y-%m-%d %H:%M UTC", end)}] if scene[0] == "shared" else []


# A finished model


@cache
def grown(kind, size):
    """A model that scikit-learn has grown, and what it is grown on."""
    data = "friedman" if kind is DecisionTreeRegressor else "wine"
    dataset = load_dataset(data)
    y = dataset.y if dataset.is_regression else np.asarray(dataset.class_order)[dataset.codes]
    params = {"n_estimators": size} if kind is RandomForestClassifier else {"max_depth": size}
    return data, kind(random_state=0, **params).fit(dataset.X, y)


def model_words(scene):
    if scene is None:
        return []
    data, model = grown(*scene)
    with patch.object(uploads.st, "session_state", {}):
        file = model_as_json(from_sklearn(model)).encode()
        key = f"{IMPORTED.key}.{uploads.keep('model.json', file, 0).digest}"
        with patch("lastviz.ui.data.sharing._storage_caption"):
            selection = Selection(data=data, models=(Model(key),))
            return drawn("ui.data.sharing", _in_use, Work(selection))


def of_model(scene):
    if scene is None:
        return []
    _, model = grown(*scene)
    trees = getattr(model, "estimators_", [model])
    nodes = f"{sum(tree.tree_.node_count for tree in trees)} nodes"
    name = type(model).__name__
    return [{"algorithm": name, "trees": count(len(trees), "tree", "trees"), "nodes": nodes}]


# New rows


def table(colours, seed=0):
    rng = np.random.default_rng(seed)
    width = rng.normal(size=len(colours)).round(2)
    return pd.DataFrame({"width": width, "colour": colours, "class": np.where(width > 0, "p", "q")})


def new_rows(strange, unknown):
    """Ten rows, the first of which have colours that were not seen, the last unknown widths."""
    rows = table([*strange, *["red"] * (10 - len(strange))], 1)
    rows.loc[len(rows) - unknown :, "width"] = np.nan
    return rows


def notes(scene):
    key, strange, unknown = scene
    known = table(["red", "green", "blue"] * 20)
    known.loc[:5, "width"] = np.nan
    file = uploads.keep("known.csv", known.to_csv(index=False).encode(), len(known))
    selection = DEFAULT.change(data=UPLOAD, upload=file, models=(Model(key),))
    return score_file(
        Work(selection), new_rows(strange, unknown).to_csv(index=False).encode(), "new"
    ).notes


def unseen(scene):
    found = sorted(set(scene[1]))
    names = ", ".join(found if len(found) < 6 else [*found[:5], "…"])
    rows = count(len(scene[1]), "row", "rows")
    return [{"column": "colour", "rows": rows, "names": names}] if found else []


def unknown(scene):
    n = sum(str(x) == "nan" for row in new_rows(*scene[1:]).to_numpy() for x in row)
    return [{"n": n}] if n else []


def in_parts(scene):
    return [{}] if scene[0] == "c45" and (unseen(scene) or unknown(scene)) else []


# Colours


def colours_of(colours):
    labels = pack_labels(checked_labels(Labels(colours=dict(colours))))
    return Work(DEFAULT.change(data="iris", labels=labels)).data.full


def of_colours(colours):
    return colour_notes(colours_of(colours))


def light(colour):
    """The relative luminance, each primary colour on its own."""
    parts = zip((0.2126, 0.7152, 0.0722), (colour[1:3], colour[3:5], colour[5:]), strict=True)
    shares = [(weight, int(part, 16) / 255) for weight, part in parts]
    return sum(w * (s / 12.92 if s < 0.04 else ((s + 0.055) / 1.055) ** 2.4) for w, s in shares)


def faint(colours):
    found = []
    for page in ("light", "dark"):
        paper = light(THEMES[page].paper) + 0.05
        for name, colour in colours:
            own = light(colour) + 0.05
            ratio = max(own, paper) / min(own, paper)
            if ratio < 1.3:
                found.append({"name": name, "page": page, "ratio": number(round(ratio, 2))})
    return found


def alike(colours):
    """Pairs that differ in no part by more than three steps of 256."""
    names = ["setosa", "versicolor", "virginica"]
    usual = {name: THEMES["light"].hue(place) for place, name in enumerate(names)}
    parts = {
        name: [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        for name, colour in (usual | dict(colours)).items()
    }
    pairs = [
        f"“{a}” – “{b}”"
        for i, a in enumerate(names)
        for b in names[i + 1 :]
        if max(abs(x - y) for x, y in zip(parts[a], parts[b], strict=True)) <= 3
    ]
    *first, last = pairs or [""]
    return [{"pairs": f"{', '.join(first)} and {last}" if first else last}] if pairs else []


# The page itself


@cache
def page(link):
    found = opened("data", **dict(part.split("=") for part in link.split("&")))
    return found, [each.value for each in found.caption], [b.help or "" for b in found.button]


def page_words(link):
    return [*page(link)[1], *page(link)[2]]


def first_rows(link):
    shown = [len(each.value) for each in page(link)[0].dataframe]
    if 1000 not in shown:
        return []
    n = Work(Selection(data=link[5:].split("&")[0])).data.dataset.n_samples
    return [{"n": number(1000), "all": number(n)}] if n > 1000 else []


def paintable(link):
    """What is painted of twelve thousand rows, where two numbers and the class are all there is."""
    if link not in PLANES:
        return []
    X = np.random.default_rng(0).normal(size=(12_000, 2))
    return [{"n": number(len(painting_of(X, np.zeros(12_000, dtype=np.intp))))}]


def asked_for(link):
    titles = {"cart": "CART", "c45": "C4.5"}
    if "data=painted" in link:
        return []
    data, key = (part.split("=")[1] for part in link.split("&"))
    names = load_dataset(data).feature_names
    *first, last = names if len(names) < 9 else [*names[:8], f"{len(names) - 8} more"]
    return [{"title": titles[key], "names": f"{', '.join(first)} and {last}"}]


NOT_KEPT = [("nameless", 3, 2), ("storeless", 3, 2), ("full", 3, 2)]
STORED = (("stored", 3, 2), ("stored", 1, 4), ("stored", 6, 1))
SHARED = tuple(("shared", days, 1) for days in (1, 7, 12))
TREES = tuple((DecisionTreeClassifier, depth) for depth in (1, 2))
NUMBERS = tuple((DecisionTreeRegressor, depth) for depth in (1, 2, 5))
SEEN = [("c45", (), 0), ("cart", (), 0)]
STRANGE = (
    ("c45", ("pink",), 0),
    ("c45", ("pink", "grey", "pink"), 2),
    ("cart", tuple("xyzuvw"), 0),
)
UNKNOWN = (("c45", (), 1), ("c45", ("pink",), 3), ("cart", (), 2))
USUAL = (("setosa", "#D55E00"),)
PLANES = ("data=xor&m=cart", "data=moons&m=cart", "data=gauss_2d&m=cart")
PAINTED, IRIS, DIGITS = "data=painted&m=cart", "data=iris&m=c45", "data=digits&m=cart"
ROWS = [
    Kind(f"{DATA}sharing.py::_storage_words", "Kept on this server", every_kept_word, for_how_long,
         STORED, [*NOT_KEPT, SHARED[0]]),
    Kind(f"{DATA}sharing.py::file_box", "as long as this browser tab", kept_words, reason_why_not,
         tuple(NOT_KEPT), [STORED[0], SHARED[0]]),
    Kind(f"{DATA}sharing.py::file_box", "Shared with you until", kept_words, until, SHARED,
         [STORED[0], NOT_KEPT[0]]),
    Kind(f"{DATA}sharing.py::_in_use", "It is the first model now", model_words, of_model,
         (*TREES[:1], (RandomForestClassifier, 5), NUMBERS[0]), None),
    Kind(f"{DATA}score_rows.py::_notes", "has unseen categories", notes, unseen, STRANGE, SEEN),
    Kind(f"{DATA}score_rows.py::_notes", "{n} value is missing.|{n} values are missing.", notes,
         unknown, UNKNOWN, [*SEEN, STRANGE[0]]),
    Kind(f"{DATA}score_rows.py::_notes", "can be in several leaves", notes, in_parts,
         (STRANGE[0], STRANGE[1], UNKNOWN[0]), [*SEEN, STRANGE[2], UNKNOWN[2]]),
    Kind(f"{DATA}figures.py::colour_notes", "has little contrast", of_colours, faint,
         ((("setosa", "#FFFFF0"),), (("virginica", "#141414"), ("setosa", "#FDFDFD")),
          (("versicolor", "#EFEFFF"),)), [(), USUAL]),
    Kind(f"{DATA}figures.py::colour_notes", "hardly distinguish", of_colours, alike,
         ((("setosa", "#E69F01"),), (("setosa", "#884422"), ("versicolor", "#884423")),
          (*((name, "#123456") for name in ("setosa", "versicolor", "virginica")),)), [(), USUAL]),
    Kind(f"{DATA}page.py::table", "The first {n} of", page_words, first_rows,
         (DIGITS, PLANES[2], "data=waveform&m=cart"), [IRIS, PAINTED]),
    Kind(f"{DATA}painting.py::offer_to_paint", "evenly spaced", page_words, paintable, PLANES,
         [IRIS, PAINTED]),
    Kind(f"{DATA}score_rows.py::score_rows", "The file needs a header row", page_words, asked_for,
         (IRIS, DIGITS, PLANES[0]), PAINTED),
]  # fmt: skip
