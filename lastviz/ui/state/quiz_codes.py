"""A quiz as one value: its questions, as a part of a link, as a file, and as page state.

A question names its scene by the query that opens it, so that everybody who is asked sees the
same rows and trees, and nobody is sent an answer: those are worked out anew where they are shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .fields import custom, flag, number
from .link_texts import PackedRecords

SPLIT, CLASS, NODE, ERRORS = KINDS = ("split", "class", "node", "errors")
FIRST_KINDS = (SPLIT, CLASS, ERRORS)  # kinds that a page can ask before it shows
MOST_QUESTIONS = 20
MOST_LETTERS = 4000  # of the scene of a question
ROOM = re.compile("[A-Z]{6}")


@dataclass(frozen=True)
class Question:
    """One question of a quiz."""

    # {"split", "class", "node", "errors"}: where would it split first; which class falls here;
    # which node is wrong; how many rows does it get wrong.
    kind: str
    # The query of the scene: data, division, one model; of a wrong node the edit that made it.
    scene: str
    row: int | None = None  # the row of the data that "class" asks for

    @classmethod
    def checked(cls, parts: object) -> Question:
        """Question that parts from outside say; ValueError if they say none."""
        if not isinstance(parts, list) or len(parts) != 3:
            raise ValueError("a question has a kind, a scene and a row")
        kind, scene, row = parts
        if kind not in KINDS or not isinstance(scene, str) or len(scene) > MOST_LETTERS:
            raise ValueError("a question is of a known kind, about a scene")
        is_row = isinstance(row, int) and not isinstance(row, bool) and 0 <= row < 2**31
        if is_row != (kind == CLASS) or not (is_row or row is None):
            raise ValueError("a question about a class names a row, no other does")
        return cls(kind, scene, row)


Questions = tuple[Question, ...]


QUIZ = PackedRecords(
    Question,
    "lastviz quiz",
    "questions",
    MOST_QUESTIONS,
    200_000,
    "This file holds no quiz: choose one that was saved on this page.",
)
write_quiz, read_quiz = QUIZ.write, QUIZ.read
quiz_file, read_quiz_file = QUIZ.write_file, QUIZ.read_file


def _read_room(text: str) -> str:
    code = text.strip().upper()
    if code and not ROOM.fullmatch(code):
        raise ValueError(text)
    return code


@dataclass(frozen=True)
class QuizView:
    """The page *quiz*."""

    # tuple of Question, the quiz that is put together or played.
    questions: Questions = custom(
        (), read_quiz, write_quiz, refused="The link's {key} does not describe a quiz."
    )
    # The question that is asked, None while the quiz is put together.
    asked: int | None = number(int, None, low=0, counted_from_one=True, high=MOST_QUESTIONS)
    # The code of the room that the reader is in; "" for none.
    room: str = custom(
        "", _read_room, refused="The link's {key}={text} is not a room code, which has six letters."
    )


@dataclass(frozen=True)
class Ask:
    """Question that a page asks before it shows its scene; the model has the answer."""

    kind: str  # one of FIRST_KINDS
    text: str = ""  # in words of the reader's own
    model: int = 0  # which one is asked about, by place
    detail: int | None = None  # the row of a class; how far off a number may be

    def __str__(self) -> str:
        """Question as a link says it: ``split~2``, ``errors~1~5~How many?``."""
        detail = "" if self.detail is None else str(self.detail)
        parts = [self.kind, str(self.model + 1), detail, self.text]
        while not parts[-1]:
            parts.pop()
        return "~".join(parts)

    @classmethod
    def parse(cls, text: str) -> Ask:
        """Question that `text` says; raises ValueError if it says none."""
        kind, model, detail, own = [*text.split("~", 3), "", "", ""][:4]
        found = cls(kind, own, int(model or 1) - 1, int(detail) if detail else None)
        if kind not in FIRST_KINDS or len(own) > MOST_TITLE or not 0 <= found.model < 4:
            raise ValueError(text)
        if not 0 <= (found.detail or 0) < 2**31 or (kind == CLASS) > (found.detail is not None):
            raise ValueError(text)
        return found


# ---- A story: scenes in an order, each with a caption and notes, as a part of a link and as a file


MOST_SLIDES = 30
MOST_TITLE, MOST_CAPTION, MOST_NOTES, MOST_SCENE = 200, 500, 1000, 4000  # letters
PAGE = re.compile("[a-z]{1,20}")


@dataclass(frozen=True)
class Slide:
    """One scene of a story."""

    page: str  # the name of the page that shows it
    scene: str  # the query that opens it
    caption: str = ""  # what stands below it
    notes: str = ""  # for who speaks
    title: str = ""  # the reader's own; "" for the sentence that its page opens with

    @classmethod
    def checked(cls, parts: object) -> Slide:
        """Slide that parts from outside say; ValueError if they say none."""
        if not isinstance(parts, list) or len(parts) not in (4, 5):
            raise ValueError("a slide has a page, a scene, a caption, notes and perhaps a title")
        limits = (20, MOST_SCENE, MOST_CAPTION, MOST_NOTES, MOST_TITLE)
        for part, most in zip(parts, limits, strict=False):
            if not isinstance(part, str) or len(part) > most:
                raise ValueError("the parts of a slide are texts, and not too long")
        if not PAGE.fullmatch(parts[0]):
            raise ValueError(parts[0])
        return cls(*parts)


Slides = tuple[Slide, ...]


STORY = PackedRecords(
    Slide,
    "lastviz story",
    "slides",
    MOST_SLIDES,
    400_000,
    "This file holds no story: choose one that was saved on this page.",
    n_later=1,
)
write_story, read_story = STORY.write, STORY.read
story_file, read_story_file = STORY.write_file, STORY.read_file


@dataclass(frozen=True)
class StoryView:
    """State of the page *story* and of the stage."""

    # tuple of Slide, the reader's own story.
    slides: Slides = custom(
        (), read_story, write_story, refused="The link's {key} does not describe a story."
    )
    # Whether the page is shown without its frame, in large letters.
    staged: bool = flag(link="stage")
    # The scene of the story that is shown there; None for none of them.
    slide: int | None = number(int, None, low=0, counted_from_one=True, high=1000)
