"""Do the tests notice? Forty faults, half of them in `ui`, planted one at a time in a copy.

Run it with ``python -m benchmarks.seeded_faults [NUMBER ...]``. A fault is one of the slips that
people make: a bound that moves by one, a sign, a forgotten case. Each is looked for by those files
of tests that are about it, first among the tests that ``make test`` runs, then among those of
``.ci/run``. At least 36 of 40 must be noticed by ``make test``, all by ``.ci/run``.
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
LEAST = {"make test": 36, ".ci/run": 40}
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
    Fault(
        "words: a leaf against a split is no change",
        "ui/shared/difference.py",
        "(Change.CHANGED, Change.OTHER_CLASS, Change.LEAF_OR_SPLIT)",
        "(Change.CHANGED, Change.OTHER_CLASS)",
        ("ui/test_difference.py", "ui/test_sentences.py"),
    ),
    Fault(
        "figures: a tree that is worse than the baseline is marked as better",
        "ui/rules/short.py",
        '{"better": 0, "worse": 1}',
        '{"better": 0, "worse": 0}',
        ("ui/test_in_short.py", "ui/test_sentences.py"),
    ),
    Fault(
        "words: McNemar's test counts one side twice",
        "ui/pruning/words.py",
        "int((grown & ~left).sum())",
        "int((left & ~grown).sum())",
        ("ui/test_pruning.py", "ui/test_sentences.py"),
    ),
    Fault(
        "words: the baseline is the class most often predicted",
        "ui/shared/headline.py",
        "training.confusion.sum(axis=1)",
        "training.confusion.sum(axis=0)",
        ("ui/test_headings.py", "ui/test_in_short.py", "ui/test_sentences.py"),
    ),
    Fault(
        "words: empty leaves are undecided",
        "ui/rules/costs.py",
        "(counts[:, 0] == counts[:, 1]) & (counts[:, 0] > 0)",
        "counts[:, 0] == counts[:, 1]",
        ("ui/test_costs.py", "ui/test_sentences.py"),
    ),
    Fault(
        "figures: a row of the difference has the number before its own",
        "ui/shared/difference.py",
        "row=rows + 1,",
        "row=rows,",
        ("ui/test_difference.py",),
    ),
    Fault(
        "figures: a clicked dot of *data* is the row before",
        "ui/data/figures.py",
        "wrong, rows + 1, texts)",
        "wrong, rows, texts)",
        ("ui/test_brushing.py", "ui/test_pages.py", "ui/test_chart_host.py"),
    ),
    Fault(
        "figures: only the first rows of a regression are drawn",
        "ui/boundaries/regression_view.py",
        "np.arange(MOST_DRAWN) * n // MOST_DRAWN",
        "np.arange(MOST_DRAWN)",
        ("ui/test_regression.py", "ui/test_shown_models.py"),
    ),
    Fault(
        "figures: times stand over all rows, not those of a fold",
        "ui/compare/figures.py",
        "    n *= (scene.study.folds - 1) / scene.study.folds\n",
        "",
        ("ui/test_compare.py",),
    ),
    Fault(
        "figures: the two worst by an error are compared",
        "ui/compare/scene.py",
        "self.scores.sign * self.scores.means",
        "self.scores.means",
        ("ui/test_compare.py",),
    ),
    Fault(
        "figures: wrong rows of a brushed leaf are all of its rows",
        "ui/shared/brushing.py",
        "(counts[ends].sum(axis=1) - right)",
        "counts[ends].sum(axis=1)",
        ("ui/test_brushing.py",),
    ),
    Fault(
        "figures: the outside of a test holds its inside",
        "ui/textbook/words.py",
        "sums.counts.sum(axis=0) - inside",
        "sums.counts.sum(axis=0)",
        ("ui/test_textbook.py", "ui/test_sentences.py"),
    ),
    Fault(
        "links: a quiz opens at the question before",
        "ui/state/quiz_codes.py",
        "counted_from_one=True, high=MOST_QUESTIONS",
        "high=MOST_QUESTIONS",
        ("ui/test_quiz.py", "ui/test_codec.py", "ui/test_selection.py"),
    ),
    Fault(
        "links: a click marks the row after the one that was clicked",
        "ui/state/session.py",
        'pick_row(int(click["row"]) - 1)',
        'pick_row(int(click["row"]))',
        ("ui/test_brushing.py", "ui/test_boundaries.py", "ui/test_rules.py"),
    ),
    Fault(
        "links: slides that change places stay",
        "ui/story/page.py",
        "slides[place], slides[place - 1], *",
        "slides[place - 1], slides[place], *",
        ("ui/test_story_page.py", "ui/test_story.py"),
    ),
    Fault(
        "links: a scene of this version is of a newer one",
        "ui/compute/scene_file.py",
        "if found > VERSION:",
        "if found >= VERSION:",
        ("ui/test_scene_file.py",),
    ),
    Fault(
        "exports: an offline page begins at means",
        "ui/shared/page_file.py",
        "np.median(column)",
        "np.mean(column)",
        ("ui/test_exports.py",),
    ),
    Fault(
        "exports: missing values are a share of the distinct ones",
        "ui/data/report.py",
        "column.n_missing / found.n_samples",
        "column.n_missing / column.n_distinct",
        ("ui/test_report.py", "ui/test_lacks.py", "ui/test_missing_data.py", "ui/test_pages.py"),
    ),
    Fault(
        "exports: a report divides by what was predicted",
        "ui/shared/report.py",
        "part.accuracy_by_class, part.confusion.sum(axis=1)",
        "part.accuracy_by_class, part.confusion.sum(axis=0)",
        ("ui/test_report.py", "ui/test_exits.py"),
    ),
    Fault(
        "exports: another row is blamed for a class that is not known",
        "ui/shared/new_table.py",
        "row=int(rows.lines[place]),\n                names=",
        "row=int(rows.lines[0]),\n                names=",
        ("ui/test_uploads.py", "ui/test_exports.py", "ui/test_sentences.py"),
    ),
)


def noticed(fault: Fault, project: Path, ring: str) -> str | None:
    """First test of a ring that fails for a fault in a copy of the project, or None."""
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
        meant = f"at least {LEAST[ring]} of {len(FAULTS)} are meant"
        print(f"{n} of {len(numbers)} noticed by {ring}, {meant}")
    return any(count[ring] < len(numbers) - len(FAULTS) + LEAST[ring] for ring in RINGS)


if __name__ == "__main__":
    sys.exit(main())
