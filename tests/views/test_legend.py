"""What is written on pictures can be read: long words of the legend go on below, names keep out of the way of marks."""

import re

import shapely

from simulator.geometry.squares import SquareGrid
from simulator.geometry.table import InchTable
from simulator.views.board_picture import draw
from simulator.views.legend import LINE, NEXT_LINE, Entry, draw_legend, height_of
from simulator.views.overlays import Band, Overlays, Spot, UnitMark
from simulator.views.svg import Svg


def written(svg):
    return [(float(y), text) for y, text in re.findall(r'<text x="[^"]*" y="([^"]*)"[^>]*>([^<]*)</text>', svg)]


def test_a_long_word_goes_on_in_a_second_line_and_is_cut_only_there():
    entries = [Entry("GR-49 watcher: intercept kit", lambda *_: None), Entry("one word" + "s" * 60, lambda *_: None)]
    entries += [Entry("road", lambda *_: None)]
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
