"""Nominal columns and missing values in the app: forms, planes, every page, scored rows."""

import re

import numpy as np
import pandas as pd
import pytest

from lastviz import C45Classifier
from lastviz.datasets import load_dataset
from lastviz.inspection import split_search
from lastviz.ui.compute.work import Work
from lastviz.ui.data.score_rows import score_file
from lastviz.ui.shared.figures import plane_of, regions_in
from lastviz.ui.state.selection import DEFAULT, Model

from .conftest import html, with_tables
from .opened_pages import seen

N = 90
MODELS = ("c45", "cart", "id3", "oc1", "gsodt", "hybrid")


def write(where):
    """Write tables for the choosers: one mixed with missing values, one without them."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": rng.normal(40, 12, N).round(1),
            "job": rng.choice(["clerk", "cook", "smith"], N),
            "town": rng.choice(["north", "south"], N),
            "income": rng.normal(3, 1, N).round(2),
        }
    )
    table["class"] = np.where((table.age > 40) ^ (table.job == "cook"), "yes", "no")
    table.to_csv(where / "whole.csv", index=False)
    table.loc[::9, "age"] = np.nan
    table.loc[4::11, "job"] = np.nan
    table.to_csv(where / "holes.csv", index=False)
    many = table[["income"]].assign(street=[f"street {i % 12}" for i in range(N)])
    many["class"] = rng.choice(["a", "b", "c"], N)
    many.to_csv(where / "many.csv", index=False)
    words = pd.DataFrame({"id": [f"row {i}" for i in range(1100)], "x": np.arange(1100.0)})
    words.assign(**{"class": np.arange(1100) % 2}).to_csv(where / "words.csv", index=False)


folder = with_tables(write)


def of(data, *models, **more):
    return DEFAULT.having(data=data, models=tuple(Model(key) for key in models), **more)


@pytest.mark.parametrize("key", ["c45", "cart", "id3"])
@pytest.mark.parametrize("data", ["loan", "folder.holes"])
def test_what_the_pages_read_is_what_the_estimator_encodes(key, data):
    selection = of(data, key)
    if (key, data) == ("id3", "folder.holes"):
        with pytest.raises(ValueError, match="makes a branch of every value"):
            _ = Work(selection).first.fitted
        return
    division = Work(selection).first.division
    estimator = Work(selection).first.estimator
    np.testing.assert_array_equal(estimator.encode(division.X), division.values)


def test_each_model_of_a_page_has_its_own_columns():
    selection = of("folder.whole", "c45", "oc1")
    assert list(Work(selection).first.division.X) == ["age", "job", "town", "income"]
    assert list(Work(selection).models[1].division.X)[1:4] == [
        "job = clerk",
        "job = cook",
        "job = smith",
    ]


@pytest.mark.parametrize("axes", [("age", "job"), ("job", "town"), ("age", "income")])
def test_both_forms_are_drawn_as_they_predict_in_one_plane(axes):
    selection = of("folder.whole", "c45", "oc1", axes=axes)
    plane = plane_of(Work(selection))
    for place in (0, 1):
        division = Work(selection).models[place].division
        found = regions_in(Work(selection).models[place], plane)
        tree = Work(selection).models[place].tree
        drawn = np.tile(plane.at_in(division.form), (N, 1))
        on_axes = plane.columns_in(division.form)
        drawn[:, on_axes] = division.values[:, on_axes]
        predicted = tree.predict(drawn)
        for row in range(0, N, 7):
            assert predicted[row] in _labels_at(found, plane.across.places[row],
                                                plane.upward.places[row])  # fmt: skip


def _labels_at(found, x, y):
    """The classes of the visible polygons that a place lies in or on."""
    labels = set()
    for i in found.visible():
        corners = found.polygon(i)
        following = np.roll(corners, -1, axis=0) - corners
        to_place = np.array([x, y]) - corners
        turn = following[:, 0] * to_place[:, 1] - following[:, 1] * to_place[:, 0]
        if (turn >= -1e-9).all():
            labels.add(int(found.prediction[i]))
    return labels


def test_rows_without_a_value_lie_in_the_band_of_missing_values():
    selection = of("folder.holes", "c45", axes=("age", "job"))
    plane, values = plane_of(Work(selection)), Work(selection).first.division.values
    (low, high), strip = plane.upward.ends[-1], plane.across.ends[0]
    assert plane.upward.labels[-1] == plane.across.labels[-1] == "missing"
    lacks_age, lacks_job = np.isnan(values[:, 0]), np.isnan(values[:, 1])
    inside = (plane.upward.places > low) & (plane.upward.places < high)
    np.testing.assert_array_equal(inside, lacks_job)
    inside = (plane.across.places > strip[0]) & (plane.across.places < strip[1])
    np.testing.assert_array_equal(inside, lacks_age)
    found = regions_in(Work(selection).first, plane)
    tree = Work(selection).first.tree
    drawn = np.tile(plane.at_in("columns"), (N, 1))
    drawn[:, :2] = values[:, :2]
    predicted = tree.predict(drawn)
    for row in np.flatnonzero(lacks_age | lacks_job):
        place = (plane.across.places[row], plane.upward.places[row])
        assert _labels_at(found, *place) == {int(predicted[row])}


def test_two_forms_and_one_that_cannot_learn_on_one_page():
    app = seen("boundaries", data="folder.holes", m="c45", m2="oc1", m3="cart")
    said = " ".join(info.value for info in app.info)
    assert "OC1 cannot use missing values, and “age” has 10" in said
    captions = " ".join(caption.value for caption in app.caption)
    assert "10 rows lack age" in captions or "lack" in captions


def test_the_page_splits_shows_the_tests_that_the_search_scored():
    app = seen("splits", data="loan", m="c45", held=0)
    data = load_dataset("loan")
    search = split_search(C45Classifier().fit(data.X, data.codes), data.X, data.codes, 0)
    words = re.sub(r"<[^>]+>", " ", html(app))
    assert "house = yes" in words
    for column in search.columns.values():
        assert f"{column[search.winner]:.4g}" in words
    table = app.dataframe[0].value
    assert len(table) == search.n_candidates == 4


def test_a_column_of_too_many_words_is_refused_with_its_number():
    app = seen("boundaries", data="folder.words", m="c45")
    said = " ".join(info.value for info in app.info)
    assert "“id” is not used as it is: it has 1,100 different values" in said


def test_the_data_page_counts_what_is_missing(folder):
    app = seen("data", data="folder.holes", m="c45")
    lacking = pd.read_csv(folder / "holes.csv").isna()
    share = 100 * lacking.any(axis=1).mean()
    assert f"{share:.1f}" in html(app)


def test_scored_rows_say_what_the_model_says():
    selection = of("folder.holes", "c45", held=0.0)
    content = b"job,age,town,income,name\ncook,30,north,3,A\n,51,south,2,B\nking,51,north,2,C\n"
    found = score_file(Work(selection), content, "new.csv")
    estimator = Work(selection).first.estimator
    X = pd.DataFrame(
        {"age": [30.0, 51, 51], "job": ["cook", None, "king"], "town": ["north", "south", "north"],
         "income": [3.0, 2, 2]}
    )  # fmt: skip
    labels = np.array(Work(selection).dataset.class_order)
    assert found.table["prediction"].tolist() == labels[estimator.predict(X)].tolist()
    shares = estimator.predict_proba(X)
    np.testing.assert_allclose(found.table["confidence"], shares.max(axis=1), atol=1e-4)
    assert found.table["leaf"].tolist() == estimator.apply(X).tolist()
    assert found.table["name"].tolist() == ["A", "B", "C"]
    assert "king" in found.notes[0]


@pytest.mark.parametrize(("key", "content", "sentence"), [
    ("cart", b"age,job,town\n1,cook,north\n", "no column 'income'"),
    ("oc1", b"age,job,town,income\n1,cook,north,2\n,cook,north,2\n", "lacks a value in row 3"),
    ("oc1", b"age,job,town,income\n1,king,north,2\n", "“job” holds “king” in row 2"),
    ("c45", b"age,job,town,income\nold,cook,north,2\n", "'age' holds 'old' in row 2"),
])  # fmt: skip
def test_rows_that_cannot_be_scored_name_column_and_row(key, content, sentence):
    with pytest.raises(ValueError, match=sentence):
        score_file(Work(of("folder.whole", key)), content, "new.csv")


@pytest.mark.parametrize("key", ["c45", "cart", "id3"])
def test_a_sample_typed_with_categories_and_the_rows_of_its_rule(key):
    app = seen("rules", data="loan", m=key, held=0, typed="old,yes,no,fair")
    words = re.sub(r"<[^>]+>", " ", html(app))
    assert "job = yes" in words
    assert any("rows come here" in part.value for part in app.markdown)


def test_a_typed_sample_may_lack_what_its_way_does_not_ask_for():
    app = seen("rules", data="loan", m="cart", held=0, typed=",,yes,")
    assert "house = yes" in re.sub(r"<[^>]+>", " ", html(app))


def test_a_typed_sample_with_a_missing_and_an_unseen_value_is_spread_by_c45():
    app = seen("rules", data="folder.holes", m="c45", typed=",king,north,3", node=1)
    assert "unknown" in re.sub(r"<[^>]+>", " ", html(app))


def test_words_of_an_ordinal_column_stand_at_the_axis_in_their_order(folder):
    rows = [f"{size},{x},{'yes' if size == 'big' else 'no'}" for x in range(9)
            for size in ("small", "big", "medium")]  # fmt: skip
    (folder / "sizes.csv").write_text("size,x,class\n" + "\n".join(rows))
    (folder / "sizes.json").write_text(
        '{"target": "class", "features": {"size": {"kind": "ordinal", '
        '"order": ["small", "medium", "big"]}}}'
    )
    selection = of("folder.sizes", "c45", axes=("x", "size"), held=0.0)
    plane = plane_of(Work(selection))
    assert plane.upward.labels == ("small (0)", "medium (1)", "big (2)")
    found = regions_in(Work(selection).first, plane)
    values, labels = Work(selection).first.division.values, Work(selection).first.division.y
    for x, size, label in zip(*values.T[[1, 0]], labels, strict=True):
        assert _labels_at(found, x, size) == {label}
    assert plane_of(Work(selection.change(models=(Model("hybrid"),)))).upward.labels == ()


@pytest.mark.parametrize("key", ["c45", "cart", "id3"])
@pytest.mark.parametrize("detail", ["classes", "rules", "how"])
def test_what_stands_below_the_picture_knows_categories(key, detail):
    app = seen("boundaries", data="loan", m=key, held=0, detail=detail, **{"columns": "1.4"})
    if detail == "how":
        assert app.latex


def test_more_categories_than_all_subsets_are_tried_of_is_said():
    app = seen("boundaries", data="folder.many", m="cart")
    said = [caption.value for caption in app.caption]
    assert any("has 12 categories" in words and "may miss the best" in words for words in said)
