"""A question before a page shows: nothing of the answer is there; then the search says it."""

import json
import re
from html import unescape
from urllib.parse import urlencode

import numpy as np
import pytest

from lastviz.datasets.painted import Painting
from lastviz.host.store import Upload
from lastviz.inspection import root_prices
from lastviz.ui.quiz.answering import _form
from lastviz.ui.quiz.asking import hindrance, pose, question_scene
from lastviz.ui.quiz.guess import fewest_wrong, finding, first_cut, payload, question_of
from lastviz.ui.quiz.scene import split_answer
from lastviz.ui.quiz.words import choices_of, crowd_words, groups, heading, is_right, reveal_answer
from lastviz.ui.state.codec import encode
from lastviz.ui.state.lessons import scene_named
from lastviz.ui.state.quiz_codes import Ask, Slide, read_story_file, story_file, write_story
from lastviz.ui.state.selection import UPLOAD, Model, Selection
from lastviz.ui.story.rendering import scene_in
from tests import naive_optimal

from .conftest import html, opened

XOR = Selection(data="xor", params=(("n_samples", 40),), held=0.0, models=(Model("cart"),))
LINE = Ask("split")


def posed(selection=XOR, ask=LINE):
    return pose(question_of(selection.having(ask=ask)), "light")


def answers(question):
    """Every cut that the reader can make, with its number of rows on one side."""
    for f, cuts in enumerate(payload(question, None, {})["cuts"]):
        yield from ((f"{f}_{at!r}", f, at, n) for at, _, n in cuts)


def test_rows_wrong_after_two_more_cuts_are_the_fewest_of_all_trees_with_that_root():
    question = posed()
    X, y = question.division.values[question.rows], question.division.y[question.rows]
    naive = naive_optimal.cost_below_roots(X, y, 2)
    exact = root_prices(X, y, np.arange(len(y)), 2, depth=2, beyond=None)
    prices = dict(zip(zip(exact.feature, exact.threshold, strict=True), exact.errors, strict=True))
    seen = 0
    for answer, f, at, n in answers(question):
        largest = X[X[:, f] <= at, f].max()
        assert n == (X[:, f] <= at).sum()
        assert first_cut(question, answer).wrong == naive[f, largest] == prices[f, largest]
        seen += 1
    assert seen == len(naive)
    assert fewest_wrong(question) == min(naive.values()) == exact.fewest


def test_the_sentence_says_whose_errors_are_fewer_and_each_case_is_met():
    cases = set()
    for seed in (1, 2, 3):
        question = posed(XOR.having(seed=seed))
        best = first_cut(question, question.answer)
        for answer, *_ in answers(question):
            mine = first_cut(question, answer)
            said = " ".join(finding(question, mine, best))
            assert (mine.verdict.rank == 1) or mine.verdict.score <= best.verdict.score
            little = mine.verdict.score < 0.2 * best.verdict.score
            if mine.verdict.candidate == best.verdict.candidate:
                case = "You and CART cut at the same place."
            elif mine.wrong < best.wrong:
                case = "Your cut gains little at once, yet" if little else "Your cut"
                case += " ends with fewer errors here:"
            elif mine.wrong == best.wrong:
                case = "Your cut ends with as many errors here:"
            else:
                case = "Your cut ends with more errors here:"
            assert f"wo more cuts leave {mine.wrong} of " in said
            wins = mine.wrong < best.wrong
            assert wins or f"The best first cut leaves {fewest_wrong(question)}." in said
            assert case in said
            cases.add(case)
    assert len(cases) == 5


def test_before_an_answer_the_page_holds_nothing_of_it():
    question = posed()
    best = first_cut(question, question.answer)
    before = payload(question, None, {})
    assert before["answer"] is None
    assert best.test not in json.dumps({**before, "cuts": []})
    after = payload(question, question.answer, {})["answer"]
    assert [cut["whose"] for cut in after["cuts"]] == ["yours", "other"]
    assert {row[1] == row[2] for row in after["rows"]} == {True}
    skipped = payload(question, "", {})["answer"]
    assert [cut["whose"] for cut in skipped["cuts"]] == ["other"]
    assert [len(row) for row in skipped["rows"]] == [2, 2, 2, 2]
    assert best.test in skipped["say"]


def test_a_mini_plane_shows_the_trees_that_are_counted():
    question = posed()
    X, y = question.division.values[question.rows], question.division.y[question.rows]
    for answer, f, at, _ in list(answers(question))[::7]:
        cut = first_cut(question, answer)
        cuts = payload(question, answer, {})["answer"]["cuts"]
        mine = next(one for one in cuts if one["whose"] == "yours")
        said = np.empty(len(y), dtype=int)
        for side, rows in zip(mine["sides"], (X[:, f] <= at, X[:, f] > at), strict=True):
            says = side["says"]
            second = X[rows, side["f"]] > side["t"] if "f" in side else np.zeros(rows.sum())
            said[rows] = np.array(says)[np.asarray(second, dtype=int)]
        assert (said != y).sum() == cut.wrong


def test_how_many_errors_is_asked_and_judged_with_a_tolerance():
    ask = Ask("errors", "Wie viele?", detail=2)
    question = posed(Selection(data="moons", models=(Model("cart"),)), ask)
    model, division = question.work.first.estimator, question.division
    rows = division.held_out_rows
    wrong = int((model.predict(division.X.iloc[rows]) != division.y[rows]).sum())
    assert (question.answer, question.n) == (str(wrong), len(rows))
    assert heading(question) == "Wie viele?"
    right = [n for n in range(len(rows) + 1) if is_right(question, str(n))]
    assert right == [n for n in range(len(rows) + 1) if abs(n - wrong) <= 2]
    assert not is_right(question, "none")
    said = reveal_answer(question, str(wrong + 4))
    assert f"<b>{wrong} of {len(rows)}</b> held-out rows" in said
    assert f"Your answer: {wrong + 4} rows" in said
    assert "Up to 2 off is near enough." in said
    counted = groups(question, {str(n): 1 for n in range(len(rows) + 1)})
    assert sum(counted.values()) == len(rows) + 1
    assert crowd_words(question, {str(wrong): 3, str(wrong + 5): 1}) == "3 of 4 are right."


def test_without_rows_held_out_the_training_rows_are_counted():
    question = posed(XOR.change_model(0, params=(("max_depth", 1),)), Ask("errors"))
    wrong = int((question.work.first.estimator.predict(question.division.X)
                 != question.division.y).sum())  # fmt: skip
    assert (question.n, question.answer, question.tolerance) == (40, str(wrong), 0)
    assert f"<b>{wrong} of 40</b> training rows" in reveal_answer(question, None)


def test_a_learning_platform_judges_a_number_by_the_range_that_it_lies_in():
    question = posed(ask=Ask("errors"))
    about = json.loads(unescape(re.search('data-ask="(.*?)"', _form(question))[1]))
    low, high = map(int, about["right"].split("-"))
    assert low <= int(question.answer) <= high
    assert list(about["reveals"]) == list(choices_of(question))
    assert f"Your answer: {low} to {high} rows" in about["reveals"][about["right"]]


def test_a_class_is_not_asked_what_it_could_not_open():
    own = Selection(data=UPLOAD, upload=Upload("0" * 12, "a.csv", 30))
    assert hindrance(question_scene(own)).startswith("This is your own file")
    many = Selection(data="painted", painted=str(Painting(*np.ones((3, 5000), dtype=int))))
    assert hindrance(question_scene(many)).startswith("A painting with this many rows")
    assert "target of this data set is a number" in hindrance(Selection(data="regression_5_2"))
    assert hindrance(question_scene(XOR)) == ""


def test_a_class_is_counted_by_where_it_cuts():
    question = posed()
    values = np.sort(question.division.values[question.rows, 0])
    middle, edge = (split_answer(0, values[place]) for place in (20, 2))
    said = crowd_words(question, {middle: 17, edge: 6, "none": 1})
    assert said.startswith("17 of 24 cut through the middle:")


@pytest.mark.parametrize(
    "text", ["node", "split~5", "class", "split~1~-2", f"split~1~~{'x' * 201}"]
)
def test_what_is_no_question_is_refused(text):
    with pytest.raises(ValueError, match=text):
        Ask.parse(text)


def test_the_lesson_on_xor_begins_with_a_guess_and_tells_nothing_before():
    app = opened("splits", **scene_named("xor").query)
    assert not app.exception
    assert "Why does a greedy search fail?" in html(app)
    assert "Two classes, four clouds" not in html(app)
    assert "lab_plot" not in html(app)


def test_on_a_stage_the_words_of_a_slide_wait_for_the_answer():
    slide = Slide(
        "splits", "data=xor&m=cart&ask=split~1~~Where%3F", "It cuts at the edge.", "", "Ah"
    )
    link = {
        "data": "xor",
        "m": "cart",
        "stage": "true",
        "slides": write_story((slide,)),
        "slide": 1,
    }
    app = opened("splits", **link, ask="split~1~~Where?")
    assert "It cuts at the edge." not in html(app)
    assert "It cuts at the edge." in html(opened("splits", **link))


def test_a_story_file_keeps_the_question_of_a_slide():
    ask = Ask("errors", "Wie viele, „genau“?", detail=5)
    scene = urlencode(encode(XOR.having(ask=ask)))
    (slide,) = read_story_file(story_file((Slide("rules", scene),)).encode())
    assert scene_in(slide)[0].view.ask == ask
