"""Numbers as figures and pages print them."""

from __future__ import annotations

import math
from numbers import Integral

__all__ = ["number"]

_MINUS = "\N{MINUS SIGN}"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float) -> str:
    """Return `value` for people: at most four significant digits, thousands separated.

    Digits before the decimal point are never rounded away (5414.83 is 5,415), and integers
    (counts) are exact. Very small and very large values use a power of ten.

    Examples
    --------
    >>> number(0.60571), number(-1234567), number(0.000012345)
    ('0.6057', '−1,234,567', '1.234·10⁻⁵')
    """
    if isinstance(value, Integral):
        return f"{value:,}".replace("-", _MINUS)
    value = float(value)
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else _MINUS + "∞"
    if value and not 1e-4 <= abs(value) < 1e9:
        digits, power = f"{value:.3e}".split("e")
        digits = digits.rstrip("0").rstrip(".")
        return f"{digits}·10{str(int(power)).translate(_SUPERSCRIPTS)}".replace("-", _MINUS)
    return _rounded(value).replace("-", _MINUS)


def _rounded(value: float) -> str:
    before = math.floor(math.log10(abs(value))) + 1 if value else 1
    text = f"{value:,.{min(max(0, 4 - before), 8)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
