"""Do the tests notice? Twenty faults, planted one at a time in a copy of the project.

Run it with ``python -m benchmarks.seeded_faults [NUMBER ...]``. A fault is one of the slips that
people make: a bound that moves by one, a sign, a forgotten case. Each is looked for by those files
of tests that are about it, first among the tests that ``make test`` runs, then among those of
``.ci/run``. At least 18 of 20 must be noticed by ``make test``, all by ``.ci/run``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from lastviz._machine_code import cache_folder
from tests.stages import ROOT, stages_of

RINGS = {"make test": "", ".ci/run": "--ci"}  # as tests/stages.py calls them
LEAST = {"make test": 18, ".ci/run": 20}
LEFT_OUT = (".git", ".venv", ".numba_cache", "build", "__pycache__", "*.png", "*.webp")


class Fault(NamedTuple):
    """A text of a file, what stands there instead, and the tests that are about it."""

    about: str
    file: str
    right: str
    wrong: str
    tests: tuple[str, ...]


FAULTS = (
    Fault(
        "kernel: a row at a threshold goes second",
        "tree/apply_kernels.py",
        "X[i, feature[node]] <= threshold[node] else",
        "X[i, feature[node]] < threshold[node] else",
        ("tree/test_tree.py", "estimators/test_cart_against_sklearn.py"),
    ),
    Fault(
        "kernel: the mean of both dominances is their sum",
        "criteria/rank_kernels.py",
        "return 0.5 * total if dominance == BOTH else total",
        "return total",
        ("criteria/test_rank.py",),
    ),
    Fault(
        "kernel: of nodes that are equally alike the last",
        "inspection/matching_kernels.py",
        "if found > overlap[a]:",
        "if found >= overlap[a]:",
        ("inspection/test_tree_diff.py", "inspection/test_stability.py"),
    ),
    Fault(
        "kernel: a scale is half of what it is",
        "splitters/oblique/standardise_kernels.py",
        "half * (2.0 * deviation)",
        "half * deviation",
        ("splitters/test_oblique_search.py",),
    ),
    Fault(
        "pruning: a branch that was cut counts as it was",
        "pruning/cost_complexity_kernels.py",
        "risk[child] if cut else inside[child]",
        "inside[child]",
        ("pruning/test_cost_complexity.py",),
    ),
    Fault(
        "pruning: the smaller tree may not look worse",
        "pruning/error_based_kernels.py",
        "SLACK = 0.1",
        "SLACK = 0.0",
        ("pruning/test_error_based.py", "estimators/test_against_naive.py"),
    ),
    Fault(
        "pruning: the prior of a class counts once",
        "pruning/estimates.py",
        "own - m * prior",
        "own - prior",
        ("pruning/test_pruners.py",),
    ),
    Fault(
        "pruning: a split has a place more than it has",
        "pruning/estimates.py",
        "np.maximum(tree.n_node_samples - 1, 1)",
        "tree.n_node_samples",
        ("pruning/test_pruners.py",),
    ),
    Fault(
        "codec: the plus of a power of ten is a space in a link",
        "ui/state/edit_codes.py",
        '.removesuffix(".0").replace("+", "")',
        '.removesuffix(".0")',
        ("ui/test_edit_codes.py",),
    ),
    Fault(
        "codec: a link leaves out columns that the reader chose",
        "ui/state/codec.py",
        "if value != others.get(name, declared.default):",
        "if value != declared.default:",
        ("ui/test_codec.py",),
    ),
    Fault(
        "codec: a text that is cut off is read as far as it goes",
        "ui/state/link_texts.py",
        "if not inflate.eof:",
        "if inflate.unconsumed_tail:",
        ("ui/test_codec.py", "ui/test_story.py", "ui/test_quiz.py"),
    ),
    Fault(
        "figures: splits of one level too many",
        "plots/boundary_plot.py",
        "regions.depth < selection.depth",
        "regions.depth <= selection.depth",
        ("plots/test_boundary_plot.py",),
    ),
    Fault(
        "figures: shares of the columns instead of the rows",
        "plots/confusion_plot.py",
        "matrix.sum(axis=1, keepdims=True)",
        "matrix.sum(axis=0, keepdims=True)",
        ("plots/test_data_plots.py",),
    ),
    Fault(
        "figures: the eighth class has the mark of the first",
        "plots/visuals/theme.py",
        "SYMBOLS[(index % n_hues + index // n_hues) % len(SYMBOLS)]",
        "SYMBOLS[index % n_hues]",
        ("plots/test_colours.py", "plots/test_theme.py"),
    ),
    Fault(
        "words: 13rd",
        "ui/text.py",
        "in (11, 12, 13)",
        "in (11, 12)",
        ("ui/test_text.py",),
    ),
    Fault(
        "words: a count below zero has a hyphen for its sign",
        "plots/visuals/words.py",
        'return f"{value:{mark}}".replace("-", _MINUS)',
        'return f"{value:{mark}}"',
        ("ui/test_text.py", "plots/test_labels.py"),
    ),
    Fault(
        "words: a gap of a translation has another name",
        "locale/zh/LC_MESSAGES/lastviz.po",
        "从 {now} 到 {name}：",
        "从 {now} 到 {next}：",
        ("ui/test_language.py",),
    ),
    Fault(
        "export: a quote in a text ends it",
        "export/code_words.py",
        """str(value).replace("'", "''")""",
        "str(value)",
        ("export/test_equal_predict.py", "export/test_forms.py"),
    ),
    Fault(
        "export: parts of a row go to the other branch",
        "export/sql.py",
        "if child != first:",
        "if child == first:",
        ("export/test_equal_predict.py", "export/test_forms.py"),
    ),
    Fault(
        "export: minus infinity comes back as infinity",
        "export/tree_json.py",
        '"-inf": "-Infinity"',
        '"-inf": "Infinity"',
        ("export/test_forms.py", "export/test_equal_predict.py"),
    ),
)


def noticed(fault: Fault, project: Path, ring: str) -> str | None:
    """Return the first test of a ring that fails for a fault in a copy of the project, or None."""
    [stage] = [stage for stage in stages_of(RINGS[ring]) if stage.name == "tests"]
    files = [f"tests/{name}" for name in fault.tests]
    environment = {**os.environ, "LASTVIZ_CACHE": str(project / "kernels")}
    done = subprocess.run(
        [*stage.command, "-n", "0", "-x", *files],
        cwd=project, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 1, 5):  # passed, failed, none of these files is of this ring
        raise RuntimeError(done.stdout + done.stderr)
    found = re.search(r"^(?:FAILED|ERROR) tests/(\S+)", done.stdout, re.M)
    return found[1] if found and done.returncode == 1 else None


def main() -> int:
    numbers = [int(text) for text in sys.argv[1:]] or range(1, len(FAULTS) + 1)
    count = dict.fromkeys(RINGS, 0)
    with tempfile.TemporaryDirectory(prefix="lastviz-faults-") as folder:
        project = Path(folder) / "project"
        shutil.copytree(ROOT, project, ignore=shutil.ignore_patterns(*LEFT_OUT))
        shutil.copytree(cache_folder(), project / "kernels")
        for number in numbers:
            fault = FAULTS[number - 1]
            path = project / "lastviz" / fault.file
            whole = path.read_text(encoding="utf-8")
            assert whole.count(fault.right) >= 1, fault
            path.write_text(whole.replace(fault.right, fault.wrong, 1), encoding="utf-8")
            test = ring = None
            for ring in RINGS:
                test = noticed(fault, project, ring)
                if test is not None:
                    break
            path.write_text(whole, encoding="utf-8")
            for each in RINGS if ring == "make test" else [".ci/run"]:
                count[each] += test is not None
            print(f"{number:2} {fault.about}: {test or 'NOT NOTICED'}", end="")
            print(f" ({ring})" if test else "", flush=True)
    for ring, n in count.items():
        print(f"{n} of {len(numbers)} noticed by {ring}, at least {LEAST[ring]} of 20 are meant")
    return any(count[ring] < len(numbers) - 20 + LEAST[ring] for ring in RINGS)


if __name__ == "__main__":
    sys.exit(main())
