"""The latent view in words: headline, legend, the split as an equation, notable facts."""

from __future__ import annotations

from html import escape

import numpy as np

from lastviz._sentences import Statement
from lastviz.inspection import Scores, scores
from lastviz.latent import LATENT_SPACES, LatentBasis
from lastviz.plots import THEMES, ThemeName, feature_html, number, split_words, weighted_sum
from lastviz.ui.shared.headline import (
    Cell,
    class_items,
    class_sign,
    judged_cell,
    legend_of,
    line,
    models_verdict,
    sign,
    strip,
)
from lastviz.ui.shared.node_card import side_html
from lastviz.ui.text import percent, plural, round_digits, t

from .scene import LatentScene

TERMS = 4


def latent_legend(scene: LatentScene, theme: ThemeName) -> str:
    """One legend line for the pictures of the page."""
    colours, items = THEMES[theme], class_items(scene.class_names, theme)
    if scene.work.selection.unlabelled:
        two = range(min(2, len(scene.class_names)))
        hollow = "".join(class_sign(k, theme, is_open=True) for k in two)
        items.append(f"{hollow} {t('held out')}")
    line = sign('<path d="M0 8h16"/>', line=colours.ink, width=3.5)
    items.append(f"{line} {t('the split')}")
    if scene.cut is not None and not scene.cut.lies_in:
        dashes = sign('<path d="M0 8h6M10 8h6"/>', line=colours.ink, width=3)
        ring = sign('<circle cx="8" cy="8" r="6.5"/>', line=colours.ink, width=1.75)
        items += [
            f"{dashes} {t('its cut through this plane')}",
            f"{ring} {t('line and split disagree')}",
        ]
    if len(scene.drawn) < len(scene.rows):
        shown = {"n": number(len(scene.drawn)), "all": number(len(scene.rows))}
        items.append(t("{n} of {all} rows drawn", **shown))
    return legend_of(items)


def error_words(place_held: bool, title: str, nodes: int) -> str:
    """Label of an error: its part of the rows, the model and its size."""
    part = t("held-out error") if place_held else t("training error")
    size = plural(nodes, "{n} node", "{n} nodes")
    return t("{part}, {title}, {size}", part=part, title=title, size=size)


def latent_headline(scene: LatentScene) -> str:
    """Numbers above the pictures."""
    held = len(scene.division.held_out_rows) > 0
    about = {"is_new": held, "errors": True}
    label = error_words(held, scene.title, scene.tree.n_nodes)
    cells = [judged_cell(scene.own, label, _learnt(scene), **about)]
    if scene.beside is not None:
        title, other, nodes = scene.beside
        cells.append(judged_cell(other, error_words(held, title, nodes), None, **about))
    return line(strip(cells))


def latent_shares(scene: LatentScene) -> str:
    """Numbers below the planes: how far they draw the model itself."""
    shares: list[Cell] = []
    if scene.cut is not None and not scene.cut.lies_in:
        words = t("of the rows: the dashed line and the split agree")
        shares.append((percent(scene.cut.share, 0), "%", words))
    words = t("of the rows lie on the colour predicted for them")
    shares.append((percent(scene.fidelity, 0), "%", words))
    return line(strip(shares))


def latent_finding(scene: LatentScene) -> Statement:
    """Statement on the model, and on the one that stays in the features."""
    others = [] if scene.beside is None else [scene.beside[:2]]
    titles, parts = zip((scene.title, scene.own), *others, strict=True)
    is_new = len(scene.division.held_out_rows) > 0
    return models_verdict(titles, parts, _learnt(scene), scene.class_names, is_new=is_new)[0]


def _learnt(scene: LatentScene) -> Scores:
    """Scores of the rows learnt from if all were right, for the baseline."""
    learnt = scene.division.y[scene.division.train_rows]
    return scores(learnt, learnt, len(scene.class_names))


def warnings_of(basis: LatentBasis) -> list[str]:
    """Warnings about the search for a space."""
    found = []
    if not basis.converged:
        found.append(t("ICA did not converge: other runs or rows may give other directions."))
    if not basis.identifiable:
        found.append(
            t(
                "Some independent components cannot be distinguished from normal ones. Any "
                "rotation among them is as good, so their directions have no meaning of their own."
            )
        )
    return found


def split_card(scene: LatentScene, theme: ThemeName) -> str:
    """Split as an equation with the rows of both sides."""
    view, tree, node = scene.view, scene.tree, scene.node
    notes, sides = [], list(zip((t("yes"), t("no")), tree.children(node), strict=False))
    if view.component < 0 and not tree.is_leaf(node):
        head = f'<span class="lv-formula">{split_words(tree, node)}</span>'
        notes.append(t("This split was made by hand and lies along no component."))
    elif view.component < 0:
        name = escape(scene.class_names[tree.prediction[node]])
        head = f"{t('leaf')}: {class_sign(int(tree.prediction[node]), theme)} {name}"
        sides = [(t("rows"), node)]
    else:
        head = f'<span class="lv-formula">{_equation(scene)}</span>'
    space = t(LATENT_SPACES[view.basis.space].title)
    notes.append(
        t("The space ({space}) was found from the rows of node {node}.",
          space=space, node=view.begins)
    )  # fmt: skip
    about = "".join(f"<p>{note}</p>" for note in notes)
    counts = "".join(f"<div>{side_html(tree, word, n, theme)}</div>" for word, n in sides)
    return (
        f'<div class="lv-card" role="group" aria-label="{t("the split")}">'
        f"<div><div>{head}</div>{about}</div><div>{counts}</div></div>"
    )


def _equation(scene: LatentScene) -> str:
    """Equation of the split, with the threshold of the sum as it is written."""
    view = scene.view
    name = feature_html(scene.names[view.component])
    if view.basis.space == "none":
        return f"<i>{name}</i> ≤ {number(view.threshold)}"
    weights = view.loadings[view.component]
    names = [f"<i>{feature_html(feature)}</i>" for feature in view.feature_names]
    total = weighted_sum(weights, names, terms=TERMS)
    origin = float(view.basis.origin[view.component])
    if abs(origin) > 1e-12:
        total += f" {'−' if origin > 0 else '+'} {number(abs(origin))}"
    return f"<i>{name}</i> = {total} ≤ {number(view.threshold)}"


def sentences(scene: LatentScene) -> list[str]:
    """Notes on the pictures, as HTML."""
    found = [_about_share(scene), _about_units(scene)]
    if scene.view.component >= 0 and scene.view.basis.space == "svd":
        found.append(
            t(
                "“Explains” is a share of the squared distances from the origin, not of the "
                "variance: the singular value decomposition does not centre the features."
            )
        )
    return [sentence for sentence in found if sentence]


def _about_share(scene: LatentScene) -> str:
    """Sentence on a component that is split although another one explains more."""
    view = scene.view
    longest = int(view.explained_share.argmax())
    if view.component < 0 or view.basis.space == "none" or longest == view.component:
        return ""
    alone = scene.best_components.separations.diagonal()
    return t(
        "The split takes {name}, which explains {share} % and alone separates the classes by "
        "{own}; {longest} explains {most} % and separates them by {its}.",
        name=feature_html(scene.names[view.component]),
        share=percent(float(view.explained_share[view.component])),
        own=round_digits(alone[view.component]),
        longest=feature_html(scene.names[longest]),
        most=percent(float(view.explained_share[longest])),
        its=round_digits(alone[longest]),
    )


def _about_units(scene: LatentScene) -> str:
    """Sentence on a first component that is one feature with much larger numbers."""
    view = scene.view
    first = np.abs(view.loadings[0])
    heavy = int(first.argmax())
    share = float(view.explained_share[0])
    of_units = view.basis.space in ("svd", "pca") and len(first) > 2
    if not of_units or first[heavy] < 0.95 or share < 0.9:
        return ""
    return t(
        "{name} is nearly {feature} alone and explains {share} %: its numbers are the largest, "
        "and the latent space depends on units. Standard scaling (page Data) would give another "
        "tree.",
        name=feature_html(scene.names[0]),
        feature=feature_html(view.feature_names[heavy]),
        share=percent(share),
    )
