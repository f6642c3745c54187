"""The page *monotone*: its parts, one at a time, and what it says where there is no order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from lastviz.estimators import ESTIMATORS, ForestClassifier, entry_of
from lastviz.export.html_report import Text, Words
from lastviz.plots import ThemeName
from lastviz.ui.compute import cache, python_code
from lastviz.ui.shared import column_editors, controls, order_editor, view_controls
from lastviz.ui.shared.blocks import (
    PAGE,
    REPORT,
    SLIDE,
    Block,
    Controls,
    Only,
    Title,
    draw,
    on_slide,
    report_of,
)
from lastviz.ui.shared.example import example_instead
from lastviz.ui.shared.figures import current_theme, paper_theme
from lastviz.ui.shared.headline import legend
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.widgets import segments
from lastviz.ui.state import session
from lastviz.ui.state.lessons import steps_on
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, t

from .audit import audit_part
from .comparison import sets_chooser, study_part
from .data import data_part
from .forest_draws import subsets_panel
from .forest_trees import trees_panel, votes_panel
from .node import node_part
from .scene import GROW_REMT, obstacle_of
from .short import short_part
from .words import one_tree_words

QUESTION = "Is it monotone?"
MODELS = 1
ABOUT_CLASSES = True


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    model_chooser()
    controls.seed()
    controls.foot(lambda: python_code.python_of(session.current().first_models(MODELS)), report)


def body() -> None:
    """Draw the choice of the part and the part that was chosen.

    The choice stands while what a part needs is still worked out, so that the reader can leave.
    """
    selection, theme = session.current().first_models(MODELS), current_theme()
    part = segments("part", t("Part of the page"), _titles())
    reason = _obstacle(selection)
    if reason is not None:
        _ask_for_an_order(selection, reason)
        return
    if part == "comparison":
        sets_chooser(selection)
    draw(PARTS[part](selection, theme), part)


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows of the part of the page that is chosen.

    Raises
    ------
    CannotShow, Working
        Where nothing can be monotone; while it is being worked out.
    """
    selection = selection.first_models(MODELS)
    reason = _obstacle(selection)
    if reason is not None:
        raise CannotShow(reason)
    if selection.monotone.part == "forest":
        _check_forest(selection)
    return on_slide(PARTS[selection.monotone.part](selection, theme))


def _obstacle(selection: Selection) -> str | None:
    """Return why nothing can be monotone; the comparison has sets of its own."""
    return None if selection.monotone.part == "comparison" else obstacle_of(selection)


def _titles() -> dict[str, str]:
    return {
        "short": t("In short"),
        "data": t("Data"),
        "node": t("A node"),
        "forest": t("The forest"),
        "audit": t("Audit"),
        "comparison": t("Comparison"),
    }


def report(address: str | None) -> str:
    """Return the chosen part of the page as one file of html; raises what `pictured` does."""
    selection = session.current().first_models(MODELS)
    shown = pictured(selection, paper_theme())
    title = _titles()[selection.monotone.part]
    return report_of(selection, t(QUESTION), title, shown, address)


def _ask_for_an_order(selection: Selection, reason: str) -> None:
    """Say why nothing can be monotone here, let the reader mend it, and show the example."""
    st.info(reason, icon=":material/info:")
    loaded = cache.data(selection)
    has_no_order = not loaded.dataset.ordered and selection.one is None
    if has_no_order:
        order_editor.meaning_of_the_order(loaded.full, "asked")
    example_instead(pictured)
    if has_no_order:
        column_editors.class_editor(loaded.full)
    for scene, n in steps_on("monotone"):
        st.page_link(
            "pages/monotone.py",
            label=t(scene.question),
            icon="",
            query_params=scene.query_of(n) | session.language_link(),
        )


def forest_part(selection: Selection, theme: ThemeName) -> list[Block]:
    """Return the forest, how its rows are drawn and how its trees vote; or offer one."""
    forest = _forest(selection)
    if forest is None:
        return [Controls(partial(_offer, t(entry_of(selection.models[0].key).title)))]
    names, given = class_names_of(cache.data(selection).dataset), (forest, selection, theme)
    trees: list[Block] = [Text(t("With one feature there is no plane to draw."))]
    if forest.n_features_in_ > 1:
        trees = [Only((REPORT, SLIDE), [Words(legend(names, theme))]), *trees_panel(*given)]
    return [
        Only((PAGE,), [Title(t("The trees and what they decide"))]),
        *trees,
        Only((PAGE,), [Title(t("How the rows of each tree are drawn"))]),
        Controls(partial(subsets_panel, *given)),
        Only((PAGE,), [Title(t("The decision about one sample"))]),
        Controls(partial(votes_panel, *given)),
    ]


def _forest(selection: Selection) -> ForestClassifier | None:
    """Return the forest that the reader has chosen, None of a single tree."""
    if not issubclass(entry_of(selection.models[0].key).cls, ForestClassifier):
        return None
    return cache.fitted(selection, 0, allow_ensembles=True).estimator


def _check_forest(selection: Selection) -> None:
    """Raise CannotShow where a slide has no forest to show."""
    forest = _forest(selection)
    if forest is None:
        raise CannotShow(one_tree_words(t(entry_of(selection.models[0].key).title)))
    if forest.n_features_in_ < 2:
        raise CannotShow(t("With one feature there is no plane to draw."))


def _offer(title: str) -> None:
    """Say that the model is a single tree, and offer the forests."""
    st.info(one_tree_words(title))
    with st.container(horizontal=True):
        for key, entry in ESTIMATORS.items():
            if entry.cls.TAGS.forest and entry.cls.TAGS.ordered_classes:
                st.button(
                    t("Choose {title}", title=t(entry.title)),
                    key=f"to_{key}",
                    on_click=partial(session.select_model, 0, key=key),
                )


def model_chooser() -> None:
    """Draw the choice of the model; of a tree and a node where the page is about one."""
    controls.model_choosers(MODELS, allow_ensembles=True)
    cls = entry_of(session.current().models[0].key).cls
    if session.current().monotone.part != "node" or not issubclass(cls, GROW_REMT):
        return
    view_controls.tree_choosers(session.current().first_models(MODELS))
    view_controls.node_chooser(allow_ensembles=True)


PARTS: dict[str, Callable[[Selection, ThemeName], list[Block]]] = {
    "short": short_part,
    "data": data_part,
    "node": node_part,
    "forest": forest_part,
    "audit": audit_part,
    "comparison": study_part,
}
