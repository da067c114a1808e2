"""How much sooner questions on inch tables are answered on all cores.   python -m benchmarks cores

Each question is asked in a new game, in turn on one core and on all of them; the answers have to be the same to the
byte. Times are seconds on the clock, medians over the rounds: other programs on this machine count.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from benchmarks.bench_combined_arms import MOST_OF_TWELVE, PLACES, names_of, one_by_one, side, together
from benchmarks.crowded import START
from benchmarks.posed_rows import places_around
from simulator import load_scenario
from simulator.cores import processes_at_once
from simulator.pathing.weighted.planners import KNOWN
from simulator.threads import on_one_core

_SCENARIOS = Path(__file__).resolve().parent.parent / "scenarios"


def _game(story: str) -> Any:
    return load_scenario(_SCENARIOS / f"{story}.yaml").start()


def area(story: str, unit: str, action: str = "") -> object:
    """Where a unit can end."""
    return shapely.to_wkb(_game(story).reach(unit, action).area)


def bands(story: str, unit: str) -> object:
    """The same by cost."""
    return [(cost, shapely.to_wkb(ground)) for cost, ground in _game(story).reach(unit).bands()]


def chances(story: str, unit: str) -> object:
    """The same by chance."""
    return [(chance, shapely.to_wkb(ground)) for chance, ground in _game(story).reach(unit, "turn").chance_bands()]


def threats(story: str, of: str) -> object:
    """Where the units of a side can end, each by itself."""
    return [shapely.to_wkb(one.area) for one in _game(story).threats(of).threats.values()]


def from_everywhere(story: str, action: str) -> object:
    """What every place costs from every third inch of a table."""
    game = _game(story)
    every = game.bulk_reach(next(iter(game.state)).id, action, spacing=3.0)
    return [lot.costs.tobytes() for lot in every.from_cells(0, len(every))]


QUESTIONS: dict[str, Callable[[], object]] = {
    "area of a lorry, combined_arms": lambda: area("combined_arms/landing_at_flatmoor", "lorry"),
    "area of a jeep, combined_arms": lambda: area("combined_arms/river_crossing", "jeep"),
    "area of a truck, combined_arms": lambda: area("combined_arms/town_hall", "truck"),
    "bands of cost of a carrier, combined_arms": lambda: bands("combined_arms/main_street", "carrier"),
    "threats of five units, combined_arms": lambda: threats("combined_arms/river_crossing", "red"),
    "whole turn of a pony, mecha": lambda: area("mecha/edge_of_the_copse", "pony", "turn"),
    "whole turn of a lion, mecha": lambda: area("mecha/battle_of_the_quarry", "lion", "turn"),
    "whole turn of a goat, mecha": lambda: area("mecha/house_rules_on_the_heights", "goat", "turn"),
    "chances of rex, skirmish": lambda: chances("skirmish/the_yard", "rex"),
    "threats of three units, skirmish": lambda: threats("skirmish/four_gaps", "red"),
    "from 345 places, combined_arms": lambda: from_everywhere("combined_arms/up_to_the_bank", "move"),
}


def seconds(question: Callable[[], object]) -> tuple[float, object]:
    """Return the time that a question takes of which nothing is known, and its answer."""
    KNOWN.clear()
    begun = time.perf_counter()
    answer = question()
    return time.perf_counter() - begun, answer


def in_turn(question: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return the median times of a question on one core and on all of them; stop unless the answers are the same."""
    taken: tuple[list[float], list[float]] = [], []
    for _ in range(rounds):
        with on_one_core():
            one, here = seconds(question)
        every, there = seconds(question)
        if here != there:
            raise SystemExit("an answer depends on how many cores there are")
        taken[0].append(one)
        taken[1].append(every)
    return statistics.median(taken[0]), statistics.median(taken[1])


def times_one(rounds: int) -> tuple[float, float, float]:
    """Return how long one of a side of twelve takes and all together on all cores, and how many times that is."""
    places, count = places_around(START, 20, PLACES), len(names_of(side()))
    taken: tuple[list[float], list[float]] = [], []
    for _ in range(rounds):
        alone, one = seconds(lambda: one_by_one(places))
        many, all_ = seconds(lambda: together(places))
        if not np.array_equal(np.array(one), np.array(all_)):
            raise SystemExit("vehicles that are asked together cost something else than alone")
        taken[0].append(alone / count)
        taken[1].append(many)
    alone, many = statistics.median(taken[0]), statistics.median(taken[1])
    return alone, many, many / alone


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1)
    rounds = parser.parse_args().rounds
    print(f"{processes_at_once()} processes at once, load {os.getloadavg()[0]:.1f} (other programs were running).\n")
    print("| question | one core, s | all cores, s | times as fast |\n|---|---:|---:|---:|")
    for name, question in QUESTIONS.items():
        one, every = in_turn(question, rounds)
        print(f"| {name} | {one:.1f} | {every:.1f} | {one / every:.2f} |", flush=True)
    alone, many, times = times_one(rounds)
    verdict = "met" if times <= MOST_OF_TWELVE else "MISSED"
    print(f"\nTwelve vehicles asked about {PLACES} places together take {many:.1f} s, one of them alone {alone:.2f} s:")
    print(f"{times:.1f} times as long (bar {MOST_OF_TWELVE:g}: {verdict}).")
    return int(times > MOST_OF_TWELVE)


if __name__ == "__main__":
    sys.exit(main())
