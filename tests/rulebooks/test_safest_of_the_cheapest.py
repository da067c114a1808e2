"""Of ways of the same price the safest is taken: against every cheapest way there is, on small boards."""

import random
from fractions import Fraction
from itertools import product

import dt_games
import pytest
from exhaustive_grid_runner import after, chance_of_path, every_path, order_of, squares_paid
from grid_runner_boards import generated
from skirmish_tables import game_with, rough, wall

from simulator.engine.best_case import Hopeful
from simulator.engine.orders import Element, Order
from simulator.engine.questions import React
from simulator.geometry.hex_lattice import step
from simulator.geometry.poses import Pose


def moments(game, order):
    """How often somebody is asked whether to interrupt, if nobody does."""
    happened = game.branch(Hopeful()).do(order, Hopeful())
    return sum(isinstance(entry.question, React) for entry in happened.answered)


def is_legal(game, order):
    return not game.breaches(order)


class TestOnSquares:
    """GR-48, GR-49: the best chance of the equally cheap ways, then the fewest triggers."""

    @pytest.mark.parametrize("seed", range(24))
    def test_against_every_path(self, seed):
        scale, action = ("m1", "m2", "m5")[seed % 3], ("move", "move", "withdrawal", "tumble")[seed % 4]
        game = generated(seed, scale, budget=3)
        reach = game.reach("A", action)
        ways = {}
        for path, place in every_path(game, action):
            ways.setdefault(place, []).append((squares_paid(path, game.table.unit("A")["parity"])[0], path))
        for place, paths in ways.items():
            if place == reach.mover.place:
                continue
            least = min(cost for cost, _ in paths)
            cheapest = [path for cost, path in paths if cost == least]
            (order,) = reach.orders_to(place)
            taken = [element.name for element in order.elements for _ in range(element.get("squares", 1))]
            assert squares_paid(taken, game.table.unit("A")["parity"])[0] == least
            best = max(risk(game, action, path) for path in cheapest)
            assert risk(game, action, taken) == best

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        ("seed", "action"),
        [*((seed, ("move", "withdrawal")[seed % 2]) for seed in range(9)), *((seed, "tumble") for seed in range(24))],
    )
    def test_by_way_of_another_square(self, seed, action):
        scale = ("m1", "m2", "m5")[seed % 3]
        game = generated(seed, scale, budget=3, options={"free_actions_per_pass": 1 + seed % 2})
        parity, start = game.table.unit("A")["parity"], game.table.unit("A").place
        ways = {}
        for path, place in every_path(game, action):
            come_by = {after(start, path[:length]) for length in range(1, len(path))} - {place, start}
            for via in come_by:
                ways.setdefault((place, via), []).append((squares_paid(path, parity)[0], path))
        for (place, via), found in sorted(ways.items())[:: max(1, len(ways) // 12)]:
            least = min(cost for cost, _ in found)
            order = game.planned(game.read(f"A {action} to {place[0]},{place[1]} via {via[0]},{via[1]}"))
            taken = [element.name for element in order.elements for _ in range(element.get("squares", 1))]
            assert squares_paid(taken, parity)[0] == least
            best = max(risk(game, action, path) for cost, path in found if cost == least)
            assert risk(game, action, taken) == best, (place, via)


def risk(game, action, path):
    """The greater the better: the chance of a path, then how seldom it can be interrupted."""
    chance = chance_of_path(game, action, path)
    return chance, 0 if action == "tumble" or not chance else -moments(game, order_of(action, path))


def dots_world(seed, **fields):
    """A trooper among a few who fire, on a small map."""
    dice = random.Random(seed)
    board = dt_games.random_map(seed, radius=4, share=0.1)
    spots = [spot for spot in board.places() if not board.impassable[board.index(spot)]]
    free = [spot for spot in spots if spot != (0, 0) and spot not in ((-1, 0), (1, 0))]
    units = [] if "bike" in fields else [dt_games.trooper(place=(0, 0), **fields)]
    if "bike" in fields:
        units = dt_games.bike(place=(0, 0))
    for number, place in enumerate(dice.sample(free, 2)):
        arc = tuple(sorted(dice.sample(spots, 12)))
        unseen = tuple(dice.sample(spots, 2))
        units.append(dt_games.trooper(f"B{number}", "blue", place, arc=arc, unseen=unseen, weapon="smg"))
    return board, units


class TestOnDots:
    """DT-17, DT-97: the fewest moments at which somebody can fire, of all ways with the least AP."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(8))
    def test_walks(self, seed):
        board, units = dots_world(seed)
        game = dt_games.game(units, board)
        reach = game.reach("A1", "foot_move")
        best = {}
        for length in (1, 2, 3):
            for path in paths(board, (0, 0), length):
                order = Order("A1", "foot_move", [Element("step", {"to": dot}) for dot in path])
                if reach.cost_at(path[-1]) == length and is_legal(game, order):
                    best[path[-1]] = min(best.get(path[-1], 99), moments(game, order))
        for place, least in best.items():
            assert total(game, reach.orders_to(place)) == least
            assert total(game, [game.planned(game.read(f"A1 foot_move to {place[0]},{place[1]}"))]) == least

    @pytest.mark.parametrize("seed", range(2, 5))
    def test_walks_by_way_of_a_dot(self, seed):
        board, units = dots_world(seed)
        game = dt_games.game(units, board)
        best = {}
        for length in (2, 3):
            for path in paths(board, (0, 0), length):
                vias = [
                    via for via in set(path[:-1]) - {(0, 0), path[-1]} if best.get((path[-1], via), (3,))[0] >= length
                ]
                order = Order("A1", "foot_move", [Element("step", {"to": dot}) for dot in path])
                if not vias or path[-1] == (0, 0) or not is_legal(game, order):
                    continue
                found = moments(game, order)
                for via in vias:
                    best[path[-1], via] = min((length, found), best.get((path[-1], via), (length, found)))
        assert best
        for (place, via), (length, least) in sorted(best.items())[::4]:
            goal = f"A1 foot_move to {place[0]},{place[1]} via {via[0]},{via[1]}"
            order = game.planned(game.read(goal))
            assert len(order.elements) == length
            assert total(game, [order]) == least

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        ("seed", "option"),
        [
            *((seed, {"flight_length": "path"}) for seed in range(8)),
            *((seed, {"flight_length": "displacement"}) for seed in range(3)),
            *((seed, {"flight_path": "no_revisit"}) for seed in range(12)),
        ],
    )
    def test_flights(self, seed, option):
        """All of them cost 3 AP (DT-7), however long they are; no dot may come twice under `no_revisit` (DT-8)."""
        board, units = dots_world(seed, jet_pack="worn")
        if "flight_path" in option:
            # Whole fields of fire, so that to and fro between two dots would be safest.
            units[1:] = [unit.put(arc=tuple(sorted(board.places()))[: 14 + 3 * seed]) for unit in units[1:]]
        tables = {"flight.least": 3 if "flight_path" in option else 2, "flight.most": 4}
        game = dt_games.game(units, board, tables=tables, options=option)
        reach = game.reach("A1", "activate_jet_pack")
        best = {}
        for length in (2, 3, 4):
            for path in paths(board, (0, 0), length):
                order = Order("A1", "activate_jet_pack", [Element("fly", {"dots": path})])
                if path[-1] in reach and is_legal(game, order):
                    best[path[-1]] = min(best.get(path[-1], 99), moments(game, order))
        assert best
        for place, least in best.items():
            assert total(game, reach.orders_to(place)) == least

    @pytest.mark.parametrize("seed", range(6))
    def test_drives(self, seed):
        """DT-98: of the plans with the least AP, and of those with the best chance."""
        board, units = dots_world(seed, bike=True)
        game = dt_games.game(units, board)
        reach = game.reach("A1", "drive", mode="minimum")
        best = {}
        for turns in product(("", "left", "right"), repeat=3):
            order = game.read(f"A1 drive minimum: {plan_of(turns)}")
            if is_legal(game, order):
                vehicle = game.branch(Hopeful()).do(order, Hopeful()).state.unit("bike")
                end = vehicle.place, vehicle.heading
                best[end] = min(best.get(end, 99), moments(game, order))
        for (place, heading), least in best.items():
            assert total(game, reach.orders_to(Pose(place, heading))) == least

    @pytest.mark.parametrize("seed", range(4))
    def test_drives_with_segments_cut_short(self, seed):
        """DT-72, DT-98: a segment that is cut short ends where the next one begins, or where the drive does."""
        board, units = dots_world(seed, bike=True)
        units[0] = units[0].put({"class": "assault"})
        game = dt_games.game(units, board, options={"partial_segments": True})
        reach = game.reach("A1", "drive", mode="cruise")
        pieces = [plan_of(turns) for dots in (1, 2) for turns in product(("", "left", "right"), repeat=dots)]
        best = {}
        for first, second in product(pieces, repeat=2):
            order = game.read(f"A1 drive cruise: {first}, {second}")
            if is_legal(game, order):
                vehicle = game.branch(Hopeful()).do(order, Hopeful()).state.unit("bike")
                end = vehicle.place, vehicle.heading
                best[end] = min(best.get(end, 99), moments(game, order))
        for (place, heading), least in best.items():
            assert total(game, reach.orders_to(Pose(place, heading), motion="moving")) == least


def plan_of(turns):
    """A move of three dots with a turn of 60 degrees or none after each."""
    words, open_ = [], ["move", 0]
    for turn in turns:
        open_[1] += 1
        if turn:
            words += [f"{open_[0]} {open_[1]}", f"{turn} 60"]
            open_ = ["on", 0]
    return ", ".join(words + ([f"{open_[0]} {open_[1]}"] if open_[1] else []))


def paths(board, start, length):
    """Every walk of so many dots over a map."""
    if not length:
        yield ()
        return
    for way in range(6):
        dot = step(start, way)
        if dot in board:
            yield from ((dot, *rest) for rest in paths(board, dot, length - 1))


def total(game, orders):
    """How often somebody is asked in some orders, one after the other."""
    twin, found = game.branch(Hopeful()), 0
    for order in orders:
        happened = twin.do(order, Hopeful())
        found += sum(isinstance(entry.question, React) for entry in happened.answered)
    return found


class TestOnTables:
    """SK-12: of orders with the same AP those that lead there whatever the dice, where there are any."""

    def test_round_the_rough_ground_where_that_takes_no_more_ap(self):
        game = game_with(rough(2, -1, 3, 1))
        reach = game.reach("A1")
        seen = game.foresee(reach.orders_to((5, 0)))
        assert seen.ledger.total("AP") == reach.cost_at((5, 0)) == 2
        assert seen.chance == 1

    def test_safest_spends_more_ap_where_that_helps(self):
        """SK-18, SK-21: over the wall with a roll, or round its end without one."""
        game = game_with(wall((3, -3), (3, 3)))
        reach = game.reach("A1")
        cheap, sure = (game.foresee(reach.orders_to((3.5, 0), safest=safest)) for safest in (False, True))
        assert (cheap.ledger.total("AP"), cheap.chance) == (2, Fraction(3, 5))
        assert (sure.ledger.total("AP"), sure.chance) == (3, 1)
        assert [(ending.chance, ending.as_planned) for ending in cheap.endings] == [
            (Fraction(3, 5), True),
            (Fraction(2, 5), False),
        ]
