"""What one step of a game returns to a program that plays."""

from __future__ import annotations

from typing import NamedTuple

from simulator.engine.events import Event
from simulator.engine.objectives import Score


class Step(NamedTuple):
    """One order, played to its end: `events, done, result = game.step(order)`."""

    events: tuple[Event, ...]
    #: Whether the game is over.
    done: bool
    #: How it stands, and who has won it.
    result: Score
