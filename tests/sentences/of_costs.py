"""Statements about what errors cost, and whether shares of leaves can be believed."""

from functools import cache, partial

import numpy as np
from scipy.stats import binomtest
from sklearn.metrics import average_precision_score, roc_auc_score

from lastviz.inspection import saving_interval, value_groups
from lastviz.tree import threshold_decimals
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.costs import cost_scene, findings, obstacle, ranking_words
from lastviz.ui.rules.groups import _name, largest_difference
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.rules.short import finding
from tests.sentences.of_rules import names_of
from tests.sentences.pages import on_page
from tests.sentences.rows import Kind, Look, Said, percent, selected

COSTS = "ui/rules/costs.py::"
rules = on_page("rules")


def reasons(link):
    """Why there is no threshold, where the costs are looked at."""
    scene = rule_scene(Work(selected(link)), "light")
    return [found] if has_costs(link) and (found := obstacle(scene)) else []


def said(link):
    scene = rule_scene(Work(selected(link)), "light")
    return [] if reasons(link) else findings(scene, cost_scene(scene))


def has_costs(link):
    return selected(link).rules.rule_view == "costs"


def by_shares(look):
    """Whether a tree decides by the most frequent class of its leaves."""
    params = look.estimator.get_params()
    if look.tree is None or len(look.tree.kernel) or params.get("monotone"):
        return False
    return params.get("leaf", "majority") == "majority"


def many(link):
    return [{"n": 5}] if has_costs(link) and len(names_of(Look(link))) > 5 else []


def no_shares(link):
    look = Look(link)
    two = len(names_of(look)) == 2
    return [{}] if has_costs(link) and two and not by_shares(look) else []


@cache
def judged(link):
    """The rarer class, rows of it and of the other, those called so by the threshold, shares."""
    look = Look(link)
    n = [sum(look.y[i] == k for i in look.train) for k in (0, 1)]
    label = int(n[1] <= n[0])
    counts = {}
    for i in look.train:
        counts.setdefault(int(look.leaves[i]), [0, 0])[int(look.y[i] == label)] += 1
    shares = {leaf: few / (few + many) for leaf, (many, few) in counts.items()}
    cut = look.selection.rules.cut / 100
    rows = look.held if len(look.held) else look.train
    called = []
    for i in rows:
        share, leaf = shares[int(look.leaves[i])], look.leaves[i]
        is_level = share == 0.5 and cut == 0.5
        called.append(look.tree.prediction[leaf] == label if is_level else share >= cut)
    return look, label, look.y[rows] == label, np.array(called), shares


def with_shares(twin):
    def guarded(link):
        look, rules = Look(link), selected(link).rules
        is_free = rules.cost_miss == rules.cost_alarm == 0
        if not has_costs(link) or is_free or len(names_of(look)) != 2 or not by_shares(look):
            return []
        return twin(link)

    return guarded


def free(link):
    rules = selected(link).rules
    is_free = rules.cost_miss == rules.cost_alarm == 0
    return [{}] if is_free and len(names_of(Look(link))) == 2 and not no_shares(link) else []


def pure(link):
    return [{}] if set(judged(link)[4].values()) <= {0.0, 1.0} else []


def headings(link):
    scene = rule_scene(Work(selected(link)), "light")
    return [] if reasons(link) else finding(scene)


def against_constants(link):
    """Whole cost of the errors against the cheaper of two answers for all rows."""
    look, label, own, called, _ = judged(link)
    rules, names = look.selection.rules, names_of(look)
    if (rules.cost_miss, rules.cost_alarm, rules.cut) == (1, 1, 50):
        return []
    missed, alarms = sum(own & ~called), sum(called & ~own)
    cost = rules.cost_miss * missed + rules.cost_alarm * alarms
    same = {
        names[1 - label]: rules.cost_miss * sum(own),
        names[label]: rules.cost_alarm * sum(~own),
    }
    base, name = min((same[name], name) for name in names)
    less, y = f"{percent(1 - cost / base if base else 0)} %", look.y[look.held]
    less += " less"
    if len(y) >= 30:
        cheap, costs = np.where(called, label, 1 - label), np.zeros((2, 2))
        costs[label, 1 - label], costs[1 - label, label] = rules.cost_miss, rules.cost_alarm
        low, _ = saving_interval(y, np.full_like(y, names.index(name)), cheap, costs)
        less = "significantly less" if low > 0 else "not significantly less"
    values = {"value": cost, "base": base, "name": name, "n": len(own), "others": "",
              "model": {"cart": "CART", "c45": "C4.5"}[look.selection.models[0].key],
              "rows": "held-out rows" if len(look.held) else "training rows",
              "less": less if cost < base else "no less"}  # fmt: skip
    return [values]


def level(link):
    """Leaves of as many rows of one class as of the other; what they say is what is told."""
    look, _, _, _, shares = judged(link)
    leaves = [leaf for leaf, share in shares.items() if share == 0.5]
    for leaf in leaves:
        above = int(look.tree.parent[leaf])
        says = look.tree.prediction[above] if selected(link).models[0].key == "c45" else 0
        assert look.tree.prediction[leaf] == says
    return [{"n": len(leaves)}] if leaves else []


def reliable(link):
    """The mean gap over held-out rows of what their leaf promises and what it holds."""
    look, label, own, _, shares = judged(link)
    if not len(look.held):
        return []
    leaves = look.leaves[look.held]
    gaps = [abs(shares[leaf] - np.mean(own[leaves == leaf])) for leaf in leaves.tolist()]
    return [{"gap": percent(np.mean(gaps)), "name": names_of(look)[label]}]


def ranked(link, *, is_new):
    """Areas under both curves, by scikit-learn; the interval is read off a fine grid."""
    look, label, own, _, shares = judged(link)
    if bool(len(look.held)) != is_new:
        return []
    leaves = look.leaves[look.held if is_new else look.train].tolist()
    below = [shares[leaf] == 0.5 and look.tree.prediction[leaf] != label for leaf in leaves]
    score = np.array([shares[leaf] for leaf in leaves]) - 1e-9 * np.array(below)
    auc, m, n = roc_auc_score(own, score), int(sum(own)), int(sum(~own))
    about = {"auc": round(auc, 3), "precision": round(average_precision_score(own, score), 3)}
    if is_new:
        area, more = np.linspace(0.0, 1.0, 400_001), (m + n) / 2 - 1
        spread = 1 + more * (1 - area) / (2 - area) + more * area / (1 + area)
        known = (auc - area) ** 2 <= 1.959964**2 * area * (1 - area) * spread / (m * n) + 1e-15
        about |= dict(zip(("low", "high"), np.round(area[known][[0, -1]], 3), strict=True))
    return [about | {"n": m + n}]


def ranks(link):
    scene = rule_scene(Work(selected(link)), "light")
    return [] if reasons(link) else [ranking_words(cost_scene(scene))]


def by_groups(link):
    return largest_difference(rule_scene(Work(selected(link)), "light"))


def apart(*, by_chance):
    """Accuracies of groups with their counts, and Newcombe's interval of scipy's Wilson limits."""

    def twin(link):
        look = Look(link)
        if not len(look.held):
            return []
        at = int(look.tree.feature[0])
        column = Work(selected(link)).data.full.X.iloc[look.held, at].reset_index(drop=True)
        right = np.array([look.class_at(look.values[i]) == look.y[i] for i in look.held])
        ends = [(group.low, group.high) for group in value_groups(column)]
        decimals = threshold_decimals(np.array(ends).ravel())
        counts = {_name(group, {}, decimals): (int(right[group.rows].sum()), len(group.rows))
                  for group in value_groups(column)}  # fmt: skip
        counts = {name: (k, n) for name, (k, n) in counts.items() if n >= 30}
        shares = {name: k / n for name, (k, n) in counts.items()}
        ends = max(shares, key=shares.get), min(shares, key=shares.get)
        pairs = len(counts) * (len(counts) - 1) // 2
        limits = [binomtest(*counts[name]).proportion_ci(1 - 0.05 / pairs, "wilson")
                  for name in ends]  # fmt: skip
        (a, b), (one, two) = limits, (shares[name] for name in ends)
        low = one - two - np.hypot(one - a.low, b.high - two)
        high = one - two + np.hypot(a.high - one, two - b.low)
        if by_chance is not None and (low <= 0) != by_chance:
            return []
        gap, low, high = (round(100 * value, 1) for value in (one - two, low, high))
        values = {"gap": gap, "low": low, "high": high, "n": pairs}
        names = {"first": ends[0], "second": ends[1]}
        return [names | values]

    return twin


VIEW = "&rule_view=costs"
TWO = tuple(
    f"data={data}&m={model}{more}{VIEW}"
    for data, model, more in (
        ("breast_cancer", "c45", "&cost_miss=5&cut=20"),
        ("moons&n_samples=100", "cart", "&m.max_depth=3&cut=70"),
        ("xor&noise=0.4", "cart", "&m.max_depth=4&held=0"),
    )
)
JUDGED = (*TWO[:2], f"data=gauss_2d&n_samples=200&m=cart&m.max_depth=3{VIEW}")
MANY = tuple(f"data=digits&m={model}{VIEW}" for model in ("cart&m.max_depth=3", "c45", "gsodt"))
VOTES = tuple(f"data={data}{VIEW}" for data in (
    "xor&n_samples=60&m=svm_tree", "monotone&n_classes=2&n_samples=60&m=remt",
    "monotone&n_classes=2&n_samples=60&m=mcdf"))  # fmt: skip
PURE = tuple(f"data={data}&m=cart{VIEW}" for data in ("xor", "moons&n_samples=80", "diagonal"))
DEAR = tuple(
    f"data={data}&m=cart&m.max_depth=3&cost_miss={miss}&cost_alarm={alarm}{VIEW}"
    for data, miss, alarm in (
        ("moons", 50, 1),
        ("gauss_2d&n_samples=200", 1, 90),
        ("xor&noise=0.5&n_samples=60&seed=2", 1, 1),
    )
)
PRICED = (*TWO[:2], f"data=gauss_2d&n_samples=200&m=c45&cost_alarm=2&cut=60{VIEW}")
CONSTANT = tuple(  # no leaf holds so many
    f"data={data}&m=cart&m.max_depth=2&cost_alarm=3&cut=100&seed={seed}{VIEW}"
    for data, seed in (("gauss_2d", 1), ("xor&noise=0.5", 1), ("gauss_2d", 2))
)
FREE = tuple(
    f"data={data}&m=cart&m.max_depth=2&cost_alarm=0&cut=70{VIEW}"
    for data in ("moons", "gauss_2d&n_samples=200", "xor&noise=0.5")
)
LEVEL = (
    f"data=gauss_2d&n_samples=60&m=cart&m.max_depth=4&seed=4{VIEW}",
    f"data=gauss_2d&n_samples=60&m=c45&m.pruning=none&seed=2{VIEW}",
    f"data=xor&noise=0.5&n_samples=300&m=c45&m.pruning=none{VIEW}",
)


GROUPS, ALIKE = (
    tuple(f"data={data}&m=cart&m.max_depth={depth}&held=0.6" for data in names)
    for depth, names in ((1, ("gauss_2d&n_samples=1000", "wine", "blobs&n_samples=600")),
                         (3, ("circles&n_samples=900", "wine", "blobs&n_samples=600")))
)  # fmt: skip


def of(unit, text, twin, true, never):
    if unit == "findings":
        return Said(COSTS + unit, text, said, with_shares(twin), true, never)
    return Kind(COSTS + unit, text, rules, with_shares(twin), true, never)


ROWS = [
    Said(COSTS + "obstacle", "Errors between more than", reasons, many, MANY, TWO[0]),
    Said(COSTS + "obstacle", "does not predict by the shares", reasons, no_shares, VOTES,
         [TWO[0], MANY[0]]),
    Said(COSTS + "findings", "No error costs anything", said, free,
         tuple(f"{link}&cost_miss=0&cost_alarm=0" for link in TWO), TWO[0]),
    of("findings", "Every leaf is of one class", pure, PURE, TWO[0]),
    of("findings", "{n} leaf holds|{n} leaves hold", level, LEVEL, PURE[0]),
    Said("ui/rules/groups.py::largest_difference", "(Newcombe's).|over {n} pairs", by_groups,
         apart(by_chance=None), (*GROUPS[:2], ALIKE[2]), f"{ALIKE[0]}&held=0"),
    Said("ui/rules/groups.py::largest_difference", "this small can be chance", by_groups,
         apart(by_chance=True), ALIKE, GROUPS[0]),
    Said(COSTS + "ranking_words", "Newcombe's", ranks,
         with_shares(partial(ranked, is_new=True)), JUDGED, TWO[2]),
    Said(COSTS + "ranking_words", "ranked less well", ranks,
         with_shares(partial(ranked, is_new=False)),
         tuple(f"{link}&held=0" for link in JUDGED), TWO[0]),
    Said("ui/shared/headline.py::models_verdict", "{less} than calling", headings,
         with_shares(against_constants), (*PRICED, *DEAR[:1]), DEAR[2]),
    of("_reliability_picture", "Mean gap", reliable, JUDGED, TWO[2]),
    of("_reliability_picture", "The share of {name} in each", reliable, JUDGED, TWO[2]),
]  # fmt: skip
