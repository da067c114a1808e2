"""What may be asked next is worked out while nobody asks, and changes no answer."""

import json

import pytest

from simulator.live import workers
from simulator.live.ahead import Ahead
from simulator.live.answering import Answering
from simulator.live.moments import Moments
from simulator.live.questions import MOST_AHEAD, Answers, AskKnown, AskReach, AtMoment
from simulator.pathing.posed import drawn_reach
from simulator.pathing.weighted.planners import KNOWN
from tests.live.conftest import SCENARIOS

#: For each rulebook a scenario, and units whose go it is when that begins.
GOING = {
    "market_chase": ["kit"],
    "alley_turn": ["ann"],
    "over_the_wall": ["ana"],
    "two_guards": ["fox", "left"],
    "main_street": ["carrier"],
}


@pytest.fixture(autouse=True)
def nothing_is_known(monkeypatch):
    monkeypatch.setattr(KNOWN, "most_bytes", 64 * 2**20)
    KNOWN.clear()
    yield
    KNOWN.clear()


def looked(answers, moment):
    """Look ahead from a moment to the end; the number of steps."""
    ahead = Ahead(answers)
    ahead.turn_to(moment)
    steps = 0
    while ahead.go_on():
        steps += 1
    return steps


@pytest.mark.parametrize(("name", "units"), GOING.items())
def test_who_may_go_is_known_before_anybody_asks(name, units, monkeypatch):
    answers, fresh = Answers(SCENARIOS, Moments()), Answers(SCENARIOS, Moments())
    assert set(units) <= set(answers.moment(AtMoment(scenario=name))["may_go"])
    assert looked(answers, AtMoment(scenario=name)) > len(units)
    drawings = []
    monkeypatch.setattr(drawn_reach, "draw", lambda *args: drawings.append(args))
    found = [answers.reach(AskReach(scenario=name, unit=unit)) for unit in units]
    known = [answers.known(AskKnown(scenario=name, unit=unit, within=0)) for unit in units]
    assert all(one["is_whole"] for one in known)
    assert not drawings
    monkeypatch.undo()
    KNOWN.clear()
    assert found == [fresh.reach(AskReach(scenario=name, unit=unit)) for unit in units]


@pytest.mark.parametrize("steps", [0, 1, 3, 6])
def test_who_asks_meanwhile_is_answered_the_same(steps):
    fresh = Answers(SCENARIOS, Moments())
    asked = AskReach(scenario="two_guards", unit="fox")
    expected = fresh.reach(asked)
    KNOWN.clear()
    answers = Answers(SCENARIOS, Moments())
    ahead = Ahead(answers)
    ahead.turn_to(AtMoment(scenario="two_guards"))
    for _ in range(steps):
        assert ahead.go_on()
    part = answers.known(AskKnown(scenario="two_guards", unit="fox", within=0))
    assert part["unit"] == "fox"
    assert answers.reach(asked) == expected
    while ahead.go_on():
        pass
    assert answers.reach(asked) == expected


def test_a_new_moment_takes_the_place_of_the_one_before():
    answers = Answers(SCENARIOS, Moments())
    ahead = Ahead(answers)
    ahead.turn_to(AtMoment(scenario="market_chase"))
    assert ahead.go_on()
    begun = ahead._steps
    # Another question about the same moment leaves it at that.
    ahead.turn_to(AskReach(scenario="market_chase", unit="kit"))
    assert ahead._steps is begun
    ahead.turn_to(AtMoment(scenario="alley_turn"))
    assert ahead._steps is not begun
    assert ahead.go_on()


def test_nothing_is_looked_for_while_a_question_is_open():
    answers = Answers(SCENARIOS, Moments())
    steps = answers.script(AtMoment(scenario="vault_corridor"))["steps"]
    open_ = next(
        count
        for count in range(len(steps))
        if answers.moment(AtMoment(scenario="vault_corridor", steps=steps[:count]))["question"]
    )
    assert looked(answers, AtMoment(scenario="vault_corridor", steps=steps[:open_])) == 0


def test_no_more_units_are_looked_at_than_are_kept():
    answers = Answers(SCENARIOS, Moments())
    looked(answers, AtMoment(scenario="battle_at_the_depot"))
    assert 0 < len(answers._known) <= MOST_AHEAD


def test_a_fault_of_ours_is_printed_and_ends_it(monkeypatch, capsys):
    answers = Answers(SCENARIOS, Moments())

    def broken(ask):
        yield ask
        raise ZeroDivisionError("a made-up fault")

    monkeypatch.setattr(answers, "ahead", broken)
    ahead = Ahead(answers)
    ahead.turn_to(AtMoment(scenario="market_chase"))
    assert [ahead.go_on() for _ in range(3)] == [True, False, False]
    assert "a made-up fault" in capsys.readouterr().err


class Pipe:
    """A pipe on which questions arrive after so many looks each."""

    def __init__(self, *questions):
        self.questions, self.sent, self.looks, self.waited = list(questions), [], 0, []

    def poll(self, timeout):
        if not self.questions:
            return True
        self.looks += 1
        self.waited.append(timeout)
        return self.looks > self.questions[0][0]

    def recv(self):
        if not self.questions:
            raise EOFError
        self.looks = 0
        _, question, body = self.questions.pop(0)
        return question, json.dumps(body).encode()

    def send(self, reply):
        self.sent.append(reply)


@pytest.mark.parametrize("is_wanted", [True, False])
def test_a_process_looks_ahead_until_the_next_question(monkeypatch, is_wanted):
    done = []

    class Counted(Answering):
        def look_ahead(self):
            done.append(super().look_ahead())
            return done[-1]

    monkeypatch.setattr("simulator.live.answering.Answering", Counted)
    moment = {"scenario": "market_chase"}
    pipe = Pipe((0, "moment", moment), (2, "reach", {**moment, "unit": "kit"}), (0, "nonsense", {}))
    workers.work(SCENARIOS, pipe, ahead=is_wanted)
    assert [status for status, _ in pipe.sent] == [200, 200, 404]
    assert done == ([True, True] if is_wanted else [])
    # A page that asks on at once does not wait for a step.
    first, *later = pipe.waited[1:4] or [1.0]
    assert first > 0.0
    assert later == ([0.0, 0.0] if is_wanted else [])
