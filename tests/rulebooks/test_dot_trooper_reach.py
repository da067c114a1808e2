"""Reach of dot_trooper against every legal drive, walk and flight played one by one, and against networkx."""

import random
from fractions import Fraction

import pytest
from dt_games import RULES, bike, centred, game, random_map, rear, trooper
from exhaustive_dot_trooper import Drives, World, flights, flights_one_by_one, turns, walks

from simulator.engine.errors import TableError
from simulator.engine.reach import ReachAnswer
from simulator.errors import NoPlace
from simulator.geometry.poses import Pose
from simulator.pathing.traces import NoRoute
from simulator.rulesets.dot_trooper.options import DotTrooperOptions
from simulator.rulesets.dot_trooper.reach.questions import REACHES, DriveEnd

MODES = {"minimum": (1, 1), "cruise": (2, 4), "max": (5, 8)}
BASE = {("turn", 60): None, ("turn", 120): 6, ("turn", 180): 9, ("stop", 0): 4, ("stop", 60): 4}
BASE |= {("stop", 120): 6, ("stop", 180): 8}


def start_of(board, seed):
    """A free pose of a vehicle on a map."""
    dice = random.Random(seed)
    world = World(board)
    for _ in range(200):
        front, way = dice.choice(list(board.places())), dice.randrange(6)
        back = rear(front, 60 * way)
        if world.dot_ok(front) and world.dot_ok(back) and world.edge_ok(front, back):
            return front, way
    raise AssertionError("no room on this map")


def free_dots(board, seed, taken, count):
    dice = random.Random(seed)
    free = [dot for dot in board.places() if not board.impassable[board.index(dot)] and dot not in taken]
    return dice.sample(free, count)


def asked(seed, mode, kind, motion, options, radius=5, via=(), crossed=None):
    """The answer of the package and the one of exhaustive play, on a generated map with units in the way."""
    board = random_map(seed, radius, share=0.08, levels=seed % 5 == 1)
    front, way = start_of(board, seed)
    friend, foe = free_dots(board, seed + 1, (front, rear(front, 60 * way)), 2)
    crossed = crossed or ((12,) if seed % 3 else (12, 6))
    units = bike(place=front, heading=60 * way, motion=motion, **{"class": kind}, crossed=crossed)
    units += [trooper("A2", "red", friend, level=int(board.level[board.index(friend)]))]
    units += [trooper("B1", "blue", foe, level=int(board.level[board.index(foe)]))]
    table = game(units, board, options=options)
    m = {"scout": 3, "assault": 2}[kind]
    low, high = MODES[mode]
    world = World(board, [(friend, options.get("pass_through_units") == "friends"), (foe, False)])
    modifier = {11: 0, 5: 2, 1: 3}[min(crossed) - 1] + (kind == "assault")

    def tn(cause, angle):
        base = BASE[cause, angle]
        return None if base is None else base + modifier

    drives = Drives(world, m, low, high, options, tn, mode == "minimum", via)
    return table, drives.play(front, way, motion == "stopped")


def same_poses(reach, ends):
    played = {DriveEnd(*pose, motion=motion): tuple(sorted(by_ap)) for (*pose, motion), by_ap in ends.items()}
    assert dict(reach.totals) == played


DRIVE_OPTIONS = [
    {},
    {"partial_segments": True},
    {"stop_dots": "m_per_ap"},
    {"forward_before_turn": "once_per_move"},
    {"swing_check": "end_only"},
    {"minimum_stop": "allowed_2ap_no_check"},
    {"pass_through_units": "friends"},
    {"stop_check_at": "start_of_stop"},
]
FLIGHT_OPTIONS = [
    {"flight_clearance": clearance, "flight_path": path, "flight_length": length}
    for clearance in ("ceiling", "profile", "free")
    for path in ("any", "no_revisit", "straight")
    for length in ("path", "displacement")
]
TURN_OPTIONS = [
    {"pass_through_units": "none", "cap_counts": "movement_only", "jetpack_penalty_timing": "at_once"},
    {"pass_through_units": "friends", "cap_counts": "all_activities", "jetpack_penalty_timing": "next_turn"},
]
MOUNT_OPTIONS = [{"mount_reach": "rear_dot"}, {"mount_reach": "either_dot", "cap_counts": "all_activities"}]
#: Every option that says something about where one can get to.
ABOUT_MOVEMENT = (
    *("cap_counts", "flight_clearance", "flight_length", "flight_path", "forward_before_turn"),
    *("jetpack_penalty_timing", "minimum_stop", "mount_reach", "partial_segments", "pass_through_units"),
    *("stop_check_at", "stop_dots", "swing_check"),
)


def test_every_value_of_every_option_about_movement_is_tried():
    """The lists above, over which the comparisons below run, leave no value out."""
    tried = {name: {getattr(DotTrooperOptions(), name)} for name in ABOUT_MOVEMENT}
    for options in (*DRIVE_OPTIONS, *FLIGHT_OPTIONS, *TURN_OPTIONS, *MOUNT_OPTIONS):
        for name, value in options.items():
            tried[name].add(value)
    assert tried == {name: set(DotTrooperOptions.declared[name].values) for name in ABOUT_MOVEMENT}


class TestDrives:
    """DT-59 to DT-88, DT-93 to DT-96: the end states of a mode are exactly those of every plan played step by step."""

    @pytest.mark.parametrize("options", DRIVE_OPTIONS, ids=str)
    @pytest.mark.parametrize("motion", ["moving", "stopped"])
    @pytest.mark.parametrize("kind", ["scout", "assault"])
    @pytest.mark.parametrize("mode", ["minimum", "cruise"])
    def test_equal_exhaustive_play(self, mode, kind, motion, options):
        for seed in (1, 3):
            table, ends = asked(seed, mode, kind, motion, options)
            reach = table.reach("A1", "drive", mode=mode)
            same_poses(reach, ends)
            for (front, heading, motion_), by_ap in ends.items():
                assert reach.chance_at(Pose(front, heading), motion=motion_) == max(by_ap.values())
                assert reach.cost_at(Pose(front, heading), motion=motion_) == min(by_ap)

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        "options", [{}, {"swing_check": "end_only"}, {"forward_before_turn": "once_per_move"}], ids=str
    )
    @pytest.mark.parametrize(("kind", "motion"), [("scout", "moving"), ("assault", "stopped")])
    def test_equal_exhaustive_play_at_full_speed(self, kind, motion, options):
        table, ends = asked(4, "max", kind, motion, options, radius=4)
        reach = table.reach("A1", "drive", mode="max")
        same_poses(reach, ends)
        for (front, heading, motion_), by_ap in ends.items():
            best = dict(reach.front(Pose(front, heading), motion_))
            assert max(best.values(), default=Fraction(0)) == max(by_ap.values())

    def test_a_check_that_nobody_passes_leads_nowhere(self):
        """DT-160: at HP 1 of the vehicle a half turn takes 13 and more: what only it leads to is out of reach."""
        table, ends = asked(7, "minimum", "assault", "moving", {}, radius=4, crossed=(2,))
        same_poses(table.reach("A1", "drive", mode="minimum"), ends)
        rider, tables = {"crossed": (2,), "ap_bonus": 4}, {"vehicle_hp_table.max_mode": ("max",) * 13}
        whole = game(bike(place=(0, 0), rider_fields=rider), centred(12), tables=tables)
        assert whole.reach("A1", "drive", mode="cruise").cost_at(Pose((3, 0), 180), motion="stopped") == 4
        hard = game(bike(place=(0, 0), crossed=(4,), rider_fields=rider), centred(12), tables=tables)
        reach = hard.reach("A1", "drive", mode="cruise")
        assert reach.cost_at(Pose((3, 0), 180), motion="stopped") is None
        why = reach.why_not(Pose((3, 0), 180), motion="stopped")
        assert [(one.clause, one.needed, one.available) for one in why.reasons] == [("DT-160", 13, 12)]
        assert why.remedy == "a target number lower by 1"
        assert hard.breaches("A1 drive cruise: stop, left 180") == []

    @pytest.mark.parametrize(("kind", "motion"), [("assault", "moving"), ("scout", "stopped")])
    def test_equal_exhaustive_play_at_full_speed_on_a_small_map(self, kind, motion):
        table, ends = asked(10, "max", kind, motion, {}, radius=3)
        same_poses(table.reach("A1", "drive", mode="max"), ends)

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        ("mode", "kind", "motion"),
        [
            ("minimum", "scout", "stopped"),
            ("cruise", "assault", "moving"),
            ("cruise", "scout", "stopped"),
            ("max", "assault", "moving"),
        ],
    )
    def test_numpy_equals_networkx(self, mode, kind, motion):
        table, _ = asked(5, "minimum", kind, motion, {}, radius=3)
        fast = table.reach("A1", "drive", mode=mode)
        slow = table.reach("A1", "drive", mode=mode, engine="networkx")
        assert (fast.array == slow.array).all()
        assert fast.totals == slow.totals

    @pytest.mark.parametrize("motion", ["moving", "stopped"])
    def test_every_end_has_an_order_that_the_judge_accepts_at_its_price(self, motion):
        """DT-68: sound: what is shown is accepted, costs what was said and leads where it was said."""
        for seed, mode, kind in ((1, "minimum", "scout"), (2, "cruise", "assault"), (4, "max", "scout")):
            table, _ = asked(seed, mode, kind, motion, {}, radius=4)
            reach = table.reach("A1", "drive", mode=mode)
            poses = sorted(reach.totals, key=str)
            for pose in poses[:: max(1, len(poses) // 80)]:
                for orders_to in (reach.orders_to, reach.safest_orders_to):
                    (order,) = orders_to(pose, motion=pose.motion)
                    assert table.breaches(order) == []
            for pose in poses[:: max(1, len(poses) // 6)]:
                (order,) = reach.orders_to(pose, motion=pose.motion)
                twin = table.branch()
                happened, chance = twin.do(order, answers=None), Fraction(1)
                while twin.question is not None:
                    if twin.question.kind == "roll":
                        chance *= twin.question.chance
                    happened = twin.answer(12 if twin.question.kind == "roll" else None)
                vehicle = twin.state.unit("bike")
                assert (vehicle.place, vehicle.heading, vehicle["motion"]) == (pose.front, pose.heading, pose.motion)
                ap = reach.cost_at(pose, motion=pose.motion)
                assert vehicle["mode_ap"] == happened.ledger.total("AP") == ap
                assert dict(reach.front(pose, pose.motion))[ap] == chance

    @pytest.mark.sampled("{}")
    @pytest.mark.parametrize("options", [{}, {"minimum_stop": "allowed_2ap_no_check"}], ids=str)
    def test_all_modes_are_the_union_of_each(self, options):
        """DT-60: without a mode the reach is that of every mode that can be selected, at the best odds of any."""
        for motion in ("stopped", "moving"):
            table, _ = asked(1, "minimum", "assault", motion, options, radius=4)
            every = table.reach("A1", "drive")
            parts = [table.reach("A1", "drive", mode=mode) for mode in MODES]
            assert every.poses == frozenset().union(*(part.poses for part in parts))
            for pose, totals in every.totals.items():
                assert set(totals) == {ap for part in parts for ap in part.totals.get(pose, ())}
                best = max(part.chance_at(pose, motion=pose.motion) for part in parts)
                assert every.chance_at(pose, motion=pose.motion) == best
                (order,) = every.orders_to(pose, motion=pose.motion, surest=True)
                assert table.breaches(order) == []

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", [1, 3, 8])
    def test_by_way_of_other_dots_equals_exhaustive_play(self, seed):
        """DT-80: a plan to a goal comes by the dots named, in their order, and is the cheapest and surest such plan."""
        table, _ = asked(seed, "cruise", "assault", "moving", {}, radius=4)
        reach = table.reach("A1", "drive", mode="cruise")
        dots = sorted(reach.places)
        for via in ((dots[0],), (dots[len(dots) // 2], dots[-1]), (dots[-1], dots[0])):
            _, ends = asked(seed, "cruise", "assault", "moving", {}, radius=4, via=via)
            for pose in sorted(reach.poses, key=str)[::5]:
                played = ends.get((pose.front, pose.heading, pose.motion))
                if played is None:
                    with pytest.raises(NoRoute):
                        reach.orders_to(pose, motion=pose.motion, via=via)
                    continue
                (order,) = reach.orders_to(pose, motion=pose.motion, via=via)
                assert table.breaches(order) == []
                assert walked(table, order, "bike")[1] == min(played)
                assert all(dot in walked(table, order, "bike")[0] for dot in via)


def walked(table, order, name):
    """The dots that a unit comes by in an order, all rolls made, and the AP it takes."""
    twin = table.branch()
    happened = twin.do(order, answers=None)
    while twin.question is not None:
        happened = twin.answer(12 if twin.question.kind == "roll" else None)
    dots = [event.place for event in happened.events if event.kind in ("dot", "step", "flies")]
    return dots, happened.ledger.total("AP")


def play_all(table, orders):
    """Play orders one after another, every roll made and nobody firing; give the game and the AP they took."""
    twin, spent = table.branch(), 0
    for order in orders:
        happened = twin.do(order, answers=None)
        while twin.question is not None:
            happened = twin.answer(12 if twin.question.kind == "roll" else None)
        spent += happened.ledger.total("AP")
    return twin, spent


class TestFoot:
    """DT-164, DT-165: on foot in levels, and DT-8 to DT-16 in the air."""

    @pytest.mark.parametrize("seed", range(6))
    @pytest.mark.parametrize("through", ["none", "friends"])
    def test_walks_equal_exhaustive_play(self, seed, through):
        board = random_map(seed, 4, share=0.1, buildings=True)
        start, friend, foe = free_dots(board, seed, (), 3)
        units = [trooper("A1", "red", start), trooper("A2", "red", friend), trooper("B1", "blue", foe)]
        table = game(units, board, options={"pass_through_units": through})
        reach = table.reach("A1", "foot_move")
        others = [(friend, 0, through == "friends"), (foe, 0, False)]
        found = walks(board, start, 0, 8, others)
        assert dict(reach.levels) == found

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(3))
    @pytest.mark.parametrize("clearance", ["ceiling", "profile", "free"])
    @pytest.mark.parametrize("straight", [False, True])
    def test_flights_equal_exhaustive_play(self, seed, clearance, straight):
        board = random_map(seed, 7, share=0.1, buildings=True)
        start = free_dots(board, seed, (), 1)[0]
        path = "straight" if straight else "any"
        table = game(
            [trooper("A1", "red", start, jet_pack="worn")],
            board,
            options={"flight_clearance": clearance, "flight_path": path},
        )
        reach = table.reach("A1", "activate_jet_pack")
        assert set(reach.places) == flights(board, start, 0, clearance, straight)

    @pytest.mark.sampled
    @pytest.mark.parametrize("options", FLIGHT_OPTIONS, ids=lambda options: " ".join(options.values()))
    def test_short_flights_equal_every_walk_looked_at_by_itself(self, options):
        """DT-8, DT-11, DT-12, DT-13, DT-16: every option of flights, on small maps with flights of 3 to 5 dots."""
        figures = {"flight.least": 3, "flight.most": 5, "flight.dots_per_level": 2}
        names = {"clearance": "flight_clearance", "path": "flight_path", "length": "flight_length"}
        seen = set()
        for seed in range(8):
            board = random_map(seed, 3, share=0.1, buildings=True)
            start, other = free_dots(board, seed, (), 2)
            on = seed % 2 * int(board.storeys[board.index(start)])
            units = [trooper("A1", "red", start, level=on, jet_pack="worn"), trooper("B1", "blue", other)]
            table = game(units, board, options=options, tables=figures)
            reach = table.reach("A1", "activate_jet_pack")
            rules = {short: options[name] for short, name in names.items()}
            taken = (other,) if board.storeys[board.index(other)] == 0 else ()
            found = flights_one_by_one(board, start, on, **rules, taken=taken, least=3, most=5, per_level=2)
            assert set(reach.places) == found
            seen.add(bool(board.storeys[board.index(start)] > on))
            for place in found:
                (order,) = reach.orders_to(place)
                twin, spent = play_all(table, [order])
                assert twin.state.unit("A1").place == place
                assert spent == 3
        assert seen == {False, True}, "indoors and outdoors"

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(3))
    @pytest.mark.parametrize("options", TURN_OPTIONS, ids=lambda options: options["cap_counts"])
    @pytest.mark.parametrize("flight", FLIGHT_OPTIONS[::4], ids=lambda options: " ".join(options.values()))
    def test_turns_equal_exhaustive_play(self, seed, options, flight):
        """DT-6, DT-28, DT-64, DT-162: walk, one flight and walk, from standing or prone, within AP and cap."""
        figures = {"flight.least": 3, "flight.most": 4, "flight.dots_per_level": 2, "movement.cap": 3 + 2 * seed}
        board = random_map(seed + 20, 3, share=0.1, buildings=True)
        start, friend, foe = free_dots(board, seed, (), 3)
        posture = "prone" if seed else "standing"
        mover = trooper("A1", "red", start, jet_pack="worn", posture=posture, ap_bonus=seed)
        table = game([mover, trooper("A2", "red", friend), trooper("B1", "blue", foe)], board, None, options | flight)
        table = game(
            [mover, trooper("A2", "red", friend), trooper("B1", "blue", foe)], board, None, options | flight, figures
        )
        rules = {"clearance": "flight_clearance", "path": "flight_path", "length": "flight_length"}
        rules = {short: flight[name] for short, name in rules.items()}
        known = {}

        def landings(dot, on):
            if (dot, on) not in known:
                taken = [one for one in (friend, foe) if board.storeys[board.index(one)] == 0]
                found = flights_one_by_one(board, dot, on, **rules, taken=taken, least=3, most=4, per_level=2)
                known[dot, on] = [(place, int(board.top[board.index(place)])) for place in found]
            return known[dot, on]

        through = options["pass_through_units"] == "friends"
        everything = options["cap_counts"] == "all_activities"
        others = [(friend, 0, through), (foe, 0, False)]
        ends = turns(board, start, 0, posture, 6 + seed, 3 + 2 * seed, others, landings, everything)
        reach = table.reach("A1", "turn")
        for dot in board.places():
            for level in board.surfaces_at(dot):
                for how in ("standing", "prone"):
                    assert reach.cost_at(Pose(dot, level=level), posture=how) == ends.get((dot, level, how))
        chosen = sorted(ends)
        for dot, level, how in chosen[:: max(1, len(chosen) // 25)]:
            twin, spent = play_all(table, reach.orders_to(Pose(dot, level=level), posture=how))
            unit = twin.state.unit("A1")
            assert (unit.place, unit["level"], unit["posture"]) == (dot, level, how)
            assert spent == ends[dot, level, how]

    @pytest.mark.parametrize("action", ["foot_move", "turn"])
    def test_numpy_equals_networkx(self, action):
        board = random_map(3, 2, share=0.1, buildings=True)
        start = free_dots(board, 3, (), 1)[0]
        table = game([trooper("A1", "red", start, jet_pack="worn")], board)
        assert table.reach("A1", action).levels == table.reach("A1", action, engine="networkx").levels
        whole = game([trooper("A1", "red", start, jet_pack="worn")], board, options={"flight_path": "no_revisit"})
        assert whole.reach("A1", action).levels == whole.reach("A1", action, engine="networkx").levels

    def test_every_end_of_a_turn_is_reached_by_orders_the_judge_accepts(self):
        board = random_map(2, 5, share=0.1, buildings=True)
        start = free_dots(board, 2, (), 1)[0]
        for options in ({}, {"flight_path": "no_revisit"}, {"flight_length": "displacement"}):
            table = game([trooper("A1", "red", start, jet_pack="worn")], board, options=options)
            reach = table.reach("A1", "turn")
            places = sorted(reach.levels)
            for place, level in places[:: max(1, len(places) // 40)]:
                twin, spent = play_all(table, reach.orders_to(Pose(place, level=level)))
                assert (twin.state.unit("A1").place, twin.state.unit("A1")["level"]) == (place, level)
                assert spent == reach.cost_at(Pose(place, level=level))

    def test_a_flight_without_a_repeat_can_need_a_detour(self):
        """DT-8: the next dot is landed on after five more; the take-off itself never, for it has been there."""
        table = game(
            [trooper("A1", "red", (0, 0), jet_pack="worn")], centred(20), options={"flight_path": "no_revisit"}
        )
        reach = table.reach("A1", "activate_jet_pack")
        assert len(reach) == 816
        (order,) = reach.orders_to((1, 0))
        flown = order.elements[0]["dots"]
        assert len(flown) == len(set(flown)) == 6
        assert (0, 0) not in flown
        assert [one.clause for one in reach.why_not((0, 0)).reasons] == ["DT-8"]

    @pytest.mark.parametrize("length", ["path", "displacement"])
    @pytest.mark.parametrize("clearance", ["ceiling", "profile", "free"])
    def test_dead_ends_seen_beforehand_are_dead_ends(self, clearance, length, monkeypatch):
        """DT-8: to look for dead ends from the first dot on takes no landing away and adds none."""
        monkeypatch.setattr("simulator.rulesets.dot_trooper.landings._PATIENCE", 0)
        options = {"flight_clearance": clearance, "flight_path": "no_revisit", "flight_length": length}
        figures = {"flight.least": 4, "flight.most": 6, "flight.dots_per_level": 2}
        for seed in range(6):
            board = random_map(seed, 2, share=0.1, levels=seed % 2 == 1, buildings=True)
            (start,) = free_dots(board, seed, (), 1)
            level = int(board.level[board.index(start)])
            table = game(
                [trooper("A1", "red", start, level=level, jet_pack="worn")], board, options=options, tables=figures
            )
            rules = {"clearance": clearance, "path": "no_revisit", "length": length}
            found = flights_one_by_one(board, start, level, **rules, least=4, most=6, per_level=2)
            assert set(table.reach("A1", "activate_jet_pack").places) == found

    def test_a_crowded_map_has_pockets_without_a_way_out(self):
        """DT-8: by walls of houses a long flight without a repeat to the next dot can be impossible."""
        board = random_map(90016, 4, share=0.3, levels=True, buildings=True)
        options = {"flight_path": "no_revisit"}
        table = game([trooper("A1", "red", (3, 1), level=1, jet_pack="worn")], board, options=options)
        reach = table.reach("A1", "activate_jet_pack")
        assert (4, 0) not in reach
        for place in reach.places:
            (order,) = reach.orders_to(place)
            flown = [(3, 1), *order.elements[0]["dots"]]
            assert len(flown) == len(set(flown))
            assert table.breaches(order) == []


class TestMountAndDrive:
    """DT-58, DT-64: foot, mount, on, plan, chained on one AP budget."""

    @pytest.mark.sampled(dear=["1-rear_dot"])
    @pytest.mark.parametrize("options", MOUNT_OPTIONS, ids=lambda options: options["mount_reach"])
    @pytest.mark.parametrize("seed", range(3))
    def test_equals_playing_every_walk_and_then_asking_for_the_drive(self, seed, options):
        board = random_map(seed + 40, 5, share=0.08)
        front, way = start_of(board, seed)
        (start,) = free_dots(board, seed, (front, rear(front, 60 * way)), 1)
        vehicle = bike(place=front, heading=60 * way, motion="stopped", rider=None, on=seed == 1)
        fields = {"posture": "prone"} if seed == 2 else {"jet_pack": "worn"} if seed == 1 else {}
        mover = trooper("A1", "red", start, ap_bonus=3, **fields)
        table = game([*vehicle, mover], board, options=options)
        best = {}
        on_foot = table.reach("A1", "turn")
        for dot, level in on_foot.levels:
            if on_foot.cost_at(Pose(dot, level=level), posture="standing") is None:
                continue
            there, spent = play_all(table, on_foot.orders_to(Pose(dot, level=level), posture="standing"))
            if there.breaches("A1 mount bike"):
                continue
            there, more = play_all(there, ["A1 mount bike"])
            if seed != 1 and there.breaches("A1 turn_on"):
                continue
            there, switched = play_all(there, ["A1 turn_on"] * (seed != 1))
            more += switched
            drive = there.reach("A1", "drive")
            for pose, totals in drive.totals.items():
                best[pose] = min(best.get(pose, 99), spent + more + totals[0])
        reach = table.reach("A1", "mount_and_drive", vehicle="bike")
        assert {pose: totals[0] for pose, totals in reach.totals.items()} == best
        for pose in sorted(best, key=str)[:: max(1, len(best) // 10)]:
            twin, spent = play_all(table, reach.orders_to(pose, motion=pose.motion))
            unit = twin.state.unit("bike")
            assert (unit.place, unit.heading, unit["motion"]) == (pose.front, pose.heading, pose.motion)
            assert spent == best[pose] == reach.cost_at(pose, motion=pose.motion)

    def test_what_forbids_mounting_is_the_answer(self):
        """DT-58, DT-172: a vehicle that is taken, or lies on its side, is no way to get anywhere."""
        taken = game([*bike(place=(0, 0), motion="stopped"), trooper("A2", "red", (-2, 0))], centred(8))
        assert [one.clause for one in taken.reach("A2", "mount_and_drive").why_not((3, 0)).reasons] == ["DT-172"]
        prone = [*bike(place=(0, 0), motion="stopped", posture="prone", rider=None), trooper("A2", "red", (-2, 0))]
        assert "DT-58" in [one.clause for one in game(prone, centred(8)).reach("A2", "mount_and_drive").refused]
        far = game([*bike(place=(-9, 0), motion="stopped", rider=None), trooper("A2", "red", (9, 0))], centred(10))
        assert [one.clause for one in far.reach("A2", "mount_and_drive").refused] == ["DT-58"]

    def test_nobody_mounts_through_a_wall(self):
        """DT-5, DT-58: adjacent is not enough where a wall stands between."""
        from simulator.geometry.dots import Edge

        board = centred(6, edges=[Edge("wall", (-2, 0), (-1, 0))])
        table = game([*bike(place=(0, 0), motion="stopped", rider=None), trooper("A1", "red", (-2, 0))], board)
        assert [one.clause for one in table.breaches("A1 mount bike")] == ["DT-58"]
        assert table.reach("A1", "mount_and_drive").orders_to((3, 0))[0].action == "foot_move"


class TestTheAnswer:
    """Every answer fulfils the form that answers of reach have."""

    def answers(self):
        board = random_map(12, 4, share=0.08, buildings=True)
        front, way = start_of(board, 5)
        dots = free_dots(board, 3, (front, rear(front, 60 * way)), 3)
        units = [*bike(place=front, heading=60 * way), trooper("A2", "red", dots[0], jet_pack="worn")]
        units += [trooper("B1", "blue", dots[1])]
        table = game(units, board)
        for who in ("A1", "A2", "bike"):
            for action in REACHES:
                if action != "mount_and_drive":
                    yield table, table.reach(who, action)
        for mode in MODES:
            yield table, table.reach("A1", "drive", mode=mode)
        idle = [*bike(place=front, heading=60 * way, motion="stopped", rider=None), trooper("A1", "red", dots[2])]
        parked = game(idle, board)
        yield parked, parked.reach("A1", "mount_and_drive")
        yield parked, parked.reach("bike", "drive")

    def test_answers_have_the_form_and_agree_with_themselves(self):
        for table, reach in self.answers():
            assert isinstance(reach, ReachAnswer)
            assert reach.unit == "AP"
            assert reach.action in REACHES
            assert reach.mover == table.ready_table(reach.mover.id).unit(reach.mover.id)
            for place in table.board.places():
                why, cost = reach.why_not(place), reach.cost_at(place)
                assert (place in reach) == (cost is not None) == (not why) == (reach.chance_at(place) > 0)
                assert why.to_fields()["reachable"] == (place in reach)
                assert str(why)
                if why:
                    assert all(reason.clause and reason.message for reason in why.reasons)
                    assert (why.nearest is None) == (len(reach) == 0)
                    with pytest.raises(NoRoute):
                        reach.orders_to(place)
                else:
                    assert why.nearest_cost == cost
                if why.nearest is not None:
                    assert reach.cost_at(why.nearest) == why.nearest_cost

    def test_areas_are_whole_cells_and_bands_share_them_out(self):
        for _, reach in self.answers():
            cell = 3**0.5 / 2
            assert reach.area.area == pytest.approx(len(reach) * cell)
            for bands in (reach.bands(), reach.chance_bands()):
                assert sum(region.area for _, region in bands) == pytest.approx(reach.area.area)
            chances = [level for level, _ in reach.chance_bands()]
            assert chances == sorted(chances, reverse=True)
            for level, region in reach.chance_bands([Fraction(1), Fraction(1, 2)]):
                wanted = [dot for dot in reach.places if reach.chance_at(dot) >= level]
                if level == 1:
                    assert region.area == pytest.approx(len(wanted) * cell)

    def test_geojson_tells_heading_motion_level_chance_and_ap(self):
        table = game(bike(place=(0, 0)), centred(8))
        ends = [
            feature["properties"]
            for feature in table.reach("A1", "drive", mode="minimum").to_geojson()["features"]
            if feature["properties"]["what"] == "end"
        ]
        assert len(ends) == 23
        assert {
            "place": [3, 0],
            "heading": 0,
            "motion": "moving",
            "level": 0,
            "cost": 1,
            "chance": 1,
            "what": "end",
        } in ends
        roof = centred(8, special=[((6, 0), {"storeys": 2})])
        flyer = game([trooper("A1", "red", (0, 0), jet_pack="worn")], roof).reach("A1", "activate_jet_pack")
        on_top = [f["properties"] for f in flyer.to_geojson()["features"] if f["properties"].get("place") == [6, 0]]
        assert [(end["level"], end["cost"], end["posture"]) for end in on_top] == [(2, 3, "standing")]

    def test_a_turn_is_a_drive_in_the_saddle_and_a_walk_on_foot(self):
        table = game([*bike(place=(0, 0)), trooper("A2", "red", (0, 4))], centred(12))
        assert (
            table.reach("A1", "turn").totals == table.reach("A1", "drive").totals == table.reach("bike", "turn").totals
        )
        assert table.reach("A2", "turn").levels == table.reach("A2", "foot_move").levels

    def test_what_can_not_move_says_why(self):
        """DT-55, DT-59, DT-60: no error, but an answer that is empty and says why."""
        off = game(bike(place=(0, 0), on=False, motion="stopped"), centred(6))
        assert [one.clause for one in off.reach("A1", "drive").why_not((3, 0)).reasons] == ["DT-55"]
        still = off.reach("A1", "drive")
        assert still.cost_at(Pose((3, 0), 0), motion="moving") is None
        assert still.chance_at(Pose((3, 0), 0), motion="moving") == 0
        assert (dict(still.totals), still.poses, still.certain, still.chance_bands()) == ({}, set(), set(), [])
        with pytest.raises(NoRoute, match="switched off"):
            still.orders_to(Pose((3, 0), 0), motion="moving")
        assert still.to_geojson()["features"][0]["properties"]["places"] == 0
        slow = game(bike(place=(0, 0), crossed=(4,)), centred(6))
        assert [one.clause for one in slow.reach("A1", "drive", mode="max").why_not((3, 0)).reasons] == ["DT-60"]
        walker = game([trooper("A1", "red", (0, 0))], centred(6))
        assert [one.clause for one in walker.reach("A1", "drive").why_not((3, 0)).reasons] == ["DT-55"]
        assert [one.clause for one in walker.reach("A1", "activate_jet_pack").why_not((3, 0)).reasons] == ["DT-7"]
        rider = game(bike(place=(0, 0)), centred(6))
        assert [one.clause for one in rider.reach("A1", "foot_move").why_not((3, 0)).reasons] == ["DT-164"]
        moved = game(bike(place=(0, 0)), centred(12))
        moved.do("A1 drive minimum: move")
        assert [one.clause for one in moved.reach("A1", "drive").why_not((9, 0)).reasons] == ["DT-59"]

    def test_nonsense_is_told_to_be_nonsense(self):
        table = game([*bike(place=(0, 0)), trooper("A2", "red", (0, 3))], centred(6))
        for bad in (
            {"action": "swim"},
            {"action": "drive", "mode": "warp"},
            {"action": "drive", "speed": 3},
            {"action": "foot_move", "mode": "max"},
            {"action": "mount_and_drive", "vehicle": "A1"},
        ):
            with pytest.raises(TableError):
                table.reach("A2", **bad)
        reach = table.reach("A1", "drive")
        for place in ((1, 2, 3), "3,4", None, (1.5, 2)):
            with pytest.raises(NoPlace):
                reach.why_not(place)
            assert place not in reach
        assert [one.clause for one in reach.why_not((99, 99)).reasons] == ["DT-167"]
        assert reach.cost_at((99, 99)) is None


class TestWhyNot:
    """The reasons name the clause, and what is said to help does help."""

    def test_more_ap_help_by_as_many_as_are_said(self):
        """DT-162, DT-64, DT-61: the shortfall is exact."""
        board = centred(30)
        tired = {"ap_bonus": -6}
        reach = game(bike(place=(-20, 0), rider_fields=tired), board).reach("A1", "drive")
        why = reach.why_not((0, 0))
        assert [(one.clause, one.needed, one.available) for one in why.reasons] == [("DT-162", 7, 2)]
        assert why.remedy == "5 AP more"
        rested = game(bike(place=(-20, 0), rider_fields={"ap_bonus": -1}), board).reach("A1", "drive")
        assert (0, 0) in rested
        assert (0, 0) not in game(bike(place=(-20, 0), rider_fields={"ap_bonus": -2}), board).reach("A1", "drive")
        capped = game(bike(place=(-20, 0)), board, tables={"movement.cap": 2}).reach("A1", "drive")
        assert [one.clause for one in capped.why_not((0, 0)).reasons] == ["DT-64"]
        fast = game(bike(place=(-20, 0)), board).reach("A1", "drive")
        assert [one.clause for one in fast.why_not((10, 0)).reasons] == ["DT-61"]
        assert fast.why_not((10, 0)).remedy == ""  # no mode has as many AP as that takes
        hurt = game(bike(place=(-20, 0), crossed=(6,)), board).reach("A1", "drive")
        assert [one.clause for one in hurt.why_not((0, 0)).reasons] == ["DT-36"]
        walker = game([trooper("A1", "red", (0, 0))], board).reach("A1", "foot_move")
        assert walker.why_not((12, 0)).remedy == ""  # nor does the cap of 8 let as many be spent
        far = game([trooper("A1", "red", (0, 0))], board, tables={"movement.cap": 12}).reach("A1", "foot_move")
        assert far.why_not((12, 0)).remedy == "4 AP more"
        walker = game([trooper("A1", "red", (0, 0), ap_bonus=-4)], board).reach("A1", "foot_move")
        assert walker.why_not((6, 0)).remedy == "2 AP more"
        assert walker.why_not((12, 0)).remedy == ""  # the cap of 8 does not grow with them

    def test_another_mode_helps(self):
        """DT-61: what cruise does not reach max may, and the other way round."""
        table = game(bike(place=(0, 0)), centred(25))
        assert table.reach("A1", "drive", mode="cruise").why_not((15, 0)).remedy == "in max"
        assert (
            table.reach("A1", "drive", mode="minimum").why_not(Pose((3, 0), 0), motion="stopped").remedy == "in cruise"
        )

    def test_units_gone_help(self):
        """DT-165: the one who stands there, and those who close the way."""
        ring = [(2, 0), (2, -1), (1, -2), (0, -2)]
        ring += [(dot[0] * -1, dot[1] * -1) for dot in ring] + [(2, -2), (-2, 2), (1, 1), (-1, -1)]
        walker = [trooper("A1", "red", (0, 0))]
        foes = [trooper(f"B{number}", "blue", dot) for number, dot in enumerate(ring)]
        board = centred(6)
        reach = game(walker + foes, board).reach("A1", "foot_move")
        on_b0 = reach.why_not((2, 0))
        assert [one.clause for one in on_b0.reasons] == ["DT-165"]
        assert on_b0.remedy == "with B0 gone"
        behind = reach.why_not((4, 0))
        assert [one.clause for one in behind.reasons] == ["DT-165"]
        assert behind.remedy.startswith("with ")
        assert behind.remedy.endswith(" gone")
        named = set(behind.reasons[0].blocker.split(", "))
        left = [foe for foe in foes if foe.id not in named]
        assert (4, 0) in game(walker + left, board).reach("A1", "foot_move")

    def test_a_unit_in_the_lane_of_a_bike_is_named(self):
        """DT-165: the remedy is the one unit that closes the lane."""
        lane = [(dot, {"impassable": True}) for dot in centred(9).places() if dot[1] != 0]
        units = [*bike(place=(-5, 0)), trooper("B1", "blue", (0, 0)), trooper("B2", "blue", (8, 0))]
        reach = game(units, centred(9, special=lane)).reach("A1", "drive")
        why = reach.why_not((4, 0))
        assert [one.clause for one in why.reasons] == ["DT-165"]
        assert why.remedy == "with B1 gone"
        assert "closes every path" in str(why)
        gone = [unit for unit in units if unit.id != "B1"]
        assert (4, 0) in game(gone, centred(9, special=lane)).reach("A1", "drive")

    def test_walls_and_levels_are_the_maps(self):
        """DT-76, DT-164: nothing helps against the map."""
        walled = [((dot), {"impassable": True}) for dot in [(4, 0), (4, -1), (5, -2), (6, -2), (6, -1), (5, 0)]]
        reach = game(bike(place=(-2, 0)), centred(10, special=walled)).reach("A1", "drive")
        assert [one.clause for one in reach.why_not((4, 0)).reasons] == ["DT-76"]
        inside = reach.why_not((5, -1))
        assert inside.remedy == ""
        assert inside.reasons[0].clause in ("DT-76", "DT-54")
        roof = centred(6, special=[((2, 0), {"storeys": 2})])
        on_foot = game([trooper("A1", "red", (0, 0))], roof).reach("A1", "foot_move")
        assert (2, 0) in on_foot
        assert [one.clause for one in on_foot.why_not(Pose((2, 0), level=2)).reasons] == ["DT-164"]
        assert [one.clause for one in on_foot.why_not(Pose((2, 0), level=5)).reasons] == ["DT-164"]

    def test_every_clause_of_a_flight_that_falls_short(self):
        """DT-8, DT-9, DT-11, DT-12, DT-13, DT-16: what keeps one flight from a dot."""
        special = [((6, 0), {"storeys": 6}), ((0, 6), {"impassable": True}), ((-6, 0), {"storeys": 1})]
        board = centred(20, special=special)
        table = game([trooper("A1", "red", (0, 0), jet_pack="worn"), trooper("B1", "blue", (0, -6))], board)
        reach = table.reach("A1", "activate_jet_pack")
        clauses = {
            (17, 0): ["DT-8"],
            (6, 0): ["DT-13"],
            (0, 6): ["DT-5"],
            (0, -6): ["DT-165"],
        }
        assert {dot: [one.clause for one in reach.why_not(dot).reasons] for dot in clauses} == clauses
        assert [one.clause for one in reach.why_not(Pose((-6, 0), level=0)).reasons] == ["DT-11"]
        far = game([trooper("A1", "red", (0, 0), jet_pack="worn")], board, options={"flight_length": "displacement"})
        assert [one.clause for one in far.reach("A1", "activate_jet_pack").why_not((2, 0)).reasons] == ["DT-9"]
        house = centred(9, special=[((0, 0), {"storeys": 1})])
        caught = game([trooper("A1", "red", (0, 0), jet_pack="worn")], house).reach("A1", "activate_jet_pack")
        assert [one.clause for one in caught.why_not((6, 0)).reasons] == ["DT-12"]

    def test_the_nearest_end_is_the_nearest_and_cheapest(self):
        table = game(bike(place=(0, 0)), centred(25))
        why = table.reach("A1", "drive", mode="cruise").why_not((20, 0))
        assert (why.nearest, why.nearest_cost) == ((12, 0), 4)
        assert RULES.reaches == REACHES
