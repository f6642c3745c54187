"""A made-up language: the Chinese texts without their Latin letters.

A word of Latin letters that something says in it came past the catalogue, unless it is a name: of
the data, of an algorithm, of a criterion.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from streamlit.testing.v1 import AppTest

from lastviz.datasets import DATASETS, Dataset
from lastviz.estimators import ESTIMATORS
from lastviz.ui import text
from lastviz.ui.compute.work import Work
from lastviz.ui.state import session
from tests.sentences.rows import selected
from tests.texts import pairs, write_catalogue

from .sent_texts import texts_sent

MADE_UP = "qq"
PLACES = re.compile(r"(\{\w+[^}]*\}|<[^>]+>|&\w+;|`[^`]*`|\$[^$]*\$)")
LATIN = re.compile(r"[A-Za-z][A-Za-z.\d-]*")
NOT_WORDS = re.compile(r"<[^>]*>|&#?\w+;|`[^`]*`|\$\$?[^$]*\$\$?|%?\{[^}]*\}|https?://\S+|\\")
A_FILE = re.compile(r"[\w-]+\.csv")
WORDS = re.compile(r"[A-Za-z]{2,}(?:[ -][A-Za-z]{2,})+")  # two in a row
# What is no prose: a program, a style, and what another program calls its own.
NO_PROSE = re.compile(
    r"^(from|import) |\dpx |Source Sans|^pip install|pandas|^st-key|Expecting .*: line|C error|"
    r"^hide past "
)
NAMES = ("scikit-learn", "Page Down", "Page Up", "node-link", "lastviz model")


@contextmanager
def made_up_language(folder: Path) -> Iterator[None]:
    """A language that has every text of the Chinese one, and no Latin letter."""
    write_catalogue(folder, MADE_UP, {en: without_latin(other) for en, other in pairs().items()})
    before, text.LOCALE = text.LOCALE, folder
    _forget()
    yield
    text.LOCALE = before
    _forget()


def _forget():
    for memory in (text.translations, text.languages):
        memory.cache_clear()


def without_latin(words: str) -> str:
    parts = PLACES.split(words)
    return "".join(part if i % 2 else LATIN.sub("字", part) for i, part in enumerate(parts))


def names_of(dataset: Dataset) -> list[str]:
    """The names that stay as they are, the longest first: of data, algorithms and citations."""
    known = [dataset.name, dataset.source, str(dataset.y.name)]
    known += [*map(str, dataset.feature_names), *map(str, dataset.class_order or ())]
    known += [str(v) for order in dataset.orders.values() for v in order]
    known += ["very good"]  # of the table that the page textbook always shows
    known += [entry.title for entry in ESTIMATORS.values()]
    known += [entry.title for entry in DATASETS.values()]
    return sorted({name for name in known if name}, key=len, reverse=True)


def untranslated(app: AppTest) -> set[tuple[str, str]]:
    """Where a page says something in another language, and what."""
    names = names_of(Work(app.session_state["selection"]).dataset)
    if query := app.session_state[session.OF_PAGE]:  # its example may be shown
        names += names_of(Work(selected(query)).data.dataset)
    return {(at, words) for at, said in texts_sent(app) for words in foreign(said, names)}


def foreign(said: str, names: Iterable[str] = ()) -> Iterator[str]:
    """Yield what of a text has two Latin words in a row, but for names."""
    bare = NOT_WORDS.sub(" ", said)
    if NO_PROSE.search(bare) or not WORDS.search(bare):
        return
    for name in (*NAMES, *names):
        bare = bare.replace(name, "字").replace(name.capitalize(), "字")
    if found := WORDS.search(bare := A_FILE.sub("字", bare)):
        yield bare[max(found.start() - 100, 0) : found.end() + 100].strip()
