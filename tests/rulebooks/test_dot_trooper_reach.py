"""Reach of dot_trooper against every legal drive, walk and flight played one by one, and against networkx."""

import random
from fractions import Fraction

import pytest
from dt_games import RULES, bike, centred, game, random_map, rear, trooper
from exhaustive_dot_trooper import Drives, World, flights, walks

from simulator.rulesets.dot_trooper.reach import Pose

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


def asked(seed, mode, kind, motion, options, radius=5):
    """The answer of the package and the one of exhaustive play, on a generated map with units in the way."""
    board = random_map(seed, radius, share=0.08, levels=seed % 5 == 1)
    front, way = start_of(board, seed)
    friend, foe = free_dots(board, seed + 1, (front, rear(front, 60 * way)), 2)
    units = bike(
        place=front, heading=60 * way, motion=motion, **{"class": kind}, crossed=(12,) if seed % 3 else (12, 6)
    )
    units += [trooper("A2", "red", friend, level=int(board.level[board.index(friend)]))]
    units += [trooper("B1", "blue", foe, level=int(board.level[board.index(foe)]))]
    table = game(units, board, options=options)
    m = {"scout": 3, "assault": 2}[kind]
    low, high = MODES[mode]
    world = World(board, [(friend, options.get("pass_through_units") == "friends"), (foe, False)])
    modifier = (0 if seed % 3 else 2) + (kind == "assault")

    def tn(cause, angle):
        base = BASE[cause, angle]
        return None if base is None else base + modifier

    drives = Drives(world, m, low, high, options, tn, mode == "minimum")
    return table, drives.play(front, way, motion == "stopped")


def same_poses(reach, ends):
    played = {Pose(front, heading, motion): tuple(sorted(by_ap)) for (front, heading, motion), by_ap in ends.items()}
    assert dict(reach.totals) == played


OPTIONS = [
    {},
    {"partial_segments": True},
    {"stop_dots": "m_per_ap"},
    {"forward_before_turn": "once_per_move"},
    {"swing_check": "end_only"},
    {"minimum_stop": "allowed_2ap_no_check"},
    {"pass_through_units": "friends"},
]


class TestDrives:
    """DT-59 to DT-88, DT-93 to DT-96: the end states of a mode are exactly those of every plan played step by step."""

    @pytest.mark.parametrize("options", OPTIONS, ids=str)
    @pytest.mark.parametrize("motion", ["moving", "stopped"])
    @pytest.mark.parametrize("kind", ["scout", "assault"])
    @pytest.mark.parametrize("mode", ["minimum", "cruise"])
    def test_equal_exhaustive_play(self, mode, kind, motion, options):
        for seed in (1, 2, 3):
            table, ends = asked(seed, mode, kind, motion, options)
            reach = table.reach("A1", "drive", mode=mode)
            same_poses(reach, ends)
            for (front, heading, motion_), by_ap in ends.items():
                assert reach.probability(front, heading, motion_) == max(by_ap.values())

    @pytest.mark.parametrize(
        "options", [{}, {"swing_check": "end_only"}, {"forward_before_turn": "once_per_move"}], ids=str
    )
    @pytest.mark.parametrize(("kind", "motion"), [("scout", "moving"), ("assault", "stopped")])
    def test_equal_exhaustive_play_at_full_speed(self, kind, motion, options):
        table, ends = asked(4, "max", kind, motion, options, radius=4)
        reach = table.reach("A1", "drive", mode="max")
        same_poses(reach, ends)
        for (front, heading, motion_), by_ap in ends.items():
            best = dict(reach.front(front, heading, motion_))
            assert max(best.values(), default=Fraction(0)) == max(by_ap.values())

    @pytest.mark.parametrize("mode", ["cruise", "max"])
    def test_numpy_equals_networkx(self, mode):
        table, _ = asked(5, "minimum", "assault", "moving", {}, radius=4)
        fast = table.reach("A1", "drive", mode=mode)
        slow = table.reach("A1", "drive", mode=mode, engine="networkx")
        assert fast.totals == slow.totals

    def test_every_end_has_an_order_that_the_judge_accepts_at_its_price(self):
        """DT-68: sound: what is shown is accepted."""
        for seed, mode, kind in ((1, "minimum", "scout"), (2, "cruise", "assault"), (4, "max", "scout")):
            table, _ = asked(seed, mode, kind, "moving", {}, radius=4)
            reach = table.reach("A1", "drive", mode=mode)
            ends = reach.ends
            for end in ends[:: max(1, len(ends) // 120)]:
                order = reach.order_to(end.place, end.heading, end.phase.split(" ")[0])
                assert table.breaches(order) == []
            for end in ends[:: max(1, len(ends) // 6)]:
                order = reach.order_to(end.place, end.heading, end.phase.split(" ")[0])
                twin = table.branch()
                happened = twin.do(order, answers=None)
                while twin.question is not None:
                    happened = twin.answer(12 if twin.question.kind == "roll" else None)
                vehicle = twin.state.unit("bike")
                assert (vehicle.place, vehicle.heading) == (end.place, end.heading)
                assert vehicle["motion"] == end.phase.split(" ")[0]
                assert vehicle["mode_ap"] == happened.ledger.total("AP")

    def test_all_modes_are_the_union_of_each(self):
        """DT-60: without a mode the reach is that of every mode that can be selected."""
        table, _ = asked(1, "minimum", "assault", "stopped", {}, radius=4)
        every = table.reach("A1", "drive").totals
        parts = [table.reach("A1", "drive", mode=mode).totals for mode in MODES]
        assert set(every) == set().union(*parts)
        for pose, totals in every.items():
            assert totals == tuple(sorted(ap for part in parts for ap in part.get(pose, ())))


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

    @pytest.mark.parametrize("seed", range(4))
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

    def test_numpy_equals_networkx(self):
        board = random_map(3, 3, share=0.1, buildings=True)
        start = free_dots(board, 3, (), 1)[0]
        table = game([trooper("A1", "red", start, jet_pack="worn")], board)
        for action in ("foot_move", "turn"):
            assert table.reach("A1", action).levels == table.reach("A1", action, engine="networkx").levels

    def test_every_end_of_a_turn_is_reached_by_orders_the_judge_accepts(self):
        from simulator.rulesets.dot_trooper.reach import orders_of

        board = random_map(2, 5, share=0.1, buildings=True)
        start = free_dots(board, 2, (), 1)[0]
        table = game([trooper("A1", "red", start, jet_pack="worn")], board)
        reach = table.reach("A1", "turn")
        for end in reach.ends[:: max(1, len(reach.ends) // 60)]:
            twin = table.branch()
            spent = 0
            for order in orders_of(reach.route_to(end.place, end.heading, end.phase), "A1"):
                spent += twin.do(order).ledger.total("AP")
            assert twin.state.unit("A1").place == end.place
            assert spent == end.cost


def test_a_free_dot_of_the_map_is_reached_or_explained():
    """DT-61, DT-68, DT-165: why_not names a clause for every place that is not an end."""
    board = centred(5, special=[((2, 0), {"impassable": True})])
    table = game([*bike(place=(0, 0)), trooper("B1", "blue", (0, 2))], board)
    reach = table.reach("A1", "drive", mode="minimum")
    for dot in board.places():
        why = reach.why_not(dot)
        assert (why is None) == (dot in reach)
        assert why is None or (why.breach.clause and str(why))
    assert reach.why_not((0, 2)).breach.blocker == "B1"
    assert RULES.name == "dot_trooper"
