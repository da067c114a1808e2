"""Masks of places and zones of control, on squares and dots."""

import numpy as np
import pytest

from simulator import DotMap, NoPlace, SquareGrid, mask_of, zone


@pytest.mark.parametrize("board", [SquareGrid.open(5, 4), DotMap.open(5, 4)], ids=["squares", "dots"])
class TestMasks:
    def test_a_mask_is_true_at_its_places_alone(self, board):
        places = [board.place_at(1, 2), board.place_at(3, 0)]
        mask = mask_of(board, iter(places))
        assert [board.place_at(*cell) for cell in np.argwhere(mask).tolist()] == places
        assert mask.shape == board.shape
        assert mask.dtype == np.bool_

    def test_without_places_it_is_false_everywhere(self, board):
        assert not mask_of(board, []).any()
        assert not zone(board, []).any()

    def test_a_place_off_the_board_is_refused(self, board):
        for made in (mask_of, zone):
            with pytest.raises(NoPlace):
                made(board, [(99, 99)])

    def test_a_zone_is_the_neighbours_of_each(self, board):
        places = [board.place_at(1, 1), board.place_at(2, 3)]
        wanted = {beside for place in places for beside in board.neighbours(place)}
        assert {board.place_at(*cell) for cell in np.argwhere(zone(board, places)).tolist()} == wanted

    def test_who_stands_alone_is_not_in_the_own_zone(self, board):
        alone = board.place_at(1, 1)
        assert not zone(board, [alone])[1, 1]
        assert zone(board, [alone, board.neighbours(alone)[0]])[1, 1]


def test_a_wall_ends_a_zone():
    board = SquareGrid.from_text(". # .\n. # .\n. # .")
    assert np.argwhere(zone(board, [(0, 1)])).tolist() == [[0, 0], [2, 0]]
