"""Tolls on the spot: what bases stand on, what they meet where links end, and when they turn, unless they are round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Base, Round
from simulator.geometry.path_judge import Stretches
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.posed.rays import legs_between
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.toll_table import TollBits, TollTable, bits_of, no_tolls


def tolls_at_starts(space: PoseSpace) -> TollBits:
    """Return what moves have made of tolls that begin at the starts of a space: what stands under them is touched."""
    soon = [start.tolls for start in space.starts]
    gone = np.array([bits_of(one.gone) for one in soon], np.intp)
    touched = np.array([bits_of(one.touched) for one in soon], np.intp)
    if space.tolls:
        places = np.array([start.place for start in space.starts], np.float64).reshape(-1, 2)
        headings = np.array([float(start.heading) for start in space.starts])
        levels = np.array([start.level for start in space.starts], np.intp)
        for level in np.unique(levels).tolist():
            row = np.flatnonzero(levels == level)
            touched[row] |= under_bases(space.on(level), places[row], headings[row])
    ahead = np.array([one.ahead for one in soon], np.float64).reshape(-1, 2)
    spent_over = np.array([float(one.spent_over) for one in soon])
    return TollBits(gone, touched & ~gone, ahead, spent_over)


def under_bases(space: PoseSpace, places: FloatArray, headings: FloatArray) -> IntArray:
    """Return the bits of all tolls that bases on a level stand on."""
    found = np.zeros(len(places), np.intp)
    if not space.tolls:
        return found
    stands = legs_between(places, places, np.mod(headings, 360.0))
    row, toll = space.toll_table.under(stands, space.base)
    np.bitwise_or.at(found, row, np.left_shift(1, toll))
    return found


class TollsMet(NamedTuple):
    """What turns, or links, make of tolls."""

    price: FloatArray  #: of what they knock down; inf where a toll bars them
    tolls: TollBits


def met_by_links(
    there: PoseSpace, places: FloatArray, headings: FloatArray, before: TollBits, *, straight: bool
) -> TollsMet:
    """Find what movers meet where links lead to poses on a level, perhaps `straight` up or down from one beside it.

    What they stand on straight below or above, and have not paid for yet, is there as well.
    """
    none = no_tolls(len(places))
    if not there.tolls:
        return TollsMet(np.zeros(len(places)), none._replace(gone=before.gone))
    kept = before.touched & (there.toll_table.bits_here if straight else 0)
    met = under_bases(there, places, headings) & ~((before.gone & ~there.toll_table.staying) | kept)
    price = there.toll_table.prices_at_links(met)
    return TollsMet(price, none._replace(gone=before.gone | met, touched=kept))


def met_by_turns(
    space: PoseSpace, places: FloatArray, headings: FloatArray, angles: FloatArray, before: TollBits
) -> TollsMet:
    """Find what turns on the spot meet, by angles of any size in degrees from headings."""
    price = np.zeros(len(angles))
    if not space.tolls or isinstance(space.base, Round):
        return TollsMet(price, before)
    table, swept = space.toll_table, np.flatnonzero(angles)
    over = _over(table.by_rows(swept), space.base, places[swept], headings[swept], angles[swept])
    row, toll = swept[over.path], over.which
    passed = table.has(before.gone[row], toll)
    again = passed & table.stay(row, toll) & (over.begin > TOUCH)
    price[row[again]] = np.inf
    left = np.flatnonzero(~passed)
    row, toll, begin, end = row[left], toll[left], over.begin[left], over.end[left]
    _, first, number = np.unique(row * table.count + toll, return_index=True, return_counts=True)
    row, toll, begin, end = row[first], toll[first], begin[first], end[first]
    run, touched = table.runs_over(row, toll), table.has(before.touched[row], toll)
    down = ~run & ~touched
    np.add.at(price, row[down], _prices(table, row[down], toll[down]))
    # What is to be run over may be met by a turn if the base keeps touch with it from there to the end of the turn.
    kept = (number == 1) & (end >= 1.0 - TOUCH) & (~touched | (begin <= TOUCH))
    price[row[run & ~kept]] = np.inf
    bits = np.left_shift(1, toll)
    gone, also, held = before.gone.copy(), before.touched.copy(), np.zeros_like(before.touched)
    np.bitwise_or.at(gone, row[down], bits[down])
    np.bitwise_or.at(also, row[run], bits[run])
    np.bitwise_or.at(held, row[run], bits[run])
    lost = before.touched & table.run_over & ~held
    price[swept[lost[swept] != 0]] = np.inf
    return TollsMet(price, TollBits(gone, also, before.ahead, before.spent_over))


def spent_by_turns(space: PoseSpace, places: FloatArray, price: FloatArray, tolls: TollBits) -> TollBits:
    """Add what turns cost to what is spent over things with a least price that they are made strictly inside."""
    table = space.toll_table
    if not len(table.with_least):
        return tolls
    row, toll = table.with_least_under(legs_between(places, places, np.zeros(len(places))))
    row = row[~table.has(tolls.gone[row], toll)]
    spent_over = tolls.spent_over.copy()
    spent_over[row] += price[row]
    return tolls._replace(spent_over=spent_over)


def _over(table: TollTable, base: Base, places: FloatArray, headings: FloatArray, angles: FloatArray) -> Stretches:
    """The shares of turns in which bases are over tolls."""
    none, rows, zeros = np.zeros(len(angles)), np.arange(len(angles)), np.zeros_like(places)
    ways = Paths(rows, places, places, zeros, none, none, none, np.mod(headings, 360.0), angles, len(angles))
    return table.overlaps_along(ways, base)


def _prices(table: TollTable, row: IntArray, toll: IntArray) -> FloatArray:
    return table.prices(row, toll, np.zeros((len(toll), table.ground.standing.count), np.bool_))


@dataclass(frozen=True, eq=False)
class LastTurnTolls:
    """What many movers meet that turn on the spot at the end of their moves, whichever angle they turn by."""

    right: FloatArray  #: the degrees that a mover may turn before something bars that as the end of its move
    left: FloatArray
    row: IntArray  #: of each thing that a mover knocks down
    sense: FloatArray  #: 1 left, -1 right
    after: FloatArray  #: the degrees it has turned by then
    price: FloatArray
    bit: IntArray  #: of the thing

    @classmethod
    def of(cls, space: PoseSpace, places: FloatArray, headings: FloatArray, before: TollBits) -> LastTurnTolls:
        """Find what they meet by half turns in either sense."""
        most, none = [], np.zeros(0)
        parts = [(np.zeros(0, np.intp), none, none, none, np.zeros(0, np.intp))]
        for sense in (-1.0, 1.0):
            limit = np.full(len(places), np.inf)
            most.append(limit)
            if not space.tolls or isinstance(space.base, Round) or not len(places):
                continue
            table = space.toll_table
            over = _over(table, space.base, places, headings, np.full(len(places), 180.0 * sense))
            _, first = np.unique(over.path * table.count + over.which, return_index=True)
            row, toll, share = over.path[first], over.which[first], over.begin[first]
            left = np.flatnonzero(~table.has(before.gone[row] | before.touched[row], toll))
            row, toll, share = row[left], toll[left], share[left]
            run = table.runs_over(row, toll)
            np.minimum.at(limit, row[run], 180.0 * share[run])
            after = 180.0 * share[~run]
            bit = np.left_shift(1, toll[~run])
            parts.append((row[~run], np.full(len(after), sense), after, _prices(table, row[~run], toll[~run]), bit))
        return cls(*most, *(np.concatenate(column) for column in zip(*parts, strict=True)))

    def prices(self, angles: FloatArray) -> FloatArray:
        """Compute what turns cost in tolls, an array [turn, mover] of angles in degrees, left positive."""
        found = np.where((angles > self.left) | (angles < -self.right), np.inf, 0.0)
        if len(self.row):
            np.add.at(found.T, self.row, (self._met(angles) * self.price).T)
        return np.asarray(found)

    def gone(self, angles: FloatArray) -> IntArray:
        """Return the bits of what such turns knock down."""
        found = np.zeros(angles.shape, np.intp)
        if len(self.row):
            np.bitwise_or.at(found.T, self.row, (self._met(angles) * self.bit).T)
        return found

    def _met(self, angles: FloatArray) -> BoolArray:
        """Which things turns meet, an array [turn, thing]."""
        return np.asarray(angles[:, self.row] * self.sense > self.after)
