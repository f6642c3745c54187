"""A figure as JSON for the browser: quick to write, short to send."""

from __future__ import annotations

import base64
import hashlib
import json
from itertools import groupby

import numpy as np

from .drawing import Drawing
from .theme import THEMES, template

PLACES = frozenset({"flows", "stands"})  # in a figure's meta: where brushed rows are drawn
ROWS = ("x", "y", "customdata")  # of marks that are rows of the data

# Numbers closer to each other than this share of their size would be moved by 32 bits.
_LEAST_SPREAD = 0.05
_FEW = 16  # texts; fewer go as they are


def figure_json(
    figure: Drawing,
    rows: dict[str, dict[str, object]] | None = None,
    *,
    brushed: bool = True,
) -> str:
    """`figure` as JSON for the chart host: {"data": [...], "layout": {...}}.

    It says what ``figure.to_json()`` says, with arrays as typed arrays. Three things
    go in a shorter form that the host unfolds: the ribbons and bars of a flow tree as their ends
    ("strips" with "points", "bars" in place of x and y), texts of which most are equal, and
    ``layout.meta["hits"]`` as columns.

    Parameters
    ----------
    figure : Drawing
    rows : dict, optional
        Takes the places of the rows of the data, which stay when a tree or the division changes,
        by a name of their content; a trace of rows has that name as "rows" instead of them, and
        as "of" which of them it has, a bit for each. The host knows our templates: they, too, go
        by name then.
    brushed : bool, default True
        Whether the places of a tree's nodes and of rows along curves go along, at which brushed
        rows are drawn: :data:`PLACES` of ``layout.meta``.
    """
    if rows is None:
        data = [_packed(_folded(trace)) for trace in figure.traces]
    else:
        here, data = _rows_apart(figure.traces)
        rows |= here
    layout = figure.settings
    if rows is not None:
        look = layout.get("template")
        named = next((name for name in THEMES if template(name) is look), look)
        layout = {**layout, "template": named}
    hits = layout.get("meta", {}).get("hits")
    if hits:
        layout = {**layout, "meta": {**layout["meta"], "hits": _columns(hits, layout)}}
    if not brushed and not PLACES.isdisjoint(layout.get("meta", {})):
        meta = {key: value for key, value in layout["meta"].items() if key not in PLACES}
        layout = {**layout, "meta": meta}
    for name in PLACES:
        places = layout.get("meta", {}).get(name)
        if places:
            narrowed = {axis: _narrowed(columns) for axis, columns in places.items()}
            layout = {**layout, "meta": {**layout["meta"], name: narrowed}}
    figure_parts = {"data": data, "layout": layout}
    return json.dumps(figure_parts, separators=(",", ":"), ensure_ascii=False, default=_listed)


def _folded(trace: dict) -> dict:
    role = trace.get("meta", {}).get("role")
    short = {key: _words_once(trace[key]) for key in ("text", "hovertext") if key in trace}
    ends = _strips(trace) if role == "ribbon" else _bars(trace) if role == "bar" else None
    if ends is None:
        return trace | short
    return {key: value for key, value in trace.items() if key not in ("x", "y")} | short | ends


def _strips(trace: dict) -> dict[str, object]:
    """Strips by five numbers each.

    Start and end (x), upper edge at both, height.
    """
    size = int(np.flatnonzero(np.isnan(trace["x"]))[0]) + 1  # the gap after the first
    x, y = trace["x"].reshape(-1, size), trace["y"].reshape(-1, size)
    last = size // 2 - 1  # of the upper edge
    ends = np.column_stack([x[:, 0], x[:, last], y[:, 0], y[:, last], y[:, 0] - y[:, -2]])
    return {"strips": _in_steps(ends.ravel()), "points": last + 1}


def _bars(trace: dict) -> dict[str, object] | None:
    """Bars as position, lower end and upper end; None where two of them touch."""
    x, y = trace["x"], trace["y"]
    if len(x) % 3 or not np.isnan(x[2::3]).all():
        return None
    return {"bars": _in_steps(np.column_stack([x[::3], y[::3], y[1::3]]).ravel())}


def _rows_apart(traces: list[dict]) -> tuple[dict[str, dict[str, object]], list[dict]]:
    """Places of rows by name, and the traces without them, packed.

    Marks around some rows keep only their numbers.
    """
    rows: dict[str, dict[str, object]] = {}
    mine = [i for i, trace in enumerate(traces) if _role(trace) in ("training", "held_out")]
    common = _common_rows([traces[i] for i in mine])
    without: dict[int, dict] = {}
    if common is not None:
        places = _packed(common[0])
        name = _name_of_places(places)
        rows[name] = places
        without = {i: {"rows": name, "of": of} for i, of in zip(mine, common[1], strict=True)}
    else:
        for i in mine:
            places = _packed({key: traces[i][key] for key in ROWS if key in traces[i]})
            without[i] = {"rows": _name_of_places(places)}
            rows[without[i]["rows"]] = places
    data = []
    for i, trace in enumerate(traces):
        left_out, instead = (), without.get(i, {})
        if i in without:
            left_out = ROWS
        elif rows and _role(trace) == "wrong" and "customdata" in trace:
            left_out, instead = ("x", "y"), {"among": list(rows)}
        sent = {key: value for key, value in trace.items() if key not in left_out}
        data.append(_packed(_folded(sent)) | instead)
    return rows, data


def _role(trace: dict) -> str | None:
    return trace.get("meta", {}).get("role")


def _name_of_places(places: dict[str, object]) -> str:
    return hashlib.blake2b(json.dumps(places).encode(), digest_size=8).hexdigest()


def _common_rows(traces: list[dict]) -> tuple[dict[str, np.ndarray], list[dict]] | None:
    """Rows of all traces as one table by number, and which of them each trace has.

    That table is the same however the rows are divided. None where the traces do not part one
    set of rows between them.
    """
    if len(traces) < 2 or len({(each.get("xaxis"), each.get("yaxis")) for each in traces}) > 1:
        return None
    if not all(isinstance(each.get(key), np.ndarray) for each in traces for key in ROWS):
        return None
    numbers = [each["customdata"] for each in traces]
    if any(each.ndim > 1 or (np.diff(each) <= 0).any() for each in numbers):
        return None
    order = np.argsort(np.concatenate(numbers), kind="stable")
    table = {key: np.concatenate([each[key] for each in traces])[order] for key in ROWS}
    if (np.diff(table["customdata"]) == 0).any():
        return None
    owner = np.repeat(np.arange(len(traces)), [len(each) for each in numbers])[order]
    bits = [np.packbits(owner == i).view(np.int8) for i in range(len(traces))]
    return table, [typed_array(each) for each in bits]


def _columns(hits: list[dict], layout: dict) -> dict[str, object]:
    """Areas as columns: all corners in one array, `size` of them per area.

    Of a box only two corners go, and its size is 0; of boxes in pixels, too, by themselves, and
    their size is -1.
    """
    size = np.array([len(area["xy"]) for area in hits])
    corners = np.array([corner for area in hits for corner in area["xy"]], dtype=np.float64)
    axes = [area.get("xaxis", "x") for area in hits]
    # An axis without a scale of its own is a tree's: its unit is a pixel.
    shown = [layout.get(f"xaxis{name[1:]}", {}).get("visible") for name in axes]
    in_pixels = np.array([each is False for each in shown])
    start = np.cumsum(size) - size
    box = size == 4
    box[box] = _are_boxes(corners[start[box, None] + np.arange(4)])
    pixels = box & in_pixels
    opposite = corners[start[pixels, None] + [0, 2]]
    is_second = (np.arange(int(size.sum())) - np.repeat(start, size)) % 2 == 1
    is_sent = np.repeat(~pixels, size) & ~(np.repeat(box, size) & is_second)
    texts = [area.get("text", "") for area in hits]
    return {
        "node": typed_array(np.array([area["node"] for area in hits])),
        "axis": [(name, len(list(run))) for name, run in groupby(axes)],
        "size": typed_array(np.where(pixels, -1, np.where(box, 0, size))),
        "xy": typed_array(corners[is_sent].ravel()),
        "pixels": _in_steps(opposite.ravel()),
        **({"text": texts} if any(texts) else {}),
    }


def _are_boxes(corners: np.ndarray) -> np.ndarray:
    """Mask of the areas of four corners, shape (n, 4, 2), that are upright boxes."""
    x, y = corners[:, :, 0], corners[:, :, 1]
    across = (x[:, 0] == x[:, 3]) & (x[:, 1] == x[:, 2])
    return across & (y[:, 0] == y[:, 1]) & (y[:, 2] == y[:, 3])


def _narrowed(columns: dict[str, object]) -> dict[str, object]:
    return {
        key: typed_array(np.array(value)) if isinstance(value, list) else value
        for key, value in columns.items()
    }


def _listed(value: np.ndarray | np.generic) -> object:
    return value.tolist()


def _packed(value: object) -> object:
    if isinstance(value, dict):
        return {
            key: _packed(inner) if isinstance(inner, dict | np.ndarray) else inner
            for key, inner in value.items()
            if inner is not None
        }
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            return exact_array(value)  # what the reader picks comes back as it was
        return typed_array(value) if value.dtype.kind in "iu" else value.tolist()
    return value


def _words_once(texts: object) -> object:
    """Texts as the usual one and the exceptions with their positions.

    Only if most of the texts are equal.

    Rows of texts, as the fields of a matrix have them, stay as they are.
    """
    if not isinstance(texts, list) or len(texts) <= _FEW or isinstance(texts[0], list):
        return texts
    place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    of = np.array([place[text] for text in texts])
    usual = int(np.bincount(of).argmax())
    at = np.flatnonzero(of != usual)
    if 2 * len(at) > len(texts):
        return texts
    parts = {"at": typed_array(at), "of": typed_array(of[at])}
    return {"words": list(place), "usual": usual, "n": len(texts), **parts}


def _in_steps(array: np.ndarray) -> dict[str, object]:
    """Lengths in pixels as multiples of a small step, in 16 bits."""
    step = max(float(np.abs(array).max(initial=0.0)), 1.0) / np.iinfo(np.int16).max
    return typed_array(np.rint(array / step).astype(np.int16)) | {"step": step}


def typed_array(array: np.ndarray) -> dict[str, str]:
    """Array as plotly.js reads it, of no more bits than the eye needs."""
    return exact_array(narrow(array))


def exact_array(array: np.ndarray) -> dict[str, str]:
    """Array as plotly.js reads it, bit for bit."""
    array = np.ascontiguousarray(array)
    packed = {
        "dtype": array.dtype.str[1:],
        "bdata": base64.b64encode(array).decode("ascii"),
    }
    if array.ndim > 1:
        packed["shape"] = ", ".join(map(str, array.shape))
    return packed


def narrow(array: np.ndarray) -> np.ndarray:
    """Numbers in fewer bits where that moves none of them for the eye."""
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
    if not len(known) or largest >= np.finfo(np.float32).max:
        return array
    return array.astype(np.float32) if np.ptp(known) > _LEAST_SPREAD * largest else array


def _holds(kind: type, low: int, high: int) -> bool:
    return np.iinfo(kind).min <= low and high <= np.iinfo(kind).max
