"""`MoveWords`: what is wrong with moves on inch tables has words, whatever it is."""

from fractions import Fraction
from typing import get_args, get_type_hints

import pytest

from simulator.geometry.footprints import Round
from simulator.pathing.posed import (
    Mode,
    PoseReach,
    PoseSpace,
    PoseStart,
    Touch,
    Travel,
    TurnPrices,
    even_ground,
    judged,
)
from simulator.pathing.posed.charges import Objection
from simulator.pathing.posed.shortfalls import PoseShortfall, shortfalls
from simulator.rulebook import MoveWords

FORWARD = Mode("forward")
CARRIER = Touch(Round(1).at(10, 0))


def beside_a_carrier():
    start = PoseStart((0, 0), Fraction(0))
    return PoseSpace(
        Round(1), (start,), Fraction(12), even_ground(Fraction(1)), (FORWARD,), TurnPrices.flat(1), touch=[CARRIER]
    )


def words_of(literals):
    """The words of literals, one or several."""
    return {word for one in get_args(literals) for word in ((one,) if isinstance(one, str) else words_of(one))}


def kinds():
    return sorted({what for one in (Objection, PoseShortfall) for what in words_of(get_type_hints(one)["what"])})


def test_there_are_kinds():
    assert {"bars", "budget", "touch", "near", "phase", "way"} <= set(kinds())


@pytest.mark.parametrize("what", kinds())
def test_each_kind_has_a_sentence(what):
    (breach,) = MoveWords({"": "TT-1"}).breaches_at([PoseShortfall(what, 0, 9.0, 7.0)], (3, 4))
    assert breach.clause == "TT-1"
    assert breach.message
    assert "{" not in breach.message
    assert "None" not in breach.message


def test_what_is_not_touched_is_named():
    space = beside_a_carrier()
    words = MoveWords({"touch": "TT-7"}, touch=["the carrier"])
    verdict = judged(space, space.starts[0], [Travel(FORWARD, 5)])
    assert [str(breach) for breach in words.breaches_of(verdict)] == ["TT-7   it does not touch the carrier"]
    found, _ = shortfalls(PoseReach(space), (5, 0))
    assert [str(breach) for breach in words.breaches_at(found, (5, 0))] == ["TT-7   it does not touch the carrier"]
    assert judged(space, space.starts[0], [Travel(FORWARD, 8)]).is_legal
