"""The study that a reader puts together: from entries of the selection to a plan, and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lastviz._params import Param
from lastviz.datasets import all_datasets
from lastviz.estimators import REGRESSORS, is_imported
from lastviz.studies.candidates import PEERS, candidates, takes_unlabelled, title_of
from lastviz.studies.study import TABLE, AlgorithmChoice, DataChoice, Study, study_of
from lastviz.ui.compute import cache
from lastviz.ui.compute.studies import MOST_FOLDS
from lastviz.ui.state import session
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.selection import FIELDS, Selection
from lastviz.ui.text import CannotShow, number, t, translated

from .entries import Entry, distinct, entry_of_text, key_of_text, named
from .study_data import OWN, Handed, plain_params, present_entry, resolved

NOTHING = "none"  # stands in a link for nothing, where nothing stands for what the scene has
CHOSEN = ("compared", "compared_on", "protocol", "repeats", "study_folds", "inner_folds")
NOTHING_CHOSEN = {name: FIELDS[name].default for name in CHOSEN}
"""Fields that say what is put together, as they are where a study is open, which says it all."""


@dataclass(frozen=True)
class Draft:
    """What a study is to be."""

    algorithms: tuple[Entry, ...]
    datasets: tuple[Entry, ...]
    protocol: str
    repeats: int
    folds: int
    inner_folds: int
    seed: int
    problems: tuple[str, ...] = ()  # a sentence for each part that could not be read
    is_open: bool = False  # whether it is that of a study that is open

    def fields(self, parts: Iterable[str]) -> dict[str, object]:
        """Return the fields of a selection that say these parts, all of them of an open study."""
        values = {
            "algorithms": ("compared", tuple(e.text for e in self.algorithms) or (NOTHING,)),
            "datasets": ("compared_on", tuple(e.text for e in self.datasets) or (NOTHING,)),
            "protocol": ("protocol", self.protocol),
            "repeats": ("repeats", self.repeats),
            "folds": ("study_folds", self.folds),
            "inner_folds": ("inner_folds", self.inner_folds),
            "seed": ("seed", self.seed),
        }
        wanted = values if self.is_open else parts
        return dict(values[part] for part in wanted) | {"study": ""}

    def names(self) -> list[str]:
        """Return what its algorithms are called."""
        return [
            named(t(title_of(e.key)), e, self.algorithms, algorithm_params(e.key))
            for e in self.algorithms
        ]


def algorithm_params(key: str) -> tuple[Param, ...]:
    """Return the parameters of an algorithm that a reader may set."""
    declared = PEERS[key].PARAMS if key in PEERS else _own_params(key)
    return tuple(param for param in declared if param.name != SEED_NAME)


def _own_params(key: str) -> tuple[Param, ...]:
    if key in REGRESSORS:
        return REGRESSORS[key].cls.PARAMS
    return session.model_params(key) or ()


def draft_of(selection: Selection, study: Study | None) -> Draft:
    """Return what the sidebar shows: the study that is open, or the one that is put together."""
    if study is not None:
        return Draft(
            tuple(Entry(a.key, a.params, a.grid, a.unlabelled) for a in study.algorithms),
            tuple(Entry(d.key, d.params) for d in study.datasets),
            *(study.protocol, study.repeats, study.folds, study.inner_folds, study.seed),
            is_open=True,
        )
    problems: list[str] = []
    view = selection.compare
    algorithms = [_algorithm(text, problems) for text in view.compared if text != NOTHING]
    datasets = [_dataset(text, problems) for text in view.compared_on if text != NOTHING]
    return Draft(
        _known(algorithms) if view.compared else scene_entries(selection),
        _known(datasets) if view.compared_on else (present_entry(selection),),
        *(view.protocol, view.repeats, view.study_folds, view.inner_folds, selection.seed),
        tuple(problems),
    )


def _known(entries: list[Entry | None]) -> tuple[Entry, ...]:
    return tuple(dict.fromkeys(entry for entry in entries if entry is not None))


def scene_entries(selection: Selection) -> tuple[Entry, ...]:
    """Return the models of the scene as algorithms of a study, each once."""
    if cache.data(selection).dataset.is_regression:
        return (Entry(next(iter(REGRESSORS)), plain_params(selection.numbers)),)
    own = (model for model in selection.models if not is_imported(model.key))
    return tuple(dict.fromkeys(Entry(model.key, plain_params(model.params)) for model in own))


def _algorithm(text: str, problems: list[str]) -> Entry | None:
    key = key_of_text(text)
    if key not in candidates():
        problems.append(t("There is no algorithm “{key}”.", key=key[:40]))
        return None
    return _tried(text, algorithm_params(key), problems)


def _dataset(text: str, problems: list[str]) -> Entry | None:
    key = key_of_text(text)
    if key.startswith((TABLE, OWN)):
        return Entry(key)
    entry = all_datasets().get(key)
    if entry is None:
        problems.append(t("There is no data set “{key}”.", key=key[:40]))
        return None
    return _tried(text, entry.PARAMS, problems)


def _tried(text: str, declared: tuple[Param, ...], problems: list[str]) -> Entry | None:
    try:
        return entry_of_text(text, declared)
    except ValueError as error:
        problems.append(translated(error))
        return None


def study_of_draft(draft: Draft, selection: Selection) -> tuple[Study, Handed]:
    """Return the study, and its tables by key, each with the scene that shows it.

    Raises
    ------
    CannotShow
        In one sentence: nothing chosen, too much, a data set that is not here.
    """
    if not draft.algorithms:
        raise CannotShow(t("Choose at least one algorithm at the left."))
    if not draft.datasets:
        raise CannotShow(t("Choose at least one data set at the left."))
    tables, choices = {}, []
    for entry in draft.datasets:
        choice, own = resolved(entry, selection)
        tables |= own
        choices.append(choice)
    if draft.protocol == "fixed":
        points = (point for entry in draft.algorithms for point in entry.points())
        draft = replace(draft, algorithms=tuple(dict.fromkeys(points)))
    algorithms = tuple(
        AlgorithmChoice(e.key, e.params, e.grid, name, e.unlabelled and takes_unlabelled(e.key))
        for e, name in zip(draft.algorithms, draft.names(), strict=True)
    )
    _check_size(draft, algorithms)
    names = [choice.name for choice in algorithms]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise CannotShow(
            t("Two algorithms are called “{name}”; give one of them other parameters.", name=twice)
        )
    study = Study(
        _name(algorithms, choices),
        algorithms,
        _with_distinct_names(choices, draft.datasets),
        *(draft.repeats, draft.folds, draft.protocol, draft.inner_folds, draft.seed),
    )
    try:
        return study_of(study.to_toml(), tuple(tables)), tables
    except ValueError as error:
        raise CannotShow(translated(error)) from None


def _check_size(draft: Draft, algorithms: tuple[AlgorithmChoice, ...]) -> None:
    nested = draft.protocol == "nested"
    n_points = sum(1 if nested else len(a.points()) for a in algorithms)
    n = n_points * len(draft.datasets) * draft.repeats * draft.folds
    if n > MOST_FOLDS:
        raise CannotShow(
            t(
                "This study has {n} folds; this server takes at most {most}. Choose fewer, or save "
                "it as a file and run it with {command}.",
                n=number(n),
                most=number(MOST_FOLDS),
                command="python -m lastviz.studies run study.toml",
            )
        )


def _name(algorithms: tuple[AlgorithmChoice, ...], sets: list[DataChoice]) -> str:
    def first(names: list[str]) -> str:
        return t(", ").join(names[:3]) + (" …" if len(names) > 3 else "")

    names = list(dict.fromkeys(choice.name for choice in sets))
    return t(
        "{algorithms} on {sets}", algorithms=first([a.name for a in algorithms]), sets=first(names)
    )


def _with_distinct_names(
    choices: list[DataChoice], entries: tuple[Entry, ...]
) -> tuple[DataChoice, ...]:
    """Return data sets with names that differ: by what tells them apart, else by a number."""
    found: list[DataChoice] = []
    for choice, entry in zip(choices, entries, strict=True):
        known = all_datasets().get(choice.key)
        name = named(choice.name, entry, entries, known.PARAMS) if known else choice.name
        name = distinct(name, {other.name for other in found})
        found.append(replace(choice, name=name))
    return tuple(found)
