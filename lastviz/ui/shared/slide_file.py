"""Slides as one page that works offline, in the language of the session."""

from __future__ import annotations

from collections.abc import Sequence

from lastviz.export import slide_show
from lastviz.export.slide_show import MOST_BYTES, SlideShow, as_slides
from lastviz.host.security import page_address
from lastviz.ui.components.growth_player import player_code, player_style
from lastviz.ui.text import language, t

from .styles import content_style

MEGABYTE = 1_000_000


def base_address() -> str | None:
    """Return the address of the app's first page; None where it is not known."""
    here = page_address()
    return f"{here.rpartition('/')[0]}/" if here else None


def page_of(
    slides: Sequence[slide_show.Slide],
    title: str,
    style: str = "",
    most: int = MOST_BYTES,
    *,
    is_lesson: bool = False,
) -> str:
    """Return slides as one page, in the language of the session; `style` has further rules.

    A lesson judges answers and tells a learning platform about them.

    Raises
    ------
    TooLarge
        If it would have more than `most` bytes.
    """
    grows = any(block.kind == "growth" for slide in slides for block in _all_blocks(slide))
    return as_slides(
        SlideShow(
            title=title,
            slides=slides,
            language=language(),
            words=_words(),
            style=content_style() + style + (player_style() if grows else ""),
            player=player_code() if grows else "",
            is_lesson=is_lesson,
        ),
        most,
    )


def _all_blocks(slide: slide_show.Slide) -> list:
    found = []
    for block in slide.blocks:
        columns = getattr(block, "columns", None) if block.kind == "columns" else None
        found += [inner for column in columns for inner in column] if columns else [block]
    return found


def _words() -> dict[str, str]:
    return {
        "slide": t("slide"),
        "place": t("{n} of {all}", n="{n}", all="{all}"),
        "back": t("Back"),
        "next": t("Next"),
        "notes": t("Notes"),
        "blank": t("Blank the screen"),
        "full": t("Full screen"),
        "keys": t("Keys"),
        "timer": t("Time since the start; press to restart"),
        "link": t("Open this in the app"),
        "close": t("Close"),
        "turn": t("to the next slide, and back"),
        "ends": t("to the first slide, and to the last"),
        "growth": t("where a tree grows: its steps; Page Down and Page Up turn the slides"),
        "row": t("Type a row for {model}", model="{model}"),
        "predicted": t("Predicted: {outcome}.", outcome="{outcome}"),
        "rows": t("Training rows there: {n}.", n="{n}"),
        "parts": t("A value is missing: the row goes to {n} leaves in parts.", n="{n}"),
        "lacks": t("The tree asks for {name}: type a value.", name="{name}"),
        "wrong": t("{name} takes a number, or nothing if it is unknown.", name="{name}"),
    }


def lesson_notes() -> str:
    """Return what a lesson says once it is over, and where no learning platform is, as html."""
    score = t("{n} of {all} right", n="{n}", all="{all}")
    alone = t("No learning platform was found: the score stays on this page.")
    return f'<p data-score="{score}" hidden></p><p data-alone hidden>{alone}</p>'
