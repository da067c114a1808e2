"""The questions that the rules ask, see `simulator.engine.declared`."""

from __future__ import annotations

from simulator.engine.declared import QuestionForm
from simulator.engine.questions import Choose, React, Roll

QUESTIONS = {
    "intercept {unit}": QuestionForm(React, "whether it intercepts one that moves, with which weapon", "GR-49"),
    "attack on {unit}": QuestionForm(Roll, "the attack of an interception, for damage", "GR-51"),
    "agility and gymnastics": QuestionForm(Roll, "the test of a tumble", "GR-64"),
    "who intercepts first": QuestionForm(Choose, "where a failed tumble is first intercepted", "GR-67", who="gm"),
    "where {unit} is pushed": QuestionForm(Choose, "the square that a tumbler is pushed to", "GR-72"),
    "running": QuestionForm(Roll, "the test of a sprint", "GR-32"),
    "grapple": QuestionForm(Roll, "the test of a grapple", "GR-76"),
    "where it goes": QuestionForm(Choose, "the square of a character that leaves a grapple", "GR-77"),
    "resists the blast": QuestionForm(Roll, "the resistance of a character caught in a blast", "GR-95"),
}
