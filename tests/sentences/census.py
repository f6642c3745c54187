"""Every kind of statement that the app makes, as its code has them.

A statement claims something about the data, the model or what happened. So a text is one if it
has a place for a value, or if it is said under a condition: then it is true of some data, and
false of others. No statement is

- a fixed text: no place, no condition; a legend, a definition, a caption, the same for all data,
  or one of the words that are sent to the browser all together;
- a question with no place but for the algorithm that was chosen: it asks, and claims nothing;
- one of the words of Streamlit's own widgets, which are translated and not said;
- a text of the course: it stands in lessons, which are run as a whole;
- what leaves the app: the matter of tests/exits.py.

A condition is whatever Python decides by before a text is said (a branch, an entry of a dict, a
turn of a loop, a return before it), in its own function or where the same file names it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

LASTVIZ = Path(__file__).parents[2] / "lastviz"
LESSONS = {"ui/state/course.py", "ui/state/course_further.py", "ui/state/course_more.py"}
ENDS = re.compile(r"\w\w[^.]*[.?]([”*]*| \{\w+\})$")
PLACE = re.compile(r"\{[a-z]")
QUESTION = re.compile(r"([^.:;{]|\{algorithm\})+\?")
STREAMLIT = "ui/shared/language_switch.py::STREAMLIT_WORDS"
SAYS = re.compile("str|Statement")
LEAST_WORDS = 4
BRANCHES = (
    ast.If, ast.IfExp, ast.BoolOp, ast.Match, ast.Try, ast.While, ast.For, ast.comprehension,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Dict, ast.Subscript, ast.Raise,
)  # fmt: skip
ENDINGS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def _units(module: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Yield what a module defines by name: functions, methods, constants."""
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{name}", each) for name, each in _units(node))
        elif isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield ast.unparse(target), node


class _Places:
    """Where each thing of a module stands, and where it is named."""

    def __init__(self, module: ast.Module) -> None:
        nodes = list(ast.walk(module))
        self.above = {id(node): above for above in nodes for node in ast.iter_child_nodes(above)}
        self.uses: dict[str, list[ast.AST]] = {}
        for node in nodes:
            if isinstance(node, ast.Name):
                self.uses.setdefault(node.id, []).append(node)

    def is_conditional(self, node: ast.AST, *, follow: bool = True) -> bool:
        """Tell whether something is decided before a node is reached."""
        while not isinstance(above := self.above[id(node)], ast.Module | ast.ClassDef):
            body = above.body if isinstance(above, ast.FunctionDef | ast.With) else []
            before = body[: body.index(node)] if node in body else []
            if self._is_handed_out(above):
                return False
            if isinstance(above, BRANCHES) or any(
                isinstance(each, ENDINGS) for line in before for each in ast.walk(line)
            ):
                return True
            targets = above.targets if isinstance(above, ast.Assign) else [above]
            names = [getattr(each, "id", getattr(each, "name", None)) for each in targets]
            uses = [each for name in names for each in self.uses.get(name, ())]
            if follow and any(self.is_conditional(each, follow=False) for each in uses):
                return True
            node = above
        return False

    def _is_handed_out(self, node: ast.AST) -> bool:
        """Tell whether a dict is what a function returns: words for the browser, which decides."""
        above = self.above[id(node)]
        if isinstance(above, ast.BinOp):  # two dicts as one
            above = self.above[id(above)]
        return isinstance(node, ast.Dict) and isinstance(above, ast.Return)


def _texts(unit: ast.AST, places: _Places, *, of_pages: bool) -> Iterator[str]:
    told = isinstance(unit, ast.FunctionDef) and SAYS.search(ast.unparse(unit.returns or unit.args))
    nodes = list(ast.walk(unit))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            continue
        text = node.value.strip()
        if id(node) in docstrings or "SELECT" in text or len(text.split()) < LEAST_WORDS:
            continue
        if not ENDS.search(text) or QUESTION.fullmatch(text):
            continue
        if PLACE.search(text) or (told and of_pages and places.is_conditional(node)):
            yield node.value


@cache
def texts_of(name: str) -> dict[str, list[str]]:
    """Return the texts of a file of the package by the function that makes them."""
    of_pages = name.startswith("ui/") and not name.startswith("ui/compute/")
    module = ast.parse((LASTVIZ / name).read_text(encoding="utf-8"))
    places = _Places(module)
    found = {
        f"{name}::{unit}": list(_texts(node, places, of_pages=of_pages))
        for unit, node in _units(module)
    }
    return {unit: texts for unit, texts in found.items() if texts and unit != STREAMLIT}


def texts_of_all() -> dict[str, list[str]]:
    """Return the texts of the whole package by the function that makes them."""
    found: dict[str, list[str]] = {}
    for path in sorted(LASTVIZ.rglob("*.py")):
        name = path.relative_to(LASTVIZ).as_posix()
        if name not in LESSONS and not name.startswith("export/"):
            found |= texts_of(name)
    return found
