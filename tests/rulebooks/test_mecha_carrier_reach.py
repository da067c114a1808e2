"""Reach around carriers in mecha: the judge accepts all that it tells, and it tells all that the judge accepts."""

import math

import numpy as np
import pytest
import shapely
from mecha_carriers import MIDDLE, behind, carrier, clauses, foot, game, next_movement, price, unit
from mecha_games import mecha_game
from mecha_games import unit as unit_of

from simulator.engine.errors import TableError
from simulator.engine.orders import Element, Order
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose

MUD = Piece("mud", "difficult", rectangle((20, 22), (4, 5)), "ground")
POND = Piece("pond", "deep_water", rectangle((27, 20), (3, 3)), "ground")
KEEP = Piece("keep", "building", rectangle((21, 28), (4, 4)), "elevated", height=4)


def crowded(*more, carried=None, drives=None, **options):
    """A carrier with a passenger among things that are in its way: a giant that may be passed, an enemy, terrain."""
    return game(
        carrier(**(drives or {})),
        carried or unit("V"),
        unit("G", (21.5, 26), "mecha", size_class=9),
        unit("B", (20.5, 23.2), side="blue"),
        *more,
        pieces=[MUD, POND, KEEP],
        **options,
    )


def spots(answer, count, seed):
    """So many places in an area, and as many around it."""
    left, bottom, right, top = answer.area.buffer(0.3).bounds
    places = np.random.default_rng(seed).uniform((left, bottom), (right, top), (400, 2))
    inside = shapely.contains_xy(answer.area, *places.T)
    return np.concatenate([places[inside][:count], places[~inside][:count]])


def is_carried_out(here, answer, place, who):
    """Whether the order to a place is legal, costs what the answer says, and leads there."""
    (order,) = answer.orders_to(place)
    assert here.breaches(order) == [], here.write(order)
    assert here.breaches(here.write(order)) == []
    twin = here.branch()
    happened = twin.do(order)
    there = twin.state.unit(who)
    assert math.dist(there.place, Pose.of(place).place) < 1e-5
    return happened


class TestEntering:
    def test_ends_touch_the_carrier_within_half_a_move(self):
        """ME-73: lines round it; who touches it already need not move."""
        here = game(carrier(), unit("V", (20, 24)))
        answer = here.reach("V", "enter_unit", carrier="C1")
        assert answer.cost_at((22.5, 24)) == 2.5
        assert answer.cost_at((21, 24)) is None
        assert [breach.clause for breach in answer.why_not((21, 24)).reasons] == ["ME-73"]
        near = game(carrier(), unit("V", (22.5, 24))).reach("V", "enter_unit", carrier="C1")
        assert near.cost_at((22.5, 24)) == 0
        (order,) = near.orders_to((22.5, 24))
        assert (order.action, order.elements, dict(order.args)) == ("enter_unit", (), {"carrier": "C1"})

    def test_sampled_ends_are_carried_out(self):
        here = game(carrier(), unit("W", (21.3, 22.4), "mecha", heading=70))
        answer = here.reach("W", "enter_unit", carrier="C1")
        lines = [part for part in shapely.get_parts(answer.area) if part.length]
        assert lines
        ends = [line.interpolate(share, normalized=True) for line in lines[:3] for share in (0.1, 0.5, 0.9)]
        for end in ends:
            twin = here.branch()
            (order,) = answer.orders_to((end.x, end.y))
            assert twin.breaches(order) == []
            assert price(twin.do(order)) == answer.cost_at((end.x, end.y))
            assert twin.state.unit("W").carrier == "C1"

    def test_what_may_be_entered_from_here(self):
        """ME-74: the answer without a carrier lists them, each with where it is boarded."""
        here = game(
            carrier(),
            carrier("C2", (20, 21.6)),
            carrier("FAR", (40, 40)),
            carrier("ENEMY", (17, 24), "blue"),
            unit("V", (20, 24)),
        )
        answer = here.reach("V", "enter_unit")
        assert sorted(answer.carriers) == ["C1", "C2"]
        assert answer.named_at((22.5, 24)) == "C1"
        for place in ((22.5, 24), (20, 23.1)):
            (order,) = answer.orders_to(place)
            assert here.breaches(order) == []
            assert order["carrier"] == answer.named_at(place)
        assert answer.cost_at((18.5, 24)) is None
        alone = game(unit("V", (20, 24))).reach("V", "enter_unit")
        assert [breach.clause for breach in alone.why_not((20, 24)).reasons] == ["ME-74"]
        assert alone.area.is_empty

    def test_nobody_enters_who_may_not(self):
        here = game(carrier(), unit("V", (20, 24)))
        here.do("C1 standard")
        answer = here.reach("V", "enter_unit", carrier="C1")
        assert answer.area.is_empty
        assert "ME-75" in [breach.clause for breach in answer.why_not((22.5, 24)).reasons]
        with pytest.raises(TableError, match="not on the table"):
            game(carrier(), unit("V")).reach("V", "enter_unit", carrier="C1")


class TestExiting:
    def test_from_every_placement_half_a_move(self):
        """ME-83: straight behind, and from the ends of the arc at its farthest to the sides."""
        answer = game(carrier(), unit("V")).reach("V", "exit_unit")
        assert answer.cost_at((22.5, 24)) == 0
        assert answer.cost_at((19.5, 24)) == 3
        assert answer.cost_at((19.48, 24)) is None
        corner = 24 - 1.5 * math.sqrt(0.5)
        assert answer.cost_at((corner, corner - 3)) == 3
        assert [breach.clause for breach in answer.why_not((19.3, 24)).reasons] == ["ME-10"]
        assert answer.cost_at(Pose((22.5, 24), 123)) == 0

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        ("kind", "options"),
        [
            ("vehicle", {}),
            ("mecha", {}),
            ("infantry", {}),
            ("mecha", {"placement_heading": "same"}),
            ("vehicle", {"placement_heading": "away"}),
            ("mecha", {"rear_arc_deg": 30}),
        ],
        ids=str,
    )
    def test_all_that_it_tells_is_carried_out(self, kind, options):
        here = crowded(carried=unit("V", kind=kind), **options)
        answer = here.reach("V", "exit_unit")
        found = 0
        for x, y in spots(answer, 5, 1).tolist():
            cost = answer.cost_at((x, y))
            assert (cost is not None) or not answer.area.contains(shapely.Point(x, y))
            if cost is not None:
                found += 1
                assert abs(price(is_carried_out(here, answer, (x, y), "V")) - cost) < 1e-6
            else:
                assert answer.refusals((x, y))
        assert found > 1

    # Long: all that is legal is tried out; that what it tells is carried out is tried beside it.
    @pytest.mark.long
    @pytest.mark.parametrize("options", [{}, {"placement_heading": "same"}, {"placement_heading": "away"}])
    def test_it_tells_all_that_is_legal(self, options):
        """ME-82, ME-83: random orders lead to no place outside of it, and cost no less."""
        here = crowded(carried=unit("V", kind="mecha"), **options)
        answer = here.reach("V", "exit_unit")
        random, found = np.random.default_rng(3), 0
        for _ in range(60):
            aside, off = random.uniform(-45, 45), random.choice([0, 0.01, -0.01])
            at = tuple(map(float, behind(1.5 + off, aside).split(",")))
            facing = {"same": 0.0, "away": 180 + aside}.get(here.setting.options.placement_heading)
            placed = {"at": at, "heading": random.uniform(0, 360) if facing is None else facing % 360}
            moves = [
                Element(str(random.choice(["forward", "backward"])), {"inches": float(random.choice([0.5, 1, 1.5]))})
            ]
            moves.insert(0, Element("turn_left", {"angle": 45.0, "free": float(random.choice([0, 45]))}))
            order = Order("V", "exit_unit", moves[random.integers(0, 2) :], placed)
            if here.breaches(order):
                continue
            found += 1
            twin = here.branch()
            cost, end = price(twin.do(order)), twin.state.unit("V")
            known = answer.cost_at(end.place)
            assert shapely.distance(answer.area, shapely.Point(end.place)) < answer.tolerance
            assert known is None or known <= cost + 1e-6
        assert found > 4

    def test_anywhere_around_some_carriers(self):
        """ME-83."""
        here = game(carrier(exits_anywhere=True), unit("V"))
        assert here.reach("V", "exit_unit").cost_at((28.5, 24)) == 3
        assert game(carrier(), unit("V")).reach("V", "exit_unit").cost_at((28.5, 24)) is None

    def test_nobody_exits_who_may_not(self):
        here = game(carrier(), unit("V"))
        here.do("C1 standard: forward 2")
        answer = here.reach("V", "exit_unit")
        assert answer.area.is_empty
        assert [breach.clause for breach in answer.why_not((24.5, 24)).reasons] == ["ME-84"]
        with pytest.raises(TableError, match="not aboard a carrier"):
            game(unit("V", (20, 24))).reach("V", "exit_unit")

    def test_a_free_turn_that_is_used_up_does_not_come_back(self):
        """ME-34, free_turn_per: who turned freely before it went aboard pays for turns after it exits."""
        here = game(carrier(), unit("W", (22.5, 24), "mecha"), free_turn_per="turn")
        here.do("W enter_unit C1: turn_left 90 free 90")
        answer = next_movement(here).reach("W", "exit_unit")
        ahead = (22.5 - 1.5, 24.0)
        assert answer.cost_at(Pose(ahead, 90)) > answer.cost_at(ahead)
        is_carried_out(here, answer, Pose(ahead, 90), "W")

    # Long: reach of all who get out beside enemies; without these it is tried beside it.
    @pytest.mark.long
    def test_who_comes_into_contact_stops(self):
        """ME-8, contact_stops_move: one that is placed in contact may go on from there."""
        here = crowded(contact_stops_move=True)
        answer = here.reach("V", "exit_unit")
        for x, y in spots(answer, 6, 6).tolist():
            if answer.cost_at((x, y)) is not None:
                is_carried_out(here, answer, (x, y), "V")


#: Ground on which walkers and tracks may be set up and never move, under half the rear of the carrier.
PAD = Piece("pad", "rough", rectangle((22, 22), (4, 4)), "ground")
NEVER = {"move_table.track.rough": 0, "move_table.walker.rough": 0}


class TestGroundOnWhichItNeverMoves:
    """ME-15, ME-16, ME-79: only ground that is cant keeps a unit from being set down."""

    def beside(self, **fields):
        return game(carrier(mobility="wheel"), unit("V", **{"move": 3, **fields}), pieces=[PAD], tables=NEVER)

    def test_who_exits_is_set_down_there_and_stays(self):
        here = self.beside(move=2)
        there = f"V exit_unit at {behind(1.5)} facing 180"
        assert clauses(here, there) == []
        assert clauses(here, f"{there}: forward 1") == ["ME-16"]
        assert clauses(here, f"{there}: turn_left 45") == ["ME-16"]
        reach = here.reach("V", "exit_unit")
        assert (reach.cost_at((22.5, 24)), reach.cost_at((21.5, 24))) == (0, None)
        assert [whole.is_whole for whole in reach.headings_at((22.5, 24))] == [True]
        assert [(one.clause, one.blocker) for one in reach.refusals((21.5, 24))] == [("ME-16", "pad")]
        is_carried_out(here, reach, (22.5, 24), "V")
        here.do(there)
        next_movement(here)
        assert clauses(here, "V standard: forward 1") == ["ME-16"]
        assert clauses(here, "V standard") == []
        later = here.reach("V", "turn")
        assert (later.cost_at((22.5, 24)), later.cost_at((21.5, 24))) == (0, None)

    def test_it_moves_on_from_beside_that_ground_and_not_onto_it(self):
        here = self.beside()
        clear = f"V exit_unit at {behind(1.5, -44)}"
        assert clauses(here, f"{clear} facing 120: forward 1.5") == []
        assert clauses(here, f"{clear} facing 230: forward 1.5") == ["ME-16"]
        reach = here.reach("V", "exit_unit")
        assert reach.cost_at((22.2, 26.1)) is not None
        is_carried_out(here, reach, (22.2, 26.1), "V")
        bare = game(carrier(mobility="wheel"), unit("V", move=3)).reach("V", "exit_unit")
        assert 0.2 < reach.area.area < bare.area.area

    def test_ground_all_around(self):
        here = game(carrier(mobility="wheel"), unit("V"), ground="rough", tables=NEVER)
        reach = here.reach("V", "exit_unit")
        assert (reach.cost_at((22.5, 24)), reach.cost_at((21.5, 24))) == (0, None)
        assert reach.area.area < 0.1
        assert clauses(here, f"V exit_unit at {behind(1.5)} facing 180: forward 1") == ["ME-16"]

    @pytest.mark.parametrize(("option", "faces"), [("same", 0), ("away", 180)])
    def test_a_walker_still_has_its_free_turn(self, option, faces):
        """ME-37: that is no move."""
        here = game(
            carrier(mobility="wheel"),
            unit("V", kind="mecha", move=1),
            pieces=[PAD],
            tables=NEVER,
            placement_heading=option,
        )
        assert clauses(here, f"V exit_unit at {behind(1.5)}: turn_left 90 free 90") == []
        reach = here.reach("V", "exit_unit")
        assert reach.cost_at(Pose((22.5, 24), (faces + 90) % 360)) == 0
        is_carried_out(here, reach, Pose((22.5, 24), (faces + 90) % 360), "V")
        assert reach.cost_at(Pose((22.5, 24), (faces + 100) % 360)) is None

    def test_who_is_unloaded_is_set_down_there_too(self):
        here = self.beside()
        assert clauses(here, f"C1 unload: set_down V at {behind(1.5)}") == []
        reach = here.reach("V", "unload", at=MIDDLE, facing=0)
        assert reach.cost_at((22.5, 24)) == 0
        is_carried_out(here, reach, (22.5, 24), "V")

    def test_a_carrier_that_stands_there_unloads_and_does_not_move(self):
        here = game(carrier(), unit("V"), pieces=[Piece("pad", "rough", rectangle(MIDDLE, (4, 4)))], tables=NEVER)
        down = f"set_down V at {behind(1.5)}"
        assert clauses(here, f"C1 unload: {down}") == []
        assert clauses(here, f"C1 unload: forward 1, set_down V at {behind(0.5)}") == ["ME-16"]
        assert here.reach("C1", "unload").cost_at((25, 24)) is None
        is_carried_out(here, here.reach("V", "unload"), (22.5, 24), "V")

    def test_nobody_is_set_down_on_ground_that_is_closed(self):
        """ME-15."""
        here = game(carrier(mobility="wheel"), unit("V"), pieces=[PAD], tables={"move_table.track.rough": "cant"})
        for order in (f"V exit_unit at {behind(1.5)}", f"C1 unload: set_down V at {behind(1.5)}"):
            (refused,) = here.breaches(order)
            assert (refused.clause, refused.blocker) == ("ME-79", "pad")
        for action in ("exit_unit", "unload"):
            assert here.reach("V", action).cost_at((22.5, 24)) is None


class TestUnloading:
    def test_the_carrier_ends_within_half_its_move(self):
        """ME-77: its start is an end."""
        answer = game(carrier(), unit("V"), foot("I")).reach("C1", "unload")
        assert answer.riders == ("V", "I")
        assert (answer.cost_at(MIDDLE), answer.cost_at((28, 24)), answer.cost_at((28.01, 24))) == (0, 4, None)

    def test_behind_one_pose_the_arc(self):
        """ME-79: for a pose of the carrier, where a passenger can stand, and facing which way."""
        here = game(carrier(), unit("V"))
        answer = here.reach("V", "unload", at=(28, 24), facing=0)
        assert answer.cost_at((26.5, 24)) == 0
        assert answer.cost_at((22.5, 24)) is None
        assert shapely.distance(answer.area, shapely.Point(28 - 1.5 * math.sqrt(0.5), 24 + 1.5 * math.sqrt(0.5))) < 0.01
        assert answer.headings_at((26.5, 24))[0].is_whole
        assert here.write(answer.orders_to((26.5, 24))[0]) == "C1 unload: forward 4, set_down V at 26.5,24 facing 0"
        assert here.reach("V", "unload", at=(33, 24)).area.is_empty
        assert [one.clause for one in here.reach("V", "unload", at=(33, 24)).why_not((31.5, 24)).reasons] == ["ME-10"]
        same = here.reach("C1", "unload").set_down("V", Pose((28, 24), 0))
        assert same.area.equals(answer.area)

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        ("mobility", "options"),
        [
            ("track", {}),
            ("walker", {}),
            ("infantry", {}),
            ("walker", {"rear_arc_deg": 20}),
            ("track", {"rear_arc_deg": 360}),
            ("walker", {"contact_stops_move": True}),
        ],
        ids=str,
    )
    def test_all_that_it_tells_is_carried_out(self, mobility, options):
        here = crowded(drives={"mobility": mobility, "move": 5}, **options)
        answer = here.reach("V", "unload")
        found = 0
        for x, y in spots(answer, 5, 2).tolist():
            cost = answer.cost_at((x, y))
            assert (cost is not None) or not answer.area.contains(shapely.Point(x, y))
            if cost is not None:
                found += 1
                is_carried_out(here, answer, (x, y), "V")
            else:
                assert {breach.clause for breach in answer.refusals((x, y))} & {"ME-79", "ME-106"}
        assert found > 1

    # Long: all that is legal is tried out; that what it tells is carried out is tried beside it.
    @pytest.mark.long
    @pytest.mark.parametrize(
        ("mobility", "options"),
        [("track", {}), ("walker", {}), ("track", {"rear_arc_deg": 20}), ("walker", {"contact_stops_move": True})],
        ids=str,
    )
    def test_it_tells_all_that_is_legal(self, mobility, options):
        """ME-77, ME-79: behind every pose in which the carrier ends."""
        here = crowded(drives={"mobility": mobility}, **options)
        answer = here.reach("V", "unload")
        found = 0
        for order, place, _ in random_unloadings(here, 80, seed=4):
            assert here.breaches(order) == []
            found += 1
            assert shapely.distance(answer.area, shapely.Point(place)) < 0.05, here.write(order)
        assert found > 8

    @pytest.mark.sampled("away")
    @pytest.mark.parametrize("option", ["same", "away"])
    def test_headings_that_hang_on_the_carrier(self, option):
        """ME-79, placement_heading: as the carrier faces, or away from it."""
        here = crowded(drives={"move": 5}, placement_heading=option)
        answer = here.reach("V", "unload")
        for order, place, heading in list(random_unloadings(here, 60, seed=5))[:1]:
            assert here.breaches(order) == []
            near = answer.area_of(heading=heading)
            assert shapely.distance(near, shapely.Point(place)) < 0.05, here.write(order)
            if answer.cost_at(Pose(place, heading)) is not None:
                is_carried_out(here, answer, Pose(place, heading), "V")

    @pytest.mark.parametrize("option", ["same", "away"])
    def test_headings_behind_one_pose(self, option):
        here = game(carrier(), unit("V"), placement_heading=option)
        answer = here.reach("V", "unload", at=(28, 24))
        aside = (28 - 1.5 * math.sqrt(0.5), 24 + 1.5 * math.sqrt(0.5))
        (only,) = answer.headings_at(aside)
        assert round(only.first, 6) == round(only.last, 6) == {"same": 0, "away": 135}[option]
        is_carried_out(here, answer, aside, "V")

    def test_on_a_roof(self):
        """ME-81: where the whole base lies on it."""
        roof = Piece("roof", "building", rectangle((24, 24), (8, 4)), "elevated", height=4)
        here = game(carrier(level="roof"), unit("V"), pieces=[roof])
        answer = here.reach("V", "unload")
        left, bottom, right, top = answer.area.bounds
        assert (left, bottom, right, top) >= (20.5, 22.5, 20.5, 22.5)
        assert right <= 27.5
        assert top <= 25.5
        assert answer.known_levels == ("roof",)
        is_carried_out(here, answer, (22.5, 24), "V")

    def test_whom_it_does_not_carry(self):
        here = game(carrier(), unit("V", (20, 24)), foot("I"))
        with pytest.raises(TableError, match="V is not aboard C1"):
            here.reach("C1", "unload").set_down("V")
        with pytest.raises(TableError, match="aboard nothing"):
            here.reach("C1", "unload", at=(28, 24))
        empty = game(carrier()).reach("C1", "unload")
        assert empty.area.is_empty
        assert [breach.clause for breach in empty.why_not(MIDDLE).reasons] == ["ME-77"]


def random_unloadings(here, count, seed):
    """Legal orders to unload after random moves, with where V is set down and how it faces."""
    random = np.random.default_rng(seed)
    for _ in range(count):
        moves, heading, place = [], 0.0, np.array(MIDDLE, np.float64)
        for _ in range(random.integers(0, 4)):
            if random.random() < 0.5:
                sense, angle = random.choice([-1, 1]), 22.5 * random.integers(1, 5)
                moves.append(Element("turn_left" if sense > 0 else "turn_right", {"angle": float(angle)}))
                heading += sense * angle
            else:
                inches, back = float(random.choice([0.5, 1, 1.5, 2, 3])), random.random() < 0.3
                moves.append(Element("backward" if back else "forward", {"inches": inches}))
                ahead = np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading))])
                place = place + (-inches if back else inches) * ahead
        aside = random.uniform(-45, 45)
        x, y = map(float, behind(1.5, aside, place.tolist(), heading).split(","))
        away = (heading + 180 + aside) % 360
        facing = {"any": 0.0, "same": heading % 360, "away": away}[here.setting.options.placement_heading]
        down = {"unit": "V", "at": (x, y), "heading": facing}
        order = Order("C1", "unload", [*moves, Element("set_down", down)])
        if not here.breaches(order):
            yield order, (x, y), facing


class TestDestroyed:
    def test_those_aboard_are_destroyed_with_it(self):
        here = game(carrier(), unit("V"), foot("I"), unit("W", (20, 24)))
        here.do("C1 destroyed")
        assert list(here.state.units) == ["W"]

    def test_unless_whoever_runs_the_table_spares_them(self):
        here = game(carrier(), unit("V"), foot("I"))
        here.do("C1 destroyed: set_down V at 24,24 facing 90")
        assert list(here.state.units) == ["V"]
        assert (here.state.unit("V").place, here.state.unit("V").heading) == ((24, 24), 90)
        assert clauses(here, "V standard: forward 3") == []

    def test_only_passengers_are_spared_where_they_have_room(self):
        here = game(carrier(), unit("V"), unit("W", (21, 24)))
        assert clauses(here, "C1 destroyed: set_down W at 24,24") == ["ME-86"]
        (refused,) = here.breaches("C1 destroyed: set_down V at 21.5,24")
        assert (refused.clause, refused.blocker) == ("ME-79", "W")
        twice = here.breaches("C1 destroyed: set_down V at 24,24, set_down V at 25,24")
        assert [one.message for one in twice] == ["V has been set down already"]


def test_positions_with_impossible_passengers_are_faulty():
    """ME-74, ME-86."""
    ruleset = game(carrier()).ruleset
    for units, told in (
        ((carrier(slots=0), unit("V")), "V is aboard C1, which does not carry it"),
        ((carrier(), unit("V", side="blue")), "V is aboard C1, which does not carry it"),
        ((carrier(accepts=("infantry",)), unit("V")), "V is aboard C1, which does not carry it"),
        ((carrier(slots=1), unit("V"), foot("I")), "C1 has 1 slot, those aboard take 1.5"),
        ((carrier(), unit("V", slots=2), foot("I", carrier="V")), "V is aboard C1 with others aboard itself"),
    ):
        assert told in [fault.message for fault in ruleset.faults(game(*units).table)]
    assert list(ruleset.faults(game(carrier(), unit("V"), foot("I")).table)) == []


@pytest.mark.sampled
@pytest.mark.parametrize("still", [False, True])
@pytest.mark.parametrize("tolerance", ["0.01", "0.3"])
@pytest.mark.parametrize(("option", "headings"), [("any", [None]), ("same", [200, 240]), ("away", [20])])
def test_the_rim_of_where_somebody_is_set_down(option, headings, tolerance, still):
    """ME-79: each corner of the area, and each place just inside, has an order that the judge accepts, or no cost."""
    carrier = unit_of("C", "track", (0, 0), heading=200, size_class=4, base=1, slots=2, move=0 if still else 3)
    wood = Piece("wood", "woodland", rectangle((3, 1), (3, 2)))
    aboard, foe = unit_of("V", "track", None, size_class=1, carrier="C"), unit_of("E", "walker", (-3, 2.5), "blue")
    options = {"placement_heading": option, "contact_tolerance": tolerance}
    play = mecha_game(carrier, aboard, foe, terrain=(wood,), options=options)
    reach = play.reach("V", "unload")
    for heading in headings:
        area = reach.area_of(heading=heading)
        corners, asked = shapely.get_coordinates(area), 0
        for corner in corners[:: max(len(corners) // 6, 1)]:
            for inside in (0.0, 1e-5, 1e-4):
                ground = shapely.buffer(area, -inside) if inside else area
                nearest = shapely.get_coordinates(shapely.shortest_line(ground, shapely.Point(corner)))[:1]
                for place in nearest.round(6).tolist():
                    if reach.cost_at(Pose(tuple(place), heading)) is not None:
                        (order,) = reach.orders_to(Pose(tuple(place), heading))
                        assert play.breaches(order) == [], (place, heading)
                        asked += 1
        assert asked or area.is_empty or area.area < 1e-6 or heading == 240


class TestLimitsOfUnloading:
    """ME-77, ME-78: how many a carrier unloads depends on whether it moves; who is too many is set down nowhere."""

    #: Where the carrier ends, facing which way, and how it gets there.
    POSES = (((24, 24), 0, ""), ((26, 24), 0, "forward 2, "), ((24, 24), 90, "turn_left 90 free 90, "))

    @pytest.mark.sampled
    @pytest.mark.parametrize("kind", ["vehicle", "infantry"])
    @pytest.mark.parametrize("still", [0.4, 0.5, 2])
    @pytest.mark.parametrize("moved", [0.4, 0.5, 1])
    def test_reach_sets_down_whom_the_judge_lets_off(self, moved, still, kind):
        tables = {"carrier.unloads_moved": moved, "carrier.unloads_still": still}
        here = game(carrier(mobility="walker"), unit("V", kind=kind), tables=tables)
        needed = 0.5 if kind == "infantry" else 1
        assert here.reach("C1", "unload").riders == (("V",) if needed <= max(moved, still) else ())
        for at, facing, how in self.POSES:
            place = behind(1.5, of=at, heading=facing)
            spot = tuple(map(float, place.split(",")))
            refused = clauses(here, f"C1 unload: {how}set_down V at {place} facing 0")
            answer = here.reach("V", "unload", at=at, facing=facing)
            if answer.cost_at(spot) is None:
                assert refused == ["ME-78"]
                assert {breach.clause for breach in answer.why_not(spot).reasons} == {"ME-78"}
            else:
                is_carried_out(here, answer, spot, "V")
                # Who stays where it is may have moved there and back.
                assert not refused or (how != "forward 2, " and needed <= moved)

    @pytest.mark.parametrize(("moved", "still"), [(0.5, 2), (2, 0.5), (0.5, 0.5)])
    def test_behind_any_pose(self, moved, still):
        """The places are those behind the poses in which it may be unloaded, and the others are denied by ME-78."""
        tables = {"carrier.unloads_moved": moved, "carrier.unloads_still": still}
        here = game(carrier(), unit("V"), tables=tables)
        answer, usual = here.reach("V", "unload"), game(carrier(), unit("V")).reach("V", "unload")
        for place in ((22.5, 24), (24.5, 24), (21, 24), (24.3, 22.7)):
            assert usual.cost_at(place) == 0
            if answer.cost_at(place) is None:
                assert max(moved, still) < 1 or (moved < 1 and place != (22.5, 24))
                assert {breach.clause for breach in answer.why_not(place).reasons} == {"ME-78"}
            else:
                is_carried_out(here, answer, place, "V")
