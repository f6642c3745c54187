"""Words of the page *pruning*: numbers, decisions, formulas, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lastviz._sentences import Statement
from lastviz.inspection import share_interval
from lastviz.plots import THEMES, PruningWords, number
from lastviz.pruning import PRUNERS
from lastviz.tree import Tree
from lastviz.ui.shared.headline import (
    SHAPES,
    class_items,
    legend_of,
    mcnemar_words,
    sign,
    table_html,
)
from lastviz.ui.shared.model_view import rows_words
from lastviz.ui.text import adding_up, percent, plural, t

from .scene import Decision, PruningScene

DIGITS = 3  # of numbers that are weighed
VALUES = {
    "cost_complexity": "Price of a leaf, α",
    "entropy_cost": "Price of a leaf, α (bits)",
    "replacement": "Confidence",
    "minimum_error": "Weight of the class shares of all rows, m",
}
FATES = {
    "goes": "pruned",
    "stays": "kept",
    "above": "pruned with a node above",
    "raised": "its largest branch takes its place",
}
ROUNDING = 1e-12  # rows, bits or shares of them
UNITS = {"": "errors with the price", "errors": "errors", "bits": "bits"}
NOTHING = 1e-9  # sums are rounded


def pruner_title(key: str) -> str:
    """Title of a pruner."""
    return t(PRUNERS[key].title)


def value_title(pruner: str) -> str:
    """Title of a pruner's parameter, beside its slider."""
    return t(VALUES[pruner])


# The rounding error left by a difference of equal sums is shown as 0.
def short(value: float) -> str:
    """Number with few digits."""
    return number(float(f"{value:.{DIGITS}g}")) if abs(value) > ROUNDING else "0"


def stop_words(value: float, n_leaves: int) -> str:
    """Label of a stop of the slider: the value and the leaves that remain."""
    leaves = plural(n_leaves, "{n} leaf", "{n} leaves")
    return t("{name}: {about}", name=short(value), about=leaves)


def curve_words(pruner: str) -> PruningWords:
    """Words of the figure."""
    return PruningWords(
        errors=t("error, %"),
        leaves=t("leaves"),
        training=t("training"),
        held_out=t("held out"),
        cross_validated=t("cross-validated"),
        band=t("± 1 SE"),
        chosen=t("one-SE rule"),
        mine=t("selected"),
        tree=t("{leaves} leaves", leaves="{leaves}"),
        listing=t(", "),
    )


def leaves_of(tree: Tree) -> Statement:
    """Number of leaves in words."""
    return Statement("{n} leaf", "{n} leaves", n=tree.n_leaves)


def curve_alt(scene: PruningScene) -> Statement:
    """The curve in a sentence."""
    return Statement(
        "Errors of {title} over its leaves as it is cut back from {most} to one: on training rows, "
        "on rows held out and by cross-validation; {n} other ways to prune as marks.",
        title=scene.title,
        most=leaves_of(scene.tree),
        n=len(scene.others),
    )


def tree_alt(scene: PruningScene) -> Statement:
    """Alternative text of the picture of the tree."""
    return Statement(
        "The tree of {title} as a flow of rows, {n} as it was grown; pruned branches are grey.",
        title=scene.title,
        n=leaves_of(scene.tree),
    )


def pruning_legend(scene: PruningScene) -> str:
    """Legend line for the marks that are not named in the drawing itself."""
    colours, items = THEMES[scene.theme], class_items(scene.class_names, scene.theme)
    if scene.others:
        diamond = sign(SHAPES["diamond"], line=colours.ink, width=2)
        items.append(f"{diamond} {t('other ways to prune')}")
    dashed = sign('<path d="M0 8h3M6.5 8h3M13 8h3"/>', line=colours.grey3, width=1.5)
    items.append(f"{dashed} {t('pruned away')}")
    return legend_of(items)


def verdict(scene: PruningScene) -> list[Statement]:
    """Effect of cutting on held-out rows, and whether chance can do as much.

    On training rows where none is held out; nothing while the rule is not known yet.
    The rows that only one of both trees gets wrong are counted against a fair coin (McNemar 1947).
    """
    held, train = scene.division.held_out_rows, scene.division.train_rows
    if scene.chosen is None:
        return []
    judged = held if len(held) else train
    grown, left = (scene.wrong(tree)[judged] for tree in (scene.tree, scene.trees.pruned(scene.at)))
    values = {
        "leaves": int(scene.trees.n_leaves[scene.at]),
        "all": leaves_of(scene.tree),
        "after": int(left.sum()),
        "before": int(grown.sum()),
        "n": len(judged),
        "rows": Statement("held-out rows" if len(held) else "training rows"),
    }
    found = Statement(
        "Cut back to {leaves} of {all}, the tree gets {after} of {n} {rows} wrong; before, "
        "{before}.",
        **values,
    )
    if not len(scene.cut):
        found = Statement(
            "Nothing is cut: with {all}, the tree gets {after} of {n} {rows} wrong.", **values
        )
    if left.sum() == grown.sum() or not len(held):
        return [found]
    return [found, mcnemar_words(int((left & ~grown).sum()), int((grown & ~left).sum()))]


# Errors on held-out rows have 95 % intervals; where none is held out there are none.
def errors_table(scene: PruningScene) -> str:
    """Leaves and errors of the whole tree, the rule's, the user's and the root alone."""
    held, train = scene.division.held_out_rows, scene.division.train_rows
    named = [(t("nothing cut"), scene.tree, "")]
    if scene.chosen is not None:
        named.append((t("one-SE rule"), scene.trees.pruned(scene.chosen), "lv-picked"))
    if scene.at != scene.chosen:
        named.append((t("selected"), scene.trees.pruned(scene.at), "lv-mine"))
    if scene.trees.n_leaves[-1] == 1 and len(scene.trees) - 1 not in (scene.chosen, scene.at):
        named.append((t("root alone"), scene.trees.pruned(len(scene.trees) - 1), ""))
    head = ("", t("leaves"), *([t("held-out error")] if len(held) else []), t("training"))
    rows = []
    for name, tree, style in named:
        wrong = scene.wrong(tree)
        cells = [number(tree.n_leaves)]
        if len(held):
            n = int(wrong[held].sum())
            low, high = (percent(bound) for bound in share_interval(n, len(held)))
            cells.append(
                f"<b>{percent(n / len(held))} %</b><br><small>"
                f"{escape(t('{low} to {high}', low=low, high=high))}</small>"
            )
        cells.append(f"{percent(float(wrong[train].mean()))} %")
        inside = "".join(f"<td>{cell}</td>" for cell in cells)
        rows.append(f'<tr class="{style}"><th><span>{escape(name)}</span></th>{inside}</tr>')
    about = t("With 95 % intervals over {n} held-out rows.", n=number(len(held)))
    note = f"<p>{escape(about)}</p>" if len(held) else ""
    return f'<div class="lv-cut-back">{table_html("lv-ranks", head, rows)}{note}</div>'


def decision_table(scene: PruningScene, decisions: Sequence[Decision]) -> str:
    """Table of the quantities each pruner weighs at the node, and of its decision."""
    rows = rows_words(scene.tree, scene.node)
    head = (
        t("node {n}, {rows}", n=scene.node, rows=rows), t("as a leaf"), t("its split"),
        t("below it"), t("difference"), "",
    )  # fmt: skip
    body = (_decision_row(d, mine=i == 0) for i, d in enumerate(decisions))
    return f'<div class="lv-decisions">{table_html("lv-ranks", head, body)}</div>'


def _decision_row(decision: Decision, *, mine: bool) -> str:
    pruner = PRUNERS[decision.key]
    about = [] if decision.value is None else [_value_words(decision)]
    if decision.as_leaf is None:
        cells = ["–"] * 4
    else:
        cells = adding_up(decision.as_leaf, decision.inner, decision.inside)
        about.append(t(UNITS[pruner.unit]))
    name = f"{escape(t(pruner.title))} <small>{escape(t(', ').join(about))}</small>"
    fate = t(FATES[decision.fate])
    word = f"<b>{fate}</b>" if decision.fate in ("goes", "raised") else fate
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    style = ' class="lv-picked"' if mine else ""
    return f"<tr{style}><th><span>{name}</span></th>{inside}<td>{word}</td></tr>"


def _value_words(decision: Decision) -> str:
    sign_of = {"cost_complexity": "α", "entropy_cost": "α", "minimum_error": "m"}
    letter = sign_of.get(decision.key)
    value = short(decision.value)
    return t("{letter} = {value}", letter=letter, value=value) if letter else value


def card_words(scene: PruningScene, decision: Decision) -> str:
    """Card on the calculation of the user's pruner at the node."""
    lines = CARDS[scene.pruner](scene, decision)
    inside = "".join(f"<p>{line}</p>" for line in lines[1:])
    return (
        f'<div class="lv-card lv-weighing" role="group" aria-label="{t("what is compared")}">'
        f'<div><div class="lv-formula">{lines[0]}</div>{inside}</div></div>'
    )


def _fraction(upper: str, lower: str) -> str:
    return f'<span class="lv-fraction"><span>{upper}</span><span>{lower}</span></span>'


def _price_card(scene: PruningScene, decision: Decision) -> list[str]:
    """The price from which on the node goes, of the subtree as it is cut below."""
    n = float(scene.tree.weighted_n_node_samples[0])
    price = scene.value * n
    leaves = _leaves_below(scene, decision)
    as_leaf = decision.as_leaf - price
    inside = decision.inside - price * leaves
    g = (as_leaf - inside) / (n * (leaves - 1))
    upper = f"{short(as_leaf)} − {short(inside)}"
    lower = f"{number(round(n, 6))} · ({number(leaves)} − 1)"
    return [
        f"<i>g</i> = {_fraction(upper, lower)} = <b>{short(g)}</b>",
        t("against the selected α of {alpha}", alpha=short(scene.value)),
    ]


def _leaves_below(scene: PruningScene, decision: Decision) -> int:
    """Number of leaves of the subtree, pruned below the node at the user's value."""
    table = scene.table_of(scene.pruner, decision.value)
    below, left = [*scene.tree.children(scene.node)], 0
    while below:
        node = below.pop()
        if table.cut[node] or scene.tree.is_leaf(node):
            left += 1
        else:
            below += scene.tree.children(node)
    return left


def _entropy_card(scene: PruningScene, decision: Decision) -> list[str]:
    bits = decision.as_leaf - scene.value
    return [
        f"<i>N H</i> + α = {short(bits)} + {short(scene.value)} = <b>{short(decision.as_leaf)}</b>",
        t("against {inside} below it", inside=short(decision.inside)),
    ]


def _confidence_card(scene: PruningScene, decision: Decision) -> list[str]:
    n, e = _rows_and_errors(scene)
    limit = _fraction(short(decision.as_leaf), short(n))
    return [
        f"<i>U</i>({short(e)}, {short(n)}) = {limit} = "
        f"<b>{percent(decision.as_leaf / n)} %</b>",
        t("the error rate that {e} errors in {n} rows stay below with this confidence; the "
          "leaves below expect {inside} errors", e=short(e), n=short(n),
          inside=short(decision.inside)),
    ]  # fmt: skip


def _estimate_card(scene: PruningScene, decision: Decision) -> list[str]:
    n, e = _rows_and_errors(scene)
    tree, k = scene.tree, scene.tree.prediction[scene.node]
    prior = float(tree.value[0, k] / tree.value[0].sum())
    m = scene.value
    inner = _fraction(f"{short(n - e)} + {short(m)} · {short(prior)}", f"{short(n)} + {short(m)}")
    return [
        f"{short(n)} (1 − {inner}) = <b>{short(decision.as_leaf)}</b>",
        t("against {inside} below it", inside=short(decision.inside)),
    ]


def _rows_and_errors(scene: PruningScene) -> tuple[float, float]:
    value = scene.tree.value[scene.node]
    return float(value.sum()), float(value.sum() - value.max())


CARDS = {
    "cost_complexity": _price_card,
    "entropy_cost": _entropy_card,
    "replacement": _confidence_card,
    "minimum_error": _estimate_card,
}


def chosen_by(scene: PruningScene) -> list[Statement]:
    """Rows that choose the cut, and rows that report it."""
    found = [
        Statement(
            "Cross-validation on the training rows chooses the tree of the one-SE rule; rows held "
            "out report it."
        )
    ]
    if any(other.key == "reduced_error" for other in scene.others):
        found.append(
            Statement(
                "One half of them selects the tree in reduced-error pruning, the other half "
                "reports its error."
            )
        )
    if not len(scene.division.held_out_rows):
        found = [
            Statement(
                "No rows are held out, so only the cross-validated error here estimates that of "
                "new rows."
            )
        ]
    if scene.work.first.chosen.edits:
        found.append(Statement("Edits by hand are not made in the trees of the cross-validation."))
    return found
