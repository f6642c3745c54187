"""The net for statements: each kind is true where it is said, and not said where it is not true."""

from importlib import import_module
from pathlib import Path

import pytest

import tests.sentences
from tests.sentences.census import texts_of_all

# Each module of_* has ROWS, TESTED (functions whose statements have tests of their own), or both.
MODULES = [
    import_module(f"tests.sentences.{path.stem}")
    for folder in tests.sentences.__path__
    for path in sorted(Path(folder).glob("of_*.py"))
]
ROWS = [row for module in MODULES for row in getattr(module, "ROWS", ())]
TESTED = {unit: by for module in MODULES for unit, by in getattr(module, "TESTED", {}).items()}


def scenes_of(kind):
    never = kind.never if isinstance(kind.never, list) else [kind.never]
    return [*((scene, True) for scene in kind.true), *((scene, False) for scene in never)]


CASES = [
    pytest.param(
        kind, scene, is_true,
        id=f"{kind.made.split('::')[1]}-{kind.text[:24]}-{place}",
        marks=[pytest.mark.slow] if place in (1, 2) else [],
    )
    for kind in ROWS
    for place, (scene, is_true) in enumerate(scenes_of(kind))
]  # fmt: skip


@pytest.mark.parametrize(("kind", "scene", "is_true"), CASES)
def test_a_statement_is_made_where_it_is_true_with_the_numbers_of_a_slow_twin(kind, scene, is_true):
    kind.check(scene, is_true=is_true)


def test_a_row_stands_once_and_has_four_scenes_of_its_own():
    assert len({(kind.made, kind.text) for kind in ROWS}) == len(ROWS)
    for kind in ROWS:
        scenes = [repr(scene) for scene, _ in scenes_of(kind)]
        assert len(set(scenes)) == len(scenes) >= 4, kind.text


def test_every_kind_of_statement_has_a_row_or_a_test_of_its_own():
    known = texts_of_all()
    assert set(TESTED) <= set(known)
    tests = "".join(path.read_text() for path in Path(__file__).parents[1].glob("*/test_*.py"))
    assert [t for each in TESTED.values() for t in each if f"def {t}(" not in tests] == []
    left = {unit: set(texts) for unit, texts in known.items() if unit not in TESTED}
    for kind in ROWS:
        left[kind.made] -= set(kind.texts)
    assert {unit: texts for unit, texts in left.items() if texts} == {}
