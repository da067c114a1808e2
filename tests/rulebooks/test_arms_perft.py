"""Distinct end states of combined_arms, kept as data: played by the engine, and counted a second time without it."""

from pathlib import Path

import pytest
import yaml
from exhaustive_combined_arms import played as counted_slowly
from exhaustive_skirmish import counts_of
from perft_combined_arms import BOARDS, DEPTH, played

from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.rates import OBLIQUE

KEPT = yaml.safe_load((Path(__file__).parents[1] / "cases" / "combined_arms" / "perft.yml").read_text(encoding="utf-8"))


@pytest.mark.sampled
@pytest.mark.parametrize("board", BOARDS)
def test_play_and_the_obvious_enumeration_end_in_the_same_states(board):
    """CA-3, CA-35, CA-45, CA-46, CA-77: by elements and by the kind of the last one, as they were kept."""
    small = BOARDS[board]
    by_play = played(board)
    assert by_play == counted_slowly(small.world, small.state, small.alphabet, DEPTH)
    assert counts_of(by_play) == KEPT[board]


def test_every_element_is_counted_on_some_board():
    kinds = {kind for counts in KEPT.values() for by_kind in counts.values() for kind in by_kind}
    # Oblique legs are those of an option (CA-27).
    assert kinds == {"all"} | {form.name for form in RULESET.vocabulary.elements} - set(OBLIQUE)
    assert len(KEPT) == len(BOARDS)
