"""Packages that not every installation has: which extra brings them, and the sentence that says so.

``pip install lastviz`` brings what the pages need, ``lastviz[files]`` readers of workbooks and
ARFF, ``lastviz[studies]`` the store of studies and workers elsewhere, ``lastviz[export]`` what
writes models for other programs, ``lastviz[slides]`` what writes PowerPoint files,
``lastviz[login]`` and ``lastviz[metrics]`` what a login and a collector of counts need,
``lastviz[notebook]`` a widget for notebooks, ``lastviz[all]`` all of it.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from ._sentences import Statement

EXTRAS: dict[str, tuple[str, str]] = {
    "python_calamine": ("python-calamine", "files"),
    "arff": ("liac-arff", "files"),
    "sqlalchemy": ("sqlalchemy", "studies"),
    "psycopg": ("psycopg", "studies"),
    "distributed": ("distributed", "studies"),
    "lightgbm": ("lightgbm", "studies"),
    "onnx": ("onnx", "export"),
    "skops": ("skops", "export"),
    "authlib": ("Authlib", "login"),
    "httpx": ("httpx", "login"),
    "pptx": ("python-pptx", "slides"),
    "prometheus_client": ("prometheus-client", "metrics"),
    "anywidget": ("anywidget", "notebook"),
    "IPython": ("ipython", "notebook"),
    "traitlets": ("traitlets", "notebook"),
}
"""By module: what its package is called, and the extra that brings it."""


class NotInstalled(ImportError, ValueError):
    """A package is wanted that an extra brings, in one sentence with the remedy.

    Whoever tells a reader what is wrong with a file or a parameter tells this as well.
    """


def is_installed(module: str) -> bool:
    """Whether a module of :data:`EXTRAS` can be imported."""
    return find_spec(module) is not None


def lack_of(module: str, what: str) -> Statement:
    """Sentence on how to install a missing package, by its module."""
    package, extra = EXTRAS[module]
    return Statement(
        "{what} needs the package {package}: pip install 'lastviz[{extra}]'",
        what=what,
        package=package,
        extra=extra,
    )


def import_extra(module: str, what: str) -> ModuleType:
    """Import a module of :data:`EXTRAS`.

    Raises
    ------
    NotInstalled
        With the sentence of :func:`lack_of`.
    """
    if not is_installed(module):
        raise NotInstalled(lack_of(module, what))
    return import_module(module)
