"""Reach from everywhere is what the game says of a unit that stands there: everywhere, asked one by one."""

from pathlib import Path

import numpy as np
import pytest
from dt_games import bike, trooper
from dt_games import game as dt_game
from grid_runner_positions import opening, variants
from one_truth import table_position
from standing_elsewhere import stood_at
from test_reverse_reach import in_the_saddle, on_foot

from simulator import load_scenario
from simulator.engine.errors import TableError, WrongQuestion
from simulator.engine.game import Game
from simulator.rulesets.dot_trooper.drive_states import HEADINGS

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"


def in_bulk(every):
    """What each place costs from each start: by place, heading and level of the start."""
    found = {}
    for some in every.from_cells(0, len(every)):
        costs = some.prices[some.everywhere(every.raster.shape)]
        for number, cell in enumerate(some.cells.tolist()):
            start = (every.raster.place(cell), *some.labels[some.states[number]])
            assert start not in found
            assert np.isinf(costs[number]).all() or number not in some.unanswered
            found[start] = costs[number][every.raster.present].tolist()
    return found


def one_by_one(game, unit, mover, action, headings=(None,), **question):
    """The same of `Game.reach` from one start after the other."""
    found, places = {}, list(game.board.places())
    for place in places:
        for heading in headings:
            for twin in stood_at(game, mover, place, heading):
                pose = game.ruleset.pose_of(twin.table, twin.state.unit(mover))
                try:
                    costs = twin.reach(unit, action, **question).costs_at(np.array(places)).tolist()
                except TableError:
                    costs = [np.inf] * len(places)
                found[place, pose.heading, pose.level] = costs
    return found


class TestEverySquare:
    @pytest.mark.parametrize("seed", range(24))
    def test_is_reach_from_there(self, seed):
        every = variants()
        game = opening(seed, every[seed * 7 % len(every)], size=(6, 5))
        action = ("move", "withdrawal", "one_square_move", "tumble")[seed % 4]
        question = [{}, {"mode": "run"}, {"sprint": 2}, {"sprint": True}][seed // 4 % 4]
        bulk = game.bulk_reach("A", action, **question)
        assert bulk.departures is not None
        assert in_bulk(bulk) == one_by_one(game, "A", "A", action, **question)

    @pytest.mark.parametrize("seed", range(3))
    def test_so_it_is_over_several_passes_and_for_charges_which_are_asked_one_by_one(self, seed):
        game = opening(seed, variants()[0], size=(4, 4))
        enemy = next(unit.id for unit in game.state if unit.side != game.state.unit("A").side)
        for action, question in (("move", {"passes": 2}), ("charge_attack", {"target": enemy})):
            bulk = game.bulk_reach("A", action, **question)
            assert bulk.departures is None
            assert in_bulk(bulk) == one_by_one(game, "A", "A", action, **question)

    def test_of_one_who_grapples(self):
        """GR-79: where it stands now it is with another one, as nowhere else."""
        game = next(
            game for number in range(10**4) if "G1" in (game := opening(number, variants()[0], size=(4, 4))).state.units
        )
        found = in_bulk(game.bulk_reach("G1", "move"))
        assert found == one_by_one(game, "G1", "G1", "move")
        assert [place for place, _, _ in found] == [game.state.unit("G1").place]

    def test_a_range_of_cells_has_their_part(self):
        game = opening(3, variants()[0], size=(5, 5))
        bulk = game.bulk_reach("A", "move")
        cells = [cell for some in bulk.from_cells(7, 14) for cell in some.cells.tolist()]
        assert cells == [cell for some in bulk.from_cells(0, 25) for cell in some.cells.tolist() if 7 <= cell < 14]
        assert cells == sorted(cells)


class TestEveryDot:
    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(24))
    def test_is_reach_from_there_on_foot_and_in_the_air(self, seed):
        game, action = on_foot(seed), ("foot_move", "turn", "activate_jet_pack")[seed % 3]
        bulk = game.bulk_reach("A1", action)
        assert in_bulk(bulk) == one_by_one(game, "A1", "A1", action)

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(12))
    def test_is_reach_from_there_in_every_heading_in_the_saddle(self, seed):
        game, question = in_the_saddle(seed)
        bulk = game.bulk_reach("A1", "drive", **question)
        assert bulk.headings == HEADINGS
        assert bulk.departures is not None
        assert in_bulk(bulk) == one_by_one(game, "A1", "bike", "drive", HEADINGS, **question)

    def test_headings_can_be_chosen(self):
        game, question = in_the_saddle(2)
        every = in_bulk(game.bulk_reach("A1", "drive", **question))
        some = in_bulk(game.bulk_reach("A1", "drive", headings=[60, 420, 300.0], **question))
        assert some == {start: costs for start, costs in every.items() if start[1] in (60, 300)}
        with pytest.raises(WrongQuestion, match="there is no heading 45 here: 0, 60, 120, 180, 240, 300"):
            game.bulk_reach("A1", "drive", headings=[45], **question)
        with pytest.raises(WrongQuestion, match="a heading is a finite number of degrees"):
            game.bulk_reach("A1", "drive", headings=[float("nan")], **question)
        with pytest.raises(WrongQuestion, match="B1 has no heading: leave it out"):
            game.bulk_reach("B1", "foot_move", headings=[60])

    def test_whole_flights_and_large_maps_are_asked_one_by_one(self, monkeypatch):
        game = dt_game([*bike(), trooper("B1", "blue", (5, 5), jet_pack="worn")], options={"flight_path": "no_revisit"})
        assert game.bulk_reach("B1", "turn").departures is None
        assert game.bulk_reach("B1", "foot_move").departures is not None
        assert game.bulk_reach("A1", "drive").departures is not None
        monkeypatch.setattr("simulator.rulesets.dot_trooper.reach.departures._MOST_DOTS", 9)
        assert game.bulk_reach("A1", "drive").departures is None

    def test_who_cannot_move_so_gets_nowhere_from_everywhere(self):
        game, _ = in_the_saddle(0)
        game = Game(game.setting, game.state.with_unit(game.state.unit("bike").put(on=False)))
        bulk = game.bulk_reach("A1", "drive", headings=[0])
        assert bulk.departures is None
        found = [costs for some in bulk.from_cells(0, len(bulk)) for costs in some.costs]
        assert len(found) > 3
        assert np.isinf(found).all()


class TestEverySpot:
    @pytest.mark.sampled("1")
    @pytest.mark.parametrize("seed", range(3))
    def test_is_reach_from_there_on_a_table(self, seed):
        game, _ = table_position(seed)
        bulk = game.bulk_reach("A1", "move", spacing=5)
        places = [tuple(place) for place in bulk.raster.places.tolist()]
        found = in_bulk(bulk)
        assert len(found) > 4
        for (place, _, _), costs in list(found.items())[::3]:
            (twin,) = stood_at(game, "A1", place)
            expected = twin.reach("A1", "move").costs_at(np.array(places))
            assert costs == expected.astype(np.float32).tolist()
        assert {place for place in places if any(stood_at(game, "A1", place))} == {place for place, _, _ in found}

    @pytest.mark.sampled("mecha/two_guards")
    @pytest.mark.parametrize("name", ["combined_arms/up_to_the_bank", "mecha/two_guards", "skirmish/mad_dash"])
    def test_starts_that_are_asked_together_get_what_each_gets_alone(self, name):
        """To the last digit, and for the same starts."""
        game = load_scenario(SCENARIOS / f"{name}.yaml").start()
        unit = next(iter(game.state.units))
        bulk = game.bulk_reach(unit, spacing=8)
        together = list(bulk.from_cells(0, min(len(bulk), 24)))
        cells = [cell for some in together for cell in some.cells.tolist()]
        alone = [some for cell in dict.fromkeys(cells) for some in bulk.from_cells(cell, cell + 1)]
        assert max(len(some.cells) for some in together) > 4
        assert {len(some.cells) for some in alone} == {1}
        for part in ("cells", "costs"):
            joined = [np.concatenate([getattr(some, part) for some in found]) for found in (together, alone)]
            assert np.array_equal(*joined)

    def test_areas_are_measured_when_they_are_asked_for(self):
        game, _ = table_position(0)
        bulk = game.bulk_reach("A1", "move", spacing=6, measured=True)
        some = next(bulk.from_cells(0, len(bulk)))
        place = bulk.raster.place(int(some.cells[0]))
        (twin,) = stood_at(game, "A1", place)
        assert some.areas[0] == twin.reach("A1", "move").area.area
        (plain,) = game.bulk_reach("A1", "move", spacing=6).from_cells(int(some.cells[0]), int(some.cells[0]) + 1)
        assert np.isnan(plain.areas).all()


class TestWhatIsNotAnswered:
    def test_questions_are_checked_like_those_of_reach(self):
        game = opening(3, variants()[0])
        with pytest.raises(WrongQuestion, match="has no reach for 'fly'"):
            game.bulk_reach("A", "fly")
        with pytest.raises(WrongQuestion, match="mode: expected"):
            game.bulk_reach("A", "move", mode="hop")
        with pytest.raises(WrongQuestion, match="A has no heading"):
            game.bulk_reach("A", "move", headings=[0])

    def test_a_unit_beside_the_table(self):
        game = opening(3, variants()[0])
        state = game.state.with_unit(game.state.unit("A").put(place=None))
        with pytest.raises(TableError, match="A is not on the"):
            Game(game.setting, state).bulk_reach("A", "move")
