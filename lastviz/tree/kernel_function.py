"""Kernel functions: inner products after a map that is never written down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .kernel_machine_kernels import LINEAR, POLY, RBF

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
        """Return ``1 / (2 sigma^2)``, scikit-learn's gamma."""
        return 1.0 / (2.0 * self.sigma * self.sigma)

    def block(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Return K(a, b) for all rows of A (p, m) and B (q, m), shape (p, q)."""
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
        """Return K(a, a) for all rows of A (p, m), shape (p,)."""
        if self.code == RBF:
            return np.ones(len(A))
        squares = np.einsum("ij,ij->i", A, A)
        return squares if self.code == LINEAR else (1.0 + self.rate * squares) ** self.degree
