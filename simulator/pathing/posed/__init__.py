"""Planning with headings on inch tables: ground with prices, turns that cost, several directions of travel.

`PoseSpace` is the form that a ruleset fills in. `judged` prices a written move by it,
`PoseReach` answers where a mover can end.
"""

from simulator.pathing.posed.begins import Arc, Inside, Segment
from simulator.pathing.posed.charges import Charge, Objection
from simulator.pathing.posed.edges import OffTheEdge
from simulator.pathing.posed.far_from import FarFrom
from simulator.pathing.posed.ground import ANY_GAIN, GroundLine, LegPrice, PricedGround, Under, Uphill, even_ground
from simulator.pathing.posed.judge import judged
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.moves import EndPhase, Follow, Mode, Move, Rotate, Travel, path_of
from simulator.pathing.posed.only_ends import OnlyEnds
from simulator.pathing.posed.phased_reach import PhasedReach
from simulator.pathing.posed.phases import EarlierPhase
from simulator.pathing.posed.placings import ANY_HEADING, Headings, Placing
from simulator.pathing.posed.reach import PoseReach
from simulator.pathing.posed.recorded_reach import RecordedEnd, RecordedReach, Wanted
from simulator.pathing.posed.records import Record
from simulator.pathing.posed.space import PoseSpace, PoseStart, TableLevel
from simulator.pathing.posed.tolls import KnockDown, RunOver, Toll, TollsSoFar
from simulator.pathing.posed.touch import Touch
from simulator.pathing.posed.turn_prices import NO_GROUP, TurnGroup, TurnPrices
from simulator.pathing.posed.verdicts import JudgedMove

__all__ = [
    "ANY_GAIN",
    "ANY_HEADING",
    "NO_GROUP",
    "Arc",
    "Charge",
    "EarlierPhase",
    "EndPhase",
    "FarFrom",
    "Follow",
    "GroundLine",
    "Headings",
    "Inside",
    "JudgedMove",
    "KnockDown",
    "LegPrice",
    "Mode",
    "Move",
    "Objection",
    "OffTheEdge",
    "OnlyEnds",
    "PhasedReach",
    "Placing",
    "PoseLink",
    "PoseReach",
    "PoseSpace",
    "PoseStart",
    "PricedGround",
    "Record",
    "RecordedEnd",
    "RecordedReach",
    "Rotate",
    "RunOver",
    "Segment",
    "TableLevel",
    "Toll",
    "TollsSoFar",
    "Touch",
    "Travel",
    "TurnGroup",
    "TurnPrices",
    "Under",
    "Uphill",
    "Wanted",
    "even_ground",
    "judged",
    "path_of",
]
