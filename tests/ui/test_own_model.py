"""A finished model of the reader's own: handed in, put on the data, seen on the pages, refused."""

import json
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from lastviz import C45Classifier, CARTClassifier, SVMTreeClassifier, from_sklearn
from lastviz.datasets import load_dataset
from lastviz.estimators import IMPORTED
from lastviz.export import model_as_json, model_from_file, model_from_json
from lastviz.host import jobs, visitor
from lastviz.host.jobs import Working
from lastviz.host.store import Upload
from lastviz.inspection import level_by_level
from lastviz.ui.compute import uploads
from lastviz.ui.compute.own_model import own_model, put_on
from lastviz.ui.compute.python_code import READ_OWN, python_of
from lastviz.ui.compute.uploads import model_named
from lastviz.ui.compute.work import Work
from lastviz.ui.data import sharing
from lastviz.ui.data.sharing import FIELD, SCRIPT
from lastviz.ui.growth.words import step_of
from lastviz.ui.state import session
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.text import CannotShow, number
from tests.ui.conftest import checked, html, opened, rerun_until

FOREIGN = Path(__file__).parents[1] / "fixtures" / "foreign"
WINE = load_dataset("wine")
FRIEDMAN = load_dataset("friedman")


def tree_file(**params):
    model = DecisionTreeClassifier(random_state=0, **params)
    model.fit(WINE.X, np.asarray(WINE.class_order)[WINE.codes])
    return model, model_as_json(from_sklearn(model))


def number_file(**params):
    model = DecisionTreeRegressor(random_state=0, **params).fit(FRIEDMAN.mixed_X, FRIEDMAN.y)
    return model, model_as_json(from_sklearn(model))


def on_wine(text, selection=None, X=None):
    selection = Selection(data="wine") if selection is None else selection
    return own_model(text.encode(), selection, WINE, WINE.numeric_X if X is None else X)


def test_the_model_finds_its_columns_and_classes_by_name():
    model, text = tree_file()
    expected = np.array([list(WINE.class_order).index(c) for c in model.predict(WINE.X)])
    other = WINE.numeric_X[list(WINE.numeric_X)[::-1]].assign(more=1.0)
    for X in (WINE.numeric_X, other):
        np.testing.assert_array_equal(on_wine(text, X=X).predict(X), expected)


def test_numbers_from_nought_stand_for_classes_in_order():
    model = DecisionTreeClassifier(random_state=0).fit(WINE.X, WINE.codes)
    found = on_wine(model_as_json(from_sklearn(model)))
    np.testing.assert_array_equal(found.predict(WINE.numeric_X), model.predict(WINE.X))


def test_forests_machines_and_our_own_trees_come_in():
    y = np.asarray(WINE.class_order)[WINE.codes]
    X = WINE.numeric_X
    forest = from_sklearn(RandomForestClassifier(7, random_state=0).fit(X, y))
    machines = SVMTreeClassifier(sigma="scale", C=1.0).fit(X, y)
    turned = X[list(X)[::-1]]
    for model in (forest, machines, C45Classifier().fit(X, y)):
        found = on_wine(model_as_json(model), X=turned)
        said = [list(WINE.class_order).index(c) for c in model.predict(X)]
        np.testing.assert_array_equal(found.predict(turned), said)


def test_categories_keep_their_branches_whatever_their_order():
    data = load_dataset("loan")
    y = np.asarray(data.class_order)[data.codes]
    model = C45Classifier(min_samples_leaf=1, pruning="none").fit(data.mixed_X, y)
    turned = data.mixed_X.copy()
    for column in turned:
        order = list(turned[column].cat.categories)[::-1]
        turned[column] = turned[column].cat.reorder_categories(order)
    found = own_model(model_as_json(model).encode(), Selection(data="loan"), data, turned)
    said = [list(data.class_order).index(c) for c in model.predict(data.mixed_X)]
    np.testing.assert_array_equal(found.predict(turned), said)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: d["features"].__setitem__(slice(None), [f"f{i}" for i in range(13)]),
         "The model asks for “f"),
        (lambda d: d.__setitem__("classes", ["a", "b", "c"]),
         "The model predicts “a”, which is no class of these data"),
        (lambda d: d["trees"][0]["nodes"]["first_child"].__setitem__(0, 10**6),
         "nodes.first_child"),
        (lambda d: d.clear(), "format is missing"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said(change, sentence):
    document = json.loads(tree_file()[1])
    change(document)
    with pytest.raises(CannotShow, match=sentence.replace("[", r"\[")):
        on_wine(json.dumps(document))


def test_scaled_features_and_numbers_are_refused():
    text = tree_file()[1]
    regressor = DecisionTreeRegressor(max_depth=2).fit(WINE.X, WINE.codes)
    numbers = model_as_json(from_sklearn(regressor))
    with pytest.raises(CannotShow, match="here they are scaled"):
        on_wine(text, Selection(data="wine", scaling="standard"))
    with pytest.raises(CannotShow, match="predicts numbers"):
        on_wine(numbers)


def test_trees_of_numbers_come_in_where_numbers_are_learnt():
    model, text = number_file(max_depth=4)
    turned = FRIEDMAN.mixed_X[list(FRIEDMAN.mixed_X)[::-1]].assign(more=1.0)
    for X in (FRIEDMAN.mixed_X, turned):
        found = own_model(text.encode(), Selection(data="friedman"), FRIEDMAN, X)
        np.testing.assert_array_equal(found.predict(X), model.predict(FRIEDMAN.mixed_X))


def test_what_predicts_something_else_and_forests_of_numbers_are_refused():
    forest = RandomForestRegressor(3, max_depth=2, random_state=0).fit(FRIEDMAN.mixed_X, FRIEDMAN.y)
    for model, sentence in (
        (tree_file()[0], "predicts classes, but the target of this data set is a number"),
        (forest, "a forest of 3 trees that predict numbers"),
    ):
        text = model_as_json(from_sklearn(model))
        with pytest.raises(CannotShow, match=sentence):
            own_model(text.encode(), Selection(data="friedman"), FRIEDMAN, FRIEDMAN.mixed_X)


def test_a_tree_of_numbers_handed_in_is_drawn_scored_and_left_again():
    model, text = number_file(max_depth=3)
    app = checked(handed_in(text, data="friedman"))
    assert "DecisionTreeRegressor: 1 tree" in app.success[0].value
    assert "It is the first model now" in app.success[0].value
    checked(app.switch_page("pages/boundaries.py").run())
    assert "Your own model" in html(app)
    assert "may be among them" in html(app)
    divided = Work(app.session_state["selection"]).first.division
    rows = divided.held_out_rows
    off = divided.y[rows] - model.predict(divided.X.iloc[rows])
    assert number(float(np.mean(off**2) ** 0.5)) in html(app)
    chooser = app.sidebar.selectbox(key="regressor")
    assert "mine.json · your model" in chooser.options
    assert not any(each.label == "Change this node by hand" for each in app.sidebar.expander)
    checked(chooser.set_value("cart_regressor").run())
    assert "may be among them" not in html(app)
    assert "Your own model" not in html(app)


def test_the_lines_on_the_page_write_a_file_that_comes_in(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = tree_file(max_depth=2)[0]
    exec(SCRIPT, {"model": model, "X": WINE.X})
    text = (tmp_path / "model.json").read_text(encoding="utf-8")
    assert model_from_json(text).get_depth() == 2
    assert on_wine(text).get_depth() == 2


def handed_in(text, **query):
    app = opened("data", **({"data": "wine"} | query))
    field = next(each for each in app.get("file_uploader") if each.key == FIELD)
    content = text if isinstance(text, bytes) else text.encode()
    field.set_value(("mine.json", content, "application/json"))
    return app.run()


def test_a_model_handed_in_is_seen_and_refused_where_its_search_is_replayed():
    model, text = tree_file(max_depth=3)
    app = checked(handed_in(text))
    assert "DecisionTreeClassifier: 1 tree" in app.success[0].value
    for page in ("boundaries", "rules"):
        checked(app.switch_page(f"pages/{page}.py").run())
        assert "may be among them" in html(app)
        assert "mine.json · your model" in app.sidebar.selectbox(key="model0").options
        assert app.get("info") == [] or "not grown here" not in str(app.info[0].value)
    accuracy = (model.predict(WINE.X) == np.asarray(WINE.class_order)[WINE.codes]).mean()
    assert accuracy > 0.9
    checked(app.switch_page("pages/growth.py").run())
    assert any("from the root down, level by level" in str(each.value) for each in app.markdown)
    app.session_state[session.OF_PAGE] = ""  # without its frame, a page knows the first one's
    for page in ("splits", "pruning", "latent"):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
        assert any("was not grown here" in str(each.value) for each in app.info), page
    for page in ("monotone", "home", "textbook", "data"):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, page


def test_a_forest_handed_in_is_drawn():
    y = np.asarray(WINE.class_order)[WINE.codes]
    forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(WINE.X, y)
    app = checked(handed_in(model_as_json(from_sklearn(forest))))
    assert "RandomForestClassifier: 5 trees" in app.success[0].value
    for page in ("boundaries", "rules"):
        checked(app.switch_page(f"pages/{page}.py").run())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("wine", "LightGBM: 12 trees"),
        ("breast_cancer", "LightGBM: 10 trees"),
        ("loan", "LightGBM: 3 trees"),
    ],
)
def test_a_sum_of_trees_of_another_library_is_drawn_and_told(data, said):
    app = checked(handed_in((FOREIGN / f"app_{data}.txt").read_bytes(), data=data))
    assert said in app.success[0].value
    checked(app.switch_page("pages/rules.py").run())
    assert "not grown here" not in html(app)
    for page in ("boundaries", "growth", "monotone", "home", "data"):
        app.session_state[session.OF_PAGE] = ""
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, page


@pytest.mark.parametrize("view", ["short", "rules", "row"])
def test_the_rules_and_the_rows_of_a_sum(view):
    for data in ("loan", "wine"):
        content = (FOREIGN / f"app_{data}.txt").read_bytes()
        app = checked(handed_in(content, data=data, rule_view=view, lit=3))
        checked(app.switch_page("pages/rules.py").run())
        if view == "row":
            added = "a probability" if data == "loan" else "a score"
            assert f"The trees add up to {added} of each class; the " in html(app)


@pytest.mark.parametrize("detail", ["rules", "how", "stable", "classes"])
def test_what_is_told_of_a_sum_beside_its_picture(detail):
    app = checked(handed_in((FOREIGN / "app_wine.txt").read_bytes(), detail=detail))
    checked(app.switch_page("pages/boundaries.py").run())


def test_what_a_sum_has_no_answer_for_is_refused():
    loan = load_dataset("loan")
    content = (FOREIGN / "app_loan.txt").read_bytes()
    other = loan.mixed_X.copy()
    other["credit"] = other["credit"].cat.rename_categories({"fair": "poor"})
    with pytest.raises(CannotShow, match="“poor” of “credit”; it knows fair, good and very good"):
        own_model(content, Selection(data="loan"), loan, other)

    model = model_from_file((FOREIGN / "app_wine.txt").read_bytes())
    trees = [replace(t, missing_branch=np.full_like(t.missing_branch, -1)) for t in model.trees_]
    asked = int(trees[0].feature[0])
    holes = WINE.numeric_X.copy()
    holes.iloc[3, asked] = np.nan
    with pytest.raises(CannotShow, match=f"Values of “{WINE.feature_names[asked]}” are missing"):
        put_on(trees, model, Selection(data="wine"), WINE, holes)


def test_the_price_of_one_tree_is_that_of_the_held_out_rows():
    app = checked(handed_in((FOREIGN / "app_wine.txt").read_bytes()))
    rerun_until(app, lambda app: any("right, one tree" in text.value for text in app.markdown))
    (sentence,) = [text.value for text in app.markdown if "right, one tree" in text.value]
    divided = Work(Selection(data="wine")).first.division
    rows, X = divided.train_rows, divided.X
    held, y = divided.held_out_rows, divided.y
    model = model_from_file((FOREIGN / "app_wine.txt").read_bytes())
    table = WINE.numeric_X.iloc[held].set_axis(model.feature_names_in_, axis=1)
    many = model.predict(table).astype(int)  # classes in their order
    tree = CARTClassifier(max_leaf_nodes=12).fit(X.iloc[rows], y[rows])
    right = [100 * np.mean(each == y[held]) for each in (many, tree.predict(X.iloc[held]))]
    assert sentence == (
        f"Of the held-out rows 12 trees have {right[0]:.1f} % right, one tree of CART with "
        f"{tree.get_n_leaves()} leaves {right[1]:.1f} %."
    )


def test_a_model_that_takes_a_moment_is_named_once_it_is_there(monkeypatch):
    job, awaited = Work(Selection(data="xor", seed=977)).first.begin(), []

    class Late:
        dataset = WINE

        @property
        def first(self):
            raise Working(job)

    shown = sharing._in_use
    with monkeypatch.context() as busy:
        busy.setattr(sharing, "_in_use", lambda _: shown(Late()))
        busy.setattr("lastviz.ui.data.sharing.wait_for", awaited.append)
        app = checked(handed_in(tree_file(max_depth=3)[1]))
        assert not app.success
        assert awaited[-1] is job
    app = checked(app.run())
    assert "DecisionTreeClassifier: 1 tree" in app.success[0].value


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "no JSON"),
        (b'{"format": "other"}', "this is no JSON of a lastviz model 1"),
        (b"\x80\x04\x95pickle", "mine.json"),
        (b"[" * 100_000, "mine.json"),
    ],
    ids=["cut", "another format", "pickle", "nested"],
)
def test_a_wrong_file_changes_nothing_and_is_said(content, said):
    app = handed_in(content)
    assert not app.exception
    assert said in app.error[0].value.replace("\\", "")
    assert "178" in html(app)
    assert not app.query_params.get("m", [""])[0].startswith(IMPORTED.key + ".")


def test_a_link_without_its_model_says_so(monkeypatch):
    monkeypatch.setattr(visitor, "is_known", lambda: True)
    app = opened("boundaries", data="wine", m=f"{IMPORTED.key}.{'0' * 12}")
    said = html(app) + " ".join(str(each.value) for each in [*app.info, *app.warning])
    assert "a file that is not available here" in said


def test_a_model_is_no_table_in_the_chooser():
    app = checked(handed_in(tree_file(max_depth=2)[1]))
    assert not any("mine.json" in option for option in app.sidebar.selectbox(key="data").options)
    assert model_named(f"{IMPORTED.key}.{'0' * 12}") is None


def test_a_model_that_another_session_stored_is_fetched_before_it_is_named(monkeypatch):
    text = tree_file(max_depth=2)[1].encode()
    upload = Upload("0" * 12, "mine.json", 0)
    held = {}
    monkeypatch.setattr(uploads, "_own", lambda: [upload])
    monkeypatch.setattr(uploads, "_all_held", lambda: held)

    def fetched(upload):
        held[upload.digest, None] = uploads.Held(upload, text, "f" * 64)
        return text

    monkeypatch.setattr(uploads, "content", fetched)
    selection = Selection(data="wine", models=(Model(f"{IMPORTED.key}.{upload.digest}"),))
    assert Work(selection).first.cache_key[-1] == "f" * 64


def test_the_python_lines_read_the_file_beside_what_is_trained():
    own = Model(f"{IMPORTED.key}.{'0' * 12}")
    assert python_of(Work(Selection(data="wine", models=(own,)))) == READ_OWN
    both = python_of(Work(Selection(data="wine", models=(own, Model("c45")))))
    assert "C45Classifier(" in both
    assert both.endswith(READ_OWN)
    assert "ImportedTreeClassifier" not in both
    compile(both, "lines", "exec")


def test_a_tree_handed_in_is_told_from_the_root_down_with_the_numbers_of_its_file():
    model, text = tree_file(max_depth=3)
    tree, on = model.tree_, level_by_level(on_wine(text))
    assert on.tree_.depth[on.growth_log_.node].tolist() == sorted(on.tree_.depth.tolist())
    names = tuple(map(str, WINE.class_order))
    steps = [step_of(on, event, names) for event in range(len(on.growth_log_))]
    assert [step.what for step in steps].count("split") == (tree.children_left >= 0).sum()
    assert sorted(step.rows for step in steps) == sorted(tree.n_node_samples.tolist())
    assert all("The model's file says so." in unescape(step.say) for step in steps)
    assert not any("nan" in step.say or "score" in step.say for step in steps)
    first = steps[0].say
    yes, no = (
        tree.n_node_samples[child] for child in (tree.children_left[0], tree.children_right[0])
    )
    assert f"{yes} go to yes and {no} to no." in first


def test_the_growth_of_machines_handed_in_is_refused_in_a_sentence():
    y = np.asarray(WINE.class_order)[WINE.codes]
    machines = SVMTreeClassifier(sigma="scale", C=1.0).fit(WINE.X, y)
    app = handed_in(model_as_json(machines)).switch_page("pages/growth.py").run()
    assert not app.exception
    assert any("which the file of this model does not contain" in str(i.value) for i in app.info)


def test_a_model_that_was_handed_in_begins_no_cross_validation(caplog):
    app = handed_in(tree_file(max_depth=3)[1])
    begun = set(jobs.JOBS._jobs)
    app.session_state[session.OF_PAGE] = ""
    checked(app.switch_page("pages/pruning.py").run())
    assert not [key for key in jobs.JOBS._jobs if key not in begun and "folds" in key]
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
