"""What became of a foreign map: the board, what could not be carried over, and what was decided on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from simulator.geometry.board import Board

_SHOWN_PLACES = 3


@dataclass(slots=True)
class Loss:
    """One kind of thing that is not carried over: how often it occurs, and where first."""

    count: int = 0
    places: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Report:
    """The account of a conversion. Nothing is dropped without an entry here.

    >>> report = Report()
    >>> report.lose("theme 'snow'", "line 4")
    >>> report.lose("theme 'snow'", "line 5")
    >>> report.note("a hex is 30 metres")
    >>> list(report.lines())
    ["not carried over: 2 × theme 'snow' (line 4, line 5)", 'note: a hex is 30 metres']
    """

    lost: dict[str, Loss] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def lose(self, what: str, where: str = "", count: int = 1) -> None:
        """Count something that is not carried over."""
        loss = self.lost.setdefault(what, Loss())
        loss.count += count
        if where and len(loss.places) <= _SHOWN_PLACES and where not in loss.places:
            loss.places.append(where)

    def own_name(self, name: str, taken: dict[str, int]) -> str:
        """Return a name that no other has: the second of a name gets a number. `taken` holds the last of each."""
        number = taken.get(name, 0) + 1
        own = name if number == 1 else f"{name}-{number}"
        while own in taken:
            number += 1
            own = f"{name}-{number}"
        if own != name:
            self.note("names that occur more than once are numbered")
        taken[name] = number
        taken.setdefault(own, 1)
        return own

    def note(self, text: str) -> None:
        """Add a decision that the user should know; each is kept once."""
        if text not in self.notes:
            self.notes.append(text)

    def lines(self) -> Iterator[str]:
        """Yield the account as lines for a reader: losses in the order in which they were met, then the notes."""
        for what, loss in self.lost.items():
            more = ", …" if len(loss.places) > _SHOWN_PLACES else ""
            where = f" ({', '.join(loss.places[:_SHOWN_PLACES])}{more})" if loss.places else ""
            yield f"not carried over: {loss.count} × {what}{where}"
        yield from (f"note: {text}" for text in self.notes)

    def to_fields(self) -> dict[str, Any]:
        """Return the account as plain data."""
        lost = [
            {"what": what, "count": loss.count, "where": loss.places[:_SHOWN_PLACES]}
            for what, loss in self.lost.items()
        ]
        return {"not_carried_over": lost, "notes": list(self.notes)}


@dataclass(frozen=True, slots=True)
class Imported:
    """A board made from a foreign map, its text as a file, and the account of the conversion."""

    board: Board[Any]
    text: str
    report: Report


@dataclass(frozen=True, slots=True)
class Exported:
    """The text of a foreign map made from a board, and the account of the conversion."""

    text: str
    report: Report
