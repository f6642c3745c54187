"""Machine code that a server loads."""

import runpy
from types import SimpleNamespace

from lastviz.host import preparing


def test_all_is_loaded_once_nobody_compiles_any_more(monkeypatch):
    lives, loaded = iter([True, True, False]), []
    kernels = [SimpleNamespace(load=lambda name=name: loaded.append(name)) for name in "ab"]
    monkeypatch.setattr(preparing, "KERNELS", kernels)
    monkeypatch.setattr(preparing, "sleep", lambda seconds: loaded.append("nap"))
    monkeypatch.setattr(preparing.preparation, "is_under_way", lambda: next(lives))
    preparing.load_when_compiled()
    assert loaded == ["nap", "nap", "a", "b"]


def test_intermediate_code_stays_packed_until_a_caller_is_compiled(tmp_path):
    file = tmp_path / "halves.py"
    file.write_text(
        "from numba import njit\n\n@njit(cache=True)\ndef half(x):\n    return x / 2\n\n"
        "@njit\ndef quarter(x):\n    return half(half(x))\n"
    )
    first, again = (runpy.run_path(str(file)) for _ in range(2))
    assert first["half"](3.0) == again["half"](3.0) == 1.5  # compiled, then loaded
    assert sum(again["half"].stats.cache_hits.values()) == 1
    (loaded,) = again["half"].overloads.values()
    assert loaded.library._shared_module is None
    assert again["quarter"](3.0) == 0.75
    assert loaded.library._shared_module is not None
