"""Every legal drive, walk and flight, one step at a time: slow, obvious, and written apart from the compiler.

It reads the rules straight off the register: no phases, no gates, no masks, nothing of the package but the board.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise

DIRS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
WAYS_2D6 = {n: sum(a + b >= n for a in range(1, 7) for b in range(1, 7)) for n in range(-10, 30)}


#: AP of each segment, and of a turn by its angle (DT-69 to DT-71, DT-84).
AP_OF_A_DRIVE = {"start": 1, "move": 1, "stop": 2, 60: 0, 120: 1, 180: 2}
#: AP on foot: a dot standing and prone, a change of posture, a level, and a flight (DT-7, DT-164).
AP_ON_FOOT = {"standing": 1, "prone": 2, "posture": 1, "level": 1, "flight": 3}


def plus(dot, way, times=1):
    dq, dr = DIRS[way % 6]
    return dot[0] + times * dq, dot[1] + times * dr


class World:
    """What stands where: `others` are dots of other units with a name and whether they let the mover through."""

    def __init__(self, board, others=()):
        self.board = board
        self.others = list(others)
        self.edges = {}
        for edge in board.edges:
            self.edges.setdefault(frozenset((edge.a, edge.b)), []).append(edge)
        # Each question is asked some thousand times; the answer does not change.
        self.level, self.dot_ok, self.edge_ok = cache(self.level), cache(self.dot_ok), cache(self.edge_ok)

    def level(self, dot):
        return int(self.board.level[self.board.index(dot)])

    def dot_ok(self, dot, passing=True):
        if dot not in self.board or self.board.impassable[self.board.index(dot)]:
            return False
        return not any(place == dot and not (passing and friend) for place, friend in self.others)

    def edge_ok(self, a, b):
        if a not in self.board or b not in self.board:
            return False
        ramp = False
        for edge in self.edges.get(frozenset((a, b)), ()):
            if edge.kind in ("wall", "window"):
                for end in (a, b):
                    if edge.levels is None or edge.levels[0] <= self.level(end) <= edge.levels[1]:
                        return False
            if edge.kind == "ramp":
                ramp = True
        return ramp or self.level(a) == self.level(b)


class Drives:
    """All drives of one vehicle: {(front, heading, motion): {ap: best chance}}, those that can succeed.

    With `via` only drives count whose front comes by these dots in their order. `ap` are the AP that segments and
    turns take, `left` those that there are.
    """

    def __init__(self, world, m, low, high, options, tn, minimum_only=False, via=(), ap=AP_OF_A_DRIVE, left=99):
        self.ap, self.left = ap, left
        self.world, self.m, self.low, self.high, self.options = world, m, low, high, options
        self.tn = cache(tn)
        self.via = via
        self.minimum_only = minimum_only
        self.ends = {}
        self.seen = {}

    def play(self, front, way, standing):
        # (front, way, ap, kind of the segment, its dots left, may turn, a turn was built into the stop, via passed)
        self.step((front, way, 0, None, 0, False, False, self.came_by(0, front)), Fraction(1), standing)
        return self.ends

    def came_by(self, passed, front):
        while passed < len(self.via) and self.via[passed] == front:
            passed += 1
        return passed

    def chance(self, cause, angle):
        needed = self.tn(cause, angle)
        return Fraction(1) if needed is None else Fraction(WAYS_2D6[needed], 36)

    def step(self, state, odds, standing):
        key = (state, standing)
        if odds <= self.seen.get(key, 0):
            return
        self.seen[key] = odds
        front, way, ap, kind, left, may_turn, stop_turned, passed = state
        whole = left == 0 or (self.options.get("partial_segments") and kind is not None)
        in_stop = kind in ("stop", "free stop")
        if kind is not None and whole:
            self.end(state, odds)
        if whole and not in_stop:
            self.open(state, odds, standing)
        if left:
            ahead = plus(front, way)
            if self.world.dot_ok(ahead) and self.world.edge_ok(front, ahead):
                by = self.came_by(passed, ahead)
                self.step((ahead, way, ap, kind, left - 1, True, stop_turned, by), odds, False)
        if may_turn and not stop_turned:
            for k in (1, 2, 3):
                price = self.ap[60 * k]
                free_stop = kind == "free stop" and ap == self.ap["stop"]
                if ap + price > self.high and not (free_stop and price == 0):
                    continue
                for side in (1, -1):
                    if self.swings(front, way, side, k):
                        after = self.options.get("forward_before_turn") == "once_per_move"
                        cause = "stop" if in_stop else "turn"
                        share = Fraction(1) if free_stop and k == 1 and price == 0 else self.chance(cause, 60 * k)
                        turned = (front, (way + side * k) % 6, ap + price, kind, left, after, in_stop, passed)
                        self.step(turned, odds * share, False)

    def open(self, state, odds, standing):
        front, way, ap, kind, _, may_turn, _, passed = state
        after = ap + self.ap["start" if standing else "move"]
        if after <= self.high:
            self.first_dot((front, way, after, "move", self.m, may_turn, False, passed), odds)
        if standing:
            return
        after = ap + self.ap["stop"]
        dots = self.m * (self.ap["stop"] if self.options.get("stop_dots") == "m_per_ap" else 1)
        if after <= self.high:
            self.first_dot((front, way, after, "stop", dots, may_turn, False, passed), odds)
        allowed = self.options.get("minimum_stop") == "allowed_2ap_no_check"
        if self.minimum_only and allowed and kind is None and after <= self.left:
            self.first_dot((front, way, after, "free stop", dots, may_turn, False, passed), odds)

    def first_dot(self, state, odds):
        # A turn before the first dot of a segment is one after the segment before: so a dot comes at once.
        front, way, ap, kind, left, _, _, passed = state
        ahead = plus(front, way)
        if self.world.dot_ok(ahead) and self.world.edge_ok(front, ahead):
            self.step((ahead, way, ap, kind, left - 1, True, False, self.came_by(passed, ahead)), odds, False)

    def swings(self, front, way, side, k):
        rears = [plus(front, way + 3 + side * i) for i in range(k + 1)]
        swept = self.options.get("swing_check", "swept") == "swept"
        checked = range(1, k + 1) if swept else [k]
        for i in checked:
            if not self.world.dot_ok(rears[i]) or not self.world.edge_ok(rears[i], front):
                return False
            if swept and not self.world.edge_ok(rears[i - 1], rears[i]):
                return False
        return True

    def end(self, state, odds):
        front, way, ap, kind, _, _, stop_turned, passed = state
        free_stop = kind == "free stop" and ap == self.ap["stop"]
        if (ap < self.low and not free_stop) or passed < len(self.via):
            return
        rear = plus(front, way + 3)
        if not (self.world.dot_ok(front, False) and self.world.dot_ok(rear, False)):
            return
        if kind in ("stop", "free stop") and not free_stop and not stop_turned:
            odds *= self.chance("stop", 0)
        if odds == 0:
            return
        motion = "stopped" if kind in ("stop", "free stop") else "moving"
        best = self.ends.setdefault((front, way * 60, motion), {})
        best[ap] = max(best.get(ap, Fraction(0)), odds)


def walks(board, start, level, budget, others=()):
    """All (dot, level) on foot: {(dot, level): least AP}, standing all the while."""
    ends = turns(board, start, level, "standing", budget, budget, others)
    found = {}
    for (dot, on, _), ap in ends.items():
        found[dot, on] = min(ap, found.get((dot, on), ap))
    return found


def turns(
    board, start, level, posture, ap_left, cap_left, others=(), landings=None, posture_counts=False, ap=AP_ON_FOOT
):
    """All ends of a turn on foot, with one flight if `landings` tells where one leads: {(dot, level, posture): AP}.

    `others` are dots with a level and whether they let one through. A change of posture takes AP; only by option it
    counts as movement.
    """
    ways = ways_of_turn(
        board, start, level, posture, ap_left, cap_left, others, landings, posture_counts=posture_counts, ap=ap
    )
    return {end: min(spent for spent, _ in known) for end, known in ways.items()}


def ways_of_turn(
    board, start, level, posture, ap_left, cap_left, others=(), landings=None, posture_counts=False, ap=AP_ON_FOOT
):
    """The same ends, each with its ways that are not dearer in both: pairs of all AP and of those that are movement."""
    world = World(board)
    taken = {(dot, on) for dot, on, _ in others}
    through = {(dot, on) for dot, on, friend in others if not friend}
    ways = {}

    def surface(dot, on):
        if dot not in board or board.impassable[board.index(dot)]:
            return False
        ground = world.level(dot)
        return ground <= on <= ground + int(board.storeys[board.index(dot)])

    def steps(dot, on):
        for way in range(6):
            other = plus(dot, way)
            edges = world.edges.get(frozenset((dot, other)), ())
            closed = any(
                e.kind in ("wall", "window") and (e.levels is None or e.levels[0] <= on <= e.levels[1]) for e in edges
            )
            if surface(other, on) and not closed and (other, on) not in through:
                yield other, on, 0
            for e in edges:
                if e.kind in ("stairs", "ladder"):
                    low, high = e.levels or (world.level(e.a), world.level(e.b))
                    here, there = (low, high) if e.a == dot else (high, low)
                    if here == on and surface(other, there) and (other, there) not in through:
                        yield other, there, abs(there - here)

    waiting = [(start, level, posture, False, 0, 0)]
    while waiting:
        dot, on, how, flown, spent, moved = waiting.pop()
        counted = spent if posture_counts else moved
        if spent > ap_left or counted > cap_left:
            continue
        known = ways.setdefault((dot, on, how, flown), [])
        if any(s <= spent and m <= moved for s, m in known):
            continue
        known[:] = [(s, m) for s, m in known if s < spent or m < moved] + [(spent, moved)]
        for other, there, climbed in steps(dot, on):
            price = ap[how] + climbed * ap["level"]
            waiting.append((other, there, how, flown, spent + price, moved + price))
        waiting.append((dot, on, "prone" if how == "standing" else "standing", flown, spent + ap["posture"], moved))
        free = (dot, on) not in taken or (dot, on) == (start, level)
        if landings is not None and not flown and how == "standing" and free:
            for place, top in landings(dot, on):
                waiting.append((place, top, "standing", True, spent + ap["flight"], moved + ap["flight"]))
    ends = {}
    for (dot, on, how, _), known in ways.items():
        if (dot, on) not in taken or (dot, on) == (start, level):
            ends.setdefault((dot, on, how), []).extend(known)
    return ends


def flights(board, start, level, clearance="ceiling", straight=False, taken=()):
    """All landing dots of one flight, by every walk of 6 to 16 dots: a set of dots."""
    world = World(board)

    @cache
    def top(dot):
        return world.level(dot) + int(board.storeys[board.index(dot)])

    @cache
    def indoors(dot, on):
        return world.level(dot) <= on < top(dot)

    @cache
    def opening(a, b):
        return any(
            e.kind in ("window", "door") and (e.levels is None or e.levels[0] <= level <= e.levels[1])
            for e in world.edges.get(frozenset((a, b)), ())
        )

    def lands(dot):
        return dot in board and not board.impassable[board.index(dot)] and dot not in taken

    found = set()
    plans = range(2, 6) if clearance == "ceiling" else (None,)
    for plan in plans:
        # (dot, way flown, altitude, changes used, whether it is in an opening)
        here = {(start, None, level, 0, False)}
        for n in range(1, 17):
            after = set()
            for dot, way0, altitude, used, door in here:
                for way in range(6):
                    if straight and way0 not in (None, way):
                        continue
                    other = plus(dot, way)
                    if other not in board:
                        continue
                    changes = range(-(n // 3), n // 3 + 1) if clearance == "profile" else (0,)
                    for change in changes:
                        if used + abs(change) > n // 3:
                            continue
                        alt = altitude + change
                        limit = {"ceiling": level + (plan or 0), "profile": alt, "free": 10**6}[clearance]
                        kept = way if straight else None
                        state = (other, kept, alt, used + abs(change), False)
                        if n == 1 and indoors(start, level):
                            leads_out = opening(dot, other) or bool(board.openings[board.index(dot)])
                            if leads_out and not indoors(other, level) and top(other) <= limit:
                                after.add(state)
                            is_opening = bool(board.openings[board.index(other)])
                            if is_opening and (indoors(other, level) or top(other) <= limit):
                                after.add((*state[:4], True))
                            continue
                        if top(other) > limit or (door and indoors(other, level)):
                            continue
                        after.add(state)
            here = after
            if n >= 6:
                for dot, _, altitude, _, door in here:
                    if door or not lands(dot) or (plan is not None and n // 3 != plan):
                        continue
                    if clearance == "profile":
                        if altitude == top(dot):
                            found.add(dot)
                    elif abs(top(dot) - level) <= n // 3:
                        found.add(dot)
    return found


def flights_one_by_one(board, start, level, *, clearance, path, length, taken=(), least=6, most=16, per_level=3):
    """All landing dots of one flight, every walk looked at by itself: for small maps and short flights."""
    world = World(board)

    @cache
    def top(dot):
        return world.level(dot) + int(board.storeys[board.index(dot)])

    @cache
    def indoors(dot):
        return world.level(dot) <= level < top(dot)

    @cache
    def opens(a, b):
        return any(
            e.kind in ("window", "door") and (e.levels is None or e.levels[0] <= level <= e.levels[1])
            for e in world.edges.get(frozenset((a, b)), ())
        )

    def is_legal(walk):
        flown = walk[1:]
        dq, dr = flown[-1][0] - start[0], flown[-1][1] - start[1]
        counted = max(abs(dq), abs(dr), abs(dq + dr)) if length == "displacement" else len(flown)
        if not least <= counted <= most or len(flown) > most:
            return False
        if path == "no_revisit" and len(set(walk)) < len(walk):
            return False
        if path == "straight" and len({(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(walk)}) > 1:
            return False
        end = flown[-1]
        if board.impassable[board.index(end)] or end in taken or abs(top(end) - level) > counted // per_level:
            return False
        skipped = ()
        if indoors(start):
            door = board.openings[board.index(flown[0])] and len(flown) > 1 and not indoors(flown[1])
            on_it = bool(board.openings[board.index(start)])
            if not door and not ((on_it or opens(start, flown[0])) and not indoors(flown[0])):
                return False
            skipped = (0,) if door and indoors(flown[0]) else ()
        over = [(number, dot) for number, dot in enumerate(flown) if number not in skipped]
        if clearance == "ceiling" and any(top(dot) > level + counted // per_level for _, dot in over):
            return False
        return clearance != "profile" or can_climb(flown, dict(over))

    def can_climb(flown, over):
        now = {(level, 0)}
        for number, dot in enumerate(flown):
            allowed = (number + 1) // per_level
            now = {
                (altitude + change, used + abs(change))
                for altitude, used in now
                for change in range(-allowed, allowed + 1)
                if used + abs(change) <= allowed and (number not in over or altitude + change >= top(dot))
            }
        return any(altitude == top(flown[-1]) for altitude, _ in now)

    found = set()

    def fly(walk):
        if len(walk) > 1 and walk[-1] not in found and is_legal(walk):
            found.add(walk[-1])
        if len(walk) <= most:
            for way in range(6):
                other = plus(walk[-1], way)
                if other in board and not (path == "no_revisit" and other in walk):
                    fly((*walk, other))

    fly((start,))
    return found
