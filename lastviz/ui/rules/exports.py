"""The shown tree as files to take along."""

from __future__ import annotations

from functools import partial

import streamlit as st

from lastviz.export import FORMS
from lastviz.export.code_words import plain as plain_label
from lastviz.ui.text import t

from .scene import RuleScene

__all__ = ["exports"]


def exports(scene: RuleScene) -> None:
    """Draw the downloads; a form is written when it is asked for."""
    st.markdown(f"**{t('Take it with you')}**")
    tree = scene.tree
    labels = [plain_label(label) for label in scene.labels]
    name = f"{scene.selection.data}-{scene.selection.models[0].key}"
    judged = {"held_out": scene.found.held_out_counts}
    with st.container(key="rule_exports", horizontal=True, wrap=True, gap="small"):
        for key, form in FORMS.items():
            if len(tree.kernel) and not form.machines:
                continue
            st.download_button(
                t(form.title),
                partial(form.write, tree, labels, **(judged if form.judged else {})),
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
