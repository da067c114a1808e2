"""JSON-RPC 2.0 as its standard has it, and whatever else comes: documented answers only, and the engine lives."""

import io
import json
import random
import tracemalloc

import pytest
from asked_engine import ROOT, Asked, Refusal, checked

from simulator.protocol import messages, refusals
from simulator.protocol.messages import MOST_BYTES, MOST_IN_BATCH, MOST_NESTING, answer_line, lines_of
from simulator.protocol.methods import METHODS
from simulator.protocol.server import guarded, serve
from simulator.protocol.sessions import Sessions

CODES = {
    value for module in (messages, refusals) for value in vars(module).values() if isinstance(value, int) and value < 0
}


def echoed(method, params):
    return [method, dict(params)]


def told(line):
    found = answer_line(line if isinstance(line, bytes) else line.encode(), echoed)
    return None if found is None else json.loads(found)


def call(**more):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "m", **more})


class TestOneMessage:
    @pytest.mark.parametrize("number", [1, -3, 2.5, "a", "", None])
    def test_the_answer_has_the_id_of_its_request(self, number):
        assert told(call(id=number)) == {"jsonrpc": "2.0", "id": number, "result": ["m", {}]}

    def test_a_notification_is_not_answered(self):
        assert told('{"jsonrpc": "2.0", "method": "m"}') is None

    def test_no_error_of_a_notification_is_answered(self, asked):
        assert asked.line('{"jsonrpc": "2.0", "method": "none"}') is None
        assert asked.line('{"jsonrpc": "2.0", "method": "state", "params": {"game": "g9"}}') is None

    @pytest.mark.parametrize("params", [{"a": 1}, {}, []])
    def test_parameters_by_name(self, params):
        assert told(call(params=params))["result"] == ["m", dict(params)]

    @pytest.mark.parametrize(
        ("line", "code", "number"),
        [
            (b"\xff\xfe", -32700, None),
            (b'{"jsonrpc": "2.0", "id": "\xff"}', -32700, None),
            ("{", -32700, None),
            ("nonsense", -32700, None),
            ('{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "m"}', -32700, None),
            (call(params={"x": 0}).replace("0}", "NaN}"), -32700, None),
            (call(params={"x": 0}).replace("0}", "-Infinity}"), -32700, None),
            (call(params={"x": 0}).replace("0}", "9" * 5000 + "}"), -32700, None),
            (call(id=0).replace('"id": 0', '"id": 1e999'), -32700, None),
            (call(id="x").replace('"x"', '"\\ud800"'), -32700, None),
            ("[" * 5000 + "]" * 5000, -32700, None),
            ("[" * (MOST_NESTING + 2) + "]" * (MOST_NESTING + 2), -32700, None),
            ("3", -32600, None),
            ("[]", -32600, None),
            ("null", -32600, None),
            ('{"id": 7, "method": "m"}', -32600, 7),
            (call(jsonrpc="1.0"), -32600, 1),
            (call(method=5), -32600, 1),
            (call(id=[1]), -32600, None),
            (call(id=True), -32600, None),
            (call(params=4), -32600, 1),
            (call(more=4), -32600, 1),
            (call(params=[1]), -32602, 1),
        ],
    )
    def test_what_is_no_request(self, line, code, number):
        found = told(line)
        assert (found["id"], found["error"]["code"]) == (number, code)
        assert found["error"]["message"]


class TestBatches:
    def test_each_is_answered_in_turn_and_notifications_are_not(self):
        found = told(f'[{call(id=1)}, 3, {{"jsonrpc": "2.0", "method": "m"}}, {call(id=2)}]')
        assert [one["id"] for one in found] == [1, None, 2]
        assert found[1]["error"]["code"] == -32600

    def test_notifications_alone(self):
        assert told('[{"jsonrpc": "2.0", "method": "m"}]') is None

    def test_too_many(self):
        assert told(f"[{','.join([call()] * (MOST_IN_BATCH + 1))}]")["error"]["code"] == -32600
        assert len(told(f"[{','.join([call()] * MOST_IN_BATCH)}]")) == MOST_IN_BATCH


class TestLines:
    def test_blank_lines_are_passed_over(self):
        assert list(lines_of(io.BytesIO(b"\n  \n1\r\n\n2"))) == [b"1\r\n", b"2"]

    def test_a_line_that_is_too_long_is_skipped(self):
        longest = b" " * (MOST_BYTES - 1) + b"1"
        found = list(
            lines_of(io.BytesIO(longest + b"\n" + longest + b"1" * MOST_BYTES * 2 + b"\n3\n" + longest + b"22"))
        )
        assert found == [longest + b"\n", None, b"3\n", None]
        assert json.loads(answer_line(None, echoed))["error"]["code"] == -32700

    def test_every_line_is_answered_by_one(self, tmp_path):
        coming = f"{call(method='version')}\n\nnonsense\n{call(id=2, method='schema')}"
        going = io.BytesIO()
        serve(tmp_path, io.BytesIO(coming.encode()), going)
        assert [json.loads(line)["id"] for line in going.getvalue().splitlines()] == [1, None, 2]


def test_a_fault_of_ours_is_an_answer(capsys):
    def broken(method, params):
        raise ZeroDivisionError

    found = json.loads(answer_line(call().encode(), guarded(broken)))
    assert found["error"]["code"] == -32603
    assert "ZeroDivisionError" in capsys.readouterr().err


# --- whatever comes ---

ORDERS = ("kit move: e", "kit move: e 30", "kit: n", "kit done", "lou done", "kit fly")
WORDS = (*ORDERS, "g1", "g2", "kit", "9,8", "20,8", "", "?", "log", "scenario", "all", "\0", "é", "a/b")
NAMES = ("game", "unit", "order", "answer", "answers", "to", "with", "action", "most", "name", "as", "scenario", "text")
START = {"scenario": "scenarios/grid_runner/market_chase.yaml", "seed": 7}


def some_value(chance, deep=0):
    kinds = [
        lambda: chance.choice(WORDS),
        lambda: chance.choice([0, 1, -1, 2**70, 0.5, 1e300, True, None]),
        lambda: [some_value(chance, deep + 1) for _ in range(chance.randrange(3))],
        lambda: {chance.choice(NAMES): some_value(chance, deep + 1) for _ in range(chance.randrange(3))},
    ]
    return chance.choice(kinds[:2] if deep > 3 else kinds)()


def some_line(chance):
    """A request with parameters that are mostly right; or one with bytes changed."""
    method = chance.choice([*METHODS, "nothing", "do", "do", "do"])
    known = METHODS[method][0].model_fields if method in METHODS else {}
    right = {"game": "g1", "unit": "kit", "order": chance.choice(ORDERS), "to": "9,8", "most": 2, "answer": 3}
    params = {}
    for name in (field.alias or name for name, field in known.items()):
        if name in right and chance.random() < 0.9:
            params[name] = right[name]
        elif chance.random() < 0.3:
            params[name] = some_value(chance)
    if chance.random() < 0.1:
        params[chance.choice(NAMES)] = some_value(chance)
    message = {"jsonrpc": "2.0", "id": chance.randrange(9), "method": method, "params": params}
    if chance.random() < 0.1:
        message = [message, some_value(chance)]
    line = bytearray(json.dumps(message).encode())
    for _ in range(chance.choice([0, 0, 0, 1, 3])):
        line[chance.randrange(len(line))] = chance.randrange(256)
    return bytes(line).replace(b"\n", b" ")


def codes_in(line, answers):
    """The codes of the errors among the answers to a line; results are checked by their models."""
    if answers is None:
        return
    if isinstance(answers, list):
        pairs = [(None, one) for one in answers if "error" in one]
    else:
        pairs = [(None if "error" in answers else json.loads(line)["method"], answers)]
    for method, answer in pairs:
        try:
            checked(method, answer)
        except Refusal as refusal:
            yield refusal.code


def test_whatever_comes_is_answered_as_documented(tmp_path):
    chance, seen, before = random.Random(5), set(), 0
    for name in ("boards/market_square.yaml", START["scenario"]):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    asked = Asked(tmp_path)
    first = asked("new", **START)["game"]
    game = asked.engine.sessions[first]
    for number in range(500):
        line = some_line(chance)
        codes = set(codes_in(line, asked.line(line)))
        assert codes <= CODES - {messages.INTERNAL_ERROR}, line
        seen |= codes
        # The first game is there each time, and no other.
        asked.engine.sessions = Sessions({first: game}, number + 1)
        if number == 299:
            tracemalloc.start()
            before = tracemalloc.get_traced_memory()[0]
    assert tracemalloc.get_traced_memory()[0] - before < 20_000_000
    tracemalloc.stop()
    assert seen >= {-32700, -32600, -32601, -32602, refusals.REFUSED, refusals.ILLEGAL_ORDER, refusals.UNREADABLE_ORDER}
    assert asked("version")["protocol"] == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["boards", "scenarios"]
