"""A tournament on a real Dask cluster: what comes out is what one machine would have played."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena_cli import (
    LITTLE,
    PATIENCE,
    Arena,
    alive,
    descendants,
    matches_in,
    program,
    started,
    until,
)
from tests.conftest import NeedsTool
from tests.dask_cluster import DaskCluster, dask_cluster

HERD = ["run", "herd", "./a", "little.py slow 0.001", "--seed", "1"]
HERD += ["--option", "size=3", "--isolation", "none"]


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with dask_cluster(tmp_path_factory.mktemp("dask")) as cluster:
        yield cluster


@pytest.fixture
def cluster(scheduler: DaskCluster, bots: None) -> Iterator[DaskCluster]:
    """A cluster without workers."""
    yield scheduler
    scheduler.dismiss()


@pytest.fixture
def bots(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of HERD, which each test brings to its machines anew."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(arena.folder / "cache"))
    arena.bot("a")
    (arena.folder / "little.py").write_text(LITTLE)


def on(cluster: DaskCluster, *words: str) -> list[str]:
    return [*HERD, *words, "--cluster", str(cluster.file)]


def assert_as_on_one_machine(arena: Arena, deals: int) -> None:
    """The store holds each match once, verified and equal to a local one but for times."""
    assert arena(*HERD, "--deals", str(deals), "--store", "local.db").status == 0
    there, here = (arena.records("--store", name) for name in ("arena.db", "local.db"))
    assert there == here
    assert len(there) == 2 * deals
    assert arena("verify", "--store", "arena.db").status == 0


def test_workers_that_are_killed_or_cut_off_change_nothing(
    cluster: DaskCluster, arena: Arena
) -> None:
    dying, silent, _ = (cluster.worker(name) for name in ("dying", "silent", "living"))
    cluster.assemble()
    words = [*on(cluster, "--deals", "60"), "--json"]
    with started(*words, cwd=arena.folder) as run:
        until(lambda: matches_in(arena.folder / "arena.db") >= 10 or run.poll() is not None)
        dying.kill()
        until(lambda: matches_in(arena.folder / "arena.db") >= 40 or run.poll() is not None)
        silent.send_signal(signal.SIGSTOP)
        out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, err
    workers = {worker["name"]: worker for worker in json.loads(out)["workers"]}
    assert sum(worker["matches"] for worker in workers.values()) == 120
    assert {name for name, worker in workers.items() if worker["lost"]} == {"dying", "silent"}
    assert "worker dying is lost; others play its matches" in err
    assert_as_on_one_machine(arena, 60)


def test_an_interrupted_run_ends_everywhere_and_continues(
    cluster: DaskCluster, arena: Arena
) -> None:
    worker = cluster.worker("one")
    cluster.assemble()
    words = on(cluster, "--deals", "300")
    with started(*words, cwd=arena.folder) as run:
        until(lambda: matches_in(arena.folder / "arena.db") >= 4 or run.poll() is not None)
        below = descendants(worker.pid)
        assert len(below) >= 3
        run.send_signal(signal.SIGINT)
        assert run.wait(PATIENCE) == 130, run.communicate()
    until(lambda: not alive(below))
    before = matches_in(arena.folder / "arena.db")
    assert 4 <= before < 600
    deals = str(before // 2 + 2)
    done = program(*on(cluster, "--deals", deals), cwd=arena.folder)
    assert done.status == 0, done.err
    assert_as_on_one_machine(arena, int(deals))


def test_when_the_arena_is_killed_nothing_is_left_in_the_cluster(
    cluster: DaskCluster, arena: Arena
) -> None:
    worker = cluster.worker("one")
    cluster.assemble()
    with started(*on(cluster, "--deals", "300"), cwd=arena.folder) as run:
        until(lambda: matches_in(arena.folder / "arena.db") >= 4 or run.poll() is not None)
        below = descendants(worker.pid)
        os.kill(run.pid, signal.SIGKILL)
    until(lambda: not alive(below))


def test_each_machine_has_its_own_terms(cluster: DaskCluster, arena: Arena) -> None:
    other = arena.folder / "other" / "savanna_arena-0.0.1.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Name: savanna-arena\nVersion: 0.0.1\n")
    cluster.worker("slow", {"ARENA_CLOCK_SCALE": "2"})
    cluster.worker("old", {"PYTHONPATH": str(other.parent)})
    cluster.assemble()
    done = program(*on(cluster, "--deals", "20"), cwd=arena.folder)
    assert done.status == 0, done.err
    assert "clocks × 2" in done.err
    assert {tuple(record["handicaps"]) for record in arena.records()} == {(2.0, 2.0)}
    assert "worker old is not used: it has savanna-arena 0.0.1, not " in done.err


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate that signs itself, and its key."""
    NeedsTool()("openssl")
    folder = tmp_path_factory.mktemp("tls")
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=arena -keyout key.pem -out ca.pem"
    subprocess.run(["openssl", *words.split()], cwd=folder, check=True, capture_output=True)
    return folder


def test_tls_is_what_dask_is_configured_for(
    certificate: Path, arena: Arena, bots: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = (("ca-file", "ca"), ("cert", "ca"), ("key", "key"))
    tls = [f"--tls-{what}={certificate}/{name}.pem" for what, name in files]
    with dask_cluster(arena.folder, "--protocol", "tls", *tls) as cluster:
        cluster.worker("one")
        cluster.assemble()
        words = on(cluster, "--deals", "1")
        refused = program(*words, cwd=arena.folder)
        assert (refused.status, refused.out) == (3, "")
        assert "arena: no scheduler can be reached at tls://" in refused.err
        assert "Traceback" not in refused.err
        for key, name in (("CA_FILE", "ca"), ("CLIENT__CERT", "ca"), ("CLIENT__KEY", "key")):
            file = str(certificate / f"{name}.pem")
            monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{key}", file)
        done = program(*words, cwd=arena.folder)
        assert done.status == 0, done.err
