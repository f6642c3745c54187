"""Painting rows on the page *data*: the canvas, and beside it a model of the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.datasets import PAINTED, Dataset, load_dataset
from lastviz.datasets.files import full_table
from lastviz.datasets.painted import (
    CELLS,
    EMPTY_PAINTING,
    MOST_CLASSES,
    MOST_PAINTED,
    TOP,
    Painting,
    painting_of,
)
from lastviz.export.blocks import Words
from lastviz.host.jobs import Job
from lastviz.plots import Drawing, ThemeName, boundary_and_tree_plot, forest_plot
from lastviz.ui.components.paint import paint_canvas
from lastviz.ui.compute.work import Work, work_of
from lastviz.ui.shared.blocks import Chart, draw
from lastviz.ui.shared.figures import page_theme, plane_of, words
from lastviz.ui.shared.headline import accuracy_cells, show, strip
from lastviz.ui.shared.headline import legend as legend_of_classes
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.model_view import (
    EnsembleView,
    ModelView,
    class_names_of,
    model_views,
    points_of,
    regions_of,
    regions_of_ensemble,
)
from lastviz.ui.shared.node_card import node_texts
from lastviz.ui.shared.widgets import save_table
from lastviz.ui.state import session
from lastviz.ui.state.link_texts import is_long_painting
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, plural, t

from .figures import DataScene, legend

PLANE, TREE, WIDTH = 430, 150, 560  # pixels


@dataclass(frozen=True, eq=False)
class PaintedScene:
    """All that is shown."""

    work: Work
    theme: ThemeName  # {"light", "dark"}
    painting: Painting
    dataset: Dataset | None = None  # None while nothing can be learnt
    view: ModelView | EnsembleView | None = None  # the first model, None while there is none
    figure: Drawing | None = None  # its regions and its tree
    texts: dict[str, object] | None = None  # what the pointer reads over nodes
    job: Job | None = None  # what is waited for instead
    obstacle: str | None = None  # why there is no model


def painted_scene(work: Work, theme: ThemeName) -> PaintedScene:
    """Compute the scene of the painted rows and the model trained on them."""
    painting = painting_in(work.selection)
    scene = PaintedScene(work, theme, painting)
    if painting.obstacle is not None:
        return replace(scene, obstacle=t(painting.obstacle))
    dataset = work.dataset
    scene = replace(scene, dataset=dataset)
    if dataset.is_regression:
        return scene
    plane = plane_of(work.first_models(1))
    views, obstacles, jobs = model_views(work.first_models(1), plane)
    if 0 not in views:
        return replace(scene, job=jobs.get(0), obstacle=obstacles.get(0))
    view, names = views[0], class_names_of(dataset)
    about = {
        "theme": theme, "class_names": names, "equal": False, "view": painting.window,
        "units": plane.units, "words": words(), "height": PLANE,
    }  # fmt: skip
    points = points_of(view, work, plane)
    if isinstance(view, EnsembleView):
        found = regions_of_ensemble(work.first, plane)
        figure = forest_plot(found, points, feature_names=("x1", "x2"), **about)
        return replace(scene, view=view, figure=figure.about(PAINTED))
    figure = boundary_and_tree_plot(
        regions_of(work.first, plane), view.tree, points, selected=view.node, hover={},
        tree_height=TREE, width_hint=WIDTH, **about,
    )  # fmt: skip
    drawn = [area["node"] for area in figure.areas["hits"]]
    texts = node_texts(view.tree, view.leaves, names, drawn)
    return replace(scene, view=view, figure=figure.about(PAINTED), texts=texts)


def painting_in(selection: Selection) -> Painting:
    """Painting of the selection, empty if nothing is painted."""
    return Painting.parse(selection.painted) if selection.painted else EMPTY_PAINTING


# ---- The pictures of the page *data*: drawn there, printed in its report, held by slides


def classes(scene: DataScene) -> list[Words | Chart]:
    """Legend, and the classes in the features."""
    alt = t("Rows of {name} as points, by class", name=t(scene.dataset.name))
    picture = Chart(scene.classes, alt, alt, key="data_picture", filename="data")
    return [Words(legend(scene)), picture]


def counts(scene: DataScene) -> Chart:
    """Sizes of the classes."""
    alt = t("Number of rows of each class")
    return Chart(scene.counts, alt, key="data_counts", filename="classes")


def painting_chart(scene: PaintedScene) -> Chart:
    """Chart of a model's regions and the painted rows."""
    alt = t("What {title} makes of the painted rows", title=scene.view.title)
    name = {"key": "painted_model", "filename": "painted"}
    return Chart(scene.figure, alt, alt, texts=scene.texts, **name)


def painted_legend(scene: PaintedScene) -> str:
    """Signs of the painted classes, for where there is no canvas."""
    return legend_of_classes(class_names_of(scene.dataset), scene.theme, [scene.figure])


# ---------------------------------------------------------------- painting


STARTS = {"xor": "XOR", "moons": "Moons", "circles": "Circles"}
DAB = "painted_dab"  # the session's keys: what the last dab was, and the scene before it
EDITOR = "painted_rows"


def painted_body(scene: PaintedScene) -> None:
    """Draw the canvas and the model trained on its rows."""
    show(_headline(scene))
    left, right = st.columns(2, gap="large")
    with left:
        paint_canvas(
            str(scene.painting),
            key="paint",
            heights=scene.painting.heights,
            theme=page_theme(),
            on_painted=_take,
        )
        _beside(scene)
    with right:
        _model(scene)
    _rows(scene)


def _headline(scene: PaintedScene) -> str:
    cells = [(number(len(scene.painting)), "", t("rows painted"))]
    if isinstance(scene.view, ModelView):
        wrong = _n_wrong(scene.view, scene.work)
        cells += [
            (number(wrong), "", t("rows misclassified")),
            (number(scene.view.tree.n_leaves), "", t("leaves")),
            (number(scene.view.tree.max_depth), "", t("depth")),
        ]
        if scene.view.held_out:
            cells.insert(1, accuracy_cells(scene.view.training, scene.view.held_out)[0])
    return strip(cells)


def _n_wrong(view: ModelView, work: Work) -> int:
    return int(np.count_nonzero(view.predicted != work.first.division.y))


def _model(scene: PaintedScene) -> None:
    """Draw the model's regions with its tree, or the reason why there is none."""
    if scene.figure is not None:
        title, view = escape(scene.view.title), scene.view
        took = view.milliseconds
        if took is not None:
            sentence = t("<b>{title}</b> after each stroke, trained in {ms} ms")
            title = sentence.format(title=title, ms=number(round(took, 2)))
        show(f'<p class="lv-about">{title}</p>')
        draw([painting_chart(scene)])
    elif scene.job is not None:
        job_box(scene.job, "painted")
    elif scene.obstacle is not None:
        st.info(scene.obstacle)
    else:
        st.info(t("These rows have heights: see the regression tree on the page Boundaries."))
    _say_dab(scene)


def _say_dab(scene: PaintedScene) -> None:
    """Describe the last dab and its effect."""
    dab = st.session_state.get(DAB)
    if dab is None or dab["painting"] != scene.work.selection.painted:
        return
    n, tool = dab["n"], t(dab["tool"])
    more = plural(abs(n), "{n} row", "{n} rows")
    parts = [f"{tool}: {'+' if n > 0 else '−' if n < 0 else ''}{more}"]
    before = work_of(dab["before"]).first.trained_already()
    if isinstance(scene.view, ModelView) and before is not None and hasattr(before, "tree_"):
        known = work_of(dab["before"]).first.division
        wrong = int(np.count_nonzero(before.tree_.predict(known.values) != known.y))
        parts += [
            t("leaves {a} to {b}", a=before.tree_.n_leaves, b=scene.view.tree.n_leaves),
            t("misclassified rows {a} to {b}", a=wrong, b=_n_wrong(scene.view, scene.work)),
        ]
    show(f'<p class="lv-about" role="status">{escape(" · ".join(parts))}</p>')


def _beside(scene: PaintedScene) -> None:
    """Draw the other actions: start from an example, learn numbers, remove the rows."""
    st.caption(
        t(
            "Keys: 1 to 8 class, s p l m r tools, [ ] size, Z undo; arrows, Space and Delete paint "
            "without a pointer."
        )
    )
    with st.container(key="paint_starts", horizontal=True, gap="small"):
        st.button(t("Empty"), key="paint_empty", on_click=_begin, args=(None,))
        for key, title in STARTS.items():
            st.button(t(title), key=f"paint_{key}", on_click=_begin, args=(key,))
        st.button(
            t("Paint classes") if scene.painting.heights else t("Paint heights"),
            key="paint_kind",
            on_click=_exchange,
            help=t("Heights are numbers to learn, 0 to 100; what is painted is kept."),
        )
        if scene.dataset is not None:
            table = partial(full_table, scene.dataset)
            save_table(t("Rows (CSV)"), table, "painted", key="paint_csv")
    if is_long_painting(scene.work.selection.painted):
        st.caption(
            t("Too many rows for a link: this server keeps them for you; a saved scene has them.")
        )


def _rows(scene: PaintedScene) -> None:
    """Draw the rows as a table that can be changed: the way without a pointer."""
    box = st.expander(t("Rows as a table"), key="fold.painted", on_change="rerun")
    if not box.open:
        return
    painting = scene.painting
    name = "height" if painting.heights else "class"
    places = painting.values()
    frame = pd.DataFrame({"x1": places[:, 0], "x2": places[:, 1], name: painting.value})
    left, right, bottom, top = painting.window
    config = {
        "x1": st.column_config.NumberColumn(min_value=left, max_value=right, required=True),
        "x2": st.column_config.NumberColumn(min_value=bottom, max_value=top, required=True),
        name: st.column_config.NumberColumn(
            min_value=0,
            max_value=TOP if painting.heights else MOST_CLASSES - 1,
            step=1,
            required=True,
        ),
    }
    key = f"{EDITOR}.{abs(hash(scene.work.selection.painted)) % 10**9}"
    with box:
        st.data_editor(
            frame,
            num_rows="dynamic",
            hide_index=True,
            key=key,
            column_config=config,
            height=320,
            on_change=_take_table,
            args=(key, frame, name),
        )


# ---------------------------------------------------------------- what the reader does


def offer_to_paint(dataset: Dataset) -> None:
    """Offer to go on painting on data of two numeric features."""
    if _can_be_painted(dataset):
        st.button(
            t("Paint on these rows"),
            key="paint_on",
            on_click=lambda: session.select(data=PAINTED, upload=None, painted=str(_of(dataset))),
            icon=":material/brush:",
            help=t("At most {n} of them, evenly spaced.", n=number(MOST_PAINTED)),
        )


def _can_be_painted(dataset: Dataset) -> bool:
    X = dataset.X
    is_plain = X.shape[1] == 2 and all(kind == "numeric" for kind in dataset.kinds.values())
    if not is_plain or dataset.is_regression or dataset.n_classes > MOST_CLASSES:
        return False
    return bool(np.isfinite(X.to_numpy()).all())


def _of(dataset: Dataset) -> Painting:
    return painting_of(dataset.X.to_numpy(), dataset.codes)


def _begin(key: str | None) -> None:
    painting = EMPTY_PAINTING if key is None else _of(load_dataset(key))
    st.session_state.pop(DAB, None)
    session.select(painted=str(painting))


def _exchange() -> None:
    """Let rows have heights instead of classes, or the other way round."""
    painting = painting_in(session.current())
    steps = max(1, int(painting.value.max(initial=0)))
    if painting.heights:
        value = np.minimum(painting.value // (TOP // 2 + 1), 1)
    else:
        value = painting.value * TOP // steps
    session.select(painted=str(replace(painting, value=value, heights=not painting.heights)))


def _take(found: dict) -> None:
    """Take the painting into the selection, numbering the classes without gaps."""
    try:
        painting = _without_gaps(Painting.parse(str(found["painting"])))
    except ValueError:
        return  # the canvas shows what is there
    before = session.current()
    session.select(painted=str(painting))
    names = {"spray": "spray", "point": "point", "line": "line", "move": "move", "rub": "erase"}
    st.session_state[DAB] = {
        "tool": names.get(str(found.get("tool")), "point"),
        "value": int(found.get("value", 0)),
        "n": len(painting) - len(painting_in(before)),
        "before": before,
        "painting": str(painting),
    }


def _take_table(key: str, frame: pd.DataFrame, name: str) -> None:
    """Take the rows of the table, those that are whole."""
    change = st.session_state[key]
    frame = frame.copy()
    for row, cells in change["edited_rows"].items():
        for column, cell in cells.items():
            frame.loc[int(row), column] = cell
    frame = frame.drop(index=[int(row) for row in change["deleted_rows"]])
    added = pd.DataFrame(change["added_rows"], columns=frame.columns)
    frame = pd.concat([frame, added], ignore_index=True).apply(pd.to_numeric, errors="coerce")
    frame = frame.dropna().iloc[:MOST_PAINTED]
    painting = painting_in(session.current())
    left, right, bottom, top = painting.window
    x = (frame["x1"] - left) / (right - left)
    y = (frame["x2"] - bottom) / (top - bottom)
    cells = [np.rint(part * (CELLS - 1)).clip(0, CELLS - 1).astype(int) for part in (x, y)]
    largest = TOP if painting.heights else MOST_CLASSES - 1
    value = frame[name].round().clip(0, largest).astype(int)
    columns = (part.to_numpy() for part in (*cells, value))
    session.select(
        painted=str(_without_gaps(Painting(*columns, painting.window, painting.heights)))
    )


def _without_gaps(painting: Painting) -> Painting:
    if painting.heights or not len(painting):
        return painting
    return replace(painting, value=np.unique(painting.value, return_inverse=True)[1])
