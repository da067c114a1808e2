"""What the rulebook leaves open: one option for each question, with its clause, the default first."""

from __future__ import annotations

from typing import Any

from simulator.engine.options import Options, list_option, number_option, option


class GridOptions(Options):
    """The options of grid_runner."""

    scale: str = option("GR-1, GR-2", "m1", "m2", "m5", about="length of a square's side in metres")
    allotment_source: str = option("GR-6", "printed", "division_rule", about="where the squares of a pass come from")
    m1_totals: str = option("GR-11, GR-12", "figures", "labels", about="which totals the m1 tables use")
    turn_total_cap: bool = option("GR-13", False, True, about="whether the turn's total limits the passes together")
    h_above_4: str = option("GR-19", "error", "division_rule", about="turns of more than four passes")
    carry_over: bool = option("GR-20", False, True, about="whether squares left over go to the next pass of the turn")
    split_move: bool = option("GR-21", False, True, about="whether the movement may go around the actions")
    diagonal_parity_reset: str = option("GR-26", "pass", "turn", "never", about="when the count of diagonals restarts")
    diagonal_corners: str = option("GR-26", "no_cut", "only_between_two", "free", about="diagonal steps past walls")
    run_start_without_pass: bool = option("GR-28", False, True, about="whether running may start without an action")
    sprint_round: str = option("GR-33", "total", "per_hit", about="where half squares are rounded up")
    sprint_action: str = option("GR-34", "simple", "complex", "none", about="the action that a sprint takes")
    held_threatens: bool = option("GR-45", False, True, about="whether the one held in a grapple threatens")
    free_actions_per_pass: Any = number_option("GR-49", 1, least=0, most=9, about="free actions in each pass")
    interception_order: tuple[str, ...] = list_option(
        "GR-50, GR-67", (), about="who attacks first where several may; the others in list order"
    )
    tumble_counts: str = option("GR-63", "interceptors", "near_any", about="which enemies a tumble counts")
    tumble_first: str = option("GR-67", "hits", "hits_plus_one", "gm", about="who intercepts a failed tumble first")
    tumble_push: str = option("GR-72", "damage", "any_interception", about="what pushes a tumbler aside")
    charge_path: str = option("GR-74", "direct", "any", about="which way a charge takes")
    charge_bonus_dice: Any = number_option("GR-75", 2, least=0, most=99, about="dice that a charge adds")
    charge_requires_running: bool = option("GR-75", False, True, about="whether a charger has to run")
    shotgun_f_m1: str = option("GR-87", "printed", "rescaled", about="the far bands of shotgun_f at m1")
    omitted_band: str = option("GR-89", "not_covered", "out_of_range", about="targets in a band that is left out")
    str_range_rounding: str = option("GR-92", "floor", "nearest", "up", about="how fractional ranges are rounded")
    range_metric: str = option(
        "GR-93", "diagonal_121", "chebyshev", "euclidean_floor", about="how the distance to a target is counted"
    )
    blast_random_m5: bool = option("GR-95", False, True, about="whether bystanders of a blast roll at m5")
