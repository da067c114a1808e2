"""Searches of a contracted board: up to the core and down again, in as many steps as there were rounds.

Each cell only knows its neighbours of later rounds. A cheapest way climbs from its start through later and later rounds
and then descends. So the rounds are gone through once from the first to the last, only from cells already reached, and
once from the last to the first, for all cells of a round together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.kernel.contraction import Contraction
from simulator.pathing.seeds import Column


def searched(board: Contraction, layers: Column, places: Column, paid: Column) -> NDArray[Any]:
    """Return the costs of all states by place, (layers, places + 1), from starts at some places."""
    costs = np.full((board.layers, board.size + 1), board.unreached, board.core.dtype)
    np.minimum.at(costs, (layers, places), paid.astype(costs.dtype))
    costs[:, -1] = board.unreached
    _climb(board, costs)
    _cross(board, costs)
    _descend(board, costs)
    return costs


def _climb(board: Contraction, costs: NDArray[Any]) -> None:
    """Go from cells reached to their neighbours of later rounds."""
    for one in board.rounds:
        part = costs[:, one.first : one.last]
        reached = np.flatnonzero((part < board.unreached).any(axis=0))
        if not len(reached):
            continue
        here = part[:, reached]
        if one.inside is not None:
            here = (here[:, None] + one.inside[:, :, reached]).min(axis=0)
            part[:, reached] = here
        near = one.near[:, reached]
        for layer in range(board.layers):
            offered = (here[:, None] + one.up[:, layer][:, :, reached]).min(axis=0)
            np.minimum.at(costs[layer], near, offered)
    costs[:, -1] = board.unreached


def _cross(board: Contraction, costs: NDArray[Any]) -> None:
    """Go through the core."""
    core = costs[:, : len(board.core) // board.layers]
    flat = core.reshape(-1)
    reached = np.flatnonzero(flat < board.unreached)
    if len(reached):
        across = (flat[reached, None] + board.core[reached]).min(axis=0)
        core[:] = np.minimum(across, board.unreached).reshape(core.shape)


def _descend(board: Contraction, costs: NDArray[Any]) -> None:
    """Go from all cells to their neighbours of earlier rounds."""
    layers = board.layers
    most = max((one.near.size for one in board.rounds), default=0)
    left, arriving = np.empty(layers * most, costs.dtype), np.empty(layers * layers * most, costs.dtype)
    for one in reversed(board.rounds):
        near = one.near
        above = left[: layers * near.size].reshape(layers, 1, *near.shape)
        costs.take(near, axis=1, out=above[:, 0], mode="clip")
        offered = arriving[: one.down.size].reshape(one.down.shape)
        np.add(above, one.down, out=offered)
        part = costs[:, one.first : one.last]
        for layer in range(layers):
            least = offered[:, layer].min(axis=(0, 1))
            np.minimum(part[layer], least, out=part[layer])
