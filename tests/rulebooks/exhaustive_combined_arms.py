"""combined_arms a second time: slow, obvious, and without a line of the rulebook's code; its figures typed in again.

A move is tried element by element. What an inch costs is asked piece by piece of a leg, between the places where it
crosses a border, on both sides of it; what bars it is asked of shapely.
"""

import math
from dataclasses import dataclass, replace
from itertools import pairwise

from shapely import affinity
from shapely.geometry import LineString, Point, Polygon, box
from shapely.ops import unary_union

CLOSE = 1e-6
X = None
FOOT, FLOAT = (1, 1 / 2, 1 / 2, X, 1 / 2, 2, 2, 1 / 2, X, 1 / 2, X, 2), (1, 1, 1, 1, 1, 1, 1, 1 / 2, X, 1, X, 1)
ROWS = ("firm_ground", "soft_ground", "uphill", "river", "ford", "road", "bridge", "vegetation", "dense_vegetation")
ROWS += ("low_obstacle", "high_wall", "building")
#: The columns of the matrix, row by row.
MATRIX = {
    "on_foot": dict(zip(ROWS, FOOT, strict=True)),
    "tracked": dict(zip(ROWS, FOOT, strict=True)),
    "wheeled": dict(zip(ROWS, FOOT, strict=True)),
    "grav": dict(zip(ROWS, FLOAT, strict=True)),
    "gravpack": dict(zip(ROWS, FLOAT, strict=True)),
    "thruster": dict(zip(ROWS, FLOAT, strict=True)) | {"high_wall": 1},
}
RATES = {"on_foot": 6, "gravpack": 12}
LIMITS = {"on_foot": 0, "tracked": 0, "wheeled": 0, "grav": 4, "gravpack": 2, "thruster": math.inf}
HEIGHTS = {"vegetation": 3, "dense_vegetation": 5, "low_obstacle": 1.5, "high_wall": 6, "building": 6}
REPLACING, GROUND = ("road", "bridge", "ford", "building"), ("soft_ground", "river")
OBSTACLES = ("low_obstacle", "high_wall")
INFANTRY = ("on_foot", "gravpack")
POPS_UP = ("grav", "gravpack")
SIDE_STEPS = ("on_foot", "grav", "gravpack", "thruster")
BRACKETS = ((45, 1 / 6), (90, 1 / 3), (135, 2 / 3), (180, 5 / 6))
ASIDE = {"forward": 0, "reverse": 180, "sideways_left": 90, "sideways_right": -90}


@dataclass(frozen=True)
class State:
    """A piece in the middle of its move."""

    x: float
    y: float
    heading: float
    altitude: float = 0
    floor: int = 0
    travel: float = 0
    rotation: float = 0
    gone: frozenset = frozenset()
    on_table: bool = True
    aboard: str = ""
    left_board: bool = False
    fired: bool = False
    busy: int = 0
    #: Sense, angle and price of the rotations that belong together, and the inches since.
    group: tuple = (0, 0, 0, 0)
    #: The enemies that it has begun to run over, and the direction of its last leg.
    under: frozenset = frozenset()
    course: float | None = None
    fired_aloft: bool = False
    done: bool = False


@dataclass(frozen=True)
class World:
    """One small table, and the piece that moves on it."""

    mobility: str
    half: float = 8
    pieces: tuple = ()  # (kind, name, polygon as corners, what else is known)
    others: tuple = ()  # (name, side, place, radius, altitude, what else is known)
    over: tuple = ()
    base: object = 0.0
    rate: float = 0
    damage: int = 0
    size: int = 1
    side: str = "red"
    doors: tuple = ()  # of the transport beside or around it, where they are on the table
    stairs: tuple = ()  # (name, from, to, floor, floor there, price)
    edge: tuple = ()  # the stretch of the edge over which it comes on
    lander: bool = False

    # --- what it may spend ---

    @property
    def whole(self):
        return RATES.get(self.mobility, self.rate)

    @property
    def allowance(self):
        return self.whole * (3 - self.damage) / 3

    def spent(self, state):
        return state.travel + state.rotation

    def left_for(self, state):
        return self.allowance * (3 - state.busy) / 3

    # --- ground ---

    def areas(self, floor):
        for kind, name, corners, known in self.pieces:
            if corners and (not floor or kind == "building"):
                yield kind, name, Polygon(corners), known

    def multiplier(self, place, direction, altitude, floor=0):
        """The multiplier at a place; None: closed."""
        column, there = MATRIX[self.mobility], []
        for kind, _, area, known in self.areas(floor):
            ignored = altitude > 0 and altitude >= known.get("height", HEIGHTS.get(kind, 0))
            if area.contains(Point(place)) and not ignored:
                there.append((kind, known))
        kinds = [kind for kind, _ in there]
        tops = [kind for kind in kinds if kind in REPLACING]
        found = []
        if tops:
            found.append(column[tops[-1]])
        else:
            found.append(min((column[kind] or 0 for kind in kinds if kind in GROUND), default=column["firm_ground"]))
            found += [column[kind] for kind in kinds if kind in ("vegetation", "dense_vegetation")]
        slopes = [known["uphill"] for kind, known in there if kind == "slope"]
        if slopes and (not tops or tops[-1] != "building"):
            climbs = any(math.cos(math.radians(direction - up)) > 1e-9 for up in slopes)
            found.append(column["uphill"] if climbs else 1)
        found += [column[kind] for kind in kinds if kind in OBSTACLES]
        return None if not all(found) else math.prod(found)

    def closed(self, altitude, floor):
        """The ground that it may not enter, as one."""
        shut, replacing = [], unary_union([area for kind, _, area, _ in self.areas(floor) if kind in REPLACING])
        for kind, _, area, known in self.areas(floor):
            ignored = altitude > 0 and altitude >= known.get("height", HEIGHTS.get(kind, 0))
            is_shut = MATRIX[self.mobility].get(kind, 1) is None
            is_shut = is_shut or (kind == "building" and self.mobility not in INFANTRY)
            if is_shut and not ignored:
                shut.append(area if kind in (*OBSTACLES, "building") else area.difference(replacing))
        if floor:
            (hall,) = [area for kind, _, area, _ in self.areas(floor) if kind == "building"]
            shut.append(box(-99, -99, 99, 99).difference(hall))
        return unary_union(shut)

    def placed(self, place, heading):
        """The ground under its base."""
        if isinstance(self.base, float):
            return Point(place)
        return affinity.translate(affinity.rotate(Polygon(self.base), heading, origin=(0, 0)), *place)

    @property
    def radius(self):
        return self.base if isinstance(self.base, float) else 0.0

    def hits(self, swept, state):
        """Whether what is swept meets closed ground, an enemy who is not overrun, or a tree that it goes round."""
        shut = self.closed(state.altitude, state.floor)
        if not shut.is_empty:
            inner = shut.buffer(-CLOSE)
            if swept.intersects(inner) if not self.radius else swept.distance(shut) < self.radius - CLOSE:
                return True
        for name, side, place, radius, altitude, _ in self.others:
            near = abs(altitude - state.altitude) < 1 and name not in state.gone and not state.floor
            gives_way = name in self.over and not state.altitude
            touches = swept.distance(Point(place)) < self.radius + radius - CLOSE
            if near and side != self.side and not gives_way and touches:
                return True
        if self.fells:
            return False
        trees = [Point(place) for kind, _, _, known in self.pieces if kind == "tree" for place in [known["at"]]]
        if not isinstance(self.base, float):
            return any(swept.buffer(-CLOSE).contains(tree) for tree in trees)
        return any(swept.distance(tree) < self.radius - CLOSE for tree in trees)

    @property
    def fells(self):
        return self.mobility not in INFANTRY and self.size >= 4

    # --- legs ---

    def leg(self, state, way, inches):
        factor = 1 if way == "forward" else 2
        if way.startswith("sideways") and self.mobility not in SIDE_STEPS:
            return None
        course = (state.heading + ASIDE[way]) % 360
        start = state.x, state.y
        end = along(start, course, inches)
        if max(map(abs, end)) > self.half + CLOSE:
            return None
        line = LineString([start, end])
        swept = line
        if not isinstance(self.base, float):
            swept = unary_union([self.placed(start, state.heading), self.placed(end, state.heading)]).convex_hull
        if self.hits(swept, state):
            return None
        after = self.run_over(state, line, course)
        if after is None:
            return None
        price = self.price(state, line, course)
        trees = self.trees_met(state, line)
        if price is None:
            return None
        for name, place, cost in trees:
            price += cost / self.multiplier_without_cover(place, course) / factor
            after = replace(after, gone=after.gone | {name})
        sense, swept_angle, paid, since = state.group
        return replace(
            after,
            x=end[0],
            y=end[1],
            travel=state.travel + price * factor,
            group=(sense, swept_angle, paid, since + inches),
            course=course,
        )

    def price(self, state, line, course):
        """What a leg costs forward, piece by piece."""
        cuts = {0.0, line.length}
        for _, _, area, _ in self.areas(state.floor):
            crossed = line.intersection(area.exterior)
            parts = getattr(crossed, "geoms", [crossed])
            cuts |= {line.project(Point(place)) for part in parts for place in part.coords}
        targets = [
            one for one in self.others if one[0] in self.over and one[0] not in state.gone and not state.altitude
        ]
        for _, _, place, radius, _, _ in targets:
            cuts |= {at for at in chord(line, place, radius) if 0 < at < line.length}
        total, ordered = 0.0, sorted(cuts)
        for near, far in pairwise(ordered):
            if far - near < 1e-9:
                continue
            middle = line.interpolate((near + far) / 2).coords[0]
            sides = [along(middle, course + aside, 1e-5) for aside in (90, -90)]
            rates = [self.multiplier(side, course, state.altitude, state.floor) for side in sides]
            best = max((rate for rate in rates if rate), default=None)
            if best is None:
                return None
            times = 3 if any(math.dist(middle, place) < radius for _, _, place, radius, _, _ in targets) else 1
            total += times * (far - near) / best
        return total

    def trees_met(self, state, line):
        if not self.fells or state.altitude:
            return []
        trees = [(name, known["at"], known.get("cost", 1)) for kind, name, _, known in self.pieces if kind == "tree"]
        met = [tree for tree in trees if line.distance(Point(tree[1])) < self.radius - CLOSE]
        return [tree for tree in met if tree[0] not in state.gone]

    def multiplier_without_cover(self, place, course):
        bare = replace(self, pieces=tuple(piece for piece in self.pieces if piece[0] != "vegetation"))
        return bare.multiplier(place, course, 0)

    def run_over(self, state, line, course):
        """What becomes of the enemies that it means to overrun; None: it only grazes one."""
        for name, _, place, radius, _, _ in self.others:
            if name not in self.over or name in state.gone or state.altitude:
                continue
            reaches = self.radius + radius
            if name not in state.under and line.distance(Point(place)) >= reaches - CLOSE:
                continue
            span = chord(line, place, radius)
            was_on = math.dist(line.coords[0], place) < radius - 1e-9
            turned_back = was_on and state.course is not None and math.cos(math.radians(course - state.course)) < -1e-9
            if span and 1e-9 < span[1] <= line.length + 1e-9 and not turned_back:
                state = replace(state, gone=state.gone | {name}, under=state.under - {name})
            elif math.dist(line.coords[1], place) < reaches - CLOSE:
                state = replace(state, under=state.under | {name})
            else:
                return None
        return state

    # --- rotations and the rest ---

    def turn(self, state, sense, angle):
        if angle > 180:
            return None
        if not isinstance(self.base, float):
            for degrees in range(round(angle) + 1):
                here = self.placed((state.x, state.y), state.heading + sense * min(degrees, angle))
                if self.hits(here, state):
                    return None
        was, swept, paid, since = state.group
        price = self.turn_price(angle)
        if was == sense and since < 1 - 1e-9:
            price = max(price, self.turn_price(swept + angle) - paid)
            group = sense, swept + angle, paid + price, 0
        else:
            group = sense, angle, price, 0
        return replace(
            state, heading=(state.heading + sense * angle) % 360, rotation=state.rotation + price, group=group
        )

    def turn_price(self, angle):
        if angle > 180:
            return self.turn_price(180) + self.turn_price(angle - 180)
        if self.mobility in INFANTRY:
            return math.floor(self.allowance / 6 + 0.5)
        share = next(share for limit, share in BRACKETS if angle <= limit)
        return math.floor(share * self.allowance + 0.5)

    def climb(self, state, inches):
        altitude = state.altitude + inches
        if altitude < 0 or altitude > max(LIMITS[self.mobility], state.altitude):
            return None
        if inches < 0 and state.fired_aloft and self.mobility not in POPS_UP:
            return None
        after = replace(state, altitude=altitude, travel=state.travel + abs(inches))
        return None if self.hits(self.placed((state.x, state.y), state.heading), after) else after

    def fire(self, state):
        return None if state.fired else replace(state, fired=True, fired_aloft=state.altitude > 0)

    def load(self, state):
        clock = math.ceil(3 * self.spent(state) / self.allowance - 1e-6)
        away = min(math.dist((state.x, state.y), door) for door in self.doors) - self.radius
        if clock > 2 or away > 1 + CLOSE or not self.may_stand(state):
            return None
        return replace(state, aboard="C", on_table=False, busy=clock + 1, done=True)

    def unload(self, state, place, heading):
        there = replace(state, x=place[0], y=place[1], heading=heading, on_table=True, aboard="", busy=1)
        away = min(math.dist(place, door) for door in self.doors) - self.radius
        return there if away <= 1 + CLOSE and self.may_stand(there) else None

    def enter(self, state, place, heading, altitude):
        (x1, y1), (x2, y2) = self.edge
        if LineString([(x1, y1), (x2, y2)]).distance(Point(place)) > CLOSE or altitude > LIMITS[self.mobility]:
            return None
        inward = heading_of((-place[0], 0) if abs(abs(place[0]) - self.half) < CLOSE else (0, -place[1]))
        if math.cos(math.radians(heading - inward)) < -1e-6:
            return None
        there = replace(state, x=place[0], y=place[1], heading=heading, altitude=altitude, on_table=True)
        return None if self.hits(self.placed(place, heading), there) else there

    def drop(self, state, place, heading):
        if not self.lander or max(map(abs, place)) > self.half:
            return None
        return replace(state, x=place[0], y=place[1], heading=heading, altitude=self.allowance, on_table=True)

    def leave(self, state):
        if self.half - max(abs(state.x), abs(state.y)) > CLOSE:
            return None
        return replace(state, on_table=False, left_board=True, done=True)

    def take(self, state, name):
        for known, begin, end, floor, target, price in self.stairs:
            if known == name and math.dist((state.x, state.y), begin) < CLOSE and state.floor == floor:
                return replace(state, x=end[0], y=end[1], floor=target, travel=state.travel + price, course=None)
        return None

    # --- a move ---

    def after(self, state, element):
        """The state after an element; None: it is not possible."""
        word, *said = element.split()
        begins = word in ("unload", "enter", "drop")
        if state.done or begins == state.on_table:
            return None
        found = self.made(state, word, said)
        return found if found and self.spent(found) <= self.left_for(found) + CLOSE else None

    def made(self, state, word, said):
        if word in ASIDE:
            return self.leg(state, word, float(said[0]))
        if word.startswith("turn"):
            return self.turn(state, 1 if word == "turn_left" else -1, float(said[0]))
        if word in ("climb", "descend"):
            return self.climb(state, float(said[0]) * (1 if word == "climb" else -1))
        if word in ("unload", "enter", "drop"):
            place, heading = tuple(map(float, said[1].split(","))), float(said[3])
            if word == "enter":
                return self.enter(state, place, heading, float(said[5]) if said[4:] else 0)
            return getattr(self, word)(state, place, heading)
        if word == "take":
            return self.take(state, said[0])
        return {"fire": self.fire, "load": self.load, "leave_board": self.leave}[word](state)

    def may_stand(self, state):
        here = self.placed((state.x, state.y), state.heading)
        if self.hits(here, state) or state.under or state.altitude > LIMITS[self.mobility]:
            return False
        for name, _, place, radius, altitude, _ in self.others:
            near = abs(altitude - state.altitude) < 1 and name not in state.gone and not state.floor
            if near and here.distance(Point(place)) < self.radius + radius - CLOSE:
                return False
        return True

    def may_end(self, state):
        return not state.on_table or self.may_stand(state)

    def band(self, amount):
        if amount <= CLOSE:
            return "stationary"
        shares = {"slow": 1, "moderate": 2}
        return next((name for name, part in shares.items() if 3 * amount <= part * self.whole + CLOSE), "fast")

    def told(self, state):
        """What is compared of a state."""
        place = (round(state.x, 3) + 0.0, round(state.y, 3) + 0.0) if state.on_table else None
        band = self.band(self.spent(state)) if state.fired else ""
        return (
            place,
            round(state.heading, 3) % 360 if place else None,
            state.altitude,
            state.floor,
            round(state.travel, 3),
            round(state.rotation, 3),
            state.gone,
            state.aboard,
            state.left_board,
            state.fired,
            "" if band == "fast" else band,
            state.busy,
        )


def along(start, course, inches):
    turned = math.radians(course)
    return start[0] + inches * math.cos(turned), start[1] + inches * math.sin(turned)


def heading_of(direction):
    return math.degrees(math.atan2(direction[1], direction[0]))


def chord(line, centre, radius):
    """Where a line, followed beyond its ends, enters and leaves a circle; nothing if it does not."""
    (x1, y1), (x2, y2) = line.coords
    ahead = (x2 - x1) / line.length, (y2 - y1) / line.length
    middle = (centre[0] - x1) * ahead[0] + (centre[1] - y1) * ahead[1]
    aside = abs((centre[0] - x1) * ahead[1] - (centre[1] - y1) * ahead[0])
    if aside >= radius - 1e-9:
        return ()
    half = math.sqrt(radius**2 - aside**2)
    return middle - half, middle + half


def played(world, start, alphabet, depth):
    """For each number of elements the distinct states in which moves of so many end, by the kind of the last."""
    layer, found = [start], {}
    for number in range(1, depth + 1):
        following, found[number] = [], {}
        for state in layer:
            for element in alphabet:
                after = world.after(state, element)
                if after is None:
                    continue
                following.append(after)
                if world.may_end(after):
                    found[number].setdefault(element.split()[0], set()).add(world.told(after))
        layer = following
    return found
