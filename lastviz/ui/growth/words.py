"""A growth in words: its steps, the omissions of the picture, the legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.estimators import TreeClassifier, is_imported
from lastviz.inspection import Scores, baseline, slice_fidelity
from lastviz.plots import THEMES, ThemeName, number, split_words, words_of_split
from lastviz.plots.visuals.words import plain_text
from lastviz.tree import Action, Reason, Tree
from lastviz.ui.shared.figures import band_words, fixed_words
from lastviz.ui.shared.glossary import settings_words
from lastviz.ui.shared.headline import class_items, legend_of, majority, right_words, sign
from lastviz.ui.shared.model_view import envelope_words, held_rows
from lastviz.ui.text import list_names, paragraph, percent, plural, t

from .figures import GrowthScene

MOST_BRANCHES = 6  # whose rows a sentence counts one by one
SPREAD = (
    "The spread of a class is the sum of the distances of its rows from its centre (in input "
    "space: of their squares), divided by the number of its rows less one; of a single row it is 0."
)


@dataclass(frozen=True)
class GrowthStep:
    """Text of one step; `say` is HTML, all else plain text."""

    events: int  # how many events of the log have happened
    node: int  # the node that the step is about
    what: str  # the columns of the table of all steps
    why: str  # the columns of the table of all steps
    rows: float
    score: str  # the columns of the table of all steps
    say: str
    cells: tuple[tuple[str, str, str], ...]  # tuple of (value, unit, label)


@dataclass(frozen=True)
class NodeNow:
    """State of a node at a step.

    Raised branches give their nodes other rows than those that grew them.
    """

    rows: float  # parts of rows added up where values are missing
    prediction: int
    moved: bool = False  # whether a branch was raised at the node or above it

    @staticmethod
    def as_grown(tree: Tree, node: int) -> NodeNow:
        """Node with the rows that grew it."""
        return NodeNow(held_rows(tree, node), int(tree.prediction[node]))


def root_step(estimator: TreeClassifier) -> GrowthStep:
    """Step before all events: the root alone."""
    now = NodeNow.as_grown(estimator.grown_tree_, 0)
    bold, cells = t("The tree begins as one leaf."), _cells(estimator, 0, now, np.nan)
    return GrowthStep(0, 0, t("root"), bold, now.rows, "", f"<b>{bold}</b>", cells)


def step_of(
    estimator: TreeClassifier,
    event: int,
    names: Sequence[str],
    now: NodeNow | None = None,
    why: str = "",
) -> GrowthStep:
    """Step of an event.

    `now` is what its node is after it, as grown if not given; `why` is more than the log says of
    its reason, as html.
    """
    log = estimator.growth_log_
    node = int(log.node[event])
    now = now or NodeNow.as_grown(estimator.grown_tree_, node)
    action, reason = Action(int(log.action[event])), Reason(int(log.reason[event]))
    score = float(log.score[event])
    own = {Action.SPLIT: _split, Action.LEAF: _leaf, Action.RAISE: _raised, Action.REFIT: _refitted}
    text = own.get(action, _cut)
    rest = text(estimator, event, now, escape(names[now.prediction]))
    what = {
        Action.SPLIT: t("split"),
        Action.LEAF: t("leaf"),
        Action.COLLAPSE: t("collapsed"),
        Action.PRUNE: t("pruned"),
        Action.RAISE: t("raised"),
        Action.REFIT: t("new split"),
    }[action]
    shown = "" if np.isnan(score) else number(score)
    cells = _cells(estimator, node, now, score if action == Action.SPLIT else np.nan)
    why = why or escape(t(reason.sentence))
    say = f"<b>{why}</b> {rest}"
    return GrowthStep(event + 1, node, what, plain_text(why), now.rows, shown, say, cells)


def last_step(
    estimator: TreeClassifier, training: Scores, held_out: Scores, names: Sequence[str]
) -> GrowthStep:
    """Last step, which shows the tree that predicts and how often it is right."""
    log, tree = estimator.growth_log_, estimator.tree_
    bold = t("The tree is finished.")
    parts, changes = [], len(log) - log.n_growth_events
    if changes:
        parts.append(
            plural(
                changes,
                "Grown to {grown} leaves, it was changed in {n} step.",
                "Grown to {grown} leaves, it was changed in {n} steps.",
                grown=number(estimator.grown_tree_.n_leaves),
            )
        )
    judged = held_out or training
    always = {
        "name": names[majority(training)], "base": right_words(baseline(training, judged)),
    }  # fmt: skip
    sentence = (
        "It classifies {own} of the held-out rows correctly; always predicting {name}: {base}."
        if held_out
        else "It classifies {own} of the training rows correctly; always predicting {name}: {base}."
    )
    parts.append(t(sentence, own=right_words(judged, is_new=bool(held_out)), **always))
    now = NodeNow.as_grown(tree, 0)
    cells = _cells(estimator, 0, now, np.nan)
    say = f"<b>{bold}</b> {escape(paragraph(parts))}"
    return GrowthStep(len(log), 0, t("finished"), paragraph(parts), now.rows, "", say, cells)


def _cells(
    estimator: TreeClassifier, node: int, now: NodeNow, score: float
) -> tuple[tuple[str, str, str], ...]:
    criterion = CRITERIA[estimator.criterion_column]
    cells = [(number(now.rows), "", t("rows at this node"))]
    if not now.moved:  # of the rows that grew the node
        impurity = float(estimator.grown_tree_.impurity[node])
        cells.append((number(impurity), "", t(criterion.impurity_title)))
    if np.isfinite(score):
        cells.append(
            (number(score), "", t("score, {name}", name=t(estimator.SCORED or criterion.title)))
        )
    return tuple(cells)


def row_words(rows: float) -> str:
    """Number of rows in words, parts of rows added up."""
    if float(rows).is_integer():
        return plural(int(rows), "{n} row", "{n} rows")
    return t("{n} rows", n=number(rows))


def _split(estimator: TreeClassifier, event: int, now: NodeNow, name: str) -> str:
    tree, node = estimator.grown_tree_, int(estimator.growth_log_.node[event])
    counts = [number(held_rows(tree, child)) for child in tree.children(node)]
    values = {
        "node": node,
        "test": f"<i>{split_words(tree, node)}</i>",
        "rows": row_words(now.rows),
    }
    if len(counts) == 2:
        sentence = "Node {node} tests {test}: of its {rows}, {yes} go to yes and {no} to no."
        return t(sentence, yes=counts[0], no=counts[1], **values)
    named = [
        t("{test}: {n}", test=split_words(tree, node, branch=branch), n=count)
        for branch, count in enumerate(counts)
    ]
    values["branches"] = list_names(named, MOST_BRANCHES)
    return t("Node {node} splits its {rows} by {test} ({branches}).", **values)


def _leaf(estimator: TreeClassifier, event: int, now: NodeNow, name: str) -> str:
    node = int(estimator.growth_log_.node[event])
    sentence = "Node {node} becomes a leaf of {rows} and predicts {name}."
    return t(sentence, node=node, rows=row_words(now.rows), name=name)


BITS = "Node {node}, {rows}, becomes a leaf again and predicts {name}; bits saved: {score}."
SAVED = {
    Reason.NO_FEWER_ERRORS: "Node {node}, {rows}, becomes a leaf again and predicts {name}; "
    "training errors saved: {score}.",
    Reason.LEAF_ESTIMATE: "Node {node}, {rows}, becomes a leaf again and predicts {name}; "
    "estimated errors saved: {score}.",
    Reason.WEAKEST_LINK: "Node {node}, {rows}, becomes a leaf again and predicts {name}; this cut "
    "is made for every alpha from {score} on.",
    Reason.ENTROPY_COST: BITS,
    Reason.CUT_BY_HAND: "Node {node}, {rows}, becomes a leaf again and predicts {name}.",
    Reason.WITHIN_ONE_ERROR: "Node {node}, {rows}, becomes a leaf again and predicts {name}; "
    "it errs on {score} rows less than the limit.",
    Reason.DESCRIPTION_LENGTH: BITS,
}


def _cut(estimator: TreeClassifier, event: int, now: NodeNow, name: str) -> str:
    log = estimator.growth_log_
    return t(
        SAVED[Reason(int(log.reason[event]))],
        node=int(log.node[event]),
        rows=row_words(now.rows),
        name=name,
        score=number(float(log.score[event])),
    )


def _raised(estimator: TreeClassifier, event: int, now: NodeNow, name: str) -> str:
    log = estimator.growth_log_
    return t(
        "The branch at node {branch} takes the place of node {node} with its {rows}; the "
        "predictions stay."
        if log.reason[event] == Reason.ONE_SIDE
        else "The branch at node {branch} takes the place of node {node} with its {rows}; "
        "estimated errors saved: {score}.",
        branch=int(log.branch[event]),
        node=int(log.node[event]),
        rows=row_words(now.rows),
        score=number(float(log.score[event])),
    )


def _refitted(estimator: TreeClassifier, event: int, now: NodeNow, name: str) -> str:
    log = estimator.growth_log_
    split = log.splits[int(log.branch[event])]
    return t(
        "Node {node} now splits its {rows} by {split}. For {care} of them exactly one branch "
        "predicts the class; training errors saved: {score}.",
        node=int(log.node[event]),
        care=number(len(estimator.care_[int(log.branch[event])])),
        rows=row_words(now.rows),
        split=f"<i>{words_of_split(split, estimator.grown_tree_)}</i>",
        score=number(float(log.score[event])),
    )


def notes(scene: GrowthScene, n_played: int) -> str:
    """Notes on the growth, as HTML.

    `n_played` is the number of events of the log that have a step.
    """
    plane, sentences = scene.plane, []
    if len(scene.drawn) < len(scene.rows) and scene.picture == "plane":
        sentence = "{drawn} of {rows} training rows are drawn."
        sentences.append(t(sentence, drawn=number(len(scene.drawn)), rows=number(len(scene.rows))))
    n_events = len(scene.model.growth_log_)
    if not scene.curved and n_played < n_events:
        sentence = "The growth took {n} steps: the first {m} are played, then the finished tree."
        sentences.append(t(sentence, n=number(n_events), m=number(n_played)))
    if scene.picture == "values":
        sentences.append(
            t("{n} features have no common plane: each line shows how "
              "the decision value f of a class is distributed; rows right of "
              "0 are split off.", n=len(plane.at))
        )  # fmt: skip
    else:
        sentences += filter(None, [band_words(plane, late=True)])
        sentences += [_slice(scene)] if plane.is_slice else []
    sentences += filter(None, [envelope_words(scene.model)])
    return escape(paragraph(sentences))


def _slice(scene: GrowthScene) -> str:
    plane = scene.plane
    tree, form, values = scene.model.tree_, scene.division.form, scene.division.values
    return t(
        "A slice: the other {n} features are fixed {where}. {share} % of the rows lie on "
        "the colour of the class that the finished tree predicts for them.",
        n=len(plane.at) - len(set(plane.features)),
        where=fixed_words(plane),
        share=percent(slice_fidelity(tree, values, plane.columns_in(form), plane.at_in(form))),
    )


def how_it_works(scene: GrowthScene) -> list[str]:
    """Sentences on the growth of the tree and on reading its picture."""
    if scene.curved:
        return [
            settings_words(scene.model),
            t(
                "At each node one class is split off: the one whose nearest rival is farthest "
                "away, in units of both spreads. Rows that an SVM misclassifies are not corrected "
                "further down, so the class that is easiest to separate comes first."
            ),
            t(SPREAD),
            t(
                "The paper takes a separability of at least 1 for classes that do not overlap. "
                "Here the value is never read that way: it depends on the unit of measurement and "
                "on the width of the kernel. An SVM can separate classes far below 1 without an "
                "error, and classes above 1 can overlap. Only the order of the values means "
                "something."
            ),
            t(
                "Each SVM learns from all rows of the classes still in play, also from those that "
                "an earlier SVM misclassified."
            ),
        ]
    lines = [
        t(
            "The file does not record in which order the tree grew or what else was considered, "
            "so its tests are shown from the root down, level by level. Rows and impurities of "
            "nodes are those in the file; the points are rows of this data set."
        )
        if is_imported(scene.work.first.chosen.key)
        else t("Grown best first: of all leaves the one whose split gains most is split next.")
        if getattr(scene.model, "max_leaf_nodes", None) is not None
        else t("Grown depth first: a branch is finished before the next one begins.")
    ]
    if scene.model.growth_log_.splits:
        lines.append(
            t(
                "Then the splits are improved, sweep by sweep from the deepest up: a new split is "
                "kept where it saves training errors. The dashed line is the split that it "
                "replaces."
            )
        )
    lines.append(
        t(
            "In the tree the branches of a test stand in the order of its values; of two the upper "
            "one is yes. Click a bar to go to the step that decided its node."
        )
    )
    return lines


LINE = '<path d="M0 8h16"/>'
DOTS = '<path d="M0 8h2M5 8h2M10 8h2M15 8h1"/>'
DASH = '<path d="M0 8h6M10 8h6"/>'
POINT = '<circle cx="8" cy="8" r="5"/>'


def growth_legend(
    class_names: Sequence[str],
    theme: ThemeName,
    *,
    curved: bool,
    picture: str,
    lost: bool = False,
    refitted: bool = False,
) -> str:
    """Legend as HTML: classes, and the lines and points of this kind of tree."""
    tokens, items = THEMES[theme], class_items(class_names, theme)
    line = sign(LINE, line=tokens.ink, width=3)
    if not curved:
        grey = sign(LINE, line=tokens.grey3, width=2)
        gone = sign(DASH, line=tokens.grey5, width=2)
        items += [f"{line} {t('this split')}", f"{grey} {t('earlier')}"]
        items += [f"{gone} {t('replaced') if refitted else t('cut back')}"]
        if refitted:
            point = sign(POINT, fill=tokens.hue(0), line=tokens.ink, width=1.75)
            items += [f"{point} {t('right or wrong by this split')}"]
        return legend_of(items)
    dots = sign(DOTS, line=tokens.grey3, width=1.75)
    items += [f"{line} f = 0", f"{dots} f = ±1"]
    if picture == "plane":
        edged = sign(POINT, fill=tokens.hue(0), line=tokens.ink, width=1.75)
        core = f'<circle cx="8" cy="8" r="1.5" fill="{tokens.ink}"/>'
        bound = sign(POINT + core, fill=tokens.hue(0), line=tokens.ink, width=1.75)
        ring = sign('<circle cx="8" cy="8" r="6.5"/>', line=tokens.ink, width=1.5)
        items += [f"{edged} {t('support vector')}", f"{bound} {t('at the limit C')}"]
        items += [f"{ring} {t('lost here')}"] if lost else []
    return legend_of(items)


def player_words() -> dict[str, str]:
    """Words that the player itself needs."""
    return {
        "player": t("Growth of the tree, step by step"),
        "start": t("First step (Home)"),
        "back": t("One step back (Left)"),
        "play": t("Play (Space)"),
        "pause": t("Pause (Space)"),
        "next": t("One step on (Right)"),
        "end": t("Last step (End)"),
        "speed": t("Speed"),
        "scrub": t("Step"),
        "step": t("step {i} of {n}", i="{i}", n="{n}"),
        "tree": t("The tree so far"),
        "leaves": t("leaves so far"),
        "errors": t("training errors so far"),
        "curve": t("Training errors, step by step"),
        "table": t("All steps as a table"),
        "columns": [t("step"), t("event"), t("node"), t("rows"), t("score"), t("why")],
        "matrix": t("Separability of the classes, sm"),
        "about": t("Heavy frame: the deciding pair. Bars: the smallest entry of each row; only "
                   "their order is meaningful."),
        "peeled": t("peeled"),
        "hidden": t("Classes not shown here: {n}.", n="{n}"),
        "failed": t("Something went wrong while this picture was drawn. Reload the page."),
        "unloaded": t("The picture cannot be drawn, because plotly.min.js did not load. Reload the "
                      "page."),
        "reset": t("Reset the view"),
        "leaf": t("leaf"),
        "later": t("next"),
        "rows": t("rows"),
    }  # fmt: skip
