"""The course: every step is a link that holds, and every number in its text that of its state."""

import re

import numpy as np
import pytest

from lastviz.datasets import DATASETS
from lastviz.host.jobs import Working
from lastviz.ui.compute.course_facts import FACTS, facts_of
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.course_strip import fill_text
from lastviz.ui.splits.node import node_view
from lastviz.ui.splits.scene import split_scene
from lastviz.ui.splits.threshold import lab_figure
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode, encode
from lastviz.ui.state.course import USES, places_of
from lastviz.ui.state.lessons import SCENES, scene_named
from lastviz.ui.state.link_texts import read_place, write_place
from lastviz.ui.state.pages import PAGES
from lastviz.ui.text import number

from .conftest import checked, html, opened
from .opened_pages import seen

STEPS = [(scene, n) for scene in SCENES for n in range(1, len(scene.steps) + 1)]


def said(scene, n):
    return fill_text(scene.steps[n - 1].text, scene.at(n))


def test_the_course_has_scenes_for_every_use_and_steps_in_each():
    assert len(SCENES) >= 18
    assert len({scene.key for scene in SCENES}) == len(SCENES)
    assert {scene.use for scene in SCENES} == set(USES)
    for scene in SCENES:
        assert 3 <= len(scene.steps) <= 5, scene.key
        assert scene.question.endswith("?")
        assert {step.page for step in scene.steps} <= PAGES.keys() | {"data"}


@pytest.mark.parametrize(("scene", "n"), STEPS, ids=lambda each: getattr(each, "key", each))
def test_a_step_is_a_link_that_holds_and_its_numbers_are_worked_out(scene, n):
    step = scene.steps[n - 1]
    selection, problems = decode(step.query, session.data_params, session.model_params)
    assert problems == ()
    assert Work(selection).data.notes == ()
    for text in [step.text] + [scene.line] * (n == 1):
        names = places_of(text)
        assert {name.removesuffix("_2") for name in names} <= FACTS.keys()
        found = facts_of(Work(selection), names)
        assert all(found.values())
        assert "{" not in fill_text(text, selection)
    again = decode(encode(scene.at(n)), session.data_params, session.model_params)[0]
    assert again.view.course == (scene.key, n)


def test_a_place_in_the_course_is_read_as_it_is_written():
    assert read_place(write_place(("xor", 2))) == ("xor", 2)
    for wrong in ("xor", "xor.0", "xor.10", "XOR.1", ".1", "a b.1"):
        with pytest.raises(ValueError, match=re.escape(wrong)):
            read_place(wrong)


# ---------------------------------------------------------------- what the story of XOR answers


@pytest.fixture(scope="module")
def xor():
    scene = scene_named("xor")
    selection = scene.at(1)
    return scene, Work(selection).first.node(0).candidates, selection


def by_hand(selection, table, candidate):
    """Training rows scaled to 0 to 1, their classes, one feature of them and its threshold."""
    divided, feature = Work(selection).first.division, int(table.feature[candidate])
    x = divided.values[divided.train_rows]
    low = x.min(axis=0)
    reach = x.max(axis=0) - low
    threshold = (table.threshold[candidate] - low[feature]) / reach[feature]
    x = (x - low) / reach
    return x, divided.y[divided.train_rows], x[:, feature], threshold


def halves(x, y, along, threshold):
    """The mean over the classes of the squared distance of the centres of their two halves."""
    left = along <= threshold
    return np.mean([
        ((x[left & (y == c)].mean(axis=0) - x[~left & (y == c)].mean(axis=0)) ** 2).sum()
        for c in range(2)
    ])  # fmt: skip


def nearest(y, along, threshold, side):
    """P of the left side or Q of the right one: how far its nearest rows are from the line."""
    away = np.abs(along - threshold)
    return np.mean([
        away[side & (y == c)].min() + away[side & (y != c)].min() for c in np.unique(y[side])
    ])  # fmt: skip


def gini(labels):
    shares = np.bincount(labels, minlength=2) / len(labels)
    return 1 - (shares**2).sum()


def test_what_bnm_measures(xor):
    scene, table, selection = xor
    text = said(scene, 2)
    for criterion, words in (("bnm5", "In the gap that is"), ("gini", "at Gini's choice")):
        apart = halves(*by_hand(selection, table, int(np.argmax(table.scores(criterion)))))
        assert f"{words} {number(float(f'{apart:.3g}'))}" in text
    assert "P is how far the line is" in text


def test_where_bnm_fails(xor):
    scene, table, selection = xor
    text = said(scene, 3)
    for criterion, words in (("bnm5", "P + Q is"), ("bnm", "inside a cloud, it is")):
        _, y, along, threshold = by_hand(selection, table, int(np.argmax(table.scores(criterion))))
        left = along <= threshold
        lost = nearest(y, along, threshold, left) + nearest(y, along, threshold, ~left)
        assert f"{words} {number(float(f'{lost:.3g}'))}" in text
    assert "Where every class is one cloud it fails" in text


def spread_over_distance(x, y, along, threshold):
    """CSN of two classes: on each side spread over distance, weighted by the rows there."""
    parts = []
    for side in (along <= threshold, along > threshold):
        own = [x[side & (y == c)] for c in range(2)]
        within = sum(((rows - rows.mean(axis=0)) ** 2).sum() for rows in own)
        between = ((own[0].mean(axis=0) - own[1].mean(axis=0)) ** 2).sum()
        parts.append(side.mean() * within / between)
    return sum(parts)


def test_what_csn_measures_and_where_it_fails(xor):
    scene, table, selection = xor
    spread = table.columns["csn"]
    best = int(np.argmin(np.where(np.isfinite(spread), spread, np.inf)))
    text = said(scene, 4)
    least = spread_over_distance(*by_hand(selection, table, best))
    other = spread_over_distance(*by_hand(selection, table, int(np.argmax(table.scores("gini")))))
    assert f"has {number(float(f'{least:.3g}'))}; Gini's choice has" in text
    assert f"Gini's choice has {number(float(f'{other:.3g}'))}" in text
    assert "small is good" in text
    gains = table.scores("gini")
    better = int((gains > gains[best] + 1e-12).sum())
    assert f"by Gini its best line is number {better + 1} of {len(gains)}" in text


NAMES = {
    "BNM": "BNM (between-node margin within the same class)",
    "CSN": "CSN (within-class compactness and between-class separation in the same node)",
}
ANSWERS = {  # on which step a newcomer finds it, and how the sentence begins
    "what Gini sees": (
        1,
        "Gini counts the classes on each side, and between the clouds both sides keep",
    ),
    "what BNM measures": (2, NAMES["BNM"] + " asks how far apart the two halves of each class lie"),
    "where BNM fails": (3, "Where BNM fails: "),
    "what CSN measures": (4, NAMES["CSN"] + " divides the spread of each class"),
    "where CSN fails": (4, "Where CSN fails: "),
    "why both": (5, "Why both: "),
}


@pytest.mark.parametrize("question", ANSWERS)
def test_the_screens_of_the_lesson_answer_a_newcomer(xor, question):
    n, sentence = ANSWERS[question]
    link = {key: text for key, text in xor[0].query_of(n).items() if key != "ask"}
    assert sentence in html(seen("splits", **link))


def test_names_are_expanded_where_the_lesson_first_says_them(xor):
    for name, expanded in NAMES.items():
        first = next(text for n in range(1, 6) if name in (text := said(xor[0], n)))
        assert first.index(expanded) == first.index(name)


@pytest.mark.parametrize(("n", "column"), [(2, "bnm5"), (3, "bnm"), (4, "csn")])
def test_the_lesson_draws_the_distances_of_the_line_that_it_speaks_of(xor, n, column):
    scene, table, _ = xor
    shown = scene.at(n)
    assert shown.splits.pick == int(np.argmax(table.scores(column)))
    at = split_scene(node_view(Work(shown), "light"))
    measured = table.columns[column][shown.splits.pick]
    assert getattr(at.geometry(at.highlighted), column) == pytest.approx(measured)
    roles = {"bnm": {"margin", "nearest"}, "csn": {"spread", "between"}}
    assert roles[shown.splits.distances] <= lab_figure(at).roles


# ---------------------------------------------------------------- the strip


def test_the_strip_leads_through_a_scene_and_to_the_next():
    link = dict(scene_named("xor").query)
    assert link.pop("ask")  # the question that comes first was answered
    app = opened("splits", **link)
    assert "Step 1 of 5" in html(app)
    assert "Two classes, four clouds, crosswise." in html(app)
    app = checked(app.button(key="course_next").click().run())
    assert "Step 2 of 5" in html(app)
    assert app.query_params["scene"] == "xor.2"
    assert not any(button.key == "course_restore" for button in app.button)
    back = checked(app.button(key="course_back").click().run())
    assert "Step 1 of 5" in html(back)
    assert "Two classes" not in html(back)
    app = checked(opened("splits", **link).button(key="course_close").click().run())
    assert "Step 1 of" not in html(app)
    assert "scene" not in app.query_params


def test_who_changes_the_picture_is_led_back():
    app = opened("boundaries", **scene_named("oblique").query)
    app = checked(app.sidebar.selectbox(key="data").set_value("moons").run())
    assert any("now shows something else" in str(each.value) for each in app.caption)
    app = checked(app.button(key="course_restore").click().run())
    assert app.session_state["selection"].data == "diagonal"
    assert not any("shows something else" in str(each.value) for each in app.caption)


def test_the_strip_waits_for_numbers_that_the_page_does_not_need(monkeypatch):
    selection = SCENES[0].at(1)
    job, awaited = Work(selection.change(seed=977)).first.begin(), []

    def worked_out(*_):
        raise Working(job)

    monkeypatch.setattr("lastviz.ui.shared.course_strip.facts_of", worked_out)
    monkeypatch.setattr("lastviz.ui.shared.course_strip.wait_for", awaited.append)
    app = opened(SCENES[0].steps[0].page, **SCENES[0].query)
    assert "The numbers of this step are being computed." in html(app)
    assert awaited == [job]


def test_a_step_that_is_not_there_is_said():
    app = seen("boundaries", data="xor", scene="nothing.1")
    assert any("has no step 1 of" in str(each.value) for each in app.caption)
    app = seen("boundaries", data="xor", scene="xor.9")
    assert any("has no step 9 of" in str(each.value) for each in app.caption)


def test_a_lesson_about_one_tree_keeps_data_and_algorithm_to_its_end():
    lesson = next(scene for scene in SCENES if scene.key == "overfitting")
    found = {(s.data, s.params, s.models[0].key) for s in map(lesson.at, range(1, 5))}
    assert len(found) == 1


def test_the_stage_counts_the_steps_of_the_lesson_at_hand():
    lesson = SCENES[1]
    app = opened(lesson.page, **lesson.query)
    app = checked(app.button(key="stage_enter").click().run())
    assert f"Step 1 of {len(lesson.steps)}" in html(app)
    assert f"of {sum(len(scene.steps) for scene in SCENES)}" not in html(app)


@pytest.mark.parametrize("key", ["xor", "what_if", "xor_oblique", "oblique"])
def test_a_card_says_which_data_its_leaves_are_of_and_how_good_both_models_are(key):
    lesson = scene_named(key)
    chosen, line = lesson.selection(), fill_text(lesson.line, lesson.selection())
    if chosen.data == "xor":
        usual = {param.name: param.default for param in DATASETS["xor"].PARAMS}
        n, noise = (
            len(Work(chosen).first.division.train_rows),
            (usual | dict(chosen.params))["noise"],
        )
        assert line.startswith(f"XOR, {n} rows, noise {noise}")
    for place in range(2 if "oblique" in key else 0):
        divided, model = (Work(chosen).models[place].division, Work(chosen).models[place].estimator)
        rows = divided.held_out_rows
        right = np.mean(model.tree_.predict(divided.values[rows]) == divided.y[rows])
        assert f"{100 * right:.1f} %" in line


# ---------------------------------------------------------------- what greed cost


def fewest_with_one_split(X, y):
    """Return the fewest errors of a leaf or one threshold, all of them counted."""
    fewest = [len(y) - np.bincount(y).max()]
    for column in X.T:
        order = np.argsort(column, kind="stable")
        left = np.cumsum(np.eye(y.max() + 1, dtype=int)[y[order]], axis=0)[:-1]
        right = np.bincount(y) - left
        between = np.diff(column[order]) > 0
        fewest += (len(y) - left.max(axis=1) - right.max(axis=1))[between].tolist()
    return min(fewest)


def fewest_with_two_levels(X, y):
    """Return the fewest errors of a tree of depth two, every root tried."""
    fewest = [fewest_with_one_split(X, y)]
    for column in X.T:
        for value in np.unique(column)[:-1]:
            first = column <= value
            fewest.append(sum(fewest_with_one_split(X[s], y[s]) for s in (first, ~first)))
    return min(fewest)


def test_what_greed_cost_is_that_of_all_trees_tried():
    scene = scene_named("greed_cost")
    divided = Work(scene.at(1)).first.division
    fewest = fewest_with_two_levels(divided.values, divided.y)
    assert said(scene, 1).endswith(f"(right) makes {fewest}.")
    selection = scene.at(2)
    divided, root = Work(selection).first.division, Work(selection).first.node(0).stored_split
    first = divided.values[:, root.feature] <= root.threshold
    X, y = divided.values, divided.y
    below = sum(fewest_with_two_levels(X[side], y[side]) for side in (first, ~first))
    assert f"as well as possible: {below}. Choose" in said(scene, 2)
