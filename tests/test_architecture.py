"""The house rules, read from the code. Each test lists all that break its rule."""

from __future__ import annotations

import ast
import functools
import importlib
import itertools
import re
import tokenize
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from lastviz.criteria import CRITERIA
from lastviz.export import FOREST_FORMATS, FORMATS
from lastviz.ui.components.chart_code import FORMS
from lastviz.ui.frame import PAGES as NAMES_OF_PAGES

from .exits import EXITS
from .like_windows.absent import MODULES as ABSENT
from .like_windows.absent import is_absent

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lastviz"
FILES = sorted(PACKAGE.rglob("*.py"))
PAGES = sorted((ROOT / "pages").glob("*.py"))
EVERYTHING = [*FILES, *PAGES, ROOT / "app.py"]

# Each layer may import those before it. `tables` and `datasets` stand beside them: what learns
# knows no data set.
LAYERS = (
    "_recent", "_sentences", "_csv_writer", "_deadline", "_extras", "_system", "_browser",
    "_places", "_citation", "_plugins", "_machine_code", "preparation", "_kernel_cache", "_tiers",
    "_numba", "_on_read", "_params", "_random", "tree", "criteria",
    "latent", "splitters", "builders", "pruning", "estimators", "inspection", "warm_up", "plots",
    "export", "displays", "studies", "host", "ui", "serve", "notebook",
)  # fmt: skip
BESIDE = {
    "tables": {"_extras", "_sentences"},
    "datasets": {"_csv_writer", "_params", "_sentences", "_system", "tables"},
}
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
    "tables": {"numpy", "pandas"},
}
KNOWN = {"numpy", "scipy", "numba", "sklearn", "pandas", "plotly", "streamlit", "lastviz"}
FOR_PAGES_OF_OURS = {"ui", "plots", "inspection", "datasets", "studies", "export"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(parsed(path)))


@functools.cache
def imports(path: Path) -> tuple[str, ...]:
    """Absolute dotted names of everything that a file imports, with relative ones resolved."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, node.module) if node.module else base)
            found += [f"{module}.{alias.name}" for alias in node.names]
    return tuple(found)


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def test_a_layer_imports_only_those_below():
    offenders = []
    for path in FILES:
        layer = layer_of(path)
        if layer in ("__init__", "__main__"):
            continue
        ours = {n.split(".")[1] for n in imports(path) if n.startswith("lastviz.")} - {layer}
        allowed = BESIDE.get(layer)
        if allowed is None:
            allowed = set(LAYERS[: LAYERS.index(layer)])
            allowed |= {"tables", "datasets"} if layer in ("studies", "ui") else set()
            allowed |= {"__version__"} if layer in ("export", "studies", "host", "ui") else set()
        if ours - allowed:
            offenders.append((name_of(path), sorted(ours - allowed)))
    assert offenders == []


def test_programs_beside_the_package_take_only_what_is_there():
    """Benchmarks and the docs' scripts are run by hand: a renamed function would be found then."""
    missing = []
    for path in [*(ROOT / "benchmarks").glob("*.py"), *(ROOT / "docs").glob("*.py")]:
        modules = {}
        for name in imports(path):
            module, _, last = name.rpartition(".")
            if name.split(".")[0] in ("lastviz", "tests", "benchmarks") and module:
                source = importlib.import_module(module)
                is_module = hasattr(source, "__path__") and find_spec(name)
                if not is_module and not hasattr(source, last):
                    missing.append((name_of(path), name))
                modules[last] = getattr(source, last, None)
        missing += [
            (name_of(path), ast.unparse(node))
            for node in nodes(path)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            if isinstance(modules.get(node.value.id), ModuleType)
            if not hasattr(modules[node.value.id], node.attr)
        ]
    assert missing == []


def test_a_layer_uses_only_its_libraries():
    offenders = []
    for path in FILES:
        allowed = THIRD_PARTY.get(layer_of(path), KNOWN)
        used = {n.split(".")[0] for n in imports(path)} & (KNOWN - {"lastviz"})
        if used - allowed:
            offenders.append((name_of(path), sorted(used - allowed)))
    assert offenders == []


def test_pages_choose_compute_and_show_with_our_words():
    offenders = []
    for path in PAGES:
        used = {n.split(".")[0] for n in imports(path)} & KNOWN
        ours = {n.split(".")[1] for n in imports(path) if n.startswith("lastviz.")}
        if not (used <= {"streamlit", "lastviz"} and ours <= FOR_PAGES_OF_OURS):
            offenders.append((name_of(path), sorted(used), sorted(ours)))
    assert offenders == []


def test_streamlit_is_known_to_the_ui_its_host_and_the_pages_alone():
    """What serves knows its sessions, runs, secrets and settings, and draws nothing."""
    outside = [p for p in FILES if layer_of(p) not in ("host", "ui", "__main__")]
    assert not [name_of(p) for p in outside if any(n.startswith("streamlit") for n in imports(p))]


def test_numba_is_compiled_in_one_place():
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if path.name != "_numba.py":
            assert "njit" not in text, name_of(path)
        if "kernel" in {n.rsplit(".", 1)[-1] for n in imports(path) if "_numba" in n}:
            assert path.name.endswith("_kernels.py"), name_of(path)


def test_files_and_functions_stay_small():
    offenders = []
    for path in EVERYTHING:
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > (120 if path.parent.name == "pages" else 600):
            offenders.append((name_of(path), lines))
        limit = 80 if path.name.endswith("_kernels.py") else 60
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef):
                doc = ast.get_docstring(node, clean=False) or ""
                body = node.end_lineno - node.body[0].lineno - doc.count("\n")
                if body > limit:
                    offenders.append((name_of(path), node.name, body))
    assert offenders == []


def test_a_package_says_in_ten_lines_what_it_owns():
    docs = {p: ast.get_docstring(parsed(p)) for p in PACKAGE.rglob("__init__.py")}
    assert [name_of(p) for p, doc in docs.items() if not doc or len(doc.splitlines()) > 10] == []


def test_no_file_has_a_name_that_says_nothing():
    nothing = {"utils.py", "helpers.py", "functions.py", "core.py", "misc.py", "common.py"}
    assert not [name_of(p) for p in itertools.chain(FILES, PAGES) if p.name in nothing]


@pytest.mark.parametrize(("module", "registry"), [
    ("criteria/registry.py", "CRITERIA"), ("pruning/registry.py", "PRUNERS"),
    ("estimators/__init__.py", "ESTIMATORS"), ("datasets/__init__.py", "DATASETS"),
    ("latent/bases.py", "LATENT_SPACES"), ("estimators/__init__.py", "REGRESSORS"),
    ("ui/frame.py", "PAGES"), ("ui/state/pages.py", "PAGES"),
])  # fmt: skip
def test_a_registry_is_a_literal(module, registry):
    for node in parsed(PACKAGE / module).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id == registry:
                assert isinstance(node.value, ast.Dict)
                assert all(isinstance(k, ast.Constant | ast.Name) for k in node.value.keys)
                return
    pytest.fail(f"{registry} is not assigned in {module}")


def test_a_family_of_splitters_knows_the_common_ones_alone():
    """Sorted columns and thresholds serve all; only what splits in a latent space knows more."""
    folder = PACKAGE / "splitters"
    families = {path.name for path in folder.iterdir() if (path / "__init__.py").exists()}
    common = {"cells", "threshold"}
    offenders = []
    for path in folder.rglob("*.py"):
        own = path.parent.name if path.parent != folder else "root"
        if path.name == "latent.py":
            own = "hybrid"  # it takes any selection rule into its space
        used = {n.split(".")[2] for n in imports(path) if n.startswith("lastviz.splitters.")}
        if path.name != "__init__.py" and (used & families) - common - {own}:
            offenders.append((name_of(path), sorted((used & families) - common - {own})))
    assert families >= {"binary", "cells", "hybrid", "multiway", "oblique", "svm", "threshold"}
    assert offenders == []


def test_nothing_is_left_to_do():
    offenders = []
    left = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    for path in EVERYTHING:
        if not left.search(path.read_text(encoding="utf-8")):
            continue
        with tokenize.open(path) as source:
            tokens = list(tokenize.generate_tokens(source.readline))
        comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
        offenders += [(name_of(path), c) for c in comments if left.search(c)]
    assert offenders == []


def test_what_is_kept_by_its_arguments_is_forgotten_with_its_visitors():
    """A cache of functools would keep their words; one without arguments holds none."""
    own = {"plots", "host", "ui", "export", "inspection"}
    kept = [name_of(p) for p in FILES if layer_of(p) in own and "functools.lru_cache" in imports(p)]
    assert kept == []


def test_every_table_of_text_is_written_by_the_one_writer():
    """Another one would let formulas out."""
    writers = {"to_csv", "writer", "DictWriter", "savetxt", "to_clipboard", "to_excel"}
    offenders = []
    for path in EVERYTHING:
        if path.name == "_csv_writer.py":
            continue
        takes = {node.attr for node in nodes(path) if isinstance(node, ast.Attribute)}
        asked = {each.rpartition(".")[2] for each in imports(path) if "lastviz" not in each}
        found = writers & (takes | asked)
        offenders += [(name_of(path), sorted(found))] if found else []
    assert offenders == []


def test_nothing_uploaded_is_run():
    dangerous = {"pickle", "joblib", "marshal", "shelve", "dill"}
    own = {  # no byte of a file that was handed in is taken for one
        "lastviz/datasets/apart.py": {"pickle"},
        "lastviz/_kernel_cache.py": {"pickle"},
        "lastviz/_tiers.py": {"pickle"},
    }
    for path in FILES + PAGES:
        allowed = own.get(name_of(path), set())
        assert dangerous & {n.split(".")[0] for n in imports(path)} == allowed, name_of(path)
        called = {
            node.func.id
            for node in nodes(path)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"eval", "exec"}, name_of(path)


def taken_from_the_standard_library(path: Path) -> set[tuple[str, str]]:
    """What a file imports, and what it takes of modules by name, as module and name."""
    found = {(name, "") for name in imports(path)}
    found |= {(module, last) for module, _, last in (n.rpartition(".") for n in imports(path))}
    for node in nodes(path):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.add((node.value.id, node.attr))
    return found


def test_one_module_alone_knows_what_windows_lacks():
    lacking = {}
    for path in EVERYTHING:
        taken = taken_from_the_standard_library(path)
        absent = {pair for pair in taken if pair[0] in ABSENT or is_absent(*pair)}
        lacking |= {name_of(path): absent} if absent else {}
    known = lacking.pop("lastviz/_system.py")
    assert known >= {("fcntl", ""), ("resource", ""), ("os", "getuid"), ("os", "setpriority")}
    assert lacking == {}


def test_every_text_is_read_and_written_in_a_named_encoding():
    """Else it is another one on Windows; what opens something else than a file has no mode."""
    offenders = []
    for path in EVERYTHING:
        for node in nodes(path):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            named = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
            mode = [*named.values(), *map(ast.unparse, node.args)] if name == "open" else []
            of_text = any(re.fullmatch("'[rwax+t]+'", each) for each in mode)
            of_text |= name in ("read_text", "write_text") or named.get("text") == "True"
            of_text |= name == "open" and len(node.args) == isinstance(node.func, ast.Name)
            if of_text and "encoding" not in named:
                offenders.append((name_of(path), node.lineno))
    assert offenders == []


HOST = sorted((PACKAGE / "host").glob("*.py"))

# The rooms of the user interface.

UI = PACKAGE / "ui"
UI_FILES = [p for p in FILES if p.is_relative_to(UI)]
# Each room may import those before it; pages' folders come after all of them.
ROOMS = ("text", "sheet", "state", "components", "compute", "shared", "frame")
STRANGERS = {("compute", "components")}
# The cards of the page home draw small scenes of other pages; its tree grows as on growth.
CARDS = {"scene", "regression_view", "tables", "figures", "packing"}
# A table that somebody brings is followed by its tree, as the page rules has it in short.
IN_SHORT = {"scene", "short"}
# A story takes what other pages show along: their `page` says it all, see frame.PageModule.
TAKEN_ALONG = {"page"}
# Any page can ask before it shows, as the page quiz does.
ASKS_FIRST = {"guess"}
# Where widgets are drawn, what the reader has chosen is read.
WITH_WIDGETS = {
    *("page", "controls", "view_controls", "column_editors", "order_editor", "widgets"),
    "naming",  # what editors and the field for files hand over to
    *("frame", "session", "story", "job_box", "chart_host", "frames"),
    "work",  # which hands it down
}
FOR_TREES_OF_THEIR_OWN = {"textbook", "monotone"}
# Ready-made scenes name what they show.
WITH_A_FIRST_SCENE = {"lessons", "pages", "selection"}


def room_of(path: Path) -> str:
    return path.relative_to(UI).with_suffix("").parts[0]


def ui_imports(path: Path) -> set[str]:
    """The modules of the user interface that a file imports, from ``ui`` down."""
    names = {p.relative_to(UI).with_suffix("").as_posix().replace("/", ".") for p in UI_FILES}
    found = set()
    for name in imports(path):
        if name.startswith("lastviz.ui."):
            parts = name.split(".")[2:]
            found |= {".".join(parts[:n]) for n in range(1, len(parts) + 1)} & names
    return found


def test_rooms_import_those_below_and_a_page_no_other_page():
    offenders = []
    for path in UI_FILES:
        room = room_of(path)
        if room == "__init__":
            continue
        for module in ui_imports(path):
            other, last = module.split(".")[0], module.split(".")[-1]
            if other == room:
                continue
            allowed = {"home": CARDS, "story": TAKEN_ALONG, "data": IN_SHORT, "frame": ASKS_FIRST}
            page_of_another = other not in ROOMS and last not in allowed.get(room, set())
            upward = {room, other} <= set(ROOMS) and ROOMS.index(other) > ROOMS.index(room)
            if page_of_another or upward or (room, other) in STRANGERS:
                offenders.append((name_of(path), module))
    assert offenders == []


def floors(graph: dict[str, set[str]]) -> dict[str, int]:
    """How many imports lie below each member; raises ValueError if they run in a circle."""
    found: dict[str, int] = {}

    def floor(name: str, above: tuple[str, ...] = ()) -> int:
        if name in above:
            raise ValueError(" -> ".join((*above[above.index(name) :], name)))
        if name not in found:
            found[name] = 1 + max((floor(n, (*above, name)) for n in graph[name]), default=0)
        return found[name]

    for name in graph:
        floor(name)
    return found


def test_the_user_interface_has_few_floors_and_no_circle():
    files = {
        p.relative_to(UI).with_suffix("").as_posix().replace("/", "."): ui_imports(p)
        for p in UI_FILES
    }
    floors({name: others - {name} for name, others in files.items()})
    host = {p.stem for p in HOST}
    below = {p.stem: {n.split(".")[2] for n in imports(p) if ".host." in n} for p in HOST}
    floors({name: (others & host) - {name} for name, others in below.items()})
    rooms: dict[str, set[str]] = {room_of(p): set() for p in UI_FILES}
    for path in UI_FILES:
        rooms[room_of(path)] |= {m.split(".")[0] for m in ui_imports(path)} - {room_of(path)}
    assert max(floors(rooms).values()) <= 8


def test_no_import_is_for_types_alone():
    assert not [name_of(p) for p in UI_FILES if "typing.TYPE_CHECKING" in imports(p)]


def callbacks(tree: ast.Module) -> set[str]:
    """Names of the functions that a file hands to widgets, and of those that they call."""
    handed, called = set(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            called[node.name] = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
            called.setdefault(node.targets[0].id, set()).update(names)
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg and (keyword.arg.startswith("on_") or keyword.arg == "apply"):
                    handed |= {n.id for n in ast.walk(keyword.value) if isinstance(n, ast.Name)}
    while more := {n for name in handed for n in called.get(name, ())} & called.keys() - handed:
        handed |= more
    return handed


def readers(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and function of each look at what the session has chosen."""

    def walk(node: ast.AST, inside: str) -> Iterator[tuple[int, str]]:
        if isinstance(node, ast.FunctionDef):
            inside = inside or node.name
        if (
            isinstance(node, ast.keyword)
            and node.arg
            and (node.arg.startswith("on_") or node.arg == "apply")
        ):
            return
        if (
            isinstance(node, ast.Attribute)
            and node.attr == "current"
            and isinstance(node.value, ast.Name)
            and node.value.id == "session"
        ):
            yield node.lineno, inside
        if isinstance(node, ast.Name) and node.id == "current":  # the work of what is chosen
            yield node.lineno, inside
        for child in ast.iter_child_nodes(node):
            yield from walk(child, inside)

    yield from walk(tree, "")


def test_only_pages_controls_and_callbacks_ask_the_session():
    offenders = []
    for path in UI_FILES:
        if path.stem in WITH_WIDGETS:
            continue
        handed = callbacks(parsed(path))
        offenders += [
            (name_of(path), line) for line, inside in readers(parsed(path)) if inside not in handed
        ]
    assert offenders == []


def test_no_algorithm_is_known_by_name_outside_the_pages_about_it():
    keys = {
        key.value
        for node in parsed(PACKAGE / "estimators" / "__init__.py").body
        if isinstance(node, ast.AnnAssign) and node.target.id == "ESTIMATORS"
        for key in node.value.keys
    }
    classes = {
        node.name
        for path in (PACKAGE / "estimators").glob("*.py")
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef) and node.name.endswith(("Classifier", "Regressor"))
    } - {"TreeClassifier", "ForestClassifier"}
    offenders = []
    own = {p for p in UI_FILES if room_of(p) in FOR_TREES_OF_THEIR_OWN}
    for path in {*UI_FILES, *HOST} - own:
        if path.stem in WITH_A_FIRST_SCENE:
            continue
        for node in nodes(path):
            if isinstance(node, ast.Constant) and node.value in keys:
                offenders.append((name_of(path), node.lineno, node.value))
            if isinstance(node, ast.Name) and node.id in classes:
                offenders.append((name_of(path), node.lineno, node.id))
    assert offenders == []


def test_what_draws_a_page_is_found_in_one_step():
    offenders = []
    for path in PAGES:
        page = f"lastviz.ui.{path.stem}"
        if set(imports(path)) != {"lastviz.ui.frame", f"{page}.page"}:
            offenders.append(name_of(path))
    assert offenders == []


def test_every_figure_is_drawn_by_the_host_which_reads_it_as_a_table():
    """The host takes a text for those who do not see, and makes a table of any figure."""
    offenders = []
    for path in UI_FILES + PAGES:
        if path.stem == "chart_host":
            continue
        for node in nodes(path):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if called in ("plotly_chart", "pyplot", "altair_chart", "line_chart", "bar_chart"):
                offenders.append((name_of(path), node.lineno, called))
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            if name == "chart" and "alt" not in {k.arg for k in node.keywords}:
                offenders.append((name_of(path), node.lineno, "no alt"))
    assert offenders == []


# Where the ui may name a criterion: pages about the textbook's arithmetic, links and their fields,
# the criteria that *splits* shows first, what BNM and CSN draw, and the stories of the course.
NAMES_CRITERIA = {
    "textbook": set(CRITERIA),
    "state/lessons.py": set(CRITERIA),
    "state/pages.py": {"gain", "ratio", "gini", "bnm", "csn"},
    "state/course_further.py": {"bnm", "csn"},
    "compute/course_facts.py": {"gini", "bnm", "bnm5", "csn"},
    "state/fields.py": {"gini"},
    "splits/scene.py": {"gini", "gain_ratio", "bnm", "csn"},
    "splits/words.py": {"gini", "bnm", "csn"},  # what their distances measure
    "splits/threshold.py": {"gini"},
    "splits/nominal.py": {"gain", "gain_ratio"},  # what they are with gaps and names
    "splits/details.py": {"gini", "bnm", "csn"},
    "splits/page.py": {"bnm", "csn"},
    "boundaries/details.py": {"gain_ratio"},
}
# Keys that are also names of parameters, widgets or files.
OTHER_WORDS = {"penalty", "segments", "ratio", "rmi"}


def test_the_ui_names_criteria_only_where_it_is_about_them():
    found = []
    for path in sorted((PACKAGE / "ui").rglob("*.py")):
        name = path.relative_to(PACKAGE / "ui").as_posix()
        allowed = NAMES_CRITERIA.get(name, NAMES_CRITERIA.get(name.split("/")[0], set()))
        literals = {n.value for n in nodes(path) if isinstance(n, ast.Constant)}
        keys = {value for value in literals if isinstance(value, str) and value in CRITERIA}
        found += [(name, key) for key in sorted(keys - allowed - OTHER_WORDS)]
    assert found == []


@pytest.mark.parametrize("key", ["chi2", "g_statistic", "sum_minority", "max_minority"])
def test_a_criterion_is_named_in_its_row_alone(key):
    """What is no algorithm's default takes three places: definition, kernel and row."""
    named = {
        path.relative_to(PACKAGE).as_posix()
        for path in FILES
        for node in nodes(path)
        if isinstance(node, ast.Constant) and node.value == key
    }
    functions = {f"criteria/{name}.py" for name in ("__init__", "criterion", "cards")}
    assert named - functions == {"criteria/registry.py"}


def test_no_sentence_is_glued_from_pieces():
    """Another language has another order: a sentence is one template with named gaps."""

    def is_template(node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("t", "plural")
        )

    offenders = []
    for path in UI_FILES:
        for node in nodes(path):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                sides = (node.left, node.right)
                words = [n for n in sides if isinstance(n, ast.Constant) and str(n.value).strip()]
                pieces = sum(map(is_template, sides))
                if pieces and pieces + len(words) == 2:
                    offenders.append((name_of(path), node.lineno))
            template = node.args[0] if is_template(node) and node.func.id == "t" else None
            if isinstance(template, ast.BinOp | ast.JoinedStr):
                offenders.append((name_of(path), node.lineno))
    assert offenders == []


def test_no_browser_begins_among_the_quick_tests():
    """A test of the folder ``e2e`` that does not say so would run, and fail others, elsewhere."""
    unsaid = [
        path.name
        for path in sorted((ROOT / "tests" / "e2e").glob("test_*.py"))
        if not re.search(r"^pytestmark = .*\n?.*\bmark\.e2e\b", path.read_text("utf-8"), re.M)
    ]
    assert unsaid == []


# What leaves the app: the calls that offer it, and the menu of pictures.
OFFERS = {"download_button", "save_button"}
OF_FORMS = "shared/exports.py::_offer"  # makes all forms of a model
COPIED = {"shared/doors.py::doors", "components/copy_link.py::copy_link"}  # by the reader
SHARED = {
    "save_table",
    "save_page",
    "save_lesson",
    "copy_link",
}  # make one kind each, wherever it is offered


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    return (node for node in nodes(path) if isinstance(node, ast.FunctionDef))


def calls(node: ast.AST) -> set[str]:
    found = (inner.func for inner in ast.walk(node) if isinstance(inner, ast.Call))
    return {getattr(each, "attr", getattr(each, "id", "")) for each in found}


def callers(names: set[str]) -> set[str]:
    """Functions of pages that call one of `names`, without those of these names."""
    return {
        f"{path.relative_to(UI).as_posix()}::{node.name}"
        for path in UI_FILES
        for node in functions(path)
        if node.name not in names and calls(node) & names
    }


def makers() -> set[str]:
    """Functions that make what leaves, as the rows of EXITS name them: one a kind."""
    forms = {f"form::{form}" for form in {*FORMATS, "onnx", *FOREST_FORMATS}}
    return callers(OFFERS) - {OF_FORMS} | forms | {"menu"}


def test_everything_that_leaves_the_app_has_a_row_and_a_test():
    """A row is added to tests/exits.py, with what opens it elsewhere and compares it."""
    made = {row.made: name for name, row in EXITS.items()}
    assert len(made) == len(EXITS)  # a kind is what one function makes
    assert made.keys() - COPIED == makers()
    assert set(FORMS) <= EXITS["picture"].tests.keys()
    for name, row in EXITS.items():
        assert row.tests, name
        assert set(row.pages) <= set(NAMES_OF_PAGES), name
        for test in row.tests.values():
            file, function = test.split("::")
            assert function in {each.name for each in functions(ROOT / "tests" / file)}, name
        place = row.made.split("::")
        if place[0] not in ("menu", "form"):
            assert place[1] in {each.name for each in functions(UI / place[0])}, name


@pytest.mark.parametrize("maker", sorted(SHARED))
def test_whatever_a_page_saves_of_a_kind_has_a_test(maker):
    """Whoever offers a table, a page or a lesson is named with what opens it elsewhere."""
    (row,) = (row for row in EXITS.values() if row.made.endswith(f"::{maker}"))
    assert {place for place in row.tests if "::" in place} == callers({maker})


def test_only_what_is_imported_by_a_star_lists_its_names():
    """A list of public names beside the names themselves is one more thing to keep in step."""
    starred = {
        (path.parent / f"{node.module}.py" if node.level else ROOT / node.module)
        for path in EVERYTHING
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    }
    offenders = []
    for path in EVERYTHING:
        own = {
            node.name
            for node in parsed(path).body
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        for node in parsed(path).body:
            if path.name == "__init__.py" or path in starred or not isinstance(node, ast.Assign):
                continue
            if getattr(node.targets[0], "id", "") == "__all__" and (
                {name.value for name in node.value.elts} <= own  # none that it hands on
            ):
                offenders.append(name_of(path))
    assert offenders == []
