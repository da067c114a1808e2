"""Which movers this planner is for: those that turn for nothing, wherever they go, on one level without tolls."""

from __future__ import annotations

from simulator.geometry.footprints import Round
from simulator.pathing.posed.space import PoseSpace


def why_headings_count(space: PoseSpace) -> str | None:
    """Return why `WeightedReach` cannot plan for a mover: its headings count, or something else it has no form for.

    None: directions are free. Then a way is a line alone, and any heading can be had at its end.
    """
    if any(price for _, price in space.turns.brackets):
        return "turns have prices: PoseReach plans for movers that pay for turns"
    if not isinstance(space.base, Round):
        return "the base is not round, so its heading matters: PoseReach plans for bases of any shape"
    if space.ground.base is not None:
        return "the ground counts under the whole base: PoseReach plans for that"
    if space.ground.grain is not None:
        return "legs are paid by begun pieces of a grain: PoseReach plans for that"
    if space.above or space.links:
        return "there are levels or links: PoseReach plans for movers that change levels"
    if space.tolls:
        return "there are tolls: PoseReach plans for movers that pass things at a price"
    if space.inches_bind:
        return "inches are limited besides: PoseReach plans for movers that may need a shorter way that is dearer"
    if space.earlier:
        return "there are several phases: PhasedReach plans for those"
    if space.touch:
        return "ends have to touch something: PoseReach plans for that"
    if space.stops:
        return "it ends where it touches something: StoppedReach plans for that"
    if space.ends is not None:
        return "it may end in some poses alone: PoseReach plans for that"
    if space.placings:
        return "it begins anywhere along lines or in areas: PoseReach plans for movers that are placed"
    if not space.directions.directed or not space.starts:
        return "there is no mode of travel or no start: a move needs one of each"
    if min(mode.factor for mode in space.directions.directed) > min(mode.factor for mode in space.modes):
        return "it travels obliquely for less than any other way: PoseReach plans for that"
    return None


def directions_are_free(space: PoseSpace) -> bool:
    """Whether `planner_for` lets `WeightedReach` plan for a mover: it can, and nothing has to be spent.

    `WeightedReach` knows the cheapest way to a place; a detour that spends more than a lower limit is for `PoseReach`.
    """
    return why_headings_count(space) is None and space.more_than is None
