"""What the errors of a tree of two classes cost, and whether its shares can be believed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.criteria.ties_kernels import TIE
from lastviz.export.html_report import Heading, Text, Words
from lastviz.export.slide_show import Columns
from lastviz.host.memory import remembered
from lastviz.inspection import (
    CostCurve,
    Costs,
    Decisions,
    Reliability,
    Scores,
    cost_curve,
    decisions,
    reliability,
    tells_certainty,
)
from lastviz.plots import cost_curve_plot, number, reliability_plot
from lastviz.tree import Tree
from lastviz.ui.compute.training import Division
from lastviz.ui.shared.blocks import Block, Box, Chart, Controls, Numbers
from lastviz.ui.shared.headline import Cell, accuracy_cells, strip
from lastviz.ui.shared.widgets import bound, put
from lastviz.ui.state import session
from lastviz.ui.text import percent, plain, plural, rounded, t

from .scene import RuleScene, view_of
from .words import small_table, training_words

HEIGHT = 340
DEAREST = 1e6


@dataclass(frozen=True, eq=False)
class CostScene:
    """What the errors of a tree cost."""

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
    def scores(self) -> Scores:
        """What is right at the reader's threshold."""
        right = np.array([[self.judged.passed, self.judged.alarms],
                          [self.judged.missed, self.judged.found]])  # fmt: skip
        return Scores(right if self.label else right[::-1, ::-1])


def cost_scene(scene: RuleScene) -> CostScene:
    """Work out what the panel shows of a tree of two classes."""
    division, tree, rules = scene.division, scene.tree, scene.selection.rules
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
    """Return which of two classes fewer training rows have, the second of equal ones."""
    counts = np.bincount(division.y[division.train_rows], minlength=2)
    return int(counts[1] <= counts[0])


@remembered
def _of_leaves(
    key: str, tree: Tree, division: Division, label: int
) -> tuple[np.ndarray, Reliability | None]:
    """Return the share of a class in the leaf of each row, and whether those shares hold.

    A row of equal shares that the tree gives the other class stands just below one half, so that
    the threshold of one half decides as the tree does.
    """
    shares, held = tree.class_shares(division.values)[:, label], division.held_out_rows
    is_level = np.abs(shares - 0.5) <= TIE
    shares[is_level & (tree.predict(division.values) != label)] = 0.5 - 2 * TIE
    if not len(held):
        return shares, None
    return shares, reliability(tree, division.values[held], division.y[held], label)


def costs_view(scene: RuleScene) -> list[Block]:
    """Return threshold, costs and reliability, or why there are none."""
    blocks: list[Block] = [Heading(t("What do errors cost?"))]
    obstacle = _obstacle(scene)
    if obstacle:
        return [Box("costs", [*blocks, Text(obstacle)])]
    costs = cost_scene(scene)
    blocks.append(Controls(partial(_choices, scene, costs)))
    if costs.costs.miss + costs.costs.alarm > 0:
        blocks.append(Words(strip(_cells(scene, costs))))
        blocks.append(Columns([_cost_picture(scene, costs), _reliability_picture(scene, costs)]))
    else:
        sentence = t(
            "No error costs anything: every threshold is as good as any other. Give at least one "
            "error a cost."
        )
        blocks.append(Controls(partial(st.info, sentence)))
    return [Box("costs", blocks)]


def _obstacle(scene: RuleScene) -> str:
    """Return why there is no threshold to choose; "" if there is."""
    if len(scene.class_names) != 2:
        return t(
            "A threshold separates two classes. On the page Data you can set one class against "
            "the rest; its errors then have a cost here."
        )
    if not tells_certainty(scene.model):
        return t(
            "This model does not predict by the shares of a leaf (but by a vote, a median, an "
            "envelope or a support vector machine), so a threshold on the share does not apply."
        )
    return ""


def _choices(scene: RuleScene, costs: CostScene) -> None:
    """Draw the two costs, the threshold, and the way to the one that follows from the costs."""
    name, other = (plain(scene.class_names[k]) for k in (costs.label, costs.other))
    first, second, third = st.columns([3, 3, 4], gap="medium")
    cost_fields(costs.costs, name, other, first, second)
    bound(
        third.slider,
        "cut",
        t("{name} from a share of (%)", name=name),
        value=100.0 * costs.cut,
        min_value=0.0,
        max_value=100.0,
        step=1.0,
        format="%.3g",
        help=t(
            "A row is given the class if its leaf holds at least this share of it. At 50 % "
            "the tree decides as usual."
        ),
    )
    best = costs.costs.threshold
    if np.isfinite(best) and abs(best - costs.cut) > 5e-4:
        st.button(
            t("Use the threshold of the costs: {share} %", share=percent(best)),
            key="cheapest_cut",
            help=t("Cost of a false alarm, divided by the sum of both costs."),
            on_click=lambda: session.select(cut=round(100.0 * best, 4)),
        )


def cost_fields(
    costs: Costs, name: str, other: str, *places: st.delta_generator.DeltaGenerator
) -> None:
    """Draw the field of what it costs to miss a class, and of taking the other one for it."""
    miss = t("Cost of a {name} taken for {other}", name=name, other=other)
    alarm = t("Cost of a {name} taken for {other}", name=other, other=name)
    _cost(places[0], "cost_miss", miss, costs.miss)
    _cost(places[-1], "cost_alarm", alarm, costs.alarm)


def _cost(column: st.delta_generator.DeltaGenerator, field: str, label: str, value: float) -> None:
    put(field, float(value))
    column.number_input(
        label,
        min_value=0.0,
        max_value=DEAREST,
        step=1.0,
        format="%.6g",
        key=field,
        on_change=partial(_set_cost, field),
    )


def _set_cost(field: str) -> None:
    value, view = st.session_state[field], view_of(session.current())
    session.select(**{field: 0.0 if value is None else float(value)}, rule_view=view)


def _cells(scene: RuleScene, costs: CostScene) -> list[Cell]:
    """Return the numbers: accuracy and cost at the threshold, and without a tree."""
    judged, never = costs.judged, costs.never
    rows = t("held-out rows") if costs.is_held_out else t("training rows")
    common = scene.class_names[costs.other]
    training, part = scene.found.training, costs.scores
    parts = (training, part) if costs.is_held_out else (part, scene.found.held_out)
    return [
        (rounded(judged.mean_cost), "", t("cost of a row, {n} {rows}", n=number(judged.n_rows),
                                         rows=rows)),
        accuracy_cells(*parts)[0],
        (rounded(never.mean_cost), "", t("cost of a row, all called {name}", name=common)),
    ]  # fmt: skip


def _cost_picture(scene: RuleScene, costs: CostScene) -> list[Block]:
    """Return which errors cost what, and the cost at every threshold."""
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
    drawn = (
        t("Solid: held-out rows. Dotted: training rows.")
        if len(costs.curves) > 1
        else t("On training rows: none are held out.")
    )
    return [
        Words(_table(scene, costs)),
        *map(Text, _sentences(scene, costs)),
        Chart(figure, alt, key="cost_curve", filename="costs"),
        Text(drawn),
        Numbers("cost_curve", t("As a table"), partial(_curve_table, costs)),
    ]


def _table(scene: RuleScene, costs: CostScene) -> str:
    """Return which errors there are and what they cost, as html."""
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
                about = {"n": number(n), "cost": rounded(cost), "total": rounded(n * cost)}
                cells.append(f"<td>{t('<b>{n}</b> × {cost} = {total}', **about)}</td>")
        rows.append(f"<th>{names[true]}</th>{''.join(cells)}")
    return small_table(t("errors and their costs"), [t("true class"), *called], rows)


def _sentences(scene: RuleScene, costs: CostScene) -> list[str]:
    """Return what the threshold misses, and what would be cheaper."""
    judged, always, never = costs.judged, costs.always, costs.never
    name, other = (scene.class_names[k] for k in (costs.label, costs.other))
    found = [
        t(
            "From {share} % on it misses {missed} of {all} {name} and takes {alarms} of {rest} "
            "{other} for {name}.",
            share=rounded(100 * costs.cut, 4),
            missed=number(judged.missed),
            all=number(judged.found + judged.missed),
            alarms=number(judged.alarms),
            rest=number(judged.alarms + judged.passed),
            name=name,
            other=other,
        )
    ]
    if len(np.setdiff1d(costs.shares, (0.0, 1.0))) == 0:
        found.append(
            t(
                "Every leaf is of one class: its share is 0 or 100 %, and no threshold between "
                "changes anything. Prune the tree, or ask for larger leaves."
            )
        )
    level = _level_words(scene)
    if level:
        found.append(level)
    cheaper, everybody = min((never.mean_cost, other), (always.mean_cost, name))
    if cheaper < judged.mean_cost:
        found.append(
            t(
                "Predicting {name} for every row, without any tree, would cost less: {cost} a row.",
                name=everybody,
                cost=rounded(cheaper),
            )
        )
    return found


def _level_words(scene: RuleScene) -> str:
    """Return what leaves of equal shares predict; "" without any."""
    counts = scene.tree.value[np.flatnonzero(scene.tree.n_children == 0)]
    n = int(np.count_nonzero((counts[:, 0] == counts[:, 1]) & (counts[:, 0] > 0)))
    if not n:
        return ""
    return plural(
        n,
        "{n} leaf holds both classes in equal shares. At 50 % it decides as the tree does: by the "
        "class of the node above in C4.5 and SODT, else by the class that comes first.",
        "{n} leaves hold both classes in equal shares. At 50 % they decide as the tree does: by "
        "the class of the node above in C4.5 and SODT, else by the class that comes first.",
    )


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
    """Return each leaf's share against that of the held-out rows."""
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
        axes=(t("{name} in the leaf, %", name=name), t("{name} among held-out rows, %", name=name)),
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
        Numbers("reliability", t("As a table"), partial(_leaf_table, scene, found)),
    ]


def _leaf_words(scene: RuleScene, found: Reliability, place: int) -> str:
    """Return what the pointer reads over a leaf, as html."""
    node = int(found.node[place])
    rule = t("rule {n}", n=number(scene.found.numbers.get(node, node)))
    about = training_words(float(found.n_training[place]))
    own = t("{share} % of {rows}", share=percent(found.predicted[place]), rows=about)
    rows = number(float(found.n_rows[place]))
    unseen = t("{share} % of {n} held-out rows", share=percent(found.found[place]), n=rows)
    return f"{rule}<br>{own}<br>{unseen}"


def _leaf_table(scene: RuleScene, found: Reliability) -> pd.DataFrame:
    return pd.DataFrame(
        {
            t("rule"): [scene.found.numbers.get(int(n), int(n)) for n in found.node],
            t("in the leaf, %"): 100 * found.predicted,
            t("training rows"): found.n_training,
            t("held out, %"): 100 * found.found,
            t("held-out rows"): found.n_rows,
        }
    )
