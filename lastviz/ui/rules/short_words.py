"""What the view *In short* says: the finding, the rules that decide most, the errors."""

from __future__ import annotations

from html import escape

import numpy as np

from lastviz.inspection import Costs
from lastviz.plots import condition_words, number
from lastviz.ui.shared.headline import FEW, Cell, class_sign, strip
from lastviz.ui.text import percent, plural, t

from .cost_scene import rarer_class
from .scene import RuleScene
from .verdict import Decided, cheapest_constant, deciding_rules, verdict_of

MOST_RULES, MOST_CLASSES = 3, 4


def verdict_words(scene: RuleScene) -> str:
    """Return in a sentence how good the tree is, and against what."""
    verdict = verdict_of(scene.found)
    part, always = verdict.part, verdict.always
    low, high = (percent(bound) for bound in part.accuracy_interval())
    values = {
        "share": percent(part.accuracy),
        "n": number(part.n_samples),
        "right": number(part.n_right),
        "low": low,
        "high": high,
        "name": escape(scene.class_names[verdict.majority]),
        "base": percent(always.accuracy),
        "constant": number(always.n_right),
    }
    sentences = {
        "better": t(
            "<b>The tree is right on {share} % of {n} held-out rows</b> ({right} of {n}; 95 % "
            "interval {low} to {high}); always predicting {name} is right on {base} %.",
            **values,
        ),
        "worse": t(
            "<b>The tree is worse than always predicting {name}</b>: right on {share} % of {n} "
            "held-out rows ({right} of {n}; 95 % interval {low} to {high}), the baseline "
            "on {base} %.",
            **values,
        ),
        "same": t(
            "<b>The tree is not shown to be better than always predicting {name}</b>: right on "
            "{share} % of {n} held-out rows ({right} of {n}; 95 % interval {low} to {high}), the "
            "baseline on {base} %.",
            **values,
        ),
        "few": t(
            "<b>{n} held-out rows are too few to judge the tree.</b> It is right about {right}, "
            "always predicting {name} would be right about {constant}.",
            **values,
        ),
        "none": t(
            "<b>No rows are held out, so nothing tells how the tree does on new rows.</b> Of {n} "
            "training rows it gets {right} right, always predicting {name} would get {constant}.",
            **values,
        ),
    }
    return f'<p class="lv-say">{sentences[verdict.kind]}</p>'


def error_strip(scene: RuleScene) -> str:
    """Return the errors by class, of two classes with what they cost at the reader's ratio."""
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
    """Return the errors about two classes, the first named `k`, beside the cheapest constant."""
    part = scene.found.held_out or scene.found.training
    counts = part.confusion
    missed, alarms = int(counts[k, 1 - k]), int(counts[1 - k, k])
    costs = Costs(scene.selection.rules.cost_miss, scene.selection.rules.cost_alarm)
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
            _money(total),
            "",
            t("cost at {miss} : {alarm}", **ratio),
            t("all called {name}: {cost}", name=scene.class_names[given], cost=_money(least)),
        ),
    ]


def _money(cost: float) -> str:
    return number(float(f"{cost:.4g}"))


def decided_table(scene: RuleScene) -> str:
    """Return the rules that decide most held-out rows, as html."""
    decided = deciding_rules(scene.found, MOST_RULES)
    held = scene.found.held_out
    rows = float(sum(each.rows for each in decided))
    all_rows = number((held or scene.found.training).n_samples)
    about = {"rows": number(rows), "all": all_rows}
    heading = (
        plural(
            len(decided),
            "One rule decides {rows} of {all} held-out rows.",
            "{n} rules decide {rows} of {all} held-out rows.",
            **about,
        )
        if held
        else t("The rules with most training rows")
    )
    known = [t("right"), t("95 %")] if held else []
    head = [
        *("", t("if"), t("then")), *known, t("training rows"), t("confidence, training"),
    ]  # fmt: skip
    body = "".join(_decided_row(scene, each) for each in decided)
    titles = "".join(f"<th>{escape(word)}</th>" for word in head)
    return (
        f'<div class="lv-decided" role="group"><b>{escape(heading)}</b><div class="lv-scroll">'
        f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table></div></div>"
    )


def _decided_row(scene: RuleScene, each: Decided) -> str:
    rule = each.rule
    joint, missing = f" {t('and')} ", t("or missing")
    words = condition_words(scene.tree, rule.conditions, joint=joint, missing=missing)
    name = escape(scene.class_names[rule.prediction])
    cells = [
        f"<td>{number(rule.number)}</td>",
        f'<td class="lv-if">{words or t("all rows")}</td>',
        f"<td>{class_sign(rule.prediction, scene.theme)} {name}</td>",
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
    """Return a cell that a phone shows with its title."""
    return f'<td data-title="{escape(title)}">{value}</td>'


def leaf_texts(scene: RuleScene) -> dict[int, str]:
    """Return how many of its held-out rows each leaf gets wrong; empty without any."""
    found = {}
    for node in np.flatnonzero(scene.tree.n_children == 0).tolist():
        kept = scene.found.held_out_of(node)
        if kept is not None:
            right, rows = kept
            n = number(round(rows - right, 6))
            wrong = t("{n} of {all} wrong", n=n, all=number(rows))
            found[node] = wrong if rows else t("no held-out row")
    return found
