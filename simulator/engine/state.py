"""Units and the table as immutable values: cheap to copy, with one text form and a stable hash.

A new state shares all unchanged parts with the old one, texts included. Two states are equal when their texts
are, so `True` is not 1 and 2.0 is not 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any

from simulator.engine.clock import Clock
from simulator.engine.errors import TableError
from simulator.engine.orders import Order, is_name
from simulator.engine.questions import Question, question_from
from simulator.engine.values import NO_FIELDS, Fields, Value, fingerprint, freeze, from_text, plain_dict, to_text
from simulator.errors import shortened
from simulator.wording import did_you_mean, with_article

#: The properties of every unit under all rulesets; all others are its fields.
OF_EVERY_UNIT = ("type", "side", "place", "heading")
#: The possible names of the field with the carrier of a unit: `Unit.carrier` reads it.
CARRIER_WORDS = ("carrier", "aboard")


@dataclass(frozen=True, eq=False)
class Unit:
    """One piece on the table. The ruleset's values for it are in `fields`: `unit["ap"]`.

    >>> walker = Unit("A2", "walker", "red", (3, 4), 90, {"ap": 2})
    >>> walker.put(place=(4, 4), ap=1)["ap"], walker["ap"]
    (1, 2)
    """

    id: str
    type: str
    side: str = ""
    place: Any = None
    heading: Any = None
    fields: Fields = NO_FIELDS

    def __post_init__(self) -> None:
        object.__setattr__(self, "place", freeze(self.place))
        object.__setattr__(self, "heading", freeze(self.heading))
        object.__setattr__(self, "fields", Fields(self.fields) if type(self.fields) is not Fields else self.fields)

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def get(self, name: str, otherwise: Any = None) -> Any:
        """Return a field, or a substitute if the unit has no such field."""
        return self.fields.get(name, otherwise)

    @property
    def carrier_word(self) -> str:
        """The name of the field with the unit's carrier; "" if units of its type are not carried."""
        for word in CARRIER_WORDS:
            if word in self.fields:
                return word
        return ""

    @property
    def carrier(self) -> str:
        """The id of the unit that carries this one; "" if it stands by itself.

        >>> Unit("bea", "rider", "red", fields={"aboard": "bike"}).carrier
        'bike'
        """
        return self.fields[word] if (word := self.carrier_word) else ""

    def put(self, changes: Mapping[str, Any] = NO_FIELDS, /, **more: Any) -> Unit:
        """Return the same unit with changed properties or fields; `carrier` sets the field of its carrier."""
        changes = plain_dict(changes)
        changes.update(more)
        if "id" in changes:
            raise ValueError("a unit keeps its id")
        if "carrier" in changes and "carrier" not in self.fields:
            if not (word := self.carrier_word):
                raise ValueError(f"{self.id} cannot be carried: {with_article(self.type)} has no field for its carrier")
            changes[word] = changes.pop("carrier")
        other = object.__new__(Unit)
        parts = other.__dict__
        parts.update(id=self.id, type=self.type, side=self.side, place=self.place, heading=self.heading)
        # Most changes are of fields: what stays is frozen already.
        for name in OF_EVERY_UNIT:
            if name in changes:
                parts[name] = freeze(changes.pop(name)) if name in ("place", "heading") else changes.pop(name)
        parts["fields"] = self.fields.put(changes)
        return other

    @cached_property
    def text(self) -> str:
        """The unit as one line of JSON."""
        return to_text(
            Fields(
                {
                    "id": self.id,
                    "type": self.type,
                    "side": self.side,
                    "place": self.place,
                    "heading": self.heading,
                    "fields": self.fields,
                }
            )
        )

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Unit:
        """Rebuild the unit from its data."""
        return cls(**fields)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unit) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


@dataclass(frozen=True, slots=True)
class Pending:
    """A paused order: the answers so far, and the open question.

    Nothing of the order is applied yet: run again with these answers, it reaches the same question.
    """

    order: Order
    question: Question
    answers: tuple[Value, ...] = ()

    def to_fields(self) -> Fields:
        """Return the paused order as plain data."""
        question = self.question.to_fields()
        return Fields({"order": self.order.to_fields(), "question": question, "answers": self.answers})

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Pending:
        """Rebuild a paused order from its data."""
        return cls(Order.from_fields(fields["order"]), question_from(fields["question"]), fields["answers"])


@dataclass(frozen=True, eq=False)
class State:
    """The table at one moment: units in a fixed order, the clock, the ruleset's data, an open question.

    >>> state = State.of([Unit("A1", "walker", "red", (0, 0)), Unit("B1", "track", "blue", (5, 5))])
    >>> moved = state.put_unit("A1", place=(1, 0))
    >>> state.unit("A1").place, moved.unit("A1").place, moved.units["B1"] is state.units["B1"]
    ((0, 0), (1, 0), True)
    >>> State.from_text(moved.text) == moved, moved.hash == state.hash
    (True, False)
    """

    units: MappingProxyType[str, Unit] = field(default_factory=lambda: MappingProxyType({}))
    clock: Clock = field(default_factory=Clock)
    data: Fields = NO_FIELDS
    #: The number of rolls so far: the next roll uses this number for the seeded dice.
    rolls: int = 0
    #: The number of choices and reactions so far.
    choices: int = 0
    pending: Pending | None = None

    @classmethod
    def of(cls, units: Iterable[Unit] = (), data: Mapping[str, Any] = NO_FIELDS, **more: Any) -> State:
        """Set up a table. Units keep their order."""
        found: dict[str, Unit] = {}
        for unit in units:
            if not is_name(unit.id):
                raise TableError(f"{unit.id!r} is not a valid id for a unit: letters, digits, _ and -, a letter first")
            if unit.id in found:
                raise TableError(f"there are two units {unit.id!r}")
            found[unit.id] = unit
        sides = {unit.side for unit in found.values()} | {"all"}
        if clash := [name for name in found if name in sides]:
            raise TableError(f"{clash[0]!r} is the id of a unit and the name of a side (or 'all')")
        return cls(units=MappingProxyType(found), data=Fields(data), **more)

    def __iter__(self) -> Iterator[Unit]:
        return iter(self.units.values())

    def __repr__(self) -> str:
        return f"<State {self.hash} with {', '.join(self.units) or 'nobody'}: {self.clock}>"

    def unit(self, name: str) -> Unit:
        """Return a unit by its id."""
        try:
            return self.units[name]
        except (KeyError, TypeError):  # some values are not even possible keys
            raise TableError(f"there is no unit {shortened(name)}; {did_you_mean(name, self.units)}") from None

    # --- carriers and riders ---

    @cached_property
    def _riders(self) -> Mapping[str, tuple[Unit, ...]]:
        riders: dict[str, list[Unit]] = {}
        for unit in self:
            if unit.carrier:
                riders.setdefault(unit.carrier, []).append(unit)
        return {name: tuple(units) for name, units in riders.items()}

    @property
    def standing(self) -> tuple[Unit, ...]:
        """The units that stand on the table themselves: those with a place that nothing carries."""
        return tuple(unit for unit in self if unit.place is not None and not unit.carrier)

    def carrier_of(self, unit: Unit) -> Unit | None:
        """Return the carrier of a unit; None without one."""
        return self.units.get(unit.carrier)

    def riders(self, name: str) -> tuple[Unit, ...]:
        """Return the units that a unit carries directly, in their fixed order."""
        return self._riders.get(name, ())

    def everybody_aboard(self, name: str) -> tuple[Unit, ...]:
        """Return the riders of a unit, and after each of them its own riders, and so on."""
        found: dict[str, Unit] = {}

        def enter(carrier: str) -> None:
            for unit in self.riders(carrier):
                if unit.id not in found and unit.id != name:
                    found[unit.id] = unit
                    enter(unit.id)

        enter(name)
        return tuple(found.values())

    def carriers_of(self, name: str) -> tuple[Unit, ...]:
        """Return the carrier of a unit, the carrier of that, and so on; the last of them stands on the table.

        In a circle of carriers each is listed once.
        """
        found: dict[str, Unit] = {}
        carrier = self.carrier_of(self.unit(name))
        while carrier is not None and carrier.id not in found:
            found[carrier.id] = carrier
            carrier = self.carrier_of(carrier)
        return tuple(found.values())

    def against_carriers(self, names: Iterable[str] | None = None) -> dict[str, str]:
        """Explain for all units, or some, why their carriers cannot carry them: they are missing or form a circle."""
        found = {}
        for name in self.units if names is None else names:
            carrier = self.units[name].carrier if name in self.units else ""
            if not carrier:
                continue
            if carrier not in self.units:
                found[name] = f"{name}: there is no unit {carrier!r} to carry it; {did_you_mean(carrier, self.units)}"
            elif carrier == name:
                found[name] = f"{name} cannot carry itself"
            elif name in (above := [unit.id for unit in self.carriers_of(name)]):
                found[name] = f"{name} would carry itself: it is carried by {', that by '.join(above)}"
        return found

    def put(self, **changes: Any) -> State:
        """Return the same table with some of its parts changed."""
        return State(**{**{name: getattr(self, name) for name in _PARTS}, **changes})

    def put_unit(self, name: str, changes: Mapping[str, Any] = NO_FIELDS, /, **more: Any) -> State:
        """Return the same table with one unit changed."""
        return self.with_unit(self.unit(name).put(changes, **more))

    def with_unit(self, unit: Unit) -> State:
        """Return the same table with this unit: at its old position in the order, or last if it is new."""
        return self._with_units(self.units | {unit.id: unit})

    def with_units(self, units: Mapping[str, Unit]) -> State:
        """Return the same table with some units by their ids, as with each of them in turn."""
        return self._with_units(self.units | dict(units)) if units else self

    def _with_units(self, units: dict[str, Unit]) -> State:
        return State(MappingProxyType(units), self.clock, self.data, self.rolls, self.choices, self.pending)

    def without_unit(self, name: str) -> State:
        """Return the same table without one unit."""
        self.unit(name)
        return self._with_units({key: unit for key, unit in self.units.items() if key != name})

    @cached_property
    def _parts(self) -> tuple[str, str, str]:
        units = ",".join([unit.text for unit in self])
        return to_text(self.clock.to_fields()), to_text(self.data), units

    @cached_property
    def text(self) -> str:
        """The table as one line of JSON; `State.from_text` reads it back."""
        clock, data, units = self._parts
        pending = to_text(self.pending.to_fields()) if self.pending else "null"
        return (
            f'{{"choices":{self.choices},"clock":{clock},"data":{data},"pending":{pending},'
            f'"rolls":{self.rolls},"units":[{units}]}}'
        )

    @classmethod
    def from_text(cls, text: str) -> State:
        """Read a table back; raise ValueError if the text is not one."""
        try:
            fields: Any = from_text(text)
            pending = fields["pending"]
            return cls.of(
                (Unit.from_fields(unit) for unit in fields["units"]),
                fields["data"],
                clock=Clock.from_fields(fields["clock"]),
                rolls=fields["rolls"],
                choices=fields["choices"],
                pending=Pending.from_fields(pending) if pending is not None else None,
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a table: {type(error).__name__}: {error}") from error

    @cached_property
    def hash(self) -> str:
        """A fingerprint of the whole table, the same on every machine."""
        return fingerprint(self.text)

    @cached_property
    def position_hash(self) -> str:
        """A fingerprint of units, clock and data alone: equal for different ways of play to the same position."""
        return fingerprint("\n".join(self._parts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return State.from_text, (self.text,)


_PARTS = tuple(part.name for part in fields(State))


def require_side(side: Any, units: Iterable[Unit]) -> None:
    """Raise TableError for a side that none of these units is of."""
    sides = dict.fromkeys(unit.side for unit in units)
    if not isinstance(side, str) or side not in sides:
        raise TableError(f"there is no side {shortened(side)}; {did_you_mean(str(side), sides)}")
