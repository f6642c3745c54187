"""The tree as files: one button a form."""

from __future__ import annotations

from functools import partial

import streamlit as st

from lastviz.export import FORMS
from lastviz.export.code_words import plain as plain_label

from . import cache, state
from .rule_scene import RuleScene
from .text import t

__all__ = ["exports"]


def exports(scene: RuleScene) -> None:
    """Draw the downloads; a form is written when it is asked for."""
    st.markdown(f"**{t('Take it with you')}**")
    tree = scene.tree
    labels = [plain_label(label) for label in cache.data(state.current()).dataset.class_order]
    name = f"{state.current().data}-{state.current().models[0].key}"
    with st.container(key="rule_exports", horizontal=True, wrap=True, gap="small"):
        for key, form in FORMS.items():
            if len(tree.kernel) and not form.machines:
                continue
            st.download_button(
                t(form.title),
                partial(form.write, tree, labels),
                file_name=f"{name}.{form.suffix}",
                mime=form.mime,
                on_click="ignore",
                key=f"export_{key}",
                icon=":material/download:",
            )
    if len(tree.kernel):
        st.caption(
            t(
                "A machine is a sum over its support vectors: only the graph can be written. Trees "
                "of thresholds, categories and hyperplanes have all forms."
            )
        )
        return
    st.caption(
        t(
            "All files say the same as the tree, to the last digit, about the columns as the "
            "algorithm reads them. A missing value is treated as each file says in its first lines."
        )
    )
