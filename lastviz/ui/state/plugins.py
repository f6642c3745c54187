"""What is to be said of modules of the reader's own that the app loads."""

from __future__ import annotations

from lastviz._plugins import VARIABLE, load_plugins
from lastviz.ui.text import t


def problems_of_plugins() -> list[str]:
    """Return a sentence for each module that could not be imported."""
    sentence = "The module “{name}” of {variable} could not be loaded; why is in the log."
    return [t(sentence, name=name, variable=VARIABLE) for name in load_plugins()]
