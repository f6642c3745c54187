"""Texts of the app as the code has them, and catalogues that keep in step with it.

``make texts`` gives every catalogue what it lacks, untranslated, and takes away what no code says.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import BinaryIO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from lastviz._places import PACKAGE
from lastviz.criteria import CRITERIA
from lastviz.datasets import DATASETS, load_dataset
from lastviz.datasets.openml_client import UNKNOWN
from lastviz.estimators import ESTIMATORS, BoostedTreeClassifier
from lastviz.estimators.mcdf import MEANING_OF_M
from lastviz.export import FOREST_FORMATS, FORMATS
from lastviz.latent import LATENT_SPACES
from lastviz.pruning import PRUNERS
from lastviz.studies.example import STUDY
from lastviz.studies.published import CLAIMS, MISPRINTS, PAPERS, PRINTED_SETS, QUANTITIES, TABLES
from lastviz.studies.results import RESULTS
from lastviz.studies.study import read_study
from lastviz.tables.delimited import GUESSED_QUOTES
from lastviz.tables.hints import PARTS_OF_DATES
from lastviz.tables.opening import OTHER_DOCUMENTS, REFUSED
from lastviz.tables.reading import DATE_ORDERS, MERGED, QUOTES, READ_AS
from lastviz.tree import Reason
from lastviz.ui.components.chart_code import MARKS
from lastviz.ui.frame import PAGES
from lastviz.ui.shared.glossary import TERMS
from lastviz.ui.shared.language_switch import STREAMLIT_MENUS, STREAMLIT_WORDS, WORDS_FOR_READERS
from lastviz.ui.state.lessons import SCENES
from lastviz.ui.state.moved import PARTS, PRICE
from lastviz.ui.text import CATALOGUE, LOCALE

CODES = sorted(path.parts[-3] for path in LOCALE.glob(f"*/{CATALOGUE}"))
NAMES = re.compile(
    r"(\{\w+(:\w+)?\}|C4\.5|ID3|[A-Z][A-Za-z]*[A-Z0-9-][\w.-]*|[\d\W_]*)"
)  # the same everywhere
SAY = ("t", "Refusal", "CannotTell")  # with a text as their first argument
Text = str | tuple[str, str]  # two of them where a number decides which is said


def _literals(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return _literals(node.body) + _literals(node.orelse)
    return []


def extract(
    file: BinaryIO, keywords: object, tags: object, options: object
) -> Iterator[tuple[int, str, Text, list[str]]]:
    """Texts that a file hands to what says them, as Babel asks for them."""
    for node in ast.walk(ast.parse(file.read())):
        name = node.func.id if isinstance(getattr(node, "func", None), ast.Name) else ""
        if name == "plural":
            pairs = zip(*map(_literals, node.args[1:3]), strict=True)
            yield from ((node.lineno, "ngettext", pair, []) for pair in pairs)
        elif name == "Statement" and len(node.args) == 2:
            pairs = zip(*map(_literals, node.args), strict=True)
            yield from ((node.lineno, "ngettext", pair, []) for pair in pairs)
        elif name in (*SAY, "Statement") and node.args:
            yield from ((node.lineno, "gettext", text, []) for text in _literals(node.args[0]))


@cache
def written() -> frozenset[Text]:
    """Texts that the code says where it has them."""
    found = extract_from_dir(PACKAGE, method_map=[("**.py", extract)])
    return frozenset(text for _, _, text, _, _ in found)


@cache
def constants() -> frozenset[str]:
    """Every string of the code, and the words of every name: some are said elsewhere."""
    found = {
        node.value
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return frozenset(found | {text.replace("_", " ") for text in found})


@cache
def declared() -> frozenset[str]:
    """Texts of registries that pages show: algorithms, data, criteria, papers, the course."""
    found = {title for names in PAGES.values() for title in names[:1]}
    found |= {*STREAMLIT_WORDS, *STREAMLIT_MENUS, *WORDS_FOR_READERS.values()}
    entries = [*ESTIMATORS.values(), *DATASETS.values()]
    found |= {entry.title for entry in entries} | {entry.group for entry in DATASETS.values()}
    params = [p for entry in ESTIMATORS.values() for p in entry.cls.PARAMS]
    params += [p for entry in DATASETS.values() for p in entry.PARAMS]
    for key in ("iris", "wine", "breast_cancer", "loan"):
        found.update(map(str, load_dataset(key).class_order))
    found |= {words for p in params for words in (p.label, p.help, p.unit) if words}
    found |= {words for c in CRITERIA.values() for words in (c.title, c.short)}
    trees = [*(entry.cls for entry in ESTIMATORS.values()), BoostedTreeClassifier]
    found |= {cls.SCORED for cls in trees if getattr(cls, "SCORED", "")}
    found |= {each.title for each in (*LATENT_SPACES.values(), *PRUNERS.values())}
    found |= {reason.sentence for reason in Reason if reason.sentence}
    found |= {words for term in TERMS for words in (term.name, term.definition, term.symbols)}
    found |= {words for p in PAPERS.values() for words in (p.title, p.protocol)}
    found |= {words for each in MISPRINTS for words in (each.what, each.reason)}
    found |= {claim.sentence for claim in CLAIMS}
    found |= {each.title for each in (*TABLES.values(), *QUANTITIES.values())}
    printed = [each for sets in PRINTED_SETS.values() for each in sets]
    found |= {words for each in printed for words in (each.title, each.note) if words}
    found |= {scene.question for scene in SCENES}
    found |= {name for _, name in MARKS}
    found |= {result.source for result in RESULTS.values()} | {read_study(STUDY).name}
    found |= {PRICE, *(sentence for _, sentence in PARTS.values())}
    found |= {*REFUSED.values(), *OTHER_DOCUMENTS.values(), UNKNOWN, MEANING_OF_M}
    for words in (READ_AS, DATE_ORDERS, QUOTES, MERGED, GUESSED_QUOTES, PARTS_OF_DATES):
        found.update(words.values())
    found |= {form.title for forms in (FORMATS, FOREST_FORMATS) for form in forms.values()}
    return frozenset(found | {step.text for scene in SCENES for step in scene.steps})


def needed() -> set[Text]:
    """Texts that every catalogue has."""
    found = written() | declared()
    ones = {text[0] for text in found if isinstance(text, tuple)}  # gettext finds them there
    return {
        text for text in found if isinstance(text, tuple) or
        not (text in ones or NAMES.fullmatch(text))
    }  # fmt: skip


@cache
def catalogue(code: str) -> Catalog:
    """Catalogue of a language, as its file is."""
    with (LOCALE / code / CATALOGUE).open("rb") as file:
        return read_po(file, ignore_obsolete=True)


@cache
def pairs(code: str = "zh") -> dict[str | tuple[str, str], str]:
    """Texts of a language by the English ones, of those of a number the last form by both."""
    return {
        m.id if isinstance(m.id, str) else tuple(m.id): m.string
        if isinstance(m.string, str)
        else m.string[-1]
        for m in catalogue(code)
        if m.id
    }


def texts(code: str = "zh") -> dict[str, str]:
    """What each English text is in a language; of those of a number its last form."""
    return {
        text: other
        for english, other in pairs(code).items()
        for text in ([english] if isinstance(english, str) else english)
    }


def write_catalogue(folder: Path, code: str, said: Mapping[str | tuple[str, str], str]) -> None:
    """Write the catalogue of a language, whose plurals are its singulars, into a folder of them."""
    path = folder / code / CATALOGUE
    path.parent.mkdir(parents=True, exist_ok=True)
    made = Catalog()
    for english, other in said.items():
        made.add(english, other if isinstance(english, str) else (other, other))
    with path.open("wb") as file:
        write_po(file, made)


def keep_in_step(path: Path) -> None:
    """Bring a catalogue up to date with the code."""
    with path.open("rb") as file:
        known = read_po(file)
    template = Catalog()
    for message in known:
        if message.id and message.id in constants():
            template.add(message.id)
    for text in needed():
        template.add(text)
    known.update(template, no_fuzzy_matching=True, update_creation_date=False)
    with path.open("wb") as file:
        write_po(file, known, width=0, sort_output=True, ignore_obsolete=True)


if __name__ == "__main__":
    for code in CODES:
        keep_in_step(LOCALE / code / CATALOGUE)
