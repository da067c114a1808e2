"""Distinct end states of skirmish, kept as data: played by the engine, and counted a second time without it."""

from pathlib import Path

import pytest
import yaml
from exhaustive_skirmish import World, counts_of
from exhaustive_skirmish import played as counted_slowly
from perft_skirmish import ALPHABETS, BOARDS, played, start_of

KEPT = yaml.safe_load((Path(__file__).parents[1] / "cases" / "skirmish" / "perft.yml").read_text(encoding="utf-8"))


@pytest.mark.sampled
@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("board", BOARDS)
def test_play_and_the_obvious_enumeration_end_in_the_same_states(board, alphabet):
    """SK-1, SK-18, SK-28, SK-64: by spends and by the kind of the last one, as they were kept."""
    depth, directions = ALPHABETS[alphabet]
    pieces, friends, enemies, _ = BOARDS[board]
    by_play = played(board, depth, directions)
    assert by_play == counted_slowly(World(pieces, friends, enemies, directions), start_of(board), depth)
    assert counts_of(by_play) == KEPT[f"{board}, {alphabet}"]


def test_every_action_is_counted_on_some_board():
    kinds = {kind for spends in KEPT.values() for counts in spends.values() for kind in counts}
    assert kinds == {"all", "move", "run", "traverse", "change_stance"}
    assert len(KEPT) == len(BOARDS) * len(ALPHABETS)
