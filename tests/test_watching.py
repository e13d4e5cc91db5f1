"""`arena match --watch`: every change of the sources plays the match again."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path

from tests.arena_cli import LITTLE, PATIENCE, Arena, alive, descendants, started, until

NONE = ["--isolation", "none"]


class Errors:
    """What a command says on stderr, as far as it has come."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stderr is not None
        self._descriptor = process.stderr.fileno()
        os.set_blocking(self._descriptor, False)
        self.text = ""

    def count(self, words: str) -> int:
        with contextlib.suppress(BlockingIOError):
            self.text += os.read(self._descriptor, 65536).decode()
        return self.text.count(words)

    def until(self, words: str, times: int = 1) -> None:
        until(lambda: self.count(words) >= times)


def change(arena: Arena, file: str, text: str) -> None:
    """Give a file other words in one step, as an editor does."""
    new = arena.folder.parent / "new"  # nobody watches there
    new.write_text(text)
    new.replace(arena.folder / file)


def test_a_change_plays_again_and_a_flaw_is_told(arena: Arena) -> None:
    bot, other = arena.bot("one"), arena.bot("two")
    words = ["match", "herd", bot, other, "--option", "size=2", "--watch", "one", *NONE]
    with started(*words, "--record", "m.jsonl", cwd=arena.folder) as process:
        told = Errors(process)
        told.until("watching one; Ctrl-C ends")
        change(arena, "one/bot.py", LITTLE + "\n")
        told.until("changed: bot.py")
        told.until("watching one; Ctrl-C ends", 2)
        change(arena, "one/bot.toml", "name = one")
        told.until("bot.toml")
        told.until("arena: ")
        told.until("watching one; Ctrl-C ends", 3)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    assert len((arena.folder / "m.jsonl").read_text().splitlines()) == 2
    assert told.text.count("deal ") == 2
    deals = [line for line in told.text.splitlines() if line.startswith("deal ")]
    assert len(set(deals)) == 1


def test_a_change_breaks_a_match_off(arena: Arena) -> None:
    bot, other = arena.bot("one"), arena.bot("two")
    limits = ["--turn-time", "10m", "--first-time", "10m"]
    words = ["match", "herd", f"{bot} slow 600", other, "--watch", "one", *limits, *NONE]
    with started(*words, cwd=arena.folder) as process:
        told = Errors(process)
        told.until("deal ")
        first = until(lambda: descendants(process.pid))
        change(arena, "one/bot.py", LITTLE + "\n")
        told.until("deal ", 2)
        until(lambda: not alive(first))
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    assert "watching" not in told.text


def test_what_a_match_writes_is_no_change(arena: Arena) -> None:
    words = ["match", "herd", arena.bot("one"), arena.bot("two"), "--option", "size=2", *NONE]
    files = ["--record", "m.jsonl", "--store", "arena.db", "--trace", "talk.txt"]
    with started(*words, *files, "--watch", ".", cwd=arena.folder) as process:
        told = Errors(process)
        told.until("watching .; Ctrl-C ends")
        change(arena, "one/bot.py", LITTLE + "\n")
        told.until("watching .; Ctrl-C ends", 2)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    assert [line[9:] for line in told.text.splitlines() if "changed" in line] == [
        "changed: one/bot.py"
    ]


def test_only_a_folder_can_be_watched(arena: Arena) -> None:
    done = arena("match", "herd", arena.bot("one"), "random", "--watch", "one/bot.py", *NONE)
    assert (done.status, Path("arena.db").exists()) == (2, False)
    assert "--watch: one/bot.py is not a folder" in done.err
