"""By option friends let one pass, but nobody comes to rest on a friend's dot: not in a crash, nor stopped by a hit."""

import random

import pytest
from dt_games import RULES, bike, blocked, centred, game, random_map, shots_offered, trooper

from simulator.engine.questions import Roll
from simulator.rulesets.dot_trooper.outcomes import exits, played_out

FRIENDS = {"pass_through_units": "friends"}


def finished(table):
    while table.question is not None:
        table.answer(7 if isinstance(table.question, Roll) else None)
    return list(RULES.faults(table.table))


class TestCrashes:
    """DT-68, DT-165: a crash goes to the last free pose, and a friend's dot is not free."""

    @pytest.mark.parametrize("options", [{}, FRIENDS], ids=str)
    @pytest.mark.parametrize("ahead", [1, 2, 3])
    def test_a_friend_stops_it_like_anybody_else(self, ahead, options):
        walls = [(q, r) for q in range(-8, 9) for r in range(-8, 9) if r and abs(q + r) <= 8]
        units = [*bike(place=(0, 0)), trooper("A2", "red", (ahead, 0))]
        board = centred(8, special=blocked(*walls, (ahead + 1, 0)))
        table = game(units, board, options=options)
        (event,) = [one for one in table.do("A1 crash minimum").events if one.kind == "crashes"]
        assert (event.place, event.detail["hit"]) == ((ahead - 1, 0), "A2")
        assert finished(table) == []

    def test_on_generated_maps(self):
        seen = set()
        for seed in range(150):
            board, dice = random_map(seed, 4, share=0.35), random.Random(seed)
            dots = [dot for dot in board.places() if not board.impassable[board.index(dot)]]
            if not {(0, 0), (-1, 0)} <= set(dots):
                continue
            near = [(1, 0), (2, 0), *dice.sample(dots, 2)]
            spots = dict.fromkeys(dot for dot in near if dot in dots and dot not in ((0, 0), (-1, 0)))
            units = [*bike(place=(0, 0)), *(trooper(f"R{n}", "red", dot) for n, dot in enumerate(spots))]
            table = game(units, board, options=FRIENDS)
            if list(RULES.faults(table.table)) or table.breaches("A1 crash minimum"):
                continue
            (event,) = [one for one in table.do("A1 crash minimum", answers=None).events if one.kind == "crashes"]
            assert finished(table) == []
            seen.add(event.detail["hit"][0])
        assert "R" in seen


def stopped_walk(friends, arc, damage):
    """Walk five dots east past friends, hit once at a dot of the arc."""
    foe = trooper("B1", "blue", (2, 3), arc=arc, weapon="pistol")
    units = [trooper("A1"), *(trooper(f"R{q}", "red", (q, 0)) for q in friends), foe]
    table = game(units, centred(9), options=FRIENDS, tables={"weapon.pistol.damage": damage})
    table.do("A1 foot_move: " + ", ".join(f"step {q},0" for q in range(1, 6)), answers=None)
    shots_offered(table, ["A1"])
    return table


class TestStoppedByAHit:
    """DT-162, DT-165: too few AP to get past a friend take one back to the last dot where one may stay."""

    @pytest.mark.parametrize("damage", range(1, 10))
    @pytest.mark.parametrize("friends", [(), (1,), (2,), (3,), (1, 2), (2, 3), (1, 2, 3, 4)])
    def test_walkers(self, friends, damage):
        for hit in range(1, 5):
            walker = (table := stopped_walk(friends, ((hit, 0),), damage)).state.unit("A1")
            ap = table.table.tables["trooper_hp_table.ap"][damage]
            farthest = min(5, max(hit, ap))
            assert walker.place == (max(q for q in range(farthest + 1) if q not in friends), 0)
            assert walker["ap_spent"] == farthest
            assert list(RULES.faults(table.table)) == []

    def test_the_dead_fall_where_they_are(self):
        table = stopped_walk((2,), ((2, 0),), 10)
        assert table.state.unit("A1").place is None
        assert [one.kind for one in table.events if one.kind in ("dies", "backs off")] == ["dies"]

    @pytest.mark.parametrize("friend", range(2, 18))
    def test_vehicles(self, friend):
        """DT-109: no AP are left for the turn, so the drive is over after five segments."""
        plan = "A1 drive max: move, move, move, move, move, left 120, move"
        foe = trooper("B1", "blue", (12, 3), arc=((12, 0), (11, 0)), weapon="pistol")
        units = [*bike(place=(0, 0)), trooper("R", "red", (friend, 0)), foe]
        table = game(units, centred(26), options=FRIENDS, tables={"weapon.pistol.damage": 7})
        table.do(plan, answers=None)
        shots_offered(table, ["A1"])
        vehicle = table.state.unit("bike")
        ends = [front for front in range(16) if friend not in (front, front - 1)]
        assert (vehicle.place, vehicle["posture"]) == ((max(ends), 0), "upright")
        assert table.state.unit("A1").place == (max(ends) - 1, 0)
        assert list(RULES.faults(table.table)) == []


def random_plan(dice):
    """A drive with a check or two, in orders that may be legal."""
    mode = dice.choice(("cruise", "max"))
    plan = []
    for _ in range(dice.randint(1, 4)):
        plan.append("move")
        if dice.random() < 0.4:
            plan.append(f"{dice.choice(('left', 'right'))} {dice.choice((60, 120, 180))}")
    return f"A1 drive {mode}: " + ", ".join([*plan, "stop"] if dice.random() < 0.6 else plan)


class TestWipedOutOnAFriend:
    """DT-128, DT-165: whoever wipes out while passing a friend's vehicle lies where nobody else is."""

    @pytest.mark.parametrize("skid_units", ["vehicles_block", "all_block"])
    def test_nobody_lies_on_a_friend(self, skid_units):
        seen = set()
        for seed in range(150):
            dice = random.Random(seed)
            closed = {(dice.randint(-12, 12), dice.randint(-12, 12)) for _ in range(20)} - {(0, 0), (-1, 0)}
            board = centred(26, special=blocked(*closed))
            friend = (dice.randint(2, 9), dice.randint(-2, 2)), 60 * dice.randint(0, 5)
            parked = bike(id="parked", place=friend[0], heading=friend[1], rider=None, motion="stopped")
            units = [*bike(place=(0, 0)), *parked]
            table = game(units, board, options=FRIENDS | {"skid_units": skid_units})
            order = random_plan(dice)
            if list(RULES.faults(table.table)) or table.breaches(order):
                continue
            foreseen, rests = {}, {}
            for one in exits(table.ready_table("A1"), table.read(order)):
                pose = one.front, one.heading, one.hit
                foreseen[pose] = foreseen.get(pose, 0) + one.chance
            for end, chance in played_out(table, order):
                vehicle, kinds = end.state.unit("bike"), [event.kind for event in end.happened.events]
                slides = [event for event in end.happened.events if event.kind == "wipes out"]
                hit = slides[0].detail["hit"] if slides else ""
                pose = vehicle.place, vehicle.heading, hit
                rests[pose] = rests.get(pose, 0) + chance
                assert list(RULES.faults(end.table)) == []
                seen.add(("backs off" in kinds, hit == "parked"))
            assert rests == foreseen
        assert seen >= {(True, True), (False, True), (False, False)}
