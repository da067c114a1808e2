"""The small rulebooks of the engine's tests, and scenarios for them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))

import duel_ruleset
import tiny_ruleset

RULESETS = {"duel": duel_ruleset.RULESET, "tiny": tiny_ruleset.RULESET}

ROW = """\
board:
  board: squares
  name: Row
  legend: {".": {}, ",": {impeded: true}}
  rows: |
    . . , . . . . .
"""

DUEL = f"""\
format: 1
ruleset: duel
name: The gate
{ROW}options: {{lunges: true}}
tables: {{ap.each_turn: 4}}
units:
  A1: {{type: fighter, side: red, at: [0, 0], nerve: 2}}
  B1: {{type: fighter, side: blue, at: [3, 0], shield: 1}}
dice: {{seed: 7}}
answers: {{strike: always, dodge: never}}
turns:
  - - A1 walk: right 2
    - {{order: B1 strike A1 with 9, refused: DU-1}}
    - B1 strike A1 with 2
  - - order: A1 walk to 1,0
      cost: 1
      events: [{{kind: step, unit: A1, at: [1, 0], count: 1}}]
      asked: [{{what: strike, answer: strike}}]
    - expect: {{units: {{A1: {{at: [1, 0]}}}}}}
expect:
  units:
    A1: {{at: [1, 0], spent: 3.5, ap: 3, side: red}}
    B1: {{health: 3, spent: {{AP: 2}}}}
  clock: {{turn: 2, unit: A1, over: false}}
  data: {{dead: []}}
  legal: [A1 walk: right 1]
  refused: [{{order: "A1 walk: left 9", clause: DU-2}}]
"""
DUEL = DUEL.replace("legal: [A1 walk: right 1]", 'legal: ["A1 walk: left 1"]')

CHECKERS = """\
format: 1
ruleset: tiny
name: A jump
board:
  board: squares
  legend: {".": {}}
  rows: |
    ........
    ........
    ........
    ........
    ........
    ........
    ........
    ........
units:
  w1: {type: man, side: white, at: [0, 7]}
  b1: {type: man, side: black, at: [1, 6]}
  b2: {type: man, side: black, at: [7, 0]}
turns:
  - - expect:
        reach:
          - {unit: w1, size: 1, includes: [[2, 5]], excludes: [[1, 6], [0, 6]]}
    - w1: ["hop 2,5"]
expect:
  units: {b1: gone, w1: {at: "2,5", spent: 1}}
"""


def with_lines(text, *pairs):
    """A sample with some parts replaced; each has to be there."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text
