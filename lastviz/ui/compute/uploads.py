"""The visitor's files: the store has them, and a session holds those that it works with once more.

Where there is no store, or no room in it, a session alone holds a file, and says so. Private texts
of a scene (see :mod:`lastviz.host.security`) go the same way. As long as a page of the visitor
is open the store is told so; some minutes after the last one was closed all of it is given up, and
what this process has worked out of it.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import TypeVar

import streamlit as st

from lastviz.estimators import IMPORTED, is_imported
from lastviz.host import security, visitor
from lastviz.host.memory import MEMORY
from lastviz.host.store import Share, Store, StoreFull, Upload, the_store, try_store
from lastviz.host.visitor import PRESENCE
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

HELD = "files"  # the session's key
DIGITS = 12  # of a file's SHA-256, in a link
MOST_HELD = 3  # files in a session; a large class has many sessions
MOST_HELD_BYTES = 100_000_000  # of them together; one alone may have as many
log = logging.getLogger("lastviz")

Answer = TypeVar("Answer")


@dataclass(frozen=True, eq=False)
class Held:
    """A file that a session holds."""

    upload: Upload
    data: bytes
    identity: str  # SHA-256 of the bytes
    stored: bool = False
    fault: str | None = None  # why it could not be stored, as a sentence


@dataclass(frozen=True)
class Own:
    """File of the visitor: its size, whether it is stored, and the way to read it."""

    upload: Upload
    n_bytes: int
    is_stored: bool
    read: Callable[[], bytes | None]


# It is stored once the browser has told who the visitor is, see :func:`store_held`.
def keep(name: str, data: bytes, rows: int) -> Upload:
    """Keep a file of the visitor and return its description for a link."""
    upload = Upload(digest_of(data), name, rows)
    _hold(Held(upload, data, sha256(data).hexdigest()))
    store_held()
    return upload


# In this process files are distinguished by all of SHA-256.
def digest_of(data: bytes) -> str:
    """Digest of a file's contents for a link."""
    return sha256(data).hexdigest()[:DIGITS]


def store_held() -> None:
    """Store the files and texts that only this session holds, if the visitor is known."""
    token, store = visitor.token(), the_store()
    PRESENCE.note(token, {held.identity for held in _all_held().values()})
    _store_texts(store, token)
    for held in _waiting():
        if store is None:
            _hold(replace(held, fault=t("This server cannot keep files.")))
        elif token is not None:
            _hold(_stored(store, token, held))
        elif visitor.is_known():
            _hold(replace(held, fault=t("This browser does not keep anything for this page.")))


def waits_for_visitor() -> bool:
    """Whether this session holds data to be stored once the visitor is known."""
    return bool(_waiting() or (security.session_texts() and not visitor.is_known()))


def needs_visitor(selection: Selection) -> bool:
    """Whether the selected file may become available once the visitor is known."""
    if visitor.is_known():
        return False
    if any(is_imported(m.key) and model_named(m.key) is None for m in selection.models):
        return the_store() is not None
    upload = selection.upload
    is_own = upload is not None and upload.share is None
    return is_own and _key(upload) not in _all_held() and the_store() is not None


def content(upload: Upload) -> bytes | None:
    """File's bytes, None if the visitor has no such file or it is not shared any more."""
    store, token, held = the_store(), visitor.token(), _all_held().get(_key(upload))
    if upload.share is not None:
        if share_of(upload) is None:
            return None
        return held.data if held else _fetched(upload, lambda: store.shared_content(upload))
    if held is not None:
        return held.data
    return (
        None if None in (store, token) else _fetched(upload, partial(store.content, token, upload))
    )


def identity(upload: Upload) -> str:
    """SHA-256 of a file that :func:`content` has found."""
    return _all_held()[_key(upload)].identity


def identities() -> list[str]:
    """SHA-256 of all files that this session holds."""
    return sorted({held.identity for held in _all_held().values()})


def names() -> list[Upload]:
    """Visitor's tables, the one used last at the end."""
    return [upload for upload in _own() if upload.rows > 0]


def models() -> list[Upload]:
    """Visitor's files of models, which have no rows, the one used last at the end."""
    return [upload for upload in _own() if upload.rows == 0]


def model_titles() -> dict[str, str]:
    """Titles of the visitor's models in choosers, by their keys."""
    return {
        f"{IMPORTED.key}.{upload.digest}": t("{name} · your model", name=upload.name)
        for upload in models()
    }


def model_named(key: str) -> Upload | None:
    """File that the key of a model names, None if the visitor has no such file."""
    return next((upload for upload in models() if upload.digest == key.partition(".")[2]), None)


# None without a store, without a visitor, or if the store does not answer.
def _from_store(question: Callable[..., Answer], *about: object) -> Answer | None:
    """Answer of the store about the visitor."""
    store, token = the_store(), visitor.token()
    return None if None in (store, token) else try_store(partial(question, store, token, *about))


def _own() -> list[Upload]:
    held = [held.upload for held in _all_held().values() if held.upload.share is None]
    stored = _from_store(Store.names) or []
    return list({upload.digest: upload for upload in (*stored, *held)}.values())


def is_stored(upload: Upload) -> bool:
    """Whether the visitor's file is in the store, and not in this session alone."""
    held = _all_held().get(_key(upload))
    return held is not None and held.stored and upload.share is None


# None if it was stored, or may still be.
def fault(upload: Upload) -> str | None:
    """Reason why a file could not be stored, as a sentence."""
    return getattr(_all_held().get(_key(upload)), "fault", None)


def forget(upload: Upload) -> None:
    """Delete a file of the visitor and its shares, here and in the store."""
    _from_store(Store.forget, upload)
    st.session_state[HELD] = {k: held for k, held in _all_held().items() if k != _key(upload)}


def all_own() -> list[Own]:
    """All files of the visitor, tables and models."""
    store, token, stored = the_store(), visitor.token(), _from_store(Store.sizes) or {}
    found = []
    for upload in _own():
        held = _all_held().get(_key(upload))
        if held is not None:
            read, n_bytes = (lambda data=held.data: data), len(held.data)
        else:
            read = partial(try_store, partial(store.content, token, upload))
            n_bytes = stored.get(upload.digest, 0)
        found.append(Own(upload, n_bytes, upload.digest in stored, read))
    return found


def all_shares() -> list[Share]:
    """All that the visitor shares."""
    return _from_store(Store.shares) or []


# False if the store does not answer.
def forget_all() -> bool:
    """Delete all uploads of the visitor and all results of this process about them."""
    store, token = the_store(), visitor.token()
    done = None in (store, token) or try_store(lambda: (store.forget_all(token), True)) is not None
    for held in _all_held().values():
        MEMORY.forget_all_about(held.identity)
    st.session_state[HELD] = {}
    security.forget_all()
    return done


def share(upload: Upload, days: float) -> Share | None:
    """Share a file of the visitor, None if it is not stored or too many are shared."""
    return _from_store(Store.share, upload, days)


def shares(upload: Upload) -> list[Share]:
    """The visitor's shares of a file."""
    return [share for share in all_shares() if share.upload.digest == upload.digest]


def withdraw(code: str) -> None:
    """End a share of the visitor's."""
    _from_store(Store.withdraw, code)


def shared_file(code: str) -> Upload | None:
    """File that is shared under a code, None if there is none (any more)."""
    store = the_store()
    found = None if store is None else try_store(lambda: store.shared(code))
    return None if found is None else found.upload


def shared_here(upload: Upload) -> Upload | None:
    """File of the same contents that somebody shares and this session has seen."""
    same = (held.upload for held in _all_held().values() if held.upload.digest == upload.digest)
    return next((found for found in same if found.share and share_of(found)), None)


def share_of(upload: Upload) -> Share | None:
    """Share that a file is seen by, None if it is over."""
    store = the_store()
    found = None if store is None else try_store(lambda: store.shared(upload.share))
    return found if found is not None and found.upload.digest == upload.digest else None


def text_of(name: str) -> str | None:
    """Private text that a name stands for, None if the visitor has none such."""
    text = security.text_of(name)
    return _from_store(Store.text, name) if text is None else text


def all_texts() -> dict[str, str]:
    """Visitor's private texts, by their names."""
    return (_from_store(Store.texts) or {}) | security.all_texts()


def _store_texts(store: Store | None, token: str | None) -> None:
    if store is None or token is None:
        return
    for name, text in security.session_texts().items():
        try_store(lambda name=name, text=text: store.keep_text(token, name, text))
        security.note_stored(name)


def _stored(store: Store, token: str, held: Held) -> Held:
    try:
        store.keep(token, held.upload, held.data, visitor.source())
    except StoreFull:
        return replace(held, fault=t("This server has no room for another file at the moment."))
    except (OSError, sqlite3.Error):
        log.exception("a file could not be stored")
        return replace(held, fault=t("This server could not keep the file."))
    return replace(held, stored=True)


def _fetched(upload: Upload, fetch: Callable[[], bytes | None]) -> bytes | None:
    data = try_store(fetch)
    if data is not None:
        _hold(Held(upload, data, sha256(data).hexdigest(), stored=True))
    return data


def _waiting() -> list[Held]:
    return [held for held in _all_held().values() if not held.stored and held.fault is None]


# A file in the store is not lost.
def _hold(held: Held) -> None:
    """Hold a file and drop the oldest beyond the limits."""
    key = _key(held.upload)
    others = [(k, other) for k, other in _all_held().items() if k != key]
    retained, n_bytes = [(key, held)], len(held.data)
    for k, other in reversed(others):
        n_bytes += len(other.data)
        if len(retained) == MOST_HELD or n_bytes > MOST_HELD_BYTES:
            break
        retained.append((k, other))
    st.session_state[HELD] = dict(reversed(retained))
    PRESENCE.note(visitor.token(), {held.identity})


def _key(upload: Upload) -> tuple[str, str | None]:
    return upload.digest, upload.share


def _all_held() -> dict[tuple[str, str | None], Held]:
    return st.session_state.get(HELD, {})
