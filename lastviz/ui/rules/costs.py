"""Fold of the view *In short*: the costs of errors at a threshold."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from html import escape

import numpy as np
import pandas as pd

from lastviz._sentences import Statement
from lastviz.criteria.ties_kernels import TIE
from lastviz.export.blocks import Columns, Heading, Text, Words
from lastviz.host.memory import remembered
from lastviz.inspection import (
    Costs,
    Reliability,
    cost_curve,
    decisions,
    ranking_curve,
    reliability,
    tells_certainty,
)
from lastviz.plots import cost_curve_plot, ranking_plots, reliability_plot
from lastviz.tree import Tree
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.training import Division
from lastviz.ui.shared.blocks import REPORT, Block, Chart, Controls, NumbersTable, Only, draw
from lastviz.ui.shared.headline import Cell, accuracy_cells, strip
from lastviz.ui.shared.model_view import Priced, two_priced
from lastviz.ui.shared.widgets import bound, put
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.state.link_texts import DEAREST, MOST_PRICED
from lastviz.ui.text import as_markdown, as_plain, number, percent, plain, round_digits, t

from .decision import CostScene, is_implied, line_blocks, line_words
from .scene import RuleScene, view_of
from .words import part_words, small_table, training_words

HEIGHT = 340
COST = {"min_value": 0.0, "max_value": DEAREST, "step": 1.0, "format": "%.6g"}  # its field


def cost_scene(scene: RuleScene) -> CostScene:
    """Compute the contents of the panel for a tree of two classes."""
    division, rules = scene.division, scene.work.selection.rules
    tree = scene.work.first.tree  # whose leaves of equal shares decide as they were grown
    label = division.rarer_class
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
        judge=fares,
        judged=fares(threshold=cut),
        is_held_out=bool(len(held)),
        never=fares(threshold=np.inf),
        always=fares(threshold=0.0),
        curves={
            name: cost_curve(shares[part], own[part], costs)
            for name, part in parts.items()
            if len(part)
        },
        ranks={
            name: curve
            for name, part in parts.items()
            if (curve := ranking_curve(shares[part], own[part])) is not None
        },
        shares=np.unique(shares),
        reliable=reliable,
    )


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
    rules = scene.work.selection.rules
    is_named = rules.rule_view == "costs" or rules.is_priced
    title = t("What do errors cost?")
    box = st.expander(title, key="fold.costs", expanded=is_named, on_change=_turned)
    if box.open:
        with box, st.container(key="costs"):
            draw(_costs(scene), "costs")


def _turned() -> None:
    session.select(rule_view="costs" if st.session_state["fold.costs"] else "short")


def _costs(scene: RuleScene) -> list[Block]:
    """Costs and their effects on the tree, or the reason why there is no threshold."""
    reason = obstacle(scene)
    if len(scene.class_names) > MOST_PRICED:
        return [Text(as_plain(reason))]
    if len(scene.class_names) != 2:
        why = [] if reason is None else [Text(as_plain(reason))]
        return [Controls(partial(_matrix, scene)), *why, *_priced_table(scene)]
    label = scene.division.rarer_class
    if reason:
        return [Controls(partial(_choices, scene, label)), Text(as_plain(reason))]
    costs = cost_scene(scene)
    blocks: list[Block] = [Controls(partial(_choices, scene, label, costs.cut))]
    if costs.are_free:
        note = as_markdown(findings(scene, costs))
        return [*blocks, Controls(partial(st.info, note))]
    pictures = Columns([_cost_picture(scene, costs), _reliability_picture(scene, costs)])
    numbers = [*line_blocks(scene, costs), Words(strip(_cells(scene, costs)))]
    return [*blocks, *numbers, pictures, *_ranking(scene, costs)]


def _priced_table(scene: RuleScene) -> list[Block]:
    return [] if scene.view.priced is None else [Words(_table(scene, scene.view.priced))]


def _matrix(scene: RuleScene) -> None:
    """Draw the costs of all errors, those of a class in one line."""
    names, n = list(map(plain, scene.class_names)), len(scene.class_names)
    costs = np.ones((n, n)) - np.eye(n) if scene.view.priced is None else scene.view.priced.costs
    for true in range(n):
        others = [given for given in range(n) if given != true]
        for column, given in zip(st.columns(n - 1, gap="medium"), others, strict=True):
            key = f"cost.{true}.{given}"
            put(key, float(costs[true, given]))
            column.number_input(
                t("Cost of a {name} taken for {other}", name=names[true], other=names[given]),
                **COST, key=key, on_change=partial(_set_cell, costs, true, given, key),
            )  # fmt: skip


def _set_cell(costs: np.ndarray, true: int, given: int, key: str) -> None:
    changed = costs.copy()
    changed[true, given] = st.session_state[key] or 0.0
    is_usual = (changed + np.eye(len(changed)) == 1).all()
    view = view_of(session.current())
    session.select(costs=() if is_usual else tuple(changed.ravel().tolist()), rule_view=view)


def saved_costs(scene: RuleScene) -> list[Block]:
    """Line and costs as a report and a slide have them."""
    if len(scene.class_names) != 2:
        return _priced_table(scene)
    costs = cost_scene(scene)
    if costs.are_free:
        return [Text(as_plain(findings(scene, costs)[0]))]
    return [*line_words(scene, costs), Only((REPORT,), _cost_picture(scene, costs))]


def obstacle(scene: RuleScene) -> Statement | None:
    """Reason why there is no threshold to choose, or None."""
    if len(scene.class_names) > MOST_PRICED:
        return Statement(
            "Errors between more than {n} classes have no costs here. On the page Data you can set "
            "one class against the rest; its errors then have a cost.",
            n=MOST_PRICED,
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
            **COST,
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
    costs = Costs(rules.cost_miss, rules.cost_alarm)
    best = costs.threshold
    if np.isfinite(best) and not is_implied(rules.cut, costs):
        st.button(
            t("Use the threshold of the costs: {share} %", share=percent(best)),
            key="cheapest_cut",
            help=t("Cost of a false alarm, divided by the sum of both costs."),
            on_click=lambda: session.select(cut=100.0 * best),
        )


def _set_cost(field: str) -> None:
    """Take a cost from its field; a line that stood where the costs draw it follows."""
    rules, value = session.current().rules, st.session_state[field]
    costs = Costs(rules.cost_miss, rules.cost_alarm)
    value = 0.0 if value is None else float(value)
    changed = replace(costs, **{field.removeprefix("cost_"): value})
    follows = np.isnan(costs.threshold) or is_implied(rules.cut, costs)
    cut = 100.0 * changed.threshold if follows else rules.cut
    line = {} if np.isnan(cut) else {"cut": cut}
    session.select(**{field: value}, **line, rule_view=view_of(session.current()))


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
        Words(_table(scene, two_priced(scene.work.first))),
        *map(Text, map(as_plain, findings(scene, costs))),
        Chart(figure, alt, key="cost_curve", filename="costs"),
        Text(
            t("Solid: held-out rows. Dotted: training rows.")
            if len(costs.curves) > 1
            else t("On training rows: none are held out.")
        ),
        NumbersTable("cost_curve", t("As a table"), partial(_curve_table, costs)),
    ]


def _ranking(scene: RuleScene, costs: CostScene) -> list[Block]:
    """ROC curve, and precision over recall, with the reader's threshold on both."""
    if not costs.ranks:
        return []
    name, other = (scene.class_names[k] for k in (costs.label, costs.other))
    found = t("{name} found, %", name=name)
    axes = (
        (t("{name} called {other}, %", name=other, other=name), found),
        (found, t("right of those called {name}, %", name=name)),
    )
    looks = {"theme": scene.theme, "chosen": costs.cut, "axes": axes, "height": HEIGHT}
    roc, precision = ranking_plots(costs.ranks, **looks)
    alts = t("ROC curve"), t("Precision over recall")
    return [
        Heading(t("How well do the shares rank the rows?")),
        Text(as_plain(ranking_words(costs))),
        Columns([
            [Chart(roc, alts[0], key="roc", filename="roc")],
            [Chart(precision, alts[1], key="precision", filename="precision-recall")],
        ]),
    ]  # fmt: skip


def ranking_words(costs: CostScene) -> Statement:
    """Area under the ROC curve, with its interval where the rows are new to the tree."""
    (rows, curve), *_ = costs.ranks.items()
    about = {"auc": round(curve.auc, 3), "n": curve.n_in_class + curve.n_others,
             "precision": round(curve.average_precision, 3)}  # fmt: skip
    if rows != t("held out"):
        return Statement(
            "Area under the ROC curve {auc}, average precision {precision}, on {n} training rows: "
            "new rows are ranked less well.",
            **about,
        )
    low, high = (round(bound, 3) for bound in curve.auc_interval())
    return Statement(
        "Area under the ROC curve {auc}, 95 % interval {low} to {high} (Newcombe's), average "
        "precision {precision}, on {n} held-out rows. Ring: your threshold; dashed: without a "
        "tree.",
        low=low, high=high, **about,
    )  # fmt: skip


def _table(scene: RuleScene, priced: Priced) -> str:
    """Table of the errors and their costs, as HTML."""
    counts, rows = (scene.found.held_out or scene.found.training).confusion, []
    order = range(len(counts)) if priced.label is None else (priced.label, 1 - priced.label)
    for true in order:
        cells = []
        for given in order:
            n, cost = int(counts[true, given]), float(priced.costs[true, given])
            about = {"n": number(n), "cost": round_digits(cost), "total": round_digits(n * cost)}
            is_right = given == true
            words = number(n) if is_right else t("<b>{n}</b> × {cost} = {total}", **about)
            cells.append(f"<td>{words}</td>")
        rows.append(f"<th>{scene.signed(true)}</th>{''.join(cells)}")
    called = [t("called {name}", name=escape(priced.names[k])) for k in order]
    return small_table(t("errors and their costs"), [t("true class"), *called], rows)


def findings(scene: RuleScene, costs: CostScene) -> list[Statement]:
    """Reasons why a threshold changes nothing."""
    if costs.are_free:
        return [
            Statement(
                "No error costs anything: every threshold is as good as any other. Give at least "
                "one error a cost."
            )
        ]
    found = []
    if len(np.setdiff1d(costs.shares, (0.0, 1.0))) == 0:
        pure = Statement(
            "Every leaf is of one class: its share is 0 or 100 %, and no threshold between "
            "changes anything. Prune the tree, or ask for larger leaves."
        )
        found.append(pure)
    counts = scene.tree.value[np.flatnonzero(scene.tree.n_children == 0)]
    if n := int(np.count_nonzero((counts[:, 0] == counts[:, 1]) & (counts[:, 0] > 0))):
        level = Statement(
            "{n} leaf holds both classes in equal shares. At 50 % it decides as the tree does: by "
            "the class of the node above in C4.5 and SODT, else by the class that comes first.",
            "{n} leaves hold both classes in equal shares. At 50 % they decide as the tree does: "
            "by the class of the node above in C4.5 and SODT, else by the class that comes first.",
            n=n,
        )
        found.append(level)
    return found


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
        "error. On the diagonal a leaf is calibrated. Mean gap: {gap} points.",
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
    inside, held_out = _axes(scene.class_names[scene.division.rarer_class])
    return pd.DataFrame(
        {
            t("rule"): [scene.found.numbers.get(int(n), int(n)) for n in found.node],
            inside: 100 * found.predicted,
            t("training rows"): found.n_training,
            held_out: 100 * found.found,
            t("held-out rows"): found.n_rows,
        }
    )
