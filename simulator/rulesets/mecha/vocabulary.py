"""The orders of mecha: Move Actions, each with its legs and turns, and the free turn by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from simulator.engine.orders import (
    ActionForm,
    Arg,
    Element,
    Form,
    Vocabulary,
    heading,
    length,
    level,
    piece_id,
    place,
    unit_id,
    whole_number,
    word,
)
from simulator.engine.posed_orders import move_forms, moves_of
from simulator.pathing.posed import Move, Rotate, Travel
from simulator.rulesets.mecha.charging import WAYS
from simulator.rulesets.mecha.movement import MechaMoves
from simulator.rulesets.mecha.rates import LEGS, mode_of

TURNS = ("turn_left", "turn_right")
_MOVES = (*LEGS, *TURNS)
#: The longest leg of an order, in inches: half inches are counted one by one, and no table is so long.
MOST_INCHES = 1000
#: The element of a carrier that sets a unit down.
SET_DOWN = "set_down"
#: The units that orders name.
_TARGET, _CARRIER = unit_id("an opposing unit", "enemy"), unit_id("a carrier", "friend")
_ABOARD = unit_id("a unit aboard", "friend")
_PLACED = (Arg("at", place(), "at"), Arg("heading", heading(), "facing", optional=True))


def _moves(name: str, cited: str, about: str, *args: Arg, goal: bool = True) -> ActionForm:
    return ActionForm(name, list(args), cited, about, elements=_MOVES, goal=goal)


VOCABULARY = Vocabulary(
    actions=[
        _moves("standard", "ME-46", "moves as far as its Move allows"),
        _moves("run", "ME-47", "moves farther than its Move, up to twice as far"),
        _moves("break_away", "ME-58", "moves out of contact, after attacks of opportunity"),
        _moves("manoeuvre", "ME-69", "moves half as far, and keeps every contact"),
        _moves("charge", "ME-87", "runs into contact with an enemy", Arg("target", _TARGET)),
        _moves("enter_unit", "ME-73", "moves half as far, and goes aboard a carrier", Arg("carrier", _CARRIER)),
        _moves("exit_unit", "ME-82", "leaves its carrier, and moves half as far from there", *_PLACED, goal=False),
        ActionForm(
            "unload",
            [],
            "ME-77",
            "moves half as far and sets a unit down, or stands and sets down more",
            elements=(*_MOVES, SET_DOWN),
        ),
        ActionForm(
            "attack",
            [
                Arg("target", _TARGET, optional=True),
                Arg("how", word(*WAYS), "with"),
                Arg("ap", whole_number("the AP that it costs", 0, 99), "ap", optional=True),
            ],
            "ME-89",
            "makes an attack, whose results other orders state",
            aside=True,
        ),
        ActionForm("jump", [], "ME-64", "jumps off elevated terrain", elements=(*_MOVES, "jump_off"), goal=True),
        ActionForm(
            "climb",
            [
                Arg("terrain", piece_id("the elevated terrain to climb")),
                Arg("at", place("where it touches the terrain"), "at", optional=True),
            ],
            "ME-51",
            "climbs from the foot of elevated terrain to its top",
        ),
        ActionForm("straighten_up", [], "ME-95", "gets up after a fall"),
        ActionForm(
            "pushed",
            [
                Arg("toward", heading(), "toward"),
                Arg("inches", length("how far it is pushed", most=1000), "by"),
            ],
            "ME-91",
            "is pushed or pulled, and falls if that leads off elevated terrain",
            aside=True,
        ),
        ActionForm(
            "destroyed",
            [],
            "ME-86",
            "is destroyed with everyone aboard, except those who are set down",
            elements=[SET_DOWN],
            aside=True,
        ),
        ActionForm("free_turn", [], "ME-35", "turns at no cost, without a Move Action", elements=TURNS, least=1),
    ],
    elements=[
        *move_forms(LEGS, "ME-10", "ME-28", most=MOST_INCHES),
        Form(SET_DOWN, [Arg("unit", _ABOARD), *_PLACED], "ME-79", "set a unit down at its rear"),
        Form("jump_off", [], "ME-67", "continues over the edge, in the direction of the leg before, and down"),
    ],
    default="standard",
    goal_place=place(),
    goal_level=level(),
)


def named_in(order_args: Iterable[tuple[str, object]]) -> dict[str, str]:
    """Return whom an action names: its target, or its carrier."""
    return {name: str(value) for name, value in order_args if name in ("target", "carrier")}


def moves_in(elements: Iterable[Element], moves: MechaMoves) -> Iterator[Move]:
    """Yield the moves that elements spell out; a direction in which the unit does not travel is one of no space."""
    modes = moves.space.modes
    for element in elements:
        if element.name in LEGS:
            yield Travel(mode_of(element, modes), element["inches"])
        else:
            yield from moves_of([element], moves.space)


def degrees_of(elements: Iterable[Element]) -> Iterator[Rotate]:
    """Yield the turns among elements as free ones."""
    for element in elements:
        sense = 1 if element.name == "turn_left" else -1
        yield replace(Rotate(sense * element["angle"]), free=sense * element["angle"])
