"""How near is near, in inches, the finest first. Each stands well clear of the one before, but where it is said not to.

Coordinates lie on a grid of a millionth. So a place that was computed and then kept is up to half a millionth off, two
of them are up to one off each other: the judge forgives that much and no more. The planner works on floats, far below
the grid; only where it takes up a place that was kept does it allow for the grid, and a little.
"""

from __future__ import annotations

#: What sums and products of floats are off: room for it where a caller's own limit is inclusive.
ROUNDING = 1e-12
#: Two computed things this near touch; overlaps this shallow are none.
TOUCH = 1e-9
#: Angles that differ by less, in degrees, are one: what headings are off that were computed from places.
ROUNDING_OF_ANGLES = 1e-9
#: Near a wall by less than this, a start or goal lies on it and may be on either side of it.
ON_WALL = 1e-9
#: The planner's moves may cut into what bars the way by this much: touching is legal, and rounding is no cutting.
SLACK = 1e-8
#: A mover without size keeps this far from walls; it decides which ways are open, and never adds to a length.
HAIR = 1e-7
#: So much of its inches the planner is not given where the judge has the last word, which forgives less than it does.
KEPT_BACK = 6e-7
#: The grid that all coordinates lie on, and that overlays of areas work on: without one GEOS can lose a whole polygon.
GRID = 1e-6
#: What the judge forgives: overlaps up to this are none, and limits are inclusive to within it.
TOLERANCE = 1e-6
#: How much room a mover needs beyond its own width where an exact fit does not pass.
NO_FIT = 1e-6
#: Who overlaps by up to this stands in contact, to the planner: two places on the grid, and a little.
CONTACT = 1.5e-6
