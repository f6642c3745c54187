"""Statements about latent spaces: decomposed anew by numpy, and gone through row by row."""

from functools import cached_property, partial
from itertools import combinations
from types import SimpleNamespace
from unittest.mock import MagicMock, patch

import numpy as np
from scipy.stats import binom

from lastviz.estimators import ESTIMATORS
from lastviz.latent import LATENT_SPACES
from lastviz.plots import number
from lastviz.ui.compute.work import Work
from lastviz.ui.latent import details, page, words
from lastviz.ui.latent.scene import latent_scene
from lastviz.ui.text import CannotShow
from tests.sentences.rows import Kind, Look, count, percent, selected

LATENT = "ui/latent/"


def scene_of(link):
    return latent_scene(Work(selected(link)))


def sentences(link):
    return words.sentences(scene_of(link))


def place(link):
    return [words.place_words(scene_of(link))]


def card(link):
    return [words.split_card(scene_of(link), "light")]


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


def one_space(link):
    look = Space(link)
    return [{"space": title()}] if len(look.tree.bases) == 1 else []


def own_space(own, link):
    look = Space(link)
    if len(look.tree.bases) == 1 or (look.begins == look.node) is not own:
        return []
    rows = count(len(look.rows_at(look.begins)), "row", "rows")
    return [{"space": title(), "rows": rows} | ({} if own else {"node": look.begins})]


def asks_for(link):
    look = Space(link)
    if not look.splits:
        return []
    weights = look.parts[1][look.component]
    parts = [f"{look.names[f]} ({weights[f]:+.3g})".replace("-", "−") for f in look.heavy[:2]]
    n = count(int((abs(weights) > 1e-12).sum()), "term", "terms")
    return [{"name": f"u{look.component + 1}", "n": n, "parts": " and ".join(parts)}]


def explains(link):
    """What the component of the split explains and separates, and what the first does."""
    look = Space(link)
    if not look.splits:
        return {}
    own = look.component
    about = {"name": f"u{own + 1}", "share": percent(look.shares[own])}
    if not own:
        return {"that explains most": about}
    alone = [look.nearest(look.latent[:, [c]]) for c in (own, 0)]
    values = {"own": short(alone[0]), "its": short(alone[1]), "longest": "u1"}
    values |= about | {"most": percent(look.shares[0])}
    return {"much variance is not" if alone[1] < alone[0] else "what a threshold gains": values}


def of_share(text, link):
    return [explains(link)[text]] if text in explains(link) else []


def not_centred(link):
    return [{}] if Space(link).splits else []


def cut(link):
    """Which rows lie on one side of the split, and on another of its line with the rest fixed."""
    look = Space(link)
    if not look.splits:
        return {}
    m = len(look.names)
    pair = list(range(m)) if m <= 2 else look.heavy[:2]
    named = {"names": " and ".join(look.names[f] for f in pair)}
    if m <= 2:
        return {"lies in the plane": named}
    X, limit = look.values[look.here], look.tree.oblique.threshold[look.tree.split_row[look.node]]
    fixed = np.tile(X.mean(axis=0), (len(X), 1))
    fixed[:, pair] = X[:, pair]
    apart = ((X @ look.weights <= limit) != (fixed @ look.weights <= limit)).sum()
    others = sum(abs(look.weights[f]) > 0 for f in range(m) if f not in pair)
    named |= {"all": number(len(X)), "m": count(others, "more feature", "more features")}
    return {"rows the dashed line": named | {"n": number(int(apart))}} if apart else {
        "yet the dashed line": named}  # fmt: skip


def of_cut(text, link):
    return [cut(link)[text]] if text in cut(link) else []


def of_units(link):
    look = Space(link)
    first = abs(look.parts[1][0])
    heavy = int(first.argmax())
    if len(look.names) < 3 or first[heavy] < 0.95 or look.shares[0] < 0.9:
        return []
    return [{"name": "u1", "feature": look.names[heavy], "share": percent(look.shares[0])}]


def best_pairs(link):
    look = Space(link)
    if len(look.names) < 3:
        return []
    own, found = look.best(look.values[look.here])
    across, there = look.best(look.latent)
    return [{
        "features": " and ".join(look.names[f] for f in own), "a": percent(found[own]),
        "components": " and ".join(f"u{c + 1}" for c in across), "b": percent(there[across]),
        "n": number(len(look.here)),
        "base": percent(max(np.bincount(look.y[look.here])) / len(look.here)),
    }]  # fmt: skip


def complete(is_it, link):
    look = Space(link)
    if (len(look.names) <= 2) is not is_it:
        return []
    if is_it:
        return [{}]
    scene = scene_of(link)
    means = look.latent.mean(axis=0)
    right = 0
    for row, here in zip(look.here, look.latent, strict=True):
        moved = means.copy()
        moved[list(scene.components)] = here[list(scene.components)]
        x = moved @ look.parts[1]
        right += look.class_at(x) == look.class_at(look.values[row])
    return [{"share": percent(right / len(look.here))}]


def leaf_alone(link):
    return [] if Space(link).splits else [{}]


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


def lines(link):
    return [] if link == "none" else details._lines(Work(selected(link)).first.division)


def looks_on(link):
    if link == "none":
        return []
    divided = Work(selected(link)).first.division
    n = len(divided.train_rows)
    return [{"all": number(n + len(divided.held_out_rows)), "labelled": number(n)}]


def depends(link):
    if link == "none":
        return []
    return [{"rows": count(len(Work(selected(link)).first.division.held_out_rows), "row", "rows")}]


def outcomes(link):
    """The chance that all rows made no difference, as the page says it."""
    both = [
        details._outcome(Work(selected(f"{link}&unlabelled={word}"))) for word in ("false", "true")
    ]
    return [details._chance(*both, Work(selected(link)).first.division)]


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
    gained, lost = rows_that_change(link)
    n = gained + lost
    if not n:
        return []
    p = min(1.0, 2 * binom.cdf(min(gained, lost), n, 0.5))
    return [{"gained": number(gained), "lost": number(lost), "p": number(float(f"{p:.2g}"))}]


def no_difference(link):
    return [] if sum(rows_that_change(link)) else [{}]


def inequality(link):
    drawn = MagicMock()
    with patch.object(details, "st", drawn):
        details.formula(scene_of(link))
    return [call.args[0] for call in drawn.caption.call_args_list]


def along_features(link):
    look = Space(link)
    if not look.splits:
        return []
    limit = look.tree.oblique.threshold[look.tree.split_row[look.node]]
    k = int((look.parts[0] > 1e-9).sum())
    return [{"offset": number(float(limit)), "k": number(k)}]


def in_the_sidebar(link):
    drawn = MagicMock()
    drawn.columns.return_value = [MagicMock(), MagicMock()]
    with (
        patch.multiple(page, st=drawn, put=MagicMock()),
        patch.object(page.session, "current", lambda: selected(link)),
    ):
        page.component_chooser()
    return [call.args[0] for call in drawn.caption.call_args_list]


def both_explain(link):
    if "lsodt" not in link and "gsodt" not in link:
        return []
    look, shown = Space(link), scene_of(link).components
    a, b = (number(float(f"{100 * look.shares[c]:.2g}")) for c in shown)
    return [{"a": a, "b": b}]


def offered(link):
    if link == "none":
        return []
    drawn = MagicMock()
    quiet = {"st": drawn, "four_spaces": MagicMock(), "_heading": MagicMock(),
             "steps_on": MagicMock(return_value=[(MagicMock(question=""), 0)]),
             "session": MagicMock()}  # fmt: skip
    with patch.multiple(page, **quiet):
        page._offer(Work(selected(link)), "light")
    return [call.args[0] for call in drawn.markdown.call_args_list]


def no_pictures(link):
    try:
        page.slide_blocks(Work(selected(link)), "light")
    except CannotShow as reason:
        return [str(reason)]
    return []


def searches_features(link):
    if link == "none":
        return []
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
    at("words.py::place_words", "One space for the whole tree", place, one_space, WIDE,
       link("waveform", "lsodt", "&n_samples=300&m.levels=3")),
    *(at("words.py::place_words", text, place, partial(own_space, own), true, WIDE[0])
      for text, own, true in (
          ("a space of its own", True,
           [link("waveform", "lsodt", f"&n_samples=300&m.levels=3{more}")
            for more in ("", "&node=1", "&node=2")]),
          ("above it, of", False,
           [link("waveform", "lsodt", f"&n_samples=300&m.levels=2&node={n}") for n in (3, 4, 5)]))),
    at("words.py::warnings_of", "ICA did not converge", warned, not_converged,
       ((False, True, "ica"), (False, False, "ica"), (False, True, "pca")), (True, False, "ica")),
    at("words.py::warnings_of", "cannot be distinguished from normal", warned, not_identified,
       ((True, False, "ica"), (False, False, "ica"), (True, False, "pca")), (False, True, "ica")),
    at("words.py::split_card", "This node is a leaf", card, leaf_alone,
       (LEAF, link("iris", "lsodt", "&node=1"), link("iris", "gsodt", "&node=1&held=0.2")),
       WIDE[0]),
    at("words.py::split_card", "made by hand", card, by_hand,
       (link("iris", "gsodt", "&e=O1_1_2_1_9"), link("iris", "lsodt", "&e=O1_1_4_3_8"),
        link("moons", "gsodt", "&e=O1_1_2_1_0.2")), WIDE[0]),
    at("words.py::_about_split", "asks about {name} alone", sentences, asks_for, WIDE, LEAF),
    *(at("words.py::_about_share", text, sentences, partial(of_share, text), true, never)
      for text, true, never in (
          ("that explains most", LONG, WIDE[0]),
          ("much variance is not", (WIDE[0], WIDE[2], link("moons")), LONG[0]),
          ("what a threshold gains", (WIDE[1], link("gauss_2d", "lsodt", "&held=0.9"),
                                      link("wine", "lsodt", "&scaling=standard")), LONG[0]))),
    at("words.py::_about_centre", "not of the variance", sentences, not_centred, WIDE, LEAF),
    *(at("words.py::_about_cut", text, sentences, partial(of_cut, text), true, never)
      for text, true, never in (
          ("lies in the plane", FLAT, WIDE[0]),
          ("rows the dashed line", (WIDE[1], WIDE[2], link("waveform", "gsodt", "&n_samples=90")),
           FLAT[0]),
          ("yet the dashed line", (WIDE[0], LONG[0], link("iris", "gsodt", "&held=0.2")),
           FLAT[0]))),
    at("words.py::_about_units", "is nearly {feature} alone", sentences, of_units, LONG, WIDE[1]),
    at("words.py::_about_best", "best two features", sentences, best_pairs,
       (WIDE[0], LONG[0], link("iris", "gsodt", "&held=0.5")), FLAT[0]),
    at("words.py::_about_fidelity", "a slice of the model", sentences, partial(complete, False),
       (WIDE[0], LONG[0], WIDE[1]), FLAT[0]),
    at("words.py::_about_fidelity", "the complete model", sentences, partial(complete, True), FLAT,
       WIDE[0]),
    at("details.py::_lines", "The space needs no classes", lines, looks_on, WIDE, "none"),
    at("details.py::_lines", "valid for these rows only", lines, depends, WIDE, "none"),
    at("details.py::_chance", "become right and", outcomes, sign_test,
       (link("wine", "lsodt"), link("waveform", "gsodt", "&n_samples=150"),
        link("moons", "gsodt", "&n_samples=100&noise=0.4")), link("iris", "gsodt", "&held=0.1")),
    at("details.py::_chance", "it makes no difference", outcomes, no_difference,
       (link("iris", "gsodt", "&held=0.1"), link("iris", "lsodt", "&held=0.1&seed=2"),
        link("iris", "gsodt", "&held=0.1&seed=3")), link("wine", "lsodt")),
    at("details.py::formula", "one inequality", inequality, along_features, WIDE, LEAF),
    at("page.py::component_chooser", "They explain", in_the_sidebar, both_explain, WIDE,
       link("iris", "cart")),
    at("page.py::_in_space", "searches for splits in the original", no_pictures, searches_features,
       (link("iris", "cart"), link("moons", "c45"), link("wine", "oc1")), WIDE[0]),
    at("page.py::_offer", "searches for splits in the original", offered, searches_features,
       (link("iris", "cart"), link("moons", "c45"), link("wine", "oc1")), "none"),
]  # fmt: skip
