"""Who may come in: nobody is asked unless the server's secrets name a provider of logins (OIDC).

``[auth]`` in Streamlit's ``secrets.toml`` names it. ``LASTVIZ_ALLOW`` says who may come in by
addresses (``ann@example.org``) and domains (``example.org``), with blanks or commas in between;
without it, whoever the provider lets in. An address counts if the provider has verified it, or
where ``LASTVIZ_TRUST_EMAIL`` is ``true``: for providers that say nothing of it and are ours.
What is half configured lets nobody in.
"""

from __future__ import annotations

import os
import re
from enum import Enum
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit import config
from streamlit.runtime.secrets import secrets_singleton

ALLOW = "LASTVIZ_ALLOW"
TRUST = "LASTVIZ_TRUST_EMAIL"
DEFAULT = "default"  # as Streamlit calls a provider without a name


class Standing(Enum):
    """How somebody stands to the login."""

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
    """Return how the reader of this run stands."""
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
    """Tell whether an address is on a list of addresses and domains."""
    person, at, domain = email.strip().lower().rpartition("@")
    if not (person and at and domain):
        return False
    return not {f"{person}@{domain}", domain}.isdisjoint(_entries(allow))


def name() -> str:
    """Return what who is logged in is called: the address, else the name."""
    return _email() or str(st.user.get("name") or st.user.get("sub") or "?")


@cache
def is_wanted() -> bool:
    """Tell whether there is a login, or what looks as if there was meant to be one."""
    if secrets_singleton.load_if_toml_exists():
        return "auth" in secrets_singleton or bool(_entries(os.environ.get(ALLOW, "")))
    unread = any(Path(file).exists() for file in config.get_option("secrets.files"))
    return unread or bool(_entries(os.environ.get(ALLOW, "")))


@cache
def providers() -> tuple[str, ...]:
    """Return the names of the providers that are configured, none if the settings are not whole."""
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
