"""Weapon ranges: the distance of a target, the band it falls into, and its cost in dice."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.engine.errors import OptionError
from simulator.geometry.diagonals import DiagonalCount, distances
from simulator.geometry.squares import Square
from simulator.rulesets.grid_runner.units import GridTable, grid_of
from simulator.wording import did_you_mean

BANDS = ("short", "medium", "long", "extreme")
TOO_CLOSE, NOT_COVERED, OUT_OF_RANGE = "too_close", "not_covered", "out_of_range"
#: Every answer of a range query; pictures number them in this order.
ANSWERS = (*BANDS, TOO_CLOSE, NOT_COVERED, OUT_OF_RANGE)


@dataclass(frozen=True, slots=True)
class RangeBand:
    """One band of a weapon: the least and the greatest distance in squares, both included."""

    name: str
    least: int
    most: int
    modifier: int

    def __contains__(self, distance: object) -> bool:
        return isinstance(distance, int) and self.least <= distance <= self.most


@dataclass(frozen=True, slots=True)
class RangeAnswer:
    """What a weapon can do at a distance: the band, its dice modifier, and the clause.

    Out of range, too close and not covered are bands without a modifier.
    """

    band: str
    modifier: int | None
    distance: int
    clause: str

    @property
    def can_fire(self) -> bool:
        """Whether the rules allow the shot; where the tables are silent it is allowed, and the caller decides."""
        return self.band not in (TOO_CLOSE, OUT_OF_RANGE)

    def __str__(self) -> str:
        dice = "" if self.modifier is None else f", {self.modifier} dice"
        return f"{self.distance} squares: {self.band.replace('_', ' ')}{dice} ({self.clause})"


# --- distance ---


@clause("GR-93")
def counted_distance(metric: str, one: Square, other: Square) -> int:
    """Return the distance between two squares.

    >>> [counted_distance(metric, (0, 0), (7, 4)) for metric in ("diagonal_121", "chebyshev", "euclidean_floor")]
    [9, 7, 8]
    """
    return int(counted_distances(metric, np.array(other[0] - one[0]), np.array(other[1] - one[1])))


@clause("GR-93")
def counted_distances(metric: str, across: NDArray[Any], down: NDArray[Any]) -> NDArray[Any]:
    """Return distances for arrays of offsets: by default as the cheapest movement with its first diagonal at 1."""
    if metric == "chebyshev":
        return np.asarray(np.maximum(np.abs(across), np.abs(down)))
    if metric == "euclidean_floor":
        return np.asarray(np.sqrt(across * across + down * down)).astype(np.int64)
    return distances(across, down, DiagonalCount.ONE_TWO)


# --- bands ---


def is_ranged(table: GridTable, weapon: str) -> bool:
    """Whether the range tables list a weapon."""
    return weapon in table.tables[f"weapon_range.{table.options.scale}"]


def group_of(table: GridTable, weapon: str) -> str:
    """Return the group of a weapon."""
    groups = table.tables["weapon_group"]
    return next((group for group in groups if weapon in groups[group]), "")


@clause("GR-83", "GR-84", "GR-85", "GR-87", "GR-92")
def bands_of(table: GridTable, weapon: str, strength: int = 0) -> tuple[RangeBand | None, ...]:
    """Return the four bands of a weapon for a character of this Str; None for one that is left out.

    Each begins beyond the one before, whatever lower end is printed.
    """
    scale = table.options.scale
    if not is_ranged(table, weapon):
        known = did_you_mean(weapon, table.tables[f"weapon_range.{scale}"])
        raise OptionError(f"{weapon!r} is not in the range tables; {known}", "weapon")
    rescaled = scale == "m1" and table.options.shotgun_f_m1 == "rescaled"
    path = "rescaled_range" if rescaled and weapon == "shotgun_f" else f"weapon_range.{scale}"
    modifiers = tuple(int(table.tables[f"band_modifier.{name}"]) for name in BANDS)
    return _bands(table.tables[f"{path}.{weapon}"], strength, table.options.str_range_rounding, modifiers)


@kept(megabytes=4)
def _bands(
    cells: tuple[str, ...], strength: int, rounding: str, modifiers: tuple[int, ...]
) -> tuple[RangeBand | None, ...]:
    found: list[RangeBand | None] = []
    beyond = -1
    for name, cell, modifier in zip(BANDS, cells, modifiers, strict=True):
        if cell == "-":
            found.append(None)
            continue
        # "to 30" begins at 0; a band of a single distance covers just that.
        low, _, high = cell.replace("to ", "0-").rpartition("-")
        most = _limit(high, strength, rounding)
        # The first band has its own lower end; of later ones only the part beyond all earlier bands counts.
        least = max(_limit(low or high, strength, rounding), beyond + 1)
        found.append(RangeBand(name, least, most, modifier))
        beyond = max(beyond, most)
    return tuple(found)


@clause("GR-92")
def _limit(text: str, strength: int, rounding: str) -> int:
    """Return one end of a band in whole squares: `40`, `S`, `0.5S`."""
    if not text.endswith("S"):
        return int(text)
    exact = Fraction(text.removesuffix("S") or "1") * strength
    if rounding == "nearest":
        return floor(exact + Fraction(1, 2))
    return -floor(-exact) if rounding == "up" else floor(exact)


@clause("GR-80", "GR-86", "GR-89", "GR-90", "GR-91")
def range_band(table: GridTable, weapon: str, distance: int, strength: int = 0) -> RangeAnswer:
    """Return the band that a distance falls into: the first one that contains it.

    Nearer than the first band is too close. Beyond the last of four bands is out of range; where bands are left out,
    what lies beyond is not covered.
    """
    bands = bands_of(table, weapon, strength)
    for band in bands:
        if band is not None and distance in band:
            return RangeAnswer(band.name, band.modifier, distance, "GR-86")
    first = bands[0]
    if first is not None and distance < first.least:
        return RangeAnswer(TOO_CLOSE, None, distance, "GR-91")
    if None in bands:
        return RangeAnswer(table.options.omitted_band, None, distance, "GR-89")
    return RangeAnswer(OUT_OF_RANGE, None, distance, "GR-90")


def bands_around(table: GridTable, place: Square, weapon: str, strength: int = 0) -> NDArray[np.int8]:
    """Compute for every square of the board [row, column] the answer for a target there: an index into `ANSWERS`."""
    rows, columns = grid_of(table).shape
    across = np.arange(columns)[None, :] - place[0]
    down = np.arange(rows)[:, None] - place[1]
    away = counted_distances(table.options.range_metric, across, down)
    answers = [
        ANSWERS.index(range_band(table, weapon, distance, strength).band) for distance in range(int(away.max()) + 1)
    ]
    return np.asarray(np.array(answers, np.int8)[away])


def drawn_bands(table: GridTable, place: Square, weapon: str, strength: int = 0) -> str:
    """Draw the bands around a square as text: S M L E, x too close, ? not covered, . out of range, # walls, @ here."""
    glyphs = np.array(list("SMLEx?."))[bands_around(table, place, weapon, strength)]
    glyphs[grid_of(table).walls] = "#"
    glyphs[grid_of(table).index(place)] = "@"
    return "\n".join(" ".join(row) for row in glyphs.tolist())
