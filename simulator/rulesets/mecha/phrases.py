"""The wording of events in accounts, see `simulator.engine.phrases`."""

from __future__ import annotations

PHRASES = {
    "declares": "declares: {action}",
    "moves": "moves to {place}",
    "turns": "turns at {place}",
    "turns freely": "turns freely at {place}",
    "enters": "goes aboard {carrier} at {place}",
    "exits": "leaves {carrier} at {place}",
    "is lost": "is destroyed at {place}",
    "is spared": "gets off {carrier} at {place}, before it is destroyed",
    "is set down": "is set down by {carrier} at {place}",
    "attacks": "attacks {target} with {with}{modifiers}",
    "attacks of opportunity": "makes an Attack of Opportunity on {target}{modifiers}",
    "fails to break away": "fails to break away",
    "is pinned": "is pinned until the end of the turn",
    "jumps off": "jumps off, down to {place}",
    "climbs": "climbs {terrain}, up to {place}",
    "falls": "falls off {from}, and lies at {place}",
    "is hurt": "takes {damage} damage, shields or not",
    "is tested": "has its pilot make an Endurance test against {target}",
    "needs no test": "needs no Endurance test",
    "ends its test": "has {outcome} the Endurance test",
    "is destroyed": "is destroyed by {by}",
    "gets up": "gets up",
    "is pushed": "is pushed to {place}",
    "phase over": "{unit}'s movement phase is over",
    "turn over": "{unit}'s turn is over",
}
