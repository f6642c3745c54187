"""Exercise 5.2: a regression tree of Table 5.2, its cuts, its steps, its nested sequence."""

from __future__ import annotations

import numpy as np

from lastviz.inspection import impurity_curves, steps
from lastviz.plots import (
    Curve,
    Drawing,
    category_tree_plot,
    cut_losses_plot,
    impurity_curves_plot,
    regression_steps_plot,
)
from lastviz.pruning import CostComplexityPath, cost_complexity_path, prune_cost_complexity
from lastviz.tree import Tree
from lastviz.ui.components.chart_host import chart
from lastviz.ui.shared.headline import show
from lastviz.ui.sheet import beside, st
from lastviz.ui.text import plain, plural, t

from .controls import feature_chooser, leaves_slider
from .figure_tables import (
    says_single,
)
from .pruning import weakest_links
from .scene import LoanScene, PointsScene
from .words import (
    book_note,
    cut_formula,
    cuts_table,
    digits,
    entropy_formula,
    entropy_general,
    fixed_decimals,
    gain_formula,
    gains_table,
    gini_formula,
    gini_table,
    printed_cell,
    ratio_formula,
    ratios_table,
    table,
)

ENTROPY = (Curve("entropy", "H(p)"),)  # figure 5.4


# The sequence is that of cost-complexity pruning.
def squares_lesson(scene: PointsScene) -> None:
    """Draw the loss of every cut, the steps of the tree and its pruning sequence."""
    if scene.cuts.best < 0:
        return
    first, second = beside(2)
    with first:
        st.markdown(f"**{t('Loss of every first cut')}** · (5.21)")
        figure = cut_losses_plot(scene.cuts, theme=scene.theme, loss_word=t("loss"))
        alt = t("The loss of every cut; the smallest is marked")
        chart(figure, key="cut_losses", height=figure.height, alt=alt)
        cuts, y = scene.cuts, scene.y[np.argsort(scene.x, kind="stable")]
        n = int(cuts.n_left[cuts.best])
        st.latex(cut_formula(cuts, cuts.best, y[:n].tolist(), y[n:].tolist()))
    with second:
        sequence = _steps(scene)
    show(sequence + cuts_table(cuts))


def _steps(scene: PointsScene) -> str:
    """Draw the tree as steps; return the sequence that it is one of, as html."""
    grown = scene.tree()
    path = cost_complexity_path(grown, "squared_error")
    step = leaves_slider(path)
    tree, _ = prune_cost_complexity(grown, path, step)
    shown = steps(tree)
    figure = steps_figure(scene, tree)
    words = plural(tree.n_leaves, "{n} leaf", "{n} leaves")
    loss = digits(float(shown.loss[shown.leaf].sum()))
    st.markdown(t("**The tree as steps** · {leaves}, loss {loss}", leaves=words, loss=loss))
    alt = t("The points, the steps of the tree and its nodes below them")
    chart(figure, key="steps", height=figure.height, alt=alt)
    return _sequence(path, step, len(scene.x))


def steps_figure(scene: PointsScene, tree: Tree) -> Drawing:
    """Points with the steps of a tree."""
    words = (t("rows"), t("mean"), t("loss"))
    return regression_steps_plot(scene.x, scene.y, steps(tree), theme=scene.theme, words=words)


def _sequence(path: CostComplexityPath, step: int, n_rows: int) -> str:
    """Nested sequence of algorithm 5.7, the shown tree marked."""
    rows = [
        (
            [
                str(int(leaves)),
                fixed_decimals(float(alpha) * n_rows),
                fixed_decimals(float(risk) * n_rows),
            ],
            i == step,
        )
        for i, (leaves, alpha, risk) in enumerate(
            zip(path.n_leaves, path.alpha, path.risk, strict=True)
        )
    ]
    caption = t(
        "Algorithm 5.7: from each α on, the tree in its row is the smallest of least C(T) + α|T|, "
        "with C(T) the sum of squares."
    )
    return table([t("leaves"), t("from α"), t("loss")], rows, caption, name="sequence")


# ---- Examples 5.1, 5.2 and 5.4 and exercise 5.1: what the root of Table 5.1 says in numbers


def entropy_lesson(scene: LoanScene) -> None:
    """Draw (5.7) and figure 5.4, with the p of the table."""
    root = scene.root
    st.latex(entropy_general)
    st.latex(entropy_formula(root.counts, root.entropy))
    for text in printed_cell(scene, (), ("entropy",), root.entropy):
        st.caption(t("The book prints {text} bits.", text=text))
    st.markdown(f"**{t('Figure {n}', n='5.4')}** · {t('entropy of a Bernoulli variable, in bits')}")
    _curves(scene, ENTROPY, "figure54")
    share = plain(scene.table.classes[0])
    st.caption(t("p is the share of the class “{name}”.", name=share))


def gain_lesson(scene: LoanScene) -> None:
    """Draw algorithm 5.1 for every feature, and figure 5.3."""
    show(gains_table(scene, scene.root))
    if note := book_note(scene, scene.root):
        st.caption(note)
    _two_roots(scene)
    st.markdown(f"**{t('Written out')}** · {t('algorithm {n}', n='5.1')}")
    st.latex(entropy_formula(scene.root.counts, scene.root.entropy))
    for sums in scene.root.features:
        st.latex(gain_formula(scene.table, scene.root, sums))


def ratio_lesson(scene: LoanScene) -> None:
    """Draw exercise 5.1 with the split information and with (5.10) as it is printed."""
    show(ratios_table(scene, scene.root))
    st.caption(
        t(
            "(5.10) as printed divides every gain of a node by the same $H(D)$, so it always "
            "selects the same feature as the gain. C4.5 divides by the split information "
            "$H_A(D)$, the entropy of the sizes of the branches, which grows with their number."
        )
    )
    for sums in scene.root.features:
        st.latex(ratio_formula(scene.table, scene.root, sums))


def gini_lesson(scene: LoanScene) -> None:
    """Draw example 5.4: Gini of every test A = a, figure 5.7, and CART's pruning."""
    first, second = beside(2)
    with first:
        show(gini_table(scene, scene.root))
    with second:
        st.markdown(f"**{t('Figure {n}', n='5.7')}** · {t('three impurities of two classes')}")
        _curves(scene, impurities(), "figure57")
    st.markdown(f"**{t('Written out')}** · (5.25)")
    for sums in scene.root.features:
        for category in np.flatnonzero(np.isfinite(sums.gini)):
            st.latex(gini_formula(scene.table, sums, int(category)))
    weakest_links(scene)


def _curves(scene: LoanScene, shown: tuple[Curve, ...], key: str) -> None:
    figure, alt = curves_figure(scene, shown)
    chart(figure, key=key, height=figure.height, alt=alt, filename=key)


def impurities() -> tuple[Curve, ...]:
    """Curves of figure 5.7."""
    return (
        Curve("entropy", t("half the entropy"), 0.5),
        Curve("gini", t("Gini")),
        Curve("error", t("error")),
    )


def curves_figure(scene: LoanScene, shown: tuple[Curve, ...]) -> tuple[Drawing, str]:
    """Figure of curves over p with the p of the table, and its alternative text."""
    share = scene.root.counts[:1] / scene.root.counts.sum()
    own, curves = impurity_curves(share), impurity_curves()
    figure = impurity_curves_plot(curves, own, shown, theme=scene.theme)
    names = t(", ").join(curve.name for curve in shown)
    p = f"{share[0]:.3g}"
    return figure, t("{names} over p, with p = {p} of the table marked", names=names, p=p)


def _two_roots(scene: LoanScene) -> None:
    """Draw the trees of one test that two features give."""
    st.markdown(f"**{t('Figure {n}', n='5.3')}** · {t('two roots that could be')}")
    if says_single(scene):
        return
    for column, field in zip(st.columns(2, gap="medium"), ("root", "root2"), strict=True):
        with column:
            feature = feature_chooser(scene, field)
            tree = scene.stump(feature)
            figure = category_tree_plot(
                tree,
                theme=scene.theme,
                class_names=scene.table.classes,
                height=190,
                width_hint=230,  # half of the column beside the table in a window of 1280 pixels
            )
            chart(
                figure,
                key=f"figure53.{field}",
                height=figure.height,
                alt=t("The rows split by {name}", name=scene.table.features[feature]),
                filename=f"root_{scene.table.features[feature]}",
            )
    st.caption(
        t("A leaf names the class that it predicts and its rows; 3/5: three of its five rows are "
          "of that class.")
    )  # fmt: skip
