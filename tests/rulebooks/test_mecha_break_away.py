"""Breaking away in mecha: Attacks of Opportunity, what they cost, Pinning, failed actions, and where it ends."""

from fractions import Fraction

import numpy as np
import pytest
from mecha_duels import clauses, enemy, game, played, unit
from shapely import Point

from simulator.engine.errors import IllegalOrder, WrongAnswer
from simulator.engine.questions import Choose, React
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.rulesets.mecha.certain_plans import certain_of

AWAY = "A break_away: turn_left 180 free 90, forward 3.5"
HALF_INCH = "A break_away: backward 0.5"


def duel(*more, **options):
    """A unit in contact with B1 on its right."""
    return game(unit("A"), enemy("B1"), *more, **options)


def crowd(**options):
    """A unit in contact with B1 and B2."""
    return duel(enemy("B2", at=(24, 25)), **options)


def questions(happened):
    return [one.question for one in happened.answered]


class TestAttacksOfOpportunity:
    def test_every_adjacent_opposing_unit_may_attack_once_in_the_order_of_its_player(self):
        """ME-58, ME-59: before the move; the opposing player chooses the order."""
        here = crowd()
        happened = played(here, AWAY, "B2", "attack", "misses", "attack", "misses")
        kinds = [(type(one).__name__, one.what, one.who, one.clause) for one in questions(happened)]
        assert kinds == [
            ("Choose", "who may attack next", "blue", "ME-59"),
            ("React", "attack of opportunity", "B2", "ME-59"),
            ("Choose", "result of the attack", "B2", "ME-59"),
            ("React", "attack of opportunity", "B1", "ME-59"),
            ("Choose", "result of the attack", "B1", "ME-59"),
        ]
        told = [event.kind for event in happened.events]
        assert told.index("attacks of opportunity") < told.index("turns")
        assert here.state.unit("A").place == (20.5, 24)
        assert not here.state.unit("A")["pinned"]

    def test_whom_they_are_at(self):
        """ME-59, ME-60: both questions name the unit, and that skills do not count."""
        here = duel()
        asked = [here.do(AWAY).question, here.answer("attack").question]
        assert [(one.detail["at"], one.detail["skills"]) for one in asked] == [("A", "do not count")] * 2
        (made,) = (one for one in here.answer("misses").events if one.kind == "attacks of opportunity")
        assert (made.unit, made.clause) == ("B1", "ME-59")

    def test_who_is_hit_is_asked_whether_it_moves(self):
        """ME-61: it may stay, and moves unless it says so; it is pinned by moving."""
        here = duel()
        here.do(AWAY)
        here.answer("attack")
        asked = here.answer("hits").question
        assert (asked.what, asked.who, asked.clause, asked.place) == ("after being hit", "A", "ME-61", (24, 24))
        assert (asked.options, asked.default) == (("moves", "stays"), "moves")
        (pinned,) = (one for one in here.answer("moves").events if one.kind == "is pinned")
        assert (pinned.unit, pinned.clause, pinned.place) == ("A", "ME-61", (20.5, 24))

    def test_who_fails_is_told_so(self):
        """ME-62: after the attacks; the action is spent, and nothing moves."""
        here = duel(action_test="asked")
        here.do(AWAY)
        asked = here.answer(None).question
        assert (asked.what, asked.who, asked.clause) == ("result of the action", "A", "ME-62")
        assert (asked.options, asked.default, asked.place) == (("succeeds", "fails"), "succeeds", (24, 24))
        (failed,) = (one for one in here.answer("fails").events if one.kind == "fails to break away")
        assert (failed.unit, failed.clause, failed.place) == ("A", "ME-62", (24, 24))
        mover = here.state.unit("A")
        assert (mover.place, mover["ap_spent"], mover["acted_1"]) == ((24, 24), 1, "break_away")

    def test_nobody_has_to_attack(self):
        here = duel()
        assert played(here, AWAY, None).events[-1].kind != "is pinned"
        assert not here.state.unit("B1")["used_weapons"]

    def test_units_that_are_not_adjacent_or_friends_do_not(self):
        """ME-45: adjacent is in base contact."""
        here = game(unit("A"), enemy("B1", at=(25.02, 24)), unit("A2", at=(24, 25)))
        assert here.do("A break_away: backward 1").question is None

    @pytest.mark.parametrize(
        ("cost", "spent", "left", "may"), [(1, 0, 4, True), (1, 0, 0, True), (3, 2, 2, True), (3, 0, 1, False)]
    )
    def test_it_costs_an_action_point_less_than_a_melee_attack(self, cost, spent, left, may):
        """ME-59, ME-7: who lacks the AP cannot attack; an attack that costs none needs none."""
        here = game(unit("A"), enemy("B1", melee_ap_cost=cost, ap=left))
        happened = here.do(AWAY)
        assert (happened.question is not None) == may
        if may:
            here.answer("attack")
            happened = here.answer("misses")
            assert here.state.unit("B1")["ap_spent"] == spent
            price = [line for event in happened.events for line in event.price if event.unit == "B1"]
            assert happened.ledger.total("ap") == 1  # of A alone
            assert [(line.currency, int(line.price)) for line in price] == ([("ap of B1", spent)] if spent else [])

    def test_ap_that_are_not_tracked_bar_nobody(self):
        here = game(unit("A"), enemy("B1", melee_ap_cost=9), ap_per_turn=None)
        assert here.do(AWAY).question is not None

    @pytest.mark.parametrize("state", ["fallen", "fell_this_turn", "no_weapons_this_turn"])
    def test_who_has_fallen_or_climbed_cannot_attack(self, state):
        """ME-94, ME-95, ME-53."""
        assert game(unit("A"), enemy("B1", **{state: True})).do(AWAY).question is None

    def test_skills_do_not_count_and_the_question_says_so(self):
        """ME-60."""
        here = duel()
        question = here.do(AWAY).question
        assert question.detail["skills"] == "do not count"
        assert isinstance(question, React)
        assert here.answer("attack").question.detail["skills"] == "do not count"

    def test_it_is_an_attack_with_a_weapon(self):
        """ME-53: whoever has attacked does not climb in that turn."""
        here = duel()
        played(here, AWAY, "attack", "misses")
        assert here.state.unit("B1")["used_weapons"]
        assert not here.state.unit("A")["used_weapons"]

    def test_it_is_the_next_attack_after_a_charge(self):
        """ME-89, ME-90: on the target it has the bonus, on another the penalty; after it both are gone."""
        for target, modifiers, cited in (("A", {"melee": 2}, "ME-89"), ("X", {"melee": -2, "ranged": -2}, "ME-90")):
            here = game(unit("A"), enemy("B1", charge_target=target))
            happened = played(here, AWAY, "attack", "misses")
            (event,) = (one for one in happened.events if one.kind == "attacks of opportunity")
            assert {name: event.detail[name] for name in modifiers} == modifiers
            assert event.clause == cited
            assert here.state.unit("B1")["charge_target"] == ""

    def test_the_units_of_several_sides_are_asked_side_by_side(self):
        here = crowd()
        green = game(unit("A"), enemy("B1"), enemy("G1", at=(24, 25), side="green"))
        assert here.do(AWAY).question.who == "blue"
        assert green.do(AWAY).question.who == "B1"

    def test_answers_that_make_no_sense_are_refused(self):
        here = crowd()
        here.do(AWAY)
        for wrong in ("B3", "attack", None):
            with pytest.raises(WrongAnswer):
                here.answer(wrong)
        assert isinstance(here.state.pending.question, Choose)


class TestPinning:
    """ME-61, E27: two attackers, one hits."""

    HIT = ("B1", "attack", "hits", "attack", "misses")

    def test_who_moves_half_an_inch_is_pinned(self):
        """E27."""
        here = crowd()
        played(here, HALF_INCH, *self.HIT, "moves")
        assert here.state.unit("A")["pinned"]
        assert here.state.unit("A").place == (23.5, 24)
        assert (here.state.unit("A")["ap_spent"], here.state.unit("A")["acted_1"]) == (1, "break_away")

    @pytest.mark.parametrize("order", ["A break_away", "A break_away: turn_left 90 free 90"])
    def test_who_stays_or_only_turns_freely_is_not(self, order):
        """E27, ME-37: AP and the Move Action of the phase are spent all the same."""
        here = crowd()
        played(here, order, *self.HIT)
        assert not here.state.unit("A")["pinned"]
        assert (here.state.unit("A")["ap_spent"], here.state.unit("A")["acted_1"]) == (1, "break_away")

    def test_a_paid_turn_is_a_move(self):
        """ME-30: also by half a step beyond the free one."""
        here = crowd()
        played(here, "A break_away: turn_left 91 free 90", *self.HIT, "moves")
        assert here.state.unit("A")["pinned"]

    def test_a_player_may_stay_after_all_once_the_unit_is_hit(self):
        here = crowd()
        played(here, AWAY, *self.HIT, "stays")
        assert not here.state.unit("A")["pinned"]
        assert here.state.unit("A").place == (24, 24)

    def test_it_lasts_until_the_end_of_the_turn(self):
        here = crowd()
        played(here, HALF_INCH, *self.HIT, "moves")
        here.do("all done")
        assert here.state.unit("A")["pinned"]
        here.do("all done")
        assert here.state.clock.turn == 2
        assert not here.state.unit("A")["pinned"]

    @pytest.mark.parametrize(("effect", "found"), [("flag_only", []), ("half_move", []), ("no_more_moves", ["ME-61"])])
    def test_no_more_moves_bars_the_rest_of_the_turn(self, effect, found):
        here = crowd(pinning_effect=effect)
        played(here, "A break_away: backward 3", *self.HIT, "moves")
        here.do("all done")
        assert clauses(here.breaches("A standard: backward 1")) == found
        assert clauses(here.reach("A", "standard").why_not((23, 23)).reasons)[: len(found)] == found

    def test_half_a_move_cuts_the_move(self):
        """ME-61: B = M/2; the whole is made if nobody hits."""
        here = crowd(pinning_effect="half_move")
        happened = played(here, AWAY, *self.HIT, "moves")
        # 2 mp for the turn: 1 mp is left.
        assert here.state.unit("A").place == (23, 24)
        assert happened.ledger.totals["mp"] == 3
        missed = crowd(pinning_effect="half_move")
        played(missed, AWAY, "B1", None, "attack", "misses")
        assert missed.state.unit("A").place == (20.5, 24)

    def test_a_cut_move_ends_where_it_may(self):
        """ME-43: not on the base of a friend that it may pass."""
        friend = unit("A2", at=(21.5, 24), size_class=5)
        here = game(unit("A", heading=180), enemy("B1"), friend, pinning_effect="half_move")
        happened = played(here, "A break_away: forward 5", "attack", "hits", "moves")
        assert here.state.unit("A").place == (22.49, 24)
        assert happened.ledger.totals["mp"] == 2

    def test_of_a_turn_that_is_too_dear_the_free_part_is_made(self):
        here = game(unit("A", move=2), enemy("B1"), pinning_effect="half_move")
        # Nothing but a free turn is left, which is no move: nobody is asked, nobody is pinned.
        played(here, "A break_away: turn_left 180 free 90", "attack", "hits")
        assert float(here.state.unit("A").heading) == 90
        assert not here.state.unit("A")["pinned"]

    def test_what_can_be_paid_anyhow_is_not_cut(self):
        here = crowd(pinning_effect="half_move")
        played(here, "A break_away: backward 1.5", *self.HIT, "moves")
        assert here.state.unit("A").place == (22.5, 24)


class TestFailedActions:
    """ME-62."""

    def test_by_default_nobody_is_asked(self):
        assert questions(played(duel(), AWAY, None))[-1].clause == "ME-59"

    def test_a_failed_one_suffers_the_attacks_and_moves_nothing(self):
        here = duel(action_test="asked")
        happened = played(here, AWAY, "attack", "hits", "fails")
        assert questions(happened)[-1].clause == "ME-62"
        here_a = here.state.unit("A")
        assert (here_a.place, here_a["ap_spent"], here_a["acted_1"]) == ((24, 24), 1, "break_away")
        assert not here_a["pinned"]
        assert float(here_a.heading) == 0
        # Its free turn is still there.
        assert list(here.breaches("A free_turn: turn_left 90")) == []

    def test_one_that_succeeds_moves(self):
        here = duel(action_test="asked")
        played(here, AWAY, "attack", "misses", "succeeds")
        assert here.state.unit("A").place == (20.5, 24)


class TestWhereItEnds:
    def test_it_may_end_in_contact_with_the_same_or_another(self):
        """ME-63: no least distance, one action for all."""
        here = game(unit("A", move=12), enemy("B1"), enemy("B2", at=(24, 25)))
        found = here.reach("A", "break_away")
        assert found.cost_at((24, 24)) == 0
        assert found.cost_at((25, 25)) is not None  # between B1 and B2
        assert list(here.breaches(found.orders_to((25, 25))[0])) == []

    def test_without_a_pinning_effect_all_of_it_is_certain(self):
        found = crowd().reach("A", "break_away", hit_chances="1/2")
        assert found.certain_area.equals(found.area)
        assert found.chance_at((20, 24)) == 1
        assert found.unhit == Fraction(1, 4)

    # Long: reach over all results of the hits; what each costs is tried beside it.
    @pytest.mark.long
    def test_half_a_move_is_certain_the_rest_if_nobody_hits(self):
        """ME-61: certain reach B = M/2, possible B = M, probability that nobody hits."""
        here = crowd(pinning_effect="half_move")
        found = here.reach("A", "break_away", hit_chances={"B1": "1/4", "B2": Fraction(1, 3)})
        half = game(unit("A", move=3), enemy("B1"), enemy("B2", at=(24, 25))).reach("A", "break_away")
        # A band comes from the search for all that can be spent: its outline is as true, but need not be the same.
        assert found.certain_area.area == pytest.approx(half.area.area, rel=0.002)
        assert found.certain_area.buffer(0.05).covers(half.area)
        assert half.area.buffer(0.05).covers(found.certain_area)
        whole = crowd().reach("A", "break_away")
        assert found.certain_area.equals(whole.within(3))
        assert found.area.symmetric_difference(whole.area).area < 0.01
        assert found.chance_at((22.5, 24)) == 1
        assert found.chance_at((21, 24)) == Fraction(1, 2)
        assert found.chance_at((12, 24)) == 0
        assert [(chance, round(area.area, 3)) for chance, area in found.chance_bands()] == [
            (1, round(found.certain_area.area, 3)),
            (Fraction(1, 2), round(found.area.area - found.certain_area.area, 3)),
        ]

    def test_the_attacks_of_those_who_cannot_attack_do_not_count(self):
        here = game(unit("A"), enemy("B1", fallen=True), pinning_effect="half_move")
        found = here.reach("A", "break_away", hit_chances=1)
        assert found.attackers == ()
        assert found.chance_at((20, 24)) == 1
        assert found.certain_area.equals(found.area)

    def test_an_action_that_may_fail_is_certain_where_it_stands_alone(self):
        found = crowd(action_test="asked").reach("A", "break_away", success_chance="2/3")
        assert found.certain_area.wkt == "POINT (24 24)"
        assert (found.chance_at((24, 24)), found.chance_at((22.5, 24))) == (1, Fraction(2, 3))
        both = crowd(action_test="asked", pinning_effect="half_move")
        found = both.reach("A", "break_away", success_chance="2/3", hit_chances="1/2")
        assert found.chance_at((20, 24)) == Fraction(1, 6)

    # Long: reach over all results of the hits; what each costs is tried beside it.
    @pytest.mark.long
    def test_a_certain_end_is_reached_whoever_hits(self):
        """Every end that is told certain: played with all attacks hitting, and with none."""
        rng = np.random.default_rng(7)
        here = crowd(pinning_effect="half_move")
        found = here.reach("A", "break_away", hit_chances="1/2")
        x, y, far_x, far_y = found.area.bounds
        tried = 0
        for place in rng.uniform((x, y), (far_x, far_y), (60, 2)).round(2).tolist():
            chance = found.chance_at(place)
            if not chance or not found.orders_to(place):
                continue
            (order,) = found.orders_to(place)
            assert list(here.breaches(order)) == []
            hit = here.branch()
            played(hit, order, "B1", "attack", "hits", "attack", "hits", "moves")
            got_there = np.allclose(hit.state.unit("A").place, place, atol=1e-4)
            assert got_there == (chance == 1)
            missed = here.branch()
            played(missed, order, "B1", "attack", "misses", None)
            assert np.allclose(missed.state.unit("A").place, place, atol=1e-4)
            tried += 1
        assert tried > 20


class TestRefusals:
    def test_too_long_a_move_names_clause_and_figures(self):
        here = duel()
        before = here.state
        (found,) = here.breaches("A break_away: backward 3.5")
        assert (found.clause, found.needed, found.available) == ("ME-10", 7, 6)
        with pytest.raises(IllegalOrder):
            here.do("A break_away: backward 3.5")
        assert here.state == before

    def test_a_unit_in_the_way_is_named_with_the_place(self):
        here = game(unit("A"), enemy("B1"), enemy("B2", at=(21, 24)))
        (found,) = here.breaches("A break_away: backward 2.5")
        assert (found.clause, found.blocker) == ("ME-41", "B2")
        assert found.place == pytest.approx((22, 24), abs=0.02)

    def test_a_unit_without_the_ap_cannot(self):
        here = game(unit("A", ap=0), enemy("B1"))
        (found,) = here.breaches("A break_away: backward 1")
        assert (found.clause, found.needed, found.available) == ("ME-7", 1, 0)

    def test_a_static_unit_may_break_away_and_stay(self):
        """ME-26."""
        here = game(unit("A", "static"), enemy("B1"))
        assert here.branch().do("A break_away").question.detail["defence"] == "no bonus of its pilot"
        assert here.reach("A", "break_away").cost_at((24, 24)) == 0
        played(here, "A break_away", "attack", "hits")
        assert not here.state.unit("A")["pinned"]

    def test_ground_is_paid_for(self):
        mud = Piece("mud", "difficult", rectangle((24, 24), (10, 10)))
        here = duel(pieces=[mud])
        assert here.reach("A", "break_away").cost_at(Pose((22.5, 24), 0)) == 6


class TestWhatIsCertainOverPhasesAndTurns:
    """ME-61, ME-62: whichever attacks hit, by the plans of a phase and of a turn."""

    def test_over_a_phase_as_of_the_action(self):
        for options in ({}, {"pinning_effect": "half_move"}, {"action_test": "asked"}):
            here = duel(**options)
            alone, phase = (here.reach("A", question).certain_area for question in ("break_away", "phase"))
            assert alone.symmetric_difference(phase).area < 0.02

    @pytest.mark.parametrize(
        ("options", "farthest"),
        [
            ({}, 12),
            ({"pinning_effect": "half_move"}, 9),
            ({"pinning_effect": "no_more_moves"}, 6),
            ({"action_test": "asked"}, 0),
        ],
    )
    def test_over_a_turn(self, options, farthest):
        """Half a move or none at all is left of the first phase, and perhaps nothing of the second."""
        here = game(unit("A", heading=180), enemy("B1"), **options)
        found = here.reach("A", "turn")
        assert found.cost_at((12.1, 24)) == 2
        certain = found.certain_area
        assert found.area.buffer(0.02).covers(certain)
        for far in (0.5, 1.5, 2.9, 3.1, 5.9, 6.1, 8.9, 9.1, 11.9):
            assert certain.buffer(0.03).covers(Point(24 - far, 24)) == (far < farthest)

    def test_whoever_is_hit_gets_there(self):
        here = duel(pinning_effect="half_move")
        played(here, "A break_away: backward 1.5", "attack", "hits", "moves")
        here.do("all done")
        here.do("A standard: turn_left 180 free 90, forward 4")
        assert here.state.unit("A").place == (18.5, 24)
        assert duel(pinning_effect="half_move").reach("A", "turn").certain_area.covers(Point(18.6, 24))

    @pytest.mark.parametrize(
        ("options", "is_certain"),
        [
            ({}, True),
            ({"pinning_effect": "half_move"}, False),
            ({"pinning_effect": "no_more_moves"}, True),
            ({"action_test": "asked"}, False),
        ],
    )
    def test_who_has_to_end_the_first_phase_in_contact_may_be_cut_short_in_the_second(self, options, is_certain):
        """ME-8: twice a whole move straight on leads by where it touches both, and so to a Break Away."""
        beside = (enemy("B1", at=(18, 25.02)), enemy("B2", at=(18, 22.98)))
        here = game(unit("A", heading=180), *beside, contact_tolerance=0.05, **options)
        found = here.reach("A", "turn")
        (twice,) = (plan for plan in found.plans if plan.name == "standard, then standard")
        (first, _, second) = twice.answer.orders_to((12.1, 24))
        assert (first.action, second.action) == ("standard", "break_away")
        certain = certain_of(found.table, found.mover, [twice])
        for far, surely in ((11.4, True), (11.9, is_certain)):
            assert certain.buffer(0.03).covers(Point(24 - far, 24)) == surely
