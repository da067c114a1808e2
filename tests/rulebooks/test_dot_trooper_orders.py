"""Orders by goal, all orders, figures that are overridden, questions on the way, and nonsense."""

import itertools
import random

import pytest
from dt_games import RULES, bike, centred, game, random_map, trooper
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.answers import DiceBag
from simulator.engine.errors import IllegalOrder, OptionError
from simulator.engine.orders import Element, Order
from simulator.engine.questions import React, Roll
from simulator.errors import SimulatorError
from simulator.geometry.dots import Edge
from simulator.geometry.hex_lattice import step
from simulator.geometry.poses import Pose
from simulator.pathing.traces import NoRoute
from simulator.rulesets.dot_trooper.drive_states import HEADINGS
from simulator.rulesets.dot_trooper.riding import MODES


def clauses(refused):
    return [breach.clause for breach in refused.value.breaches]


def played(table, order):
    """Play an order with every roll made and nobody firing."""
    twin = table.branch()
    happened = twin.do(order, answers=None)
    while twin.question is not None:
        happened = twin.answer(12 if isinstance(twin.question, Roll) else None)
    return twin, happened


class TestGoals:
    """DT-59, DT-60: an order that names a goal; the planner finds the way."""

    def test_the_cheapest_mode_where_none_is_named(self):
        table = game(bike(place=(0, 0)), centred(25))
        for goal, mode, ap in (((3, 0), "minimum", 1), ((9, 0), "cruise", 3), ((15, 0), "max", 5)):
            twin, happened = played(table, f"A1 drive to {goal[0]},{goal[1]}")
            assert happened.order["mode"] == mode
            assert happened.ledger.total("AP") == ap
            assert twin.state.unit("bike").place == goal

    def test_a_mode_a_heading_and_a_motion_can_be_wished_for(self):
        table = game(bike(place=(0, 0)), centred(25))
        twin, happened = played(table, "A1 drive cruise to 3,0 facing 180")
        assert (twin.state.unit("bike").heading, happened.order["mode"]) == (180, "cruise")
        twin, happened = played(table, "A1 drive ending stopped to 6,0 facing 0")
        assert (twin.state.unit("bike")["motion"], happened.ledger.total("AP")) == ("stopped", 3)
        twin, _ = played(table, "A1 drive ending moving to 6,0")
        assert twin.state.unit("bike")["motion"] == "moving"

    def test_of_equally_cheap_plans_the_surest(self):
        """DT-86: two gentle turns take no check where one sharp turn would."""
        table = game(bike(place=(0, 0), **{"class": "assault"}), centred(9))
        reach = table.reach("A1", "drive", mode="cruise")
        for pose in sorted(reach.poses, key=str)[::23]:
            cost = reach.cost_at(pose, motion=pose.motion)
            best = dict(reach.front(pose, pose.motion))[cost]
            twin = table.branch()
            twin.do(
                f"A1 drive cruise ending {pose.motion} to {pose.front[0]},{pose.front[1]} facing {pose.heading}", []
            )
            chance = 1
            while twin.question is not None:
                chance *= twin.question.chance
                twin.answer(12)
            assert chance == best

    def test_places_to_come_by_in_their_order(self):
        table = game(bike(place=(0, 0)), centred(25))
        for via in ((6, -2), (6, 2)):
            _, happened = played(table, f"A1 drive to 12,0 via {via[0]},{via[1]}")
            assert via in [event.place for event in happened.events if event.kind == "dot"]
        with pytest.raises(IllegalOrder) as refused:
            table.do("A1 drive minimum to 3,0 via 2,-1")
        assert clauses(refused) == ["DT-68"]

    def test_walks_and_flights_come_by_places_too(self):
        board = centred(9, special=[((4, 0), {"storeys": 2})])
        for options in ({}, {"flight_path": "no_revisit"}, {"flight_length": "displacement"}):
            table = game([trooper("A1", "red", (0, 0), jet_pack="worn")], board, options=options)
            _, walk = played(table, "A1 foot_move to 3,0 via 1,1")
            assert (1, 1) in [event.place for event in walk.events if event.kind == "step"]
            twin, flight = played(table, "A1 activate_jet_pack to 6,0 via 3,-3 2,2")
            dots = [event.place for event in flight.events if event.kind == "flies"]
            assert dots.index((3, -3)) < dots.index((2, 2))
            assert twin.state.unit("A1").place == (6, 0)

    def test_a_level_can_be_wished_for(self):
        house = [((1, 0), {"storeys": 1})]
        board = centred(6, special=house, edges=[Edge("stairs", (0, 0), (1, 0), (0, 1))])
        table = game([trooper("A1", "red", (0, 0))], board)
        assert played(table, "A1 foot_move to 1,0")[0].state.unit("A1")["level"] == 0
        assert played(table, "A1 foot_move level 1 to 1,0")[0].state.unit("A1")["level"] == 1
        assert [one.clause for one in table.breaches("A1 foot_move level 1: step 1,0")] == ["DT-164"]

    def test_a_goal_is_a_pose(self):
        """DT-164, DT-166: a level of a dot on foot, a heading in the saddle; what cannot be says why."""
        house = [((1, 0), {"storeys": 1})]
        board = centred(6, special=house, edges=[Edge("stairs", (0, 0), (1, 0), (0, 1))])
        table = game([trooper("A1", "red", (0, 0))], board)
        assert played(table, "A1 foot_move to 1,0 level 1")[0].state.unit("A1")["level"] == 1
        assert played(table, "A1 foot_move to 1,0 level 1 via 0,1")[0].state.unit("A1")["level"] == 1
        assert table.write(table.read("A1 foot_move to 1,0 via 0,1 level 1")) == "A1 foot_move to 1,0 level 1 via 0,1"
        rider = game(bike(place=(0, 0)), centred(25))
        assert played(rider, "A1 drive to 3,0 facing 180 level 0")[0].state.unit("bike").heading == 180
        for there, order, wanted in (
            (
                table,
                "A1 foot_move level 1 to 1,0 level 0",
                "DT-164 level 1 and level 0 of 1,0 are two places: specify one",
            ),
            (table, "A1 foot_move to 1,0 level 3", "DT-164 there is nothing to stand on at level 3 of 1,0"),
            (table, "A1 foot_move to 1,0 facing 60", "DT-164 a trooper on foot has no facing: leave out facing 60"),
            (rider, "A1 drive to 3,0 level 1", "DT-166 a vehicle keeps to the ground, and that of 3,0 is on level 0"),
        ):
            with pytest.raises(IllegalOrder) as refused:
                there.do(order)
            assert [" ".join(str(one).split()) for one in refused.value.breaches] == [wanted]

    @pytest.mark.parametrize("heading", [45, 60.5, 0.1, "n"])
    def test_a_heading_between_the_six_is_none_of_them(self, heading):
        """DT-49: nor is it taken for the next one."""
        why = game(bike(place=(0, 0)), centred(25)).reach("A1", "drive").why_not(Pose((3, 0), heading))
        assert [(reason.clause, reason.message) for reason in why.reasons] == [
            ("DT-49", f"a vehicle faces 0, 60, 120, 180, 240 or 300, not {heading}")
        ]

    def test_what_can_not_be_says_why(self):
        """DT-167, DT-61, DT-55, DT-75, DT-59, DT-68: the reasons are those of why_not."""
        table = game(bike(place=(0, 0)), centred(25))
        for order, wanted in (
            ("A1 drive to 99,0", ["DT-167"]),
            ("A1 drive to 6,0 via 99,0", ["DT-167"]),
            ("A1 drive minimum to 6,0", ["DT-61"]),
            ("A1 drive to 3,0 facing 45", ["DT-49"]),
        ):
            with pytest.raises(IllegalOrder) as refused:
                table.do(order)
            assert clauses(refused) == wanted
        assert [one.clause for one in table.breaches("A1 drive: move")] == ["DT-59"]
        assert [one.clause for one in table.breaches("A1 drive minimum ending stopped: move")] == ["DT-75"]
        walker = game([trooper("A1", "red", (0, 0))], centred(6))
        with pytest.raises(IllegalOrder) as refused:
            walker.do("A1 drive to 3,0")
        assert clauses(refused) == ["DT-55"]
        with pytest.raises(NoRoute, match="already"):
            walker.do("A1 foot_move to 0,0")


def all_drives(table):
    """Every drive in `minimum` there could be: each way to break up the dots with turns, most of them illegal."""
    segments = [("move", dots) for dots in (1, 2, 3)] + [("start", dots) for dots in (1, 2, 3)]
    turns = [None, *itertools.product(("left", "right"), (60, 120, 180))]
    for name, dots in segments:
        for parts in range(1, 4):
            for breaks in itertools.product(turns, repeat=parts):
                elements = []
                for number, turn in enumerate(breaks):
                    run = Element(name, {"dots": dots}) if number == 0 else Element("on", {"dots": 1})
                    elements.append(run)
                    if turn is not None:
                        elements.append(Element(turn[0], {"angle": turn[1]}))
                yield Order("A1", "drive", elements, {"mode": "minimum"})


class TestAllOrders:
    """`orders`: for movements one way to each legal end, else each order that the judge accepts."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", [1, 3])
    def test_drives_are_one_for_each_end_that_any_legal_drive_has(self, seed):
        """In minimum, on a map with obstacles; whoever drives has 1 AP."""
        board = random_map(seed, 5, share=0.08)
        front = next(dot for dot in ((0, 0), (1, 0), (0, 1), (1, -1)) if _has_room(board, dot))
        table = game(bike(place=front, rider_fields={"ap_bonus": -7}), board)
        listed = [order for order in table.legal("A1") if order.action == "drive"]
        ends = [_end(table, order) for order in listed]
        assert len(set(ends)) == len(ends)
        legal = {_end(table, order) for order in all_drives(table) if not table.breaches(order)}
        assert set(ends) == legal
        assert ends

    def test_walks_and_flights_are_one_for_each_end(self):
        table = game([trooper("A1", "red", (0, 0), jet_pack="worn", ap_bonus=-3)], centred(4))
        listed = list(table.legal("A1"))
        walks = [order for order in listed if order.action == "foot_move"]
        assert {_place(table, order) for order in walks} == set(table.reach("A1", "foot_move").places)
        flights = [order for order in listed if order.action == "activate_jet_pack"]
        assert {_place(table, order) for order in flights} == set(table.reach("A1", "activate_jet_pack").places)
        assert all(order in table.legal("A1") for order in listed)

    @pytest.mark.parametrize("payer", ["active", "either"])
    def test_errands_are_those_the_judge_accepts(self, payer):
        """All there are: every form with every unit, dot, posture and mode in its places, filtered by the judge."""
        tired = {"ap_bonus": -6}
        units = bike(place=(0, 0), motion="stopped", rider_fields=tired, **{"class": "assault"})
        units += [trooper("A2", "red", (-2, 0), ap_bonus=-5)]
        units += [trooper("A3", "red", (-3, 0), jet_pack="worn"), trooper("A4", "red", (-3, 1), jet_pack="carried")]
        units += bike("wreck", "red", (5, 0), rider=None, motion="stopped", posture="prone")
        units += [trooper("A5", "red", (6, 0), ap_bonus=-4)]
        units += [trooper("B1", "blue", (3, 3))]
        board = centred(6)
        table = game(units, board, options={"exchange_payer": payer}, tables={"vehicle_activity.turn_off": 0})
        seen = set()
        for phase in ("movement", "fire"):
            if phase == "fire":
                for side in ("red", "blue"):
                    table.do(f"{side} done")
            for unit in ("A1", "A2", "A3", "A4", "A5", "B1"):
                if table.breaches(f"{unit} done"):
                    continue
                listed = {order for order in map(table.write, table.legal(unit)) if not _moves(order)}
                forms = [f"{unit} {name}" for name in ("remove_jet_pack", "equip_jet_pack", "turn_on", "turn_off")]
                forms += [f"{unit} give_arcs", f"{unit} crawl_out standing", f"{unit} crawl_out prone"]
                forms += [f"{unit} crash {mode}" for mode in MODES]
                for other in table.state.units:
                    forms += [f"{unit} {name} {other}" for name in ("mount", "lift_vehicle", "exchange_jet_pack")]
                    if payer == "either":
                        forms += [f"{unit} exchange_jet_pack {other} paid {other}"]
                    forms += [f"{unit} standard_fire {other} with {gun}" for gun in ("rifle", "light_machine_gun")]
                forms += [f"{unit} dismount {q},{r}" for q, r in board.places()]
                assert listed == {form for form in forms if not table.breaches(form)}
                seen |= {order.split(" ")[1] for order in listed}
        assert seen >= {"remove_jet_pack", "equip_jet_pack", "turn_off", "mount", "dismount", "lift_vehicle"}
        assert seen >= {"exchange_jet_pack", "give_arcs", "standard_fire"}

    def test_a_boxed_in_vehicle_has_its_crash(self):
        """DT-68: a plan that cannot succeed is still a plan, and forbids the crash."""
        special = [(dot, {"impassable": True}) for dot in centred(9).places() if dot not in ((0, 0), (-1, 0))]
        table = game(bike(place=(0, 0)), centred(9, special=special))
        assert [table.write(order) for order in table.legal("A1")] == [f"A1 crash {mode}" for mode in MODES]

    def test_vehicles_themselves_have_no_orders(self):
        assert list(RULES.orders(game(bike(place=(0, 0)), centred(5)).table, bike(place=(0, 0))[0])) == []


def _moves(order):
    return any(f" {name}" in order for name in ("drive", "foot_move", "activate_jet_pack")) or ":" in order


def _has_room(board, front):
    behind = (front[0] - 1, front[1])
    ok = all(dot in board and not board.impassable[board.index(dot)] for dot in (front, behind))
    return ok and not any({edge.a, edge.b} == {front, behind} for edge in board.edges)


def _end(table, order):
    unit = played(table, order)[0].state.unit("bike")
    return unit.place, unit.heading, unit["motion"]


def _place(table, order):
    return played(table, order)[0].state.unit("A1").place


class TestFigures:
    """Tables that are overridden make sense together, or say what would."""

    @pytest.mark.parametrize(
        ("tables", "says"),
        [
            ({"mode.cruise.least": 5, "mode.cruise.most": 3}, r"mode.cruise.least: .* begins at 5 AP and ends at 3"),
            ({"mode.cruise": {"least": 2}}, r"mode.cruise: is required, as in 4"),
            ({"mode.cruise.least": "cant"}, r"mode.cruise.least: expected a whole number of 1 or more, not cant"),
            ({"drive.move": 0}, r"drive.move: expected a whole number of 1 or more, not 0"),
            ({"turn.120": -1}, r"turn.120: expected a whole number of 0 or more"),
            ({"flight.most": 3}, r"flight.least: no flight has at least|flight.most: no flight has at least"),
            ({"class.scout.speed_multiplier": 0}, r"speed_multiplier: expected a whole number of 1 or more"),
            ({"class.scout.mounted": ["cannon"]}, r"there is no weapon cannon"),
            ({"vehicle_hp_table.max_mode": ["max"]}, r"max_mode: expected 13 entries"),
            ({"vehicle_hp_table.max_mode": ["fast"] * 13}, r"each entry has to be one of none, minimum, cruise, max"),
            ({"trooper_hp_table.ap": [8] * 3}, r"trooper_hp_table.ap: expected 11 entries"),
            ({"weapon.laser": {"class": "smg"}}, r"weapon.laser: a weapon also has fire_ap, damage"),
            ({"weapon.rifle.kind": "psychic"}, r"weapon.rifle.kind: expected lethal"),
            ({"weapon.rifle.range": [4, 2, 8]}, r"weapon.rifle.range: range and tn are lists of one length"),
            ({"weapon.grenade.blast": []}, r"weapon.grenade.blast: expected the damage at each distance"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
    )
    def test_what_makes_no_sense_is_refused(self, tables, says):
        with pytest.raises(OptionError, match=says):
            game(bike(place=(0, 0)), centred(5), tables=tables)

    def test_modes_may_leave_gaps_and_overlap(self):
        """DT-61: a total that no mode has in its range ends no plan; one that two have is driven in the lower."""
        gap = game(bike(place=(0, 0)), centred(25), tables={"mode.cruise.least": 3, "mode.max.least": 6})
        reach = gap.reach("A1", "drive")
        assert sorted({ap for totals in reach.totals.values() for ap in totals}) == [1, 3, 4, 6, 7, 8]
        for pose in sorted(reach.poses, key=str)[::97]:
            (order,) = reach.orders_to(pose, motion=pose.motion)
            assert gap.breaches(order) == []
        lane = [(dot, {"impassable": True}) for dot in centred(12).places() if dot[1] != 0]
        figures = {"mode.cruise.least": 3, "mode.max.least": 6}
        narrow = game(bike(place=(0, 0)), centred(12, special=lane), tables=figures).reach("A1", "drive")
        moving = {place: narrow.cost_at(Pose(place, 0), motion="moving") for place in narrow.places}
        assert moving == {(3, 0): 1, (6, 0): None, (9, 0): 3, (12, 0): 4}
        assert [one.clause for one in narrow.why_not(Pose((6, 0), 0), motion="moving").reasons] == ["DT-68"]
        both = game(bike(place=(0, 0)), centred(25), tables={"mode.max.least": 3})
        (order,) = both.reach("A1", "drive").orders_to(Pose((12, 0), 0), motion="moving")
        assert (order["mode"], both.breaches(order)) == ("cruise", [])

    def test_a_check_for_gentle_turns_is_in_the_odds(self):
        table = game(bike(place=(0, 0)), centred(12), tables={"check.turn.60": 7})
        reach = table.reach("A1", "drive", mode="minimum")
        assert reach.chance_at(Pose((3, 0), 0)) == 1
        assert reach.chance_at(Pose((3, 0), 60)).limit_denominator(36) == pytest.approx(21 / 36)
        assert reach.chance_at(Pose((0, 2), 180)) == pytest.approx((21 / 36) ** 3)

    @pytest.mark.parametrize(
        ("fields", "says"),
        [
            ({"crossed": (13,)}, "crossed"),
            ({"crossed": "all"}, "crossed"),
            ({"armor": -1}, "armor"),
            ({"armor": "thick"}, "armor"),
            ({"hp_table": {"max_mode": ("max",)}}, "hp_table"),
            ({"weapons": ({"weapon": "rifle"},)}, "weapons"),
            ({"level": "high"}, "level"),
            ({"on": 3}, "on"),
        ],
        ids=str,
    )
    def test_a_vehicle_that_makes_no_sense_is_refused(self, fields, says):
        with pytest.raises(OptionError, match=says):
            RULES.make_unit("bike", "vehicle", "red", (0, 0), 0, **fields)

    @pytest.mark.parametrize(
        ("fields", "says"),
        [
            ({"ap_bonus": "much"}, "ap_bonus"),
            ({"crossed": (0,)}, "crossed"),
            ({"arc": ((1, 2, 3),)}, "arc"),
            ({"arc": "north"}, "arc"),
            ({"unseen": ("here",)}, "unseen"),
            ({"weapon": 7}, "weapon"),
            ({"level": 1.5}, "level"),
            ({"aboard": 3}, "aboard"),
            ({"ap_spent": -1}, "ap_spent"),
        ],
        ids=str,
    )
    def test_a_trooper_who_makes_no_sense_is_refused(self, fields, says):
        with pytest.raises(OptionError, match=says):
            RULES.make_unit("A1", "trooper", "red", (0, 0), **fields)


class TestInterruptions:
    """DT-97, DT-17: what can interrupt a way is found by playing its orders; each question says who and where."""

    def questions(self, table, orders):
        twin, found = table.branch(), []
        for order in orders:
            twin.do(order, answers=None)
            while twin.question is not None:
                if isinstance(twin.question, React):
                    found.append(twin.question)
                twin.answer(12 if isinstance(twin.question, Roll) else None)
        return found

    def test_every_question_says_who_by_which_clause_and_where(self):
        board = centred(14)
        arc = tuple(board.places())
        foe = trooper("B1", "blue", (0, 9), arc=arc)
        for units, action, place, wanted in (
            (bike(place=(0, 0)), "drive", (6, 0), {"DT-97"}),
            ([trooper("A1", "red", (0, 0))], "foot_move", (3, 0), {"DT-97"}),
            ([trooper("A1", "red", (0, 0), jet_pack="worn")], "activate_jet_pack", (6, 0), {"DT-17", "DT-97"}),
        ):
            table = game([*units, foe], board)
            questions = self.questions(table, table.reach("A1", action).orders_to(place))
            assert {question.clause for question in questions} == wanted
            for question in questions:
                assert question.who == "B1"
                assert question.place in board
                assert set(question.options) <= {"A1", "bike"}

    def test_a_shot_at_a_walker_and_at_a_flyer_are_told_apart(self):
        """DT-18, DT-97: only who flies is harder to hit."""
        board = centred(14)
        foe = trooper("B1", "blue", (0, 3), arc=((1, 0),))
        walk = game([trooper("A1", "red", (0, 0)), foe], board)
        walk.do("A1 foot_move: step 1,0", ["A1"])
        assert (walk.question.needed, walk.question.clause) == (5, "DT-97")
        fly = game([trooper("A1", "red", (0, 0), jet_pack="worn"), foe], board)
        fly.do("A1 activate_jet_pack: fly 1,0 2,0 3,0 4,0 5,0 6,0", ["A1"])
        assert (fly.question.needed, fly.question.clause) == (7, "DT-18")

    def test_a_vehicle_that_acts_in_an_arc_and_does_not_move_is_shot_at_once(self):
        """DT-105: whatever the rider does there."""
        foe = trooper("B1", "blue", (0, 3), arc=((0, 0), (-1, 0)))
        table = game([*bike(place=(0, 0), motion="stopped", on=False), foe], centred(8))
        assert [question.clause for question in self.questions(table, ["A1 turn_on", "A1 done"])] == ["DT-105"]
        moved = game([*bike(place=(0, 0), motion="stopped"), foe], centred(8))
        asked = self.questions(moved, ["A1 drive minimum: start", "A1 done"])
        assert [question.clause for question in asked] == ["DT-97"]


class TestHitsOnTheWay:
    """DT-67, DT-108, DT-109: a plan is driven as far as the AP last that a hit has left."""

    def driven(self, order, arc, damage, **fields):
        foe = trooper("B1", "blue", (arc[0], arc[1] + 3), arc=(arc,), weapon="pistol")
        board = centred(30)
        table = game([*bike(place=(0, 0), **fields), foe], board, tables={"weapon.pistol.damage": damage})
        table.do(order, answers=None)
        shots = iter(["A1"])
        while table.question is not None:
            table.answer(next(shots, None) if isinstance(table.question, React) else 12)
        return table.state.unit("bike"), table.state.unit("A1")

    def test_no_segment_is_made_that_can_not_be_paid(self):
        """8 AP were planned, 5 are spent when a hit leaves a card of 5: the mode is complete, and that was it."""
        order = "A1 drive max: move, move, move, move, move, move, move, move"
        bike_, rider = self.driven(order, (14, 0), 7)
        assert (bike_.place, bike_["posture"], bike_["motion"], bike_["mode_ap"]) == ((15, 0), "upright", "moving", 5)
        assert rider["ap_spent"] == 5

    def test_a_turn_that_can_not_be_paid_is_not_made(self):
        """6 AP left for 7: the segment in hand is finished straight ahead."""
        order = "A1 drive max: move, move, move, move, move, move 1, left 120, on 2, move"
        bike_, rider = self.driven(order, (14, 0), 6)
        assert (bike_.place, bike_.heading, bike_["mode_ap"]) == ((18, 0), 0, 6)
        assert rider["ap_spent"] == 6

    def test_what_the_mode_still_wants_is_driven_straight_ahead(self):
        """A stop of 2 AP was planned and 1 is left: cruise expected one more, so it is a move."""
        bike_, rider = self.driven("A1 drive cruise: move, stop", (2, 0), 9)
        assert (bike_.place, bike_["motion"], bike_["mode_ap"]) == ((6, 0), "moving", 2)
        assert rider["ap_spent"] == 2

    def test_an_attack_without_a_target_left_is_left_out(self):
        """DT-152: a burst weapon fires on only while there is somebody to fire at."""
        units = bike(place=(0, 0), rider_fields={"weapon": "smg"})
        table = game([*units, trooper("B1", "blue", (3, 2), crossed=(2,))], centred(20))
        table.do("A1 drive minimum: move, fire B1, fire B1", [12])
        assert table.question is None
        assert table.state.unit("A1")["ap_spent"] == 3

    @pytest.mark.parametrize(
        ("way", "heading"),
        [(way, heading) for way in (1, 2, 4, 5) for heading in HEADINGS if step(step((2, 0), way), heading // 60)[1]],
    )
    def test_a_rider_is_struck_on_the_rear_dot(self, way, heading):
        """DT-51, DT-144, DT-146: next to one's own, beside the lane of a drive along the row 0."""
        front = step(step((2, 0), way), heading // 60)
        foe = bike("foe", "blue", front, heading, rider="B1", motion="stopped")
        table = game([*bike(place=(0, 0), rider_fields={"weapon": "knife"}), *foe], centred(12))
        order = "A1 drive cruise: move, strike B1, move"
        assert table.breaches(order) == []
        table.do(order, [12, 12])
        assert table.state.unit("B1")["crossed"] == (10, 9, 8)
        assert table.state.unit("foe")["armor"] is None

    def test_a_rider_is_out_of_reach_of_a_blow_where_only_the_front_is_near(self):
        """DT-51, DT-144."""
        foe = bike("foe", "blue", (3, -1), 0, rider="B1", motion="stopped")
        ahead = bike("foe", "blue", (1, 1), 120, rider="B1", motion="stopped")
        for units, legal in ((foe, True), (ahead, False)):
            table = game([*bike(place=(0, 0), rider_fields={"weapon": "knife"}), *units], centred(12))
            assert (table.breaches("A1 drive cruise: move, strike B1, move") == []) == legal
            assert table.breaches("A1 drive cruise: move, strike foe, move") == []

    def test_a_segment_cut_short_has_an_end_too(self):
        """DT-72, DT-98: by option two dots are a segment, and who has its last pose in the arc may fire."""
        foe = trooper("B1", "blue", (2, 3), arc=((2, 0),))
        table = game([*bike(place=(0, 0)), foe], centred(12), options={"partial_segments": True})
        table.do("A1 drive minimum: move 2", answers=None)
        assert isinstance(table.question, React)
        assert table.question.place == (2, 0)

    def test_arcs_end_where_the_vehicle_moves_on(self):
        """DT-158: an arc is given once movement is over."""
        table = game(bike(place=(0, 0), motion="stopped", **{"class": "assault"}), centred(14))
        table.do("A1 give_arcs")
        assert all(table.state.unit("bike")["arcs"])
        table.do("A1 drive minimum: start")
        assert table.state.unit("bike")["arcs"] == ()

    def test_fire_counts_towards_a_cap_of_everything(self):
        """DT-64: by option attacks on the way are activities, too."""
        rider = {"weapon": "smg", "ap_bonus": 8}
        units = [*bike(place=(0, 0), rider_fields=rider), trooper("B1", "blue", (3, 2))]
        order = "A1 drive max: move, fire B1, move, move, move, move, move, move"
        assert game(units, centred(26)).breaches(order) == []
        strict = game(units, centred(26), options={"cap_counts": "all_activities"})
        assert [one.clause for one in strict.breaches(order)] == ["DT-64"]


class TestMountedWeaponsThatFireOnce:
    """DT-47, DT-152: each mounted weapon is one of its own, whoever serves it and whatever others are called."""

    def car(self, directions, weapon="flamer", options=None):
        weapons = [{"weapon": weapon, "direction": direction} for direction in directions]
        units = bike(place=(0, 0), rider_fields={"ap_bonus": 8}, weapons=weapons, **{"class": "assault"})
        units += [trooper("P", "red", (-1, 0), aboard="bike", seat="passenger", ap_bonus=8)]
        return game(
            [*units, trooper("AHEAD", "blue", (5, 0)), trooper("BEHIND", "blue", (-3, 0))], centred(20), options=options
        )

    def refused(self, table, shots):
        fire = ", ".join(f"fire {target} with flamer by {rider}" for target, rider in shots)
        order = f"A1 drive cruise: move 2, {fire}, left 60, move"
        return [(one.needed, one.available) for one in table.breaches(order) if one.clause == "DT-152"]

    @pytest.mark.parametrize("directions", [(0,), (180,), (0, 0), (0, 180), (180, 0), (0, 180, 0)], ids=str)
    @pytest.mark.parametrize("targets", [*itertools.product(("AHEAD", "BEHIND"), repeat=3)], ids=" ".join)
    def test_each_fires_once_at_what_it_bears_on(self, targets, directions):
        points = {"AHEAD": 0, "BEHIND": 180}
        table = self.car(directions)
        for count in (1, 2, 3):
            shots = list(zip(targets[:count], ("A1", "P", "A1"), strict=False))
            if {points[target] for target, _ in shots} <= set(directions):
                enough = all(targets[:count].count(name) <= directions.count(points[name]) for name in points)
                assert (self.refused(table, shots) == []) == enough
            fired = min(count, len(directions))
            loose = self.car(directions, options={"mounted_orientation": "ignored"})
            assert (self.refused(loose, shots) == []) == (fired == count)

    def test_two_riders_do_not_fire_one_weapon_twice(self):
        table = self.car((0,))
        assert self.refused(table, [("AHEAD", "A1"), ("AHEAD", "P")]) == [(2, 1)]
        assert self.refused(table, [("AHEAD", "P"), ("AHEAD", "P"), ("AHEAD", "A1")]) == [(2, 1)]

    def test_those_in_hand_are_each_riders_own(self):
        """DT-152: two pistols in two hands fire once each, beside the mounted weapons."""
        units = bike(place=(0, 0), rider_fields={"weapon": "pistol"}, **{"class": "assault"})
        units += [trooper("P", "red", (-1, 0), aboard="bike", seat="passenger", weapon="pistol")]
        table = game([*units, trooper("B1", "blue", (4, 1))], centred(20))
        both = "fire B1, fire B1 by P, fire B1 with light_machine_gun, fire B1 with light_machine_gun by P"
        assert table.breaches(f"A1 drive cruise: move, {both}, move") == []
        again = table.breaches("A1 drive cruise: move, fire B1 by P, fire B1, fire B1 by P, move")
        assert [(one.clause, one.needed, one.available) for one in again] == [("DT-152", 2, 1)]


class TestWhenASideHasMoved:
    """DT-68, DT-105: what comes of vehicles that nobody drove is settled when their side has moved."""

    def test_another_can_act_before_the_shot_at_a_vehicle_at_rest(self):
        """DT-105: a go that is still open hinders nobody's reach or order."""
        foe = trooper("B1", "blue", (0, 3), arc=((0, 0), (-1, 0)))
        units = [*bike(place=(0, 0), motion="stopped", on=False), trooper("A2", "red", (0, 6)), foe]
        table = game(units, centred(8))
        table.do("A1 turn_on")
        assert (1, 6) in table.reach("A2", "foot_move")
        table.do("A2 foot_move: step 1,6")
        table.do("red done", answers=None)
        assert (table.question.clause, table.question.who) == ("DT-105", "B1")

    @pytest.mark.parametrize("order", ["A1 done", "red done"])
    def test_a_vehicle_that_nobody_can_drive_wipes_out(self, order):
        """DT-68, DT-118: with no AP no mode can be selected; it slides by the mode of the turn before."""
        tired = {"ap_bonus": -8}
        units = bike(place=(0, 0), armor=0, last_mode="cruise", rider_fields=tired)
        table = game([*units, trooper("A2", "red", (0, 6))], centred(9))
        assert table.breaches("A1 done") == []
        assert (1, 6) in table.reach("A2", "foot_move")
        if order == "A1 done":
            table.do("A2 done")
        table.do(order, [7])
        assert (table.state.unit("bike").place, table.state.unit("bike")["posture"]) == ((3, 0), "prone")
        assert table.state.unit("bike")["crossed"] == (7,)


UNITS = ("A1", "A2", "B1", "bike", "foe", "C9")
WORDS = (
    *("drive", "foot_move", "activate_jet_pack", "mount", "dismount", "crash", "crawl_out", "lift_vehicle", "done"),
    *("move", "start", "stop", "on", "left", "right", "ram", "strike", "fire", "throw", "step", "fly", "drop", "to"),
    *("minimum", "cruise", "max", "via", "facing", "ending", "stopped", "level", "with", "paid", "standing", ":", ","),
    *(
        "60",
        "120",
        "180",
        "45",
        "-1",
        "99999",
        "0,0",
        "1,0",
        "3,-2",
        "99,99",
        "rifle",
        "smg",
        "grenade",
        "¿",
        "\t",
        '"',
    ),
)


def a_crowd():
    """A small table with a bit of everything."""
    board = random_map(5, 5, share=0.06, buildings=True)
    free = [dot for dot in board.places() if _has_room(board, dot) and not board.storeys[board.index(dot)]]
    units = [*bike(place=free[0], motion="moving", rider_fields={"weapon": "smg"})]
    taken = {free[0], (free[0][0] - 1, free[0][1])}
    rest = [dot for dot in free if dot not in taken and (dot[0] - 1, dot[1]) not in taken]
    units += [trooper("A2", "red", rest[4], jet_pack="worn", weapon="grenade")]
    units += [trooper("B1", "blue", rest[-1], arc=tuple(free))]
    return game(units, board, DiceBag.of(3))


def do_or_refuse(table, order):
    """Give an order; whatever is wrong with it is told as a SimulatorError and changes nothing."""
    before = table.state
    try:
        table.do(order)
    except SimulatorError as error:
        assert str(error)
        assert table.state is before
        return False
    while table.question is not None:
        table.answer(next(iter(table.question.chances)) if isinstance(table.question, Roll) else None)
    return True


class TestNonsense:
    """Typed nonsense and orders at random raise nothing but what the package raises on purpose."""

    @settings(max_examples=150, deadline=None)
    @given(st.lists(st.sampled_from((*UNITS, *WORDS)), min_size=1, max_size=12).map(" ".join))
    def test_words_in_any_order(self, text):
        do_or_refuse(CROWD.branch(), text)

    @settings(max_examples=60, deadline=None)
    @given(st.text(max_size=40))
    def test_any_text(self, text):
        do_or_refuse(CROWD.branch(), f"A1 {text}")

    @pytest.mark.parametrize("seed", range(4))
    def test_orders_at_random_for_some_turns(self, seed):
        """Legal orders off the list, and the same with something changed in them."""
        dice, table, done = random.Random(seed), a_crowd(), 0
        for _ in range(25):
            unit = dice.choice(list(table.state.units))
            orders = list(itertools.islice(table.legal(unit), 400))
            if not orders or dice.random() < 0.2:
                done += do_or_refuse(table, f"{dice.choice((unit, 'red', 'blue', 'all'))} done")
                continue
            order = dice.choice(orders)
            if dice.random() < 0.5:
                elements = list(order.elements)
                dice.shuffle(elements)
                order = Order(dice.choice(UNITS), order.action, elements[: dice.randrange(1, 9)], order.args)
            done += do_or_refuse(table, order)
        assert done

    def test_reach_of_whoever_stands_there_after_some_turns(self):
        table = a_crowd()
        do_or_refuse(table, "A1 drive to 0,0")
        for unit in table.state.units:
            for action in RULES.reaches:
                try:
                    reach = table.reach(unit, action)
                except SimulatorError as error:
                    assert str(error)
                    continue
                assert len(reach) >= 0
                assert str(reach.why_not((0, 0)))


CROWD = a_crowd()
