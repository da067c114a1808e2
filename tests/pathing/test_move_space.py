import numpy as np
import pytest

from simulator.errors import SimulatorError
from simulator.pathing.move_space import HIGHEST_COST, MoveSpace, MoveSpaceError, MoveState, MoveStep, Start
from simulator.pathing.search import search

EAST = MoveStep("east", 0, 1)
GROUND = {"ground": np.array([[1, 2, -1, 3]])}


def space(**changes):
    return MoveSpace(**{"shape": (1, 4), "steps": (EAST,), **changes})


def test_prices_are_given_where_the_step_arrives():
    made = space(planes=GROUND)
    assert made.prices(MoveStep("a", 0, 1, cost=2, plane="ground")).tolist() == [[-1, 4, -1, 6]]
    assert made.prices(MoveStep("d", 0, 1, cost=2, plane="ground", plane_at="departure")).tolist() == [[-1, 2, 4, -1]]
    assert made.prices(MoveStep("b", 0, -1, plane="ground", plane_at="departure")).tolist() == [[2, -1, 3, -1]]
    assert made.prices(MoveStep("o", 0, 2, cost=0)).tolist() == [[-1, -1, 0, 0]]


def test_a_surcharge_is_added_and_blocks_like_a_plane():
    made = space(planes={**GROUND, "stream": np.array([[5, 0, 0, -1]])})
    step = MoveStep("s", 0, 1, cost=3, plane="ground", surcharge="stream", surcharge_at="departure")
    assert made.prices(step).tolist() == [[-1, 11, -1, 9]]
    assert made.prices(MoveStep("s", 0, 1, surcharge="stream")).tolist() == [[-1, 1, 1, -1]]


def test_a_gate_is_read_where_the_step_leaves_unless_it_says_arrival():
    gates = {"wall": np.array([[True, False, True, True]])}
    assert space(gates=gates).prices(MoveStep("e", 0, 1, gate="wall")).tolist() == [[-1, 1, -1, 1]]
    assert space(gates=gates).prices(MoveStep("e", 0, 1, gate="wall", gate_at="arrival")).tolist() == [[-1, -1, 1, 1]]


def test_layers_are_headings_within_phases():
    made = space(headings=(0, 90), phases=("a", "b"), steps=())
    assert made.layers == 4
    assert made.layer_labels == ((0, "a"), (90, "a"), (0, "b"), (90, "b"))
    assert made.layer_of(90, "b") == 3
    assert made.state_at(2, 0, 3) == MoveState(0, 3, 0, "b")


def test_what_is_given_is_copied_and_can_not_be_changed():
    ground = np.array([[1, 2, 3, 4]])
    made = space(planes={"ground": ground})
    ground[0, 0] = 9
    assert made.planes["ground"][0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        made.planes["ground"][0, 0] = 9


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shape": (0, 4)}, "shape: expected at least one row"),
        ({"headings": ()}, "headings: expected at least one label"),
        ({"phases": ("a", "a")}, "phases: .* no label twice"),
        ({"planes": {"ground": np.ones((2, 2), int)}}, r"planes\['ground'\]: .*shape \(1, 4\), not \(2, 2\)"),
        ({"planes": {"ground": np.ones((1, 4))}}, "expected integers, not float64; choose a smaller unit"),
        ({"planes": {"ground": np.full((1, 4), 2**62)}}, "more than the highest cost"),
        ({"gates": {"wall": np.ones((1, 1, 1, 4), bool)}}, r"gates\['wall'\]: expected shape \(1, 4\)"),
        ({"enter": np.ones((3, 4), bool)}, r"enter: expected shape \(1, 4\) or \(1, 1, 1, 4\), not \(3, 4\)"),
        ({"pass_": np.ones((1, 4), int)}, "pass_: expected truth values"),
        (
            {"steps": [MoveStep("e", 0, 1, from_heading=7)]},
            r"steps\[0\].from_heading: no heading 7 \(known: \[None\]\)",
        ),
        ({"steps": [EAST, MoveStep("e", 0, 1, to_phase="x")]}, r"steps\[1\].to_phase: no phase 'x'"),
        ({"steps": [MoveStep("e", 0, 1, cost=-1)]}, r"steps\[0\].cost: a cost is 0 or more, not -1"),
        (
            {"steps": [MoveStep("e", 0, 1, plane="mud")]},
            r"steps\[0\].plane: no such plane: 'mud' \(known: \[\]\)",
        ),
        ({"steps": [MoveStep("e", 0, 1, surcharge="mud")]}, r"steps\[0\].surcharge: no such surcharge"),
        ({"steps": [MoveStep("e", 0, 1, gate="wall")]}, r"steps\[0\].gate: no such gate"),
        (
            {"steps": [MoveStep("e", 0, 1, plane_at="here")]},
            r"steps\[0\].plane_at: is arrival or departure, not 'here'",
        ),
        (
            {"steps": [MoveStep("e", 0, 1, cost=HIGHEST_COST)]},
            r"steps\[0\]: can cost \d+; on this board a step costs at",
        ),
        ({"starts": [Start(0, 4)]}, r"starts\[0\]: \(0, 4\) is not on the board of 1 rows and 4 columns"),
        ({"starts": [Start(0, 0, "up")]}, "no such heading and phase: 'up', ''"),
        ({"starts": [Start(0, 0, paid=-1)]}, r"starts\[0\]: paid is 0 or more, not -1"),
        ({"budget": -1}, "budget: is 0 or more"),
        ({"budget": float("nan")}, "budget: is 0 or more"),
        ({"budget": float("inf")}, "budget: is 0 or more"),
        ({"budget": 1.5}, "budget: is counted in whole numbers, not 1.5"),
    ],
)
def test_faults_say_where_and_what_would_be_right(changes, message):
    with pytest.raises(MoveSpaceError, match=message) as raised:
        space(**changes)
    assert isinstance(raised.value, SimulatorError)
    assert isinstance(raised.value, ValueError)


def test_a_part_of_a_board_is_a_space_of_its_own():
    made = space(
        planes=GROUND, enter=np.array([[True, False, True, True]]), steps=[MoveStep("e", 0, 1, plane="ground")]
    )
    part = made.part(slice(0, 1), slice(1, 4))
    assert part.shape == (1, 3)
    assert part.planes["ground"].tolist() == [[2, -1, 3]]
    assert part.enter.tolist() == [[False, True, True]]


class TestStepsOnAnotherGround:
    STEPS = (MoveStep("east", 0, 1, cost=2, gate="door"), MoveStep("south", 1, 0))

    def table(self):
        return MoveSpace((1, 1), self.STEPS, gates={"door": np.zeros((1, 1), bool)})

    def test_they_are_searched_as_if_they_were_made_for_it(self):
        door, end = np.array([[True, False, True], [False, True, True]]), np.array([[True] * 3, [False, True, True]])
        start = Start(0, 0)
        there = self.table().on_ground((2, 3), {"door": door}, end=end).begun([start], 9)
        anew = MoveSpace((2, 3), self.STEPS, gates={"door": door}, end=end, starts=[start], budget=9)
        assert search(there).end_costs().tolist() == search(anew).end_costs().tolist()
        assert search(there).trace(there.state_at(0, 1, 2)) == search(anew).trace(anew.state_at(0, 1, 2))

    def test_every_gate_has_to_be_there(self):
        with pytest.raises(MoveSpaceError, match="no such gate"):
            self.table().on_ground((2, 3), {})

    def test_gates_have_the_shape_of_the_ground(self):
        with pytest.raises(MoveSpaceError, match="shape"):
            self.table().on_ground((2, 3), {"door": np.zeros((3, 2), bool)})
