"""Every map of seven dots: what can be asked on it, and whether reach answers as play does.

A dot and its six neighbours, each impassable, on the ground or a level higher, are 2,187 maps; turned and mirrored
they are 276. On each a vehicle in each pose drives, at rest or moving, under each option value that bears on drives;
a trooper walks from each dot, alone or with a vehicle parked in each pose; and flies, under each option of flights.
`tests/long/every_dot_trooper_world.py` asks all of it.

Play is slow, so what depends on the same things is played once: a drive sees of its map only the moves that lead on
from its first pose, a walk the dots and steps that do, and many maps have those in common.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import product

from dot_trooper_positions import Position, same_drives
from dt_games import bike, centred, game, trooper
from exhaustive_dot_trooper import DIRS, Drives, World, flights_one_by_one, plus, turns

from simulator.geometry.poses import Pose

#: The middle and its six neighbours, in the order of the directions.
DOTS = ((0, 0), *DIRS)
#: What a dot can be.
KINDS = ({"impassable": True}, {}, {"level": 1})
MODES = {"minimum": (1, 1), "cruise": (2, 4), "max": (5, 8)}
#: Option values that bear on drives where nobody else is on the map, on walks beside a vehicle, and on flights.
OF_DRIVES = (
    {},
    {"partial_segments": True},
    {"stop_dots": "m_per_ap"},
    {"forward_before_turn": "once_per_move"},
    {"swing_check": "end_only"},
    {"minimum_stop": "allowed_2ap_no_check"},
    {"stop_check_at": "start_of_stop"},
)
OF_WALKS = ({}, {"pass_through_units": "friends"})
OF_FLIGHTS = (
    {},
    {"flight_clearance": "profile"},
    {"flight_clearance": "free"},
    {"flight_path": "no_revisit"},
    {"flight_path": "straight"},
    {"flight_length": "displacement"},
    {"cap_counts": "all_activities"},
)
#: Flights of one to two dots, so that a map of seven has some that are too far.
FIGURES = {"flight.least": 1, "flight.most": 2, "flight.dots_per_level": 1}


def symmetries():
    """The twelve ways to lay a map of seven dots upon itself, each as the dots that come to lie on DOTS."""
    ring = DOTS[1:]
    for way in (1, -1):
        for first in range(6):
            yield (DOTS[0], *(ring[(first + way * number) % 6] for number in range(6)))


def worlds(all_of_them=False):
    """Every map as the kinds of its dots; one of those that are turned or mirrored into each other, or all."""
    laid = [[DOTS.index(dot) for dot in dots] for dots in symmetries()]
    for kinds in product(range(len(KINDS)), repeat=len(DOTS)):
        if all_of_them or kinds == min(tuple(kinds[place] for place in order) for order in laid):
            yield kinds


@dataclass(frozen=True)
class Question:
    """What is asked on a map: a drive, a walk or a flight, from where, under which option values."""

    kinds: tuple
    what: str
    place: tuple
    heading: int = 0
    motion: str = ""
    vehicle_class: str = ""
    options: tuple = ()
    #: The pose of a vehicle that is parked in the way.
    parked: tuple = ()

    @property
    def board(self):
        return centred(1, special=[(dot, KINDS[kind]) for dot, kind in zip(DOTS, self.kinds, strict=True)])


def poses(world):
    """Every pose in which a vehicle can stand on a map."""
    for front, way in product(DOTS, range(6)):
        behind = plus(front, way + 3)
        if world.dot_ok(front) and world.dot_ok(behind) and world.edge_ok(front, behind):
            yield front, 60 * way


def questions(all_of_them=False):
    """Everything that is asked, map by map."""
    for kinds in worlds(all_of_them):
        world = World(Question(kinds, "", DOTS[0]).board)
        standing = [dot for dot in DOTS if world.dot_ok(dot)]
        # A map is made ready for a kind of drive once, so poses come last.
        for options, kind, motion, (front, heading) in product(
            OF_DRIVES, ("scout", "assault"), ("moving", "stopped"), tuple(poses(world))
        ):
            yield Question(kinds, "drive", front, heading, motion, kind, tuple(options.items()))
        for dot in standing:
            yield Question(kinds, "walk", dot)
            for options in OF_FLIGHTS:
                yield Question(kinds, "fly", dot, options=tuple(options.items()))
            for (front, heading), options in product(poses(world), OF_WALKS):
                if dot not in (front, plus(front, heading // 60 + 3)):
                    yield Question(kinds, "walk", dot, options=tuple(options.items()), parked=(front, heading))


class Players:
    """Compares answers with play; `played` counts how many plays it took, `asked` how many answers of each kind."""

    def __init__(self):
        self.asked, self.played, self.ends = Counter(), Counter(), 0
        self._known = {}

    def check(self, asked, engine="numpy"):
        """Assert that reach has exactly the ends that play has."""
        self.asked[asked.what] += 1
        {"drive": self._drive, "walk": self._walk, "fly": self._walk}[asked.what](asked, engine)

    def _once(self, what, key, play):
        if key not in self._known:
            self.played[what] += 1
            self._known[key] = play()
        return self._known[key]

    # --- drives ---

    def _drive(self, asked, engine):
        board, options = asked.board, dict(asked.options)
        world, start = World(board), (asked.place, asked.heading // 60)
        m = {"scout": 3, "assault": 2}[asked.vehicle_class]
        moves = moves_from(world, start, options)
        key = (moves, start, m, asked.motion, asked.options)
        ends = self._once("drive", key, lambda: play_drives(world, start, m, asked.motion, options))
        level = world.level(asked.place)
        fields = {"motion": asked.motion, "level": level, "class": asked.vehicle_class}
        units = bike(place=asked.place, heading=asked.heading, rider_fields={"level": level}, **fields)
        reach = game(units, board, options=options).reach("A1", "drive", engine=engine)
        same_drives(reach, ends, asked)
        self.ends += len(ends)

    # --- on foot ---

    def _walk(self, asked, engine):
        board, options = asked.board, dict(asked.options)
        world = World(board)
        others, units = [], []
        if asked.parked:
            front, heading = asked.parked
            friend = options.get("pass_through_units") == "friends"
            level = world.level(front)
            others = [(dot, level, friend) for dot in (front, plus(front, heading // 60 + 3))]
            units = bike(place=front, heading=heading, rider=None, motion="stopped", level=level)
        flies = asked.what == "fly"
        level = world.level(asked.place)
        units += [trooper("A1", place=asked.place, level=level, jet_pack="worn" if flies else "none", ap_bonus=-2)]
        ap = 4 if flies else 6
        key = (asked.kinds, asked.place, tuple(others), flies, asked.options)
        ends = self._once(asked.what, key, lambda: play_turn(board, asked.place, level, ap, others, flies, options))
        table = game(units, board, options=options, tables=FIGURES)
        reach = table.reach("A1", "turn" if flies else "foot_move", engine=engine)
        shown = {
            (dot, level, how): int(ap)
            for dot in board.places()
            for level in board.surfaces_at(dot)
            for how in ("standing", "prone")
            if (ap := reach.cost_at(Pose(dot, level=level), posture=how)) is not None
        }
        assert shown == ends, asked
        self.ends += len(ends)


def moves_from(world, start, options):
    """Every dot ahead and turn that any plan could make from a pose on: all that a drive sees of its map."""
    judge = Drives(world, 1, 0, 0, options, {}.get)
    found, waiting = set(), [start]
    seen = {start}
    while waiting:
        front, way = waiting.pop()
        after = []
        ahead = plus(front, way)
        if world.dot_ok(ahead) and world.edge_ok(front, ahead):
            after.append(("ahead", (ahead, way)))
        for side, k in product((1, -1), (1, 2, 3)):
            if judge.swings(front, way, side, k):
                after.append(((side, k), (front, (way + side * k) % 6)))
        for move, pose in after:
            found.add(((front, way), move))
            if pose not in seen:
                seen.add(pose)
                waiting.append(pose)
    return frozenset(found)


def play_drives(world, start, m, motion, options):
    """Every end of a drive in any mode, with 8 AP and nothing broken."""
    handling = {3: 0, 2: 1}[m]
    base = {("turn", 60): 0, ("turn", 120): 6, ("turn", 180): 9}
    base |= {("stop", 0): 4, ("stop", 60): 4, ("stop", 120): 6, ("stop", 180): 8}

    def tn(cause, angle):
        return base[cause, angle] + handling if base[cause, angle] else None

    together = {}
    for mode, (low, high) in MODES.items():
        played = Drives(world, m, low, high, options, tn, mode == "minimum").play(*start, motion == "stopped")
        for end, by_ap in played.items():
            for ap, odds in by_ap.items():
                best = together.setdefault(end, {})
                best[ap] = max(best.get(ap, 0), odds)
    return together


def play_turn(board, start, level, ap, others, flies, options):
    """Every end of a turn on foot, with one flight."""
    there = Position(0, options, {})
    rules = {name: there.option(f"flight_{name}") for name in ("clearance", "path", "length")}

    def landings(dot, on):
        found = flights_one_by_one(board, dot, on, **rules, least=1, most=2, per_level=1)
        return [(place, int(board.top[board.index(place)])) for place in found]

    counts = there.option("cap_counts") == "all_activities"
    return turns(board, start, level, "standing", ap, 8, others, landings if flies else None, counts)
