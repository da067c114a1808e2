"""Links that may fail and links with flags: ends by what is followed on the way, with costs, chances and moves."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, flat_ground, vehicle
from posed_tables import START, mover
from toll_tables import uphill_costs_more

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    Follow,
    KnockDown,
    PoseLink,
    PoseReach,
    PricedGround,
    Record,
    RecordedReach,
    TableLevel,
    Touch,
    Travel,
    TurnPrices,
    Wanted,
    judged,
)
from simulator.pathing.posed.records import recorded
from simulator.pathing.posed.reference import reference_prices
from simulator.pathing.traces import NoRoute

OPEN = PricedGround((), flat_ground)
JUMP = frozenset({"jump"})
DITCH = rectangle((5, 0), (1, 40))
VAULT = PoseLink("vault", 0, 0, Fraction(1), ((4.0, 0.0), (6.0, 0.0)), Fraction(2, 3), JUMP)
CERTAIN = Wanted(chance=Fraction(1))


def vaulter(*links, **more):
    """A round mover before a ditch right across the table."""
    more = {"base": Round(0.5), "modes": (FORWARD,), "turns": TurnPrices.flat(1), "bars": [DITCH], **more}
    return vehicle(20, links=links or (VAULT,), **more)


def checked(reach, place, level=0, wanted=Wanted(), heading=None):  # noqa: B008 - never changed
    """The verdict on the moves that a reach returns, which the judge accepts at its cost."""
    space = reach.space
    moves = reach.moves_to(place, heading, level, wanted)
    found = judged(space, space.starts[0], moves)
    cost = (
        reach.costs_at([place], level, wanted) if heading is None else reach.costs_in([place], [heading], level, wanted)
    )
    assert found.is_legal, found.objections
    assert float(found.total) == pytest.approx(float(cost[0]), abs=1e-6)
    assert found.level == level
    assert found.record.has(*wanted)
    return found


class TestOneLeap:
    def test_beyond_the_ditch_by_the_leap_alone(self):
        reach = RecordedReach(vaulter())
        assert reach.costs_at([(3, 0), (8, 0)]).tolist() == [3, 7]
        assert reach.costs_at([(3, 0), (8, 0)], wanted=CERTAIN).tolist() == [3, math.inf]
        assert reach.costs_at([(3, 0), (8, 0)], wanted=Wanted(JUMP)).tolist() == [math.inf, 7]
        assert reach.costs_at([(3, 0), (8, 0)], wanted=Wanted((), JUMP)).tolist() == [3, math.inf]
        assert reach.chances_at([(3, 0), (8, 0), (30, 0)]).tolist() == pytest.approx([1, 2 / 3, 0])
        found = checked(reach, (8, 0))
        assert (found.record.chance, found.record.flags) == (Fraction(2, 3), JUMP)

    def test_with_a_heading(self):
        reach = RecordedReach(vaulter())
        assert reach.costs_in([(8, 0)], [90], wanted=Wanted(JUMP)).tolist() == [8]
        assert checked(reach, (8, 0), wanted=Wanted(JUMP), heading=90).total == 8

    def test_no_move_that_counts(self):
        with pytest.raises(NoRoute):
            RecordedReach(vaulter()).moves_to((8, 0), wanted=CERTAIN)

    def test_areas(self):
        reach = RecordedReach(vaulter(box=(-2, -6, 12, 6)))
        sure, bold = reach.area(wanted=CERTAIN), reach.area(wanted=Wanted(JUMP))
        assert sure.bounds[2] == pytest.approx(4, abs=0.01)
        assert bold.bounds[0] == pytest.approx(6, abs=0.01)
        assert reach.area().area == pytest.approx(sure.area + bold.area, abs=0.01)


class TestSeveralWays:
    """A ditch to leap at once, or a plank farther off."""

    PLANK = PoseLink("plank", 0, 0, Fraction(3), ((4.0, 4.0), (6.0, 4.0)), flags=frozenset({"plank"}))

    def test_endings_by_cost_and_chance(self):
        reach = RecordedReach(vaulter(VAULT, self.PLANK))
        first, second = reach.endings_at((8, 0))
        assert (first.cost, first.record.chance, first.record.flags) == (7, Fraction(2, 3), JUMP)
        assert (second.record.chance, second.record.flags) == (1, {"plank"})
        # To the plank, across, and back to the line: three turns, of which one leads straight to the plank.
        assert second.cost == pytest.approx(1 + math.hypot(4, 4) + 3 + 1 + math.hypot(2, 4))
        checked(reach, (8, 0), wanted=CERTAIN)

    def test_two_leaps_one_after_the_other(self):
        second = rectangle((10, 0), (1, 40))
        again = PoseLink("vault again", 0, 0, Fraction(1), ((9.0, 0.0), (11.0, 0.0)), Fraction(1, 2), JUMP)
        reach = RecordedReach(vaulter(VAULT, again, bars=[DITCH, second]))
        assert reach.chances_at([(8, 0), (13, 0)]).tolist() == pytest.approx([2 / 3, 1 / 3])
        assert checked(reach, (13, 0)).record.chance == Fraction(1, 3)
        assert reach.costs_at([(13, 0)], wanted=Wanted(chance=Fraction(1, 2))).tolist() == [math.inf]
        assert Record(JUMP, (Fraction(1, 2), Fraction(2, 3))) in reach.records


class TestLevels:
    def climber(self, **more):
        """A roof from 4 on, climbed at its edge with a chance, with a hatch from above that is sure."""
        up = PoseLink("climb", 0, 1, Fraction(2), ((3.5, 0.0), (4.5, 0.0)), Fraction(5, 6), frozenset({"climb"}))
        off = PoseLink("jump off", 1, 0, Fraction(0), ((4.5, 0.0), (3.5, 0.0)), flags=JUMP)
        roof = TableLevel(OPEN, box=(4, -4, 12, 4))
        house = rectangle((8, 0), (8, 8))
        return vaulter(up, off, bars=[house], above=(roof,), modes=(FORWARD, REVERSE), **more)

    def test_up_and_down_again(self):
        reach = RecordedReach(self.climber())
        assert reach.costs_at([(8, 0)], 1).tolist() == [9]
        assert reach.chances_at([(8, 0)], 1).tolist() == pytest.approx([5 / 6])
        both = Wanted(frozenset({"climb", "jump"}))
        found = checked(reach, (3, 0), wanted=both)
        first = [str(move) for move in reach.moves_to((3, 0), wanted=both)][:3]
        assert first == ["3.5 inches forward", "climb", "jump off"]
        assert found.record.chance == Fraction(5, 6)

    def test_what_has_to_be_touched_stands_on_its_level_whatever_was_followed(self):
        chimney = Round(0.5).at(9, 0)
        space = self.climber(touch=(Touch(chimney, level=1),))
        reach = RecordedReach(space)
        assert reach.costs_at([(8, 0), (7, 0)], 1, Wanted(frozenset({"climb"}))).tolist() == [9, math.inf]
        assert reach.area(level=1).length > 1
        checked(reach, (8, 0), 1)

    def test_trees_stand_behind_a_leap_as_well(self):
        tree = KnockDown(Round(0).at(8, 0), uphill_costs_more(2))
        reach = RecordedReach(vaulter(tolls=[tree]))
        assert reach.costs_at([(7, 0), (10, 0)], wanted=Wanted(JUMP)).tolist() == [6, 11]
        assert checked(reach, (10, 0)).tolls.gone == {0}


class TestTheJudge:
    def test_a_record_of_what_was_followed(self):
        space = vaulter()
        found = judged(space, space.starts[0], [Travel(FORWARD, 4), Follow(VAULT), Travel(FORWARD, 1)])
        assert found.is_legal
        assert (found.record.chance, found.record.flags, found.total) == (Fraction(2, 3), JUMP, 6)
        assert judged(space, space.starts[0], [Travel(FORWARD, 4)]).record == Record()


class TestRecords:
    def test_a_link_with_a_chance_counts_once(self):
        space = vaulter(VAULT, replace(VAULT, name="back", places=VAULT.places[::-1], chance=Fraction(1, 2)))
        chances = {record.chances for record in recorded(space).records}
        assert chances == {(), (Fraction(2, 3),), (Fraction(1, 2),), (Fraction(1, 2), Fraction(2, 3))}

    def test_links_without_anything_to_record_need_no_more_levels(self):
        plain = PoseLink("ford", 0, 0, Fraction(1), VAULT.places)
        assert recorded(vaulter(plain)).level_count == 1
        assert recorded(vaulter(plain, VAULT)).level_count == 2

    def test_too_many_are_refused(self):
        links = [replace(VAULT, name=str(number), flags=frozenset({str(number)})) for number in range(7)]
        with pytest.raises(ValueError, match="more than 64 records"):
            recorded(vaulter(*links))

    @pytest.mark.parametrize("chance", [Fraction(0), Fraction(3, 2)])
    def test_chances_are_shares(self, chance):
        with pytest.raises(ValueError, match="the chance of a link is above 0 and at most 1"):
            replace(VAULT, chance=chance)

    def test_what_may_fail_leads_from_one_place_to_one(self):
        with pytest.raises(ValueError, match="'vault' leads from anywhere"):
            replace(VAULT, places=None)


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["disc", "track"])
def test_with_and_without_links_as_if_they_were_alone(name):
    space = replace(mover(name, 3), budget=Fraction(8))
    heading = math.radians(float(space.starts[0].heading))
    spots = [(START[0] + far * math.cos(heading), START[1] + far * math.sin(heading)) for far in (1.0, 2.0, 3.0, 4.0)]
    leap = PoseLink("leap", 0, 0, Fraction(1, 2), (spots[0], spots[3]), Fraction(1, 2), JUMP)
    door = PoseLink("door", 0, 0, Fraction(1, 4), (spots[1], spots[2]), flags=frozenset({"door"}))
    space = replace(space, links=(leap, door))
    reach = RecordedReach(space)
    places = np.random.default_rng(5).uniform(-5, 5, (24, 2)) + START
    every = reach.costs_at(places)
    assert every == pytest.approx(PoseReach(space).costs_at(places), abs=1e-9)
    for wanted, links in (((), JUMP), (door,)), (((), ("door",)), (leap,)), (((), ("door", "jump")), ()):
        alone = PoseReach(replace(space, links=links))
        assert reach.costs_at(places, wanted=Wanted(*wanted)) == pytest.approx(alone.costs_at(places), abs=1e-6)
    by_leap = reach.costs_at(places, wanted=Wanted(JUMP))
    assert np.isfinite(by_leap).any()
    for place, cost in zip(places.tolist(), by_leap.tolist(), strict=True):
        if math.isfinite(cost):
            assert "jump" in checked(reach, tuple(place), wanted=Wanted(JUMP)).record.flags
    inside = reach.area(wanted=Wanted(JUMP))
    some = shapely.get_coordinates(inside.buffer(-0.02))[:6]
    assert np.isfinite(reach.costs_at(some, wanted=Wanted(JUMP))).all()


# Long: networkx searches once for each record; costs with records are tried by hand beside it.
@pytest.mark.long
def test_the_search_is_as_cheap_as_networkx_for_each_record():
    reach = RecordedReach(vaulter(budget=9))
    states = reach.by_record.searched[0].states
    assert states.level.max() == 1
    prices = reference_prices(reach.by_record.space, states)
    assert states.price == pytest.approx(prices, abs=1e-9)
