"""The questions about reach that skirmish answers."""

from __future__ import annotations

from simulator.engine.orders import truth, whole_number, word
from simulator.engine.reach_questions import Ask

#: The choices of stance in a question: it may change on the way, or it is kept.
STANCE_ASKED = ("any", "kept")
#: The actions with an answer of reach; the first is the default.
REACHES = {
    "turn": "all a soldier can do in its activation: moves, runs and traverses, with the AP it has, or `ap` of them",
    "move": "where one move ends",
    "run": "where a run ends",
    "traverse": "on which far sides a traverse ends",
}
#: The keywords of a question.
ASKS = {
    "ap": Ask(whole_number("a number of AP, 1 or more", 1, 99), ("turn",)),
    "threshold": Ask(whole_number("the Threshold that may be suffered, from 0 to 1000", 0, 1000)),
    "token": Ask(truth("true or false: whether it ends with the Running token")),
    "stance": Ask(word(*STANCE_ASKED), ("turn",)),
}
