"""A replay as one file of HTML: whole, safe, and not too large."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.replay import Replay
from arena.store.db import Store
from arena.web.replay_data import replay_data
from arena.web.replay_page import SCRIPTS, STATIC, page, section
from protocol.record import Record, RecordedBot
from tests.arena_cli import Arena
from tests.records import played

DUEL = played("savanna-ten", deal="d1", match="duel-0")
LARGEST = played("savanna-ten", 4, {"mouse": "add"})
HERD = played("herd")

HOSTILE = "</script><script>alert(1)</script><!--&amp;\u2028\"'"


def with_words(record: Record, words: str) -> Record:
    """The record with these words wherever a stranger's can stand."""
    return replace(
        record,
        match=words,
        bots=tuple(RecordedBot(words, words, "x") for _ in record.bots),
        log=tuple(entry if entry.by < 0 else replace(entry, note=words) for entry in record.log),
    )


class Read(HTMLParser):
    """The elements of a page, and the text in each kind of element."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._inside = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.texts.setdefault(tag, []).append("")
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002  # text after any end is outside
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[self._inside][-1] += data

    @property
    def data(self) -> Any:
        return json.loads(self.texts["script"][0])


@pytest.mark.parametrize("record", [DUEL, HERD], ids=["savanna-ten", "herd"])
def test_the_data_stands_in_the_page(record: Record) -> None:
    replay = Replay(record)
    assert Read(page(replay)).data == json.loads(msgspec.json.encode(replay_data(replay)))


def test_row_66_words_of_strangers_stay_words() -> None:
    plain, hostile = Read(page(Replay(DUEL))), Read(page(Replay(with_words(DUEL, HOSTILE))))
    assert hostile.elements == plain.elements
    shown = HOSTILE.replace("\u2028", "\\u2028")
    assert [place["name"] for place in hostile.data["places"]] == [shown] * 2
    assert {step.get("note") for step in hostile.data["steps"]} == {None, shown}
    assert hostile.texts["h1"] == [f"Savanna Ten: {shown} – {shown}"]


def test_only_its_own_style_and_script_may_run() -> None:
    read = Read(page(Replay(DUEL)))
    policy = next(
        attributes["content"] for tag, attributes in read.elements if "http-equiv" in attributes
    )

    def hashed(source: str) -> str:
        return f"'sha256-{b64encode(sha256(source.encode()).digest()).decode()}'"

    assert policy == (
        f"default-src 'none'; script-src {hashed(read.texts['script'][1])};"
        f" style-src {hashed(read.texts['style'][0])}; base-uri 'none'; form-action 'none'"
    )


def test_nothing_is_loaded() -> None:
    source = page(Replay(DUEL))
    assert not [a for _, a in Read(source).elements if {"src", "href"} & {*a}]
    assert not re.search(r"@import|url\(|\bfetch\(|\bimport\b", source)
    assert {*re.findall(r"https?://[^\s\"'\\]*", source)} == {"http://www.w3.org/2000/svg"}


def test_every_module_stands_behind_those_that_it_imports() -> None:
    imported = {
        script: re.findall(
            r'^import .* from "\./(.*)";$', (STATIC / script).read_text(), re.MULTILINE
        )
        for script in SCRIPTS
    }
    before = {script: SCRIPTS[:place] for place, script in enumerate(SCRIPTS)}
    assert [script for script in SCRIPTS if not {*imported[script]} <= {*before[script]}] == []
    assert imported["replay.js"] == [*SCRIPTS[:-1]]


@pytest.mark.parametrize("record", [DUEL, LARGEST, HERD], ids=["2 seats", "4 seats", "herd"])
def test_the_file_is_small(record: Record) -> None:
    assert len(page(Replay(with_words(record, "n" * 500))).encode()) < 600_000


def test_a_section_is_for_a_page_that_has_the_rest() -> None:
    read = Read(section(replay_data(Replay(HERD))))
    assert [tag for tag, _ in read.elements] == ["section", "script", "noscript", "p"]
    assert read.elements[0][1]["data-game"] == "herd"


def test_show_writes_the_page(arena: Arena) -> None:
    with Store.open(Path("arena.db")) as store:
        store.import_records([DUEL])
    done = arena("show", "duel-0", "--html", "duel.html")
    assert (done.status, done.out) == (0, "")
    assert done.err == "duel.html is written: open it in a browser\n"
    assert Path("duel.html").read_text() == page(Replay(DUEL))


def test_show_says_where_it_cannot_write(arena: Arena) -> None:
    with Store.open(Path("arena.db")) as store:
        store.import_records([DUEL])
    done = arena("show", "duel-0", "--html", "nowhere/duel.html")
    assert done.status == 3
    assert done.err == "arena: nowhere/duel.html: No such file or directory\n"
