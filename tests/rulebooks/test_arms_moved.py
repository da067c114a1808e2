"""CA-7 of combined_arms: what reach, paths and reasons say of a piece that has made its move of the turn."""

from fractions import Fraction

import pytest
from arms_games import TYPES, arms_game, piece

from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.pathing.traces import NoRoute

QUESTIONS = {
    "as it is": {},
    "climbing": {"climbing": True},
    "overrunning": {"overrunning": True},
    "hit": {"hits": 1},
    "under fire": {"chances": True},
    "unseen": {"unseen": True},
    "fast": {"firer": "fast", "target": "fast"},
}
WALL = Piece("wall", "low_obstacle", rectangle((8, 0), (2, 20)), "obstacle")
FREE = {"infantry_turning": "free"}


def game(*units, **settings):
    return arms_game(*units, data={"initiative": tuple(unit.id for unit in units)}, **settings)


def clauses(found):
    return [reason.clause for reason in found.reasons]


def moved(mobility, order="forward 1, turn_left 30", **settings):
    """A game in which a piece has made a move, beside an enemy that sees it and may still fire, and a small one."""
    man = piece("M", "on_foot", (3, 0), "blue", base=0.5)
    gun = piece("G", "tracked", (0, -20), "blue", weapon_range=60)
    here = game(piece("A", mobility, base=0.4), man, gun, terrain=(WALL,), **settings)
    here.do(f"A move: {order}", answers=[None, None])
    return here


class TestWhereItEnds:
    @pytest.mark.sampled
    @pytest.mark.parametrize("question", QUESTIONS)
    @pytest.mark.parametrize("mobility", TYPES)
    @pytest.mark.parametrize("options", [{}, FREE], ids=["", "free turns"])
    def test_it_stays_where_it_is(self, mobility, question, options):
        here = moved(mobility, options=options)
        unit, reach = here.state.unit("A"), here.reach("A", **QUESTIONS[question])
        spent = unit["spent_translation"] + unit["spent_rotation"]
        assert not reach.area.area
        assert reach.cost_at((0, 0)) is None
        assert (reach.cost_at(unit.place), reach.orders_to(unit.place)) == (pytest.approx(spent), [])
        assert reach.chance_at(unit.place) == 1
        for place in ((0, 0), (1.5, 0.2), (-3, 0), (40, 40)):
            why = reach.why_not(place)
            assert clauses(why) == ["CA-7"]
            assert (why.nearest, why.nearest_cost, why.remedy) == (unit.place, pytest.approx(spent), "")
            with pytest.raises(NoRoute):
                reach.orders_to(place)

    @pytest.mark.parametrize("options", [{}, FREE], ids=["", "free turns"])
    @pytest.mark.parametrize("mobility", ["jetpack", "on_foot", "grav"])
    def test_it_keeps_its_heading_and_altitude(self, mobility, options):
        reach = moved(mobility, options=options).reach("A", climbing=True)
        place = (1.0, 0.0)
        assert reach.cost_at(Pose(place, 30, 0)) is not None
        if TYPES[mobility] == "vehicle" or not options:
            assert reach.cost_at(Pose(place, 31)) is None
            assert clauses(reach.why_not(Pose(place, 31))) == ["CA-7"]
        assert all(reach.cost_at(Pose(place, None, level)) is None for level in reach.level_names if level)

    def test_a_weapon_without_wheels_does_not_turn_again(self):
        """CA-16: what costs nothing is over, too."""
        here = game(piece("A", "crew_weapon", wheeled_chassis=False), piece("B", "grav", (20, 0), "blue"))
        assert here.reach("A").cost_at(Pose((0, 0), 200)) == 0
        here.do("A move: turn_left 90")
        reach = here.reach("A")
        assert reach.cost_at(Pose((0, 0), 90)) == 0
        assert reach.cost_at(Pose((0, 0), 200)) is None
        assert clauses(reach.why_not(Pose((0, 0), 200)))[0] == "CA-7"

    def test_who_flies_beside_a_hall_does_not_land_on_its_floor(self):
        """CA-71: which costs nothing."""
        levels = {"floors": 3, "floor_height": 2}
        hall = Piece("keep", "building", rectangle((0, 0), (20, 20)), "replacing", height=6, attributes=levels)
        here = game(piece("A", "jetpack", (-12, 0)), piece("B", "grav", (30, 0), "blue"), terrain=(hall,))
        here.do("A move: climb 2")
        reach = here.reach("A", climbing=True)
        assert reach.cost_at(Pose((-12, 0), None, 2)) == 2
        assert reach.cost_at(Pose((-9, 0), None, "keep/1")) is None

    def test_even_where_damage_leaves_it_less_than_it_has_spent(self):
        here = game(piece("A", "grav", damage_level=2, has_moved=True, spent_translation=20))
        reach = here.reach("A")
        assert reach.cost_at((0, 0)) == 20
        assert clauses(reach.why_not((1, 0))) == ["CA-7"]

    @pytest.mark.parametrize(
        ("question", "stays"),
        [({"firer": "slow"}, False), ({"firer": "moderate"}, True), ({"target": "stationary"}, False)],
    )
    def test_bands_are_those_of_what_it_has_done(self, question, stays):
        """CA-95: 20 of 36 are moderate."""
        here = game(piece("A", "grav", has_moved=True, spent_translation=20))
        reach = here.reach("A", **question)
        assert reach.cost_at((0, 0)) == (20 if stays else None)
        assert clauses(reach.why_not((1, 0))) == ["CA-7"]

    def test_a_target_that_only_turned_is_stationary(self):
        here = game(piece("A", "grav", has_moved=True, spent_rotation=12))
        assert here.reach("A", target="stationary").cost_at((0, 0)) == 12
        assert here.reach("A", firer="stationary").cost_at((0, 0)) is None

    def test_it_does_not_leave_the_board(self):
        """CA-138: leaving it is moving."""
        here = game(piece("A", "grav", (47.5, 0), has_moved=True, spent_translation=20))
        reach = here.reach("A", leaving=True)
        assert not reach.area.area
        assert clauses(reach.why_not((48, 0))) == ["CA-7"]

    def test_in_the_next_turn_it_moves_again(self):
        here = moved("grav")
        for name in ("M", "G"):
            here.do(f"{name} done")
        assert here.reach("A").cost_at((11, 0)) is not None


class TestUnderFire:
    @pytest.mark.parametrize("question", [{}, {"chances": True}], ids=["", "chances"])
    def test_nobody_fires_at_it_any_more(self, question):
        """CA-102: it is fired at while it moves."""
        reach = moved("grav").reach("A", **question)
        assert reach.exposures_to((1, 0)) == []
        assert reach.orders_to((1, 0), safest=True) == []
        assert all(chance == 1 for chance, area in reach.chance_bands() if not area.is_empty)


class TestTransports:
    def carrier(self, **fields):
        return piece("T", "wheeled", (0, 0), rate_original=24, size_class=4, doors=[(-2, 0)], **fields)

    def test_who_has_boarded_does_not_get_off_in_that_turn(self):
        """CA-7, CA-129: whatever may be done in one turn, boarding ended its move."""
        for options in ({}, {"load_unload_same_turn": True}):
            here = game(piece("C", "on_foot", (-3, 0)), self.carrier(), options=options)
            here.do("C move: load T")
            reach = here.reach("C")
            assert not reach.area.area
            assert reach.cost_at((-3, 0)) is None
            assert clauses(reach.why_not((-3, 0)))[0] == "CA-7"

    @pytest.mark.parametrize("end", ["on_foot", "aboard"])
    def test_who_has_moved_does_not_board(self, end):
        here = game(piece("C", "on_foot", (-5, 0)), self.carrier())
        here.do("C move: forward 2")
        ride = here.reach("C", "ride", carrier="T", end=end)
        if end == "aboard":
            assert not ride.area.area
            assert clauses(ride.why_not((0, 0)))[0] == "CA-7"
        else:
            assert ride.cost_at((-3, 0)) == 2
            assert ride.cost_at((-2.9, 0)) is None

    def test_a_moved_transport_is_still_boarded(self):
        """CA-129: after its move, by what is left of the turn (CA-121)."""
        here = game(self.carrier(), piece("C", "on_foot", (5, 0)))
        here.do("T move: forward 8")
        assert here.reach("T").cost_at((9, 0)) is None
        assert not here.breaches("C move: forward 1, load T")
        ride = here.reach("C", "ride", carrier="T", end="aboard")
        assert ride.cost_at((8, 0)) is not None
        assert ride.cost_at((8.5, 0)) is None

    def test_in_two_turns_it_walks_in_the_second_alone(self):
        here = game(piece("C", "on_foot", (-20, 0)), self.carrier())
        here.do("C move: forward 2")
        ride = here.reach("C", "ride", carrier="T", turns=2)
        assert ride.cost_at((-12, 0)) == 6
        assert ride.cost_at((-11.9, 0)) is None

    def test_what_it_is_left_is_no_matter_of_fractions(self):
        here = game(piece("A", "on_foot", has_moved=True, spent_translation=Fraction(7, 3)))
        assert here.reach("A").cost_at((0, 0)) == pytest.approx(7 / 3, abs=1e-4)
