"""A data set of OpenML in the app: asked for, waited for, refused, opened by a link."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from tests.openml_stand_in import BROKEN, stand_in

from .conftest import checked, opened, rerun_until


@pytest.fixture(autouse=True)
def archive(tmp_path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LASTVIZ_OPENML_FOLDER", str(tmp_path / "sets"))
    with stand_in() as address:
        monkeypatch.setenv("LASTVIZ_OPENML", address)
        yield


def ask(app: AppTest, text: str) -> AppTest:
    app.text_input(key="openml_field").set_value(text).run()
    return rerun_until(app, lambda app: app.session_state["openml_asked"] is None)


def test_what_is_asked_for_becomes_the_data_and_the_link_names_it():
    app = checked(ask(opened("data", data="xor"), "Fruit"))
    assert app.query_params["data"] == "openml.7"
    assert app.selectbox(key="data").value == "openml.7"
    assert "fruit · from openml" in app.selectbox(key="data").options
    again = opened("boundaries", data="openml.7")
    assert again.selectbox(key="data").value == "openml.7"


@pytest.mark.ci
@pytest.mark.parametrize(
    ("text", "sentence"),
    [("404", "OpenML has no data set"), (str(BROKEN), "error 503"), ("../x", "has a number, such")],
)
def test_what_cannot_be_had_leaves_everything_as_it_was(text, sentence):
    app = ask(opened("data", data="moons"), text)
    assert [sentence in error.value for error in app.error] == [True]
    assert app.query_params["data"] == "moons"
    assert not app.exception


@pytest.mark.ci
def test_a_link_to_one_that_was_not_fetched_draws_nothing_but_the_offer_to_fetch_it():
    app = opened("boundaries", data="openml.7", m="c45", held="0")
    assert app.title[0].value == "Fetch data set 7 of OpenML?"
    assert [box.key for box in app.selectbox] == ["language_choice"]
    app.button(key="openml_fetch").click().run()
    rerun_until(app, lambda app: "data" in [box.key for box in app.selectbox])
    checked(app)
    assert app.selectbox(key="data").value == "openml.7"
    assert (app.query_params["m"], app.query_params["data"]) == ("c45", "openml.7")


@pytest.mark.ci
def test_who_does_not_want_it_goes_on_with_other_data():
    app = opened("growth", data="openml.404")
    app.button(key="openml_fetch").click().run()
    rerun_until(app, lambda app: app.error)
    assert "OpenML has no data set" in app.error[0].value
    app.button(key="openml_without").click().run()
    assert checked(app).query_params["data"] == "xor"
