"""Workbooks of Excel made by hand: the parts of the format that a reader must understand."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from xml.sax.saxutils import escape

KINDS = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
    'content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
    'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override '
    'PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'spreadsheetml.sheet.main+xml"/></Types>'
)
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STYLES = (
    f'<styleSheet xmlns="{MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/>'
    '<xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>'
)
DAY_0 = datetime(1899, 12, 30)
Sheet = Sequence[Sequence[object]]


def workbook(
    sheets: Mapping[str, Sheet] | Sheet,
    *,
    merged: Sequence[str] = (),
    first_row: int = 1,
    dimension: str | None = None,
    hidden: Sequence[str] = (),
    shared: Sequence[str] = (),
) -> bytes:
    """Return an xlsx file.

    Parameters
    ----------
    sheets : mapping of str to rows, or rows
        Cells are text, numbers, truth values, dates, None (empty) or raw XML as bytes.
    merged : sequence of str
        Ranges of merged cells, such as ``"A1:C1"``, in every sheet.
    first_row : int
        Where the rows begin.
    dimension : str or None
        The size that sheets declare.
    hidden : sequence of str
        Sheets that are not shown.
    shared : sequence of str
        Texts that cells share.
    """
    if not isinstance(sheets, Mapping):
        sheets = {"Sheet1": sheets}
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{i}" r:id="rId{i}"{_state(name, hidden)}/>'
        for i, name in enumerate(sheets, 1)
    )
    targets = "".join(
        f'<Relationship Id="rId{i}" Type="{RELATIONS}/worksheet" Target="worksheets/sheet{i}.xml"/>'
        for i in range(1, len(sheets) + 1)
    )
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", KINDS)
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}"><Relationship Id="rId1" '
            f'Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets>{listed}</sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{package}">{targets}<Relationship Id="rId99" '
            f'Type="{RELATIONS}/styles" Target="styles.xml"/><Relationship Id="rId98" '
            f'Type="{RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        )
        texts = "".join(f"<si><t>{text}</t></si>" for text in shared)
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{MAIN}">{texts}</sst>')
        archive.writestr("xl/styles.xml", STYLES)
        for i, rows in enumerate(sheets.values(), 1):
            archive.writestr(
                f"xl/worksheets/sheet{i}.xml", _sheet(rows, merged, first_row, dimension)
            )
    return file.getvalue()


def with_cell(book: bytes, place: str) -> bytes:
    """Return a workbook of one sheet with one more cell below its rows, however far from them."""
    row = place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    cell = f'<row r="{row}"><c r="{place}"><v>1</v></c></row></sheetData>'.encode()
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(book)) as old,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for part in old.namelist():
            new.writestr(part, old.read(part).replace(b"</sheetData>", cell))
    return file.getvalue()


def _state(name: str, hidden: Sequence[str]) -> str:
    return ' state="hidden"' if name in hidden else ""


def _sheet(rows: Sheet, merged: Sequence[str], first_row: int, dimension: str | None) -> str:
    body = "".join(
        f'<row r="{line}">{"".join(_cell(c, line, j) for j, c in enumerate(row))}</row>'
        for line, row in enumerate(rows, first_row)
    )
    size = f'<dimension ref="{dimension}"/>' if dimension else ""
    ranges = "".join(f'<mergeCell ref="{place}"/>' for place in merged)
    joined = f'<mergeCells count="{len(merged)}">{ranges}</mergeCells>' if merged else ""
    return f'<worksheet xmlns="{MAIN}">{size}<sheetData>{body}</sheetData>{joined}</worksheet>'


def letters(j: int) -> str:
    """Return the letters of a column, counted from 0."""
    name = ""
    j += 1
    while j:
        j, rest = divmod(j - 1, 26)
        name = chr(65 + rest) + name
    return name


def _cell(value: object, line: int, j: int) -> str:
    place = f'r="{letters(j)}{line}"'
    if value is None:
        return ""
    if isinstance(value, bytes):
        return f"<c {place} {value.decode()}</c>"
    if isinstance(value, bool):
        return f'<c {place} t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f"<c {place}><v>{value!r}</v></c>"
    if isinstance(value, date):
        style = 2 if isinstance(value, datetime) else 1
        moment = value if isinstance(value, datetime) else datetime(*value.timetuple()[:3])
        return f'<c {place} s="{style}"><v>{(moment - DAY_0).total_seconds() / 86400!r}</v></c>'
    text = escape(str(value))
    return f'<c {place} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
