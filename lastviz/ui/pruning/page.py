"""The page *pruning*: curve, before and after, the tree with removed parts, the decisions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from lastviz.estimators import ESTIMATORS, entry_of
from lastviz.export.blocks import Columns, Text, Words
from lastviz.host.jobs import Working
from lastviz.inspection import PrunedTrees
from lastviz.plots import ThemeName
from lastviz.pruning import PRUNERS
from lastviz.ui.components.frames import Frame
from lastviz.ui.compute import pruning
from lastviz.ui.compute.availability import obstacle
from lastviz.ui.compute.work import Work, current
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.blocks import (
    PAGE,
    REPORT,
    SLIDE,
    Block,
    Chart,
    Controls,
    Detail,
    NumbersTable,
    Only,
    WhenSeen,
    draw,
    on_slide,
    report_of,
)
from lastviz.ui.shared.brushing import passing_rows
from lastviz.ui.shared.figures import paper_theme, plane_of
from lastviz.ui.shared.headline import Say
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.view_controls import MOST_NODES, Moving, follow, node_words, plane_chooser
from lastviz.ui.shared.widgets import control, put, save_table
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.state.selection import FIELDS, Selection
from lastviz.ui.text import CannotShow, as_plain, number, t

from .figures import curve_figure, curve_table, plane_figure, texts_of, tree_figure
from .scene import BESIDE, PruningScene, pruning_scene, rule_of, stop_value, stops_of, tree_at
from .words import (
    card_words,
    chosen_by,
    curve_alt,
    decision_table,
    errors_table,
    pruner_title,
    pruning_legend,
    stop_words,
    tree_alt,
    value_title,
    verdict,
)


def pruning_choices() -> None:
    """Draw the choices that follow those of data and model."""
    work = current().first_models(1)
    st.markdown(f"**{t('Cutting back')}**")
    _pruner(work.selection)
    try:
        estimator = pruning.to_prune(work)
        pruning.families(work)
    except (CannotShow, Working):
        return
    if estimator.tree_ is not estimator.grown_tree_:
        st.caption(t("Cut from the fully grown tree; the model's own pruning is off."))
    folds = FIELDS["folds"].param
    control(
        folds,
        work.selection.pruning.folds,
        key="folds",
        apply=lambda value: session.select(folds=value),
    )
    _beside(work.selection)


def slider_key(selection: Selection, stops: Sequence[int]) -> str:
    """Key of the slider: another pruner has another one, and so have other trees."""
    return f"cut_at.{selection.pruning.pruner}.{len(stops)}"


def _pruner(selection: Selection) -> None:
    pruners = FIELDS["pruner"].param.choices
    put("pruner", selection.pruning.pruner)
    st.selectbox(
        t("Pruning"),
        list(pruners),
        key="pruner",
        format_func=lambda key: pruner_title(key),
        help=t(PRUNERS[selection.pruning.pruner].source),
        on_change=lambda: session.select(pruner=st.session_state["pruner"], cut_at=None),
    )
    if selection.pruning.pruner == pruners[0]:
        control(
            FIELDS["leaf_cost"].param,
            selection.pruning.leaf_cost,
            key="leaf_cost",
            apply=lambda value: session.select(leaf_cost=value, cut_at=None),
        )


def cut_slider(work: Work, trees: PrunedTrees) -> None:
    """Draw the slider of the pruning strength, above the content that follows it."""
    chosen = rule_of(work, trees)
    at = tree_at(trees, work.selection.pruning.cut_at, chosen)
    stops = stops_of(trees, at, chosen)
    key = slider_key(work.selection, stops)
    words = {
        i: stop_words(stop_value(trees, stop), int(trees.n_leaves[stop]))
        for i, stop in enumerate(stops)
    }
    if len(stops) < 2:
        st.caption(t("There is only one tree: no value of alpha removes anything."))
        return
    put(key, stops.index(at))
    st.select_slider(
        value_title(work.selection.pruning.pruner),
        list(words),
        key=key,
        format_func=words.__getitem__,
        on_change=lambda: session.select(cut_at=stop_value(trees, stops[st.session_state[key]])),
    )
    if at != chosen is not None:
        st.button(
            t("Back to the one-SE rule"),
            key="cut_back",
            type="tertiary",
            on_click=partial(session.select, cut_at=None),
        )


def _beside(selection: Selection) -> None:
    """Draw which other pruners are shown."""
    st.markdown(f"**{t('Beside it')}**")
    for pruner in BESIDE:
        if pruner == selection.pruning.pruner:
            continue
        key = f"beside.{pruner}"
        put(key, pruner in selection.pruning.beside)
        st.checkbox(pruner_title(pruner), key=key, on_change=partial(_set_beside, pruner, key))


def _set_beside(pruner: str, key: str) -> None:
    shown = set(session.current().pruning.beside) - {pruner}
    if st.session_state[key]:
        shown.add(pruner)
    session.select(beside=tuple(each for each in BESIDE if each in shown))


# ---------------------------------------------------------------- page


PLANE = 560  # pixels on paper
QUESTION = "How far should it be cut back?"
MODELS = 1
REPLAYS = True
ABOUT_CLASSES = True
CURVE, TREE, BEFORE, AFTER = "pruning_curve", "pruning_tree", "pruning_before", "pruning_after"


def choices() -> None:
    """Draw the sidebar."""
    sidebar.data_chooser()
    sidebar.model_choosers(MODELS)
    pruning_choices()
    if more := sidebar.more_settings(MODELS):
        with more:
            plane_chooser(plane_of(current().first_models(MODELS)))


def report(address: str | None) -> str:
    """Page as one file of html."""
    scene = pruning_scene(current(), paper_theme())
    return report_of(scene.work, t(QUESTION), scene.title, blocks(scene), address)


def slide_blocks(work: Work, theme: ThemeName) -> Sequence[Block]:
    """Blocks of a slide."""
    scene = pruning_scene(work, theme)
    if scene.job is not None:
        raise Working(scene.job)
    return on_slide(blocks(scene))


def moving(work: Work) -> Moving | None:
    """Trees that an offline page's slider goes through."""
    scene = pruning_scene(work, "light")
    if scene.job is not None:
        raise Working(scene.job)
    stops = [
        (
            stop_words(stop_value(scene.trees, stop), int(scene.trees.n_leaves[stop])),
            work.change(cut_at=stop_value(scene.trees, stop)),
            scene.trees.cuts[stop],
        )
        for stop in scene.stops
    ]
    return Moving(value_title(scene.pruner), stops, scene.stops.index(scene.at), scene.tree)


page_scene = pruning_scene


def instead() -> None:
    """Offer the algorithms whose trees can be cut back, where this one's cannot."""
    work = current().first_models(MODELS)
    try:
        pruning.to_prune(work)
        return
    except Working:
        return
    except CannotShow:
        pass
    dataset = work.dataset
    fitting = [
        key
        for key, entry in ESTIMATORS.items()
        if not entry.cls.TAGS.forest
        and key != work.first.chosen.key
        and obstacle(entry, dataset) is None
    ]
    with st.container(key="prunable", horizontal=True, wrap=True, gap="small"):
        for key in fitting:
            st.button(
                t("Choose {title}", title=t(entry_of(key).title)),
                key=f"to_{key}",
                on_click=partial(session.select_model, 0, key=key),
            )


def body(scene: PruningScene) -> None:
    """Draw the content of the page, which follows the slider."""
    draw(blocks(scene))
    _follow(scene)


# The decisions are those of the pruners at the node.
def blocks(scene: PruningScene) -> list[Block]:
    """Blocks of the page: the curve, before and after, the tree, the decisions."""
    numbers = [Words(errors_table(scene)), Text(as_plain(chosen_by(scene)))]
    before, after = (_plane(scene, cut=cut) for cut in (False, True))
    return [
        Only((PAGE, REPORT), [_verdict(scene)]),
        Only((SLIDE,), [Say(*found)] if (found := verdict(scene)) else []),
        Controls(partial(cut_slider, scene.work, scene.trees)),
        Columns(
            [[Words(f'<div class="lv-over">{pruning_legend(scene)}</div>'), _curve(scene),
              *_progress(scene)], numbers],
            (8, 5),
        ),
        Columns([[Only((PAGE, REPORT), before)], after]),
        Only((PAGE, REPORT), [WhenSeen("tree", t("The tree"), partial(_decided, scene))]),
        Only((SLIDE,), [Detail(scene.work.selection, ("weighed",), lambda: draw(_decided(scene)))]),
        NumbersTable(CURVE, t("The curves as a table"), partial(curve_table, scene)),
        Controls(partial(_download, scene)),
    ]  # fmt: skip


def _decided(scene: PruningScene) -> list[Block]:
    """Tree with its removed parts, and the decisions at a node."""
    decisions = scene.decisions()
    return [
        _tree(scene),
        Controls(partial(_node_chooser, scene)),
        Words(decision_table(scene, decisions)),
        Words(card_words(scene, decisions[0])),
    ]


def _verdict(scene: PruningScene) -> Words:
    """Sentence of the page, or its place while the rule is not known yet."""
    found, style = verdict(scene), "lv-say lv-verdict"
    return Say(*found, style=style, lead=True) if found else Words(f'<p class="{style}"></p>')


def _curve(scene: PruningScene) -> Chart:
    alt = as_plain(curve_alt(scene))
    return Chart(
        curve_figure(scene),
        alt,
        alt,
        key=CURVE,
        on_click=partial(_picked_tree, scene),
        filename="pruning-curve",
    )


def _progress(scene: PruningScene) -> list[Block]:
    return [Controls(partial(job_box, scene.job, "folds"))] if scene.job is not None else []


def _tree(scene: PruningScene) -> Chart:
    figure, alt = tree_figure(scene), as_plain(tree_alt(scene))
    return Chart(
        figure, alt, alt,
        key=TREE,
        on_click=partial(_picked_node, scene),
        texts=texts_of(scene, scene.tree, figure),
        passing=partial(passing_rows, scene.work.first, grown=True),
        filename="pruned-tree",
    )  # fmt: skip


def _plane(scene: PruningScene, *, cut: bool) -> list[Block]:
    view, key = scene.view(cut), AFTER if cut else BEFORE
    caption = t("After the tree is cut back") if cut else t("As the tree was grown")
    figure = plane_figure(scene, view, cut=cut)
    chart = Chart(
        figure, caption, caption, PLANE,
        key=key,
        group="plane",
        texts=texts_of(scene, view.tree, figure),
        filename=key.replace("_", "-"),
    )  # fmt: skip
    return [Words(f'<p class="lv-pictured lv-over"><b>{caption}</b></p>'), chart]


def _picked_tree(scene: PruningScene, click: dict) -> None:
    """Choose the tree of the dot that was clicked."""
    if click.get("row") is not None and int(click["row"]) < len(scene.trees):
        session.select(cut_at=stop_value(scene.trees, int(click["row"])))


def _picked_node(scene: PruningScene, click: dict) -> None:
    node = click.get("node")
    node = click.get("row") if node is None else node
    if node is not None and not scene.tree.is_leaf(int(node)):
        session.select(weighed=int(node))


def _download(scene: PruningScene) -> None:
    name = f"pruning-{scene.work.selection.data}-{scene.work.first.chosen.key}"
    save_table(t("The curves as CSV"), partial(curve_table, scene), name, key="pruning_csv")


def _node_chooser(scene: PruningScene) -> None:
    """Draw the choice of the node that is weighed, of very many the largest."""
    tree, key = scene.tree, "weighed"
    inner = np.flatnonzero(tree.n_children > 0)
    largest = inner[np.argsort(-tree.weighted_n_node_samples[inner], kind="stable")]
    options = sorted({*largest[:MOST_NODES].tolist(), scene.node})
    put(key, scene.node, node_words(tree, scene.node))
    st.selectbox(
        t("Compare the pruning rules at node"),
        options,
        key=key,
        format_func=partial(node_words, tree),
        on_change=_weigh_chosen,
        args=(key,),
        width=420,
    )
    if len(inner) > len(options):
        sentence = "The {shown} largest of {all} nodes; the tree in the picture has all."
        st.caption(t(sentence, shown=len(options), all=number(len(inner))))


# A browser that lags behind may still name a node of another tree.
def _weigh_chosen(key: str) -> None:
    """Weigh the chosen node."""
    node = st.session_state[key]
    if isinstance(node, int):
        session.select(weighed=node)


def _follow(scene: PruningScene) -> None:
    """Let curve, tree, the picture after and the numbers follow the slider."""
    stops = scene.stops
    if len(stops) < 2 or scene.job is not None:
        return
    follow(
        slider_key(scene.work.selection, stops),
        stops.index(scene.at),
        scene.work.selection.change(cut_at=None),
        scene.theme,
        lambda: {i: _frame(scene, stop) for i, stop in enumerate(stops)},
    )


def _frame(scene: PruningScene, stop: int) -> Frame:
    """Page as it is at one stop of the slider."""
    work = scene.work.change(cut_at=stop_value(scene.trees, stop))
    there = pruning_scene(work, scene.theme)
    decisions = there.decisions()
    return Frame(
        {
            CURVE: curve_figure(there),
            TREE: tree_figure(there),
            AFTER: plane_figure(there, there.view(True), cut=True),
        },
        {
            ".lv-verdict": [_verdict(there).text],
            ".lv-cut-back": [errors_table(there)],
            ".lv-decisions": [decision_table(there, decisions)],
            ".lv-weighing": [card_words(there, decisions[0])],
        },
    )
