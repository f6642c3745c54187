"""The choosers of the page *textbook*: grower, node, alpha, leaves, a row's cells."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from lastviz._params import Param
from lastviz.pruning import CostComplexityPath
from lastviz.tree import Tree
from lastviz.ui.shared.widgets import bound, control, put, segments
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.state.fields import EMPTY, EditedRows
from lastviz.ui.state.selection import FIELDS
from lastviz.ui.text import t

from .scene import LoanScene, book_rows, choose, loan_columns, place_of

GROWN_BY = {
    "id3": "ID3",
    "id3_ratio": "ID3, gain ratio",
    "c45": "C4.5",
    "cart": "CART",
}


def grower() -> str:
    """Draw the choice of the algorithm that grows the tree, and return it."""
    titles = {key: t(title) for key, title in GROWN_BY.items()}
    return segments("grown", t("Grown by"), titles, seen=True)


def inner_chooser(tree: Tree, inner: list[int]) -> int | None:
    """Draw the choice of an inner node; the first below the root to begin with."""
    if not inner:
        return None
    wanted = session.current().textbook.inner
    chosen = wanted if wanted in inner else inner[min(1, len(inner) - 1)]
    bound(
        st.selectbox,
        "inner",
        t("Node"),
        inner,
        value=chosen,
        key="textbook.inner",
        format_func=partial(place_of, tree),
        width=360,
    )
    return chosen


def feature_chooser(scene: LoanScene, field: str) -> int:
    """Draw the choice of the feature of one of the two roots; `field` says of which."""
    names = scene.table.features
    chosen = min(session.current().value(field), len(names) - 1)
    bound(
        st.selectbox,
        field,
        t("Feature of the root"),
        range(len(names)),
        value=chosen,
        key=f"textbook.{field}",
        format_func=names.__getitem__,
        label_visibility="collapsed",
    )
    return chosen


def price_slider(scene: LoanScene) -> None:
    """Draw the slider of alpha, as far as the whole table's entropy."""
    declared = FIELDS["alpha"].param
    most = max(1.0, float(math.ceil(scene.root.entropy * scene.table.n_rows)))
    slider = Param(
        "alpha", float, declared.default, low=0.0, high=declared.high, label=declared.label,
        unit="bits", slider=(0.0, most, 0.05),
    )  # fmt: skip
    control(
        slider,
        float(session.current().textbook.alpha),
        key="textbook.alpha",
        apply=lambda value: session.select(alpha=value),
    )


def leaves_slider(path: CostComplexityPath) -> int:
    """Draw the choice of a tree of the sequence by its leaves; return the step."""
    leaves = path.n_leaves[::-1].tolist()
    chosen = leaves_in(path, session.current().textbook.pieces)
    if len(leaves) > 1:
        look = {"value": chosen, "key": "textbook.pieces", "width": 420}
        bound(st.select_slider, "pieces", t("Leaves"), leaves, **look)
    return int(np.flatnonzero(path.n_leaves == chosen)[0])


# None stands for any number.
def leaves_in(path: CostComplexityPath, wanted: int | None) -> int:
    """Number of leaves of the largest tree with at most `wanted` ones."""
    leaves = path.n_leaves[::-1].tolist()
    return max((n for n in leaves if wanted is None or n <= wanted), default=leaves[0])


def row_editor(shown: EditedRows) -> None:
    """Draw choosers for the cells of one row, to change the table without its grid."""
    if not shown.rows:
        return
    st.markdown(f"**{t('Change a row')}**")
    row = min(st.session_state.get("textbook.row", 1), len(shown.rows))
    put("textbook.row", row)
    st.number_input(t("Row"), min_value=1, max_value=len(shown.rows), key="textbook.row")
    for c, (name, legal) in enumerate(loan_columns()):
        key = f"textbook.cell.{c}"
        code = shown.rows[row - 1][c]
        put(key, legal[code] if 0 <= code < len(legal) else None)
        st.selectbox(
            name,
            legal,
            index=None,
            key=key,
            placeholder=t("empty"),
            on_change=_choose_cell,
            args=(shown, row - 1, c, key),
        )


def _choose_cell(shown: EditedRows, row: int, column: int, key: str) -> None:
    legal, word = loan_columns()[column][1], st.session_state[key]
    rows = [list(cells) for cells in shown.rows]
    rows[row][column] = EMPTY if word is None else legal.index(word)
    choose("loan", EditedRows(tuple(map(tuple, rows))), book_rows())
