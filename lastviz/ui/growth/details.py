"""Details below the player: an explanation, and two orders of an SVM tree's classes.

The improved and the traditional order stand side by side, class by class and node by node.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.estimators import ForestClassifier, is_imported
from lastviz.host.memory import remembered
from lastviz.inspection import (
    GrowthRegions,
    Raised,
    SeparabilitySteps,
    growth_regions,
    runner_ups,
    scores,
    separability,
)
from lastviz.plots import ThemeName, figure_json, number, words_of_split
from lastviz.tree import Action, Missing
from lastviz.ui.compute.outcome import in_one_step, outcome
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.work import Work, work_of
from lastviz.ui.shared.brushing import passing_rows
from lastviz.ui.shared.figures import Plane, plane_of
from lastviz.ui.shared.headline import class_sign, show
from lastviz.ui.shared.model_view import class_names_of, with_tree
from lastviz.ui.shared.node_card import runner_up_words
from lastviz.ui.state.link_texts import MOST_BRUSHED
from lastviz.ui.text import HUNDRED, CannotShow, language, percent, t

from .drawing import rows_drawn
from .figures import (
    GrowthScene,
    Pieces,
    colours_of,
    figure_of,
    growth_scene,
    pack_array,
    tree_parts,
)
from .machines import MachineStory, machine_story
from .words import (
    GrowthStep,
    NodeNow,
    growth_legend,
    how_it_works,
    last_step,
    notes,
    player_words,
    root_step,
    step_of,
)

MOST_STEPS = 1000


@dataclass(frozen=True, eq=False)
class Story:
    """All that the player needs."""

    text: str  # JSON
    steps: tuple[GrowthStep, ...]
    first: int  # the step to open with
    title: str  # the algorithm
    data_name: str
    machines: MachineStory | None  # what a tree of kernel machines adds
    about: list[str]  # how it works


def story(work: Work, theme: ThemeName, plane: Plane | None = None) -> Story:
    """Growth of the first model in a plane, by default its own; computed once.

    Raises
    ------
    CannotShow, Working
        As :attr:`.ModelWork.fitted`.
    """
    plane = plane or plane_of(work, alone=True)
    model = work.first.estimator
    curved = len(model.grown_tree_.kernel) > 0
    if curved and is_imported(work.first.chosen.key):
        raise CannotShow(
            t("The steps of an SVM tree need its training rows, which the file of this model does "
              "not contain. Boundaries and Rules show it.")
        )  # fmt: skip
    wanted = work.selection.growth.picture
    is_hidden = wanted == "auto" and plane.is_slice  # a plane would hide the growth
    picture = "values" if curved and (wanted == "values" or is_hidden) else "plane"
    at = plane.at.tobytes() if plane.is_slice else None
    look = plane.form, plane.features, plane.row, at, picture, theme, language()
    return _story((*work.first.cache_key, *look), work, plane, picture, theme)


@remembered
def _story(key: Key, work: Work, plane: Plane, picture: str, theme: ThemeName) -> Story:
    return story_of(growth_scene(work, plane, picture, theme))


def story_of(scene: GrowthScene) -> Story:
    """All that the player needs, computed anew."""
    pieces, log = Pieces(scene.bounds), scene.model.growth_log_
    found = _regions(scene) if scene.picture == "plane" else None
    machines = machine_story(scene, pieces) if scene.curved else None
    steps = machines.steps if machines else _steps(scene, found)
    parts = _parts(scene, pieces, found)
    if machines:
        parts |= {"machines": machines.parts, "margin": machines.margins}
    parts["steps"] = [
        [s.events, s.node, s.say, s.cells, s.what, s.why, number(s.rows), s.score] for s in steps
    ]
    title = with_tree(scene.work.first.title, scene.work.first)
    legend = growth_legend(
        scene.names,
        scene.theme,
        curved=scene.curved,
        picture=scene.picture,
        lost=machines is not None and bool((machines.separability.lost_at >= 0).any()),
        refitted=bool(log.splits),
    )
    parts |= {"title": title, "words": player_words(), "legend": legend}
    parts["curve"] = bool(log.splits)
    parts["note"] = notes(scene, len(steps) - 2)
    parts["geometry"] = pieces.packed()
    text = json.dumps(parts, separators=(",", ":"))
    return Story(
        text=f'{text[:-1]},"figure":{figure_json(figure_of(scene))}}}',
        steps=steps,
        first=0 if machines or len(steps) < 2 else 1,
        title=title,
        data_name=t(scene.dataset.name),
        machines=machines,
        about=how_it_works(scene),
    )


def _regions(scene: GrowthScene) -> GrowthRegions:
    plane, form = scene.plane, scene.division.form
    features, bands = tuple(plane.features), None
    if plane.is_banded:
        features, bands = plane.numeric_in(form), plane.bands_in(form)
    elif form != plane.form:
        columns = plane.columns_in(form)
        features = columns[0], columns[-1]
    return growth_regions(
        scene.model,
        scene.X,
        scene.y,
        scene.bounds,
        features,
        plane.at_in(form),
        MOST_STEPS,
        bands,
    )


def _steps(scene: GrowthScene, found: GrowthRegions) -> tuple[GrowthStep, ...]:
    model, tree, names = scene.model, scene.tree, scene.names
    now = {node: NodeNow.as_grown(tree, node) for node in range(tree.n_nodes)}
    raised = {r.event: r for r in found.raised}
    won = _won_over(scene)
    steps = [root_step(model)]
    for event in range(min(len(model.growth_log_), MOST_STEPS)):
        if event in raised:
            now |= _moved(raised[event], integers=tree.missing != Missing.FRACTIONS)
        node = int(model.growth_log_.node[event])
        is_split = model.growth_log_.action[event] == Action.SPLIT
        why = won.get(node, "") if is_split else ""
        steps.append(step_of(model, event, names, now[node], why))
    divided = scene.division
    predicted = model.tree_.predict(divided.values)
    found_right = [
        scores(divided.y[rows], predicted[rows], scene.dataset.n_classes)
        for rows in (divided.train_rows, divided.held_out_rows)
    ]
    return (*steps, last_step(model, *found_right, names))


def _won_over(scene: GrowthScene) -> dict[int, str]:
    """Reason why each split was selected, by node, as far as it is quickly known."""
    if is_imported(scene.work.first.chosen.key):
        return {}  # nobody knows what was considered
    presorted = scene.work.first.sorted_training
    title = t("The runner-up of each split")
    ask = partial(runner_ups, scene.model, scene.frame, scene.y, presorted=presorted)
    key = (*scene.work.first.cache_key, "runner-ups")
    found = outcome(key, title, in_one_step(ask), at_once=True)
    names = scene.tree.feature_names
    return {node: runner_up_words(each, names) for node, each in found.items()}


def _parts(scene: GrowthScene, pieces: Pieces, found: GrowthRegions | None) -> dict[str, object]:
    log, tree = scene.model.growth_log_, scene.tree
    care = getattr(scene.model, "care_", ())
    areas, lines = pieces.regions(found.grown) if found else ({}, {})
    raised = []
    for r in found.raised if found else ():
        here = pieces.some(r.regions, r.position)
        raised.append({
            "event": r.event, "position": r.position.tolist(), "area": here[0],
            "line": here[1], "value": pack_array(r.value.astype(np.float32)),
            "prediction": r.prediction.tolist(),
        })  # fmt: skip
    return {
        "log": {
            "node": pack_array(log.node.astype(np.int32)),
            "action": pack_array(log.action.astype(np.uint8)),
            "branch": pack_array(log.branch.astype(np.int32)),
        },
        "tree": tree_parts(scene),
        "area": {str(n): span for n, span in areas.items()},
        "line": {str(n): span for n, span in lines.items()},
        "raised": raised,
        "care": [np.flatnonzero(np.isin(scene.drawn, rows)).tolist() for rows in care],
        "tests": [words_of_split(split, tree) for split in log.splits],
        "n_classes": tree.value.shape[1],
        "names": list(scene.names),
        "colours": colours_of(scene),
        "picture": scene.picture,
        "curved": scene.curved,
        "labels": scene.y[scene.drawn].tolist(),
        "passing": passing_rows(scene.work.first, grown=True)
        if len(scene.division.y) <= MOST_BRUSHED
        else None,
    }


def _moved(raised: Raised, *, integers: bool) -> dict[int, NodeNow]:
    """State of the nodes below a raised branch from then on.

    `integers`: the rows are whole, not shared out.
    """
    rows = np.round(raised.value.sum(axis=1), 0 if integers else 6)
    found = zip(raised.position.tolist(), rows, raised.prediction.tolist(), strict=True)
    return {node: NodeNow(float(n), label, moved=True) for node, n, label in found}


# ---------------------------------------------------------------- details


IMPROVED, TRADITIONAL = "separability", "euclidean"


def below(scene: Story, work: Work, theme: ThemeName) -> None:
    """Draw the details below the player."""
    if scene.machines:
        _orders_compared(work, theme)
    forest = work.first.ensemble
    if isinstance(forest, ForestClassifier):
        rows_drawn(forest, work, theme)
    st.markdown(f"**{t('How it works')}**")
    st.markdown("\n".join(f"- {line}" for line in scene.about))


@dataclass(frozen=True, eq=False)
class OrderResult:
    """Results of one order of the classes."""

    order: str
    steps: SeparabilitySteps  # of the rows judged
    right: np.ndarray  # (n_classes,) intp, rows of each class that are right, and all of them
    rows: np.ndarray  # (n_classes,) intp, rows of each class that are right, and all of them
    # dict of int to ndarray of intp, shape (n_classes,), for each node, how many rows of each class
    # it sent astray.
    lost: dict[int, np.ndarray]


# What it chose from the training rows is kept, so that the order alone makes the difference.
def order_result(work: Work, order: str) -> OrderResult:
    """Result of the first model with an order, on held-out rows if there are any."""
    model = work.first.estimator
    if model.order == order:
        return _result(work.first.cache_key, work, order)
    params = {name: v for name, v in work.first.chosen.params if name != "order"}
    if order != IMPROVED:  # the default is left out, as everywhere
        params["order"] = order
    if model.cross_validation_ is not None:
        scaling = "standard" if model.standardises else "none"
        params |= {"sigma": model.sigma_, "C": model.C_, "scaling": scaling}
    changed = work.selection.change_model(0, params=tuple(sorted(params.items())))
    return _result(work_of(changed).first.cache_key, work_of(changed), order)


@remembered
def _result(key: Key, work: Work, order: str) -> OrderResult:
    divided = work.first.division
    model = work.first.estimator
    X, y, train = divided.X, divided.y, divided.train_rows
    judged = divided.held_out_rows if len(divided.held_out_rows) else train
    found = separability(model, X.iloc[train], y[train], rows=X.iloc[judged], labels=y[judged])
    n_classes = len(model.classes_)
    right = np.bincount(y[judged][found.lost_at < 0], minlength=n_classes)
    lost = {
        int(node): np.bincount(y[judged][found.lost_at == node], minlength=n_classes)
        for node in np.unique(found.lost_at[found.lost_at >= 0])
    }
    return OrderResult(order, found, right, np.bincount(y[judged], minlength=n_classes), lost)


def _orders_compared(work: Work, theme: ThemeName) -> None:
    """Draw both orders side by side: the classes as they leave, and the rows lost."""
    names = class_names_of(work.dataset)
    titles = {
        IMPROVED: t("Improved: by separability in kernel space"),
        TRADITIONAL: t("Traditional: by the distance of the centres"),
    }
    held = len(work.first.division.held_out_rows) > 0
    st.markdown(f"**{t('Two orders of the classes')}**")
    for column, order in zip(st.columns(2, gap="medium"), titles, strict=True):
        result = order_result(work, order)
        steps, right, rows = result.steps.steps, result.right, result.rows
        groups = [step.first for step in steps] + [step.second for step in steps[-1:]]
        leaving = " → ".join(
            " ".join(f"{class_sign(c, theme)} {escape(names[c])}" for c in group)
            for group in groups
        )
        places = {step.node: k + 1 for k, step in enumerate(steps)}
        lost = [
            t(", ").join(
                t("{n} at step {k}", n=number(int(counts[c])), k=places.get(node, "–"))
                for node, counts in result.lost.items()
                if counts[c]
            )
            for c in range(len(names))
        ]
        total, n = int(right.sum()), int(rows.sum())
        with column:
            show(f"<p><b>{escape(titles[order])}</b></p><p>{leaving}</p>")
            st.caption(
                t(
                    "{name}: {reason}",
                    name=t("accuracy, held out") if held else t("accuracy, training"),
                    reason=t("{share} % ({n} of {rows})", share=percent(total / n),
                             n=number(total), rows=number(n)),
                )
            )  # fmt: skip
            table = {
                t("class"): names,
                t("accuracy, %"): np.round(HUNDRED * right / np.where(rows, rows, np.nan), 1),
                t("rows"): rows,
                t("misclassified at"): lost,
            }
            st.dataframe(
                pd.DataFrame(table), hide_index=True, height=min(35 * len(names) + 40, 460)
            )
    st.caption(
        t(
            "One row is {point} points of accuracy; on another division, the orders can differ by "
            "a few rows more or less.",
            point=percent(1 / n),
        )
    )
