"""Statements about what is compared: studies, two models over each other, papers beside ours."""

from io import BytesIO
from types import SimpleNamespace
from unittest.mock import MagicMock, patch

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from lastviz.datasets import Dataset
from lastviz.estimators import ESTIMATORS
from lastviz.export.blocks import Columns, Picture
from lastviz.plots import number
from lastviz.studies import reproduction
from lastviz.studies.kept_data import unpack_dataset
from lastviz.studies.metrics import METRICS as KNOWN_METRICS
from lastviz.studies.published import published_cells
from lastviz.studies.study import study_of
from lastviz.studies.tasks import plan
from lastviz.ui.compare import controls, page
from lastviz.ui.compare import example as example_page
from lastviz.ui.components import paint
from lastviz.ui.compute.work import Work
from lastviz.ui.shared import difference, naming
from lastviz.ui.shared.difference import difference_of, who_is_right
from lastviz.ui.shared.figures import plane_of
from lastviz.ui.text import as_plain
from tests.sentences.of_work import at, refusals
from tests.sentences.pages import on_page
from tests.sentences.rows import Look, count, drawn, percent, selected

COMPARE, SHARED = "ui/compare/", "ui/shared/"
SETS = ("Iris", "Wine", "Breast cancer", "Waveform", "Two Gaussians", "Twonorm")


# Files and papers


def unreadable(content):
    if not content:
        return []
    try:
        pq.read_table(BytesIO(content), use_threads=False)
    except pa.ArrowInvalid as error:
        return [{"error": error}]
    return []


def packed_table(scene):
    if scene == b"":
        return
    unpack_dataset(scene)


def reasons(scene):
    paper, name = scene
    cell = next(c for c in published_cells(paper) if c.dataset == name)
    with patch.object(reproduction, "all_datasets", dict):
        return reproduction.reasons_of(cell)


def put_file(scene):
    """Sets that come neither with the package nor by a generator, and their files."""
    return [{"file": FILES[scene]}] if scene in FILES else []


def at_openml(scene):
    return [{"number": NUMBERS[scene]}] if scene in NUMBERS else []


FILES = {("mcdf", "breast_w"): "breast-w", ("mcdf", "car"): "car", ("sodt", "pima"): "pima"}
NUMBERS = {("mcdf", "breast_w"): 15, ("mcdf", "car"): 40975, ("sodt", "pima"): 37}
MARKED = ["1.234", "2.345", "3.456", "10.500"]


def thousands(text):
    """All numbers have three digits after a single mark, so that it may be either."""
    lines = [line.split(";") for line in text.splitlines()]
    cells = [line[0] for line in lines[1:]]
    doubtful = all(len(c.split(mark)) == 2 and len(c.split(mark)[1]) == 3 for c in cells
                   for mark in [next((m for m in ".," if m in c), "?")])  # fmt: skip
    return [{"name": lines[0][0], "example": cells[0]}] if doubtful else []


def why_not(scene):
    folds, n = scene
    table = Dataset(pd.DataFrame({"x": np.arange(n)}), pd.Series(np.arange(n) % 2, name="y"))
    text = f'folds = {folds}\n[[algorithms]]\nkey = "cart"\n[[datasets]]\nkey = "a"'
    study = study_of(text, ["a"])
    (cell,), _ = plan(study, {"a": table})
    return [cell.reason] if cell.reason else []


def too_few_rows(scene):
    """Every fold is to hold two rows at least."""
    folds, n = scene
    return [{"folds": folds, "least": folds + folds, "n": n}] if n // 2 < folds else []


PAPERS = [
    at("studies/tasks.py::_why_not", "folds need at least", why_not, too_few_rows,
       ((10, 19), (2, 3), (5, 4)), [(10, 20), (2, 4)]),
    at("studies/kept_data.py::_unreadable", "The stored table cannot be read",
       refusals(packed_table), unreadable, (b"x", b"PAR1PAR1", b"nothing of it"), b""),
    at("studies/reproduction.py::reasons_of", "Put {file}.csv", reasons, put_file, tuple(FILES),
       ("sodt", "twonorm")),
    at("studies/reproduction.py::reasons_of", "OpenML has it", reasons, at_openml, tuple(NUMBERS),
       ("sodt", "twonorm")),
]  # fmt: skip


# A study and its pictures


def drafted(link):
    return list(controls.draft_of(Work(selected(link)), None).problems)


def no_set(link):
    key = link.split("compared_on=")[1]
    return [{"key": key}] if key.startswith("no_") else []


def example(metric):
    """The page of the finished study, by a metric; another page where there is none."""
    if metric is None:
        return []
    return on_page("compare")(f"study=example&metric={metric}")


def on_slide(metric):
    if metric is None:
        return []
    with patch.object(page, "MOST_PANELS", 0):  # as of more data sets: one picture shows them all
        blocks = page.slide_blocks(Work(selected(f"study=example&metric={metric}")), "light")
    columns = [block.columns for block in blocks if isinstance(block, Columns)]
    flat = [*blocks, *(each for block in columns for column in block for each in column)]
    return [each.alt for each in flat if isinstance(each, Picture)]


def of_metric(metric):
    titles = {"accuracy": "accuracy, %", "balanced_accuracy": "balanced accuracy, %",
              "leaves": "leaves"}  # fmt: skip
    return [{"what": titles[metric]}] if metric else []


def ranked(metric):
    return [{"n": f"{len(SETS)} data sets"}] if metric else []


def example_study(draw, scene):
    """A finished study, as the example is drawn: its data sets, algorithms, folds and metric."""
    sets, algorithms, repeats, folds, metric = scene
    named = [SimpleNamespace(name=f"n{k}") for k in range(max(sets, algorithms))]
    study = SimpleNamespace(datasets=named[:sets], algorithms=named[:algorithms], repeats=repeats,
                            folds=folds, seed=repeats + 1)  # fmt: skip
    shown = SimpleNamespace(study=study, metric=KNOWN_METRICS[metric], theme="light")
    quiet = {"show": MagicMock(), "in_short": MagicMock(), "compare_legend": MagicMock()}
    with patch.multiple(example_page, **quiet):
        given = study if draw is example_page.example_choices else shown
        return drawn("ui.compare.example", draw, given)


def fits(scene):
    _, _, repeats, folds, _ = scene
    return [{"folds": folds, "repeats": repeats, "seed": repeats + 1}]


def mean_of(scene):
    _, _, repeats, folds, metric = scene
    what = {"accuracy": "accuracy, %", "leaves": "leaves", "log_loss": "log loss, nats"}[metric]
    return [{"what": what, "n": sum([folds] * repeats)}]


EXAMPLES = ((6, 6, 3, 10, "accuracy"), (2, 3, 1, 5, "leaves"), (4, 1, 2, 7, "log_loss"))
METRICS = ("accuracy", "balanced_accuracy", "leaves")
STUDIES = [
    at(f"{COMPARE}controls.py::_dataset", "is not known here", drafted, no_set,
       ("compared_on=no_set", "compared_on=no_a", "compared_on=no_x"), "compared_on=iris"),
    at(f"{COMPARE}blocks.py::ranks", "a bar joins algorithms", example, ranked, METRICS, None),
    at(f"{COMPARE}blocks.py::intervals", "with its interval", on_slide, of_metric,
       METRICS, None),
    at(f"{COMPARE}report.py::exports", "for the command line", example,
       lambda metric: [{"command": "`python -m lastviz.studies run study.toml`"}] if metric else [],
       METRICS, None),
    at(f"{COMPARE}example.py::example_choices", "computed beforehand",
       lambda scene: example_study(example_page.example_choices, scene) if scene else [],
       lambda scene: fits(scene) if scene else [], EXAMPLES, None),
    at(f"{COMPARE}example.py::example_head", "Example study, finished",
       lambda scene: example_study(example_page.example_head, scene) if scene else [],
       lambda scene: mean_of(scene) if scene else [], EXAMPLES, None),
]  # fmt: skip


# Two models over each other


def panel(link):
    if not link:
        return []
    found = _found(selected(link))
    quiet = {"show": MagicMock(), "_rows": MagicMock(), "_by_classes": MagicMock()}
    with patch.multiple(difference, **quiet):
        return drawn("ui.shared.difference", difference.difference_panel, found, "light")


def plane(link):
    """The alternative text of the plane of both, and what is said below it."""
    blocks = difference.plane_blocks(_found(selected(link)), "light") if link else []
    return [getattr(block, "alt", None) or block.text for block in blocks]


def _found(selection):
    return difference_of(Work(selection), (0, 1), plane_of(Work(selection)))


def titles(link):
    return [ESTIMATORS[model.key].title for model in selected(link).models]


def unequal(link):
    """The share of the window in which two trees differ, counted on a grid of places."""
    if not link:
        return []
    found = _found(selected(link))
    first, second = Look(link), Look(link, 1)
    low_x, high_x, low_y, high_y = found.overlay.bounds
    at_rest = found.plane.at
    n, apart = 300, 0
    for i in range(n):
        for j in range(n):
            x = np.array(at_rest, dtype=float)
            x[list(found.plane.features)] = (low_x + (i + 0.5) / n * (high_x - low_x),
                                             low_y + (j + 0.5) / n * (high_y - low_y))  # fmt: skip
            apart += first.class_at(x) != second.class_at(x)
    assert abs(apart / n**2 - found.overlay.share) < 0.005
    a, b = titles(link)
    return [{"a": a, "b": b, "share": percent(found.overlay.share)}]


def of_two(link):
    if not link:
        return []
    a, b = titles(link)
    return [{"a": a, "b": b}]


def ensembles(link):
    forests = [t for t in titles(link) if t in ("MCDF", "AdaBoost.M1", "Monotone boosting")]
    return [{"title": forests[0]}] if forests else []


def node_by_node(link):
    if ensembles(link):
        return []
    diff, found = _found(selected(link)).diff, []
    for place, title in enumerate(titles(link)):
        tree = Look(link, place).tree
        alone = sum(1 for n in range(tree.n_nodes) if n in set(diff.only(place)))
        nodes = count(tree.n_nodes, "node", "nodes")
        found.append({"title": title, "n": nodes, "alone": number(alone)})
    return found


def no_step(link):
    key, step = link.split("scene=")[1].split(".")
    there = {"nominal": 3}.get(key, 0)
    return [{"key": key, "n": int(step)}] if int(step) > there else []


def full_canvas(most):
    if most is None:
        return []
    component = MagicMock()
    with patch.multiple(paint, MOST_PAINTED=most, _component=lambda: component):
        paint.paint_canvas("", key="p", theme="light", heights=None, on_painted=MagicMock())
    return [component.call_args.kwargs["data"]["words"]["full"]]


def sidecar(scene):
    strange, name = scene
    state = {}
    quiet = {"st": SimpleNamespace(session_state=state), "session": MagicMock(),
             "read_sidecar": lambda *_: ({}, None), "pack_labels": lambda _: "",
             "_strange": lambda *_: list(strange), "_roles": lambda *_: {}}  # fmt: skip
    with patch.multiple(naming, **quiet):
        naming.take_sidecar(b"{}", name)
    return [state[naming.FAULT] or ""]


def fits_nothing(scene):
    strange, name = scene
    if not strange:
        return []
    named = [f"“{part}”" for part in strange]
    words = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    return [{"file": name, "names": words}]


def judges(link):
    return [as_plain(told) for told in who_is_right(_found(selected(link)))] if link else []


def judged(link):
    """Held-out rows that the two take for different classes, counted row by row."""
    if not link:
        return []
    first, second = Look(link), Look(link, 1)
    called = [(first.class_at(first.values[i]), second.class_at(first.values[i]), first.y[i])
              for i in first.held]  # fmt: skip
    apart = [(a == y, b == y) for a, b, y in called if a != b]
    right = [sum(each) for each in zip(*apart, strict=True)] or [0, 0]
    a, b = titles(link)
    values = {"n": len(apart), "a": a, "b": b, "right_a": right[0], "right_b": right[1]}
    return [values] if apart else []


PAIRS = ("data=moons&m=cart&m2=c45", "data=iris&m=cart&m2=c45", "data=wine&m=c45&m2=cart")
FORESTS = tuple(f"data=monotone&n_samples=60&m=remt&m2={key}" for key in
                ("mcdf", "adaboost_m1", "monotone_boosting"))  # fmt: skip
MODELS = [
    at(f"{SHARED}difference.py::who_is_right", "{n} held-out row:|{n} held-out rows:", judges,
       judged, PAIRS, ""),
    at(f"{SHARED}difference.py::plane_blocks", "Grey: the two differ", plane, of_two, PAIRS, ""),
    at(f"{SHARED}difference.py::plane_blocks", "in grey where they differ", plane, unequal, PAIRS,
       ""),
    at(f"{SHARED}difference.py::difference_panel", "is an ensemble", panel, ensembles, FORESTS,
       PAIRS[0]),
    at(f"{SHARED}difference.py::_trees", "have no counterpart", panel, node_by_node, PAIRS,
       FORESTS[0]),
    at(f"{SHARED}course_strip.py::course_strip", "The course has no step", on_page("boundaries"),
       no_step, ("scene=overfit.1", "scene=nothing.2", "scene=nominal.9"), "scene=nominal.1"),
    at("ui/components/paint.py::paint_canvas", "A painting has at most", full_canvas,
       lambda most: [{"n": number(most)}] if most else [], (1000, 20, 5), None),
    at(f"{SHARED}naming.py::take_sidecar", "nothing here fits", sidecar, fits_nothing,
       ((("a",), "t.json"), (("a", "b"), "u.json"), (("x", "y", "z"), "v.json")), ((), "t.json")),
]  # fmt: skip
TESTED = {
    "ui/components/chart_code.py::words_of_chart": (
        "test_a_long_table_says_how_many_rows_it_leaves_out",
    ),
}
ROWS = [*PAPERS, *STUDIES, *MODELS]
