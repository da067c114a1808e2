"""Distinct end states of mecha, kept as data: played by the engine, and counted a second time without it."""

from pathlib import Path

import pytest
import yaml
from exhaustive_mecha import played as counted_slowly
from exhaustive_skirmish import counts_of
from perft_mecha import BOARDS, DEPTH, played

KEPT = yaml.safe_load((Path(__file__).parents[1] / "cases" / "mecha" / "perft.yml").read_text(encoding="utf-8"))


@pytest.mark.sampled
@pytest.mark.parametrize("board", BOARDS)
def test_play_and_the_obvious_enumeration_end_in_the_same_states(board):
    """ME-10, ME-11, ME-17, ME-18, ME-20, ME-29, ME-31, ME-35, ME-42: by elements and by the kind of the last one."""
    by_play = played(board)
    assert by_play == counted_slowly(BOARDS[board].world, BOARDS[board].alphabet, DEPTH)
    assert counts_of(by_play) == KEPT[board]


def test_every_element_that_moves_is_counted_on_some_board():
    kinds = {kind for counts in KEPT.values() for by_kind in counts.values() for kind in by_kind}
    legs = {"forward", "backward", "sideways_left", "sideways_right"}
    assert kinds == {"all", "turn_left", "turn_right"} | legs
    assert len(KEPT) == len(BOARDS)
