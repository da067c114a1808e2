"""Units of mecha set down by their carrier: on which arc, facing which way, and what keeps them from standing there."""

import math

import pytest
from mecha_games import mecha_game, unit

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import Piece, rectangle
from simulator.pathing.posed import Arc, Headings
from simulator.rulesets.mecha.setting_down import (
    apart,
    arc_of,
    beside,
    free_arcs,
    headings_of,
    leeway,
    no_room,
    not_at_rear,
    placed_breaches,
    rear_of,
    usual_heading,
    with_unit,
)

#: Contact is a hundredth of an inch more or less: on a circle of 1.5 inches that is an angle of so many degrees.
SLACK = math.degrees(0.01 / 1.5)


def carrier(heading=0, **fields):
    """A carrier at 0,0 whose base has a radius of an inch."""
    return unit("C", "track", heading=heading, base=1, slots=4, size_class=4, **fields)


def rider(place=None, heading=0, **fields):
    """A vehicle aboard it, or set down somewhere."""
    aboard = {"carrier": "C"} if place is None else {}
    return unit("V", "track", place, heading=heading, size_class=1, **aboard, **fields)


def table_of(truck, *others, **options):
    """The table of a carrier and its rider."""
    return mecha_game(truck, rider(), *others, options=options).table


class TestTheRear:
    @pytest.mark.parametrize(
        ("exits", "anywhere", "arc", "wide"),
        [
            (False, False, 90, 45),
            (True, False, 90, 45),
            (False, True, 90, 45),
            (True, True, 90, 180),
            (True, False, 180, 90),
            (False, True, 0, 0),
        ],
    )
    def test_the_arc(self, exits, anywhere, arc, wide):
        """ME-79, ME-83: 45 degrees to either side of straight behind; around some carriers who exits goes anywhere."""
        truck = carrier(30, exits_anywhere=anywhere)
        assert arc_of(table_of(truck, rear_arc_deg=arc), truck, exits=exits) == (210, wide)

    def test_its_places(self):
        """ME-44, ME-79: touching the carrier, and off by no more than contact may be."""
        truck = carrier(30)
        table = table_of(truck)
        assert apart(rider(), truck) == 1.5
        assert leeway(table, rider(), truck) == pytest.approx(SLACK)
        assert leeway(table_of(truck, contact_tolerance="0.15"), rider(), truck) == pytest.approx(math.degrees(0.1))
        found = rear_of(table, rider(), truck, exits=False)
        assert (found.middle, found.radius) == ((0, 0), 1.5)
        assert (found.first, found.last) == pytest.approx((210 - 45 - SLACK, 210 + 45 + SLACK))
        around = rear_of(table, rider(), carrier(30, exits_anywhere=True), exits=True)
        assert (around.first, around.last) == (30, 390)

    @pytest.mark.parametrize(
        ("option", "known", "usual"),
        [
            ("any", Headings(0.0, 360.0), 30),
            ("away", Headings(180.0, 180.0, from_normal=True), 270),
            ("same", Headings(30.0, 30.0), 30),
        ],
    )
    def test_headings(self, option, known, usual):
        """ME-79, option placement_heading: at 0,-1.5, from where the way off the carrier is 270 degrees."""
        truck = carrier(30)
        table = table_of(truck, placement_heading=option)
        assert headings_of(table, truck) == known
        assert float(usual_heading(table, truck, (0, -1.5))) == pytest.approx(usual)

    def test_as_it_is_then(self):
        """ME-79, ME-81: on the level of the carrier, and aboard it no longer."""
        truck = carrier(30, level="keep")
        table = table_of(carrier(30))
        found = beside(table, rider(), truck, (0, -1.5))
        assert (found.place, found.heading, found["level"], found.carrier) == ((0, -1.5), 30, "keep", "")
        assert beside(table, rider(), truck, (0, -1.5), 77).heading == 77
        there = with_unit(table, found, truck)
        assert (there.unit("V").place, there.unit("C")["level"]) == ((0, -1.5), "keep")
        assert table.unit("V").place is None


class TestFreeArcs:
    """ME-43, ME-79: bases of half an inch on a circle of 1.5 inches, from 135 to 225 degrees.

    A base of half an inch two inches off the middle keeps another one an inch off its own: by the law of cosines that
    shuts acos((1.5² + 2² - 1²) / (2 x 1.5 x 2)) = 28.955 degrees to either side.
    """

    REAR = Arc((0.0, 0.0), 1.5, 135.0, 225.0)
    HALF = math.degrees(math.acos(5.25 / 6))

    def free(self, *closed, rear=REAR):
        """The ends of what is left."""
        found = list(free_arcs(rear, [Round(radius).at(x, y) for x, y, radius in closed], 0.5))
        assert all((one.middle, one.radius) == (rear.middle, rear.radius) for one in found)
        return pytest.approx([end for one in found for end in (one.first, one.last)], abs=0.01)

    def at(self, degrees, far=2.0, radius=0.5):
        """A base in a direction."""
        return far * math.cos(math.radians(degrees)), far * math.sin(math.radians(degrees)), radius

    def test_nobody_near(self):
        assert self.free() == [135, 225]
        assert self.free(self.at(180, 2.6)) == [135, 225]
        assert self.free(self.at(0)) == [135, 225]
        assert self.free(self.at(180, 0.5, 0.1)) == [135, 225]

    def test_somebody_in_the_middle_of_it(self):
        assert self.free(self.at(180)) == [135, 180 - self.HALF, 180 + self.HALF, 225]

    def test_somebody_at_an_end(self):
        assert self.free(self.at(135)) == [135 + self.HALF, 225]
        assert self.free(self.at(225)) == [135, 225 - self.HALF]

    def test_two_of_them(self):
        assert self.free(self.at(135), self.at(225)) == [135 + self.HALF, 225 - self.HALF]
        assert self.free(self.at(160), self.at(200)) == []

    def test_somebody_who_covers_all_of_it(self):
        assert self.free((-0.3, 0, 3)) == []

    def test_bearings_that_pass_360(self):
        """Behind a carrier that faces 180."""
        rear = Arc((0.0, 0.0), 1.5, 315.0, 405.0)
        assert self.free(self.at(0), rear=rear) == [315, 360 - self.HALF, 360 + self.HALF, 405]
        assert self.free(self.at(315), rear=rear) == [315 + self.HALF, 405]
        assert self.free(self.at(45), rear=rear) == [315, 405 - self.HALF]

    def test_about_another_middle(self):
        rear = Arc((7.0, -3.0), 1.5, 135.0, 225.0)
        x, y, radius = self.at(180)
        assert self.free((7 + x, -3 + y, radius), rear=rear) == [*(135, 180 - self.HALF, 180 + self.HALF, 225)]


class TestWhyNot:
    def reasons(self, place, heading=0, *, exits=False, truck=None, **options):
        """Why a unit cannot be set down so far as the rear of its carrier goes."""
        truck = truck or carrier()
        return list(not_at_rear(table_of(truck, **options), rider(place, heading), truck, exits=exits))

    def behind(self, degrees):
        """A place in contact, so many degrees off straight behind a carrier that faces 0."""
        turned = math.radians(180 + degrees)
        return 1.5 * math.cos(turned), 1.5 * math.sin(turned)

    @pytest.mark.parametrize("exits", [False, True])
    @pytest.mark.parametrize(
        ("x", "told"), [(-1.6, "0.1 inch from"), (-1.52, "0.02 inch from"), (-1.4, "on"), (-1.5, ""), (-1.509, "")]
    )
    def test_it_touches_its_carrier(self, x, told, exits):
        """ME-79, ME-83."""
        found = self.reasons((x, 0), exits=exits)
        cited = "ME-83" if exits else "ME-79"
        assert [(one.clause, one.blocker, one.place) for one in found] == [(cited, "C", (x, 0))] * bool(told)
        for one in found:
            assert f"V would be {told}" in one.message.replace("inches", "inch")
            assert (one.needed, one.available) == (0, pytest.approx(-1.5 - x))

    @pytest.mark.parametrize("side", [1, -1])
    @pytest.mark.parametrize(("degrees", "legal"), [(0, True), (45, True), (45.3, True), (45.5, False), (90, False)])
    def test_on_its_rear(self, degrees, legal, side):
        """ME-79: within 45 degrees of straight behind, and what contact may be off."""
        found = self.reasons(self.behind(side * degrees))
        assert [one.clause for one in found] == ([] if legal else ["ME-79"])
        for one in found:
            assert (one.needed, one.available) == (45, pytest.approx(degrees))
            assert one.blocker == "C"

    def test_anywhere_for_who_exits_from_some(self):
        """ME-83: unless the carrier's data say otherwise."""
        truck = carrier(exits_anywhere=True)
        assert self.reasons((1.5, 0), exits=True, truck=truck) == []
        assert [one.clause for one in self.reasons((1.5, 0), exits=False, truck=truck)] == ["ME-79"]
        assert [one.clause for one in self.reasons((1.5, 0), exits=True)] == ["ME-83"]

    @pytest.mark.parametrize(
        ("option", "heading", "legal"),
        [
            *(("any", 77, True), ("same", 0, True), ("same", 0.3, False), ("same", 180, False)),
            *(("away", 180, True), ("away", 180.3, True), ("away", 181, False), ("away", 0, False)),
        ],
    )
    def test_headings(self, option, heading, legal):
        """ME-79, option placement_heading: straight behind a carrier that faces 0."""
        found = self.reasons((-1.5, 0), heading, placement_heading=option)
        wanted = 180 if option == "away" else 0
        expected = [] if legal else [("ME-79", pytest.approx(wanted), pytest.approx(heading), "C")]
        assert [(one.clause, one.needed, one.available, one.blocker) for one in found] == expected
        words = "away from C, 180°" if option == "away" else "as C, 0°"
        assert all(f"facing {words}" in one.message for one in found)

    def test_where_there_is_no_room(self):
        """ME-43, ME-79: no overlap with any base; all reasons are named."""
        truck = carrier()
        friend = unit("F", "track", (-2.3, 0.5))
        table = table_of(truck, friend)
        (found,) = no_room(with_unit(table, rider((-1.6, 0))), rider((-1.6, 0)))
        assert (found.clause, found.blocker, found.place) == ("ME-79", "F", (-1.6, 0))
        assert found.message.startswith("V: ")
        assert list(no_room(with_unit(table, rider((0, -3))), rider((0, -3)))) == []
        both = placed_breaches(table, rider((-1.6, 0)), truck, exits=True)
        assert [one.clause for one in both] == ["ME-83", "ME-79"]

    def test_wholly_on_the_roof_of_its_carrier(self):
        """ME-81, ME-106: that is another clause than that of the rear."""
        keep = Piece("keep", "building", rectangle((0, 0), (3, 6)), "elevated", 4)
        truck = carrier(level="keep")
        table = mecha_game(truck, rider(), terrain=(keep,)).table
        there = beside(table, rider(), truck, (-1.5, 0))
        assert [one.clause for one in no_room(with_unit(table, there), there)] == ["ME-106"]
