"""What a move has followed: the flags and the chance of its links, and spaces in which levels tell those apart.

A link may have a chance, such as a climb that takes a roll, and flags: "door", "jump". What a move has followed is its
record. A space with a level for each level and each record is searched like any other, so the cheapest way is known by
record: with a flag or without it, and for each chance.

>>> from simulator.pathing.posed.links import PoseLink
>>> climb = PoseLink("climb", 0, 1, Fraction(2), ((0.0, 0.0), (0.0, 2.0)), Fraction(5, 6), frozenset({"climb"}))
>>> once = Record().after(climb)
>>> sorted(once.flags), str(once.chance), str(once.after(climb).chance)
(['climb'], '5/6', '25/36')
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import NamedTuple

from simulator.pathing.posed.edges import Link
from simulator.pathing.posed.moves import Follow, Move
from simulator.pathing.posed.space import PoseSpace, TableLevel

#: No space is told apart by more records.
MOST_RECORDS = 64


class Record(NamedTuple):
    """What a move has followed by some moment."""

    flags: frozenset[str] = frozenset()
    chances: tuple[Fraction, ...] = ()  #: of the links that may fail, ascending

    @property
    def chance(self) -> Fraction:
        """The chance that all of them succeed."""
        return math.prod(self.chances, start=Fraction(1))

    def after(self, link: Link) -> Record:
        """Return the record when a link has been followed, too."""
        chances = self.chances if link.chance == 1 else tuple(sorted((*self.chances, link.chance)))
        return Record(self.flags | link.flags, chances)

    def has(self, flags: Collection[str], without: Collection[str], chance: Fraction) -> bool:
        """Whether it has all of some flags, none of some others, and a chance as good as that."""
        return self.flags.issuperset(flags) and self.flags.isdisjoint(without) and self.chance >= chance


def record_of(moves: Iterable[Move]) -> Record:
    """Return the record of a written move."""
    record = Record()
    for move in moves:
        if isinstance(move, Follow):
            record = record.after(move.link)
    return record


@dataclass(frozen=True, eq=False)
class SpaceOfRecords(PoseSpace):
    """A space in which each level stands once for each record; made by `recorded`."""

    floors: int = 1  #: how many levels there are without records
    records: tuple[Record, ...] = ()

    def floor_of(self, level: int) -> int:
        """Return the level of the table that a level is a copy of."""
        return level % self.floors

    @property
    def links_followed(self) -> dict[Link, Link]:
        """The links of the table, by those that stand for them."""
        return {
            link: replace(link, origin=self.floor_of(link.origin), target=self.floor_of(link.target))
            for link in self.links
        }


def recorded(space: PoseSpace) -> SpaceOfRecords:
    """Return a space with a level for each level of another one and each record that moves may have there.

    A link that may fail leads from one place to one: who follows it twice might have gone on the first time, so no
    record has more of one chance than there are links of it.
    """
    records, floors = _records(space), space.level_count
    number = {record: first for first, record in enumerate(records)}
    levels = (TableLevel(space.ground, space.bars, space.no_end, space.box), *space.above)
    links = tuple(
        replace(
            link,
            origin=number[record] * floors + link.origin,
            target=number[record.after(link)] * floors + link.target,
        )
        for record in records
        for link in space.links
        if record.after(link) in number
    )
    same = {one.name: getattr(space, one.name) for one in fields(PoseSpace)}
    same |= {"above": (levels * len(records))[1:], "links": links}
    return SpaceOfRecords(**same, floors=floors, records=records)


def _records(space: PoseSpace) -> tuple[Record, ...]:
    """All records that moves may have, the empty one first."""
    most = Counter(link.chance for link in space.links)
    records = [Record()]
    for record in records:
        after = (record.after(link) for link in space.links)
        for one in after:
            if one not in records and all(count <= most[chance] for chance, count in Counter(one.chances).items()):
                records.append(one)
        if len(records) > MOST_RECORDS:
            raise ValueError(f"links with more than {MOST_RECORDS} records, by flags and chances, are not told apart")
    return tuple(records)
