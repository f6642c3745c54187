"""Files of a study: its folds, the study itself, and an HTML page with the conclusions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from lastviz.export.blocks import Block, Listing, Section, Table, Text
from lastviz.studies.latex import as_bibtex, as_latex, metric_words
from lastviz.studies.statistics import CannotTell
from lastviz.studies.study import TABLE, DataChoice
from lastviz.ui.compute.studies import ask
from lastviz.ui.shared.blocks import Chart, report_blocks
from lastviz.ui.shared.page_file import MOST_OF_REPORT, finding_in, page_of
from lastviz.ui.shared.report import made_words
from lastviz.ui.shared.widgets import save_button, save_table
from lastviz.ui.text import as_plain, number, t

from .blocks import intervals, posterior, ranks, scores_table, sizes
from .scene import CompareScene
from .words import in_short, standing_words, value_words, why_not


def study_report(
    scene: CompareScene, address: str | None = None, more: Sequence[Block] = ()
) -> str:
    """Report of a study, as far as it is."""
    scene = replace(scene, theme="light")
    found, title = scene.conclusion, finding_in(in_short(scene))
    sentences = [found.sentence] if isinstance(found, CannotTell) else list(found)
    sections = [
        Section(t("What may be concluded"), [Text(as_plain(each)) for each in sentences]),
        Section(t("Pictures"), _pictures(scene, more)),
        Section(t("Numbers"), [_numbers(scene)], fold=t("The pictures in numbers")),
    ]
    if lacks := why_not(scene):
        sections.append(Section(t("What could not be computed"), list(map(Text, lacks))))
    lead = [standing_words(scene.standing).replace("**", ""), made_words()]
    sections.append(Section(t("Method"), _how(scene)))
    lead = [scene.study.name, *lead] if title else lead
    return page_of(sections, title or scene.study.name, MOST_OF_REPORT, lead=lead, link=address)


def _pictures(scene: CompareScene, more: Sequence[Block]) -> list[Block]:
    closely = posterior(scene) if scene.two is not None else None
    rivals = [closely] if isinstance(closely, Chart) else []
    return report_blocks([intervals(scene), *ranks(scene), *sizes(scene), *rivals, *more])


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


# Those for a paper stand there, too.
def exports(scene: CompareScene) -> None:
    """Draw the buttons that save the folds and the study itself."""
    st.subheader(t("Save and share"), anchor=False)
    name = f"study-{scene.study_id}"
    with st.container(horizontal=True, wrap=True, gap="small", key="study-exports"):
        save_table(t("Folds as CSV"), lambda: scene.folds, name, key="study_csv")
        _paper_files(scene, name)
        _study_files(scene, name)
    command = "`python -m lastviz.studies run study.toml`"
    st.caption(t("The study file is for the command line: {command}.", command=command))
    if _own_tables(scene):
        st.caption(t("Put the uploaded table beside it, or into the folder LASTVIZ_DATA names."))


def _paper_files(scene: CompareScene, name: str) -> None:
    about = {"mime": "text/plain", "key": "study_bib"}
    save_button(
        t("References as BibTeX"), lambda: as_bibtex(scene.study).encode(), f"{name}.bib", **about
    )
    if scene.scores is not None:
        table = partial(_for_a_paper, scene)
        about = {"mime": "text/plain", "key": "study_tex"}
        save_button(t("Table as LaTeX"), table, f"{name}.tex", **about)


def _study_files(scene: CompareScene, name: str) -> None:
    """Draw the buttons of the study and of the visitor's own tables in it."""
    about = {"mime": "text/plain", "key": "study_toml"}
    save_button(t("Study file"), lambda: scene.study.to_toml().encode(), f"{name}.toml", **about)
    for choice in _own_tables(scene):
        file = f"{choice.key}.parquet"
        about = {"mime": "application/octet-stream", "key": f"study_{file}"}
        content = partial(_table, scene.study_id, choice.key)
        save_button(t("Table {name}", name=choice.name), content, file, **about)


def _own_tables(scene: CompareScene) -> list[DataChoice]:
    return [choice for choice in scene.study.datasets if choice.key.startswith(TABLE)]


def _for_a_paper(scene: CompareScene) -> bytes:
    """Metric that the page shows as a table for a paper."""
    limits = tuple(scene.factor * limit for limit in scene.metric.limits)
    scores = replace(scene.scores, metric=metric_words(scene.metric))
    return as_latex(scene.study, scores, limits=limits).encode()


def _table(study_id: str, key: str) -> bytes:
    from lastviz.studies.kept_data import pack_dataset

    return pack_dataset(ask(lambda line: line.given(study_id, [key]))[key])
