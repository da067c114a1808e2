"""The values of a foreign file with their positions: what the readers of JSON and XML build, and readers of maps query.

Every query states what it wants; a value that is something else raises FileError with its line, column and path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulator.errors import Fault, FileError, LimitReached
from simulator.formats import limits
from simulator.formats.faults import MOST_SHOWN, Path, got, path_text

if TYPE_CHECKING:
    from collections.abc import Iterator

#: No coordinate, size or count of a map is larger.
LARGEST = float(limits.COORDINATE.most)


class Numbers(tuple[float, ...]):
    """A list of numbers only, kept as one value: layers and outlines have hundreds of thousands."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A text that was passed over without being decoded, such as a picture: only its length is known."""

    length: int


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a file: a scalar, a list of values, `Numbers`, or a mapping from keys to values."""

    data: Any
    file: str
    line: int
    column: int
    path: Path = ()

    def fault(self, message: str, *, limit: bool = False) -> FileError:
        """Return the error to raise: something is wrong with this value."""
        fault = Fault(self.file, self.line, self.column, path_text(self.path), message)
        return LimitReached([fault]) if limit else FileError([fault])

    @property
    def where(self) -> str:
        """The place of this value as a report names it."""
        return f"line {self.line}"

    def at_most(self, limit: limits.Limit, count: float) -> None:
        """Raise LimitReached if a count that this value states or causes exceeds a limit."""
        if count > limit.most:
            raise self.fault(limit.reached(count), limit=True)

    # -- mappings and lists ---------------------------------------------------------------------------------------

    @property
    def keys(self) -> dict[str, Value]:
        """The values of a mapping by key."""
        if not isinstance(self.data, dict):
            raise self.fault(f"expected keys and values {self._got()}")
        return self.data

    def get(self, key: str) -> Value | None:
        """Return the value of a key; None if the key is missing or null."""
        found = self.keys.get(key)
        return None if found is None or found.data is None else found

    def need(self, key: str) -> Value:
        """Return the value of a key that has to be there."""
        found = self.get(key)
        if found is None:
            at = Value(None, self.file, self.line, self.column, (*self.path, key))
            raise at.fault("is missing")
        return found

    def items(self) -> list[Value]:
        """Return the values of a list; those of `Numbers` have the position of the list."""
        if isinstance(self.data, Numbers):
            return [
                Value(number, self.file, self.line, self.column, (*self.path, at))
                for at, number in enumerate(self.data)
            ]
        if not isinstance(self.data, list):
            raise self.fault(f"expected a list {self._got()}")
        return self.data

    def list_of(self, key: str) -> list[Value]:
        """Return the values of the list under a key; none if the key is missing."""
        found = self.get(key)
        return [] if found is None else found.items()

    # -- scalars --------------------------------------------------------------------------------------------------

    def number(self, least: float = -LARGEST, most: float = LARGEST) -> float:
        """Return a number within bounds."""
        if isinstance(self.data, bool) or not isinstance(self.data, int | float):
            raise self.fault(f"expected a number {self._got()}")
        if not least <= self.data <= most:
            raise self.fault(f"expected a number from {least:.15g} to {most:.15g} {self._got()}")
        return float(self.data) + 0.0

    def whole(self, least: int, most: int) -> int:
        """Return a whole number within bounds; 3.0 is one."""
        number = self.data
        if isinstance(number, bool) or not isinstance(number, int | float) or number != number // 1:
            raise self.fault(f"expected a whole number {self._got()}")
        if not least <= number <= most:
            raise self.fault(f"expected a whole number from {least} to {most} {self._got()}")
        return int(number)

    def text(self) -> str:
        """Return a text of limited length."""
        if not isinstance(self.data, str):
            raise self.fault(f"expected a text {self._got()}")
        self.at_most(limits.TEXT, len(self.data))
        return self.data

    def truth(self) -> bool:
        """Return true or false."""
        if not isinstance(self.data, bool):
            raise self.fault(f"expected true or false {self._got()}")
        return self.data

    def number_of(self, key: str, default: float) -> float:
        """Return the number under a key, or a default."""
        found = self.get(key)
        return default if found is None else found.number()

    def text_of(self, key: str, default: str = "") -> str:
        """Return the text under a key, or a default."""
        found = self.get(key)
        return default if found is None else found.text()

    def truth_of(self, key: str) -> bool:
        """Return whether the value under a key is true; a missing one is false."""
        found = self.get(key)
        return found is not None and found.truth()

    def _got(self) -> str:
        shown = self.data
        if isinstance(shown, Skipped):
            return f"(got a text of {shown.length} characters)"
        if isinstance(shown, Numbers):
            return got(list(shown))
        return f"(got a list of {len(shown)})" if isinstance(shown, list) else got(shown)


class Collected:
    """Collects the faults of parts that do not depend on one another, to raise all of them at once."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    @contextmanager
    def part(self) -> Iterator[None]:
        """Read one part: its faults are kept, and reading goes on behind it. A limit ends everything."""
        try:
            yield
        except LimitReached:
            raise
        except FileError as error:
            self._faults += [fault for fault in error.faults if fault not in self._faults]

    def each(self, values: Iterable[Value], read: Callable[[Value], None]) -> None:
        """Read independent values one after another and raise all their faults."""
        for value in values:
            with self.part():
                read(value)
        self.raise_if_any()

    def raise_if_any(self) -> None:
        """Raise FileError with everything that was collected, of a long list the first."""
        if not self._faults:
            return
        more = len(self._faults) - MOST_SHOWN
        if more > 0:
            last = self._faults[MOST_SHOWN]
            count = Fault(last.file, last.line, last.column, "", f"{more} more faults from here on")
            raise FileError([*self._faults[:MOST_SHOWN], count])
        raise FileError(self._faults)
