"""How a picture leaves a page as a slide: the menu, its words, and the code of both.

The chart host has all of it among its own; another component that draws with Plotly takes it as one
object, see :func:`slides_code`.
"""

from __future__ import annotations

import json

from lastviz.plots import THEMES, template
from lastviz.ui.state import session
from lastviz.ui.text import t

from .served import code_of

SLIDE_PARTS = ("chart/slide.js", "chart/downloads.js", "chart/print.js")
FORMS = ("png", "svg", "copy", "print")
BACKGROUNDS = ("white", "none", "page")


def menu(*more: str) -> str:
    """Return the link out of a frame, the button that opens the menu, the menu, and its answers.

    Parameters
    ----------
    *more : str
        Names of further forms, after those of slides.
    """
    form = '<button type="button" role="menuitem" data-tool="{}"></button>'
    back = '<button type="button" role="menuitemradio" data-tool="back" data-back="{}"></button>'
    return (
        '<a class="lv-see" target="_blank" rel="noopener" hidden></a>'
        '<button type="button" data-tool="menu" aria-haspopup="menu" aria-expanded="false">⋯'
        '</button><div class="lv-menu" role="menu" hidden>'
        + "".join(map(form.format, FORMS + more))
        + '<p class="lv-menu-title" role="presentation"></p>'
        + "".join(map(back.format, BACKGROUNDS))
        + '</div><span role="status"></span>'
    )


def slide_words() -> dict[str, str]:
    """Return what the menu says by which a picture leaves, and the scene that a frame links to."""
    return {
        "scene": session.link() if session.is_embedded() else "",
        "see": t("See in lastviz"),
        "menu": t("Save or print this picture"),
        "png": t("Slide as PNG"),
        "svg": t("Slide as SVG"),
        "copy": t("Copy the slide"),
        "print": t("Print, or save as PDF"),
        "back": t("Background of slides"),
        "white": t("White"),
        "none": t("None"),
        "page": t("As on this page"),
        "copied": t("The slide is in the clipboard."),
        "refused": t("The browser does not let this page copy pictures: save it as PNG."),
        "failed": t("That did not work; try SVG instead."),
    }


def slides_code() -> str:
    """Return the functions of slides and of their menu as one object, `slides`.

    No name of the code inside meets one of the component's own.
    """
    names = "setUpTools, toggleMenu, closeMenu, onMenuKey, chooseBack, leave, watchPrint"
    parts = (
        "const slides = (() => {",
        "const page = (window.lastviz ??= { plotly: null, groups: new Map() });",
        'const TEMPLATES = "{{templates}}";',
        code_of(*SLIDE_PARTS),
        f"return {{ {names} }};",
        "})();",
    )
    return with_looks("\n".join(parts))


def with_looks(code: str) -> str:
    """Return code with the templates and the colours of both themes."""
    looks = json.dumps({name: template(name) for name in THEMES})
    return code.replace('"{{templates}}"', looks).replace('"{{themes}}"', json.dumps(_colours()))


def _colours() -> dict[str, list[str]]:
    """Return paper, inks and hues of both themes, in the same order: paper first, then ink."""
    names = ("paper", "ink", "grey7", "grey5", "grey3", "grey2", "grey1", "accent", "side", "card")
    return {
        name: [*(getattr(theme, token) for token in names), *theme.hues]
        for name, theme in THEMES.items()
    }
