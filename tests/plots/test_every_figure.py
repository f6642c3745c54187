"""What holds for all figures: each is drawn once in each theme and asked all questions."""

import json
import re

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest

from lastviz.plots import THEMES, figure_json
from lastviz.plots.boundary_plot import LEVELS, PALE
from lastviz.plots.forest_plot import N_TINTS
from lastviz.plots.visuals.theme import FONT, N_SHADES, mix
from tests.asked import ask

from .conftest import FIGURES
from .unfolded import array, unfolded

COLOUR = re.compile(r"#[0-9A-Fa-f]{6}\b|rgba?\([^)]*\)")
CLEAR = "rgba(0,0,0,0)"


def colours_of(theme):
    """All colours that a figure of this theme may use."""
    tokens = THEMES[theme]
    plain = {v for v in vars(tokens).values() if isinstance(v, str) and v.startswith("#")}
    mixed = {tokens.shade(k) for k in range(N_SHADES)} | {colour for _, colour in tokens.relief}
    classes = range(3 * len(tokens.hues))
    for k in classes:
        for mixture in (tokens.region, tokens.ribbon, tokens.bar):
            mixed |= {mixture(k), mixture(k, faded=True)}
        mixed |= {tokens.certain(k, tint / (N_TINTS - 1)) for tint in range(N_TINTS)}
        certain = {tokens.certain(k, level / LEVELS) for level in range(LEVELS + 1)}
        mixed |= certain | {mix(colour, tokens.paper, PALE) for colour in certain}
        mixed |= {tokens.table_bar(k), tokens.point_edge(k), tokens.held_out(k)}
    return plain | {tokens.hue(k) for k in classes} | mixed | {CLEAR}


def plotly_accepts_every_property(figure, theme, spec):
    go.Figure(figure.to_dict())


def every_trace_says_what_it_is(figure, theme, spec):
    for trace in figure.data:
        assert trace.name
        assert trace.meta["role"]


def no_colour_comes_from_elsewhere(figure, theme, spec):
    used = {c.replace(" ", "") for c in COLOUR.findall(json.dumps(spec))}
    assert used <= colours_of(theme), used - colours_of(theme)


def size_is_fixed_and_ground_is_clear(figure, theme, spec):
    layout = figure.layout
    assert layout.height > 0
    assert layout.width is None
    assert layout.uirevision == "lastviz"
    assert layout.showlegend is False
    assert layout.title.text is None
    assert layout.template.layout.paper_bgcolor == CLEAR
    assert layout.template.layout.plot_bgcolor == CLEAR


def no_type_is_smaller_than_14_pixels_or_turned(figure, theme, spec):
    sizes = [font["size"] for font in fonts_in(spec)]
    assert sizes
    assert min(sizes) >= 14
    assert all(a.get("textangle", 0) == 0 for a in spec["layout"]["annotations"])
    assert spec["layout"]["template"]["layout"]["xaxis"]["tickangle"] == 0


def fonts_in(spec):
    if isinstance(spec, dict):
        for key, value in spec.items():
            if key.endswith("font"):
                yield value
            yield from fonts_in(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from fonts_in(value)


def hits_are_areas_on_axes_that_exist(figure, theme, spec):
    layout = figure.layout
    for area in layout.meta["hits"]:
        assert set(area) == {"node", "xy", "text", "xaxis", "yaxis"}
        assert "axis".join(re.fullmatch(r"(x)(\d*)", area["xaxis"]).groups()) in layout
        assert len(area["xy"]) >= 3
        assert all(len(corner) == 2 for corner in area["xy"])
    json.dumps(layout.meta)


def assert_as_placed(flows, others):
    """Where trees draw their nodes, as it is sent and as it was said."""
    assert flows.keys() == others.keys()
    for axis, flow in flows.items():
        assert flow.keys() == others[axis].keys()
        for key, value in others[axis].items():
            np.testing.assert_allclose(
                array(flow[key]) if isinstance(value, list) else flow[key],
                value,
                rtol=1e-6,
                atol=1e-4,
            )


def what_is_sent_unfolds_to_what_plotly_says(figure, theme, spec):
    quick, plotlys = unfolded(figure), json.loads(figure.to_json())
    for layout in (quick["layout"], plotlys["layout"]):
        layout["meta"] = {**layout.get("meta", {})}
    ours, theirs = (
        layout["meta"].pop("hits", []) for layout in (quick["layout"], plotlys["layout"])
    )
    assert_as_placed(
        *(
            {**layout["meta"].pop("flows", {}), **layout["meta"].pop("stands", {})}
            for layout in (quick["layout"], plotlys["layout"])
        )
    )
    assert quick["layout"] == plotlys["layout"]
    for area, other in zip(ours, theirs, strict=True):
        assert [area[key] for key in ("node", "xaxis", "text")] == [
            other["node"], other.get("xaxis", "x"), other.get("text", "")
        ]  # fmt: skip
        assert_as_drawn(area["xy"], array(other["xy"]), figure)
    for trace, other in zip(quick["data"], plotlys["data"], strict=True):
        assert set(trace) == set(other)
        for key in trace:
            if key in ("x", "y", "z"):
                assert_as_drawn(array(trace[key]), array(other[key]), figure)
            elif key == "customdata":
                np.testing.assert_array_equal(array(trace[key]), array(other[key]))
            else:
                assert trace[key] == other[key]


def axes_of(figure):
    return [value for key, value in figure.settings.items() if key.startswith("xaxis")]


def assert_as_drawn(found, expected, figure):
    """Equal for the eye: within a millionth of their spread, or a twentieth of a pixel."""
    if expected.dtype.kind not in "fiu":
        np.testing.assert_array_equal(found, expected)
        return
    numbers = expected[np.isfinite(expected)]
    slack = max(2e-6 * np.ptp(numbers), 2e-7) if len(numbers) else 0.0
    pixels = any(axis.get("visible") is False for axis in axes_of(figure))
    np.testing.assert_allclose(found, expected, rtol=0, atol=max(slack, 0.05 * pixels))


QUESTIONS = (
    plotly_accepts_every_property, every_trace_says_what_it_is, no_colour_comes_from_elsewhere,
    size_is_fixed_and_ground_is_clear, no_type_is_smaller_than_14_pixels_or_turned,
    hits_are_areas_on_axes_that_exist, what_is_sent_unfolds_to_what_plotly_says,
)  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_answers_all_questions(name):
    light, dark = (FIGURES[name](theme) for theme in ("light", "dark"))
    for figure, theme in ((light, "light"), (dark, "dark")):
        ask(QUESTIONS, figure, theme, json.loads(figure_json(figure)))
    assert [t.meta for t in light.data] == [t.meta for t in dark.data]
    assert light.layout.height == dark.layout.height


def test_templates_are_registered(theme):
    registered = pio.templates[f"lastviz_{theme}"]
    assert registered.layout.font.family == FONT
    assert registered.layout.margin.to_plotly_json() == {"l": 48, "r": 4, "t": 4, "b": 30, "pad": 0}
    assert registered.layout.xaxis.showgrid is False
