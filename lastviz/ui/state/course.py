"""The course as values: scenes in teaching order, each with guided steps.

A step is a link that sets the whole state, the page that shows it, a text with named places, and
the picture that it points at. The places are filled by :mod:`lastviz.ui.compute.course_facts` with
numbers of that very state: none is written into a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter
from urllib.parse import parse_qsl

from . import session
from .codec import decode
from .link_texts import write_place
from .selection import Selection

TEACH, DEBUG, DEMO = USES = ("Teach", "Debug", "Demo")


def places_of(text: str) -> tuple[str, ...]:
    """Return the names of the places in a text, each once."""
    return tuple(dict.fromkeys(name for _, name, _, _ in Formatter().parse(text) if name))


@dataclass(frozen=True)
class Step:
    """One step of a scene."""

    page: str  # the page that shows it, by the name of its file
    link: str  # the query string that sets its state
    text: str  # what the picture shows, in English, with places such as `{leaves}`
    points_at: str  # the key of the container or chart that it is about

    @property
    def query(self) -> dict[str, str]:
        """The link, part by part."""
        return dict(parse_qsl(self.link))

    def selection(self) -> Selection:
        """Return what the link says."""
        return decode(self.query, session.data_params, session.model_params)[0]


@dataclass(frozen=True)
class CourseScene:
    """A question with the steps that answer it."""

    key: str
    question: str
    line: str  # one line with a number of its first step, in English, with places
    use: str  # {"Teach", "Debug", "Demo"}
    minutes: int  # what it takes to go through it
    steps: tuple[Step, ...]  # three to five

    @property
    def page(self) -> str:
        """The page of the first step."""
        return self.steps[0].page

    @property
    def query(self) -> dict[str, str]:
        """The link that opens the first step, part by part."""
        return self.query_of(1)

    def query_of(self, step: int) -> dict[str, str]:
        """Return the link that opens a step, counted from 1, part by part."""
        return self.steps[step - 1].query | {"scene": write_place((self.key, step))}

    def selection(self) -> Selection:
        """Return what the first step shows."""
        return self.steps[0].selection()

    def at(self, step: int) -> Selection:
        """Return the state of a step, counted from 1, with its place in the course."""
        return self.steps[step - 1].selection().change(course=(self.key, step))
