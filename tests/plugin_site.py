"""An environment of its own with the arena and packages installed in it, without a network."""

import sys
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.arena_cli import Done, finished, unhurried

RUN_ARENA = "import sys; from arena.cli import main; sys.exit(main())"


class Environment:
    """A virtual environment that sees all that this one sees, and more."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, symlinks=True)
        self.python = folder / "bin/python"
        (self._site,) = folder.glob("lib/python*/site-packages")
        also = [path for path in sys.path if Path(path).name == "site-packages"]
        lines = [f"import site; site.addsitedir({path!r})" for path in also]
        (self._site / "parent.pth").write_text("\n".join(lines) + "\n")

    def install(
        self,
        package: str,
        sources: Mapping[str, str],
        *,
        games: Mapping[str, str] | None = None,
        bots: Mapping[str, str] | None = None,
    ) -> None:
        """Put a distribution of version 1.0 there, as an installer leaves it.

        Args:
            package: its name.
            sources: text by file, `nim_game/__init__.py`.
            games: the entry points of `arena.games`.
            bots: the entry points of `arena.bots`.
        """
        for name, text in sources.items():
            file = self._site / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        info = self._site / f"{package.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = ["[arena.games]", *(f"{name} = {value}" for name, value in (games or {}).items())]
        lines += ["[arena.bots]", *(f"{name} = {value}" for name, value in (bots or {}).items())]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")

    def install_folder(self, project: Path) -> None:
        """Put there what the wheel of a folder with pyproject.toml and `src` would hold."""
        import tomllib

        about = tomllib.loads((project / "pyproject.toml").read_text())["project"]
        sources = {
            str(path.relative_to(project / "src")): path.read_text()
            for path in (project / "src").rglob("*.py")
        }
        points = about["entry-points"]
        self.install(
            about["name"],
            sources,
            games=points.get("arena.games"),
            bots=points.get("arena.bots"),
        )

    def arena(self, *words: str, cwd: Path) -> Done:
        """Run a command of the arena."""
        return self.run("-c", RUN_ARENA, *unhurried(words), cwd=cwd)

    def run(self, *words: str, cwd: Path, **options: Any) -> Done:
        """Run Python with these words."""
        return finished([self.python, *words], cwd, **options)
