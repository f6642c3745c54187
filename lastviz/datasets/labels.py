"""Labels of columns, values and classes: names, units, colours; for display alone.

A label changes no value and no order, so a tree is the same whatever its columns are called.
:func:`apply_labels` puts the labels in place of what they label.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal, Statement
from lastviz.tables.dates import DAYS

from .dataset import Dataset

MOST_LETTERS = 80  # of a label
MOST_LABELS = 20_000
COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")

Texts = Mapping[str, str]


@dataclass(frozen=True)
class Labels:
    """Labels of columns, units, values and classes."""

    # names, units: mapping of str to str, of columns; names of the class column, too
    names: Texts = field(default_factory=dict)
    units: Texts = field(default_factory=dict)
    # Of the values of columns (as text), those of the class column are its classes.
    values: Mapping[str, Texts] = field(default_factory=dict)
    # mapping of str to str, of classes (as text): "#RRGGBB".
    colours: Texts = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether anything is labelled."""
        return any(getattr(self, part.name) for part in fields(self))

    def over(self, other: Labels) -> Labels:
        """Labels of both; these take precedence."""
        columns = {**other.values, **self.values}
        return Labels(
            {**other.names, **self.names},
            {**other.units, **self.units},
            {c: {**other.values.get(c, {}), **self.values.get(c, {})} for c in columns},
            {**other.colours, **self.colours},
        )


def clean(text: object) -> str:
    """Label in one line, without signs that cannot be seen."""
    seen = (" " if c in "\t\r\n" else c for c in str(text))
    return " ".join("".join(c for c in seen if unicodedata.category(c)[0] != "C").split())


def labels_of(dataset: Dataset) -> Labels:
    """Labels that a data set carries."""
    units = {c: unit for c, unit in dataset.units.items() if unit}
    return Labels(dataset.labels, units, dataset.value_labels, dataset.class_colours)


def with_labels(dataset: Dataset, labels: Labels) -> Dataset:
    """Data set with labels, beside those that it has; unknown columns do not count."""
    if not labels:
        return dataset
    both = labels.over(labels_of(dataset))
    dates = {c: unit for c, unit in dataset.units.items() if unit == DAYS}  # it says what they are
    units = {c: both.units.get(c, "") for c in dataset.units} | dates
    return _exchanged(
        dataset,
        labels=both.names,
        units=units,
        value_labels=both.values,
        class_colours=both.colours,
    )


def apply_labels(dataset: Dataset) -> Dataset:
    """Data with labels in place of columns, values and classes.

    Rows, order of columns, values and classes, and so their codes, are the same. Where two
    would be called alike what they are stands behind the label. Levels of an ordinal feature
    that are numbers stay those numbers: trees count with them.
    """
    if not (dataset.labels or dataset.value_labels or dataset.class_colours):
        return dataset
    target = str(dataset.y.name)
    raw = [*dataset.feature_names, target]
    *shown, target_shown = _called(raw, dataset.labels)
    names = dict(zip(dataset.feature_names, shown, strict=True))
    X, orders = dataset.X.copy(deep=False), {}
    for column, order in dataset.orders.items():
        counted = dataset.kinds[column] == "ordinal" and not all(isinstance(v, str) for v in order)
        called = _called(order, {} if counted else dataset.value_labels.get(column, {}))
        if called != tuple(order):
            X[column] = X[column].cat.rename_categories(list(called))
        orders[names[column]] = called
    X.columns = pd.Index(shown)
    classes = _called(dataset.class_order, dataset.value_labels.get(target, {}))
    y = dataset.y
    if classes != dataset.class_order:
        y = pd.Series(np.array(classes, dtype=object)[dataset.codes]).astype("str")
    both = zip(dataset.class_order, classes, strict=True)
    colours = {
        called: dataset.class_colours[str(label)]
        for label, called in both
        if str(label) in dataset.class_colours
    }
    parts = {
        part: {names[c]: value for c, value in getattr(dataset, part).items()}
        for part in ("kinds", "directions", "units")
    }
    return _exchanged(
        dataset,
        X=X,
        y=y.rename(target_shown),
        orders=orders,
        class_order=classes,
        labels={},
        value_labels={},
        class_colours={str(name): colour for name, colour in colours.items()},
        **parts,
    )


def legend(dataset: Dataset) -> list[str]:
    """Labels of columns, values and classes, one line each: "A1 = 2: rented".

    How the columns were read from a file follows, if they were.
    """
    labels, target = labels_of(dataset), str(dataset.y.name)
    lines = []
    for column in (*dataset.feature_names, target):
        name, unit = labels.names.get(column), labels.units.get(column)
        if name or unit:
            lines.append(f"{column}: {name or column}{f' ({unit})' if unit else ''}")
        known = dataset.class_order if column == target else dataset.orders.get(column, ())
        of = labels.values.get(column, {})
        lines += [f"{column} = {value}: {of[str(value)]}" for value in known if str(value) in of]
    read = dataset.reading.in_words(dataset.feature_names)
    lines += ["How the columns were read:", *read] if read else []
    return [clean(line) for line in lines]


def _called(things: Iterable[object], labels: Texts) -> tuple:
    """Labels of some things, made unique.

    Where none has a label these are the things themselves.
    """
    things = tuple(things)
    if not any(str(thing) in labels for thing in things):
        return things
    called = [labels.get(str(thing), str(thing)) for thing in things]
    often = {name for name, n in Counter(called).items() if n > 1}
    return tuple(
        f"{name} ({thing})" if name in often and name != str(thing) else name
        for name, thing in zip(called, things, strict=True)
    )


# The sidecar: what a JSON file says of a table


def read_sidecar(data: bytes, name: str = "the sidecar") -> tuple[dict, Labels]:
    """Description of a table and its labels, from a JSON file.

    Its form is that of :mod:`lastviz.datasets.folder`.

    Raises
    ------
    ValueError
        If it is no JSON or not of that form; the message names the place.
    """
    try:
        described = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Refusal(
            "{name} is not valid JSON ({error}); correct it", name=name, error=error
        ) from None
    if not isinstance(described, dict) or not isinstance(described.get("features", {}), dict):
        raise Refusal("{name} must hold an object with an object 'features'", name=name)
    return described, _labels_in(described, name)


def _labels_in(described: dict, name: str) -> Labels:
    features = described.get("features", {})
    for column, about in features.items():
        _check(isinstance(about, dict), name, f"features.{column}", Statement("an object"))
    target = described.get("target")
    classes = described.get("classes", {})
    _check(isinstance(classes, dict), name, "classes", Statement("an object"))
    for label, about in classes.items():
        _check(isinstance(about, dict), name, f"classes.{label}", Statement("an object"))
    names = {c: about["label"] for c, about in features.items() if about.get("label")}
    values = {c: about["values"] for c, about in features.items() if about.get("values")}
    for column, labelled in values.items():
        _check(
            isinstance(labelled, dict), name, f"features.{column}.values", Statement("an object")
        )
    of_classes = {label: about["label"] for label, about in classes.items() if about.get("label")}
    if target and described.get("target_label"):
        names[str(target)] = described["target_label"]
    if of_classes:
        _check(bool(target), name, "target", Statement("the name of the class column"))
        values[str(target)] = of_classes
    colours = {label: about["colour"] for label, about in classes.items() if about.get("colour")}
    units = {c: about["unit"] for c, about in features.items() if about.get("unit")}
    return checked_labels(Labels(names, units, values, colours), name)


def _check(fits: bool, name: str, place: str, what: str) -> None:
    if not fits:
        raise Refusal("{name}: {place!r} must be {what}", name=name, place=place, what=what)


def checked_labels(labels: Labels, name: str = "the labels") -> Labels:
    """Labels in one line each, without empty ones.

    Raises
    ------
    ValueError
        If one is no text or too long, a colour is none, or there are too many.
    """
    for label, colour in labels.colours.items():
        fits = COLOUR.fullmatch(str(colour)) is not None
        _check(fits, name, f"classes.{label}.colour", Statement("a colour such as #0072B2"))
    found = Labels(
        _cleaned(labels.names, name, new=True),
        _cleaned(labels.units, name),
        {str(c): of for c, each in labels.values.items() if (of := _cleaned(each, name, new=True))},
        {str(label): str(colour).upper() for label, colour in labels.colours.items()},
    )
    if sum(map(len, found.values.values())) + len(found.names) > MOST_LABELS:
        raise Refusal(
            "{name}: at most {most:,} labels are possible",
            name=name,
            most=MOST_LABELS,
        )
    return found


def _cleaned(texts: Texts, name: str, *, new: bool = False) -> dict[str, str]:
    """Labels without empty ones; `new`: nor those equal to the thing they label."""
    found = {}
    for key, text in texts.items():
        if not isinstance(text, str | int | float):
            raise Refusal("{name}: the label of {key!r} must be a text", name=name, key=key)
        label = clean(text)
        if len(label) > MOST_LETTERS:
            raise Refusal(
                "{name}: the label of {key!r} has {n} letters; at most {most} "
                "are possible, so shorten it",
                name=name,
                key=key,
                n=len(label),
                most=MOST_LETTERS,
            )
        if label and not (new and label == str(key)):
            found[str(key)] = label
    return found


def sidecar_of(dataset: Dataset) -> bytes:
    """JSON sidecar of a table: its columns and classes as far as they are known."""
    target, labels = str(dataset.y.name), labels_of(dataset)
    features = {}
    for column, kind in dataset.kinds.items():
        about: dict[str, object] = {"kind": kind}
        if kind == "ordinal":
            about["order"] = list(dataset.orders[column])
        if dataset.directions[column]:
            about["direction"] = dataset.directions[column]
        parts = {"label": labels.names, "unit": labels.units, "values": labels.values}
        about |= {part: found[column] for part, found in parts.items() if found.get(column)}
        features[column] = about
    described: dict[str, object] = {"target": target}
    if labels.names.get(target):
        described["target_label"] = labels.names[target]
    if dataset.ordered:
        described["class_order"] = list(dataset.class_order)
    classes = {}
    for label in map(str, dataset.class_order):
        parts = {"label": labels.values.get(target, {}), "colour": labels.colours}
        classes[label] = {part: found[label] for part, found in parts.items() if label in found}
    classes = {label: about for label, about in classes.items() if about}
    described |= {"classes": classes} if classes else {}
    described["features"] = features
    return json.dumps(described, ensure_ascii=False, indent=1).encode()


def _exchanged(dataset: Dataset, **parts: object) -> Dataset:
    """Copy with some fields exchanged, unchecked: they are other names of the same."""
    made = object.__new__(Dataset)
    made.__dict__.update({each.name: getattr(dataset, each.name) for each in fields(Dataset)})
    made.__dict__.update(parts)
    return made
