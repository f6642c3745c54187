"""Statements about the tree of the page *rules*: what is drawn, closed, poured through, listed."""

from functools import cache
from unittest.mock import MagicMock, patch

import numpy as np

from lastviz.plots import number
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.row import _fields
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.rules.tree import tree_notes
from tests.sentences.of_boundaries import TITLES, walk
from tests.sentences.of_rules import decides, list_words, names_of, wrong_rows
from tests.sentences.pages import on_page
from tests.sentences.rows import Kind, Look, count, percent, selected

RULES = "ui/rules/"
page = on_page("rules")
PARTS = {"training": "training", "held_out": "held-out", "new": "new"}


# What the pictures show


def rows_of(link):
    look = Look(link)
    part = look.selection.rules.rows_of
    rows = look.held if part == "held_out" else look.train
    kind = PARTS["held_out" if part == "held_out" else "training"]
    return look, count(len(rows), f"{kind} row", f"{kind} rows")


def tree_shown(link):
    """The picture of the tree."""
    if link is None:
        return []
    look, rows = rows_of(link)
    leaves = sum(not n for n in look.tree.n_children)
    about = {"title": TITLES[look.selection.models[0].key], "rows": rows}
    return [about | {"n": count(leaves, "rule", "rules")}]


def on_axes(link):
    """The first two features that the tests above a node ask for, else those of the plane."""
    look = Look(link)
    node, asked = look.selection.models[0].node, []
    if node is None and look.selection.view.highlighted is not None:
        node = look.leaf(look.values[look.selection.view.highlighted])
    if node is None:
        return []
    while node:
        node = int(look.tree.parent[node])
        asked.append(look.tree.feature_names[look.tree.feature[node]])
    first = list(dict.fromkeys([*list(dict.fromkeys(asked[::-1]))[:2], *look.selection.view.axes]))
    return [{"x": first[0], "y": first[1]}]


def of_sample(link):
    """The classes of the training rows in the leaf of the row, most frequent first."""
    look = Look(link)
    row = look.selection.view.highlighted
    if row is None or selected(link).rules.rule_view not in ("rules", "row"):
        return []
    leaf = look.leaf(look.values[row])
    counts = np.bincount(look.y[look.train][look.leaves[look.train] == leaf], minlength=9)
    order = [k for k in sorted(range(9), key=lambda k: -counts[k]) if counts[k]]
    share = [f"{names_of(look)[k]} {percent(counts[k] / sum(counts))} %" for k in order]
    return [{"shares": ", ".join(share)}]


# What is closed, and what is drawn with which rows


def noted(link):
    return tree_notes(rule_scene(Work(selected(link)), "light", new_rows(link)))


@cache
def new_rows(link):
    """Every third row as a file of new ones, where the link asks for new rows."""
    if "rows_of=new" not in link:
        return None
    dataset = Work(selected(link)).data.dataset
    table = dataset.X.assign(**{dataset.y.name: dataset.y}).iloc[::3]
    return table.to_csv(index=False).encode(), "new.csv"


@cache
def opened_nodes(link):
    """Nodes that show their children: those of enough rows, and the root."""
    look = Look(link)
    tree, least = look.tree, look.selection.rules.least or 0
    inner = [node for node in range(len(tree.feature)) if tree.n_children[node]]
    rows = {node: sum(look.leaf_is_below(node, i) for i in look.train) for node in inner}
    return look, [node for node in inner if rows[node] >= least or not node], rows


def ends_of(link):
    """The leaves that are drawn, and the nodes that are drawn as closed ones."""
    look, opened, rows = opened_nodes(link)
    shown = [n for n in range(1, len(look.tree.feature)) if look.tree.parent[n] in opened]
    closed = [node for node in shown if node in rows and node not in opened]
    return look, [n for n in shown if n not in rows], closed


def closes(link):
    _, opened, rows = opened_nodes(link)
    if len(opened) == len(rows):
        return []
    return [{"rows": number(min(rows[node] for node in opened))}]


def some_closed(link):
    look, leaves, closed = ends_of(link)
    whole = sum(not n for n in look.tree.n_children)
    return [{"whole": number(len(leaves)), "all": number(whole)}] if closed else []


def poured(link):
    look = Look(link)
    part = look.selection.rules.rows_of
    if part == "training":
        return []
    n = len(look.held) if part == "held_out" else -(-len(look.y) // 3)
    return [{"rows": count(n, f"{PARTS[part]} row", f"{PARTS[part]} rows")}]


def asks_for_file(link):
    return [{}] if "rows_of=new" in link else []


def enveloped(link):
    return [{}] if Look(link).estimator.get_params().get("monotone") else []


# Lists that are cut


def many_wrong(link):
    return [{"n": number(200)}] if len(wrong_rows(link)[1]) > 200 else []


def long_list(link):
    n = sum(not n for n in Look(link).tree.n_children)
    return [{"n": number(500)}] if n > 500 else []


def fields(link):
    selection = selected(link)
    with (
        patch("lastviz.ui.rules.row.st", MagicMock()) as st,
        patch("lastviz.ui.rules.row.put"),
    ):
        _fields(Work(selection), Work(selection).first.division)
        return [call.args[0] for call in st.caption.call_args_list]


def asked_least(link):
    tree = Look(link).tree
    asked = set(tree.feature[tree.n_children > 0].tolist())
    return [{"n": number(len(asked) - 40)}] if len(asked) > 40 else []


# The tree that is most like its forest


def like_the_forest(link):
    look = Look(link)
    trees = getattr(look.estimator, "estimators_", [])
    if not trees or selected(link).rules.rule_view != "rules":
        return []
    label = look.estimator.predict_codes(look.values)
    shares = [
        np.mean([each.tree_.prediction[walk(each.tree_, x)] == k
                 for x, k in zip(look.values, label, strict=True)])
        for each in trees
    ]  # fmt: skip
    best = int(np.argmax(shares))
    return [{"n": best + 1, "share": percent(shares[best]), "least": percent(min(shares))}]


VIEW = "&rule_view=rules"
SHORT = "data=iris&m=cart&rule_view=short"
PLAIN = tuple(
    f"data={data}{VIEW}"
    for data in ("iris&m=cart", "wine&m=c45&rows_of=held_out", "moons&n_samples=80&m=cart&lit=3")
)
LINKED = tuple(f"{link}&drawing=node-link" for link in PLAIN)
PICKED = (
    f"data=iris&m=cart&lit=60&x=sepal+length&y=sepal+width{VIEW}",
    f"data=wine&m=cart&node=2&x=ash&y=hue{VIEW}",
    f"data=iris&m=cart&node=1&x=sepal+length&y=sepal+width{VIEW}",
)
SAMPLES = tuple(f"data=iris&m=cart&m.max_depth=2&lit={row}{VIEW}" for row in (1, 60, 120))
LARGE = tuple(
    f"data={data}&m=cart{VIEW}"
    for data in ("moons&noise=0.4&n_samples=400", "gauss_2d&n_samples=300", "digits&m.max_depth=6")
)
CLOSED = tuple(f"{link}&least={n}" for link, n in zip(LARGE, (20, 30, 60), strict=True))
ICICLES = tuple(f"{link}&drawing=icicle" for link in CLOSED)
NODES = tuple(f"{link}&drawing=node-link" for link in CLOSED)
HELD = tuple(f"data={data}&m=cart{VIEW}&rows_of=held_out" for data in ("iris", "wine", "moons"))
NEW = tuple(f"data={data}&m=cart{VIEW}&rows_of=new" for data in ("iris", "wine", "moons"))
ENVELOPES = tuple(
    f"data=monotone&n_samples=60&m=remt&m.monotone=true&seed={seed}" for seed in (1, 2, 3)
)
WRONG = tuple(
    f"data={data}&m=cart&m.max_depth=1{VIEW}"
    for data in ("digits", "gauss_2d", "waveform&n_samples=900")
)
LONG = tuple(
    f"data={data}&m=cart{VIEW}"
    for data in ("gauss_2d", "moons&noise=0.8&n_samples=3000", "xor&noise=0.6&n_samples=3000")
)
FORESTS = tuple(f"data=monotone&n_samples=60&m={more}{VIEW}"
                for more in ("mcdf", "adaboost_m1", "mcdf&seed=2"))  # fmt: skip


def seen(link):
    return page(link) if link else []


def of(unit, text, tell, twin, true, never):
    return Kind(RULES + unit, text, tell, twin, true, never)


HEAD = "tree.py::"
ROWS = [
    of(f"{HEAD}tree_alt", "from left to right", seen, tree_shown, (*PLAIN[1:], LINKED[0]), None),
    of("tree.py::_rule_rows", "all others grey", page, on_axes, PICKED, PLAIN[0]),
    of("tree.py::details", "Class supports of the sample", page, of_sample, SAMPLES,
       PLAIN[0]),
    of(f"{HEAD}closed_note", "Nodes with fewer than", noted, closes,
       (CLOSED[0], ICICLES[1], NODES[2]), LARGE[0]),
    of(f"{HEAD}closed_note", "are drawn individually", noted, some_closed,
       (f"{PLAIN[0]}&least=10", *CLOSED[:2]), PLAIN[0]),
    of(f"{HEAD}part_note", "Drawn with the", noted, poured, (*HELD[:2], NEW[2]), PLAIN[0]),
    of("scene.py::_new_rows", "Upload a file", page, asks_for_file, NEW, HELD[0]),
    Kind("ui/shared/model_view.py::envelope_words", "Its monotone envelope", decides, enveloped,
       ENVELOPES,
       f"data=monotone&n_samples=60&m=remt{VIEW}"),
    of("tables.py::_first_listed", "are listed; all", page, many_wrong, WRONG, PLAIN[0]),
    of("tables.py::_first_listed", "The first {n} are listed", list_words, long_list, LONG,
       PLAIN[0]),
    of("row.py::_fields", "it asks for least", fields, asked_least,
       tuple(f"data=digits&m=cart&lit=3&seed={seed}" for seed in (2, 3, 7)), PLAIN[2]),
    of("tables.py::_representative", "is most like the forest", page, like_the_forest, FORESTS,
       PLAIN[0]),
]  # fmt: skip
