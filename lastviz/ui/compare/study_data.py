"""The data sets of a study: how choosers name them, where they come from, the scene of a cell."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from urllib.parse import parse_qsl, unquote, urlencode

from lastviz._params import Param, defaults
from lastviz.datasets import PAINTED, Dataset, all_datasets, load_dataset, to_csv
from lastviz.datasets.openml import FROM_OPENML
from lastviz.estimators import REGRESSORS
from lastviz.host import visitor
from lastviz.host.store import Upload
from lastviz.studies.study import TABLE, AlgorithmChoice, DataChoice, Study
from lastviz.ui.compute import uploads
from lastviz.ui.compute.data import has_seed
from lastviz.ui.compute.selected import OF_THE_DATA
from lastviz.ui.compute.studies import ask, ask_about
from lastviz.ui.compute.work import Work, work_of
from lastviz.ui.shared.widgets import choice_title
from lastviz.ui.state import session
from lastviz.ui.state.codec import SEED_NAME, decode, encode
from lastviz.ui.state.link_texts import ALL_COLUMNS
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Model, Selection
from lastviz.ui.text import CannotShow, number, t, translate

UNLABELLED = "unlabelled"
MOST_VALUES = 20  # of a parameter that is chosen

Pairs = tuple[tuple[str, object], ...]


@dataclass(frozen=True)
class Entry:
    """An algorithm or a data set, with its departures from the defaults."""

    key: str
    params: Pairs = ()  # tuple of (str, value)
    grid: tuple[tuple[str, tuple], ...] = ()  # values to choose among
    unlabelled: bool = False  # whether the rows held out take part without their classes

    @property
    def text(self) -> str:
        """The text that :func:`entry_of_text` reads."""
        parts = [_quoted(self.key), *(f"{name}={_written(value)}" for name, value in self.params)]
        parts += [f"{name}={'|'.join(map(_written, values))}" for name, values in self.grid]
        return "~".join([*parts, *([f"{UNLABELLED}=true"] if self.unlabelled else [])])

    def points(self) -> list[Entry]:
        """Entry for each combination of the values that can be chosen among."""
        names = [name for name, _ in self.grid]
        every = product(*(values for _, values in self.grid))
        own = ({**dict(self.params), **dict(zip(names, values, strict=True))} for values in every)
        return [Entry(self.key, tuple(sorted(each.items())), (), self.unlabelled) for each in own]


def _quoted(key: str) -> str:
    """Key, which may be the name of a file, without the signs that part texts."""
    return "".join(f"%{ord(sign):02X}" if sign in "%,~|=" else sign for sign in key)


def key_of_text(text: str) -> str:
    """Key that the text of an entry begins with."""
    return unquote(text.partition("~")[0])


def entry_of_text(text: str, declared: Sequence[Param]) -> Entry:
    """Entry that a text says.

    Raises
    ------
    ValueError
        If a parameter is unknown or illegal; the sentence names it.
    """
    key, parts = key_of_text(text), text.split("~")[1:]
    known = {param.name: param for param in declared}
    params, grid, unlabelled = [], [], False
    for part in parts:
        name, _, value = part.partition("=")
        if name == UNLABELLED and name not in known:
            unlabelled = value == "true"
        elif name not in known:
            raise ValueError(t("“{key}” has no parameter “{name}”.", key=key, name=name[:40]))
        elif "|" in value:
            grid.append((name, tuple(_value(known[name], one) for one in value.split("|"))))
        else:
            params.append((name, _value(known[name], value)))
    return Entry(key, tuple(sorted(params)), tuple(sorted(grid)), unlabelled)


def read_values(param: Param, text: str) -> tuple:
    """Values that a reader typed with commas between them, each once.

    Raises
    ------
    ValueError
        If one is illegal, or there are too many.
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    if len(words) > MOST_VALUES:
        sentence = "At most {n} values can be offered here."
        raise ValueError(t(sentence, n=MOST_VALUES))
    return tuple(dict.fromkeys(_value(param, word) for word in words))


def entry_name(title: str, own: Entry, others: Sequence[Entry], declared: Sequence[Param]) -> str:
    """Name of an entry: its title, and the differences from others of its key."""
    alike = [other for other in others if other.key == own.key and other != own]
    parts = []
    usual = defaults(declared)
    for param in declared:
        name, default = param.name, usual[param.name]
        values = [dict(each.grid).get(name, (dict(each.params).get(name, default),))
                  for each in (own, *alike)]  # fmt: skip
        if any(value != values[0] for value in values):
            words = t(", ").join(_value_words(value) for value in values[0])
            label = t(param.label or param.name)
            label = label[:1].lower() + label[1:] if label[1:2].islower() else label
            parts.append(t("{param}: {value}", param=label, value=words))
    if own.unlabelled:
        parts.append(t("sees test rows without classes"))
    return t("{title} ({parts})", title=title, parts=t(", ").join(parts)) if parts else title


def distinct(title: str, taken: Collection[str]) -> str:
    """Title, with a number behind it where it is `taken`."""
    n, found = 1, title
    while found in taken:
        n += 1
        found = t("{name} ({n})", name=title, n=n)
    return found


def _value_words(value: object) -> str:
    if value is None:
        return t("none")
    if isinstance(value, bool):
        return t("yes") if value else t("no")
    return choice_title(value) if isinstance(value, str) else number(value)


def _written(value: object) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _value(param: Param, text: str) -> object:
    value: object = text
    if param.none and text in ("none", param.none_word):
        return None
    if param.kind is bool:
        value = {"true": True, "false": False}.get(text, text)
    elif param.kind is not str and text not in param.choices:
        try:
            value = param.kind(text)
        except ValueError:
            value = text
    try:
        return param.check(value)
    except (ValueError, OverflowError):
        sentence = "{name} must be {legal}, got “{text}”."
        label = t(param.label or param.name)
        raise ValueError(
            t(sentence, name=label, legal=translate(param.legal(in_link=True)), text=text[:40])
        ) from None


# ---------------------------------------------------------------- study data


MOST_ROWS = 100_000  # of a table that is kept for a study
OWN = "upload."  # and of a file of the visitor's

Handed = dict[str, tuple[Dataset, str]]
"""Tables by key, each with the link to the scene that shows it."""


def present_entry(work: Work) -> Entry:
    """Data of the scene as a data set of a study."""
    plain = Selection(
        data=work.selection.data, params=work.selection.params, seed=work.selection.seed
    )
    entry = all_datasets().get(work.selection.data)
    same = all(
        work.selection.value(name) == plain.value(name) for name in OF_THE_DATA if name != "params"
    )
    if entry is not None and entry.group != FROM_OPENML and work.selection.data != PAINTED and same:
        return data_entry(work.selection.data, work.selection.seed, work.selection.params)
    return Entry(TABLE + work.dataset.digest)


def data_entry(key: str, seed: int, params: tuple = ()) -> Entry:
    """Data set of the registry, a generated one by this seed."""
    own = ((SEED_NAME, seed),) if has_seed(key) else ()
    return Entry(key, tuple(sorted((*params, *own))))


def set_title(entry: Entry, work: Work, study: Study | None = None) -> str:
    """Title of a data set in choosers."""
    if study is not None:
        for choice in study.datasets:
            if (choice.key, tuple(sorted(choice.params))) == (entry.key, entry.params):
                return choice.name
    known = all_datasets().get(entry.key)
    if known is not None:
        return t(known.title)
    upload = _upload_of(entry)
    if upload is not None:
        return t("{name} · your file", name=upload.name)
    if entry == present_entry(work):
        return t("{name} · as in the scene", name=work.dataset.name)
    return t("a table of an earlier study")


def _upload_of(entry: Entry) -> Upload | None:
    return next((u for u in uploads.names() if OWN + u.digest == entry.key), None)


def resolve_data(entry: Entry, work: Work) -> tuple[DataChoice, Handed]:
    """Data set as a study names it, and the table that it needs, with its scene.

    Raises
    ------
    CannotShow
        If it is not here (any more).
    """
    known = all_datasets().get(entry.key)
    if known is not None and known.group != FROM_OPENML:
        return DataChoice(entry.key, entry.params, t(known.title)), {}
    upload = _upload_of(entry)
    if known is not None:
        scene = Selection(data=entry.key)
    elif upload is not None:
        scene = Selection(data=UPLOAD, upload=upload)
    elif entry == present_entry(work):
        scene = work.selection
    else:
        return _stored_table(entry)
    dataset = work_of(scene).dataset
    if dataset.n_samples > MOST_ROWS:
        raise CannotShow(_too_many_rows(dataset))
    bare = DEFAULT.having(**{name: scene.value(name) for name in (*OF_THE_DATA, "seed")})
    link = urlencode(encode(bare, named=False))
    key = TABLE + dataset.digest
    return _choice(key, dataset, scene.upload), {key: (dataset, link)}


def _choice(key: str, dataset: Dataset, upload: Upload | None) -> DataChoice:
    """Table as a study file names it, so that it is found where the file is."""
    if upload is None:
        return DataChoice(key, (), dataset.name)
    target, columns = str(dataset.y.name), dataset.feature_names
    table = (("file", upload.name), ("target", target), ("columns", columns))
    return DataChoice(key, (), dataset.name, table)


def _too_many_rows(dataset: Dataset) -> str:
    sentence = "{name} has {n} rows; studies here take tables of at most {most}: use {command}."
    return t(
        sentence,
        name=dataset.name,
        n=number(dataset.n_samples),
        most=number(MOST_ROWS),
        command="python -m lastviz.studies run study.toml",
    )


def _stored_table(entry: Entry) -> tuple[DataChoice, Handed]:
    """Table that was kept for an earlier study of the visitor."""
    token = visitor.token()
    found = ask(lambda line: line.table_of(entry.key, token)) if token else None
    if found is None:
        raise CannotShow(
            t("A table of this study is not available here: remove it from the data sets.")
        )
    dataset, scene = found
    upload = _scene_of(scene).upload
    return _choice(entry.key, dataset, upload), {entry.key: (dataset, scene)}


def dataset_of(study_id: str, choice: DataChoice) -> Dataset:
    """Data set of a study: the table that is kept for it, or the registry's.

    Raises
    ------
    CannotShow
        If it is not here (any more).
    """
    given = ask_about(study_id, lambda line: line.given(study_id, [choice.key])).get(choice.key)
    try:
        return given or load_dataset(choice.key, **dict(choice.params))
    except (ValueError, OSError) as error:
        raise CannotShow(translate(error)) from error


def _scene_of(link: str) -> Selection:
    return decode(dict(parse_qsl(link)), session.data_params, session.model_params)[0]


def scene_of_cell(
    choice: DataChoice, algorithm: AlgorithmChoice, selection: Selection, link: str
) -> Selection:
    """Scene that shows a cell of a study: its data, and its algorithm, one of ours."""
    if choice.key.startswith(TABLE):
        scene = _scene_of(link)
    else:
        params = dict(choice.params)
        seed = params.pop(SEED_NAME, selection.seed)
        scene = Selection(data=choice.key, params=tuple(sorted(params.items())), seed=seed)
    if algorithm.key in REGRESSORS:
        return scene.having(numbers=plain_params(algorithm.params))
    return scene.having(
        models=(Model(algorithm.key, plain_params(algorithm.params)),),
        unlabelled=algorithm.unlabelled,
    )


def plain_params(pairs: tuple) -> tuple:
    """Parameters without the seed, which a scene has once."""
    return tuple(sorted((name, value) for name, value in pairs if name != SEED_NAME))


def scene_of_table(dataset: Dataset, scene: Selection) -> Selection:
    """Scene of a table that a study keeps, as a file of the visitor; its models stay."""
    name = f"{dataset.name or 'table'}.csv"
    upload = uploads.keep(name, to_csv(dataset), dataset.n_samples)
    own = Selection(
        data=UPLOAD, upload=upload, target=str(dataset.y.name), columns=ALL_COLUMNS, seed=scene.seed
    )
    return own.having(models=scene.models, regressor=scene.regressor)
