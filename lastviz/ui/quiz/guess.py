"""A question before a page shows its scene: the reader answers first, then the search does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

import numpy as np
import streamlit as st
from sklearn.base import clone

from lastviz._sentences import Statement
from lastviz.estimators import REFEREE, TreeClassifier
from lastviz.plots import THEMES, pad_bounds
from lastviz.splitters import Search
from lastviz.ui.components.acting import acting
from lastviz.ui.compute import ahead, nodes
from lastviz.ui.shared.figures import column_title, page_theme
from lastviz.ui.shared.headline import Say, legend, show
from lastviz.ui.state import session
from lastviz.ui.state.codec import encode
from lastviz.ui.state.quiz_codes import CLASS, Question
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, plain, t

from .answering import draft_of, forget_drafts, picture, take_answer
from .asking import hindrance, pose, question_scene
from .room import open_room
from .scene import AnswerVerdict, PosedQuestion, SplitQuestion, place_of, some_rows
from .words import alt_of, heading, reveal_answer

GUESS = "guess"  # the session's: a question and the answer to it, "" if it was skipped
LITTLE = 0.2  # of the algorithm's score: less is almost nothing


def question_of(selection: Selection) -> Question:
    """Question that a scene asks first."""
    ask = selection.view.ask
    scene = urlencode(encode(question_scene(selection, ask)))
    return Question(ask.kind, scene, ask.detail if ask.kind == CLASS else None)


def guess_first(selection: Selection, shows: str) -> None:
    """Draw the question of a scene or, once it is answered, the search's answer.

    `shows` is the question that the page answers.
    """
    question, scene = question_of(selection), question_scene(selection, selection.view.ask)
    known, given = st.session_state.get(GUESS, (None, None))
    given = given if known == question else None
    act = partial(_act, question)
    try:
        posed = pose(question, page_theme())
    except CannotShow as reason:
        st.info(plain(str(reason)))
        _buttons({"go": t("Next: {question}", question=shows)}, act)
        return
    names = {"skip": t("Skip the question")}
    if given is not None:
        names = {"go": t("Next: {question}", question=shows), "again": t("Guess again")}
    if not (selection.story.staged or session.is_embedded() or hindrance(scene)):
        names["class"] = t("Ask my class")
    if isinstance(posed, SplitQuestion) and len(posed.names) == 2 and posed.best >= 0:
        acting("guess_line", payload(posed, given, names), key="guess_line", on_act=act)
    else:
        _form(posed, given, names, act)


def _act(question: Question, event: dict[str, str]) -> None:
    """Take an act of the reader; for callbacks."""
    forget_drafts()
    match event["act"]:
        case "again":
            st.session_state.pop(GUESS, None)
        case "go":
            session.select(ask=None)
        case "class":
            open_room((question,))
            session.open_scene(session.current(), page="quiz")
        case _:
            st.session_state[GUESS] = question, event.get("answer", "")


def _buttons(names: Mapping[str, str], act: partial) -> None:
    with st.container(horizontal=True, wrap=True, gap="small", key="guess_acts"):
        for name, label in names.items():
            look = {"key": f"guess_{name}", "type": "primary" if name == "go" else "tertiary"}
            st.button(plain(label), on_click=act, args=({"act": name},), **look)


def _form(posed: PosedQuestion, given: str | None, names: Mapping[str, str], act: partial) -> None:
    """Draw a question that is answered by buttons, as in a quiz."""
    st.title(plain(heading(posed)), anchor=False)
    show(legend(posed.class_names, posed.theme))
    left, right = st.columns([3, 2], gap="medium")
    is_open = given is None
    with left:
        thought = draft_of(GUESS) if is_open else given or None
        picture(posed, GUESS, thought, open_to_answers=is_open, revealed=not is_open)
    with right:
        if is_open:
            take_answer(posed, GUESS, lambda answer: act({"act": "answer", "answer": answer}))
        else:
            show(reveal_answer(posed, given or None))
        _buttons(names, act)


# ---------------------------------------------------------------- a first cut, and what follows


@dataclass(frozen=True, eq=False)
class FirstCut:
    """A first cut, and the best that one more cut on each side can do."""

    feature: int
    threshold: float
    test: str
    verdict: AnswerVerdict
    sides: tuple[TreeClassifier, TreeClassifier]
    wrong: int  # rows after one more cut on each side


def first_cut(posed: SplitQuestion, answer: str) -> FirstCut:
    """Cut that an answer says."""
    feature, threshold = place_of(answer, len(posed.names))
    values, y = posed.division.values[posed.rows], posed.division.y[posed.rows]
    first = values[:, feature] <= threshold
    stump, verdict = REFEREE.cls(max_depth=1), posed.verdict(answer)
    sides = tuple(clone(stump).fit(values[part], y[part]) for part in (first, ~first))
    test = f"{posed.names[feature]} ≤ {_text(posed.search, verdict.candidate)}"
    wrong = sum(side.n_errors_ for side in sides)
    return FirstCut(feature, threshold, test, verdict, sides, wrong)


def fewest_wrong(posed: SplitQuestion) -> int:
    """Rows that are wrong after the best first cut and one more cut on each side.

    Raises Working if it takes long or was cancelled.
    """
    key, divided = posed.work.first.node(0).table_key, posed.division
    n_classes = len(posed.class_names)
    two = ahead.levels_ahead(key, divided.values, divided.y, posed.rows, n_classes)
    return int(two.errors.min())


def finding(posed: SplitQuestion, mine: FirstCut, best: FirstCut) -> tuple[Statement, ...]:
    """Comparison of the reader's first cut with the algorithm's."""
    fewest, name = fewest_wrong(posed), posed.title
    n, other, total = mine.wrong, best.wrong, len(posed.rows)
    end = Statement(
        "two more cuts leave {n} of these {all} rows wrong, against {other} after {name}'s.",
        n=n, all=total, other=other, name=name,
    )  # fmt: skip
    least = Statement("The best first cut leaves {n}.", n=fewest)
    if mine.verdict.candidate == best.verdict.candidate:
        first = Statement("You and {name} cut at the same place.", name=name)
        return first, _ends(posed, best), least
    if n == other:
        return Statement("Your cut ends with as many errors here:"), end, least
    if n > other:
        return Statement("Your cut ends with more errors here:"), end, least
    if mine.verdict.score < LITTLE * best.verdict.score:
        return Statement("Your cut gains little at once, yet ends with fewer errors here:"), end
    return Statement("Your cut ends with fewer errors here:"), end


def _ends(posed: SplitQuestion, cut: FirstCut) -> Statement:
    n, total = cut.wrong, len(posed.rows)
    return Statement("Two more cuts leave {n} of {all} rows wrong.", n=n, all=total)


def _text(search: Search, candidate: int) -> str:
    return number(float(search.threshold[candidate]), search.decimals_at(candidate))


def payload(posed: SplitQuestion, given: str | None, acts: Mapping[str, str]) -> dict[str, object]:
    """Content of the component, for JSON; nothing of an answer before one is `given`."""
    search, rows = posed.search, some_rows(posed.rows)
    ranks = nodes.rank_candidates(search, search.rule.stages[-1].column)
    left = np.asarray(search.left_counts).sum(axis=1)
    there = [np.flatnonzero((search.feature == feature) & (ranks > 0)) for feature in (0, 1)]
    x, y = posed.division.values[rows].T
    own = posed.work.selection.view.ask.text
    return {
        "heading": own or t("Where would you cut first?"),
        "names": posed.names,
        "x": x.tolist(),
        "y": y.tolist(),
        "classes": posed.division.y[rows].tolist(),
        "hues": [THEMES[posed.theme].hue(k) for k in range(len(posed.class_names))],
        "legend": legend(posed.class_names, posed.theme),
        "view": pad_bounds(x, y),
        "n": len(posed.rows),
        "cuts": [
            [(float(search.threshold[i]), _text(search, i), int(left[i]))
             for i in here[np.argsort(search.threshold[here])].tolist()]
            for here in there
        ],
        "answer": None if given is None else _answer(posed, given),
        "acts": acts,
        "words": _words(posed),
    }  # fmt: skip


def _words(posed: SplitQuestion) -> dict[str, str]:
    """Words of the component; names in braces are filled in there."""
    return {
        "rule": t("You may cut once now, and each side once more after that. Drag the line to your "
                  "first cut."),
        "direction": t("Direction of the line"),
        "upright": t("Vertical"),
        "level": t("Horizontal"),
        "line": t("Your line"),
        "rows": t("{n} and {m} rows on its two sides", n="{n}", m="{m}"),
        "answer": t("This is my cut"),
        "keys": t("Arrow keys move the line, with Shift in larger steps, Space turns it, Enter "
                  "answers."),
        "unscored": t("Nothing is scored before you answer."),
        "plane": alt_of(posed),
        "yours": t("yours"),
        "other": posed.title,
        "after_yours": t("after yours"),
        "after_other": t("after {name}'s", name=posed.title),
    }  # fmt: skip


def _answer(posed: SplitQuestion, given: str) -> dict[str, object]:
    """Both cuts, or the algorithm's alone where the question was skipped."""
    best = first_cut(posed, posed.answer)
    mine = first_cut(posed, given) if given else None
    cuts = [mine, best] if mine else [best]
    say = Statement("{name} cuts at {test}.", name=posed.title, test=best.test), _ends(posed, best)
    criterion = column_title(posed.work.first.estimator.criterion_column)
    labels = (
        t("first cut"),
        t("gain at once ({criterion})", criterion=criterion),
        t("rank among {n} cuts", n=number(best.verdict.n)),
        t("wrong after two more cuts"),
    )
    cells = [(cut.test, *map(number, (cut.verdict.score, cut.verdict.rank, cut.wrong)))
             for cut in cuts]  # fmt: skip
    return {
        "say": Say(*(finding(posed, mine, best) if mine else say), lead=True).text,
        "rows": list(zip(labels, *cells, strict=True)),
        "cuts": [
            {"f": cut.feature, "t": cut.threshold, "whose": "yours" if cut is mine else "other",
             "sides": [_side(side) for side in cut.sides]}
            for cut in cuts
        ],
    }  # fmt: skip


def _side(stump: TreeClassifier) -> dict[str, object]:
    """Cut of a side, if it has one, and the classes on both sides of it."""
    tree, says = stump.tree_, stump.classes_[stump.tree_.prediction].tolist()
    if tree.n_leaves == 1:
        return {"says": says}
    at = {"f": int(tree.feature[0]), "t": float(tree.threshold[0])}
    return at | {"says": [says[child] for child in tree.children(0)]}
