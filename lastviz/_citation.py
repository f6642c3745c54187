"""Citation of lastviz, as in ``CITATION.cff``: in words and for BibTeX."""

from __future__ import annotations

import re
from functools import cache

from ._places import BROUGHT, PACKAGE, is_installed


@cache
def citation_fields() -> dict[str, str]:
    """Fields of CITATION.cff by name, with the authors as one text."""
    folder = BROUGHT if is_installed() else PACKAGE.parent
    text = (folder / "CITATION.cff").read_text(encoding="utf-8")
    found = dict(re.findall(r'^([a-z-]+): "?(.*?)"?$', text, re.MULTILINE))
    authors = re.findall(r'^ +- name: "?(.*?)"?$', text, re.MULTILINE)
    return {**found, "authors": " and ".join(authors)}


def in_words() -> str:
    """Citation as a sentence."""
    about = citation_fields()
    return f"{about['authors']}. {about['title']}, version {about['version']}."


def as_bibtex() -> str:
    """Citation as an entry of BibTeX."""
    about = citation_fields()
    return (
        f"@software{{lastviz,\n  author = {{{{{about['authors']}}}}},\n"
        f"  title = {{{{{about['title']}}}}},\n  version = {{{about['version']}}},\n}}\n"
    )
