"""What grid_runner reads from a board of squares; everything else on it is reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources

from simulator.engine.board_words import Reads

READS: Mapping[str, Sequence[Reads]] = {
    "squares": (
        Reads("wall", "GR-26", "a square whose interior and corners are closed to movement"),
        Reads("edges", "GR-26", "walls between squares, which no step crosses"),
        Reads("impeded", "GR-74", "a square that costs the same as any other but spoils a charge"),
        Reads("terrain", "GR-26", "every open square costs 1", idle=True),
        Reads("level", "GR-26", "squares have no heights, every open square costs 1", idle=True),
        Reads("areas", "", "a name for squares; no clause mentions areas", idle=True),
    )
}

#: A board to begin with.
STARTERS: Mapping[str, str] = {
    "squares": resources.files(__package__).joinpath("starter.yaml").read_text(encoding="utf-8")
}
