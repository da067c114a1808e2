"""Jumps off elevated terrain: how high it may be, where they lead, and what of them are falls.

A jump is planned and judged as a move on the top whose last leg leads over the edge, by a link of the planner for each
level on which it may end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from simulator.engine.clauses import clause
from simulator.engine.orders import Element
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.pathing.posed import Follow, Move, OffTheEdge, TableLevel, Travel
from simulator.pathing.posed.moves import path_of
from simulator.rulesets.mecha.elevated import Top, top_of
from simulator.rulesets.mecha.figures import NEVER
from simulator.rulesets.mecha.landing import Below, Landing, standing_on
from simulator.rulesets.mecha.movement import MechaMoves, OnLevel, compiled
from simulator.rulesets.mecha.units import MechaTable, base_of, mobility_of
from simulator.rulesets.mecha.vocabulary import moves_in

JUMP_OFF = "jump_off"
#: What distinguishes falls from jumps among the ends of reach.
FALLS = "falls"
#: Which jumps are compiled: those that land, those that are falls and end as jumps would, falls wherever they lead, or
#: all of them as orders are written.
LANDS, FALLS_ANYWHERE, WRITTEN = "lands", "falls anywhere", "written"
_CLAUSES = (("link", "ME-67"), ("ended", "ME-66"), ("way", "ME-67"))


@clause("ME-65")
def jump_limit(table: MechaTable, unit: Unit) -> int | None:
    """Return the size class of the highest terrain that a unit can jump off; None: it never jumps."""
    more = table.tables["jump"].get(mobility_of(unit), NEVER)
    return None if more == NEVER else int(unit["size_class"]) + int(more)


def is_fall(table: MechaTable, unit: Unit, landing: Landing) -> bool:
    """Whether a unit that jumps down somewhere falls: the drop is above its limit."""
    limit = jump_limit(table, unit)
    return limit is None or landing.drop > limit


@dataclass(frozen=True, eq=False)
class JumpMoves(MechaMoves):
    """What a unit can do in a jump, and what lies below the edge."""

    below: Below | None = None

    def edge(self) -> OffTheEdge:
        """Return one of the ways over the edge: they all lead to the same places."""
        (edge, *_) = (link for link in self.space.links if isinstance(link, OffTheEdge))
        return edge


class _End(NamedTuple):
    """A level on which jumps end, and the landings that do."""

    level: OnLevel
    top: Top | None
    falls: bool
    any_landing: bool = False

    def serves(self, table: MechaTable, unit: Unit, landing: Landing) -> bool:
        """Whether a landing ends on it."""
        if is_fall(table, unit, landing) != self.falls:
            return False
        return self.any_landing or (landing.fits and landing.on is self.top)


@clause("ME-64", "ME-66", "ME-68")
def jump_moves(table: MechaTable, unit: Unit, ends: str = LANDS) -> JumpMoves:
    """Compile a unit on a top for its jump: over the edge, onto the ground and every lower top that serves as ground.

    Or for falls, from above its limit: those that end where a jump would, those wherever it comes down, or, as orders
    are written, jumps that land and falls wherever it comes down.
    """
    top = top_of(table.setting, unit)
    assert top is not None
    moves, below = compiled(table, unit, "jump"), Below(table.setting, unit, top)
    known = [
        _End(standing_on(table, unit, one, is_put=ends == FALLS), one, falls=ends == FALLS)
        for one in (None, *below.lower)
    ]
    anywhere = [_End(OnLevel(FALLS, (), ()), None, falls=True, any_landing=True)]
    ends_on = {LANDS: known, FALLS: known, FALLS_ANYWHERE: anywhere, WRITTEN: known + anywhere}[ends]
    links = [
        OffTheEdge(
            JUMP_OFF,
            top.outline,
            base_of(unit),
            0,
            number,
            flags=frozenset({FALLS}) if end.falls else frozenset(),
            ends=True,
            turn_after=not end.falls,
        )
        for number, end in enumerate(ends_on, 1)
    ]
    space = replace(
        moves.space,
        budget=Fraction(0) if table.options.jump_move == "edge_only" else moves.space.budget,
        above=tuple(_level(table, unit, below, end, moves) for end in ends_on),
        links=tuple(links),
    )
    levels = (*moves.levels, *(end.level for end in ends_on))
    return JumpMoves(space, levels, (), _CLAUSES, stops=moves.stops, below=below)


def _level(table: MechaTable, unit: Unit, below: Below, end: _End, moves: MechaMoves) -> TableLevel:
    ground = below.where(lambda landing: end.serves(table, unit, landing))
    return TableLevel(ground, [one.solid for one in end.level.bars], (), moves.space.box)


# --- orders ---


def jump_written(table: MechaTable, unit: Unit, elements: Sequence[Element]) -> tuple[JumpMoves, list[Move]]:
    """Return a unit compiled for a jump as it is ordered, and the moves of the order."""
    moves = jump_moves(table, unit, WRITTEN)
    return moves, list(_moves_in(table, unit, elements, moves))


def _moves_in(table: MechaTable, unit: Unit, elements: Iterable[Element], moves: JumpMoves) -> Iterator[Move]:
    """Yield the moves that elements spell out; each jump by the link to where it leads."""
    found: list[Move] = []
    for element in elements:
        if element.name == JUMP_OFF:
            found.append(Follow(_link(table, unit, moves, landing_place(moves, found))))
        else:
            found += moves_in([element], moves)
    yield from found


def landing_place(moves: JumpMoves, before: Sequence[Move]) -> XY | None:
    """Return where a unit lands that jumps off after some moves; None if it is not at the edge."""
    start = moves.space.starts[0]
    path = path_of(start.place, start.heading, before)
    last = before[-1] if before else None
    if not isinstance(last, Travel):
        return None
    heading = path.pieces[-1].heading
    course = heading + last.aside
    if not moves.edge().begins_at(path.end, heading, course):
        return None
    return moves.edge().end_from(path.end, heading, course)


def falls_from(table: MechaTable, unit: Unit, elements: Sequence[Element]) -> XY | None:
    """Return where a unit comes down that falls by a jump as it is ordered; None: it lands."""
    moves, written = jump_written(table, unit, elements)
    number = next(at for at, move in enumerate(written) if isinstance(move, Follow))
    follow = written[number]
    assert isinstance(follow, Follow)
    return landing_place(moves, written[:number]) if FALLS in follow.link.flags else None


def _link(table: MechaTable, unit: Unit, moves: JumpMoves, place: XY | None) -> OffTheEdge:
    """The link by which a jump comes down at a place, whether there is room or not."""
    links = [link for link in moves.space.links if isinstance(link, OffTheEdge)]
    if place is None:
        return links[0]
    assert moves.below is not None
    landing = moves.below.landing_at(place)
    if is_fall(table, unit, landing):
        return links[-1]
    return next(link for link in links if moves.levels[link.target].name == landing.level)
