"""Which cells of a table are judged, which are left out and why: counts, a sentence, a legend."""

from __future__ import annotations

from collections import Counter
from html import escape
from math import isfinite

from lastviz.plots import THEMES, ThemeName
from lastviz.studies.published import ALL_SETS, QUANTITIES
from lastviz.ui.shared.headline import legend_of, sign
from lastviz.ui.text import number, t

from .scene import PaperScene, Place

REASONS = {
    "file": "data file needed",
    "private": "data not public",
    "never": "not computed here",
    "later": "not computed yet",
    "doubt": "uncertain or misprinted",
    "times": "times of another machine",
    "means": "means over several data sets",
    "spread": "no standard deviation",
}


def why_left_out(scene: PaperScene, place: Place) -> str:
    """Return why a cell is not judged, a key of the reasons; "" where it is."""
    cell = place.cell
    if place.ours is None:
        if place.reason is None:
            return "later"
        known = scene.set_of(cell.dataset)
        if known is None or known.key:
            return "never"
        return "file" if known.is_public else "private"
    if not place.is_target:
        return "doubt"
    if QUANTITIES[cell.metric].unit == "seconds":
        return "times"
    if cell.dataset == ALL_SETS:
        return "means"
    return "" if isfinite(place.apart) else "spread"


def left_out(scene: PaperScene) -> dict[str, int]:
    """Return how many cells are left out for each reason, the most frequent first."""
    found = Counter(why_left_out(scene, place) for place in scene.places)
    return {reason: n for reason, n in found.most_common() if reason}


def left_out_words(reason: str, n: int) -> str:
    """Return a reason with the number of its cells."""
    return t("{reason} ({n})", reason=t(REASONS[reason]), n=number(n))


def sentences_of(scene: PaperScene) -> list[str]:
    """Return what the table comes to: how near, what is left out, and which way ours leans."""
    apart = [place.apart for place in scene.compared]
    n, counted = len(apart), left_out(scene)
    found = []
    if n:
        close, near = (sum(abs(each) <= bound for each in apart) for bound in (1.0, 2.0))
        found.append(
            t("{close} of {n} cells lie within one standard deviation of the print, {near} within "
              "two.", close=number(close), n=number(n), near=number(near))
        )  # fmt: skip
    else:
        found.append(t("No cell of this table can be compared with its print."))
    if counted:
        reasons = t(", ").join(left_out_words(*each) for each in counted.items())
        found.append(
            t("Left out are {left} of {total} cells: {reasons}.",
              left=number(sum(counted.values())), total=number(len(scene.places)), reasons=reasons)
        )  # fmt: skip
    if n:
        more, less = sum(each > 0 for each in apart), sum(each < 0 for each in apart)
        found.append(
            t("Ours is higher in {more} of the {n}, lower in {less}.",
              more=number(more), n=number(n), less=number(less))
        )  # fmt: skip
    return found


def verdict(scene: PaperScene) -> str:
    """Return the sentences above the picture: the finding bold, then its limits."""
    first, *others = map(escape, sentences_of(scene))
    return f"<p class='lv-judged'><b>{first}</b> {t(' ').join(others)}</p>"


def apart_legend(theme: ThemeName) -> str:
    """Return what the marks of the picture mean."""
    colours = THEMES[theme]
    dot, arrow = '<circle cx="8" cy="8" r="4.5"/>', '<path d="M12 3 V13 L4 8 Z"/>'
    items = (
        (sign(dot, fill=colours.grey7), t("a cell")),
        (sign(dot, fill=colours.ink), t("more than one standard deviation apart")),
        (sign(dot, line=colours.grey7, width=1.5), t("uncertain or misprinted, not counted")),
        (sign(arrow, line=colours.grey7, width=1.5), t("beyond the axis")),
    )
    return legend_of(f"{mark} {escape(words)}" for mark, words in items)
