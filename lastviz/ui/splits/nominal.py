"""The search through tests, where a feature is nominal or a value missing: bars, not curves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.export.blocks import Text
from lastviz.inspection import tied_candidates
from lastviz.plots import Drawing, best_tests_plot, category_words, feature_html, number
from lastviz.plots.visuals.words import IS_KNOWN, IS_MISSING
from lastviz.splitters import BinarySearch, CategorySplit, ObliqueSplit, Search, Split
from lastviz.ui.shared.blocks import PAGE, REPORT, Block, Chart, Controls, NumbersTable, Only
from lastviz.ui.shared.figures import column_title
from lastviz.ui.shared.headline import strip
from lastviz.ui.state import session
from lastviz.ui.text import CannotShow, percent, t

from .node import NodeScene, NodeView, all_the_same, brief
from .scene import split_here
from .words import children_html, forced_branches, stages, tied_html, won_over

MOST_TESTS = 20  # bars; the table has all
GAIN = (
    "Gain: the entropy of the rows whose value is known, less the mean entropy of the branches, "
    "times the share of these rows, in bits."
)
PRICE = (
    "From the gain of a threshold $\\log_2(k) / n$ is subtracted: of $k$ thresholds of its feature "
    "that the rule admits (here {k}) and $n$ rows (here {n})."
)
RATIO = (
    "Gain ratio: the gain divided by the entropy of the branches' shares; rows whose value is "
    "missing count as a branch of their own."
)


@dataclass(frozen=True, eq=False)
class TestScene(NodeScene):
    """One node and all tests that were asked for there."""

    __test__ = False

    search: Search  # the node's own search, run again
    chosen: int | None  # candidates
    picked: int | None  # candidates
    tied: np.ndarray  # intp, the candidates that are as good as the winner

    @property
    def n_candidates(self) -> int:
        """Number of tests, admitted or not."""
        return self.search.n_candidates

    @property
    def survivors(self) -> tuple[np.ndarray, ...]:
        """Candidates that the rule keeps, stage by stage."""
        return self.search.survivors

    @property
    def deciding(self) -> str:
        """The column that the last stage reads."""
        return str(self.search.rule.stages[-1].column)

    @property
    def is_forced_shown(self) -> bool:
        """Whether the marked test is the forced split, not a picked one."""
        return self.picked is not None and self.at.work.selection.splits.pick is None

    @property
    def highlighted(self) -> int | None:
        """The test that the page is about."""
        return self.chosen if self.picked is None else self.picked

    def words(self, candidate: int, branch: int | None = None, *, html: bool = True) -> str:
        """Test, or the condition of one of its branches."""
        feature = int(self.search.feature[candidate])
        name = self.at.tree.feature_names[feature]
        name = feature_html(name) if html else name
        branches = self.branches(candidate)
        if self._asks_missing(candidate):
            return t(IS_MISSING if branch == 1 else IS_KNOWN, name=name)
        if branches is None:
            less, more = ("≤", "&gt;" if html else ">")
            threshold = float(self.search.threshold[candidate])
            stored, is_own = self.at.stored_split, candidate == self.search.winner
            if self.at.forced is not None:
                is_own = self.is_forced_shown and candidate == self.picked
            if is_own and isinstance(stored, Split):
                threshold = stored.threshold  # it may be a value instead of a midpoint
            shown = number(threshold, self.search.decimals_at(candidate))
            return f"{name} {more if branch == 1 else less} {shown}"
        if branch is None and branches.max() > 1:
            return name
        taken = np.flatnonzero(branches == (branch or 0)).tolist()
        return category_words(name, self.at.tree.feature_categories[feature], taken, html=html)

    def _asks_missing(self, candidate: int) -> bool:
        """Whether a test only asks whether its feature's value is missing."""
        branches = self.branches(candidate)
        if branches is None:
            return bool(np.isposinf(self.search.threshold[candidate]))
        known_first = isinstance(self.search, BinarySearch) and bool((branches <= 0).all())
        return known_first and self.search.missing_branch[candidate] == 1

    def branches(self, candidate: int) -> np.ndarray | None:
        """Branch of each category; None for a threshold."""
        return self.search.categories[candidate] if self.search.categories else None

    def counts(self, candidate: int) -> np.ndarray:
        """Class counts of each branch, shape (n_branches, n_classes)."""
        if self.search.category_counts and self.search.category_counts[candidate] is not None:
            return self.search.category_counts[candidate]
        return np.array([self.search.left_counts[candidate], self.search.right_counts[candidate]])

    @cached_property
    def best(self) -> list[int]:
        """The best candidate of each feature, those of the highest score first."""
        score = self.search.columns[self.deciding]
        best: dict[int, int] = {}
        for i in np.argsort(-score, kind="stable").tolist():
            best.setdefault(int(self.search.feature[i]), i)
        for marked in (self.chosen, self.picked):
            if marked is not None:
                best[int(self.search.feature[marked])] = marked
        found = sorted(best.values(), key=lambda i: (-score[i], i))
        return found[:MOST_TESTS]

    @cached_property
    def bars(self) -> Drawing:
        """The scores of the best test of each feature."""
        place = {candidate: i for i, candidate in enumerate(self.best)}
        passed = self.survivors[-2] if len(self.survivors) > 1 else ()
        return best_tests_plot(
            [self.words(i) for i in self.best],
            self.search.columns[self.deciding][self.best],
            theme=self.at.theme,
            chosen=place.get(self.chosen),
            picked=place.get(self.picked),
            kept=[place[i] for i in np.asarray(passed).tolist() if i in place],
            refused=t("not admitted"),
        )

    def pictures(self) -> list[Block]:
        """Bars, and the tree."""
        if not self.n_candidates:
            return [self.tree_chooser()]
        best = t("The best test of each feature")
        note = t(
            "Highlighted: the test that the rule selects. Stronger grey: excluded by the last "
            "step only."
        )
        bars = Chart(
            self.bars,
            best,
            note,
            key="tests",
            on_click=partial(_clicked, self.best),
            filename="tests",
        )
        return [
            Controls(partial(st.markdown, f"**{best}** · {column_title(self.deciding)}")),
            bars,
            Only((PAGE,), [Text(note)]),
            self.tree_chooser(),
        ]

    def explanations(self) -> list[Block]:
        """Chosen test, the reasons for it, and its branches."""
        if not self.n_candidates:
            return [*brief(list(filter(None, [self.at.why_no_split])), 1), all_the_same()]
        parts = [_headline(self), stages(self.search.rule, self.survivors, self.n_candidates)]
        if self.chosen is not None:
            parts.insert(1, tied_html([f"<i>{self.words(int(i))}</i>" for i in self.tied]))
            parts.append(won_over(self.search, self.at.tree.feature_names))
        if self.highlighted is not None:
            parts.append(_branches(self, self.highlighted))
        if not self.is_forced_shown:
            parts.append(forced_branches(self.at))
        found = brief(list(filter(None, parts)), 2)
        split = None if self.is_forced_shown or self.picked is None else self.split_of(self.picked)
        if split is not None:
            found.append(Controls(partial(split_here, self.at, lambda: split)))
        return found

    def split_of(self, candidate: int) -> Split | CategorySplit | None:
        """A test as the split that an edit forces; None if it has other than two branches."""
        feature, branches = int(self.search.feature[candidate]), self.branches(candidate)
        if branches is not None:
            two = branches.max() == 1
            return CategorySplit(feature, np.where(branches == 0, 0, 1), 0.0) if two else None
        threshold = float(self.search.threshold[candidate])
        return Split(feature, threshold, 0.0) if np.isfinite(threshold) else None

    def details(self) -> list[Block]:
        """All tests as a table."""
        if not self.n_candidates:
            return []
        title = t("All tests of this node")
        rows = NumbersTable("", title, lambda: ranked_tests(self)[0])
        return [
            Controls(partial(st.markdown, f"**{title}**")),
            Controls(partial(_table, self)),
            Only((PAGE, REPORT), [*map(Text, definitions(self))]),
            Only((REPORT,), [rows]),
        ]


def test_scene(at: NodeView) -> TestScene:
    """Compute the scene of a node whose tests cannot be shown as a curve.

    Raises CannotShow if it was no search over tests.
    """
    search = at.search
    if search is None:
        raise CannotShow(
            t(
                "For weighted rows the search of this tree is not shown here; other pages show the "
                "tree."
            )
        )
    pick = at.work.selection.splits.pick
    scene = TestScene(
        at=at,
        search=search,
        chosen=search.winner if search.winner >= 0 and at.reason is None else None,
        picked=pick if pick is not None and pick < search.n_candidates else None,
        tied=tied_candidates(search),
    )
    if scene.picked is not None or at.forced is None or isinstance(at.stored_split, ObliqueSplit):
        return scene
    for i in np.flatnonzero(search.feature == at.stored_split.feature).tolist():
        counts = scene.counts(i)
        if len(counts) == len(at.branches) and np.allclose(counts, at.branches):
            return replace(scene, picked=i)  # it parts the rows as the split forced by hand does
    return scene


def _clicked(shown: list[int], click: dict) -> None:
    if click.get("row") is not None:
        candidate = shown[int(click["row"])]
        session.select(pick=None if candidate == session.current().splits.pick else candidate)


def _headline(scene: TestScene) -> str:
    """Test that was chosen with its scores; of a leaf first that it has none."""
    ended, subject = scene.at.why_no_split + scene.at.forced_head, scene.search.winner
    if subject < 0 or not scene.at.may_be_split:
        return ended or strip([("–", "", t("no candidate is admitted here"))])
    n_rows = float(scene.search.counts.sum())
    cells = [(number(round(n_rows, 6)), "", t("rows here"))]
    cells += [
        (number(float(values[subject])), "", column_title(name))
        for name, values in scene.search.columns.items()
    ]
    if scene.search.known is not None:
        known = scene.search.known[subject].sum() / max(n_rows, 1e-300)
        if known < 1.0 - 1e-9:
            cells.append((percent(known), "%", t("of the rows have a known value")))
    head = f'<div class="lv-split"><b><i>{scene.words(subject)}</i></b>'
    head += f"<span>{scene.at.label}</span></div>"
    return f'<div class="lv-head" role="group">{ended}{head}{strip(cells)}</div>'


def _branches(scene: TestScene, candidate: int) -> str:
    """Branches of a test with the rows of each class."""
    counts = scene.counts(candidate)
    test, is_picked = f"<i>{scene.words(candidate)}</i>", candidate == scene.picked
    words = [scene.words(candidate, branch) for branch in range(len(counts))]
    return children_html(test, counts, scene.at.theme, is_picked=is_picked, words=words)


def definitions(scene: TestScene) -> list[str]:
    """Definitions of the gain of a test, by which its branches give it."""
    gain = scene.search.columns.get("gain")
    if gain is None or scene.highlighted is None:
        return []
    lines = [t(GAIN)]
    if getattr(scene.at.estimator, "mdl_correction", False):
        feature = scene.search.feature[scene.highlighted]
        tried = (scene.search.feature == feature) & np.isfinite(gain)
        n = scene.search.counts.sum()
        lines.append(t(PRICE, k=number(int(tried.sum())), n=number(round(float(n), 6))))
    if "gain_ratio" in scene.search.columns:
        lines.append(t(RATIO))
    return lines


def ranked_tests(scene: TestScene) -> tuple[pd.DataFrame, np.ndarray]:
    """Best tests with their scores, the best first, and which candidates they are."""
    search = scene.search
    last = np.zeros(scene.n_candidates, dtype=np.intp)
    for place, passed in enumerate(search.survivors, start=1):
        last[passed] = place
    columns = {
        column_title(name): np.where(np.isfinite(values), values, np.nan)
        for name, values in search.columns.items()
    }
    score = search.columns[scene.deciding]
    order = np.argsort(-score, kind="stable")[:500]
    table = pd.DataFrame(
        {
            t("test"): [scene.words(i, html=False) for i in range(scene.n_candidates)],
            t("branches"): [len(scene.counts(i)) for i in range(scene.n_candidates)],
            **columns,
            t("steps passed"): last,
        }
    )
    return table.iloc[order], order


def _table(scene: TestScene) -> None:
    table, order = ranked_tests(scene)

    def chosen() -> None:
        rows = st.session_state["tests_table"]["selection"]["rows"]
        if rows:
            session.select(pick=int(order[rows[0]]))

    st.dataframe(
        table,
        key="tests_table",
        hide_index=True,
        height=min(35 * len(table) + 40, 400),
        on_select=chosen,
        selection_mode="single-row",
        alt=t("All tests of this node"),
    )
    if scene.n_candidates > len(table):
        n, of_all = number(len(table)), number(scene.n_candidates)
        st.caption(t("The best {n} of {all}.", n=n, all=of_all))
