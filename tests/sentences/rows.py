"""What a row of the net for statements is, and what slow twins look at."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from string import Formatter
from unittest.mock import MagicMock, patch
from urllib.parse import parse_qsl

import numpy as np
import pytest

from lastviz.plots import number
from lastviz.tree import Kind as Kinds
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state.codec import decode
from lastviz.ui.state.selection import Selection
from lastviz.ui.state.session import data_params, model_params
from tests.sentences.census import texts_of

Values = dict[str, object]
FORMAT = re.compile(r":[a-z]{4,}(?=\})")  # of people: twins write values as the page does


@dataclass(frozen=True)
class Kind:
    """A kind of statement.

    Attributes
    ----------
    made : str
        The function that makes it, as ``file::function``.
    text : str
        Words of the text that no other of that function has; of a text that differs for one
        thing, as ``one|many``.
    told : callable
        Scene -> what the app says of it, a statement or several in each entry.
    twin : callable
        Scene -> the values of each such statement that is true, worked out anew; none if it must
        not be said. Of ``one|many`` the value ``n`` says which.
    true : tuple of three scenes
    never : scene, or list of scenes
        Of which it must not be said. What a function always says has none: there it is a scene,
        such as None, of which the row does not ask it.
    """

    made: str
    text: str
    told: Callable[[object], list[str]]
    twin: Callable[[object], list[Values]]
    true: tuple[object, object, object]
    never: object

    @cached_property
    def texts(self) -> list[str]:
        """The whole texts, as the code has them."""
        file = self.made.split("::")[0]
        known = texts_of(file)[self.made]
        found = [[text for text in known if part in text] for part in self.text.split("|")]
        assert all(len(each) == 1 for each in found), (self.made, self.text, found)
        return [text for (text,) in found]

    def filled(self, values: Values) -> str:
        """Return the statement with values in its places."""
        few = len(self.texts) == 1 or str(values["n"]) == "1"
        text = FORMAT.sub("", self.texts[0 if few else 1])
        return plain_words(text.format(**values))

    def count(self, said: str) -> int:
        """Return how often some statement of this kind stands in what the app says."""
        pattern = "|".join(
            re.sub(r"\\\{\w+[^}]*\\\}", r"[^\\n]+?", re.escape(plain_words(text)))
            for text in self.texts
        )
        return len(re.findall(pattern, said))

    def check(self, scene: object, *, is_true: bool) -> None:
        """Hold what the app says of a scene against the twin."""
        said = "\n".join(plain_words(each) for each in self.told(scene))
        expected = [self.filled(values) for values in self.twin(scene)]
        assert bool(expected) == is_true, (self.text, scene, expected)
        for sentence in expected:
            assert sentence in said, f"{sentence!r} is not in {said!r}"
        assert self.count(said) == len(expected), said


class Said(Kind):
    """A kind of statement that its function hands out as a value.

    `told` gives statements; the twin gives the values of those of this kind, as they are.
    """

    def check(self, scene: object, *, is_true: bool) -> None:
        said = [each for each in self.told(scene) if each.template in self.texts]
        expected = self.twin(scene)
        assert bool(expected) == is_true, (self.text, scene, expected)
        for statement, values in zip(said, expected, strict=True):
            text = statement.many or statement.template
            for name in {name for _, name, _, _ in Formatter().parse(text) if name}:
                assert statement.values[name] == pytest.approx(values[name]), (statement, name)


def plain_words(text: str) -> str:
    """Return a text without the tags and signs that html and Markdown have."""
    text = re.sub(r"</?\w[^<>]*>|\*\*|\\(?=\W)", "", unescape(text))
    return " ".join(text.split())


def percent(share: float) -> str:
    """Return a share as the app writes it."""
    return f"{100 * share + 1e-9:.1f}"  # ties go up


def selected(query: str) -> Selection:
    """Return the selection of a link that holds."""
    selection, problems = decode(dict(parse_qsl(query)), data_params, model_params)
    assert problems == (), problems
    return selection


class Look:
    """A model of a scene and its rows, gone through one by one."""

    def __init__(self, scene: str | Selection, place: int = 0) -> None:
        self.selection = selected(scene) if isinstance(scene, str) else scene
        self.divided = Work(self.selection).models[place].division
        self.estimator = Work(self.selection).models[place].fitted_any.estimator
        self.tree = getattr(self.estimator, "tree_", None)
        self.values, self.y = self.divided.values, self.divided.y
        self.train, self.held = self.divided.train_rows, self.divided.held_out_rows

    def leaf(self, x: np.ndarray) -> int:
        """Return where a row comes to rest."""
        tree, node = self.tree, 0
        while tree.n_children[node]:
            row, feature = tree.split_row[node], tree.feature[node]
            if tree.kind[node] == Kinds.CATEGORIES:
                branch = tree.categories.branch[row, int(x[feature])]
            elif tree.kind[node] == Kinds.OBLIQUE:
                branch = sum(tree.oblique.weights[row] * x) > tree.oblique.threshold[row]
            else:
                branch = x[feature] > tree.threshold[node]
            node = int(tree.first_child[node]) + int(branch)
        return node

    @cached_property
    def leaves(self) -> np.ndarray:
        """Where each row comes to rest."""
        return np.array([self.leaf(x) for x in self.values])

    def leaf_is_below(self, node: int, row: int) -> bool:
        """Tell whether a row passes a node on its way."""
        place = int(self.leaves[row])
        while place > node:
            place = int(self.tree.parent[place])
        return place == node

    @cached_property
    def class_of(self) -> dict[int, int]:
        """The class of each leaf: the most frequent one of its training rows, of equals its own."""
        own, found = self.tree.prediction, {}
        for leaf in set(self.leaves[self.train].tolist()):
            counts = np.bincount(self.y[self.train][self.leaves[self.train] == leaf])
            most = np.flatnonzero(counts == counts.max()).tolist()
            found[leaf] = int(own[leaf]) if own[leaf] in most else most[0]
        return found

    def class_at(self, x: np.ndarray) -> int:
        """Return the class of a place."""
        return self.class_of[self.leaf(x)]

    @cached_property
    def predicted(self) -> np.ndarray:
        """The class of each row."""
        if self.tree is None:  # votes and machines have twins of their own elsewhere
            return self.estimator.predict_codes(self.values)
        if len(self.tree.kernel):
            return self.tree.predict(self.values)
        return np.array([self.class_of[leaf] for leaf in self.leaves])

    def accuracy(self, rows: np.ndarray) -> float:
        """Return the share of rows that are right."""
        return sum(self.predicted[i] == self.y[i] for i in rows) / len(rows)

    def right(self, rows: np.ndarray, predicted: np.ndarray | None = None) -> int:
        """Return how many rows are right, by the model or by what is `predicted`."""
        found = self.predicted if predicted is None else predicted
        return sum(int(found[i] == self.y[i]) for i in rows)

    def always(self, rows: np.ndarray) -> tuple[str, int]:
        """Return the most frequent class in training, and how many rows have it."""
        counts = [sum(self.y[i] == k for i in self.train) for k in range(max(self.y) + 1)]
        most = counts.index(max(counts))
        names = class_names_of(Work(self.selection).dataset)
        return names[most], sum(int(self.y[i] == most) for i in rows)

    @cached_property
    def n_leaves(self) -> int:
        """Number of leaves, counted on the way down."""
        return sum(not self.tree.n_children[node] for node in self._below(0))

    def _below(self, node: int) -> list[int]:
        first, n = int(self.tree.first_child[node]), int(self.tree.n_children[node])
        return [node, *(each for i in range(n) for each in self._below(first + i))]


def right_words(right: int, n: int, *, is_new: bool = False) -> str:
    """Return how many rows are right as sentences say it, with Wilson's interval of new rows."""
    if n < 30:
        return f"{right} of {n}"
    p, z = right / n, 1.959963984540054
    middle, reach = p + z * z / 2 / n, z * np.sqrt(p * (1 - p) / n + (z / 2 / n) ** 2)
    low, high = (percent((middle + sign * reach) / (1 + z * z / n)) for sign in (-1, 1))
    interval = f"; 95 % interval {low} to {high}" if is_new else ""
    return f"{percent(p)} % ({right} of {n}{interval})"


def drawn(module: str, draw: Callable[..., None], *args: object) -> list[str]:
    """Return the words that a function writes with the `st` of its module, then its charts'."""
    place = f"lastviz.{module}."
    with patch(f"{place}st") as page, patch(f"{place}chart", create=True) as chart:
        page.columns.side_effect = lambda spec, **_: [
            MagicMock() for _ in range(spec if isinstance(spec, int) else len(spec))
        ]
        draw(*args)
    names = ("caption", "info", "markdown", "success")
    words = [call.args[0] for call in page.method_calls if str(call).split("(")[0][5:] in names]
    return words + [call.kwargs["alt"] for call in chart.call_args_list]


def texts_in(blocks: Sequence[object]) -> list[str]:
    """Return the html and the sentences of blocks, those of a page among them."""
    found = []
    for block in blocks:
        inside = getattr(block, "blocks", ())
        found += texts_in(inside() if callable(inside) else inside)
        found += [block.text] if hasattr(block, "text") else []
    return found


def count(n: int, one: str, many: str) -> str:
    """Return a number of things in words."""
    return f"{number(n)} {one if n == 1 else many}"
