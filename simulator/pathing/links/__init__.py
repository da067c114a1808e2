"""Links: ways between places that are not lines of movement, such as climbs, jumps, traverses and doors.

A `Link` is one of them. A `Finder` of a rulebook returns those from a place; `link_curves` follows whole rows of places
and returns what lies behind as curves, and `links_to` the link that comes down at one place of such a curve.
`StraightAcross` is a finder for climbs and traverses that need no more than a reach, a depth and a price.
"""

from simulator.pathing.links.curves import LinkCurve, OnwardCurve, RowCurve, TracedCurve, Tries
from simulator.pathing.links.follow import Finder, first_links, follow, link_curves, links_to
from simulator.pathing.links.link import CLOSE, Link
from simulator.pathing.links.straight_across import StraightAcross

__all__ = [
    "CLOSE",
    "Finder",
    "Link",
    "LinkCurve",
    "OnwardCurve",
    "RowCurve",
    "StraightAcross",
    "TracedCurve",
    "Tries",
    "first_links",
    "follow",
    "link_curves",
    "links_to",
]
