"""What dot_trooper reads from a map of dots; everything else on it is reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources

from simulator.engine.board_words import Reads
from simulator.geometry.dots import EdgeKind

#: The edges closed to troopers on foot and to vehicles; a door is not.
CLOSED: tuple[EdgeKind, ...] = ("wall", "window")
#: The edges through which a flight from indoors leads out.
WAYS_OUT: tuple[EdgeKind, ...] = ("window", "door")
#: The edges that connect levels on foot.
CLIMBS: tuple[EdgeKind, ...] = ("stairs", "ladder")
#: The edges that connect levels for vehicles.
RAMPS: tuple[EdgeKind, ...] = ("ramp",)

READS: Mapping[str, Sequence[Reads]] = {
    "dots": (
        Reads("impassable", "DT-5", "a dot that nobody enters"),
        Reads("level", "DT-164", "the height of the ground: troopers on foot climb levels, vehicles stay on theirs"),
        Reads("storeys", "DT-15", "a building: floors on foot, a roof to fly over and land on"),
        Reads("opening", "DT-12", "a dot that is itself a door or window, as an exit for flights"),
        Reads("kind", "DT-5", "an edge that neither troopers on foot nor vehicles cross", names=CLOSED),
        Reads("kind", "DT-12", "an edge through which a flight from indoors leads out", names=WAYS_OUT),
        Reads("kind", "DT-164", "an edge that connects levels on foot", names=CLIMBS),
        Reads("kind", "DT-166", "an edge that connects levels for vehicles", names=RAMPS),
        Reads("terrain", "DT-166", "no kind of terrain changes a cost: on foot every dot costs the same", idle=True),
        Reads("areas", "", "a name for dots; no clause mentions areas", idle=True),
    )
}

#: A board to begin with.
STARTERS: Mapping[str, str] = {
    "dots": resources.files(__package__).joinpath("starter.yaml").read_text(encoding="utf-8")
}
