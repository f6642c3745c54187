"""Type checkers know the public names: what py.typed promises, read from the code."""

import ast
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import lastviz

PACKAGE = Path(lastviz.__file__).parent
PUBLIC = (
    *("criteria", "datasets", "displays", "estimators", "export", "inspection", "plots", "pruning"),
    *("splitters", "studies", "tree"),
)
GUARDS = ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def names_for_type_checkers(module):
    """What a module imports if types are checked, and never when it runs."""
    (guarded,) = (
        node
        for node in ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.If) and ast.unparse(node.test) in GUARDS
    )
    found = set()
    for node in guarded.body:
        names = {alias.name for alias in node.names}
        whole = import_module(f"{module.__name__}.{node.module}")
        found |= set(whole.__all__) if names == {"*"} else names
    return found


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "py.typed").is_file()


@pytest.mark.parametrize("module", [lastviz, import_module("lastviz.studies")])
def test_names_that_are_imported_late_are_known(module):
    here = {name for name in module.__all__ if name.startswith("__")}
    here |= {"RESULTS", "Result", "results"} & set(module.__all__)  # imported at once
    assert set(module.__all__) - here <= names_for_type_checkers(module)


def functions():
    """Every public function, and every public method that a public class has of its own."""
    for package in PUBLIC:
        module = import_module(f"lastviz.{package}")
        for name in getattr(module, "__all__", dir(module)):
            value = getattr(module, name)
            if inspect.isfunction(value):
                yield f"{package}.{name}", value
            elif inspect.isclass(value):
                for method, declared in inspect.getmembers(value):
                    function = getattr(declared, "__func__", declared)
                    own = inspect.isfunction(function) and function.__module__ != "abc"
                    named = method == "__init__" or not method.startswith("_")
                    if own and named and function.__module__.startswith("lastviz."):
                        yield f"{package}.{name}.{method}", function


def test_public_functions_declare_what_they_take_and_return():
    unsaid = []
    for name, function in functions():
        signature = inspect.signature(function)
        asked = [p for name, p in signature.parameters.items() if name not in ("self", "cls")]
        declared = [signature.return_annotation, *(p.annotation for p in asked)]
        if inspect.Signature.empty in declared:
            unsaid.append(name)
    assert unsaid == []
