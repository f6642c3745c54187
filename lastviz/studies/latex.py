"""A study for a paper: its table and how it was made as LaTeX, its references as BibTeX.

What is cited, and where an algorithm departs from its paper, stands in the docstring of its
estimator and is read from there; figures come from `statistics`.
"""

from __future__ import annotations

import inspect
import platform
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from lastviz import __version__, _citation
from lastviz._csv_writer import as_csv
from lastviz.estimators import ESTIMATORS, REGRESSORS

from .candidates import PEERS, title_of, version_of
from .metrics import METRICS, Metric
from .statistics import (
    CannotTell,
    Standings,
    StudyScores,
    compare_pairs,
    corrected_t,
    friedman,
    nemenyi,
    standings,
    study_scores,
)
from .study import AlgorithmChoice, Study

if TYPE_CHECKING:
    from .store import StudyStore


def comparable_folds(folds: pd.DataFrame) -> pd.DataFrame:
    """Folds by which algorithms are compared: of a grid the best point on test folds.

    Parameters
    ----------
    folds : DataFrame
        As :meth:`lastviz.studies.store.StudyStore.folds` returns them.

    Returns
    -------
    DataFrame
        Its rows that are done, one for each cell, repeat and fold: of several points of a grid
        that with the largest mean accuracy (numbers: the least mean error), of equal ones the
        first. Points with fewer folds than others of their cell do not count.
    """
    done = folds[folds["state"] == "done"]
    score = done["accuracy"].where(done["accuracy"].notna(), -done["rmse"])
    points = score.groupby([done["cell"], done["point"]]).agg(["size", "mean"])
    most = points["size"].groupby(level="cell").transform("max")
    best = points["mean"][points["size"] == most].groupby(level="cell").idxmax()
    keep = pd.MultiIndex.from_frame(done[["cell", "point"]]).isin(list(best))
    return done[keep].reset_index(drop=True)


def export(store: StudyStore, study_id: str, file: Path) -> int:
    """Write a study in the format of the file's ending.

    Its folds, its table as LaTeX, or its references as BibTeX.

    Returns the number of folds; ``ValueError`` for another ending.
    """
    folds = store.folds(study_id)
    if file.suffix == ".csv":
        file.write_text(as_csv(folds), encoding="utf-8", newline="")
    elif file.suffix == ".parquet":
        folds.to_parquet(file, index=False)
    elif file.suffix in (".tex", ".bib"):
        study, metric = (
            store.study(study_id, given=tuple(store.given(study_id))),
            usual_metric(folds),
        )
        text = as_bibtex(study)
        if file.suffix == ".tex":
            text = as_latex(study, scores_of(study, folds, metric), limits=limits_of(metric))
        file.write_text(text, encoding="utf-8")
    else:
        raise ValueError(f"A study is written as .csv, .parquet, .tex or .bib, not {file.name!r}.")
    return len(folds)


# ---------------------------------------------------------------- latex


PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")
LIBRARIES = {
    "scikit-learn": "Pedregosa, F. et al. (2011). Scikit-learn: machine learning in Python. "
    "Journal of Machine Learning Research 12, 2825-2830.",
    "lightgbm": "Ke, G. et al. (2017). LightGBM: a highly efficient gradient boosting decision "
    "tree. NeurIPS 30.",
}
TESTS = (corrected_t, friedman, compare_pairs)
PROTOCOLS = {
    "fixed": "The parameters are fixed.",
    "best_on_test": "Of each grid the point that is best on the test folds counts, which flatters.",
    "nested": "Each grid is searched by {inner} inner folds of the training rows alone.",
}
_NAME = r"(?:(?:van|der|de|von) )*[A-Z][\w'-]+(?:, (?:[A-Z]\. ?)*[A-Z]\.)?"
_REFERENCE = re.compile(rf"({_NAME}(?:(?:, | and ){_NAME})*(?: et al\.)?) \((\d{{4}})\)\. ")
_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}  # fmt: skip
_LIGATURE = re.compile("(?<=-)(?=-)|(?<=`)(?=`)|(?<=')(?=')|(?<=[?!])(?=`)")


@dataclass(frozen=True)
class Reference:
    """A work that a docstring names."""

    authors: str  # as they stand there; the rest is where it appeared
    year: str  # as they stand there; the rest is where it appeared
    title: str  # as they stand there; the rest is where it appeared
    rest: str  # as they stand there; the rest is where it appeared

    @property
    def key(self) -> str:
        """Citation key: the first author and the year."""
        return re.split("[, ]", self.authors)[0].lower() + self.year

    def as_bibtex(self) -> str:
        """BibTeX entry of the reference."""
        names = re.findall(_NAME, self.authors) + ["others"] * self.authors.endswith("et al.")
        fields = {
            "author": " and ".join(map(escape_latex, names)),
            "year": self.year,
            "title": "{" + escape_latex(self.title) + "}",
            "note": escape_latex(self.rest),
        }
        lines = [f"  {name} = {{{text}}},\n" for name, text in fields.items() if text]
        return f"@misc{{{self.key},\n{''.join(lines)}}}\n"


def escape_latex(text: str) -> str:
    r"""Text in which no sign means anything to LaTeX, nor to the command before it.

    Examples
    --------
    >>> escape_latex("50 % of a_b {x}")
    '50 \\% of a\\_b \\{x\\}'
    """
    plain = "".join(_SPECIAL.get(sign, sign) for sign in " ".join(text.split()))
    plain = _LIGATURE.sub("{}", plain)
    return f"{{}}{plain}" if plain.startswith(("[", "*")) else plain  # as of the end of a row


def references_in(text: str) -> list[Reference]:
    """Works that a text names, each as Authors (year). Title. Where."""
    found = list(_REFERENCE.finditer(text))
    ends = [each.start() for each in found[1:]] + [len(text)]
    made = []
    for each, end in zip(found, ends, strict=True):
        title, _, rest = text[each.end() : end].strip().rstrip(".").partition(". ")
        made.append(Reference(each[1], each[2], title, rest))
    return made


def references_of(documented: object) -> list[Reference]:
    """Works under References in a docstring."""
    section = (inspect.getdoc(documented) or "").partition("References\n----------\n")[2]
    return references_in(" ".join(section.partition("\n\n")[0].split()))


def deviations_of(key: str) -> list[str]:
    """An algorithm's deviations from its paper, as sentences of its docstring."""
    text = inspect.getdoc(_estimator(key)) or ""
    found = re.findall(r"Deviation:\s(.*?)(?=Deviation:\s|\n\n|\Z)", text, re.DOTALL)
    return [" ".join(each.replace("`", "").split()) for each in found]


def _estimator(key: str) -> type | None:
    entry = ESTIMATORS.get(key) or REGRESSORS.get(key)
    return entry.cls if entry else None


def _works(key: str) -> list[Reference]:
    cls = _estimator(key)
    return references_in(LIBRARIES[PEERS[key].package]) if cls is None else references_of(cls)


def scores_of(study: Study, folds: pd.DataFrame, metric: Metric) -> StudyScores:
    """Metric of a study's folds, shares as per cent.

    Parameters
    ----------
    study : Study
    folds : DataFrame
        As :meth:`lastviz.studies.store.StudyStore.folds` returns them.
    metric : Metric

    Raises
    ------
    ValueError
        If no fold has it.
    """
    runs = comparable_folds(folds)
    runs = runs[runs[metric.key].notna()]
    if not len(runs):
        raise ValueError(f"The study has no {metric.title} yet.")
    value = runs[metric.key].astype(np.float64) * (100.0 if metric.unit == "share" else 1.0)
    names = {
        part: [each.name for each in choices if each.name in set(runs[part])]
        for part, choices in (("algorithm", study.algorithms), ("dataset", study.datasets))
    }
    return study_scores(
        runs.assign(value=value),
        metric=metric_words(metric),
        larger_is_better=metric.larger_is_better,
        algorithms=names["algorithm"],
        datasets=names["dataset"],
    )


def metric_words(metric: Metric) -> str:
    """Name of a metric, with its unit if that is per cent."""
    return f"{metric.title}, %" if metric.unit == "share" else metric.title


def limits_of(metric: Metric) -> tuple[float, float]:
    """Least and the largest value that there can be, of shares in per cent."""
    low, high = metric.limits
    return (100.0 * low, 100.0 * high) if metric.unit == "share" else (low, high)


def usual_metric(folds: pd.DataFrame) -> Metric:
    """Default metric of a study: accuracy, or the RMSE for regression."""
    return METRICS["accuracy" if folds["accuracy"].notna().any() else "rmse"]


def as_latex(
    study: Study, scores: StudyScores, *, limits: tuple[float, float] = (-np.inf, np.inf)
) -> str:
    r"""Study as a table with its ranks and a paragraph about how it was made.

    Parameters
    ----------
    study : Study
    scores : StudyScores
        What is compared, see :func:`scores_of`.
    limits : (float, float), optional
        What no interval goes beyond.

    Returns
    -------
    str
        To be read by ``\input``; needs the package booktabs, and what :func:`as_bibtex` returns.
    """
    chosen = [each for each in study.algorithms if each.name in scores.algorithms]
    return "\n".join([*_table(study, scores, chosen, limits), "", *_method(study, chosen), ""])


def as_bibtex(study: Study) -> str:
    """BibTeX entries of a study's references: lastviz, its algorithms and its tests."""
    works = [work for choice in study.algorithms for work in _works(choice.key)]
    for test in TESTS:
        works += references_of(test)
    once = {work.key: work for work in reversed(works)}
    entries = [once[key].as_bibtex() for key in sorted(once)]
    return "\n".join([_citation.as_bibtex(), *entries])


def _table(
    study: Study,
    scores: StudyScores,
    chosen: Sequence[AlgorithmChoice],
    limits: tuple[float, float],
) -> Iterator[str]:
    found = standings(scores)
    low, high = np.maximum(found.low, limits[0]), np.minimum(found.high, limits[1])
    found = replace(found, low=low, high=high)
    yield "\\begin{table}"
    yield "  \\centering"
    runs = f"{study.repeats} times {study.folds} folds"
    words = f"{scores.metric} of {study.name}: means over {runs}, with 95 % intervals; bold is "
    caption = escape_latex(words)
    yield f"  \\caption{{{caption} the best mean, $\\downarrow$ significantly behind it.}}"
    yield f"  \\begin{{tabular}}{{l{'r' * len(chosen)}}}"
    yield "    \\toprule"
    yield "    " + _row(["data set", *(escape_latex(each.name) for each in chosen)])
    yield "    \\midrule"
    for d, name in enumerate(scores.datasets):
        cells = [_cell(found, a, d) for a in range(len(scores.algorithms))]
        yield "    " + _row([escape_latex(name), *cells])
    try:
        ranks = friedman(scores)
        away = nemenyi(ranks)
    except CannotTell as reason:
        tail = [f"  \\par {escape_latex(str(reason))}"]
    else:
        yield "    \\midrule"
        yield "    " + _row(["mean rank", *(f"{rank:.2f}" for rank in ranks.mean_ranks)])
        tail = [
            f"  \\par Friedman: $F = {ranks.f:.3g}$, $p = {ranks.p:.3g}$ on {len(ranks.datasets)} "
            f"data sets; critical difference of mean ranks (Nemenyi, 5 \\%): "
            f"{away.critical_difference:.2f}."
        ]
    yield "    \\bottomrule"
    yield "  \\end{tabular}"
    yield from tail
    yield "\\end{table}"


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(found: Standings, a: int, d: int) -> str:
    mean, low, high = found.mean[a, d], found.low[a, d], found.high[a, d]
    if not np.isfinite(mean):
        return "--"
    text = f"{mean:.2f}"
    text = f"\\textbf{{{text}}}" if found.best[d] == a else text
    text += f" {{\\scriptsize [{low:.2f}, {high:.2f}]}}" if np.isfinite(low) else ""
    return text + (r" $\downarrow$" if found.behind[a, d] else "")


def _method(study: Study, chosen: Sequence[AlgorithmChoice]) -> Iterator[str]:
    protocol = PROTOCOLS[study.protocol].format(inner=study.inner_folds)
    versions = [f"lastviz {__version__}", f"Python {platform.python_version()}"]
    versions += [f"{package} {version(package)}" for package in PACKAGES]
    tests = [
        work for test in (corrected_t, friedman, compare_pairs) for work in references_of(test)
    ]
    yield "\\paragraph{Method}"
    yield (
        escape_latex(
            f"{study.folds} stratified folds, {study.repeats} times, seed {study.seed}. {protocol} "
            f"Exported with {', '.join(versions)}"
        )
        + " \\cite{lastviz}."
    )
    yield f"Tests: \\cite{{{_keys(tests)}}}."
    yield "\\begin{description}"
    for choice in chosen:
        params = [f"{name} = {value}" for name, value in choice.params]
        params += [f"{name} from {', '.join(map(str, values))}" for name, values in choice.grid]
        about = f"{title_of(choice.key)}, figures of version {version_of(choice.key)}; "
        about += f"{'; '.join(params) or 'parameters as they are by default'}"
        works = _keys(_works(choice.key))
        yield f"  \\item[{{{escape_latex(choice.name)}}}] {escape_latex(about)} \\cite{{{works}}}."
        yield from (f"  Deviation: {escape_latex(each)}" for each in deviations_of(choice.key))
    yield "\\end{description}"


def _keys(works: Sequence[Reference]) -> str:
    return ",".join(dict.fromkeys(work.key for work in works))
