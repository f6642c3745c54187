"""Words and numbers as figures and pages print them."""

from __future__ import annotations

import html
import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from numbers import Integral

import numpy as np

from lastviz._recent import recently
from lastviz._sentences import HUNDRED as HUNDRED
from lastviz._sentences import isolate
from lastviz.splitters import ObliqueSplit, Split
from lastviz.tree import Kind, Tree, decimals_of, digits, threshold_decimals
from lastviz.tree.digits import SIGNIFICANT, places_of

_translated: Callable[[str], str] = str  # English
MOST_CATEGORIES = 6  # named in one test
FIXED = 12  # decimals that the pointer reads; beyond, a power of ten
IS_MISSING = "{name} is missing"
IS_KNOWN = "{name} is not missing"
MANY = "{n} classes"
_INDEXED = re.compile(r"([xu])_?(\d{1,3})")  # names that columns and components are given here
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60]")  # East Asian letters
_RELATION = re.compile(r" (≤|≥|=|∈|&gt;|&lt;) ")


@dataclass(frozen=True)
class FigureWords:
    """The words that figures use in hover texts and notes; pass translated ones.

    `hidden` has the places {leaves} and {rows}, `sampled` {shown} and {rows}.
    """

    row: str = "row"
    rows: str = "rows"
    training: str = "training"
    held_out: str = "held out"
    wrong: str = "misclassified"
    hidden: str = "{leaves} more leaves below nodes with fewer than {rows} rows"
    true_class: str = "true class"
    predicted_class: str = "predicted class"
    sampled: str = "{shown} of {rows} rows"
    others: str = "other classes"


def say_by(translated: Callable[[str], str]) -> None:
    """Set the translation of the few words in tests of nodes.

    `translated` puts them into the user's language.
    """
    global _translated
    _translated = translated


def say(english: str) -> str:
    """Word of a node's test as it is to be said, see :func:`say_by`."""
    return _translated(english)


def feature_html(name: str) -> str:
    """Feature's name as plotly html: x1 becomes x with a low 1, the rest is escaped.

    So do the names of components (u1, PC1 stays); any other name is the data's own, as it is. A
    sign of percent is written so that plotly does not fill in a value for it.
    """
    indexed = _INDEXED.fullmatch(name)
    if indexed:
        return f"{indexed[1]}<sub>{indexed[2]}</sub>"
    return _as_html(name)


def _as_html(text: str) -> str:
    """Text that plotly prints as it is: no tag, no place for a value, no turned words."""
    return isolate(html.escape(text, quote=False)).replace("%{", "%&#123;")


def split_words(
    tree: Tree,
    node: int,
    *,
    branch: int | None = None,
    terms: int = 3,
    exact: bool = False,
    rest: str = "…",
) -> str:
    """Test of `node` for a branch (0, 1, ...); "" at a leaf.

    Without a `branch` it is that for the first one, and where a nominal feature has more than
    two branches the feature's name alone.

    An oblique split is divided by its largest weight, then the `terms` largest are printed,
    rounded, and `rest` for the {n} others; `exact` prints the split as it is stored, with
    every digit.

    Examples
    --------
    ``x<sub>1</sub> ≤ 0.606`` for branch 0, ``x<sub>1</sub> &gt; 0.606`` for branch 1,
    ``x<sub>1</sub> − 0.75 x<sub>2</sub> ≤ 0.3`` for an oblique split; ``x<sub>1</sub> is not
    missing`` and ``x<sub>1</sub> is missing`` where that is all that is asked.
    """
    if not tree.n_children[node]:
        return ""
    if tree.asks_missing(node):
        name = feature_html(tree.feature_names[tree.feature[node]])
        return say(IS_MISSING if branch == 1 else IS_KNOWN).format(name=name)
    if tree.kind[node] == Kind.CATEGORIES:
        return _categories_words(tree, node, branch)
    branch = branch or 0
    if tree.kind[node] == Kind.KERNEL:
        return machine_words(tree, node, branch=branch)
    if tree.kind[node] == Kind.OBLIQUE:
        names = [feature_html(name) for name in tree.feature_names]
        row = tree.split_row[node]
        weights, threshold = tree.oblique.weights[row], float(tree.oblique.threshold[row])
        how = {"branch": branch, "terms": terms, "exact": exact, "rest": rest}
        return hyperplane_words(weights, threshold, names, **how)
    threshold = float(tree.threshold[node])
    right = _exactly(threshold) if exact else threshold_words(tree, node)
    name = feature_html(tree.feature_names[tree.feature[node]])
    return f"{name} {'≤' if branch == 0 else '&gt;'} {right}"


def threshold_words(tree: Tree, node: int) -> str:
    """Threshold of `node` with the digits that its feature needs in the tree."""
    return number(float(tree.threshold[node]), tree.decimals[tree.feature[node]])


def words_of_split(split: Split | ObliqueSplit, tree: Tree) -> str:
    """Test of a split for its first branch, as :func:`split_words` has it.

    `tree` may not have the split.
    """
    names = [feature_html(name) for name in tree.feature_names]
    if isinstance(split, ObliqueSplit):
        return hyperplane_words(split.weights, split.threshold, names)
    own = threshold_decimals(np.array([split.threshold]))
    decimals = max(own, tree.decimals[split.feature])
    return f"{names[split.feature]} ≤ {number(split.threshold, decimals)}"


def _categories_words(tree: Tree, node: int, branch: int | None) -> str:
    feature = int(tree.feature[node])
    name = feature_html(tree.feature_names[feature])
    if branch is None and tree.n_children[node] > 2:
        return name
    taken = np.flatnonzero(tree.categories.branch[tree.split_row[node]] == (branch or 0))
    return category_words(name, tree.feature_categories[feature], taken.tolist())


def category_words(
    name: str, labels: Sequence[object], codes: Sequence[int], *, html: bool = True
) -> str:
    """Categories of a nominal feature: ``sky = grey``, ``sky ∈ {grey, red}``.

    Without any it is missing.
    """
    if not len(codes):
        return say(IS_MISSING).format(name=name)
    inside = [isolate(str(labels[code])) for code in codes]
    if len(inside) > MOST_CATEGORIES:
        inside = [*inside[: MOST_CATEGORIES - 1], f"{len(inside) - MOST_CATEGORIES + 1} …"]
    inside = list(escape_names(inside)) if html else inside
    return f"{name} = {inside[0]}" if len(inside) == 1 else f"{name} ∈ {{{', '.join(inside)}}}"


def hyperplane_words(
    weights: np.ndarray,
    threshold: float,
    names: Sequence[str],
    *,
    branch: int = 0,
    terms: int = 3,
    exact: bool = False,
    rest: str = "…",
) -> str:
    """Test ``x @ weights <= threshold`` as :func:`split_words` prints it."""
    largest = 1.0 if exact else largest_weight(weights)
    less, more = ("≤", "&gt;") if largest > 0 else ("≥", "&lt;")
    left = weighted_sum(weights / largest, names, terms=terms, exact=exact, rest=rest)
    threshold /= largest
    alone = np.count_nonzero(weights) == 1
    right = _exactly(threshold) if exact else (exact_number if alone else number)(threshold)
    return f"{left} {less if branch == 0 else more} {right}"


def _exactly(value: float) -> str:
    return repr(value).replace("-", _MINUS)


def plain_split(tree: Tree, node: int) -> str:
    """Test of `node` for its first branch as plain text; "" at a leaf."""
    return plain_text(split_words(tree, node))


def machine_words(
    tree: Tree,
    node: int,
    *,
    branch: int = 0,
    html: bool = True,
    class_names: Sequence[str] | None = None,
) -> str:
    """Test of a kernel node for its first (0) or second (1) branch.

    The tree's own classes are named if `class_names` is None.

    Examples
    --------
    ``f(1 | 2, 3) &gt; 0``: class 1 on the positive side, classes 2 and 3 on the other.
    """
    row = int(tree.split_row[node])
    names = tree.classes if class_names is None else np.array(class_names, dtype=object)
    sides = [_some(names[m[row]]) for m in (tree.kernel.first, tree.kernel.second)]
    more = "&gt;" if html else ">"
    between = " | ".join(escape_names(sides) if html else sides)
    return f"f({between}) {more if branch == 0 else '≤'} 0"


def _some(names: np.ndarray) -> str:
    return ", ".join(map(str, names)) if len(names) <= 3 else say(MANY).format(n=len(names))


def escape_names(names: Iterable[object]) -> tuple[str, ...]:
    """Names as texts that plotly prints unchanged."""
    return tuple(_as_html(str(name)) for name in names)


def class_titles(labels: Sequence[object], word: str = "class {name}") -> tuple[str, ...]:
    """Display names of classes; a bare number gets a word before it, ``"class 2"``."""
    return tuple(
        word.format(name=label) if isinstance(label, int) else str(label) for label in labels
    )


def class_names_of(tree: Tree, names: Sequence[str] | None) -> tuple[str, ...]:
    """`names`, or the tree's own classes, escaped."""
    return escape_names(tree.classes if names is None else names)


def shorten_name(name: str, letters: int) -> str:
    """`name` cut to `letters`, the last one an ellipsis.

    East Asian letters count twice.

    Examples
    --------
    >>> shorten_name("pessimistic", 6), shorten_name("悲观剪枝", 6)
    ('pessi…', '悲观…')
    """
    ends = list(accumulate(2 if _WIDE.match(letter) else 1 for letter in name))
    if not ends or ends[-1] <= letters:
        return name
    return name[: bisect_right(ends, letters - 1)].rstrip() + "…"


def distinct_labels(names: Iterable[str], letters: int) -> list[str]:
    """Names cut to `letters`.

    Those that would read alike lose their middle instead of their end.

    Examples
    --------
    >>> distinct_labels(["k-NN", "k-NN (neighbours: 17)", "k-NN (neighbours: 18)"], 12)
    ['k-NN', 'k-NN…rs: 17)', 'k-NN…rs: 18)']
    """
    names = list(names)
    short = [shorten_name(name, letters) for name in names]
    return [
        cut if cut == name or short.count(cut) == 1 else _without_middle(name, letters)
        for name, cut in zip(names, short, strict=True)
    ]


def _without_middle(name: str, letters: int) -> str:
    end = 7 * letters // 12
    return name[: letters - 1 - end].rstrip() + "…" + name[-end:].lstrip()


def fit_text(text: str, width: float, size: float = 14.0) -> str:
    """Plotly HTML cut to about `width` pixels: a name first, then the end.

    What follows the name (relation and threshold) and what follows the last " · " stay whole as
    long as three letters of the name are left.

    Examples
    --------
    >>> fit_text("credit_history ≤ 20.5", 100.0)
    'credit… ≤ 20.5'
    """
    letters = max(int(width / (0.5 * size)), 1)
    if text_width(text, size) <= width:
        return text
    head, dot, tail = text.rpartition(" · ")
    head, tail = (head, dot + tail) if dot else (text, "")
    parted = _RELATION.search(head)
    name, condition = (head[: parted.start()], head[parted.start() :]) if parted else (head, "")
    room = letters - int(text_width(condition + tail, 2.0))
    if room >= 3:
        short = html.escape(shorten_name(plain_text(name), room), quote=False)
        bold = name.startswith("<b>")
        return (f"<b>{short}</b>" if bold else short) + condition + tail
    return html.escape(shorten_name(plain_text(text), letters), quote=False)


def plain_text(text: str) -> str:
    """Plotly HTML as plain text."""
    return html.unescape(re.sub(r"<[^>]*>", "", text))


def text_width(text: str, size: float = 14.0) -> float:
    """Approximate width of plotly HTML in pixels, at a type size.

    Examples
    --------
    >>> text_width("class <b>0</b>", 10.0), text_width("类别 0", 10.0)
    (35.0, 30.0)
    """
    plain = re.sub(r"<[^>]*>", "", re.sub(r"&#?\w+;", "&", text))
    return 0.5 * size * (len(plain) + len(_WIDE.findall(plain)))


def node_html(
    tree: Tree,
    node: int,
    class_names: Sequence[str] | None = None,
    words: FigureWords | None = None,
) -> str:
    """Content of a node: test or class, number of rows, and of its largest classes."""
    return nodes_html(tree, [node], class_names, words)[0]


def nodes_html(
    tree: Tree,
    nodes: Sequence[int],
    class_names: Sequence[str] | None = None,
    words: FigureWords | None = None,
) -> list[str]:
    """:func:`node_html` of many nodes, their shared parts formatted once."""
    words, names, texts = words or FigureWords(), class_names_of(tree, class_names), []
    for node in nodes:
        counts = tree.value[node].tolist()
        top, others = largest_first(counts, 4)
        parts = [f"{names[k]}: {number(counts[k])}" for k in sorted(top)]
        held = ", ".join(parts + [f"{words.others}: {number(others)}"] * bool(others))
        head = split_words(tree, node) if tree.n_children[node] else names[tree.prediction[node]]
        rows = f"{number(int(tree.n_node_samples[node]))} {words.rows}"
        texts.append(f"<b>{head}</b><br>{rows}<br>{held}")
    return texts


def numbers_apart(value: float, other: float, decimals: int = 0) -> tuple[str, str]:
    """Two values of a column that needs `decimals`, and digits that tell them apart.

    Examples
    --------
    >>> numbers_apart(20.50001, 20.5), numbers_apart(48.0, 20.5)
    (('20.50001', '20.5'), ('48', '20.5'))
    """
    decimals = max(decimals, threshold_decimals(np.array([value, other])))
    return number(value, decimals), number(other, decimals)


def exact_number(value: float) -> str:
    """Number that somebody chose with all of its digits, unless there are too many."""
    return number(value, threshold_decimals(np.array([value])))


def numbers_of(column: np.ndarray, values: Iterable[float]) -> list[str]:
    """Values with the digits that distinguish the values of a column."""
    decimals = decimals_of(column)
    return [number(float(value), decimals) for value in values]


def hover_format(column: np.ndarray) -> str:
    """D3 format of the values of a column in hover texts."""
    places = column_places(column)
    return f".{places}~f" if places <= FIXED else f".{SIGNIFICANT}~g"


def column_places(column: np.ndarray) -> int:
    """Number of decimals of a whole column."""
    finite = np.abs(np.asarray(column, dtype=np.float64)[np.isfinite(column)])
    return max(places_of(float(finite.max(initial=0.0)), decimals_of(column)), 0)


_MINUS = "\N{MINUS SIGN}"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@recently(4096, typed=True)  # a page writes the stops of its sliders at each change
def number(value: float, decimals: int | None = None) -> str:
    """`value` for display: four significant digits, thousands separated.

    Digits before the decimal point are never rounded away (5414.83 is 5,415), and integers
    (counts) are exact. Very small and very large values use a power of ten. A value of a column
    has at least the `decimals` that the column needs, :func:`lastviz.tree.decimals_of`, and no
    thousands marks: it reads as in the table, be it an amount or a code.

    Examples
    --------
    >>> number(0.60571), number(-1234567), number(0.000012345)
    ('0.6057', '−1,234,567', '1.234·10⁻⁵')
    >>> number(20095.0, 0), number(52.520041, 5)
    ('20095', '52.52004')
    """
    mark = "," if decimals is None else ""
    if isinstance(value, Integral):
        return f"{value:{mark}}".replace("-", _MINUS)
    value = float(value)
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else _MINUS + "∞"
    head, power, tail = digits(value, decimals, mark=mark).partition("e")
    power = f"·10{str(int(tail)).translate(_SUPERSCRIPTS)}" if power else ""
    return head.replace("-", _MINUS) + power


def largest_first(values: Sequence[float], most: int) -> tuple[list[int], float]:
    """Places of the `most` largest values above 0, and the sum of all others.

    Examples
    --------
    >>> largest_first([1.0, 0.0, 5.0, 2.0], 2)
    ([2, 3], 1.0)
    """
    top = sorted(range(len(values)), key=lambda k: -values[k])[:most]
    top = [k for k in top if values[k] > 0]
    return top, round(float(sum(values)) - float(sum(values[k] for k in top)), 6)


def largest_weight(weights: np.ndarray) -> float:
    """Weight of largest magnitude, with its sign: the divisor of an equation."""
    return float(weights[np.abs(weights).argmax()])


def weighted_sum(
    weights: np.ndarray,
    names: Sequence[str],
    *,
    terms: int = 3,
    exact: bool = False,
    rest: str = "…",
) -> str:
    """Weighted sum for reading: the largest weights first, then an ellipsis.

    Parameters
    ----------
    weights : ndarray, shape (n_features,)
    names : sequence of str
        The features, as they shall be printed.
    terms : int, default 3
        How many are printed; weights of 0 are left out and not counted.
    exact : bool, default False
        Print all terms, in the order of the features, with every digit.
    rest : str, default "…"
        Stands for the terms left out; {n} is their number.

    Examples
    --------
    >>> weighted_sum(np.array([0.12, -0.8, 0.5, 0.1]), ["a", "b", "c", "d"])
    '−0.8 b + 0.5 c + 0.12 a + …'
    """
    used = np.flatnonzero(weights)
    if not exact:
        used = used[np.argsort(-np.abs(weights[used]), kind="stable")]
    shown = used if exact else used[:terms]
    parts = [_term(float(weights[i]), names[i], exact=exact) for i in shown]
    text = " ".join(f"{sign} {rest}" for sign, rest in parts)
    text = text.removeprefix("+ ")
    if text.startswith("\N{MINUS SIGN} "):
        text = "\N{MINUS SIGN}" + text[2:]
    n_left_out = len(used) - len(shown)
    return f"{text} + {rest.format(n=n_left_out)}" if n_left_out else text


def _term(weight: float, name: str, *, exact: bool) -> tuple[str, str]:
    size = abs(weight)
    digits = repr(size) if exact else number(float(f"{size:.3g}"))
    sign = "\N{MINUS SIGN}" if weight < 0 else "+"
    return sign, name if digits in ("1", "1.0") else f"{digits} {name}"
