"""The widget of notebooks: in a page that stands in for one, in JupyterLab and in marimo."""

import base64
import json
import subprocess
import sys
from contextlib import contextmanager, suppress
from importlib.util import find_spec

import numpy as np
import pytest
from playwright.sync_api import Error, expect
from plotly.offline import get_plotlyjs

import lastviz
from lastviz._extras import is_installed
from lastviz.plots import THEMES
from tests.patience import until

from .app import PATIENCE, ROOT, at_rest, free_port

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not is_installed("anywidget"), reason="anywidget is not installed"),
]
X = np.array([[a, b] for a in range(6) for b in range(6)], dtype=float)
Y = (X[:, 0] > 2).astype(int) + (X[:, 1] > 3)
LEAF = 4
CODE = """\
import json
from pathlib import Path
import numpy as np
import lastviz
X = np.array([[a, b] for a in range(6) for b in range(6)], dtype=float)
y = (X[:, 0] > 2).astype(int) + (X[:, 1] > 3)
model = lastviz.CARTClassifier().fit(X, y)
widget = lastviz.widget(model, X, y)
def tell(change):
    told = [widget.node, widget.rows.tolist(), widget.estimator.get_n_leaves()]
    Path("TOLD").write_text(json.dumps(told))
widget.observe(tell, ["rows", "estimator"])
"""
# A model as a notebook gives it to a widget, whose kernel is the test.
STAND_IN = """async ([esm, css, state]) => {
    document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
    const told = new EventTarget(), heard = new Map();
    const model = {
        get: (name) => state[name],
        on: (name, act) => heard.set(name, act),
        off: (name) => heard.delete(name),
        async send(message) {
            const { changed, library } = await kernel(JSON.stringify(message));
            if (library) {
                const bytes = Uint8Array.from(atob(library), (letter) => letter.charCodeAt(0));
                heard.get("msg:custom")({ library: true }, [new DataView(bytes.buffer)]);
            }
            const names = Object.keys(changed).filter((name) => changed[name] !== state[name]);
            Object.assign(state, changed);
            for (const name of names) heard.get("change:" + name)?.();
        },
    };
    const address = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
    const { default: widget } = await import(address);
    const el = document.createElement("div");
    window.leave = widget.render({ model, el });
    document.body.append(el); // as JupyterLab does, only then
}"""


def grown():
    return lastviz.CARTClassifier().fit(X, Y)


def click_region(figure, node, axis="x"):
    """Click into the middle of the area of a node."""
    figure.locator(".nsewdrag").first.wait_for()
    figure.scroll_into_view_if_needed()
    x, y = figure.evaluate(
        """(figure, [node, axis]) => {
            const { xs, ys } = figure.layout.meta.hits.find(
                (hit) => hit.node === node && hit.axis === axis);
            const plots = Object.values(figure._fullLayout._plots);
            const { xaxis, yaxis } = plots.find(({ xaxis }) => xaxis._id === axis);
            const middle = (places, [low, high]) => {
                const [least, most] = [Math.min(low, high), Math.max(low, high)];
                const seen = places.map((at) => Math.min(Math.max(at, least), most));
                return (Math.min(...seen) + Math.max(...seen)) / 2;
            };
            return [
                xaxis._offset + xaxis.d2p(middle([...xs], xaxis.range)) + 3,
                yaxis._offset + yaxis.d2p(middle([...ys], yaxis.range)) + 3,
            ];
        }""",
        [node, axis],
    )
    figure.click(position={"x": x, "y": y})


def draw_line(page, figure, x1):
    """Draw a line upright through the plane where the first feature has a value."""
    page.get_by_role("button", name="Draw a line").click()
    box = at_rest(page.locator(".lv-sheet"))
    x = box["x"] + figure.evaluate("(figure, x1) => figure._fullLayout.xaxis.d2p(x1)", x1)
    page.mouse.move(x, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(x, box["y"] + box["height"] - 20, steps=4)
    page.mouse.up()


def picture_of(widget, monkeypatch):
    """Return what a notebook keeps of a widget for readers without a kernel."""
    from lastviz.notebook import tree_widget

    kept: list[dict] = []
    monkeypatch.setattr(tree_widget, "display", lambda data, **options: kept.append(data))
    widget._ipython_display_()
    assert "application/vnd.jupyter.widget-view+json" in kept[0]
    assert "<svg" in kept[1]["image/svg+xml"]
    return kept[1]["text/html"]


def rgb(colour):
    """Return a colour as browsers say it."""
    return f"rgb({', '.join(str(part) for part in bytes.fromhex(colour[1:]))})"


def test_a_page_that_stands_in_for_a_notebook_selects_prunes_splits_and_undoes(
    browser, monkeypatch
):
    widget = lastviz.widget(grown(), X, Y)
    sent: list[bytes] = []
    widget.send = lambda content, buffers: sent.extend(buffers)

    def kernel(message):
        sent.clear()
        widget._take(widget, json.loads(message), [])
        library = base64.b64encode(sent[0]).decode() if sent else None
        return {"changed": {"_figure": widget._figure, "_bar": widget._bar}, "library": library}

    with browser.new_context(offline=True) as window:
        page, faults = window.new_page(), []
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.expose_function("kernel", kernel)
        page.set_content(picture_of(widget, monkeypatch))
        expect(page.get_by_alt_text("TreeWidget of CARTClassifier, 36 rows")).to_be_visible()
        state = {"_figure": widget._figure, "_bar": widget._bar}
        page.evaluate(STAND_IN, [widget._esm, widget._css, state])
        clicks_do_what_they_say(page, widget)
        expect(page.get_by_alt_text("TreeWidget")).to_be_hidden()
        for paper, theme in (("", "light"), ("#111", "dark"), ("", "light")):
            page.evaluate("(paper) => { document.body.style.background = paper }", paper)
            looks = page.locator(f".lv-notebook.lv-{theme}")
            expect(looks).to_have_css("background-color", rgb(THEMES[theme].paper))
            drawn = "document.querySelector('.lv-figure').layout.paper_bgcolor"
            page.wait_for_function(f"(paper) => {drawn} === paper", arg=THEMES[theme].paper)
        page.evaluate("leave()")
        assert faults == []


def clicks_do_what_they_say(page, widget):
    figure, said = page.locator(".lv-figure"), page.locator(".lv-bar [role=status]")
    leaves = widget.estimator.get_n_leaves()
    there = np.flatnonzero(grown().apply(X) == LEAF).tolist()
    click_region(figure, LEAF)
    expect(said).to_have_text(f"Node {LEAF}: {len(there)} of 36 rows")
    assert widget.node == LEAF
    assert widget.rows.tolist() == there
    click_region(figure, 1, "x2")
    expect(said).to_contain_text("Node 1: 18 of 36 rows")
    hits = "JSON.stringify(document.querySelector('.lv-figure').layout.meta.hits)"
    before = page.evaluate(hits)
    page.get_by_role("button", name="Prune here").click()
    expect(page.get_by_role("button", name="Prune here")).to_be_disabled()
    assert widget.estimator.get_n_leaves() < leaves
    page.wait_for_function(f"(before) => {hits} !== before", arg=before)
    draw_line(page, figure, 1)
    expect(page.get_by_role("button", name="Prune here")).to_be_enabled()
    (edit,) = widget.edits
    assert edit.split.feature == 0
    assert edit.split.threshold == pytest.approx(1, abs=0.05)  # where it was seen to be drawn
    assert not widget.estimator.tree_.is_leaf(1)
    draw_line(page, figure, 4)
    expect(said).not_to_contain_text("Node 1")  # one of its children would have no rows
    assert widget.edits == (edit,)
    for _ in range(2):
        page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    assert widget.edits == ()
    assert widget.estimator.get_n_leaves() == leaves


def network(library, asked):
    """Return what answers every address with plotly.js or, without it, not at all."""

    def answer(route):
        asked.append(route.request.url)
        allowed = {"access-control-allow-origin": "*"}
        route.fulfill(body=library, headers=allowed) if library else route.abort()

    return answer


def test_a_saved_picture_stays_without_a_network_and_is_live_with_one(browser):
    growth = lastviz.GrowthDisplay.from_estimator(grown(), X, Y)
    html = lastviz.show(grown(), X, Y)._repr_html_() + growth._repr_html_()
    for library in (None, get_plotlyjs()):
        with browser.new_context() as window:
            page, faults, asked = window.new_page(), [], []
            page.on("pageerror", lambda fault, faults=faults: faults.append(str(fault)))
            page.route("**/*", network(library, asked))
            page.set_content(html)
            figures = page.locator(".main-svg >> nth=0") if library else page.locator("img")
            expect(page.locator(".js-plotly-plot")).to_have_count(2 if library else 0)
            expect(page.locator("img[alt*=Display]")).to_have_count(0 if library else 2)
            expect(figures.first).to_be_visible()
            if library:
                assert page.evaluate("document.querySelectorAll('.slider-group').length") == 1
            else:
                sizes = "[...document.images].map((image) => image.complete && image.naturalWidth)"
                assert min(page.evaluate(sizes)) > 100
            assert len(asked) == 1  # once for all figures
            assert faults == []


@contextmanager
def started(*command, folder):
    """Run a server of notebooks; stop just this process."""
    with (folder / "log.txt").open("w") as log:
        environment = {**subprocess.os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
        server = subprocess.Popen(
            [sys.executable, "-m", *map(str, command)],
            cwd=folder, env=environment, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        yield
    finally:
        server.terminate()
        server.wait(30)


@pytest.mark.skipif(not find_spec("jupyterlab"), reason="jupyterlab is not installed")
def test_a_click_on_a_region_selects_its_node_in_jupyterlab(browser, tmp_path):
    source = CODE.replace("TOLD", str(tmp_path / "told")) + "widget"
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": source}
    cell |= {"outputs": [], "execution_count": None}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": [cell],
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (tmp_path / "tree.ipynb").write_text(json.dumps(whole))
    port = free_port()
    command = (
        "jupyterlab", "--no-browser", f"--port={port}", "--IdentityProvider.token=",
        "--ServerApp.allow_root=True", f"--ServerApp.root_dir={tmp_path}",
    )  # fmt: skip
    address = f"http://localhost:{port}/lab/tree/tree.ipynb"

    def run(page):
        page.locator(".jp-CodeCell .cm-content").first.click()
        page.keyboard.press("Control+Enter")

    with started(*command, folder=tmp_path):
        a_click_reaches_python(browser, address, run, tmp_path)


@pytest.mark.skipif(not find_spec("marimo"), reason="marimo is not installed")
def test_a_click_on_a_region_selects_its_node_in_marimo(browser, tmp_path):
    lines = CODE.replace("TOLD", str(tmp_path / "told")).splitlines()
    body = "".join(f"    {line}\n" for line in (*lines, "widget", "return"))
    made = f"import marimo\napp = marimo.App()\n\n@app.cell\ndef _():\n{body}"
    (tmp_path / "tree.py").write_text(made)
    port = free_port()
    command = ("marimo", "run", "tree.py", "--headless", "--no-token", f"--port={port}")
    address = f"http://localhost:{port}"
    with started(*command, folder=tmp_path):
        a_click_reaches_python(browser, address, lambda page: None, tmp_path)


def a_click_reaches_python(browser, address, run, folder):
    with browser.new_context() as window:
        page = window.new_page()
        page.set_default_timeout(PATIENCE)
        opened(page, address)
        run(page)
        click_region(page.locator(".lv-figure"), LEAF)
        expect(page.locator(".lv-bar [role=status]")).to_contain_text(f"Node {LEAF}: ")
        there = np.flatnonzero(grown().apply(X) == LEAF).tolist()
        assert json.loads((folder / "told").read_text())[:2] == [LEAF, there]
        click_region(page.locator(".lv-figure"), 1, "x2")
        expect(page.locator(".lv-bar [role=status]")).to_contain_text("Node 1: ")
        page.get_by_role("button", name="Prune here").click()
        expect(page.get_by_role("button", name="Prune here")).to_be_disabled()
        assert json.loads((folder / "told").read_text())[2] < grown().get_n_leaves()


def opened(page, address):
    """Go to an address once a server answers there."""

    def answers():
        with suppress(Error):
            page.goto(address)
            return True
        return False

    until(answers, why=address)
