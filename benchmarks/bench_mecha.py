"""Mecha: its reach query and its judge beside networkx, shapely and the bare planner.

    python -m benchmarks.bench_mecha [--rounds 3]

On three tables a walker with a Move of 4 asks what 60 places cost. Networkx joins the poses that the search kept, each
pair judged by itself, and finds their prices; it is timed once. They may be no higher than those of the search. The
judge checks orders, every second one with its legs made longer; shapely only says whether something bars a leg.
Verdicts have to agree.

The walker of the usual table is asked for its area and for the headings at eight places, through the game and of the
planner alone, and through the game over a phase and over a turn. So is, once and through the game, every unit that
moves when one of the stories in scenarios/ begins. A side of six is asked one by one and together; the costs have to
be the same. Every round prepares everything from scratch. Peaks are what Python and numpy held more than before while
each work was done once more, again from scratch; the geometries of shapely are not counted.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.mecha_tables import SIZE, START, game_with, made_unit
from benchmarks.missed_mecha import order_of
from benchmarks.peaks import peak_text
from benchmarks.posed_rows import (
    afresh,
    medians,
    orders_made,
    peaks_of,
    places_around,
    price_row,
    show,
    verdict_row,
    whole_answer,
)
from benchmarks.random_mecha import random_move
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.posed_together import costs_at_each
from simulator.engine.state import Unit
from simulator.formats.scenarios import load_scenario
from simulator.geometry.pieces import FloatArray, Piece
from simulator.geometry.table import InchTable
from simulator.pathing.posed import PoseReach
from simulator.rulesets.mecha import RULESET
from simulator.rulesets.mecha.move_judge import moves_for
from simulator.rulesets.mecha.rates import ASIDE
from simulator.rulesets.mecha.units import budget_of

#: Pieces and bases.
TABLES = {"small": (4, 4), "usual": (25, 12), "crowded": (60, 30)}
MOVER, MOVE, PLACES, ORDERS = "walker", 4, 60, 60
#: Of how many places headings are asked, and how many units one side has.
_FEW, _SIDE = 8, 6
_STORIES = Path(__file__).resolve().parents[1] / "scenarios" / "mecha"


@cache
def made_up(table: str) -> tuple[tuple[Piece, ...], tuple[Unit, ...]]:
    """The pieces and the units of one of the tables, which take long to make up."""
    made = game_with(MOVER, 5, *TABLES[table])
    board = made.board
    assert isinstance(board, InchTable)
    return tuple(board.pieces), tuple(unit.put(move=MOVE) for unit in made.state)


def game_on(table: str) -> Game[Any]:
    """A new game on one of the tables."""
    pieces, units = made_up(table)
    return Game.new(RULESET, InchTable("Made up", SIZE, SIZE, pieces=pieces, ground="flat_ground"), units)


# --- three tables ---


def our_costs(table: str, places: FloatArray) -> FloatArray:
    """What places cost, by reach of the rulebook."""
    return np.asarray(game_on(table).reach("A", "standard").costs_at(places))


def reach_row(table: str, rounds: int) -> str:
    """Compare with networkx."""
    places = places_around(START, MOVE, PLACES)
    reach: Any = game_on(table).reach("A", "standard")
    return price_row(table, TABLES[table], reach, partial(our_costs, table, places), rounds)


def judge_row(table: str, rounds: int) -> str:
    """Compare with shapely."""
    game = game_on(table)
    reach: Any = game.reach("A", "standard")

    def made(dice: np.random.Generator) -> Order | None:
        move = random_move(reach.space, dice)
        return None if move is None else order_of(reach, move)

    return verdict_row(table, game, reach, orders_made(made, ORDERS, ASIDE), _is_barred, ASIDE, rounds)


def _is_barred(game: Game[Any], order: Order) -> bool:
    moves, written = moves_for(game.table, game.table.unit("A"), order)
    return any(one.what == "bars" for one in moves.judged(written).objections)


# --- one unit, the units of stories, and a side of six ---


def asked_of_the_game(action: str) -> None:
    """Area and headings through the game."""
    reach: Any = game_on("usual").reach("A", action)
    assert not reach.area.is_empty
    reach.headings_in_each(places_around(START, MOVE, _FEW), None)


def unit_row(rounds: int) -> str:
    """One unit: the game and the planner, and what a phase and a turn take."""
    reach: Any = game_on("usual").reach("A", "standard")
    places = places_around(START, MOVE, _FEW)
    works: list[Callable[[], object]] = [
        partial(asked_of_the_game, "standard"),
        lambda: whole_answer(PoseReach(afresh(reach.space)), places),
        partial(asked_of_the_game, "phase"),
    ]
    ours, alone, phase = medians(works, rounds)
    whole = partial(asked_of_the_game, "turn")
    (turn,) = medians([whole], 1)
    cells = [f"{ours:.0f}", f"{alone:.0f}", f"{ours / alone:.2f}", f"{phase:.0f}", f"{phase / ours:.1f}"]
    cells += [f"{turn:.0f}", f"{turn / ours:.1f}", peak_text(*peaks_of([*works, whole]))]
    return f"| {' | '.join(cells)} |"


def asked_of_unit(game: Game[Any], name: str) -> None:
    """What a unit of a story answers through the game, area and headings together."""
    reach: Any = game.reach(name, "standard")
    whole_answer(reach.planner, places_around(game.state.unit(name).place, 6, _FEW))


def asked_of_units(story: Path) -> list[Callable[[], None]]:
    """What is asked of each unit of a story that moves, in a new game."""
    game: Any = load_scenario(story).start()
    movers = [unit for unit in game.state if unit.place is not None and budget_of(game.table, unit, "standard")]
    return [partial(asked_of_unit, game, unit.id) for unit in movers]


def usual_row() -> str:
    """All units of the stories that move."""
    stories = sorted(_STORIES.glob("*.yaml"))
    taken = [ms for story in stories for ms in medians(asked_of_units(story), 1)]
    peaks = [peak for story in stories for peak in peaks_of(asked_of_units(story))]
    held, usual = peak_text(statistics.median(peaks), max(peaks)), statistics.median(taken)
    return f"| {len(taken)} | {usual:.0f} | {min(taken):.0f} | {max(taken):.0f} | {held} |"


def side() -> Game[Any]:
    """Six units of one side beside those of the usual table."""
    pieces, units = made_up("usual")
    board = InchTable("Made up", SIZE + 4, SIZE, (-4, 0), pieces=pieces, ground="flat_ground")
    own = [made_unit(f"V{number}", MOVER, "red", (-2.0, 3 + 6.0 * number), move=MOVE) for number in range(_SIDE)]
    return Game.new(RULESET, board, [*own, *units[1:]])


def one_by_one(places: FloatArray) -> list[FloatArray]:
    """The costs of places, of each unit of the side by itself."""
    game = side()
    return [np.asarray(game.reach(f"V{number}", "standard").costs_at(places)) for number in range(_SIDE)]


def together(places: FloatArray) -> list[FloatArray]:
    """The same, asked together."""
    answers: Any = dict(side().reach_many([f"V{number}" for number in range(_SIDE)], "standard"))
    return list(costs_at_each(list(answers.values()), places))


def side_row(rounds: int) -> str:
    """A side one by one and together."""
    places = places_around((-2.0, SIZE / 2), 20, PLACES)
    found: dict[str, list[FloatArray]] = {}
    works = [
        lambda: found.update(alone=one_by_one(places)),
        lambda: found.update(together=together(places)),
    ]
    alone, many = medians(works, rounds)
    if not all(map(np.array_equal, found["alone"], found["together"])):
        raise SystemExit("units that are asked together cost something else than alone")
    held = peak_text(*peaks_of(works))
    return f"| {_SIDE} | {PLACES} | {alone:.0f} | {many:.0f} | {held} | {many / (alone / _SIDE):.1f} |"


def main() -> int:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    heads = ["table", "pieces, bases", f"reach: costs of {PLACES} places, ms", "states", "networkx and the judge, ms"]
    show([*heads, "peaks, MB: reach / networkx", "ratio"], (reach_row(table, rounds) for table in TABLES))
    heads = [f"refused of {ORDERS} orders", "barred", "our judge, ms an order", "shapely, legs alone, ms"]
    heads = ["table", *heads, "peaks, MB, of all orders: judge / shapely"]
    show(heads, (judge_row(table, rounds) for table in TABLES))
    heads = ["walker, 4 mp: area and headings through the game, ms", "the planner alone, ms", "ratio"]
    heads += ["over a phase, ms", "times a move", "over a turn, ms", "times a move"]
    heads += ["peaks, MB: game / planner / phase / turn"]
    show(heads, [unit_row(rounds)])
    heads = ["units of stories", "the usual one: area and headings through the game, ms"]
    show([*heads, "the fastest, ms", "the slowest, ms", "peaks, MB: usual / most"], [usual_row()])
    heads = ["units", "places", "one by one, ms", "together, ms", "peaks, MB: one by one / together", "times one"]
    show(heads, [side_row(rounds)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
