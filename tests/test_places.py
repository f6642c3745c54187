"""Where the app lies: beside a checkout, or copied from a package to the user's cache."""

import pytest

from lastviz import _places
from lastviz._places import app_folder


@pytest.fixture(autouse=True)
def asked_anew():
    app_folder.cache_clear()
    yield
    app_folder.cache_clear()


@pytest.fixture
def package(tmp_path, monkeypatch):
    brought = tmp_path / "lastviz" / "_app"
    (brought / "pages").mkdir(parents=True)
    (brought / "app.py").write_text("run()")
    (brought / "pages" / "home.py").write_text("home()")
    monkeypatch.setattr(_places, "BROUGHT", brought)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return brought


def test_a_checkout_has_it_beside_the_package():
    assert (app_folder() / "app.py").is_file()
    assert app_folder() == _places.PACKAGE.parent


def test_a_package_has_it_copied_once(package, tmp_path):
    folder = app_folder()
    assert folder.is_relative_to(tmp_path / "cache")
    assert (folder / "pages" / "home.py").read_text() == "home()"
    (folder / "static").mkdir()
    app_folder.cache_clear()
    assert app_folder() == folder
    assert (folder / "static").is_dir()  # it was not copied again


def test_another_version_has_a_folder_of_its_own(package):
    before = app_folder()
    (package / "app.py").write_text("run_otherwise()")
    app_folder.cache_clear()
    assert app_folder() != before
    assert before.is_dir()


def test_without_a_place_to_write_it_is_served_from_the_package(package, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert app_folder() == package
