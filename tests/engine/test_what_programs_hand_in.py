"""Whatever a program hands to the public functions and to a game is accepted, or refused by an error of the package."""

import math
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest

from simulator import (
    Game,
    SquareGrid,
    draw,
    load_board,
    load_scenario,
    parse_board,
    parse_scenario,
    plain_space,
    reach,
    save_scenario,
    shelf,
)
from simulator.engine.answers import DiceBag
from simulator.engine.state import Unit
from simulator.engine.table_reach import TableReach
from simulator.errors import NoPose, SimulatorError, WrongValue
from simulator.geometry.poses import Pose
from simulator.geometry.table import InchTable

ROOT = Path(__file__).resolve().parents[2]
PLAYED = {
    "grid_runner": ("market_chase", "kit"),
    "dot_trooper": ("alley_turn", "ann"),
    "skirmish": ("over_the_wall", "ana"),
    "combined_arms": ("main_street", "alpha"),
    "mecha": ("at_the_crossing", "lance"),
}
ODD = (
    *(None, 5, -1, 0.5, "", "zz", "a b", "1,2", math.nan, math.inf, True, (), [], [5], [None], ["a"], (1,), (1, 2, 3)),
    *(("x", "y"), (math.nan, 1), {}, {"x": 1}, {5: 1}, object(), b"x", {1}, 10**400, np.array([1, 2, 3]), DiceBag),
)
#: What returns at once, or is asked about a single unit.
OF_GAMES = (
    *("read", "write", "planned", "breaches", "do", "step", "answer", "foresee", "legal", "legal_of_side"),
    *("branch", "ready_table", "reach", "reach_to", "threats", "reach_many", "compare", "bulk_reach"),
)
OF_ANSWERS = (
    *("cost_at", "costs_at", "chance_at", "why_not", "orders_to", "nearest_to", "ends_at", "headings_at", "threats"),
    *("headings_at_each", "refusals", "route_to", "safest_route_to", "exits_to", "way_to", "contours", "within"),
)
#: Without the numbers that are costs or degrees.
NO_NUMBERS = (*(odd for odd in ODD if not isinstance(odd, int | float)), math.nan, math.inf, True, 10**400)
#: Poses whose parts a rulebook or a board may not know.
ODD_POSES = (
    *(Pose(None), Pose((1, 2), "zz"), Pose((1, 2), 90.5), Pose((1, 2), level="zz"), Pose((1, 2), level=-5)),
    *(Pose((10**400, 1)), Pose((1, 2), ""), Pose((math.nan, 1), 90)),
)


def refused_in_words(ask):
    """An answer or an error of the package; returns whether it was refused."""
    try:
        found = ask()
        if hasattr(found, "__next__"):
            list(found)
    except SimulatorError as error:
        assert str(error)
        return True
    return False


@pytest.fixture(scope="module", params=sorted(PLAYED))
def played(request):
    name, unit = PLAYED[request.param]
    return load_scenario(ROOT / "scenarios" / request.param / f"{name}.yaml").start(seed=1), unit


@pytest.mark.parametrize("method", OF_GAMES)
def test_a_game(played, method):
    game, unit = played
    for odd in ODD:
        if method != "reach_to":
            refused_in_words(lambda odd=odd: getattr(game.branch(), method)(odd))
        if method in ("reach_to", "compare"):
            refused_in_words(lambda odd=odd: getattr(game.branch(), method)(unit, odd))


def test_the_answers_of_an_order(played):
    game, unit = played
    for odd in ODD:
        refused_in_words(lambda odd=odd: game.branch().do(f"{unit} done", answers=odd))
        refused_in_words(lambda odd=odd: game.branch().do(f"{unit} done", answers=[odd]))


def test_the_values_of_a_question(played):
    game, unit = played
    for name in (*game.ruleset.asks, "zzz"):
        for odd in (odd for odd in ODD if odd is not None):
            refused_in_words(lambda odd=odd, name=name: game.reach(unit, **{name: odd}))


@pytest.mark.parametrize("method", OF_ANSWERS)
def test_an_answer(played, method):
    game, unit = played
    ask = getattr(game.reach(unit), method, None)
    for odd in (*ODD, *ODD_POSES, (10**400, 1)) if ask is not None else ():
        if isinstance(odd, np.ndarray):
            continue
        refused_in_words(lambda odd=odd: ask(odd))


def test_headings_and_levels_of_an_answer(played):
    game, unit = played
    answer = game.reach(unit)
    assert answer.nearest_to((5, 5)) in answer
    for odd in NO_NUMBERS:
        for ask in (answer.area_of, partial(answer.nearest_to, (5, 5))):
            refused_in_words(lambda odd=odd, ask=ask: ask(heading=odd))
            refused_in_words(lambda odd=odd, ask=ask: ask(level=odd))


def test_what_is_within_a_cost(played):
    game, unit = played
    answer = game.reach(unit)
    if isinstance(answer, TableReach):
        for odd in (*NO_NUMBERS, -1):
            with pytest.raises(WrongValue, match=r"^a cost is a finite number of 0 or more, not "):
                answer.within(odd)
        assert answer.within(10**6) is answer.area
        assert answer.within(np.int64(10**6)) is answer.area
        assert answer.within(0.5).area <= answer.within(answer.most / 2).area


@pytest.mark.parametrize("degrees", [math.nan, math.inf, 10**400, True, (), b"x"])
def test_headings_that_are_none(degrees):
    with pytest.raises(NoPose, match=r"^a heading is a finite number of degrees, not "):
        Pose((1, 2), degrees)


def test_limits_without_a_rulebook():
    board = SquareGrid.open(5, 5)
    found = reach(board, plain_space(board, starts=[(0, 0)], budget=3))
    for ask in (found.bands, found.contours):
        assert [limit for limit, _ in ask([np.int64(1), 2])] == [1, 2]
        for odd in (5, [-1], [None], ["a"], [math.nan]):
            with pytest.raises(WrongValue):
                ask(odd)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("bands", "a band ends at a cost, a number of 0 or more, not "),
        ("chance_bands", "a band reaches down to a chance, a number from 0 to 1, not "),
    ],
)
def test_the_limits_of_bands(played, method, message):
    game, unit = played
    bands = getattr(game.reach(unit), method)
    for odd in ODD:
        if odd is not None:
            refused_in_words(lambda odd=odd: bands(odd))
        if odd not in (5, 0.5) if isinstance(odd, int | float) else True:
            with pytest.raises(WrongValue) as refused:
                bands([odd])
            assert str(refused.value).startswith(message)
    assert all(0 < level <= 1 for level, _ in bands([1]))
    assert bands([]) == []


class TestNewGames:
    BOARD = SquareGrid.open(5, 5)
    RULES = shelf()["grid_runner"]
    UNIT = RULES.make_unit("a", "character", "red", (1, 1))

    def new(self, ruleset=RULES, board=BOARD, units=(UNIT,), **more):
        return Game.new(ruleset, board, units, **more)

    @pytest.mark.parametrize("part", ["ruleset", "board", "units", "options", "tables", "data", "scenery", "answers"])
    def test_odd_parts(self, part):
        empty = {**dict.fromkeys(("options", "tables", "data"), (None, {})), "answers": (None,), "units": ((), [], {})}
        for odd in ODD:
            if not any(odd is one or (type(odd) is type(one) and odd == one) for one in empty.get(part, ())):
                was_refused = refused_in_words(lambda odd=odd: self.new(**{part: odd}))
                assert was_refused or part in ("scenery", "data", "answers"), odd

    @pytest.mark.parametrize(
        ("parts", "message"),
        [
            ({"ruleset": "grid_runner"}, "'grid_runner' is not a Ruleset: shelf()['grid_runner'] is one by its name"),
            ({"ruleset": type(RULES)}, "GridRunner is a class: make a ruleset of it, GridRunner()"),
            ({"board": "yard.yaml"}, "grid_runner is played on squares (got 'yard.yaml')"),
            ({"units": UNIT}, "units are a list, even of one Unit, not Unit("),
            ({"units": [5]}, "units[0] is not a Unit but 5: ruleset.make_unit('A1', ...) makes one"),
            ({"units": {"a": UNIT}}, "units[0] is not a Unit but 'a': ruleset.make_unit('a', ...) makes one"),
            ({"units": [Unit("a", "soldier", "red")]}, "a: no such type of unit of grid_runner; known: character"),
            ({"units": [Unit("a", "character", "red")]}, "a lacks fields of a character, "),
            ({"units": [UNIT.put(side=5)]}, "the side of a is a text, not 5"),
            ({"units": [UNIT.put(place=5)]}, "the place of a is a tuple of numbers, such as (3, 4), not 5"),
            ({"options": ["x"]}, "options are a mapping, such as "),
            ({"tables": {5: 1}}, "the name of one of the figures is a text, not 5"),
            ({"data": {"wind": 2}}, "data: grid_runner keeps no 'wind'; none is known"),
            (
                {"answers": [1, 2]},
                "the answers of a game come from an answerer, such as DiceBag.of(7)",
            ),
        ],
        ids=str,
    )
    def test_messages(self, parts, message):
        with pytest.raises(SimulatorError) as refused:
            self.new(**parts)
        assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"felld": ()}, "data: combined_arms keeps no 'felld'; did you mean 'felled'? (known: felled, initiative)"),
        ({"initiative": 5}, "data: initiative: expected a list of names, not 5"),
        ({"initiative": ["b"]}, "data: initiative: there is no 'b'"),
    ],
)
def test_data_that_a_rulebook_keeps(data, message):
    rules = shelf()["combined_arms"]
    units = [rules.make_unit("a", "infantry", "red", (10, 10), 0)]
    with pytest.raises(SimulatorError) as refused:
        Game.new(rules, InchTable("Plain", 30, 30), units, data=data)
    assert str(refused.value) == message


def test_functions_of_the_package(tmp_path):
    board = load_board(ROOT / "boards" / "market_square.yaml")
    for odd in (odd for odd in ODD if not isinstance(odd, str)):
        for ask in (parse_board, parse_scenario, SquareGrid.from_text, lambda odd: reach(board, odd)):
            with pytest.raises(WrongValue):
                ask(odd)
        with pytest.raises(WrongValue):
            save_scenario(odd, tmp_path / "game.yaml")
        if odd is not None:
            with pytest.raises(WrongValue):
                draw(board, odd)
    assert reach(board, plain_space(board, starts=[(9, 8)], budget=1)).cost_at((9, 8)) == 0


def test_orders_at_random_need_a_source_of_chance(played):
    legal = played[0].legal()
    for odd in (odd for odd in ODD if odd is not None):
        with pytest.raises(WrongValue):
            legal.sample(odd)
    assert legal.sample(Random(1)).unit in legal.units
