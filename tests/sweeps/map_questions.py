"""Small questions for the tests of reach maps."""

from simulator import parse_scenario
from simulator.sweeps.plan_file import load_reach_plan
from simulator.sweeps.reach_map import MapQuestion, MapWork
from simulator.sweeps.reach_sweep import ReachSweep

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


def reach_plan_in(folder, more="", scenario=YARD, units="[ann, {unit: bob, action: move, with: {mode: run}}]"):
    """Write a plan of reach maps and its scenario into a folder, and read it."""
    (folder / "yard.yaml").write_text(scenario)
    (folder / "plan.yaml").write_text(f"format: 1\nsweep: reach\nscenarios: [yard.yaml]\nunits: {units}\n{more}")
    return load_reach_plan(folder / "plan.yaml")


def mapped(plan, folder, **how):
    """Make all maps of a plan; return the sweep and its rows."""
    sweep = ReachSweep.begun(plan, folder)
    for _ in sweep.work(**how):
        pass
    return sweep, sweep.finish()
