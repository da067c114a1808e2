"""Skirmish: its reach queries and its judge beside plain shapely and networkx, on three tables.

    python -m benchmarks.bench_skirmish [--rounds 3]

All bases but the mover's are enemies and all obstacles too high to be climbed, so that a visibility graph can answer
the same question: how many of three AP does it take to each of 60 places? The graph draws circles with 64 corners; it
tries all pairs of corners ("plain"), or only those that shortest ways can use ("tangents"). The costs of places have to
agree with the graph: no less than with circles drawn too small, no more than with circles drawn too large. The judge
checks 10 000 ways; its peer uses shapely to compute the clearance of each way, with arcs drawn as short lines. Verdicts
have to agree. Every round prepares everything from scratch. Peaks are what Python and numpy held more than before while
each work was done once more; the geometries of shapely are not counted.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import shapely

from benchmarks.peaks import peak_of, peak_text
from simulator.engine.game import Game
from simulator.geometry.paths import Bend, Paths
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.table import InchTable
from simulator.pathing.free import Obstacles, plan, prepare
from simulator.pathing.free.prepared import forget
from simulator.pathing.free.reference import VisibilityGraph
from simulator.rulesets.skirmish import RULESET, make_soldier
from simulator.rulesets.skirmish.obstruction import barred_at

#: Obstacles, bases; whether the plain graph is timed too, which would take minutes on the last table.
TABLES = {"small": (4, 4, True), "usual": (25, 16, True), "crowded": (80, 40, False)}
SIZE, RADIUS, INCHES, AP, GOALS, WAYS = 48.0, 0.5, 3.0, 3, 60, 10_000
#: The least clearance of a way, or depth of its overlap, at which the peer's drawn arcs lead to the same verdict.
CLEAR = 2e-3


class Case(NamedTuple):
    """One table, as a game and as bare geometry, with its questions."""

    blocks: tuple[Piece, ...]
    foes: np.ndarray
    goals: np.ndarray

    def game(self) -> Game[Any]:
        """A new game."""
        units = [make_soldier("A1", "red", (SIZE / 2, SIZE / 2))]
        units += [make_soldier(f"B{k}", "blue", tuple(place)) for k, place in enumerate(self.foes.tolist())]
        return Game.new(RULESET, InchTable("Bench", SIZE, SIZE, pieces=self.blocks), units)

    def obstacles(self) -> Obstacles:
        """The same table for the planner and the graph."""
        discs = np.column_stack([self.foes, np.full(len(self.foes), RADIUS)])
        return Obstacles(discs, (), [block.shape.polygon for block in self.blocks], (0, 0, SIZE, SIZE))


def case_of(pieces: int, bases: int) -> Case:
    """A table of 48 inches with blocks and enemies, the mover in the middle, and places within 9 inches of it."""
    dice = np.random.default_rng(5)
    middles = dice.uniform(2, SIZE - 2, (pieces, 2))
    sizes = dice.uniform(0.5, 2, (pieces, 2))
    far = np.hypot(*(middles - SIZE / 2).T) > 3
    blocks = tuple(
        Piece(f"b{k}", "obstacle", rectangle(tuple(middle), tuple(size)), "obstacle", 6.0)
        for k, (middle, size) in enumerate(zip(middles[far].tolist(), sizes[far].tolist(), strict=True))
    )
    solid = shapely.union_all([block.shape.polygon for block in blocks])
    foes: list[tuple[float, float]] = []
    for x, y in dice.uniform(1, SIZE - 1, (8 * bases, 2)).tolist():
        apart = [math.dist((x, y), other) for other in [*foes, (SIZE / 2, SIZE / 2)]]
        if len(foes) < bases and shapely.distance(solid, shapely.Point(x, y)) >= RADIUS and min(apart) >= 2 * RADIUS:
            foes.append((x, y))
    case = Case(blocks, np.round(foes, 6), np.zeros((0, 2)))
    goals = SIZE / 2 + dice.uniform(-AP * INCHES, AP * INCHES, (400, 2)) / np.sqrt(2)
    return case._replace(goals=goals[prepare(case.obstacles(), RADIUS).legal(goals)][:GOALS])


# --- the same questions for us and the peers ---


def our_costs(case: Case) -> np.ndarray:
    """The AP to each place, by the rulebook's reach."""
    forget()
    return np.asarray(case.game().reach("A1", ap=AP).costs_at(case.goals))


def our_area(case: Case, ap: int) -> Any:
    """The area for a number of AP."""
    forget()
    return case.game().reach("A1", ap=ap).area


def graph_lengths(case: Case, *, around: bool = False, every_pair: bool = False) -> np.ndarray:
    """The length of the shortest way to each place, by a visibility graph."""
    budget, start = AP * INCHES, np.array([SIZE / 2, SIZE / 2])
    graph = VisibilityGraph(
        case.obstacles(), RADIUS, start, case.goals, around=around, budget=budget, every_pair=every_pair
    )
    return np.asarray(graph.lengths())


def check_costs(case: Case) -> None:
    """Places cost an AP for every three inches begun, as the graph measures them."""
    costs = our_costs(case)
    short, long = graph_lengths(case), graph_lengths(case, around=True)
    least, most = (np.where(way <= AP * INCHES, np.ceil(way / INCHES - 1e-9), np.inf) for way in (short, long))
    if not (np.all(costs >= least) and np.all(costs <= most)):
        raise SystemExit("reach and graph disagree")


def ways_of(case: Case) -> list[list[Any]]:
    """Ways of the planner, every second one shifted by half an inch, so that some are barred."""
    found = plan(prepare(case.obstacles(), RADIUS), (SIZE / 2, SIZE / 2), AP * INCHES)
    inside = case.goals[found.ends(case.goals)]
    ways = [list(found.route_to(tuple(goal)).pieces) for goal in inside.tolist()]
    pushed = [[_pushed(piece, 0.5) for piece in way] for way in ways]
    return ((ways + pushed) * (WAYS // (2 * len(ways)) + 1))[:WAYS]


def _pushed(piece: Any, by: float) -> Any:
    if isinstance(piece, Bend):
        return Bend((piece.centre[0] + by, piece.centre[1]), piece.radius, piece.begin, piece.sweep)
    return type(piece)((piece.start[0] + by, piece.start[1]), (piece.end[0] + by, piece.end[1]))


def our_verdicts(case: Case, ways: list[list[Any]]) -> np.ndarray:
    """The inches after which each way is barred, by the judge."""
    table = case.game().ready_table("A1")
    return np.asarray(barred_at(table, table.unit("A1"), Paths.of_pieces(ways)))


def shapely_clearances(case: Case, ways: list[list[Any]]) -> np.ndarray:
    """The clearance of each way, negative if it is barred, by shapely."""
    lines = np.array([shapely.LineString(_drawn(way)) for way in ways], object)
    bodies = [block.shape.polygon for block in case.blocks] + [shapely.Point(foe) for foe in case.foes.tolist()]
    needed = np.array([RADIUS] * len(case.blocks) + [2 * RADIUS] * len(case.foes))
    way, body = shapely.STRtree(bodies).query(lines, predicate="dwithin", distance=2 * RADIUS + CLEAR)
    room = np.full(len(lines), np.inf)
    np.minimum.at(room, way, shapely.distance(lines[way], np.array(bodies, object)[body]) - needed[body])
    return room


def _drawn(way: list[Any]) -> list[tuple[float, float]]:
    points = [tuple(way[0].start)]
    for piece in way:
        if isinstance(piece, Bend):
            for share in np.linspace(0, 1, 17)[1:].tolist():
                turn = piece.begin + share * piece.sweep
                x, y = piece.centre
                points.append((x + piece.radius * math.cos(turn), y + piece.radius * math.sin(turn)))
        else:
            points.append(tuple(piece.end))
    return points


def check_verdicts(case: Case, ways: list[list[Any]]) -> float:
    """Check that both judges agree on every way that does not just touch, and return the share of barred ways."""
    barred, room = np.isfinite(our_verdicts(case, ways)), shapely_clearances(case, ways)
    plain = np.abs(room) > CLEAR
    if np.any(barred[plain] != (room[plain] < 0)):
        raise SystemExit("the judge and shapely disagree")
    return float(np.mean(barred))


# --- timing ---


def medians(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The median time of each piece of work, in milliseconds; each round runs all of them in turn."""
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, times in zip(works, taken, strict=True):
            begun = time.perf_counter()
            work()
            times.append(1000 * (time.perf_counter() - begun))
    return [statistics.median(times) for times in taken]


def main() -> None:
    """Check, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    heads = ["table", "pieces, bases", "area of 1 AP, ms", "area of 3 AP, ms", f"AP to {GOALS} places, ms"]
    heads += ["tangents, ms", "plain graph, ms", "ours / tangents", "ours / plain graph"]
    heads += ["peaks, MB: 1 AP / 3 AP / places / tangents / plain"]
    print(f"| {' | '.join(heads)} |\n|" + "---|" * len(heads))
    judged = []
    for name, (pieces, bases, is_plain) in TABLES.items():
        case = case_of(pieces, bases)
        check_costs(case)
        works = [partial(our_area, case, 1), partial(our_area, case, AP), partial(our_costs, case)]
        works.append(partial(graph_lengths, case))
        one, all_ap, costs, tangents = medians(works, rounds)
        plainly = partial(graph_lengths, case, every_pair=True)
        plain = medians([plainly], 1)[0] if is_plain else math.nan
        held = peak_text(*map(peak_of, works), peak_of(plainly) if is_plain else None)
        shown = (f"{plain:.0f}", f"{costs / plain:.2f}") if is_plain else ("-", "-")
        cells = [name, f"{len(case.blocks)}, {len(case.foes)}", *(f"{ms:.0f}" for ms in (one, all_ap, costs, tangents))]
        print(f"| {' | '.join([*cells, shown[0], f'{costs / tangents:.2f}', shown[1], held])} |", flush=True)
        ways = ways_of(case)
        share = check_verdicts(case, ways)
        works = [partial(our_verdicts, case, ways), partial(shapely_clearances, case, ways)]
        ours, theirs = medians(works, rounds)
        held = peak_text(*map(peak_of, works))
        judged.append(f"| {name} | {share:.0%} | {ours:.0f} | {theirs:.0f} | {held} | {ours / theirs:.2f} |")
    heads = ["table", f"barred of {WAYS} ways", "our judge, ms", "shapely, ms", "peaks, MB: judge / shapely", "ratio"]
    print(f"\n| {' | '.join(heads)} |\n|" + "---|" * len(heads))
    print("\n".join(judged))


if __name__ == "__main__":
    main()
