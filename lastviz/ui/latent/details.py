"""Details below the pictures of the page *latent*, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from lastviz.inspection import latent_splits, mcnemar
from lastviz.plots import ThemeName, split_words
from lastviz.ui.compute import latent
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work, work_of
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.shared.widgets import segments
from lastviz.ui.sheet import st
from lastviz.ui.text import HUNDRED, number, percent, round_digits, t

from .figures import best_pairs, four_spaces
from .scene import LatentScene
from .words import sentences

# Signs that mean something in a formula, as they stand in its text.
TEX_SIGNS = {sign: rf"\{sign}" for sign in "_%$#&{}"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}


@dataclass(frozen=True, eq=False)
class TreeSummary:
    """Error, size, predictions and direction of the root's split of one trained tree."""

    error: float
    nodes: int
    predicted: np.ndarray
    direction: np.ndarray


def labelled_or_all(work: Work) -> None:
    """Compare the model trained on the labelled rows with the one trained on all rows."""
    divided = work.first.division
    held = divided.held_out_rows
    if not len(held):
        st.info(t("No row is held out: all rows have their classes. Hold some out to compare."))
        return
    labelled = _outcome(work_of(replace(work.selection, unlabelled=False)))
    everything = _outcome(work_of(replace(work.selection, unlabelled=True)))
    differ = int(np.count_nonzero(labelled.predicted[held] != everything.predicted[held]))
    cells = [
        (percent(labelled.error), "%", t("held-out error, space from labelled rows only")),
        (percent(everything.error), "%", t("held-out error, space from all rows")),
        (f"{number(labelled.nodes)} | {number(everything.nodes)}", "", t("nodes")),
        (number(differ), "", t("of {n} rows held out get another class", n=number(len(held)))),
    ]
    turned = _angle(labelled.direction, everything.direction)
    if turned is not None:
        cells.append((f"{turned:.2g}", "°", t("between the two splits of the root")))
    show(strip(cells))
    learnt = len(divided.train_rows)
    about = t(
        "With all rows, the space is found from {all} rows instead of the {labelled} labelled "
        "ones; the splits still see labelled rows alone. The model is then valid for these "
        "held-out rows only (transduction); their classes are never used.",
        all=number(learnt + len(held)),
        labelled=number(learnt),
    )
    _noted([about, _chance(labelled, everything, divided)])


def _outcome(work: Work) -> TreeSummary:
    tree = work.first.tree
    scored = latent.held_out_scores(work.first)
    predicted = tree.predict(work.first.division.values)
    direction = latent.view(work.first.node(0)).weights
    return TreeSummary(1 - scored.accuracy, tree.n_nodes, predicted, direction)


def _angle(a: np.ndarray, b: np.ndarray) -> float | None:
    """Angle between two hyperplanes in degrees, None if one of them is missing."""
    if np.isnan(a).any() or np.isnan(b).any():
        return None
    cosine = abs(a @ b) / (np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.degrees(np.arccos(min(1.0, cosine))))


# It shows whether the difference could be chance.
def _chance(labelled: TreeSummary, everything: TreeSummary, divided: Division) -> str:
    """Result of the sign test on rows that become right or wrong with all rows."""
    held = divided.held_out_rows
    y = divided.y[held]
    before, after = labelled.predicted[held] == y, everything.predicted[held] == y
    gained = int(np.count_nonzero(after & ~before))
    lost = int(np.count_nonzero(before & ~after))
    return t(
        "With all rows, {gained} of the rows held out become right and {lost} become wrong "
        "(sign test, p = {p}). This is one division; another seed gives another answer.",
        gained=number(gained),
        lost=number(lost),
        p=round_digits(mcnemar(gained, lost), 2),
    )


def latent_details(scene: LatentScene, theme: ThemeName) -> None:
    """Draw the chooser of the details, and the chosen one."""
    titles = {
        "notice": t("Notice"),
        "best": t("Best projection"),
        "spaces": t("Four spaces"),
        "labels": t("Labelled or all"),
        "numbers": t("Numbers"),
        "formula": t("Formula"),
    }
    at_mean = t("Whatever is not on the axes of a picture is fixed at its mean.")
    parts: dict[str, Callable[[], None]] = {
        "notice": lambda: _noted([at_mean, *sentences(scene)]),
        "best": partial(best_pairs, scene, theme),
        "spaces": partial(four_spaces, scene.work, theme),
        "labels": partial(labelled_or_all, scene.work),
        "numbers": partial(numbers, scene),
        "formula": partial(formula, scene),
    }
    parts[segments("space", t("About the space"), titles)]()


def _noted(lines: Sequence[str]) -> None:
    show(f'<ul class="lv-notes">{"".join(f"<li>{line}</li>" for line in lines)}</ul>')


def numbers(scene: LatentScene) -> None:
    """Draw tables of the components and their loadings, and the split in full digits."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.markdown(f"**{t('Components')}**")
        st.dataframe(components_table(scene), hide_index=True, height=_height(len(scene.names)))
    with right:
        st.markdown(f"**{t('Loadings: features down, components across')}**")
        loadings = pd.DataFrame(
            scene.view.loadings.T, index=scene.view.feature_names, columns=scene.names
        )
        loadings.index.name = t("feature")
        st.dataframe(loadings, height=_height(len(loadings)))
    if scene.view.component >= 0:
        st.markdown(f"**{t('The split with every digit')}**")
        show(f'<p class="lv-exact">{split_words(scene.tree, scene.node, exact=True)}</p>')


def _height(rows: int) -> int:
    return min(35 * rows + 40, 400)


def components_table(scene: LatentScene) -> pd.DataFrame:
    """Table of the components of the node's space, with their properties."""
    view = scene.view
    used, _ = latent_splits(scene.tree)
    here = used[(scene.tree.basis_id == scene.tree.basis_id[scene.node]) & (used >= 0)]
    columns: dict[str, object] = {
        t("component"): list(scene.names),
        t("singular value"): view.singular_values,
        t("explains, %"): (HUNDRED * view.explained_share).round(2),
        t("separates alone"): np.diagonal(scene.best_components.separations).round(4),
        t("splits"): np.bincount(here, minlength=len(scene.names)),
    }
    if view.basis.excess_kurtosis is not None:
        columns[t("excess kurtosis")] = view.basis.excess_kurtosis.round(3)
    return pd.DataFrame(columns)


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
            "C4.5 chooses among components as it does among features: the threshold by gain less "
            "log₂(thresholds) / n, the component by gain ratio."
        )
    )


def node_formula(scene: LatentScene) -> str:
    """Split of the node with its numbers, as LaTeX."""
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
    """Feature's name as LaTeX: x7 becomes x with a low 7, others stand upright."""
    if len(feature) > 1 and feature[0].isalpha() and feature[1:].isdecimal():
        return rf"{feature[0]}_{{{feature[1:]}}}"
    return rf"\text{{{''.join(TEX_SIGNS.get(sign, sign) for sign in feature)}}}"


def _tex(value: float) -> str:
    text = round_digits(value, 4).replace("−", "-").replace(",", "{,}")
    return text if "·" not in text else f"{value:.3g}"
