"""Lines of movement in orders: straight to a place, or round a centre; order elements and pieces of a path."""

from __future__ import annotations

import math
from collections.abc import Iterable

from simulator.engine.orders import Arg, Element, Form, angle, place
from simulator.geometry.paths import Bend, PathPiece, Straight
from simulator.geometry.pieces import XY

#: The direction in which a mover goes round a centre, left positive.
_TURNS = {"left_around": 1.0, "right_around": -1.0}
#: The names of the elements.
LINE_ELEMENTS = ("to", *_TURNS)


def line_forms(clause: str = "") -> list[Form]:
    """Return the forms of the elements, for a vocabulary.

    >>> [form.name for form in line_forms()]
    ['to', 'left_around', 'right_around']
    """
    around = [Arg("centre", place()), Arg("angle", angle(exact=False), "by")]
    arcs = [Form(name, around, clause, "an arc") for name in _TURNS]
    return [Form("to", [Arg("place", place())], clause, "straight to a place"), *arcs]


def piece_of(here: XY, element: Element) -> Straight | Bend:
    """Return the piece of a path that an element describes from a place.

    >>> piece_of((0, 0), Element("to", {"place": (3, 4)}))
    Straight(start=(0, 0), end=(3, 4), heading=0.0)
    """
    if element.name == "to":
        return Straight(here, element["place"])
    centre = element["centre"]
    begin = math.atan2(here[1] - centre[1], here[0] - centre[0])
    sweep = _TURNS[element.name] * math.radians(float(element["angle"]))
    return Bend(centre, math.dist(here, centre), begin, sweep)


def elements_of(pieces: Iterable[PathPiece]) -> list[Element]:
    """Return the pieces of a path as the elements of an order; a turn on the spot becomes `facing`.

    >>> elements_of([Straight((0, 0), (3, 4))])
    [Element(name='to', args=Fields(place=(3, 4)))]
    """
    found = []
    for piece in pieces:
        if isinstance(piece, Straight):
            found.append(Element("to", {"place": piece.end}))
        elif isinstance(piece, Bend):
            name = "left_around" if piece.sweep > 0 else "right_around"
            found.append(Element(name, {"centre": piece.centre, "angle": math.degrees(abs(piece.sweep))}))
        else:
            found.append(Element("facing", {"heading": (piece.heading + piece.turn) % 360.0}))
    return found
