"""Display names: what is shown in place of what, and what a sidecar may say."""

import json

import numpy as np
import pandas as pd
import pytest

from lastviz.datasets import Dataset, load_dataset, read_table, to_csv
from lastviz.datasets.labels import (
    Labels,
    apply_labels,
    checked_labels,
    labels_of,
    legend,
    read_sidecar,
    sidecar_of,
    with_labels,
)

LABELS = Labels(
    names={"account": "Account", "months": "Duration", "risk": "Credit risk", "absent": "?"},
    units={"months": "months"},
    values={
        "account": {"A11": "overdrawn", "A13": "rich"},
        "size": {"1": "small"},
        "risk": {"bad": "Defaulted", "good": "Paid back"},
    },
    colours={"bad": "#D55E00"},
)


@pytest.fixture
def dataset():
    table = pd.DataFrame(
        {
            "months": [6, 12, 24, 48],
            "account": ["A11", None, "A13", "A12"],
            "size": [1, 2, 3, 1],
            "rank": ["low", "high", "low", "mid"],
        }
    )
    return Dataset(
        table,
        pd.Series(["bad", "good", "good", "bad"], name="risk"),
        kinds={"size": "ordinal", "rank": "ordinal"},
        orders={"size": (1, 2, 3), "rank": ("low", "mid", "high")},
    )


def test_labels_stand_in_place_of_what_they_label(dataset):
    shown = apply_labels(with_labels(dataset, LABELS))
    assert shown.feature_names == ("Duration", "Account", "size", "rank")
    assert shown.X["Account"].tolist()[:1] == ["overdrawn"]
    assert shown.orders["Account"] == ("overdrawn", "A12", "rich")
    assert shown.units["Duration"] == "months"
    assert shown.y.name == "Credit risk"
    assert shown.y.tolist() == ["Defaulted", "Paid back", "Paid back", "Defaulted"]
    assert shown.class_order == ("Defaulted", "Paid back")
    assert shown.class_colours == {"Defaulted": "#D55E00"}


def test_values_and_their_codes_stay_and_a_sidecar_says_all_of_it_again(dataset):
    labelled = with_labels(dataset, LABELS)
    shown = apply_labels(labelled)
    assert shown.codes.tolist() == dataset.codes.tolist()
    for form in ("mixed_X", "encoded_X", "numeric_X", "categorical_X"):
        before, after = getattr(dataset, form), getattr(shown, form)
        for old, new in zip(before, after, strict=True):
            a, b = before[old], after[new]
            codes = [c.cat.codes if hasattr(c, "cat") else c for c in (a, b)]
            np.testing.assert_array_equal(*codes)
    # Trees count with levels that are numbers: they stay those.
    assert shown.numeric_X["size"].tolist() == [1.0, 2.0, 3.0, 1.0]
    described, labels = read_sidecar(sidecar_of(labelled))
    assert labels == Labels(
        {c: name for c, name in LABELS.names.items() if c != "absent"},
        LABELS.units,
        {
            "account": LABELS.values["account"],
            "size": {"1": "small"},
            "risk": LABELS.values["risk"],
        },
        LABELS.colours,
    )
    assert described["features"]["rank"] == {"kind": "ordinal", "order": ["low", "mid", "high"]}
    assert labels_of(with_labels(dataset, labels)).names == labels.names


def test_labels_change_no_digest_and_without_labels_nothing_is_copied(dataset):
    named = with_labels(dataset, Labels(names={"months": "m"}, values={"risk": {"bad": "b"}}))
    assert named.digest == dataset.digest
    assert apply_labels(dataset) is dataset
    assert with_labels(dataset, Labels()) is dataset


def test_two_that_are_called_alike_stay_two(dataset):
    labels = Labels(
        names={"months": "size", "account": "rank"},
        values={"account": {"A11": "poor", "A12": "poor"}, "risk": {"bad": "x", "good": "x"}},
    )
    shown = apply_labels(with_labels(dataset, labels))
    assert shown.feature_names == ("size (months)", "rank (account)", "size", "rank")
    assert shown.orders["rank (account)"] == ("poor (A11)", "poor (A12)", "A13")
    assert shown.class_order == ("x (bad)", "x (good)")
    assert apply_labels(shown) is shown


def test_whole_numbers_as_classes_get_names():
    digits = load_dataset("digits")
    labels = Labels(values={"digit": {}, str(digits.y.name): {"0": "zero"}})
    shown = apply_labels(with_labels(digits, labels))
    assert shown.class_order[:2] == ("zero", "1")
    assert shown.y[digits.y == 0].unique().tolist() == ["zero"]


def test_a_folder_takes_labels_from_its_sidecars(dataset, tmp_path, monkeypatch):
    labelled = with_labels(dataset, LABELS)
    (tmp_path / "credit.csv").write_bytes(to_csv(labelled))
    (tmp_path / "credit.json").write_bytes(sidecar_of(labelled))
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    found = load_dataset("folder.credit")
    assert apply_labels(found).class_order == ("Defaulted", "Paid back")
    assert apply_labels(found).X.columns.tolist() == ["Duration", "Account", "size", "rank"]


def test_the_legend_is_one_line_each():
    table = b'"a\nimport os",risk\nx,1\ny,2\nx,1\ny,2\n'
    dataset = read_table(table, name="odd.csv")
    column = dataset.feature_names[0]
    named = with_labels(dataset, Labels(names={column: "A"}, values={column: {"x": "X"}}))
    lines = legend(named)
    assert lines[-2:] == ["How the columns were read:", f"{column}: category"]
    assert len(lines) == 4
    assert not any("\n" in line for line in lines)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"{", "is not valid JSON"),
        (b"[]", "must hold an object"),
        (b'{"features": []}', "must hold an object"),
        (b'{"features": {"a": 3}}', "'features.a' must be an object"),
        (b'{"features": {"a": {"values": 3}}}', "'features.a.values' must be an object"),
        (b'{"features": {"a": {"label": ["x"]}}}', "the label of 'a' must be a text"),
        (b'{"features": {"a": {"label": "' + b"x" * 81 + b'"}}}', "at most 80"),
        (b'{"target": "y", "classes": {"b": {"colour": "red"}}}', "a colour such as #0072B2"),
        (b'{"classes": {"b": {"label": "B"}}}', "'target' must be the name"),
        (b"[" * 100_000, "is not valid JSON"),
        (b"\xff\xfe\x00", "is not valid JSON"),
    ],
)
def test_what_a_sidecar_may_not_say_is_refused_in_a_sentence(text, says):
    with pytest.raises(ValueError, match=r"side\.json") as refused:
        read_sidecar(text, "side.json")
    assert says in str(refused.value)
    assert len(str(refused.value)) < 300


def test_labels_are_one_line_of_signs_that_can_be_seen():
    odd = "  two\n lines\t\u202eturned\x00  "
    assert checked_labels(Labels(names={"a": odd, "b": " ", "c": "c"})).names == {
        "a": "two lines turned"
    }


def test_a_sidecar_is_json_that_people_can_read(dataset):
    described = json.loads(sidecar_of(with_labels(dataset, LABELS)))
    assert described["classes"] == {
        "bad": {"label": "Defaulted", "colour": "#D55E00"},
        "good": {"label": "Paid back"},
    }
