"""The orders of grid_runner: its actions and the steps that movements consist of."""

from __future__ import annotations

from simulator.engine.orders import (
    ActionForm,
    Arg,
    Form,
    Vocabulary,
    exact_number,
    place,
    unit_id,
    whole_number,
    word,
)
from simulator.rulesets.grid_runner.movement import DIRECTIONS

SQUARE = place("a square such as 12,8", whole=True)
_COUNT = whole_number("a number of squares from 1 to 99", 1, 99)
_TARGET = Arg("target", unit_id("an enemy", "enemy"))


def _movement(name: str, clause: str, about: str) -> ActionForm:
    return ActionForm(name, (), clause, about, elements=DIRECTIONS, least=1, goal=True)


VOCABULARY = Vocabulary(
    actions=[
        _movement("move", "GR-26", "moves, at a walk or a run, before its actions of the pass or after them"),
        _movement("withdrawal", "GR-57", "leaves melee: nobody intercepts the first step"),
        _movement("one_square_move", "GR-54", "takes one step that nobody intercepts"),
        _movement("tumble", "GR-62", "tumbles along a course past enemies, or through them"),
        ActionForm("start_run", (), "GR-28", "starts to run"),
        ActionForm("stop_run", (), "GR-30", "stops running, at the start of its pass"),
        ActionForm("sprint", (), "GR-32", "rolls for extra squares of running movement"),
        ActionForm("delay", (), "GR-25", "lets others act first and comes back later in the pass"),
        ActionForm(
            "act",
            [Arg("kind", word("free", "simple", "complex")), Arg("deed", word(about="what it does"), "as", True)],
            "GR-21",
            "takes an action without rules of its own",
        ),
        ActionForm("melee_attack", [_TARGET], "GR-42", "attacks a character it threatens"),
        ActionForm("charge_attack", [_TARGET], "GR-75", "attacks at the end of a charge, with bonus dice"),
        ActionForm(
            "ranged_attack",
            [_TARGET, Arg("weapon", word(about="a weapon"), "with", True)],
            "GR-80",
            "shoots or throws",
        ),
        ActionForm("grapple", [_TARGET], "GR-76", "tries to grapple a character it threatens"),
        ActionForm("break_grapple", (), "GR-77", "its grapple ends", aside=True),
        ActionForm(
            "becomes",
            [Arg("state", word("prone", "standing", "immobilised", "mobile", "out"))],
            "GR-45",
            "its condition changes",
            aside=True,
        ),
        ActionForm(
            "has_passes",
            [Arg("passes", whole_number("a number of passes from 1 to 99", 1, 99))],
            "GR-5",
            "has this number of passes from the next turn on",
            aside=True,
        ),
        ActionForm(
            "blast",
            [
                Arg("at", SQUARE),
                Arg("power", exact_number("damage at the centre", 0), "power"),
                Arg("loss", exact_number("damage lost in each metre", 0), "loss"),
                Arg("target", unit_id("the unit it was aimed at"), "target", True),
            ],
            "GR-94",
            "a blast it set off weakens with distance",
            aside=True,
        ),
    ],
    elements=[
        Form(name, [Arg("squares", _COUNT, optional=True)], "GR-26", "one step, or several") for name in DIRECTIONS
    ],
    default="move",
    goal_place=SQUARE,
    goal_faces=False,  # a character faces where it likes
)
