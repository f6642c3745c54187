"""A folder of the user's tables: described by JSON or not, read when loaded."""

import json
import os
import shutil

import numpy as np
import pandas as pd
import pytest

from lastviz.datasets import DATASETS, NUMBER_SETS, all_datasets, load_dataset, read_folder
from lastviz.datasets import folder as folder_module

CAR = {
    "target": "class",
    "class_order": ["unacc", "acc"],
    "description": "Cars.",
    "source": "a garage",
    "features": {
        "doors": {"kind": "ordinal", "order": ["2", "3", "5more"], "direction": 1},
        "seats": {"kind": "ordinal", "order": [2, 4], "direction": 1},
        "price": {"kind": "numeric", "direction": -1, "unit": "EUR"},
        "maker": {"kind": "nominal"},
    },
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "car.csv").write_text(
        "doors,seats,price,maker,class\n2,4,9.5,A,acc\n3,2,20,B,unacc\n5more,4,,A,acc\n"
    )
    (tmp_path / "car.json").write_text(json.dumps(CAR))
    (tmp_path / "xor.csv").write_text("u,v,class\n0,0,1\n0,1,2\n")
    (tmp_path / "notes.txt").write_text("not a table")
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    return tmp_path


def test_lists_the_tables_without_reading_them(folder):
    (folder / "broken.csv").write_bytes(b"\x00\x01")
    entries = read_folder(folder)
    assert list(entries) == ["folder.broken", "folder.car", "folder.xor"]
    assert entries["folder.car"].n_features == 4
    assert entries["folder.car"].description == "Cars."
    assert entries["folder.xor"].n_features is None
    with pytest.raises(ValueError, match=r"broken.csv is a binary file"):
        entries["folder.broken"].load()


def test_the_description_beside_a_table_is_used(folder):
    data = load_dataset("folder.car")
    assert (data.name, data.description, data.source) == ("car", "Cars.", "a garage")
    assert (data.class_order, data.ordered) == (("unacc", "acc"), True)
    assert data.orders == {"doors": ("2", "3", "5more"), "seats": (2, 4), "maker": ("A", "B")}
    assert data.directions == {"doors": 1, "seats": 1, "price": -1, "maker": 0}
    assert data.units["price"] == "EUR"
    np.testing.assert_array_equal(data.numeric_X["doors"], [0, 1, 2])
    np.testing.assert_array_equal(data.numeric_X["seats"], [4, 2, 4])
    assert data.has_missing


def test_ours_are_not_hidden_by_the_folder(folder):
    entries = all_datasets()
    assert list(entries) == [*DATASETS, *NUMBER_SETS, "folder.car", "folder.xor"]
    assert load_dataset("xor").n_samples == 400
    assert list(load_dataset("folder.xor").X) == ["u", "v"]


def test_changes_of_the_folder_are_seen(folder):
    assert "folder.new" not in all_datasets()
    (folder / "new.csv").write_text("a,class\n1,x\n2,y\n")
    assert "folder.new" in all_datasets()
    (folder / "car.json").write_text(json.dumps({**CAR, "description": "Vehicles."}))
    os.utime(folder / "car.json", (1, 1))
    assert all_datasets()["folder.car"].description == "Vehicles."


@pytest.mark.parametrize(
    ("sidecar", "message"),
    [
        ("{", "car.json is not valid JSON"),
        ("[1]", "car.json must hold an object with an object 'features'"),
        ('{"features": 3}', "car.json must hold an object with an object 'features'"),
        ('{"target": "none"}', "car.csv: there is no column 'none'; the columns are: doors"),
        (
            '{"features": {"doors": {"kind": "ordinal", "order": ["2", "3"]}}}',
            "car.csv: column 'doors' holds '5more' in row 4, which is not one of 2, 3",
        ),
        (
            '{"class_order": ["acc", "good"]}',
            "car.csv: column 'class' holds 'unacc' in row 3, which is not one of acc, good",
        ),
        (
            '{"features": {"size": {"kind": "numeric"}}}',
            "kinds names 'size', which is not a column",
        ),
    ],
)
def test_a_wrong_description_is_said_on_loading(folder, sidecar, message):
    (folder / "car.json").write_text(sidecar)
    assert "folder.car" in all_datasets()
    with pytest.raises(ValueError, match=message):
        load_dataset("folder.car")


def test_no_folder(tmp_path):
    with pytest.raises(ValueError, match="LASTVIZ_DATA must name a folder"):
        read_folder(tmp_path / "nowhere")


def test_a_file_that_was_written_again_is_another_version(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("x,class\n1,a\n2,b\n")
    before = read_folder(tmp_path)["folder.scores"]
    path.write_text("x,z,class\n1,1,a\n2,2,b\n")
    os.utime(path, ns=(1, 1))
    after = read_folder(tmp_path)["folder.scores"]
    assert before.version != after.version
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy2(path, elsewhere / "scores.csv")
    assert read_folder(elsewhere)["folder.scores"].version != after.version


def table_of(n, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "c"])
    return frame.assign(class_=np.where(frame.a > 0, "up", "down")).rename(
        columns={"class_": "class"}
    )


def test_a_parquet_file_is_read_by_a_stated_number_of_rows(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    whole = table_of(1000)
    whole.to_parquet(tmp_path / "big.parquet", row_group_size=77, index=False)
    entry = read_folder(tmp_path)["folder.big"]
    assert (entry.n_features, entry.PARAMS[0].default, entry.PARAMS[0].high) == (3, 1000, 1000)
    assert load_dataset("folder.big").n_samples == 1000
    part = load_dataset("folder.big", n_samples=10)
    rows = np.linspace(0, 999, 10).round().astype(int)
    np.testing.assert_array_equal(part.X["a"], whole["a"].to_numpy()[rows])
    assert part.y.tolist() == whole["class"].to_numpy()[rows].tolist()
    assert part.name == "big"
    with pytest.raises(ValueError, match="n_samples"):
        load_dataset("folder.big", n_samples=1001)


def test_more_than_is_usual_is_drawn_from_a_large_file(tmp_path, monkeypatch):
    monkeypatch.setattr(folder_module, "USUAL_ROWS", 50)
    monkeypatch.setattr(folder_module, "MOST_ROWS_OF_FOLDER", 400)
    table_of(500).to_parquet(tmp_path / "big.parquet", index=False)
    (param,) = read_folder(tmp_path)["folder.big"].PARAMS
    assert (param.default, param.high) == (50, 400)


def test_other_kinds_of_tables_are_listed_and_none_hides_another(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    table = table_of(40)
    table.to_csv(tmp_path / "one.csv", index=False)
    table.to_csv(tmp_path / "packed.csv.gz", index=False)
    table.to_parquet(tmp_path / "one.parquet", index=False)
    table.to_feather(tmp_path / "quick.feather")  # is none
    (tmp_path / "packed.json").write_text(json.dumps({"description": "Packed."}))
    entries = read_folder(tmp_path)
    assert list(entries) == ["folder.one", "folder.one.parquet", "folder.packed"]
    assert entries["folder.packed"].description == "Packed."
    for key in entries:
        np.testing.assert_allclose(load_dataset(key).X["a"], table["a"])


def test_a_damaged_parquet_file_is_listed_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 not really PAR1")
    assert list(read_folder(tmp_path)) == ["folder.bad"]
    with pytest.raises(ValueError, match=r"bad.parquet is no Parquet file that can be read"):
        load_dataset("folder.bad")
    pd.DataFrame({"a": [[1], [2]], "class": ["x", "y"]}).to_parquet(tmp_path / "lists.parquet")
    with pytest.raises(ValueError, match="holds lists"):
        load_dataset("folder.lists")
