"""Pictures of reach: shaded by cost or by chance, with the headings of every end."""

import xml.etree.ElementTree as ET
from fractions import Fraction

from shapely.geometry import LineString, box

from simulator.geometry.dots import DotMap
from simulator.pathing.move_space import MoveSpace, MoveStep, Start
from simulator.pathing.reach import Reach
from simulator.pathing.search import search
from simulator.views.palette import chance_colour
from simulator.views.reach_picture import chance_bands, cost_bands, draw_reach, looks

TEXT = "{http://www.w3.org/2000/svg}text"


class Chances:
    """An answer that knows nothing but its chances."""

    def chance_bands(self, levels=None):
        known = [
            (Fraction(1), box(0, 0, 1, 1)),
            (Fraction(11, 12), box(1, 0, 2, 1)),
            (Fraction(5, 36), box(2, 0, 3, 1)),
        ]
        return [band for band in known if levels is None or band[0] in levels]


def test_bands_of_chance_are_named_by_the_least_they_have_and_the_surest_is_darkest():
    bands = chance_bands(Chances())
    assert [band.label for band in bands] == ["certain", "91.7% or more", "13.9% or more"]
    assert [band.colour for band in bands] == [chance_colour(float(level)) for level, _ in Chances().chance_bands()]
    assert [band.label for band in chance_bands(Chances(), [Fraction(1)])] == ["certain"]


class Thin:
    """An answer whose dearest and least sure bands are thinner than outlines are exact, and whose third is a line."""

    unit = "AP"

    def bands(self):
        return [(1, box(0, 0, 1, 1)), (2, LineString([(3, 0), (3, 1)])), (3, box(5, 0, 5.015, 1))]

    def chance_bands(self, levels=None):
        return [
            (Fraction(level, 4), area)
            for level, area in zip((4, 3, 2), (area for _, area in self.bands()), strict=True)
        ]


def test_slivers_are_no_bands_by_the_same_width_as_in_the_text_and_on_the_page():
    assert [(band.label, band.region.is_empty) for band in cost_bands(Thin())] == [("1 AP", False), ("2 AP", False)]
    assert [band.label for band in chance_bands(Thin())] == ["certain", "75% or more"]


def wheel():
    """A unit on one dot that turns about in steps of 60 degrees, or goes a dot east when it looks there."""
    board = DotMap.open(3, 1)
    headings = (0, 60, 120)
    steps = [MoveStep("ahead", 0, 1, 0, 0, cost=1)]
    steps += [MoveStep("turn", 0, 0, a, b, cost=1) for a, b in ((0, 60), (60, 120))]
    space = MoveSpace(
        shape=board.shape, steps=tuple(steps), headings=headings, starts=(Start(0, 0, 0),), budget=2, unit="AP"
    )
    return Reach(board, search(space))


def test_headings_are_gathered_place_by_place():
    reach = wheel()
    found = {(look.x, look.y): list(look.headings) for look in looks(reach)}
    centre = reach.board.centre
    assert found == {centre((0, 0)): [0, 60, 120], centre((1, 0)): [0, 60], centre((2, 0)): [0]}


def test_headings_are_drawn_when_they_are_asked_for():
    reach = wheel()
    told = [element.text for element in ET.fromstring(draw_reach(reach, headings=True)).iter(TEXT)]
    assert "may look there" in told
    assert "may look there" not in [element.text for element in ET.fromstring(draw_reach(reach)).iter(TEXT)]
