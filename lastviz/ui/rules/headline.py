"""What is said around the rule tree: its legend, its numbers, what it shows and leaves out."""

from __future__ import annotations

from html import escape

from lastviz.plots import THEMES, number
from lastviz.ui.shared.headline import (
    cell_html,
    class_items,
    count_cell,
    judged_cell,
    legend_of,
    sign,
)
from lastviz.ui.shared.model_view import envelope_words
from lastviz.ui.text import percent, plural, t

from .scene import MOST, OPEN_FULLY, RuleScene
from .words import held_out_words, part_words, training_words

_CLOSED_ROWS = (
    "Nodes with fewer than {rows} rows are closed; +n says how many rules one holds. Click it to "
    "open it, or move the slider. At most {most} rows are drawn."
)
_CLOSED_ICICLES = (
    "Nodes with fewer than {rows} rows have no room for their test and are closed. Click one to "
    "open it, or move the slider."
)
_CLOSED_NODES = (
    "Nodes with fewer than {rows} rows are closed. Click one to open it, or move the slider. At "
    "most {most} leaves are drawn."
)
_CLOSED = {"flow": _CLOSED_ROWS, "icicle": _CLOSED_ICICLES, "node-link": _CLOSED_NODES}
_DENSE = (
    "With more than {n} rows there is no room for numbers and some tests: point at a node to "
    "read them."
)


def rule_legend(scene: RuleScene) -> str:
    """Return the legend of the drawn tree."""
    tree, items = scene.poured.tree, class_items(scene.class_names, scene.theme)
    if scene.sample is not None:
        line = sign('<path d="M0 8h16"/>', line=THEMES[scene.theme].ink, width=3)
        items.append(f"{line} {t('path of the sample')}")
    if (tree.n_children == 2).any():
        items.append(t("upper branch: yes, lower branch: no"))
    rows = part_words(scene.poured.part, float(tree.weighted_n_node_samples[0]))
    sentence = "support, confidence and coverage: of {rows}"
    if scene.poured.part != "training":
        sentence = "support, accuracy and coverage: of {rows}"
    items.append(t(sentence, rows=rows))
    return legend_of(items)


def tree_alt(scene: RuleScene) -> str:
    """Return what the picture of the tree shows, for those who do not see it."""
    sentence = (
        t(
            "The tree of {title} as nodes and links from left to right, {n}, with {rows}: features "
            "at the nodes, answers on the links, classes at the leaves."
        )
        if scene.selection.rules.drawing == "node-link"
        else t(
            "The tree of {title} as a flow of rows from left to right, {n}; beside each the "
            "support, the class supports, the confidence and the coverage on {rows}."
        )
    )
    return sentence.format(
        title=scene.title,
        rows=part_words(scene.poured.part, len(scene.poured.y)),
        n=plural(len(scene.found.rules), "{n} rule", "{n} rules"),
    )


def tree_notes(scene: RuleScene) -> list[str]:
    """Return which rows the tree holds and what of it is not drawn."""
    return [note for note in (part_note(scene), closed_note(scene)) if note]


def who_decides(scene: RuleScene) -> str:
    """Return what else than the shown tree decides about a row; "" where nothing does."""
    if len(scene.trees) > 1:
        return t(
            "Errors and rules of tree {n} of {all}, supports on the rows that it was grown on. The "
            "forest itself decides by the votes of all trees.",
            n=number(scene.place + 1),
            all=number(len(scene.trees)),
        )
    grown, given = scene.tree.n_node_samples[0], len(scene.division.train_rows)
    if grown < given:
        return t(
            "The tree was grown on {n} of the {all} training rows, and pruned by the others: "
            "supports are those of the rows that it was grown on.",
            n=number(int(grown)),
            all=number(given),
        )
    return envelope_words(scene.estimator)


def part_note(scene: RuleScene) -> str:
    """Return which rows the picture shows where they are not those that grew the tree."""
    if scene.poured.part == "training":
        return ""
    rows = part_words(scene.poured.part, len(scene.poured.y))
    if scene.poured.part == "new":
        return t(
            "Drawn with the {rows} of the file: widths and numbers are theirs, tests and classes "
            "those of the tree.",
            rows=rows,
        )
    return t(
        "Drawn with the {rows}, which took no part in the growth: widths and numbers are theirs, "
        "tests and classes what the tree had learnt before.",
        rows=rows,
    )


def closed_note(scene: RuleScene) -> str:
    """Return what is not drawn or not written, and how to see it; "" where all is."""
    layout, n_rules = scene.layout, len(scene.found.rules)
    drawing = scene.selection.rules.drawing
    sentences = []
    if layout.n_leaves < n_rules:
        n_drawn = sum(scene.tree.is_leaf(node) for node in layout.node[layout.leaf].tolist())
        about = {"whole": number(n_drawn), "all": number(n_rules)}
        one = "{whole} of {all} rules are drawn individually; a closed node holds the others."
        many = "{whole} of {all} rules are drawn individually; {n} closed nodes hold the others."
        sentences.append(plural(layout.n_leaves - n_drawn, one, many, **about))
    if layout.hidden_leaves:
        about = {"rows": number(float(layout.least_rows)), "most": number(MOST)}
        sentences.append(t(_CLOSED[drawing], **about))
    if layout.n_leaves > OPEN_FULLY and drawing != "icicle":
        sentences.append(t(_DENSE, n=number(OPEN_FULLY)))
    return t(" ").join(sentences)


def rule_headline(scene: RuleScene) -> str:
    """Return the numbers of the tree and, with a sample, what becomes of it."""
    found = scene.found
    part, label = found.held_out, t("held-out error")
    if not part:
        part, label = found.training, t("training error")
    about = {"is_new": part is found.held_out, "errors": True}
    n_nodes, unit, nodes = count_cell(scene.tree.n_nodes, "node", "nodes")
    rules = plural(len(found.rules), "{n} rule", "{n} rules")
    cells = [
        cell_html(*judged_cell(part, label, found.training, **about)),
        cell_html(n_nodes, unit, t(", ").join((nodes, rules))),
        cell_html(number(scene.tree.max_depth), "", t("depth")),
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
        part = t("held out") if sample.held_out else t("training")
        about = t("{part}, true {name}", part=part, name=names[sample.label])
    label = sample.path.prediction
    apart = _cell(escape(title), about, ' class="lv-apart"')
    return [apart, _cell(scene.signed(label), _by(scene))]


def _by(scene: RuleScene) -> str:
    """Return which rule decided, or how many did."""
    sample, found = scene.sample, scene.found
    ends, share = sample.path.ends.tolist(), percent(sample.path.shares[sample.path.prediction])
    if len(ends) > 1:
        return t("by {n} rules in parts, class support {share} %", n=len(ends), share=share)
    rows = training_words(found.supports.support[ends[0]])
    if ends[0] not in found.numbers:
        return t("stopped at node {n}, class support {share} % of {rows}", n=ends[0],
                 share=share, rows=rows)  # fmt: skip
    about = {"n": found.numbers[ends[0]], "share": share, "rows": rows}
    held_out = found.held_out_of(ends[0])
    if held_out is None:
        return t("by rule {n}, confidence {share} % of {rows}", **about)
    held_out = held_out_words(*held_out)
    return t("by rule {n}, confidence {share} % of {rows}; {held_out}", **about, held_out=held_out)
