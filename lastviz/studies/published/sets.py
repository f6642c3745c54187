"""The data sets of the papers: where each comes from, and why some cannot be had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

NOTHING: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True)
class PrintedSet:
    """A data set of a paper."""

    name: str  # as the paper prints it
    title: str  # as people read it
    key: str = ""  # of `lastviz.datasets.DATASETS`, where it is bundled or generated; else ""
    # Parameters of its generator, as the paper has them.
    params: Mapping[str, object] = field(default_factory=lambda: NOTHING)
    one_class: int | None = None  # the class, by position, that is told from the rest
    # Name of the CSV, without its ending, that is looked for in the folder LASTVIZ_DATA; "" where
    # the paper's own generator makes it.
    file: str = ""
    openml: int = 0  # its number at OpenML; 0 if it is not known there
    note: str = ""  # what is different, or why it cannot be had; "" for nothing
    # Columns of numbers that the paper calls symbolic; nominal and ordinal ones it does anyway.
    symbolic: tuple[str, ...] = ()

    @property
    def is_public(self) -> bool:
        """Whether the data set is available to anybody."""
        return bool(self.key or self.file)


def _generated(name: str, title: str, key: str, **params: object) -> PrintedSet:
    return PrintedSet(name, title, key, MappingProxyType(params))


def _wave(place: int) -> PrintedSet:
    params = MappingProxyType({"n_samples": 5000})
    title = f"Waveform, class {place} against the rest"
    return PrintedSet(f"waveform{place}_R", title, "waveform", params, place)


def _large(place: int, rows: int, features: int, classes: int) -> PrintedSet:
    large = _generated(
        f"LargeSet{place}", f"LargeSet{place}", "monotone_large",
        n_samples=rows, n_features=features, n_classes=classes,
    )  # fmt: skip
    integers = range(features // 2 + 1, features + 1)  # the second half takes 0, 1, ..., 10
    return replace(large, symbolic=tuple(f"x{i}" for i in integers))


SODT = (
    PrintedSet("spectf", "Spectf", file="spectf", note="The paper has 266 rows of 267."),
    PrintedSet("bupa", "Bupa", file="bupa"),
    PrintedSet("pima", "Pima diabetes", file="pima", openml=37),
    PrintedSet("vehicle", "Vehicle", file="vehicle", openml=54),
    PrintedSet("vowel", "Vowel", file="vowel", openml=307, note="The paper has 989 rows of 990."),
    PrintedSet(
        "satellite", "Satellite", file="satellite", openml=182,
        note="The paper has the 4,435 training rows; OpenML has all 6,430.",
    ),
    _generated("gauss_2D", "Two Gaussians", "gauss_2d", n_samples=5000),
    _generated("waveform", "Waveform", "waveform", n_samples=5000),
    _generated("waveformnoise", "Waveform, noise", "waveform_noise", n_samples=5000),
    _generated("twonorm", "Twonorm", "twonorm", n_samples=7400),
    _generated("ringnorm", "Ringnorm", "ringnorm", n_samples=7400),
    _generated("threenorm", "Threenorm", "threenorm", n_samples=7400),
)  # fmt: skip

BNM_CSN = (
    PrintedSet("diabetes", "Pima diabetes", file="pima", openml=37),
    PrintedSet("yeast_banlance", "Yeast, two classes", file="yeast_balance",
               note="Which classes of yeast are taken together is not printed."),
    PrintedSet("Diabetic", "Diabetic retinopathy", file="diabetic",
               note="The paper prints 1,762 rows; the public file has 1,151."),
    PrintedSet("Algerian_Forest_Fires", "Algerian forest fires", file="algerian"),
    PrintedSet("data_banknote_authentication", "Banknotes", file="banknote", openml=1462),
    PrintedSet("adult", "Adult", file="adult", openml=1590,
               note="The paper has the 32,561 training rows, as 108 columns of numbers; OpenML "
               "has all 48,842."),
    PrintedSet("Raisin_Dataset", "Raisins", file="raisin"),
    PrintedSet("KnuggetChase3", "Knugget chase (KC3)", file="kc3",
               note="The paper has 194 rows, a cleaned version."),
    PrintedSet("sonar", "Sonar", file="sonar", openml=40),
    _wave(1),
    _wave(0),
    _wave(2),
    PrintedSet("appendicitis", "Appendicitis", file="appendicitis"),
    PrintedSet("australian", "Australian credit", file="australian", openml=40981),
    PrintedSet("german", "German credit", file="german", openml=31),
    PrintedSet("bupa", "Bupa", file="bupa"),
    PrintedSet("banana", "Banana", file="banana", openml=1460),
    PrintedSet("ecoil2", "Ecoli, class 2 against the rest", file="ecoli2",
               note="Its name is misprinted."),
    PrintedSet("ecoil3", "Ecoli, class 3 against the rest", file="ecoli3",
               note="Its name is misprinted."),
    PrintedSet("divorce", "Divorce", file="divorce"),
    PrintedSet("Occupancy_estimation", "Occupancy", file="occupancy",
               note="Four counts of people; here nobody against somebody."),
    _generated("XOR", "Four clusters (XOR)", "xor", n_samples=200),
)  # fmt: skip

GRADES = (
    "clump_thickness", "cell_size", "cell_shape", "adhesion", "epithelial_size", "bare_nuclei",
    "bland_chromatin", "normal_nucleoli", "mitoses",
)  # fmt: skip

MCDF = (
    *(
        _generated(f"Set{i + 1}", f"Set{i + 1}", "monotone", n_samples=1000, n_classes=2 * (i + 1))
        for i in range(4)
    ),
    PrintedSet("wine", "Wine", "wine"),
    PrintedSet("score", "Score", note="The marks of a university's students are not public."),
    PrintedSet("breast_w", "Breast cancer, Wisconsin", file="breast-w", openml=15,
               symbolic=GRADES),
    PrintedSet("car", "Car evaluation", file="car", openml=40975),
    PrintedSet("german", "German credit", file="german", openml=31),
    PrintedSet("adult", "Adult, 500 rows", file="adult500",
               note="Which 500 rows the paper drew is not printed."),
    PrintedSet("australian", "Australian credit", file="australian", openml=40981),
    PrintedSet("cpu", "Computer hardware", file="cpu",
               note="The paper has 7 features and 5 classes that it does not describe."),
    _large(1, 100_000, 8, 5),
    _large(2, 100_000, 12, 8),
    _large(3, 100_000, 48, 8),
    _large(4, 500_000, 8, 5),
    _large(5, 500_000, 12, 8),
    _large(6, 500_000, 48, 8),
)  # fmt: skip

SVM_TREE = (
    _generated("three_spirals", "Three spirals", "three_spirals", n_samples=720),
    PrintedSet("wine", "Wine", "wine", note="Not scaled."),
)

PRINTED_SETS: dict[str, tuple[PrintedSet, ...]] = {
    "sodt": SODT,
    "bnm_csn": BNM_CSN,
    "mcdf": MCDF,
    "svm_tree": SVM_TREE,
}


def printed_set(paper: str, name: str) -> PrintedSet:
    """Data set of a paper by its printed name.

    Raises
    ------
    ValueError
        If the paper does not have it.
    """
    for each in PRINTED_SETS.get(paper, ()):
        if each.name == name:
            return each
    raise ValueError(f"{paper} has no data set {name!r}")
