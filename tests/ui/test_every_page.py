"""Every page with every algorithm on every kind of data: what holds of each, asked of one run.

A page is opened once and asked all questions; what a question finds wrong stands under its name.
About a hundred pages are asked always: each page meets each kind of data, each algorithm half of
them. ``.ci/run`` asks as many again, in which all pairs of these meet, ``make test-all`` the whole.
"""

import itertools
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

from lastviz.datasets.labels import Labels, checked_labels
from lastviz.estimators import ESTIMATORS, ForestClassifier
from lastviz.ui.compute.work import Work
from lastviz.ui.frame import PAGES
from lastviz.ui.shared.headline import FEW
from lastviz.ui.state import session
from lastviz.ui.state.edit_codes import pack_labels
from lastviz.ui.text import CannotShow, percent
from tests.credit import write_credit

from .conftest import WAS_SEEN, checked, html, opened, with_tables
from .opened_pages import pictures, seen, sent_to, told, words
from .sent_texts import texts_sent
from .test_lacks import LIMITS, write_lacks
from .test_painting import TEXT as PAINTED

DATA = {
    "moons": {"data": "moons", "n_samples": 150},
    "iris": {"data": "iris"},
    "digits": {"data": "digits", "held": 0.8},
    "waveform": {"data": "waveform", "n_samples": 150},
    "loan": {"data": "loan"},
    "credit": {"data": "folder.credit"},
    "monotone": {"data": "monotone", "n_samples": 150},
    "regression": {"data": "friedman", "n_samples": 120},
}
WITH_MODELS = ("data", "boundaries", "growth", "splits", "latent", "rules", "pruning", "monotone")
WHOLE = list(itertools.product(WITH_MODELS, ESTIMATORS, DATA))
SAMPLE = [
    (WITH_MODELS[(i + j) % len(WITH_MODELS)], key, data)
    for (i, key), (j, data) in itertools.product(enumerate(ESTIMATORS), enumerate(DATA))
]
# Of two algorithms that meet a page with the same data, one and the other in turn.
FIRST = {(page, data): (page, key, data) for page, key, data in SAMPLE[:64]} | {
    (page, data): (page, key, data) for page, key, data in SAMPLE[64:] if [*DATA].index(data) % 2
}

HOSTILE = "<script>alert(1)</script> <b>$\\alpha$</b> [x](javascript:1) %{y} {0}"
ODD_NAMES = ["num__age", "age_", "__x__", "a_b"]
ODD = checked_labels(
    Labels(
        names={"duration": HOSTILE[:80], "amount": "Amount <i>x</i>", "risk": "$x^2$ *risk*"},
        units={"duration": "<b>months</b>"},
        values={"status": {"A11": "<img src=x onerror=alert(1)>"},
                "risk": {"bad": "<b>bad</b> $x$", "good": "*good*"}},
    )
)  # fmt: skip
TAGS = ("<script>alert", "<img src=x", "<b>bad</b>", "<i>x</i>", "<b>months</b>")


def write_odd(folder):
    """Write columns with any number of underscores, and some whose labels are markup."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(120, 4)), columns=ODD_NAMES)
    table["duration"], table["amount"] = rng.integers(1, 60, 120), rng.integers(100, 9000, 120)
    table["status"] = rng.choice(["A11", "A12", "A13"], 120)
    score = table[ODD_NAMES].sum(axis=1) + table.duration / 20 + (table.status == "A11")
    table["risk"] = np.where(score > score.median(), "bad", "good")
    table.to_csv(folder / "odd.csv", index=False)


folder = with_tables(write_credit, write_lacks, write_odd)


ODD_SCENE = {"data": "folder.odd", "target": "risk", "labels": pack_labels(ODD), "m": "cart"}
LACKS = {"data": "folder.lacks", "m": "cart", "held": 0}
WEIGHED = {"data": "moons", "m2": "gsodt", "class_weight": "5_1"}
SPACES = ("notice", "best", "spaces", "labels", "numbers", "formula")
SHOWN_OF_NODES = ("boundaries", "growth", "splits", "rules")
SCENES = [
    *((page, {**DATA[data], "m": key}) for page, key, data in FIRST.values()),
    *((page, {}) for page in sorted(set(PAGES) - set(WITH_MODELS))),
    *((page, ODD_SCENE) for page in WITH_MODELS),
    *(("latent", ODD_SCENE | {"m": "gsodt", "space": space}) for space in SPACES),
    *((page, LACKS | {"rule_view": "rules"}) for page in SHOWN_OF_NODES),
    *((page, LACKS | LIMITS) for page in SHOWN_OF_NODES),
    *((page, {"data": "iris", "m": "cart"} | LIMITS) for page in SHOWN_OF_NODES),
    *((page, {"data": "painted", "painted": PAINTED, "held": 0,
              "m": ("cart", "gsodt", "mcdf")[i % 3]})
      for i, page in enumerate((*WITH_MODELS, "home"))),
    *((page, WEIGHED | {"m": "gsodt" if page == "latent" else "cart"})
      for page in ("boundaries", "rules", "growth", "splits", "pruning", "latent")),
]  # fmt: skip
OTHERS = [
    *((page, {**DATA[data], "m": key}) for page, key, data in SAMPLE if (page, data) in FIRST
      and FIRST[page, data] != (page, key, data)),
    *((page, {"data": "painted", "painted": PAINTED, "held": 0, "m": key})
      for page in (*WITH_MODELS, "home") for key in ("cart", "gsodt", "mcdf")),
]  # fmt: skip

# What no sentence for readers contains: programs speak so.
FOREIGN = re.compile(
    r"np\.|\bnan\b|\bNaN\b|\bNone\b|Traceback|\w+Error\b|array\(|<class|went wrong|out of bounds"
)
DIGITS = re.compile(r"\b\d+\.\d{9,}")  # more than anybody asked for, but where it says "exact"
GAP = re.compile(r"\{[a-z_]+\}")  # of a template that nobody filled in; formulas have braces, too
NUMBER = r"−?\d+(?:,\d{3})*(?:\.\d+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
INTERVAL = re.compile(rf"({NUMBER}) < [^<≤]{{1,40}} ≤ ({NUMBER})")


def sentences(app):
    """All that the page says in words: html without its tags, captions, boxes, formulas."""
    found = []
    for kind in ("html", "markdown", "caption", "info", "warning", "success", "latex", "title"):
        for element in app.get(kind):
            text = str(getattr(element, "body", "") or getattr(element, "value", ""))
            if not text.lstrip().startswith(("<style>", "<script>")):
                found.append(re.sub(r"<[^>]+>", " ", text))
    return found


# Each question: what of a page is not as it should be.


def words_of_programs(app):
    """Sentences that speak as programs do, or that have a gap."""
    plain = [re.sub(r"\$[^$]+\$", "", said.replace("$$", "$")) for said in sentences(app)]
    labels = app.session_state["selection"].labels
    return [s for s in plain if FOREIGN.search(s) or (GAP.search(s) and not labels)]


def too_many_digits(app):
    """Numbers with more digits than anybody asked for."""
    if app.session_state["selection"].latent.space == "numbers":
        return []  # the formula, to be worked out by whoever copies it
    plain = [re.sub(r"\$[^$]+\$", "", said.replace("$$", "$")) for said in sentences(app)]
    return [said for said in plain if DIGITS.search(said) and "exact" not in said]


def wrong_accuracy(app):
    """The accuracy in the headline, unless it is the model's on the rows that it names."""
    selection, said = app.session_state["selection"], sentences(app)
    strip = next((s for s in said if "accuracy, held out" in s), None)
    example = any(each.startswith("What this page shows, by an example") for each in said)
    if strip is None or example:
        return []
    try:
        estimator = Work(selection).first.fitted_any.estimator
    except CannotShow:
        return []  # the page says why
    if isinstance(estimator, ForestClassifier):
        return []
    divided = Work(selection).first.division
    rows = divided.held_out_rows
    right = int((estimator.predict(divided.X.iloc[rows]) == divided.y[rows]).sum())
    told = percent(right / len(rows)) if len(rows) >= FEW else f"{right} of {len(rows)}"
    return [] if told in " ".join(" ".join(said).split()) else [f"{told} is not in: {strip}"]


def names_of_the_code(app):
    """Choices that are called as in the code, but for what the data call so."""
    data = Work(app.session_state["selection"]).dataset
    own = {*map(str, data.feature_names), str(data.y.name)}
    return [
        f"{box.label}: {option}"
        for box in (*app.selectbox, *app.multiselect, *app.select_slider)
        for option in map(str, box.options)
        if "_" in re.sub("|".join(map(re.escape, own)), "", option)
    ]


def infinities(app):
    """Tests of infinity, which stand in a tree that asks whether a value is missing."""
    tables = [frame.value.astype(str) for frame in app.dataframe]
    found = [str(table) for table in tables if table.isin(["inf"]).any().any()]
    parts = [told(app), *sent_to(app, "filtered_table").values()]
    return found + [part for part in parts if re.search(r"[≤>] (inf|∞)|Infinity", part)]


def empty_intervals(app):
    """Intervals whose ends read alike."""
    texts = (unescape(re.sub(r"<[^>]*>", " ", text)) for _, text in texts_sent(app))
    return [text for text in texts if any(low == high for low, high in INTERVAL.findall(text))]


def live_markup(app):
    """Labels of the data that the browser would take for tags."""
    if not app.session_state["selection"].labels:
        return []
    parts = [html(app), *(each.value for each in app.markdown)]
    found = [tag for tag in TAGS if any(tag in part for part in parts)]
    for chart in (*app.get("plotly_chart"), *app.get("bidi_component")):
        found += ["<script>alert"] * ("<script>alert" in str(chart.proto))
    # On the others names come with the figures, or there is none.
    if app.session_state[session.NAME] in ("data", "boundaries", "splits", "rules", "pruning"):
        found += [] if "&lt;b&gt;bad&lt;/b&gt;" in html(app) else ["the label of a class is lost"]
    return found


def silent_pictures(app):
    """Pictures that say nothing to those who do not see them."""
    charts = {key: picture["alt"] for key, picture in pictures(app).items()}
    images = {tag: "alt=" in tag for tag in re.findall(r"<img[^>]*>", html(app))}
    return [name for name, alt in (charts | images).items() if not alt]


def not_one_title(app):
    return [] if len(app.title) == 1 else [title.value for title in app.title] or ["no title"]


def unsaid_weights(app):
    """What weights of rows mean for the models of a page."""
    if not app.session_state["selection"].class_weight:
        return []
    takes_none = app.session_state["selection"].models[0].key == "gsodt"
    sentence = "No weights for GSODT" if takes_none else "weights for CART"
    return [] if sentence in words(app) else [sentence]


def lost_names(app):
    """A name of odd underscores that stands nowhere among the pairs of features."""
    selection = app.session_state["selection"]
    if not selection.labels or selection.latent.space != "best" or "lv-card" not in html(app):
        return []
    shown = str([frame.value for frame in app.dataframe]) + html(app)
    return [] if any(name in shown for name in ODD_NAMES) else list(ODD_NAMES)


def classes_without_numbers(app):
    """A page about classes says so, and nothing else, of data whose target is a number."""
    selection, page = app.session_state["selection"], app.session_state[session.NAME]
    if selection.data != "friedman" or page in ("data", "boundaries"):
        return []
    said = [info.value[:28] for info in app.info] + [app.selectbox(key="data").value]
    return [] if said == ["This page is about classes, ", "friedman"] else said


QUESTIONS = (
    words_of_programs, too_many_digits, wrong_accuracy, names_of_the_code, infinities,
    empty_intervals, live_markup, silent_pictures, not_one_title, unsaid_weights,
    lost_names, classes_without_numbers,
)  # fmt: skip


def answers(page, query):
    """What each question finds wrong with a page."""
    app = seen(page, **query)
    return {question.__name__: found for question in QUESTIONS if (found := question(app))}


def scene_name(scene):
    page, query = scene
    parts = [str(query.get(name, "")) for name in ("data", "m", "space")]
    return "-".join(
        [page, *filter(None, parts), *(["limits"] if "m.max_features" in query else [])]
    )


REST = [(page, {**DATA[data], "m": key}) for page, key, data in sorted(set(WHOLE) - set(SAMPLE))]


@pytest.mark.every
@pytest.mark.parametrize("scene", [
    *SCENES,
    *(pytest.param(scene, marks=pytest.mark.ci) for scene in OTHERS),
    *(pytest.param(scene, marks=pytest.mark.slow) for scene in REST),
], ids=scene_name)  # fmt: skip
def test_a_page_answers_all_questions(scene):
    assert answers(*scene) == {}


def test_the_sample_covers_all_pairs():
    for i, j in itertools.combinations(range(3), 2):
        assert {(c[i], c[j]) for c in SAMPLE} == {(c[i], c[j]) for c in WHOLE}
    assert {(page, data) for page, _, data in FIRST.values()} == set(
        itertools.product(WITH_MODELS, DATA)
    )
    assert {key for _, key, _ in FIRST.values()} == set(ESTIMATORS)


UNSEEN = list(dict(SCENES).items())  # of each page the last


@pytest.mark.parametrize(("page", "query"), UNSEEN, ids=[page for page, _ in UNSEEN])
def test_parts_that_nobody_sees_wait_behind_a_button_and_come_as_they_are(page, query, monkeypatch):
    whole = set(sentences(seen(page, **query)))
    monkeypatch.setattr(session, "was_seen", WAS_SEEN)
    app = opened(page, **query)
    buttons = [button for button in app.button if button.key.startswith("see_")]
    assert set(sentences(app)) < whole or not buttons
    for button in buttons:
        checked(app.button(key=button.key).click().run())
    assert set(sentences(app)) == whole
    assert set(sentences(checked(app.run()))) == whole
