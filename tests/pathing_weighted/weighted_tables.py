"""Movers that turn for nothing, on tables by hand and generated ones, and a lattice to compare with."""

from fractions import Fraction

import networkx as nx
import numpy as np

from simulator.geometry.footprints import Round
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import Mode, PoseSpace, PoseStart, PricedGround, Rotate, Travel, TurnPrices, judged

FORWARD = Mode("forward")
FREE = TurnPrices.flat(0)


def plain(under, climbed):
    """An inch costs an inch, uphill two."""
    return Fraction(2 if climbed else 1)


def dear(price, numbers=(0,)):
    """A rule: some areas cost so much, all else 1."""

    def rate(under, climbed):
        return Fraction(price) if under & set(numbers) else Fraction(1)

    return rate


def flat(under, climbed):
    """An inch costs an inch."""
    return Fraction(1)


def mover(start=(0, 0), budget=40, *, areas=(), rate=plain, slopes=(), least=1, radius=0.5, **more):
    """A mover by what is special about it."""
    of_ground = {name: more.pop(name) for name in ("uphill", "barred") if name in more}
    ground = PricedGround(list(areas), rate, slopes=dict(slopes), least=Fraction(least), **of_ground)
    more.setdefault("starts", (PoseStart(tuple(start), Fraction(0)),))
    more.setdefault("modes", (FORWARD,))
    return PoseSpace(Round(radius), budget=Fraction(budget), ground=ground, turns=FREE, **more)


class Table:
    """A generated table, as data that can be moved, mirrored and relabelled."""

    def __init__(self, seed, *, size=(72, 48), pieces=60, bases=30, hills=0, budget=12, radius=0.63):
        dice = np.random.default_rng([seed, pieces, bases])
        self.size, self.budget, self.radius = size, budget, radius
        self.start = np.array(size) / 2
        self.dice = dice
        walls = int(pieces * 0.3)
        self.walls = self._boxes(walls, (1, 5), 4.5)
        self.bases = []
        while len(self.bases) < bases:
            middle = dice.uniform(2, np.array(size) - 2)
            if np.hypot(*(middle - self.start)) > 0.7 + radius:
                self.bases.append(middle)
        # A road across the middle comes last.
        road = (self.start + np.array([0, 1.0]), (0.8 * size[0], 1.0), 8.0)
        self.areas = [*self._boxes(pieces - walls - 1, (2, 7), 0), road]
        self.kinds = [(2, Fraction(3, 2), 3)[kind] for kind in dice.integers(0, 3, len(self.areas))]
        self.slopes = {number: float(dice.uniform(0, 360)) for number in range(hills)}

    def _boxes(self, count, sizes, clear):
        found = []
        while len(found) < count:
            middle = self.dice.uniform(2, np.array(self.size) - 2)
            if np.hypot(*(middle - self.start)) > clear:
                found.append((middle, self.dice.uniform(*sizes, 2), float(self.dice.uniform(0, 90))))
        return found

    def space(self, *, angle=0, shift=(0, 0), mirrored=False, order=None, more_bars=(), dearer=0, budget=None, **more):
        """The table as a space: turned by an angle, mirrored across the x axis before, shifted after."""
        cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))

        def moved(place):
            x, y = place[0], -place[1] if mirrored else place[1]
            return float(cos * x - sin * y + shift[0]), float(sin * x + cos * y + shift[1])

        def heading(degrees):
            return (-degrees if mirrored else degrees) + angle

        def box(one):
            return rectangle(moved(one[0]), tuple(float(side) for side in one[1]), heading(one[2]) % 360)

        self.moved = moved
        order = range(len(self.areas)) if order is None else order
        number_of = {old: new for new, old in enumerate(order)}
        road = number_of[len(self.areas) - 1]
        prices = {number_of[old]: Fraction(kind) for old, kind in enumerate(self.kinds) if old not in self.slopes}
        slopes = {number_of[old]: heading(uphill) % 360 for old, uphill in self.slopes.items()}

        def rate(under, climbed):
            times = 2 if climbed else 1
            if road in under:
                return Fraction(1, 2) * times
            return (max([Fraction(1), *(prices[one] for one in under if one in prices)]) + dearer) * times

        bars = [*map(box, self.walls), *(Round(0.63).at(*moved(middle)) for middle in self.bases), *more_bars]
        plain_table = angle == 0 and not mirrored and tuple(shift) == (0, 0)
        return mover(
            moved(self.start),
            self.budget if budget is None else budget,
            areas=[box(self.areas[old]) for old in order],
            rate=rate,
            slopes=slopes,
            least=Fraction(1, 2),
            radius=self.radius,
            bars=bars,
            box=(0, 0, *self.size) if plain_table else None,
            **more,
        )

    def places(self, count, seed=0, far=1.1):
        """Places about the start."""
        dice = np.random.default_rng([seed, 77])
        angle, inches = dice.uniform(0, 2 * np.pi, count), far * self.budget * np.sqrt(dice.uniform(0, 1, count))
        return self.start + np.stack([inches * np.cos(angle), inches * np.sin(angle)], axis=1)


#: Steps to 32 neighbours.
STEPS = np.array([(x, y) for x in range(-3, 4) for y in range(-3, 4) if np.gcd(x, y) == 1])


def lattice_costs(space, mesh, free_lengths):
    """Costs by Dijkstra on a lattice with 32 neighbours, its steps priced exactly: the places, and their costs."""
    start = np.array(space.starts[0].place)
    count = int(float(space.budget) / float(space.ground.least) / mesh)
    reach = np.arange(-count, count + 1)
    x, y = (axis.ravel() for axis in np.meshgrid(reach, reach, indexing="ij"))
    inside = np.hypot(x, y) <= count
    if space.box is not None:
        at = start + mesh * np.stack([x, y], axis=1)
        inside &= (at >= space.box[:2]).all(axis=1) & (at <= space.box[2:]).all(axis=1)
    x, y = x[inside], y[inside]
    number = {cell: at for at, cell in enumerate(zip(x.tolist(), y.tolist(), strict=True))}
    graph = nx.DiGraph()
    for dx, dy in STEPS.tolist():
        there = np.array([number.get(cell, -1) for cell in zip((x + dx).tolist(), (y + dy).tolist(), strict=True)])
        rows = np.flatnonzero(there >= 0)
        begin = start + mesh * np.stack([x[rows], y[rows]], axis=1)
        zeros, none = np.zeros((len(rows), 2)), np.zeros(len(rows))
        end = begin + mesh * np.array([dx, dy])
        legs = Paths(np.arange(len(rows)), begin, end, zeros, none, none, none, none, none, len(rows))
        free = free_lengths(space, legs) >= legs.lengths - 1e-9
        found = space.ground.stretches(legs)
        price = np.bincount(found.leg, (found.end - found.begin) * found.rate, minlength=len(rows))
        pairs = zip(rows[free].tolist(), there[rows][free].tolist(), price[free].tolist(), strict=True)
        graph.add_weighted_edges_from(pairs)
    found = nx.single_source_dijkstra_path_length(graph, number[0, 0], cutoff=float(space.budget))
    rows = np.array(list(found))
    return start + mesh * np.stack([x[rows], y[rows]], axis=1), np.array(list(found.values()))


def random_ends(space, seed, count, tries=2000):
    """Verdicts of random legal moves: a few legs any way."""
    dice, found = np.random.default_rng([seed, 5]), []
    for _ in range(tries):
        moves = []
        for _ in range(int(dice.integers(1, 4))):
            moves.append(Rotate(Fraction(float(dice.uniform(-180, 180)))))
            moves.append(Travel(space.modes[0], Fraction(float(dice.uniform(0.2, float(space.budget) * 0.8)))))
        verdict = judged(space, space.starts[0], moves)
        if verdict.is_legal:
            found.append(verdict)
        if len(found) == count:
            break
    return found
