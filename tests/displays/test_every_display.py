"""All displays: scikit-learn's manners, and one sentence each where something does not fit."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import lastviz
from lastviz import C45Classifier, CARTClassifier, OC1Classifier
from lastviz.displays.display import Display
from lastviz.plots import class_titles
from tests.displays.conftest import X, y

DISPLAYS = [getattr(lastviz, name) for name in lastviz.__all__ if name.endswith("Display")]
OF_THRESHOLDS = [cls for cls in DISPLAYS if cls.__name__ != "HyperplaneDisplay"]
LABELS = {
    "words": lambda y: np.where(y == 1, "yes", "no"),
    "truth values": lambda y: y == 1,
    "a list of numbers": lambda y: (y + 5).tolist(),
    "a column of a table": lambda y: pd.Series(np.where(y == 1, "yes", "no"), name="answer"),
}


def name_of(cls):
    return cls.__name__


def test_there_are_six():
    assert len(DISPLAYS) == 6
    assert all(issubclass(cls, Display) for cls in DISPLAYS)


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("cls", OF_THRESHOLDS, ids=name_of)
@pytest.mark.parametrize("model", [CARTClassifier, ExtraTreeClassifier])
def test_it_takes_any_labels_and_is_drawn_again(cls, labels, model):
    wanted = LABELS[labels](y)
    display = cls.from_estimator(model(max_depth=4, random_state=0).fit(X, wanted), X, wanted)
    before = display.figure_
    assert display.plot(theme="dark") is display
    assert display.figure_ is not before
    if cls is not lastviz.PruningDisplay:  # its curves are about errors, whatever the class
        said = [trace.name for trace in display.figure_.data if trace.showlegend]
        assert said == list(class_titles(np.unique(wanted).tolist()))


@pytest.mark.parametrize("cls", OF_THRESHOLDS, ids=name_of)
@pytest.mark.parametrize("forest", [RandomForestClassifier, ExtraTreesClassifier])
def test_a_forest_is_shown_by_one_of_its_trees(cls, forest):
    model = forest(3, max_depth=3, bootstrap=True, random_state=0).fit(X, y)
    display = cls.from_estimator(model, X, y, tree=1)
    codes = display.model.tree.predict(X)
    assert np.array_equal(codes, model.estimators_[1].predict(X))


def test_hyperplanes_are_shown_of_what_searches_them():
    model = OC1Classifier(n_restarts=2).fit(X, LABELS["words"](y))
    display = lastviz.HyperplaneDisplay.from_estimator(model, X, LABELS["words"](y))
    assert display.plot(theme="dark") is display
    with pytest.raises(ValueError, match="searches no hyperplanes; SplitDisplay shows"):
        lastviz.HyperplaneDisplay.from_estimator(CARTClassifier().fit(X, y), X, y)


@pytest.mark.parametrize("cls", DISPLAYS, ids=name_of)
def test_a_table_with_words_is_read_as_the_model_reads_it(cls):
    table = pd.DataFrame({"age": X[:, 0], "town": np.where(X[:, 1] > 0.3, "Bern", "Riga")})
    model = C45Classifier().fit(table, y)
    if cls in (lastviz.SplitDisplay, lastviz.HyperplaneDisplay):
        with pytest.raises(ValueError, match=r"'town' has categories|searches no hyperplanes"):
            cls.from_estimator(model, table, y)
        return
    assert cls.from_estimator(model, table, y).model.feature_names == ("age", "town")
    table.loc[3, "town"] = "Oslo"
    with pytest.raises(ValueError, match="column 'town' holds a category that the model has not"):
        cls.from_estimator(model, table, y)


@pytest.mark.parametrize("cls", DISPLAYS, ids=name_of)
@pytest.mark.parametrize("model", [CARTClassifier, DecisionTreeClassifier, RandomForestClassifier])
def test_rows_that_do_not_fit_are_refused_in_the_models_own_name(cls, model):
    with pytest.raises(NotFittedError, match=f"This {model.__name__} instance is not fitted yet"):
        cls.from_estimator(model(), X, y)
    fitted = model().fit(X, y)
    name = model.__name__
    with pytest.raises(ValueError, match=rf"X has 3 features, but {name} is expecting 2 features"):
        cls.from_estimator(fitted, np.c_[X, X[:, 0]], y)
    with pytest.raises(ValueError, match=r"a 2D array: Reshape|not contain any feat"):
        cls.from_estimator(fitted, X[:, 0], y)
    if cls is not lastviz.TreeDisplay:  # needs neither
        with pytest.raises(ValueError, match="X must be given with y"):
            cls.from_estimator(fitted, None, y)
    fitted = model().fit(pd.DataFrame(X, columns=["a", "b"]), y)
    with pytest.raises(ValueError, match="feature names should match those that were passed"):
        cls.from_estimator(fitted, pd.DataFrame(X, columns=["c", "d"]), y)


def test_rows_without_names_are_remarked_on_once_in_the_models_own_name():
    fitted = DecisionTreeClassifier().fit(pd.DataFrame(X, columns=["a", "b"]), y)
    with pytest.warns(UserWarning, match="but DecisionTreeClassifier was fitted") as said:
        lastviz.show(fitted, X, y)
    assert len(said) == 1


@pytest.mark.parametrize("cls", DISPLAYS, ids=name_of)
@pytest.mark.parametrize(("model", "remedy"), [
    (HistGradientBoostingClassifier(max_iter=2), "show.model, X, tree=0. shows the first of its 2"),
    (GradientBoostingClassifier(n_estimators=2), "show.model, X, tree=0. shows the first of its 2"),
    (BaggingClassifier(n_estimators=2), r"a random .* got B.*; one .* shown by show\(model.estim"),
    (AdaBoostClassifier(n_estimators=2), r"a random .* got A.*; one .* shown by show\(model.estim"),
    (make_pipeline(StandardScaler(), BaggingClassifier(n_estimators=2)), "got BaggingClassifier; "),
], ids=lambda value: type(value).__name__)  # fmt: skip
def test_other_models_are_refused_with_what_to_do(cls, model, remedy):
    with pytest.raises(ValueError, match=remedy):
        cls.from_estimator(model.fit(X, y), X, y)


def test_a_figure_that_is_written_to_a_file_stands_alone():
    page = lastviz.show(CARTClassifier().fit(X, y), X, y).figure_.to_html()
    assert not re.search(r"<script[^>]*src=|<link[^>]*href=", page)
    assert "Plotly.newPlot" in page
    assert len(page) > 3_000_000  # the library is in it
