"""The wording of events in accounts, see `simulator.engine.phrases`."""

from __future__ import annotations

PHRASES = {
    "moves": "moves to {place}",
    "turns": "turns at {place}",
    "takes": "takes {way} to {place}",
    "changes altitude": "changes altitude at {place}",
    "fires": "fires[ at {target}], {band}",
    "is missed": "is missed by {by}",
    "is damaged": "is hit by {by}: it is slower now",
    "is damaged for later": "is hit by {by}: it is slower from the next turn on",
    "loses a crew member": "loses a crew member to {by}",
    "is destroyed": "is destroyed by {by}",
    "falls": "comes down at {place}: it is immobile",
    "comes on": "comes onto the board at {place}",
    "comes down": "appears above {place}, at altitude {altitude}",
    "goes round": "{side} moves off the board, {toward}: nobody can enter there before turn {turn}",
    "stops": "stops at {place}, slowed by damage",
    "overruns": "overruns {target}",
    "passes over": "passes over {target}, dug in",
    "knocks down": "knocks down {tree}",
    "gets off": "gets off {carrier} at {place}",
    "boards": "boards {carrier}",
    "leaves the board": "leaves the board at {place}",
    "ends its move": "ends its move[ at {place}], a target that is {band}",
    "turn over": "{unit}'s turn is over",
}
