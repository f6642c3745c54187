"""The selection of this browser tab, and the address that says it.

Who wins, the address or the session? The address wins when the reader has just used it: on the
first run, after back or forward, and on a page entered by a link with a query. Otherwise the
session wins and the address follows. What the reader changed on a page whose session is gone is
neither: see :mod:`.resumption`. Each change is written once, as a new entry of the
browser's history, which makes the back button undo.

:func:`sync` must run before ``st.navigation``: the frontend then opens the page's new entry
with the query already in it, instead of an entry without one that back would stop at.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lastviz._params import Param
from lastviz.datasets import PAINTED, all_datasets, openml_number
from lastviz.estimators import ESTIMATORS, IMPORTED, is_imported
from lastviz.host import security, visitor
from lastviz.host.language import ENGLISH, LANGUAGE, current_language, speak
from lastviz.ui.sheet import sheet
from lastviz.ui.text import languages, t

from . import resumption
from .codec import (
    NOT_IN_LINK,
    PrivateBy,
    SharedBy,
    decode,
    encode,
    nothing_private,
    nothing_shared,
    private_texts,
    without_private,
)
from .moved import AGAINST_EACH_OTHER, moved_to, study_fields
from .selection import DEFAULT, FIELDS, Selection

SELECTION = "selection"
PROBLEMS = "problems"
PAGE = "page"  # its hash
NAME = "page_name"
TO_OPEN = "page_to_open"
MOVED = "page_moved_to"  # the one that shows what the address asked the page monotone for
LINKED_LANGUAGE = "lang"  # the part of the address that says it
EXAMPLE = "example"  # the scene that an address without any choice stands for
OF_PAGE = "example_of_page"  # its query
SETTLED = "settled"
AWAITED = "private_awaited"  # the address names what may be known once the visitor is
TO_DROP = "address_to_change"  # parts of the address: what they are, what they are to be
COLLECTED = ("slides", "questions")  # a scene that is opened adds to them, and takes none away
SEEN = "seen"  # the page, and its parts that the reader has had in sight
ARRIVED = "arrived"  # by the keys of the widgets whose values came with the last run's request


def sync(shared: SharedBy = nothing_shared, private_text: PrivateBy = nothing_private) -> None:
    """Bring selection and address together; called once at the start of every run.

    `shared` returns the file that is shared under a code, `private_text` the text that a name in
    the address stands for.
    """
    resumption.forget_old_widgets()
    resumption.put_aside()
    st.session_state[ARRIVED] = resumption.arrived_keys()
    query = st.query_params.to_dict()
    wins, wanted = _address_wins(query), query.pop(LINKED_LANGUAGE, None)
    _speak(wanted, wins)
    if wins:
        unknown: list[str] = []

        def look_up(name: str) -> str | None:
            text = private_text(name)
            unknown.extend([name] if text is None else ())
            return text

        selection, sentences = decode(query, data_params, model_params, shared, look_up)
        selection = _with_collected(selection)
        st.session_state[MOVED] = moved_to(query)
        if moved_to(query) == "compare":
            selection = selection.having(**study_fields(AGAINST_EACH_OTHER))
        st.session_state[TO_DROP] = {}
        st.session_state[AWAITED] = bool(unknown) and not visitor.is_known()
        _keep_private(selection)
        if not awaits_private():
            _note_what_to_drop(query, selection)
        st.session_state[SELECTION] = selection
        st.session_state[EXAMPLE] = None if query else selection
        st.session_state[PROBLEMS] = sentences
        st.session_state[SETTLED] = None  # back and forward draw even the same page anew
    else:
        _write(_after_dropping(query))


# They are those of a story or a quiz.
def _with_collected(selection: Selection) -> Selection:
    """Scene with the user's collected slides and questions, unless it has its own."""
    before = current()
    collected = {name: before.value(name) for name in COLLECTED if not selection.value(name)}
    return selection.having(**collected)


def change_language(code: str) -> None:
    """Show the pages in another language; for callbacks."""
    st.session_state[LANGUAGE] = code
    speak(code)
    unsettle()  # a browser keeps the words that menus stand at
    if problems():  # they are sentences: what the address says is read anew, in the new language
        _, sentences = decode(_query_of_address(), data_params, model_params)
        if len(sentences) == len(problems()):
            st.session_state[PROBLEMS] = sentences
    _write(_query_of_address(), always=True)


def language_link() -> dict[str, str]:
    """Part of a query that says the language; that of the browser is not said."""
    return (
        {}
        if current_language() == _language_of_browser()
        else {LINKED_LANGUAGE: current_language()}
    )


# An address that says none speaks that of the browser, if there is a catalogue of it.
def _speak(wanted: str | None, wins: bool) -> None:
    """Set the language of this run to the address's if it `wins`, else the session's."""
    known = st.session_state.get(LANGUAGE)
    if wins and wanted in languages():
        known = wanted
    elif known is None or get_script_run_ctx().is_history_navigation:
        known = _language_of_browser()
    st.session_state[LANGUAGE] = known
    speak(known)


def _language_of_browser() -> str:
    code = (st.context.locale or ENGLISH).split("-")[0].lower()
    return code if code in languages() else ENGLISH


def _query_of_address() -> dict[str, str]:
    """Query of the address, without the language."""
    query = st.query_params.to_dict()
    query.pop(LINKED_LANGUAGE, None)
    return query


def awaits_private() -> bool:
    """Whether the scene is reread once the browser has identified the visitor."""
    return st.session_state.get(AWAITED, False)


def to_drop() -> dict[str, tuple[str, str]]:
    """Parts of the address that must be removed: their present and future values."""
    return st.session_state.get(TO_DROP, {})


# While nothing was chosen, the page shows the example of its `query`, which no address says.
def enter_page(name: str = "", query: str = "") -> None:
    """Remember which page is shown; called once ``st.navigation`` has settled it."""
    st.session_state[NAME] = name
    st.session_state[PAGE] = get_script_run_ctx().page_script_hash
    st.session_state[OF_PAGE] = query
    if is_example():
        selection = _with_collected(example() or DEFAULT)
        if selection == current():  # one object, of which all is worked out once
            return
        st.session_state[SELECTION] = st.session_state[EXAMPLE] = selection


def is_example() -> bool:
    """Whether nothing was chosen yet: the page shows a scene of its own."""
    return current() == st.session_state.get(EXAMPLE)


def example() -> Selection | None:
    """Example of the page that is shown, None if it has none."""
    query = dict(parse_qsl(st.session_state.get(OF_PAGE, "")))
    return decode(query, data_params, model_params)[0] if query else None


def end_run() -> None:
    """Note that a run on the page came to its end; called as the last thing of a page."""
    resumption.hand_in()
    st.session_state[SETTLED] = get_script_run_ctx().page_script_hash


def unsettle() -> None:
    """Let the next run send every widget's value to the browser.

    For use before a run that no user started.

    Such a run may begin before the browser has been told what the last one drew.
    """
    st.session_state[SETTLED] = None


def shows(key: str, words: str | None = None) -> bool:
    """Whether the browser shows the value of a widget of this page already.

    That of a menu by these `words`, if they are given: it keeps those that it has.

    It does once it has sent that value: before, it may have been told and not have taken it, for
    the code of a widget is fetched as it is first drawn. A run in between would replace what it
    was told, and the widget would stand at its default, which the next change would send.

    Nor does it on the first run on a page, or after a run that was interrupted: then a widget may
    be new to the browser although the session remembers its value from before.
    """
    run = get_script_run_ctx()
    if run is None or st.session_state.get(SETTLED) != run.page_script_hash:
        return False
    arrived = st.session_state.get(ARRIVED, {})
    return key in arrived and words in (None, arrived[key])


def current() -> Selection:
    """Selection of this session, or that of the sheet which is drawn on."""
    here = sheet()
    return st.session_state.get(SELECTION, DEFAULT) if here is None else here.selection


def problems() -> tuple[str, ...]:
    """Problems of the link that brought the user here, as sentences."""
    return st.session_state.get(PROBLEMS, ())


def lacks_painting() -> bool:
    """Whether the link's painted rows are neither in it nor available here."""
    is_lost = current().data == PAINTED and not current().painted
    return is_lost and not awaits_private() and t(NOT_IN_LINK) in problems()


# Called from a page's body it needs an ``st.rerun()`` after it.
def select(**changes: object) -> None:
    """Change fields of the selection, for callbacks; see :meth:`Selection.change`."""
    _become(current().change(**changes))


def show(selection: Selection) -> None:
    """Show another selection, for callbacks."""
    _become(selection)


def select_model(place: int, **changes: object) -> None:
    """Change the model at `place`, see :meth:`Selection.change_model`; for callbacks."""
    _become(current().change_model(place, **changes))


def pick_row(row: int, selection: Selection | None = None) -> None:
    """Highlight a row on every page, or none if it is picked again; for callbacks.

    `selection` is what changes beside it.
    """
    picked = None if row == current().view.highlighted else row
    _become((selection or current()).change(highlighted=picked, typed=""))


def click_row(click: dict) -> None:
    """Mark the row that was clicked in a picture, or no row if it was marked already."""
    if click.get("row") is not None:
        pick_row(int(click["row"]) - 1)


def click_node(click: dict) -> None:
    """Pick the node of the first model that was clicked in a picture."""
    if click.get("node") is not None:
        select_model(0, node=int(click["node"]))


def open_scene(selection: Selection, sentences: tuple[str, ...] = (), page: str = "") -> None:
    """Show a scene as it is, with nothing reset; for callbacks.

    `sentences` say what is wrong with it; `page` names the page to open, "" for this one.
    """
    _become(selection)
    st.session_state[PROBLEMS] = sentences
    st.session_state[TO_OPEN] = page


def begin_anew() -> None:
    """Forget all that this session knows but the language; for callbacks."""
    code = current_language()
    st.session_state.clear()
    st.session_state[LANGUAGE] = code
    st.session_state[SELECTION] = st.session_state[EXAMPLE] = DEFAULT
    st.query_params.from_dict(language_link())


def page_to_open() -> str:
    """Name of the page that a scene wants to be seen on, once; "" for this one."""
    moved = st.session_state.pop(MOVED, "")
    return moved if moved and page() == "monotone" else st.session_state.pop(TO_OPEN, "")


def page() -> str:
    """Name of the page that is shown."""
    return st.session_state.get(NAME, "")


def was_seen(part: str) -> bool:
    """Whether a part of this page has been in sight since the reader came."""
    where, parts = st.session_state.get(SEEN, ("", ()))
    return where == page() and part in parts


def note_seen(part: str) -> None:
    """Note that the reader has a part of this page in sight."""
    where, parts = st.session_state.get(SEEN, ("", ()))
    st.session_state[SEEN] = page(), {part, *(parts if where == page() else ())}


def link(selection: Selection | None = None) -> str:
    """Query string that others may have, without the question mark.

    Of this selection, or of another. It says the language, whatever their browser speaks, unless
    all here is English.
    """
    code = (
        {}
        if {current_language(), _language_of_browser()} == {ENGLISH}
        else {LINKED_LANGUAGE: current_language()}
    )
    seen = without_private(selection or current()).having(steered=False)
    return urlencode(encode(seen) | code)


# Its language and its theme are those of who puts it there, whoever reads it.
def embedded_link(selection: Selection, theme: str, *, steered: bool) -> str:
    """Query string of a scene in a frame on another page, with or without the sidebar."""
    seen = without_private(selection).having(steered=steered, staged=False, slide=None, course=None)
    frame = {
        LINKED_LANGUAGE: current_language(),
        "embed": "true",
        "embed_options": f"{theme}_theme",
    }
    return urlencode(encode(seen) | frame)


def is_embedded() -> bool:
    """Whether the page stands in a frame on another page."""
    return bool(st.context.is_embedded)


# One of OpenML may have to be fetched first, and what is painted is no parameter.
def data_params(key: str) -> tuple[Param, ...] | None:
    """Parameters of a data set, None if there is none of that name."""
    if key == PAINTED or openml_number(key) is not None:
        return ()
    entry = all_datasets().get(key)
    return None if entry is None else entry.PARAMS


def model_params(key: str) -> tuple[Param, ...] | None:
    """Parameters of an algorithm, None if there is none of that name."""
    entry = IMPORTED if is_imported(key) else ESTIMATORS.get(key)
    return None if entry is None else entry.cls.PARAMS


def _become(selection: Selection) -> None:
    if selection != current():
        _keep_private(selection)
        st.session_state[SELECTION] = selection
        st.session_state[PROBLEMS] = ()
        _write(_query_of_address())


def _address_wins(query: dict[str, str]) -> bool:
    run = get_script_run_ctx()
    if SELECTION not in st.session_state or run.is_history_navigation or awaits_private():
        return True
    return bool(query) and st.session_state.get(PAGE) != run.page_script_hash


def _keep_private(selection: Selection) -> None:
    for text in private_texts(selection):
        security.keep(text)


def _note_what_to_drop(query: dict[str, str], selection: Selection) -> None:
    """Note the private or meaningless parts of a link that must be removed."""
    wanted = encode(selection)
    names = {link for name in FIELDS if FIELDS[name].private for link in FIELDS[name].link}
    st.session_state[TO_DROP] = {
        name: (query[name], wanted.get(name, ""))
        for name in names & query.keys()
        if query[name] != wanted.get(name)
    }


def _after_dropping(query: dict[str, str]) -> dict[str, str]:
    """Query of the address after the browser has removed the parts to be dropped."""
    parts = {name: pair for name, pair in to_drop().items() if query.get(name) == pair[0]}
    st.session_state[TO_DROP] = parts
    dropped = {name: parts[name][1] if name in parts else is_ for name, is_ in query.items()}
    return {name: text for name, text in dropped.items() if text or name not in parts}


def _write(query: dict[str, str], *, always: bool = False) -> None:
    """Write selection and language into the address.

    An empty address already stands for the example.

    In a frame nobody sees it, and each change would be a step of the host page's back button.
    """
    if is_embedded():
        return
    wanted = encode(current())
    spoken_before = st.query_params.get(LINKED_LANGUAGE) or _language_of_browser()
    stays = query == wanted or (not query and is_example())
    if always or not stays or spoken_before != current_language():
        st.query_params.from_dict((query if stays else wanted) | language_link())
