"""Ready-made scenes: each is a link and what there is to see in it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl

from lastviz.estimators import ESTIMATORS

from . import session
from .codec import decode
from .selection import Model, Pairs, Selection, changed
from .values import OwnRule

__all__ = ["PRESETS", "Preset", "grown_by"]


@dataclass(frozen=True)
class Preset:
    """A scene of the home page.

    Attributes
    ----------
    key : str
    title, text : str
        What it is and what there is to see, in English.
    link : str
        The query string that opens it.
    page : str
        The page that it opens, by the name of its file.
    """

    key: str
    title: str
    text: str
    link: str
    page: str = "boundaries"

    @property
    def query(self) -> dict[str, str]:
        """The link, part by part."""
        return dict(parse_qsl(self.link))

    def selection(self) -> Selection:
        """Return what the link says."""
        return decode(self.query, session.data_params, session.model_params)[0]


def grown_by(rule: OwnRule) -> Model:
    """Return the model whose trees grow by a rule of the reader's own."""
    given = {
        "criterion": "rule",
        "first": rule.first,
        "second": rule.second or "none",
        "second_weight": rule.weight,
        "k": rule.k,
        "last": rule.last or "none",
    }
    pairs: Pairs = ()
    for param in ESTIMATORS["hybrid"].cls.PARAMS:
        if param.name in given:
            pairs = changed(pairs, param, given[param.name])
    return Model("hybrid", pairs)


PRESETS = (
    Preset(
        "xor",
        "XOR: a greedy search stumbles",
        "No single cut tells these classes apart. CART cuts all the same and needs many "
        "pieces; C4.5 gives up at the root.",
        "data=xor&m=cart&m2=c45",
    ),
    Preset(
        "spirals",
        "Three spirals: stairs around a curve",
        "Every split is parallel to an axis, so a curve becomes a staircase: left a few steps, "
        "right as many as it takes.",
        "data=three_spirals&m=cart&m.max_leaf_nodes=20&m2=cart",
    ),
    Preset(
        "waveform",
        "Waveform: a slice through 21 dimensions",
        "Two features on the axes, all others fixed: the picture is exact, and a number says "
        "how many rows it tells the truth about.",
        "data=waveform&n_samples=1000&m=c45&m2=cart&x=x11&y=x15",
    ),
    Preset(
        "pruning",
        "Pruning: what was noise, what was structure?",
        "Two classes that overlap, C4.5 twice: left the tree as grown, right what "
        "error-based pruning leaves of it.",
        "data=gauss_2d&n_samples=1000"
        "&m=c45&m.pruning=none&m.mdl_correction=false&m2=c45&m2.mdl_correction=false",
    ),
    Preset(
        "oblique",
        "XOR with slanted lines",
        "Two hyperplanes do nearly all that CART needs twenty leaves for: OC1 searches for each of "
        "them, move by move. Watch it search.",
        "data=xor&m=cart&m2=oc1&detail=search",
    ),
    Preset(
        "waveform_oblique",
        "Waveform: sums of features",
        "No single feature says much here, a weighted sum does: GSODT finds its directions "
        "before it grows, C4.5 has to do without.",
        "data=waveform&n_samples=1000&m=c45&m2=gsodt",
    ),
    Preset(
        "bnm_xor",
        "XOR again: a criterion that sees clusters",
        "Left BNM and CSN, which look at distances between the rows of a class, right Gini, "
        "which does not. Ask every candidate why.",
        "data=xor&noise=0.05&n_samples=200&held=0&m=hybrid&m.k=30&m.w2=0.1&m2=cart&lab=panels",
        page="splits",
    ),
    Preset(
        "bnm_one_cluster",
        "One cluster a class: nothing to see for BNM",
        "Where every class is a single cloud, distances inside a class only pull the cut to an "
        "edge. The same criteria, and no help.",
        "data=blobs&held=0&m=hybrid&m.criterion=bnm&m.w2=0.05&m2=cart",
        page="splits",
    ),
    Preset(
        "latent",
        "Waveform, turned: a cut in another space",
        "In the features three classes lie over each other; in the space of the singular vectors "
        "they form a triangle, and one straight cut parts it.",
        "data=waveform&n_samples=900&seed=2&m=gsodt",
        page="latent",
    ),
    Preset(
        "growth_spirals",
        "Three spirals: one class leaves at a time",
        "An SVM tree peels off the class that is easiest to separate, then the next. The matrix "
        "says why, the picture how.",
        "data=three_spirals&m=svm_tree&m.sigma=18&m.C=100",
        page="growth",
    ),
    Preset(
        "growth_spreads",
        "Equally far, not equally easy",
        "Three classes with centres equally far apart. The distance of the centres cannot tell "
        "which one is easiest to separate; their spread can.",
        "data=two_spreads&m=svm_tree",
        page="growth",
    ),
    Preset(
        "growth_pruning",
        "Grown, then cut back",
        "C4.5 on classes that overlap, step by step: first every split, then every branch that "
        "pruning collapses or raises, with its reason.",
        "data=gauss_2d&n_samples=1000&m=c45&m.mdl_correction=false",
        page="growth",
    ),
    Preset(
        "cut_back",
        "How far back is far enough?",
        "A tree that fits every row, and all that it can be cut back to, judged by ten folds. "
        "Move the price of a leaf and watch borders go that were only noise.",
        "data=gauss_2d&n_samples=500&m=cart",
        page="pruning",
    ),
    Preset(
        "five_rows",
        "Five consistent rows, one contradiction",
        "No row contradicts another, the tree fits them all, and still it is not monotone: the "
        "audit finds two points that prove it.",
        "data=five_rows&held=0&m=remt&m.min_gain=0&part=audit",
        page="monotone",
    ),
    Preset(
        "monotone_noise",
        "Which rows break the order?",
        "Ordered classes with a few wrong labels: every pair that contradicts is counted, and each "
        "row has a degree of consistency.",
        "data=monotone&n_samples=500&label_noise=0.05&m=remt&inclusion=0.5",
        page="monotone",
    ),
    Preset(
        "numbers",
        "Numbers instead of classes",
        "A noisy sine, learnt by CART with ten leaves: the prediction is a staircase, each step "
        "the mean of its rows.",
        "data=noisy_sine&m=cart&r.max_leaf_nodes=10",
    ),
    Preset(
        "rules_cancer",
        "What the tree says, in rules",
        "Every leaf is a rule with its support, its confidence and what it covers. The black path "
        "is one sample on its way; type your own, leave out what is unknown.",
        "data=breast_cancer&m=c45&lit=20",
        page="rules",
    ),
    Preset(
        "textbook",
        "Fifteen loans, every sum written out",
        "The textbook's table, edited in place: gains, ratios, Gini, tree and pruning follow "
        "each cell, with the formula of every number.",
        "data=xor&lesson=tree",
        page="textbook",
    ),
)
