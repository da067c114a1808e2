"""Coming onto the board of combined_arms asked for directly: when, with what, over which part of the edge, and down."""

import math

import pytest
from arms_games import piece
from test_arms_entering import NORTH, SOUTH_WEST

from simulator.engine.game import Game
from simulator.engine.orders import Element, Order
from simulator.geometry.table import EntryArea, InchTable
from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.entering import (
    can_land,
    come_on,
    delay_breaches,
    delayed,
    descent_breaches,
    entered,
    entry_breaches,
    entry_edge,
    first_turn,
    is_waiting,
    spent_off_board,
    time_breaches,
)

DISTANCE = {"speed_band_basis": "distance_moved"}
OPEN = EntryArea("anybody's", "", ((40, -4), (48, -4), (48, 4), (40, 4)))


def coming(mobility="grav", **fields):
    return piece("A", mobility, None, **{"enters_on": 1, **fields})


def pod(**fields):
    return RULESET.make_unit(
        "A", "drop_pod", "red", None, 0, rate_original=36, size_class=4, **{"enters_on": 1, **fields}
    )


def table_with(unit, turn=1, areas=(SOUTH_WEST, NORTH), **settings):
    table = Game.new(RULESET, InchTable("Test", 96, 96, (-48, -48), entry_areas=areas), [unit], **settings).table
    return type(table)(table.setting, table.state.put(clock=table.clock.put({"turn": turn})))


def enter(at, heading, **more):
    return Element("enter", {"at": at, "heading": heading, **more})


def told(found):
    return [(one.clause, one.needed, one.available) for one in found]


class TestWhen:
    @pytest.mark.parametrize(
        ("place", "fields", "waits"),
        [
            (None, {"enters_on": 1}, True),
            (None, {}, False),
            (None, {"enters_on": 1, "left_board": True}, False),
            (None, {"enters_on": 1, "carrier": "apc"}, False),
            ((0, 0), {"enters_on": 1}, False),
        ],
    )
    def test_who_is_still_to_come(self, place, fields, waits):
        """CA-134, CA-148."""
        assert is_waiting(piece("A", "on_foot", place, **fields)) is waits

    @pytest.mark.parametrize(
        ("enters_on", "detour", "first", "left"),
        [
            (1, 0, 1, 24),
            (2, 0, 2, 24),
            (1, 36, 2, 12),  # E18
            (1, 48, 3, 24),  # E41
            (1, 50, 3, 22),
            (2, 23, 2, 1),
        ],
    )
    def test_how_early_and_with_what(self, enters_on, detour, first, left):
        """CA-141: scheduled + floor(D / R), with (floor(D / R) + 1) x R - D."""
        unit = coming("jetpack", enters_on=enters_on, detour=detour)
        assert first_turn(table_with(unit), unit) == first
        assert 24 - spent_off_board(table_with(unit, first), unit) == left

    @pytest.mark.parametrize("turn", [1, 3])
    def test_later_it_has_waited_there(self, turn):
        """CA-142."""
        unit = coming("jetpack", detour=36)
        assert spent_off_board(table_with(unit, turn), unit) == 0

    def test_who_is_immobile_gets_nowhere(self):
        """CA-87."""
        unit = coming(damage_level=3, detour=36)
        assert (first_turn(table_with(unit), unit), spent_off_board(table_with(unit), unit)) == (1, 0)
        assert told(time_breaches(table_with(unit), unit)) == [("CA-87", 1, 0)]

    @pytest.mark.parametrize(
        ("fields", "turn", "found"),
        [
            ({}, 1, []),
            ({"enters_on": 2}, 1, [("CA-148", 2, 1)]),
            ({"enters_on": 2}, 2, []),
            ({"detour": 36}, 1, [("CA-141", 2, 1)]),
            ({"detour": 36}, 2, []),
            ({"detour": 35}, 1, []),
        ],
    )
    def test_not_earlier(self, fields, turn, found):
        """CA-141, CA-148."""
        unit = coming(**fields)
        assert told(time_breaches(table_with(unit, turn), unit)) == found


class TestOverTheEdge:
    @pytest.mark.parametrize(
        ("areas", "fields", "length", "bounds"),
        [
            ((), {}, 4 * 96, (-48, -48, 48, 48)),
            ((SOUTH_WEST, NORTH), {}, 48 + 6, (-48, -48, 0, -42)),
            ((NORTH,), {}, 4 * 96, (-48, -48, 48, 48)),
            ((SOUTH_WEST, NORTH, OPEN), {"entry_area": "north"}, 96 + 2 * 6, (-48, 42, 48, 48)),
            ((SOUTH_WEST, OPEN), {"entry_area": "anybody's"}, 8, (48, -4, 48, 4)),
            ((SOUTH_WEST, NORTH, OPEN), {"detour": 6}, 4 * 96 - 96 - 2 * 6, (-48, -48, 48, 42)),
            ((SOUTH_WEST,), {"detour": 6}, 4 * 96, (-48, -48, 48, 48)),
        ],
    )
    def test_which_part_of_it(self, areas, fields, length, bounds):
        """CA-139, CA-143, CA-148: the areas of its side, that which it names, or after a detour all but the enemy's."""
        unit = coming(**fields)
        edge = entry_edge(table_with(unit, areas=areas), unit)
        assert edge.length == pytest.approx(length)
        assert edge.bounds == pytest.approx(bounds)

    @pytest.mark.parametrize(
        ("at", "heading", "found"),
        [
            ((-20, -48), 90, []),
            ((-20, -48), 0, []),
            ((-20, -48), 180, []),
            ((-20, -48), 181, [("CA-148", None, None)]),
            ((-20, -48), 359, [("CA-148", None, None)]),
            ((-48, -45), 90, []),
            ((-48, -45), 270, []),
            ((-48, -45), 91, [("CA-148", None, None)]),
            ((-48, -48), 45, []),
            ((-48, -48), 91, [("CA-148", None, None)]),
            ((2, -48), 90, [("CA-148", 2, 0)]),
            ((-20, -45), 90, [("CA-148", 3, 0)]),
        ],
    )
    def test_where_and_facing_inward(self, at, heading, found):
        """CA-148."""
        unit = coming()
        assert told(entry_breaches(table_with(unit), unit, enter(at, heading))) == found

    @pytest.mark.parametrize(("at", "heading"), [((20, 48), -90), ((48, 20), 180)])
    def test_on_the_far_edges(self, at, heading):
        """CA-148: those facing inward there face outward the other way round."""
        unit = coming()
        table = table_with(unit, areas=())
        assert told(entry_breaches(table, unit, enter(at, heading))) == []
        assert told(entry_breaches(table, unit, enter(at, heading + 180))) == [("CA-148", None, None)]

    def test_after_a_detour_not_through_the_area_of_the_enemy(self):
        """CA-143."""
        unit = coming(detour=6)
        (found,) = entry_breaches(table_with(unit), unit, enter((0, 48), -90))
        assert (found.clause, found.place, found.needed) == ("CA-143", (0, 48), pytest.approx(math.hypot(48, 6)))
        assert told(entry_breaches(table_with(unit), unit, enter((48, 0), 180))) == []

    @pytest.mark.parametrize(
        ("mobility", "altitude", "found"),
        [
            ("grav", 4, []),
            ("grav", 5, [("CA-148", 5, 4)]),
            ("tracked", 0, []),
            ("tracked", 1, [("CA-148", 1, 0)]),
            ("thruster", 100, []),
        ],
    )
    def test_no_higher_than_it_flies(self, mobility, altitude, found):
        """CA-148."""
        unit = coming(mobility)
        table = table_with(unit)
        assert told(entry_breaches(table, unit, enter((-20, -48), 90, altitude=altitude))) == found

    def test_no_drop_pod(self):
        """CA-154."""
        unit = pod()
        assert told(entry_breaches(table_with(unit), unit, enter((-20, -48), 90))) == [("CA-154", None, None)]

    @pytest.mark.parametrize(
        ("options", "said", "altitude", "covered"),
        [({}, {}, 0, 0), ({}, {"altitude": 3}, 3, 0), (DISTANCE, {"altitude": 3}, 3, 12)],
    )
    def test_what_it_is_then(self, options, said, altitude, covered):
        """CA-146, CA-148: the way off the board counts for its bands, the altitude costs nothing."""
        unit = coming("grav", detour=48)
        table = table_with(unit, 2, options=options)
        there = come_on(table, unit, enter((-20, -48), 90, **said))
        assert (there.place, there.heading, there["altitude"]) == ((-20, -48), 90, altitude)
        assert (there["enters_on"], there["detour"], there["spent_translation"]) == (0, 0, 12)
        assert there["inches_covered"] == covered
        order = Order("A", "move", [enter((-20, -48), 90, **said), Element("forward", {"inches": 1})])
        assert entered(table, order).unit("A") == there


class TestStraightDown:
    @pytest.mark.parametrize(
        ("unit", "lands"),
        [
            (pod(), True),
            (coming("thruster", assault_lander=True), True),
            (coming("thruster"), False),
            (coming("on_foot"), False),
        ],
    )
    def test_who(self, unit, lands):
        """CA-147, CA-154."""
        assert can_land(unit) is lands
        found = told(entry_breaches(table_with(unit), unit, Element("drop", {"at": (0, 0), "heading": 0})))
        assert found == ([] if lands else [("CA-147", None, None)])

    @pytest.mark.parametrize(
        ("at", "found"),
        [
            ((48, 48), []),
            ((-48, -48), []),
            ((0, 44), []),  # CA-152: entry areas notwithstanding
            ((48.01, 0), ["CA-152"]),
            ((-48.01, 0), ["CA-152"]),
            ((0, 48.01), ["CA-152"]),
            ((0, -48.01), ["CA-152"]),
        ],
    )
    def test_where(self, at, found):
        """CA-152."""
        unit = coming("thruster", assault_lander=True)
        reasons = list(entry_breaches(table_with(unit), unit, Element("drop", {"at": at, "heading": 0})))
        assert [(one.clause, one.place) for one in reasons] == [(clause, at) for clause in found]

    @pytest.mark.parametrize(("fields", "height"), [({}, 48), ({"damage_level": 1}, 32), ({"speed_grade": "slow"}, 36)])
    def test_from_as_high_as_its_rate(self, fields, height):
        """E19 (CA-149)."""
        unit = coming("thruster", assault_lander=True, **fields)
        there = come_on(table_with(unit), unit, Element("drop", {"at": (3, 4), "heading": 30}))
        assert (there.place, there.heading, there["altitude"]) == ((3, 4), 30, height)

    @pytest.mark.parametrize(
        ("mobility", "elements", "found"),
        [
            ("thruster", [("descend", 48)], []),
            ("thruster", [("descend", 40), ("forward", 8)], []),
            ("thruster", [("forward", 8)], []),  # it has no limit
            ("thruster", [("climb", 1)], [("CA-149", 48, 48)]),
            ("thruster", [("descend", 40), ("climb", 1)], [("CA-149", 8, 48)]),
            ("grav", [("descend", 36)], []),
            ("grav", [("descend", 32), ("forward", 4)], []),
            ("grav", [("descend", 31), ("forward", 4)], [("CA-149", 5, 4)]),
            ("grav", [("descend", 31)], [("CA-153", 5, 4)]),
            ("grav", [("turn_left", 45), ("descend", 30)], [("CA-153", 6, 4)]),
            ("grav", [("forward", 1), ("forward", 1)], [("CA-149", 36, 4)]),
        ],
    )
    def test_no_leg_above_its_limit_and_never_up(self, mobility, elements, found):
        """CA-149, CA-151, CA-153."""
        unit = coming(mobility, assault_lander=True)
        table = table_with(unit)
        drop = Element("drop", {"at": (0, 0), "heading": 0})
        there = come_on(table, unit, drop)
        written = [Element(name, {"angle" if "turn" in name else "inches": amount}) for name, amount in elements]
        assert told(descent_breaches(table, there, [drop, *written])) == found


class TestDelays:
    @pytest.mark.parametrize(
        ("unit", "options", "clauses"),
        [
            (coming(), {"delayed_entry": True}, []),
            (coming(), {}, ["CA-139"]),
            (piece("A", "grav"), {"delayed_entry": True}, ["CA-139"]),
            (coming(detour=6), {"delayed_entry": True}, ["CA-140"]),
            (coming(detour=6), {}, ["CA-139", "CA-140"]),
        ],
    )
    def test_who_may_come_on_elsewhere(self, unit, options, clauses):
        """CA-139, CA-140."""
        assert [one.clause for one in delay_breaches(table_with(unit, options=options), unit)] == clauses

    @pytest.mark.parametrize(("enters_on", "turn", "sets_out"), [(1, 1, 1), (2, 1, 2), (1, 3, 3)])
    def test_it_sets_out_on_its_turn_or_now(self, enters_on, turn, sets_out):
        """CA-141."""
        unit = coming(enters_on=enters_on)
        after = delayed(table_with(unit, turn), Order("A", "delay_entry", args={"inches": 40}))
        assert (after["detour"], after["enters_on"]) == (40, sets_out)
