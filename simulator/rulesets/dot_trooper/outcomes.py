"""What can come of one plan: every final pose of the vehicle, prone ones after a failed check too, with its chance."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.questions import Roll
from simulator.geometry.hex_lattice import Dot
from simulator.rulesets.dot_trooper.options import DotTrooperOptions

#: Front dot, heading, posture and motion.
Rest = tuple[Dot, int, str, str]


@clause("DT-87", "DT-92", "DT-120", "DT-160")
def rest_distribution(game: Game[DotTrooperOptions], order: str | Order, vehicle: str) -> dict[Rest, Fraction]:
    """Give the chance of each final pose of a drive; enemy fire is left out, all who could fire let it pass."""
    found: dict[Rest, Fraction] = {}
    first = game.branch()
    first.answers = None
    first.do(order)
    waiting: list[tuple[Game[Any], Fraction]] = [(first, Fraction(1))]
    while waiting:
        now, chance = waiting.pop()
        question = now.question
        if question is None or vehicle not in now.table.state.units:
            if vehicle in now.state.units:
                unit = now.state.unit(vehicle)
                rest = unit.place, int(unit.heading), str(unit["posture"]), str(unit["motion"])
                found[rest] = found.get(rest, Fraction(0)) + chance
            continue
        answers = question.chances.items() if isinstance(question, Roll) else [(None, Fraction(1))]
        for answer, share in answers:
            then = now.branch()
            then.answers = None
            then.answer(answer)
            waiting.append((then, chance * share))
    return found
