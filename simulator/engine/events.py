"""Events: what happened, to whom, where, by which clause, at what price, and with what changes.

Changes are plain data, so the table applies them without knowing any rule, and a log of them is complete.

>>> from simulator.engine.state import State, Unit
>>> state = State.of([Unit("A1", "walker", "red", (0, 0), fields={"ap": 2})])
>>> price = [LedgerLine("a step", currency="squares")]
>>> step = Event("step", "A1", [change_unit("A1", place=(1, 0))], "GR-26", (1, 0), price)
>>> applied(state, step).unit("A1").place, str(step)
((1, 0), 'A1 step at 1,0: 1 square (GR-26)')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from simulator.engine.errors import FaultyRule, TableError
from simulator.engine.ledger import LedgerLine
from simulator.engine.phrases import plain_text, sentence
from simulator.engine.state import CARRIER_WORDS, State, Unit
from simulator.engine.values import NO_FIELDS, Fields, freeze, show
from simulator.wording import measure


class Change(NamedTuple):
    """One change by an event: to a unit, to the clock, or to the ruleset's data."""

    verb: str
    subject: str
    values: Fields


def change_unit(unit: str, /, **values: Any) -> Change:
    """Return the change of a unit's place, heading, type, side or fields."""
    return Change("unit", unit, Fields(values))


def change_data(**values: Any) -> Change:
    """Return a change of the ruleset's data about the table as a whole."""
    return Change("data", "", Fields(values))


def change_clock(**values: Any) -> Change:
    """Return a change of some values of the clock."""
    return Change("clock", "", Fields(values))


def add_unit(unit: Unit) -> Change:
    """Return the change that puts a new unit on the table."""
    fields = {"type": unit.type, "side": unit.side, "place": unit.place, "heading": unit.heading, "fields": unit.fields}
    return Change("add", unit.id, Fields(fields))


def remove_unit(unit: str) -> Change:
    """Return the change that takes a unit off the table for good."""
    return Change("remove", unit, NO_FIELDS)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. The rule fills in everything but the running price and the phrase, set by the table."""

    kind: str
    unit: str = ""
    changes: Sequence[Change] = ()
    clause: str = ""
    place: tuple[Any, ...] | None = None
    price: Sequence[LedgerLine] = ()
    detail: Mapping[str, Any] = NO_FIELDS
    spent: Fields = field(default=NO_FIELDS)
    #: The ruleset's words for it, see `phrases`; not part of what happened.
    phrase: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        if isinstance(self.changes, Change):
            raise FaultyRule(f"the changes of {self.kind!r} are a list, even of one: [change_unit(...)]")
        put(self, "changes", tuple(self.changes))
        put(self, "price", tuple(self.price))
        put(self, "detail", Fields(self.detail) if type(self.detail) is not Fields else self.detail)
        if self.place is not None:
            put(self, "place", freeze(self.place))

    def counted(self, spent: Fields, phrase: str) -> Event:
        """Return the same event with the running price and the phrase; the rest is kept, without a second check."""
        other, put = object.__new__(Event), object.__setattr__
        for name in _PARTS:
            put(other, name, getattr(self, name))
        put(other, "spent", spent)
        put(other, "phrase", phrase)
        return other

    def to_fields(self) -> Fields:
        """Return the event as plain data without empty fields."""
        known: dict[str, Any] = {"kind": self.kind}
        for name in ("unit", "clause", "detail", "spent"):
            if value := getattr(self, name):
                known[name] = value
        if self.place is not None:
            known["place"] = self.place
        if self.changes:
            known["changes"] = tuple(tuple(change) for change in self.changes)
        if self.price:
            known["price"] = tuple(line.to_fields() for line in self.price)
        return Fields(known)

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Event:
        """Rebuild the event from its data."""
        known = dict(fields)
        known["changes"] = [Change(*change) for change in known.get("changes", ())]
        known["price"] = [LedgerLine.from_fields(line) for line in known.get("price", ())]
        return cls(**known)

    def __str__(self) -> str:
        cost = ", ".join(map(self._price_text, self.price))
        clause = f" ({self.clause})" if self.clause else ""
        return self.sentence("" if self.place is None else show(self.place)) + (f": {cost}" if cost else "") + clause

    def _price_text(self, line: LedgerLine) -> str:
        """Return the text of a line of the price; with its purpose if several are in one currency."""
        paid = measure(line.price, line.currency)
        alone = sum(line.currency == other.currency for other in self.price) == 1
        return paid if alone else f"{paid} for {line.what}"

    def sentence(self, place: str) -> str:
        """Return its text without its price and clause; `place` is the text of its place."""
        if self.phrase:
            try:
                return sentence(self.phrase, self.unit, place, self.detail)
            except KeyError as error:
                known = ", ".join(["unit", "place", *self.detail])
                message = f"the phrase of {self.kind!r}, {self.phrase!r}, names {error}; its detail knows: {known}"
                raise FaultyRule(message) from error
        return plain_text(self.kind, self.unit, place, self.detail)


def applied(state: State, event: Event) -> State:
    """Return the table after an event. Units that it puts or leaves aboard must then have a valid carrier."""
    after = _after(state, event.changes, event)
    moved = [name for _, name, values in event.changes if any(word in values for word in CARRIER_WORDS)]
    added = [name for verb, name, _ in event.changes if verb == "add"]
    left = [unit.id for verb, name, _ in event.changes if verb == "remove" for unit in after.riders(name)]
    if moved or added or left:
        for reason in after.against_carriers([*moved, *added, *left]).values():
            raise FaultyRule(f"the event '{event}' cannot be applied: {reason}")
    return after


def _after(state: State, changes: Iterable[Change], event: Event) -> State:
    # The units that were changed last: most events change several, of which one new table is made.
    changed: dict[str, Unit] = {}
    try:
        for verb, subject, values in changes:
            if verb == "unit":
                changed[subject] = (changed.get(subject) or state.unit(subject)).put(values)
                continue
            state, changed = state.with_units(changed), {}
            if verb == "data":
                state = state.put(data=state.data.put(values))
            elif verb == "clock":
                state = state.put(clock=state.clock.put(values))
            elif verb == "add":
                if subject in state.units:
                    raise TableError(f"there is already a unit {subject!r}")
                state = state.with_unit(Unit(subject, **values))
            elif verb == "remove":
                state = state.without_unit(subject)
            else:
                raise TableError(f"no such change: {verb!r}")
        return state.with_units(changed)
    except (TableError, TypeError, ValueError) as error:
        raise FaultyRule(f"the event '{event}' cannot be applied: {error}") from error


_PARTS = tuple(part.name for part in fields(Event) if part.name not in ("spent", "phrase"))
