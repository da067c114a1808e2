"""Tables with elevated terrain, and units on and beside it."""

from simulator.engine.game import Game
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.table import InchTable
from simulator.rulesets.mecha import RULESET


def block(name, middle, size, height=0, **more):
    """A block of elevated terrain."""
    return Piece(name, more.pop("kind", "building"), rectangle(middle, size), "elevated", height=height, **more)


#: Eight inches by eight in the middle of the table, four inches high: size class 2.
KEEP = block("keep", (24, 24), (8, 8), 4)


def game(*units, pieces=(KEEP,), ground="flat_ground", tables=None, **options):
    """A game on a table of 48 by 48 inches."""
    table = InchTable("Heights", 48, 48, pieces=list(pieces), ground=ground)
    return Game.new(RULESET, table, list(units), options=options, tables=tables)


def unit(place=(24, 24), heading=0, name="A1", kind="mecha", side="red", **fields):
    """A unit, on the ground unless `level` says otherwise."""
    return RULESET.make_unit(name, kind, side, place, heading, **({"size_class": 2, "move": 6} | fields))


def cited(breaches):
    """The clauses of breaches."""
    return [breach.clause for breach in breaches]


def where(played, name="A1"):
    """The place and the level of a unit."""
    one = played.table.unit(name)
    return tuple(round(number, 5) for number in one.place), one["level"]


def told(happened):
    """The kinds of the events of an order, without those of the clock."""
    clock = ("go begins", "go ends", "phase over", "turn over", "phase", "turn", "over")
    return [event.kind for event in happened.events if event.kind not in clock]


def detail_of(happened, kind):
    """What an event of a kind says."""
    return dict(next(event for event in happened.events if event.kind == kind).detail)
