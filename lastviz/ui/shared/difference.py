"""Two models laid over each other: where they differ, in the plane, in their trees, by rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

import numpy as np
import pandas as pd

from lastviz._sentences import Statement
from lastviz.export.blocks import Text
from lastviz.inspection import Change, Overlay, TreeDiff
from lastviz.plots import (
    THEMES,
    Drawing,
    Outline,
    Points,
    Theme,
    ThemeName,
    difference_plot,
    flow_tree_plot,
    number,
    plain_split,
    split_words,
)
from lastviz.tree import Tree
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.sheet import st
from lastviz.ui.text import HUNDRED, as_markdown, paragraph, percent, plain, plural, t

from .blocks import Block, Chart, draw
from .figures import Plane, as_table, column_formats, fixed_words, legible_depth, words
from .headline import legend_of, mcnemar_words, show, sign, strip
from .job_box import result_or_reason
from .model_view import class_names_of, decided_title, predictions_of, rows_words
from .overlaid import difference, model_borders, overlay_of, shows_ensemble
from .widgets import save_table

ALONE = -1
OUTLINE_OF: dict[int, Outline] = {
    Change.MOVED: "pale",
    Change.CHANGED: "ink",
    Change.OTHER_CLASS: "ink",
    Change.LEAF_OR_SPLIT: "ink",
    ALONE: "dashed",
}


def outlines_of(diff: TreeDiff, which: int) -> dict[int, Outline]:
    """Frames of the nodes of a tree; those that stayed the same have none."""
    changes = diff.changes(which).tolist()
    return {node: OUTLINE_OF[c] for node, c in enumerate(changes) if c in OUTLINE_OF}


def change_title(change: int) -> str:
    """Change of a node, in a few words."""
    titles = {
        Change.SAME: t("same split"),
        Change.MOVED: t("threshold moved"),
        Change.CHANGED: t("another test"),
        Change.SAME_CLASS: t("same leaf"),
        Change.OTHER_CLASS: t("leaf of another class"),
        Change.LEAF_OR_SPLIT: t("a leaf here, a split there"),
        ALONE: t("only in this tree"),
    }
    return titles[change]


def changes_legend(diff: TreeDiff, titles: tuple[str, str], theme: Theme) -> str:
    """Numbers of nodes that stayed, moved, changed or stand alone, with their frames."""
    same = diff.count(Change.SAME) + diff.count(Change.SAME_CLASS)
    changed = sum(map(diff.count, (Change.CHANGED, Change.OTHER_CLASS, Change.LEAF_OR_SPLIT)))
    moved = diff.count(Change.MOVED)
    alone = [len(diff.only(which)) for which in (0, 1)]
    items = [
        t("{n} the same", n=number(same)),
        f"{_frame(theme.grey5)} {t('{n} moved', n=number(moved))}",
        f"{_frame(theme.ink)} {t('{n} changed', n=number(changed))}",
        _frame(theme.ink, dash="3 2")
        + " "
        + escape(
            t(
                "{n} only in {a}, {m} only in {b}",
                n=number(alone[0]),
                a=titles[0],
                m=number(alone[1]),
                b=titles[1],
            )
        ),
    ]
    return legend_of(items)


def _frame(colour: str, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return sign(f'<rect x="3" y="1.5" width="10" height="13"{dashed}/>', line=colour, width=2)


def node_hover(
    trees: tuple[Tree, Tree],
    diff: TreeDiff,
    which: int,
    class_names: Sequence[str],
    depth: int | None = None,
) -> dict[int, str]:
    """Hover texts of the nodes down to a depth: test or class, counterpart."""
    tree, other = trees[which], trees[1 - which]
    counterpart = dict(diff.pairs[:, [which, 1 - which]].tolist())
    pair_of = {int(node): i for i, node in enumerate(diff.pairs[:, which])}
    texts = {}
    for node in np.flatnonzero(tree.depth <= (tree.max_depth if depth is None else depth)).tolist():
        lines = [f"<b>{_test(tree, node, class_names)}</b>", rows_words(tree, node)]
        if node in counterpart:
            i = pair_of[node]
            lines.append(change_title(int(diff.change[i])))
            lines.append(
                t(
                    "there: <b>{test}</b>, {share} % of the rows in common",
                    test=_test(other, counterpart[node], class_names),
                    share=percent(float(diff.overlap[i]), 0),
                )
            )
        else:
            lines.append(change_title(ALONE))
        texts[node] = "<br>".join(lines)
    return texts


def _test(tree: Tree, node: int, class_names: Sequence[str]) -> str:
    return split_words(tree, node) or escape(class_names[int(tree.prediction[node])])


def window_words(overlay: Overlay, plane: Plane) -> str:
    """Sentences on the grid of the share, and on the fixed values of other features."""
    sentences = [] if overlay.exact else [t("The share of the area is counted on a fine grid.")]
    if plane.is_slice:
        sentences.append(t("The other features are fixed {where}.", where=fixed_words(plane)))
    return paragraph(sentences)


# ---------------------------------------------------------------- difference


MOST_LISTED = 500  # rows in the table; the file has all


@dataclass(frozen=True, eq=False)
class Difference:
    """Comparison of two models of a selection."""

    work: Work
    places: tuple[int, int]  # of the two models
    titles: tuple[str, str]
    class_names: tuple[str, ...]
    plane: Plane
    overlay: Overlay  # in the window that is drawn at first
    borders: tuple[np.ndarray, np.ndarray]  # where the class of either changes
    trees: tuple[Tree, Tree] | None  # None if one of them is more than a single tree
    diff: TreeDiff | None  # likewise
    # (ndarray, ndarray), shape (n_samples,) each, class index of each row.
    predicted: tuple[np.ndarray, np.ndarray]

    @property
    def rows(self) -> np.ndarray:
        """The rows of which the models predict different classes."""
        return np.flatnonzero(self.predicted[0] != self.predicted[1])


def difference_of(work: Work, places: tuple[int, int], plane: Plane) -> Difference:
    """Overlay of the models at two places, in full and at any displayed depth.

    Raises
    ------
    CannotShow
        If one cannot learn from the data, or they cannot be compared.
    Working
        If one is not trained or has not been asked about all rows and places yet.
    """
    trees = diff = None
    if not any(shows_ensemble(work.models[place]) for place in places):
        trees = tuple(work.models[place].picked.tree_ for place in places)
        diff = difference(work, *places)
    return Difference(
        work=work,
        places=places,
        titles=tuple(decided_title(work.models[place]) for place in places),
        class_names=class_names_of(work.dataset),
        plane=plane,
        overlay=overlay_of(work, places, plane),
        borders=tuple(model_borders(work.models[place], plane) for place in places),
        trees=trees,
        diff=diff,
        predicted=tuple(_answers(work.models[place]) for place in places),
    )


def _answers(model: ModelWork) -> np.ndarray:
    if shows_ensemble(model):
        return predictions_of(model)
    values = model.division.values
    return model.picked.tree_.predict(values)


def draw_difference(work: Work, places: tuple[int, int], plane: Plane, theme: ThemeName) -> None:
    """Draw how two models differ, or why that is not known."""
    found = result_or_reason(partial(difference_of, work, places, plane), "difference")
    if found is not None:
        difference_panel(found, theme)


def difference_panel(found: Difference, theme: ThemeName) -> None:
    """Draw how two models differ: numbers, the plane, the trees, the rows."""
    show(strip(_numbers(found)))
    st.markdown(paragraph(map(as_markdown, who_is_right(found))))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        draw(plane_blocks(found, theme))
    with right:
        _by_classes(found)
    if found.diff is not None:
        _trees(found, theme)
    else:
        ensemble = next(
            title
            for title, place in zip(found.titles, found.places, strict=True)
            if shows_ensemble(found.work.models[place])
        )
        sentence = "{title} is an ensemble: its predictions can be compared, its nodes cannot."
        st.caption(t(sentence, title=plain(ensemble)))
    _rows(found)


def who_is_right(found: Difference) -> list[Statement]:
    """Held-out rows that one of the two alone gets right, and whether by chance."""
    division = found.work.first.division
    rows = np.intersect1d(found.rows, division.held_out_rows)
    if not len(rows):
        return []
    right = [np.count_nonzero(each[rows] == division.y[rows]) for each in found.predicted]
    names = {"a": found.titles[0], "b": found.titles[1], "right_a": right[0], "right_b": right[1]}
    apart = Statement(
        "They differ on {n} held-out row: {a} classifies {right_a} correctly, {b} {right_b}.",
        "They differ on {n} held-out rows: {a} classifies {right_a} correctly, {b} {right_b}.",
        n=len(rows), **names,
    )  # fmt: skip
    return [apart, mcnemar_words(*right)]


def _numbers(found: Difference) -> list[tuple[str, str, str]]:
    rows, n = len(found.rows), len(found.predicted[0])
    unit = t("% of {n}", n=number(n))
    cells = [
        (percent(rows / n), unit, t("rows predicted differently")),
        (percent(found.overlay.share), "%", t("of the area shown differ")),
    ]
    if found.diff is not None:
        cells.append((f"{found.diff.likeness:.2f}", t("of 1"), t("likeness of the trees")))
    return cells


def plane_blocks(found: Difference, theme: ThemeName) -> list[Block]:
    """Plane of both models and the meaning of its marks."""
    a, b = found.titles
    alt = t(
        "Where {a} and {b} agree, in the tint of the class; in grey where they differ, "
        "{share} % of the area.",
        a=a, b=b, share=percent(found.overlay.share),
    )  # fmt: skip
    marks = t(
        "Grey: the two differ. Solid border: {a}, dashed: {b}. Points are the rows that they "
        "predict differently.",
        a=a, b=b,
    )  # fmt: skip
    picture = Chart(_figure(found, theme), alt, key="difference", filename="difference")
    about = window_words(found.overlay, found.plane)
    return [picture, *map(Text, filter(None, (marks, about)))]


def _figure(found: Difference, theme: ThemeName) -> Drawing:
    plane, rows = found.plane, np.intersect1d(found.rows, found.plane.drawn)
    division = found.work.first.division
    held_out = np.zeros(len(division.y), dtype=bool)
    held_out[division.held_out_rows] = True
    points = Points(
        x=plane.x[rows],
        y=plane.y[rows],
        label=division.y[rows],
        held_out=held_out[rows],
        wrong=np.zeros(len(rows), dtype=bool),
        row=rows + 1,
        texts=plane.texts(rows),
    )
    names = [plane.names[f] for f in plane.features]
    if plane.features[0] == plane.features[1]:
        names[1] = ""
    return difference_plot(
        found.overlay,
        found.borders,
        points,
        theme=theme,
        class_names=found.class_names,
        feature_names=tuple(names),
        texts={pair: _pair_words(found, pair) for pair in found.overlay.pairs()},
        equal=plane.equal,
        units=plane.units,
        words=words(),
        bands=plane.bands,
    )


def _pair_words(found: Difference, pair: tuple[int, int]) -> str:
    """Hover text of an area with these two predicted classes."""
    first, second = (escape(found.class_names[k]) for k in pair)
    if pair[0] == pair[1]:
        return t("both: <b>{label}</b>", label=first)
    return t(
        "{a}: <b>{first}</b><br>{b}: <b>{second}</b>",
        a=escape(found.titles[0]),
        first=first,
        b=escape(found.titles[1]),
        second=second,
    )


def _by_classes(found: Difference) -> None:
    """Draw which classes are taken for which, by area and by rows."""
    counts: dict[tuple[int, int], int] = {}
    for pair in zip(*(found.predicted[k][found.rows].tolist() for k in (0, 1)), strict=True):
        counts[pair] = counts.get(pair, 0) + 1
    areas = {pair: share for pair, share in found.overlay.pairs().items() if pair[0] != pair[1]}
    pairs = sorted({*areas, *counts}, key=lambda pair: (-areas.get(pair, 0.0), pair))
    st.markdown(f"**{t('Prediction of each')}**")
    if not pairs:
        st.caption(t("The models agree everywhere."))
        return
    table = {
        found.titles[0]: [found.class_names[a] for a, _ in pairs],
        found.titles[1]: [found.class_names[b] for _, b in pairs],
        t("area, %"): [round(HUNDRED * areas.get(pair, 0.0), 1) for pair in pairs],
        t("rows"): [counts.get(pair, 0) for pair in pairs],
    }
    st.dataframe(pd.DataFrame(table), hide_index=True, height=min(35 * len(pairs) + 40, 260))


def _trees(found: Difference, theme: ThemeName) -> None:
    diff = found.diff
    st.markdown(f"**{t('Node by node')}**")
    show(changes_legend(diff, found.titles, THEMES[theme]))
    for which, column in enumerate(st.columns(2, gap="medium")):
        tree, title = found.trees[which], found.titles[which]
        with column:
            depth = legible_depth(tree)
            cut = "" if depth is None else t("down to depth {n}", n=depth)
            st.markdown(f"**{plain(title)}** {cut}")
            figure = flow_tree_plot(
                tree,
                theme=theme,
                height=260,
                width_hint=560,
                class_names=found.class_names,
                hover=node_hover(found.trees, diff, which, found.class_names, depth),
                words=words(),
                outlined=outlines_of(diff, which),
                depth=depth,
            )
            chart(
                figure,
                key=f"difference-tree{which}",
                height=figure.height,
                alt=t(
                    "{title}: {n}, of which {alone} have no counterpart in the other tree.",
                    title=title,
                    n=plural(tree.n_nodes, "{n} node", "{n} nodes"),
                    alone=number(len(diff.only(which))),
                ),
                filename=f"tree-{which + 1}",
            )
    st.caption(
        t(
            "Nodes are matched by the rows that reach them: at least half of the rows of both "
            "together are common, and the trees keep their order. Likeness is twice the sum of "
            "these shares over all nodes of both trees. Trees without common structure may still "
            "predict alike, so both numbers stand above."
        )
    )
    as_table("difference-nodes", partial(_node_table, found), title=t("Nodes that correspond"))


def _node_table(found: Difference) -> pd.DataFrame:
    diff, (first, second) = found.diff, found.trees
    a, b = (diff.pairs[:, which].tolist() for which in (0, 1))
    one, two = found.titles
    leaf = t("a leaf")
    return pd.DataFrame(
        {
            t("node of {title}", title=one): a,
            t("test there"): [plain_split(first, node) or leaf for node in a],
            t("node of {title} ", title=two): b,
            t("test here"): [plain_split(second, node) or leaf for node in b],
            t("rows in common, %"): (HUNDRED * diff.overlap).round(1),
            t("what became of it"): [change_title(change) for change in diff.change.tolist()],
            t("rows sent elsewhere, %"): (HUNDRED * diff.shift).round(1),
        }
    )


def _rows(found: Difference) -> None:
    """List the rows that differ; the file has all of them."""
    rows = found.rows
    if not len(rows):
        return
    st.markdown(f"**{t('Rows predicted differently')}**")
    table = _row_table(found)
    shown = table.head(MOST_LISTED)
    st.dataframe(
        shown,
        column_config=column_formats(shown),
        hide_index=True,
        height=min(35 * len(rows) + 40, 280),
    )
    save_table(t("Rows (CSV)"), lambda: table, "rows-that-differ", key="differing")


def _row_table(found: Difference) -> pd.DataFrame:
    rows, dataset = found.rows, found.work.dataset
    held_out = set(found.work.first.division.held_out_rows.tolist())
    names = np.array(found.class_names, dtype=object)
    columns = {
        t("row"): rows + 1,
        t("part"): [t("held out") if row in held_out else t("training") for row in rows],
        t("class"): names[dataset.codes[rows]],
    }
    for title, answers in zip(found.titles, found.predicted, strict=True):
        columns[title] = names[answers[rows]]
    for name, column in dataset.X.iloc[rows].items():
        columns.setdefault(str(name), column.to_numpy())
    return pd.DataFrame(columns)
