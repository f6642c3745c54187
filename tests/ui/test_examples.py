"""The scene of its own that a page shows while nothing was chosen, or where that cannot be."""

import pytest

from lastviz.ui import frame
from lastviz.ui.state import session
from tests.sentences.rows import selected

from .conftest import checked, html, opened
from .opened_pages import seen

EXAMPLES = {name: row[2] for name, row in frame.PAGES.items() if row[2:]}


def texts(app):
    return [each.value for each in app.caption] + [each.value for each in app.info]


@pytest.mark.parametrize("page", EXAMPLES)
def test_a_cold_page_shows_its_example_and_says_so(page):
    app = seen(page)
    found = app.session_state[session.SELECTION]
    assert found == selected(EXAMPLES[page])
    assert app.query_params == {}
    assert any(text.startswith(("An example: ", "Example study, finished")) for text in texts(app))
    assert not any("What this page shows" in text for text in texts(app))
    assert not app.info
    assert not app.warning
    assert 'class="lv-notice"' not in html(app)


def test_what_was_chosen_travels_and_is_no_example():
    app = opened("boundaries", data="moons")
    app = checked(app.switch_page("pages/rules.py").run())
    assert app.session_state[session.SELECTION].data == "moons"
    assert not any("example" in text for text in texts(app))


@pytest.mark.parametrize(
    ("page", "data", "model", "names"),
    [
        ("growth", "iris", "mcdf", "Three spirals, SVM tree"),
        ("monotone", "iris", "cart", "Monotone, CART"),
        ("splits", "iris", "mcdf", "XOR, CART"),
        ("quiz", "regression_5_2", "cart", "Blobs, CART"),
    ],
)
def test_a_page_that_cannot_show_what_was_chosen_says_why_and_shows_its_example(
    page, data, model, names
):
    app = seen(page, data=data, m=model)
    (reason,) = app.info
    assert len(reason.value) > 40
    assert f"What this page shows, by an example: {names}." in texts(app)
    keys = [element.proto.id for element in app.get("bidi_component")]
    assert any("example-" in key or "quiz_picture" in key for key in keys), keys
