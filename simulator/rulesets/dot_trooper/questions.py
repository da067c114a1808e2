"""The questions that the rules ask, see `simulator.engine.declared`."""

from __future__ import annotations

from simulator.engine.declared import QuestionForm
from simulator.engine.questions import React, Roll
from simulator.rulesets.dot_trooper.checks import check_name
from simulator.rulesets.dot_trooper.figures import TABLES

#: The control checks that there are.
CHECKS = (
    *(check_name(cause, int(angle)) for cause in ("turn", "stop") for angle in TABLES[f"check.{cause}"]),
    *map(check_name, TABLES["check.attack"]),
)

QUESTIONS = {
    "fire": QuestionForm(React, "whether it fires at a unit that moves, and at which", "DT-97"),
    "attack with {weapon}": QuestionForm(Roll, "the test of an attack", "DT-159", words={"weapon": "weapon"}),
    "control check: {check}": QuestionForm(Roll, "the test of a driver", "DT-89", words={"check": CHECKS}),
    "damage cell": QuestionForm(Roll, "where the damage begins", "DT-115"),
}
