"""The tree by hand on its page, in the browser, and on slides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from sys import float_info

import numpy as np

from lastviz._sentences import Statement
from lastviz.criteria import CRITERIA
from lastviz.estimators import entry_of
from lastviz.export.blocks import Block, Picture, Text, Words
from lastviz.plots import THEMES, flow_tree_plot, number, split_words
from lastviz.plots.visuals.words import numbers_of, plain_text
from lastviz.splitters import CategorySplit, Split
from lastviz.splitters.edits import ForcedSplit, MadeLeaf, path_of
from lastviz.tree import Kind
from lastviz.ui.components.acting import acting
from lastviz.ui.compute.work import current
from lastviz.ui.shared.edits import tell
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.headline import Say, class_sign, legend
from lastviz.ui.shared.job_box import wait_for
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state import session
from lastviz.ui.state.edit_codes import read_hand, read_path, write_hand, write_path
from lastviz.ui.text import CannotShow, join_names, plural, t

from .by_hand import (
    BEST,
    GO_ON,
    HandScene,
    ReferenceTree,
    cuts_of,
    edit_at,
    first_split,
    going_on,
    hand_work,
    nodes_by_hand,
    possible_edits,
    references,
    standing,
    with_leaf,
    with_split,
)

CURVE = 120  # points of the scores of all candidates
MOST_LISTED = 30  # rows of a table beside the tree
HEIGHT = 360  # pixels of the tree outside the page


def hand_finding(scene: HandScene, beside: Sequence[ReferenceTree]) -> tuple[Statement, ...]:
    """Errors of the tree by hand, and beside those of CART and the best possible tree."""
    wrong, n = scene.training.n_wrong, scene.training.n_samples
    if scene.edits and isinstance(scene.edits[0], MadeLeaf):
        return (
            Statement("One leaf: {wrong} of {n} rows are wrong.", wrong=wrong, n=n),
            Statement("Drag a feature onto it and ask your first question."),
        )
    known = {each.key: each for each in beside if each.training is not None}
    cart, best = known.get(GO_ON[0]), known.get(BEST)
    if cart is None:
        return (Statement("Your tree makes {n} error.", "Your tree makes {n} errors.", n=wrong),)
    other = cart.training.n_wrong
    first = (
        Statement("Your tree makes {n} error, as many as CART.",
                  "Your tree makes {n} errors, as many as CART.", n=wrong)
        if wrong == other else
        Statement("Your tree makes {n} error, CART {other}.",
                  "Your tree makes {n} errors, CART {other}.", n=wrong, other=other)
    )  # fmt: skip
    if best is None or not best.is_proved:
        return (first,)
    least, depth = best.training.n_wrong, scene.depth
    if wrong <= least:
        return first, Statement("No tree of depth {depth} makes fewer.", depth=depth)
    rest = Statement("The best possible tree of depth {depth} makes {n}.", depth=depth, n=least)
    return first, rest


# ---------------------------------------------------------------- the page


def hand_body(scene: HandScene) -> None:
    """Draw the tree by hand and the numbers beside it."""
    beside = references(scene.work, scene.depth)
    say = Say(*hand_finding(scene, beside), lead=True, is_announced=True)
    acting("hand_tree", payload(scene, beside, say.text), key="hand_tree", on_act=act)
    for each in beside:
        if each.working is not None:
            wait_for(each.working.job)


def act(event: dict) -> None:
    """Change the tree by hand as the reader did on the page."""
    model = hand_work(current()).first
    edits, path, division = model.chosen.edits, read_path(event["path"]), model.division
    name, (_, rows) = event["act"], nodes_by_hand(edits, model).get(path, (None, None))
    try:
        if name == "select":
            session.select(hand_at=path, hand=edits)
            return
        if name == "set":
            edits = read_hand(event["hand"])
        elif name == "adopt":
            session.select_model(0, key=model.chosen.key, params=model.chosen.params, edits=edits)
            session.select(growth_view="played")
            return
        elif rows is None:
            return  # it was told of a tree that another one has replaced meanwhile
        elif name == "leaf":
            edits = with_leaf(edits, path, event.get("says"))
        elif name == "go":
            edits = going_on(edits, path)
        elif name == "cut":
            split = Split(int(event["feature"]), float(event["threshold"]))
            edits = with_split(edits, path, split)
        elif name == "group":
            branch = np.ones(len(division.categories[int(event["feature"])]), dtype=np.intp)
            branch[[int(code) for code in event["first"]]] = 0
            edits = with_split(edits, path, CategorySplit(int(event["feature"]), branch))
        else:
            split = first_split(division, rows, int(event["feature"]))
            edits = with_split(with_leaf(edits, path), path, split)
    except CannotShow as reason:
        tell(str(reason))
        return
    session.select(hand=possible_edits(edits, model), hand_at=path)


# ---------------------------------------------------------------- for the browser


def payload(scene: HandScene, beside: Sequence[ReferenceTree], say: str) -> dict[str, object]:
    """Content of the component, for JSON."""
    model, tree = scene.model, scene.model.tree
    divided, look = model.division, THEMES[scene.theme]
    rows = np.concatenate([divided.train_rows, divided.held_out_rows])
    held = np.arange(len(rows)) >= len(divided.train_rows)
    names, weights = class_names_of(model.dataset), model.weights
    gaps = np.isnan(divided.values[rows])
    return {
        "hand": write_hand(scene.edits),
        "at": write_path(path_of(tree, scene.node.index)),
        "say": say,
        "columns": [
            {
                "name": str(name),
                "levels": None if known is None else [str(value) for value in known],
                "values": np.where(gaps[:, j], None, divided.values[rows, j]).tolist(),
            }
            for j, (name, known) in enumerate(
                zip(divided.X.columns, divided.categories, strict=True)
            )
        ],
        "y": divided.y[rows].tolist(),
        "held": held.astype(int).tolist(),
        "weights": None if weights is None else weights.tolist(),
        "row": (rows + 1).tolist() if len(rows) <= MOST_LISTED else None,
        "classes": [
            {"name": name, "hue": look.hue(k), "sign": class_sign(k, scene.theme)}
            for k, name in enumerate(names)
        ],
        "nodes": [_node(scene, node) for node in range(tree.n_nodes)],
        **_selected(scene),
        "beside": [_beside(each) for each in beside],
        "depth": scene.depth,
        "words": _words(scene),
    }


def _node(scene: HandScene, node: int) -> dict[str, object]:
    """A node as the browser draws it, its children by their numbers."""
    tree, path = scene.model.tree, path_of(scene.model.tree, node)
    edit, above = edit_at(scene.edits, path), edit_at(scene.edits, path[:-1])
    state = "grown"
    if isinstance(edit, ForcedSplit):
        state = "split"
    elif isinstance(edit, MadeLeaf):
        state = "open" if edit.says is None else "done"
    found = {
        "path": write_path(path),
        "state": state,
        "says": int(tree.prediction[node]),
        "children": list(map(int, tree.children(node))),
        "top": state == "grown" and (not path or isinstance(above, ForcedSplit)),
    }
    if tree.kind[node] == Kind.LEAF:
        return found
    found |= {"feature": int(tree.feature[node]), "test": plain_text(split_words(tree, node))}
    found["missing"] = int(tree.sent_missing[node])
    if tree.kind[node] == Kind.THRESHOLD:
        # An infinite one asks whether there is a value; JSON has no such number.
        return found | {"threshold": min(float(tree.threshold[node]), float_info.max)}
    return found | {"branch": tree.categories.branch[tree.split_row[node]].tolist()}


def _selected(scene: HandScene) -> dict[str, object]:
    """Cuts and standing of the split that is looked at."""
    node, cuts, place = scene.node, None, None
    if not isinstance(edit_at(scene.edits, node.path), ForcedSplit):
        return {"cuts": None, "standing": None}
    own, found = node.stored_split, standing(node)
    if isinstance(own, Split):
        steps = list(cuts_of(node, own.feature))
        shown = numbers_of(*[np.array([cut for cut, *_ in steps])] * 2)
        cuts = [
            (cut, text, None if math.isnan(score) else score, rank, missing)
            for (cut, score, rank, missing), text in zip(steps, shown, strict=True)
        ]
    if found is not None:
        n = len(found.scores)
        shown = np.unique(np.linspace(0, n - 1, min(n, CURVE)).astype(int)) if n else []
        place = {"score": found.score, "best": found.best, "rank": found.rank, "n": n,
                  "tied": found.n_tied > 1,
                  "curve": [[int(i), float(found.scores[i])] for i in shown]}  # fmt: skip
    return {"cuts": cuts, "standing": place}


def _beside(each: ReferenceTree) -> dict[str, object]:
    title = t("best possible") if each.key == BEST else t(entry_of(each.key).title)
    there = each.training is not None
    return {
        "key": each.key,
        "title": title,
        "training": each.training.n_wrong if there else None,
        "held": each.held_out.n_wrong if there and each.held_out else None,
        "proved": each.is_proved,
        "note": each.reason or (t("still searching") if each.working is not None else ""),
    }


def _words(scene: HandScene) -> dict[str, str]:
    """Words of the component; names in braces are filled in there."""
    return _words_of_tree(scene) | {
        "training": t("wrong, training"),
        "held": t("wrong, held out"),
        "of": t("of {n}", n="{n}"),
        "none": t("No rows are held out."),
        "confusion": t("Rows of each class (lines) by the class that the tree predicts (columns)"),
        "says": t("says"),
        "split": t("This split"),
        "score": t("score, {name}", name=t(CRITERIA[scene.model.estimator.criterion_column].title)),
        "rank": t("rank at this node"),
        "tied": t("(tied)"),
        "not": t("not admitted"),
        "best": t("The best candidate scores {best}; yours {share}% of it.", best="{best}",
                  share="{share}"),
        "top": t("No candidate of these rows scores more."),
        "errors": t("Errors at depth {n}", n=number(scene.depth)),
        "yours": t("yours"),
        "shown_training": t("training"),
        "shown_held": t("held out"),
        "at_most": t("at most {n}", n="{n}"),
    }  # fmt: skip


def _words_of_tree(scene: HandScene) -> dict[str, str]:
    """Words at the features, at the tree and at the node that is looked at."""
    algorithm = t(scene.model.entry.title)
    return {
        "features": t("Features"),
        "chip": t("Drag a feature onto a leaf, or press Enter on it, choose the leaf by arrow "
                  "keys, and press Enter again."),
        "number": t("number"),
        "values": t("{n} values", n="{n}"),
        "tree": t("Your tree"),
        "keys": t("On a leaf F finishes it; on a split Delete removes it; Control and Z undoes."),
        "undo": t("Undo"),
        "redo": t("Redo"),
        "yes": t("yes"),
        "no": t("no"),
        "wrong": t("{wrong} of {n} wrong", wrong="{wrong}", n="{n}"),
        "right": t("all {n} right", n="{n}"),
        "short": "{wrong}/{n}",
        "in": t("Drop {n} new rows", n="{n}"),
        "out": t("Take new rows out"),
        "newly": t("{wrong} of {n} new wrong", wrong="{wrong}", n="{n}"),
        "threshold": t("Threshold of {name}", name="{name}"),
        "cut": t("{test}: {yes} to yes, {no} to no, {wrong} wrong", test="{test}", yes="{yes}",
                 no="{no}", wrong="{wrong}"),
        "to_yes": t("goes to yes"),
        "to_no": t("goes to no"),
        "move": t("{value}: move to the other side", value="{value}"),
        "group": t("Drag a value to the other side, or click it."),
        "each": t("Each side needs at least one value."),
        "same": t("{name} cannot split this leaf: all its {n} values are the same.", name="{name}",
                  n="{n}"),
        "gaps": t("{n} of these rows have no value of {name}: they go to {side}.", n="{n}",
                  name="{name}", side="{side}"),
        "hidden": t("{n} rows lack a value here.", n="{n}"),
        "by": t("Split by"),
        "do": t("Split"),
        "pure": t("Pure: nothing is left to separate here."),
        "finish": t("Finish"),
        "reopen": t("Reopen"),
        "class": t("Predicts"),
        "go": t("Let {title} go on", title=algorithm),
        "grown": t("{title} went on from here.", title=algorithm),
        "hint": t("Hint"),
        "hide": t("Hide the hint"),
        "remove": t("Remove"),
        "adopt": t("Make it the first model"),
        "open": t("open leaf"),
        "done": t("finished leaf"),
        "plane": t("The rows by two features, with the threshold"),
        "row": t("row"),
    }  # fmt: skip


# ---------------------------------------------------------------- what leaves the page


def hand_blocks(scene: HandScene) -> list[Block]:
    """Sentence, comparison and tree of a slide or a page that is saved."""
    beside = references(scene.work, scene.depth)
    for each in beside:
        if each.working is not None:
            raise each.working
    tree, names = scene.model.tree, class_names_of(scene.model.dataset)
    figure = flow_tree_plot(
        tree,
        theme=scene.theme,
        height=HEIGHT,
        texts={node: split_words(tree, node) for node in np.flatnonzero(tree.n_children)},
        class_names=names,
        words=words(),
        selected=scene.node.index or None,
    )
    finding = Say(*hand_finding(scene, beside), lead=True)
    n_leaves = plural(tree.n_leaves, "{n} leaf", "{n} leaves")
    alt = t("A tree by hand with {leaves}, from left to right.", leaves=n_leaves)
    numbers = map(Text, comparison(scene, beside))
    return [finding, *numbers, Words(legend(names, scene.theme)), Picture(figure, alt)]


def comparison(scene: HandScene, beside: Sequence[ReferenceTree]) -> list[str]:
    """Errors of the tree by hand and of those that it is compared with, as sentences."""
    trees = [(t("yours"), scene.training, scene.held_out)]
    trees += [
        (_beside(each)["title"], each.training, each.held_out)
        for each in beside
        if each.training is not None and each.is_proved
    ]
    found = []
    for is_new in (False, True):
        parts = [(tree, held_out if is_new else training) for tree, training, held_out in trees]
        named = [t("{tree} {n}", tree=tree, n=number(part.n_wrong)) for tree, part in parts]
        if n := parts[0][1].n_samples:
            sentence = (
                "Wrong of {n} held-out rows at depth {depth}: {trees}."
                if is_new
                else "Wrong of {n} training rows at depth {depth}: {trees}."
            )
            values = {"n": number(n), "depth": number(scene.depth)}
            found.append(t(sentence, trees=join_names(named), **values))
    return found
