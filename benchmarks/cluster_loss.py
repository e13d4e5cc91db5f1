"""A cluster of separate hosts that loses two of its three workers in the middle of a run.

python -m benchmarks.cluster_loss [MATCHES]

Four network namespaces stand for four hosts: a hub with the scheduler and the tournament, and three
with a Dask worker each. After a quarter of the matches one worker is killed (-9), after half of
them the network of another is taken down. Then the run is counted, verified, and compared with the
same one played on this machine alone. Needs root and `ip`; nothing of the host's network is
touched.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arena.store.db import Store
from tests.arena_cli import LITTLE, matches_in

MATCHES = 2000
HUB = "arena-hub"
HOSTS = ("arena-1", "arena-2", "arena-3")
BIN = Path(sys.executable).parent
PATIENT = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "11s"}
"""How long a silent connection is believed in; Dask's default is 30 s."""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


@contextmanager
def hosts() -> Iterator[None]:
    """The hub, and each other host on a cable to it."""
    try:
        for host in (HUB, *HOSTS):
            ip("netns", "add", host)
            ip("-n", host, "link", "set", "lo", "up")
        for number, host in enumerate(HOSTS):
            ip(
                "link",
                "add",
                f"a{number}",
                "netns",
                HUB,
                "type",
                "veth",
                "peer",
                "e0",
                "netns",
                host,
            )
            ip("-n", HUB, "addr", "add", f"10.77.{number}.1/24", "dev", f"a{number}")
            ip("-n", host, "addr", "add", f"10.77.{number}.2/24", "dev", "e0")
            ip("-n", HUB, "link", "set", f"a{number}", "up")
            ip("-n", host, "link", "set", "e0", "up")
        yield
    finally:
        for host in (HUB, *HOSTS):
            subprocess.run(["ip", "netns", "del", host], check=False, stderr=subprocess.DEVNULL)


class Site:
    """What runs on the hosts, with its logs in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, host: str, name: str, *command: object) -> "subprocess.Popen[bytes]":
        """Start a command on a host."""
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                ["ip", "netns", "exec", host, *map(str, command)],
                cwd=self.folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | PATIENT,
            )
        self._running.append(process)
        return process

    def log(self, name: str) -> str:
        """What a command said."""
        return (self.folder / f"{name}.log").read_text()

    def end(self) -> None:
        """End whatever still runs."""
        for process in self._running:
            process.kill()
            process.wait()


def until_stored(path: Path, matches: int, run: "subprocess.Popen[bytes]") -> None:
    while matches_in(path) < matches and run.poll() is None:
        time.sleep(0.1)


def records(path: Path) -> dict[str, Any]:
    """Each match without what differs from time to time."""
    with Store.open(path, read_only=True) as store:
        exported = subprocess.run(
            [BIN / "arena", "export", "--store", path], capture_output=True, check=True
        ).stdout
        assert store.runs()[0].matches == len(exported.splitlines())
    found: dict[str, Any] = {}
    for line in exported.splitlines():
        record = json.loads(line)
        record["log"] = [{k: v for k, v in entry.items() if k != "ms"} for entry in record["log"]]
        found[record["match"]] = {**record, "started": ""}
    return found


def bots(folder: Path) -> None:
    for name in ("a", "b"):
        (folder / name).mkdir()
        (folder / name / "bot.py").write_text(LITTLE)
        (folder / name / "bot.toml").write_text(
            f'name = "{name}"\ncommand = ["python3", "bot.py"]\n'
        )


def tell(began: float, path: Path, what: str) -> None:
    print(f"{time.monotonic() - began:6.1f} s: {matches_in(path):,} stored, {what}", flush=True)


def lose_two(site: Site, matches: int, words: list[str]) -> None:
    """Play on the cluster, and take two workers away."""
    path = site.folder / "cluster.db"
    site.start(HUB, "scheduler", BIN / "dask", "scheduler", "--port", 8786, "--no-dashboard")
    workers = [
        site.start(
            *(host, host, BIN / "dask", "worker", f"tcp://10.77.{number}.1:8786"),
            *("--name", host, "--nthreads", 1, "--no-nanny", "--no-dashboard"),
            *("--local-directory", site.folder / host),
        )
        for number, host in enumerate(HOSTS)
    ]
    began = time.monotonic()
    cluster = ("--cluster", "tcp://127.0.0.1:8786", "--store", path)
    run = site.start(HUB, "run", BIN / "arena", *words, *cluster)
    until_stored(path, matches // 4, run)
    tell(began, path, f"{HOSTS[1]} is killed (-9)")
    workers[1].kill()
    until_stored(path, matches // 2, run)
    tell(began, path, f"{HOSTS[2]} is cut off")
    ip("-n", HOSTS[2], "link", "set", "e0", "down")
    status = run.wait()
    tell(began, path, f"status {status}")
    print("".join(f"    {line}\n" for line in site.log("run").splitlines() if "worker" in line))


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    if os.geteuid() != 0:
        sys.exit("network namespaces are root's to make; run this as root")
    with TemporaryDirectory(prefix="arena-loss-") as name, hosts():
        site = Site(Path(name))
        site.folder.chmod(0o755)
        bots(site.folder)
        words = ["run", "herd", "./a", "./b", "--deals", str(matches // 2), "--seed", "loss"]
        words += ["--option", "size=2"]
        try:
            lose_two(site, matches, words)
        finally:
            site.end()
        local = [str(BIN / "arena"), *words, "--store", "local.db"]
        subprocess.run(local, cwd=name, check=True, capture_output=True)
        there, here = (records(site.folder / f"{kind}.db") for kind in ("cluster", "local"))
        print(f"{len(there):,} different matches of {matches:,}")
        print(f"equal to those of one machine but for times: {there == here}", flush=True)
        subprocess.run([BIN / "arena", "verify", "--store", "cluster.db"], cwd=name, check=True)


if __name__ == "__main__":
    main()
