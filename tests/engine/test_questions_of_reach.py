"""Questions of reach that every ruleset answers alike: two sets of options, a whole side, how much ground."""

import gc
import re
import weakref
from fractions import Fraction

import duel_ruleset
import numpy as np
import pytest
import shapely
from duel_ruleset import DuelReach, fighter

from simulator.engine.areas import (
    cells_in,
    common,
    extent,
    extent_text,
    ground,
    places_in,
    seen,
    solid,
    with_ground,
    without,
)
from simulator.engine.comparison import Comparison, compare, opening_options, price_changes_text
from simulator.engine.errors import OptionError, TableError, WrongQuestion
from simulator.engine.game import Game
from simulator.engine.orders import truth, unit_id, whole_number
from simulator.engine.reach import ReachAnswer
from simulator.engine.reach_questions import Ask
from simulator.engine.table import Setting, Table
from simulator.engine.threats import Threat, ThreatMap, threat_map
from simulator.geometry.dots import DotMap
from simulator.geometry.squares import SquareGrid
from simulator.geometry.table import InchTable


@pytest.fixture
def game(row):
    units = [fighter("A1", "red", 0), fighter("A2", "red", 4), fighter("B1", "blue", 7)]
    return Game.new(duel_ruleset.RULESET, row, units)


class TestAsking:
    def test_the_answer_of_the_small_ruleset_fulfils_the_contract(self, game):
        assert isinstance(game.reach("A1"), ReachAnswer)

    def test_values_are_read_as_the_ruleset_declares_them(self, game):
        assert game.reach("A1", ap="1").places == game.reach("A1", "walk", ap=1).places == ((0, 0), (1, 0))

    @pytest.mark.parametrize(
        ("action", "question", "told"),
        [
            ("wlak", {}, "duel has no reach for 'wlak'; did you mean 'walk'"),
            ("", {"pa": "3"}, "pa: a reach of duel takes no such value; known: ap"),
            ("", {"ap": "many"}, "ap: expected a number of AP from 0 to 9, not 'many'"),
            ("", {"ap": "99"}, "ap: expected a number of AP from 0 to 9, not '99'"),
            ("", {"pa": 3}, "pa: a reach of duel takes no such value; known: ap"),
            ("", {"ap": 99}, "ap: expected a number of AP from 0 to 9, not 99"),
            (3, {}, "duel has no reach for 3; known: walk"),
            (["walk"], {}, "duel has no reach for ['walk']; did you mean 'walk'"),
            ("", {"ap": 2.5}, "ap: expected a number of AP from 0 to 9, not 2.5"),
            ("", {"ap": [3]}, "ap: expected a number of AP from 0 to 9, not [3]"),
            ("", {"ap": "3" * 99}, f"not '{'3' * 59} …"),
        ],
    )
    def test_what_can_not_be_asked_is_told_with_what_can(self, game, action, question, told):
        with pytest.raises(WrongQuestion, match=re.escape(told)) as caught:
            game.reach("A1", action, **question)
        assert caught.value.exit_code == 2

    def test_what_stands_for_a_value_will_do_and_none_says_nothing(self, game):
        assert game.reach("A1", ap=np.int64(1)).places == game.reach("A1", ap=1.0).places == ((0, 0), (1, 0))
        assert game.reach("A1", ap=None).places == game.reach("A1").places

    def test_what_goes_with_some_actions_only_chooses_among_them(self, game, monkeypatch):
        asks = {
            "ap": Ask(whole_number("so many AP", 0, 9), ("walk", "crawl")),
            "foe": Ask(unit_id("an enemy"), ("crawl",)),
            "loud": Ask(truth()),
        }
        monkeypatch.setattr(duel_ruleset.RULESET, "reaches", {"fly": "", "walk": "", "crawl": ""}, raising=False)
        monkeypatch.setattr(duel_ruleset.RULESET, "asks", asks, raising=False)
        monkeypatch.setattr(
            duel_ruleset.RULESET, "reach", lambda _table, _unit, action, **said: (action, said), raising=False
        )
        assert game.reach("A1") == ("fly", {})
        assert game.reach("A1", loud="TRUE") == ("fly", {"loud": True})
        assert game.reach("A1", ap=2) == ("walk", {"ap": 2})
        assert game.reach("A1", ap=2, foe="B1") == ("crawl", {"ap": 2, "foe": "B1"})
        with pytest.raises(WrongQuestion, match="foe=B1 goes with crawl, not with walk"):
            game.reach("A1", "walk", foe="B1")
        with pytest.raises(WrongQuestion, match="ap=2 goes with walk or crawl, not with fly"):
            game.reach("A1", "fly", ap=2)
        with pytest.raises(WrongQuestion, match="foe: there is no 'B9'; known: A1, A2, B1"):
            game.reach("A1", foe="B9")
        assert asks["ap"].about == "so many AP; with walk or crawl"
        assert asks["loud"].about == "true or false"

    def test_before_the_beginning_nobody_has_a_reach(self, game):
        game.undo()
        with pytest.raises(TableError, match="the game has not begun"):
            game.reach("A1")

    def test_a_unit_off_the_table_has_no_reach(self, game):
        game.state = game.state.put_unit("A1", place=None)
        with pytest.raises(TableError, match="A1 is not on the table"):
            game.reach("A1")

    def test_who_may_act_without_a_place_may_be_asked_about(self, game, monkeypatch):
        """Riders that get off, and those who wait at the edge of the table."""
        game.state = game.state.put_unit("A1", place=None)
        rules = type(duel_ruleset.RULESET)
        monkeypatch.setattr(type(rules.clock), "can_act", lambda *_: True)
        monkeypatch.setattr(rules, "reach", lambda *asked: (asked[2].id, asked[3]))
        assert game.reach("A1") == ("A1", "walk")

    def test_without_an_action_the_first_that_answers_counts(self, game, monkeypatch):
        def picky(table, unit, action, **question):
            if action == "fly":
                raise TableError("nobody flies")
            return DuelReach(table, unit, 1)

        monkeypatch.setattr(duel_ruleset.RULESET, "reaches", {"fly": "", "walk": ""}, raising=False)
        monkeypatch.setattr(duel_ruleset.RULESET, "reach", picky, raising=False)
        assert game.reach("A1").places == ((0, 0), (1, 0))
        with pytest.raises(TableError, match="nobody flies"):
            game.reach("A1", "fly")
        with pytest.raises(TableError, match="nobody flies"):
            game.reach("A1", ap=1)


class TestTwoSetsOfOptions:
    def test_what_is_gained_and_cheaper_and_by_which_clause(self, game):
        found = compare(game, "A1", {"impeded_cost": 1})
        assert [str(option) for option in found.options] == ["DU-2  impeded_cost: 3/2 -> 1"]
        assert places_in(game.board, found.gained) == ((3, 0),)
        assert places_in(game.board, found.cheaper) == ((2, 0),)
        assert places_in(game.board, found.kept) == ((0, 0), (1, 0), (2, 0))
        assert found.lost.is_empty
        assert found.dearer.is_empty
        assert found

    def test_the_other_way_round_it_is_lost_and_dearer(self, game):
        cheap = Game.new(duel_ruleset.RULESET, game.board, list(game.state), options={"impeded_cost": 1})
        found = cheap.compare("A1", {"impeded_cost": "3/2"})
        assert places_in(game.board, found.lost) == ((3, 0),)
        assert places_in(game.board, found.dearer) == ((2, 0),)
        assert [(change.before, change.after) for change in found.prices] == [(2, 2.5)]

    def test_an_option_that_changes_nothing_says_so(self, game):
        found = game.compare("A1", {"lunges": False})
        assert not found
        assert "nothing changes" in str(found)
        assert found.to_fields()["gained"] == {"extent": 0, "places": []}

    def test_chances_that_change_are_told(self, row):
        units = [fighter("A1", "red", 2), fighter("B1", "blue", 3)]
        game = Game.new(duel_ruleset.RULESET, row, units)
        found = compare(game, "A1", {})
        calm = type(found)(found.table, found.before, DuelReach(game.table, game.state.unit("A1"), 3), ())
        assert not calm
        alone = Game.new(duel_ruleset.RULESET, row, units[:1])
        safe = type(found)(found.table, found.before, alone.reach("A1"), ())
        assert places_in(row, safe.surer) == ((0, 0), (1, 0))
        assert safe.riskier.is_empty

    def test_an_option_that_is_none_is_refused(self, game):
        with pytest.raises(OptionError, match="did you mean 'impeded_cost'"):
            game.compare("A1", {"impeded_cots": 1})

    def test_options_that_open_a_place(self, game, monkeypatch):
        class Other(duel_ruleset.DuelOptions):
            impeded_cost: str = duel_ruleset.option("DU-2", 2, 1)

        setting = type(game.setting)(game.ruleset, game.board, Other(), game.setting.tables)
        strict = Game(setting, game.state)
        assert (3, 0) not in strict.reach("A1")
        assert [str(option) for option in opening_options(strict, "A1", (3, 0))] == ["DU-2  impeded_cost: 2 -> 1"]
        seen = []
        assert opening_options(strict, "A1", (7, 0), watch=lambda done, of: seen.append((done, of))) == ()
        assert seen[0] == (0, seen[-1][1])
        assert [done for done, _ in seen] == list(range(seen[-1][1] + 1))


class TestThreats:
    def test_counts_and_layers_agree(self, game):
        found = threat_map(game, "red")
        assert found.counts.tolist() == [[1, 1, 2, 1, 1, 1, 1, 0]]
        both = game.threats("red", ap=4)
        assert both.counts.tolist() == [[1, 2, 2, 2, 1, 1, 1, 0]]
        assert [extent(game.board, area) for area in both.at_least] == [7, 3]
        assert [(count, extent(game.board, area)) for count, area in both.exactly] == [(1, 4), (2, 3)]
        assert both.units_at((3, 0)) == ("A1", "A2")
        assert both.to_fields()["counts"] == both.counts.tolist()

    def test_no_answer_outlives_the_map_of_a_lattice(self, game, monkeypatch):
        kept = []
        ask = type(game).reach_many

        def asked(*args, **named):
            for name, answer in ask(*args, **named):
                kept.append(weakref.ref(answer))
                yield name, answer

        monkeypatch.setattr(type(game), "reach_many", asked)
        found = threat_map(game, "red")
        gc.collect()
        assert [answer() for answer in kept] == [None, None]
        assert found.units_at((2, 0)) == ("A1", "A2")
        assert [len(game.reach(name)) for name in ("A1", "A2")] == [one.extent for one in found.threats.values()]
        assert sum(one.cells.astype(int) for one in found.threats.values()).tolist() == found.counts.tolist()

    def test_those_who_can_not_be_asked_are_named(self, game):
        game.state = game.state.put_unit("A2", place=None)
        found = game.threats("red")
        assert found.silent == {"A2": "A2 is not on the table"}
        assert "A2: nowhere; A2 is not on the table" in str(found)

    def test_a_side_that_is_none_is_refused(self, game):
        with pytest.raises(TableError, match="there is no side 'rde'; did you mean 'red'"):
            game.threats("rde")

    def test_on_a_table_the_layers_are_overlays(self, plain):
        """Three squares in a row that overlap: counted by area, whatever the order in which they come."""
        for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
            found = ThreatMap(plain, "red", {f"U{x}": Threat.of(plain, Blob(x)) for x in order}, {})
            # Those at 0 and 2 only touch: no ground is common to all three.
            assert [round(area.area, 6) for area in found.at_least] == [8, 4]
            assert [round(area.area, 6) for _, area in found.exactly] == [4, 4]
            assert [feature["properties"]["units"] for feature in found.to_geojson()["features"]] == [1, 2]
            with pytest.raises(TableError, match="no cells"):
                found.counts  # noqa: B018


class Blob:
    """An answer on a table: a square of two inches, its left half cheap and certain, the other half dearer."""

    action, unit = "roll", "AP"

    def __init__(self, x, cost=1, chance=Fraction(1, 2)):
        self.x, self.area, self.cost, self.chance = x, shapely.box(x, 0, x + 2, 2), cost, chance

    def halves(self, levels, values, wanted):
        halves = [shapely.box(self.x, 0, self.x + 1, 2), shapely.box(self.x + 1, 0, self.x + 2, 2)]
        found, seen = [], set()
        for level in sorted(set(values), reverse=wanted) if levels is None else levels:
            here = [n for n in (0, 1) if n not in seen and (values[n] >= level if wanted else values[n] <= level)]
            seen |= set(here)
            found.append((level, shapely.union_all([halves[n] for n in here])))
        return found

    def bands(self, levels=None):
        return self.halves(levels, (self.cost, self.cost + 1), False)

    def chance_bands(self, levels=None):
        return self.halves(levels, (Fraction(1), self.chance), True)


@pytest.fixture
def plain(game):
    """A table of nine by nine inches."""
    table = InchTable(name="Plain", width=9, height=9)
    return Table(Setting(game.ruleset, table, game.setting.options, game.setting.tables), game.state)


class TestTwoAnswersOnATable:
    def test_ground_that_is_gained_and_lost(self, plain):
        found = Comparison(plain, Blob(0), Blob(1), ())
        assert (found.gained.area, found.lost.area, found.kept.area) == (2, 2, 2)
        assert [(change.before, change.after, change.area.area) for change in found.prices] == [(2, 1, 2)]
        assert (found.cheaper.area, found.dearer.area) == (2, 0)
        assert (found.surer.area, found.riskier.area) == (2, 0)
        assert "gained   2 square inches" in str(found)
        assert found.to_fields()["gained"] == {"extent": 2}

    def test_the_same_answer_twice_changes_nothing(self, plain):
        assert not Comparison(plain, Blob(0), Blob(0), ())

    def test_what_costs_or_risks_more(self, plain):
        found = Comparison(plain, Blob(0), Blob(0, cost=5, chance=Fraction(1, 3)), ())
        assert found.dearer.area == 4
        assert found.riskier.area == 2
        assert price_changes_text(found) == ["2 square inches: 1 AP -> 5 AP", "2 square inches: 2 AP -> 6 AP"]
        assert price_changes_text(found, most=1)[-1] == "and 1 more"
        kinds = [feature["properties"]["what"] for feature in found.to_geojson()["features"]]
        assert kinds == ["gained", "lost", "dearer", "cheaper", "kept"]


class TestHowMuchGround:
    @pytest.mark.parametrize(
        "board",
        [SquareGrid.open(5, 4), DotMap.open(5, 4), DotMap.from_text("_ . .\n . # _\n. . ."), SquareGrid.open(1, 1)],
        ids=["squares", "dots", "ragged dots", "one"],
    )
    def test_places_come_back_from_the_area_they_cover(self, board):
        places = list(board.places())[::2]
        area = board.region(places)
        assert places_in(board, area) == tuple(sorted(places, key=lambda place: (place[1], place[0])))
        assert extent(board, area) == len(places)
        assert not cells_in(board, shapely.Polygon()).any()

    def test_on_a_table_it_is_measured(self):
        table = InchTable(name="Plain", width=9, height=9)
        assert extent(table, shapely.box(0, 0, 2, 3)) == 6
        assert extent_text(table, 6.25) == "6.25 square inches"
        assert extent_text(table, 1) == "1 square inch"
        assert extent_text(SquareGrid.open(2, 2), 1.0) == "1 place"

    def test_lines_and_points_are_no_ground(self):
        mixed = shapely.GeometryCollection([shapely.box(0, 0, 1, 1), shapely.LineString([(2, 2), (3, 3)])])
        assert ground(mixed).area == 1
        assert ground(shapely.LineString([(2, 2), (3, 3)])).is_empty
        assert common(mixed, mixed).area == 1
        assert without(mixed, shapely.box(0, 0, 1, 0.5)).area == 0.5
        assert without(mixed, shapely.box(0, 0, 1, 0.999)).is_empty  # thinner than outlines are right
        assert np.isclose(ground(shapely.union(shapely.box(0, 0, 1, 1), shapely.box(3, 3, 4, 4))).area, 2)

    @pytest.mark.parametrize(("width", "told"), [(0.015, False), (0.019, False), (0.021, True)])
    def test_what_is_too_thin_is_so_for_every_question(self, width, told):
        """Two outlines may each be off by a hundredth: a strip has to be wider than both together to be ground."""
        strip = shapely.box(3, 0, 3 + width, 9)
        both = strip.union(shapely.box(0, 0, 2, 1))
        for area in (both, shapely.union(both, shapely.LineString([(5, 0), (5, 2)]))):
            assert (solid(area).area > 2) is told
            assert (ground(seen(area)).area > 2) is told
        assert (not without(both, shapely.box(0, 0, 2, 1)).is_empty) is told
        assert [level for level, _ in with_ground([(1, both), (2, strip)])] == [1, 2][: 1 + told]

    def test_lines_can_be_seen_and_hold_no_ground(self):
        line = shapely.LineString([(5, 0), (5, 2)])
        assert seen(line) == line
        assert solid(line).is_empty
        assert with_ground([(1, line), (2, shapely.Polygon())]) == [(1, line)]
        sliver = shapely.box(9, 0, 9.01, 4)
        assert with_ground([(1, shapely.GeometryCollection([sliver, line]))]) == []
