"""Numbers and signs above the pictures, as html: the legend and a model's headline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from types import MappingProxyType
from urllib.parse import quote

import numpy as np

from lastviz._sentences import Statement
from lastviz.estimators import ForestClassifier
from lastviz.export.blocks import Words
from lastviz.inspection import Scores, baseline, mcnemar, saving_interval, share_interval
from lastviz.plots import THEMES, Drawing, ThemeName, number, symbol
from lastviz.ui.compute.training import Division
from lastviz.ui.sheet import st
from lastviz.ui.text import as_html, paragraph, percent, round_digits, t

from .model_view import EnsembleView, ModelView, Priced

# Outlines in a box of 16 by 16.
SHAPES = {
    "circle": '<circle cx="8" cy="8" r="5.5"/>',
    "square": '<rect x="3" y="3" width="10" height="10"/>',
    "diamond": '<path d="M8 1.5 14.5 8 8 14.5 1.5 8z"/>',
    "cross": '<path d="M6 2h4v4h4v4h-4v4H6v-4H2V6h4z"/>',
    "x": '<path d="M5 2.2 8 5.2l3-3L13.8 5l-3 3 3 3-2.8 2.8-3-3-3 3L2.2 11l3-3-3-3z"/>',
    "triangle-up": '<path d="M8 2 14.5 13.5h-13z"/>',
    "star": '<path d="m8 1 2 4.9 5.2.3-4 3.3 1.3 5.1L8 11.8l-4.5 2.8 1.3-5.1-4-3.3 5.2-.3z"/>',
}
LEGEND_CLASSES = 12
FAITHFUL = 0.8  # share of rows on their own colour from which a slice needs no warning
LEVEL = 0.05  # of p, below which a difference is called significant
FEW = 30  # rows below which counts stand without shares: their intervals would say nothing
Cell = tuple[str, ...]
"""A number of a headline: the value, its unit, what it is, and what else must be known of it."""


# It is an image, since Streamlit takes drawings as such out of html.
@cache
def sign(inside: str, *, fill: str = "none", line: str = "none", width: float = 0.0) -> str:
    """Small drawing that stands in a line of text."""
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="{fill}" '
        f'stroke="{line}" stroke-width="{width}">{inside}</svg>'
    )
    return f'<img class="lv-sign" alt="" src="data:image/svg+xml,{quote(drawing)}">'


class Say(Words):
    """A paragraph of statements in the reader's language.

    The first is bold as its `lead`; one that `is_announced` is read aloud when it changes.
    """

    statements: tuple[Statement, ...]

    def __init__(
        self,
        *statements: Statement,
        style: str = "lv-say",
        lead: bool = False,
        is_announced: bool = False,
    ) -> None:
        first, *others = map(as_html, statements)
        sentences = [f"<b>{first}</b>" if lead else first, *others]
        role = ' role="status"' if is_announced else ""
        super().__init__(f'<p class="{style}"{role}>{paragraph(sentences)}</p>')
        object.__setattr__(self, "statements", statements)


def mcnemar_words(n: int, m: int) -> Statement:
    """Verdict on `n` rows that one of two models alone gets right, `m` the other."""
    p = mcnemar(n, m)
    if p >= LEVEL:
        return Statement("A difference this small can be chance.")
    return Statement(
        "The difference is significant at the 5 % level (McNemar's exact test, p = {p}).",
        p=float(f"{p:.2g}"),
    )


def class_sign(index: int, theme: ThemeName, *, is_open: bool = False) -> str:
    """Symbol of a class in its colour, filled or `is_open`."""
    shape = SHAPES.get(symbol(index).removesuffix("-open"), SHAPES["circle"])
    hue = THEMES[theme].hue(index)
    return sign(shape, line=hue, width=2) if is_open else sign(shape, fill=hue)


def class_items(class_names: Sequence[str], theme: ThemeName) -> list[str]:
    """Items of a legend line that name the classes, of many the first."""
    shown = enumerate(class_names[:LEGEND_CLASSES])
    items = [f"{class_sign(k, theme)} {escape(name)}" for k, name in shown]
    if len(class_names) > LEGEND_CLASSES:
        items.append(t("and {n} more", n=len(class_names) - LEGEND_CLASSES))
    return items


def legend(
    class_names: Sequence[str],
    theme: ThemeName,
    pictures: Iterable[Drawing] = (),
    words: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Common legend line of all pictures on a page: the classes and the marks.

    An entry says which marks it is about: a picture that leaves the page takes its own along.
    `words` are what marks are called where they mean something else than usual.
    """
    items = [f"<span>{item}</span>" for item in class_items(class_names, theme)]
    two = range(min(2, len(class_names)))
    filled = "".join(class_sign(k, theme) for k in two)
    hollow = "".join(class_sign(k, theme, is_open=True) for k in two)
    look, solid = THEMES[theme], '<path d="M0 8h16"/>'
    ring = sign('<circle cx="8" cy="8" r="6.5"/>', line=look.ink, width=1.75)
    line = sign(solid, line=look.ink, width=3.5)
    grey = sign(solid, line=look.grey3, width=2)
    ring_of_nearest = sign('<circle cx="8" cy="8" r="6"/>', line=look.grey7, width=1.5)
    cross = "".join(sign('<path d="M8 1v14M1 8h14"/>', line=look.hue(k), width=2.5) for k in two)
    ends = '<circle cx="3.5" cy="12.5" r="2.5"/><circle cx="12.5" cy="3.5" r="2.5"/>'
    joined = "".join(sign(f'<path d="M5 11 11 5"/>{ends}', line=look.hue(k), width=2) for k in two)
    between = sign(solid, line=look.grey7, width=2.5)
    dashes = sign('<path d="M0 8h6M10 8h6"/>', line=look.accent, width=3)
    drawn = set().union(*(picture.roles for picture in pictures))
    items += [
        f'<span data-role="{role}">{signs} {words.get(role, word)}</span>'
        for role, signs, word in (
            ("held_out", filled, t("training")),
            ("held_out", hollow, t("held out")),
            ("wrong", ring, t("misclassified")),
            ("chosen_split", line, t("selected split")),
            ("chosen", line, t("chosen")),
            ("survivor", grey, t("shortlisted in step 1")),
            ("picked", dashes, t("picked")),
            ("margin", joined, t("centres of a class on both sides")),
            ("nearest", ring_of_nearest, t("rows nearest to the split")),
            ("spread", cross, t("spread of a class on one side")),
            ("between", between, t("distance of the classes on one side")),
        )
        if role in drawn
    ]
    return f'<div class="lv-legend">{"".join(items)}</div>'


def legend_of(items: Iterable[str]) -> str:
    """Legend line of these items, each html."""
    return f'<div class="lv-legend">{"".join(f"<span>{item}</span>" for item in items)}</div>'


def strip(cells: Sequence[Cell]) -> str:
    """Headline numbers, each value above its lines."""
    inside = "".join(cell_html(*cell) for cell in cells)
    return f'<div class="lv-strip">{inside}</div>'


def line(*parts: str) -> str:
    """Name and numbers in one line; in a narrow one the last of them find no room."""
    return f'<div class="lv-inline">{"".join(parts)}</div>'


def cell_html(value: str, unit: str, *lines: str) -> str:
    """Number of a strip."""
    small = f"<small> {escape(unit)}</small>" if unit else ""
    under = "".join(f"<span>{escape(line)}</span>" for line in lines)
    return f"<div><b>{escape(value)}{small}</b>{under}</div>"


def headline(view: ModelView | EnsembleView) -> str:
    """Name of a model and its numbers: costs come second, those on training rows last."""
    priced = priced_cells(view)
    first, *others = [cell for cell in cells_of(view) if cell not in priced]
    on_training = []
    if view.held_out:
        value, unit, _, *more = first
        first = (value, unit, t("held out"), *more)
        on_training = [others.pop(0)] if view.training else []
    return model_heading(view.title, [first, *priced, *others, *on_training])


def numbers_in_full(view: ModelView | EnsembleView) -> str:
    """All numbers of a model and how it was trained, for below its picture."""
    notes = [] if view.milliseconds is None else [time_words(view)]
    for n, _, _ in kept_for_pruning(view.estimator, view.training.n_samples):
        sentence = "{n} of {all} training rows kept for pruning, not for splits"
        notes.append(t(sentence, n=n, all=number(view.training.n_samples)))
    notes += view.notes
    if view.fidelity is not None and view.fidelity < FAITHFUL:
        share = percent(view.fidelity)
        notes.append(t("{share} % of the rows lie on the colour they get", share=share))
    about = f'<p class="lv-note">{escape(" · ".join(notes))}</p>'
    return f'<div class="lv-full" role="group">{strip(cells_of(view))}{about}</div>'


def model_heading(title: str, cells: Sequence[Cell]) -> str:
    """Name of a model and its numbers in one line."""
    numbers = line(f'<h2 class="lv-name">{escape(title)}</h2>', strip(cells))
    return f'<div class="lv-head" role="group">{numbers}</div>'


def time_words(view: object) -> str:
    """Duration of training, or of reading for an imported model."""
    done = "read in {n} ms" if hasattr(view.estimator, "trees_") else "trained in {n} ms"
    return t(done, n=number(float(f"{view.milliseconds:.2g}")))


def cells_of(view: ModelView | EnsembleView) -> list[Cell]:
    """Numbers of a model."""
    if isinstance(view, EnsembleView):
        return _cells_of_ensemble(view)
    tree = view.tree
    return [
        *accuracy_cells(view.training, view.held_out),
        *priced_cells(view),
        count_cell(len(view.leaves), "leaf", "leaves"),
        (number(int(tree.depth[view.shown].max())), "", t("depth")),
        count_cell(len(view.shown), "node", "nodes"),
    ]


def count_cell(n: int, one: str, many: str) -> Cell:
    """Number of things over their name, which is `one` of a single thing."""
    return number(n), "", t(one if n == 1 else many)


def kept_for_pruning(estimator: object, n_samples: int) -> list[Cell]:
    """Number of training rows not used to search for splits, empty if there are none."""
    n_held_out = getattr(estimator, "n_held_out_", 0)
    words = t("training rows kept for pruning, not for splits")
    return [(number(n_held_out), t("of {n}", n=number(n_samples)), words)] if n_held_out else []


def _cells_of_ensemble(view: EnsembleView) -> list[Cell]:
    """Numbers of a forest; where classes are ordered, how far off it is, too."""
    cells = [*accuracy_cells(view.training, view.held_out), *priced_cells(view)]
    part = view.held_out or view.training
    cells.append((f"{part.mean_absolute_error:.3f}", "", t("mean error")))
    if isinstance(view.estimator, ForestClassifier):
        mean_depth = float(np.mean([each.tree_.max_depth for each in view.trees]))
        cells += [
            (number(len(view.trees)), "", t("trees")),
            (f"{mean_depth:.1f}", "", t("mean depth")),
        ]
    else:
        cells.append((number(view.trees[0].tree_.max_depth), "", t("depth of the tree")))
    return cells


def accuracy_cells(training: Scores, held_out: Scores) -> list[Cell]:
    """Accuracies on held-out and training rows, of which none stands alone."""
    cells = []
    if held_out:
        cells.append(judged_cell(held_out, t("accuracy, held out"), training, is_new=True))
    if training:
        of_whom = None if held_out else training
        cells.append(judged_cell(training, t("accuracy, training"), of_whom))
    return cells


def judged_cell(
    part: Scores, label: str, training: Scores | None, *, is_new: bool = False, errors: bool = False
) -> Cell:
    """Accuracy with its necessary notes, or an error rate.

    Parameters
    ----------
    part : Scores
    label : str
    training : Scores or None
        Of the rows learnt from, whose majority class the baseline always predicts; None if it
        stands beside another number already.
    is_new : bool
        Whether the rows took no part in training: those alone have an interval (95 %).
    errors : bool
        Whether wrong rows are counted, not right ones.

    Returns
    -------
    Cell
        Of fewer than 30 rows counts alone.
    """
    few, all_rows = part.n_samples < FEW, number(part.n_samples)
    n = _counted(part, errors)
    lines = [label]
    if is_new and not few:
        low, high = (percent(bound) for bound in share_interval(n, part.n_samples))
        lines.append(t("95 %: {low} to {high}", low=low, high=high))
    if training is not None:
        always = _counted(baseline(training, part), errors)
        share = percent(always / part.n_samples)
        lines.append(
            t("baseline {n} of {rows}", n=number(always), rows=all_rows)
            if few
            else t("baseline {share} %", share=share)
        )
    if few:
        return number(n), t("of {n}", n=all_rows), *lines
    unit = t("% ({n} of {rows})", n=number(n), rows=all_rows)
    return percent(n / part.n_samples), unit, *lines


def priced_cells(view: ModelView | EnsembleView) -> list[Cell]:
    """Cost of a model's errors; nothing where the reader gave them none."""
    return [] if view.priced is None else [cost_cell(view.held_out or view.training, view.priced)]


def verdict_on(
    titles: Sequence[str],
    views: Sequence[ModelView | EnsembleView],
    names: Sequence[str],
    division: Division,
) -> list[Statement]:
    """Statements on models in view; see :func:`models_verdict`."""
    first, parts = views[0], [view.held_out or view.training for view in views]
    rows = division.held_out_rows
    predicted = [division.y[rows], *(view.predicted[rows] for view in views)]
    about = {"is_new": bool(first.held_out), "priced": first.priced, "predicted": predicted}
    return models_verdict(titles, parts, first.training, names, **about)


def cost_cell(part: Scores, priced: Priced) -> Cell:
    """Cost of the errors on some rows, beside the cheapest of the constant answers."""
    given, least = priced.cheapest(part)
    label, k = t("cost of the errors"), priced.label
    if k is not None:
        miss, alarm = (number(float(priced.costs[i, 1 - i])) for i in (k, 1 - k))
        label = t("cost at {miss} : {alarm}", miss=miss, alarm=alarm)
    constant = t("all called {name}: {cost}", name=priced.names[given], cost=round_digits(least, 4))
    return round_digits(priced.total(part), 4), "", label, constant


def models_verdict(
    titles: Sequence[str],
    parts: Sequence[Scores],
    training: Scores,
    names: Sequence[str],
    *,
    is_new: bool,
    priced: Priced | None = None,
    predicted: Sequence[np.ndarray] = (),
) -> list[Statement]:
    """Statement on models, by right rows or cost of errors, against a constant answer.

    The best comes first; of equals, that which stands first. `parts` are new rows if `is_new`.
    Of costs others follow, on chance; `predicted` are the new rows' classes, true and by model.
    """
    if priced is None:
        given, base = majority(training), baseline(training, parts[0]).n_right
        found = [part.n_right for part in parts]
    else:
        given, base = priced.cheapest(parts[0])
        found = [priced.total(part) for part in parts]
    ranked = sorted(range(len(found)), key=lambda i: found[i] if priced else -found[i])
    best, *others = ranked
    behind = [
        Statement("{model}: {value:rounded}", model=titles[i], value=found[i]) for i in others
    ]
    about = {
        "model": titles[best],
        "value": found[best],
        "others": Statement(" ({models:list})", models=behind) if behind else "",
        "n": parts[0].n_samples,
        "rows": Statement("held-out rows" if is_new else "training rows"),
        "name": names[given],
        "base": base,
    }
    if priced is None:
        return [Statement(
            "**{model} classifies {value} of {n} {rows} correctly**{others}; always predicting "
            "{name}: {base} of {n}.",
            **about,
        )]  # fmt: skip
    y, *each = predicted
    classes = [y, *(each[i] for i in ranked), np.full_like(y, given)]
    chance = _chance(priced.costs, classes, [titles[i] for i in ranked], about)
    return [Statement(
        "**The errors of {model} cost {value:rounded}**{others}, {less} than calling every row "
        "{name} ({base:rounded}), on {n} {rows}.",
        less=chance[0] if found[best] < base else Statement("no less"), **about,
    ), *chance[1:]]  # fmt: skip


def _chance(
    costs: np.ndarray, classes: Sequence[np.ndarray], titles: Sequence[str], about: dict
) -> list[Statement]:
    """Cost of predictions beside that of a constant answer, and sentences on chance."""
    (y, *models), saved, base = classes, about["base"] - about["value"], about["base"]
    if len(y) < FEW:
        less = Statement("{share:percent} less", share=saved / base if base else 0.0)
        few = Statement("{n} held-out rows are too few to tell this from chance.", n=len(y))
        return [less, few] if len(y) else [less]
    n_pairs = len(models) * (len(models) - 1) // 2
    level = 1.0 - LEVEL / n_pairs
    ends = [saving_interval(y, dear, models[0], costs, level) for dear in models[1:]]
    low, high = ends[-1]
    return [
        Statement("significantly less" if low > 0.0 else "not significantly less"),
        Statement(
            "Saving: {saved:rounded}, 95 % interval {low:rounded} to {high:rounded} (bootstrap).",
            "Saving: {saved:rounded}, 95 % interval {low:rounded} to {high:rounded} (bootstrap, "
            "Bonferroni over {n} pairs).",
            n=n_pairs, saved=saved, low=low, high=high,
        ),
        *(Statement("The difference between {one} and {other} on the held-out rows can be chance.",
                    one=titles[0], other=other)
          for other, (least, _) in zip(titles[1:], ends[:-1], strict=True) if least <= 0.0),
    ]  # fmt: skip


# Of fewer than 30 rows counts alone.
def right_words(part: Scores, *, is_new: bool = False) -> str:
    """Correct rows in words: share and counts, for new rows with the interval."""
    values = {"n": number(part.n_right), "rows": number(part.n_samples)}
    if part.n_samples < FEW:
        return t("{n} of {rows}", **values)
    values["share"] = percent(part.accuracy)
    if not is_new:
        return t("{share} % ({n} of {rows})", **values)
    low, high = (percent(bound) for bound in part.accuracy_interval())
    sentence = "{share} % ({n} of {rows}; 95 % interval {low} to {high})"
    return t(sentence, low=low, high=high, **values)


def majority(training: Scores) -> int:
    """Class that the baseline always predicts: the most frequent in training."""
    return int(np.argmax(training.confusion.sum(axis=1)))


def _counted(part: Scores, errors: bool) -> int:
    return part.n_wrong if errors else part.n_right


class _HtmlMarkup(str):
    """HTML that is sent unchanged.

    A plain text might be the name of a file, and is looked through for that.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def table_html(style: str, titles: Iterable[str], rows: Iterable[str], caption: str = "") -> str:
    """Table that scrolls across if it must, as html: words above rows of html."""
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    return (
        f'<div class="lv-scroll"><table class="{style}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody>{caption and f'<caption>{caption}</caption>'}</table></div>"
    )


def show(html: str) -> None:
    """Put html of this module on the page; nothing where there is none."""
    if html:
        st.html(_HtmlMarkup(html))
