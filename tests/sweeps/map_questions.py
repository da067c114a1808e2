"""Small questions for the tests of reach maps."""

from simulator import parse_scenario
from simulator.sweeps.reach_map import MapQuestion, MapWork

YARD = """
format: 1
ruleset: grid_runner
name: Yard
board:
  board: squares
  name: Yard
  legend: {".": {}, "#": {wall: true}}
  rows: |
    . . . . . . .
    . # . . # . .
    . . # . . . .
    . . . . . . .
units:
  ann: {type: character, side: red, at: [0, 0]}
  bob: {type: character, side: blue, at: [5, 3]}
"""
MAP = """
format: 1
ruleset: dot_trooper
name: Dots
board:
  board: dots
  layout: odd_rows
  legend: {".": {}}
  rows: |
    . . . . .
     . . . . .
    . . . . .
units:
  ann: {type: trooper, side: red, at: [1, 1]}
"""


def question(text=YARD, unit="ann", action="move", **more):
    """A question about a unit of a scenario."""
    game = parse_scenario(text).start()
    return MapQuestion("Yard", game.setting, game.state, unit, action, **more)


def made(asked, file, **how):
    """Make the map of a question; return its bytes."""
    work = MapWork.begun(asked, file)
    for _ in work.work(**how):
        pass
    work.finish()
    return file.read_bytes()
