"""Writing SVG: numbers, escaping, geometry as paths."""

import colorsys
import itertools
import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from simulator.geometry.squares import SquareGrid
from simulator.views.board_picture import draw
from simulator.views.dark import in_the_dark
from simulator.views.lattice_lines import runs
from simulator.views.palette import WALL, band_colour, chance_colour, side_colour, terrain_colours
from simulator.views.svg import Sheet, Svg, number
from simulator.wording import visible


@given(st.floats(-1e6, 1e6))
def test_numbers_are_short_and_right_to_a_hundredth(value):
    text = number(value)
    assert abs(float(text) - value) <= 0.005001
    assert text != "-0"
    assert "e" not in text


@given(st.text(alphabet=st.characters(max_codepoint=0x2FFF, exclude_categories=("Cs",))))
def test_any_name_is_escaped(name):
    svg = Svg(10, 10)
    svg.text(0, 0, name, data_name=visible(name))
    root = ET.fromstring(svg.document(name))
    title, text = root[0], root[1]
    assert (title.text or "") == visible(name)
    assert (text.text or "") == visible(name)
    assert text.get("data-name") == visible(name)


def test_a_polygon_with_a_hole_is_one_path_with_two_rings():
    sheet = Sheet(0, 0, 0, 10, 2)
    holed = shapely.Polygon([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (2, 1), (2, 2)]])
    path = sheet.path(holed)
    assert path.count("M") == path.count("Z") == 2
    assert path.startswith("M0 20")
    assert sheet.path(shapely.MultiPolygon([holed, shapely.box(6, 6, 7, 7)])).count("M") == 3
    assert sheet.path(shapely.LineString([(0, 0), (1, 1)])) == "M0 20 2 18"
    assert sheet.path(shapely.Polygon()) == ""


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 2**32))
def test_runs_cover_exactly_the_mask(rows, columns, seed):
    mask = np.random.default_rng(seed).random((rows, columns)) < 0.5
    painted = np.zeros_like(mask)
    for row, start, end in runs(mask).tolist():
        assert not painted[row, start:end].any()
        painted[row, start:end] = True
    assert np.array_equal(painted, mask)


def test_a_street_is_no_tree_and_twins_are_told_apart():
    colours = terrain_colours(["street", "tree", "church_floor", "house_floor", "some_word", "another_word"])
    assert len(set(colours.values())) == 6
    assert colours["street"] != terrain_colours(["tree"])["tree"]


@pytest.mark.parametrize(("share", "colour"), [(0, "#f3e3a8"), (1, "#2f5f8c"), (-3, "#f3e3a8"), (7, "#2f5f8c")])
def test_bands_run_from_light_to_dark(share, colour):
    assert band_colour(share) == colour


def test_sides_have_their_own_colours():
    assert side_colour("red") != side_colour("blue")
    assert side_colour("north", ("north", "south")) != side_colour("south", ("north", "south"))


@pytest.mark.parametrize(
    "words",
    [
        ["carpet", "parquet", "glass case"],  # no colour of their own, and hues beside one another
        ["hill", "slope", "soft_ground"],  # colours of their own, and hardly to be told apart
        ["pavement", "concrete", "floor", "room"],
        [f"kind{number}" for number in range(30)],
    ],
)
def test_no_two_kinds_of_ground_look_alike(words):
    channels = [[int(shade[at : at + 2], 16) for at in (1, 3, 5)] for shade in terrain_colours(words).values()]
    assert min(math.dist(one, other) for one, other in itertools.combinations(channels, 2)) > 11


def hue_of(colour):
    return colorsys.rgb_to_hls(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))[0]


def test_unknown_ground_keeps_out_of_the_hues_of_bands_and_sides():
    hues = [hue_of(colour) for colour in terrain_colours(f"kind{number}" for number in range(60)).values()]
    assert all(0.03 < hue < 0.19 for hue in hues)


def test_chances_are_darker_the_surer_they_are():
    """So they are told apart in grey, and by any eyes; the surest is green, the least sure orange."""
    steps = [chance_colour(number / 10) for number in range(11)]
    grey = [0.3 * red + 0.59 * green + 0.11 * blue for red, green, blue in map(channels_of, steps)]
    assert all(later < earlier - 4 for earlier, later in itertools.pairwise(grey))
    assert hue_of(steps[0]) < 0.1
    assert 0.3 < hue_of(steps[-1]) < 0.5


def channels_of(colour):
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


class TestInTheDark:
    def test_paper_is_dark_and_ink_is_light(self):
        picture = in_the_dark('<rect fill="#fbfaf6"/><text fill="#2f2c28" stroke="#fbfaf6">x</text>')
        paper, ink, halo = re.findall(r'"(#\w+)"', picture)
        assert max(channels_of(paper)) < 40 < 150 < min(channels_of(ink))
        assert halo == paper

    def test_closed_ground_stays_dark_and_walls_become_lines_that_are_seen(self):
        fill, stroke = re.findall(r'"(#\w+)"', in_the_dark(f'<path fill="{WALL}"/><path stroke="{WALL}"/>'))
        assert max(channels_of(fill)) < 20
        assert min(channels_of(stroke)) > 120

    def test_nothing_else_of_the_picture_changes(self):
        light = draw(SquareGrid.from_text(". # ,", name="fill=red"))
        dark = in_the_dark(light)
        assert dark != light
        assert re.sub(r"#[0-9a-f]{6,8}", "", dark) == re.sub(r"#[0-9a-f]{6,8}", "", light)


def test_there_may_be_as_many_kinds_as_a_board_may_have():
    assert len(terrain_colours(f"kind{number}" for number in range(255))) == 255


def test_a_word_is_known_with_spaces_too():
    assert terrain_colours(["deep water"])["deep water"] == terrain_colours(["deep_water"])["deep_water"]
