"""The selection as a query string and back, short and readable: the only place that knows it.

``?data=xor&noise=0.2&held=0.4&m=cart&m.max_depth=4&m2=c45&node2=3``. A generator's
parameters stand under their own names, those of the models under ``m.``, ``m2.``, ... .
What has its default is left out, except ``data``; an empty query is the default scene. Of what
is private there is a name, see :mod:`.private`; files of scenes have it as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from lastviz._params import Param
from lastviz._plugins import VARIABLE
from lastviz.criteria import CRITERIA, Offered
from lastviz.estimators import REGRESSOR
from lastviz.host.security import is_name, name_of
from lastviz.host.store import Upload
from lastviz.ui.text import t, translate

from .edit_codes import MOST_EDITS, Edits, read_edits, write_edits
from .fields import LARGEST, AbsentCriterion, Field, NotShownNow
from .link_texts import ALL_COLUMNS
from .moved import GONE, MOVED
from .pages import PAGES
from .selection import (
    DEFAULT,
    FIELDS,
    MAX_MODELS,
    PAGE_OF,
    UPLOAD,
    Model,
    Selection,
    is_table,
    with_param,
)

ParamsOf = Callable[[str], tuple[Param, ...] | None]
"""Given a registry's key, its declared parameters; None if there is no such key."""

SharedBy = Callable[[str], Upload | None]
"""Given a code, the file that is shared under it; None if there is none (any more)."""

PrivateBy = Callable[[str], str | None]
"""Given a name that stands for a private text, that text; None if it is not known here."""

SEED_NAME = "random_state"  # declared by generators and algorithms; the scene has one seed
OF_NUMBERS = "r."  # begins what is said of the regressor
PICKED = {  # of a model; a field counted from one in the link has 1 for its lowest value
    name: Param(name, int, None, low=low, high=LARGEST, none=True)
    for name, low in (("node", 0), ("move", 1), ("tree", 1))
}
EDITS = "e"  # of a model
ROWS = Param("rows", int, 0, low=1, high=LARGEST)
MOST_LETTERS = 100_000  # of one part of a link
NOT_IN_LINK = (
    "Links do not contain typed values or large paintings: this one had some, which are not "
    "available here. A saved scene keeps them."
)

PLACES = ("", *(str(place) for place in range(2, MAX_MODELS + 1)))
RESERVED = {
    *("data", "file", "digest", "rows", "share", "target"),
    *(link for declared in FIELDS.values() for link in declared.link),
    *(name + place for name in ("m", EDITS, *PICKED) for place in PLACES),
}


# With `named`, what is private goes by its name: an address must not say it.
def encode(selection: Selection, *, named: bool = True) -> dict[str, str]:
    """Query of `selection`; ``decode`` gives it back."""
    query = {"data": selection.data}
    if selection.upload is not None:
        upload = selection.upload
        query |= {"file": upload.name, "digest": upload.digest, "rows": str(upload.rows)}
        if upload.share is not None:
            query["share"] = upload.share
    query |= {name: _write(value) for name, value in selection.params}
    if selection.target is not None:
        query["target"] = selection.target
    # Of a table a link without columns means all: it may be older than that some are left out.
    others = {"columns": ALL_COLUMNS} if is_table(selection.data) else {}
    untouched = {page for page in PAGES if getattr(selection, page) == getattr(DEFAULT, page)}
    for name, declared in FIELDS.items():
        if PAGE_OF.get(name) in untouched:
            continue
        value = selection.value(name)
        if value != others.get(name, declared.default):
            texts = _texts(declared, value)
            if named and declared.private is not None and declared.private(value):
                texts = tuple(map(name_of, texts))
            query |= zip(declared.link, texts, strict=True)
    regressor = selection.regressor
    query |= {OF_NUMBERS + name: _write(value) for name, value in regressor.params}
    query |= {} if regressor.node is None else {OF_NUMBERS + "node": str(regressor.node)}
    query |= {OF_NUMBERS + EDITS: write_edits(regressor.edits)} if regressor.edits else {}
    return query | _encode_models(selection.models)


def private_texts(selection: Selection) -> tuple[str, ...]:
    """Texts that go by names in the query of `selection`."""
    values = {name: selection.value(name) for name in _private_fields(selection)}
    return tuple(text for name, value in values.items() for text in _texts(FIELDS[name], value))


def without_private(selection: Selection) -> Selection:
    """Scene without its private parts, as others may see it."""
    return selection.having(**{name: FIELDS[name].default for name in _private_fields(selection)})


def _private_fields(selection: Selection) -> list[str]:
    """Names of the fields whose values are private now."""
    return [
        name
        for name, declared in FIELDS.items()
        if declared.private is not None
        and (value := selection.value(name)) != declared.default
        and declared.private(value)
    ]


def _texts(declared: Field, value: object) -> tuple[str, ...]:
    """Texts that say a value, one for each of the field's names in links."""
    if declared.write is not None:
        texts = declared.write(value)
        return (texts,) if isinstance(texts, str) else texts
    return (_write(value + 1 if declared.counted_from_one and value is not None else value),)


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
        if model.edits:
            query[EDITS + place] = write_edits(model.edits)
    return query


def nothing_shared(code: str) -> None:
    """Stand-in for the look-up of a share by its code if nothing is shared."""


def nothing_private(name: str) -> None:
    """Stand-in for the look-up of private text by its name if none is kept."""


def decode(
    query: Mapping[str, str],
    data_params: ParamsOf,
    model_params: ParamsOf,
    shared: SharedBy = nothing_shared,
    private_text: PrivateBy = nothing_private,
) -> tuple[Selection, tuple[str, ...]]:
    """Selection that `query` describes, and a sentence for each part left out.

    Parameters
    ----------
    query : mapping of str to str
    data_params, model_params : callable
        The declared parameters of a data set and of an algorithm.
    shared : callable
        What is shared under a code; asked where the link says the code alone.
    private_text : callable
        What a name in the query stands for.
    """
    return _Reader(query, data_params, model_params, shared, private_text).read()


class _Reader:
    """Reader of one query, part by part.

    A wrong part becomes a sentence, and the rest is used.
    """

    def __init__(
        self,
        query: Mapping[str, str],
        data_params: ParamsOf,
        model_params: ParamsOf,
        shared: SharedBy,
        private_text: PrivateBy,
    ):
        self.left = dict(query)
        self.shared = shared
        self.private_text = private_text
        self.data_params = data_params
        self.model_params = model_params
        self.problems: list[str] = []

    def read(self) -> tuple[Selection, tuple[str, ...]]:
        for (key, text), (now, sentence) in MOVED.items():
            if self.left.get(key) == text:
                del self.left[key]
                self.left |= now
                self._problem(t(sentence))
        selection = self._data()
        found = {}
        for declared in FIELDS.values():
            if all(link in self.left for link in declared.link):
                found[declared.name] = self._field(declared)
        selection = selection.having(**found, regressor=self._regressor(), models=self._models())
        for key in self.left:
            sentence = "The link's “{key}” is not known here and was ignored."
            if sentence := GONE.get(key, sentence):
                self._problem(t(sentence, key=_short(key)))
        return selection, tuple(self.problems)

    def _field(self, declared: Field) -> object:
        """Value of a field in the link, else its default, with a notice if it is wrong."""
        if declared.param is not None:
            value = self._param(declared.link[0], declared.param)
            return value - 1 if declared.counted_from_one and value is not None else value
        texts = [self.left.pop(link) for link in declared.link]
        if declared.private is not None and any(map(is_name, texts)):
            texts = [self.private_text(text) if is_name(text) else text for text in texts]
            if None in texts:
                self._problem(t(NOT_IN_LINK))
                return declared.default
        try:
            if max(map(len, texts)) > MOST_LETTERS:
                raise ValueError(declared.name)
            return declared.read(*texts)
        except AbsentCriterion as absent:
            self._absent(absent.names)
            return declared.default
        except NotShownNow as gone:
            self._problem(t(gone.sentence))
            return gone.value
        except (ValueError, OverflowError):
            key, text = declared.link[0], _short(texts[0])
            self._problem(t(declared.refused, key=key, text=text))
            return declared.default

    def _data(self) -> Selection:
        key = self.left.pop("data", UPLOAD if "share" in self.left else DEFAULT.data)
        if key == UPLOAD:
            return self._upload()
        declared = self.data_params(key)
        if declared is None:
            self._problem(
                t(
                    "There is no data set “{key}”; the first scene is shown instead.",
                    key=_short(key),
                )
            )
            for name in set(self.left) - RESERVED:
                if "." not in name:
                    del self.left[name]
            return DEFAULT
        columns = ALL_COLUMNS if is_table(key) else DEFAULT.columns
        return Selection(data=key, params=self._params("", declared), columns=columns)

    def _upload(self) -> Selection:
        name, digest = self.left.pop("file", ""), self.left.pop("digest", "")
        rows = self._param("rows", ROWS)
        target = self.left.pop("target", None)
        share = self.left.pop("share", None)
        if share is not None and not (name and digest and rows):
            found = self.shared(share)
            if found is None:
                sentence = (
                    "This code does not exist or has expired; the first scene is shown instead."
                )
                self._problem(t(sentence))
                return DEFAULT
            return Selection(data=UPLOAD, upload=found, target=target)
        if not (name and digest and rows):
            self._problem(t("The link names no file; the first scene is shown instead."))
            return DEFAULT
        upload = Upload(digest, name, rows, share)
        return Selection(data=UPLOAD, upload=upload, target=target, columns=ALL_COLUMNS)

    def _models(self) -> tuple[Model, ...]:
        places = [place for place in PLACES if "m" + place in self.left]
        models = [self._model(place) for place in places]
        models = [model for model in models if model is not None]
        if not models:
            models = [
                replace(model, **self._picked(place), edits=self._edits(EDITS + place))
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
            self.left.pop(EDITS + place, None)
            return None
        params = self._params(f"m{place}.", declared)
        return Model(key, params, **self._picked(place), edits=self._edits(EDITS + place))

    def _regressor(self) -> Model:
        params = self._params(OF_NUMBERS, REGRESSOR.cls.PARAMS)
        node = self._param(OF_NUMBERS + "node", PICKED["node"])
        return Model(REGRESSOR.key, params, node, edits=self._edits(OF_NUMBERS + EDITS))

    def _edits(self, key: str) -> Edits:
        if key not in self.left:
            return ()
        edits, dropped = read_edits(self.left.pop(key)[:MOST_LETTERS])
        if dropped:
            sentence = (
                "The link's {key} has {parts}, which is not an edit or one too many (at most {n}, "
                "one of a kind at a node); the others were made."
            )
            parts = _short(", ".join(f"“{part}”" for part in dropped))
            self._problem(t(sentence, key=key, parts=parts, n=MOST_EDITS))
        return edits

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
                pairs = with_param(pairs, param, value)
        return pairs

    def _param(self, key: str, param: Param) -> object:
        """Checked value of `key`, the default if it is absent or wrong."""
        if key not in self.left:
            return param.default
        text = self.left.pop(key)
        try:
            return param.check(_read(param, text))
        except (ValueError, OverflowError):
            if isinstance(param.choices, Offered) and text not in CRITERIA:
                self._absent((text,))
            sentence = "The link has {key}={text}, but {key} must be {legal}; {default} is used."
            values = {
                "key": key,
                "text": _short(text),
                "legal": translate(param.legal(in_link=True)),
            }
            problem = t(sentence, default=_write(param.default), **values)
            if param.meaning:
                problem += " " + t("{key}: {meaning}.", key=key, meaning=t(param.meaning))
            self._problem(problem)
            return param.default

    def _absent(self, names: tuple[str, ...]) -> None:
        """Say which criteria are not here, and how they would be."""
        for name in names:
            sentence = t(
                "The link asks for the criterion “{name}”, which is not here; a module that "
                "registers it can be named in {variable}.",
                name=_short(name),
                variable=VARIABLE,
            )
            self._problem(sentence)

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


# The check of `param` then names the range.
def _read(param: Param, text: str) -> object:
    """Value of `text` in the type of `param`, or `text` unchanged if it does not fit."""
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
