"""Speed bands: thirds of the original rate, for a piece's own fire and for fire at it.

What they measure is an option: the allowance that a piece has spent, or the inches of ground and altitude that it has
covered. Rotations cover nothing, so then each counts by itself, as the band of what it cost.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.pathing.posed import JudgedMove
from simulator.rulesets.combined_arms.figures import BANDS, share
from simulator.rulesets.combined_arms.rates import damage_level_of, original_rate
from simulator.rulesets.combined_arms.units import ArmsTable


class Moved(NamedTuple):
    """What a piece has done in a turn, as far as bands measure it, in inches."""

    translation: Fraction  #: spent on all but rotations
    rotation: Fraction  #: spent on rotations
    covered: Fraction  #: of ground and altitude
    dearest: Fraction  #: what its dearest rotation cost, those that are priced together as one
    widest: Fraction = Fraction(0)  #: the angle of its widest rotation, if it has no allowance

    @property
    def spent(self) -> Fraction:
        """The allowance that it has spent."""
        return self.translation + self.rotation

    @classmethod
    def of(cls, unit: Unit) -> Moved:
        """Return what a piece has done so far."""
        fields = ("spent_translation", "spent_rotation", "inches_covered", "dearest_rotation")
        translation, rotation, covered, dearest = (Fraction(unit[field]) for field in fields)
        return cls(translation, rotation, covered, dearest, Fraction(unit.get("widest_rotation") or 0))

    @classmethod
    def after(cls, unit: Unit, found: JudgedMove, dearest: Fraction, widest: Fraction) -> Moved:
        """Return what a piece will have done after a judged move, with the dearest and the widest rotation of that."""
        turned = sum((charge.price for charge in found.charges if charge.what == "turn"), Fraction(0))
        so_far = cls.of(unit)
        return cls(
            so_far.translation + found.travelled,
            so_far.rotation + turned,
            so_far.covered + found.covered,
            max(so_far.dearest, dearest),
            max(so_far.widest, widest),
        )


@clause("CA-96")
def by_distance(table: ArmsTable) -> bool:
    """Whether bands measure the distance that is covered rather than the allowance that is spent."""
    return bool(table.options.speed_band_basis == "distance_moved")


@clause("CA-20", "CA-88", "CA-89", "CA-90", "CA-95")
def most_of_band(table: ArmsTable, unit: Unit, band: str) -> Fraction | None:
    """Return the most inches that may be moved within a band; None: as many as there are."""
    if band == "fast":
        return None
    return original_rate(table, unit) * (share(table.tables[f"speed_band.{band}"]) if band != "stationary" else 0)


@clause("CA-94", "CA-95")
def band_of(table: ArmsTable, unit: Unit, amount: Fraction) -> str:
    """Return the band of an amount moved."""
    limits = ((band, most_of_band(table, unit, band)) for band in BANDS)
    return next(band for band, most in limits if most is None or amount <= most)


def spent_in_all(unit: Unit) -> Fraction:
    """Return the allowance that a piece has spent: rotations included."""
    return Fraction(unit["spent_translation"]) + Fraction(unit["spent_rotation"])


# --- own fire, and fire at it ---


@clause("CA-96", "CA-98")
def own_amount(table: ArmsTable, moved: Moved) -> Fraction:
    """Return the amount that counts for a piece's own fire: all it spent, rotations included; or what it covered."""
    return moved.covered if by_distance(table) else moved.translation + moved.rotation


@clause("CA-96", "CA-97", "CA-98")
def own_band(table: ArmsTable, unit: Unit, moved: Moved) -> str:
    """Return the band of a piece for its own fire: of one without allowance that of its widest rotation."""
    if not original_rate(table, unit):
        return band_of_rotation(table, moved.widest)
    return _band(table, unit, own_amount(table, moved), moved)


@clause("CA-96", "CA-100", "CA-102")
def target_amount(table: ArmsTable, moved: Moved) -> Fraction:
    """Return the amount that counts for fire at a piece: what it spent, rotations not counted; or what it covered."""
    if by_distance(table):
        return moved.covered
    return moved.translation + (moved.rotation if _rotations_count(table, moved) else 0)


@clause("CA-96", "CA-100", "CA-102")
def target_band(table: ArmsTable, unit: Unit) -> str:
    """Return the band of a piece for fire at it."""
    moved = Moved.of(unit)
    counted = moved if _rotations_count(table, moved) else moved._replace(dearest=Fraction(0))
    return _band(table, unit, target_amount(table, moved), counted)


@clause("CA-100")
def _rotations_count(table: ArmsTable, moved: Moved) -> bool:
    """Whether rotations count for fire at a piece."""
    travelled = moved.covered if by_distance(table) else moved.translation
    return bool(table.options.target_rotation_counts == "if_moved" and travelled)


@clause("CA-97")
def _band(table: ArmsTable, unit: Unit, amount: Fraction, moved: Moved) -> str:
    """The band of an amount; where that is a distance, of the dearest rotation if that is a higher one."""
    if by_distance(table):
        amount = max(amount, moved.dearest)
    return band_of(table, unit, amount)


@clause("CA-97")
def band_of_rotation(table: ArmsTable, angle: Fraction) -> str:
    """Return the band that a rotation counts as for the fire of a piece without allowance."""
    row = table.tables["rotation_band"]
    if not angle:
        return BANDS[0]
    return next(str(band) for limit, band in zip(row["up_to"], row["band"], strict=True) if angle <= limit)


# --- damage ---


@clause("CA-89", "CA-90", "CA-96")
def most_of_level(table: ArmsTable, unit: Unit) -> Fraction | None:
    """Return the most inches that a damaged piece may cover, whose allowance may take it farther; None: any."""
    if not by_distance(table):
        return None
    return most_of_band(table, unit, BANDS[-1 - damage_level_of(table, unit)])
