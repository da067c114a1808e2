"""Fire along legs with corners, bends and turns: in accounts, pictures, prompts, logs and foresight."""

import math
import random
from fractions import Fraction
from io import StringIO

import pytest
from bent_couriers import RULESET, pieces_of

from simulator.engine.answers import InTurn, Person, Policy, Script
from simulator.engine.game import Game
from simulator.engine.log import begin_logged, parse_log, replay
from simulator.engine.questions import React, question_from
from simulator.engine.ranges import Along
from simulator.engine.state import State
from simulator.engine.story import Story
from simulator.formats.account_text import record_lines
from simulator.formats.scenarios import parse_scenario
from simulator.formats.short_account import short_account
from simulator.geometry.paths import Bend, Path, Straight, Turn
from simulator.geometry.table import InchTable
from simulator.views.reach_picture import ways_of
from simulator.views.replay.page import replay_page
from simulator.views.replay.timeline import timeline_of

#: Five ahead, up by a turn for 12, a bend of pi inches to the right, and a turn for 12 at the end.
ROUND = "A1: forward 5, left 90, bend_right 90 radius 2, right 60"


def yard(answers=None, begin=True, **courier):
    units = [
        RULESET.make_unit("A1", "courier", "red", (2.0, 2.0), heading=0, **courier),
        RULESET.make_unit("G1", "gun", "blue", (20.0, 5.0), heading=0),
    ]
    return Game.new(RULESET, InchTable("Yard", 60, 40), units, answers=answers, begin=begin)


def stands(game):
    unit = game.state.unit("A1")
    return (*unit.place, unit.heading)


class TestPlayed:
    def test_nobody_fires(self):
        game = yard(Policy(reactions="never"))
        happened = game.do(ROUND)
        assert stands(game) == pytest.approx((9, 4, 30))
        assert float(happened.ledger.total("inches")) == pytest.approx(5 + 12 + math.pi + 12)

    @pytest.mark.parametrize(
        ("at", "place", "heading"),
        [
            (3, (5, 2), 0),
            (5, (7, 2), 0),
            (5 + math.pi / 2, (9 - math.sqrt(2), 2 + math.sqrt(2)), 90),
            (5 + math.pi, (9, 4), 90),
        ],
    )
    def test_it_is_shot_at_where_it_is_by_then(self, at, place, heading):
        """A bend to the right round 9,2: its heading stays, up; at the corner it has not turned yet."""
        game = yard(Script((at, 1, None), open_ended=True))
        happened = game.do(ROUND)
        first = next(event for event in happened.events if event.kind == "goes")
        assert first.place == pytest.approx(place)
        assert dict(first.changes[0].values)["heading"] == pytest.approx(heading)
        assert stands(game) == pytest.approx((9, 4, 30))

    def test_who_is_hit_before_a_turn_can_not_pay_it_any_more(self):
        """BC-4: of 20 inches are left 40/3; 5 are spent, and the turn costs 20/3 of the rate that it was begun with."""
        game = yard(Script((5, 6), open_ended=True), rate=Fraction(16), spent=3)
        game.do("A1: forward 5, left 90, forward 1")
        assert stands(game) == pytest.approx((7, 2, 0))
        assert game.state.unit("A1")["spent"] == 8

    @pytest.mark.parametrize(("at", "heading", "paid"), [(10, 45, 6), (45, 45, 6), (50, 50, 12), (120, 120, 18)])
    def test_a_turn_at_the_end_is_cut_in_its_middle(self, at, heading, paid):
        """BC-2: each 45 degrees that are begun cost 6; who is hit turns as far as it has paid."""
        game = yard(Script((at, 6), open_ended=True), spent=18)
        happened = game.do("A1: left 120")
        assert (stands(game), happened.ledger.total("inches")) == ((2, 2, heading), paid)

    @pytest.mark.parametrize("seed", range(25))
    def test_however_it_is_interrupted_the_price_is_that_of_the_whole(self, seed):
        dice = random.Random(seed)
        elements = [
            dice.choice(
                [f"forward {dice.randrange(1, 40)}/8", f"left {dice.randrange(1, 90)}", "bend_left 77 radius 1.3"]
            )
            for _ in range(4)
        ]
        order = f"A1: {', '.join(elements)}"
        quiet = yard(Policy(reactions="never"), rate=90)
        quiet.do(order)

        def anywhere(question, _):
            span = question.options[0].stretches[0]
            return float(span.low + (span.high - span.low) * Fraction(dice.randrange(1000), 1000))

        shot = yard(InTurn([Policy(reactions=anywhere), Script((1,) * 9, open_ended=True)]), rate=90)
        happened = shot.do(order)
        assert happened.ledger.totals == quiet.happened.ledger.totals
        assert stands(shot) == stands(quiet)


class TestShown:
    def played(self):
        game = yard(Script((6, 1, 50, 1), open_ended=True))
        game.do(ROUND)
        return game

    def test_accounts_list_for_each_part_what_was_paid_for_what_and_where_it_was(self):
        game = self.played()
        lines = list(record_lines(game.happened, RULESET.vocabulary))
        there = "7.2448,2.9589"
        assert (
            f"? G1: fire at 2,2 (BC-3): from 0 to 8.141593 inches along the leg, 2,2 to 9,4? 6, at {there}" in lines[1]
        )
        paid = "5 inches for forward, 12 inches for turn by 90, 1 inch for forward (BC-1)  -- 18 inches so far"
        assert lines[2] == f"A1 goes to {there}: {paid}"
        assert lines[5].startswith("? G1: fire at 9,4 (BC-3): from 0 to 60 degrees along the leg, 9,4? 50, at 9,4")
        assert f"? G1: fire at 2,2 (BC-3): 6, at {there}\n" in short_account(Story.of(game))

    def test_the_page_marks_the_place_of_the_reaction(self):
        game = self.played()
        moments = timeline_of(Story.of(game)).moments
        places = [moment.place for moment in moments if moment.place]
        assert places[0] == game.happened.answered[0].question.place_of(6)
        assert places[0] == pytest.approx((9 - 2 * math.cos(0.5), 2 + 2 * math.sin(0.5)))
        page = replay_page(Story.of(game), reach="none")
        assert "from 0 to 8.141593 inches along the leg, 2,2 to 9,4" in page
        assert "6, at 7.2448,2.9589" in page
        assert page.count("turn by 90") == 1

    def test_pictures_draw_the_way_round_its_bends(self):
        (way,) = ways_of(yard().foresee(ROUND))
        assert (way.points[0], way.points[1]) == ((2, 2), (7, 2))
        assert all(math.dist(point, (9, 2)) == pytest.approx(2) for point in way.points[1:])
        assert len(way.points) > 6

    def test_a_person_sees_from_where_to_where(self):
        told = StringIO()
        person = Person(StringIO("9\n6 inches\n\n"), told)
        game = yard(InTurn([person, Script.dice([1])]))
        game.do(ROUND)
        open_to = "from 0 to 8.141593 inches along the leg, 2,2 to 9,4"
        assert f"  {open_to}\n  an empty line: lets pass\n" in told.getvalue()
        assert f"9 is not a valid answer; possible: {open_to}, or to let it pass" in told.getvalue()
        assert game.happened.answered[0].answer.value == 6

    def test_a_scenario_names_it_by_its_length(self):
        text = """
format: 1
ruleset: bent_courier
board: {board: table, size: [60, 40]}
units:
  A1: {type: courier, side: red, at: [2, 2], heading: 0}
  G1: {type: gun, side: blue, at: [20, 5], heading: 0}
dice: {results: [6]}
turns:
  - - order: "A1: forward 5, left 90, forward 4"
      answers: [7]
      asked: [{what: fire, who: G1, answer: 7}]
      cost: 21
      events: [{kind: goes, at: [7, 4]}, {kind: goes, at: [7, 6]}]
expect: {units: {A1: {at: [7, 6], heading: 90, rate: 24}}}
"""
        played = parse_scenario(text, rulesets={"bent_courier": RULESET}).run()
        assert played.ok, str(played)

    def test_it_is_foreseen_over_its_spans(self):
        (found, later) = yard().foresee(ROUND).interruptions
        assert str(found) == "G1: fire (from 0 to 8.141593 inches along the leg, 2,2 to 9,4) at 2,2 (BC-3)"
        assert str(later) == "G1: fire (from 0 to 60 degrees along the leg, 9,4) at 9,4 (BC-3)"


class TestWritten:
    def test_the_log_plays_again(self, tmp_path):
        game = yard(Script((6.123456789, 1, 50, 6), open_ended=True), begin=False)
        with begin_logged(game, tmp_path / "one.jsonl", seed=4):
            game.do(ROUND)
        again = replay(parse_log((tmp_path / "one.jsonl").read_bytes()), game.setting, verify=True)
        assert again.state == game.state

    def test_a_table_in_the_middle_of_a_leg_is_saved_and_goes_on(self):
        game = yard()
        game.do(ROUND)
        loaded = Game(game.setting, State.from_text(game.state.text))
        assert loaded.question == game.question
        for one in (loaded, game):
            one.answer(7, 1, None)
        assert loaded.state.hash == game.state.hash

    @pytest.mark.parametrize("seed", range(20))
    def test_a_question_about_a_path_is_itself_when_it_is_read_again(self, seed):
        dice = random.Random(seed)
        here = (dice.uniform(0, 9), dice.uniform(0, 9))
        bend = Bend((here[0] - 2, here[1]), 2.0, 0.0, dice.uniform(-3, 3), dice.uniform(0, 360))
        straight = Straight(bend.end, (dice.uniform(0, 9), 3.0), bend.heading)
        path = Path(here, (bend, Turn(bend.end, bend.heading, dice.uniform(-90, 90)), straight))
        question = React("fire", who="G1", options=[Along([(0, path.length)], path=path)])
        again = question_from(question.to_fields())
        assert again == question
        assert question.place == pytest.approx(here)
        length = dice.uniform(0, path.length)
        assert again.place_of(length) == question.place_of(length) == path.at(length)
        assert question.place_of(None) == question.place

    def test_a_leg_without_a_path_knows_no_places(self):
        question = React("fire", who="G1", options=[Along([(0, 5)])], place=(3, 4))
        assert (question.place_of(2), question.says(2), str(question.options[0])) == (
            (3, 4),
            "2",
            "from 0 to 5 inches along the leg",
        )


def test_an_order_spells_out_its_path():
    """BC-1: each piece begins where the last one ends, bends keep the heading."""
    game = yard()
    unit = game.state.unit("A1")
    pieces = list(pieces_of(unit, game.read(ROUND).elements))
    assert [type(piece) for piece in pieces] == [Straight, Turn, Bend, Turn]
    assert pieces[2].start == pytest.approx(pieces[1].end)
    assert [piece.heading for piece in pieces] == [0, 0, 90, 90]
