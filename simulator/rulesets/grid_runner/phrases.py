"""The wording of events in accounts, see `simulator.engine.phrases`."""

from __future__ import annotations

PHRASES = {
    # movement
    "sets out": "sets out",
    "has moved": "has moved",
    "starts to run": "starts to run",
    "stops running": "stops running",
    "sprints": "sprints",
    "step": "steps to {place}",
    "withdrawal": "withdraws",
    "one_square_move": "takes a one-square move",
    "tumble": "tumbles from {place}[ past {line:each}][, threshold {threshold}]",
    "tumble fails": "{unit}'s tumble fails",
    "gains squares": "gains {squares:square} with {hits:hit}",
    "stopped": "is stopped",
    "pushed": "is pushed to {place}",
    "placed": "goes to {place}",
    # attacks and other actions
    "delays": "delays",
    "comes back": "comes back",
    "acts": "acts[ ({deed:words})]",
    "intercepts": "intercepts {mover} with {weapon:words}",
    "strikes": "strikes {target} from {place} with {weapon:words}[, {bonus_dice} dice more]",
    "shoots": (
        "shoots at {target} from {place} with {weapon:words}: {distance:square}, {band} range[, {dice} dice]"
        "[ ({in_melee} of them in melee)]"
    ),
    "grapples": "grapples {target}",
    "holds": "holds {target}",
    "breaks free": "breaks free",
    "caught in the blast": "is caught in the blast of {by} at {place}, {distance:square} off: damage {damage}",
    # what befalls somebody
    "prone": "is prone",
    "standing": "stands",
    "immobilised": "is immobilised",
    "mobile": "is mobile again",
    "out": "is out",
    "passes change": "has other initiative passes",
    # turns
    "turn begins": "the turn begins",
    "pass begins": "a pass begins",
}
