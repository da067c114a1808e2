"""Small plans for the tests of sweeps, and agents of their own."""

import os
import time
from pathlib import Path

from simulator.sweeps.plan_file import load_plan
from simulator.sweeps.sweep import Sweep

ROOT = Path(__file__).resolve().parents[2]
#: A table of five squares: a game on it takes milliseconds.
TINY = """
format: 1
ruleset: grid_runner
name: Tiny
board: {board: squares, legend: {".": {}}, rows: ". . . . ."}
units:
  ann: {type: character, side: red, at: [0, 0]}
  bob: {type: character, side: blue, at: [4, 0]}
turns:
  - - "ann move: e 2"
    - "bob move: w 1"
    - "bob move: w 9"
expect:
  units: {ann: {at: [2, 0]}}
"""


def plan_in(folder, more="", scenario=TINY, seeds=3, agents="[script, greedy, random]"):
    """Write a plan and its scenario into a folder, and read it."""
    (folder / "tiny.yaml").write_text(scenario)
    text = f"format: 1\nsweep: games\nscenarios: [tiny.yaml]\nagents: {agents}\nseeds: {seeds}\n{more}"
    (folder / "plan.yaml").write_text(text)
    return load_plan(folder / "plan.yaml")


def swept(plan, folder, **how):
    """Play all of a plan; return the sweep and the rows of its games."""
    sweep = Sweep.begun(plan, folder)
    for _ in sweep.work(**how):
        pass
    return sweep, sweep.finish()


# --- agents ---


def first_is_done(game, units, rng):
    return None


def cheat(game, units, rng):
    return f"{units[0]} move: e 40"


def faulty(game, units, rng):
    raise ZeroDivisionError("no plan at all")


def idle(game, units, rng):
    time.sleep(0.05)
    return


def steps_east(game, units, rng):
    """Go on for ever: a free action costs nothing, so only a limit ends the turn."""
    return f"{units[0]} act free"


def slow(game, units, rng):
    """End a go after a while, so that a worker can be lost in between."""
    time.sleep(0.02)
    return


def fatal(game, units, rng):
    os._exit(3)


not_callable = 7


def thinks_for_ever(game, units, rng):
    while True:
        try:
            sum(range(1000))
        except Exception:
            return
