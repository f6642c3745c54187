"""What the chart host makes of the short forms that figures are sent in, in plain Python."""

import base64
import json

import numpy as np

from lastviz.plots import THEMES, figure_json, template


def sent(figure):
    """The figure as it is sent, and what goes with it for all figures."""
    rows = {}
    return json.loads(figure_json(figure, rows)), rows


def array(packed):
    if isinstance(packed, np.ndarray):
        return packed
    if not isinstance(packed, dict):
        return np.array(packed, dtype=float if packed is None else None)
    flat = np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"])
    if "shape" in packed:
        flat = flat.reshape([int(n) for n in packed["shape"].split(",")])
    return flat * packed.get("step", 1)


def unfolded(figure):
    """The figure that the host hands to Plotly, with arrays in place of typed arrays."""
    spec, rows = sent(figure)
    layout = spec["layout"]
    if layout["template"] in THEMES:
        layout["template"] = template(layout["template"])
    if layout.get("meta", {}).get("hits"):
        layout["meta"]["hits"] = areas(layout["meta"]["hits"])
    return {"data": [trace(each, rows) for each in spec["data"]], "layout": layout}


def trace(given, rows):
    given = dict(given)
    if "rows" in given:
        places = rows[given.pop("rows")]
        if "of" in given:
            bits = np.unpackbits(array(given.pop("of")).view(np.uint8)).astype(bool)
            places = {k: (v := array(each))[bits[: len(v)]] for k, each in places.items()}
        given |= places
    if "among" in given:
        given |= marked(array(given["customdata"]), [rows[name] for name in given.pop("among")])
    if "bars" in given:
        given |= standing(array(given.pop("bars")).reshape(-1, 3))
    if "strips" in given:
        given |= curved(array(given.pop("strips")).reshape(-1, 5), given.pop("points"))
    for key in ("text", "hovertext"):
        if isinstance(given.get(key), dict):
            given[key] = texts(given[key])
    return given


def marked(numbers, all_rows):
    places = {
        number: (x, y)
        for rows in all_rows
        for number, x, y in zip(
            *(array(rows[key]) for key in ("customdata", "x", "y")), strict=True
        )
    }
    x, y = np.array([places[number] for number in numbers]).T
    return {"x": x, "y": y}


def standing(ends):
    gap = np.full(len(ends), np.nan)
    return {
        "x": np.column_stack([ends[:, 0], ends[:, 0], gap]).ravel(),
        "y": np.column_stack([ends[:, 1], ends[:, 2], gap]).ravel(),
    }


def curved(ends, points):
    x, y = [], []
    for start, end, first, last, height in ends:
        t = np.linspace(0, 1, points)
        along, upper = start + (end - start) * t, first + (last - first) * (3 * t**2 - 2 * t**3)
        x += [*along, *along[::-1], np.nan]
        y += [*upper, *(upper - height)[::-1], np.nan]
    return {"x": np.array(x), "y": np.array(y)}


def texts(packed):
    out = [packed["words"][packed["usual"]]] * packed["n"]
    for at, which in zip(array(packed["at"]), array(packed["of"]), strict=True):
        out[at] = packed["words"][which]
    return out


def areas(columns):
    axes = [name for name, n in columns["axis"] for _ in range(n)]
    stores = {True: list(array(columns["pixels"])), False: list(array(columns["xy"]))}
    out = []
    for i, (node, size) in enumerate(
        zip(array(columns["node"]), array(columns["size"]), strict=True)
    ):
        store, n = stores[bool(size < 0)], 2 * (size if size > 0 else 2)
        corners, store[:n] = np.array(store[:n]).reshape(-1, 2), []
        if size <= 0:
            (left, low), (right, high) = corners
            corners = np.array([[left, low], [right, low], [right, high], [left, high]])
        text = columns["text"][i] if "text" in columns else ""
        out.append({"node": int(node), "xaxis": axes[i], "xy": corners, "text": text})
    assert stores == {True: [], False: []}
    return out
