"""The split in numbers, as html: headline, the stages of the rule, favourites, children."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from markupsafe import Markup

from lastviz._sentences import Statement
from lastviz.criteria import CRITERIA
from lastviz.criteria.ties_kernels import TIE
from lastviz.inspection import how_won
from lastviz.plots import THEMES, ThemeName, feature_html, hyperplane_words, number, split_words
from lastviz.splitters import ChoiceRule, Search
from lastviz.tree import Reason
from lastviz.ui.shared.figures import column_title
from lastviz.ui.shared.headline import LEGEND_CLASSES, class_sign, strip, table_html
from lastviz.ui.shared.node_card import runner_up_words, stage_words
from lastviz.ui.text import paragraph, plural, round_digits, t, translate

from .node import NodeView
from .scene import SplitScene

TERMS = 4  # of an equation
BARS = 12  # of a component
MOST_TIED = 12  # named in a sentence


def candidate_html(scene: SplitScene, candidate: int) -> str:
    """Candidate as a test: x1 ≤ 0.298."""
    name = scene.names[scene.table.feature[candidate]]
    return f"<i>{name}</i> ≤ {scene.threshold_words(candidate)}"


def equation(scene: SplitScene, candidate: int) -> str:
    """Candidate of a latent space as a hyperplane in the features."""
    weights, threshold = scene.hyperplane(candidate)
    names = [feature_html(name) for name in scene.tree.feature_names]
    return hyperplane_words(weights, threshold, names, terms=TERMS, rest=t("{n} more", n="{n}"))


def split_finding(at: NodeView) -> Statement:
    """Statement on the training rows that a node gets wrong, split and as a leaf."""
    counts = at.tree.value[at.index]
    about = {"node": at.index, "n": round(float(counts.sum()), 6)}
    if at.reason is not None:
        name, right = at.class_names[at.tree.prediction[at.index]], round(float(counts.max()), 6)
        return Statement(
            "**Node {node} is a leaf**: {right} of its {n} training rows are {name}.",
            name=name, right=right, **about,
        )  # fmt: skip
    sides = at.tree.value[at.tree.children(at.index)]
    before, after = (
        round(float(rows.sum() - rows.max(axis=-1).sum()), 6) for rows in (counts, sides)
    )
    return Statement(
        "**Split by {test}, node {node} gets {after} of its {n} training rows wrong**; as a leaf, "
        "it gets {before} wrong.",
        test=Markup(split_words(at.tree, at.index, terms=TERMS, rest=t("{n} more", n="{n}"))),
        before=before, after=after, **about,
    )  # fmt: skip


# Of a leaf first that it has no split, and why.
def split_headline(scene: SplitScene) -> str:
    """Chosen split and its scores by the criteria that decided."""
    ended = scene.at.why_no_split + gain_lost(scene) + scene.at.forced_head
    subject = scene.chosen if scene.chosen is not None else scene.favourite
    if subject is None:
        nothing = strip([("–", "", t("no candidate is admitted here"))])
        return ended or nothing
    left = int(scene.table.left_counts[subject].sum())
    right = len(scene.rows) - left
    numbers = [(f"{number(left)} | {number(right)}", "", t("rows yes | no"))]
    for name in _shown(scene)[:2]:
        value = float(scene.columns[name][subject])
        unit = t(CRITERIA[name].unit) if CRITERIA[name].unit else ""
        numbers.append((number(value), unit, _rank_words(scene, name, subject)))
        own = value  # a rule may subtract from it, say for the choice among many thresholds
        if not scene.is_own_rule:
            own = float(scene.search.columns.get(name, scene.columns[name])[subject])
        if not np.isclose(value, own, rtol=1e-9, atol=1e-12, equal_nan=True):
            words = t("{criterion}, as the rule counts it", criterion=t(CRITERIA[name].title))
            numbers.append((number(own), unit, words))
    taken = scene.chosen is not None or not scene.is_own_rule
    label = scene.at.label if taken else t("this rule")
    head = f'<div class="lv-split"><b>{candidate_html(scene, subject)}</b>'
    if scene.basis is not None:
        head += f'<span class="lv-equation">{equation(scene, subject)}</span>'
    head += f"<span>{label}</span></div>"
    return f'<div class="lv-head" role="group">{ended}{head}{strip(numbers)}</div>'


def gain_lost(scene: SplitScene) -> str:
    """Reasons why no candidate of a leaf has any gain left, as html."""
    read = () if scene.search is None else scene.search.rule.columns
    column = next((name for name in read if name in scene.table.columns), None)
    if scene.at.reason is not Reason.NO_GAIN or column is None:
        return ""
    plain, own = scene.table.columns[column], scene.search.columns[column]
    words = []
    best, admitted = int(plain.argmax()), int(own.argmax())
    if plain[best] > TIE and own[best] == -np.inf:
        sentence = "{test} gains {gain}, but leaves too few rows on one side."
        gain = _in_unit(column, plain[best])
        words.append(t(sentence, test=candidate_html(scene, best), gain=gain))
    price = plain[admitted] - own[admitted]
    if plain[admitted] > TIE and TIE < price < np.inf:
        sentence = "{test} gains {gain}; the choice among its thresholds costs {price}."
        gain, price = (_in_unit(column, value) for value in (plain[admitted], price))
        words.append(t(sentence, test=candidate_html(scene, admitted), gain=gain, price=price))
    return f'<p class="lv-small">{paragraph(words)}</p>' if words else ""


def _in_unit(column: str, value: float) -> str:
    return f"{round_digits(value)} {t(CRITERIA[column].unit)}".strip()


def _rank_words(scene: SplitScene, name: str, candidate: int) -> str:
    """Rank of a candidate by a criterion."""
    rank, title = int(scene.rank(name)[candidate]), t(CRITERIA[name].title)
    if rank == 0:
        return t("{criterion}, not admitted", criterion=title)
    n = number(scene.n_candidates)
    return t("{criterion}, rank {rank} of {all}", criterion=title, rank=number(rank), all=n)


FIRST_OF_EQUALS = (
    "Rank 1 is shared by {n}: {tests}. Among equals, the first is selected: by the order of the "
    "features or components, then the lower threshold."
)
BEST_BEFORE = (
    "The best score of the last step is shared by {n}: {tests}. Among equals, the one that "
    "ranked higher in the previous step is selected."
)


def tied_html(tests: Sequence[str], sentence: str = FIRST_OF_EQUALS) -> str:
    """Tests as good as the chosen one, and why it was taken; "" for it alone."""
    if len(tests) < 2:
        return ""
    listed = t(", ").join(tests[:MOST_TIED])
    if len(tests) > MOST_TIED:
        listed = t("{tests} and {n} more", tests=listed, n=number(len(tests) - MOST_TIED))
    words = t(sentence, n=number(len(tests)), tests=listed)
    return f'<p class="lv-small lv-tied">{words}</p>'


def _ties(scene: SplitScene) -> str:
    if scene.chosen is None:
        return ""
    stages_of_search = scene.search.rule.stages if scene.search is not None else ()
    is_listed = any(stage.keeps == "top_k" for stage in stages_of_search[:-1])
    sentence = BEST_BEFORE if is_listed else FIRST_OF_EQUALS
    return tied_html([candidate_html(scene, int(i)) for i in scene.tied], sentence)


def reasons(scene: SplitScene) -> list[str]:
    """Reasons for the split, as HTML: ties, directions, stages, defeated candidates."""
    parts = [_ties(scene)]
    if scene.basis is not None and scene.highlighted is not None:
        parts.append(_loadings(scene, scene.highlighted))
    if scene.rule is not None:
        latent = scene.basis is not None
        parts.append(stages(scene.rule, scene.survivors, scene.n_candidates, components=latent))
    if scene.search is not None and scene.chosen == scene.search.winner:
        parts.append(won_over(scene.search, scene.tree.feature_names))
    return list(filter(None, parts))


def won_over(search: Search, names: Sequence[str]) -> str:
    """By how much the split of a search won, and over whom."""
    if search.winner < 0:
        return ""
    words = runner_up_words(how_won(search), names)
    return f'<p class="lv-small lv-won">{words}</p>'


def _loadings(scene: SplitScene, candidate: int) -> str:
    """Loadings of the component of a candidate, as bars."""
    axis = int(scene.table.feature[candidate])
    weights = scene.basis.directions[:, axis]
    order = np.argsort(-np.abs(weights), kind="stable")[:BARS]
    longest = float(np.abs(weights).max(initial=0.0)) or 1.0
    bars = "".join(_bar(scene, int(f), float(weights[f]), longest) for f in order)
    name = scene.names[axis]
    title = t("Largest loadings of {name}", name=name)
    return f'<div class="lv-weights lv-loadings"><p>{title}</p><table>{bars}</table></div>'


def _bar(scene: SplitScene, feature: int, weight: float, longest: float) -> str:
    """Row: the feature, its loading as a bar from the middle, and in figures."""
    share = 50.0 * abs(weight) / longest
    left = 50.0 if weight > 0 else 50.0 - share
    name = feature_html(scene.tree.feature_names[feature])
    bar = f'<i style="margin-left: {left:.1f}%; width: {share:.1f}%"></i>'
    return f"<tr><th>{name}</th><td>{bar}</td><td>{round_digits(weight)}</td></tr>"


def _shown(scene: SplitScene) -> tuple[str, ...]:
    """Criteria of the headline: the purity, then the one that the rule read last."""
    read = scene.read or ("gini",)
    return tuple(dict.fromkeys((read[0], read[-1], "gini")))


def stages(
    rule: ChoiceRule,
    survivors: Sequence[np.ndarray],
    n_candidates: int,
    *,
    components: bool = False,
) -> str:
    """Selection rule in words, with how many candidates each stage kept.

    `components` says that candidates lie along components instead of features.
    """
    before, lines = n_candidates, []
    for place, (stage, passed) in enumerate(zip(rule.stages, survivors, strict=True), 1):
        words = stage_words(stage, components=components)
        counts = f"{number(before)} → {number(len(passed))}"
        lines.append(f"<li><b>{place}</b><span>{words}</span><em>{counts}</em></li>")
        before = len(passed)
    return f'<ol class="lv-stages">{"".join(lines)}</ol>'


MOST_BEST = 5  # features with a row in the table of candidates
PLACES = {
    True: "This algorithm puts a threshold at the largest value on the yes side.",
    False: "This algorithm puts a threshold midway between the two rows that it separates.",
}


def favourites(scene: SplitScene) -> str:
    """Table of the best candidates with their ranks by the criteria that are shown."""
    rows: list[tuple[str, int, str]] = []
    if scene.chosen is not None:
        rows.append((scene.chosen_word, scene.chosen, "lv-chosen"))
    marked = scene.candidates().picked
    if marked is not None:
        rows.append((scene.picked_word, marked, "lv-picked"))
    shown = {scene.chosen, marked}
    if scene.own:
        rows += [("", i, "") for i in scene.best_of_axes(MOST_BEST) if i not in shown]
    else:
        rows += [(column_title(name), i, "") for name, i in scene.favourites.items()]
    names = [*(scene.own or scene.favourites), *(["stage"] if "stage" in scene.columns else [])]
    ranks = {name: scene.rank(name) for name in names}
    scored = scene.columns[names[0]] if len(names) == 1 else None  # one alone has room for both
    first = t("best of each feature") if scene.own else t("best split according to")
    titles = (first, *map(column_title, names), *(() if scored is None else (t("rank"),)))
    body = [_favourite_row(scene, row, ranks, scored) for row in rows]
    body += (
        f"<tr><th><small>{escape(column_title(name))}</small></th>"
        f'<td colspan="{len(titles) - 1}">{escape(translate(reason))}</td></tr>'
        for name, reason in scene.table.failed.items()
    )
    caption = t("Rank among {n} candidates, 1 the best.", n=number(scene.n_candidates))
    if scene.cuts_at_values is not None:
        caption += " " + t(PLACES[scene.cuts_at_values])
    meant = {name: row.stands_for for name, row in CRITERIA.items()}
    meant |= {"stage": "score of the first step of the rule"}
    for name in filter(meant.get, names):  # "BNM: between-node margin within the same class."
        caption += " " + t("{name}: {about}.", name=column_title(name), about=t(meant[name]))
    return table_html("lv-ranks", titles, body, caption)


def _favourite_row(
    scene: SplitScene,
    row: tuple[str, int, str],
    ranks: dict[str, np.ndarray],
    scored: np.ndarray | None,
) -> str:
    word, candidate, style = row
    left = int(scene.table.left_counts[candidate].sum())
    cells = "" if scored is None else f"<td>{number(scored[candidate])}</td>"
    cells += "".join(_rank_cell(rank, candidate) for rank in ranks.values())
    return (
        f'<tr class="{style}"><th><small>{escape(word)}</small>'
        f"<span>{candidate_html(scene, candidate)}</span> "
        f"<small>{number(left)} | {number(len(scene.rows) - left)}</small></th>{cells}</tr>"
    )


def _rank_cell(ranks: np.ndarray, candidate: int) -> str:
    rank = int(ranks[candidate])
    if rank == 0:
        return "<td>–</td>"
    tied = f" <small>{t('tied')}</small>" if np.count_nonzero(ranks == rank) > 1 else ""
    return f"<td><b>1</b>{tied}</td>" if rank == 1 else f"<td>{number(rank)}{tied}</td>"


def both_sides(scene: SplitScene) -> str:
    """Class histograms of the children of all marked splits, as html."""
    marked = [i for i in (scene.chosen, scene.candidates().picked) if i is not None]
    boxes = [children(scene, i) for i in marked]
    if not scene.is_forced_shown:
        boxes.append(forced_branches(scene.at))
    return f'<div class="lv-both">{"".join(boxes)}</div>'


def forced_branches(at: NodeView) -> str:
    """Class histograms of the branches of the forced split; empty without one."""
    if at.forced is None:
        return ""
    return children_html(at.forced_words, at.branches, at.theme, is_picked=True)


def children(scene: SplitScene, candidate: int) -> str:
    """Class histograms of a candidate's two children."""
    left = scene.table.left_counts[candidate]
    sides, is_picked = [left, scene.table.counts - left], candidate == scene.candidates().picked
    test = candidate_html(scene, candidate)
    return children_html(test, sides, scene.at.theme, is_picked=is_picked)


def children_html(
    test: str,
    counts: Sequence[np.ndarray],
    theme: ThemeName,
    *,
    is_picked: bool,
    words: Sequence[str] | None = None,
) -> str:
    """Class histograms of the children of a split; `words` are yes and no by default."""
    largest = max(float(each.max(initial=0.0)) for each in counts) or 1.0
    sides = "".join(
        branch_html(word, each, largest, theme)
        for word, each in zip(words or (t("yes"), t("no")), counts, strict=True)
    )
    style = "lv-picked" if is_picked else "lv-chosen"
    return f'<div class="lv-children {style}"><p>{test}</p><div>{sides}</div></div>'


def branch_html(words: str, counts: Sequence[float], largest: float, theme: ThemeName) -> str:
    """Branch with its rows of each class as bars, as html."""
    shown, others = list(counts)[:LEGEND_CLASSES], sum(counts[LEGEND_CLASSES:])
    bars = "".join(
        f"<li>{class_sign(k, theme)}<i style='width:{100 * n / largest:.1f}%;"
        f"background:{THEMES[theme].table_bar(k)}'></i><span>{number(float(n))}</span></li>"
        for k, n in enumerate(shown)
    )
    if others:
        bars += f"<li>{t('other classes')} <span>{number(float(others))}</span></li>"
    total = round(float(sum(counts)), 6)
    counted = plural(int(total), "{n} row", "{n} rows")
    rows = counted if total.is_integer() else t("{n} rows", n=number(total))
    return f"<div><b>{words}</b> {rows}<ul>{bars}</ul></div>"
