"""What stands below the pictures of a study: two rivals, one cell, files, earlier studies."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from functools import partial

import pandas as pd
import streamlit as st

from lastviz.export.html_report import Text
from lastviz.host import visitor
from lastviz.studies.candidates import PEERS
from lastviz.studies.example import EXAMPLE
from lastviz.studies.study import AlgorithmChoice, DataChoice
from lastviz.ui.compute import uploads
from lastviz.ui.compute.studies import StudyLine, ask, tried
from lastviz.ui.shared.blocks import Chart, draw
from lastviz.ui.shared.figures import as_table
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.shared.widgets import bound, put
from lastviz.ui.state import session
from lastviz.ui.state.pages import STUDY
from lastviz.ui.text import t

from .blocks import posterior
from .draft import NOTHING_CHOSEN
from .regions import cell_regions
from .scene import MEASURES, CompareScene
from .study_data import scene_of_cell, scene_of_table
from .words import value_words


def metric_chooser(scene: CompareScene) -> None:
    """Draw the choice of what is compared."""
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


# One cell


def cell_details(scene: CompareScene) -> None:
    """Draw the choice of a cell, what came of it, and the way to its boundaries."""
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
        peer = algorithm.key in PEERS
        about = t(
            "Boundaries shows this project's algorithms; the regions of this one are drawn here."
        )
        st.button(
            t("Open in Boundaries"),
            key="study_open",
            disabled=peer,
            help=about if peer else None,
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
    """Return the means of all that was measured."""
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
    links = {} if study_id == EXAMPLE else tried(lambda line: line.tables(study_id))
    if links is None:
        return
    link = links.get(choice.key)
    scene = scene_of_cell(choice, algorithm, session.current(), link or "")
    sentences = ()
    if link == "" or (scene.upload is not None and uploads.content(scene.upload) is None):
        table = tried(lambda line: line.given(study_id, [choice.key]))
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
            t("Studies that this browser has begun"),
            list(titles),
            key="study_history",
            format_func=titles.__getitem__,
            on_change=lambda: _reopen(st.session_state["study_history"]),
        )
        if chosen != opened:
            st.button(t("Open"), key="study_reopen", on_click=lambda: session.select(study=chosen))
        st.button(t("Delete"), key="study_delete", on_click=partial(_delete, chosen, opened))
    st.caption(
        t("A study is kept on this server until it is deleted, with its data; its link opens it in "
          "this browser.")
    )  # fmt: skip


def _title(name: str, begun: float) -> str:
    """Return what a study is called, the same as long as there is one: browsers send it back."""
    when = datetime.fromtimestamp(begun).strftime("%Y-%m-%d %H:%M:%S")
    return t("{name} · {when}", name=name, when=when)


def _reopen(study_id: str) -> None:
    if not STUDY.fullmatch(study_id):  # a browser that is behind may name one that is deleted
        return
    session.select(**NOTHING_CHOSEN, study=study_id)


def _delete(study_id: str, opened: str) -> None:
    def delete(line: StudyLine) -> bool:
        with suppress(ValueError):  # another window was quicker
            line.delete(study_id, visitor.token())
        return True

    if tried(delete) and study_id == opened:
        session.select(study="")
