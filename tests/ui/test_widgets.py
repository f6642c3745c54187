import pytest
from streamlit.testing.v1 import AppTest

from lastviz._params import Param
from tests.patience import SECONDS

DECLARED = (
    Param("flag", bool, True, label="Flag"),
    Param("mode", str, "slow_way", choices=("slow_way", "fast"), label="Mode"),
    Param("count", int, 3, low=1, slider=(1, 9, 2), unit="rows", label="Count"),
    Param("share", float, 0.25, low=0.0, high=1.0, slider=(0.0, 0.5, 0.05), label="Share"),
    Param("depth", int, None, low=1, none=True, slider=(1, 4, 1), label="Depth"),
    Param("width", float, "auto", slider=(0.5, 2.0, 0.5), choices=("auto",), label="Width"),
    Param("exact", float, 1.5, low=0.0, label="Exact"),
    Param("price", float, "auto", low=0.0, choices=("auto",), label="Price"),
    Param("limit", int, None, low=2, none=True, label="Limit"),
    Param("strength", float, 0.5, low=0.0, high=1.0, slider=(0.0, 1.0, 0.1), label="Strength",
          needs=("mode", ("fast",))),
)  # fmt: skip


def page(declared, start):
    import streamlit as st

    from lastviz.ui.shared.widgets import controls
    from lastviz.ui.state.selection import with_param

    def apply(param, value):
        st.session_state["pairs"] = with_param(st.session_state["pairs"], param, value)

    st.session_state.setdefault("pairs", start)
    controls(declared, st.session_state["pairs"], prefix="p", apply=apply)


@pytest.fixture
def run():
    def start(pairs=()):
        app = AppTest.from_function(page, args=(DECLARED, pairs), default_timeout=SECONDS).run()
        assert not app.exception
        return app

    return start


def test_every_kind_has_its_widget_and_shows_its_default(run):
    app = run()
    assert app.toggle(key="p.flag").value is True
    assert app.selectbox(key="p.mode").value == "slow_way"
    assert app.selectbox(key="p.mode").options == ["slow way", "fast"]
    assert app.slider(key="p.count").value == 3
    assert app.slider(key="p.share").value == 0.25
    assert app.select_slider(key="p.depth").value == "no limit"
    assert app.select_slider(key="p.width").value == "auto"
    assert app.select_slider(key="p.width").options == ["0.5", "1", "1.5", "2", "auto"]
    assert app.number_input(key="p.exact").value == 1.5
    assert app.number_input(key="p.limit").value is None
    assert app.number_input(key="p.price").value is None
    assert app.number_input(key="p.price").placeholder == "auto"


@pytest.mark.parametrize(("kind", "name", "value"), [
    ("toggle", "flag", False),
    ("selectbox", "mode", "fast"),
    ("slider", "count", 5),
    ("slider", "share", 0.4),
    ("select_slider", "depth", 2),
    ("number_input", "exact", 2.5),
    ("number_input", "limit", 7),
    ("number_input", "price", 30.0),
])  # fmt: skip
def test_a_moved_widget_hands_over_its_value_and_keeps_it(run, kind, name, value):
    app = run()
    getattr(app, kind)(key=f"p.{name}").set_value(value).run()
    assert not app.exception
    assert app.session_state["pairs"] == ((name, value),)
    app.run()
    assert getattr(app, kind)(key=f"p.{name}").value == value


def test_an_emptied_box_means_its_word_again(run):
    app = run((("price", 30.0),))
    assert app.number_input(key="p.price").value == 30.0
    app.number_input(key="p.price").set_value(None).run()
    assert not app.exception
    assert app.session_state["pairs"] == ()
    assert app.number_input(key="p.price").value is None


def test_a_value_from_a_link_beyond_the_slider_is_shown(run):
    app = run((("count", 40), ("depth", 9), ("share", 0.9)))
    assert app.slider(key="p.count").value == 40
    assert app.slider(key="p.share").value == 0.9
    assert app.select_slider(key="p.depth").value == 9


def test_back_to_none_is_back_to_the_default(run):
    app = run((("depth", 2),))
    app.select_slider(key="p.depth").set_value("no limit").run()
    assert app.session_state["pairs"] == ()


def test_the_session_wins_over_the_widget(run):
    app = run()
    app.session_state["pairs"] = (("count", 7),)
    app.run()
    assert app.slider(key="p.count").value == 7


def test_a_parameter_without_effect_is_greyed(run):
    app = run()
    assert app.slider(key="p.strength").disabled
    app.selectbox(key="p.mode").set_value("fast").run()
    assert not app.slider(key="p.strength").disabled
