"""The page *boundaries*: one column per model, and the details below them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lastviz._params import Param
from lastviz.estimators import REGRESSOR, REGRESSORS, entry_of, is_imported
from lastviz.export.blocks import Columns, Heading, Section, Text, Words
from lastviz.host.jobs import Working
from lastviz.inspection import telling_slice
from lastviz.plots import ThemeName, number
from lastviz.splitters.edits import along
from lastviz.ui.components.frames import Frame
from lastviz.ui.compute import uploads
from lastviz.ui.compute.work import Work, current
from lastviz.ui.shared import controls, view_controls
from lastviz.ui.shared.blocks import (
    SLIDE,
    Block,
    Chart,
    Controls,
    Detail,
    Only,
    draw,
    on_slide,
    report_blocks,
    when_seen,
)
from lastviz.ui.shared.brushing import passing_rows
from lastviz.ui.shared.edit_box import edit_box
from lastviz.ui.shared.edits import make
from lastviz.ui.shared.figures import as_table, paper_theme, plane_of
from lastviz.ui.shared.headline import (
    Say,
    headline,
    legend,
    numbers_in_full,
    show,
)
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.model_view import EnsembleView, ModelView, model_title
from lastviz.ui.shared.node_card import node_card
from lastviz.ui.shared.page_file import finding_in
from lastviz.ui.shared.report import Pictured, model_section, scene_report, summary_of, table_of
from lastviz.ui.shared.view_controls import (
    by_depth,
    follow_depth,
    follow_max_depth,
    node_chooser,
    slice_chooser,
)
from lastviz.ui.shared.widgets import bound, control, put, segments
from lastviz.ui.state import session
from lastviz.ui.state.selection import (
    AT_NUMBERS,
    DEFAULT,
    FIELDS,
    MAX_MODELS,
    Model,
    Selection,
    with_param,
)
from lastviz.ui.text import CannotShow, as_plain, paragraph, plain, t

from . import regression
from .details import (
    alt_of,
    certainty_legend,
    explanations,
    model_switch,
    plane_words,
    rows_table,
    slice_notes,
    smoothing_rules,
)
from .forest_words import ensemble_words
from .regression import NumberScene
from .regression_view import NumberView, number_view
from .scene import (
    ACROSS,
    Scene,
    of_pixels,
    path_of_pixels,
    pixel_panel,
    pixel_pictures,
    pixel_words,
    scene_of,
    shows_paths,
    view_chooser,
)

STEPS = ""  # the choice of the prediction itself, no feature has this name


def tint_choosers(selection: Selection) -> None:
    """Draw the choice of the meaning of a region's tint."""
    titles = {"class": t("Class"), "certainty": t("Certainty")}
    segments("tint", t("Tint of a region"), titles, seen=True)
    if selection.boundaries.tint == "class":
        return
    rules = smoothing_rules(number(selection.boundaries.smoothing_m))
    bound(st.selectbox, "smoothing", t("Certainty from"), list(rules), format_func=rules.get)
    if selection.boundaries.smoothing == "m":
        control(
            FIELDS["smoothing_m"].param,
            selection.boundaries.smoothing_m,
            key="smoothing_m",
            apply=lambda value: session.select(smoothing_m=float(value)),
        )


def edit_chooser(work: Work) -> None:
    """Draw the choice of a node of one of the trees, and the ways to edit it by hand."""
    places = [i for i in range(len(work.selection.models)) if work.models[i].trained() is not None]
    if not places:
        return
    place = places[0]
    if len(places) > 1:
        picked = [i for i in places if work.models[i].chosen.node is not None]
        known = st.session_state.get("edited_model")
        place = known if known in places else (picked or places)[0]
        put("edited_model", place, model_title(work.models[place]))
        place = st.selectbox(
            t("Tree to change"),
            places,
            key="edited_model",
            format_func=lambda i: model_title(work.models[i]),
        )
    node_chooser(n=place)
    axes = plane_of(work).lines_in(work.models[place].form)
    edit_box(work.models[place], axes=axes)


def number_choosers(work: Work) -> None:
    """Draw the choice of the algorithm's parameters and of the axes."""
    _regressor_chooser()
    view = None
    with suppress(CannotShow, Working):  # the page says why
        view = number_view(work)
    if view is not None and not is_imported(work.first.chosen.key):
        node_chooser()
        edit_box(work.first, axes=view.features)
    if more := controls.more_settings():
        with more:
            if view is not None and len(view.names) > 1:
                _axis_choosers(view)
            if not is_imported(work.selection.models[0].key):
                _regressor_parameters(rest=True)


def _regressor_chooser() -> None:
    """Draw the choice of regressors: the one algorithm, and the user's imported trees."""
    selection = session.current()
    own = selection.models[0].key if is_imported(selection.models[0].key) else None
    titles = {key: t(entry.title) for key, entry in REGRESSORS.items()}
    titles |= {} if own is None else {own: t(entry_of(own).title)}
    titles |= uploads.model_titles()
    put("regressor", own or REGRESSOR.key)
    st.selectbox(
        t("Algorithm"),
        list(titles),
        key="regressor",
        format_func=titles.__getitem__,
        on_change=lambda: _choose_regressor(st.session_state["regressor"]),
    )
    if own is None:
        _regressor_parameters()
    st.caption(t("The target of this data set is a number; the other algorithms predict classes."))


def _regressor_parameters(**which: bool) -> None:
    """Draw parameters of the regressor; `which`: see :func:`.controls.parameters`."""
    params = session.current().regressor.params
    controls.parameters(REGRESSOR.cls.PARAMS, params, "numbers", _set_number_param, **which)


# An imported tree is not edited by hand.
def _choose_regressor(key: str) -> None:
    """Select an imported tree, or the algorithm again."""
    model = Model(key) if is_imported(key) else DEFAULT.models[0]
    models = (model, *session.current().models[1:])
    session.select(models=models)


def _set_number_param(param: Param, value: object) -> None:
    params = with_param(session.current().regressor.params, param, value)
    session.select_model(AT_NUMBERS, params=params)


def _axis_choosers(view: NumberView) -> None:
    """Draw the choice of the axes: two features, or one with the steps over it."""
    names = [view.names[f] for f in view.drawable]
    across, up = (view.names[f] for f in view.features)
    st.markdown(f"**{t('Picture')}**")
    left, right = st.columns(2)
    put("number_across", across)
    left.selectbox(t("Across"), names, key="number_across", on_change=_set_axes, args=(across, up))
    put("number_up", STEPS if view.is_steps else up)
    right.selectbox(
        t("Up"),
        [STEPS, *names],
        key="number_up",
        format_func=lambda name: t("{y} (steps)", y=view.target) if name == STEPS else name,
        on_change=_set_axes,
        args=(across, up),
    )
    if view.is_slice:
        slice_chooser(len(view.division.y), session.current().view.at)


def _set_axes(*before: str) -> None:
    """Put features on the axes; one that is on the other axis swaps places with it."""
    across, up = st.session_state["number_across"], st.session_state["number_up"]
    if up == STEPS:
        up = across
    elif up == across and len(set(before)) == 2:
        across, up = reversed(before)
    session.select(axes=(across, up))


# ---------------------------------------------------------------- page


NO_BORDER = "no_border"  # the session's key: the place of a model
QUESTION = "Where does each algorithm draw the line?"
MODELS = MAX_MODELS
PICTURE = 720  # pixels: its axes have one scale, more would stretch the window
# Pixels by how many models there are: plane, tree and width; the slide enlarges all of it.
SIZES = {1: (300, 100, 860), 2: (380, 0, 440), 3: (290, 0, 290), 4: (240, 0, 220)}
moving = by_depth


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    if regression.applies(current()):
        number_choosers(current())
        return
    controls.model_choosers(MAX_MODELS, allow_ensembles=True)
    view_controls.tree_choosers(current())
    view_controls.depth_slider(current())
    edit_chooser(current())
    if more := controls.more_settings(MAX_MODELS):
        with more:
            view_controls.plane_chooser(plane_of(current()))
            tint_choosers(session.current())


def report(address: str | None) -> str:
    """Page as one file of html."""
    work = current()
    if regression.applies(work):
        return regression.number_report(work, paper_theme(), t(QUESTION), address)
    return scene_report_of(scene_of(work, paper_theme()), t(QUESTION), address)


def slide_blocks(work: Work, theme: ThemeName) -> Sequence[Block]:
    """Content of a slide: the legend, and each model with its numbers and picture.

    Raises
    ------
    Working
        While a model is still being trained.
    """
    if regression.applies(work):
        return on_slide(regression.number_blocks(regression.number_scene(work, theme)))
    scene = scene_of(work, theme, SIZES[len(work.selection.models)])
    for job in scene.jobs.values():
        raise Working(job)
    shown = [Columns([_model(scene, place) for place in scene.views])] if scene.views else []
    notes = [*_chances(scene), *map(Text, scene.obstacles.values())]
    return on_slide([*_head(scene), *shown, *notes, *([_detail(scene)] if shown else [])])


def scene_report_of(scene: Scene, question: str, address: str | None) -> str:
    """Report of a scene that was worked out in the light theme.

    Raises
    ------
    CannotShow
        While a model is still being trained, or if none can be; the message says why.
    """
    if scene.jobs:
        raise CannotShow(t("A report can be made once the models are trained."))
    if not scene.views:
        raise CannotShow(paragraph(scene.obstacles.values()))
    sections, summary = [], []
    marks = "".join(each.text for each in _head(scene) if not isinstance(each, Say))
    for place, view in scene.views.items():
        found = path_of_pixels(scene, place)
        if found is None:
            notes = slice_notes(scene, place)
            head = "" if summary else marks
            shown = [Pictured(_chart(scene, place), head, notes, _picked_card(scene, place))]
        else:
            image, tree = pixel_pictures(found, scene, place)
            beside = [pixel_words(found, scene)]
            shown = [Pictured(image, _legend(scene, planes=False), beside), Pictured(tree, "")]
        about = [plain(note) for note in getattr(view.estimator, "notes_", ())]
        summary += [Heading(view.title)] if scene.n_models > 1 else []
        summary += summary_of(scene.work.models[place], view, shown[0])
        sections.append(model_section(scene.work.models[place], view, shown[1:], about))
    if chosen := report_blocks([_detail(scene)]):
        sections.append(Section(t("About the pictures"), chosen))
    chances = (each.text for each in _chances(scene))
    caveats = [*chances, *plane_words(scene.plane), *scene.obstacles.values()]
    rows = table_of(rows_table(scene), t("The rows drawn, as a table"))
    about = {"address": address, "caveats": caveats, "summary": summary, "tables": [rows]}
    about["finding"] = finding_in(_finding(scene))
    return scene_report(scene.work, question, sections, **about)


def page_scene(work: Work, theme: ThemeName) -> Scene | NumberScene:
    """Scene of the page: regions of classes, or numbers over one or two features."""
    if regression.applies(work):
        return regression.number_scene(work, theme)
    return scene_of(work, theme)


def body(scene: Scene | NumberScene) -> None:
    """Draw the pictures and the content below them."""
    if isinstance(scene, NumberScene):
        draw(regression.number_blocks(scene))
        return
    draw(_head(scene))
    if of_pixels(scene) is not None:
        view_chooser()
    with _pictures(scene):
        if scene.views and scene.n_models == 1:  # they stand beside it
            explanations(scene)
        elif scene.views:
            when_seen("explanations", t("About the pictures"), partial(explanations, scene))
    draw(_chances(scene), "chances")
    if not scene.jobs:
        _follow(scene)


def _head(scene: Scene) -> list[Block]:
    """Sentence and legend of all pictures."""
    images = [path_of_pixels(scene, place) for place in scene.views]
    marks = [_legend(scene, planes=not images or None in images)]
    if any(picture.certain for picture in scene.pictures.values()):
        marks.append(certainty_legend(scene))
    return [*_finding(scene), *map(Words, marks)]


def _detail(scene: Scene) -> Detail:
    """Explanation that is chosen, as it leaves the page."""
    return Detail(scene.work.selection, ("detail",), partial(explanations, scene))


def _finding(scene: Scene) -> list[Say]:
    """Sentence of the page, once there is a model."""
    return [Say(each) for each in scene.verdict[:1]]


def _chances(scene: Scene) -> list[Text]:
    """Rest of the verdict, which stands below the pictures."""
    return [Text(as_plain(each)) for each in scene.verdict[1:]]


def _legend(scene: Scene, *, planes: bool = True) -> str:
    """Legend of all pictures; without `planes` that of classes alone."""
    figures = [picture.figure for picture in scene.pictures.values()] if planes else []
    return legend(scene.class_names, scene.theme, figures)


def _follow(scene: Scene) -> None:
    """Let the pictures follow sliders that cut the trees."""
    every = tuple(scene.views)
    follow_depth(scene.work, scene.theme, partial(_frame, scene, every))
    for place, view in scene.views.items():
        edited = scene.work.models[place].chosen.edits
        if isinstance(view, ModelView) and view.milliseconds is not None and not edited:
            follow_max_depth(
                scene.work.models[place],
                view.estimator,
                scene.theme,
                partial(_frame, scene, (place,)),
            )


def _frame(scene: Scene, moving: tuple[int, ...], work: Work) -> Frame:
    """Scene with the models at the places `moving` as they are in a selection."""
    there = scene_of(work, scene.theme)
    pictures = {
        f"plane{place}": there.pictures[place].figure
        for place in moving
        if not isinstance(there.views[place], EnsembleView)
    }
    views = scene.views | {place: there.views[place] for place in moving}
    texts = {".lv-head": headline, ".lv-full": numbers_in_full}
    parts = {at: list(map(text, views.values())) for at, text in texts.items()}
    sentences = [say.text for say in _finding(replace(scene, views=views))]
    return Frame(pictures, parts | {".lv-say": sentences})


def _pictures(scene: Scene) -> DeltaGenerator:
    """Draw all models.

    Returns the place for their explanations.

    One model leaves room for that beside it. A phone shows one at a time.
    """
    if scene.n_models == 1:
        left, right = st.columns([3, 2], gap="medium")
        with left:
            draw(_model(scene, 0))
            _below(scene)
        return right
    show(model_switch(scene))
    for first in range(0, scene.n_models, ACROSS):
        columns = st.columns(ACROSS, gap="medium")
        for place in range(first, min(first + ACROSS, scene.n_models)):
            with columns[place - first], st.container(key=f"pictured-{place}"):
                draw(_model(scene, place))
    _below(scene)
    return st.container()


# Also offer the rows as a table.
def _below(scene: Scene) -> None:
    """Show notes on rows whose position is none of their values."""
    if shows_paths(scene):
        return
    for sentence in plane_words(scene.plane):
        st.caption(sentence)
    if scene.views:
        as_table("planes", lambda: rows_table(scene), title=t("The rows drawn, as a table"))


def _model(scene: Scene, place: int) -> list[Block]:
    """One model: its headline, its regions with its tree, the card of the picked node."""
    if place in scene.obstacles:
        return [Controls(partial(st.info, scene.obstacles[place]))]
    if place in scene.jobs:
        return [Controls(partial(job_box, scene.jobs[place], f"{place}"))]
    head, image = Words(headline(scene.views[place])), path_of_pixels(scene, place)
    if image is not None:
        return [head, *pixel_panel(image, scene, place)]
    card = _picked_card(scene, place) if scene.n_models == 1 else []  # beside others is no room
    first = [*map(Text, slice_notes(scene, place)[:1]), *card]
    return [
        head,
        _chart(scene, place),
        Only((SLIDE,), first),
        Controls(partial(_about, scene, place)),
    ]


def _chart(scene: Scene, place: int) -> Chart:
    """Picture of a model."""
    work, view, picture = scene.work, scene.views[place], scene.pictures[place]
    return Chart(
        picture.figure,
        alt_of(view, work.selection.data, scene.class_names),
        "",
        PICTURE,
        key=f"plane{place}",
        on_click=partial(_picked, place, view),
        on_line=partial(_split_along, scene, place) if _takes_lines(scene, place) else None,
        group="plane",
        texts=picture.texts,
        passing=None
        if isinstance(view, EnsembleView)
        else partial(passing_rows, work.models[place]),
        filename="regions",
        note=paragraph(slice_notes(scene, place)),
    )


def _about(scene: Scene, place: int) -> None:
    """Draw the notes below the picture of a model."""
    view, picture = scene.views[place], scene.pictures[place]
    show(numbers_in_full(view))
    about_slice = slice_notes(scene, place)
    if isinstance(view, EnsembleView):
        if about := ensemble_words(view, exact=picture.exact):
            st.caption(about)
    else:
        show(_card(scene, place))
        for note in getattr(view.estimator, "notes_", ()):
            st.caption(plain(note))
    if note := _tint_note(scene, place):
        st.caption(note)
    for sentence in about_slice:
        st.caption(sentence)
    if about_slice and len(picture.in_sight) < 2 and isinstance(view, ModelView):
        _offer_a_border(scene, place)


def _card(scene: Scene, place: int) -> str:
    axes, folded = scene.plane.features, scene.is_wall
    return node_card(scene.views[place], scene.class_names, scene.theme, axes=axes, folded=folded)


def _picked_card(scene: Scene, place: int) -> list[Words]:
    """Card of the node that the reader picked, for paper and slides."""
    if scene.work.models[place].chosen.node is None or isinstance(scene.views[place], EnsembleView):
        return []
    return [Words(_card(scene, place))]


def _tint_note(scene: Scene, place: int) -> str:
    """Note that the tint says no certainty although it is asked for, else ""."""
    if scene.pictures[place].certain or scene.work.selection.boundaries.tint != "certainty":
        return ""
    return t("The tint shows the class only: this model does not simply predict the most frequent "
             "class of a leaf.")  # fmt: skip


def _offer_a_border(scene: Scene, place: int) -> None:
    """Offer a slice that shows a border where this one shows none."""
    st.button(
        t("Show a slice with a border"),
        key=f"border{place}",
        on_click=_show_a_border,
        args=(scene, place),
    )
    if st.session_state.pop(NO_BORDER, None) == place:
        st.info(t("No slice that was tried shows one: nearly everywhere the class is the same."))


def _show_a_border(scene: Scene, place: int) -> None:
    work, divided = scene.work, scene.work.models[place].division
    form = work.models[place].form
    try:
        importances = scene.views[place].estimator.feature_importances_
    except AttributeError:  # splits weigh several features
        importances = work.gains(form)
    names = list(divided.X.columns)
    on_axes = [known is None and name in scene.plane.names
               for name, known in zip(names, divided.categories, strict=True)]  # fmt: skip
    importances = np.where(on_axes, importances, -1.0)
    found = telling_slice([scene.views[place].tree], divided.values, divided.y, importances)
    if found is None:
        st.session_state[NO_BORDER] = place
        return
    first, second = (names[f] for f in found.features)
    session.select(axes=(first, second), at=found.row)


def _takes_lines(scene: Scene, place: int) -> bool:
    """Whether a line over the picture of a model can split a node of its tree."""
    estimator = scene.views[place].estimator
    if is_imported(scene.work.models[place].chosen.key):
        return False  # what was not grown here is not changed by hand
    is_single = scene.work.models[place].trained() is estimator
    form = scene.work.models[place].form
    is_curved = is_single and len(estimator.tree_.kernel) > 0
    return is_single and not is_curved and scene.plane.lines_in(form) is not None


def _split_along(scene: Scene, place: int, line: dict) -> None:
    """Split the picked node of a model, else its root, along a line."""
    work = scene.work
    path = work.models[place].node(scene.views[place].node).path
    axes = scene.plane.lines_in(work.models[place].form)
    make(work.models[place], along(line, axes, path))


def _picked(place: int, view: ModelView | EnsembleView, click: dict) -> None:
    """Select the clicked node, or the clicked row and its region."""
    work, node = current(), click.get("node")
    if click.get("row") is None or click.get("axis") != "x":
        if node is not None and isinstance(view, ModelView):
            same = node == work.models[place].chosen.node
            session.select_model(place, node=None if same else int(node))
        return
    row = int(click["row"]) - 1
    if isinstance(view, ModelView):
        values = work.models[place].division.values[[row]]
        node = int(view.representative[view.tree.apply(values)[0]])
        again = row == work.selection.view.highlighted
        work = work.change_model(place, node=None if again else node)
    session.pick_row(row, work.selection)
