"""Generated positions of the three rulebooks in which orders can go one way and another, for the tests of foresight."""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))

import dt_games
from every_play import assert_foreseen_is_played
from grid_runner_boards import generated
from skirmish_tables import block, game_with, rough, wall

from simulator.engine.answers import Policy
from simulator.engine.errors import SimulatorError
from simulator.engine.orders import Order


def grid_runner_orders(seed):
    """A character among others, walking, running, withdrawing, tumbling: a game and orders for it."""
    dice = random.Random(f"grid_runner {seed}")
    scale = dice.choice(["m1", "m2", "m5"])
    options = dice.choice(
        [
            {},
            {"free_actions_per_pass": 2},
            {"tumble_first": "gm"},
            {"tumble_first": "hits_plus_one"},
            {"tumble_push": "any_interception"},
            {"tumble_counts": "near_any"},
        ]
    )
    game = generated(seed, scale, options, budget=dice.choice([None, 3]), crowd=dice.choice([4, 6]))
    game.answers = Policy("never", "first")
    action = dice.choice(["move", "withdrawal", "tumble", "tumble", "one_square_move"])
    reach = game.reach("A", action)
    return game, _orders_to(reach, dice, safest=dice.random() < 0.5)


def dot_trooper_orders(seed, firers=2):
    """A walk, a flight or a drive past some who fire: a game and orders for it."""
    dice = random.Random(f"dot_trooper {seed}")
    board = dt_games.random_map(seed, radius=6, share=0.05)
    spots = [spot for spot in board.places() if not board.impassable[board.index(spot)]]
    kind = dice.choice(["walk", "flight", "drive", "drive"])
    options = dice.choice(
        [{}, {}, {"flight_attacks": "once_per_unit_per_dot"}, {"attack_cap": "per_firing_unit"}, {"segment_per": "ap"}]
    )
    if kind == "drive":
        units = dt_games.bike(place=(0, 0), heading=dice.choice(range(0, 360, 60)), armor=dice.choice([0, 4]))
    else:
        pack = {"jet_pack": "worn"} if kind == "flight" else {}
        units = [dt_games.trooper(place=(0, 0), **pack)]
    taken = {unit.place for unit in units}
    for number in range(dice.randint(0, firers)):
        place = dice.choice([spot for spot in spots if spot not in taken])
        taken.add(place)
        arc = tuple(sorted(dice.sample(spots, dice.choice([3, 8, 20]))))
        weapon = dice.choice(["rifle", "smg"])
        units.append(dt_games.trooper(f"B{number}", "blue", place, arc=arc, weapon=weapon))
    try:
        game = dt_games.game(units, board, options=options)
    except SimulatorError:
        return None, []
    action = {"walk": "foot_move", "flight": "activate_jet_pack", "drive": "drive"}[kind]
    question = {"mode": dice.choice(["minimum", "cruise"])} if kind == "drive" else {}
    reach = game.reach("A1", action, **question)
    return game, _orders_to(reach, dice, surest=kind == "drive" and dice.random() < 0.5)


def skirmish_orders(seed):
    """Moves, runs and traverses over rough ground and walls, with Threshold and without; attacks that are dodged."""
    dice = random.Random(f"skirmish {seed}")
    pieces = []
    if dice.random() < 0.7:
        pieces.append(rough(2, -3, 2 + dice.choice([1, 2]), 3))
    if dice.random() < 0.7:
        x = dice.choice([1.5, 4.5, 5])
        pieces.append(wall((x, -6), (x, 6), height=dice.choice([0.8, 1.5, 2.5])))
    if dice.random() < 0.3:
        pieces.append(block(-3, -1, -2, 1))
    me = {"threshold_left": dice.choice([0, 1]), "stance": dice.choice(["standing", "standing", "crouching"])}
    others = (("B1", "blue", (-5.0, 4.0)), ("A2", "red", (3.0, 4.0)))
    game = game_with(*pieces, me=me, others=others, size=20, corner=(-10, -10))
    if dice.random() < 0.25:
        return game, [Order("A1", "attack", args={"target": "B1"})]
    reach = game.reach("A1")
    for _ in range(20):
        place = dice.randint(-12, 16) / 2, dice.randint(-6, 6) / 2
        if place in reach and (orders := reach.orders_to(place)):
            return game, orders
    return game, []


def _orders_to(reach, dice, **question):
    """Orders to one of the places in reach, no orders where there is none but its own."""
    places = sorted({end.place for end in reach.ends})
    dice.shuffle(places)
    for place in places[:4]:
        try:
            orders = reach.orders_to(place, **{name: value for name, value in question.items() if value})
        except SimulatorError:
            continue
        if orders:
            return orders
    return []


WORLDS = {"grid_runner": grid_runner_orders, "dot_trooper": dot_trooper_orders, "skirmish": skirmish_orders}

__all__ = ["WORLDS", "assert_foreseen_is_played"]
