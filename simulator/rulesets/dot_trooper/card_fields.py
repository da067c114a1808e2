"""What the fields of a card may hold, checked when a unit is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from simulator.engine.values import Fields, show
from simulator.rulesets.dot_trooper.cards import TROOPER_TOP, VEHICLE_TOP
from simulator.rulesets.dot_trooper.figures import row_faults

#: A test of a value, and what is wanted where it fails.
Wanted = tuple[Callable[[Any], bool], str]


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_dot(value: Any) -> bool:
    """Whether a value is a dot: two whole numbers."""
    return isinstance(value, tuple) and len(value) == 2 and all(_is_whole(part) for part in value)


def _are_dots(value: Any) -> bool:
    return isinstance(value, tuple) and all(is_dot(dot) for dot in value)


def _cells(lowest: int, highest: int) -> Wanted:
    def fits(value: Any) -> bool:
        labels = range(lowest, highest + 1)
        return isinstance(value, tuple) and all(_is_whole(label) and label in labels for label in value)

    return fits, f"a list of cells from {highest} down to {lowest}"


def _is_mount(value: Any) -> bool:
    whole = isinstance(value, Fields) and {"weapon", "direction"} <= set(value)
    return whole and isinstance(value["weapon"], str) and _is_whole(value["direction"])


_WHOLE: Wanted = (_is_whole, "a whole number")
_COUNT: Wanted = (lambda value: _is_whole(value) and value >= 0, "a whole number of 0 or more")
_FLAG: Wanted = (lambda value: isinstance(value, bool), "true or false")
_WORD: Wanted = (lambda value: isinstance(value, str), "a word")
_WORDS: Wanted = (
    lambda value: isinstance(value, tuple) and all(isinstance(one, str) for one in value),
    "a list of words",
)
_DOTS: Wanted = (_are_dots, "a list of dots such as [3, 4]")

_TROOPER: Mapping[str, Wanted] = {
    "level": _WHOLE,
    "crossed": _cells(1, TROOPER_TOP),
    "ap_bonus": _WHOLE,
    "ap_spent": _COUNT,
    "movement_spent": _COUNT,
    "jet_pack_used": _FLAG,
    "has_flown": _FLAG,
    "weapon": _WORD,
    "aboard": _WORD,
    "arc": _DOTS,
    "unseen": _DOTS,
}
_VEHICLE: Mapping[str, Wanted] = {
    "level": _WHOLE,
    "crossed": _cells(0, VEHICLE_TOP),
    "armor": (lambda value: value is None or _COUNT[0](value), "the armor cells left, 0 or more"),
    "on": _FLAG,
    "driving": _FLAG,
    "driven": _FLAG,
    "mode_ap": _COUNT,
    "rammed": _WORDS,
    "former_rider": _WORD,
    "ammo": _WHOLE,
    "weapons": (
        lambda value: value is None or (isinstance(value, tuple) and all(_is_mount(one) for one in value)),
        "a list of mounts, each with its weapon and its direction in degrees left of the heading",
    ),
    "arcs": (
        lambda value: isinstance(value, tuple) and all(_are_dots(arc) for arc in value),
        "a list of dots for each mounted weapon",
    ),
}


def field_faults(type: str, place: Any, fields: Mapping[str, Any]) -> Iterator[str]:
    """Give what is wrong with a unit, a line for each field: what it wants, and what it was given."""
    if place is not None and not is_dot(place):
        yield f"place: wants a dot such as [3, 4], not {show(place)}"
    for name, (fits, wanted) in (_TROOPER if type == "trooper" else _VEHICLE).items():
        if not fits(fields[name]):
            yield f"{name}: wants {wanted}, not {show(fields[name])}"
    if type == "vehicle" and fields["hp_table"] is not None:
        for path, message in row_faults("hp_table", fields["hp_table"]):
            yield f"{path}: {message}"
