"""Boarding and getting off in combined_arms beside walls and enemies (CA-80, CA-119)."""

import numpy as np
import pytest
import shapely
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, rectangle

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
