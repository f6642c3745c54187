"""A whole scene as one file: the content of a link, private parts, and the data of a file.

``docs/scene_file.md`` describes the format. A file comes from anywhere, so nothing in it is
believed: sizes are bounded before anything is unpacked, only two entries are read and none is
written to a disk, texts are read by the codec of links, and what the file says about its data is
compared with the data. Nothing is run.
"""

from __future__ import annotations

import io
import json
import platform
import re
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from importlib.metadata import version as version_of

from lastviz import __version__
from lastviz.host.store import Upload
from lastviz.plots import number
from lastviz.ui.state.codec import decode, encode
from lastviz.ui.state.link_texts import write_brushed_in_full
from lastviz.ui.state.selection import FIELDS, Selection
from lastviz.ui.state.session import data_params, model_params
from lastviz.ui.text import t

from .data import MEGABYTES, MOST_ROWS
from .uploads import DIGITS, digest_of

FORMAT = "lastviz scene"
VERSION = 1
SUFFIX = ".lastviz"
SCENE, DATA, TABLE = "scene.json", "data", "table-"  # the entries; tables are numbered
MEGABYTE = 1_000_000
MOST_OF_SCENE = MEGABYTE
MOST_OF_DATA = MEGABYTES * 2**20
MOST_BYTES = MOST_OF_DATA + MOST_OF_SCENE
MOST_ENTRIES, MOST_OF_LIST = 16, 8192  # entries, and bytes of their list
MOST_SETTINGS, MOST_LETTERS = 1000, 200_000  # of one setting
MOST_DIGITS = 15
LIST_ENDS = 22  # bytes of the record that ends an archive without a comment
LARGER_LIST = 20  # bytes of the record before it, of archives beyond 4 GB
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same scene makes the same file
LIBRARIES = ("numpy", "pandas", "scikit-learn", "plotly", "streamlit")
MISSING = "This scene is refused: its data are missing."
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
NAME = re.compile(r"[a-z][a-z_]{0,40}")
OUTSIDE = re.compile(r"(^|[/\\])\.\.([/\\]|$)|^[/\\~]|^[A-Za-z]:|[\0\\]")


Tables = Sequence[tuple[Upload, bytes]]
"""Files of tables, and how links describe them."""


@dataclass(frozen=True, eq=False)
class SavedScene:
    """Contents of a saved scene file."""

    selection: Selection
    page: str  # name of the page that was open; it may be none of ours
    data: bytes | None  # the file that the scene is about, None for data that the app makes itself
    problems: tuple[str, ...]  # a sentence for each setting that is not known here and was left out
    # How the file was read when the scene was saved, nothing left to find out; "" if unknown.
    reading: str = ""
    tables: Tables = ()  # other files that slides of its story are about


def is_scene(name: str, data: bytes) -> bool:
    """Whether a file is meant to be a scene: by its name, or by its first bytes."""
    return name.lower().endswith(SUFFIX) or (data[:4] == b"PK\x03\x04" and _first(data) == SCENE)


def _first(data: bytes) -> str:
    """Name of an archive's first entry as it stands at its beginning."""
    return data[30 : 30 + int.from_bytes(data[26:28], "little")].decode("utf-8", "replace")


def write(
    selection: Selection, page: str, data: bytes | None, reading: str = "", tables: Tables = ()
) -> bytes:
    """File of a scene; the same scene makes the same bytes.

    Parameters
    ----------
    selection : Selection
    page : str
        Name of the page that is open.
    data : bytes or None
        Contents of the file that the selection is about, if it is about one.
    reading : str, optional
        How that file was read, nothing left to find out, as a text.
    tables : sequence of (Upload, bytes), optional
        Files that slides of the story are about.
    """
    if selection.upload is not None:
        selection = replace(selection, upload=replace(selection.upload, share=None))
    settings = encode(selection, named=False)
    if selection.view.brushed:  # a link may have but a name for them
        settings[FIELDS["brushed"].link[0]] = write_brushed_in_full(selection.view.brushed)
    scene = {
        "format": FORMAT,
        "version": VERSION,
        "written_by": {"lastviz": __version__, "python": platform.python_version()}
        | {name: version_of(name) for name in LIBRARIES},
        "page": page,
        "settings": settings,
        "data": None,
    }
    if selection.upload is not None:
        scene["data"] = _about(selection.upload, data) | {"reading": reading}
    if tables:
        scene["tables"] = [_about(*table) for table in tables]
    scene["sha256"] = _digest(scene)
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        text = json.dumps(scene, ensure_ascii=False, indent=1, allow_nan=False)
        archive.writestr(_entry(SCENE), text.encode("utf-8", "surrogatepass"))
        entries = {} if selection.upload is None else {DATA: data}
        entries |= {f"{TABLE}{n}": content for n, (_, content) in enumerate(tables, start=1)}
        for name, content in entries.items():  # nine times as fast as the default
            archive.writestr(_entry(name), content, compresslevel=1)
    return into.getvalue()


def _about(upload: Upload, data: bytes) -> dict[str, object]:
    found = {"name": upload.name, "rows": upload.rows, "bytes": len(data)}
    return found | {"sha256": sha256(data).hexdigest()}


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, LONG_AGO)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


def _digest(scene: dict) -> str:
    """SHA-256 of all that a scene says beside it, in one spelling."""
    rest = {name: value for name, value in scene.items() if name != "sha256"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def read(content: bytes) -> SavedScene:
    """Scene read from the contents of a saved scene file.

    Its data have not been read as a table yet; they are the bytes that the scene names.

    Raises
    ------
    ValueError
        If it is no scene, or one that cannot be trusted or read here; a sentence says why.
    """
    archive = _opened(content)
    entries = _entries(archive)
    scene = _scene(_unpacked(archive, entries[SCENE], MOST_OF_SCENE))
    _check_version(scene)
    if scene.get("sha256") != _digest(scene):
        raise ValueError(t("This scene has been changed or damaged since it was saved."))
    settings = _settings(scene)
    selection, problems = decode(settings, data_params, model_params)
    data = None
    if selection.upload is not None:
        unpack = partial(_entry_of_data, archive, entries, DATA, MOST_OF_DATA)
        data = _data(scene.get("data"), selection.upload, unpack)
    tables = _tables(scene.get("tables", []), partial(_entry_of_data, archive, entries))
    page = scene.get("page")
    is_name = isinstance(page, str) and NAME.fullmatch(page)
    reading = "" if data is None else scene["data"].get("reading", "")
    reading = reading if isinstance(reading, str) else ""
    return SavedScene(selection, page if is_name else "", data, problems, reading, tables)


def _opened(content: bytes) -> zipfile.ZipFile:
    """Archive; its list of entries is looked at before it is read."""
    none = t("This is not a scene file: it is not an archive as “Save scene” writes it.")
    if len(content) > MOST_BYTES:
        sentence = "This scene is larger than the {most} MB that the app takes."
        raise ValueError(t(sentence, most=number(MOST_BYTES // 2**20)))
    end = content[-LIST_ENDS:]
    larger = content[-LIST_ENDS - LARGER_LIST : -LIST_ENDS]
    if not end.startswith(b"PK\x05\x06") or end[-2:] != b"\0\0" or larger.startswith(b"PK\x06\x07"):
        raise ValueError(none)
    n_entries, n_bytes = (int.from_bytes(end[a:b], "little") for a, b in ((10, 12), (12, 16)))
    if n_entries > MOST_ENTRIES or n_bytes > MOST_OF_LIST:
        raise ValueError(t("This is not a scene file: its archive has too many entries."))
    try:
        return zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError) as reason:
        raise ValueError(none) from reason


def _entries(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Entries by name; those that nobody reads are harmless, if they are well named."""
    found: dict[str, zipfile.ZipInfo] = {}
    for entry in archive.infolist():
        name = entry.orig_filename
        if OUTSIDE.search(name) or entry.is_dir():
            sentence = "This scene is refused: its entry “{name}” leads out of the archive."
            raise ValueError(t(sentence, name=_short(name)))
        if entry.filename in found:
            sentence = "This scene is refused: it has two entries “{name}”."
            raise ValueError(t(sentence, name=_short(name)))
        found[entry.filename] = entry
    if SCENE not in found:
        raise ValueError(
            t("This is not a scene file: “{name}” is missing in its archive.", name=SCENE)
        )
    return found


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes:
    """Contents of an entry, never more than `most` bytes."""
    large = t(
        "This scene is refused: its “{name}” would take more than {most} MB.",
        name=entry.filename,
        most=number(most // MEGABYTE),
    )
    if entry.file_size > most or entry.compress_size > most:
        raise ValueError(large)
    damaged = t("This scene is damaged: its “{name}” cannot be unpacked.", name=entry.filename)
    if entry.flag_bits & 1 or entry.compress_type not in METHODS:
        raise ValueError(damaged)
    try:
        with archive.open(entry) as packed:
            content = packed.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError, RuntimeError) as reason:
        raise ValueError(damaged) from reason
    if len(content) > most:
        raise ValueError(large)
    if len(content) != entry.file_size:
        raise ValueError(damaged)
    return content


def _scene(content: bytes) -> dict:
    """JSON object in an entry."""
    try:
        scene = json.loads(
            content.decode("utf-8", "strict"),
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
        )
    except (ValueError, RecursionError) as reason:
        sentence = "This is not a scene file: its “{name}” is not JSON as “Save scene” writes it."
        raise ValueError(t(sentence, name=SCENE)) from reason
    if not isinstance(scene, dict) or scene.get("format") != FORMAT:
        raise ValueError(t("This is not a scene file: its format is not named."))
    return scene


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice")
    return found


def _integer(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError("a number has too many digits")
    return int(text)


def _no_fraction(text: str) -> float:
    raise ValueError(f"no number of a scene is {text}")


def _check_version(scene: dict) -> None:
    found = scene.get("version")
    if type(found) is not int or found < 1:
        raise ValueError(t("This scene does not say which version of the format it has."))
    if found > VERSION:
        sentence = (
            "This scene was saved by a newer lastviz: its format is {found}, and this one reads "
            "formats up to {known}. Update lastviz to open it."
        )
        raise ValueError(t(sentence, found=number(found), known=number(VERSION)))


def _settings(scene: dict) -> dict[str, str]:
    settings = scene.get("settings")
    if not isinstance(settings, dict) or len(settings) > MOST_SETTINGS:
        raise ValueError(t("This is not a scene file: its settings are missing."))
    for name, value in settings.items():
        if not isinstance(value, str) or max(len(name), len(value)) > MOST_LETTERS:
            sentence = "This scene is refused: its setting “{name}” is not a text or too long."
            raise ValueError(t(sentence, name=_short(name)))
    return settings


def _entry_of_data(
    archive: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo], name: str, most: int
) -> bytes:
    if name not in entries:
        raise ValueError(t(MISSING))
    return _unpacked(archive, entries[name], most)


def _tables(listed: object, unpack: Callable[[str, int], bytes]) -> Tables:
    """Files of slides, together no larger than one may be."""
    found: list[tuple[Upload, bytes]] = []
    for n, about in enumerate(listed if isinstance(listed, list) else [None], start=1):
        name, rows = (about.get("name"), about.get("rows")) if isinstance(about, dict) else (0, 0)
        if not isinstance(name, str) or type(rows) is not int or rows < 1:
            raise ValueError(t(MISSING))
        upload = Upload(str(about.get("sha256"))[:DIGITS], name, rows)
        left = MOST_OF_DATA - sum(len(data) for _, data in found)
        found.append((upload, _data(about, upload, partial(unpack, f"{TABLE}{n}", left))))
    return found


def _data(about: object, upload: Upload, unpack: Callable[[], bytes]) -> bytes:
    """Data of a scene, which are those that it names."""
    if not isinstance(about, dict):
        raise ValueError(t(MISSING))
    if upload.rows > MOST_ROWS:
        sentence = "This scene is refused: its data have {n} rows; the app takes at most {most}."
        raise ValueError(t(sentence, n=number(upload.rows), most=number(MOST_ROWS)))
    data = unpack()
    declared = (about.get("sha256"), about.get("bytes"), about.get("name"), about.get("rows"))
    found = (sha256(data).hexdigest(), len(data), upload.name, upload.rows)
    if declared != found or digest_of(data) != upload.digest:
        raise ValueError(t("This scene is refused: its data are not those that it was saved with."))
    return data


def _short(text: str) -> str:
    text = "".join(sign if sign.isprintable() else "·" for sign in text)
    return text if len(text) <= 40 else text[:39] + "…"
