"""The legend line of the growth player."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lastviz.plots import THEMES, ThemeName

from .headline import LEGEND_CLASSES, class_sign, sign
from .text import t

__all__ = ["growth_legend"]

LINE = '<path d="M0 8h16"/>'
DOTS = '<path d="M0 8h2M5 8h2M10 8h2M15 8h1"/>'
DASH = '<path d="M0 8h6M10 8h6"/>'


def growth_legend(
    class_names: Sequence[str], theme: ThemeName, *, curved: bool, picture: str, lost: bool = False
) -> str:
    """Return it as html: classes, and the lines and points of this kind of tree."""
    tokens = THEMES[theme]
    shown = min(len(class_names), LEGEND_CLASSES)
    items = [f"{class_sign(k, theme)} {escape(class_names[k])}" for k in range(shown)]
    if len(class_names) > shown:
        items.append(t("and {n} more", n=len(class_names) - shown))
    line = sign(LINE, line=tokens.ink, width=3)
    if not curved:
        grey = sign(LINE, line=tokens.grey3, width=2)
        gone = sign(DASH, line=tokens.grey5, width=2)
        items += [
            f"{line} {t('this split')}", f"{grey} {t('earlier')}", f"{gone} {t('cut back')}",
        ]  # fmt: skip
        return _wrapped(items)
    dots = sign(DOTS, line=tokens.grey3, width=1.75)
    items += [f"{line} f = 0", f"{dots} f = ±1"]
    if picture == "plane":
        point = '<circle cx="8" cy="8" r="5"/>'
        edged = sign(point, fill=tokens.hue(0), line=tokens.ink, width=1.75)
        core = f'<circle cx="8" cy="8" r="1.5" fill="{tokens.ink}"/>'
        bound = sign(point + core, fill=tokens.hue(0), line=tokens.ink, width=1.75)
        ring = sign('<circle cx="8" cy="8" r="6.5"/>', line=tokens.ink, width=1.5)
        items += [f"{edged} {t('support vector')}", f"{bound} {t('at C')}"]
        items += [f"{ring} {t('lost here')}"] if lost else []
    return _wrapped(items)


def _wrapped(items: Sequence[str]) -> str:
    return '<div class="lv-legend">' + "".join(f"<span>{i}</span>" for i in items) + "</div>"
