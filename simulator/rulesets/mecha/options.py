"""What the rulebook leaves open: one option for each question, with its clause, the default first.

The tables of rates, features and heights are options as well (ME-12, ME-101, ME-107): they stand in `tables.toml`, and
a scenario overrides them by the paths of their figures.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from simulator.engine.constraints import is_number
from simulator.engine.options import Option, Options, number_option, option
from simulator.engine.values import Value

MOBILITIES = ("walker", "four_legged_walker", "track", "wheel", "static", "infantry", "hover")
MOVEMENT_1, MOVEMENT_2 = "movement_1", "movement_2"


@dataclass(frozen=True)
class _Phases(Option):
    """An option that lists the phases of a turn, the two movement phases among them in their order."""

    def read(self, raw: Any) -> Value:
        """Return the phases; raise ValueError unless they are different and both movement phases are in order."""
        found = super().read(raw)
        assert isinstance(found, tuple)
        movement = tuple(name for name in found if name in (MOVEMENT_1, MOVEMENT_2))
        if movement != (MOVEMENT_1, MOVEMENT_2) or len(set(found)) != len(found):
            told = f"[{', '.join(map(str, found))}]"
            raise ValueError(f"expected different phases, {MOVEMENT_1} before {MOVEMENT_2} among them, not {told}")
        return found


@dataclass(frozen=True)
class _Whole(Option):
    """An option that is a whole number, or one of some other values."""

    def read(self, raw: Any) -> Value:
        """Return the value; raise ValueError if it is a fraction."""
        found = super().read(raw)
        if is_number(found) and Fraction(found).denominator != 1:
            raise ValueError(f"expected a whole number, not {raw}")
        return found


@dataclass(frozen=True)
class _Mobilities(Option):
    """An option that lists mobility types: those of the move table, which a scenario may add to (ME-12)."""

    def read(self, raw: Any) -> Value:
        """Return the mobility types; whether the move table has them is seen when a game begins."""
        return replace(self, values=())._several(raw)


def _phases(clause: str, default: tuple[str, ...], about: str) -> Any:
    return _Phases(clause, default, (), "list", about=about)


class MechaOptions(Options):
    """The options of mecha."""

    phase_list: Any = _phases("ME-1", (MOVEMENT_1, "attack_1", MOVEMENT_2, "attack_2"), "the phases of a turn")
    attack_phases: str = option(
        "ME-1", "skipped", "played", about="whether phases that are no movement phases wait until all let them pass"
    )
    ap_per_turn: Any = _Whole(
        "ME-7", 4, (4, None), "number", 0, 1000, "the AP of a unit in each turn; null: they are not tracked"
    )
    contact_stops_move: bool = option(
        "ME-8", False, True, about="whether a move ends where it comes into contact with an opposing unit"
    )
    granularity: str = option("ME-17", "half_inch", "proportional", about="how the length of a leg is charged")
    terrain_under: str = option("ME-18", "base", "centre", about="what of the base decides which terrain is charged")
    sideways_types: Any = _Mobilities(
        "ME-22",
        ("walker", "four_legged_walker"),
        MOBILITIES,
        "list",
        about="which mobility types move sideways",
    )
    free_turn_per: str = option("ME-34", "phase", "turn", about="how often the free turn comes back")
    free_turn_split: bool = option("ME-35", False, True, about="whether the free turn may be made in portions")
    pass_type_of: str = option(
        "ME-42", "obstacle", "mover", "both", about="whose mobility type decides whether a friend may be passed"
    )
    contact_tolerance: Any = number_option(
        "ME-44", Fraction(1, 100), least=Fraction(1, 1000), most=1, about="gaps and overlaps up to this are contact"
    )
    run_minimum: str = option(
        "ME-50", "spent", "displacement", "none", about="the measure by which a run must exceed the Move"
    )
    facing_tolerance_deg: Any = number_option(
        "ME-55", 45, least=0, most=180, about="how far off its heading a unit can climb"
    )
    climb_down: bool = option("ME-57", False, True, about="whether units climb down as they climb up")
    pinning_effect: str = option(
        "ME-61", "flag_only", "half_move", "no_more_moves", about="what being pinned does to a unit"
    )
    action_test: str = option("ME-62", "succeeds", "asked", about="whether somebody is asked if a Break Away succeeds")
    jump_move: str = option("ME-67", "up_to_move", "edge_only", about="what a jump includes before the edge")
    carrier_lock_scope: str = option(
        "ME-76", "phase", "turn", about="for how long being entered, left or moved restricts a carrier"
    )
    unload_order: str = option("ME-78", "after_move", "any", about="when a carrier that moves unloads")
    rear_arc_deg: Any = number_option(
        "ME-79", 90, least=0, most=360, about="the whole arc behind a carrier in which units are set down"
    )
    placement_heading: str = option("ME-79", "any", "away", "same", about="the heading of units that are set down")
    charge_minimum: str = option("ME-88", "as_run", "none", about="whether a charge has to exceed the Move too")
    charge_expiry: str = option(
        "ME-90", "next_attack", "end_of_turn", about="how long an attack counts as one after a charge"
    )
    endurance_min: Any = option("ME-96", None, 1, about="the least target of an Endurance test; null: any")
    endurance_test: str = option("ME-96", "recorded", "asked", about="whether somebody is asked if the test is passed")
    endurance_fail_effect: str = option(
        "ME-96", "none", "destroyed", about="what a failed Endurance test does to a unit"
    )
