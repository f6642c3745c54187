"""Statements about refits on resampled rows: how many, which classes they lack, what they find."""

from functools import cache

import numpy as np

from lastviz.inspection import resampled_rows
from tests.sentences.of_boundaries import TITLES
from tests.sentences.of_rules import names_of
from tests.sentences.pages import on_page
from tests.sentences.rows import Kind, Look, selected

STABLE = "ui/boundaries/stability.py::"
boundaries = on_page("boundaries")


def is_single(link):
    model = selected(link).models[0]
    return model.key not in ("mcdf", "adaboost_m1", "monotone_boosting")


def how_many(look):
    """Few if the search for lines is long."""
    is_long = look.selection.models[0].key in ("oc1", "cart_lc") and len(look.train) > 1000
    return 20 if is_long else 100


@cache
def draws(link):
    look = Look(link)
    n = how_many(look)
    return look, [resampled_rows(len(look.train), k, look.selection.seed) for k in range(n)]


def grown_again(link):
    look, found = draws(link)
    return [{"n": len(found), "title": titled(look)}]


def titled(look):
    return TITLES[look.selection.models[0].key]


def not_a_forest(twin):
    return lambda link: twin(link) if is_single(link) and "tree=" not in link else []


def error_of_shares(link):
    """That of a share of one half, the largest."""
    n = len(draws(link)[1])
    return [{"error": f"{100 * (0.5 * 0.5 / n) ** 0.5:.0f}"}]


def lacking(link):
    look, found = draws(link)
    names, told = names_of(look), []
    for k, name in enumerate(names):
        n = sum(all(look.y[look.train[row]] != k for row in rows) for rows in found)
        told += [f"{n} drew no row of {name}"] if n else []
    *others, last = told or [""]
    return [{"all": len(found), "lacking": " and ".join([*filter(None, [", ".join(others)]), last])}
            ] if told else []  # fmt: skip


def rows_of_nodes(tree, X):
    """The rows that come to each node."""
    found = [set() for _ in tree.feature]
    for i, x in enumerate(X):
        node = 0
        found[0].add(i)
        while tree.n_children[node]:
            node = int(tree.first_child[node] + (x[tree.feature[node]] > tree.threshold[node]))
            found[node].add(i)
    return found


@cache
def rarely_found(link):
    """How many nodes have a like one in fewer than half of the refits; how many there are."""
    look, found = draws(link)
    X, y = look.values[look.train], look.y[look.train]
    mine, times = rows_of_nodes(look.tree, X), np.zeros(len(look.tree.feature))
    for rows in found:
        again = type(look.estimator)(**look.estimator.get_params()).fit(X[rows], y[rows])
        others = rows_of_nodes(again.tree_, X)
        for node, own in enumerate(mine):
            times[node] += any(2 * len(own & each) >= len(own | each) for each in others)
    return look, int(sum(times < len(found) / 2)), len(mine)


def dashed(link):
    look, n, nodes = rarely_found(link)
    return [{"title": titled(look), "n": n, "all": nodes}]


def cut_off(link):
    """The last level down to which a tree has at most 63 nodes."""
    depth = Look(link).tree.depth
    levels = [level for level in range(max(depth) + 1) if sum(depth <= level) <= 63]
    return [{"n": levels[-1]}] if len(depth) > 63 else []


STABLY = "&detail=stable"
SMALL = (
    f"data=iris&m=cart{STABLY}",
    f"data=moons&m=cart&n_samples=80{STABLY}",
    f"data=wine&m=cart{STABLY}",
)
SURE = tuple(f"data=iris&m=cart&m.max_depth=1&seed={seed}{STABLY}" for seed in (1, 2, 3))
LARGE = (
    f"data=moons&noise=0.4&n_samples=500&m=cart{STABLY}",
    f"data=xor&noise=0.5&n_samples=400&m=cart{STABLY}",
    f"data=gauss_2d&n_samples=500&m=cart{STABLY}",
)
FORESTS = tuple(
    f"data=monotone&n_samples=60&m={key}{STABLY}"
    for key in ("adaboost_m1", "mcdf", "monotone_boosting")
)
LONG = tuple(
    f"data={data}&n_samples=1010&held=0&m=oc1&m.n_restarts=1&m.max_depth=1{STABLY}"
    for data in ("diagonal", "gauss_2d", "xor")
)
LACKING = tuple(f"data=five_rows&m=cart&held=0&seed={seed}{STABLY}" for seed in (1, 2, 3))


def of(unit, text, twin, true, never):
    return Kind(STABLE + unit, text, boundaries, twin, true, never)


SINGLE = not_a_forest(grown_again)
ROWS = [
    of("_pictures", "The class that most of", lambda link: 2 * SINGLE(link), SMALL, FORESTS[0]),
    of("_pictures", "have a standard error", not_a_forest(error_of_shares), (*SMALL[:2], LONG[0]),
       FORESTS[0]),
    of("_pictures", "can only vote", lacking, LACKING, SMALL[0]),
    of("_tree_picture", "its {all} nodes", not_a_forest(dashed), (*SMALL[:2], SURE[0]),
       FORESTS[0]),
    of("_tree_picture", "drawn down to depth", cut_off, LARGE, SMALL[0]),
]  # fmt: skip
