"""A folder as JSON lines, and back. As a program: builds a bot from sources on stdin.

```json
{"run":["cc","-o","bot","bot.c"]}
{"folder":"src"}
{"file":"src/main.c","executable":false}
{"data":"aW50IG1haW4…"}
{"link":"latest","to":"src"}
{"end":true}
```

`data` continues the file before it, in base64. `run` is for the program alone: it unpacks what
comes, runs the command there and packs what is there then, a line for each that it is asked for;
what the command says goes to stderr.

What comes out of a sandbox is a stranger's, so unpacking makes nothing outside its folder. Only
the standard library is imported, since in the sandbox there is no arena.
"""

import json
import os
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final

MOST_BYTES: Final = 512 << 20
"""Of all files together."""
MOST_LINES: Final = 200_000
MORE: Final = b"\n"
"""What asks the program for another line."""

_CHUNK: Final = 45_000
"""Bytes of a file in a line: with the rest of the line it stays under the limit of the wire."""


class BadParcel(Exception):  # noqa: N818  # reads as what it is
    """Lines that are not unpacked; says why."""


def pack(folder: Path, paths: Iterable[Path], *, follow: bool) -> Iterator[bytes]:
    """The lines for files, folders and links below a folder.

    Args:
        folder: what the names in the lines are relative to.
        paths: what to pack; a folder is made for what is in it also without being named.
        follow: pack what a link leads to.

    Raises:
        OSError: a file cannot be read.
    """
    packed = {folder}
    for path in sorted(paths):
        for place in (*reversed(path.parents), path):
            if place not in packed and place.is_relative_to(folder):
                packed.add(place)
                yield from _pack_one(place, place.relative_to(folder).as_posix(), follow)
    yield _line(end=True)


def run_line(command: Iterable[str]) -> bytes:
    """The line that says what builds the bot."""
    return _line(run=list(command))


class Unpacker:
    """Makes what lines say in an empty folder, and nothing outside it.

    Owners, times and all rights but that to execute are left behind.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._file: IO[bytes] | None = None
        self._lines = 0
        self._bytes = 0
        self.command: list[str] = []
        """What `run` said."""

    def take(self, line: bytes) -> bool:
        """Make what the next line says; whether it was the last one.

        Raises:
            BadParcel: it is no such line, or it is too much.
            OSError: it cannot be made.
        """
        self._lines += 1
        if self._lines > MOST_LINES:
            raise BadParcel("too many files")
        try:
            return self._make(json.loads(line))
        except (ValueError, RecursionError):
            raise BadParcel("a line that is none of a parcel") from None

    def _make(self, item: Any) -> bool:
        match item:
            case {"data": str(text)} if self._file is not None:
                self._write(self._file, text)
                return False
            case {"folder": str(name)}:
                path = self._place(name)
                path.mkdir()
                path.chmod(0o755)
            case {"file": str(name), "executable": bool(executable)}:
                self._open(self._place(name), executable)
                return False
            case {"link": str(name), "to": str(target)}:
                self._place(name).symlink_to(target)
            case {"run": [str(), *_] as command}:
                self.command = command
            case {"end": True}:
                pass
            case _:
                raise ValueError
        self.close()
        return "end" in item

    def _place(self, name: str) -> Path:
        path = self._folder / name
        if not path.parent.resolve().is_relative_to(self._folder):
            raise BadParcel(f"{name!r} lies outside the folder")
        return path

    def _open(self, path: Path, executable: bool) -> None:
        self.close()
        self._file = path.open("xb")  # x: never through a link that is there
        path.chmod(0o755 if executable else 0o644)

    def _write(self, file: IO[bytes], text: str) -> None:
        content = b64decode(text)
        self._bytes += len(content)
        if self._bytes > MOST_BYTES:
            raise BadParcel(f"over {MOST_BYTES >> 20} MiB")
        file.write(content)

    def close(self) -> None:
        """Finish the file in progress."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _pack_one(path: Path, name: str, follow: bool) -> Iterator[bytes]:
    if path.is_symlink() and not follow:
        yield _line(link=name, to=os.readlink(path))
    elif path.is_dir():
        yield _line(folder=name)
    elif path.is_file():
        yield _line(file=name, executable=os.access(path, os.X_OK))
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield _line(data=b64encode(chunk).decode())


def _line(**item: object) -> bytes:
    return json.dumps(item, separators=(",", ":")).encode() + b"\n"


# In the sandbox


def main() -> int:
    """Build: lines on stdin and stdout, the words of the build on stderr."""
    folder = Path("sources")
    folder.mkdir()
    unpacker = Unpacker(folder)
    while not unpacker.take(sys.stdin.buffer.readline()):
        pass
    built = subprocess.run(
        unpacker.command, cwd=folder, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False
    )
    if built.returncode == 0:
        for line in pack(folder, _everything(folder), follow=False):
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
            sys.stdin.buffer.readline()
    return built.returncode if built.returncode >= 0 else 128 - built.returncode


def _everything(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            yield Path(place, name)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        sys.exit(str(error))
