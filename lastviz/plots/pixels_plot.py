"""A row of pixels as the image that it is, with the pixels framed that a tree asks about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName

from .visuals.drawing import Drawing

MARGIN = Margin(left=4, right=4, top=4, bottom=4)
INSIDE = 0.44  # of a pixel, from its middle to its frame: neighbours keep frames of their own


@dataclass(frozen=True)
class TestedPixel:
    """A pixel on the path of a row."""

    row: int
    column: int
    order: str  # which questions of the path are about it: "1", or "2, 5"
    question: str  # what is asked, in words


def pixels_plot(
    grey: np.ndarray,
    tested: Sequence[TestedPixel],
    *,
    theme: ThemeName,
    most: float,
    pixel_word: str = "pixel",
    height: int = 300,
) -> Drawing:
    """Draw an image with its tested pixels framed.

    The pixels `grey` (n_rows, n_columns) range from 0 to `most`.

    Parameters
    ----------
    grey : ndarray of float64, shape (n_rows, n_columns)
        0 has the colour of the paper.
    tested : sequence of AskedPixel
    most : float
        What has the colour of ink.
    pixel_word : str
        Written before the place of a pixel that the pointer reads.
    height : int
        Of the whole figure, in pixels of the screen.
    """
    colours = THEMES[theme]
    n_rows, n_columns = grey.shape
    fixed = {"fixedrange": True, "ticks": "", "showticklabels": False, "constrain": "domain"}
    panel = Panel(
        traces=[_image(grey, most, pixel_word, colours), _orders(tested, grey, most, colours)],
        xaxis={"range": [-0.5, n_columns - 0.5], "constraintoward": "left", **fixed},
        yaxis={"range": [n_rows - 0.5, -0.5], "scaleanchor": "x", **fixed},
        shapes=[_frame(pixel, colours) for pixel in tested],
    )
    return compose([panel], [height - MARGIN.top - MARGIN.bottom], theme=theme, margin=MARGIN)


def _image(grey: np.ndarray, most: float, word: str, theme: Theme) -> dict:
    return {
        "type": "heatmap",
        "name": "pixels",
        "meta": {"role": "pixels"},
        "z": grey.astype(np.float32),
        "zmin": 0,
        "zmax": most,
        "colorscale": [[0, theme.card], [1, theme.ink]],
        "showscale": False,
        "hovertemplate": f"{word} %{{y}} %{{x}}: %{{z}}<extra></extra>",
    }


def _orders(tested: Sequence[TestedPixel], grey: np.ndarray, most: float, theme: Theme) -> dict:
    """Numbers of the questions, which the pointer reads in full."""
    dark = [grey[pixel.row, pixel.column] > most / 2 for pixel in tested]
    return {
        "type": "scatter",
        "mode": "text",
        "name": "questions",
        "meta": {"role": "asked_pixels"},
        "x": np.array([pixel.column for pixel in tested]),
        "y": np.array([pixel.row for pixel in tested]),
        "text": [pixel.order for pixel in tested],
        "textfont": {
            "size": Size.tick,
            "color": [theme.paper if each else theme.ink for each in dark],
        },
        "hovertext": [pixel.question for pixel in tested],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _frame(pixel: TestedPixel, theme: Theme) -> dict:
    return {
        "type": "rect",
        "name": "asked",
        "x0": pixel.column - INSIDE,
        "x1": pixel.column + INSIDE,
        "y0": pixel.row - INSIDE,
        "y1": pixel.row + INSIDE,
        "line": {"color": theme.accent, "width": 3},
    }
