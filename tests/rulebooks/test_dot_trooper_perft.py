"""Counts of distinct end states, kept as data, and counted a second time by exhaustive play."""

from pathlib import Path

import pytest
import yaml
from dt_games import bike, game
from exhaustive_dot_trooper import Drives, World, flights, walks
from perft_dot_trooper import BOARDS, counts, start_of

KEPT = yaml.safe_load((Path(__file__).parents[1] / "cases" / "dot_trooper" / "perft.yml").read_text())


def test_counts_are_those_that_were_kept():
    """DT-59, DT-68, DT-164: how many ends take how many AP, by action, on six boards."""
    assert counts() == KEPT


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize(("kind", "m"), [("scout", 3), ("assault", 2)])
def test_drives_are_counted_by_exhaustive_play_too(name, kind, m):
    board = BOARDS[name]
    front = start_of(board)
    ends = {}
    for low, high in ((1, 1), (2, 4)):
        for pose, by_ap in Drives(World(board), m, low, high, {}, lambda *_: None).play(front, 0, True).items():
            ends.setdefault(pose, set()).update(by_ap)
    by_ap = {}
    for totals in ends.values():
        for ap in totals:
            by_ap[ap] = by_ap.get(ap, 0) + 1
    kept = KEPT[f"{name}: drive {kind} stopped"]
    assert by_ap == {ap: count for ap, count in kept.items() if ap <= 4}


@pytest.mark.parametrize("name", BOARDS)
def test_walks_and_flights_are_counted_by_exhaustive_play_too(name):
    board = BOARDS[name]
    front = start_of(board)
    level = int(board.level[board.index(front)])
    by_ap = {}
    for ap in walks(board, front, level, 6).values():
        by_ap[ap] = by_ap.get(ap, 0) + 1
    assert by_ap == KEPT[f"{name}: foot_move"]
    landed = flights(board, front, level)
    assert KEPT[f"{name}: activate_jet_pack"] == ({3: len(landed)} if landed else {})


def test_the_start_of_each_board_is_sound():
    for board in BOARDS.values():
        level = int(board.level[board.index(start_of(board))])
        table = game(bike(place=start_of(board), level=level), board)
        assert list(table.ruleset.faults(table.table)) == []
