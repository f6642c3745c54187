import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from lastviz._machine_code import PACKAGE, _kernels_in, _read_by, _records, cache_folder, digest_of
from lastviz._numba import kernel

ROOT = Path(__file__).resolve().parent.parent

IN_ANOTHER_PROCESS = """
from lastviz.warm_up import warm_up
warm_up()
from lastviz.builders.growth_kernels import grow
from lastviz.pruning.error_based_kernels import prune
from lastviz.pruning.cost_complexity_kernels import weakest_links
from lastviz.splitters.threshold.curves_kernels import score_curves
from lastviz.splitters.oblique.line_kernels import search_line
from lastviz.splitters.oblique.oblique_search_kernels import search_hyperplanes
from lastviz.splitters.oblique.standardise_kernels import standardise
kernels = (grow, prune, score_curves, weakest_links, search_line, search_hyperplanes, standardise)
for kernel in kernels:
    assert kernel.stats.cache_hits, kernel
    assert not kernel.stats.cache_misses, kernel
"""


@pytest.mark.ci
def test_a_second_process_compiles_nothing():
    for code in ("from lastviz.warm_up import warm_up; warm_up()", IN_ANOTHER_PROCESS):
        subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, check=True)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_a_kernel_that_is_called_with_constants_is_compiled_once():
    @kernel
    def at(i, x):
        return x[i]

    @kernel
    def ends(x):
        return at(0, x) + at(-1, x) + at(i=1, x=x)

    assert ends(np.arange(4.0)) == 4.0
    assert len(at.signatures) == 1


def test_machine_code_is_named_by_the_kernels_that_a_file_reads(tmp_path):
    (tmp_path / "_numba.py").write_text("kernel = 1")
    part = tmp_path / "part"
    part.mkdir()
    (part / "a_kernels.py").write_text("from .b_kernels import b\nfrom .other import c")
    (part / "b_kernels.py").write_text(f"from {tmp_path.name}.part import d_kernels")
    (part / "d_kernels.py").write_text("d = 1")
    (part / "e_kernels.py").write_text("e = 1")
    (part / "other.py").write_text("c = 1")

    def digest():
        _kernels_in.cache_clear()
        return digest_of(part / "a_kernels.py", tmp_path)

    before = digest()
    for unread in ("other.py", "e_kernels.py"):
        (part / unread).write_text("c = e = 2")
        assert digest() == before
    for read in ("a_kernels.py", "b_kernels.py", "d_kernels.py"):
        (part / read).write_text((part / read).read_text() + "\nx = 2")
        assert digest() != before
        before = digest()


def test_a_record_that_changes_names_all_machine_code_anew(tmp_path):
    """A kernel is compiled for the fields of its arguments, though its file may not import them."""
    (tmp_path / "_numba.py").write_text("kernel = 1")
    (tmp_path / "a_kernels.py").write_text("def a(record): return record.x")
    record = tmp_path / "b_kernels.py"

    def digest():
        _kernels_in.cache_clear()
        _records.cache_clear()
        return digest_of(tmp_path / "a_kernels.py", tmp_path)

    named = {
        record.write_text(text) and digest()
        for text in (
            "class Record:\n    x: int\n    y: int",
            "class Record:\n    y: int\n    x: int",
            "class Renamed:\n    x: int\n    y: int",
        )
    }
    assert len(named) == 3


def test_every_file_of_kernels_that_another_reads_is_seen():
    """The imports as Python resolves them, against those read from the source."""
    files = list(PACKAGE.rglob("*_kernels.py"))
    assert len(files) > 20
    for file in files:
        name = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
        module = importlib.import_module(name)
        read = {
            Path(inspect.getfile(found)).resolve()
            for value in vars(module).values()
            if (found := inspect.getmodule(getattr(value, "py_func", value))) is not None
            and found.__name__.endswith("_kernels")
        }
        assert read <= _read_by(file, PACKAGE), file


def test_the_folder_of_the_machine_code_can_be_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
