"""Every file of the zoo is read right, or refused in one sentence with the remedy."""

import numpy as np
import pandas as pd
import pytest

from lastviz._sentences import Refusal
from lastviz.datasets import read_file

from .zoo import zoo

ANIMALS = zoo()
REMEDY = (
    "correct", "choose", "save", "use", "leave", "give", "write", "needed", "hand in", "add",
    "unpack", "fill", "put", "spread", "rename", "delete", "possible", "try", "export", "copy",
    "open",
)  # fmt: skip


def test_the_zoo_is_large_and_no_two_are_called_alike():
    assert len(ANIMALS) >= 200
    assert len({animal.name for animal in ANIMALS}) == len(ANIMALS)


@pytest.mark.parametrize("animal", ANIMALS, ids=[animal.name for animal in ANIMALS])
def test_a_file_is_read_right_or_refused_in_one_sentence(animal):
    if animal.X is None:
        with pytest.raises(ValueError) as caught:  # noqa: PT011 (what it says is looked at below)
            read_file(animal.data, name=animal.name, reading=animal.reading, task="auto")
        sentence = str(caught.value)
        assert animal.sentence in sentence
        assert type(caught.value) is Refusal
        assert sentence.startswith(animal.name.removesuffix("/"))
        assert "\n" not in sentence
        assert len(sentence) < 400
        assert any(word in sentence for word in REMEDY), sentence
        return
    read = read_file(animal.data, name=animal.name, reading=animal.reading, task="auto")
    data = read.dataset
    assert list(data.X) == list(animal.X)
    for column, values in animal.X.items():
        equal(data.X[column], values)
    assert data.y.tolist() == animal.y
    assert {c: data.kinds[c] for c in animal.kinds} == dict(animal.kinds)
    assert {c: data.units[c] for c in animal.units} == dict(animal.units)
    assert any(animal.hint in hint for hint in ("", *read.found.hints))
    assert {column.name for column in read.found.columns} == {*animal.X, data.y.name}
    assert all(column.read_as in column.choices for column in read.found.columns)


def equal(column, values):
    """Assert that a column holds these values, every digit of them."""
    found = [None if pd.isna(value) else value for value in column.astype(object)]
    if any(isinstance(value, str) for value in values):
        assert found == values
        return
    assert [f is None for f in found] == [v is None for v in values]
    known = [(f, v) for f, v in zip(found, values, strict=True) if v is not None]
    assert all(not isinstance(f, str) for f, _ in known), found
    assert [f for f, _ in known] == [v for _, v in known]
    if column.dtype == np.float64:
        assert not np.isinf(column).any()
