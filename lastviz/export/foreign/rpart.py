"""Trees of R's rpart: the text that ``print(fit)`` gives.

The text rounds: thresholds to four digits, or as many as ``print(fit, digits=)`` asks for. So a
row within rounding of a threshold may go elsewhere than in R, and surrogate splits are not told.
"""

from __future__ import annotations

import re

import numpy as np

from lastviz.estimators import AnyImported, make_imported
from lastviz.tree import Missing

from .nodes import LEFT, NO_CLASSES, NOWHERE, RIGHT, FileNode, Head, no_support, tree_of

HEAD = re.compile(r"^node\), split, n, (loss|deviance), yval", re.MULTILINE)
NUMBER = r"[-+]?[\d.]{1,30}(?:e[-+]?\d{1,3})?"
LINE = re.compile(
    rf"^ *(?P<node>\d{{1,15}})\) (?P<split>.{{1,2000}}?) (?P<rows>\d{{1,12}}) +{NUMBER} +"
    rf"(?P<said>.{{1,300}}?)(?: +\((?P<shares>[-+\d.e ]+)\))? *\*? *$"
)
NUMERIC = re.compile(rf"^(.+?)(>=|<) *({NUMBER})$")
MOST_LINES = 20_000
Split = tuple[str, float, tuple[set[str], set[str]] | None]  # column, threshold, categories


def from_text(text: str) -> AnyImported:
    """Tree of the text of ``print(fit)``."""
    head = HEAD.search(text)
    lines = _lines(text[head.end() :])
    if 1 not in lines or lines[1]["split"] != "root":
        raise no_support("node 1", "a text without a root", "the whole of print(fit)")
    classes = _classes(lines) if head[1] == "loss" else NO_CLASSES
    asked = {n: _split_at(lines, n) for n in lines if 2 * n in lines or 2 * n + 1 in lines}
    features = tuple(dict.fromkeys(name for name, _, _ in asked.values()))
    groups: dict[str, set[str]] = {}
    for name, _, sides in asked.values():
        groups.setdefault(name, set()).update(*(sides or ()))
    known = [tuple(sorted(groups[name])) or None for name in features]
    place = {number: i for i, number in enumerate(sorted(lines))}
    nodes = []
    for number in place:
        line = lines[number]
        node = FileNode(rows=float(line["rows"]))
        if len(classes):
            node.counts, node.label = _counts(line), classes.tolist().index(line["said"])
        else:
            node.value = _number(line["said"], number)
        if number in asked:
            name, node.threshold, sides = asked[number]
            node.feature = features.index(name)
            node.children = place[2 * number], place[2 * number + 1]
            if sides is not None:
                node.branch = np.array([
                    LEFT if each in sides[0] else RIGHT if each in sides[1] else NOWHERE
                    for each in known[node.feature]
                ])  # fmt: skip
            elif ">=" in lines[2 * number]["split"]:
                node.children = node.children[::-1]
        nodes.append(node)
    tree = tree_of(nodes, Head(features, tuple(known), classes), "the tree", Missing.REFUSE)
    return make_imported([tree], algorithm="rpart, thresholds as printed")


def _lines(text: str) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    for row in text.splitlines():
        if re.match(r" *\d+\) ", row):
            match = LINE.match(row)
            if match is None or int(match["node"]) in found or len(found) >= MOST_LINES:
                raise no_support(row.strip()[:60], "such a line",
                                  f"up to {MOST_LINES}: node), split, n, loss, yval")  # fmt: skip
            found[int(match["node"])] = match.groupdict()
    return found


def _number(word: str, number: int) -> float:
    if not re.fullmatch(NUMBER, word) or word.count(".") > 1:
        raise no_support(f"node {number}", f"the number {word[:40]}")
    return float(word)


def _shares(line: dict[str, str]) -> np.ndarray:
    number = int(line["node"])
    shares = np.array([_number(word, number) for word in (line["shares"] or "").split()])
    if (shares < 0).any() or abs(shares.sum() - 1.0) > 0.01:
        raise no_support(f"node {number}", "a (yprob) that does not add up to 1")
    return shares


def _classes(lines: dict[int, dict[str, str]]) -> np.ndarray:
    """Classes in the order of (yprob); a line names its likeliest."""
    names: dict[int, str] = {}
    each = {number: _shares(line) for number, line in lines.items()}
    for number, shares in each.items():
        most = np.flatnonzero(shares == shares.max())
        if len(most) == 1 and lines[number]["said"] not in names.values():
            names.setdefault(int(most[0]), lines[number]["said"])
    n, named = len(each[1]), {line["said"] for line in lines.values()}
    alike = all(len(shares) == n for shares in each.values())
    if not alike or len(names) < n or named - {*names.values()}:
        what = f"{n} classes of which nodes predict {', '.join(sorted(named))}"
        raise no_support("(yprob)", what, "PMML, which names all classes")
    return np.array([names[k] for k in range(n)])


def _counts(line: dict[str, str]) -> np.ndarray:
    shares, rows = _shares(line), int(line["rows"])
    counts = shares / shares.sum() * rows
    rounded = np.round(counts)
    near = np.abs(counts - rounded).max() <= 1e-3 * max(rows, 1) and rounded.sum() == rows
    return rounded if near else counts


def _split_at(lines: dict[int, dict[str, str]], number: int) -> Split:
    """Column of a split, with its threshold or the categories of both sides."""
    both = [lines.get(2 * number + side, {"split": ""})["split"].strip() for side in (0, 1)]
    first, second = map(NUMERIC.match, both)
    if first and second and first[1] == second[1] and {first[2], second[2]} == {"<", ">="}:
        cut = _number(first[3], number)
        return first[1].strip(), float(np.nextafter(cut, -np.inf)), None
    (name, sign, one), (other, _, two) = (split.partition("=") for split in both)
    if not sign or name != other:
        raise no_support(f"node {number}", f"a split into “{both[0]}” and “{both[1]}”")
    return name, np.nan, (set(one.split(",")), set(two.split(",")))
