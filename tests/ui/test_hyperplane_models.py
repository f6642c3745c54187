"""The page *boundaries* with models that search for hyperplanes."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.patience import SECONDS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("key", ["oc1", "cart_lc"])
@pytest.mark.parametrize("data", ["diagonal", "iris"])
def test_models_that_search_for_hyperplanes_have_their_picture(key, data):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    app.query_params["data"], app.query_params["m"] = data, key
    app.switch_page("pages/boundaries.py").run()
    assert not app.exception
    assert [error.value for error in app.error] == []
    title = {"oc1": "OC1", "cart_lc": "CART-LC"}[key]
    assert any(title in str(part.value) for part in app.markdown)
