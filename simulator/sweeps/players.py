"""Who does the parts of a work: this process, several on this machine, or the workers of a scheduler."""

from __future__ import annotations

from functools import partial

from simulator.sweeps.parts import Players, played_here
from simulator.threads import cores
from simulator.workers import as_done


def chosen_players(scheduler: str | None, workers: int | None, most: int) -> Players:
    """Return the players at an address, or so many processes, by default one for each core but no more than `most`."""
    if scheduler is not None:
        from simulator.sweeps.cluster import players_of

        return players_of(scheduler)
    count = min(workers or cores(), most)
    return played_here if count <= 1 else partial(as_done, workers=count)
