"""The pages for those who write bots: what they name is there, and nothing is left out."""

import re
from pathlib import Path

import msgspec
import pytest

from arena.check.rules import RULES
from arena.referee.faults import Code
from arena.starters import starters
from arena.tournament import build, digest
from arena.tournament.entry import BUNDLED, BotToml

DOCS = Path(__file__).parent.parent / "docs"
FIRST_BOT = (DOCS / "first-bot.md").read_text(encoding="utf-8")
BOT_TOML = (DOCS / "bot-toml.md").read_text(encoding="utf-8")
WHY = (DOCS / "why-did-my-bot-lose.md").read_text(encoding="utf-8")


BUNDLED_BOTS = (DOCS / "bots.md").read_text(encoding="utf-8")
LANGUAGES = (DOCS / "languages.md").read_text(encoding="utf-8")


def sections(page: str) -> dict[str, str]:
    """The text under each heading of the third level."""
    parts = re.split(r"^### (.+)\n", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("language", sorted(starters()))
def test_every_language_can_be_copied_from_its_section(language: str) -> None:
    [section] = [
        text
        for text in sections(FIRST_BOT).values()
        if f"\narena new mybot --language {language}\n" in text
    ]
    assert "\narena match savanna-ten ./mybot random\n```\n" in section
    folder = starters()[language].folder
    [name, *words] = re.findall(r"`(\w+(?:\.\w+)?)`", section)
    if name == "protocol.bot":
        name, words = "bot.py", ["worth"]
    source = (folder / name).read_text(encoding="utf-8")
    changed = [word for word in words if word.startswith("worth")]
    assert changed
    assert all(word in source for word in changed)


@pytest.mark.parametrize("language", sorted(starters()))
def test_a_readme_names_the_same_packages(language: str) -> None:
    [section] = [
        text for text in sections(FIRST_BOT).values() if f"--language {language}\n" in text
    ]
    readme = (starters()[language].folder / "README.md").read_text(encoding="utf-8")
    for package in re.findall(r"\S+-(?:dev|java|dkjson|typescript)\b", section.split("arena")[0]):
        assert package in readme


def test_the_example_of_bot_toml_is_one() -> None:
    [example] = re.findall(r"```toml\n(.*?)```", BOT_TOML, flags=re.DOTALL)
    toml = msgspec.toml.decode(example, type=BotToml)
    assert set(msgspec.to_builtins(toml)) == set(BotToml.__struct_fields__)


def test_every_key_of_bot_toml_is_explained() -> None:
    explained = re.findall(r"^\| `(\w+)` \|", BOT_TOML, flags=re.MULTILINE)
    assert explained == list(BotToml.__struct_fields__)


def test_the_numbers_of_a_build_are_right() -> None:
    limits = build.LIMITS
    assert (
        f"{limits.memory_mb >> 10} GiB of memory, {limits.folder_mb >> 10} GiB of disk" in BOT_TOML
    )
    assert f"{build.SECONDS // 60} minutes at most" in BOT_TOML
    assert f"the last {build.KEPT} builds" in BOT_TOML
    assert all(f"`{name}`" in BOT_TOML for name in digest.BUILD_OUTPUTS)


def test_every_fault_has_its_section() -> None:
    assert re.findall(r"^## `(\w+)`", WHY, flags=re.MULTILINE) == list(Code)


@pytest.mark.parametrize("page", [FIRST_BOT, BOT_TOML, WHY])
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page):
        assert (DOCS / target).exists(), target


def test_the_rule_that_is_tried_again_is_one() -> None:
    assert set(re.findall(r"--rule (\S+?)`", WHY)) <= {rule.name for rule in RULES}


def test_every_bundled_bot_is_told_of() -> None:
    introduction, _, _ = BUNDLED_BOTS.partition("\n## ")
    assert re.findall(r"^\| `(\w+)` \|", introduction, flags=re.MULTILINE) == list(BUNDLED)


@pytest.mark.parametrize("language", sorted(starters()))
def test_every_language_was_measured(language: str) -> None:
    [row] = re.findall(
        rf"^\| {re.escape(starters()[language].title)} \|.*$", LANGUAGES, flags=re.MULTILINE
    )
    assert "✓" in row
    assert row.endswith("| 0 |"), "no faults"
