"""Units in all states that a turn knows, and what they can do in it, order by order."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from simulator.engine.game import Game
from simulator.geometry.poses import Pose

#: What may have happened to a unit before its turn, or in the first movement phase of it.
STATES: dict[str, dict[str, Any]] = {
    "fresh": {},
    "fallen": {"fallen": True},
    "fell this turn": {"fallen": True, "fell_this_turn": True},
    "has moved": {"acted_1": "standard", "ap_spent": 1},
    "was unloaded": {"acted_1": "unloaded"},
    "was entered": {"slots": 2, "lock": "entered"},
    "was left": {"slots": 2, "lock": "exited"},
    "has turned": {"free_turned": 30},
    "has moved and turned": {"acted_1": "standard", "ap_spent": 1, "free_turned": 45},
}
#: What a unit may do in a phase: a Move Action, or none.
_ACTIONS = (
    *("", "A straighten_up", "A standard: forward 3", "A standard: turn_right 30 free 30, forward 2"),
    *("A standard: turn_left 90", "A run: forward 7"),
)
#: Its free turn before or after that.
_TURN = "A free_turn: turn_left 30"
#: Everything that it may do in a phase.
_PHASE = [
    [one for one in orders if one]
    for action in _ACTIONS
    for orders in ([action], [_TURN, action], [action, _TURN] if action else [])
    if orders
]


def spent(game: Game[Any], order: Any) -> Any:
    """Play an order, and return the action points that it takes."""
    return game.do(order).ledger.total("ap")


def turns_played(game: Game[Any]) -> Iterator[tuple[Pose, Any]]:
    """Yield where turns of a unit end that are played order by order, each with the action points that it takes."""
    for first, second in product(_PHASE, _PHASE):
        play = game.branch()
        ap = _played(play, first, "movement_1")
        if ap is None:
            continue
        if play.table.clock.phase.name == "movement_1":
            play.do("all done")
        more = _played(play, second, "movement_2")
        if more is not None:
            yield pose_of(play), ap + more


def _played(play: Game[Any], orders: Sequence[str], phase: str) -> Any:
    """The action points of some orders in a phase; None if one of them is forbidden, or comes after the phase."""
    ap, turn = 0, play.table.clock.turn
    for order in orders:
        if play.table.clock.phase.name != phase or play.table.clock.turn != turn or play.breaches(order):
            return None
        ap += spent(play, order)
    return ap


def pose_of(play: Game[Any]) -> Pose:
    """Where the unit is."""
    unit = play.table.unit("A")
    return Pose(tuple(map(float, unit.place)), float(unit.heading) % 360, unit["level"])
