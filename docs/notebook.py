"""A page as a notebook of Jupyter: its blocks of Python are cells, what stands between is text.

``python -m docs.notebook docs/guide.md guide.ipynb`` writes one; the site offers one for each page
whose blocks it runs. A notebook has no outputs: who opens it runs it.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

try:
    from .blocks import FENCE
except ImportError:  # the site's builder knows this folder, not the project
    from blocks import FENCE


FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.S)
ELSEWHERE = re.compile(r"\[([^\]]+)\]\((?![a-z]+:)[^)]+\)")  # a link to another page of the site


def notebook_of(text: str) -> str:
    """Return a page, as its Markdown, as the text of a notebook (nbformat 4.5)."""
    text = FRONT_MATTER.sub("", text)
    cells, end = [], 0
    for found in FENCE.finditer(text):
        if found[1] == "python":
            cells += [*_prose(text[end : found.start()]), ("code", found[2])]
            end = found.end()
    cells += _prose(text[end:])
    made = [_cell(number, kind, source.strip("\n")) for number, (kind, source) in enumerate(cells)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _prose(text: str) -> list[tuple[str, str]]:
    return [("markdown", ELSEWHERE.sub(r"\1", text))] if text.strip() else []


def _cell(number: int, kind: str, source: str) -> dict[str, object]:
    cell = {"id": f"cell-{number}", "cell_type": kind, "metadata": {}}
    cell["source"] = source.splitlines(keepends=True)
    return cell if kind == "markdown" else cell | {"execution_count": None, "outputs": []}


if __name__ == "__main__":
    page, notebook = map(Path, sys.argv[1:])
    notebook.write_text(notebook_of(page.read_text(encoding="utf-8")), encoding="utf-8")
