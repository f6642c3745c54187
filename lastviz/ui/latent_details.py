"""What stands below the pictures of the page *latent*, one thing at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.inspection import latent_splits
from lastviz.plots import split_words

from . import state
from .headline import show
from .latent_formula import formula
from .latent_labels import labelled_or_all
from .latent_scene import LatentScene
from .latent_spaces import best_pairs, four_spaces
from .latent_words import sentences
from .text import t
from .widgets import segments

__all__ = ["latent_details"]


def latent_details(scene: LatentScene) -> None:
    """Draw the choice of what to read, and what was chosen."""
    titles = {
        "notice": t("Notice"),
        "best": t("Best projection"),
        "spaces": t("Four spaces"),
        "labels": t("Labelled or all"),
        "numbers": t("Numbers"),
        "formula": t("Formula"),
    }
    parts: dict[str, Callable[[], None]] = {
        "notice": partial(notice, scene),
        "best": partial(best_pairs, scene),
        "spaces": partial(four_spaces, state.current()),
        "labels": labelled_or_all,
        "numbers": partial(numbers, scene),
        "formula": partial(formula, scene),
    }
    parts[segments("space", t("About the space"), titles)]()


def notice(scene: LatentScene) -> None:
    """Say what there is to see, in sentences with their own numbers."""
    lines = "".join(f"<li>{sentence}</li>" for sentence in sentences(scene))
    show(f'<ul class="lv-notes">{lines}</ul>')


def numbers(scene: LatentScene) -> None:
    """Draw the components and their loadings as tables, and the split with every digit."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.markdown(f"**{t('Components')}**")
        st.dataframe(_components(scene), hide_index=True, height=_height(len(scene.names)))
    with right:
        st.markdown(f"**{t('Loadings: features down, components across')}**")
        loadings = pd.DataFrame(
            scene.view.loadings.T, index=scene.view.feature_names, columns=scene.names
        )
        loadings.index.name = t("feature")
        st.dataframe(loadings, height=_height(len(loadings)))
    if scene.view.component >= 0:
        st.markdown(f"**{t('The split with every digit')}**")
        words = split_words(scene.tree, scene.node, exact=True)
        show(f'<p class="lv-exact">{words}</p>')


def _height(rows: int) -> int:
    return min(35 * rows + 40, 400)


def _components(scene: LatentScene) -> pd.DataFrame:
    view = scene.view
    used, _ = latent_splits(scene.tree)
    here = used[(scene.tree.basis_id == scene.tree.basis_id[scene.node]) & (used >= 0)]
    columns: dict[str, object] = {
        t("component"): list(scene.names),
        t("singular value"): view.singular_values,
        t("explains, %"): (100 * view.explained_share).round(2),
        t("separates alone"): np.diagonal(scene.best_components.separations).round(4),
        t("splits"): np.bincount(here, minlength=len(scene.names)),
    }
    if view.basis.excess_kurtosis is not None:
        columns[t("excess kurtosis")] = view.basis.excess_kurtosis.round(3)
    return pd.DataFrame(columns)
