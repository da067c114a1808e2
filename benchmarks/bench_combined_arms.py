"""Combined arms: its reach query and its judge beside networkx, shapely and the bare planner.

    python -m benchmarks.bench_combined_arms [--rounds 3]

On three tables a grav vehicle of 6 inches asks what 60 places cost. Networkx joins the poses that the search kept,
each pair judged by itself, and finds their prices; it is timed once. They may be no higher than those of the search.
The judge checks orders, every second one with its legs made longer; shapely only says whether something bars a leg.
Verdicts have to agree.

A story's position is asked for its area and for the headings at eight places, through the game and of the planner
alone: a grav vehicle of 36 inches. So is, once and through the game, every vehicle that stands on the table when one
of the stories in scenarios/ begins; the usual vehicle is the median of those. A side of twelve is asked one by one and
together; the costs have to be the same. Every round prepares everything from scratch. Peaks are what Python and numpy
held more than before while each work was done once more, again from scratch; the geometries of shapely are not counted.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.arms_tables import game_with, made_unit
from benchmarks.crowded import START
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
from benchmarks.random_orders import random_move
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.posed_together import costs_at_each
from simulator.formats.boards import load_board
from simulator.formats.scenarios import load_scenario
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed import PoseReach, PoseSpace, judged
from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.judge import moves_for
from simulator.rulesets.combined_arms.rates import ASIDE

#: Pieces and bases.
TABLES = {"small": (4, 4), "usual": (30, 16), "crowded": (80, 40)}
MOVER, RATE, PLACES, ORDERS = "grav", 6, 60, 60
#: Bars: milliseconds of a story's answer, how many times what the planner takes alone, how many times one for twelve.
MOST_MS, MOST_RATIO, MOST_OF_TWELVE = 500.0, 1.5, 6.0
_HOME = Path(__file__).resolve().parents[1]
_BOARD, _STORIES = _HOME / "boards" / "hollow_farm.yaml", _HOME / "scenarios" / "combined_arms"
#: Of how many places headings are asked.
_FEW, _SIDE = 8, 12


def game_on(table: str) -> Game[Any]:
    """The mover on one of the tables."""
    pieces, bases = TABLES[table]
    game = game_with(MOVER, 5, pieces, bases)
    return Game.new(RULESET, game.board, [game.state.unit("A").put(rate_original=RATE), *_others(game)])


def _others(game: Game[Any]) -> list[Any]:
    return [unit for unit in game.state if unit.id != "A"]


def story_game() -> Game[Any]:
    """The position that the story of Hollow farm begins with."""
    made = RULESET.make_unit
    return Game.new(
        RULESET,
        load_board(_BOARD),
        [
            made("lance", "vehicle", "blue", (55, 34), -90, mobility="grav", size_class=5, base=1),
            made("piquet", "infantry", "blue", (42.5, 24), 180, base=0.5),
            made("mortar", "crew_weapon", "blue", (66, 30), 180, crew_required=3, crew_present=2, base=0.5),
            made("stork", "vehicle", "red", (12, 6), 90, mobility="walker", size_class=4, base=0.75),
            made("swift", "infantry", "red", (15, 44), -90, mobility="jetpack", base=0.3),
            made("anvil", "vehicle", "red", (26, 24), 0, mobility="tracked", size_class=6, armored=True, base=1),
        ],
    )


# --- three tables ---


def our_costs(table: str, places: FloatArray) -> FloatArray:
    """What places cost, by reach of the rulebook."""
    return np.asarray(game_on(table).reach("A").costs_at(places))


def reach_row(table: str, rounds: int) -> str:
    """Compare with networkx."""
    places = places_around(START, RATE, PLACES)
    reach: Any = game_on(table).reach("A")
    return price_row(table, TABLES[table], reach, partial(our_costs, table, places), rounds)


def judge_row(table: str, rounds: int) -> str:
    """Compare with shapely."""
    game = game_on(table)
    reach: Any = game.reach("A")

    def made(dice: np.random.Generator) -> Order | None:
        move = random_move(reach.space, dice)
        return None if move is None else move.order(reach)

    return verdict_row(table, game, reach, orders_made(made, ORDERS, ASIDE), _is_barred, ASIDE, rounds)


def _is_barred(game: Game[Any], order: Order) -> bool:
    space, moves = moves_for(game.table, game.table.unit("A"), order)
    verdict = judged(space.space, space.space.starts[0], moves)
    return any(one.what == "bars" for one in verdict.objections)


# --- a story's position, and a side of twelve ---


def asked_of_the_game() -> None:
    """A story's answer through the game, area and headings together."""
    reach: Any = story_game().reach("lance")
    whole_answer(reach.planner, places_around((55, 34), 12, _FEW))


def asked_of_the_planner(space: PoseSpace) -> None:
    """The same of the planner alone."""
    whole_answer(PoseReach(afresh(space)), places_around((55, 34), 12, _FEW))


def story_row(rounds: int) -> tuple[str, bool]:
    reach: Any = story_game().reach("lance")
    whole: list[Callable[[], object]] = [asked_of_the_game, partial(asked_of_the_planner, reach.space)]
    parts: list[Callable[[], object]] = [lambda: PoseReach(afresh(reach.space)).searched, _costs_of_story]
    (ours, alone), (search, places) = medians(whole, rounds), medians(parts, rounds)
    kept = ours <= MOST_MS and ours <= MOST_RATIO * alone
    cells = [f"{ours:.0f}", f"{MOST_MS:.0f}", f"{alone:.0f}", f"{ours / alone:.2f}", f"{MOST_RATIO}"]
    cells += [f"{search:.0f}", f"{places:.0f}", peak_text(*peaks_of([*whole, *parts]))]
    return f"| {' | '.join(cells)} |", kept


def asked_of_vehicle(game: Game[Any], name: str) -> None:
    """What a vehicle of a story answers through the game, area and headings together."""
    reach: Any = game.reach(name)
    whole_answer(reach.planner, places_around(game.state.unit(name).place, 12, _FEW))


def asked_of_vehicles(story: Path) -> list[Callable[[], None]]:
    """What is asked of each vehicle of a story, in a new game."""
    game: Any = load_scenario(story).start()
    names = [unit.id for unit in game.state if unit.type == "vehicle" and unit.place is not None]
    return [partial(asked_of_vehicle, game, name) for name in names]


def usual_row() -> tuple[str, bool]:
    stories = sorted(_STORIES.glob("*.yaml"))
    taken = [ms for story in stories for ms in medians(asked_of_vehicles(story), 1)]
    peaks = [peak for story in stories for peak in peaks_of(asked_of_vehicles(story))]
    usual = statistics.median(taken)
    cells = [f"{len(taken)}", f"{usual:.0f}", f"{MOST_MS:.0f}", f"{min(taken):.0f}", f"{max(taken):.0f}"]
    return f"| {' | '.join([*cells, peak_text(statistics.median(peaks), max(peaks))])} |", usual <= MOST_MS


def _costs_of_story() -> None:
    story_game().reach("lance").costs_at(places_around((55, 34), 24, PLACES))


def side() -> Game[Any]:
    """Twelve vehicles of 36 inches on one side of the usual table."""
    usual = game_with(MOVER, 5, *TABLES["usual"])
    spots = [(6 + 5.4 * number, 3.0) for number in range(_SIDE)]
    spots = [spot for spot in spots if _has_room(usual, spot)]
    units = [made_unit(f"V{number}", MOVER, "red", spot, 90) for number, spot in enumerate(spots)]
    return Game.new(RULESET, usual.board, [*units, *_others(usual)])


def _has_room(game: Game[Any], spot: tuple[float, float]) -> bool:
    return all(np.hypot(unit.place[0] - spot[0], unit.place[1] - spot[1]) > 1.5 for unit in game.state)


def names_of(game: Game[Any]) -> list[str]:
    return [unit.id for unit in game.state if unit.id.startswith("V")]


def one_by_one(places: FloatArray) -> list[FloatArray]:
    """The costs of places, of each vehicle of the side by itself."""
    game = side()
    return [np.asarray(game.reach(name).costs_at(places)) for name in names_of(game)]


def together(places: FloatArray) -> list[FloatArray]:
    """The same, asked together."""
    game = side()
    answers: Any = dict(game.reach_many(names_of(game)))
    return list(costs_at_each(list(answers.values()), places))


def side_row(rounds: int) -> tuple[str, bool]:
    places, vehicles = places_around(START, 20, PLACES), len(names_of(side()))
    found: dict[str, list[FloatArray]] = {}
    works = [
        lambda: found.update(alone=one_by_one(places)),
        lambda: found.update(together=together(places)),
    ]
    alone, many = medians(works, rounds)
    if not all(map(np.array_equal, found["alone"], found["together"])):
        raise SystemExit("vehicles that are asked together cost something else than alone")
    times = many / (alone / vehicles)
    cells = [f"{vehicles}", f"{PLACES}", f"{alone:.0f}", f"{many:.0f}", peak_text(*peaks_of(works))]
    return f"| {' | '.join([*cells, f'{times:.1f}', f'{MOST_OF_TWELVE:g}'])} |", times <= MOST_OF_TWELVE


# --- timing ---


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    heads = ["table", "pieces, bases", f"reach: costs of {PLACES} places, ms", "states", "networkx and the judge, ms"]
    show([*heads, "peaks, MB: reach / networkx", "ratio"], (reach_row(table, rounds) for table in TABLES))
    heads = [f"refused of {ORDERS} orders", "barred", "our judge, ms an order", "shapely, legs alone, ms"]
    heads = ["table", *heads, "peaks, MB, of all orders: judge / shapely"]
    show(heads, (judge_row(table, rounds) for table in TABLES))
    row, kept = story_row(rounds)
    heads = ["grav, 36 inches: area and headings through the game, ms", "bar", "the planner alone, ms", "ratio", "bar"]
    heads += ["search alone, ms", f"game: costs of {PLACES} places, ms", "peaks, MB: game / planner / search / costs"]
    show(heads, [row])
    row, kept_by_usual = usual_row()
    heads = ["vehicles of stories", "the usual one: area and headings through the game, ms", "bar"]
    show([*heads, "the fastest, ms", "the slowest, ms", "peaks, MB: usual / most"], [row])
    row, kept_together = side_row(rounds)
    heads = ["vehicles", "places", "one by one, ms", "together, ms", "peaks, MB: one by one / together"]
    show([*heads, "times one", "bar"], [row])
    return 0 if kept and kept_by_usual and kept_together else 1


if __name__ == "__main__":
    sys.exit(main())
