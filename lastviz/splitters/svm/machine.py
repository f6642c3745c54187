"""Support vector machines for two groups of rows: with a bias and without."""

from __future__ import annotations

import numpy as np
from sklearn.svm import SVC

from lastviz.splitters.search import Machine
from lastviz.tree.kernel_machine_kernels import POLY
from lastviz.tree.kernel_splits import KERNEL_CODES, KernelFunction

from .svm_kernels import descend

TOLERANCE = 1e-3  # largest violation of optimality, in units of f; libsvm's own default
CACHE_BYTES = 64 * 2**20  # columns of the kernel kept while a machine without a bias learns
_NAMES = {code: name for name, code in KERNEL_CODES.items()}


class _QuietSVC(SVC):
    """An SVC that says by ``fit_status_`` alone that it did not converge.

    Filters of warnings belong to the whole process, and machines may learn in threads.
    """

    def _warn_from_fit_status(self) -> None:
        """Leave the status to the caller."""


def train_machine(
    X: np.ndarray,
    positive: np.ndarray,
    kernel: KernelFunction,
    C: float,
    *,
    bias: bool,
    max_iter: int,
) -> Machine:
    """Machine that is positive on some rows and negative on the others.

    Parameters
    ----------
    X : ndarray of float64, shape (n, m)
        C order.
    positive : ndarray of bool, shape (n,)
        At least one row on each side.
    kernel : KernelFunction
    C : float
        Price of slack, > 0.
    bias : bool
        True: scikit-learn's SVC. False: no intercept and no equality constraint, by greedy
        coordinate descent in the dual.
    max_iter : int
        Most iterations; a machine that needs more is returned as it stands.

    Notes
    -----
    Between O(n^2 m) and O(n^3 m) in practice; O(n) memory beside a bounded cache.

    References
    ----------
    Gunn, S. R. (1998). Support vector machines for classification and regression. The
    machine without a bias is his toolbox's for the RBF kernel.
    """
    learn = _with_bias if bias else _without_bias
    return learn(X, positive, kernel, C, max_iter)


def _with_bias(
    X: np.ndarray, positive: np.ndarray, kernel: KernelFunction, C: float, max_iter: int
) -> Machine:
    model = _QuietSVC(
        C=C, kernel=_NAMES[kernel.code], gamma=kernel.rate, coef0=1.0, degree=kernel.degree,
        tol=TOLERANCE, max_iter=max_iter,
    ).fit(X, positive.astype(np.intp))  # fmt: skip
    order = np.argsort(model.support_)
    return Machine(
        rows=model.support_[order].astype(np.intp),
        dual_coef=model.dual_coef_[0][order].astype(np.float64),
        intercept=float(model.intercept_[0]),
        converged=model.fit_status_ == 0,
        n_iter=int(model.n_iter_[0]),
    )


def _without_bias(
    X: np.ndarray, positive: np.ndarray, kernel: KernelFunction, C: float, max_iter: int
) -> Machine:
    n = len(X)
    sign = np.where(positive, 1.0, -1.0)
    alpha = np.zeros(n)
    columns = np.empty((min(n, max(CACHE_BYTES // (8 * n), 1)), n))
    n_iter, converged = descend(
        X, sign, kernel.code, kernel.rate, kernel.degree, C, TOLERANCE, max_iter, columns, alpha
    )
    rows = np.flatnonzero(alpha > 0.0)
    return Machine(rows, (alpha * sign)[rows], 0.0, bool(converged), int(n_iter))


# ---- How far classes lie apart, in units of their spread: in input space and in kernel space
#
# An entry depends on its two classes alone, so a class that is peeled off is masked: the
# matrix of the others need not be computed again.


BLOCK = 128  # most rows of a block of the kernel matrix, which stays in the cache
# Multiplications of a block up to which BLAS keeps to one thread: several of them mostly wait
# for each other on a busy machine.
BLOCK_PRODUCTS = 2**18
ROUNDING = 64 * np.finfo(np.float64).eps


def centre_distances(X: np.ndarray, y: np.ndarray, n_classes: int) -> np.ndarray:
    """Euclidean distances of the class centres, infinite on the diagonal.

    Parameters
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
    y : ndarray of intp, shape (n_samples,)
        Class indices; every class has a row.
    n_classes : int

    Returns
    -------
    ndarray, shape (n_classes, n_classes)
        Eq (2). O(n_samples n_features).
    """
    centres = _centres(X, y, n_classes)
    distances = np.sqrt(np.square(centres[:, None] - centres[None]).sum(axis=2))
    np.fill_diagonal(distances, np.inf)
    return distances


def input_separability(X: np.ndarray, y: np.ndarray, n_classes: int) -> np.ndarray:
    """Separability of every two classes in input space, eq (1) with (4).

    Parameters and result are those of :func:`centre_distances`. Eq (4) is a variance, so the
    ratio has the unit of a length's inverse: only its ranking means something.
    """
    squares = np.square(X - _centres(X, y, n_classes)[y]).sum(axis=1)
    return _ratio(centre_distances(X, y, n_classes), _spread(squares, y, n_classes))


def kernel_separability(
    X: np.ndarray, y: np.ndarray, n_classes: int, kernel: KernelFunction, cross_term: int = -2
) -> np.ndarray:
    """Separability of every two classes in kernel space, eq (12).

    Parameters
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
    y : ndarray of intp, shape (n_samples,)
        Class indices; every class has a row.
    n_classes : int
    kernel : KernelFunction
    cross_term : {-2, -1}, default -2
        Factor of the mixed sum in eq (9); -1 is what the paper prints.

    Returns
    -------
    ndarray, shape (n_classes, n_classes)
        Infinite on the diagonal, and where two classes without spread lie apart; 0 where
        their centres coincide.

    Notes
    -----
    O(n_samples^2 n_features) time in symmetric blocks; memory for one block and for
    n_samples x n_classes sums.

    Deviation: the factor is -2 where the paper prints -1, with which two equal classes lie
    apart. Deviation: a class of one row has spread 0, where eq (11) divides by 0.

    References
    ----------
    Shi, Wang, Zhao and Yang (2006), eq (9) to (12).
    """
    distances, spread = kernel_distances(X, y, n_classes, kernel, cross_term)
    return _ratio(distances, spread)


def kernel_distances(
    X: np.ndarray, y: np.ndarray, n_classes: int, kernel: KernelFunction, cross_term: int = -2
) -> tuple[np.ndarray, np.ndarray]:
    """Distances of the class centres (k, k), eq (9), and the spreads (k,), eq (11)."""
    if kernel.code != POLY and cross_term == -2:
        X = X - X.mean(axis=0)  # changes no distance, and saves the digits of an offset
    sizes = np.bincount(y, minlength=n_classes).astype(np.float64)
    sums = _sums_by_class(X, y, n_classes, kernel)
    members = np.zeros((len(y), n_classes))
    members[np.arange(len(y)), y] = 1.0
    products = (members.T @ sums) / np.outer(sizes, sizes)
    own = np.diagonal(products)
    squared = own[:, None] + cross_term * (products + products.T) / 2 + own[None]
    distances = np.sqrt(_clipped(squared, own[:, None] + own[None]))
    diagonal = kernel.diagonal(X)
    to_centre = diagonal - 2.0 * sums[np.arange(len(y)), y] / sizes[y] + own[y]
    roots = np.sqrt(_clipped(to_centre, diagonal + own[y]))
    np.fill_diagonal(distances, np.inf)
    return distances, _spread(roots, y, n_classes)


def _sums_by_class(
    X: np.ndarray, y: np.ndarray, n_classes: int, kernel: KernelFunction
) -> np.ndarray:
    """Sum of K(x, z) over the rows z of each class, shape (n_samples, n_classes)."""
    n = len(X)
    members = np.zeros((n, n_classes))
    members[np.arange(n), y] = 1.0
    sums = np.zeros((n, n_classes))
    side = min(BLOCK, max(int(np.sqrt(BLOCK_PRODUCTS / X.shape[1])), 32))
    blocks = [slice(begin, min(begin + side, n)) for begin in range(0, n, side)]
    for i, rows in enumerate(blocks):
        for columns in blocks[i:]:
            values = kernel.block(X[rows], X[columns])
            sums[rows] += values @ members[columns]
            if columns != rows:
                sums[columns] += values.T @ members[rows]
    return sums


def _clipped(squared: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Squared distances, 0 where they are within rounding error.

    The error is that of the values from which they were computed.
    """
    return np.where(squared <= ROUNDING * np.abs(scale), 0.0, squared)


def _centres(X: np.ndarray, y: np.ndarray, n_classes: int) -> np.ndarray:
    offset = X.mean(axis=0)
    sums = np.stack([(X[y == c] - offset).sum(axis=0) for c in range(n_classes)])
    return sums / np.bincount(y, minlength=n_classes)[:, None] + offset


def _spread(values: np.ndarray, y: np.ndarray, n_classes: int) -> np.ndarray:
    """Sum of each class's values over its size less one; 0 for a class of one row."""
    sizes = np.bincount(y, minlength=n_classes)
    totals = np.bincount(y, weights=values, minlength=n_classes)
    return np.where(sizes > 1, totals / np.maximum(sizes - 1, 1), 0.0)


def _ratio(distances: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Ratio d / (s_i + s_j) with 0 / 0 = 0 and d / 0 = inf, infinite on the diagonal."""
    both = spread[:, None] + spread[None]
    out = np.where(distances > 0, np.inf, 0.0)
    np.divide(distances, both, out=out, where=both > 0)
    np.fill_diagonal(out, np.inf)
    return out
