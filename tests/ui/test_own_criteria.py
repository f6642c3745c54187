"""Criteria on the page *splits*: every card, rules that grow, modules of the reader's own."""

import re
import sys
import threading
from functools import partial
from html import unescape

import numpy as np
import pytest

import lastviz
from lastviz._plugins import VARIABLE, load_plugins
from lastviz.criteria import CRITERIA
from lastviz.criteria.expression import tex_number
from lastviz.datasets import load_dataset
from lastviz.host import jobs
from lastviz.host.memory import MEMORY, Memory
from lastviz.inspection import candidate_table, card_candidate, split_geometry
from lastviz.ui import frame
from lastviz.ui.compute import scenes
from lastviz.ui.shared.figures import column_title
from lastviz.ui.state.fields import OwnRule
from lastviz.ui.state.lessons import grown_by
from lastviz.ui.state.session import model_params
from tests.latex_numbers import worked_out

from .conftest import checked, html, opened
from .opened_pages import words

XOR = {"data": "xor", "noise": 0.14, "n_samples": 200, "held": 0, "seed": 2}
DKM = """
import numpy as np
from lastviz import register_criterion
from lastviz.criteria import impurity_decrease


def impurity(counts):
    p = counts / counts.sum(axis=-1, keepdims=True)
    return np.sqrt(p * (1 - p)).sum(axis=-1)


register_criterion(
    "dkm", lambda left, right: impurity_decrease(left, right, impurity), title="DKM"
)
"""


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """The app with a module of the reader's own; what it registers is gone after the test."""

    def named(*modules):
        monkeypatch.syspath_prepend(tmp_path)
        (tmp_path / "own_dkm_module.py").write_text(DKM)
        (tmp_path / "own_broken_module.py").write_text("raise RuntimeError('broken')")
        monkeypatch.setenv(VARIABLE, ", ".join(modules))
        load_plugins.cache_clear()
        load_plugins()

    yield named
    load_plugins.cache_clear()
    if "dkm" in CRITERIA:
        lastviz.unregister_criterion("dkm")
    sys.modules.pop("own_dkm_module", None)


@pytest.fixture
def wrong(monkeypatch):
    """A criterion that answers with this function."""
    monkeypatch.setattr(scenes, "SCENES", scenes.Scenes(Memory(2**30)))
    keys = []

    def register(score):
        keys.append(f"wrong{len(keys)}")
        lastviz.register_criterion(keys[-1], score, title="Wrong", formula="x")

    yield register
    for key in keys:
        lastviz.unregister_criterion(key)
        MEMORY.forget_all_about(key)  # another test's of this name says something else


def formulas(app):
    return [element.value.strip().strip("$").strip() for element in app.latex]


@pytest.mark.ci
@pytest.mark.parametrize("model", [
    {"m": "hybrid"},
    {"m": "hybrid", "m.bnm_root": "true", "m.penalty": "none", "m.ecoc": "one_vs_one"},
    {"m": "hybrid", "m.penalty": "exact", "m.segments": "minimum"},
    {"m": "cart", "m.criterion": "twoing"},
    {"m": "c45", "m.criterion": "chi2"},
], ids=str)  # fmt: skip
def test_every_criterion_has_its_card_and_it_comes_to_its_score(model):
    app = opened("splits", **XOR, **model, pick=31, lab="formulas", criteria="all")
    dataset = load_dataset("xor", noise=0.14, n_samples=200, random_state=2)
    X, y, rows = dataset.numeric_X.to_numpy(), dataset.codes, np.arange(200)
    options = {"penalty": "approximate", "bnm_root": "false", "ecoc": "one_vs_rest"}
    options |= {k[2:]: v for k, v in model.items() if k[2:] in options}
    options["bnm_root"] = options["bnm_root"] == "true"
    along = model.get("m.segments", "split_feature")
    table = candidate_table(X, y, rows, 2, **options, segments=along)
    where = int(table.feature[30]), float(table.threshold[30])
    geometry = split_geometry(X, y, rows, *where, **options)
    of_card = {name: options[name] for name in ("penalty", "bnm_root")}
    here = card_candidate(table, 30, geometry=geometry, **of_card)
    shown = formulas(app)
    titles = [m.value for m in app.markdown]
    for name, criterion in CRITERIA.items():
        if criterion.ordered_classes:
            continue
        score = float(table.columns[name][30])
        assert any(value.startswith(f"**{criterion.title}** ·") for value in titles), name
        latex = criterion.card(here).latex(score)
        assert latex in shown, name
        assert worked_out(latex)[1] == tex_number(score)


@pytest.mark.parametrize("criterion", ["chi2", "g_statistic", "gain", "gain_ratio"])
def test_the_card_beside_the_picture_is_the_one_that_decides(criterion):
    app = opened("splits", data="wine", m="c45", **{"m.criterion": criterion}, lab="ranking")
    assert CRITERIA[criterion].formula in formulas(app)


def test_short_titles_are_those_of_the_rows():
    assert column_title("gain_ratio_entropy") == CRITERIA["gain_ratio_entropy"].short
    with pytest.raises(KeyError):
        column_title("beauty")


def test_a_module_of_ones_own_adds_a_criterion_to_the_app(plugin):
    plugin("own_dkm_module", "own_broken_module", "no_such_module")
    app = opened("splits", **XOR, m="cart", lab="formulas", curves="dkm", **{"m.criterion": "dkm"})
    text = words(app)
    assert "DKM, rank 1 of" in re.sub(r"\s+", " ", text)
    assert "own_broken_module" in text
    assert "no_such_module" in text
    assert "own_dkm_module" not in text
    assert any(value.startswith("**DKM** ·") for value in (m.value for m in app.markdown))
    table_score = next(f for f in formulas(app) if f.startswith(r"\mathrm{score}"))
    assert r"\mid" in table_score


WRONG = {
    "wrong shape": lambda a, b: np.zeros(3),
    "no numbers": lambda a, b: ["x"] * len(a),
    "NaN": lambda a, b: np.full(len(a), np.nan),
    "+inf": lambda a, b: np.full(len(a), np.inf),
    "an error": lambda a, b: a @ b,
}


@pytest.mark.parametrize("lab", ["ranking", "formulas", "agreement", "landscape"])
def test_a_criterion_that_fails_takes_down_nothing_else(wrong, lab):
    for score in WRONG.values():
        wrong(score)
    app = opened("splits", **XOR, m="cart", lab=lab, curves="gini.wrong0", criteria="all")
    assert not app.error
    rows = re.findall(r"<tr>(?:(?!</tr>).)*colspan(?:(?!</tr>).)*</tr>", html(app))
    assert len(rows) == len(WRONG)
    for place, row in enumerate(rows):
        assert f"criterion 'wrong{place}' " in unescape(row)
    if lab == "formulas":
        reasons = [element.value for element in app.info]
        said = (
            "must return one number",
            "must return numbers",
            "returned NaN",
            "returned +inf",
            "failed with",
        )
        assert len(reasons) == len(said)
        for place, words in enumerate(said):
            assert any(f"'wrong{place}' {words}" in reason for reason in reasons)
        assert CRITERIA["gini"].formula in formulas(app)


def _loops(left, right):
    while True:
        pass


def _ends_the_interpreter(left, right):
    sys.exit("that was it")


class _PastAllHandlers(BaseException):
    pass


def _raises(kind):
    def score(left, right):
        raise kind

    return score


STOPPED = {
    _loops: "took longer than 0.2 seconds",
    _ends_the_interpreter: "failed with SystemExit",
    _raises(KeyboardInterrupt): "failed with KeyboardInterrupt",
    _raises(_PastAllHandlers): "failed with _PastAllHandlers",
}


@pytest.fixture
def callers(monkeypatch):
    """Threads in which criteria are asked that have 0.2 seconds to answer."""
    monkeypatch.setattr("lastviz.criteria.registration._most_seconds", [0.2])
    monkeypatch.setattr(frame, "MOST_SECONDS", 0.2)  # the first page of the process sets it
    return set()


def stops_nobody(scores, wrong, callers, **chosen):
    """Show a page whose criteria do not come back; each ends in a sentence of its own."""

    def counted(score, left, right):
        callers.add(threading.current_thread().name)
        return score(left, right)

    for score in scores:
        wrong(partial(counted, score))
    app = opened("splits", **XOR, m="cart", **chosen)
    shown = " ".join([unescape(html(app)), *(info.value for info in app.info)])
    for place, score in enumerate(scores):
        assert f"criterion 'wrong{place}' {STOPPED[score]}" in shown
    assert not app.error
    assert not jobs.JOBS.counts()["working"]
    if _loops in scores:
        assert {name.partition(" ")[0] for name in callers} == {"job"}


def test_criteria_that_do_not_come_back_end_in_sentences_and_stop_nobody(wrong, callers):
    stops_nobody(list(STOPPED), wrong, callers)


@pytest.mark.parametrize("score", STOPPED)
def test_a_chosen_criterion_that_does_not_come_back_stops_nobody(wrong, callers, score):
    stops_nobody([score], wrong, callers, **{"m.criterion": "wrong0"})


def test_a_tree_that_grows_by_a_criterion_that_fails_says_why(wrong):
    wrong(WRONG["an error"])
    app = opened("splits", **XOR, m="cart", **{"m.criterion": "wrong0"})
    assert any("criterion 'wrong0' failed with ValueError" in info.value for info in app.info)


@pytest.mark.parametrize("query", [
    {"m": "cart", "m.criterion": "dkm"}, {"curves": "gini.dkm"}, {"rule": "dkm,3,csn"},
    {"m": "hybrid", "m.criterion": "rule", "m.last": "dkm"},
])  # fmt: skip
def test_a_link_to_an_absent_criterion_says_so(query):
    app = opened("splits", **XOR, **query)
    text = words(app)
    assert "asks for the criterion “dkm”, which is not here" in text
    assert "LASTVIZ_PLUGINS" in text


def test_a_rule_of_ones_own_is_grown_and_is_in_the_link():
    app = opened("splits", **XOR, m="cart", m2="c45", rule="gini+0.1*bnm,7,csn")
    checked(app.button(key="grow_rule").click().run())
    model = grown_by(OwnRule.parse("gini+0.1*bnm,7,csn"))
    models = app.session_state["selection"].models
    assert [m.key for m in models] == ["hybrid", "cart", "c45"]
    assert models[0].params == model.params
    assert app.query_params["m.criterion"] == "rule"
    text = words(app)
    assert re.search(r"\d+ → 7", text)
    assert "chosen split of node 0" in text


@pytest.mark.parametrize("rule", ["gini", "csn,3,gini", "gini+0.1*bnm", "chi2+250*segments,9,bnm"])
def test_what_is_grown_by_a_rule_takes_what_the_rule_takes(rule):
    own = OwnRule.parse(rule)
    model = grown_by(own)
    declared = {param.name: param for param in model_params(model.key)}
    assert all(declared[name].check(value) == value for name, value in model.params)
    dataset = load_dataset("xor", noise=0.14, n_samples=200, random_state=2)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    tree = lastviz.HybridTreeClassifier(**dict(model.params), max_depth=1).fit(X, y).tree_
    table = candidate_table(X, y, np.arange(200), 2)
    winner = int(own.rule.apply(table.feature, table.columns)[-1][0])
    assert (tree.feature[0], tree.threshold[0]) == (table.feature[winner], table.threshold[winner])


def test_a_rule_over_ordered_classes_says_why_no_tree_grows():
    app = opened("splits", data="monotone", m="cart", rule="rmi,3,gini")
    assert not [b for b in app.button if b.key == "grow_rule"]
    assert any("needs the direction of each feature" in c.value for c in app.caption)
