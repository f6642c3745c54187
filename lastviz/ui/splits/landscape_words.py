"""The landscape of all lines in words: what was chosen, what is best, what that would change."""

from __future__ import annotations

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.inspection import Landscape
from lastviz.plots import hyperplane_words, number
from lastviz.splitters import ObliqueSplit, Split
from lastviz.ui.compute import ahead
from lastviz.ui.shared.headline import strip
from lastviz.ui.text import percent, t

from .scene import SplitScene

Place = tuple[float, int]


def chosen_place(scene: SplitScene, found: Landscape) -> Place | None:
    """Return direction and rank of the chosen split; None if it is not in this plane."""
    if scene.chosen is None:
        return None
    feature = int(scene.table.feature[scene.chosen])
    if feature not in found.features:
        return None
    axis = found.features.index(feature)
    below = found.points[:, axis] <= scene.table.threshold[scene.chosen]
    return 90.0 * axis, int(below.sum())


def is_gain(criterion: str) -> bool:
    """Tell whether a criterion is 0 where a split gains nothing, so that shares of it count."""
    row = CRITERIA[criterion]
    return row.reads == "counts" and not row.ordered_classes


def landscape_headline(scene: SplitScene, found: Landscape) -> str:
    """Return the chosen split, the best line and what lies between them, in numbers."""
    best, unit = found.best, t(CRITERIA[found.criterion].unit)
    degrees = t("best of all lines, at {theta}°", theta=number(round(found.best_place[0], 1)))
    if not found.exact:
        degrees = t("best line found, at {theta}°", theta=number(round(found.best_place[0], 1)))
    if isinstance(best, Split):
        degrees = t("no line is better than one parallel to an axis")
    cells = [(number(float(best.score)), unit, degrees)]
    chosen = chosen_place(scene, found)
    if isinstance(best, ObliqueSplit) and chosen != found.axis_place:
        cells.append((number(float(found.axis.score)), unit, t("best parallel to an axis")))
    if scene.chosen is not None:
        cells += _against_chosen(scene, found, unit)
    title = t(CRITERIA[found.criterion].title)
    names = {"across": scene.names[found.features[0]], "up": scene.names[found.features[1]]}
    sentence = t(
        "{criterion} of all lines in the plane of {across} and {up}", criterion=title, **names
    )
    return (
        f'<div class="lv-head" role="group"><p class="lv-small">{sentence}</p>{strip(cells)}</div>'
    )


def _against_chosen(scene: SplitScene, found: Landscape, unit: str) -> list[tuple[str, str, str]]:
    score = float(scene.table.columns[found.criterion][scene.chosen])
    feature, threshold = (x[scene.chosen] for x in (scene.table.feature, scene.table.threshold))
    test = f"{scene.axis_names[feature]} ≤ {number(float(threshold))}"
    place = chosen_place(scene, found)
    named = t("chosen, {test}", test=test)
    if place is not None and place == found.axis_place:
        named = t("chosen, the best parallel to an axis, {test}", test=test)
    cells = [(number(score), unit, named)]
    if not is_gain(found.criterion):
        return cells
    if place is None:
        less = float(found.best.score) - score
        words = t("best line here less the chosen split, which is not in this plane")
        return [*cells, (f"{less:+.4g}".replace("-", "−"), unit, words)]
    word = t("regret: share of the best that is lost")
    if not found.exact:
        word = t("regret, at least: share of the best found that is lost")
    return [*cells, (percent(max(found.regret(score), 0.0)), "%", word)]


def is_best(scene: SplitScene, found: Landscape) -> bool:
    """Tell whether the chosen split loses nothing, as printed, against the best line."""
    if not is_gain(found.criterion) or chosen_place(scene, found) is None:
        return False
    regret = found.regret(float(scene.table.columns[found.criterion][scene.chosen]))
    return percent(max(regret, 0.0)) == percent(0.0)


def regrown_words(found: ahead.Regrown) -> str:
    """Say what becomes of the tree if its node is split along the best line."""
    before, after = found.leaves
    grown = t("Regrown from the best line, the tree has {after} leaves instead of {before}.",
              after=number(after), before=number(before))  # fmt: skip
    if found.changes is None:
        return f"{grown} {t('No rows are held out that could judge it.')}"
    judged = t(
        "On {n} held-out rows it makes **{after} errors instead of {before}**: {better} rows "
        "better, {worse} worse (exact McNemar p = {p}).",
        n=number(found.n_held_out),
        after=number(found.errors[1]),
        before=number(found.errors[0]),
        better=number(found.changes.better),
        worse=number(found.changes.worse),
        p=f"{found.changes.p_value:.2g}",
    )
    return f"{grown} {judged}"


def picked_words(scene: SplitScene, found: Landscape, line: ObliqueSplit) -> str:
    """Return a picked line as a test, with how many rows pass it and its score."""
    test = hyperplane_words(
        line.weights, line.threshold, scene.names, terms=2, rest=t("{n} more", n="{n}")
    )
    along = scene.values[scene.rows] @ line.weights
    left = int(np.count_nonzero(along <= line.threshold))
    cells = [(f"{number(left)} | {number(len(scene.rows) - left)}", "", t("rows yes | no"))]
    if np.isfinite(line.score):
        cells.append((number(float(line.score)), "", t(CRITERIA[found.criterion].title)))
    return (
        f'<div class="lv-children lv-picked"><p>{test}</p></div>'
        f'<div class="lv-head" role="group" aria-live="polite">{strip(cells)}</div>'
    )


def landscape_notes(found: Landscape) -> list[str]:
    """Say what was looked at, and in which units."""
    points = number(found.n_points)
    looked = t("Every partition by a line was visited, of {n} distinct points.", n=points)
    if not found.exact:
        looked = t(
            "With {points} distinct points and this criterion {n} directions were looked at: the "
            "best line may score a little more.",
            points=points,
            n=number(found.n_directions),
        )
    return [
        t("Darker is better. At 0° and 90° the line is parallel to an axis; directions are those "
          "of the line's normal where both axes are equally long."),
        looked,
    ]  # fmt: skip
