"""Every form of a tree is run and says what `predict` says, on every sample."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

from lastviz import CARTClassifier, GSODTClassifier, SVMTreeClassifier
from lastviz.export import FORMATS, as_dot, as_json, rules_as_csv, rules_as_text, tree_from_json
from lastviz.inspection import class_counts, explain, rules
from lastviz.tree import Missing
from tests.conftest import waveform
from tests.export.conftest import by_python, by_sql
from tests.random_trees import places_of
from tests.tree.test_nominal_tree import FRESH, by_branch, grown

QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"((?:[^\"]|\"\")*)\"")


def rows_of(X):
    return X.to_dict("records")


def holds(premise, row):
    """Run a premise of a list of rules: quoted names stand for values, as plain names do."""
    names = {}

    def stands_for(match):
        if match[1] is None:
            return match[0]
        names[f"quoted_{len(names)}"] = row[match[1].replace('""', '"')]
        return f"quoted_{len(names) - 1}"

    premise = re.sub(r"^'(?=[=+@-])", "", premise)  # a sign of CSV that what follows is text
    return eval(QUOTED.sub(stands_for, premise), {}, {**row, **names})


def told(value):
    return value if isinstance(value, str) else str(value)


def test_python_sql_and_the_graph_say_what_predict_does_and_json_brings_the_tree_back(fitted):
    model, X = fitted
    tree = model.tree_
    np.testing.assert_array_equal(by_python(tree, rows_of(X)), model.predict(X))
    np.testing.assert_array_equal(by_sql(tree, X), model.predict(X))
    lost = None
    if tree.missing != Missing.REFUSE:
        lost = model.classes_[tree.predict(np.full((1, tree.n_features), np.nan))[0]]
    gaps = [dict.fromkeys(X.columns), dict.fromkeys(X.columns, float("nan"))]
    assert by_python(tree, gaps) == [lost, lost]
    assert by_sql(tree, pd.DataFrame(gaps[:1])) == [lost]
    nodes, edges = same_graph(as_dot(model.tree_), model.tree_)
    for row, predicted in zip(rows_of(X)[:100], model.predict(X), strict=False):
        assert led(nodes, edges, row) == told(predicted)
    tree, back = model.tree_, tree_from_json(as_json(model.tree_, rows=True))
    assert_same_bits(back, tree)
    values = X.to_numpy()
    back.validate(values)
    np.testing.assert_array_equal(back.apply(values), tree.apply(values))
    assert [rule.support for rule in rules(back)] == [rule.support for rule in rules(tree)]


@pytest.mark.ci
def test_exactly_one_premise_of_the_text_holds(fitted):
    model, X = fitted
    lines = rules_as_text(model.tree_).splitlines()
    found = [re.fullmatch(r"\d+\. if (.*) then (.*)", line) for line in lines]
    pairs = [(match[1], match[2]) for match in found if match]
    assert len(pairs) == model.tree_.n_leaves
    for row, predicted in zip(rows_of(X), model.predict(X), strict=True):
        assert [then for premise, then in pairs if holds(premise, row)] == [told(predicted)]


def test_the_table_of_rules_is_predict_and_has_the_numbers_of_training_and_held_out_rows(fitted):
    model, X = fitted
    table = list(csv.DictReader(io.StringIO(rules_as_csv(model.tree_))))
    for row, predicted in zip(rows_of(X)[:100], model.predict(X), strict=False):
        assert [rule["then"] for rule in table if holds(rule["if"], row)] == [told(predicted)]
    for line, rule in zip(table, rules(model.tree_), strict=True):
        assert float(line["training support"]) == rule.support
        assert float(line["training confidence"]) == rule.confidence
        assert float(line["training coverage"]) == rule.coverage
        shares = [float(line[f"training share of {label}"]) for label in model.tree_.classes]
        np.testing.assert_array_equal(shares, rule.class_supports)
    tree, values = model.tree_, X.to_numpy()[:60]
    labels = (tree.predict(values) + np.arange(60) % 2) % len(tree.classes)  # every second wrong
    held_out = class_counts(tree, values, labels)
    at = tree.apply(values)
    text = rules_as_text(tree, held_out=held_out)
    assert "are those of the training rows. 60 rows were held out" in text
    assert "held-out" not in rules_as_text(tree)
    table = list(csv.DictReader(io.StringIO(rules_as_csv(tree, held_out=held_out))))
    for line, rule in zip(table, rules(tree), strict=True):
        here = at == rule.node
        right = int((labels[here] == rule.prediction).sum())
        assert float(line["held-out rows"]) == here.sum()
        assert line["held-out accuracy"] == (repr(right / here.sum().item()) if any(here) else "")
        assert f"classifies {right} of {here.sum()} held-out rows correctly" in text


STRING = r'"((?:[^"\\]|\\.)*)"'
STATEMENT = re.compile(rf"  (\d+)(?: -> (\d+))? \[label={STRING}(?:, tooltip={STRING})?\];")


def same_graph(text, tree):
    """Read a graph, every line of it; its nodes, edges and numbers are those of the tree."""
    first, direction, shape, *lines, last = text.splitlines()
    assert (first, last) == ("digraph tree {", "}")
    assert (direction, shape) == ("  rankdir=LR;", "  node [shape=box];")
    nodes, edges = {}, {}
    for line in lines:
        start, end, *texts = STATEMENT.fullmatch(line).groups(default="")
        label, tooltip = (re.sub(r"\\(.)", r"\1", part) for part in texts)
        if end:
            edges.setdefault(int(start), {})[int(end)] = label
        else:
            nodes[int(start)] = label
            n_rows, counts = tooltip.split(" training rows: ")
            counts = [float(count) for count in counts.split(", ")]
            np.testing.assert_allclose(float(n_rows), tree.weighted_n_node_samples[int(start)])
            np.testing.assert_allclose(counts, tree.value[int(start)], rtol=1e-14)
    assert list(nodes) == list(range(tree.n_nodes))
    inner = np.flatnonzero(tree.n_children).tolist()
    assert {node: list(ends) for node, ends in edges.items()} == {
        node: list(tree.children(node)) for node in inner
    }
    return nodes, edges


def led(nodes, edges, row):
    """Return the label of the node to which a graph leads a row."""
    node = 0
    while node in edges:
        (node,) = [end for end, asked in edges[node].items() if holds(asked, row)]
    return nodes[node]


def test_rows_are_counted_to_the_last_one():
    weight = np.array([1_234_567.0, 2_000_000.25])
    tree = CARTClassifier().fit([[0.0], [1.0]], [0, 1], sample_weight=weight).tree_
    same_graph(as_dot(tree), tree)
    text = rules_as_text(tree, held_out=tree.value)
    assert "on 1 features, 3234567.25 training rows" in text
    assert "support 1234567 (" in text
    assert "classifies 2000000.25 of 2000000.25 held-out rows correctly" in text


def assert_same_bits(back, tree):
    """Every field of the tree and of its tables; numbers by their bits."""
    assert type(back) is type(tree)
    for name, value in list(vars(tree).items()):
        found = getattr(back, name)
        if name in ("cuts", "known_decimals"):  # the file says what the training rows said
            assert back.decimals == tree.decimals
        elif isinstance(value, np.ndarray):
            assert found.shape == value.shape, name
            if value.dtype.kind == "f":
                np.testing.assert_array_equal(
                    found.view(np.uint64)[~np.isnan(value)],
                    np.ascontiguousarray(value).view(np.uint64)[~np.isnan(value)],
                    err_msg=name,
                )
            np.testing.assert_array_equal(found, value, err_msg=name)
        elif name == "bases":
            assert len(found) == len(value)
            for one, other in zip(found, value, strict=True):
                assert_same_bits(one, other)
        elif hasattr(value, "__len__") and not isinstance(value, tuple) and not len(value):
            assert len(found) == 0, name
        elif hasattr(value, "__dataclass_fields__"):
            assert_same_bits(found, value)
        else:
            assert found == value, name


def machine_trees():
    X, y = waveform(90, 1)
    yield SVMTreeClassifier(sigma=10.0, C=1.0).fit(X, y), X
    yield SVMTreeClassifier(kernel="poly", degree=2, order="groups", C=1.0).fit(X, y), X
    yield SVMTreeClassifier(kernel="linear", C=1.0, bias=False).fit(X, y), X


def test_json_brings_machines_back():
    for model, X in machine_trees():
        back = tree_from_json(as_json(model.tree_, rows=True))
        assert_same_bits(back, model.tree_)
        np.testing.assert_array_equal(back.predict(X), model.tree_.predict(X))


def test_json_brings_odd_numbers_back():
    """Missing values, empty branches, infinite scores and thresholds, zeros with a sign."""
    for tree in nominal_trees().values():
        score = np.where(np.isnan(tree.score), np.nan, -0.0)
        nothing, none = np.zeros(tree.n_nodes, dtype=np.intp), np.empty(0, dtype=np.intp)
        held = {"start": nothing, "end": nothing, "samples": none, "sample_weight": np.empty(0)}
        for infinite in (np.inf, -np.inf):
            odd = replace(tree, score=score, impurity=np.full(tree.n_nodes, infinite), **held)
            assert_same_bits(tree_from_json(as_json(odd)), odd)


def test_json_of_every_estimator_follows_its_schema():
    schema = json.loads(Path("docs/model.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    jsonschema.Draft202012Validator.check_schema(schema)
    for tree in [*nominal_trees().values(), *(model.tree_ for model, _ in machine_trees())]:
        validator.validate(json.loads(as_json(tree, rows=True)))
        validator.validate(json.loads(as_json(tree)))
    X, y = waveform(80, 4)
    validator.validate(json.loads(as_json(GSODTClassifier().fit(X, y).tree_)))
    assert not validator.is_valid({**json.loads(as_json(tree)), "format": "other"})
    assert not validator.is_valid({**json.loads(as_json(tree)), "trees": []})


def test_deep_trees_are_written_without_deep_nesting():
    n = 600
    X = np.arange(n, dtype=float)[:, None]
    y = np.arange(n) % 2
    model = CARTClassifier().fit(X, y)
    tree = chained(model.tree_, n)
    assert by_python(tree, [{"x1": float(i)} for i in range(n)]) == tree.predict(X).tolist()


def chained(tree, n):
    """A tree as deep as it has leaves less one, from the JSON of another: rows 0, ..., n - 1."""
    whole = json.loads(as_json(tree))
    counts = [np.bincount(np.arange(n) % 2, minlength=2)]
    parent, first_child, threshold, size = [-1], [], [], [n]
    for i in range(n - 1):
        at = len(parent)
        first_child += [at] if i == 0 else [-1, at]
        threshold += [i + 0.5] if i == 0 else ["NaN", i + 0.5]
        parent += [max(at - 1, 0)] * 2
        rest = np.arange(i + 1, n) % 2
        counts += [np.bincount([i % 2], minlength=2), np.bincount(rest, minlength=2)]
        size += [1, n - i - 1]
    first_child, threshold = [*first_child, -1, -1], [*threshold, "NaN", "NaN"]
    m = len(parent)
    inner = np.array(first_child) >= 0
    depth, key = places_of(parent, first_child)
    whole["trees"][0]["nodes"] = {
        "parent": parent, "first_child": first_child, "threshold": threshold,
        "depth": depth.tolist(), "key": [f"{k:016x}" for k in key.tolist()],
        "n_children": np.where(inner, 2, 0).tolist(),
        "kind": np.where(inner, "threshold", "leaf").tolist(),
        "feature": np.where(inner, 0, -1).tolist(),
        "n_node_samples": size, "weighted_n_node_samples": [float(s) for s in size],
        "value": np.array(counts, dtype=float).tolist(),
        "prediction": np.argmax(counts, axis=1).tolist(),
        "grown_node": list(range(m)), "split_row": [-1] * m, "basis_id": [-1] * m,
        "missing_branch": np.where(inner, whole["trees"][0]["nodes"]["missing_branch"][0], -1)
        .tolist(),
        "impurity": [0.0] * m, "score": [0.0] * m, "branch_weight": ["NaN"] * m,
    }  # fmt: skip
    return tree_from_json(json.dumps(whole))


def test_labels_stand_in_for_the_classes():
    model = CARTClassifier().fit(np.arange(8.0)[:, None], np.arange(8) // 4)
    for form in FORMATS.values():
        assert "green" in form.write(model.tree_, ["red", "green"])
        with pytest.raises(ValueError, match="2 classes, got 1"):
            form.write(model.tree_, ["one"])


def test_machines_are_refused_by_all_but_json_and_the_graph():
    tree = SVMTreeClassifier(sigma=10.0, C=1.0).fit(*waveform(60, 1)).tree_
    for form in FORMATS.values():
        if form.machines:
            assert ("f0 > 0" in form.write(tree, None)) or ('"machines"' in form.write(tree, None))
        else:
            with pytest.raises(ValueError, match="cannot hold kernel machines"):
                form.write(tree, None)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other"}', "null"])
def test_other_json_is_refused_in_one_sentence(text):
    with pytest.raises(ValueError, match="this is no JSON of a lastviz model 1"):
        tree_from_json(text)


def test_a_tree_of_one_leaf_in_every_form():
    model = CARTClassifier().fit(np.zeros((3, 1)), [1, 1, 1])
    assert by_python(model.tree_, [{"x1": 4.0}]) == [1]
    assert by_sql(model.tree_, pd.DataFrame({"x1": [1.0, 2.0]})) == [1, 1]
    assert tree_from_json(as_json(model.tree_)).n_nodes == 1


# Trees with categories and missing values: what the forms say about rows like those of FRESH.


def nominal_trees():
    refusing = replace(grown(), missing=Missing.REFUSE, branch_weight=None)
    numbers = np.array([2.0, 1.0, 3.0, 2.0, 0.5, 1.5])
    targets = {"classes": np.zeros(0), "value": numbers[:, None], "prediction": numbers}
    return {
        "fractions": grown(),
        "branches": by_branch(grown()),
        "refusing": refusing,
        "numbers": replace(grown(), **targets),
        "numbers, branches": replace(by_branch(grown()), **targets),
    }


@pytest.fixture(params=nominal_trees())
def nominal(request):
    """The tree, rows as people write them, and what the tree says about them."""
    tree = nominal_trees()[request.param]
    colours = {0.0: "red", 1.0: "green", 2.0: "blue", -1.0: "pink"}
    rows = [
        {"colour": colours.get(c), "size": None if np.isnan(s) else s} for c, s in FRESH.tolist()
    ]
    return tree, rows, tree.predict(FRESH)


def met_missing(tree, x):
    """Whether the row lacks a value that is asked for on its way (or has a new category)."""
    return len(tree.leaf_weights(x[None, :])[0]) > 1


def has_answer(tree, row, x):
    """Whether the rule answers a row: a refusing tree has none where its path asks for a gap."""
    stopped = not tree.is_leaf(tree.apply(x[None, :])[0])
    return tree.missing != Missing.REFUSE or not stopped or row["colour"] in ("blue", "pink")


def test_categories_and_missing_values_in_python_sql_and_the_list_of_rules(nominal):
    tree, rows, predicted = nominal
    for said in (by_python(tree, rows), by_sql(tree, pd.DataFrame(rows))):
        for got, row, value, x in zip(said, rows, predicted, FRESH, strict=True):
            assert got == (pytest.approx(value) if has_answer(tree, row, x) else None)
        assert {*said} >= set(predicted.tolist())
    table = list(csv.DictReader(io.StringIO(rules_as_csv(tree))))
    text = rules_as_text(tree)
    assert len(table) >= tree.n_leaves
    for row, value, x in zip(rows, predicted, FRESH, strict=True):
        values = {"colour": row["colour"], "size": np.nan if row["size"] is None else row["size"]}
        held = [r for r in table if holds(r["if"].replace("size is None", "size != size"), values)]
        if held and not met_missing(tree, x) and None not in row.values():
            assert held[0]["then"] == str(value)
            assert len([r for r in held if r["rule"]]) <= 1
    assert ("otherwise" in text) == (tree.missing != Missing.FRACTIONS)


def test_categories_and_missing_values_come_back_from_json(nominal):
    tree, _, predicted = nominal
    back = tree_from_json(as_json(tree))
    np.testing.assert_array_equal(back.predict(FRESH), predicted)
    np.testing.assert_array_equal(back.branch_weight, tree.branch_weight)
    np.testing.assert_array_equal(back.missing_branch, tree.missing_branch)
    assert back.feature_categories == tree.feature_categories
    assert back.missing == tree.missing
    assert as_json(back) == as_json(tree)


def test_a_tree_of_words_and_numbers_with_missing_values(mixed):
    """C4.5: Python and SQL say what `predict` says of every row."""
    model, X = mixed
    tree = model.tree_
    assert tree.missing == Missing.FRACTIONS
    assert len(tree.categories) > 1
    rows = X.astype(object).where(X.notna(), None).to_dict("records")
    new = {**rows[0], "sky": "green"}
    assert by_python(tree, rows) == by_sql(tree, pd.DataFrame(rows)) == model.predict(X).tolist()
    ends = model.predict(pd.DataFrame([new]).astype(X.dtypes))
    assert by_python(tree, [new]) == ends.tolist()
    encoded = model.encode(X)
    row, _, _ = tree.leaf_weights(encoded)
    whole = np.bincount(row) == 1
    assert not whole.all()
    back = tree_from_json(as_json(tree))
    np.testing.assert_array_equal(back.predict(encoded), tree.predict(encoded))
    for i in range(40):
        way = explain(model, X.iloc[[i]])
        assert way.end_weights.sum() == pytest.approx(1.0)
        assert model.classes_[way.prediction] == model.predict(X.iloc[[i]])[0]
