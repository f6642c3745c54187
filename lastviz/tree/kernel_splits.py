"""Splits by a kernel machine, stored as one table per tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .kernel_machine_kernels import LINEAR, POLY, RBF, decide_rows

KERNEL_CODES = {"linear": LINEAR, "rbf": RBF, "poly": POLY}


@dataclass(frozen=True)
class KernelFunction:
    """A kernel with its parameters."""

    # 0 linear `a.b`, 1 rbf `exp(-|a - b|^2 / (2 sigma^2))`, 2 poly `(1 + a.b / (2
    # sigma^2))^degree`.
    code: int
    sigma: float  # in the units of the features, > 0; always in the convention with 2 sigma^2
    degree: int

    @property
    def rate(self) -> float:
        """``1 / (2 sigma^2)``, scikit-learn's gamma."""
        return 1.0 / (2.0 * self.sigma * self.sigma)

    def block(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """K(a, b) for all rows of A (p, m) and B (q, m), shape (p, q)."""
        products = A @ B.T
        if self.code == LINEAR:
            return products
        if self.code == POLY:
            products *= self.rate
            products += 1.0
            return products**self.degree
        products *= -2.0
        products += np.einsum("ij,ij->i", A, A)[:, None]
        products += np.einsum("ij,ij->i", B, B)
        np.maximum(products, 0.0, out=products)
        products *= -self.rate
        return np.exp(products, out=products)

    def diagonal(self, A: np.ndarray) -> np.ndarray:
        """K(a, a) for all rows of A (p, m), shape (p,)."""
        if self.code == RBF:
            return np.ones(len(A))
        squares = np.einsum("ij,ij->i", A, A)
        return squares if self.code == LINEAR else (1.0 + self.rate * squares) ** self.degree


# ---- Features in units of their own: what is taken off each, and what it is divided by


@dataclass(frozen=True, eq=False)
class FeatureScaling:
    """A map of each feature: ``(x - offset) / scale``."""

    offset: np.ndarray  # (n_features,) float64, in the units of the features
    scale: np.ndarray  # (n_features,) float64, in the units of the features, > 0

    @classmethod
    def none(cls, n_features: int) -> FeatureScaling:
        """Map that leaves all features as they are."""
        return cls(np.zeros(n_features), np.ones(n_features))

    @classmethod
    def standard(cls, X: np.ndarray) -> FeatureScaling:
        """Map to mean 0 and standard deviation 1 over the rows of `X` (n, n_features).

        A feature with one value goes to 0. The order of the rows changes nothing, not by a bit.
        """
        rising = np.sort(X, axis=0)
        lowest, highest = rising[0], rising[-1]
        # Squares of a share of the largest value neither overflow nor vanish.
        unit = np.maximum(np.abs(lowest), np.abs(highest))
        unit[unit == 0.0] = 1.0
        shares = rising / unit
        scale = np.where(lowest < highest, shares.std(axis=0) * unit, 0.0)
        offset = np.where(lowest < highest, shares.mean(axis=0) * unit, lowest)
        return cls(offset, np.where(scale > 0.0, scale, 1.0))

    def apply(self, X: np.ndarray) -> np.ndarray:
        """Scaled rows of `X`, shape (..., n_features), in C order."""
        X = np.asarray(X, np.float64)
        with np.errstate(over="ignore"):
            Z = np.ascontiguousarray((X - self.offset) / self.scale)
            if np.isinf(Z).any():  # the difference overflows; its parts in the new unit need not
                Z = np.where(np.isinf(Z), X / self.scale - self.offset / self.scale, Z)
        return Z

    def direction(self, vector: np.ndarray) -> np.ndarray:
        """Difference of two places (n_features,) as the difference of their images."""
        return vector / self.scale

    def same(self, other: FeatureScaling) -> bool:
        """Whether `other` is the same map, bit for bit."""
        return np.array_equal(self.offset, other.offset) and np.array_equal(self.scale, other.scale)


# ---------------------------------------------------------------- kernel splits

# Multiplications in one product while a grid is decided: the block stays in the cache, and BLAS
# in one thread; at this size several of them mostly wait for each other on a busy machine.
BLOCK_PRODUCTS = 2**18
SMALLEST = -340.0  # exponents below it count as none: subnormal products are slow
FLOAT32_REACH = 1e3  # largest exponent that 32 bits carry to 1e-4


@dataclass(frozen=True, eq=False)
class KernelSplits:
    """The kernel machines of a tree; rows with ``f(x) > 0`` go first.

    ``f(x) = sum over e of dual_coef[e] K(vectors[index[e]], z(x)) + intercept`` with the entries
    ``start[s] <= e < start[s + 1]`` of machine s and z the scaled features. Each support vector
    is stored once, however many machines it supports.
    """

    # From the features to those that the kernel reads; places are given in the former.
    scaling: FeatureScaling
    kernel: KernelFunction
    # (n_vectors,) intp, rows of the training data that support any machine, rising.
    rows: np.ndarray
    vectors: np.ndarray  # (n_vectors, n_features) float64, these rows, scaled
    start: np.ndarray  # (n_splits + 1,) intp
    index: np.ndarray  # (n_entries,) intp
    # (n_entries,) float64, multiplier times +1 (classes of the first child) or -1.
    dual_coef: np.ndarray
    intercept: np.ndarray  # (n_splits,) float64
    # (n_splits, n_classes) bool, classes of the first child: the one peeled off, or a group of
    # them.
    first: np.ndarray
    second: np.ndarray  # (n_splits, n_classes) bool, classes of the second child
    converged: np.ndarray  # (n_splits,) bool
    n_iter: np.ndarray  # (n_splits,) intp

    def __len__(self) -> int:
        return len(self.intercept)

    def entries(self, split: int) -> slice:
        """Slice of `index` with the support vectors of machine `split`."""
        return slice(int(self.start[split]), int(self.start[split + 1]))

    def decide(self, X: np.ndarray) -> np.ndarray:
        """Values of f of every machine for rows X (n, n_features): (n, n_splits).

        A row's values do not depend on the rows beside it, not by a bit. All machines share
        the kernel values: O(n (n_vectors n_features + n_entries)).
        """
        X = self.scaling.apply(X)
        out = np.empty((len(X), len(self)))
        decide_rows(
            X, self.vectors, self.kernel.code, self.kernel.rate, self.kernel.degree,
            self.start, self.index, self.dual_coef, self.intercept, out,
        )  # fmt: skip
        return out

    def decide_plane(
        self, x: np.ndarray, y: np.ndarray, origin: np.ndarray, across: np.ndarray, up: np.ndarray
    ) -> np.ndarray:
        """Values of f of every machine on a grid in a plane, for pictures.

        Shape (n_splits, q, p).

        Parameters
        ----------
        x, y : ndarray, shape (p,) and (q,)
        origin, across, up : ndarray, shape (n_features,)
            The places are ``origin + x across + y up``.

        Notes
        -----
        Along axes at right angles, once scaled, an RBF kernel is a product of a factor of x and
        a factor of y: (p + q) n_vectors exponentials and one matrix product a machine, in 64
        bits. Else see :meth:`decide_grid`.
        """
        origin = self.scaling.apply(origin)
        across, up = self.scaling.direction(across), self.scaling.direction(up)
        if self.kernel.code == RBF and abs(across @ up) <= 1e-12 * np.sqrt(
            (across @ across) * (up @ up)
        ):
            return self._rbf_plane(x, y, origin, across, up)
        places = (origin + np.outer(y, up))[:, None] + np.outer(x, across)
        decided = self._grid(places.reshape(-1, len(origin)))
        return decided.T.reshape(-1, len(y), len(x))

    def _rbf_plane(
        self, x: np.ndarray, y: np.ndarray, origin: np.ndarray, across: np.ndarray, up: np.ndarray
    ) -> np.ndarray:
        """Values of f of every RBF machine on a grid in a plane.

        |o + x a + y b - v|^2 = |a|^2 (x - x_v)^2 + |b|^2 (y - y_v)^2 + the part off the
        plane.

        Each of the three terms is positive, so no factor overflows.
        """
        gap, factors = self.vectors - origin, []
        off = gap.copy()
        for places, axis in ((x, across), (y, up)):
            length = float(axis @ axis)
            along = gap @ axis / length if length > 0 else np.zeros(len(gap))
            off -= np.outer(along, axis)
            exponent = -self.kernel.rate * length * np.subtract.outer(places, along) ** 2
            factors.append(np.where(exponent < SMALLEST, 0.0, np.exp(exponent)))
        exponent = -self.kernel.rate * np.square(off).sum(axis=1)
        constant = np.where(exponent < SMALLEST, 0.0, np.exp(exponent))
        out = np.empty((len(self), len(y), len(x)))
        for split in range(len(self)):
            here = self.entries(split)
            index = self.index[here]
            weighted = factors[1][:, index] * (constant[index] * self.dual_coef[here])
            np.matmul(weighted, factors[0][:, index].T, out=out[split])
            out[split] += self.intercept[split]
        return out

    def decide_grid(self, X: np.ndarray) -> np.ndarray:
        """Values of :meth:`decide` to about four digits, faster, for pictures.

        One block of kernel values serves all machines; in 32 bits where that is enough.
        """
        return self._grid(self.scaling.apply(X))

    def _grid(self, X: np.ndarray) -> np.ndarray:
        """As :meth:`decide_grid`, for scaled places."""
        coef = np.zeros((len(self.vectors), len(self)))
        for split in range(len(self)):
            here = self.entries(split)
            coef[self.index[here], split] = self.dual_coef[here]
        if self.kernel.code == LINEAR:
            return X @ (self.vectors.T @ coef) + self.intercept
        if self.kernel.code == RBF:
            return self._rbf_grid(X, coef)
        out = np.empty((len(X), len(self)))
        for rows in self._blocks(len(X)):
            out[rows] = self.kernel.block(X[rows], self.vectors) @ coef
        return out + self.intercept

    def _rbf_grid(self, X: np.ndarray, coef: np.ndarray) -> np.ndarray:
        """The exponent -|x - v|^2 rate is one product: [x, |x|^2, 1] [2v, -1, -|v|^2]'."""
        scale = np.sqrt(self.kernel.rate)
        centre = self.vectors.mean(axis=0)
        left, right = (X - centre) * scale, (self.vectors - centre) * scale
        squares = np.square(left).sum(axis=1), np.square(right).sum(axis=1)
        reach = max(part.max(initial=0.0) for part in squares)
        dtype = np.float32 if reach <= FLOAT32_REACH else np.float64
        ones = np.ones(len(X))
        left = np.column_stack([left, squares[0], ones]).astype(dtype)
        right = np.column_stack([2.0 * right, -np.ones(len(right)), -squares[1]]).astype(dtype)
        coef, right = coef.astype(dtype), np.ascontiguousarray(right.T)
        out = np.empty((len(X), len(self)))
        for rows in self._blocks(len(X)):
            values = left[rows] @ right
            np.exp(values, out=values)
            out[rows] = values @ coef
        return out + self.intercept

    def _blocks(self, n: int) -> list[slice]:
        size = max(BLOCK_PRODUCTS // max((self.vectors.shape[1] + 2) * len(self.vectors), 1), 16)
        return [slice(begin, begin + size) for begin in range(0, n, size)]


NO_MACHINES = KernelSplits(
    scaling=FeatureScaling.none(0),
    kernel=KernelFunction(LINEAR, 1.0, 1),
    rows=np.empty(0, dtype=np.intp),
    vectors=np.empty((0, 0)),
    start=np.zeros(1, dtype=np.intp),
    index=np.empty(0, dtype=np.intp),
    dual_coef=np.empty(0),
    intercept=np.empty(0),
    first=np.empty((0, 0), dtype=bool),
    second=np.empty((0, 0), dtype=bool),
    converged=np.empty(0, dtype=bool),
    n_iter=np.empty(0, dtype=np.intp),
)
"""The table of a tree without kernel machines."""


def walk(first_child: np.ndarray, split_row: np.ndarray, decided: np.ndarray) -> np.ndarray:
    """Node where each row stops in a tree of kernel nodes, given all decision values.

    Parameters
    ----------
    first_child, split_row : ndarray of intp, shape (n_nodes,)
    decided : ndarray, shape (n, n_splits)

    Returns
    -------
    ndarray of intp, shape (n,)
        O(n n_nodes).
    """
    stops = np.zeros(len(decided), dtype=np.intp)
    for node in np.flatnonzero(first_child >= 0):
        here = np.flatnonzero(stops == node)
        goes_second = ~(decided[here, split_row[node]] > 0.0)
        stops[here] = first_child[node] + goes_second
    return stops


def live_classes(
    first_child: np.ndarray, split_row: np.ndarray, kernel: KernelSplits, n_classes: int
) -> np.ndarray:
    """Mask of the classes in play at each node, shape (n_nodes, n_classes)."""
    live = np.ones((len(first_child), n_classes), dtype=bool)
    for node in np.flatnonzero(first_child >= 0) if len(kernel) else ():
        live[first_child[node]] = kernel.first[split_row[node]]
        live[first_child[node] + 1] = kernel.second[split_row[node]]
    return live
