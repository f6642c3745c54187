"""Statements about answers to a quiz, each candidate scored anew; about rooms, by their rules."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import ascii_uppercase
from tempfile import TemporaryDirectory
from unittest.mock import MagicMock, patch

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.host.rooms import RoomLimits, Rooms
from lastviz.host.store import Store
from lastviz.plots import number
from lastviz.ui.compute.work import Work
from lastviz.ui.quiz import room as page
from lastviz.ui.quiz.asking import pose, with_wrong_node
from lastviz.ui.quiz.scene import NOWHERE, node_figure, split_answer
from lastviz.ui.quiz.words import alt_of, node_table, reveal_answer
from lastviz.ui.state.quiz_codes import Question, write_quiz
from lastviz.ui.text import CannotShow, translate
from tests import naive, naive_hybrid
from tests.sentences.page_of_monotone import names_of, texts_on
from tests.sentences.rows import Kind, Look, count, selected

NET_RATIO = "gain_ratio "  # of what is gained beyond the price of a threshold
TITLES = {"iris": "Iris", "wine": "Wine", "moons": "Moons"}


# Where would it split first: a scene is a link and an answer, a feature and a threshold or none


def of_split(scene):
    link, answer = scene
    asked = pose(Question("split", link), "light")
    return [reveal_answer(asked, NOWHERE if answer is None else split_answer(*answer))]


@cache
def scored(link, node=0):
    """Return the rows of a node, and every candidate with all that it is measured by."""
    look = Look(link)
    rows = [i for i in look.train if look.leaf_is_below(node, i)]
    X, y = look.values[rows], look.y[rows]
    return look, X, naive_hybrid.table(X, y, max(y) + 1)


class Answer:
    """What an answer comes to beside what is the best, by what decides last."""

    def __init__(self, link, feature, threshold, node=0):
        self.look, X, self.table = scored(link, node)
        model = self.look.selection.models[0]
        params = dict(model.params)
        self.key = model.key
        self.column = params.get("first") or {"cart": "gini", "c45": NET_RATIO}[self.key]
        self.is_small = CRITERIA[self.column.strip()].smaller_is_better
        n, n_classes = len(X), len(names_of(self.look))
        self.least = params.get("min_samples_leaf", 2 if self.key == "c45" else 1)
        if self.key == "c45":
            self.least = min(25, max(self.least, 0.1 * n / n_classes))
        n_left = int((X[:, feature] <= threshold).sum())
        alike = [r for r in self.table if r["feature"] == feature and r["n_left"] == n_left]
        self.own = alike[0] if alike else None
        self.admitted = [r for r in self.table if min(r["n_left"], r["n_right"]) >= self.least]
        if self.key == "c45":
            self._take_off(n)
        is_split = self.look.tree.n_children[0] > 0
        self.stage, self.best = self._chosen() if is_split else (None, None)

    def _take_off(self, n):
        """Take the price of a threshold off the gain of each."""
        tries = Counter(row["feature"] for row in self.admitted)
        for row in self.admitted:
            known = naive.entropy([row["n_left"], row["n_right"]])
            row["net"] = row["gain_ratio"] * known - np.log2(tries[row["feature"]]) / n
            row[NET_RATIO] = row["net"] / known

    def good(self, row):
        return -row[self.column] if self.is_small else row[self.column]

    def first(self, rows, score):
        return naive.first_of_the_best([(score(row), row) for row in rows])[1]

    def _chosen(self):
        """Return at which stage the own one is left out, and the best."""
        if self.key != "c45":
            return None, self.first(self.admitted, self.good)
        features = {row["feature"] for row in self.admitted}
        of_each = ([r for r in self.admitted if r["feature"] == f] for f in sorted(features))
        ahead = [self.first(rows, lambda row: row["net"]) for rows in of_each]
        gaining = [row for row in ahead if row["net"] > naive.TIE]
        mean = np.mean([row["net"] for row in gaining])
        stages = [ahead, gaining, [row for row in gaining if row["net"] >= mean - 1e-3]]
        out = [i for i, stage in enumerate(stages) if not any(self.own is row for row in stage)]
        return (out[0] if out else None), self.first(stages[-1], self.good)


def judged(holds, values=lambda answer: {}):
    """The twin of what is said of an answer of which something `holds`."""

    def twin(scene):
        link, answer = scene
        if answer is None:
            return []
        found = Answer(link, *answer)
        return [values(found)] if holds(found) else []

    return twin


def is_nothing(answer):
    return answer.own is None


def is_best(answer):
    return answer.own is not None and answer.own is answer.best


def is_small(answer):
    return answer.own is not None and not any(answer.own is row for row in answer.admitted)


def is_worse(answer):
    chosen = answer.own is not None and answer.best is not None
    return chosen and not is_best(answer) and not is_small(answer)


def n_candidates(answer):
    return {"n": number(len(answer.admitted))}


def ranked(answer):
    own = answer.good(answer.own)
    better = sum(answer.good(row) > own + naive.TIE for row in answer.admitted)
    return n_candidates(answer) | {"rank": number(better + 1)}


WHY = {
    0: "another threshold of the same feature comes before it",
    1: "it gains nothing",
    2: "it gains less than the mean of the features' best",
}


def is_left_out(answer):
    if not is_worse(answer) or answer.stage is None:
        return False
    return answer.stage > 0 or answer.good(answer.own) >= answer.good(answer.best)


def why(answer):
    return {"why": WHY[answer.stage]}


# Which class, which node


def of_class(scene):
    link, row = scene
    if row is None:
        return of_split((link, None))
    return [reveal_answer(pose(Question("class", link, row), "light"), "0")]


def true_class(scene):
    link, row = scene
    if row is None:
        return []
    dataset = Work(selected(link)).data.dataset
    return [{"name": names_of(Look(link))[int(dataset.codes[row])]}]


@cache
def altered(link, node):
    return with_wrong_node(Work(selected(link)), node)


def of_node(scene):
    link, node, answer = scene
    if node is None:
        return of_split((link, None))
    return [reveal_answer(pose(Question("node", altered(link, node)), "light"), str(answer))]


def test_of(look, node):
    name = look.tree.feature_names[look.tree.feature[node]]
    return f"{name} ≤ {number(float(look.tree.threshold[node]))}"


def best_of(look, node):
    """Return the test that CART takes of the rows of a node."""
    rows = [i for i in look.train if look.leaf_is_below(node, i)]
    X, y = look.values[rows], look.y[rows]
    _, (feature, threshold, _, _) = naive.cart_split(X, y, max(y) + 1, naive.gini)
    return f"{look.tree.feature_names[feature]} ≤ {number(float(threshold))}"


def nodes(scene):
    """Return the tree in which a node is wrong, and its inner nodes in their order."""
    look = Look(altered(*scene[:2]))
    return look, [node for node, n in enumerate(look.tree.n_children) if n]


def wrong_node(scene):
    if scene[1] is None:
        return []
    look, inner = nodes(scene)
    wrong = [node for node in inner if test_of(look, node) != best_of(look, node)]
    assert len(wrong) == 1
    letter = ascii_uppercase[inner.index(wrong[0])]
    return [{"letter": letter, "test": test_of(look, wrong[0]), "best": best_of(look, wrong[0])}]


def refused(ask):
    """The told of why something cannot be asked."""

    def said(scene):
        try:
            ask(*scene)
        except CannotShow as reason:
            return [translate(reason)]
        return []

    return said


def ask_for_node(link, node):
    pose(Question("node", altered(link, node)), "light")


def too_many(scene):
    n = len(nodes(scene)[1])
    return [{"n": number(n), "most": 25}] if n > 25 else []


def not_mistaken(scene):
    """No candidate is worse than the best and has a share of the rows on both sides."""
    look, X, table = scored(*scene)
    best = max((row["gini"] for row in table), default=0)
    worse = [row for row in table if row["gini"] < best - naive.TIE]
    usable = [row for row in worse if min(row["n_left"], row["n_right"]) >= 0.15 * len(X)]
    return [] if usable and look.tree.n_children[scene[1]] else [{}]


# What a picture is of


def described(scene):
    kind, link, more = scene
    if kind == "node":
        return [alt_of(pose(Question("node", altered(link, more)), "light"))]
    return [alt_of(pose(Question(kind, link, more), "light"))]


def rows_pictured(scene):
    return [] if scene[0] == "node" else [{"name": TITLES[selected(scene[1]).data]}]


def tree_pictured(scene):
    if scene[0] != "node":
        return []
    inner = nodes(scene[1:])[1]
    posed = pose(Question("node", altered(*scene[1:])), "light")
    (drawn,) = [trace for trace in node_figure(posed, None).traces if trace["mode"] == "text"]
    in_table = re.findall(r'<th rowspan="2">(\w)</th>', node_table(posed))
    assert re.findall(r"\w(?=</b>)", "".join(drawn["text"])) == in_table
    return [{}] if in_table == list(ascii_uppercase[: len(inner)]) else []


# Rooms


@dataclass(frozen=True)
class Lesson:
    """How a room stands when somebody looks at it."""

    code: str = "ABCDEF"
    is_host: bool = False
    n_joined: int = 0  # besides who looks
    most: int = 3
    minutes: int = 0  # since it was opened
    hours: float = 3.0
    place: int = -1
    answers: tuple = ()  # of who looks
    is_known: bool = True  # whether there ever was this room


QUESTIONS = tuple(Question("class", "data=iris&m=cart", row) for row in (3, 60, 120))


def in_a_room(lesson):
    """Return what a room says, with a table of rooms of its own."""
    limits = RoomLimits(hours=lesson.hours, pupils=lesson.most)
    clock = MagicMock(return_value=page.datetime.now(page.UTC).timestamp() - 60 * lesson.minutes)
    screen = MagicMock(session_state={})
    screen.columns.return_value = [screen, screen]
    with TemporaryDirectory() as folder:
        store = Store(Path(folder), clock=clock)
        rooms = Rooms(store, limits)
        rooms._new_code = lambda table: lesson.code if lesson.is_known else "ZZZZZZ"
        code = rooms.open("host", write_quiz(QUESTIONS), len(QUESTIONS))
        assert all(rooms.join(code, f"pupil {i}") for i in range(lesson.n_joined))
        if lesson.answers:
            rooms.join(code, "own")
        for place, answer in enumerate(lesson.answers):
            rooms.go_on(code, "host", place)
            rooms.answer(code, place, "own", answer)
        rooms.go_on(code, "host", lesson.place)
        clock.return_value += 60 * lesson.minutes
        own = "host" if lesson.is_host else "own"
        visitor = MagicMock(
            stand_in=lambda: own, tokens=lambda: (own,), is_known=lambda: True, source=lambda: None
        )
        with patch.multiple(
            page, st=screen, show=screen.show, visitor=visitor, the_rooms=lambda: rooms,
            ROOM_LIMITS=limits, _watch=MagicMock(), _live=MagicMock(), _lobby=MagicMock(),
            to_top=MagicMock(), copy_link=MagicMock(), picture=MagicMock(),
            take_answer=MagicMock(), question_head=MagicMock(), draft_of=lambda key: None,
        ):  # fmt: skip
            page.room_view(lesson.code)
        store.close()
    return list(texts_on(screen))


def is_over(lesson):
    return not lesson.is_known or lesson.minutes >= 60 * lesson.hours


def has_ended(lesson):
    return [{"code": lesson.code}] if is_over(lesson) else []


def minutes_left(lesson):
    left = round(60 * lesson.hours - lesson.minutes)
    shown = lesson.is_host and not is_over(lesson)
    return [{"minutes": count(left, "minute", "minutes")}] if shown else []


def is_in(lesson):
    fits = lesson.n_joined < lesson.most or bool(lesson.answers)
    return not lesson.is_host and not is_over(lesson) and fits


def is_full(lesson):
    out = not lesson.is_host and not is_over(lesson) and not is_in(lesson)
    return [{"code": lesson.code, "n": number(lesson.most)}] if out else []


def waits(lesson):
    return [{"code": lesson.code}] if is_in(lesson) and lesson.place < 0 else []


def was_right(lesson):
    if not is_in(lesson) or lesson.place < len(QUESTIONS):
        return []
    look = Look("data=iris&m=cart")
    right = [str(look.class_at(look.values[each.row])) for each in QUESTIONS]
    n = sum(a == b for a, b in zip(right, lesson.answers, strict=False))
    return [{"n": number(n), "all": number(len(QUESTIONS))}]


# The ways into a room: how many there are of others, whether the server has any, letters of a quiz


def at_the_door(scene):
    limits, n_rooms, n_questions = scene
    screen = MagicMock(session_state={})
    questions = QUESTIONS[:1] * n_questions
    with TemporaryDirectory() as folder:
        rooms = None if n_rooms is None else Rooms(Store(Path(folder)), limits)
        for host in range(n_rooms or 0):
            rooms.open(f"host {host}", "quiz", 1)
        visitor = MagicMock(stand_in=lambda: "own", source=lambda: None)
        with patch.multiple(
            page, st=screen, visitor=visitor, the_rooms=lambda: rooms, ROOM_LIMITS=limits,
            session=MagicMock(), forget_drafts=MagicMock(),
        ):  # fmt: skip
            if rooms is not None:
                page.open_room(questions)
            page.room_box(questions)
    return list(texts_on(screen))


def how_rooms_work(scene):
    """By a room that pupils enter until it takes no more, looked at hour by hour until it ends."""
    limits, n_rooms, _ = scene
    if n_rooms is None:
        return []
    with TemporaryDirectory() as folder:
        clock = MagicMock(return_value=0.0)
        rooms = Rooms(Store(Path(folder), clock=clock), limits)
        code = rooms.open("host", "quiz", 1)
        pupils = hours = 0
        while rooms.join(code, f"pupil {pupils}"):
            pupils += 1
        while rooms.look(code) is not None:
            hours += 1
            clock.return_value = 3600.0 * hours
    assert hours == limits.hours
    return [{"n": number(pupils), "hours": f"{hours} hour" + "s" * (hours != 1)}]


def no_room(scene):
    limits, n_rooms, n_questions = scene
    if n_rooms is None:
        return []
    is_long = len(write_quiz(QUESTIONS[:1] * n_questions)) > limits.letters
    return [{"n": number(limits.rooms)}] if is_long or n_rooms >= limits.rooms else []


ASKING, WORDS, ROOM = (f"ui/quiz/{name}.py::" for name in ("asking", "words", "room"))
IRIS, WINE, MOONS = (f"data={key}&m=cart" for key in ("iris", "wine", "moons"))
C45, SEGMENTS = "data=iris&m=c45", "m=hybrid&m.criterion=rule&m.first=segments"
NONE, BEST = (IRIS, None), (IRIS, (2, 2.4))
OUTSIDE = ((IRIS, (0, -9.0)), (C45, (1, 99.0)), (f"data=iris&{SEGMENTS}", (0, 99.0)))
SAME = (BEST, (IRIS, (2, 2.5)), (C45, (3, 0.7)))
SMALL = (
    (f"{IRIS}&m.min_samples_leaf=40", (0, 4.5)),
    (f"{IRIS}&m.min_samples_leaf=40", (1, 2.3)),
    (C45, (0, 4.5)),
)
WORSE = ((IRIS, (0, 5.5)), (C45, (2, 2.4)), (f"data=iris&{SEGMENTS}", (1, 2.8)))
LEFT_OUT = ((C45, (0, 5.5)), ("data=wine&m=c45", (1, 2.3)), (f"{C45}&seed=2", (0, 5.5)))
OF_ROWS = ((IRIS, 3), ("data=wine&m=c45", 40), ("data=iris&m=oc1", 80))
WRONG = ((IRIS, 0, 0), (IRIS, 2, 3), (WINE, 0, 1))
NO_NODE = (IRIS, None, 0)
SHOWN = (("split", IRIS, None), ("class", WINE, 4), ("split", MOONS, None))
TREES = (("node", IRIS, 0), ("node", WINE, 0), ("node", f"{MOONS}&m.max_depth=3", 0))
LARGE = (
    ("data=moons&noise=0.5&m=cart", 0),
    ("data=monotone&n_samples=300&label_noise=0.2&m=cart", 0),
    ("data=gauss_2d&n_samples=300&m=cart", 0),
)
OVER = (Lesson(is_known=False), Lesson(minutes=181), Lesson("QWERTY", is_host=True, minutes=200))
HOSTS = (Lesson(is_host=True), Lesson(is_host=True, minutes=50),
         Lesson(is_host=True, minutes=59, hours=1.0, place=3))  # fmt: skip
FULL = (Lesson(n_joined=3), Lesson("QWERTY", n_joined=5, most=5), Lesson(n_joined=3, place=0))
IN = (Lesson(), Lesson("QWERTY", n_joined=2), Lesson(n_joined=4, most=5, minutes=100))
DONE = tuple(Lesson(place=3, answers=each) for each in (("0", "1", "2"), ("0", "2"), ("1",)))
DOORS = tuple(
    (RoomLimits(hours=hours, pupils=pupils, rooms=rooms), 1, 1)
    for hours, pupils, rooms in ((3.0, 4, 2), (1.0, 7, 3), (2.0, 9, 4))
)
NO_FOLDER = (RoomLimits(), None, 1)
CLOSED = ((RoomLimits(rooms=2), 2, 1), (RoomLimits(rooms=3), 3, 3), (RoomLimits(letters=9), 0, 3))


def of_words(unit, text, told, twin, true, never):
    return Kind(f"{WORDS}{unit}", text, told, twin, true, never)


def of_room(unit, text, told, twin, true, never):
    return Kind(f"{ROOM}{unit}", text, told, twin, true, never)


ROWS = [
    of_words("verdict_lines", "separates nothing", of_split, judged(is_nothing), OUTSIDE,
             [BEST, WORSE[0]]),
    of_words("verdict_lines", "in the same way", of_split, judged(is_best, n_candidates), SAME,
             [WORSE[0], OUTSIDE[0]]),
    of_words("verdict_lines", "is not admissible", of_split, judged(is_small), SMALL,
             [WORSE[0], OUTSIDE[0]]),
    of_words("verdict_lines", "By the deciding", of_split, judged(is_worse, ranked), WORSE,
             [BEST, SMALL[0], OUTSIDE[0]]),
    of_words("verdict_lines", "The rule excludes it", of_split, judged(is_left_out, why),
             LEFT_OUT, [WORSE[0], BEST]),
    of_words("_class_revealed", "The true class", of_class, true_class, OF_ROWS, NONE),
    of_words("_node_revealed", "is wrong: it shows", of_node, wrong_node, WRONG, NO_NODE),
    of_words("alt_of", "The training rows of", described, rows_pictured, SHOWN, TREES[0]),
    of_words("alt_of", "A tree whose inner nodes", described, tree_pictured, TREES, SHOWN[0]),
    Kind(f"{ASKING}_node", "can be labelled", refused(ask_for_node), too_many, LARGE, (IRIS, 0)),
    Kind(f"{ASKING}with_wrong_node", "no other split", refused(altered), not_mistaken,
         ((IRIS, 1), (IRIS, 5), (MOONS, 3)), [(IRIS, 0), (IRIS, 2)]),
    of_room("_no_room", "does not exist or has", in_a_room, has_ended, OVER,
            [HOSTS[0], IN[0]]),
    of_room("_ends", "No names are stored", in_a_room, minutes_left, HOSTS, [IN[0], OVER[2]]),
    of_room("_pupil", "is full", in_a_room, is_full, FULL, [IN[0], HOSTS[0]]),
    of_room("_waiting", "You are in room", in_a_room, waits, IN, [FULL[0], DONE[0], HOSTS[0]]),
    of_room("_waiting", "You had {n} of", in_a_room, was_right, DONE, [IN[0], HOSTS[2]]),
    of_room("room_box", "join by a code", at_the_door, how_rooms_work, DOORS, NO_FOLDER),
    of_room("open_room", "No room can be opened", at_the_door, no_room, CLOSED,
            [DOORS[0], NO_FOLDER]),
]  # fmt: skip
