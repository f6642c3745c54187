"""A growth in words: what each step is, what the picture leaves out, the legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.estimators import TreeClassifier
from lastviz.inspection import slice_fidelity
from lastviz.plots import THEMES, ThemeName, number, split_words
from lastviz.tree import Action, Reason
from lastviz.ui.compute import cache
from lastviz.ui.shared.headline import LEGEND_CLASSES, class_sign, sign
from lastviz.ui.shared.model_view import held_rows
from lastviz.ui.shared.plane_view import band_words, fixed_words
from lastviz.ui.text import percent, plural, t

from .scene import GrowthScene

__all__ = ["Step", "finished", "growth_legend", "joined", "notes", "root_step", "step_of"]


@dataclass(frozen=True)
class Step:
    """What is said of one step; `say` is html, all else plain text.

    Attributes
    ----------
    events : int
        How many events of the log have happened.
    node : int
        The node that the step is about.
    what, why, score : str
        The columns of the table of all steps.
    rows : int
    say : str
    cells : tuple of (value, unit, label)
    """

    events: int
    node: int
    what: str
    why: str
    rows: int
    score: str
    say: str
    cells: tuple[tuple[str, str, str], ...]


def root_step(estimator: TreeClassifier, names: Sequence[str]) -> Step:
    """Return the step before all events: the root alone."""
    tree = estimator.grown_tree_
    rows = plural(int(tree.n_node_samples[0]), "{n} row", "{n} rows")
    bold = t("All begins with one leaf.")
    rest = t("It holds {rows} and predicts {name}.", rows=rows, name=names[tree.prediction[0]])
    say = f"<b>{bold}</b> {escape(rest)}"
    about = (t("root"), bold, int(tree.n_node_samples[0]), "")
    return Step(0, 0, *about, say, _cells(estimator, 0, int(tree.n_node_samples[0]), np.nan))


def step_of(estimator: TreeClassifier, event: int, names: Sequence[str], pred: int) -> Step:
    """Return the step of an event; `pred` is the class that its node predicts after it."""
    log = estimator.growth_log_
    node, rows = int(log.node[event]), int(log.n_samples[event])
    action, reason = Action(int(log.action[event])), Reason(int(log.reason[event]))
    score = float(log.score[event])
    bold = escape(t(reason.sentence))
    tell = {
        Action.SPLIT: _split,
        Action.RAISE: _raised,
    }.get(action, _leaf)
    rest = tell(estimator, event, node, rows, escape(names[pred]))
    what = {
        Action.SPLIT: t("split"),
        Action.LEAF: t("leaf"),
        Action.COLLAPSE: t("collapsed"),
        Action.PRUNE: t("pruned"),
        Action.RAISE: t("raised"),
    }[action]
    shown = "" if np.isnan(score) else number(score)
    cells = _cells(estimator, node, rows, score if action == Action.SPLIT else np.nan)
    say = f"<b>{bold}</b> {rest}"
    return Step(event + 1, node, what, t(reason.sentence), rows, shown, say, cells)


def finished(estimator: TreeClassifier, accuracy: tuple[float | None, float | None]) -> Step:
    """Return the last step, which shows the tree that predicts; accuracy in and out of training."""
    log, tree = estimator.growth_log_, estimator.tree_
    bold = t("The tree is finished.")
    leaves = plural(tree.n_leaves, "{n} leaf", "{n} leaves")
    cut = len(log) - log.n_growth_events
    parts = [t("It has {leaves}.", leaves=leaves)]
    if cut:
        sentence = "Grown to {n} leaves, it was cut back in {cut}."
        steps = plural(cut, "{n} step", "{n} steps")
        parts.append(t(sentence, n=number(estimator.grown_tree_.n_leaves), cut=steps))
    if accuracy[1] is None:
        parts.append(t("Right on {seen} % of its rows.", seen=percent(accuracy[0])))
    else:
        sentence = "Right on {seen} % of its rows and on {unseen} % of those held out."
        parts.append(t(sentence, seen=percent(accuracy[0]), unseen=percent(accuracy[1])))
    rows = int(tree.n_node_samples[0])
    cells = _cells(estimator, 0, rows, np.nan)
    say = f"<b>{bold}</b> {escape(' '.join(parts))}"
    return Step(len(log), 0, t("finished"), " ".join(parts), rows, "", say, cells)


def joined(names: Sequence[str]) -> str:
    """Return names as a list in a sentence: "a, b and c"."""
    if len(names) < 2:
        return "".join(names)
    return t("{first} and {last}", first=", ".join(names[:-1]), last=names[-1])


def _cells(
    estimator: TreeClassifier, node: int, rows: int, score: float
) -> tuple[tuple[str, str, str], ...]:
    tree = estimator.grown_tree_
    criterion = CRITERIA[estimator.criterion_column]
    impurity = (number(float(tree.impurity[node])), "", t(criterion.impurity_title))
    cells = [(number(rows), "", t("rows at this node")), impurity]
    if np.isfinite(score):
        cells.append((number(score), "", t("score, {name}", name=t(criterion.title))))
    return tuple(cells)


def _split(estimator: TreeClassifier, event: int, node: int, rows: int, name: str) -> str:
    tree = estimator.grown_tree_
    parts = [number(held_rows(tree, child)) for child in tree.children(node)]
    return t(
        "Node {node} asks {test}: of its {rows} rows {first} go up, {second} down; score {score}.",
        node=node,
        test=f"<i>{split_words(tree, node)}</i>",
        rows=number(held_rows(tree, node)),
        first=parts[0],
        second=" + ".join(parts[1:]),
        score=number(float(estimator.growth_log_.score[event])),
    )


def _leaf(estimator: TreeClassifier, event: int, node: int, rows: int, name: str) -> str:
    log = estimator.growth_log_
    held = plural(rows, "{n} row", "{n} rows")
    if log.action[event] == Action.LEAF:
        return t("Node {node} becomes a leaf of {rows}: {name}.", node=node, rows=held, name=name)
    score = number(float(log.score[event]))
    if log.reason[event] == Reason.WEAKEST_LINK:
        gain = t("from a price of {score} per leaf on it pays to cut here.", score=score)
    else:
        gain = t("errors saved: {score}.", score=score)
    sentence = "Node {node}, {rows}, becomes a leaf again: {name}; {gain}"
    return t(sentence, node=node, rows=held, name=name, gain=gain)


def _raised(estimator: TreeClassifier, event: int, node: int, rows: int, name: str) -> str:
    log = estimator.growth_log_
    return t(
        "The branch at node {branch} takes the place of node {node} with its {rows}; "
        "errors saved: {score}.",
        branch=int(log.branch[event]),
        node=node,
        rows=plural(rows, "{n} row", "{n} rows"),
        score=number(float(log.score[event])),
    )


def notes(scene: GrowthScene, n_played: int) -> str:
    """Return them as html; `n_played` is how many events of the log have a step."""
    plane, said = scene.plane, []
    if len(scene.drawn) < len(scene.rows) and scene.picture == "plane":
        sentence = "{drawn} of {rows} training rows are drawn."
        said.append(t(sentence, drawn=number(len(scene.drawn)), rows=number(len(scene.rows))))
    n_events = len(scene.model.growth_log_)
    if not scene.curved and n_played < n_events:
        sentence = "The growth took {n} steps: the first {m} are played, then the finished tree."
        said.append(t(sentence, n=number(n_events), m=number(n_played)))
    if scene.picture == "values":
        said.append(
            t("{n} features have no picture as a plane: each row shows how a class spreads over "
              "the decision value f; what is right of 0 leaves.", n=len(plane.at))
        )  # fmt: skip
    else:
        said += [band_words(plane, late=True)] if plane.is_banded else []
        said += [_slice(scene)] if plane.is_slice else []
    return escape(" ".join(said))


def _slice(scene: GrowthScene) -> str:
    plane, row = scene.plane, scene.selection.view.at
    tree, form, values = scene.model.tree_, scene.form, cache.division(scene.selection).values
    return t(
        "A slice: the other {n} features are fixed {where}. {share} % of the rows lie on "
        "the colour that the finished tree gives them.",
        n=len(plane.at) - len(set(plane.features)),
        where=fixed_words(plane, row),
        share=percent(slice_fidelity(tree, values, plane.columns_in(form), plane.at_in(form))),
    )


LINE = '<path d="M0 8h16"/>'
DOTS = '<path d="M0 8h2M5 8h2M10 8h2M15 8h1"/>'
DASH = '<path d="M0 8h6M10 8h6"/>'


def growth_legend(
    class_names: Sequence[str], theme: ThemeName, *, curved: bool, picture: str, lost: bool = False
) -> str:
    """Return it as html: classes, and the lines and points of this kind of tree."""
    tokens = THEMES[theme]
    shown = min(len(class_names), LEGEND_CLASSES)
    items = [f"{class_sign(k, theme)} {escape(class_names[k])}" for k in range(shown)]
    if len(class_names) > shown:
        items.append(t("and {n} more", n=len(class_names) - shown))
    line = sign(LINE, line=tokens.ink, width=3)
    if not curved:
        grey = sign(LINE, line=tokens.grey3, width=2)
        gone = sign(DASH, line=tokens.grey5, width=2)
        items += [
            f"{line} {t('this split')}", f"{grey} {t('earlier')}", f"{gone} {t('cut back')}",
        ]  # fmt: skip
        return _wrapped(items)
    dots = sign(DOTS, line=tokens.grey3, width=1.75)
    items += [f"{line} f = 0", f"{dots} f = ±1"]
    if picture == "plane":
        point = '<circle cx="8" cy="8" r="5"/>'
        edged = sign(point, fill=tokens.hue(0), line=tokens.ink, width=1.75)
        core = f'<circle cx="8" cy="8" r="1.5" fill="{tokens.ink}"/>'
        bound = sign(point + core, fill=tokens.hue(0), line=tokens.ink, width=1.75)
        ring = sign('<circle cx="8" cy="8" r="6.5"/>', line=tokens.ink, width=1.5)
        items += [f"{edged} {t('support vector')}", f"{bound} {t('at C')}"]
        items += [f"{ring} {t('lost here')}"] if lost else []
    return _wrapped(items)


def _wrapped(items: Sequence[str]) -> str:
    return '<div class="lv-legend">' + "".join(f"<span>{i}</span>" for i in items) + "</div>"
