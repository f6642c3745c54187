"""The sentence that a page opens with: true, and the title of its slide and its report."""

import re
from html import unescape
from math import log2

import numpy as np
import pytest

from lastviz.plots.visuals.words import plain_text
from lastviz.ui.compute.work import Work
from lastviz.ui.pruning.scene import pruning_scene
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.page_file import live_page, page_of, ready_scene, reports
from lastviz.ui.state import session
from lastviz.ui.state.quiz_codes import Slide
from lastviz.ui.story.rendering import PICTURED, ready_slide, render
from lastviz.ui.textbook.scene import book_table
from tests.sentences.rows import Look, selected

from .conftest import html, sampled
from .opened_pages import seen, stories

NAMES = {"cart": "CART", "oc1": "OC1", "c45": "C4.5", "gsodt": "GSODT"}


def right(look, rows):
    """How many rows a walk from node to node gives their class."""
    return sum(look.class_at(look.values[i]) == look.y[i] for i in rows)


def of_models(query):
    """Held-out rows that each model gets right, the best first, and the largest class."""
    chosen = selected(query).models
    looks = [Look(query, place) for place in range(len(chosen))]
    names = [NAMES[model.key] for model in chosen]
    first = looks[0]
    found = sorted(
        ((-right(look, look.held), place) for place, look in enumerate(looks)),
    )
    counts = [sum(first.y[i] == k for i in first.train) for k in set(first.y.tolist())]
    largest = counts.index(max(counts))
    name = class_names_of(Work(selected(query)).dataset)[largest]
    (best, place), *others = found
    behind = " and ".join(f"{names[i]}: {-n}" for n, i in others)
    always = sum(first.y[i] == largest for i in first.held)
    return (
        f"{names[place]} classifies {-best} of {len(first.held)} held-out rows correctly"
        f"{f' ({behind})' if behind else ''}; always predicting {name}: {always} of "
        f"{len(first.held)}."
    )


def of_data(query):
    data = Work(selected(query)).dataset
    if data.is_regression:
        y = data.y.tolist()
        ends = [f"{each:.3g}" for each in (min(y), max(y), sum(y) / len(y))]
        return "{} rows with {} features; {} lies between {} and {}, its mean is {}.".format(
            len(y), len(data.X.columns), data.y.name, *ends
        )
    counts = {}
    for name in (class_names_of(data)[code] for code in data.codes):
        counts[name] = counts.get(name, 0) + 1
    most = max(class_names_of(data), key=counts.__getitem__)
    return (
        f"{len(data.y)} rows in {len(counts)} classes, with {len(data.X.columns)} features; the "
        f"most frequent class, {most}, has {counts[most]} of them."
    )


def of_numbers(query):
    look = Look(query.replace("m=cart", ""))
    y, mean = look.y, sum(look.y[i] for i in look.train) / len(look.train)
    errors = [look.tree.prediction[look.leaf(look.values[i])] - y[i] for i in look.held]
    roots = [np.sqrt(sum(e * e for e in each) / len(look.held))
             for each in (errors, [y[i] - mean for i in look.held])]  # fmt: skip
    return (
        f"The root mean square error of CART for numbers is {roots[0]:.3g} on {len(look.held)} "
        f"held-out rows; always predicting the mean, {mean:.3g}: {roots[1]:.3g}."
    )


def of_split(query):
    """Rows of the node that are not of the largest class, there and on both sides."""
    look, node = Look(query), selected(query).models[0].node or 0
    tree, names = look.tree, class_names_of(Work(selected(query)).dataset)

    def wrong(at):
        rows = [look.y[i] for i in look.train if at in tree.path(look.leaf(look.values[i]))]
        return len(rows), len(rows) - max((rows.count(k) for k in set(rows)), default=0)

    n, before = wrong(node)
    if tree.is_leaf(node):
        name = names[tree.prediction[node]]
        return f"Node {node} is a leaf: {n - before} of its {n} training rows are {name}."
    after = sum(wrong(child)[1] for child in tree.children(node))
    return (
        f", node {node} gets {after} of its {n} training rows wrong; as a leaf, it gets {before} "
        "wrong."
    )


def of_pruning(query):
    scene = pruning_scene(Work(selected(query)), "light")
    grown, left = scene.tree, scene.trees.pruned(scene.at)
    held = scene.division.held_out_rows
    rows, kind = (held, "held-out") if len(held) else (scene.division.train_rows, "training")
    after, before = (
        sum(int(tree.predict(scene.division.values[[i]])[0]) != scene.division.y[i] for i in rows)
        for tree in (left, grown)
    )
    if left.n_leaves == grown.n_leaves:
        return f"Nothing is cut: with {grown.n_leaves} leaves, the tree gets {after} of {len(rows)}"
    return (
        f"Cut back to {left.n_leaves} of {grown.n_leaves} leaves, the tree gets {after} of "
        f"{len(rows)} {kind} rows wrong; before, {before}."
    )


def of_pairs(query):
    data = Work(selected(query)).dataset
    X, y = data.numeric_X.to_numpy().tolist(), data.codes.tolist()
    comparable, wrong, lower = 0, 0, set()
    for i, below in enumerate(X):
        for j, above in enumerate(X):
            if i != j and all(a <= b for a, b in zip(below, above, strict=True)):
                comparable += below != above or i < j
                if y[j] < y[i]:
                    wrong += 1
                    lower.add(i)
    return (
        f"{wrong} of {comparable:,} comparable pairs contradict each other: {len(lower)} of "
        f"{len(y)} rows have a row above them that is lower in class."
    )


def of_audit(query):
    look = Look(query)
    assert look.selection.models[0].key == "cart"
    return "CART is not monotone: "


def of_root(query):
    table = book_table()
    labels = table.labels.tolist()

    def entropy(codes):
        return -sum(
            codes.count(k) / len(codes) * log2(codes.count(k) / len(codes)) for k in set(codes)
        )

    return f"; the entropy of the {len(labels)} rows is {entropy(labels):.6f} bits."


def of_row(query):
    look = Look(query)
    i = selected(query).view.highlighted
    names = class_names_of(Work(selected(query)).dataset)
    part = "held out" if i in look.held else "training"
    given, true = names[look.class_at(look.values[i])], names[look.y[i]]
    return f"Row {i + 1} ({part}) is predicted {given}, by rule ", f"; its class is {true}."


def of_tree(query):
    look = Look(query)
    return f"({right(look, look.held)} of {len(look.held)}; 95 % interval"


def nothing(query):
    return ""


MONOTONE = "data=monotone&n_samples=60&label_noise=0.1&m=cart"
VIEWS = [  # page, scene, words that are in the sentence, worked out slowly
    ("data", "data=moons", of_data),
    ("data", "data=loan", of_data),
    ("data", "data=friedman", of_data),
    ("boundaries", "data=moons&m=cart", of_models),
    ("boundaries", "data=moons&m=cart&m2=oc1&detail=differ", of_models),
    ("boundaries", "data=moons&m=cart&node=1&tint=certainty", of_models),
    ("boundaries", "data=friedman", of_numbers),
    ("growth", "data=moons&m=cart", nothing),
    ("growth", "data=moons&m=cart&step=3", nothing),
    ("splits", "data=xor&m=cart", of_split),
    ("splits", "data=xor&m=cart&node=1", of_split),
    ("splits", "data=iris&m=cart&node=1", of_split),
    ("splits", "data=iris&m=c45&node=2", of_split),
    ("latent", "data=iris&m=gsodt", nothing),
    ("latent", "data=iris&m=gsodt&node=1", nothing),
    ("rules", "data=breast_cancer&m=c45", of_tree),
    ("rules", "data=breast_cancer&m=c45&rule_view=rules", of_tree),
    ("rules", "data=breast_cancer&m=c45&rule_view=row&lit=21", of_row),
    ("rules", "data=breast_cancer&m=c45&group_by=3", of_tree),
    ("pruning", "data=iris&m=cart", of_pruning),
    ("pruning", "data=iris&m=cart&held=0", of_pruning),
    ("pruning", "data=iris&m=cart&cut_at=0", of_pruning),
    ("monotone", MONOTONE, of_pairs),
    ("monotone", f"{MONOTONE}&part=short", of_audit),
    ("monotone", f"{MONOTONE}&part=audit", of_audit),
    *(("textbook", f"lesson={part}", of_root) for part in ("gain", "ratio", "gini", "tree")),
    ("textbook", "lesson=squares", nothing),
    ("papers", "paper_table=svm_tree1", nothing),
    ("compare", "study=example", nothing),
]  # fmt: skip
# What the slider of a file moves says its sentence below the slider, which it moves along.
ALWAYS = [f"{page} {query}" for page, query, _ in VIEWS[:1]]


def page_title(app, page):
    """The first sentence of a page, as it is read."""
    if page == "growth":
        (story,) = stories(app).values()
        return plain_text(story["steps"][story["begins"]][2])
    (text,) = re.findall(r'<p class="lv-(?:say|judged)[^>]*>(.*?)</p>', html(app), re.S)[:1]
    return " ".join(unescape(re.sub(r"<[^>]+>", "", text)).split())


def read(content):
    return " ".join(unescape(re.sub(r"</?\w[^<>]*>", "", content)).split())


@pytest.mark.parametrize("name", sampled([f"{page} {query}" for page, query, _ in VIEWS], ALWAYS))
def test_the_sentence_of_a_view_is_true_and_the_title_of_what_leaves(monkeypatch, name):
    page, query = name.split(" ")
    (found,) = (slow for *where, slow in VIEWS if where == [page, query])
    app = seen(page, **dict(part.split("=", 1) for part in query.split("&")))
    sentence, selection = page_title(app, page), app.session_state["selection"]
    parts = found(query)
    for part in [parts] if isinstance(parts, str) else parts:
        assert part in sentence
    module, work = PICTURED[page], Work(selection)
    ready = ready_scene(work, page, module, (), {}, own_files=True)
    title = ready.slide.title
    assert title
    assert sentence.startswith(title)
    assert ready.slide.question == module.QUESTION
    assert title in read(page_of([ready.slide], "a", turns=True))
    assert title in read(live_page(work, page, module, None))
    if reports(work, module):
        monkeypatch.setattr(session, "current", lambda: selection)
        monkeypatch.setattr("lastviz.ui.compute.work.session.current", lambda: selection)
        (heading,) = re.findall("<h1>(.*?)</h1>", module.report(None), re.S)
        assert read(heading) == title


@pytest.mark.parametrize("name", sampled([f"{page} {query}" for page, query, _ in VIEWS], ALWAYS))
def test_a_story_and_the_command_show_the_view_of_the_page(name, tmp_path):
    page, query = name.split(" ")
    app = seen(page, **dict(part.split("=", 1) for part in query.split("&")))
    work, out = Work(app.session_state["selection"]), tmp_path / "scene.html"
    on_page = ready_scene(work, page, PICTURED[page], (), {}, own_files=True).slide
    in_story = ready_slide(Slide(page, query), None, own_files=True).slide
    render(f"{page}?{query}", {"html": out}, (1280, 720), "light", "en")
    saved = [page_of([slide], on_page.title, turns=True) for slide in (on_page, in_story)]
    saved = [
        re.sub(r"trained in [\d.]+ m?s", "", each) for each in [*saved, out.read_text("utf-8")]
    ]
    assert saved[0] == saved[1] == saved[2]
    strips = re.findall(r'<div class="lv-strip.*?</div></div>', html(app), re.S)
    first = [] if page == "compare" else strips[:1]  # that of its table is on the page alone
    for number in [each for strip in first for each in re.findall("<b>(.*?)</b>", strip)]:
        assert read(number) in read(saved[0])


def test_views_that_differ_leave_apart():
    """No two of the views of a page make the same slide."""
    for page in dict.fromkeys(page for page, *_ in VIEWS):
        queries = [query for where, query, _ in VIEWS if where == page]
        slides = set()
        for query in queries:
            ready = ready_scene(Work(selected(query)), page, PICTURED[page], (), {}, own_files=True)
            slides.add(page_of([ready.slide], "a", turns=True))
        assert len(slides) == len(queries), page
