"""What links of older versions name and another page shows now."""

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

PARTS = {  # of the page monotone: the page that shows it, and the sentence that says so
    "node": ("splits", "The page Splits now explains the nodes of monotone trees."),
    "forest": (
        "growth",
        "The trees of a forest and how their rows were drawn are on the page Growth now, its "
        "votes about one row on the page Rules.",
    ),
    "comparison": ("compare", "REMT, AdaBoost.M1 and MCDF are compared on the page Compare now."),
}
PRICE = "What monotonicity costs is compared on the page Compare now; the audit leads there."


def moved_to(query: Mapping[str, str]) -> str:
    """Name of the page that shows what a link asked the page *monotone* for, "" if that does."""
    return PARTS.get(query.get("part", ""), ("",))[0]


def mended(query: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The query as this version reads it, and a sentence for what another page shows."""
    left = dict(query)
    has_price, _ = left.pop("price", "") == "true", left.pop("sets", None)
    sentences = [PRICE] if has_price else []
    if left.get("part") in PARTS:
        part = left.pop("part")
        sentences.append(PARTS[part][1])
        if part == "comparison":
            left = AGAINST_EACH_OTHER | left
    return left, sentences
