"""Could it be better?: the tree beside the best one, the split beside the best trees below it.

Nothing of it is worked out before the fold is open.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from lastviz.estimators import REFEREE, TreeClassifier, entry_of
from lastviz.inspection import Lookahead, RootPrices, baseline, price_of_root, scores
from lastviz.plots import CandidateCurves, Strip, feature_strips_plot, number
from lastviz.splitters.optimal.exact_search import MOST_WORK
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import ahead
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.shared.headline import majority, right_words
from lastviz.ui.shared.job_box import box_of_fold, proof_words, result_or_reason
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.widgets import bound
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.state.selection import MAX_MODELS, with_param
from lastviz.ui.text import paragraph, percent, plain, t

from .scene import SplitScene
from .threshold import pick_candidate

# Depth -> rows x features squared up to which the search takes less than a tenth of a second.
AT_ONCE = {1: 100_000, 2: 100_000, 3: 35_000, 4: 1_700}
LEAST_SHARE = 0.25  # of the training rows; growth that ends for fewer is as usual
MOST_CURVES = 6


def better(work: Work, scene: SplitScene | None) -> None:
    """Draw the fold; `scene` has the candidates where thresholds are searched."""
    box = bound(st.expander, "better", t("Could it be better?"))
    if not box.open:
        return
    with box:
        parts = []
        if not work.first.chosen.alone:  # a tree of a forest has learnt from other rows
            parts.append(_or_progress("other_trees", partial(other_trees, work)))
        if scene is not None and scene.n_candidates and not scene.is_pure:
            parts.append(_or_progress("ahead", partial(trees_below, scene)))
        if not any(part or part is None for part in parts):
            st.caption(t("Nothing better is known. Trees of thresholds, down to depth four, are "
                         "compared with the best ones where no value is missing and every row "
                         "counts once."))  # fmt: skip


def _or_progress(place: str, ask: Callable[[], object]) -> object:
    return result_or_reason(ask, place, box_of_fold, st.caption)


# ---- The whole tree: beside the best one of its depth, and the one that did not stop early


# Returns whether there are any other trees.
def other_trees(work: Work) -> bool:
    """Draw the first model beside other trees and the baseline."""
    best, stopped, others, is_long = best_tree(work), other_setting(work), {}, False
    if best is not None:
        depth, divided = work.first.tree.max_depth, work.first.division
        size = len(divided.train_rows) * divided.values.shape[1] ** 2
        is_refused = size > MOST_WORK.get(depth, size)
        is_long = size > AT_ONCE[depth] and not is_refused and best.begun() is None
        if not is_long and _or_progress("best_tree", lambda: best.fitted) is not None:
            others[t("best tree of depth {depth}", depth=depth)] = best
    if stopped is not None:
        there, label, words = stopped
        others[t("with the other choice under “{label}”", label=label)] = there
        st.markdown(plain(words))
    is_known = best is not None and best in others.values()
    if others:
        st.dataframe(trees_beside(work, others), hide_index=True, key="trees_beside")
        proof = proof_words(best) if is_known else ""
        caution = t("Fewer training errors need not mean fewer errors on new rows.")
        st.caption(plain(f"{proof} {caution}".strip()))
    with st.container(horizontal=True):
        if is_long:
            label = t("Search for the best tree of depth {depth}", depth=depth)
            st.button(label, key="search_best", on_click=best.begin)
        if is_known and best.chosen not in work.selection.models:
            own, *rest = work.selection.models
            show = partial(session.select, models=(own, best.chosen, *rest)[:MAX_MODELS])
            st.button(t("Show the best tree"), key="show_best", on_click=show)
        if stopped is not None:
            grow = partial(session.select_model, 0, params=there.chosen.params)
            st.button(t("Grow with the other setting"), key="take_other", on_click=grow)
    return best is not None or stopped is not None


def best_tree(work: Work) -> ModelWork | None:
    """Best tree of the depth of the first model's.

    None where that model errs on no training row, and where it is no tree of thresholds or so
    deep that the best one cannot be searched.
    """
    estimator, divided = work.first.estimator, work.first.division
    if not isinstance(estimator, TreeClassifier) or isinstance(estimator, REFEREE.cls):
        return None
    tree, rows = estimator.tree_, divided.train_rows
    by_thresholds = not (len(tree.oblique.weights) or len(tree.kernel))
    weighed = work.dataset.weights is not None
    if weighed or not (by_thresholds and divided.is_plain and tree.max_depth in AT_ONCE):
        return None
    if np.array_equal(tree.predict(divided.values[rows]), divided.y[rows]):
        return None
    (depth,) = (param for param in REFEREE.cls.PARAMS if param.name == "max_depth")
    params = with_param((), depth, tree.max_depth)
    return work.change_model(0, key=REFEREE.key, params=params).first


def other_setting(work: Work) -> tuple[ModelWork, str, str] | None:
    """The first model with the other value of the parameter that ended growth early.

    With what the parameter is called, and a sentence that says so; None where none ended it or
    the other tree is right about no more rows.
    """
    estimator = work.first.estimator
    found = estimator.alternative() if isinstance(estimator, TreeClassifier) else None
    divided, model = work.first.division, work.first.chosen
    share = 0.0 if found is None else found.n_samples / len(divided.train_rows)
    if share < LEAST_SHARE:
        return None
    declared = entry_of(model.key).cls.PARAMS
    (param,) = (param for param in declared if param.name == found.param)
    there = work.change_model(0, params=with_param(model.params, param, found.value)).first
    rows = divided.held_out_rows if len(divided.held_out_rows) else divided.train_rows
    trees = (estimator.tree_, there.tree)
    X, y = divided.values[rows], divided.y[rows]
    own, other = (np.count_nonzero(tree.predict(X) == y) for tree in trees)
    if other <= own:
        return None
    words = t(
        "{title} stopped early for {share} % of the training rows: “{reason}”",
        title=t(entry_of(model.key).title), share=percent(share),
        reason=t(found.reason.sentence),
    )  # fmt: skip
    return there, t(param.label), words


# It has the nodes and the errors, also on held-out rows. The other trees are given by name.
def trees_beside(work: Work, others: dict[str, ModelWork]) -> pd.DataFrame:
    """Table of the first model, other trees and the baseline."""
    divided, dataset = work.first.division, work.dataset
    parts, rows = (divided.train_rows, divided.held_out_rows), []
    for name, there in {t("this tree"): work.first, **others}.items():
        tree = there.tree
        predicted = tree.predict(divided.values)
        both = [scores(divided.y[part], predicted[part], dataset.n_classes) for part in parts]
        rows.append((name, tree.n_nodes, *both))
    training = rows[0][2]
    name = t("always {name}", name=class_names_of(dataset)[majority(training)])
    rows.append((name, 1, *(baseline(training, part) for part in rows[0][2:])))
    table = pd.DataFrame({
        t("tree"): [name for name, *_ in rows],
        t("nodes"): [n_nodes for _, n_nodes, *_ in rows],
        t("training errors"): [part.n_wrong for *_, part, _ in rows],
    })  # fmt: skip
    if len(divided.held_out_rows):
        table[t("held-out rows classified correctly")] = [
            right_words(part, is_new=True) for *_, part in rows
        ]
    return table


# ---- The node: the best trees of two and three levels, with each candidate first


def trees_below(scene: SplitScene) -> bool:
    """Draw the errors of the best trees below the node, in total and by first split."""
    here = scene.at.table_key, scene.values, scene.y, scene.rows, len(scene.table.counts)
    two = ahead.levels_ahead(*here)
    three, notes = _or_progress("three_levels", partial(ahead.prices_of, *here)), []
    st.markdown(f"**{t('The best trees of two and three levels below this node')}**")
    st.dataframe(levels_table(scene, two, three), hide_index=True, key="levels")
    st.markdown(paragraph([*words_of_two(two), *words_of_three(three)]))
    curves(scene, (two if three is None else three).errors, 2 if three is None else 3)
    if three is not None and np.isnan(three.errors).any():
        notes.append(t("Not drawn: roots below which every tree makes more than {most} errors.",
                       most=number(three.most)))  # fmt: skip
    read = t("Outward means fewer errors. Solid: the chosen split; dashed: the best root.")
    st.caption(plain(paragraph([read, *notes])))
    return True


# The chosen split has the best tree below it. A line has two or three levels.
def levels_table(scene: SplitScene, two: Lookahead, three: RootPrices | None) -> pd.DataFrame:
    """Errors of the node's rows: as a leaf, greedy, with the chosen split, at best."""
    rows = []
    for levels, found in ((2, two), (3, three)):
        if found is None:
            continue
        best = int(np.nanargmin(found.errors))
        own = np.nan if scene.chosen is None else found.errors[scene.chosen]
        if levels == 3 and scene.chosen is not None and np.isnan(own):
            split = scene.table.feature[scene.chosen], scene.table.threshold[scene.chosen]
            own = price_of_root(scene.values, scene.y, scene.rows, len(scene.table.counts), *split)
        first = scene.axis_names[scene.table.feature[best]]
        rows.append({
            t("levels"): levels,
            t("errors as a leaf"): number(found.leaf_errors),
            t("greedy, by Gini"): number(found.greedy.errors) if levels == 2 else "–",
            t("chosen split, best tree below"): "–" if np.isnan(own) else number(int(own)),
            t("best tree"): number(int(found.errors[best])),
            t("its first split"): f"{first} ≤ {scene.threshold_words(best)}",
        })  # fmt: skip
    return pd.DataFrame(rows)


def words_of_two(found: Lookahead) -> list[str]:
    """Errors that greedy search costs within two levels, at the children and the root."""
    words = [t(
        "Training errors that greedy search costs here: **{n}**, of them {children} at the "
        "children and {root} at the root.",
        n=number(found.greedy.errors - found.best.errors),
        children=number(found.greedy.errors - found.greedy_root.errors),
        root=number(found.greedy_root.errors - found.best.errors),
    )]  # fmt: skip
    if not found.exact:
        words.append(t(
            "Only the {n} features with the fewest errors after one split were searched: the best "
            "tree over all features may make fewer.",
            n=number(len(found.features)),
        ))  # fmt: skip
    return words


def words_of_three(found: RootPrices | None) -> list[str]:
    """Number of roots that are as good as the best one, or nearly so."""
    return [] if found is None else [t(
        "{ties} of {n} roots reach the fewest errors, {close} come within 1 % of them, {near} stay "
        "at or below {most}.",
        ties=number(found.n_within(found.fewest)), n=number(len(found.errors)),
        close=number(found.n_within(found.close)),
        near=number(found.n_within(found.near)), most=number(found.near),
    )]  # fmt: skip


# The best features are those with the fewest errors.
def curves(scene: SplitScene, errors: np.ndarray, levels: int) -> None:
    """Draw errors along the thresholds of the best features; a click picks one."""
    feature, best = scene.table.feature, int(np.nanargmin(errors))
    fewest = {
        f: np.nanmin(errors[feature == f]) for f in np.unique(feature[~np.isnan(errors)]).tolist()
    }
    figure = feature_strips_plot(
        CandidateCurves(feature, scene.table.threshold, scene.names, scene.chosen, best),
        [Strip(t("fewest errors, {n} levels", n=number(levels)), -errors)],
        sorted(fewest, key=lambda f: (fewest[f], f))[:MOST_CURVES],
        theme=scene.at.theme,
    )
    figure.about(f"{scene.at.table_key}|ahead")
    chart(
        figure,
        key="ahead",
        height=figure.height,
        alt=t("Fewest training errors of a tree of {n} levels along the thresholds of its root",
              n=number(levels)),
        on_click=partial(pick_candidate, scene, figure),
        filename="ahead",
    )  # fmt: skip
