"""A figure that is plain data until somebody wants plotly's own object."""

from __future__ import annotations

import plotly.graph_objects as go


class Drawing:
    """A figure as plain data; whatever else is asked of it, the plotly Figure of them answers.

    Making that takes longer than all the rest (plotly copies every number), and the browser
    needs the data alone.

    Parameters
    ----------
    traces : list of dict
    layout : dict

    Attributes
    ----------
    traces, settings : list of dict, dict
        What was given; the figure is made of them once, so change them before.
    sent : dict of bool to tuple of str and dict
        What the chart host sends of it, with and without what brushing needs, once it has: a
        scene is shown to many.
    """

    def __init__(self, traces: list[dict], layout: dict) -> None:
        self.traces = traces
        self.settings = layout
        self.sent: dict[bool, tuple[str, dict[str, dict[str, object]]]] = {}

    @property
    def height(self) -> int:
        """Its height in pixels."""
        return self.settings["height"]

    @property
    def areas(self) -> dict:
        """What the areas and places mean: ``layout.meta``."""
        return self.settings["meta"]

    @property
    def roles(self) -> set[str]:
        """What its marks and lines are there for."""
        marked = (trace for trace in self.traces if len(trace.get("x", ())))
        lines = {shape.get("name", "") for shape in self.settings.get("shapes", ())}
        return {trace.get("meta", {}).get("role", "") for trace in marked} | lines

    def about(self, revision: str) -> Drawing:
        """Name what it is about; the reader's zoom is given up when that changes."""
        self.settings["uirevision"] = revision
        return self

    @property
    def figure(self) -> go.Figure:
        """The plotly Figure. Plotly does not check it; the tests let it check every figure."""
        if "_figure" not in self.__dict__:
            content = {"data": self.traces, "layout": self.settings}
            self._figure = go.Figure(content, _validate=False)
        return self._figure

    def __getattr__(self, name: str) -> object:
        """Return what the plotly Figure has under this name."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.figure, name)

    def _repr_mimebundle_(self, *args: object, **kwargs: object) -> object:
        return self.figure._repr_mimebundle_(*args, **kwargs)
