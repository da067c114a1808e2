"""What mecha reads from an inch table; everything else on it is reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources

from simulator.engine.board_words import Reads

#: The kinds of pieces that name a movement terrain directly, and which they name; deep water has two.
DEEP_WATER = "deep_water"
TERRAIN_OF: Mapping[str, str] = {
    "flat_ground": "flat_ground",
    "standard_ground": "flat_ground",
    "difficult": "difficult",
    "very_difficult": "very_difficult",
    "rough": "rough",
    "shallow_water": "on_shallow_water",
    DEEP_WATER: DEEP_WATER,
}
#: The kinds of pieces that are elevated terrain and nothing else.
ELEVATED_KINDS = ("building", "rock", "terrace", "tower", "container")

_ABOUT = {
    "flat_ground": ("ME-11", "flat ground"),
    "standard_ground": ("ME-13", "another word for flat ground"),
    "difficult": ("ME-102", "difficult ground"),
    "very_difficult": ("ME-102", "very difficult ground"),
    "rough": ("ME-102", "rough ground"),
    "shallow_water": ("ME-102", "shallow water"),
    "deep_water": ("ME-14", "deep water: hover units are on it, others in it"),
    "woodland": ("ME-99", "a forest or jungle"),
    "river_lake": ("ME-101", "a river or lake"),
    "pond": ("ME-101", "a pond"),
    "field": ("ME-101", "a field, barren ground"),
    "desert": ("ME-101", "a desert"),
    "hills": ("ME-101", "hills"),
    "rubble": ("ME-101", "rubble"),
    "small_wall": ("ME-101", "a small wall or a fence"),
    "building": ("ME-104", "a building: elevated terrain"),
    "rock": ("ME-104", "a rock: elevated terrain"),
    "terrace": ("ME-104", "a terrace: elevated terrain"),
    "tower": ("ME-104", "a tower: elevated terrain"),
    "container": ("ME-104", "a container: elevated terrain"),
}
_GROUNDS = tuple(TERRAIN_OF)


def ground_of(word: str) -> str:
    """Return the movement terrain of the ground of a table or a top; flat ground unless it is a word for another."""
    return TERRAIN_OF.get(word, "flat_ground")


READS: Mapping[str, Sequence[Reads]] = {
    "table": (
        *(Reads("kind", cited, about, names=(kind,)) for kind, (cited, about) in _ABOUT.items()),
        Reads("ground", "ME-13", "the ground where nothing else lies", names=_GROUNDS),
        Reads("layer", "ME-108", "the layer of elevated terrain, whatever its kind", names=("elevated",)),
        Reads("height", "ME-107", "the height of elevated terrain, above what it stands on"),
        Reads("size_class", "ME-104", "the size class of elevated terrain, if not that of its height"),
        Reads("top", "ME-106", "the ground on top of elevated terrain"),
        Reads("on", "ME-107", "the elevated terrain that other elevated terrain stands on"),
    )
}

#: A board to begin with.
STARTERS: Mapping[str, str] = {
    "table": resources.files(__package__).joinpath("starter.yaml").read_text(encoding="utf-8")
}
