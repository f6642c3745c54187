"""A study for a paper: sound LaTeX, its own numbers, and every work that it cites."""

import re
import string
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from lastviz import _citation
from lastviz.estimators import ESTIMATORS, REGRESSORS
from lastviz.studies.__main__ import main
from lastviz.studies.candidates import RESULTS_VERSION, candidates
from lastviz.studies.example import ExampleStudy
from lastviz.studies.latex import (
    PROTOCOLS,
    as_bibtex,
    as_latex,
    deviations_of,
    escape_latex,
    limits_of,
    references_of,
    scores_of,
    usual_metric,
)
from lastviz.studies.metrics import METRICS
from lastviz.studies.statistics import friedman, nemenyi, standings
from lastviz.studies.study import AlgorithmChoice

WORKS = {**ESTIMATORS, **REGRESSORS}
NASTY = r"50 % of {a_b} & #1 ~ $x^2$ \\end{tabular}"


@pytest.fixture(scope="module")
def example():
    known = ExampleStudy()
    return known.study("", ""), known.folds("")


def body_of(text):
    """The rows between the first and the last rule, as lists of cells."""
    inside = text.split(r"\toprule")[1].split(r"\bottomrule")[0]
    rows = [line.strip() for line in inside.splitlines() if "&" in line]
    assert all(row.endswith(r" \\") for row in rows)
    return [re.split(r"(?<!\\) & ", row[:-3]) for row in rows]


def check_sound(text):
    """Braces and environments close; no sign that means something to LaTeX stands bare."""
    depth = 0
    for sign in re.findall(r"\\[{}]|[{}]", text):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    opened = []
    for what, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if what == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    bare = re.sub(r"\\[&%$#_{}]|\\\\|\$[^$]*\$", "", text)
    assert not set("%$#_~^") & set(bare)


@pytest.mark.parametrize("metric", ["accuracy", "leaves", "log_loss"])
def test_the_table_has_the_numbers_of_the_statistics(example, metric):
    study, folds = example
    metric = METRICS[metric]
    scores = scores_of(study, folds, metric)
    text = as_latex(study, scores, limits=limits_of(metric))
    check_sound(text)
    head, *rows, ranks = body_of(text)
    assert head == ["data set", *map(escape_latex, scores.algorithms)]
    found, tested = standings(scores), friedman(scores)
    assert [row[0] for row in rows] == list(map(escape_latex, scores.datasets))
    for d, (_, *cells) in enumerate(rows):
        for a, cell in enumerate(cells):
            printed = list(map(float, re.findall(r"-?\d+\.\d+", cell)))
            low, high = limits_of(metric)
            wanted = [found.mean[a, d]]
            if np.isfinite(found.low[a, d]):
                wanted += [max(found.low[a, d], low), min(found.high[a, d], high)]
            assert printed == [float(f"{value:.2f}") for value in wanted]
            assert (r"\textbf" in cell) == (found.best[d] == a)
            assert (r"\downarrow" in cell) == found.behind[a, d]
    assert ranks[1:] == [f"{rank:.2f}" for rank in tested.mean_ranks]
    assert f"{nemenyi(tested).critical_difference:.2f}." in text
    assert f"$p = {tested.p:.3g}$" in text


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_it_says_how_parameters_are_chosen(example, protocol):
    study, folds = example
    metric = METRICS["accuracy"]
    chosen = replace(study, protocol=protocol, inner_folds=4)
    text = as_latex(chosen, scores_of(study, folds, metric), limits=limits_of(metric))
    said = {key: sentence.format(inner=4) in text for key, sentence in PROTOCOLS.items()}
    assert said == {key: key == protocol for key in PROTOCOLS}


def test_names_cannot_break_out(example):
    study, folds = example
    algorithms = [replace(study.algorithms[0], name=NASTY), *study.algorithms[1:]]
    datasets = [replace(study.datasets[0], name=NASTY + "]"), *study.datasets[1:]]
    own = replace(study, name=NASTY, algorithms=tuple(algorithms), datasets=tuple(datasets))
    folds = folds.assign(
        algorithm=folds["algorithm"].replace(study.algorithms[0].name, NASTY),
        dataset=folds["dataset"].replace(study.datasets[0].name, NASTY + "]"),
    )
    text = as_latex(own, scores_of(own, folds, usual_metric(folds)))
    check_sound(text)
    assert text.count(r"\end{tabular}") == 1
    assert text.count(escape_latex(NASTY)) == 4


def test_too_few_for_ranks_is_said_and_all_that_is_cited_is_in_the_references(example):
    study, folds = example
    two = replace(study, algorithms=study.algorithms[:2])
    some = folds[folds["algorithm"].isin([each.name for each in two.algorithms])]
    text = as_latex(two, scores_of(two, some, usual_metric(some)))
    check_sound(text)
    assert "mean rank" not in text
    assert "at least three algorithms" in text
    with pytest.raises(ValueError, match="no root mean squared error"):
        scores_of(study, folds, METRICS["rmse"])
    text = as_latex(study, scores_of(study, folds, usual_metric(folds)))
    cited = {key for some in re.findall(r"\\cite\{(.*?)\}", text) for key in some.split(",")}
    assert cited == set(re.findall(r"@\w+\{([^,]+),", as_bibtex(study)))


PRINTED = {"textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<",
           "textgreater": ">", "textbar": "|"}  # fmt: skip


def printed(text):
    """What LaTeX prints of a text in which nothing but signs is asked for."""
    words = r"\\(text\w+)\{\}|\\([&%$#_{}])|\{\}"
    return re.sub(words, lambda m: PRINTED.get(m[1], m[2] or ""), text)


ODD = [f"{a}{b}{c}" for a, b, c in product(["", *string.punctuation], repeat=3)]


def test_every_name_is_printed_as_it_is(example):
    study, folds = example
    for name in ODD:
        text = escape_latex(name)
        check_sound(text)
        assert printed(text) == name
        assert not text.startswith(("[", "*")), "the row above would take it for its own"
        assert not re.search("--|``|''|[?!]`|[<>|]", text), "LaTeX makes another sign of them"
    names = dict(
        zip(folds["dataset"].unique(), ["[1, 2] a_b", "*c & %", "[x", "-- <d>"], strict=False)
    )
    folds = folds.assign(dataset=folds["dataset"].map(lambda name: names.get(name, name)))
    text = as_latex(study, scores_of(study, folds, usual_metric(folds)))
    assert not re.search(r"(\\\\|\\midrule)\s*[\[*]", text)


def test_the_references_of_every_algorithm_are_sound(example):
    keys = [key for key in RESULTS_VERSION if key in candidates()]
    choices = tuple(AlgorithmChoice(key, name=key) for key in keys)
    text = as_bibtex(replace(example[0], algorithms=choices))
    check_sound(text)
    entries = re.findall(r"@\w+\{([^,]+),", text)
    assert len(entries) == len(set(entries))
    assert {"lastviz", "pedregosa2011", "breiman1984", "demsar2006"} <= set(entries)


@pytest.mark.parametrize("key", WORKS)
def test_a_docstring_is_read_to_its_end(key):
    cls = WORKS[key].cls
    section = " ".join(cls.__doc__.split("----------\n")[-1].split())
    works = references_of(cls)
    assert works
    read = " ".join(
        f"{work.authors} ({work.year}). {work.title}." + (f" {work.rest}." if work.rest else "")
        for work in works
    )
    assert read in section
    assert cls.__doc__.count("Deviation:") == len(deviations_of(key))
    assert not any("Deviation:" in each for each in deviations_of(key))


def test_lastviz_is_cited_as_its_file_has_it():
    entry, words = _citation.as_bibtex(), _citation.in_words()
    for field in ("authors", "title", "version"):
        assert _citation.citation_fields()[field] in entry
        assert _citation.citation_fields()[field] in words
    from lastviz import __version__
    from lastviz._places import PACKAGE

    assert _citation.citation_fields()["version"] == __version__
    readme = " ".join((PACKAGE.parent / "README.md").read_text(encoding="utf-8").split())
    assert words in readme


def test_the_command_writes_both_files(tmp_path, monkeypatch, capsys):
    study = tmp_path / "small.toml"
    study.write_text(
        'name = "Small"\nfolds = 2\n[[algorithms]]\nkey = "cart"\n[[algorithms]]\nkey = "k_nn"\n'
        '[[datasets]]\nkey = "iris"\n'
    )
    store = ["--store", f"sqlite:///{tmp_path / 'store.sqlite'}"]
    monkeypatch.delenv("LASTVIZ_OWNER", raising=False)
    assert main([*store, "run", str(study), "--workers", "1"]) == 0
    for ending, wanted in (("tex", r"\begin{tabular}{lrr}"), ("bib", "@misc{pedregosa2011,")):
        file = tmp_path / f"small.{ending}"
        assert main([*store, "export", "Small", str(file)]) == 0
        assert wanted in file.read_text(encoding="utf-8")
    assert main([*store, "export", "Small", str(tmp_path / "small.doc")]) == 1
    assert ".tex or .bib" in capsys.readouterr().err
