"""The page *compare*: put together, begun, watched, concluded from, and what can go wrong."""

import io
import sys
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sqlalchemy as sa
from scipy import stats
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lastviz._params import Param
from lastviz.datasets import load_dataset
from lastviz.studies import example
from lastviz.studies.__main__ import main
from lastviz.studies.database import address_of_store
from lastviz.studies.metrics import METRICS
from lastviz.studies.run import serve
from lastviz.studies.statistics import CannotTell, standings
from lastviz.studies.store import StudyStore
from lastviz.studies.study import AlgorithmChoice, read_study
from lastviz.ui.compare.figures import posterior_of, regions_of, set_figure, time_curves
from lastviz.ui.compare.report import study_report
from lastviz.ui.compare.scene import MEASURES, compare_scene, study_opened
from lastviz.ui.compare.study_data import Entry, entry_of_text
from lastviz.ui.compare.words import card, in_short
from lastviz.ui.compute import studies, uploads
from lastviz.ui.state.selection import DEFAULT
from lastviz.ui.text import CannotShow, as_plain
from tests.patience import until

from .conftest import checked, entered, html
from .sent_texts import texts_sent

TOKEN = "a1" * 32


@pytest.fixture(autouse=True)
def store(tmp_path, monkeypatch):
    """A store of its own, and nobody who computes but the test."""
    monkeypatch.setenv("LASTVIZ_STORE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    monkeypatch.setattr(studies.COMPUTING, "ensure", lambda: None)


def opened(token=TOKEN, **query):
    return checked(entered("compare", query, **({} if token is None else {"visitor": token})))


def compute():
    with closing(StudyStore(address_of_store())) as line:
        serve(line, 1, idle=0.1)


def begun(**query):
    app = opened(**query)
    return checked(app.button(key="study_begin").click().run())


def done(**query):
    """The page of a study that is begun and computed."""
    app = begun(**query)
    compute()
    return checked(app.run())


def scene_of(app, theme="light"):
    """The scene of the study that the page shows."""
    selection = DEFAULT.change(study=asked(app, "study"))
    with closing(StudyStore(address_of_store())) as line:
        return compare_scene(selection, line.study(asked(app, "study"), TOKEN), TOKEN, theme)


def test_a_study_is_begun_computed_and_concluded_from():
    app = begun(compared="cart,k_nn,c45", compared_on="iris,wine,breast_cancer", study_folds=3)
    assert "**Waiting** 0 of 27 folds" in [each.value for each in app.markdown]
    compute()
    app = checked(app.run())
    assert "**Done** 27 of 27 folds" in [each.value for each in app.markdown]
    assert html(app).count("data-done='3'") == 9
    assert "has the best mean rank" in html(app)
    saved = {each.label for each in app.get("download_button")}
    assert saved >= {"Folds as CSV", "Study file", "References as BibTeX"}


def words_of(app):
    return [each.value.replace("\\", "") for each in (*app.info, *app.caption, *app.markdown)]


def says(app, words):
    return any(words in each for each in words_of(app)) or words in html(app)


def asked(app, name):
    """A part of the address."""
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def test_the_scene_is_what_is_compared_first():
    app = opened(data="iris", m="gsodt", m2="cart", **{"m2.max_depth": 2})
    assert app.multiselect(key="study_sets").value == ["iris"]
    assert app.multiselect(key="study_algorithms").value == ["gsodt", "cart~max_depth=2"]
    checked(app.multiselect(key="study_algorithms").set_value(["k_nn"]).run())
    app = checked(app.button(key="study_add_models").click().run())
    assert app.multiselect(key="study_algorithms").value == ["k_nn", "gsodt", "cart~max_depth=2"]
    assert asked(app, "compared") == "k_nn,gsodt,cart~max_depth=2"


def test_nothing_chosen_is_said():
    for chooser in ("study_algorithms", "study_sets"):
        app = opened(data="iris")
        app = checked(app.multiselect(key=chooser).set_value([]).run())
        assert says(app, "Choose at least one algorithm and one data set at the left.")
        assert not [b for b in app.button if b.key == "study_begin"]


def test_cells_that_cannot_be_say_why_and_the_rest_is_offered():
    query = {"compared": "cart,cart_regressor,svm_tree", "compared_on": "iris,loan,friedman"}
    app = opened(**query, study_folds=3)
    assert says(app, "CART learns classes, which Friedman does not have.")
    assert says(app, "SVM tree on Loan (textbook): SVM tree needs numbers")
    assert says(app, "is nominal.")
    assert html(app).count("does not fit") == 5
    assert not app.button(key="study_begin").disabled


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"compared": "cart,nobody"}, "“nobody” is not known here."),
        ({"compared_on": "iris,nothing"}, "“nothing” is not known here."),
        ({"compared": "cart~max_depth=-3,k_nn"}, "Largest depth must be"),
        ({"compared": "k_nn~colour=1,cart"}, "“k_nn” has no parameter “colour”."),
        ({"compared_on": "table.0123456789abcdef"}, "A table of this study is not available here"),
        ({"study": "0123456789ab"}, "This study is not yours"),
        ({"study": "../../etc"}, "cannot be read"),
        ({"compared_on": "five_rows", "study_folds": 50, "repeats": 1}, "50 folds need at least"),
        ({"compared_on": "digits", "study_folds": 50, "repeats": 100,
          "compared": "k_nn~n_neighbors=1|2|3|4|5"}, "at most 20,000"),
        ({"data": "loan", "study_folds": 7}, "for 7 folds, so some folds lack it"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(query, sentence):
    assert says(opened(**query), sentence)


def test_a_full_disk_is_said_and_nothing_is_lost():
    app = opened(compared="cart,k_nn", compared_on="iris", repeats=40)
    line = studies._store()
    sa.event.listen(
        line._engine, "connect", lambda c, _: c.execute("PRAGMA max_page_count=1").close()
    )
    line._engine.dispose()
    app = checked(app.button(key="study_begin").click().run())
    assert says(app, "is full. Finished folds are kept")
    assert app.button(key="study_begin")


def test_a_fold_that_fails_says_why_and_the_rest_goes_on():
    app = done(compared="cart,k_nn~n_neighbors=140", compared_on="iris", study_folds=4)
    assert says(app, "4 of 4 folds failed")
    assert says(app, "k-NN on Iris: Expected n_neighbors")
    assert "data-done='4'" in html(app)
    assert app.button(key="study_continue").label == "Run failed folds again"


def test_a_study_is_paused_continued_and_deleted():
    app = begun(compared="cart,k_nn", compared_on="iris", study_folds=3)
    app = checked(app.button(key="study_pause").click().run())
    assert "**Paused** 0 of 6 folds" in words_of(app)
    compute()
    app = checked(app.button(key="study_continue").click().run())
    assert "**Waiting** 0 of 6 folds" in words_of(app)
    compute()
    app = checked(app.run())
    assert "**Done** 6 of 6 folds" in words_of(app)
    app = checked(app.button(key="study_delete").click().run())
    assert app.button(key="study_begin")
    assert "study" not in app.query_params


def test_changing_a_choice_begins_another_study_that_shares_its_folds():
    app = done(compared="cart,k_nn", compared_on="iris", study_folds=3)
    assert app.number_input(key="study_folds").value == 3
    app = checked(app.multiselect(key="study_algorithms").set_value(["cart"]).run())
    assert says(app, "about, by earlier folds")
    app = checked(app.button(key="study_begin").click().run())
    assert app.selectbox(key="study_history").options[0].startswith("CART on Iris")
    assert len(app.selectbox(key="study_history").options) == 2


def test_values_to_choose_among_are_typed():
    app = opened(compared="k_nn,cart", compared_on="iris", study_folds=3)
    app.session_state["study_params"] = True
    app = checked(app.run())
    app = checked(app.selectbox(key="study0.k_nn.by").set_value("n_neighbors").run())
    app = checked(app.text_input(key="study0.k_nn.values").set_value("1, some").run())
    assert says(app, "Neighbours must be a whole number >= 1, got “some”.")
    app = checked(app.text_input(key="study0.k_nn.values").set_value("1, 5, 9").run())
    assert asked(app, "compared") == "k_nn~n_neighbors=1|5|9,cart"
    assert html(app).count("k-NN (neighbours:") == 3
    app = checked(app.selectbox(key="protocol").set_value("nested").run())
    app = checked(app.button(key="study_begin").click().run())
    compute()
    app = checked(app.run())
    assert "**Done** 6 of 6 folds" in words_of(app)
    assert app.selectbox(key="protocol").value == "nested"


def test_data_of_the_scene_are_kept_with_their_roles_and_opened_again():
    app = begun(data="iris", columns="3.4", compared="cart,gsodt", study_folds=3)
    study_id = asked(app, "study")
    compute()
    again = opened(study=study_id)
    assert "lv-conclusion" in html(again)
    again = checked(again.selectbox(key="study_cell").set_value(1).run())
    again = checked(again.button(key="study_open").click().run())
    assert says(again, "150 rows, 2 features, 3 classes (2 left out)")
    assert again.selectbox(key="model0").value == "gsodt"
    assert says(opened("c3" * 32, study=study_id), "This study is not yours")


def test_a_study_is_reported_within_limits_by_each_metric_and_two_are_looked_at_closely():
    app = done(compared="cart,k_nn,c45", compared_on="iris,wine", study_folds=3)
    scene = scene_of(app, "dark")
    page = study_report(scene)
    assert as_plain(scene.conclusion[0]) in page
    assert scene.study.to_toml().splitlines()[0] in page.replace("&#34;", '"')
    assert page.count("<figure") >= 4
    whole = standings(scene.scores)
    assert whole.high.max() > 100.0
    assert scene.standings.high.max() == 100.0
    assert (scene.standings.low == whole.low).all()
    assert METRICS["kappa"].limits == (-np.inf, 1.0)
    assert METRICS["log_loss"].limits == (0.0, np.inf)
    if sys.platform == "linux":
        assert "memory of a fold" in app.selectbox(key="metric").options
        app = checked(app.selectbox(key="metric").select("memory").run())
        assert "memory of a fold, MB" in html(app)
    app = checked(app.selectbox(key="metric").set_value("leaves").run())
    assert asked(app, "metric") == "leaves"
    app = checked(app.selectbox(key="metric").set_value("log_loss").run())
    app = checked(app.selectbox(key="rival_second").set_value(2).run())
    app = checked(app.number_input(key="rope").set_value(0.5).run())
    assert asked(app, "rope") == "0.5"


def test_a_study_of_numbers_is_measured_by_its_errors():
    app = done(compared="cart_regressor,k_nn", compared_on="friedman~n_samples=90", study_folds=3)
    assert app.selectbox(key="metric").value == "rmse"
    assert says(app, "root mean squared error")


def test_the_folds_that_leave_are_those_of_the_store(monkeypatch):
    app = begun(compared="cart,c45", compared_on="iris", study_folds=3)
    compute()
    offered = {}
    monkeypatch.setattr(
        "streamlit.download_button",
        lambda label, content, *_, **__: offered.update({label: content}),
    )
    checked(app.run())
    with closing(StudyStore(address_of_store())) as line:
        folds = line.folds(asked(app, "study"))
    saved = pd.read_csv(io.BytesIO(offered["Folds as CSV"]()))
    assert len(saved) == 6
    pd.testing.assert_frame_equal(saved, pd.read_csv(io.StringIO(folds.to_csv(index=False))))


def test_without_a_browser_that_keeps_anything_nothing_is_begun():
    app = opened(token="", data="iris")
    assert app.button(key="study_begin").disabled
    assert says(app, "Allow this site to store data in your browser")


def test_a_metric_leaves_out_what_it_is_not_about():
    query = {"compared": "cart,k_nn,c45,cart_regressor", "study_folds": 3}
    app = done(**query, compared_on="iris,wine,friedman~n_samples=60")
    assert says(app, "has the best mean rank")
    assert html(app).count("not measured") == 2
    app = checked(app.selectbox(key="metric").set_value("rmse").run())
    assert says(app, "On Friedman")


def test_a_file_is_compared_on_and_opened_when_it_is_gone(monkeypatch):
    rows = "\n".join(f"{i % 7},{i % 5},{'yes' if i % 3 else 'no'}" for i in range(60))
    files = [("own.csv", f"a,b,answer\n{rows}\n".encode(), "text/csv")]
    page = checked(entered("data", {}, visitor=TOKEN))
    page = checked(page.file_uploader(key="upload_field").set_value(files).run())
    page = checked(page.switch_page("pages/compare.py").run())
    sets = page.multiselect(key="study_sets")
    assert sets.format_func(sets.value[0]).startswith("own")
    page = checked(page.number_input(key="study_folds").set_value(3).run())
    before = sets.format_func(sets.value[0])
    page = checked(page.button(key="study_begin").click().run())
    # The browser still shows the title that the file had a moment ago, and answers with it.
    sets = page.multiselect(key="study_sets")
    assert sets.format_func(sets.value[0]) != before
    kept = sets.value
    page = checked(sets.set_value([before]).run())
    assert page.multiselect(key="study_sets").value == kept
    compute()
    study_id = asked(page, "study")
    uploads.the_store().tidy()
    monkeypatch.setattr(uploads, "the_store", lambda: None)  # as if it had been given up
    again = opened(study=study_id)
    assert "lv-conclusion" in html(again)
    again = checked(again.button(key="study_open").click().run())
    assert says(again, "Your file is no longer here")
    assert says(again, "60 rows, 2 features, 2 classes")


def test_the_study_file_of_an_own_table_runs_where_the_table_is(tmp_path, monkeypatch, capsys):
    offered = {}
    monkeypatch.setattr(
        "streamlit.download_button",
        lambda label, content, file_name, **_: offered.update({file_name: content}),
    )
    rows = "\n".join(f"r{i},{i % 7},{i % 5},{'yes' if i % 3 else 'no'}" for i in range(60))
    own = f"name,a,b,answer\n{rows}\n"
    page = checked(entered("data", {}, visitor=TOKEN))
    file = ("own.csv", own.encode(), "text/csv")
    page = checked(page.file_uploader(key="upload_field").set_value([file]).run())
    page = checked(page.switch_page("pages/compare.py").run())
    checked(page.button(key="study_begin").click().run())
    compute()
    checked(page.run())
    with closing(StudyStore(address_of_store())) as line:
        study_id, _, _ = line.names(TOKEN)[0]
        ours = line.folds(study_id)["accuracy"]
    toml = next(name for name in offered if name.endswith(".toml"))
    table = next(name for name in offered if name.startswith("table."))
    packed_table = offered[table]()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "data").mkdir()
    study_file = tmp_path / "elsewhere" / toml
    study_file.write_bytes(offered[toml]())
    name = read_study(study_file).name
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path / "data"))

    def run(store, *words):
        monkeypatch.setenv("LASTVIZ_STORE", f"sqlite:///{tmp_path / store}")
        failed = main(words or ("run", str(study_file), "--workers", "1"))
        said = capsys.readouterr()
        return said.err if failed else said.out

    capsys.readouterr()
    said = run("none.sqlite")
    assert f"There is no file own.csv or {table} in {study_file.parent} or " in said
    assert said.count("\n") == 1
    (tmp_path / "data" / "own.csv").write_text(own.replace("r7,0", "r7,1"))
    assert "own.csv does not hold the rows and columns of the study" in run("none.sqlite")
    (tmp_path / "data" / "own.csv").write_text(own)
    assert "done  20 of 20 folds" in run("file.sqlite")
    (tmp_path / "data" / "own.csv").unlink()
    assert "done  20 of 20 folds" in run("file.sqlite", "resume", name)
    study_file.with_name(table).write_bytes(packed_table)
    assert "done  20 of 20 folds" in run("table.sqlite")
    for store in ("file.sqlite", "table.sqlite"):
        run(store, "export", name, str(tmp_path / "folds.csv"))
        assert pd.read_csv(tmp_path / "folds.csv")["accuracy"].tolist() == ours.tolist()


@pytest.mark.parametrize("key", ["folder.a,b~c=1|2%7E", "folder.ärzte & co", "iris"])
def test_a_name_of_a_file_goes_through_the_link(key):
    entry = Entry(key, (("n_samples", 5),))
    assert "," not in entry.text
    assert entry_of_text(entry.text, (Param("n_samples", int, 3),)) == entry


def test_who_computes_is_begun_again_and_what_it_said_is_told(monkeypatch):
    monkeypatch.setattr(studies, "AGAIN", 0.01)
    begin = (sys.executable, "-c", "import sys; sys.exit('The disk is full.')")
    computing = studies.Computing(begin)
    app = begun(compared="cart,k_nn", compared_on="iris")
    computing.ensure()
    until(lambda: computing.fault)
    assert computing.fault == "The disk is full."
    monkeypatch.setattr(studies.Computing, "fault", computing.fault)
    assert says(checked(app.run()), "The disk is full.")


@pytest.mark.parametrize("last", [
    "1 / 0",
    "import faulthandler, os, signal; faulthandler.enable(); os.kill(os.getpid(), signal.SIGABRT)",
])  # fmt: skip
def test_a_crash_of_who_computes_is_a_sentence(monkeypatch, last):
    monkeypatch.setattr(studies, "AGAIN", 0.01)
    computing = studies.Computing((sys.executable, "-c", last))
    computing.ensure()
    until(lambda: computing.fault)
    assert computing.fault == studies.CRASHED


def test_a_study_that_runs_has_no_verdict_and_one_that_stopped_early_says_so_far():
    app = begun(compared="cart,k_nn,c45", compared_on="iris,wine,breast_cancer", study_folds=5)
    compute()
    whole = scene_of(app)
    stopped, running = (
        replace(whole, standing=replace(whole.standing, n_done=20, place=place)) for place in (0, 1)
    )
    for scene in (whole, stopped):
        assert "has the best mean rank" in card(scene.conclusion, "")
        assert not isinstance(posterior_of(scene), CannotTell)
    assert "So far" not in card(whole.conclusion, "")
    assert "<b>So far, with 20 of 45 folds:" in card(stopped.conclusion, "")
    assert "rank" not in card(running.conclusion, "")
    assert "The study still runs" in card(running.conclusion, "")
    assert not running.standings.behind.any()
    for each in (running.ranks, running.pairs, posterior_of(running)):
        assert isinstance(each, CannotTell)
    assert "The study still runs" in study_report(running)


def test_nobody_is_begun_where_nothing_waits(monkeypatch):
    started = []
    monkeypatch.setattr(studies.Computing, "ensure", lambda computing: started.append(computing))
    computing = studies.Computing()
    studies.go_on(computing)  # there is no file yet
    with closing(StudyStore(address_of_store())):
        studies.go_on(computing)
    assert started == []
    begun(compared="cart", compared_on="iris")
    assert started == []  # the app's own is not begun in these tests
    studies.go_on(computing)
    assert started == [computing]


def test_learning_curves_are_drawn_when_they_are_asked_for():
    app = done(compared="cart,c45", compared_on="iris", study_folds=3)
    assert not [each for each in app.caption if "the band is the 95 % interval" in each.value]
    app = checked(app.button(key="learning_draw").click().run())
    assert [each for each in app.caption if "the band is the 95 % interval" in each.value]


def test_the_regions_of_a_peer_are_drawn_here_and_ours_open_in_boundaries():
    app = done(compared="k_nn,cart", compared_on="iris,friedman", study_folds=3)
    assert not [each for each in app.button if each.key == "study_open"]
    app = checked(app.button(key="study_regions").click().run())
    assert says(app, "Predicted at the centres of 120 x 120 cells")
    cells = app.selectbox(key="study_cell")
    ours = next(n for n in cells.options if n.startswith("CART, Iris"))
    app = checked(cells.select(cells.options.index(ours)).run())
    assert app.button(key="study_open")
    assert not [each for each in app.button if each.key == "study_regions"]


def test_regions_of_a_peer_are_those_that_it_predicts():
    data = load_dataset("moons", n_samples=200)
    choice = AlgorithmChoice("k_nn", (), (), "k-NN")
    found = regions_of(choice, {"n_neighbors": 5, "weights": "uniform"}, data, 0)
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(5)).fit(data.X, data.codes)
    regions = found.regions
    x, y = ((edges[1:] + edges[:-1]) / 2 for edges in (regions.x_edges, regions.y_edges))
    grid = pd.DataFrame(np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))]),
                        columns=data.X.columns)  # fmt: skip
    assert (model.predict(grid) == regions.label.ravel()).mean() > 0.999
    with pytest.raises(CannotShow, match="need classes"):
        regions_of(choice, {}, load_dataset("friedman"), 0)


@pytest.mark.ci
def test_thirty_algorithms_are_compared():
    names = ",".join(f"k_nn~n_neighbors={n}" for n in range(1, 31))
    app = done(compared=names, compared_on="iris,wine", study_folds=2)
    assert "**Done** 120 of 120 folds" in words_of(app)
    assert html(app).count("data-done='2'") == 60


# The example


@cache
def folds_of_the_example():
    return pd.read_parquet(Path(example.__file__).with_name("example_study.parquet"))


def ranks_of_the_example():
    """Mean ranks by scipy, best first, and the least gap that six sets can show."""
    means = folds_of_the_example().groupby(["dataset", "algorithm"])["accuracy"].mean().round(12)
    ranks = (-means.unstack()).rank(axis=1).mean().sort_values()
    k, n = len(ranks), 6
    return ranks, stats.studentized_range.ppf(0.95, k, np.inf) * np.sqrt(
        k * (k + 1) / (12 * n)
    ) + 0.5 / n


def test_the_page_opens_on_a_finished_study_and_says_its_conclusion_first():
    app = opened(token=None)
    ranks, least = ranks_of_the_example()
    first, last, gap = ranks.index[0], ranks.index[-1], ranks.iloc[-1] - ranks.iloc[0]
    assert gap < least
    told = (
        f"<b>{first} has the best mean rank, {ranks.iloc[0]:.3g}.</b> No algorithm is "
        f"significantly worse at the 5 % level (Nemenyi): the last, {last}, is {gap:.3g} ± "
        f"{least:.3g} ranks behind over 6 data sets."
    )
    assert told in html(app)
    assert says(app, "Example study, finished: accuracy, %, mean of 30 folds.")
    assert says(app, "10 folds, 3 repeats, seed 1, computed beforehand.")
    keys = [element.proto.id for element in app.get("bidi_component")]
    assert sum("study_set_" in key for key in keys) == 6
    drawn = [words for _, words in texts_sent(app)]
    for name in ("Iris", "Wine", "Breast cancer", "Waveform", "Two Gaussians", "Twonorm"):
        assert f"Each algorithm on {name}, with its interval: accuracy, %." in drawn
    assert not app.multiselect
    assert "<span>Six algorithms on six data sets</span>" in html(app)


def test_the_example_is_made_ones_own_and_stays_as_it_is():
    app = checked(opened().button(key="study_mine").click().run())
    chosen = app.multiselect(key="study_algorithms").value
    assert chosen == ["gsodt", "lsodt~levels=3", "oc1", "c45", "cart", "hybrid"]
    assert app.multiselect(key="study_sets").value[2:4] == [
        *("breast_cancer", "waveform~n_samples=600~random_state=1")
    ]
    assert [app.number_input(key=key).value for key in ("repeats", "seed")] == [3, 1]
    assert "study" not in app.query_params
    assert "<b>1,080" in html(app)
    assert "<span>6 data sets</span><span>GSODT</span><span>LSODT</span><span>OC1</span>" in html(
        app
    )
    app = checked(app.multiselect(key="study_sets").set_value(["iris"]).run())
    app = checked(app.multiselect(key="study_algorithms").set_value(["cart"]).run())
    app = checked(app.button(key="study_begin").click().run())
    assert app.selectbox(key="study_history").options[0].startswith("CART on Iris")
    app = opened(study="example")
    assert len(app.selectbox(key="study_history").options) == 1
    assert says(app, "Example study, finished")


def test_the_example_needs_no_store_and_comes_back(monkeypatch):
    monkeypatch.setenv("LASTVIZ_STORE", "sqlite:////proc/nowhere/studies.sqlite")
    assert says(opened(data="iris"), "cannot be opened")
    monkeypatch.setattr(studies, "is_installed", lambda _: False)
    app = opened()
    assert says(app, "Example study, finished")
    monkeypatch.undo()
    app = checked(opened(data="iris").button(key="study_example").click().run())
    assert says(app, "Example study, finished")
    assert asked(app, "study") == "example"


def test_the_example_is_told_by_every_metric():
    shown = DEFAULT.change(study="example")
    study = study_opened(shown, None)
    metrics = compare_scene(shown, study, None, "light").metrics
    assert len(metrics) > 5
    for metric in metrics:
        scene = compare_scene(shown.change(metric=metric.key), study, None, "light")
        names = [scene.algorithms[a] for a in scene.ranks[0].order]
        assert f"<b>{names[0]} has the best mean rank" in in_short(scene)[0].text
        sign = scene.scores.sign
        for of, _ in enumerate(scene.datasets):
            figure = set_figure(scene, of)
            (best,) = [x for each in figure.traces if each["meta"].get("state") == "best"
                       for x in each["x"]]  # fmt: skip
            values = scene.averages(metric.key)[:, of] * scene.factor
            assert best == pytest.approx(sign * max(sign * values))
            shown_names = figure.layout["yaxis"]["ticktext"]
            assert [name in text for name, text in zip(names, shown_names, strict=True)] == [
                True
            ] * 6


def example_scene():
    shown = DEFAULT.change(study="example")
    return compare_scene(shown, study_opened(shown, None), None, "light")


@pytest.mark.parametrize("n_folds", [10, 3, 2])
@pytest.mark.parametrize("cost", ["fit_seconds", "predict_seconds"])
def test_times_stand_over_the_rows_that_a_model_learns_from(n_folds, cost):
    scene = example_scene()
    scene = replace(scene, study=replace(scene.study, folds=n_folds))
    folds, expected = folds_of_the_example(), {}
    for choice in scene.study.datasets:
        n = load_dataset(choice.key, **dict(choice.params)).n_samples
        learnt = np.mean([len(train) for train, _ in KFold(n_folds).split(range(n))])
        own = folds[folds["dataset"] == choice.name].groupby("algorithm")[cost].median()
        for name, seconds in own.items():
            expected.setdefault(name, {}).setdefault(learnt, []).append(seconds)
    curves = {curve.name: curve for curve in time_curves(scene, cost)}
    assert curves.keys() == expected.keys()
    for name, found in expected.items():
        assert curves[name].n_samples == pytest.approx(sorted(found))
        assert curves[name].value == pytest.approx([np.mean(found[n]) for n in sorted(found)])


BETTER = {"accuracy": 1, "log_loss": -1, "leaves": -1, "fit_seconds": -1}


@pytest.mark.parametrize("of", range(6))
def test_of_one_data_set_the_two_best_by_any_metric_are_looked_at_closely(of):
    scene = example_scene()
    choice = scene.study.datasets[of]
    cells, folds = (table[table["dataset"] == choice.name] for table in (scene.cells, scene.folds))
    study = replace(scene.study, datasets=(choice,))
    known = folds_of_the_example()
    means = known[known["dataset"] == choice.name].groupby("algorithm")[[*BETTER]].mean()
    for metric, sign in BETTER.items():
        one = replace(scene, study=study, cells=cells, folds=folds, metric=MEASURES[metric])
        worth = sign * means[metric].round(12)
        first, second = one.two
        assert worth[first] == worth.max()
        assert worth[second] == worth.drop(first).max()
