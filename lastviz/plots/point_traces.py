"""The rows of a data set as marks, in the order in which they lie over each other."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np

from . import marks
from .labels import Words, feature_html
from .points import Points
from .theme import Theme

__all__ = ["point_traces"]


def point_traces(
    points: Points,
    names: Sequence[str],
    features: tuple[str, str],
    theme: Theme,
    *,
    units: tuple[str, str] = ("", ""),
    words: Words | None = None,
    crowd: int | None = None,
) -> list[dict]:
    """Return training rows filled, held-out ones open above them, rings around wrong ones.

    Parameters
    ----------
    names : sequence of str
        Of the classes, escaped for plotly html.
    features, units : (str, str)
        What the axes show; a feature without a name is not spoken of.
    words : Words or None
        English if None.
    crowd : int or None
        How many points there would be in a panel of full size; all `points` if None.
    """
    words = words or Words()
    crowd = len(points) if crowd is None else crowd
    place = _place_template(features, units, points.said)
    parted = bool(points.held_out.any())
    traces = []
    for held_out, draw, part in (
        (False, marks.training_points, words.training),
        (True, marks.open_points, words.held_out),
    ):
        for index in np.unique(points.label[points.held_out == held_out]):
            which = np.flatnonzero((points.label == index) & (points.held_out == held_out))
            head = f"<b>{names[index]}</b>" + (f", {part}" if parted else "")
            about = f"{head}%{{text}}<br>{words.row} %{{customdata}}<br>"
            trace = draw(points, which, int(index), names[index], theme, crowd)
            trace |= _hover(about + place, points.wrong[which], words)
            trace |= _said(points, which, features)
            traces.append(trace)
    wrong = np.flatnonzero(points.wrong)
    if len(wrong):
        traces.append(marks.rings(points, wrong, words.wrong, theme, crowd))
    return traces


def _hover(template: str, wrong: np.ndarray, words: Words) -> dict:
    """The hover text of a trace; only where rows are wrong it needs a text of each row."""
    if not wrong.any():
        return {"hovertemplate": template.replace("%{text}", "")}
    return {"hovertemplate": template, "text": np.where(wrong, f", {words.wrong}", "").tolist()}


def _said(points: Points, which: np.ndarray, features: tuple[str, str]) -> dict:
    """Return the values of rows in words, where an axis asks for them."""
    told = [
        [f"{feature_html(name)} {html.escape(said[i], quote=False)}" for i in which.tolist()]
        for name, said in zip(features, points.said, strict=True)
        if name and said is not None
    ]
    return {"hovertext": [", ".join(each) for each in zip(*told, strict=True)]} if told else {}


def _place_template(
    features: tuple[str, str],
    units: tuple[str, str],
    said: tuple[list[str] | None, list[str] | None],
) -> str:
    parts = []
    if any(name and words is not None for name, words in zip(features, said, strict=True)):
        parts.append("%{hovertext}")
    for letter, name, unit, words in zip("xy", features, units, said, strict=True):
        if not name or words is not None:
            continue
        value = f"%{{{letter}:,.4~r}}"
        unit = f" {html.escape(unit, quote=False)}" if unit else ""
        parts.append(f"{feature_html(name)} {value}{unit}")
    return ", ".join(parts) + "<extra></extra>"
