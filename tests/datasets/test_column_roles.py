"""Roles of columns by their names and contents."""

import pandas as pd
import pytest

from lastviz.datasets import Dataset, guessed_roles
from lastviz.datasets.personal import is_personal
from tests.leaky import leaky_credit

PERSONS = [
    *("age", "Age", "AGE_YEARS", "age_group", "ageGroup", "patient age", "sex", "Gender", "race"),
    *("personal_status_sex", "MaritalStatus", "marital-status", "civil_status", "native_country"),
    *("country_of_birth", "date_of_birth", "DOB", "birthdate", "place of birth", "foreign_worker"),
    *("has_disability", "Ethnicity", "religion", "nationality", "Alter", "Geschlecht"),
    *("Familienstand", "Nationalität", "Nationalita\u0308t", "geburtsjahr"),
    *("年龄", "性别", "客户民族"),
]  # fmt: skip
THINGS = [
    *("", "wage", "agent", "page_views", "sextant", "grace", "essex", "traced", "raceway"),
    *("account_age", "house_age", "age_of_car", "birth_weight", "native_ads", "civil_cases"),
    *("status", "country", "group", "employment", "storage", "average", "年收入", "房龄"),
]  # fmt: skip


@pytest.mark.parametrize("name", PERSONS)
def test_names_about_persons_are_found(name):
    assert is_personal(name)


@pytest.mark.parametrize("name", THINGS)
def test_words_inside_others_and_ages_of_things_are_not(name):
    assert not is_personal(name)


def table(columns):
    y = pd.Series(["a", "b"] * (len(columns) // 2), name="class")
    kinds = {c: "numeric" if columns[c].dtype.kind in "if" else "nominal" for c in columns}
    return Dataset(columns, y, kinds=kinds)


def test_roles_of_a_table_of_credits():
    columns = leaky_credit(200).drop(columns="risk")
    X = columns[["customer_id", "name", "opened_on", "age", "amount"]].astype({"amount": float})
    for name in ("name", "opened_on"):
        X[name] = X[name].astype("category")
    assert guessed_roles(table(X)) == {
        "fixed": ("age",),
        "sensitive": ("age",),
        "names": ("customer_id", "name"),
        "time": ("opened_on",),
    }


def test_a_date_of_birth_is_about_a_person_and_orders_no_rows():
    days = pd.Timestamp("1960-01-01") + pd.to_timedelta(range(0, 400, 2), unit="D")
    X = pd.DataFrame({"birth_date": pd.Series(days.strftime("%Y-%m-%d")).astype("category")})
    assert guessed_roles(table(X)) == {
        "fixed": ("birth_date",), "sensitive": ("birth_date",), "names": (), "time": (),
    }  # fmt: skip
