"""The folds of a study as tables: what is compared, and files of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from lastviz._csv_writer import as_csv

if TYPE_CHECKING:
    from .store import Store


def compared(folds: pd.DataFrame) -> pd.DataFrame:
    """Return the folds by which algorithms are compared: of a grid the best point on test folds.

    Parameters
    ----------
    folds : DataFrame
        As :meth:`lastviz.studies.store.Store.folds` returns them.

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


def export(store: Store, study_id: str, file: Path, owner: str = "") -> int:
    """Write a study by the file's ending: its folds, its table as LaTeX, its references as BibTeX.

    Returns the number of folds; ``ValueError`` for another ending.
    """
    folds = store.folds(study_id)
    if file.suffix == ".csv":
        file.write_text(as_csv(folds), encoding="utf-8", newline="")
    elif file.suffix == ".parquet":
        folds.to_parquet(file, index=False)
    elif file.suffix in (".tex", ".bib"):
        from .latex import as_bibtex, as_latex, limits_of, scores_of, usual_metric

        study, metric = (
            store.study(study_id, owner, tuple(store.given(study_id))),
            usual_metric(folds),
        )
        text = as_bibtex(study)
        if file.suffix == ".tex":
            text = as_latex(study, scores_of(study, folds, metric), limits=limits_of(metric))
        file.write_text(text, encoding="utf-8")
    else:
        raise ValueError(f"A study is written as .csv, .parquet, .tex or .bib, not {file.name!r}.")
    return len(folds)
