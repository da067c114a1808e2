"""The figures of a rulebook: a TOML file with a clause beside each table, every figure replaceable by its path.

>>> tables = Tables.from_toml('''
... [action.run]
... clause = "ME-47"
... ap = 2
... [mp_per_inch.difficult]
... clause = "ME-11"
... wheel = 0.5
... ''')
>>> tables["action.run.ap"], tables["mp_per_inch.difficult"], tables.clause("action.run.ap")
(2, Fields(wheel=Fraction(1, 2)), 'ME-47')
>>> tables.override({"action.run.ap": 3})["action.run.ap"]
3

Decimals are read exactly. An override may add entries to a table with `open = true`; elsewhere it replaces a figure by
one of the same kind: a number by a number, a word by a word or a number.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeVar

from simulator.engine.constraints import Constraint, is_number
from simulator.engine.errors import FaultyRule, OptionError
from simulator.engine.given import named_values
from simulator.engine.values import NO_FIELDS, Fields, Value, freeze, show
from simulator.wording import did_you_mean

T = TypeVar("T")

#: Keys of a table that describe it and are not figures.
_ABOUT = ("clause", "open")


class NoFigure(FaultyRule, KeyError):
    """A path that a rule asks for, and that leads to no figure; the nearest is searched when the message is read."""

    def __init__(self, path: str, known: Iterable[str] = ()) -> None:
        super().__init__(path)
        self.known = known

    def __str__(self) -> str:
        return f"there is no figure {self.args[0]!r}; {did_you_mean(self.args[0], self.known)}"


@dataclass(frozen=True)
class Tables(Mapping[str, Any]):
    """Figures by path: `tables["action.run.ap"]`; a path to a whole table returns its fields."""

    figures: Fields = NO_FIELDS
    #: For each table with a clause, the path and the clause.
    clauses: Fields = NO_FIELDS
    #: The tables to which overrides may add entries.
    open: tuple[str, ...] = ()
    #: The overrides, unchanged.
    overrides: Fields = NO_FIELDS
    #: The figures that were asked for, by path.
    _found: dict[str, Any] = field(init=False, repr=False, compare=False, default_factory=dict)

    #: Constraints on figures, by their path or that of a table around them: the nearest counts.
    wants: ClassVar[Mapping[str, Constraint]] = {}

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Read the tables of a ruleset."""
        clauses: dict[str, str] = {}
        open_tables: list[str] = []

        def sorted_out(part: Any, path: str) -> Any:
            if not isinstance(part, dict):
                return part
            if "clause" in part:
                clauses[path] = part["clause"]
            if part.get("open") is True:
                open_tables.append(path)
            inner = {name: value for name, value in part.items() if name not in _ABOUT}
            return {name: sorted_out(value, f"{path}.{name}" if path else name) for name, value in inner.items()}

        figures = sorted_out(tomllib.loads(text, parse_float=Fraction), "")
        return cls(Fields(figures), Fields(clauses), tuple(sorted(open_tables)))

    def __getitem__(self, path: str) -> Any:
        if path in self._found:
            return self._found[path]
        found: Any = self.figures
        for name in path.split("."):
            if not isinstance(found, Fields) or name not in found:
                raise NoFigure(path, self)
            found = found[name]
        self._found[path] = found
        return found

    def __iter__(self) -> Iterator[str]:
        return (path for path, _ in _leaves(self.figures, ""))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def clause(self, path: str) -> str:
        """Return the clause of a figure: that of the nearest table around it."""
        return str(_nearest(self.clauses, path) or "")

    def override(self, changes: Mapping[str, Any]) -> Self:
        """Return the tables with some figures replaced; raise OptionError with all faults."""
        faults: list[str] = []
        figures = self.figures
        for path, raw in named_values("figures", changes, "{'ap.each_turn': 4}").items():
            try:
                value = freeze(raw)
                figures = self._replaced(figures, path, value)
                faults += self._unfit(path, value)
            except (ValueError, TypeError) as error:
                faults.append(f"{path}: {error}{self._cited(path)}")
        if faults:
            raise OptionError("\n".join(faults))
        return type(self)(figures, self.clauses, self.open, self.overrides.put(changes))

    def _unfit(self, path: str, value: Value) -> Iterator[str]:
        """Report each figure that violates its constraint, with its clause."""
        leaves = _leaves(value, path) if isinstance(value, Fields) else [(path, value)]
        for place, figure in leaves:
            constraint = _nearest(self.wants, place)
            if constraint is not None and not constraint.fits(figure):
                yield f"{place}: expected {constraint.about}, not {show(figure)}{self._cited(place)}"

    def _cited(self, path: str) -> str:
        """Return the clause of a figure in brackets; "" for a path that leads to none."""
        clause = self.clause(path) if path in self else ""
        return f" ({clause})" if clause else ""

    def _replaced(self, figures: Fields, path: str, new: Any) -> Fields:
        names = path.split(".")
        around = [figures]
        for depth, name in enumerate(names[:-1]):
            inner = around[-1].get(name)
            if inner is None and self._is_open(".".join(names[:depth])):
                inner = NO_FIELDS
            if not isinstance(inner, Fields):
                raise ValueError(self._unknown(path))
            around.append(inner)
        last = names[-1]
        if last in around[-1]:
            _same_kind(around[-1][last], new)
        elif not self._is_open(".".join(names[:-1])):
            raise ValueError(self._unknown(path))
        value = around.pop().put({last: new})
        for name in reversed(names[:-1]):
            value = around.pop().put({name: value})
        return value

    def _is_open(self, path: str) -> bool:
        return any(path == table or path.startswith(f"{table}.") for table in self.open)

    def _unknown(self, path: str) -> str:
        hint = did_you_mean(path, self, listed=False)
        return f"no such figure{'; ' + hint if hint else ''}"


def _nearest(known: Mapping[str, T], path: str) -> T | None:
    """Return the entry of a path, or else of the nearest table around it."""
    while path not in known and "." in path:
        path = path.rpartition(".")[0]
    return known.get(path)


def _same_kind(old: Any, new: Any) -> None:
    def kind(value: Any) -> str:
        if isinstance(value, bool):
            return "true or false"
        if is_number(value):
            return "a number"
        if isinstance(value, tuple):
            return "a list"
        return "a table" if isinstance(value, Fields) else "a word"

    # A table may have "cant" in one entry and a number in another, so words and numbers can replace each other.
    scalar = ("a number", "a word")
    if kind(old) != kind(new) and not (kind(old) in scalar and kind(new) in scalar):
        raise ValueError(f"expected {kind(old)} as in {show(old)}, not {show(new)}")


def _leaves(fields: Fields, path: str) -> Iterator[tuple[str, Any]]:
    for name, value in fields.items():
        here = f"{path}.{name}" if path else name
        if isinstance(value, Fields):
            yield from _leaves(value, here)
        else:
            yield here, value
