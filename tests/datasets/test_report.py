"""What a first look at a table finds, and which columns it leaves out."""

from __future__ import annotations

from uuid import UUID

import numpy as np
import pandas as pd
import pytest

from lastviz.datasets import DATASETS, NUMBER_SETS, Dataset, load_dataset, proposed_columns, report
from lastviz.datasets.column_roles import COUNTER, DATE, IDENTIFIER, TOO_MANY, left_out
from lastviz.datasets.report import neighbours
from tests.credit import credit_table
from tests.leaky import leaky_credit

N = 60
rng = np.random.default_rng(0)
CLASSES = pd.Series(np.where(np.arange(N) % 3 == 0, "bad", "good"), name="risk")


def dataset_of(table: pd.DataFrame, target: str = "risk", **known) -> Dataset:
    return Dataset(table.drop(columns=target), table[target], **known)


def reason_of(name, values):
    X = pd.DataFrame({"a": rng.normal(size=len(values)), name: values})
    return left_out(Dataset(X, pd.Series(np.arange(len(values)) % 2))).get(name)


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("n", np.arange(N), COUNTER),
        ("n", np.arange(N)[::-1] * 2 + 500, COUNTER),
        ("n", np.arange(N, dtype=float), COUNTER),
        ("customer_id", rng.permutation(10**6)[:N], IDENTIFIER),
        ("customerId", rng.permutation(10**6)[:N], IDENTIFIER),
        ("Unnamed: 0", np.arange(N) * 100, IDENTIFIER),
        ("shuffled", rng.permutation(N) + 7, IDENTIFIER),
        ("account_id", np.repeat(rng.permutation(10**6)[: N // 2], 2), IDENTIFIER),
        ("who", [f"Person {i}" for i in range(N)], IDENTIFIER),
        ("token", [str(UUID(int=int(i) * 7919)) for i in range(N)], IDENTIFIER),
        ("contact", [f"p{i % 40}@example.org" for i in range(N)], IDENTIFIER),
        ("day", [f"2024-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(N)], DATE),
        ("day", [f"{1 + i % 28}.{1 + i % 12}.2024" for i in range(N)], DATE),
        ("day", [f"2024-01-{1 + i % 28:02}T10:{i % 60:02}:00Z" for i in range(N)], DATE),
        ("day", [f"Mar {1 + i % 28}, 2024" for i in range(N)], DATE),
        ("day", [20240100 + 1 + i % 28 for i in range(N)], DATE),
        ("created_at", 1_700_000_000 + rng.integers(0, 10**6, N), DATE),
    ],
)
def test_what_names_rows_or_moments_is_left_out(name, values, reason):
    assert reason_of(name, values) == reason


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("amount", rng.permutation(20_000)[:N]),
        ("income", np.sort(rng.permutation(10**6)[:N])),
        ("x", np.sort(rng.normal(size=N))),
        ("x", np.arange(12)),  # twelve rows of a toy: what was measured
        ("age", rng.integers(19, 80, N)),
        ("year", rng.integers(1990, 2020, N)),
        ("store_id", np.arange(N) % 5),
        ("city", [f"city {i % 15}" for i in range(N)]),
        ("version", [f"{i % 5}.{i % 3}" for i in range(N)]),
        ("nothing", [np.nan] * N),
        ("paid", [f"B{i % 4}" for i in range(N)]),
    ],
)
def test_what_was_measured_stays(name, values):
    assert reason_of(name, values) is None


def test_more_texts_than_a_tree_can_tell_apart_are_left_out():
    texts = [f"street {i % 1001}" for i in range(2500)]
    assert reason_of("street", texts) == TOO_MANY


def test_nothing_is_proposed_away_if_nothing_would_be_left():
    X = pd.DataFrame({"n": np.arange(N), "day": [f"2024-01-{1 + i % 28:02}" for i in range(N)]})
    dataset = Dataset(X, CLASSES)
    assert set(left_out(dataset)) == {"n", "day"}
    assert proposed_columns(dataset) == (0, 1)
    assert report(dataset).left_out == {}


@pytest.mark.parametrize("key", [*DATASETS, *NUMBER_SETS])
def test_no_column_of_ours_is_left_out(key):
    dataset = load_dataset(key)
    assert proposed_columns(dataset) == tuple(range(dataset.n_features))


def test_a_credit_table_with_names_dates_and_a_leak():
    table = leaky_credit()
    found = report(dataset_of(table))
    left = {"customer_id": IDENTIFIER, "name": IDENTIFIER, "opened_on": DATE}
    assert found.left_out == left
    (leak,) = found.suspects
    assert (leak.name, leak.how, leak.alone) == ("arrears_later", "decides", 1.0)
    held_out = np.random.default_rng(0).permutation(1000)[700:]
    assert found.guess == (table["risk"].to_numpy()[held_out] == "good").mean()
    assert found.smallest == ("bad", 300)
    assert not found.is_rare
    assert found.n_repeated == found.n_contradicting == 0


def test_the_same_table_without_them_is_clean():
    found = report(dataset_of(credit_table()))
    assert found.left_out == {}
    assert found.suspects == ()
    by_name = {column.name: column for column in found.columns}
    table = credit_table()
    for name, column in by_name.items():
        assert column.n_missing == table[name].isna().sum()
        assert column.n_distinct == table[name].nunique()
        counts = table[name].value_counts()
        assert column.top_share == pytest.approx(counts.iloc[0] / counts.sum())
        assert counts[column.top] == counts.iloc[0]
        assert column.bars.sum() <= counts.sum()
    assert by_name["amount"].bars.sum() == table["amount"].notna().sum()


def test_the_class_in_other_words_and_the_class_itself():
    table = credit_table()
    table["flag"] = np.where(table["risk"] == "bad", 1, 0)
    table["again"] = table["risk"]
    found = report(dataset_of(table))
    assert [(each.name, each.how) for each in found.suspects] == [
        ("again", "equal"),
        ("flag", "recoded"),
    ]


def test_a_number_that_nearly_is_the_one_to_learn():
    x = rng.normal(size=500)
    X = pd.DataFrame({"other": rng.normal(size=500), "near": x + rng.normal(size=500) / 1000})
    found = report(Dataset(X, pd.Series(x, name="y"), task="regression"))
    (near,) = found.suspects
    assert (near.name, near.how) == ("near", "predicts")
    assert near.alone > 0.95
    assert found.smallest is None
    assert next(c for c in found.columns if c.name == "other").alone < 0.2


def test_repeated_and_contradicting_rows_are_counted_as_by_hand():
    table = pd.DataFrame(
        {
            "a": [1.0, 1.0, 1.0, 2.0, 2.0, np.nan, np.nan, -0.0, 0.0],
            "b": ["x", "x", "x", "y", "z", "x", "x", "y", "y"],
            "risk": ["g", "g", "b", "g", "g", "b", "g", "b", "b"],
        }
    )
    found = report(dataset_of(table))
    assert found.n_repeated == table.duplicated().sum() == 2
    assert found.n_contradicting == 5  # the first three, and the two without a


def test_repeats_are_sought_without_the_columns_left_out():
    table = credit_table(200)
    table = pd.concat([table, table.head(30)], ignore_index=True)
    table.insert(0, "customer_id", rng.permutation(10**6)[:230])
    assert report(dataset_of(table)).n_repeated == 30


def test_constant_nearly_constant_rare_and_other_class_columns():
    table = credit_table(400)
    table["same"] = 3
    table["none"] = np.nan
    table["nearly"] = np.where(np.arange(400) < 2, 1, 0)
    table["outcome"] = table.pop("risk")
    table["amount_class"] = np.where(np.arange(400) < 20, "high", "low")
    found = report(dataset_of(table, "amount_class"))
    assert found.constant == ("same", "none")
    assert found.nearly_constant == ("nearly",)
    assert found.is_rare
    assert found.smallest == ("high", 20)
    assert found.other_targets == ("outcome",)


@pytest.mark.ci
def test_of_two_hundred_thousand_rows_five_thousand_are_looked_at():
    n = 200_000
    columns = {f"x{i}": rng.normal(size=n) for i in range(20)}
    columns |= {f"i{i}": rng.integers(0, 50, n) for i in range(15)}
    texts = list("abcdefgh")
    columns |= {f"c{i}": pd.Categorical.from_codes(rng.integers(0, 8, n), texts) for i in range(15)}
    dataset = Dataset(pd.DataFrame(columns), pd.Series(rng.integers(0, 3, n)))
    assert report(dataset).n_looked_at == 5000


@pytest.mark.parametrize("sizes", [(30, 30), (70, 20, 10), (5, 90)])
def test_neighbours_in_random_order_agree_as_often_as_is_said(sizes):
    codes, rng = np.repeat(np.arange(len(sizes)), sizes), np.random.default_rng(0)
    drawn = np.array([neighbours(rng.permutation(codes)).n_alike for _ in range(4000)])
    found = neighbours(codes)
    assert drawn.mean() == pytest.approx(found.expected, abs=0.02 * len(codes))
    assert drawn.std() == pytest.approx(found.deviation, rel=0.06)
    assert not found.are_in_order  # sorted by class
    assert not any(neighbours(rng.permutation(codes)).are_in_order for _ in range(200))


def test_blocks_are_an_order():
    codes = np.arange(200) // 10 % 2
    found = neighbours(codes)
    assert (found.n_pairs, found.n_alike, found.n_runs) == (199, 180, 20)
    assert found.are_in_order
    assert not report(dataset_of(credit_table())).neighbours.are_in_order
