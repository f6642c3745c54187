"""What to do so that others can open the links of a page."""

from __future__ import annotations

from lastviz.host.addresses import Reach, reach
from lastviz.ui.text import t

COMMAND = "`python -m lastviz --address 0.0.0.0`"


def reach_words() -> str:
    """Return why others cannot open a link, and what to do; "" if they can."""
    match reach():
        case Reach.MACHINE:
            return t(
                "Only this computer can open this address. So that others can, too, start lastviz "
                "with {command}.",
                command=COMMAND,
            )
        case Reach.UNKNOWN:
            return t(
                "Others cannot open an address with “localhost”. Open this page by the name or the "
                "address of its computer first."
            )
        case _:
            return ""
