"""Environments for reinforcement learning: a scenario as a game of PettingZoo, and one side of it for Gymnasium.

    env = TurnGame(load_scenario("ford.yaml"))           an AEC environment: one agent for each side
    env = OneSide(scenario, "red", policy)               a Gymnasium environment against a given policy

    observations    what an agent sees, as numpy arrays
    listed_actions  actions as numbers, where a rulebook lists its orders
    area_actions    actions as points of the unit cube, where orders are infinitely many
    turn_game, one_side    the environments themselves

They need the extra `rl`: `pip install 'simulator[rl]'`.
"""

from __future__ import annotations

try:
    import gymnasium as _gymnasium  # noqa: F401 - only whether it is there
    import pettingzoo as _pettingzoo  # noqa: F401
except ModuleNotFoundError as missing:
    message = f"simulator.rl needs the extra 'rl': pip install 'simulator[rl]' ({missing})"
    raise ModuleNotFoundError(message, name=missing.name) from None

from simulator.rl.one_side import OneSide
from simulator.rl.turn_game import TurnGame

__all__ = ["OneSide", "TurnGame"]
