"""grid_runner, orders through other squares: the way that is found is the best there is, and why there is none."""

import numpy as np
import pytest
from exhaustive_grid_runner import after, squares_paid
from grid_runner_boards import game, generated
from grid_runner_chances import behind, chance_of_way, ways

from simulator.engine.errors import IllegalOrder
from simulator.engine.orders import Goal, Order
from simulator.pathing.traces import NoRoute

SCALES = ("m1", "m2", "m5")
DRAWING = "@ . F b\n. . . .\n# # . .\n. # . ."


def planned(played, action, goal, via):
    return played.ruleset.plan(played.ready_table("A"), Order("A", action, goal=Goal(goal, via=via)))


def refused(text, scale="m1", squares=5):
    """The clauses and messages by which an order by its goal is refused."""
    played = game(DRAWING, {"scale": scale}, tables={f"allotment_table.{scale}.walk.human.h1": [squares]})
    with pytest.raises(IllegalOrder) as error:
        played.do(text)
    assert str(error.value).startswith(f"the rules forbid: {text}\n")
    return [str(breach) for breach in error.value.breaches]


@pytest.mark.sampled
@pytest.mark.parametrize("action", ["move", "withdrawal"])
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(300, 308))
def test_the_way_is_the_cheapest_and_of_those_the_safest(seed, scale, action):
    """GR-26, GR-48, GR-49: of all walks through the squares in their order; where there is none, it is refused."""
    played = generated(seed, scale, budget=4, crowd=5)
    unit, dice = played.ready_table("A").unit("A"), np.random.default_rng(seed)
    near = [
        place
        for place in played.board.places()
        if max(abs(place[0] - unit.place[0]), abs(place[1] - unit.place[1])) <= 2
        and not played.board.walls[played.board.index(place)]
    ]
    for _ in range(4):
        goal, *via = (near[int(one)] for one in dice.integers(0, len(near), int(dice.integers(2, 4))))
        if {goal, *via} == {unit.place}:
            continue
        walked = [
            (squares_paid(path, unit["parity"])[0], -chance)
            for path, chance in ways(played, action, via=tuple(via))
            if after(unit.place, path) == goal
        ]
        try:
            order = planned(played, action, goal, via)
        except IllegalOrder as error:
            assert error.breaches
            assert not walked, (seed, goal, via, str(error))
            continue
        path = tuple(element.name for element in order.elements for _ in range(element.get("squares", 1)))
        squares = [after(unit.place, path[:end]) for end in range(len(path) + 1)]
        assert squares[-1] == goal
        assert behind(squares, tuple(via)) == len(via)
        assert (squares_paid(path, unit["parity"])[0], -chance_of_way(played, action, path)) == min(walked)


class TestWhyNot:
    """An order through other squares is refused by clauses, and in the coordinates of the order."""

    @pytest.mark.parametrize(
        ("via", "told"),
        [
            ("0,3", "GR-26  walls close every path to 0,3"),
            ("1,2", "GR-26  1,2 is a wall"),
            ("2,0", "GR-35  F stands on 2,0: a friend's square cannot be moved through"),
            ("3,0", "GR-35  F on 2,0 closes the way to 3,0, and there is no other"),
            ("1,0 0,3", "GR-26  walls close every path to 0,3"),
            ("3,3", "GR-27  the movement costs 9 squares, A has 5 left: 4 short"),
        ],
    )
    @pytest.mark.parametrize("action", ["move", "withdrawal"])
    def test_a_square_that_cannot_be_passed(self, action, via, told):
        assert refused(f"A {action} to 1,0 via {via}") == [told]

    def test_friends_are_passed_at_m2_and_enemies_are_not(self):
        assert refused("A move to 2,1 via 3,0", "m2") == [
            "GR-38  B1 stands on 3,0: an enemy's square cannot be moved through"
        ]
        played = game(DRAWING, {"scale": "m2"})
        assert planned(played, "move", (1, 0), [(2, 0)]).elements

    def test_a_one_square_move_has_no_room_for_another_square(self):
        assert refused("A one_square_move to 1,0 via 0,1") == [
            "GR-55  a One-Square-Move is one step; 1,0 costs 2 by that way"
        ]

    def test_what_forbids_to_move_at_all_comes_first(self):
        played = game(DRAWING)
        played.do("A move: s")
        with pytest.raises(IllegalOrder, match="GR-21  A has moved in this pass"):
            played.do("A move to 0,1 via 0,0")

    def test_through_its_own_square_to_its_own_square_is_no_way(self):
        with pytest.raises(NoRoute, match="already stands on 0,0"):
            game(DRAWING).do("A move to 0,0 via 0,0")
        assert game(DRAWING).do("A move to 0,0 via 0,1").ledger.total("squares") == 2
