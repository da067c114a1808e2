"""Tolerances: one home, in order, and each where those that meet in one question need it to be."""

import ast
from pathlib import Path

import pytest

from simulator.geometry import tolerances
from simulator.geometry.tolerances import CONTACT, GRID, HAIR, KEPT_BACK, ROUNDING, SLACK, TOLERANCE, TOUCH
from simulator.pathing.free import Obstacles, plan, prepare

NAMES = [name for name in vars(tolerances) if name.isupper()]
PACKAGE = Path(tolerances.__file__).parents[1]


def test_they_stand_from_the_finest_to_the_coarsest():
    values = [getattr(tolerances, name) for name in NAMES]
    assert values == sorted(values)


@pytest.mark.parametrize(("finer", "coarser"), [(ROUNDING, TOUCH), (TOUCH, SLACK), (SLACK, HAIR), (HAIR, KEPT_BACK)])
def test_each_stands_well_clear_of_the_one_before(finer, coarser):
    assert 5 * finer < coarser


def test_what_the_planner_takes_for_contact_two_kept_places_are():
    assert GRID < CONTACT < 2 * GRID


def test_what_is_kept_back_leaves_the_planner_no_more_than_the_judge_forgives():
    assert 0 < CONTACT - KEPT_BACK < TOLERANCE


def test_no_other_module_has_one_of_these_names_for_itself():
    found = [
        (path.relative_to(PACKAGE).as_posix(), target.id)
        for path in PACKAGE.rglob("*.py")
        if path.name != "tolerances.py"
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id in NAMES
    ]
    assert found == []


@pytest.mark.parametrize("over", [0.0, 0.4e-6, 0.8e-6])
def test_a_budget_less_what_is_kept_back_takes_in_its_exact_end_and_nothing_that_the_judge_refuses(over):
    reach = plan(prepare(Obstacles(), 0.5), (0, 0), 9.0 - KEPT_BACK)
    assert (9.0, 0.0) in reach
    assert (9.0 + over, 0.0) in reach
    assert (9.0 + TOLERANCE, 0.0) not in reach
