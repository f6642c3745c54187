"""The split in numbers, as html: headline, the stages of the rule, favourites, children."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.plots import THEMES, ThemeName, number
from lastviz.splitters import Blend, Stage
from lastviz.ui.shared.figures import column_title
from lastviz.ui.shared.headline import class_sign, strip
from lastviz.ui.text import plural, t

from .scene import SplitScene

__all__ = ["candidate_html", "children", "favourites", "split_headline", "stages"]


def candidate_html(scene: SplitScene, candidate: int) -> str:
    """Return a candidate as a test: x1 ≤ 0.298."""
    name = scene.names[scene.table.feature[candidate]]
    return f"<i>{name}</i> ≤ {number(float(scene.table.threshold[candidate]))}"


def split_headline(scene: SplitScene) -> str:
    """Return what was chosen, and how good it is by the criteria that decided."""
    cells = []
    subject = scene.chosen if scene.chosen is not None else scene.favourite
    if subject is None:
        return strip([("–", "", t("no candidate is admitted here"))])
    left = int(scene.table.left_counts[subject].sum())
    right = len(scene.rows) - left
    label = t("chosen split of node {node}", node=scene.node) if scene.node else None
    if scene.chosen is None:
        label = t("would be the split of this leaf") if scene.is_leaf else t("what the rule takes")
    cells.append((left, right))
    numbers = [(f"{number(left)} | {number(right)}", "", t("rows yes | no"))]
    for name in _shown(scene)[:2]:
        value = float(scene.columns[name][subject])
        place = int(scene.rank(name)[subject])
        words = t(
            "{criterion}, rank {rank} of {all}",
            criterion=t(CRITERIA[name].title),
            rank=number(place),
            all=number(scene.n_candidates),
        )
        numbers.append(
            (number(value), t(CRITERIA[name].unit) if CRITERIA[name].unit else "", words)
        )
    head = f'<div class="lv-split"><b>{candidate_html(scene, subject)}</b>'
    head += f"<span>{label or t('chosen split of the root')}</span></div>"
    return f'<div class="lv-head" role="group">{head}{strip(numbers)}</div>'


def _shown(scene: SplitScene) -> tuple[str, ...]:
    """Return the criteria of the headline: the purity, then what the rule read last."""
    read = scene.read or ("gini",)
    return tuple(dict.fromkeys((read[0], read[-1], "gini")))


def stages(scene: SplitScene) -> str:
    """Return the rule of choice in words, with how many candidates each stage kept."""
    if scene.rule is None:
        sentence = t("This algorithm does not choose among single features.")
        return f'<p class="lv-small">{sentence}</p>'
    before, lines = scene.n_candidates, []
    for place, (stage, kept) in enumerate(zip(scene.rule.stages, scene.survivors, strict=True), 1):
        counts = f"{number(before)} → {number(len(kept))}"
        lines.append(f"<li><b>{place}</b><span>{_stage_words(stage)}</span><em>{counts}</em></li>")
        before = len(kept)
    return f'<ol class="lv-stages">{"".join(lines)}</ol>'


def _stage_words(stage: Stage) -> str:
    sentences = {
        "best_within_feature": "keep each feature's best by {score}",
        "positive": "keep those with {score} above 0",
        "at_least": "keep those with {score} of at least {floor}",
        "at_least_mean": "keep those with at least the mean {score}",
        "argmax": "take the largest {score}",
        "argmin": "take the smallest {score}",
        "minima": "keep the smallest {score}",
        "top_k": "keep the best {k} by {score}",
    }
    return t(
        sentences[stage.keeps],
        score=score_words(stage.column),
        k=stage.k,
        floor=number(stage.floor),
    )


def score_words(column: str | Blend) -> str:
    """Return what a stage reads, in words."""
    if not isinstance(column, Blend):
        return escape(column_title(column))
    parts = []
    for term in column.terms:
        weight = "" if abs(term.weight) == 1 else f"{number(abs(term.weight))} · "
        sign = "− " if term.weight < 0 else ("+ " if parts else "")
        parts.append(f"{sign}{weight}{escape(column_title(term.column))}")
    return " ".join(parts)


def favourites(scene: SplitScene) -> str:
    """Return the table of each criterion's favourite and its ranks by all of them."""
    best = scene.favourites
    rows: list[tuple[str, int, str]] = []
    if scene.chosen is not None:
        rows.append((t("chosen"), scene.chosen, "lv-chosen"))
    marked = scene.candidates().picked
    if marked is not None:
        word = t("picked") if scene.picked is not None else t("this rule")
        rows.append((word, marked, "lv-picked"))
    rows += [(column_title(name), candidate, "") for name, candidate in best.items()]
    names = list(best) + (["stage"] if "stage" in scene.columns else [])
    ranks = {name: scene.rank(name) for name in names}
    head = "".join(f"<th>{escape(column_title(name))}</th>" for name in names)
    body = "".join(_favourite_row(scene, row, ranks) for row in rows)
    caption = t("Rank among {n} candidates, 1 is best.", n=number(scene.n_candidates))
    return (
        f'<div class="lv-scroll"><table class="lv-ranks"><thead><tr><th>{t("favourite of")}</th>'
        f"<th>{t('candidate')}</th><th>{t('yes | no')}</th>{head}</tr></thead>"
        f"<tbody>{body}</tbody><caption>{caption}</caption></table></div>"
    )


def _favourite_row(
    scene: SplitScene, row: tuple[str, int, str], ranks: dict[str, np.ndarray]
) -> str:
    word, candidate, style = row
    left = int(scene.table.left_counts[candidate].sum())
    cells = "".join(_rank_cell(int(rank[candidate])) for rank in ranks.values())
    return (
        f'<tr class="{style}"><th>{escape(word)}</th><td>{candidate_html(scene, candidate)}</td>'
        f"<td>{number(left)} | {number(len(scene.rows) - left)}</td>{cells}</tr>"
    )


def _rank_cell(rank: int) -> str:
    if rank == 0:
        return "<td>–</td>"
    return f"<td><b>{rank}</b></td>" if rank == 1 else f"<td>{number(rank)}</td>"


def children(
    scene: SplitScene, candidate: int, class_names: Sequence[str], theme: ThemeName
) -> str:
    """Return the class histograms of a candidate's two children."""
    left = scene.table.left_counts[candidate]
    right = scene.table.counts - left
    largest = max(int(left.max()), int(right.max()), 1)
    sides = "".join(
        _histogram(word, counts, largest, class_names, theme)
        for word, counts in ((t("yes"), left), (t("no"), right))
    )
    style = "lv-picked" if candidate == scene.candidates().picked else "lv-chosen"
    head = f"<p>{candidate_html(scene, candidate)}</p>"
    return f'<div class="lv-children {style}">{head}<div>{sides}</div></div>'


def _histogram(
    word: str, counts: np.ndarray, largest: int, class_names: Sequence[str], theme: ThemeName
) -> str:
    bars = "".join(
        f"<li>{class_sign(k, theme)}<i style='width:{100 * counts[k] / largest:.1f}%;"
        f"background:{THEMES[theme].table_bar(k)}'></i><span>{number(int(counts[k]))}</span></li>"
        for k in range(min(len(class_names), 12))
    )
    rows = plural(int(counts.sum()), "{n} row", "{n} rows")
    return f"<div><b>{word}</b> {rows}<ul>{bars}</ul></div>"
