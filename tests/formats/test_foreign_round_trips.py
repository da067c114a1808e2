"""What is written as a foreign map and read back is the same board, as far as the map can hold it."""

from dataclasses import replace

import pytest
import random_boards
from hypothesis import HealthCheck, given, settings

from simulator import load_board
from simulator.formats.examples import examples
from simulator.formats.foreign import read_map, write_map
from simulator.geometry.dots import Edge
from simulator.geometry.hex_lattice import OffsetLayout

law = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
BOARDS = sorted(examples("boards").glob("*.yaml"))


def there_and_back(board, suffix, tmp_path, **words):
    path = tmp_path / f"there{suffix}"
    path.write_text(write_map(board, suffix, **words).text, encoding="utf-8")
    return read_map(path, **words).board


def of_kind(kind):
    return [board for board in map(load_board, BOARDS) if board.kind == kind]


@law
@given(board=random_boards.tables())
def test_any_table_comes_back_from_geojson(board, tmp_path):
    assert there_and_back(board, ".geojson", tmp_path) == board


def as_tiled_has_it(board):
    """Words that are no word name a tile by its number; labels far off have no pixel; scenery has no place."""
    kinds = tuple(kind or "bare" for kind in board.terrain_kinds)
    return replace(board, terrain_kinds=kinds, labels=(), scenery=())


@law
@given(board=random_boards.grids())
def test_any_squares_come_back_from_tiled(board, tmp_path):
    kept = as_tiled_has_it(board)
    assert there_and_back(kept, ".tmj", tmp_path) == kept


@law
@given(board=random_boards.maps())
def test_any_dots_come_back_from_tiled_but_for_their_edges(board, tmp_path):
    kept = replace(as_tiled_has_it(board), edges=())
    again = there_and_back(kept, ".tmj", tmp_path)
    assert again.layout is kept.layout
    left, top = (min(place[at] for place in map(kept.layout.offset, kept.places())) for at in (0, 1))
    if (left, top) == (0, 0):
        assert again == kept
    else:
        assert len(list(again.places())) == len(list(kept.places()))


@pytest.mark.parametrize("board", of_kind("table"), ids=lambda board: board.name)
def test_a_table_that_comes_along_comes_back_from_geojson(board, tmp_path):
    assert there_and_back(board, ".geojson", tmp_path) == board


@pytest.mark.parametrize("board", of_kind("squares"), ids=lambda board: board.name)
def test_squares_that_come_along_come_back_from_tiled(board, tmp_path):
    again = there_and_back(board, ".tmj", tmp_path)
    assert again == replace(board, scenery=())


@pytest.mark.parametrize("board", of_kind("squares"), ids=lambda board: board.name)
def test_closed_squares_come_back_from_moving_ai(board, tmp_path):
    again = there_and_back(board, ".map", tmp_path)
    assert (again.walls == board.walls).all()


@pytest.mark.parametrize("board", of_kind("dots"), ids=lambda board: board.name)
def test_dots_come_back_from_megamek(board, tmp_path):
    """With a word of MegaMek for each of the board; ways up, doors and windows have no place there."""
    layout = OffsetLayout.ODD_COLUMNS
    plain = replace(
        board,
        layout=layout,
        edges=tuple(Edge("wall", edge.a, edge.b) for edge in board.edges if edge.kind == "wall" and not edge.levels),
        terrain_kinds=("light_woods",) * len(board.terrain_kinds),
    )
    again = there_and_back(plain, ".board", tmp_path)
    columns, rows = zip(*(layout.offset(dot) for dot in plain.places()), strict=True)
    left, top = min(columns) - min(columns) % 2, min(rows)

    def moved(dot):
        column, row = layout.offset(dot)
        return layout.dot(column - left, row - top)

    for dot in plain.places():
        there, here = again.index(moved(dot)), plain.index(dot)
        for plane in ("level", "storeys", "impassable"):
            assert getattr(again, plane)[there] == getattr(plain, plane)[here]
    assert {frozenset((edge.a, edge.b)) for edge in again.edges} == {
        frozenset((moved(edge.a), moved(edge.b))) for edge in plain.edges
    }
    holes = set(again.places()) - set(map(moved, plain.places()))
    assert all(again.impassable[again.index(hole)] for hole in holes)
