"""Tolerances in inches, the finest first. Each is well clear of the one before, unless stated otherwise.

Coordinates lie on a grid of a millionth. So a place that was computed and then stored is up to half a millionth off,
and the distance of two such places up to one millionth: the judge tolerates that and no more. The planner works on
floats, far below the grid; only for stored places does it allow slightly more than the grid.
"""

from __future__ import annotations

#: The rounding error of sums and products of floats, where a caller's own limit is inclusive.
ROUNDING = 1e-12
#: Two computed things this near touch; overlaps this shallow do not count.
TOUCH = 1e-9
#: Angles that differ by less, in degrees, are one: what headings are off that were computed from places.
ROUNDING_OF_ANGLES = 1e-9
#: Near a wall by less than this, a start or goal lies on it and may be on either side of it.
ON_WALL = 1e-9
#: A place that a game keeps, to nine digits, is off by less than this: by little more than two that touch.
AS_KEPT = 2e-9
#: The planner's moves may cut into obstacles by this much: touching is legal, and rounding does not count.
SLACK = 1e-8
#: A mover without size keeps this far from walls; it decides which ways are open, and never adds to a length.
HAIR = 1e-7
#: The inches withheld from the planner where the judge decides, which tolerates less than the planner.
KEPT_BACK = 6e-7
#: The grid that all coordinates lie on, and that overlays of areas work on: without one GEOS can lose a whole polygon.
GRID = 1e-6
#: The tolerance of the judge: overlaps up to this do not count, and limits are inclusive up to it.
TOLERANCE = 1e-6
#: The room that a mover needs beyond its width if an exact fit does not pass.
NO_FIT = 1e-6
#: For the planner, overlaps up to this are contact: slightly more than two places on the grid.
CONTACT = 1.5e-6
