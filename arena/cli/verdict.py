"""How a comparison stands and ends, in words."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Final

import typer
from msgspec import Struct

from arena.tournament.comparison import Comparison

if TYPE_CHECKING:
    from arena.tournament.agenda import Agenda


class LiveLine:
    """One line on a terminal that tells how the test stands; stops the run when it is decided."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison: Final = comparison
        self._shown = sys.stderr.isatty()
        self._agenda: Agenda | None = None

    def __enter__(self) -> "LiveLine":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._shown:
            typer.echo("\r\x1b[K", err=True, nl=False)

    def start(self, agenda: "Agenda", matches: int | None) -> None:  # noqa: ARG002  # a Watcher's
        """Count what is stored already."""
        self._agenda = agenda
        self.advance(0)

    def advance(self, count: int) -> None:  # noqa: ARG002  # a Watcher's
        """Count what came in; nothing more is begun after the decision."""
        assert self._agenda is not None
        self.comparison.advance(self._agenda.played)
        if self.comparison.decided:
            self._agenda.close()
        if self._shown:
            typer.echo(f"\r\x1b[K{_standing(self.comparison)}", err=True, nl=False)


def _standing(comparison: Comparison) -> str:
    """`212 deals  LLR 1.20 (-2.94 to 2.94)  Elo 14 ± 18  about 300 deals to go`."""
    verdict, (low, high) = comparison.verdict, comparison.hypotheses.bounds
    words = f"{comparison.deals:,} deals  LLR {verdict.llr:.2f} ({low:.2f} to {high:.2f})"
    if verdict.estimate is not None:
        words += f"  Elo {verdict.estimate.elo:.0f} ± {verdict.estimate.error:.0f}"
    if verdict.to_go is not None and not comparison.decided:
        words += f"  about {verdict.to_go:,.0f} deals to go"
    return words


class Outcome(Struct, frozen=True):
    """What `arena compare --json` prints."""

    verdict: str
    """`better`, `not better` or `undecided`."""
    new: str
    base: str
    run: str
    deals: int
    counts: tuple[int, ...]
    """How many deals had each outcome, NEW's half points over all rotations."""
    llr: float
    bounds: tuple[float, float]
    elo: float | None
    error: float | None
    los: float | None
    to_go: float | None
    """Deals expected until the decision."""

    @classmethod
    def of(cls, comparison: Comparison, run: str, new: str, base: str) -> "Outcome":
        """What the comparison came to."""
        verdict, estimate = comparison.verdict, comparison.verdict.estimate
        return cls(
            verdict={"elo1": "better", "elo0": "not better"}.get(
                verdict.accepted or "", "undecided"
            ),
            new=new,
            base=base,
            run=run,
            deals=comparison.deals,
            counts=tuple(comparison.counts),
            llr=verdict.llr,
            bounds=comparison.hypotheses.bounds,
            elo=None if estimate is None else estimate.elo,
            error=None if estimate is None else estimate.error,
            los=None if estimate is None else estimate.los,
            to_go=None if comparison.decided else verdict.to_go,
        )

    def sentence(self) -> str:
        """The verdict for people."""
        says = {
            "better": f"{self.new} is better than {self.base}",
            "not better": f"{self.new} is not better than {self.base}",
            "undecided": f"it is undecided whether {self.new} is better than {self.base}",
        }[self.verdict]
        low, high = self.bounds
        words = f"{says}: {self.deals:,} deals, LLR {self.llr:.2f} ({low:.2f} to {high:.2f})"
        if self.elo is not None and self.error is not None and self.los is not None:
            words += f", Elo {self.elo:+.0f} ± {self.error:.0f}, likelihood {self.los:.1%}"
        return f"{words}, outcomes {list(self.counts)}."
