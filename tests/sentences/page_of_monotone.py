"""What a part of the page *monotone* puts on the screen, without a server."""

from contextlib import ExitStack
from functools import cache
from unittest.mock import MagicMock, patch

import numpy as np
import pandas as pd

from lastviz.estimators import ForestClassifier
from lastviz.ui.compute import uploads
from lastviz.ui.compute.work import Work
from lastviz.ui.growth import drawing
from lastviz.ui.monotone import audit
from lastviz.ui.monotone import data as data_page
from lastviz.ui.shared import blocks
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state.selection import DEFAULT, UPLOAD
from tests.sentences.rows import selected

MODULES = (audit, blocks, data_page, drawing)


def forest_part(work, theme):
    """How the rows of a forest's tree were drawn; nothing where no tree votes."""
    forest = work.first.fitted_any.estimator
    if not isinstance(forest, ForestClassifier) or forest.adds_scores:
        return []
    return [blocks.Controls(lambda: drawing.rows_drawn(forest, work, theme))]


DRAWING = {
    "st",
    "show",
    "chart",
    "put",
    "control",
    "follow",
    "order_editor",
    "column_editors",
    "_compare",
}
PARTS = {"data": data_page.data_part, "forest": forest_part, "audit": audit.audit_part}


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
    return DEFAULT.change(data=UPLOAD, upload=file, ordered=True)


def selection_of(scene):
    """Return the selection of a link, or of the columns of a table."""
    return selected(scene) if isinstance(scene, str) else of_table(scene)


def names_of(look):
    return class_names_of(Work(look.selection).dataset)


def texts_on(screen):
    """Return all texts that were given to a screen."""
    for _, given, named in screen.mock_calls:
        yield from (each for each in (*given, *named.values()) if isinstance(each, str))


@cache
def part_of(part, scene):
    """Return the texts of a part of the page, or of what *growth* says of a forest."""
    with ExitStack() as stack:
        screen = MagicMock()
        screen.columns.side_effect = lambda n, **_: [screen] * (n if isinstance(n, int) else len(n))
        for module in MODULES:
            for name in DRAWING & set(vars(module)):
                each = screen if name == "st" else getattr(screen, name)
                stack.enter_context(patch.object(module, name, each))
        stack.enter_context(patch.object(blocks, "plain", str))
        blocks.draw(PARTS[part](Work(selection_of(scene)), "light"))
    return list(texts_on(screen))
