"""The data sets of a study: how choosers name them, where they come from, the scene of a cell."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from lastviz.datasets import PAINTED, Dataset, all_datasets, load_dataset, to_csv
from lastviz.datasets.entry import FROM_OPENML
from lastviz.estimators import REGRESSORS
from lastviz.host import visitor
from lastviz.host.store import Upload
from lastviz.studies.study import TABLE, AlgorithmChoice, DataChoice, Study
from lastviz.ui.compute import cache, uploads
from lastviz.ui.compute.data import has_seed
from lastviz.ui.compute.studies import ask, ask_about
from lastviz.ui.state import session
from lastviz.ui.state.codec import SEED_NAME, decode, encode
from lastviz.ui.state.link_texts import ALL_COLUMNS
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Model, Selection
from lastviz.ui.text import CannotShow, number, t, translated

from .entries import Entry

MOST_ROWS = 100_000  # of a table that is kept for a study
OWN = "upload."  # and of a file of the visitor's

Handed = dict[str, tuple[Dataset, str]]
"""Tables by key, each with the link to the scene that shows it."""


def present_entry(selection: Selection) -> Entry:
    """Return the data of the scene as a data set of a study."""
    plain = Selection(data=selection.data, params=selection.params, seed=selection.seed)
    entry = all_datasets().get(selection.data)
    same = all(
        selection.value(name) == plain.value(name) for name in cache.OF_THE_DATA if name != "params"
    )
    if entry is not None and entry.group != FROM_OPENML and selection.data != PAINTED and same:
        return data_entry(selection.data, selection.seed, selection.params)
    return Entry(TABLE + cache.data(selection).dataset.digest)


def data_entry(key: str, seed: int, params: tuple = ()) -> Entry:
    """Return a data set of the registry, a generated one by this seed."""
    own = ((SEED_NAME, seed),) if has_seed(key) else ()
    return Entry(key, tuple(sorted((*params, *own))))


def set_title(entry: Entry, selection: Selection, study: Study | None = None) -> str:
    """Return what a data set is called in choosers."""
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
    if entry == present_entry(selection):
        return t("{name} · as in the scene", name=cache.data(selection).dataset.name)
    return t("a table of an earlier study")


def _upload_of(entry: Entry) -> Upload | None:
    return next((u for u in uploads.names() if OWN + u.digest == entry.key), None)


def resolved(entry: Entry, selection: Selection) -> tuple[DataChoice, Handed]:
    """Return the data set as a study names it, and the table that it needs, with its scene.

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
    elif entry == present_entry(selection):
        scene = selection
    else:
        return _stored_table(entry)
    dataset = cache.data(scene).dataset
    if dataset.n_samples > MOST_ROWS:
        raise CannotShow(_too_many_rows(dataset))
    bare = DEFAULT.having(**{name: scene.value(name) for name in (*cache.OF_THE_DATA, "seed")})
    link = urlencode(encode(bare, named=False))
    key = TABLE + dataset.digest
    return _choice(key, dataset, scene.upload), {key: (dataset, link)}


def _choice(key: str, dataset: Dataset, upload: Upload | None) -> DataChoice:
    """Return a table as a study file names it, so that it is found where the file is."""
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
    """Return a table that was kept for an earlier study of the visitor."""
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
    """Return a data set of a study: the table that is kept for it, or the registry's.

    Raises
    ------
    CannotShow
        If it is not here (any more).
    """
    given = ask_about(study_id, lambda line: line.given(study_id, [choice.key])).get(choice.key)
    try:
        return given or load_dataset(choice.key, **dict(choice.params))
    except (ValueError, OSError) as error:
        raise CannotShow(translated(error)) from error


def _scene_of(link: str) -> Selection:
    return decode(dict(parse_qsl(link)), session.data_params, session.model_params)[0]


def scene_of_cell(
    choice: DataChoice, algorithm: AlgorithmChoice, selection: Selection, link: str
) -> Selection:
    """Return the scene that shows a cell of a study: its data, and its algorithm, one of ours."""
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
    """Return parameters without the seed, which a scene has once."""
    return tuple(sorted((name, value) for name, value in pairs if name != SEED_NAME))


def scene_of_table(dataset: Dataset, scene: Selection) -> Selection:
    """Return a scene of a table that a study keeps, as a file of the visitor; its models stay."""
    name = f"{dataset.name or 'table'}.csv"
    upload = uploads.keep(name, to_csv(dataset), dataset.n_samples)
    own = Selection(
        data=UPLOAD, upload=upload, target=str(dataset.y.name), columns=ALL_COLUMNS, seed=scene.seed
    )
    return own.having(models=scene.models, numbers=scene.numbers)
