"""Near-best trees: their number, their features, and the rows that depend on them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd

from lastviz._sentences import Statement
from lastviz.export.blocks import Columns, Heading, Text
from lastviz.host.memory import resolved
from lastviz.inspection import NearBestTrees, near_best_trees_in_steps, tree_diff
from lastviz.plots import ThemeName, flow_tree_plot, number, row_shares_plot
from lastviz.plots.row_shares_plot import SETTLED
from lastviz.splitters import Split
from lastviz.splitters.edits import ForcedSplit, MadeLeaf, path_of
from lastviz.tree import Tree
from lastviz.ui.compute.outcome import outcome
from lastviz.ui.compute.training import explained_refusals
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.blocks import (
    REPORT,
    SLIDE,
    Block,
    Chart,
    Controls,
    Detail,
    Only,
    Title,
    draw,
)
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.headline import Say
from lastviz.ui.shared.job_box import result_or_reason
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.widgets import bound
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.state.edit_codes import in_order, trim
from lastviz.ui.state.selection import DEFAULT
from lastviz.ui.text import CannotShow, join_names, paragraph, percent, plain, t

N_DRAWN = 1_000
THRESHOLDS = (5, 10, 20)
TREE_HEIGHT = 230


@dataclass(frozen=True, eq=False)
class DrawnTrees:
    """Trees drawn with equal chances from the near-best ones, all where they are few."""

    asks: np.ndarray  # (n_features,) float64, share that asks for the feature
    shares: np.ndarray  # (n_rows, n_classes) float64, share that says the class, for all rows
    best: tuple[Tree, ...]  # some of the fewest errors within the limits, by their numbers


class NearBestScene:
    """The near-best trees of the first model's training rows, beside its own tree."""

    def __init__(self, work: Work, theme: ThemeName) -> None:
        self.work, self.theme, self.view = work, theme, work.selection.splits
        self.model = work.first

    def moving(self) -> None:
        """Nothing moves on an offline page."""

    @resolved
    def found(self) -> NearBestTrees:
        """All of them; see :func:`.outcome` for errors."""
        divided, own = self.model.division, self.model.tree
        if not divided.is_plain or self.model.weights is not None:
            raise CannotShow(t("Near-best trees are counted where every column is a number, no "
                               "value is missing and every row counts once."))  # fmt: skip
        X, rows = divided.values, divided.train_rows
        table = pd.DataFrame(X[rows], columns=divided.X.columns)
        shown = [] if len(own.oblique) or len(own.kernel) else [own]
        steps = near_best_trees_in_steps(
            table, divided.y[rows], np.arange(self.work.dataset.n_classes),
            max_depth=self.view.near_depth, max_thresholds=self.view.near_thresholds, trees=shown,
        )  # fmt: skip
        return outcome(self._key(), t("The near-best trees"), lambda: explained_refusals(steps))

    def _key(self, *more: object) -> tuple:
        own = self.view.near_depth, self.view.near_thresholds
        return (*self.model.cache_key, "near_best", *own, *more)

    @property
    def limits(self) -> tuple[int, int]:
        """Largest cost and number of leaves."""
        most = self.view.near_errors
        cost = self.found.budget if most is None else min(self.found.best + most, self.found.budget)
        return cost, self.view.near_leaves

    @resolved
    def count(self) -> int:
        """Number of trees within the limits."""
        count = self.found.count_within(*self.limits)
        if not count:
            raise CannotShow(t("No tree keeps these limits. Allow more errors or more leaves."))
        return count

    @resolved
    def drawn(self) -> DrawnTrees:
        """Trees drawn within the limits."""
        found, (cost, leaves) = self.found, self.limits
        X = self.model.division.values

        def steps() -> Generator[float, None, DrawnTrees]:
            n, limits = min(self.count, N_DRAWN), {"cost": cost, "leaves": leaves}
            are_few = self.count <= N_DRAWN
            trees = (
                found.trees(range(n), **limits)
                if are_few
                else found.sample(n, self.work.selection.seed, **limits)
            )
            votes = np.zeros((len(X), self.work.dataset.n_classes))
            asks = np.zeros(X.shape[1])
            for done, tree in enumerate(trees):
                votes[np.arange(len(X)), tree.predict(X)] += 1
                asks[np.unique(tree.feature[tree.feature >= 0])] += 1
                yield done / n
            fewest = next(c for c in range(found.best, cost + 1) if found.count_within(c, leaves))
            n_best = min(found.count_within(fewest, leaves), 100)
            best = found.trees(range(n_best), cost=fewest, leaves=leaves)
            return DrawnTrees(asks / n, votes / n, tuple(best))

        return outcome(
            self._key("drawn", cost, leaves), t("Drawing from the near-best trees"), steps
        )

    @cached_property
    def picked(self) -> Tree:
        """Tree beside the current one."""
        best = self.drawn.best
        return best[self.view.near_tree % len(best)].with_rows(self.found.rows.X)

    @cached_property
    def judged(self) -> tuple[np.ndarray, bool]:
        """Rows whose shares are drawn, in their order: held-out ones, if there are any."""
        divided = self.model.division
        is_new = bool(len(divided.held_out_rows))
        rows = divided.held_out_rows if is_new else divided.train_rows
        return rows[np.argsort(self.drawn.shares[rows, self.klass], kind="stable")], is_new

    @property
    def klass(self) -> int:
        """The class whose share orders the rows: the last of two, else the commonest."""
        n_classes = self.work.dataset.n_classes
        return 1 if n_classes == 2 else self.found.rows.label(self.found.rows.every)

    def errors(self, tree: Tree) -> int:
        """Training rows that a tree gets wrong."""
        return int(np.count_nonzero(tree.predict(self.found.rows.X) != self.found.rows.y))


def near_best_choices(scene: NearBestScene) -> None:
    """Draw the limits of the trees."""
    titles = {depth: t("{n} questions", n=depth) for depth in (2, 3)}
    bound(st.segmented_control, "near_depth", t("Deep at most"), list(titles),
          format_func=titles.get, required=True)  # fmt: skip
    bound(st.selectbox, "near_thresholds", t("Thresholds per feature, at most"),
          sorted({*THRESHOLDS, scene.view.near_thresholds}))  # fmt: skip
    extra = int(0.02 * len(scene.model.division.train_rows) + 1e-9)
    if extra:
        most = scene.view.near_errors
        bound(st.slider, "near_errors", t("Errors above the best"), 0, extra,
              value=extra if most is None else min(most, extra))  # fmt: skip
    bound(st.slider, "near_leaves", t("Most leaves"), 2, 2**scene.view.near_depth,
          value=min(scene.view.near_leaves, 2**scene.view.near_depth))  # fmt: skip


def near_best_blocks(scene: NearBestScene) -> list[Block]:
    """Blocks of the view; on the page long work shows its progress."""
    return [
        Controls(partial(_draw, scene)),
        Only((REPORT, SLIDE), lambda: [*_findings(scene), *_pictures(scene)]),
        Only((REPORT, SLIDE), [Detail(scene.work.selection, ("near_row",), partial(_row, scene))]),
    ]


def _draw(scene: NearBestScene) -> None:
    for place, ask in (("near_best", lambda: scene.found), ("near_count", lambda: scene.count),
                       ("near_drawn", lambda: scene.drawn)):  # fmt: skip
        if result_or_reason(ask, place) is None:
            return
    draw([*_findings(scene), *_pictures(scene)])
    with st.container(horizontal=True):
        more = len(scene.drawn.best)
        another = partial(_take_another, (scene.view.near_tree + 1) % more)
        st.button(t("Another"), key="near_another", disabled=more == 1, on_click=another)
        st.button(t("Make it mine"), key="near_mine", on_click=partial(_make_mine, scene.picked))
    _row(scene)
    _farthest(scene)


def _findings(scene: NearBestScene) -> list[Block]:
    found, cost = scene.found, scene.limits[0]
    names = found.rows.feature_names
    always = [names[f] for f in np.flatnonzero(found.least_without > cost)]
    rows, is_new = scene.judged
    share = scene.drawn.shares[rows].max(axis=1)
    first = Statement(
        "One tree at most {depth} questions deep makes at most {cost} training errors; the best "
        "one makes {best}.",
        "{n} trees at most {depth} questions deep make at most {cost} training errors; the best "
        "one makes {best}.",
        n=scene.count, cost=cost, best=found.best, depth=scene.view.near_depth,
    )  # fmt: skip
    use = [Statement("All of them ask for {names:list}.", names=tuple(always))] if always else []
    if not always and scene.limits[1] >= 2**scene.view.near_depth:
        use = [Statement("No feature is asked for by all of them.")]
    depends = Statement(
        "For {n} of {total} held-out rows fewer than nine in ten trees agree." if is_new else
        "For {n} of {total} training rows fewer than nine in ten trees agree.",
        n=int(np.count_nonzero(share < SETTLED)), total=len(rows),
    )  # fmt: skip
    counted = t(
        "Trees count by what they ask, at most {n} thresholds of a feature ({total} in all) and "
        "those of the current tree.",
        n=scene.view.near_thresholds, total=found.n_thresholds,
    )  # fmt: skip
    exact = t("All shares are exact, at this tolerance.") if scene.count <= N_DRAWN else t(
        "What they ask first and the prices are exact; other shares come from {drawn} trees drawn "
        "from all with the same chance, each within 3.1 points (95 % interval). All shares are "
        "shares at this tolerance.",
        drawn=number(N_DRAWN),
    )  # fmt: skip
    return [Say(first, *use, depends, lead=True), Text(paragraph([counted, exact]))]


def feature_table(scene: NearBestScene) -> pd.DataFrame:
    """Shares of trees that ask for each feature, and its price in errors."""
    found, (cost, leaves) = scene.found, scene.limits
    first = found.table[:, 1:leaves, : cost + 1].sum(axis=(1, 2))
    rows = []
    for f, name in enumerate(found.rows.feature_names):
        prices = [
            t("more than {n}", n=found.budget - found.best)
            if np.isnan(price)
            else number(int(price))
            for price in (found.price_of_using[f], found.price_of_leaving_out[f])
        ]
        asks = f"{percent(scene.drawn.asks[f])} %"
        rows.append((name, f"{percent(int(first[f]) / scene.count)} %", asks, *prices))
    titles = (t("feature"), t("asked first"), t("asked at all"), t("more errors with it"),
              t("without it"))  # fmt: skip
    order = sorted(range(len(rows)), key=lambda f: (-int(first[f]), -scene.drawn.asks[f]))
    return pd.DataFrame([rows[f] for f in order], columns=titles)


def _pictures(scene: NearBestScene) -> list[Block]:
    rows = scene.judged[0]
    names, X = class_names_of(scene.work.dataset), scene.model.division.values
    share = scene.drawn.shares[rows, scene.klass]
    texts = [
        f"{t('row')} {row + 1}: {percent(part)} %" for row, part in zip(rows, share, strict=True)
    ]
    strip = row_shares_plot(share, scene.model.division.y[rows], texts, theme=scene.theme)
    title = t("Whose class depends on the tree?")
    alt = t("Rows by the share of the near-best trees that say {name}.", name=names[scene.klass])

    asks = partial(feature_table, scene)
    table = Detail(
        scene.work.selection, (), lambda: st.dataframe(asks(), hide_index=True, key="near_asks")
    )
    pick = partial(_pick_row, rows)
    chart = Chart(strip, alt, key="near_rows", on_click=pick, filename="near_best")
    right = [Title(title), chart, Text(alt)]
    own, other = scene.model.tree, scene.picked
    diff = tree_diff(own, other, X)
    own_title = t("{title}: {errors} training errors, {leaves} leaves", title=scene.model.title,
                errors=scene.errors(own), leaves=own.n_leaves)  # fmt: skip
    picked = t("Picked: {errors} training errors, {leaves} leaves", errors=scene.errors(other),
               leaves=other.n_leaves)  # fmt: skip
    both = [
        [Heading(text), Chart(
            flow_tree_plot(tree, theme=scene.theme, height=TREE_HEIGHT, class_names=names,
                           words=words()), text, key=key, filename=key)]
        for tree, text, key in ((own, own_title, "near_own"), (other, picked, "near_picked"))
    ]  # fmt: skip
    n_differ = int(diff.differs.sum())
    notes = [t("The two trees differ on {n} of {total} rows.", n=n_differ, total=len(X))]
    if own.max_depth > scene.view.near_depth:
        notes.append(t("The current tree is deeper than the trees that are counted."))
    elif scene.errors(own) > scene.limits[0]:
        notes.append(t("The current tree is not one of them: it makes {n} errors more than the "
                       "best one.", n=scene.errors(own) - scene.found.best))  # fmt: skip
    return [
        Columns([[Title(t("What they ask")), table], right], (5, 4)),
        Columns(both),
        Text(paragraph(notes)),
    ]


def _pick_row(rows: np.ndarray, click: dict) -> None:
    if click.get("x") is not None:
        session.select(near_row=int(rows[min(max(round(click["x"]), 0), len(rows) - 1)]))


def _take_another(number: int) -> None:
    session.select(near_tree=number)


def _row(scene: NearBestScene) -> None:
    """Say exactly how many trees say each class of the row that was clicked."""
    row = scene.view.near_row
    if row is None or row >= len(scene.model.division.values):
        st.caption(t("Click a row for its exact number of trees."))
        return
    steps = partial(scene.found.says_in_steps, scene.model.division.values[row])
    ask = partial(outcome, scene._key("row", row), t("The trees that say each class"), steps)
    counts = result_or_reason(ask, "near_row")
    if counts is not None:
        names = class_names_of(scene.work.dataset)
        each = [
            t("{name}: {n}", name=name, n=number(n)) for name, n in zip(names, counts, strict=True)
        ]
        st.markdown(t("Row {row}, all {n} near-best trees, exactly: {each}.", row=row + 1,
                      n=number(scene.found.count), each=plain(join_names(each))))  # fmt: skip


def _farthest(scene: NearBestScene) -> None:
    """Say on how many rows a near-best tree differs most from the current one."""
    steps = partial(scene.found.farthest_in_steps, scene.model.tree)
    ask = partial(outcome, scene._key("farthest"), t("The farthest near-best tree"), steps)
    found = result_or_reason(ask, "near_farthest")
    if found is None:
        return
    st.markdown(t("The farthest near-best tree differs from the current one on {n} of {total} "
                  "training rows.", n=found[0], total=len(scene.found.rows.y)))  # fmt: skip
    label = t("Make the farthest mine")
    st.button(label, key="near_far", on_click=partial(_make_mine, found[1]))


def _make_mine(tree: Tree) -> None:
    plainest = DEFAULT.models[0]  # grows by thresholds and does not prune
    session.select_model(0, key=plainest.key, params=(), edits=edits_of(tree))


def edits_of(tree: Tree) -> tuple:
    """Edits that make a tree of thresholds: a split or a leaf at every node."""
    made = []
    for node in range(tree.n_nodes):
        path = path_of(tree, node)
        if tree.is_leaf(node):
            made.append(MadeLeaf(path))
        else:
            split = Split(int(tree.feature[node]), float(tree.threshold[node]), 0.0)
            made.append(trim(ForcedSplit(path, split)))
    return in_order(made)
