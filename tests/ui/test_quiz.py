"""The page *quiz*: every number is the search's own, no answer is sent before it is asked for."""

import json
from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest

from lastviz.ui.compute.work import Work
from lastviz.ui.quiz.asking import pose, proposed_row, with_wrong_node
from lastviz.ui.quiz.scene import NOWHERE, letter, node_figure, split_answer
from lastviz.ui.quiz.words import is_right, reveal_answer
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode, encode
from lastviz.ui.state.quiz_codes import Question, quiz_file, read_quiz, read_quiz_file, write_quiz
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.text import CannotShow

from .conftest import checked, html, opened, sent
from .opened_pages import seen

IRIS = Selection(data="iris", models=(Model("cart"),))


def query(selection):
    return urlencode(encode(selection))


def asked(kind, selection, row=None):
    return pose(Question(kind, query(selection), row), "light")


@pytest.fixture
def quiz():
    wrong = with_wrong_node(Work(IRIS), 0)
    row = proposed_row(Work(IRIS), 0)
    return (
        Question("split", query(IRIS)),
        Question("class", query(IRIS), row),
        Question("node", wrong),
    )


def test_a_link_and_a_file_say_the_whole_quiz(quiz):
    assert read_quiz(write_quiz(quiz)) == quiz
    assert read_quiz_file(quiz_file(quiz).encode()) == quiz


@pytest.mark.parametrize("content", [
    b"", b"\xff", b"[]", b"{}", b'{"format": "lastviz quiz", "version": 1, "questions": []}',
    b'{"format": "lastviz quiz", "version": 1, "questions": [{"kind": "class", "scene": ""}]}',
    json.dumps({"format": "lastviz quiz", "version": 1,
                "questions": [{"kind": "split", "scene": "", "row": 3}]}).encode(),
    b"[" * 100_000,
])  # fmt: skip
def test_a_file_that_holds_no_quiz_is_one_sentence(content):
    with pytest.raises(ValueError, match="holds no quiz"):
        read_quiz_file(content)


@pytest.mark.parametrize("key", ["cart", "c45", "hybrid", "remt"])
def test_a_split_is_judged_by_the_search_that_grew_the_tree(key):
    data = "monotone" if key == "remt" else "iris"
    found = asked("split", Selection(data=data, models=(Model(key),)))
    stored = found.work.first.node(0).stored_split
    verdict = found.verdict(split_answer(stored.feature, stored.threshold))
    assert verdict.is_best
    assert verdict.left_out is None
    assert verdict.score == verdict.best_score == pytest.approx(stored.score, rel=1e-9)
    assert is_right(found, found.answer)


def test_any_place_between_two_values_is_the_same_split():
    found = asked("split", IRIS)
    i = found.best
    feature = int(found.search.feature[i])
    values = np.unique(found.division.values[found.rows, feature])
    low = values[values <= found.search.threshold[i]].max()
    high = values[values > found.search.threshold[i]].min()
    assert found.verdict(split_answer(feature, low + 0.01 * (high - low))).is_best
    assert found.verdict(split_answer(feature, values.max() + 1)).candidate == -1


def test_another_split_is_scored_and_the_gap_is_in_words():
    found = asked("split", IRIS)
    values = found.division.values[found.rows, 1]
    answer = split_answer(1, float(np.median(values)))
    verdict = found.verdict(answer)
    assert 0 < verdict.score < verdict.best_score
    assert verdict.rank > 1
    assert f"is number {verdict.rank} of {verdict.n} candidates" in reveal_answer(found, answer)
    assert not is_right(found, answer)


def test_a_root_that_stays_a_leaf_is_an_answer():
    found = asked("split", Selection(data="xor", models=(Model("c45"),)))
    assert found.answer == NOWHERE
    assert is_right(found, NOWHERE)
    assert "Nowhere" in reveal_answer(found, split_answer(0, 0.5))


@pytest.mark.parametrize("key", ["cart", "oc1", "svm_tree", "mcdf", "id3"])
def test_any_algorithm_can_be_asked_for_a_class(key):
    selection = Selection(data="iris", models=(Model(key),))
    if key == "mcdf":
        selection = Selection(data="monotone", models=(Model(key),))
    if key == "id3":
        selection = Selection(data="loan", models=(Model(key),))
    row = proposed_row(Work(selection), 0)
    found = asked("class", selection, row)
    model = found.work.first.fitted_any.estimator
    x = found.work.first.division.X.iloc[[row]]
    assert found.answer == str(int(model.predict(x)[0]))
    assert found.class_names[found.prediction] in reveal_answer(found, None)


def test_exactly_one_node_is_wrong_and_the_numbers_say_which():
    found = asked("node", read(with_wrong_node(Work(IRIS), 2)))
    wrong = [node for node in found.inner if not found.verdict(node).is_best]
    assert wrong == [found.altered]
    verdict = found.verdict(found.altered)
    assert verdict.score < verdict.best_score
    assert is_right(found, str(found.altered))


def read(scene):
    return decode(dict(parse_qsl(scene)), session.data_params, session.model_params)[0]


@pytest.mark.parametrize("selection", [
    Selection(data="iris", models=(Model("oc1"),)), Selection(data="loan", models=(Model("id3"),)),
    Selection(data="iris", models=(Model("gsodt"),)), Selection(data="regression_5_2"),
])  # fmt: skip
def test_what_cannot_be_asked_is_one_sentence(selection):
    with pytest.raises(CannotShow):
        asked("split", selection)


def test_a_quiz_is_built_and_played(quiz):
    app = opened("quiz", data="iris", m="cart")
    checked(app.text_input(key="quiz_words").set_value("Where would you cut?").run())
    checked(app.button(key="quiz_add").click().run())
    assert app.text_input(key="quiz_words").value == ""  # they were of that question alone
    checked(app.segmented_control(key="quiz_kind").set_value("class").run())
    checked(app.button(key="quiz_add").click().run())
    checked(app.segmented_control(key="quiz_kind").set_value("node").run())
    checked(app.button(key="quiz_add").click().run())
    assert "3 questions" in " ".join(m.value for m in app.markdown)
    checked(app.button(key="quiz_play").click().run())
    assert "takes" not in html(app)
    checked(app.button(key="quiz_answer").click().run())
    assert "takes <b>" in html(app)
    checked(app.button(key="quiz_next").click().run())
    checked(app.button(key="quiz_class_0").click().run())
    checked(app.button(key="quiz_next").click().run())
    checked(app.button(key="quiz_next").click().run())
    assert "of 3 right" in " ".join(each.value for each in app.subheader)


def test_before_it_is_answered_nothing_of_the_answer_is_sent(quiz):
    app = seen("quiz", questions=write_quiz(quiz), asked=1)
    found = pose(quiz[0], "light")
    threshold = str(float(found.search.threshold[found.best]))
    parts = [str(each.proto) for each in app.get("bidi_component")]
    parts += [sent(each.proto.bytes) for each in app.get("bidi_component") if each.proto.bytes]
    assert "sepal length" in " ".join(parts)
    assert threshold not in " ".join(parts) + html(app)


CARD = 'class="lv-quiz-card"'
PAGES = ("boundaries", "growth", "splits", "rules", "pruning", "latent")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("link", [{"ask": "class~1~4"}, {"quiz": 1}])
def test_a_link_asks_before_a_page_says_anything(page, link):
    app = opened(page, data="iris", m="cart", **link)
    assert "accuracy" not in html(app)
    assert CARD not in html(app)
    app = checked(app.button(key="guess_skip").click().run())
    assert CARD in html(app)
    app = checked(app.button(key="guess_go").click().run())
    assert not {"quiz", "ask"} & set(app.query_params)
    assert CARD not in html(app)


@pytest.mark.parametrize("scene", ["data=xor&m=cart", "data=monotone&m=mcdf", "data=loan&m=id3"])
def test_a_class_is_asked_for_where_the_picture_says_all_values(scene):
    app = opened("quiz", questions=write_quiz((Question("class", scene, 3),)), asked=1)
    checked(app.button(key="quiz_class_0").click().run())
    assert "lv-quiz-card" in html(app)


def test_a_quiz_of_no_question_is_put_together():
    app = seen("quiz", asked=1)
    assert app.button(key="quiz_room_open").disabled
    assert any(button.key == "quiz_add" for button in app.button)


def test_a_cold_quiz_asks_at_once_and_leads_to_one_of_the_readers_own():
    app = opened("quiz")
    assert app.text_input(key="quiz_code")
    assert "quiz_add" not in {button.key for button in app.button}
    checked(app.button(key="quiz_nowhere").click().run())
    assert "lv-quiz-card" in html(app)
    assert app.query_params == {}
    checked(app.button(key="quiz_make").click().run())
    assert app.button(key="quiz_add")


@pytest.mark.parametrize("key", ["cart", "c45", "hybrid", "oc1"])
@pytest.mark.parametrize(("data", "seed"), [("iris", 0), ("iris", 3), ("wine", 1), ("moons", 2)])
def test_every_node_that_may_be_the_answer_has_its_letter_on_it(key, data, seed):
    scene = Selection(data=data, seed=seed, models=(Model(key),))
    try:
        found = pose(Question("node", with_wrong_node(Work(scene), 0)), "light")
    except CannotShow:
        pytest.skip("this tree has too many nodes, or none to alter")
    figure = node_figure(found, None)
    (letters,) = [trace for trace in figure.traces if trace["meta"]["role"] == "letter"]
    assert letters["text"] == [f"<b>{letter(n)}</b>" for n in range(len(found.inner))]
    boxes = {area["node"]: np.array(area["xy"]) for area in figure.areas["hits"]}
    for node, x, y in zip(found.inner, letters["x"], letters["y"], strict=True):
        (left, low), (right, high) = boxes[node].min(axis=0), boxes[node].max(axis=0)
        assert left < x < right
        assert low < y < high
