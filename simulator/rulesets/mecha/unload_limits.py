"""Where a carrier may end for whom it unloads: some it unloads only if it moves, or only if it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import MechaMoves
from simulator.rulesets.mecha.units import MechaTable
from simulator.rulesets.mecha.unloading import too_many


class UnloadDrive(NamedTuple):
    """Where a carrier can end that unloads somebody."""

    reach: MechaReach
    barred: Sequence[Breach]  #: why it can end nowhere
    whole: MechaReach  #: where it could end that unloads nobody
    limits: Sequence[Breach] = ()  #: why it unloads nobody where it ends otherwise


@clause("ME-77", "ME-78", role="search")
def drive_for(table: MechaTable, rider: Unit, whole: MechaReach) -> UnloadDrive:
    """Return where a carrier can end that unloads somebody: how many it may unload depends on whether it moves."""
    after_move, still = (tuple(too_many(table, whole.mover, [rider], moved=moved)) for moved in (True, False))
    if whole.barred or not (after_move or still):
        return UnloadDrive(whole, whole.barred, whole)
    if after_move and still:
        return UnloadDrive(whole, (*still, *after_move), whole)
    moves = _without_a_move(whole.moves) if after_move else _after_a_move(whole.moves)
    reach = type(whole)(table, whole.mover, whole.action, moves)
    return UnloadDrive(reach, (), whole, after_move or still)


@clause("ME-37", "ME-78", role="search")
def _without_a_move(moves: MechaMoves) -> MechaMoves:
    """What costs nothing: a free turn is no move."""
    return moves.put(budget=Fraction(0))


@clause("ME-30", "ME-78", role="search")
def _after_a_move(moves: MechaMoves) -> MechaMoves:
    """What costs something: a turn that is paid for is a move."""
    return replace(moves.put(more_than=Fraction(0)), clauses=(*moves.clauses, ("least", "ME-78")))
