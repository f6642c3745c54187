"""Details below the pictures of a study: two rivals, one cell, files, earlier studies."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from functools import partial

import numpy as np
import pandas as pd

from lastviz.export.blocks import Text
from lastviz.host import visitor
from lastviz.plots import Drawing, StudyCurve, learning_curve_plot
from lastviz.studies.candidates import PEERS
from lastviz.studies.example import EXAMPLE
from lastviz.studies.learning import LearningCurve, learning_curves_in_steps
from lastviz.studies.metrics import METRICS
from lastviz.studies.study import AlgorithmChoice, DataChoice
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import uploads
from lastviz.ui.compute.outcome import outcome
from lastviz.ui.compute.studies import StudyStore, ask, try_study_store
from lastviz.ui.shared.blocks import Chart, Detail, draw
from lastviz.ui.shared.figures import as_table
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.shared.job_box import result_or_reason
from lastviz.ui.shared.widgets import bound, put
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.state.pages import STUDY
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import plain, t

from .blocks import posterior
from .controls import NOTHING_CHOSEN
from .figures import axis_of, cell_regions
from .scene import MEASURES, CompareScene
from .study_data import dataset_of, scene_of_cell, scene_of_table
from .words import value_words


def metric_chooser(scene: CompareScene) -> None:
    """Draw the choice of the metric to compare."""
    with st.container(
        horizontal=True, gap="medium", key="study-metric", vertical_alignment="bottom"
    ):
        put("metric", scene.metric.key)
        st.selectbox(
            t("What is compared"),
            [metric.key for metric in scene.metrics],
            key="metric",
            format_func=lambda key: t(MEASURES[key].title),
            width=260,
            on_change=lambda: session.select(metric=st.session_state["metric"], rope=None),
        )
        bound(
            st.number_input,
            "rope",
            t("Too small to matter"),
            value=scene.rope,
            min_value=0.0,
            step=scene.rope or 0.01,
            width=180,
            help=t("Differences up to this size count as equal in the probabilities."),
        )


def closely(scene: CompareScene) -> None:
    """Draw two algorithms against each other: how probable it is that one is better."""
    if scene.two is None:
        return
    st.subheader(t("Two of them closely"), anchor=False)
    names = list(scene.algorithms)
    first, second = (names.index(name) for name in scene.two)
    columns = st.columns(2)
    for column, key, chosen, label in (
        (columns[0], "rival_first", first, t("Is this one better")),
        (columns[1], "rival_second", second, t("than this one?")),
    ):
        put(key, chosen)
        column.selectbox(
            label,
            range(len(names)),
            key=key,
            format_func=names.__getitem__,
            on_change=partial(_choose_rivals, first, second),
        )
    found = posterior(scene)
    is_drawn = isinstance(found, Chart)
    if is_drawn:
        with st.container(width=560):
            draw([found])
    draw([Text(found.alt) if is_drawn else found])


def _choose_rivals(first: int, second: int) -> None:
    """Compare the chosen two; who is chosen twice changes places with the other."""
    one, two = st.session_state["rival_first"], st.session_state["rival_second"]
    if one == two:
        one, two = second, first
    session.select(rivals=(one, two))


def looked_at(selection: Selection, scene: CompareScene) -> list[Detail]:
    """Cell and rivals that the reader chose, as they leave the page."""
    return [
        Detail(selection, ("study_cell",), partial(cell_details, scene)),
        Detail(selection, ("rivals", "rope"), partial(closely, scene)),
    ]


# One cell


def cell_details(scene: CompareScene) -> None:
    """Draw the choice of a cell, its results, and the way to its boundaries."""
    cells = scene.cells.set_index("cell")
    titles = {
        int(n): t("{algorithm}, {dataset}", algorithm=cell["algorithm"], dataset=cell["dataset"])
        for n, cell in cells.iterrows()
    }
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        bound(
            st.selectbox,
            "study_cell",
            t("Look at"),
            list(titles),
            value=scene.at,
            format_func=titles.__getitem__,
            width=360,
        )
        algorithm, choice = _parts_of(scene)
        if algorithm.key not in PEERS:  # whose regions are drawn here
            st.button(
                t("Open in Boundaries"),
                key="study_open",
                on_click=partial(_open, scene.study_id, choice, algorithm),
            )
    own = scene.runs[scene.runs["cell"] == scene.at]
    if len(own):
        show(strip(_cell_numbers(own)))
        as_table("study_cell", lambda: _folds_table(own), title=t("The folds of this cell"))
        cell_regions(scene, algorithm, choice)


def _parts_of(scene: CompareScene) -> tuple[AlgorithmChoice, DataChoice]:
    cell = scene.cells.set_index("cell").loc[scene.at]
    algorithm = next(a for a in scene.study.algorithms if a.name == cell["algorithm"])
    return algorithm, next(d for d in scene.study.datasets if d.name == cell["dataset"])


def _cell_numbers(own: pd.DataFrame) -> list[tuple[str, str, str]]:
    """Means of all that was measured."""
    cells = []
    for key, metric in MEASURES.items():
        if not own[key].notna().any():
            continue
        factor, unit = (100.0, "%") if metric.unit == "share" else (1.0, "")
        unit = {"seconds": "s", "megabytes": "MB"}.get(metric.unit, unit)
        cells.append((value_words(factor * float(own[key].mean())), unit, t(metric.title)))
    return cells


def _folds_table(own: pd.DataFrame) -> pd.DataFrame:
    table = {t("repeat"): own["repeat"] + 1, t("fold"): own["fold"] + 1}
    table |= {t(m.title): own[key] for key, m in MEASURES.items() if own[key].notna().any()}
    if own["chosen"].notna().any():
        table[t("chosen parameters")] = [_chosen(text) for text in own["chosen"]]
    return pd.DataFrame(table)


def _chosen(text: str | None) -> str:
    chosen = json.loads(text) if text else {}
    return t(", ").join(f"{name} {value}" for name, value in chosen.items())


def _open(study_id: str, choice: DataChoice, algorithm: AlgorithmChoice) -> None:
    """Show a cell's data and algorithm as a scene."""
    links = {} if study_id == EXAMPLE else try_study_store(lambda line: line.tables(study_id))
    if links is None:
        return
    link = links.get(choice.key)
    scene = scene_of_cell(choice, algorithm, session.current(), link or "")
    sentences = ()
    if link == "" or (scene.upload is not None and uploads.content(scene.upload) is None):
        table = try_study_store(lambda line: line.given(study_id, [choice.key]))
        if not table:
            return
        scene = scene_of_table(table[choice.key], scene)
        sentences = (t("Your file is no longer here: this is the table as the study stored it."),)
    session.open_scene(scene, sentences, page="boundaries")


# Earlier studies


def history(token: str | None, opened: str) -> None:
    """Draw the visitor's studies, the newest first."""
    rows = ask(lambda line: line.names(token)) if token else []
    if not rows:
        return
    st.subheader(t("Your studies"), anchor=False)
    titles = {study_id: _title(name, begun) for study_id, name, begun in rows}
    at = opened if opened in titles else rows[0][0]
    put("study_history", st.session_state.get("study_history", at) if not opened else at)
    if st.session_state["study_history"] not in titles:
        st.session_state["study_history"] = at
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        chosen = st.selectbox(
            t("Studies that you have begun"),
            list(titles),
            key="study_history",
            format_func=titles.__getitem__,
            on_change=lambda: _reopen(st.session_state["study_history"]),
        )
        if chosen != opened:
            st.button(t("Open"), key="study_reopen", on_click=lambda: session.select(study=chosen))
        st.button(t("Delete"), key="study_delete", on_click=partial(_delete, chosen, opened))


# It stays the same as long as there is the study: browsers send it back.
def _title(name: str, begun: float) -> str:
    """Title of a study."""
    when = datetime.fromtimestamp(begun).strftime("%Y-%m-%d %H:%M:%S")
    return t("{name} · {when}", name=name, when=when)


def _reopen(study_id: str) -> None:
    if not STUDY.fullmatch(study_id):  # a browser that is behind may name one that is deleted
        return
    session.select(**NOTHING_CHOSEN, study=study_id)


def _delete(study_id: str, opened: str) -> None:
    def delete(line: StudyStore) -> bool:
        with suppress(ValueError):  # another window was quicker
            line.delete(study_id, visitor.token())
        return True

    if try_study_store(delete) and study_id == opened:
        session.select(study="")


# ---- Learning curves on the page *compare*: asked for, worked out in the background, drawn


DRAWN_FOR = "learning_of"  # the session's: study and data set that curves are asked for


def learning_curves(scene: CompareScene) -> None:
    """Draw the choice of a data set, and once they are asked for its learning curves."""
    if scene.metric.key not in METRICS:
        return
    st.subheader(t("Learning curves"), anchor=False)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        name = st.selectbox(t("Data set"), scene.datasets, key="learning_set", width=260)
        st.button(
            t("Draw learning curves"),
            key="learning_draw",
            on_click=lambda: st.session_state.update({DRAWN_FOR: (scene.study_id, name)}),
        )
    if st.session_state.get(DRAWN_FOR) == (scene.study_id, name):
        found = result_or_reason(partial(_found, scene, name), "learning")
        if found is not None:
            _curves(scene, found)


def _curves(scene: CompareScene, found: tuple[LearningCurve, ...]) -> None:
    known = [curve for curve in found if np.isfinite(curve.mean).any()]
    for curve in found:
        if curve.reason:
            st.caption(plain(t("{name}: {reason}", name=curve.name, reason=curve.reason)))
    if not known:
        return
    figure = curves_figure(scene, known)
    chart(
        figure,
        key="study_learning",
        height=figure.height,
        alt=t("The result of each algorithm by the number of training rows."),
        filename="study-learning",
    )
    st.caption(
        t("Means over the folds of one division; the band is the 95 % interval of the first "
          "algorithm (Nadeau and Bengio 2003).")
    )  # fmt: skip
    as_table("study_learning", lambda: _table(scene, known))


def _found(scene: CompareScene, name: str) -> tuple[LearningCurve, ...]:
    study, metric = scene.study, scene.metric.key
    choice = next(each for each in study.datasets if each.name == name)

    def work():
        dataset = dataset_of(scene.study_id, choice)
        return (yield from learning_curves_in_steps(study, dataset, metric))

    key = f"{scene.study_id}|learning|{name}|{metric}"
    return outcome(key, t("Learning curves on {name}", name=name), work)


def curves_figure(scene: CompareScene, found: list[LearningCurve]) -> Drawing:
    """Curves, the first one in ink with its interval."""
    least, most = scene.metric.limits
    curves = [
        StudyCurve(
            each.name,
            each.n_samples,
            scene.factor * each.mean,
            scene.factor * np.maximum(each.mean - each.half, least),
            scene.factor * np.minimum(each.mean + each.half, most),
        )
        for each in found
    ]
    axes = (t("training rows"), axis_of(scene))
    return learning_curve_plot(curves, theme=scene.theme, chosen=curves[0].name, axes=axes)


def _table(scene: CompareScene, found: list[LearningCurve]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            t("Algorithm"): curve.name,
            t("training rows"): int(n),
            axis_of(scene): scene.factor * float(mean),
            t("half the interval"): scene.factor * float(half),
        }
        for curve in found
        for n, mean, half in zip(curve.n_samples, curve.mean, curve.half, strict=True)
    )
