"""A tree that grows once by itself and then stands: dots, regions, flow and words on one clock."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

from .chart_code import code_of
from .chart_host import component_key
from .served import component, pack_text

PARTS = ("packed.js", "chart/decoded.js")
GROWTH = ("growth/state.js", "growth/tree.js", "growth/picture.js", "growth/alone.js")
HTML = """<div class="lv-alone" hidden>
  <div class="lv-alone-words">
    <p class="lv-alone-lead"></p><div class="lv-alone-say"></div>
    <div class="lv-alone-tools"><button type="button"></button><a></a>
      <div class="lv-alone-dots" role="group"></div></div>
  </div>
  <div class="lv-alone-plane"></div><div class="lv-alone-tree"></div>
</div>"""


def grown_tree(story: str, link: str, *, key: str, on_open: Callable[[], None]) -> None:
    """Show a tree growing.

    Parameters
    ----------
    story : str
        JSON, see :mod:`lastviz.ui.home.thumbnail`.
    link : str
        Where the very same tree can be changed, from the app's first address.
    key : str
        Name of the place.
    on_open : callable
        Called when the link is followed here, in this session, before the run that follows.
    """
    data = pack_text(f"{json.dumps({'link': link})}\n{story}")
    _component()(key=component_key(key), data=data, on_open_change=on_open)


@cache
def _component():
    js, css = code_of(*PARTS, *GROWTH), code_of("growth/alone.css")
    return component("lastviz_grown_tree", html=HTML, css=css, js=js)
