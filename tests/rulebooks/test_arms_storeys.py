"""Storeys of buildings in combined_arms, and the stairs and ladders between them."""

import math
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
import shapely
from arms_games import arms_game, piece

from simulator.geometry.footprints import PolygonBase
from simulator.geometry.pieces import LineShape, Piece, PointShape, PolygonShape, rectangle
from simulator.geometry.poses import Pose


def keep(**attributes):
    """A building of 12 by 10 inches, with three floors unless said."""
    given = {"floors": 3, "floor_height": 3, **attributes}
    return Piece("keep", "building", rectangle((0, 0), (12, 10)), "elevated", height=9, attributes=given)


KEEP = keep()
#: Four inches along, on both floors; and straight up from the first floor to the second.
STAIRS = Piece("stairs", "stairs", LineShape([(0, 2), (4, 2)]), on="keep", attributes={"joins": (0, 1), "run": 2})
LADDER = Piece("ladder", "ladder", PointShape(4, -2), on="keep", height=2, attributes={"joins": (1, 2)})
INSIDE = (KEEP, STAIRS, LADDER)


def game(*units, terrain=INSIDE, **settings):
    return arms_game(*units, terrain=terrain, data={"initiative": tuple(unit.id for unit in units)}, **settings)


def turned_by(angle, place):
    """A place turned about 0,0."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return place[0] * cos - place[1] * sin, place[0] * sin + place[1] * cos


def clauses(table, order):
    return [breach.clause for breach in table.breaches(order)]


class TestStairs:
    @pytest.mark.parametrize(
        ("mobility", "price"), [("on_foot", 4), ("powered_armor", 4), ("gravpack", 2), ("jetpack", 2)]
    )
    def test_half_rate_for_walkers(self, mobility, price):
        """CA-69: by the run, whatever lies under them."""
        table = game(piece("A", mobility, (0, 2)))
        happened = table.do("A move: take stairs")
        assert happened.ledger.total("inches") == price
        there = table.state.unit("A")
        assert (there.place, there["floor"], there["altitude"]) == ((4, 2), 1, 0)

    def test_crewed_weapons_take_them(self):
        """CA-68, CA-73: a crewed weapon counts as infantry here."""
        assert game(piece("A", "crew_weapon", (0, 2))).do("A move: take stairs").ledger.total("inches") == 4

    def test_vehicles_only_where_all_carries_them(self):
        """CA-70, CA-76."""
        tank = piece("A", "tracked", (0, 2))
        wide = Piece(
            "stairs", "stairs", STAIRS.shape, on="keep", attributes={"joins": (0, 1), "run": 2, "vehicle_ok": True}
        )
        carrying, cellar = (
            keep(vehicle_entry=True, vehicle_floors=(0, 1)),
            keep(vehicle_entry=True, vehicle_floors=(0,)),
        )
        assert clauses(game(tank, terrain=(carrying, wide)), "A move: take stairs") == []
        assert clauses(game(tank, terrain=(carrying, STAIRS)), "A move: take stairs") == ["CA-70"]
        assert clauses(game(tank, terrain=(cellar, wide)), "A move: take stairs") == ["CA-70"]
        (breach,) = game(tank, terrain=(carrying, STAIRS)).breaches("A move: take stairs")
        assert breach.message == "A cannot take stairs: stairs is too narrow for vehicles"
        away = game(piece("A", "tracked", (-2, 2)), terrain=(carrying, wide))
        assert clauses(away, "A move: take stairs") == ["CA-69"]

    def test_narrow_ones_are_in_the_way_of_vehicles(self):
        """CA-70, for the judge and for reach."""
        flight = Piece("flight", "stairs", rectangle((0, 2), (2, 1)), on="keep", attributes={"joins": (0, 1)})
        table = game(piece("A", "walker", (-2, 2)), terrain=(keep(vehicle_entry=True), flight))
        assert clauses(table, "A move: forward 4") == ["CA-70"]
        assert {reason.clause for reason in table.reach("A").why_not((0, 2)).reasons} == {"CA-70"}

    def test_only_from_their_ends(self):
        table = game(piece("A", "on_foot", (-1, 2)))
        assert clauses(table, "A move: take stairs") == ["CA-69"]
        assert clauses(table, "A move: forward 1, take stairs") == []
        assert clauses(table, "A move: forward 1, take ladder") == ["CA-71"]
        assert clauses(game(piece("A", "on_foot", (4, 2))), "A move: take stairs") == ["CA-69"]
        assert clauses(game(piece("A", "on_foot", (4, 2), floor=1)), "A move: take stairs") == []

    @pytest.mark.parametrize("run", [0.5, 0.9, 1, 2])
    @pytest.mark.parametrize("apart", [0.8, 1.0])
    def test_their_run_parts_rotations(self, run, apart):
        """CA-46: it is travelled as legs are, and part of an inch is none."""
        wide = Piece(
            "stairs", "stairs", STAIRS.shape, on="keep", attributes={"joins": (0, 1), "run": run, "vehicle_ok": True}
        )
        hall = keep(vehicle_entry=True, vehicle_floors=(0, 1))
        options = {"turn_separation_inches": apart, "speed_band_basis": "distance_moved"}
        table = game(piece("A", "grav", (0, 2)), piece("B", "on_foot", (40, 40)), terrain=(hall, wide), options=options)
        together = run < apart
        reach, pose = table.reach("A"), Pose((4, 2), Fraction(135), "keep/1")
        known = reach.cost_at(pose)
        # To part them otherwise it would have to go forth and back.
        assert (known == pytest.approx(18 + run)) == (not together)
        (order,) = reach.orders_to(pose)
        assert float(table.branch().do(order).ledger.total("inches")) == pytest.approx(known)
        happened = table.do("A move: turn_left 90, take stairs, turn_left 45")
        assert float(happened.ledger.total("inches")) == pytest.approx((24 if together else 18) + run)
        assert table.state.unit("A")["dearest_rotation"] == (24 if together else 12)

    def test_drawn_as_an_area(self):
        """They lead from their middle to the same place a floor higher, and slow those who cross them below."""
        flight = Piece("flight", "stairs", rectangle((0, 2), (2, 1)), on="keep", attributes={"joins": (0, 1), "run": 3})
        table = game(piece("A", "gravpack", (0, 2)), terrain=(KEEP, flight))
        assert table.do("A move: take flight").ledger.total("inches") == 3
        assert (table.state.unit("A").place, table.state.unit("A")["floor"]) == ((0, 2), 1)
        below = game(piece("A", "on_foot", (-2, 2)), terrain=(KEEP, flight))
        # An inch and one at double rate indoors, and two at half.
        assert below.do("A move: forward 4").ledger.total("inches") == 1 + 4


class TestLadders:
    @pytest.mark.parametrize(
        ("mobility", "options", "price"),
        [
            ("on_foot", {}, 6),
            ("gravpack", {}, 2),
            ("jetpack", {}, 2),
            ("on_foot", {"ladder_on_foot": "triple_rate"}, "2/3"),
        ],
    )
    def test_by_their_height(self, mobility, options, price):
        """E31, CA-71."""
        table = game(piece("A", mobility, (4, -2), floor=1), options=options)
        assert table.do("A move: take ladder").ledger.total("inches") == Fraction(price)
        assert table.state.unit("A")["floor"] == 2

    def test_infantry_only(self):
        hangar = (keep(vehicle_entry=True, vehicle_floors=(0, 1, 2)), *INSIDE[1:])
        for mobility, cited in (
            ("crew_weapon", "CA-73"),
            ("walker", "CA-71"),
            ("grav", "CA-71"),
            ("helicopter", "CA-71"),
        ):
            for at in ((4, -2), (2, -2)):
                table = game(piece("A", mobility, at, floor=1), terrain=hangar)
                assert cited in clauses(table, "A move: take ladder")

    def test_who_takes_other_ways(self):
        """CA-68, CA-74: what stops a piece everywhere is said, not that it is elsewhere."""
        hall = (keep(doors=[(-6, 0)], vehicle_entry=True), *INSIDE[1:])
        assert clauses(game(piece("A", "walker", (-7, 0)), terrain=hall), 'A move: take "keep door 1"') == ["CA-68"]
        assert clauses(game(piece("A", "jetpack", (0, 2))), 'A move: take "keep floor 2"') == ["CA-71"]
        wide = Piece("wide", "stairs", STAIRS.shape, on="keep", attributes={"vehicle_ok": True})
        carrying = keep(vehicle_entry=True, vehicle_floors=(0, 1))
        assert "CA-74" in clauses(game(piece("A", "helicopter", (0, 2)), terrain=(carrying, wide)), "A move: take wide")

    def test_without_a_height_as_high_as_the_floors(self):
        short = Piece("ladder", "ladder", PointShape(4, -2), on="keep", attributes={"joins": (0, 2)})
        table = game(piece("A", "gravpack", (4, -2)), terrain=(KEEP, short))
        assert table.do("A move: take ladder").ledger.total("inches") == 6


class TestFloorsThatThereAre:
    """CA-68, CA-69: stairs and ladders to a floor that the building does not have are a fault, and lead nowhere."""

    @pytest.mark.parametrize("on", ["keep", None])
    @pytest.mark.parametrize("kind", ["stairs", "ladder"])
    @pytest.mark.parametrize(
        ("low", "high"), [(0, 1), (2, 0), (1, 2), (-1, 0), (0, -1), (1, -1), (-2, -1), (2, 3), (3, 0)]
    )
    def test_joins(self, on, kind, low, high):
        way = Piece("way", kind, PointShape(0, 0), on=on, attributes={"joins": (low, high)})
        floor = low if 0 <= low < 3 else 0
        table = game(piece("A", "gravpack", (0, 0), floor=floor), terrain=(keep(), way))
        stands = {low, high} <= {0, 1, 2}
        assert [(fault.clause, fault.blocker) for fault in table.faults] == ([] if stands else [("CA-69", "way")])
        cited = "CA-69" if kind == "stairs" else "CA-71"
        assert clauses(table, "A move: take way") == ([] if stands else [cited])
        levels = {str(name) for name in table.reach("A").level_names}
        assert levels <= {"0", "keep/1", "keep/2"}


class TestOnWhichFloorsStairsAre:
    """CA-69, CA-70: stairs drawn as an area slow pieces, or stop vehicles, on the floors that they join alone."""

    @pytest.mark.parametrize("doors", [(), ((-6, 0),)])
    @pytest.mark.parametrize("joins", [(0, 1), (2, 1), (2, 3)])
    @pytest.mark.parametrize("floor", [0, 1, 2])
    @pytest.mark.parametrize("mobility", ["on_foot", "tracked"])
    def test_floor_by_floor(self, doors, joins, floor, mobility):
        stairs = Piece("flight", "stairs", rectangle((3, 0), (2, 10)), on="keep", attributes={"joins": joins})
        building = keep(floors=4, vehicle_entry=True, vehicle_floors=(0, 1, 2, 3), doors=doors)
        table = game(piece("A", mobility, (0, 0), floor=floor, building="keep"), terrain=(building, stairs))
        is_there = floor in joins
        if is_there and mobility == "tracked":
            assert [(one.clause, one.blocker) for one in table.breaches("A move: forward 4")] == [("CA-70", "flight")]
            return
        price = 5 if is_there else 2
        assert table.reach("A").cost_at(Pose((4, 0), None, self.level(table))) == price
        assert table.do("A move: forward 4").ledger.total("inches") == price

    @staticmethod
    def level(table):
        return table.ruleset.pose_of(table.table, table.state.unit("A")).level


class TestDoors:
    HALL = keep(doors=((-6, 0), (0, 5)))

    def test_each_way_has_its_clause(self):
        """CA-68, CA-69, CA-71: in accounts and in refusals; what there is not is told so."""
        hall = keep(doors=((0, 5),), vehicle_entry=True)
        ways = {
            "stairs": ((0, 2), 0, "CA-69"),
            "ladder": ((4, -2), 1, "CA-71"),
            "keep door 1": ((0, 5.501), 0, "CA-68"),
        }
        for way, (place, floor, cited) in ways.items():
            known = game(piece("A", "on_foot", place, floor=floor, base=0.5), terrain=(hall, STAIRS, LADDER))
            happened = known.do(f'A move: take "{way}"')
            assert {line.clause for line in happened.ledger} == {cited}
            assert [event.clause for event in happened.events if event.kind == "takes"] == [cited]
            away = game(piece("A", "on_foot", (-10, 0)), terrain=(hall, STAIRS, LADDER))
            assert clauses(away, f'A move: take "{way}"') == [cited]
        (lost,) = away.breaches('A move: take "keep door 7"')
        assert "no such" in lost.message

    def test_infantry_gets_in_by_doors_alone(self):
        """CA-68."""
        table = game(piece("A", "on_foot", (-9, 0)), terrain=(self.HALL,))
        assert clauses(table, "A move: forward 5") == ["CA-68"]
        table.do('A move: forward 2.999, take "keep door 1", forward 1')
        assert table.state.unit("A").place == pytest.approx((-4.999, 0), abs=1e-9)
        assert clauses(game(piece("A", "on_foot", (-9, 1)), terrain=(self.HALL,)), 'A move: take "keep door 1"') == [
            "CA-68"
        ]

    def test_what_lies_before_and_behind_it_is_paid(self):
        """Half of the way is outside, half of it indoors at double rate."""
        table = game(piece("A", "on_foot", (-7.001, 0), base=1), terrain=(self.HALL,))
        happened = table.do('A move: take "keep door 1"')
        assert float(happened.ledger.total("inches")) == pytest.approx(1.001 + 1.001 / 2, abs=1e-6)
        assert table.state.unit("A").place == pytest.approx((-4.999, 0), abs=1e-9)

    def test_out_again_and_through_no_wall(self):
        inside = game(piece("A", "on_foot", (-4, 0), heading=180), terrain=(self.HALL,))
        assert clauses(inside, "A move: forward 4") == ["CA-68"]
        assert clauses(inside, 'A move: forward 1.999, take "keep door 1 out", forward 2') == []

    def test_vehicles_do_not_need_them(self):
        hall = keep(doors=((-6, 0),), vehicle_entry=True)
        assert clauses(game(piece("A", "tracked", (-9, 3)), terrain=(hall,)), "A move: forward 9") == []

    def test_reach_leads_through_them(self):
        table = game(piece("A", "gravpack", (-9, 0), base=0.5), terrain=(self.HALL,))
        reach = table.reach("A")
        assert reach.cost_at((-4, 0)) == pytest.approx(5, abs=1e-3)
        (order,) = reach.orders_to((-4, 0))
        assert [element.name for element in order.elements] == ["forward", "take", "forward"]
        assert clauses(table, order) == []
        assert reach.cost_at((-6, 2)) is None

    @pytest.mark.sampled
    @pytest.mark.parametrize("base", [None, 0.1, 0.5, 1])
    @pytest.mark.parametrize("mobility", ["on_foot", "gravpack", "jetpack"])
    def test_reach_leads_in_and_out_whatever_its_size(self, mobility, base):
        fields = {} if base is None else {"base": base}
        indoors = Fraction(1, 2) if mobility == "on_foot" else 1
        outside = game(piece("A", mobility, (-8, 0), **fields), terrain=(self.HALL,)).reach("A")
        assert outside.cost_at((-4, 0)) == pytest.approx(2 + 2 * indoors, abs=1e-3)
        inside = game(piece("A", mobility, (-4, 0), heading=180, **fields), terrain=(self.HALL,)).reach("A")
        assert inside.cost_at((-8, 0)) == pytest.approx(2 + 2 * indoors, abs=1e-3)

    def test_vehicles_inside_are_in_the_way(self):
        hall = keep(doors=((-6, 0),), vehicle_entry=True)
        tank = piece("T", "tracked", (-2, 0), "blue", base=1)
        table = game(piece("A", "on_foot", (-5, 0)), tank, terrain=(hall,))
        assert clauses(table, "A move: forward 4") == ["CA-80"]

    @pytest.mark.parametrize("out", [False, True])
    @pytest.mark.parametrize("seed", range(4))
    def test_what_a_base_sweeps_on_the_way_is_free(self, seed, out):
        """CA-80: an enemy bars the door where the base, heading kept, would come over it; a friend does not."""
        random = Random(seed)
        base = ((-1.5, -0.5), (1.5, -0.5), (1.5, 0.5), (-1.5, 0.5))
        reach, heading = math.hypot(1.5, 0.5) + 1e-3, random.choice([0, 90, random.uniform(0, 180)])
        ends = ((-6 - reach, 0), (-6 + reach, 0))
        band = shapely.MultiPolygon([PolygonBase(base).at(*end, heading).polygon for end in ends]).convex_hull
        door = 'take "keep door 1 out"' if out else 'take "keep door 1"'
        for _ in range(5):
            inside, radius = random.random() < 0.5, random.uniform(0.05, 0.4)
            place = (-6 + (1 if inside else -1) * random.uniform(radius, 2.5), random.uniform(-2, 2))
            apart = shapely.distance(band, shapely.Point(place)) - radius
            if abs(apart) < 0.01:
                continue
            foe = piece("E", "on_foot", place, "blue", base=radius, building="keep" if inside else "")
            gun = piece("A", "crew_weapon", ends[out], heading=heading, base=base, building="keep" if out else "")
            table = game(gun, foe, terrain=(self.HALL,))
            assert clauses(table, f"A move: {door}") == (["CA-80"] if apart < 0 else [])
            cost = table.reach("A").cost_at(Pose(ends[not out], heading))
            plain = pytest.approx(1.5 * reach, abs=1e-3)
            assert cost != plain if apart < 0 else cost == plain
            friend = game(gun, replace(foe, side="red"), terrain=(self.HALL,))
            ended = PolygonBase(base).at(*ends[not out], heading).polygon.distance(shapely.Point(place)) > radius
            assert clauses(friend, f"A move: {door}") == ([] if ended else ["CA-80"])

    @pytest.mark.parametrize("out", [False, True])
    @pytest.mark.parametrize(
        ("kind", "clause"), [("dense_vegetation", "CA-59"), ("antitank_obstacle", "CA-65"), ("high_wall", "CA-64")]
    )
    @pytest.mark.parametrize(("near", "heading", "barred"), [(0.1, 90, True), (0.6, 90, True), (0.6, 0, False)])
    def test_what_is_impassable_beside_it(self, kind, clause, near, heading, barred, out):
        base = ((-1.5, -0.5), (1.5, -0.5), (1.5, 0.5), (-1.5, 0.5))
        reach = math.hypot(1.5, 0.5) + 1e-3
        ground = Piece("strip", kind, rectangle((-6.5, near + 1), (1, 2)))
        place = (-6 + reach if out else -6 - reach, 0)
        gun = piece("A", "crew_weapon", place, heading=heading, base=base, building="keep" if out else "")
        table = game(gun, terrain=(ground, self.HALL))
        found = table.breaches('A move: take "keep door 1 out"' if out else 'A move: take "keep door 1"')
        assert [(one.clause, one.blocker) for one in found] == ([(clause, "strip")] if barred else [])

    @pytest.mark.parametrize("side", ["red", "blue"])
    @pytest.mark.parametrize("x", [-6.9, -6.1, -6, -5, -4.1])
    @pytest.mark.parametrize(("base", "back", "front"), [(2, 2, 2), (((-3, -1), (1, -1), (1, 1), (-3, 1)), 3, 1)])
    @pytest.mark.parametrize("inside", [True, False])
    def test_vehicles_across_the_wall_are_in_the_way_on_both_sides(self, side, x, base, back, front, inside):
        """CA-80: with as much of their base as is there, wherever their reference point is."""
        hall = keep(doors=((6, 0),), vehicle_entry=True)
        tank = piece("T", "tracked", (x, 0), side, base=base)
        place, heading, building = (x + front + 1.5, 180, "keep") if inside else (x - back - 1.5, 0, "")
        walker = piece("A", "on_foot", (place, 0), heading=heading, base=0.5, building=building)
        table = game(walker, tank, terrain=(hall,))
        assert clauses(table, "A move: forward 0.99") == []
        assert [(one.clause, one.blocker) for one in table.breaches("A move: forward 1.1")] == [("CA-80", "T")]
        cost_at = table.reach("A").cost_at
        ahead = -1 if inside else 1
        assert cost_at((place + 0.9 * ahead, 0)) is not None
        assert cost_at((place + 1.1 * ahead, 0)) is None


class TestRoadsThrough:
    """CA-68, CA-77: a road listed later than a building with doors lies on top of it: who is there is outside."""

    HALL = keep(doors=((0, 5), (3, 1)))
    ROAD = Piece("gate", "road", rectangle((0, 0), (24, 2)))

    @pytest.mark.parametrize("x", [-5.9, 0, 2.5])
    @pytest.mark.parametrize("y", [-0.9, 0, 1])
    @pytest.mark.parametrize("kind", ["road", "bridge"])
    def test_from_one_turn_to_the_next(self, x, y, kind):
        gate = Piece("gate", kind, self.ROAD.shape)
        table = game(piece("A", "gravpack", (-12, y), base=None), terrain=(keep(doors=((0, 5),)), gate))
        table.do(f"A move: forward {x + 12}" if x < 0 else "A move: forward 12")
        if x >= 0:
            table.do(f"A move: forward {x}")
        assert table.state.unit("A")["building"] == ""
        assert clauses(table, "A move: forward 9") == []
        assert [(one.clause, one.blocker) for one in table.breaches("A move: sideways_left 2.5")] == [("CA-68", "keep")]
        cost_at = table.reach("A").cost_at
        assert cost_at((x - 5, y)) is not None
        assert cost_at((x, 3)) is None

    def test_in_the_hall_it_is_a_wall(self):
        table = game(piece("A", "on_foot", (-3, 3), heading=270), terrain=(self.HALL, self.ROAD))
        assert clauses(table, "A move: forward 2") == []
        assert clauses(table, "A move: forward 2.1") == ["CA-68"]
        assert table.reach("A").cost_at((-3, 0)) is None
        table.do("A move: forward 2")
        assert table.state.unit("A")["building"] == "keep"
        assert clauses(table, "A move: forward 1") == ["CA-68"]
        assert clauses(table, "A move: reverse 1") == []

    def test_a_door_onto_it(self):
        table = game(piece("A", "on_foot", (3, 0), heading=90), terrain=(self.HALL, self.ROAD))
        assert clauses(table, 'A move: forward 0.999, take "keep door 2", forward 2') == []
        assert table.reach("A").cost_at((3, 3)) == pytest.approx(0.5 + 1, abs=1e-3)

    def test_vehicles_on_it_are_not_in_the_hall(self):
        tank = piece("T", "tracked", (0, 0), "blue", base=1)
        table = game(piece("A", "on_foot", (-3, 1.5), base=0.5), tank, terrain=(self.HALL, self.ROAD))
        assert clauses(table, "A move: forward 6") == []

    def test_listed_before_it_the_building_is_on_top(self):
        table = game(piece("A", "on_foot", (-8, 0)), terrain=(self.ROAD, self.HALL))
        assert clauses(table, "A move: forward 6") == ["CA-68"]
        inside = game(piece("A", "on_foot", (-3, 0), heading=90), terrain=(self.ROAD, self.HALL))
        assert clauses(inside, "A move: forward 4") == []

    def test_upstairs_there_is_no_road(self):
        table = game(piece("A", "on_foot", (-3, -3), floor=1, heading=90), terrain=(self.HALL, self.ROAD))
        assert clauses(table, "A move: forward 6") == []

    def test_stairs_lie_on_no_ground_floor(self):
        stairs = Piece("flight", "stairs", rectangle((-3, 3), (2, 2)), on="keep")
        table = game(piece("A", "on_foot", (-3, 3)), terrain=(self.HALL, stairs))
        assert table.ruleset.pose_of(table.table, table.state.unit("A")).level == "keep/0"
        assert clauses(table, "A move: take flight") == []


class TestCourtyards:
    """CA-68: the doors of a building around a courtyard lead to that as they lead to the ground around."""

    YARD = ((-2, -2), (2, -2), (2, 2), (-2, 2))

    @pytest.mark.parametrize("angle", [0, 33, 90])
    @pytest.mark.parametrize(("out", "base"), [(True, None), (False, None), (True, 0.5), (False, 0.5)])
    @pytest.mark.parametrize(("door", "ahead"), [((2, 0), 1), ((0, 2), 1), ((-2, 1), -1), ((6, 0), -1)])
    def test_in_and_out(self, angle, out, base, door, ahead):
        rings = [(-6, -5), (6, -5), (6, 5), (-6, 5)], self.YARD
        outline, yard = ([turned_by(angle, corner) for corner in ring] for ring in rings)
        house = Piece(
            "keep",
            "building",
            PolygonShape(outline, [yard]),
            "elevated",
            height=9,
            attributes={"floors": 2, "doors": (turned_by(angle, door),)},
        )
        # Into the building it goes along x, but through the door in the northern wall of the yard.
        far = ((base or 0) + 1e-3) * ahead
        into, away = ((0, far), (0, -far)) if door == (0, 2) else ((far, 0), (-far, 0))
        inside, outside = ((door[0] + aside[0], door[1] + aside[1]) for aside in (into, away))
        begin, end = (inside, outside) if out else (outside, inside)
        fields = {} if base is None else {"base": base}
        walker = piece("A", "on_foot", turned_by(angle, begin), building="keep" if out else "", **fields)
        table = game(walker, terrain=(house,))
        assert list(table.faults) == []
        way = "keep door 1 out" if out else "keep door 1"
        assert clauses(table, f'A move: take "{way}"') == []
        assert table.reach("A").cost_at(turned_by(angle, end)) is not None
        level = table.ruleset.pose_of(table.table, table.state.unit("A")).level
        assert level == ("keep/0" if out else 0)


class TestDoorsBetweenHalls:
    """CA-68: a door in a wall that two buildings share, and that both list, leads from hall to hall."""

    @staticmethod
    def terrain(doors):
        annex = Piece("annex", "building", rectangle((10, 0), (8, 10)), attributes={"doors": doors})
        return keep(doors=((6, 0), (-6, 0))), annex

    @pytest.mark.parametrize("base", [0.5, ((-0.8, -0.3), (0.8, -0.3), (0.8, 0.3), (-0.8, 0.3))])
    @pytest.mark.parametrize("way", ["keep door 1 out", "annex door 2"])
    @pytest.mark.parametrize("enemy", [None, (6.4, 0), (5.6, 0)])
    def test_there_and_back(self, base, way, enemy):
        reach = base if base == 0.5 else math.hypot(0.8, 0.3)
        begin, end = (6 - reach - 1e-3, 0), (6 + reach + 1e-3, 0)
        walker = piece("A", "on_foot", begin, building="keep", base=base)
        foes = [] if enemy is None else [piece("E", "on_foot", enemy, "blue", base=0.35)]
        table = game(walker, *foes, terrain=self.terrain(((14, 0), (6, 0))))
        assert clauses(table, f'A move: take "{way}"') == (["CA-80"] if foes else [])
        assert (table.reach("A").cost_at(Pose(end, 0, "annex/0")) is None) is bool(foes)
        if foes:
            return
        table.do(f'A move: take "{way}"')
        there = table.ruleset.pose_of(table.table, table.state.unit("A"))
        assert (there.place, there.level) == (pytest.approx(end, abs=1e-6), "annex/0")
        assert table.reach("A").cost_at(Pose(begin, 0, "keep/0")) is not None
        table.do('A move: take "annex door 2 out"')
        assert table.ruleset.pose_of(table.table, table.state.unit("A")).level == "keep/0"

    def test_a_door_of_one_alone_leads_nowhere(self):
        table = game(piece("A", "on_foot", (5.999, 0)), terrain=self.terrain(((14, 0),)))
        assert clauses(table, 'A move: take "keep door 1 out"') == ["CA-68"]
        assert table.reach("A").cost_at((7, 0)) is None

    def test_without_doors_of_its_own_the_other_is_open(self):
        table = game(piece("A", "on_foot", (5.999, 0)), terrain=self.terrain(()))
        assert clauses(table, 'A move: take "keep door 1 out", forward 2') == []


class TestAtWalls:
    """CA-68, CA-80: a piece that touches a wall stays on its side of it, from one turn to the next."""

    @staticmethod
    def hall(angle, *, doors=((3, 5),)):
        """A building turned about 0,0 by an angle, with a door in its northern wall."""
        turned = [turned_by(angle, door) for door in doors]
        attributes = {"floors": 2, "floor_height": 1, "doors": turned}
        return Piece(
            "hall", "building", rectangle((0, 0), (12, 10), angle), "elevated", height=9, attributes=attributes
        )

    def is_far(self, cost):
        """Whether a place just beyond a wall is out of reach, but for those who go all the way round by the door."""
        return cost is None or cost > 9

    @pytest.mark.sampled
    @pytest.mark.parametrize("angle", [0, 30, 77, 90, 200])
    @pytest.mark.parametrize("mobility", ["on_foot", "powered_armor", "gravpack", "jetpack", "crew_weapon"])
    @pytest.mark.parametrize("inside", [False, True])
    @pytest.mark.parametrize("side", [-4, 0, 4])
    def test_nobody_goes_through_them(self, angle, mobility, inside, side):
        """Up to the western wall in one turn; in the next not through it, but back again and along it."""
        apart, heading = (3, 180) if inside else (-3, 0)
        start = turned_by(angle, (-6 + apart, side))
        table = game(piece("A", mobility, start, heading=heading + angle), terrain=(self.hall(angle),))
        table.do("A move: forward 3")
        assert table.state.unit("A").place == pytest.approx(turned_by(angle, (-6, side)), abs=1e-8)
        assert table.state.unit("A")["building"] == ("hall" if inside else "")
        assert clauses(table, "A move: forward 3") == ["CA-68"]
        assert clauses(table, "A move: reverse 3") == []
        reach = table.reach("A")
        assert self.is_far(reach.cost_at(turned_by(angle, (-6 - apart, side))))
        assert reach.cost_at(turned_by(angle, (-6 + apart / 2, side))) is not None
        # On along the wall, and away from it.
        along = -1 if side > 0 else 1
        table.do(f"A move: turn_{'right' if inside == (along > 0) else 'left'} 90, forward 1")
        assert table.state.unit("A")["building"] == ("hall" if inside else "")
        assert self.is_far(table.reach("A").cost_at(turned_by(angle, (-6 - apart / 2, side + along))))
        assert table.reach("A").cost_at(turned_by(angle, (-6 + apart / 2, side + along))) is not None

    def test_in_by_the_door_to_the_wall_and_out_again(self):
        table = game(piece("A", "gravpack", (3, 7), heading=270), terrain=(self.hall(0),))
        table.do('A move: forward 1.999, take "hall door 1", forward 3')
        table.do("A move: turn_left 90, forward 3")
        there = table.state.unit("A")
        assert (there["building"], table.reach("A").cost_at(Pose(there.place, 0, "hall/0"))) == ("hall", 0)
        assert clauses(table, "A move: forward 1") == ["CA-68"]
        table.do("A move: reverse 3")
        assert table.state.unit("A")["building"] == ""
        table.do('A move: turn_left 90, forward 3, take "hall door 1 out"')
        assert table.reach("A").cost_at(Pose(table.state.unit("A").place, 90, 0)) == 0

    def test_placed_there_it_is_outside_unless_said(self):
        for said, inside in (({}, None), ({"building": "hall"}, 3.0)):
            reach = game(piece("A", "gravpack", (-6, 0), **said), terrain=(self.hall(0),)).reach("A")
            assert reach.cost_at((-3, 0)) == (inside and pytest.approx(inside))
            assert (reach.cost_at((-9, 0)) is None) is bool(said)

    def test_upstairs_at_a_wall_that_two_share(self):
        other = Piece("other", "building", rectangle((12, 0), (12, 10)), "elevated", height=9, attributes={"floors": 2})
        for name, there, beyond in (("hall", (4, 0), (8, 0)), ("other", (8, 0), (4, 0))):
            unit = piece("A", "gravpack", (6, 0), floor=1, building=name)
            reach = game(unit, terrain=(self.hall(0), other)).reach("A")
            assert reach.cost_at(Pose(there, None, f"{name}/1")) is not None
            assert reach.cost_at(Pose(beyond, None, f"{name}/1")) is None

    def test_buildings_that_there_are(self):
        (fault,) = game(piece("A", "on_foot", (20, 0), building="hale"), terrain=(self.hall(0),)).faults
        assert fault.clause == "CA-68"
        assert fault.message == "A: there is no building 'hale'; did you mean 'hall'? (known: hall)"


class TestFloors:
    def test_interior_rates_and_walls(self):
        """CA-66: double rate; nobody walks out of a window."""
        table = game(piece("A", "on_foot", (4, 2), floor=1))
        assert table.do("A move: turn_left 180, forward 8").ledger.total("inches") == 5
        assert clauses(game(piece("A", "on_foot", (4, 2), floor=1)), "A move: forward 3") == ["CA-68"]
        slow = game(piece("A", "on_foot", (0, 2), floor=1), options={"building_interior_walkers": "half_rate"})
        assert slow.do("A move: forward 2").ledger.total("inches") == 4

    def test_rubble(self):
        """CA-67."""
        rubble = Piece("debris", "rubble", rectangle((0, 0), (12, 10)), on="keep")
        table = game(piece("A", "on_foot", (-4, 2), floor=1), terrain=(*INSIDE, rubble))
        assert table.do("A move: forward 6").ledger.total("inches") == 6

    def test_who_is_on_another_floor_is_in_nobodys_way(self):
        foe = piece("B", "on_foot", (2, -2), "blue", floor=1, base=0.5)
        assert clauses(game(piece("A", "on_foot", (-2, -2), base=0.5), foe), "A move: forward 6") == []
        assert clauses(game(piece("A", "on_foot", (-2, -2), base=0.5, floor=2), foe), "A move: forward 6") == []
        assert clauses(game(piece("A", "on_foot", (-2, -2), base=0.5, floor=1), foe), "A move: forward 6") == ["CA-80"]

    def test_positions(self):
        """CA-68, CA-69."""
        lost = Piece("steps", "stairs", LineShape([(0, 2), (4, 2)]), on="keep", attributes={"joins": (2, 3)})
        assert [one.clause for one in game(piece("A", "on_foot"), terrain=(KEEP, lost)).faults] == ["CA-69"]
        assert [one.clause for one in game(piece("A", "on_foot", (20, 0), floor=1)).faults] == ["CA-68"]
        assert [one.clause for one in game(piece("A", "on_foot", (0, 0), floor=3)).faults] == ["CA-68"]
        assert list(game(piece("A", "on_foot", (0, 0), floor=2)).faults) == []
        assert [one.clause for one in game(piece("A", "tracked", (0, 0), floor=1)).faults] == ["CA-68"]

    def test_upstairs_nobody_is_run_over_or_boards(self):
        """CA-111, CA-119."""
        barn = keep(vehicle_entry=True)
        tank = piece("A", "tracked", (-4, 0), armored=True, size_class=6)
        table = game(tank, piece("B", "on_foot", (2, 0), "blue", floor=1), terrain=(barn,))
        assert clauses(table, "A move over B: forward 8") == ["CA-111"]
        assert clauses(table, "A move: forward 8") == []
        carrier = piece("T", "tracked", (0, 0))
        aboard = game(piece("A", "on_foot", (0.5, 0), floor=1), carrier, terrain=(barn,))
        assert clauses(aboard, "A move: load T") == ["CA-119"]

    def test_seen_from_a_window(self):
        """A piece looks from as high as its floor."""
        wall = Piece("w", "high_wall", rectangle((12, 0), (1, 20)), height=4)
        for floor, seen in ((0, False), (2, True)):
            table = game(
                piece("A", "on_foot", (5, 0), floor=floor, weapon_range=60),
                piece("B", "on_foot", (40, 0), "blue"),
                terrain=(*INSIDE, wall),
            )
            assert (clauses(table, "A move: fire at B") == []) is seen


class TestWhereNobodyMayStand:
    """CA-68, CA-80: what is wrong with a piece is what is on its floor, whatever there is outside."""

    HALL = keep(doors=((-6, 0),), vehicle_entry=True)
    OUTSIDE = (
        (),
        (Piece("lake", "lake", rectangle((30, 0), (4, 4))), Piece("wall", "high_wall", rectangle((-30, 0), (4, 4)))),
    )

    @staticmethod
    def passers_by(side):
        return [piece(f"P{number}", "on_foot", (20 + 2 * number, 9), side, base=0.5) for number in range(3)]

    @pytest.mark.parametrize("floor", [0, 1, 2])
    @pytest.mark.parametrize("outside", OUTSIDE)
    @pytest.mark.parametrize("passing", [None, "red", "blue"])
    @pytest.mark.parametrize(
        ("x", "other", "message"),
        [
            (5.8, None, "A: keep is in the way"),
            (0, "blue", "A: B is in the way"),
            (0, "red", "A: it cannot end on B"),
        ],
    )
    def test_positions(self, floor, outside, passing, x, other, message):
        units = [piece("A", "on_foot", (x, 0), base=0.5, floor=floor, building="keep")]
        if other is not None:
            units.append(piece("B", "on_foot", (x + 0.5, 0), other, base=0.5, floor=floor, building="keep"))
        table = game(*units, *(self.passers_by(passing) if passing else ()), terrain=(*outside, self.HALL))
        found = [fault for fault in table.faults if fault.blocker == "A"]
        clause = "CA-68" if other is None else "CA-80"
        assert [(fault.clause, fault.message) for fault in found] == [(clause, message)]

    @pytest.mark.parametrize("outside", OUTSIDE)
    @pytest.mark.parametrize("passing", [None, "red", "blue"])
    @pytest.mark.parametrize(
        ("tank", "other", "blocker"),
        [((0, 0), None, None), ((0, 0), "red", "B"), ((0, 0), "blue", "B"), ((4, 0), None, "keep")],
    )
    def test_who_gets_off_in_a_hall(self, outside, passing, tank, other, blocker):
        units = [piece("C", "on_foot", None, base=0.5, carrier="T"), piece("T", "tracked", tank, base=1)]
        place = tank[0] + 1.9
        if other is not None:
            units.append(piece("B", "on_foot", (place + 0.6, 0), other, base=0.5, building="keep"))
        table = game(*units, *(self.passers_by(passing) if passing else ()), terrain=(*outside, self.HALL))
        assert {found.blocker for found in table.breaches(f"C move: unload at {place},0")} == ({blocker} - {None})

    @pytest.mark.parametrize("floor", [1, 2])
    def test_vehicles_where_no_floor_carries_them(self, floor):
        found = game(piece("A", "tracked", (0, 0), floor=floor, base=0.5), terrain=(self.HALL,)).faults
        assert [(fault.clause, fault.message) for fault in found] == [("CA-68", "A: keep is in the way")]


class TestFireOnFloors:
    WALL = Piece("w", "high_wall", rectangle((9, 0), (1, 40)), height=4)
    LADDER = Piece("ladder", "ladder", PointShape(4, -2), on="keep", height=2, attributes={"joins": (0, 2)})

    def test_from_the_floor_where_it_fires(self):
        """CA-97: behind a wall of 4 inches nothing is seen from the ground."""
        foe, terrain = piece("E", "on_foot", (40, -2), "blue"), (KEEP, self.LADDER, self.WALL)
        below = game(piece("A", "gravpack", (4, -2), weapon_range=60), foe, terrain=terrain)
        assert clauses(below, "A move: fire at E, take ladder") == ["CA-97"]
        assert clauses(below, "A move: take ladder, fire at E") == []
        above = game(piece("A", "gravpack", (4, -2), floor=2, weapon_range=60), foe, terrain=terrain)
        assert clauses(above, "A move: take ladder, fire at E") == ["CA-97"]

    @pytest.mark.parametrize(("floor", "seen"), [(0, False), (2, True)])
    def test_at_who_moves_there(self, floor, seen):
        """CA-102: on legs as at rotations."""
        gunner = piece("E", "on_foot", (40, -2), "blue", weapon_range=60)
        for order in ("forward 1", "turn_left 20"):
            table = game(piece("A", "on_foot", (3, -2), floor=floor), gunner, terrain=(KEEP, self.WALL))
            assert bool(table.foresee(f"A move: {order}").interruptions) is seen

    def test_at_both_ends_of_a_ladder(self):
        """CA-102: before it and after it."""
        gunner = piece("E", "on_foot", (40, -2), "blue", weapon_range=60)
        table = game(piece("A", "gravpack", (4, -2)), gunner, terrain=(KEEP, self.LADDER, self.WALL))
        (found,) = table.foresee("A move: take ladder").interruptions
        assert found.options == ("after",)
        happened = table.do("A move: take ladder", ["after", "stationary", 12])
        assert [event.kind for event in happened.events if event.kind in ("takes", "is destroyed")] == [
            "takes",
            "is destroyed",
        ]
        down = game(piece("A", "gravpack", (4, -2), floor=2), gunner, terrain=(KEEP, self.LADDER, self.WALL))
        (found,) = down.foresee("A move: take ladder").interruptions
        assert found.options == ("before",)
        open_ = game(piece("A", "gravpack", (4, -2)), gunner, terrain=(KEEP, self.LADDER))
        (found,) = open_.foresee("A move: take ladder").interruptions
        assert found.options == ("before", "after")

    @pytest.mark.parametrize(("moment", "stops"), [("before", True), ("after", False)])
    def test_stairs_that_it_cannot_pay_for_any_more(self, moment, stops):
        """CA-92: hit before them a weapon has 3 of its 6 inches left, and stairs of 2 inches cost it 4."""
        gunner = piece("E", "on_foot", (40, 2), "blue", weapon_range=60)
        table = game(piece("A", "crew_weapon", (0, 2), crew_required=2), gunner)
        happened = table.do("A move: take stairs", [moment, "stationary", 12])
        assert ("stops" in [event.kind for event in happened.events]) is stops
        assert table.state.unit("A")["floor"] == (0 if stops else 1)

    def test_range_is_measured_in_space(self):
        foe = piece("E", "on_foot", (7, -2), "blue")
        table = game(piece("A", "on_foot", (4, -2), floor=2, weapon_range=6), foe)
        assert clauses(table, "A move: fire at E") == ["CA-97"]


class TestReach:
    def test_up_and_down_again(self):
        table = game(piece("A", "gravpack", (-4, 2)))
        reach = table.reach("A")
        # Four inches to the stairs, two up, and to the ladder with a turn.
        assert reach.cost_at(Pose((4, 2), None, "keep/1")) == pytest.approx(6)
        assert reach.cost_at(Pose((4, -2), None, "keep/1")) == pytest.approx(12)
        assert reach.cost_at(Pose((4, -2), None, "keep/2")) is None
        assert reach.cost_at(Pose((20, 0), None, "keep/1")) is None
        (order,) = reach.orders_to(Pose((4, -2), None, "keep/1"))
        assert [element.name for element in order.elements] == ["forward", "take", "turn_right", "forward"]
        assert table.do(order).ledger.total("inches") == 12

    # Long: each end of many is played; single ways up and down are tried beside it.
    @pytest.mark.long
    def test_each_end_is_played_at_its_cost(self):
        ends = 0
        for place in [(2, 2), (4, -1), (-3, 3), (5, 4)]:
            for level in ("keep/1", "keep/2", 0):
                table = game(piece("A", "jetpack", (-4, 0), base=0.5))
                reach = table.reach("A")
                pose = Pose(place, None, level)
                cost = reach.cost_at(pose)
                if cost is None:
                    continue
                ends += 1
                (order,) = reach.orders_to(pose)
                assert float(table.do(order).ledger.total("inches")) == pytest.approx(float(cost), abs=1e-4)
                there = table.state.unit("A")
                assert there["floor"] == (0 if level == 0 else int(level[-1]))
                assert there.place == pytest.approx(place, abs=1e-6)
        assert ends > 8


class TestDoorsBesideTheWall:
    """CA-68: doors are drawn as near to their walls as people draw."""

    @pytest.mark.parametrize("base", [None, 0.5])
    @pytest.mark.parametrize("off", [-0.1, -0.05, -0.0005, 0, 0.0005, 0.05, 0.1])
    def test_a_door_is_in_the_wall_that_it_is_drawn_beside(self, off, base):
        """The way through it, its price and where it ends are those of a door drawn in the wall."""
        fields = {} if base is None else {"base": base}
        clear = (base or 0) + 0.001
        table = game(piece("A", "on_foot", (-9, 1), **fields), terrain=(keep(doors=[(-6 + off, 1)]),))
        assert not list(table.faults)
        way = f'A move: forward {3 - clear}, take "keep door 1"'
        happened = table.do(way)
        inside = table.state.unit("A")
        assert inside.place == (pytest.approx(-6 + clear), pytest.approx(1))
        paid = float(happened.ledger.total("inches"))
        assert paid == pytest.approx(3 + clear / 2)
        table.undo()
        reach = table.reach("A")
        assert reach.cost_at(inside.place) == pytest.approx(paid, abs=1e-3)
        assert reach.cost_at((-4, 1)) == pytest.approx(4, abs=1e-3)
        assert not table.breaches(reach.orders_to((-4, 1))[0])

    @pytest.mark.parametrize("apart", [(-0.1, 0.1), (0.1, -0.1), (0, 0.1)])
    def test_a_door_in_a_shared_wall_may_be_drawn_on_either_side(self, apart):
        mine, other = apart
        annex = Piece(
            "annex",
            "building",
            rectangle((-9, 0), (6, 10)),
            "elevated",
            height=9,
            attributes={"doors": [(-6 + other, 1)]},
        )
        table = game(piece("A", "on_foot", (-7, 1)), terrain=(keep(doors=[(-6 + mine, 1)]), annex))
        assert not table.breaches('A move: forward 0.999, take "keep door 1", forward 1')
        assert table.reach("A").cost_at((-5, 1)) == pytest.approx(1, abs=1e-3)

    @pytest.mark.parametrize("off", [-0.2, 0.2, 1])
    def test_a_door_in_no_wall_is_a_fault_of_the_board(self, off):
        table = game(piece("A", "on_foot", (-9, 1)), terrain=(keep(doors=[(-6, 0), (-6 + off, 1)]),))
        (fault,) = table.faults
        assert (fault.clause, fault.blocker, fault.message) == (
            "CA-68",
            "keep door 2",
            "keep door 2 is in no wall of its building",
        )
