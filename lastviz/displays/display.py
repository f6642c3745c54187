"""Base of all displays: a figure for notebooks, with its own background and legend."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from shutil import copyfile
from string import Template
from tempfile import TemporaryDirectory
from typing import Self
from uuid import uuid4

import plotly.graph_objects as go
import plotly.io as pio
from plotly.offline import get_plotlyjs, get_plotlyjs_version

from lastviz._browser import screenshot
from lastviz.plots import THEMES, Drawing, ThemeName, symbol
from lastviz.plots.visuals.svg import size_of, svg_of
from lastviz.plots.visuals.words import escape_names

from .model import ShownModel

# Where plotly.js cannot be fetched the static picture stays, else it makes room.
LIVE = Template("""\
<div id="$id">$picture</div>
<script>
  window.lastvizPlotly ??= window.Plotly ? Promise.resolve() : new Promise((onload) => {
    const script = document.createElement("script");
    const from = { src: "$address", integrity: "$digest", crossOrigin: "anonymous" };
    document.head.append(Object.assign(script, from, { onload }));
  });
  window.lastvizPlotly.then(() => {
    const place = document.getElementById("$id");
    place.replaceChildren();
    Plotly.newPlot(place, { ...$figure, config: { responsive: true } });
  });
</script>""")
MOST_NAMED = 12  # classes in the legend
LEGEND, NOTE = 30, 24  # pixels above and below the picture
SIDE = 12  # pixels of paper beside it, where pages have theirs
SECOND = 700  # milliseconds of a frame that plays by itself


class Display:
    """Base of the displays.

    Attributes
    ----------
    figure_ : plotly.graph_objects.Figure
        What :meth:`plot` drew.
    """

    model: ShownModel
    figure_: go.Figure

    def plot(self, *, theme: ThemeName | None = None, height: int | None = None) -> Self:
        """Draw, and keep the figure in `figure_`.

        Parameters
        ----------
        theme : {"light", "dark"}, optional
            Default: dark where plotly's own figures are, light elsewhere; for all cells of a
            notebook ``plotly.io.templates.default = "plotly_dark"``.
        height : int, optional
            Of the figure in pixels, the legend left out; default: as in the app.

        Returns
        -------
        self
        """
        theme = usual_theme() if theme is None else theme
        if theme not in THEMES:
            raise ValueError(f"theme must be 'light' or 'dark', got {theme!r}")
        if height is not None and not 100 <= height <= 5000:
            raise ValueError(f"height must be from 100 to 5,000 pixels, got {height}")
        self.figure_ = self._figure(theme, height)
        return self

    def __repr__(self) -> str:
        """Name of the display, with the model and the number of rows shown."""
        model = self.model
        shown = f"{type(model.given).__name__}, {len(model.values)} rows"
        return f"<{type(self).__name__} of {shown}>"

    def _figure(self, theme: ThemeName, height: int | None) -> go.Figure:
        raise NotImplementedError

    def save(self, file: str | Path) -> None:
        """Save the picture as a file.

        Parameters
        ----------
        file : str or Path
            Ends with ``.svg``, ``.png`` or ``.html``. SVG needs nothing else, a PNG is drawn by an
            installed Chromium, Chrome or Edge, and a page can be zoomed without a network.

        Raises
        ------
        ValueError
            If it ends otherwise, or no browser is found for a PNG.
        """
        file = Path(file)
        form = file.suffix.lower()
        if form == ".html":
            self.figure_.write_html(file, include_plotlyjs=True)
        elif form == ".svg":
            file.write_text(svg_of(self.figure_), encoding="utf-8")
        elif form == ".png":
            with TemporaryDirectory(prefix="lastviz-save-") as folder:
                page = Path(folder) / "page.html"
                svg = svg_of(self.figure_)
                page.write_text(f"<style>body {{margin: 0}}</style>{svg}", encoding="utf-8")
                copyfile(screenshot(page, "png", size_of(self.figure_), "light"), file)
        else:
            raise ValueError(f"a picture is saved as .svg, .png or .html, got {file.name!r}")

    def _repr_mimebundle_(self, *args: object, **kwargs: object) -> object:
        """Picture in all forms; a notebook that is only read has the static ones."""
        found = dict(self.figure_._repr_mimebundle_(*args, **kwargs) or {})
        return {**found, "image/svg+xml": svg_of(self.figure_), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        return LIVE.substitute(
            id=f"lastviz-{uuid4()}",
            picture=picture_html(svg_of(self.figure_), repr(self)[1:-1]),
            address=f"https://cdn.plot.ly/plotly-{get_plotlyjs_version()}.min.js",
            digest=_digest(),
            figure=self.figure_.to_json(),
        )


def usual_theme() -> ThemeName:
    """Theme that suits plotly's own figures."""
    return "dark" if "dark" in str(pio.templates.default) else "light"


def picture_html(svg: str, alt: str, **attributes: str) -> str:
    """Picture as an image, which readers of notebooks keep that let no SVG through."""
    names = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    coded = b64encode(svg.encode()).decode()
    source = f"data:image/svg+xml;base64,{coded}"
    return f'<img{names} alt="{escape(alt)}" style="max-width: 100%" src="{source}">'


@cache
def _digest() -> str:
    """Integrity digest of the installed plotly.js.

    Browsers check a fetched plotly.js against it.
    """
    return "sha256-" + b64encode(sha256(get_plotlyjs().encode()).digest()).decode()


def for_notebook(
    drawing: Drawing,
    theme: ThemeName,
    class_names: Sequence[str] = (),
    width: int | None = None,
    note: str = "",
) -> go.Figure:
    """Figure of plotly that :func:`standing_alone` describes, with a note below it."""
    alone = standing_alone(drawing, theme, class_names, width)
    if note:
        margin = alone.settings["margin"]
        alone.settings |= {
            "margin": {**margin, "b": margin["b"] + NOTE},
            "height": alone.settings["height"] + NOTE,
            "title": {
                "text": note, "font": {"size": 12, "color": THEMES[theme].grey7},
                "x": 0, "xanchor": "left", "y": 0, "yanchor": "bottom", "yref": "container",
                "pad": {"l": 8, "b": 6},
            },
        }  # fmt: skip
    return go.Figure({"data": alone.traces, "layout": alone.settings})


def standing_alone(
    drawing: Drawing, theme: ThemeName, class_names: Sequence[str] = (), width: int | None = None
) -> Drawing:
    """Figure of the app as one that stands alone: opaque, its classes named above it.

    The traces stay as they are; those of the legend come after them. `width` is in pixels, of
    figures whose texts need it.
    """
    colours = THEMES[theme]
    layout = {
        **drawing.settings,
        "paper_bgcolor": colours.paper,
        "plot_bgcolor": colours.paper,
        "autosize": width is None,
        "width": None if width is None else width + 2 * SIDE,
    }
    margin = layout["margin"]
    layout["margin"] = {**margin, "l": margin["l"] + SIDE, "r": margin["r"] + SIDE}
    named = list(escape_names(class_names))[:MOST_NAMED]
    items = [_item(name, colours.hue(k), symbol(k)) for k, name in enumerate(named)]
    if len(class_names) > len(named):
        items.append(_item(f"and {len(class_names) - len(named)} more", "rgba(0,0,0,0)", "circle"))
    traces = [{**trace, "showlegend": False} for trace in drawing.traces] + items
    if items:
        margin = layout["margin"]
        layout |= {
            "margin": {**margin, "t": margin["t"] + LEGEND},
            "height": layout["height"] + LEGEND,
            "showlegend": True,
            "legend": {
                "orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "top",
                "yref": "container", "itemclick": False, "itemdoubleclick": False,
                "bgcolor": "rgba(0,0,0,0)",
            },
        }  # fmt: skip
    return Drawing(traces, layout)


def _item(name: str, colour: str, mark: str) -> dict:
    return {
        "type": "scatter", "x": [None], "y": [None], "mode": "markers", "name": name,
        "marker": {"color": colour, "symbol": mark, "size": 9}, "showlegend": True,
        "meta": {"role": "legend"}, "hoverinfo": "skip",
    }  # fmt: skip


def slider_of_frames(words: Sequence[str], font: dict) -> dict:
    """Slider below the picture that shows frames "0", "1", ... and says their words."""
    steps = [
        {
            "label": label, "method": "animate",
            "args": [[str(k)], {"mode": "immediate", "frame": {"duration": 0, "redraw": False},
                                "transition": {"duration": 0}}],
        }
        for k, label in enumerate(words)
    ]  # fmt: skip
    return {
        "steps": steps, "active": len(steps) - 1, "x": 0.1, "len": 0.9, "y": 0, "pad": {"t": 44},
        "currentvalue": {"font": font, "xanchor": "left"}, "font": {"color": "rgba(0,0,0,0)"},
        "ticklen": 0,
    }  # fmt: skip


def player_of_frames(font: dict) -> dict:
    """Buttons that play all frames and stop."""
    playing = {"fromcurrent": False, "frame": {"duration": SECOND, "redraw": False},
               "transition": {"duration": 0}}  # fmt: skip
    return {
        "type": "buttons", "direction": "left", "x": 0, "xanchor": "left", "y": 0, "yanchor": "top",
        "pad": {"t": 66}, "showactive": False, "font": font,
        "buttons": [
            {"label": "▶", "method": "animate", "args": [None, playing]},
            {"label": "❚❚", "method": "animate", "args": [[None], {"mode": "immediate"}]},
        ],
    }  # fmt: skip
