"""Look of pages beyond the theme's settings: the rules of all style sheets, and the logo."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lastviz.plots import THEMES, ThemeName

SHARED = Path(__file__).parent
UI = SHARED.parent
CONTENT = (SHARED / "headline.css", *sorted(UI.glob("*/page.css")))
SHEETS = (UI / "frame.css", *CONTENT, SHARED / "forced_colours.css")
TOKENS = ("paper", "side", "card", "ink", "grey7", "grey5", "grey3", "grey2", "grey1", "accent")


@cache
def logo(theme: ThemeName) -> str:
    """Logo as SVG."""
    colours = THEMES[theme]
    text = (UI / "logo.svg").read_text(encoding="utf-8")
    return text.format(ink=colours.ink, accent=colours.accent)


@cache
def content_style() -> str:
    """CSS of the HTML that pages write, shared wherever it appears."""
    return "".join(path.read_text(encoding="utf-8") for path in CONTENT)


@cache
def stage_style() -> str:
    """CSS that the stage adds to the rules of a page."""
    return (SHARED / "stage.css").read_text(encoding="utf-8")


@cache
def embed_style() -> str:
    """CSS that a frame on another page adds to the rules of a page."""
    return (SHARED / "embed.css").read_text(encoding="utf-8")


@cache
def page_style(theme: ThemeName) -> str:
    """Style rules, with the colours of a theme as variables."""
    rules = "".join(path.read_text(encoding="utf-8") for path in SHEETS)
    rules += f"\n@media print {{ :root {{ {colour_variables('light')} }} }}"
    return f":root {{ --lv-theme: {theme}; {colour_variables(theme)} }}\n{rules}"


def colour_variables(theme: ThemeName) -> str:
    """Colours of a theme as variables of a style sheet."""
    return "".join(f"--lv-{token}: {getattr(THEMES[theme], token)};" for token in TOKENS)
