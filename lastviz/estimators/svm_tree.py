"""The SVM decision tree."""

from __future__ import annotations

import numpy as np

from lastviz._params import Param
from lastviz.builders import PeelGrowth, Stop
from lastviz.criteria import CRITERIA
from lastviz.splitters import KernelSplitter, MachineChoice, Presorted
from lastviz.tree import KernelFunction, Tree
from lastviz.tree.kernel_function import KERNEL_CODES
from lastviz.tree.kernel_machine_kernels import LINEAR, POLY

from .base import MAX_DEPTH, TreeClassifier

__all__ = ["SVMTreeClassifier"]

LARGEST = 100.0  # decimal digits of a kernel value; its sums and products stay finite


class SVMTreeClassifier(TreeClassifier):
    """A tree of support vector machines, each of which peels one class off the others.

    The class that is easiest to separate goes first, so that errors, which all nodes below
    inherit, come late. With k classes there are k - 1 machines; each learns from all rows of
    the classes still in play.

    Parameters
    ----------
    order : {"separability", "separability_input", "natural", "euclidean", "groups"}, \
default "separability"
        Which class is peeled off: the most separable one in kernel space (eq 12) or in input
        space (eq 1), the first one, the one whose centre lies farthest from its nearest
        other centre; or which two groups of classes part.
    linkage : {"single", "average"}, default "single"
        How separable two groups are: as their least separable classes, or on average.
    kernel : {"rbf", "linear", "poly"}, default "rbf"
        ``exp(-|a - b|^2 / (2 sigma^2))``, ``a.b`` or ``(1 + a.b / (2 sigma^2))^degree``.
    sigma : float or "scale", default "scale"
        Width of the kernel in the units of the features, > 0; "scale" is the square root of
        n_features x variance / 2 (scikit-learn's gamma="scale").
    rbf_convention : {"2s2", "s2"}, default "2s2"
        Whether sigma squared is doubled in the formulas above.
    degree : int, default 3
        Of the polynomial kernel, from 1 to 10.
    C : float, default 1.0
        Price of slack, > 0.
    bias : bool, default True
        True: the ordinary machine. False: without an intercept, closest to the paper's tables.
    cross_term : int, default -2
        Factor of the mixed sum in eq (9); -1 is what the paper prints.
    max_iter : int, default 1000000
        Most iterations of a machine; what does not converge is used as it stands, and
        ``tree_.kernel.converged`` says so.
    max_depth : int or None, default None

    Notes
    -----
    O(n_samples^2 n_features) for separability in memory that does not grow with n_samples^2;
    the machines take between O(n_samples^2) and O(n_samples^3). Prediction evaluates each
    support vector once: O(n_features n_support) a row.

    The class of a leaf is the one in play there, whatever the rows that stray into it; so
    there is no ``predict_proba``.

    Deviation: the factor of eq (9) is -2, with which two equal classes have distance 0.
    Deviation: the paper names no rule for equal separabilities, which two classes always have
    that are each other's nearest; here their next smallest entries decide, then the lower
    class.

    References
    ----------
    Shi, Z., Wang, X., Zhao, S. and Yang, J. (2006). An improved SVM decision tree
    classification algorithm. Takahashi, F. and Abe, S. (2002). Decision-tree-based multiclass
    support vector machines (groups of classes).
    """

    PARAMS = (
        Param(
            "order", str, "separability", main=True, label="Order of the classes",
            choices=("separability", "separability_input", "natural", "euclidean", "groups"),
            help="Which class is peeled off first, or which groups of classes part.",
        ),
        Param(
            "linkage", str, "single", choices=("single", "average"), label="Linkage",
            help="How separable two groups of classes are: at their closest, or on average.",
            needs=("order", ("groups",)),
        ),
        Param(
            "kernel", str, "rbf", choices=("rbf", "linear", "poly"), label="Kernel",
            help="The inner product in which the classes are parted.",
        ),
        Param(
            "sigma", float, "scale", low=0.0, low_open=True, high=1e6, choices=("scale",),
            slider=(0.5, 100.0, 0.5), main=True, label="Width of the kernel",
            help="Sigma, in the units of the features; scale takes it from their variance.",
            needs=("kernel", ("rbf", "poly")),
        ),
        Param(
            "rbf_convention", str, "2s2", choices=("2s2", "s2"), label="Convention of sigma",
            help="Whether the kernel divides by two sigma squared or by sigma squared.",
            needs=("kernel", ("rbf", "poly")),
        ),
        Param(
            "degree", int, 3, low=1, high=10, slider=(1, 6, 1), label="Degree",
            help="Of the polynomial kernel.", needs=("kernel", ("poly",)),
        ),
        Param(
            "C", float, 1.0, low=0.0, low_open=True, high=1e9, main=True,
            label="Price of slack C", help="Larger values forgive fewer rows.",
        ),
        Param(
            "bias", bool, True, label="Bias",
            help="Machines with an intercept; the paper's tables are closer to those without.",
        ),
        Param(
            "cross_term", int, -2, low=-2, high=-1, slider=(-2, -1, 1), label="Cross term",
            help="Factor in the distance of two centres: -2, or -1 as the paper prints it.",
            needs=("order", ("separability", "natural", "groups")),
        ),
        Param(
            "max_iter", int, 1_000_000, low=1, high=1_000_000_000, label="Most iterations",
            help="A machine that needs more is used as it stands, and says so.",
        ),
        MAX_DEPTH,
    )  # fmt: skip

    def __init__(
        self,
        order="separability",
        linkage="single",
        kernel="rbf",
        sigma="scale",
        rbf_convention="2s2",
        degree=3,
        C=1.0,
        bias=True,
        cross_term=-2,
        max_iter=1_000_000,
        max_depth=None,
    ):
        self.order = order
        self.linkage = linkage
        self.kernel = kernel
        self.sigma = sigma
        self.rbf_convention = rbf_convention
        self.degree = degree
        self.C = C
        self.bias = bias
        self.cross_term = cross_term
        self.max_iter = max_iter
        self.max_depth = max_depth

    @property
    def criterion_column(self) -> str:
        """The criterion whose impurity the nodes carry; it chooses nothing here."""
        return "gini"

    @property
    def predict_proba(self) -> None:
        """Not offered: a leaf's class is not the most frequent one of its rows."""
        raise AttributeError("SVMTreeClassifier has no predict_proba: its leaves hold no shares")

    @property
    def n_iter_(self) -> np.ndarray:
        """Iterations of each machine, shape (n_classes - 1,); `max_iter` if not converged."""
        return self.tree_.kernel.n_iter

    def kernel_function(self, X: np.ndarray) -> KernelFunction:
        """Return the kernel with its width in numbers, for the training rows `X`.

        Raises
        ------
        ValueError
            If kernel values would be too large for floating point.
        """
        reach = np.log10(max(np.abs(X).max(), 1.0))
        if reach < LARGEST / 2:
            kernel = KernelFunction(KERNEL_CODES[self.kernel], self._width(X), self.degree)
            log_rate = 0.0 if kernel.code == LINEAR else max(np.log10(kernel.rate), 0.0)
            power = self.degree if kernel.code == POLY else 1
            if power * (2.0 * reach + np.log10(X.shape[1]) + log_rate) < LARGEST:
                return kernel
        raise ValueError(
            f"X is too large for the {self.kernel} kernel: its values reach "
            f"{np.abs(X).max():.3g}; scale the features or raise sigma"
        )

    def _width(self, X: np.ndarray) -> float:
        sigma = self.sigma
        if sigma == "scale":
            # Sorted first, so that the sum does not depend on the order of the rows.
            sigma = np.sqrt(X.shape[1] * np.sort(X, axis=None).var() / 2.0) or 1.0
        return float(sigma / np.sqrt(2.0) if self.rbf_convention == "s2" else sigma)

    def _choice(self, X: np.ndarray) -> MachineChoice:
        return MachineChoice(
            order=self.order,
            linkage=self.linkage,
            kernel=self.kernel_function(X),
            C=self.C,
            bias=self.bias,
            cross_term=self.cross_term,
            max_iter=self.max_iter,
        )

    def _splitter(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None = None
    ) -> KernelSplitter:
        return KernelSplitter(X, y, len(self.classes_), self._choice(X))

    def _growth(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> PeelGrowth:
        depth = -1 if self.max_depth is None else self.max_depth
        stop = Stop(depth, 2, max_leaf_nodes=0)
        return PeelGrowth(self._splitter(X, y), y, len(self.classes_), stop)

    def _tree(self, growth: PeelGrowth, feature_names: tuple[str, ...]) -> Tree:
        return growth.tree(feature_names, self.classes_, CRITERIA["gini"])
