"""Modules of the user's own that are imported with the package: they register criteria.

Worker processes import the package, too, so what is registered there is known to them.
"""

from __future__ import annotations

import logging
import os
import sys
from functools import cache as once
from importlib import import_module, util
from pathlib import Path

VARIABLE = "LASTVIZ_PLUGINS"
log = logging.getLogger("lastviz")


@once
def load_plugins() -> tuple[str, ...]:
    """Import the modules listed in LASTVIZ_PLUGINS, comma-separated, once per process.

    Each is a module on Python's path, or a file that ends in ``.py``.

    Returns
    -------
    tuple of str
        Those that could not be imported; what went wrong is in the log.
    """
    failed = []
    for name in filter(None, map(str.strip, os.environ.get(VARIABLE, "").split(","))):
        try:
            _import(name)
        except (Exception, SystemExit):
            log.exception("the module %s of %s could not be loaded", name, VARIABLE)
            failed.append(name)
    return tuple(failed)


def _import(name: str) -> None:
    if not name.endswith(".py"):
        import_module(name)
        return
    path = Path(name).expanduser().resolve()
    there = sys.modules.get(path.stem)
    if there is not None and getattr(there, "__file__", None) == str(path):
        return  # it is what imports this package
    if there is not None:
        raise ImportError(f"there is another module called {path.stem!r}")
    spec = util.spec_from_file_location(path.stem, path)
    module = sys.modules[path.stem] = util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[path.stem]
        raise
