"""skirmish: what is traversed from rows of places along the faces of obstacles."""

import numpy as np
import shapely
from skirmish_tables import block, game_with

from simulator.geometry.outline_rows import rows_along
from simulator.geometry.pieces import CircleShape, Piece
from simulator.pathing.links import RowCurve, follow
from simulator.rulesets.skirmish.obstruction import features_of
from simulator.rulesets.skirmish.traverse.jumps import Jumps


def test_round_things_are_gone_round_once():
    """A disc has many corners: what lies behind it is one line, found without looking everywhere from each of them."""
    piece = Piece("well", "obstacle", CircleShape(3, 0, 0.75), "obstacle", 1.0)
    table = game_with(piece, me={"radius": 1.25}).ready_table("A1")
    (well,) = features_of(table).obstacles
    jumps = Jumps(table, table.unit("A1"))
    around = shapely.difference(shapely.box(-4, -4, 8, 6), well.shape.polygon.buffer(1.25))
    rows = [
        RowCurve(row, lambda rows: shapely.intersects_xy(around, *rows.T), around)
        for row in rows_along(well.shape.polygon, 1.25, 2.25)
    ]
    found = follow(jumps, rows)
    assert (len(rows), len(found)) == (1, 1)
    assert sum(len(row.seen) for row in rows) < 2000
    assert shapely.hausdorff_distance(found[0].line, shapely.Point(3, 0).buffer(2.0, quad_segs=64).exterior) < 0.02


def test_beside_a_corner_there_is_one_nearest_point():
    """Many places of a row, and one name for what is traversed from them: aims are told only where there are two."""
    table = game_with(block(0, 0, 3, 2)).ready_table("A1")
    jumps = Jumps(table, table.unit("A1"))
    near = [[(x, -0.6)] for x in np.arange(-3e-3, 3e-3, 2e-4).tolist()]
    told = [jump for spots in near for there in jumps.from_places(spots) for jump in there]
    assert len(told) == len(near)
    assert {jump.towards for jump in told} == {None}
