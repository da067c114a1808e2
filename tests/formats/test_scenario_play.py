"""Playing scenarios: who answers, what is expected and told, logs and going on with them."""

import io
import os
import pickle
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from scenario_samples import CHECKERS, DUEL, RULESETS, with_lines

from simulator.engine.answers import Occasion, Person
from simulator.engine.errors import Diverged, LogRefused, MissingAnswer, WrongAnswer
from simulator.engine.log import parse_log, read_log, replay
from simulator.engine.questions import LET_PASS, React, Roll
from simulator.engine.values import Fields
from simulator.errors import FileError
from simulator.formats import expectations, so_far
from simulator.formats.account_text import account_data, account_text
from simulator.formats.scenario_answers import ByKind
from simulator.formats.scenario_values import exact, same, same_heading, understood
from simulator.formats.scenarios import parse_scenario
from simulator.geometry.poses import Pose

HEAD = DUEL[: DUEL.index("dice:")]


def parse(text):
    return parse_scenario(text, rulesets=RULESETS)


def run(text, **more):
    return parse(text).run(**more)


def failures(text, **more):
    return [f"{check.line}: {check}" for check in run(text, **more).failures]


def scene(body):
    """The two fighters, B1 beside A1, and some more of a file."""
    return with_lines(HEAD, ("at: [0, 0]", "at: [2, 0]")) + body


class TestTurns:
    def test_the_samples_come_out_as_they_say(self):
        assert failures(DUEL) == []
        assert failures(CHECKERS) == []

    def test_who_has_not_acted_is_done_when_the_next_turn_comes(self):
        account = run(DUEL)
        assert [(played.order, played.unsaid) for played in account.played if played.unsaid] == [
            ("all begin", True),
            ("all done", True),
        ]

    def test_the_last_turn_stays_open(self):
        assert run(f"{HEAD}turns:\n  - A1 walk: right 1\n").game.state.clock.turn == 1

    @pytest.mark.parametrize("expected", ["events: [{kind: step, count: %d}]", "units: {A1: {spent: %d}}"])
    def test_an_expectation_after_every_order_looks_at_each_event_once(self, monkeypatch, expected):
        looked = []
        cites, pay = expectations._cites, so_far.added
        monkeypatch.setattr(expectations, "_cites", lambda *given: looked.append(given) or cites(*given))
        monkeypatch.setattr(so_far, "added", lambda spent, lines: looked.extend(lines) or pay(spent, lines))
        counts = []
        for turns in (10, 20):
            looked.clear()
            step = "  - - {order: 'A1 walk: right 1', expect: {%s}}\n    - {order: 'A1 walk: left 1', expect: {%s}}\n"
            text = (
                HEAD
                + "turns:\n"
                + "".join(step % (expected % (2 * turn + 1), expected % (2 * turn + 2)) for turn in range(turns))
            )
            assert failures(text) == []
            counts.append(len(looked))
        assert 0 < counts[1] <= 2 * counts[0]

    def test_turns_can_be_passed_over(self):
        assert failures(f"{HEAD}turns: [[], [], []]\nexpect: {{clock: {{turn: 3}}}}\n") == []

    def test_an_order_that_comes_in_a_later_turn_is_told(self):
        turns = "turns:\n  - - A1 done\n    - B1 done\n    - A1 done\n"
        assert failures(HEAD + turns) == [
            "18: 'A1 done': expected played in turn 1, got turn 2: the orders before it have used up turn 1"
        ]

    def test_a_game_that_is_over_refuses_all_orders(self):
        text = with_lines(
            scene("dice: {policy: highest}\nanswers: {dodge: never}\nturns:\n"), ("shield: 1", "health: 1")
        )
        orders = "  - - A1 strike B1\n  - - A1 done\n"
        account = run(f"{text}{orders}expect: {{units: {{B1: gone}}, data: {{dead: [B1]}}}}\n")
        assert account.ok, [str(check) for check in account.failures]


class TestAnswers:
    def test_beside_the_order_in_turn_in_words(self):
        order = (
            "{order: 'A1 walk: left 1', answers: [Strike, 9, pass, 2, Shield], asked: [{what: dodge, answer: pass}]}"
        )
        assert failures(scene(f"turns:\n  - - {order}\nexpect: {{units: {{A1: {{health: 3}}}}}}\n")) == [
            "16: 'A1 walk: left 1': expected done, "
            "got A1: what is lost (DU-7): Shield is not a valid answer; possible: health"
        ]
        order = order.replace("Shield", "Health")
        assert failures(scene(f"turns:\n  - - {order}\nexpect: {{units: {{A1: {{health: 1}}}}}}\n")) == []

    def test_a_rule_that_names_a_unit_applies_where_it_can_be_chosen(self):
        units = frozenset({"ann", "eve", "gus"})
        rules = ByKind(Fields({"eve fire": "ann", "fire": "never"}), units)
        either, other = (React("fire", who="eve", options=options) for options in (("ann", "gus"), ("gus",)))
        game = parse(scene("turns: []\n")).start()
        moment = Occasion(game.ready_table("A1"), ())
        assert rules.answer(either, moment).value == "ann"
        assert rules.answer(other, moment).value is LET_PASS
        assert ByKind(Fields({"eve fire": "ann"}), units).answer(other, moment) is None
        # A name that no unit of the scenario has is a mistake: the question refuses it.
        found = ByKind(Fields({"eve fire": "anm", "fire": "never"}), units).answer(other, moment)
        with pytest.raises(WrongAnswer, match="anm"):
            other.check(found.value)

    def test_answers_that_nobody_asked_for(self):
        (told,) = failures(scene("turns:\n  - - {order: 'A1 walk: left 1', answers: [pass, 7]}\n"))
        assert told.endswith("has unused answers: 7; the questions were: B1: strike at 2,0 (DU-3)")

    def test_nobody_answers(self):
        (told,) = failures(scene("answers: {strike: always}\nturns:\n  - - A1 walk: left 1\n"))
        assert told == (
            "17: 'A1 walk: left 1': expected done, got nobody answers: B1: blow (DU-4); "
            "add answers to the order, or dice to the scenario"
        )

    def test_what_went_wrong_changes_nothing(self):
        account = run(scene("answers: {strike: always}\nturns:\n  - - A1 walk: left 1\n"))
        assert account.game.state == account.scenario.start().state
        assert isinstance(account.played[1].error, MissingAnswer)

    def test_the_nearer_rule_comes_first(self):
        rules = "{B1 strike: feint, strike: always, reactions: never}"
        text = scene(f"answers: {rules}\nturns:\n  - - order: 'A1 walk: left 1'\n      asked: [{{answer: feint}}]\n")
        assert failures(text) == []
        assert failures(text.replace("B1 strike: feint, ", "").replace("answer: feint", "answer: strike")) != []
        assert failures(text.replace("B1 strike: feint, strike: always", "x: y").replace("feint", "pass")) == []

    @pytest.mark.parametrize(("policy", "result"), [("lowest", 2), ("highest", 12), ("likeliest", 7)])
    def test_dice_by_rule(self, policy, result):
        body = "turns:\n  - - order: A1 strike B1\n      asked: [{what: blow, answer: RESULT}]\n".replace(
            "RESULT", str(result)
        )
        assert failures(scene(f"dice: {{policy: {policy}}}\nanswers: {{dodge: never}}\n{body}")) == []
        assert failures(scene(f"answers: {{rolls: {policy}, dodge: never}}\n{body}")) == []

    def test_one_kind_of_roll_by_its_result_and_the_rest_by_seed(self):
        body = "turns:\n  - - order: A1 strike B1\n      asked: [{what: blow, answer: 11}, {what: wound, count: 1}]\n"
        assert failures(scene(f"dice: {{seed: x}}\nanswers: {{dodge: never, blow: 11}}\n{body}")) == []

    def test_named_results(self):
        body = "turns:\n  - - order: A1 pray\n      answers: [Glows]\n      events: [{kind: prays, clause: DU-9}]\n"
        assert failures(scene(f"{body}expect: {{units: {{A1: {{nerve: 3}}}}}}\n")) == []

    def test_results_in_turn_and_what_is_left_of_them(self):
        body = "answers: {dodge: never}\nturns:\n  - - A1 strike B1\n"
        assert failures(scene(f"dice: {{results: [7, 1]}}\n{body}")) == []
        assert failures(scene(f"dice: {{results: [7, 1, 4, 5]}}\n{body}")) == ["15: dice left over: expected 0, got 2"]
        assert failures(scene(f"dice: {{results: [7, 1, 4]}}\n{body}expect: {{dice_left: 1}}\n")) == []
        told, _ = failures(scene(f"dice: {{results: [7]}}\n{body}"))
        assert "the dice script has 1 answer, all used; no answer is left for: B1: wound (DU-7)" in told
        assert failures(scene(f"dice: {{results: [7], seed: 3}}\n{body}")) == []

    def test_a_result_that_no_dice_can_show(self):
        told, _ = failures(scene("dice: {results: [13]}\nturns:\n  - - A1 strike B1\n"))
        assert "A1: blow (DU-4): 13 is not a valid answer; possible: 2, 3, 4" in told

    def test_a_person_is_asked_what_the_file_leaves_open(self):
        said, told, seen = io.StringIO("feint\n"), io.StringIO(), []
        account = run(
            scene("turns:\n  - - A1 walk: left 1\n"),
            person=Person(said, told),
            watch=lambda played: seen.append((played.order, played.happened and len(played.happened.record))),
        )
        assert account.ok
        assert [entry.answer.by for entry in account.played[1].happened.answered] == ["person"]
        assert seen == [("all begin", 4), ("A1 walk: left 1", 1), ("A1 walk: left 1", 3)]
        assert run(
            scene("answers: {strike: never}\nturns:\n  - - A1 walk: left 1\n"), person=Person(io.StringIO(), told)
        ).ok

    def test_a_person_who_has_left(self):
        (told,) = failures(scene("turns:\n  - - A1 walk: left 1\n"), person=Person(io.StringIO(), io.StringIO()))
        assert "the input ended without an answer to" in told


class TestExpectations:
    @pytest.mark.parametrize(
        ("expected", "told"),
        [
            ("units: {A1: {at: [0, 0]}}", "16: A1 at: expected 0,0, got 2,0"),
            ("units: {A1: {at: off}}", "16: A1 at: expected off, got 2,0"),
            ("units: {A1: gone}", "16: A1: expected gone, got still there"),
            ("units: {A1: {health: 2.5}}", "16: A1 health: expected 2.5, got 3"),
            ("units: {A1: {side: blue}}", "16: A1 side: expected blue, got red"),
            ("units: {A1: {type: knight}}", "16: A1 type: expected knight, got fighter"),
            ("units: {A1: {heading: north}}", "16: A1 heading: expected 90, got none"),
            ("units: {A1: {spent: 1}}", "16: A1 spent: expected 1, got 0"),
            ("units: {A1: {spent: {AP: 1/2}}}", "16: A1 spent: expected 0.5 AP, got 0"),
            ("clock: {turn: 2}", "16: clock turn: expected 2, got 1"),
            ("clock: {phase: flight}", "16: clock phase: expected flight, got round"),
            ("clock: {side: blue}", "16: clock side: expected blue, got red"),
            ("clock: {over: true}", "16: clock over: expected yes, got no"),
            ("data: {dead: [A1]}", "16: data dead: expected A1, got nothing"),
            ("events: [{kind: dies}]", "16: event 'dies': expected seen, got never"),
            (
                "events: [{clause: [DU-10, DU-7], count: 3}]",
                "16: event (DU-10, DU-7): expected 3 times, got 2 times",
            ),
            ("asked: [{who: A1}]", "16: question to A1: expected seen, got never"),
            (
                "legal: [B1 pray]",
                "16: 'B1 pray': expected legal, got refused: DU-1 in round it is the go of A1, not of B1",
            ),
            ("refused: [{order: A1 pray}]", "16: 'A1 pray': expected refused, got legal"),
            (
                "refused: [{order: B1 pray, clause: [DU-1, DU-9]}]",
                "16: 'B1 pray': expected refused by DU-1 and DU-9, "
                "got refused: DU-1 in round it is the go of A1, not of B1",
            ),
            ("dice_left: 2", "16: dice left over: expected 2, got 0"),
            (
                "reach: [{unit: A1, asking: {wings: 2}}]",
                "16: reach of A1: expected an answer, got wings: a reach of duel takes no such value; known: ap",
            ),
        ],
    )
    def test_what_is_not_met_says_what_was_instead(self, expected, told):
        assert failures(scene(f"expect:\n  {expected}\n")) == [told]

    def test_a_refusal_that_does_not_come(self):
        assert failures(scene("turns:\n  - - {order: A1 pray, refused: DU-1, answers: [glows]}\n")) == [
            "16: 'A1 pray': expected refused by DU-1, got done"
        ]

    def test_a_refusal_that_nobody_expected(self):
        (told,) = failures(scene("turns:\n  - - B1 pray\n"))
        assert told == "16: 'B1 pray': expected done, got refused: DU-1 in round it is the go of A1, not of B1"

    def test_the_price_of_an_order(self):
        text = scene("turns:\n  - - {order: 'A1 walk: left 2', answers: [pass], cost: COST}\n")
        for cost in ("2", "2.0", "4/2", "{AP: 2}"):
            assert failures(text.replace("COST", cost)) == []
        assert failures(text.replace("COST", "{AP: 2, nerve: 1}")) == ["16: its cost: expected 2 AP, 1 nerve, got 2 AP"]

    def test_reach(self):
        text = with_lines(CHECKERS, ("size: 1, includes: [[2, 5]], excludes: [[1, 6], [0, 6]]", "WANTED"))
        for wanted, told in (
            ("size: 2", "reach of w1, places: expected 2, got 1"),
            ("area: [1, 2]", "reach of w1, area: expected 1 to 2, got no area"),
            ("includes: [[0, 6]]", "reach of w1, 0,6: expected within reach, got out of reach"),
            ("includes: [{at: [0, 6], cost: 2}]", "reach of w1, 0,6: expected within reach for 2, got out of reach"),
            ("excludes: ['2,5']", "reach of w1, 2,5: expected out of reach, got within reach"),
        ):
            assert failures(text.replace("WANTED", wanted)) == [f"23: {told}"]

    def test_reach_with_costs_headings_and_area(self, monkeypatch):
        class Reach:
            area = Fraction(7, 2)

            def __contains__(self, place):
                return place == (2, 5)

            def __len__(self):
                return 1

            def cost_at(self, place):
                return None if Pose.of(place).heading == 90 else Fraction(3, 2)

        asked = {}

        def answered(table, unit, action, **more):
            asked.update(more)
            return Reach()

        monkeypatch.setattr(RULESETS["tiny"], "reach", answered)
        monkeypatch.setattr(RULESETS["tiny"], "reach_headings", True)
        wanted = "asking: {ap: 1.5}, area: [3, 4], includes: [{at: [2, 5], cost: 1.5}, {at: [2, 5], heading: WAY}]"
        text = with_lines(CHECKERS, ("size: 1, includes: [[2, 5]], excludes: [[1, 6], [0, 6]]", wanted))
        assert failures(text.replace("WAY", "0")) == []
        assert asked == {"ap": Fraction(3, 2)}
        assert failures(text.replace("WAY", "north")) == [
            "23: reach of w1, 2,5 facing 90: expected within reach, got out of reach"
        ]

    def test_a_unit_that_is_gone_has_nothing_left_to_compare(self):
        text = with_lines(CHECKERS, ("b1: gone", "b1: {at: [1, 6]}"))
        assert failures(text) == ["26: b1 at: expected 1,6, got b1 is gone"]

    def test_a_look_between_orders(self):
        order = "{order: 'A1 walk: left 1', answers: [pass], expect: {clock: {unit: A1}}}"
        body = f"turns:\n  - - expect: {{clock: {{unit: ''}}}}\n    - {order}\n"
        assert failures(scene(body)) == []


class TestValues:
    def test_equal_within_a_millionth(self):
        assert same(Fraction(1, 10), 0.1)
        assert same(exact("1/3"), Fraction(1, 3))
        assert not same(3, 3.00001)
        assert not same(1, True)
        assert not same(True, 1)
        assert same(exact([1, {"a": 2.5}]), (1.0, {"a": Fraction(5, 2)}))
        assert not same((1, 2), (1, 2, 3))
        assert not same({"a": 1}, {"b": 1})
        assert same_heading(-90, 270.0)

    def test_a_true_option_is_not_one(self):
        question = React("way", options=(1, True, "pass"))
        assert understood(question, True) is True
        assert understood(question, "pass") == "pass"
        assert understood(question, "3") == "3"
        assert understood(Roll("r", dice="D6"), "3") == 3


class TestLogs:
    def log_of(self, tmp_path, text=DUEL):
        path = tmp_path / "duel.jsonl"
        return path, run(text, log=path)

    def test_a_log_holds_its_board_and_replays(self, tmp_path):
        path, account = self.log_of(tmp_path)
        log = read_log(path)
        assert "board: squares" in log.header.board_file
        assert replay(log, account.scenario.setting, verify=True).state == account.game.state

    @pytest.mark.long
    def test_it_goes_on_after_a_cut_at_every_byte(self, tmp_path):
        text = with_lines(DUEL, ("seed: 7", "seed: 12"), ("dodge: never", "dodge: always"))
        text = text[: text.index("  - - order: A1")]
        path, account = self.log_of(tmp_path, text)
        whole, scenario = path.read_bytes(), parse(text)
        header = whole.index(b"\n") + 1
        for cut in range(header, len(whole) + 1):
            path.write_bytes(whole[:cut])
            again = scenario.run(log=path, resume=True)
            assert path.read_bytes() == whole, cut
            assert account_text(again) == account_text(account)
            assert bool(again.dropped) == bool(parse_log(whole[:cut]).dropped)
        for cut in (0, 1, header // 2, header - 1):
            path.write_bytes(whole[:cut])
            with pytest.raises(FileError, match="the header is incomplete"):
                scenario.run(log=path, resume=True)

    def test_what_a_person_said_is_in_the_log(self, tmp_path):
        path, text = tmp_path / "duel.jsonl", scene("turns:\n  - - A1 walk: left 1\n  - - A1 walk: left 1\n")
        run(text, log=path, person=Person(io.StringIO("feint\n"), io.StringIO()))
        whole = path.read_bytes()
        account = run(text, log=path, resume=True)
        assert [entry.answer.value for entry in account.played[1].happened.answered] == ["feint"]
        assert path.read_bytes() == whole

    @pytest.mark.parametrize(
        ("old", "new", "reason"),
        [
            ("seed: 7", "seed: 8", "its seed is 7, not 8"),
            ("lunges: true", "lunges: false", "its option lunges is true, not false"),
            ("ap.each_turn: 4", "ap.each_turn: 5", "its figure ap.each_turn is 4, not 5"),
            ("nerve: 2", "nerve: 3", "its opening position differs"),
            (". . , .", ". , . .", "its board is 'Row'"),
        ],
    )
    def test_of_another_table_it_is_refused(self, tmp_path, old, new, reason):
        path, _ = self.log_of(tmp_path)
        with pytest.raises(LogRefused, match=reason):
            run(with_lines(DUEL, (old, new)), log=path, resume=True)

    def test_of_other_orders_it_is_refused(self, tmp_path):
        path, _ = self.log_of(tmp_path)
        whole = path.read_bytes()
        with pytest.raises(Diverged, match="differs from the log at line 8"):
            run(with_lines(DUEL, ("A1 walk: right 2", "A1 walk: right 1")), log=path, resume=True)
        with pytest.raises(LogRefused, match="it continues with 'all done', but the scenario does not"):
            run(DUEL[: DUEL.index("  - - order: A1")], log=path, resume=True)
        assert path.read_bytes() == whole


class TestTelling:
    def test_it_is_the_same_text_every_time(self):
        assert str(run(DUEL)) == account_text(run(DUEL))
        assert pickle.dumps(account_data(run(DUEL))) == pickle.dumps(account_data(run(DUEL)))

    def test_refusals_give_all_reasons_and_rolls_their_odds(self):
        text = account_text(run(DUEL))
        assert "  B1 strike A1 with 9  -- refused\n    DU-1   not enough AP\n" in text
        assert "2D6 [1 2], chance 13/18 (72.2%): 3, needs 6 or more: failed  -- dice" in text
        assert "A1 step at 2,0: 1.5 AP (DU-2)  -- 2.5 AP so far" in text
        assert "strike or feint? strike  -- policy" in text
        assert "planned: left 1" in text

    def test_a_failure_names_its_line(self):
        text = account_text(run(scene("expect: {clock: {turn: 2}}\n")))
        assert "FAIL  clock turn: expected 2, got 1 (line 15)" in text
        assert "0 of 1 expectations met, 1 not" in text

    def test_no_name_can_steer_a_terminal(self):
        name = '"red \\e[31m\\u202e"'
        text = account_text(run(with_lines(DUEL, ("The gate", name), ("name: Row", f"name: {name}"))))
        assert all(char.isprintable() or char == "\n" for char in text)
        assert "red \\x1b[31m\\u202e" in text


HASHES = """
import sys
sys.path[:0] = sys.argv[1:2]
from scenario_samples import CHECKERS, DUEL, RULESETS
from joblib import Parallel, delayed
from simulator.formats.scenarios import parse_scenario
from simulator.formats import expectations, so_far
from simulator.formats.account_text import account_text

def told(text, path):
    account = parse_scenario(text, rulesets=RULESETS).run(log=path)
    return account_text(account) + open(path).read()

if __name__ == "__main__":
    pairs = [(text, f"{sys.argv[2]}/{number}") for number, text in enumerate((DUEL, CHECKERS))]
    for found in Parallel(n_jobs=int(sys.argv[3]))(delayed(told)(*pair) for pair in pairs):
        print(found)
"""


# Long: whole games in processes of their own; test_log has the same for a short one.
@pytest.mark.long
def test_hash_seeds_change_nothing(tmp_path):
    """Accounts and logs under three hash seeds, in one process and in workers, are the same byte for byte."""
    found = set()
    program = tmp_path / "told.py"
    program.write_text(HASHES)
    for seed, workers in (("0", "1"), ("1", "2"), ("2", "1")):
        words = [sys.executable, str(program), str(Path(__file__).parent), str(tmp_path), workers]
        search = os.pathsep.join((str(Path(__file__).parents[2]), str(Path(__file__).parent)))
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": search}
        found.add(subprocess.run(words, capture_output=True, text=True, check=True, env=environment).stdout)
    assert len(found) == 1
    assert "13/18" in found.pop()


class TestChainsExpected:
    """`then` under a reach: the links of a chain behind its action."""

    CHASE = Path(__file__).resolve().parents[2] / "scenarios/grid_runner/market_chase.yaml"

    def text(self, reach):
        head = self.CHASE.read_text().split("turns:")[0]
        return head + f"turns:\n  - - {{expect: {{reach: [{reach}]}}}}\n"

    def test_the_chain_is_asked(self):
        reach = "{unit: kit, action: 'move to 7,6 or 8,8', then: [all done, move], includes: [{at: [9, 6], cost: 4}]}"
        played = parse_scenario(self.text(reach), folder=self.CHASE.parent).run()
        assert played.ok, str(played)
        played = parse_scenario(self.text(reach.replace("cost: 4", "cost: 3")), folder=self.CHASE.parent).run()
        assert "reach of kit move to 7,6 or 8,8, then all done, then move" in str(played)

    def test_what_can_not_be_meant_is_a_fault_of_the_file(self):
        with pytest.raises(FileError, match="then: 'fly' is neither an order"):
            parse_scenario(self.text("{unit: kit, action: move, then: [fly]}"), folder=self.CHASE.parent)
