"""Sentences and html of the page *compare*."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from lastviz._sentences import Statement
from lastviz.plots import THEMES, ThemeName
from lastviz.studies.statistics import CannotTell
from lastviz.studies.study import Study
from lastviz.studies.tasks import Cell, StudyStanding
from lastviz.ui.shared.headline import Say, legend_of, sign
from lastviz.ui.text import HUNDRED, as_html, join_names, number, plural, round_digits, t, translate

from .scene import CompareScene

INTERVALS = (
    "Intervals and tests allow for overlapping training rows (Nadeau and Bengio 2003); p after "
    "Bonferroni over all pairs of algorithms on all data sets."
)
SHORT = 2  # sentences of a conclusion that say who is ahead, and how surely
DOT = '<circle cx="8" cy="8" r="5"/>'


def compare_legend(theme: ThemeName) -> str:
    """One legend line for the dots and intervals."""
    colours = THEMES[theme]
    marks = (
        (sign(DOT, fill=colours.ink), t("best of the data set")),
        (sign(DOT, fill=colours.grey7), t("not significantly different from it")),
        (sign(DOT, fill=colours.grey3), t("significantly behind it at the 5 % level")),
        (sign(DOT, line=colours.grey7, width=2), t("not finished")),
        (sign('<path d="M0 8h16"/>', line=colours.grey7, width=2), t("95 % interval")),
    )
    return legend_of(f"{mark} {escape(words)}" for mark, words in marks)


def sizes_legend(theme: ThemeName) -> str:
    """Legend line of size against how well algorithms do."""
    colours = THEMES[theme]
    marks = (
        (colours.ink, t("not beaten: no other is as small and as good")),
        (colours.grey5, t("beaten")),
    )
    return legend_of(f"{sign(DOT, fill=colour)} {escape(words)}" for colour, words in marks)


def standing_words(standing: StudyStanding, seconds: float | None = None) -> str:
    """Progress of a study in one line of Markdown.

    `seconds` are left, if that is known.
    """
    ahead, rest = standing.place - 1, ""
    words = {"running": t("Paused"), "paused": t("Paused")}  # it does not go on
    words |= {"cancelled": t("Cancelled"), "done": t("Done")}
    state = words.get(standing.state, t("Not run"))
    if standing.fault:
        state = t("Failed")
    elif standing.goes_on and (standing.state == "running" or (not ahead and standing.n_done)):
        state = t("Running")
        rest = "" if seconds is None else t("about {left} left", left=seconds_words(seconds))
    elif standing.goes_on:
        state = t("Waiting")
        rest = plural(ahead, "behind one study", "behind {n} studies") if ahead else ""
    done, n = number(standing.n_done + standing.n_failed), number(standing.n_folds)
    line = t("**{state}** {done} of {all} folds", state=state, done=done, all=n)
    return t(", ").join(filter(None, [line, rest]))


def progress_bar(standing: StudyStanding) -> str:
    """Line of the progress, 4 pixels."""
    n = max(standing.n_folds, 1)
    share = HUNDRED * (standing.n_done + standing.n_failed) / n
    words = escape(t("{share} % done", share=f"{share:.0f}"))
    return (
        f'<div class="lv-study-bar" role="progressbar" aria-valuenow="{share:.0f}" '
        f'aria-valuemin="0" aria-valuemax="100" aria-label="{words}">'
        f'<i style="width:{share:.2f}%"></i></div>'
    )


# A cell has its score, its interval, and the folds done or the fault.
def cell_grid(scene: CompareScene) -> str:
    """Grid of algorithms x data sets, as HTML."""
    cells = {(c.algorithm, c.dataset): c for c in scene.cells.itertuples()}
    state = scene.folds.groupby(["cell", "state"]).size().to_dict()
    rows = []
    for algorithm in scene.study.algorithms:
        inside = "".join(
            _cell(scene, cells[algorithm.name, d.name], state, scene.n_points[algorithm.name])
            for d in scene.study.datasets
        )
        rows.append(f"<tr><th scope='row'>{escape(algorithm.name)}</th>{inside}</tr>")
    return _grid(unit_words(scene), scene.study, rows, t("Cells of the study"))


def plan_grid(study: Study, cells: Sequence[Cell]) -> str:
    """Grid of algorithms x data sets of a new study, with the number of folds of each."""
    by = {(cell.algorithm, cell.dataset): cell for cell in cells}
    rows = []
    for algorithm in study.algorithms:
        inside = ""
        for dataset in study.datasets:
            cell = by[algorithm.name, dataset.name]
            small = t("does not fit") if cell.reason else t("folds")
            main = "–" if cell.reason else number(len(cell.tasks))
            kind = "lv-cannot" if cell.reason else ""
            inside += f"<td class='{kind}'>{main}<span>{escape(small)}</span></td>"
        rows.append(f"<tr><th scope='row'>{escape(algorithm.name)}</th>{inside}</tr>")
    return _grid("", study, rows, t("Cells that will be computed"))


def _grid(corner: str, study: Study, rows: Sequence[str], label: str) -> str:
    heads = "".join(f"<th scope='col'>{escape(d.name)}</th>" for d in study.datasets)
    return (
        f"<div class='lv-cells' tabindex='0' role='region' aria-label='{escape(label)}'><table>"
        f"<thead><tr><td>{escape(corner)}</td>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(scene: CompareScene, cell: NamedTuple, state: dict, n_points: int) -> str:
    n = n_points * scene.study.repeats * scene.study.folds
    done, failed = state.get((cell.cell, "done"), 0), state.get((cell.cell, "failed"), 0)
    kind, main, small = "", "–", t("waiting")
    if done or failed:
        small = t("{done} of {n} folds", done=number(done + failed), n=number(n))
    if cell.reason:
        kind, main, small = "lv-cannot", "–", t("does not fit")
    elif done and not _is_about(scene, cell):
        main, small = "–", t("not measured")
    elif done:
        mean, low, high = _value(scene, cell.algorithm, cell.dataset)
        main = scene_value(scene, mean)
        if np.isfinite(low):
            main += f" <small>± {scene_value(scene, (high - low) / 2)}</small>"
    elif failed:
        main = f"<b>{escape(t('Failed'))}</b>"
    if failed:
        small = t("{failed} of {n} folds failed", failed=number(failed), n=number(n))
    if not cell.reason and done == n and _is_about(scene, cell):
        kind = _standing_class(scene, cell)
    return f"<td class='{kind}' data-done='{done}'>{main}<span>{escape(small)}</span></td>"


def _is_about(scene: CompareScene, cell: NamedTuple) -> bool:
    """Whether the metric is about this algorithm and this data set."""
    return cell.algorithm in scene.algorithms and cell.dataset in scene.datasets


def _standing_class(scene: CompareScene, cell: NamedTuple) -> str:
    of = scene.datasets.index(cell.dataset)
    a = scene.algorithms.index(cell.algorithm)
    if scene.standings.best[of] == a:
        return "lv-best"
    return "lv-behind" if scene.standings.behind[a, of] else ""


def _value(scene: CompareScene, algorithm: str, dataset: str) -> tuple[float, float, float]:
    a, of = scene.algorithms.index(algorithm), scene.datasets.index(dataset)
    stand = scene.standings
    return float(stand.mean[a, of]), float(stand.low[a, of]), float(stand.high[a, of])


def value_words(value: float) -> str:
    """Value with at most four significant digits."""
    return "–" if not np.isfinite(value) else round_digits(value)


def scene_value(scene: CompareScene, value: float) -> str:
    """Value of the metric as a cell shows it: per cent with one digit."""
    if scene.metric.unit == "share" and np.isfinite(value):
        return f"{value:.1f}"
    return value_words(value)


def unit_words(scene: CompareScene, *, seconds: str = "s") -> str:
    """Metric with its unit, `seconds` for a time."""
    title, units = t(scene.metric.title), {"share": "%", "seconds": seconds, "megabytes": "MB"}
    units |= {"nats": t("nats"), "classes": t("classes")}
    if scene.metric.unit not in units:
        return title
    return t("{title}, {unit}", title=title, unit=units[scene.metric.unit])


def why_not(scene: CompareScene) -> list[str]:
    """Sentence for each cell that cannot run, or of which folds failed."""
    failed = scene.folds[scene.folds["state"] == "failed"]
    first = failed.drop_duplicates("cell").set_index("cell")["reason"]
    cells = [
        (cell.algorithm, cell.dataset, cell.reason or first.get(cell.cell, ""))
        for cell in scene.cells.itertuples()
    ]
    return reasons(cells)


def reasons(cells: Iterable[tuple[str, str, str]]) -> list[str]:
    """Sentence for each (algorithm, data set, reason): one for all of the same."""
    alike: dict[tuple[str, str], list[str]] = {}
    for algorithm, dataset, reason in cells:
        if reason:
            alike.setdefault((dataset, reason), []).append(algorithm)
    sentence = "{algorithms} on {dataset}: {reason}"
    return [
        t(sentence, algorithms=join_names(names), dataset=dataset, reason=translate(reason))
        for (dataset, reason), names in alike.items()
    ]


def reason_list(sentences: Sequence[str]) -> str:
    """HTML list of sentences, one below the other."""
    items = "".join(f"<li>{escape(sentence, quote=False)}</li>" for sentence in sentences)
    return f"<ul class='lv-reasons'>{items}</ul>"


def in_short(scene: CompareScene) -> list[Say]:
    """Leading algorithm, if any, and how sure its lead is; :func:`card` has the rest."""
    if isinstance(scene.conclusion, CannotTell):
        return []
    return [Say(*scene.conclusion[:SHORT], lead=True, is_announced=True)]


# Findings come first, in bold, then open questions, then remedies.
def card(found: Sequence[Statement] | CannotTell, note: str) -> str:
    """Card of the conclusions, as HTML."""
    if isinstance(found, CannotTell):
        inside = as_html(found.sentence)
    else:
        so = as_html([each for each in found if each.role == "so"])
        inside = f"<b>{so}</b> {as_html([each for each in found if each.role != 'so'])}"
    return (
        f'<div class="lv-card lv-conclusion" role="status"><div>{inside}'
        f"<p>{escape(note)}</p></div></div>"
    )


def seconds_words(seconds: float) -> str:
    """Time for people who wait: an estimate should not look exact."""
    if seconds < 90:
        return t("{n} s", n=number(max(1, round(seconds))))
    if seconds < 5400:
        return t("{n} min", n=number(round(seconds / 60)))
    return t("{n} h", n=number(round(seconds / 3600, 1)))
