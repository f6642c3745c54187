"""Statements about forests of ordered classes: subsets, weights and votes, row by row."""

from functools import cache
from unittest.mock import MagicMock, patch

import numpy as np

from lastviz.plots import number
from lastviz.ui.compute.work import Work
from lastviz.ui.rules import row as row_view
from lastviz.ui.rules.scene import rule_scene
from tests import naive_monotone
from tests.sentences.page_of_monotone import names_of, part_of, texts_on
from tests.sentences.rows import Kind, Look, Said, count, selected

DRAWS, VOTES = "ui/growth/drawing.py::", "ui/rules/row.py::"


def forest_words(link):
    return part_of("forest", link)


def conflict_words(link):
    """Return what is said of conflicts beside the votes about the first row."""
    selection = selected(link).change(highlighted=0)
    if selection.models[0].key not in ("mcdf", "adaboost_m1"):
        return []
    scene = rule_scene(Work(selection), "light")
    with patch.object(row_view, "st", MagicMock()) as screen:
        row_view._next_conflict(scene, scene.model)
    return list(texts_on(screen))


def end_of(tree, x):
    """Return where a row comes to rest in a tree."""
    node = 0
    while tree.n_children[node]:
        node = int(tree.first_child[node]) + int(x[tree.feature[node]] > tree.threshold[node])
    return node


def three(value):
    return number(float(f"{value:.3g}"))


class Forest(Look):
    """A forest, and what was counted of each of its trees anew."""

    def __init__(self, link):
        super().__init__(link)
        self.key = self.selection.models[0].key
        self.params = self.estimator.get_params()
        self.trees = getattr(self.estimator, "estimators_", [])
        self.at = min(self.selection.models[0].tree or 0, len(self.trees) - 1)
        self.X, self.codes = self.values[self.train], self.y[self.train]

    def label(self, i, x):
        """Return the class of a row by a tree."""
        tree = self.trees[i].tree_
        return int(tree.prediction[end_of(tree, x)])

    def wrong(self, i):
        """Return the training rows that a tree misclassifies; of those that it is judged on."""
        judged = range(len(self.X))
        if self.params.get("error_scope") == "subset":
            judged = self.estimator.draws_[i].rows.tolist()
        return [j for j in judged if self.label(i, self.X[j]) != self.codes[j]], judged

    def is_consistent(self, j):
        """Tell whether enough of what should be above a row is not lower in class."""
        above = [i for i in range(len(self.X)) if naive_monotone.dominates(self.X[i], self.X[j])]
        degree = np.mean([self.codes[i] >= self.codes[j] for i in above])
        return degree >= self.params["inclusion"]


@cache
def rounds(link):
    """Return the forest and, tree by tree, its weights, what it gets wrong and what follows."""
    look = Forest(link)
    n, found = len(look.X), []
    weights = np.full(n, 1 / n)
    for i in range(look.at + 1):
        wrong, judged = look.wrong(i)
        error = weights[wrong].sum() / weights[list(judged)].sum()
        factor = (1 - error) / error if 0 < error < 0.5 else 1.0
        raised = [j for j in wrong if look.key == "mcdf" and look.is_consistent(j)]
        dropped = [j for j in wrong if j not in raised]
        found.append((weights.copy(), wrong, error, factor, raised, dropped))
        if look.key == "mcdf":
            weights[raised] *= factor
            weights[dropped] = 0
        else:
            weights[wrong] *= factor
        weights /= weights.sum()
    return look, found


def judged(holds, **values):
    """The twin of what a tree of MCDF gets wrong, where it `holds`."""

    def twin(link):
        if selected(link).models[0].key != "mcdf":
            return []
        look, found = rounds(link)
        _, wrong, error, factor, raised, dropped = found[-1]
        own = " of its subset" * (look.params["error_scope"] == "subset")
        known = {
            "rows": count(len(wrong), f"row{own}", f"rows{own}"),
            "raised": number(len(raised)), "dropped": number(len(dropped)),
            "factor": three(factor), "e": number(look.params["inclusion"]),
        }  # fmt: skip
        said = {place: known[name] for place, name in values.items()}
        return [said] if holds(len(wrong), len(raised), len(dropped), error) else []

    return twin


def boosted(holds):
    """The twin of what a tree of AdaBoost.M1 gets wrong, where it `holds`."""

    def twin(link):
        if selected(link).models[0].key != "adaboost_m1":
            return []
        _, found = rounds(link)
        _, wrong, error, _, _, _ = found[-1]
        if not holds(len(wrong), error):
            return []
        look = Forest(link)
        assert bool(wrong) or look.at == len(look.trees) - 1
        assert error < 0.5 or len(look.trees) == 1
        odds = error / (1 - error)
        weight = three(np.log((1 - error) / max(error, 1e-10)))
        return [{"rows": count(len(wrong), "row", "rows"), "factor": three(odds), "weight": weight}]

    return twin


def resampled(link):
    """As many rows as there are, some of them several times."""
    look = Forest(link)
    if look.key != "adaboost_m1":
        return []
    rows = look.estimator.draws_[look.at].rows.tolist()
    return [{}] if len(rows) == len(look.X) and len(set(rows)) < len(rows) else []


def seen_by(look, i):
    """Return the rows that the trees up to one have drawn."""
    return set(np.concatenate([draw.rows for draw in look.estimator.draws_[: i + 1]]).tolist())


# How many rows, how many trees


def planned(holds):
    def twin(link):
        look = Forest(link)
        if look.key != "mcdf":
            return []
        size, n = look.estimator.plan_.size, len(look.X)
        kept = min(round(look.params["alpha"] * size), size - 1)
        left, expected = n - size, 1
        while left >= size:
            left, expected = left - (size - kept), expected + 1
        for before, after in zip(look.estimator.draws_, look.estimator.draws_[1:], strict=False):
            assert len(set(before.rows) & set(after.rows)) >= min(kept, 1)
        values = {"kept": number(kept), "fresh": number(size - kept), "size": number(size)}
        assert len(look.trees) <= expected
        values |= {"expected": number(expected)}
        return [values] if holds(look) else []

    return twin


def size_is_given(look):
    return look.params["subset_size"] is not None


# The picture of a drawing


def pictured(link):
    look, found = rounds(link)
    if not look.trees:
        return []
    draws = look.estimator.draws_
    draw, drawn = draws[look.at], set(draws[look.at].rows.tolist())
    weights = np.ones(len(look.X))
    if look.key == "mcdf":  # rows kept are of the tree before, those of weight 0 stay away
        weights = found[-1][0]
        assert not set(draw.rows[~draw.kept]) & (seen_by(look, look.at - 1) if look.at else set())
        later = {row for each in draws[look.at :] for row in each.rows.tolist()}
        assert not set(np.flatnonzero(weights <= 0)) & later
        assert not look.at or set(draw.rows[draw.kept]) <= set(draws[look.at - 1].rows)
    dropped = number(sum(weight <= 0 for weight in weights))
    return [{"tree": look.at + 1, "drawn": number(len(drawn)), "dropped": dropped}]


def not_shown(link):
    look = Forest(link)
    if not look.trees:
        return []
    drawn = set(look.estimator.draws_[look.at].rows.tolist())
    n = len(look.X) - len(drawn) - 4000
    return [{"n": number(n)}] if n > 0 else []


# Votes


@cache
def voted(link, row):
    """Return the votes of each class about a row, and the sums of its supports."""
    look = Forest(link)
    votes = np.zeros((2, len(names_of(look))))
    for i, tree in enumerate(look.trees):
        x = look.values[row]
        votes[0, look.label(i, x)] += look.estimator.tree_weights_[i]
        counts = tree.tree_.value[end_of(tree.tree_, x)]
        votes[1] += counts / counts.sum()
    return look, *votes


def most_of(votes):
    return [k for k, vote in enumerate(votes) if vote >= max(votes) - 1e-9]


def conflicts(*, none):
    """The twin of in how many rows there are conflicts, and in which."""

    def twin(link):
        look = Forest(link)
        if look.key not in ("mcdf", "adaboost_m1"):
            return []
        n = min(len(look.y), 2000)
        some = any(len(most_of(voted(link, row)[1])) > 1 for row in range(n))
        return [{"rows": number(n)}] if some != none else []

    return twin


def settled(link):
    """What is said of the row that is lit."""
    from lastviz.inspection import explain

    look = Forest(link)
    found = explain(look.estimator, look.values[look.selection.view.highlighted])
    return [row_view.votes_sentence(look.estimator, found, names_of(look))]


def decided(how):
    """The twin of what settles the decision about the row that is lit."""

    def twin(link):
        look, votes, supports = voted(link, selected(link).view.highlighted)
        x = look.values[look.selection.view.highlighted]
        own = int(look.estimator.predict_codes(x[None])[0])
        most = most_of(votes)
        best = [k for k in most if supports[k] >= max(supports[most]) - 1e-9]
        if look.key == "monotone_boosting":
            scores = look.estimator.start_ + sum(
                tree.scores_[end_of(tree.tree_, x)] for tree in look.trees
            )
            found = "scores"
            assert own == sum(1 / (1 + np.exp(-scores)) > 0.5)  # borders that are likely passed
        elif look.params.get("vote") == "median":
            found = "median"
            labels = sorted(look.label(i, x) for i in range(len(look.trees)))
            assert own == labels[(len(labels) - 1) // 2]
        elif len(most) == 1:
            found = "most"
            assert own == most[0]
        elif look.key == "adaboost_m1":
            found = "lower"
            assert own == most[0]
        else:
            found = "larger"
            assert own == best[0]
        names = names_of(look)
        tied = [names[k] for k in most]
        return [{"classes": tuple(tied)}] if how == found else []

    return twin


def of_draws(unit, text, twin, true, never):
    return Kind(f"{DRAWS}{unit}", text, forest_words, twin, true, never)


def of_votes(text, how, true, never):
    return Said(f"{VOTES}votes_sentence", text, settled, decided(how), true, never)


N = "data=monotone&n_samples=60"
MCDF = tuple(f"{N}&label_noise=0.1&m=mcdf&seed={seed}" for seed in (1, 2, 3))
WEAK = "data=monotone&n_samples=100&label_noise=0.4&n_classes=8&m=mcdf&m.subset_size=6&seed=1"
STRICT = f"{WEAK}&m.inclusion=0.6"
OF_SUBSET = f"{WEAK}&m.error_scope=subset&tree=2"
RIGHT = (
    OF_SUBSET,
    "data=five_rows&held=0&m=mcdf&m.subset_size=5&seed=1",
    "data=monotone&n_samples=30&n_classes=2&m=mcdf&m.subset_size=20&seed=1",
)
BOOSTED = tuple(f"{N}&label_noise=0.1&m=adaboost_m1&seed=1&tree={tree}" for tree in (1, 3, 5))
LAST = (
    "data=monotone&n_samples=40&n_classes=2&m=adaboost_m1&seed=3",
    f"{N}&m=adaboost_m1&seed=2",
    "data=monotone&n_samples=40&n_classes=3&m=adaboost_m1&seed=11",
)
ALONE = tuple(f"data=monotone&n_samples=40&n_classes=8&m=adaboost_m1&seed={seed}&directions=ff"
              for seed in (1, 2, 3))  # fmt: skip
SCORED = tuple(f"{N}&m=monotone_boosting&m.max_iter=5&m.subsample={share}&tree=2"
               for share in (0.5, 0.8, 1.0))  # fmt: skip
MANY = (
    "data=monotone&n_samples=6500&m=mcdf",
    "data=monotone&n_samples=8000&m=mcdf&m.subset_size=1000",
    "data=monotone&n_samples=9000&m=mcdf&m.subset_size=2000",
)
TREES = ("data=iris&m=cart", f"{N}&m=remt", "data=iris&m=c45")
TIED = "data=monotone&n_samples=20&label_noise=0.1&held=0.6&m=adaboost_m1&m.n_estimators=2"
TIES = (
    f"{TIED}&n_classes=2&seed=18&lit=3",
    f"{TIED}&n_classes=2&seed=48&lit=11",
    f"{TIED}&n_classes=3&seed=4&lit=15",
)
SAME = tuple(f"{MCDF[0]}&lit={row}" for row in (1, 2, 12))
LARGER = tuple(f"{MCDF[0]}&lit={row}" for row in (10, 25, 27))
MOST = tuple(f"{each}&lit=3" for each in (MCDF[0], BOOSTED[0], BOOSTED[1]))
MEDIAN = tuple(f"{MCDF[0]}&m.vote=median&lit={row}" for row in (1, 10, 25))
ADDED = tuple(f"{each}&lit=7" for each in SCORED)
CHANGES, REWEIGHED, PLAN, WAYS = "_changes", "_reweighed", "_plan_card", "_next_conflict"
ROWS = [
    of_draws(CHANGES, "The tree misclassifies {rows}.",
             judged(lambda *_: True, rows="rows"),
             (MCDF[0], f"{WEAK}&m.error_scope=subset", STRICT, RIGHT[0]), TREES[0]),
    of_draws(CHANGES, "their weights are multiplied",
             judged(lambda wrong, raised, dropped, error: raised and 0 < error < 0.5,
                    n="raised", factor="factor"), MCDF, [WEAK, RIGHT[0]]),
    of_draws(CHANGES, "raises no weight",
             judged(lambda wrong, raised, dropped, error: raised and error >= 0.5, n="raised"),
             tuple(f"{WEAK}&tree={tree}" for tree in (1, 3, 5)), MCDF[0]),
    of_draws(CHANGES, "their weight becomes 0",
             judged(lambda wrong, raised, dropped, error: dropped, n="dropped", e="e"),
             tuple(f"{STRICT}&tree={tree}" for tree in (2, 5, 9)), [MCDF[0], RIGHT[0]]),
    of_draws(REWEIGHED, "All rows are drawn with replacement", resampled, BOOSTED, MCDF[0]),
    of_draws(REWEIGHED, "The weights of the others", boosted(lambda wrong, e: 0 < e < 0.5),
             BOOSTED, [LAST[0], ALONE[0]]),
    of_draws(REWEIGHED, "so it is the last one", boosted(lambda wrong, e: not wrong),
             LAST, [BOOSTED[0], ALONE[0]]),
    of_draws(REWEIGHED, "so it stays the only one", boosted(lambda wrong, e: e >= 0.5),
             ALONE, [BOOSTED[0], LAST[0]]),
    of_draws(PLAN, "most {expected} trees", planned(lambda look: True),
             (MCDF[0], STRICT, *MCDF[1:]), BOOSTED[0]),
    of_draws(PLAN, "was set; the rule", planned(size_is_given), (WEAK, STRICT, RIGHT[1]), MCDF[0]),
    of_draws("rows_drawn", "more rows were not drawn", not_shown, MANY, MCDF[0]),
    of_draws("rows_drawn", "The training rows before tree", pictured,
             (f"{STRICT}&tree=5", f"{MCDF[1]}&tree=3", BOOSTED[1], MCDF[0]), TREES[0]),
    Kind(f"{VOTES}{WAYS}", "No conflict among", conflict_words, conflicts(none=True), BOOSTED,
         [MCDF[0], TREES[0]]),
    Kind(f"{VOTES}{WAYS}", "Among the first", conflict_words, conflicts(none=False), MCDF,
         [BOOSTED[0], TREES[0]]),
    of_votes("add up to a probability", "scores", ADDED, MOST[0]),
    of_votes("The median of the trees", "median", MEDIAN, SAME[0]),
    of_votes("there is no conflict", "most", MOST, [SAME[0], LARGER[0], TIES[0]]),
    of_votes("have the same votes. The lower", "lower", TIES, [MOST[1], SAME[0]]),
    of_votes("decides (eq 15)", "larger", (*SAME, *LARGER), [MOST[0], MEDIAN[0]]),
]  # fmt: skip
