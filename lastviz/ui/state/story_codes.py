"""A story: scenes in an order, each with a caption and notes, as a part of a link and as a file."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .fields import flag, number, written
from .packed_text import PackedRecords

MOST_SLIDES = 30
MOST_CAPTION, MOST_NOTES, MOST_SCENE = 500, 1000, 4000  # letters
PAGE = re.compile("[a-z]{1,20}")


@dataclass(frozen=True)
class Slide:
    """One scene of a story."""

    page: str  # the name of the page that shows it
    scene: str  # the query that opens it
    caption: str = ""  # what stands below it
    notes: str = ""  # for who speaks

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


STORY = PackedRecords(
    Slide,
    "lastviz story",
    "slides",
    MOST_SLIDES,
    400_000,
    "This file holds no story: choose one that was saved on this page.",
)
write_story, read_story = STORY.write, STORY.read
story_file, read_story_file = STORY.write_file, STORY.read_file


@dataclass(frozen=True)
class StoryView:
    """The page *story*, and what is shown on a stage."""

    # tuple of Slide, the reader's own story.
    slides: Slides = written(
        (), read_story, write_story, refused="The link's {key} does not describe a story."
    )
    # Whether the page is shown without its frame, in large letters.
    staged: bool = flag(link="stage")
    # The scene of the story that is shown there; None for none of them.
    slide: int | None = number(int, None, low=0, counted_from_one=True, high=1000)
