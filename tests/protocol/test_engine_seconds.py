"""A question with a limit of seconds: it is given up when they are over, and nothing of it changes later answers."""

import json
import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from asked_engine import ROOT, Asked, Refusal
from test_engine_client import Client

from simulator import copies
from simulator.protocol import limited, methods
from simulator.protocol.params import PlaceParams

CROSSING = "scenarios/mecha/at_the_crossing.yaml"
TABLE = """
format: 1
ruleset: {ruleset}
name: A small field
board:
  board: table
  size: [16, 12]
  pieces:
    - {{id: hut, kind: obstacle, layer: obstacle, rectangle: {{centre: [9, 6], size: [2, 2]}}, height: 2}}
units:
{units}
"""
SQUARES = (ROOT / "scenarios/grid_runner/vault_corridor.yaml", "vix", "2,1")
SKIRMISH = (
    TABLE.format(ruleset="skirmish", units="  ash: {type: soldier, side: red, at: [3, 3]}"),
    *("ash", "5,4"),
)
PATIENCE = 120


def refused(asked, method, **params):
    with pytest.raises(Refusal) as caught:
        asked(method, **params)
    return caught.value


def questions(game, unit, place):
    """Every question that can be limited."""
    about = {"game": game, "unit": unit}
    return [
        ("legal", {"game": game, "most": 20}),
        ("reach", about),
        ("reach", {**about, "to": place}),
        ("path", {**about, "to": place}),
        ("why_not", {**about, "to": place}),
    ]


def begun(asked, scenario):
    how = {"text": scenario} if isinstance(scenario, str) else {"scenario": str(scenario.relative_to(ROOT))}
    return asked("new", seed=7, ask="nothing", **how)["game"]


def no_process_is_left():
    """Whether no copy is at work, or waits to be taken note of; what looks after the memory of others may be there."""
    with suppress(ChildProcessError):
        assert os.waitpid(-1, os.WNOHANG) == (0, 0)
    return not copies._at_work


@pytest.fixture
def for_ever(monkeypatch):
    """The method `path` never answers."""

    def path(engine, ask):
        while True:
            try:
                sum(range(1000))
            except Exception:
                raise AssertionError("it is stopped by no exception") from None

    monkeypatch.setitem(methods.METHODS, "path", (PlaceParams, path))


class TestInTime:
    @pytest.mark.sampled("squares")
    @pytest.mark.parametrize(
        ("scenario", "unit", "place"),
        [SQUARES, SKIRMISH],
        ids=["squares", "table"],
    )
    def test_the_answer_is_the_one_without_a_limit(self, asked, scenario, unit, place):
        game = begun(asked, scenario)
        for method, params in questions(game, unit, place):
            assert asked(method, **params, seconds=600) == asked(method, **params)
        assert no_process_is_left()

    def test_what_is_refused_is_refused_in_the_same_words(self, asked, market):
        for method, params in (
            ("reach", {"unit": "nobody"}),
            ("reach", {"unit": "kit", "action": "fly"}),
            ("path", {"unit": "kit", "to": "99,99"}),
            ("legal", {"unit": "nobody"}),
        ):
            told = [refused(asked, method, game=market, **params, **more) for more in ({}, {"seconds": 600})]
            assert (str(told[0]), told[0].code, told[0].data) == (str(told[1]), told[1].code, told[1].data)
        assert refused(asked, "reach", game="g9", unit="kit", seconds=600).code == -32006

    def test_a_fault_of_ours_is_still_an_answer(self, asked, market, monkeypatch, capfd):
        def faulty(engine, ask):
            raise ZeroDivisionError("no plan at all")

        monkeypatch.setitem(methods.METHODS, "path", (PlaceParams, faulty))
        found = refused(asked, "path", game=market, unit="kit", to="9,8", seconds=600)
        assert (found.code, str(found)) == (-32603, "an internal error (ZeroDivisionError), reported on stderr")
        assert "no plan at all" in capfd.readouterr().err

    def test_an_answer_that_is_long_comes_whole(self, asked, market, monkeypatch):
        long = {"text": "x" * 3_000_000, "number": 0.1 + 0.2, "list": [1, None, True]}
        monkeypatch.setitem(methods.METHODS, "path", (PlaceParams, lambda *_: long))
        line = {"jsonrpc": "2.0", "id": 1, "method": "path"}
        params = {"game": market, "unit": "kit", "to": "9,8", "seconds": 600}
        assert asked.line(json.dumps({**line, "params": params}))["result"] == long


class TestTimeIsUp:
    def test_the_error_says_so_and_the_session_goes_on(self, asked, market, for_ever):
        before = asked("reach", game=market, unit="kit")
        found = refused(asked, "path", game=market, unit="kit", to="9,8", seconds=0.05)
        assert (found.code, str(found)) == (-32009, "the question was not answered within 0.05 s")
        assert found.data == {"seconds": 0.05}
        assert asked("reach", game=market, unit="kit") == before
        assert asked("do", game=market, order="kit: n 3")["done"]
        assert no_process_is_left()

    def test_in_a_batch_only_that_question_fails(self, asked, market, for_ever):
        def call(number, method, **params):
            return {"jsonrpc": "2.0", "id": number, "method": method, "params": {"game": market, **params}}

        stuck = call(2, "path", unit="kit", to="9,8", seconds=0.05)
        told = asked.line(json.dumps([call(1, "state"), stuck, call(3, "state")]))
        assert [one["id"] for one in told] == [1, 2, 3]
        assert told[0]["result"] == told[2]["result"]
        assert told[1]["error"]["code"] == -32009

    def test_a_copy_that_dies_is_a_fault_of_ours(self, asked, market, monkeypatch):
        def dies(engine, ask):
            os.kill(os.getpid(), signal.SIGKILL)

        monkeypatch.setitem(methods.METHODS, "path", (PlaceParams, dies))
        found = refused(asked, "path", game=market, unit="kit", to="9,8", seconds=600)
        assert found.code == -32603
        assert "ended unexpectedly" in str(found)
        assert asked("state", game=market)["over"] is False

    @pytest.mark.sampled("squares")
    @pytest.mark.parametrize(
        ("scenario", "unit", "place", "orders"),
        [
            (*SQUARES, ["vix done"]),
            (*SKIRMISH, ["ash move: to 4,3"]),
        ],
        ids=["squares", "table"],
    )
    def test_questions_stopped_after_any_number_of_lines_change_no_later_answer(
        self, asked, monkeypatch, scenario, unit, place, orders
    ):
        """The copy ends where it is, as if its time were over there; later answers are those of a fresh engine."""
        rng, told = random.Random(5), limited._told

        def stopped(answer):
            left = rng_lines

            def trace(frame, event, arg):
                nonlocal left
                left -= event == "line"
                if left <= 0:
                    os._exit(0)
                return trace

            sys.settrace(trace)
            return told(answer)

        monkeypatch.setattr(limited, "_told", stopped)
        fresh, ended = Asked(ROOT), 0
        game, other = begun(asked, scenario), begun(fresh, scenario)
        for order in [None, *orders]:
            if order is not None:
                assert asked("do", game=game, order=order) == fresh("do", game=other, order=order)
            for method, params in questions(game, unit, place):
                for most in (10, 1_000, 30_000):
                    rng_lines = rng.randrange(1, most)
                    try:
                        asked(method, **params, seconds=600)
                    except Refusal as refusal:
                        assert refusal.code == -32603
                        ended += 1
                assert asked(method, **params) == fresh(method, **{**params, "game": other})
        assert ended > 10


class TestLimitedNonsense:
    @pytest.mark.parametrize("seconds", [0, -1, 600.5, "1", True, [1], {}])
    def test_no_number_of_seconds(self, asked, market, seconds):
        found = refused(asked, "reach", game=market, unit="kit", seconds=seconds)
        assert found.code == -32602
        assert "seconds" in str(found)

    def test_only_one_deadline(self, asked, market):
        found = refused(asked, "reach", game=market, unit="kit", seconds=1, within=1)
        assert (found.code, "either within" in str(found)) == (-32602, True)

    @pytest.mark.parametrize("method", ["do", "state", "to_move", "save"])
    def test_what_is_no_question_has_no_limit(self, asked, market, method):
        more = {"order": "kit: n 1"} if method == "do" else {}
        assert refused(asked, method, game=market, **more, seconds=1).code == -32602

    def test_a_system_without_copies_says_so(self, asked, market, monkeypatch):
        monkeypatch.delattr(os, "fork")
        found = refused(asked, "reach", game=market, unit="kit", seconds=1)
        assert (found.code, "ask without them" in str(found)) == (-32007, True)


def children_of(process):
    return Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()


def waited_for(condition):
    until = time.monotonic() + PATIENCE
    while not (found := condition()) and time.monotonic() < until:
        time.sleep(0.02)
    return found


class TestTheProcess:
    @pytest.fixture
    def bot(self):
        bot = Client()
        yield bot
        bot.process.kill()
        bot.process.wait()
        for pipe in (bot.process.stdin, bot.process.stdout):
            pipe.close()

    def test_it_gives_up_and_goes_on(self, bot):
        game = bot("new", scenario=CROSSING)["game"]
        state = bot("state", game=game)
        for seconds in (0.001, 0.05):
            assert refused(bot, "reach", game=game, unit="lance", seconds=seconds).code == -32009
        assert bot("state", game=game) == state
        why = {"game": game, "unit": "lance", "to": "12,24"}
        assert bot("why_not", **why, seconds=600) == bot("why_not", **why)
        assert bot.end() == (0, b"")

    @pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes as Linux lists them")
    @pytest.mark.parametrize(("how", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
    def test_when_it_ends_its_copy_ends(self, bot, how, code):
        game = bot("new", scenario=CROSSING)["game"]
        params = {"game": game, "unit": "lance", "seconds": 600}
        bot.send(json.dumps({"jsonrpc": "2.0", "id": 9, "method": "reach", "params": params}).encode())
        (copy,) = waited_for(lambda: children_of(bot.process))
        bot.process.send_signal(how)
        assert bot.process.wait(PATIENCE) == code
        state = Path(f"/proc/{copy}/stat")
        assert waited_for(lambda: not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z")
