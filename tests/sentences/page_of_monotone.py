"""What a part of the page *monotone* puts on the screen, without a server."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache, partial
from unittest.mock import MagicMock, patch

import numpy as np
import pandas as pd

from lastviz.ui.compute import uploads
from lastviz.ui.compute.cache import data
from lastviz.ui.monotone import audit, comparison, forest_draws, forest_trees, node, page
from lastviz.ui.monotone import data as data_page
from lastviz.ui.shared import blocks
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state.selection import DEFAULT, UPLOAD
from tests.sentences.rows import selected

MODULES = (
    audit, blocks, comparison, data_page, forest_draws, forest_trees, forest_trees, node, page,
    comparison,
)  # fmt: skip


def comparison_part(selection, theme):
    """Return the choice of sets, and what they show."""
    choice = blocks.Controls(partial(comparison.sets_chooser, selection))
    return [choice, *comparison.study_part(selection, theme)]


DRAWING = {"st", "show", "chart", "put", "control", "follow", "as_table", "_order", "four_sets"}
PARTS = {
    "data": data_page.data_part,
    "node": node.node_part,
    "forest": page.forest_part,
    "audit": audit.audit_part,
    "comparison": comparison_part,
}


def column(n, *, lacks=()):
    """Return a column that rises, without the values of some rows."""
    return tuple(None if row in lacks else row * 1.5 for row in range(n))


def table(**columns):
    """Return a scene: the columns of a table."""
    return tuple(columns.items())


def of_table(columns):
    """A file of the reader's whose classes are said to be in an order."""
    table = pd.DataFrame(dict(columns))
    table["class"] = np.where(np.arange(len(table)) < len(table) / 2, "a low", "b high")
    file = uploads.keep(f"order{len(table)}.csv", table.to_csv(index=False).encode(), len(table))
    return DEFAULT.change(data=UPLOAD, upload=file, ordered=True, sets=("current",))


def selection_of(scene):
    """Return the selection of a link, or of the columns of a table."""
    return selected(scene) if isinstance(scene, str) else of_table(scene)


def names_of(look):
    return class_names_of(data(look.selection).dataset)


def texts_on(screen):
    """Return all texts that were given to a screen."""
    for _, given, named in screen.mock_calls:
        yield from (each for each in (*given, *named.values()) if isinstance(each, str))


@cache
def part_of(part, scene):
    """Return the texts of a part of the page; nothing is priced."""
    with ExitStack() as stack:
        screen = MagicMock()
        screen.columns.side_effect = lambda n, **_: [screen] * (n if isinstance(n, int) else len(n))
        for module in MODULES:
            for name in DRAWING & set(vars(module)):
                each = screen if name == "st" else getattr(screen, name)
                stack.enter_context(patch.object(module, name, each))
        stack.enter_context(patch.object(comparison, "_price", MagicMock(return_value=[])))
        stack.enter_context(patch.object(blocks, "plain", str))
        blocks.draw(PARTS[part](selection_of(scene), "light"))
    return list(texts_on(screen))
