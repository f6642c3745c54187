"""Pages for readers: their Python runs, their links lead somewhere, the site is built whole."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from babel.messages.pofile import read_po

from docs.blocks import blocks_of, run
from docs.notebook import notebook_of
from lastviz import C45Classifier
from lastviz._numba import wait_for_machine_code
from lastviz.criteria import CRITERIA, unregister_criterion
from lastviz.estimators import ESTIMATORS, REGRESSORS
from lastviz.host import jobs
from lastviz.studies.study import study_of
from tests.calls import files_entered
from tests.patience import LONG
from tests.ui.conftest import opened

from .needed import needs
from .tables.spreadsheets import workbook

ROOT = Path(__file__).resolve().parent.parent
OTHERS = ("README.md", "CHANGELOG.md", "sample_data/README.md", "benchmarks/README.md")
PAGES = [
    *(ROOT / name for name in OTHERS),
    *sorted((ROOT / "deploy").glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "docs/llms.txt",
]
# Blocks that are no Python: those of a terminal, figures, and what the site is told.
OTHER_LANGUAGES = {"", "sh", "json", "po", "toml"}
# Its blocks are parts of files; tests/test_adding.py puts them there.
PARTS = ROOT / "docs/adding.md"
RUNNABLE = [p for p in PAGES if p != PARTS and blocks_of(p.read_text(encoding="utf-8"))]
FIGURES = 7  # of the guide
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(?:#([^)]*))?\)")


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def prose(page):
    """A page without its blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(page):
    """What a link may name within a page: its headings, as sites write them, and its labels."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.M)
    slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}
    return slugs | set(re.findall(r"^\(([\w-]+)\)=$", prose(page), re.M))


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder to run in, with the files that pages read; criteria of pages go again."""
    monkeypatch.chdir(tmp_path)
    rows = [["Sales"], ["of a year"], ["since", "sum"], ["2024-01-05", "1,5"], ["2024-03-01", "2"]]
    (tmp_path / "book.xlsx").write_bytes(workbook({"Sales": rows}))
    shutil.copy(ROOT / "tests/fixtures/foreign/lightgbm_two.txt", tmp_path / "model.txt")
    before = set(CRITERIA)
    yield tmp_path
    for name in set(CRITERIA) - before:
        unregister_criterion(name)


@pytest.mark.parametrize("page", RUNNABLE, ids=name_of)
def test_every_block_of_a_page_runs(page, place):
    names = {"__name__": "__main__"}
    for block in blocks_of(page.read_text(encoding="utf-8")):
        try:
            run(block.code, names)
        except Exception as error:
            raise AssertionError(f"{name_of(page)}, line {block.line}") from error


def test_the_guide_says_numbers_that_its_blocks_print(place):
    names, printed = {"__name__": "__main__"}, ""
    text = (ROOT / "docs/guide.md").read_text(encoding="utf-8")
    figures = 0
    for block in blocks_of(text):
        said, value = run(block.code, names)
        printed, figures = printed + said, figures + hasattr(value, "_repr_html_")
    assert figures == FIGURES
    assert f"{names['tree'].tree_.n_leaves} leaves, {names['changed'].tree_.n_leaves}" in printed
    assert names["tree"].tree_.n_leaves != names["changed"].tree_.n_leaves


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_within_the_project_lead_somewhere(page):
    links = [link for link in LINK.findall(prose(page)) if not re.match(r"[a-z]+:", link[0])]
    assert [file for file, _ in links if not (page.parent / file).exists()] == []
    within = [(page.parent / file if file else page, anchor) for file, anchor in links if anchor]
    assert [(name_of(p), anchor) for p, anchor in within if anchor not in anchors(p)] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_is_of_a_kind_that_is_tried(page):
    """Python is run, here or by tests/test_adding.py; a study, JSON and catalogues are read."""
    fences = re.findall(r"^```([^\n`]*)$", page.read_text(encoding="utf-8"), re.M)[::2]
    kinds = {fence.strip() for fence in fences if not fence.startswith("{")}
    assert kinds <= OTHER_LANGUAGES | {"python"}
    for block in blocks_of(page.read_text(encoding="utf-8"), "json"):
        assert json.loads(block.code)
    for block in blocks_of(page.read_text(encoding="utf-8"), "po"):
        assert len(read_po(StringIO(block.code), abort_invalid=True))


def test_the_study_that_is_shown_can_be_read(tmp_path, monkeypatch):
    (tmp_path / "cars.csv").write_text("a,b,class\n1,2,x\n2,1,y\n3,3,x\n")
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    (block,) = blocks_of((ROOT / "docs/studies.md").read_text(encoding="utf-8"), "toml")
    study = study_of(block.code)
    assert [choice.key for choice in study.algorithms] == ["c45", "gsodt", "k_nn"]
    assert (study.repeats, study.protocol) == (10, "nested")


def test_commands_that_pages_name_are_there():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        targets = set(re.findall(r"(?:^|`)make ([a-z][a-z-]*)(?=[`\s]|$)", text, re.M))
        known = {t for t in targets if re.search(rf"^{t}:", makefile, re.M)}
        assert targets - known == set(), name_of(page)
        for module in re.findall(r"python -m ((?:lastviz|benchmarks|docs)[\w.]*)", text):
            assert find_spec(module) is not None, (name_of(page), module)


@pytest.mark.parametrize("name", ["guide", "gallery"])
def test_a_page_is_a_notebook_too(name):
    text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    assert text.startswith("---\nlive: true\n---\n")  # which the site offers as a notebook
    found = json.loads(notebook_of(text))
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    code = ["".join(c["source"]) for c in found["cells"] if c["cell_type"] == "code"]
    assert code == [block.code.strip("\n") for block in blocks_of(text)]
    words = "".join("".join(c["source"]) for c in found["cells"] if c["cell_type"] == "markdown")
    assert words.startswith("# ")
    assert ".md" not in words  # a notebook is alone
    assert len({cell["id"] for cell in found["cells"]}) == len(found["cells"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["guide", "gallery"])
def test_jupyter_runs_the_notebook_and_shows_its_figures(name, tmp_path):
    needs("nbclient", "nbclient")
    needs("ipykernel", "ipykernel")
    from nbclient import NotebookClient
    from nbformat import reads, validate

    text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    notebook = reads(notebook_of(text), as_version=4)
    validate(notebook)
    place = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=LONG, resources=place).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = [output for cell in cells for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    figures = [o for o in outputs if "application/vnd.plotly.v1+json" in o.get("data", ())]
    assert len(figures) >= FIGURES


def test_every_algorithm_has_a_page_with_all_its_parts():
    folder = ROOT / "docs/algorithms"
    texts = {p.stem: p.read_text(encoding="utf-8") for p in folder.glob("*.md")}
    index = texts.pop("index")
    everything = " ".join(texts.values())
    classes = [entry.cls for entry in (ESTIMATORS | REGRESSORS).values()]
    assert [cls.__name__ for cls in classes if cls.__name__ not in everything] == []
    departing = [cls for cls in classes if "Deviation:" in (cls.__doc__ or "")]
    assert len(departing) > 8
    listed = {f"{{deviations}} lastviz.{cls.__name__}" for cls in departing}
    listed |= {f"{{facts}} lastviz.{cls.__name__}" for cls in classes}
    assert [each for each in listed if each not in everything] == []
    parts = ("**Idea.**", "**Formula.**", "**Decisions.**", "**What reproduces.**", "{deviations}")
    assert [(name, p) for name, text in texts.items() for p in parts if p not in text] == []
    assert [name for name in texts if f"({name}.md)" not in index] == []


@pytest.mark.parametrize("entry", (ESTIMATORS | REGRESSORS).values(), ids=lambda e: e.key)
def test_an_algorithm_says_its_parameters_complexity_and_references(entry):
    live = pytest.importorskip("docs.live", reason="the site's own packages are not installed")
    cls = entry.cls
    lines = live.facts_of(cls)
    rows = [line for line in lines if line.startswith("| `")]
    assert len(rows) == len(cls.PARAMS) + len(cls.OTHER_PARAMS)
    assert [row for row in rows if row.endswith("|  |")] == []
    assert any("O(" in line for line in lines)
    assert all(re.search(r"\d{4}|Statistical", line) for line in live.section_of(cls, "References"))
    assert len(live.section_of(cls, "References")) > 0


@pytest.mark.parametrize("name", ["CARTLCClassifier", "TAOClassifier", "GSODTClassifier"])
def test_where_the_order_of_rows_can_matter_is_said(name):
    (cls,) = (entry.cls for entry in ESTIMATORS.values() if entry.cls.__name__ == name)
    assert "The order of the rows can" in " ".join(cls.__doc__.split())


DEPARTURES = {
    "MCDFClassifier": ("E of eq 3 is 0.039, where the paper has 1.2",),
    "GSODTClassifier": ("figure 2 joins", 'pruning="error_based_normal"', "average_gain"),
    "CARTClassifier": ("A = a",),
    "HybridTreeClassifier": ("brackets", "CSN is measured as the features are scaled at the node"),
}


@pytest.mark.parametrize("name", DEPARTURES)
def test_departures_that_change_results_are_said(name):
    (cls,) = (entry.cls for entry in ESTIMATORS.values() if entry.cls.__name__ == name)
    said = re.findall(r"Deviation: (?:.(?!\n\n))*", cls.__doc__, re.S)
    said = " ".join(" ".join(said).split())
    assert [part for part in DEPARTURES[name] if part not in said] == []


def test_every_page_stands_in_a_list_of_the_site():
    listed = " ".join(
        (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("index.md", "more.md")
    ).split()
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"}
    assert sorted(pages - set(listed)) == []


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_needs_no_network(tmp_path):
    needs("sphinx", "Sphinx")
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
    shutil.rmtree(ROOT / "docs/api/made", ignore_errors=True)  # of names that may be gone
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*build, "-d", str(tmp_path / "trees"), str(ROOT / "docs"), str(tmp_path / "site")],
        env={**os.environ, **nowhere}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    pages = {p: p.read_text(encoding="utf-8") for p in (tmp_path / "site").rglob("*.html")}
    assert len(pages) > 300
    loaded = re.compile(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?//')
    assert [p.name for p, text in pages.items() if loaded.search(text)] == []
    places = {p.resolve(): set(re.findall(r'\bid="([^"]+)"', text)) for p, text in pages.items()}
    dead = []
    for page, text in pages.items():
        for link, anchor in re.findall(r'<a[^>]*href="([^"#:]*)(?:#([^"]*))?"', text):
            file = (page.parent / link).resolve() if link else page.resolve()
            if not file.exists() or (anchor and unquote(anchor) not in places.get(file, (anchor,))):
                dead.append((page.name, link, anchor))
    assert dead == []
    for name in ("guide", "gallery"):
        assert json.loads((tmp_path / "site" / f"{name}.ipynb").read_text(encoding="utf-8"))
    guide = pages[tmp_path / "site" / "guide.html"]
    assert guide.count('class="figure-of-block"') == FIGURES
    assert "plotly.min.js" in guide
    assert "plotly.min.js" not in pages[tmp_path / "site" / "more.html"]


def test_the_walk_through_the_house_leads_to_files_and_names_that_exist():
    walk = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    assert len(walk.splitlines()) <= 110  # two pages
    places = re.findall(r"`((?:lastviz|pages|tests)/[\w/]+(?:\.\w+)?)(?:::(\w+))?`", walk)
    assert len(places) > 30
    for path, name in places:
        assert (ROOT / path).exists(), path
        if name:
            code = (ROOT / path).read_text(encoding="utf-8")
            assert re.search(rf"^ *(def|class) {name}\b", code, re.M), (path, name)


def files_of_walk(section):
    """Files that a walk of docs/architecture.md names."""
    walk = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    way = walk.partition(f"## {section}\n")[2].partition("\n## ")[0]
    return set(re.findall(r"`((?:app|(?:lastviz|pages)/[\w/]+)\.\w+)(?:::\w+)?`", way))


def test_the_walk_through_fit_names_the_twelve_files_that_it_enters():
    X, y = np.random.default_rng(0).normal(size=(200, 4)), np.arange(200) % 3
    with wait_for_machine_code():
        C45Classifier().fit(X, y)
        entered = files_entered(lambda: C45Classifier().fit(X, y))
    walk = files_of_walk("A row on its way through `fit`")
    assert {path.relative_to(ROOT).as_posix() for path in entered} == walk
    assert len(entered) <= 12


@pytest.mark.parametrize(
    ("section", "page"),
    [
        ("A score on its way to the screen", "splits"),
        ("A link on its way to a picture", "boundaries"),
    ],
)
def test_a_walk_through_pages_names_at_most_twelve_files_that_opening_one_enters(
    section, page, monkeypatch
):
    """A link that no test has opened: else the shared memory would know the answer."""
    monkeypatch.setattr(jobs, "PATIENCE", LONG)
    walk = files_of_walk(section)
    entered = files_entered(lambda: opened(page, data="moons", noise=0.17, m="cart"))
    not_entered = walk - {path.relative_to(ROOT).as_posix() for path in entered}
    assert {
        path for path in not_entered if path.startswith("lastviz/") and path[-3:] == ".py"
    } == set()
    assert len(walk) <= 12
