"""The words of the page *rules*: tests on a path with their values, hover texts, rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from lastviz.inspection import SPREADS, STOPS, Explanation
from lastviz.inspection import supports as supports_of
from lastviz.plots import RuleTreeWords, largest_first, number, split_words
from lastviz.plots.visuals.words import largest_weight, numbers_apart
from lastviz.tree import Kind, Tree
from lastviz.ui.shared.node_card import MOST_SUPPORTS, SupportTexts, node_texts
from lastviz.ui.text import percent, plural, t


def column_words(part: str) -> RuleTreeWords:
    """Names of the columns beside the tree, which holds the rows of a part."""
    return RuleTreeWords(
        rule=t("rule"),
        support=t("support"),
        shares=t("class supports"),
        confidence=t("confidence") if part == "training" else t("accuracy"),
        coverage=t("coverage"),
    )


@dataclass(frozen=True)
class RuleStep:
    """Test of a node and the sample's answer, as HTML."""

    # The test as it stands at the node; of a node with more than two branches the feature.
    question: str
    value: str  # what the sample has there
    answer: str  # whether the test holds; of more than two branches the one that is taken
    several: bool = False  # whether there are more than two branches

    @property
    def short(self) -> str:
        """Text at the node in a picture: glucose ≤ 123 · **148: no**."""
        if not self.question:
            return ""
        if self.several and self.answer == self.value:
            return f"{self.question} · <b>{self.value}</b>"
        both = {"question": self.question, "value": self.value, "answer": self.answer}
        return t("{question} · <b>{value}: {answer}</b>", **both)


# Leaves get the name of their class if `leaf_names` are given.
def written_texts(
    tree: Tree, nodes: Sequence[int], path: Explanation | None, leaf_names: Sequence[str] | None
) -> dict[int, str]:
    """Texts at the nodes: their tests, and on the path the sample's answers."""
    texts = {node: split_words(tree, node) for node in nodes if not tree.is_leaf(node)}
    if leaf_names is not None:
        names = [escape(name, quote=False) for name in leaf_names]
        texts |= {n: names[tree.prediction[n]] for n in nodes if tree.is_leaf(n)}
    if path is not None:
        steps = zip(path.node.tolist(), path.value.tolist(), path.branch.tolist(), strict=True)
        texts |= {n: step_of(tree, n, v, b).short for n, v, b in steps if b != STOPS and n in texts}
    return texts


def step_of(tree: Tree, node: int, value: float, branch: int) -> RuleStep:
    """Test of an inner node and the sample's answer.

    Its `value` is that of an Explanation, its `branch` where the sample goes on, or ``SPREADS``.
    """
    question, shown = _question(tree, node, value)
    if branch == SPREADS:
        shares = [float(tree.branch_weight[child]) for child in tree.children(node)]
        each = " : ".join(percent(share) for share in shares)
        return RuleStep(question, shown, t("all branches, {shares} %", shares=each))
    if tree.n_children[node] > 2:
        taken = split_words(tree, node, branch=branch)
        own = taken.removeprefix(f"{question} = ")
        if np.isnan(value):
            return RuleStep(question, shown, t("as {branch}", branch=taken), several=True)
        return RuleStep(question, shown, shown if own == shown else taken, several=True)
    answer = t("yes") if branch == 0 else t("no")
    if np.isnan(value) and not tree.asks_missing(node):
        return RuleStep(question, shown, t("continues with {answer}", answer=answer))
    return RuleStep(question, shown, answer)


def _question(tree: Tree, node: int, value: float) -> tuple[str, str]:
    """Test of a node and the sample's value, with digits that tell them apart."""
    question = split_words(tree, node)
    if tree.kind[node] == Kind.CATEGORIES or np.isnan(value):
        return question, _category(tree, node, value)
    if tree.kind[node] == Kind.KERNEL:
        return question, number(value)
    if tree.asks_missing(node):
        return question, number(value)
    threshold = float(tree.threshold[node])
    if tree.kind[node] == Kind.OBLIQUE:
        row = tree.split_row[node]
        largest = largest_weight(tree.oblique.weights[row])
        value, threshold = value / largest, float(tree.oblique.threshold[row]) / largest
    decimals = 0 if tree.kind[node] == Kind.OBLIQUE else tree.decimals[tree.feature[node]]
    shown, end = numbers_apart(value, threshold, decimals)
    return f"{question.rpartition(' ')[0]} {end}", shown


def _category(tree: Tree, node: int, value: float) -> str:
    """Category that a node's test looked at, as html."""
    if np.isnan(value):
        return t("unknown")
    labels = tree.feature_categories[tree.feature[node]]
    known = 0 <= value < len(labels)
    return escape(str(labels[int(value)]), quote=False) if known else t("a new category")


def hover_texts(
    tree: Tree,
    nodes: list[int],
    held_out: np.ndarray | None,
    numbers: dict[int, int],
    class_names: tuple[str, ...],
    part: str,
) -> dict[str, object]:
    """Hover texts of the nodes: class, rule, support, class supports.

    `held_out` counts the held-out rows of each class at each node, None without any; `part` says
    which rows the tree holds.
    """
    held = supports_of(tree)

    def lines(node: int) -> list[str]:
        rows, share = part_words(part, held.support[node]), percent(held.share[node])
        found = [t("{rows}, {share} % of all", rows=rows, share=share)]
        found.append(shares_words(held.classes[node], class_names))
        if held_out is not None:
            right = float(held_out[node, tree.prediction[node]])
            found.append(held_out_words(right, float(held_out[node].sum())))
        return found

    leaves = np.flatnonzero(tree.n_children == 0)
    one, many = part_words(part, 1), part_words(part, 2, n="{n}")
    supports = SupportTexts(numbers, held_out, lines, one, many)
    return node_texts(tree, leaves, class_names, nodes, supports)


def shares_words(shares: np.ndarray, class_names: Sequence[str]) -> str:
    """Largest class supports, as html."""
    top, others = largest_first(shares, MOST_SUPPORTS)
    parts = [f"{escape(class_names[k], quote=False)} {percent(shares[k])} %" for k in top]
    parts += [f"{t('other classes')} {percent(others)} %"] * bool(others)
    return t(", ").join(parts)


def small_table(label: str, titles: Sequence[str], rows: Sequence[str], *, before: str = "",
              after: str = "") -> str:  # fmt: skip
    """Small table as html, `rows` of cells between two pieces of html."""
    head = "".join(f"<th>{each}</th>" for each in titles)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return (
        f'<div class="lv-path" role="group" aria-label="{label}">{before}<table><thead><tr>{head}'
        f"</tr></thead><tbody>{body}</tbody></table>{after}</div>"
    )


def training_words(weight: float) -> str:
    """Number of training rows, parts of rows included."""
    return part_words("training", weight)


def part_words(part: str, weight: float, **values: object) -> str:
    """A number of rows of a part of the data, parts of rows included."""
    if part == "training":
        return plural(weight, "{n} training row", "{n} training rows", **values)
    if part == "held_out":
        return plural(weight, "{n} held-out row", "{n} held-out rows", **values)
    return plural(weight, "{n} new row", "{n} new rows", **values)


def held_out_words(right: float, rows: float) -> str:
    """Number of held-out rows that reach a node, and of those it classifies correctly."""
    if rows == 0:
        return t("no held-out row reaches this node")
    about = {"right": number(right), "rows": number(rows)}
    return t("classifies {right} of {rows} held-out rows correctly", **about)
