"""Machine code in files that were planted, cut, flipped or renamed, or that cannot be made."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path

import numba
import numpy as np
import pytest

from lastviz import _machine_code
from lastviz._kernel_cache import HEAD, MAGIC, KernelCache
from lastviz._machine_code import cache_folder, compiled_folder
from lastviz.estimators import ID3Classifier
from lastviz.export import model_as_json

ROOT = Path(__file__).resolve().parent.parent
as_root = pytest.mark.skipif(
    shutil.which("setpriv") is None or os.geteuid() != 0, reason="only root can be several users"
)
pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")


def more(x):
    return x + 1.0


def twice(x):
    return x * 2.0


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """The folder of the two kernels in an empty cache."""
    monkeypatch.setenv("LASTVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LASTVIZ_COMPILED", raising=False)
    _machine_code.say_once.cache_clear()
    return compiled_folder("tiny")


def run(function: Callable[[float], float] = more) -> tuple[float, bool]:
    """Call a kernel as a process that starts does; its result for 3, and whether it was there."""
    kernel = numba.njit(function)
    kernel._cache = KernelCache(function, "tiny")
    return kernel(3.0), bool(sum(kernel.stats.cache_hits.values()))


def whole(rest: bytes) -> bytes:
    return MAGIC + hashlib.blake2b(rest).digest() + rest


@pytest.fixture
def file(folder) -> Path:
    """The file of a kernel that was compiled before."""
    assert run() == (4.0, False)
    assert run() == (4.0, True)
    (path,) = folder.iterdir()
    return path


DAMAGES = {
    "empty": lambda content: b"",
    "cut in the head": lambda content: content[: HEAD // 2],
    "cut after the head": lambda content: content[:HEAD],
    "cut in half": lambda content: content[: len(content) // 2],
    "one byte short": lambda content: content[:-1],
    "one byte long": lambda content: content + b"\0",
    "without a head": lambda content: content[HEAD:],
    "of another format": lambda content: b"lastviz kernel 0" + content[len(MAGIC) :],
    "whole, but no pickle": lambda content: whole(b"no pickle"),
    "whole, but of the key alone": lambda content: whole(b"".join(_pickles(content)[:1])),
    "whole, but cut before": lambda content: whole(content[HEAD:-9]),
    "whole, but of a class that is gone": lambda content: whole(
        _pickles(content)[0] + b"cnowhere\nNothing\n."
    ),
    "whole, but nothing to rebuild": lambda content: whole(
        _pickles(content)[0] + pickle.dumps((1, 2, 3))
    ),
}


def _pickles(content: bytes) -> tuple[bytes, bytes]:
    """The key and the machine code in a file."""
    stream = BytesIO(content)
    stream.seek(HEAD)
    pickle.load(stream)
    return content[HEAD : stream.tell()], content[stream.tell() :]


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_made_again(file, damage):
    before = file.read_bytes()
    file.write_bytes(damage(before))
    assert run() == (4.0, False)
    assert run() == (4.0, True)
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_no_flipped_bit_is_overlooked(file):
    before = file.read_bytes()
    cache = KernelCache(more, "tiny")._cache_file
    (key,) = cache.keys()
    for place in [*range(HEAD), *range(HEAD, len(before), 97), len(before) - 1]:
        flipped = bytearray(before)
        flipped[place] ^= 1 << place % 8
        file.write_bytes(flipped)
        assert cache.load(key) is None
        assert not file.exists()  # so that its place is free
    file.write_bytes(before)
    assert cache.load(key) is not None


def test_the_file_of_another_kernel_is_not_taken_for_ones_own(file):
    content = file.read_bytes()
    file.unlink()
    assert run(twice) == (6.0, False)
    (other,) = file.parent.iterdir()
    other.write_bytes(content)
    assert run(twice) == (6.0, False)
    assert run(twice) == (6.0, True)


OTHERS = (12345, 12346)  # users that need not exist


class Planted:
    """What makes a file where it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple:
        return Path.touch, (self.file,)


def plant_by_another(file: Path) -> None:
    os.chown(file, OTHERS[0], -1)


def plant_by_the_group(file: Path) -> None:
    file.chmod(0o620)


def plant_in_a_folder_of_another(file: Path) -> None:
    os.chown(file.parent, OTHERS[0], -1)


def plant_in_an_open_folder(file: Path) -> None:
    file.parent.chmod(0o770)


def plant_behind_a_link(file: Path) -> None:
    file.parent.rename(file.parent.parent / "elsewhere")
    file.parent.symlink_to("elsewhere")


def plant_in_a_cache_of_another(file: Path) -> None:
    os.chown(file.parent.parent, OTHERS[0], -1)


def plant_in_an_open_cache(file: Path) -> None:
    file.parent.parent.chmod(0o1777)


INSIDE = [
    *(plant_by_the_group, plant_in_an_open_folder, plant_behind_a_link),
    *(
        pytest.param(plant, marks=as_root)
        for plant in (plant_by_another, plant_in_a_folder_of_another)
    ),
]
OUTSIDE = [plant_in_an_open_cache, pytest.param(plant_in_a_cache_of_another, marks=as_root)]


@pytest.fixture
def planted(file, tmp_path, monkeypatch) -> Path:
    """What is there once a planted file has been run; the places that may come next are empty."""
    monkeypatch.setattr(_machine_code, "is_installed", lambda: True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    key, _ = _pickles(file.read_bytes())
    file.write_bytes(whole(key + pickle.dumps(Planted(tmp_path / "was run"))))
    return tmp_path / "was run"


@pytest.mark.parametrize("plant", INSIDE)
def test_what_others_can_have_written_is_not_run_but_made_again(file, planted, plant, caplog):
    plant(file)
    assert run() == (4.0, False)
    assert run() == (4.0, True)
    assert not planted.exists()
    for path in (file, file.parent):
        assert not path.is_symlink()
        assert not path.stat().st_mode & 0o077
        assert path.stat().st_uid == os.geteuid()
    assert not caplog.messages


@pytest.mark.parametrize("plant", OUTSIDE)
def test_from_a_cache_of_others_nothing_is_run_and_the_next_place_is_said_once(
    file, planted, plant, tmp_path, caplog
):
    plant(file)
    assert run() == (4.0, False)
    assert run() == (4.0, True)
    assert not planted.exists()
    assert cache_folder() == tmp_path / "user" / "lastviz" / "kernels"
    assert cache_folder().stat().st_mode & 0o777 == 0o700
    (said,) = caplog.messages
    assert said.startswith(f"LASTVIZ_CACHE={tmp_path / 'cache'} is not used but {cache_folder()}")


def test_what_only_we_can_have_written_is_unpickled(file, planted):
    """Else the tests above would show nothing."""
    assert run() == (4.0, False)
    assert planted.exists()


# Other processes and users: the fit of an estimator, and the kernel above.
ELSEWHERE = """
import json, sys
import lastviz
from lastviz._numba import wait_for_machine_code
from tests.test_kernel_cache import run, tree
with wait_for_machine_code():
    print(json.dumps({"tree": tree(), "run": run()}))
"""


@cache
def tree() -> str:
    X = np.random.default_rng(0).integers(0, 3, size=(60, 4))
    return model_as_json(ID3Classifier().fit(X, (X[:, 0] + X[:, 1] * X[:, 2]) % 2))


@pytest.fixture(scope="module")
def code() -> Iterator[Path]:
    """The machine code of the estimator, compiled before, which all users can read."""
    with tempfile.TemporaryDirectory(prefix="lastviz-code-") as made:
        Path(made).chmod(0o755)
        own = {"LASTVIZ_CACHE": f"{made}/code", "LASTVIZ_COMPILED": str(cache_folder())}
        assert process(**own)[1] == []
        shutil.rmtree(f"{made}/code/tiny")
        for path in Path(made).rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        yield Path(made) / "code"


@pytest.fixture
def place() -> Iterator[Path]:
    """An empty folder in which every user can make files, as the temporary folder."""
    with tempfile.TemporaryDirectory(prefix="lastviz-place-") as made:
        Path(made).chmod(0o1777)
        yield Path(made)


def process(user: int | None = None, **own: str) -> tuple[bool, list[str]]:
    """Whether the machine code of the kernel was there in a new process, and what it logs."""
    given = {k: v for k, v in os.environ.items() if not k.startswith(("LASTVIZ_", "XDG_"))}
    # The user may read everything, wherever Python and this checkout are: what is not taken from a
    # file of somebody else is not for want of a permission.
    caps = (f"--{kind}-caps=+dac_read_search" for kind in ("inh", "ambient"))
    as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *caps]
    done = subprocess.run(
        [*([] if user is None else as_user), sys.executable, "-c", ELSEWHERE],
        cwd=ROOT, env={**given, **own}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["tree"] == tree()
    result, was_there = answer["run"]
    assert result == 4.0
    return was_there, done.stderr.splitlines()


@pytest.mark.ci
@as_root
def test_two_users_of_one_checkout_and_one_temporary_folder(code, place):
    """Neither can write into the checkout. What one makes under the other's name is not used."""
    own = {"LASTVIZ_COMPILED": str(code), "TMPDIR": str(place), "HOME": "/nowhere"}
    for user in OTHERS:
        assert process(user, **own) == (False, [])
        folder = place / f"lastviz-{user}"
        assert {p.stat().st_mode & 0o077 for p in [folder, *folder.rglob("*")]} == {0}
    assert process(OTHERS[1], **own) == (True, [])
    first, second = (place / f"lastviz-{user}" for user in OTHERS)
    shutil.rmtree(second)
    first.rename(second)
    was_there, said = process(OTHERS[1], **own)
    assert not was_there
    assert_one_line(said)


def assert_one_line(said: list[str]) -> None:
    (line,) = said
    assert line.startswith("Compiled kernels are not kept, the next start compiles again: ")


@pytest.mark.ci
@as_root
def test_a_full_disk_is_said_once_and_forgotten_when_there_is_space(code, place):
    disk = place / "disk"
    disk.mkdir()
    tmpfs = ["mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", str(disk)]
    if subprocess.run(tmpfs, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        own = {"LASTVIZ_COMPILED": str(code), "LASTVIZ_CACHE": str(disk)}
        with suppress(OSError), (disk / "filling").open("wb") as file:
            file.write(bytes(1 << 24))
        was_there, said = process(**own)
        assert not was_there
        assert_one_line(said)
        assert "No space left" in said[0]
        (disk / "filling").unlink()
        assert not list(disk.rglob("*.part"))
        assert process(**own) == (False, [])
        assert process(**own) == (True, [])
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.ci
def test_a_fit_over_damaged_machine_code_is_the_same(code, tmp_path):
    shutil.copytree(code, tmp_path / "code")
    whole = {path: path.stat().st_size for path in (tmp_path / "code").rglob("*.nbc")}
    cut = {path: i % 3 * size // 3 for i, (path, size) in enumerate(whole.items())}
    for path, size in cut.items():
        path.chmod(0o600)
        os.truncate(path, size)
    assert process(LASTVIZ_CACHE=str(tmp_path / "code")) == (False, [])
    read = [path for path, size in cut.items() if path.stat().st_size != size]
    assert len(read) > 2  # the others are of kernels that the fit does not call
    assert all(path.stat().st_size > 0.9 * whole[path] for path in read)  # made again


def test_what_others_can_write_into_an_image_is_not_copied(tmp_path, monkeypatch):
    image = tmp_path / "image"
    monkeypatch.setenv("LASTVIZ_COMPILED", str(image))
    for name, folder_mode, file_mode in (("a", 0o777, 0o444), ("b", 0o555, 0o666)):
        (image / name).mkdir(parents=True)
        (image / name / "planted").touch()
        (image / name / "planted").chmod(file_mode)
        (image / name).chmod(folder_mode)
        assert not list(compiled_folder(name).iterdir())


def test_where_nothing_can_be_kept_an_image_is_read_in_place(tmp_path, monkeypatch):
    (tmp_path / "image" / "tiny").mkdir(parents=True)
    monkeypatch.setenv("LASTVIZ_COMPILED", str(tmp_path / "image"))
    monkeypatch.setattr(_machine_code, "_places", lambda: iter([]))
    assert compiled_folder("tiny") == tmp_path / "image" / "tiny"
    assert compiled_folder("unknown") is None
