"""Counts of distinct end states by AP, split by what is done: the public proof of the rulebook, on small boards.

`python tests/rulebooks/perft_dot_trooper.py` prints the counts as the file keeps them. They are those of reach queries;
test_dot_trooper_perft.py counts them a second time, one step after another.
"""

from dataclasses import dataclass
from functools import cached_property

from dt_games import bike, blocked, centred, game, random_map, trooper

from simulator.geometry.dots import DotMap, Edge
from simulator.geometry.hex_lattice import distance, step

RADIUS = 4
CLASSES = (("scout", 3), ("assault", 2))
MOTIONS = ("moving", "stopped")
#: HP 4 gives 6 AP, a worn jet pack takes 2 of them: one flight and one dot on foot.
FOUR_AP = {"jet_pack": "worn", "crossed": (5,)}


@dataclass(frozen=True)
class Position:
    """A board, the enemies on it, and where the one that moves begins, looking east."""

    board: DotMap
    enemies: tuple[tuple[int, int], ...] = ()

    @cached_property
    def start(self):
        """The first dot by rows, near the middle, on which a vehicle can stand."""
        board = self.board
        for q, r in board.places():
            rear = (q - 1, r)
            is_near = max(abs(q), abs(r), abs(q + r)) <= 1
            taken = {(q, r), rear} & set(self.enemies)
            closed = any({edge.a, edge.b} == {rear, (q, r)} and edge.kind in ("wall", "window") for edge in board.edges)
            if is_near and not taken and not closed and rear in board and self._is_level((q, r), rear):
                return q, r
        raise AssertionError("no room in the middle of this board")

    def _is_level(self, *dots):
        places = [self.board.index(dot) for dot in dots]
        return not any(self.board.impassable[at] for at in places) and len({self.board.level[at] for at in places}) == 1

    @cached_property
    def walker(self):
        """The first dot by rows, three dots from the rear of a vehicle at the start, on which a trooper can stand."""
        rear = (self.start[0] - 1, self.start[1])
        for dot in self.board.places():
            if distance(dot, rear) == 3 and dot not in (self.start, *self.enemies) and self._is_level(dot, self.start):
                return dot
        raise AssertionError("no dot to walk from")

    @property
    def level(self):
        return int(self.board.level[self.board.index(self.start)])

    def game(self, units):
        on_ground = [int(self.board.level[self.board.index(dot)]) for dot in self.enemies]
        enemies = [
            trooper(f"B{number}", "blue", dot, level=level)
            for number, (dot, level) in enumerate(zip(self.enemies, on_ground, strict=True), 1)
        ]
        return game([*units, *enemies], self.board)


def lane():
    """Walls along both sides of the middle three rows, with a gap in each."""
    edges = []
    for q, r, ways in ((0, -1, (1, 2)), (0, 1, (4, 5))):
        for dot in [(q + i, r) for i in range(-RADIUS, RADIUS + 1)]:
            for way in ways:
                other = step(dot, way)
                inside = all(max(abs(a), abs(b), abs(a + b)) <= RADIUS for a, b in (dot, other))
                if inside and dot not in ((2, -1), (-2, 1)):
                    edges.append(Edge("wall", dot, other))
    return centred(RADIUS, edges=edges)


POSITIONS = {
    "open": Position(centred(RADIUS)),
    "pillars": Position(centred(RADIUS, special=blocked((2, 0), (-1, 2), (1, -3)))),
    "lane": Position(lane()),
    "crowd": Position(centred(RADIUS), ((3, 0), (1, 1), (-2, 3), (2, -3), (0, -2))),
    "yard": Position(random_map(13, RADIUS, share=0.06)),
    "hills": Position(random_map(28, RADIUS, share=0.04, levels=True)),
    "town": Position(random_map(21, RADIUS, share=0.05, buildings=True)),
}


def tally(costs):
    """How often each number occurs, in order."""
    costs = sorted(costs)
    return {ap: costs.count(ap) for ap in dict.fromkeys(costs)}


def counts():
    """Give, for each position and action, how many distinct ends take how many AP."""
    found = {}
    for name, position in POSITIONS.items():
        for kind, _ in CLASSES:
            for motion in MOTIONS:
                units = bike(place=position.start, motion=motion, level=position.level, **{"class": kind})
                totals = position.game(units).reach("A1", "drive").totals
                for end in MOTIONS:
                    by_ap = [ap for pose, aps in totals.items() if pose.motion == end for ap in aps]
                    found[f"{name}: drive {kind} {motion}, ends {end}"] = tally(by_ap)
        for kind, _ in CLASSES:
            fields = {"level": position.level, "on": False, "motion": "stopped", "class": kind}
            parked = bike(place=position.start, rider=None, **fields)
            comes = position.game([*parked, trooper("A1", "red", position.walker, level=position.level)])
            ends = comes.reach("A1", "mount_and_drive", vehicle="bike").end_fields()
            found[f"{name}: mount_and_drive {kind}"] = tally(int(end["cost"]) for end in ends)
        walker = position.game([trooper("A1", "red", position.start, level=position.level)])
        found[f"{name}: foot_move"] = tally(walker.reach("A1", "foot_move").levels.values())
        flyer = position.game([trooper("A1", "red", position.start, level=position.level, **FOUR_AP)])
        for action in ("activate_jet_pack", "turn"):
            found[f"{name}: {action}"] = tally(flyer.reach("A1", action).levels.values())
    return found


def as_text():
    """Write the counts as the file that keeps them."""
    lines = ["# Distinct ends by AP, for each board and action. Written by tests/rulebooks/perft_dot_trooper.py."]
    for name, by_ap in counts().items():
        shown = ", ".join(f"{ap}: {count}" for ap, count in by_ap.items())
        lines.append(f'"{name}": {{{shown}}}')
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(as_text(), end="")
