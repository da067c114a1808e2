"""Moves that have to spend more than so much: what is missing is wasted ahead and back; two limits at once."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, SIDEWAYS, stepper, vehicle
from posed_tables import START, mover

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.geometry.shapes import polygons_of
from simulator.pathing.posed import (
    KnockDown,
    Mode,
    PoseReach,
    PoseStart,
    PricedGround,
    Rotate,
    Touch,
    Travel,
    TurnGroup,
    TurnPrices,
    even_ground,
    judged,
)
from simulator.pathing.posed.rays import Rays
from simulator.pathing.posed.waste import detours_at


def checked(space, places, headings=None):
    """The costs of ends, each with a move that the judge accepts for that."""
    reach = PoseReach(space)
    costs = reach.costs_at(places) if headings is None else reach.costs_in(places, headings)
    for place, cost, moves in zip(places, costs, reach.moves_to_each(places, headings), strict=True):
        assert (moves is None) == math.isinf(cost)
        if moves is not None:
            found = judged(space, space.starts[0], moves)
            assert found.is_legal, found.objections
            assert float(found.total) == pytest.approx(float(cost), abs=1e-6)
            assert found.place == pytest.approx(tuple(place), abs=1e-6)
    return costs.tolist()


class TestBegunHalfInches:
    """A run of a mover with 6: more than 6 and at most 12, in half inches; half an inch back costs 1."""

    def run(self, **more):
        return stepper(12, more_than=Fraction(6), **more)

    def test_half_an_inch_ahead_and_back_costs_an_inch_and_a_half(self):
        # 2 inches are short of more than 6 by three detours, 6 inches by one, 7 by none.
        assert checked(self.run(), [(2, 0), (6, 0), (7, 0)], [0, 0, 0]) == [6.5, 7.5, 7]
        moves = PoseReach(self.run()).moves_to((6, 0), 0)
        assert [str(move) for move in moves] == ["0.5 inches forward", "0.5 inches reverse", "6 inches forward"]

    def test_with_a_heading(self):
        assert checked(self.run(), [(2, 0), (2, 0)], [0, 90]) == [6.5, 6.5]

    def test_what_is_missing_may_be_turned_instead(self):
        # Four detours on the spot cost 7.5, a way around 6.5.
        assert checked(self.run(), [(0, 0)]) == [6.5]

    def test_sideways_costs_more(self):
        walker = self.run(modes=(FORWARD, REVERSE, *SIDEWAYS))
        prices = [float(one.price) for one in detours_at(walker, walker.starts[0])]
        assert prices == [1.5, 1.5, 2, 2]

    def test_the_first_leg_goes_on_as_if_nothing_had_been(self):
        # Back, and then on in reverse without a turn between: one leg to the judge.
        space = self.run(modes=(FORWARD, REVERSE), bars=[rectangle((3, 0), (1, 9)), rectangle((-3, 0), (1, 9))])
        back = PoseReach(replace(space, more_than=None)).moves_to((-1.2, 0))
        (ahead, _) = detours_at(space, space.starts[0])
        for first in (ahead.moves(3, 6), ahead.moves(3, 6)[::-1]):
            assert judged(space, space.starts[0], [*first, *back]).total == 3 + 3 * Fraction(3, 2)

    def test_dear_ground_is_counted_where_it_lies(self):
        patch = rectangle((-1.2, 0), (1, 9))
        ground = PricedGround(
            [patch], lambda under, _: Fraction(2 if under else 1), base=Round(0.5), grain=Fraction(1, 2)
        )
        space = self.run(ground=ground)
        for one in detours_at(space, space.starts[0]):
            found = judged(space, space.starts[0], [Travel(one.there, one.inches), Travel(one.back, one.inches)])
            assert sum(charge.price for charge in found.charges) == one.price
        checked(space, [(2, 0), (-2, 0), (0, 0), (1, 1)])

    def test_without_room_there_is_no_detour(self):
        tight = self.run(box=(-0.6, -0.6, 0.6, 0.6))
        assert detours_at(tight, tight.starts[0]) == ()
        assert checked(tight, [(0, 0)]) == [math.inf]

    def test_the_area_has_no_hole(self):
        reach = PoseReach(self.run())
        assert polygons_of(reach.area()).contains(polygons_of(PoseReach(stepper(6)).area()).buffer(-0.05))


class TestExactInches:
    def space(self, **more):
        return vehicle(12, more_than=Fraction(6), modes=(FORWARD, REVERSE), base=Round(1), **more)

    def test_just_more_than_the_limit_is_spent(self):
        assert checked(self.space(), [(2, 0), (6, 0), (7, 0)]) == pytest.approx([6, 6, 7], abs=1e-6)
        assert all(cost > 6 for cost in checked(self.space(), [(2, 0), (6, 0), (0, 0)]))

    def test_detours_are_as_long_as_there_is_room(self):
        space = self.space(bars=[rectangle((1.5, 0), (0.2, 9)), rectangle((-1.5, 0), (0.2, 9))])
        assert {one.inches for one in detours_at(space, space.starts[0])} == {Fraction(1, 4)}
        assert checked(space, [(0, 0)]) == pytest.approx([6], abs=1e-6)

    def test_after_a_turn_that_counts_there_is_none(self):
        start = PoseStart((0, 0), Fraction(0), group=TurnGroup(1, Fraction(45), Fraction(2)))
        space = replace(self.space(), starts=(start,))
        assert detours_at(space, start) == ()

    def test_nothing_is_knocked_down_on_the_way(self):
        tree = KnockDown(Round(0).at(1.5, 0), lambda *_: Fraction(1))
        space = self.space(tolls=[tree])
        assert {one.inches for one in detours_at(space, space.starts[0])} == {Fraction(1, 2), Fraction(1)}
        checked(space, [(1, 0), (3, 0), (0, 0)])

    def test_who_cannot_go_back_wastes_nothing(self):
        space = vehicle(12, more_than=Fraction(6), modes=(FORWARD, Mode("aslant", 170)), base=Round(1))
        assert detours_at(space, space.starts[0]) == ()


class TestSpentOnATurnAtTheEnd:
    """Who only goes forward, and has to spend more than 6 of 12, turns where it ends if that is missing."""

    def space(self, **more):
        return vehicle(12, more_than=Fraction(6), modes=(FORWARD,), **more)

    def test_the_cheapest_turn(self):
        # 5 inches and a turn of 45 degrees for 2; 2 inches and a turn of 90 degrees would cost just 6.
        assert checked(self.space(base=Round(0.5)), [(5, 0), (4.5, 0), (3, 0)]) == pytest.approx([7, 6.5, 7])
        (ahead, turn) = PoseReach(self.space(base=Round(0.5))).moves_to((5, 0))
        assert str(ahead) == "5 inches forward"
        assert abs(turn.degrees) == 45

    def test_a_long_base(self):
        turns = TurnPrices.of([(45, 3), (180, 8)])
        assert checked(self.space(base=Rectangle(3, 1), turns=turns), [(5, 0), (3, 0)]) == pytest.approx([8, 9])

    def test_a_turn_of_one_step_instead_of_a_detour(self):
        # Half an inch ahead and back would cost 1.5.
        assert checked(stepper(12, more_than=Fraction(6)), [(2, 0), (6, 0), (7, 0)]) == [6.5, 6.5, 7]


class TestBegunAtAnEdge:
    """Beside the edge of the table, or a wall, some legs have no length at all, and cost nothing after a dear turn."""

    @pytest.mark.parametrize("heading", [0, 200])
    @pytest.mark.parametrize("kind", ["closed ground", "exact inches", "a tree in the way", "a long base"])
    def test_the_area_holds_what_has_a_price(self, kind, heading):
        width, depth = 7, 6
        box = (-width / 2, -depth, width / 2, 0.0)
        more = {"box": box, "start": (0, -0.5), "heading": heading, "more_than": Fraction(6)}
        match kind:
            case "closed ground":
                walls = [Rectangle(width + 8, 4).at(0, 2), Rectangle(width + 8, 4).at(0, -depth - 2)]
                walls += [Rectangle(4, depth).at(side * (width / 2 + 2), -depth / 2) for side in (-1, 1)]
                space = stepper(12, areas=walls, rate=lambda under, _: None if under else Fraction(1), **more)
            case "exact inches":
                space = vehicle(12, base=Round(0.5), modes=(FORWARD, REVERSE), **more)
            case "a tree in the way":
                tree = KnockDown(Round(0.2).at(0.7, -0.5), lambda *_: Fraction(1))
                space = stepper(12, tolls=[tree], **more)
            case _:
                space = vehicle(12, base=Rectangle(0.7, 0.5), modes=(FORWARD, REVERSE), **more)
        reach = PoseReach(space)
        area = polygons_of(reach.area())
        across, down = np.linspace(box[0], box[2], 7) + 0.012, np.linspace(box[1], box[3], 7) + 0.013
        places = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
        ends = np.isfinite(reach.costs_at(places))
        assert ends.any()
        assert not np.any(ends & ~shapely.intersects_xy(area.buffer(0.06), *places.T))
        assert not np.any(~ends & shapely.intersects_xy(area.buffer(-0.06), *places.T))
        checked(space, places[ends][:3])

    def test_rays_of_no_length_cost_nothing_beside_others(self):
        starts, headings, modes = np.array([(0, -0.5)] * 3), np.array([0.0, 90.0, 180.0]), np.zeros(3, int)
        for grain in (None, Fraction(1, 2)):
            space = stepper(12, areas=[rectangle((0, 1), (9, 2))], rate=lambda under, _: None if under else Fraction(1))
            space = replace(space, ground=replace(space.ground, grain=grain))
            rays = Rays.cast(space, starts, headings, modes, np.full(3, 3.0))
            assert rays.prices(np.arange(3), np.array([2.0, 0.0, 1.0])).tolist() == [2, 0, 1]
            assert rays.some(np.array([1])).prices(np.zeros(1, int), np.zeros(1)).tolist() == [0]
            assert rays.lengths_for(np.full(3, 2.0)) == pytest.approx([2, 0, 2])


class TestTwoLimits:
    def test_legs_at_most_a_third_and_everything_at_most_all(self):
        # 12 inches in all, 4 of them for legs; a turn of 45 degrees costs 2.
        space = vehicle(12, modes=(FORWARD,), base=Round(1), most_travelled=Fraction(4))
        side = 4 / math.sqrt(2)
        assert checked(space, [(4, 0), (4.1, 0), (side, side)]) == pytest.approx([4, math.inf, 6])
        assert checked(space, [(4, 0), (4, 0)], [90, 180]) == pytest.approx([8, math.inf])

    def test_more_than_so_much_and_legs_at_most_so_much(self):
        space = vehicle(12, modes=(FORWARD, REVERSE), base=Round(1), most_travelled=Fraction(6), more_than=Fraction(4))
        assert checked(space, [(5, 0), (6, 0), (6.1, 0)]) == pytest.approx([5, 6, math.inf])
        for cost in checked(space, [(1, 0), (0.2, 0)]):
            assert cost > 4

    def test_a_charge_at_one_who_stands_near(self):
        foe = Round(0.5).at(2.5, 0)
        space = stepper(12, more_than=Fraction(6), bars=[foe], touch=(Touch(foe),))
        assert checked(space, [(1.5, 0)]) == [6.5]
        assert PoseReach(space).area().distance(foe.polygon) < 0.51


def test_what_the_judge_says():
    space = stepper(12, more_than=Fraction(6))
    found = judged(space, space.starts[0], [Travel(FORWARD, 5), Rotate(90)])
    assert found.is_legal
    assert found.total == 7
    (least,) = judged(space, space.starts[0], [Travel(FORWARD, 4)]).objections
    assert (least.what, least.needed, least.available) == ("least", 6, 4)


@pytest.mark.parametrize("name", ["disc", "track"])
def test_what_was_an_end_stays_one_on_a_finer_mesh(name):
    space = replace(mover(name, 1), budget=Fraction(9), more_than=Fraction(5))
    places = np.random.default_rng(4).uniform(-6, 6, (20, 2)) + START
    coarse, fine = PoseReach(space).costs_at(places), PoseReach(space, finer=1).costs_at(places)
    assert np.isfinite(coarse).sum() > 5
    assert np.all(fine <= coarse + 1e-9)
    checked(space, places[:8])


def test_legs_in_one_line_are_one_leg():
    """Parted, they would cost half an inch more, for which a turn of no angle does not count."""
    turns, foe = TurnPrices.in_steps(Fraction(45, 2), Fraction(1, 2), free=90), Round(0.5).at(24, 31)
    halves = replace(even_ground(Fraction(1)), grain=Fraction(1, 2))
    space = vehicle(12, budget=12, base=Round(0.5), turns=turns, ground=halves, more_than=Fraction(6))
    space = replace(space, starts=(PoseStart((24.0, 24.0), Fraction(0)),), bars=[Round(0.49).at(24, 31)])
    space = replace(space, modes=(FORWARD, REVERSE, *SIDEWAYS), touch=[Touch(foe)])
    checked(space, [(24, 30), (24, 29.995), (24.3, 30.05)])
