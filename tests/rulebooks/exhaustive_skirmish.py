"""skirmish a second time: slow, obvious, and without a line of the rulebook's code. Straight lines only.

What bars a line is asked of shapely; where a base comes free, or stops before a friend, is felt for in thousandths of
an inch and then halved. The figures are typed in once more.
"""

import math

from shapely import shortest_line
from shapely.geometry import LineString, Point, Polygon

INCHES = {"standing": 3, "crouching": 2, "prone": 1}
HALF = math.sqrt(0.5)
DIRECTIONS = [(1, 0), (HALF, HALF), (0, 1), (-HALF, HALF), (-1, 0), (-HALF, -HALF), (0, -1), (HALF, -HALF)]
RADIUS = 0.5
TOLERANCE = 1e-6
STEP = 1e-3


class World:
    """One small table: what stands on it, and what can be done on it."""

    def __init__(self, pieces, friends=(), enemies=(), directions=DIRECTIONS, half=6.0, radius=RADIUS):
        self.directions = directions
        self.half, self.radius, self.friends, self.enemies = half, radius, friends, enemies
        self.rough = [Polygon(points) for kind, _, points, _ in pieces if kind == "rough"]
        self.obstacles = {
            name: (Polygon(points) if kind == "block" else LineString(points), height)
            for kind, name, points, height in pieces
            if kind != "rough"
        }

    def is_legal(self, place):
        x, y = place
        room = self.half - self.radius + TOLERANCE
        spot = Point(place)
        return (
            abs(x) <= room
            and abs(y) <= room
            and all(spot.distance(solid) >= self.radius - TOLERANCE for solid, _ in self.obstacles.values())
            and all(math.dist(place, base) >= self.radius + RADIUS - TOLERANCE for base in self.friends + self.enemies)
        )

    def is_clear(self, start, end, but=()):
        line, room = LineString([start, end]), self.half - self.radius + TOLERANCE
        if start == end:
            line = Point(start)
        return (
            max(abs(end[0]), abs(end[1])) <= room
            and all(
                line.distance(solid) >= self.radius - TOLERANCE
                for name, (solid, _) in self.obstacles.items()
                if name not in but
            )
            and all(line.distance(Point(base)) >= self.radius + RADIUS - TOLERANCE for base in self.enemies)
        )

    def is_rough(self, start, end):
        return any(LineString([start, end]).intersection(area.buffer(-1e-7)).length > TOLERANCE for area in self.rough)

    def last_legal(self, start, unit, inches):
        """The last legal place of a line that is followed for so many inches."""
        if self.is_legal(along(start, unit, inches)):
            return along(start, unit, inches)
        low = inches
        while low > 0 and not self.is_legal(along(start, unit, low)):
            low -= STEP
        return along(start, unit, halved(lambda t: self.is_legal(along(start, unit, t)), max(low, 0), low + STEP))

    # --- spends: each gives the states that it can end in ---

    def spends(self, state):
        x, y, stance, ap, threshold, running = state
        place = x, y
        found = []
        if ap >= 1:
            for inches in {1, INCHES[stance]}:
                for unit in self.directions:
                    found += [("move", end) for end in self.move(place, unit, inches, state)]
            for other in INCHES:
                if other != stance:
                    found.append(("change_stance", (x, y, other, ap - 1, threshold, running)))
            for name in self.obstacles:
                found += [("traverse", end) for end in self.over(place, name, state)]
            for one in self.obstacles:
                for other in self.obstacles:
                    if one < other:
                        found += [("traverse", end) for end in self.through(place, one, other, state)]
        if ap >= 3 and stance == "standing":
            for inches in (5, 9):
                for unit in self.directions:
                    found += [("run", end) for end in self.run(place, unit, inches, state)]
        return found

    def move(self, place, unit, inches, state):
        end = along(place, unit, inches)
        _, _, stance, ap, threshold, running = state
        if not (self.is_clear(place, end) and self.is_legal(end)):
            return []
        ends = [(*end, stance, ap - 1, threshold, running)]
        kept = INCHES[stance] - 1
        if self.is_rough(place, end) and inches > kept:
            ends.append((*self.last_legal(place, unit, kept), stance, ap - 1, threshold, running))
            if threshold:
                ends.append((*end, stance, ap - 1, threshold - 1, running))
        return ends

    def run(self, place, unit, inches, state):
        end = along(place, unit, inches)
        _, _, stance, ap, threshold, _ = state
        if not (self.is_clear(place, end) and self.is_legal(end)):
            return []
        ends = [(*end, stance, ap - 3, threshold, True)]
        if self.is_rough(place, end):
            ends.append((*self.last_legal(place, unit, min(inches, 8)), stance, ap - 3, threshold, False))
        return ends

    def over(self, place, name, state):
        solid, height = self.obstacles[name]
        away = Point(place).distance(solid)
        if away - self.radius > 1 + TOLERANCE or height > 4:
            return []
        border = solid.exterior if solid.area else solid
        nearest = border.interpolate(border.project(Point(place))).coords[0]
        unit = (nearest[0] - place[0]) / away, (nearest[1] - place[1]) / away
        behind = self.freed([solid], nearest, unit)
        far = along(nearest, unit, behind)
        depth = LineString([place, far]).intersection(solid).length if solid.area else 0
        if depth > 3 + TOLERANCE or not self.is_clear(place, far, but=[name]) or not self.is_legal(far):
            return []
        return self.ends_of_traverse(place, unit, away - self.radius, far, state)

    def through(self, place, one, other, state):
        solids = [self.obstacles[one][0], self.obstacles[other][0]]
        width = solids[0].distance(solids[1])
        if not TOLERANCE < width < 2 * self.radius - TOLERANCE:
            return []
        throat = shortest(*solids)
        if throat.distance(Point(place)) - self.radius > 1 + TOLERANCE:
            return []
        (x1, y1), (x2, y2) = throat.coords
        middle = (x1 + x2) / 2, (y1 + y2) / 2
        unit = (y1 - y2) / width, (x2 - x1) / width
        if unit[0] * (middle[0] - place[0]) + unit[1] * (middle[1] - place[1]) < 0:
            unit = -unit[0], -unit[1]
        far = along(middle, unit, self.freed(solids, middle, unit))
        back = -unit[0], -unit[1]
        near = along(middle, back, self.freed(solids, middle, back))
        is_clear = self.is_clear(place, near, but=[one, other]) and self.is_clear(near, far, but=[one, other])
        if not is_clear or not self.is_legal(far):
            return []
        inches = math.dist(place, near)
        to_near = ((near[0] - place[0]) / inches, (near[1] - place[1]) / inches) if inches else (1, 0)
        return self.ends_of_traverse(place, to_near, inches, far, state)

    def ends_of_traverse(self, place, unit, inches, far, state):
        _, _, stance, ap, threshold, running = state
        near = self.last_legal(place, unit, max(inches, 0))
        ends = [(*far, stance, ap - 1, threshold, running), (*near, stance, ap - 1, threshold, running)]
        if threshold:
            ends.append((*far, stance, ap - 1, threshold - 1, running))
        return ends

    def freed(self, solids, start, unit):
        """How far along a ray from its start the base overlaps none of some obstacles any more."""

        def is_free(inches):
            return all(Point(along(start, unit, inches)).distance(solid) >= self.radius for solid in solids)

        inches = 0.0
        while not is_free(inches):
            inches += STEP
        return halved(is_free, inches, max(inches - STEP, 0))


def shortest(one, other):
    """The shortest segment between two things, between corners of both where there are such."""
    pairs = [(a, b) for a in corners(one) for b in corners(other)]
    between = min(pairs, key=lambda pair: math.dist(*pair))
    return LineString(between) if math.dist(*between) <= one.distance(other) + TOLERANCE else shortest_line(one, other)


def corners(solid):
    return list(solid.exterior.coords if solid.area else solid.coords)


def along(start, unit, inches):
    return start[0] + inches * unit[0], start[1] + inches * unit[1]


def halved(holds, yes, no):
    """Where something begins to hold, between a place where it does and one where it does not."""
    for _ in range(40):
        middle = (yes + no) / 2
        yes, no = (middle, no) if holds(middle) else (yes, middle)
    return yes


def rounded(state):
    """A state without the noise of the last digits."""
    x, y, *rest = state
    return (round(x, 3) + 0.0, round(y, 3) + 0.0, *rest)


def played(world, start, depth):
    """For each number of spends the distinct states after them, by the kind of the last."""
    layer, found = {rounded(start): start}, {}
    for spends in range(1, depth + 1):
        ends, found[spends] = {}, {}
        for state in layer.values():
            for kind, end in world.spends(state):
                found[spends].setdefault(kind, set()).add(rounded(end))
                ends.setdefault(rounded(end), end)
        layer = ends
    return found


def counts_of(ends):
    """How many distinct states there are after so many spends, altogether and by the kind of the last."""
    return {
        spends: {"all": len(set().union(*kinds.values()))} | {kind: len(kinds[kind]) for kind in sorted(kinds)}
        for spends, kinds in ends.items()
    }
