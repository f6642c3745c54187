"""A study as files: its folds, itself, and a page of html that says what may be concluded."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from io import BytesIO

import streamlit as st

from lastviz.export.html_report import Listing, Picture, Report, Section, Table, Text, as_html
from lastviz.studies.statistics import CannotTell
from lastviz.studies.study import TABLE
from lastviz.ui.compute.studies import ask
from lastviz.ui.shared.report import made_words
from lastviz.ui.text import language, number, t

from .figures import (
    intervals_figure,
    posterior_figure,
    posterior_of,
    ranks_figure,
    size_figure,
    sizes_of,
)
from .scene import CompareScene
from .words import intervals_alt, sentence_of, standing_words, unit_words, value_words, why_not


def study_report(scene: CompareScene) -> str:
    """Return the report of a study, as far as it is."""
    scene = replace(scene, theme="light")
    found = scene.conclusion
    sentences = [found] if isinstance(found, CannotTell) else list(found)
    lead = [
        standing_words(scene.standing).replace("**", ""),
        made_words(),
    ]
    lacks = why_not(scene)
    sections = [
        Section(
            t("What may be concluded"), [Text(sentence_of(sentence)) for sentence in sentences]
        ),
        Section(t("Pictures"), _pictures(scene)),
        Section(t("Numbers"), [_numbers(scene)]),
        *(
            [Section(t("What could not be computed"), [Text(each) for each in lacks])]
            if lacks
            else []
        ),
        Section(t("Method"), _how(scene)),
    ]
    return as_html(
        Report(
            title=scene.study.name,
            lead=lead,
            sections=sections,
            language=language(),
            contents=t("Contents"),
        )
    )


def _pictures(scene: CompareScene) -> list[Picture]:
    what = unit_words(scene)
    found = [
        Picture(
            intervals_figure(scene),
            intervals_alt(scene),
            t("Means with 95 % intervals that allow for overlapping training rows"),
        )
    ]
    if not isinstance(scene.ranks, CannotTell):
        words = t("Mean ranks; a bar joins algorithms that the data cannot separate")
        found.append(Picture(ranks_figure(scene), words, words, width=620))
    if (sizes_of(scene)[0] > 0).any():
        words = t("Leaves against {what}", what=what)
        found.append(Picture(size_figure(scene), words, words, width=620))
    if scene.two is not None:
        posterior = posterior_of(scene)
        if not isinstance(posterior, CannotTell):
            words = t("{first} against {second}", first=scene.two[0], second=scene.two[1])
            found.append(Picture(posterior_figure(scene, posterior), words, words, width=620))
    return found


def _numbers(scene: CompareScene) -> Table:
    stand = scene.standings
    rows = [
        [
            dataset,
            algorithm,
            value_words(stand.mean[a, of]),
            value_words(stand.low[a, of]),
            value_words(stand.high[a, of]),
            value_words(stand.p[a, of]),
            number(int(stand.n_done[a, of])),
        ]
        for of, dataset in enumerate(scene.datasets)
        for a, algorithm in enumerate(scene.algorithms)
    ]
    columns = [t("data set"), t("algorithm"), unit_words(scene), t("low"), t("high")]
    columns += [t("p against the best"), t("folds")]
    return Table(t("Every algorithm on every data set"), columns, rows)


def _how(scene: CompareScene) -> list[Text | Listing]:
    study = scene.study
    words = t(
        "{folds} stratified folds, {repeats} times; p by the corrected t-test, Holm within a data "
        "set; ranks by Friedman and Nemenyi. This file runs it again:",
        folds=number(study.folds),
        repeats=number(study.repeats),
    )
    return [Text(words), Listing(study.to_toml())]


def exports(scene: CompareScene) -> None:
    """Draw the buttons that save the folds, the report and the study itself."""
    st.subheader(t("Save and share"), anchor=False)
    with st.container(horizontal=True, wrap=True, gap="small", key="study-exports"):
        name = f"study-{scene.study_id}"
        for label, ending, mime, content in (
            (
                t("Folds as CSV"),
                "csv",
                "text/csv",
                lambda: scene.folds.to_csv(index=False).encode(),
            ),
            (t("Folds as Parquet"), "parquet", "application/octet-stream", lambda: _parquet(scene)),
            (t("Report"), "html", "text/html", lambda: study_report(scene).encode()),
            (t("Study file"), "toml", "text/plain", lambda: scene.study.to_toml().encode()),
            *(
                (
                    t("Table {name}", name=choice.name),
                    f"{choice.key}.parquet",
                    "application/octet-stream",
                    partial(_table, scene.study_id, choice.key),
                )
                for choice in scene.study.datasets
                if choice.key.startswith(TABLE)
            ),
        ):
            st.download_button(
                label,
                content,
                file_name=ending if ending.startswith(TABLE) else f"{name}.{ending}",
                mime=mime,
                on_click="ignore",
                key=f"study_{ending}",
                icon=":material/download:",
            )
    st.caption(
        t("The study file is for the command line: {command}.",
          command="`python -m lastviz.studies run study.toml`")
    )  # fmt: skip
    if any(choice.key.startswith(TABLE) for choice in scene.study.datasets):
        st.caption(
            t("Put the uploaded file, or its table saved here, beside the study file or into the "
              "folder that LASTVIZ_DATA names.")
        )  # fmt: skip


def _table(study_id: str, key: str) -> bytes:
    from lastviz.studies.kept_data import packed

    return packed(ask(lambda line: line.given(study_id, [key]))[key])


def _parquet(scene: CompareScene) -> bytes:
    out = BytesIO()
    scene.folds.to_parquet(out, index=False)
    return out.getvalue()
