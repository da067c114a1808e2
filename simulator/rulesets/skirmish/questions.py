"""The questions that the rules ask, see `simulator.engine.declared`."""

from __future__ import annotations

from simulator.engine.declared import QuestionForm
from simulator.engine.questions import Choose, React, Roll

QUESTIONS = {
    "Terrain roll": QuestionForm(Roll, "the roll on rough terrain", "SK-10"),
    "Traverse roll": QuestionForm(Roll, "the roll to get over an obstacle", "SK-19"),
    "after the failure": QuestionForm(Choose, "whether Threshold saves what a failed roll loses", "SK-12"),
    "attack roll": QuestionForm(Roll, "whether an attack succeeds", "SK-32"),
    "dodge": QuestionForm(React, "whether it dodges an attack, and at which level", "SK-38"),
    "dodge roll": QuestionForm(Roll, "whether a dodge succeeds", "SK-42"),
    "direction of the dodge": QuestionForm(Choose, "the direction in which it dodges", "SK-41"),
}
