"""The orders of combined_arms: one move, made of legs, rotations, climbs and shots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from simulator.engine.orders import (
    ActionForm,
    Arg,
    Element,
    Form,
    Kind,
    Vocabulary,
    angle,
    heading,
    length,
    piece_id,
    place,
    unit_id,
    word,
)
from simulator.pathing.posed import Mode, PoseLink, Rotate, Travel
from simulator.pathing.posed.moves import Follow, Move
from simulator.rulesets.combined_arms.figures import BANDS
from simulator.rulesets.combined_arms.rates import ASIDE, LEGS, OBLIQUE, mode_of

#: The senses of rotations, left positive.
TURNS = {"turn_left": 1, "turn_right": -1}
CLIMBS = {"climb": 1, "descend": -1}
#: The rough directions from which pieces come on after a detour.
COMPASS = ("north", "south", "east", "west")
#: Boarding a transport, and getting off.
TRANSFERS = ("load", "unload")


def _decimal(value: Any) -> str:
    """A number as it is written: as a decimal where that is all of it, else as a fraction."""
    if isinstance(value, float):
        return repr(value + 0.0).removesuffix(".0")
    number = Fraction(value)
    text = repr(float(number))
    return text.removesuffix(".0") if "e" not in text and Fraction(text) == number else str(number)


#: How the directions of travel are described.
_DIRECTION = {
    "reverse": "in reverse",
    "sideways_left": "sideways to the left",
    "sideways_right": "sideways to the right",
}
_INCHES = replace(length(), write=_decimal)
_DEGREES = replace(angle("an angle in degrees"), write=_decimal)
_ASIDE = replace(angle("an angle of at most 180 degrees", most=180), write=_decimal)


def altitude_name(altitude: Fraction) -> str | int:
    """Return an altitude as a level: a whole number, or the text of another.

    >>> altitude_name(Fraction(4)), altitude_name(Fraction(3, 2))
    (4, '1.5')
    """
    return altitude.numerator if altitude.denominator == 1 else _decimal(altitude)


def at_level(level: str | int) -> dict[str, Any]:
    """Return the fields of a piece on a level: an altitude, or a building and a floor of it.

    >>> at_level("1.5"), at_level("keep/2")
    ({'altitude': Fraction(3, 2), 'floor': 0, 'building': ''}, {'altitude': 0, 'floor': 2, 'building': 'keep'})
    """
    text = str(level)
    if text[0].isdigit():
        return {"altitude": Fraction(text), "floor": 0, "building": ""}
    building, _, floor = text.rpartition("/")
    return {"altitude": 0, "floor": int(floor), "building": building}


_ALTITUDE = Kind(
    "an altitude in inches, or a building and a floor of it",
    re.compile(r"\d{1,6}(?:\.\d{1,6}|/\d{1,6})?|[^\W\d][\w -]{0,200}/\d{1,4}"),
    lambda text: altitude_name(Fraction(text)) if text[0].isdigit() else text,
    str,
    example="2",
)

VOCABULARY = Vocabulary(
    actions=[
        ActionForm(
            "move",
            [Arg("over", unit_id("an enemy to overrun", "enemy"), "over", optional=True, many=True)],
            "CA-3",
            "makes its move of the turn",
            elements=(*LEGS, *TURNS, *CLIMBS, "fire", *TRANSFERS, "leave_board", "enter", "drop", "take"),
            least=1,
            goal=True,
        ),
        ActionForm(
            "delay_entry",
            [
                Arg("inches", length("the price of the way off the board", least=0, most=10_000)),
                Arg("toward", word(*COMPASS), "toward"),
            ],
            "CA-139",
            "enters elsewhere, and later: the opponent learns the rough direction and the earliest turn",
            aside=True,
        ),
    ],
    elements=[
        *(Form(name, [Arg("inches", _INCHES)], "CA-27", f"travel {_DIRECTION.get(name, name)}") for name in ASIDE),
        *(
            Form(
                name,
                [Arg("inches", _INCHES), Arg("aside", _ASIDE, "at")],
                "CA-27",
                f"travel at that many degrees to the {name.removeprefix('oblique_')} of the heading",
            )
            for name in OBLIQUE
        ),
        *(Form(name, [Arg("angle", _DEGREES)], "CA-37", "rotate on the spot") for name in TURNS),
        *(Form(name, [Arg("inches", _INCHES)], "CA-85", "change altitude") for name in CLIMBS),
        Form(
            "fire",
            [
                Arg("target", unit_id("an enemy", "enemy"), "at", optional=True),
                Arg("band", word(*BANDS), "band", optional=True),
            ],
            "CA-8",
            "fire, and keep to a speed band for the turn",
        ),
        Form("load", [Arg("carrier", unit_id("a transport", "friend"))], "CA-118", "board a transport"),
        Form(
            "unload",
            [Arg("at", place(), "at"), Arg("heading", heading(), "facing", optional=True)],
            "CA-119",
            "get off a transport beside a door",
        ),
        Form("leave_board", [], "CA-138", "leave the board over its edge, for good"),
        Form("take", [Arg("way", piece_id("stairs, a ladder, or a door"))], "CA-69", "use stairs, a ladder or a door"),
        Form(
            "enter",
            [
                Arg("at", place(), "at"),
                Arg("heading", heading(), "facing"),
                Arg("altitude", _INCHES, "altitude", optional=True),
            ],
            "CA-148",
            "enter the board over its edge, facing inward",
        ),
        Form(
            "drop",
            [Arg("at", place(), "at"), Arg("heading", heading(), "facing")],
            "CA-149",
            "appear straight above a place, as high as its rate, to descend from there",
        ),
    ],
    default="move",
    goal_place=place(),
    goal_level=_ALTITUDE,
)


# --- elements and moves ---


def altitudes_along(altitude: Fraction, elements: Iterable[Element]) -> Iterator[Fraction]:
    """Yield the altitude before the first element, and after each, by climbs and descents alone."""
    yield altitude
    for element in elements:
        altitude += CLIMBS.get(element.name, 0) * Fraction(element.get("inches", 0))
        yield altitude


def link_between(
    origin: Fraction, target: Fraction, levels: dict[Fraction, int], *, slanting: bool = False
) -> PoseLink:
    """Return the climb or descent from one altitude to another, straight up or down, or slanting along the way."""
    name = "climb" if target > origin else "descend"
    inches = abs(target - origin)
    # One of no inches slants no leg.
    slants = slanting and bool(inches)
    return PoseLink(f"{name} {inches}", levels[origin], levels[target], inches, slanting=slants, inches=inches)


def climb_of(link: str) -> Element:
    """Return the element that follows a climb or descent, stairs or a ladder."""
    name, _, rest = link.partition(" ")
    return Element(name, {"way": rest} if name == "take" else {"inches": Fraction(rest)})


def moves_of_elements(
    elements: Iterable[Element],
    altitude: Fraction,
    levels: dict[Fraction, int],
    modes: Sequence[Mode],
    *,
    slanting: bool = False,
    ways: Sequence[PoseLink] = (),
    level: int = 0,
) -> Iterator[Move]:
    """Yield the moves that elements spell out from one level, shots left out; the last one may lead to another.

    Each altitude has its level; `ways` are the links of climbs, stairs and ladders among others.
    """
    for element in elements:
        if element.name == "take":
            name = f"take {element['way']}"
            known = (way for way in ways if way.name == name and way.origin == level)
            yield Follow(next(known, _nowhere(name, level)))
        if element.name in TURNS:
            yield Rotate(TURNS[element.name] * Fraction(element["angle"]))
        elif element.name in CLIMBS:
            inches = Fraction(element["inches"])
            if levels.get(altitude) == level:
                after = altitude + CLIMBS[element.name] * inches
                link = link_between(altitude, after, levels, slanting=slanting)
                # Climbs of pieces that do not fly do not slant.
                yield Follow(link if link in ways else replace(link, slanting=False))
            else:
                yield Follow(_nowhere(f"{element.name} {inches}", level))
        elif element.name in LEGS:
            yield Travel(mode_of(element, modes), Fraction(element["inches"]))


def _nowhere(name: str, level: int) -> PoseLink:
    """What does not lead on from a level: no link of any space, and refused as that."""
    return PoseLink(name, level, level, Fraction(0))
