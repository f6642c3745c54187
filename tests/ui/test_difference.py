"""Two models laid over each other on the pages *boundaries* and *splits*."""

import re
from html import unescape

import numpy as np
import pytest

from lastviz import CARTClassifier, GSODTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import overlay, tree_diff
from lastviz.plots import THEMES, pad_bounds
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.difference import _figure, changes_legend, difference_of
from lastviz.ui.shared.figures import plane_of
from tests.sentences.rows import Look, selected

from .conftest import html, opened
from .opened_pages import pictures, seen


def numbers(app):
    """The headline numbers of the comparison as {label: value}."""
    strips = re.findall(r'<div class="lv-strip">(.*?)</div></div>', html(app), re.S)
    cells = re.findall(r"<b>([^<]*).*?<span>([^<]*)</span>", strips[-1] + "</div>")
    return {unescape(label): value for value, label in cells}


def words(app):
    return " ".join(m.value for m in [*app.markdown, *app.caption, *app.info])


PETALS = {"data": "iris", "x": "petal length", "y": "petal width", "held": 0}


def test_the_numbers_are_those_of_the_engine():
    app = seen("boundaries", **PETALS, m="cart", m2="gsodt", detail="differ")
    data = load_dataset("iris")
    X, y = data.X.to_numpy(), data.codes
    pair = CARTClassifier().fit(X, y), GSODTClassifier().fit(X, y)
    diff = tree_diff(*(model.tree_ for model in pair), X)
    found = overlay(*pair, pad_bounds(X[:, 2], X[:, 3]), (2, 3), np.median(X, axis=0))
    assert numbers(app) == {
        "rows predicted differently": f"{100 * diff.differs.mean():.1f}",
        "of the area shown differ": f"{100 * found.share:.1f}",
        "likeness of the trees": f"{diff.likeness:.2f}",
    }
    assert "counted on a fine grid" not in words(app)
    legend = html(app)
    assert f"{len(diff.only(0))} only in CART, {len(diff.only(1))} only in GSODT" in legend


def test_of_the_petals_alone_the_page_measures_the_window_that_it_draws():
    data = load_dataset("iris")
    X, y = data.X.to_numpy()[:, 2:], data.codes
    pair = CARTClassifier().fit(X, y), GSODTClassifier().fit(X, y)
    assert round(100 * overlay(*pair, (0, 8, 0, 3)).share, 1) == 17.9
    window = pad_bounds(X[:, 0], X[:, 1])
    app = seen(
        "boundaries", data="iris", held=0, columns="3-4", m="cart", m2="gsodt", detail="differ"
    )
    share = f"{100 * overlay(*pair, window).share:.1f}"
    assert numbers(app)["of the area shown differ"] == share
    assert "Node by node" in words(app)
    assert any("Where CART and GSODT agree" in chart["alt"] for chart in pictures(app).values())


CASES = [
    {"data": "loan", "m": "id3", "m2": "c45", "held": 0},
    {"data": "moons", "m": "cart", "m2": "svm_tree"},
    {"data": "wine", "m": "c45", "m2": "oc1", "m2.n_restarts": 1},
    {"data": "xor", "m": "cart", "m2": "cart", "m2.criterion": "entropy", "depth": 2},
    {"data": "waveform", "n_samples": 300, "m": "cart", "m2": "c45"},
]


@pytest.mark.parametrize("query", CASES, ids=lambda query: f"{query['data']} {query['m2']}")
@pytest.mark.parametrize("page", ["boundaries", "splits"])
def test_any_two_trees_are_compared(page, query):
    if page == "splits" and query["data"] == "loan":
        pytest.skip("nominal tests have no details on the page splits")
    part = {"detail": "differ"} if page == "boundaries" else {"lab": "growth"}
    app = seen(page, **query, **part)
    found = numbers(app)
    assert set(found) == {
        "rows predicted differently", "of the area shown differ", "likeness of the trees",
    }  # fmt: skip
    assert all(0 <= float(value) <= 100 for value in found.values())
    assert "Nodes are matched by the rows that reach them" in words(app)


@pytest.mark.parametrize("leaves", [2, 3, 5, 9])
@pytest.mark.parametrize("data", ["iris", "wine", "xor"])
def test_the_legend_counts_every_node_once(data, leaves):
    table = load_dataset(data)
    X = table.X.to_numpy(float)
    trees = [CARTClassifier(max_leaf_nodes=n).fit(X, table.y).tree_ for n in (leaves, None)]
    legend = changes_legend(tree_diff(*trees, X), ("A", "B"), THEMES["light"])
    words = unescape(re.sub("<[^>]*>", "", legend))
    same, moved, changed, of_a, of_b = map(int, re.findall(r"(\d+) ", words))
    assert same + moved + changed + of_a == trees[0].n_nodes
    assert same + moved + changed + of_b == trees[1].n_nodes


@pytest.mark.parametrize(
    "query",
    [
        "data=iris&m=cart&m2=gsodt",
        "data=wine&m=cart&m2=c45&m2.max_depth=2",
        "data=moons&m=cart&m2=svm_tree",
        "data=xor&m=cart&m2=cart&m2.max_depth=2&held=0",
        "data=breast_cancer&m=c45&m2=cart&x=mean+area&y=mean+texture",
    ],
)
def test_each_dot_is_a_row_that_the_models_predict_differently_and_has_its_number(query):
    work = Work(selected(query))
    plane = plane_of(work)
    figure = _figure(difference_of(work, (0, 1), plane), "light")
    first, second = (Look(query, place) for place in (0, 1))
    axes = work.dataset.X[[plane.names[feature] for feature in plane.features]].to_numpy()
    expected = {
        i + 1: (first.y[i], i in first.held, *axes[i])
        for i in np.flatnonzero(first.predicted != second.predicted).tolist()
    }
    assert expected
    drawn = {}
    for trace in figure.data:
        if (role := trace["meta"].get("role")) in ("training", "held_out"):
            for x, y, number in zip(trace["x"], trace["y"], trace["customdata"], strict=True):
                drawn[int(number)] = (trace["meta"]["class"], role == "held_out", x, y)
    assert drawn.keys() == expected.keys()
    for number, values in expected.items():
        assert drawn[number] == pytest.approx(values)


def test_equal_models_agree_everywhere():
    app = seen("boundaries", data="iris", m="cart", m2="cart", detail="differ")
    assert set(numbers(app).values()) == {"0.0", "1.00"}
    assert "The models agree everywhere." in words(app)


def test_a_forest_is_compared_by_what_it_predicts():
    app = seen(
        "boundaries", data="monotone", m="cart", m2="adaboost_m1", detail="differ",
        **{"m2.n_estimators": 5},
    )  # fmt: skip
    assert "likeness of the trees" not in numbers(app)
    assert "its nodes cannot" in words(app)
    assert "counted on a fine grid" in words(app)


def test_of_more_than_two_models_any_is_laid_over_the_first():
    query = {"data": "moons", "m": "cart", "m2": "c45", "m3": "gsodt", "detail": "differ"}
    app = opened("boundaries", **query)
    assert app.selectbox(key="against").value == 1
    app.selectbox(key="against").set_value(2).run()
    assert not app.exception
    assert app.query_params["against"] in ("3", ["3"])
    assert "dashed: GSODT" in words(app).replace("\\", "")


def test_a_link_that_asks_for_a_model_that_is_not_there_gets_the_next():
    app = seen("boundaries", data="moons", m="cart", m2="c45", detail="differ", against=4)
    assert "dashed: C4.5" in words(app).replace("\\", "")


def test_one_model_is_compared_with_nothing():
    app = seen("boundaries", data="moons", m="cart", detail="differ")
    assert "Node by node" not in words(app)
    app = seen("splits", data="moons", m="cart", lab="growth")
    assert "Choose a second model" in words(app)


def test_tables_have_the_names_as_they_are():
    app = seen("boundaries", data="iris", m="cart", m2="c45", detail="differ")
    columns = [list(table.value.columns) for table in app.dataframe]
    assert ["CART", "C4.5", "area, %", "rows"] in columns
    assert any(each[:5] == ["row", "part", "class", "CART", "C4.5"] for each in columns)
