"""The selection as a query string and back, short and readable: the only place that knows it.

``?data=xor&noise=0.2&held=0.4&m=cart&m.max_depth=4&m2=c45&node2=3``. A generator's
parameters stand under their own names, those of the models under ``m.``, ``m2.``, ... .
What has its default is left out, except ``data``; an empty query is the default scene.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from lastviz._params import Param
from lastviz.criteria import CRITERIA, Offered
from lastviz.estimators import CARTRegressor
from lastviz.ui.text import t

from .fields import KINDS, READERS, RULE_FIELDS, TEXTBOOK_FIELDS, TEXTBOOK_TABLES, WRITERS
from .plugins import VARIABLE
from .selection import DEFAULT, MAX_MODELS, UPLOAD, Model, Selection, Upload, changed
from .values import OwnRule

__all__ = ["FIELDS", "KINDS", "RESERVED", "SEED_NAME", "ParamsOf", "decode", "encode"]

ParamsOf = Callable[[str], tuple[Param, ...] | None]
"""Given a registry's key, its declared parameters; None if there is no such key."""

SEED_NAME = "random_state"  # declared by generators and algorithms; the scene has one seed
NUMBERS_PREFIX = "r."  # of the parameters of what learns numbers, there is one
LARGEST = 2**31 - 1
MOST_CURVES, MOST_SETS = 4, 12

FIELDS = {
    field.name: field
    for field in (
        Param(
            "bins", int, None, low=2, high=20, none=True, none_word="not cut",
            slider=(2, 10, 1),
            label="Cut numeric features into", unit="intervals",
            help="Each of about equally many rows, in order; for algorithms that read categories.",
        ),
        Param(
            "scaling", str, "none", choices=("none", "standard", "min-max"),
            label="Scaling of numeric features",
        ),
        Param("held", float, DEFAULT.held, low=0.0, high=0.9),
        Param("seed", int, DEFAULT.seed, low=0, high=LARGEST),
        Param("one", int, None, low=1, high=LARGEST, none=True),
        Param("depth", int, None, low=0, high=LARGEST, none=True),
        Param("at", int, None, low=1, high=LARGEST, none=True),
        Param("detail", str, "notice", choices=("notice", "classes", "rules", "how", "search")),
        Param("pick", int, None, low=1, high=LARGEST, none=True),
        Param("opened", int, None, low=1, high=LARGEST, none=True),
        Param("distances", str, "none", choices=("none", "bnm", "csn")),
        Param(
            "lab", str, "ranking",
            choices=("ranking", "formulas", "agreement", "growth", "panels", "known"),
        ),
        Param("unlabelled", bool, False),
        Param("lit", int, None, low=1, high=LARGEST, none=True),
        Param(
            "space", str, "notice",
            choices=("notice", "best", "spaces", "labels", "numbers", "formula"),
        ),
        Param("step", int, None, low=0, high=LARGEST, none=True),
        Param("picture", str, "auto", choices=("auto", "plane", "values")),
        Param("ordered", bool, False),
        Param("part", str, "data", choices=("data", "node", "forest", "audit", "comparison")),
        Param("inclusion", float, DEFAULT.inclusion, low=0.0, high=1.0),
        Param("pair", int, None, low=1, high=LARGEST, none=True),
        Param("price", bool, False),
        *RULE_FIELDS,
        *TEXTBOOK_FIELDS,
    )
}  # fmt: skip
COUNTED_FROM_ONE = {"one", "at", "pick", "opened", "lit", "pair", "only"}  # people do
PICKED = {  # of a model; a field counted from one in the link has 1 for its lowest value
    name: Param(name, int, None, low=low, high=LARGEST, none=True)
    for name, low in (("node", 0), ("move", 1), ("tree", 1))
}
ROWS = Param("rows", int, 0, low=1, high=LARGEST)

PLACES = ("", *(str(place) for place in range(2, MAX_MODELS + 1)))
RESERVED = {
    *("data", "file", "digest", "rows", "target", "x", "y"),
    *("curves", "rule", "components", "sets", "typed"),
    *READERS,
    *TEXTBOOK_TABLES,
    *FIELDS,
    *(name + place for name in ("m", *PICKED) for place in PLACES),
}


def encode(selection: Selection) -> dict[str, str]:
    """Return the query of `selection`; ``decode`` gives it back."""
    query = {"data": selection.data}
    if selection.upload is not None:
        upload = selection.upload
        query |= {"file": upload.name, "digest": upload.digest, "rows": str(upload.rows)}
    query |= {name: _write(value) for name, value in selection.params}
    if selection.target is not None:
        query["target"] = selection.target
    lists = {name: write(getattr(selection, name)) for name, write in WRITERS.items()}
    query |= {name: text for name, text in lists.items() if text}
    for name, field in FIELDS.items():
        value = getattr(selection, name)
        if value != field.default:
            query[name] = _write(value + 1 if name in COUNTED_FROM_ONE else value)
    if selection.axes is not None:
        query["x"], query["y"] = selection.axes
    if selection.components is not None:
        query["components"] = ".".join(str(component + 1) for component in selection.components)
    if selection.curves:
        query["curves"] = ".".join(selection.curves)
    if selection.sets:
        query["sets"] = ",".join(selection.sets)
    if selection.typed:
        query["typed"] = selection.typed
    for name in ("rule", *TEXTBOOK_TABLES):
        if getattr(selection, name) is not None:
            query[name] = str(getattr(selection, name))
    query |= {NUMBERS_PREFIX + name: _write(value) for name, value in selection.numbers}
    return query | _encode_models(selection.models)


def _encode_models(models: tuple[Model, ...]) -> dict[str, str]:
    query = {}
    if [(model.key, model.params) for model in models] != [(m.key, ()) for m in DEFAULT.models]:
        for place, model in zip(PLACES, models, strict=False):
            query["m" + place] = model.key
            query |= {f"m{place}.{name}": _write(value) for name, value in model.params}
    for place, model in zip(PLACES, models, strict=False):
        for name, param in PICKED.items():
            value = getattr(model, name)
            if value is not None:
                query[name + place] = str(value + int(param.low))
    return query


def decode(
    query: Mapping[str, str], data_params: ParamsOf, model_params: ParamsOf
) -> tuple[Selection, tuple[str, ...]]:
    """Return the selection that `query` describes, and a sentence for each part left out.

    Parameters
    ----------
    query : mapping of str to str
    data_params, model_params : callable
        The declared parameters of a data set and of an algorithm.
    """
    return _Reader(query, data_params, model_params).read()


class _Reader:
    """Reads one query, part by part; a wrong part becomes a sentence and the rest is used."""

    def __init__(self, query: Mapping[str, str], data_params: ParamsOf, model_params: ParamsOf):
        self.left = dict(query)
        self.data_params = data_params
        self.model_params = model_params
        self.problems: list[str] = []

    def read(self) -> tuple[Selection, tuple[str, ...]]:
        selection = self._data()
        selection = self._lists(selection)
        for field in FIELDS.values():
            value = self._param(field.name, field)
            if value is not None:
                shift = field.name in COUNTED_FROM_ONE
                selection = replace(selection, **{field.name: value - shift if shift else value})
        if "x" in self.left and "y" in self.left:
            selection = replace(selection, axes=(self.left.pop("x"), self.left.pop("y")))
        numbers = self._params(NUMBERS_PREFIX, CARTRegressor.PARAMS)
        selection = replace(selection, numbers=numbers)
        selection = replace(
            selection, **self._split(), components=self._components(), models=self._models()
        )
        for key in self.left:
            self._problem(
                t("The link's “{key}” is not known here and was ignored.", key=_short(key))
            )
        return selection, tuple(self.problems)

    def _split(self) -> dict[str, object]:
        """Return what the link says in texts of their own: curves, sets, a row, a rule, tables."""
        found: dict[str, object] = {"typed": self.left.pop("typed", "")}
        curves = tuple(filter(None, self.left.pop("curves", "").split(".")))
        found["curves"] = tuple(name for name in curves if name in CRITERIA)[:MOST_CURVES]
        for name in curves:
            if name not in CRITERIA:
                self._absent(name)
        sets = filter(None, self.left.pop("sets", "").split(","))
        found["sets"] = tuple(dict.fromkeys(sets))[:MOST_SETS]
        text = self.left.pop("rule", None)
        if text is not None:
            found["rule"] = OwnRule.parse(text)
            absent = OwnRule.absent(text)
            for name in absent:
                self._absent(name)
            if found["rule"] is None and not absent:
                self._problem(t("The link's rule of choice “{text}” is none.", text=_short(text)))
        for name, table in TEXTBOOK_TABLES.items():
            if name in self.left:
                text = self.left.pop(name)
                found[name] = table.parse(text)
                if found[name] is None:
                    sentence = "The link's {key}={text} is no table; the book's is shown."
                    self._problem(t(sentence, key=name, text=_short(text)))
        return found

    def _components(self) -> tuple[int, int] | None:
        """Return the two latent components on the axes; the link counts them from one."""
        text = self.left.pop("components", None)
        if text is None:
            return None
        numbers = [int(part) for part in text.split(".") if part.isdecimal()]
        if len(numbers) == 2 == len(set(numbers)) and 1 <= min(numbers) <= max(numbers) <= LARGEST:
            return numbers[0] - 1, numbers[1] - 1
        self._problem(
            t("The link's {key}={text} cannot be read.", key="components", text=_short(text))
        )
        return None

    def _data(self) -> Selection:
        key = self.left.pop("data", DEFAULT.data)
        if key == UPLOAD:
            return self._upload()
        declared = self.data_params(key)
        if declared is None:
            self._problem(
                t("There is no data set “{key}”; this is the first scene.", key=_short(key))
            )
            for name in set(self.left) - RESERVED:
                if "." not in name:
                    del self.left[name]
            return DEFAULT
        return Selection(data=key, params=self._params("", declared))

    def _upload(self) -> Selection:
        name, digest = self.left.pop("file", ""), self.left.pop("digest", "")
        rows = self._param("rows", ROWS)
        target = self.left.pop("target", None)
        if not (name and digest and rows):
            self._problem(
                t("The link does not say which file it is about: this is the first scene.")
            )
            return DEFAULT
        return Selection(data=UPLOAD, upload=Upload(digest, name, rows), target=target)

    def _models(self) -> tuple[Model, ...]:
        places = [place for place in PLACES if "m" + place in self.left]
        models = [self._model(place) for place in places]
        models = [model for model in models if model is not None]
        if not models:
            models = [
                replace(model, **self._picked(place))
                for place, model in zip(PLACES, DEFAULT.models, strict=False)
            ]
        return tuple(models)

    def _model(self, place: str) -> Model | None:
        key = self.left.pop("m" + place)
        declared = self.model_params(key)
        if declared is None:
            self._problem(t("There is no algorithm “{key}”.", key=_short(key)))
            prefix = f"m{place}."
            self.left = {k: v for k, v in self.left.items() if not k.startswith(prefix)}
            return None
        params = self._params(f"m{place}.", declared)
        return Model(key, params, **self._picked(place))

    def _picked(self, place: str) -> dict[str, int | None]:
        found = {name: self._param(name + place, param) for name, param in PICKED.items()}
        lows = {name: int(param.low) for name, param in PICKED.items()}
        return {k: None if value is None else value - lows[k] for k, value in found.items()}

    def _params(self, prefix: str, declared: tuple[Param, ...]) -> tuple[tuple[str, object], ...]:
        pairs: tuple[tuple[str, object], ...] = ()
        for param in declared:
            key = prefix + param.name
            if param.name != SEED_NAME and key in self.left:
                value = self._param(key, param)
                pairs = changed(pairs, param, value)
        return pairs

    def _param(self, key: str, param: Param) -> object:
        """Return the checked value of `key`, the default if it is absent or wrong."""
        if key not in self.left:
            return param.default
        text = self.left.pop(key)
        try:
            return param.check(_read(param, text))
        except ValueError:
            if isinstance(param.choices, Offered) and text not in CRITERIA:
                self._absent(text)
            sentence = "The link says {key}={text}, but {key} must be {legal}; {default} is used."
            values = {"key": key, "text": _short(text), "legal": param.legal()}
            told = t(sentence, default=_write(param.default), **values)
            if param.meaning:
                told += " " + t("{key}: {meaning}.", key=key, meaning=t(param.meaning))
            self._problem(told)
            return param.default

    def _lists(self, selection: Selection) -> Selection:
        for name, read in READERS.items():
            if name not in self.left:
                continue
            text = self.left.pop(name)
            try:
                selection = replace(selection, **{name: read(text)})
            except ValueError:
                self._problem(
                    t("The link's {key}={text} cannot be read.", key=name, text=_short(text))
                )
        return selection

    def _absent(self, name: str) -> None:
        """Say that a criterion is not here, and how it would be."""
        self._problem(
            t(
                "The link asks for the criterion “{name}”, which is not here; a module that "
                "registers it can be named in {variable}.",
                name=_short(name),
                variable=VARIABLE,
            )
        )

    def _problem(self, sentence: str) -> None:
        self.problems.append(sentence)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _write(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value)


def _read(param: Param, text: str) -> object:
    """Return `text` as the type of `param`, or unchanged, so that its check names the range."""
    if param.none and text == "none":
        return None
    if param.kind is bool:
        return {"true": True, "false": False}.get(text, text)
    if param.kind is str:
        return text
    try:
        return param.kind(text)
    except ValueError:
        return text
