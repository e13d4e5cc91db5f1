"""Process trees: found, stopped, and ended whole."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.referee import procfs, tree
from arena.referee.tree import MARKER, Tree
from tests.arena_cli import until
from tests.contest import alive


class Family:
    """A shell script in a session of its own, as a bot is started."""

    def __init__(self, mark: str) -> None:
        self.mark = mark
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, script: str, name: str = "a") -> Tree:
        marker = f"{self.mark}-{name}"
        popen = subprocess.Popen(
            ["sh", "-c", script, self.mark],
            env={MARKER: marker, "PATH": os.environ["PATH"]},
            start_new_session=True,
        )
        self.processes.append(popen)
        return Tree(popen.pid, marker)

    def alive(self) -> list[int]:
        return alive(self.mark)

    def grown_to(self, count: int) -> None:
        """Wait until there are so many."""
        until(lambda: len(self.alive()) >= count)
        time.sleep(0.05)  # so that it is likely to be what it will be; no test relies on it


@pytest.fixture
def family(tmp_path: Path) -> Iterator[Family]:
    tree.adopt_orphans()
    one = Family(str(tmp_path))
    yield one
    for pid in one.alive():
        os.kill(pid, signal.SIGKILL)
    for process in one.processes:
        process.kill()
        process.wait()


SLEEP = "exec sleep 1000"
DAEMON = f"{sys.executable} -S -c 'import os, time; os.setsid(); time.sleep(1000)' \"$0\" &"
ORPHAN = f"({DAEMON}) ; "

SHAPES = {
    "alone": (SLEEP, 1),
    "with-children": ("sleep 1000 & sleep 1000 & wait", 3),
    "with-grandchildren": ("(sleep 1000 & wait) & (sleep 1000 & wait) & wait", 5),
    "with-a-daemon": (f"{DAEMON} {SLEEP}", 2),
    "with-an-orphan": (f"{ORPHAN} {SLEEP}", 2),
    "that-has-ended": (f"{ORPHAN} exit", 1),
    "with-a-nameless-orphan": (f"(env -u {MARKER} {DAEMON}) ; {SLEEP}", 2),
    "deaf-to-signals": ("trap '' TERM HUP INT; sleep 1000 & sleep 1000", 3),
}
shapes = pytest.mark.parametrize(
    ("script", "count"), [pytest.param(*shape, id=name) for name, shape in SHAPES.items()]
)


@shapes
def test_a_killed_family_is_gone_whole(script: str, count: int, family: Family) -> None:
    root = family.start(script)
    family.grown_to(count)
    tree.kill(root)
    assert not family.alive()


@shapes
def test_the_members_are_all_that_live(script: str, count: int, family: Family) -> None:
    root = family.start(script)
    family.grown_to(count)

    def all_that_live() -> bool:
        members = {pid for pid in tree.members(root) if not _is_zombie(pid)}
        return len(members) == count and members == set(family.alive())

    until(all_that_live)


def _is_zombie(pid: int) -> bool:
    seen = procfs.look_at(pid)
    return seen is None or seen.zombie


def test_the_root_stays_for_its_parent_to_reap(family: Family) -> None:
    root = family.start(SLEEP)
    tree.kill(root)
    assert family.processes[0].wait() == -signal.SIGKILL


CHAINS = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        for _ in range(2000):
            if os.fork():
                os._exit(0)
            time.sleep(0.001)
"""
"""Three processes at a time, each of which lives only to start the next; for some seconds."""


def test_a_family_that_forks_faster_than_it_dies_is_ended(family: Family) -> None:
    root = family.start(f"exec {sys.executable} -S -c '{CHAINS}' \"$0\"")
    time.sleep(0.3)  # no look is quick enough to see all three
    tree.kill(root)
    assert not family.alive()


def test_another_bots_processes_are_spared(family: Family) -> None:
    script, count = SHAPES["with-an-orphan"]
    victim, other = family.start(script, "a"), family.start(script, "b")
    family.grown_to(2 * count)
    tree.kill(victim, others=[other])

    def only_the_other_lives() -> bool:
        living = set(family.alive())
        return len(living) == count and living <= set(tree.members(other))

    until(only_the_other_lives)


def test_the_referees_own_children_are_spared(family: Family) -> None:
    own = subprocess.Popen(["sleep", "1000"])
    kept = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    tree.keep(kept.pid)
    try:
        tree.kill(family.start(SLEEP))
        assert own.poll() is None
        assert kept.poll() is None
    finally:
        for child in (own, kept):
            child.kill()
            child.wait()


def test_a_stopped_family_does_nothing_until_it_goes_on(family: Family) -> None:
    root = family.start("while :; do :; done & while :; do :; done")
    family.grown_to(2)
    tree.stop(root)
    until(lambda: set(map(procfs.doing, tree.members(root))) <= {"T", "Z"})
    before = _used(root)
    time.sleep(0.1)
    assert _used(root) == before
    tree.go_on(root)
    until(lambda: _used(root) > before)
    tree.stop(root)
    tree.kill(root)
    assert not family.alive()


def _used(root: Tree) -> float:
    return sum(map(procfs.cpu_seconds, tree.members(root)))


def in_a_child(deed: Callable[[], None], then: Callable[[int], None]) -> None:
    """Run something in a forked process, look at it, and end it."""
    ready_r, ready_w = os.pipe()
    child = os.fork()
    if child == 0:
        deed()
        os.write(ready_w, b".")
        time.sleep(1000)
        os._exit(0)
    try:
        os.read(ready_r, 1)
        then(child)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(ready_r)
        os.close(ready_w)


def test_a_referee_that_forbids_it_cannot_be_peeked_at() -> None:
    def look(child: int) -> None:
        assert os.stat(f"/proc/{child}/environ").st_uid == 0  # root's, whoever runs it

    in_a_child(tree.forbid_peeking, look)


def test_privileges_are_forbidden() -> None:
    def look(child: int) -> None:
        assert "NoNewPrivs:\t1" in Path(f"/proc/{child}/status").read_text()

    in_a_child(tree.forbid_privileges, look)


def test_a_child_dies_with_its_parent(tmp_path: Path) -> None:
    program = (
        "import os, subprocess, sys, time\n"
        "from arena.referee import tree\n"
        "subprocess.Popen(['sleep', '1000', sys.argv[1]], preexec_fn=tree.die_with_parent)\n"
        "print('ready', flush=True)\n"
        "time.sleep(1000)\n"
    )
    mark = str(tmp_path)
    parent = subprocess.Popen([sys.executable, "-c", program, mark], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    with parent.stdout:
        assert parent.stdout.readline() == b"ready\n"
    parent.kill()
    parent.wait()
    until(lambda: not alive(mark))
