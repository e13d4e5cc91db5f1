"""A Dask cluster of processes on this machine, for tests."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.arena_cli import until

DASK = Path(sys.executable).with_name("dask")
HASTY = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "10s"}
"""Who is not heard of for so long is lost."""


class DaskCluster:
    """A scheduler and its workers; what they say is in a file of the folder."""

    def __init__(self, folder: Path, *words: str) -> None:
        """Start a scheduler with these options."""
        self.folder = folder
        self.file = folder / "scheduler.json"
        self._words = words
        self._workers: list[subprocess.Popen[bytes]] = []
        self._started = 0
        listen = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file))
        self._scheduler = self._start("scheduler", *listen, env=HASTY)

    def worker(self, name: str, env: Mapping[str, str] | None = None) -> "subprocess.Popen[bytes]":
        """Start a worker of one thread."""
        until(self.file.exists)
        words = f"--name {name} --nthreads 1 --no-nanny --scheduler-file {self.file}".split()
        words += ["--local-directory", str(self.folder)]
        worker = self._start("worker", *words, env=env or {})
        self._workers.append(worker)
        self._started += 1
        return worker

    def assemble(self) -> None:
        """Wait until the scheduler knows the workers."""
        log = self.folder / "dask.log"
        until(lambda: log.read_text().count("Registered to:") >= self._started)

    def dismiss(self) -> None:
        """Kill the workers."""
        for process in self._workers:
            process.kill()
            process.wait()
        self._workers.clear()

    def end(self) -> None:
        """Kill them all."""
        self.dismiss()
        self._scheduler.kill()
        self._scheduler.wait()

    def _start(self, *words: str, env: Mapping[str, str]) -> "subprocess.Popen[bytes]":
        with (self.folder / "dask.log").open("ab") as log:
            return subprocess.Popen(
                [DASK, *words, "--no-dashboard", *self._words],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                env={**os.environ, **env},
            )


@contextmanager
def dask_cluster(folder: Path, *words: str) -> Iterator[DaskCluster]:
    """A cluster in a folder, ended at the end."""
    cluster = DaskCluster(folder, *words)
    try:
        yield cluster
    finally:
        cluster.end()
