"""Identity and presence of visitors: an account, or a random token of the browser, in no link.

The session learns the browser's from it (see :mod:`lastviz.ui.components.stage`), and only
when it is of use: a file is kept for it, or there is one to look for. With a login what is kept
belongs to the account, whose token is made of what its provider calls it.

A session ends :data:`STAYS` seconds after its page was closed, with the files that were handed to
it; until then a page that was cut off finds it again. (Streamlit itself drops a session only when
another one closes.)

What visitors leave behind is given up some minutes after they have left. As long as a page of a
visitor is open the store is told so. What this process has worked out of a file is forgotten when
the last session that worked with it has been gone so long. What memory is free then goes back to
the system.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cache
from hashlib import sha256
from ipaddress import ip_address, ip_network
from pathlib import Path
from secrets import token_hex
from threading import Event, Lock, Thread
from time import monotonic

import pyarrow
import streamlit as st
from streamlit import config, runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.secrets import secrets_singleton
from streamlit.runtime.state import SessionState

from lastviz._recent import forget_recent
from lastviz.studies.memory import give_back

from . import security
from .intake import RECEIVED
from .memory import MEMORY
from .store import ACCOUNT, LIMITS, the_store, try_store
from .turns import TURNS

TOKEN = "visitor"
FORGOTTEN = "visitor_forgotten"  # the browser is to forget its token, too
OF_SESSION = "visitor_of_session"  # a token for who lets the browser keep none
UNKNOWN = ""  # the browser was asked and keeps none
TRUSTED = "LASTVIZ_ADDRESS_HEADER"  # in which a web server in front says who asks
FORM = re.compile("[0-9a-f]{64}")
EVERY = 60.0  # seconds between two looks at what visitors have left behind
STAYS = 120.0  # seconds after its page was closed in which a session has ended
OFTEN = 10.0  # seconds between two looks at sessions; none ends in the last two of its STAYS


def token() -> str | None:
    """Visitor's token: the account's, else the browser's, None if there is none."""
    return account() or answer() or None


# Anybody may name any digits as their browser's token: those of an account are none of them.
def account() -> str | None:
    """Token of the account that is logged in, None without a login."""
    if standing() is not Standing.ADMITTED or not st.user.get("sub"):
        return None
    return ACCOUNT + sha256(f"{st.user.get('iss')}\n{st.user['sub']}".encode()).hexdigest()


def answer() -> str | None:
    """Token that the browser keeps, "" if it keeps none, None if it was not asked yet."""
    return st.session_state.get(TOKEN)


def stand_in() -> str:
    """Visitor's token, one of this session alone if there is none yet."""
    return token() or st.session_state.setdefault(OF_SESSION, token_hex(32))


def tokens() -> tuple[str, ...]:
    """Tokens that this session may have used, the visitor's first."""
    return tuple(filter(None, (token(), st.session_state.get(OF_SESSION))))


def is_known() -> bool:
    """Whether there is an account, or the browser has answered, if only with nothing."""
    return account() is not None or answer() is not None


def know(answer: object) -> None:
    """Store the token that the browser sends, unless it does not have the form of one."""
    is_token = isinstance(answer, str) and FORM.fullmatch(answer) is not None
    st.session_state[TOKEN] = answer if is_token else UNKNOWN
    st.session_state.pop(FORGOTTEN, None)


def forget() -> None:
    """Forget who the visitor is, and let the browser forget it."""
    st.session_state[TOKEN], st.session_state[FORGOTTEN] = UNKNOWN, True


def is_forgotten() -> bool:
    """Whether the browser is to forget its token.

    A token made later is another one.
    """
    return FORGOTTEN in st.session_state


def source() -> str | None:
    """Name for the visitor's network address, None where nobody vouches for it.

    An account has none, since it is counted itself.

    The name is one of :mod:`.private`: the same for all workers, and nothing can be read from it.
    Of a list the last entry counts, which the web server in front has written.
    """
    header = os.environ.get(TRUSTED, "").strip()
    value = (st.context.headers.get(header) or "") if header and not account() else ""
    try:
        address = ip_address(value.rpartition(",")[2].strip().strip("[]"))
    except ValueError:
        return None
    # Whoever has one address of IPv6 has all that begin like it.
    found = ip_network((address, 64 if address.version == 6 else 32), strict=False)
    return security.name_of(f"address {found}")


@dataclass
class Seen:
    """Session with the time it was last known to be open, its visitor and its files."""

    at: float
    token: str | None
    identities: frozenset[str]
    has_ended: bool = False


class Presence:
    """Register of this process's sessions, and of the files they have worked with."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._seen: dict[str, Seen] = {}

    def note(self, token: str | None, identities: set[str]) -> None:
        """Note that the session of this run is here.

        The store learns of a visitor at once.
        """
        run = get_script_run_ctx(suppress_warning=True)
        if run is None:
            return
        with self._lock:
            before = self._seen.get(run.session_id)
            known = before.identities if before else frozenset()
            self._seen[run.session_id] = Seen(self._clock(), token, known | identities)
        store = the_store()
        if token is not None and store is not None and (before is None or before.token != token):
            try_store(lambda: store.note_presence(token))

    def counts(self, is_open: Callable[[str], bool]) -> tuple[int, int]:
        """Number of open sessions, and of their visitors."""
        with self._lock:
            seen = {name: seen.token or name for name, seen in self._seen.items()}
        here = [whose for name, whose in seen.items() if is_open(name)]
        return len(here), len(set(here))

    def ended(self, is_open: Callable[[str], bool], seconds: float = STAYS) -> list[str]:
        """Sessions whose pages were closed so long ago, each of them once."""
        now, found = self._clock(), []
        with self._lock:
            for name, seen in self._seen.items():
                seen.at = now if is_open(name) else seen.at
                if now - seen.at > seconds - 2 * OFTEN and not seen.has_ended:
                    seen.has_ended = True
                    found.append(name)
        return found

    def look(self, is_open: Callable[[str], bool], minutes: float = LIMITS.minutes) -> None:
        """Report present visitors to the store, and drop the leftovers of those who left."""
        now, store = self._clock(), the_store()
        with self._lock:
            for name, seen in self._seen.items():
                seen.at = now if is_open(name) else seen.at
            gone = {name for name, seen in self._seen.items() if now - seen.at > 60 * minutes}
            left = [self._seen.pop(name) for name in gone]
            here = {seen.token for seen in self._seen.values() if seen.at == now} - {None}
            in_use = {file for seen in self._seen.values() for file in seen.identities}
        for identity in {file for seen in left for file in seen.identities} - in_use:
            MEMORY.forget_all_about(identity)
        if left:
            forget_recent()
        if MEMORY.forget_unused() or left:
            TURNS.note_what_is_left()  # what refers to itself in circles was frozen meanwhile
        if store is not None:
            for token in here:
                try_store(lambda token=token: store.note_presence(token))
            try_store(store.tidy)


PRESENCE = Presence()


def look_after(is_open: Callable[[str], bool]) -> None:
    """Look at the presence of visitors regularly; `is_open` knows open sessions."""
    # Arrow's own allocator keeps what is freed for later; that of C gives it back to the system.
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())

    def go_on() -> None:
        nap = Event()
        while not nap.wait(EVERY):
            PRESENCE.look(is_open)
            RECEIVED.tidy()
            TURNS.tidy_after_all()
            give_back()

    Thread(target=go_on, name="presence", daemon=True).start()


async def end_sessions(is_open: Callable[[str], bool]) -> None:
    """End sessions from now on, some time after their pages were closed; for the server's loop."""
    while True:
        await asyncio.sleep(OFTEN)
        for session in PRESENCE.ended(is_open):
            _end(session)
            TURNS.note_what_is_left()


def _end(session: str) -> None:
    """End a session and release its state.

    The server's loop holds the last one it served.
    """
    server = runtime.get_instance()
    with suppress(AttributeError):  # it has gone, or another Streamlit keeps it elsewhere
        server._session_mgr.get_session_info(session).session._session_state = SessionState()
    server.close_session(session)


# ---- Who may come in: nobody is asked unless the server's secrets name a provider of logins (OIDC)
#
# ``[auth]`` in Streamlit's ``secrets.toml`` names it. ``LASTVIZ_ALLOW`` says who may come in by
# addresses (``ann@example.org``) and domains (``example.org``), with blanks or commas in between;
# without it, whoever the provider lets in. An address counts if the provider has verified it, or
# where ``LASTVIZ_TRUST_EMAIL`` is ``true``: for providers that say nothing of it and are ours.
# What is half configured lets nobody in.


ALLOW = "LASTVIZ_ALLOW"
TRUST = "LASTVIZ_TRUST_EMAIL"
DEFAULT = "default"  # as Streamlit calls a provider without a name


class Standing(Enum):
    """Standing of a visitor with the login."""

    OPEN = "nobody is asked"
    STRANGER = "not logged in"
    UNVERIFIED = "logged in, by an address that nobody has verified"
    REFUSED = "logged in, and not on the list"
    ADMITTED = "logged in"
    BROKEN = "a login is wanted and not configured"

    @property
    def may_enter(self) -> bool:
        """Whether pages are shown."""
        return self in (Standing.OPEN, Standing.ADMITTED)


def standing() -> Standing:
    """Standing of this run's visitor with the login."""
    if not is_wanted():
        return Standing.OPEN
    if not providers():
        return Standing.BROKEN
    if not st.user.get("is_logged_in"):
        return Standing.STRANGER
    allow = os.environ.get(ALLOW, "")
    if not _entries(allow):
        return Standing.ADMITTED
    if st.user.get("email_verified") is not True and os.environ.get(TRUST) != "true":
        return Standing.UNVERIFIED
    return Standing.ADMITTED if is_allowed(_email(), allow) else Standing.REFUSED


def is_allowed(email: str, allow: str) -> bool:
    """Whether an address is on a list of addresses and domains."""
    person, at, domain = email.strip().lower().rpartition("@")
    if not (person and at and domain):
        return False
    return not {f"{person}@{domain}", domain}.isdisjoint(_entries(allow))


def name() -> str:
    """Display name of the logged-in visitor: the address, else the name."""
    return _email() or str(st.user.get("name") or st.user.get("sub") or "?")


@cache
def is_wanted() -> bool:
    """Whether there is a login, or signs that one was intended."""
    if secrets_singleton.load_if_toml_exists():
        return "auth" in secrets_singleton or bool(_entries(os.environ.get(ALLOW, "")))
    unread = any(Path(file).exists() for file in config.get_option("secrets.files"))
    return unread or bool(_entries(os.environ.get(ALLOW, "")))


@cache
def providers() -> tuple[str, ...]:
    """Names of the providers that are configured, none if the settings are not whole."""
    if not secrets_singleton.load_if_toml_exists() or "auth" not in secrets_singleton:
        return ()
    section = secrets_singleton["auth"]
    if not (section.get("redirect_uri") and section.get("cookie_secret")):
        return ()
    found = {DEFAULT: section} | {k: v for k, v in section.items() if hasattr(v, "get")}
    needed = ("client_id", "client_secret", "server_metadata_url")
    return tuple(k for k, v in found.items() if all(v.get(part) for part in needed))


def _email() -> str:
    email = st.user.get("email")
    return email if isinstance(email, str) else ""


def _entries(allow: str) -> set[str]:
    parts = re.split(r"[\s,;]+", allow.lower())
    return {part.removeprefix("@") for part in parts if part.removeprefix("@")}
