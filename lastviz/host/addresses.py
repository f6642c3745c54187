"""Addresses that others can open, where a page was opened on the server's own machine.

There its address says ``localhost``, and so would links, codes and rooms that are handed on.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import streamlit as st

from .security import SERVED

CONTAINERS = (Path("/.dockerenv"), Path("/run/.containerenv"))
EVERYWHERE = "0.0.0.0"
SOMEWHERE = ("192.0.2.1", 9)  # nothing is sent there


class Reach(Enum):
    """Who can open an address."""

    OTHERS = "others"
    MACHINE = "machine"  # the server answers to nobody else
    UNKNOWN = "unknown"  # others can come in, by an address that the server does not know


def page_address() -> str:
    """Return the address of this page for others if there is one, without its query."""
    return _here()[0].geturl() if st.context.url else ""


def origin_for_others() -> str:
    """Return with what that address begins, "" if it is as the browser has it."""
    where = _here()[0]
    same = where.netloc == urlsplit(st.context.url or "").netloc
    return "" if same else f"{where.scheme}://{where.netloc}"


def reach() -> Reach:
    """Tell who can open the address of this page as :func:`page_address` gives it."""
    return _here()[1]


def for_others(
    url: str, served: str | None, own: Callable[[], str | None]
) -> tuple[SplitResult, Reach]:
    """Return the address of a page without its query, and who can open it.

    Parameters
    ----------
    url : str
        As the browser has it.
    served : str or None
        The name or address that the server listens on; None for all of its machine.
    own : callable
        Returns the machine's address in its network, None if there is none.
    """
    where = urlsplit(url)._replace(query="", fragment="")
    if not _is_own(where.hostname or ""):
        return where, Reach.OTHERS
    served = (served or EVERYWHERE).strip("[]")
    ip = _ip(served)
    if _is_own(served) and not (ip and ip.is_unspecified):
        return where, Reach.MACHINE
    name = served if ip is None or not ip.is_unspecified else own()
    if name is None or _is_own(name):
        return where, Reach.UNKNOWN
    port = "" if where.port is None else f":{where.port}"
    name = f"[{name}]" if ":" in name else name
    return where._replace(netloc=f"{name}{port}"), Reach.OTHERS


def _here() -> tuple[SplitResult, Reach]:
    served = os.environ.get(SERVED) or st.get_option("server.address")
    return for_others(st.context.url or "", served, _own_address)


def _is_own(name: str) -> bool:
    """Tell whether every machine means itself by a name, as by that of all its addresses."""
    if (ip := _ip(name)) is not None:
        return ip.is_loopback or ip.is_unspecified
    return f".{name.lower().removesuffix('.')}".endswith(".localhost")


def _ip(name: str) -> IPv4Address | IPv6Address | None:
    with suppress(ValueError):
        ip = ip_address(name.strip("[]"))
        return getattr(ip, "ipv4_mapped", None) or ip
    return None


def _own_address() -> str | None:
    """Return the machine's address in its network; a container has one that nobody else sees."""
    if any(file.exists() for file in CONTAINERS):
        return None
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(SOMEWHERE)
        return asked.getsockname()[0]
    return None
