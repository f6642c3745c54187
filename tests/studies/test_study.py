"""A study as a value and as a file; every fault of a file is one sentence."""

import pytest

from lastviz.estimators import ESTIMATORS, REGRESSORS
from lastviz.studies.candidates import PEERS, RESULTS_VERSION, candidates
from lastviz.studies.study import read_study, study_of

SMALL = """
name = "small"
repeats = 2
folds = 5
[[algorithms]]
key = "c45"
[[algorithms]]
key = "gsodt"
unlabelled = true
[[algorithms]]
key = "k_nn"
[algorithms.grid]
n_neighbors = [1, 5]
[[datasets]]
key = "iris"
[[datasets]]
key = "xor"
[datasets.params]
n_samples = 60
"""


def test_every_algorithm_can_be_named_and_has_a_version_of_its_figures():
    assert set(RESULTS_VERSION) == {*ESTIMATORS, *REGRESSORS, *PEERS}
    lacking = {key for key, peer in PEERS.items() if not peer.is_installed}
    assert set(candidates()) == set(RESULTS_VERSION) - lacking
    assert lacking <= {"lightgbm_monotone"}


def test_a_peer_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr("lastviz.studies.candidates.find_spec", lambda name: None)
    with pytest.raises(ValueError, match="needs the package lightgbm: pip install"):
        study_of(SMALL.replace('"c45"', '"lightgbm_monotone"'))


@pytest.mark.parametrize("text", [
    *(f'protocol = "{protocol}"\n{SMALL}' for protocol in ("fixed", "best_on_test", "nested")),
    SMALL.replace('"small"', '"a \\"b\\" \\\\ é\\n\\u007f ü"'),
])  # fmt: skip
def test_what_is_written_reads_as_the_same_study(text):
    study = study_of(text)
    assert study_of(study.to_toml()) == study
    assert study.id_for("a") == study_of(study.to_toml()).id_for("a") != study.id_for("b")


TABLE_OF_A_FILE = """
[[algorithms]]
key = "cart"
[[datasets]]
key = "table.0123456789abcdef"
name = "own"
[datasets.table]
file = "own.csv"
target = "answer"
columns = ["a", "b"]
"""


def test_a_table_is_named_by_its_digest_its_file_and_its_columns():
    study = study_of(TABLE_OF_A_FILE)
    assert study_of(study.to_toml()) == study
    assert dict(study.datasets[0].table)["columns"] == ("a", "b")


@pytest.mark.parametrize("wrong", ["columns = 5", 'columns = "a"', "columns = [5]", "rows = 3"])
def test_a_table_that_says_nonsense_is_refused(wrong):
    with pytest.raises(ValueError, match=r"table of Data set|its table must have"):
        study_of(TABLE_OF_A_FILE.replace('columns = ["a", "b"]', wrong))


def test_a_fixed_grid_is_one_algorithm_a_point_else_one_algorithm():
    names = [choice.name for choice in study_of(SMALL).algorithms]
    assert names == ["C4.5", "GSODT, unlabelled", "k-NN, n_neighbors 1", "k-NN, n_neighbors 5"]
    best = study_of('protocol = "best_on_test"\n' + SMALL).algorithms[-1]
    assert [dict(point)["n_neighbors"] for point in best.points()] == [1, 5]


def test_no_limit_is_written_none():
    text = SMALL.replace("n_neighbors = [1, 5]", "n_neighbors = [3]").replace(
        'key = "c45"', 'key = "cart"\nparams = {max_depth = "none"}'
    )
    choice = study_of(text).algorithms[0]
    assert choice.params == (("max_depth", None),)
    assert dict(choice.points()[0])["max_depth"] is None


@pytest.mark.parametrize(("old", "new", "said"), [
    ("repeats = 2", "repeat = 2", "unknown key 'repeat'"),
    ("repeats = 2", "repeats = 0", "repeats must be a whole number from 1"),
    ("folds = 5", "folds = true", "folds must be a whole number"),
    ("folds = 5", "protocol = 'honest'", "protocol must be one of fixed, best_on_test, nested"),
    ('"c45"', '"c46"', "no algorithm 'c46'"),
    ('key = "c45"', "name = 'x'", "no algorithm None"),
    ('key = "c45"', 'key = "c45"\nparms = 1', "Algorithm 'c45' has an unknown key 'parms'"),
    ('key = "c45"', 'key = "c45"\nparams = 1', "must be a table of names and values"),
    ('key = "c45"', 'key = "c45"\nunlabelled = true', "cannot see rows without classes"),
    ('key = "c45"', 'key = "c45"\nparams = {deep = 1}', "deep"),
    ("n_neighbors = [1, 5]", "n_neighbors = []", "must be a list of values"),
    ("n_neighbors = [1, 5]", "n_neighbors = [0]", "n_neighbors must be"),
    ('"iris"', '"irs"', "no data set 'irs'"),
    ("n_samples = 60", "n_sample = 60", "n_sample"),
    ('key = "iris"', 'key = "xor"', "Two data sets are called 'XOR'"),
    ('"small"', "3", "name must be a text"),
    ('"small"', '"small', "not in TOML"),
    ("[[datasets]]", "[[data]]", "unknown key 'data'"),
    ("repeats = 2", "repeats = 10000\nseed = 1", None),
    ("folds = 5", "folds = 10000\ninner_folds = 3", None),
    ("folds = 5", "folds = 5\nseed = -1", "seed must be"),
])  # fmt: skip
def test_each_fault_is_one_sentence(old, new, said):
    text = SMALL.replace(old, new)
    if said is None:
        assert study_of(text).to_toml()
        return
    with pytest.raises(ValueError, match=said) as fault:
        study_of(text)
    assert "\n" not in str(fault.value)


def test_too_much_is_refused_before_it_begins():
    text = SMALL.replace("repeats = 2", "repeats = 10000").replace("folds = 5", "folds = 1000")
    with pytest.raises(ValueError, match="folds to compute"):
        study_of(text)
    grid = f"n_neighbors = {list(range(1, 1100))}"
    with pytest.raises(ValueError, match="points is more than"):
        study_of(SMALL.replace("n_neighbors = [1, 5]", grid))


def test_files_that_are_none(tmp_path):
    with pytest.raises(ValueError, match="There is no file"):
        read_study(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="cannot be read as text"):
        read_study(tmp_path / "bytes.toml")
    (tmp_path / "named.toml").write_text(SMALL.replace('name = "small"', ""))
    assert read_study(tmp_path / "named.toml").name == "named"
