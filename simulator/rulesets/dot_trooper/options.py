"""What the rulebook leaves open: one option for each question, with its clause, the default first."""

from __future__ import annotations

from simulator.engine.options import Options, option


class DotTrooperOptions(Options):
    """The options of dot_trooper."""

    arc_reference: str = option("DT-98", "targeted_dot", "front", "rear", about="which dot has to lie in the arc")
    attack_cap: str = option("DT-102", "total", "per_firing_unit", about="whose attacks one segment limits")
    boxed_in: str = option("DT-68", "crash", "stay", about="what happens to a moving vehicle without a legal plan")
    cap_counts: str = option("DT-64", "movement_only", "all_activities", about="what the cap of 8 AP counts")
    dismount_moving: bool = option("DT-58", False, True, about="whether troopers may get off a moving vehicle")
    exchange_payer: str = option("DT-26", "active", "either", "both", about="who pays for passing on a jet pack")
    fall_damage: str = option("DT-19", "0", "1_lethal_per_level", about="the damage of a fall from a flight")
    flight_attacks: str = option("DT-17", "once_per_unit_per_flight", "once_per_unit_per_dot")
    flight_clearance: str = option("DT-13", "ceiling", "profile", "free", about="what a flight may cross")
    flight_length: str = option("DT-8", "path", "displacement", about="what the 6 to 16 dots measure")
    flight_path: str = option("DT-8", "any", "no_revisit", "straight", about="which paths a flight may take")
    forward_before_turn: str = option("DT-81", "each_turn", "once_per_move", about="when a turn needs a dot before it")
    grenade_drop_ap: str = option("DT-21", "0", "fire_ap", about="what a drop costs")
    grenade_drop_movement_mod: int = option("DT-23", 0, 2, about="what a drop adds for movement fire")
    grenade_drops_per_flight: str = option("DT-21", "1", "unlimited")
    jetpack_penalty_timing: str = option("DT-6", "at_once", "next_turn")
    lift_by: str = option("DT-134", "any_friend", "former_rider", about="who may lift a vehicle")
    minimum_stop: str = option("DT-78", "forbidden", "allowed_2ap_no_check")
    mode_check_after_movement: bool = option("DT-108", False, True, about="whether later damage can still wipe out")
    mode_required: str = option("DT-59", "if_moving_or_to_move", "always")
    mount_reach: str = option("DT-58", "rear_dot", "either_dot", about="from which dot a vehicle is mounted")
    mounted_arc_half_angle: int = option("DT-170", 30, 60)
    mounted_movement_fire_vehicle_mod: bool = option("DT-151", True, False)
    mounted_orientation: str = option("DT-47", "arc", "ignored", about="whether mounts fire only where they point")
    partial_segments: bool = option("DT-72", False, True, about="whether a segment may be cut short")
    pass_through_units: str = option("DT-165", "none", "friends")
    ram_direction: str = option("DT-138", "any_adjacent", "ahead_only")
    ram_limit: str = option("DT-138", "once_per_target", "once_per_turn", "unlimited")
    segment_per: str = option("DT-104", "dots", "ap", about="whether 2 AP of a stop are one segment or two")
    skid_units: str = option("DT-128", "vehicles_block", "all_block", "none_block")
    stop_check_at: str = option("DT-96", "turn_or_end", "start_of_stop", about="when a stop's check is rolled")
    stop_dots: str = option("DT-73", "m_total", "m_per_ap", about="how far a stop goes")
    stopped_driver_death: str = option("DT-118", "tip_over", "stay_upright")
    swing_check: str = option("DT-83", "swept", "end_only", about="which dots of a rear swing have to be free")
    trooper_hit_location: str = option("DT-163", "sequential", "random_cell")
    wipeout_damage_kind: str = option("DT-126", "lethal", "bludgeoning_to_trooper")
    wreck_removed: bool = option("DT-35", False, True)
