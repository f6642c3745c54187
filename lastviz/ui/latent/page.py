"""The page *latent*: its pictures, the effects of a click, the case without a space."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from lastviz.estimators import ESTIMATORS, entry_of
from lastviz.export.blocks import Columns, Text, Words
from lastviz.plots import ThemeName, crowding, feature_html, number
from lastviz.tree import Tree
from lastviz.ui.compute import latent
from lastviz.ui.compute.availability import obstacle
from lastviz.ui.compute.models import takes_unlabelled
from lastviz.ui.compute.work import Work, current
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.blocks import (
    PAGE,
    REPORT,
    Block,
    Caution,
    Chart,
    Detail,
    NumbersTable,
    Only,
    WhenSeen,
    draw,
    on_slide,
    report_of,
)
from lastviz.ui.shared.brushing import passing_rows
from lastviz.ui.shared.figures import apart_words, current_theme, paper_theme
from lastviz.ui.shared.headline import Say
from lastviz.ui.shared.view_controls import node_chooser
from lastviz.ui.shared.widgets import bound, put
from lastviz.ui.state import session
from lastviz.ui.state.lessons import steps_on
from lastviz.ui.text import CannotShow, join_names, plural, t

from .details import components_table, latent_details
from .figures import LatentPictures, four_spaces
from .scene import component_names, latent_scene, own_test
from .words import (
    latent_finding,
    latent_headline,
    latent_legend,
    latent_shares,
    split_card,
    warnings_of,
)


def latent_node_chooser() -> None:
    """Draw the choice of the node, each with its test in its own space."""
    if latent.has_space(session.current().models[0].key):
        node_chooser(node_words)


def node_words(tree: Tree, node: int) -> str:
    """Label of a node: its number, its test in its own space, its rows."""
    rows = plural(int(tree.n_node_samples[node]), "{n} row", "{n} rows")
    if node == 0:
        return t("root, {rows}", rows=rows)
    if tree.is_leaf(node):
        return t("{node}: {test}, {rows}", node=node, test=t("leaf"), rows=rows)
    return t("{node}: {test}, {rows}", node=node, test=own_test(tree, node), rows=rows)


def component_chooser() -> None:
    """Draw the choice of the components on the two axes."""
    work = current().first_models(1)
    if not latent.has_space(work.first.chosen.key):
        return
    try:
        scene = latent_scene(work)
    except CannotShow:  # the page says why
        return
    if scene.view.basis.n_components < 2:
        return
    st.markdown(f"**{t('Components')}**")
    names = component_names(scene.view)
    options = list(range(len(names)))
    columns = st.columns(2)
    for place, label in enumerate((t("Across"), t("Up"))):
        key = f"component{place}"
        put(key, scene.components[place], names[scene.components[place]])
        columns[place].selectbox(
            label,
            options,
            key=key,
            format_func=lambda i: names[i],
            on_change=partial(_set_component, place, scene.components),
        )


# A browser that is behind may still name a component of another space.
def _set_component(place: int, shown: tuple[int, int]) -> None:
    """Put a component on an axis, swapping both if it is on the other one."""
    chosen = st.session_state[f"component{place}"]
    if not isinstance(chosen, int):
        return
    pair = list(shown)
    pair[place] = chosen
    if pair[0] == pair[1]:
        pair[1 - place] = shown[place]
    session.select(components=tuple(pair))


def look_at_all() -> None:
    """Draw the switch that lets the held-out rows take part without their classes."""
    selection = session.current()
    if not takes_unlabelled(selection.models[0].key):
        return
    bound(
        st.toggle,
        "unlabelled",
        t("Labelled rows train, all rows shape the space"),
        disabled=selection.held == 0,
        help=t(
            "The rows held out take part in finding the space, without their classes "
            "(transduction), and are drawn as open points."
        ),
    )


# ---------------------------------------------------------------- page


QUESTION = "In which space is each split?"
MODELS = 1
REPLAYS = True
ABOUT_CLASSES = True
WITH_SPACE = [key for key in ESTIMATORS if latent.has_space(key)]
QUICK = 200_000  # numbers of a table whose four spaces are found while the reader waits


def blocks(pictures: LatentPictures) -> list[Block]:
    """Blocks of the page: both planes, the components, the equation and the tree."""
    scene = pictures.scene
    components = NumbersTable("components", t("Components"), partial(components_table, scene))
    return [
        Say(latent_finding(scene)),
        Words(latent_legend(scene, pictures.theme)),
        Words(latent_headline(scene)),
        *map(Caution, warnings_of(scene.view.basis)),
        Columns([_original(pictures), _latent(pictures)]),
        Words(latent_shares(scene)),
        Only((PAGE, REPORT), [Columns([_values(pictures), _loadings(pictures)])]),
        Words(split_card(scene, pictures.theme)),
        Only((PAGE, REPORT), [
            WhenSeen("tree", t("The tree"), lambda: [_tree(pictures)]),
        ]),
        Only((REPORT,), [components]),
        WhenSeen("details", t("About the space"), [
            Detail(scene.work.selection, ("space",), partial(latent_details, scene, pictures.theme))
        ]),
    ]  # fmt: skip


def _original(pictures: LatentPictures) -> list[Block]:
    scene = pictures.scene
    known, axes = scene.view.feature_names, dict.fromkeys(scene.features)
    names = t(", ").join(known[f] for f in axes)
    alt = t("The rows of node {node} in the plane of {names}", node=scene.node, names=names)
    title = t("Original: {names}, of {m} features",
              names=join_names([feature_html(known[f]) for f in axes]), m=len(known))  # fmt: skip
    x, y = scene.division.values[scene.rows][:, list(scene.features)].T
    about = apart_words(crowding(x, y))
    plane = Chart(
        pictures.original, alt, alt,
        key="latent_original", on_click=session.click_row, filename="original",
    )  # fmt: skip
    return [_heading(title), plane, *([Only((PAGE, REPORT), [Text(about)])] if about else [])]


def _latent(pictures: LatentPictures) -> list[Block]:
    scene = pictures.scene
    axes, component = dict.fromkeys(scene.components), scene.view.component
    alt = t("The rows of node {node} in the plane of {names}", node=scene.node,
            names=t(", ").join(scene.names[i] for i in axes))  # fmt: skip
    if component >= 0:
        alt = t("{plane}; the split is {name} ≤ {threshold}", plane=alt,
                name=scene.names[component], threshold=number(scene.view.threshold))  # fmt: skip
    title = t("Latent: {names}", names=join_names([feature_html(scene.names[i]) for i in axes]))
    if component not in (-1, *axes):
        title = t("{plane}; the split is along {name}, not seen here", plane=title,
                  name=feature_html(scene.names[component]))  # fmt: skip
    plane = Chart(
        pictures.latent, alt, alt,
        key="latent_plane", on_click=session.click_row, filename="latent",
        turned_from="latent_original",
    )  # fmt: skip
    return [_heading(title), plane]


def _values(pictures: LatentPictures) -> list[Block]:
    titles = {
        "ica": t("Distance from normal: size of the excess kurtosis"),
        "none": t("Length of each feature"),
    }
    title = titles.get(pictures.scene.view.basis.space) or t("Singular values")
    alt = t("{what} of every component; the table below has them all", what=title)
    bars = Chart(pictures.values, alt, key="latent_values", filename="values")
    return [_heading(title), bars]


def _loadings(pictures: LatentPictures) -> list[Block]:
    name = feature_html(pictures.scene.names[pictures.scene.subject])
    alt = t("Weight of each feature in the component; the table below has them all")
    bars = Chart(pictures.loadings, alt, key="latent_loadings", filename="loadings")
    return [_heading(t("Loadings of {name}, feature by feature", name=name)), bars]


def _tree(pictures: LatentPictures) -> Chart:
    return Chart(
        pictures.tree,
        t("The tree; the frame marks the node. Click a node to walk there."),
        key="latent_tree",
        on_click=session.click_node,
        passing=partial(passing_rows, pictures.scene.work.first),
        filename="tree",
    )


def _heading(html: str) -> Words:
    return Words(f'<p class="lv-heading lv-over">{html}</p>')


def instead() -> None:
    """Offer other data, where the frame has said why these have no space to show."""
    st.page_link("pages/data.py", label=t("Choose other columns or data"), icon="")


def _offer(work: Work, theme: ThemeName) -> None:
    """Say that the model looks for no space of its own, and offer one that does.

    Raises
    ------
    CannotShow
        Where that one cannot learn from these data.
    """
    st.markdown(_no_space(work))
    first, dataset = t(ESTIMATORS[WITH_SPACE[0]].title), work.dataset
    reason = obstacle(ESTIMATORS[WITH_SPACE[0]], dataset)
    with st.container(horizontal=True, vertical_alignment="center"):
        if reason is None:
            st.button(
                t("Show {title} on these data", title=first),
                key="to_latent",
                type="primary",
                on_click=lambda: session.select_model(0, key=WITH_SPACE[0]),
            )
        scene, n = steps_on("latent")[0]
        st.page_link(
            "pages/latent.py",
            label=t(scene.question),
            icon="",
            query_params=scene.query_of(n) | session.language_link(),
        )
    if reason is not None:
        raise CannotShow(reason)
    if dataset.n_samples * dataset.n_features <= QUICK:
        title = t("{title} on these data, in four spaces", title=first)
        draw([Words(f'<p class="lv-heading">{title}</p>')])  # with titles of its own below it
        four_spaces(work.change_model(0, key=WITH_SPACE[0]), theme)


def _no_space(work: Work) -> str:
    return t(
        "{title} searches for splits in the original features. {others} first change to a latent "
        "space and split it along its axes, which are oblique in the original features.",
        title=work.first.title,
        others=join_names([t(entry_of(key).title) for key in WITH_SPACE]),
    )


def choices() -> None:
    """Draw the sidebar."""
    sidebar.data_chooser()
    sidebar.model_choosers(MODELS)
    latent_node_chooser()
    if more := sidebar.more_settings(MODELS):
        with more:
            component_chooser()
            look_at_all()


def page_scene(work: Work, theme: ThemeName) -> LatentPictures | None:
    """Compute the pictures of the page, None for a model without a space of its own."""
    work = work.first_models(MODELS)
    if not latent.has_space(work.first.chosen.key):
        return None
    return LatentPictures(latent_scene(work), theme)


def slide_blocks(work: Work, theme: ThemeName) -> Sequence[Block]:
    """Blocks of a slide: the numbers, both planes and the split."""
    return on_slide(blocks(_in_space(work.first_models(MODELS), theme)))


def report(address: str | None) -> str:
    """Page as one file of html."""
    pictures = _in_space(current().first_models(MODELS), paper_theme())
    scene = pictures.scene
    title = scene.work.first.title
    return report_of(scene.work, t(QUESTION), title, blocks(pictures), address)


def _in_space(work: Work, theme: ThemeName) -> LatentPictures:
    """Pictures of a model.

    Raises
    ------
    CannotShow
        Where the model looks for no space of its own.
    """
    if not latent.has_space(work.first.chosen.key):
        raise CannotShow(_no_space(work))
    return LatentPictures(latent_scene(work), theme)


def body(pictures: LatentPictures | None) -> None:
    """Draw the pictures and the details below them, or an offer if there is no space."""
    if pictures is None:
        _offer(current().first_models(MODELS), current_theme())
        return
    draw(blocks(pictures))
