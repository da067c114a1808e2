"""A starter file of each kind of board: small, commented key by key, ready to load, to draw and to edit."""

from __future__ import annotations

from typing import Any

from simulator.engine.ruleset import Ruleset
from simulator.errors import BoardError
from simulator.formats.faults import no_such
from simulator.wording import did_you_mean

_SQUARES = """\
# A board of squares. Places are [column, row], counted from 0 at the top left.
format: 1                           # the version of this format
board: squares                      # squares, dots or table
name: Loading dock                  # optional; by default the name of the file
description: A small yard with an office, a door and a muddy corner.
scenery: [terrain, level, areas]    # words that are only drawn; any other has to be one that the rulebook reads
square: {size: 1, unit: metre}      # the length of the side of a square

legend:                             # the meaning of each glyph below; by default open, flat ground
  ".": {terrain: concrete}          # terrain: any word that the rulebook knows
  "#": {wall: true}                 # wall: nobody can enter
  "~": {terrain: water, level: -1}  # level: its height
  ",": {impeded: true}              # impeded: open, but spoils a charge
  "o": {terrain: floor}

rows: |                             # the board itself, one glyph for each square
  ..........
  .##...oooo
  .##...oooo
  ......oooo
  ,,......~~
  ,,.....~~~

edges:                              # walls between squares, applied in order
  - wall_around: "o"                # between the squares drawn with these glyphs and all others
  - open: [[5, 2], [6, 2]]          # removes the wall between two squares: a doorway
  - wall: [[3, 4], [4, 4]]          # a single wall
  - wall_line: [[2, 4], [2, 5], [4, 5]]   # along grid lines; [0, 0] is the top left corner of the board

overrides:                          # changes to what is drawn, carried out in order
  - {at: [0, 5], terrain: mud}
  - {from: [3, 0], to: [5, 0], level: 1}  # a rectangle, both corners included

areas:                              # places under a name: deployment zones, entries, objectives
  - {name: gate, side: red, squares: [[0, 0], [0, 1]]}
  - {name: office, side: blue, rectangles: [[[6, 1], [9, 3]]]}

labels:                             # words on the picture; they mean nothing to the rules
  - {at: [7, 2], text: Office}
"""

_DOTS = """\
# A hex-dot map. Every other row stands half a dot to the right.
format: 1                           # the version of this format
board: dots                         # squares, dots or table
name: Scrap yard                    # optional; by default the name of the file
description: A two-storey house at the edge of a scrap yard.
scenery: [terrain, areas]           # words that are only drawn; any other has to be one that the rulebook reads
dot: {spacing: 1, unit: dot}        # the length of one step
layout: odd_rows                    # which are shifted: odd_rows, even_rows, odd_columns or even_columns
coordinates: offset                 # of all places here: offset [column, row] or axial [q, r]

legend:                             # the meaning of each glyph below; by default open, flat ground
  ".": {terrain: dust}              # terrain: any word that the rulebook knows
  "B": {terrain: floor, storeys: 2} # storeys: of the building on it; the roof lies above them
  "D": {terrain: floor, opening: true}    # opening: the dot is itself a door or a window
  "#": {impassable: true}           # impassable: nobody can enter
  "^": {terrain: heap, level: 1}    # level: the height of the ground
  "_": {absent: true}               # absent: no dot at all

rows: |                             # the map itself; white space is free, shifted rows are drawn shifted
  . . . . . . . _
   . B B B . ^ . .
  . . B B . . ^ .
   . D . . # . . .
  . . . . . . . .

edges:                              # barriers and ways up between two adjacent dots, applied in order
  - {kind: wall, around: "B"}       # around: every edge from dots drawn with these glyphs to all others
  - {kind: door, between: [[3, 1], [4, 1]], levels: [0, 0]}    # replaces the wall, on storey 0 only
  - {kind: window, between: [[2, 2], [1, 2]]}                  # without levels: on all storeys
  - {kind: open, between: [[2, 2], [1, 3]]}                    # removes what is there
  - {kind: stairs, between: [[1, 1], [2, 1]], levels: [0, 1]}  # from level 0 of the first dot to 1 of the second
  - {kind: ramp, between: [[4, 1], [5, 1]]}                    # from ground to ground; or ladder

overrides:                          # changes to what is drawn, carried out in order
  - {at: [0, 4], terrain: mud}
  - {from: [5, 4], to: [7, 4], impassable: true}   # a rectangle of the drawing, both corners included

areas:                              # places under a name: deployment zones, entries, objectives
  - {name: gate, side: red, dots: [[0, 0], [0, 1]]}
  - {name: heap, rectangles: [[[5, 1], [6, 2]]]}

labels:                             # words on the picture; they mean nothing to the rules
  - {at: [2, 1], text: House}
"""

_TABLE = """\
# An inch table. Points are [x, y] in inches: x to the right, y up.
format: 1                           # the version of this format
board: table                        # squares, dots or table
name: River crossing                # optional; by default the name of the file
description: A river with a bridge, a hill with a cairn, a marsh, a wood, a wall and a hut.
size: [48, 36]                      # the size of the table along x and y
origin: [0, 0]                      # its lower left corner
unit: inch
ground: open                        # the kind of ground where no piece lies

# Words that are only drawn where the rulebook does not read them. Every other kind and attribute has to be one that it
# reads; `simulator rules NAME --terrain` lists those.
scenery: [rough_terrain, obstacle, river, bridge, road, slope, individual_tree, hill, cairn, entry_areas]

# Pieces lie in layers, from the ground up: ground, replacing, modifier, cover, obstacle, elevated.
# Each has an id of its own, a kind and exactly one shape:
# polygon (with holes, if any), line (with a width, if any), point, circle or rectangle.
pieces:
  - {id: river, kind: river, polygon: [[20, 0], [25, 0], [28, 18], [26, 36], [21, 36], [23, 18]]}
  - id: marsh
    kind: rough_terrain
    polygon: [[2, 2], [14, 2], [14, 10], [2, 10]]
    holes: [[[6, 4], [9, 4], [9, 7], [6, 7]]]                 # rings cut out of the polygon
  - {id: bridge, kind: bridge, layer: replacing, rectangle: {centre: [25, 18], size: [9, 3], turned: 5}}
  - {id: road, kind: road, layer: replacing, line: [[29, 18], [38, 20], [45, 20]], width: 2, paved: true}
  - {id: slope, kind: slope, layer: modifier, polygon: [[30, 24], [46, 24], [46, 34], [30, 34]], uphill: NE}
  - {id: wood, kind: rough_terrain, layer: cover, circle: {centre: [8, 28], radius: 4}}
  - {id: oak, kind: individual_tree, layer: cover, point: [16, 14], height: 3, tree_cost: 1}
  - {id: wall, kind: obstacle, layer: obstacle, line: [[30, 10], [38, 10], [38, 5]], width: 0.5, height: 1.5}
  - {id: hut, kind: obstacle, layer: obstacle, rectangle: {centre: [34, 15], size: [5, 4]}, height: 3}
  - {id: hill, kind: hill, layer: elevated, polygon: [[34, 26], [44, 26], [44, 33], [34, 33]], height: 2, size_class: 1}
  - id: cairn
    kind: cairn
    layer: elevated
    circle: {centre: [39, 29], radius: 1}
    height: 1                                                 # its own height, from what it stands on
    on: hill                                                  # the elevated piece that it stands on

entry_areas:                        # where sides enter or deploy, and what they fight for
  - {name: west edge, side: red, polygon: [[0, 0], [3, 0], [3, 36], [0, 36]]}
  - {name: east edge, side: blue, polygon: [[45, 0], [48, 0], [48, 36], [45, 36]]}

labels:                             # words on the picture; they mean nothing to the rules
  - {at: [24, 30], text: River}
"""

STARTERS = {"squares": _SQUARES, "dots": _DOTS, "table": _TABLE}


def starter_for(ruleset: Ruleset[Any, Any], kind: str = "") -> str:
    """Return the starter file of a rulebook: a board on which it reads every word, by default of its first kind."""
    kind = kind or next(iter(ruleset.boards), "")
    if kind not in ruleset.boards:
        raise BoardError(f"{ruleset.name} is not played on {kind}; {did_you_mean(kind, ruleset.boards)}")
    if kind not in ruleset.starters:
        raise BoardError(
            f"{ruleset.name} has no starter board: `simulator new-board {kind}` writes one for any rulebook"
        )
    return ruleset.starters[kind]


def starter(kind: str) -> str:
    """Return a commented starter file of a kind of board: squares, dots or table.

    >>> starter("dots").splitlines()[0]
    '# A hex-dot map. Every other row stands half a dot to the right.'
    """
    if kind not in STARTERS:
        raise BoardError(no_such(kind, STARTERS, "kind of board"))
    return STARTERS[kind]
