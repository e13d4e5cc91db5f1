"""Which exit status an error has."""

from arena.cli import REFUSED, WORDS


def status_of(error: Exception) -> int | None:
    """The exit status of an error that a user can cause, None for a defect of ours."""
    from arena.referee.faults import CannotStart, HostFault
    from arena.store.errors import StoreError
    from arena.toml import TomlError
    from arena.tournament.entry import BadName
    from engine.game import TableError
    from engine.registry import RegistryError, UnknownGame
    from protocol.record import RecordError

    if isinstance(error, TableError | UnknownGame | BadName):
        return WORDS
    refused = CannotStart | HostFault | StoreError | TomlError | RegistryError | RecordError
    return REFUSED if isinstance(error, refused) else None
