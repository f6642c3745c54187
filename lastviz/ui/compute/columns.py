"""Which features are in use: those that the reader chose, or those that are proposed."""

from __future__ import annotations

from lastviz.datasets import Dataset, proposed_columns
from lastviz.ui.state.link_texts import ALL_COLUMNS
from lastviz.ui.state.selection import Selection, is_table


def columns_in_use(whole: Dataset, selection: Selection) -> tuple[int, ...]:
    """Return the features that the selection asks for, by position, or those proposed."""
    if selection.columns == ALL_COLUMNS:
        return tuple(range(whole.n_features))
    return selection.columns or _proposed(whole, selection)


def chosen_columns(whole: Dataset, selection: Selection, used: tuple[int, ...]) -> tuple[int, ...]:
    """Return how a selection says that these features are used, by rising position."""
    if used == _proposed(whole, selection):
        return ()
    return ALL_COLUMNS if len(used) == whole.n_features else used


def _proposed(whole: Dataset, selection: Selection) -> tuple[int, ...]:
    if is_table(selection.data):
        return proposed_columns(whole)
    return tuple(range(whole.n_features))
