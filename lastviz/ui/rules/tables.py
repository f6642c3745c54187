"""The tables below the rule tree: the rules, which can be filtered, and the rows it gets wrong.

The filters and the order are the selection's; a click selects a node in all pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import unescape

import numpy as np
import pandas as pd

from lastviz._params import Param
from lastviz.estimators import ForestClassifier
from lastviz.export.blocks import Columns, Heading, Text, Words
from lastviz.host.memory import remembered
from lastviz.inspection import NEVER, ForestOverview, Rule, forest_overview
from lastviz.plots import condition_words, forest_overview_plot, plain_split, rule_words
from lastviz.ui.components.filtered_table import Column, filtered_table
from lastviz.ui.compute.selected import Key
from lastviz.ui.shared.blocks import Block, Chart, Controls, NumbersTable
from lastviz.ui.shared.brushing import take_brush
from lastviz.ui.shared.exports import forest_exports
from lastviz.ui.shared.figures import column_formats
from lastviz.ui.shared.headline import strip
from lastviz.ui.shared.widgets import bound, control, save_table
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.state.link_texts import MOST_BRUSHED
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import HUNDRED, number, paragraph, percent, plural, round_digits, t

from .scene import RuleScene
from .words import part_words, shares_words

MOST_LISTED = 500
MOST_NODES, MOST_SHOWN = 100, 200


# The browser has the rules of all classes and filters them, unless they are too many.
def rule_table(scene: RuleScene) -> None:
    """Draw the filters and the rules that pass them; choosing one selects its leaf."""
    st.markdown(f"**{t('The rules')}**")
    _filters(scene)
    of_all = _passing(scene.found.rules, scene.work.selection)
    found = [[r for r in of_all if r.prediction == k] for k in range(len(scene.class_names))]
    chosen = scene.work.selection.rules.only
    if not of_all:
        st.info(t("No rule is left: lower the least support or confidence."))
        return
    here = of_all if chosen is None or len(of_all) <= MOST_LISTED else found[chosen]
    shown = here[:MOST_LISTED]
    filtered_table(
        _columns(scene, shown),
        [rule.node for rule in shown],
        [int(rule.prediction) for rule in shown],
        key="rules",
        label=t("The rules"),
        titles=scene.class_names,
        chosen=chosen,
        captions=[_how_many(scene, some) for some in (of_all, *found)],
        on_class=lambda k: session.select(only=k),
        on_row=lambda node: session.select_model(0, node=node),
        selected=scene.node,
    )


def _passing(found: Sequence[Rule], selection: Selection) -> list[Rule]:
    """Rules of enough rows and confidence, in the order of the selection."""
    passing = [
        rule
        for rule in found
        if rule.support >= selection.rules.from_rows
        and 100 * rule.confidence >= selection.rules.from_confidence
    ]
    orders = {
        "support": lambda rule: -rule.support,
        "confidence": lambda rule: -rule.confidence,
        "coverage": lambda rule: -rule.coverage,
        "length": lambda rule: len(rule.conditions),
    }
    return sorted(passing, key=orders[selection.rules.order])


def _filters(scene: RuleScene) -> None:
    selection = scene.work.selection
    first, second, third = st.columns(3)
    most = int(max(rule.support for rule in scene.found.rules))
    rows = Param(
        "from_rows", int, 0, low=0, slider=(0, max(most, 1), 1), label="Least support (rows)"
    )
    share = Param(
        "from_confidence", int, 0, low=0, high=100, slider=(0, 100, 5), unit="%",
        label="Least confidence",
    )  # fmt: skip

    def set_filter(name: str, value: object) -> None:
        session.select(**{name: value})

    for param, column in ((rows, first), (share, second)):
        with column:
            value = getattr(selection.rules, param.name)
            control(param, value, key=param.name, apply=partial(set_filter, param.name))
    with third:
        titles = {
            "support": t("largest support"),
            "confidence": t("highest confidence"),
            "coverage": t("widest coverage"),
            "length": t("shortest"),
        }
        bound(st.selectbox, "order", t("First"), list(titles), format_func=titles.get)


def _how_many(scene: RuleScene, found: list[Rule]) -> str:
    words = t(
        "{n} of {all} rules, {share} % of the rows that the tree was grown on.",
        n=number(len(found)),
        all=number(len(scene.found.rules)),
        share=round_digits(HUNDRED * sum(rule.share for rule in found)),
    )
    return words if len(found) <= MOST_LISTED else paragraph((words, _first_listed(MOST_LISTED)))


def _first_listed(most: int) -> str:
    return t("The first {n} are listed; all are in the files.", n=number(most))


def _columns(scene: RuleScene, shown: list[Rule]) -> list[Column]:
    names = scene.class_names
    joint, missing = f" {t('and')} ", t("or missing")

    def words(rule: Rule) -> str:
        found = condition_words(
            scene.tree, rule.conditions, joint=joint, html=False, missing=missing
        )
        return found or t("all rows")

    def shares(rule: Rule) -> str:
        return unescape(shares_words(rule.class_supports, names))

    mine = []
    if scene.sample is not None:  # the rules of the sample have a mark
        ends = set(scene.sample.path.ends.tolist())
        mine = [Column(t("sample"), ["●" if rule.node in ends else "" for rule in shown])]

    def percent(title: str, of: Callable[[Rule], float]) -> Column:
        return Column(title, [HUNDRED * float(of(rule)) for rule in shown], "percent")

    return [
        *mine,
        Column(t("rule"), [int(rule.number) for rule in shown], "number"),
        Column(t("if"), [words(rule) for rule in shown], "words"),
        Column(t("then"), [names[rule.prediction] for rule in shown]),
        Column(t("training rows"), [float(rule.support) for rule in shown], "number"),
        percent(t("confidence, training"), lambda rule: rule.confidence),
        *_judged(scene, shown),
        percent(t("support"), lambda rule: rule.share),
        percent(t("coverage"), lambda rule: rule.coverage),
        Column(t("class supports"), [shares(rule) for rule in shown]),
    ]


def _judged(scene: RuleScene, shown: list[Rule]) -> list[Column]:
    """Columns of the held-out rows that meet each rule, and the accuracy on them."""
    if scene.found.held_out_counts is None:
        return []
    held = [scene.found.held_out_of(rule.node) for rule in shown]
    right = [HUNDRED * right / rows if rows else None for right, rows in held]
    return [
        Column(t("held-out rows"), [rows for _, rows in held], "number"),
        Column(t("accuracy, held out"), right, "percent"),
    ]


# The rows are those of the part that is shown.
def lost_panel(scene: RuleScene) -> None:
    """Draw the nodes that lose the misclassified rows, and those rows."""
    lost, rows = scene.lost, part_words(scene.poured.part, len(scene.poured.y))
    st.markdown(f"**{t('Where wrong rows are lost')}**")
    if not len(lost.row):
        st.caption(t("The tree classifies all {rows} correctly.", rows=rows))
        return
    st.caption(
        t(
            "Misclassified: {n} of {rows}. A row is lost at the deepest node on its path that "
            "would give it its own class: had the tree ended there, the row would be right.",
            rows=rows,
            n=number(len(lost.row)),
        )
    )
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _by_node(scene)
    with right:
        _by_row(scene)


def _by_node(scene: RuleScene) -> None:
    """Draw the nodes that lose rows, most first; choosing one selects it."""
    tree, lost = scene.tree, scene.lost
    counts = lost.by_node(tree.n_nodes)
    nodes = np.flatnonzero(counts)
    nodes = nodes[np.argsort(-counts[nodes], kind="stable")][:MOST_NODES]
    table = pd.DataFrame(
        {
            t("node"): nodes,
            t("test"): [_test(scene, node) for node in nodes.tolist()],
            t("class"): [scene.class_names[tree.prediction[node]] for node in nodes],
            t("rows lost"): counts[nodes],
            t("of"): lost.come[nodes].round(6),
        }
    )

    def chosen() -> None:
        rows = st.session_state["lost_nodes"]["selection"]["rows"]
        if rows:
            session.select_model(0, node=int(nodes[rows[0]]))

    st.dataframe(
        table,
        key="lost_nodes",
        hide_index=True,
        height=min(35 * len(table) + 40, 300),
        on_select=chosen,
        selection_mode="single-row",
    )
    never = int(np.count_nonzero(lost.node == NEVER))
    if never:
        words = "Wrong all along, as no node on the path predicts the row's class: {n}."
        st.caption(t(words, n=number(never)))


def _test(scene: RuleScene, node: int) -> str:
    return t("leaf") if scene.tree.is_leaf(node) else plain_split(scene.tree, node)


def _by_row(scene: RuleScene) -> None:
    """Draw the misclassified rows; they are a file, and can be brushed."""
    table = lost_table(scene)
    shown = table.head(MOST_SHOWN)
    st.dataframe(
        shown,
        column_config=column_formats(shown),
        hide_index=True,
        height=min(35 * len(table) + 40, 300),
    )
    if len(table) > MOST_SHOWN:
        st.caption(_first_listed(MOST_SHOWN))
    rows = scene.poured.rows[scene.lost.row] - 1
    with st.container(horizontal=True, gap="small"):
        name = f"{scene.work.selection.data}-lost-rows"
        save_table(t("Wrong rows (CSV)"), partial(_with_values, scene), name, key="lost_csv")
        if scene.poured.part != "new" and len(rows) <= MOST_BRUSHED:
            st.button(
                t("Brush them"), key="lost_brush", on_click=take_brush, args=(tuple(rows.tolist()),)
            )


def lost_table(scene: RuleScene) -> pd.DataFrame:
    """Misclassified rows: their classes, where each was lost and where it ends."""
    poured, lost = scene.poured, scene.lost
    names = np.array(scene.class_names, dtype=object)
    ends = {node: rule_words(scene.tree, node, html=False) for node in np.unique(lost.end).tolist()}
    return pd.DataFrame(
        {
            t("row"): poured.rows[lost.row],
            t("true class"): names[poured.y[lost.row]],
            t("predicted class"): names[lost.predicted],
            t("lost at node"): pd.Series(lost.node, dtype="Int64").mask(lost.node == NEVER),
            t("ends at node"): lost.end,
            t("rule"): [ends[node] or t("all rows") for node in lost.end.tolist()],
        }
    )


def _with_values(scene: RuleScene) -> pd.DataFrame:
    """Misclassified rows with their values."""
    about = lost_table(scene)
    values = scene.poured.X.iloc[scene.lost.row].reset_index(drop=True)
    about = about.rename(columns={name: f"({name})" for name in about if name in values})
    return pd.concat([about, values], axis=1)


# ---- A whole forest: which feature splits where, which tree stands for it


@remembered
def _overview(key: Key, forest: ForestClassifier, X: np.ndarray) -> ForestOverview:
    return forest_overview(forest, X)


def forest_blocks(scene: RuleScene) -> list[Block]:
    """Forest as a whole, if the model is one."""
    if not isinstance(scene.model, ForestClassifier):
        return []
    work = scene.work
    name = f"{work.selection.data}-{work.first.chosen.key}-forest"
    found = _overview(work.first.cache_key, scene.model, scene.division.values)
    nodes, depth, used = found.n_nodes, found.depth, int(np.count_nonzero(found.trees_with))
    cells = [
        (number(len(nodes)), "", t("trees")),
        (round_digits(nodes.mean()), "", _range(t("nodes a tree"), nodes)),
        (round_digits(depth.mean()), "", _range(t("mean depth"), depth)),
        (number(used), "", plural(used, "feature asked for", "features asked for")),
        (percent(float(found.agreement.mean())), "%", t("mean agreement of a tree")),
    ]
    names = tuple(scene.division.X.columns)
    figure = forest_overview_plot(found.splits, names, theme=scene.theme, depth_word=t("depth"))
    about = t(
        "Percentage of the rows that reach a test of the feature at this depth, averaged "
        "over all trees. At depth 0 it is the share of trees with the feature at the root."
    )
    table = NumbersTable("forest_overview", t("As a table"), partial(_table, found, names))
    splits = [Chart(figure, about, key="forest_overview", filename="forest"), table]
    return [
        Heading(t("The whole forest")),
        Words(strip(cells)),
        Columns([splits, [Text(about), Controls(partial(_representative, scene, found))]], (3, 2)),
        Controls(partial(forest_exports, scene.model, name, work.data, scene.division)),
    ]


def _representative(scene: RuleScene, found: ForestOverview) -> None:
    """Draw which tree is most like the forest, and the way to it."""
    best = found.representative
    st.markdown(
        t(
            "Tree {n} is most like the forest: it predicts the forest's class for {share} % "
            "of the rows. The least similar tree does for {least} %.",
            n=number(best + 1),
            share=percent(float(found.agreement[best])),
            least=percent(float(found.agreement.min())),
        )
    )
    st.button(
        t("Show tree {n}", n=number(best + 1)),
        key="representative",
        disabled=scene.place == best,
        on_click=lambda: session.select_model(0, tree=best),
    )


def _table(found: ForestOverview, names: tuple[str, ...]) -> pd.DataFrame:
    """Share of the rows that tests of each feature send on, a column a depth."""
    shares = pd.DataFrame(HUNDRED * found.splits)
    shares.columns = [t("depth {n}, %", n=number(depth)) for depth in shares.columns]
    return shares.assign(**{t("feature"): names}).loc[:, [t("feature"), *shares.columns]]


def _range(label: str, values: np.ndarray) -> str:
    low, high = number(int(values.min())), number(int(values.max()))
    return t("{label}, {low} to {high}", label=label, low=low, high=high)
