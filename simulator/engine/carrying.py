"""Units that carry units: an armoured carrier and those inside it, a motorcycle and its riders.

A unit has at most one carrier, named by one of its fields (see `carried`): `Unit.carrier`. A carrier may be carried
itself, but no chain of carriers may lead back to itself. A carried unit has the place assigned by its carrier, or none.
The rulebook defines how units get aboard, what they can do there, and what happens to them when their carrier is lost.
An event that leaves a unit with an impossible carrier is a fault of its rule.

>>> from simulator.engine.state import State, Unit
>>> apc, ann = Unit("apc", "tracks", place=(0, 0)), Unit("ann", "foot", fields={"carrier": "apc"})
>>> state = State.of([apc, ann])
>>> [unit.id for unit in state.riders("apc")], [unit.id for unit in state.standing]
(['ann'], ['apc'])
>>> list(State.of([ann]).against_carriers().values())
["ann: there is no unit 'apc' to carry it; known: ann"]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from simulator.engine.constraints import WORD
from simulator.engine.errors import Breach
from simulator.engine.events import Change, change_unit
from simulator.engine.state import CARRIER_WORDS, State, Unit
from simulator.engine.unit_types import FieldSpec
from simulator.wording import did_you_mean


def carried(clause: str = "", about: str = "what carries it", word: str = "carrier") -> dict[str, FieldSpec]:
    """Return the field of a unit type whose units can be carried: `UnitType("trooper", {**carried("CA-118")})`.

    `word` is the rulebook's name of the field, one of `CARRIER_WORDS`.
    """
    if word not in CARRIER_WORDS:
        raise ValueError(f"{word!r} is not a field for a carrier; {did_you_mean(word, CARRIER_WORDS)}")
    return {word: FieldSpec("", clause=clause, about=about, wants=WORD)}


def change_with_riders(
    state: State,
    name: str,
    /,
    *,
    aboard: Mapping[str, Any] | None = None,
    riders: Iterable[Unit] | None = None,
    **values: Any,
) -> list[Change]:
    """Change a unit and everybody aboard: they move to its new place, or get the values in `aboard`.

    Units without a place aboard keep none. `riders` are its riders in another order.
    """
    changed = {key: value for key, value in values.items() if key == "place"} if aboard is None else aboard
    without = {key: value for key, value in changed.items() if key != "place"}
    everybody: dict[str, Unit] = {}
    for rider in state.riders(name) if riders is None else riders:
        everybody |= {unit.id: unit for unit in (rider, *state.everybody_aboard(rider.id))}
    taken = {unit.id: changed if unit.place is not None else without for unit in everybody.values()}
    return [change_unit(name, **values), *(change_unit(id, **new) for id, new in taken.items() if new)]


def carrier_faults(state: State, breaches: Iterable[Breach] = ()) -> list[Breach]:
    """Return the faults of carriers, for units about which the rulebook reports none itself."""
    known = {breach.blocker for breach in breaches}
    reasons = state.against_carriers(name for name in state.units if name not in known)
    return [Breach("", reason, blocker=name) for name, reason in reasons.items()]
