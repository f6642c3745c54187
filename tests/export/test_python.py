from lastviz.datasets import ColumnReading, Reading
from lastviz.export import ScriptRecipe, as_python


def test_a_file_is_read_and_every_step_is_taken(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{i},{i % 7},{'no' if i < 20 else 'yes'}" for i in range(40)]
    (tmp_path / "my table.csv").write_text("a,b,class\n" + "\n".join(rows))
    recipe = ScriptRecipe(
        data=None,
        file="my table.csv",
        data_params={
            "target": "class",
            "reading": Reading(columns=(("b", ColumnReading(missing=("-9",))),)),
        },
        steps=(("select", (["a"],), {}), ("scale", ("standard",), {})),
        held_out=0.25,
        seed=3,
        models=(("cart", "CARTClassifier", {"max_depth": 2}), ("c45", "C45Classifier", {})),
    )
    names = {}
    exec(as_python(recipe), names)
    assert names["dataset"].feature_names == ("a",)
    assert names["ColumnReading"] is ColumnReading
    assert names["cart"].max_depth == 2
    assert len(names["held_out"]) == 10
    assert "cart: accuracy held out 1.0" in capsys.readouterr().out


def test_without_held_out_rows_the_training_accuracy_is_printed(capsys):
    recipe = ScriptRecipe("iris", None, {}, (), 0.0, 1, (("c45", "C45Classifier", {}),))
    exec(as_python(recipe), {})
    assert "c45: accuracy in training 0.9" in capsys.readouterr().out
