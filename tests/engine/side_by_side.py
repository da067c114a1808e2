"""Questions asked by several threads at once, of all that a program may share: boards, games, answers, prepared spaces.

A *room* is built from scratch and poses questions by name. What one thread finds alone in one room, many threads have
to find together in another, each asking all questions in an order of its own.
"""

import sys
import threading
from functools import partial
from pathlib import Path

import numpy as np
from shapely.geometry.base import BaseGeometry

from simulator import Game, load_board, load_scenario, shelf
from simulator.engine.errors import TableError
from simulator.pathing.free import Obstacles, TravelQuery, plan, plan_many, prepare
from simulator.pathing.free.prepared import forget
from simulator.pathing.kernel.prepared import Prepared, Query
from simulator.pathing.move_space import Start
from simulator.pathing.plain import plain_space
from simulator.pathing.traces import NoRoute

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = {
    "grid_runner": ("market_chase", "vault_corridor", "mill_bridge"),
    "dot_trooper": ("over_the_roofs", "alley_turn"),
    "skirmish": ("over_the_wall", "the_yard"),
}


def told(value):
    """What is compared of an answer: areas to a millionth of their size, lengths to a hundred-millionth of an inch."""
    if isinstance(value, np.ndarray):
        return (value.shape, np.round(value, 8).tobytes() if value.dtype.kind == "f" else value.tobytes())
    if isinstance(value, BaseGeometry):
        return (round(value.area, 5), *(() if value.is_empty else (round(number, 5) for number in value.bounds)))
    if isinstance(value, float):
        return round(value, 8)
    if isinstance(value, (list, tuple)):
        return tuple(map(told, value))
    return str(value)


def differing(room, threads, seed):
    """The names of the questions that some thread of many finds answered otherwise than one thread alone."""
    alone = {name: told(ask()) for name, ask in room().items()}
    shared = room()
    assert shared.keys() == alone.keys()
    wrong, began, before = [], threading.Barrier(threads), sys.getswitchinterval()

    def work(number):
        names = sorted(shared)
        # Half of the threads keep the same order: they ask for what nobody has asked for yet all at once.
        np.random.default_rng([seed, number // 2]).shuffle(names)
        began.wait()
        for name in names:
            try:
                found = told(shared[name]())
            except Exception as error:  # whatever it is, one thread alone did not meet it
                found = f"{type(error).__name__}: {error}"
            if found != alone[name]:
                wrong.append(name)

    sys.setswitchinterval(1e-5)
    try:
        workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    finally:
        sys.setswitchinterval(before)
    return wrong


# --- what is shared ---


def prepared_space(seed):
    """One prepared board: single queries, batches, other masks, by every executor."""

    def room():
        board = load_board(ROOT / "boards/market_square.yaml")
        prepared = Prepared(plain_space(board))
        dice = np.random.default_rng(seed)
        cells = np.argwhere(prepared.space.planes["ground"] > 0)
        phase = prepared.space.phases[0]
        questions = {}
        for number in range(24):
            chosen = cells[dice.integers(0, len(cells), 40)].tolist()
            starts = [Start(row, col, phase=phase) for row, col in chosen]
            budget = int(dice.choice([4, 9, 14]))
            shut = np.ones(board.shape, bool)
            shut[tuple(cells[dice.integers(0, len(cells), 12)].T)] = False
            method = ("wide", "words", "relax")[number % 3]

            def batch(starts=starts, budget=budget, method=method):
                return [costs.full() for costs in prepared.search_many([Query([s], budget) for s in starts])]

            def one(starts=starts, budget=budget, method=method):
                return prepared.search(starts[:2], budget, method=method).full()

            def masked(starts=starts, budget=budget, shut=shut):
                other = prepared.with_masks(enter=shut)
                found = other.search_many([Query([s], budget) for s in starts], by_state=True)
                return [costs.full() for costs in found] + [other.search(starts[:1], None).full()]

            questions |= {f"batch {number}": batch, f"{method} {number}": one, f"masked {number}": masked}
        return questions

    return room


def prepared_tables(seed, count=24):
    """Tables of walls and bases: lengths and areas of ways, near and far, so that their lines grow all the time."""

    def room():
        forget()
        dice = np.random.default_rng(seed)
        questions = {}
        for at in range(count):
            middle, half = dice.uniform(0, 24, (10, 2)), dice.uniform(-2, 2, (10, 2))
            bases = np.column_stack([dice.uniform(0, 24, (8, 2)), np.full(8, 0.5)])
            walls = np.round(np.hstack([middle - half, middle + half]), 6)
            table = prepare(Obstacles(np.round(bases, 6), walls, [], (0.0, 0.0, 24.0, 24.0)), 0.5)
            places = np.round(dice.uniform(1, 23, (60, 2)), 6)
            places = places[table.legal(places)]
            for number, start in enumerate(places[:4].tolist()):
                budget = float(dice.choice([2, 5, 9, 16]))
                questions |= {
                    f"table {at}, {kind} {number}": partial(ask, table, bases, places, start, budget)
                    for kind, ask in (("lengths", _lengths), ("area", _area), ("many", _many), ("way", _way))
                    if kind != "area" or (at < 4 and not number)
                }
        return questions

    return room


def _lengths(table, bases, places, start, budget):
    return plan(table, start, budget).cost_at(places)


def _area(table, bases, places, start, budget):
    return plan(table, start, min(budget, 5.0)).area(error=0.05)


def _many(table, bases, places, start, budget):
    asked = [TravelQuery(start, budget), TravelQuery(places[0], 3.0)]
    return [reach.cost_at(places) for reach in plan_many(table.with_discs(bases[:4]), asked)]


def _way(table, bases, places, start, budget):
    reach = plan(table, start, 12.0)
    ends = places[np.isfinite(reach.cost_at(places))][:9]
    return [reach.route_to(tuple(end)).length for end in ends.tolist()]


#: What is asked in a few seconds: one scenario each, and of skirmish no whole activations.
SHORT = {
    "grid_runner": ("market_chase", ("move", "tumble", "")),
    "dot_trooper": ("alley_turn", ("drive", "foot_move")),
    "skirmish": ("over_the_wall", ("move", "run", "traverse")),
}


def rulebook(name, seed, places=6, short=False):
    """Games of a rulebook that share their boards, and answers that threads share: reach, chances, reasons, orders."""

    def room():
        forget()
        questions = {}
        for scenario in SHORT[name][:1] if short else SCENARIOS[name]:
            read = load_scenario(ROOT / "scenarios" / name / f"{scenario}.yaml")
            game = read.start(seed=1)
            dice = np.random.default_rng([seed, len(questions)])
            for unit in list(game.state.units)[: 2 if short else 4]:
                for action in SHORT[name][1] if short else (*game.ruleset.reaches, ""):
                    spots = _spots(game.board, dice, places)
                    try:
                        shared = game.reach(unit, action)
                    except TableError:
                        continue
                    own = (game, unit, action, spots)
                    asked = f"{scenario} {unit} {action}"
                    questions[f"{asked} fresh"] = lambda own=own: _asked(own[0].reach(*own[1:3]), own[3])
                    questions[f"{asked} shared"] = lambda one=shared, spots=spots: _asked(one, spots)
                questions[f"{scenario} {unit} legal"] = lambda game=game, unit=unit: _first_orders(game, unit)
        return questions

    return room


def everybody(seed):
    """One board of squares, many positions on it, everybody's reach at once."""

    def room():
        dice = np.random.default_rng(seed)
        ruleset, board = shelf()["grid_runner"], load_board(ROOT / "boards/market_square.yaml")
        standable = [place for place in board.places() if board.terrain_at(place) == "pavement"]
        questions = {}
        for number in range(12):
            chosen = dice.choice(len(standable), int(dice.integers(20, 50)), replace=False)
            units = [
                ruleset.make_unit(f"A{k}", "character", "red" if k % 2 else "blue", standable[at])
                for k, at in enumerate(chosen.tolist())
            ]
            game = Game.new(ruleset, board, units)
            questions[f"all {number}"] = lambda game=game: [
                answer.cheapest for _, answer in game.reach_many(action="move")
            ]
        return questions

    return room


def _spots(board, dice, count):
    if board.kind == "table":
        low_x, low_y, high_x, high_y = board.bounds
        spots = dice.uniform((low_x, low_y), (high_x, high_y), (count, 2))
        return [tuple(np.round(spot, 3).tolist()) for spot in spots]
    known = list(board.places())
    return [known[number] for number in dice.integers(0, len(known), count)]


def _asked(answer, spots):
    found = [answer.area, [area for _, area in answer.bands()], [area for _, area in answer.chance_bands()]]
    for spot in spots:
        found += [answer.cost_at(spot), answer.chance_at(spot), answer.why_not(spot)]
        try:
            found.append(answer.orders_to(spot))
        except NoRoute as error:
            found.append(str(error))
    return found


def _first_orders(game, unit, most=40):
    try:
        return [game.write(order) for _, order in zip(range(most), game.legal(unit), strict=False)]
    except TableError as error:
        return str(error)
