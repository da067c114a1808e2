"""Bases that are no discs: drawn as they stand, in pictures and on pages."""

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))

from duel_ruleset import DuelRuleset

from simulator.engine.game import Game
from simulator.engine.story import Story
from simulator.engine.table import Depiction
from simulator.geometry.footprints import Rectangle
from simulator.geometry.table import InchTable
from simulator.views.board_picture import TIP
from simulator.views.replay import replay_page
from simulator.views.state_picture import draw_state, unit_marks


class Tanks(DuelRuleset):
    """A duel on a table, whose fighters drive about in boxes."""

    boards = ("table",)
    reaches = {}  # noqa: RUF012

    def draw(self, table):
        for unit in table.state:
            base = Rectangle(4, 2).at(*unit.place, unit.heading)
            yield Depiction(unit.id, unit.side, unit.place, unit.heading, base=base)


@pytest.fixture
def game():
    rules = Tanks()
    units = [rules.make_unit("A1", "fighter", "red", (5, 5), 90), rules.make_unit("B1", "fighter", "blue", (15, 5), 0)]
    return Game.new(rules, InchTable(name="Yard", width=20, height=10), units)


def test_a_picture_shows_them(game):
    standing = [mark.base.bounds for mark in unit_marks(game.table)]
    assert standing == [(4, 3, 6, 7), (13, 4, 17, 6)]
    assert [TIP * mark.radius for mark in unit_marks(game.table)] == [2, 2]  # arrow heads end at their fronts
    assert draw_state(game.table).count("<circle") == 0


def test_a_page_shows_them(game):
    page = replay_page(Story.of(game))
    found = json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
    assert len(found["bases"]) == 2  # one for each heading, told from its middle
