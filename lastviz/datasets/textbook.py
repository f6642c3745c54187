"""The two tables of the textbook chapter on decision trees: loans, and ten points on a curve."""

from __future__ import annotations

import pandas as pd

from .dataset import Dataset

SOURCE = "Li, Statistical Learning Methods, chapter 5"
_LEVELS = {
    "age": ("youth", "middle", "old"),
    "job": ("yes", "no"),
    "house": ("yes", "no"),
    "credit": ("very good", "good", "fair"),
}
# age, job, house, credit, class; one letter a level.
_LOANS = """\
y n n f no|y n n g no|y y n g yes|y y y f yes|y n n f no|m n n f no|m n n g no|m y y g yes|\
m n y v yes|m n y v yes|o n y v yes|o n y g yes|o y n g yes|o y n v yes|o n n f no"""
_CURVE = (4.50, 4.75, 4.91, 5.34, 5.80, 7.05, 7.90, 8.23, 8.70, 9.00)


def loan() -> Dataset:
    """Return table 5.1: whether 15 applicants get a loan, by age, job, house and credit."""
    rows = [row.split() for row in _LOANS.split("|")]
    columns = {}
    for place, (name, levels) in enumerate(_LEVELS.items()):
        by_letter = {level[0]: level for level in levels}
        values = [by_letter[row[place]] for row in rows]
        columns[name] = pd.Categorical(values, categories=list(levels))
    return Dataset(
        X=pd.DataFrame(columns),
        y=pd.Series([row[-1] for row in rows], name="class"),
        kinds=dict.fromkeys(_LEVELS, "nominal"),
        orders=_LEVELS,
        class_order=("yes", "no"),
        name="loan",
        description="15 loan applications: age, job, home ownership and credit.",
        source=f"{SOURCE}, table 5.1",
    )


def regression_5_2() -> Dataset:
    """Return table 5.2: ten points (x, y) for a regression tree."""
    return Dataset(
        X=pd.DataFrame({"x": range(1, 11)}),
        y=pd.Series(_CURVE, name="y"),
        task="regression",
        name="regression_5_2",
        description="Ten points for a regression tree by least squares.",
        source=f"{SOURCE}, table 5.2",
    )
