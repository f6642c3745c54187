"""Conclusions that the scores of a study allow, and those that they do not.

From a tidy table (:func:`study_scores`) to ranks, pairs of algorithms, single data sets,
posteriors and a conclusion in sentences. May import numpy, pandas and scipy alone. A new test
is a function from :class:`StudyScores` or from differences to a frozen result.
"""

from .conclusion import Statement, conclusion, describe_posterior
from .pairs import (
    PairTest,
    PairTests,
    SignedRankPosterior,
    StudentPosterior,
    compare_pairs,
    correlated_posterior,
    holm,
    median_shift,
    signed_rank_posterior,
)
from .ranks import (
    CorrectedT,
    Friedman,
    Nemenyi,
    Standings,
    corrected_t,
    friedman,
    nemenyi,
    standings,
)
from .study_scores import CannotTell, StudyScores, study_scores
