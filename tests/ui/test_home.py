"""The page home: the tree that grows by itself, and how far the course has come."""

import json

import numpy as np
import pytest

from lastviz.datasets import load_dataset, to_csv
from lastviz.estimators import CARTClassifier
from lastviz.plots import number
from lastviz.ui.compute.work import Work
from lastviz.ui.data.page import QUESTION as DATA
from lastviz.ui.home.page import LESSONS
from lastviz.ui.home.thumbnail import growing, link_scene, wrong_rows
from lastviz.ui.state.selection import DEFAULT
from tests.patience import SECONDS

from .conftest import checked, html, opened
from .opened_pages import seen


def splits_of(tree):
    split = np.flatnonzero(tree.n_children)
    return set(zip(tree.feature[split].tolist(), tree.threshold[split].tolist(), strict=True))


def test_after_each_question_as_many_dots_are_wrong_as_in_a_tree_that_stops_there():
    frames = json.loads(growing("light"))["frames"]
    divided = Work(link_scene()).first.division
    X, y = divided.X, divided.y
    most = np.bincount(y).max()
    every = "Every dot gets the same answer: <b>{} of {}</b> dots are wrong."
    assert frames[0]["say"] == every.format(len(y) - most, len(y))
    assert len(frames) == link_scene().models[0].params[0][1]  # a leaf more with each question
    for n, frame in enumerate(frames[1:], start=1):
        stopped = CARTClassifier(max_leaf_nodes=n + 1).fit(X, y)
        wrong = np.flatnonzero(stopped.predict(X) != y)
        assert frame["wrong"] == wrong.tolist()
        before = CARTClassifier(max_leaf_nodes=n).fit(X, y) if n > 1 else None
        old = set() if before is None else splits_of(before.tree_)
        ((feature, new),) = splits_of(stopped.tree_) - old
        assert frame["say"] == (
            f"Is <i>x<sub>{feature + 1}</sub></i> at most {number(round(new, 2))}? "
            f"<b>{len(wrong)} of {len(y)}</b> dots are still wrong."
        )


def test_each_question_draws_one_line():
    story = json.loads(growing("light"))
    asked = [frame["node"] for frame in story["frames"][1:]]
    assert sorted(map(int, story["line"])) == sorted(asked)
    assert all(end - first == 1 for first, end in story["line"].values())
    assert link_scene().data == "moons"


@pytest.mark.parametrize("seed", range(3))
def test_a_tree_that_has_asked_some_questions_is_one_that_is_followed_row_by_row(seed):
    selection = link_scene().change(seed=seed + 5)
    divided, tree = Work(selection).first.division, Work(selection).first.tree
    log = Work(selection).first.estimator.growth_log_
    split = [int(n) for n in log.node if tree.n_children[n]]
    for n in range(len(split) + 1):
        wrong = []
        for row, (x, label) in enumerate(zip(divided.values, divided.y, strict=True)):
            node = 0
            while node in split[:n]:
                above = x[tree.feature[node]] > tree.threshold[node]
                node = int(tree.children(node)[int(above)])
            if tree.prediction[node] != label:
                wrong.append(row)
        assert wrong_rows(tree, divided.values, divided.y, split[:n]).tolist() == wrong


def test_the_course_begins_without_ticks_and_with_its_first_lesson():
    said = html(seen("home"))
    minutes = sum(scene.minutes for scene in LESSONS)
    assert f"{len(LESSONS)} lessons, {minutes} minutes" in said
    assert "lv-done" not in said.split("</style>")[-1]
    assert said.split('lv-next"')[-1].startswith('><b role="img" aria-label="Lesson 1">1</b>')


def test_a_lesson_is_done_once_its_last_step_was_seen():
    lesson = LESSONS[1]
    for n in range(1, len(lesson.steps) + 1):
        app = seen(lesson.steps[n - 1].page, **lesson.query_of(n))
        done = "lessons_done" in app.session_state and app.session_state["lessons_done"]
        assert done == (n == len(lesson.steps) and {lesson.key})


def test_the_path_shows_what_is_done_and_what_comes_next():
    app = opened("home")
    app.session_state["lessons_done"] = frozenset({LESSONS[0].key, LESSONS[1].key})
    said = html(checked(app.run()))
    assert said.count(', done">✓') == 2
    links = {link.proto.label: link.proto for link in app.get("page_link")}
    assert f"scene={LESSONS[2].key}.1" in links["Go on with 3"].query_string


def test_when_all_is_done_there_is_nothing_to_go_on_with():
    app = opened("home")
    app.session_state["lessons_done"] = frozenset(scene.key for scene in LESSONS)
    checked(app.run())
    assert not any("Go on" in link.proto.label for link in app.get("page_link"))


def test_a_table_that_is_dropped_on_home_opens_on_data_and_one_that_is_none_says_why():
    app = opened("home")
    app.file_uploader(key="home_table").set_value(("none.csv", b"", "text/csv")).run()
    assert len(app.error) == 1
    assert app.session_state["selection"] == DEFAULT
    flowers = to_csv(load_dataset("iris"))
    app.file_uploader(key="home_table").set_value(("flowers.csv", flowers, "text/csv"))
    app = checked(app.run())
    assert app.title[0].value == DATA
    assert app.session_state["selection"].upload.name == "flowers.csv"
    assert "<b>150 rows in 3 classes, with 4 features</b>" in html(app)


def test_while_its_tree_is_being_grown_home_says_so_and_then_shows_it(monkeypatch):
    monkeypatch.setattr("lastviz.host.jobs.PATIENCE", 0.0)
    monkeypatch.setattr("lastviz.host.jobs.AT_ONCE", 0.0)
    new = link_scene().change(seed=991)

    def grown(theme):
        _ = Work(new).first.fitted
        return growing(theme)

    monkeypatch.setattr("lastviz.ui.home.page.growing", grown)
    app = opened("home")
    assert [button.key for button in app.button if button.label == "Cancel"] == ["cancel-hero"]
    assert Work(new).first.begin()._over.wait(SECONDS)
    checked(app.run())
    assert not [button for button in app.button if button.label == "Cancel"]
