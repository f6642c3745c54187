import subprocess
import sys
from pathlib import Path

from lastviz._numba import cache_folder, digest_of

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


def test_machine_code_is_named_by_the_source_of_all_kernels(tmp_path):
    (tmp_path / "_numba.py").write_text("kernel = 1")
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "a_kernels.py").write_text("a = 1")
    (tmp_path / "part" / "other.py").write_text("b = 1")
    before = digest_of(tmp_path)
    (tmp_path / "part" / "other.py").write_text("b = 2")
    assert digest_of(tmp_path) == before
    (tmp_path / "part" / "a_kernels.py").write_text("a = 2")
    assert digest_of(tmp_path) != before


def test_the_folder_of_the_machine_code_can_be_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_CACHE", str(tmp_path))
    assert cache_folder().parent == tmp_path
