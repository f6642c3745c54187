"""What is said of the settings of an SVM tree is what was done, for every way to set them."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from lastviz import SVMTreeClassifier
from lastviz.plots import number
from lastviz.ui.shared.glossary import settings_words
from lastviz.ui.text import percent

BOTH = "Sigma is {sigma} and C is {price}."
CHOSEN = (
    " Chosen by 5-fold cross-validation on 178 of the 178 training rows ({share} % right when held "
    "out): "
)


@pytest.mark.parametrize(("params", "begins", "ends"), [
    ({}, BOTH + CHOSEN + "sigma and C. ", "standardised"),
    ({"scaling": "none"}, BOTH + CHOSEN + "sigma and C. ", "are not scaled"),
    ({"C": 2.0}, BOTH + CHOSEN + "sigma. ", "standardised"),
    ({"sigma": "scale"}, BOTH + CHOSEN + "C. ", "standardised"),
    ({"sigma": 50.0}, BOTH + CHOSEN + "C. ", "are not scaled"),
    ({"kernel": "linear"}, "C is {price}." + CHOSEN + "C. ", "standardised"),
    ({"kernel": "linear", "C": 2.0}, "C is 2. The features", "standardised"),
    ({"sigma": "scale", "C": 2.0}, BOTH + " The features", "standardised"),
    ({"sigma": 50.0, "C": 2.0}, "Sigma is 50 and C is 2. The features", "are not scaled"),
])  # fmt: skip
def test_the_settings_are_told_as_they_came_to_be(params, begins, ends):
    model = SVMTreeClassifier(**params).fit(*load_wine(return_X_y=True))
    found = model.cross_validation_
    share = "" if found is None else percent(found.accuracy)
    said = settings_words(model)
    numbers = {"sigma": number(model.sigma_), "price": number(model.C_), "share": share}
    assert said.startswith(begins.format(**numbers))
    assert ends in said


def test_it_is_said_that_nothing_could_be_held_out():
    model = SVMTreeClassifier().fit(np.array([[0.0, 1.0], [5.0, 2.0], [9.0, 7.0]]), [0, 1, 2])
    assert "Every class has a single training row" in settings_words(model)
    assert "C is 1." in settings_words(model)
