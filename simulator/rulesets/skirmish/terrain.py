"""What skirmish reads from an inch table; everything else on it is reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources

from simulator.engine.board_words import Reads

#: The figures that list the kinds of pieces that are obstacles, and those that are rough terrain.
OBSTACLES, ROUGH = "obstacles.kinds", "rough_ground.kinds"

READS: Mapping[str, Sequence[Reads]] = {
    "table": (
        Reads("kind", "SK-16", "an obstacle: no line of movement leads across it", figure=OBSTACLES),
        Reads("height", "SK-20", "how hard an obstacle is to climb over", of=OBSTACLES),
        Reads("kind", "SK-8", "rough terrain: crossing it takes a Terrain roll", figure=ROUGH),
        Reads("height", "SK-66", "the table is flat", of=ROUGH, idle=True),
        Reads("layer", "SK-66", "the table is flat, nobody ends on top of a piece", names=("elevated",), idle=True),
        Reads("entry_areas", "", "a name for ground; no clause defines where soldiers enter", idle=True),
    )
}

#: A board to begin with.
STARTERS: Mapping[str, str] = {
    "table": resources.files(__package__).joinpath("starter.yaml").read_text(encoding="utf-8")
}
