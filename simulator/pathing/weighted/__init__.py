"""Cheapest ways of movers that turn for nothing, on inch tables where ground has prices.

The form is the same `PoseSpace` that movers with headings are planned by, and `WeightedReach` answers the same
questions as `PoseReach`. `planner_for` returns whichever of the two a space needs.
"""

from simulator.pathing.weighted.movers import directions_are_free, why_headings_count
from simulator.pathing.weighted.planners import planner_for, planners_for
from simulator.pathing.weighted.reach import WeightedReach

__all__ = ["WeightedReach", "directions_are_free", "planner_for", "planners_for", "why_headings_count"]
