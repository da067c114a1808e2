"""The commands for scenarios as a user meets them, with small rulebooks that a package offers by entry points."""

import json
import os
import sys
from pathlib import Path

import pytest

from simulator.rulesets import shelf

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "formats"))

from scenario_samples import CHECKERS, DUEL, ROW, with_lines  # noqa: E402

OPEN = DUEL[: DUEL.index("expect:\n  units:")]


@pytest.fixture
def files(tmp_path):
    """A folder with scenarios: one that comes out as expected, one that does not, one faulty, and a board."""
    folder = tmp_path / "scenarios"
    folder.mkdir()
    (folder / "duel.yaml").write_text(DUEL)
    (folder / "jump.yaml").write_text(CHECKERS)
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards/row.yaml").write_text(ROW.replace("board:\n", "format: 1\n", 1).replace("\n  ", "\n"))
    return folder


class TestRun:
    def test_one_is_told_in_full(self, run, files):
        answer = run("run", "scenarios/duel.yaml")
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout.startswith("The gate\nDuel on Row\n")
        assert "17 of 17 expectations met\n" in answer.stdout
        assert answer.stderr == ""

    def test_what_is_not_met_is_1_with_what_was_instead(self, run, files):
        (files / "duel.yaml").write_text(with_lines(DUEL, ("spent: 3.5", "spent: 3")))
        answer = run("run", "scenarios/duel.yaml")
        assert answer.returncode == 1
        assert "FAIL  A1 spent: expected 3, got 3.5 AP (line 28)" in answer.stdout

    def test_a_faulty_file_is_3_and_a_limit_4(self, run, files):
        (files / "duel.yaml").write_text(with_lines(DUEL, ("lunges", "lunge")))
        answer = run("run", "scenarios/duel.yaml")
        assert (answer.returncode, answer.stdout) == (3, "")
        assert answer.stderr.startswith("scenarios/duel.yaml:10:11: options.lunge: no such option 'lunge'; did you")
        (files / "duel.yaml").write_text(DUEL + f"description: {'x' * 10_001}\n")
        assert run("run", "scenarios/duel.yaml").returncode == 4

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            ((), "Missing argument 'FILES...'"),
            (("scenarios", "--step"), "--log and --step take one scenario, not 2"),
            (("scenarios/duel.yaml", "--step", "--json"), "--step shows events on standard output"),
            (("scenarios/duel.yaml", "--step", "--junit", "-"), "--step shows events on standard output"),
            (("scenarios/duel.yaml", "--step", "--html", "-"), "--step shows events on standard output"),
            (("scenarios/duel.yaml", "--step", "--log", "-"), "--step shows events on standard output"),
            (("scenarios/duel.yaml", "--step", "--quiet"), "--step shows every event: it does not go with --quiet"),
            (("scenarios/duel.yaml", "--step", "-v"), "--step shows every event: it does not go with --verbose"),
            (("scenarios/duel.yaml", "--resume"), "--resume continues a log: name it with --log"),
            (("scenarios/duel.yaml", "--option", "lunges"), "must be NAME=VALUE, not 'lunges'"),
            (("scenarios/duel.yaml", "--option", "lunge=true"), "lunge: no such option; did you mean 'lunges'?"),
            (("scenarios/duel.yaml", "--option", "self=true"), "self: no such option"),
            (("boards",), "no scenario in the folder boards"),
            (
                ("scenarios/duel.yaml", "--log", "scenarios/duel.yaml/where.jsonl"),
                "cannot write the log scenarios/duel.yaml/where.jsonl: Not a directory",
            ),
            (
                ("scenarios/duel.yaml", "--svg", "scenarios/duel.yaml"),
                "cannot write to scenarios/duel.yaml: File exists",
            ),
        ],
    )
    def test_wrong_usage_is_2(self, run, files, words, told):
        answer = run("run", *words)
        assert answer.returncode == 2, answer.stdout
        assert told in answer.stderr

    def test_a_bug_is_70(self, run, rulebooks, files, tmp_path):
        (tmp_path / "sitecustomize.py").write_text(
            "import tiny_ruleset\ndef broken(self, table, order): raise RuntimeError('boom')\n"
            "tiny_ruleset.TinyRuleset.breaches = broken\n"
        )
        answer = run("run", "scenarios/jump.yaml", PYTHONPATH=os.pathsep.join((str(tmp_path), rulebooks)))
        assert answer.returncode == 70
        assert "RuntimeError: boom" in answer.stderr

    def test_options_and_seed_of_the_command_line(self, run, files):
        answer = run("run", "scenarios/duel.yaml", "--seed", 12, "--option", "lunges=false", "--json")
        (found,) = json.loads(answer.stdout)["scenarios"]
        assert (found["seed"], found["options"]["lunges"]) == (12, False)

    def test_json_is_one_document(self, run, files):
        answer = run("run", "scenarios/duel.yaml", "--json")
        document = json.loads(answer.stdout)
        assert (document["format"], document["ok"]) == (1, True)
        (found,) = document["scenarios"]
        assert found["file"] == "scenarios/duel.yaml"
        assert [order["order"] for order in found["orders"]][:3] == [
            "all begin",
            "A1 walk: right 2",
            "B1 strike A1 with 9",
        ]
        assert [(one["clause"], one["message"]) for one in found["orders"][2]["reasons"]] == [("DU-1", "not enough AP")]
        assert found["orders"][3]["record"][3]["chance"] == "13/18"
        assert found["orders"][1]["cost"] == {"AP": "5/2"}
        assert all(check["met"] for check in found["expected"])
        assert found["state"]["units"][0]["id"] == "A1"

    def test_pictures_of_the_table_after_every_order(self, run, files, tmp_path):
        answer = run("run", "scenarios/duel.yaml", "--svg", "out/duel")
        assert answer.stderr == "wrote 5 pictures to out/duel\n"
        pictures = [file.read_text() for file in sorted((tmp_path / "out/duel").iterdir())]
        assert all(picture.startswith("<svg ") for picture in pictures)
        assert "The gate: A1 walk: right 2" in pictures[1]
        assert pictures[0] != pictures[1]

    def test_a_folder_is_summed_up_in_a_table(self, run, files):
        (files / "wrong.yaml").write_text(with_lines(DUEL, ("spent: 3.5", "spent: 3")))
        (files / "faulty.yaml").write_text(with_lines(DUEL, ("lunges", "lunge")))
        (files / "a [red]b.yaml").write_text(CHECKERS)
        answer = run("run", "scenarios", "--jobs", 2, apart=True)
        assert answer.returncode == 3
        table = answer.stdout.splitlines()
        assert table[:6] == [
            "ok      2 orders  7 of 7 met    scenarios/a [red]b.yaml",
            "ok      6 orders  17 of 17 met  scenarios/duel.yaml",
            "FAULTY  0 orders  0 of 0 met    scenarios/faulty.yaml",
            "ok      2 orders  7 of 7 met    scenarios/jump.yaml",
            "FAILED  6 orders  16 of 17 met  scenarios/wrong.yaml",
            "3 of 5 scenarios met all expectations",
        ]
        assert "  FAIL  A1 spent: expected 3, got 3.5 AP (line 28)" in table
        assert any("options.lunge" in line for line in table)
        assert "5/5" in answer.stderr

    def test_workers_or_not_it_is_the_same(self, run, files):
        for number in range(5):
            (files / f"duel{number}.yaml").write_text(with_lines(DUEL, ("seed: 7", f"seed: {number}")))
        answers = [run("run", "scenarios", "--json", "--jobs", jobs, PYTHONHASHSEED=str(jobs)) for jobs in (1, 2)]
        assert answers[0].stdout == answers[1].stdout
        assert len(json.loads(answers[0].stdout)["scenarios"]) == 7

    def test_pictures_of_several_have_a_folder_each(self, run, files, tmp_path):
        assert run("run", "scenarios", "--svg", "out", "--jobs", 1).returncode == 0
        assert sorted(folder.name for folder in (tmp_path / "out").iterdir()) == ["duel", "jump"]
        (files / "more").mkdir()
        (files / "more/duel.yaml").write_text(DUEL)
        answer = run("run", "scenarios", "--svg", "out")
        assert answer.returncode == 2
        assert "two scenarios are called duel" in answer.stderr

    def test_step_shows_event_after_event_and_asks(self, run, files):
        (files / "duel.yaml").write_text(with_lines(OPEN, ("answers: {strike: always, dodge: never}\n", "")))
        answer = run("run", "scenarios/duel.yaml", "--step", said="\n" * 20 + "feint\n" + "\n" * 9)
        assert "B1: strike at 2,0 (DU-3)\n  1  strike\n  2  feint\n" in answer.stderr
        assert "strike or feint? feint  -- person" in answer.stdout
        assert answer.returncode in (0, 1)

    def test_hostile_names_are_files_like_others(self, run, tmp_path):
        for name in ("-rf.yaml", "a b\n.yaml", "$(x).yaml", "é\x1b[31m.yaml"):
            (tmp_path / name).write_text(CHECKERS)
        answer = run("run", ".", "--jobs", 1)
        assert answer.returncode == 0, answer.stderr
        assert "\x1b" not in answer.stdout + answer.stderr
        assert "a b\\n.yaml" in answer.stdout
        assert run("run", "--", "-rf.yaml").returncode == 0


class TestLogs:
    def test_a_log_replays_line_for_line(self, run, files, tmp_path):
        answer = run("run", "scenarios/duel.yaml", "--log", "duel.jsonl")
        assert answer.returncode == 0
        assert answer.stderr == "wrote duel.jsonl\n"
        answer = run("replay", "duel.jsonl", "--verify")
        assert answer.returncode == 0, answer.stderr
        assert "A1 step at 2,0: 1.5 AP (DU-2)" in answer.stdout
        assert answer.stdout.splitlines()[-1].startswith("5 orders, verified line by line: turn 2, round, A1 to move, ")
        assert run("replay", "duel.jsonl", "--quiet").stdout.startswith("5 orders, the same: ")

    def test_a_changed_log_is_found_and_the_line_named(self, run, files, tmp_path):
        from simulator.engine.log import read_line, written_line

        run("run", "scenarios/duel.yaml", "--log", "duel.jsonl")
        path = tmp_path / "duel.jsonl"
        whole = path.read_bytes().splitlines()
        number, entry = next(
            (number, entry)
            for number, entry in ((n, read_line(line, n)) for n, line in enumerate(whole, 1))
            if entry.get("by") == "dice"
        )
        forged = written_line(number, {**entry, "answer": 4, "faces": [2, 2]})
        path.write_bytes(b"\n".join([*whole[: number - 1], forged.rstrip(), *whole[number:], b""]))
        answer = run("replay", "duel.jsonl", "--verify")
        assert answer.returncode == 1
        assert f"the replay differs from the log at line {number}, the dice of the seed" in answer.stderr
        assert "expected 3 [1, 2]\n  got      4 [2, 2]" in answer.stderr
        path.write_bytes(b"\n".join(whole).replace(b'"answer":3', b'"answer":4') + b"\n")
        answer = run("replay", "duel.jsonl")
        assert answer.returncode == 3
        assert f"duel.jsonl:{number}:1: this line is damaged: the checksum is" in answer.stderr

    def test_it_goes_on_after_a_kill(self, run, files, tmp_path):
        told = run("run", "scenarios/duel.yaml", "--log", "duel.jsonl").stdout
        path = tmp_path / "duel.jsonl"
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        answer = run("run", "scenarios/duel.yaml", "--log", "duel.jsonl", "--resume")
        assert answer.returncode == 0, answer.stderr
        assert "duel.jsonl: dropped " in answer.stderr
        assert answer.stdout == told
        assert path.read_bytes() == whole

    def test_a_log_of_another_table_is_refused(self, run, files):
        run("run", "scenarios/duel.yaml", "--log", "duel.jsonl")
        answer = run("run", "scenarios/duel.yaml", "--log", "duel.jsonl", "--resume", "--seed", 8)
        assert answer.returncode == 1
        assert "its seed is 7, not 8" in answer.stderr

    def test_logs_that_can_not_be_replayed(self, run, files, tmp_path):
        from simulator.engine.log import read_line, written_line

        answer = run("replay", "nowhere.jsonl")
        assert (answer.returncode, answer.stderr) == (3, "nowhere.jsonl: cannot be read: No such file or directory\n")
        run("run", "scenarios/duel.yaml", "--log", "duel.jsonl")
        path = tmp_path / "duel.jsonl"
        header, *rest = path.read_bytes().splitlines()
        entry = read_line(header, 1)
        del entry["board_file"]
        path.write_bytes(b"\n".join([written_line(1, entry).rstrip(), *rest, b""]))
        answer = run("replay", "duel.jsonl")
        assert answer.returncode == 2
        assert "this log does not contain its board 'Row': name it with --board" in answer.stderr
        assert run("replay", "duel.jsonl", "--board", "boards/row.yaml", "--verify").returncode == 0
        path.write_bytes(written_line(1, {**entry, "ruleset": "dual"}))
        answer = run("replay", "duel.jsonl", "--board", "boards/row.yaml")
        assert answer.returncode == 2
        assert "there is no ruleset 'dual'; did you mean 'duel'?" in answer.stderr


class TestRecord:
    def test_the_same_text_every_time(self, run, files, tmp_path):
        first, second = (run("record", "scenarios/duel.yaml", "--seed", 3, PYTHONHASHSEED=seed) for seed in "01")
        assert first.returncode == 0
        assert first.stdout == second.stdout
        assert first.stdout.startswith("# simulator record duel.yaml --seed 3\nThe gate\n")
        assert str(tmp_path) not in first.stdout

    def test_a_folder_of_them(self, run, files, tmp_path):
        answer = run("record", "scenarios", "--out", "records")
        assert answer.returncode == 0
        assert answer.stdout == ""
        assert (tmp_path / "records/jump.txt").read_text() == run("record", "scenarios/jump.yaml").stdout
        answer = run("record", "scenarios", "--out", "scenarios/duel.yaml")
        assert (answer.returncode, "cannot write scenarios/duel.yaml/duel.txt: File exists" in answer.stderr) == (
            2,
            True,
        )


class TestRules:
    @pytest.fixture
    def page(self, tmp_path):
        docs = tmp_path / "rules"
        docs.mkdir()
        clauses = "- **TC-1** A man steps.\n- **TC-2** Or it jumps.\n  - *Option:* `jump_back` = `false` | `true`.\n"
        (docs / "tiny.md").write_text(f"# tiny\n\n## Moves\n\n{clauses}- **TC-4** The sides take turns.\n")
        tests = tmp_path / "tests"
        tests.mkdir()
        (tests / "test_tiny.py").write_text('def test_steps():\n    """TC-1, TC-2"""\n')
        return ["--docs", docs, "--tests", tests]

    def test_all_there_is_to_know_of_a_clause(self, run, page):
        answer = run("rules", "tiny", "TC-2", *page)
        assert answer.returncode == 0, answer.stderr
        for told in (
            "TC-2  (Moves)\nOr it jumps.",
            "tiny_ruleset.move",
            "option       jump_back",
            "test_tiny.py:1 test_steps",
        ):
            assert told in answer.stdout

    def test_the_clauses_of_a_ruleset(self, run, page):
        answer = run("rules", "tiny", *page)
        assert "  TC-1    A man steps.  [1 test]\n" in answer.stdout
        assert answer.stdout.endswith("3 clauses, 1 option, 1 clause without a test\n")

    def test_uncovered_is_1_until_there_are_none(self, run, page, tmp_path):
        answer = run("rules", "tiny", "--uncovered", *page)
        assert (answer.returncode, answer.stdout) == (1, "tiny TC-4  The sides take turns.\n")
        (tmp_path / "tests/test_more.py").write_text('def test_turns():\n    assert "TC-4"\n')
        answer = run("rules", "tiny", "--uncovered", *page)
        assert (answer.returncode, answer.stdout) == (0, "")
        assert "every clause of tiny has a test or a mark" in answer.stderr

    def test_what_is_not_there_is_told(self, run, page, tmp_path):
        answer = run("rules", "tiny", "TC-9", *page)
        assert (answer.returncode, "there is no clause 'TC-9'; did you mean" in answer.stderr) == (1, True)
        answer = run("rules", "tinny", *page)
        assert (answer.returncode, "there is no ruleset 'tinny'; did you mean 'tiny'?" in answer.stderr) == (2, True)
        answer = run("rules", "duel", *page)
        assert (answer.returncode, "duel.md does not exist: name its folder with --docs" in answer.stderr) == (2, True)
        answer = run("rules", *page)
        assert answer.stdout == "tiny  Tiny checkers: 3 clauses, 1 option, 1 clause without a test\n"
        assert "duel  Duel: its page " in answer.stderr
        answer = run("rules", "tiny", *page[:2], "--tests", "nowhere")
        assert (answer.returncode, "no tests found (nowhere)" in answer.stderr) == (0, True)

    def test_a_ruleset_of_a_package_may_bring_its_own_page(self, run, files, page, tmp_path, monkeypatch):
        """TC-1 is quoted where the rules say no, and listed, without --docs."""
        monkeypatch.setattr(shelf()["tiny"], "page", tmp_path / "rules" / "tiny.md")
        assert run("rules", "tiny", "TC-1", *page[2:]).stdout.startswith("TC-1  (Moves)\nA man steps.\n")
        answer = run("explain", "scenarios/jump.yaml", "w1: hop 0,0")
        assert (answer.returncode, "  TC-1: A man steps.\n" in answer.stdout) == (1, True)


class TestCheckAndShow:
    def test_check_takes_boards_and_scenarios(self, run, files):
        answer = run("check", ".")
        assert answer.returncode == 0
        assert "scenarios/duel.yaml: ok (a scenario of duel: 2 units, 4 orders)\n" in answer.stdout
        assert "boards/row.yaml: ok (squares, " in answer.stdout
        (files / "duel.yaml").write_text(with_lines(DUEL, ("right 2", "rigth 2")))
        answer = run("check", "scenarios/duel.yaml", "--json")
        assert answer.returncode == 3
        (found,) = json.loads(answer.stdout)["files"]
        assert found["faults"][0]["message"].startswith("expected left or right, found 'rigth'")

    def test_show_tells_the_opening_position_or_draws_it(self, run, files, tmp_path):
        answer = run("show", "scenarios/duel.yaml")
        assert answer.stdout.splitlines()[:4] == [
            "The gate: Duel",
            "  A1 (red): fighter at 0,0; nerve=2",
            "  B1 (blue): fighter at 3,0; shield=1",
            "4 orders in 2 turns",
        ]
        assert run("show", "scenarios/duel.yaml", "--svg", "duel.svg").returncode == 0
        picture = (tmp_path / "duel.svg").read_text()
        assert "The gate" in picture
        assert ">A1</text>" in picture
