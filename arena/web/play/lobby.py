"""All tables of a server: opened, kept as long as somebody needs them, cleared away."""

import time
from functools import partial
from math import inf
from typing import Final

import trio
from starlette.exceptions import HTTPException

from arena.log import logger
from arena.store.db import Store
from arena.store.errors import StoreError
from arena.tournament.entry import Entry
from arena.web.feed import Feed
from arena.web.play.room import Room, Terms
from arena.web.play.sight import fragment
from arena.web.service import Service
from engine.guarded import GameFault
from protocol.record import Record

ROOMS: Final = 24
"""Tables at a time."""
DESERTED: Final = 30 * 60.0
"""Seconds without anybody after which a table is cleared away; a finished one after a third."""
SPARED: Final = 60.0
"""Seconds without anybody for which it stays even where all tables are taken."""
LOOK_EVERY: Final = 5.0


class Lobby:
    """The tables of one server."""

    def __init__(self, service: Service, nursery: trio.Nursery) -> None:
        self._service = service
        self._nursery = nursery
        self._rooms: dict[str, Room] = {}
        self.bots: dict[str, Entry] = {e.name: e for e in service.settings.entries}
        """Those that can be played against, by name."""

    def open(self, terms: Terms) -> Room:
        """Set up a table.

        Raises:
            HTTPException: there are too many.
        """
        if len(self._rooms) >= ROOMS and not self._make_room():
            raise HTTPException(503, "all tables are taken; come back in a while")
        room = Room(terms, self._service.settings.level)
        self._rooms[room.id] = room
        self._nursery.start_soon(self._keep, room)
        return room

    def _make_room(self) -> bool:
        """Clear away the table that has been left longest, if it has been for a while."""
        room = min(self._rooms.values(), key=lambda room: room.used)
        if time.monotonic() - room.used < SPARED:
            return False
        room.used = -inf
        del self._rooms[room.id]
        return True

    def room(self, name: str) -> Room:
        """A table.

        Raises:
            HTTPException: it is not there, or not any more.
        """
        room = self._rooms.get(name)
        if room is None:
            raise HTTPException(410, "this table is not there any more")
        return room

    def feed(self, room: Room, seat: int | None) -> Feed:
        """What a seat, or a spectator, sees of a table."""
        return self._service.watched(f"room {room.id} {seat}", partial(self._show, room, seat))

    async def _show(self, room: Room, seat: int | None, feed: Feed) -> None:
        """Publish what there is to see, as long as somebody watches."""
        unwatched = 0
        while room.id in self._rooms and unwatched < 2 and not self._service.closing.is_set():
            changed = room.changed
            try:
                feed.publish(fragment(room, seat, self._service.links, list(self.bots)))
            except GameFault as fault:
                room.fail(str(fault))
                return
            with trio.move_on_after(LOOK_EVERY):
                await changed.wait()
            if seat is not None and feed.watchers:
                room.used = time.monotonic()
            unwatched = 0 if feed.watchers else unwatched + 1

    async def _keep(self, room: Room) -> None:
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._play, room)
                await _until_deserted(room)
                nursery.cancel_scope.cancel()
        finally:
            self._rooms.pop(room.id, None)

    async def _play(self, room: Room) -> None:
        try:
            await room.play()
        except GameFault as fault:
            room.fail(str(fault))
        except Exception as error:  # a defect of ours ends this table, not the others
            logger().error("a table failed", game=room.terms.game.name, exc_info=error)
            room.fail("this server failed; its log says why")
        if room.record is not None and room.terms.stored:
            await self._store(room, room.record)

    async def _store(self, room: Room, record: Record) -> None:
        try:
            await trio.to_thread.run_sync(_import, self._service, record)
        except StoreError as error:
            logger().error("a match was not stored", match=record.match, reason=str(error))
        else:
            room.kept()


async def _until_deserted(room: Room) -> None:
    while time.monotonic() - room.used < (DESERTED / 3 if room.over else DESERTED):
        await trio.sleep(LOOK_EVERY)


def _import(service: Service, record: Record) -> None:
    with Store.open(service.settings.store) as store:
        store.import_records([record])
