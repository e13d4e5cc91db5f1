"""The log of the arena itself, on stderr: human lines or JSON. Structlog is loaded on demand."""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

_LEVELS = {-1: 40, 0: 30, 1: 20, 2: 10}
_settings: dict[str, Any] = {"as_json": False, "level": 30}


def configure(*, as_json: bool, verbosity: int) -> None:
    """Set how the log looks and from which level it speaks.

    Args:
        as_json: JSON lines instead of human ones.
        verbosity: −1 errors, 0 warnings, 1 what happens, 2 everything.
    """
    _settings.update(as_json=as_json, level=_LEVELS[max(-1, min(2, verbosity))])


def logger() -> "FilteringBoundLogger":
    """The log; what is below the level costs a call that does nothing."""
    import structlog

    if not structlog.is_configured():
        _set_up(structlog)
    log: FilteringBoundLogger = structlog.get_logger()
    return log


def _set_up(structlog: Any) -> None:
    processors: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso" if _settings["as_json"] else "%H:%M:%S"),
    ]
    if _settings["as_json"]:
        processors += [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        plain = structlog.dev.plain_traceback  # others show values, which may be secrets
        colors = sys.stderr.isatty()
        processors.append(structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain))
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(_settings["level"]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
