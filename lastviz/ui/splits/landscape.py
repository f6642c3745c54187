"""The landscape of all lines of the plane: scores of every direction, and the chosen line."""

from __future__ import annotations

from functools import partial

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.host.jobs import Working
from lastviz.inspection import Landscape, line_across
from lastviz.plots import (
    Drawing,
    LandscapeMark,
    Points,
    hyperplane_words,
    landscape_plot,
    number,
    pad_bounds,
    plane_lines_plot,
)
from lastviz.splitters import ObliqueSplit, Split
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import ahead
from lastviz.ui.shared.figures import column_title, words
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.shared.job_box import job_box, result_or_reason
from lastviz.ui.shared.widgets import bound, put
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.text import CannotShow, paragraph, percent, t

from .scene import SplitScene, axes_of_plane, force, in_features, split_here

HEIGHT = 420
MEETS = 0.02  # of an axis: the half width of a mark
Place = tuple[float, int]


def all_lines(scene: SplitScene) -> None:
    """Draw the landscape of the plane, its best line, and the chosen and picked lines."""
    criterion = _criterion(scene)
    _choosers(scene, criterion)
    found = result_or_reason(partial(_landscape, scene, criterion), "lines")
    if found is None:
        return
    if found.best is None:
        st.info(t("No line leaves enough rows on both sides."))
        return
    show(landscape_headline(scene, found))
    if isinstance(found.best, ObliqueSplit):
        _regrown(scene, found.best)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _plane(scene, found)
    with right:
        _ground(scene, found)
    st.caption(paragraph(landscape_notes(found)))


def _criterion(scene: SplitScene) -> str:
    """Criterion that is shown: the reader's, else the one that decided."""
    chosen = scene.at.work.selection.splits.lines_by
    if chosen in scene.table.columns:
        return chosen
    return (*scene.read, *scene.table.columns)[max(len(scene.read) - 1, 0)]


def _choosers(scene: SplitScene, criterion: str) -> None:
    """Draw the choice of the criterion, and of the plane where there is more than one."""
    by, *places = st.columns([2, 1, 1])
    known = list(scene.table.columns)
    look = {"value": criterion, "format_func": column_title}
    bound(by.selectbox, "lines_by", t("Criterion"), known, **look)
    if len(scene.axis_names) < 3:
        return
    axes = axes_of_plane(scene)
    for end, (column, label) in enumerate(zip(places, (t("Across"), t("Up")), strict=True)):
        key = f"lines_axis{end}"
        put(key, axes[end])
        column.selectbox(
            label,
            range(len(scene.axis_names)),
            key=key,
            format_func=scene.axis_names.__getitem__,
            on_change=partial(_set_axis, scene, end, axes),
        )


def _set_axis(scene: SplitScene, end: int, shown: tuple[int, int]) -> None:
    """Put a feature on an axis; if it stands on the other one, the two change places."""
    axes = list(shown)
    axes[end] = st.session_state[f"lines_axis{end}"]
    if axes[0] == axes[1]:
        axes[1 - end] = shown[end]
    if scene.basis is not None:
        session.select(components=tuple(axes), line=None)
    else:
        session.select(axes=tuple(scene.axis_names[axis] for axis in axes), line=None)


def _landscape(scene: SplitScene, criterion: str) -> Landscape:
    smallest = scene.at.estimator.get_params().get("min_samples_leaf", 1)
    return ahead.lines_of(
        scene.at.table_key,
        scene.values,
        scene.y,
        scene.rows,
        len(scene.table.counts),
        axes_of_plane(scene),
        criterion,
        smallest if isinstance(smallest, int) else 1,
    )


def _regrown(scene: SplitScene, line: ObliqueSplit) -> None:
    """Draw a sentence on the tree split along the best line here, or its progress."""
    try:
        found = ahead.regrow_along(scene.at.work, scene.at.index, in_features(scene, line))
    except CannotShow as reason:
        st.caption(t("The tree cannot be grown again from this line: {reason}", reason=str(reason)))
        return
    except Working as working:
        job_box(working.job, "regrown")
        return
    st.markdown(regrown_words(found))


def _picked(scene: SplitScene, found: Landscape) -> tuple[Place, ObliqueSplit] | None:
    place = scene.at.work.selection.splits.line
    line = None if place is None else found.line(*place)
    return None if line is None else (place, line)


def _plane(scene: SplitScene, found: Landscape) -> None:
    """Draw the rows with the lines, and the picked one in numbers."""
    rows = scene.at.division.train_rows
    x, y = (scene.values[rows, axis] for axis in found.features)
    inside = np.isin(rows, scene.rows)
    view = pad_bounds(x[inside], y[inside])
    names = tuple(scene.axis_names[axis] for axis in found.features)
    units = scene.dataset.units if scene.basis is None else {}
    figure = plane_lines_plot(
        Points.plain(x, y, scene.y[rows], rows + 1),
        inside,
        {role: _ends(split, found, view) for role, split in _lines(scene, found).items()},
        theme=scene.at.theme,
        names=names,
        class_names=scene.class_names,
        units=tuple(units.get(name, "") for name in names),
        height=HEIGHT,
        view=view,
        words=words(),
    )
    figure.about(f"{scene.at.table_key}|{found.features}")
    chart(
        figure,
        key="lines_plane",
        height=figure.height,
        alt=t("The rows of node {node} with the chosen, the best and the picked line",
              node=scene.at.index),
        filename="lines",
    )  # fmt: skip
    picked = _picked(scene, found)
    if picked is None:
        st.caption(t("Click the landscape to see a line here; click its mark to split so."))
        if is_best(scene, found):
            return
        label = t("Split along the best line")
        split_here(scene.at, lambda: in_features(scene, found.best), label=label, key="split_line")
        return
    show(picked_words(scene, found, picked[1]))
    split_here(scene.at, lambda: in_features(scene, picked[1]), key="split_line")


def _lines(scene: SplitScene, found: Landscape) -> dict[str, Split | ObliqueSplit]:
    """Drawn lines, by their role."""
    lines: dict[str, Split | ObliqueSplit] = {"best": found.best}
    if chosen_place(scene, found) is not None:
        feature = int(scene.table.feature[scene.chosen])
        threshold = float(scene.table.threshold[scene.chosen])
        lines["chosen"] = Split(feature, threshold, float("nan"))
    picked = _picked(scene, found)
    if picked is not None:
        lines["picked"] = picked[1]
    return lines


def _ends(
    split: Split | ObliqueSplit, found: Landscape, view: tuple[float, float, float, float]
) -> np.ndarray:
    if isinstance(split, Split):
        weights = np.equal(found.features, split.feature).astype(float)
    else:
        weights = split.weights[list(found.features)]
    return line_across(weights, split.threshold, view)


def _ground(scene: SplitScene, found: Landscape) -> None:
    """Draw the landscape itself; a click picks a line."""
    figure = _figure(scene, found)
    chart(
        figure,
        key="landscape",
        height=figure.height,
        alt=t(
            "Landscape of {criterion}: direction of the line from 0 to 180 degrees across, points "
            "on its first side up; darker is better.",
            criterion=t(CRITERIA[found.criterion].title),
        ),
        on_click=partial(_clicked, scene, found),
        filename="landscape",
    )


def _figure(scene: SplitScene, found: Landscape) -> Drawing:
    smaller = CRITERIA[found.criterion].smaller_is_better
    # Where 0 is no gain it is the foot; else a line like most others is.
    foot = 0.0 if is_gain(found.criterion) else float(np.nanmedian(found.scores))
    figure = landscape_plot(
        found.scores,
        found.theta,
        found.rank,
        _marks(scene, found),
        theme=scene.at.theme,
        features=tuple(scene.axis_names[axis] for axis in found.features),
        n_points=found.n_points,
        foot=foot,
        smaller_is_better=smaller,
        height=HEIGHT,
        rank_word=t("points on the first side"),
        of_best=t("of the best"),
    )
    figure.about(f"{scene.at.table_key}|{found.features}|{found.criterion}")
    return figure


def _marks(scene: SplitScene, found: Landscape) -> list[LandscapeMark]:
    """Marks of the best line, the chosen and the picked one."""
    marks = []
    chosen, best = chosen_place(scene, found), found.best_place
    if chosen is not None:
        marks.append(LandscapeMark("chosen", *chosen, t("chosen")))
    if chosen != best:
        marks.append(LandscapeMark("best", *best, t("best")))
    picked = _picked(scene, found)
    if picked is not None:
        marks.append(LandscapeMark("picked", *picked[0], t("picked")))
    return marks


# A click on the picked line splits the node along it.
def _clicked(scene: SplitScene, found: Landscape, click: dict) -> None:
    """Pick the line nearest to a click."""
    if click.get("x") is None or click.get("y") is None:
        return
    theta = round(min(max(float(click["x"]), 0.0), 179.99), 2)
    rank = min(max(round(float(click["y"])), 1), found.n_points - 1)
    picked = _picked(scene, found)
    meets = False
    if picked is not None:  # directions of 0 and 180 degrees are neighbours
        turned, moved = abs(picked[0][0] - theta), abs(picked[0][1] - rank)
        is_near = moved <= max(1.0, MEETS * found.n_points)
        meets = is_near and min(turned, 180.0 - turned) <= MEETS * 180.0
    if meets:
        force(scene.at, in_features(scene, picked[1]))
    else:
        session.select(line=(theta, rank))


def chosen_place(scene: SplitScene, found: Landscape) -> Place | None:
    """Direction and rank of the chosen split; None if it is not in this plane."""
    if scene.chosen is None:
        return None
    feature = int(scene.table.feature[scene.chosen])
    if feature not in found.features:
        return None
    axis = found.features.index(feature)
    below = found.points[:, axis] <= scene.table.threshold[scene.chosen]
    return 90.0 * axis, int(below.sum())


def is_gain(criterion: str) -> bool:
    """Whether a criterion is 0 for a useless split, so that shares of it count."""
    row = CRITERIA[criterion]
    return row.reads == "counts" and not row.ordered_classes


def landscape_headline(scene: SplitScene, found: Landscape) -> str:
    """Scores of the best line, of the best parallel to an axis and of the split."""
    best, unit = found.best, t(CRITERIA[found.criterion].unit)
    name = t("best of all lines") if found.exact else t("best line found")
    if found.exact and isinstance(best, Split):
        name = t("no line is better than one parallel to an axis")
    cells = [(number(float(best.score)), unit, name)]
    if isinstance(best, ObliqueSplit):
        cells.append((number(float(found.axis.score)), unit, t("best parallel to an axis")))
    if scene.chosen is not None:
        score = float(scene.table.columns[found.criterion][scene.chosen])
        axis = scene.axis_names[scene.table.feature[scene.chosen]]
        test = f"{axis} ≤ {scene.threshold_words(scene.chosen)}"
        cells.append((number(score), unit, t("chosen, {test}", test=test)))
        if is_gain(found.criterion) and chosen_place(scene, found) is not None:
            word = t("regret: share of the best that is lost")
            if not found.exact:
                word = t("regret, at least: share of the best found that is lost")
            cells.append((percent(max(found.regret(score), 0.0)), "%", word))
    return f'<div class="lv-head" role="group">{strip(cells)}</div>'


def is_best(scene: SplitScene, found: Landscape) -> bool:
    """Whether the chosen split loses nothing, as printed, against the best line."""
    if not is_gain(found.criterion) or chosen_place(scene, found) is None:
        return False
    regret = found.regret(float(scene.table.columns[found.criterion][scene.chosen]))
    return percent(max(regret, 0.0)) == percent(0.0)


def regrown_words(found: ahead.Regrown) -> str:
    """Leaves and held-out errors of the tree that is split along the best line."""
    before, after = found.leaves
    grown = t("Regrown from the best line, the tree has {after} leaves instead of {before}.",
              after=number(after), before=number(before))  # fmt: skip
    if found.changes is None:
        return grown
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
    return paragraph((grown, judged))


def picked_words(scene: SplitScene, found: Landscape, line: ObliqueSplit) -> str:
    """Picked line as a test, with how many rows pass it and its score."""
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
    """Notes on the units of directions, and on the lines tried if not all were."""
    notes = [
        t("Darker is better. At 0° and 90° the line is parallel to an axis; directions are those "
          "of the line's normal where both axes are equally long.")
    ]  # fmt: skip
    if not found.exact:
        looked = t(
            "With {points} distinct points and this criterion {n} directions were looked at: the "
            "best line may score a little more.",
            points=number(found.n_points),
            n=number(found.n_directions),
        )
        notes.append(looked)
    return notes
