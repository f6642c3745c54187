"""What a stage has in the browser alone: its clock, the blank screen, notes for who speaks."""

from __future__ import annotations

from lastviz.ui.text import t

from .served import small_component

HTML = """<div class="lv-stage-clock">
  <span class="lv-stage-timer" role="timer"></span>
  <p class="lv-stage-notes" hidden></p>
</div>"""


def stage_clock(elapsed: float, notes: str, slide: int | None) -> None:
    """Draw the clock, `elapsed` seconds old; key b blanks the screen, n shows `notes`.

    Another `slide` is seen from its top.
    """
    data = {
        "elapsed": elapsed,
        "notes": notes,
        "slide": slide,
        "words": {"timer": t("Time on stage")},
    }
    small_component("stage", html=HTML)(key="stage_clock", data=data, width="content")
