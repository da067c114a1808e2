"""What is written on pictures can be read: long words of the legend go on below, names keep out of the way of marks."""

import re

import shapely

from simulator import parse_board
from simulator.geometry.pieces import LineShape, Piece, rectangle
from simulator.geometry.squares import SquareGrid
from simulator.geometry.table import InchTable
from simulator.views.board_picture import draw
from simulator.views.legend import LINE, NEXT_LINE, LegendEntry, draw_legend, height_of
from simulator.views.overlays import Band, Overlays, RouteLine, Spot, UnitMark
from simulator.views.svg import Svg


def written(svg):
    return [(float(y), text) for y, text in re.findall(r'<text x="[^"]*" y="([^"]*)"[^>]*>([^<]*)</text>', svg)]


def test_a_long_word_goes_on_in_a_second_line_and_is_cut_only_there():
    entries = [
        LegendEntry("GR-49 watcher: intercept kit", lambda *_: None),
        LegendEntry("one word" + "s" * 60, lambda *_: None),
    ]
    entries += [LegendEntry("road", lambda *_: None)]
    svg = Svg(300, 200)
    draw_legend(svg, 0, 0, entries)
    lines = written(svg.document("words"))
    assert [text for _, text in lines][:2] == ["GR-49 watcher: intercept", "kit"]
    assert lines[2][1] == "one"
    assert lines[3][1].endswith("sss…")
    assert lines[4][0] - lines[0][0] == height_of(entries[:2]) == 2 * LINE + 2 * NEXT_LINE


def test_a_name_stands_above_its_unit_where_the_mark_of_a_spot_is_below():
    board = SquareGrid.open(24, 18)
    unit = UnitMark(5.5, 9.5, "watcher", "red", base=shapely.box(5, 9, 6, 10))
    free = {text: y for y, text in written(draw(board, Overlays(units=[unit])))}
    below = [Spot(5.5, 8.5, 1, "GR-49", "red")]
    moved = {text: y for y, text in written(draw(board, Overlays(units=[unit], spots=below)))}
    assert moved["watcher"] < free["watcher"] - 20


def test_ground_without_width_is_seen():
    """SK-23: the far side of a wall is a line or a point."""
    table = InchTable("Yard", 10, 10)
    for shape in (shapely.Point(3, 3), shapely.LineString([(2, 2), (2, 6)])):
        svg = draw(table, Overlays(bands=[Band(shape, "1 AP")]))
        assert 'stroke-width="4.5" stroke-linecap="round"' in svg
    assert 'stroke-linecap="round"' not in draw(table, Overlays(bands=[Band(shapely.box(1, 1, 2, 2), "1 AP")]))


def test_a_bent_line_beside_ground_encloses_nothing():
    """Ends on the far sides of two walls are a bent line: filled it would show ground that nobody reaches."""
    corner = shapely.LineString([(5, 5), (8, 5), (8, 8)])
    svg = draw(
        InchTable("Yard", 10, 10), Overlays(bands=[Band(shapely.union(shapely.box(1, 1, 2, 2), corner), "1 AP")])
    )
    paths = re.findall(r'<path d="([^"]*)"([^>]*)>', svg)
    # The lines of the grid are one path of straight pieces, which a fill has nothing to fill of.
    open_ones = [looks for path, looks in paths if not path.endswith("Z") and 'stroke="#0000000d"' not in looks]
    assert all('fill="none"' in looks for looks in open_ones)
    assert sum('stroke-width="4.5" stroke-linecap="round"' in looks for _, looks in paths) == 1


def test_a_wall_without_width_is_seen_on_every_layer():
    """Rulebooks go by the kind of a piece; one that is written without a layer lies on the ground and bars the way."""
    for layer in ("ground", "modifier", "cover", "obstacle"):
        wall = Piece("wall", "obstacle", LineShape([(5, 1), (5, 9)]), layer)
        assert draw(InchTable("Yard", 10, 10, pieces=[wall])).count('stroke-width="2.6"') == 1


def test_bands_look_in_the_legend_as_they_do_on_the_board():
    """The darkest band and a blue unit are of nearly one colour, but the band lets the ground show through."""
    board = SquareGrid.open(6, 6)
    svg = draw(board, Overlays(bands=[Band(board.region([(1, 1)]), "3 AP", 1.0)]))
    assert svg.count('fill="#2f5f8c" fill-opacity="0.62"') == 2


def test_the_words_beside_a_way_stand_ahead_of_its_tip():
    board = SquareGrid.open(9, 9)
    for stops, side in (((2, 2), (5, 2), (7, 2)), -1), (((4, 7), (4, 4)), -1), (((4, 2), (4, 6)), 1):
        route = RouteLine([board.centre(stop) for stop in stops], "4 squares")
        tip = 70 + (9 - board.centre(stops[-1])[1]) * 44
        (y, *_) = [y for y, text in written(draw(board, Overlays(routes=[route]))) if text == "4 squares"]
        assert 8 <= side * (y - tip) <= 20


def test_arrows_and_heights_stand_on_ground_that_nothing_stands_on():
    pieces = (
        Piece("rise", "slope", rectangle((10, 10), (20, 20)), "modifier", attributes={"uphill": 90}),
        Piece("hill", "hill", rectangle((10, 10), (12, 12)), "elevated", height=2),
    )
    svg = draw(InchTable("Rise", 20, 20, pieces=pieces))
    ((x, y),) = re.findall(r'd="M([\d.]+) ([\d.]+)[^"]*" stroke="#8c7349" stroke-width="1.8"', svg)
    inch = (1000 - 224 - 2 * 34) / 20
    assert not (4 < (float(x) - 34) / inch < 16 and 4 < (float(y) - 70) / inch < 16)


def test_the_name_of_a_dot_is_written_over_the_ladder_beside_it():
    text = 'format: 1\nboard: dots\nlegend: {".": {}}\nrows: |\n  . .\n   . .\n'
    svg = draw(parse_board(text + "edges: [{kind: ladder, between: [[0, 0], [0, 1]]}]\n"))
    names = [at.start() for at in re.finditer(">0,0<", svg)]
    assert len(names) == 2  # the second time over a halo
    assert names[0] > svg.rindex("M", 0, names[0])
    assert svg.count(">1,0<") == 1
