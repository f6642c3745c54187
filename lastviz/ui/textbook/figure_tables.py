"""Examples 5.3 and 5.4 as trees, the sums at their nodes, and their rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import (
    RuleCover,
    node_sums,
    partition,
    rule_cover,
)
from lastviz.plots import (
    Drawing,
    ThemeName,
    category_tree_plot,
    conditional_plot,
    partition_plot,
)
from lastviz.tree import Tree
from lastviz.ui.components.chart_host import chart
from lastviz.ui.shared.headline import count_cell, show, strip
from lastviz.ui.sheet import st
from lastviz.ui.text import number, plain, plural, t

from .controls import GROWN_BY, grower, inner_chooser
from .scene import BY, LoanScene, conditions_of, place_of
from .words import (
    book_note,
    entropy_formula,
    gain_formula,
    gains_table,
    gini_table,
    ratios_table,
    table,
)


def tree_lesson(scene: LoanScene) -> None:
    """Draw figure 5.5, and the sums at one of its inner nodes (example 5.3)."""
    how = grower()
    if says_single(scene):
        return
    tree = scene.tree(how)
    inner = [int(node) for node in np.flatnonzero(tree.n_children)]
    node = inner_chooser(tree, inner)
    st.markdown(f"**{t('Figure {n}', n='5.5')}** · {t('the tree of {how}', how=t(GROWN_BY[how]))}")
    tree_picture(tree, scene, "figure55", selected=node)
    if node is None:
        st.caption(t("No test gains anything: the tree is a single leaf."))
        return
    _sums_at(scene, tree, node, how)


def rules_lesson(scene: LoanScene) -> None:
    """Draw figure 5.2 and explain that rules are exclusive and complete."""
    how = grower()
    if says_single(scene):
        return
    tree = scene.tree(how)
    cover = rule_cover(tree)
    show(strip(cover_cells(cover)))
    show(rules_table(scene, tree, cover))
    st.caption(
        t(
            "Each rule was tried as it is written on all combinations of categories. Exclusive: no "
            "two hold at once; complete: always one holds. A combination with none has a category "
            "that a test has not seen: such a row stops there and gets the class of that node."
        )
    )
    _partition(scene, tree, cover)


def _partition(scene: LoanScene, tree: Tree, cover: RuleCover) -> None:
    """Draw figure 5.2: the cells of the partition, and the distribution in each."""
    names = scene.table.classes
    st.markdown(f"**{t('Figure {n}', n='5.2 (a)')}** · {t('every combination is a cell')}")
    cells = partition(tree, scene.table)
    figure = partition_plot(cells, tree, scene.table, theme=scene.theme, class_names=names)
    alt = t("Every combination of categories, tinted by the class that the tree predicts")
    chart(figure, key="figure52a", height=figure.height, alt=alt)
    st.markdown(f"**{t('Figure {n}', n='5.2 (b)')}** · {t('P(Y | X = c) in each cell')}")
    figure = conditional_plot(
        tree.value[cover.leaves],
        [conditions_of(tree, int(leaf)) for leaf in cover.leaves],
        theme=scene.theme,
        class_names=names,
    )
    alt = t("The distribution of the classes in each cell of the partition")
    chart(figure, key="figure52b", height=figure.height, alt=alt)


# There is nothing to grow then.
def says_single(scene: LoanScene) -> bool:
    """Show a note if all rows are of one class, and return whether they are."""
    if scene.single is None:
        return False
    st.info(plain(single_words(scene)))
    return True


def single_words(scene: LoanScene) -> str:
    """Sentence that all rows are of one class."""
    sentence = "All rows are of the class “{name}”: the tree is a single leaf that predicts it."
    return t(sentence, name=scene.single)


def tree_picture(
    tree: Tree,
    scene: LoanScene,
    key: str,
    *,
    selected: int | None = None,
    more: dict[int, str] | None = None,
) -> None:
    """Draw a tree of the table; `more` says more about its nodes."""
    how = {"selected": selected, "more": more, "width": 480}
    figure = picture_of(tree, scene.table.classes, theme=scene.theme, **how)
    chart(figure, key=key, height=figure.height, alt=tree_alt(tree), filename=key)


def tree_alt(tree: Tree) -> str:
    """Alternative text of the picture of a tree."""
    return plural(tree.n_leaves, "a tree with {n} leaf", "a tree with {n} leaves")


def picture_of(
    tree: Tree,
    class_names: Sequence[str],
    *,
    theme: ThemeName,
    width: int,
    selected: int | None = None,
    more: dict[int, str] | None = None,
) -> Drawing:
    """Picture of a tree of the table."""
    return category_tree_plot(
        tree,
        theme=theme,
        class_names=class_names,
        more=more,
        selected=selected,
        height=max(230, 48 * tree.n_leaves) if tree.n_leaves > 1 else 90,
        width_hint=width,
    )


def _sums_at(scene: LoanScene, tree: Tree, node: int, how: str) -> None:
    rows, _ = tree.node_samples(node)
    used = {int(tree.feature[step]) for step in tree.path(node)[:-1]} if how != "cart" else set()
    left = [f for f in range(len(scene.table.features)) if f not in used]
    sums = node_sums(scene.table, rows, left)
    where, size = plain(place_of(tree, node)), plural(len(rows), "{n} row", "{n} rows")
    st.markdown(t("**The sums at this node** · {where}, {rows}", where=where, rows=size))
    about: tuple[str, ...] | None = () if node == 0 else None
    if BY[how] == "gini":
        show(gini_table(scene, sums, about))
        return
    if conditions_of(tree, node) == [f"{t('house')} = {t('no')}"]:  # in the reader's language
        about = ("no house",)
    if BY[how] == "gain_ratio":
        show(ratios_table(scene, sums))
    else:
        show(gains_table(scene, sums, about))
        if note := book_note(scene, sums, about):
            st.caption(note)
    data = "D" if node == 0 else "D'"
    st.latex(entropy_formula(sums.counts, sums.entropy, f"H({data})"))
    for feature in sums.features:
        st.latex(gain_formula(scene.table, sums, feature, data))


def cover_cells(cover: RuleCover) -> list[tuple[str, str, str]]:
    """Numbers of combinations that meet one rule, several, none."""
    tried = number(cover.n_combinations)
    once = number(int(cover.by_rules[1])) if len(cover.by_rules) > 1 else "0"
    return [
        count_cell(len(cover.leaves), "rule", "rules"),
        (tried, "", t("combinations tried")),
        (once, "", t("with exactly one rule")),
        (number(int(cover.by_rules[2:].sum())), "", t("with several")),
        (number(int(cover.by_rules[0])), "", t("with none")),
    ]


def rules_table(scene: LoanScene, tree: Tree, cover: RuleCover) -> str:
    """Rules with their supports as a table."""
    rows = []
    total = int(tree.n_node_samples[0])
    for leaf, covered in zip(cover.leaves.tolist(), cover.covered.tolist(), strict=True):
        n, says = int(tree.n_node_samples[leaf]), int(tree.prediction[leaf])
        right = int(tree.value[leaf, says])
        rule = " ∧ ".join(conditions_of(tree, leaf)) or t("all rows")
        rows.append(
            ([rule, scene.table.classes[says], number(covered), f"{n} / {total}",
              f"{right} / {n}" if n else "–"], False)
        )  # fmt: skip
    head = [t("rule"), t("says"), t("combinations"), t("support"), t("confidence")]
    return table(head, rows, name="rules")
