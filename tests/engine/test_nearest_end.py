"""The end nearest to a place, found by the ground around the place alone."""

from pathlib import Path

import numpy as np
import pytest
import shapely
import table_tanks

from simulator.engine.game import Game
from simulator.engine.nearest_end import likely_end, nearest_end
from simulator.errors import NoPose
from simulator.formats.scenarios import load_scenario
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.geometry.shapes import polygons_of
from simulator.geometry.table import InchTable

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
#: Vehicles, one of them at its edge of the board; a walker; and a turn of two phases, which takes longest by far.
ASKED = {
    "anvil": ("combined_arms/bridge_at_alder", "anvil", "move", {}),
    "climber": ("combined_arms/river_crossing", "climber", "move", {}),
    "leaving": ("combined_arms/east_bank", "tiger", "move", {"leaving": "true"}),
    "boar": ("mecha/house_rules_on_the_heights", "boar", "standard", {}),
    "bison": ("mecha/over_the_bank", "bison", "turn", {}),
}
KINDS = pytest.mark.parametrize("kind", [name for name in ASKED if name != "bison"])
PLACES = 8


def asked(kind):
    """Ask anew: nothing is known yet."""
    story, unit, action, values = ASKED[kind]
    return load_scenario(SCENARIOS / f"{story}.yaml").start().reach(unit, action, **values)


def places_out_of_reach(answer, count=PLACES):
    """Places all over the table at which the unit cannot end, near ones and far ones."""
    left, bottom, right, top = answer.table.board.bounds
    some = np.random.default_rng(3).uniform((left, bottom), (right, top), (8 * count, 2)).round(2)
    return [tuple(place) for place in some[np.isinf(answer.costs_at(some))].tolist()][:count]


class TestNearest:
    @pytest.mark.sampled("anvil")
    @KINDS
    def test_no_end_of_the_area_is_nearer_than_that_by_more_than_the_tolerance(self, kind):
        answer = asked(kind)
        places = places_out_of_reach(answer)
        assert len(places) == PLACES
        found = [nearest_end(answer, place) for place in places]
        for place, end in zip(places, found, strict=True):
            assert end in answer
            away = shapely.Point(end).distance(shapely.Point(place))
            assert away <= answer.area.distance(shapely.Point(place)) + answer.tolerance + 0.03

    # Long: all ends with the heading are drawn. Those in lines lie so exactly there that few of them can be named.
    @pytest.mark.long
    def test_neither_is_one_with_a_heading_that_is_no_place_on_a_line_alone(self):
        answer, heading = asked("climber"), 90
        for place in places_out_of_reach(answer, 4):
            end = nearest_end(answer, place, heading=heading)
            assert Pose(end, heading) in answer
            away = shapely.Point(end).distance(shapely.Point(place))
            ground = polygons_of(answer.area_of(heading=heading))
            assert away <= ground.distance(shapely.Point(place)) + answer.tolerance + 0.03

    # Long: the area of a whole turn is drawn.
    @pytest.mark.long
    def test_neither_is_one_of_a_turn_of_two_phases(self):
        answer = asked("bison")
        for place in places_out_of_reach(answer, 4):
            end = nearest_end(answer, place)
            assert end in answer
            away = shapely.Point(end).distance(shapely.Point(place))
            assert away <= answer.area.distance(shapely.Point(place)) + answer.tolerance + 0.03

    @pytest.mark.sampled("boar")
    @KINDS
    def test_it_is_the_same_when_the_area_is_known(self, kind):
        before, after = asked(kind), asked(kind)
        assert not after.area.is_empty
        for place in places_out_of_reach(before, 3):
            assert nearest_end(before, place) == nearest_end(after, place)

    def test_of_two_sides_of_a_wall_it_is_the_one_that_costs_less_though_hardly_farther_off(self):
        wall = Piece("wall", "wall", rectangle((16, 10), (1, 4)), "obstacle")
        tank = table_tanks.RULESET.make_unit("A1", "tank", "red", (11, 6), heading=0.0)
        answer = Game.new(table_tanks.RULESET, InchTable("Plain", 48, 30, pieces=[wall]), [tank]).reach("A1")
        before, beyond = answer.costs_at([(14.3, 10.0), (17.7, 10.0)])
        assert before < 16 < beyond < 24
        for place in ((16.0, 10.0), (16.03, 10.0)):
            assert nearest_end(answer, place)[0] < 16
        assert nearest_end(answer, (16.3, 10.0))[0] > 16

    def test_who_knows_no_headings_is_asked_for_none(self):
        scout = load_scenario(SCENARIOS / "skirmish/four_gaps.yaml").start().reach("scout", "run")
        assert scout.nearest_to((1.0, 1.0)) is not None
        with pytest.raises(NoPose, match="knows no headings"):
            scout.nearest_to((1.0, 1.0), heading=90)


class Narrow:
    """An answer that knows of an end and draws nothing around it: outlines fall short of true ones."""

    tolerance, most, start = 0.1, 6, (0.0, 0.0)
    levels = (6,)
    board = InchTable("Plain", 20, 20)

    def cost_at(self, pose):
        return None if np.isinf(self.costs_at([pose])[0]) else 4

    def costs_at(self, poses):
        return np.array([4.0 if pose.place == (5.0, 5.0) else np.inf for pose in poses])

    def within_besides(self, cost, ground, *, heading=None, level=None):
        assert ground.distance(shapely.Point(9, 5)) > 4
        return shapely.Polygon() if cost < self.most else shapely.Point(15, 15)

    def box_within(self, cost):
        return None

    def likely_ends(self, level):
        return np.array([(15.0, 15.0), (4.0, 5.0), (5.0, 5.0)])

    def end_near(self, place, level):
        return likely_end([self], place, level)


class Nowhere(Narrow):
    """An answer without ends, but perhaps for where it starts."""

    def __init__(self, stays):
        self.stays = stays

    def costs_at(self, poses):
        return np.array([0.0 if self.stays and pose.place == self.start else np.inf for pose in poses])

    def within_besides(self, cost, ground, *, heading=None, level=None):
        assert ground is None
        return shapely.Polygon()


@pytest.mark.parametrize(("stays", "end"), [(True, (0.0, 0.0)), (False, None)])
def test_who_gets_nowhere_ends_where_it_starts_if_it_may(stays, end):
    assert nearest_end(Nowhere(stays), (9.0, 5.0)) == end


class TestWhatIsDrawn:
    def test_an_end_that_is_known_counts_though_it_is_not_drawn(self):
        assert nearest_end(Narrow(), (9.0, 5.0)) == (5.0, 5.0)

    def test_the_whole_area_is_not_drawn_for_it(self):
        answer = asked("anvil")
        drawn = []
        whole = answer.planner.area
        object.__setattr__(answer.planner, "area", lambda *args, **named: drawn.append(named) or whole(*args, **named))
        place = places_out_of_reach(answer, 1)[0]
        assert answer.why_not(place).nearest is not None
        assert drawn
        for named in drawn:
            here = shapely.box(*answer.table.board.bounds)
            assert named["besides"].intersection(here).area > 0.5 * here.area
