"""Which hybrid criteria are known, which of them are here, and why the others are not."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from .text import t

__all__ = ["known_criteria"]

# Name, how the parts are combined, purity, structure, is it here and how or why not. After
# Table 1 of Du and Chen (2023), in which BNM and CSN stand in each other's line.
KNOWN = (
    ("BNM", "weighted", "Gini gain", "distance of the halves of a class",
     "yes", "Hybrid (BNM / CSN), criterion bnm"),
    ("CSN", "two stages", "Gini gain", "spread within over distance between classes",
     "yes", "Hybrid (BNM / CSN), criterion csn"),
    ("BNM + CSN", "weighted, then two stages", "Gini gain", "both",
     "yes", "Hybrid (BNM / CSN), criterion bnm+csn"),
    ("Segment + C4.5", "two stages", "gain ratio", "runs of one class along a feature",
     "yes", "Hybrid (BNM / CSN), criterion segment"),
    ("SPES", "weighted", "gain ratio", "runs of one class along a feature",
     "yes", "Hybrid (BNM / CSN), criterion spes; its two scalings are a reading of ours"),
    ("SPCE", "two stages", "Hellinger distance", "runs of one class and their ratio",
     "yes", "Hybrid (BNM / CSN), criterion spce"),
    ("AdaDT", "weighted", "gain ratio", "Hellinger distance",
     "in parts", "Add the two columns as a rule of your own; how the local imbalance sets the "
     "weight is not printed, so a copy could not be checked"),
    ("CV-ID3", "product", "information gain", "cluster validity along a feature",
     "no", "The validity formula is not printed, and it fits a mixture at every node"),
    ("FR-ID3", "number of clusters", "none", "fault rate",
     "no", "It needs knowledge about each feature that no table of data holds"),
    ("iSAT", "choice of one", "information gain", "boxes around old and new classes",
     "no", "It learns from a stream in batches; here all rows are there from the start"),
    ("SCAFF", "weighted", "AUC of the class", "AUC of a sensitive feature",
     "no", "It needs a sensitive feature, and its formula is not printed"),
)  # fmt: skip


def known_criteria() -> None:
    """Draw the table of the known hybrid criteria."""
    heads = ("criterion", "combined", "purity", "second part", "here", "how, or why not")
    table = pd.DataFrame(
        [[row[0], *(t(cell) for cell in row[1:])] for row in KNOWN],
        columns=[t(head) for head in heads],
    )
    st.dataframe(table, hide_index=True, height=35 * len(table) + 40)
    st.caption(
        t(
            "After Table 1 of Du and Chen (2023), where BNM and CSN have changed places in the "
            "column of how they are combined."
        )
    )
