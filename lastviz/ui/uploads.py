"""The reader's own files: kept in the session, never in a link, and at most three."""

from __future__ import annotations

from hashlib import sha256

import streamlit as st

from .selection import Upload

__all__ = ["content", "keep", "names"]

FILES = "files"
LARGEST_NUMBER = 3


def keep(name: str, data: bytes, rows: int) -> Upload:
    """Keep a file, give up the oldest beyond three, and return what a link says about it."""
    upload = Upload(sha256(data).hexdigest()[:12], name, rows)
    files = {digest: kept for digest, kept in _files().items() if digest != upload.digest}
    files[upload.digest] = (upload, data)
    st.session_state[FILES] = dict(list(files.items())[-LARGEST_NUMBER:])
    return upload


def content(upload: Upload) -> bytes | None:
    """Return the file's bytes, None if this session does not hold it."""
    _, data = _files().get(upload.digest, (None, None))
    return data


def names() -> list[Upload]:
    """Return the files of this session, the oldest first."""
    return [upload for upload, _ in _files().values()]


def _files() -> dict[str, tuple[Upload, bytes]]:
    return st.session_state.get(FILES, {})
