"""A figure as JSON for the browser: quick to write, short to send."""

from __future__ import annotations

import base64
import hashlib
import json
from itertools import groupby

import numpy as np

from .drawing import Drawing

__all__ = ["figure_json", "typed_array"]

ROWS = ("x", "y", "customdata")  # of marks that are rows of the data

# Numbers closer to each other than this share of their size would be moved by 32 bits.
_LEAST_SPREAD = 0.05
_FEW = 16  # texts; fewer go as they are


def figure_json(figure: Drawing, rows: dict[str, dict[str, object]] | None = None) -> str:
    """Return `figure` as JSON for the chart host: {"data": [...], "layout": {...}}.

    It says what ``figure.to_json()`` says, with arrays as typed arrays of no more bits than they
    need. Three things go in a shorter form that the host unfolds: curved strips and bars as
    their ends (a trace with ``meta["strips"]`` or ``meta["bars"]`` has no x and y then), texts
    of which many are equal, and ``layout.meta["hits"]`` as columns.

    Parameters
    ----------
    figure : Drawing
    rows : dict, optional
        Takes the places of the rows of the data, which stay when a tree changes, by a name of
        their content; a trace of rows has that name as "rows" instead of them.
    """
    data = [_packed(_folded(trace)) for trace in figure.traces]
    if rows is not None:
        data = [_without_rows(trace, rows) for trace in data]
    layout = figure.settings
    hits = layout.get("meta", {}).get("hits")
    if hits:
        layout = {**layout, "meta": {**layout["meta"], "hits": _columns(hits)}}
    return json.dumps({"data": data, "layout": layout}, separators=(",", ":"), default=_listed)


def _folded(trace: dict) -> dict:
    if trace.get("meta", {}).keys().isdisjoint(("strips", "bars")):
        return trace
    return {key: value for key, value in trace.items() if key not in ("x", "y")}


def _without_rows(trace: dict, rows: dict[str, dict[str, object]]) -> dict:
    if trace.get("meta", {}).get("role") not in ("training", "held_out"):
        return trace
    places = {key: trace[key] for key in ROWS if key in trace}
    name = hashlib.blake2b(json.dumps(places).encode(), digest_size=8).hexdigest()
    rows[name] = places
    return {key: value for key, value in trace.items() if key not in ROWS} | {"rows": name}


def _columns(hits: list[dict]) -> dict[str, object]:
    """Return areas as columns: the corners of all in one array, `size` of them for each.

    Of a box only two corners go, and its size is 0.
    """
    corners = [np.asarray(area["xy"], dtype=np.float64) for area in hits]
    boxes = [_is_box(each) for each in corners]
    ends = [each[[0, 2]] if box else each for each, box in zip(corners, boxes, strict=True)]
    texts = [area.get("text", "") for area in hits]
    axes = (area.get("xaxis", "x") for area in hits)
    return {
        "node": typed_array(np.array([area["node"] for area in hits])),
        "axis": [(name, len(list(run))) for name, run in groupby(axes)],
        "size": typed_array(
            np.array([0 if box else len(each) for each, box in zip(corners, boxes, strict=True)])
        ),
        "xy": typed_array(np.concatenate(ends).ravel()),
        **({"text": texts} if any(texts) else {}),
    }


def _is_box(corners: np.ndarray) -> bool:
    if len(corners) != 4:
        return False
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners.tolist()
    return (x0, x1, y0, y2) == (x3, x2, y1, y3)


def _listed(value: np.ndarray | np.generic) -> object:
    return value.tolist()


def _packed(value: object) -> object:
    if isinstance(value, dict):
        return {key: _packed(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, np.ndarray):
        return typed_array(value) if value.dtype.kind in "fiu" else value.tolist()
    if isinstance(value, list) and len(value) > _FEW and isinstance(value[0], str):
        return _words_once(value)
    return value


def _words_once(texts: list[str]) -> object:
    """Return texts of which many are equal as the different ones and which of them each is."""
    place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    if 2 * len(place) > len(texts):
        return texts
    return {"words": list(place), "of": typed_array(np.array([place[text] for text in texts]))}


def typed_array(array: np.ndarray) -> dict[str, str]:
    """Return an array as plotly.js reads it, of no more bits than it needs."""
    array = np.ascontiguousarray(_narrow(array))
    packed = {
        "dtype": array.dtype.str[1:],
        "bdata": base64.b64encode(array).decode("ascii"),
    }
    if array.ndim > 1:
        packed["shape"] = ", ".join(map(str, array.shape))
    return packed


def _narrow(array: np.ndarray) -> np.ndarray:
    """Return the numbers in fewer bits where that moves none of them for the eye."""
    if not array.size:
        return array.astype(np.float32 if array.dtype.kind == "f" else np.int8)
    if array.dtype.kind in "iu":
        ends = min(int(array.min()), 0), max(int(array.max()), 0)
        kinds = (np.int8, np.int16, np.int32)  # the browser has no arrays of 64-bit integers
        return array.astype(next((k for k in kinds if _holds(k, *ends)), np.float64))
    if array.itemsize <= 4:
        return array
    known = array[np.isfinite(array)]
    largest = np.abs(known).max(initial=0.0)
    fine = largest < np.finfo(np.float32).max and np.ptp(known) > _LEAST_SPREAD * largest
    return array.astype(np.float32) if len(known) and fine else array


def _holds(kind: type, low: int, high: int) -> bool:
    return np.iinfo(kind).min <= low and high <= np.iinfo(kind).max
