"""The questions that the rules ask, see `simulator.engine.declared`."""

from __future__ import annotations

from simulator.engine.declared import QuestionForm
from simulator.engine.questions import Choose, React, Roll

QUESTIONS = {
    "who may attack next": QuestionForm(Choose, "the order of Attacks of Opportunity", "ME-59", who="side"),
    "attack of opportunity": QuestionForm(React, "whether it attacks a unit that breaks away", "ME-59"),
    "result of the attack": QuestionForm(Choose, "whether an Attack of Opportunity hits", "ME-59"),
    "after being hit": QuestionForm(Choose, "whether a unit that was hit still moves", "ME-61"),
    "result of the action": QuestionForm(Choose, "whether a Break Away succeeds", "ME-62"),
    "where it comes to lie": QuestionForm(Choose, "the place of a unit that has fallen", "ME-97"),
    "damage of the fall": QuestionForm(Roll, "the damage of a fall", "ME-92"),
    "the Endurance {target} test of its pilot": QuestionForm(Choose, "whether the pilot endures a fall", "ME-96"),
    "where it is pushed to": QuestionForm(Choose, "the place of a unit that is pushed or pulled", "ME-3"),
}
