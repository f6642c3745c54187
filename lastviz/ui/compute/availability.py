"""What a scene is about that is not here: a file, a data set to fetch, rows to learn from."""

from __future__ import annotations

from lastviz.datasets import PAINTED, all_datasets, openml_number
from lastviz.datasets.painted import EMPTY_PAINTING, Painting
from lastviz.host.memory import once_a_run
from lastviz.host.store import Upload
from lastviz.ui.state.selection import DEFAULT, Selection

from . import uploads


def missing_file(selection: Selection) -> Upload | None:
    """Return the file that the selection is about and that this session does not hold."""
    if missing_set(selection) is not None or painting_lacks(selection) is not None:
        return None
    return selection.upload if available(selection) is not selection else None


def painting_lacks(selection: Selection) -> str | None:
    """Return why nothing can be learnt from what is painted, None if something can."""
    if selection.data != PAINTED:
        return None
    painting = Painting.parse(selection.painted) if selection.painted else EMPTY_PAINTING
    return painting.obstacle


@once_a_run
def missing_set(selection: Selection) -> int | None:
    """Return the number of the data set of OpenML that is to be fetched first."""
    number = openml_number(selection.data)
    return number if number is not None and selection.data not in all_datasets() else None


@once_a_run
def available(selection: Selection) -> Selection:
    """Return the selection, or one of the first scene's data if its own are not here."""
    if missing_set(selection) is not None or painting_lacks(selection) is not None:
        return selection.change(data=DEFAULT.data)
    if selection.upload is None or uploads.content(selection.upload) is not None:
        return selection
    return selection.change(data=DEFAULT.data, upload=None)
