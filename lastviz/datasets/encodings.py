"""From the bytes of a text file to its text: the encoding is found out.

Byte order marks decide first, then the zero bytes of UTF-16, then whether it is valid UTF-8.
What is left is Chinese (GB 18030) or Western European (Windows-1252).
"""

from __future__ import annotations

import codecs
import re

__all__ = ["decoded"]

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
ARCHIVE = b"PK\x03\x04"
CONTROL = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f]")
BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")


def decoded(data: bytes, encoding: str | None, name: str) -> tuple[str, str]:
    """Return the text, its lines ending in a plain line feed, and the name of its encoding.

    Parameters
    ----------
    data : bytes
    encoding : str or None
        None: found out.
    name : str
        What messages call the file.

    Raises
    ------
    ValueError
        If it is no text, or not text in this encoding.
    """
    encoding = encoding or _guess(data, name)
    try:
        text = data.decode(encoding)
    except LookupError:
        raise ValueError(f"{name}: there is no encoding {encoding!r}; try 'utf-8'") from None
    except UnicodeError as error:
        raise ValueError(
            f"{name} is not text in {encoding} ({error.reason}); save it as CSV in UTF-8"
        ) from None
    if CONTROL.search(text):
        raise ValueError(_binary(name))
    return text.replace("\r\n", "\n").replace("\r", "\n"), encoding


def _binary(name: str) -> str:
    return f"{name} is a binary file, not text; save the table as CSV in UTF-8"


def _guess(data: bytes, name: str) -> str:
    if data.startswith(ARCHIVE):
        raise ValueError(f"{name} is an Excel workbook or an archive; save its sheet as CSV")
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return encoding
    if b"\x00" in data:
        wide = _utf_16_without_mark(data[:65_536])
        if wide is None:
            raise ValueError(_binary(name))
        return wide
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "gb18030" if _is_chinese(data) else "cp1252"
    return "utf-8"


def _utf_16_without_mark(sample: bytes) -> str | None:
    """Most characters of a table are ASCII, so that every other byte is zero."""
    half = len(sample) // 2
    zeros_first, zeros_second = sample[0::2].count(0), sample[1::2].count(0)
    if zeros_second > 0.7 * half and zeros_first == 0:
        return "utf-16-le"
    if zeros_first > 0.7 * half and zeros_second == 0:
        return "utf-16-be"
    return None


def _is_chinese(data: bytes) -> bool:
    """Chinese bytes come in pairs, mostly led by B0 to D7 (the common characters).

    Accented letters stand alone or, in pairs, are mostly small ones from E0 upwards.
    """
    try:
        data.decode("gb18030")
    except UnicodeDecodeError:
        return False
    runs = BEYOND_ASCII.findall(data)
    leads = [byte for run in runs if len(run) % 2 == 0 for byte in run[::2]]
    common = sum(0xA1 <= byte <= 0xA3 or 0xB0 <= byte <= 0xD7 for byte in leads)
    return 2 * common > 0.5 * sum(map(len, runs))
