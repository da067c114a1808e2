"""Let two agents play each other.   python examples/bots/match.py [GAMES] [WORKERS]

Each seed is played twice, with the sides exchanged. The second agent of the match is the greedy one, the first the tree
search: its share of games won stands in docs/bots.md.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "engine"), str(Path(__file__).parent)]

from agents import Agent, TreeAgent, greedy_agent  # noqa: E402
from tiny_ruleset import RULESET  # noqa: E402

from simulator import Scenario, load_scenario  # noqa: E402


def checkers() -> Scenario:
    """Return the scenario that is played."""
    return load_scenario(Path(__file__).parent / "checkers.yaml", {"tiny": RULESET})


def winner_of(scenario: Scenario, agents: dict[str, Agent], seed: int) -> str:
    """Play a game and return the side that has won it; "" if nobody has."""
    game, rng = scenario.start(seed), Random(seed)
    while not game.is_over:
        game.step(agents[game.side_to_move](game, rng))
    return game.score.winner


def result_for_first(number: int, first: Agent | None = None, second: Agent = greedy_agent) -> int:
    """Play a game of a match and return 1, 0 or -1 for its first agent, which changes sides from game to game."""
    sides = ("black", "white") if number % 2 else ("white", "black")
    agents = {sides[0]: first or TreeAgent(), sides[1]: second}
    winner = winner_of(checkers(), agents, seed=number // 2)
    return 0 if not winner else 1 if winner == sides[0] else -1


def main(games: int = 200, workers: int = 2) -> None:
    """Play a match and print its result."""
    with ProcessPoolExecutor(workers) as pool:
        results = list(pool.map(result_for_first, range(games)))
    won, lost = results.count(1), results.count(-1)
    print(f"{games} games: {won} won, {lost} lost, {results.count(0)} drawn: {won / games:.1%} won")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
