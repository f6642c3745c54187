"""The card of the picked node, as HTML: its test, its branches, the weights of a hyperplane."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.criteria.ties_kernels import TIE
from lastviz.inspection import NEAR, RunnerUp, Won, condition_steps, last_reason
from lastviz.plots import (
    ThemeName,
    condition_words,
    feature_html,
    largest_first,
    machine_words,
    number,
    rule_words,
    split_words,
    typed_array,
)
from lastviz.plots.visuals.words import threshold_words
from lastviz.splitters import Blend, Stage
from lastviz.tree import Kind, Missing, Tree
from lastviz.ui.text import paragraph, percent, plural, t

from .figures import column_title
from .headline import class_sign
from .model_view import ModelView, rows_words

TERMS = 4  # of an equation
BARS = 12


def node_card(
    view: ModelView,
    class_names: Sequence[str],
    theme: ThemeName,
    *,
    axes: tuple[int, int] = (0, 1),
    folded: bool = False,
) -> str:
    """Card of the picked node: its test and sides, or its class and stopping reason.

    The weights of a hyperplane of many features stand below it as bars, those of the features
    on the `axes` in ink; `folded` hides them until they are asked for.
    """
    tree, node = view.tree, view.node
    below = ""
    if node in view.leaves:
        head = f"{class_sign(tree.prediction[node], theme)} "
        head += escape(class_names[tree.prediction[node]])
        if tree.is_leaf(node):
            notes = [t(last_reason(view.estimator, node).sentence)]
        else:
            notes = [
                t(
                    "The tree is cut here; the next test would be {test}.",
                    test=_test(view, class_names),
                )
            ]
        sides = [(t("rows"), node)]
    else:
        head = f'<span class="lv-formula">{_test(view, class_names)}</span>'
        notes = []
        answers = (t("yes"), t("no"))
        if tree.kind[node] == Kind.CATEGORIES:
            answers = [split_words(tree, node, branch=b) for b in range(tree.n_children[node])]
        sides = list(zip(answers, tree.children(node), strict=True))
        if tree.kind[node] == Kind.OBLIQUE:
            below = _weights(view, axes, folded=folded)
    rule = rule_words(tree, node, joint=f" {t('and')} ")
    if rule:
        notes.insert(0, t("Reached by {rule}.", rule=rule))
    counts = "".join(f"<div>{side_html(tree, name, n, theme)}</div>" for name, n in sides)
    about = "".join(f"<p>{note}</p>" for note in notes)
    return (
        f'<div class="lv-card" role="group" aria-label="{t("selected node")}">'
        f"<div><div>{head}</div>{about}</div><div>{counts}</div>{below}</div>"
    )


def _test(view: ModelView, class_names: Sequence[str]) -> str:
    if len(view.tree.kernel):
        return machine_words(view.tree, view.node, class_names=class_names)
    words = split_words(view.tree, view.node, terms=TERMS, rest=t("{n} more", n="{n}"))
    if view.tree.feature[view.node] < 0:
        return re.sub(r"\b([A-Za-z])<sub>", r"<i>\1</i><sub>", words)
    name = feature_html(view.tree.feature_names[view.tree.feature[view.node]])
    return words.replace(name, f"<i>{name}</i>", 1)


def side_html(tree: Tree, name: str, node: int, theme: ThemeName) -> str:
    """Rows on one side of a test or in a leaf, in total and by class, as HTML."""
    counts, rows = tree.value[node], rows_words(tree, node)
    top, others = largest_first(counts, 5)
    held = [f"{class_sign(k, theme)} {number(round(float(counts[k]), 6))}" for k in sorted(top)]
    held += [f"{t('other classes')} {number(others)}"] * bool(others)
    held = " ".join(f"<span>{each}</span>" for each in held)
    if name == t("rows"):
        return t("{rows}: {held}", rows=rows, held=held)
    return t("{name}: {rows}: {held}", name=name, rows=rows, held=held)


def _weights(view: ModelView, axes: tuple[int, int], *, folded: bool) -> str:
    """Exact equation on demand and, of many features, the bars of their weights."""
    exact = split_words(view.tree, view.node, exact=True)
    parts = f"<details><summary>{t('exact')}</summary><code>{exact}</code></details>"
    weights = view.tree.oblique.weights[view.tree.split_row[view.node]]
    used = np.flatnonzero(weights)
    if len(used) > 2:
        order = used[np.argsort(-np.abs(weights[used]), kind="stable")][:BARS]
        scaled = weights / weights[order[0]]
        names = [feature_html(view.tree.feature_names[f]) for f in order]
        rows = zip(names, scaled[order].tolist(), np.isin(order, axes), strict=True)
        bars = "".join(_bar(*row) for row in rows)
        title = plural(len(used), "{n} weight", "{n} weights")
        if len(used) > BARS:
            title = t("the largest {n} of {all} weights", n=BARS, all=number(len(used)))
        note = f"<p>{t('The largest is 1; highlighted: the features on the axes.')}</p>"
        state = "" if folded else " open"
        parts += f"<details{state}><summary>{title}</summary><table>{bars}</table>{note}</details>"
    return f'<div class="lv-weights">{parts}</div>'


def _bar(name: str, weight: float, on_axis: bool) -> str:
    """Row: the feature, its weight as a bar from the middle, its weight in figures."""
    share = 50.0 * abs(weight)
    left = 50.0 if weight > 0 else 50.0 - share
    bar = f'<i style="margin-left: {left:.1f}%; width: {share:.1f}%"></i>'
    mark = ' class="lv-chosen"' if on_axis else ""
    figure = number(float(f"{weight:.3g}"))
    return f"<tr{mark}><th>{name}</th><td>{bar}</td><td>{figure}</td></tr>"


# ---- What the pointer reads over the nodes of a tree, in pieces that the browser puts together
#
# Each node says its rule, and rules repeat those of the nodes above: sent whole, they would be most
# of a page, and writing them most of its time. So each node brings what its last test adds, and the
# browser writes the rule of the one node that the pointer is over.


MOST_CLASSES = 5  # of which a node says how many rows it holds
MOST_SUPPORTS = 4  # classes of which a node says its share


@dataclass(frozen=True, eq=False)
class SupportTexts:
    """Texts of nodes as rules, with supports instead of rows by class."""

    numbers: Mapping[int, int]  # leaf -> number of its rule
    # (n_nodes, n_classes) float64, how many held-out rows of each class come to each node.
    held_out: np.ndarray | None
    # Returns what is said of a node between its rule and its test: for trees whose rules are not
    # written by the browser.
    lines: Callable[[int], list[str]]
    row: str  # what one of the rows that the tree holds is called, and several of them; with {n}
    rows: str  # what one of the rows that the tree holds is called, and several of them; with {n}


def node_texts(
    tree: Tree,
    leaves: np.ndarray,
    class_names: tuple[str, ...],
    drawn: list[int],
    supports: SupportTexts | None = None,
) -> dict[str, object]:
    """Texts of the nodes of a tree as shown, see ``composed`` of the chart host.

    Where all tests compare a number with a threshold, as "tests": numbers that the browser
    words. Else as "steps": words, and where they stand in the rule.

    Parameters
    ----------
    tree : Tree
    leaves : ndarray of intp
        Nodes that are shown without their test.
    class_names : tuple of str
    drawn : list of int
        The nodes that the pointer can be over.
    supports : SupportTexts, optional
        Said in place of the rows of each class.

    Returns
    -------
    dict
        "node": numbers of the nodes, rising; for each "parent": the place of its parent in that
        list, 0 for the root; "title": its class. "titles": the class names; "words": what joins
        them all. With `supports` the "number" of each rule, 0 for none.
    """
    nodes = _with_ancestors(tree, drawn)
    texts = {
        "node": typed_array(nodes),
        "parent": typed_array(np.searchsorted(nodes, tree.parent[nodes])),
        "title": typed_array(tree.prediction[nodes]),
        "titles": [escape(name, quote=False) for name in class_names],
        "words": _words(supports),
    }
    if supports is not None:
        numbers = supports.numbers
        texts["number"] = typed_array(np.array([numbers.get(node, 0) for node in nodes.tolist()]))
    if not _has_thresholds_alone(tree):
        return texts | {"steps": _steps(tree, nodes, set(leaves.tolist()), supports)}
    texts["tests"] = _tests(tree, nodes, ~np.isin(nodes, leaves))
    if supports is None:
        return texts | {"most": MOST_CLASSES}
    return texts | {"most": MOST_SUPPORTS, "supports": _held_out(tree, nodes, supports)}


def _words(supports: SupportTexts | None) -> dict[str, str]:
    common = {"and": t("and"), "next": t("next: {test}"), "others": t("other classes")}
    if supports is None:
        return common | {"row": t("{n} row"), "rows": t("{n} rows")}
    return common | {
        "row": supports.row,
        "rows": supports.rows,
        "number": t("rule {n}: {name}"),
        "share": t("{rows}, {share} % of all"),
        "right": t("classifies {right} of {rows} held-out rows correctly"),
        "nobody": t("no held-out row reaches this node"),
    }


def _with_ancestors(tree: Tree, nodes: list[int]) -> np.ndarray:
    wanted = np.zeros(tree.n_nodes, dtype=bool)
    wanted[[0, *nodes]] = True
    while True:  # once for each level
        parents = tree.parent[wanted]
        parents = parents[parents >= 0]
        if wanted[parents].all():
            return np.flatnonzero(wanted)
        wanted[parents] = True


def _has_thresholds_alone(tree: Tree) -> bool:
    """Whether every test is a number against a threshold, and rows are whole."""
    return (
        tree.missing in (Missing.REFUSE, Missing.MAJORITY)
        and bool(np.isin(tree.kind, (Kind.LEAF, Kind.THRESHOLD)).all())
        and bool((tree.value == np.rint(tree.value)).all())
    )


def _tests(tree: Tree, nodes: np.ndarray, inner: np.ndarray) -> dict[str, object]:
    """Tests of the nodes; feature -1 where none is shown."""
    parent = np.maximum(tree.parent[nodes], 0)
    return {
        "branch": typed_array(nodes - tree.first_child[parent]),
        "feature": typed_array(np.where(inner, tree.feature[nodes], -1)),
        "threshold": [threshold_words(tree, node) for node in nodes[inner].tolist()],
        "names": [feature_html(name) for name in tree.feature_names],
        "counts": typed_array(tree.value[nodes].astype(np.int64).ravel()),
    }


# Empty without held-out rows.
def _held_out(tree: Tree, nodes: np.ndarray, supports: SupportTexts) -> dict[str, object]:
    """Numbers of held-out rows that reach the nodes, and of the correct ones."""
    if supports.held_out is None:
        return {}
    counts = supports.held_out[nodes].astype(np.int64)
    right = counts[np.arange(len(nodes)), tree.prediction[nodes]]
    return {"held_out": typed_array(counts.sum(axis=1)), "right": typed_array(right)}


def _steps(
    tree: Tree, nodes: np.ndarray, leaves: set[int], supports: SupportTexts | None
) -> dict[str, object]:
    steps = condition_steps(tree, nodes)
    if supports is None:
        amounts = {
            "rows": [rows_words(tree, node) for node in nodes.tolist()],
            "counts": [_counts(values) for values in tree.value[nodes]],
        }
    else:
        amounts = {"lines": [supports.lines(node) for node in nodes.tolist()]}
    return amounts | {
        "place": [place for place, _ in steps],
        "condition": [
            "" if condition is None else condition_words(tree, (condition,))
            for _, condition in steps
        ],
        "next": ["" if node in leaves else split_words(tree, node) for node in nodes.tolist()],
    }


def _counts(values: np.ndarray) -> list[tuple[int, str]]:
    """Largest classes with their rows; -1 stands for all others."""
    top, others = largest_first(values, MOST_CLASSES)
    named = [(k, number(round(float(values[k]), 6))) for k in top]
    return named + [(-1, number(others))] * bool(others)


# ---- By how much a split won over whom and what a selection rule keeps, in words


TELLING = 1.01  # ratios below it say less than a difference
DOUBLE = 2.0  # from here on a ratio is easier to read than per cent


def runner_up_words(won: Won, names: Sequence[str]) -> str:
    """Reason why a split was selected, as HTML.

    It has the score, the number of candidates and the runner-up.

    `names` are those of the features.
    """
    found, stage = won.over, won.stage
    first = _first_words(won)
    alone = t("{reason}.", reason=first)
    if found is None:
        return paragraph([alone, t("No other feature has an admissible candidate here.")])
    if isinstance(found, Stage):
        sentence = "The other features were excluded by this step of the rule: {step}."
        return paragraph([alone, t(sentence, step=stage_words(found))])
    test = feature_html(found.axis_name or names[found.feature])
    if np.isfinite(found.threshold):
        test = f"{test} ≤ {number(found.threshold, found.decimals)}"
    second = t("runner-up {test}, {score}", test=test, score=number(found.score))
    apart = _apart_words(found, is_lower=stage.keeps != "argmin")
    words = [t("{won}; {second} ({apart}).", won=first, second=second, apart=apart)]
    return paragraph([*words, _near_words(found)] if found.n_near else words)


def _first_words(won: Won) -> str:
    """Score of the winner, and of how many candidates it is the best."""
    column, is_smallest = won.stage.column, won.stage.keeps == "argmin"
    values = {
        "criterion": t("score")
        if isinstance(column, Blend)
        else escape(t(CRITERIA[column].title) if column in CRITERIA else column_title(column)),
        "n": number(won.n_judged),
        "all": number(won.n_candidates),
        "score": number(won.score),
    }
    if won.n_candidates == 1:
        return t("The only candidate; {criterion} {score}", **values)
    if won.n_judged == won.n_candidates:
        if is_smallest:
            return t("Smallest {criterion} of {n} candidates, {score}", **values)
        return t("Largest {criterion} of {n} candidates, {score}", **values)
    if won.n_judged == 1:
        sentence = "The only one of {all} candidates that was shortlisted; {criterion} {score}"
        return t(sentence, **values)
    if is_smallest:
        sentence = "Smallest {criterion} of {n} shortlisted candidates ({all} in all), {score}"
        return t(sentence, **values)
    sentence = "Largest {criterion} of {n} shortlisted candidates ({all} in all), {score}"
    return t(sentence, **values)


def _apart_words(found: RunnerUp, *, is_lower: bool) -> str:
    """Distance of the runner-up from the winner: a tie, a difference, a ratio."""
    if np.isclose(found.score, found.winner_score, rtol=1e-9, atol=TIE):
        return t("a tie, decided by the order of the candidates")
    if not found.times >= TELLING:
        apart = number(float(f"{abs(found.winner_score - found.score):.3g}"))
        return t("{apart} apart", apart=apart)
    if is_lower:
        return t("{share} % lower", share=percent(1 - 1 / found.times, 0))
    if found.times >= DOUBLE:
        times = number(float(f"{found.times:.3g}"))
        return t("{n} times as large; small is good", n=times)
    return t("{share} % higher; small is good", share=percent(found.times - 1, 0))


def _near_words(found: RunnerUp) -> str:
    return plural(
        found.n_near,
        "{n} other feature came within {share} % of it: a near-tie.",
        "{n} other features came within {share} % of it: near-ties.",
        share=number(100 * NEAR),
    )


def stage_words(stage: Stage, *, components: bool = False) -> str:
    """Candidates that a stage of a rule keeps, as HTML.

    `components` says that candidates lie along components instead of features.
    """
    sentences = {
        "best_within_feature": "keep each component's best by {score}"
        if components
        else "keep each feature's best by {score}",
        "positive": "keep those with {score} above 0",
        "at_least": "keep those with {score} of at least {floor}",
        "at_least_mean": "keep those with at least the mean {score}",
        "argmax": "take the largest {score}",
        "argmin": "take the smallest {score}",
        "largest": "keep the largest {score}",
        "minima": "keep the smallest {score}",
        "top_k": "keep the best {k} by {score}",
    }
    return t(
        sentences[stage.keeps],
        score=_score_words(stage.column),
        k=stage.k,
        floor=number(stage.floor),
    )


def _score_words(column: str | Blend) -> str:
    """Score that a stage reads, in words."""
    if not isinstance(column, Blend):
        return escape(column_title(column))
    parts = []
    for term in column.terms:
        weight = "" if abs(term.weight) == 1 else f"{number(abs(term.weight))} · "
        sign = "− " if term.weight < 0 else ("+ " if parts else "")
        parts.append(f"{sign}{weight}{escape(column_title(term.column))}")
    return " ".join(parts)
