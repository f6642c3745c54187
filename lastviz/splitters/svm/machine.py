"""Support vector machines for two groups of rows: with a bias and without."""

from __future__ import annotations

import numpy as np
from sklearn.svm import SVC

from lastviz.splitters.splits import Machine
from lastviz.tree.kernel_function import KERNEL_CODES, KernelFunction

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
    """Return the machine that is positive on some rows and negative on the others.

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
