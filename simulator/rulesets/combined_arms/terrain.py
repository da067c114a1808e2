"""What combined_arms reads from an inch table; everything else on it is reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources

from simulator.engine.board_words import Reads

#: The layer of each kind of feature, as the rules combine them; that of a board file is for the picture.
LAYER_OF: Mapping[str, str] = {
    **dict.fromkeys(("firm_ground", "soft_ground", "river", "lake"), "ground"),
    **dict.fromkeys(("ford", "road", "bridge", "building", "stairs"), "replacing"),
    **dict.fromkeys(("slope", "rubble"), "modifier"),
    **dict.fromkeys(("vegetation", "dense_vegetation"), "cover"),
    "individual_tree": "tree",
    **dict.fromkeys(("low_obstacle", "high_wall", "antitank_obstacle"), "obstacle"),
}
#: The clause by which a kind of feature bars the way; others do so only where a scenario says so in the matrix.
BARS_BY: Mapping[str, str] = {
    "firm_ground": "CA-49",
    "soft_ground": "CA-50",
    "slope": "CA-51",
    "river": "CA-52",
    "lake": "CA-53",
    "building": "CA-68",
    "stairs": "CA-70",
    "dense_vegetation": "CA-59",
    "individual_tree": "CA-60",
    "high_wall": "CA-64",
    "antitank_obstacle": "CA-65",
}
#: The kinds that may be drawn as a line whose width the rules define.
LINEAR = ("low_obstacle", "high_wall", "antitank_obstacle")

_ABOUT = {
    "firm_ground": ("CA-49", "firm ground: full rate"),
    "soft_ground": ("CA-50", "soft ground: half rate for walkers and wheels"),
    "river": ("CA-52", "a river or stream: crossed at bridges and fords, by floaters and amphibious pieces"),
    "lake": ("CA-53", "a lake or pond: as a river"),
    "ford": ("CA-54", "a ford: half rate for walkers and wheels"),
    "road": ("CA-55", "a road: double rate for walkers and wheels"),
    "bridge": ("CA-57", "a bridge: as a paved road"),
    "building": ("CA-66", "a building, and its interior on the ground floor"),
    "stairs": ("CA-69", "stairs between two floors: half rate for walkers and wheels"),
    "ladder": ("CA-71", "a ladder between two floors: for infantry"),
    "slope": ("CA-51", "a slope: half rate uphill"),
    "rubble": ("CA-67", "rubble in a building: half of the rate there"),
    "vegetation": ("CA-58", "vegetation: half rate for all"),
    "dense_vegetation": ("CA-59", "dense vegetation: impassable"),
    "individual_tree": ("CA-60", "a single tree: knocked down by medium and heavy vehicles"),
    "low_obstacle": ("CA-63", "a low obstacle: half rate, except for pieces that float over it"),
    "high_wall": ("CA-64", "a high wall: impassable, except to thruster vehicles and jetpacks"),
    "antitank_obstacle": ("CA-65", "an antitank obstacle: stops tracks and wheels"),
}

READS: Mapping[str, Sequence[Reads]] = {
    "table": (
        *(Reads("kind", cited, about, names=(kind,)) for kind, (cited, about) in _ABOUT.items()),
        Reads("ground", "CA-49", "the ground where nothing else lies", names=("firm_ground", "soft_ground")),
        Reads("height", "CA-81", "a piece at least as high ignores the feature"),
        Reads("uphill", "CA-51", "which way a slope rises"),
        Reads("paved", "CA-56", "a paved road is a road in any weather"),
        Reads("wet", "CA-56", "a wet unpaved road counts as soft ground"),
        Reads("tree_cost", "CA-62", "what it costs to knock down a tree"),
        Reads("vehicle_entry", "CA-68", "whether vehicles can enter a building"),
        Reads("vehicle_floors", "CA-68", "the floors that carry vehicles"),
        Reads("floors", "CA-66", "how many floors a building has"),
        Reads("floor_height", "CA-71", "how far apart the floors of a building are"),
        Reads("doors", "CA-68", "where infantry enters and leaves a building"),
        Reads("on", "CA-68", "the building that stairs and ladders stand in"),
        Reads("joins", "CA-69", "the floors that stairs or a ladder join"),
        Reads("run", "CA-69", "the distance walked on stairs"),
        Reads("vehicle_ok", "CA-70", "whether stairs carry vehicles"),
        Reads("layer", "CA-68", "the layer of a building that contains stairs, ladders or rubble", names=("elevated",)),
        Reads("layer", "CA-78", "the kind of a feature determines its layer", idle=True),
        Reads("cover", "CA-116", "only for the players: the cover of a piece is a separate number", idle=True),
        Reads("entry_areas", "CA-148", "where the pieces of a side enter the board"),
    )
}

#: A board to begin with.
STARTERS: Mapping[str, str] = {
    "table": resources.files(__package__).joinpath("starter.yaml").read_text(encoding="utf-8")
}
