"""How many plies a second a program can play.   python -m benchmarks.bench_plies   (processor time)

A ply is what a bot does again and again: ask for the legal orders, draw one, play it, and ask whether the game is over.
Before anything is timed, a game is played in which the judge is asked about every order that is drawn. The peak is the
most that one of the games held more than before, of Python and numpy, when all were played once more.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.peaks import peak_of, peak_text
from simulator.cli.terminal import bar
from simulator.formats.scenario import Scenario
from simulator.formats.scenarios import load_scenario

ROOT = Path(__file__).resolve().parent.parent
SCENARIOS = {
    "squares": ("grid_runner/market_chase", "grid_runner/vault_corridor", "grid_runner/battle_of_the_well"),
    "dots": ("dot_trooper/out_of_the_window", "dot_trooper/getting_away", "dot_trooper/through_the_arc"),
    "tables": ("skirmish/the_yard", "skirmish/mad_dash", "combined_arms/town_hall", "mecha/two_guards"),
}
#: The plies of each game, the games that are timed, and those whose orders are all judged.
PLIES, GAMES, JUDGED = 20, 20, 1
#: The plies a second that are aimed at.
AIMS = {"squares": 1000, "dots": 1000, "tables": 100}


def main() -> int:
    rows = []
    names = [(kind, name) for kind, several in SCENARIOS.items() for name in several]
    with bar("scenarios") as update:
        for number, (kind, name) in enumerate(names):
            update(number, len(names))
            scenario = load_scenario(ROOT / "scenarios" / f"{name}.yaml")
            for seed in range(JUDGED):
                played(scenario, seed, judged=True)
            seeds = range(JUDGED, JUDGED + GAMES)
            times = [played(scenario, seed) for seed in seeds]
            peak = max(peak_of(partial(played, scenario, seed)) for seed in seeds)
            count = sum(plies for plies, _, _ in times)
            drawing, playing = (1000 * sum(part) / count for part in list(zip(*times, strict=True))[1:])
            rows.append((kind, name, count, drawing, playing, peak, 1000 / (drawing + playing)))
        update(len(names), len(names))
    print(f"Random games, {GAMES} of at most {PLIES} plies each; every order is drawn from all legal ones. The aim is")
    print("1,000 plies a second on squares and dots and 100 on tables.\n")
    print("| board | scenario | plies | draw an order, ms | play it, ms | peak, MB | plies a second | of the aim |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for kind, name, count, drawing, playing, peak, each in rows:
        cells = f"{count} | {drawing:.2f} | {playing:.2f} | {peak_text(peak)} | {each:.0f} | {each / AIMS[kind]:.0%}"
        print(f"| {kind} | {name} | {cells} |")
    return 0


def played(scenario: Scenario, seed: int, judged: bool = False) -> tuple[int, float, float]:
    """Play a game at random; return its plies, and the seconds of processor time that drawing and playing took."""
    game, rng, plies, drawing, playing = scenario.start(seed), Random(seed), 0, 0.0, 0.0
    # Reading the processor time can take a third of a millisecond: it is read once a game, and shared out by the clock.
    processor = time.process_time()
    while plies < PLIES and not game.is_over:
        begun = time.perf_counter()
        order = game.legal().sample(rng)
        drawn = time.perf_counter()
        if judged:
            assert game.breaches(order) == [], game.write(order)
        game.step(order)
        drawing, playing, plies = drawing + drawn - begun, playing + time.perf_counter() - drawn, plies + 1
    share = (time.process_time() - processor) / (drawing + playing)
    return plies, share * drawing, share * playing


if __name__ == "__main__":
    sys.exit(main())
