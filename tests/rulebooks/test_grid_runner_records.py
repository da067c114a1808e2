"""What is on record: scenarios and what came of them, and counts of positions."""

import json
from pathlib import Path

import perft_grid_runner as perft
import pytest
from grid_runner_boards import RULES

from simulator.formats.account_text import account_text
from simulator.formats.scenarios import load_scenario

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = sorted((ROOT / "scenarios/grid_runner").glob("*.yaml"))
PERFT = json.loads(perft.DATA.read_text(encoding="utf-8"))


class TestScenarios:
    """The stories that come along: they come out as they say, and as they did before."""

    @pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
    def test_comes_out_as_it_says_and_as_it_did(self, path):
        account = load_scenario(path).run()
        assert account.ok, "\n".join(str(check) for check in account.failures)
        record = (ROOT / "tests/records/grid_runner" / f"{path.stem}.txt").read_text(encoding="utf-8")
        assert record.partition("\n")[2] == account_text(account), "renew it: simulator record scenarios/grid_runner"

    def test_together_they_use_every_action(self):
        said = "\n".join(path.read_text(encoding="utf-8") for path in SCENARIOS)
        assert [form.name for form in RULES.vocabulary.actions if f" {form.name}" not in said] == []
        assert len({load_scenario(path).setting.board.name for path in SCENARIOS}) >= 5


class TestPerft:
    """Counts of positions: the listed orders give those on record, and so does trying everything."""

    def test_the_boards_are_those_on_record(self):
        assert {name: {**board, "counts": PERFT[name]["counts"]} for name, board in perft.BOARDS.items()} == PERFT

    @pytest.mark.sampled
    @pytest.mark.parametrize("name", perft.BOARDS)
    def test_of_the_orders_that_are_listed(self, name):
        board = perft.BOARDS[name]
        depth = min(board["depth"], 2)
        assert perft.perft(board, depth) == {ply: PERFT[name]["counts"][ply] for ply in map(str, range(1, depth + 1))}

    @pytest.mark.sampled
    @pytest.mark.parametrize("name", perft.BOARDS)
    def test_of_every_order_that_can_be_tried(self, name):
        board = perft.BOARDS[name]
        depth = min(board["depth"], 2)
        tried = perft.perft(board, depth, perft.enumerated)
        assert tried == {ply: PERFT[name]["counts"][ply] for ply in map(str, range(1, depth + 1))}
