"""Folds of the view *In short*: the costs of errors, and the groups that they affect."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz._sentences import Statement
from lastviz.criteria.ties_kernels import TIE
from lastviz.export.blocks import Columns, Heading, Text, Words
from lastviz.host.memory import remembered
from lastviz.inspection import (
    CostCurve,
    Costs,
    Decisions,
    Group,
    Reliability,
    Scores,
    cost_curve,
    decisions,
    group_scores,
    reliability,
    tells_certainty,
    value_groups,
)
from lastviz.plots import cost_curve_plot, reliability_plot
from lastviz.tree import Tree, threshold_decimals
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.training import Division
from lastviz.ui.shared.blocks import Block, Chart, Controls, NumbersTable, draw
from lastviz.ui.shared.brushing import take_brush
from lastviz.ui.shared.headline import FEW, Cell, accuracy_cells, strip
from lastviz.ui.shared.widgets import bound, put
from lastviz.ui.state import session
from lastviz.ui.text import as_markdown, as_plain, number, percent, plain, round_digits, t

from .scene import RuleScene, names_costs, view_of
from .words import part_words, small_table, training_words

HEIGHT = 340
DEAREST = 1e6


@dataclass(frozen=True, eq=False)
class CostScene:
    """Costs of a tree's errors."""

    # label, other: the rarer class of the training rows, which the threshold is about, and the
    # other one
    label: int
    other: int
    costs: Costs
    cut: float  # the reader's threshold, a share
    judged: Decisions  # on the rows held out, on the training rows if there are none
    is_held_out: bool
    # never, always: of giving no row the rarer class (the majority's answer), and of giving it to
    # all
    never: Decisions
    always: Decisions
    curves: dict[str, CostCurve]  # by the name of the rows
    shares: np.ndarray  # float64, the distinct shares of the rarer class in leaves
    reliable: Reliability | None  # of the rows held out; None without any

    @property
    def are_free(self) -> bool:
        """Whether no error costs anything."""
        return self.costs.miss == self.costs.alarm == 0

    @property
    def scores(self) -> Scores:
        """Scores at the user's threshold."""
        right = np.array([[self.judged.passed, self.judged.alarms],
                          [self.judged.missed, self.judged.found]])  # fmt: skip
        return Scores(right if self.label else right[::-1, ::-1])


def cost_scene(scene: RuleScene) -> CostScene:
    """Compute the contents of the panel for a tree of two classes."""
    division, tree, rules = scene.division, scene.tree, scene.work.selection.rules
    label = rarer_class(division)
    shares, reliable = _of_leaves(f"{scene.key}|{label}", tree, division, label)
    own = division.y == label
    held = division.held_out_rows
    rows = held if len(held) else division.train_rows
    costs, cut = Costs(rules.cost_miss, rules.cost_alarm), rules.cut / 100.0
    parts = {t("held out"): held, t("training"): division.train_rows}
    fares = partial(decisions, shares[rows], own[rows], costs=costs)
    return CostScene(
        label=label,
        other=1 - label,
        costs=costs,
        cut=cut,
        judged=fares(threshold=cut),
        is_held_out=bool(len(held)),
        never=fares(threshold=np.inf),
        always=fares(threshold=0.0),
        curves={
            name: cost_curve(shares[part], own[part], costs)
            for name, part in parts.items()
            if len(part)
        },
        shares=np.unique(shares),
        reliable=reliable,
    )


def rarer_class(division: Division) -> int:
    """Rarer of two classes in the training rows, the second if they are equal."""
    counts = np.bincount(division.y[division.train_rows], minlength=2)
    return int(counts[1] <= counts[0])


@remembered
def _of_leaves(
    key: Key, tree: Tree, division: Division, label: int
) -> tuple[np.ndarray, Reliability | None]:
    """Share of a class in the leaf of each row, and whether those shares hold.

    A row of equal shares that the tree gives the other class stands just below one half, so that
    the threshold of one half decides as the tree does.
    """
    shares, held = tree.class_shares(division.values)[:, label], division.held_out_rows
    is_level = np.abs(shares - 0.5) <= TIE
    shares[is_level & (tree.predict(division.values) != label)] = 0.5 - 2 * TIE
    if not len(held):
        return shares, None
    return shares, reliability(tree, division.values[held], division.y[held], label)


def costs_fold(scene: RuleScene) -> None:
    """Draw threshold, costs and reliability, folded unless opened or named by a link."""
    is_named = scene.work.selection.rules.rule_view == "costs" or names_costs(
        scene.work.selection.rules
    )
    title = t("What do errors cost?")
    box = st.expander(title, key="fold.costs", expanded=is_named, on_change="rerun")
    if box.open:
        with box, st.container(key="costs"):
            draw(_costs(scene), "costs")


def _costs(scene: RuleScene) -> list[Block]:
    """Costs and their effects on the tree, or the reason why there is no threshold."""
    reason = obstacle(scene)
    if len(scene.class_names) != 2:
        return [Text(as_plain(reason))]
    label = rarer_class(scene.division)
    if reason:
        return [Controls(partial(_choices, scene, label)), Text(as_plain(reason))]
    costs = cost_scene(scene)
    blocks: list[Block] = [Controls(partial(_choices, scene, label, costs.cut))]
    if costs.are_free:
        note = as_markdown(findings(scene, costs))
        return [*blocks, Controls(partial(st.info, note))]
    pictures = Columns([_cost_picture(scene, costs), _reliability_picture(scene, costs)])
    return [*blocks, Words(strip(_cells(scene, costs))), pictures]


def obstacle(scene: RuleScene) -> Statement | None:
    """Reason why there is no threshold to choose, or None."""
    if len(scene.class_names) != 2:
        return Statement(
            "A threshold separates two classes. On the page Data you can set one class against "
            "the rest; its errors then have a cost here."
        )
    if not tells_certainty(scene.model):
        return Statement(
            "This model does not predict by the shares of a leaf (but by a vote, a median, an "
            "envelope or a support vector machine), so a threshold on the share does not apply."
        )
    return None


# The optimum is the threshold that follows from the costs.
def _choices(scene: RuleScene, label: int, cut: float | None = None) -> None:
    """Draw the two costs and, with a `cut`, the threshold and the way to its optimum."""
    name, other = (plain(scene.class_names[k]) for k in (label, 1 - label))
    first, second, third = st.columns([3, 3, 4], gap="medium")
    for column, field, true, given in (
        (first, "cost_miss", name, other), (second, "cost_alarm", other, name)
    ):  # fmt: skip
        put(field, scene.work.selection.value(field))
        column.number_input(
            t("Cost of a {name} taken for {other}", name=true, other=given),
            min_value=0.0,
            max_value=DEAREST,
            step=1.0,
            format="%.6g",
            key=field,
            on_change=partial(_set_cost, field),
        )
    if cut is None:
        return
    bound(
        third.slider,
        "cut",
        t("{name} from a share of (%)", name=name),
        value=100.0 * cut,
        min_value=0.0,
        max_value=100.0,
        step=1.0,
        format="%.3g",
        help=t(
            "A row is given the class if its leaf holds at least this share of it. At 50 % "
            "the tree decides as usual."
        ),
    )
    rules = scene.work.selection.rules
    best = Costs(rules.cost_miss, rules.cost_alarm).threshold
    if np.isfinite(best) and abs(best - cut) > 5e-4:
        st.button(
            t("Use the threshold of the costs: {share} %", share=percent(best)),
            key="cheapest_cut",
            help=t("Cost of a false alarm, divided by the sum of both costs."),
            on_click=lambda: session.select(cut=round(100.0 * best, 4)),
        )


def _set_cost(field: str) -> None:
    value, view = st.session_state[field], view_of(session.current())
    session.select(**{field: 0.0 if value is None else float(value)}, rule_view=view)


def _cells(scene: RuleScene, costs: CostScene) -> list[Cell]:
    """Numbers: accuracy and cost at the threshold, and without a tree."""
    judged, never = costs.judged, costs.never
    rows = t("held-out rows") if costs.is_held_out else t("training rows")
    common = scene.class_names[costs.other]
    training, part = scene.found.training, costs.scores
    parts = (training, part) if costs.is_held_out else (part, scene.found.held_out)
    return [
        (round_digits(judged.mean_cost), "", t("cost of a row, {n} {rows}", n=number(judged.n_rows),
                                         rows=rows)),
        accuracy_cells(*parts)[0],
        (round_digits(never.mean_cost), "", t("cost of a row, all called {name}", name=common)),
    ]  # fmt: skip


def _cost_picture(scene: RuleScene, costs: CostScene) -> list[Block]:
    """Picture of the costs of the errors, and of the cost at every threshold."""
    name = scene.class_names[costs.label]
    figure = cost_curve_plot(
        costs.curves,
        theme=scene.theme,
        chosen=costs.cut,
        cheapest=costs.costs.threshold,
        names=(t("from the costs"), t("yours")),
        axes=(t("threshold, share of {name}", name=name), t("cost of a row")),
        height=HEIGHT,
    )
    alt = t("The expected cost of a row at every threshold, on held-out and training rows.")
    return [
        Words(_table(scene, costs)),
        *map(Text, map(as_plain, findings(scene, costs))),
        Chart(figure, alt, key="cost_curve", filename="costs"),
        Text(
            t("Solid: held-out rows. Dotted: training rows.")
            if len(costs.curves) > 1
            else t("On training rows: none are held out.")
        ),
        NumbersTable("cost_curve", t("As a table"), partial(_curve_table, costs)),
    ]


def _table(scene: RuleScene, costs: CostScene) -> str:
    """Table of the errors and their costs, as HTML."""
    judged = costs.judged
    names = {k: scene.signed(k) for k in (costs.label, costs.other)}
    called = [t("called {name}", name=escape(scene.class_names[k])) for k in names]
    wrong = {
        costs.label: (judged.missed, costs.costs.miss),
        costs.other: (judged.alarms, costs.costs.alarm),
    }
    right = {costs.label: judged.found, costs.other: judged.passed}
    rows = []
    for true in names:
        cells = []
        for given in names:
            if given == true:
                cells.append(f"<td>{number(right[true])}</td>")
            else:
                n, cost = wrong[true]
                about = {
                    "n": number(n),
                    "cost": round_digits(cost),
                    "total": round_digits(n * cost),
                }
                cells.append(f"<td>{t('<b>{n}</b> × {cost} = {total}', **about)}</td>")
        rows.append(f"<th>{names[true]}</th>{''.join(cells)}")
    return small_table(t("errors and their costs"), [t("true class"), *called], rows)


def findings(scene: RuleScene, costs: CostScene) -> list[Statement]:
    """Errors of the threshold, and cheaper choices."""
    if costs.are_free:
        return [
            Statement(
                "No error costs anything: every threshold is as good as any other. Give at least "
                "one error a cost."
            )
        ]
    judged, always, never = costs.judged, costs.always, costs.never
    name, other = (scene.class_names[k] for k in (costs.label, costs.other))
    found = []
    if len(np.setdiff1d(costs.shares, (0.0, 1.0))) == 0:
        pure = Statement(
            "Every leaf is of one class: its share is 0 or 100 %, and no threshold between "
            "changes anything. Prune the tree, or ask for larger leaves."
        )
        found.append(pure)
    if n := _n_level(scene.tree):
        level = Statement(
            "{n} leaf holds both classes in equal shares. At 50 % it decides as the tree does: by "
            "the class of the node above in C4.5 and SODT, else by the class that comes first.",
            "{n} leaves hold both classes in equal shares. At 50 % they decide as the tree does: "
            "by the class of the node above in C4.5 and SODT, else by the class that comes first.",
            n=n,
        )
        found.append(level)
    cheaper, everybody = min((never.mean_cost, other), (always.mean_cost, name))
    if cheaper < judged.mean_cost:
        constant = Statement(
            "Predicting {name} for every row, without any tree, would cost less: {cost:rounded} a "
            "row.",
            name=everybody,
            cost=cheaper,
        )
        found.append(constant)
    return found


def _n_level(tree: Tree) -> int:
    """Number of leaves that hold both classes in equal shares."""
    counts = tree.value[np.flatnonzero(tree.n_children == 0)]
    return int(np.count_nonzero((counts[:, 0] == counts[:, 1]) & (counts[:, 0] > 0)))


def _curve_table(costs: CostScene) -> pd.DataFrame:
    parts = [
        pd.DataFrame(
            {
                t("rows"): name,
                t("threshold from, %"): 100 * curve.threshold,
                t("cost of a row"): curve.cost,
                t("accuracy, %"): 100 * curve.accuracy,
            }
        )
        for name, curve in costs.curves.items()
    ]
    return pd.concat(parts)


def _reliability_picture(scene: RuleScene, costs: CostScene) -> list[Block]:
    """Each leaf's share against that of the held-out rows."""
    title, found = Heading(t("Are the leaf shares calibrated?")), costs.reliable
    if found is None:
        sentence = t(
            "Hold rows out: only rows that the tree has not seen can show how it generalises."
        )
        return [title, Text(sentence)]
    name = scene.class_names[costs.label]
    figure = reliability_plot(
        found,
        theme=scene.theme,
        axes=_axes(name),
        hover=[_leaf_words(scene, found, place) for place in range(len(found.node))],
        height=HEIGHT + 40,
    )
    alt = t("The share of {name} in each leaf against its share among held-out rows.", name=name)
    about = t(
        "Each dot is a leaf, its area the held-out rows that reach it, its line one standard "
        "error. On the diagonal a leaf is calibrated. Mean gap: {gap} percentage points.",
        gap=percent(found.error),
    )
    return [
        title,
        Chart(figure, alt, key="reliability", filename="reliability"),
        Text(about),
        NumbersTable("reliability", t("As a table"), partial(_leaf_table, scene, found)),
    ]


def _leaf_words(scene: RuleScene, found: Reliability, place: int) -> str:
    """Hover text of a leaf, as HTML."""
    node = int(found.node[place])
    rule = t("rule {n}", n=number(scene.found.numbers.get(node, node)))
    about = training_words(float(found.n_training[place]))
    own = t("{share} % of {rows}", share=percent(found.predicted[place]), rows=about)
    rows = part_words("held_out", float(found.n_rows[place]))
    unseen = t("{share} % of {rows}", share=percent(found.found[place]), rows=rows)
    return f"{rule}<br>{own}<br>{unseen}"


def _axes(name: str) -> tuple[str, str]:
    return t("{name} in the leaf, %", name=name), t("{name} among held-out rows, %", name=name)


def _leaf_table(scene: RuleScene, found: Reliability) -> pd.DataFrame:
    inside, held_out = _axes(scene.class_names[rarer_class(scene.division)])
    return pd.DataFrame(
        {
            t("rule"): [scene.found.numbers.get(int(n), int(n)) for n in found.node],
            inside: 100 * found.predicted,
            t("training rows"): found.n_training,
            held_out: 100 * found.found,
            t("held-out rows"): found.n_rows,
        }
    )


# ---- By group: what is right by the values of a column, and whom the errors meet


TABLE = "group_table"


def group_fold(scene: RuleScene) -> None:
    """Draw the table by group, folded until it is wanted or a link names a group."""
    rules = scene.work.selection.rules
    is_named = rules.group_by is not None or rules.group_class is not None
    box = st.expander(t("By group"), key="fold.groups", expanded=is_named, on_change="rerun")
    if box.open:
        with box:
            group_panel(scene)


# A chosen row of the table can be brushed.
def group_panel(scene: RuleScene) -> None:
    """Draw the choice of a column and a class, and the table of groups."""
    full = scene.work.data.full
    left, right = st.columns(2, gap="medium")
    bound(
        left.selectbox,
        "group_by",
        t("Column"),
        list(range(full.X.shape[1])),
        value=_column(scene),
        format_func=lambda i: full.labels.get(full.X.columns[i], full.X.columns[i]),
    )
    bound(
        right.selectbox,
        "group_class",
        t("Class"),
        range(len(scene.class_names)),
        value=_class(scene),
        format_func=scene.class_names.__getitem__,
    )
    table = group_table(scene)

    def chosen() -> None:
        picked = st.session_state[TABLE]["selection"]["rows"]
        if picked:
            rows, groups = _groups(scene)
            take_brush(tuple(rows[groups[picked[0]].rows].tolist()))

    st.dataframe(
        table,
        key=TABLE,
        hide_index=True,
        height=35 * len(table) + 40,
        on_select=chosen,
        selection_mode="single-row",
    )
    part = t("held-out rows") if len(scene.division.held_out_rows) else t("training rows")
    st.caption(
        t(
            "Counted on {part}. Select a group to highlight its rows. Counts cannot say why groups "
            "differ.",
            part=part,
        )
    )


def _column(scene: RuleScene) -> int:
    """Column that is chosen, by default the one that the root asks for."""
    full, wanted = scene.work.data.full, scene.work.selection.rules.group_by
    if wanted is not None and wanted < full.X.shape[1]:
        return wanted
    feature = int(scene.tree.feature[0]) if scene.tree.n_children[0] else -1
    names = scene.division.X.columns
    name = names[feature] if 0 <= feature < len(names) else full.X.columns[0]
    return list(full.X.columns).index(name) if name in full.X.columns else 0


def _class(scene: RuleScene) -> int:
    """Class whose errors are counted, by default the rarest of the training rows."""
    wanted = scene.work.selection.rules.group_class
    if wanted is not None and wanted < len(scene.class_names):
        return wanted
    y = scene.division.y[scene.division.train_rows]
    counts = np.bincount(y, minlength=len(scene.class_names))
    return int(np.argmin(np.where(counts > 0, counts, len(y) + 1)))


def _groups(scene: RuleScene) -> tuple[np.ndarray, list[Group]]:
    """Rows that are counted, held-out ones if there are any, and their groups."""
    held = scene.division.held_out_rows
    rows = held if len(held) else scene.division.train_rows
    column = scene.work.data.full.X.iloc[rows, _column(scene)]
    return rows, value_groups(column.reset_index(drop=True))


def group_table(scene: RuleScene) -> pd.DataFrame:
    """Table in words."""
    rows, groups = _groups(scene)
    decimals = threshold_decimals(np.array([(group.low, group.high) for group in groups]).ravel())
    full, k = scene.work.data.full, _class(scene)
    found = group_scores(groups, scene.division.y[rows], scene.found.predicted[rows], k)
    named = full.value_labels.get(full.X.columns[_column(scene)], {})
    name, many = scene.class_names[k], found["n"] >= FEW

    def shares(part: str, of: str) -> list[str]:
        return [
            t("{n} of {all}", n=number(n), all=number(n_of))
            + (f" ({percent(n / n_of)} %)" if n_of >= FEW else "")
            for n, n_of in zip(found[part], found[of], strict=True)
        ]

    accuracy = [
        t("{share} % ({low} to {high})", share=percent(s), low=percent(low), high=percent(high))
        if enough
        else t("under {few} rows", few=number(FEW))
        for s, low, high, enough in zip(
            found["accuracy"], found["low"], found["high"], many, strict=True
        )
    ]
    rates = [
        percent(rate) + " %" if enough else ""
        for rate, enough in zip(found["rate"], many, strict=True)
    ]
    return pd.DataFrame(
        {
            t("group"): [_name(group, named, decimals) for group in groups],
            t("rows"): found["n"],
            t("right"): found["n_right"],
            t("accuracy (95 % interval)"): accuracy,
            t("{name} missed", name=name): shares("missed", "n_of_class"),
            t("false {name}", name=name): shares("alarms", "n_others"),
            t("predicted {name}", name=name): rates,
        }
    )


def _name(group: Group, named: dict, decimals: int) -> str:
    if group.is_missing:
        return t("no value")
    if group.value is not None:
        return str(named.get(str(group.value), group.value))
    if np.isnan(group.low):
        return t("other values")
    if np.isinf(group.low) and np.isinf(group.high):
        return t("all values")
    if np.isinf(group.low):
        return f"≤ {number(group.high, decimals)}"
    low = f"> {number(group.low, decimals)}"
    if np.isinf(group.high):
        return low
    return t("{low} to {high}", low=low, high=number(group.high, decimals))
