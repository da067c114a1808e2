"""Pictures of boards: well formed, the same every time, with all that lies on them."""

import itertools
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from simulator import load_board, parse_board
from simulator.errors import SimulatorError
from simulator.geometry.board import Label
from simulator.geometry.dots import DotMap
from simulator.geometry.squares import SquareGrid
from simulator.views import picture
from simulator.views.board_picture import draw
from simulator.views.overlays import Band, Looks, Overlays, RouteLine, UnitMark
from simulator.views.png import png_bytes

BOARDS = sorted((Path(__file__).resolve().parents[2] / "boards").glob("*.yaml"))


def texts(svg):
    return [element.text for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_every_board_that_comes_along_can_be_drawn_the_same_twice(path):
    svg = draw(load_board(path))
    assert svg == draw(load_board(path))
    shown = texts(svg)
    board = load_board(path)
    assert board.name in shown
    assert not any(board.content_hash in text for text in shown)  # a fingerprint tells people nothing
    for label in board.labels:
        assert label.text in shown
    assert len(svg) < 300_000


def test_what_was_asked_comes_first_in_the_legend():
    board = SquareGrid.from_text("""
        . . #
        . . .
    """)
    shown = texts(draw(board, Overlays([Band(board.region([(0, 0)]), "2 squares")], heading="least cost")))
    assert shown.index("least cost") < shown.index("2 squares") < shown.index("board") < shown.index("wall square")


def test_words_of_the_board_make_room_for_names():
    board = SquareGrid.open(9, 9, labels=(Label(4.5, 4.1, "Gate"),))
    svg = ET.fromstring(draw(board, Overlays(units=[UnitMark(4.5, 4.5, "kit the younger", radius=0.3)])))
    spots = {one.text: float(one.get("y")) for one in svg.iter("{http://www.w3.org/2000/svg}text")}
    assert abs(spots["Gate"] - spots["kit the younger"]) >= 11


def test_hostile_names_stay_text():
    nasty = "<script>alert('&')</script>"
    board = SquareGrid.open(3, 2, name=nasty, labels=(Label(1, 1, nasty),))
    assert texts(draw(board)).count(nasty) == 3  # title, and the label with its halo
    assert "<script" not in draw(board)


def test_what_lies_on_a_board_is_drawn_and_named():
    board = SquareGrid.open(6, 6, name="Hall")
    bare = draw(board)
    overlays = Overlays(
        bands=[Band(board.region([(1, 1), (2, 1)]), "up to 3", 0.2)],
        routes=[RouteLine([board.centre((0, 0)), board.centre((1, 1)), board.centre((2, 1))], "A1 walks", "red")],
        units=[
            UnitMark(*board.centre((0, 0)), "A1", "red", heading=315),
            UnitMark(*board.centre((4, 4)), "B1", "blue", base=board.outline((4, 4))),
        ],
    )
    full = draw(board, overlays)
    assert len(full) > len(bare)
    for words in ("up to 3", "A1 walks", "A1", "B1", "red", "blue"):
        assert words in texts(full)
        assert words not in texts(bare)


def test_the_legend_names_the_terrain_that_can_be_seen():
    legend = '{".": {terrain: floor}, "#": {%s}, "~": {terrain: pool}}'
    for kind, closed in (("squares", "wall"), ("dots", "impassable")):
        text = f"format: 1\nboard: {kind}\nlegend: {legend % (closed + ': true')}\nrows: |\n  ..#\n  ...\n"
        words = texts(draw(parse_board(text)))
        assert "floor" in words
        assert not {"open", "pool"} & set(words)


def wedges(svg):
    """How many wedges are drawn: the only path of six triangles."""
    paths = [path.get("d") for path in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}path")]
    drawn = [d for d in paths if d.count("M") == d.count("Z") == 6 and "l" not in d]
    return drawn[0].count("M") if drawn else 0


def test_a_wedge_for_every_heading():
    board = DotMap.open(4, 4)
    assert wedges(draw(board)) == 0
    full = draw(board, Overlays(looks=[Looks(*board.centre((1, 1)), (0, 60, 120)), Looks(1, -1, (180, 240, 300))]))
    assert wedges(full) == 6
    assert "may look there" in texts(full)
    assert "may look there" not in texts(draw(board))


def test_dots_carry_the_names_that_orders_use():
    board = DotMap.open(6, 4)
    assert {f"{q},{r}" for q, r in board.places()} <= set(texts(draw(board)))
    fine = set(texts(draw(DotMap.open(40, 40))))
    assert {"0,0", "5,0", "-5,10"} <= fine
    assert "1,0" not in fine
    assert "0,0" not in texts(draw(DotMap.open(200, 200)))


@pytest.mark.parametrize("size", range(4, 40, 3))
def test_names_of_dots_can_be_read_and_do_not_touch(size):
    """At least 7 pixels high where a page shows the picture at three quarters of its size."""
    board = DotMap.open(size, 12)
    root, svg = ET.fromstring(draw(board)), "{http://www.w3.org/2000/svg}"
    named = [
        (text, group)
        for group in root.iter(f"{svg}g")
        for text in group
        if re.fullmatch(r"-?\d+,-?\d+", text.text or "")
    ]
    assert named
    assert all(float(group.get("font-size")) * 0.75 >= 7 for _, group in named)
    rows = {}
    for text, group in named:
        rows.setdefault(text.get("y"), []).append(
            (float(text.get("x")), len(text.text) * float(group.get("font-size")) * 0.6)
        )
    for row in rows.values():
        places = sorted(set(row))
        assert all(b - a >= (wide + other) / 2 for (a, wide), (b, other) in itertools.pairwise(places))


def test_routes_that_stand_still_are_drawn_without_harm():
    board = DotMap.open(4, 4)
    for points in ([(0, 0)], [(0, 0), (0, 0)], [(0, 0), (1, 0), (1, 0)]):
        ET.fromstring(draw(board, Overlays(routes=[RouteLine(points)])))


def test_titles_and_widths_can_be_chosen():
    board = SquareGrid.open(40, 4)
    root = ET.fromstring(draw(board, title="Chosen", width_px=640))
    assert root[0].text == "Chosen"
    assert int(root.get("width")) <= 640


@pytest.mark.parametrize("letters", [20, 50, 90, 4000])
def test_a_title_fits_on_its_picture(letters):
    title = "m" * letters
    root = ET.fromstring(draw(SquareGrid.open(3, 3), title=title))
    (shown,) = [text for text in texts(draw(SquareGrid.open(3, 3), title=title)) if text and text.startswith("mmm")]
    assert len(shown) * 10 <= int(root.get("width")) <= 1000
    assert shown == title or (shown.endswith("…") and letters > 90)
    assert root[0].text == title


def test_boards_show_themselves_in_notebooks():
    board = SquareGrid.open(3, 3)
    assert board._repr_svg_() == draw(board)


def test_png():
    assert png_bytes(draw(SquareGrid.open(3, 3)), 1).startswith(b"\x89PNG")


def test_other_things_have_no_picture():
    with pytest.raises(TypeError, match="no picture of a int"):
        picture(3)
    assert issubclass(SimulatorError, Exception)
