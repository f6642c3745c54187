"""Content of a page as values: drawn by the page, printed by a report, held by a slide.

A page says once what it shows of a scene, as a list of blocks: those of reports and slides and,
for the page alone, charts that can be clicked, controls, and tables behind a fold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextvars import Token
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from itertools import chain

import pandas as pd
import pyarrow as pa

from lastviz.export.blocks import Block as SavedBlock
from lastviz.export.blocks import (
    Columns,
    GrowthPlayer,
    Heading,
    Picture,
    Section,
    Table,
    Text,
    Words,
)
from lastviz.export.mathml import mathml
from lastviz.ui.components.chart_host import chart
from lastviz.ui.components.growth_player import growth_player
from lastviz.ui.components.stage import press_when_seen
from lastviz.ui.compute.work import Work
from lastviz.ui.sheet import SHEETS, sheet, st
from lastviz.ui.state import session
from lastviz.ui.state.selection import DEFAULT, Selection
from lastviz.ui.text import plain

from .exports import first_of
from .figures import as_table
from .headline import show, table_html
from .page_file import below_finding, finding_in
from .report import scene_report, table_of

PAGE, REPORT, SLIDE = "page", "report", "slide"
MOST_LINES, MOST_CELLS = 8, 6  # of a table beside pictures on a slide, and of a stack
MARKS = re.compile(r"\\([^\w\s])|[*`]|^- ", re.M)  # of Markdown
FORMULA = re.compile(r"(?<!\\)\$(.+?)(?<!\\)\$")  # within a text of Markdown
HEIGHT = 400  # pixels of a picture that has no height of its own


@dataclass(frozen=True, eq=False)
class Chart(Picture):
    """Interactive picture; see :func:`lastviz.ui.components.chart_host.chart`.

    It answers on its page.
    """

    key: str = ""
    on_click: Callable[[dict], None] | None = None
    on_line: Callable[[dict], None] | None = None
    group: str | None = None
    texts: dict[str, object] | None = None
    passing: Callable[[], dict[str, object]] | None = None
    filename: str | None = None
    note: str = ""
    turned_from: str | None = None


@dataclass(frozen=True)
class Caution(Text):
    """Note to be read before the pictures are believed."""


@dataclass(frozen=True)
class Title(Text):
    """Title above a picture."""


@dataclass(frozen=True)
class Controls:
    """Part of a page alone, drawn by a function."""

    draw: Callable[[], None]


@dataclass(frozen=True)
class Detail:
    """Part of a page that leaves as it is drawn, once its reader chose it by a field."""

    selection: Selection
    fields: Sequence[str]  # what is chosen in it: at their defaults, nothing is
    draw: Callable[[], None]

    def saved(self) -> list[Block]:
        """Blocks of the drawn part, none where all is at its default."""
        value, usual = self.selection.value, DEFAULT.value
        if self.fields and all(value(name) == usual(name) for name in self.fields):
            return []
        with Sheet(self.selection) as here:
            self.draw()
        return here.blocks


@dataclass(frozen=True)
class Marked(Words):
    """Text with formulas as MathML, and as Streamlit takes it."""

    markdown: str = ""


@dataclass(frozen=True)
class NumbersTable:
    """The numbers of pictures as a table, worked out where it is opened or printed."""

    key: str
    title: str
    rows: Callable[[], pd.DataFrame]


@dataclass(frozen=True, eq=False)
class Box:
    """Blocks of one container, which rules of style find by its key."""

    key: str
    blocks: Sequence[Block]


@dataclass(frozen=True, eq=False)
class Only:
    """Blocks for some of "page", "report" and "slide", or a function that makes them."""

    media: Sequence[str]
    blocks: Blocks


@dataclass(frozen=True, eq=False)
class WhenSeen:
    """Blocks drawn once their place is in sight; on paper they are as any."""

    key: str
    title: str  # of the button that stands for them until then
    blocks: Blocks


Block = SavedBlock | Controls | Detail | NumbersTable | Box | Only | WhenSeen
Blocks = Sequence[Block] | Callable[[], Sequence[Block]]
"""Blocks, or the function that makes them when they are drawn."""


def draw(blocks: Blocks, key: str = "block") -> None:
    """Draw blocks on a page; `key` starts the names of pictures without their own."""
    for n, block in enumerate(_for(PAGE, blocks)):
        name = f"{key}-{n}"
        match block:
            case Columns():
                shares = list(block.shares) or len(block.columns)
                for i, column in enumerate(st.columns(shares, gap="medium")):
                    with column:
                        draw(block.columns[i], f"{name}-{i}")
            case Box():
                with st.container(key=block.key):
                    draw(block.blocks, name)
            case Picture():
                _draw_picture(block, name)
            case GrowthPlayer():
                growth_player(block.story, block.step, key=name)
            case Marked():
                st.markdown(block.markdown)
            case Words():
                show(block.text)
            case Table():
                rows = (map(escape, map(str, row)) for row in block.rows)
                lines = (f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in rows)
                show(table_html("lv-short", block.columns, lines, escape(block.caption)))
            case Heading():
                st.markdown(f"**{plain(block.text)}**")
            case Caution():
                st.warning(plain(block.text), icon=":material/info:")
            case Title():
                show(f'<p class="lv-pictured lv-over"><b>{escape(block.text)}</b></p>')
            case Text():
                st.caption(plain(block.text))
            case Controls() | Detail():
                block.draw()
            case NumbersTable():
                as_table(block.key, block.rows, title=block.title)
            case WhenSeen():
                when_seen(block.key, block.title, partial(draw, block.blocks, name))
            case _:
                raise TypeError(f"a page draws no {type(block).__name__}")


# What was in sight on a page is drawn at once in the runs that follow there.
def when_seen(key: str, title: str, content: Callable[[], None]) -> None:
    """Draw a part of the page once its place is in sight, a button until then."""
    if sheet() is not None or session.was_seen(key):
        content()
        return
    with st.container(key=f"unseen_{key}", height=HEIGHT, border=False):
        note = partial(session.note_seen, key)
        st.button(title, key=f"see_{key}", type="tertiary", on_click=note)
        press_when_seen(key)


def _draw_picture(picture: Picture, name: str) -> None:
    own = picture if isinstance(picture, Chart) else Chart(picture.figure, picture.alt, key=name)
    answers = {name: getattr(own, name) for name in Chart.__annotations__}
    height = int(own.figure.settings.get("height") or HEIGHT)
    chart(own.figure, height=height, alt=own.alt, **answers)


def report_blocks(blocks: Sequence[Block]) -> list[SavedBlock]:
    """Blocks as they appear in a report, one below the other."""
    found: list[SavedBlock] = []
    for block in _for(REPORT, blocks):
        if isinstance(block, Columns):
            found += (inner for column in block.columns for inner in report_blocks(column))
        elif not isinstance(block, Box | Controls | Detail | NumbersTable | GrowthPlayer):
            found.append(block)
        elif isinstance(block, Box | Detail):
            found += report_blocks(block.blocks if isinstance(block, Box) else block.saved())
    return found


def tables_in(blocks: Sequence[Block]) -> list[Table]:
    """Tables of a report, which stand at its end."""
    found: list[Table] = []
    for block in _for(REPORT, blocks):
        groups = block.columns if isinstance(block, Columns) else [getattr(block, "blocks", ())]
        found += (table for group in groups for table in tables_in(group))
        if isinstance(block, NumbersTable):
            found.append(table_of(block.rows(), block.title))
    return found


def report_of(
    work: Work, question: str, title: str, blocks: Sequence[Block], address: str | None
) -> str:
    """Report of a page that shows one model, titled `title`; see `scene_report`."""
    shown = report_blocks(blocks)
    return scene_report(
        work,
        question,
        [Section(title, below_finding(shown))],
        address=address,
        tables=tables_in(blocks),
        finding=finding_in(shown),
    )


def on_slide(blocks: Sequence[Block]) -> list[SavedBlock]:
    """Blocks as they appear on a slide: without captions, columns side by side.

    A detail that the reader chose stands beside the rest, each with its first pictures.
    """
    found: list[SavedBlock] = []
    chosen: list[SavedBlock] = []
    for block in _for(SLIDE, blocks):
        match block:
            case Columns():
                columns = [on_slide(column) for column in block.columns]
                shares = block.shares or [1] * len(columns)
                some = [i for i, column in enumerate(columns) if column]
                if len(some) > 1:
                    rest = [columns[i] for i in some], [shares[i] for i in some]
                    found.append(Columns(*rest))
                elif some:
                    found += columns[some[0]]
            case Box():
                found += on_slide(block.blocks)
            case Picture():  # without the answers of a chart, which belong to its page
                found.append(Picture(block.figure, block.alt, width=block.width, fixed=block.fixed))
            case Detail():
                (chosen if block.fields else found).extend(on_slide(block.saved()))
            case Controls() | NumbersTable():
                pass
            case _:
                found.append(block)
    n = next((i for i, block in enumerate(found) if not isinstance(block, Words)), len(found))
    if chosen and found[n:]:
        pictured = [block for block in found[n:] if _has_picture(block)][:1]
        return [*found[:n], Columns([_short(pictured or found[n:]), _short(chosen)])]
    return found + chosen


def _has_picture(block: SavedBlock) -> bool:
    """Whether a block is a picture or holds one."""
    if isinstance(block, Columns):
        return any(map(_has_picture, chain(*block.columns)))
    return isinstance(block, Picture)


def _n_tables(blocks: Sequence[SavedBlock]) -> int:
    columns = chain(*(block.columns for block in blocks if isinstance(block, Columns)))
    return sum(isinstance(block, Table) for block in blocks) + sum(map(_n_tables, columns))


def _short(blocks: Sequence[SavedBlock], most: int = 0) -> list[SavedBlock]:
    """Blocks for half a slide: up to a picture, the first `most` rows of each table."""
    found: list[SavedBlock] = []
    most = most or MOST_LINES // max(_n_tables(blocks), 1)
    for block in blocks:
        if isinstance(block, Table):
            n = len(block.rows)
            title = first_of(block.caption, min(n, most), n).strip()
            rows = [row[:MOST_CELLS] for row in block.rows[:most]]
            block = Table(title, block.columns[:MOST_CELLS], rows)
        elif isinstance(block, Columns):
            columns = [each for each in block.columns if any(map(_has_picture, each))]
            columns = columns or block.columns
            block = Columns([_short(each, most) for each in columns])
        if _has_picture(block):
            is_tabled = any(isinstance(each, Table) for each in found)
            return found if is_tabled else [*found, block]
        found.append(block)
    is_few = len(found) == 1 and isinstance(found[0], Columns) and not _has_picture(found[0])
    if is_few and sum(map(len, found[0].columns)) <= MOST_LINES:
        return [*chain(*found[0].columns)]
    return found[:MOST_LINES]


# ---- What Streamlit was asked to draw, as blocks


class Sheet:
    """Drawn parts as blocks; a widget has the value that it is given."""

    column_config = st.column_config

    def __init__(self, selection: Selection) -> None:
        self.selection, self.open = selection, True
        self.session_state: dict[str, object] = {}
        self._parts: list[Block | list[Sheet]] = []
        self._before: list[Token] = []

    def __enter__(self) -> Sheet:
        self._before.append(SHEETS.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        SHEETS.reset(self._before.pop())

    def __getattr__(self, name: str):
        def draw(*args: object, value: object = None, **_: object) -> object:
            if name in DRAWN:
                self._parts.append(DRAWN[name](*args))
            return value

        return draw

    @property
    def blocks(self) -> list[Block]:
        """All that was drawn, without empty columns."""
        found: list[Block] = []
        for part in self._parts:
            if isinstance(part, list):
                columns = [each.blocks for each in part if each.open and each.blocks]
                found += [Columns(columns)] if len(columns) > 1 else chain(*columns)
            else:
                found.append(part)
        return found

    def columns(self, shares: int | Sequence[float], **_: object) -> list[Sheet]:
        """Columns, each a sheet."""
        n = shares if isinstance(shares, int) else len(shares)
        self._parts.append([Sheet(self.selection) for _ in range(n)])
        return self._parts[-1]

    def container(self, *_: object, **__: object) -> Sheet:
        """Part of its own."""
        return self.columns(1)[0]

    def expander(self, label: str, *, value: bool = False, **look: object) -> Sheet:
        """Fold below its label, which leaves if the reader's choice opened it."""
        part = self.container()
        part.open = value or bool(look.get("expanded"))
        part.markdown(f"**{label}**")
        return part

    spinner = container


def _paragraph(text: str) -> Heading | Text | Marked:
    parts = FORMULA.split(text)  # every second one is a formula
    if len(parts) > 1:
        parts = [(mathml(part, "inline") if i % 2 else escape(MARKS.sub(r"\1", part)))
                 for i, part in enumerate(parts)]  # fmt: skip
        return Marked(f"<p>{''.join(parts)}</p>", text)
    kind = Heading if text.startswith("**") and text.endswith("**") else Text
    return kind(MARKS.sub(r"\1", text))


def _formula(latex: str) -> Marked:
    return Marked(mathml(latex), f"$$\n{latex}\n$$")


def _listed(rows: pd.DataFrame | pa.Table) -> Table:
    rows = rows.to_pandas() if isinstance(rows, pa.Table) else rows
    rows = rows.reset_index() if rows.index.name else rows
    return replace(table_of(rows, ""), folded=False)


DRAWN: dict[str, Callable[..., Block]] = {
    "html": Words,
    "latex": _formula,
    "chart": Picture,
    "dataframe": _listed,
    "caption": lambda text: Only((REPORT,), [_paragraph(text)]),
    **dict.fromkeys(("markdown", "info", "warning"), _paragraph),
}
"""Function of Streamlit, or the chart of ours -> the block that stands for its call."""


def _for(medium: str, blocks: Blocks) -> list[Block]:
    """Blocks for a medium, those of :class:`Only` in its place."""
    found: list[Block] = []
    for block in blocks() if callable(blocks) else blocks:
        if isinstance(block, Only):
            found += _for(medium, block.blocks) if medium in block.media else []
        elif isinstance(block, WhenSeen) and medium != PAGE:
            found += _for(medium, block.blocks)
        else:
            found.append(block)
    return found
