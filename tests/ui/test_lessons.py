"""The lessons of the course, on other seeds than their own too: what they say holds on each."""

import numpy as np
import pytest

from lastviz.plots import number
from lastviz.ui.compute.course_facts import facts_of
from lastviz.ui.compute.work import Work
from lastviz.ui.latent.scene import latent_scene
from lastviz.ui.shared.course_strip import fill_text
from lastviz.ui.state.course import places_of
from lastviz.ui.state.lessons import SCENES, scene_named
from tests import naive_hybrid, naive_monotone, naive_optimal
from tests.sentences.rows import Look, percent

SEEDS = (None, 11, 12, 13)
STEPS = [(scene.key, n) for scene in SCENES for n in range(1, len(scene.steps) + 1)]
CASES = [
    pytest.param(key, n, seed, marks=[pytest.mark.slow] if seed else [])
    for key, n in STEPS
    for seed in SEEDS
]


def at(key, n, seed):
    selection = scene_named(key).at(n)
    return selection if seed is None else selection.change(seed=seed)


def figure(value):
    return number(float(f"{value:.3g}"))


def gini(y):
    return 1 - ((np.bincount(y) / len(y)) ** 2).sum()


def gain(y, first):
    share = first.mean()
    return gini(y) - share * gini(y[first]) - (1 - share) * gini(y[~first])


def data_of(look):
    return look.values[look.train], look.y[look.train]


def best_gain(look):
    X, y = data_of(look)
    return max(gain(y, first) for first in naive_optimal.roots(X, np.arange(len(y))))


def off(selection, *, held_out):
    """The root of the mean squared error of a tree of numbers, each step the mean of its rows."""
    divided, tree = (Work(selection).first.division, Work(selection).first.estimator.tree_)
    X, y, train = divided.X.to_numpy(float), np.asarray(divided.y, float), divided.train_rows
    leaf = []
    for x in X:
        node = 0
        while tree.n_children[node]:
            node = int(tree.first_child[node]) + int(x[tree.feature[node]] > tree.threshold[node])
        leaf.append(node)
    leaf = np.array(leaf)
    mean = {k: y[train][leaf[train] == k].mean() for k in np.unique(leaf[train])}
    rows = divided.held_out_rows if held_out else train
    return float(np.sqrt(np.mean([(y[i] - mean[leaf[i]]) ** 2 for i in rows])))


# The numbers of a text, worked out anew; of what stands here not, test_course.py knows some.
NUMBERS = {
    "rows": lambda look: number(len(look.y)),
    "features": lambda look: number(look.values.shape[1]),
    "classes": lambda look: number(len(set(look.y.tolist()))),
    "learnt": lambda look: number(len(look.train)),
    "held": lambda look: number(len(look.held)),
    "leaves": lambda look: number(look.n_leaves),
    "inner": lambda look: number(sum(look.tree.n_children > 0)),
    "depth": lambda look: number(max(int(look.tree.depth[leaf]) for leaf in look.leaves)),
    "accuracy": lambda look: percent(look.accuracy(look.held)),
    "training": lambda look: percent(look.accuracy(look.train)),
    "errors": lambda look: number(sum(look.predicted[i] != look.y[i] for i in look.train)),
    "impurity": lambda look: figure(gini(look.y[look.train])),
    "best_gini": lambda look: figure(best_gain(look)),
    "candidates": lambda look: number(
        sum(len(np.unique(column)) - 1 for column in data_of(look)[0].T)
    ),
    "yes": lambda look: number(sum(look.leaf_is_below(1, i) for i in look.train)),
    "no": lambda look: number(sum(not look.leaf_is_below(1, i) for i in look.train)),
    "trees": lambda look: number(len(look.estimator.estimators_)),
}


@pytest.mark.parametrize(("key", "n", "seed"), CASES)
def test_the_numbers_of_a_step_are_those_of_its_data(key, n, seed):
    scene, selection = scene_named(key), at(key, n, seed)
    texts = [scene.steps[n - 1].text] + [scene.line] * (n == 1)
    dataset = Work(selection).dataset
    for text in texts:
        values = facts_of(Work(selection), places_of(text))
        for name in values:
            base, place = name.removesuffix("_2"), int(name.endswith("_2"))
            if dataset.is_regression:
                held = {"rmse": True, "rmse_training": False}.get(base)
                if held is not None:
                    values[name] = number(off(selection, held_out=held))
            elif base in NUMBERS:
                values[name] = NUMBERS[base](Look(selection, place))
        assert fill_text(text, selection) == text.format(**values)


# What a text claims beside its numbers


def is_best_root(look):
    X, y = data_of(look)
    first = X[:, look.tree.feature[0]] <= look.tree.threshold[0]
    assert gain(y, first) == pytest.approx(best_gain(look))


def all_is_asked(look):
    """Nothing is left to ask: the rows of a leaf are of one class, or all the same."""
    for leaf in set(look.leaves[look.train].tolist()):
        rows = look.train[look.leaves[look.train] == leaf]
        assert (
            len(set(look.y[rows].tolist())) == 1 or len(np.unique(look.values[rows], axis=0)) == 1
        )


def tells_most(look):
    """The first feature asked has the largest information gain."""
    X, y = data_of(look)

    def entropy(labels):
        shares = np.bincount(labels)[np.bincount(labels) > 0] / len(labels)
        return -(shares * np.log2(shares)).sum()

    left = [sum((x == v).mean() * entropy(y[x == v]) for v in np.unique(x)) for x in X.T]
    assert left[look.tree.feature[0]] == pytest.approx(min(left))


def better(selection, *, by=0.0):
    """The second model is right more often on new rows."""
    one, two = (look.accuracy(look.held) for look in (Look(selection, 0), Look(selection, 1)))
    assert two > one + by


def pruning_paid(selection):
    grown, pruned = Look(selection, 0), Look(selection, 1)
    assert pruned.n_leaves < grown.n_leaves
    assert pruned.accuracy(pruned.train) < grown.accuracy(grown.train)


def overfits(selection):
    look = Look(selection)
    assert look.accuracy(look.train) > look.accuracy(look.held) + 0.1


def says_little_alone(selection):
    """No threshold on one feature comes near to the tree."""
    look = Look(selection)
    X, y = data_of(look)
    sides = ((y[s], y[~s]) for s in naive_optimal.roots(X, np.arange(len(y))))
    best = max(sum(np.bincount(side).max() for side in both) for both in sides) / len(y)
    assert best < look.accuracy(look.held) - 0.1


def nearest_mean(places, y):
    """Share of rows that lie nearest to the mean of their own class, themselves left out."""
    right = 0
    for i, x in enumerate(places):
        others = np.arange(len(y)) != i
        means = [places[others & (y == c)].mean(axis=0) for c in range(y.max() + 1)]
        right += int(np.argmin([((x - mean) ** 2).sum() for mean in means]) == y[i])
    return right / len(y)


def components_separate(selection):
    """The classes lie apart in the components shown, less so in the features shown."""
    scene = latent_scene(Work(selection))
    y = scene.division.y[scene.rows]
    X = scene.division.values[scene.rows]
    features = X[:, list(scene.features)]
    components = scene.view.basis.coordinates(X)[:, list(scene.components)]
    assert nearest_mean(components, y) > nearest_mean(features, y)
    a, b, c = (components[y == k].mean(axis=0) for k in range(3))
    assert abs(np.linalg.det([b - a, c - a])) > 0.25 * np.linalg.norm(b - a) * np.linalg.norm(c - a)


def spread_decides(selection):
    look = Look(selection)
    X, y = data_of(look)
    groups = [X[y == c] for c in range(3)]
    centres = [group.mean(axis=0) for group in groups]
    far = [np.linalg.norm(centres[i] - centres[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert max(far) < 1.1 * min(far)
    spread = [group.var(axis=0).sum() for group in groups]
    (peeled,) = facts_of(Work(selection), ["peeled"]).values()
    assert str(int(np.argmin(spread)) + 1) == peeled


def gini_sees_nothing(selection):
    """Every threshold gains little; the line in the gap leaves both classes equal."""
    look = Look(selection)
    X, y = data_of(look)
    assert best_gain(look) < 0.05 * gini(y)
    table = Work(selection).first.node(0).candidates
    i = int(np.argmax(table.scores("bnm5")))
    x, threshold = X[:, table.feature[i]], table.threshold[i]
    assert x[x > threshold].min() - threshold > 0.2
    assert gain(y, x <= threshold) < 0.01 * gini(y)


def bnm_alone_cuts_a_cloud(selection):
    """Rows lie close by on both sides of its favourite, and P + Q is small."""
    table = Work(selection).first.node(0).candidates
    gap, own = (int(np.argmax(table.scores(name))) for name in ("bnm5", "bnm"))
    assert table.columns["penalty"][gap] > 5 * table.columns["penalty"][own]
    x, threshold = data_of(Look(selection))[0][:, table.feature[own]], table.threshold[own]
    assert x[x > threshold].min() - threshold < 0.05


def csn_alone_never_sees_it(selection):
    """By Gini its favourite is behind more candidates than any second look takes."""
    table = Work(selection).first.node(0).candidates
    gains, best = table.scores("gini"), int(np.argmax(table.scores("csn")))
    assert (gains > gains[best]).sum() > dict(selection.models[0].params)["k"]


def cuts_into_a_cloud(selection):
    look, table = Look(selection), Work(selection).first.node(0).candidates
    X, y = data_of(look)
    i = int(np.argmax(table.scores("bnm5")))
    first = X[:, table.feature[i]] <= table.threshold[i]
    assert any(0 < first[y == c].sum() < (y == c).sum() for c in range(3))
    assert gain(y, first) < best_gain(look)


def summits_are_slanted(selection):
    """The best line by 36 directions gains many times what a threshold does; one cloud goes."""
    look = Look(selection)
    X, y = data_of(look)
    best = (0.0, None)
    for angle in np.radians(np.arange(0, 180, 5)):
        along = X @ [np.cos(angle), np.sin(angle)]
        for value in np.unique(along)[:-1]:
            first = along <= value
            best = max(best, (gain(y, first), first.tolist()), key=lambda each: each[0])
    first = np.array(best[1])
    assert best[0] > 5 * best_gain(look)
    side = first if first.sum() < len(y) / 2 else ~first
    assert 0.15 < side.mean() < 0.35
    assert np.bincount(y[side]).max() > 0.9 * side.sum()


def looking_ahead_helps(selection):
    X, y = data_of(Look(selection))
    some = np.linspace(0, len(y) - 1, 60).astype(int)
    leaf = len(some) - np.bincount(y[some]).max()
    assert naive_optimal.least_cost(X[some], y[some], 2)[0] < 0.2 * leaf


def misses_the_curve(selection):
    """With more steps it is off by less, on the training rows and on new ones."""
    more = scene_named("numbers").at(1).change(seed=selection.seed)
    assert off(selection, held_out=False) > off(more, held_out=False)
    assert off(selection, held_out=True) > off(more, held_out=True)


def learns_the_noise(selection):
    fewer = scene_named("numbers").at(1).change(seed=selection.seed)
    assert off(selection, held_out=False) < 0.05
    assert off(selection, held_out=True) > off(fewer, held_out=True)


def rows_contradict(selection, *, some):
    look = Look(selection)
    _, n = naive_monotone.comparable_pairs(look.values, look.y)
    assert facts_of(Work(selection), ["contradicting"])["contradicting"] == number(n)
    assert (n > 0) == some


def fits_and_breaks_the_order(selection):
    look = Look(selection)
    assert look.accuracy(look.train) == 1.0
    assert facts_of(Work(selection), ["violations"])["violations"] == "1"


def starts_count(selection):
    search = Work(selection).models[1].node(0).hyperplanes
    ends = {}
    for start, score in zip(search.restart.tolist(), search.score.tolist(), strict=True):
        ends[start] = max(score, ends.get(start, score))
    found = facts_of(Work(selection), ["starts_2", "best_starts_2"])
    best = sum(end == max(ends.values()) for end in ends.values())
    assert found == {"starts_2": number(len(ends)), "best_starts_2": number(best)}


def classes_are_alike(selection):
    counts = np.bincount(Look(selection).y)
    assert counts.max() < 1.1 * counts.min()


def spirals_are_cut(selection):
    few, all_of_them = Look(selection, 0), Look(selection, 1)
    assert few.accuracy(few.held) < all_of_them.accuracy(all_of_them.held) - 0.1


def no_tree_makes_fewer(selection):
    """No root with the best threshold on each side of it."""
    X, y = data_of(Look(selection))

    def with_one_split(X, y):
        fewest = len(y) - np.bincount(y).max()
        for x in X.T:
            order = np.argsort(x)
            first = np.cumsum(np.eye(2)[y[order]], axis=0)[np.append(np.diff(x[order]) > 0, False)]
            right = first.max(axis=1) + (np.bincount(y, minlength=2) - first).max(axis=1)
            fewest = min(fewest, len(y) - int(right.max(initial=0)))
        return fewest

    roots = naive_optimal.roots(X, np.arange(len(y)))
    fewest = min(sum(with_one_split(X[s], y[s]) for s in (root, ~root)) for root in roots)
    assert facts_of(Work(selection), ["errors_2"])["errors_2"] == number(fewest)


def gini_sees_nothing_and_two_criteria_make_fewer(selection):
    gini_sees_nothing(selection)
    assert Look(selection, 0).n_leaves < Look(selection, 1).n_leaves


def the_shortlist_is_too_short(selection):
    """The other setting's first split is not one of the three best by Gini and BNM."""
    one, two = Look(selection, 0), Look(selection, 1)
    assert two.n_leaves < one.n_leaves
    X, y = data_of(one)
    rows = naive_hybrid.table(X, y, 2)
    score = {(r["feature"], r["threshold"]): r["gini"] + 0.02 * r["bnm"] for r in rows}
    first = score[int(two.tree.feature[0]), float(two.tree.threshold[0])]
    rank = 1 + sum(each > first + 1e-12 for each in score.values())
    found = facts_of(Work(selection), ["rank_of_second", "shortlist"])
    assert found == {"rank_of_second": number(rank), "shortlist": "3"}
    assert rank > 3


CLAIMS = {
    ("split", 2): lambda selection: is_best_root(Look(selection)),
    ("split", 3): lambda selection: all_is_asked(Look(selection)),
    ("information_gain", 1): lambda selection: tells_most(Look(selection)),
    ("greedy", 1): spirals_are_cut,
    ("greedy", 2): spirals_are_cut,
    ("greedy", 3): lambda selection: better(selection.change(models=selection.models[::-1])),
    ("overfitting", 1): overfits,
    ("overfitting", 2): pruning_paid,
    ("overfitting", 4): overfits,
    ("latent", 1): says_little_alone,
    ("latent", 3): components_separate,
    ("machines", 2): spread_decides,
    ("xor", 1): gini_sees_nothing_and_two_criteria_make_fewer,
    ("xor", 3): bnm_alone_cuts_a_cloud,
    ("xor", 4): csn_alone_never_sees_it,
    ("xor", 5): the_shortlist_is_too_short,
    ("bnm_fails", 1): cuts_into_a_cloud,
    ("numbers", 2): misses_the_curve,
    ("numbers", 3): learns_the_noise,
    ("what_if", 2): summits_are_slanted,
    ("what_if", 3): looking_ahead_helps,
    ("contradictions", 1): lambda selection: rows_contradict(selection, some=True),
    ("five_rows", 1): lambda selection: rows_contradict(selection, some=False),
    ("five_rows", 2): fits_and_breaks_the_order,
    ("xor_oblique", 3): starts_count,
    ("digits", 3): classes_are_alike,
    ("greed_cost", 1): no_tree_makes_fewer,
}
# Steps that say numbers, how something is done and what can be done, and claim nothing of the data.
NO_CLAIM = """
split.1 information_gain.2 information_gain.3 overfitting.3 nominal.1 nominal.2 nominal.3 oblique.1
oblique.2 oblique.3 latent.2 machines.1 machines.3 xor.2 bnm_fails.2 bnm_fails.3 numbers.1
why_this_row.1 why_this_row.2 why_this_row.3 what_if.1 instability.1 instability.2 instability.3
slice.1 slice.2 slice.3 contradictions.2 contradictions.3 five_rows.3 forest.1 forest.2 forest.3
forest.4 xor_oblique.1 xor_oblique.2 digits.1 digits.2 greed_cost.2 greed_cost.3
greed_cost.4 build.1 build.2 build.3 build.4
"""


def test_every_step_is_known_to_claim_something_or_nothing():
    claiming = {f"{key}.{n}" for key, n in CLAIMS}
    others = set(NO_CLAIM.split())
    assert claiming.isdisjoint(others)
    assert claiming | others == {f"{key}.{n}" for key, n in STEPS}


@pytest.mark.parametrize(
    "seed", [None, 11, *(pytest.param(n, marks=pytest.mark.slow) for n in (12, 13))]
)
@pytest.mark.parametrize("step", CLAIMS, ids=lambda step: f"{step[0]}.{step[1]}")
def test_what_a_step_claims_holds(step, seed):
    CLAIMS[step](at(*step, seed))
