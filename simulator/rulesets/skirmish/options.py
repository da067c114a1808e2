"""What the rulebook leaves open: one option for each question, with its clause, the default first."""

from __future__ import annotations

from simulator.engine.options import Options, option


class SkirmishOptions(Options):
    """The options of skirmish."""

    measure: str = option("SK-3", "translation", "front_point", about="between which points a move is measured")
    path_shape: str = option("SK-4", "free", "straight_per_ap", about="whether the line of movement may bend")
    pool_ap: bool = option("SK-5", False, True, about="whether several AP may pay for one longer line")
    rough_test: str = option("SK-8", "centre_line", "swept_base", about="what has to touch rough terrain")
    traverse_ap: int = option("SK-18", 1, 0, about="the AP of a traverse")
    traverse_direction: str = option("SK-23", "straight_across", "any_direction", about="which way a traverse goes")
    run_min_inches: int = option("SK-30", 0, 9, about="how far a run has to go")
    running_until: str = option("SK-31", "next_activation", "round_end", about="when the Running token is removed")
    run_and_traverse_same_activation: bool = option("SK-33", True, False, about="whether one activation may have both")
    run_threshold: bool = option("SK-35", False, True, about="whether Threshold can save a run")
    dodge_direction: str = option("SK-41", "radial", "any_away", about="which way a dodge goes")
    dodge_terrain_roll: bool = option("SK-41", False, True, about="whether a dodge through rough ground is rolled for")
    dodge_attribute: str = option("SK-42", "INS", "PSQ", about="what a dodge is rolled on")
    dodge_timing: str = option("SK-47", "after_attack_roll", "before_attack_roll", about="when a dodge is declared")
    exact_fit_passes: bool = option("SK-49", True, False, about="whether a base passes a gap of its own width")
    enemy_block: str = option("SK-53", "swept_base", "line_only", about="which part of the mover enemy bases stop")
    ap_per_activation: int = option("SK-61", 3, 2, 4, about="AP in an activation")
