"""The page *splits*: all candidates of a node, whatever was searched, and the rule that chose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from lastviz.criteria import CRITERIA
from lastviz.estimators import TreeClassifier
from lastviz.export.blocks import Columns, Text
from lastviz.plots import ThemeName
from lastviz.ui.compute import nodes
from lastviz.ui.compute.availability import criteria_for
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work, current
from lastviz.ui.shared import controls, view_controls
from lastviz.ui.shared.blocks import (
    PAGE,
    REPORT,
    SLIDE,
    Block,
    Detail,
    Only,
    WhenSeen,
    draw,
    on_slide,
    report_blocks,
    report_of,
)
from lastviz.ui.shared.edit_box import edit_box
from lastviz.ui.shared.figures import column_title, paper_theme
from lastviz.ui.shared.headline import Say
from lastviz.ui.shared.model_view import envelope_words
from lastviz.ui.shared.view_controls import Moving
from lastviz.ui.shared.widgets import bound, put, segments
from lastviz.ui.state import session
from lastviz.ui.state.fields import OwnRule
from lastviz.ui.state.lessons import grown_by
from lastviz.ui.state.selection import MAX_MODELS
from lastviz.ui.text import plural, t

from .ahead import better
from .near_best import NearBestScene, near_best_blocks, near_best_choices
from .node import OF_ROWS, NodeScene, NodeView, node_rows, node_view
from .nominal import test_scene
from .searches import class_scene, hyperplane_scene
from .threshold import threshold_scene
from .words import split_finding

NONE = "none"
DISTANCES = {"none": "none", "bnm": "BNM", "csn": "CSN"}


def curves_chooser() -> None:
    """Draw the choice of the score curves."""
    chosen = session.current().splits.curves
    bound(
        st.multiselect,
        "curves",
        t("Score curves"),
        _offered(chosen),
        value=list(chosen),
        stored=tuple,
        format_func=column_title,
        max_selections=4,
        placeholder=t("those of the rule"),
    )


def distances_chooser() -> None:
    """Draw the choice of the distances that are drawn into the plane."""
    segments(
        "distances",
        t("Distances measured by"),
        {key: t(title) for key, title in DISTANCES.items()},
        seen=True,
    )


def own_rule() -> None:
    """Draw the parts of the user's own rule, behind a button until it is opened."""
    rule = session.current().splits.rule
    box = st.expander(
        t("A custom rule"), key="own_rule", expanded=rule is not None, on_change="rerun"
    )
    if not box.open:
        return
    with box:
        names = _offered(rule.parts if rule is not None else ())
        _choice("own.first", t("Score"), names, rule.first if rule else NONE, none=True)
        if rule is None:
            return
        _choice("own.second", t("plus"), names, rule.second or NONE, none=True)
        if rule.second is not None:
            _number("own.weight", t("times"), rule.weight, 0.0, 100.0, 0.05)
        _choice("own.last", t("of the best, decide by"), names, rule.last or NONE, none=True)
        if rule.last is not None:
            _number("own.k", t("how many best"), rule.k, 1, 1000, 1)
        _grow(rule)


def _grow(rule: OwnRule) -> None:
    """Draw the button that makes a model of the rule, or say why there is none."""
    ordered = [name for name in rule.parts if CRITERIA[name].ordered_classes]
    if ordered:
        st.caption(
            t(
                "By {criterion} no tree grows here: it needs the direction of each feature, as "
                "the monotone trees do.",
                criterion=t(CRITERIA[ordered[0]].title),
            )
        )
        return
    models = session.current().models
    grown = grown_by(rule)
    st.button(
        t("Grow a tree with this rule"),
        key="grow_rule",
        disabled=(models[0].key, models[0].params) == (grown.key, grown.params),
        on_click=lambda: session.select(models=(grown, *models)[:MAX_MODELS], rule=None),
    )


def _offered(chosen: tuple[str, ...]) -> list[str]:
    """Criteria that mean something on the data, and those chosen already."""
    fitting = criteria_for(current().dataset)
    return [name for name in CRITERIA if name in fitting or name in chosen]


def _choice(key: str, label: str, names: list[str], value: str, *, none: bool) -> None:
    put(key, value)
    st.selectbox(
        label,
        [NONE, *names] if none else names,
        key=key,
        format_func=lambda name: t("nothing") if name == NONE else column_title(name),
        on_change=_changed,
    )


def _number(key: str, label: str, value: float, low: float, high: float, step: float) -> None:
    put(key, value)
    st.number_input(label, min_value=low, max_value=high, step=step, key=key, on_change=_changed)


def _changed() -> None:
    """Put the parts together; without a score there is no rule."""
    parts = {
        name: st.session_state.get(f"own.{name}")
        for name in ("first", "second", "weight", "k", "last")
    }
    if parts["first"] == NONE:
        session.select(rule=None)
        return
    old = session.current().splits.rule or OwnRule()
    given = {name: value for name, value in parts.items() if value is not None}
    given |= {name: None for name in ("second", "last") if parts[name] == NONE}
    session.select(rule=replace(old, **given))


# ---------------------------------------------------------------- page


QUESTION = "Why this split?"
OF_MANY = "Is this tree the explanation, or one of many?"
QUESTIONS = (("split_view", "near_best", OF_MANY),)
MODELS = 2
NAMED = 1
REPLAYS = True
ABOUT_CLASSES = True


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(MODELS, of_trees=True)
    view_controls.tree_choosers(current().first_models(MODELS), of_trees=True)
    if session.current().splits.split_view == "near_best":
        near_best_choices(NearBestScene(current().single_trees, "light"))
    view_controls.node_chooser(of_trees=True)
    edit_box(current().first)
    work = current().single_trees
    estimator = work.first.trained()
    if estimator is None:
        is_threshold = False
    else:
        is_threshold = _search(work, estimator, work.first.division) is threshold_scene
    if is_threshold:
        own_rule()
    more = controls.more_settings(MODELS)
    if more and is_threshold:
        with more:
            curves_chooser()
            distances_chooser()


def _search(
    work: Work, estimator: TreeClassifier, division: Division
) -> Callable[[NodeView], NodeScene]:
    """Function that makes the scene of a node, by the kind of search at it."""
    if not division.is_plain or work.first.weights is not None:
        return test_scene
    if nodes.searches_for_hyperplanes(estimator):
        return hyperplane_scene
    if nodes.parts_classes(estimator):
        return class_scene
    return threshold_scene


def page_scene(work: Work, theme: ThemeName) -> NodeScene | NearBestScene:
    """Node of a selection, with the search there, or the near-best trees."""
    if work.selection.splits.split_view == "near_best":
        return NearBestScene(work.single_trees, theme)
    at = node_view(work.single_trees, theme)
    return _search(at.work, at.estimator, at.division)(at)


def report(address: str | None) -> str:
    """Page as one file of html."""
    scene = page_scene(current(), paper_theme())
    if isinstance(scene, NearBestScene):
        return report_of(scene.work, t(OF_MANY), scene.model.title, blocks(scene), address)
    at = scene.at
    rows = plural(len(at.rows), "{n} row", "{n} rows")
    title = t("{title}, node {node} with {rows}", title=at.title, node=at.index, rows=rows)
    work = at.work.first_models(1)
    return report_of(work, t(QUESTION), title, blocks(scene), address)


def slide_blocks(work: Work, theme: ThemeName) -> Sequence[Block]:
    """Blocks of a slide: the search beside the chosen split and its reasons."""
    return on_slide(blocks(page_scene(work, theme)))


def moving(work: Work) -> Moving | None:
    """Stops of an offline page's slider: thresholds, where they were searched."""
    return page_scene(work, "light").moving()


def views() -> None:
    """Draw the choice of a view, beside the question."""
    titles = {"split": t("One split"), "near_best": t("Near-best trees")}
    segments("split_view", t("View"), titles)


def body(scene: NodeScene | NearBestScene) -> None:
    """Draw the content of the page."""
    draw(blocks(scene))


def blocks(scene: NodeScene | NearBestScene) -> list[Block]:
    """Blocks of the page: the search, the chosen split, its reasons, the node's rows."""
    if isinstance(scene, NearBestScene):
        return near_best_blocks(scene)
    pictures, explanations = scene.pictures(), scene.explanations()
    alone = scene.at.model.chosen.alone
    about = envelope_words(scene.at.estimator) if alone else ""
    chosen = partial(Detail, scene.at.work.selection)
    of_rows = chosen(("every_feature",), partial(node_rows, scene.at))
    return [
        Say(split_finding(scene.at)),
        *([Text(about)] if about else []),
        Only((PAGE, REPORT), lambda: [scene.legend(report_blocks(pictures))]),
        Only((SLIDE,), lambda: [scene.legend(on_slide(pictures))]),
        Only((PAGE, SLIDE), [Columns([pictures, explanations], (3, 2))]),
        Only((REPORT,), lambda: [*explanations, *pictures, scene.tree_in_report()]),
        chosen(("better",), partial(better, scene.at.work, getattr(scene, "candidates", None))),
        WhenSeen("details", t("About the split"), scene.details),
        WhenSeen("node_rows", t(OF_ROWS), [of_rows]),
    ]  # fmt: skip
