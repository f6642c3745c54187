"""What the scores of a study allow to conclude, and what they do not.

From a tidy table (:func:`study_scores`) to ranks, pairs of algorithms, single data sets,
posteriors and a conclusion in sentences. May import numpy, pandas and scipy alone. A new test
is a function from :class:`StudyScores` or from differences to a frozen result.
"""

from .conclusion import Statement, conclusion
from .descriptions import (
    describe_curves,
    describe_pairs,
    describe_posterior,
    describe_ranks,
    describe_sizes,
    describe_standings,
)
from .pairs import PairTest, PairTests, compare_pairs, holm, median_shift
from .posteriors import (
    SignedRankPosterior,
    StudentPosterior,
    correlated_posterior,
    signed_rank_posterior,
)
from .ranks import Friedman, Nemenyi, friedman, nemenyi
from .single_sets import CorrectedT, Standings, corrected_t, standings
from .study_scores import CannotTell, StudyScores, study_scores
