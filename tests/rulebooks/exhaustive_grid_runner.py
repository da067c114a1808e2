"""The slow and obvious enumeration: every path, given to the judge as an order, played through the engine.

It knows nothing of move spaces. What it enumerates is compared with the answers of the search.
"""

from fractions import Fraction
from itertools import pairwise

from simulator.engine.answers import Answer, Policy
from simulator.engine.game import Game
from simulator.engine.orders import Element, Order
from simulator.engine.questions import React, Roll
from simulator.engine.table import Table
from simulator.rulesets.grid_runner.movement import DIRECTIONS

#: Clauses that forbid only to end here: the path may go on.
STOPPING = {"GR-37", "GR-39", "GR-71"}
NOBODY = Policy("never", "first")


def order_of(action, path, unit="A"):
    return Order(unit, action, [Element(name) for name in path])


class NoDamage:
    """Nobody reacts; a tumble is rolled as well as it can be."""

    def answer(self, question, moment):
        if isinstance(question, Roll):
            return Answer(max(question.chances))
        return NOBODY.answer(question, moment)


def squares_paid(path, parity):
    paid = 0
    for name in path:
        paid += 1 + parity if len(name) == 2 else 1
        parity = 1 - parity if len(name) == 2 else parity
    return paid, parity


def after(place, path):
    column, row = place
    for name in path:
        column += name.endswith("e") - name.endswith("w")
        row += name.startswith("s") - name.startswith("n")
    return column, row


def judge_of(game, name="A"):
    """Give what says of an order by which clauses it is forbidden now, the go of the unit having begun."""
    table = game.ready_table(name)
    clock = {breach.clause for breach in game.ruleset.clock.breaches(Table(game.setting, game.state), name, "")}
    return lambda order: clock | {breach.clause for breach in game.ruleset.breaches(table, order)}


def walked(game, action, is_new=lambda _path: True):
    """Give every path of an action that may be gone, step by step longer, and whether it may end there.

    Those that are not new are not gone on with.
    """
    judge, frontier = judge_of(game), [()]
    while frontier:
        longer = []
        for path in ((*path, name) for path in frontier for name in DIRECTIONS):
            if not is_new(path):
                continue
            broken = judge(order_of(action, path))
            if broken - STOPPING:
                continue
            longer.append(path)
            yield path, not broken
        frontier = longer


def played(game, action, most=99):
    """Give every end of legal orders with its least cost: {(square, parity): cost}, staying where it is included."""
    unit = game.table.unit("A")
    begun = unit["parity"]
    ends = {(unit.place, begun): 0}
    known = {(unit.place, begun, 0)}

    def state_after(path):
        paid, parity = squares_paid(path, begun)
        return after(unit.place, path), parity, paid

    def is_new(path):
        state = state_after(path)
        return state[-1] <= most and state not in known

    for path, may_end in walked(game, action, is_new):
        place, parity, paid = state_after(path)
        known.add((place, parity, paid))
        if may_end:
            happened = game.branch().do(order_of(action, path), NoDamage())
            assert happened.state.unit("A").place == place
            assert happened.ledger.total("squares") == paid
            ends[place, parity] = min(paid, ends.get((place, parity), paid))
    return ends


def every_path(game, action):
    """Give every legal path of an action, however roundabout."""
    start = game.table.unit("A").place
    return ((path, after(start, path)) for path, may_end in walked(game, action) if may_end)


class _Always:
    """Everybody intercepts with what comes first; rolls are left open."""

    def answer(self, question, moment):
        if isinstance(question, React):
            return Answer(question.options[0])
        return None if isinstance(question, Roll) else Answer(question.options[0])


def chance_of_path(game, action, path):
    """Give the chance that a path is walked to its end when everybody intercepts who can: the tree of all rolls."""
    arrives = Fraction(0)
    twin = Game(game.setting, game.state, _Always())
    twin.do(order_of(action, path))
    open_ = [(twin, Fraction(1))]
    while open_:
        here, share = open_.pop()
        question = here.question
        if question is None:
            mover = here.state.unit("A")
            arrives += share if not mover["stopped"] else 0
            continue
        for result, chance in question.chances.items():
            if chance:
                branch = here.branch()
                branch.answer(result)
                open_.append((branch, share * chance))
    return arrives


def movements(game, action="move", most=99):
    """Give a game after each different movement: elsewhere, with another parity, or with more squares used."""
    unit = game.table.unit("A")
    begun, seen, frontier, judge = unit["parity"], set(), [()], judge_of(game)
    yield game.branch()
    while frontier:
        longer = []
        for path in frontier:
            for name in DIRECTIONS:
                new = (*path, name)
                key = (after(unit.place, new), *squares_paid(new, begun))
                if key in seen or key[1] > most or (broken := judge(order_of(action, new))) - STOPPING:
                    continue
                seen.add(key)
                longer.append(new)
                if not broken:
                    twin = game.branch(NoDamage())
                    twin.do(order_of(action, new))
                    yield twin
        frontier = longer


def over_two_passes(game):
    """Give for every square the first of two passes after which the mover can stand there."""
    first, second = set(), set()
    for one in movements(game):
        first.add(one.state.unit("A").place)
        one.do("all done")
        second.update(place for place, _ in played(one, "move"))
    return {place: 1 if place in first else 2 for place in first | second}


def chances_over_two_passes(game):
    """Give the best chance for each square of a chain of one or two movements, everybody intercepting who can.

    What the second movement depends on is where the first one ended, with what parity, how many squares used; of
    those that agree in it the one with the best chance counts.
    """
    unit, best, first = game.table.unit("A"), {}, {}
    best[unit.place] = Fraction(1)
    first[unit.place, unit["parity"], 0] = (Fraction(1), ())
    for path, place in every_path(game, "move"):
        chance = chance_of_path(game, "move", path)
        key = (place, *reversed(squares_paid(path, unit["parity"])))
        best[place] = max(chance, best.get(place, Fraction(0)))
        if chance > first.get(key, (Fraction(-1), ()))[0]:
            first[key] = (chance, path)
    for chance, path in first.values():
        twin = game.branch(NoDamage())
        if path:
            twin.do(order_of("move", path))
        twin.do("all done")
        for onward, place in every_path(twin, "move"):
            both = chance * chance_of_path(twin, "move", onward)
            best[place] = max(both, best.get(place, Fraction(0)))
    return best


def charges(game):
    """Give for each enemy the ends of all movements, however roundabout, after which it can be charged."""
    ends = {enemy.id: set() for enemy in game.table.units(other_than="red")}
    for path, place in every_path_to_the_point(game):
        twin = game.branch(NoDamage())
        twin.do(order_of("move", path))
        for enemy, squares in ends.items():
            if place not in squares and not twin.breaches(f"A charge_attack {enemy}"):
                squares.add(place)
    return ends


def every_path_to_the_point(game):
    """Give legal paths, one for each set of squares entered in their order up to the turns that make no difference."""
    unit = game.table.unit("A")
    seen, frontier, judge = set(), [()], judge_of(game)
    while frontier:
        longer = []
        for path in frontier:
            for name in DIRECTIONS:
                new = (*path, name)
                broken = judge(order_of("move", new))
                if broken - STOPPING:
                    continue
                squares = [after(unit.place, new[: end + 1]) for end in range(len(new))]
                paid = squares_paid(new, unit["parity"])
                key = (squares[-1], paid, _clear_so_far(game, squares), _nearer(game, squares))
                if key in seen:
                    continue
                seen.add(key)
                longer.append(new)
                if not broken:
                    yield new, squares[-1]
        frontier = longer


def _clear_so_far(game, squares):
    """Which of the squares entered were empty and unimpeded: how many, and whether all but the last."""
    clear = [
        not game.board.impeded[game.board.index(square)] and not any(unit.id != "A" for unit in game.table.at(square))
        for square in squares
    ]
    return sum(clear), all(clear[:-1]), clear[-1]


def _nearer(game, squares):
    """For each enemy, whether every step so far led one nearer."""
    path = [game.table.unit("A").place, *squares]
    found = []
    for enemy in game.table.units(other_than="red"):
        away = [max(abs(x - enemy.place[0]), abs(y - enemy.place[1])) for x, y in path]
        found.append(all(later == earlier - 1 for earlier, later in pairwise(away)))
    return tuple(found)


def paths(game, action, name="A"):
    """Give one legal path for each end, parity and number of squares used."""
    unit = game.ready_table(name).unit(name)
    seen, frontier, judge = set(), [()], judge_of(game, name)
    while frontier:
        longer = []
        for path in frontier:
            for step in DIRECTIONS:
                new = (*path, step)
                key = (after(unit.place, new), *squares_paid(new, unit["parity"]))
                if key in seen or (broken := judge(order_of(action, new, name))) - STOPPING:
                    continue
                seen.add(key)
                longer.append(new)
                if not broken:
                    yield new
        frontier = longer
