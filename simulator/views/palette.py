"""A calm palette: quiet ground, readable on paper. Known words have their colour, others get one of their own."""

from __future__ import annotations

import colorsys
import zlib
from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np

INK = "#2f2c28"
QUIET_INK = "#8a8378"
PAPER = "#fbfaf6"
WALL = "#45413b"
#: How far closed ground is darkened: what it is made of still shows.
CLOSED = 0.8
GRID_LINES = "#00000014"
#: The hatching of ground of which nothing is known yet: no colour of an answer.
UNKNOWN = "#6f6a63"
CONTOUR = "#8c7349"

# The first entry that begins a part of the word decides (a street is no tree); more telling words come first.
_WORDS: tuple[tuple[str, str], ...] = (
    ("dry_river", "#e5d7b6"),
    ("deep_water", "#86abc4"),
    ("shallow", "#c3dbe4"),
    ("dense", "#8eaf86"),
    ("individual_tree", "#7d9c6f"),
    ("antitank", "#9b9186"),
    ("high_wall", "#6b655c"),
    ("low_obstacle", "#aa9e8c"),
    ("very_difficult", "#bda887"),
    ("difficult", "#d3c3a3"),
    ("firm", "#f1eee2"),
    ("standard", "#f1eee2"),
    ("flat", "#f1eee2"),
    ("open", "#f4f1e8"),
    ("field", "#ece3bd"),
    ("yard", "#dce1d0"),
    ("grass", "#e2e8cb"),
    ("meadow", "#e2e8cb"),
    ("desert", "#eedfb5"),
    ("sand", "#eedfb5"),
    ("ford", "#bfd6da"),
    ("river", "#a3c4d6"),
    ("lake", "#9abfd4"),
    ("pond", "#9abfd4"),
    ("water", "#a3c4d6"),
    ("bridge", "#cbb592"),
    ("road", "#d8d0bf"),
    ("paved", "#dad6cc"),
    ("asphalt", "#d0cdc6"),
    ("concrete", "#deddd6"),
    ("pavement", "#dfdbd0"),
    ("vegetation", "#bcd0a6"),
    ("wood", "#b1c99c"),
    ("forest", "#a9c394"),
    ("jungle", "#99b985"),
    ("tree", "#a3bf90"),
    ("scrub", "#cdd5ab"),
    ("hill", "#ddd0a9"),
    ("slope", "#e0d5b4"),
    ("ridge", "#d5c498"),
    ("gravel", "#d6cfc0"),
    ("cobble", "#cfc8ba"),
    ("rubble", "#d2c5b6"),
    ("scrap", "#d0beae"),
    ("junk", "#d0beae"),
    ("terrace", "#ddd3c2"),
    ("street", "#d6d3cb"),
    ("steps", "#cfc4b2"),
    ("grating", "#b9b6ad"),
    ("wreck", "#8c7f73"),
    ("oil", "#a9a79c"),
    ("moor", "#d9dcb8"),
    ("bog", "#a3ad93"),
    ("hollow", "#c8cfa6"),
    ("stone", "#9b968c"),
    ("rock", "#c9bda9"),
    ("cliff", "#b3a48d"),
    ("boulder", "#8f877b"),
    ("planter", "#a9c394"),
    ("rough", "#dccdae"),
    ("mud", "#cfbb98"),
    ("soft", "#dccfae"),
    ("swamp", "#b9c3a2"),
    ("stairs", "#d3bfa4"),
    ("ladder", "#c9b393"),
    ("roof", "#cdb7a5"),
    ("building", "#d9c8b8"),
    ("interior", "#ebe0d2"),
    ("floor", "#ebe2d4"),
    ("room", "#ebe2d4"),
    ("obstacle", "#9d9284"),
    ("crate", "#c9ae84"),
    ("container", "#c2876a"),
    ("wall", "#6b655c"),
    ("lava", "#e0906a"),
    ("ice", "#dcebf0"),
    ("snow", "#eef2f3"),
)

#: One colour for each side, in the order in which sides are named; the last serves all further ones.
_SIDES = ("#b3423a", "#33628f", "#4c7d45", "#8a5a9c", "#b07d2b")
_SIDE_WORDS = {
    "red": "#b3423a",
    "blue": "#33628f",
    "green": "#4c7d45",
    "purple": "#8a5a9c",
    "yellow": "#b07d2b",
    "black": "#3b3833",
    "white": "#8f8a80",
}


#: Two kinds of ground of one board differ by this much at least, where that can be had (distance of red, green, blue).
_APART = 12.0
#: Words without a colour of their own look for one that is free among the hues of earth and sand, by golden steps: no
#: hue of a band or of a side.
_HUES = 8
_GOLDEN = 0.381966
_FIRST_HUE, _LAST_HUE = 0.05, 0.16
_SATURATIONS = (0.3, 0.05, 0.6)
#: Where none is free, and where a word has its own colour, shades of it are tried, each so much darker.
_SHADES = 6
_DARKER = 0.92


def terrain_colours(words: Iterable[str]) -> dict[str, str]:
    """Assign each kind of terrain of one board its colour; kinds that would look alike differ by hue or shade.

    >>> terrain_colours(["church_floor", "house_floor"])
    {'church_floor': '#ebe2d4', 'house_floor': '#d8d0c3'}
    """
    colours: dict[str, str] = {}
    taken = np.zeros((0, 3))
    for word in words:
        shades = list(_shades_of(word))
        channels = np.array([_channels(shade) for shade in shades], np.float64)
        apart = np.linalg.norm(channels[:, None] - taken[None], axis=2).min(axis=1, initial=np.inf)
        chosen = int(np.argmax(np.minimum(apart, _APART)))
        colours[word] = shades[chosen]
        taken = np.concatenate([taken, channels[chosen : chosen + 1]])
    return colours


def _shades_of(word: str) -> Iterator[str]:
    """Yield the colours that a word can be drawn in, the one it would rather have first."""
    parts = word.lower().replace("_", " ").replace("-", " ").split()
    lowered = "_".join(parts)
    for start, colour in _WORDS:
        if start in lowered if "_" in start else any(part.startswith(start) for part in parts):
            yield from (_darker(colour, _DARKER**shade) for shade in range(_SHADES))
            return
    first = zlib.crc32(lowered.encode()) % 360 / 360
    for shade, saturation, turn in product(range(_SHADES), _SATURATIONS, range(_HUES)):
        hue = _FIRST_HUE + (first + turn * _GOLDEN) % 1.0 * (_LAST_HUE - _FIRST_HUE)
        colour = _hex(channel * 255 for channel in colorsys.hls_to_rgb(hue, 0.82, saturation))
        yield _darker(colour, _DARKER**shade)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def _darker(colour: str, share: float) -> str:
    return _hex(channel * share for channel in _channels(colour))


def _hex(channels: Iterable[float]) -> str:
    return "#" + "".join(f"{round(channel):02x}" for channel in channels)


def side_colour(side: str, sides: tuple[str, ...] = ()) -> str:
    """Return the colour of a side: its own if it is named after one, else by its place among `sides`."""
    if side.lower() in _SIDE_WORDS:
        return _SIDE_WORDS[side.lower()]
    place = sides.index(side) if side in sides else len(_SIDES) - 1
    return _SIDES[min(place, len(_SIDES) - 1)]


# Light to dark, of even lightness steps; the reader sees order, not hue.
_BAND_STOPS = ((0xF3, 0xE3, 0xA8), (0x9F, 0xCB, 0xA8), (0x4F, 0x9B, 0xA8), (0x2F, 0x5F, 0x8C))


def band_colour(share: float) -> str:
    """Return the colour of a band of cost or odds: 0 the lightest, 1 the darkest."""
    return _between(_BAND_STOPS, share)


# Pale orange to deep green: what is sure looks safe. Each is darker than the last, so that grey and any eyes tell them
# apart, and none is a colour of the bands of cost.
_CHANCE_STOPS = ((0xFB, 0xDD, 0xC6), (0xEB, 0xB4, 0x72), (0x9D, 0xAE, 0x62), (0x4C, 0x8C, 0x57), (0x1B, 0x5E, 0x43))


def chance_colour(chance: float) -> str:
    """Return the colour of a chance from 0 to 1, the surest the darkest."""
    return _between(_CHANCE_STOPS, chance)


def _between(stops: tuple[tuple[int, int, int], ...], share: float) -> str:
    place = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    part = place - low
    return _hex(a + (b - a) * part for a, b in zip(stops[low], stops[low + 1], strict=True))
