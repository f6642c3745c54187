"""The headline numbers of the page *rules*, as html."""

from __future__ import annotations

from html import escape

from lastviz.plots import number

from . import cache, frame, state
from .headline import class_sign
from .model_view import class_names_of
from .rule_scene import RuleScene
from .text import percent, t

__all__ = ["rule_headline"]


def rule_headline(scene: RuleScene) -> str:
    """Return the numbers of the tree and, with a sample, what becomes of it."""
    part, name = scene.told.held_out, t("held-out error")
    if not part.n_samples:
        part, name = scene.told.training, t("training error")
    wrong = part.n_samples - part.n_right
    error = t("{name}, {n} of {all}", name=name, n=number(wrong), all=number(part.n_samples))
    cells = [
        _cell(f"{percent(1.0 - part.accuracy)}<small> %</small>", error),
        _cell(number(scene.tree.n_nodes), t("nodes, {n} rules", n=number(len(scene.told.rules)))),
        _cell(number(scene.tree.max_depth), t("depth")),
    ]
    if scene.sample is not None:
        cells += _sample_cells(scene)
    return f'<div class="lv-strip">{"".join(cells)}</div>'


def _cell(value: str, label: str, mark: str = "") -> str:
    return f"<div{mark}><b>{value}</b><span>{escape(label)}</span></div>"


def _sample_cells(scene: RuleScene) -> list[str]:
    sample, names = scene.sample, scene.class_names
    title, about = t("typed sample"), t("class unknown")
    if sample.row is not None:
        title = t("row {n}", n=number(sample.row + 1))
        true = class_names_of(cache.data(state.current()).dataset)[sample.label]
        part = t("held out") if sample.held_out else t("training")
        about = t("{part}, true {name}", part=part, name=true)
    label = sample.way.prediction
    said = f"{class_sign(label, frame.theme())} {escape(names[label])}"
    return [_cell(escape(title), about, ' class="lv-apart"'), _cell(said, _by(scene))]


def _by(scene: RuleScene) -> str:
    """Return which rule decided, or how many did."""
    sample, told = scene.sample, scene.told
    ends, share = sample.way.ends.tolist(), percent(sample.way.shares[sample.way.prediction])
    if len(ends) > 1:
        return t("by {n} rules in parts, class support {share} %", n=len(ends), share=share)
    if ends[0] in told.numbers:
        return t("by rule {n}, confidence {share} %", n=told.numbers[ends[0]], share=share)
    return t("stopped at node {n}, class support {share} %", n=ends[0], share=share)
