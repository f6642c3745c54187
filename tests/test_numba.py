import importlib
import inspect
import subprocess
import sys
from pathlib import Path

from numba import types

from lastviz._numba import PACKAGE, _kernels_in, _read_by, cache_folder, digest_of
from lastviz.warm_up import warm_up

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


def test_a_second_process_compiles_nothing():
    for code in ("from lastviz.warm_up import warm_up; warm_up()", IN_ANOTHER_PROCESS):
        subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, check=True)


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


def _records(numba_type):
    """Yield the named tuples that a type is made of."""
    if isinstance(numba_type, types.BaseNamedTuple):
        yield numba_type.instance_class
    if isinstance(numba_type, types.BaseTuple):
        for part in numba_type:
            yield from _records(part)


def _compiled_for(file):
    """Yield the named tuples that kernels of a file have been compiled for."""
    name = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
    for value in vars(importlib.import_module(name)).values():
        if getattr(value, "__module__", "") == name and hasattr(value, "overloads"):
            caching = getattr(value._cache, "_cache_file", None)
            for signature, *_ in caching._load_index() if caching else ():
                for part in signature:
                    yield from _records(part)


def test_machine_code_depends_on_no_record_of_a_file_that_is_not_read():
    """Else a record that is renamed leaves an index of machine code that cannot be opened."""
    warm_up()
    records = {file: set(_compiled_for(file)) for file in PACKAGE.rglob("*_kernels.py")}
    assert sum(map(len, records.values())) > 20
    unread = {
        (file.name, record.__name__)
        for file, found in records.items()
        for record in found
        if Path(inspect.getfile(record)).resolve() not in _read_by(file, PACKAGE)
    }
    assert not unread


def test_the_folder_of_the_machine_code_can_be_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
