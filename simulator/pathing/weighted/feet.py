"""Places on borders right beside other places: where a way may cross on its last inch, or on its first.

Half an inch between places is much for a way that ends a tenth of an inch behind a border.
"""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join, pick
from simulator.pathing.weighted.borders import BorderPieces
from simulator.pathing.weighted.gauges import TWO_PI
from simulator.pathing.weighted.places import BendPlaces, PlaceMap, on_pieces
from simulator.pathing.weighted.setting import WeightedSetting
from simulator.pathing.weighted.spread import ALONG, Offers, Spread, legs_to

#: Borders farther off are not looked at, in inches.
_NEAR = 0.5
#: A foot nearer to the end of its piece is none: there is a knot.
_OFF_ENDS = 0.02
#: Beside starts there are more of them, at these distances in inches before and after the foot.
_BESIDE = (-0.3, -0.12, 0.0, 0.12, 0.3)


def feet(borders: BorderPieces, places: FloatArray, beside: tuple[float, ...] = (0.0,)) -> tuple[BendPlaces, IntArray]:
    """Return the places on border pieces that are nearest to some places, perhaps others beside them; and whose."""
    radius = borders.radius
    x, y = np.moveaxis(places[:, None] - borders.origin, 2, 0)
    ahead = x * borders.ahead[:, 0] + y * borders.ahead[:, 1]
    turned = np.mod(np.arctan2(y, x) - borders.angle, TWO_PI) * radius
    at = np.where(radius > 0.0, turned, ahead)
    aside = np.abs(y * borders.ahead[:, 0] - x * borders.ahead[:, 1])
    off = np.where(radius > 0.0, np.abs(np.hypot(x, y) - radius), aside)
    row, piece = np.nonzero((off <= _NEAR) & (at >= -_NEAR) & (at <= borders.length + _NEAR))
    inches = (at[row, piece][:, None] + np.array(beside)).ravel()
    row, piece = np.repeat(row, len(beside)), np.repeat(piece, len(beside))
    inner = np.flatnonzero((inches > _OFF_ENDS) & (inches < borders.length[piece] - _OFF_ENDS))
    return on_pieces(borders, piece[inner], inches[inner]), row[inner]


def feet_of_starts(borders: BorderPieces, starts: FloatArray) -> BendPlaces:
    """Return the places on border pieces beside starts."""
    return feet(borders, starts, _BESIDE)[0]


def with_feet(
    setting: WeightedSetting, map_: PlaceMap, known: Spread, goals: FloatArray, limit: float
) -> tuple[PlaceMap, Spread, IntArray]:
    """Return places and their costs, with those added that are right beside goals; and whose each is, -1: all goals'.

    A goal has its own: what it costs does not depend on the others that are looked at.
    """
    more, whose = feet(setting.borders, goals)
    count = len(more.place)
    if not count:
        return map_, known, np.full(len(known.cost), -1)
    found = Spread.none(count)
    found.take(_along(setting, map_, known, more))
    sources = np.flatnonzero(np.isfinite(known.cost))
    for free in legs_to(setting, map_.places, known.cost, sources, more, found.cost, limit):
        found.take(free)
    kept = np.flatnonzero(np.isfinite(found.cost))
    both = Spread(
        *(np.concatenate([getattr(known, name), getattr(found, name)[kept]]) for name in known.__dataclass_fields__)
    )
    places = join([map_.places, pick(more, kept)])
    owner = np.concatenate([np.full(len(known.cost), -1), whose[kept]])
    return map_._replace(places=places, knot=np.r_[map_.knot, np.full(len(kept), -1)]), both, owner


def _along(setting: WeightedSetting, map_: PlaceMap, known: Spread, more: BendPlaces) -> Offers:
    """The ways along straight pieces from places on them."""
    own = np.flatnonzero((map_.places.piece >= 0) & np.isfinite(known.cost))
    own = own[setting.borders.radius[map_.places.piece[own]] == 0.0]
    order = own[np.argsort(map_.places.piece[own], kind="stable")]
    piece = map_.places.piece[order]
    low, high = np.searchsorted(piece, more.piece, "left"), np.searchsorted(piece, more.piece, "right")
    target = np.repeat(np.arange(len(low)), high - low)
    number = np.arange(len(target)) - np.repeat(np.cumsum(high - low) - (high - low), high - low)
    source = order[low[target] + number]
    step = more.place[target] - map_.places.place[source]
    sides = [side[more.piece[target]] for side in (setting.borders.left, setting.borders.right)]
    prices = [setting.regions.gauges.straight_prices(side, *step.T) for side in sides]
    cost = known.cost[source] + np.minimum(*prices) + SLACK
    none = np.zeros(len(cost), np.intp)
    return Offers(source, target, cost, np.full(len(cost), ALONG), none)
