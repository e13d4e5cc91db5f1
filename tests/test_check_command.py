"""`arena check` on the command line."""

import json
import shlex
from pathlib import Path

import pytest

from tests.arena_cli import Arena

CARELESS = Path(__file__).parent / "bots/careless.py"
QUICKLY = ["--isolation", "process", "--start-time", "60s", "--turn-time", "30s"]


def bot(mode: str) -> str:
    return f"{shlex.quote(str(CARELESS))} {mode}"


def test_a_rule_that_is_kept_has_one_line(arena: Arena) -> None:
    done = arena("check", bot("good"), "--rule", "ids", "--rule", "legal-off", *QUICKLY)
    assert done.status == 0
    assert "isolation process holds little: play trusted bots only" in done.err
    handshake, ids, legal, empty, verdict = done.out.splitlines()
    assert handshake.startswith("✓ handshake: It answers hello with ready (after ")
    assert ids == "✓ ids: It answers with the id of the question (also where ids leap)"
    assert legal.startswith("– legal-off: ")
    assert (empty, verdict) == ("", "careless follows all 2 rules")


def test_a_rule_that_is_broken_has_what_to_mend(arena: Arena) -> None:
    done = arena("check", bot("counting"), "--rule", "ids", *QUICKLY)
    assert done.status == 1
    assert "✗ ids: It answers with the id of the question\n" in done.out
    assert "\n    seen      protocol: the answer has id 1, asked was 5\n" in done.out
    assert "\n    sent      '{" in done.out
    assert "\n    received  '{" in done.out
    assert (
        "\n    mend      Answer with the id of the question: do not count yourself.\n" in done.out
    )
    assert done.out.endswith("\ncareless breaks 1 of 2 rules\n")


def test_what_was_not_tried_is_counted(arena: Arena) -> None:
    done = arena("check", bot("shouting"), *QUICKLY)
    assert done.status == 1
    assert "– 24 more rules are tried when these are kept\n" in done.out


def test_a_bot_that_steers_terminals_does_not(arena: Arena) -> None:
    (arena.folder / "loud.sh").write_text("#!/bin/sh\nprintf '\\033[2J\\n'; read x\n")
    (arena.folder / "loud.sh").chmod(0o755)
    done = arena("check", "./loud.sh", *QUICKLY)
    assert done.status == 1
    assert "\x1b" not in done.out


def test_json(arena: Arena) -> None:
    done = arena("check", bot("counting"), "--rule", "ids", *QUICKLY, "--json")
    assert done.status == 1
    report = json.loads(done.out)
    assert report["bot"] == "careless"
    assert report["isolation"] == "process"
    assert report["passed"] is False
    assert [rule["outcome"] for rule in report["rules"]] == ["ok", "failed"]
    assert report["rules"][1]["rule"] == "ids"
    assert report["rules"][1]["mend"]


def test_a_rule_that_there_is_not(arena: Arena) -> None:
    done = arena("check", bot("good"), "--rule", "etiquette", *QUICKLY)
    assert done.status == 2
    assert "there is no rule etiquette; there are answers, silence, split-lines" in done.err


def test_a_bot_that_cannot_be_executed(arena: Arena) -> None:
    done = arena("check", "nobody")
    assert done.status == 3
    assert done.out == ""
    assert "bot nobody: there is no such folder" in done.err


def test_a_bot_that_cannot_be_built(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(arena.folder / "cache"))
    (arena.folder / "mine").mkdir()
    (arena.folder / "mine/bot.toml").write_text(
        'name = "mine"\nbuild = ["sh", "-c", "echo bot.c:3: oh no; exit 1"]\ncommand = ["./bot"]\n'
    )
    done = arena("check", "./mine", *QUICKLY, "--trust")
    assert done.status == 3
    assert done.err.splitlines() == [
        "building mine: sh -c echo bot.c:3: oh no; exit 1",
        "arena: bot mine cannot be built: the build ended with exit code 1:",
        "bot.c:3: oh no",
    ]
    untrusted = arena("check", "./mine", *QUICKLY)
    assert untrusted.status == 3
    assert "--trust" in untrusted.err
