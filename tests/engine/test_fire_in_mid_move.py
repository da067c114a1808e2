"""Fire along a leg, damage in its middle and a new allowance: played, scripted, typed, logged, resumed, foreseen."""

import random
from fractions import Fraction
from io import StringIO

import pytest
from every_play import assert_foreseen_is_played
from gun_couriers import RULESET

from simulator.engine.answers import DiceBag, InTurn, Person, Policy, Script
from simulator.engine.errors import WrongAnswer
from simulator.engine.game import Game
from simulator.engine.ledger import Ledger
from simulator.engine.log import begin_logged, parse_log, replay, resume
from simulator.engine.questions import React
from simulator.engine.ranges import Span
from simulator.engine.state import State
from simulator.engine.story import Story
from simulator.formats.scenarios import parse_scenario, scenario_text
from simulator.geometry.table import InchTable
from simulator.views.replay.page import replay_page

DRIVE = "A1 drive 16,2"
SCENARIO = """
format: 1
ruleset: gun_courier
name: Under the guns
board: {board: table, size: [40, 20]}
units:
  A1: {type: courier, side: red, at: [0, 2]}
  G1: {type: gun, side: blue, at: [10, 5]}
"""


def yard(*guns, answers=None, begin=True, **courier):
    """A courier west of some guns; the leg of the tests leads past the first at 3 inches."""
    units = [RULESET.make_unit("A1", "courier", "red", (0.0, 2.0), **courier)]
    places = guns or [(10.0, 5.0)]
    units += [RULESET.make_unit(f"G{number}", "gun", "blue", at) for number, at in enumerate(places, 1)]
    return Game.new(RULESET, InchTable("Yard", 40, 20), units, answers=answers, begin=begin)


def scenario(*lines):
    return parse_scenario(SCENARIO + "\n".join(lines) + "\n", rulesets={"gun_courier": RULESET})


class TestAHit:
    """FC-4: 18 inches are 12 after a hit; what is spent counts, and it stops where they are used up."""

    @pytest.mark.parametrize(("at", "end"), [(6, 12), (8, 12), (12, 12), (13, 13), (14, 14)])
    def test_in_the_middle_of_a_leg_leaves_a_new_allowance(self, at, end):
        happened = yard().do(DRIVE, [at, 6])
        unit = happened.state.unit("A1")
        assert (unit.place, unit["spent"], unit["allowance"]) == ((end, 2), end, 12)
        kinds = [event.kind for event in happened.events if event.kind in ("moves", "fires", "is hit", "stops")]
        assert kinds == ["moves", "fires", "is hit", *(["moves"] if at < end else []), "stops"]
        assert happened.ledger.total("inches") == end

    def test_the_leg_is_told_in_parts_with_what_was_paid_by_then(self):
        happened = yard().do(DRIVE, [Fraction(17, 2), 1])
        parts = [event for event in happened.events if event.kind == "moves"]
        assert [dict(part.detail) for part in parts] == [
            {"from": 0, "to": Fraction(17, 2), "of": 16},
            {"from": Fraction(17, 2), "to": 16, "of": 16},
        ]
        assert [part.place for part in parts] == [(8.5, 2), (16, 2)]
        assert [part.spent["inches"] for part in parts] == [Fraction(17, 2), 16]

    def test_where_nobody_fires_it_is_one_leg(self):
        parts = [event for event in yard(answers=Policy()).do(DRIVE).events if event.kind == "moves"]
        assert [(dict(part.detail), part.place) for part in parts] == [({}, (16, 2))]

    @pytest.mark.parametrize("seed", range(30))
    def test_however_it_is_interrupted_the_price_is_that_of_one_leg(self, seed):
        """FC-1: over firm ground and soft, under two guns that fire anywhere and miss."""
        dice = random.Random(seed)
        end = (24, 2 + dice.uniform(-2, 2))
        guns = [(dice.uniform(4, 10), 5), (dice.uniform(12, 22), 4)]
        undisturbed = yard(*guns, allowance=60, answers=Policy()).do(f"A1 drive {end[0]},{end[1]!r}")

        def anywhere(question, _):
            low, high = question.options[0].spans[0].low, question.options[0].spans[0].high
            return float(low + (high - low) * dice.random())

        game = yard(
            *guns, allowance=60, answers=InTurn([Policy(reactions=anywhere), Script((1,) * 9, open_ended=True)])
        )
        disturbed = game.do(f"A1 drive {end[0]},{end[1]!r}")
        assert sum(event.kind == "moves" for event in disturbed.events) == 3
        assert disturbed.ledger.totals == undisturbed.ledger.totals
        moved = [event for event in disturbed.events if event.kind == "moves"]
        assert Ledger(line for event in moved for line in event.price).totals == moved[-1].spent
        assert disturbed.state.unit("A1").place == undisturbed.state.unit("A1").place


class TestAnswers:
    """FC-2: a gun fires from 6 to 14 inches along the leg, or lets it pass."""

    @pytest.mark.parametrize("seed", range(20))
    def test_every_sample_is_accepted_and_what_lies_outside_is_rejected(self, seed):
        dice = random.Random(seed)
        gun = (dice.uniform(3, 14), dice.uniform(3, 6))
        twin = yard(gun)
        twin.do(DRIVE)
        assert isinstance(twin.question, React)
        for sample in twin.question.samples:
            branch = twin.branch()
            branch.answer(sample)
            assert branch.question.what == "hit"
        (span,) = twin.question.options[0].spans
        before = twin.state
        for wrong in (span.low - Fraction(1, 1000), span.high + Fraction(1, 1000), 99, "now", (1, 2), True):
            with pytest.raises(WrongAnswer, match=r"G1: fire at .* inches along the leg, or to let it pass"):
                twin.branch().answer(wrong)
            assert twin.state is before

    def test_a_wrong_answer_changes_nothing(self):
        game = yard()
        before = game.state
        with pytest.raises(WrongAnswer, match=r"5 is not a valid answer; possible: from 6 to 14 inches along the leg"):
            game.do(DRIVE, [5])
        assert game.state is before

    def test_scripts_policies_and_persons(self):
        script = InTurn([Script.choices([12, "pass"], open_ended=True), Script.dice([6])])
        assert yard(answers=script).do(DRIVE).state.unit("A1").place == (12, 2)
        policy = InTurn([Policy(reactions="always"), Script.dice([6])])
        assert yard(answers=policy).do(DRIVE).answered[0].answer.value == 6
        told = StringIO()
        person = InTurn([Person(StringIO("15\n6 inches\n"), told), Script.dice([6])])
        assert yard(answers=person).do(DRIVE).state.unit("A1").place == (12, 2)
        assert (
            "15 is not a valid answer; possible: from 6 to 14 inches along the leg, or to let it pass"
            in told.getvalue()
        )

    def test_who_fires_first_on_the_leg_is_first(self):
        happened = yard((10, 5), (4, 5)).do(DRIVE, [9, 4, 1, 1])
        assert [event.unit for event in happened.events if event.kind == "fires"] == ["G2", "G1"]

    def test_who_would_fire_beyond_where_the_courier_stops_does_not(self):
        game = yard((10, 5), (14, 5))
        happened = game.do(DRIVE, [7, 14, 6])
        assert [event.unit for event in happened.events if event.kind == "fires"] == ["G1"]
        assert happened.state.unit("G2")["loaded"] == 1

    @pytest.mark.parametrize(
        ("answer", "heading"),
        [("home", 0), (350, 350), (-10, 350), ("east", None), (89.5, 89.5), (180, 180), (225, 225), (405, 45)],
    )
    def test_degrees_with_and_without_steps_beside_a_word(self, answer, heading):
        """FC-5."""
        game = yard()
        game.do("A1 done")
        if heading is None:
            with pytest.raises(
                WrongAnswer,
                match=r"east is not a valid answer; possible: home, a number of degrees above 270, through 0",
            ):
                game.do("G1 turn", [answer])
            return
        assert game.do("G1 turn", [answer]).state.unit("G1").heading == heading

    @pytest.mark.parametrize("wrong", [90, 100, 270, 181])
    def test_degrees_outside(self, wrong):
        game = yard()
        game.do("A1 done")
        if wrong in (90, 270):
            assert game.do("G1 turn", [wrong]).state.unit("G1").heading == wrong  # by hand
        else:
            with pytest.raises(WrongAnswer, match=f"{wrong} is not a valid answer"):
                game.do("G1 turn", [wrong])

    def test_a_spot_in_a_region(self):
        """FC-6."""
        assert yard().do("A1 drop", [(1.5, 2)]).state.unit("A1")["parcel"] == (1.5, 2)
        for wrong in ((3, 2), (9, 1)):
            with pytest.raises(
                WrongAnswer, match=r"is not a valid answer; possible: a spot such as .* in the region from 0,0 to 8,4"
            ):
                yard().do("A1 drop", [wrong])


class TestScenarios:
    def test_answers_stand_beside_the_order_or_for_all(self):
        played = scenario(
            "dice: {results: [6]}",
            "turns:",
            "  - - order: A1 drive 16,2",
            "      answers: [8.5]",
            "      asked: [{what: fire, who: G1, answer: 8.5}]",
            "      cost: 12",
            "      events: [{kind: moves, at: [8.5, 2]}, {kind: moves, at: [12, 2]}]",
            '    - {order: G1 turn, answers: ["-22.5 degrees"]}',
            "  - - {order: A1 drop, answers: [[1.5, 2]], asked: [{what: where the parcel falls, answer: [1.5, 2]}]}",
            "expect:",
            "  units: {A1: {at: [12, 2], spent: 12, parcel: [1.5, 2]}, G1: {heading: 337.5}}",
        ).run()
        assert played.ok, str(played)

    @pytest.mark.parametrize(
        ("rule", "end"), [("fire: 8", 12), ("G1 fire: 13.5", 13.5), ("fire: always", 12), ("reactions: never", 16)]
    )
    def test_rules_for_a_kind_of_question(self, rule, end):
        turns = ["turns:", "  - - {order: 'A1 drive 16,2'}", f"expect: {{units: {{A1: {{at: [{end}, 2]}}}}}}"]
        dice = [] if "never" in rule else ["dice: {results: [6]}"]
        assert scenario(f"answers: {{{rule}}}", *dice, *turns).run().ok

    def test_a_wrong_answer_is_said_with_what_would_be_right(self):
        played = scenario("turns:", "  - - {order: 'A1 drive 16,2', answers: [5]}").run()
        assert not played.ok
        assert "5 is not a valid answer; possible: from 6 to 14 inches along the leg, or to let it pass" in str(played)
        assert played.game.state.unit("A1").place == (0, 2)

    def test_a_game_written_as_a_scenario_is_the_same(self):
        game = yard(answers=InTurn([Policy(reactions="always", choices="first"), DiceBag.of(4)]))
        for order in (DRIVE, "G1 turn", "A1 drop"):
            game.do(order)
        again = parse_scenario(scenario_text(game), rulesets={"gun_courier": RULESET}).run()
        assert again.ok, str(again)
        assert again.game.state.hash == game.state.hash


class TestLogs:
    def played(self, path, answers):
        game = yard(answers=answers, begin=False)
        with begin_logged(game, path, seed=4):
            for order in (DRIVE, "G1 turn", "A1 drop"):
                game.do(order)
        return game

    @pytest.mark.parametrize("at", [6, Fraction(25, 3), 8.123456789])
    def test_the_log_plays_again_to_the_byte(self, tmp_path, at):
        script = Script.choices([at, Fraction(-45, 2), (1.25, 3)])
        game = self.played(tmp_path / "one.jsonl", InTurn([script, DiceBag.of(4)]))
        data = (tmp_path / "one.jsonl").read_bytes()
        assert b'"options":[{"marks":[8.75,11.25,12],"range":"along","spans":[{"from":6,"to":14}]' in data
        again = replay(parse_log(data), game.setting, verify=True)
        assert again.state == game.state
        self.played(tmp_path / "two.jsonl", InTurn([script, DiceBag.of(4)]))
        assert (tmp_path / "two.jsonl").read_bytes() == data

    def test_a_game_goes_on_from_its_log(self, tmp_path):
        path = tmp_path / "game.jsonl"
        answers = InTurn([Policy(reactions="always", choices="first"), DiceBag.of(4)])
        game = self.played(path, answers)
        whole = path.read_bytes()
        lines = whole.splitlines(keepends=True)
        for cut in range(2, len(lines)):
            path.write_bytes(b"".join(lines[:cut]))
            on, log = resume(path, game.setting, answers)
            for order in (DRIVE, "G1 turn", "A1 drop")[len(log.orders) - 1 :] if log.orders else ():
                on.do(order)
            on.log.close()
            if log.orders:
                assert path.read_bytes() == whole

    def test_a_table_in_the_middle_of_a_leg_is_saved_and_goes_on(self):
        game = yard()
        game.do(DRIVE)
        back = State.from_text(game.state.text)
        assert back == game.state
        assert back.text == game.state.text
        loaded = Game(game.setting, back)
        assert loaded.question == game.question
        loaded.answer(8, 6)
        game.answer(8, 6)
        assert loaded.state.hash == game.state.hash


class TestForesight:
    def test_it_says_over_which_span_each_outcome_holds(self):
        (found,) = yard().foresee(DRIVE).interruptions
        assert str(found) == "G1: fire (from 6 to 14 inches along the leg) at 6,2 (FC-2)"
        assert found.spans == (Span(6, 14),)
        assert [str(outcome) for outcome in found.outcomes] == [
            "from 6 to below 8.75 or above 11.25 and below 12, such as at 6",
            "from 8.75 to 11.25, such as at 8.75",
            "from 12 to 14, such as at 12",
        ]
        chances = [[ending.chance for ending in outcome.endings] for outcome in found.outcomes]
        third = [Fraction(1, 3), Fraction(2, 3)]
        assert chances == [third, [Fraction(1, 2)] * 2, third]

    @pytest.mark.parametrize("seed", range(25))
    def test_each_outcome_is_what_playing_anywhere_in_its_span_comes_to(self, seed):
        """The same kinds of things happen, at the same odds, at places chosen by chance within each span."""
        dice = random.Random(seed)
        game = yard((dice.uniform(2, 14), dice.uniform(3, 6.5)), allowance=dice.choice([18, 16, 24]))
        for found in game.foresee(DRIVE).interruptions:
            for outcome in found.outcomes:
                assert sum(ending.chance for ending in outcome.endings) == 1
                for span in outcome.spans:
                    low, high = Fraction(span.low), Fraction(span.high)
                    for _ in range(4):
                        at = low + (high - low) * Fraction(dice.randrange(1, 1000), 1000)
                        self.assert_same(game, at if span.holds(at) else span.low, outcome)

    def assert_same(self, game, at, outcome):
        hits = {True: Fraction(0), False: Fraction(0)}
        for die in range(1, 7):
            happened = game.branch().do(DRIVE, [at, die])
            kinds = [(event.kind, event.unit) for event in happened.events if event.kind != "go begins"]
            is_hit = ("is hit", "A1") in kinds
            hits[is_hit] += Fraction(1, 6)
            (expected,) = [one for one in outcome.endings if bool(one.failed) != is_hit]
            seen = [(event.kind, event.unit) for event in expected.events if event.kind != "go begins"]
            assert seen == kinds, (at, die)
        assert sorted(hits.values()) == sorted(ending.chance for ending in outcome.endings)

    @pytest.mark.sampled("guns2")
    @pytest.mark.parametrize("guns", [[(10, 5)], [(10, 5), (4, 5)], [(10, 18)]])
    def test_every_sample_is_played(self, guns):
        assert assert_foreseen_is_played(yard(*guns), [DRIVE]) is not None

    def test_who_is_out_of_range_is_not_asked(self):
        foreseen = yard((10, 18)).foresee(DRIVE)
        assert foreseen.interruptions == ()

    def test_a_second_gun_has_its_own_spans(self):
        first, second = yard((10, 5), (4, 5)).foresee(DRIVE).interruptions
        assert (first.spans, second.spans) == ((Span(6, 14),), (Span(0, 8),))


class TestPictures:
    def test_the_page_tells_the_parts_of_the_leg(self):
        game = yard()
        game.do(DRIVE, [8, 6])
        page = replay_page(Story.of(game), reach="none")
        assert "from 6 to 14 inches along the leg" in page
        for place in ("8,2", "12,2"):
            assert f"goes to {place}" in page.replace("<b>", "").replace("</b>", "")
