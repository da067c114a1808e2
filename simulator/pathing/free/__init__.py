"""Shortest ways of a round base on an inch table: any direction, one price for each inch, true arcs, no rules.

table = prepare(Obstacles(discs, walls, polygons, border), radius)     shared by all queries
reach = plan(table, start, budget)                                     one query; plan_many for several
reach.cost_at(places), reach.route_to(place), reach.area(), reach.touching(goal)
lengths_between(table, places, places, longest)                        lengths of ways between many places
"""

from simulator.pathing.free.between import Between, lengths_between, seen_between
from simulator.pathing.free.obstacles import Obstacles
from simulator.pathing.free.planner import TravelQuery, areas_of, plan, plan_many, straight_reach
from simulator.pathing.free.prepared import PreparedTable, prepare
from simulator.pathing.free.reach import FreeReach

__all__ = [
    "Between",
    "FreeReach",
    "Obstacles",
    "PreparedTable",
    "TravelQuery",
    "areas_of",
    "lengths_between",
    "plan",
    "plan_many",
    "prepare",
    "seen_between",
    "straight_reach",
]
