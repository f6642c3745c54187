"""A story: scenes in an order, each with a caption and notes, as a part of a link and as a file."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from lastviz.ui.text import t

from .fields import flag, number, written
from .packed_text import packed_text, unpacked_text

MOST_SLIDES = 30
MOST_CAPTION, MOST_NOTES, MOST_SCENE = 500, 1000, 4000  # letters
MOST_BYTES = 400_000  # of a file
FORMAT = "lastviz story"
PAGE = re.compile("[a-z]{1,20}")


@dataclass(frozen=True)
class Slide:
    """One scene of a story.

    Attributes
    ----------
    page : str
        The name of the page that shows it.
    scene : str
        The query that opens it.
    caption : str
        What stands below it.
    notes : str
        For who speaks.
    """

    page: str
    scene: str
    caption: str = ""
    notes: str = ""

    @classmethod
    def checked(cls, parts: object) -> Slide:
        """Return the slide that parts from outside say; ValueError if they say none."""
        if not isinstance(parts, list) or len(parts) != 4:
            raise ValueError("a slide has a page, a scene, a caption and notes")
        limits = (20, MOST_SCENE, MOST_CAPTION, MOST_NOTES)
        for part, most in zip(parts, limits, strict=True):
            if not isinstance(part, str) or len(part) > most:
                raise ValueError("the parts of a slide are texts, and not too long")
        if not PAGE.fullmatch(parts[0]):
            raise ValueError(parts[0])
        return cls(*parts)


Slides = tuple[Slide, ...]


def write_story(slides: Slides) -> str:
    """Return a story as a link says it; "" without slides."""
    parts = [[s.page, s.scene, s.caption, s.notes] for s in slides]
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return packed_text(text) if slides else ""


def read_story(text: str) -> Slides:
    """Return the story of a link; ValueError if there is none in it."""
    if not text:
        return ()
    try:
        return _slides(json.loads(unpacked_text(text)))
    except RecursionError as error:
        raise ValueError(str(error)) from error


def story_file(slides: Slides) -> str:
    """Return a story as a file that people can read."""
    listed = [
        {"page": s.page, "scene": s.scene, "caption": s.caption, "notes": s.notes} for s in slides
    ]
    document = {"format": FORMAT, "version": 1, "slides": listed}
    return json.dumps(document, ensure_ascii=False, indent=1)


def read_story_file(content: bytes) -> Slides:
    """Return the story in a file.

    Raises
    ------
    ValueError
        If there is none in it: a sentence for the reader.
    """
    try:
        if len(content) > MOST_BYTES:
            raise ValueError(len(content))
        found = json.loads(content.decode("utf-8"))
        if found["format"] != FORMAT or found["version"] != 1:
            raise ValueError(found["format"])
        names = ("page", "scene", "caption", "notes")
        return _slides([[each[name] for name in names] for each in found["slides"]])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        sentence = "This file holds no story: choose one that was saved on this page."
        raise ValueError(t(sentence)) from error


def _slides(parts: object) -> Slides:
    if not isinstance(parts, list) or not 1 <= len(parts) <= MOST_SLIDES:
        raise ValueError("a story has some scenes, and not too many")
    return tuple(map(Slide.checked, parts))


@dataclass(frozen=True)
class StoryView:
    """The page *story*, and what is shown on a stage.

    Attributes
    ----------
    slides : tuple of Slide
        The reader's own story.
    staged : bool
        Whether the page is shown without its frame, in large letters.
    slide : int or None
        The scene of the story that is shown there; None for none of them.
    """

    slides: Slides = written(
        (), read_story, write_story, refused="The link's {key} does not describe a story."
    )
    staged: bool = flag(link="stage")
    slide: int | None = number(int, None, low=0, counted_from_one=True, high=1000)
