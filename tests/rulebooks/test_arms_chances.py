"""Chances under fire in combined_arms: by reach as foreseen for its order, and by hand (CA-92, CA-102)."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
import shapely
from arms_games import arms_game, piece

from simulator.errors import TooMuchAsked
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.rulesets.combined_arms import odds
from simulator.rulesets.combined_arms.exposure import exposures
from simulator.rulesets.combined_arms.odds import chance_of

#: The chance of 7 or more with 2D6, of 8, 9 and 10: a target that stands, is slow, moderate, fast.
STANDING, SLOW, MODERATE, FAST = (Fraction(number, 36) for number in (21, 15, 10, 6))


def game(*units, terrain=(), **settings):
    return arms_game(*units, terrain=terrain, data={"initiative": tuple(unit.id for unit in units)}, **settings)


def gun(name="G", at=(0, 20), **fields):
    return piece(name, "tracked", at, "blue", **{"weapon_range": 60, **fields})


def chance(table, order):
    return chance_of(table.ready_table("A"), table.read(order))


class TestByHand:
    def test_infantry_is_not_hit(self):
        """CA-93: every enemy fires before it has moved."""
        for count in range(4):
            guns = [gun(f"G{number}", (number, 20)) for number in range(count)]
            table = game(piece("A", "on_foot"), *guns)
            assert chance(table, "A move: forward 3") == (1 - STANDING) ** count
            assert table.reach("A", chances=True).chance_at((3, 0)) == (1 - STANDING) ** count
            assert table.reach("A").chance_at((3, 0)) == 1

    def test_seen_when_it_is_fast(self):
        """CA-101: a target that comes out of cover after 5 inches is fast by then."""
        wall = Piece("w", "building", rectangle((0, 5), (10, 1)))
        table = game(piece("A", "on_foot"), gun(at=(0, 40)), terrain=(wall,))
        assert chance(table, "A move: forward 6") == 1 - FAST
        assert chance(table, "A move: forward 5") == 1

    def test_cover_and_the_band_of_the_firer(self):
        """CA-99, CA-116: who has not moved chooses to be stationary, who has is what it was."""
        assert chance(game(piece("A", "on_foot", cover=1), gun()), "A move: forward 1") == 1 - SLOW
        fast = gun(has_moved=True, spent_translation=30)
        assert chance(game(piece("A", "on_foot"), fast), "A move: forward 1") == 1 - FAST

    @pytest.mark.sampled
    @pytest.mark.parametrize(("inches", "hits"), [(12, 3), (24, 2), (36, 1)])
    def test_vehicles_get_there_with_as_many_hits_as_they_can_take(self, inches, hits):
        """CA-92: with 24 of 36 inches after one hit, 12 after two, none after three."""
        guns = [gun(f"G{number}", (number, 20)) for number in range(hits)]
        table = game(piece("A", "grav"), *guns)
        assert chance(table, f"A move: forward {inches}") == 1 - STANDING**hits

    def test_a_hit_that_comes_too_late(self):
        """CA-92: a gun that sees no more than the very end of the way does not matter to a vehicle."""
        wall = Piece("w", "building", rectangle((0, 5), (60, 1)))
        table = game(piece("A", "grav"), gun(at=(0, 40)), terrain=(wall,))
        end = math.nextafter(30 + 0.0, 40)
        assert chance(table, f"A move: forward {end}") == 1

    def test_by_option_damage_counts_next_turn(self):
        """CA-92, option mid_move_damage."""
        table = game(piece("A", "grav"), gun(), options={"mid_move_damage": "next_turn"})
        assert chance(table, "A move: forward 36") == 1

    def test_facing(self):
        """A place is reached also where the last rotation is not paid any more."""
        reach = game(piece("A", "grav"), gun()).reach("A", chances=True)
        assert reach.chance_at((24, 0)) == 1
        assert reach.chance_at(Pose((24, 0), 45)) == 1 - STANDING

    def test_other_dice(self):
        """CA-97: the figures of the roll can be replaced."""
        table = game(piece("A", "on_foot"), gun(), tables={"hit.dice": "D6", "hit.needed": 5})
        assert chance(table, "A move: forward 1") == Fraction(2, 3)

    def test_who_cannot_fire(self):
        for other in (gun(has_fired=True), gun(weapon_range=5), piece("G", "tracked", (0, 20), "blue")):
            assert chance(game(piece("A", "on_foot"), other), "A move: forward 3") == 1

    def test_no_end_has_no_chance(self):
        reach = game(piece("A", "on_foot"), gun()).reach("A", chances=True)
        assert reach.chance_at((7, 0)) == 0
        assert reach.chance_at((0, 0)) == 1  # it does not move, so nobody fires

    def test_too_much(self, monkeypatch):
        monkeypatch.setattr(odds, "MOST_PLAYED", 3)
        guns = [gun(f"G{number}", (number, 20)) for number in range(2)]
        with pytest.raises(TooMuchAsked):
            chance(game(piece("A", "grav"), *guns), "A move: forward 20, turn_left 45, forward 5")


class TestExposure:
    def test_who_where_and_with_which_odds(self):
        """CA-102: amount, band, altitude and cover, part by part."""
        table = game(piece("A", "grav", cover=1), gun())
        found = table.reach("A", chances=True, climbing=True).exposures_to(Pose((20, 0), None, 0))
        assert [(one.who, one.clause, one.element, str(one.when), one.band) for one in found] == [
            ("G", "CA-102", 1, "0", "stationary"),
            ("G", "CA-102", 1, "above 0 up to 12", "slow"),
            ("G", "CA-102", 1, "above 12 up to 20", "moderate"),
        ]
        assert [one.chance for one in found] == [SLOW, MODERATE, FAST]
        assert str(found[1]).startswith("G (CA-102): element 1 above 0 up to 12, at ")
        assert str(found[1]).endswith("A is slow -1, cover -1, hits 5/18")

    def test_at_its_altitude(self):
        wall = Piece("w", "high_wall", rectangle((0, 5), (60, 1)), height=2)
        table = game(piece("A", "grav"), gun(), terrain=(wall,))
        found = exposures(table.ready_table("A"), table.read("A move: climb 4, forward 5"))
        assert sorted({one.element for one in found}) == [1, 2]
        assert all(one.altitude > 0 for one in found)
        assert found[-1].altitude == 4

    def test_nobody(self):
        wall = Piece("w", "building", rectangle((0, 5), (60, 1)))
        assert game(piece("A", "grav"), gun(), terrain=(wall,)).reach("A").exposures_to((9, 0)) == []


class TestBands:
    @pytest.mark.sampled
    @pytest.mark.parametrize("mobility", ["grav", "on_foot", "crew_weapon"])
    def test_every_end_has_the_chance_of_its_band(self, mobility):
        """Areas by chance are those that so many hits leave (CA-92): every place in one has at least its chance."""
        guns, small = [gun("G", (0, 20)), gun("H", (8, 12))], {"rate_original": 18} if mobility == "grav" else {}
        reach = game(piece("A", mobility, **small), *guns).reach("A", chances=True)
        bands = reach.chance_bands()
        assert bands[0][0] == 1
        assert shapely.union_all([area for _, area in bands]).area == pytest.approx(reach.area.area, rel=1e-6)
        rng = np.random.default_rng(2)
        for chance_, area in bands[1:]:
            left, bottom, right, top = area.bounds
            places = rng.uniform((left, bottom), (right, top), (40, 2))
            inside = places[shapely.contains_xy(area, places)][:2]
            for place in inside.tolist():
                assert reach.chance_at(tuple(place)) >= chance_

    def test_certain(self):
        mover = piece("A", "grav", rate_original=18)
        reach = game(mover, gun()).reach("A", chances=True)
        same = game(mover, gun()).reach("A", hits=1)
        assert reach.certain_area.symmetric_difference(same.area).area < 0.5
        (sure, _), (chance_, _) = reach.chance_bands()
        assert (sure, chance_) == (1, 1 - STANDING)
        assert [level for level, _ in reach.chance_bands([Fraction(1, 3)])] == [Fraction(1, 3)]


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_as_foreseen_for_its_order(seed):
    """The chance by reach is that which is foreseen for the order, over all plays of it, in games made up at random."""
    rng = random.Random(seed)
    mobility = ["grav", "on_foot", "tracked", "jetpack", "crew_weapon", "hover"][seed % 6]
    fields = {"crew_required": 2} if mobility == "crew_weapon" else {}
    mover = piece("A", mobility, heading=rng.uniform(0, 360), **fields)
    moved = {"has_moved": True, "spent_translation": rng.choice([0, 9, 20])}
    enemy = gun(at=(rng.uniform(-15, 15), rng.uniform(8, 15)), weapon_range=rng.choice([15, 60]), **moved)
    walls = tuple(
        Piece(f"w{number}", "building", rectangle((rng.uniform(-12, 12), rng.uniform(2, 7)), (4, 1)))
        for number in (1, 2)
    )
    table = game(mover, enemy, terrain=walls)
    reach, found = table.reach("A", chances=True), 0
    for _ in range(12):
        far = float(reach.most) * rng.uniform(0.4, 0.95)
        angle = rng.uniform(0, 2 * math.pi)
        place = (far * math.cos(angle), far * math.sin(angle))
        if reach.cost_at(place) is None:
            continue
        foreseen = table.foresee(reach.orders_to(place))
        assert reach.chance_at(place) == foreseen.least_chance()
        found += 1
        if found == 2:
            break
    assert found


HALL = Piece("w", "building", rectangle((-3, 5), (5, 1)))
DOORS = piece("T", "tracked", (8, 0), doors=((0, 0),))
LANDER = piece("A", "grav", None, enters_on=1, assault_lander=True, rate_original=12)
ORDERS = [
    ([piece("A", "grav", damage_level=1)], "A move: forward 7, turn_left 45, forward 2"),
    ([piece("A", "grav", altitude=2, damage_level=1)], "A move: climb 1, forward 6, descend 3"),
    ([piece("A", "jetpack", None, enters_on=1)], "A move: enter at 0,-48 facing 90, forward 20"),
    ([LANDER], "A move: drop at 3,0 facing 90, descend 12"),
    ([piece("A", "crew_weapon", (4, 0), crew_required=2), DOORS], "A move: forward 3, load T"),
    ([piece("A", "on_foot", None, carrier="T"), DOORS], "A move: unload at 8,1 facing 90, forward 3"),
    (
        [piece("A", "tracked", armored=True, size_class=6), piece("B", "on_foot", (6, 0), "blue")],
        "A move over B: forward 9",
    ),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("units", "order"), ORDERS)
def test_of_orders_as_foreseen(units, order):
    """Climbs, entries, descents, boarding, getting off and overruns, under fire of an enemy that has moved already."""
    mover, *others = units
    table = game(mover, *others, gun(has_moved=True, spent_translation=9), terrain=(HALL,))
    assert list(table.breaches(order)) == []
    foreseen = table.foresee(order)
    assert foreseen.interruptions
    assert chance(table, order) == foreseen.least_chance()
