"""Data kept of this visitor at present, wherever they are: to be listed, exported, deleted.

Each place that keeps something is asked for itself, and each thing says what it is in a file: what
is listed is what the visitor can take away, and what is deleted.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import PureWindowsPath
from zipfile import ZIP_DEFLATED, ZipFile

from streamlit.runtime.scriptrunner import get_script_run_ctx

from lastviz._csv_writer import as_csv
from lastviz.datasets import to_csv
from lastviz.host import visitor
from lastviz.host.rooms import the_rooms
from lastviz.host.store import Share, the_store, try_store
from lastviz.ui.state import session
from lastviz.ui.state.quiz_codes import quiz_file, story_file
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow

from . import studies, uploads

KINDS = ("file", "texts", "share", "room", "answers", "study", "story", "quiz")
Parts = Mapping[str, str | bytes]
Tokens = Sequence[str]


@dataclass(frozen=True)
class Item:
    """One thing that is kept of the visitor."""

    kind: str  # one of `KINDS`
    name: str  # its own name, "" where it has none
    n_bytes: int
    count: int = 1  # how many texts, answers, scenes or questions it is made of
    # Seconds since 1970 at which it goes by itself; None where no time is fixed.
    until: float | None = None
    # Whether it is in the server's store, and not in the memory of this session alone.
    is_stored: bool = True
    # Returns what it is in files, by their names. It may be called in any thread.
    parts: Callable[[], Parts] = field(default=dict, compare=False)


def all_items(selection: Selection) -> list[Item]:
    """Items kept of the visitor of this run, as far as each place answers."""
    stored = [*_files(), *_texts(), *_shares(), *_of_rooms(visitor.tokens()), *_studies()]
    return [*stored, *_collected(selection)]


# It may run in any thread.
def zip_items(things: Iterable[Item]) -> bytes:
    """All items as one archive, with a list of them."""
    things, file = list(things), io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        rows = [
            {"kind": k.kind, "name": k.name, "bytes": k.n_bytes, "count": k.count,
             "until": None if k.until is None else datetime.fromtimestamp(k.until, UTC).isoformat()}
            for k in things
        ]  # fmt: skip
        archive.writestr("list.json", _json(rows))
        taken = {"list.json"}
        for thing in things:
            for name, content in thing.parts().items():
                archive.writestr(_free(name, taken), content)
    return file.getvalue()


def take_over() -> bool:
    """Hand the data of this browser over to the account; whether there were any."""
    account, before, store = visitor.account(), visitor.answer(), the_store()
    if not account or not before:
        return False
    moved = store is not None and bool(try_store(lambda: store.hand_over(before, account)))
    if studies.has_store():
        with suppress(CannotShow):  # the next session of this browser tries again
            moved |= studies.ask(lambda line: line.hand_over(before, account))
    visitor.know(visitor.UNKNOWN)
    return moved


# For callbacks. What other open pages of the visitor hold goes with their sessions.
def delete_all() -> bool:
    """Delete all of it, here and in the browser; False if a place does not answer."""
    tokens, owner = visitor.tokens(), visitor.token()
    done = [uploads.forget_all()]
    run = get_script_run_ctx(suppress_warning=True)
    if run is not None:  # Streamlit has what lies in the fields for files once more
        run.uploaded_file_mgr.remove_session_files(run.session_id)
    rooms = the_rooms()
    if rooms is not None:
        done += [try_store(lambda t=t: (rooms.forget_all(t), True)) is not None for t in tokens]
    if owner is not None and studies.has_store():
        done.append(studies.try_study_store(lambda line: _delete_studies(line, owner)) is not None)
    studies.refusal()  # the page says itself that a place does not answer
    session.begin_anew()
    visitor.forget()
    return all(done)


def _delete_studies(line: object, owner: str) -> bool:
    for study_id, _, _ in line.names(owner):
        with suppress(ValueError):  # another window was quicker
            line.delete(study_id, owner)
    return True


def _files() -> list[Item]:
    return [
        Item("file", own.upload.name, own.n_bytes, is_stored=own.is_stored,
             parts=partial(_file_part, own))
        for own in uploads.all_own()
    ]  # fmt: skip


def _file_part(own: uploads.Own) -> Parts:
    content = own.read()
    return {} if content is None else {f"files/{_plain_name(own.upload.name)}": content}


def _texts() -> list[Item]:
    texts = list(uploads.all_texts().values())
    if not texts:
        return []
    n_bytes = sum(len(text.encode()) for text in texts)
    return [Item("texts", "", n_bytes, len(texts),
                 parts=lambda: {"typed_values.json": _json(texts)})]  # fmt: skip


def _shares() -> list[Item]:
    def written(share: Share) -> Parts:
        row = {"code": share.code, "file": share.upload.name, "rows": share.upload.rows}
        return {f"shares/{share.code}.json": _json(row)}

    return [
        Item("share", share.upload.name, 0, until=share.expires, parts=partial(written, share))
        for share in uploads.all_shares()
    ]


def _of_rooms(tokens: Tokens) -> list[Item]:
    """Rooms that the visitor opened, and the visitor's answers in others."""
    rooms = the_rooms()
    if rooms is None:
        return []
    found = []
    for token in tokens:
        for room in try_store(partial(rooms.opened_by, token)) or ():
            parts = {f"rooms/{room.code}.json": room.quiz}
            n_bytes = len(room.quiz.encode())
            found.append(Item("room", room.code, n_bytes, until=room.expires,
                              parts=lambda parts=parts: parts))  # fmt: skip
        for code, given in (try_store(partial(rooms.answered_by, token)) or {}).items():
            room = try_store(partial(rooms.look, code))
            parts = {f"rooms/{code}_answers.json": _json(given)}
            found.append(Item("answers", code, sum(len(x.encode()) for x in given), len(given),
                              until=None if room is None else room.expires,
                              parts=lambda parts=parts: parts))  # fmt: skip
    return found


def _studies() -> list[Item]:
    owner = visitor.token()
    if owner is None or not studies.has_store():
        return []

    def look(line: object) -> list[Item]:
        return [
            Item("study", name, line.n_bytes(study_id), parts=partial(_of_study, study_id, owner))
            for study_id, name, _ in line.names(owner)
        ]

    with suppress(CannotShow):  # a database that is away for a moment keeps the page from nothing
        return studies.ask(look)
    return []


def _of_study(study_id: str, owner: str) -> Parts:
    """Study as its file, its finished folds, and the tables handed in for it."""

    def read(line: object) -> Parts:
        tables = line.given(study_id)
        from lastviz.studies.kept_data import pack_dataset

        study = line.study(study_id, owner, list(tables))
        parts = {
            "study.toml": study.to_toml(),
            "folds.csv": as_csv(line.folds(study_id)),
        }
        parts |= {f"{key}.csv": to_csv(table) for key, table in tables.items()}
        return parts | {f"{key}.parquet": pack_dataset(table) for key, table in tables.items()}

    try:
        parts = studies.ask(read)
    except (CannotShow, ValueError) as reason:
        parts = {"missing.txt": str(reason)}
    return {f"studies/{study_id}/{name}": content for name, content in parts.items()}


def _collected(selection: Selection) -> list[Item]:
    """Items collected on this page: a story, a quiz."""
    found = []
    for kind, collected, written in (
        ("story", selection.story.slides, story_file),
        ("quiz", selection.quiz.questions, quiz_file),
    ):
        if collected:
            text = written(collected)
            parts = {f"{kind}.json": text}
            found.append(Item(kind, "", len(text.encode()), len(collected), is_stored=False,
                              parts=lambda parts=parts: parts))  # fmt: skip
    return found


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _plain_name(name: str) -> str:
    """Name of a file without the folders that it may name, on whatever machine."""
    return PureWindowsPath(name).name.lstrip(".") or "file"


def _free(name: str, taken: set[str]) -> str:
    """Name that no other part of the archive has, and take it."""
    stem, dot, ending = name.rpartition(".")
    free, number = name, 2
    while free in taken:
        free = f"{stem} ({number}){dot}{ending}" if dot else f"{name} ({number})"
        number += 1
    taken.add(free)
    return free
