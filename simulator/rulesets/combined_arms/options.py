"""What the rulebook leaves open: one option for each question, with its clause, the default first."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from simulator.engine.constraints import is_number
from simulator.engine.options import Option, Options, list_option, number_option, option
from simulator.engine.values import Value, freeze

FLYERS = ("gravpack", "jetpack", "grav", "hover", "thruster", "helicopter", "hoverjet", "hoverprop")


@dataclass(frozen=True)
class _Shares(Option):
    """An option that is a list of four shares, from 1 down."""

    def read(self, raw: Any) -> Value:
        """Return the shares as exact fractions; raise ValueError unless there are four that do not rise."""
        parts = [part.strip() for part in raw.split(",")] if isinstance(raw, str) else raw
        try:
            shares = [Fraction(part) if isinstance(part, str) or is_number(part) else Fraction(-1) for part in parts]
        except (TypeError, ValueError, ZeroDivisionError):
            shares = []
        if len(shares) != 4 or shares != sorted(shares, reverse=True) or not 0 <= shares[3] <= shares[0] <= 1:
            raise ValueError(
                f"expected four shares from 1 down to 0 that do not rise, such as 1, 2/3, 1/3, 0, not {raw!r}"
            )
        return freeze(tuple(shares))


class CombinedArmsOptions(Options):
    """The options of combined_arms."""

    vehicle_rate_system: str = option("CA-21", "advanced", "basic", about="which table of vehicle rates applies")
    jointed_infantry_sideways: str = option(
        "CA-15", "on_foot_only", "all_infantry", about="which jointed aliens move sideways at full rate"
    )
    crew_weapon_sideways: Any = option("CA-19", False, "half", about="whether crewed weapons move sideways")
    direction_model: str = option("CA-27", "four_way", "oblique_half", about="in which directions a piece may travel")
    turn_table: str = option("CA-37", "default", "linear", about="which prices of rotations apply")
    infantry_turning: str = option(
        "CA-37", "sixth_any_angle", "free", "as_vehicles", about="what infantry pays for a rotation"
    )
    turn_cost_rounding: str = option("CA-45", "nearest_half_up", "exact", about="how prices of rotations are rounded")
    turn_separation_inches: Any = number_option(
        "CA-46", 1, least=0, about="how far apart rotations of one sense are priced separately"
    )
    uphill_test: str = option("CA-51", "any_gain", "within_45", about="which legs lead uphill")
    tree_cost: Any = number_option("CA-62", 1, least=0, about="the price of a tree whose piece states none")
    linear_obstacle_width: Any = number_option(
        "CA-63", 1, least=Fraction(1, 100), most=100, about="the width of an obstacle drawn as a line without one"
    )
    high_wall_passers: str = option(
        "CA-64", "thruster_and_jetpack", "literal", "by_altitude", about="who passes high walls from the ground"
    )
    antitank_others: str = option(
        "CA-65", "as_low_obstacle", "normal", about="how antitank obstacles slow pieces that they do not stop"
    )
    building_interior_walkers: str = option(
        "CA-66", "double_rate", "half_rate", about="how walkers and wheels move in buildings"
    )
    rubble_factor: Any = number_option(
        "CA-67", Fraction(1, 2), least=Fraction(1, 100), most=1, about="what is left of a rate in rubble"
    )
    ladder_on_foot: str = option("CA-71", "third_rate", "triple_rate", about="how fast infantry climbs ladders")
    powered_armor_terrain: str = option(
        "CA-72", "as_on_foot", "as_gravpack", "unaffected", about="how terrain slows powered armor"
    )
    terrain_combination: str = option("CA-77", "multiply", "worst_only", about="how several effects at a place combine")
    vertical_geometry: str = option("CA-85", "sum", "euclid", about="how climbing adds to a leg")
    end_aloft: Any = list_option("CA-86", FLYERS, FLYERS, about="which types may end a turn aloft")
    damage_level_rates: Any = _Shares(
        "CA-87", (Fraction(1), Fraction(2, 3), Fraction(1, 3), Fraction(0)), about="the rate at each damage level"
    )
    mid_move_damage: str = option("CA-92", "deduct_spent", "next_turn", about="when damage changes the rate")
    speed_band_basis: str = option("CA-96", "allowance_spent", "distance_moved", about="what the bands measure")
    own_fire_band: str = option("CA-98", "whole_turn", "so_far", about="what counts for a piece's own fire")
    target_rotation_counts: str = option(
        "CA-100", "never", "if_moved", about="whether rotations count for fire at a piece"
    )
    overrun_targets: str = option("CA-103", "any_piece", "listed_only", about="which pieces may be overrun")
    overrun_size_scope: str = option(
        "CA-104", "all_targets", "vehicles_only", about="to which targets the difference of sizes applies"
    )
    overrun_default_stretch: Any = number_option(
        "CA-105", 1, least=Fraction(1, 100), most=20, about="how far across a target without a base is"
    )
    popup_types: Any = list_option(
        "CA-114",
        ("grav", "helicopter", "hoverjet", "hoverprop", "gravpack", "jetpack"),
        FLYERS,
        about="which types may fire aloft and drop back",
    )
    door_radius: Any = number_option("CA-119", 1, least=0, about="how near a door pieces board and get off")
    transport_clock: str = option("CA-120", "thirds_rounded_up", "exact", about="how the clock of a piece runs")
    load_unload_same_turn: bool = option("CA-129", False, True, about="whether a piece may board and leave in a turn")
    hover_transfer_types: Any = list_option(
        "CA-130", ("jetpack",), FLYERS, about="who transfers to and from a hovering transport"
    )
    delayed_entry: bool = option("CA-139", False, True, about="whether entry may be delayed to enter elsewhere")
