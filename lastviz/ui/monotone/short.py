"""The part *In short* of the page *monotone*: the rows, the model, and REMT held monotone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from html import escape

import numpy as np

from lastviz.estimators import ESTIMATORS, TreeClassifier, entry_of
from lastviz.export.blocks import Columns, Picture, Text, Words
from lastviz.inspection import mcnemar
from lastviz.plots import Bounds, Drawing, Points, ThemeName, contradictions_plot, pad_bounds
from lastviz.ui.compute.availability import obstacle
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.blocks import Block
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.headline import Say
from lastviz.ui.state.selection import Model
from lastviz.ui.text import number, plural, t

from .audit import MOST_SQUARE, SQUARE, audit_alt, audit_caption, plane_figure
from .scene import AuditScene, OrderScene, audit_scene, order_scene, without_overlaps
from .words import audit_finding, audit_legend, verdict

LEVEL = 0.05  # of p, below which a difference is called significant
HOLDS = "monotone"  # the parameter with which REMT keeps the order


@dataclass(frozen=True, eq=False)
class ShortScene:
    """The rows and the models that are audited."""

    order: OrderScene
    models: tuple[AuditScene, ...]  # the reader's model, REMT, and REMT held monotone, each once
    reason: str | None  # why REMT is not among them, None if it is

    @property
    def pictured(self) -> tuple[AuditScene, ...]:
        """The models in the pictures: the first, and the one held monotone."""
        return self.models if len(self.models) < 2 else (self.models[0], self.models[-1])

    @cached_property
    def pair(self) -> np.ndarray:
        """A contradicting pair (1, 2), if any: the picked one, else the widest in class."""
        order, pairs = self.order, self.order.found.pairs
        if order.picked is not None:
            return order.picked[None]
        lower, upper = pairs.T
        return pairs[np.argsort(order.y[upper] - order.y[lower], kind="stable")[:1]]

    # It holds every row and every counter-example.
    def window(self, names: tuple[str, str]) -> Bounds:
        """Common window of all pictures of two features."""
        x, y = (self.order.X[:, self.order.names.index(name)] for name in names)
        ends = [
            [point[scene.names.index(name)] for name in names]
            for scene in self.pictured
            if scene.example is not None
            for point in (scene.example.below, scene.example.above)
        ]
        ends = np.reshape(np.array(ends, dtype=np.float64), (-1, 2))
        return pad_bounds(np.r_[x, ends[:, 0]], np.r_[y, ends[:, 1]])


def short_scene(work: Work) -> ShortScene:
    """Compute the scene of the short view.

    Raises
    ------
    ValueError, Working
        As :func:`.scene.order_scene` and :func:`.scene.audit_scene`.
    """
    chosen, entry = work.first.chosen, ESTIMATORS["remt"]
    own = dict(chosen.params) if chosen.key == "remt" else {}
    plain = Model("remt", tuple((name, own[name]) for name in own if name != HOLDS))
    held = Model("remt", tuple(sorted({**own, HOLDS: True}.items())))
    if chosen.key == "remt":
        chosen = Model("cart") if own.get(HOLDS) else plain
    dataset = work.dataset
    reason = obstacle(entry, dataset, held.params, allow_ensembles=True)
    models = dict.fromkeys((chosen,) if reason else (chosen, plain, held))
    scenes = tuple(audit_scene(work.having(models=(model,))) for model in models)
    return ShortScene(order_scene(work), scenes, reason)


def short_part(work: Work, theme: ThemeName) -> list[Block]:
    """Verdicts, the pictures that they rest on, and the table."""
    scene = short_scene(work)
    names, n_new = scene.order.class_names, len(scene.models[0].division.held_out_rows)
    columns: list[list[Block]] = [_rows(scene, theme)]
    columns += [_model(scene, each, theme) for each in scene.pictured]
    blocks: list[Block] = [
        Say(*(audit_finding(name_of(each), each.audit) for each in scene.pictured)),
        Words(audit_legend(names, theme, held_out=n_new > 0, ringed=True)),
        Columns(columns),
        Words(_table(scene, n_new)),
    ]
    first, last = scene.pictured[0], scene.pictured[-1]
    a, b = (each.wrong[each.division.held_out_rows] for each in (first, last))
    n, m = int((a & ~b).sum()), int((b & ~a).sum())
    if n != m and mcnemar(n, m) >= LEVEL:
        blocks.append(
            Text(
                t("The difference between {one} and {other} on the held-out rows can be chance.",
                  one=name_of(first), other=name_of(last))
            )
        )  # fmt: skip
    found = scene.order.found
    blocks.append(
        Text(
            t("{n} of {all} comparable pairs contradict each other.",
              n=number(found.n_pairs), all=number(found.n_comparable))
        )
    )  # fmt: skip
    read = dict.fromkeys(map(audit_caption, scene.pictured if len(scene.order.names) > 1 else ()))
    if any(without_overlaps(*scene.order.places())[2]):
        read[
            t("Rows that share a place are drawn side by side; the pointer says their values.")
        ] = None
    blocks += [Text(how) for how in read if how]
    if scene.reason:
        blocks.append(Text(scene.reason))
    return blocks


def _rows(scene: ShortScene, theme: ThemeName) -> list[Block]:
    n = scene.order.found.n_pairs
    head = plural(n, "{n} contradicting pair", "One of {n} contradicting pairs")
    head = head if n else t("No pair contradicts the order")
    alt = t("The rows by class; the framed pair contradicts the order")
    return [_head(head), Picture(rows_figure(scene, theme), alt, "")]


def rows_figure(scene: ShortScene, theme: ThemeName) -> Drawing:
    """Rows, and a pair of them that contradict each other, framed."""
    order, pair = scene.order, scene.pair
    some = np.linspace(0, len(order.y) - 1, min(len(order.y), MOST_SQUARE)).astype(np.intp)
    drawn = np.unique(np.r_[some, pair.ravel()])
    x, y, texts = without_overlaps(*order.places())
    texts = tuple(each and [each[row] for row in drawn.tolist()] for each in texts)
    places = np.column_stack([x, y])
    names = tuple(order.names[f] for f in order.axes)
    single = names[0] == names[1]
    points = Points.plain(x[drawn], y[drawn], order.y[drawn], order.rows[drawn] + 1)
    return contradictions_plot(
        replace(points, texts=texts),
        places[pair].reshape(-1, 4),
        framed=places[pair.ravel()],
        theme=theme,
        names=(names[0], "") if single else names,
        units=tuple(order.dataset.units.get(name, "") for name in names),
        class_names=order.class_names,
        height=SQUARE,
        view=pad_bounds(x, y) if single else scene.window(names),
        words=words(),
    )


def _model(scene: ShortScene, model: AuditScene, theme: ThemeName) -> list[Block]:
    head = _head(name_of(model))
    if len(model.names) < 2:
        return [head, Text(t("With one feature there is no plane to draw; the table says all."))]
    names = tuple(model.names[f] for f in model.axes)
    numeric = set(names) <= set(scene.order.names)
    x, y = (model.division.X.to_numpy()[:, f] for f in model.axes)
    window = scene.window(names) if numeric else pad_bounds(x, y)
    picture = Picture(plane_figure(model, theme, window), audit_alt(model), "")
    return [head, picture]


def _head(title: str) -> Words:
    return Words(f'<p class="lv-heading lv-over">{escape(title)}</p>')


def name_of(model: AuditScene) -> str:
    """Name of a model, which mentions the monotonicity constraint if it has one."""
    chosen = model.work.first.chosen
    if dict(chosen.params).get(HOLDS):
        return t("{title} with the monotonicity constraint", title=t(entry_of(chosen.key).title))
    return model.title


def n_wrong(model: AuditScene) -> int:
    """Number of misclassified held-out rows, of training rows if none is held out."""
    divided = model.division
    rows = divided.held_out_rows if len(divided.held_out_rows) else divided.train_rows
    return int(np.count_nonzero(model.wrong[rows]))


def _table(scene: ShortScene, n_new: int) -> str:
    """All models that were audited, one a row."""
    wrong = t("held-out rows wrong") if n_new else t("training rows wrong")
    n_rows = n_new or len(scene.models[0].division.train_rows)
    heads = (t("model"), t("leaves"), wrong, t("contradictions"), t("verdict of the audit"))
    rows = ""
    for model in scene.models:
        audit, tree = model.audit, model.estimator
        n_leaves = number(tree.tree_.n_leaves) if isinstance(tree, TreeClassifier) else "–"
        cells = (
            n_leaves,
            t("{n} of {all}", n=number(n_wrong(model)), all=number(n_rows)),
            t("{n} of {all}", n=number(audit.n_violating), all=number(audit.n_compared)),
            verdict(audit),
        )
        inside = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        kind = " class='lv-chosen'" if audit.proven else ""
        rows += f"<tr{kind}><th scope='row'>{escape(name_of(model))}</th>{inside}</tr>"
    top = "".join(f"<th scope='col'>{escape(head)}</th>" for head in heads)
    return (
        f"<div class='lv-wide' tabindex='0' role='region' aria-label='{escape(t('Audits'))}'>"
        f"<table class='lv-audits'><thead><tr>{top}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
