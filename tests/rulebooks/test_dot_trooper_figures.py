"""Figures and reasons to the letter: what a check is made of, what a walk is charged, what a refusal names."""

from fractions import Fraction

import numpy as np
import pytest
from dt_games import bike, blocked, centred, game, random_map, rear, trooper

from simulator.geometry.dots import Edge
from simulator.rulesets.dot_trooper.checks import base_tn, chance, control_check, modifiers
from simulator.rulesets.dot_trooper.drive_states import gate_name, gates_of
from simulator.rulesets.dot_trooper.foot import changes_of_phase, foot_phase, level_of_phase, posture_of_phase
from simulator.rulesets.dot_trooper.poses import (
    against_rolling,
    against_standing,
    against_staying,
    against_swinging,
    roll_gate,
    stay_mask,
    swing,
)
from simulator.rulesets.dot_trooper.skids import skid_ground, skid_length, slide
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings

HEADINGS = range(0, 360, 60)
HOUSE = [((1, 0), {"storeys": 1}), ((2, 0), {"storeys": 1})]
STAIRS = Edge("stairs", (0, 0), (1, 0), (0, 1))


def told(breaches):
    return [(one.clause, one.needed, one.available, one.blocker, one.place) for one in breaches]


def driven(**fields):
    table = game(bike(place=(0, 0), **fields), centred(6)).ready_table("A1")
    return table, table.unit("bike"), table.unit("A1")


class TestChecks:
    """DT-86, DT-89 to DT-94, DT-160: a check is a base, three modifiers and nothing else."""

    @pytest.mark.parametrize(
        ("cause", "angle", "needed"),
        [
            *(("turn", 60, None), ("turn", 120, 6), ("turn", 180, 9)),
            *(("stop", 0, 4), ("stop", 60, 4), ("stop", 120, 6), ("stop", 180, 8)),
        ],
    )
    def test_bases(self, cause, angle, needed):
        table, vehicle, rider = driven()
        assert base_tn(table, cause, angle) == needed
        roll = control_check(table, vehicle, rider, cause, angle)
        if needed is None:
            assert roll is None
            assert chance(table, vehicle, rider, cause, angle) == Fraction(1)
        else:
            ways = sum(a + b >= needed for a in range(1, 7) for b in range(1, 7))
            assert chance(table, vehicle, rider, cause, angle) == roll.chance == Fraction(ways, 36)
            assert (roll.what, roll.target) == (f"control check: {cause} {angle}".removesuffix(" 0"), needed)
            assert roll.clause == {"turn": "DT-86", "stop": "DT-93"}[cause]

    @pytest.mark.parametrize(("cause", "rule"), [("ramming", "DT-143"), ("melee", "DT-147")])
    def test_attacks_have_a_base_of_their_own(self, cause, rule):
        table, vehicle, rider = driven()
        roll = control_check(table, vehicle, rider, cause)
        assert base_tn(table, cause) == roll.target == table.tables[f"check.attack.{cause}"]
        assert (roll.what, roll.clause) == (f"control check: {cause}", rule)

    def test_a_roll_says_whose_it_is_where_and_what_counts(self):
        table, vehicle, rider = driven(crossed=(12, 6), rider_fields={"crossed": (10, 9)}, **{"class": "assault"})
        roll = control_check(table, vehicle, rider, "stop", 120)
        assert (roll.who, roll.dice, roll.place, dict(roll.detail)) == ("A1", "2D6", (0, 0), {"vehicle": "bike"})
        assert roll.modifiers == tuple(modifiers(table, vehicle, rider))
        assert [name for name, _ in roll.modifiers] == ["trooper damage", "vehicle damage", "handling"]
        assert dict(roll.modifiers)["vehicle damage"] == 2
        assert dict(roll.modifiers)["handling"] == 1
        assert roll.chance == chance(table, vehicle, rider, "stop", 120)


class TestPoses:
    """DT-54, DT-72, DT-76, DT-83, DT-165, DT-166: the arrays say of each pose what the judge says of it."""

    @pytest.mark.parametrize("options", [{}, {"swing_check": "end_only"}, {"pass_through_units": "friends"}], ids=str)
    def test_arrays_and_judge_agree(self, options):
        for seed in range(3):
            board = random_map(seed, 3, share=0.08, levels=True)
            units = [*bike(place=(0, 0)), trooper("A2", "red", (1, 1)), trooper("B1", "blue", (-2, 1))]
            table = game(units, board, options=options).ready_table("A1")
            ground = DotSurroundings.of(table, table.unit("bike"))
            gates = gates_of(ground)
            for heading in HEADINGS:
                ahead, stays = roll_gate(ground, heading), stay_mask(ground, heading)
                assert (gates[gate_name(heading)] == ahead).all()
                assert stays.dtype == ahead.dtype == np.bool_
                for dot in board.places():
                    at = board.index(dot)
                    assert ahead[at] == (not any(against_rolling(ground, dot, heading)))
                    assert stays[at] == (not any(against_staying(ground, dot, heading)))
                    for side in ("left", "right"):
                        for angle in (60, 120, 180):
                            gate = gates[gate_name(heading, side, angle)]
                            first = rear(dot, heading)
                            if ground.across(ground.rolls, first, dot) and first in board:
                                assert gate[at] == (not any(against_swinging(ground, dot, heading, side, angle)))
            assert len(gates) == 6 + 6 * 2 * 3

    def test_gates_have_names_that_tell_them_apart(self):
        assert [gate_name(60), gate_name(120, "left", 60)] == ["ahead at 60", "left 60 at 120"]
        assert swing((0, 0), 60, "right", 120) == (rear((0, 0), 0), rear((0, 0), 300))

    def test_what_is_in_the_way_is_named(self):
        edges = [Edge("wall", (0, 0), (1, 0)), Edge("window", (0, 0), (0, -1))]
        special = [*blocked((0, 2)), ((-2, 0), {"level": 1})]
        units = [*bike(place=(3, -3), heading=60), trooper("B1", "blue", (0, 1))]
        table = game(units, centred(4, special=special, edges=edges)).ready_table("A1")
        ground = DotSurroundings.of(table, table.unit("bike"))
        for front, heading, wanted in (
            ((1, 0), 0, [("DT-76", None, None, "wall", (1, 0))]),
            ((0, 0), 180, [("DT-76", None, None, "wall", (0, 0))]),
            ((0, -1), 120, [("DT-76", None, None, "window", (0, -1))]),
            ((-1, 0), 0, [("DT-166", None, None, "a step", (-1, 0))]),
            ((0, 1), 0, [("DT-165", None, None, "B1", (0, 1))]),
            ((1, 1), 0, [("DT-165", None, None, "B1", (0, 1))]),
            ((0, 2), 0, [("DT-76", None, None, "an obstacle", (0, 2))]),
            ((4, 0), 180, [("DT-167", None, None, "the edge of the map", (5, 0))]),
            ((3, 0), 0, []),
        ):
            assert told(against_standing(ground, front, heading)) == wanted
        assert told(against_staying(ground, (1, 1), 0)) == [("DT-165", None, None, "B1", (0, 1))]
        assert told(against_rolling(ground, (0, 0), 0)) == [("DT-76", None, None, "wall", (1, 0))]
        assert told(against_rolling(ground, (4, 0), 0)) == [("DT-167", None, None, "the edge of the map", (5, 0))]

    @pytest.mark.parametrize(("levels", "closed"), [((0, 0), True), ((0, 2), True), ((1, 2), False)])
    def test_walls_stand_on_the_levels_they_are_given(self, levels, closed):
        """DT-5, DT-76: one upstairs is in nobody's way below."""
        houses = [((q, 0), {"storeys": 2}) for q in (1, 2)]
        board = centred(4, special=houses, edges=[Edge("wall", (1, 0), (2, 0), levels)])
        table = game(bike(place=(0, 0)), board).ready_table("A1")
        ground = DotSurroundings.of(table, table.unit("bike"))
        wanted = [("DT-76", None, None, "wall", (2, 0))] if closed else []
        assert told(against_rolling(ground, (1, 0), 0)) == wanted
        assert roll_gate(ground, 0)[board.index((1, 0))] == (not closed)


class TestWalks:
    """DT-4, DT-5, DT-64, DT-162, DT-164, DT-165: each dot has its price, each refusal its figures."""

    def test_prices_line_by_line(self):
        table = game([trooper("A1", place=(0, 0))], centred(4, special=HOUSE, edges=[STAIRS]))
        happened = table.do("A1 foot_move: step 1,0 level 1, lie_down, step 2,0, stand_up")
        lines = [(line.what, line.amount, line.rate, line.currency, line.clause) for line in happened.ledger.lines]
        assert lines == [
            ("a dot standing", 1, 1, "AP", "DT-164"),
            ("levels", 1, 1, "AP", "DT-164"),
            ("prone", 1, 1, "AP", "DT-164"),
            ("a dot prone", 1, 2, "AP", "DT-164"),
            ("standing", 1, 1, "AP", "DT-164"),
        ]
        kinds = [(event.kind, event.unit, event.clause, event.place) for event in happened.events if event.kind != "go"]
        assert [one for one in kinds if one[0] in ("step", "posture")] == [
            ("step", "A1", "DT-164", (1, 0)),
            ("posture", "A1", "DT-164", (1, 0)),
            ("step", "A1", "DT-164", (2, 0)),
            ("posture", "A1", "DT-164", (2, 0)),
        ]
        unit = table.state.unit("A1")
        assert (unit.place, unit["level"], unit["posture"]) == ((2, 0), 1, "standing")
        assert (unit["ap_spent"], unit["movement_spent"]) == (6, 4)

    @pytest.mark.parametrize(
        ("said", "wanted"),
        [
            ("step 2,0", [("DT-4", 2, 1, "", (2, 0))]),
            ("step 0,1", [("DT-5", None, None, "wall", (0, 1))]),
            ("step -1,0", [("DT-5", None, None, "an obstacle", (-1, 0))]),
            ("step 0,-1", [("DT-165", None, None, "B1", (0, -1))]),
            ("step 1,-1 level 1", [("DT-164", None, None, "", (1, -1))]),
            ("step 1,0, step 2,0 level 1", [("DT-164", 1, 0, "", (2, 0))]),
            ("stand_up", [("DT-164", None, None, "", None)]),
            (", ".join(["lie_down, stand_up"] * 4), []),
            (", ".join([*["lie_down, stand_up"] * 4, "lie_down"]), [("DT-162", 9, 8, "", None)]),
        ],
    )
    def test_refusals(self, said, wanted):
        board = centred(4, special=HOUSE + blocked((-1, 0)), edges=[STAIRS, Edge("wall", (0, 0), (0, 1))])
        table = game([trooper("A1", place=(0, 0)), trooper("B1", "blue", (0, -1))], board)
        assert told(table.breaches(f"A1 foot_move: {said}")) == wanted

    def test_the_edge_the_level_at_the_end_and_friends(self):
        board = centred(2, special=HOUSE, edges=[STAIRS])
        edge = game([trooper("A1", place=(2, 0))], board)
        assert told(edge.breaches("A1 foot_move: step 3,0")) == [("DT-167", None, None, "the edge of the map", (3, 0))]
        low = game([trooper("A1", place=(0, 0)), trooper("A2", place=(0, 1))], board)
        assert told(low.breaches("A1 foot_move level 1: step 1,0")) == [("DT-164", 1, 0, "", (1, 0))]
        assert told(low.breaches("A1 foot_move: step 0,1")) == [("DT-165", None, None, "A2", (0, 1))]

    @pytest.mark.parametrize(("counts", "refused"), [("movement_only", []), ("all_activities", ["DT-64"])])
    def test_the_cap_counts_what_the_option_says(self, counts, refused):
        mover = trooper("A1", place=(0, 0), ap_bonus=3)
        table = game([mover], centred(6), options={"cap_counts": counts}, tables={"movement.cap": 3})
        assert [one.clause for one in table.breaches("A1 foot_move: lie_down, stand_up, step 1,0, step 2,0")] == refused
        assert [one.clause for one in table.breaches("A1 foot_move: step 1,0, step 2,0, step 3,0")] == []
        over = table.breaches("A1 foot_move: step 1,0, step 2,0, step 3,0, step 4,0")
        assert [(one.clause, one.needed) for one in over] == [("DT-64", 4)]

    def test_phases_are_read_as_they_are_written(self):
        for level in (-1, 0, 12):
            for posture in ("standing", "prone"):
                for flown in (False, True):
                    for changes in (0, 1, 2):
                        phase = foot_phase(level, posture, flown, changes)
                        read = level_of_phase(phase), posture_of_phase(phase), changes_of_phase(phase)
                        assert read == (level, posture, changes)
                        assert ("flown" in phase.split(", ")) == flown
        assert foot_phase(2, "prone", True, 1) == "level 2, prone, flown, posture changed 1 times"
        assert foot_phase(3) == "level 3"


class TestSkids:
    """DT-120 to DT-123, DT-128: the rear of the shallower turn, then straight on until something is in the way."""

    def skid(self, ask, units=(), special=(), edges=(), options=None, radius=5):
        board = centred(radius, special=special, edges=edges)
        table = game([*bike(place=(0, 0)), *units], board, options=options).ready_table("A1")
        found = slide(skid_ground(table, table.unit("bike")), *ask)
        return found.front, found.heading, found.rear, found.dots, found.hit

    def test_lengths(self):
        table = game(bike(place=(0, 0)), centred(5)).ready_table("A1")
        for mode in ("minimum", "cruise", "max"):
            assert skid_length(table, mode, 3) == 3 * table.tables[f"mode.{mode}.skid_ap"]

    @pytest.mark.parametrize(
        ("ask", "wanted"),
        [
            (((0, 0), 0, 3), ((3, 0), 0, (2, 0), 3, "")),
            (((0, 0), 0, 3, "left", 60), ((3, 0), 0, (2, 0), 3, "")),
            (((0, 0), 0, 2, "left", 120), ((2, 0), 60, (1, 1), 2, "")),
            (((0, 0), 0, 2, "right", 180), ((2, 0), 240, (3, -1), 2, "")),
            (((0, 0), 60, 2, "left", 180), ((2, -2), 180, (3, -2), 2, "")),
            (((0, 0), 0, 9), ((5, 0), 0, (4, 0), 5, "")),
        ],
    )
    def test_on_open_ground(self, ask, wanted):
        assert self.skid(ask) == wanted

    def test_what_stops_it(self):
        straight, askew = ((0, 0), 0, 4), ((0, 0), 0, 4, "left", 120)
        assert self.skid(straight, special=blocked((3, 0))) == ((2, 0), 0, (1, 0), 2, "an obstacle")
        assert self.skid(straight, edges=[Edge("wall", (1, 0), (2, 0))]) == ((1, 0), 0, (0, 0), 1, "wall")
        assert self.skid(straight, special=[((2, 0), {"level": 1})]) == ((1, 0), 0, (0, 0), 1, "a step")
        assert self.skid(askew, special=blocked((1, 1))) == ((1, 0), 60, (0, 1), 1, "an obstacle")
        assert self.skid(askew, special=blocked((-1, 1))) == ((0, 0), 0, (-1, 0), 0, "an obstacle")
        assert self.skid(askew, edges=[Edge("window", (0, 0), (-1, 1))]) == ((0, 0), 0, (-1, 0), 0, "window")
        assert self.skid(askew, edges=[Edge("wall", (0, 1), (1, 1))]) == ((1, 0), 60, (0, 1), 1, "wall")
        assert self.skid(askew, edges=[Edge("wall", (1, 1), (2, 0))]) == ((1, 0), 60, (0, 1), 1, "wall")
        assert self.skid(askew, edges=[Edge("wall", (1, 0), (2, 0))]) == ((1, 0), 60, (0, 1), 1, "wall")

    def test_a_wall_upstairs_stops_nobody(self):
        """DT-5: a wall that is given levels stands on those alone."""
        for levels, dots, hit in (((1, 2), 4, ""), ((0, 1), 1, "wall"), ((0, 0), 1, "wall")):
            house = [((1, 0), {"storeys": 2}), ((2, 0), {"storeys": 2})]
            found = self.skid(((0, 0), 0, 4), special=house, edges=[Edge("wall", (1, 0), (2, 0), levels)])
            assert found[3:] == (dots, hit)

    @pytest.mark.parametrize(
        ("heading", "side", "ask"), [(0, "left", (-2, 5)), (0, "right", (4, -5)), (180, "right", (-2, 5))]
    )
    def test_where_the_shallower_turn_leads_off_the_map(self, heading, side, ask):
        """DT-120, DT-167: by option (DT-83) such a turn may be tried; the edge of the map is no ram."""
        found = self.skid((ask, heading, 2, side, 180), options={"swing_check": "end_only"})
        assert found == (ask, heading, rear(ask, heading), 0, "")

    @pytest.mark.parametrize(
        ("solid", "dots", "hit", "dots_without_troopers"),
        [("vehicles_block", 3, "other", 3), ("all_block", 1, "B1", 3), ("none_block", 4, "", 4)],
    )
    def test_which_units_stop_it(self, solid, dots, hit, dots_without_troopers):
        vehicle = bike("other", place=(4, 0), rider=None, motion="stopped", heading=180)
        units = [trooper("B1", "blue", (2, 0)), *vehicle]
        found = self.skid(((0, 0), 0, 4), units, options={"skid_units": solid}, radius=6)
        assert found[3:] == (dots, hit)
        assert self.skid(((0, 0), 0, 4), vehicle, options={"skid_units": solid}, radius=6)[3] == dots_without_troopers
