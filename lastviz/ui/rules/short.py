"""The view *In short*: one page for a person who decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

import numpy as np
import streamlit as st

from lastviz._sentences import Statement
from lastviz.export.blocks import Columns, Text, Words
from lastviz.inspection import Rule, Scores, baseline, share_interval
from lastviz.plots import (
    Drawing,
    Intervals,
    condition_words,
    flow_tree_plot,
    intervals_plot,
    number,
    split_words,
)
from lastviz.ui.shared.blocks import PAGE, REPORT, SLIDE, Block, Box, Chart, Controls, Detail, Only
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.headline import (
    FEW,
    Cell,
    Say,
    cost_cell,
    legend,
    majority,
    strip,
    table_html,
    verdict_on,
)
from lastviz.ui.shared.model_view import two_priced
from lastviz.ui.state import session
from lastviz.ui.text import as_html, percent, t

from .costs import costs_fold, obstacle, saved_costs
from .groups import NAMED, group_fold, is_grouped
from .sample import row_name
from .scene import RuleScene, TreeRules
from .tree import about_tree, by_words, tree_alt

LEAF, LEAST, MOST = 44, 170, 420  # pixels of the tree: a leaf, at least, at most
MOST_RULES, MOST_CLASSES = 3, 4


def short_view(scene: RuleScene) -> list[Block]:
    """Blocks of the finding, its baseline, the main rules, the tree and the groups.

    Once errors have costs of their own, the finding is what they cost. The fold of the costs keeps
    its place meanwhile: whoever changes one is in it.
    """
    tree = [*short_tree(scene), Controls(partial(_row, scene))]
    about = list(map(Text, filter(None, [about_tree(scene)])))
    fold = Controls(partial(costs_fold, scene))
    groups = [Detail(scene.work.selection, NAMED, partial(group_fold, scene))]
    against = [] if is_about_costs(scene) else [_against(scene), Words(decided_table(scene))]
    opening, on_paper = [Say(*finding(scene)), *about], partial(Only, (PAGE, REPORT))
    has_line = obstacle(scene) is None
    if has_line and (scene.work.selection.rules.rule_view == "costs" or not against):
        against = [on_paper(against), Only((REPORT, SLIDE), partial(saved_costs, scene))]
    if is_grouped(scene):  # a slide has room for them and for the errors
        against = [on_paper(against), Only((SLIDE,), [Words(error_strip(scene))])]
        tree = [on_paper(tree)]
    if has_line:
        return [*opening, fold, *against, *tree, *groups]
    return [*opening, *against, *tree, fold, *groups]


def is_about_costs(scene: RuleScene) -> bool:
    """Whether errors have costs or a line of their own, and the model decides by them."""
    return scene.view.priced is not None and obstacle(scene) is None


def finding(scene: RuleScene) -> list[Statement]:
    """Sentences that the view opens with."""
    if is_about_costs(scene) and scene.view.priced.costs.any():
        return verdict_on([scene.work.first.title], [scene.view], scene.class_names, scene.division)
    return [verdict(scene.found, scene.class_names)]


def row_findings(scene: RuleScene) -> list[Statement]:
    """Prediction of the picked row, if any, then the sentence of the tree."""
    sample = scene.sample
    if sample is None:
        return finding(scene)
    about = {"name": scene.class_names[sample.path.prediction], "by": by_words(scene)}
    if sample.row is None:
        row = Statement("**The typed sample is predicted {name}**, {by}.", **about)
    else:
        row = Statement(
            "**Row {row} ({part}) is predicted {name}**, {by}; its class is {true}.",
            row=row_name(scene.work, sample.row),
            part=Statement("held out" if sample.held_out else "training"),
            true=scene.class_names[sample.label],
            **about,
        )
    return [row, *finding(scene)]


def _against(scene: RuleScene) -> Box:
    """Tree beside the baseline on one axis, and which errors there are."""
    figure = intervals_figure(scene)
    alt = t("The accuracy of the tree and of the baseline with their 95 % intervals.")
    left = [] if figure is None else [
        Chart(figure, alt, key="short_intervals", filename="accuracy")
    ]  # fmt: skip
    right = [Words(f'<div class="lv-card" role="group">{error_strip(scene)}</div>')]
    return Box("short_against", [Columns([left, right], (5, 6))])


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


def short_tree(scene: RuleScene) -> list[Block]:
    """Tree with the errors of each leaf on held-out rows."""
    inner = np.flatnonzero(scene.tree.n_children).tolist()
    figure = flow_tree_plot(
        scene.tree,
        theme=scene.theme,
        path=None if scene.sample is None else scene.sample.path.node.tolist(),
        height=int(np.clip(LEAF * scene.tree.n_leaves, LEAST, MOST)),
        width_hint=1080,
        texts=scene.marked({node: split_words(scene.tree, node) for node in inner}),
        class_names=scene.class_names,
        words=words(),
        beside=leaf_texts(scene),
    )
    figure.areas["least"] = 860
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
        "{n}; 95 % interval {low:hundredths} to {high:hundredths}); always predicting {name}: "
        "{base:percent}."
    ),
    "worse": (
        "**The tree is worse than always predicting {name}**: it classifies {share:percent} of "
        "{n} held-out rows correctly ({right} of {n}; 95 % interval {low:hundredths} to "
        "{high:hundredths}); the baseline: {base:percent}."
    ),
    "same": (
        "**The tree is not shown to be better than always predicting {name}**: it classifies "
        "{share:percent} of {n} held-out rows correctly ({right} of {n}; 95 % interval "
        "{low:hundredths} to {high:hundredths}); the baseline: {base:percent}."
    ),
    "few": (
        "**{n} held-out rows are too few to judge the tree.** It classifies {right} of them "
        "correctly; always predicting {name}: {constant} of {n}."
    ),
    "none": (
        "**No rows are held out, so nothing tells how the tree does on new rows.** It "
        "classifies {right} of {n} training rows correctly; always predicting {name}: "
        "{constant} of {n}."
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
        return strip(_two(scene, scene.division.rarer_class))
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
    return [
        (
            number(missed),
            t("of {n}", n=number(int(counts[k].sum()))),
            t("{name}: missed", name=scene.class_names[k]),
        ),
        (number(alarms), t("of {n}", n=number(int(counts[1 - k].sum()))), t("false alarms")),
        cost_cell(part, two_priced(scene.work.first)),
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
