"""The part of an address that stands before the app's own: ``/tools/lastviz`` or nothing."""

from __future__ import annotations

import re

HEALTH = "/_stcore/health"
"""Where a server says that it answers, after its base path."""

PART = re.compile(r"[\w~-][\w.~-]*", re.ASCII)


def base_path(text: str) -> str:
    """Return a base path as it stands in addresses: ``tools/lastviz`` is ``/tools/lastviz``.

    Raises
    ------
    ValueError
        If it is none: parts are letters, digits, ``-``, ``_``, ``~`` and dots after the first sign.
    """
    parts = [part for part in text.split("/") if part]
    if "//" in text or not all(map(PART.fullmatch, parts)):
        raise ValueError(f"a base path is like tools/lastviz, got {text!r}")
    return "".join(f"/{part}" for part in parts)


def address_of(host: str, port: int, base: str = "") -> str:
    """Return the address of a server; that of IPv6 stands in brackets."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{base}"
