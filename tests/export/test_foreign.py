"""Models of other libraries: read without them, they predict what the libraries do, or are refused.

The files and predictions are those of the libraries, see fixtures/foreign; PMML by hand is asked by
a slow walk that follows the specification word for word.
"""

import random
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from lastviz import C45Classifier, CARTClassifier, CARTRegressor, OC1Classifier
from lastviz.datasets import load_dataset
from lastviz.export import as_pmml, model_from_file
from lastviz.tree import Missing
from tests.fixtures.foreign.rows import drawn

FOLDER = Path(__file__).parents[1] / "fixtures" / "foreign"
MODELS = ("xgboost_two", "lightgbm_two", "catboost_two", "pmml_tree", "rpart_three")
PREDICTED = np.load(FOLDER / "predicted.npz")
ROWS = drawn(1, 1000)[0]
WHOLE = drawn(1, 1000, missing=False)[0]


@cache
def content(name, folder=FOLDER):
    """Text of a fixture."""
    found = next(path for path in folder.glob(f"{name}.*") if path.suffix != ".csv")
    return found.read_text(encoding="utf-8")


def asked(name, model):
    """Return the rows that the library was asked about, as the model reads them."""
    X = WHOLE if name.startswith("rpart") else ROWS
    X = X[list(model.feature_names_in_)]
    if name.startswith("pmml"):
        X = X.fillna(0.0)
    if name.startswith(("catboost", "rpart")):
        X = X.assign(**{c: X[c].astype(str) for c in X if c in ("size", "colour")})
    return X


@pytest.mark.parametrize("name", sorted(PREDICTED))
def test_a_model_says_what_its_library_says_of_a_thousand_rows(name):
    model = model_from_file(content(name))
    compare(name, model, asked(name, model), PREDICTED[name])


@pytest.mark.slow
def test_models_that_the_libraries_write_now_say_what_these_say(tmp_path):
    for library in ("xgboost", "lightgbm", "catboost", "sklearn"):
        pytest.importorskip(library, reason=f"{library} cannot be had here, see make test-all")
    command = [sys.executable, str(FOLDER / "make.py"), "--into", str(tmp_path)]
    subprocess.run(command, check=True, cwd=FOLDER)
    written = np.load(tmp_path / "predicted.npz")
    assert len(written.files) == 20
    for name in written.files:
        model = model_from_file(content(name, tmp_path))
        table = tmp_path / f"{name}.csv"
        X = asked(name, model) if not table.exists() else pd.read_csv(table)
        X.columns = model.feature_names_in_  # LightGBM writes no spaces
        compare(name, model, X, written[name])


def compare(name, model, X, said):
    """Check a model's scores, or values, and classes of rows against those of its library."""
    score = getattr(model, "decision_function", None)
    if score is None or name == "lightgbm_forest":
        found = model.predict(X)
        if found.dtype.kind == "U":
            found = np.searchsorted(["high", "low", "middle"], found)
        tolerance = 1e-7 if name == "rpart_level" else 1e-12  # as printed
        np.testing.assert_allclose(found.astype(float), said, rtol=tolerance)
        return
    np.testing.assert_allclose(score(X), said, rtol=0, atol=1e-6)
    if len(model.classes_):
        highest = said.argmax(axis=1) if said.ndim == 2 else (said > 0).astype(int)
        np.testing.assert_array_equal(model.predict(X), model.classes_[highest])
    elif model.by_exponent_:
        np.testing.assert_allclose(model.predict(X), np.exp(said), rtol=1e-6)


def test_nodes_know_the_rows_that_lightgbm_counts():
    tree = model_from_file(content("lightgbm_level")).trees_[0]
    assert tree.n_node_samples[0] == 400
    tree.validate()


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("xgboost_two", ('"binary:logistic"', '"rank:ndcg"'), "rank:ndcg is not supported"),
        ("xgboost_two", ('"name":"gbtree"', '"name":"gblinear"'), "gblinear is not supported"),
        ("xgboost_two", ('"left_children":[1', '"left_children":[0'), "has two parents"),
        ("xgboost_two", ('"base_score":"[', '"base_score":"[x'), "base_score: [x"),
        ("xgboost_raw", ('"version":[3', '"version":[2'), "saved by XGBoost 3"),
        ("lightgbm_two", ("objective=binary", "objective=lambdarank"), "lambdarank"),
        ("lightgbm_two", ("sigmoid:1", "sigmoid:2"), "binary sigmoid:2 is not supported"),
        ("lightgbm_two", ("is_linear=0", "is_linear=1"), "linear models in its leaves"),
        ("lightgbm_two", ("end of trees", ""), "a file that ends before it"),
        ("lightgbm_two", ("leaf_value=", "leaf_value=x "), "numbers as leaf_value"),
        ("lightgbm_two", ('[["blue"', '[[1], ["blue"'), "that disagree"),
        ("catboost_two", ("OneHotFeature", "OnlineCtr"), "a statistic of the training data"),
        ("catboost_two", ("oblivious_trees", "trees"), "grow_policy=SymmetricTree"),
        ("catboost_two", ("cat_features_hash", "nothing"), "pool=the training data"),
        ("catboost_three", ('"MultiClass"', '"MultiClassOneVsAll"'), "MultiClassOneVsAll"),
        ("rpart_three", ("  3) ", "  2) "), "such a line"),
        ("rpart_three", (" 1) root", " 1) stem"), "a text without a root"),
        ("pmml_boosted", ("<PMML", "<!DOCTYPE x [<!ENTITY a \"b\">]><PMML"), "it has a DTD"),
        ("pmml_boosted", ("</PMML>", ""), "no well-formed XML"),
        ("pmml_boosted", ('"logit"', '"cauchit"'), "cauchit of 2 scores"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_in_one_sentence(name, change, said):
    text = content(name)
    found = re.sub(r'(?<=[:,\[{]) (?=["\[{\d-])', "", text) if "xgboost" in name else text
    assert change[0] in found, "the fixture has changed"
    with pytest.raises(ValueError, match=re.escape(said)) as refused:
        model_from_file(found.replace(*change))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


def test_zeros_sent_to_the_other_side_are_refused_and_others_are_not():
    text = content("lightgbm_zero_missing")
    assert model_from_file(text)
    above = re.sub(r"(threshold)=\S+", r"\1=0.5", text)
    assert model_from_file(re.sub(r"(decision_type)=\d+", r"\1=6", above))
    turned = re.sub(r"(decision_type)=\d+", r"\1=4", above)
    with pytest.raises(ValueError, match="zero_as_missing=false"):
        model_from_file(turned)


@pytest.mark.parametrize("row", [b"", b"{}", b"[1]", b"<", b"tree\nversion=v4\n", b"\xff\xfe",
                                 b"booster[0]:\n0:[a<1] yes=1,no=2", b'{"learner": 3}', b"{" * 9999,
                                 b"<a>" * 5000, b"node), split, n, loss, yval"])  # fmt: skip
def test_what_is_no_model_is_refused(row):
    with pytest.raises(ValueError, match=r"\S"):
        model_from_file(row)


@pytest.mark.parametrize("name", MODELS)
def test_a_damaged_file_is_refused_or_a_model_all_the_same(name):
    text, rng = content(name), random.Random(name)
    for _ in range(60):
        at = rng.randrange(len(text))
        other = rng.choice(
            ["", "0", "-1", "9" * 12, "1e999", "nan", "[", '"', "\0", text[at:][:40]]
        )
        damaged = text[:at] + other + text[at + rng.randrange(4) :]
        try:
            model = model_from_file(damaged)
        except ValueError:
            continue
        assert all(tree.n_nodes for tree in getattr(model, "trees_", [1]) if model)


def test_a_row_that_the_library_would_answer_otherwise_is_refused():
    model = model_from_file(content("catboost_two"))
    X = asked("catboost_two", model).head(3)
    with pytest.raises(ValueError, match="a category that the model does not know"):
        model.predict(X.assign(colour="pink"))
    with pytest.raises(ValueError, match="has no answer then"):
        model.predict(X.assign(colour=None))


def test_printed_thresholds_round():
    """What `print` rounds is lost: the model says so in its name."""
    assert "as printed" in model_from_file(content("rpart_level")).algorithm_


# ---- PMML by hand, and the walk of the specification


DICTIONARY = """<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><DataDictionary>
<DataField name="x" optype="continuous" dataType="{kind}"/>
<DataField name="z" optype="continuous" dataType="double"/>
<DataField name="c" optype="categorical" dataType="string">
<Value value="a"/><Value value="b b"/><Value value="d"/></DataField>
<DataField name="y" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/>
</DataField></DataDictionary>"""
SCHEMA = """<MiningSchema><MiningField name="x"/><MiningField name="c"/>
<MiningField name="y" usageType="target"/></MiningSchema>"""


def leaf(score, predicate, no, yes, inside="", more=""):
    about = f'id="{score}{no}{yes}" score="{score}" recordCount="{no + yes}" {more}'
    return (f"<Node {about}>{predicate}"
            f'<ScoreDistribution value="no" recordCount="{no}"/>'
            f'<ScoreDistribution value="yes" recordCount="{yes}"/>{inside}</Node>')  # fmt: skip


def simple(field, operator, value=None):
    said = "" if value is None else f'value="{value}"'
    return f'<SimplePredicate field="{field}" operator="{operator}" {said}/>'


def one_of(field, operator, array):
    return (f'<SimpleSetPredicate field="{field}" booleanOperator="{operator}">'
            f'<Array type="string">{array}</Array></SimpleSetPredicate>')  # fmt: skip


def both(operator, *parts):
    return f'<CompoundPredicate booleanOperator="{operator}">{"".join(parts)}</CompoundPredicate>'


INNER = {
    "two sides": (simple("x", "lessOrEqual", 0.1), simple("x", "greaterThan", 0.1)),
    "less": (simple("x", "lessThan", 0.1), "<True/>"),
    "more": (simple("x", "greaterOrEqual", 0.1), simple("x", "lessThan", 0.1)),
    "gap": (simple("x", "lessThan", 0.1), simple("x", "greaterThan", 0.5)),
    "three": (simple("x", "lessThan", 0.1), simple("x", "lessThan", 0.5), "<True/>"),
    "window": (both("and", simple("x", "greaterThan", 0.5)), simple("x", "lessOrEqual", 0.5)),
    "missing": (simple("x", "isMissing"), simple("x", "isNotMissing")),
    "or missing": (both("or", simple("x", "isMissing"), simple("x", "lessThan", 0.1)), "<True/>"),
    "set": (one_of("c", "isIn", '"b b" a'), one_of("c", "isNotIn", '"b b" a')),
    "equal": (simple("c", "equal", "a"), simple("c", "notEqual", "a")),
    "few": (simple("c", "equal", "a"), simple("c", "equal", "d")),
    "two columns": (simple("x", "lessThan", 0.1), simple("c", "equal", "a"), "<True/>"),
}
STRATEGIES = ("none", "lastPrediction", "nullPrediction", "defaultChild")


def document(inner, strategy, last, kind="double"):
    children = [leaf("no", INNER[inner][0], 5, 1), leaf("yes", INNER[inner][1], 1, 7)]
    if len(INNER[inner]) > 2:
        children.append(leaf("no", INNER[inner][2], 4, 2))
    root = leaf("yes", "<True/>", 10, 10, "".join(children), 'defaultChild="no51"')
    last = "returnLastPrediction" if last else "returnNullPrediction"
    return (f'{DICTIONARY.format(kind=kind)}<TreeModel functionName="classification" '
            f'missingValueStrategy="{strategy}" noTrueChildStrategy="{last}">{SCHEMA}{root}'
            "</TreeModel></PMML>")  # fmt: skip


def says(predicate, row):
    """True, False or None of a predicate, as the specification has it."""
    tag, about = predicate.tag.split("}")[1], predicate.attrib
    if tag in ("True", "False"):
        return tag == "True"
    if tag == "CompoundPredicate":
        parts = [says(part, row) for part in predicate]
        if about["booleanOperator"] == "and":
            return False if False in parts else None if None in parts else True
        return True if True in parts else None if None in parts else False
    value, operator = row[about["field"]], about.get("operator", about.get("booleanOperator"))
    if operator in ("isMissing", "isNotMissing"):
        return (value is None) == (operator == "isMissing")
    if value is None:
        return None
    if tag == "SimpleSetPredicate":
        listed = [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', predicate[0].text)]
        return (value in listed) == (operator == "isIn")
    other = about["value"] if isinstance(value, str) else float(about["value"])
    return {"lessThan": value < other, "lessOrEqual": value <= other, "equal": value == other,
            "greaterThan": value > other, "greaterOrEqual": value >= other,
            "notEqual": value != other}[operator]  # fmt: skip


def walked(node, row, strategy, last):
    """Score of a row, None if there is none."""
    children = [each for each in node if each.tag.endswith("}Node")]
    for child in children:
        said = says(child[0], row)
        if said is None and strategy == "lastPrediction":
            return node.attrib["score"]
        if said is None and strategy == "nullPrediction":
            return None
        if said is None and strategy == "defaultChild":
            child = next(c for c in children if c.attrib["id"] == node.attrib["defaultChild"])
            return walked(child, row, strategy, last)
        if said:
            return walked(child, row, strategy, last)
    return node.attrib["score"] if last or not children else None


@pytest.mark.parametrize("inner", INNER)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("last", [True, False])
def test_pmml_by_hand_is_what_the_specification_says_or_refused(inner, strategy, last):
    text = document(inner, strategy, last)
    rows = [{"x": x, "c": c} for x in (None, -1.0, 0.1, np.nextafter(0.1, 1), 0.3, 0.5, 2.0)
            for c in (None, "a", "b b", "d")]  # fmt: skip
    root = next(ElementTree.fromstring(text).iter("{http://www.dmg.org/PMML-4_4}Node"))
    expected = [walked(root, row, strategy, last) for row in rows]
    try:
        model = model_from_file(text)
    except ValueError:
        assert None in expected or inner == "two columns"
        return
    for row, said in zip(rows, expected, strict=True):
        X = pd.DataFrame([row])[list(model.feature_names_in_)]
        X = X.astype(dict.fromkeys(set(X) - {"c"}, float))
        if said is None:
            with pytest.raises(ValueError, match=r"NaN|missing"):
                model.predict(X)
        else:
            refusing = model.tree_.missing == Missing.REFUSE and X.isna().to_numpy().any()
            assert refusing or model.predict(X).tolist() == [said], row


def test_single_precision_of_a_float_field():
    text = document("two sides", "none", last=True, kind="float")
    at = float(np.float32(0.1))
    X = pd.DataFrame({"x": [0.1, at, float(np.nextafter(np.float32(0.1), np.float32(1)))]})
    assert model_from_file(text).predict(X).tolist() == ["no", "no", "yes"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('"none"', '"aggregateNodes"'), "missingValueStrategy aggregateNodes is not supported"),
        (('field="x" operator="lessThan"', 'field="w" operator="lessThan"'), "the field w"),
        (('operator="lessThan"', 'operator="near"'), "the operator near"),
        (('value="0.1"', 'value="ten"'), "the number ten"),
        (('<MiningField name="x"', '<MiningField missingValueReplacement="1" name="x"'),
         "missingValueReplacement is not supported"),
        (("TreeModel", "NeuralNetwork"), "NeuralNetwork is not supported; supported: TreeModel"),
        (('score="no"', 'score="maybe"'), "the class maybe"),
    ],
)  # fmt: skip
def test_what_pmml_holds_beside_trees_is_refused(change, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        model_from_file(document("less", "none", last=True).replace(*change))


def segments(method, trees, weights=(1, 1, 1)):
    each = "".join(f'<Segment weight="{w}"><True/>{tree}</Segment>'
                   for w, tree in zip(weights, trees, strict=False))  # fmt: skip
    kind = "classification" if "Distribution" in trees[0] else "regression"
    return (f'{DICTIONARY.format(kind="double")}<MiningModel functionName="{kind}">{SCHEMA}'
            f'<Segmentation multipleModelMethod="{method}">{each}</Segmentation>'
            "</MiningModel></PMML>")  # fmt: skip


def numbers(cut, low, high):
    def node(score, predicate, inside=""):
        return f'<Node score="{score}">{predicate}{inside}</Node>'

    children = node(low, simple("x", "lessThan", cut)) + node(
        high, simple("x", "greaterOrEqual", cut)
    )
    about = 'functionName="regression" noTrueChildStrategy="returnLastPrediction"'
    return (f"<TreeModel {about}>{SCHEMA}"
            f'{node(0, "<True/>", children)}</TreeModel>')  # fmt: skip


@pytest.mark.parametrize(("method", "expected"), [
    ("sum", [3, 12, 30]), ("average", [1.5, 6, 15]),
    ("weightedSum", [7, 34, 70]), ("weightedAverage", [1.75, 8.5, 17.5]),
])  # fmt: skip
def test_sums_and_means_of_trees(method, expected):
    text = segments(method, [numbers(0, 1, 10), numbers(1, 2, 20)],
                    (1, 3) if "w" in method[:1] else (1, 1))  # fmt: skip
    X = pd.DataFrame({"x": [-5.0, 0.0, 1.0]})
    expected = np.array(expected, dtype=float)
    if method.startswith("weighted"):
        expected = np.array([1 + 6, 10 + 6, 10 + 60]) / (1 if method == "weightedSum" else 4)
    np.testing.assert_allclose(model_from_file(text).predict(X), expected)


def test_votes_of_trees_and_their_weights():
    def stump(cut):
        inner = leaf("no", simple("x", "lessThan", cut), 5, 1) + leaf("yes", "<True/>", 1, 7)
        return (f'<TreeModel functionName="classification">{SCHEMA}'
                f'{leaf("yes", "<True/>", 6, 8, inner)}</TreeModel>')  # fmt: skip

    X = pd.DataFrame({"x": [-1.0, 0.5, 1.5, 3.0]})
    trees = [stump(0), stump(1), stump(2)]
    said = model_from_file(segments("majorityVote", trees)).predict(X)
    assert said.tolist() == ["no", "no", "yes", "yes"]
    said = model_from_file(segments("weightedMajorityVote", trees, (5, 1, 1))).predict(X)
    assert said.tolist() == ["no", "yes", "yes", "yes"]
    with pytest.raises(ValueError, match="max of classes is not supported"):
        model_from_file(segments("max", trees))


# ---- PMML of our own trees


@cache
def our_own(kind):
    """Trees of our own with the columns that they learnt from."""
    name = "friedman" if kind is CARTRegressor else "loan"
    data = load_dataset(name)
    X = data.mixed_X
    y = data.y if data.is_regression else np.asarray(data.class_order)[data.codes]
    return kind().fit(X, y), X


def with_gaps(X, share=0.3):
    rng = np.random.default_rng(0)
    return X.mask(rng.random(X.shape) < share)


@pytest.mark.parametrize("kind", [CARTClassifier, C45Classifier, CARTRegressor])
def test_our_own_trees_come_back_as_pmml(kind):
    model, X = our_own(kind)
    back = model_from_file(as_pmml(model))
    for rows in (X, with_gaps(X)):
        said = back.predict(rows[list(back.feature_names_in_)])
        np.testing.assert_array_equal(said, model.predict(rows))


def test_gaps_in_training_come_back_as_pmml():
    X, _, _, three = drawn(0, 300)
    for kind in (CARTClassifier, C45Classifier):
        model = kind(max_depth=5).fit(X, three)
        back = model_from_file(as_pmml(model))
        rows = ROWS[list(back.feature_names_in_)]
        np.testing.assert_array_equal(back.predict(rows), model.predict(ROWS))


def test_hyperplanes_and_control_characters_do_not_leave_as_pmml():
    X, y = np.random.default_rng(0).normal(size=(80, 2)), np.repeat([0, 1], 40)
    X[:, 1] += y * X[:, 0]
    with pytest.raises(ValueError, match="one column at a time"):
        as_pmml(OC1Classifier().fit(X, X.sum(axis=1) > 0.1))
    named = pd.DataFrame(X, columns=["a\x07", "b"])
    with pytest.raises(ValueError, match="control character"):
        as_pmml(CARTClassifier().fit(named, named.b > 0))


def test_an_evaluator_of_others_agrees(tmp_path):
    jpmml = pytest.importorskip("jpmml_evaluator")
    for kind in (CARTClassifier, C45Classifier, CARTRegressor):
        model, X = our_own(kind)
        path = tmp_path / "model.pmml"
        path.write_text(as_pmml(model), encoding="utf-8")
        evaluator = jpmml.make_evaluator(str(path)).verify()
        for rows in (X, with_gaps(X)):
            plain = rows.astype(object).where(rows.notna(), None)
            said = evaluator.evaluateAll(plain)[evaluator.getTargetFields()[0].getName()]
            answered = said.notna() if kind is C45Classifier else said == said
            assert answered[rows.notna().all(axis=1)].all()  # it knows no weightedConfidence
            expected = pd.Series(model.predict(rows)).astype(str)
            assert said.astype(str)[answered].tolist() == expected[answered].tolist()


def test_tables_of_categories_that_would_fill_the_memory_are_refused():
    values = "".join(f'<Value value="v{i}"/>' for i in range(9000))
    inner = "".join(leaf("no", simple("c", "equal", f"v{i}"), 1, 0) for i in range(3000))
    text = document("set", "none", last=True).replace('<Value value="a"/>', values, 1)
    text = text.replace("</Node></TreeModel>", f"{inner}</Node></TreeModel>")
    with pytest.raises(ValueError, match="splits and 9002 categories is not supported"):
        model_from_file(text)
