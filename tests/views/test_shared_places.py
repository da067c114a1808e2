"""Units that share a place: their bases lie apart, and no name lies on another, in pictures and on pages."""

import json
import random
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from simulator.engine.game import Game
from simulator.engine.story import Story
from simulator.geometry.dots import DotMap
from simulator.geometry.squares import SquareGrid
from simulator.rulesets import shelf
from simulator.views.replay import replay_page
from simulator.views.state_picture import draw_state, named_marks, unit_marks

#: About how wide a letter is in the pictures, and how tall: a little less than what they reserve.
LETTER, LINE = 6.0, 10.0


def crowd(seed):
    """Characters of two sides at 5 metres to a square, up to six of them on one."""
    rng = random.Random(seed)
    rules = shelf()["grid_runner"]
    squares = [(column, row) for column in range(1, 7) for row in range(1, 5)]
    units = []
    for square in rng.sample(squares, 4):
        for _ in range(rng.randint(1, 6)):
            name = rng.choice(("ash", "cassandra", "bo", "x")) + str(len(units))
            side = rng.choice(("west", "east"))
            units.append(rules.make_unit(name, "character", side, square, prone=rng.random() < 0.3))
    return Game.new(rules, SquareGrid.open(8, 6), units, options={"scale": "m5"})


def names_in(svg, game):
    """The boxes of all names of units."""
    found = {}
    for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        if text.get("text-anchor") == "middle" and (text.text or "").split(" ")[0] in game.state.units:
            x, y, wide = float(text.get("x")), float(text.get("y")), len(text.text) * LETTER
            found[text.text] = (x - wide / 2, y - LINE, x + wide / 2, y)
    return found


def meet(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("seed", range(12))
def test_every_name_can_be_read_and_every_base_be_seen(seed):
    game = crowd(seed)
    for marks in (unit_marks(game.table), named_marks(game.table)):
        assert [mark.label.split(" ")[0] for mark in marks] == [unit.id for unit in game.state]
        for one, other in combinations(marks, 2):
            assert one.base.intersection(other.base).area < 1e-9
    names = names_in(draw_state(game.table), game)
    assert len(names) == len(list(game.state))
    assert not [(a, b) for (a, one), (b, other) in combinations(names.items(), 2) if meet(one, other)]


def test_troopers_above_one_another_are_drawn_apart():
    rules = shelf()["dot_trooper"]
    units = [
        rules.make_unit("low", "trooper", "red", (2, 1)),
        rules.make_unit("high", "trooper", "blue", (2, 1), level=2),
    ]
    board = DotMap.open(6, 4)
    game = Game.new(rules, board, units, begin=False)
    low, high = unit_marks(game.table)
    assert low.base.intersection(high.base).area < 1e-9
    assert low.y > high.y


def test_a_vehicle_tells_who_rides_it():
    rules = shelf()["dot_trooper"]
    units = [
        rules.make_unit("bike", "vehicle", "red", (2, 1), 0, on=True),
        rules.make_unit("ann", "trooper", "red", aboard="bike"),
        rules.make_unit("bob", "trooper", "red", aboard="bike", seat="passenger"),
    ]
    (mark,) = unit_marks(Game.new(rules, DotMap.open(6, 4), units).table)
    assert mark.label.endswith("with ann, bob")


def test_on_a_page_they_have_places_of_their_own():
    game = crowd(3)
    page = replay_page(Story.of(game))
    data = json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
    shown = {}
    for moment in data["moments"]:
        shown |= {int(number): spot for number, spot in moment.get("u", {}).items() if spot}
    spots = [tuple(spot[:2]) for spot in shown.values()]
    assert len(spots) == len(set(spots)) == len(list(game.state))
