"""How a latent space is found and split, in general and with the node's numbers, as LaTeX."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lastviz.plots import number

from .latent_scene import LatentScene
from .text import t

__all__ = ["formula", "node_formula"]

TERMS = 4
GENERAL = {
    "svd": r"X = U \Sigma V^{\mathsf T}, \qquad z = V^{\mathsf T} x, \qquad z_j \le t",
    "pca": r"X - \mathbf{1}\bar x^{\mathsf T} = U \Sigma V^{\mathsf T}, \qquad "
    r"z = V^{\mathsf T} (x - \bar x), \qquad z_j \le t",
    "ica": r"z = W^{\mathsf T} (x - \bar x) \ \text{with independent}\ z_1, z_2, \dots, "
    r"\qquad z_j \le t",
    "none": r"z = x, \qquad x_j \le t",
}
ABOUT = {
    "svd": "The rows are not centred, as the paper prints it; the components are the right "
    "singular vectors, the longest first.",
    "pca": "As SVD, of the rows less their mean.",
    "ica": "FastICA on whitened principal components; the least normal component comes first. "
    "All have length √n, so lengths say nothing here.",
    "none": "No change of space: this is C4.5.",
}


def formula(scene: LatentScene) -> None:
    """Draw the formula of the space, and the split of the node with its numbers."""
    space = scene.view.basis.space
    st.latex(GENERAL[space])
    st.caption(t(ABOUT[space]))
    if scene.view.component < 0:
        st.caption(t("The picked node is a leaf; pick an inner node to see its numbers."))
        return
    st.latex(node_formula(scene))
    st.caption(
        t(
            "In the features the same split is one inequality w·x ≤ {offset}. Among the {k} "
            "components C4.5 chose as it does among features: the threshold by gain less "
            "log₂(thresholds) / n, the component by gain ratio.",
            offset=number(float(scene.view.offset)),
            k=number(scene.view.basis.n_components),
        )
    )


def node_formula(scene: LatentScene) -> str:
    """Return the split of the node with its numbers, as LaTeX."""
    view = scene.view
    component = view.component
    name = _name(scene.names[component])
    if view.basis.space == "none":
        return rf"{name} \le {_tex(view.threshold)}"
    weights = view.loadings[component]
    order = np.argsort(-np.abs(weights), kind="stable")
    order = order[weights[order] != 0]
    terms = "".join(
        rf"{'-' if weights[f] < 0 else '+'} {abs(weights[f]):.3g}\,{_name(view.feature_names[f])} "
        for f in order[:TERMS]
    ).removeprefix("+ ")
    more = r"+ \cdots " if len(order) > TERMS else ""
    origin = float(view.basis.origin[component])
    shift = "" if abs(origin) <= 1e-12 else f"{'-' if origin > 0 else '+'} {_tex(abs(origin))} "
    length = _tex(float(view.singular_values[component]))
    sigma = rf"\qquad \sigma_{{{component + 1}}} = {length}"
    return rf"{name} = {terms}{more}{shift}\le \mathbf{{{_tex(view.threshold)}}}{sigma}"


def _name(feature: str) -> str:
    """Return a feature's name as LaTeX: x7 becomes x with a low 7, others stand upright."""
    if len(feature) > 1 and feature[0].isalpha() and feature[1:].isdecimal():
        return rf"{feature[0]}_{{{feature[1:]}}}"
    safe = "".join(rf"\{sign}" if sign in "_%$#&{}" else sign for sign in feature)
    return rf"\text{{{safe}}}".replace("\\^", "").replace("~", " ")


def _tex(value: float) -> str:
    text = number(float(f"{value:.4g}")).replace("−", "-").replace(",", "{,}")
    return text if "·" not in text else f"{value:.3g}"
