"""Which features are in use: those that the reader chose, or those that are proposed."""

from __future__ import annotations

from lastviz.datasets import Dataset, proposed_columns
from lastviz.ui.state.link_texts import ALL_COLUMNS
from lastviz.ui.state.selection import Selection, is_table


def columns_in_use(full: Dataset, selection: Selection) -> tuple[int, ...]:
    """Return the features that the selection asks for, by position, or those proposed."""
    if selection.columns == ALL_COLUMNS:
        return tuple(range(full.n_features))
    return selection.columns or _proposed(full, selection)


def chosen_columns(full: Dataset, selection: Selection, used: tuple[int, ...]) -> tuple[int, ...]:
    """Return how a selection says that these features are used, by rising position."""
    if used == _proposed(full, selection):
        return ()
    return ALL_COLUMNS if len(used) == full.n_features else used


def _proposed(full: Dataset, selection: Selection) -> tuple[int, ...]:
    if is_table(selection.data):
        return proposed_columns(full)
    return tuple(range(full.n_features))
