"""Units that carry units: an armoured carrier and those inside it, a motorcycle and its riders.

A unit is carried by one other at most, which one of its fields says (see `carried`): `Unit.carrier`. A carrier may be
carried itself, but nobody comes to carry itself that way. A carried unit has the place that its carrier gives it, or
none. What it takes to get aboard, what can be done there, and what becomes of those aboard when a carrier is lost is
for the rulebook to say. An event that leaves somebody with a carrier that cannot be is a fault of its rule.

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

    `word` is what the rulebook calls it, one of `CARRIER_WORDS`.
    """
    if word not in CARRIER_WORDS:
        raise ValueError(f"no word for what carries a unit: {word!r}; {did_you_mean(word, CARRIER_WORDS)}")
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
    """Change a unit, and take everybody aboard along: to its new place, or as `aboard` says.

    Those who have no place while they are aboard keep none. `riders` are its riders in another order.
    """
    given = {key: value for key, value in values.items() if key == "place"} if aboard is None else aboard
    without = {key: value for key, value in given.items() if key != "place"}
    everybody: dict[str, Unit] = {}
    for rider in state.riders(name) if riders is None else riders:
        everybody |= {unit.id: unit for unit in (rider, *state.everybody_aboard(rider.id))}
    taken = {unit.id: given if unit.place is not None else without for unit in everybody.values()}
    return [change_unit(name, **values), *(change_unit(id, **new) for id, new in taken.items() if new)]


def carrier_faults(state: State, breaches: Iterable[Breach] = ()) -> list[Breach]:
    """Return what is wrong with carriers, of units about which the rulebook has not said what is wrong itself."""
    known = {breach.blocker for breach in breaches}
    reasons = state.against_carriers(name for name in state.units if name not in known)
    return [Breach("", reason, blocker=name) for name, reason in reasons.items()]
