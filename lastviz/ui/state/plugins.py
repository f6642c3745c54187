"""Modules of the reader's own that the app loads: they register criteria."""

from __future__ import annotations

import logging
import os
from functools import cache as once
from importlib import import_module

from lastviz.ui.text import t

__all__ = ["VARIABLE", "load_plugins"]

VARIABLE = "LASTVIZ_PLUGINS"
log = logging.getLogger("lastviz")


@once
def load_plugins() -> tuple[str, ...]:
    """Import the modules named in LASTVIZ_PLUGINS, separated by commas, once per process.

    Returns
    -------
    tuple of str
        A sentence for each that could not be imported; what went wrong is in the log.
    """
    sentences = []
    for name in filter(None, map(str.strip, os.environ.get(VARIABLE, "").split(","))):
        try:
            import_module(name)
        except Exception:
            log.exception("the module %s of %s could not be loaded", name, VARIABLE)
            sentences.append(
                t(
                    "The module “{name}” of {variable} could not be loaded; why is in the log.",
                    name=name,
                    variable=VARIABLE,
                )
            )
    return tuple(sentences)
