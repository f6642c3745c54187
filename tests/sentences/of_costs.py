"""Statements about what errors cost, and whether shares of leaves can be believed."""

from functools import cache

import numpy as np

from lastviz.ui.compute.work import Work
from lastviz.ui.rules.costs import cost_scene, findings, obstacle
from lastviz.ui.rules.scene import rule_scene
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


def not_two(link):
    return [{}] if has_costs(link) and len(names_of(Look(link))) != 2 else []


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
    return [{}] if is_free and not not_two(link) and not no_shares(link) else []


def pure(link):
    return [{}] if set(judged(link)[4].values()) <= {0.0, 1.0} else []


def cheaper(link):
    """The cheaper of two answers for all rows, if it costs less than the tree."""
    look, label, own, called, _ = judged(link)
    rules, names = look.selection.rules, names_of(look)
    tree = rules.cost_miss * sum(own & ~called) + rules.cost_alarm * sum(called & ~own)
    same = [(rules.cost_miss * sum(own), names[1 - label])]
    same.append((rules.cost_alarm * sum(~own), names[label]))
    cost, name = min(same)
    return [{"name": name, "cost": cost / len(own)}] if cost < tree else []


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
MANY = tuple(f"data={data}&m=cart{VIEW}" for data in ("iris", "wine", "blobs&n_samples=60"))
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
LEVEL = (
    f"data=gauss_2d&n_samples=60&m=cart&m.max_depth=4&seed=4{VIEW}",
    f"data=gauss_2d&n_samples=60&m=c45&m.pruning=none&seed=2{VIEW}",
    f"data=xor&noise=0.5&n_samples=300&m=c45&m.pruning=none{VIEW}",
)


def of(unit, text, twin, true, never):
    if unit == "findings":
        return Said(COSTS + unit, text, said, with_shares(twin), true, never)
    return Kind(COSTS + unit, text, rules, with_shares(twin), true, never)


ROWS = [
    Said(COSTS + "obstacle", "A threshold separates", reasons, not_two, MANY, TWO[0]),
    Said(COSTS + "obstacle", "does not predict by the shares", reasons, no_shares, VOTES,
         [TWO[0], MANY[0]]),
    Said(COSTS + "findings", "No error costs anything", said, free,
         tuple(f"{link}&cost_miss=0&cost_alarm=0" for link in TWO), TWO[0]),
    of("findings", "Every leaf is of one class", pure, PURE, TWO[0]),
    of("findings", "would cost less", cheaper, DEAR, PURE[0]),
    of("findings", "{n} leaf holds|{n} leaves hold", level, LEVEL, PURE[0]),
    of("_reliability_picture", "Mean gap", reliable, JUDGED, TWO[2]),
    of("_reliability_picture", "The share of {name} in each", reliable, JUDGED, TWO[2]),
]  # fmt: skip
