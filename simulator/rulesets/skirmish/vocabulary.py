"""The orders of skirmish: its actions and the pieces that lines of movement consist of."""

from __future__ import annotations

from simulator.engine.line_orders import LINE_ELEMENTS, line_forms
from simulator.engine.orders import (
    ActionForm,
    Arg,
    Form,
    Vocabulary,
    heading,
    piece_id,
    place,
    unit_id,
    whole_number,
    word,
)
from simulator.rulesets.skirmish.rolls import LEVELS
from simulator.rulesets.skirmish.units import STANCES

_LINE = (*LINE_ELEMENTS, "facing")


VOCABULARY = Vocabulary(
    actions=[
        ActionForm(
            "move",
            [Arg("ap", whole_number("a number of AP from 1 to 1000", 1, 1000), "ap", True)],
            "SK-1",
            "moves along a line, for 1 AP",
            elements=_LINE,
            least=1,
            goal=True,
        ),
        ActionForm("run", (), "SK-28", "runs in one straight line, for 3 AP", elements=_LINE, least=1, goal=True),
        ActionForm(
            "traverse",
            [
                Arg("obstacle", piece_id("an obstacle, in quotation marks if its id is more than a word")),
                Arg("other", piece_id("the other side of a gap"), "and", True),
                Arg("towards", place("a point of the obstacle"), "towards", True),
            ],
            "SK-18",
            "climbs over an obstacle, or through the gap between two",
        ),
        ActionForm("change_stance", [Arg("stance", word(*STANCES))], "SK-64", "stands up, crouches or lies down"),
        ActionForm(
            "attack",
            [
                Arg("target", unit_id("an enemy", "enemy")),
                Arg("base", word(*LEVELS), "base", True),
                Arg("at", word(*LEVELS), "at", True),
                Arg("made", word(*LEVELS), "made", True),
                Arg("source", place("the place it comes from"), "from", True),
            ],
            "SK-67",
            "makes a LOS action that may be dodged: its base level, the level it is made at",
            aside=True,
        ),
    ],
    elements=[
        *line_forms("SK-4"),
        Form("facing", [Arg("heading", heading())], "SK-3", "its facing afterwards"),
    ],
    default="move",
)
