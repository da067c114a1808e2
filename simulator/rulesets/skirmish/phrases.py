"""The wording of events in accounts, see `simulator.engine.phrases`."""

from __future__ import annotations

PHRASES = {
    "moves": "moves to {place}",
    "runs": "runs to {place}",
    "gets over": "gets over {what} to {place}",
    "stays before": "stays before {what}",
    "standing": "stands up",
    "crouching": "crouches",
    "prone": "goes prone",
    "is hit": "is hit by {by} at {place}, level {level:words}",
    "is missed": "is missed by {by}",
    "shifts": "shifts[ by {inches:inch}] to {place}",
    "activated": "is activated",
    "round over": "{unit}'s round is over",
}
