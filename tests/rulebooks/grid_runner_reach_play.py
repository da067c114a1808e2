"""Reach against play: every question is answered by the search and by playing every legal order, and both compared.

`differences` asks about one position, `over_passes` about chains of movements. Both tell what differs, in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from exhaustive_grid_runner import STOPPING, NoDamage, after, judge_of, order_of, squares_paid

from simulator.engine.answers import Answer
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.questions import React
from simulator.rulesets.grid_runner.movement import DIRECTIONS

ACTIONS = ("move", "withdrawal", "one_square_move", "tumble")
#: What is asked besides: the pace, and the hits of a sprint.
ASKINGS: tuple[dict[str, Any], ...] = (
    {},
    {"mode": "run"},
    {"mode": "walk"},
    {"sprint": 2},
    {"sprint": 0},
    {"mode": "run", "sprint": 1},
)


class _LetPass:
    """Nobody reacts, and it is written down whether somebody could have."""

    def __init__(self) -> None:
        self.asked = False

    def answer(self, question: Any, moment: Any) -> Answer | None:
        self.asked = self.asked or isinstance(question, React)
        return NoDamage().answer(question, moment)


def prepare(game: Game[Any], asking: dict[str, Any]) -> Game[Any] | None:
    """Play what a question takes as done before the movement; None where that is forbidden."""
    game = game.branch(NoDamage())
    mode = asking.get("mode", "")
    if mode and game.ready_table("A").unit("A")["mode"] != mode:
        order = Order("A", "start_run" if mode == "run" else "stop_run")
        if judge_of(game)(order):
            return None
        game.do(order)
    if "sprint" in asking:
        order = Order("A", "sprint")
        if judge_of(game)(order):
            return None
        game.do(order, answers=[asking["sprint"]])
    return game


def walks(game: Game[Any], action: str, most: int) -> Iterator[tuple[tuple[str, ...], tuple[int, int], int, int, bool]]:
    """Yield one path for each square, parity, number of squares used and whether somebody threatened a step of it.

    With each, those four; only paths that end legally are given.
    """
    table = game.ready_table("A")
    unit = table.unit("A")
    beside = (0,) if table.options.scale == "m5" else (1,)

    def threatened(square: tuple[int, int], step: int) -> bool:
        if action == "one_square_move" or (action == "withdrawal" and step == 0):
            return False
        for enemy in table.state:
            held = enemy["grappling"] and (enemy["holds"] or not table.options.held_threatens)
            away = max(abs(enemy.place[0] - square[0]), abs(enemy.place[1] - square[1]))
            able = enemy.side != unit.side and enemy["free_left"] and not (enemy["prone"] or enemy["immobilised"])
            if able and not held and away in beside:
                return True
        return False

    judge, seen = judge_of(game), set()
    frontier: list[tuple[tuple[str, ...], bool]] = [((), False)]
    while frontier:
        longer = []
        for path, watched in frontier:
            now = watched or threatened(after(unit.place, path), len(path))
            for name in DIRECTIONS:
                new = (*path, name)
                place, (paid, parity) = after(unit.place, new), squares_paid(new, unit["parity"])
                # A charge or a roundabout way is no matter here; the first step of a Withdrawal is.
                key = (place, parity, paid, now)
                if paid > most or key in seen or (broken := judge(order_of(action, new))) - STOPPING:
                    continue
                seen.add(key)
                longer.append((new, now))
                if not broken:
                    yield new, place, parity, paid, now
        frontier = longer


def by_play(game: Game[Any], action: str, most: int) -> tuple[dict[Any, int], set[Any]]:
    """Play every legal movement: the least cost of each square and parity, and the squares that are certain."""
    unit = game.ready_table("A").unit("A")
    ends, certain = {(unit.place, unit["parity"]): 0}, {unit.place}
    for path, place, parity, paid, watched in walks(game, action, most):
        answerer = _LetPass()
        happened = game.branch(answerer).do(order_of(action, path))
        assert happened.state.unit("A").place == place
        assert happened.ledger.total("squares") == paid
        if action != "tumble":
            assert answerer.asked == watched, (path, watched)
        ends[place, parity] = min(paid, ends.get((place, parity), paid))
        if not watched:
            certain.add(place)
    return ends, certain


def by_reach(reach: Any, most: int) -> dict[Any, int]:
    """The ends of a reach as `by_play` tells them."""
    ends: dict[Any, int] = {}
    for end in reach.ends:
        key = (end.place, int(end.phase.endswith("diagonal costs 2")))
        if int(end.cost) <= most:
            ends[key] = min(int(end.cost), ends.get(key, most))
    return ends


def differences(game: Game[Any], most: int = 5, reference: bool = False) -> Iterator[str]:
    """Ask everything about one pass of A, and tell where the search and play differ."""
    for asking in ASKINGS:
        ready = prepare(game, asking)
        unit = (ready or game).ready_table("A").unit("A")
        for action in ACTIONS:
            reach = game.reach("A", action, **asking)
            if ready is None:
                ends, certain = {(unit.place, unit["parity"]): 0}, {unit.place}
            else:
                ends, certain = by_play(ready, action, most)
            found, asked = by_reach(reach, most), f"{action} {asking}"
            if ready is None and not reach.refused:
                yield f"{asked}: not refused"
            if found != ends:
                yield f"{asked}: only in reach {_more(found, ends)}, only in play {_more(ends, found)}"
            if action != "tumble":
                sure = {place for place in reach if reach.certain[place[1], place[0]] and reach.cost_at(place) <= most}
                cheap = {place for place, _ in ends}
                if not (sure & cheap >= certain and _certain_within(reach, most) <= certain):
                    yield f"{asked}: certain in reach {sorted(sure)}, in play {sorted(certain)}"
            if reference and not np.array_equal(
                reach.array, game.reach("A", action, engine="networkx", **asking).array
            ):
                yield f"{asked}: the engines differ"


def _certain_within(reach: Any, most: int) -> set[Any]:
    """The squares that are certain by a way of so many squares at most."""
    from simulator.rulesets.grid_runner.odds.walking import certain_costs

    budget = min(reach.budget, most)
    costs = certain_costs(reach.searcher, reach.start, budget, reach._interceptors)
    mask = costs.on_board(costs.ends, False).any(axis=0)
    return {(column, row) for row, column in np.argwhere(mask).tolist()}


def _more(one: dict[Any, int], other: dict[Any, int]) -> dict[Any, int]:
    return {key: cost for key, cost in sorted(one.items()) if other.get(key) != cost}


# --- several passes ---


def chained(game: Game[Any], action: str, mode: str, passes: int) -> dict[Any, int]:
    """Play every chain: for every square the first pass after which A can stand there.

    The pace is changed in the first pass in which it can be; in the pass that is asked about first, a pace that cannot
    be had means that A stays where it is.
    """
    begun, turn = game.state.clock.number, game.state.clock.turn
    now = game.branch(NoDamage())
    place = now.state.unit("A").place
    earliest = {place: 1}
    states = {now.state}
    for number in range(passes):
        after_pass = set()
        for state in states:
            here = Game(game.setting, state, NoDamage())
            while here.state.clock.number < begun + number:
                here.do("all done")
            assert here.state.clock.turn == turn
            paced = prepare(here, {"mode": mode} if mode else {})
            ready = paced or here
            after_pass.add(ready.state)
            if paced is None and number == 0:
                continue
            for path, _, _, _, _ in walks(ready, "move" if number else action, 99):
                twin = ready.branch(NoDamage())
                twin.do(order_of("move" if number else action, path))
                after_pass.add(twin.state)
        states = after_pass
        for state in states:
            earliest.setdefault(state.unit("A").place, number + 1)
    return earliest


def over_passes(game: Game[Any], passes: int, action: str, mode: str) -> Iterator[str]:
    """Ask about so many passes, and tell where the search and play differ, and which orders are refused."""
    told = f"{action} {mode or 'at its pace'}, {passes} passes"
    reach = game.reach("A", action, passes=passes, **({"mode": mode} if mode else {}))
    found = {place: reach.cost_at(place) for place in reach}
    wanted = chained(game, action, mode, passes)
    if found != wanted:
        yield f"{told}: only in reach {_more(found, wanted)}, only in play {_more(wanted, found)}"
        return
    for place in reach:
        twin = game.branch(NoDamage())
        for order in reach.orders_to(place):
            if broken := twin.breaches(order):
                yield f"{told}: {twin.write(order)} on the way to {place} is refused: {broken[0]}"
                break
            twin.do(order)
        else:
            if twin.state.unit("A").place != place:
                yield f"{told}: the orders to {place} end elsewhere"
