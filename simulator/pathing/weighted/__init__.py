"""Cheapest ways of movers that turn for nothing, on inch tables where ground has prices.

The form is the same `PoseSpace` that movers with headings are planned by; `WeightedReach` answers as `PoseReach` does.
"""

from simulator.pathing.weighted.reach import WeightedReach

__all__ = ["WeightedReach"]
