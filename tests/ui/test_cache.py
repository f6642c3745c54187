import numpy as np
import pytest

from lastviz.datasets import load_dataset, to_csv
from lastviz.estimators import ESTIMATORS
from lastviz.host.store import Upload
from lastviz.ui.compute import availability, python_code, selected, training, uploads
from lastviz.ui.compute import data as data_module
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Model, Selection
from tests.sentences.rows import selected as selection_of


@pytest.fixture(autouse=True)
def session(monkeypatch):
    kept = {}
    monkeypatch.setattr(uploads.st, "session_state", kept)
    return kept


def uploaded(key="iris"):
    data = to_csv(load_dataset(key))
    return Selection(data=UPLOAD, upload=uploads.keep(f"{key}.csv", data, 150))


def test_data_are_made_once():
    assert Work(DEFAULT).data.full is Work(DEFAULT.change(held=0.5)).data.full


def test_the_seed_makes_generated_data_anew_but_not_measured_ones():
    assert Work(DEFAULT).data.full.digest != Work(DEFAULT.change(seed=2)).data.full.digest
    wine = DEFAULT.change(data="wine")
    assert Work(wine).data is Work(wine.change(seed=2)).data
    first, second = Work(wine).first.division, Work(wine.change(seed=2)).first.division
    assert (first.train_rows != second.train_rows).any()


def test_steps_are_taken_in_order():
    selection = Selection(data="wine", columns=(0, 4), scaling="min-max", classes=(2, 1, 0))
    dataset = Work(selection).dataset
    assert dataset.feature_names == ("alcohol", "magnesium")
    assert dataset.class_order == ("cultivar 3", "cultivar 2", "cultivar 1")
    assert dataset.X.min().tolist() == [0, 0]
    assert Work(selection.change(one=1)).data.dataset.class_order == ("cultivar 2", "rest")


def test_the_reader_says_what_the_order_is():
    selection = Selection(data="wine", ordered=True, directions="r" * 12 + "f", columns=(0, 12))
    dataset = Work(selection).dataset
    assert dataset.ordered
    assert dataset.directions == {"alcohol": 1, "proline": -1}
    assert not Work(Selection(data="wine")).data.dataset.ordered
    short = Work(Selection(data="iris", directions="rf")).data
    assert short.notes == ("The link names 2 directions, but these data have 4 features.",)


def test_a_step_that_the_data_do_not_allow_is_left_out_with_a_sentence():
    loaded = Work(Selection(data="iris", columns=(0, 9), scaling="standard")).data
    assert loaded.dataset.n_features == 4
    learnt = Work(
        Selection(data="iris", columns=(0, 9), scaling="standard")
    ).first.division.train_rows
    assert loaded.dataset.X.iloc[learnt].mean().abs().max() < 1e-9
    assert loaded.notes == ("The link's “columns” counts up to 10, but these data have only 4.",)


def test_refitting_does_not_sort_again(monkeypatch):
    selection = DEFAULT.change(data="moons", seed=77)  # new to every cache
    _ = Work(selection).first.fitted
    monkeypatch.setattr(selected, "presort", lambda X: pytest.fail("sorted again"))
    other = selection.change_model(0, params=(("max_depth", 2),))
    assert Work(other).first.tree.max_depth == 2
    assert Work(selection.change(held=0.5)).models[1].fitted.milliseconds > 0


def test_a_pick_or_another_look_trains_nothing():
    before = Work(DEFAULT).first.fitted
    assert Work(DEFAULT.change_model(0, node=3).change(depth=1)).first.fitted is before


def test_models_are_trained_on_the_rows_that_are_not_held_out():
    division = Work(DEFAULT).first.division
    tree = Work(DEFAULT).first.tree
    assert tree.n_node_samples[0] == len(division.train_rows) == 280
    assert sorted([*division.train_rows, *division.held_out_rows]) == list(range(400))


def test_an_algorithm_that_cannot_learn_from_the_data_says_why():
    selection = Selection(data="wine", kinds=((0, "nominal"),), models=(Model("remt"),))
    with pytest.raises(ValueError, match="REMT needs numbers, but “alcohol” is nominal"):
        _ = Work(selection).first.fitted


def test_the_search_of_the_second_model_reads_the_columns_as_that_model_does():
    selection = Selection(data="loan", models=(Model("c45"), Model("oc1")), held=0)
    indicators = Work(selection).models[1].division
    assert Work(selection).first.division.form != indicators.form
    search = Work(selection).models[1].node(0).hyperplanes
    assert search.weights.shape[1] == indicators.X.shape[1]
    stored = Work(selection).models[1].grown.oblique.weights[0]
    best = search.weights[search.winner]
    assert stored / abs(stored).max() == pytest.approx(best / abs(best).max())


@pytest.mark.parametrize(("key", "params", "rows"), [
    ("monotone_large", {"n_samples": 200_000, "n_features": 200}, 50_000),
    ("monotone_large", {"n_samples": 100_000, "n_features": 48}, 100_000),
    ("monotone_large", {"n_samples": 500_000}, 200_000),
    ("waveform_noise", {"n_samples": 200_000}, 200_000),
    ("moons", {"n_samples": 200_000}, 200_000),
    ("moons", {"n_samples": 30}, 30),
])  # fmt: skip
def test_generated_data_have_no_more_values_than_the_app_works_with(key, params, rows):
    selection = Selection(data=key, params=tuple(params.items()))
    made = data_module.generator_params(selection)
    assert made == {**params, "n_samples": rows}
    assert data_module.generator_params(Selection(data=key)) == {}


def test_fewer_rows_than_asked_for_are_said_with_what_to_do(monkeypatch):
    monkeypatch.setattr(data_module, "MOST_VALUES", 4000)
    params = (("n_features", 40), ("n_samples", 500))
    loaded = Work(Selection(data="monotone_large", params=params, seed=77)).data
    assert loaded.full.n_samples == 100
    assert (
        "500 rows were requested; the app generates at most 100 with these 40 features. For "
        "more rows choose fewer features."
    ) in loaded.notes


def test_nominal_columns_become_no_more_values_than_the_app_works_with(monkeypatch):
    data = load_dataset("loan")
    assert training.attribute_of(training.NUMBERS, data) == "encoded_X"
    monkeypatch.setattr(availability, "MOST_VALUES", data.n_indicators * data.n_samples - 1)
    assert training.attribute_of(training.NUMBERS, data) == "numeric_X"
    reason = availability.obstacle(ESTIMATORS["gsodt"], data)
    assert f"{data.n_indicators} columns of {data.n_samples} rows are more than the" in reason
    assert reason.endswith("that the app works with; leave out nominal columns.")


def test_a_file_is_read_with_the_class_column_chosen():
    selection = uploaded()
    assert Work(selection).data.full.n_classes == 3
    assert availability.missing_file(selection) is None
    assert Work(selection).first.tree.n_leaves > 2
    wrong = selection.change(target="no such column")
    assert Work(wrong).data.full.n_classes == 3
    assert "no such column" in Work(wrong).data.notes[0]


def test_a_file_that_is_elsewhere_gives_the_first_scene_and_keeps_the_rest(session):
    selection = uploaded().change(held=0.2, depth=1)
    session.clear()
    assert availability.missing_file(selection) == selection.upload
    assert Work(selection).data.full.digest == Work(DEFAULT).data.full.digest
    assert len(Work(selection).first.division.held_out_rows) == 80


def test_three_files_are_kept(session):
    kept = [uploads.keep(f"{i}.csv", bytes([i]), 1) for i in range(4)]
    assert uploads.names() == kept[1:]
    assert uploads.content(kept[0]) is None
    assert uploads.content(kept[3]) == b"\x03"
    assert uploads.content(Upload("0" * 12, "x.csv", 1)) is None


@pytest.mark.every
@pytest.mark.parametrize("link", [
    "data=xor",
    "data=wine&columns=1.5.7&scaling=standard&held=0.5",
    "data=iris&one=2&m=c45&m.confidence=0.1&m2=c45",
    "data=loan&held=0&m=c45&m2=oc1&m3=id3",
    "data=wine&m=gsodt&m2=c45&unlabelled=true",
    "data=moons&class_weight=balanced&m=cart&m2=gsodt",
    "data=xor&noise=0.14&n_samples=200&held=0&seed=2&m=cart&e=T1_0.5~0Y2~1P",
    "data=loan&held=0&seed=2&m=c45&e=C1_1",
    "data=loan&held=0&seed=2&m=id3&e=X3",
    "data=iris&held=0&seed=2&m=svm_tree&e=S2",
])  # fmt: skip
def test_the_lines_of_python_rebuild_the_models(link):
    selection, scope = selection_of(link), {}
    script = python_code.python_of(Work(selection))
    exec(script, scope)
    assert ("unlabelled" in script) == selection.unlabelled
    # GSODT takes no weights.
    assert script.count("sample_weight=dataset.weights[train]") == ("class_weight" in link)
    for model in Work(selection).models:
        theirs, ours = scope[python_code._model(model)[0]], model.tree
        assert (ours.feature == theirs.tree_.feature).all()
        assert ours.threshold == pytest.approx(theirs.tree_.threshold, nan_ok=True)
        np.testing.assert_array_equal(ours.value, theirs.tree_.value)
        if ours.oblique is not None:
            np.testing.assert_array_equal(ours.oblique.threshold, theirs.tree_.oblique.threshold)
        assert list(theirs.edits_) == list(model.placed_edits)
