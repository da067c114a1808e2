"""Arcs of fire, and where orders end if tests fail: on pictures, and on pages."""

import json
import re
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest

from simulator.formats.examples import examples
from simulator.formats.scenarios import load_scenario
from simulator.views.reach_picture import draw_answer, draw_foreseen, failed_ways, foreseen_spots
from simulator.views.replay import replay_page
from simulator.views.state_picture import draw_state, fire_arc_rims

SKID = "ann drive cruise: stop 2, left 180, on 1"
THROUGH = "ann drive max: move, left 60, move, right 60, move, left 60, stop 2, right 60, on 1"


@pytest.fixture
def story():
    return lambda name: load_scenario(examples("scenarios") / "dot_trooper" / f"{name}.yaml").start()


def words_of(svg):
    return " ".join(element.text for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))


class TestFailedTests:
    def test_a_mark_where_it_ends_with_its_chance_and_a_dashed_way_there(self, story):
        game = story("skid_into_the_wall")
        foreseen = game.foresee(SKID)
        (spot,) = foreseen_spots(foreseen)
        (failed,) = [ending for ending in foreseen.endings if ending.failed]
        assert (spot.x, spot.y) == game.board.centre(failed.state.unit("bike").place)
        assert spot.label == "58.3% here: control check: stop 180 fails (DT-93)"
        (way,) = failed_ways(foreseen)
        assert (way.unit, way.side, way.fails, way.points[-1]) == ("bike", "red", True, (spot.x, spot.y))
        drawn = draw_foreseen(foreseen)
        assert "58.3% here: control check:" in words_of(drawn)
        assert 'stroke-dasharray="2 4"' in drawn

    def test_marks_go_on_from_those_of_interruptions(self, story):
        spots = foreseen_spots(story("through_the_arc").foresee(THROUGH))
        assert [spot.number for spot in spots] == [1, 2]
        assert spots[0].label == "DT-97 cy: fire"

    def test_two_endings_at_one_place_are_one_mark_with_the_sum_of_their_chances(self, story):
        game = story("skid_into_the_wall")
        foreseen = game.foresee(SKID)
        whole = Fraction(0)
        for ending in foreseen.endings:
            whole += ending.chance if ending.failed else 0
        assert whole == Fraction(7, 12)
        assert len({(spot.x, spot.y) for spot in foreseen_spots(foreseen)}) == len(foreseen_spots(foreseen))

    def test_orders_without_tests_have_neither(self, story):
        foreseen = story("skid_into_the_wall").foresee("bo foot_move to 5,6")
        assert foreseen_spots(foreseen) == failed_ways(foreseen) == []


class TestArcs:
    def test_they_are_where_one_is_fired_at(self, story):
        game = story("through_the_arc")
        arcs = list(game.ruleset.fire_arcs(game.table))
        assert [(arc.unit, arc.side, arc.weapon) for arc in arcs] == [("cy", "blue", "rifle")]
        asked = {found.place[:2] for found in game.foresee(THROUGH).interruptions if found.clause == "DT-97"}
        assert asked
        assert asked <= set(arcs[0].places)

    def test_a_picture_of_the_position_has_all_of_them(self, story):
        game = story("through_the_arc")
        (rim,) = fire_arc_rims(game.table)
        assert rim.region.equals(game.board.region(next(iter(game.ruleset.fire_arcs(game.table))).places))
        assert "cy fires here (rifle)" in words_of(draw_state(game.table))

    def test_a_question_only_those_of_the_other_sides(self, story):
        game = story("through_the_arc")
        assert "cy fires here (rifle)" in words_of(draw_answer(game.table, game.reach("ann", "drive", mode="max")))
        assert "cy fires here (rifle)" in words_of(draw_foreseen(game.foresee(THROUGH)))
        assert fire_arc_rims(game.table, against="blue") == []

    def test_rules_without_arcs_have_none(self):
        game = load_scenario(examples("scenarios") / "grid_runner" / "market_chase.yaml").start()
        assert fire_arc_rims(game.table) == []

    def test_a_page_has_them_while_they_last(self):
        account = load_scenario(examples("scenarios") / "dot_trooper" / "battle_at_the_depot.yaml").run()
        page = replay_page(account.story, reach="nothing")
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])
        told = [moment["a"] for moment in data["moments"] if "a" in moment]
        assert len(told) > 1
        assert all(0 <= base < len(data["bases"]) and " fires here (" in whose for a in told for _, base, whose in a)
