"""A shot at any moment of any move of combined_arms: a miss changes nothing, a hit leaves a position without faults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from arms_games import RULESET, arms_game, piece

from simulator.engine.answers import Answer
from simulator.engine.questions import Choose, React, Roll
from simulator.engine.ranges import samples_of
from simulator.geometry.pieces import Piece, rectangle

#: So many moves of each mover are played.
COUNT = 6
#: What a mover is after a move, as far as a shot that misses has to leave it.
KEPT = ("altitude", "floor", "spent_translation", "spent_rotation", "has_moved", "busy_until")
TERRAIN = (
    Piece("mud", "soft_ground", rectangle((-4, 3), (4, 4))),
    Piece("oak", "individual_tree", rectangle((0, -5), (0.5, 0.5)), height=3),
)


@dataclass
class OneShot:
    """Fires at one of the chances that there are, at one of its samples; the dice say what comes of it."""

    chance: int
    sample: int
    roll: int
    asked: int = -1
    samples: int = 0  #: of the chance that it fired at

    def answer(self, question: Any, moment: object) -> Answer | None:
        if isinstance(question, React):
            self.asked += 1
            if self.asked != self.chance:
                return Answer(None, "shot")
            found = samples_of(question.options)
            self.samples = len(found)
            return Answer(found[self.sample % len(found)], "shot")
        if isinstance(question, Choose):
            return Answer(question.default, "shot")
        assert isinstance(question, Roll)
        return Answer(self.roll, "shot")


def gun(name, at):
    return piece(name, "tracked", at, "blue", weapon_range=90)


def others():
    """Two that fire from afar, two to overrun of which one fires, one in a foxhole, and a friend in the way."""
    return [
        gun("G", (0, 30)),
        gun("H", (-30, 20)),
        piece("B", "on_foot", (6, 0), "blue", base=0.5, weapon_range=40),
        piece("D", "on_foot", (-7, 0), "blue", base=0.5, in_foxhole="hole"),
        piece("F", "wheeled", (3, 7), base=2),
        piece("T", "wheeled", (-2, -4), base=1, capacity=2, rate_original=24),
    ]


#: The movers, each with the elements that its moves may be made of.
_GROUND = ("forward", "reverse", "turn_left", "turn_right", "fire")
_AIR = (*_GROUND, "climb", "descend")
MOVERS = {
    "tank": (lambda: piece("A", "tracked", armored=True, size_class=6, base=1, weapon_range=40), _GROUND),
    "hurt": (lambda: piece("A", "tracked", armored=True, size_class=6, damage_level=1, weapon_range=40), _GROUND),
    "car": (lambda: piece("A", "wheeled", armored=True, size_class=6, base=1), _GROUND),
    "walker": (lambda: piece("A", "walker", armored=True, size_class=5), _GROUND),
    "grav": (lambda: piece("A", "grav", armored=True, base=1, weapon_range=40), _AIR),
    "aloft": (lambda: piece("A", "grav", (0, -1), altitude=3, damage_level=2), _AIR),
    "lands": (lambda: piece("A", "grav", altitude=2, can_hover=False, base=1, damage_level=1), _AIR),
    "crew": (lambda: piece("A", "crew_weapon", (-1, -2), crew_required=2), (*_GROUND, "load")),
    "one man": (lambda: piece("A", "crew_weapon", (-1, -2)), (*_GROUND, "load")),
    "turns": (lambda: piece("A", "crew_weapon", wheeled_chassis=False, weapon_range=40), ("turn_left", "fire")),
    "lander": (lambda: piece("A", "grav", None, enters_on=1, assault_lander=True), ("drop", *_AIR)),
    "pod": (
        lambda: RULESET.make_unit("A", "drop_pod", "red", None, 0, rate_original=24, size_class=3, enters_on=1),
        (),
    ),
    "leaves": (lambda: piece("A", "grav", (46, 0), altitude=3, damage_level=2), (*_AIR, "leave_board")),
}


def elements(names, dice):
    """Some elements of a move, by lot."""
    for name in dice.choice(names, dice.integers(1, 5)).tolist() if names else ():
        if name in ("forward", "reverse"):
            yield f"{name} {dice.choice([0.5, 1, 2.5, 4, 7, 11, 16])}"
        elif name in ("turn_left", "turn_right"):
            yield f"{name} {dice.choice([30, 90, 180])}"
        elif name in ("climb", "descend"):
            yield f"{name} {dice.choice([0.5, 1, 2, 3])}"
        elif name == "fire":
            yield f"fire at {dice.choice(['B', 'G', 'D'])}"


def orders(mover, dice):
    """Moves by lot, legal or not."""
    _, names = MOVERS[mover]
    some = list(elements([name for name in names if name not in ("drop", "load", "leave_board")], dice))
    if mover == "pod":
        some = ["drop at 2,2 facing 0", "descend 24"]
    elif "drop" in names:
        some = ["drop at 1,1 facing 0", f"descend {dice.choice([32, 34, 36])}", *some]
    elif "load" in names and dice.random() < 0.5:
        some = [f"forward {dice.choice([0.5, 1])}", "load T"]
    elif "leave_board" in names:
        some = ["forward 2", "leave_board"]
    over = "over B D" if dice.random() < 0.5 and mover in ("tank", "hurt", "car", "walker", "grav") else ""
    return f"A move {over}: {', '.join(some)}".replace(" :", ":")


def games_with(mover, options):
    """Games with a mover that has a legal move, and that move."""
    unit, dice, found = MOVERS[mover][0], np.random.default_rng(sum(map(ord, mover))), set[str]()
    for _ in range(200):
        order = orders(mover, dice)
        units = [unit(), *others()]
        game = arms_game(*units, terrain=TERRAIN, data={"initiative": [one.id for one in units]}, options=options)
        if order not in found and not game.breaches(order):
            found.add(order)
            yield game, order
            if len(found) == COUNT or mover == "pod":
                return


def left_of(game):
    """Who is left, and what the mover is like."""
    unit = game.state.units.get("A")
    return set(game.state.units), unit and (unit.place, unit.heading, unit.carrier, [unit[name] for name in KEPT])


OPTIONS = [{}, {"own_fire_band": "so_far", "speed_band_basis": "distance_moved"}, {"mid_move_damage": "next_turn"}]


@pytest.mark.parametrize("options", OPTIONS, ids=["chosen", "so far", "next turn"])
@pytest.mark.parametrize("mover", MOVERS)
def test_a_miss_changes_nothing_and_a_hit_leaves_no_faults(mover, options):
    """CA-87, CA-92, CA-102, CA-108, CA-110, CA-153."""
    dice, played = np.random.default_rng(7), 0
    for game, order in games_with(mover, options):
        game.do(order, OneShot(-1, 0, 2))
        unmolested = left_of(game)
        assert not game.faults
        game.undo()
        for chance in range(12):
            shot = OneShot(chance, int(dice.integers(0, 50)), 2)
            game.do(order, shot)
            after = left_of(game)
            game.undo()
            if shot.asked < chance:
                break
            assert after == unmolested, (order, shot)
            hit = OneShot(chance, shot.sample, 12)
            game.do(order, hit)
            assert not game.faults, (order, hit)
            game.undo()
            played += 1
    assert played >= (4 if mover == "turns" else 1)
