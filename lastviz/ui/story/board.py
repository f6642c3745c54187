"""The strip of a story: its slides in small, as they are once they are in sight."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from math import inf

import streamlit as st

from lastviz.export.blocks import Block, Columns, GrowthPlayer, Picture
from lastviz.export.page_file import CLEAR, plain_figure
from lastviz.ui.components.storyboard import storyboard, thumb_picture
from lastviz.ui.compute.scenes import scene_of_all
from lastviz.ui.compute.work import work_of
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.page_file import OF_THEIR_OWN, SlideReady
from lastviz.ui.state import session, story
from lastviz.ui.state.quiz_codes import Slide, Slides, write_story

from .rendering import name_of, scene_in

MOST_DRAWN = 2  # pictures of a slide that stand beside each other in small
BYTES = 6  # of a digest


def scene_key(slide: Slide) -> str:
    """Short name of a slide's scene, whatever is said about it."""
    return _digest(f"{slide.page}?{slide.scene}")


def board(slides: Slides, ready: Mapping[int, SlideReady]) -> None:
    """Draw the strip; `ready` has the slides that are there, by their places."""
    parts = {place: _parts(slides[place], found) for place, found in ready.items()}
    names = {place: _digest(text) for place, text in parts.items()}
    with st.container(key="thumbs"):
        for name, text in dict(zip(names.values(), parts.values(), strict=True)).items():
            thumb_picture(name, text)
    thumbs = []
    for place, slide in enumerate(slides):
        title = slide.title or (ready[place].slide.title if place in ready else name_of(slide))
        thumbs.append((title, names.get(place)))

    def act(name: str, version: str, *about: object) -> None:
        if version != _version(story.slides()):  # the browser may name slides that are gone
            return
        match name:
            case "see":
                for place in about:
                    session.note_seen(scene_key(slides[place]))
            case "order":
                order, moved = about
                story.become(tuple(slides[place] for place in order), order.index(moved))
            case "choose":
                story.choose(*about)
            case "remove":
                story.remove(*about)
            case "undo":
                story.bring_back()

    chosen = story.chosen_place()
    storyboard(thumbs, chosen, _version(slides), key="storyboard", on_act=act)


def _version(slides: Slides) -> str:
    return _digest(write_story(slides))


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=BYTES).hexdigest()


def _parts(slide: Slide, ready: SlideReady) -> str:
    """Drawn parts of a slide as JSON, kept as those of its page are."""
    theme = page_theme()
    make = partial(drawn_parts, ready.blocks_in(theme))
    if slide.page in OF_THEIR_OWN:
        return make()
    return scene_of_all(f"thumb|{slide.page}", work_of(scene_in(slide)[0]), theme, make)


def drawn_parts(blocks: Sequence[Block]) -> str:
    """Largest picture of a slide and its neighbour, as JSON for ``storyboard.js``."""
    parts = [
        f'{{"story":{block.story},"step":{block.step}}}'
        if isinstance(block, GrowthPlayer)
        else json.dumps(plain_figure(block.figure, CLEAR), separators=(",", ":"))
        for block in max(_beside(blocks), key=_height, default=[])
    ]
    return f"[{','.join(parts)}]"


def _beside(blocks: Sequence[Block]) -> Iterator[list[Picture | GrowthPlayer]]:
    """Pictures and players of a slide, those together that stand beside each other."""
    for block in blocks:
        if isinstance(block, Picture | GrowthPlayer):
            yield [block]
        elif isinstance(block, Columns):
            columns = [max(_beside(column), key=_height, default=[]) for column in block.columns]
            yield [one for column in columns for one in column][:MOST_DRAWN]


def _height(group: Sequence[Picture | GrowthPlayer]) -> float:
    """Height of the highest; that of a player is not known, and it is the slide."""
    heights = (block.figure.height if isinstance(block, Picture) else inf for block in group)
    return max(heights, default=0.0)
