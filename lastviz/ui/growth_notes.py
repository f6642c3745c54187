"""What the picture of a growth leaves out, in sentences; they go with it into the exported page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from lastviz.inspection import slice_fidelity
from lastviz.plots import number

from . import cache
from .plane_words import band_words, fixed_words
from .text import percent, t

if TYPE_CHECKING:
    from .growth_story import Teller

__all__ = ["notes"]


def notes(teller: Teller, n_played: int) -> str:
    """Return them as html; `n_played` is how many events of the log have a step."""
    plane, said = teller.plane, []
    if len(teller.drawn) < len(teller.rows) and teller.picture == "plane":
        sentence = "{drawn} of {rows} training rows are drawn."
        said.append(t(sentence, drawn=number(len(teller.drawn)), rows=number(len(teller.rows))))
    n_events = len(teller.model.growth_log_)
    if not teller.curved and n_played < n_events:
        sentence = "The growth took {n} steps: the first {m} are played, then the finished tree."
        said.append(t(sentence, n=number(n_events), m=number(n_played)))
    if teller.picture == "values":
        said.append(
            t("{n} features have no picture as a plane: each row shows how a class spreads over "
              "the decision value f; what is right of 0 leaves.", n=len(plane.at))
        )  # fmt: skip
    else:
        said += [band_words(plane, late=True)] if plane.is_banded else []
        said += [_slice(teller)] if plane.is_slice else []
    return escape(" ".join(said))


def _slice(teller: Teller) -> str:
    plane, row = teller.plane, teller.selection.at
    tree, form, values = teller.model.tree_, teller.form, cache.division(teller.selection).values
    return t(
        "A slice: the other {n} features are fixed {where}. {share} % of the rows lie on "
        "the colour that the finished tree gives them.",
        n=len(plane.at) - len(set(plane.features)),
        where=fixed_words(plane, row),
        share=percent(slice_fidelity(tree, values, plane.columns_in(form), plane.at_in(form))),
    )
