"""The wording of events in accounts, see `simulator.engine.phrases`."""

from __future__ import annotations

PHRASES = {
    # on the move
    "mode": "selects the mode {mode}",
    "start": "begins a start",
    "move": "begins a move",
    "stop": "begins a stop",
    "dot": "goes on to {place}",
    "turns": "turns {side} by {angle}",
    "swings": "swings its rear round",
    "ends": "ends its ride",
    "movement over": "{unit}'s movement is over",
    "step": "steps to {place}",
    "posture": "changes posture",
    "backs off": "backs off to {place}",
    "flies": "flies to {place}",
    "drops": "lets an explosive drop",
    # other actions
    "mount": "gets on",
    "dismount": "gets off",
    "turn_on": "switches on",
    "turn_off": "switches off",
    "equip_jet_pack": "puts on a jet pack",
    "remove_jet_pack": "takes off a jet pack",
    "exchange_jet_pack": "exchanges a jet pack",
    "crawl_out": "crawls out",
    "lift_vehicle": "lifts the vehicle",
    "arcs": "{unit}'s weapons have their arcs",
    # attacks and damage
    "rams": "rams {target}",
    "fires": "fires[ at {target}][ with {weapon:words}]",
    "strikes": "strikes {target} with {weapon:words}",
    "hits": "hits {target} with {weapon:words}",
    "misses": "misses {target}",
    "explosive thrown": "{unit}'s {weapon:words} comes down at {place}, TN {tn}",
    "explosion": "{unit}'s explosive goes off",
    "dud": "{unit}'s explosive is a dud",
    "armor lost": "loses {points} armor to {by}[ at {place}], {left} left",
    "damaged": "is damaged by {by}[ at {place}]: {points:point}, {row}",
    "hurt": "is hurt by {by}[ at {place}]: {points:point}, HP {hp}",
    "bruised": "is bruised by {by}[ at {place}]: {points:point}",
    "wrecked": "is wrecked",
    "wipes out": "wipes out ({cause:words}, mode {mode})[ and slides {dots:dot}] from {from} to {place}[, into {hit}]",
    "crashes": "crashes ({cause:words}, mode {mode}) from {from} to {place}[, into {hit}]",
    # turns
    "fresh AP": "has fresh AP",
    "new turn": "is ready for a new turn",
}
