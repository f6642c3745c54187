"""Names: those that a newcomer cannot know are expanded, none is a word of our own making."""

import ast
import re
from pathlib import Path

import pytest

from lastviz.criteria import CRITERIA
from lastviz.estimators import ESTIMATORS
from tests.texts import texts

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "lastviz"
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
IN_EVERY_BOOK = {"id3", "c45", "cart"}
LETTERS = re.compile(r"[A-Z0-9.\-]{3,}")
COLUMNS = {key: row.stands_for for key, row in CRITERIA.items() if row.stands_for}
ALGORITHMS = {key: entry.stands_for for key, entry in ESTIMATORS.items() if entry.stands_for}
EXPANDED = COLUMNS | ALGORITHMS


def test_whatever_is_called_by_its_first_letters_is_expanded():
    criteria = {key for key, row in CRITERIA.items() if LETTERS.fullmatch(row.title)}
    algorithms = {key for key, entry in ESTIMATORS.items() if LETTERS.search(entry.title)}
    assert criteria <= COLUMNS.keys()
    assert algorithms - IN_EVERY_BOOK <= ALGORITHMS.keys()


@pytest.mark.parametrize("key", EXPANDED)
def test_an_expansion_is_short_and_translated(key):
    assert len(EXPANDED[key].split()) <= 24
    assert EXPANDED[key] in texts()


# Home-made words: the field, or plain English, has a better one.
NOT_IN_NAMES = {"told", "said", "asked", "stands", "lit", "whole", "kept", "way", "ways"}
NOT_IN_TEXTS = re.compile(
    r"\b(parted|parts the classes|(?:tells?|told) most|told apart|rules? of choice|after all"
    r"|always says|was left to be asked|your α|what chance can)\b",
    re.IGNORECASE,
)
# What criteria and algorithms are registered with, what a link calls a question, an edit, and what
# is plain English.
KNOWN = {
    "stands_for", "asked", "_stands_for", "stands_on_axis", "Kept", "kept_by_hand",
    "kept_for_pruning", "is_under_way", "under_way", "_under_way", "way_out",
}  # fmt: skip
# Parameters and fields that callers name.
# That of pruning goes through the estimators; those of the subsets are in the files of exported
# models.
PUBLIC = {
    "kept": ("pruning/", "builders/alternating.py", "plots/feature_strips_plot.py",
             "plots/counter_example_plot.py", "estimators/binary_tree.py", "estimators/c45.py",
             "estimators/cart.py", "estimators/hyperplane_search.py", "estimators/id3.py",
             "estimators/subsets.py", "estimators/tao.py", "estimators/tree_attributes.py"),
    "n_kept": ("estimators/subsets.py",),
    "whole": ("inspection/flips/",),
}  # fmt: skip


def bound_names(module):
    """Yield what a module calls its functions, classes, parameters, variables and fields."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr


def words_of(name):
    """Return the words of a name, such as ``{"best", "first"}`` of ``_best_first``."""
    return set(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_"))


def test_names_in_code_are_no_home_made_words():
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        where = path.relative_to(PACKAGE).as_posix()
        found += [
            (where, name)
            for name in bound_names(ast.parse(path.read_text(encoding="utf-8")))
            if NOT_IN_NAMES & words_of(name)
            and name not in KNOWN
            and not where.startswith(PUBLIC.get(name, ()))
        ]
    assert found == []


def test_texts_on_screen_and_in_docs_are_no_home_made_words():
    said = [*texts(), *(path.read_text(encoding="utf-8") for path in DOCS)]
    assert [found[0] for text in said if (found := NOT_IN_TEXTS.search(text))] == []


# ---- Docstrings and names as a native writes them

BEGINS_BADLY = re.compile(r"(Return|Tell|How|Which|Who|Where|Why|When)\b")
QUOTED = re.compile(r"`[^`]*`|“[^”]*”|\"[^\"]*\"")
NO_PARTICIPLES = {"bold", "children", "fault", "light", "seed", "shorten", "token"}


def definitions():
    """Functions and classes of the package with their files, those in others included."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in [tree, *ast.walk(tree)]:
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                yield path.relative_to(PACKAGE).as_posix(), node


def test_first_lines_are_noun_phrases_or_imperatives_of_at_most_80_letters():
    found = []
    for where, node in definitions():
        line = (ast.get_docstring(node) or "").partition("\n")[0]
        long = len(line) > (100 if isinstance(node, ast.Module) else 80)
        if long or BEGINS_BADLY.match(line) or re.search(r"\bwhat\b", QUOTED.sub("", line), re.I):
            found.append((where, line))
    assert found == []


def test_no_public_function_is_named_by_a_bare_participle():
    found = [
        (where, node.name)
        for where, module in definitions()
        if isinstance(module, ast.Module)
        for node in module.body
        if isinstance(node, ast.FunctionDef)
        and re.fullmatch("[a-z]+(ed|en|wn|lt|ld|ght)", node.name)
        and node.name not in NO_PARTICIPLES
    ]
    assert found == []


def test_every_class_has_a_name_of_its_own():
    names = [node.name for _, node in definitions() if isinstance(node, ast.ClassDef)]
    assert sorted(names) == sorted(set(names))
