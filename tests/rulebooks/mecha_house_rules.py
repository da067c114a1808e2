"""One small position in which every Move Action of mecha is open to somebody, and random orders for each of them."""

import math
from typing import Any

import numpy as np

from simulator.engine.game import Game
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.geometry.table import InchTable
from simulator.rulesets.mecha import RULESET

#: Who makes an action in the position, and what reach is asked besides.
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "standard": ("A", {}),
    "run": ("A", {}),
    "charge": ("A", {"target": "E"}),
    "break_away": ("B", {}),
    "manoeuvre": ("B", {}),
    "jump": ("J", {}),
    "falls": ("T", {"falls": True}),
    "climb": ("K", {}),
    "climb down": ("J", {}),
    "enter_unit": ("W", {"carrier": "C"}),
    "exit_unit": ("V", {}),
    "unload": ("C", {}),
    "hover": ("H", {}),
    "turn": ("A", {}),
}
#: What is asked of those that are not called by the name of their action.
ACTIONS = {"falls": "jump", "hover": "standard", "climb down": "climb"}
_KEEP, _TOWER = (22, 20), (22, 12)
#: Whom an action has to touch; the middles of tops that are jumped off, and half of their widths.
_TOUCHED = {"charge": "E", "enter_unit": "C", "manoeuvre": "D"}
_EDGES = {"jump": (_KEEP, 3.0), "falls": (_TOWER, 2.0)}


def position(**settings: Any) -> Game[Any]:
    """Return the game: a mud patch, a keep of 4 inches, a tower of 9, and ten units."""
    pieces = [
        Piece("mud", "difficult", rectangle((9.3, 6.2), (2, 2))),
        Piece("wood", "woodland", rectangle((5, 8), (2, 2))),
        Piece("keep", "building", rectangle(_KEEP, (6, 6)), "elevated", height=4),
        Piece("tower", "building", rectangle(_TOWER, (4, 4)), "elevated", height=9),
    ]
    units = [
        _unit("A", (7, 7), move=2),
        _unit("E", (9.8, 8), 180, side="blue"),
        _unit("F", (7, 8.4), kind="vehicle", mobility="hover", size_class=6),
        _unit("J", (19.5, 21), 170, level="keep", move=2),
        _unit("K", (18.5, 18.5), 20),
        _unit("T", (20.5, 12), 170, level="tower", move=2),
        _unit("C", (7, 20), kind="vehicle", size_class=4, base=1, slots=2),
        _unit("V", None, kind="infantry", size_class=0, carrier="C"),
        _unit("W", (7, 22.2), 270, kind="infantry", size_class=0, move=4),
        _unit("H", (14, 22), kind="vehicle", mobility="hover", move=2),
        _unit("B", (14, 7), skills=["combat_manoeuvres"]),
        _unit("D", (15, 7), 180, side="blue"),
    ]
    board = InchTable("Small", 28, 28, pieces=pieces, ground="flat_ground")
    return Game.new(RULESET, board, units, **settings)


def _unit(name: str, at: Any, heading: float = 0, *, kind: str = "mecha", side: str = "red", **fields: Any) -> Any:
    return RULESET.make_unit(name, kind, side, at, heading, **{"size_class": 2, "move": 3, **fields})


# --- random orders ---


def order_for(game: Game[Any], what: str, dice: Any) -> tuple[str, Pose]:
    """Return a random order for an action and the pose it ends in; many of them are refused.

    It is aimed at what the action has to touch; of ends in contact the place is told alone. Numbers have all their
    digits: some ends are just so reached.
    """
    name, _ = ASKED[what]
    walk = _Walk(game, game.state.unit(name), dice)
    head = f"{name} {ACTIONS.get(what, what)}"
    if what in _TOUCHED:
        walk.wander(int(dice.integers(0, 2)))
        walk.go_to(game.state.unit(_TOUCHED[what]))
        head += "" if what == "manoeuvre" else f" {_TOUCHED[what]}"
    elif what in _EDGES:
        walk.go_to_edge(*_EDGES[what])
        walk.elements.append("jump_off")
    elif what == "exit_unit":
        walk.stand_behind(game.state.unit("C"), 1 + float(walk.unit["base"]))
        head += walk.placed
        walk.wander(int(dice.integers(0, 3)))
    elif what.startswith("climb"):
        head += " keep"
    else:
        walk.wander(int(dice.integers(1, 4)))
    if what == "unload":
        walk.elements.insert(*_set_down(game, walk, dice))
    end = Pose((walk.x, walk.y), None if what in _TOUCHED else walk.heading % 360)
    return f"{head}: {', '.join(walk.elements)}" if walk.elements else head, end


def _set_down(game: Game[Any], walk: "_Walk", dice: Any) -> tuple[int, str]:
    """Where V is set down, and before which element: by default after the last one."""
    early = game.setting.options.unload_order == "any" and dice.random() < 0.5
    rider = _Walk(game, game.state.unit("V"), dice)
    rider.stand_behind(game.state.unit("C") if early else walk, 1.5)
    return (0 if early else len(walk.elements)), f"set_down V{rider.placed}"


class _Walk:
    """Elements one after the other, and where they lead."""

    def __init__(self, game: Game[Any], unit: Any, dice: Any) -> None:
        self.game, self.unit, self.dice = game, unit, dice
        self.x, self.y = map(float, unit.place or (0, 0))
        self.heading = float(unit.heading)
        self.elements: list[str] = []
        self.placed = ""
        most = {"walker": 90.0, "four_legged_walker": 45.0}.get(unit["mobility"], 0.0)
        self.free = most - float(unit["free_turned"])

    def wander(self, count: int) -> None:
        """Make some legs, most of them after a turn."""
        for _ in range(count):
            if self.dice.random() < 0.7:
                self.turn(float(self.dice.choice([15, 22.5, 45, 80, 90, 120])) * float(self.dice.choice([-1, 1])))
            names = ["forward", "forward", "backward", "sideways_left", "sideways_right"]
            self.leg(str(self.dice.choice(names)), round(float(self.dice.uniform(0.05, 1.2)), 2))

    def turn(self, left: float) -> None:
        """Turn, for nothing where a free turn is left."""
        free = min(abs(left), self.free) if self.dice.random() < 0.8 else 0.0
        if free:
            self.free = self.free - free if self.game.setting.options.free_turn_split else 0.0
        told = f" free {_text(free)}" if free else ""
        self.elements.append(f"turn_{'left' if left > 0 else 'right'} {_text(abs(left))}{told}")
        self.heading += left

    def leg(self, name: str, inches: float) -> None:
        """Travel."""
        aside = {"forward": 0, "backward": 180, "sideways_left": 90, "sideways_right": -90}[name]
        self.elements.append(f"{name} {_text(inches)}")
        self.x += inches * math.cos(math.radians(self.heading + aside))
        self.y += inches * math.sin(math.radians(self.heading + aside))

    def go_to(self, other: Any) -> None:
        """Turn toward another base, and go up to it."""
        across, up = float(other.place[0]) - self.x, float(other.place[1]) - self.y
        self._face(math.degrees(math.atan2(up, across)))
        self.leg("forward", max(math.hypot(across, up) - float(other["base"]) - float(self.unit["base"]), 0.0))

    def go_to_edge(self, middle: tuple[float, float], half: float) -> None:
        """Turn any way, and go to the edge of the top."""
        self.turn(float(self.dice.uniform(-60, 60)))
        ahead = math.cos(math.radians(self.heading)), math.sin(math.radians(self.heading))
        most, radius = [], float(self.unit["base"])
        for at, centre, step in zip((self.x, self.y), middle, ahead, strict=True):
            if abs(step) > 1e-9:
                most.append((centre + math.copysign(half - radius, step) - at) / step)
        self.leg("forward", max(min(most), 0.0))

    def stand_behind(self, carrier: Any, away: float) -> None:
        """Begin in contact with the rear of a carrier, facing as the options want it."""
        options = self.game.setting.options
        x, y = (carrier.x, carrier.y) if isinstance(carrier, _Walk) else map(float, carrier.place)
        facing = float(carrier.heading)
        aside = float(self.dice.uniform(-0.5, 0.5)) * float(options.rear_arc_deg)
        normal = math.radians(facing + 180 + aside)
        self.x, self.y = x + away * math.cos(normal), y + away * math.sin(normal)
        wanted = {"same": facing, "away": math.degrees(normal)}
        self.heading = wanted.get(options.placement_heading, float(self.dice.uniform(0, 360))) % 360
        self.placed = f" at {_text(self.x)},{_text(self.y)} facing {_text(self.heading)}"

    def _face(self, direction: float) -> None:
        left = (direction - self.heading + 180) % 360 - 180
        if abs(left) > 1e-6:
            self.turn(left)


def _text(number: float) -> str:
    """A number with all its digits, and without an exponent."""
    return np.format_float_positional(number, trim="-")
