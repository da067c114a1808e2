"""The planner over poses once more, by networkx and the judge alone: for tests, and to measure by.

It takes the poses that a search kept, and nothing else of it. Each pair of poses of which one leads to the other by one
leg, after one turn to a limit or a course, or none, or by a link, is judged by itself; the least prices of all poses
follow by Dijkstra's algorithm, and ends from those by last turns and legs, each judged as well. The planner has to be
as cheap: it drops candidates by bounds and bins, but none that is better.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES, TOLERANCE
from simulator.pathing.columns import pick
from simulator.pathing.posed.as_kept import leeway
from simulator.pathing.posed.courses import Courses
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.edges import OffTheEdge
from simulator.pathing.posed.first_turns import are_starts, turns_past_things
from simulator.pathing.posed.judge import judged
from simulator.pathing.posed.lane_search import angles_of
from simulator.pathing.posed.moves import Follow, Mode, Move, Rotate, Travel
from simulator.pathing.posed.passages import Passages
from simulator.pathing.posed.rays import cross, shorter, units
from simulator.pathing.posed.space import PoseSpace, PoseStart
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.tolls import MOST_TOLLS, TollsSoFar
from simulator.pathing.posed.turn_prices import TurnGroup
from simulator.pathing.posed.verdicts import JudgedMove

#: A pose lies on a leg if it is so near it, in inches; headings are equal within as many degrees.
_NEAR = 1e-7


def reference_prices(space: PoseSpace, states: PoseStates) -> FloatArray:
    """Compute the least price of each pose, by legs from pose to pose; inf where none leads.

    A leg is judged when Dijkstra's algorithm comes to the pose that it begins in, if it might lead to its end for less.
    """
    graph = _graph_of_ways(space, states)
    return _least(graph, states, _AsNeeded(space, states).price)


def prices_by(graph: nx.DiGraph[Any], states: PoseStates) -> FloatArray:
    """Compute the least price of each pose over its `reference_graph`; inf where nothing leads."""
    return _least(graph, states, "weight")


def _least(graph: nx.DiGraph[Any], states: PoseStates, weight: Any) -> FloatArray:
    prices = np.full(len(states.price), np.inf)
    for state, price in nx.single_source_dijkstra_path_length(graph, "start", weight=weight).items():
        if state != "start":
            prices[state] = float(price)
    return prices


class _AsNeeded:
    """What it costs from pose to pose, for an algorithm that comes to the poses in the order of their prices."""

    def __init__(self, space: PoseSpace, states: PoseStates) -> None:
        self.space, self.states = space, states
        #: The least price of each pose so far; that of a pose to which the algorithm has come is final.
        self.known: dict[int | str, Fraction] = {"start": Fraction(0)}

    def price(self, begin: int | str, end: int, edge: dict[str, Any]) -> Fraction | None:
        """Return the least price of the ways from a pose to another; None where none is cheaper than what is known."""
        before, found = self.known[begin], edge.get("price")
        if begin != "start":
            state = int(begin)
            start, level = _start(self.states, state), int(self.states.level[state])
            for moves in edge["ways"]:
                most = self.known.get(end, math.inf)
                if float(before) + _at_least(self.space, level, moves) < most:
                    price = _price_of(self.space, self.states, start, end, moves)
                    if price is not None and before + price < most:
                        found, self.known[end] = price, before + price
        elif found is not None:
            self.known[end] = before + found
        return found


def _at_least(space: PoseSpace, level: int, moves: Sequence[Move]) -> float:
    """A bound of what moves on a level cost: their legs on the cheapest ground, without turns and tolls."""
    inches = sum(float(move.inches) * float(move.mode.factor) for move in moves if isinstance(move, Travel))
    return inches * float(space.on(level).ground.least) - TOLERANCE


def reference_graph(space: PoseSpace, states: PoseStates) -> nx.DiGraph[Any]:
    """Return the graph of poses: nodes are their numbers, and "start"; edges cost exact fractions."""
    graph = _graph_of_ways(space, states)
    for begin, end, edge in list(graph.edges(data=True)):
        prices = [edge.pop("price")] if "price" in edge else []
        if "ways" in edge:
            start = _start(states, begin)
            tried = (_price_of(space, states, start, end, moves) for moves in edge.pop("ways"))
            prices += [price for price in tried if price is not None]
        if prices:
            edge["weight"] = min(prices)
        else:
            graph.remove_edge(begin, end)
    return graph


def _graph_of_ways(space: PoseSpace, states: PoseStates) -> nx.DiGraph[Any]:
    """The poses, and "start"; edges know the `price` of a start, or the `ways` from pose to pose, not judged yet."""
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_node("start")
    passages = [Passages.of(space.on(level)) for level in range(space.level_count)]
    for state in range(len(states.price)):
        if states.parent[state] < 0:
            graph.add_edge("start", state, price=Fraction(float(states.price[state])))
        for end, moves in _ways_from(space, states, state, passages):
            graph.add_edge(state, end)
            graph.edges[state, end].setdefault("ways", {})[tuple(moves)] = None  # each way once
    return graph


def leg_prices(space: PoseSpace, states: PoseStates) -> FloatArray:
    """Compute what it costs to each pose from the one before it; inf for those that a search begins with."""
    passages = [Passages.of(space.on(level)) for level in range(space.level_count)]
    prices = np.full(len(states.price), np.inf)
    for state in np.unique(states.parent[states.parent >= 0]).tolist():
        begins = _start(states, state)
        for end, moves in _ways_from(space, states, state, passages):
            if states.parent[end] == state and (price := _price_of(space, states, begins, end, moves)) is not None:
                prices[end] = min(prices[end], float(price))
    return prices


def _price_of(
    space: PoseSpace, states: PoseStates, begins: PoseStart, end: int, moves: Sequence[Move]
) -> Fraction | None:
    """Return what moves from a pose to another cost by the judge; None where they are not legal, or lead elsewhere."""
    verdict = judged(space, begins, moves)
    # Whether the mover may end there does not matter on its way.
    arrives = _arrives(space, states, end, begins, verdict)
    if arrives and all(one.what in ("end", "least") for one in verdict.objections):
        return verdict.total - begins.paid
    return None


def reference_costs(
    space: PoseSpace,
    states: PoseStates,
    prices: FloatArray,
    places: FloatArray,
    level: int = 0,
    headings: FloatArray | None = None,
) -> FloatArray:
    """Compute the least cost of ending at each place by one last turn and leg from a pose; inf where none leads.

    `prices` are the `reference_prices` of the poses. With headings, one more turn follows where it takes one to end
    with the heading of each place. What cannot be cheaper than what is known is not judged.
    """
    costs = np.full(len(places), np.inf)
    modes = space.directions.directed if space.directions.oblique is None else space.modes
    cheapest = float(space.on(level).ground.least) * min((float(mode.factor) for mode in modes), default=1.0)
    for number, place in enumerate(places):
        floors = prices + np.hypot(*(place - states.place).T) * cheapest - TOLERANCE
        known = np.flatnonzero((states.level == level) & np.isfinite(prices))
        for state in known[np.argsort(floors[known], kind="stable")].tolist():
            if floors[state] >= min(costs[number], float(space.budget) + 2 * TOLERANCE):
                break
            begins = replace(_start(states, state), paid=Fraction(float(prices[state])))
            facing_then = None if headings is None else float(headings[number])
            for way in _ways_to(space, states, state, place, facing_then):
                if prices[state] + _at_least(space, level, way) >= costs[number]:
                    continue
                facing = [way] if headings is None else _facing_at_the_end(space, states, state, way, headings[number])
                for moves in facing:
                    verdict = judged(space, begins, moves)
                    if verdict.is_legal:
                        costs[number] = min(costs[number], float(verdict.total))
    return costs


def _facing_at_the_end(
    space: PoseSpace, states: PoseStates, state: int, moves: list[Move], heading: float
) -> Iterator[list[Move]]:
    """Yield moves from a pose with a turn to a heading at their end, with free degrees and without."""
    turned = sum(float(move.degrees) for move in moves if isinstance(move, Rotate))
    angle = float(shorter(np.array([heading - states.heading[state] - turned]))[0])
    if abs(angle) <= ROUNDING_OF_ANGLES:
        yield moves
        return
    yield [*moves, Rotate(Fraction(angle))]
    for turn in _freely(space, angle, float(states.free[state])):
        yield [*moves, turn]


def _freely(space: PoseSpace, angle: float, free: float) -> Iterator[Rotate]:
    """Yield turns that use some of so many free degrees, each in another way."""
    for _, used in space.turns.portions(np.array([free]), np.array([abs(angle)])):
        yield Rotate(Fraction(angle), Fraction(math.copysign(float(used[0]), angle)))


def _ways_to(
    space: PoseSpace, states: PoseStates, state: int, place: FloatArray, facing: float | None
) -> Iterator[list[Move]]:
    """Yield a last turn and leg to a place from a pose, in each mode; obliquely it leads there as it faces."""
    away = place - states.place[state]
    inches = float(np.hypot(*away))
    if inches <= _NEAR:
        yield []
        return
    bearing, heading = float(np.degrees(np.arctan2(away[1], away[0]))), float(states.heading[state])
    if space.directions.oblique is not None:
        sideways = space.directions.in_direction(bearing - heading)
        assert sideways is not None
        yield [Travel(sideways, Fraction(inches))]
    for mode in space.directions.directed:
        if inches * float(mode.factor) * float(space.ground.least) > float(space.budget) + TOLERANCE:
            continue
        leg = Travel(mode, Fraction(inches))
        toward = float(shorter(np.array([bearing - leg.aside - heading]))[0])
        for angle in [toward, *_just_beside(space, states, state, toward, inches, facing)]:
            yield [Rotate(Fraction(angle)), leg]
            for turn in _freely(space, angle, float(states.free[state])):
                yield [turn, leg]


def _just_beside(
    space: PoseSpace, states: PoseStates, state: int, toward: float, inches: float, facing: float | None
) -> list[float]:
    """The turns to limits, or after which a turn to a limit is left, that lead to a place as a game may keep it."""
    if states.inches[state] > _NEAR:
        return []
    free, end, swept = float(states.free[state]), float(space.turns.free_at_end), float(states.group.swept[state])
    limits = [limit + more for limit in (0.0, *space.turns.limits.tolist()) for more in (0.0, free, free + end, -swept)]
    turns = np.array([*limits, *(-limit for limit in limits)])
    if facing is not None:
        turns = np.concatenate([turns, shorter(facing - float(states.heading[state]) - turns)])
    near = np.abs(shorter(turns - toward)) <= leeway(np.array([inches]))
    return [float(turn) for turn in np.unique(turns[near])]


def _start(states: PoseStates, state: int) -> PoseStart:
    """A pose as a start."""
    one = pick(states, slice(state, state + 1))
    group = one.group
    return PoseStart(
        (float(one.place[0, 0]), float(one.place[0, 1])),
        Fraction(float(one.heading[0])),
        Fraction(float(one.price[0])),
        Fraction(float(one.travelled[0])),
        TurnGroup(int(group.sense[0]), *(Fraction(float(part[0])) for part in group[1:])),
        Fraction(float(one.free[0])),
        int(one.level[0]),
        _tolls_at(states, state),
        Fraction(float(one.since[0])),
        Fraction(float(one.covered[0])),
    )


def _tolls_at(states: PoseStates, state: int) -> TollsSoFar:
    """What a pose has made of tolls."""
    gone, touched, (x, y), spent_over = (column[state] for column in states.tolls)
    return TollsSoFar(_numbers(int(gone)), _numbers(int(touched)), (float(x), float(y)), Fraction(float(spent_over)))


def _numbers(bits: int) -> frozenset[int]:
    return frozenset(number for number in range(MOST_TOLLS) if bits >> number & 1)


def _arrives(space: PoseSpace, states: PoseStates, end: int, begins: PoseStart, verdict: JudgedMove) -> bool:
    """Whether a move leads to a pose with what the pose has made of tolls, and using no more of what is limited."""
    used = [
        (space.binding.inches, begins.covered + verdict.covered, states.covered),
        (space.binding.legs, begins.travelled + verdict.travelled, states.travelled),
    ]
    too_much = any(limit is not None and float(amount) > by_then[end] + _NEAR for limit, amount, by_then in used)
    return not too_much and _tolls_at(states, end)[:2] == verdict.tolls[:2]


def _ways_from(
    space: PoseSpace, states: PoseStates, state: int, passages: list[Passages]
) -> Iterator[tuple[int, list[Move]]]:
    """Yield the poses that one turn and one leg, or a link, may lead to, with the moves."""
    place, heading, level = states.place[state], float(states.heading[state]), states.level[state]
    for end in np.flatnonzero(states.parent == state).tolist():
        if states.link[end] >= 0:
            link = space.links[int(states.link[end])]
            # Off an edge it goes on in the direction of the leg that ended there.
            number = int(states.mode[state])
            onward = [Travel(space.directions.numbered(number), 0)] if isinstance(link, OffTheEdge) else []
            yield end, [*onward, Follow(link)]
        elif states.inches[end] <= _NEAR:
            angle = Fraction(float(states.heading[end])) - Fraction(heading)
            leg = Travel(space.directions.numbered(int(states.mode[end])), 0)
            yield end, [Rotate(angle, Fraction(float(states.used[end]))), leg]
    _, courses = Courses(space.on(int(level))).on(place.reshape(1, 2), np.array([heading % 360.0]))
    every = [*angles_of(space).tolist(), *shorter(courses - heading).tolist()]
    more = [*_first_turns(space, states, state), *_into(passages[level], space, heading)]
    yield from _obliquely(space, states, state)
    for angle, modes in [*((angle, space.directions.directed) for angle in every), *more]:
        facing = _facing(states, heading + angle, int(level))
        away = states.place[facing] - place
        for mode in modes:
            ahead = units(np.array([heading + angle + Travel(mode, 0).aside]))[0]
            inches, off = away @ ahead, away @ np.array([-ahead[1], ahead[0]])
            for row in np.flatnonzero((np.abs(off) <= _NEAR) & (inches > _NEAR)).tolist():
                end, leg = int(facing[row]), Travel(mode, Fraction(float(inches[row])))
                free = float(states.used[end])
                turn = [Rotate(Fraction(angle), Fraction(free))] if angle else []
                yield end, [*turn, leg]


def _obliquely(space: PoseSpace, states: PoseStates, state: int) -> Iterator[tuple[int, list[Move]]]:
    """Yield the poses in which oblique legs ended that lead there from a pose as it faces, with the legs."""
    heading, level = float(states.heading[state]), int(states.level[state])
    facing = _facing(states, heading, level)
    facing = facing[are_oblique(states.mode[facing])]
    away = states.place[facing] - states.place[state]
    ahead = units(heading + space.asides_of(states.mode[facing]))
    inches, off = np.sum(away * ahead, axis=1), np.abs(cross(ahead, away))
    for row in np.flatnonzero((off <= _NEAR) & (inches > _NEAR)).tolist():
        end = int(facing[row])
        yield end, [Travel(space.directions.numbered(int(states.mode[end])), Fraction(float(inches[row])))]


def _first_turns(space: PoseSpace, states: PoseStates, state: int) -> list[tuple[float, tuple[Mode, ...]]]:
    """Return the turns from a pose, if it is a start, after which a leg just passes something, with its mode."""
    here, one = space.on(int(states.level[state])), pick(states, slice(state, state + 1))
    if not are_starts(here, one)[0]:
        return []
    found = turns_past_things(here, one)
    modes = [space.directions.numbered(mode) for mode in found.mode.tolist()]
    return [(angle, (mode,)) for angle, mode in zip(found.angle.tolist(), modes, strict=True)]


def _into(passages: Passages, space: PoseSpace, heading: float) -> Iterator[tuple[float, tuple[Mode, ...]]]:
    """Yield the turns from a heading to those in which narrow passages are passed, with their modes."""
    angles = shorter(passages.heading - heading)
    for angle, mode in zip(angles.tolist(), passages.mode.tolist(), strict=True):
        yield angle, (space.directions.directed[mode],)


def _facing(states: PoseStates, heading: float, level: int) -> IntArray:
    """The poses on a level that face along a heading."""
    return np.flatnonzero((np.abs(shorter(states.heading - heading)) <= _NEAR) & (states.level == level))
