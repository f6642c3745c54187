"""What models are called: by their algorithm and, where two share it, by what tells them apart."""

from __future__ import annotations

from lastviz._params import Param, defaults
from lastviz.estimators import entry_of
from lastviz.ui.compute import cache
from lastviz.ui.compute.numbers import title_of_numbers
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, plural, t

from .widgets import value_words


def model_title(selection: Selection, place: int) -> str:
    """Return what the model at `place` is called among those of `selection`.

    Models of one algorithm are told apart by the parameters in which they differ, equal ones by
    a number.
    """
    model = selection.models[place]
    title = t(entry_of(model.key).title)
    alike = [i for i, other in enumerate(selection.models) if other.key == model.key]
    if len(alike) == 1:
        return title
    declared = entry_of(model.key).cls.PARAMS
    values = [defaults(declared) | dict(selection.models[i].params) for i in alike]
    own = values[alike.index(place)]
    parts = [
        t("{param}: {value}", param=_label(param), value=value_words(param, own[param.name]))
        for param in declared
        if any(other[param.name] != own[param.name] for other in values)
    ]
    edits = [selection.models[i].edits for i in alike]
    if any(other != model.edits for other in edits):
        n = len(model.edits)
        parts.append(plural(n, "{n} edit", "{n} edits") if n else t("no edits"))
    equal = [
        i
        for i, other, made in zip(alike, values, edits, strict=True)
        if other == own and len(made) == len(model.edits)
    ]
    if len(equal) > 1:
        parts.append(t("no. {n}", n=number(equal.index(place) + 1)))
    return t("{title} ({parts})", title=title, parts=t(", ").join(parts))


def scene_names(selection: Selection) -> list[str]:
    """Return what the data of `selection` are called, then each of its models."""
    dataset, places = cache.data(selection).dataset, range(len(selection.models))
    if dataset.is_regression:
        return [t(dataset.name), *([title_of_numbers(selection)] if places else [])]
    return [t(dataset.name), *(model_title(selection, place) for place in places)]


def _label(param: Param) -> str:
    label = t(param.label or param.name)
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
