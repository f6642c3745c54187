"""Statements about latent spaces: decomposed anew by numpy, and gone through row by row."""

from functools import cached_property
from itertools import combinations
from types import SimpleNamespace
from unittest.mock import DEFAULT, patch

import numpy as np
from scipy.stats import binom

from lastviz.estimators import ESTIMATORS
from lastviz.latent import LATENT_SPACES
from lastviz.plots import number
from lastviz.ui.compute.work import Work
from lastviz.ui.latent import details, figures, page, words
from lastviz.ui.latent.scene import latent_scene
from lastviz.ui.text import CannotShow
from tests.sentences.rows import Kind, Look, drawn, percent, selected

LATENT = "ui/latent/"


def scene_of(link):
    return latent_scene(Work(selected(link)))


def sentences(link):
    return words.sentences(scene_of(link))


def card(link):
    return [] if link == "none" else [words.split_card(scene_of(link), "light")]


def short(value):
    return number(float(f"{value:.3g}"))


class Space(Look):
    """A node of a model in the space of its rows, by the singular value decomposition."""

    def __init__(self, link):
        super().__init__(link)
        picked = self.selection.models[0].node_in(self.tree)
        self.node = picked or 0
        self.names = list(self.divided.X.columns)

    @cached_property
    def begins(self):
        """The node whose rows made the space: the highest one with the same basis."""
        node, basis = self.node, self.tree.basis_id
        while node and basis[self.tree.parent[node]] == basis[node]:
            node = int(self.tree.parent[node])
        return node

    def rows_at(self, node):
        return [row for row in self.train if self.leaf_is_below(node, row)]

    @cached_property
    def here(self):
        return self.rows_at(self.node)

    @cached_property
    def parts(self):
        """Singular values and right singular vectors, each with its largest weight above 0."""
        _, values, vectors = np.linalg.svd(self.values[self.rows_at(self.begins)], False)
        signs = [np.sign(v[np.abs(v).argmax()]) for v in vectors]
        return values, vectors * np.reshape(signs, (-1, 1))

    @cached_property
    def shares(self):
        values = self.parts[0]
        return values**2 / sum(values**2)

    @cached_property
    def weights(self):
        return self.tree.oblique.weights[self.tree.split_row[self.node]]

    @cached_property
    def component(self):
        """The vector along which the split goes."""
        away = [abs(v @ self.weights) / np.linalg.norm(self.weights) for v in self.parts[1]]
        assert max(away) > 1 - 1e-9
        return int(np.argmax(away))

    @cached_property
    def heavy(self):
        weights = self.parts[1][self.component]
        return sorted(range(len(weights)), key=lambda f: -abs(weights[f]))

    @cached_property
    def latent(self):
        return self.values[self.here] @ self.parts[1].T

    def nearest(self, places):
        """The share of rows nearer to the mean of the others of their class than to other means.

        In units of the spread of each column.
        """
        places, y = places / places.std(axis=0), self.y[self.here]
        found = 0.0
        for row, place in enumerate(places):
            others = np.arange(len(y)) != row
            away = {
                k: np.linalg.norm(place - places[others & (y == k)].mean(axis=0)) for k in set(y)
            }
            near = [k for k in away if away[k] <= min(away.values()) + 1e-9]
            found += (y[row] in near) / len(near)
        return found / len(y)

    def best(self, places):
        """The two columns in which most rows lie nearest to their own mean, the first of equals."""
        found = {pair: self.nearest(places[:, pair]) for pair in
                 combinations(range(places.shape[1]), 2)}  # fmt: skip
        return max(found, key=lambda pair: (round(found[pair], 9), [-p for p in pair])), found

    @property
    def splits(self):
        return bool(self.tree.n_children[self.node])


def title(space="svd"):
    return LATENT_SPACES[space].title


def space_of(link):
    return [] if link == "none" else [{"space": title(), "node": Space(link).begins}]


def explains_less(link):
    """What the component of the split explains and separates, and what the first does."""
    look = Space(link)
    if not look.splits or not look.component:
        return []
    own = look.component
    alone = [look.nearest(look.latent[:, [c]]) for c in (own, 0)]
    return [{"name": f"u{own + 1}", "share": percent(look.shares[own]), "own": short(alone[0]),
             "longest": "u1", "most": percent(look.shares[0]), "its": short(alone[1])}]  # fmt: skip


def not_centred(link):
    return [{}] if Space(link).splits else []


def of_units(link):
    look = Space(link)
    first = abs(look.parts[1][0])
    heavy = int(first.argmax())
    if len(look.names) < 3 or first[heavy] < 0.95 or look.shares[0] < 0.9:
        return []
    return [{"name": "u1", "feature": look.names[heavy], "share": percent(look.shares[0])}]


def beside_best(link):
    with patch.object(figures, "show"):
        return drawn("ui.latent.figures", figures.best_pairs, scene_of(link), "light") if (
            link != "none") else []  # fmt: skip


def largest_class(link):
    if link == "none":
        return []
    look = Space(link)
    return [{"base": short(max(np.bincount(look.y[look.here])) / len(look.here))}]


def by_hand(link):
    look = Space(link)
    if not look.splits:
        return []
    away = [abs(v @ look.weights) / np.linalg.norm(look.weights) for v in look.parts[1]]
    return [{}] if max(away) < 1 - 1e-6 else []


# How a space was found, and what all rows change in it


def warned(scene):
    converged, identifiable, space = scene
    basis = SimpleNamespace(converged=converged, identifiable=identifiable, space=space)
    return words.warnings_of(basis)


def not_converged(scene):
    return [] if scene[0] else [{}]


def not_identified(scene):
    return [] if scene[1] else [{}]


def all_or_labelled(link):
    """What is said of the model that looks on all rows."""
    if link == "none":
        return []
    with patch.multiple(details, show=DEFAULT, st=DEFAULT) as screen:
        details.labelled_or_all(Work(selected(link)))
    return [screen["show"].call_args.args[0]]


def looks_on(link):
    if link == "none":
        return []
    divided = Work(selected(link)).first.division
    n = len(divided.train_rows)
    return [{"all": number(n + len(divided.held_out_rows)), "labelled": number(n)}]


def rows_that_change(link):
    divided = Work(selected(link)).first.division
    found = [Work(selected(f"{link}&unlabelled={word}")).first.estimator for word in
             ("false", "true")]  # fmt: skip
    held = divided.held_out_rows
    right = [model.tree_.predict(divided.values[held]) == divided.y[held] for model in found]
    gained = sum(bool(b) and not a for a, b in zip(*right, strict=True))
    lost = sum(bool(a) and not b for a, b in zip(*right, strict=True))
    return gained, lost


def sign_test(link):
    if link == "none":
        return []
    gained, lost = rows_that_change(link)
    n = gained + lost
    p = min(1.0, 2 * binom.cdf(min(gained, lost), n, 0.5))
    return [{"gained": number(gained), "lost": number(lost), "p": number(float(f"{p:.2g}"))}]


def no_pictures(link):
    try:
        page.slide_blocks(Work(selected(link)), "light")
    except CannotShow as reason:
        return [str(reason)]
    return []


def searches_features(link):
    title = ESTIMATORS[selected(link).models[0].key].title
    return [{"title": title, "others": "GSODT and LSODT"}] if "sodt" not in link else []


def at(part, text, told, twin, true, never):
    return Kind(LATENT + part, text, told, twin, tuple(true), never)


def link(data, m="gsodt", more=""):
    return f"data={data}&m={m}{more}"


WIDE = (link("iris", "lsodt"), link("wine", "gsodt", "&scaling=standard"),
        link("waveform", "lsodt", "&n_samples=150"))  # fmt: skip
LONG = (link("wine"), link("wine", "lsodt", "&seed=2"), link("wine", "gsodt", "&held=0.5"))
FLAT = (link("moons"), link("gauss_2d", "lsodt", "&held=0.9"), link("xor", "lsodt"))
LEAF = link("iris", "gsodt", "&node=1")
ROWS = [
    at("words.py::split_card", "The space ({space})", card, space_of,
       [WIDE[0], *(link("waveform", "lsodt", f"&n_samples=300&m.levels={more}")
                   for more in ("3", "3&node=1", "2&node=3", "2&node=4"))], "none"),
    at("words.py::warnings_of", "ICA did not converge", warned, not_converged,
       ((False, True, "ica"), (False, False, "ica"), (False, True, "pca")), (True, False, "ica")),
    at("words.py::warnings_of", "cannot be distinguished from normal", warned, not_identified,
       ((True, False, "ica"), (False, False, "ica"), (True, False, "pca")), (False, True, "ica")),
    at("words.py::split_card", "made by hand", card, by_hand,
       (link("iris", "gsodt", "&e=O1_1_2_1_9"), link("iris", "lsodt", "&e=O1_1_4_3_8"),
        link("moons", "gsodt", "&e=O1_1_2_1_0.2")), WIDE[0]),
    at("words.py::_about_share", "The split takes", sentences, explains_less,
       (WIDE[0], WIDE[1], link("moons"), link("gauss_2d", "lsodt", "&held=0.9")), [LONG[0], LEAF]),
    at("words.py::sentences", "not of the variance", sentences, not_centred, WIDE, LEAF),
    at("words.py::_about_units", "is nearly {feature} alone", sentences, of_units, LONG, WIDE[1]),
    at("figures.py::best_pairs", "Always naming the largest class", beside_best, largest_class,
       (WIDE[0], LONG[0], FLAT[0]), "none"),
    at("details.py::labelled_or_all", "valid for these held-out rows only", all_or_labelled,
       looks_on, WIDE, "none"),
    at("details.py::_chance", "become right and", all_or_labelled, sign_test,
       (link("wine", "lsodt"), link("waveform", "gsodt", "&n_samples=150"),
        link("moons", "gsodt", "&n_samples=100&noise=0.4"), link("iris", "gsodt", "&held=0.1")),
       "none"),
    at("page.py::_no_space", "searches for splits in the original", no_pictures, searches_features,
       (link("iris", "cart"), link("moons", "c45"), link("wine", "oc1")), WIDE[0]),
]  # fmt: skip
