"""Movers that are searched together: each answer is the one that the mover has alone, to the bit."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from crowds_of_movers import crowd, crowd_with_tolls, in_each_others_way, standing
from posed_movers import FORWARD, REVERSE, flat_ground, vehicle
from posed_tables import BOX, MOVERS, START
from tolls_on_levels import tower

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseLink, PoseReach, PoseStart, PricedGround, TableLevel, judged
from simulator.pathing.posed.lanes import Lane, lanes_by_kind
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.search import MESH
from simulator.pathing.posed.together import PoseReaches, reach_many


def same(one, other):
    """Whether two tables of columns, or columns, are the same to the bit."""
    if one is None or other is None:
        return one is other
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return np.array_equal(one, other)


def columns(legs):
    """What was found out about legs that were cast."""
    if legs is None:
        return None
    stretches, tolls = legs.rays.stretches, legs.rays.tolls
    met = None if tolls is None else (tolls.meets, tolls.crossed, tolls.until)
    return (legs.turns, legs.mode, legs.travelled, legs.inches, legs.rays.length, *stretches[:4], met)


def assert_as_alone(spaces, reaches, *, seed=0):
    """Compare what was found together with what is found alone, and the costs of places."""
    dice = np.random.default_rng(seed)
    for space, reach in zip(spaces, reaches, strict=True):
        alone = PoseReach(space, reach.finer)
        for together, apart in zip(reach.searched, alone.searched, strict=True):
            assert same(together.states, apart.states)
            for pair in zip(together.legs, apart.legs, strict=True):
                assert same(*map(columns, pair))
        places = space.starts[0].place + dice.uniform(-1, 1, (12, 2)) * float(space.budget) * 0.6
        for level in range(space.level_count):
            assert np.array_equal(reach.costs_at(places, level), alone.costs_at(places, level))


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", MOVERS)
def test_movers_of_one_kind(name, seed):
    spaces = crowd(name, seed, 4, budgets=("1", "1/3", "2/3"))
    reaches = reach_many(spaces)
    assert_as_alone(spaces, reaches, seed=seed)
    assert sum(len(reach.searched[0].states.price) for reach in reaches) > 40


@pytest.mark.sampled("track")
@pytest.mark.parametrize("name", MOVERS)
def test_movers_of_one_kind_among_things_that_give_way(name):
    spaces = crowd_with_tolls(name, 1, 4, budgets=("1/2", "1/3", "2/3"))
    reaches = reach_many(spaces)
    assert_as_alone(spaces, reaches)
    states = [reach.searched[0].states for reach in reaches]
    assert sum(len(found.price) for found in states) > 40
    assert any(found.tolls.gone.any() for found in states)


def test_things_that_give_way_to_some():
    plain, among = crowd("tank", 1, 4, budgets=("1/2",)), crowd_with_tolls("tank", 1, 4, budgets=("1/2",))
    spaces = [*among[:2], *plain[2:]]
    assert_as_alone(spaces, reach_many(spaces))


def test_movers_of_one_kind_are_searched_in_one_lot():
    spaces = crowd_with_tolls("disc", 0, 4)
    lanes = [Lane(space, LowerPrices.of(space), 0) for space in spaces]
    assert [len(lot.numbers) for lot in lanes_by_kind(lanes, MESH)] == [4]
    plain = replace(spaces[0], tolls=())
    assert [len(lot.numbers) for lot in lanes_by_kind([*lanes, Lane(plain, lanes[0].lower, 0)], MESH)] == [4, 1]


# Long: several searches on a finer mesh; movers of one kind are tried together beside it.
@pytest.mark.long
def test_movers_of_several_kinds_and_a_finer_mesh():
    kinds = [crowd(name, 1, 2, budgets=("1/2",)) for name in ("disc", "tank", "walker", "disc")]
    spaces = [space for kind in zip(*kinds, strict=True) for space in kind]
    assert_as_alone(spaces, reach_many(spaces, finer=1))


@pytest.mark.sampled
@pytest.mark.parametrize("more", [{"most_travelled": Fraction(7)}, {"more_than": Fraction(5)}])
def test_other_limits(more):
    spaces = [replace(space, **(more if number else {})) for number, space in enumerate(crowd("disc", 2, 3))]
    assert_as_alone(spaces, reach_many(spaces))


class TestLevels:
    """Movers may be on several levels, and follow links."""

    def flyers(self, count):
        """Movers that fly over what bars them on the ground, and take a lift."""
        open_ground = PricedGround((), flat_ground)
        lift = PoseLink("take the lift", 0, 1, Fraction(1), places=((20.0, 18.0), (30.0, 18.0)))
        links = (PoseLink("rise", 0, 1, Fraction(4)), PoseLink("sink", 1, 0, Fraction(4)), lift)
        walls = [rectangle((26, 18), (1, 20)), rectangle((18, 12), (6, 1))]
        tower = TableLevel(open_ground, bars=[rectangle((30, 22), (3, 3))], box=BOX)
        spaces = [
            vehicle(20 - 4 * number, base=Round(0.5), modes=(FORWARD, REVERSE), start=(16.0, 15.0 + 2 * number))
            for number in range(count)
        ]
        spaces = [replace(space, above=(tower,), links=links, box=BOX) for space in spaces]
        return in_each_others_way(spaces, walls)

    def test_of_one_kind(self):
        spaces = self.flyers(3)
        reaches = reach_many(spaces)
        assert_as_alone(spaces, reaches)
        assert all(len(legs.mode) for legs in reaches[0].searched[0].legs)
        assert any(state >= 0 for state in reaches[0].searched[0].states.link)

    # Long: several movers on several levels; movers on the ground are tried beside it.
    @pytest.mark.long
    @pytest.mark.parametrize("seed", [0, 2])
    def test_among_tall_trees(self, seed):
        first = tower(seed)
        starts = [
            (PoseStart((x, y), Fraction(heading)),) for x, y, heading in ((0, 0, 50), (-1.5, 3.5, 200), (3, -2, 9))
        ]
        spaces = [replace(first, starts=start, budget=first.budget - 1) for start in starts]
        reaches = reach_many([first, *spaces])
        assert_as_alone([first, *spaces], reaches)
        assert any(reach.searched[0].states.tolls.gone.any() for reach in reaches)

    def test_beside_others(self):
        spaces = [*self.flyers(2), *crowd("disc", 0, 2)]
        assert_as_alone(spaces, reach_many(spaces))


class TestAfterAMove:
    """What a moved base comes near is searched for again; nothing else is."""

    def moved(self, spaces, number, place):
        """The movers, one of them at another place."""
        start = replace(spaces[number].starts[0], place=place)
        others = [replace(space, starts=(start,)) if one == number else space for one, space in enumerate(spaces)]
        bases = {id(base) for space in spaces for base in space.bars[-len(spaces) + 1 :]}
        return in_each_others_way(others, [bar for bar in spaces[0].bars if id(bar) not in bases])

    def spaces(self):
        ground = PricedGround([rectangle((24, 18), (6, 6))], lambda under, _: Fraction(2 if under else 1))
        starts = [(4.0, 4.0), (10.0, 4.0), (44.0, 32.0), (24.0, 10.0)]
        spaces = [
            replace(vehicle(8, base=Round(0.6), ground=ground, start=start, modes=(FORWARD,)), box=BOX)
            for start in starts
        ]
        return in_each_others_way(spaces, [rectangle((30, 8), (2, 9)), Round(0.5).at(7, 7)])

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        ("number", "place", "again"),
        [(2, (40.0, 30.0), (2,)), (1, (12.0, 4.0), (0, 1)), (1, (17.0, 6.0), (0, 1, 3)), (0, (4.0, 4.0), ())],
    )
    def test_who_is_searched_for_again(self, number, place, again):
        spaces = self.spaces()
        reaches = PoseReaches(spaces)
        assert reaches.searched == (0, 1, 2, 3)
        grown = reaches.shapes_grown
        after = self.moved(spaces, number, place)
        found = reaches.after(after)
        assert found.searched == again
        # Of all things only the base that has moved is prepared.
        assert found.shapes_grown - grown == (1 if again and again != (number,) else 0)
        assert_as_alone(after, found)

    @pytest.mark.long
    def test_again_and_again(self):
        spaces = crowd("tank", 1, 3, budgets=("1/3",))
        reaches, dice = PoseReaches(spaces), np.random.default_rng(4)
        kept = 0
        for _ in range(4):
            number = int(dice.integers(3))
            spaces = self.moved(
                spaces, number, tuple((spaces[number].starts[0].place + dice.uniform(-1, 1, 2)).tolist())
            )
            reaches = reaches.after(spaces)
            kept += len(spaces) - len(reaches.searched)
            assert_as_alone(spaces, reaches)
        assert kept > 0

    @pytest.mark.parametrize(
        "change",
        [
            {"budget": Fraction(9)},
            {"turns": vehicle(9).turns},
            {"base": Round(0.5)},
            {"ground": PricedGround((), flat_ground)},
            {"box": (0, 0, 48, 40)},
            {"starts": (PoseStart((4.0, 4.0), Fraction(90)),)},
        ],
    )
    def test_other_changes_of_a_mover(self, change):
        spaces = self.spaces()
        found = PoseReaches(spaces).after([replace(spaces[0], **change), *spaces[1:]])
        assert found.searched == (0,)

    def test_what_only_bars_ends_does_not_matter_to_a_search(self):
        spaces = self.spaces()
        pond = rectangle((8, 4), (2, 1))
        after = [replace(spaces[0], no_end=[pond]), *spaces[1:]]
        found = PoseReaches(spaces).after(after)
        assert found.searched == ()
        assert found[0].costs_at([(8, 4), (7.6, 8.0)])[0] == np.inf
        assert_as_alone(after, found)

    def test_there_are_as_many_as_before(self):
        spaces = self.spaces()
        with pytest.raises(ValueError, match="there were 4 movers, and now there are 3"):
            PoseReaches(spaces).after(spaces[:3])


def test_moves_are_accepted_by_the_judge():
    spaces = crowd("tank", 0, 3)
    dice = np.random.default_rng(9)
    ends = 0
    for space, reach in zip(spaces, reach_many(spaces), strict=True):
        places = space.starts[0].place + dice.uniform(-1, 1, (25, 2)) * float(space.budget) * 0.5
        for cost, moves in zip(reach.costs_at(places).tolist(), reach.moves_to_each(places), strict=True):
            if moves is not None:
                verdict = judged(space, space.starts[0], moves)
                assert verdict.is_legal
                assert float(verdict.total) == pytest.approx(cost, abs=1e-6)
                ends += 1
    assert ends > 10


def test_nobody():
    assert reach_many([]) == []
    assert standing(vehicle(9, start=START)).polygon.distance(Round(0).at(*START).polygon) == 0
