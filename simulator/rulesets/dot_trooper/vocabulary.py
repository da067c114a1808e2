"""The orders of dot_trooper: its actions, and the elements of rides, walks and flights."""

from __future__ import annotations

from simulator.engine.orders import ActionForm, Arg, Form, Vocabulary, heading, place, unit_id, whole_number, word
from simulator.rulesets.dot_trooper.riding import MODES

_DOTS = Arg("dots", whole_number("a number of dots", 1, 99), optional=True)
_ANGLE = Arg("angle", whole_number("60, 120 or 180", 60, 180))
_DOT = place("a dot such as 3,4", whole=True)
_MODE = word(*MODES)
_WEAPON = Arg("weapon", word(about="a weapon"), "with", optional=True)
_BY = Arg("by", unit_id("a rider"), "by", optional=True)
_ENEMY = Arg("target", unit_id("an enemy", "enemy"))

ELEMENTS = (
    Form("start", [_DOTS], "DT-69", "1 AP: begins the movement of a stopped vehicle, m dots"),
    Form("move", [_DOTS], "DT-71", "1 AP: m dots ahead"),
    Form("stop", [_DOTS], "DT-70", "2 AP: m dots ahead to a full stop"),
    Form("on", [_DOTS], "DT-72", "the further dots of the segment, after a turn inside it"),
    Form("left", [_ANGLE], "DT-82", "a turn to the left"),
    Form("right", [_ANGLE], "DT-82", "a turn to the right"),
    Form("ram", [_ENEMY], "DT-138", "rams an enemy next to the front"),
    Form("strike", [_ENEMY], "DT-144", "strikes at an enemy next to the rear"),
    Form("fire", [_ENEMY, _WEAPON, _BY], "DT-148", "fires on the move"),
    Form("throw", [Arg("at", _DOT), _WEAPON, _BY], "DT-153", "throws an explosive"),
    Form("step", [Arg("to", _DOT), Arg("level", whole_number("a level"), "level", True)], "DT-164", "a dot on foot"),
    Form("lie_down", (), "DT-164", "goes prone"),
    Form("stand_up", (), "DT-164", "stands up"),
    Form("fly", [Arg("dots", _DOT, many=True)], "DT-8", "flies dot by dot"),
    Form("drop", (), "DT-21", "drops a grenade on the dot below"),
)

ACTIONS = (
    ActionForm(
        "foot_move",
        [Arg("level", whole_number("a level"), "level", optional=True)],
        "DT-164",
        "moves on foot; to a goal also up to one of its levels",
        ("step", "lie_down", "stand_up"),
        1,
        goal=True,
    ),
    ActionForm("activate_jet_pack", (), "DT-7", "flies 6 to 16 dots", ("fly", "drop"), 1, goal=True),
    ActionForm("remove_jet_pack", (), "DT-25", "takes the jet pack off"),
    ActionForm("equip_jet_pack", (), "DT-25", "puts the jet pack on"),
    ActionForm(
        "exchange_jet_pack",
        [Arg("partner", unit_id("a friend", "friend")), Arg("payer", unit_id("who pays"), "paid", True)],
        "DT-26",
        "passes a jet pack on or takes it over",
    ),
    ActionForm("mount", [Arg("vehicle", unit_id("a vehicle"))], "DT-58", "gets on a vehicle"),
    ActionForm("dismount", [Arg("to", _DOT)], "DT-58", "gets off to a dot next to the rear"),
    ActionForm("turn_on", (), "DT-58", "switches the vehicle on"),
    ActionForm("turn_off", (), "DT-58", "switches the vehicle off"),
    ActionForm(
        "drive",
        [Arg("mode", _MODE, optional=True), Arg("motion", word("moving", "stopped"), "ending", optional=True)],
        "DT-59",
        "drives in a mode; to a goal by default in the cheapest",
        ("start", "move", "stop", "on", "left", "right", "ram", "strike", "fire", "throw"),
        1,
        goal=True,
    ),
    ActionForm("crash", [Arg("mode", _MODE)], "DT-68", "crashes a vehicle that is boxed in"),
    ActionForm(
        "crawl_out", [Arg("posture", word("standing", "prone"), optional=True)], "DT-131", "crawls from under a vehicle"
    ),
    ActionForm("lift_vehicle", [Arg("vehicle", unit_id("a vehicle"))], "DT-132", "lifts a vehicle upright"),
    ActionForm("give_arcs", (), "DT-158", "assigns each mounted weapon its arc"),
    ActionForm("standard_fire", [_ENEMY, _WEAPON], "DT-159", "fires in the fire phase"),
)

VOCABULARY = Vocabulary(
    actions=ACTIONS,
    elements=ELEMENTS,
    default="foot_move",
    goal_place=_DOT,
    goal_heading=heading("a heading: 0, 60, 120, 180, 240 or 300"),
    goal_level=whole_number("a level"),
)
