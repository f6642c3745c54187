"""Every data set of the registry: shapes, seeds, declarations; the shapes that papers fix."""

import inspect

import numpy as np
import pytest

from lastviz._params import defaults
from lastviz.datasets import DATASETS, GROUPS, LARGE_SETS, NUMBER_SETS, all_datasets, load_dataset
from lastviz.datasets.shapes import EVEN_GAPS

GENERATED = [key for key, entry in DATASETS.items() if entry.PARAMS]
UNEVEN = {"checkerboard", "diagonal", "monotone", "monotone_large"}
MEASURED = {"iris": (150, 4, 3), "wine": (178, 13, 3), "digits": (1797, 64, 10)} | {
    "breast_cancer": (569, 30, 2)
}


@pytest.mark.parametrize("key", DATASETS)
def test_entry_tells_the_truth_and_its_params_are_the_signature(key):
    entry, data = DATASETS[key], load_dataset(key)
    assert entry.key == key
    assert entry.group in GROUPS
    assert entry.description.endswith(".")
    assert data.n_features == entry.n_features
    assert (data.name, data.description) == (entry.title, entry.description)
    assert data.source
    assert (data.class_counts > 0).all()
    signature = inspect.signature(entry.load)
    assert [p.name for p in entry.PARAMS] == list(signature.parameters)
    assert defaults(entry.PARAMS) == {n: p.default for n, p in signature.parameters.items()}
    for param in entry.PARAMS:
        assert param.check(param.default) == param.default
        assert param.label
        assert param.help.endswith(".")
        assert f"{param.name} : " in inspect.getdoc(entry.load)
        if param.slider:
            low, high, step = param.slider
            assert param.check(param.kind(low)) <= param.check(param.kind(high))
            assert 0 < step <= high - low
            assert low <= param.default <= high


@pytest.mark.parametrize("key", [k for k, e in DATASETS.items() if e.bayes_predict])
def test_the_best_rule_takes_the_parameters_of_the_generator(key):
    entry = DATASETS[key]
    expected = set(defaults(entry.PARAMS)) - {"n_samples", "random_state"}
    assert set(inspect.signature(entry.bayes_predict).parameters) - {"X"} == expected


@pytest.mark.parametrize("key", GENERATED)
def test_the_seed_decides(key):
    data = load_dataset(key, n_samples=200, random_state=1)
    assert data.n_samples == 200
    assert data.digest == load_dataset(key, n_samples=200, random_state=1).digest
    assert data.digest != load_dataset(key, n_samples=200, random_state=2).digest
    assert list(data.X) == [f"x{j + 1}" for j in range(data.n_features)]


@pytest.mark.parametrize("key", sorted(set(GENERATED) - UNEVEN))
def test_classes_are_as_frequent_as_each_other(key):
    counts = load_dataset(key, n_samples=301).class_counts
    assert counts.max() - counts.min() <= 2  # three clusters of one class, two of another


@pytest.mark.parametrize("key", ["checkerboard", "diagonal"])
def test_classes_of_equal_area_are_about_equally_frequent(key):
    share = load_dataset(key, n_samples=10_000).class_counts / 10_000
    assert np.abs(share - 0.5).max() < 0.02


@pytest.mark.parametrize("key", ["checkerboard", "diagonal", "monotone"])
def test_label_noise_replaces_that_share_of_the_labels(key):
    clean = load_dataset(key, n_samples=20_000)
    noisy = load_dataset(key, n_samples=20_000, label_noise=0.2)
    np.testing.assert_array_equal(clean.X, noisy.X)
    assert np.mean(clean.codes != noisy.codes) == pytest.approx(0.2, abs=0.01)


def test_measured_data_have_their_known_sizes():
    for key, shape in MEASURED.items():
        data = load_dataset(key)
        assert (*data.X.shape, data.n_classes) == shape
    assert load_dataset("iris").class_order == ("setosa", "versicolor", "virginica")
    assert load_dataset("iris").units["petal width"] == "cm"
    np.testing.assert_array_equal(load_dataset("wine").class_counts, [59, 71, 48])
    assert load_dataset("breast_cancer").class_order == ("benign", "malignant")
    assert load_dataset("digits").class_order == tuple(range(10))


def test_unknown_names_and_illegal_values_are_refused():
    with pytest.raises(ValueError, match="there is no data set 'nothing'; the keys are: xor, "):
        load_dataset("nothing")
    with pytest.raises(ValueError, match=r"noise must be a finite number >= 0.01"):
        load_dataset("xor", noise=-1)
    with pytest.raises(ValueError, match="unknown parameter 'sigma'"):
        load_dataset("xor", sigma=1)
    with pytest.raises(ValueError, match="unknown parameter 'n_samples'"):
        load_dataset("iris", n_samples=10)
    with pytest.raises(ValueError, match="scheme must be one of 'width', 'frequency'"):
        load_dataset("monotone", scheme="length")


def test_without_a_folder_only_our_own_data_sets_are_listed(monkeypatch):
    monkeypatch.delenv("LASTVIZ_DATA", raising=False)
    assert list(all_datasets()) == [*DATASETS, *NUMBER_SETS]


def test_xor_clusters():
    data = load_dataset("xor", noise=0.05)
    corner = data.X.to_numpy().round()
    np.testing.assert_array_equal(corner.sum(axis=1) % 2, data.codes)
    assert (np.unique(corner, axis=0, return_counts=True)[1] == 100).all()


def test_gauss_2d_is_as_wide_as_it_says():
    data = load_dataset("gauss_2d", spread=3.0)
    widths = data.X.groupby(data.y).std().to_numpy()
    np.testing.assert_allclose(widths, [[1, 1], [3, 3]], rtol=0.05)


def test_three_spirals_follow_the_papers_equation():
    data = load_dataset("three_spirals")
    assert (data.class_order, list(data.class_counts)) == ((1, 2, 3), [240, 240, 240])
    theta = np.linspace(0, 6 * np.pi, 240)
    for cls, start in ((1, 1), (2, 16), (3, 32)):
        radius = np.sort(np.hypot(*data.X[data.y == cls].to_numpy().T))
        np.testing.assert_allclose(radius, EVEN_GAPS * theta + start, rtol=1e-12)
    assert data.bayes_error == 0.0
    assert load_dataset("three_spirals", noise=1.0).bayes_error is None


def test_two_spreads_have_equal_distances_and_unequal_widths():
    data = load_dataset("two_spreads", n_samples=30_000)
    groups = data.X.groupby(data.y)
    centres = groups.mean().to_numpy()
    distances = [np.linalg.norm(centres[i] - centres[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    np.testing.assert_allclose(distances, 1.0, atol=0.02)
    np.testing.assert_allclose(groups.std().mean(axis=1), [0.35, 0.35, 0.1], atol=0.01)


@pytest.mark.parametrize("n_classes", [2, 4, 6, 8])
@pytest.mark.parametrize("scheme", ["width", "frequency"])
def test_monotone_never_falls(n_classes, scheme):
    data = load_dataset("monotone", n_samples=400, n_classes=n_classes, scheme=scheme)
    X, codes = data.X.to_numpy(), data.codes
    below = (X[:, None] <= X[None]).all(axis=2)
    assert (codes[:, None] <= codes[None])[below].all()
    assert data.ordered
    assert data.class_order == tuple(range(1, n_classes + 1))
    assert set(data.directions.values()) == {1}


def test_monotone_schemes_cut_by_width_or_by_frequency():
    wide = load_dataset("monotone", n_samples=20_000, n_classes=4)
    x1, x2 = wide.X.to_numpy().T
    f = x1 + (x2**2 - x1**2) / 2
    assert (f <= wide.y / 4).all()
    assert (f > (wide.y - 1) / 4).all()
    often = load_dataset("monotone", n_samples=20_000, n_classes=6, scheme="frequency")
    np.testing.assert_allclose(often.class_counts / 20_000, 1 / 6, atol=0.01)


def test_checkerboard_neighbours_differ():
    data = load_dataset("checkerboard", n_cells=3, n_samples=900)
    cell = np.floor(data.X.to_numpy() * 3).astype(int)
    colour = {tuple(c): set(data.y[(cell == c).all(axis=1)]) for c in np.unique(cell, axis=0)}
    assert len(colour) == 9
    assert colour[0, 0] == colour[1, 1] == colour[0, 2] == {0}
    assert colour[0, 1] == colour[1, 0] == colour[2, 1] == {1}


@pytest.mark.parametrize("angle", [0.0, 90.0])
def test_diagonal_at_a_right_angle_is_one_split(angle):
    data = load_dataset("diagonal", angle=angle)
    axis = data.X["x2"] > 0.5 if angle == 0 else data.X["x1"] < 0.5
    np.testing.assert_array_equal(axis, data.codes)


def test_waveform_has_unit_noise_about_its_waves():
    data = load_dataset("waveform", n_samples=30_000)
    means = data.X.groupby(data.y).mean().to_numpy()
    # Half of each of two triangles of height 6 with peaks at t = 11, 15, 7.
    assert means[0, 10] == pytest.approx(3 + 1, abs=0.1)
    assert means[0, 14] == pytest.approx(3 + 1, abs=0.1)
    assert means[1, 6] == pytest.approx(3 + 1, abs=0.1)
    assert means[2, 10] == pytest.approx(1 + 1, abs=0.1)
    assert data.X["x1"].std() == pytest.approx(1, abs=0.05)
    noise = load_dataset("waveform_noise", n_samples=30_000).X.iloc[:, 21:]
    np.testing.assert_allclose(noise.mean(), 0, atol=0.03)
    np.testing.assert_allclose(noise.std(), 1, atol=0.03)


def test_large_monotone_sets_never_fall_and_are_those_of_the_paper():
    data = load_dataset("monotone_large", n_samples=300, n_features=4, n_classes=3)
    X, y = data.X.to_numpy(), data.codes
    assert set(X[:, 2:].ravel()) <= set(range(11))
    for x, own in zip(X, y, strict=True):
        assert (y[(x <= X).all(axis=1)] >= own).all()
    value = (
        sum(0.1 * a + 0.5 * ((0.1 * b) ** 2 - (0.1 * a) ** 2) for a, b in X[0].reshape(-1, 2))
        * 2
        / 4
    )
    assert y[0] == sum(value > cut for cut in (1 / 3, 2 / 3))
    assert LARGE_SETS["LargeSet6"] == {"n_samples": 500_000, "n_features": 48, "n_classes": 8}
    with pytest.raises(ValueError, match="n_features must be even, got 5"):
        load_dataset("monotone_large", n_features=5)
