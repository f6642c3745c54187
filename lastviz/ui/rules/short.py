"""The view *In short*: one page for a person who decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

import numpy as np
import streamlit as st

from lastviz._sentences import Statement
from lastviz.export.blocks import Text, Words
from lastviz.inspection import Costs, Rule, Scores, baseline, share_interval
from lastviz.plots import (
    Drawing,
    Intervals,
    condition_words,
    flow_tree_plot,
    intervals_plot,
    number,
    split_words,
)
from lastviz.ui.shared.blocks import Block, Box, Chart, Controls, Say, draw
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.headline import FEW, Cell, legend, majority, show, strip, table_html
from lastviz.ui.state import session
from lastviz.ui.text import as_html, percent, round_digits, t

from .costs import costs_fold, group_fold, rarer_class
from .scene import RuleScene, TreeRules
from .tree import tree_alt, who_decides

LEAF, LEAST, MOST = 44, 170, 420  # pixels of the tree: a leaf, at least, at most
MOST_RULES, MOST_CLASSES = 3, 4


def short_view(scene: RuleScene) -> list[Block]:
    """Blocks of the finding, its baseline, the main rules, the tree and the groups."""
    return [
        Say(verdict(scene.found, scene.class_names)),
        *map(Text, filter(None, [who_decides(scene)])),
        Controls(partial(_against, scene)),
        Words(decided_table(scene)),
        *_tree(scene),
        Controls(partial(_row, scene)),
        Controls(partial(costs_fold, scene)),
        Controls(partial(group_fold, scene)),
    ]


def _against(scene: RuleScene) -> None:
    """Draw the tree beside the baseline on one axis, and which errors there are."""
    with st.container(key="short_against"):
        left, right = st.columns([5, 6], gap="medium", vertical_alignment="center")
    figure = intervals_figure(scene)
    with left:
        if figure is not None:
            alt = t("The accuracy of the tree and of the baseline with their 95 % intervals.")
            draw([Chart(figure, alt, key="short_intervals", filename="accuracy")])
    with right:
        show(f'<div class="lv-card" role="group">{error_strip(scene)}</div>')


def intervals_figure(scene: RuleScene) -> Drawing | None:
    """Both intervals on one axis; None where there are too few held-out rows for any."""
    verdict = verdict_of(scene.found)
    if verdict.kind in ("few", "none"):
        return None
    both = (verdict.part, verdict.always)
    ends = np.array([share_interval(each.n_right, each.n_samples) for each in both])
    better = {"better": 0, "worse": 1}.get(verdict.kind, -1)
    return intervals_plot(
        (t("this tree"), t("always {name}", name=scene.class_names[verdict.majority])),
        ("",),
        Intervals(
            mean=100 * np.array([[each.accuracy] for each in both]),
            low=100 * ends[:, :1],
            high=100 * ends[:, 1:],
            best=np.array([better]),
            behind=np.zeros((2, 1), dtype=bool),
            finished=np.ones((2, 1), dtype=bool),
        ),
        theme=scene.theme,
        axis=t("accuracy on new rows, %"),
    )


def _tree(scene: RuleScene) -> list[Block]:
    """Tree with the errors of each leaf on held-out rows."""
    inner = np.flatnonzero(scene.tree.n_children).tolist()
    figure = flow_tree_plot(
        scene.tree,
        theme=scene.theme,
        path=None if scene.sample is None else scene.sample.path.node.tolist(),
        height=int(np.clip(LEAF * scene.tree.n_leaves, LEAST, MOST)),
        width_hint=1080,
        texts={node: split_words(scene.tree, node) for node in inner},
        class_names=scene.class_names,
        words=words(),
        beside=leaf_texts(scene),
    )
    return [
        Words(
            f'<p class="lv-short-title"><b>{t("The tree")}</b> '
            f"{t('upper branch: yes, lower branch: no')}</p>"
        ),
        Words(legend(scene.class_names, scene.theme)),
        Box("short_tree_box", [Chart(figure, tree_alt(scene), key="short_tree", filename="tree")]),
    ]


def _row(scene: RuleScene) -> None:
    """Draw the way to a change of class for the picked row, if one was picked."""
    if scene.sample is None:
        return
    name = scene.class_names[scene.sample.path.prediction]
    label = t("This row is predicted {name}: what would change it?", name=name)
    st.button(label, key="short_row", on_click=lambda: session.select(rule_view="row"))


VERDICTS = {  # by the kind of a verdict
    "better": (
        "**The tree classifies {share:percent} of {n} held-out rows correctly** ({right} of "
        "{n}; 95 % interval {low:hundredths} to {high:hundredths}); always predicting {name}, "
        "{base:percent}."
    ),
    "worse": (
        "**The tree is worse than always predicting {name}**: it classifies {share:percent} of "
        "{n} held-out rows correctly ({right} of {n}; 95 % interval {low:hundredths} to "
        "{high:hundredths}), the baseline {base:percent}."
    ),
    "same": (
        "**The tree is not shown to be better than always predicting {name}**: it classifies "
        "{share:percent} of {n} held-out rows correctly ({right} of {n}; 95 % interval "
        "{low:hundredths} to {high:hundredths}), the baseline {base:percent}."
    ),
    "few": (
        "**{n} held-out rows are too few to judge the tree.** It classifies {right} of them "
        "correctly; always predicting {name}, {constant}."
    ),
    "none": (
        "**No rows are held out, so nothing tells how the tree does on new rows.** It "
        "classifies {right} of {n} training rows correctly; always predicting {name}, "
        "{constant}."
    ),
}


def verdict(found: TreeRules, class_names: Sequence[str]) -> Statement:
    """The tree against always predicting the majority class."""
    judged = verdict_of(found)
    part, always = judged.part, judged.always
    low, high = part.accuracy_interval()
    return Statement(
        VERDICTS[judged.kind],
        share=part.accuracy,
        n=part.n_samples,
        right=part.n_right,
        low=low,
        high=high,
        name=class_names[judged.majority],
        base=always.accuracy,
        constant=always.n_right,
    )


# With two classes also their cost at the user's ratio.
def error_strip(scene: RuleScene) -> str:
    """Errors by class."""
    part = scene.found.held_out or scene.found.training
    if len(scene.class_names) == 2:
        return strip(_two(scene, rarer_class(scene.division)))
    true, right = part.confusion.sum(axis=1), np.diagonal(part.confusion)
    shown = [k for k in range(len(true)) if true[k]][:MOST_CLASSES]
    return strip(
        [
            (
                number(int(right[k])),
                t("of {n}", n=number(int(true[k]))),
                t("{name} right", name=scene.class_names[k]),
            )
            for k in shown
        ]
    )


def _two(scene: RuleScene, k: int) -> list[Cell]:
    """Errors about two classes, the first named `k`, beside the cheapest constant."""
    part = scene.found.held_out or scene.found.training
    counts = part.confusion
    missed, alarms = int(counts[k, 1 - k]), int(counts[1 - k, k])
    costs = Costs(scene.work.selection.rules.cost_miss, scene.work.selection.rules.cost_alarm)
    given, least = cheapest_constant(part, k, costs)
    ratio = {"miss": number(costs.miss), "alarm": number(costs.alarm)}
    total = costs.miss * missed + costs.alarm * alarms
    return [
        (
            number(missed),
            t("of {n}", n=number(int(counts[k].sum()))),
            t("{name} missed", name=scene.class_names[k]),
        ),
        (number(alarms), t("of {n}", n=number(int(counts[1 - k].sum()))), t("false alarms")),
        (
            round_digits(total, 4),
            "",
            t("cost at {miss} : {alarm}", **ratio),
            t(
                "all called {name}: {cost}",
                name=scene.class_names[given],
                cost=round_digits(least, 4),
            ),
        ),
    ]


def decided_table(scene: RuleScene) -> str:
    """Rules that decide most held-out rows, as html."""
    decided = deciding_rules(scene.found, MOST_RULES)
    held = scene.found.held_out
    heading = decided_heading(scene, decided)
    known = [t("right"), t("95 %")] if held else []
    head = [
        *("", t("if"), t("then")), *known, t("training rows"), t("confidence, training"),
    ]  # fmt: skip
    table = table_html("", head, (_decided_row(scene, each) for each in decided))
    return f'<div class="lv-decided" role="group"><b>{as_html(heading)}</b>{table}</div>'


def decided_heading(scene: RuleScene, decided: Sequence[Decided]) -> Statement:
    """Number of held-out rows that the rules shown decide."""
    held = scene.found.held_out
    if not held:
        return Statement("The rules with most training rows")
    return Statement(
        "One rule decides {rows} of {all} held-out rows.",
        "{n} rules decide {rows} of {all} held-out rows.",
        n=len(decided),
        rows=float(sum(each.rows for each in decided)),
        all=held.n_samples,
    )


def _decided_row(scene: RuleScene, each: Decided) -> str:
    rule = each.rule
    joint, missing = f" {t('and')} ", t("or missing")
    words = condition_words(scene.tree, rule.conditions, joint=joint, missing=missing)
    cells = [
        f"<td>{number(rule.number)}</td>",
        f'<td class="lv-if">{words or t("all rows")}</td>',
        f"<td>{scene.signed(rule.prediction)}</td>",
    ]
    if scene.found.held_out:
        n, rows = number(each.right), number(each.rows)
        ends = each.interval
        known = t("under {few} rows", few=number(FEW))
        if ends is not None:
            low, high = map(percent, ends)
            known = t("{low} to {high} %", low=low, high=high)
        right = f"<b>{t('{n} of {all}', n=n, all=rows)}</b>"
        cells += [_td(t("right"), right), _td(t("95 %"), known)]
    cells.append(_td(t("training rows"), number(float(rule.support))))
    cells.append(_td(t("confidence, training"), f"{percent(rule.confidence)} %"))
    return f"<tr>{''.join(cells)}</tr>"


def _td(title: str, value: str) -> str:
    """Cell that a phone shows with its title."""
    return f'<td data-title="{escape(title)}">{value}</td>'


def leaf_texts(scene: RuleScene) -> dict[int, str]:
    """Number of held-out rows that each leaf misclassifies, empty without any."""
    found = {}
    for node in np.flatnonzero(scene.tree.n_children == 0).tolist():
        held = scene.found.held_out_of(node)
        if held is not None:
            right, rows = held
            n = number(round(rows - right, 6))
            found[node] = t("{n} of {all} wrong", n=n, all=number(rows))
    return found


@dataclass(frozen=True)
class Verdict:
    """A tree against always predicting the majority class of the training rows."""

    # {"better", "worse", "same", "few", "none"}: the baseline is below, above or within the 95 %
    # interval of the tree; too few rows are held out, or none.
    kind: str
    part: Scores  # of the rows held out, of the training rows if there are none
    always: Scores  # of the baseline on the same rows
    majority: int  # the class that the baseline predicts


def verdict_of(found: TreeRules) -> Verdict:
    """Verdict on a tree against the baseline."""
    part = found.held_out or found.training
    always = baseline(found.training, part)
    low, high = share_interval(part.n_right, part.n_samples)
    if not found.held_out:
        kind = "none"
    elif part.n_samples < FEW:
        kind = "few"
    elif low <= always.accuracy <= high:
        kind = "same"
    else:
        kind = "better" if low > always.accuracy else "worse"
    return Verdict(kind, part, always, majority(found.training))


@dataclass(frozen=True)
class Decided:
    """A rule and the rows that it decides."""

    rule: Rule
    # rows, right: Held-out rows that meet it and those of them that it is right about; training
    # rows where none are held out. Parts of rows where values are missing.
    rows: float
    right: float

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of its accuracy; None of few rows and of parts of rows."""
        are_integers = self.rows == round(self.rows) and self.right == round(self.right)
        if not are_integers or self.rows < FEW:
            return None
        return share_interval(round(self.right), round(self.rows))


def deciding_rules(found: TreeRules, most: int) -> list[Decided]:
    """Rules that decide most held-out rows, of equals the one with the lower number."""
    decided = []
    for rule in found.rules:
        learnt = (float(rule.support * rule.confidence), float(rule.support))
        right, rows = found.held_out_of(rule.node) or learnt
        decided += [Decided(rule, rows, right)] if rows > 0 else []
    return sorted(decided, key=lambda each: (-each.rows, each.rule.number))[:most]


# `k` is the class that is missed, or given by false alarm.
def cheapest_constant(part: Scores, k: int, costs: Costs) -> tuple[int, float]:
    """Cheaper of two classes as a constant prediction, and its cost."""
    of_class, others = part.confusion[k].sum(), part.confusion[1 - k].sum()
    price = {1 - k: float(costs.miss * of_class), k: float(costs.alarm * others)}
    cheapest = min(price, key=price.__getitem__)
    return cheapest, price[cheapest]
