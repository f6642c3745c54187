"""Slides as a PowerPoint file: titles as text, pictures as images, numbers in the notes."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Iterator, Sequence

from lastviz._extras import import_extra, lack_of

from .blocks import Block, Columns, GrowthPlayer, Picture, Section, Table, Words

NEEDS_PPTX = lack_of("pptx", "PowerPoint")
WIDTH, HEIGHT, MARGIN = 13.333, 7.5, 0.5  # inches: 16 to 9
PICTURE = (WIDTH - 2 * MARGIN, 5.0)  # inches
QUESTION, TITLE, ABOUT, DRAWN, CAPTION = 0.3, 0.65, 1.55, 1.9, 6.9  # inches from the top
TITLE_ONLY = 5  # layout of the library's own template
LONG = 90  # letters of a title that must be smaller
SERIF, SANS = "Georgia", "Calibri"
INLINE = re.compile(r"</?(?:b|i|em|strong|sub|sup)\b[^>]*>")
ENDS = re.compile(r"</(?:div|p|li|tr|dt|dd|h\d|caption)>")


def as_powerpoint(
    sections: Sequence[Section], pictures: Sequence[bytes | None], title: str
) -> bytes:
    """Slides as a PowerPoint file.

    Parameters
    ----------
    sections : sequence of Section
    pictures : sequence of bytes or None
        PNG of what each draws, in the shape of :data:`PICTURE`; None where it draws nothing.
    title : str
        Of the file.

    Raises
    ------
    NotInstalled
        Without the package python-pptx.
    """
    import_extra("pptx", "PowerPoint")
    from pptx import Presentation
    from pptx.util import Inches

    show = Presentation()
    show.slide_width, show.slide_height = Inches(WIDTH), Inches(HEIGHT)
    show.core_properties.title = title
    for section, picture in zip(sections, pictures, strict=True):
        slide = show.slides.add_slide(show.slide_layouts[TITLE_ONLY])
        large = 22 if len(section.title) > LONG else 28
        _write(slide.shapes.title, section.title, TITLE, 0.85, large, SERIF)
        small = (section.question, QUESTION), (section.about, ABOUT), (section.caption, CAPTION)
        for text, top in small:
            if text:
                _write(slide.shapes.add_textbox(0, 0, 0, 0), text, top, 0.35, 14, SANS)
        if picture is not None:
            places = map(Inches, (MARGIN, DRAWN, *PICTURE))
            drawn = slide.shapes.add_picture(io.BytesIO(picture), *places)
            drawn._element.nvPicPr.cNvPr.set("descr", alt_of(section))
        words = (section.notes, *words_of(section.blocks), section.link or "")
        slide.notes_slide.notes_text_frame.text = "\n".join(filter(None, words))
    content = io.BytesIO()
    show.save(content)
    return content.getvalue()


def _write(shape: object, text: str, top: float, height: float, size: int, font: str) -> None:
    """Write a text into a shape that is as wide as pictures are."""
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Inches, Pt

    places = map(Inches, (MARGIN, top, PICTURE[0], height))
    shape.left, shape.top, shape.width, shape.height = places
    frame = shape.text_frame
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    frame.text = text
    frame.paragraphs[0].alignment = PP_ALIGN.LEFT
    frame.paragraphs[0].font.size = Pt(size)
    frame.paragraphs[0].font.name = font


def alt_of(section: Section) -> str:
    """Alternative text of the pictures of a slide."""
    drawn = (each for each in _flat(section.blocks) if isinstance(each, Picture | GrowthPlayer))
    return " ".join(each.alt for each in drawn) or section.title


def words_of(blocks: Sequence[Block]) -> list[str]:
    """Sentences, numbers and tables of a slide as lines of text."""
    lines: list[str] = []
    for block in _flat(blocks):
        match block:
            case Words():
                lines += plain_lines(block.text)
            case Table():
                lines += [block.caption, *map("\t".join, (block.columns, *block.rows))]
            case GrowthPlayer():
                sentence, cells = json.loads(block.story)["steps"][block.step][2:4]
                lines += [*plain_lines(sentence), *map(" ".join, cells)]
            case _:
                lines.append(getattr(block, "text", ""))
    return lines


def _flat(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Columns):
            for column in block.columns:
                yield from _flat(column)
        else:
            yield block


def plain_lines(text: str) -> list[str]:
    """Lines of text in html."""
    parts = ENDS.split(INLINE.sub("", text))
    words = (" ".join(html.unescape(re.sub(r"<[^>]*>", " ", part)).split()) for part in parts)
    return [line for line in words if line]
