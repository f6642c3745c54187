"""The site's own extension: pages whose Python is run, deviations, and formulas as MathML.

A page that begins with ``live: true`` has its blocks run in order when it is built; what they print
stands below them, and a figure as their last line is drawn there; beside it is the page as a
notebook, and a link to it below the title. Formulas become MathML, which browsers set by
themselves, so the site needs no network. ``{facts} lastviz.NAME`` lists an algorithm's parameters,
complexity and references, ``{deviations} lastviz.NAME`` what its docstring says of where it departs
from its source.
"""

from __future__ import annotations

import inspect
import re
import traceback
from html import escape
from pathlib import Path

import plotly
from blocks import run
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from notebook import notebook_of
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective, SphinxTranslator

import lastviz

PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


def run_page(app: Sphinx, doctree: nodes.document) -> None:
    """Run the blocks of a live page, and put below them what they came to."""
    if not app.env.metadata[app.env.docname].get("live"):
        return
    _offer_notebook(app, doctree)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in list(doctree.findall(nodes.literal_block)):
        if block.get("language") != "python":
            continue
        try:
            printed, value = run(block.astext(), names)
        except Exception as error:
            at = f"{app.env.docname}, line {block.line}"
            raise ExtensionError(f"{at}:\n{traceback.format_exc()}") from error
        shown = _shown(printed, value)
        block.parent[block.parent.index(block) + 1 : block.parent.index(block) + 1] = shown


def _offer_notebook(app: Sphinx, doctree: nodes.document) -> None:
    """Put the link to the page as a notebook below its title."""
    title = next(iter(doctree.findall(nodes.title)))
    file = f"{Path(app.env.docname).name}.ipynb"
    link = f'<p class="as-notebook"><a href="{file}" download>As a notebook</a></p>'
    title.parent.insert(title.parent.index(title) + 1, nodes.raw("", link, format="html"))


def write_notebooks(app: Sphinx, error: Exception | None) -> None:
    """Write each live page as a notebook beside it."""
    for name, facts in app.env.metadata.items():
        if facts.get("live") and error is None:
            page = Path(app.env.doc2path(name)).read_text(encoding="utf-8")
            file = Path(app.outdir) / f"{name}.ipynb"
            file.write_text(notebook_of(page), encoding="utf-8")


def _shown(printed: str, value: object) -> list[nodes.Node]:
    figure = getattr(value, "figure_", value)
    drawn = hasattr(figure, "to_plotly_json")
    if value is not None and not drawn:
        printed += f"{value!r}\n"
    found: list[nodes.Node] = []
    if printed:
        output = nodes.literal_block(printed, printed.rstrip("\n"), classes=["output"])
        output["language"] = "text"
        found.append(output)
    if drawn:
        html = figure.to_html(full_html=False, include_plotlyjs=False, auto_play=False)
        found.append(nodes.raw("", f'<div class="figure-of-block">{html}</div>', format="html"))
    return found


def load_plotly(
    app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Let the pages with figures, and no others, load plotly.js."""
    if doctree is not None and any(
        "figure-of-block" in raw.astext() for raw in doctree.findall(nodes.raw)
    ):
        app.add_js_file("plotly.min.js")


class Deviations(SphinxDirective):
    """Where an algorithm departs from its source, by its docstring."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a heading in bold and a list."""
        cls = getattr(lastviz, self.arguments[0].removeprefix("lastviz."))
        found = deviations_of(inspect.getdoc(cls) or "")
        if not found:
            raise self.error(f"{self.arguments[0]} says of no deviation")
        lines = ["**Where the code departs.**", "", *(f"- {each}" for each in found)]
        return self.parse_text_to_nodes("\n".join(lines))


def deviations_of(doc: str) -> list[str]:
    """Return the sentences of a docstring that begin with "Deviation:", each without the word."""
    parts = re.findall(r"Deviation: (.*?)(?=Deviation:|\n\n|\Z)", doc, re.S)
    names = re.compile(r":\w+:`~?(?:lastviz\.)?([\w.]+)`")
    found = [names.sub(r"`\1`", " ".join(part.split())) for part in parts]
    return [text[0].upper() + text[1:] for text in found]


class Facts(SphinxDirective):
    """An algorithm's parameters with defaults, its complexity and its references."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a table, a paragraph and a list."""
        cls = getattr(lastviz, self.arguments[0].removeprefix("lastviz."))
        return self.parse_text_to_nodes("\n".join(facts_of(cls)))


def facts_of(cls: type) -> list[str]:
    """Return the lines of what :class:`Facts` shows, in Markdown."""
    lines = [f"**Parameters of** `{cls.__name__}`", ""]
    lines += ["| parameter | default | legal values | what it is |", "|---|---|---|---|"]
    for param in cls.PARAMS:
        cells = (f"`{param.name}`", f"`{param.default!r}`", param.legal(), param.help)
        lines.append(f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in cells)} |")
    for param in cls.OTHER_PARAMS.values():
        lines.append(f"| `{param.name}` | `{param.default!r}` | | {param.doc} |")
    notes = re.split(r"(?<=[.:;]) (?=[A-Z])", " ".join(section_of(cls, "Notes")))
    lines += ["", f"**Complexity.** {' '.join(each for each in notes if 'O(' in each)}"]
    lines += ["", "**References.**", ""]
    return lines + [f"- {each}" for each in section_of(cls, "References")]


def section_of(cls: type, title: str) -> list[str]:
    """Return the paragraphs of a section of a docstring; a reference ends with its pages."""
    doc = inspect.getdoc(cls) or ""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w+\n-+$|\Z)", doc, re.M | re.S)
    text = found[1] if found else ""
    parts = re.split(r"\n\n", text)
    if title == "References":
        parts = re.split(r"(?<=\.)\s+(?=[A-Z][\w'-]+, [A-Z]\.)", text)
    names = re.compile(r":\w+:`~?(?:lastviz\.)?([\w.]+)`")
    return [names.sub(r"`\1`", " ".join(part.split())) for part in parts if part.strip()]


def visit_inline(translator: SphinxTranslator, node: nodes.math) -> None:
    """Write a formula in a line."""
    translator.body.append(_mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def visit_block(translator: SphinxTranslator, node: nodes.math_block) -> None:
    """Write a formula of its own."""
    translator.body.append(f'<div class="math">{_mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def _mathml(formula: str, *, as_block: bool) -> str:
    try:
        return tex2mathml(formula, as_block=as_block)
    except SyntaxError as error:
        raise ExtensionError(f"formula {escape(formula)!r}: {error}") from error


def setup(app: Sphinx) -> dict[str, object]:
    """Tell Sphinx about it."""
    app.connect("doctree-read", run_page)
    app.connect("html-page-context", load_plotly)
    app.connect("build-finished", write_notebooks)
    app.add_directive("deviations", Deviations)
    app.add_directive("facts", Facts)
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": False, "parallel_write_safe": True}
