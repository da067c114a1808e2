"""Jet packs: what a flight may be, what it may cross, how one gets out of a house, and how it comes down."""

import itertools

import pytest
from dt_games import blocked, centred, game, shots_offered, trooper

from simulator.geometry.dots import Edge
from simulator.geometry.hex_lattice import DIRECTIONS
from simulator.geometry.poses import Pose

#: Six dots straight east of the middle, the shortest flight there is.
EAST = "1,0 2,0 3,0 4,0 5,0 6,0"
SCATTERED = {"flight_length": "displacement"}


def flyer(place=(0, 0), **fields):
    return trooper("A1", "red", place, **{"jet_pack": "worn", **fields})


def storeys(**count):
    """Houses by their dots, east of the middle: `storeys(e3=2)` is one of two storeys on 3,0."""
    return [((int(name[1:]), 0), {"storeys": levels}) for name, levels in count.items()]


def table_of(*units, special=(), edges=(), radius=9, **rules):
    return game([*units] or [flyer()], centred(radius, special=special, edges=edges), **rules)


def refused(table, path=EAST, before=""):
    order = f"A1 activate_jet_pack: {before}fly {path}"
    return [
        (breach.clause, breach.needed, breach.available, breach.blocker, breach.place)
        for breach in table.breaches(order)
    ]


def clauses(table, path=EAST):
    return [one[0] for one in refused(table, path)]


def line(*dots):
    return " ".join(f"{q},{r}" for q, r in dots)


def there_and_back(dots):
    """A flight of so many dots between 1,0 and its neighbours."""
    return line(*[(1 + n % 2, 0) for n in range(dots)])


class TestTakingOff:
    """DT-7, DT-10, DT-28: who can."""

    @pytest.mark.parametrize(
        ("fields", "wanted"),
        [
            ({}, []),
            ({"jet_pack": "carried"}, [("DT-7", "worn", "carried")]),
            ({"jet_pack": "none"}, [("DT-7", "worn", "none")]),
            ({"posture": "prone"}, [("DT-28", "standing", "prone")]),
            ({"ap_bonus": -4}, [("DT-162", 3, 2)]),
            ({"ap_bonus": -3}, []),
        ],
        ids=str,
    )
    def test_worn_upright_and_with_three_ap(self, fields, wanted):
        table = table_of(flyer(**fields))
        assert [one[:3] for one in refused(table)] == wanted
        assert bool(len(table.reach("A1", "activate_jet_pack"))) == (not wanted)

    def test_the_cap_counts_it(self):
        """DT-64."""
        for cap, wanted in ((3, []), (2, [("DT-64", 3)])):
            assert [one[:2] for one in refused(table_of(tables={"movement.cap": cap}))] == wanted

    def test_once_a_turn_by_trooper_and_by_pack(self):
        table = table_of(flyer(ap_bonus=9))
        table.do(f"A1 activate_jet_pack: fly {EAST}")
        unit = table.state.unit("A1")
        assert (unit["jet_pack_used"], unit["has_flown"]) == (True, True)
        assert clauses(table, "5,0 4,0 3,0 2,0 1,0 0,0") == ["DT-10"]
        other = trooper("A2", "red", (7, 0), ap_bonus=9)
        table = table_of(flyer(ap_bonus=9), other)
        table.do(f"A1 activate_jet_pack: fly {EAST}")
        table.do("A1 exchange_jet_pack A2")
        table.do("A1 done")
        order = "A2 activate_jet_pack: fly 7,-1 7,-2 6,-2 5,-2 4,-2 3,-2"
        assert [breach.clause for breach in table.breaches(order)] == ["DT-10"]

    @pytest.mark.parametrize("packs", [*itertools.product(("none", "worn", "carried"), repeat=2)], ids=" ".join)
    def test_no_pack_is_lost_where_one_changes_hands(self, packs):
        """DT-26: it goes from who wears it to who has none; who carries one would have two."""
        units = [trooper(f"A{number}", "red", (number, 0), jet_pack=pack) for number, pack in enumerate(packs, 1)]
        table, order = table_of(*units), "A1 exchange_jet_pack A2"
        if sorted(packs) == ["none", "worn"]:
            table.do(order)
            assert [table.state.unit(name)["jet_pack"] for name in ("A2", "A1")] == list(packs)
        else:
            assert [breach.clause for breach in table.breaches(order)] == ["DT-26"]

    def test_what_is_paid_and_told(self):
        happened = table_of().do(f"A1 activate_jet_pack: fly {EAST}")
        told = [(event.kind, event.clause, event.place) for event in happened.events if event.unit == "A1"]
        assert told[-8:] == [
            ("takes off", "DT-7", (0, 0)),
            *[("flies", "DT-8", (q, 0)) for q in range(1, 7)],
            ("lands", "DT-16", (6, 0)),
        ]
        (paid,) = happened.ledger.lines
        assert (paid.what, paid.amount, paid.rate, paid.currency, paid.clause) == ("jet pack", 1, 3, "AP", "DT-7")

    def test_it_counts_as_ap_and_as_movement(self):
        table = table_of()
        table.do(f"A1 activate_jet_pack: fly {EAST}")
        unit = table.state.unit("A1")
        assert (unit["ap_spent"], unit["movement_spent"], unit["posture"]) == (3, 3, "standing")


class TestLength:
    """DT-4, DT-8, DT-9, DT-167: six to sixteen dots, one after another."""

    @pytest.mark.parametrize("dots", [1, 5, 6, 7, 16, 17])
    def test_by_the_dots_flown(self, dots):
        wanted = [("DT-9", 6, dots)] if dots < 6 else [("DT-8", dots, 16)] if dots > 16 else []
        assert [one[:3] for one in refused(table_of(), there_and_back(dots))] == wanted

    def test_not_nowhere_not_by_leaps_and_not_off_the_map(self):
        table = table_of(radius=3)
        assert [breach.clause for breach in table.breaches("A1 activate_jet_pack: drop")][:1] == ["DT-9"]
        leap = refused(table, "1,0 3,0 2,0 1,0 0,0 1,0")
        assert leap == [("DT-4", 2, 1, "", (3, 0))]
        off = refused(table, "1,0 2,0 3,0 4,0 3,0 2,0")
        assert off == [("DT-167", None, None, "the edge of the map", (4, 0))]

    def test_by_option_by_the_distance(self):
        """DT-8: and still no more than sixteen dots on the way."""
        table = table_of(options=SCATTERED)
        assert refused(table) == []
        assert [one[:3] for one in refused(table, "1,0 2,0 3,0 4,0 5,0 5,1")] == []
        assert [one[:3] for one in refused(table, "1,0 2,0 3,0 4,0 5,0 4,0")] == [("DT-9", 6, 4)]
        back = [(n, 0) for n in range(1, 9)] + [(8 - n, 0) for n in range(1, 3)]
        assert refused(table, line(*back)) == []
        for more in (6, 7):
            loop = [*[(1 + n % 2, 0) for n in range(2 * (more - 1))], *[(q, 0) for q in range(1, 7)]]
            path = line(*loop)
            wanted = [] if len(loop) <= 16 else [("DT-8", len(loop), 16)]
            assert [one[:3] for one in refused(table, path)] == wanted

    def test_by_option_without_coming_back(self):
        """DT-8: not even to where it took off."""
        table = table_of(options={"flight_path": "no_revisit"})
        assert clauses(table) == []
        assert clauses(table, "1,0 1,-1 0,-1 -1,0 -1,1 0,1") == []
        assert clauses(table, "1,0 1,-1 0,-1 -1,0 -1,1 0,1 0,0") == ["DT-8"]
        assert clauses(table, "1,0 2,0 3,0 2,0 2,-1 1,-1") == ["DT-8"]

    def test_by_option_straight(self):
        table = table_of(options={"flight_path": "straight"})
        assert clauses(table) == []
        assert clauses(table, "1,0 2,0 3,0 4,0 5,0 5,1") == ["DT-8"]
        assert clauses(table, "1,0 2,0 3,0 2,0 1,0 0,0") == ["DT-8"]
        reach = table.reach("A1", "activate_jet_pack")
        assert {max(abs(q), abs(r), abs(q + r)) for q, r in reach.places} == {6, 7, 8, 9}
        assert len(reach) == 6 * 4


class TestLevels:
    """DT-13, DT-14, DT-15: a level for every three dots, and nothing higher is crossed."""

    @pytest.mark.parametrize(("roof", "refusals"), [(2, []), (3, [("DT-13", 9, 6), ("DT-13", 3, 2)])])
    def test_up_to_a_roof(self, roof, refusals):
        table = table_of(special=storeys(e6=roof))
        assert [one[:3] for one in refused(table)] == refusals
        if not refusals:
            table.do(f"A1 activate_jet_pack: fly {EAST}")
            assert table.state.unit("A1")["level"] == roof

    @pytest.mark.parametrize(("dots", "deep"), [(6, 2), (8, 2), (9, 3), (15, 5)])
    def test_down_from_a_roof(self, dots, deep):
        """DT-14: by the dots flown, up or down alike."""
        path = line(*[(1 + n % 2, 0) for n in range(dots)])
        for high, wanted in ((deep, []), (deep + 1, [("DT-13", 3 * (deep + 1), dots)])):
            table = table_of(flyer(level=high), special=[((0, 0), {"storeys": high})])
            assert [one[:3] for one in refused(table, path)] == wanted

    @pytest.mark.parametrize(("tower", "wanted"), [(2, []), (3, [("DT-13", 3, 2, "", (3, 0))])])
    def test_what_is_flown_over(self, tower, wanted):
        """DT-13: by ceiling, take-off level and levels of the whole flight together."""
        assert refused(table_of(special=storeys(e3=tower))) == wanted

    def test_the_ceiling_counts_from_the_take_off(self):
        table = table_of(flyer(level=1), special=[((0, 0), {"storeys": 1}), *storeys(e3=3)])
        assert refused(table) == []
        pit = [((0, 0), {"level": 1}), *storeys(e3=3)]
        assert refused(table_of(flyer(level=1), special=pit)) == []

    @pytest.mark.parametrize("clearance", ["ceiling", "profile", "free"])
    def test_by_option_altitude_is_tracked_or_only_the_landing_counts(self, clearance):
        """DT-13: by profile a level takes three dots before it; free flights cross anything."""
        options = {"flight_clearance": clearance}
        for houses, kinds in (
            (storeys(e3=1), {"ceiling", "profile", "free"}),
            (storeys(e2=1), {"ceiling", "free"}),
            (storeys(e5=2), {"ceiling", "free"}),
            (storeys(e6=2), {"ceiling", "profile", "free"}),
            (storeys(e3=1, e6=1), {"ceiling", "profile", "free"}),
            (storeys(e4=9), {"free"}),
            (storeys(e6=3), set()),
        ):
            table = table_of(special=houses, options=options, radius=6, tables={"flight.most": 8})
            assert (not clauses(table)) == (clearance in kinds)
            assert set(clauses(table)) <= {"DT-13"}
            (can_land,) = [(6, 0) in table.reach("A1", "activate_jet_pack")]
            if clearance in kinds:
                assert can_land

    def test_by_profile_up_and_down_count_alike(self):
        """DT-13: six dots are two changes: up over a house and down again, or up two."""
        options = {"flight_clearance": "profile"}
        assert clauses(table_of(special=storeys(e3=1), options=options)) == []
        assert clauses(table_of(special=storeys(e3=1, e6=2), options=options)) == []
        high = flyer(level=2)
        roof = [((0, 0), {"storeys": 2})]
        assert clauses(table_of(high, special=roof, options=options)) == []
        assert clauses(table_of(high, special=[*roof, *storeys(e6=2)], options=options)) == []
        assert clauses(table_of(high, special=[*roof, *storeys(e5=1)], options=options)) == []
        assert clauses(table_of(high, special=[*roof, *storeys(e5=3)], options=options)) == ["DT-13"]


class TestComingDown:
    """DT-16: on a dot that one may stand on, outdoors and free."""

    def test_not_on_obstacles_nor_on_others(self):
        for special, others, blocker in (
            (blocked((6, 0)), [], "an obstacle"),
            ((), [trooper("A2", "red", (6, 0))], "A2"),
            (storeys(e6=1), [trooper("B1", "blue", (6, 0), level=1)], "B1"),
        ):
            assert refused(table_of(flyer(), *others, special=special)) == [("DT-16", None, None, blocker, (6, 0))]

    def test_over_others_and_on_the_roof_above_them(self):
        """DT-165: flights pass over units."""
        below = trooper("B1", "blue", (6, 0))
        table = table_of(flyer(), trooper("A2", "red", (3, 0)), below, special=storeys(e6=1))
        assert refused(table) == []
        table.do(f"A1 activate_jet_pack: fly {EAST}")
        assert (table.state.unit("A1").place, table.state.unit("A1")["level"]) == ((6, 0), 1)

    @pytest.mark.parametrize("clearance", ["ceiling", "profile", "free"])
    def test_never_indoors(self, clearance):
        """DT-11, DT-12: on the roof of a house, and on no floor below it."""
        options = {"flight_clearance": clearance}
        house = storeys(e6=2)
        reach = table_of(special=house, options=options, radius=6, tables={"flight.most": 8}).reach(
            "A1", "activate_jet_pack"
        )
        assert [reach.cost_at(Pose((6, 0), level=level)) for level in (0, 1, 2)] == [None, None, 3]

    def test_where_one_took_off(self):
        assert refused(table_of(), "1,0 1,-1 0,-1 -1,0 -1,1 0,0") == []


HALL = [((q, 0), {"storeys": 1}) for q in (-1, 0, 1)]


class TestOutOfAHouse:
    """DT-11, DT-12: from indoors only through a window, a door or an opening, and never in again."""

    def test_there_is_no_way_but_an_opening(self):
        indoors = refused(table_of(special=HALL), "0,-1 0,-2 0,-3 0,-4 0,-5 0,-6")
        assert indoors == [("DT-12", None, None, "", (0, 0))]

    @pytest.mark.parametrize(("kind", "fine"), [("window", True), ("door", True), ("wall", False), ("stairs", False)])
    def test_windows_and_doors(self, kind, fine):
        edges = [Edge(kind, (0, 0), (0, -1), (0, 1) if kind == "stairs" else None)]
        table = table_of(special=HALL, edges=edges)
        assert clauses(table, "0,-1 0,-2 0,-3 0,-4 0,-5 0,-6") == ([] if fine else ["DT-12"])
        assert ((0, -6) in table.reach("A1", "activate_jet_pack")) == fine

    def test_a_window_on_the_floor_one_stands_on(self):
        """DT-12: one upstairs does not help downstairs."""
        house = [((0, 0), {"storeys": 2})]
        for levels, fine in (((0, 0), True), ((1, 1), False), ((0, 1), True)):
            table = table_of(special=house, edges=[Edge("window", (0, 0), (0, -1), levels)])
            assert (clauses(table, "0,-1 0,-2 0,-3 0,-4 0,-5 0,-6") == []) == fine
            assert ((0, -6) in table.reach("A1", "activate_jet_pack")) == fine

    def test_a_door_to_the_next_room_does_not_lead_out(self):
        table = table_of(special=HALL, edges=[Edge("door", (0, 0), (1, 0))])
        inside = refused(table, "1,0 2,0 3,0 4,0 5,0 6,0")
        assert inside == [("DT-12", None, None, "", (1, 0))]
        assert len(table.reach("A1", "activate_jet_pack")) == 0

    def test_a_dot_that_is_an_opening(self):
        """DT-12: one stands next to it, the first step is into it and the second out of doors."""
        gate = [((0, 0), {"storeys": 1}), ((1, 0), {"storeys": 1, "openings": True})]
        assert clauses(table_of(special=gate)) == []
        assert (6, 0) in table_of(special=gate).reach("A1", "activate_jet_pack")
        assert clauses(table_of(special=gate), "1,0") == ["DT-9", "DT-12", "DT-13"]
        assert clauses(table_of(special=gate), "1,0 2,0") == ["DT-9"]
        deeper = [*gate, ((2, 0), {"storeys": 1})]
        assert refused(table_of(special=deeper)) == [("DT-12", None, None, "", (2, 0))]
        yard = [((0, 0), {"storeys": 1}), ((1, 0), {"openings": True})]
        assert clauses(table_of(special=yard)) == []

    def test_an_opening_may_have_storeys_above_it(self):
        """DT-13: a flight leaves by it, and need not clear its roof; it does not land in it."""
        gate = [((0, 0), {"storeys": 5}), ((1, 0), {"storeys": 5, "openings": True})]
        for clearance in ("ceiling", "profile", "free"):
            table = table_of(special=gate, options={"flight_clearance": clearance})
            assert clauses(table) == []
            back = refused(table, "1,0 2,0 1,0 2,0 3,0 4,0")
            assert bool(back) == (clearance != "free")
            assert {one[0] for one in back} <= {"DT-13"}

    @pytest.mark.parametrize("clearance", ["ceiling", "profile"])
    def test_an_opening_is_a_way_out_and_not_in(self, clearance):
        """DT-12, DT-13: who stands outdoors flies over the house that an opening is in, or not at all."""
        gate = [((1, 0), {"storeys": 6, "openings": True})]
        table = table_of(special=gate, options={"flight_clearance": clearance}, radius=7)
        assert clauses(table) == ["DT-13"]
        assert clauses(table, "0,1 1,1 2,0 3,0 4,0 5,0") == []
        straight = table_of(special=gate, options={"flight_clearance": clearance, "flight_path": "straight"}, radius=7)
        assert (6, 0) not in straight.reach("A1", "activate_jet_pack")
        assert (0, 6) in straight.reach("A1", "activate_jet_pack")

    def test_whoever_stands_on_the_roof_is_outdoors(self):
        table = table_of(flyer(level=1), special=HALL)
        assert clauses(table) == []


class TestEveryStraightFlight:
    """DT-11, DT-12, DT-13, DT-16: by option flights are straight, and few enough to be judged one by one."""

    #: A house with another way out on each of its six sides, and something to fly over beyond each.
    AROUND = (
        ((0, 0), {"storeys": 2}),
        ((1, 0), {"storeys": 5, "openings": True}),
        ((3, 0), {"storeys": 2}),
        ((8, 0), {"level": 3}),
        ((2, -2), {"storeys": 1}),
        ((4, -4), {"storeys": 3}),
        ((0, -1), {"storeys": 1}),
        ((0, -6), {"level": 2}),
        ((-1, 0), {"openings": True}),
        ((-6, 0), {"storeys": 2}),
        ((-1, 1), {"level": 1}),
        ((-7, 7), {"impassable": True}),
        ((0, 1), {"storeys": 2, "openings": True}),
        ((0, 2), {"storeys": 1}),
        ((0, 6), {"storeys": 1}),
    )
    WAYS_OUT = (
        Edge("window", (0, 0), (1, -1), (0, 0)),
        Edge("door", (0, 0), (0, -1)),
        Edge("window", (0, 0), (-1, 1), (1, 1)),
        Edge("wall", (0, 0), (-1, 0)),
    )

    @pytest.mark.parametrize("clearance", ["ceiling", "profile", "free"])
    def test_can_be_made_if_the_judge_says_so(self, clearance):
        options = {"flight_path": "straight", "flight_clearance": clearance}
        legal, refusals = set(), set()
        for start, level in (((0, 0), 0), ((0, 0), 1), ((0, 0), 2), ((2, 0), 0), ((0, 3), 0)):
            others = [trooper("A2", "red", (6, -6)), trooper("B1", "blue", (0, 7), level=0)]
            board = {"special": self.AROUND, "edges": self.WAYS_OUT, "radius": 8}
            table = table_of(flyer(start, level=level), *others, **board, options=options, tables={"flight.most": 9})
            reach = table.reach("A1", "activate_jet_pack")
            for way in DIRECTIONS:
                path = [(start[0] + n * way[0], start[1] + n * way[1]) for n in range(1, 11)]
                for dots in range(6, len([dot for dot in path if dot in table.board]) + 1):
                    found = clauses(table, line(*path[:dots]))
                    assert (path[dots - 1] in reach) == (not found), (start, level, path[:dots], found)
                    refusals |= set(found)
                    legal |= set() if found else {(start, level, way)}
        assert refusals == {"DT-8", "DT-12", "DT-13", "DT-16"}
        assert len({(start, level) for start, level, _ in legal}) == 5


class TestDrops:
    """DT-21, DT-22, DT-23: a grenade on a dot flown over."""

    def grenadier(self, **rules):
        return table_of(flyer(weapon="grenade"), trooper("A2", "red", (0, 5)), trooper("B1", "blue", (3, 4)), **rules)

    def drops(self, table, order):
        return [(one.clause, one.needed, one.available) for one in table.breaches(f"A1 activate_jet_pack: {order}")]

    def test_with_a_grenade_in_hand(self):
        table = table_of(flyer(weapon="rifle"))
        assert self.drops(table, "fly 1,0 2,0, drop, fly 3,0 4,0 5,0 6,0") == [("DT-21", "grenade", "rifle")]
        assert self.drops(self.grenadier(), "fly 1,0 2,0, drop, fly 3,0 4,0 5,0 6,0") == []

    def test_between_take_off_and_landing(self):
        table = self.grenadier()
        for order, wanted in (
            (f"drop, fly {EAST}", ["DT-22"]),
            (f"fly {EAST}, drop", ["DT-22"]),
            ("fly 1,0, drop, fly 2,0 3,0 4,0 5,0 6,0", []),
            ("fly 1,0 2,0 3,0 4,0 5,0, drop, fly 6,0", []),
        ):
            assert [one[0] for one in self.drops(table, order)] == wanted

    def test_one_a_flight_or_by_option_any_number(self):
        twice = "fly 1,0 2,0, drop, fly 3,0, drop, fly 4,0 5,0 6,0"
        assert self.drops(self.grenadier(), twice) == [("DT-21", 2, 1)]
        assert self.drops(self.grenadier(options={"grenade_drops_per_flight": "unlimited"}), twice) == []

    def test_by_option_for_the_ap_of_an_attack(self):
        """DT-21, DT-171: they are no movement."""
        options = {"grenade_drop_ap": "fire_ap", "grenade_drops_per_flight": "unlimited"}
        once, twice = "fly 1,0 2,0, drop, fly 3,0 4,0 5,0 6,0", "fly 1,0, drop, fly 2,0, drop, fly 3,0 4,0 5,0 6,0"
        table = self.grenadier(options=options, tables={"movement.cap": 3})
        assert self.drops(table, once) == []
        assert self.drops(table, twice) == [("DT-162", 7, 6)]
        happened = table.do(f"A1 activate_jet_pack: {once}")
        lines = [(one.what, one.amount, one.rate, one.currency, one.clause) for one in happened.ledger.lines]
        assert lines == [("jet pack", 1, 3, "AP", "DT-7"), ("drop", 1, 2, "fire AP", "DT-21")]
        unit = table.state.unit("A1")
        assert (unit["ap_spent"], unit["movement_spent"]) == (5, 3)
        dropped = [(event.unit, event.clause, event.place) for event in happened.events if event.kind == "drops"]
        assert dropped == [("A1", "DT-21", (2, 0))]

    def test_by_option_it_counts_towards_a_cap_of_everything(self):
        """DT-64."""
        options = {"grenade_drop_ap": "fire_ap", "cap_counts": "all_activities"}
        table = self.grenadier(options=options, tables={"movement.cap": 4})
        assert self.drops(table, "fly 1,0 2,0, drop, fly 3,0 4,0 5,0 6,0") == [("DT-64", 5, 4)]

    @pytest.mark.parametrize(
        ("fields", "options", "needed"),
        [({}, {}, 5), ({"crossed": (6,)}, {}, 7), ({}, {"grenade_drop_movement_mod": 2}, 7)],
    )
    def test_what_it_takes_and_where_it_falls(self, fields, options, needed):
        """DT-23: five and the trooper's own damage; by option it is movement fire."""
        table = table_of(flyer(weapon="grenade", **fields), trooper("B1", "blue", (5, 4)), options=options)
        table.do("A1 activate_jet_pack: fly 1,0 2,0, drop, fly 3,0 4,0 5,0 6,0")
        (charge,) = table.state.data["explosives"]
        assert (charge["at"], charge["tn"], charge["weapon"], charge["by"]) == ((2, 0), needed, "grenade", "A1")
        assert table.state.unit("A1")["ap_spent"] == 3


class TestUnderFire:
    """DT-17, DT-18, DT-19, DT-20, DT-97: shots at flyers, and falls."""

    def flown(self, *foes, path=EAST, shots=(), rolls=12, special=(), options=None, **fields):
        """Fly, with a target for each shot that is offered in turn; give the table and the shots offered."""
        table = table_of(flyer(**fields), *foes, special=special, options=options)
        table.do(f"A1 activate_jet_pack: fly {path}", answers=None)
        offered = shots_offered(table, shots, rolls)
        return table, offered

    def gunner(self, *arc, name="B1", **fields):
        return trooper(name, "blue", (3, 2 + (name == "B2")), **{"weapon": "pistol", "arc": arc, **fields})

    def test_at_flown_dots_until_one_has_fired_and_at_the_landing_dot(self):
        """DT-17: neither where it took off; who waits may fire later, who has fired has done so."""
        arc = ((0, 0), (2, 0), (4, 0), (6, 0))
        _, waited = self.flown(self.gunner(*arc))
        assert waited == [("B1", "DT-17", (2, 0)), ("B1", "DT-17", (4, 0)), ("B1", "DT-97", (6, 0))]
        _, fired = self.flown(self.gunner(*arc), shots=["A1"], rolls=2)
        assert fired == [("B1", "DT-17", (2, 0))]
        _, later = self.flown(self.gunner(*arc), shots=[None, "A1"], rolls=2)
        assert later == [("B1", "DT-17", (2, 0)), ("B1", "DT-17", (4, 0))]

    def test_by_option_at_every_dot(self):
        """DT-17: at the landing dot those who have fired do not fire again."""
        arc = ((2, 0), (4, 0), (6, 0))
        options = {"flight_attacks": "once_per_unit_per_dot"}
        _, fired = self.flown(self.gunner(*arc), shots=["A1", "A1"], rolls=2, options=options)
        assert fired == [("B1", "DT-17", (2, 0)), ("B1", "DT-17", (4, 0))]

    def test_each_unit_for_itself(self):
        foes = [self.gunner((2, 0), (4, 0)), self.gunner((2, 0), (4, 0), name="B2")]
        _, fired = self.flown(*foes, shots=["A1", None, "A1"], rolls=2)
        assert fired == [("B1", "DT-17", (2, 0)), ("B2", "DT-17", (2, 0)), ("B2", "DT-17", (4, 0))]

    def test_a_hit_that_costs_ap_ends_the_flight_there(self):
        """DT-19: prone on the dot flown over; the AP stay spent; nobody fires at the dots beyond."""
        table, offered = self.flown(self.gunner((3, 0)), self.gunner((4, 0), name="B2"), shots=["A1"], crossed=(9,))
        unit = table.state.unit("A1")
        assert (unit.place, unit["posture"], unit["level"], unit["ap_spent"]) == ((3, 0), "prone", 0, 3)
        assert [who for who, _, _ in offered] == ["B1"]

    @pytest.mark.parametrize("attacks", ["once_per_unit_per_flight", "once_per_unit_per_dot"])
    @pytest.mark.parametrize("crossed", [(), (10,), (9,), (8,), (6,), (2,), (3, 2)])
    def test_nobody_fires_at_who_is_falling(self, crossed, attacks):
        """DT-19, DT-20: at once means before the next unit fires; a hit that costs no AP leaves it in the air."""
        foes = [self.gunner((3, 0), name=name) for name in ("B1", "B2", "B3")]
        options = {"flight_attacks": attacks}
        table, offered = self.flown(*foes, shots=["A1"] * 3, options=options, crossed=crossed, ap_bonus=5)
        ap, hp = (*table.table.tables["trooper_hp_table.ap"], -1), (min(crossed) - 1 if crossed else 10)
        brings_down = [shots for shots in (1, 2, 3) if ap[10 - max(hp - shots, 0)] < ap[10 - hp]]
        assert len(offered) == min([*brings_down, 3])
        ends = [event.place for event in table.events if event.kind in ("falls", "lands")]
        assert ends == [(3, 0) if brings_down else (6, 0)]

    def test_a_hit_that_costs_none_does_not(self):
        """DT-20."""
        table, _ = self.flown(self.gunner((3, 0)), shots=["A1"])
        unit = table.state.unit("A1")
        assert (unit.place, unit["posture"], unit["crossed"]) == ((6, 0), "standing", (10,))

    def test_a_hit_at_the_landing_dot_is_one_on_foot(self):
        """DT-17, DT-97: whoever has landed does not fall."""
        table, offered = self.flown(self.gunner((6, 0)), shots=["A1"], crossed=(9,))
        assert (offered, table.state.unit("A1")["posture"]) == ([("B1", "DT-97", (6, 0))], "standing")

    @pytest.mark.parametrize(
        ("special", "others", "spot", "level"),
        [
            ((), (), (3, 0), 0),
            (storeys(e3=1), (), (3, 0), 1),
            (blocked((3, 0)), (), (2, 0), 0),
            (blocked((3, 0), (2, 0)), (), (1, 0), 0),
            (storeys(e2=2) + blocked((3, 0)), (), (2, 0), 2),
            ((), ((3, 0),), (2, 0), 0),
            (blocked((3, 0), (2, 0), (1, 0)), (), (0, 0), 0),
        ],
    )
    def test_where_a_flyer_falls(self, special, others, spot, level):
        """DT-19: roof or ground below, else the last dot before it that can hold them, else where they took off."""
        friends = [trooper(f"A{n}", "red", dot) for n, dot in enumerate(others, 2)]
        table, _ = self.flown(self.gunner((3, 0)), *friends, shots=["A1"], special=special, crossed=(9,))
        unit = table.state.unit("A1")
        assert (unit.place, unit["level"], unit["posture"]) == (spot, level, "prone")
        (fell,) = [event for event in table.events if event.kind == "falls"]
        assert (fell.unit, fell.clause, fell.place) == ("A1", "DT-19", spot)

    def test_back_to_where_it_took_off_is_back_to_its_level(self):
        """DT-19: out of the first floor of a house, over nothing that could hold them."""
        house = [((0, 0), {"storeys": 3}), *blocked((1, 0), (2, 0), (3, 0))]
        board = centred(9, special=house, edges=[Edge("window", (0, 0), (1, 0), (1, 1))])
        table = game([flyer(level=1, crossed=(9,)), self.gunner((3, 0))], board)
        table.do(f"A1 activate_jet_pack: fly {EAST}", answers=["A1", 12])
        unit = table.state.unit("A1")
        assert (unit.place, unit["level"], unit["posture"]) == ((0, 0), 1, "prone")

    @pytest.mark.parametrize(("high", "low", "harm"), [(2, 0, 2), (2, 1, 1), (1, 1, 0), (0, 1, 1), (0, 0, 0)])
    def test_by_option_a_fall_hurts_for_each_level(self, high, low, harm):
        """DT-19."""
        houses = [((0, 0), {"storeys": high}), *storeys(e3=low)]
        for options, points in (({}, 0), ({"fall_damage": "1_lethal_per_level"}, harm)):
            table, _ = self.flown(
                self.gunner((3, 0)), shots=["A1"], special=houses, options=options, crossed=(9,), level=high
            )
            assert len(table.state.unit("A1")["crossed"]) == 2 + points
            falls = [event.detail["points"] for event in table.events if event.detail.get("by") == "fall"]
            assert falls == ([points] if points else [])

    def test_the_dead_drop_likewise(self):
        """DT-19: and are off the map."""
        deadly = self.gunner((3, 0), weapon="pistol")
        table, offered = self.flown(deadly, self.gunner((4, 0), name="B2"), shots=["A1"], crossed=(2,), ap_bonus=5)
        unit = table.state.unit("A1")
        assert (unit.place, unit["posture"]) == (None, "dead")
        assert [event.kind for event in table.events if event.kind in ("falls", "lands")] == ["falls"]
        assert [who for who, _, _ in offered] == ["B1"]

    def test_the_dead_drop_whatever_their_card_says(self):
        """DT-19: on cards that keep their AP to the last it is death alone that ends a flight."""
        units = [flyer(crossed=(2,)), self.gunner((3, 0)), self.gunner((4, 0), name="B2")]
        table = table_of(*units, tables={"trooper_hp_table.ap": [8] * 11})
        table.do(f"A1 activate_jet_pack: fly {EAST}", answers=["A1", 12])
        assert (table.question, table.state.unit("A1").place) == (None, None)

    def test_a_drop_beyond_the_fall_is_not_made(self):
        """DT-22."""
        table = table_of(flyer(weapon="grenade", crossed=(9,)), self.gunner((3, 0)))
        order = "A1 activate_jet_pack: fly 1,0 2,0 3,0 4,0, drop, fly 5,0 6,0"
        table.do(order, answers=["A1", 12])
        assert table.state.data["explosives"] == ()
        table = table_of(flyer(weapon="grenade", crossed=(9,)), self.gunner((4, 0)))
        table.do("A1 activate_jet_pack: fly 1,0 2,0 3,0, drop, fly 4,0 5,0 6,0", answers=["A1", 12])
        assert [charge["at"] for charge in table.state.data["explosives"]] == [(3, 0)]
