"""The questions that the rules ask, see `simulator.engine.declared`."""

from __future__ import annotations

from simulator.engine.declared import QuestionForm
from simulator.engine.questions import Choose, React, Roll

QUESTIONS = {
    "interceptive fire": QuestionForm(React, "whether it fires at a piece that moves, and when", "CA-102"),
    "the band that it keeps to": QuestionForm(Choose, "the band of a piece that fires before it has moved", "CA-98"),
    "hit": QuestionForm(Roll, "whether a shot hits", "CA-97"),
}
