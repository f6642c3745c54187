"""What stands below the player: two orders of the classes side by side, and how it works."""

from __future__ import annotations

import streamlit as st

from lastviz.plots import ThemeName, number
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from .orders import orders_compared
from .story import Story


def below(scene: Story, selection: Selection, theme: ThemeName) -> None:
    """Draw what stands below the player."""
    if scene.machines:
        orders_compared(selection, theme)
    st.markdown(f"**{t('How it works')}**")
    lines = [scene.settings, *_machine_lines()] if scene.machines else _growth_lines(scene)
    st.markdown("\n".join(f"- {line}" for line in lines))


def _growth_lines(scene: Story) -> list[str]:
    lines = [
        t(
            "The file does not record in which order the tree grew or what else was considered, "
            "so its tests are shown from the root down, level by level. Rows and impurities of "
            "nodes are those in the file; the points are rows of this data set."
        )
        if scene.is_own
        else t("Grown best first: of all leaves the one whose split gains most is split next.")
        if scene.best_first
        else t("Grown depth first: a branch is finished before the next one begins.")
    ]
    if scene.refitted:
        lines.append(
            t(
                "After {n} steps of growth the splits are improved, sweep by sweep from the "
                "deepest up: a new split is kept where it saves training errors. The dashed line "
                "is the split that it replaces.",
                n=number(scene.n_growth_events),
            )
        )
    elif scene.cut:
        lines.append(
            t(
                "After {n} steps of growth pruning begins: dashed lines show what each step "
                "removes.",
                n=number(scene.n_growth_events),
            )
        )
    lines.append(
        t("In the tree the upper branch of a test is yes, the lower one no.")
        if scene.binary
        else t(
            "In the tree the branches of a test stand in the order of its values; of a test "
            "with two branches the upper one is yes."
        )
    )
    lines.append(
        t(
            "Wide ribbons carry many rows. Click a bar to go to the step in which its node was "
            "decided."
        )
    )
    return lines


def _machine_lines() -> list[str]:
    return [
        t(
            "At each node one class is split off: the one whose nearest rival is farthest away, in "
            "units of both spreads. Rows that an SVM misclassifies are not corrected further down, "
            "so the class that is easiest to separate comes first."
        ),
        t(
            "The paper takes a separability of at least 1 for classes that do not overlap. Here "
            "the value is never read that way: it depends on the unit of measurement and on the "
            "width of the kernel. An SVM can separate classes far below 1 without an error, and "
            "classes above 1 can overlap. Only the order of the values means something."
        ),
        t(
            "Each SVM learns from all rows of the classes still in play, also from those that an "
            "earlier SVM misclassified."
        ),
    ]
