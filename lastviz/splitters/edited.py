"""Searching the nodes of an edited tree again: where features were left out, without them."""

from __future__ import annotations

from collections.abc import Generator, Iterable

import numpy as np

from lastviz._random import ROOT_KEY, child_keys

from .edits import Edit, Path, Without
from .search import NodeContext, Search, Splitter, result_of
from .splits import AnySplit


def splitter_of_edited(splitter: Splitter, edits: Iterable[Edit]) -> Splitter:
    """Return the splitter that leaves out what some edits say, the same one if they say nothing."""
    own = tuple(edit for edit in edits if isinstance(edit, Without))
    return EditedSplitter(splitter, own) if own else splitter


class EditedSplitter:
    """A splitter that searches some nodes without some features.

    Parameters
    ----------
    splitter : Splitter
        Searches return a table that can do without features, or it has a method
        ``without(features)`` that returns a splitter that does.
    edits : tuple of Without

    Notes
    -----
    A context is known by its key, so it must have been reached from :meth:`root`.
    """

    def __init__(self, splitter: Splitter, edits: tuple[Without, ...]) -> None:
        self._splitter = splitter
        self._here = {_key_of(e.path): {*e.features} for e in edits if not e.below}
        self._below = {_key_of(e.path): {*e.features} for e in edits if e.below}
        self._inherited: dict[int, set[int]] = {}

    def root(self) -> NodeContext:
        """Return the context of the root."""
        return self._reached(self._splitter.root(), set())

    def child(self, context: NodeContext, split: AnySplit, branch: int) -> NodeContext:
        """Return the context of a child of a split node."""
        child = self._splitter.child(context, split, branch)
        return self._reached(child, self._inherited[context.key])

    def left_out(self, context: NodeContext) -> tuple[int, ...]:
        """Return the features that a node is searched without, rising."""
        here = self._here.get(context.key, set())
        return tuple(sorted(self._inherited[context.key] | here))

    def search(self, context: NodeContext) -> Search:
        """Return all candidates of a node and what the selection rule makes of them."""
        return result_of(self.search_in_steps(context))

    def search_in_steps(self, context: NodeContext) -> Generator[float, None, Search]:
        """Search as :meth:`search` does; a long search yields what share of it is done."""
        features, splitter = self.left_out(context), self._splitter
        without = getattr(splitter, "without", None)
        if features and without is not None:
            splitter = without(features)
        in_steps = getattr(splitter, "search_in_steps", None)
        found = splitter.search(context) if in_steps is None else (yield from in_steps(context))
        return found.without(features) if features and without is None else found

    def judge(self, table: Search) -> Search:
        """Return the search of a node whose candidates are scored already."""
        return self._splitter.judge(table)

    def _reached(self, context: NodeContext, inherited: set[int]) -> NodeContext:
        self._inherited[context.key] = inherited | self._below.get(context.key, set())
        return context


def _key_of(path: Path) -> int:
    """Return the key of the node at the end of a path."""
    key = ROOT_KEY
    for branch in path:
        key = child_keys(key, np.asarray(branch))
    return int(key)
