"""The SVM decision tree."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from lastviz._params import param, with_params
from lastviz._sentences import Refusal, Statement
from lastviz.builders import PeelGrowth, Sprout, nodewise_sprout
from lastviz.splitters import KernelSplitter, MachineChoice, NodeContext
from lastviz.splitters.edits import ClassSplit, Edit, ForcedSplit, Without
from lastviz.tree import FeatureScaling, KernelFunction
from lastviz.tree.kernel_machine_kernels import LINEAR, POLY
from lastviz.tree.kernel_splits import KERNEL_CODES

from .base import MAX_DEPTH, Recipe, family_of, seed, splitter_recipe
from .machine_settings import GrowthOnceChosen, choose_settings
from .reading import TrainingData
from .tree_estimator import TreeClassifier

LARGEST = 100.0  # decimal digits of a kernel value; its sums and products stay finite
# What "auto" compares; the first ones where others are as good. Widths are in units of "scale".
WIDTHS = (1.0, 2.0, 0.5, 0.25, 0.125)
PRICES = (10.0, 1.0, 100.0)
# Machines that only serve to compare settings need not be trained to the end.
MOST_ITER_COMPARED = 20_000


@with_params
class SVMTreeClassifier(TreeClassifier):
    """A tree of support vector machines, each of which peels one class off the others.

    The class that is easiest to separate goes first, so that errors, which all nodes below
    inherit, come late. With k classes there are k - 1 machines; each learns from all rows of
    the classes still in play.

    Attributes
    ----------
    scaling_ : FeatureScaling
        What is done to the features.
    sigma_ : float
        Width of the kernel, in the convention of `rbf_convention`; without effect on a linear
        one.
    C_ : float
    cross_validation_ : SettingsCrossValidation or None
        How `sigma_` and `C_` were chosen; None if both were given, or if every class has a
        single row, so that none can be held out: then they are those of "scale" and 1.

    Notes
    -----
    What is "auto" is chosen by cross-validation of the whole tree on the training rows: first
    the width under C = 10 (or the C that is given), then C under that width; of equal
    accuracies the first in the order above, C = 10 before 1 and 100. Five stratified folds of
    at most 1,000 rows, fewer folds from ten classes on, at least two.

    O(n_samples^2 n_features) for separability in memory that does not grow with n_samples^2;
    the machines take between O(n_samples^2) and O(n_samples^3). Prediction evaluates each
    support vector once: O(n_features n_support) a row.

    The class of a leaf is the one in play there, whatever the rows that stray into it.

    Deviation: ``predict_proba``, which the paper has not, are the shares of a leaf's rows, the
    largest on its class; a leaf without rows is certain.

    Deviation: the paper gives sigma and C by hand and does not scale; ``sigma=40.0, C=100.0``
    and the like do what it does.
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

    # fmt: off
    order: str = param(
        str, "separability", main=True, label="Order of the classes",
        choices=("separability", "separability_input", "natural", "euclidean", "groups"),
        help="Which class is split off first, or which groups of classes are separated.",
        doc="The most separable class in kernel space (eq 12) or in input space (eq 1), the first "
            "one, the one whose centre lies farthest from its nearest other centre; or two groups.",
    )
    linkage: str = param(
        str, "single", choices=("single", "average"), label="Linkage",
        help="How separable two groups of classes are: at their closest, or on average.",
        needs=("order", ("groups",)),
    )
    kernel: str = param(
        str, "rbf", choices=("rbf", "linear", "poly"), label="Kernel",
        help="The inner product in which the classes are separated.",
        doc="``exp(-|a - b|^2 / (2 sigma^2))``, ``a.b`` or ``(1 + a.b / (2 sigma^2))^degree``.",
    )
    scaling: str = param(
        str, "auto", choices=("auto", "standard", "none"), label="Scaling of the features",
        help="Auto standardises them unless sigma is a number in their units.",
        doc='"standard" gives each feature mean 0 and standard deviation 1 over the training rows, '
            '"none" leaves them; "auto" is "none" where `sigma` counts and is a number.',
    )
    sigma: float | str = param(
        float, "auto", low=0.0, low_open=True, high=1e15, choices=("auto", "scale"),
        slider=(0.5, 100.0, 0.5), main=True, label="Width of the kernel",
        help="Sigma; auto finds it by cross-validation, scale takes it from the variance.",
        doc='It has the units of the features as they are scaled, > 0; "scale" is the root of '
            'n_features x variance / 2 (scikit-learn\'s gamma="scale"); "auto" is chosen among 1, '
            "2, 1/2, 1/4 and 1/8 times that.",
        needs=("kernel", ("rbf", "poly")),
    )
    rbf_convention: str = param(
        str, "2s2", choices=("2s2", "s2"), label="Convention of sigma",
        help="Whether the kernel divides by two sigma squared or by sigma squared.",
        needs=("kernel", ("rbf", "poly")),
    )
    degree: int = param(
        int, 3, low=1, high=10, slider=(1, 6, 1), label="Degree",
        help="Of the polynomial kernel.", doc="From 1 to 10.", needs=("kernel", ("poly",)),
    )
    C: float | str = param(
        float, "auto", low=0.0, low_open=True, high=1e9, choices=("auto",), main=True,
        label="Price of slack C",
        help="Larger values forgive fewer rows; auto finds it by cross-validation.",
        doc='It is > 0; "auto" is chosen among 1, 10 and 100.',
    )
    bias: bool = param(
        bool, True, label="Bias",
        help="Machines with an intercept; the paper's tables are closer to those without.",
    )
    cross_term: int = param(
        int, -2, low=-2, high=-1, slider=(-2, -1, 1), label="Cross term",
        help="Factor in the distance of two centres: -2, or -1 as the paper prints it.",
        doc="It stands before the mixed sum in eq (9).",
        needs=("order", ("separability", "natural", "groups")),
    )
    max_iter: int = param(
        int, 1_000_000, low=1, high=1_000_000_000, label="Most iterations",
        help="A machine that needs more iterations is used unfinished, with a note.",
        doc="``tree_.kernel.converged`` says so.",
    )
    max_depth: int | None = MAX_DEPTH
    random_state: int | np.random.RandomState | None = seed(
        "Of the folds by which sigma and C are chosen.", "Random state"
    )
    # fmt: on

    SCORED = "separability"

    @property
    def criterion_column(self) -> str:
        """The criterion whose impurity the nodes carry; it chooses nothing here."""
        return "gini"

    @property
    def n_iter_(self) -> np.ndarray:
        """Iterations of each machine, shape (n_classes - 1,); `max_iter` if not converged."""
        return self.tree_.kernel.n_iter

    @property
    def standardises(self) -> bool:
        """Whether the features are standardised first."""
        has_unit = self.kernel != "linear" and not isinstance(self.sigma, str)
        return self.scaling == "standard" or (self.scaling == "auto" and not has_unit)

    def _kernel(self, Z: np.ndarray, sigma: float) -> KernelFunction:
        """Kernel of this width; refuse scaled rows `Z` whose values it cannot hold."""
        reach = np.log10(max(np.abs(Z).max(), 1.0))
        if reach < LARGEST / 2:
            width = sigma / np.sqrt(2.0) if self.rbf_convention == "s2" else sigma
            kernel = KernelFunction(KERNEL_CODES[self.kernel], float(width), self.degree)
            log_rate = 0.0 if kernel.code == LINEAR else max(np.log10(kernel.rate), 0.0)
            power = self.degree if kernel.code == POLY else 1
            if power * (2.0 * reach + np.log10(Z.shape[1]) + log_rate) < LARGEST:
                return kernel
        raise Refusal(
            "X is too large for the {kernel} kernel: its values reach {largest:.3g}; scale the "
            "features or raise sigma",
            kernel=self.kernel,
            largest=np.abs(Z).max(),
        )

    def _choice(
        self, Z: np.ndarray, scaling: FeatureScaling, sigma: float, C: float, max_iter: int
    ) -> MachineChoice:
        return MachineChoice(
            order=self.order,
            linkage=self.linkage,
            scaling=scaling,
            kernel=self._kernel(Z, sigma),
            C=C,
            bias=self.bias,
            cross_term=self.cross_term,
            max_iter=max_iter,
        )

    def recipe(self, data: TrainingData) -> Recipe:
        """Recipe of machines that peel off the classes, once their settings are chosen."""
        n_classes, stop = len(data.classes), self._stop()

        def splitter() -> KernelSplitter:
            Z = self.scaling_.apply(data.X)
            choice = self._choice(Z, self.scaling_, self.sigma_, self.C_, self.max_iter)
            return KernelSplitter(data.X, data.y, n_classes, choice)

        def begin() -> Generator[float, None, PeelGrowth]:
            as_it_is = FeatureScaling.none(data.X.shape[1])
            self.scaling_ = FeatureScaling.standard(data.X) if self.standardises else as_it_is
            yield from self._choose(self.scaling_.apply(data.X), data.y)
            return PeelGrowth(splitter(), data.y, n_classes, stop)

        def sprout(
            splitter: KernelSplitter, context: NodeContext, max_depth: int, _: object
        ) -> Sprout:
            return nodewise_sprout(
                splitter, data.y, n_classes, stop, context, max_depth, PeelGrowth
            )

        made = splitter_recipe(
            data,
            splitter,
            stop,
            self.criterion_column,
            growth=lambda: GrowthOnceChosen(begin(), len(data.y)),
        )
        return replace(
            made, family=lambda: family_of(data, splitter(), sprout, made.tree, _no_machine)
        )

    def _choose(self, Z: np.ndarray, y: np.ndarray) -> Generator[float, None, None]:
        """Set `sigma_`, `C_` and `cross_validation_` from the scaled training rows `Z`."""
        # sorted, so that the sum does not depend on the order of the rows
        width = float(np.sqrt(Z.shape[1] * np.sort(Z, axis=None).var() / 2.0)) or 1.0
        scale = width * (np.sqrt(2.0) if self.rbf_convention == "s2" else 1.0)
        sigmas, Cs = (scale,), PRICES if self.C == "auto" else (self.C,)
        if self.sigma == "auto" and self.kernel != "linear":
            sigmas = tuple(times * scale for times in WIDTHS)
        elif not isinstance(self.sigma, str):
            sigmas = (float(self.sigma),)
        found = None
        if len(sigmas) + len(Cs) > 2:
            as_it_is = FeatureScaling.none(Z.shape[1])
            max_iter = min(self.max_iter, MOST_ITER_COMPARED)
            found = yield from choose_settings(
                Z, y, sigmas, Cs,
                lambda sigma, C: self._choice(Z, as_it_is, sigma, C, max_iter),
                self.seed_,
            )  # fmt: skip
        self.cross_validation_ = found
        self.sigma_ = sigmas[0] if found is None else found.chosen.sigma
        if found is None:
            self.C_ = 1.0 if self.C == "auto" else float(self.C)
        else:
            self.C_ = float(found.chosen.C)


def _no_machine(edit: Edit) -> Statement | None:
    """Reason why machines cannot serve an edit, as a sentence; None if they can."""
    if isinstance(edit, Without):
        return Statement(
            "the machines of an SVM tree read all features at once; leave the column out"
        )
    if isinstance(edit, ForcedSplit) and not isinstance(edit.split, ClassSplit):
        return Statement(
            "an SVM tree splits by classes; choose the classes that go to the first child"
        )
    return None
