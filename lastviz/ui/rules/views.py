"""The views of the page *rules*: which one was chosen, or shows what a link names."""

from __future__ import annotations

from lastviz.ui.shared.widgets import segments
from lastviz.ui.state.pages import RulesView
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

_OF_TABLE = ("only", "from_rows", "from_confidence", "order")
_OF_CHANGE = ("flip_to", "flip_metric", "flip_holds", "flip_rows")
_OF_COSTS = ("cost_miss", "cost_alarm", "cut")
_OF_TREE = ("drawing", "rows_of", "least")


def view_of(selection: Selection) -> str:
    """Return which view is shown: "short", "rules", "row" or "costs".

    Links from before there were views name what only one of them shows.
    """
    rules, view = selection.rules, selection.view
    if rules.rule_view != "auto":
        return rules.rule_view
    for name, fields in (("rules", _OF_TABLE), ("row", _OF_CHANGE), ("costs", _OF_COSTS)):
        if _differs(rules, fields):
            return name
    if rules.typed or view.highlighted is not None:
        return "row"
    is_open = selection.models[0].node is not None or view.depth is not None
    return "rules" if is_open or _differs(rules, _OF_TREE) else "short"


def _differs(rules: RulesView, fields: tuple[str, ...]) -> bool:
    plain = RulesView()
    return any(getattr(rules, field) != getattr(plain, field) for field in fields)


def view_chooser(selection: Selection) -> None:
    """Draw the choice of a view."""
    titles = {
        "short": t("In short"),
        "rules": t("Tree and rules"),
        "row": t("One row"),
        "costs": t("Costs"),
    }
    segments("rule_view", t("View"), titles, chosen=view_of(selection))
