"""Near-best trees: their number, their features, and the rows that depend on them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import SimpleNamespace

import numpy as np
import pandas as pd

from lastviz._sentences import Statement
from lastviz.datasets.column_roles import SENSITIVE
from lastviz.export.blocks import Columns, Heading, Text
from lastviz.host.memory import resolved
from lastviz.inspection import (
    NearBestTrees,
    monotonicity_audit,
    near_best_trees_in_steps,
    share_interval,
    tree_diff,
    value_groups,
)
from lastviz.plots import ThemeName, flow_tree_plot, number, row_shares_plot, tree_counts_plot
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
from lastviz.ui.shared.headline import FEW, Say
from lastviz.ui.shared.job_box import result_or_reason
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.widgets import bound
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.state.edit_codes import in_order, trim
from lastviz.ui.state.link_texts import Hold
from lastviz.ui.state.selection import DEFAULT
from lastviz.ui.text import CannotShow, join_names, paragraph, percent, plain, t

N_DRAWN, N_BEST = 1_000, 100  # trees that are drawn, and that can be picked
THRESHOLDS = (5, 10, 20)
TREE_HEIGHT = 230
MOST_HIGH = 283  # pixels of the table: of more features it scrolls
LEFT_OUT, RISES, FALLS = ("stays", "rises", "falls")  # limits of features


@dataclass(frozen=True, eq=False)
class DrawnTrees:
    """Trees drawn with equal chances from the near-best ones, all where they are few."""

    n: int  # that keep to directions and groups, too
    total: int  # that were drawn
    first: np.ndarray  # (n_features,) float64, share of those n that asks for the feature first
    asks: np.ndarray  # (n_features,) float64, share that asks for it at all
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
    def every(self) -> NearBestTrees:
        """All of them, whatever they ask for; see :func:`.outcome` for errors."""
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

    @resolved
    def found(self) -> NearBestTrees:
        """Those that ask for none of the features left out."""
        out, every = self.held(LEFT_OUT), self.every
        if not out:
            return every
        steps = partial(every.without_in_steps, out)
        return outcome(self._key("without", *out), t("The near-best trees"), steps)

    def held(self, how: str) -> list[int]:
        """Features with a limit of a kind, by position."""
        names = {hold.feature for hold in self.view.near_holds if hold.how == how}
        return [f for f, name in enumerate(self.model.division.X.columns) if str(name) in names]

    @property
    def directions(self) -> np.ndarray:
        """Features whose larger values may only speak for the class (1) or against (-1)."""
        found = np.zeros(len(self.model.division.X.columns), dtype=np.intp)
        found[self.held(RISES)], found[self.held(FALLS)] = 1, -1
        return found

    @cached_property
    def groups(self) -> dict[str, list[np.ndarray]]:
        """Training rows by group, of sensitive columns with two large groups."""
        rows, full, found = self.model.division.train_rows, self.work.data.full, {}
        for name in self.work.columns_with(SENSITIVE):
            parts = value_groups(full.X[name].iloc[rows].reset_index(drop=True))
            large = [rows[part.rows] for part in parts if len(part.rows) >= FEW]
            found |= {full.labels.get(name, name): large} if len(large) > 1 else {}
        return found

    @property
    def is_sifted(self) -> bool:
        """Whether limits hold that no count knows: trees are drawn and tried."""
        return (self.view.near_gap is not None and bool(self.groups)) or bool(self.directions.any())

    def keeps(self, tree: Tree, predicted: np.ndarray) -> bool:
        """Whether a tree keeps to the directions and to the gap between groups."""
        if self.view.near_gap is not None:
            says = predicted == self.klass
            gaps = [np.ptp([says[rows].mean() for rows in some]) for some in self.groups.values()]
            if gaps and 100 * max(gaps) > self.view.near_gap:
                return False
        label = (tree.prediction == self.klass).astype(np.intp)  # a class, or another: 1 or 0
        marked = SimpleNamespace(tree_=replace(tree, prediction=label))
        return not monotonicity_audit(marked, directions=self.directions).n_violating

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
        cost, leaves = self.limits
        limits = cost, leaves, self.view.near_holds, self.view.near_gap, *self.groups
        key, title = self._key("drawn", *limits), t("Drawing from the near-best trees")
        found = outcome(key, title, self._drawing)
        if not found.n:
            sentences = [t("None of {n} trees keeps to the limits on directions and groups.",
                           n=number(found.total)),
                         t("Allow more errors, or take a limit back.")]  # fmt: skip
            if self.count > N_DRAWN:
                most = percent(share_interval(0, found.total)[1])
                drawn = t("They were drawn from all; of these at most {most} % do (95 % interval).",
                          most=most)  # fmt: skip
                sentences.insert(1, drawn)
            raise CannotShow(paragraph(sentences))
        return found

    def _drawing(self) -> Generator[float, None, DrawnTrees]:
        found, (cost, leaves), X = self.found, self.limits, self.model.division.values
        total, limits = min(self.count, N_DRAWN), {"cost": cost, "leaves": leaves}
        drawn = (
            found.trees(range(total), **limits)
            if self.count <= N_DRAWN
            else found.sample(total, self.work.selection.seed, **limits)
        )
        votes = np.zeros((len(X), self.work.dataset.n_classes))
        first, asks, passing = *np.zeros((2, X.shape[1])), []
        for done, tree in enumerate(drawn):
            predicted = tree.predict(X)
            if not self.is_sifted or self.keeps(tree, predicted):
                votes[np.arange(len(X)), predicted] += 1
                first[tree.feature[:1]] += tree.n_children[0] > 0
                asks[np.unique(tree.feature[tree.feature >= 0])] += 1
                passing.append(tree)
            yield done / total
        fewest = next(c for c in range(found.best, cost + 1) if found.count_within(c, leaves))
        best = found.trees(range(min(found.count_within(fewest, leaves), N_BEST)),
                           cost=fewest, leaves=leaves)  # fmt: skip
        if self.is_sifted:
            # Where all were drawn, the best are among those that pass.
            more = best if self.count > N_DRAWN else []
            best = [tree for tree in more if self.keeps(tree, tree.predict(X))]
            best += sorted(passing, key=lambda tree: (self.errors(tree), tree.n_leaves))
        n = len(passing) or 1
        return DrawnTrees(len(passing), total, first / n, asks / n, votes / n, tuple(best[:N_BEST]))

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
        divided, n_classes = self.model.division, self.work.dataset.n_classes
        return 1 if n_classes == 2 else int(np.bincount(divided.y[divided.train_rows]).argmax())

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
    is_limited = bool(scene.view.near_holds) or scene.view.near_gap is not None
    box = st.expander(t("Features and groups"), key="near_more", expanded=is_limited)
    with box:
        _feature_limits(scene)


def _feature_limits(scene: NearBestScene) -> None:
    """Draw the limits on features, directions and groups."""
    names = list(map(str, scene.model.division.X.columns))
    klass = class_names_of(scene.work.dataset)[scene.klass]
    out = [names[f] for f in scene.held(LEFT_OUT)]
    only = [name for name in names if name not in out] if 2 * len(out) > len(names) else []

    def but(chosen: list[str]) -> list[str]:
        return [name for name in names if name not in chosen] if chosen else []

    for key, how, label, value, taken in (
        ("only", LEFT_OUT, t("Only these features"), only, but),
        (LEFT_OUT, LEFT_OUT, t("Not these features"), [] if only else out, list),
        (RISES, RISES, t("Higher values never speak against {name}", name=klass),
         [names[f] for f in scene.held(RISES)], list),
        (FALLS, FALLS, t("Higher values never speak for {name}", name=klass),
         [names[f] for f in scene.held(FALLS)], list),
    ):  # fmt: skip
        bound(st.multiselect, "near_holds", label, names, key=f"near_{key}", value=value,
              stored=partial(_holds, scene.view.near_holds, how, taken),
              placeholder=t("any"))  # fmt: skip
    if not scene.groups:
        st.caption(t("Say on the page Data which columns are sensitive: then the gap between "
                     "their groups can be limited."))  # fmt: skip
        return
    label = t("Gap between groups of {names}, points at most", names=join_names([*scene.groups]))
    bound(st.number_input, "near_gap", label, 0, 100, None, placeholder=t("any"),
          help=t("The shares of two groups' training rows that are told {name} lie at most so far "
                 "apart.", name=klass))  # fmt: skip


def _holds(
    holds: Sequence[Hold], how: str, taken: Callable[[list[str]], list[str]], chosen: list[str]
) -> tuple[Hold, ...]:
    """Limits of features once those of a kind are on some of them."""
    names = taken(chosen)
    others = [hold for hold in holds if hold.how != how and hold.feature not in names]
    return tuple(sorted([*others, *(Hold(name, how) for name in names)]))


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
        another = partial(session.select, near_tree=(scene.view.near_tree + 1) % more)
        st.button(t("Another"), key="near_another", disabled=more == 1, on_click=another)
        st.button(t("Make it mine"), key="near_mine", on_click=partial(_make_mine, scene.picked))
    _row(scene)
    _farthest(scene)


def _findings(scene: NearBestScene) -> list[Block]:
    found, cost, drawn = scene.found, scene.limits[0], scene.drawn
    names = found.rows.feature_names
    always = [names[f] for f in np.flatnonzero(found.least_without > cost)]
    rows, is_new = scene.judged
    share = drawn.shares[rows].max(axis=1)
    first = Statement(
        "One tree at most {depth} questions deep makes at most {cost} training errors; the best "
        "one makes {best}.",
        "{n} trees at most {depth} questions deep make at most {cost} training errors; the best "
        "one makes {best}.",
        n=scene.count, cost=cost, best=found.best, depth=scene.view.near_depth,
    )  # fmt: skip
    use = [Statement("All of them ask for {names:list}.", names=tuple(always))] if always else []
    is_any = scene.limits[1] >= 2**scene.view.near_depth and not scene.is_sifted
    if not always and is_any:
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
    is_all = scene.count <= N_DRAWN
    exact = t("All shares are exact, at this tolerance.") if is_all else t(
        "What they ask first and the prices are exact; other shares come from {drawn} trees drawn "
        "from all with the same chance, each within {points} points (95 % interval). All shares "
        "are shares at this tolerance.",
        drawn=number(N_DRAWN), points=_points(N_DRAWN),
    )  # fmt: skip
    low, high = share_interval(drawn.n, drawn.total)
    sifted = (
        Statement("{n} of them keeps to the limits on directions and groups.",
                  "{n} of them keep to the limits on directions and groups.", n=drawn.n)
        if is_all else
        Statement("Of {total} drawn, {n} keeps to the limits on directions and groups: of all, "
                  "{low:percent} to {high:percent}.",
                  "Of {total} drawn, {n} keep to the limits on directions and groups: of all, "
                  "{low:percent} to {high:percent}.",
                  n=drawn.n, total=drawn.total, low=low, high=high)
    )  # fmt: skip
    if scene.is_sifted and not is_all:
        exact = t("All shares come from those {n} drawn trees, each within {points} points (95 % "
                  "interval).", n=number(drawn.n), points=_points(drawn.n))  # fmt: skip
    more = [sifted, *use] if scene.is_sifted else use
    return [Say(first, *more, depends, lead=True), Text(paragraph([counted, exact]))]


def _points(n: int) -> str:
    """Half the 95% interval of a share of n trees, at most, in points."""
    return number(round(98 / n**0.5, 1))


def feature_table(scene: NearBestScene) -> pd.DataFrame:
    """Shares of trees that ask for each feature, and its price in errors."""
    found, (cost, leaves), drawn = scene.found, scene.limits, scene.drawn
    counts = found.table[:, 1:leaves, : cost + 1].sum(axis=(1, 2))
    first = drawn.first if scene.is_sifted else [int(n) / scene.count for n in counts]
    out, rows = scene.held(LEFT_OUT), []
    for f in sorted(range(len(first)), key=lambda f: (-first[f], -drawn.asks[f])):
        prices = [
            t("more than {n}", n=found.budget - found.best)
            if np.isnan(price)
            else number(int(price))
            for price in (found.price_of_using[f], found.price_of_leaving_out[f])
        ]
        shares = [f"{percent(share)} %" for share in (first[f], drawn.asks[f])]
        rows += [(found.rows.feature_names[f], *shares, *prices)] if f not in out else []
    titles = [t("feature"), t("asked first"), t("asked at all"), t("more errors with it"),
              t("without it")]  # fmt: skip
    # Prices know nothing of directions and groups.
    return pd.DataFrame(rows, columns=titles)[titles[:3] if scene.is_sifted else titles]


def _by_errors(scene: NearBestScene) -> Chart:
    """Picture of the trees by their errors; a click on a bar sets the most errors."""
    found, (cost, leaves) = scene.found, scene.limits
    tables = scene.every.table, found.table[:, :leaves]
    counts, within = ([*map(int, each.sum(axis=(0, 1))[found.best :])] for each in tables)
    figure = tree_counts_plot(counts, within, found.best, cost, theme=scene.theme)
    alt = t("Trees by their training errors; those within the limits on errors, leaves and "
            "features are dark.")  # fmt: skip
    pick = partial(_pick, "near_errors", range(len(within)), found.best)
    return Chart(figure, alt, key="near_counts", on_click=pick, filename="near_best_errors")


def _pick(field: str, values: Sequence[int], begin: int, click: dict) -> None:
    if click.get("x") is not None:
        place = min(max(round(click["x"]) - begin, 0), len(values) - 1)
        session.select(**{field: int(values[place])})


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

    asks, height = feature_table(scene), min(35 * scene.model.tree.n_features + 38, MOST_HIGH)
    table = Detail(scene.work.selection, (), lambda: st.dataframe(
        asks, hide_index=True, key="near_asks", height=height))  # fmt: skip
    pick = partial(_pick, "near_row", rows, 0)
    chart = Chart(strip, alt, key="near_rows", on_click=pick, filename="near_best")
    counts = _by_errors(scene)
    left = [Title(t("How many trees make how many errors?")), counts, Text(counts.alt),
            Heading(t("What they ask")), table]  # fmt: skip
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
        Columns([left, [Title(title), chart, Text(alt)]], (5, 4)),
        Columns(both),
        Text(paragraph(notes)),
    ]


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
