"""Moves of several phases: each with a budget of its own, judged one by one, planned without a list of ends between."""

import math
from dataclasses import replace
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, stepper, steps, vehicle
from posed_tables import mover, random_moves

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.columns import pick
from simulator.pathing.posed import (
    EarlierPhase,
    EndPhase,
    KnockDown,
    PhasedReach,
    PoseLink,
    PoseReach,
    PoseStart,
    PricedGround,
    Rotate,
    TableLevel,
    Travel,
    TurnPrices,
    judged,
)
from simulator.pathing.posed.reference import prices_by, reference_costs, reference_graph
from simulator.pathing.posed.together import reach_many
from simulator.pathing.weighted import planner_for


def phased(space, *budgets, **more):
    """A mover with phases of some budgets before its last one."""
    return replace(space, earlier=tuple(EarlierPhase(Fraction(budget), **more) for budget in budgets))


def ahead(inches):
    """A leg straight ahead."""
    return Travel(FORWARD, Fraction(inches))


def checked(reach, places, headings=None):
    """The costs of places, each of which has a move that the judge accepts at that cost; how many have one."""
    costs = reach.costs_at(places) if headings is None else reach.costs_in(places, headings)
    count = 0
    for number, moves in enumerate(reach.moves_to_each(places, headings)):
        assert (moves is None) == math.isinf(costs[number])
        if moves is None:
            continue
        verdict = judged(reach.space, reach.space.starts[0], moves)
        assert verdict.is_legal, (places[number], verdict.objections)
        assert float(verdict.total) == pytest.approx(costs[number], abs=1e-6)
        assert verdict.place == pytest.approx(tuple(places[number]), abs=1e-5)
        if headings is not None:
            off = (float(verdict.heading) - headings[number] + 180.0) % 360.0 - 180.0
            assert off == pytest.approx(0.0, abs=1e-6)
        count += 1
    return costs, count


class TestJudge:
    def test_each_phase_has_its_budget(self):
        space = phased(stepper(4, free=90), 4)
        first, last = [Rotate(90, 90), ahead("3.7")], [ahead("3.7"), Rotate(-90, -90)]
        verdict = judged(space, space.starts[0], [*first, EndPhase(), *last])
        assert verdict.is_legal
        assert [part.total for part in verdict.phases] == [4, 4]
        assert (verdict.total, verdict.heading, verdict.place) == (4, 0, pytest.approx((0.0, 7.4)))

    @pytest.mark.parametrize("phase", [0, 1, 2])
    def test_an_objection_names_the_phase(self, phase):
        space = phased(stepper(4), 4, 4)
        inches = [Fraction(4)] * 3
        inches[phase] += 1
        moves = [move for part in inches for move in (ahead(part), EndPhase())][:-1]
        (objection,) = judged(space, space.starts[0], moves).objections
        assert (objection.what, objection.phase, objection.move) == ("budget", phase, 2 * phase)

    def test_no_more_phases_than_there_are(self):
        for space in (stepper(4), phased(stepper(4), 4)):
            moves = [EndPhase()] * (len(space.earlier) + 1)
            (objection,) = judged(space, space.starts[0], moves).objections
            assert (objection.what, objection.phase) == ("phase", len(moves))

    def test_what_is_left_is_lost(self):
        space = phased(vehicle(12), 12)
        verdict = judged(space, space.starts[0], [ahead(3), EndPhase(), ahead(13)])
        assert [one.what for one in verdict.objections] == ["budget"]

    def test_phases_without_moves(self):
        space = phased(vehicle(12), 12)
        assert judged(space, space.starts[0], [ahead(9)]).total == 0
        assert judged(space, space.starts[0], [ahead(13)]).objections[0].phase == 0

    def test_begun_pieces_are_paid_for_in_each_phase(self):
        space = phased(stepper(8), 8)
        verdict = judged(space, space.starts[0], [ahead("0.3"), EndPhase(), ahead("0.3")])
        assert [part.total for part in verdict.phases] == [Fraction(1, 2)] * 2

    def test_turns_of_two_phases_are_priced_apart(self):
        space = phased(vehicle(12), 12)
        verdict = judged(space, space.starts[0], [Rotate(45), EndPhase(), Rotate(45)])
        assert [part.total for part in verdict.phases] == [2, 2]
        assert judged(space, space.starts[0], [Rotate(45), Rotate(45)]).phases[0].total == 4

    @pytest.mark.parametrize("refreshes", [True, False])
    def test_free_degrees(self, refreshes):
        space = phased(stepper(4, free=90), 4, refreshes=refreshes)
        verdict = judged(space, space.starts[0], [Rotate(90, 90), EndPhase(), Rotate(90, 90)])
        assert verdict.total == (0 if refreshes else 2)
        assert judged(space, space.starts[0], [EndPhase(), Rotate(90, 90)]).total == 0

    def test_a_phase_may_not_end_where_the_mover_may_not(self):
        space = phased(stepper(4, no_end=[Round(0.5).at(4, 0)]), 4)
        assert judged(space, space.starts[0], [ahead(3), EndPhase(), ahead(4)]).is_legal
        verdict = judged(space, space.starts[0], [ahead(4), EndPhase(), ahead(4)])
        assert [(one.what, one.phase) for one in verdict.objections] == [("end", 0)]

    def test_a_long_base_that_stays_faces_as_it_does(self):
        # It stands clear of the thing only since it faces north.
        space = vehicle(12, base=Rectangle(4, 1), heading=90, no_end=[Round(0.5).at(1.5, 0)])
        assert judged(space, space.starts[0], []).is_legal
        assert judged(phased(space, 12), space.starts[0], [EndPhase()]).is_legal


class TestClosedForms:
    def test_straight_on(self):
        reach = PhasedReach(phased(stepper(8), 8))
        costs, _ = checked(reach, [(8, 0), (8.1, 0), (15.9, 0), (16, 0), (16.1, 0)])
        assert costs.tolist() == [0, 0.5, 8, 8, math.inf]

    @pytest.mark.parametrize("budgets", [("3.3", "4"), ("4", "3.3"), ("3.3", "3.3")])
    def test_pieces_are_counted_afresh(self, budgets):
        first, last = map(Fraction, budgets)
        far = [math.floor(2 * budget) / 2 for budget in (first, last)]
        reach = PhasedReach(phased(stepper(last), first))
        costs, _ = checked(reach, [(sum(far), 0), (sum(far) + 0.01, 0)])
        assert np.isfinite(costs).tolist() == [True, False]

    @pytest.mark.parametrize("bearing", [10, 30, 45, 77, 90])
    def test_any_way_that_a_free_turn_leads(self, bearing):
        reach = PhasedReach(phased(stepper(5, free=90), 5))
        toward = np.array([math.cos(math.radians(bearing)), math.sin(math.radians(bearing))])
        costs, _ = checked(reach, [10 * toward, 10.01 * toward])
        assert costs[0] == pytest.approx(5)
        assert math.isinf(costs[1])

    def test_a_free_turn_in_each_phase(self):
        # To the left, as far as the first phase pays for, and about in the second.
        for refreshes, cost in ((True, 0), (False, 2)):
            space = phased(stepper(5, free=90, modes=(FORWARD,)), 5, refreshes=refreshes)
            costs, _ = checked(PhasedReach(space), [(0, 5)], [180])
            assert costs[0] == cost

    @pytest.mark.parametrize("turn", range(15, 181, 15))
    def test_turns_by_brackets(self, turn):
        """Straight ahead for all of the first phase, then one turn: the sharpest way to a goal beside its end."""
        space = phased(vehicle(12, modes=(FORWARD,)), 12)
        price = float(space.turns.price(turn))
        left = 12 - price
        toward = np.array([math.cos(math.radians(turn)), math.sin(math.radians(turn))])
        costs, _ = checked(PhasedReach(space), [np.array([12, 0]) + left * toward])
        assert costs[0] <= 12 + 1e-6

    def test_a_leg_of_the_first_phase_is_only_as_long_as_the_next_needs_it(self):
        # At a flat price the nearest place to turn at is the foot of the perpendicular.
        space = phased(vehicle(20, modes=(FORWARD,), turns=TurnPrices.flat(9)), 8)
        costs, _ = checked(PhasedReach(space), [(7.3, 5), (7.3, 11), (7.3, 11.1)])
        assert costs.round(6).tolist() == [14, 20, math.inf]

    def test_short_of_what_it_may_not_end_on(self):
        friend = Round(0.5).at(4, 0)
        space = phased(stepper(4, free=0, modes=(FORWARD,), no_end=[friend]), 4)
        costs, _ = checked(PhasedReach(space), [(3, 0), (4, 0), (5, 0), (7, 0), (7.01, 0)])
        assert costs.tolist() == [0, math.inf, 2, 4, math.inf]

    def test_three_phases(self):
        reach = PhasedReach(phased(stepper(3, free=90), 3, 3))
        costs, _ = checked(reach, [(6, 0), (9, 0), (9.1, 0), (0, 9), (0, 9.1)])
        assert costs.tolist() == [0, 3, math.inf, 3, math.inf]

    def test_links_and_levels(self):
        lift = PoseLink("lift", 0, 1, Fraction(3), ((4.0, 0.0), (4.0, 2.0)))
        space = vehicle(6, modes=(FORWARD,))
        space = phased(replace(space, above=(TableLevel(space.ground),), links=(lift,)), 6)
        reach = PhasedReach(space)
        assert reach.costs_at([(4, 2), (7, 2)], level=1).round(6).tolist() == [3, 6]
        verdict = judged(space, space.starts[0], reach.moves_to((7, 2), level=1))
        assert (verdict.is_legal, float(verdict.total), verdict.level) == (True, pytest.approx(6), 1)
        early = PhasedReach(phased(space, 7))
        assert early.costs_at([(4, 2), (7, 2), (10, 2)], level=1).round(6).tolist() == [0, 3, 6]


SMALL = ("disc", "tank", "track")


def on_table(name, seed):
    """A mover of several phases on the table of a seed."""
    space = mover(name, seed)
    return phased(space, space.budget)


class TestOnTables:
    @pytest.mark.sampled
    @pytest.mark.parametrize("name", SMALL)
    def test_ends_are_sound(self, name):
        space = on_table(name, 5)
        dice = np.random.default_rng(5)
        reach = PhasedReach(space)
        places = dice.uniform((0, 0), (48, 36), (40, 2))
        _, count = checked(reach, places)
        _, facing = checked(reach, places, dice.uniform(0, 360, 40))
        assert count >= facing > 0

    @pytest.mark.sampled
    @pytest.mark.parametrize("name", SMALL)
    def test_no_random_move_is_missed(self, name):
        space = on_table(name, 6)
        dice = np.random.default_rng(6)
        found = []
        while len(found) < 60:
            moves = [*random_moves(space, dice), EndPhase(), *random_moves(space, dice)]
            verdict = judged(space, space.starts[0], moves)
            if verdict.is_legal:
                found.append((verdict.place, float(verdict.heading), float(verdict.total)))
        places, headings, costs = (np.array(column) for column in zip(*found, strict=True))
        reach = PhasedReach(space)
        assert (reach.costs_at(places) <= costs + 1e-6).all()
        assert (reach.costs_in(places, headings) <= costs + 1e-6).all()

    # Long: whole searches are compared; `test_no_random_move_is_missed` tries the same tables.
    @pytest.mark.long
    @pytest.mark.parametrize("name", ["disc", "track"])
    def test_no_end_of_the_first_phase_leads_farther(self, name):
        """From many ends of the first phase, each a start by itself, the last phase never costs less."""
        space = on_table(name, 7)
        dice = np.random.default_rng(7)
        first, reach = space.before_last, PhasedReach(space)
        places = dice.uniform((0, 0), (48, 36), (60, 2))
        least = np.full(len(places), np.inf)
        begun = 0
        while begun < 15:
            verdict = judged(first, first.starts[0], random_moves(first, dice))
            if verdict.is_legal:
                start = replace(space.starts[0], place=verdict.place, heading=verdict.heading)
                alone = replace(space, earlier=(), starts=(start,))
                least = np.minimum(least, PoseReach(alone).costs_at(places))
                begun += 1
        assert np.isfinite(least).sum() > 5
        assert (reach.costs_at(places) <= least + 1e-6).all()

    @pytest.mark.sampled
    @pytest.mark.parametrize("name", SMALL)
    def test_a_phase_of_nothing_changes_nothing(self, name):
        space = mover(name, 8)
        places = np.random.default_rng(8).uniform((0, 0), (48, 36), (40, 2))
        alone, after = PoseReach(space).costs_at(places), PhasedReach(phased(space, 0)).costs_at(places)
        assert (after <= alone + 1e-6).all()

    def test_more_in_a_phase_loses_nothing(self):
        space = mover("track", 9)
        places = np.random.default_rng(9).uniform((0, 0), (48, 36), (60, 2))
        some, more = (PhasedReach(phased(space, budget)).costs_at(places) for budget in (4, 6))
        assert (more <= some + 1e-6).all()

    def test_headings(self):
        reach = PhasedReach(phased(vehicle(12), 12))
        ranges = reach.headings_at((20, 4))
        assert ranges
        facing = [float(one.first) for one in ranges]
        costs, _ = checked(reach, np.tile((20.0, 4.0), (len(facing), 1)), np.array(facing))
        assert np.isfinite(costs).all()

    # Long: whole searches are compared; `test_no_random_move_is_missed` tries the same tables.
    @pytest.mark.long
    @pytest.mark.parametrize("name", ["tank", "oval"])
    def test_a_place_costs_the_same_among_others(self, name):
        space = on_table(name, 2)
        reach = PhasedReach(space)
        places = space.starts[0].place + np.random.default_rng(8).uniform(-9, 9, (60, 2))
        together = reach.costs_at(places)
        some = np.flatnonzero(np.isfinite(together))[:25]
        assert len(some) > 5
        assert together[some].tolist() == pytest.approx([float(reach.costs_at([places[one]])[0]) for one in some])


class TestAreas:
    @pytest.mark.sampled("None-space2")
    @pytest.mark.parametrize("space", [stepper(8, free=90), stepper(8), stepper(5, modes=(FORWARD, REVERSE))])
    @pytest.mark.parametrize("heading", [None, 30.0])
    def test_all_ends_and_no_others(self, space, heading):
        reach = PhasedReach(phased(space, space.budget))
        area = reach.area(heading=heading)
        places = np.random.default_rng(3).uniform(-17, 17, (800, 2))
        ends = np.isfinite(reach.costs_at(places) if heading is None else reach.costs_in(places, np.full(800, heading)))
        inside = shapely.intersects_xy(area, places[:, 0], places[:, 1])
        assert not (inside & ~ends).any()
        if heading is None:
            assert shapely.distance(area, shapely.points(places[ends])).max() <= 0.1

    # Long: many places beside an outline are asked; `test_all_ends_and_no_others` tries an area as a whole.
    @pytest.mark.long
    @pytest.mark.parametrize("name", ["vehicle", "track", "disc"])
    def test_hardly_any_end_lies_beyond_the_outline(self, name):
        """Turns at the end of a phase anywhere on a leg, at its beginning, and legs from phase to phase."""
        space = vehicle(12, bars=[rectangle((6, 5), (5, 2), 20)]) if name == "vehicle" else mover(name, 1)
        reach = PhasedReach(phased(replace(space, budget=min(space.budget, 12)), min(space.budget, 12)))
        area = reach.area()
        beside = shapely.get_coordinates(shapely.segmentize(shapely.buffer(area, 0.1).boundary, 0.5))
        assert np.isfinite(reach.costs_at(beside)).mean() < 0.02

    def test_behind_what_a_leg_of_the_first_phase_passes(self):
        # Rays of the second phase start far apart, some of them hidden by the disc from those that start first.
        disc = Round(1).at(0, 5)
        reach = PhasedReach(phased(stepper(8, modes=(FORWARD,), bars=[disc], heading=90), 8))
        area = reach.area()
        places = [(x, y) for x in np.arange(-6, 6.1, 0.25) for y in (11.0, 12.0, 13.0)]
        ends = np.isfinite(reach.costs_at(places))
        assert ends.sum() > 50
        assert shapely.distance(area, shapely.points(np.array(places)[ends])).max() < 0.05

    def test_barred(self):
        space = stepper(5, free=90, bars=[rectangle((4, 0), (1, 30))], box=(-12, -12, 12, 12))
        area = PhasedReach(phased(space, 5)).area()
        assert area.bounds[2] == pytest.approx(3.0, abs=0.01)


class TestForm:
    def test_refused(self):
        with pytest.raises(ValueError, match="0 or more"):
            EarlierPhase(Fraction(-1))
        with pytest.raises(ValueError, match="need not spend"):
            phased(vehicle(12, more_than=Fraction(6)), 12)
        with pytest.raises(ValueError, match="several phases"):
            PoseReach(phased(vehicle(12), 12))
        with pytest.raises(ValueError, match="one phase"):
            PhasedReach(vehicle(12))

    def test_planners(self):
        several, alone = phased(vehicle(6), 6), vehicle(6)
        assert [type(planner_for(space)) for space in (several, alone)] == [PhasedReach, PoseReach]
        free = phased(vehicle(6, turns=TurnPrices.flat(0)), 6)
        assert type(planner_for(free)) is PhasedReach
        first, second = reach_many([several, alone])
        assert first.costs_at([(12, 0)]).round(6).tolist() == [6]
        assert second.costs_at([(6, 0)]).tolist() == [6]

    def test_steps_are_those_of_the_space(self):
        assert phased(stepper(4), 4).before_last.turns == steps()


def root_of(states, state):
    """The pose of those that a search began with from which it came to another."""
    while states.parent[state] >= 0:
        state = int(states.parent[state])
    return state


class TestBesideNetworkx:
    """The last phase once more by networkx and the judge alone, from the poses that its search begins with."""

    SWAMP, WALL = rectangle((3, 1), (2, 3)), rectangle((-1, 3), (3, 0.6))

    def space(self, number, *budgets):
        """A small mover by number: with two modes, on dear ground, among walls, over a fence for a price."""
        turns = TurnPrices.of([(90, 1), (180, 2)], separation=(None, 0, 1)[number % 3])
        more = {"turns": turns, "base": (Round(0.4), Rectangle(1.0, 0.6))[number % 2], "bars": [self.WALL]}
        if number >= 2:
            more["ground"] = PricedGround([self.SWAMP], lambda under, _: Fraction(2 if under else 1))
        if number >= 4:
            more["tolls"] = [KnockDown(rectangle((0, -1.5), (4, 0.2)), lambda *_: Fraction(1))]
        modes = (FORWARD, REVERSE) if number % 2 else (FORWARD,)
        return phased(vehicle(12, budget=budgets[-1], modes=modes, **more), *budgets[:-1])

    @pytest.mark.sampled("0")
    @pytest.mark.parametrize("number", [0, 3, 4])
    def test_prices_are_equal_and_no_end_is_dearer(self, number):
        space = self.space(number, *((2, 2), (2, 1, 2), (3, 2))[number // 2])
        reach = PhasedReach(space)
        states, last = reach.searched[0].states, replace(space, earlier=())
        assert len(states.price) > 10
        graph = reference_graph(last, states)
        prices = prices_by(graph, states)
        # On its way from where it began no pose is cheaper; from elsewhere a leg may lead to where another turns.
        for root in np.flatnonzero(states.parent < 0).tolist():
            least = nx.single_source_dijkstra_path_length(graph, root)
            for state in np.flatnonzero([root_of(states, one) == root for one in range(len(states.price))]).tolist():
                assert float(least[state]) == pytest.approx(states.price[state], abs=1e-7)
        places = np.random.default_rng(number).uniform((-0.5, -1.5), (4, 1.5), (12, 2))
        known = reference_costs(last, states, prices, places)
        assert np.isfinite(known).any()
        assert np.all(reach.costs_at(places) <= known + 1e-9)

    @pytest.mark.sampled
    @pytest.mark.parametrize("number", [1, 2, 5])
    def test_the_judge_leads_to_each_pose_that_the_last_phase_begins_with(self, number):
        space = self.space(number, 3, 2)
        reach = PhasedReach(space)
        states = reach.searched[0].states
        for row in np.flatnonzero(states.parent < 0):
            start, moves = reach.moves_before(0, pick(states, np.array([row])))
            verdict = judged(space, PoseStart(start.place[0], Fraction(float(start.heading[0]))), moves)
            assert all(one.what == "end" for one in verdict.objections), verdict.objections
            assert verdict.place == pytest.approx(states.place[row].tolist(), abs=1e-7)
            assert math.cos(math.radians(float(verdict.heading) - states.heading[row])) == pytest.approx(1.0)


@pytest.mark.parametrize("last", ["0", "1", "6"])
@pytest.mark.parametrize("seed", range(4))
def test_who_stays_where_a_phase_ends_has_nothing_to_pay(last, seed):
    """All poses that the phase before leads to, those at the end of a turn among them."""
    rng = np.random.default_rng(seed)
    post = rectangle(tuple(rng.uniform(1, 3, 2)), (1, 1))
    earlier = (4,) if seed % 2 else (3, 2)
    space = phased(vehicle(4, base=Round(0.4), bars=(post,), budget=Fraction(last)), *earlier)
    reach = PhasedReach(space)
    places, headings = rng.uniform(-3, 4, (120, 2)), rng.uniform(0, 360, 120)
    places, headings = np.concatenate([places, [(3.0, 0.0), (2.5, 0.0), (1.0, 0.0)]]), np.r_[headings, 60, 60, 60]
    stays = np.isfinite(reach.before.costs_in(places, headings))
    assert stays.sum() >= 5
    costs, _ = checked(reach, places[stays], headings[stays])
    assert costs == pytest.approx(np.zeros(len(costs)), abs=1e-6)
