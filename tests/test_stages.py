"""The three rings: each test runs in one stage, and no budget fails any."""

from __future__ import annotations

from itertools import product

import pytest

from benchmarks.seeded_faults import FAULTS

from . import stages

MARKS = ("e2e", "main", "ci", "slow")


def stages_with(ring: str, marks: dict[str, bool]) -> list[str]:
    """Return the stages of a ring that run a test with these marks, but for the second time."""
    return [
        stage.name
        for stage in stages.stages_of(ring)
        if stage.name in ("tests", "browser")
        if ("--ignore=tests/e2e" not in stage.command) == marks["e2e"]
        if "-m" not in stage.command[3:]
        or eval(stage.command[stage.command.index("-m", 3) + 1], dict(marks))
    ]


@pytest.mark.parametrize("present", [*product([False, True], repeat=len(MARKS))])
def test_every_test_runs_in_one_stage_whatever_its_marks(present):
    marks = dict(zip(MARKS, present, strict=True))
    [name] = stages_with("--all", marks)
    first = not marks["slow"] and (marks["main"] if marks["e2e"] else not marks["ci"])
    assert stages_with("", marks) == [name] * first
    assert stages_with("--ci", marks) == [name] * (not marks["slow"])


@pytest.mark.parametrize("ring", stages.RINGS)
def test_a_stage_far_beyond_its_budget_is_printed_and_kept_and_fails_nothing(
    ring, monkeypatch, capsys, tmp_path
):
    spent = iter([0.0, 0.5, 0.5, 99.5])
    monkeypatch.setattr(stages, "minutes_of_processors", lambda: next(spent))
    monkeypatch.setattr(stages, "stages_of", lambda _: [stages.Stage("a", 1.0, ["true"])] * 2)
    monkeypatch.setattr(stages, "KEPT", tmp_path / "kept.txt")
    monkeypatch.setattr(stages.sys, "argv", ["stages.py", *filter(None, [ring]), "--keep"])
    monkeypatch.setattr(stages.os, "environ", {})
    assert stages.main() == 0
    kept = (tmp_path / "kept.txt").read_text(encoding="utf-8")
    assert kept in capsys.readouterr().out
    assert [line.split()[-5] for line in kept.splitlines()[:2]] == ["0.5", "99.0"]


def test_a_stage_that_fails_is_named_and_those_after_it_run(monkeypatch, capsys):
    commands = [stages.Stage("a", 9.0, ["false"]), stages.Stage("b", 9.0, ["true"])]
    monkeypatch.setattr(stages, "stages_of", lambda _: commands)
    monkeypatch.setattr(stages.sys, "argv", ["stages.py"])
    assert stages.main() == 1
    assert capsys.readouterr().out.endswith("1 passed, 1 failed a\n")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.about)
def test_every_fault_that_is_seeded_has_its_place_and_its_tests(fault):
    assert fault.right in (stages.ROOT / "lastviz" / fault.file).read_text(encoding="utf-8")
    assert all((stages.ROOT / "tests" / name).is_file() for name in fault.tests)
