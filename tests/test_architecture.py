"""The house rules, read from the code."""

from __future__ import annotations

import ast
import itertools
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lastviz"
FILES = sorted(PACKAGE.rglob("*.py"))
PAGES = sorted((ROOT / "pages").glob("*.py"))

# Each layer may import those before it. `export` and `studies` have their place.
LAYERS = (
    "_numba", "_params", "_random", "tree", "criteria", "latent", "splitters", "builders",
    "pruning", "estimators", "warm_up", "inspection", "plots", "export", "studies", "ui",
)  # fmt: skip
NUMBERS = {"numpy", "scipy", "numba"}
THIRD_PARTY = {
    "tree": NUMBERS,
    "criteria": NUMBERS,
    "latent": {*NUMBERS, "sklearn"},
    "splitters": {*NUMBERS, "sklearn"},
    "builders": NUMBERS,
    "pruning": NUMBERS,
    "estimators": {"numpy", "scipy", "sklearn"},
    "inspection": {"numpy", "scipy", "pandas"},
    "plots": {"numpy", "plotly"},
}
FOR_PAGES = {"streamlit", "lastviz"}
FOR_PAGES_OF_OURS = {"ui", "plots", "inspection", "datasets", "studies", "export"}


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path):
    """Absolute dotted names of everything that a file imports, with relative ones resolved."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, node.module) if node.module else base)
            yield from (f"{module}.{alias.name}" for alias in node.names)


def layer_of(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_layer_imports_only_those_below(path):
    layer = layer_of(path)
    ours = {n.split(".")[1] for n in imports(path) if n.startswith("lastviz.")} - {layer}
    if layer in ("__init__", "__main__"):
        return
    if layer == "datasets":
        assert ours <= {"_params"}
        return
    allowed = set(LAYERS[: LAYERS.index(layer)])
    allowed |= {"datasets"} if layer in ("studies", "ui") else set()
    allowed |= {"__version__"} if layer in ("export", "ui") else set()
    assert ours <= allowed, f"{layer} must not import {sorted(ours - allowed)}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_layer_uses_only_its_libraries(path):
    allowed = THIRD_PARTY.get(layer_of(path))
    if allowed is None:
        return
    known = {"numpy", "scipy", "numba", "sklearn", "pandas", "plotly", "streamlit"}
    used = {n.split(".")[0] for n in imports(path)} & known
    assert used <= allowed, f"{layer_of(path)} must not import {sorted(used - allowed)}"


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_pages_choose_compute_and_show_with_our_words(path):
    known = {"numpy", "scipy", "numba", "sklearn", "pandas", "plotly", "streamlit", "lastviz"}
    names = list(imports(path))
    used = {n.split(".")[0] for n in names} & known
    assert used <= FOR_PAGES
    ours = {n.split(".")[1] for n in names if n.startswith("lastviz.")}
    assert ours <= FOR_PAGES_OF_OURS


def test_streamlit_is_known_to_the_ui_and_the_pages_alone():
    outside = [p for p in FILES if layer_of(p) not in ("ui", "__main__")]
    assert not [name_of(p) for p in outside if any(n.startswith("streamlit") for n in imports(p))]


def test_numba_is_compiled_in_one_place():
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if path.name != "_numba.py":
            assert "njit" not in text, name_of(path)
        if "kernel" in {n.rsplit(".", 1)[-1] for n in imports(path) if "_numba" in n}:
            assert path.name.endswith("_kernels.py"), name_of(path)


@pytest.mark.parametrize("path", FILES + PAGES + [ROOT / "app.py"], ids=name_of)
def test_files_and_functions_stay_small(path):
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= (120 if path.parent.name == "pages" else 350)
    limit = 80 if path.name.endswith("_kernels.py") else 60
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef):
            doc = ast.get_docstring(node, clean=False) or ""
            body = node.end_lineno - node.body[0].lineno - doc.count("\n")
            assert body <= limit, f"{node.name} has {body} lines"


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("__init__.py")), ids=name_of)
def test_a_package_says_in_ten_lines_what_it_owns(path):
    doc = ast.get_docstring(parsed(path))
    assert doc
    assert len(doc.splitlines()) <= 10


def test_no_file_has_a_name_that_says_nothing():
    nothing = {"utils.py", "helpers.py", "functions.py", "core.py", "misc.py", "common.py"}
    assert not [name_of(p) for p in itertools.chain(FILES, PAGES) if p.name in nothing]


@pytest.mark.parametrize(("module", "registry"), [
    ("criteria/registry.py", "CRITERIA"), ("pruning/__init__.py", "PRUNERS"),
    ("estimators/__init__.py", "ESTIMATORS"), ("datasets/__init__.py", "DATASETS"),
    ("latent/registry.py", "LATENT_SPACES"), ("estimators/__init__.py", "REGRESSORS"),
])  # fmt: skip
def test_a_registry_is_a_literal(module, registry):
    for node in parsed(PACKAGE / module).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id == registry:
                assert isinstance(node.value, ast.Dict)
                assert all(isinstance(k, ast.Constant) for k in node.value.keys)
                return
    pytest.fail(f"{registry} is not assigned in {module}")


@pytest.mark.parametrize("path", FILES + PAGES + [ROOT / "app.py"], ids=name_of)
def test_nothing_is_left_to_do(path):
    with tokenize.open(path) as source:
        tokens = list(tokenize.generate_tokens(source.readline))
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    assert not [c for c in comments if re.search(r"\b(TODO|FIXME|XXX|HACK)\b", c)]


def test_nothing_uploaded_is_run():
    dangerous = {"pickle", "joblib", "marshal", "shelve", "dill"}
    for path in FILES + PAGES:
        assert not dangerous & {n.split(".")[0] for n in imports(path)}, name_of(path)
        called = {
            node.func.id
            for node in ast.walk(parsed(path))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"eval", "exec"}, name_of(path)
