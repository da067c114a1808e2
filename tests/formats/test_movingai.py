"""The Moving AI format: maps, queries, and what is said of broken ones."""

import math
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.errors import FileError, LimitReached
from simulator.formats.movingai import load_map, load_queries, parse_map, parse_queries

HERE = Path(__file__).parent / "movingai"
REAL = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "movingai"
HEAD = "type octile\nheight 2\nwidth 3\nmap\n"


def shortest(board, start, goal):
    """Length of the shortest way over the board's own graph: another search than the pathfinder's."""
    graph = board.graph
    for _, _, edge in graph.edges(data=True):
        edge["weight"] = math.sqrt(2) if edge["diagonal"] else 1.0
    return nx.dijkstra_path_length(graph, start, goal)


def test_a_map_becomes_a_grid():
    board = load_map(HERE / "cellar.map")
    assert (board.name, board.width, board.height) == ("cellar", 10, 8)
    assert board.terrain_at((3, 3)) == "trees"
    assert bool(board.walls[3, 3]) is True
    assert board.neighbours((2, 2)) == [(2, 3), (3, 2)]


def test_water_is_open_to_whoever_is_in_it():
    board = load_map(HERE / "cellar.map")
    assert board.neighbours((9, 4)) == [(9, 3), (9, 5)]
    assert (9, 4) not in board.neighbours((8, 4))


def test_queries_are_read():
    (query, *others) = load_queries(HERE / "cellar.map.scen")
    assert (query.bucket, query.map_name, query.start, query.goal) == (2, "cellar.map", (0, 0), (9, 0))
    assert query.length == 9
    assert len(others) == 5


def test_the_lengths_of_the_sample_are_right():
    board = load_map(HERE / "cellar.map")
    for query in load_queries(HERE / "cellar.map.scen"):
        assert shortest(board, query.start, query.goal) == pytest.approx(query.length, rel=1e-7)


@pytest.mark.skipif(not REAL.is_dir(), reason="the published maps are not part of the project")
@pytest.mark.parametrize("name", ["empty-8-8", "random-32-32-20"])
def test_published_maps_and_lengths(name):
    board = load_map(REAL / f"{name}.map")
    for query in load_queries(REAL / f"{name}-random-1.scen")[:40]:
        assert shortest(board, query.start, query.goal) == pytest.approx(query.length, rel=1e-4)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "1:1", "the line 'map' is missing"),
        ("hello\n", "1:1", "expected 'type', 'height', 'width' or 'map'"),
        ("type tile\nheight 2\nwidth 3\nmap\n...\n...\n", "1:1", "only maps of type octile"),
        ("type octile\nheight two\nwidth 3\nmap\n", "4:1", "height has to be a whole number"),
        ("type octile\nheight 2\nmap\n", "3:1", "width has to be a whole number"),
        (HEAD + "...\n", "5:1", "1 rows, but the header has height 2"),
        (HEAD + "...\n..\n", "6:3", "2 letters, but the header has width 3"),
        (HEAD + "...\n.x.\n", "6:2", "no such letter 'x'"),
    ],
)
def test_broken_maps(text, place, message):
    with pytest.raises(FileError, match=message) as caught:
        parse_map(text, "a.map")
    assert str(caught.value).startswith(f"a.map:{place}: ")


def test_maps_beyond_the_limit():
    with pytest.raises(LimitReached, match="at most 4000000"):
        parse_map("type octile\nheight 40000\nwidth 40000\nmap\n")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "'version 1'"),
        ("version 2\n", 1, "'version 1'"),
        ("version 1\n0 a.map 8 8 1 1\n", 2, "6 fields"),
        ("version 1\n0\ta.map\t8\t8\t1\t8\t2\t2\t1\n", 2, "field 6 is 8, the map ends at 7"),
        ("version 1\n0\ta.map\t8\t8\t1\t-1\t2\t2\t1\n", 2, "whole number"),
        ("version 1\n0\ta.map\t8\t8\t1\t1\t2\t2\tnan\n", 2, "the length has to be a number"),
    ],
)
def test_broken_queries(text, line, message):
    with pytest.raises(FileError, match=message) as caught:
        parse_queries(text, "a.scen")
    assert caught.value.faults[0].line == line


def test_files_that_can_not_be_read(tmp_path):
    with pytest.raises(FileError, match="No such file"):
        load_map(tmp_path / "none.map")
    (tmp_path / "odd.map").write_bytes(b"type octile\n\xff")
    with pytest.raises(FileError, match="byte 12 is not an ASCII"):
        load_map(tmp_path / "odd.map")


@given(st.text())
def test_any_text_is_read_or_refused(text):
    for parse in (parse_map, parse_queries):
        try:
            parse(text)
        except FileError as error:
            assert error.faults
