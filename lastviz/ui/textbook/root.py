"""Examples 5.1, 5.2 and 5.4 and exercise 5.1: what the root of Table 5.1 says in numbers."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from lastviz.inspection import impurity_curves
from lastviz.plots import Curve, Drawing, category_tree_plot, impurity_curves_plot
from lastviz.ui.components.chart_host import chart
from lastviz.ui.shared.figures import as_table
from lastviz.ui.shared.headline import show
from lastviz.ui.text import plain, t

from .controls import feature_chooser
from .figure_tables import curves_table, nodes_table
from .formulas import entropy_formula, entropy_general, gain_formula, gini_formula, ratio_formula
from .scene import LoanScene
from .trees import says_single
from .weakest_links import weakest_links
from .words import book_note, gains_table, gini_table, printed, ratios_table


def entropy_lesson(scene: LoanScene) -> None:
    """Draw (5.7) and figure 5.4, with the p of the table."""
    root = scene.root
    st.latex(entropy_general)
    st.latex(entropy_formula(root.counts, root.entropy))
    for text in printed(scene, (), ("entropy",), root.entropy):
        st.caption(t("The book prints {text} bits.", text=text))
    st.markdown(f"**{t('Figure 5.4')}** · {t('entropy of a Bernoulli variable, in bits')}")
    _curves(scene, entropy_curves(), "figure54")
    share = plain(scene.table.classes[0])
    st.caption(
        t(
            "p is the share of the class “{name}”. Nothing is uncertain at 0 and 1; half and half "
            "is one bit.",
            name=share,
        )
    )


def gain_lesson(scene: LoanScene) -> None:
    """Draw algorithm 5.1 for every feature, and figure 5.3."""
    show(gains_table(scene, scene.root))
    if note := book_note(scene, scene.root):
        st.caption(note)
    _two_roots(scene)
    st.markdown(f"**{t('Every gain, written out')}** · {t('algorithm 5.1')}")
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
    """Draw example 5.4: Gini of every test A = a, figure 5.7, and how CART cuts its tree back."""
    show(gini_table(scene, scene.root))
    st.markdown(f"**{t('Figure 5.7')}** · {t('three impurities of two classes')}")
    _curves(scene, impurities(), "figure57")
    st.markdown(f"**{t('Every test, written out')}** · (5.25)")
    for sums in scene.root.features:
        for category in np.flatnonzero(np.isfinite(sums.gini)):
            st.latex(gini_formula(scene.table, sums, int(category)))
    weakest_links(scene)


def _curves(scene: LoanScene, shown: tuple[Curve, ...], key: str) -> None:
    figure, alt = curves_figure(scene, shown)
    chart(figure, key=key, height=figure.height, alt=alt, filename=key)
    as_table(key, partial(curves_table, impurity_curves(), shown))


def entropy_curves() -> tuple[Curve, ...]:
    """Return what figure 5.4 shows."""
    return (Curve("entropy", "H(p)"),)


def impurities() -> tuple[Curve, ...]:
    """Return what figure 5.7 shows."""
    return (
        Curve("entropy", t("half the entropy"), 0.5),
        Curve("gini", t("Gini")),
        Curve("error", t("error")),
    )


def curves_figure(scene: LoanScene, shown: tuple[Curve, ...]) -> tuple[Drawing, str]:
    """Return curves over p with the p of the table, and what they show in words."""
    share = scene.root.counts[:1] / scene.root.counts.sum()
    own, curves = impurity_curves(share), impurity_curves()
    figure = impurity_curves_plot(curves, own, shown, theme=scene.theme)
    names = t(", ").join(curve.name for curve in shown)
    p = f"{share[0]:.3g}"
    return figure, t("{names} over p, with p = {p} of the table marked", names=names, p=p)


def _two_roots(scene: LoanScene) -> None:
    """Draw the trees of one test that two features give."""
    st.markdown(f"**{t('Figure 5.3')}** · {t('two roots that could be')}")
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
                width_hint=300,
            )
            chart(
                figure,
                key=f"figure53.{field}",
                height=figure.height,
                alt=t("The rows split by {name}", name=scene.table.features[feature]),
                filename=f"root_{scene.table.features[feature]}",
            )
            as_table(f"figure53_{field}", partial(nodes_table, tree, scene.table.classes))
            if tree.n_nodes == 1:
                st.caption(t("It gains nothing here, so it does not split the rows."))
    st.caption(
        t("A leaf names the class that it predicts and its rows; 3/5: three of its five rows are "
          "of that class.")
    )  # fmt: skip
