"""SODT: C4.5 in a latent space, global (GSODT) or local at the top levels (LSODT)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from lastviz._params import param, with_params
from lastviz._sentences import Refusal, Statement
from lastviz.builders import (
    LatentFamily,
    LatentGrowth,
    Stop,
    stop_below,
)
from lastviz.criteria import CRITERIA, Offered
from lastviz.latent import LATENT_SPACES
from lastviz.pruning.registry import CONFIDENCE, SUBTREE_RAISING
from lastviz.splitters import LatentSplitter, NodeContext, Presorted
from lastviz.splitters.edits import Edit, Without

from .base import MAX_DEPTH, MIN_SAMPLES_SPLIT, Recipe, Tags, edit_refusal
from .c45 import (
    AVERAGE_GAIN,
    BY_ERRORS,
    MDL_CORRECTION,
    SMALLEST_BRANCH,
    choice_of_c45,
    prune_by_errors,
    tree_of_c45,
)
from .reading import TrainingData, refuse_others, validate_data
from .tree_attributes import ENTROPY_IS_GAIN
from .tree_estimator import TreeClassifier


@with_params
class GSODTClassifier(TreeClassifier):
    """Global SODT: one latent space for the whole tree, in which C4.5 grows.

    The features are replaced by their components in a latent space; a threshold on a
    component is an oblique split in the features, and that is what the tree stores.

    Attributes
    ----------
    unlabelled_ : ndarray, shape (n_unlabelled, n_features)
        The rows without classes that took part.

    Notes
    -----
    O(n_features^2 n_samples) for the space, then as C4.5. Components that are zero for all
    rows are not offered. Positions closer than 1e-9 of a component's span count as equal. The order
    of the rows can decide between components or cuts that tie: it changes the rounding of the sums
    that make a space.

    Deviation: the basis is made canonical, so that a permutation of the rows changes nothing
    where singular values are equal, too; the paper's proof leaves signs and equal values
    open. Deviation: thresholds are midpoints; C4.5's cut at a training value depends on the
    sign of the axis. Deviation: the space is that of the training rows; figure 2 joins the rows
    to be classified, without their classes, which is ``unlabelled`` here. Deviation: the tree is
    pruned by C4.5's binomial limit, and eq (5) is ``pruning="error_based_normal"``, which hardly
    prunes. Deviation: a threshold has C4.5's price in bits, and only components of at least mean
    gain compete, of both of which the paper says nothing (``mdl_correction``, ``average_gain``).

    References
    ----------
    He, P., Xu, X. and Chen, L. (2009). Latent attribute space tree classifiers. Journal of
    Software 20(7), 1735-1745.
    """

    # fmt: off
    latent: str = param(
        str, "svd", choices=tuple(LATENT_SPACES), main=True, label="Latent space",
        help="Singular vectors, principal or independent components, or the features themselves.",
        doc="The singular vectors are those of the rows as they are (the paper), principal "
            'components those of the centred rows; "none" is C4.5.',
    )
    criterion: str = param(
        str, "gain_ratio", choices=Offered("sodt"), aliases=ENTROPY_IS_GAIN,
        label="Criterion", help="What decides between the features' best thresholds.",
        doc='Here and below the features are components. "entropy" says "gain", too; or a '
            "registered criterion, see :func:`lastviz.register_criterion`.",
    )
    pruning: str = param(
        str, "error_based", choices=("error_based", "error_based_normal", "none"), main=True,
        label="Pruning", help="How the grown tree is cut back.",
        doc="By a limit of the error rate: C4.5's binomial one, the normal one of the paper's eq "
            "(5); or not at all.",
    )
    confidence: float = replace(CONFIDENCE, main=True, needs=BY_ERRORS)
    subtree_raising: bool = replace(SUBTREE_RAISING, needs=BY_ERRORS)
    mdl_correction: bool = MDL_CORRECTION
    average_gain: bool = AVERAGE_GAIN
    max_depth: int | None = MAX_DEPTH
    min_samples_split: int = MIN_SAMPLES_SPLIT
    min_samples_leaf: int = SMALLEST_BRANCH
    # fmt: on
    TAGS = Tags(indicators=True, plain="c45")

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        unlabelled: ArrayLike | None = None,
        *,
        presorted: Presorted | None = None,
        edits: Iterable[Edit] = (),
        **others: object,
    ) -> Self:
        """Grow and prune a tree.

        Parameters
        ----------
        X : array-like or DataFrame, shape (n_samples, n_features)
            Finite numbers.
        y : array-like, shape (n_samples,)
            Classes.
        unlabelled : array-like or DataFrame, shape (n_unlabelled, n_features), optional
            Rows without classes that take part in finding the latent space (transduction):
            the model then depends on them.
        presorted : Presorted, optional
            The sorted columns of `X`; they are not needed, since components are sorted.
        edits : iterable of Edit, default ()
            What the tree is changed by, see :func:`lastviz.what_if`. A forced threshold lies
            along a component of its node's space.
        **others : object
            Anything else is refused.

        Raises
        ------
        TypeError
            If there is anything else, such as the weights of rows.
        ValueError
            If a parameter is out of range, `X` or `unlabelled` holds missing or infinite
            values or values whose squares overflow, their features differ, `presorted`
            belongs to other data, or an edit cannot be made.
        """
        refuse_others(self, others)
        for _ in self._steps(X, y, presorted, edits, at_once=True, unlabelled=unlabelled):
            pass
        return self

    def _read(
        self, X: object, y: object, presorted: Presorted | None, unlabelled: object = None
    ) -> TrainingData:
        data = super()._read(X, y, presorted)
        self._check_size("X", data.X)
        self.unlabelled_ = np.empty((0, data.X.shape[1]))
        if unlabelled is not None:
            self.unlabelled_ = validate_data(
                self, unlabelled, reset=False, dtype=np.float64, order="C", ensure_min_samples=0
            )
            self._check_size("unlabelled", self.unlabelled_)
        return data

    def _check_size(self, name: str, X: np.ndarray) -> None:
        """Refuse rows whose products with each other are beyond floating point."""
        largest = np.abs(X).max(initial=0.0)
        if self.latent != "none" and largest >= np.sqrt(np.finfo(np.float64).max / max(X.size, 1)):
            raise Refusal(
                "{name} is too large for a latent space, which sums squares of the values: "
                "they reach {largest:.3g}; scale the features (for instance divide each by its "
                "largest), or set latent='none'",
                name=name,
                largest=largest,
            )

    @property
    def criterion_column(self) -> str:
        """The criterion by which components compete."""
        return self._criterion

    def recipe(self, data: TrainingData) -> Recipe:
        """Recipe of SODT: C4.5 along the components of latent spaces."""
        X, y, n_classes = data.X, data.y, len(data.classes)
        choice, stop, levels = choice_of_c45(self), self._stop(), getattr(self, "levels", 1)

        def begin(stop: Stop, start: NodeContext | None = None) -> LatentGrowth:
            growth = LatentGrowth(
                X, y, n_classes, choice, stop, space=self.latent, levels=levels, start=start
            )
            growth.unlabelled = self.unlabelled_
            return growth

        def family() -> LatentFamily:
            return LatentFamily(
                X=X,
                y=y,
                n_classes=n_classes,
                choice=choice,
                unlabelled=self.unlabelled_,
                names=data.names,
                begin=lambda max_depth, start: begin(stop_below(stop, max_depth), start),
                tree_of=lambda growth: growth.tree(
                    data.names, data.classes, CRITERIA[self._criterion]
                ),
                refusal=partial(edit_refusal, stop=stop, own=_needs_all_features),
            )

        return Recipe(
            growth=lambda: begin(stop),
            tree=partial(tree_of_c45, self, data),
            splitter=lambda: LatentSplitter(X, y, n_classes, choice, self.grown_tree_),
            family=family,
            prune=partial(prune_by_errors, self, data),
        )


def _needs_all_features(edit: Edit) -> Statement | None:
    if isinstance(edit, Without):
        return Statement(
            "a latent space mixes all features; leave the column out of the data instead"
        )
    return None


@with_params
class LSODTClassifier(GSODTClassifier):
    """Local SODT: the nodes of the top levels have latent spaces of their own.

    A node of depth 0 .. `levels` - 1 finds the space of its own rows; deeper nodes inherit
    the last one. With one level this is GSODT.

    Notes
    -----
    A node that will be a leaf gets no space of its own; a raised one takes its space with it. Rows
    without classes that take part
    are sent down the tree and take part where they arrive. O(n_features^2 n_samples) for the spaces
    of a level, then as C4.5. The order of the rows can decide ties, and deviations are as in
    :class:`GSODTClassifier`.

    References
    ----------
    He, P., Xu, X. and Chen, L. (2009). Latent attribute space tree classifiers. Journal of
    Software 20(7), 1735-1745. Fig. 4.
    """

    # fmt: off
    levels: int | None = param(
        int, 1, low=1, none=True, slider=(1, 8, 1), main=True,
        label="Levels with spaces of their own",
        help="Nodes above this depth compute a latent space from their own rows; None: all "
             "nodes do. With 1 the tree is that of GSODT.",
    )
    # fmt: on
