"""Playing the chunks of a sweep on a cluster: the workers of a Dask scheduler, on this machine or on many.

Dask sends the chunks, and plays those of a worker that is lost on another one. Nothing but a plan is sent, so workers
need this version of the package, and the modules of the agents, but no files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from simulator.sweeps.errors import ClusterFailed, PackageMissing
from simulator.sweeps.parts import Players

#: The seconds that a scheduler has to answer.
_PATIENCE = 20
#: How often a chunk is played again after its worker was lost: workers are taken away at any time in some clusters.
_RETRIES = 10
#: The states of a chunk that is played, or that no worker will play any more.
_SETTLED = ("finished", "error", "cancelled")


def players_of(scheduler: str) -> Players:
    """Return the players of a scheduler, by its address such as `tcp://10.0.0.5:8786`."""

    def play(work: Callable[[Any], Any], chunks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        try:
            import distributed
        except ModuleNotFoundError:
            raise PackageMissing("a scheduler needs the extra 'cluster': pip install 'simulator[cluster]'") from None
        dask: Any = distributed  # it ships no types
        try:
            client = dask.Client(scheduler, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ClusterFailed(f"no Dask scheduler answers at {scheduler}: {reason}") from None
        with client:
            futures = client.map(work, chunks, pure=False, retries=_RETRIES)
            numbers = {future.key: number for number, future in enumerate(futures)}
            for future in dask.as_completed(futures, loop=client.loop):
                # What was computed may be lost with its worker before it is fetched: then it is computed again.
                while (status := future.status) not in _SETTLED:
                    # Waiting asks the current client; a cancelled chunk says so by its state as well.
                    with client.as_current(), suppress(dask.CancelledError):
                        dask.wait([future])
                if status != "finished":
                    raise ClusterFailed(f"the cluster gave up: {future.exception()}") from None
                yield numbers[future.key], future.result()
                future.release()

    return play
