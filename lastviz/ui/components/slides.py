"""How a picture leaves a page as a slide: the menu, its words, and the code of both.

The chart host has all of it among its own; another component that draws with Plotly takes it as one
object, see :func:`slides_code`.
"""

from __future__ import annotations

from lastviz.ui.state import session
from lastviz.ui.text import t

from .chart_code import SLIDE_PARTS, code_of, with_looks, words_of_slides


def slide_words() -> dict[str, str]:
    """Return what the menu says by which a picture leaves, and the scene that a frame links to."""
    scene = session.link() if session.is_embedded() else ""
    return {"scene": scene, **words_of_slides(t)}


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
