"""Questions that programs get wrong: places in numbers of any type, places that are none, boards of the wrong kind."""

from pathlib import Path

import duel_ruleset
import numpy as np
import pytest

from simulator import DotMap, InchTable, NoPlace, SquareGrid, load_scenario, mask_of, plain_space, reach, shelf, zone
from simulator.engine.errors import TableError, WrongQuestion
from simulator.engine.game import Game
from simulator.engine.table import not_played_on
from simulator.errors import BoardError, SimulatorError
from simulator.geometry.poses import Pose

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
#: On squares, on dots in a drive and on foot, on tables in free directions and with headings.
ASKED = [
    ("grid_runner/market_chase", "kit", "move"),
    ("grid_runner/market_chase", "kit", "tumble"),
    ("dot_trooper/alley_turn", "ann", "drive"),
    ("dot_trooper/getting_away", "bob", "foot_move"),
    ("skirmish/the_yard", "ash", "move"),
    ("mecha/at_the_crossing", "lance", ""),
]
#: No places anywhere.
NO_PLACES = ["4,4", "12", "", None, 5, (4,), ("a", 1), (float("nan"), 0), (float("inf"), 2), {1: 2}]
QUESTIONS = ("cost_at", "chance_at", "ends_at", "headings_at", "why_not", "orders_to")


@pytest.fixture(scope="module", params=ASKED, ids=["-".join(asked) for asked in ASKED])
def asked(request):
    """A game and an answer."""
    name, unit, action = request.param
    game = load_scenario(SCENARIOS / f"{name}.yaml").start(seed=1)
    return game, game.reach(unit, action)


class TestPlacesOfAnAnswer:
    def test_the_type_of_a_number_makes_no_difference(self, asked):
        game, answer = asked
        x, y = next(iter(game.state)).place
        away = [(x + across, y + up) for across in (-3, -1, 0, 2) for up in (-2, 0, 1)]
        for place in (place for place in away if place in game.board):
            alike = [tuple(map(kind, place)) for kind in (float, np.float64, np.float32)]
            alike += [tuple(map(np.int64, place))] if np.all(np.mod(place, 1) == 0) else []
            alike += [list(place), np.array(place), Pose(place), Pose(alike[0])]
            found = {answer.cost_at(one) for one in alike}
            assert found == {answer.cost_at(place)}
            assert {one in answer for one in alike} == {place in answer} == {found != {None}}
            assert {answer.chance_at(one) for one in alike} == {answer.chance_at(place)}
            assert {str(answer.why_not(one)) for one in alike} == {str(answer.why_not(place))}
            many = [one for one in alike if not isinstance(one, Pose)]
            assert set(answer.costs_at(many).tolist()) == set(answer.costs_at([place]).tolist())

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_what_is_no_place_has_no_answer(self, asked, question):
        answer = asked[1]
        for nothing in NO_PLACES:
            assert nothing not in answer
            with pytest.raises(NoPlace):
                getattr(answer, question)(nothing)

    def test_no_places_have_no_costs(self, asked):
        for none in ([], (), np.empty((0, 2)), np.empty((0, 2), np.int64)):
            assert asked[1].costs_at(none).tolist() == []

    @pytest.mark.parametrize(
        "wrong", [["4,4"], [(1, 2, 3)], [(float("nan"), 1)], [(1, 2), (3,)], [None], (3, 4), [(float("inf"), 2)]]
    )
    def test_many_that_are_no_places(self, asked, wrong):
        with pytest.raises(NoPlace, match="places are"):
            asked[1].costs_at(wrong)

    def test_a_part_of_a_cell_is_no_place(self):
        answer = load_scenario(SCENARIOS / "grid_runner/market_chase.yaml").start(seed=1).reach("kit")
        assert (8.5, 8) not in answer
        with pytest.raises(NoPlace, match=r"\(8\.5, 8\)"):
            answer.cost_at((8.5, 8))
        with pytest.raises(NoPlace, match="whole numbers"):
            answer.costs_at([(8.5, 8)])
        assert answer.costs_at([(1e300, 8.0)]).tolist() == [np.inf]

    def test_from_where_it_could_get_to_a_place(self):
        game = load_scenario(SCENARIOS / "grid_runner/market_chase.yaml").start(seed=1)
        whole, measured = game.reach_to("kit", (11, 10)), game.reach_to("kit", (11.0, np.float64(10)))
        assert measured.goal == whole.goal
        assert measured.area.equals(whole.area)
        assert ((9.0, 8.0) in whole, "9,8" in whole) == ((9, 8) in whole, False)


class TestSides:
    def test_those_that_no_unit_is_of(self, asked):
        game = asked[0]
        for side in ("zz", "", None, 5):
            for query in (game.legal_of_side, game.threats):
                with pytest.raises(TableError, match=r"there is no side .*; .*known: "):
                    query(side)

    def test_one_whose_units_are_all_gone_has_no_orders(self, row, fighters):
        game = Game.new(duel_ruleset.RULESET, row, fighters)
        twin = game.branch()
        twin.state = twin.state.without_unit("B1")
        assert len(twin.legal_of_side("blue")) == 0


class TestDurations:
    @pytest.mark.parametrize("seconds", [-1, float("nan"), "1", None, 10**400], ids=lambda value: str(value)[:5])
    def test_that_are_none(self, asked, seconds):
        game, answer = asked
        with pytest.raises(WrongQuestion, match="0 seconds or more"):
            game.reach_within(seconds, answer.mover.id)


BOARDS = {"squares": SquareGrid.open(5, 5), "dots": DotMap.open(5, 5), "table": InchTable(name="T", width=9, height=9)}


@pytest.mark.parametrize("name", sorted(shelf()))
class TestBoardsOfTheWrongKind:
    @pytest.mark.parametrize("board", [*BOARDS.values(), None, "hall.yaml"], ids=[*BOARDS, "none", "text"])
    def test_are_refused_when_a_game_begins(self, name, board):
        ruleset = shelf()[name]
        if getattr(board, "kind", None) in ruleset.boards:
            assert not not_played_on(ruleset, board)
            return
        with pytest.raises(TableError, match=rf"{name} is played on {' or '.join(ruleset.boards)} \(got "):
            Game.new(ruleset, board, [])


@pytest.mark.parametrize("board", [BOARDS["table"], None, 5], ids=["table", "none", "number"])
def test_what_is_for_cells_says_so(board):
    hall = BOARDS["squares"]
    for made in (
        lambda: plain_space(board, starts=[(0, 0)], budget=3),
        lambda: reach(board, plain_space(hall, starts=[(0, 0)], budget=3)),
        lambda: mask_of(board, [(0, 0)]),
        lambda: zone(board, [(0, 0)]),
    ):
        with pytest.raises(BoardError, match="is for squares and dots") as refused:
            made()
        assert isinstance(refused.value, SimulatorError)
