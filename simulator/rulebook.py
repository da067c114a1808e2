"""Everything needed to write a rulebook, under one import; `docs/adding_a_ruleset.md` is the guide.

    from simulator.rulebook import ActionForm, Arg, Breach, Event, Form, Ruleset, UnitType, Vocabulary, clause, place

The form to fill in   `Ruleset`, with `UnitType` and `FieldSpec`, `Options`, `Tables`, `Reads`, `TurnClock` and `Phase`
Orders of players     `Vocabulary` of `ActionForm`, `Form` and `Arg`, with kinds such as `place` and `whole_number`
Values of fields      `whole_value`, `number_value`, `or_nothing`, or any `Constraint`
Effects of rules      `Event` with `change_unit` ..., `LedgerLine`; questions `Roll`, `Choose`, `React`, see `passes`
Declared questions    a `QuestionForm` for each, by name
Possible answers      a list, or a range: `Within`, `Along` a `Leg` (see `reactions_along`), `SpotIn` a region
Paths and legs        `Path` of `Straight`, `Bend` and `Turn`; a `Leg` is one that is gone and paid in parts
Units that carry      `carried` among the fields of a type, `change_with_riders`, and `State.riders`, `State.standing`
Results of judges     `Breach`, under a `clause`
Where units can end   `MoveSpace` of `MoveStep`, `search`, and `LatticeReach`; on inch tables `TableReach`; see `Pose`
Reverse reach         `reach_to` searches a `MoveSpace` backward, for a `ReverseReach`
Reach from everywhere `Departures`: a `Prepared` space and where a unit may set out, for `departures` of a rulebook
Chains of questions   `Chain` of `ask`s; answers list each `WayOn`; a rulebook's own chain is of `Moment`s
Lines in orders       `line_forms` and `LINE_ELEMENTS`; `piece_of` an element, `elements_of` the pieces of a path
Obstacles             `pieces_of_kinds` and `Surroundings`: what bars a way and where a base fits, for judge and planner
Ways on inch tables   `prepare`, `plan`, `straight_reach`; `Stage`s grow areas from areas, `StagesReach` answers by them
Climbs, jumps, doors  `Link`s; `StraightAcross` finds those across things
Headings and prices   `PoseSpace` of a `Base`, `PricedGround`, `Mode`s, `TurnPrices`, `TableLevel`s and `PoseLink`s;
                      `KnockDown` and `RunOver` give way for a price; `Touch` is what an end has to touch,
                      `FarFrom` where it has to be far from; `OffTheEdge` leaps, `Placing` begins anywhere on lines;
                      `judged` prices moves, `PosedReach` answers; `move_forms`, `moves_of` and `MoveWords` for orders;
                      `answered_together` for many units, `posed_reach_to` for reverse reach
"""

from simulator.engine.actions import passes
from simulator.engine.board_words import Reads, Unread
from simulator.engine.carrying import carried, change_with_riders
from simulator.engine.chain import Chain, Moment, WayOn, ask
from simulator.engine.clauses import clause, mark
from simulator.engine.clock import Phase
from simulator.engine.constraints import Constraint, number_value, or_nothing, whole_value
from simulator.engine.declared import QuestionForm
from simulator.engine.errors import Breach, IllegalOrder, OptionError, TableError, WrongQuestion
from simulator.engine.events import Change, Event, add_unit, change_data, change_unit, remove_unit
from simulator.engine.lattice_reach import LatticeReach
from simulator.engine.ledger import Ledger, LedgerLine
from simulator.engine.legs import Leg, LegPart, reactions_along
from simulator.engine.line_orders import LINE_ELEMENTS, elements_of, line_forms, piece_of
from simulator.engine.options import Options, list_option, number_option, option
from simulator.engine.orders import (
    ActionForm,
    Arg,
    Element,
    Form,
    Kind,
    Order,
    Vocabulary,
    angle,
    exact_number,
    heading,
    length,
    level,
    place,
    truth,
    unit_id,
    whole_number,
    word,
)
from simulator.engine.posed_orders import MoveWords, move_elements, move_forms, moves_of
from simulator.engine.posed_reach import PosedReach
from simulator.engine.posed_starts import posed_reach_to
from simulator.engine.posed_together import answered_together
from simulator.engine.questions import Choose, Question, React, Roll
from simulator.engine.ranges import Along, Span, SpotIn, Within
from simulator.engine.reach import ReachAnswer, WhyNot
from simulator.engine.reach_questions import Ask
from simulator.engine.reverse_reach import ReverseReach
from simulator.engine.ruleset import Action, Ruleset, Shelf
from simulator.engine.stages_reach import StagesReach
from simulator.engine.starter_units import StarterUnit
from simulator.engine.state import State, Unit
from simulator.engine.table import Depiction, FireArc, Setting, Table
from simulator.engine.table_reach import TableReach
from simulator.engine.tables import Tables
from simulator.engine.turns import Hook, TurnClock
from simulator.engine.unit_types import FieldSpec, UnitType
from simulator.engine.values import Fields, show
from simulator.geometry.footprints import Base, Oval, Rectangle, Round
from simulator.geometry.paths import Bend, Path, Straight, Turn
from simulator.geometry.piece_groups import pieces_of_kinds
from simulator.geometry.pieces import rectangle
from simulator.geometry.poses import Pose, place_text
from simulator.geometry.squares import STEP_NAMES, STEPS
from simulator.pathing.departures import Departures
from simulator.pathing.ends import End, HeadingRange
from simulator.pathing.free import plan, prepare, straight_reach
from simulator.pathing.free.solids import obstacles_on
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.links import Link, StraightAcross
from simulator.pathing.move_space import BLOCKED, MoveSpace, MoveState, MoveStep, Start
from simulator.pathing.posed import (
    FarFrom,
    KnockDown,
    Mode,
    OffTheEdge,
    Placing,
    PoseLink,
    PoseReach,
    PoseSpace,
    PoseStart,
    PricedGround,
    RunOver,
    TableLevel,
    Touch,
    TurnPrices,
    judged,
)
from simulator.pathing.reach import Reach
from simulator.pathing.reverse import reach_to
from simulator.pathing.route import Route
from simulator.pathing.search import search
from simulator.pathing.stages import Stage, Stages
from simulator.pathing.surroundings import Surroundings
from simulator.pathing.traces import NoRoute

__all__ = [
    "BLOCKED",
    "LINE_ELEMENTS",
    "STEPS",
    "STEP_NAMES",
    "Action",
    "ActionForm",
    "Along",
    "Arg",
    "Ask",
    "Base",
    "Bend",
    "Breach",
    "Chain",
    "Change",
    "Choose",
    "Constraint",
    "Departures",
    "Depiction",
    "Element",
    "End",
    "Event",
    "FarFrom",
    "FieldSpec",
    "Fields",
    "FireArc",
    "Form",
    "HeadingRange",
    "Hook",
    "IllegalOrder",
    "Kind",
    "KnockDown",
    "LatticeReach",
    "Ledger",
    "LedgerLine",
    "Leg",
    "LegPart",
    "Link",
    "Mode",
    "Moment",
    "MoveSpace",
    "MoveState",
    "MoveStep",
    "MoveWords",
    "NoRoute",
    "OffTheEdge",
    "OptionError",
    "Options",
    "Order",
    "Oval",
    "Path",
    "Phase",
    "Placing",
    "Pose",
    "PoseLink",
    "PoseReach",
    "PoseSpace",
    "PoseStart",
    "PosedReach",
    "Prepared",
    "PricedGround",
    "Question",
    "QuestionForm",
    "Reach",
    "ReachAnswer",
    "React",
    "Reads",
    "Rectangle",
    "ReverseReach",
    "Roll",
    "Round",
    "Route",
    "Ruleset",
    "RunOver",
    "Setting",
    "Shelf",
    "Span",
    "SpotIn",
    "Stage",
    "Stages",
    "StagesReach",
    "Start",
    "StarterUnit",
    "State",
    "Straight",
    "StraightAcross",
    "Surroundings",
    "Table",
    "TableError",
    "TableLevel",
    "TableReach",
    "Tables",
    "Touch",
    "Turn",
    "TurnClock",
    "TurnPrices",
    "Unit",
    "UnitType",
    "Unread",
    "Vocabulary",
    "WayOn",
    "WhyNot",
    "Within",
    "WrongQuestion",
    "add_unit",
    "angle",
    "answered_together",
    "ask",
    "carried",
    "change_data",
    "change_unit",
    "change_with_riders",
    "clause",
    "elements_of",
    "exact_number",
    "heading",
    "judged",
    "length",
    "level",
    "line_forms",
    "list_option",
    "mark",
    "move_elements",
    "move_forms",
    "moves_of",
    "number_option",
    "number_value",
    "obstacles_on",
    "option",
    "or_nothing",
    "passes",
    "piece_of",
    "pieces_of_kinds",
    "place",
    "place_text",
    "plan",
    "posed_reach_to",
    "prepare",
    "reach_to",
    "reactions_along",
    "rectangle",
    "remove_unit",
    "search",
    "show",
    "straight_reach",
    "truth",
    "unit_id",
    "whole_number",
    "whole_value",
    "word",
]
