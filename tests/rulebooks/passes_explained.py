"""What would help over several passes of a turn: generated questions, and the remedies that do not come true."""

from __future__ import annotations

import re
from itertools import combinations

from grid_runner_positions import asked_at

from simulator.engine.game import Game

_REMEDY = re.compile(
    r"(?:without (?P<who>\w+(?:, \w+)*(?: and \w+)?))?(?:, and )?(?:(?P<passes>\d+) pass(?:es)? more)?"
)


def untrue(seed, tried=None):
    """Name the remedies of a generated question that do not help, and what smaller ones would do."""
    if (position := asked_at(seed, several=True)) is None:
        return []
    game, (most, action, mode) = position
    question = {"mode": mode} if mode else {}
    left = len(game.state.clock.phases) - game.state.clock.number
    found = []
    for passes in range(2, most + 1):
        answer = game.reach("A", action, passes=passes, **question)
        for place in (one for one in game.board.places() if one not in answer):
            why = answer.why_not(place)
            if not why.reasons:
                found.append(f"{place}: no reason")
            if why.nearest is not None and why.nearest_cost != answer.cost_at(why.nearest):
                found.append(f"{place}: the nearest end {why.nearest} is said to cost {why.nearest_cost}")
            found += [f"{place}, {passes} passes: {one}" for one in _untrue(game, action, question, passes, left, why)]
            if tried is not None:
                tried.append(bool(why.remedy))
    return found


def _untrue(game, action, question, passes, left, why):
    told = _REMEDY.fullmatch(why.remedy)
    if told is None:
        return [f"{why.remedy!r} is nothing that can be tried"]
    names, more = re.split(r", | and ", told["who"]) if told["who"] else [], int(told["passes"] or 0)
    if game.state.clock.unit in names:  # whose go it is cannot be taken off in the middle of it
        return []

    def helps(gone, number):
        state = game.state
        for name in gone:
            state = state.without_unit(name)
        return why.place in Game(game.setting, state, game.answers).reach("A", action, passes=number, **question)

    found = []
    if why.remedy and not helps(names, passes + more):
        found.append(f"{why.remedy!r} does not help")
    smaller = [(some, passes + more) for size in range(len(names)) for some in combinations(names, size)]
    smaller += [(names, passes + fewer) for fewer in range(more)]
    if not why.remedy:
        smaller = [((), number) for number in range(passes + 1, left + 1)]
    found += [
        f"{gone}, {number} passes would do, told is {why.remedy!r}" for gone, number in smaller if helps(gone, number)
    ]
    return found
