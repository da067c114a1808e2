"""Moves of the planner with headings in orders: legs by their way of travel, turns on the spot, links.

>>> from simulator.pathing.posed import Mode, Rotate, Travel
>>> forward = Mode("forward")
>>> for element in move_elements([Rotate(-45), Travel(forward, 9.5)]):
...     print(element.name, dict(element.args))
turn_right {'angle': 45.0}
forward {'inches': 9.5}
>>> oblique = Mode("oblique", aside=None)
>>> [dict(one.args) for one in move_elements([Travel(oblique.toward(-30), 2)])]
[{'aside': 30.0, 'inches': 2.0}]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from simulator.engine.errors import Breach
from simulator.engine.orders import Arg, Element, Form, angle, length, word
from simulator.geometry.angles import turn_between
from simulator.geometry.pieces import XY
from simulator.geometry.poses import place_text
from simulator.pathing.posed import JudgedMove, Move, Objection, PoseLink, PoseSpace, Rotate, Travel
from simulator.pathing.posed.moves import EndPhase, Follow
from simulator.pathing.posed.shortfalls import PoseShortfall
from simulator.wording import measure

#: The elements that turn on the spot, left positive.
TURN_NAMES = {"turn_left": 1, "turn_right": -1}
_FOLLOW = "follow"
#: How the names of oblique legs end: to the left, to the right.
_SIDES = ("_left", "_right")
#: Numbers that differ by less than this from one with so few digits are written as that.
_DIGITS, _SAME = 6, 1e-11


def move_forms(
    modes: Iterable[str],
    travel: str = "",
    turn: str = "",
    link: str = "",
    oblique: str = "",
    *,
    most: float | None = None,
) -> list[Form]:
    """Return the forms of the elements, for a vocabulary: `forward 9.5`, `turn_left 120 free 90`, `follow stairs`.

    The further arguments are the clauses of travelling, of turning, and of links; without the last there are none. Nor
    are there oblique legs, as in `oblique_left 5 at 30`, without the name of a mode for them. Legs are no longer than
    `most`.
    """
    inches = Arg("inches", length(most=most, exact=False))
    legs = [Form(mode, [inches], travel, f"travel {mode.replace('_', ' ')}") for mode in modes]
    aside = [inches, Arg("aside", angle(most=180, exact=False), "at")]
    legs += [Form(f"{oblique}{side}", aside, travel, "travel aside of the heading") for side in _SIDES if oblique]
    degrees = [Arg("angle", angle(exact=False)), Arg("free", angle(exact=False), "free", optional=True)]
    turns = [Form(name, degrees, turn, "turn on the spot") for name in TURN_NAMES]
    links = [Form(_FOLLOW, [Arg("link", word(about="the name of a link"))], link, "follow a link")] if link else []
    return [*legs, *turns, *links]


def move_elements(moves: Iterable[Move]) -> list[Element]:
    """Return moves as the elements of an order."""
    return [_element(move) for move in moves]


def _element(move: Move) -> Element:
    if isinstance(move, Travel):
        return _leg(move)
    if isinstance(move, Rotate):
        name = "turn_left" if move.degrees > 0 else "turn_right"
        free = {"free": _tidy(abs(Fraction(move.free)))} if move.free else {}
        return Element(name, {"angle": _tidy(abs(Fraction(move.degrees)))} | free)
    if isinstance(move, EndPhase):
        raise ValueError("the moves of each phase are an order of their own")
    return Element(_FOLLOW, {"link": move.link.name})


def _leg(move: Travel) -> Element:
    """A leg; an oblique one by how far to which side of the heading it leads."""
    inches = {"inches": _tidy(move.inches)}
    if not move.mode.bound:
        return Element(move.mode.name, inches)
    left = turn_between(0.0, move.aside)
    return Element(f"{move.mode.name}{_SIDES[left < 0]}", {**inches, "aside": _tidy(abs(left))})


def _tidy(number: Fraction | float) -> float:
    """A number without the last digits that only rounding made."""
    short = round(float(number), _DIGITS)
    return short if abs(short - float(number)) < _SAME else float(number)


def moves_of(elements: Iterable[Element], space: PoseSpace) -> Iterator[Move]:
    """Yield the moves that elements spell out in a space; a link that it does not have is one that leads nowhere."""
    modes = {mode.name: mode for mode in space.modes}
    links = {link.name: link for link in space.links}
    for element in elements:
        if element.name in TURN_NAMES:
            yield turn_of(element)
        elif element.name == _FOLLOW:
            name = element["link"]
            yield Follow(links.get(name, PoseLink(name, -1, -1, Fraction(0))))
        elif "aside" in element.args:
            left = element.name.endswith(_SIDES[0])
            mode = space.directions.in_direction(float(element["aside"]) * (1 if left else -1))
            assert mode is not None
            yield Travel(mode, Fraction(element["inches"]))
        else:
            yield Travel(modes[element.name], Fraction(element["inches"]))


def turn_of(element: Element) -> Rotate:
    """Return the turn that an element spells out."""
    sense = TURN_NAMES[element.name]
    free = Fraction(element.get("free") or 0)
    return Rotate(sense * Fraction(element["angle"]), sense * free)


# --- what is wrong with them ---

_TEXTS = {
    "bars": "{thing} is in the way",
    "between": "{thing} is in the way",
    "edge": "the base would leave the table",
    "placing": "it cannot be placed there with that heading",
    "ground": "the ground is closed to it",
    "mode": "it cannot travel in that direction",
    "link": "no such link begins there",
    "budget": "the move costs {needed}, but only {available} can be spent",
    "legs": "legs cost {needed}, but only {available} can be spent on them",
    "inches": "the move covers {needed}, but only {available} are allowed",
    "least": "the move costs {available}, it has to cost more than {needed}",
    "end": "it cannot end on {thing}",
    "stops": "it comes into contact with {thing}: the move ends there",
    "touch": "it does not touch {thing}",
    "near": "it ends {available} away, and has to end farther than {needed}",
    "only": "it may not end exactly there with that heading",
    "ended": "the move has ended before",
    "phase": "it has no further phase",
    "way": "no move leads there",
}


@dataclass(frozen=True)
class MoveWords:
    """How a rulebook names what is wrong with a move: clauses by kind, names of things, the unit of prices."""

    #: By kind: `bars`, `between`, `edge`, `ground`, `mode`, `link`, `budget`, `legs`, `least`, `end`, `touch`, `near`,
    #: `only`, `ended`, `stops`, `way`; "" is any other.
    clauses: Mapping[str, str]
    bars: Sequence[str] = ()  #: names of what bars the way, in the order of the space
    no_end: Sequence[str] = ()
    tolls: Sequence[str] = ()  #: names of what is knocked down or run over; where one bars, its kind is `bars` or `end`
    touch: Sequence[str] = ()  #: names of what it has to touch where it ends
    stops: Sequence[str] = ()  #: names of what ends the move once it touches that
    unit: str = "inches"
    texts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))  #: other wordings, by kind

    def breaches_of(self, verdict: JudgedMove) -> Iterator[Breach]:
        """Yield what is wrong with a judged move."""
        for one in verdict.objections:
            yield self._breach(one, verdict.path.at(one.inches))

    def breaches_at(self, shortfalls: Iterable[Objection | PoseShortfall], place: XY) -> list[Breach]:
        """Return why a move cannot end at a place, or is forbidden there."""
        return [self._breach(one, place) for one in shortfalls]

    def _breach(self, one: Objection | PoseShortfall, place: XY) -> Breach:
        what, needed, available = one.what, one.needed, one.available
        unit = "inches" if what == "near" else self.unit
        names = {"bars": self.bars, "way": self.bars, "end": self.no_end, "touch": self.touch, "stops": self.stops}.get(
            what, ()
        )
        thing, names = (one.thing, names) if one.toll is None else (one.toll, self.tolls)
        blocker = names[thing] if thing is not None and thing < len(names) else ""
        message = {**_TEXTS, **self.texts}[what].format(
            thing=blocker or "something",
            needed=None if needed is None else measure(round(float(needed), 4), unit),
            available=None if available is None else measure(round(float(available), 4), unit),
            place=place_text(place),
        )
        if what == "way" and blocker:
            message = f"{message}: {blocker} is in the way"
        clause = self.clauses.get(what, self.clauses.get("", ""))
        return Breach(clause, message, needed, available, blocker, place)
