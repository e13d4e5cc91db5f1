"""What a replay in the browser shows: a finished match step by step, for each who may look.

It is plain data, made once. Pictures of a match have most lines in common, so each line is kept
once, and a picture is the numbers of its lines.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from arena.analysis import Analysis
from arena.ratings.luck import luck_by_place
from arena.replay import Replay, Step
from arena.store.db import Store
from arena.web.words import visible
from engine.game import CHANCE, Effect

LUCK_DIGITS: Final = 4
"""Of a share of the win, behind the point."""


class Knowledge(Struct, frozen=True, omit_defaults=True):
    """What somebody may see of a match: a seat, a spectator, or who sees everything."""

    seat: int | None = None
    everything: bool = False


class Place(Struct, frozen=True):
    """A seat and how it ended."""

    name: str
    version: str
    """What it said of itself, or nothing."""
    side: int
    rank: int
    score: int


class Shown(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One step of the replay: an action, or a roll of the dice that is shown by itself."""

    turn: int
    """The game's turn; 0 for the start."""
    seat: int | None = None
    """Whose turn it is; absent for the start."""
    seen: tuple[str | None, ...] = ()
    """The action, for each of the audience; None where it is not told."""
    pictures: tuple[int, ...]
    """The board after it, for each of the audience: an index of `pictures`."""
    scores: tuple[int, ...]
    """After it, per side."""
    effects: tuple[Effect, ...] = ()
    ms: float | None = None
    """Charged for the answer that it is the first action of."""
    note: str | None = None
    value: float | None = None
    stand_in: bool = False
    luck: tuple[float, ...] = ()
    """What the chance in it gave each side, in shares of the win; absent: there was none."""


class Incident(Struct, frozen=True):
    """A fault."""

    seat: int
    turn: int
    """0 before the game."""
    words: str


class Picture(Struct, frozen=True, omit_defaults=True):
    """A picture as the numbers of its lines, or as what differs from the picture before it."""

    lines: list[int]
    places: list[int] | None = None
    """Where these lines stand, and the others as before; None: these are all its lines."""


class ReplayData(Struct, frozen=True, omit_defaults=True):
    """A finished match for the browser."""

    match: str
    game: str
    title: str
    places: tuple[Place, ...]
    """In seat order."""
    reason: str
    faults: tuple[Incident, ...]
    audience: tuple[Knowledge, ...]
    """Who sees everything first; nobody else where the game has no secrets."""
    steps: tuple[Shown, ...]
    pictures: tuple[Picture, ...]
    lines: tuple[str, ...]
    """Every line of every picture, once."""
    analysis: Analysis | None = None
    """Absent: nobody asked for one."""


class Moment(Struct, frozen=True):
    """A step with the states around it, and where the chance after it led."""

    step: Step | None
    """None for the start."""
    effects: tuple[Effect, ...]
    settled: Any
    luck: tuple[float, ...] = ()


def replay_data(replay: Replay, analysis: Analysis | None = None) -> ReplayData:
    """All that the page of a finished match needs; an analysis is shown with it.

    Raises:
        Mismatch: the record does not replay.
    """
    record, album, moments = replay.record, Album(), _moments(replay)
    audience = _audience(replay, moments)
    return ReplayData(
        match=visible(record.match),
        game=record.game,
        title=replay.game.title,
        places=tuple(
            Place(
                visible(bot.name),
                visible(bot.version or ""),
                side,
                rank,
                record.result.scores[side],
            )
            for bot, side, rank in zip(record.bots, replay.sides, record.result.ranks, strict=True)
        ),
        reason=record.result.reason,
        faults=tuple(
            Incident(fault.seat, fault.turn, visible(f"{fault.code}: {fault.message}"))
            for fault in record.faults
        ),
        audience=audience,
        steps=tuple(_shown(replay, moment, audience, album) for moment in moments),
        pictures=tuple(album.pictures()),
        lines=album.lines(),
        analysis=analysis,
    )


def kept_analysis(store: Store, match: str) -> Analysis | None:
    """The analysis of a match that a store keeps; None: none, or one that this arena cannot read.

    Raises:
        NotFound: there is no such match.
    """
    text = store.analysis(match)
    try:
        return None if text is None else msgspec.json.decode(text, type=Analysis)
    except msgspec.DecodeError:
        return None


def _moments(replay: Replay) -> Sequence[Moment]:
    """Chance that brings about nothing to show is part of what it follows, as a draw is."""
    luck = luck_by_place(replay)
    found = [Moment(None, (), replay.game.initial(replay.table))]
    for place, step in enumerate(replay.steps()):
        effects = tuple(replay.game.effects(step.before, step.entry.do, step.after))
        gained = luck.get(place, ())
        if step.entry.by == CHANCE and not effects:
            gained = _sum(found[-1].luck, gained)
            found[-1] = msgspec.structs.replace(found[-1], settled=step.after, luck=gained)
        else:
            found.append(Moment(step, effects, step.after, gained))
    return found


def _sum(luck: tuple[float, ...], more: tuple[float, ...]) -> tuple[float, ...]:
    """Luck added up by side; () is none."""
    return tuple(map(sum, zip(luck, more, strict=True))) if luck and more else luck or more


def _audience(replay: Replay, moments: Iterable[Moment]) -> tuple[Knowledge, ...]:
    """Who sees everything, and where the game has secrets a spectator and each seat."""
    others = [Knowledge(), *map(Knowledge, range(replay.record.players))]
    everything = Knowledge(everything=True)
    for moment in moments:
        whole = _view(replay, moment.settled, everything)
        if any(_view(replay, moment.settled, who) != whole for who in others):
            return (everything, *others)
    return (everything,)


def _view(replay: Replay, state: Any, who: Knowledge) -> Any:
    return replay.game.open_view(state) if who.everything else replay.game.view(state, who.seat)


def _shown(replay: Replay, moment: Moment, audience: Iterable[Knowledge], album: "Album") -> Shown:
    """A moment as each knows it."""
    game, step = replay.game, moment.step
    pictures = tuple(
        album.add(game.svg(replay.table, _view(replay, moment.settled, who), moment.effects))
        for who in audience
    )
    scores = game.scores(moment.settled)
    luck = tuple(round(gained, LUCK_DIGITS) for gained in moment.luck)
    if step is None:
        return Shown(turn=0, pictures=pictures, scores=scores, luck=luck)
    actor = game.to_act(step.after if step.entry.by == CHANCE else step.before)
    return Shown(
        turn=game.turn(step.before),
        seat=None if actor == CHANCE else actor,
        seen=tuple(_seen(replay, step, who) for who in audience),
        pictures=pictures,
        scores=scores,
        effects=moment.effects,
        ms=step.entry.ms,
        note=visible(step.entry.note or "") or None,
        value=step.entry.value,
        stand_in=step.entry.stand_in,
        luck=luck,
    )


def _seen(replay: Replay, step: Step, who: Knowledge) -> str | None:
    """The action as somebody sees it; chance is told by its effects."""
    if step.entry.by == CHANCE:
        return None
    if who.everything:
        return step.entry.do
    event = replay.game.redact(step.before, step.entry.do, step.after, who.seat)
    return getattr(event, "action", None)


class Album:
    """Pictures, each kept once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._lines: dict[str, int] = {}

    def add(self, picture: str) -> int:
        """The number of a picture."""
        return self._numbers.setdefault(picture, len(self._numbers))

    def pictures(self) -> Iterator[Picture]:
        """All of them in order, as what changes from one to the next."""
        before: list[int] = []
        for picture in self._numbers:
            lines = [self._lines.setdefault(line, len(self._lines)) for line in picture.split("\n")]
            yield _change(before, lines)
            before = lines

    def lines(self) -> tuple[str, ...]:
        """Every line of the pictures that were given out."""
        return tuple(self._lines)


def _change(before: Sequence[int], after: list[int]) -> Picture:
    if len(before) != len(after):
        return Picture(lines=after)
    places = [place for place, line in enumerate(after) if line != before[place]]
    return Picture(places=places, lines=[after[place] for place in places])
