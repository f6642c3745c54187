"""Names in links of earlier releases that something else, or nothing, replaces now.

A value of a field that is gone is refused by the field's own reader, with a sentence; see
:class:`.fields.NotShownNow`.
"""

from __future__ import annotations

from collections.abc import Mapping

AGAINST_EACH_OTHER = {
    "compared": "remt,adaboost_m1,mcdf",
    "compared_on": ",".join(f"monotone~n_classes={n}~random_state=1" for n in (2, 4, 6, 8)),
}
"""What *compare* is to show: the models of Xu, Wang and Ren (2017) on their Set1 to Set4."""

WITH_AND_WITHOUT = {
    "compared": "remt,remt~monotone=true,mcdf,mcdf~monotone=true~vote=median,monotone_boosting"
}
"""What *compare* is to show: what it costs to be monotone, on the data of the scene."""

# What a link says -> what says it now, and the sentence about it.
AHEAD = "“Two levels ahead” and “Price of every root” are now one fold: “Could it be better?”"
MOVED = {("lab", word): ({"better": "true"}, AHEAD) for word in ("lookahead", "prices")}
FIRST = "Links that hid what a model says now ask a question about it first."
MOVED |= {("quiz", word): ({"ask": "errors"}, FIRST) for word in ("1", "true")}

# What links say no longer -> the sentence about it, "" where what stays shows all of it.
PRICE = "What monotonicity costs is compared on the page Compare now; the audit leads there."
GONE = dict.fromkeys(("paper_cell", "paper_claim", "paper_view", "sets", "quiz"), "") | {
    "price": PRICE
}

# Parts of the page *monotone* -> the page that shows them now, and the sentence about it.
PARTS = {
    "node": ("splits", "The page Splits now explains the nodes of monotone trees."),
    "forest": (
        "growth",
        "The trees of a forest and how their rows were drawn are on the page Growth now, its "
        "votes about one row on the page Rules.",
    ),
    "comparison": ("compare", "REMT, AdaBoost.M1 and MCDF are compared on the page Compare now."),
}


def moved_to(query: Mapping[str, str]) -> str:
    """Name of the page that replaces a link's part of *monotone*, "" if none does."""
    return PARTS.get(query.get("part", ""), ("",))[0]


def study_fields(study: Mapping[str, str]) -> dict[str, object]:
    """Fields of a selection for which *compare* shows a study that is yet to begin."""
    fields = {name: tuple(text.split(",")) for name, text in study.items()}
    return {"study": "", "compared_on": ()} | fields
