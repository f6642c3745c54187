"""A growth as one web page that plays without a server."""

from __future__ import annotations

import html
from pathlib import Path

from plotly.offline import get_plotlyjs

from lastviz.plots import ThemeName
from lastviz.ui.components.growth_player import player_code, player_style
from lastviz.ui.shared.styles import colour_variables

HEADLINE = Path(__file__).parents[1] / "shared" / "headline.css"
PAGE = """<!doctype html>
<html lang="{language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>:root {{ {variables} color-scheme: {theme}; }}
body {{ margin: 24px 40px; color: var(--lv-ink); background: var(--lv-paper);
  font: 16px/1.5 "Source Sans 3", "Source Sans Pro", system-ui, "PingFang SC", "Microsoft YaHei",
    "Noto Sans CJK SC", sans-serif; }}
h1 {{ font: 600 30px/1.25 "Source Serif 4", Georgia, serif; margin: 0 0 12px; }}
@media (max-width: 900px) {{ body {{ margin: 16px; }} }}
{style}</style>
<h1>{title}</h1><div class="lv-growth"></div>
<script>{plotly}</script>
<script>{code}
const story = {story};
const root = document.querySelector(".lv-growth");
mountPlayer(root, {{ loadPlotly: () => window.Plotly }}).show(story, {step});
root.focus();
</script></html>
"""


def growth_page(
    story: str, step: int, *, title: str, theme: ThemeName, language: str = "en"
) -> str:
    """Return the page: the story, the player and plotly.js in one text of about 5 MB.

    Parameters
    ----------
    story : str
        JSON, see :mod:`lastviz.ui.growth.story`.
    step : int
        Where it opens.
    title : str
        Heading and name of the window.
    theme : {"light", "dark"}
        The theme that the story was told in.
    language : str
        Code of the language of its words.
    """
    return PAGE.format(
        language=language,
        title=html.escape(title),
        theme=theme,
        variables=colour_variables(theme),
        style=HEADLINE.read_text(encoding="utf-8") + player_style(),
        plotly=get_plotlyjs().replace("</script", "<\\/script"),
        code=player_code(),
        story=story.replace("<", "\\u003c"),
        step=step,
    )
