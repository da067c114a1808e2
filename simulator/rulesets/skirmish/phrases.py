"""The wording of events in accounts, see `simulator.engine.phrases`."""

from __future__ import annotations

PHRASES = {
    "moves": "moves to {place}",
    "runs": "runs to {place}",
    "is Running": "is Running",
    "gets over": "gets over {what} to {place}",
    "stays before": "stays before {what}",
    "suffers Threshold": "suffers Threshold",
    "standing": "stands up",
    "crouching": "crouches",
    "prone": "goes prone",
    "is hit": "is hit by {by} at {place}, level {level:words}",
    "is missed": "is missed by {by}",
    "dodges": "dodges",
    "fails to dodge": "fails to dodge",
    "shifts": "shifts[ by {inches:inch}] to {place}",
    "activated": "is activated",
    "has acted": "has acted",
    "round over": "{unit}'s round is over",
}
