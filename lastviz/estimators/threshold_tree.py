"""What the classifiers share whose splits are thresholds of single features."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from lastviz.builders import SplitterFamily, Sprout, ThresholdGrowth, stop_below
from lastviz.splitters import NodeContext, Presorted, ThresholdSplitter, Unsorted, presort
from lastviz.splitters.threshold.choice_kernels import Choice

from .base import TreeClassifier


class ThresholdTreeClassifier(TreeClassifier):
    """Base of the classifiers whose splits are thresholds of single features."""

    def splitter_on(
        self, presorted: Presorted | Unsorted, y: np.ndarray, n_classes: int
    ) -> ThresholdSplitter:
        """Return the splitter of this algorithm on any data; `y` holds class indices."""
        directions = self._directions(presorted.n_features)
        return ThresholdSplitter(presorted, y, n_classes, self._choice(), directions)

    @abstractmethod
    def _choice(self) -> Choice:
        """Return how splits are chosen."""

    def _directions(self, n_features: int) -> np.ndarray | None:
        """Return the direction of each feature, None where the criterion does not ask for it."""
        return None

    def _growth(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> ThresholdGrowth:
        return self._growth_on(presort(X) if presorted is None else presorted, y)

    def _growth_on(self, presorted: Presorted, y: np.ndarray, n_jobs: int = 1) -> ThresholdGrowth:
        """Return the growth of the tree on sorted columns, not begun."""
        return ThresholdGrowth(
            presorted,
            y,
            len(self.classes_),
            self._choice(),
            self._stop(),
            self._directions(presorted.n_features),
            n_jobs,
        )

    def _family(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> SplitterFamily:
        return super()._family(X, y, presort(X) if presorted is None else presorted)

    def _sprout(
        self,
        splitter: ThresholdSplitter,
        y: np.ndarray,
        context: NodeContext,
        max_depth: int,
        without: tuple[int, ...],
    ) -> Sprout:
        presorted, left = splitter.presorted, None
        here = presorted.take(context.rows)
        directions = self._directions(presorted.n_features)
        if without:
            left = np.delete(np.arange(presorted.n_features), without)
            here = here.with_features(left)
            directions = None if directions is None else np.asarray(directions)[left]
        growth = ThresholdGrowth(
            here,
            y[context.rows],
            len(self.classes_),
            self._choice(),
            stop_below(self._stop(), max_depth, context.depth),
            directions,
            n_scale=presorted.n_samples,
        )
        return Sprout(growth, context.rows, left)

    def _splitter(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None
    ) -> ThresholdSplitter:
        data = Unsorted(X) if presorted is None else presorted
        return self.splitter_on(data, y, len(self.classes_))
