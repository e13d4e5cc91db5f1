"""The catalogue's rows on the operator's side that no other test holds, by real commands."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from protocol.record import decode_record
from tests.arena_cli import PATIENCE, PROGRAM, QUICK, UNHURRIED, Arena, program
from tests.conftest import NeedsTool

HERD = ["run", "herd", "./a", "./b", *QUICK, *UNHURRIED]


@pytest.fixture(autouse=True)
def _bots(arena: Arena) -> None:
    arena.bot("a")
    arena.bot("b")


@pytest.mark.parametrize(
    ("name", "status", "says"),
    [
        ("a", 3, "two entrants are called a;"),
        ("A", 3, "two entrants are called a and A, equal but for case;"),
        ("b,c", 2, "the name 'b,c' in NAME=BOT cannot be an entrant's"),
    ],
)
def test_row_12_names_that_are_refused(arena: Arena, name: str, status: int, says: str) -> None:
    done = arena("run", "herd", "./a", f"{name}=./b", *QUICK)
    assert done.status == status
    assert says in done.err
    assert not Path("arena.db").exists()


def test_row_67_a_name_of_elsewhere_makes_no_file_there(arena: Arena) -> None:
    assert arena("match", "herd", "./a", "./b", *QUICK[:-2], "--record", "r.jsonl").status == 0
    record = decode_record(Path("r.jsonl").read_bytes())
    bots = tuple(
        replace(bot, name=f"../../{bot.name}", digest=f"../{bot.digest}") for bot in record.bots
    )
    Path("r.jsonl").write_bytes(msgspec.json.encode(replace(record, match="../m", bots=bots)))
    assert arena("import", "r.jsonl").status == 0
    before = set(arena.folder.rglob("*.html"))
    assert arena("site", "one/two/three/it").status == 0
    pages = set(arena.folder.rglob("*.html")) - before
    site = arena.folder / "one/two/three/it"
    assert all(page.is_relative_to(site) for page in pages)
    assert sum(page.parent.name == "bots" for page in pages) == 2


def test_row_72_a_full_disk_stops_the_run_and_what_is_stored_is_read(
    arena: Arena, needs_tool: NeedsTool
) -> None:
    needs_tool("bwrap")
    disk = arena.folder / "disk"
    disk.mkdir()
    small_disk = ["--dev-bind", "/", "/", "--size", str(400 << 10), "--tmpfs", str(disk)]
    play = f'"$0" {" ".join(HERD)} --deals 10000 --seed 1 --store disk/arena.db; echo ended $?'
    read = '"$0" verify --store disk/arena.db'
    done = subprocess.run(
        ["bwrap", *small_disk, "sh", "-c", f"{play}; {read}", PROGRAM],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "ended 3" in done.stdout, done.stderr
    assert "the disk that holds disk/arena.db is full; make room" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr


ELSEWHERE = [
    {"LC_ALL": "C", "TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "0"},
    {"LC_ALL": "tr_TR.UTF-8", "TZ": "America/St_Johns", "PYTHONHASHSEED": "4294967295"},
]


def test_row_75_the_place_and_the_hash_seed_change_no_record(arena: Arena) -> None:
    for number, words in enumerate(ELSEWHERE):
        done = program(
            *HERD,
            "--seed",
            "1",
            "--store",
            f"{number}.db",
            cwd=arena.folder,
            env=_environment(words),
        )
        assert done.status == 0, done.err
    first, second = (arena.records("--store", f"{number}.db") for number in range(2))
    assert first == second


def _environment(words: dict[str, str]) -> dict[str, str]:
    return {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", **words}
