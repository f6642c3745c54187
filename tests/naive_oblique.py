"""Slow, obvious twins of the oblique search and of its criteria."""

from itertools import pairwise

import numpy as np

from tests import naive


def misclassified(counts):
    return sum(counts) - max(counts)


def twoing(left, right):
    n_left, n_right = sum(left), sum(right)
    n = n_left + n_right
    apart = sum(abs(a / n_left - b / n_right) for a, b in zip(left, right, strict=True))
    return n_left / n * n_right / n * apart**2 / 4


def sum_minority(left, right):
    n = sum(left) + sum(right)
    both = [a + b for a, b in zip(left, right, strict=True)]
    return (misclassified(both) - misclassified(left) - misclassified(right)) / n


def max_minority(left, right):
    n = sum(left) + sum(right)
    both = [a + b for a, b in zip(left, right, strict=True)]
    return (misclassified(both) - max(misclassified(left), misclassified(right))) / n


SCORES = {
    "twoing": twoing,
    "gini": lambda left, right: naive.gain(left, right, naive.gini),
    "gain": lambda left, right: naive.gain(left, right, naive.entropy),
    "sum_minority": sum_minority,
    "max_minority": max_minority,
}


def best_on_line(V, D, y, n_classes, score, min_leaf=1, gap=1e-10):
    """Score the hyperplanes V + a D with a midway between all neighbouring breakpoints.

    Returns (score, a), the first of the best, or None. Rows that would change sides beyond
    1e9 are taken to stay, by the sign of V.
    """
    D = np.where(np.abs(V) < 1e9 * np.abs(D), D, 0.0)
    breakpoints = np.sort(-V[D != 0] / D[D != 0])
    scored = []
    for here, after in pairwise(breakpoints):
        if after - here <= gap * (abs(here) + abs(after)):
            continue
        a = here / 2 + after / 2
        first = np.where(D == 0, V <= 0, V + a * D <= 0)
        left, right = (np.bincount(y[side], minlength=n_classes) for side in (first, ~first))
        if min(left.sum(), right.sum()) >= min_leaf:
            scored.append((score(left.tolist(), right.tolist()), a))
    return naive.first_of_the_best(scored)
