"""How the account tells what happens, see `simulator.engine.phrases`."""

from __future__ import annotations

PHRASES = {
    "declares": "declares: {action}",
    "moves": "moves to {place}",
    "turns": "turns at {place}",
    "turns freely": "turns freely at {place}",
    "enters": "goes aboard {carrier} at {place}",
    "exits": "leaves {carrier} at {place}",
    "is set down": "is set down by {carrier} at {place}",
    "phase over": "{unit}'s free turn is back",
    "turn over": "{unit}'s turn is over",
}
