"""What dot_trooper reads of a map of dots; everything else on it is reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources

from simulator.engine.board_words import Reads
from simulator.geometry.dots import EdgeKind

#: What closes an edge to somebody on foot or on wheels; a door does not.
CLOSED: tuple[EdgeKind, ...] = ("wall", "window")
#: What a flight from indoors leads out through.
WAYS_OUT: tuple[EdgeKind, ...] = ("window", "door")
#: The edges that lead on foot from level to level.
CLIMBS: tuple[EdgeKind, ...] = ("stairs", "ladder")
#: The edges that lead on wheels from level to level.
RAMPS: tuple[EdgeKind, ...] = ("ramp",)

READS: Mapping[str, Sequence[Reads]] = {
    "dots": (
        Reads("impassable", "DT-5", "a dot that nobody enters"),
        Reads("level", "DT-164", "how high the ground lies: on foot a level is climbed, vehicles stay on theirs"),
        Reads("storeys", "DT-15", "a building: floors on foot, a roof to fly over and land on"),
        Reads("opening", "DT-12", "a dot that is a door or a window itself, to fly out through"),
        Reads("kind", "DT-5", "an edge that nobody on foot or wheels crosses", names=CLOSED),
        Reads("kind", "DT-12", "an edge that a flight from indoors leads out through", names=WAYS_OUT),
        Reads("kind", "DT-164", "an edge that leads on foot from level to level", names=CLIMBS),
        Reads("kind", "DT-166", "an edge that leads vehicles from level to level", names=RAMPS),
        Reads("terrain", "DT-166", "no kind of terrain costs anything, on foot every dot costs the same", idle=True),
        Reads("areas", "", "a name for dots; no clause speaks of such", idle=True),
    )
}

#: A board to begin with.
STARTERS: Mapping[str, str] = {
    "dots": resources.files(__package__).joinpath("starter.yaml").read_text(encoding="utf-8")
}
