"""What is left out because another plan leads there does lead there: plans one by one, and all of them together."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from mecha_games import generated, mecha_game, unit

from simulator.engine.amounts import plain
from simulator.engine.plans_reach import shortage
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.geometry.shapes import joined
from simulator.rulesets.mecha.phase_ends import second_phase
from simulator.rulesets.mecha.plans import (
    free_afterwards,
    plans_of_phase,
    plans_of_turn,
    turning_only,
    turns_between,
)

#: Each with the seed of its table.
MOVERS = {"walker": 41, "wheel": 44, "infantry": 45}


@pytest.fixture(scope="module", params=MOVERS)
def reach(request):
    """The turn of a unit on a generated table."""
    return generated(MOVERS[request.param], request.param).reach("A", "turn")


def places_in(area, count=40):
    """Places in the polygons of an area."""
    dice, (left, bottom, right, top) = np.random.default_rng(5), area.bounds
    some = dice.uniform((left, bottom), (right, top), (20 * count, 2)).round(3)
    return some[shapely.contains_xy(area, *some.T)][:count]


def least(ranges, heading):
    """The least cost of a heading in some ranges; None in none."""
    return min((one.cost for one in ranges if heading in one), default=None)


@pytest.mark.sampled
def test_a_covered_plan_adds_no_places(reach):
    by_name = {plan.name: plan for plan in reach.plans}
    covered = [plan for plan in reach.plans if plan.covered_by]
    assert covered
    for plan in covered:
        places = places_in(plan.answer.area)
        ends = np.isfinite(plan.answer.costs_of(places))
        assert ends.mean() > 0.99
        assert np.isfinite(by_name[plan.covered_by].answer.costs_of(places[ends])).all(), plan.name


# Long: the areas of all plans are drawn; what covers what is tried beside it.
@pytest.mark.long
def test_the_area_of_all_is_that_of_each(reach):
    for price in reach.levels:
        each = joined([plan.answer.area for plan in reach.plans if plan.price <= price])
        together = reach.within(price)
        # Ends that a way just so leads to may be found or missed, but not many.
        assert shapely.difference(together, each.buffer(reach.tolerance)).area < 0.05
        assert shapely.difference(each, together.buffer(reach.tolerance)).area < 1e-3


@pytest.mark.long
def test_the_headings_of_all_are_those_of_each(reach):
    places = places_in(reach.area, 2)
    for row, found in enumerate(reach.headings_in_each(places, None)):
        each = [
            replace(one, cost=plain(plan.price))
            for plan in reach.plans
            for one in plan.answer.headings_in_each(places[row : row + 1], None)[0]
        ]
        for heading in np.arange(0.123, 360.0, 1.5).tolist():
            assert least(found, heading) == least(each, heading), (places[row], heading)


class TestClimbs:
    """Climbs after a move: looked for along all sides together, round terrain by the sides it is drawn with."""

    def turn(self, **fields):
        terrain = (
            Piece("keep", "building", rectangle((6, 0), (4, 5), 20), "elevated", 3),
            Piece("shed", "building", rectangle((-4, 5), (3, 3)), "elevated", 2),
        )
        return mecha_game(unit("A", "walker", size_class=2, move=5, **fields), terrain=terrain).reach("A", "turn")

    @pytest.mark.long
    def test_the_lines_on_top_are_what_costs_say(self):
        name = "keep"
        (plan,) = (plan for plan in self.turn().plans if plan.name == "standard, then climb")
        drawn = plan.answer.area_of(level=name)
        assert drawn.length > 1.0
        sides = plan.answer._sides
        for share in np.linspace(0.02, 0.98, 25).tolist():
            places = sides.on_top(share)[[one == name for one in sides.names]]
            ends = np.isfinite(plan.answer.costs_in(places, None, name))
            assert (shapely.distance(shapely.points(places), drawn) < 1e-4).tolist() == ends.tolist()


def deeds_of(one, *others, phase="movement_1", **settings):
    """What a unit can do in the rest of the turn, with the AP that it takes, and what covers it."""
    game = mecha_game(one, unit("B", "walker", (20, 0), "blue"), *others, **settings)
    (number,) = (at for at, known in enumerate(game.table.clock.phases) if known.name == phase)
    table = type(game.table)(game.setting, game.state.put(clock=game.table.clock.put({"number": number})))
    found = list(plans_of_turn(table, table.unit("A")))
    assert len({plan.name for plan in found}) == len(found)
    assert {plan.covered_by for plan in found} <= {"", *(plan.name for plan in found)}
    return {plan.name.replace(", then ", " "): plain(plan.price) for plan in found}


#: What a unit does in the two phases, and the AP of that; and what is worth it besides for one that turns freely.
USUAL = {"free_turn free_turn": 0, "standard free_turn": 1, "run free_turn": 2, "standard standard": 2}
BEFORE = {"free_turn standard": 1, "free_turn run": 2}


class TestWhatPlansThereAre:
    """Every pair of Move Actions that the clauses allow, but those that another pair does as well."""

    def test_of_a_turn(self):
        """ME-2, ME-6, ME-34, ME-48, ME-49: nothing but free turns beside a run, and two moves."""
        assert deeds_of(unit("A", "walker")) == {**USUAL, **BEFORE}
        assert deeds_of(unit("A", "track")) == USUAL

    @pytest.mark.parametrize(
        ("mobility", "known"),
        [
            (
                "walker",
                {
                    "standard free_turn": "free_turn standard",
                    "run free_turn": "free_turn run",
                    "free_turn standard": "standard standard",
                },
            ),
            ("track", {"standard free_turn": "standard standard"}),
        ],
    )
    def test_what_covers_what(self, mobility, known):
        """ME-10, ME-34: it may do the same a phase later, turned freely before; or go on by no inch."""
        table = mecha_game(unit("A", mobility), unit("B", "walker", (20, 0), "blue")).table
        found = {plan.name: plan.covered_by for plan in plans_of_turn(table, table.unit("A"))}
        told = {name: cover for name, cover in found.items() if cover}
        assert {name.replace(", then ", " "): cover.replace(", then ", " ") for name, cover in told.items()} == known

    @pytest.mark.parametrize(("per", "again"), [("phase", True), ("turn", False)])
    def test_the_free_turn_of_the_second_phase(self, per, again):
        """ME-34, option free_turn_per: between two moves it comes back, or does not."""
        one, options = unit("A", "walker"), {"free_turn_per": per}
        table = mecha_game(one, unit("B", "walker", (20, 0), "blue"), options=options).table
        (both,) = (plan for plan in plans_of_turn(table, one) if plan.name == "standard, then standard")
        ((earlier),) = both.answer.space.earlier
        assert (earlier.budget, earlier.refreshes) == (6, again)

    def test_each_knows_what_is_done(self):
        """ME-2: by which the orders to an end are told."""
        table = mecha_game(unit("A", "track", acted_1="standard"), unit("B", "walker", (20, 0), "blue")).table
        for plan in (*plans_of_turn(table, table.unit("A")), *plans_of_phase(table, table.unit("A"))):
            assert str(plan.answer.deeds) == plan.name

    def test_of_a_phase(self):
        """ME-2, ME-49: what is left in the second."""
        left = {"free_turn free_turn": 0, "standard free_turn": 1, "run free_turn": 2}
        assert deeds_of(unit("A", "walker"), phase="movement_2") == left
        moved = deeds_of(unit("A", "walker", acted_1="standard"), phase="movement_2")
        assert moved == {"free_turn free_turn": 0, "standard free_turn": 1}
        assert deeds_of(unit("A", "walker", acted_1="run"), phase="movement_2") == {"free_turn free_turn": 0}

    def test_by_its_action_points(self):
        """ME-7: only what it can pay for, in both phases together; nothing where they are not tracked."""
        one = {"free_turn free_turn": 0, "standard free_turn": 1, "free_turn standard": 1}
        assert deeds_of(unit("A", "walker", ap=1)) == one
        assert deeds_of(unit("A", "walker", ap=0)) == {"free_turn free_turn": 0}
        assert deeds_of(unit("A", "walker", ap=5, ap_spent=4)) == one
        free = deeds_of(unit("A", "walker"), options={"ap_per_turn": None})
        assert free == dict.fromkeys({**USUAL, **BEFORE}, 0)

    def test_what_it_can_do_in_the_second_phase_alone(self):
        """ME-2, ME-76, ME-80: after what bars it in the first, whether or not it turns in between."""
        waits = {"free_turn free_turn": 0, "free_turn standard": 1}
        assert deeds_of(unit("A", "track", acted_1="standard")) == waits
        assert deeds_of(unit("A", "track", acted_1="unloaded")) == waits
        assert deeds_of(unit("A", "track", lock="entered")) == {**waits, "free_turn run": 2}
        locked = deeds_of(unit("A", "track", lock="entered"), options={"carrier_lock_scope": "turn"})
        assert locked == {"free_turn free_turn": 0}
        lies = deeds_of(unit("A", "walker", acted_1="unloaded", fallen=True))
        assert lies == {"free_turn free_turn": 0, "free_turn straighten_up": 1}

    def test_a_free_turn_once_a_turn_may_as_well_wait(self):
        """ME-34, option free_turn_per."""
        once = {"options": {"free_turn_per": "turn"}}
        assert deeds_of(unit("A", "walker"), **once) == USUAL
        assert deeds_of(unit("A", "walker", free_turned=90), **once) == USUAL

    def test_who_has_turned_freely_may_wait_for_the_next_free_turn(self):
        """ME-34: it is back in the second phase."""
        assert deeds_of(unit("A", "walker", free_turned=90)) == {**USUAL, **BEFORE}
        game = mecha_game(unit("A", "walker", free_turned=90), unit("B", "walker", (20, 0), "blue"))
        reach = game.reach("A", "turn")
        assert reach.cost_at(Pose((0, 6), 90)) == 1
        for order in reach.orders_to(Pose((0, 6), 90)):
            game.do(order)
        assert (game.state.unit("A").place, game.state.unit("A").heading) == ((0, 6), 90)

    def test_in_contact_it_breaks_away(self):
        """ME-8, ME-58: for the same budget; afterwards it moves on."""
        beside = unit("D", "walker", (1, 0), "blue")
        found = deeds_of(unit("A", "track"), beside)
        assert found == {"free_turn free_turn": 0, "break_away free_turn": 1, "break_away standard": 2}

    @pytest.mark.parametrize(
        ("figure", "value", "worth_it"),
        [("ap", 0, True), ("ap", 2, False), ("moves", 2, True), ("moves", Fraction(1, 2), False)],
    )
    def test_out_of_contact_only_if_its_figures_are_better(self, figure, value, worth_it):
        """ME-6, ME-58: a Break Away leads no farther than a standard move, unless data say otherwise."""
        found = deeds_of(unit("A", "track"), tables={f"action.break_away.{figure}": value})
        assert ("break_away free_turn" in found) == worth_it

    def test_who_has_fallen_gets_up(self):
        """ME-94, ME-95: in a later turn, and has no free turn before that."""
        got_up = {"free_turn free_turn": 0, "straighten_up free_turn": 1, "straighten_up standard": 2}
        assert deeds_of(unit("A", "walker", fallen=True)) == got_up
        assert deeds_of(unit("A", "walker", fallen=True), phase="movement_2") == {
            "free_turn free_turn": 0,
            "straighten_up free_turn": 1,
        }
        assert deeds_of(unit("A", "walker", fallen=True, fell_this_turn=True)) == {"free_turn free_turn": 0}
        game = mecha_game(unit("A", "walker", fallen=True))
        assert turns_between(game.table, game.table.unit("A")) == 0
        assert turning_only(game.table, game.table.unit("A")).space.turns.free == 0
        up = mecha_game(unit("A", "walker"), unit("B", "walker", (20, 0), "blue"))
        assert turns_between(up.table, up.table.unit("A")) == 90
        assert turning_only(up.table, up.table.unit("A")).space.turns.free == 90

    @pytest.mark.parametrize(("per", "left", "later"), [("phase", 0, 90), ("turn", 30, 0)])
    def test_what_the_first_phase_leaves(self, per, left, later):
        """ME-2, ME-7, ME-34: its AP and its Move Action are gone, its free turn comes back."""
        options = {"free_turn_per": per}
        table = mecha_game(
            unit("A", "walker", free_turned=30, ap_spent=1), unit("B", "walker", (20, 0), "blue"), options=options
        ).table
        then, there = second_phase(table, table.unit("A"), "run")
        assert then.clock.phase.name == "movement_2"
        assert (there["acted_1"], there["ap_spent"], there["free_turned"]) == ("run", 3, left)
        assert then.unit("A") == there
        _, idle = second_phase(table, table.unit("A"), "")
        assert (idle["acted_1"], idle["ap_spent"]) == ("", 1)
        assert free_afterwards(table, table.unit("A")) == later


# Long: each plan is asked by itself how much is missing, with searches of larger budgets.
@pytest.mark.long
def test_the_reasons_are_those_of_the_plan_that_comes_nearest(reach):
    """What other plans miss is found out only as far as it may be less; the answer is the same."""
    x, y = reach.start
    places = [(x + 9.0, y + 6.0), (x - 13.0, y + 1.0), (x + 2.0, y - 17.0)]
    places = [place for place in places if reach.cost_at(place) is None]
    assert places
    for place in places:
        every = [plan.answer.against_pose(Pose(place)) for plan in reach.plans]
        reasons, remedy = min(every, key=lambda answer: shortage(answer[0]))
        found, how = reach.against(place)
        assert shortage(found) == pytest.approx(shortage(reasons))
        assert [str(one) for one in found] == [str(one) for one in reasons]
        assert how == remedy


@pytest.mark.sampled("walker")
def test_what_dearer_plans_do_not_change_is_drawn_once(reach, monkeypatch):
    """The nearest end is looked for by each price, and most plans lead nowhere near."""
    asked = []
    for plan in reach.plans:
        drawn = plan.answer.within_besides

        def noted(cost, ground, *, heading=None, level=None, drawn=drawn, name=plan.name):
            asked.append((name, None if ground is None else ground.wkb))
            return drawn(cost, ground, heading=heading, level=level)

        monkeypatch.setattr(plan.answer, "within_besides", noted, raising=False)
    x, y = reach.start
    places = [(x + 9.0, y + 6.0), (x - 13.0, y + 1.0), (x + 2.0, y - 17.0)]
    assert any(reach.nearest_to(place) is not None for place in places)
    assert asked
    assert len(set(asked)) == len(asked)
