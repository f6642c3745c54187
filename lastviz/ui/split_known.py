"""Which hybrid criteria are known, which of them are here, and why the others are not."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from lastviz.studies import RESULTS, results

from .text import plural, t

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
    """Draw the table of the known hybrid criteria, and what was measured of those that are here."""
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
    _does_it_help()


def _does_it_help() -> None:
    table, about = results("bnm_csn"), RESULTS["bnm_csn"]
    complete = table.groupby("dataset").filter(lambda rows: rows.notna().all().all())
    means = complete.groupby("algorithm", sort=False).mean(numeric_only=True)
    n = complete["dataset"].nunique()
    st.markdown(f"**{t('Do they help?')}** · {plural(n, 'mean of {n} set', 'means of {n} sets')}")
    st.dataframe(_named(means.round(3)), height=35 * len(means) + 40)
    honest = complete.pivot(index="dataset", columns="algorithm", values="nested_accuracy")
    others = [name for name in means.index if name != "Gini"]
    words = [_against_gini(name, honest) for name in others]
    st.caption(
        t(
            "Five-fold cross-validation. *Best*: the grid point that is best on the test folds, as "
            "the paper chooses it. *Nested*: chosen inside the training folds, as one would have "
            "to. Nested and against Gini: {words}. Paper: {source}. Written by `{command}`.",
            words="; ".join(words),
            source=about.source,
            command=about.command,
        )
    )
    with st.expander(t("All sets")):
        st.dataframe(_named(table.set_index(["dataset", "algorithm"])))


def _against_gini(name: str, accuracy: pd.DataFrame) -> str:
    gain = accuracy[name] - accuracy["Gini"]
    sentence = "{name} {gain} points, better on {wins} sets, worse on {losses}"
    points = f"{100 * gain.mean():+.1f}".replace("-", "−")
    return t(sentence, name=name, gain=points, wins=int((gain > 0).sum()),
             losses=int((gain < 0).sum()))  # fmt: skip


def _named(table: pd.DataFrame) -> pd.DataFrame:
    words = {"paper": t("paper"), "best": t("best"), "nested": t("nested")}
    names = {"accuracy": t("accuracy"), "depth": t("depth"), "leaves": t("leaves")}
    heads = [column.split("_") for column in table.columns]
    return table.set_axis([f"{words[a]}: {names[b]}" for a, b in heads], axis=1)
