"""REMT against forests on chosen sets, cross-validated: accuracy, error in classes, depth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.datasets import Dataset, all_datasets
from lastviz.datasets.openml import FROM_FOLDER
from lastviz.estimators import ESTIMATORS
from lastviz.export.html_report import Text, Words
from lastviz.export.slide_show import Columns
from lastviz.plots import THEMES, LevelSeries, ThemeName, level_plot
from lastviz.studies import (
    PRICED,
    RESULTS,
    SETS,
    Level,
    Priced,
    level_in_steps,
    price_of_monotonicity,
    results,
    set_of_the_paper,
)
from lastviz.ui.compute import cache, monotone
from lastviz.ui.compute.availability import obstacle
from lastviz.ui.shared.blocks import PAGE, REPORT, SLIDE, Block, Chart, Numbers, Only, Title
from lastviz.ui.shared.headline import SHAPES as SHAPES_DRAWN
from lastviz.ui.shared.headline import legend_of, show, sign
from lastviz.ui.shared.model_view import GENERATOR, large_set_of
from lastviz.ui.shared.widgets import bound, put
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, percent, plural, rounded, t

COMPARED = ("REMT", "AdaBoost.M1", "MCDF")
FOLDS = 10
CURRENT = "current"  # the data that the selection is about
# The measures of figures 2 and 3: field of a Level, column of the published table, decimals.
MEASURES = {
    "accuracy": ("paper_accuracy", 3),
    "error": ("paper_error", 3),
    "depth": ("paper_depth", 1),
}
SHAPES = ("circle", "diamond", "square")  # of the models, as the figure draws them


def sets_chooser(selection: Selection) -> None:
    """Draw the choice of sets, and why forests cannot learn from some of them."""
    offered = _offered(selection)
    chosen = _chosen(selection, offered)
    put("sets", chosen)
    st.multiselect(
        t("Sets"),
        list(offered),
        key="sets",
        format_func=offered.get,
        help=t("Set1 to Set4 are the paper's: 1,000 rows, 2 to 8 classes."),
        on_change=_set_sets,
    )
    for reason in _datasets(selection, chosen)[1]:
        st.caption(reason)


def study_part(selection: Selection, theme: ThemeName) -> list[Block]:
    """Return REMT, AdaBoost.M1 and MCDF on the sets beside the published figures.

    The sets are those of ``selection.sets``, by default Set1 to Set4 of the paper.

    Raises
    ------
    Working
        While they are worked out in the background, which can be cancelled.
    """
    chosen = _chosen(selection, _offered(selection))
    datasets, reasons = _datasets(selection, chosen)
    why = Only((REPORT, SLIDE), list(map(Text, reasons)))  # the page says it below the choice
    if not datasets:
        return [why]
    levels, names = _levels(selection, chosen, datasets), list(datasets)
    return [
        Words(_legend(theme)),
        Columns(_columns(levels, names, theme)),
        why,
        Only((PAGE,), [Text(_words(levels, names))]),
        Numbers("levels", t("As a table"), partial(_table, levels)),
    ]


def _chosen(selection: Selection, offered: dict[str, str]) -> list[str]:
    return [name for name in selection.monotone.sets if name in offered] or list(SETS)


def _levels(
    selection: Selection, chosen: Sequence[str], datasets: dict[str, Dataset]
) -> Sequence[Level]:
    """Return the cross-validated figures by names of sets, which differ between languages."""
    about = cache.data_key(selection) if CURRENT in chosen else ""
    key = "|".join(["levels", *chosen, *datasets, about, str(selection.seed)])
    work = partial(level_in_steps, datasets, COMPARED, n_folds=FOLDS, random_state=selection.seed)
    return cache.outcome(key, t("The comparison"), work)


def _offered(selection: Selection) -> dict[str, str]:
    """Return the sets that can be chosen, with their titles."""
    offered = {name: name for name in SETS}
    published = {_plain(name) for name in results("mcdf")["dataset"]}
    for key, entry in all_datasets().items():
        if entry.group == FROM_FOLDER and _plain(entry.title) in published:
            offered[key] = entry.title
    return offered | {CURRENT: t("the data chosen at the left")}


def _plain(name: str) -> str:
    """Return a name that files and the paper write alike."""
    return name.replace("-", "_").lower().removesuffix("500")


def _set_sets() -> None:
    chosen = tuple(st.session_state["sets"])
    session.select(sets=() if chosen == tuple(SETS) else chosen)


def _datasets(selection: Selection, chosen: Sequence[str]) -> tuple[dict[str, Dataset], list[str]]:
    """Return the sets by name, and a sentence for each that forests cannot learn from."""
    datasets, reasons = {}, []
    for key in chosen:
        name, dataset = _dataset(selection, key)
        reason = obstacle(ESTIMATORS["mcdf"], dataset, allow_ensembles=True)
        if reason is not None:
            reasons.append(t("{name}: {reason}", name=name, reason=reason))
        elif dataset.n_samples < 2 * FOLDS:
            reasons.append(t("{name}: {n} folds need more rows.", name=name, n=FOLDS))
        else:
            datasets[name] = dataset
    return datasets, reasons


def _dataset(selection: Selection, key: str) -> tuple[str, Dataset]:
    if key in SETS:
        return key, set_of_the_paper(key, selection.seed)
    if key == CURRENT:
        name = large_set_of(selection) if selection.data == GENERATOR else None
        return name or t("chosen data"), cache.data(selection).dataset
    plain = Selection(data=key, seed=selection.seed)
    return all_datasets()[key].title, cache.data(plain).dataset


def _legend(theme: ThemeName) -> str:
    colours = THEMES[theme]
    looks = zip(COMPARED, SHAPES, (colours.grey5, colours.grey3, colours.ink), strict=True)
    items = [f"{sign(SHAPES_DRAWN[shape], fill=hue)} {name}" for name, shape, hue in looks]
    hollow = sign(SHAPES_DRAWN["square"], line=colours.ink, width=1.75)
    items.append(f"{hollow} {t('published')}")
    return legend_of(items)


def _columns(levels: Sequence[Level], names: list[str], theme: ThemeName) -> list[list[Block]]:
    """Return each measure as a figure."""
    titles = {
        "accuracy": t("Classification accuracy"),
        "error": t("Mean absolute error, in classes"),
        "depth": t("Depth"),
    }
    found, models, sets = [], t(", ").join(COMPARED), t(", ").join(names)
    for measure, (paper, digits) in MEASURES.items():
        figure = level_plot(
            names,
            [_series(levels, names, model, measure, paper) for model in COMPARED],
            theme=theme,
            chosen=COMPARED[-1],
            digits=digits,
            paper_word=t("published"),
        )
        title = titles[measure]
        alt = t("{measure} of {models} on {sets}", measure=title, models=models, sets=sets)
        key, name = f"level_{measure}", f"level-{measure}"
        found.append([Title(title), Chart(figure, alt, key=key, filename=name, about=sets)])
    return found


def _series(
    levels: Sequence[Level], names: list[str], model: str, measure: str, paper: str
) -> LevelSeries:
    found = {level.dataset: getattr(level, measure) for level in levels if level.model == model}
    published = _published(model, paper)
    return LevelSeries(
        model,
        np.array([np.nanmean(found[name]) for name in names]),
        np.array([np.nanstd(found[name]) for name in names]),
        np.array([published.get(_plain(name), np.nan) for name in names]),
    )


def _published(model: str, paper: str) -> dict[str, float]:
    table = results("mcdf")
    rows = table[table["algorithm"] == model]
    return {_plain(n): float(v) for n, v in zip(rows["dataset"], rows[paper], strict=True)}


def _words(levels: Sequence[Level], names: list[str]) -> str:
    """Return what to notice and how it was done."""
    means = {(x.dataset, x.model): x for x in levels}
    shallower = [
        means[name, "REMT"].depth.mean() - means[name, "MCDF"].depth.mean() for name in names
    ]
    return t(
        "{folds}-fold cross-validation with all defaults, one draw of the folds. On {sets} the "
        "trees of MCDF are {less} edges shallower than REMT's in the mean. Published: "
        "{source}.",
        folds=FOLDS,
        sets=plural(len(names), "{n} set", "{n} sets"),
        less=f"{np.mean(shallower):.1f}".replace("-", "−"),
        source=t(RESULTS["mcdf"].source),
    )


def _table(levels: Sequence[Level]) -> pd.DataFrame:
    rows = []
    for level in levels:
        row = {t("set"): level.dataset, t("model"): level.model}
        for measure, (paper, digits) in MEASURES.items():
            values = getattr(level, measure)
            row[t(measure)] = f"{np.nanmean(values):.{digits}f} ± {np.nanstd(values):.{digits}f}"
            known = _published(level.model, paper).get(_plain(level.dataset), np.nan)
            row[t("{measure}, published", measure=t(measure))] = (
                f"{known:.{digits}f}" if np.isfinite(known) else ""
            )
        rows.append(row)
    return pd.DataFrame(rows)


# ---- The price of monotonicity: models with and without the promise, cross-validated on request


MOST_ROWS = 5000  # that are cross-validated; with more only the waiting would grow
OWN = ("remt", "mcdf")  # the models whose parameters are the reader's if they have been chosen
PROMISES = ("monotone", "vote", "random_state")


def price_part(selection: Selection) -> None:
    """Draw the switch that asks for the price and, once it is known, the table."""
    st.markdown(f"**{t('The price of monotonicity')}**")
    words = t("Cross-validate with and without the constraint")
    about = t("Ten folds, the same for all models; this runs in the background.")
    bound(st.toggle, "price", words, help=about)
    if not selection.monotone.price:
        st.caption(
            t(
                "How much accuracy does it cost that no prediction contradicts another? Six models "
                "on the same {k} folds, boosting among them.",
                k=FOLDS,
            )
        )
        return
    rows = _rows(selection)
    show(_price_table(_price(selection, rows)))
    st.caption(_notes(selection, len(rows)))


def _rows(selection: Selection) -> np.ndarray:
    """Return the rows that take part: all, or as many of every class as fit."""
    rows = monotone.comparable_rows(selection)
    if len(rows) <= MOST_ROWS:
        return rows
    y = cache.data(selection).dataset.codes[rows]
    order = np.argsort(y, kind="stable")
    return np.sort(rows[order[np.linspace(0, len(rows) - 1, MOST_ROWS).astype(np.intp)]])


def _price(selection: Selection, rows: np.ndarray) -> list[Priced]:
    """Return the cross-validated models; raises Working until they are."""
    dataset = cache.data(selection).dataset
    model = selection.models[0]
    own = {k: v for k, v in model.params if k not in PROMISES}
    params = {model.key: own} if model.key in OWN else {}
    known = monotone.directions(selection)
    key = f"{cache.data_key(selection)}|{selection.seed}|{params}|price"
    work = partial(
        price_of_monotonicity,
        dataset.numeric_X.to_numpy()[rows],
        dataset.codes[rows],
        dataset.n_classes,
        known,
        n_folds=FOLDS,
        random_state=selection.seed,
        params=params,
    )
    return cache.outcome(key, t("The price of monotonicity"), work)


def _price_table(found: list[Priced]) -> str:
    """Return the models as a table: two rows of each kind, the promise in ink."""
    heads = (
        t("model"), t("promises"), t("accuracy, %"), t("sd over folds"),
        t("distance of classes (MAE)"), t("sampled pairs that contradict"),
    )  # fmt: skip
    head = "".join(f"<th>{escape(word)}</th>" for word in heads)
    body = "".join(_table_row(each) for each in found)
    return (
        f'<div class="lv-scroll"><table class="lv-ranks"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _table_row(priced: Priced) -> str:
    title, promised = PRICED[priced.key]
    cells = (
        t("monotone") if promised else "–",
        percent(float(priced.accuracy.mean())),
        percent(float(priced.accuracy.std())),
        rounded(priced.error.mean()),
        t("{n} of {all}", n=number(priced.contradicting), all=number(priced.n_pairs)),
    )
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    style = ' class="lv-chosen"' if promised else ""
    return f"<tr{style}><th>{escape(t(title))}</th>{inside}</tr>"


def _notes(selection: Selection, n_rows: int) -> str:
    all_rows = cache.data(selection).dataset.n_samples
    rows = plural(n_rows, "{n} row", "{n} rows")
    if n_rows < all_rows:
        rows = t("{n} of {all} rows", n=number(n_rows), all=number(all_rows))
    return t(
        "{rows}, held-out ones too, in {k} folds that are the same for all; means over the folds. "
        "REMT and MCDF have the parameters on the left where they are the chosen algorithm, the "
        "others their defaults; boosting asks about each border between classes and counts.",
        rows=rows,
        k=FOLDS,
    )
