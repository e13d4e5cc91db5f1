"""What this machine gives to an arena."""

import os
import shutil

import pytest

from arena import doctor
from arena.referee.sandbox import Level


def test_the_report_names_the_level_that_works_and_what_it_holds() -> None:
    report = doctor.report()
    assert report.isolation in set(Level)
    assert report.holds == doctor.HOLDS[report.isolation]
    assert (report.better is None) == (report.isolation == "bwrap")
    assert report.cores == len(os.sched_getaffinity(0))


def test_every_language_is_found_or_its_package_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/node" if name == "node" else None)
    tools = {tool.language: tool for tool in doctor.report().tools}
    assert tools["javascript"].path == "/usr/bin/node"
    assert (tools["go"].path, tools["go"].package) == (None, "golang-go")


def test_every_level_says_what_it_holds() -> None:
    assert doctor.HOLDS.keys() == set(Level)
