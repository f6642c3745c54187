"""What the page *splits* shows, worked out before any of it is sent."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.datasets import Dataset
from lastviz.estimators import ESTIMATORS
from lastviz.inspection import CandidateTable, SplitGeometry
from lastviz.plots import Candidates, Strip, feature_html
from lastviz.splitters import Blend, Rule, Search
from lastviz.tree import Tree
from lastviz.ui.compute import cache, nodes
from lastviz.ui.shared.figures import column_title
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

__all__ = ["SplitScene", "split_scene"]

MOST_STRIPS = 3
MOST_SURVIVORS = 60  # more lines would hide the cloud
USUAL = ("gini", "bnm", "csn", "gain_ratio")
FAVOURITES = ("gini", "gain_ratio", "bnm", "csn")


@dataclass(frozen=True, eq=False)
class SplitScene:
    """One node, all its candidates, and what the rules make of them.

    Attributes
    ----------
    dataset : Dataset
    class_names : tuple of str
    title : str
        The algorithm.
    tree : Tree
        The tree that predicts.
    node : int
        The node in question, by its number there.
    is_leaf : bool
    rows : ndarray of intp
        The training rows that the split was chosen on.
    table : CandidateTable
        Thresholds are those that the algorithm would cut at.
    search : Search or None
        The algorithm's own; None if it does not look at single features.
    rule : Rule or None
        The reader's own rule, else that of the algorithm.
    survivors : tuple of ndarray
        What `rule` keeps, stage by stage.
    chosen, favourite, picked : int or None
        What the node was split at; what `rule` takes; what the reader picked.
    columns : dict of str to ndarray
        The table's columns, and "stage" for a weighted first stage.
    table_key : str
        Names the table.
    """

    dataset: Dataset
    class_names: tuple[str, ...]
    title: str
    tree: Tree
    node: int
    is_leaf: bool
    rows: np.ndarray
    table: CandidateTable
    search: Search | None
    rule: Rule | None
    survivors: tuple[np.ndarray, ...]
    chosen: int | None
    favourite: int | None
    picked: int | None
    columns: dict[str, np.ndarray]
    table_key: str
    _ranks: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def n_candidates(self) -> int:
        """Number of thresholds over all features."""
        return len(self.table.feature)

    @property
    def lit(self) -> int | None:
        """The candidate that the page is about: the picked one, else the chosen one."""
        for candidate in (self.picked, self.chosen, self.favourite):
            if candidate is not None:
                return candidate
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features, as plotly html."""
        return tuple(feature_html(name) for name in self.tree.feature_names)

    @property
    def favourites(self) -> dict[str, int]:
        """The best candidate of each criterion of the short table; criteria that abstain left out.

        Those that the rule reads come with the usual ones.
        """
        best = {}
        for name in dict.fromkeys((*FAVOURITES, *self.read)):
            first = np.flatnonzero(self.rank(name) == 1)
            if len(first):
                best[name] = int(first[0])
        return best

    def rank(self, name: str) -> np.ndarray:
        """Return every candidate's rank by a column, 1 the best; 0 where it is inadmissible."""
        if name != "stage":
            return nodes.ranks(self.table_key, self.table, name)
        if name not in self._ranks:
            self._ranks[name] = nodes.ranked(self.table, self.rule.stages[0].column)
        return self._ranks[name]

    def geometry(self, candidate: int) -> SplitGeometry:
        """Return what BNM and CSN measure at a candidate, in the units of the data."""
        feature = int(self.table.feature[candidate])
        threshold = float(self.table.threshold[candidate])
        return nodes.geometry(session.current(), 0, self.rows, feature, threshold)

    @property
    def read(self) -> tuple[str, ...]:
        """The criteria that the rule reads, in its order; what decides last comes last."""
        names = self.rule.columns if self.rule is not None else ()
        return tuple(name for name in names if name in self.table.columns)

    def candidates(self) -> Candidates:
        """Return the candidates with their marks, for figures."""
        kept = self.survivors[-2] if len(self.survivors) > 1 else np.zeros(0, dtype=np.intp)
        few = kept if len(kept) <= MOST_SURVIVORS else kept[:0]
        what_if = self.favourite if self.favourite != self.chosen else None
        picked = self.picked if self.picked is not None else what_if
        feature, threshold = self.table.feature, self.table.threshold
        return Candidates(feature, threshold, self.names, self.chosen, picked, few)

    def strips(self) -> list[Strip]:
        """Return the criteria whose curves are drawn."""
        wanted = [name for name in session.current().curves if name in self.columns]
        if not wanted:
            staged = ["stage"] if "stage" in self.columns else []
            last = list(self.read[-1:])
            wanted = list(dict.fromkeys(("gini", *staged, *last, *self.read, *USUAL)))
            if staged:
                wanted.remove("bnm")
        strips = []
        for name in wanted[: MOST_STRIPS if not session.current().curves else len(wanted)]:
            smaller = name in CRITERIA and CRITERIA[name].smaller_is_better
            strips.append(Strip(column_title(name), self.columns[name], smaller))
        return strips


def split_scene() -> SplitScene:
    """Work out what the selection asks for.

    Raises
    ------
    ValueError
        If the algorithm cannot learn from the data; the message says why.
    """
    selection = session.current()
    dataset = cache.data(selection).dataset
    model = cache.fitted(selection, 0)
    tree = model.estimator.tree_
    picked_node = selection.models[0].node
    node = picked_node if picked_node is not None and picked_node < tree.n_nodes else 0
    rows = nodes.rows_of(selection, 0, node)
    table = nodes.candidates(selection, 0, node)
    search = nodes.search(selection, 0, node)
    if search is not None:  # an algorithm may cut in the middle between two values
        table = replace(table, threshold=search.threshold)
    rule, survivors = _rule(selection, table, search)
    columns = dict(table.columns)
    if rule is not None and isinstance(rule.stages[0].column, Blend):
        columns["stage"] = table.scores(rule.stages[0].column)
    favourite = int(survivors[-1][0]) if survivors and len(survivors[-1]) else None
    is_leaf = tree.is_leaf(node)
    own = search.winner if search is not None and search.winner >= 0 and not is_leaf else None
    pick = selection.pick
    return SplitScene(
        dataset=dataset,
        class_names=class_names_of(dataset),
        title=t(ESTIMATORS[selection.models[0].key].title),
        tree=tree,
        node=node,
        is_leaf=is_leaf,
        rows=rows,
        table=table,
        search=search,
        rule=rule,
        survivors=survivors,
        chosen=own,
        favourite=favourite,
        picked=pick if pick is not None and pick < len(table.feature) else None,
        columns=columns,
        table_key=nodes.table_key(selection, 0, node),
    )


def _rule(
    selection: Selection, table: CandidateTable, search: Search | None
) -> tuple[Rule | None, tuple[np.ndarray, ...]]:
    if selection.rule is not None and set(selection.rule.parts) <= set(table.columns):
        rule = selection.rule.rule
        return rule, rule.apply(table.feature, table.columns)
    if search is None:
        return None, ()
    return search.rule, search.survivors
