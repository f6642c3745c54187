"""The page *privacy*: data kept of the visitor now and in general, and those responsible."""

from __future__ import annotations

import logging
import os
from datetime import UTC, datetime
from functools import partial
from html import escape
from pathlib import Path

import streamlit as st
from streamlit.web.server.starlette.starlette_server_config import (
    AUTH_COOKIE_MAX_AGE_SECONDS,
    TOKENS_COOKIE_NAME,
    USER_COOKIE_NAME,
    XSRF_COOKIE_NAME,
)

from lastviz.host import visitor
from lastviz.host.language import current_language
from lastviz.host.memory import MEMORY, UNUSED, WORKERS
from lastviz.host.rooms import ROOM_LIMITS
from lastviz.host.store import DAY, LIMITS, MEGABYTE
from lastviz.host.visitor import STAYS, TRUSTED
from lastviz.ui.compute import kept
from lastviz.ui.compute.kept import Item
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.widgets import save_button
from lastviz.ui.state import session
from lastviz.ui.text import number, plural, t

KILOBYTE = 1000
STORAGE = "lastviz-visitor"  # as components/visitor_watch.js calls it
LESSONS = "lastviz-lessons"  # as components/lessons_watch.js calls it
STORY = "lastviz-story"  # as components/story_watch.js calls it
WORKER_COOKIE = "LV"  # as deploy/haproxy.cfg.template calls it
Rule = tuple[str, str, str]


def rules(*, login: bool) -> list[Rule]:
    """Rules on the stored data: kind, place and duration.

    `login` is whether there is a login.
    """
    return [
        *_on_disk(login=login),
        *(() if login else _of_address()),
        *_in_memory(),
        *_in_the_browser(login=login),
        *(_of_login() if login else ()),
    ]


def _minutes() -> str:
    """Duration for which a browser's data are kept after they leave."""
    return plural(round(LIMITS.minutes), "{n} minute", "{n} minutes")


def _days() -> str:
    """Duration for which an account's data are kept after they leave."""
    return plural(round(LIMITS.days_of_account), "{n} day", "{n} days")


def _on_disk(*, login: bool) -> list[Rule]:
    files = t(
        "Until {days} after your last visit, sooner if this server needs the room. At most {files} "
        "files, {megabytes} MB and {n} texts; then the oldest is deleted"
        if login
        else "Until {minutes} after your last page was closed. At most {files} files, {megabytes} "
        "MB and {n} texts; then the oldest is deleted",
        minutes=_minutes(),
        days=_days(),
        files=number(LIMITS.files),
        megabytes=number(LIMITS.bytes_of_visitor / MEGABYTE),
        n=number(LIMITS.texts),
    )
    shares = t(
        "Until the day that you choose, {days} days at most, or until you withdraw them",
        days=number(LIMITS.days),
    )
    rooms = plural(
        round(ROOM_LIMITS.hours),
        "{n} hour after it was opened, or until it is ended",
        "{n} hours after it was opened, or until it is ended",
    )
    return [
        (t("Tables and models that you hand in, values that you type for a row, large paintings"),
         t("On this server's disk, for your account alone" if login
           else "On this server's disk, for this browser alone"), files),
        (
            t("Tables that you share"),
            t("On this server's disk, for whoever has the code"),
            shares,
        ),
        (
            t("Rooms in which a class answers a quiz"),
            t("On this server's disk. Nobody is named: who opens a room and who answers there is "
              "known by a hash that is worth nothing in another room"),
            rooms,
        ),
        (
            t("Studies that you begin on the page Compare, with the tables that they use"),
            t("In this server's database of studies, for your account alone" if login
              else "In this server's database of studies, for this browser alone"),
            t("Until you delete them, there or here"),
        ),
        (
            t("Errors of the program"),
            t("In this server's log: the time, the page and its address, which may name a file; "
              "not who you are"),
            t("As long as its operator keeps the log"),
        ),
    ]  # fmt: skip


def _of_address() -> list[Rule]:
    rule = (
        t("The network address that you come from, while you keep files here or are in a room"),
        t("On this server's disk, as a hash, so that nobody takes all the room"),
        t("As long as those files, or the room"),
    )  # fmt: skip
    return [rule] if os.environ.get(TRUSTED) else []


def _in_memory() -> list[Rule]:
    worked_out = t(
        "Of your files: until {minutes} after your last page was closed. Nothing for more "
        "than {unused} minutes after its last use, nor more than {megabytes} MB in all. What is "
        "deleted is overwritten when the memory is used again, not at once",
        minutes=_minutes(),
        unused=number(UNUSED // 60),
        megabytes=number(MEMORY.most_bytes >> 20),
    )
    of_session = plural(
        round(STAYS),
        "In memory {n} second after the page was closed. The address stays in your browser's "
        "history",
        "In memory {n} seconds after the page was closed. The address stays in your browser's "
        "history",
    )
    return [
        (
            t("Models, pictures and numbers that are worked out"),
            t("In this server's memory"),
            worked_out,
        ),
        (
            t(
                "The scene, a story, the questions of a quiz, the language; files that are read "
                "once, to score their rows or to open a scene"
            ),
            t("In this server's memory while the page is open, and in its address, files excepted"),
            of_session,
        ),
    ]


def _in_the_browser(*, login: bool) -> list[Rule]:
    several = os.environ.get(WORKERS, "1") not in ("", "1")
    cookies = [XSRF_COOKIE_NAME, *([WORKER_COOKIE] if several else [])]
    token = (
        t("A random token that tells this browser from others, once there is something to "
          "keep for it"),
        t("In this browser, as {name}; the server keeps a hash of it", name=STORAGE),
        t("Until you delete it all here, or what this browser has stored"),
    )  # fmt: skip
    return [
        *(() if login else (token,)),
        (
            t("Cookies that the server needs: {names}", names=t(", ").join(cookies)),
            t("In this browser: a token against forged requests, and which of several processes "
              "serves your pages")
            if several
            else t("In this browser: a token against forged requests"),
            t("Until the browser is closed"),
        ),
        (
            t("Which lessons of the course you have been through"),
            t("In this browser, as {name}", name=LESSONS),
            t("Until you delete it all here, or what this browser has stored"),
        ),
        (
            t("The story that you put together, so that a link does not start it anew"),
            t("In this browser tab, as {name}", name=STORY),
            t("Until the tab is closed"),
        ),
        (
            t("Whether pages are light or dark, if you choose it"),
            t("In this browser"),
            t("Until you delete what this browser has stored"),
        ),
    ]  # fmt: skip


def _of_login() -> list[Rule]:
    return [
        (
            t("Your name and e-mail address, as the provider of the login tells them"),
            t("In this browser, in the cookies {names}, signed by this server, which stores them "
              "nowhere", names=t(", ").join((USER_COOKIE_NAME, TOKENS_COOKIE_NAME))),
            plural(
                round(AUTH_COOKIE_MAX_AGE_SECONDS / DAY),
                "{n} day, or until you log out",
                "{n} days, or until you log out",
            ),
        ),
        (
            t("Which account is yours"),
            t("On this server's disk, as a hash of what the provider of the login calls it"),
            t("As long as anything is kept for it"),
        ),
    ]  # fmt: skip


def rules_table(found: list[Rule]) -> str:
    """Rules as html."""
    heads = (t("What"), t("Where"), t("How long"))
    return _table(heads, [tuple(map(escape, rule)) for rule in found], "lv-rules-kept")


def stored_table(things: list[Item]) -> str:
    """Table of the data stored at present, as HTML."""
    heads = (t("What"), t("Size"), t("Until"))
    rows = [
        (
            f"<b>{escape(_kind(thing))}</b>"
            + (f"<span>{escape(thing.name)}</span>" if thing.name else ""),
            escape(size(thing.n_bytes)) if thing.n_bytes else "",
            escape(_until(thing)),
        )
        for thing in things
    ]
    return _table(heads, rows, "lv-kept")


def size(n_bytes: int) -> str:
    """Size as people read it."""
    if n_bytes < KILOBYTE:
        return plural(n_bytes, "{n} byte", "{n} bytes")
    if n_bytes < MEGABYTE:
        return t("{n} kB", n=number(float(f"{n_bytes / KILOBYTE:.3g}")))
    return t("{n} MB", n=number(float(f"{n_bytes / MEGABYTE:.3g}")))


def _kind(thing: Item) -> str:
    n = thing.count
    match thing.kind:
        case "file":
            return t("File")
        case "share":
            return t("Share of a table")
        case "room":
            return t("Room that you opened")
        case "study":
            return t("Study")
        case "texts":
            return plural(n, "{n} text that you typed", "{n} texts that you typed")
        case "answers":
            return plural(n, "{n} answer in a room", "{n} answers in a room")
        case "story":
            return plural(n, "Story of {n} scene", "Story of {n} scenes")
        case _:
            return plural(n, "Quiz of {n} question", "Quiz of {n} questions")


def _until(thing: Item) -> str:
    if thing.until is not None:
        return f"{datetime.fromtimestamp(thing.until, UTC):%Y-%m-%d %H:%M} UTC"
    if not thing.is_stored:
        return t("This page is closed")
    if thing.kind == "study":
        return t("You delete it")
    if visitor.account():
        return t("{days} after your last visit", days=_days())
    return t("{minutes} after you left", minutes=_minutes())


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]], name: str) -> str:
    """Table; on a phone each cell says its head again."""
    head = "".join(f'<th scope="col">{escape(title)}</th>' for title in heads)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td data-head="{escape(title)}">{cell}</td>'
            for title, cell in zip(heads, row, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    inside = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<table class="lv-privacy {name}">{inside}</table>'


# ---------------------------------------------------------------- page


QUESTION = "What is stored about me, and for how long?"
NOTICE = "LASTVIZ_PRIVACY_NOTICE"
MOST_NOTICE = 100_000  # bytes of the operator's notice
DONE = "privacy_done"  # the session's: whether all was deleted, once it was asked for
log = logging.getLogger("lastviz")


def body() -> None:
    """Draw the data stored at present, the data that may be stored, and the notice."""
    _now()
    st.subheader(t("What is stored, where and for how long"), anchor=False)
    show(rules_table(rules(login=visitor.is_wanted())))
    st.caption(
        t("Pages come from this server alone; no other computer learns what you do here. Data "
          "sets of OpenML are fetched by this server, which does not say for whom.")
    )  # fmt: skip
    _notice()


def _now() -> None:
    things = kept.all_items(session.current())
    st.subheader(t("Stored about you now"), anchor=False)
    done = st.session_state.pop(DONE, None)
    if done:
        st.info(t("All of it is deleted."), icon=":material/check:")
    elif done is not None:
        words = "Not everything could be deleted. Try again in a minute; what remains is listed."
        st.error(t(words), icon=":material/error:")
    if not things:
        st.markdown(t("Nothing about you is stored here."))
        if visitor.answer():
            _delete_box()
        return
    show(stored_table(things))
    with st.container(horizontal=True, wrap=True, gap="small", key="privacy_acts"):
        make, look = partial(kept.zip_items, things), {"mime": "application/zip"}
        save_button(t("Save it all"), make, "lastviz-kept.zip", key="privacy_save", **look)
        _delete_box()


def _delete_box() -> None:
    with st.popover(t("Delete it all"), icon=":material/delete:", key="privacy_delete"):
        st.markdown(
            t("All that is listed is deleted at once, for everyone, and this browser forgets its "
              "token. This cannot be undone. Other open pages keep what they show.")
        )  # fmt: skip
        st.button(t("Yes, delete it all"), key="privacy_delete_now", on_click=_delete)


def _delete() -> None:
    done = kept.delete_all()
    st.session_state[DONE] = done


# Any HTML in it is shown as text.
def _notice() -> None:
    """Draw the operator's notice, as Markdown."""
    st.subheader(t("Who runs this server"), anchor=False)
    named = os.environ.get(NOTICE)
    if not named:
        st.markdown(t("Its operator has left no notice here. Ask whoever gave you the address."))
        return
    try:
        text = _read(Path(named))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        log.warning("%s cannot be shown: %s", NOTICE, error)
        st.markdown(t("The notice of its operator cannot be shown at the moment."))
        return
    with st.container(key="privacy_notice"):
        st.markdown(text)


def _read(file: Path) -> str:
    """Notice, in the language of the reader where there is one: ``notice.zh.md``."""
    own = file.with_name(f"{file.stem}.{current_language()}{file.suffix}")
    found = own if own.is_file() else file
    content = found.read_bytes()
    if len(content) > MOST_NOTICE:
        raise ValueError(f"{found} is longer than {number(MOST_NOTICE)} bytes")
    return content.decode("utf-8")
