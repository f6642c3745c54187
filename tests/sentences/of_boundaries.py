"""Statements of the page *boundaries*: how a picture came about, the numbers of a node, slices."""

from collections import Counter
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pandas as pd

from lastviz.estimators import ESTIMATORS
from lastviz.plots import number
from lastviz.tree import Kind as Kinds
from lastviz.ui.boundaries.details import formula
from lastviz.ui.boundaries.forest_words import ensemble_words
from lastviz.ui.boundaries.page import scene_report_of
from lastviz.ui.boundaries.scene import scene_of
from lastviz.ui.compute import uploads
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import DEFAULT, UPLOAD
from lastviz.ui.text import CannotShow
from tests import naive, naive_binary, naive_mixed, naive_monotone, naive_oblique, naive_svm
from tests.sentences import of_models
from tests.sentences.of_rules import names_of
from tests.sentences.pages import on_page
from tests.sentences.rows import Kind, Look, selected

PAGE = "ui/boundaries/"
said = on_page("boundaries")
TITLES = of_models.TITLES | {
    "mcdf": "MCDF",
    "adaboost_m1": "AdaBoost.M1",
    "monotone_boosting": "Monotone boosting",
    "svm_tree": "SVM tree",
    "id3": "ID3",
}
FORESTS = ("mcdf", "adaboost_m1", "monotone_boosting")


def looks(link):
    return [Look(link, place) for place in range(len(selected(link).models))]


def key_of(look):
    return look.selection.models[0].key


def is_envelope(look):
    return bool(look.estimator.get_params().get("monotone")) and key_of(look) == "remt"


def is_whole(look):
    """Whether the picture is of a forest or an envelope."""
    is_forest = key_of(look) in FORESTS and look.selection.models[0].tree is None
    return is_forest or is_envelope(look)


def walk(tree, x):
    """Return where a row comes to rest, by thresholds alone."""
    node = 0
    while tree.n_children[node]:
        node = int(tree.first_child[node] + (x[tree.feature[node]] > tree.threshold[node]))
    return node


# Pictures for those who do not see them


def listing(names):
    """Names as a list; of more than eight the first eight, and how many more."""
    if len(names) > 8:
        return f"{', '.join(names[:8])} and {len(names) - 8} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def given(look, predicted):
    """The classes that any row is given."""
    return listing([name for k, name in enumerate(names_of(look)) if k in set(predicted)])


def regions(link):
    found = []
    for look in [] if "pixels=path" in link else looks(link):
        whole = is_whole(look)
        predicted = look.estimator.predict_codes(look.values) if whole else look.predicted
        about = {"title": TITLES[key_of(look)], "data": look.selection.data}
        found.append(about | {"classes": given(look, predicted)})
    return found


# How a forest decides


def explained(scene):
    key, exact = scene
    view = SimpleNamespace(estimator=ESTIMATORS[key].cls())
    return [ensemble_words(view, exact=exact)]


def on_a_grid(scene):
    key, exact = scene
    return [] if exact or key not in FORESTS else [{}]


def enveloped(link):
    return [{}] if is_envelope(Look(link)) else []


# Why a tint says no certainty


def of_no_majority(link):
    """Whether a model does not predict the most frequent class of the leaf of a row."""
    wanted = [is_whole(look) or len(look.tree.kernel) or is_median(look) for look in looks(link)]
    return [{}] * sum(map(bool, wanted)) if "tint=certainty" in link else []


def is_median(look):
    """Whether leaves say the lower or the upper of the middle classes, not the most frequent."""
    rows = {leaf: look.train[look.leaves[look.train] == leaf] for leaf in set(look.leaves.tolist())}
    says = {leaf: int(look.tree.prediction[leaf]) for leaf in rows}
    counts = {leaf: Counter(look.y[rows[leaf]].tolist()) for leaf in rows}
    by_median = all(
        says[leaf] in {naive_monotone.median(look.y[rows[leaf]], upper) for upper in (False, True)}
        for leaf in rows
    )
    by_majority = all(counts[leaf][says[leaf]] == max(counts[leaf].values()) for leaf in rows)
    return by_median and not by_majority


# Numbers of the root


def told(scene):
    """What is said below the formula: of a link, or of a table with gaps."""
    selection = selected(scene) if isinstance(scene, str) else with_gaps(*scene)
    with patch("lastviz.ui.boundaries.details.st") as page:
        formula(scene_of(Work(selection), "light").views[0])
        return [call.args[0] for call in page.caption.call_args_list]


@cache
def with_gaps(seed, share):
    rng = np.random.default_rng(seed)
    width = rng.normal(size=120).round(2)
    label = np.where(width + 0.4 * rng.normal(size=120) > 0, "yes", "no")
    width[rng.random(120) < share] = np.nan
    table = pd.DataFrame({"width": width, "other": rng.normal(size=120).round(2), "class": label})
    content = table.to_csv(index=False).encode()
    file = uploads.keep(f"gaps{seed}{share}.csv", content, len(table))
    model = replace(DEFAULT.models[0], key="c45", params=())
    return DEFAULT.change(data=UPLOAD, upload=file, models=(model,))


def of_the_known(scene):
    """The gain ratio of the best test of the feature at the root, by entries of rows."""
    if isinstance(scene, str):
        return []
    look = Look(with_gaps(*scene))
    feature, X, y = int(look.tree.feature[0]), look.values[look.train], look.y[look.train]
    entries = [(row, 1.0) for row in range(len(y))]
    if not np.isnan(X[:, feature]).any():
        return []
    _, ratio, _, _ = naive_mixed.of_feature(X, y, max(y) + 1, entries, feature, 0, 2)
    return [{"score": number(float(ratio))}]


def sides(look):
    """How many rows of each class take each branch of the root."""
    tree = look.tree
    first = int(tree.first_child[0])
    return [
        np.bincount([look.y[i] for i in look.train if look.leaf_is_below(child, i)],
                    minlength=max(look.y) + 1)
        for child in range(first, first + int(tree.n_children[0]))
    ]  # fmt: skip


def ratio_of(look):
    children = [side for side in sides(look) if side.sum()]
    whole, n = sum(children), sum(map(sum, children))
    gain = naive.entropy(whole) - sum(side.sum() / n * naive.entropy(side) for side in children)
    return gain, naive.entropy([side.sum() for side in children])


def by_ratio(*, priced):
    """The twin of a gain ratio: less the price of its threshold, or of the gain alone."""

    def twin(scene):
        if not isinstance(scene, str):
            return []
        look = Look(scene)
        params = look.estimator.get_params()
        if look.tree is None or key_of(look) not in ("c45", "id3") or not look.tree.n_children[0]:
            return []
        if params["criterion"] != "gain_ratio":
            return []
        has_price = look.tree.kind[0] != Kinds.CATEGORIES and params.get("mdl_correction", False)
        if has_price != priced:
            return []
        gain, information = ratio_of(look)
        if priced:
            X, y = look.values[look.train], look.y[look.train]
            column, n_classes = X[:, [int(look.tree.feature[0])]], max(y) + 1
            return [{"score": number(naive.c45_split(column, y, n_classes)[0])}]
        return [{"score": number(gain / information)}]

    return twin


OTHERS = {
    "chi2": ("chi-squared", naive_mixed.chi2),
    "g_statistic": ("G statistic", naive_mixed.g_statistic),
    "twoing": ("twoing", naive_binary.twoing),
    "max_minority": ("max minority", naive_oblique.max_minority),
}


def other_score(scene):
    look = Look(scene)
    known = OTHERS.get(look.estimator.get_params().get("criterion"))
    if known is None or not look.tree.n_children[0]:
        return []
    title, score = known
    return [{"criterion": title, "score": number(float(score(*map(list, sides(look)))))}]


def raised(scene):
    """Rows that came to the node in the grown tree, and that come to it now."""
    look = Look(scene)
    node = look.selection.models[0].node or 0
    if look.tree is None or key_of(look) != "c45" or not look.tree.n_children[node]:
        return []
    grown, at = look.estimator.grown_tree_, int(look.tree.grown_node[node])
    n = 0
    for i in look.train:
        place = walk(grown, look.values[i])
        while place > at:
            place = int(grown.parent[place])
        n += place == at
    m = sum(look.leaf_is_below(node, i) for i in look.train)
    return [] if n == m else [{"n": number(n), "m": number(m)}]


# A machine at the root


@cache
def machine(scene):
    """Standardised rows, the kernel of the root, and what its machine says of each row."""
    look = Look(scene)
    X, y = look.values[look.train], look.y[look.train]
    Z, table = (X - X.mean(axis=0)) / X.std(axis=0), look.tree.kernel

    def K(a, b):
        return naive_svm.kernel(1, a, b, table.kernel.sigma, 3)

    row = int(look.tree.split_row[0])
    here = table.entries(row)
    support = table.vectors[table.index[here]]
    plain = [naive_svm.decision(z, support, table.dual_coef[here], 0.0, K) for z in Z]
    alphas = np.zeros(len(y))
    for vector, coef in zip(support, table.dual_coef[here], strict=True):
        alphas[np.abs(Z - vector).max(axis=1).argmin()] = abs(coef)
    return look, Z, y, K, np.where(table.first[row][y], 1.0, -1.0), np.array(plain), alphas


def of_machine(scene):
    """Rows on or within the margin support; b is such that those on it have a value of 1."""
    if not len(Look(scene).tree.kernel):
        return []
    look, Z, y, K, side, plain, alphas = machine(scene)
    on_margin = (alphas > 0) & (alphas < max(alphas) * (1 - 1e-6))
    b = float(look.tree.kernel.intercept[look.tree.split_row[0]])
    assert np.allclose((side * (plain + b))[on_margin], 1, atol=2e-3)
    first, *others = (Z[y == k] for k in sorted(set(y.tolist()), key=lambda k: -side[y == k][0]))
    score = min(naive_svm.separability(first, other, K) for other in others)
    n = int(sum(side * (plain + b) <= 1 + 2e-3))
    return [{"n": number(n), "b": number(b), "score": number(score)}]


def stopped(scene):
    """A machine is not optimal while two rows could still trade some of their weight."""
    if not len(Look(scene).tree.kernel):
        return []
    look, _, _, _, side, plain, alphas = machine(scene)
    gains, price = side - plain, look.estimator.C_ * (1 - 1e-9)
    up = np.where(side > 0, alphas < price, alphas > 0)
    down = np.where(side > 0, alphas > 0, alphas < price)
    most = look.estimator.get_params()["max_iter"]
    return [{"n": number(most)}] if max(gains[up]) - min(gains[down]) > 2e-3 else []


# Searches, slices, rows drawn


def no_search(link):
    return [
        {"title": TITLES[model.key]}
        for model in selected(link).models
        if "detail=search" in link and model.key not in ("oc1", "cart_lc")
    ]


def ringed(scene):
    return [{} for _ in of_models.fidelity(scene)]


def drawn(most):
    def twin(link):
        n = len(Work(selected(link)).data.dataset.y)
        return [{"shown": number(most), "rows": number(n)}] if n > most else []

    return twin


def hyperplane(link):
    """The move that the link picks of the search at the node that it picks."""
    model = selected(link).models[0]
    if model.key != "oc1" or "detail=search" not in link:
        return []
    return [{"node": model.node or 0, "at": model.move + 1, "title": TITLES[model.key]}]


# Numbers


def numbers_of(link):
    """Names of the features, those on the axes, the tree."""
    selection = selected(link)
    names = list(Work(selection).first.division.X.columns)
    return selection, names


def sliced_numbers(link):
    selection, names = numbers_of(link)
    row = selection.view.at
    where = "at their medians" if row is None else f"as in row {row + 1}"
    return [{"where": where}] if len(names) > len(set(selection.view.axes or names[:2])) else []


def predicted_numbers(link):
    selection, names = numbers_of(link)
    if selection.data not in ("friedman", "noisy_sine"):
        return []
    tree = Work(selection).first.estimator.tree_
    axes = list(dict.fromkeys(selection.view.axes or names[:2]))
    leaves = sum(not n for n in tree.n_children)
    about = {"title": "CART for numbers", "target": "y", "leaves": number(leaves)}
    return [about | {"features": ", ".join(axes)}]


# Reports


def reported(scene):
    link, is_waiting = scene
    found = scene_of(Work(selected(link)), "light")
    try:
        return [scene_report_of(replace(found, jobs={0: None} if is_waiting else {}), "?", None)]
    except CannotShow as reason:
        return [str(reason)]


def waits(scene):
    return [{}] if scene[1] else []


HOW, TINT = "&detail=how", "&tint=certainty"
SMALL = "data=monotone&n_samples=60"
ADA = tuple(f"{SMALL}&m=adaboost_m1{HOW}&seed={seed}" for seed in (1, 3, 4))
TREES = ("data=iris&m=cart", "data=digits&m=cart&m.max_depth=5&pixels=plane", f"{SMALL}&m=remt")
FAR = f"{SMALL}&m=remt&m.monotone=true"
ENVELOPES = (FAR, f"{FAR}&seed=2", f"{FAR}&seed=3")
GAPS = ((1, 0.2), (2, 0.1), (3, 0.3))
NO_PRICE = (
    f"data=iris&m=c45&m.mdl_correction=false{HOW}",
    f"data=loan&m=c45{HOW}",
    f"data=loan&m=id3&m.criterion=gain_ratio&held=0{HOW}",
)
PRICE = tuple(f"data={data}&m=c45{HOW}" for data in ("iris", "wine", "moons&n_samples=100"))
OTHER = (
    f"data=iris&m=cart&m.criterion=twoing{HOW}",
    f"data=wine&m=c45&m.criterion=chi2{HOW}",
    f"data=iris&m=c45&m.criterion=g_statistic{HOW}",
)
MACHINES = (
    f"data=xor&n_samples=60&m=svm_tree{HOW}",
    f"data=iris&m=svm_tree{HOW}",
    f"data=moons&n_samples=60&m=svm_tree{HOW}",
)
UNFINISHED = tuple(f"{link}&m.max_iter={n}" for link, n in zip(MACHINES, (3, 5, 8), strict=True))
PALE = (
    *(f"{SMALL}&label_noise=0.3&m=remt&m.min_gain={gain}&seed={seed}{TINT}"
      for gain, seed in ((0.1, 1), (0.2, 2), (0.2, 3))),
    *(link + TINT for link in (FAR, ADA[0], f"{SMALL}&m=mcdf", *MACHINES)),
)  # fmt: skip
RAISED = tuple(
    f"data={data}&m=c45{HOW}&seed={seed}&node={node}"
    for data, seed, node in (("moons&noise=0.4", 3, 9), ("moons&noise=0.4", 5, 4), ("digits", 1, 6))
)
SEARCH = "data=gauss_2d&n_samples=80&m=oc1&m.n_restarts=1&detail=search"
SEARCHED = "&m2=oc1&m2.n_restarts=1&detail=search"
MANY = tuple(
    f"data={data}&n_samples={n}&m=cart&m.max_depth=2"
    for data, n in (("moons", 5100), ("gauss_2d", 6000), ("xor", 5600))
)
SINE, FRIEDMAN = "data=noisy_sine", "data=friedman&r.max_leaf_nodes=9&x=x4&y=x1"


def of(unit, text, twin, true, never, tell=said):
    return Kind(PAGE + unit, text, tell, twin, true, never)


ROWS = [
    of("details.py::alt_of", "the regions of {classes}.", regions,
       (*TREES, FAR, ADA[0], f"{SMALL}&m=mcdf"), "data=digits&m=cart&pixels=path"),
    of("forest_words.py::ensemble_words", "400 by 400", on_a_grid,
       tuple((key, False) for key in FORESTS), [("mcdf", True), ("remt", False)], explained),
    of("forest_words.py::ensemble_words", "The monotone function halfway", enveloped, ENVELOPES,
       [ADA[0], TREES[2]]),
    of("page.py::_tint_note", "The tint shows the class only", of_no_majority, PALE,
       [TREES[0] + TINT, FAR, MACHINES[0]]),
    of("details.py::plane_words", "rows are drawn", drawn(5000), MANY, TREES[0]),
    of("details.py::slice_words", "A ring marks a row", ringed,
       ("data=wine&m=cart", "data=iris&m=cart&m2=c45", "data=iris&m=svm_tree"),
       "data=moons&m=cart", of_models.sliced),
    of("search.py::search_panel", "does not search", no_search,
       (f"data=moons&n_samples=60&m=cart{SEARCHED}", f"{SMALL}&m=mcdf{SEARCHED}",
        f"data=iris&m=c45{SEARCHED}"), f"{SEARCH}&move=2"),
    of("search.py::search_panel", "with the hyperplane of move", hyperplane,
       (f"{SEARCH}&move=2", f"{SEARCH}&node=2&move=1", f"{SEARCH}&move=2&seed=2"), TREES[0]),
    of("details.py::formula", "Rows without a value", of_the_known, GAPS, [(1, 0.0), PRICE[0]],
       told),
    of("details.py::formula", "Less the price", by_ratio(priced=True), PRICE,
       [*NO_PRICE, TREES[0]], told),
    of("details.py::formula", "Divided by the split", by_ratio(priced=False), NO_PRICE,
       [PRICE[0], TREES[0]], told),
    of("details.py::formula", "The split has", other_score, OTHER, [PRICE[0], TREES[0]], told),
    of("details.py::formula", "This split was raised", raised, RAISED, [PRICE[0], TREES[0]], told),
    of("details.py::_machine", "At the picked node: {n} support", of_machine, MACHINES, TREES[0],
       told),
    of("details.py::_machine", "This SVM stopped", stopped, UNFINISHED, MACHINES[0], told),
    of("regression.py::_notes", "An exact slice", sliced_numbers,
       (FRIEDMAN, "data=friedman&x=x1&y=x1", *(f"{FRIEDMAN}&at={row}" for row in (1, 40))), SINE),
    of("regression.py::_notes", "rows are drawn", drawn(3000),
       tuple(f"{SINE}&n_samples={n}&r.max_leaf_nodes=6" for n in (5100, 6000, 7000)), SINE),
    of("regression.py::_chart", "the tree has", predicted_numbers,
       (SINE, FRIEDMAN, "data=friedman&x=x1&y=x1&r.max_leaf_nodes=5"), TREES[0]),
    of("page.py::scene_report_of", "once the models are trained", waits,
       (("data=iris&m=cart", True), ("data=moons&m=cart&m2=c45", True), ("data=wine&m=c45", True)),
       [("data=iris&m=cart", False), ("data=iris&m=remt", False)], reported),
]  # fmt: skip
