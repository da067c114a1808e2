"""Speed bands: thirds of the original rate, for a piece's own fire and for fire at it."""

from __future__ import annotations

from fractions import Fraction

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.rulesets.combined_arms.figures import BANDS, share
from simulator.rulesets.combined_arms.rates import original_rate
from simulator.rulesets.combined_arms.units import ArmsTable


@clause("CA-20", "CA-88", "CA-89", "CA-90", "CA-95", "CA-96")
def most_of_band(table: ArmsTable, unit: Unit, band: str) -> Fraction | None:
    """Return the most inches that may be spent within a band; None: as many as there are."""
    if band == "fast":
        return None
    return original_rate(table, unit) * (share(table.tables[f"speed_band.{band}"]) if band != "stationary" else 0)


@clause("CA-94", "CA-95")
def band_of(table: ArmsTable, unit: Unit, amount: Fraction) -> str:
    """Return the band of an amount moved."""
    limits = ((band, most_of_band(table, unit, band)) for band in BANDS)
    return next(band for band, most in limits if most is None or amount <= most)


@clause("CA-98")
def own_amount(unit: Unit) -> Fraction:
    """Return the amount that counts for a piece's own fire: all it spent, rotations included."""
    return Fraction(unit["spent_translation"]) + Fraction(unit["spent_rotation"])


@clause("CA-100", "CA-102")
def target_amount(table: ArmsTable, unit: Unit) -> Fraction:
    """Return the amount that counts for fire at a piece: what it spent, rotations not counted."""
    spent = Fraction(unit["spent_translation"])
    if table.options.target_rotation_counts == "if_moved" and spent:
        return spent + Fraction(unit["spent_rotation"])
    return spent


@clause("CA-97")
def band_of_rotation(table: ArmsTable, angle: Fraction) -> str:
    """Return the band that a rotation counts as for the fire of a piece without allowance."""
    row = table.tables["rotation_band"]
    if not angle:
        return BANDS[0]
    return next(str(band) for limit, band in zip(row["up_to"], row["band"], strict=True) if angle <= limit)
