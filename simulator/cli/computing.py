"""The options of commands that compute for long: in processes here, or on a cluster, and continued after a stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

if TYPE_CHECKING:
    from simulator.sweeps.parts import Players

Command = TypeVar("Command", bound=Callable[..., Any])

_WORKERS = click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Processes here; by default one per core."
)
_SCHEDULER = click.option(
    "--scheduler", metavar="ADDRESS", help="Use the workers of a Dask scheduler, such as tcp://host:8786."
)


@dataclass(frozen=True)
class Computing:
    """Who computes."""

    workers: int | None = None
    scheduler: str | None = None

    def players(self, most: int) -> Players:
        """Return who does the parts of a work; in no more than `most` processes of this machine."""
        from simulator.sweeps.players import chosen_players

        return chosen_players(self.scheduler, self.workers, most)


def computing_options(command: Command) -> Command:
    """Add the options and pass their values as `computing`; processes here and a scheduler exclude each other."""

    @_WORKERS
    @_SCHEDULER
    @wraps(command)
    def called(workers: int | None, scheduler: str | None, **arguments: Any) -> Any:
        if workers is not None and scheduler is not None:
            raise click.UsageError("--workers are processes of this machine, --scheduler has its own: use one of them")
        return command(computing=Computing(workers, scheduler), **arguments)

    return cast(Command, called)
