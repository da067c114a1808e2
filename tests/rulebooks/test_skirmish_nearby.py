"""Reach searched on what a soldier can touch, and on the whole table: the same answers on generated tables."""

import numpy as np
import pytest
import shapely
from skirmish_tables import block, game_with, rough, wall

from simulator.errors import TooMuchAsked
from simulator.rulesets.skirmish.reach import nearby


def crowded(seed, **options):
    """A table of 60 inches with pieces and soldiers all over it, some of them in the way."""
    dice = np.random.default_rng(seed)
    pieces, spots = [], np.round(dice.uniform(-27, 27, (70, 2)) * 4) / 4
    for number, (x, y) in enumerate(spots[np.hypot(*spots.T) > 2].tolist()):
        kind = number % 4
        wide, deep = np.round(dice.uniform(0.5, 3, 2) * 4).tolist()
        if kind == 0:
            pieces.append(rough(x, y, x + wide / 4, y + deep / 4, f"r{number}"))
        elif kind == 1:
            pieces.append(wall((x, y), (x + wide / 4, y + deep / 4), height=1.5, name=f"w{number}"))
        else:
            pieces.append(block(x, y, x + wide / 4, y + deep / 4, height=5.0 if kind == 2 else 1.0, name=f"b{number}"))
    solids = shapely.union_all([piece.shape.polygon for piece in pieces])
    others = []
    for number, (x, y) in enumerate(np.round(dice.uniform(-27, 27, (40, 2)) * 2).tolist()):
        spot = (x / 2, y / 2)
        clear = all(np.hypot(spot[0] - at[0], spot[1] - at[1]) >= 1 for *_, at in [*others, ("", "", (0, 0))])
        if clear and shapely.distance(solids, shapely.Point(spot)) > 0.5:
            others.append((f"U{number}", "blue" if number % 2 else "red", spot))
    return game_with(*pieces, others=tuple(others), corner=(-30, -30), size=60, options=options)


@pytest.mark.sampled
@pytest.mark.parametrize("options", [{}, {"traverse_direction": "any_direction"}, {"enemy_block": "line_only"}])
@pytest.mark.parametrize("seed", [1, 2])
def test_what_lies_farther_off_makes_no_difference(monkeypatch, seed, options):
    game = crowded(seed, **options)
    for action, question in (("turn", {"ap": 2}), ("run", {}), ("traverse", {})):
        near = game.reach("A1", action, **question)
        assert len(near.grounds.table.state.units) < len(game.state.units) / 2
        assert len(near.grounds.table.board.pieces) < len(game.board.pieces) / 2
        with monkeypatch.context() as whole:
            whole.setattr(nearby, "WHOLE", 10**9)
            far = game.reach("A1", action, **question)
            assert far.grounds.table.state is far.table.state
            places = np.random.default_rng(seed).uniform(-12, 12, (150, 2)).round(2)
            assert near.area.symmetric_difference(far.area).area < 1e-4
            assert near.costs_at(places).tolist() == far.costs_at(places).tolist()


def test_a_table_with_little_on_it_is_searched_whole():
    game = game_with(wall((3, -3), (3, 3)))
    reach = game.reach("A1")
    assert reach.grounds.table is reach.table


def test_a_long_wall_is_followed_to_where_it_can_be_climbed():
    # The wall is wider than all that moves alone could come near to.
    far = [block(-29 + 2 * n, 25, -28 + 2 * n, 26, name=f"b{n}") for n in range(29)]
    more = [block(-29 + 2 * n, -26, -28 + 2 * n, -25, name=f"c{n}") for n in range(29)]
    game = game_with(wall((-29, 2), (29, 2)), *far, *more, corner=(-30, -30), size=60)
    assert (0, 4) in game.reach("A1")


def test_more_corners_than_are_searched_are_refused(monkeypatch):
    monkeypatch.setattr(nearby, "MOST_CORNERS", 3)
    with pytest.raises(TooMuchAsked, match="4 corners, at most 3 are searched") as refused:
        game_with(block(3, 3, 4, 4)).reach("A1")
    assert refused.value.exit_code == 4


def test_more_soldiers_of_a_side_than_are_asked_at_once_are_refused():
    others = tuple((f"U{n}", "red", (-20 + n % 14 * 3, 5 + n // 14 * 3)) for n in range(40))
    with pytest.raises(TooMuchAsked, match="red has 41 units; skirmish computes the reach of at most 40 at once"):
        game_with(others=others).threats("red")
