"""A page saved as one file without a server moves, and takes rows, with the numbers of the app."""

import functools
import json
import re
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from lastviz import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    GSODTClassifier,
    ID3Classifier,
    OC1Classifier,
)
from lastviz.datasets import load_dataset
from lastviz.export.blocks import Live, PageFile, Section
from lastviz.export.page_file import CLEAR, as_page, file_text, plain_figure
from lastviz.export.tree_json import live_tree
from lastviz.inspection import growth_frames
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.page_file import blocks_of
from lastviz.ui.story.rendering import PICTURED
from tests.exits import EXITS
from tests.sentences.rows import selected

from .app import sampled, saved_page

pytestmark = pytest.mark.e2e
SCENES = {
    "data": "data=moons", "boundaries": "data=moons&m=cart&m2=c45", "growth": "data=moons&m=cart",
    "splits": "data=xor&m=cart", "latent": "data=iris&m=gsodt", "rules": "data=wine&m=cart",
    "pruning": "data=iris&m=cart", "monotone": "data=five_rows&held=0&m=remt&m.min_gain=0",
    "textbook": "", "papers": "paper_table=svm_tree1", "compare": "study=example",
}  # fmt: skip
MOVING = ("boundaries", "rules", "splits", "pruning")
# Where a page says in words what its slider does, and the field of a link for a stop.
NUMBERS = {"boundaries": (".lv-head", "depth"), "pruning": (".lv-cut-back", "cut_at")}
LIGHT = "(i) => sections[0].drawn[i].light"
HIGHEST = """() => Math.max(...[...document.querySelectorAll("section .picture")].map(
    (picture) => picture.getBoundingClientRect().height))"""
SLIDER = ".move input[type=range]"


@pytest.fixture
def saved(open_page, tmp_path):
    """Return ``saved(page)``: the file that a page of the app saves."""

    def save(name):
        page = open_page(f"/{name}?{SCENES[name]}")
        file = saved_page(page, tmp_path)
        assert file.name == f"lastviz-{name}.html"
        assert file.stat().st_size <= 3_000_000
        return file

    return save


def test_each_page_with_pictures_has_its_scene():
    assert set(SCENES) == set(PICTURED) == set(EXITS["page as a file"].pages) - {"story"}


def go_to(at, stop):
    """Move the slider as a reader does by keys; return what it says."""
    slider = at.locator(SLIDER)
    slider.press("Home")
    for _ in range(stop):
        slider.press("ArrowRight")
    return at.locator(".move output").inner_text()


def words_at(at, where):
    pieces = at.locator(where).all_text_contents()  # in narrow places some are not seen
    return [" ".join(re.sub(r"(trained|read) in \S+ ms", "", each).split()) for each in pieces]


@pytest.mark.parametrize("name", sampled([*SCENES], "boundaries", "pruning"))
def test_an_offline_page_says_what_the_app_says(name, saved, alone, open_page):
    alone.goto(f"file://{saved(name)}")
    alone.wait_for_selector('html[data-shown="1"]')
    n_drawn = alone.evaluate("sections[0].drawn.length")
    assert n_drawn
    n_plots = alone.evaluate("sections[0].drawn.filter((part) => part.kind === 'picture').length")
    assert alone.locator("section .picture .main-svg").count() >= n_plots
    if name == "textbook":  # its sums come first
        return
    assert not n_plots or alone.evaluate(HIGHEST) > alone.viewport_size["height"] / 4
    if name not in MOVING:
        assert alone.locator(SLIDER).count() == 0
        return

    stops = PICTURED[name].moving(Work(selected(SCENES[name]))).stops
    assert alone.locator(SLIDER).get_attribute("max") == str(len(stops) - 1)
    for i in sorted({0, len(stops) // 2, len(stops) - 1}):
        word, there, _ = stops[i]
        assert go_to(alone, i) == word
        wanted = [
            plain_figure(block.figure, CLEAR)
            for block in _pictures(blocks_of(there, name, PICTURED[name], "light"))
        ]
        drawn = [alone.evaluate(LIGHT, k) for k in range(len(wanted))]
        assert drawn == json.loads(json.dumps(wanted))
        if name in NUMBERS:
            where, field = NUMBERS[name]
            value = there.selection.value(field)
            query = SCENES[name] if value is None else f"{SCENES[name]}&{field}={value!r}"
            app = open_page(f"/{name}?{query}")
            assert words_at(alone, f".flow {where}") == words_at(app, where)


def _pictures(blocks):
    for block in blocks:
        if block.kind == "columns":
            for column in block.columns:
                yield from _pictures(column)
        elif block.kind == "picture":
            yield block


def test_a_growth_counts_offline_what_the_tree_so_far_gets_wrong(saved, alone):
    alone.goto(f"file://{saved('growth')}")
    alone.wait_for_selector('html[data-shown="1"]')
    model = Work(selected(SCENES["growth"])).first
    estimator, division = model.estimator, model.division
    frames, tree = growth_frames(estimator), estimator.grown_tree_
    rows = division.train_rows
    leaf = tree.apply(division.values[rows])
    scrub = alone.locator(".growth .lvg-transport input[type=range]")
    put = "(input, step) => { input.value = step; input.dispatchEvent(new Event('input')); }"
    for step in range(frames.n_frames):
        scrub.evaluate(put, step)
        first = frames.first_child[step]
        stops = [next(node for node in tree.path(end) if first[node] < 0) for end in leaf.tolist()]
        n_wrong = int((tree.prediction[stops] != division.y[rows]).sum())
        n_leaves = sum(first[node] < 0 for node in frames.alive(step))
        strip = alone.locator(".growth .lv-strip > div")
        for label, n in (("leaves so far", n_leaves), ("training errors so far", n_wrong)):
            number = strip.filter(has_text=label).locator("b").inner_text()
            assert number.split()[0] == str(n), (step, label)


def test_an_offline_page_lives_in_a_frame_that_may_only_run_scripts(saved, browser, tmp_path):
    file = saved("boundaries").name
    frame = f'<iframe sandbox="allow-scripts" src="{file}" width=900 height=700></iframe>'
    (tmp_path / "host.html").write_text(frame)
    handler = functools.partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/host.html")
        inside = page.frame_locator("iframe")
        expect(inside.locator("section .picture .main-svg").first).to_be_attached()
        head = words_at(inside, ".flow .lv-head")
        assert go_to(inside, 0) == "0"
        expect(inside.locator(".flow .lv-head").first).to_contain_text("50.0 % (60 of 120)")
        assert words_at(inside, ".flow .lv-head") != head
        inside.get_by_text("Type a row for CART").click()
        inside.get_by_label("x1").fill("0.2")
        expect(inside.get_by_role("status").filter(has_text="Predicted")).to_be_visible()
        page.close()
        server.shutdown()


def loan():
    dataset = load_dataset("loan")
    return dataset.X, np.asarray(dataset.y)


def lacking():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(200, 4)).round(2), rng.integers(0, 3, 200)
    y[X[:, 0] > 0.2] = 1
    X[rng.random(X.shape) < 0.15] = np.nan
    return pd.DataFrame(X, columns=list("abcd")), y


def numbers():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(150, 3)).round(3)
    return pd.DataFrame(X, columns=list("pqr")), (X[:, 0] > 0) + rng.integers(0, 2, 150)


TREES = {
    "CART": (CARTClassifier(max_depth=6), numbers),
    "CART, nominal": (CARTClassifier(), loan),
    "CART, missing": (CARTClassifier(max_depth=6), lacking),
    "C4.5, in parts": (C45Classifier(), lacking),
    "ID3": (ID3Classifier(), loan),
    "OC1": (OC1Classifier(max_depth=4), numbers),
    "GSODT": (GSODTClassifier(), numbers),
    "numbers": (CARTRegressor(max_depth=5), numbers),
}


@pytest.mark.parametrize("name", TREES)
def test_typed_rows_go_where_the_tree_sends_them(name, alone):
    model, data = TREES[name]
    X, y = data()
    tree = model.fit(X, y).tree_
    labels = () if tree.is_regression else [str(label) for label in tree.classes]
    alone.goto("about:blank")
    alone.add_script_tag(content=file_text("live.js"))
    tests = live_tree(tree, name, labels, [""] * X.shape[1])
    assert json.loads(json.dumps(tests, allow_nan=False))["features"] == list(X.columns)
    rows = [
        ["" if known and value != value else str(value) if known else
         (None if value != value else float(value))
         for value, known in zip(row, tree.feature_categories, strict=True)]
        for row in X.to_numpy(dtype=object)
    ]  # fmt: skip
    said = alone.evaluate(
        """([tree, rows]) => rows.map((row) => outcomeOf(tree, followed(tree,
            row.map((value) => (value === null ? NaN : value)), new Set()).ends))""",
        [tests, rows],
    )
    predicted = model.predict(X)
    if tree.is_regression:
        np.testing.assert_array_equal(np.array(said, dtype=float), predicted)
    else:
        assert said == [str(each) for each in predicted]


def typed(page, **values):
    """Type values of a row; return the answer."""
    for name, value in values.items():
        page.get_by_label(name, exact=True).fill(value)
    return page.locator(".answer").inner_text()


def test_a_typed_row_is_answered_or_what_it_lacks_is_named(alone, tmp_path):
    whole, parted = CARTClassifier(max_depth=4), C45Classifier()
    for name, model, data in (("whole", whole, numbers), ("parted", parted, lacking)):
        X, y = data()
        tree = model.fit(X, y).tree_
        usual = [0.1] * X.shape[1]
        live = Live(tree=live_tree(tree, name, [f"class {k}" for k in tree.classes], usual))
        section = Section("Where does it go?", live=live)
        (tmp_path / f"{name}.html").write_text(as_page(PageFile("rows", [section], turns=True)))

    tree = whole.tree_
    alone.goto(f"file://{tmp_path / 'whole.html'}")
    alone.get_by_text("Type a row for whole").click()
    names = [tree.feature_names[f] for f in np.unique(tree.feature[tree.n_children > 0])]
    for value in (-1.0, 0.1, 0.8):
        answer = typed(alone, **dict.fromkeys(names, str(value)))
        (leaf,) = tree.apply(np.array([[value if n in names else 0.1 for n in tree.feature_names]]))
        n = tree.n_node_samples[leaf]
        outcome = f"class {tree.classes[tree.prediction[leaf]]}"
        assert answer == f"Predicted: {outcome}. Training rows there: {n}."
        assert alone.locator(".rows li").count() == tree.depth[leaf]
    root = tree.feature_names[tree.feature[0]]
    row = [0.8 if n in names else 0.1 for n in tree.feature_names]
    row[tree.feature[0]] = np.nan  # goes where most training rows went
    (leaf,) = tree.apply(np.array([row]))
    outcome, n = f"class {tree.classes[tree.prediction[leaf]]}", tree.n_node_samples[leaf]
    assert typed(alone, **{root: ""}) == f"Predicted: {outcome}. Training rows there: {n}."
    assert typed(alone, **{root: "high"}).startswith(f"{root} takes a number, or nothing")
    assert alone.locator(".rows li").count() == 0

    tree = parted.tree_
    alone.goto(f"file://{tmp_path / 'parted.html'}")
    alone.get_by_text("Type a row for parted").click()
    root = tree.feature_names[tree.feature[0]]
    row = np.array([[np.nan if n == root else 0.1 for n in tree.feature_names]])
    _, leaves, _ = tree.leaf_weights(row)
    assert len(leaves) > 1
    outcome = f"class {parted.predict(pd.DataFrame(row, columns=tree.feature_names))[0]}"
    said = (
        f"Predicted: {outcome}. A value is missing: the row goes to {len(leaves)} leaves in parts."
    )
    assert typed(alone, **{root: ""}) == said
