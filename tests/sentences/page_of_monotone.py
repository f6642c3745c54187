"""What a part of the page *monotone* puts on the screen, without a server."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache
from unittest.mock import MagicMock, patch

from lastviz.ui.compute.cache import data
from lastviz.ui.monotone import audit, forest_draws, forest_trees, forest_votes, node, page, price
from lastviz.ui.monotone import data as data_page
from lastviz.ui.shared.model_view import class_names_of
from tests.sentences.rows import selected

MODULES = (audit, data_page, forest_draws, forest_trees, forest_votes, node, page, price)
PARTS = {
    "data": data_page.data_part,
    "node": node.node_part,
    "forest": page.forest_part,
    "audit": audit.audit_part,
}


def names_of(look):
    return class_names_of(data(look.selection).dataset)


def said_by(screen):
    """Return all texts that were given to a screen."""
    for _, given, named in screen.mock_calls:
        yield from (each for each in (*given, *named.values()) if isinstance(each, str))


@cache
def part_of(part, link):
    """Return the texts of a part of the page."""
    with ExitStack() as stack:
        screen = MagicMock()
        screen.columns.side_effect = lambda n, **_: [screen] * (n if isinstance(n, int) else len(n))
        for module in MODULES:
            for name in {"st", "show", "chart", "put"} & set(vars(module)):
                each = screen if name == "st" else getattr(screen, name)
                stack.enter_context(patch.object(module, name, each))
        PARTS[part](selected(link), "light")
    return list(said_by(screen))
