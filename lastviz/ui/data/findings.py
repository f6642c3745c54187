"""Findings of a first look at the data, in sentences, each with the possible actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.datasets import Dataset
from lastviz.datasets.report import Report, Suspect
from lastviz.plots.visuals.words import exact_number
from lastviz.tables import DATE_ORDERS, ENCODINGS, MERGED, QUOTES, SEPARATORS, ColumnFound, Found
from lastviz.ui.compute.data import columns_in_use
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.held_out import held_words
from lastviz.ui.state.selection import UPLOAD, Selection
from lastviz.ui.text import join_names, list_names, number, paragraph, percent, plural, t

MOST_NAMED = 5  # columns in one sentence
LEAVE_OUT, TAKE_BACK, AS_CLASS = "Leave out", "Undo", "Use as class"
HOLD_LAST = "Hold out the last rows"


@dataclass(frozen=True)
class Finding:
    """Something that a reader should know of the data before a tree learns from them."""

    sentence: str  # plain text
    # {"Leave out", "Undo", "Use as class", "Hold out the last rows"} or None.
    action: str | None = None
    columns: tuple[str, ...] = ()  # to which features


def findings(found: Report, full: Dataset, work: Work) -> list[Finding]:
    """Findings of a first look at the data, most important first."""
    names = full.feature_names
    used = {names[i] for i in columns_in_use(full, work.selection) if i < len(names)}
    return [
        *(_of_suspect(each, full, used) for each in found.suspects),
        *_left_out(found, full, used),
        *_rows(found, full, work.first.division),
        *_order(found, work),
        *_class(found, full, work.selection),
        *_uninformative(found, full, used),
    ]


def _of_suspect(suspect: Suspect, full: Dataset, used: set[str]) -> Finding:
    sentences = {
        "equal": "“{name}” is “{target}” itself and must not be used as a feature.",
        "recoded": "“{name}” is another name for “{target}”: each of its values is one class.",
        "decides": "“{name}” gives “{target}” away: each of its values occurs with one class only.",
        "predicts": "“{name}” alone nearly gives “{target}” away. Is it known before the class is?",
    }
    about = t(sentences[suspect.how], name=_called(suspect.name, full), target=_target(full))
    return _in_use(about, (suspect.name,), used)


def _in_use(sentence: str, columns: Sequence[str], used: set[str]) -> Finding:
    """Finding about columns that can be left out, or taken back if all of them are."""
    if used.isdisjoint(columns):
        return Finding(f"{sentence} {t('Left out.')}", TAKE_BACK, tuple(columns))
    return Finding(sentence, LEAVE_OUT, tuple(columns))


def _left_out(found: Report, full: Dataset, used: set[str]) -> list[Finding]:
    sentences = {
        "identifier": "Nearly every value is different in {names}, so a tree memorises rows.",
        "counter": "A number of the row will not hold for new rows: {names}.",
        "date": "Dates do not recur, so a split on one cannot generalise: {names}.",
        "too many": "More than 1,000 different values are more than a tree can use: {names}.",
    }
    out = []
    for reason, sentence in sentences.items():
        columns = [name for name, why in found.left_out.items() if why == reason]
        if columns:
            out.append(_in_use(t(sentence, names=_named(columns, full)), columns, used))
    return out


def _rows(found: Report, full: Dataset, divided: Division) -> list[Finding]:
    out, apart = [], []
    if found.left_out:
        sentence = "Not compared: {names}. A tree that uses them may tell these rows apart."
        apart.append(t(sentence, names=_named(list(found.left_out), full)))
    if found.n_contradicting:
        sentence = plural(
            found.n_contradicting,
            "{n} row ({share} %) contradicts another: alike in every feature, of another class.",
            "{n} rows ({share} %) contradict others: alike in every feature, of another class.",
            share=percent(found.n_contradicting / found.n_samples),
        )
        out.append(Finding(paragraph([sentence, *apart])))
    if found.n_repeated:
        sentence = plural(
            found.n_repeated,
            "{n} row ({share} %) repeats an earlier one, class included.",
            "{n} rows ({share} %) repeat an earlier one, class included.",
            share=percent(found.n_repeated / found.n_samples),
        )
        learnt, held = found.alike[divided.train_rows], found.alike[divided.held_out_rows]
        seen = int(np.isin(held, learnt).sum())
        parts = [sentence, *apart]
        if seen:
            twice = plural(
                seen,
                "{n} held-out row also occurs among the training rows.",
                "{n} held-out rows also occur among the training rows.",
            )
            parts.append(twice)
        out.append(Finding(paragraph(parts)))
    return out


def _order(found: Report, work: Work) -> list[Finding]:
    """Finding on rows that stand in the order of time or in blocks."""
    near = found.neighbours
    if near is None or not near.are_in_order:
        return []
    if rows := held_words(work):
        return [_held_out(rows)]
    return [
        Finding(
            t(
                "Neighbouring rows have the same class in {share} % of the pairs, any two rows in "
                "{chance} %: the rows may stand in the order of time, or in blocks. Rows held out "
                "at random may then look easier than later ones will be.",
                share=percent(near.n_alike / near.n_pairs),
                chance=percent(near.expected / near.n_pairs),
            ),
            HOLD_LAST,
        )
    ]


def _held_out(rows: str) -> Finding:
    """Finding on rows in an order that are held out by whole units."""
    sentence = "The rows stand in the order of time, or in blocks. Held out: {rows}."
    return Finding(t(sentence, rows=rows), TAKE_BACK)


def _class(found: Report, full: Dataset, selection: Selection) -> list[Finding]:
    out = []
    if found.is_rare:
        label, n = found.smallest
        out.append(
            Finding(
                t(
                    "The class “{label}” is rare: {rows}, {share} % of all. Accuracy hides how a "
                    "tree treats it: see each class on Rules, or balance the classes below.",
                    label=full.value_labels.get(str(full.y.name), {}).get(str(label), label),
                    rows=plural(n, "{n} row", "{n} rows"),
                    share=percent(n / found.n_samples),
                )
            )
        )
    if selection.data == UPLOAD:
        sentence = "“{name}” looks like a class column by its name; the target is now “{target}”."
        out += [
            Finding(t(sentence, name=_called(name, full), target=_target(full)), AS_CLASS, (name,))
            for name in found.other_targets
        ]
    return out


def _uninformative(found: Report, full: Dataset, used: set[str]) -> list[Finding]:
    """Findings about columns that can hardly help."""
    out = []
    if found.constant:
        sentence = "One value or none in all rows leaves nothing to split on: {names}."
        text = t(sentence, names=_named(found.constant, full))
        out.append(_in_use(text, found.constant, used))
    by_name = {column.name: column for column in found.columns}
    for name in found.nearly_constant[:MOST_NAMED]:
        column = by_name[name]
        sentence = "“{name}” is {value} in {share} % of the rows that have it."
        about = {"value": value_words(column.top), "share": percent(column.top_share)}
        out.append(_in_use(t(sentence, name=_called(name, full), **about), (name,), used))
    for name in found.sparse[:MOST_NAMED]:
        sentence = "“{name}” has {n} different texts: most of them say little about new rows."
        n = number(by_name[name].n_distinct)
        out.append(_in_use(t(sentence, name=_called(name, full), n=n), (name,), used))
    return out


def _called(name: str, full: Dataset) -> str:
    return full.labels.get(name, name)


def _target(full: Dataset) -> str:
    return _called(str(full.y.name), full)


def _named(columns: Sequence[str], full: Dataset) -> str:
    shown = [f"“{_called(name, full)}”" for name in columns[:MOST_NAMED]]
    more = len(columns) - len(shown)
    return join_names([*shown, t("{n} more", n=number(more))] if more else shown)


def value_words(value: object) -> str:
    """Value of a column as a sentence has it."""
    return f"“{value}”" if isinstance(value, str) else exact_number(value)


def task_words(found: Report, full: Dataset) -> str:
    """Sentence on the target of the data and the reason for its kind."""
    if not full.is_regression:
        return t("The target is a class: “{target}”.", target=_target(full))
    n = number(int(full.y.nunique()))
    sentence = (
        "The target is a number: “{target}” holds {n} different values, too many for classes."
    )
    return t(sentence, target=_target(full), n=n)


# ---- The reading recipe in words: one line that says how a file and its columns were read


MARKS = {".": "point", ",": "comma"}
_MOST_NAMED = 3  # columns of one kind


def recipe_words(found: Found) -> str:
    """Description of how a file was read: as a whole, then in single columns."""
    return " · ".join([*_of_file(found), *_of_columns(found)])


def _of_file(found: Found) -> Iterator[str]:
    yield found.kind
    if found.part is not None:
        yield found.part
    if found.separator is not None:
        yield t(SEPARATORS.get(found.separator, "“{mark}”"), mark=found.separator)
    if found.quotes not in (None, "double"):
        yield t("quotation marks: {way}", way=t(QUOTES[found.quotes]))
    yield t("decimal {mark}", mark=t(MARKS[found.decimal]))
    if found.encoding is not None:
        yield t(ENCODINGS.get(found.encoding, found.encoding))
    if found.header > 1:
        yield t("names in row {n}", n=found.header)
    if found.without:
        yield t("without rows {rows}", rows=", ".join(map(number, found.without)))


def _of_columns(found: Found) -> Iterator[str]:
    """Yield each special way of reading, with the first columns it applies to."""
    yield from _each(found, _missing)
    yield from _each(found, _dates)
    yield from _each(found, _decimal(found.decimal))
    yield from _each(found, _merged)


def _each(found: Found, words_of: Callable[[ColumnFound], str | None]) -> Iterator[str]:
    columns: dict[str, list[str]] = {}
    for column in found.columns:
        if words := words_of(column):
            columns.setdefault(words, []).append(column.name)
    for words, names in columns.items():
        yield t("{words} in {columns}", words=words, columns=list_names(names, _MOST_NAMED))


def _missing(column: ColumnFound) -> str | None:
    marks = column.reading.missing
    if marks is None:
        return t("missing: {marks}", marks=", ".join(column.gaps)) if column.gaps else None
    empty = t("empty cells alone")
    return t("missing: {marks}", marks=", ".join(marks) if marks else empty)


def _dates(column: ColumnFound) -> str | None:
    order, zone = column.reading.dates, column.reading.zone
    words = [] if order is None else [t(DATE_ORDERS[order])]
    words += [] if zone is None else [t("time zone {zone}", zone=zone)]
    return ", ".join(words) or None


def _decimal(usual: str) -> Callable[[ColumnFound], str | None]:
    def words(column: ColumnFound) -> str | None:
        mark = column.reading.decimal
        return None if mark in (None, usual) else t("decimal {mark}", mark=t(MARKS[mark]))

    return words


def _merged(column: ColumnFound) -> str | None:
    return column.reading.merged and t(MERGED[column.reading.merged])
