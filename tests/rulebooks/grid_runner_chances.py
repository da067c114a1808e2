"""Chances and charges against play, at any moment of a turn: one pass, a sprint, chains of up to four passes, lanes.

Everybody intercepts who can, at the first step that brings it on (the register's words for a probability of reach), so
what a path comes to is a product. Paths are walked step by step by the judge; those that come to the same square with
as many squares used, the same parity and the same free actions left are one, and of those the best product counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from exhaustive_grid_runner import STOPPING, NoDamage, after, chance_of_path, judge_of, order_of, squares_paid
from grid_runner_positions import MOMENTS, asked_at, at_moment, opening, variants
from grid_runner_reach_play import prepare

from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.table import Table
from simulator.rulesets.grid_runner.movement import DIRECTIONS

SURE = Fraction(1)
#: Of more squares there are too many courses.
LONGEST_TUMBLE = 2
Path = tuple[str, ...]
Square = tuple[int, int]


class Watchers:
    """The enemies of A that can intercept: what they threaten, their free actions, the chance of their damage."""

    def __init__(self, game: Game[Any], damage: dict[str, Fraction] | None = None) -> None:
        table = game.ready_table("A")
        held_threatens = table.options.held_threatens
        self.away = 0 if table.options.scale == "m5" else 1
        self.places, self.free, self.misses = [], [], []
        for enemy in table.state:
            held = enemy["grappling"] and (enemy["holds"] or not held_threatens)
            lies = enemy["prone"] or enemy["immobilised"]
            if enemy.side != table.unit("A").side and not held and not lies and enemy.place is not None:
                self.places.append(enemy.place)
                self.free.append(int(enemy["free_left"]))
                self.misses.append(1 - (damage or {}).get(enemy.id, Fraction(str(enemy["damage_chance"]))))

    def let_go(self, square: Square, free: tuple[int, ...]) -> tuple[Fraction, tuple[int, ...]]:
        """Return the chance to get out of a square, and the free actions that are left then."""
        chance, left = SURE, list(free)
        for number, place in enumerate(self.places):
            near = max(abs(place[0] - square[0]), abs(place[1] - square[1]))
            if near == self.away and left[number]:
                left[number] -= 1
                chance *= self.misses[number]
        return chance, tuple(left)


def ways(
    game: Game[Any], action: str, damage: dict[str, Fraction] | None = None, via: tuple[Square, ...] = ()
) -> Iterator[tuple[Path, Fraction]]:
    """Walk all legal paths of a movement but those that are alike: each with the chance to get to its end.

    With `via` only those that pass these squares in their order.
    """
    unit, judge, watchers = game.ready_table("A").unit("A"), judge_of(game), Watchers(game, damage)
    frontier: dict[Any, tuple[Path, Fraction]] = {None: ((), SURE)}
    free = {(): tuple(watchers.free)}
    while frontier:
        longer: dict[Any, tuple[Path, Fraction]] = {}
        for path, chance in frontier.values():
            exempt = action == "one_square_move" or (action == "withdrawal" and not path)
            gone, left = (SURE, free[path]) if exempt else watchers.let_go(after(unit.place, path), free[path])
            for name in DIRECTIONS:
                new = (*path, name)
                passed = behind([after(unit.place, new[:end]) for end in range(len(new) + 1)], via)
                key = (after(unit.place, new), squares_paid(new, unit["parity"]), left, passed)
                if key in longer and longer[key][1] >= chance * gone:
                    continue
                broken = judge(order_of(action, new))
                if broken - STOPPING:
                    continue
                longer[key], free[new] = (new, chance * gone), left
                if not broken and passed == len(via):
                    yield new, chance * gone
        frontier = longer


def behind(squares: list[Square], via: tuple[Square, ...]) -> int:
    """How many of some squares a path has passed, in their order; one square passes all that are the same in a row."""
    passed = 0
    for square in squares:
        while passed < len(via) and via[passed] == square:
            passed += 1
    return passed


def in_one_pass(game: Game[Any], action: str, damage: dict[str, Fraction] | None = None) -> list[tuple[Path, Fraction]]:
    """Every way there is and its chance, to stay included: for a tumble by playing each path with every roll."""
    return [((), SURE), *(every_tumble(game) if action == "tumble" else ways(game, action, damage))]


def best_of(walked: list[tuple[Path, Fraction]], place: Square) -> dict[Square, Fraction]:
    """The best chance of each square."""
    best: dict[Square, Fraction] = {}
    for path, chance in walked:
        end = after(place, path)
        best[end] = max(chance, best.get(end, Fraction(0)))
    return best


def every_tumble(game: Game[Any]) -> Iterator[tuple[Path, Fraction]]:
    """Play every course that can be plotted."""
    judge, frontier = judge_of(game), [()]
    while frontier:
        longer = []
        for path in frontier:
            for name in DIRECTIONS:
                new = (*path, name)
                if (broken := judge(order_of("tumble", new))) - STOPPING:
                    continue
                longer.append(new)
                if not broken:
                    yield new, chance_of_path(game, "tumble", new)
        frontier = longer


def in_passes(game: Game[Any], action: str, mode: str, passes: int) -> list[dict[Square, Fraction]]:
    """After each pass the best chance of a chain of movements to each square; whoever is stopped is out of it.

    What a later pass depends on is the table as it begins, so of the chains that come to the same one the best counts.
    """
    begun = game.state.clock.number
    now = game.branch(NoDamage())
    best = {now.state.unit("A").place: SURE}
    tables = {now.state: SURE}
    after_each = []
    for number in range(passes):
        after_pass: dict[Any, Fraction] = {}
        for state, chance in tables.items():
            here = Game(game.setting, state, NoDamage())
            ready = prepare(here, {"mode": mode} if mode else {})
            if ready is None and number == 0:
                ends = [((), SURE)]
            else:
                ends = [((), SURE), *ways(ready or here, "move" if number else action)]
            for path, share in ends:
                twin = (ready or here).branch(NoDamage())
                if path:
                    twin.do(order_of("move" if number else action, path))
                place, both = twin.state.unit("A").place, chance * share
                if not both:
                    continue
                best[place] = max(both, best.get(place, Fraction(0)))
                if number + 1 == passes:
                    continue
                while twin.state.clock.number <= begun + number:
                    twin.do("all done")
                after_pass[twin.state] = max(both, after_pass.get(twin.state, Fraction(0)))
        tables = after_pass
        after_each.append(dict(best))
    return after_each


def chance_of_orders(game: Game[Any], orders: list[Any]) -> Fraction:
    """The chance that movements over several passes are all made when everybody intercepts who can."""
    twin, chance = game.branch(NoDamage()), SURE
    for order in orders:
        if order.elements:
            path = [element.name for element in order.elements for _ in range(element.get("squares", 1))]
            chance *= chance_of_path(twin, order.action, path)
        twin.do(order)
    return chance


def charged(game: Game[Any], target: str) -> dict[Square, tuple[int, Fraction]]:
    """Every square from which a charge at a target is made: the fewest squares to it, and the best chance.

    Every movement is walked, told apart by what a charge looks at, and the attack given to the judge after it.
    """
    unit, judge, watchers = game.ready_table("A").unit("A"), judge_of(game), Watchers(game)
    prey = game.state.unit(target).place
    found: dict[Square, tuple[int, Fraction]] = {}
    frontier: dict[Any, tuple[Path, Fraction]] = {None: ((), SURE)}
    free = {(): tuple(watchers.free)}
    while frontier:
        longer: dict[Any, tuple[Path, Fraction]] = {}
        for path, chance in frontier.values():
            gone, left = watchers.let_go(after(unit.place, path), free[path])
            for name in DIRECTIONS:
                new = (*path, name)
                broken = judge(order_of("move", new))
                if broken - STOPPING:
                    continue
                squares = [after(unit.place, new[:end]) for end in range(len(new) + 1)]
                key = (squares[-1], squares_paid(new, unit["parity"]), left, looked_at(game, squares, prey))
                if key in longer and longer[key][1] >= chance * gone:
                    continue
                longer[key], free[new] = (new, chance * gone), left
                if broken:
                    continue
                twin = game.branch(NoDamage())
                twin.do(order_of("move", new))
                if not twin.breaches(Order("A", "charge_attack", args={"target": target})):
                    paid, _ = squares_paid(new, unit["parity"])
                    least, best = found.get(squares[-1], (paid, Fraction(0)))
                    found[squares[-1]] = (min(paid, least), max(chance * gone, best))
        frontier = longer
    return found


def looked_at(game: Game[Any], squares: list[Square], prey: Square) -> Any:
    """What a charge looks at in a path: how many of its squares are free, which last one, and whether it led nearer."""
    clear = [is_free(game.table, square) for square in squares[1:]]
    away = [max(abs(x - prey[0]), abs(y - prey[1])) for x, y in squares]
    nearer = all(later == earlier - 1 for earlier, later in pairwise(away))
    return sum(clear), all(clear[:-1]), clear[-1], nearer


def is_free(table: Table[Any], square: Square) -> bool:
    """Whether a square is empty and unimpeded."""
    impeded = table.board.impeded[table.board.index(square)]
    return not impeded and not any(unit.id != "A" for unit in table.at(square))


# --- compared ---


def chance_differences(game: Game[Any], reference: bool = False) -> Iterator[str]:
    """Ask for the chances of one pass of A, running, walking and sprinting, and tell where they differ from play."""
    sided = {unit.id: Fraction(1, 3) for unit in game.state if unit.side == "blue"}
    askings: tuple[dict[str, Any], ...] = ({}, {"mode": "run"}, {"sprint": 1}, {"chances": sided})
    for asking in askings if sided else askings[:3]:
        told = {name: value for name, value in asking.items() if name != "chances"}
        ready = prepare(game, told)
        here = ready or game
        for action in ("move", "withdrawal", "one_square_move", "tumble"):
            # Courses are played one by one, with every roll.
            if action == "tumble" and (asking or game.reach("A", "tumble").budget > LONGEST_TUMBLE):
                continue
            damage = asking.get("chances")
            walked = in_one_pass(here, action, damage) if ready else [((), SURE)]
            wanted = best_of(walked, here.state.unit("A").place)
            for engine in ("numpy", "networkx") if reference else ("numpy",):
                reach = game.reach("A", action, engine=engine, **asking)
                found = {place: reach.chance_at(place) for place in reach}
                if found != wanted:
                    yield f"{engine} {action} {asking}: {_unlike(found, wanted)}"
                else:
                    yield from order_differences(here, reach, walked, damage, f"{engine} {action} {asking}")


def order_differences(
    game: Game[Any], reach: Any, walked: list[tuple[Path, Fraction]], damage: dict[str, Fraction] | None, asked: str
) -> Iterator[str]:
    """Tell to which squares the orders are not the cheapest way with the best chance, or not the safest for least."""
    unit = reach.mover
    chances: dict[tuple[Square, int], Fraction] = {}
    for path, chance in walked:
        way = after(unit.place, path), squares_paid(path, unit["parity"])[0]
        chances[way] = max(chance, chances.get(way, Fraction(0)))
    for place in reach:
        told = [(paid, chance) for (end, paid), chance in chances.items() if end == place]
        cheapest = min(told, key=lambda way: (way[0], -way[1]))
        safest = min(told, key=lambda way: (-way[1], way[0]))
        for wanted, orders in ((cheapest, reach.orders_to(place)), (safest, reach.orders_to(place, safest=True))):
            steps = (element for order in orders for element in order.elements)
            path = tuple(element.name for element in steps for _ in range(element.get("squares", 1)))
            found = squares_paid(path, unit["parity"])[0], chance_of_way(game, reach.action, path, damage)
            if found != wanted:
                yield f"{asked} to {place}: {' '.join(path)}, {found[0]} squares with {found[1]}, not {wanted}"


def chance_of_way(game: Game[Any], action: str, path: Path, damage: dict[str, Fraction] | None = None) -> Fraction:
    """The chance to get to the end of one path: for a tumble by every roll."""
    if action == "tumble":
        return chance_of_path(game, action, path) if path else SURE
    watchers, unit = Watchers(game, damage), game.ready_table("A").unit("A")
    free, chance = tuple(watchers.free), SURE
    for step in range(len(path)):
        if action == "one_square_move" or (action == "withdrawal" and step == 0):
            continue
        gone, free = watchers.let_go(after(unit.place, path[:step]), free)
        chance *= gone
    return chance


def chain_differences(game: Game[Any], passes: int, action: str, mode: str) -> Iterator[str]:
    """Ask for the chances of a chain, and tell where they differ from play."""
    reach = game.reach("A", action, passes=passes, **({"mode": mode} if mode else {}))
    # Chains that are broken for certain are not followed.
    found = {place: chance for place in reach if (chance := reach.chance_at(place))}
    wanted = in_passes(game, action, mode, passes)
    if found != wanted[-1]:
        yield f"{action} {mode}, {passes} passes: {_unlike(found, wanted[-1])}"
    for place in reach:
        if place == reach.mover.place:
            continue
        earliest = wanted[reach.cost_at(place) - 1].get(place, Fraction(0))
        for safest, best in ((False, earliest), (True, wanted[-1].get(place, Fraction(0)))):
            orders = reach.orders_to(place, safest=safest)
            told = f"{action} {mode}, {passes} passes to {place}{', safest' * safest}"
            if (chance := chance_of_orders(game, orders)) != best:
                yield f"{told}: {chance}, the best is {best}"
            ends = sum(order.action == "done" for order in orders)
            if not safest and ends + 1 != reach.cost_at(place):
                yield f"{told}: it takes {ends + 1} passes"
            fewest = next((number for number, one in enumerate(wanted) if one.get(place) == best), ends)
            if safest and ends != fewest:
                yield f"{told}: it takes {ends + 1} passes, {fewest + 1} would do"


def charge_differences(game: Game[Any], reference: bool = False) -> Iterator[str]:
    """Ask for the lanes to each enemy, at each pace and after a sprint, and tell where they differ from play."""
    for asking in ({}, {"mode": "run"}, {"mode": "walk"}, {"sprint": 1}):
        ready = prepare(game, asking)
        for enemy in [unit.id for unit in game.state if unit.side == "blue"]:
            wanted = charged(ready, enemy) if ready else {}
            for engine in ("numpy", "networkx") if reference else ("numpy",):
                reach = game.reach("A", "charge_attack", target=enemy, engine=engine, **asking)
                found = {place: (int(reach.cost_at(place)), reach.chance_at(place)) for place in reach}
                if found != wanted:
                    yield f"{engine} charge at {enemy} {asking}: {_unlike(found, wanted)}"
                sure = {place for place in reach if reach.certain[place[1], place[0]]}
                # What is certain can be had by a way nobody is asked about, not only past those that never do damage.
                if not sure <= {place for place, (_, chance) in wanted.items() if chance == 1}:
                    yield f"{engine} charge at {enemy} {asking}: certain {sorted(sure)}"
            for place, safest in [(place, safest) for place in reach for safest in (False, True)]:
                twin = game.branch(NoDamage())
                for order in reach.orders_to(place, safest=safest):
                    if broken := twin.breaches(order):
                        yield f"charge at {enemy} {asking}: {twin.write(order)} is refused: {broken[0]}"
                        break
                    twin.do(order, answers=[asking["sprint"]] if order.action == "sprint" else None)


def _unlike(found: dict[Any, Any], wanted: dict[Any, Any]) -> str:
    more = {key: value for key, value in sorted(found.items()) if wanted.get(key) != value}
    less = {key: value for key, value in sorted(wanted.items()) if found.get(key) != value}
    return f"in reach {_told(more)}, in play {_told(less)}"


def _told(values: dict[Any, Any]) -> str:
    return ", ".join(f"{key}: {value[0]} at {value[1]}" if isinstance(value, tuple) else f"{key}: {value}"
                     for key, value in values.items()) or "nothing else"  # fmt: skip


#: What is asked of a position, in turn.
SUBJECTS = ("chances", "chains", "charges")


def compared(subject: str, seed: int, reference: bool = False) -> Iterator[str] | None:
    """Ask one of the subjects of the position of a seed; None where there is nothing to ask."""
    if subject == "charges":
        return charge_differences(charger(seed), reference)
    position = asked_at(seed, several=subject == "chains")
    if position is None:
        return None
    game, question = position
    return chance_differences(game, reference) if question is None else chain_differences(game, *question)


#: A charge takes room: four squares between the two at m1, two at m2, one at m5.
_ROOM = ((8, 2), (7, 3))
#: What a charge looks at; half of the questions are asked under one of these.
_CHARGING = ("charge_", "free_actions", "diagonal_", "split_move", "held_threatens", "action_kind.charge")


def charger(seed: int) -> Game[Any]:
    """A position of a seed with room for a charge, under one variant, at a moment of a turn."""
    dice = np.random.default_rng([seed, 31])
    everything = variants()
    among = [one for one in everything if one.name.startswith(_CHARGING)] if seed % 2 else everything
    moment = "opening" if dice.random() < 0.4 else list(MOMENTS)[int(dice.integers(len(MOMENTS)))]
    variant = among[int(dice.integers(len(among)))]
    game = opening(seed, variant, _ROOM[int(dice.integers(2))], most=6, passes=int(dice.integers(1, 3)))
    return at_moment(game, moment, seed)
