"""Boarding and getting off in combined_arms beside walls and enemies (CA-80, CA-119)."""

import numpy as np
import pytest
import shapely
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose

HULL = ((1, 1), (-1, 1), (-1, -1), (1, -1))
#: A door in the middle of the front of the hull.
FRONT = ((1, 0),)
WALL = Piece("wall", "high_wall", rectangle((1.3, 0), (0.2, 6)))


def alone(*units, **settings):
    return arms_game(*units, data={"initiative": tuple(unit.id for unit in units)}, **settings)


def carrier(**fields):
    return piece("T", "tracked", fields.pop("at", (0, 0)), **{"base": HULL, "doors": FRONT, **fields})


def transfers(game, inside, place):
    """The clauses against getting off at a place, or against boarding there."""
    order = f"A move: unload at {place[0]},{place[1]}" if inside else "A move: load T"
    return [breach.clause for breach in game.breaches(order)]


def games(mobility, place, terrain=(), *others, base=None, transport=None):
    """Somebody aboard, and somebody at a place outside."""
    fields = {} if base is None else {"base": base}
    transport = transport or carrier()
    for inside in (True, False):
        at = {"at": None, "carrier": "T"} if inside else {"at": place}
        yield inside, alone(piece("A", mobility, **at, **fields), transport, *others, terrain=terrain)


class TestWalls:
    @pytest.mark.parametrize(("place", "clauses"), [((1.6, 0), ["CA-119"]), ((1.1, 0.5), []), ((1.1, -0.8), [])])
    def test_what_a_wall_cuts_off(self, place, clauses):
        for inside, game in games("on_foot", place, (WALL,)):
            assert transfers(game, inside, place) == clauses

    def test_round_its_end(self):
        """Within the inch."""
        short = Piece("wall", "high_wall", rectangle((1.3, -2.8), (0.2, 6)))
        for inside, game in games("on_foot", (1.6, 0.1), (short,)):
            assert transfers(game, inside, (1.6, 0.1)) == []
        far = Piece("wall", "high_wall", rectangle((1.3, -1.9), (0.2, 6)))
        for inside, game in games("on_foot", (1.6, 0.1), (far,)):
            assert transfers(game, inside, (1.6, 0.1)) == ["CA-119"]

    def test_those_whom_it_does_not_stop(self):
        """CA-64: jetpacks pass high walls; CA-63: low ones are no bar to anybody."""
        for inside, game in games("jetpack", (1.6, 0), (WALL,)):
            assert transfers(game, inside, (1.6, 0)) == []
        low = Piece("wall", "low_obstacle", rectangle((1.3, 0), (0.2, 6)))
        for inside, game in games("on_foot", (1.6, 0), (low,)):
            assert transfers(game, inside, (1.6, 0)) == []

    def test_what_is_named(self):
        game = next(game for _, game in games("on_foot", (1.6, 0), (WALL,)))
        (breach,) = game.breaches("A move: unload at 1.6,0")
        assert (breach.message, breach.blocker) == ("wall is between A and the doors of T", "wall")

    def test_off_the_hull_where_no_doors_are_listed(self):
        transport = carrier(doors=())
        for place, clauses in (((1.6, 0), ["CA-119"]), ((1.1, 0), []), ((-1.9, 0), [])):
            for inside, game in games("on_foot", place, (WALL,), transport=transport):
                assert transfers(game, inside, place) == clauses

    def test_out_of_the_water_under_the_hull(self):
        """A boat with its bow on the bank: within the hull nothing is in the way, beside it the water is."""
        river = Piece("river", "river", rectangle((-9.5, 0), (20, 20)))
        bow, stern = carrier(doors=((0, 0),), amphibious=True), carrier(at=(-0.9, 0), amphibious=True)
        for place, transport, clauses in (((1.1, 0.2), bow, ["CA-119"]), ((0.6, 0), stern, ["CA-119"])):
            for inside, game in games("on_foot", place, (river,), transport=transport):
                assert transfers(game, inside, place) == clauses
        for inside, game in games("on_foot", (0.95, 0), (river,), transport=carrier(at=(-0.4, 0), doors=((1, 0),))):
            assert transfers(game, inside, (0.95, 0)) == []


class TestOtherPieces:
    @pytest.mark.parametrize(("side", "clauses"), [("blue", ["CA-119"]), ("red", [])])
    def test_enemies_are_in_the_way_and_friends_are_not(self, side, clauses):
        long = piece("X", "tracked", (1.35, 0), side, base=((0.1, 3), (-0.1, 3), (-0.1, -3), (0.1, -3)))
        for inside, game in games("on_foot", (1.7, 0), (), long):
            assert transfers(game, inside, (1.7, 0)) == clauses


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_reach_and_judge_agree(seed):
    """Thin walls and enemies at random around a transport: who can get off where, by both."""
    rng = np.random.default_rng(seed)
    terrain = tuple(
        Piece(f"w{number}", "high_wall", rectangle(tuple(rng.uniform(-2.2, 2.2, 2)), (0.15, 2), rng.uniform(0, 180)))
        for number in range(4)
    )
    terrain = tuple(one for one in terrain if not one.shape.polygon.intersects(shapely.box(-1, -1, 1, 1)))
    enemy = piece("X", "on_foot", (1.5, 1.2), "blue", base=0.3)
    doors, base = [(), FRONT, ((0.5, 1), (-1, 0.3))][seed % 3], [None, 0.2][seed % 2]
    aboard = piece("A", "on_foot", None, carrier="T", **({} if base is None else {"base": base}))
    game = alone(aboard, carrier(doors=doors), enemy, terrain=terrain)
    reach = game.reach("A")
    beside = reach.within(0)
    for place in rng.uniform(-2.2, 2.2, (60, 2)).round(3).tolist():
        legal = not game.breaches(f"A move: unload at {place[0]},{place[1]}")
        away = float(beside.distance(shapely.Point(place)))
        assert legal or away > 0, place
        assert away <= 0.1 or not legal, place


#: Bases that are not round, the reference point in the middle or at one end.
BASES = {
    "long": ((2, 0.5), (-2, 0.5), (-2, -0.5), (2, -0.5)),
    "short": ((0.5, 0.25), (-0.5, 0.25), (-0.5, -0.25), (0.5, -0.25)),
    "wedge": ((0, 0), (1, 0.3), (1, -0.3)),
    "bent": ((1, 0.2), (-1, 0.2), (-1, -1), (-0.6, -1), (-0.6, -0.2), (1, -0.2)),
}


def set_down(game, rng, count, far, headings):
    """Where a piece can be set down by the judge, facing one of some ways, at places made up on the spot."""
    for _ in range(count):
        x, y = rng.uniform(-far, far, 2).round(3).tolist()
        heading = float(rng.choice(headings))
        if not game.breaches(f"A move: unload at {x},{y} facing {heading:g}"):
            yield (x, y), heading


@pytest.mark.sampled
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("doors", [FRONT, (), ((0.5, 1), (-1, 0.3))], ids=["front", "hull", "two"])
@pytest.mark.parametrize("terrain", [(), (WALL,)], ids=["open", "wall"])
class TestBasesThatAreNotRound:
    """CA-119: the heading is free, so the ground is that of all ways it may face."""

    def game(self, base, doors, terrain):
        friend = piece("Y", "on_foot", (-1.6, 1.5), base=0.3)
        aboard = piece("A", "crew_weapon", None, carrier="T", base=BASES[base])
        return alone(aboard, carrier(doors=doors), friend, terrain=terrain)

    def test_reach_knows_where_it_is_set_down(self, base, doors, terrain):
        game = self.game(base, doors, terrain)
        beside = game.reach("A").within(0)
        headings = np.arange(0, 360, 15.0)
        found = list(set_down(game, np.random.default_rng(1), 300, 4, headings))
        assert len(found) >= 5
        for place, heading in found:
            assert beside.distance(shapely.Point(place)) <= 0.1, (place, heading)

    def test_each_end_is_played(self, base, doors, terrain):
        game = self.game(base, doors, terrain)
        reach, rng = game.reach("A"), np.random.default_rng(2)
        left, bottom, right, top = reach.area.bounds
        places = rng.uniform((left, bottom), (right, top), (60, 2)).round(3)
        near = reach.within(0)
        places = np.concatenate([places, [one.coords[0] for one in _corners(near)]])
        ends = places[np.isfinite(reach.costs_of(places))]
        assert len(ends) >= 10
        for place in [*ends[:3], *ends[-4:]]:
            (order,) = reach.orders_to(tuple(place))
            assert game.breaches(order) == []
            played = game.branch()
            played.do(order)
            assert played.state.unit("A").place == pytest.approx(tuple(place), abs=1e-5)

    def test_between_the_headings(self, base, doors, terrain):
        """Where there is room for all ways beside one that is none of the single ones, it needs no turn."""
        game = self.game(base, doors, terrain)
        reach = game.reach("A")
        headings = np.arange(7, 367, 15.0)
        known = list(set_down(game, np.random.default_rng(3), 200, 4, headings))
        costs = [reach.cost_at(Pose(place, heading)) for place, heading in known]
        assert 0 in costs
        for (place, heading), cost in zip(known, costs, strict=True):
            if cost == 0:
                (order,) = reach.orders_to(Pose(place, heading))
                assert game.breaches(order) == []


def _corners(area):
    """Some corners of the outlines of an area."""
    corners = [shapely.Point(one) for one in shapely.get_coordinates(area)]
    return corners[:: max(len(corners) // 12, 1)]


def test_as_far_off_as_it_is_long():
    """A weapon 4 inches long is set down square to the door, and goes straight on."""
    hull = ((2, 1), (2, -1), (-2, -1), (-2, 1))
    weapon = piece("A", "crew_weapon", None, carrier="T", base=BASES["long"])
    game = alone(weapon, carrier(base=hull, doors=((-2, 0),)))
    reach = game.reach("A")
    assert (reach.cost_at((-5, 0)), reach.cost_at((-9, 0))) == (0, 4)
    (order,) = reach.orders_to((-9, 0))
    game.do(order)
    assert game.state.unit("A").place == pytest.approx((-9, 0))
    assert alone(weapon, carrier(base=hull, doors=((-2, 0),))).reach("A", "ride").cost_at((-9, 0)) == 4
