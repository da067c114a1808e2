"""The log: written whole, read back from any cut, damage found, replays verified."""

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import duel_ruleset
import pytest
import tiny_ruleset

from simulator.engine.answers import DiceBag, InTurn, Policy, Script
from simulator.engine.errors import Diverged, LeftoverAnswers, LogRefused
from simulator.engine.game import Game
from simulator.engine.log import (
    Header,
    LogWriter,
    begin_logged,
    parse_log,
    read_log,
    replay,
    resume,
)
from simulator.engine.log_lines import MAX_NESTING, EventLine, fitting, read_line, written_line
from simulator.engine.state import State
from simulator.engine.table import Setting
from simulator.errors import FileError
from simulator.geometry.squares import SquareGrid

ORDERS = ["A1 walk: right 2", "B1 strike A1 with 2", "A2 strike B2", "B2 pray to joan", "A2 walk to 5,0", "red done"]
SEED = 11


def start(row, fighters):
    setting = Setting.of(duel_ruleset.RULESET, row, {"lunges": True}, {"ap.each_turn": 4})
    return setting, State.of(fighters, setting.ruleset.data(setting))


@pytest.fixture
def everybody():
    return InTurn([Policy(reactions="always", choices="first"), DiceBag.of(SEED)])


@pytest.fixture
def played(tmp_path, row, fighters, everybody):
    """A finished game and its log: orders, questions, one order taken back."""
    setting, state = start(row, fighters)
    path = tmp_path / "duel.jsonl"
    game = Game(setting, state, everybody)
    with begin_logged(game, path, SEED):
        for order in ORDERS:
            game.do(order)
        game.undo()
        game.do("A2 done")
    return game, path


class TestWriting:
    def test_every_line_is_json_with_its_number_and_check_sum(self, played):
        lines = played[1].read_bytes().splitlines()
        entries = [json.loads(line) for line in lines]
        assert [entry["n"] for entry in entries] == list(range(1, len(lines) + 1))
        assert all(re.fullmatch("[0-9a-f]{8}", entry["crc"]) for entry in entries)
        assert entries[0]["ruleset"] == "duel"
        assert entries[0]["seed"] == SEED
        assert [entry["order"] for entry in entries if "order" in entry][:3] == ["all begin", *ORDERS[:2]]
        assert [entry["given"] for entry in entries if "given" in entry] == ["A2 walk to 5,0"]
        assert [entry["undo"] for entry in entries if "undo" in entry] == ["red done"]

    def test_dice_show_their_faces(self, played):
        rolls = [entry for entry in map(json.loads, played[1].read_text().splitlines()) if entry.get("faces")]
        assert len(rolls) >= 3
        assert all(sum(entry["faces"]) == entry["answer"] for entry in rolls)
        assert {entry["by"] for entry in rolls} == {"dice"}

    def test_an_order_that_stops_at_a_question_is_not_in_the_log_yet(self, tmp_path, row, fighters):
        setting, state = start(row, fighters)
        path = tmp_path / "log"
        log = LogWriter.create(path, Header.of(setting, state))
        game = Game(setting, state, None, log)
        game.do("all begin")
        size = path.stat().st_size
        game.do("A1 walk: right 2")
        game.do("B1 strike A1")
        between = path.stat().st_size
        assert between > size
        game.answer(12)
        game.answer(None, 2)
        assert path.stat().st_size == between
        game.answer("health")
        assert path.stat().st_size > between
        game.undo()
        game.undo()
        game.undo()
        log.close()
        assert [order.text for order in read_log(path).orders] == ["all begin", "A1 walk: right 2"]
        assert replay(read_log(path), setting, verify=True).state == game.state.put(pending=None)

    def test_what_can_not_be_written_did_not_happen(self, played):
        game, path = played
        before, data = game.state, path.read_bytes()
        with pytest.raises(ValueError, match="closed"):
            game.do("B1 pray")
        assert (game.state, path.read_bytes()) == (before, data)

    def test_a_disk_that_is_full_leaves_whole_orders(self, played, everybody, monkeypatch):
        game, path = played
        game, _ = resume(path, game.setting, everybody)
        before, data, write = game.state, path.read_bytes(), os.write

        def full(handle, new):
            if len(new) < 40:
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(handle, new[: len(new) // 2])

        with monkeypatch.context() as patched:
            patched.setattr(os, "write", full)
            with pytest.raises(OSError, match="No space left"):
                game.do("B1 pray")
        assert (game.state, path.read_bytes()) == (before, data)
        game.do("B1 pray")
        game.log.close()
        assert replay(read_log(path), game.setting, verify=True).state == game.state


class TestCuts:
    # Long: a game is resumed for each byte of a log; play behind one cut is tried beside it.
    @pytest.mark.long
    def test_a_log_cut_at_every_byte_resumes_to_its_last_whole_order(self, played):
        data = played[1].read_bytes()
        whole = parse_log(data)
        header = data.index(b"\n") + 1
        ends = [header]
        at = 0
        for line in data.splitlines(keepends=True):
            at += len(line)
            if b'"done":' in line[:40] or b'"undo":' in line[:40]:
                ends.append(at)
        assert len(ends) == len(whole.steps) + 1
        for cut in range(len(data) + 1):
            if cut < header:
                with pytest.raises(FileError, match="nothing to resume"):
                    parse_log(data[:cut])
                continue
            log = parse_log(data[:cut])
            assert log.size == max(end for end in ends if end <= cut)
            assert log.steps == whole.steps[: ends.index(log.size)]
            assert bool(log.dropped) == (cut not in ends)

    def test_what_was_dropped_is_said(self, played):
        data = played[1].read_bytes()
        at = data.index(b'"order":"B1 strike')
        line = data.rindex(b"\n", 0, at) + 1
        assert parse_log(data[: line + 5]).dropped == "dropped 1 line (5 bytes) at the end: an incomplete line"
        fourth = line + sum(len(line) + 1 for line in data[line:].split(b"\n")[:3])
        assert parse_log(data[: fourth + 3]).dropped == (
            f"dropped 4 lines ({fourth + 3 - line} bytes) at the end: the incomplete order 'B1 strike A1 with 2'"
        )

    def test_play_goes_on_behind_a_cut(self, played, everybody):
        game, path = played
        finished = game.state
        data = path.read_bytes()
        path.write_bytes(data[: data.rindex(b'"undo"')])
        again, log = resume(path, game.setting, everybody)
        assert "an incomplete line" in log.dropped
        assert path.stat().st_size == log.size
        assert again.history[-1].order.unit == "red"
        again.undo()
        again.do("A2 done")
        again.log.close()
        assert again.state == finished
        assert path.read_bytes() == data


class TestDamage:
    def test_every_flipped_byte_is_found(self, played):
        data = played[1].read_bytes()
        for at in range(len(data)):
            # Every byte is flipped in one bit; which one depends on the place.
            hurt = bytearray(data)
            hurt[at] ^= 1 << (at % 8)
            line = data[:at].count(b"\n") + 1
            try:
                # A flip in the last line end is a log that was cut there.
                found = parse_log(bytes(hurt)).dropped
            except FileError as error:
                found = any(abs(fault.line - line) <= 1 for fault in error.faults)
            assert found, at

    @pytest.mark.parametrize(
        ("line", "told"),
        [
            (b"", "does not end in a checksum"),
            (b'{"n":2,"crc":"00000000"}', "the checksum is"),
            (written_line(3, {"order": "x"})[:-1], "is not line 2 of its log"),
        ],
    )
    def test_a_line_says_what_is_wrong_with_it(self, line, told):
        with pytest.raises(ValueError, match=told):
            read_line(line, 2)

    @pytest.mark.parametrize(
        "entries", [[{"event": {}}], [{"done": "x"}], [{"undo": "x"}], [{"order": "x"}, {"order": "y"}], [{"x": 1}]]
    )
    def test_a_line_in_the_wrong_place_is_refused(self, played, entries):
        header = played[1].read_bytes().splitlines(keepends=True)[0]
        lines = [written_line(number, entry) for number, entry in enumerate(entries, 2)]
        with pytest.raises(FileError, match="does not belong here"):
            parse_log(header + b"".join(lines))

    @pytest.mark.parametrize(
        "entry", [{"order": "x"}, {"log": 2}, {"log": 1}, {"log": 1, "ruleset": "duel", "start": 3}]
    )
    def test_a_header_has_to_be_one(self, entry):
        with pytest.raises(FileError, match="not the header of a log"):
            parse_log(written_line(1, entry))


class TestReplay:
    def test_it_comes_to_the_same_table(self, played):
        game, path = played
        again = replay(read_log(path), game.setting, verify=True)
        assert again.state == game.state
        assert [happened.record for happened in again.history] == [happened.record for happened in game.history]

    def test_other_options_another_board_or_ruleset_are_refused_with_the_reason(self, played, row):
        log = read_log(played[1])
        other = SquareGrid.open(8, 1, name="Alley")
        cases = [
            (
                Setting.of(duel_ruleset.RULESET, row, {"lunges": False}, {"ap.each_turn": 4}),
                ["its option lunges is true, not false"],
            ),
            (Setting.of(duel_ruleset.RULESET, row), ["its figure ap.each_turn is 4, not as printed"]),
            (
                Setting.of(duel_ruleset.RULESET, other, None, {"ap.each_turn": 4, "names.knight": "Sire"}),
                [
                    f"its board is '' ({row.content_hash}), not 'Alley' ({other.content_hash})",
                    'its figure names.knight is as printed, not "Sire"',
                ],
            ),
        ]
        for setting, reasons in cases:
            with pytest.raises(LogRefused) as caught:
                replay(log, setting)
            assert list(caught.value.reasons) == reasons
        with pytest.raises(LogRefused, match="its ruleset is duel, not tiny"):
            replay(log, Setting.of(tiny_ruleset.RULESET, row))

    def rewritten(self, path, change):
        """Change the entries of a log, with checksums that fit."""
        entries = [json.loads(line) for line in path.read_text().splitlines()]
        for entry in entries:
            del entry["crc"], entry["n"]
        change(entries)
        return parse_log(b"".join(written_line(number, entry) for number, entry in enumerate(entries, 1)))

    def test_the_first_difference_is_named(self, played):
        game, path = played

        def cheat(entries):
            step = next(entry for entry in entries if entry.get("event", {}).get("kind") == "step")
            step["event"]["place"] = [5, 0]

        log = self.rewritten(path, cheat)
        replay(log, game.setting)
        with pytest.raises(Diverged) as caught:
            replay(log, game.setting, verify=True)
        error = caught.value
        assert (error.part, error.expected, error.got) == ("event.place[0]", "5", "1")
        assert "step" in path.read_text().splitlines()[error.line - 1]

    def test_another_outcome_is_found_without_verifying(self, played):
        game, path = played

        def cheat(entries):
            blow = next(entry for entry in entries if entry.get("question", {}).get("what") == "blow")
            blow["answer"] = 2

        with pytest.raises(Diverged, match=r"line \d+"):
            replay(self.rewritten(path, cheat), game.setting)

    def test_a_hash_that_does_not_fit_is_found(self, played):
        def cheat(entries):
            next(entry for entry in entries if "done" in entry)["done"] = "0" * 32

        with pytest.raises(Diverged, match=r'done\n  expected "0{32}"'):
            replay(self.rewritten(played[1], cheat), played[0].setting)

    def test_dice_that_are_not_those_of_the_seed_are_found(self, tmp_path, row, fighters):
        setting, state = start(row, fighters)
        with LogWriter.create(tmp_path / "log", Header.of(setting, state, seed=12)) as writer:
            game = Game(setting, state, InTurn([DiceBag.of(11), Policy(choices="first")]), writer)
            game.do("all begin")
            game.do("A2 strike B2")
        log = read_log(tmp_path / "log")
        assert replay(log, setting).state == game.state
        with pytest.raises(Diverged, match="the dice of the seed"):
            replay(log, setting, verify=True)

    @pytest.mark.parametrize(
        ("order", "told"),
        [("A1 walk: right 9", "no room"), ("A1 fly", "expected an action"), ("B1 pray", "A1 or A2, not of B1")],
    )
    def test_an_order_that_can_not_be_played_is_named(self, played, order, told):
        def cheat(entries):
            [entry for entry in entries if "order" in entry][1]["order"] = order

        with pytest.raises(Diverged, match=rf"(?s)expected the order '{order}'.*{told}"):
            replay(self.rewritten(played[1], cheat), played[0].setting)

    def test_a_question_too_many_is_named(self, played):
        def cheat(entries):
            entries.remove([entry for entry in entries if "question" in entry][-1])

        with pytest.raises(Diverged, match="expected an order without open questions"):
            replay(self.rewritten(played[1], cheat), played[0].setting)

    def test_scripted_dice_are_replayed_as_they_were_written(self, tmp_path, row, fighters):
        setting, state = start(row, fighters)
        answers = InTurn([Script.dice(["glows", "is dark"]), Policy()])
        with LogWriter.create(tmp_path / "log", Header.of(setting, state)) as writer:
            game = Game(setting, state, answers, writer)
            for order in ("all begin", "A1 pray"):
                game.do(order)
            with pytest.raises(LeftoverAnswers, match="has unused answers: is dark"):
                game.check_leftover()
            game.do("B1 pray")
            game.check_leftover()
        assert replay(read_log(tmp_path / "log"), setting, verify=True).state == game.state


PLAY = """
import sys
sys.path.insert(0, {folder!r})
import duel_ruleset
from simulator.engine.answers import InTurn, DiceBag, Policy
from simulator.engine.game import Game
from simulator.engine.log import Header, LogWriter
from simulator.engine.table import Setting
from simulator.engine.state import State
from simulator.geometry.squares import SquareGrid

make = duel_ruleset.fighter
fighters = [make("A1", "red", 0, nerve=2), make("B1", "blue", 3, shield=1), make("A2", "red", 6), make("B2", "blue", 7)]
board = SquareGrid.from_text(". . , . . . . .")
setting = Setting.of(duel_ruleset.RULESET, board, {{"lunges": True}}, {{"ap.each_turn": 4}})
state = State.of(fighters, setting.ruleset.data(setting))
with LogWriter.create({path!r}, Header.of(setting, state, {seed})) as log:
    game = Game(setting, state, InTurn([Policy(reactions="always", choices="first"), DiceBag.of({seed})]), log)
    for order in {orders!r}:
        game.do(order)
"""


@pytest.mark.sampled("0")
@pytest.mark.parametrize("hash_seed", ["0", "1", "2"])
def test_the_log_is_the_same_in_every_process(hash_seed, played, tmp_path):
    """The order of sets and dicts of strings, which PYTHONHASHSEED shuffles, plays no part."""
    mine = played[1].read_bytes()
    other = tmp_path / "other.jsonl"
    code = PLAY.format(
        folder=str(Path(duel_ruleset.__file__).parent), path=str(other), seed=SEED, orders=["all begin", *ORDERS]
    )
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    assert other.read_bytes() == mine[: mine.rindex(b'{"n":', 0, mine.index(b'"undo"'))]


def test_a_line_is_nested_as_deep_as_the_limit_and_no_deeper():
    def nested(lists):
        line = "[" * lists + "]" * lists
        return written_line(1, {"order": json.loads(line)}).rstrip(b"\n")

    assert read_line(nested(MAX_NESTING), 1)["order"]
    with pytest.raises(ValueError, match=f"more than {MAX_NESTING} deep"):
        read_line(nested(MAX_NESTING + 1), 1)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ({"place": 3}, "event.place: input should be a valid list"),
        ({"changes": [["a"]]}, "event.changes[0]: list should have at least 3 items after validation, not 1"),
        (
            {"kind": 1, "place": 3},
            "event.kind: input should be a valid string; event.place: input should be a valid list",
        ),
        (
            {"kind": 1, "place": 3, "unit": 1, "clause": 1, "spent": 1},
            "event.kind: input should be a valid string; event.unit: input should be a valid string; "
            "event.clause: input should be a valid string; and 2 more",
        ),
    ],
)
def test_what_does_not_fit_in_a_line_is_named_three_at_most(damage, told):
    with pytest.raises(ValueError, match=r"^event\.") as caught:
        fitting(EventLine, {"event": {"kind": "step"} | damage})
    assert str(caught.value) == told
