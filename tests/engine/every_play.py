"""Every play of some orders, one by one: slow, obvious, and through the game alone.

Each question is answered in every way; nothing is merged, nothing is left out. It knows nothing of how foresight
follows plays.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from simulator.engine.best_case import hoped
from simulator.engine.errors import IllegalOrder
from simulator.engine.orders import Order
from simulator.engine.questions import LET_PASS, Choose, React, Roll


class TooMany(Exception):
    """There are more plays than were to be looked at."""


@dataclass
class Seen:
    """What came up in all plays together."""

    #: Every reaction that somebody else was asked for, and how often at most in one play.
    asked: dict = field(default_factory=dict)
    most: int = 0
    plays: int = 0
    #: The chance that everybody ends where they do when all goes well, if nobody reacts.
    planned: Fraction = Fraction(0)


def key_of(question, mover):
    """Tell one interruption from another: who, what, by which clause, where, with what."""
    place = question.place if question.place is not None or mover is None else mover.place
    more = [(name, value) for name, value in question.detail.items() if mover is None or value != mover.id]
    return question.who, question.what, question.clause, place, tuple(sorted(more, key=str))


def every_play(game, orders, most=3000, reactions=None):
    """Play orders in every way; `reactions` keeps to plays with so many reactions at most."""
    seen = Seen()
    end = planned_end(game, orders)
    waiting = [(start(game), 0, (), 0, Fraction(1), False)]
    while waiting:
        now, done, asked, made, chance, disturbed = waiting.pop()
        if now.question is None:
            if done == len(orders) or not gives(now, orders[done]):
                seen.plays += 1
                seen.most = max(seen.most, sum(taken for _, taken in asked))
                note(seen, asked)
                if not disturbed and done == len(orders) and places(now.state) == places(end):
                    seen.planned += chance
                if seen.plays > most:
                    raise TooMany(f"more than {most} plays")
            else:
                waiting.append((now, done + 1, asked, made, chance, disturbed))
            continue
        question = now.question
        mover = now.table.unit(orders[done - 1].unit) if orders[done - 1].unit in now.table.state.units else None
        for answer, share in answers_to(question):
            is_reaction = isinstance(question, React)
            reacts = is_reaction and answer is not LET_PASS
            if reactions is not None and made + reacts > reactions:
                continue
            counts = is_reaction and question.who != orders[done - 1].unit
            entry = ((key_of(question, mover), reacts),) if counts else ()
            other = reacts or (isinstance(question, Choose) and answer != hoped(question))
            then = start(now)
            then.answer(answer)
            waiting.append((then, done, asked + entry, made + reacts, chance * share, disturbed or other))
    return seen


def start(game):
    """Give a game that nobody answers for."""
    twin = game.branch()
    twin.answers = None
    return twin


def gives(game, order):
    """Give an order; say whether the rules allowed it."""
    if order.unit not in game.state.units:
        return False
    try:
        game.do(order)
    except IllegalOrder:
        return False
    return True


def answers_to(question):
    """Give every answer there is, with its chance."""
    if isinstance(question, Roll):
        return [(result, chance) for result, chance in question.chances.items() if chance]
    if isinstance(question, Choose):
        return [(option, Fraction(1)) for option in question.samples]
    return [(option, Fraction(1)) for option in (LET_PASS, *question.samples)]


def note(seen, asked):
    """Note how often each reaction was asked for in a play."""
    here = {}
    for key, _ in asked:
        here[key] = here.get(key, 0) + 1
    for key, times in here.items():
        seen.asked[key] = max(seen.asked.get(key, 0), times)


def places(state):
    """Where everybody is."""
    return [(unit.id, unit.place, unit.heading) for unit in state]


def planned_end(game, orders):
    """Give the table on which the orders end if all goes well."""
    twin = start(game)
    for order in orders:
        twin.do(order)
        while twin.question is not None:
            twin.answer(hoped(twin.question))
    return twin.state


def told(foreseen):
    """Give what foresight lists in the same form."""
    found = {}
    for one in foreseen.interruptions:
        more = tuple(sorted(one.detail.items(), key=str))
        key = one.who, one.what, one.clause, one.place, more
        found[key] = found.get(key, 0) + 1
    return found


def assert_foreseen_is_played(game, orders, most=3000):
    """Hold foresight against every play; returns how many plays there were, None where they were too many."""
    orders = [game.read(order) if not isinstance(order, Order) else order for order in orders]
    try:
        seen = every_play(game, orders, most)
    except TooMany:
        return None
    foreseen = game.foresee(orders)
    assert foreseen.follows_all_plays
    assert told(foreseen) == seen.asked
    assert foreseen.most_interruptions == seen.most
    assert sum(ending.chance for ending in foreseen.endings) == 1
    end = places(planned_end(game, orders))
    assert sum(ending.chance for ending in foreseen.endings if places(ending.state) == end) == seen.planned
    return seen.plays
