"""Statements about links that cannot be read: the parts of a link, read by rules written anew."""

import os
import re
import zlib
from functools import partial
from unittest.mock import patch
from urllib.parse import parse_qsl

from lastviz import _plugins
from lastviz.criteria import CRITERIA
from lastviz.datasets.labels import Labels
from lastviz.plots import number
from lastviz.ui.frame import _problems_of_plugins
from lastviz.ui.state.codec import decode
from lastviz.ui.state.edit_codes import pack_labels
from lastviz.ui.state.session import data_params, model_params
from tests.sentences.rows import Kind

STATE = "ui/state/"


def problems(link):
    return decode(dict(parse_qsl(link)), data_params, model_params)[1]


def short(text):
    return text[:39] + "…" if len(text) > 40 else text


def unreadable(key, grammar, link):
    """The part of a link is there and is not as its grammar has it."""
    text = dict(parse_qsl(link)).get(key)
    good = text is None or re.fullmatch(grammar, text)
    return [] if good else [{"key": key, "text": short(text)}]


def refused(made, text, key, grammar, bad, good):
    """A kind of a part that is refused: three that are, and one that is not."""
    links = [f"{key}={each}" for each in (*bad, good)]
    twin = partial(unreadable, key, grammar)
    return Kind(STATE + made, text, problems, twin, tuple(links[:-1]), [links[-1], "data=xor"])


def of_link(made, text, twin, true, never):
    return Kind(STATE + made, text, problems, twin, true, never)


def starting_with(start):
    """Keys of a link that no field is called."""
    return lambda link: [{"key": short(k)} for k, _ in parse_qsl(link) if k.startswith(start)]


def value_of(key, known):
    def twin(link):
        value = dict(parse_qsl(link)).get(key, known[0])
        return [] if value in known else [{"key": short(value)}]

    return twin


def edits_left_out(link):
    """Edits of a leaf alone: its number and L, once a node, in the order of their numbers."""
    parts = dict(parse_qsl(link))["e"].split("~")
    wrong = [p for i, p in enumerate(parts) if not re.fullmatch(r"\d+L", p) or p in parts[:i]]
    said = short(", ".join(f"“{p}”" for p in wrong))
    return [{"key": "e", "parts": said, "n": 24}] if wrong else []


def out_of_range(link):
    """A share of at most 0.9, a seed of no sign, a depth of 1 and more: numbers all."""
    found = []
    whole, most = "a whole number", number(2**31 - 1).replace(",", "")
    rules = {
        "seed": (r"\d{1,9}", f"{whole} >= 0 and <= {float(most):g}", "1"),
        "held": (r"0(\.[0-8]\d*|\.90*)?", "a finite number >= 0 and <= 0.9", "0.3"),
        "m.max_depth": (r"[1-9]\d*|none", f"{whole} >= 1 or none (no limit)", "none"),
    }
    for key, text in parse_qsl(link):
        if key in rules and not re.fullmatch(rules[key][0], text):
            _, legal, default = rules[key]
            found.append({"key": key, "text": short(text), "legal": legal, "default": default})
    return found


def unknown_criteria(link):
    names = [name for key, text in parse_qsl(link) if key in ("by", "curves", "m.criterion")
             for name in text.split(".")]  # fmt: skip
    return [
        {"name": short(name), "variable": "LASTVIZ_PLUGINS"}
        for name in names
        if name not in CRITERIA
    ]


def labels_of(n):
    """So many values of a column, each with a label in which nothing repeats."""
    return Labels(
        values={"a": {str(i): f"{zlib.crc32(bytes(str(i), 'ascii')):x}" for i in range(n)}}
    )


def told_of_labels(n):
    try:
        return [pack_labels(labels_of(n))]
    except ValueError as error:
        return [str(error)]


def too_many_labels(n):
    """The labels deflated by a loop over their JSON, four letters for three bytes."""
    values = ",".join(f'"{k}":"{v}"' for k, v in sorted(labels_of(n).values["a"].items()))
    text = f'[{{}},{{}},{{"a":{{{values}}}}},{{}}]'
    deflate = zlib.compressobj(9, wbits=-15)
    n_bytes = len(deflate.compress(text.encode()) + deflate.flush())
    letters = -(-n_bytes * 4 // 3)
    return [{"n": number(letters), "most": number(4000)}] if letters > 4000 else []


def told_of_plugins(names):
    with patch.dict(os.environ, {"LASTVIZ_PLUGINS": names}):
        _plugins.load_plugins.cache_clear()
        try:
            return _problems_of_plugins()
        finally:
            _plugins.load_plugins.cache_clear()


def lacking_modules(names):
    lacks = [n for n in names.split(",") if n.startswith("no_")]
    return [{"name": name, "variable": "LASTVIZ_PLUGINS"} for name in lacks]


ROWS = [
    of_link("codec.py::_Reader.read", "is not known here and was ignored", starting_with("zz"),
            ("data=moons&zz=1", "zz_a=1&zz_b=2", f"{'zz' * 30}=3&seed=2"), "data=xor&seed=3"),
    of_link("codec.py::_Reader._data", "the first scene is shown", value_of("data", ["xor"]),
            ("data=moon", f"data={'a' * 60}&seed=3", "data=folder.x&held=0.2"), "data=xor"),
    of_link("codec.py::_Reader._model", "There is no algorithm", value_of("m", ["cart", "c45"]),
            ("m=CART", "m=tree&seed=2", f"m={'forest' * 10}"), ["m=cart", "m=c45&seed=3"]),
    of_link("codec.py::_Reader._edits", "which is not an edit or one too many", edits_left_out,
            ("m=cart&e=0L~xx", "m=cart&e=1L~1L~2L", f"m=c45&e={'~'.join('ab' * 9)}~3L"),
            "m=cart&e=0L~3L"),
    of_link("codec.py::_Reader._param", "but {key} must be", out_of_range,
            ("seed=-1", "held=0.95&seed=1.5", "m=cart&m.max_depth=0"),
            ["seed=7&held=0.9", "m=cart&m.max_depth=none"]),
    of_link("codec.py::_Reader._absent", "asks for the criterion", unknown_criteria,
            ("m=cart&m.criterion=mine", "curves=gini.mine.yours", f"by={'long_' * 12}"),
            ["m=cart&m.criterion=gini", "curves=gini.gain_ratio"]),
    refused("fields.py::UNREADABLE", "cannot be read", "components", r"\d+\.\d+",
            ("a", "1", "1.2.3"), "1.2"),
    refused("pages.py::NO_TABLE", "is not a table", "loan", r"([0-3_]{5}\.?)+",
            ("zz", "tables", "7" * 60), "00000.11111"),
    refused("pages.py::SplitsView.rule", "does not exist", "rule", r"[a-z]+(-.*)?",
            ("x.y-z", "1", "%3F"), "gini"),
    refused("pages.py::SplitsView.line", "is not a line", "line", r"\d{1,2}(\.\d+)?_\d+",
            ("abc", "200.1", "12"), "12.5_1"),
    refused("pages.py::View.ask", "is not a question", "ask", r"(split|errors)(~\d?~\d*(~.*)?)?",
            ("zz", "split~9", "class"), "split"),
    refused("quiz_codes.py::QuizView.questions", "does not describe a quiz", "questions", "",
            ("zz", "1", "a~b"), ""),
    refused("quiz_codes.py::QuizView.room", "is not a room code", "room", "[A-HJ-NP-Z]{6}",
            ("abc", "ABCDE", "ABCDE1"), "ABCDEF"),
    refused("selection.py::Selection.reading", "describe how to read", "reading", r"\w+=.*",
            ("zz", "decimal", "1"), "decimal%3D%2C"),
    refused("selection.py::Selection.painted", "does not describe a painting", "painted", "",
            ("zz", "1", "a~b"), ""),
    refused("quiz_codes.py::StoryView.slides", "does not describe a story", "slides", "",
            ("zz", "1", "a~b"), ""),
    Kind(STATE + "edit_codes.py::pack_labels", "These labels would take", told_of_labels,
         too_many_labels, (700, 900, 2000), [3, 300]),
    Kind("ui/frame.py::_problems_of_plugins", "could not be loaded", told_of_plugins,
         lacking_modules, ("no_such", "json,no_such", "no_a,no_b"), ["", "json"]),
]  # fmt: skip
