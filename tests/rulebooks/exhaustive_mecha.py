"""mecha a second time: slow, obvious, and without a line of the rulebook's code; its figures typed in again.

A move is tried element by element. Legs and the turns between them are summed up first, as they are charged (ME-17,
ME-29); then each begun half inch is charged at the dearest ground that shapely finds under the base on it.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from shapely.geometry import LineString, Point, Polygon, box
from shapely.ops import unary_union

CLOSE = 1e-6
CANT = None
#: What an inch costs whom on which ground.
RATES = {
    "walker": {"flat_ground": 1, "difficult": 2, "very_difficult": 4, "rough": 1, "shallow_water": 4},
    "four_legged_walker": {"flat_ground": 1, "difficult": 1, "very_difficult": 2, "rough": 1, "shallow_water": 4},
    "track": {"flat_ground": 1, "difficult": 2, "very_difficult": CANT, "rough": 1, "shallow_water": 4},
    "wheel": {"flat_ground": 1, "difficult": 4, "very_difficult": CANT, "rough": 2, "shallow_water": 4},
    "infantry": {"flat_ground": 1, "difficult": 2, "very_difficult": 4, "rough": 1, "shallow_water": 4},
    "hover": {"flat_ground": 1, "difficult": 2, "very_difficult": CANT, "rough": 1, "shallow_water": 1},
}
FREE = {"walker": 90, "four_legged_walker": 45}
LEGS = {"forward": (0, 1), "backward": (180, 2), "sideways_left": (90, 2), "sideways_right": (-90, 2)}
WALKS = ("walker", "four_legged_walker")
#: By how many Moves each action is paid, and what it has to spend more of.
BUDGETS = {"standard": 1, "run": 2, "break_away": 1, "manoeuvre": Fraction(1, 2), "charge": 2}
MORE = ("run", "charge")


@dataclass(frozen=True)
class World:
    """One small table, the unit that moves on it, and its action."""

    mobility: str
    action: str
    move: int
    half: float = 8
    base: float = 0.5
    size: int = 2
    pieces: tuple = ()  # (kind, name, corners)
    others: tuple = ()  # (name, side, place, radius, size class, mobility)
    target: str = ""
    foot: bool = False  # a stand of infantry, which turns like one

    def end_of(self, elements):
        """Where some elements lead and what they cost, or None; and whether a longer move may begin like them."""
        x, y, heading = 0.0, 0.0, 0.0
        paid, free_used = Fraction(0), Fraction(0)
        leg, spot, spot_free = None, Fraction(0), Fraction(0)

        def close_leg():
            return self.price_of_leg(*leg) if leg else Fraction(0)

        for element in elements:
            name, amount, free = element
            if name in LEGS:
                if name.startswith("sideways") and self.mobility not in WALKS:
                    return None, False
                if leg is None or spot or name != leg[0]:
                    paid += close_leg() + self.price_of_turn((x, y), spot, spot_free)
                    free_used += used_freely(spot, spot_free)
                    leg = (name, (x, y), heading, Fraction(0))
                spot, spot_free = Fraction(0), Fraction(0)
                aside, _ = LEGS[name]
                course = math.radians(heading + aside)
                there = x + float(amount) * math.cos(course), y + float(amount) * math.sin(course)
                if self.bars_leg((x, y), there):
                    return None, False
                (x, y), leg = there, (leg[0], leg[1], leg[2], leg[3] + Fraction(amount))
            else:
                sense = 1 if name == "turn_left" else -1
                spot, spot_free = spot + sense * Fraction(amount), spot_free + sense * Fraction(free)
                heading += sense * float(amount)
                # One pivot: what is left of it is lost.
                if used_freely(spot, spot_free) > (0 if free_used else FREE.get(self.mobility, 0)):
                    return None, False
        paid += close_leg() + self.price_of_turn((x, y), spot, spot_free)
        whole = Fraction(BUDGETS[self.action]) * self.move
        if paid > whole:
            return None, False
        if self.bars_end((x, y)) or (self.action in MORE and paid <= self.move):
            return None, True
        return ((round(x, 3) + 0.0, round(y, 3) + 0.0), round(heading, 3) % 360, float(paid)), True

    # --- prices ---

    def price_of_turn(self, place, net, free):
        step = Fraction(45) if self.foot else Fraction(45, 2)
        left = net_angle(net) - used_freely(net, free)
        rate = self.rate_under(Point(place).buffer(self.base, quad_segs=256))
        return rate * Fraction(1, 2) * math.ceil(left / step)

    def price_of_leg(self, name, place, heading, inches):
        aside, factor = LEGS[name]
        course, paid, gone = math.radians(heading + aside), Fraction(0), Fraction(0)
        ahead = math.cos(course), math.sin(course)
        while gone < inches - Fraction(1, 10**9):
            until = min(gone + Fraction(1, 2), inches)
            ends = [(place[0] + float(at) * ahead[0], place[1] + float(at) * ahead[1]) for at in (gone, until)]
            paid += self.rate_under(LineString(ends).buffer(self.base, quad_segs=256)) * factor / 2
            gone = until
        return paid

    def rate_under(self, swept):
        column = RATES[self.mobility]
        inner = swept.buffer(-1e-4)
        known = [(kind, Polygon(corners)) for kind, _, corners in self.pieces if kind in column]
        rates = [column[kind] for kind, area in known if inner.intersects(area)]
        return Fraction(max([*rates, column["flat_ground"]]))

    # --- what is in the way ---

    def closed(self):
        column = RATES[self.mobility]
        shut = [
            Polygon(corners) for kind, _, corners in self.pieces if kind == "building" or column.get(kind, 1) is CANT
        ]
        return unary_union(shut)

    def passable(self, other):
        _, side, _, _, size, mobility = other
        return side == "red" and abs(size - self.size) >= 3 and mobility in ("walker", "four_legged_walker", "hover")

    def bars_leg(self, here, there):
        line = LineString([here, there])
        room = self.half - self.base + CLOSE
        if not box(-room, -room, room, room).contains(line):
            return True
        if line.distance(self.closed()) < self.base - CLOSE:
            return True
        return any(
            line.distance(Point(other[2])) < self.base + other[3] - 0.01 - CLOSE
            for other in self.others
            if not self.passable(other)
        )

    def gap(self, place, other):
        return math.dist(place, other[2]) - self.base - other[3]

    def touches(self, place, other):
        return abs(self.gap(place, other)) <= 0.01 + CLOSE

    def bars_end(self, place):
        if any(self.gap(place, other) < -0.01 - CLOSE for other in self.others):
            return True
        if self.action == "charge":
            return not any(self.touches(place, other) for other in self.others if other[0] == self.target)
        if self.action == "manoeuvre":
            before = [other for other in self.others if other[1] == "blue" and self.touches((0, 0), other)]
            return not all(self.touches(place, other) for other in before)
        return False


def net_angle(turned):
    """The angle between two headings, from 0 to 180."""
    return abs((turned + 180) % 360 - 180) if abs(turned) != 180 else Fraction(180)


def used_freely(turned, free):
    """What turns on one spot use of the free turn: what was turned as free, net, if no more is net (ME-29)."""
    return min(abs(free), net_angle(turned))


def played(world, alphabet, depth):
    """For each number of elements the distinct ends of moves of so many, by the kind of the last."""
    layer, found = [()], {}
    for number in range(1, depth + 1):
        longer, found[number] = [], {}
        for elements in layer:
            for element in alphabet:
                end, goes_on = world.end_of((*elements, element))
                if goes_on:
                    longer.append((*elements, element))
                if end is not None:
                    found[number].setdefault(element[0], set()).add(end)
        layer = longer
    return found
