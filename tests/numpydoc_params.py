"""Reading the Parameters section of a numpydoc docstring."""

from __future__ import annotations

import inspect
import re


def documented_parameters(obj) -> list[str]:
    """Return the names in the Parameters section, in order; 'a, b : int' gives both."""
    text = inspect.getdoc(obj) or ""
    found = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[^\n]*\n-+\n|\Z)", text, re.M | re.S)
    names = re.findall(r"^(\w[\w, *]*?)\s*:", found.group(1), re.M) if found else []
    return [name.strip() for group in names for name in group.split(",")]
