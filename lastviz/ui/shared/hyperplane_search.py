"""The search for a hyperplane, move by move: its picture and its moves in words."""

from __future__ import annotations

import numpy as np

from lastviz.displays import search_drawing
from lastviz.plots import Drawing, feature_html, hyperplane_words, number
from lastviz.splitters import Move, ObliqueSearch
from lastviz.ui.text import paragraph, t

TERMS = 4  # of an equation

# In the order of the kinds of moves; the engine's own sentences say the same to programmers.
SENTENCES = {
    Move.AXIS: "The search starts from the best split of a single feature.",
    Move.RANDOM: "A new start: a random direction, with its best threshold.",
    Move.COEFFICIENT: "One weight moves to its best value while all others stay fixed.",
    Move.CONSTANT: "The threshold moves to its best value; the direction stays.",
    Move.JUMP: "Changing a single weight no longer helps, but a jump in a random direction does.",
    Move.DELETION: "The least useful feature is deleted, the others are fitted again.",
}


def how_to_read() -> str:
    """Explanation of the picture of a search."""
    return t("Each grey curve is a search from a new start; the dot is the best hyperplane found.")


def search_caption() -> str:
    """Explanation of the picture, and of the effect of a click."""
    return paragraph([how_to_read(), t("Click a curve to see the hyperplane at that move.")])


def move_sentence(search: ObliqueSearch, at: int) -> str:
    """Effect of a move."""
    return t(SENTENCES[Move(int(search.kind[at]))])


def move_head(search: ObliqueSearch, at: int) -> str:
    """Number of the move and of its start, each with the total."""
    return t(
        "Move {at} of {all}, start {restart} of {restarts}:",
        at=number(at + 1),
        all=number(search.n_moves),
        restart=number(int(search.restart[at]) + 1),
        restarts=number(int(search.restart[-1]) + 1),
    )


def move_test(search: ObliqueSearch, at: int, feature_names: tuple[str, ...]) -> str:
    """Hyperplane of a move as an equation, as html."""
    names = [f"<i>{feature_html(name)}</i>" for name in feature_names]
    weights, threshold = search.weights[at], float(search.threshold[at])
    return hyperplane_words(weights, threshold, names, terms=TERMS, rest=t("{n} more", n="{n}"))


def search_figure(
    search: ObliqueSearch, at: int, X: np.ndarray, y: np.ndarray, rows: np.ndarray, **look: object
) -> Drawing:
    """As :func:`lastviz.displays.search_drawing`, in the language of the session."""
    words = {
        "distance_word": t("distance in standard deviations"),
        "move_word": t("move"),
    }
    return search_drawing(search, at, X, y, rows, **words, **look)
