"""How stable a tree is, on the page *boundaries*: numbers of the engine, stage by stage."""

import re
import time

import numpy as np
import pytest

from lastviz import CARTClassifier
from lastviz.datasets import load_dataset
from lastviz.host import jobs
from lastviz.inspection import resampled_rows, stability
from lastviz.ui.compute import resampling

from .conftest import checked, html, opened, rerun_until
from .opened_pages import pictures, seen


def strips(app):
    """The headline numbers of each panel of refits as {label: value}."""
    found = []
    for strip in re.findall(r'<div class="lv-strip">(.*?)</div></div>', html(app), re.S):
        cells = re.findall(r"<b>([^<]*).*?<span>([^<]*)</span>", strip + "</div>")
        named = {label: value for value, label in cells}
        if "refits" in named:
            found.append(named)
    return found


def words(app):
    return " ".join(m.value for m in [*app.markdown, *app.caption, *app.info])


def test_it_is_off_by_default():
    assert strips(seen("boundaries", data="iris")) == []


def test_it_is_chosen_among_what_is_told_of_the_pictures():
    app = opened("boundaries", data="iris", m="cart")
    checked(app.button_group(key="detail").set_value("stable").run())
    assert app.query_params["detail"] in ("stable", ["stable"])
    said = [chart["alt"] for chart in pictures(app).values()]
    assert any("The class that most of 100 trees predict" in alt for alt in said)


def test_the_numbers_are_those_of_the_engine():
    app = seen("boundaries", data="iris", m="cart", held=0, detail="stable")
    data = load_dataset("iris")
    X, y = data.X.to_numpy(), data.codes
    found = list(stability(CARTClassifier().fit(X, y), X, y, random_state=1))[-1]
    assert strips(app) == [
        {
            "agreement of two refits": f"{100 * found.agreement:.1f}",
            "error out of bag": f"{100 * found.error:.1f}",
            "leaves": f"{found.n_leaves.min()}–{found.n_leaves.max()}",
            "refits": "100",
        }
    ]
    roots = next(t.value for t in app.dataframe if "root splits" in t.value.columns)
    names = list(data.X.columns)
    shares = {names[f]: 100 * share for f, share in found.features_of(0).items()}
    told = dict(zip(roots["root splits"], roots["refits, %"], strict=True))
    assert told == pytest.approx(shares, abs=0.06)
    low, middle, high = np.quantile(found.thresholds_of(0, 2), [0.05, 0.5, 0.95])
    petal = roots[roots["root splits"] == "petal length"].iloc[0]
    assert [petal["threshold, 5 %"], petal["median"], petal["95 %"]] == pytest.approx(
        [low, middle, high], rel=1e-3
    )
    rare = int(np.count_nonzero(found.found < 0.5))
    assert any(f"; {rare} of its" in chart["alt"] for chart in pictures(app).values())


CASES = [
    {"data": "loan", "m": "id3", "m2": "c45", "held": 0},
    {"data": "moons", "m": "svm_tree", "m2": "gsodt", "n_samples": 80},
    {"data": "wine", "m": "c45", "m2": "cart", "depth": 2},
    {"data": "xor", "m": "oc1", "m.n_restarts": 1, "m2": "hybrid", "n_samples": 60},
    {"data": "five_rows", "m": "cart", "m2": "c45", "held": 0},
    {"data": "digits", "m": "cart", "m.max_depth": 3},
]


@pytest.mark.parametrize("query", CASES, ids=lambda query: f"{query['data']} {query['m']}")
def test_any_tree_is_grown_again(query, monkeypatch):
    monkeypatch.setattr(resampling, "MANY", 10)
    app = opened("boundaries", **query, detail="stable")
    found = strips(app)
    assert len(found) == sum(name in query for name in ("m", "m2"))
    for each in found:
        assert 0 <= float(each["agreement of two refits"]) <= 100
        assert each["refits"] in ("10", "20")


def test_of_forests_it_says_why_not():
    app = seen("boundaries", data="monotone", m="adaboost_m1", m2="cart", detail="stable")
    assert len(strips(app)) == 1
    assert words(app).count("Stability is shown for single trees") == 1
    app = seen("boundaries", data="monotone", m="adaboost_m1", tree=1, detail="stable")
    assert strips(app) == []
    assert "Stability is shown for single trees" in words(app)


def test_a_long_search_is_refitted_a_few_times(monkeypatch):
    monkeypatch.setattr(resampling, "LONG_SEARCH", 50)
    query = {"data": "moons", "m": "oc1", "m.n_restarts": 1, "n_samples": 100}
    app = opened("boundaries", **query, detail="stable")
    assert strips(app)[0]["refits"] == "20"


def test_pictures_come_while_refits_go_on_and_cancelling_keeps_them(monkeypatch):
    real = resampling.stability_in_steps

    def slow(*args, **kwargs):
        for found in real(*args, **kwargs):
            if found is not None and found.n_refits == 7:
                while True:
                    time.sleep(0.02)
                    yield None
            yield found

    monkeypatch.setattr(resampling, "stability_in_steps", slow)
    monkeypatch.setattr(jobs, "PATIENCE", 1.0)
    app = opened("boundaries", data="iris", m="cart", held=0.2, seed=77, detail="stable")
    rerun_until(app, strips)
    assert strips(app)[0]["refits"] == "5"
    assert any(b.label == "Cancel" for b in app.button)
    next(b for b in app.button if b.label == "Cancel").click().run()
    assert not app.exception
    assert "was cancelled" in words(app)
    assert strips(app)[0]["refits"] == "5"


def test_of_a_tree_changed_by_hand_the_refits_are_not(monkeypatch):
    monkeypatch.setattr(resampling, "MANY", 10)
    query = {"data": "iris", "m": "cart", "held": 0, "e": "T3_4.75", "detail": "stable"}
    app = opened("boundaries", **query)
    assert "are not made in the refits" in words(app)
    roots = next(t.value for t in app.dataframe if "root splits" in t.value.columns)
    assert (roots["median"] < 4.75).all()


def test_draws_that_miss_a_class_are_counted_and_named(tmp_path, monkeypatch):
    rows = "".join(f"{i},{(i * 7) % 13},{'u' if i < 20 else 'v'}\n" for i in range(40))
    (tmp_path / "rare.csv").write_text(f"a,b,kind\n{rows}99,99,w\n", encoding="utf-8")
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    app = seen("boundaries", data="folder.rare", m="cart", held=0, detail="stable")
    missed = sum(40 not in resampled_rows(41, n, 1) for n in range(100))
    assert missed > 20
    said = words(app).replace("\\", "")
    assert f"Of 100 refits {missed} drew no row of w: such a refit can only" in said
    assert "drew no row" not in words(seen("boundaries", data="iris", held=0, detail="stable"))
