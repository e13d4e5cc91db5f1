"""Options from words or JSON: what is taken, and the sentence for what is not."""

from typing import Annotated, Any, ClassVar, Literal

import pytest
from msgspec import Meta, Struct

from engine.game import AnyTable, Table, TableError
from engine.herd import Herd
from engine.herd_wire import HerdOptions
from engine.options import OptionInfo, describe, list_options, make_table
from engine.savanna_ten import SavannaTen

Weather = Literal["sun", "rain", "snow"]


class PicnicOptions(Struct, frozen=True, forbid_unknown_fields=True):
    weather: Annotated[Weather, Meta(description="what falls")] = "sun"
    blanket: bool = False
    guests: Annotated[int, Meta(ge=1, le=9)] = 2

    def __post_init__(self) -> None:
        if self.weather == "snow" and not self.blanket:
            raise ValueError("snow needs a blanket")


class Picnic(Herd):
    """A game with an option of every kind; it is never played."""

    name: ClassVar[str] = "picnic"
    players: ClassVar[range] = range(2, 5)
    options_type: Any = PicnicOptions

    def check(self, table: AnyTable) -> None:
        if table.options.guests < table.players:
            raise TableError("picnic has no seat without a guest")


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Plain(Herd):
    """A game without options."""

    name: ClassVar[str] = "plain"
    options_type: Any = NoOptions


PICNIC = Picnic()


def test_defaults_are_filled_in() -> None:
    assert make_table(Herd(), 2, {}) == Table(HerdOptions(size=5, turn_limit=1000), 2)


@pytest.mark.parametrize(("options", "fewest"), [({}, 2), ({"teams": "true"}, 4)])
def test_without_a_number_of_players_the_fewest_play(
    options: dict[str, object], fewest: int
) -> None:
    assert make_table(SavannaTen(), None, options).players == fewest


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"weather": "rain"}, PicnicOptions(weather="rain")),
        ({"blanket": "true"}, PicnicOptions(blanket=True)),
        ({"blanket": "FALSE"}, PicnicOptions(blanket=False)),
        ({"blanket": "1"}, PicnicOptions(blanket=True)),
        ({"blanket": True, "guests": 3}, PicnicOptions(blanket=True, guests=3)),
        ({"guests": "9"}, PicnicOptions(guests=9)),
    ],
)
def test_words_and_json_values_are_taken(
    options: dict[str, object], expected: PicnicOptions
) -> None:
    assert make_table(PICNIC, 2, options).options == expected


@pytest.mark.parametrize(
    ("players", "options", "sentence"),
    [
        (
            2,
            {"guests": "5.5"},
            "option guests of picnic is a whole number from 1 to 9, not '5.5'",
        ),
        (2, {"guests": ""}, "option guests of picnic is a whole number from 1 to 9, not ''"),
        (2, {"guests": "abc"}, "option guests of picnic is a whole number from 1 to 9, not 'abc'"),
        (2, {"guests": "10"}, "option guests of picnic is a whole number from 1 to 9, not '10'"),
        (2, {"guests": True}, "option guests of picnic is a whole number from 1 to 9, not True"),
        (2, {"guests": None}, "option guests of picnic is a whole number from 1 to 9, not None"),
        (2, {"blanket": "yes"}, "option blanket of picnic is true or false, not 'yes'"),
        (2, {"weather": "Sun"}, "option weather of picnic is sun, rain or snow, not 'Sun'"),
        (2, {"wether": "sun"}, "picnic has no option 'wether'; it has weather, blanket and guests"),
        (2, {"\x1b": 1}, r"picnic has no option '\x1b'; it has weather, blanket and guests"),
        (5, {}, "picnic is for 2, 3 or 4 players, not 5"),
        (3, {}, "picnic has no seat without a guest"),
        (2, {"weather": "snow"}, "picnic: snow needs a blanket"),
    ],
)
def test_refusals_name_the_mend(players: int, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(TableError) as refusal:
        make_table(PICNIC, players, options)
    assert str(refusal.value) == sentence


def test_a_game_without_options_says_so() -> None:
    with pytest.raises(TableError, match=r"^plain has no option 'size'; it has none$"):
        make_table(Plain(), 2, {"size": 5})


def test_list_options() -> None:
    assert list_options(PICNIC) == (
        OptionInfo("weather", "sun, rain or snow", "sun", "what falls"),
        OptionInfo("blanket", "true or false", False, ""),
        OptionInfo("guests", "a whole number from 1 to 9", 2, ""),
    )


@pytest.mark.parametrize(
    ("kind", "words"), [(str, "of type str"), (int, "of type int"), (float, "of type float")]
)
def test_other_types_are_named(kind: type, words: str) -> None:
    assert describe(kind) == words
