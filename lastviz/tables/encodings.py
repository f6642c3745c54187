"""Encoding of a text file, detected from its bytes.

Byte order marks decide first, then the zero bytes of UTF-16, then whether it is valid UTF-8. Of
what is left, letters that stand alone are Western European (Windows-1252) unless chardet says
Central European; where they stand in words, chardet tells which script it is, except for Japanese,
which its kana give away in shorter texts, and Chinese (GB 18030), which its pairs of bytes do.
"""

from __future__ import annotations

import codecs
import io
import re
from typing import TextIO

from lastviz._sentences import Refusal

ENCODINGS = {
    "utf-8": "UTF-8",
    "cp1252": "Western Europe (Windows-1252)",
    "cp1250": "Central Europe (Windows-1250)",
    "cp1251": "Cyrillic (Windows-1251)",
    "koi8_r": "Cyrillic (KOI8-R)",
    "cp1253": "Greek (Windows-1253)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)",
    "shift_jis": "Japanese (Shift JIS)",
    "euc_kr": "Korean (EUC-KR)",
    "utf-16": "UTF-16",
    "mac_roman": "Macintosh (Roman)",
    "cp850": "DOS (850)",
}
"""Encodings that can be chosen, and how they are called."""

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
CONTROLS = bytes([*range(9), *range(14, 26), *range(27, 32)])  # that no table holds
CONTROL = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f]")
BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")
WORD = re.compile(rb"[^\s,;|\"\x80-\xff]*[\x80-\xff][^\s,;|\"]*")
BEFORE_A_LETTER = re.compile(rb"[\x80-\xff](?=[A-Za-z\xc0-\xff])")
HIGH = bytes(range(128, 256))
# What chardet calls encodings -> Python's names.
ACCENTS = {"windows-1252": "cp1252", "windows-1250": "cp1250", "iso-8859-2": "iso8859_2"}
SCRIPTS = {
    **{"gb18030": "gb18030", "gb2312": "gb18030", "big5": "big5", "cp932": "cp932"},
    **{"shift_jis": "cp932", "euc-jp": "euc_jp", "cp949": "cp949", "euc-kr": "cp949"},
    **{"windows-1251": "cp1251", "kz1048": "cp1251", "koi8-r": "koi8_r", "windows-1253": "cp1253"},
    **{"iso-8859-7": "iso8859_7", "iso-8859-5": "iso8859_5"},
}
JAPANESE = ("cp932", "euc_jp")
KANA = re.compile("[ぁ-ヿ]")
SAMPLE = 65_536  # bytes beyond ASCII that are looked at
ENOUGH = 12  # of them for chardet to be believed
USUAL = 1.4  # times as likely as chardet thinks are Western European letters
ENOUGH_PAIRS = 10  # different pairs of bytes, the same where they may be Chinese


def as_text(data: bytes, encoding: str) -> TextIO:
    """File of text over bytes that are in this encoding; lines end in a line feed."""
    return io.TextIOWrapper(io.BytesIO(data), encoding, newline=None)


def encoding_of(data: bytes, encoding: str | None, name: str) -> str:
    """Python's name of the encoding; all bytes are text in it.

    Raises
    ------
    ValueError
        If it is no text, or not text in this encoding.
    """
    encoding = encoding or _guess(data, name)
    try:
        codec = codecs.lookup(encoding)
        if not getattr(codec, "_is_text_encoding", True):
            raise LookupError(encoding)
        text = data.decode(encoding)
    except (LookupError, ValueError) as error:
        if isinstance(error, UnicodeError):
            raise Refusal(
                "{name} is not text in {encoding} ({reason}); save it as CSV in UTF-8",
                name=name,
                encoding=encoding,
                reason=error.reason,
            ) from None
        raise Refusal(
            "{name}: there is no encoding {encoding!r}; try 'utf-8'", name=name, encoding=encoding
        ) from None
    wide = codec.name.startswith(("utf-16", "utf-32"))
    if CONTROL.search(text) if wide else len(data) != len(data.translate(None, CONTROLS)):
        raise _binary(name)
    return encoding


def _binary(name: str) -> Refusal:
    return Refusal("{name} is a binary file, not text; save the table as CSV in UTF-8", name=name)


def _guess(data: bytes, name: str) -> str:
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return encoding
    if b"\x00" in data:
        wide = _utf_16_without_mark(data[:65_536])
        if wide is None:
            raise _binary(name)
        return wide
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _one_of_many(data)
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


def _one_of_many(data: bytes) -> str:
    """Encoding of bytes that are not UTF-8."""
    runs, n_bytes = [], 0
    for found in BEYOND_ASCII.finditer(data):
        runs.append(found.group())
        n_bytes += len(runs[-1])
        if n_bytes > SAMPLE:
            break
    chinese = _is_chinese(data, runs)
    n_pairs = len({run[i : i + 2] for run in runs for i in range(0, len(run), 2)})
    if n_bytes < ENOUGH or (chinese and n_pairs < ENOUGH_PAIRS):
        return "gb18030" if chinese else "cp1252"
    words = WORD.findall(data[: 16 * SAMPLE])
    if _are_accents(words):
        return "cp1250" if _is_central(words) else _guessed(data, ACCENTS)
    kana = next((each for each in JAPANESE if _is_japanese(data, each)), None)
    return kana or _guessed(data, ACCENTS | SCRIPTS)


def _are_accents(words: list[bytes]) -> bool:
    """Whether letters beyond ASCII stand among others, as accented ones do."""
    n_beyond = sum(len(word) - len(word.translate(None, HIGH)) for word in words)
    return n_beyond <= 0.45 * sum(map(len, words))


def _is_central(words: list[bytes]) -> bool:
    """Whether signs before a letter are letters in Central Europe alone: £ódŸ is Łódź."""
    signs = {found for word in words for found in BEFORE_A_LETTER.findall(word)}
    western = [sign for sign in signs if not sign.decode("cp1252", "replace").isalpha()]
    return bool(western) and all(sign.decode("cp1250", "replace").isalpha() for sign in western)


def _guessed(data: bytes, among: dict[str, str]) -> str:
    """Encoding, out of some, that chardet finds for the first rows beyond ASCII."""
    import chardet

    first = BEYOND_ASCII.search(data).start()
    sample = data[max(first - SAMPLE, 0) : first + SAMPLE]
    scores = {"cp1252": 0.0}
    for each in chardet.detect_all(
        sample, ignore_threshold=True, include_encodings=among, no_match_encoding="windows-1252"
    ):
        name = among.get((each["encoding"] or "").lower())
        if name is not None and _decoded(data, name) is not None:
            prior = USUAL if name == "cp1252" else 1.0
            scores[name] = max(scores.get(name, 0.0), prior * each["confidence"])
    return max(scores, key=scores.get)


def _decoded(data: bytes, encoding: str) -> str | None:
    """Bytes as text, None if not all of them are."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _is_japanese(data: bytes, encoding: str) -> bool:
    """Whether a third of the signs beyond ASCII is kana in this encoding."""
    text = _decoded(data, encoding)
    return text is not None and 3 * len(KANA.findall(text)) > sum(not c.isascii() for c in text)


def _is_chinese(data: bytes, runs: list[bytes]) -> bool:
    """Chinese bytes come in pairs, mostly led by B0 to D7 (the common characters).

    Accented letters stand alone or, in pairs, are mostly small ones from E0 upwards.
    """
    if _decoded(data, "gb18030") is None:
        return False
    leads = [byte for run in runs if len(run) % 2 == 0 for byte in run[::2]]
    common = sum(0xA1 <= byte <= 0xA3 or 0xB0 <= byte <= 0xD7 for byte in leads)
    return 2 * common > 0.5 * sum(map(len, runs))
