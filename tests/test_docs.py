"""The documentation is whole and true: commands, options, codes, messages, links, examples.

`python -m tests.test_docs` writes docs/commands.md anew from the commands themselves.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest
import typer.main

from arena.cli.app import app
from arena.referee.faults import Code
from arena.tournament.entry import BotToml
from arena.tournament.prepare import FORMATS
from engine.game import AnyGame
from engine.testing import CHECKS, Check
from protocol.messages import FromBot, ToBot

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMANDS = ROOT / "docs" / "commands.md"
TEXT = {page.name: page.read_text() for page in PAGES}

_ROOT_COMMAND: Any = typer.main.get_command(app)


# The reference


def reference() -> str:
    """docs/commands.md."""
    parts = [
        "# Commands",
        "Every command and option, as `--help` has them. "
        "What they mean together: [tournaments](tournaments.md).",
        "## arena",
        _options(_ROOT_COMMAND),
    ]
    for name, command in _ROOT_COMMAND.commands.items():
        parts += [f"## arena {name}", " ".join(command.help.split()), _options(command)]
    return "\n\n".join(parts) + "\n"


def _options(command: Any) -> str:
    context = command.make_context("arena", [], resilient_parsing=True)
    rows = [record for param in command.params if (record := param.get_help_record(context))]
    cells = [(f"`{words}`", " ".join(said.split()).replace("|", "\\|")) for words, said in rows]
    return "\n".join(["| | |", "|---|---|", *(f"| {words} | {said} |" for words, said in cells)])


def test_the_reference_of_commands_is_up_to_date() -> None:
    assert COMMANDS.read_text() == reference(), "python -m tests.test_docs writes it anew"


# Everything is somewhere


@pytest.mark.parametrize("command", _ROOT_COMMAND.commands)
def test_every_command_is_in_the_readme(command: str) -> None:
    assert f"arena {command}" in TEXT["README.md"]


@pytest.mark.parametrize("code", list(Code))
def test_every_fault_code_is_explained(code: Code) -> None:
    assert f"| `{code}` |" in TEXT["protocol.md"]


@pytest.mark.parametrize(
    "message",
    [kind.__struct_config__.tag for union in (ToBot, FromBot) for kind in get_args(union)],
)
def test_every_message_is_explained(message: str) -> None:
    assert f"### `{message}`" in TEXT["protocol.md"]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_explained(name: str) -> None:
    assert f"| `{name}` |" in TEXT["tournaments.md"]


@pytest.mark.parametrize("key", BotToml.__struct_fields__)
def test_every_key_of_bot_toml_is_explained(key: str) -> None:
    assert re.search(rf"^{key} = ", TEXT["tournaments.md"], re.MULTILINE)


# Links lead somewhere


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", _without_code(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _without_code(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", _without_code(page.read_text())):
        if "://" in target:
            continue
        place, _, anchor = target.partition("#")
        file = page.parent / place if place else page
        assert file.exists(), f"{page.name} leads to {target}"
        if anchor:
            assert anchor in anchors(file.read_text()), f"{page.name} leads to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_nothing_is_left_to_fill_in(page: Path) -> None:
    assert not re.search(r"@@|TODO|FIXME|TBD|XXX", page.read_text())


# Examples are true


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnyGame]:
    """The game of docs/plugins.md, in a package that can be imported."""
    blocks = re.findall(r"^```python\n(.*?)^```", TEXT["plugins.md"], re.DOTALL | re.MULTILINE)
    (source,) = [block for block in blocks if "class Nim(" in block]
    site = tmp_path_factory.mktemp("site")
    (site / "nim_game.py").write_text(source)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)
        patch.setenv("PYTHONPATH", str(site))
        yield import_module("nim_game").Nim()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_game_of_the_page_on_plugins_is_one(nim: AnyGame, check: Check) -> None:
    check(nim, 0, 2)


if __name__ == "__main__":
    COMMANDS.write_text(reference())
