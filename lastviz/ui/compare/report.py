"""A study as files: its folds, itself, and a page of html that says what may be concluded."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from lastviz._csv_writer import as_csv
from lastviz.export.html_report import Block, Listing, Report, Section, Table, Text, as_html
from lastviz.studies.latex import as_bibtex, as_latex, metric_words
from lastviz.studies.statistics import CannotTell
from lastviz.studies.study import TABLE
from lastviz.ui.compute.studies import ask
from lastviz.ui.shared.blocks import Chart, printed
from lastviz.ui.shared.report import made_words
from lastviz.ui.shared.widgets import save_button
from lastviz.ui.text import as_plain, language, number, t

from .blocks import intervals, posterior, ranks, scores_table, sizes
from .scene import CompareScene
from .words import standing_words, value_words, why_not


def study_report(scene: CompareScene) -> str:
    """Return the report of a study, as far as it is."""
    scene = replace(scene, theme="light")
    found = scene.conclusion
    sentences = [found.sentence] if isinstance(found, CannotTell) else list(found)
    sections = [
        Section(t("What may be concluded"), [Text(as_plain(each)) for each in sentences]),
        Section(t("Pictures"), _pictures(scene)),
        Section(t("Numbers"), [_numbers(scene)]),
    ]
    if lacks := why_not(scene):
        sections.append(Section(t("What could not be computed"), list(map(Text, lacks))))
    report = Report(
        title=scene.study.name,
        lead=[standing_words(scene.standing).replace("**", ""), made_words()],
        sections=[*sections, Section(t("Method"), _how(scene))],
        language=language(),
        contents=t("Contents"),
    )
    return as_html(report)


def _pictures(scene: CompareScene) -> list[Block]:
    closely = posterior(scene) if scene.two is not None else None
    rivals = [closely] if isinstance(closely, Chart) else []
    return printed([intervals(scene), *ranks(scene), *sizes(scene), *rivals])


def _numbers(scene: CompareScene) -> Table:
    found = scores_table(scene)
    rows = [list(map(_cell, row)) for row in found.itertuples(index=False)]
    return Table(t("Every algorithm on every data set"), list(found), rows)


def _cell(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return value_words(value) if isinstance(value, float) else number(value)


def _how(scene: CompareScene) -> list[Text | Listing]:
    study = scene.study
    words = t(
        "{folds} stratified folds, {repeats} times; p by the corrected t-test, Bonferroni over all "
        "pairs of algorithms on all data sets; ranks by Friedman and Nemenyi. This file runs it "
        "again:",
        folds=number(study.folds),
        repeats=number(study.repeats),
    )
    return [Text(words), Listing(study.to_toml())]


def exports(scene: CompareScene) -> None:
    """Draw the buttons that save the folds, the report and the study itself."""
    st.subheader(t("Save and share"), anchor=False)
    folds, parquet, name = scene.folds, "application/octet-stream", f"study-{scene.study_id}"
    tables = [choice for choice in scene.study.datasets if choice.key.startswith(TABLE)]
    files = [
        (t("Folds as CSV"), "csv", "text/csv", lambda: as_csv(folds).encode()),
        (t("Folds as Parquet"), "parquet", parquet, lambda: folds.to_parquet(index=False)),
        (t("Report"), "html", "text/html", lambda: study_report(scene).encode()),
        (t("References as BibTeX"), "bib", "text/plain", lambda: as_bibtex(scene.study).encode()),
        (t("Study file"), "toml", "text/plain", lambda: scene.study.to_toml().encode()),
    ]
    if scene.scores is not None:
        files.append((t("Table as LaTeX"), "tex", "text/plain", lambda: _for_a_paper(scene)))
    for choice in tables:
        content = partial(_table, scene.study_id, choice.key)
        title = t("Table {name}", name=choice.name)
        files.append((title, f"{choice.key}.parquet", parquet, content))
    with st.container(horizontal=True, wrap=True, gap="small", key="study-exports"):
        for label, ending, mime, content in files:
            file = ending if ending.startswith(TABLE) else f"{name}.{ending}"
            save_button(label, content, file, mime=mime, key=f"study_{ending}")
    st.caption(
        t("The study file is for the command line: {command}.",
          command="`python -m lastviz.studies run study.toml`")
    )  # fmt: skip
    if tables:
        st.caption(
            t("Put the uploaded file, or its table saved here, beside the study file or into the "
              "folder that LASTVIZ_DATA names.")
        )  # fmt: skip


def _for_a_paper(scene: CompareScene) -> bytes:
    """Return the metric that the page shows as a table for a paper."""
    limits = tuple(scene.factor * limit for limit in scene.metric.limits)
    scores = replace(scene.scores, metric=metric_words(scene.metric))
    return as_latex(scene.study, scores, limits=limits).encode()


def _table(study_id: str, key: str) -> bytes:
    from lastviz.studies.kept_data import packed

    return packed(ask(lambda line: line.given(study_id, [key]))[key])
