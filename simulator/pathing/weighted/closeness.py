"""How closely the ways to goals are looked at: exactly where costs are asked for, roughly for the outlines of areas."""

from __future__ import annotations

from typing import NamedTuple


class Closeness(NamedTuple):
    """What is done to find the cheapest way to a goal, beyond what a search knows."""

    last_legs: int  #: how many last legs are drawn taut
    last_legs_to_borders: int  #: of a goal on a border; ways come to it from either side
    dearer: float  #: of those that cost so much more than the cheapest at most, in inches
    sections: int  #: the number of golden sections by which bends beside slopes are slid
    rounds: int  #: the most rounds


#: To a ten-millionth of an inch.
EXACT = Closeness(last_legs=3, last_legs_to_borders=10, dearer=0.4, sections=34, rounds=3)
#: To a hundredth, most often; the reported costs are exact in any case.
ROUGH = Closeness(last_legs=1, last_legs_to_borders=2, dearer=0.1, sections=10, rounds=1)
