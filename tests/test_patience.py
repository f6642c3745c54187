"""No test asserts how long anything takes, and what they wait for at most stands in one place."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from . import patience

TESTS = Path(__file__).parent
OWN = {Path(__file__), Path(patience.__file__)}
CLOCKS = {
    "time": {
        f"{name}{unit}"
        for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time")
        for unit in ("", "_ns")
    },
    "os": {"times"},
    "resource": {"getrusage"},
    "datetime": {"now", "utcnow"},
}
HAS_CLOCKS = re.compile(r"import time\b|from time import|\btimes\(|getrusage|datetime")
# A clock that is read elsewhere: in another process, in a browser.
IN_TEXT = re.compile(r"\b(monotonic|perf_counter|(process|thread)_time|performance\.now)(_ns)?\(")
KEEPS = {"append", "add", "extend", "insert", "put", "setdefault", "update"}
LIMITS = {"timeout", "open_timeout", "default_timeout"}
SET_LIMIT = {"set_default_timeout", "set_default_navigation_timeout", "join"}


class Readings:
    """What of a module holds a reading of a clock: names in their function, attributes, calls."""

    def __init__(self, tree: ast.Module):
        self.clocks = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if alias.name in CLOCKS.get(node.module or "", ())
        }
        self.held: set[tuple[int, str]] = set()  # a function's place or 0, and a name
        scopes = [(0, [n for n in tree.body if not isinstance(n, ast.FunctionDef | ast.ClassDef)])]
        scopes += [(node.lineno, [node]) for node in functions(tree.body)]
        self.asserted: list[int] = []
        before = -1
        while before < len(self.held):
            before = len(self.held)
            for scope, body in scopes:
                for node in (each for part in body for each in ast.walk(part)):
                    self.note(scope, node)
        for scope, body in scopes:
            for node in (each for part in body for each in ast.walk(part)):
                if isinstance(node, ast.Assert) and self.reads(scope, node.test):
                    self.asserted.append(node.lineno)

    def reads(self, scope: int, node: ast.AST) -> bool:
        """Tell whether an expression holds a reading."""
        return any(self.is_reading(scope, each) for each in ast.walk(node))

    def is_reading(self, scope: int, node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in self.clocks:
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)):
                return name in CLOCKS.get(module, ()) or (0, f".{name}") in self.held
            case ast.Name(id=name):
                return bool({(scope, name), (0, name)} & self.held)
            case ast.Attribute(attr=name):
                return (0, f".{name}") in self.held
        return False

    def note(self, scope: int, node: ast.AST) -> None:
        """Note what a statement gives a reading to."""
        match node:
            case ast.Assign(targets=targets, value=value):
                pairs = [(target, value) for target in targets]
            case ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr():
                pairs = [(node.target, node.value)]
            case ast.For() | ast.comprehension():
                pairs = [(node.target, node.iter)]
            case ast.Call(func=ast.Attribute(value=target, attr=name)) if name in KEEPS:
                pairs = [(target, value) for value in node.args]
            case ast.FunctionDef(name=name):
                own = [each for each in ast.walk(node) if isinstance(each, ast.Return)]
                if any(each.value and self.reads(scope, each.value) for each in own):
                    self.held |= {(0, name), (0, f".{name}")}
                return
            case _:
                return
        for target, value in pairs:
            parts = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                parts = zip(target.elts, value.elts, strict=False)
            for one, its_value in parts:
                self.give(scope, one, its_value)

    def give(self, scope: int, target: ast.AST, value: ast.AST | None) -> None:
        if value is None or not self.reads(scope, value):
            return
        for each in ast.walk(target):
            match each:
                case ast.Name(id=name) if name != "self":
                    self.held.add((scope, name))
                case ast.Attribute(attr=name):
                    self.held.add((0, f".{name}"))


def functions(body: list[ast.stmt]) -> list[ast.FunctionDef]:
    """The outermost functions, methods among them; what is inside of one belongs to it."""
    found = []
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(node)
        elif isinstance(node, ast.ClassDef):
            found += functions(node.body)
    return found


def faults(code: str) -> list[str]:
    """What a test file says that depends on the machine."""
    tree = ast.parse(code)
    found = []
    if HAS_CLOCKS.search(code):
        found = [f"{line}: asserts a reading of a clock" for line in Readings(tree).asserted]
    numbers = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and is_number(node.value, set())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if IN_TEXT.search(node.value):
                found.append(f"{node.lineno}: has another read a clock")
        elif isinstance(node, ast.Call):
            limits = [each.value for each in node.keywords if each.arg in LIMITS]
            if isinstance(node.func, ast.Attribute) and node.func.attr in SET_LIMIT:
                limits += node.args
            if any(is_number(limit, numbers) for limit in limits):
                found.append(f"{node.lineno}: has a time-out of its own")
    return found


def is_number(node: ast.AST, names: set[str]) -> bool:
    """Tell whether an expression is of numbers, or of names of numbers, alone."""
    match node:
        case ast.Constant(value=int() | float()):
            return True
        case ast.Name(id=name):
            return name in names
        case ast.BinOp(left=left, right=right):
            return is_number(left, names) and is_number(right, names)
    return False


def test_no_test_asserts_a_time_or_has_a_time_out_of_its_own():
    found = {
        str(file.relative_to(TESTS)): faults(file.read_text(encoding="utf-8"))
        for file in TESTS.rglob("*.py")
        if file not in OWN
    }
    assert {file: told for file, told in found.items() if told} == {}


IMPORTS = "import time, os\nfrom time import monotonic, process_time as spent\n"
DEPENDS = [
    "def test():\n    begin = monotonic()\n    assert monotonic() - begin < 2",
    "def test():\n    begin = time.perf_counter()\n    took = time.perf_counter() - begin\n"
    "    assert took < 2",
    "def test():\n    all = []\n    all.append(spent())\n    assert min(all) < 2",
    "def took():\n    return spent()\ndef test():\n    assert min(took() for _ in range(3)) < 2",
    "class A:\n    def f(self):\n        self.seconds = spent()\n"
    "def test():\n    assert A().seconds < 2",
    "def test():\n    end = monotonic() + 2\n    while True:\n        assert monotonic() < end",
    "def test():\n    a, b = 1, os.times()\n    assert b[0] < 2",
    "BEGIN = time.time()\ndef test():\n    assert (now := time.time()) - BEGIN < 2",
    "CODE = 'print(time.process_time())'",
    "def test(page):\n    page.evaluate('performance.now()')",
    "def test(child):\n    child.wait(timeout=60)",
    "LONG = 60 * 1000\ndef test(page):\n    page.click(timeout=LONG)",
    "def test(page):\n    page.set_default_timeout(8000)",
    "def test(thread):\n    thread.join(1.0)",
]
DOES_NOT = [
    "def test():\n    begin = monotonic()\n    print(monotonic() - begin)\n    assert True",
    "def test():\n    a, b = 1, monotonic()\n    assert a == 1",
    "def one():\n    end = monotonic()\n    print(end)\ndef test(end):\n    assert end == 3",
    "def test(child, SECONDS):\n    child.wait(timeout=SECONDS)",
    "def test(page, SECONDS):\n    page.click(timeout=1000 * SECONDS)",
    "def test(words):\n    assert ', '.join(words)",
]


@pytest.mark.parametrize("code", DEPENDS)
def test_what_depends_on_the_machine_is_found(code):
    assert len(faults(IMPORTS + code)) == 1


@pytest.mark.parametrize("code", DOES_NOT)
def test_what_does_not_is_left_alone(code):
    assert faults(IMPORTS + code) == []


def test_a_wait_ends_when_it_holds_or_never_will():
    seen = iter([0, 0, 7])
    assert patience.until(lambda: next(seen)) == 7
    with pytest.raises(TimeoutError, match="still does not hold after 0 s of a test"):
        patience.until(lambda: False, 0.0, "of a test")
