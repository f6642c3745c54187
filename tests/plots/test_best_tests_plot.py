"""The best test of each feature: what stands at the ends of bars has room, below 0 as above."""

import numpy as np
import pytest

from lastviz.plots import best_tests_plot
from lastviz.plots.visuals.words import text_width

SCORES = {
    "all above": (0.4, 0.2),
    "one below": (0.4, -0.01015),
    "all below": (-1.5e-07, -0.2),
    "not admitted": (0.4, -np.inf),
}


@pytest.mark.parametrize("kind", SCORES)
def test_a_score_below_zero_does_not_lie_on_the_name_of_its_test(kind):
    scores = np.array(SCORES[kind])
    figure = best_tests_plot(["a ≤ 0.715", "d ≤ −0.37"], scores, theme="light")
    (bar,), axis = figure.data, figure.layout.yaxis
    below = [text for text, x in zip(bar.text, bar.x, strict=True) if x < 0]
    room = max((text_width(text, bar.textfont.size) for text in below), default=0)
    assert axis.ticklabelstandoff >= room + 6 * (not below)
    names = max(text_width(name, axis.tickfont.size) for name in axis.ticktext)
    assert figure.layout.margin.l >= axis.ticklabelstandoff + names
