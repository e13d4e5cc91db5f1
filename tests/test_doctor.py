"""What this machine gives to an arena."""

import os
import shutil

import pytest

from arena import doctor
from arena.referee.sandbox import Level


def test_the_report_names_the_level_that_works_and_what_each_holds() -> None:
    report = doctor.report()
    described = {level.level: level for level in report.levels}
    assert list(described) == list(Level)
    assert described[report.isolation].holds
    assert (described[Level.BWRAP].raised_by, described[Level.NONE].misses != ()) == (None, True)
    assert report.cores == len(os.sched_getaffinity(0))


def test_every_language_is_found_or_its_package_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/node" if name == "node" else None)
    tools = {tool.language: tool for tool in doctor.report().tools}
    assert tools["javascript"].path == "/usr/bin/node"
    assert (tools["go"].path, tools["go"].package) == (None, "golang-go")
