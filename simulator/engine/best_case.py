"""The answers with which an order is completed: foresight's best case."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from simulator.engine.answers import Answer, Occasion
from simulator.engine.questions import LET_PASS, Choose, Question, React, Roll


@dataclass(frozen=True, slots=True)
class Hopeful:
    """Answers so that an order is completed: tests pass, choices take their default, nobody reacts.

    A roll that is not a test shows its highest result or, if its results are words, the likeliest.
    """

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Return the answer with which the order continues."""
        del moment  # the best answer depends on the question alone
        return Answer(hoped(question), "hope")


def hoped(question: Question) -> Any:
    """Return the answer with which an order continues."""
    if isinstance(question, React):
        return LET_PASS
    if isinstance(question, Choose):
        return question.samples[0] if question.default is None else question.default
    return best_result(question)


def best_result(roll: Roll) -> Any:
    """Return the best result of a roll: well within the test, the highest, or the likeliest word.

    >>> best_result(Roll("dodge", dice="D10", target=6, at_most=True)), best_result(Roll("hits", dice="2D6"))
    (1, 12)
    """
    return _ranked(roll)[0]


def worst_result(roll: Roll) -> Any:
    """Return the worst result of a roll: as far from passing as can be, the lowest, or the unlikeliest word.

    >>> worst_result(Roll("dodge", dice="D10", target=6, at_most=True)), worst_result(Roll("hits", dice="2D6"))
    (10, 2)
    """
    return _ranked(roll)[-1]


def _ranked(roll: Roll) -> list[Any]:
    """Return the possible results, the best first: numbers by the side of the test, words by their chance."""
    results = [result for result, chance in roll.chances.items() if chance]
    if all(isinstance(result, (int, float, Fraction)) for result in results):
        return sorted(results, reverse=not roll.at_most)
    return sorted(results, key=roll.chances.__getitem__, reverse=True)
