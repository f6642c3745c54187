"""The decision line: the rules by the share of a class, and one line between two of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape

import numpy as np

from lastviz.criteria.ties_kernels import TIE
from lastviz.export.blocks import Words
from lastviz.inspection import CostCurve, Costs, Decisions, RankingCurve, Reliability, Rule, Scores
from lastviz.plots import THEMES, condition_words, number
from lastviz.ui.components.decision_line import LineStop, decision_line
from lastviz.ui.shared.blocks import Block, Controls
from lastviz.ui.state import session
from lastviz.ui.text import percent, round_digits, t

from .scene import RuleScene, view_of

MOST_RULES = 40  # of a tree whose rules are read one by one


@dataclass(frozen=True, eq=False)
class CostScene:
    """Costs of a tree's errors."""

    # label, other: the rarer class of the training rows, which the threshold is about, and the
    # other one
    label: int
    other: int
    costs: Costs
    cut: float  # the reader's threshold, a share
    judge: Callable[..., Decisions]  # the same rows at another threshold
    judged: Decisions  # on the rows held out, on the training rows if there are none
    is_held_out: bool
    # never, always: of giving no row the rarer class (the majority's answer), and of giving it to
    # all
    never: Decisions
    always: Decisions
    curves: dict[str, CostCurve]  # by the name of the rows
    ranks: dict[str, RankingCurve]  # the same, where both classes are among the rows
    shares: np.ndarray  # float64, the distinct shares of the rarer class in leaves
    reliable: Reliability | None  # of the rows held out; None without any

    @property
    def are_free(self) -> bool:
        """Whether no error costs anything."""
        return self.costs.miss == self.costs.alarm == 0

    @property
    def scores(self) -> Scores:
        """Scores at the user's threshold."""
        right = np.array([[self.judged.passed, self.judged.alarms],
                          [self.judged.missed, self.judged.found]])  # fmt: skip
        return Scores(right if self.label else right[::-1, ::-1])


@dataclass(frozen=True)
class LinePlace:
    """A place of the line: so many rules lie above it."""

    above: int
    cut: float  # per cent, as the setting has it
    is_implied: bool  # whether the costs draw the line there
    judged: Decisions


@dataclass(frozen=True, eq=False)
class RuledLine:
    """The rules by falling share of the class in question, and the places for a line."""

    rules: tuple[Rule, ...]
    shares: np.ndarray  # (n_rules,) float64, falling
    stops: tuple[LinePlace, ...]  # from the top
    at: int  # the stop where the line is


def is_implied(cut: float, costs: Costs) -> bool:
    """Whether the line (per cent) stands where the costs draw it."""
    return abs(cut / 100.0 - costs.threshold) <= 5e-4


def ruled_line(scene: RuleScene, costs: CostScene) -> RuledLine | None:
    """Rules and stops of a tree; None if they are too many to be read.

    A leaf of equal shares stands where the tree decides it at one half.
    """
    found = list(scene.found.rules)
    if len(found) > MOST_RULES:
        return None
    grown, nodes = scene.work.first.tree, np.array([rule.node for rule in found])
    counts = grown.value[nodes]
    total = counts.sum(axis=1)
    shares = np.where(total > 0, counts[:, costs.label] / np.maximum(total, TIE), 0.0)
    is_called = grown.prediction[nodes] == costs.label
    shares[total <= 0] = is_called[total <= 0]
    shares[(np.abs(shares - 0.5) <= TIE) & ~is_called] = 0.5 - 2 * TIE
    order = sorted(range(len(found)), key=lambda i: (-shares[i], found[i].number))
    shares = shares[order]
    stops = _stops(shares, costs)
    called = int(np.count_nonzero(shares >= costs.cut - TIE))
    at = next(i for i, stop in enumerate(stops) if stop.above == called)
    cut = 100 * costs.cut  # the reader's own, wherever between two rules
    stops[at] = LinePlace(called, cut, is_implied(cut, costs.costs), costs.judged)
    return RuledLine(tuple(found[i] for i in order), shares, tuple(stops), at)


def _stops(shares: np.ndarray, costs: CostScene) -> list[LinePlace]:
    """Stops between rules of different shares; at one of them the costs draw the line."""
    ends = np.r_[np.inf, shares, -np.inf]
    found = []
    for above in range(len(shares) + 1):
        high, low = min(ends[above], 1.0), max(ends[above + 1], 0.0)
        is_apart = ends[above] - ends[above + 1] > TIE
        if not is_apart or (above == 0 and shares[0] >= 1.0 - TIE):
            continue  # no share is more than all
        implied = costs.costs.threshold
        is_implied = ends[above + 1] < implied - TIE and implied <= high + TIE
        if is_implied:
            cut = 100 * implied
        else:
            cut = _between(100 * low, 100 * high, is_closed=ends[above + 1] == -np.inf)
        found.append(LinePlace(above, cut, is_implied, costs.judge(threshold=cut / 100)))
    return found


def _between(low: float, high: float, *, is_closed: bool) -> float:
    """Number of few digits between two; 0 if `is_closed` and nothing is between."""
    if is_closed and high <= 0:
        return 0.0
    for digits in range(12):
        middle = round((low + high) / 2, digits)
        if low + 1e-9 < middle <= high - 1e-9:
            return middle
    return high


def line_blocks(scene: RuleScene, costs: CostScene) -> list[Block]:
    """Rules with the line among them, to be dragged; nothing where they are too many."""
    line = ruled_line(scene, costs)
    if line is None:
        return []
    return [Controls(partial(_draw, scene, costs, line))]


def line_words(scene: RuleScene, costs: CostScene) -> list[Words]:
    """The same for paper and slides."""
    line = ruled_line(scene, costs)
    return [] if line is None else [Words(_html(scene, costs, line))]


def _draw(scene: RuleScene, costs: CostScene, line: RuledLine) -> None:
    stops = [
        LineStop(stop.above, pill_words(scene, costs, stop), card_html(scene, costs, line, stop))
        for stop in line.stops
    ]

    name, other = (scene.class_names[k] for k in (costs.label, costs.other))
    decision_line(
        _html(scene, costs, line),
        stops,
        line.at,
        key="decision_line",
        label=t("Line between {name} and {other}", name=name, other=other),
        on_move=lambda place: session.select(
            cut=line.stops[place].cut, rule_view=view_of(session.current())
        ),
    )


def _html(scene: RuleScene, costs: CostScene, line: RuledLine) -> str:
    """Both sides with their rules, the line between, and the numbers beside."""
    name, other = (t("called {name}", name=scene.signed(k)) for k in (costs.label, costs.other))
    most = max(sum(_held(scene, rule)) for rule in line.rules) or 1.0
    stop = line.stops[line.at]
    rows = [
        _row(scene, costs, rule, share, most, is_called=place < stop.above)
        for place, (rule, share) in enumerate(zip(line.rules, line.shares, strict=True))
    ]
    pill = escape(pill_words(scene, costs, stop))
    cut = (
        f'<li class="lv-line-cut"><b>{pill}</b><span class="lv-line-side">{other}</span></li>'
    )  # fmt: skip
    listed = "".join([*rows[: stop.above], cut, *rows[stop.above :]])
    about = t("The rules by their share of {name}, and where the line is drawn",
              name=scene.class_names[costs.label])  # fmt: skip
    hues = (THEMES[scene.theme].hue(k) for k in (costs.label, costs.other))
    style = ";".join(f"--lv-{k}:{hue}" for k, hue in zip(("own", "rest"), hues, strict=True))
    return (
        f'<div class="lv-line" style="{style}"><div role="group" aria-label="{escape(about)}">'
        f'<span class="lv-line-side">{name}</span><ol>{listed}</ol></div>'
        f'<div class="lv-card lv-line-card">{card_html(scene, costs, line, stop)}</div></div>'
    )


def _held(scene: RuleScene, rule: Rule) -> tuple[float, ...]:
    """Held-out rows of both classes that meet a rule, or else training rows."""
    counts = scene.found.held_out_counts
    counts = scene.tree.value if counts is None else counts
    return tuple(map(float, counts[rule.node]))


def _row(
    scene: RuleScene, costs: CostScene, rule: Rule, share: float, most: float, *, is_called: bool
) -> str:
    """Rule with its rows as a bar, and how many are wrong on either side."""
    held = _held(scene, rule)
    own, rest, rows = held[costs.label], held[costs.other], sum(held)
    premise = condition_words(scene.tree, rule.conditions, joint=f" {t('and')} ",
                              missing=t("or missing"))  # fmt: skip
    about = t("rule {n}: {share} % {name} in training", n=number(rule.number),
              share=percent(share), name=escape(scene.class_names[costs.label]))  # fmt: skip
    wrong = [t("<b>{n}</b> of {all} wrong", n=number(n), all=number(rows)) for n in (rest, own)]
    bars = "".join(
        f'<i class="lv-{kind}" style="width:{100 * n / most:.4g}%"></i>'
        for kind, n in (("own", own), ("rest", rest))
    )
    return (
        f'<li class="lv-line-row{" lv-called" * is_called}"><span class="lv-line-if">'
        f"<span>{premise or t('all rows')}</span><small>{about}</small></span>"
        f'<span class="lv-line-bar">{bars}</span>'
        f'<span class="lv-if-above">{wrong[0]}</span><span class="lv-if-below">{wrong[1]}</span>'
        "</li>"
    )


def pill_words(scene: RuleScene, costs: CostScene, stop: LinePlace) -> str:
    """Words on the line."""
    name = scene.class_names[costs.label]
    if stop.is_implied:
        share = percent(costs.costs.threshold)
        return t("{name} from {share} %, where the costs draw the line", name=name, share=share)
    return t("{name} from {share} %", name=name, share=number(float(f"{stop.cut:.4g}")))


def card_html(scene: RuleScene, costs: CostScene, line: RuledLine, stop: LinePlace) -> str:
    """Cost at a stop beside both constant answers, and the errors of each kind."""
    judged, name = stop.judged, escape(scene.class_names[costs.label])
    other = escape(scene.class_names[costs.other])
    sums = [
        (t("these rules"), judged.total, "lv-mine"),
        (t("all called {name}", name=name), costs.always.total, ""),
        (t("all called {name}", name=other), costs.never.total, ""),
    ]
    most = max(total for _, total, _ in sums) or 1.0
    bars = "".join(
        f'<dt>{title}</dt><dd class="{kind}"><i style="width:{100 * total / most:.4g}%"></i>'
        f"<b>{round_digits(total, 4)}</b></dd>"
        for title, total, kind in sums
    )
    counts = [
        (t("{name}: missed", name=name), judged.missed, judged.missed + judged.found),
        (t("{name} called {other}", name=other, other=name), judged.alarms,
         judged.alarms + judged.passed),
        (t("called {name}", name=name), judged.found + judged.alarms, judged.n_rows),
    ]  # fmt: skip
    errors = "".join(
        f"<dt>{title}</dt><dd>{t('{n} of {all}', n=number(n), all=number(rows))}</dd>"
        for title, n, rows in counts
    )
    rows = t("held-out rows") if costs.is_held_out else t("training rows")
    about = t("cost of the errors on {n} {rows}", n=number(judged.n_rows), rows=rows)
    return (
        f'<p><b class="lv-line-sum">{round_digits(judged.total, 4)}</b><small>{about}</small></p>'
        f'<dl class="lv-line-bars">{bars}</dl><dl class="lv-line-counts">{errors}</dl>'
    )
