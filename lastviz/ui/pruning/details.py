"""The curves of the page *pruning* as a table: every tree of every way to prune."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lastviz.inspection import FAMILIES
from lastviz.ui.text import t

from .scene import PruningScene
from .stops import stop_value
from .words import way_title

__all__ = ["curve_table"]


def curve_table(scene: PruningScene) -> pd.DataFrame:
    """Return leaves and errors in per cent of all trees, of the reader's pruner first."""
    parts = [_family(scene, scene.way)]
    for other in scene.others:
        if other.key in FAMILIES:
            parts.append(_family(scene, other.key))
        else:
            parts.append(
                _rows([way_title(other.key)], [None], [other.n_leaves], held_out=[other.error])
            )
    return pd.concat(parts, ignore_index=True)


def _family(scene: PruningScene, key: str) -> pd.DataFrame:
    judged = scene.families[key]
    trees, crossed = judged.trees, None if scene.crossed is None else scene.crossed[key]
    return _rows(
        [way_title(key)] * len(trees),
        [stop_value(trees, i) for i in range(len(trees))],
        trees.n_leaves,
        training=judged.training,
        held_out=judged.held_out,
        cross_validated=None if crossed is None else crossed.error,
        standard_error=None if crossed is None else crossed.standard_error,
    )


def _rows(titles: list[str], values: list, leaves: object, **errors: object) -> pd.DataFrame:
    names = {
        "training": t("training error, %"),
        "held_out": t("held-out error, %"),
        "cross_validated": t("cross-validated error, %"),
        "standard_error": t("standard error, %"),
    }
    unknown = np.full(len(titles), np.nan)
    found = {t("pruning"): titles, t("value"): pd.array(values, dtype="Float64"),
             t("leaves"): np.asarray(leaves)}  # fmt: skip
    for key, name in names.items():
        share = errors.get(key)
        share = unknown if share is None else np.asarray(share, dtype=np.float64)
        found[name] = np.round(100 * share, 2)
    return pd.DataFrame(found)
